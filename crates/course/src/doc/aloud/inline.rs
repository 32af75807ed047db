//! Short formulas and fractions within a sentence: `2(n-1)/n` is “2 times one less than n, over n”, `14/8 of the message`
//! is “14 eighths of the message”.

use crate::sim::expr::aloud::{Calls, Said, written};

/// What a formula within a sentence is known by: nearly all of the field have it.
const SIGN: &str = "-1)";

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

/// The text with its formulas and fractions in words; none where it has neither.
pub(super) fn said(text: &str) -> Option<String> {
    if !text.contains(SIGN) && !text.contains("/") {
        return None;
    }
    let mut words: Vec<String> = text.split(' ').map(str::to_owned).collect();
    let (mut changed, mut quotes) = (false, 0_usize);
    for at in 0..words.len() {
        let word = words[at].clone();
        let is_quoted = quotes > 0 || word.starts_with('“');
        quotes = (quotes + word.matches('“').count()).saturating_sub(word.matches('”').count());
        if is_quoted {
            continue;
        }
        let next = words.get(at + 1).map_or("", String::as_str);
        let told = formula(&word).or_else(|| fraction(&word).filter(|_| matches!(next, "of" | "summed")));
        if let Some(told) = told {
            words[at] = told;
            changed = true;
            // `algbw * 2(n-1)/n`
            if at > 0 && words[at - 1] == "*" {
                words[at - 1] = "times".into();
            }
        }
    }
    changed.then(|| words.join(" "))
}

fn formula(word: &str) -> Option<String> {
    let bare = word.trim_end_matches([',', '.', ';', ':']);
    let is_of = |c: char| c.is_ascii_alphanumeric() || "()+-*/.".contains(c);
    if !bare.contains(SIGN) || !bare.chars().all(is_of) {
        return None;
    }
    let symbol = |name: &str| Said { words: name.to_owned(), number: None };
    let told = written(bare)?.aloud(&symbol, Calls::Named)?;
    Some(told + &word[bare.len()..])
}

fn fraction(word: &str) -> Option<String> {
    let (over, under) = word.split_once('/')?;
    let number = |text: &str| text.parse::<usize>().ok().filter(|_| text.len() <= 2);
    let (over, under) = (number(over)?, number(under)?);
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
                "busbw = algbw times 2 times one less than n, over n, so that",
            ),
            ("each send (n-1)/n of the message", "each send one less than n, over n of the message"),
            ("done; 14/8 of the message sent", "done; 14 eighths of the message sent"),
            ("whole, 1/4 summed", "whole, one quarter summed"),
            (
                "It is 2(t-1)*F/(9*h*B): wider",
                "It is 2 times one less than t, times F, over the product 9 times h times B: wider",
            ),
        ] {
            assert_eq!(aloud(written), said);
        }
        for text in ["GB/s and 8/2 ranks", "open 24/7 of course", "docs/a.md", "“2(n-1)/n of it”", "a/b of"]
        {
            assert_eq!(aloud(text), text);
        }
    }
}
