//! Text as it is said aloud: a unit behind a number is a word, and so is a symbol that no voice can read.
//!
//! Somebody's own words, which stand in “ ”, stay as they are.

use std::borrow::Cow;

mod inline;
mod math;

use super::{Block, Inline, plain};
use crate::sim::quantity;
use crate::study::words::some;

/// Symbols of time that are no units, as they are said: alone, and several of them.
const SYMBOLS: &[(&str, &str, &str)] = &[
    ("tF", "forward time", "forward times"),
    ("t_F", "forward time", "forward times"),
    ("tB", "backward time", "backward times"),
    ("t_B", "backward time", "backward times"),
];

/// The words as they are said.
pub fn aloud(text: &str) -> Cow<'_, str> {
    match dates(text).or_else(|| inline::said(text)) {
        Some(text) => {
            let text = inline::said(&text).unwrap_or(text);
            Cow::Owned(units(&text).into_owned())
        }
        None => units(text),
    }
}

/// The text with `Mon 23 Nov` in full, as one says it; none where no date stands in it.
fn dates(text: &str) -> Option<String> {
    let full = |names: &[&'static str], word: &str| {
        names.iter().copied().find(|name| word.len() == 3 && name.starts_with(word))
    };
    let is_number = |word: &str| (1..=2).contains(&word.len()) && word.bytes().all(|b| b.is_ascii_digit());
    let words: Vec<&str> = text.split(' ').collect();
    let mut changed = false;
    let said: Vec<String> = (0..words.len())
        .map(|at| {
            let is_near =
                |at: Option<usize>| at.and_then(|at| words.get(at)).is_some_and(|word| is_number(word));
            let bare = words[at].trim_end_matches([',', '.', ';', ':', ')']);
            let day = full(DAYS, words[at]).filter(|_| is_near(Some(at + 1)));
            let month = || full(MONTHS, bare).filter(|_| is_near(at.checked_sub(1)));
            let name = day.or_else(month);
            changed |= name.is_some();
            name.map_or(words[at].to_owned(), |name| format!("{name}{}", &words[at][bare.len()..]))
        })
        .collect();
    changed.then(|| said.join(" "))
}

/// The words with their units said.
fn units(text: &str) -> Cow<'_, str> {
    if !text.bytes().any(|byte| byte.is_ascii_digit() || byte == b't') {
        return Cow::Borrowed(text);
    }
    let mut out = String::new();
    let (mut kept, mut at, mut quotes) = (0, 0, 0_usize);
    while let Some(c) = text[at..].chars().next() {
        match c {
            '“' => quotes += 1,
            '”' => quotes = quotes.saturating_sub(1),
            _ => {}
        }
        let begins = quotes == 0 && !is_inner(text[..at].chars().next_back());
        let word = if !begins {
            None
        } else if c.is_ascii_digit() {
            measured(text, at)
        } else {
            symbol(text, at)
        };
        match word {
            Some((from, to, word)) => {
                out.push_str(&text[kept..from]);
                out.push_str(&word);
                (kept, at) = (to, to);
            }
            // the rest of a word or a number
            None if c.is_ascii_alphanumeric() => at += run(&text[at..]).max(1),
            None => at += c.len_utf8(),
        }
    }
    if kept == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[kept..]);
    Cow::Owned(out)
}

/// Whether a letter before a word makes it the end of a longer one.
fn is_inner(before: Option<char>) -> bool {
    before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '/' | ':'))
}

/// The length of the letters and digits at the start.
fn run(text: &str) -> usize {
    text.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(text.len())
}

/// The unit behind the number at this place: where it stands, and its word.
fn measured(text: &str, at: usize) -> Option<(usize, usize, String)> {
    let rest = &text[at..];
    let end = rest.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ','))).unwrap_or(rest.len());
    let number = &rest[..end];
    // `b = 1, s = 4096`
    if number.ends_with([',', '.']) {
        return None;
    }
    if let Some((length, words)) = clock(rest).filter(|_| !is_date(&text[..at])) {
        return Some((at, at + length, words));
    }
    let blank = rest[end..].chars().next().filter(|c| matches!(c, ' ' | '\u{a0}' | '\u{202f}'))?;
    let from = at + end + blank.len_utf8();
    let unit = name(&text[from..]).filter(|unit| is_no_variable(unit, &text[from + unit.len()..]))?;
    // `a 25 MiB bucket`
    let before = text[..at].trim_end().rsplit(' ').next().unwrap_or_default();
    let is_one = number == "1" || matches!(before, "a" | "an" | "A" | "An");
    let (one, several) = said(unit)?;
    Some((from, from + unit.len(), (if is_one { one } else { several }).to_owned()))
}

