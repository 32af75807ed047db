//! `calibrate`: the scorer beside judges, on answers that they have judged.

use std::collections::{BTreeMap, HashMap};
use std::io::Write;

use anyhow::{Context, bail};
use serde::Deserialize;

use super::Outcome;
use crate::doc::escape::line as escape;
use crate::judge::Judge;
use crate::pack::{Drill, Pack};
use crate::process::Cancel;
use crate::score::{Agreement, Score, Scorer, Verdict};
use crate::study::judge::Question;
use crate::study::words::some;

/// Kinds of answers that are made to fool a scorer.
const ATTACKS: [&str; 5] = ["stuffed", "negated", "parrot", "offtopic", "attack"];

/// One line of the file.
#[derive(Deserialize)]
struct Line {
    #[serde(default)]
    id: String,
    drill: String,
    #[serde(default)]
    kind: String,
    answer: String,
    #[serde(flatten)]
    rest: BTreeMap<String, serde_json::Value>,
}

/// What a judge said of an answer.
#[derive(Deserialize)]
struct Judgement {
    #[serde(flatten)]
    parts: BTreeMap<String, serde_json::Value>,
    #[serde(default)]
    misconceptions: Vec<String>,
}

impl Line {
    /// The judgements: every key that begins with `judge`.
    fn judges(&self) -> Vec<Judgement> {
        let judges = self.rest.iter().filter(|(key, _)| key.starts_with("judge"));
        judges.filter_map(|(_, v)| serde_json::from_value(v.clone()).ok()).collect()
    }

    fn is_attack(&self) -> bool {
        ATTACKS.contains(&self.kind.as_str())
    }
}

impl Judgement {
    fn verdict(&self, part: &str) -> Option<Verdict> {
        serde_json::from_value(self.parts.get(part)?.clone()).ok()
    }
}

/// All that is counted.
#[derive(Default)]
struct Report {
    all: Agreement,
    by_part: BTreeMap<String, Agreement>,
    by_drill: BTreeMap<String, Agreement>,
    by_kind: BTreeMap<String, Agreement>,
    attacks: Vec<f64>,
    false_known: Rate,
    false_alarms: Rate,
    unmatched: Vec<String>,
    off: Vec<String>,
}

/// Some of so many.
#[derive(Default, Clone, Copy)]
struct Rate {
    some: u32,
    of: u32,
}

impl Rate {
    fn count(&mut self, yes: bool) {
        self.some += u32::from(yes);
        self.of += 1;
    }
}

/// Scores each line of `text` and prints the agreement with its judges. With `unmatched`, also
/// the sentences of parts judged covered that no rule matched, and each verdict that is off.
///
/// # Errors
/// Where a line cannot be read or names a drill that no pack has.
pub fn run(packs: &[Pack], text: &str, unmatched: bool, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    let mut scorers: HashMap<String, Scorer> = HashMap::new();
    let mut report = Report::default();
    for (number, line) in read(text)? {
        if !scorers.contains_key(&line.drill) {
            let Some((pack, drill)) = find(packs, &line.drill) else {
                bail!("line {number}: no pack has a drill `{}`", escape(&line.drill));
            };
            scorers.insert(line.drill.clone(), Scorer::new(&drill.rubric, &pack.vocabulary));
        }
        report.count(&line, &scorers[&line.drill].score(&line.answer));
    }
    report.print(unmatched, out)?;
    Ok(Outcome::Done)
}

/// Puts each answer of `text` before a judge, and prints how it and the rules agree with the verdicts of the file,
/// on the same parts.
///
/// # Errors
/// Where a line cannot be read, names a drill that no pack has, or no answer is judged.
pub fn judge(packs: &[Pack], text: &str, judge: &Judge, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    let lines = read(text)?;
    let goes = judge.sends_to.as_ref().map_or(String::new(), |to| format!(", which sends them to {to}"));
    writeln!(out, "{} go to `{}`{}.", some(lines.len(), "answer"), escape(&judge.line()), escape(&goes))?;
    let (mut theirs, mut rules) = (Sides::default(), Sides::default());
    let (mut failed, mut dropped) = (Vec::new(), 0);
    for (number, line) in &lines {
        let Some((pack, drill)) = find(packs, &line.drill) else {
            bail!("line {number}: no pack has a drill `{}`", escape(&line.drill));
        };
        let score = Scorer::new(&drill.rubric, &pack.vocabulary).score(&line.answer);
        let question = Question::on(drill, &pack.parts, &line.answer);
        let opinion = match judge.marks(&question, &line.answer, &score, &Cancel::default()) {
            Ok(opinion) => opinion,
            Err(fault) => {
                failed.push(format!("line {number}: {fault}"));
                continue;
            }
        };
        dropped += opinion.dropped.len();
        for part in &score.parts {
            let Some(said) = opinion.parts.iter().find(|p| p.part == part.part) else { continue };
            for verdict in line.judges().iter().filter_map(|j| j.verdict(&part.part)) {
                theirs.add(&part.part, verdict, said.verdict);
                rules.add(&part.part, verdict, part.verdict);
            }
        }
    }
    if theirs.all.pairs() == 0 {
        let why = failed.first().map_or("the file has no verdicts for what it judged", String::as_str);
        bail!("no verdict of the judge could be compared: {why}");
    }
    for (name, side) in [("judge", &theirs), ("rules, same parts", &rules)] {
        print_agreement(out, name, &side.all)?;
        side.by_part.iter().try_for_each(|(part, a)| print_agreement(out, &format!("  {part}"), a))?;
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

/// The answers of a file, each with the number of its line.
fn read(text: &str) -> anyhow::Result<Vec<(usize, Line)>> {
    let lines = text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty());
    let read = lines.map(|(at, line)| {
        let line = serde_json::from_str(line)
            .with_context(|| format!("line {}: not an answer with a drill", at + 1))?;
        Ok((at + 1, line))
    });
    read.collect()
}

fn print_agreement(out: &mut dyn Write, name: &str, a: &Agreement) -> std::io::Result<()> {
    writeln!(
        out,
        "{:<30} {:>5} verdicts  kappa {:>6.3}  exact {:>5.1}%",
        escape(name),
        a.pairs(),
        a.kappa(),
        100.0 * a.exact()
    )
}

fn find<'a>(packs: &'a [Pack], id: &str) -> Option<(&'a Pack, &'a Drill)> {
    packs.iter().find_map(|p| p.drill(id).map(|d| (p, d)))
}

