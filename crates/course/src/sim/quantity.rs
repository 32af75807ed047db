//! Numbers with units: reading what a person types, writing what a simulator found.
//!
//! `3.5GB`, `3.5e9 B`, `3.26 GiB`, `82 ms`, `9.9%`, `1,374 tokens` are read; the base of each dimension is
//! bytes, seconds, bytes per second, FLOP, FLOP per second, and 1.

use crate::sim::expr::Fault;

/// What a unit measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dimension {
    /// Things counted: tokens, ranks, micro-batches; also plain numbers.
    Count,
    /// Bytes.
    Bytes,
    /// Seconds.
    Seconds,
    /// Bytes per second.
    ByteRate,
    /// Floating-point operations.
    Flop,
    /// Floating-point operations per second.
    FlopRate,
    /// A share of 1, shown in per cent.
    Share,
}

/// A unit: its name, what it measures, and its size in the base of that dimension.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Unit {
    /// The name, as written after a number. For counts it is the thing counted.
    pub name: &'static str,
    /// What it measures.
    pub dimension: Dimension,
    /// The base units in one of it.
    pub factor: f64,
}

impl Unit {
    const fn new(name: &'static str, dimension: Dimension, factor: f64) -> Unit {
        Unit { name, dimension, factor }
    }

    /// A unit for counted things.
    pub const fn count(name: &'static str) -> Unit {
        Unit::new(name, Dimension::Count, 1.0)
    }
}

/// A plain number.
pub const PLAIN: Unit = Unit::count("");
/// A share, shown in per cent.
pub(crate) const PERCENT: Unit = Unit::new("%", Dimension::Share, 0.01);
/// Bytes.
pub const BYTES: Unit = Unit::new("B", Dimension::Bytes, 1.0);
/// 2^10 bytes.
pub const KIB: Unit = Unit::new("KiB", Dimension::Bytes, 1024.0);
/// 2^20 bytes.
pub const MIB: Unit = Unit::new("MiB", Dimension::Bytes, 1024.0 * 1024.0);
/// 10^9 bytes.
pub const GB: Unit = Unit::new("GB", Dimension::Bytes, 1e9);
/// Seconds.
pub const SECONDS: Unit = Unit::new("s", Dimension::Seconds, 1.0);
/// Milliseconds.
pub(crate) const MS: Unit = Unit::new("ms", Dimension::Seconds, 1e-3);
/// Microseconds.
pub(crate) const US: Unit = Unit::new("us", Dimension::Seconds, 1e-6);
/// 10^9 bytes per second.
pub(crate) const GB_PER_S: Unit = Unit::new("GB/s", Dimension::ByteRate, 1e9);
/// 10^12 FLOP per second.
pub(crate) const TFLOP_PER_S: Unit = Unit::new("TFLOP/s", Dimension::FlopRate, 1e12);
/// 10^9 parameters.
pub(crate) const BILLION: Unit = Unit::new("billion", Dimension::Count, 1e9);

