//! Marking a number: within its tolerance, or which slip it is.

use std::collections::BTreeMap;

use super::{Asked, Marked, unfit};
use crate::pack::{NumberCheck, fill, written};
use crate::sim::expr;
use crate::study::measure::{self, Unread};

/// A wrong number is taken for a slip when it is this near to it, as a share of the slip.
const NEAR_SLIP: f64 = 0.005;

/// Marks a number that was typed.
pub(super) fn mark_number(
    asked: &Asked,
    number: &NumberCheck,
    values: &BTreeMap<String, f64>,
    text: &str,
) -> Result<Marked, Unread> {
    let given = measure::read(text, &number.unit)?.value;
    let answer = expr::value(&number.answer, values).map_err(|_| unfit())?;
    let right = is_near(given, answer, number.tolerance / 100.0);
    Ok(Marked {
        right,
        given: match measure::is_worked_out(text) {
            true => format!("{} = {}", text.trim(), with_unit(given, &number.unit)),
            false => text.trim().to_owned(),
        },
        correct: with_unit(answer, &number.unit),
        slip: if right { None } else { Some(slip(number, values, given, answer)) },
        lines: Vec::new(),
        explain: asked.explain.clone(),
    })
}

/// A number with its unit, as one says it: whole numbers as they are, others to three digits.
fn with_unit(value: f64, unit: &str) -> String {
    let is_whole = value.fract().abs() < 1e-9;
    let digits = 2 - value.abs().max(f64::MIN_POSITIVE).log10().floor() as i32;
    let decimals = usize::try_from(digits).ok().filter(|_| !is_whole);
    let decimals = decimals.or(if is_whole { None } else { Some(0) });
    let number = written(value, decimals);
    let gap = if unit == "%" || unit.is_empty() { "" } else { " " };
    format!("{number}{gap}{unit}")
}

/// Whether a number is within a share of another; exact ones may differ by rounding.
fn is_near(given: f64, right: f64, share: f64) -> bool {
    (given - right).abs() <= (share + 1e-9) * right.abs() + f64::MIN_POSITIVE
}

/// What went wrong: a slip that the author named, a slip of units, or how far off it is.
fn slip(number: &NumberCheck, values: &BTreeMap<String, f64>, given: f64, answer: f64) -> String {
    let near = NEAR_SLIP.max(number.tolerance / 100.0);
    let named = number.slips.iter().filter_map(|(value, why)| {
        let value = expr::value(value, values).ok()?;
        is_near(given, value, near).then(|| ((given - value).abs(), why))
    });
    if let Some((_, why)) = named.min_by(|(a, _), (b, _)| a.total_cmp(b)) {
        return fill(why, values).unwrap_or_else(|_| why.clone());
    }
    unit_slip(&number.unit, given / answer).unwrap_or_else(|| off_by(given, answer))
}

/// The slip of units that a ratio of given to right gives away.
fn unit_slip(unit: &str, ratio: f64) -> Option<String> {
    let is = |factor: f64| is_near(ratio, factor, NEAR_SLIP) || is_near(ratio, 1.0 / factor, NEAR_SLIP);
    let binary = unit.contains("iB");
    let data = binary || ["B", "B/s"].iter().any(|b| unit.ends_with(b));
    let text = match () {
        () if unit == "%" && is(100.0) => "a share is not a percentage: the two differ by a factor of 100",
        () if data && is(8.0) => "bits are not bytes: the two differ by a factor of 8",
        () if data && (1..=4).any(|n| is(1.024_f64.powi(n))) => {
            "GB is not GiB: 1 GB is 10^9 bytes, 1 GiB is 2^30 bytes"
        }
        () if [1e3, 1e6, 1e9].into_iter().any(is) => {
            "it is off by a factor of a thousand or more: check the prefix"
        }
        () if is_near(ratio, -1.0, NEAR_SLIP) => "the sign is wrong",
        () => return None,
    };
    Some(text.into())
}

fn off_by(given: f64, answer: f64) -> String {
    let ratio = given / answer;
    if !ratio.is_finite() || ratio <= 0.0 {
        return "it is not close".into();
    }
    let (way, factor) = if ratio > 1.0 { ("high", ratio) } else { ("low", 1.0 / ratio) };
    if factor < 2.0 {
        let percent = ((ratio - 1.0).abs() * 100.0).max(0.1);
        return format!("it is {}% too {way}", written(percent, Some(usize::from(percent < 10.0))));
    }
    format!("it is too {way} by a factor of {}", written(factor, Some(usize::from(factor < 10.0))))
}
