//! A simulator: its knobs, what it found, the formulas with their values, presets, and questions before the
//! reveal.

use std::collections::BTreeMap;

use super::action::Action;
use super::keys::Scope;
use super::view::{Row, View};
use super::{Act, At, Next, Page};
use crate::doc::{Cell, Document};
use crate::pack::Lab;
use crate::services::Services;
use crate::sim::expr::Fault;
use crate::sim::puzzle::{Goal, Knob};
use crate::sim::{self, Output, Parameter, Question, Results, Shape, Sim};
pub use ask::Ask;
pub use formula::{brief, formula, sentence};
pub use typed::{HINT, KNOBS};
use typed::{KEEP, RESET, SETTINGS};

mod ask;
mod formula;
mod kept;
mod listen;
mod typed;
pub(crate) mod whole;

/// What is said of the last change.
#[derive(Debug, Clone, PartialEq)]
pub enum Said {
    /// The value could not be read.
    Fault(String),
    /// The value was brought into range.
    Note(String),
    /// What else is worth knowing: the preset that was set.
    Word(String),
}

/// What a knob may do.
#[derive(Debug, Clone, Copy)]
pub enum Play<'a> {
    /// All that it can.
    Free,
    /// These values alone: a puzzle says so.
    Within(&'a Knob),
    /// Nothing: a puzzle fixes it.
    Fixed,
}

/// A simulator with its knobs.
#[derive(Debug)]
pub struct Simulator {
    sim: Sim,
    /// As it was opened, to come back to.
    opened: Sim,
    /// The puzzle that says which knobs turn, if it is one.
    rules: Option<Box<Goal>>,
    /// Whether the puzzle is solved, so that its pictures may show all.
    is_revealed: bool,
    /// What to look at, as the lesson says that it was opened from.
    hint: Option<String>,
    run: Results,
    /// The numbers before the last change, by name: their values, and as they were shown.
    was: BTreeMap<&'static str, (f64, String)>,
    /// What is said of the last change.
    pub said: Option<Said>,
    /// The preset set last, from 1; 0 stands for the values it was opened with.
    preset: usize,
    /// Its name, as long as no knob was turned since.
    named: Option<&'static str>,
    /// The question to be asked next.
    question: usize,
    /// The question that is asked.
    pub ask: Option<Box<Ask>>,
    /// How often the knobs were turned.
    turns: u64,
    /// Whether the numbers are heard beside the list, in lines; each leads to its formula.
    numbers: bool,
    /// The picture that was heard last, in lines.
    heard: Option<listen::Heard>,
    /// The setting that was kept to be compared with.
    kept: Option<Box<kept::Kept>>,
}

/// What a row of the list leads to, in lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Choice {
    Predict,
    Numbers,
    Picture(usize),
    Preset(usize),
}

/// What a lesson says beside the link of this address, which leads to a simulator at these values.
fn hint(kind: &str, set: &BTreeMap<String, f64>, link: &str, services: &Services) -> Option<String> {
    let lessons = services.library.packs.iter().flat_map(|p| &p.lessons);
    let links = lessons.flat_map(|l| l.sim_links().chain(l.labs.iter().flat_map(Lab::sim_links)));
    let mut found = links.filter(|(address, s)| address == link && s.kind == kind && s.set == *set);
    found.find_map(|(_, s)| s.note.clone())
}

impl Simulator {
    /// A simulator of a kind at some values, with the address of the link that led there.
    ///
    /// # Errors
    /// Where there is no such kind or parameter.
    pub fn open(
        kind: &str,
        set: &BTreeMap<String, f64>,
        link: Option<&str>,
        services: &Services,
    ) -> Result<Self, String> {
        let sim = Sim::open(kind, set).map_err(|fault| format!("{}; {}", fault.what, fault.cure))?;
        let hint = link.and_then(|link| hint(kind, set, link, services));
        Ok(Simulator { hint, ..Self::new(sim) })
    }

    /// The simulator of a puzzle, of which only some knobs turn.
    pub fn of(rules: &Goal) -> Self {
        let page = Self::new(rules.start.clone());
        Simulator { run: rules.run(&page.sim), rules: Some(Box::new(rules.clone())), ..page }
    }

    fn new(sim: Sim) -> Self {
        Simulator {
            run: sim.run(),
            opened: sim.clone(),
            sim,
            rules: None,
            is_revealed: false,
            hint: None,
            was: BTreeMap::new(),
            said: None,
            preset: 0,
            named: None,
            question: 0,
            ask: None,
            turns: 0,
            numbers: false,
            heard: None,
            kept: None,
        }
    }

    /// Shows the pictures too that compare settings: the puzzle is solved.
    pub fn reveal(&mut self) {
        self.is_revealed = true;
        self.run = self.sim.run();
        self.turns += 1;
    }

    /// The simulator as it stands.
    pub fn sim(&self) -> &Sim {
        &self.sim
    }

    /// What it found.
    pub fn run(&self) -> &Results {
        &self.run
    }

