//! What must not change an answer's marks, whatever the answer.

use infralens_course::pack::{Drill, raw::SampleKind};
use infralens_course::score::{Scorer, Verdict};
use proptest::prelude::*;

use crate::scorer_kit;
use scorer_kit::{Course, Rate, sentences};

use crate::wrapped::wrapped;

fn verdicts(scorer: &Scorer, text: &str) -> Vec<Verdict> {
    scorer.score(text).parts.iter().map(|p| p.verdict).collect()
}

/// Runs over every sample of every drill.
fn each_sample(mut act: impl FnMut(&Drill, &Scorer, &str, &str)) {
    Course::load().each(|drill, scorer, _| {
        for sample in &drill.samples {
            act(drill, scorer, &sample.id, &sample.answer);
        }
    });
}

#[test]
fn letter_case_changes_nothing() {
    each_sample(|drill, scorer, id, answer| {
        let plain = verdicts(scorer, answer);
        assert_eq!(verdicts(scorer, &answer.to_uppercase()), plain, "{} {id}", drill.id);
        assert_eq!(verdicts(scorer, &answer.to_lowercase()), plain, "{} {id}", drill.id);
    });
}

#[test]
fn wrapped_lines_and_their_endings_change_nothing() {
    let mut changed = Rate::default();
    Course::load().each(|drill, scorer, _| {
        for sample in drill.samples.iter().filter(|s| s.kind != SampleKind::Attack) {
            let plain = verdicts(scorer, &sample.answer);
            for width in [30, 43, 56, 72, 87, 100, 119] {
                changed.count(verdicts(scorer, &wrapped(&sample.answer, width)) != plain, || {
                    format!("{} {} {width}", drill.id, sample.id)
                });
            }
            let crlf = sample.answer.replace('\n', "\r\n");
            changed.count(verdicts(scorer, &crlf) != plain, || format!("{} {} crlf", drill.id, sample.id));
        }
    });
    changed.assert_at_most(0.005);
}

#[test]
fn bullets_change_nothing() {
    let mut changed = Rate::default();
    Course::load().each(|drill, scorer, _| {
        for sample in drill.samples.iter().filter(|s| s.kind != SampleKind::Attack) {
            // notes without full stops are statements of their own only where bullets say so
            let ended = |s: String| if s.ends_with(['.', '!', '?', ';', ':']) { s } else { s + "." };
            let parts: Vec<String> = sentences(&sample.answer).into_iter().map(ended).collect();
            let flat = parts.join("\n");
            let plain = verdicts(scorer, &flat);
            for bullet in ["- ", "* ", "\u{2022} ", "1. "] {
                let listed: Vec<String> = parts.iter().map(|s| format!("{bullet}{s}")).collect();
                changed.count(verdicts(scorer, &listed.join("\n")) != plain, || {
                    format!("{} {} {bullet}", drill.id, sample.id)
                });
            }
        }
    });
    changed.assert_at_most(0.0);
}

#[test]
fn british_and_american_spelling_are_alike() {
    let pairs = [
        ("optimizer", "optimiser"),
        ("synchroniz", "synchronis"),
        ("neighbor", "neighbour"),
        ("utilization", "utilisation"),
        ("materializ", "materialis"),
        ("initializ", "initialis"),
        ("behavior", "behaviour"),
        ("analyze", "analyse"),
        ("modeling", "modelling"),
        ("parallelize", "parallelise"),
        ("serializ", "serialis"),
        ("center", "centre"),
    ];
    each_sample(|drill, scorer, id, answer| {
        let british = pairs.iter().fold(answer.to_owned(), |t, (a, b)| t.replace(a, b));
        let american = pairs.iter().fold(answer.to_owned(), |t, (a, b)| t.replace(b, a));
        assert_eq!(verdicts(scorer, &british), verdicts(scorer, &american), "{} {id}", drill.id);
    });
}

#[test]
fn another_true_sentence_never_costs() {
    let mut fell = Rate::default();
    Course::load().each(|drill, scorer, _| {
        let truths = sentences(&drill.model);
        for sample in drill.samples.iter().filter(|s| s.kind != SampleKind::Attack) {
            let before = verdicts(scorer, &sample.answer);
            for truth in &truths {
                let after = verdicts(scorer, &format!("{}\n\n{truth}", sample.answer.trim_end()));
                let lower = after.iter().zip(&before).any(|(a, b)| a < b);
                fell.count(lower, || format!("{} {}: {truth}", drill.id, sample.id));
            }
        }
    });
    fell.assert_at_most(0.0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_text_is_scored_without_panic_and_alike_each_time(text in "\\PC{0,400}|[a-z0-9 .,;:()\\-/>=|\n]{0,600}") {
        let course = Course::shared();
        for scorer in course {
            let score = scorer.score(&text);
            prop_assert_eq!(&score, &scorer.score(&text));
            prop_assert!((0.0..=1.0).contains(&score.score));
            for e in score.parts.iter().flat_map(|p| &p.points).flat_map(|p| &p.evidence) {
                prop_assert_eq!(&e.text, &text[e.range()]);
            }
        }
    }

    #[test]
    fn pieces_of_real_answers_in_any_order_are_scored_without_panic(order in proptest::collection::vec(0usize..400, 0..30)) {
        let pieces = Course::pieces();
        let text: String = order.iter().map(|i| pieces[i % pieces.len()].as_str()).collect::<Vec<_>>().join(" ");
        for scorer in Course::shared() {
            let score = scorer.score(&text);
            prop_assert_eq!(score.words, infralens_course::score::count_words(&text));
        }
    }
}

/// What a learner reads after a drill, as statements: the model answer's sentences, every correction, and
/// what follows the colon of every feedback.
fn taught(drill: &Drill) -> Vec<String> {
    let corrections = drill.rubric.misconceptions.iter().map(|m| m.correction.clone());
    let feedback = drill.rubric.points.iter().map(|p| match p.feedback.split_once(": ") {
        Some((_, statement)) => statement.to_owned(),
        None => p.feedback.clone(),
    });
    let mut all = sentences(&drill.model);
    all.extend(corrections);
    all.extend(feedback);
    all
}

#[test]
fn what_a_drill_teaches_is_never_called_false() {
    let mut accused = Rate::default();
    Course::load().each(|drill, scorer, _| {
        for statement in taught(drill) {
            let found = scorer.score(&statement).misconceptions;
            accused.count(!found.is_empty(), || {
                format!("{} {:?}: {statement}", drill.id, found.iter().map(|m| &m.id).collect::<Vec<_>>())
            });
        }
    });
    accused.assert_at_most(0.0);
}
