//! `pack prune`: patterns without which every verdict would be the same.

use std::io::Write;

use super::super::Outcome;
use crate::doc::escape::line as escape;
use crate::pack::{Drill, Pack};
use crate::score::{Glossary, Rubric, Score, Scorer, Verdict};
use crate::study::words::some;

/// Fewer answers to a drill than these say nothing of a pattern that none of them needs.
const ENOUGH: usize = 60;

/// Takes each pattern of a drill away in turn, scores the samples and `answers` (drill and text) without it, and
/// names those whose absence changes no verdict and no false statement.
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

/// What a score decides: the verdicts, and the false statements.
fn decided(score: &Score) -> (Vec<Verdict>, Vec<String>) {
    let verdicts = score.parts.iter().map(|p| p.verdict).collect();
    (verdicts, score.misconceptions.iter().map(|m| m.id.clone()).collect())
}

fn idle_patterns(drill: &Drill, vocabulary: &Glossary, texts: &[&str]) -> Vec<Idle> {
    let all = |rubric: &Rubric| -> Vec<_> {
        let scorer = Scorer::new(rubric, vocabulary);
        texts.iter().map(|t| decided(&scorer.score(t))).collect()
    };
    let due = all(&drill.rubric);
    let mut idle = Vec::new();
    for (i, point) in drill.rubric.points.iter().enumerate() {
        for (j, pattern) in point.matches.iter().enumerate() {
            let without = changed(&drill.rubric, |r| drop(r.points[i].matches.remove(j)));
            if all(&without) == due {
                idle.push(Idle { kind: "point", id: point.id.clone(), pattern: pattern.clone() });
            }
        }
        for (j, pattern) in point.partial.iter().enumerate() {
            let without = changed(&drill.rubric, |r| drop(r.points[i].partial.remove(j)));
            if all(&without) == due {
                idle.push(Idle { kind: "partial of", id: point.id.clone(), pattern: pattern.clone() });
            }
        }
    }
    for (i, misconception) in drill.rubric.misconceptions.iter().enumerate() {
        for (j, pattern) in misconception.matches.iter().enumerate() {
            let without = changed(&drill.rubric, |r| drop(r.misconceptions[i].matches.remove(j)));
            if all(&without) == due {
                idle.push(Idle {
                    kind: "misconception",
                    id: misconception.id.clone(),
                    pattern: pattern.clone(),
                });
            }
        }
    }
    idle
}

fn changed(rubric: &Rubric, change: impl FnOnce(&mut Rubric)) -> Rubric {
    let mut rubric = rubric.clone();
    change(&mut rubric);
    rubric
}
