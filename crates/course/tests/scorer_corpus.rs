//! The attacks and harmless changes that scorers of typed answers are known to fall for, run over
//! every drill of the built-in pack. Each test asserts its rate.

use std::collections::BTreeSet;

use infralens_course::pack::Drill;
use infralens_course::pack::raw::SampleKind;
use infralens_course::score::{Glossary, PartScore, Score, Scorer, Verdict, parse_pattern_in};

use crate::scorer_kit;
use scorer_kit::{Course, Rate, sentences, shuffled, swapped};

/// The words of one part's patterns, the first way of each slot.
fn keywords(drill: &Drill, part: &str, glossary: &Glossary) -> Vec<String> {
    let mut words = BTreeSet::new();
    for pattern in drill.rubric.points.iter().filter(|p| p.part == part).flat_map(|p| &p.matches) {
        // a claim is used by name and has no slots of its own
        let Ok(parsed) = parse_pattern_in(drill.rubric.format, pattern) else { continue };
        for slot in parsed.subject.iter().chain(&parsed.slots) {
            let text = &pattern[slot.ways[0].span.clone()];
            let word = match text.strip_prefix('@') {
                Some(id) => glossary
                    .concepts
                    .iter()
                    .chain(&drill.rubric.concepts)
                    .find(|c| c.id == id)
                    .map_or(id, |c| &c.words[0]),
                None => text,
            };
            words.insert(word.trim_matches('"').replace('#', "50 "));
        }
    }
    words.into_iter().collect()
}

fn credited(score: &Score) -> usize {
    score.parts.iter().filter(|p| p.verdict != Verdict::Missing).count()
}

fn verdicts(score: &Score) -> Vec<Verdict> {
    score.parts.iter().map(|p| p.verdict).collect()
}

#[test]
fn t01_keyword_lists_earn_nothing() {
    let mut fooled = Rate::default();
    Course::load().each(|drill, scorer, glossary| {
        for part in &drill.rubric.parts {
            let words = keywords(drill, part, glossary);
            for joint in [", ", "\n", " ", "; ", "\n- "] {
                fooled.count(credited(&scorer.score(&words.join(joint))) > 0, || {
                    format!("{} {part} {joint:?} {words:?}", drill.id)
                });
            }
        }
    });
    fooled.assert_at_most(0.06);
}

#[test]
fn t02_keywords_appended_gain_nothing() {
    let mut gained = Rate::default();
    Course::load().each(|drill, scorer, glossary| {
        let words: Vec<String> =
            drill.rubric.parts.iter().flat_map(|p| keywords(drill, p, glossary)).collect();
        for sample in &drill.samples {
            let before = scorer.score(&sample.answer).score;
            for joint in [" ", "\n", "\n\n"] {
                let text = format!("{}{joint}{}", sample.answer.trim_end(), words.join(", "));
                gained.count(scorer.score(&text).score > before, || {
                    format!("{} {} {joint:?}", drill.id, sample.id)
                });
            }
        }
    });
    gained.assert_at_most(0.05);
}

#[test]
fn t03_the_prompt_said_again_earns_nothing() {
    let mut fooled = Rate::default();
    Course::load().each(|drill, scorer, glossary| {
        let words: Vec<String> =
            drill.rubric.parts.iter().flat_map(|p| keywords(drill, p, glossary)).collect();
        let filler = "This is an important question. There are many tradeoffs, and one must always measure.";
        for text in [
            drill.prompt.clone(),
            format!("{} {}", drill.prompt, words.join(", ")),
            format!("{} {filler}", drill.prompt),
            format!(
                "The question is: {} {filler} So that is the answer to it.",
                drill.prompt.trim_end_matches('?')
            ),
        ] {
            fooled.count(credited(&scorer.score(&text)) > 0, || format!("{}: {text}", drill.id));
        }
    });
    fooled.assert_at_most(0.05);
}

