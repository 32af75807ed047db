//! The built-in course as a learner meets it: starters that run, honest minutes, links that lead
//! to a simulator, references, and texts that fit a terminal of 80 columns.

use crate::kit::course as kit;

use kit::course;
use std::collections::{BTreeMap, BTreeSet};
use std::process::{Command, Stdio};

use infralens::pack::{CheckKind, Lab, Lesson, ReferenceKind, prose};
use infralens::process::Cancel;
use infralens::services::run;
use infralens::study::duration;
use infralens::widget::highlight::Highlighter;
use infralens::widget::markdown::{self, Document};
use infralens::widget::theme::{Palette, Theme};

/// The columns of a text on a terminal of 80: one on each side is left free.
const PANE: u16 = 78;
/// Words of this course that a reader takes in a minute.
const WORDS_A_MINUTE: usize = 200;
/// Processor seconds that a starter may take.
const SECONDS: u32 = 2;

fn labs() -> impl Iterator<Item = (&'static Lesson, &'static Lab)> {
    let lessons = course().lessons.iter();
    lessons.flat_map(|lesson| lesson.labs.iter().map(move |lab| (lesson, lab)))
}

#[expect(clippy::print_stdout, reason = "a test that is skipped says so")]
fn has_python() -> bool {
    let mut python = Command::new("python3");
    python.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    let found = python.status().is_ok_and(|status| status.success());
    if !found {
        println!("skipped: there is no python3 to run starters with");
    }
    found
}

/// The starter, with a limit on its processor seconds set by itself, where the system knows such.
fn within_limit(starter: run::Starter) -> run::Starter {
    let limit = format!(
        "try:\n    import resource\n    resource.setrlimit(resource.RLIMIT_CPU, ({SECONDS}, {SECONDS}))\n\
         except ImportError:\n    pass\n"
    );
    run::Starter { text: limit + &starter.text, ..starter }
}

#[test]
fn every_starter_prints_its_stored_output() {
    let starters = run::starters(course());
    assert_eq!(starters.len(), 11);
    assert!(starters.iter().all(|s| s.python && s.expected.is_some()));
    if !has_python() {
        return;
    }
    for starter in starters {
        let (lab, stored) = (starter.lab.clone(), starter.expected.clone());
        let ran = run::run(0, within_limit(starter), &Cancel::default());
        assert_eq!(ran.note, None, "{lab} ends by itself within {SECONDS} s");
        assert_eq!(Some(ran.output), stored, "{lab}");
    }
}

#[test]
fn a_starter_that_runs_on_is_stopped() {
    if !has_python() {
        return;
    }
    let endless = run::Starter {
        lab: "endless".into(),
        file: "endless.py".into(),
        text: "while True: pass\n".into(),
        python: true,
        expected: None,
    };
    assert!(run::run(0, within_limit(endless), &Cancel::default()).note.is_some());
}

fn words(text: &str) -> usize {
    let is_word = |w: &&str| w.contains(char::is_alphanumeric);
    text.split_whitespace().filter(is_word).count()
}

/// The text up to a heading.
fn before<'a>(text: &'a str, heading: &str) -> &'a str {
    text.split(heading).next().unwrap_or(text)
}

/// What a lab takes: its text and notes, three seconds a line of code, a minute a prediction.
fn lab_minutes(lesson: &Lesson, lab: &Lab) -> f64 {
    let prose = prose::lab(lab, lesson);
    let notes = lab.blocks.iter().flat_map(|b| &b.notes).map(|n| words(&n.text));
    let read = words(before(&prose, "## Changes to try"))
        + notes.sum::<usize>()
        + lab.predictions.iter().map(|p| words(&p.answer)).sum::<usize>();
    let code = lab.starter.text.lines().filter(|l| !l.trim().is_empty()).count();
    read as f64 / WORDS_A_MINUTE as f64 + code as f64 / 20.0 + lab.predictions.len() as f64
}

