//! An export of made-up attempts, written as it is read.
#![allow(clippy::unwrap_used, missing_docs)]

use std::fmt::Write as _;
use std::io::Read;

use jiff::Timestamp;

/// When the first attempt was given; each other one came a minute after the one before.
pub const START: i64 = 1_600_000_000;

/// What an attempt is about.
pub struct Of<'a> {
    pub pack: &'a str,
    pub drill: &'a str,
    pub lesson: &'a str,
    /// Its parts, each with its verdict and score.
    pub parts: Vec<(&'a str, &'static str, f64)>,
}

/// The lines of an export: attempts by their number, each of what `next` says.
pub struct Lines<F> {
    number: u64,
    total: u64,
    next: F,
    line: Vec<u8>,
    at: usize,
}

impl<'a, F: FnMut() -> Of<'a>> Lines<F> {
    pub fn new(total: u64, next: F) -> Self {
        let line = b"{\"kind\":\"infralens\",\"format\":1}\n".to_vec();
        Lines { number: 0, total, next, line, at: 0 }
    }

    fn next_line(&mut self) -> String {
        let Of { pack, drill, lesson, parts } = (self.next)();
        let number = self.number;
        let at = Timestamp::from_second(START + number.cast_signed() * 60).unwrap();
        let mut marks = String::new();
        for (part, verdict, score) in parts {
            let comma = if marks.is_empty() { "" } else { "," };
            write!(
                marks,
                "{comma}{{\"part\":\"{part}\",\"verdict\":\"{verdict}\",\"score\":{score},\"points\":[],\"feedback\":\"say it\"}}"
            )
            .unwrap();
        }
        let answer = "each rank keeps a slice of the optimizer state and gathers the rest ".repeat(6);
        format!(
            "{{\"record\":\"attempt\",\"id\":\"{number:016x}\",\"pack\":\"{pack}\",\"drill\":\"{drill}\",\
             \"lesson\":\"{lesson}\",\"at\":\"{at}\",\"mode\":\"practice\",\"seconds\":90,\"answer\":\"{answer}\",\
             \"score\":{{\"drill\":\"{drill}\",\"score\":0.5,\"limiting_part\":\"problem\",\"parts\":[{marks}],\
             \"misconceptions\":[],\"flags\":[],\"words\":72}}}}\n"
        )
    }
}

impl<'a, F: FnMut() -> Of<'a>> Read for Lines<F> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.at == self.line.len() {
            if self.number == self.total {
                return Ok(0);
            }
            self.line = self.next_line().into_bytes();
            self.at = 0;
            self.number += 1;
        }
        let count = buffer.len().min(self.line.len() - self.at);
        buffer[..count].copy_from_slice(&self.line[self.at..self.at + count]);
        self.at += count;
        Ok(count)
    }
}
