//! The lines of a file of judged answers, read strictly: what is misspelt would otherwise count for nothing.

use std::collections::{BTreeMap, HashMap};

use anyhow::{Context as _, bail};
use serde_json::{Map, Value};

use crate::doc::escape::line as escape;
use crate::pack::Pack;
use crate::score::Verdict;

/// An answer with what its judges say.
pub struct Row {
    /// The line in its file, from 1.
    pub line: usize,
    /// What the file calls it; else its line.
    pub id: String,
    /// The drill.
    pub drill: String,
    /// What kind of answer it is.
    pub kind: String,
    /// The answer.
    pub answer: String,
    /// At least one judge.
    pub judges: Vec<Judgement>,
}

/// What one judge says of an answer.
#[derive(Default)]
pub struct Judgement {
    /// By part id.
    pub verdicts: BTreeMap<String, Verdict>,
    /// The statements held to be false; none where the judge was not asked.
    pub misconceptions: Option<Vec<String>>,
}

/// The keys of a line beside those of its judges.
const KEYS: [&str; 4] = ["id", "drill", "kind", "answer"];

/// Reads all lines.
///
/// # Errors
/// The first line that is no answer with a known drill, or holds a key, a part or a verdict that nothing has; and
/// a file without rows.
pub fn read(packs: &[Pack], text: &str) -> anyhow::Result<Vec<Row>> {
    let parts = parts(packs);
    let lines = text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty());
    let rows = lines.map(|(i, line)| row(&parts, i + 1, line).with_context(|| format!("line {}", i + 1)));
    let rows: Vec<Row> = rows.collect::<anyhow::Result<_>>()?;
    if rows.is_empty() {
        bail!("the file has no answers; write one JSON object per line: {}", EXAMPLE);
    }
    Ok(rows)
}

const EXAMPLE: &str = r#"{"drill": "…", "kind": "strong", "answer": "…", "judge": {"problem": "covered", "misconceptions": []}}"#;

/// The parts of each drill, by its id and by `pack:drill`; none for an id that several packs have.
fn parts(packs: &[Pack]) -> HashMap<String, Option<&[String]>> {
    let mut all: HashMap<String, Option<&[String]>> = HashMap::new();
    for (pack, drill) in packs.iter().flat_map(|p| p.drills.iter().map(move |d| (p, d))) {
        let parts = drill.rubric.parts.as_slice();
        all.insert(format!("{}:{}", pack.id, drill.id), Some(parts));
        all.entry(drill.id.clone()).and_modify(|known| *known = None).or_insert(Some(parts));
    }
    all
}

fn row(parts: &HashMap<String, Option<&[String]>>, line: usize, text: &str) -> anyhow::Result<Row> {
    let value: Value = serde_json::from_str(text).context("not a JSON object")?;
    let Value::Object(object) = value else { bail!("not a JSON object; write {EXAMPLE}") };
    let drill = needed(&object, "drill")?;
    if parts.get(&drill) == Some(&None) {
        let mut all: Vec<&str> =
            parts.keys().map(String::as_str).filter(|k| k.ends_with(&format!(":{drill}"))).collect();
        all.sort_unstable();
        bail!("several packs have a drill `{}`; write one of {}", escape(&drill), all.join(", "));
    }
    let Some(parts) = parts.get(&drill).copied().flatten() else {
        bail!("no pack has a drill `{}`; `infralens list drills` names them", escape(&drill));
    };
    let mut judges = Vec::new();
    for (key, value) in &object {
        if is_judge(key) {
            judges.push(judgement(key, value, parts)?);
        } else if key == "misconceptions" {
            bail!("`misconceptions` stands beside the judge; write it inside: {EXAMPLE}");
        } else if !KEYS.contains(&key.as_str()) {
            let known = KEYS.join(", ");
            bail!(
                "unknown key `{}`; a line has {known} and `judge`, `judge1`, `judge2` or `verdicts`",
                escape(key)
            );
        }
    }
    if judges.is_empty() {
        bail!(
            "no judge; write \"judge\": {{\"{}\": \"covered\", …}}",
            parts.first().map_or("part", String::as_str)
        );
    }
    let optional = |key: &str| object.get(key).and_then(Value::as_str).map(str::to_owned);
    Ok(Row {
        line,
        id: optional("id").unwrap_or_else(|| format!("line {line}")),
        kind: optional("kind").unwrap_or_else(|| "answer".to_owned()),
        answer: needed(&object, "answer")?,
        drill,
        judges,
    })
}

fn needed(object: &Map<String, Value>, key: &str) -> anyhow::Result<String> {
    match object.get(key) {
        Some(Value::String(text)) => Ok(text.clone()),
        Some(_) => bail!("`{key}` is not a text"),
        None => bail!("no `{key}`; write {EXAMPLE}"),
    }
}

/// Whether a key holds what a judge says: `judge`, with a number where there are several, or `verdicts`.
fn is_judge(key: &str) -> bool {
    let number = key.strip_prefix("judge");
    key == "verdicts" || number.is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit()))
}

fn judgement(key: &str, value: &Value, parts: &[String]) -> anyhow::Result<Judgement> {
    let Value::Object(said) = value else { bail!("`{key}` is not an object of parts and verdicts") };
    let mut judgement = Judgement::default();
    for (part, value) in said {
        if part == "misconceptions" {
            let read = serde_json::from_value(value.clone());
            let read: Vec<String> =
                read.with_context(|| format!("`misconceptions` of `{key}` is not a list of texts"))?;
            judgement.misconceptions = Some(read);
        } else if parts.contains(part) {
            let verdict = serde_json::from_value(value.clone());
            let verdict = verdict.ok().with_context(|| {
                let shown = escape(&value.to_string()).into_owned();
                format!("{shown} is not a verdict on `{part}`; write covered, partial or missing")
            })?;
            judgement.verdicts.insert(part.clone(), verdict);
        } else {
            bail!(
                "`{key}` judges `{}`, which is not a part; the parts are {}",
                escape(part),
                parts.join(", ")
            );
        }
    }
    if judgement.verdicts.is_empty() {
        bail!("`{key}` has no verdict; the parts are {}", parts.join(", "));
    }
    Ok(judgement)
}
