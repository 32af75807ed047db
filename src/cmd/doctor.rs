//! `doctor`: what of the program's surroundings works, what does not, and what to do about it.

use std::collections::BTreeMap;
use std::env;
use std::io::{self, IsTerminal, Write};
use std::time::Duration;

use serde::Serialize;

use super::Outcome;
use super::courses;
use super::learn::data_dir;
use crate::cli::Global;
use crate::doc::escape::line as escape;
use crate::judge;
use crate::measure::python::{self, Starter};
use crate::process::{self, Cancel, How, Job};
use crate::services::library::Library;
use crate::store::Store;
use crate::study::words::some;
use crate::tui::terminal;
use crate::widget::theme::Palette;

/// How well a thing works.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum State {
    /// It works.
    Works,
    /// Something that one may want is missing; the rest of the program does without.
    Missing,
    /// Something is broken.
    Broken,
}

impl State {
    /// The state in a word, as it is said.
    fn word(self) -> &'static str {
        match self {
            State::Works => "works",
            State::Missing => "missing",
            State::Broken => "broken",
        }
    }
}

/// What was found out about one thing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Finding {
    thing: &'static str,
    state: State,
    /// What there is, a sentence.
    found: String,
    /// What to do, a sentence; none where nothing is to be done.
    #[serde(skip_serializing_if = "Option::is_none")]
    cure: Option<String>,
}

impl Finding {
    fn works(thing: &'static str, found: impl Into<String>) -> Finding {
        Finding { thing, state: State::Works, found: found.into(), cure: None }
    }

    fn missing(thing: &'static str, found: impl Into<String>, cure: impl Into<String>) -> Finding {
        Finding { thing, state: State::Missing, found: found.into(), cure: Some(cure.into()) }
    }

    fn broken(thing: &'static str, found: impl Into<String>, cure: impl Into<String>) -> Finding {
        Finding { thing, state: State::Broken, found: found.into(), cure: Some(cure.into()) }
    }
}

/// Looks at everything and prints what it found. The verb fails where something is broken.
///
/// # Errors
/// Where the output fails.
pub fn run(global: &Global, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    let size = io::stdout().is_terminal().then(|| terminal::size().ok()).flatten();
    let mut found = surroundings(|name| env::var(name).ok(), size);
    found.push(python());
    found.push(torch());
    found.extend(kept(global));
    found.extend(packs(&courses::load(global)));
    print(&found, global, out)
}

/// What the environment says: the terminal, its colours, its characters.
fn surroundings(variable: impl Fn(&str) -> Option<String>, size: Option<(u16, u16)>) -> Vec<Finding> {
    let terminal = match (size, variable("TERM").as_deref()) {
        (Some((width, height)), _) if width < 80 || height < 24 => Finding::missing(
            "terminal",
            format!("{width} columns and {height} rows."),
            "Make the window at least 80 by 24, or use `--plain`.",
        ),
        (Some(_), Some("dumb") | None) => Finding::missing(
            "terminal",
            "Its TERM says that it cannot move the cursor.",
            "Use `--plain`, or set TERM to what your terminal is.",
        ),
        (Some((width, height)), Some(term)) => {
            Finding::works("terminal", format!("{term}, {width} columns and {height} rows."))
        }
        (None, _) => Finding::works("terminal", "The output is not a terminal, so verbs print plain text."),
    };
    let palette = Palette::detect(&variable);
    let name = Palette::NAMES.iter().find(|(_, p)| *p == palette).map_or("dark", |(name, _)| name);
    let colours = Finding::works("colours", format!("The palette is `{name}`; `--theme` chooses another."));
    // the first of these that is set decides
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().filter_map(&variable).find(|v| !v.is_empty());
    let locale = locale.unwrap_or_default();
    let says_utf8 = ["UTF-8", "UTF8", "utf-8", "utf8"].iter().any(|name| locale.contains(name));
    let characters = if says_utf8 {
        Finding::works("characters", format!("The locale is {locale}."))
    } else {
        let locale = if locale.is_empty() { "not set".to_owned() } else { locale };
        Finding::missing(
            "characters",
            format!("The locale ({locale}) does not name UTF-8."),
            "If lines or marks look wrong, set LANG to a UTF-8 locale such as C.UTF-8, or use `--ascii`.",
        )
    };
    vec![terminal, colours, characters]
}

/// The Python that runs the starters of labs.
fn python() -> Finding {
    let job = Job {
        program: "python3".into(),
        args: vec!["-c".into(), "import platform; print(platform.python_version())".into()],
        folder: None,
        env: BTreeMap::new(),
        is_bare: false,
        input: Vec::new(),
        limit: Duration::from_secs(10),
        most_output: 256,
    };
    match process::run(&job, &Cancel::default()) {
        Ok(ended) if ended.how == How::Exit(Some(0)) => {
            Finding::works("python", format!("python3 is {}; starters of labs can run.", ended.out.trim()))
        }
        _ => Finding::missing(
            "python",
            "No python3 was found that runs.",
            "Install Python 3 to run the starters of labs; until then their stored output is shown.",
        ),
    }
}

/// The PyTorch that the measured labs need.
fn torch() -> Finding {
    match python::find(env::var_os(python::TORCHRUN), env::var_os(python::PYTHON)) {
        Ok(Starter::Python(python, version)) => Finding::works(
            "pytorch",
            format!("{} has PyTorch {version}; `infralens measure` can run.", python.to_string_lossy()),
        ),
        Ok(Starter::Torchrun(command)) => Finding::works(
            "pytorch",
            format!(
                "Labs are started by `{}`; its PyTorch is known only once it runs.",
                command.to_string_lossy()
            ),
        ),
        Err(fault) => Finding::missing(
            "pytorch",
            format!("{fault}."),
            "Measured labs need it; without it `infralens measure` shows the stored run of another machine.",
        ),
    }
}

