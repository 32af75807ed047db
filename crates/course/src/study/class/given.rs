//! What an instructor gives: a mark of a part, a remark, what counts as a judged answer. Later ones win.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::score::Verdict;

/// One thing that was given.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Given {
    /// The attempt it is about.
    pub attempt: String,
    /// The part whose mark it sets; none for a remark on the whole answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<String>,
    /// The mark; none where there is a remark alone, or where a mark is taken back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
    /// What is said; empty for nothing.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub remark: String,
    /// Who gave it.
    pub by: String,
    /// When.
    pub at: Timestamp,
}

/// What counts of all that was given: for each attempt and part the latest, whatever order the records came in.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Book {
    latest: BTreeMap<(String, Option<String>), Given>,
}

impl Book {
    /// A book of these.
    pub fn of(given: impl IntoIterator<Item = Given>) -> Book {
        let mut book = Book::default();
        given.into_iter().for_each(|given| {
            book.add(given);
        });
        book
    }

    /// Takes one more; says whether it counts now.
    pub fn add(&mut self, given: Given) -> bool {
        let key = (given.attempt.clone(), given.part.clone());
        let rank = |g: &Given| (g.at, g.verdict, g.remark.clone(), g.by.clone());
        match self.latest.get(&key) {
            Some(old) if rank(old) >= rank(&given) => false,
            _ => {
                self.latest.insert(key, given);
                true
            }
        }
    }

    /// What is given of a part of an attempt, or of the whole.
    pub fn get(&self, attempt: &str, part: Option<&str>) -> Option<&Given> {
        self.latest.get(&(attempt.to_owned(), part.map(str::to_owned)))
    }

    /// The mark of a part, if one is given.
    pub fn verdict(&self, attempt: &str, part: &str) -> Option<Verdict> {
        self.get(attempt, Some(part))?.verdict
    }

    /// All that counts, by attempt and part.
    pub fn all(&self) -> impl Iterator<Item = &Given> {
        self.latest.values()
    }
}

/// So many of what was given: `1 mark or remark`, `2 marks or remarks`.
pub fn counted(gifts: usize) -> String {
    match gifts {
        1 => "1 mark or remark".to_owned(),
        n => format!("{n} marks or remarks"),
    }
}

/// Reads the lines of a book; a line that cannot be read is left out and counted.
pub fn read(text: &str) -> (Book, usize) {
    let mut book = Book::default();
    let mut broken = 0;
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        match serde_json::from_str(line) {
            Ok(given) => {
                book.add(given);
            }
            Err(_) => broken += 1,
        }
    }
    (book, broken)
}

/// A line of a book.
pub fn line(given: &Given) -> String {
    let mut line = serde_json::to_string(given).expect("texts and times are JSON");
    line.push('\n');
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(seconds: i64, verdict: Option<Verdict>) -> Given {
        Given {
            attempt: "a".into(),
            part: Some("limit".into()),
            verdict,
            remark: "Say by how much.".into(),
            by: "Dr B".into(),
            at: Timestamp::from_second(seconds).expect("a time"),
        }
    }

    #[test]
    fn the_later_counts_in_any_order_and_twice_is_once() {
        let all = [given(1, Some(Verdict::Covered)), given(3, None), given(2, Some(Verdict::Partial))];
        let mut turned = all.to_vec();
        turned.reverse();
        let book = Book::of(all.clone());
        assert_eq!(book, Book::of(turned));
        assert_eq!(book, Book::of(all.iter().cloned().chain(all.clone())));
        assert_eq!(book.verdict("a", "limit"), None);
        assert_eq!(Book::of(all[..1].to_vec()).verdict("a", "limit"), Some(Verdict::Covered));
    }

    #[test]
    fn a_book_that_was_cut_keeps_its_whole_lines() {
        let mut text: String = [given(1, None), given(2, Some(Verdict::Covered))].iter().map(line).collect();
        text.push_str("{\"attempt\":\"b\",");
        let (book, broken) = read(&text);
        assert_eq!((book.all().count(), broken), (1, 1));
        assert_eq!(book.verdict("a", "limit"), Some(Verdict::Covered));
    }
}