/// Every unit that is read, with its spellings' first being the one shown.
const UNITS: &[Unit] = &[
    BYTES,
    Unit::new("KB", Dimension::Bytes, 1e3),
    Unit::new("MB", Dimension::Bytes, 1e6),
    GB,
    Unit::new("TB", Dimension::Bytes, 1e12),
    Unit::new("PB", Dimension::Bytes, 1e15),
    KIB,
    MIB,
    Unit::new("GiB", Dimension::Bytes, 1024.0 * 1024.0 * 1024.0),
    Unit::new("TiB", Dimension::Bytes, 1024.0 * 1024.0 * 1024.0 * 1024.0),
    SECONDS,
    MS,
    US,
    Unit::new("ns", Dimension::Seconds, 1e-9),
    Unit::new("min", Dimension::Seconds, 60.0),
    Unit::new("h", Dimension::Seconds, 3600.0),
    Unit::new("B/s", Dimension::ByteRate, 1.0),
    Unit::new("MB/s", Dimension::ByteRate, 1e6),
    GB_PER_S,
    Unit::new("TB/s", Dimension::ByteRate, 1e12),
    Unit::new("GiB/s", Dimension::ByteRate, 1024.0 * 1024.0 * 1024.0),
    Unit::new("kbit/s", Dimension::ByteRate, 1e3 / 8.0),
    Unit::new("Mbit/s", Dimension::ByteRate, 1e6 / 8.0),
    Unit::new("Gbit/s", Dimension::ByteRate, 1e9 / 8.0),
    Unit::new("Tbit/s", Dimension::ByteRate, 1e12 / 8.0),
    Unit::new("FLOP", Dimension::Flop, 1.0),
    Unit::new("GFLOP", Dimension::Flop, 1e9),
    Unit::new("TFLOP", Dimension::Flop, 1e12),
    Unit::new("PFLOP", Dimension::Flop, 1e15),
    Unit::new("EFLOP", Dimension::Flop, 1e18),
    Unit::new("FLOP/s", Dimension::FlopRate, 1.0),
    Unit::new("GFLOP/s", Dimension::FlopRate, 1e9),
    TFLOP_PER_S,
    Unit::new("PFLOP/s", Dimension::FlopRate, 1e15),
    PERCENT,
    BILLION,
    Unit::new("million", Dimension::Count, 1e6),
    Unit::new("thousand", Dimension::Count, 1e3),
    Unit::new("k", Dimension::Count, 1e3),
];

/// Other spellings of units.
const SPELLINGS: &[(&str, &str)] = &[
    ("bytes", "B"),
    ("byte", "B"),
    ("kB", "KB"),
    ("sec", "s"),
    ("seconds", "s"),
    ("second", "s"),
    ("msec", "ms"),
    ("milliseconds", "ms"),
    ("µs", "us"),
    ("μs", "us"),
    ("usec", "us"),
    ("microseconds", "us"),
    ("minutes", "min"),
    ("hours", "h"),
    ("GBps", "GB/s"),
    ("GB/sec", "GB/s"),
    ("kb/s", "kbit/s"),
    ("kbps", "kbit/s"),
    ("Mb/s", "Mbit/s"),
    ("Mbps", "Mbit/s"),
    ("Gb/s", "Gbit/s"),
    ("Gbps", "Gbit/s"),
    ("Tb/s", "Tbit/s"),
    ("FLOPs", "FLOP"),
    ("FLOPS", "FLOP/s"),
    ("GFLOPS", "GFLOP/s"),
    ("TFLOPS", "TFLOP/s"),
    ("TFLOPs/s", "TFLOP/s"),
    ("PFLOPS", "PFLOP/s"),
    ("percent", "%"),
    ("per cent", "%"),
    ("bn", "billion"),
];

/// Units as they are said: one of it, and several. What is said can be typed.
const SAID: &[(&str, &str, &str)] = &[
    ("B", "byte", "bytes"),
    ("KB", "kilobyte", "kilobytes"),
    ("MB", "megabyte", "megabytes"),
    ("GB", "gigabyte", "gigabytes"),
    ("TB", "terabyte", "terabytes"),
    ("PB", "petabyte", "petabytes"),
    ("KiB", "kibibyte", "kibibytes"),
    ("MiB", "mebibyte", "mebibytes"),
    ("GiB", "gibibyte", "gibibytes"),
    ("TiB", "tebibyte", "tebibytes"),
    ("s", "second", "seconds"),
    ("ms", "millisecond", "milliseconds"),
    ("us", "microsecond", "microseconds"),
    ("ns", "nanosecond", "nanoseconds"),
    ("min", "minute", "minutes"),
    ("h", "hour", "hours"),
    ("B/s", "byte per second", "bytes per second"),
    ("MB/s", "megabyte per second", "megabytes per second"),
    ("GB/s", "gigabyte per second", "gigabytes per second"),
    ("TB/s", "terabyte per second", "terabytes per second"),
    ("GiB/s", "gibibyte per second", "gibibytes per second"),
    ("kbit/s", "kilobit per second", "kilobits per second"),
    ("Mbit/s", "megabit per second", "megabits per second"),
    ("Gbit/s", "gigabit per second", "gigabits per second"),
    ("Tbit/s", "terabit per second", "terabits per second"),
    ("GFLOP", "gigaflop", "gigaflop"),
    ("TFLOP", "teraflop", "teraflop"),
    ("PFLOP", "petaflop", "petaflop"),
    ("EFLOP", "exaflop", "exaflop"),
    ("FLOP/s", "flop per second", "flop per second"),
    ("GFLOP/s", "gigaflop per second", "gigaflop per second"),
    ("TFLOP/s", "teraflop per second", "teraflop per second"),
    ("PFLOP/s", "petaflop per second", "petaflop per second"),
];

