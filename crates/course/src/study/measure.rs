//! Numbers with units, as people type them: `3.5GB`, `3.26 GiB`, `12 ms`, `27%`, `1,374 tokens`.

use super::words::capital;
use crate::sim::expr;

/// An answer longer than this is no number.
const LONGEST: usize = 200;

/// A number that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Measure {
    /// The value in the unit that was asked for.
    pub value: f64,
    /// The unit as it was typed; none where the asked one was meant.
    pub typed: Option<String>,
}

/// Why an answer is no number of the asked kind. It counts as no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unread {
    /// What is wrong: lower case, no full stop.
    pub what: String,
    /// What to type instead.
    pub cure: String,
}

impl Unread {
    /// Both in one sentence.
    pub fn sentence(&self) -> String {
        let gap = if self.what.is_empty() { "" } else { "; " };
        format!("{}.", capital(&format!("{}{gap}{}", self.what, self.cure)))
    }
}

/// What a unit measures. Units of one kind can be turned into each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Bytes,
    Seconds,
    Share,
    Flop,
    Rate(&'static Kind),
}

const BYTES: Kind = Kind::Bytes;
const FLOP: Kind = Kind::Flop;

const K: f64 = 1024.0;

/// Units: how they are written, what they measure, how much of the base.
const UNITS: &[(&[&str], Kind, f64)] = &[
    (&["B", "byte", "bytes"], Kind::Bytes, 1.0),
    (&["KB", "kB", "kb"], Kind::Bytes, 1e3),
    (&["MB", "mb"], Kind::Bytes, 1e6),
    (&["GB", "gb"], Kind::Bytes, 1e9),
    (&["TB", "tb"], Kind::Bytes, 1e12),
    (&["PB", "pb"], Kind::Bytes, 1e15),
    (&["KiB", "kiB", "kib"], Kind::Bytes, K),
    (&["MiB", "mib"], Kind::Bytes, K * K),
    (&["GiB", "gib"], Kind::Bytes, K * K * K),
    (&["TiB", "tib"], Kind::Bytes, K * K * K * K),
    (&["PiB", "pib"], Kind::Bytes, K * K * K * K * K),
    (&["bit", "bits", "b"], Kind::Bytes, 0.125),
    (&["kbit", "Kbit", "Kb"], Kind::Bytes, 0.125e3),
    (&["Mbit", "Mb"], Kind::Bytes, 0.125e6),
    (&["Gbit", "Gb"], Kind::Bytes, 0.125e9),
    (&["Tbit", "Tb"], Kind::Bytes, 0.125e12),
    (&["Gbps", "gbps"], Kind::Rate(&BYTES), 0.125e9),
    (&["Mbps", "mbps"], Kind::Rate(&BYTES), 0.125e6),
    (&["Tbps", "tbps"], Kind::Rate(&BYTES), 0.125e12),
    (&["ns"], Kind::Seconds, 1e-9),
    (&["us", "µs", "μs", "microseconds"], Kind::Seconds, 1e-6),
    (&["ms", "msec", "milliseconds"], Kind::Seconds, 1e-3),
    (&["s", "sec", "second", "seconds"], Kind::Seconds, 1.0),
    (&["min", "minute", "minutes"], Kind::Seconds, 60.0),
    (&["h", "hour", "hours"], Kind::Seconds, 3600.0),
    (&["d", "day", "days"], Kind::Seconds, 86_400.0),
    (&["%", "percent", "per cent", "pct"], Kind::Share, 0.01),
    (&["FLOP", "flop"], Kind::Flop, 1.0),
    (&["MFLOP", "Mflop"], Kind::Flop, 1e6),
    (&["GFLOP", "Gflop"], Kind::Flop, 1e9),
    (&["TFLOP", "Tflop"], Kind::Flop, 1e12),
    (&["PFLOP", "Pflop"], Kind::Flop, 1e15),
    (&["EFLOP", "Eflop"], Kind::Flop, 1e18),
    (&["GFLOPS", "GFLOPs"], Kind::Rate(&FLOP), 1e9),
    (&["TFLOPS", "TFLOPs"], Kind::Rate(&FLOP), 1e12),
    (&["PFLOPS", "PFLOPs"], Kind::Rate(&FLOP), 1e15),
];

