//! Any pattern is read or refused, and one that is read can be tried on any answer.
#![no_main]

use infralens_fuzz::{course, texts};
use infralens_score::{Format, Point, Rubric, Scorer, parse_pattern_in};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let texts = texts(data);
    let answer = texts.get(1).map_or("The ring sends 2(N-1)/N of the buffer.", String::as_str);
    for format in [Format::One, Format::Two] {
        if parse_pattern_in(format, &texts[0]).is_err() {
            continue;
        }
        let point = Point {
            id: "p".to_owned(),
            part: "problem".to_owned(),
            matches: vec![texts[0].clone()],
            says: Some("It is so.".to_owned()),
            ..Point::default()
        };
        let rubric = Rubric {
            format,
            drill: "d".to_owned(),
            parts: vec!["problem".to_owned()],
            points: vec![point],
            ..Rubric::default()
        };
        let score = Scorer::new(&rubric, &course().vocabulary).score(answer);
        for evidence in score.parts.iter().flat_map(|p| &p.points).flat_map(|p| &p.evidence) {
            assert!(answer.get(evidence.range()).is_some(), "evidence outside the answer");
        }
    }
});
