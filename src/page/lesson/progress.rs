//! What a lesson leads to, and what was done of it.

use super::*;

/// The simulators of a lesson, each kind once: the title, and where the first link to it leads.
pub(super) fn sim_links(lesson: &LessonOf) -> impl Iterator<Item = (&'static str, Place)> {
    let mut seen: Vec<&str> = Vec::new();
    let links = lesson.sim_links().chain(lesson.labs.iter().flat_map(Lab::sim_links));
    links.filter_map(move |(address, link)| {
        let kind = sim::kind(&link.kind).filter(|kind| !seen.contains(&kind.name))?;
        seen.push(kind.name);
        let (set, link_to) = (link.set.clone(), Some(address));
        Some((kind.title, Place::Sim { kind: kind.name.into(), set, link: link_to }))
    })
}

/// What was done of a lesson, in words.
pub fn done(pack: &Pack, lesson: &LessonOf, progress: Option<&LessonProgress>) -> String {
    let Some(LessonProgress { read, labs, drills, mean, checks, .. }) = progress else {
        return "Not begun.".into();
    };
    let mut said = vec![if *read { "Read" } else { "Not read to the end" }.to_owned()];
    let mut count = |name: &str, done: String, all: usize| {
        if all > 0 {
            said.push(format!("{name} {done} of {all}"));
        }
    };
    count("labs", labs.len().to_string(), lesson.labs.len());
    let has_sheet = pack.checks_of(&lesson.id).any(|c| matches!(c.kind, CheckKind::Worksheet(_)));
    let name = if has_sheet { "checks and worksheets right" } else { "checks right" };
    count(name, checks.to_string(), pack.checks_of(&lesson.id).count());
    count("drills that earned marks", drills.to_string(), pack.drills_of(&lesson.id).count());
    let mean = mean.map(|m| format!(", {} on average", percent(m))).unwrap_or_default();
    format!("{}{mean}.", said.join("; "))
}
