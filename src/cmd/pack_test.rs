//! `pack test`: the samples of drills, scored and compared with what their author expects.

use std::io::Write;

use super::Outcome;
use crate::doc::escape::line as escape;
use crate::pack::raw::SampleKind;
use crate::pack::{Drill, Pack, Sample};
use crate::score::{Agreement, Glossary, Score, Scorer, Verdict};

/// Half marks: an attack must stay below.
const HALF: f64 = 0.5;

/// A sample with its marks.
struct Scored<'a> {
    sample: &'a Sample,
    score: Score,
    expected: f64,
}

/// Scores the samples of every drill, or of one, and the stored answers of its follow-up questions; prints the matrix, the agreement and the
/// failures. With `explain`, which pattern fired on which words.
///
/// # Errors
/// Where the drill is not in the pack, or the output cannot be written.
pub fn run(pack: &Pack, only: Option<&str>, explain: bool, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    if let Some(id) = only.filter(|id| pack.drill(id).is_none()) {
        anyhow::bail!(
            "the pack `{}` has no drill `{}`; `infralens list drills` names them",
            escape(&pack.id),
            escape(id)
        );
    }
    let mut all = Agreement::default();
    let mut failures = 0;
    for drill in pack.drills.iter().filter(|d| only.is_none_or(|id| d.id == id)) {
        let scored = score_samples(drill, &pack.vocabulary);
        let agreement = agreement(&scored);
        let mut faults = faults(&scored);
        let answers = score_answers(drill, &pack.vocabulary);
        faults.extend(answers.iter().flat_map(answer_faults));
        writeln!(
            out,
            "{}  kappa {:.3}  exact {:.1}%",
            escape(&drill.id),
            agreement.kappa(),
            100.0 * agreement.exact()
        )?;
        print_matrix(drill, &scored, out)?;
        if !answers.is_empty() {
            let right = answers.iter().filter(|a| a.verdict() == Verdict::Covered).count();
            writeln!(out, "  follow-ups: {right} of {} answers covered", answers.len())?;
        }
        for fault in &faults {
            writeln!(out, "  fails: {}", escape(fault))?;
        }
        if explain {
            scored.iter().try_for_each(|s| print_explained(&s.sample.id, &s.score, out))?;
            answers
                .iter()
                .try_for_each(|a| print_explained(&format!("follow-up on {}", a.part), &a.score, out))?;
        }
        writeln!(out)?;
        all.merge(&agreement);
        failures += faults.len();
    }
    writeln!(
        out,
        "{} verdicts, kappa {:.3}, exact {:.1}%, {failures} failures",
        all.pairs(),
        all.kappa(),
        100.0 * all.exact()
    )?;
    Ok(if failures == 0 { Outcome::Done } else { Outcome::Failed })
}

fn score_samples<'a>(drill: &'a Drill, vocabulary: &Glossary) -> Vec<Scored<'a>> {
    let scorer = Scorer::new(&drill.rubric, vocabulary);
    let scored = |sample: &'a Sample| Scored {
        sample,
        score: scorer.score(&sample.answer),
        expected: drill.rubric.parts.iter().map(|p| marks(expected(sample, p))).sum(),
    };
    drill.samples.iter().map(scored).collect()
}

/// The stored answer of a follow-up question with its marks.
struct Answered<'a> {
    part: &'a str,
    score: Score,
}

impl Answered<'_> {
    fn verdict(&self) -> Verdict {
        let part = self.score.parts.iter().find(|p| p.part == self.part);
        part.map_or(Verdict::Missing, |p| p.verdict)
    }
}

/// Scores the stored answers of follow-up questions that have patterns of their own.
fn score_answers<'a>(drill: &'a Drill, vocabulary: &Glossary) -> Vec<Answered<'a>> {
    let marked = drill.follow_ups.iter().filter(|f| f.is_marked());
    let scored = marked.filter_map(|f| {
        let scorer = drill.scorer(Some(&f.part), vocabulary);
        Some(Answered { part: &f.part, score: scorer.score(f.answer.as_deref()?) })
    });
    scored.collect()
}

/// What a stored answer shows to be wrong.
fn answer_faults(answered: &Answered<'_>) -> Vec<String> {
    let part = answered.part;
    let mut faults = Vec::new();
    if answered.verdict() != Verdict::Covered {
        let verdict = name(answered.verdict());
        faults.push(format!("follow-up on {part}: its own `answer` is {verdict}"));
    }
    for found in &answered.score.misconceptions {
        let id = &found.id;
        faults.push(format!("follow-up on {part}: its own `answer` states `{id}`"));
    }
    faults
}

