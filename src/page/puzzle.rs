//! A puzzle: its simulator with most knobs fixed, what holds so far, and how far par is.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::action::Action;
use super::keys::Scope;
use super::sim::{HINT, KNOBS, Simulator};
use super::view::View;
use super::{Act, At, Next, Page};
use crate::doc::Document;
use crate::pack;
use crate::services::record::Solved;
use crate::services::{Record, Services};
use crate::sim::Sim;
use crate::sim::puzzle::{Judged, plain};
use crate::store::PuzzleBest;

/// A puzzle.
pub struct Puzzle {
    pack: usize,
    /// The pack's id.
    of: String,
    puzzle: pack::Puzzle,
    simulator: Simulator,
    /// The setting that was judged, and what became of it.
    seen: Sim,
    judged: Judged,
    /// The best value so far, as a cost.
    best: Option<f64>,
    /// How many hints were asked for.
    hints: usize,
    /// Whether par was reached, so that the reason may be shown.
    is_told: bool,
    /// What is heard in lines beside the list: a hint by its number, or the reason.
    heard: Option<Heard>,
}

/// What is heard beside the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Heard {
    Hint,
    Reason,
}

impl Puzzle {
    /// The puzzle with this id of the pack with this index, as it starts.
    ///
    /// # Errors
    /// Where the pack has no such puzzle.
    pub fn open(pack: usize, id: &str, at: &At) -> Result<Self, String> {
        let of = at.services.pack(pack);
        let found = of.and_then(|of| Some((of.id.clone(), of.puzzle(id)?.clone())));
        let (of, puzzle) = found.ok_or_else(|| format!("this pack has no puzzle `{id}`"))?;
        let mut simulator = Simulator::of(&puzzle.rules);
        let kept = at.services.setting(&key(&of, id)).ok().flatten();
        let kept = kept.and_then(|text| serde_json::from_str::<BTreeMap<String, f64>>(&text).ok());
        if let Some(knobs) = kept {
            simulator.resume(&knobs);
        }
        let judged = puzzle.rules.judge_run(simulator.sim(), simulator.run());
        let is_told = judged.is_at_par();
        if is_told {
            simulator.reveal();
        }
        Ok(Puzzle {
            pack,
            best: at.services.puzzles(&of).get(id).map(|best| best.best),
            of,
            seen: simulator.sim().clone(),
            judged,
            puzzle,
            simulator,
            hints: 0,
            is_told,
            heard: None,
        })
    }

    /// The knobs as they stand, by name.
    fn knobs(&self) -> BTreeMap<String, f64> {
        let turned = self.puzzle.rules.turned(self.simulator.sim());
        turned.map(|(knob, value)| (knob.parameter.name.to_owned(), value)).collect()
    }

    /// The puzzle as its author wrote it.
    pub fn puzzle(&self) -> &pack::Puzzle {
        &self.puzzle
    }

    /// Its simulator.
    pub fn simulator(&self) -> &Simulator {
        &self.simulator
    }

    /// Its simulator, to turn its knobs. Call [`Puzzle::judge`] after that.
    pub fn simulator_mut(&mut self) -> &mut Simulator {
        &mut self.simulator
    }

    /// What became of the setting.
    pub fn judged(&self) -> &Judged {
        &self.judged
    }

    /// The best value so far, as a cost.
    pub fn best(&self) -> Option<f64> {
        self.best
    }

    /// How many hints there are still.
    pub fn hints_left(&self) -> usize {
        self.puzzle.hints.len().saturating_sub(self.hints)
    }

    /// Asks for one more hint; says whether there was one.
    pub fn hint(&mut self) -> bool {
        let has = self.hints_left() > 0;
        self.hints += usize::from(has);
        has
    }

    /// The goal, the hints asked for, and the reason of par once it was reached. Markdown.
    pub fn sheet(&self) -> String {
        let hints = (1..=self.hints).map(|nth| self.hint_text(nth));
        let text = format!("{}\n\n{}", self.puzzle.goal, hints.collect::<String>());
        match self.is_told {
            // what one came for stands first
            true => {
                format!("### Par: why it is par\n\n{}\n\n### The goal was\n\n{text}", self.puzzle.explain)
            }
            false => text,
        }
    }