impl Report {
    fn count(&mut self, line: &Line, score: &Score) {
        let judges = line.judges();
        for part in &score.parts {
            for verdict in judges.iter().filter_map(|j| j.verdict(&part.part)) {
                self.all.add(verdict, part.verdict);
                self.by_part.entry(part.part.clone()).or_default().add(verdict, part.verdict);
                self.by_drill.entry(line.drill.clone()).or_default().add(verdict, part.verdict);
                self.by_kind.entry(line.kind.clone()).or_default().add(verdict, part.verdict);
            }
            if let Some(verdict) =
                judges.first().and_then(|j| j.verdict(&part.part)).filter(|v| *v != part.verdict)
            {
                self.off.push(format!(
                    "{} {} {}: judged {}, scored {}",
                    line.id,
                    line.kind,
                    part.part,
                    name(verdict),
                    name(part.verdict)
                ));
            }
        }
        if line.is_attack() {
            self.attacks.push(score.score);
        }
        if !judges.is_empty() {
            let has = judges.iter().any(|j| !j.misconceptions.is_empty());
            let found = !score.misconceptions.is_empty();
            if has { self.false_known.count(found) } else { self.false_alarms.count(found) }
        }
        if judges.iter().any(|j| {
            score
                .parts
                .iter()
                .any(|p| p.verdict < Verdict::Covered && j.verdict(&p.part) == Some(Verdict::Covered))
        }) {
            self.unmatched.extend(unmatched(line, score));
        }
    }

    fn print(&self, details: bool, out: &mut dyn Write) -> anyhow::Result<()> {
        let line = print_agreement;
        line(out, "all", &self.all)?;
        for (title, table) in [("part", &self.by_part), ("drill", &self.by_drill), ("kind", &self.by_kind)] {
            writeln!(out, "\nby {title}")?;
            for (name, agreement) in table {
                line(out, name, agreement)?;
            }
        }
        writeln!(out, "\njudged \\ scored    missing  partial  covered")?;
        for expected in [Verdict::Missing, Verdict::Partial, Verdict::Covered] {
            let n = |given| self.all.count(expected, given);
            writeln!(
                out,
                "{:<17} {:>8} {:>8} {:>8}",
                name(expected),
                n(Verdict::Missing),
                n(Verdict::Partial),
                n(Verdict::Covered)
            )?;
        }
        let attacks = self.attacks.len().max(1) as f64;
        let highest = self.attacks.iter().copied().fold(0.0, f64::max);
        writeln!(
            out,
            "\nattacks: {}, mean {:.3}, highest {highest:.2}",
            self.attacks.len(),
            self.attacks.iter().sum::<f64>() / attacks
        )?;
        let (known, alarms) = (self.false_known, self.false_alarms);
        writeln!(
            out,
            "false statements found in {} of {} answers that have them, in {} of {} others",
            known.some, known.of, alarms.some, alarms.of
        )?;
        if details {
            writeln!(out, "\nverdicts that differ from the first judge's")?;
            self.off.iter().try_for_each(|l| writeln!(out, "  {}", escape(l)))?;
            writeln!(out, "\nsentences of parts judged covered that no rule matched")?;
            self.unmatched.iter().try_for_each(|l| writeln!(out, "  {}", escape(l)))?;
        }
        Ok(())
    }
}

/// The sentences of an answer that gave no evidence to any point.
fn unmatched(line: &Line, score: &Score) -> Vec<String> {
    let points = score.parts.iter().flat_map(|p| &p.points);
    let used: Vec<_> = points.flat_map(|p| &p.evidence).map(|e| e.range()).collect();
    let mut from = 0;
    let mut sentences = Vec::new();
    for (at, c) in line.answer.char_indices() {
        let end = at + c.len_utf8();
        let ends = matches!(c, '.' | '!' | '?' | '\n' | ';')
            && line.answer[end..].chars().next().is_none_or(char::is_whitespace);
        if ends || end == line.answer.len() {
            let sentence = line.answer[from..end].trim();
            if !sentence.is_empty() && !used.iter().any(|u| u.start < end && from < u.end) {
                sentences.push(format!("{}: {sentence}", line.id));
            }
            from = end;
        }
    }
    sentences
}

/// A verdict as it is written.
fn name(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Missing => "missing",
        Verdict::Partial => "partial",
        Verdict::Covered => "covered",
    }
}
