//! `pack test`: the samples of drills, scored and compared with what their author expects.

use std::io::Write;

use super::Outcome;
use crate::doc::escape::line as escape;
use crate::pack::raw::SampleKind;
use crate::pack::{Drill, Pack, Sample};
use crate::score::{Agreement, Evidence, Glossary, PartScore, PointScore, Score, Scorer, Verdict};
use crate::study::words::some;

mod three;

pub use three::run as three_ways;

/// Half marks: an attack must stay below.
const HALF: f64 = 0.5;

/// So many patterns of a part are named that were nearly filled.
const NEAR: usize = 3;

/// Less agreement than this on the samples of a drill fails.
const LEAST_KAPPA: f64 = 0.75;

/// What the samples of a drill show.
#[derive(Default)]
struct Found {
    /// What is wrong whatever one thinks of levels.
    faults: Vec<String>,
    /// Where a level lies between author and scorer, as it does between two judges.
    differences: Vec<String>,
}

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
    let (mut failures, mut differences, mut certain) = (0, 0, 0);
    for drill in pack.drills.iter().filter(|d| only.is_none_or(|id| d.id == id)) {
        let scored = score_samples(drill, &pack.vocabulary);
        let agreement = agreement(&scored);
        let mut found = found(&scored);
        if agreement.pairs() > 0 && agreement.kappa() < LEAST_KAPPA {
            found.faults.push(format!("the agreement is below {LEAST_KAPPA}"));
        }
        let answers = score_answers(drill, &pack.vocabulary);
        answers.iter().for_each(|answer| found.answer(answer));
        let sure = sure(&scored);
        match drill.samples.len() {
            0 => {
                writeln!(out, "{}  no samples: write some, in the words of other people", escape(&drill.id))?
            }
            _ => {
                writeln!(
                    out,
                    "{}  {}  sure {sure} of {}",
                    escape(&drill.id),
                    agreement.says(),
                    agreement.pairs()
                )?;
                print_matrix(drill, &scored, out)?;
            }
        }
        if !answers.is_empty() {
            let right = answers.iter().filter(|a| a.verdict() == Verdict::Covered).count();
            writeln!(out, "  follow-ups: {right} of {} answers covered", answers.len())?;
        }
        for fault in &found.faults {
            writeln!(out, "  fails: {}", escape(fault))?;
        }
        for difference in &found.differences {
            writeln!(out, "  differs: {}", escape(difference))?;
        }
        if explain {
            let scorer = Scorer::new(&drill.rubric, &pack.vocabulary);
            for s in &scored {
                print_explained(&s.sample.id, &s.sample.answer, &scorer, &s.score, out)?;
                print_near(s, &scorer, out)?;
            }
            for a in &answers {
                print_explained(&format!("follow-up on {}", a.part), a.text, &a.scorer, &a.score, out)?;
            }
        }
        writeln!(out)?;
        all.merge(&agreement);
        certain += sure;
        failures += found.faults.len();
        differences += found.differences.len();
    }
    writeln!(
        out,
        "Agreement with your own samples says little about other people's answers. Have some of those \
         judged, and run \
         `infralens calibrate FILE`."
    )?;
    let asks = if certain < all.pairs() { "; of the rest a student is asked" } else { "" };
    writeln!(out, "{certain} of {} are sure{asks}.", some(all.pairs() as usize, "verdict"))?;
    writeln!(
        out,
        "{}, {}, {}, {}",
        some(all.pairs() as usize, "verdict"),
        all.says().replace("  ", ", "),
        some(failures, "failure"),
        some(differences, "difference")
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
    text: &'a str,
    scorer: Scorer,
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
        let (scorer, text) = (drill.scorer(Some(&f.part), vocabulary), f.answer.as_deref()?);
        Some(Answered { part: &f.part, score: scorer.score(text), text, scorer })
    });
    scored.collect()
}

impl Found {
    /// Takes what a stored answer to a follow-up question shows.
    fn answer(&mut self, answered: &Answered<'_>) {
        let part = answered.part;
        let verdict = answered.verdict();
        let how = if verdict == Verdict::Missing { "not found by" } else { "met only in part by" };
        let said = format!("follow-up on {part}: its own `answer` is {how} its `match`");
        match verdict {
            Verdict::Covered => {}
            Verdict::Partial => self.differences.push(said),
            Verdict::Missing => self.faults.push(said),
        }
        for found in &answered.score.misconceptions {
            self.faults.push(format!("follow-up on {part}: its own `answer` states `{}`", found.id));
        }
    }

    /// Takes the verdict on a part of a sample. One level apart differs, two fail.
    fn verdict(&mut self, sample: &str, part: &PartScore, expected: Verdict) {
        let (id, scored) = (&part.part, part.verdict);
        let said = format!(
            "sample `{sample}`, {id}: expected {}, scored {}{}",
            expected.name(),
            scored.name(),
            points(part)
        );
        match (expected as u8).abs_diff(scored as u8) {
            0 => {}
            1 => self.differences.push(said),
            _ => self.faults.push(said),
        }
    }

    /// Takes the false statements of a sample. One that is called by another name differs; none found, or one
    /// found where there is none, fails.
    fn misconceptions(&mut self, s: &Scored<'_>) {
        let id = &s.sample.id;
        let is_found = |m: &&String| s.score.misconceptions.iter().any(|f| f.id == **m);
        for m in s.sample.misconceptions.iter().filter(|m| !is_found(m)) {
            let said = format!("sample `{id}`: the misconception `{m}` is not found");
            match s.score.misconceptions.is_empty() {
                true => self.faults.push(said),
                false => self.differences.push(said),
            }
        }
        if s.sample.misconceptions.is_empty() && s.sample.kind != SampleKind::Attack {
            for f in &s.score.misconceptions {
                self.faults.push(format!("sample `{id}`: finds `{}`, which it does not state", f.id));
            }
        }
    }
}

