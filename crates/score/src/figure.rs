//! Figures: `#112 GB` in a pattern, and the amounts of a text that they are held against.

use super::lexicon;
use super::token::{self, Token};

/// A right figure: a value with its unit, and how far off it may be.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// The value in base units: bytes, bytes a second, seconds, per cent, times, things.
    pub value: f64,
    /// What it is a number of.
    pub unit: FigureUnit,
    /// The share of the value by which a figure may differ.
    pub tolerance: f64,
}

// No figure is read that is not a number.
impl Eq for Figure {}

/// What a figure is a number of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FigureUnit {
    /// Bytes.
    Bytes,
    /// Bytes a second.
    Rate,
    /// Seconds.
    Time,
    /// Per cent.
    Percent,
    /// Times as much.
    Factor,
    /// Things of this name: `#4 stages`.
    Of(String),
    /// A bare number.
    Plain,
}

/// Rounding that is always forgiven where something is measured.
const ROUNDING: f64 = 0.03;

impl Figure {
    /// Reads what stands after `#` where it begins with a digit: `112 GB`, `1.5x`, `40%~10%`, `4 stages`.
    pub(super) fn read(text: &str) -> Option<Figure> {
        let (text, tolerance) = match text.split_once('~') {
            Some((figure, off)) => {
                let off = off.trim().strip_suffix('%')?.trim().parse::<f64>().ok()?;
                (figure, Some(off / 100.0).filter(|t| (0.0..1.0).contains(t))?)
            }
            None => (text, 0.0),
        };
        let has_tolerance = tolerance > 0.0;
        let tokens = token::lex(text.trim()).tokens;
        let amount = Amount::at(&tokens, 0)?;
        let unit = match (&amount.unit, tokens.len() - amount.end) {
            (Some(unit), 0) => unit.clone(),
            (None, 0) => FigureUnit::Plain,
            (None, 1) => FigureUnit::Of(tokens[amount.end].word.clone()),
            _ => return None,
        };
        let counted = matches!(unit, FigureUnit::Of(_) | FigureUnit::Plain);
        let tolerance = if has_tolerance {
            tolerance
        } else if counted {
            0.0
        } else {
            ROUNDING
        };
        Some(Figure { value: amount.value, unit, tolerance })
    }

    /// The figures of a text.
    pub(super) fn all_of(text: &str) -> Vec<Figure> {
        let tokens = token::lex(text).tokens;
        let amounts = (0..tokens.len()).filter_map(|i| Amount::at(&tokens, i).map(|a| (i, a)));
        let figure = |(_, amount): (usize, Amount)| {
            let thing = || tokens.get(amount.end).map(|t| FigureUnit::Of(t.word.clone()));
            let unit = amount.unit.clone().or_else(thing).unwrap_or(FigureUnit::Plain);
            Figure { value: amount.value, unit, tolerance: ROUNDING }
        };
        amounts.map(figure).collect()
    }

    /// Whether a value is this figure.
    pub(super) fn is(&self, value: f64) -> bool {
        (value - self.value).abs() <= self.value.abs() * self.tolerance + 1e-9
    }
}

/// A number of a text with what follows it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Amount {
    /// In base units.
    pub value: f64,
    /// None where no unit follows.
    pub unit: Option<FigureUnit>,
    /// The token after it.
    pub end: usize,
}

impl Amount {
    /// The amount whose first token is `i`.
    pub(super) fn at(tokens: &[Token], i: usize) -> Option<Amount> {
        let word = |at: usize| tokens.get(at).filter(|t| !t.gap.ends_clause()).map_or("", |t| &t.word);
        let first = tokens.get(i)?.word.as_str();
        if let Some(value) = factor_word(first) {
            return Some(Amount { value, unit: Some(FigureUnit::Factor), end: i + 1 });
        }
        let mut value = number(first)?;
        let mut end = i + 1;
        if let Some(times) = multiplier(word(end)) {
            value *= times;
            end += 1;
        }
        let unit = word(end);
        let per_time = word(end + 1) == "per" && lexicon::is_time_unit(word(end + 2));
        let (unit, value, end) = match unit {
            "%" => (Some(FigureUnit::Percent), value, end + 1),
            "x" | "fold" => (Some(FigureUnit::Factor), value, end + 1),
            "gbps" => (Some(FigureUnit::Rate), value * 1e9 / 8.0, end + 1),
            _ if byte_size(unit).is_some() && per_time => {
                let second = time_size(word(end + 2)).unwrap_or(1.0);
                (Some(FigureUnit::Rate), value * byte_size(unit).unwrap_or(1.0) / second, end + 3)
            }
            _ if byte_size(unit).is_some() => {
                (Some(FigureUnit::Bytes), value * byte_size(unit).unwrap_or(1.0), end + 1)
            }
            _ if time_size(unit).is_some() => {
                (Some(FigureUnit::Time), value * time_size(unit).unwrap_or(1.0), end + 1)
            }
            _ => (None, value, end),
        };
        Some(Amount { value, unit, end })
    }
}