/// Whether a unit behind a number is none of the letters of a formula: `10 s b h`, `an MLP of 4 h`.
fn is_no_variable(unit: &str, after: &str) -> bool {
    let next = after.trim_start();
    let word = next.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    match unit {
        // hours stand before minutes alone
        "h" => {
            let rest = next.trim_start_matches(|c: char| c.is_ascii_digit());
            let is_before_minutes = rest.len() < next.len() && rest.trim_start().starts_with("min");
            // `10 h of 10 h 25 min`, `5 h at 60 min a day`, `3 h left`
            let of = next.strip_prefix("of ").or_else(|| next.strip_prefix("at ")).unwrap_or_default();
            is_before_minutes || word == "left" || of.starts_with(|c: char| c.is_ascii_digit())
        }
        _ if unit.len() == 1 => {
            let is_letter = word.chars().count() == 1 && word.chars().all(char::is_alphabetic) && word != "a";
            !is_letter && !next.starts_with(['=', '+', '-', '−', '×', '*', '/', '·', '^'])
        }
        _ => true,
    }
}

/// A symbol that stands alone, where it is not part of a formula.
fn symbol(text: &str, at: usize) -> Option<(usize, usize, String)> {
    let unit = name(&text[at..])?;
    let (_, one, several) = SYMBOLS.iter().find(|(symbol, ..)| *symbol == unit)?;
    let before = text[..at].trim_end();
    let is_sum = |c: Option<char>| c.is_some_and(|c| "+-*/()=·×,".contains(c));
    let after = text[at + unit.len()..].trim_start().chars().next();
    if is_sum(before.chars().next_back()) || is_sum(after) {
        return None;
    }
    Some((at, at + unit.len(), (if before.ends_with(" in") { *several } else { *one }).to_owned()))
}

/// Whether a date stands at the end, so that what follows is a time of the day: `Sat 21 Nov`, `2026-11-21`.
fn is_date(text: &str) -> bool {
    let word = text.trim_end().rsplit(' ').next().unwrap_or_default();
    let is_month = MONTHS.contains(&word);
    is_month || word.len() >= 4 && word.chars().all(|c| c.is_ascii_digit() || c == '-')
}

