//! What is true is not called false, how an answer is worded decides nothing that is sure, and the way it is typed
//! decides nothing at all: over the lessons, the model answers, and the answers that judges have read.

use std::collections::BTreeMap;
use std::path::Path;

use infralens_course::pack::{Drill, Pack};
use infralens_course::score::{Score, Scorer, Verdict};
use serde_json::Value;

use crate::kit::course::course;
use crate::scorer_kit::{Rate, sentences};
use crate::wrapped::wrapped;

/// An answer that a judge has read.
struct Judged {
    drill: String,
    kind: String,
    answer: String,
    /// Whether the judge holds some of it to be false.
    has_false: bool,
}

fn judged() -> Vec<Judged> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/answers");
    let files = ["round-1.jsonl", "round-2.jsonl", "round-3.jsonl"];
    let texts = files.map(|f| std::fs::read_to_string(folder.join(f)).expect("judged answers"));
    let read = |line: &str| {
        let row: Value = serde_json::from_str(line).expect("an object a line");
        let of = |key: &str| row[key].as_str().expect("a text").to_owned();
        let has_false = row["judge1"]["misconceptions"].as_array().is_some_and(|m| !m.is_empty());
        Judged { drill: of("drill"), kind: of("kind"), answer: of("answer"), has_false }
    };
    texts.iter().flat_map(|t| t.lines().map(read)).collect()
}

fn scorers(pack: &Pack) -> BTreeMap<&str, (&Drill, Scorer)> {
    pack.drills.iter().map(|d| (d.id.as_str(), (d, d.scorer(None, &pack.vocabulary)))).collect()
}

/// How many verdicts that were sure are now others, by `worse`.
fn turned(before: &Score, after: &Score, worse: impl Fn(Verdict, Verdict) -> bool) -> usize {
    let pairs = before.parts.iter().zip(&after.parts);
    pairs.filter(|(b, a)| b.sure && worse(b.verdict, a.verdict)).count()
}

fn lower_first(sentence: &str) -> String {
    let mut letters = sentence.chars();
    let second = sentence.chars().nth(1).is_some_and(char::is_lowercase);
    match letters.next().filter(|_| second) {
        Some(first) => first.to_lowercase().chain(letters).collect(),
        None => sentence.to_owned(),
    }
}

#[test]
fn hedges_lower_no_sure_verdict_of_a_good_answer() {
    let scorers = scorers(course());
    let hedges =
        ["I think ", "Probably, ", "As far as I know, ", "If I remember rightly, ", "I believe that "];
    let mut lowered = Rate::default();
    for row in judged().iter().filter(|r| r.kind.starts_with("strong") || r.kind == "solid") {
        let (_, scorer) = &scorers[row.drill.as_str()];
        let plain = scorer.score(&row.answer);
        let hedge = |(i, s): (usize, String)| format!("{}{}", hedges[i % hedges.len()], lower_first(&s));
        let text: Vec<String> = sentences(&row.answer).into_iter().enumerate().map(hedge).collect();
        let hedged = scorer.score(&text.join(" "));
        for _ in &plain.parts {
            lowered.count(false, String::new);
        }
        for _ in 0..turned(&plain, &hedged, |before, after| after < before) {
            lowered.count(true, || format!("{} {}", row.drill, text.join(" ")));
        }
    }
    lowered.assert_at_most(0.01);
}

#[test]
fn figures_strewn_in_raise_no_sure_verdict_of_a_poor_answer() {
    let scorers = scorers(course());
    let figures = ["about 42 GB", "3.7x", "some 19 ms", "roughly 63%", "1,300 of them"];
    let mut raised = Rate::default();
    for row in judged().iter().filter(|r| ["middling", "beginner", "all-false"].contains(&r.kind.as_str())) {
        let (_, scorer) = &scorers[row.drill.as_str()];
        let plain = scorer.score(&row.answer);
        let strew = |(i, s): (usize, String)| {
            let end = s.trim_end_matches(['.', '!', '?']).len();
            format!("{} ({}){}", &s[..end], figures[i % figures.len()], &s[end..])
        };
        let text: Vec<String> = sentences(&row.answer).into_iter().enumerate().map(strew).collect();
        let strewn = scorer.score(&text.join(" "));
        for _ in &plain.parts {
            raised.count(false, String::new);
        }
        for _ in 0..turned(&plain, &strewn, |before, after| after > before) {
            raised.count(true, || format!("{} {}", row.drill, text.join(" ")));
        }
    }
    // a figure that fits fills `#x`, as it should; nearly all of these do
    raised.assert_at_most(0.015);
}