/// What lies in the data folder: the store, and the judge that is set up in it.
fn kept(global: &Global) -> Vec<Finding> {
    let folder = match data_dir(global) {
        Ok(folder) => folder,
        Err(fault) => {
            return vec![Finding::broken(
                "data folder",
                format!("{fault:#}."),
                "Name a folder with `--data-dir PATH`; until then nothing is kept.",
            )];
        }
    };
    let shown = folder.display();
    if !Store::is_in(&folder) && !folder.exists() {
        return vec![Finding::works("data folder", format!("{shown} will be made at the first start."))];
    }
    match Store::open(&folder) {
        Ok(store) => {
            let kept = store.path().map_or(shown.to_string(), |path| path.display().to_string());
            let mut found = vec![Finding::works("data folder", format!("Progress is kept in {kept}."))];
            found.push(match judge::set_up(&store) {
                Ok(Some(judge)) => {
                    Finding::works("judge", format!("Set up: `{}`; `judge test` tries it.", judge.line()))
                }
                Ok(None) => Finding::works("judge", "None is set up, and none is needed."),
                Err(fault) => Finding::broken(
                    "judge",
                    format!("{fault}."),
                    "Set it up again with `infralens judge set`.",
                ),
            });
            found
        }
        Err(fault) => vec![Finding::broken(
            "data folder",
            format!("{shown}: {fault}."),
            "Mend that, or keep progress elsewhere with `--data-dir PATH`.",
        )],
    }
}

/// The packs at hand, and those that do not load.
fn packs(library: &Library) -> Vec<Finding> {
    let names: Vec<&str> = library.packs.iter().map(|p| p.id.as_str()).collect();
    let at_hand = format!("{}: {}.", some(names.len(), "pack"), names.join(", "));
    let broken = library.broken.iter().map(|broken| {
        Finding::broken(
            "packs",
            format!("{} does not load: {}.", broken.path, some(broken.problems, "problem")),
            format!("`infralens pack check {}` says what is wrong.", broken.path),
        )
    });
    std::iter::once(Finding::works("packs", at_hand)).chain(broken).collect()
}

fn print(found: &[Finding], global: &Global, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    if global.json {
        super::json::pretty(&found, out)?;
    } else {
        for finding in found {
            let mark = match finding.state {
                State::Works => "works",
                State::Missing => "without",
                State::Broken => "broken",
            };
            if global.plain {
                let cure = finding.cure.iter().map(|cure| format!(" {}", escape(cure))).collect::<String>();
                let thing = crate::study::words::capital(finding.thing);
                writeln!(out, "{thing}: {}. {}{cure}", finding.state.word(), escape(&finding.found))?;
                continue;
            }
            writeln!(out, "{:<12} {mark:<8} {}", finding.thing, escape(&finding.found))?;
            if let Some(cure) = &finding.cure {
                writeln!(out, "{:<21} {}", "", escape(cure))?;
            }
        }
    }
    let broken = found.iter().any(|f| f.state == State::Broken);
    Ok(if broken { Outcome::Failed } else { Outcome::Done })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(variables: &[(&str, &str)], size: Option<(u16, u16)>) -> Vec<Finding> {
        let value = |name: &str| variables.iter().find(|(n, _)| *n == name).map(|(_, v)| (*v).to_owned());
        surroundings(value, size)
    }

    #[test]
    fn a_good_terminal_needs_no_cure() {
        let found = of(&[("TERM", "xterm-256color"), ("LANG", "en_GB.UTF-8")], Some((120, 40)));
        assert!(found.iter().all(|f| f.state == State::Works && f.cure.is_none()), "{found:?}");
        assert_eq!(found[0].found, "xterm-256color, 120 columns and 40 rows.");
        assert!(found[1].found.contains("`dark`"));
    }

    #[test]
    fn what_is_missing_comes_with_what_to_do() {
        for (variables, size, thing) in [
            (vec![("TERM", "xterm"), ("LANG", "C.UTF-8")], Some((79, 24)), "terminal"),
            (vec![("TERM", "dumb"), ("LANG", "C.UTF-8")], Some((80, 24)), "terminal"),
            (vec![("TERM", "xterm"), ("LANG", "C.UTF-8"), ("LC_ALL", "C")], Some((80, 24)), "characters"),
            (vec![("TERM", "xterm")], None, "characters"),
        ] {
            let found = of(&variables, size);
            let missing: Vec<_> = found.iter().filter(|f| f.state == State::Missing).collect();
            assert_eq!(missing.len(), 1, "{found:?}");
            assert_eq!(missing[0].thing, thing);
            assert!(missing[0].cure.is_some());
        }
    }

    #[test]
    fn what_is_broken_fails_and_is_escaped() {
        let found = [Finding::broken("packs", "a\u{1b}[2Jb does not load.", "Mend it.")];
        let mut text = Vec::new();
        assert_eq!(print(&found, &Global::default(), &mut text).expect("written"), Outcome::Failed);
        let text = String::from_utf8(text).expect("UTF-8");
        assert!(!text.contains('\u{1b}') && text.contains("Mend it."), "{text}");
        let mut text = Vec::new();
        let fine = [Finding::works("judge", "None.")];
        assert_eq!(
            print(&fine, &Global { json: true, ..Global::default() }, &mut text).expect("written"),
            Outcome::Done
        );
        let value: serde_json::Value = serde_json::from_slice(&text).expect("JSON");
        assert_eq!(value[0]["state"], "works");
    }
}