/// The verdict that the author expects; a part that is not named is missing.
fn expected(sample: &Sample, part: &str) -> Verdict {
    sample.verdicts.get(part).copied().unwrap_or(Verdict::Missing)
}

fn marks(verdict: Verdict) -> f64 {
    match verdict {
        Verdict::Missing => 0.0,
        Verdict::Partial => 0.5,
        Verdict::Covered => 1.0,
    }
}

fn agreement(scored: &[Scored<'_>]) -> Agreement {
    let mut agreement = Agreement::default();
    for s in scored {
        s.score.parts.iter().for_each(|p| agreement.add(expected(s.sample, &p.part), p.verdict));
    }
    agreement
}

/// What the author's samples show to be wrong.
fn faults(scored: &[Scored<'_>]) -> Vec<String> {
    let mut faults = Vec::new();
    for s in scored {
        let id = &s.sample.id;
        for part in &s.score.parts {
            let expected = expected(s.sample, &part.part);
            if part.verdict != expected {
                faults.push(format!(
                    "sample `{id}`, {}: expected {}, scored {}",
                    part.part,
                    name(expected),
                    name(part.verdict)
                ));
            }
        }
        for m in
            s.sample.misconceptions.iter().filter(|m| !s.score.misconceptions.iter().any(|f| f.id == **m))
        {
            faults.push(format!("sample `{id}`: the misconception `{m}` is not found"));
        }
        if s.sample.misconceptions.is_empty() && s.sample.kind != SampleKind::Attack {
            for f in &s.score.misconceptions {
                faults.push(format!("sample `{id}`: finds `{}`, which it does not state", f.id));
            }
        }
        if s.sample.kind == SampleKind::Attack && s.score.score >= HALF {
            faults.push(format!("attack `{id}` reaches {:.2}, half marks or more", s.score.score));
        }
    }
    for worse in scored {
        let better = scored.iter().find(|b| b.expected > worse.expected && b.score.score < worse.score.score);
        if let Some(better) = better {
            faults.push(format!("`{}` outscores `{}`, which is better", worse.sample.id, better.sample.id));
        }
    }
    faults
}

/// One line a sample: what was expected and what was scored, part by part.
fn print_matrix(drill: &Drill, scored: &[Scored<'_>], out: &mut dyn Write) -> anyhow::Result<()> {
    let width = scored.iter().map(|s| s.sample.id.chars().count()).max().unwrap_or(0).max(8);
    let heads: Vec<String> = drill.rubric.parts.iter().map(|p| format!("{:<13}", escape(p))).collect();
    writeln!(out, "  {:<width$}  {} score", "sample", heads.join(" "))?;
    for s in scored {
        let cells = s.score.parts.iter().map(|p| {
            let expected = expected(s.sample, &p.part);
            let cell = if expected == p.verdict {
                name(expected).to_owned()
            } else {
                format!("{}>{}", short(expected), short(p.verdict))
            };
            format!("{cell:<13}")
        });
        writeln!(
            out,
            "  {:<width$}  {} {:.2}",
            escape(&s.sample.id),
            cells.collect::<Vec<_>>().join(" "),
            s.score.score
        )?;
    }
    Ok(())
}

/// Which pattern fired on which words.
///
/// # Errors
/// Where the output cannot be written.
pub fn print_explained(title: &str, score: &Score, out: &mut dyn Write) -> anyhow::Result<()> {
    writeln!(out, "\n  {}  score {:.2}", escape(title), score.score)?;
    let words = |evidence: &[crate::score::Evidence]| {
        evidence.iter().map(|e| format!("\"{}\"", escape(e.text.trim()))).collect::<Vec<_>>().join(" … ")
    };
    for part in &score.parts {
        writeln!(out, "    {:<14} {}", escape(&part.part), name(part.verdict))?;
        for point in part.points.iter().filter(|p| p.met || p.partial) {
            let how = if point.met { "met" } else { "in part" };
            writeln!(
                out,
                "      {how}: {}  by {}",
                escape(&point.id),
                escape(point.rule.as_deref().unwrap_or(""))
            )?;
            writeln!(out, "        {}", words(&point.evidence))?;
        }
    }
    for m in &score.misconceptions {
        writeln!(out, "    false: {}  by {}", escape(&m.id), escape(m.rule.as_deref().unwrap_or("")))?;
        writeln!(out, "        {}", words(&m.evidence))?;
    }
    Ok(())
}

fn name(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Missing => "missing",
        Verdict::Partial => "partial",
        Verdict::Covered => "covered",
    }
}

fn short(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Missing => "miss",
        Verdict::Partial => "part",
        Verdict::Covered => "cover",
    }
}
