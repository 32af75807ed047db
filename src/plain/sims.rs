//! Simulators as text: their list, and one of them with its settings.

use std::collections::BTreeMap;

use super::menu::short;
use super::page::{At, Go, Page};
use crate::sim::{Sim, plain};

/// Values of a simulator by name.
pub type Values = BTreeMap<String, f64>;

/// A simulator with its settings.
pub struct One {
    sim: Sim,
}

impl One {
    /// A simulator at some values; none where there is no such kind or setting.
    pub fn open(kind: &str, set: &Values) -> Option<Self> {
        Sim::open(kind, set).ok().map(|sim| One { sim })
    }

    fn answer(&self, words: &str, at: &mut At) {
        let run = self.sim.run();
        let (which, said) = words.split_once(' ').unwrap_or((words, ""));
        let question = super::menu::number(which).and_then(|n| run.questions.get(n.checked_sub(1)?));
        let Some(question) = question else {
            at.out.say(
                "There is no question of that number; type p, its number and your answer, such as p 1 12 GB.",
            );
            return;
        };
        match question.judge(said) {
            Ok(judged) => {
                let word = if judged.right { "Right" } else { "Not right" };
                at.out.say(&format!("{word}: you said {}; it is {}.", judged.given, judged.expected));
                at.out.markdown(&question.explain);
            }
            Err(fault) => at.out.say(&format!("{}; {}.", fault.what, fault.cure)),
        }
    }
}

impl Page for One {
    fn show(&mut self, at: &mut At) -> Go {
        for line in plain::render_plain(&self.sim).lines() {
            at.out.verbatim(line);
        }
        at.out.gap();
        at.out
            .say("Change a setting by its name, such as name = value. p, a number and a value answer a question. q goes back.");
        Go::Stay
    }

    fn line(&mut self, line: &str, at: &mut At) -> Go {
        if let Some(words) = line.strip_prefix("p ") {
            self.answer(words.trim(), at);
            return Go::Stay;
        }
        let Some((name, value)) = line.split_once('=') else {
            at.out.say(&format!(
                "“{}” changes nothing; type a setting and its value with an equals sign between. l shows all, q goes back.",
                short(line)
            ));
            return if line == "l" { Go::Show } else { Go::Stay };
        };
        match self.sim.set_text(name.trim(), value.trim()) {
            Ok(set) => {
                if let Some(note) = set.note {
                    at.out.say(&format!("Note: {note}."));
                }
                Go::Show
            }
            Err(fault) => {
                at.out.say(&format!("{}; {}.", fault.what, fault.cure));
                Go::Stay
            }
        }
    }

    fn help(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("name = value", "change a setting"),
            ("p 1 12", "answer the first question with 12"),
            ("l", "show all again"),
        ]
    }
}
