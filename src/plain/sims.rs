//! Simulators as text: their list, and one of them with its settings.

use std::collections::BTreeMap;

use super::desk::heard;
use super::menu::{Menu, short};
use super::page::{At, Go, Page};
use crate::app::place::Place;
use crate::sim::{self, Sim, plain};

/// Values of a simulator by name.
pub type Values = BTreeMap<String, f64>;

/// All simulators, and the puzzles on them.
#[derive(Default)]
pub struct Sims {
    menu: Menu<Place>,
}

impl Page for Sims {
    fn show(&mut self, at: &mut At) -> Go {
        self.menu = Menu::default();
        for kind in sim::KINDS {
            let place = Place::Sim { kind: kind.name.into(), set: Values::new(), link: None };
            self.menu.add(format!("{}. {}", kind.title, kind.about), place);
        }
        self.menu.say(at.out);
        let puzzles = self.menu.len();
        for (pack, of) in at.desk.library.packs.iter().enumerate() {
            let best = heard(at.desk.store.puzzles(&of.id), at.out).unwrap_or_default();
            for puzzle in &of.puzzles {
                let goal = &puzzle.rules.goal;
                let best = best.get(&puzzle.id).map(|b| goal.show(goal.value(b.best)));
                let best = best.map_or_else(String::new, |b| format!(", your best {b}"));
                let text = format!("{}: par {}{best}", puzzle.title, goal.show(goal.par));
                let id = puzzle.id.clone();
                self.menu.add(text, Place::Puzzle { pack, id });
            }
        }
        if self.menu.len() > puzzles {
            at.out.gap();
            at.out.say("Puzzles, each with the best value there is:");
            self.menu.say_from(puzzles, at.out);
        }
        at.out.say("Type a number. q goes back.");
        Go::Stay
    }

    fn line(&mut self, line: &str, at: &mut At) -> Go {
        match self.menu.pick(line) {
            Some(place) => Go::To(place.clone()),
            None => {
                self.menu.wrong(line, at.out);
                Go::Stay
            }
        }
    }
}

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