    fn hint_text(&self, nth: usize) -> String {
        let hint = self.puzzle.hints.get(nth - 1).map_or("", String::as_str);
        format!("**Hint {nth} of {}:** {hint}\n\n", self.puzzle.hints.len())
    }

    /// Judges the setting where it changed. A solution that is better than the best is kept; says whether par
    /// is reached for the first time.
    pub fn judge(&mut self, at: &mut At) -> bool {
        let sim = self.simulator.sim();
        if *sim == self.seen {
            return false;
        }
        let rules = &self.puzzle.rules;
        self.seen = sim.clone();
        self.judged = rules.judge_run(sim, self.simulator.run());
        let Some(value) = self.judged.value.filter(|_| self.judged.is_solved()) else { return false };
        let cost = rules.goal.cost(value);
        if self.best.is_none_or(|best| cost < best) {
            self.best = Some(cost);
            let knobs = self.knobs();
            let found = PuzzleBest { best: cost, knobs, at: at.now };
            let solved = Solved { pack: self.of.clone(), puzzle: self.puzzle.id.clone(), found };
            let kept = at.services.keep(Record::Puzzle(solved), at.now);
            kept.said().into_iter().for_each(|text| at.say(text));
        }
        let is_new = self.judged.is_at_par() && !self.is_told;
        if is_new {
            self.is_told = true;
            self.simulator.reveal();
        }
        is_new
    }

    /// What the setting comes to, a line each.
    fn standing(&self) -> Vec<String> {
        let rules = &self.puzzle.rules;
        let mut lines = plain::judged_lines(rules, &self.judged);
        let best = self.best.map(|best| format!("Your best: {}", rules.goal.show(rules.goal.value(best))));
        lines.extend(best);
        lines
    }

    fn aside(&self) -> Option<View> {
        let markdown = |text: &str| View::new().markdown(text);
        match self.heard {
            Some(Heard::Hint) => Some(markdown(&self.hint_text(self.hints))),
            Some(Heard::Reason) => {
                let why = Document::new().words("Why par is par:").markdown(&self.puzzle.explain);
                Some(View::new().with(|body| body.and(why)))
            }
            None => self.simulator.aside(),
        }
    }

    fn hear_hint(&mut self, at: &mut At) {
        match self.hint() {
            true => self.heard = Some(Heard::Hint),
            false => at.say("There are no more hints"),
        }
    }

    /// Sets what is typed, and says what changed and what it comes to.
    fn set_line(&mut self, line: &str, at: &mut At) {
        let from = at.out.len();
        match self.simulator.set_line(line, at) {
            None => at.say(self.simulator.no_setting(line)),
            Some(false) => {}
            Some(true) => {
                self.heard = self.judge(at).then_some(Heard::Reason);
                let changed = at.out.len();
                self.standing().into_iter().for_each(|line| at.say(line));
                if self.judged.is_solved() {
                    // what one played for is said first
                    at.out[from..].rotate_left(changed - from);
                }
            }
        }
    }
}

/// The setting that keeps how the knobs of a puzzle were left.
fn key(pack: &str, puzzle: &str) -> String {
    format!("knobs {pack} {puzzle}")
}

/// A setting of a puzzle, and what became of it.
#[derive(Debug, Clone, Copy)]
pub struct JudgedAt<'a> {
    /// The setting.
    pub sim: &'a Sim,
    /// What became of it.
    pub judged: &'a Judged,
}