/// A unit as it is said of one, and of several: `GiB` is a gibibyte, and gibibytes.
pub fn said(name: &str) -> Option<(&'static str, &'static str)> {
    let name = unit(name)?.name;
    SAID.iter().find(|(of, ..)| *of == name).map(|(_, one, several)| (*one, *several))
}

/// Every unit that is read, with its other spellings.
pub fn units() -> impl Iterator<Item = (Unit, Vec<&'static str>)> {
    let spellings = |unit: &Unit| {
        let name = unit.name;
        SPELLINGS.iter().filter(move |(_, of)| *of == name).map(|(other, _)| *other).collect()
    };
    UNITS.iter().map(move |unit| (*unit, spellings(unit)))
}

/// The unit of this name, if it is one that is known.
pub fn unit(name: &str) -> Option<Unit> {
    let name = SPELLINGS.iter().find(|(other, _)| *other == name).map_or(name, |(_, name)| name);
    let said = SAID.iter().find(|(_, one, several)| *one == name || *several == name);
    let name = said.map_or(name, |(name, ..)| name);
    UNITS.iter().find(|u| u.name == name).copied()
}

/// A number as typed: its value, and the text of its unit.
struct Typed<'a> {
    number: f64,
    unit: &'a str,
    unit_at: usize,
}

/// Reads what a person typed where an answer in `unit` is asked for, and gives it in that unit.
///
/// A number without a unit is taken in `unit`. Any unit of the same dimension is converted. What is counted may be
/// named, in the singular or the plural. A calculation is worked out: `7*8`.
///
/// # Errors
/// A [`Fault`] where there is no number or the unit measures something else.
pub fn read(text: &str, asked: &str) -> Result<f64, Fault> {
    let typed = split(text)?;
    let asked_unit = unit(asked);
    if typed.unit.is_empty() {
        return Ok(typed.number);
    }
    let given = match typed.unit {
        // 70B of parameters are no bytes
        "B" if asked_unit == Some(BILLION) => Some(BILLION),
        name => unit(name),
    };
    match (given, asked_unit) {
        (Some(given), Some(asked)) if given.dimension == asked.dimension => {
            Ok(typed.number * (given.factor / asked.factor))
        }
        (Some(given), None) if given.dimension == Dimension::Count => Ok(typed.number * given.factor),
        (Some(given), None) if asked.is_empty() && given.dimension == Dimension::Share => {
            Ok(typed.number * given.factor)
        }
        (None, None) if is_same_thing(typed.unit, asked) => Ok(typed.number),
        (None, Some(of)) if of.dimension == Dimension::Count && is_same_thing(typed.unit, asked) => {
            Ok(typed.number)
        }
        _ => Err(Fault {
            at: typed.unit_at,
            what: format!("`{}` is not a unit for this", typed.unit.escape_debug()),
            cure: if asked.is_empty() {
                "give the number alone".into()
            } else {
                format!("give it in {asked}")
            },
        }),
    }
}

/// Whether two words name the same thing that is counted: case, hyphens, blanks and a plural do not count.
fn is_same_thing(typed: &str, asked: &str) -> bool {
    let bare = |word: &str| {
        let letters: String = word.chars().filter(|c| c.is_alphanumeric() || *c == '/').collect();
        let letters = letters.to_lowercase();
        let stem = letters.strip_suffix("ches").map(|stem| format!("{stem}ch"));
        let stem = stem.or_else(|| Some(letters.strip_suffix('s')?.to_owned()));
        stem.unwrap_or(letters)
    };
    bare(typed) == bare(asked)
}

