//! Figures: `#112 GB` in a pattern, and the amounts of a text that they are held against.

use super::lexicon;
use super::token::{self, Gap, Token};

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
        let figure = |amount: Amount| {
            let thing = || tokens.get(amount.end).map(|t| FigureUnit::Of(t.word.clone()));
            let unit = amount.unit.clone().or_else(thing).unwrap_or(FigureUnit::Plain);
            Figure { value: amount.value, unit, tolerance: ROUNDING }
        };
        amounts(&tokens).into_iter().flatten().filter(|a| !a.rough).map(figure).collect()
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
    /// What one of its unit is in base units.
    scale: f64,
    /// Whether it only says how large: "a few ms", "hundreds of GB".
    pub rough: bool,
    /// The token after it.
    pub end: usize,
}

/// The amounts of a text, each at its first token. A number without a unit takes that of the one beside it: "from
/// 16 to 4 bytes", "16 bytes, not 12", "GB: 112".
pub(super) fn amounts(tokens: &[Token]) -> Vec<Option<Amount>> {
    let mut all: Vec<Option<Amount>> = (0..tokens.len()).map(|i| Amount::at(tokens, i)).collect();
    for i in (0..tokens.len()).rev() {
        if let Some(unit) = bare(&all, i).and_then(|end| unit_after(tokens, &all, end)) {
            take_unit(&mut all[i], unit);
        }
    }
    for i in 0..tokens.len() {
        let is_open = bare(&all, i).is_some_and(|end| is_last(tokens, end));
        if let Some(unit) = unit_before(tokens, &all, i).filter(|_| is_open) {
            take_unit(&mut all[i], unit);
        }
    }
    all
}

/// The end of the bare number at `i`.
fn bare(all: &[Option<Amount>], i: usize) -> Option<usize> {
    all[i].as_ref().filter(|a| a.unit.is_none()).map(|a| a.end)
}

/// Whether no thing follows of which a number might tell how many.
fn is_last(tokens: &[Token], end: usize) -> bool {
    tokens
        .get(end)
        .is_none_or(|t| t.gap.ends_clause() || t.gap == Gap::Bracket || lexicon::is_function(&t.word))
}

/// Words between two amounts of one unit.
fn joins_amounts(word: &str) -> bool {
    matches!(
        word,
        "to" | "or"
            | "and"
            | "not"
            | "instead"
            | "of"
            | "rather"
            | "than"
            | "vs"
            | "versus"
            | "down"
            | "up"
            | "from"
    )
}

fn unit_after(tokens: &[Token], all: &[Option<Amount>], end: usize) -> Option<(FigureUnit, f64)> {
    let joint = tokens.get(end)?;
    let to = matches!(joint.word.as_str(), "to" | "or" | "and" | "vs" | "versus");
    let next = if to { end + 1 } else { end };
    let tied = to && joint.gap <= Gap::Comma || joint.gap == Gap::Arrow;
    let amount = all.get(next)?.as_ref().filter(|_| tied)?;
    Some((amount.unit.clone()?, amount.scale))
}

fn unit_before(tokens: &[Token], all: &[Option<Amount>], i: usize) -> Option<(FigureUnit, f64)> {
    if i > 0 && matches!(tokens[i].gap, Gap::Equals | Gap::Colon) {
        return unit_word(tokens, i - 1).map(|(unit, scale, _)| (unit, scale));
    }
    let first = i.saturating_sub(4);
    let joints = (first..i).rev().take_while(|&t| joins_amounts(&tokens[t].word)).count();
    let near = (i.saturating_sub(joints + 5)..i).rev().filter_map(|t| all[t].as_ref());
    let before = near.into_iter().find(|a| a.end == i - joints)?;
    let tied = joints > 0 || matches!(tokens[i].gap, Gap::Arrow | Gap::Comma);
    let same = (before.end..=i).all(|t| !tokens[t].gap.ends_sentence());
    Some((before.unit.clone().filter(|_| tied && same)?, before.scale))
}

fn take_unit(amount: &mut Option<Amount>, (unit, scale): (FigureUnit, f64)) {
    if let Some(amount) = amount {
        amount.value *= scale;
        (amount.unit, amount.scale) = (Some(unit), scale);
    }
}

/// The word at a token of a clause; empty where none follows in it.
fn word_at(tokens: &[Token], at: usize) -> &str {
    tokens.get(at).filter(|t| !t.gap.ends_clause()).map_or("", |t| t.word.as_str())
}

