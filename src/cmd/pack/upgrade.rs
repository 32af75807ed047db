//! `pack upgrade`: quiz files of format 1, written as format 2.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context as _;

use super::super::Outcome;
use crate::doc::escape::line as escape;
use crate::score::{parse_pattern, upgraded_pattern};
use crate::whole;

/// Shows what would change in the quiz files of a pack, or with `write` changes them.
///
/// # Errors
/// Where a file cannot be read or written.
pub fn run(folder: &Path, write: bool, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    let mut changed = 0;
    for path in quiz_files(&folder.join("quizzes"))? {
        let name = path.display().to_string();
        let text = fs::read_to_string(&path).with_context(|| format!("cannot read {name}"))?;
        let Some(upgrade) = upgraded(&text) else { continue };
        changed += 1;
        writeln!(
            out,
            "{}: {} `!` written out, {} points given `says`",
            escape(&name),
            upgrade.denials,
            upgrade.says
        )?;
        if write {
            // through a link to where the file is
            let file = fs::canonicalize(&path).with_context(|| format!("cannot open {name}"))?;
            whole::put_text(&file, &upgrade.text).with_context(|| format!("cannot write {name}"))?;
        }
    }
    match (changed, write) {
        (0, _) => writeln!(out, "Every quiz file with drills is of format 2 already.")?,
        (_, false) => writeln!(out, "Nothing was written; --write changes the files.")?,
        (_, true) => writeln!(
            out,
            "Now check the result: format 2 wants all words of a statement in one sentence, and two points \
             where a part has three.\n\
             Read each `says`, put words that belong together in [ ], and run `infralens pack check` and `pack test`."
        )?,
    }
    Ok(Outcome::Done)
}

/// The TOML files below a folder, sorted.
fn quiz_files(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let shown = folder.display().to_string();
    for entry in
        fs::read_dir(folder).with_context(|| format!("cannot read {shown}; name the folder of a pack"))?
    {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(quiz_files(&path)?);
        } else if path.extension().is_some_and(|e| e == "toml") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// A file as format 2 writes it.
struct Upgrade {
    text: String,
    denials: usize,
    says: usize,
}

/// Rewrites a file; none where it has no drills or is of format 2. Everything else in it stays as it is, with its
/// comments.
fn upgraded(text: &str) -> Option<Upgrade> {
    let table: toml::Table = toml::from_str(text).ok()?;
    let drills = table.get("drill")?.as_array()?;
    if table.contains_key("format") {
        return None;
    }
    let mut made = Upgrade { text: text.to_owned(), denials: 0, says: 0 };
    let mut patterns: BTreeSet<String> = BTreeSet::new();
    drills.iter().for_each(|drill| patterns_in(drill, &mut patterns));
    for pattern in patterns {
        let Some(new) = upgraded_pattern(&pattern).ok().filter(|new| *new != pattern) else { continue };
        for quoted in [basic, |s: &str| format!("'{s}'")] {
            made.denials += made.text.matches(&quoted(&pattern)).count();
            made.text = made.text.replace(&quoted(&pattern), &quoted(&new));
        }
    }
    with_says(&mut made, drills);
    let at = first_line_of_keys(&made.text);
    made.text.insert_str(at, "format = 2\n");
    Some(made)
}

/// A text in quotes, as TOML wants it; JSON escapes alike.
fn basic(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// All texts of a value that read as patterns: those of `match` and `partial`.
fn patterns_in(value: &toml::Value, found: &mut BTreeSet<String>) {
    match value {
        toml::Value::Table(table) => {
            for (key, value) in table {
                match value.as_array().filter(|_| matches!(key.as_str(), "match" | "partial")) {
                    Some(list) => {
                        let texts = list.iter().filter_map(toml::Value::as_str);
                        found.extend(texts.filter(|t| parse_pattern(t).is_ok()).map(str::to_owned));
                    }
                    None => patterns_in(value, found),
                }
            }
        }
        toml::Value::Array(all) => all.iter().for_each(|value| patterns_in(value, found)),
        _ => {}
    }
}

/// Gives each point without `says` one: what its feedback says after the colon.
fn with_says(made: &mut Upgrade, drills: &[toml::Value]) {
    let points = drills.iter().filter_map(|d| d.get("point")?.as_array()).flatten();
    let mut points =
        points.map(|p| (p.get("says").is_some(), p.get("feedback").and_then(toml::Value::as_str)));
    let mut text = String::with_capacity(made.text.len());
    for line in made.text.split_inclusive('\n') {
        text.push_str(line);
        if line.trim() != "[[drill.point]]" {
            continue;
        }
        if let Some((false, Some(feedback))) = points.next() {
            made.says += 1;
            text.push_str(&format!("says = {}\n", basic(&statement(feedback))));
        }
    }
    made.text = text;
}

/// "Say what breaks: replicas drift." says that replicas drift.
fn statement(feedback: &str) -> String {
    let said = feedback.split_once(": ").map_or(feedback, |(_, statement)| statement).trim();
    let mut letters = said.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Where the first key or table begins, behind the comments at the top.
fn first_line_of_keys(text: &str) -> usize {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if !line.trim().is_empty() && !line.trim_start().starts_with('#') {
            break;
        }
        at += line.len();
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: &str = "# words\nlesson = \"ddp\"\n\n[[drill]]\nid = \"d\"\n\n[[drill.point]]\nid = \"p\"\npart = \"problem\"\nmatch = [\"a + !b|c\", \"a - d|e\"] # kept\nfeedback = \"Say what breaks: replicas drift.\"\n";

    #[test]
    fn a_file_is_rewritten_with_its_comments() {
        let made = upgraded(OLD).expect("a file of format 1");
        assert_eq!((made.denials, made.says), (1, 1));
        assert!(made.text.starts_with("# words\nformat = 2\nlesson"), "{}", made.text);
        assert!(
            made.text.contains("[[drill.point]]\nsays = \"Replicas drift.\"\nid = \"p\""),
            "{}",
            made.text
        );
        assert!(made.text.contains("match = [\"a + !b|!c\", \"a - d|e\"] # kept"), "{}", made.text);
    }

    #[test]
    fn what_is_of_format_2_or_has_no_drill_stays() {
        assert!(upgraded(&format!("format = 2\n{OLD}")).is_none());
        assert!(upgraded("lesson = \"ddp\"\n").is_none());
    }
}