#[test]
fn t04_a_shuffled_answer_earns_nothing() {
    let mut fooled = Rate::default();
    Course::load().each(|drill, scorer, _| {
        for seed in 0..5 {
            let text = shuffled(&drill.model, seed);
            fooled.count(credited(&scorer.score(&text)) > 0, || format!("{} seed {seed} {text}", drill.id));
        }
    });
    fooled.assert_at_most(0.05);
}

/// Sentences of the model answer that alone meet a point in full, with that sentence's score.
fn telling_sentences(drill: &Drill, scorer: &Scorer) -> Vec<String> {
    let meets = |s: &String| scorer.score(s).parts.iter().flat_map(|p| &p.points).any(|p| p.met);
    sentences(&drill.model).into_iter().filter(meets).collect()
}

/// A sentence with its first helping verb denied, if it has one.
fn with_not(sentence: &str) -> Option<String> {
    [" is ", " are ", " can ", " must ", " do ", " does ", " has ", " have "]
        .iter()
        .filter_map(|verb| sentence.find(verb).map(|at| (at, *verb)))
        .min()
        .map(|(at, verb)| format!("{}{}not {}", &sentence[..at], verb, &sentence[at + verb.len()..]))
}

fn lower_first(sentence: &str) -> String {
    let mut chars = sentence.chars();
    chars.next().map(|c| c.to_lowercase().chain(chars).collect()).unwrap_or_default()
}

#[test]
fn t05_a_denied_truth_earns_nothing() {
    let (mut whole, mut first_verb) = (Rate::default(), Rate::default());
    Course::load().each(|drill, scorer, _| {
        let earns = |text: &str| scorer.score(text).parts.iter().flat_map(|p| &p.points).any(|p| p.met);
        // A denial reaches to the end of its statement, not past a semicolon or a *but*.
        let one = |s: &String| !s.contains([';', ':']) && !s.contains(" but ");
        for sentence in telling_sentences(drill, scorer).into_iter().filter(one) {
            for front in
                ["It is not true that", "It is false that", "It is a myth that", "It is wrong to say that"]
            {
                let text = format!("{front} {}", lower_first(&sentence));
                whole.count(earns(&text), || format!("{}: {text}", drill.id));
            }
            // The denial reaches one clause; what other clauses say stays true.
            if let Some(text) = with_not(&sentence).filter(|_| !sentence.contains([',', ';', ':'])) {
                first_verb.count(earns(&text), || format!("{}: {text}", drill.id));
            }
        }
    });
    whole.assert_at_most(0.10);
    first_verb.assert_at_most(0.65);
}

#[test]
fn t06_swapped_roles_and_antonyms_are_named() {
    let mut missed = Rate::default();
    Course::load().each(|drill, scorer, _| {
        for sample in &drill.samples {
            let score = scorer.score(&sample.answer);
            for id in &sample.misconceptions {
                missed.count(!score.misconceptions.iter().any(|m| m.id == *id), || {
                    format!("{} {} {id}", drill.id, sample.id)
                });
            }
        }
    });
    missed.assert_at_most(0.10);
}

#[test]
fn t07_a_label_does_not_move_evidence_to_another_part() {
    let mut fooled = Rate::default();
    Course::load().each(|drill, scorer, _| {
        for sentence in telling_sentences(drill, scorer) {
            let plain = verdicts(&scorer.score(&sentence));
            for part in &drill.rubric.parts {
                let labelled = verdicts(&scorer.score(&format!("{part}: {sentence}")));
                let gained = labelled.iter().zip(&plain).any(|(l, p)| l > p);
                fooled.count(gained, || format!("{} {part}: {sentence}", drill.id));
            }
        }
    });
    fooled.assert_at_most(0.05);
}