/// A puzzle as a verb prints it: its goal, its knobs, what a setting comes to, so many hints, the reason at par.
pub fn whole(puzzle: &pack::Puzzle, at: &JudgedAt, hints: usize) -> View {
    let rules = &puzzle.rules;
    let words = |view: View, line: String| view.words(&line);
    let view = View::new().title(&puzzle.title).markdown(&puzzle.goal).title("Knobs");
    let view = plain::knob_lines(rules, at.sim).into_iter().fold(view, words);
    let view = view.words(&format!("Fixed: {}.", plain::fixed(rules).join(", ")));
    let notes = at.sim.run().notes;
    let view = notes.iter().fold(view, |view, note| view.words(&format!("Note: {note}")));
    let view = plain::judged_lines(rules, at.judged).into_iter().fold(view.title("How it is now"), words);
    let hint = |view: View, (nth, hint): (usize, &String)| {
        view.title(&format!("Hint {} of {}", nth + 1, puzzle.hints.len())).markdown(hint)
    };
    let view = puzzle.hints.iter().take(hints).enumerate().fold(view, hint);
    let all = puzzle.hints.len();
    let view = if hints > all { view.dim(&format!("There are no more than {all} hints.")) } else { view };
    match at.judged.is_at_par() {
        true => view.title("Why par is par").markdown(&puzzle.explain),
        false => view,
    }
}

impl Page for Puzzle {
    fn title(&self, _: &Services) -> Vec<String> {
        vec!["Puzzle".into(), self.puzzle.title.clone()]
    }

    fn scopes(&self) -> Vec<Scope> {
        vec![Scope::Puzzle]
    }

    fn view(&self, _: &At) -> View {
        let rules = &self.puzzle.rules;
        let fixed = format!("Fixed: {}.", plain::fixed(rules).join(", "));
        let knobs = plain::knob_lines(rules, self.simulator.sim());
        let view =
            View::new().of_pack(self.pack).markdown(&self.puzzle.goal).title("Knobs, and what they may be");
        let view = knobs.iter().fold(view, |view, line| view.words(line)).words(&fixed);
        let view = self.standing().iter().fold(view.title("How it is now"), |view, line| view.words(line));
        let view = view.list(self.simulator.rows()).spoken("Type a number, or a knob and its value");
        let view = view.typed(KNOBS).enter(self.simulator.enter()).at(self.simulator.whereabouts());
        match self.aside() {
            Some(aside) => view.beside(aside),
            None => view,
        }
    }

    fn preview(&self, row: usize, _: &At) -> Option<Document> {
        self.simulator.about_row(row)
    }

    fn act(&mut self, act: Act, at: &mut At) -> Next {
        match &act {
            Act::Open(row) if self.simulator.is_asked() => {
                return self.simulator.answer(&(row + 1).to_string(), at);
            }
            Act::Open(row) => {
                self.heard = None;
                self.simulator.ask = None;
                return self.simulator.open_row(*row, at);
            }
            Act::Line(line) if self.simulator.is_asked() && !line.contains('=') => {
                return self.simulator.answer(line, at);
            }
            Act::Line(line) if self.simulator.listen(line, at) => {}
            Act::Line(line) if line.eq_ignore_ascii_case(HINT.0) => self.hear_hint(at),
            Act::Line(line) => self.set_line(line, at),
            _ => {}
        }
        match act.action() {
            Some(Action::Open) => return self.simulator.go_on(at),
            Some(Action::Hint) => self.hear_hint(at),
            Some(Action::Preset) => {
                self.simulator.start_over();
                self.judge(at);
                self.standing().into_iter().for_each(|line| at.say(line));
            }
            _ => {}
        }
        Next::Stay
    }

    /// Keeps how the knobs stand; as the puzzle starts they need no keeping.
    fn leave(&mut self, at: &mut At) {
        let is_at_start = *self.simulator.sim() == self.puzzle.rules.start;
        let text = match is_at_start {
            true => String::new(),
            false => serde_json::to_string(&self.knobs()).expect("numbers by name are plain data"),
        };
        let key = key(&self.of, &self.puzzle.id);
        if at.services.setting(&key).ok().flatten().unwrap_or_default() == text {
            return;
        }
        let kept = at.services.keep(Record::Setting(Cow::Owned(key), text), at.now);
        kept.said().into_iter().for_each(|text| at.say(text));
    }
}