/// The calculation that a text begins with, and what it comes to; none where it begins with one number alone.
fn calculation(text: &str) -> Option<(&str, f64)> {
    let is_part = |c: char| c.is_ascii_digit() || ".+-*/^() ×".contains(c);
    let end = text.find(|c: char| !is_part(c)).unwrap_or(text.len());
    let sum = text[..end].trim_end();
    let has_step = sum.trim_start_matches(['-', '+']).contains(['+', '-', '*', '/', '^', '×']);
    let number = has_step.then(|| super::expr::value(&sum.replace('×', "*"), &()).ok()).flatten()?;
    number.is_finite().then_some((sum, number))
}

/// Splits a typed text into its number and what follows it.
fn split(text: &str) -> Result<Typed<'_>, Fault> {
    let start = text.len() - text.trim_start().len();
    let body = text.trim();
    let body = body.strip_prefix(['~', '≈', '=']).map_or(body, str::trim_start);
    let start = start + (text.trim().len() - body.len());
    let (digits, number) = match calculation(body) {
        Some((text, number)) => (text, Some(number)),
        None => (number_text(body), plain_number(number_text(body))),
    };
    let number = number.filter(|n| n.is_finite()).ok_or_else(|| Fault {
        at: start,
        what: match body {
            "" => "nothing is written".into(),
            _ => format!("`{}` is no number", body.chars().take(30).collect::<String>().escape_debug()),
        },
        cure: "write a number, with a unit if you like: 3.5 GB".into(),
    })?;
    let rest = &body[digits.len()..];
    let unit_at = start + digits.len() + (rest.len() - rest.trim_start().len());
    Ok(Typed { number, unit: rest.trim(), unit_at })
}

/// The part of a text that spells a number: sign, digits with separators, exponent.
fn number_text(text: &str) -> &str {
    let bytes = text.as_bytes();
    let mut end = usize::from(matches!(bytes.first(), Some(b'-' | b'+')));
    while let Some(byte) = bytes.get(end) {
        let exponent = matches!(byte, b'e' | b'E')
            && match (bytes.get(end + 1), bytes.get(end + 2)) {
                (Some(b'-' | b'+'), Some(digit)) => digit.is_ascii_digit(),
                (Some(digit), _) => digit.is_ascii_digit(),
                _ => false,
            };
        let separator =
            matches!(byte, b'.' | b',' | b'_') && bytes.get(end + 1).is_some_and(u8::is_ascii_digit);
        if exponent {
            end += 1 + usize::from(matches!(bytes.get(end + 1), Some(b'-' | b'+')));
        } else if !(byte.is_ascii_digit() || separator || *byte == b'.' && end > 0) {
            break;
        }
        end += 1;
    }
    text[..end].trim_end_matches('.')
}

/// Reads digits; a comma parts thousands where three digits follow each, else it is a decimal comma.
fn plain_number(digits: &str) -> Option<f64> {
    let thousands = digits.split(',').skip(1).all(|group| {
        let whole = group.split(['.', 'e', 'E']).next().unwrap_or_default();
        whole.len() == 3
    });
    let text = digits.replace('_', "");
    let text = if thousands { text.replace(',', "") } else { text.replace(',', ".") };
    text.parse().ok()
}