    /// How often the knobs were turned.
    pub fn turns(&self) -> u64 {
        self.turns
    }

    /// What the number of this name was in the setting that is kept, else before the last change, where it was another.
    pub fn was(&self, output: &Output) -> Option<&str> {
        let (_, before) = self.before().get(output.name)?;
        (*before != output.show()).then_some(before)
    }

    /// Whether a number is greater than it was; none where it is shown as before.
    pub fn rose(&self, output: &Output) -> Option<bool> {
        self.was(output)?;
        self.before().get(output.name).map(|(before, _)| output.value > *before)
    }

    /// Forgets what was said of the last change, and what the numbers were before it.
    pub fn settle(&mut self) {
        self.said = None;
        self.was.clear();
    }

    /// What stands over the picture: what does not fit, and what to look at while nothing was changed.
    pub fn told(&self) -> (&[String], Option<&str>) {
        let hint = self.hint.as_deref().filter(|_| self.sim == self.opened);
        (&self.run.notes, hint)
    }

    /// What the knob of this name may do.
    pub fn play(&self, name: &str) -> Play<'_> {
        match &self.rules {
            None => Play::Free,
            Some(rules) => rules.knob(name).map_or(Play::Fixed, Play::Within),
        }
    }

    /// Whether the answer to a question is still to come, so that nothing may show it.
    pub fn is_asked(&self) -> bool {
        self.ask.as_ref().is_some_and(|ask| ask.judged.is_none())
    }

    /// Whether the numbers would answer a question that is asked now or next.
    pub fn hides_numbers(&self) -> bool {
        self.is_asked() || !self.open_answers().is_empty()
    }

    /// What the questions after the one that was answered ask for: the numbers of their answers as they are shown.
    pub fn open_answers(&self) -> Vec<String> {
        let asked = self.ask.as_ref().map_or(usize::MAX, |ask| ask.of.0);
        self.run.questions.iter().skip(asked).map(Question::expected).collect()
    }

    /// Asks the next question, round and round.
    pub fn predict(&mut self) {
        let count = self.run.questions.len();
        if let Some(question) = self.run.questions.get(self.question % count.max(1)) {
            let of = (self.question % count + 1, count);
            let ask =
                Ask::new(question.clone(), of).with_sum(self.sum_of(question)).after(self.ask.as_deref());
            self.ask = Some(Box::new(ask));
            self.question += 1;
        }
    }

    /// How the answer to a question comes about here, with the values put in; for the eye and for the ear.
    fn sum_of(&self, question: &Question) -> Option<(String, String)> {
        if let Some(sum) = &question.sum {
            let said = sum.replace(" × ", " times ").replace(" / ", " over ").replace(" + ", " plus ");
            return Some((sum.clone(), said.replace(" - ", " minus ").replace(" = ", " is ")));
        }
        let output = self.run.output(question.output?)?;
        let said = formula::sentences(output).join(" ");
        brief(output, self.sim.kind().parameters)
            .pop()
            .filter(|_| output.expression.is_some())
            .map(|line| (format!("{} = {}", line.trim_start_matches("= "), output.show()), said))
    }

    /// Computes again after a knob was turned.
    fn turned(&mut self) {
        self.was = self.run.outputs.iter().map(|o| (o.name, (o.value, o.show()))).collect();
        self.named = None;
        self.turns += 1;
        self.numbers = false;
        self.heard = None;
        self.ask = None;
        self.run = match &self.rules {
            Some(rules) if !self.is_revealed => rules.run(&self.sim),
            _ => self.sim.run(),
        };
    }

    /// Moves a knob by clicks of an arrow key; says what its end is where it does not move.
    pub fn turn(&mut self, parameter: &Parameter, clicks: i32) {
        self.said = None;
        let before = self.sim.value(parameter.name);
        match &self.rules {
            Some(rules) => rules.turn(&mut self.sim, parameter.name, clicks),
            None => self.sim.turn(parameter.name, clicks),
        }
        let after = self.sim.value(parameter.name);
        if before != after {
            return self.turned();
        }
        let (shown, label) = (parameter.show(after.unwrap_or_default()), parameter.label);
        self.said = Some(Said::Note(match (parameter.shape, clicks > 0) {
            (Shape::Choice(_), true) => format!("{shown} is the last choice for {label}"),
            (Shape::Choice(_), false) => format!("{shown} is the first choice for {label}"),
            (_, true) => format!("{label} goes up to {shown}"),
            (_, false) => format!("{label} goes down to {shown}"),
        }));
    }

    /// Sets a knob from text; says whether it could be read.
    pub fn set(&mut self, name: &str, text: &str) -> bool {
        let set = match &self.rules {
            Some(rules) => rules.set_text(&mut self.sim, name, text).map(|()| None),
            None => self.sim.set_exactly(name, text).map(|()| None),
        };
        match set {
            Ok(note) => {
                self.said = note.map(Said::Note);
                self.turned();
                true
            }
            Err(Fault { what, cure, .. }) => {
                self.said = Some(Said::Fault(format!("{what}; {cure}")));
                false
            }
        }
    }

    /// Takes up a puzzle as its knobs were left, as far as it still allows that.
    pub fn resume(&mut self, knobs: &BTreeMap<String, f64>) {
        let Some(rules) = &self.rules else { return };
        let mut sim = self.sim.clone();
        for (name, value) in knobs {
            if rules.knob(name).is_some_and(|knob| knob.allows(*value)) {
                // what its bounds refuse stays as it starts
                let _ = sim.set(name, *value);
            }
        }
        if sim == self.sim {
            return;
        }
        self.sim = sim;
        self.turned();
        self.was.clear();
        self.said = Some(Said::Word("as you left it; t starts over".into()));
    }

    /// Takes the next preset; after the last one, the values it was opened with.
    pub fn next_preset(&mut self) {
        let all = if self.rules.is_some() { 0 } else { self.sim.kind().presets.len() };
        self.preset((self.preset + 1) % (all + 1));
    }

    /// Takes the values it was opened with.
    pub fn start_over(&mut self) {
        self.preset(0);
    }

    /// Takes a preset, from 1; 0 stands for the values it was opened with.
    fn preset(&mut self, number: usize) {
        let presets = self.sim.kind().presets;
        let preset = number.checked_sub(1).and_then(|at| presets.get(at));
        self.preset = number;
        match preset {
            Some(preset) => {
                self.sim = Sim::new(self.sim.kind());
                self.sim.apply(preset);
            }
            None => self.sim = self.opened.clone(),
        }
        self.turned();
        self.named = preset.map(|p| p.name);
        self.said = Some(Said::Word(match preset {
            Some(preset) => format!("preset {number} of {}: {}", presets.len(), preset.name),
            None => "back to the values it was opened with".into(),
        }));
    }

    /// The question that is asked and what may answer it, for who asks in lines where they are.
    pub fn whereabouts(&self) -> String {
        self.ask.as_ref().filter(|_| self.is_asked()).map_or(String::new(), |ask| ask.words())
    }

    /// Answers the question that is asked.
    pub fn answer(&mut self, text: &str, at: &mut At) -> Next {
        if let Some(ask) = &mut self.ask {
            ask.typed = text.to_owned();
            ask.answer();
            if let Some(fault) = ask.fault.take() {
                at.say(format!("{fault}; Enter alone leaves the question"));
            }
        }
        Next::Stay
    }
}

