//! Formulas, fractions and symbols within a sentence: `2(n-1)/n` is “2 times the fraction n minus 1, over n, end of
//! fraction”, `14/8 of the message` is “14 eighths of the message”, `m ≥ 63` is “m is at least 63”.

use super::math;
use crate::sim::quantity;

const PARTS: &[&str] = &[
    "half",
    "third",
    "quarter",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
];

/// The text with its formulas, fractions and symbols in words; none where it has none of them.
pub(super) fn said(text: &str) -> Option<String> {
    if text.is_ascii()
        && !text.contains(['/', '*', '=', '+'])
        && ![" x", " -", "(-"].iter().any(|sign| text.contains(sign))
    {
        return None;
    }
    let mut out = String::new();
    let (mut plain, mut quotes) = (0, 0_usize);
    for (at, c) in text.char_indices().filter(|(_, c)| matches!(c, '“' | '”')) {
        match (c, quotes) {
            ('“', 0) => {
                out.push_str(&unquoted(&text[plain..at]));
                (plain, quotes) = (at, 1);
            }
            ('“', _) => quotes += 1,
            (_, 1) => {
                let end = at + c.len_utf8();
                out.push_str(&text[plain..end]);
                (plain, quotes) = (end, 0);
            }
            _ => quotes = quotes.saturating_sub(1),
        }
    }
    let rest = &text[plain..];
    out.push_str(&if quotes > 0 { rest.to_owned() } else { unquoted(rest) });
    (out != text).then_some(out)
}

fn unquoted(text: &str) -> String {
    if text.contains("://") {
        let is_address = |word: &&str| word.contains("://");
        let Some(address) = text.split(' ').find(is_address) else { return text.to_owned() };
        let (before, after) = text.split_once(address).unwrap_or((text, ""));
        return format!("{}{address}{}", unquoted(before), unquoted(after));
    }
    let mut out = String::new();
    let mut at = 0;
    for formula in math::formulas(text) {
        out.push_str(&symbols(&fractions(&text[at..formula.at])));
        out.push_str(&formula.words);
        at = formula.end;
        let goes_on =
            text[at..].strip_prefix(' ').is_some_and(|rest| rest.starts_with(char::is_alphanumeric));
        out.push_str(if goes_on && formula.words.ends_with("end of fraction") { "," } else { "" });
    }
    out.push_str(&symbols(&fractions(&text[at..])));
    out
}

/// The text with its small fractions in words.
fn fractions(text: &str) -> String {
    let mut words: Vec<String> = text.split(' ').map(str::to_owned).collect();
    for at in 0..words.len() {
        let next = words.get(at + 1).map_or("", String::as_str);
        if let Some(told) = fraction(&words[at]).filter(|_| matches!(next, "of" | "summed")) {
            words[at] = told;
        }
    }
    words.join(" ")
}

/// The text with what no voice reads in words: `64 heads / 8`, `2 × the layers`, `m ≥ 63`, `1 x`.
fn symbols(text: &str) -> String {
    let mut out = String::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let before = out.chars().next_back();
        let after = rest[c.len_utf8()..].chars().next();
        let is_apart = before.is_none_or(|c| c == ' ') && after.is_none_or(|c| c == ' ');
        let (word, length) = match c {
            '×' | '·' if c == '×' || is_apart && before.is_some() && after.is_some() => {
                ("times", c.len_utf8())
            }
            '*' if is_apart => ("times", 1),
            '=' if is_apart && after.is_some() => ("equals", 1),
            '+' if is_apart && before.is_some() && after.is_some() => ("plus", 1),
            '−' => ("minus", c.len_utf8()),
            // below zero
            '-' if before.is_none_or(|c| matches!(c, ' ' | '('))
                && after.is_some_and(|c| c.is_ascii_digit()) =>
            {
                ("minus", 1)
            }
            '-' if is_apart && before.is_some() && after.is_some() && is_sum(&out, rest) => ("minus", 1),
            '/' if is_apart => ("divided by", 1),
            '≥' => ("at least", c.len_utf8()),
            '≤' => ("at most", c.len_utf8()),
            '>' if rest.starts_with(">=") => ("at least", 2),
            '<' if rest.starts_with("<=") => ("at most", 2),
            '≈' => ("about", c.len_utf8()),
            '→' => ("to", c.len_utf8()),
            '√' => ("the square root of", c.len_utf8()),
            'Σ' => ("the sum of", c.len_utf8()),
            '∞' => ("infinite", c.len_utf8()),
            'x' if is_apart && is_number_before(&out) => ("times", 1),
            _ => ("", 0),
        };
        if let Some((digits, length)) = math::raised(rest) {
            out.push_str(&math::power(&digits));
            at += length;
        } else if let Some(name) = math::greek(c) {
            // `2Ψ`
            out.push_str(if out.ends_with(|c: char| c.is_ascii_digit()) { " " } else { "" });
            out.push_str(name);
            at += c.len_utf8();
        } else if rest.starts_with("/B") && out.ends_with("FLOP") {
            out.push_str(" per byte");
            at += 2;
        } else if rest.starts_with("/s") && is_rate(&out, &rest[2..]) {
            out.push_str(" per second");
            at += 2;
        } else if length > 0 {
            let bare = out.trim_end();
            let is_relation = matches!(word, "at least" | "at most")
                && bare.ends_with(is_name_end)
                && !ends_with_word(bare, "need");
            let lead = if before.is_none_or(|c| c == ' ' || c == '(') { "" } else { " " };
            out.push_str(lead);
            out.push_str(if is_relation { "is " } else { "" });
            out.push_str(word);
            at += length;
            out.push_str(if text[at..].starts_with(char::is_alphanumeric) { " " } else { "" });
        } else {
            out.push(c);
            at += c.len_utf8();
        }
    }
    out
}