/// Which points of a part were met, which in part, and which not: `; met a, b; in part c; not d`.
fn points(part: &PartScore) -> String {
    let of = |is: &dyn Fn(&PointScore) -> bool| {
        part.points.iter().filter(|p| is(p)).map(|p| p.id.as_str()).collect::<Vec<_>>().join(", ")
    };
    let met = of(&|p| p.met);
    let partly = of(&|p| !p.met && p.partial);
    let not = of(&|p| !p.met && !p.partial);
    let named =
        [("met", met), ("in part", partly), ("not", not)].into_iter().filter(|(_, ids)| !ids.is_empty());
    named.map(|(word, ids)| format!("; {word} {ids}")).collect()
}

/// What a part that was scored too low came near to: the pattern, and the slot that nothing filled.
fn print_near(scored: &Scored<'_>, scorer: &Scorer, out: &mut dyn Write) -> anyhow::Result<()> {
    for part in &scored.score.parts {
        if part.verdict >= expected(scored.sample, &part.part) {
            continue;
        }
        for near in scorer.near_misses(&scored.sample.answer, &part.part).iter().take(NEAR) {
            let lacks: Vec<String> = near.lacks.iter().map(|slot| format!("`{}`", escape(slot))).collect();
            writeln!(
                out,
                "    {}, nearly {}: `{}`, but nothing fills {}",
                escape(&part.part),
                escape(&near.point),
                escape(&near.pattern),
                lacks.join(", ")
            )?;
            writeln!(out, "        \"{}\"", escape(near.sentence.text.trim()))?;
        }
    }
    Ok(())
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

/// How many verdicts are sure: of the others a student is asked.
fn sure(scored: &[Scored<'_>]) -> u32 {
    let parts = scored.iter().flat_map(|s| &s.score.parts);
    parts.map(|p| u32::from(p.sure)).sum()
}

fn agreement(scored: &[Scored<'_>]) -> Agreement {
    let mut agreement = Agreement::default();
    for s in scored {
        s.score.parts.iter().for_each(|p| agreement.add(expected(s.sample, &p.part), p.verdict));
    }
    agreement
}

/// What the author's samples show.
fn found(scored: &[Scored<'_>]) -> Found {
    let mut found = Found::default();
    for s in scored {
        let id = &s.sample.id;
        for part in &s.score.parts {
            found.verdict(id, part, expected(s.sample, &part.part));
        }
        found.misconceptions(s);
        if s.sample.kind == SampleKind::Attack && s.score.score >= HALF {
            found.faults.push(format!("attack `{id}` reaches {:.2}, half marks or more", s.score.score));
        }
    }
    for worse in scored {
        let better = scored.iter().find(|b| b.expected > worse.expected && b.score.score < worse.score.score);
        if let Some(better) = better {
            let said = format!("`{}` outscores `{}`, which is better", worse.sample.id, better.sample.id);
            found.differences.push(said);
        }
    }
    found
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
                expected.name().to_owned()
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

/// The words of an answer that something was found by.
pub fn quoted(evidence: &[Evidence]) -> String {
    evidence.iter().map(|e| format!("“{}”", escape(e.text.trim()))).collect::<Vec<_>>().join(" … ")
}

/// Which pattern fired on which words, what was vague, and what was not read as a statement.
///
/// # Errors
/// Where the output cannot be written.
pub fn print_explained(
    title: &str,
    answer: &str,
    scorer: &Scorer,
    score: &Score,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    writeln!(out, "\n  {}  score {:.2}", escape(title), score.score)?;
    for m in &score.misconceptions {
        writeln!(out, "    false: {}  by {}", escape(&m.id), escape(m.rule.as_deref().unwrap_or("")))?;
        writeln!(out, "        {}", quoted(&m.evidence))?;
    }
    let vague = scorer.vague(answer);
    for part in &score.parts {
        let sure = if part.sure { "" } else { ", not sure" };
        writeln!(out, "    {:<14} {}{sure}", escape(&part.part), part.verdict.name())?;
        for point in part.points.iter().filter(|p| p.met || p.partial) {
            let how = if point.met { "met" } else { "in part" };
            writeln!(
                out,
                "      {how}: {}  by {}",
                escape(&point.id),
                escape(point.rule.as_deref().unwrap_or(""))
            )?;
            writeln!(out, "        {}", quoted(&point.evidence))?;
        }
        let is_vague = part.verdict == Verdict::Partial && !part.points.iter().any(|p| p.met || p.partial);
        for find in vague.iter().filter(|v| is_vague && v.part == part.part) {
            writeln!(out, "      vague: by {}", escape(&find.rule))?;
            writeln!(out, "        {}", quoted(&find.evidence))?;
        }
    }
    let unread = scorer.unread(answer);
    if !unread.is_empty() {
        writeln!(out, "    not read, since it only names things, or says them again: {}", quoted(&unread))?;
    }
    if !score.flags.is_empty() {
        let flags: Vec<&str> = score.flags.iter().map(|f| f.says()).collect();
        writeln!(out, "    flags: {}", flags.join("; "))?;
    }
    Ok(())
}

fn short(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Missing => "miss",
        Verdict::Partial => "part",
        Verdict::Covered => "cover",
    }
}
