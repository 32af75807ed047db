//! A small pack for tests: three lessons, two drills each.
#![allow(dead_code, missing_docs, clippy::unwrap_used)]

use std::borrow::Cow;

use infralens_course::pack::index::Index;
use infralens_course::pack::{Body, Drill, Embedded, Lesson, Level, Origin, Pack, Section, default_parts};
use infralens_course::score::{FollowUp, Glossary, Point, Rubric};

static NO_INDEX: Index = Index {
    id: Cow::Borrowed("course"),
    title: Cow::Borrowed("Course"),
    version: Cow::Borrowed("1.0.0"),
    about: Cow::Borrowed("A course."),
    parts: Cow::Borrowed(&[]),
    lessons: Cow::Borrowed(&[]),
    drills: Cow::Borrowed(&[]),
    checks: Cow::Borrowed(&[]),
    puzzles: Cow::Borrowed(&[]),
};
static NO_FILES: Embedded = Embedded { files: &[], index: &NO_INDEX, digest: 0 };

pub const LESSONS: [&str; 3] = ["ddp", "zero", "tp"];

pub fn pack() -> Pack {
    named("course", "Course")
}

pub fn named(id: &str, title: &str) -> Pack {
    Pack::of(body(id, title))
}

fn body(id: &str, title: &str) -> Body {
    Body {
        id: id.into(),
        title: title.into(),
        version: "1.0.0".into(),
        authors: vec![],
        licence: "MIT".into(),
        about: "A course.".into(),
        origin: Origin::BuiltIn(&NO_FILES),
        parts: default_parts(),
        lessons: LESSONS.iter().map(|id| lesson(id)).collect(),
        drills: LESSONS.iter().flat_map(|l| [1, 2].map(|n| drill(l, n))).collect(),
        checks: vec![],
        puzzles: vec![],
        terms: vec![],
        vocabulary: Glossary::default(),
    }
}

pub fn lesson(id: &str) -> Lesson {
    Lesson {
        id: id.into(),
        title: id.to_uppercase(),
        summary: format!("Explain {id}."),
        minutes: 20,
        asked: None,
        job: vec![],
        needs: vec![],
        section: Section {
            problem: "Memory.".into(),
            mechanism: "Shards.".into(),
            say: "Say it.".into(),
            terms: vec![],
            formulas: vec![],
            diagrams: vec![],
            tables: vec![],
            misunderstandings: vec![],
            references: vec![],
        },
        labs: vec![],
    }
}

pub fn drill(lesson: &str, number: u32) -> Drill {
    let id = format!("{lesson}-{number}");
    let parts: Vec<String> = default_parts().into_iter().map(|p| p.id).collect();
    let point = |part: &String| Point {
        id: format!("{part}-1"),
        part: part.clone(),
        matches: vec![format!("{part} word")],
        partial: vec![],
        feedback: format!("say the {part}"),
        ..Point::default()
    };
    Drill {
        id: id.clone(),
        lesson: lesson.into(),
        prompt: format!("Explain {id}."),
        level: Level::Mid,
        minutes: 5,
        model: "A model answer.".into(),
        rubric: Rubric {
            drill: id.clone(),
            prompt: format!("Explain {id}."),
            points: parts.iter().map(point).collect(),
            parts,
            misconceptions: vec![],
            ..Rubric::default()
        },
        follow_ups: [
            ("mechanism", format!("How does {id} move data?")),
            ("tradeoff", format!("What does {id} cost?")),
            ("measurement", format!("How would you measure {id}?")),
        ]
        .map(|(part, ask)| FollowUp { part: part.into(), ask, ..FollowUp::default() })
        .into(),
        samples: vec![],
    }
}