fn is_name_end(c: char) -> bool {
    c.is_alphanumeric() || c == ')'
}

fn ends_with_word(text: &str, word: &str) -> bool {
    text.rsplit(' ').next() == Some(word)
}

fn is_number_before(text: &str) -> bool {
    text.trim_end().ends_with(|c: char| c.is_ascii_digit())
}

/// Whether numbers or single letters stand on both sides of a sign: a dash between words is none.
fn is_sum(before: &str, rest: &str) -> bool {
    let is_operand = |word: &str| {
        let word = word.trim_matches(['(', ')', ',', '.', ':', ';']);
        let mut letters = word.chars();
        // `tF`
        let is_symbol = letters.next().is_some_and(|c| c.is_ascii_lowercase())
            && letters.next().is_some_and(|c| c.is_ascii_uppercase())
            && letters.next().is_none();
        let is_short = word.chars().count() == 1 || word.chars().all(|c| c.is_ascii_digit());
        !word.is_empty() && (is_short || is_symbol)
    };
    let last = before.trim_end().rsplit(' ').next().unwrap_or_default();
    let first = rest[1..].trim_start().split(' ').next().unwrap_or_default();
    let is_inner = last.contains('(') && !last.ends_with(')') && first.contains(')');
    is_operand(last) && is_operand(first)
        || is_inner
        || last == "1"
        || first.trim_end_matches(['.', ',', ')']) == "1"
}

/// Whether `/s` stands behind the name of what is counted: `tokens/s`, `FLOP/s`.
fn is_rate(before: &str, after: &str) -> bool {
    let word = before.rsplit(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    let lead = before.strip_suffix(word).unwrap_or(before);
    let is_unit = word.len() > 2 || matches!(word, "GB" | "MB" | "KB" | "TB" | "Gb" | "Mb");
    let goes_on = after.starts_with(|c: char| c.is_alphanumeric() || c == '/');
    // `450 GB/s` is a number with its unit
    let is_measure = is_number_before(lead) && quantity::said(&format!("{word}/s")).is_some();
    is_unit && !goes_on && !lead.ends_with(|c: char| c.is_ascii_digit() || c == '/') && !is_measure
}

fn fraction(word: &str) -> Option<String> {
    let (over, under) = word.split_once('/')?;
    let number = |text: &str| text.parse::<usize>().ok().filter(|_| text.len() <= 2);
    let (over, under) = (number(over)?, number(under)?);
    if over == 1 && under > PARTS.len() + 1 {
        return Some(format!("1 over {under}"));
    }
    // what comes round a ring is twice the whole at most
    let part = PARTS.get(under.checked_sub(2)?).filter(|_| over <= 2 * under)?;
    Some(match (over, under) {
        (1, 2) => "half".into(),
        (1, _) => format!("one {part}"),
        (_, 2) => format!("{over} halves"),
        _ => format!("{over} {part}s"),
    })
}

#[cfg(test)]
mod tests {
    use super::super::aloud;

    #[test]
    fn formulas_and_fractions_within_a_sentence_are_words() {
        for (written, said) in [
            (
                "busbw = algbw * 2(n-1)/n, so that",
                "busbw equals algbw times 2, times the fraction n minus 1, over n, end of fraction, so that",
            ),
            (
                "each send (n-1)/n of the message",
                "each send the fraction n minus 1, over n, end of fraction, of the message",
            ),
            ("done; 14/8 of the message sent", "done; 14 eighths of the message sent"),
            ("whole, 1/4 summed", "whole, one quarter summed"),
            ("at 2m + 1 slots", "at 2 times m, plus 1 slots"),
            ("the ledger: 1.9 + 15 + 15", "the ledger: 1.9 plus 15 plus 15"),
            ("they send 2Ψ, no more", "they send 2 times Psi, no more"),
            ("it is 2 × 8 = 16 now", "it is 2 times 8 equals 16 now"),
            ("b = 1, s = 4096, h = 12288", "b equals 1, s equals 4096, h equals 12288"),
            ("ZeRO-3 3mΨ", "ZeRO-3 3 times m times Psi"),
            ("chunk rank - 1, sign(mean - load)", "chunk rank minus 1, sign(mean minus load)"),
            ("FSDP + TP of 8", "FSDP plus TP of 8"),
            ("left over -176 (was -3.5)", "left over minus 176 (was minus 3.5)"),
            (
                "It is 2(t-1)*F/(9*h*B): wider",
                "It is 2 times the difference of t and 1, times the fraction F over 9 times h, times B, end of fraction: wider",
            ),
        ] {
            assert_eq!(aloud(written), said);
        }
        for text in [
            "8/2 ranks",
            "open 24/7 of course",
            "docs/a.md",
            "“2(n-1)/n of it”",
            "K/V blocks, an A/B test, TCP/IP",
            "ZeRO-3 - at last",
            "see https://a.b/c/d",
            "a 3/15 x-axis",
            "a/b of",
        ] {
            assert_eq!(aloud(text), text);
        }
    }
}
