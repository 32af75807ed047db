//! `pack prune`: patterns without which nothing that is said of any answer would change.

use std::io::Write;

use super::super::Outcome;
use crate::doc::escape::line as escape;
use crate::pack::{Drill, Pack};
use crate::score::{Glossary, Rubric, Score, Scorer, Verdict};
use crate::study::words::some;

/// Fewer answers to a drill than these say nothing of a pattern that none of them needs.
const ENOUGH: usize = 60;

/// Takes the patterns of a drill away one after the other, scores the samples and `answers` (drill and text) without
/// them, and names those that can go together: no verdict, no point and no false statement changes.
///
/// # Errors
/// Where the pack has no such drill, or the output cannot be written.
pub fn run(
    pack: &Pack,
    only: Option<&str>,
    answers: &[(String, String)],
    out: &mut dyn Write,
) -> anyhow::Result<Outcome> {
    if let Some(id) = only.filter(|id| pack.drill(id).is_none()) {
        anyhow::bail!(
            "the pack `{}` has no drill `{}`; `infralens list drills` names them",
            escape(&pack.id),
            escape(id)
        );
    }
    let (mut all, mut idle, mut few) = (0, 0, false);
    for drill in pack.drills.iter().filter(|d| only.is_none_or(|id| d.id == id)) {
        let qualified = format!("{}:{}", pack.id, drill.id);
        let is_own = |id: &str| id == drill.id || id == qualified;
        let own = answers.iter().filter(|(id, _)| is_own(id)).map(|(_, text)| text.as_str());
        let texts: Vec<&str> = drill.samples.iter().map(|s| s.answer.as_str()).chain(own).collect();
        let found = idle_patterns(drill, &pack.vocabulary, &texts);
        let patterns = drill.rubric.patterns();
        writeln!(
            out,
            "{}: {} of {patterns} patterns decide nothing in {}{}",
            escape(&drill.id),
            found.len(),
            some(texts.len(), "answer"),
            if texts.len() < ENOUGH { ": too few to take any away for that" } else { "" }
        )?;
        few |= texts.len() < ENOUGH;
        for place in &found {
            writeln!(out, "  {} {}: {}", place.kind, escape(&place.id), escape(&place.pattern))?;
        }
        all += patterns;
        idle += found.len();
    }
    writeln!(out, "{idle} of {all} patterns decide nothing.")?;
    if few {
        writeln!(
            out,
            "Do not delete them yet: a few answers prove little, since a pattern may find what none of them says. \
             Collect {ENOUGH} answers per drill or more, written by other people, and pass them with --answers."
        )?;
    }
    Ok(Outcome::Done)
}

/// A pattern in its rubric.
struct Idle {
    kind: &'static str,
    id: String,
    pattern: String,
}

/// Where the patterns of a rubric stand, those of points first.
#[derive(Clone, Copy)]
enum List {
    Point(usize),
    Partial(usize),
    Misconception(usize),
}

impl List {
    fn kind(self) -> &'static str {
        match self {
            List::Point(_) => "point",
            List::Partial(_) => "partial of",
            List::Misconception(_) => "misconception",
        }
    }

    fn id(self, rubric: &Rubric) -> &str {
        match self {
            List::Point(i) | List::Partial(i) => &rubric.points[i].id,
            List::Misconception(i) => &rubric.misconceptions[i].id,
        }
    }

    fn of(self, rubric: &mut Rubric) -> &mut Vec<String> {
        match self {
            List::Point(i) => &mut rubric.points[i].matches,
            List::Partial(i) => &mut rubric.points[i].partial,
            List::Misconception(i) => &mut rubric.misconceptions[i].matches,
        }
    }
}

/// What a score says to a person: the verdicts, the points that are met or half met, and the false statements.
fn decided(score: &Score) -> (Vec<Verdict>, Vec<(bool, bool)>, Vec<String>) {
    let verdicts = score.parts.iter().map(|p| p.verdict).collect();
    let points = score.parts.iter().flat_map(|p| &p.points).map(|p| (p.met, p.partial)).collect();
    (verdicts, points, score.misconceptions.iter().map(|m| m.id.clone()).collect())
}

/// The patterns that can go together, the last of a list first, since it was added to those before it.
fn idle_patterns(drill: &Drill, vocabulary: &Glossary, texts: &[&str]) -> Vec<Idle> {
    let all = |rubric: &Rubric| -> Vec<_> {
        let scorer = Scorer::new(rubric, vocabulary);
        texts.iter().map(|t| decided(&scorer.score(t))).collect()
    };
    let due = all(&drill.rubric);
    let points = (0..drill.rubric.points.len()).flat_map(|i| [List::Point(i), List::Partial(i)]);
    let lists = points.chain((0..drill.rubric.misconceptions.len()).map(List::Misconception));
    let (mut rest, mut idle) = (drill.rubric.clone(), Vec::new());
    for list in lists {
        for at in (0..list.of(&mut rest).len()).rev() {
            let mut without = rest.clone();
            let pattern = list.of(&mut without).remove(at);
            if all(&without) == due {
                idle.push(Idle { kind: list.kind(), id: list.id(&rest).to_owned(), pattern });
                rest = without;
            }
        }
    }
    idle
}