/// A text without what is not running text: lists, code, pictures, headings.
fn prose(text: &str) -> Vec<String> {
    let is_prose = |l: &&str| !l.trim_start().starts_with(['#', '|', '`', '{', '-', '*', '>']);
    let plain: String = text.lines().filter(is_prose).map(|l| format!("{l} ")).collect();
    sentences(&plain.replace(['`', '*'], ""))
}

#[test]
fn what_the_lessons_say_is_not_called_false() {
    let pack = course();
    let mut accused = Rate::default();
    for drill in &pack.drills {
        let scorer = drill.scorer(None, &pack.vocabulary);
        let lesson = pack.lesson(&drill.lesson).expect("its lesson");
        let section = &lesson.section;
        let mut said: Vec<String> =
            [&section.problem, &section.mechanism].into_iter().flat_map(|t| prose(t)).collect();
        said.extend(prose(&section.say));
        said.extend(section.misunderstandings.iter().flat_map(|m| prose(&m.truth)));
        said.extend(sentences(&drill.model));
        said.extend(drill.rubric.points.iter().filter_map(|p| p.says.clone()));
        for sentence in said {
            let found = scorer.score(&sentence).misconceptions;
            accused.count(!found.is_empty(), || format!("{} {}: {sentence}", drill.id, found[0].id));
        }
    }
    accused.assert_at_most(0.01);
}

#[test]
fn what_judges_hold_true_is_not_called_false() {
    let scorers = scorers(course());
    let mut accused = Rate::default();
    for row in judged().iter().filter(|r| !r.has_false) {
        let (_, scorer) = &scorers[row.drill.as_str()];
        for sentence in sentences(&row.answer) {
            let found = scorer.score(&sentence).misconceptions;
            accused.count(!found.is_empty(), || format!("{} {}: {sentence}", row.drill, found[0].id));
        }
    }
    accused.assert_at_most(0.01);
}

/// The ways in which one text may be typed.
fn typed(text: &str, i: usize) -> Vec<String> {
    let curly = text.replace('\'', "\u{2019}").replace("->", "\u{2192}").replace(" - ", " \u{2013} ");
    vec![
        wrapped(text, 30 + i % 91),
        wrapped(text, 30 + (i * 37) % 91).replace('\n', "\r\n"),
        curly.replace('-', "\u{2011}"),
        text.replace(' ', "\u{a0}"),
        text.replace("\u{2192}", "->").replace("\u{2019}", "'").replace("\u{d7}", "x"),
    ]
}

#[test]
fn how_an_answer_is_typed_changes_no_verdict() {
    let scorers = scorers(course());
    let mut changed = Rate::default();
    for (i, row) in judged().iter().enumerate() {
        let (_, scorer) = &scorers[row.drill.as_str()];
        let verdicts = |t: &str| scorer.score(t).parts.iter().map(|p| p.verdict).collect::<Vec<_>>();
        let plain = verdicts(&row.answer);
        for (way, text) in typed(&row.answer, i).iter().enumerate() {
            changed
                .count(verdicts(text) != plain, || format!("{} {} way {way}: {text}", row.drill, row.kind));
        }
    }
    changed.assert_at_most(0.0);
}

#[test]
fn the_last_word_counts_where_one_takes_something_back() {
    let wrong = "DDP all-reduces the parameters after the optimizer step so they stay the same";
    let right = "it averages the gradients, so everybody does the same update";
    let rest =
        "It hides behind the backward pass with buckets. I would measure the exposed communication time.";
    let pack = course();
    let drill = pack.drills.iter().find(|d| d.id == "ddp-gradients-not-parameters").unwrap();
    let scorer = Scorer::new(&drill.rubric, &pack.vocabulary);
    let plain = scorer.score(&format!("{right}. {rest}"));
    assert!(plain.misconceptions.is_empty() && plain.score > 0.0);
    for taken in ["no wait,", "sorry, I mean", "actually no,", "scratch that,", "correction:"] {
        let mended = scorer.score(&format!("{wrong}, {taken} {right}. {rest}"));
        assert!(mended.misconceptions.is_empty(), "{taken}");
        assert_eq!(mended.score, plain.score, "{taken}");
        // what is true, and then replaced by what is false, earns nothing
        let spoiled = scorer.score(&format!("{right}, {taken} {wrong}. {rest}"));
        assert!(!spoiled.misconceptions.is_empty() && spoiled.score < plain.score, "{taken}");
    }
}
