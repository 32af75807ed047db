//! Whether a value from elsewhere is one that this program can read again.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::score::{Claimed, Verdict};
use crate::study::attempt::Mode;
use crate::study::change::Fingerprint;
use crate::study::judge::Reply;
use crate::study::rehearsal::{Rehearsal, Report};

/// Days that a memory may last, and how hard a thing may be, in FSRS.
const STABILITY: std::ops::RangeInclusive<f64> = 0.0..=40_000.0;
const DIFFICULTY: std::ops::RangeInclusive<f64> = 0.0..=11.0;

/// Says what is wrong with a field of a record, if anything is. The types of columns, and words that a column holds,
/// are looked at by the database too; this is about what it does not know.
///
/// # Errors
/// A sentence without its subject's record: which field, and what is wrong with it.
pub fn field(name: &str, value: &Value) -> Result<(), String> {
    if value.is_null() {
        return Ok(());
    }
    let number = |fits: &dyn Fn(f64) -> bool, wanted: &str| match value.as_f64() {
        Some(n) if fits(n) => Ok(()),
        _ => Err(format!("`{name}` is {value}, which is not a {wanted}")),
    };
    match name {
        "line" | "scroll" | "seconds" | "hints" | "reps" | "lapses" => match value.as_u64() {
            Some(n) if u32::try_from(n).is_ok() => Ok(()),
            _ => Err(format!("`{name}` is {value}, which is not a count up to {}", u32::MAX)),
        },
        "stability" => number(&|n| STABILITY.contains(&n), "number of days from 0 to 40,000"),
        "difficulty" => number(&|n| DIFFICULTY.contains(&n), "difficulty from 0 to 11"),
        "rated" | "total" => number(&|n| (0.0..=1.0).contains(&n), "share from 0 to 1"),
        "mode" => match value.as_str().map(str::parse::<Mode>) {
            Some(Ok(_)) => Ok(()),
            _ => Err(format!("`mode` is {value}, which this program does not know")),
        },
        "state" => json::<Rehearsal>(name, value),
        "report" => json::<Report>(name, value),
        "knobs" => json::<BTreeMap<String, f64>>(name, value),
        "content" => json::<Vec<Fingerprint>>(name, value),
        "parts" => json::<BTreeMap<String, Verdict>>(name, value),
        "claimed" => json::<Vec<Claimed>>(name, value),
        "verdicts" => json::<BTreeMap<String, Verdict>>(name, value),
        "reply" => json::<Reply>(name, value),
        _ => Ok(()),
    }
}

fn json<T: DeserializeOwned>(name: &str, value: &Value) -> Result<(), String> {
    T::deserialize(value).map(|_| ()).map_err(|e| format!("`{name}` cannot be read: {e}"))
}
