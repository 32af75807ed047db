//! `pack`: the verbs for authors.

use std::fs;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use serde_json::json;

use super::Outcome;
use crate::cli::Global;
use crate::cli::pack::SchemaOf;
use crate::doc::escape;
use crate::pack::{self, Document, Origin, Style};
use crate::study::words::some;
use crate::whole;

mod default;
mod draft;
mod expected;
mod fetch;
mod install;
mod list;
mod new;
mod prune;
mod tree;
mod trust;
mod upgrade;
mod watch;

pub use default::{chosen, run as default};
pub use draft::{Asked as Draft, run as draft};
pub use expected::run as expected;
pub use install::{installed, remove, run as install};
pub use list::run as list;
pub use new::run as new;
pub use prune::run as prune;
pub use trust::run as trust;
pub use upgrade::run as upgrade;
pub use watch::run as watch;

/// In which form problems are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// For people, with colours where the output is a terminal.
    Text,
    /// For people, without colours.
    Plain,
    /// For programs.
    Json,
}

impl Form {
    /// The form that the command line asks for.
    pub fn of(global: &Global) -> Self {
        match (global.json, global.plain) {
            (true, _) => Form::Json,
            (false, true) => Form::Plain,
            (false, false) => Form::Text,
        }
    }
}

/// Checks packs and prints every problem with its place and its cure, or all as JSON.
///
/// # Errors
/// Where the output cannot be written.
pub fn check(paths: &[PathBuf], form: Form, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    let coloured = std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let style = if coloured && form == Form::Text { Style::Colour } else { Style::Plain };
    if form != Form::Json {
        for (origin, _) in origins(paths) {
            if let Origin::Folder(folder) = &origin {
                must_be(folder)?;
            }
        }
    }
    let mut failed = false;
    let mut reports = Vec::new();
    for (origin, name) in origins(paths) {
        let name = escape::line(&name);
        let loaded = pack::check(&origin);
        let errors = loaded.problems.iter().filter(|p| p.is_error()).count();
        let warnings = loaded.problems.len() - errors;
        failed |= errors > 0;
        if form == Form::Json {
            reports.push(
                json!({"pack": name, "errors": errors, "warnings": warnings, "problems": loaded.problems}),
            );
            continue;
        }
        let root = if origin == crate::built_in::ORIGIN || name == "." { "" } else { &name };
        for problem in &loaded.problems {
            write!(out, "{}", problem.report(root, style))?;
        }
        let patterns = loaded.pack.as_ref().map(patterns).unwrap_or_default();
        let held = loaded.pack.map_or_else(String::new, |p| {
            format!(
                ": {}, {}, {}, {}, {}",
                some(p.lessons.len(), "lesson"),
                some(p.drills.len(), "drill"),
                some(p.checks.len(), "check"),
                some(p.puzzles.len(), "puzzle"),
                some(p.terms.len(), "term")
            )
        });
        let held = held + &patterns;
        writeln!(out, "{name}: {} and {}{held}", some(errors, "error"), some(warnings, "warning"))?;
    }
    if form == Form::Json {
        super::json::pretty(&reports, out)?;
    }
    Ok(if failed { Outcome::Failed } else { Outcome::Done })
}

/// How many patterns the rubrics of a pack have, in words.
fn patterns(pack: &pack::Pack) -> String {
    let counts = || pack.drills.iter().map(|d| d.rubric.patterns());
    match counts().max() {
        Some(most) => format!(", {} patterns ({most} at most in a drill)", counts().sum::<usize>()),
        None => String::new(),
    }
}

/// Says where a folder does not exist: nothing in it is at fault.
pub fn must_be(path: &Path) -> anyhow::Result<()> {
    if path.exists() || path.is_symlink() {
        return Ok(());
    }
    bail!("there is no folder {}; name one that holds a pack.toml", escape::line(&path.display().to_string()))
}

/// The packs of a command line with their names; none means the built-in one.
pub fn origins(paths: &[PathBuf]) -> Vec<(Origin, String)> {
    if paths.is_empty() {
        return vec![(crate::built_in::ORIGIN, "the built-in pack".to_owned())];
    }
    paths.iter().map(|p| (Origin::Folder(p.clone()), p.display().to_string())).collect()
}

/// Prints the JSON Schema of a kind of file, or writes all into a folder.
///
/// # Errors
/// Where nothing was asked for, or a file cannot be written.
pub fn schema(of: Option<SchemaOf>, folder: Option<&Path>, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    match (of, folder) {
        (_, Some(folder)) => {
            whole::put_all(folder, |folder| {
                let write = |document: &Document| fs::write(folder.join(file_of(*document)), document.text());
                Document::ALL.iter().try_for_each(write)
            })
            .with_context(|| format!("cannot write schemas to {}", folder.display()))?;
            for document in Document::ALL {
                let path = folder.join(file_of(document));
                writeln!(out, "{}", escape::line(&path.display().to_string()))?;
            }
            // beside the schemas of a source tree stands the reference for people
            let docs = folder.join("../../docs");
            if docs.join("writing-rubrics.md").exists() {
                let path = docs.join("pack-format.md");
                fs::write(&path, pack::reference())
                    .with_context(|| format!("cannot write {}", path.display()))?;
                writeln!(out, "{}", escape::line(&path.display().to_string()))?;
                let path = docs.join("words.md");
                fs::write(&path, pack::words())
                    .with_context(|| format!("cannot write {}", path.display()))?;
                writeln!(out, "{}", escape::line(&path.display().to_string()))?;
            }
        }
        (Some(of), None) => out.write_all(document(of).text().as_bytes())?,
        (None, None) => anyhow::bail!(
            "`pack schema` needs a kind of file (pack, lesson, quiz, glossary, claims, measure), or --write FOLDER for all"
        ),
    }
    Ok(Outcome::Done)
}

fn file_of(document: Document) -> String {
    format!("{}.schema.json", document.name())
}

fn document(of: SchemaOf) -> Document {
    match of {
        SchemaOf::Pack => Document::Pack,
        SchemaOf::Lesson => Document::Lesson,
        SchemaOf::Quiz => Document::Quiz,
        SchemaOf::Glossary => Document::Glossary,
        SchemaOf::Claims => Document::Claims,
        SchemaOf::Measure => Document::Measure,
    }
}