/// Writes a value given in base units so that a person can read it: `29.5 GB`, `82 ms`, `9.86%`.
pub fn show(value: f64, unit: Unit) -> String {
    let scale: &[(f64, &str)] = match unit.dimension {
        Dimension::Share => return format!("{}%", digits(value * 100.0)),
        Dimension::Count if unit == BILLION => return format!("{}B", digits(value / 1e9)),
        Dimension::Count => return counted(&digits(value), unit.name),
        Dimension::Bytes if unit.name.ends_with("iB") => {
            &[(1024.0_f64 * 1024.0 * 1024.0, "GiB"), (1024.0 * 1024.0, "MiB"), (1024.0, "KiB"), (1.0, "B")]
        }
        Dimension::Bytes => &[(1e15, "PB"), (1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "KB"), (1.0, "B")],
        Dimension::Seconds => {
            &[(86400.0, "days"), (3600.0, "h"), (1.0, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns")]
        }
        Dimension::ByteRate => &[(1e12, "TB/s"), (1e9, "GB/s"), (1e6, "MB/s"), (1.0, "B/s")],
        Dimension::Flop => {
            &[(1e18, "EFLOP"), (1e15, "PFLOP"), (1e12, "TFLOP"), (1e9, "GFLOP"), (1.0, "FLOP")]
        }
        Dimension::FlopRate => &[(1e15, "PFLOP/s"), (1e12, "TFLOP/s"), (1e9, "GFLOP/s"), (1.0, "FLOP/s")],
    };
    if value == 0.0 {
        return join("0", unit.name);
    }
    let size = value.abs() * (1.0 + 1e-9);
    let (factor, name) =
        scale.iter().find(|(f, _)| size >= *f).or(scale.last()).copied().unwrap_or((1.0, ""));
    join(&digits(value / factor), name)
}

/// Writes a value given in base units in this unit and no other: `1,010 us`.
pub fn show_in(value: f64, unit: Unit) -> String {
    match unit.dimension {
        Dimension::Share | Dimension::Count => show(value, unit),
        _ => join(&digits(value / unit.factor), unit.name),
    }
}

/// A value in base units as [`show_in`] writes it: rounded to the digits that are shown.
pub fn rounded(value: f64, unit: Unit) -> f64 {
    let factor = match unit.dimension {
        Dimension::Share => 0.01,
        Dimension::Count if unit == BILLION => 1e9,
        Dimension::Count => 1.0,
        _ => unit.factor,
    };
    let shown = digits(value / factor).replace(',', "");
    shown.parse().map_or(value, |number: f64| number * factor)
}

/// What was typed, in the unit that it was typed in; a number without one is written in the unit asked for.
pub(crate) fn as_typed(text: &str, value: f64, asked: Unit) -> String {
    let given = split(text).ok().and_then(|typed| unit(typed.unit));
    match given {
        Some(given) if given.dimension == asked.dimension && given.dimension != Dimension::Count => {
            show_in(value, given)
        }
        _ => show(value, asked),
    }
}

/// The unit in which a value is written for people: MB for half a GB, ms for the hundredth part of a second.
pub fn scaled(value: f64, asked: Unit) -> Unit {
    let shown = show(value, asked);
    let named = shown.split_once(' ').and_then(|(_, name)| unit(name));
    named.filter(|u| u.dimension == asked.dimension).unwrap_or(asked)
}

fn join(number: &str, unit: &str) -> String {
    if unit.is_empty() { number.to_owned() } else { format!("{number} {unit}") }
}

/// A number with the thing counted, in the singular for 1: `1 micro-batch`.
pub(super) fn counted(number: &str, things: &str) -> String {
    let one = things.strip_suffix("ches").map(|stem| format!("{stem}ch"));
    match one.or_else(|| things.strip_suffix('s').map(str::to_owned)) {
        Some(one) if number == "1" && !one.is_empty() => format!("1 {one}"),
        _ => join(number, things),
    }
}

/// A number with three significant digits, or whole where it is large; thousands are parted by commas.
pub fn digits(value: f64) -> String {
    let size = value.abs();
    if !value.is_finite() {
        return "?".to_owned();
    }
    if size >= 1e15 {
        return format!("{value:.2e}");
    }
    if size >= 1000.0 || (size.fract() == 0.0 && size < 1e15) {
        return grouped(value);
    }
    if size < 1e-4 {
        return format!("{value:.2e}");
    }
    let decimals = match size {
        s if s >= 99.95 => 0,
        s if s >= 9.995 => 1,
        s if s >= 0.9995 => 2,
        s if s >= 0.09995 => 3,
        _ => 4,
    };
    let text = format!("{value:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

fn grouped(value: f64) -> String {
    let whole = format!("{:.0}", value.abs());
    let mut text = String::new();
    for (i, digit) in whole.chars().enumerate() {
        if i > 0 && (whole.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if value < 0.0 && text != "0" { format!("-{text}") } else { text }
}

#[cfg(test)]
mod tests;
