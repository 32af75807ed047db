//! Whether the unit of a number check fits what its answer is made of.
//!
//! An answer is read in the unit that stands beside it, while formulas give bytes and seconds. What an expression
//! certainly is can be told from the formula it calls and the unit it is divided by; where a bare number or a drawn
//! value may be anything, nothing is said.

use crate::sim::expr::{Expr, Measure};
use crate::sim::quantity::{self, Dimension, Unit};

/// What is wrong with a unit, and the cure.
pub(super) type Misfit = (String, String);

/// What is wrong with the unit of an answer, if something certainly is.
pub(super) fn misfit(answer: &Expr, source: &str, unit: &str) -> Option<Misfit> {
    let unit = unit.trim();
    let known = quantity::unit(unit);
    if known.is_none() && is_quotient_of_units(unit) {
        let cure = "write a unit that the program knows, such as GB/s, MB/s, TFLOP/s, ms or GB";
        return Some((format!("there is no unit `{unit}`"), cure.to_owned()));
    }
    match answer.measure() {
        Measure::Of(dimension) => base(source, dimension, (unit, known)),
        Measure::In(name) => {
            let divided = quantity::unit(&name)?;
            let fits = known.is_some_and(|k| k.dimension == divided.dimension && k.factor == divided.factor);
            (!fits).then(|| {
                let cure = format!("write unit = \"{}\", or divide by another one", divided.name);
                (format!("the answer is divided by {name}, and `unit` says {}", shown(unit)), cure)
            })
        }
        Measure::Ratio => {
            let size = known.filter(|k| {
                !matches!(k.dimension, Dimension::Count | Dimension::Share | Dimension::Seconds)
            })?;
            let what = format!("the answer is one size divided by another, and `unit` says {}", size.name);
            Some((
                what,
                "write the unit that is left: s where bytes are divided by bytes a second, or none".into(),
            ))
        }
        Measure::Unknown => last_divisor(source, (unit, known)),
    }
}

/// An answer that ends in `/ ms` comes in milliseconds, whatever the rest is; one that ends in `/ MB` in no time.
fn last_divisor(source: &str, (unit, known): (&str, Option<Unit>)) -> Option<Misfit> {
    let (_, last) = source.rsplit_once('/')?;
    let divided = quantity::unit(last.trim())?;
    let fits = known.is_none_or(|k| match divided.dimension {
        Dimension::Seconds => k.dimension == divided.dimension && k.factor == divided.factor,
        Dimension::Bytes => k.dimension != Dimension::Seconds,
        _ => true,
    });
    (!fits).then(|| {
        let cure = format!("write unit = \"{}\", or divide by another one", divided.name);
        (format!("the answer is divided by {}, and `unit` says {}", divided.name, shown(unit)), cure)
    })
}

/// The answer comes in a base unit as it is.
fn base(source: &str, dimension: Dimension, (unit, known): (&str, Option<Unit>)) -> Option<Misfit> {
    let name = match dimension {
        Dimension::Bytes => "B",
        Dimension::Seconds => "s",
        Dimension::ByteRate => "B/s",
        Dimension::Flop => "FLOP",
        Dimension::FlopRate => "FLOP/s",
        Dimension::Count | Dimension::Share => return None,
    };
    let what = || format!("the answer is in {name}, and `unit` says {}", shown(unit));
    match known {
        Some(known) if known.dimension != dimension => {
            Some((what(), format!("write unit = \"{name}\", or another expression")))
        }
        Some(known) if known.factor != 1.0 => Some((
            what(),
            format!("divide by the unit: answer = \"({}) / {}\"", source.trim(), divisor(known.name)),
        )),
        Some(_) => None,
        None => Some((what(), format!("write unit = \"{name}\""))),
    }
}

/// The constants of expressions know sizes and times; a rate is divided by a size.
fn divisor(unit: &str) -> &str {
    unit.strip_suffix("/s").unwrap_or(unit)
}

fn shown(unit: &str) -> String {
    if unit.is_empty() { "nothing".to_owned() } else { format!("`{unit}`") }
}

/// Whether a unit that is not known is made of two that are.
fn is_quotient_of_units(unit: &str) -> bool {
    let halves = unit.split_once('/');
    halves.is_some_and(|(a, b)| [a, b].iter().all(|half| quantity::unit(half.trim()).is_some()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn says(answer: &str, unit: &str) -> Option<String> {
        let parsed = Expr::parse(answer).unwrap();
        misfit(&parsed, answer, unit).map(|(what, cure)| format!("{what} — {cure}"))
    }

    #[test]
    fn a_unit_that_cannot_be_that_of_the_answer_is_found() {
        for (answer, unit, word) in [
            ("8 * 2", "sec/s", "no unit `sec/s`"),
            ("M * MB / (r * MB)", "GB", "one size divided by another"),
            ("64 MB / (25 MB / 1000 ms)", "GB", "in s"),
            ("16 GB", "GB", "(16 GB) / GB"),
            ("ring_all_reduce_bytes(8, S * GiB)", "GB", "divide by the unit"),
            ("ring_all_reduce_bytes(8, S * GiB) / GiB", "GB", "divided by GiB"),
            ("2 * ring_all_reduce_time(8, S * GiB, 0, 45 GB) / ms", "s", "divided by ms"),
            ("ring_all_reduce_time(8, S * GiB, 0, 45 GB)", "", "says nothing"),
            ("b * 1024 * 8 / (rate * million) / ms", "s", "divided by ms"),
            ("rate * million / 8 * rtt / 1000 / MB", "ms", "divided by MB"),
        ] {
            let said = says(answer, unit).unwrap_or_else(|| panic!("{answer} in {unit}"));
            assert!(said.contains(word), "{answer} in {unit}: {said}");
        }
    }

    #[test]
    fn what_may_be_right_is_left_alone() {
        for (answer, unit) in [
            ("96 * 0.5", "GB"),
            ("k * 100 * million * g / GB", "GB"),
            ("ring_all_reduce_bytes(8, S * GiB) / 370e9", "s"),
            ("ring_all_reduce_time(N, S * GiB, 0, B * GB) / ms", "ms"),
            ("busbw(n, S * GiB, t * ms) / GB", "GB/s"),
            ("S * GiB / (B * GB)", "s"),
            ("ring_all_reduce_time(8, 1 GiB, 0, 45 GB)", "s"),
            ("100 * bubble_fraction(p, 8)", "%"),
            ("M", "tokens/s"),
            ("ring_all_reduce_time(8, 1 GiB, 0, 45 GB) / hours / 24", "days"),
            ("T*8*7168*2 * node_crossing_share(e, 8) / 45e9 / ms", "ms"),
        ] {
            assert_eq!(says(answer, unit), None, "{answer} in {unit}");
        }
    }
}
