//! How well the marks of a pack agree with judged answers.
//!
//! ```text
//! cargo run --release -p infralens-course --example agreement -- PACK ANSWERS.jsonl…
//! ```
//!
//! `PACK` is a folder; each line of the answers is an object with `drill`, `answer`, `kind` and one or two
//! judges: `judge1`, `judge2` with a verdict for each part and the false statements found.

use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;

use infralens_course::pack::{self, Origin, Pack};
use infralens_course::score::{Agreement, Score, Scorer, Verdict};
use serde_json::Value;

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
    let Some((folder, files)) = args.split_first() else {
        eprintln!("agreement: name a pack and files of judged answers");
        return ExitCode::from(2);
    };
    let loaded = pack::load(&Origin::Folder(folder.into()));
    let Some(pack) = loaded.pack else {
        loaded.problems.iter().take(20).for_each(|p| eprintln!("{p}"));
        return ExitCode::from(2);
    };
    let mut rows = Vec::new();
    for file in files {
        match std::fs::read_to_string(file) {
            Ok(text) => rows.extend(text.lines().filter_map(row)),
            Err(e) => {
                eprintln!("agreement: {file}: {e}");
                return ExitCode::from(2);
            }
        }
    }
    report(&pack, &rows, shown);
    ExitCode::SUCCESS
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
    let named = |j: &&Value| {
        j.get("misconceptions").and_then(Value::as_array).is_some_and(|a| !a.is_empty())
    };
    let has_false = judges.iter().any(named);
    Some(Row { drill: text("drill"), kind: text("kind"), id: text("id"), answer: text("answer"), due, has_false })
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
        let names = [(0, "all".to_owned()), (0, all.to_owned()), (1, row.kind.clone()), (2, row.drill.clone())];
        for key in names {
            add(sums.entry(key).or_default(), row, &score);
        }
        for part in score.parts.iter().filter(|_| shown) {
            let due = row.due.get(&part.part).copied().unwrap_or(Verdict::Missing);
            if due != part.verdict {
                println!("{} {} {} {}: due {due:?}, given {:?}", row.id, row.kind, row.drill, part.part, part.verdict);
                for p in part.points.iter().filter(|p| p.met || p.partial) {
                    let words: Vec<&str> = p.evidence.iter().map(|e| e.text.as_str()).collect();
                    println!("    {} {:?}: {}", p.id, p.rule, words.join(" … "));
                }
            }
        }
        for m in score.misconceptions.iter().filter(|_| shown) {
            let words: Vec<&str> = m.evidence.iter().map(|e| e.text.as_str()).collect();
            let note = if row.has_false || attack { "found" } else { "ALARM" };
            println!("{} {} {}: {note} {} {:?}: {}", row.id, row.kind, row.drill, m.id, m.rule, words.join(" … "));
        }
    }
    for ((_, name), sum) in &sums {
        sum.line(name);
    }
    println!("false statements noticed in {noticed} of {false_ones} answers; alarms in {alarms} of {without} others");
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
