//! `doctor`: what of the program's surroundings works, what does not, and what to do about it.

use std::env;
use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::Path;

use super::Outcome;
use super::courses;
use super::learn::data_dir;
use crate::cli::Global;
use crate::doc::escape::line as escape;
use crate::services::surroundings::{self, Finding, State};
use crate::store::Store;
use crate::tui::terminal;
use crate::widget::theme::Palette;

/// Looks at everything and prints what it found. The verb fails where something is broken.
///
/// # Errors
/// Where the output fails.
pub fn run(global: &Global, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    let size = io::stdout().is_terminal().then(|| terminal::size().ok()).flatten();
    let variable = |name: &str| env::var(name).ok();
    let mut found = surroundings::surroundings(variable, size, Palette::detect(variable).name());
    found.push(surroundings::python());
    found.push(surroundings::torch());
    found.extend(kept(global));
    found.extend(surroundings::packs(&courses::load(global)));
    print(&found, global, out)
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
    let broken = |fault: String| {
        let cure = "Mend that, or keep progress elsewhere with `--data-dir PATH`.";
        vec![Finding::broken("data folder", format!("{fault}."), cure)]
    };
    if let Err(fault) = tried(&folder) {
        return broken(format!("{shown} cannot be written: {fault}"));
    }
    if !Store::is_in(&folder) && !folder.exists() {
        let found = format!("{shown} can be written; it will be made at the first start.");
        return vec![Finding::works("data folder", found)];
    }
    match Store::open(&folder) {
        Ok(store) => surroundings::kept(&store),
        Err(fault) => broken(format!("{shown}: {fault}")),
    }
}

/// So many bytes are written to see whether there is room: more than a new store takes.
const PROBE: usize = 512 * 1024;

/// Makes a folder where it is missing and writes a file in it; then takes away what it made.
fn tried(folder: &Path) -> io::Result<()> {
    let missing: Vec<&Path> =
        folder.ancestors().take_while(|at| !at.as_os_str().is_empty() && !at.exists()).collect();
    let written = fs::create_dir_all(folder).and_then(|()| {
        // its fault names a file that nobody knows
        let bare = |fault: io::Error| fault.raw_os_error().map_or(fault, io::Error::from_raw_os_error);
        let mut file = tempfile::NamedTempFile::new_in(folder).map_err(bare)?;
        file.write_all(&vec![0; PROBE])?;
        file.as_file().sync_all()
    });
    // the innermost first; what somebody else has put there meanwhile stays
    missing.into_iter().for_each(|made| drop(fs::remove_dir(made)));
    written
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
        surroundings::surroundings(value, size, Palette::detect(value).name())
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
    fn a_folder_works_where_a_file_can_be_written_in_it_and_nothing_stays_of_the_try() {
        let at = tempfile::tempdir().expect("a folder");
        let of = |folder: &Path| {
            let found = kept(&Global { data_dir: Some(folder.to_owned()), ..Global::default() });
            (found[0].state, found[0].found.clone())
        };
        let deep = at.path().join("a/b/c");
        let (state, found) = of(&deep);
        assert_eq!(state, State::Works);
        assert!(found.contains("will be made"), "{found}");
        assert!(!at.path().join("a").exists(), "the try leaves nothing behind");
        let file = at.path().join("file");
        fs::write(&file, "text").expect("written");
        for folder in [file.clone(), file.join("below")] {
            let (state, found) = of(&folder);
            assert_eq!(state, State::Broken, "{found}");
            assert!(found.contains("file"), "{found}");
        }
        assert_eq!(fs::read_to_string(&file).expect("the file"), "text");
        if cfg!(target_os = "linux") {
            // nobody can make a folder or a file there, whoever runs this
            for folder in ["/proc/foo", "/proc", "/sys/kernel"] {
                let (state, found) = of(Path::new(folder));
                assert_eq!(state, State::Broken, "{folder}: {found}");
                assert!(found.contains(folder), "{found}");
            }
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
