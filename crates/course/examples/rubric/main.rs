//! Tries the rubrics of a pack without the program: faults, samples, judged answers, one answer.
//!
//! ```text
//! cargo run --release -p infralens-course --example rubric -- check PACK
//! … samples PACK [DRILL]
//! … answers PACK ANSWERS.jsonl… [--errors]
//! … score PACK DRILL            the answer on standard input
//! … fit PACK ANSWERS.jsonl… [PACK ANSWERS.jsonl…] [--write FILE DATE]
//!                               fits the confidence, each drill left out in turn; answers go with the pack before
//!                               them, which should not have read them
//! … attacks PACK                keywords of each drill, listed and woven into sentences
//! … layout PACK ANSWERS.jsonl…  the same answers wrapped at every width from 30 to 120
//! … points PACK POINTS.jsonl…   sentences that state one point each in other words: which are met, which are missed
//! … speed PACK ANSWERS.jsonl…
//! ```
//!
//! `PACK` is a folder. Each line of judged answers is an object with `drill`, `answer`, `kind` and one or two
//! judges: `judge1`, `judge2` with a verdict for each part and the false statements found.

#![allow(clippy::disallowed_methods)] // it times the scorer
#![allow(clippy::print_stdout, clippy::print_stderr)] // it is a command: printing is what it does

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::ExitCode;

use infralens_course::pack::{self, Origin, Pack};
use infralens_course::score::{
    Agreement, Evidence, Judged, Score, Scorer, Verdict, calibrate, cross_validate,
};
use serde_json::Value;
use trials::{attacks, layout, points, speed, unread};

#[path = "../../tests/wrapped.rs"]
mod wrapped;

mod trials;

/// Answers of these kinds should earn nothing.
const ATTACKS: [&str; 8] =
    ["stuffed", "negated", "parrot", "offtopic", "woven", "shuffled", "false", "all-false"];

struct Row {
    drill: String,
    kind: String,
    id: String,
    answer: String,
    due: BTreeMap<String, Verdict>,
    has_false: bool,
}

fn main() -> ExitCode {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let shown = args.iter().position(|a| a == "--errors").map(|at| args.remove(at)).is_some();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let Some((pack, rest)) = args.get(1).map(|folder| (Origin::Folder(folder.into()), &args[2..])) else {
        eprintln!("rubric: say check, samples, answers or score, and a pack folder");
        return ExitCode::from(2);
    };
    if args[0] == "check" {
        let problems = pack::check(&pack).problems;
        problems.iter().for_each(|p| println!("{p}"));
        return ExitCode::from(u8::from(problems.iter().any(|p| p.is_error())));
    }
    let loaded = pack::load(&pack);
    let Some(pack) = loaded.pack else {
        loaded.problems.iter().take(20).for_each(|p| eprintln!("{p}"));
        return ExitCode::from(2);
    };
    let done = match args[0] {
        "samples" => {
            samples(&pack, rest.first().copied());
            Ok(())
        }
        "answers" => answers(rest).map(|rows| report(&pack, &rows, shown)),
        "fit" => fit(pack, rest),
        "attacks" => {
            attacks(&pack, shown);
            Ok(())
        }
        "unread" => answers(rest).map(|rows| unread(&pack, &rows)),
        "layout" => answers(rest).map(|rows| layout(&pack, &rows, shown)),
        "speed" => answers(rest).map(|rows| speed(&pack, &rows)),
        "points" => points(&pack, rest),
        "score" => one(&pack, rest.first().copied().unwrap_or_default()),
        other => Err(format!("no command `{other}`")),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("rubric: {e}");
            ExitCode::from(2)
        }
    }
}

fn answers(files: &[&str]) -> Result<Vec<Row>, String> {
    let mut rows = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(file).map_err(|e| format!("{file}: {e}"))?;
        rows.extend(text.lines().filter_map(row));
    }
    Ok(rows)
}

/// How well sure verdicts should agree with a judge: quadratic kappa.
const WANTED: f64 = 0.88;

/// Fits the confidence of verdicts, and shows how sure ones agree on drills that were left out.
fn fit(pack: Pack, args: &[&str]) -> Result<(), String> {
    let mut judged = Vec::new();
    let mut pack = pack;
    for arg in args.iter().take_while(|a| **a != "--write") {
        if Path::new(arg).is_dir() {
            let loaded = pack::load(&Origin::Folder(arg.into()));
            pack = loaded.pack.ok_or_else(|| format!("{arg}: no pack that can be read"))?;
        } else {
            judged.extend(judged_by(&pack, &answers(&[*arg])?));
        }
    }
    let foreseen = cross_validate(&judged);
    for share in [1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3] {
        let n = (foreseen.len() as f64 * share) as usize;
        let mut agreement = Agreement::default();
        foreseen[..n].iter().for_each(|f| agreement.add(f.due, f.given));
        let least = foreseen.get(n.saturating_sub(1)).map_or(0.0, |f| f.chance);
        println!(
            "surest {:3.0}%  chance {least:.2} and up  kappa {:.3}  exact {:.2}",
            share * 100.0,
            agreement.kappa(),
            agreement.exact()
        );
    }
    let at = args.iter().position(|a| *a == "--write");
    let Some([file, date]) = at.and_then(|at| args.get(at + 1..at + 3)) else { return Ok(()) };
    let model = calibrate(&judged, date, WANTED).ok_or("too few verdicts")?;
    println!(
        "sure from {:.2}: {:.0}% of all, kappa {:.3}",
        model.threshold,
        model.sure_share * 100.0,
        model.sure_kappa
    );
    std::fs::write(file, model.text()).map_err(|e| format!("{file}: {e}"))
}

