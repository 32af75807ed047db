//! A puzzle as lines: its goal, its knobs, and what each setting comes to.

use super::desk::heard;
use super::menu::short;
use super::page::{At, Go, Page};
use crate::pack;
use crate::sim::Sim;
use crate::sim::plain::render_run;
use crate::sim::puzzle::plain;
use crate::store::PuzzleBest;

/// A puzzle with its knobs as they stand.
pub struct Puzzle {
    pack: usize,
    puzzle: pack::Puzzle,
    sim: Sim,
    hints: usize,
}

impl Puzzle {
    /// A puzzle of the pack with this index, as it starts.
    pub fn new(pack: usize, puzzle: &pack::Puzzle) -> Self {
        Puzzle { pack, sim: puzzle.rules.start.clone(), puzzle: puzzle.clone(), hints: 0 }
    }

    fn name<'a>(&'a self, at: &'a At) -> (&'a str, &'a str) {
        let pack = at.desk.pack(self.pack).map_or("", |p| p.id.as_str());
        (pack, &self.puzzle.id)
    }

    fn best(&self, at: &mut At) -> Option<PuzzleBest> {
        let kept = at.desk.store.puzzles(self.name(at).0);
        heard(kept, at.out)?.remove(&self.puzzle.id)
    }

    fn knobs(&self, at: &mut At) {
        at.out.say("Knobs, and what they may be:");
        for line in plain::knob_lines(&self.puzzle.rules, &self.sim) {
            at.out.item("- ", &line);
        }
    }

    /// Says what the setting comes to, and keeps it where it is the best so far.
    fn judge(&self, at: &mut At) {
        let rules = &self.puzzle.rules;
        let judged = rules.judge(&self.sim);
        for note in self.sim.run().notes {
            at.out.say(&format!("Note: {note}."));
        }
        for line in plain::judged_lines(rules, &judged) {
            at.out.item("- ", &line);
        }
        let solved = judged.value.filter(|_| judged.is_solved());
        if let Some(value) = solved {
            let found = PuzzleBest {
                best: rules.goal.cost(value),
                knobs: rules.turned(&self.sim).map(|(knob, v)| (knob.parameter.name.to_owned(), v)).collect(),
                at: at.now,
            };
            let kept = at.desk.store.save_puzzle(self.name(at), &found);
            heard(kept, at.out);
        }
        if let Some(best) = self.best(at) {
            let best = rules.goal.show(rules.goal.value(best.best));
            at.out.item("- ", &format!("Your best: {best}."));
        }
        if judged.is_at_par() {
            at.out.gap();
            at.out.say("Why par is par:");
            at.out.markdown(&self.puzzle.explain);
        }
    }

    fn hint(&mut self, at: &mut At) {
        let all = self.puzzle.hints.len();
        match self.puzzle.hints.get(self.hints) {
            Some(hint) => {
                self.hints += 1;
                at.out.markdown_item(&format!("Hint {} of {all}: ", self.hints), hint);
            }
            None => at.out.say("There are no more hints."),
        }
    }
}

impl Page for Puzzle {
    fn show(&mut self, at: &mut At) -> Go {
        at.out.say(&format!("Puzzle: {}", self.puzzle.title));
        at.out.markdown(&self.puzzle.goal);
        at.out.gap();
        self.knobs(at);
        let fixed = plain::fixed(&self.puzzle.rules).join(", ");
        at.out.say(&format!("Fixed: {fixed}."));
        at.out.gap();
        self.judge(at);
        at.out.gap();
        at.out
            .say("Turn a knob by its name, such as name = value. i gives a hint, s shows the simulator. q goes back.");
        Go::Stay
    }

    fn line(&mut self, line: &str, at: &mut At) -> Go {
        match (line, line.split_once('=')) {
            ("i", _) => self.hint(at),
            ("s", _) => {
                for line in render_run(&self.sim, &self.puzzle.rules.run(&self.sim)).lines() {
                    at.out.verbatim(line);
                }
            }
            ("l", _) => return Go::Show,
            (_, Some((name, value))) => {
                let rules = &self.puzzle.rules;
                match rules.set_text(&mut self.sim, name.trim(), value.trim()) {
                    Ok(()) => {
                        self.knobs(at);
                        at.out.gap();
                        self.judge(at);
                    }
                    Err(fault) => at.out.say(&format!("{}; {}.", fault.what, fault.cure)),
                }
            }
            _ => at.out.say(&format!(
                "“{}” turns nothing; type a knob and its value with an equals sign between. l shows all, q goes back.",
                short(line)
            )),
        }
        Go::Stay
    }

    fn help(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("name = value", "turn a knob"),
            ("i", "the next hint"),
            ("s", "the simulator with its numbers and pictures"),
            ("l", "show all again"),
        ]
    }

    fn pack(&self) -> usize {
        self.pack
    }
}
