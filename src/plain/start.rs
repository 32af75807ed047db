//! Running a lab's starter: first a prediction, then the output, then what happens and why.

use super::desk::heard;
use super::page::{At, Go, Page};
use super::typing::{self, Typed};
use crate::pack::{Lab, prose};
use crate::process::Cancel;
use crate::services::run;
use crate::services::trust::Asked;

/// A starter that may be run.
pub struct Start {
    pack: usize,
    lab: String,
    ran: bool,
}

impl Start {
    /// The starter of a lab.
    pub fn new(pack: usize, lab: &Lab) -> Self {
        Start { pack, lab: lab.id.clone(), ran: false }
    }

    fn run(&mut self, at: &mut At) {
        let asked = at.desk.starter(self.pack, &self.lab);
        let Some((_, lab)) = at.desk.library.lab(self.pack, &self.lab) else {
            return;
        };
        let ran = match asked {
            None => return,
            Some(Asked::Untrusted(starter, place)) => starter.stored(
                self.pack,
                &format!("this pack comes from {place} and is not trusted, so its code does not run; this is its stored output. Type trust to trust its code as it is now"),
            ),
            Some(Asked::Run(starter)) => run::run(self.pack, starter, &Cancel::default()),
        };
        at.out.say("Output:");
        for line in ran.output.lines() {
            at.out.verbatim(&format!("  {line}"));
        }
        if let Some(note) = &ran.note {
            at.out.say(&format!("Note: {note}."));
        }
        at.out.gap();
        if !lab.predictions.is_empty() {
            at.out.say("What happens, and why:");
            at.out.markdown(&prose::predictions(lab));
        }
        at.out.say("A single dot runs it again, q goes back.");
        self.ran = true;
    }

    fn trust(&self, at: &mut At) {
        if at.desk.untrusted(self.pack).is_none() {
            at.out.say("This pack is trusted. A single dot runs the starter.");
            return;
        }
        if heard(at.desk.trust(self.pack, at.now), at.out).is_some() {
            at.out.say("The pack is trusted until its code changes. A single dot runs the starter.");
        }
    }
}

impl Page for Start {
    fn show(&mut self, at: &mut At) -> Go {
        let Some((_, lab)) = at.desk.library.lab(self.pack, &self.lab) else {
            return Go::Back(None);
        };
        at.out.say(&format!("Starter: {}. Predict before it runs.", lab.starter.path));
        for (i, prediction) in lab.predictions.iter().enumerate() {
            at.out.item(&format!("{}. ", i + 1), &prediction.ask);
        }
        at.out.say("Type what you expect, for yourself. A line with a single dot runs it, q goes back.");
        Go::Stay
    }

    fn line(&mut self, line: &str, at: &mut At) -> Go {
        match typing::read(line) {
            Typed::End(_) => self.run(at),
            Typed::Command("q") => return Go::Back(None),
            Typed::Command("home") => return Go::Home,
            Typed::Command("quit") => return Go::Quit,
            Typed::Command("?") => {
                typing::help(&[(".", "run the starter"), ("trust", "trust the code of this pack")], at.out)
            }
            Typed::Text("trust") => self.trust(at),
            Typed::Text("quit") => return Go::Quit,
            Typed::Text(_) if self.ran => at.out.say("A single dot runs it again, q goes back."),
            Typed::Text(_) | Typed::Command(_) => {}
        }
        Go::Stay
    }

    fn is_typing(&self) -> bool {
        true
    }

    fn pack(&self) -> usize {
        self.pack
    }
}
