//! Puts computed numbers into texts: `{{expression}}` and `{{expression:decimals}}`.

use std::ops::Range;

use toml::Spanned;

use crate::sim::expr::{self, Values};

use super::faults::Faults;
use super::literal::Literal;

/// More decimals than this say nothing.
const MOST_DECIMALS: usize = 9;

/// A place of a text where a number belongs.
struct Hole {
    /// With its braces.
    whole: Range<usize>,
    /// The expression alone.
    expression: Range<usize>,
    decimals: Option<usize>,
}

/// Why a number cannot be put into a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unfilled {
    /// The bytes of the text.
    pub at: Range<usize>,
    /// What is wrong: lower case, no full stop.
    pub what: String,
    /// What to do about it.
    pub cure: String,
}

/// The text with its computed numbers, with `values` for the names in them. Decimals are cut
/// by rounding; without them a number has up to six figures.
///
/// # Errors
/// The first place that cannot be filled.
pub fn fill(text: &str, values: &impl Values) -> Result<String, Unfilled> {
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    while let Some(hole) = next_hole(text, done)? {
        out.push_str(&text[done..hole.whole.start]);
        let number = value(text, &hole, values)?;
        out.push_str(&written(number, hole.decimals));
        done = hole.whole.end;
    }
    out.push_str(&text[done..]);
    Ok(out)
}

/// The text with its computed numbers. What cannot be computed is reported.
pub(super) fn text(text: Spanned<String>, faults: &mut Faults<'_>) -> String {
    if !text.get_ref().contains("{{") {
        return text.into_inner();
    }
    match fill(text.get_ref(), &()) {
        Ok(filled) => filled,
        Err(_) => {
            report(&text, &(), faults);
            text.into_inner()
        }
    }
}

/// Reports every place of a text that cannot be filled.
pub(super) fn report(text: &Spanned<String>, values: &impl Values, faults: &mut Faults<'_>) {
    let literal = Literal::new(faults.text(), &text.span());
    let mut done = 0;
    loop {
        let fault = match next_hole(text.get_ref(), done) {
            Ok(None) => return,
            Ok(Some(hole)) => {
                done = hole.whole.end;
                match value(text.get_ref(), &hole, values) {
                    Ok(_) => continue,
                    Err(fault) => fault,
                }
            }
            Err(fault) => {
                let rest = &text.get_ref()[fault.at.end..];
                // what is not closed on its line closes nowhere on it
                let skipped = if rest.starts_with("}}") { 0 } else { rest.find('\n').unwrap_or(rest.len()) };
                done = fault.at.end + skipped;
                fault
            }
        };
        let span = literal.inside(fault.at);
        faults.error(span, fault.what, fault.cure);
    }
}

fn next_hole(text: &str, from: usize) -> Result<Option<Hole>, Unfilled> {
    let Some(start) = text[from..].find("{{").map(|at| from + at) else {
        return Ok(None);
    };
    let line_end = text[start..].find('\n').map_or(text.len(), |at| start + at);
    let Some(close) = text[start..line_end].find("}}").map(|at| start + at) else {
        return Err(Unfilled {
            at: start..start + 2,
            what: "a computed number is not closed".to_owned(),
            cure: "close it with }} on the same line".to_owned(),
        });
    };
    let inner = &text[start + 2..close];
    let (length, decimals) = match inner.rsplit_once(':') {
        Some((expression, digits)) => (expression.len(), Some((digits, start + 3 + expression.len()))),
        None => (inner.len(), None),
    };
    let decimals = match decimals {
        None => None,
        Some((digits, at)) => match digits.trim().parse() {
            Ok(decimals) if decimals <= MOST_DECIMALS => Some(decimals),
            _ => {
                return Err(Unfilled {
                    at: at..close.max(at + 1),
                    what: format!("`{digits}` is not a number of decimals"),
                    cure: format!("write 0 to {MOST_DECIMALS} after the colon"),
                });
            }
        },
    };
    Ok(Some(Hole { whole: start..close + 2, expression: start + 2..start + 2 + length, decimals }))
}

fn value(text: &str, hole: &Hole, values: &impl Values) -> Result<f64, Unfilled> {
    let source = &text[hole.expression.clone()];
    expr::value(source, values).map_err(|fault| {
        let at = text.floor_char_boundary(hole.expression.start + fault.at.min(source.len()));
        Unfilled {
            at: at..hole.expression.end.max(at),
            what: format!("the number `{}` cannot be computed: {}", source.trim(), fault.what),
            cure: fault.cure,
        }
    })
}

/// A number as it is printed in a text: decimals by rounding, digits before them in groups of
/// three from 10,000 on.
pub fn written(number: f64, decimals: Option<usize>) -> String {
    let plain = match decimals {
        Some(decimals) => format!("{number:.decimals$}"),
        None => shortest(number),
    };
    let (sign, digits) = match plain.strip_prefix('-') {
        Some(rest) if rest.contains(|c: char| ('1'..='9').contains(&c)) => ("-", rest),
        Some(rest) => ("", rest), // no -0
        None => ("", plain.as_str()),
    };
    let (whole, rest) = digits.split_at(digits.find(['.', 'e']).unwrap_or(digits.len()));
    format!("{sign}{}{rest}", grouped(whole))
}

/// Six figures at most, without zeros at the end; very large and very small numbers with a
/// power of ten.
fn shortest(number: f64) -> String {
    let size = number.abs();
    if size != 0.0 && !(1e-4..1e15).contains(&size) {
        return format!("{number:e}");
    }
    let before = if size >= 1.0 { size.log10() as usize + 1 } else { 0 };
    let decimals = if size >= 1.0 { 6_usize.saturating_sub(before) } else { 6 };
    let text = format!("{number:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

fn grouped(digits: &str) -> String {
    if digits.len() < 5 {
        return digits.to_owned();
    }
    let mut out = String::with_capacity(digits.len() * 4 / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn numbers_are_put_in_with_their_decimals() {
        let values = BTreeMap::from([("n".to_owned(), 8.0)]);
        for (text, expected) in [
            ("nothing", "nothing"),
            ("{{96*0.5:0}} ms", "48 ms"),
            ("a {{n}} b {{1/n:2}} c", "a 8 b 0.12 c"),
            ("{{2^20}}, {{4096}}, {{25*2^20:0}}", "1,048,576, 4096, 26,214,400"),
            ("{{1/3}} {{2.5}} {{0-0.001:1}} {{0-7}}", "0.333333 2.5 0.0 -7"),
            ("{{1e18}} {{1/4e5}} {{0-12345.6:1}}", "1e18 2.5e-6 -12,345.6"),
        ] {
            assert_eq!(fill(text, &values).as_deref(), Ok(expected), "{text}");
        }
    }

    #[test]
    fn every_place_that_cannot_be_filled_is_reported_where_it_stands() {
        let file = "text = \"\"\"\nok {{1}}\nπ {{1+}} {{nope(2)}} {{x}} {{1:many}} {{open\nend\"\"\"";
        #[derive(serde::Deserialize)]
        struct Only {
            text: Spanned<String>,
        }
        let only: Only = toml::from_str(file).unwrap();
        let mut faults = Faults::new("a.toml", file);
        report(&only.text, &(), &mut faults);
        let found = faults.into_problems();
        let places: Vec<_> = found.iter().map(|p| (p.line, p.column)).collect();
        assert_eq!(places, [(3, 7), (3, 12), (3, 24), (3, 32), (3, 39)], "{found:#?}");
    }
}
