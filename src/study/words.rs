//! Numbers and texts as people read them.

use crate::pack::character::is_forbidden;
use crate::score::{Flag, Verdict};

/// Seconds as `2:05`, from an hour on `1:02:05`.
pub fn clock(seconds: u32) -> String {
    let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 => format!("{minutes}:{rest:02}"),
        _ => format!("{hours}:{minutes:02}:{rest:02}"),
    }
}

/// A share of 0 to 1 as `73%`.
pub fn percent(share: f64) -> String {
    format!("{:.0}%", share * 100.0)
}

/// A text without characters that could steer a terminal; line ends and tabs stay.
pub fn clean(text: &str) -> String {
    text.chars().filter(|c| !is_forbidden(*c)).collect()
}

/// A verdict as a word.
pub fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Covered => "covered",
        Verdict::Partial => "partial",
        Verdict::Missing => "missing",
    }
}

/// What is wrong with a flagged answer, in a sentence or two.
pub fn flag(flag: Flag) -> &'static str {
    match flag {
        Flag::KeywordList => {
            "This reads as a list of words. Marks are given for statements: say what does what."
        }
        Flag::CopiesPrompt => "Much of this is the question said again. That earns nothing.",
        Flag::OffTopic => "This seems to answer another question.",
        Flag::TooShort => "This is too short to judge. A few full sentences are enough.",
    }
}