/// The unit that begins at a token of the same clause, what one of it is in base units, and the token after it.
fn unit_at(tokens: &[Token], at: usize) -> Option<(FigureUnit, f64, usize)> {
    if word_at(tokens, at).is_empty() { None } else { unit_word(tokens, at) }
}

/// The unit that begins at a token, what one of it is in base units, and the token after it.
fn unit_word(tokens: &[Token], at: usize) -> Option<(FigureUnit, f64, usize)> {
    let word = |i: usize| word_at(tokens, i);
    let unit = tokens.get(at)?.word.as_str();
    let per_time = word(at + 1) == "per" && lexicon::is_time_unit(word(at + 2));
    Some(match unit {
        "%" => (FigureUnit::Percent, 1.0, at + 1),
        "x" | "fold" => (FigureUnit::Factor, 1.0, at + 1),
        "gbps" => (FigureUnit::Rate, 1e9 / 8.0, at + 1),
        "mbps" => (FigureUnit::Rate, 1e6 / 8.0, at + 1),
        _ => match (byte_size(unit), time_size(unit)) {
            (Some(bytes), _) if per_time => {
                (FigureUnit::Rate, bytes / time_size(word(at + 2)).unwrap_or(1.0), at + 3)
            }
            (Some(bytes), _) => (FigureUnit::Bytes, bytes, at + 1),
            (None, seconds) => (FigureUnit::Time, seconds?, at + 1),
        },
    })
}

impl Amount {
    /// The amount whose first token is `i`.
    pub(super) fn at(tokens: &[Token], i: usize) -> Option<Amount> {
        let first = tokens.get(i)?.word.as_str();
        if let Some(value) = factor_word(first) {
            let unit = Some(FigureUnit::Factor);
            return Some(Amount { value, unit, scale: 1.0, rough: false, end: i + 1 });
        }
        if let Some(value) = rough_word(first) {
            return Amount::rough(tokens, i, value);
        }
        let mut value = number(first)?;
        let mut end = i + 1;
        if let Some(times) = multiplier(word_at(tokens, end)) {
            value *= times;
            end += 1;
        }
        if is_model_size(tokens, end, value) {
            return Some(Amount { value: value * 1e9, unit: None, scale: 1.0, rough: false, end: end + 1 });
        }
        Some(match unit_at(tokens, end) {
            Some((unit, scale, end)) => {
                Amount { value: value * scale, unit: Some(unit), scale, rough: false, end }
            }
            None => Amount { value, unit: None, scale: 1.0, rough: false, end },
        })
    }

    /// "A few ms", "a couple of hundred GB", "tens of microseconds"; none where no unit follows.
    fn rough(tokens: &[Token], i: usize, value: f64) -> Option<Amount> {
        let word = |at: usize| word_at(tokens, at);
        let mut at = i + 1;
        at += usize::from(word(at) == "of");
        let times = multiplier(word(at));
        at += usize::from(times.is_some());
        at += usize::from(word(at) == "of");
        let (unit, scale, end) = unit_at(tokens, at)?;
        let value = value * times.unwrap_or(1.0) * scale;
        Some(Amount { value, unit: Some(unit), scale, rough: true, end })
    }

    /// The value as a figure of this kind; none where it is of another. A half is 50 per cent.
    pub(super) fn as_unit(&self, unit: &FigureUnit) -> Option<f64> {
        match (&self.unit, unit) {
            (Some(own), wanted) if own == wanted => Some(self.value),
            (Some(FigureUnit::Factor), FigureUnit::Percent) if self.value < 1.0 => Some(self.value * 100.0),
            _ => None,
        }
    }
}

/// The value of a number in digits or in words.
pub(super) fn number(word: &str) -> Option<f64> {
    let digits = if token::is_number(word) { word } else { lexicon::plain(word)? };
    digits.parse().ok()
}

fn factor_word(word: &str) -> Option<f64> {
    Some(match word {
        "twice" | "double" | "doubles" | "doubled" => 2.0,
        "triple" | "triples" | "tripled" | "thrice" => 3.0,
        "half" | "halves" | "halved" => 0.5,
        "quarter" => 0.25,
        _ => return None,
    })
}

/// Words that only say how many there are about.
fn rough_word(word: &str) -> Option<f64> {
    Some(match word {
        "couple" => 2.0,
        "few" => 3.0,
        "several" => 5.0,
        "tens" => 10.0,
        "dozens" => 12.0,
        "hundreds" => 1e2,
        "thousands" => 1e3,
        _ => return None,
    })
}