/// The verdicts of a pack's rules beside those of the judge.
fn judged_by(pack: &Pack, rows: &[Row]) -> Vec<Judged> {
    let mut judged = Vec::new();
    for row in rows {
        let Some(drill) = pack.drills.iter().find(|d| d.id == row.drill) else { continue };
        let (score, signs) = drill.scorer(None, &pack.vocabulary).signs(&row.answer);
        for (part, signs) in score.parts.iter().zip(signs) {
            let due = row.due.get(&part.part).copied().unwrap_or(Verdict::Missing);
            judged.push(Judged { drill: row.drill.clone(), signs, given: part.verdict, due });
        }
    }
    judged
}

fn one(pack: &Pack, id: &str) -> Result<(), String> {
    let drill = pack.drills.iter().find(|d| d.id == id).ok_or(format!("no drill `{id}`"))?;
    let mut answer = String::new();
    std::io::Read::read_to_string(&mut std::io::stdin(), &mut answer).map_err(|e| e.to_string())?;
    explain(&drill.scorer(None, &pack.vocabulary).score(&answer));
    Ok(())
}

fn explain(score: &Score) {
    for part in &score.parts {
        println!("{} {:?}", part.part, part.verdict);
        for p in part.points.iter().filter(|p| p.met || p.partial) {
            let how = if p.met { "met" } else { "partial" };
            println!("    {} {how} {}: {}", p.id, p.rule.as_deref().unwrap_or_default(), words(&p.evidence));
        }
    }
    for m in &score.misconceptions {
        println!("false: {} {}: {}", m.id, m.rule.as_deref().unwrap_or_default(), words(&m.evidence));
    }
    println!("score {:.2} {:?}", score.score, score.flags);
}

fn words(evidence: &[Evidence]) -> String {
    evidence.iter().map(|e| e.text.as_str()).collect::<Vec<_>>().join(" … ")
}

/// The samples of a drill, or of all, where a verdict or a false statement differs from what is due.
fn samples(pack: &Pack, only: Option<&str>) {
    let mut agreement = Agreement::default();
    for drill in pack.drills.iter().filter(|d| only.is_none_or(|id| id == d.id)) {
        let scorer = drill.scorer(None, &pack.vocabulary);
        for sample in &drill.samples {
            let score = scorer.score(&sample.answer);
            let due = |part: &str| sample.verdicts.get(part).copied().unwrap_or(Verdict::Missing);
            score.parts.iter().for_each(|p| agreement.add(due(&p.part), p.verdict));
            let wrong: Vec<String> = score
                .parts
                .iter()
                .filter(|p| p.verdict != due(&p.part))
                .map(|p| format!("{} due {:?}, given {:?}", p.part, due(&p.part), p.verdict))
                .collect();
            let found: BTreeSet<&str> = score.misconceptions.iter().map(|m| m.id.as_str()).collect();
            let named: BTreeSet<&str> = sample.misconceptions.iter().map(String::as_str).collect();
            if wrong.is_empty() && found == named && only.is_none() {
                continue;
            }
            println!("{} {}: {}", drill.id, sample.id, wrong.join("; "));
            if found != named {
                println!("    false statements due {named:?}, found {found:?}");
            }
            if only.is_some() {
                explain(&score);
            }
        }
    }
    println!("kappa on the author's own samples {:.3}: it says little of others", agreement.kappa());
}

fn row(line: &str) -> Option<Row> {
    let value: Value = serde_json::from_str(line).ok()?;
    let text = |key: &str| value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let judges: Vec<&Value> = ["judge1", "judge2", "judge", "verdicts"]
        .iter()
        .filter_map(|k| value.get(*k))
        .filter(|v| v.is_object())
        .collect();
    let mut due: BTreeMap<String, Verdict> = BTreeMap::new();
    for judge in &judges {
        for (part, verdict) in judge.as_object()? {
            let Ok(verdict) = serde_json::from_value::<Verdict>(verdict.clone()) else { continue };
            due.entry(part.clone()).and_modify(|d| *d = verdict.min(*d)).or_insert(verdict);
        }
    }
    let named = |j: &&Value| j.get("misconceptions").and_then(Value::as_array).is_some_and(|a| !a.is_empty());
    let has_false = judges.iter().any(named);
    Some(Row {
        drill: text("drill"),
        kind: text("kind"),
        id: text("id"),
        answer: text("answer"),
        due,
        has_false,
    })
}