impl Page for Simulator {
    fn title(&self, _: &Services) -> Vec<String> {
        let title = self.sim.kind().title;
        [title].into_iter().chain(self.named).map(str::to_owned).collect()
    }

    fn scopes(&self) -> Vec<Scope> {
        Vec::new()
    }

    fn view(&self, _: &At) -> View {
        let (notes, hint) = self.told();
        let notes = notes.iter().map(String::as_str).chain(hint).map(sentence);
        let view = notes.fold(View::new().words(self.sim.kind().about), |view, note| view.words(&note));
        let view = view.title("Settings").list(self.settings()).list(self.rows());
        let view = match self.aside() {
            Some(aside) => view.beside(aside),
            None => view,
        };
        let view = view.enter(self.enter()).at(self.whereabouts());
        match self.ask.as_ref().filter(|_| self.is_asked()) {
            Some(_) => {
                view.spoken("Your answer").typed(&[("a number, with a unit if it has one", "answers")])
            }
            None => view.spoken("Type a number, or a setting and its value").typed(SETTINGS),
        }
    }

    fn act(&mut self, act: Act, at: &mut At) -> Next {
        match act {
            Act::Open(row) if self.is_asked() => return self.answer(&(row + 1).to_string(), at),
            Act::Open(row) => {
                self.ask = None;
                return self.open_row(row, at);
            }
            Act::Line(line) if line == RESET => {
                self.start_over();
                self.said = None;
                at.say("All settings are as they were opened");
                self.changes().into_iter().for_each(|change| at.say(change));
            }
            Act::Line(line) if line == KEEP && !self.is_asked() => {
                self.keep();
                let told = self.kept_in_words().unwrap_or_else(|| "The kept setting is dropped".into());
                at.say(told);
            }
            Act::Line(line) if !self.is_asked() && self.listen(&line, at) => {}
            // `stage 3` may be the answer; `stage = 3` is none
            Act::Line(line) if self.is_asked() && !line.contains('=') => return self.answer(&line, at),
            Act::Line(line) if self.set_line(&line, at).is_none() => at.say(self.no_setting(&line)),
            act if act.action() == Some(Action::Open) => return self.go_on(at),
            _ => {}
        }
        Next::Stay
    }

    fn preview(&self, row: usize, _: &At) -> Option<Document> {
        self.about_row(row)
    }

    fn json(&self) -> Option<serde_json::Value> {
        Some(sim::plain::json(&self.sim))
    }
}
