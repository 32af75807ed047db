//! `pack check --run`: whether the stored output of the starters is what they print.

use std::io::Write;
use std::path::PathBuf;

use super::origins;
use crate::cmd::Outcome;
use crate::doc::escape;
use crate::pack::{self, Lab, Pack};
use crate::process::Cancel;
use crate::services::run;

/// Runs the starters of packs that have stored output, and says where it is another.
///
/// # Errors
/// Where the output cannot be written.
pub fn run(paths: &[PathBuf], out: &mut dyn Write) -> anyhow::Result<Outcome> {
    let mut outcome = Outcome::Done;
    for (origin, name) in origins(paths) {
        // what does not load was reported by the check
        let Some(pack) = pack::load(&origin).pack else { continue };
        let mut ran = 0;
        for lab in pack.lessons.iter().flat_map(|l| &l.labs) {
            ran += usize::from(lab.starter.language == "python" && lab.starter.expected.is_some());
            if let Some(fault) = fault(&pack, lab) {
                outcome = Outcome::Failed;
                writeln!(
                    out,
                    "{}: assets/{}: {fault}",
                    escape::line(&name),
                    escape::line(&lab.starter.path)
                )?;
            }
        }
        if outcome == Outcome::Done && ran > 0 {
            let starters =
                if ran == 1 { "1 starter prints".to_owned() } else { format!("{ran} starters print") };
            writeln!(out, "{}: {starters} what is stored", escape::line(&name))?;
        }
    }
    Ok(outcome)
}

/// What is wrong with the stored output of a lab, if something is.
fn fault(pack: &Pack, lab: &Lab) -> Option<String> {
    let stored = lab.starter.expected.as_deref()?;
    let starter = run::starter_of(pack, &lab.id).filter(|s| s.python)?;
    let ran = run::run(0, starter, &Cancel::default());
    if let Some(note) = &ran.note {
        return Some(format!("it does not run to its end: {}", escape::line(note)));
    }
    let (nth, printed, kept) = first_difference(&ran.output, stored)?;
    Some(format!(
        "line {nth} of what it prints is `{}`, and `expected` has `{}`; store its output again",
        escape::line(printed),
        escape::line(kept)
    ))
}

/// The first line that two outputs do not share, from 1, with what each has there.
fn first_difference<'a>(printed: &'a str, stored: &'a str) -> Option<(usize, &'a str, &'a str)> {
    let line = |text: &'a str, nth: usize| text.trim_end().lines().nth(nth);
    let lines = printed.lines().count().max(stored.lines().count());
    let nth = (0..lines).find(|nth| line(printed, *nth) != line(stored, *nth))?;
    Some((nth + 1, line(printed, nth).unwrap_or("nothing"), line(stored, nth).unwrap_or("nothing")))
}

#[cfg(test)]
mod tests {
    use super::first_difference;

    #[test]
    fn the_first_line_that_differs_is_told() {
        assert_eq!(first_difference("a\nb\n", "a\nb"), None);
        assert_eq!(first_difference("a\nb\n", "a\nc\n"), Some((2, "b", "c")));
        assert_eq!(first_difference("a\n", "a\nc\n"), Some((2, "nothing", "c")));
    }
}