const DAYS: &[&str] = &["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

const MONTHS: &[&str] = &[
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// The time on a clock at the start, `0:38` or `1:02:03`: its length, and its words.
fn clock(text: &str) -> Option<(usize, String)> {
    let end = text.find(|c: char| !(c.is_ascii_digit() || c == ':')).unwrap_or(text.len());
    if text[end..].chars().next().is_some_and(char::is_alphanumeric) {
        return None;
    }
    let clock = text[..end].trim_end_matches(':');
    let mut fields = clock.split(':');
    let first: u64 = fields.next()?.parse().ok()?;
    let rest: Vec<u64> = fields
        .map(|field| field.parse().ok().filter(|n| *n < 60 && field.len() == 2))
        .collect::<Option<_>>()?;
    let values = match rest.as_slice() {
        [seconds] => [0, first, *seconds],
        [minutes, seconds] => [first, *minutes, *seconds],
        _ => return None,
    };
    let named = values.into_iter().zip(["hour", "minute", "second"]).filter(|(n, _)| *n > 0);
    let words: Vec<String> = named.map(|(n, noun)| some(usize::try_from(n).unwrap_or(0), noun)).collect();
    Some((clock.len(), if words.is_empty() { "0 seconds".to_owned() } else { words.join(" ") }))
}

/// The name of a unit or a symbol at the start, if nothing makes it part of something longer.
fn name(text: &str) -> Option<&str> {
    let is_of = |c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '_' | 'µ' | 'μ');
    let end = text.find(|c: char| !is_of(c)).unwrap_or(text.len());
    let is_longer = |c: char| c.is_alphanumeric() || matches!(c, '(' | '=' | '^');
    (end > 0 && !text[end..].chars().next().is_some_and(is_longer)).then(|| &text[..end])
}

fn said(unit: &str) -> Option<(&'static str, &'static str)> {
    let symbol = SYMBOLS.iter().find(|(symbol, ..)| *symbol == unit);
    // a bare `B` may be billions as well as bytes: it stays a letter
    symbol.map(|(_, one, several)| (*one, *several)).or_else(|| quantity::said(unit).filter(|_| unit != "B"))
}

/// What stands before a claim that the course quotes to correct it: the quoted words are the author's.
const CLAIM: &str = "People say:";

fn claimed(text: &str) -> String {
    let parts = text.split(['“', '”']).map(|part| aloud(part).into_owned());
    let mut parts: Vec<String> = parts.collect();
    match parts.as_mut_slice() {
        [before, claim, after] => format!("{before}“{claim}”{after}"),
        _ => text.to_owned(),
    }
}

/// A block with its words as they are said; code and answers stay.
pub(super) fn block(block: &Block) -> Cow<'_, Block> {
    // a formula may have letters in italics: who listens hears one text
    let words = |words: &Inline| -> Inline {
        let text = plain::spoken(words);
        let said = if text.starts_with(CLAIM) { claimed(&text) } else { aloud(&text).into_owned() };
        words.first().map(|run| super::Run { text: said, ..run.clone() }).into_iter().collect()
    };
    let all = |blocks: &[Block]| blocks.iter().map(|b| self::block(b).into_owned()).collect();
    Cow::Owned(match block {
        Block::Paragraph(text) => Block::Paragraph(words(text)),
        Block::Heading(level, text) => Block::Heading(*level, words(text)),
        Block::Quote(inner) => Block::Quote(all(inner)),
        Block::List { start, loose, items } => {
            let items = items.iter().map(|item| all(item)).collect();
            Block::List { start: *start, loose: *loose, items }
        }
        Block::Table { columns, rows } => Block::Table {
            columns: columns
                .iter()
                .map(|c| super::TableColumn { title: words(&c.title), ..c.clone() })
                .collect(),
            rows: rows.iter().map(|row| row.iter().map(words).collect()).collect(),
        },
        _ => return Cow::Borrowed(block),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_behind_a_number_is_a_word() {
        for (written, said) in [
            ("It takes 600 us.", "It takes 600 microseconds."),
            ("1.44 ms, was 810 µs", "1.44 milliseconds, was 810 microseconds"),
            ("1 us; 1,439 us", "1 microsecond; 1,439 microseconds"),
            ("25 MiB: 1 MiB to 200 MiB", "25 mebibytes: 1 mebibyte to 200 mebibytes"),
            ("an 80 GB GPU", "an 80 gigabyte GPU"),
            ("10 h 18 min of 10 h 25 min left", "10 hours 18 minutes of 10 hours 25 minutes left"),
            ("10 h of 10 h 25 min left; 3 h left", "10 hours of 10 hours 25 minutes left; 3 hours left"),
            ("at 450 GB/s, 989 TFLOP/s", "at 450 gigabytes per second, 989 teraflop per second"),
            ("0:38 left, 0:05 to think", "38 seconds left, 5 seconds to think"),
            ("2:00 of 1:02:03.", "2 minutes of 1 hour 2 minutes 3 seconds."),
            ("400 Gb/s", "400 gigabits per second"),
            ("33 tF; Step in tF", "33 forward times; Step in forward times"),
            ("Mon 23 Nov, then Sat 28 Nov 18:05", "Monday 23 November, then Saturday 28 November 18:05"),
            ("half the time (50 ms)", "half the time (50 milliseconds)"),
            ("(p-1)(tF + tI - tW)", "(p-1)(tF plus tI minus tW)"),
        ] {
            assert_eq!(aloud(written), said);
        }
    }

    #[test]
    fn what_is_no_unit_stays() {
        for text in [
            "you said “600 us” here",
            "give us 3 of them",
            "A100 80GB",
            "5 min(a, b)",
            "v1.2 s",
            "8 stages",
            "2.7 B: 43.20; 30 B",
            "Saturday 21 November 18:05; Saturday 21 November 2025 18:05",
            "the sun 3 times; Mon or Tue",
            "a ratio of 1:2",
            "train.py:12",
            // letters of formulas
            "divided by 9 h B",
            "10 s b h bytes, and 34 s b h",
            "an MLP of 4 h",
            "2 h and 2 h k v",
        ] {
            assert_eq!(aloud(text), text);
        }
    }

    #[test]
    fn what_is_said_can_be_typed() {
        for (unit, _) in quantity::units() {
            let Some((one, several)) = quantity::said(unit.name) else { continue };
            assert_eq!(quantity::unit(one), Some(unit));
            assert_eq!(quantity::unit(several), Some(unit));
        }
    }
}
