//! `calibrate --judge`: a judge of one's own beside the rules, on answers that others have judged.

use std::collections::BTreeMap;
use std::io::Write;

use anyhow::bail;

use super::super::Outcome;
use super::{find, line, rows};
use crate::doc::escape::line as escape;
use crate::judge::Judge;
use crate::pack::Pack;
use crate::process::Cancel;
use crate::score::{Agreement, Scorer, Verdict};
use crate::study::judge::Question;
use crate::study::words::some;

/// Puts each answer of `text` before a judge, and prints how it and the rules agree with the verdicts of the file,
/// on the same parts.
///
/// # Errors
/// Where a line is no judged answer to a drill of the packs, or no answer is judged.
pub fn judge(packs: &[Pack], text: &str, judge: &Judge, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    let rows = rows::read(packs, text)?;
    let goes = judge.sends_to.as_ref().map_or(String::new(), |to| format!(", which sends them to {to}"));
    writeln!(out, "{} go to `{}`{}.", some(rows.len(), "answer"), escape(&judge.line()), escape(&goes))?;
    let (mut theirs, mut rules) = (Sides::default(), Sides::default());
    let (mut failed, mut dropped) = (Vec::new(), 0);
    for row in &rows {
        let Some((pack, drill)) = find(packs, &row.drill) else { continue };
        let score = Scorer::new(&drill.rubric, &pack.vocabulary).score(&row.answer);
        let question = Question::on(drill, &pack.parts, &row.answer);
        let opinion = match judge.marks(&question, &row.answer, &score, &Cancel::default()) {
            Ok(opinion) => opinion,
            Err(fault) => {
                failed.push(format!("line {}: {fault}", row.line));
                continue;
            }
        };
        dropped += opinion.dropped.len();
        for part in &score.parts {
            let Some(said) = opinion.parts.iter().find(|p| p.part == part.part) else { continue };
            for verdict in row.judges.iter().filter_map(|j| j.verdicts.get(&part.part)).copied() {
                theirs.add(&part.part, verdict, said.verdict);
                rules.add(&part.part, verdict, part.verdict);
            }
        }
    }
    if theirs.all.pairs() == 0 {
        let why = failed.first().map_or("the file has no verdicts on the parts it judged", String::as_str);
        bail!("no verdict of the judge could be compared: {why}");
    }
    for (name, side) in [("judge", &theirs), ("rules, same parts", &rules)] {
        line(out, name, &side.all)?;
        side.by_part.iter().try_for_each(|(part, a)| line(out, &format!("  {part}"), a))?;
    }
    writeln!(out, "{} not believed, {} not judged", some(dropped, "mark"), some(failed.len(), "answer"))?;
    failed.iter().try_for_each(|line| writeln!(out, "  {}", escape(line)))?;
    Ok(Outcome::Done)
}

/// How one voice agrees with the verdicts of a file.
#[derive(Default)]
struct Sides {
    all: Agreement,
    by_part: BTreeMap<String, Agreement>,
}

impl Sides {
    fn add(&mut self, part: &str, expected: Verdict, given: Verdict) {
        self.all.add(expected, given);
        self.by_part.entry(part.to_owned()).or_default().add(expected, given);
    }
}
