//! What the headline of a report says.
#![allow(clippy::unwrap_used)]

use jiff::Timestamp;

use super::*;
use crate::study::rehearsal::{Prompt, Setup, Totals};

/// A report of answers whose tradeoff is missing; of each whether the rules are sure of that.
fn report(sure: &[bool]) -> Kept {
    let answer = |(nth, sure): (usize, &bool)| {
        let score = format!(
            r#"{{"drill":"d","score":0.5,"limiting_part":"tradeoff","parts":[{{"part":"tradeoff",
            "verdict":"missing","confidence":0.5,"sure":{sure},"source":"rules","score":0.0,"points":[],
            "feedback":""}}],"misconceptions":[],"flags":[],"words":1}}"#
        );
        AnswerReport {
            attempt: nth.to_string(),
            number: nth + 1,
            drill: "d".into(),
            lesson: "l".into(),
            question: String::new(),
            part: None,
            answer: "said".into(),
            total: 0.5,
            score: serde_json::from_str(&score).unwrap(),
            thought: 0,
            seconds: 9,
            first_word: None,
            unused: 0,
            timed_out: false,
            delivery: Default::default(),
            notes: String::new(),
            right: None,
            rated: None,
            rated_parts: BTreeMap::new(),
        }
    };
    let part = PartReport {
        part: "tradeoff".into(),
        title: "Tradeoff".into(),
        score: 0.0,
        verdicts: [0, 0, sure.len()],
    };
    Kept {
        id: "r".into(),
        setup: Setup::screen("course", 7),
        started: Timestamp::UNIX_EPOCH,
        ended: Timestamp::UNIX_EPOCH,
        total: 0.5,
        limiting: Some("tradeoff".into()),
        parts: vec![part],
        answers: sure.iter().enumerate().map(answer).collect(),
        unanswered: Vec::new(),
        away: Vec::new(),
        totals: Totals::default(),
        next: Vec::new(),
    }
}

#[test]
fn the_headline_says_how_sure_it_is() {
    assert_eq!(limited(&report(&[true, true])), "limited by Tradeoff: missing in 2 of 2 answers.");
    assert_eq!(
        limited(&report(&[true, false])),
        "limited by Tradeoff: missing in 2 of 2 answers; the rules are not sure of 1 of them."
    );
    assert_eq!(
        limited(&report(&[false, false])),
        "perhaps limited by Tradeoff: missing in 2 of 2 answers, and the rules are not sure of it."
    );
}

#[test]
fn a_run_where_all_was_covered_says_what_was_not_reached_and_what_follow_ups_took() {
    let mut full = report(&[true, true]);
    full.limiting = None;
    assert_eq!(limited(&full), "every part of every answer was covered.");
    (full.answers[1].part, full.answers[1].total) = (Some("tradeoff".into()), 0.0);
    assert_eq!(limited(&full), "every part of every answer was covered, but not of 1 follow-up.");
    full.unanswered = vec![Prompt { drill: "e".into(), lesson: "l".into(), text: String::new() }];
    assert_eq!(limited(&full), "every part was covered, but not of 1 follow-up; 1 of 2 prompts answered.");
}