/// Sizes that a `B` after them may count in bytes as well as in billions: of one number, or of the state of one
/// parameter.
const BYTES_OF_ONE: [f64; 10] = [1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 10.0, 12.0, 16.0, 18.0];

/// Whether the unit at `at` is the B of a model's size, "70B", and no byte.
fn is_model_size(tokens: &[Token], at: usize, value: f64) -> bool {
    if !tokens.get(at).is_some_and(|t| t.gap == Gap::Joined && t.word == "b") {
        return false;
    }
    match word_at(tokens, at + 1) {
        "per" | "each" => false,
        "model" | "models" | "parameter" | "parameters" | "param" | "params" | "dense" | "weights" => true,
        _ => !BYTES_OF_ONE.contains(&value),
    }
}

fn multiplier(word: &str) -> Option<f64> {
    Some(match word {
        "hundred" => 1e2,
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
        "gbit" | "gigabit" | "gigabits" => 1e9 / 8.0,
        "mbit" | "megabit" | "megabits" => 1e6 / 8.0,
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
        assert_eq!(amount("400 GB/s"), (400e9, Some(FigureUnit::Rate)));
        assert_eq!(amount("400 Gb/s"), (50e9, Some(FigureUnit::Rate)));
        assert_eq!(amount("400Gbit/s"), (50e9, Some(FigureUnit::Rate)));
        assert_eq!(amount("thirty-two GB"), (32e9, Some(FigureUnit::Bytes)));
        assert_eq!(amount("two hundred ms"), (0.2, Some(FigureUnit::Time)));
        assert_eq!(amount("7 billion bytes"), (7e9, Some(FigureUnit::Bytes)));
        assert_eq!(amount("1.5 times"), (1.5, Some(FigureUnit::Factor)));
        assert_eq!(amount("twice"), (2.0, Some(FigureUnit::Factor)));
        assert_eq!(amount("sixteen bytes"), (16.0, Some(FigureUnit::Bytes)));
        assert_eq!(amount("five ms"), (5e-3, Some(FigureUnit::Time)));
        assert_eq!(amount("31 nodes"), (31.0, None));
    }

    #[test]
    fn the_size_of_a_model_is_no_number_of_bytes() {
        assert_eq!(amount("70B"), (70e9, None));
        assert_eq!(amount("8B model"), (8e9, None));
        assert_eq!(amount("0.5B"), (0.5e9, None));
        assert_eq!(amount("16B"), (16.0, Some(FigureUnit::Bytes)));
        assert_eq!(amount("20B per parameter"), (20.0, Some(FigureUnit::Bytes)));
        assert_eq!(amount("70 B"), (70.0, Some(FigureUnit::Bytes)));
    }

    #[test]
    fn a_few_of_a_unit_say_how_large() {
        let rough = |text: &str| {
            let amount = Amount::at(&token::lex(text).tokens, 0)?;
            Some((amount.value, amount.unit?, amount.rough))
        };
        assert_eq!(rough("couple of milliseconds"), Some((2e-3, FigureUnit::Time, true)));
        assert_eq!(rough("few hundred GB/s"), Some((3e11, FigureUnit::Rate, true)));
        assert_eq!(rough("tens of ms"), Some((1e-2, FigureUnit::Time, true)));
        assert_eq!(rough("few ranks"), None);
    }

    #[test]
    fn a_bare_number_takes_the_unit_beside_it() {
        let values = |text: &str| {
            let tokens = token::lex(text).tokens;
            let bytes = |a: Amount| a.as_unit(&FigureUnit::Bytes);
            amounts(&tokens).into_iter().flatten().filter_map(bytes).collect::<Vec<_>>()
        };
        assert_eq!(values("from 16 to 4 bytes"), [16.0, 4.0]);
        assert_eq!(values("it takes 16 bytes, not 12"), [16.0, 12.0]);
        assert_eq!(values("memory in GB: 112"), [112e9]);
        assert_eq!(values("80 -> 112 GB"), [80e9, 112e9]);
        assert_eq!(values("16 bytes on 8 ranks"), [16.0]);
        assert_eq!(values("16 bytes, 8 ranks"), [16.0]);
    }

    #[test]
    fn half_is_fifty_per_cent() {
        let tokens = token::lex("half").tokens;
        let half = Amount::at(&tokens, 0).and_then(|a| a.as_unit(&FigureUnit::Percent));
        assert_eq!(half, Some(50.0));
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