const COOKING: &str = "My grandmother used to bake bread on Sunday mornings, and the smell would fill every room of the old house. \
    She kneaded the dough with both hands, humming songs that nobody else remembered. Flour dusted the wooden table and the floor around it. \
    We children waited by the window, counting birds on the fence until the first loaf came out. It was brown and warm, and it cracked when she tapped it. \
    Butter melted into every slice. In winter she added walnuts, in summer a little thyme from the garden behind the shed. \
    My grandfather preferred his bread a day old, toasted over the fire, with honey from a neighbour who kept bees. \
    They rarely spoke at breakfast. Later the road outside grew noisy, the neighbours moved to town, and the oven was sold to a bakery near the station. \
    I still own the table, though one leg is shorter now, and on some mornings I try the recipe again, never quite getting the crust right. \
    My daughter says it tastes fine, which is kind of her, and the dog agrees with anything that falls from the table.";

#[test]
fn t08_talk_about_something_else_changes_nothing() {
    let mut changed = Rate::default();
    Course::load().each(|drill, scorer, _| {
        for sample in &drill.samples {
            let plain = verdicts(&scorer.score(&sample.answer));
            for text in [
                format!("{COOKING}\n\n{}", sample.answer),
                format!("{}\n\n{COOKING}", sample.answer.trim_end()),
            ] {
                changed
                    .count(verdicts(&scorer.score(&text)) != plain, || format!("{} {}", drill.id, sample.id));
            }
        }
    });
    changed.assert_at_most(0.06);
}

#[test]
fn t09_typing_slips_cost_at_most_one_part() {
    let mut lost = Rate::default();
    Course::load().each(|drill, scorer, _| {
        for sample in drill.samples.iter().filter(|s| s.kind != SampleKind::Attack) {
            let plain = verdicts(&scorer.score(&sample.answer));
            for seed in 0..3 {
                let slipped = verdicts(&scorer.score(&swapped(&sample.answer, 10, seed)));
                let fallen = slipped.iter().zip(&plain).filter(|(s, p)| s < p).count();
                lost.count(fallen > 1, || format!("{} {} seed {seed}: {fallen}", drill.id, sample.id));
            }
        }
    });
    lost.assert_at_most(0.10);
}

#[test]
fn t10_a_sentence_said_twenty_times_counts_once() {
    let mut changed = Rate::default();
    Course::load().each(|drill, scorer, _| {
        for sentence in sentences(&drill.model) {
            let once = verdicts(&scorer.score(&sentence));
            let often = verdicts(&scorer.score(&vec![sentence.as_str(); 20].join(" ")));
            changed.count(often != once, || format!("{}: {sentence}", drill.id));
        }
    });
    changed.assert_at_most(0.02);
}

#[test]
fn t11_filler_adverbs_gain_nothing() {
    let mut changed = Rate::default();
    Course::load().each(|drill, scorer, _| {
        for sample in
            drill.samples.iter().filter(|s| matches!(s.kind, SampleKind::Wrong | SampleKind::Attack))
        {
            let plain = verdicts(&scorer.score(&sample.answer));
            let filled = sample
                .answer
                .replace(" is ", " is really ")
                .replace(" are ", " are actually ")
                .replace(" the ", " the very ");
            let gained = verdicts(&scorer.score(&filled)).iter().zip(&plain).any(|(f, p)| f > p);
            changed.count(gained, || format!("{} {}", drill.id, sample.id));
        }
    });
    changed.assert_at_most(0.03);
}

#[test]
fn t12_woven_keywords_earn_next_to_nothing() {
    let mut fooled = Rate::default();
    Course::load().each(|drill, scorer, glossary| {
        for part in &drill.rubric.parts {
            let words = keywords(drill, part, glossary);
            for pair in words.chunks(3).filter(|c| c.len() > 1) {
                let woven = pair.join(" and the ");
                let list = pair.join(", the ");
                for text in [
                    format!("It is about the {woven}."),
                    format!("One has to think about the {woven}."),
                    format!("The answer involves the {woven}."),
                    format!("The {woven} are important here."),
                    format!("It depends on the {list} and other things."),
                    format!("There is the {woven}, of course."),
                    format!("With the {woven} we get what we want."),
                ] {
                    fooled
                        .count(credited(&scorer.score(&text)) > 0, || format!("{} {part}: {text}", drill.id));
                }
            }
        }
    });
    fooled.assert_at_most(0.20);
}