#[derive(Default)]
struct Sum {
    agreement: Agreement,
    given: f64,
    due: f64,
    most: f64,
    answers: u32,
}

impl Sum {
    fn line(&self, name: &str) {
        let n = f64::from(self.answers.max(1));
        println!(
            "{name:34} {:4} answers  kappa {:6.3}  exact {:.2}  given {:.3} due {:.3}  most {:.2}",
            self.answers,
            self.agreement.kappa(),
            self.agreement.exact(),
            self.given / n,
            self.due / n,
            self.most
        );
    }
}

fn report(pack: &Pack, rows: &[Row], shown: bool) {
    let mut scorers: BTreeMap<&str, Scorer> = BTreeMap::new();
    let mut sums: BTreeMap<(u8, String), Sum> = BTreeMap::new();
    let (mut false_ones, mut noticed, mut alarms, mut without) = (0, 0, 0, 0);
    let (mut sure, mut verdicts, mut sure_of_attacks) = (Agreement::default(), 0, 0);
    let mut unknown = BTreeSet::new();
    for row in rows {
        let Some(drill) = pack.drills.iter().find(|d| d.id == row.drill) else {
            unknown.insert(&row.drill);
            continue;
        };
        let scorer = scorers.entry(&row.drill).or_insert_with(|| drill.scorer(None, &pack.vocabulary));
        let score = scorer.score(&row.answer);
        let attack = ATTACKS.contains(&row.kind.as_str());
        let found = !score.misconceptions.is_empty();
        if row.has_false {
            false_ones += 1;
            noticed += u32::from(found);
        } else if !attack {
            without += 1;
            alarms += u32::from(found);
        }
        let all = if attack { "attacks" } else { "honest" };
        let names =
            [(0, "all".to_owned()), (0, all.to_owned()), (1, row.kind.clone()), (2, row.drill.clone())];
        for key in names {
            add(sums.entry(key).or_default(), row, &score);
        }
        for part in &score.parts {
            verdicts += 1;
            if part.sure {
                if shown && row.due.get(&part.part).copied().unwrap_or(Verdict::Missing) != part.verdict {
                    println!("SURE BUT {} {}: {:?}, {:.2}", row.id, part.part, part.verdict, part.confidence);
                }
                sure.add(row.due.get(&part.part).copied().unwrap_or(Verdict::Missing), part.verdict);
                sure_of_attacks += u32::from(attack && part.verdict == Verdict::Covered);
            }
        }
        for part in score.parts.iter().filter(|_| shown) {
            let due = row.due.get(&part.part).copied().unwrap_or(Verdict::Missing);
            if due != part.verdict {
                println!(
                    "{} {} {} {}: due {due:?}, given {:?}",
                    row.id, row.kind, row.drill, part.part, part.verdict
                );
                for p in part.points.iter().filter(|p| p.met || p.partial) {
                    println!("    {} {:?}: {}", p.id, p.rule, words(&p.evidence));
                }
            }
        }
        for m in score.misconceptions.iter().filter(|_| shown) {
            let note = if row.has_false || attack { "found" } else { "ALARM" };
            println!(
                "{} {} {}: {note} {} {:?}: {}",
                row.id,
                row.kind,
                row.drill,
                m.id,
                m.rule,
                words(&m.evidence)
            );
        }
    }
    for ((_, name), sum) in &sums {
        sum.line(name);
    }
    println!(
        "sure: {:.0}% of {verdicts} verdicts, kappa {:.3}, exact {:.2}; covered for sure in attacks: {sure_of_attacks}",
        100.0 * f64::from(sure.pairs()) / f64::from(verdicts.max(1)),
        sure.kappa(),
        sure.exact(),
    );
    println!(
        "false statements noticed in {noticed} of {false_ones} answers; alarms in {alarms} of {without} others"
    );
    if !unknown.is_empty() {
        println!("no such drill: {unknown:?}");
    }
}

fn add(sum: &mut Sum, row: &Row, score: &Score) {
    sum.answers += 1;
    sum.given += score.score;
    sum.most = sum.most.max(score.score);
    let mut due = 0.0;
    for part in &score.parts {
        let expected = row.due.get(&part.part).copied().unwrap_or(Verdict::Missing);
        sum.agreement.add(expected, part.verdict);
        due += match expected {
            Verdict::Covered => 1.0,
            Verdict::Partial => 0.5,
            Verdict::Missing => 0.0,
        };
    }
    sum.due += due / score.parts.len().max(1) as f64;
}
