//! Figures as people type and read them.

use crate::measure::figures::Value;

/// The units that a figure may have.
const UNITS: [&str; 6] = ["B", "s", "B/s", "share", "x", "count"];

/// Bytes are shown in what divides them.
const KIB: f64 = 1024.0;
const MIB: f64 = KIB * KIB;

/// A unit by its name; a count where it is none of them.
pub(super) fn known(unit: &str) -> &'static str {
    UNITS.into_iter().find(|known| *known == unit).unwrap_or("count")
}

/// In what unit a figure is typed where none is named, and how many base units one of it is.
pub(super) fn typed_in(unit: &str) -> (&'static str, f64) {
    match unit {
        "s" => ("ms", 1e-3),
        "share" => ("%", 0.01),
        "B" => ("B", 1.0),
        "B/s" => ("GB/s", 1e9),
        _ => ("", 1.0),
    }
}

/// What a prediction may be, in words.
pub(super) fn asked_in(unit: &str) -> &'static str {
    match unit {
        "s" => "a time in ms, or with its unit: 20, 20 ms, 0.5 s",
        "share" => "a share in per cent: 30",
        "B" => "bytes, or with a unit: 4096, 3 MiB",
        "B/s" => "a rate in GB/s, or with its unit",
        "x" => "a factor: 1.5",
        _ => "a number, such as 7",
    }
}

/// A value with its unit.
pub(super) fn show(value: &Value, unit: &str) -> String {
    let number = match value {
        Value::Number(number) => *number,
        Value::List(list) if list.is_empty() => return "none".into(),
        Value::List(list) => return list.iter().map(i64::to_string).collect::<Vec<_>>().join(", "),
        Value::Groups(groups) => return format!("{} groups", groups.len()),
    };
    match unit {
        "s" if number.abs() < 1e-3 => format!("{:.0} us", number * 1e6),
        "s" if number.abs() < 1.0 => format!("{:.1} ms", number * 1e3),
        "s" => format!("{number:.2} s"),
        "B" if number >= MIB && number % MIB == 0.0 => format!("{} MiB", grouped(number / MIB)),
        "B" if number >= KIB && number % KIB == 0.0 => format!("{} KiB", grouped(number / KIB)),
        "B" => format!("{} B", grouped(number)),
        "B/s" => format!("{:.3} GB/s", number / 1e9),
        "share" => format!("{:.1}%", number * 100.0),
        "x" => format!("{number:.2} x"),
        _ if number.fract() == 0.0 => grouped(number),
        _ => format!("{number:.3}"),
    }
}

/// Groups of ranks: `0 1 | 2 3`.
pub(super) fn groups(groups: &[Vec<i64>]) -> String {
    let group = |g: &Vec<i64>| g.iter().map(i64::to_string).collect::<Vec<_>>().join(" ");
    groups.iter().map(group).collect::<Vec<_>>().join(" | ")
}

/// A share with its sign: `+12%`, `-3%`.
pub(super) fn signed(share: f64) -> String {
    match share * 100.0 {
        percent if percent.abs() < 0.5 => "0%".into(),
        percent if percent.abs() < 1000.0 => format!("{percent:+.0}%"),
        percent => format!("{:.0} times", percent / 100.0 + 1.0),
    }
}

/// A whole number in groups of three figures.
fn grouped(number: f64) -> String {
    let digits = format!("{:.0}", number.abs());
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    if number < 0.0 { format!("-{out}") } else { out }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_shown_in_their_units() {
        for (value, unit, shown) in [
            (25_165_824.0, "B", "24 MiB"),
            (1_572_864.0, "B", "1,536 KiB"),
            (1_234_567.0, "B", "1,234,567 B"),
            (0.000_25, "s", "250 us"),
            (0.125, "s", "125.0 ms"),
            (0.3, "share", "30.0%"),
            (24.0, "count", "24"),
        ] {
            assert_eq!(show(&Value::Number(value), unit), shown);
        }
        assert_eq!(show(&Value::List(vec![3]), "ranks"), "3");
        assert_eq!(signed(-0.25), "-25%");
        assert_eq!(signed(29.0), "30 times");
    }
}