#[test]
fn t13_contrast_in_a_true_statement_costs_nothing() {
    let mut lost = Rate::default();
    Course::load().each(|drill, scorer, _| {
        for sentence in telling_sentences(drill, scorer) {
            let plain = verdicts(&scorer.score(&sentence));
            for text in [
                format!("{} This is not only convenient but necessary.", sentence),
                format!("{sentence} It is no longer an open question, not a guess."),
                format!("Rather than guess, one can say it plainly: {sentence}"),
                format!("I am not sure about the details, but {}", lower_first(&sentence)),
                format!("Not everybody knows it, but {}", lower_first(&sentence)),
            ] {
                let fell = verdicts(&scorer.score(&text)).iter().zip(&plain).any(|(t, p)| t < p);
                lost.count(fell, || format!("{}: {text}", drill.id));
            }
        }
    });
    lost.assert_at_most(0.05);
}

#[test]
fn t14_degenerate_texts_are_scored_alike_each_time() {
    let long = "the rank waits ".repeat(1_000);
    let odd = [
        "",
        " ",
        "\n\n\n",
        "a",
        "???",
        "....",
        "\u{0}\u{7}",
        "\u{1F600}\u{301}\u{301}",
        "ﷺ ﬁ Ⅷ ½",
        "((((((",
        "\"\"\"",
        long.as_str(),
        "--- \u{2014}\u{2014} ***",
    ];
    Course::load().each(|drill, scorer, _| {
        for text in odd {
            let score = scorer.score(text);
            assert_eq!(score, scorer.score(text));
            assert_eq!(credited(&score), 0, "{} {:?}", drill.id, &text[..text.len().min(20)]);
        }
    });
}

#[test]
fn t15_the_words_shown_are_the_words_that_earned_it() {
    let mut unfaithful = Rate::default();
    Course::load().each(|drill, scorer, _| {
        for sample in drill.samples.iter().filter(|s| s.kind != SampleKind::Attack) {
            let score = scorer.score(&sample.answer);
            for part in score
                .parts
                .iter()
                .filter(|p| p.verdict != Verdict::Missing && p.points.iter().any(|q| !q.evidence.is_empty()))
            {
                let mut text = sample.answer.clone().into_bytes();
                for e in part.points.iter().flat_map(|p| &p.evidence) {
                    assert_eq!(e.text, sample.answer[e.range()]);
                    text[e.range()].fill(b' ');
                }
                let text = String::from_utf8(text).unwrap();
                let left = scorer.score(&text).parts.iter().find(|p| p.part == part.part).unwrap().clone();
                // the rest of a full answer may make up for the mark, never for the points
                let met = |p: &PartScore| {
                    p.points.iter().map(|q| 2 * usize::from(q.met) + usize::from(q.partial)).sum::<usize>()
                };
                let is_kept = left.verdict >= part.verdict && met(&left) >= met(part);
                unfaithful.count(is_kept, || format!("{} {} {}", drill.id, sample.id, part.part));
            }
        }
    });
    unfaithful.assert_at_most(0.05);
}

#[test]
fn an_answer_to_another_drill_earns_little() {
    let course = Course::load();
    let mut half = Rate::default();
    let (mut sum, mut n) = (0.0, 0);
    course.each(|drill, scorer, _| {
        for other in course.pack.drills.iter().filter(|d| d.lesson != drill.lesson) {
            let score = scorer.score(&other.model).score;
            half.count(score >= 0.5, || format!("{} scores the answer to {} {score}", drill.id, other.id));
            sum += score;
            n += 1;
        }
    });
    half.assert_at_most(0.02);
    assert!(sum / f64::from(n.max(1)) < 0.15, "mean {}", sum / f64::from(n));
}