/// Factors that may stand before a counted thing: `7B parameters`, `2 million tokens`.
const FACTORS: &[(&str, f64)] = &[
    ("k", 1e3),
    ("K", 1e3),
    ("thousand", 1e3),
    ("M", 1e6),
    ("million", 1e6),
    ("B", 1e9),
    ("bn", 1e9),
    ("billion", 1e9),
    ("T", 1e12),
    ("trillion", 1e12),
];

/// Reads an answer for which a number in `unit` was asked. Another unit of the same kind is turned
/// into it; no unit means the asked one.
///
/// The number may have a sign, groups of three (`1,374`), a decimal comma (`3,5`), a power of ten
/// (`3.5e9`), or be a sum to work out (`2*7/8*1.5 GB`).
///
/// # Errors
/// What is wrong and what to type, where there is no number or the unit is of another kind.
pub fn read(text: &str, unit: &str) -> Result<Measure, Unread> {
    let text = in_signs(text.trim().trim_start_matches(['~', '≈', '=']).trim());
    if text.is_empty() {
        return Err(nothing(unit));
    }
    if text.len() > LONGEST {
        return Err(no_number(&text, unit));
    }
    for (number, typed) in splits(&text) {
        let Some(number) = number_of(number) else { continue };
        let factor = if typed.is_empty() { Ok(1.0) } else { factor(typed, unit) };
        let value = number * factor?;
        if !value.is_finite() {
            return Err(no_number(&text, unit));
        }
        let typed = (!typed.is_empty()).then(|| typed.to_owned());
        return Ok(Measure { value, typed });
    }
    Err(no_number(&text, unit))
}

/// What to type where a number in `unit` is asked: what is counted has no other unit, `GB` has.
pub fn asked(name: &str) -> String {
    match unit(name) {
        _ if name.is_empty() => "a number; 7*8 works too".into(),
        Some((Kind::Share, _)) => format!("a number in {name}; 7*8 works too"),
        Some(_) => format!("a number in {name} or a similar unit; 7*8 works too"),
        None => format!("a number of {name}; 7*8 works too"),
    }
}

/// The words of a calculation, as one says them aloud.
const SIGNS: &[(&str, &str)] =
    &[("times", "*"), ("x", "*"), ("plus", "+"), ("minus", "-"), ("divided by", "/"), ("over", "/")];

/// A calculation in words, `7 times 8` or `7x8`, in signs. A word is one where a number or a parenthesis follows.
fn in_signs(text: &str) -> String {
    let mut text = text.to_owned();
    for (word, sign) in SIGNS {
        let mut from = 0;
        while let Some(at) = text[from..].find(word).map(|at| at + from) {
            let (before, after) = (text[..at].trim_end(), text[at + word.len()..].trim_start());
            let is_number = |c: char| c.is_ascii_digit() || matches!(c, '(' | ')' | '.');
            let is_sign = before.ends_with(is_number) && after.starts_with(is_number);
            let end = before.len();
            from = if is_sign { end + sign.len() } else { at + word.len() };
            if is_sign {
                text = format!("{before}{sign}{after}");
            }
        }
    }
    text
}

/// Whether a text is a calculation and not a number alone: `2*7/8 GB`.
pub fn is_worked_out(text: &str) -> bool {
    let text = in_signs(text);
    let text = text.trim().trim_start_matches(['~', '≈', '=', '-', '+', '−']).trim();
    let end = text.find(|c: char| c.is_alphabetic() && !matches!(c, 'e' | 'E')).unwrap_or(text.len());
    // the sign of a power of ten is none
    let bare = text[..end].replace(['E'], "e").replace("e-", "e").replace("e+", "e");
    bare.contains(['+', '-', '*', '/', '^', '×', '·', '⋅', '÷', '−'])
}

