//! `calibrate`: the scorer beside judges, on answers that they have judged.

use std::collections::{BTreeMap, HashMap};
use std::io::Write;
use std::ops::Range;

use super::Outcome;
use super::pack_test::quoted;
use crate::doc::escape::line as escape;
use crate::pack::{Drill, Pack};
use crate::score::{Agreement, Judged, NearMiss, PartScore, Score, Scorer, Verdict, cross_validate};
use crate::study::sentence;

mod rows;
mod second;

pub use second::judge;

use rows::Row;

/// Kinds of answers that are made to fool a scorer.
const ATTACKS: [&str; 6] = ["stuffed", "negated", "parrot", "offtopic", "attack", "all-false"];

/// What to look at, and what to show.
#[derive(Debug, Clone, Copy, Default)]
pub struct How {
    /// Verdicts that differ, sentences that no rule matched, and what to add.
    pub unmatched: bool,
    /// One half of the answers alone, so that the other stays unseen.
    pub half: Option<Half>,
    /// How sure verdicts agree, each drill left out of the fit.
    pub fit: bool,
}

/// A half of the answers, by the drill and the answer's id: always the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Half {
    /// The half to mend rubrics with
    Seen,
    /// The half to measure with, once
    Unseen,
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
    off: Vec<(String, Vec<String>)>,
    /// Sentences without evidence, by the part that was judged higher than it was scored.
    unmatched: BTreeMap<String, Vec<String>>,
    /// What a sentence lacked, by part: the point, the slot.
    lacking: BTreeMap<String, BTreeMap<(String, String), u32>>,
    judged: Vec<Judged>,
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

/// Scores each line of `text` and prints the agreement with its judges.
///
/// # Errors
/// Where a line cannot be read as a judged answer to a drill of the packs, or there is none.
pub fn run(packs: &[Pack], text: &str, how: How, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    let mut rows = rows::read(packs, text)?;
    if let Some(half) = how.half {
        rows.retain(|row| half_of(row) == half);
        if rows.is_empty() {
            anyhow::bail!(
                "this half of the file has no answers; leave --half out, or have more answers judged"
            );
        }
    }
    let mut scorers: HashMap<&str, Scorer> = HashMap::new();
    let mut report = Report::default();
    for row in &rows {
        let Some((pack, drill)) = find(packs, &row.drill) else { continue };
        let scorer =
            scorers.entry(drill.id.as_str()).or_insert_with(|| Scorer::new(&drill.rubric, &pack.vocabulary));
        report.count(row, scorer);
    }
    report.print(how, out)?;
    Ok(Outcome::Done)
}

/// The answers of a file, each with its drill.
///
/// # Errors
/// Where the file cannot be read, or a line is no judged answer.
pub fn answers(packs: &[Pack], file: &std::path::Path) -> anyhow::Result<Vec<(String, String)>> {
    use anyhow::Context as _;
    let text = std::fs::read_to_string(file).with_context(|| {
        format!("cannot read {}; name a JSON Lines file of judged answers", file.display())
    })?;
    Ok(rows::read(packs, &text)?.into_iter().map(|row| (row.drill, row.answer)).collect())
}

/// An answer to one drill, with what its first judge says of each part.
pub struct JudgedAnswer {
    /// The answer.
    pub answer: String,
    /// By part id.
    pub verdicts: BTreeMap<String, Verdict>,
}

/// The judged answers to a drill of a pack.
///
/// # Errors
/// Where the file cannot be read, or a line is no judged answer.
pub fn judged(packs: &[Pack], file: &std::path::Path, drill: &Drill) -> anyhow::Result<Vec<JudgedAnswer>> {
    use anyhow::Context as _;
    let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let rows = rows::read(packs, &text)?.into_iter();
    let own = rows.filter(|row| find(packs, &row.drill).is_some_and(|(_, d)| std::ptr::eq(d, drill)));
    Ok(own
        .filter_map(|row| {
            Some(JudgedAnswer { answer: row.answer, verdicts: row.judges.into_iter().next()?.verdicts })
        })
        .collect())
}

/// The drill of a row: by its id, or as `pack:drill`.
fn find<'a>(packs: &'a [Pack], id: &str) -> Option<(&'a Pack, &'a Drill)> {
    if let Some((pack, id)) = id.split_once(':') {
        let pack = packs.iter().find(|p| p.id == pack)?;
        return pack.drill(id).map(|d| (pack, d));
    }
    packs.iter().find_map(|p| p.drill(id).map(|d| (p, d)))
}

