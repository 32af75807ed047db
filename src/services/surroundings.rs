//! What of the program's surroundings works, what does not, and what to do about it: for the verb `doctor` and for the
//! settings.

use std::collections::BTreeMap;
use std::env;
use std::time::Duration;

use serde::Serialize;

use crate::judge;
use crate::measure::python::{self, Starter};
use crate::process::{self, Cancel, How, Job};
use crate::services::library::Library;
use crate::store::Store;
use crate::study::words::some;

/// How well a thing works.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// It works.
    Works,
    /// Something that one may want is missing; the rest of the program does without.
    Missing,
    /// Something is broken.
    Broken,
}

impl State {
    /// The state in a word, as it is said.
    pub fn word(self) -> &'static str {
        match self {
            State::Works => "works",
            State::Missing => "missing",
            State::Broken => "broken",
        }
    }
}

/// What was found out about one thing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What was looked at.
    pub thing: &'static str,
    /// How well it works.
    pub state: State,
    /// What there is, a sentence.
    pub found: String,
    /// What to do, a sentence; none where nothing is to be done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cure: Option<String>,
}

impl Finding {
    /// It works.
    pub(crate) fn works(thing: &'static str, found: impl Into<String>) -> Finding {
        Finding { thing, state: State::Works, found: found.into(), cure: None }
    }

    /// It is missing, and what to do.
    pub(crate) fn missing(thing: &'static str, found: impl Into<String>, cure: impl Into<String>) -> Finding {
        Finding { thing, state: State::Missing, found: found.into(), cure: Some(cure.into()) }
    }

    /// It is broken, and what to do.
    pub(crate) fn broken(thing: &'static str, found: impl Into<String>, cure: impl Into<String>) -> Finding {
        Finding { thing, state: State::Broken, found: found.into(), cure: Some(cure.into()) }
    }
}

/// What the environment says: the terminal, its colours, its characters.
pub(crate) fn surroundings(
    variable: impl Fn(&str) -> Option<String>,
    size: Option<(u16, u16)>,
    palette: &str,
) -> Vec<Finding> {
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
    let colours =
        Finding::works("colours", format!("The palette is `{palette}`; `--theme` chooses another."));
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
pub(crate) fn python() -> Finding {
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
pub(crate) fn torch() -> Finding {
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

/// What is known of the open store, and of the judge that is set up in it.
pub(crate) fn kept(store: &Store) -> Vec<Finding> {
    let mut found = Vec::new();
    if let Some(path) = store.path() {
        found.push(Finding::works("data folder", format!("Progress is kept in {}.", path.display())));
    }
    found.push(match judge::set_up(store) {
        Ok(Some(judge)) => {
            Finding::works("judge", format!("Set up: `{}`; `judge test` tries it.", judge.line()))
        }
        Ok(None) => Finding::works("judge", "None is set up, and none is needed."),
        Err(fault) => {
            Finding::broken("judge", format!("{fault}."), "Set it up again with `infralens judge set`.")
        }
    });
    found
}

/// The packs at hand, and those that do not load.
pub(crate) fn packs(library: &Library) -> Vec<Finding> {
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