/// The ways to split a text into a number and a unit, the longest number first. A number ends with
/// a digit, a point or a closing parenthesis; a unit begins with none of what a number is made of.
fn splits(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let ends: Vec<usize> = text
        .char_indices()
        .filter(|(_, c)| c.is_ascii_digit() || matches!(c, ')' | '.'))
        .map(|(at, c)| at + c.len_utf8())
        .collect();
    let split = |end: usize| (text[..end].trim(), text[end..].trim());
    ends.into_iter().rev().map(split).filter(|(_, unit)| unit.chars().next().is_none_or(begins_unit))
}

fn begins_unit(c: char) -> bool {
    c.is_alphabetic() || matches!(c, '%' | '×')
}

/// A number, or a sum of plain numbers worked out.
fn number_of(text: &str) -> Option<f64> {
    let plain = text.replace(['_', '\u{a0}', '\u{2009}', '\u{202f}', '\''], "").replace('−', "-");
    let plain = plain.replace(',', if is_decimal_comma(&plain) { "." } else { "" });
    if let Ok(number) = plain.parse::<f64>() {
        return Some(number).filter(|n| n.is_finite());
    }
    let sum = plain.replace(['×', '·', '⋅'], "*").replace('÷', "/");
    let is_sum = sum.chars().all(|c| c.is_ascii_digit() || ".+-*/^()eE ".contains(c));
    is_sum.then(|| expr::value(&sum, &()).ok()).flatten()
}

/// Whether the only comma of a text is a decimal one: `3,5` but not `1,374` or `1,374,000`.
fn is_decimal_comma(text: &str) -> bool {
    let mut parts = text.split(',');
    let (Some(whole), Some(rest), None) = (parts.next(), parts.next(), parts.next()) else {
        return false;
    };
    let digits = rest.chars().take_while(char::is_ascii_digit).count();
    let groups = digits == 3 && !whole.trim_start_matches(['-', '+']).starts_with('0');
    !groups && !text.contains(['.', '('])
}

/// How much of the asked unit one of the typed unit is.
fn factor(typed: &str, asked: &str) -> Result<f64, Unread> {
    match (unit(typed), unit(asked)) {
        (Some((kind, size)), Some((wanted, base))) if kind == wanted => Ok(size / base),
        (_, Some(_)) => Err(other_unit(typed, asked)),
        (_, None) => counted(typed, asked).ok_or_else(|| other_unit(typed, asked)),
    }
}

/// What a unit measures and how much of the base it is.
fn unit(text: &str) -> Option<(Kind, f64)> {
    let text = text.replace(" per ", "/");
    let text = text.trim();
    if let Some((over, under)) = text.split_once('/') {
        let (kind, size) = simple(over.trim())?;
        let (Kind::Seconds, time) = simple(under.trim())? else {
            return None;
        };
        let kind = match kind {
            Kind::Bytes => Kind::Rate(&BYTES),
            Kind::Flop => Kind::Rate(&FLOP),
            _ => return None,
        };
        return Some((kind, size / time));
    }
    simple(text)
}

fn simple(text: &str) -> Option<(Kind, f64)> {
    UNITS.iter().find(|(names, ..)| names.contains(&text)).map(|(_, kind, size)| (*kind, *size))
}

/// The factor of a counted thing: `tokens`, `token`, `k tokens`, `M`; none for another thing.
fn counted(typed: &str, asked: &str) -> Option<f64> {
    if is_same_thing(typed, asked) {
        return Some(1.0);
    }
    let (word, rest) = typed.split_once(' ').unwrap_or((typed, ""));
    let (_, factor) = FACTORS.iter().find(|(name, _)| *name == word)?;
    (rest.is_empty() || is_same_thing(rest, asked)).then_some(*factor)
}