/// The half that an answer falls into. It hangs on its words alone, so that sorting a file changes nothing.
fn half_of(row: &Row) -> Half {
    let bytes = row.drill.bytes().chain(row.answer.bytes());
    let sum = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |h, b| (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3));
    if sum >> 40 & 1 == 0 { Half::Seen } else { Half::Unseen }
}

impl Report {
    fn count(&mut self, row: &Row, scorer: &Scorer) {
        let (score, signs) = scorer.signs(&row.answer);
        for (part, signs) in score.parts.iter().zip(signs) {
            let given = part.verdict;
            for due in row.judges.iter().filter_map(|j| j.verdicts.get(&part.part)).copied() {
                self.all.add(due, given);
                self.by_part.entry(part.part.clone()).or_default().add(due, given);
                self.by_drill.entry(row.drill.clone()).or_default().add(due, given);
                self.by_kind.entry(row.kind.clone()).or_default().add(due, given);
            }
            let first = row.judges.first().and_then(|j| j.verdicts.get(&part.part)).copied();
            let Some(due) = first else { continue };
            self.judged.push(Judged { drill: row.drill.clone(), signs, given, due });
            if due != given {
                self.off.push(difference(row, part, due, &score));
            }
            if due > given {
                self.missed(row, part, &score, &scorer.near_misses(&row.answer, &part.part));
            }
        }
        if ATTACKS.contains(&row.kind.as_str()) {
            self.attacks.push(score.score);
        }
        let found = !score.misconceptions.is_empty();
        let mut named = row.judges.iter().filter_map(|j| j.misconceptions.as_ref()).peekable();
        // who says nothing of false statements has not said that there are none
        if named.peek().is_some() {
            let has_false = named.any(|m| !m.is_empty());
            if has_false { &mut self.false_known } else { &mut self.false_alarms }.count(found);
        }
    }

    /// Takes what was judged higher than it was scored.
    fn missed(&mut self, row: &Row, part: &PartScore, score: &Score, near: &[NearMiss]) {
        let sentences = self.unmatched.entry(part.part.clone()).or_default();
        sentences.extend(unmatched(row, score));
        let lacking = self.lacking.entry(part.part.clone()).or_default();
        for miss in near.iter().filter(|m| m.lacks.len() == 1).take(2) {
            for slot in &miss.lacks {
                *lacking.entry((format!("{} {}", row.drill, miss.point), slot.clone())).or_default() += 1;
            }
        }
    }

    fn print(&self, how: How, out: &mut dyn Write) -> anyhow::Result<()> {
        line(out, "all", &self.all)?;
        for (title, table) in [("part", &self.by_part), ("drill", &self.by_drill), ("kind", &self.by_kind)] {
            writeln!(out, "\nby {title}")?;
            for (name, agreement) in table {
                line(out, name, agreement)?;
            }
        }
        self.print_matrix(out)?;
        if !self.attacks.is_empty() {
            let highest = self.attacks.iter().copied().fold(0.0, f64::max);
            let mean = self.attacks.iter().fold(0.0, |sum, total| sum + total) / self.attacks.len() as f64;
            writeln!(out, "\nattacks: {}, mean {mean:.3}, highest {highest:.2}", self.attacks.len())?;
        }
        let (known, alarms) = (self.false_known, self.false_alarms);
        match known.of + alarms.of {
            0 => writeln!(
                out,
                "false statements were not compared: no judge has `misconceptions`, and `[]` says that there are none"
            )?,
            _ => writeln!(
                out,
                "false statements found in {} of {} answers that have them, in {} of {} others",
                known.some, known.of, alarms.some, alarms.of
            )?,
        }
        if how.fit {
            self.print_fit(out)?;
        }
        if how.unmatched {
            self.print_details(out)?;
        }
        Ok(())
    }

    fn print_matrix(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        writeln!(out, "\njudged \\ scored    missing  partial  covered")?;
        for due in [Verdict::Missing, Verdict::Partial, Verdict::Covered] {
            let n = |given| self.all.count(due, given);
            let (missing, partial, covered) = (n(Verdict::Missing), n(Verdict::Partial), n(Verdict::Covered));
            writeln!(out, "{:<17} {missing:>8} {partial:>8} {covered:>8}", due.name())?;
        }
        Ok(())
    }