/// The value of a number in digits or, up to sixteen, in words.
fn number(word: &str) -> Option<f64> {
    let digits = if token::is_number(word) { word } else { lexicon::plain(word)? };
    digits.parse().ok()
}

fn factor_word(word: &str) -> Option<f64> {
    Some(match word {
        "twice" | "double" | "doubles" | "doubled" => 2.0,
        "triple" | "triples" | "tripled" | "thrice" => 3.0,
        "half" | "halves" | "halved" => 0.5,
        _ => return None,
    })
}

fn multiplier(word: &str) -> Option<f64> {
    Some(match word {
        "thousand" | "k" => 1e3,
        "million" => 1e6,
        "billion" | "bn" => 1e9,
        "trillion" => 1e12,
        _ => return None,
    })
}

/// The bytes of a unit.
fn byte_size(unit: &str) -> Option<f64> {
    Some(match unit {
        "b" | "byte" | "bytes" => 1.0,
        "kb" => 1e3,
        "kib" => 1024.0,
        "mb" | "megabyte" | "megabytes" => 1e6,
        "mib" => 1_048_576.0,
        "gb" | "gig" | "gigs" | "gigabyte" | "gigabytes" => 1e9,
        "gib" => 1_073_741_824.0,
        "gbit" | "gigabit" => 1e9 / 8.0,
        "tb" | "terabyte" | "terabytes" => 1e12,
        "tib" => 1_099_511_627_776.0,
        _ => return None,
    })
}

/// The seconds of a unit.
fn time_size(unit: &str) -> Option<f64> {
    Some(match unit {
        "ns" => 1e-9,
        "us" | "microsecond" | "microseconds" => 1e-6,
        "ms" | "millisecond" | "milliseconds" => 1e-3,
        "s" | "sec" | "secs" | "second" | "seconds" => 1.0,
        "min" | "minute" | "minutes" => 60.0,
        "h" | "hour" | "hours" => 3600.0,
        "day" | "days" => 86_400.0,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn amount(text: &str) -> (f64, Option<FigureUnit>) {
        let amount = Amount::at(&token::lex(text).tokens, 0).expect("an amount");
        (amount.value, amount.unit)
    }

    #[test]
    fn amounts_are_read_in_base_units() {
        assert_eq!(amount("112 GB"), (112e9, Some(FigureUnit::Bytes)));
        assert_eq!(amount("112GB"), (112e9, Some(FigureUnit::Bytes)));
        assert_eq!(amount("400 Gb/s"), (400e9, Some(FigureUnit::Rate)));
        assert_eq!(amount("7 billion bytes"), (7e9, Some(FigureUnit::Bytes)));
        assert_eq!(amount("1.5 times"), (1.5, Some(FigureUnit::Factor)));
        assert_eq!(amount("twice"), (2.0, Some(FigureUnit::Factor)));
        assert_eq!(amount("sixteen bytes"), (16.0, Some(FigureUnit::Bytes)));
        assert_eq!(amount("five ms"), (5e-3, Some(FigureUnit::Time)));
        assert_eq!(amount("31 nodes"), (31.0, None));
    }

    #[test]
    fn a_figure_forgives_rounding_where_something_is_measured() {
        let figure = |text: &str| Figure::read(text).expect("a figure");
        assert!(figure("112 GB").is(110e9) && !figure("112 GB").is(100e9));
        assert!(figure("112 GB~20%").is(100e9));
        assert!(figure("4 stages").is(4.0) && !figure("4 stages").is(5.0));
        assert_eq!(figure("1.5x").unit, FigureUnit::Factor);
        assert_eq!(figure("4 stages").unit, FigureUnit::Of("stages".into()));
        assert!(Figure::read("4 big red stages").is_none());
        assert!(Figure::read("12 GB~x").is_none());
    }
}