/// Whether two words name the same thing: case, hyphens, blanks and a plural do not count.
fn is_same_thing(a: &str, b: &str) -> bool {
    let bare = |word: &str| {
        let letters: String = word.chars().filter(|c| c.is_alphanumeric() || *c == '/').collect();
        let letters = letters.to_lowercase();
        let plural = if letters == "copies" { Some("copy") } else { letters.strip_suffix('s') };
        plural.map_or(letters.clone(), str::to_owned)
    };
    let times = |word: &str| matches!(word.trim(), "x" | "×" | "times" | "fold");
    bare(a) == bare(b) || (times(a) && times(b))
}

/// A number such as is asked for: with its unit, where it is one that is read.
fn example(asked: &str) -> String {
    match unit(asked) {
        Some((Kind::Share, _)) => "12%".into(),
        Some(_) => format!("12 {asked}"),
        None => "12".into(),
    }
}

fn nothing(asked: &str) -> Unread {
    Unread { what: String::new(), cure: format!("type a number first, for example {}", example(asked)) }
}

/// The first characters of what was typed.
fn short(typed: &str) -> String {
    typed.chars().filter(|c| !c.is_control()).take(20).collect()
}

fn no_number(typed: &str, asked: &str) -> Unread {
    let cure = format!("type a number, for example {}", example(asked));
    Unread { what: format!("“{}” is no number", short(typed)), cure }
}