    /// How the surest verdicts agree, by models that saw none of their drill.
    fn print_fit(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let foreseen = cross_validate(&self.judged);
        if foreseen.is_empty() {
            writeln!(
                out,
                "\ntoo few verdicts to fit a confidence: it takes at least 50, from at least two drills"
            )?;
            return Ok(());
        }
        writeln!(out, "\nthe surest verdicts, by a confidence fitted on the other drills")?;
        for percent in [100, 80, 60, 50, 40] {
            let n = foreseen.len() * percent / 100;
            let mut agreement = Agreement::default();
            foreseen[..n].iter().for_each(|f| agreement.add(f.due, f.given));
            line(out, &format!("{percent}%"), &agreement)?;
        }
        Ok(())
    }

    fn print_details(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        writeln!(out, "\nverdicts that differ from the first judge's, with the rule that fired")?;
        for (verdict, reasons) in &self.off {
            writeln!(out, "  {}", escape(verdict))?;
            reasons.iter().try_for_each(|l| writeln!(out, "    {}", escape(l)))?;
        }
        writeln!(out, "\nsentences that no rule matched, in answers that a judge marked higher")?;
        for (part, sentences) in &self.unmatched {
            writeln!(out, "  {}", escape(part))?;
            sentences.iter().try_for_each(|l| writeln!(out, "    {}", escape(l)))?;
        }
        writeln!(out, "\nwhat such answers lacked most often: the one slot of a pattern that stayed empty")?;
        for (part, lacking) in &self.lacking {
            let mut most: Vec<_> = lacking.iter().collect();
            most.sort_by_key(|(name, n)| (std::cmp::Reverse(**n), (*name).clone()));
            writeln!(out, "  {}", escape(part))?;
            for ((point, slot), n) in most.into_iter().take(12) {
                writeln!(out, "    {n}x {}: {}", escape(point), escape(&advice(slot)))?;
            }
        }
        Ok(())
    }
}

/// What to add where a slot was not filled.
fn advice(slot: &str) -> String {
    match slot.split('|').find(|way| way.trim_start_matches('!').starts_with('@')) {
        Some(concept) => {
            format!("add the answer's word to {}, for the slot `{slot}`", concept.trim_matches('!').trim())
        }
        None => format!("add the answer's word to the slot `{slot}`, or make a concept of it"),
    }
}

fn line(out: &mut dyn Write, name: &str, a: &Agreement) -> anyhow::Result<()> {
    let (n, kappa, exact) = (a.pairs(), a.kappa(), 100.0 * a.exact());
    writeln!(out, "{:<30} {n:>5} verdicts  kappa {kappa:>6.3}  exact {exact:>5.1}%", escape(name))?;
    Ok(())
}

/// A verdict that differs, with the rules that gave it, and what took a level from it: flags, false statements.
fn difference(row: &Row, part: &PartScore, due: Verdict, score: &Score) -> (String, Vec<String>) {
    let told = part.points.iter().filter(|p| p.met || p.partial);
    let mut rules: Vec<String> =
        told.map(|p| format!("{} by {}", p.id, p.rule.as_deref().unwrap_or_default())).collect();
    if rules.is_empty() {
        rules.push("no rule fired".to_owned());
    }
    let flags = score.flags.iter().map(|f| f.says().split(':').next().unwrap_or_default().to_owned());
    let of_part = score.misconceptions.iter().filter(|m| m.part == part.part);
    let untrue = of_part.map(|m| format!("found false: {} ({})", m.id, quoted(&m.evidence)));
    rules.extend(flags.chain(untrue));
    let (due, given) = (due.name(), part.verdict.name());
    let (line, id, kind) = (row.line, &row.id, &row.kind);
    (format!("line {line} {id} {kind} {}: judged {due}, scored {given}", part.part), rules)
}

/// The sentences of an answer that gave no evidence to any point.
fn unmatched(row: &Row, score: &Score) -> Vec<String> {
    let points = score.parts.iter().flat_map(|p| &p.points);
    let used: Vec<_> = points.flat_map(|p| &p.evidence).map(|e| e.range()).collect();
    let is_used = |range: &Range<usize>| used.iter().any(|u| u.start < range.end && range.start < u.end);
    let unused = sentence::ranges(&row.answer).filter(|range| !is_used(range));
    let texts = unused.map(|range| row.answer[range].trim()).filter(|text| !text.is_empty());
    texts.map(|text| format!("{}: {text}", row.id)).collect()
}
