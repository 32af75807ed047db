//! What was done of a lesson, in words.

use crate::pack::{Lesson as LessonOf, Pack};
use crate::study::home::{Home, LessonProgress};
use crate::study::words::percent;

/// What was done of a lesson, in words.
pub fn done(pack: &Pack, lesson: &LessonOf, home: &Home) -> String {
    let Some(p) = home.lessons.get(&lesson.id) else {
        return "Not begun.".into();
    };
    let LessonProgress { read, labs, drills, mean, checks, .. } = p;
    let mut said = vec![if *read { "Read" } else { "Not read to the end" }.to_owned()];
    if !lesson.labs.is_empty() {
        said.push(format!("labs {} of {}", labs.len(), lesson.labs.len()));
    }
    let (all_checks, all_drills) = (pack.checks_of(&lesson.id).count(), pack.drills_of(&lesson.id).count());
    if all_checks > 0 {
        said.push(format!("checks {checks} of {all_checks}"));
    }
    if all_drills > 0 {
        let mean = mean.map(|m| format!(", on the average {}", percent(m))).unwrap_or_default();
        said.push(format!("drills {drills} of {all_drills}{mean}"));
    }
    said.join("; ") + "."
}
