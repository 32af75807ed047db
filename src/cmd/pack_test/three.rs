//! `pack test --judge`: the author, the rules and a judge of one's own on the same samples.

use std::io::Write;

use anyhow::bail;

use super::{expected, score_samples};
use crate::cmd::Outcome;
use crate::doc::escape::line as escape;
use crate::judge::Judge;
use crate::pack::Pack;
use crate::process::Cancel;
use crate::score::Agreement;
use crate::study::judge::Question;
use crate::study::words::some;

/// How each two of the three agree.
#[derive(Default)]
struct Three {
    rules: Agreement,
    judge: Agreement,
    both: Agreement,
}

impl Three {
    fn print(&self, name: &str, out: &mut dyn Write) -> anyhow::Result<()> {
        writeln!(out, "{}", escape(name))?;
        for (who, a) in [
            ("author and rules", &self.rules),
            ("author and judge", &self.judge),
            ("rules and judge", &self.both),
        ] {
            let (n, kappa, exact) = (a.pairs(), a.kappa(), 100.0 * a.exact());
            writeln!(out, "  {who:<18} {n:>4} verdicts  kappa {kappa:>6.3}  exact {exact:>5.1}%")?;
        }
        Ok(())
    }
}

/// Puts every sample before the judge, and prints how author, rules and judge agree, two by two. Where two stand
/// against the third, it is named: the rubric is to be mended, the sample, or the judge is wrong alone.
///
/// # Errors
/// Where no sample could be judged, or the output cannot be written.
pub fn run(pack: &Pack, only: Option<&str>, judge: &Judge, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    let samples: usize =
        pack.drills.iter().filter(|d| only.is_none_or(|id| d.id == id)).map(|d| d.samples.len()).sum();
    let goes = judge.sends_to.as_ref().map_or(String::new(), |to| format!(", which sends them to {to}"));
    writeln!(out, "{} go to `{}`{}.\n", some(samples, "sample"), escape(&judge.line()), escape(&goes))?;
    let mut all = Three::default();
    let (mut rubric, mut sample, mut alone, mut failed) = (Vec::new(), Vec::new(), 0, Vec::new());
    for drill in pack.drills.iter().filter(|d| only.is_none_or(|id| d.id == id)) {
        let mut three = Three::default();
        for scored in score_samples(drill, &pack.vocabulary) {
            let answer = &scored.sample.answer;
            let question = Question::on(drill, &pack.parts, answer);
            let opinion = match judge.marks(&question, answer, &scored.score, &Cancel::default()) {
                Ok(opinion) => opinion,
                Err(fault) => {
                    failed.push(format!("{}, {}: {fault}", drill.id, scored.sample.id));
                    continue;
                }
            };
            for part in &scored.score.parts {
                let Some(said) = opinion.parts.iter().find(|p| p.part == part.part) else { continue };
                let due = expected(scored.sample, &part.part);
                let (rules, judged) = (part.verdict, said.verdict);
                for of in [&mut three, &mut all] {
                    of.rules.add(due, rules);
                    of.judge.add(due, judged);
                    of.both.add(rules, judged);
                }
                let where_ = format!("{}, {}, {}", drill.id, scored.sample.id, part.part);
                let line = format!(
                    "{where_}: author {}, rules {}, judge {}",
                    due.name(),
                    rules.name(),
                    judged.name()
                );
                match () {
                    () if due == judged && rules != due => rubric.push(line),
                    () if rules == judged && rules != due => sample.push(line),
                    () if due == rules && judged != due => alone += 1,
                    () => {}
                }
            }
        }
        if three.rules.pairs() > 0 {
            three.print(&drill.id, out)?;
        }
    }
    if all.rules.pairs() == 0 {
        let why = failed.first().map_or("there are no samples", String::as_str);
        bail!("no sample could be judged: {why}");
    }
    all.print("\nall drills", out)?;
    for (title, lines) in [
        ("Author and judge agree against the rules: mend the rubric", &rubric),
        ("Rules and judge agree against the author: look at the sample", &sample),
        ("Not judged", &failed),
    ] {
        if !lines.is_empty() {
            writeln!(out, "\n{title}")?;
            lines.iter().try_for_each(|line| writeln!(out, "  {}", escape(line)))?;
        }
    }
    writeln!(out, "\nThe judge is alone in {}.", some(alone, "verdict"))?;
    Ok(Outcome::Done)
}