fn other_unit(typed: &str, asked: &str) -> Unread {
    Unread {
        what: format!("“{}” is not a unit for this", short(typed)), cure: format!("answer in {asked}")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn value(text: &str, unit: &str) -> f64 {
        read(text, unit).unwrap_or_else(|e| panic!("{text}: {e:?}")).value
    }

    #[test]
    fn a_calculation_may_be_said_in_words() {
        let value = |text: &str| read(text, "GB").map(|m| m.value).ok();
        assert_eq!(value("7 times 8"), Some(56.0));
        assert_eq!(value("7x8 GB"), Some(56.0));
        assert_eq!(value("2 x 7 over 8 minus 0.5"), Some(1.25));
        assert_eq!(value("6 divided by (1 plus 2)"), Some(2.0));
        assert_eq!(read("3 x", "x").map(|m| m.value).ok(), Some(3.0), "a unit stays one");
        assert!(is_worked_out("7 times 8") && !is_worked_out("56 times"));
    }

    #[test]
    fn what_is_counted_has_no_other_unit() {
        assert_eq!(asked(""), "a number; 7*8 works too");
        assert_eq!(asked("%"), "a number in %; 7*8 works too");
        assert_eq!(asked("GB/s"), "a number in GB/s or a similar unit; 7*8 works too");
        assert_eq!(asked("buckets"), "a number of buckets; 7*8 works too");
    }

    #[test]
    fn units_of_one_kind_are_turned_into_the_asked_one() {
        let table = [
            ("3.5GB", "GB", 3.5),
            ("3.5 gb", "GB", 3.5),
            ("3.5e9 B", "GB", 3.5),
            ("3.5", "GB", 3.5),
            ("3500 MB", "GB", 3.5),
            ("1 GiB", "GB", 1.073_741_824),
            ("3.26 GiB", "GiB", 3.26),
            ("8 Gbit", "GB", 1.0),
            ("8 Gb", "GB", 1.0),
            ("400 Gbps", "GB/s", 50.0),
            ("400 Gbit/s", "GB/s", 50.0),
            ("50 GB per s", "GB/s", 50.0),
            ("12 ms", "ms", 12.0),
            ("0.012 s", "ms", 12.0),
            ("12000us", "ms", 12.0),
            ("12000 µs", "ms", 12.0),
            ("27%", "%", 27.0),
            ("27 percent", "%", 27.0),
            ("0.27", "%", 0.27),
            ("989 TFLOPS", "TFLOP/s", 989.0),
            ("1,374 tokens", "tokens", 1374.0),
            ("1 token", "tokens", 1.0),
            ("2k tokens", "tokens", 2000.0),
            ("7B", "parameters", 7e9),
            ("7 billion parameters", "parameters", 7e9),
            ("9 microbatches", "micro-batches", 9.0),
            ("9 micro batches", "micro-batches", 9.0),
            ("3x", "times", 3.0),
            ("1 copy", "copies", 1.0),
            ("8 gpu", "GPUs", 8.0),
        ];
        for (text, unit, expected) in table {
            let got = value(text, unit);
            assert!((got - expected).abs() <= 1e-9 * expected, "{text} in {unit}: {got}, not {expected}");
        }
    }

    #[test]
    fn a_calculation_is_told_from_a_number() {
        for text in ["7*8", "2*7/8*1.5 GB", "(8-1)/8", "5e3 / 2", "7 × 8 %"] {
            assert!(is_worked_out(text), "{text}");
        }
        for text in ["7", "-2", "1.5e-3 s", "400 GB/s", "1,374 tokens", "~12", "9 micro-batches"] {
            assert!(!is_worked_out(text), "{text}");
        }
    }

    #[test]
    fn numbers_are_read_as_people_write_them() {
        let table = [
            ("1,374", 1374.0),
            ("1,374,000", 1_374_000.0),
            ("1_374", 1374.0),
            ("1 374", 1374.0),
            ("3,5", 3.5),
            ("0,125", 0.125),
            ("-2", -2.0),
            ("−2", -2.0),
            ("+2", 2.0),
            ("~12", 12.0),
            ("= 12", 12.0),
            ("12.", 12.0),
            (".5", 0.5),
            ("1.5E3", 1500.0),
            ("2*7/8*1.5", 2.625),
            ("2 × 3", 6.0),
            ("(8-1)/8", 0.875),
            ("(1,374 + 1) / 5", 275.0),
        ];
        for (text, expected) in table {
            assert_eq!(value(&text.replace(' ', "\u{202f}"), "GB"), expected, "{text}");
        }
    }

    #[test]
    fn what_is_no_number_of_the_kind_is_refused_with_a_cure() {
        for (text, unit, what) in [
            ("", "GB", ""),
            ("many", "GB", "“many” is no number"),
            ("12 ms", "GB", "“ms” is not a unit for this"),
            ("12 GB/s", "GB", "“GB/s” is not a unit for this"),
            ("12 ranks", "micro-batches", "“ranks” is not a unit for this"),
            ("1e999", "GB", "“e999” is not a unit for this"),
            ("1/0", "GB", "“1/0” is no number"),
            ("inf", "GB", "“inf” is no number"),
            ("NaN", "GB", "“NaN” is no number"),
            ("2 GB + 1", "GB", "“GB + 1” is not a unit for this"),
        ] {
            let unread = read(text, unit).unwrap_err();
            assert_eq!(unread.what, what, "{text}");
            assert!(unread.cure.contains(unit), "{}", unread.cure);
            assert!(!unread.sentence().contains('`'), "{}", unread.sentence());
        }
        let sentence = |text, unit| read(text, unit).unwrap_err().sentence();
        assert_eq!(sentence("", "times"), "Type a number first, for example 12.");
        assert_eq!(sentence("ler", "%"), "“ler” is no number; type a number, for example 12%.");
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in ".{0,300}", unit in "(GB|%|tokens|ms|GB/s|[a-z/ ]{0,8})") {
            if let Ok(read) = read(&text, &unit) {
                prop_assert!(read.value.is_finite());
            }
        }

        #[test]
        fn a_number_that_is_printed_is_read_again(number in -1e12_f64..1e12) {
            prop_assert_eq!(value(&number.to_string(), "GB"), number);
        }
    }
}