#[test]
fn minutes_are_what_the_texts_take() {
    let mut faults = Vec::new();
    let mut expect = |id: &str, stated: u32, takes: f64| {
        if (f64::from(stated) - takes).abs() > 1.5 {
            faults.push(format!("{id} states {stated} minutes and takes {takes:.1}"));
        }
    };
    for lesson in &course().lessons {
        // what is said of a figure is heard instead of it, not read beside it
        let text: Vec<String> = prose::section(course(), lesson)
            .lines()
            .map(|line| if line.starts_with("```") { String::new() } else { line.to_owned() })
            .collect();
        let text = text.join("\n");
        let read = words(before(&text, "## Read on")) as f64 / WORDS_A_MINUTE as f64;
        expect(&lesson.id, lesson.minutes, read);
    }
    for (lesson, lab) in labs() {
        expect(&lab.id, lab.minutes, lab_minutes(lesson, lab));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_lesson_with_its_lab_and_checks_is_an_evenings_work() {
    let index = course().index();
    for lesson in index.lessons.iter() {
        // its drills are for other evenings
        let drills: u32 = index.drills_of(&lesson.id).map(|drill| drill.minutes).sum();
        let minutes = duration::lesson(index, lesson) - drills;
        let (least, most) = match (&lesson.id[..], lesson.labs.len()) {
            // Two labs and the worksheets of a whole design.
            ("3d", _) => (60, 90),
            // A second lab: a trace to read.
            ("interview", _) => (45, 55),
            (_, 0) => (15, 30),
            _ => (30, 45),
        };
        let id = &lesson.id;
        assert!((least..=most).contains(&minutes), "{id} takes {minutes} minutes, not {least} to {most}");
    }
}

#[test]
fn every_lesson_begins_with_a_picture() {
    for lesson in &course().lessons {
        let mut placed = lesson.section.problem.lines().filter_map(prose::placement);
        assert!(placed.any(|(kind, _)| kind == "diagram"), "{} states its problem without one", lesson.id);
    }
}

#[test]
fn words_stand_behind_the_text() {
    for lesson in course().lessons.iter().filter(|l| !l.section.terms.is_empty()) {
        let text = prose::section(course(), lesson);
        let at = |heading| text.find(heading).unwrap_or_else(|| panic!("{} has no {heading}", lesson.id));
        assert!(at("## What problem") < at("## How it works"), "{}", lesson.id);
        assert!(at("## What to say") < at("## Words"), "{} opens with definitions", lesson.id);
        let pieces = text.lines().filter(|l| prose::placement(l).is_some());
        assert_eq!(pieces.count(), 0, "{} leaves a piece unplaced", lesson.id);
    }
}

#[test]
fn every_lesson_cites_five_sources_of_all_kinds() {
    let mut kinds: BTreeMap<&str, ReferenceKind> = BTreeMap::new();
    for lesson in &course().lessons {
        let own = &lesson.section.references;
        assert!(own.len() >= 5, "{} has {} references", lesson.id, own.len());
        for kind in [ReferenceKind::Official, ReferenceKind::Paper, ReferenceKind::Practical] {
            assert!(own.iter().any(|r| r.kind == kind), "{} has no {kind:?} reference", lesson.id);
        }
        for r in own.iter().chain(lesson.labs.iter().flat_map(|l| &l.further)) {
            assert!(!r.title.is_empty() && !r.authors.is_empty(), "{}", r.url);
            assert!((1990..2100).contains(&r.year), "{}", r.url);
            let before = *kinds.entry(&r.url).or_insert(r.kind);
            assert_eq!(before, r.kind, "{} is of one kind everywhere", r.url);
        }
    }
}

#[test]
fn every_kind_of_simulator_is_reached_from_its_lesson() {
    let homes = [
        ("buckets", "ddp"),
        ("ring", "allreduce"),
        ("zero", "zero-fsdp"),
        ("tp", "tp"),
        ("pipeline", "pp"),
        ("context", "sp-cp"),
        ("experts", "ep"),
        ("mesh", "3d"),
        ("step", "overview"),
        ("ring", "topology"),
        ("step", "3d"),
    ];
    let all: BTreeSet<&str> = homes.iter().map(|(kind, _)| *kind).collect();
    let known: BTreeSet<&str> = infralens::sim::KINDS.iter().map(|k| k.name).collect();
    assert_eq!(all, known);
    for (kind, id) in homes {
        let lesson = course().lesson(id).expect(id);
        let formulas = lesson.section.formulas.iter().filter_map(|f| f.sim.as_ref());
        let mut sims = formulas.chain(lesson.labs.iter().flat_map(|l| &l.sims));
        assert!(sims.any(|s| s.kind == kind && s.note.is_some()), "{id} does not open {kind}");
    }
}

#[test]
fn every_lesson_says_which_drills_it_prepares_for() {
    for lesson in &course().lessons {
        let text = &lesson.section.say;
        for drill in course().drills_of(&lesson.id) {
            let link = format!("(drill:{})", drill.id);
            assert!(text.contains(&link), "{} does not link {}", lesson.id, drill.id);
        }
    }
}

/// All texts of the course that a reading pane shows, with where they stand.
fn texts() -> Vec<(String, String)> {
    let pack = course();
    let mut out: Vec<(String, String)> = Vec::new();
    for lesson in &pack.lessons {
        out.push((lesson.id.clone(), prose::section(pack, lesson)));
    }
    for (lesson, lab) in labs() {
        out.push((lab.id.clone(), prose::lab(lab, lesson)));
        out.push((lab.id.clone(), prose::predictions(lab)));
        let notes = lab.blocks.iter().flat_map(|b| &b.notes);
        out.extend(notes.map(|n| (lab.id.clone(), n.text.clone())));
    }
    for check in &pack.checks {
        out.push((check.id.clone(), check.question.clone()));
        out.push((check.id.clone(), check.explain.clone()));
        out.extend(check.hints.iter().map(|h| (check.id.clone(), h.clone())));
        if let CheckKind::Choice(options) = &check.kind {
            let why = options.iter().filter_map(|o| o.why.as_ref());
            out.extend(why.map(|w| (check.id.clone(), w.clone())));
        }
    }
    for drill in &pack.drills {
        out.push((drill.id.clone(), drill.prompt.clone()));
        out.push((drill.id.clone(), drill.model.clone()));
        let answers = drill.follow_ups.iter().filter_map(|f| f.answer.as_ref());
        out.extend(answers.map(|a| (drill.id.clone(), a.clone())));
        out.extend(drill.follow_ups.iter().map(|f| (drill.id.clone(), f.ask.clone())));
    }
    for term in &pack.terms {
        out.push((term.id.clone(), prose::term(pack, &term.id).unwrap_or_default()));
    }
    out
}

#[test]
fn nothing_is_wider_than_a_pane_of_80_columns() {
    let theme = Theme::new(Palette::Mono, false);
    let highlighter = Highlighter::off();
    let mut faults = BTreeSet::new();
    for (id, text) in texts() {
        let page = markdown::render(&Document::parse(&text), PANE, &theme, &highlighter);
        for (_, line) in &page.cut {
            faults.insert(format!("{id} has a line of {} columns: {line}", line.width()));
        }
        for line in page.lines.iter().filter(|l| l.width() > usize::from(PANE)) {
            faults.insert(format!("{id}: {line}"));
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn every_term_leads_to_its_definition() {
    let theme = Theme::new(Palette::Mono, false);
    let highlighter = Highlighter::off();
    let mut seen = BTreeSet::new();
    for (id, text) in texts() {
        let page = markdown::render(&Document::parse(&text), PANE, &theme, &highlighter);
        for link in page.links {
            let is_there = match link.target.split_once(':') {
                Some(("lesson" | "checks", to)) => course().lesson(to).is_some(),
                Some(("lab", to)) => course().lab(to).is_some(),
                Some(("drill", to)) => course().drill(to).is_some(),
                Some(("puzzle", to)) => course().puzzle(to).is_some(),
                Some(("check", to)) => course().check(to).is_some(),
                Some(("sim", _) | ("https", _)) => true,
                Some(("term", to)) => course().term(to).is_some(),
                _ => {
                    seen.insert(link.target.clone());
                    course().term(&link.target).is_some()
                }
            };
            assert!(is_there, "{id}: {} leads nowhere", link.target);
        }
    }
    assert!(seen.len() >= 100, "only {} terms are linked", seen.len());
    for term in &course().terms {
        assert!(term.lesson.is_some(), "{} is taught nowhere", term.id);
    }
}

#[test]
fn samples_are_scored_as_their_authors_expect() {
    let mut out = Vec::new();
    let outcome = infralens::cmd::pack_test::run(course(), None, false, &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    let fails: Vec<&str> = text.lines().filter(|line| line.starts_with("  fails: ")).collect();
    assert_eq!(outcome, infralens::cmd::Outcome::Done, "{fails:#?}");
    let last = text.lines().last().unwrap();
    let kappa: f64 = last.split("kappa ").nth(1).unwrap().split(',').next().unwrap().parse().unwrap();
    assert!(kappa >= 0.85, "{last}");
}

#[test]
fn the_section_that_explains_a_part_is_found_by_its_words() {
    let bubble =
        "Interleaving gives each rank several chunks of layers, so the bubble shrinks by their number.";
    let pipelines = course().lesson("pp").unwrap();
    let found = infralens::study::explain::section(course(), pipelines, &[bubble.to_owned()]).unwrap();
    assert!(found.starts_with("Interleaved"), "{found}");
    // every part of every drill has one, and not always the first
    let mut titles = BTreeSet::new();
    for drill in &course().drills {
        let lesson = course().lesson(&drill.lesson).unwrap();
        for part in &drill.rubric.parts {
            let says: Vec<String> =
                drill.rubric.points.iter().filter(|p| p.part == *part).map(|p| p.feedback.clone()).collect();
            let title = infralens::study::explain::section(course(), lesson, &says);
            titles.insert(title.unwrap_or_else(|| panic!("{} {part}", drill.id)));
        }
    }
    assert!(titles.len() > 30, "{titles:?}");
}

#[test]
fn an_answer_with_two_points_in_full_is_not_told_that_it_answers_another_question() {
    let said = "ZeRO-1 splits only the optimizer states. ZeRO-2 also splits gradients. ZeRO-3 keeps a full copy of \
        the parameters on each GPU and sends nothing more than ZeRO-1. It has no downside so I always use ZeRO-3. \
        Communication in ZeRO-3 is half of ZeRO-1.";
    let drill = course().drill("zero1-to-zero3").unwrap();
    let score = infralens::score::score(&drill.rubric, &course().vocabulary, said);
    assert!(!score.flags.contains(&infralens::score::Flag::OffTopic), "{:?}", score.flags);
}
