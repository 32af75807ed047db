//! A simulator as it is heard: what its list leads to; a picture at a glance, its rows a few at a time, its steps one by one.

use crate::doc::{Cell, Document, Role};
use crate::page::view::{Row, View};
use crate::page::{At, Next as Go};
use crate::sim::{Output, spoken};
use crate::study::words::some;

use super::{Choice, Simulator, formula, sentence};

/// Rows that are read at a time.
const ROWS: usize = 8;

/// The picture that was heard last, and how far.
#[derive(Debug, Clone, Copy)]
pub(super) struct Heard {
    /// Which of the pictures.
    view: usize,
    /// The step that was heard last; none where the whole was.
    step: Option<usize>,
    /// How many rows were read.
    rows: usize,
    /// What Enter goes on with.
    next: Next,
}

/// What Enter does after a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    Rows,
    Step,
    Leave,
}

/// What is typed about the rows of a picture, and what it does.
pub(super) const MORE: (&str, &str) = ("more", "reads the rows of the picture, eight at a time");
/// The same of its steps.
pub(super) const STEP: (&str, &str) =
    ("step", "goes through the steps of the picture, one by one; step back goes the other way");

impl Simulator {
    /// What the list leads to, in lines.
    pub(super) fn choices(&self) -> Vec<Choice> {
        let predict = (!self.run.questions.is_empty()).then_some(Choice::Predict);
        let presets = if self.rules.is_some() { 0 } else { self.sim.kind().presets.len() };
        let pictures = (0..self.run.views.len()).map(Choice::Picture);
        let presets = (1..=presets).map(Choice::Preset);
        predict.into_iter().chain([Choice::Numbers]).chain(pictures).chain(presets).collect()
    }

    /// The rows of the list, in lines.
    pub fn rows(&self) -> impl Iterator<Item = Row> {
        self.choices().into_iter().map(|choice| {
            Row::here().cell(Cell::text(match choice {
                Choice::Predict => {
                    format!("Predict before you hear it: {}", some(self.run.questions.len(), "question"))
                }
                Choice::Numbers => format!("Hear the {}", some(self.run.outputs.len(), "number")),
                Choice::Picture(at) => format!("Picture: {}", self.run.views[at].title),
                Choice::Preset(at) => format!("Preset: {}", self.sim.kind().presets[at - 1].name),
            }))
        })
    }

    /// Opens a row of the list, or of what is heard beside it.
    pub fn open_row(&mut self, row: usize, at: &mut At) -> Go {
        let choices = self.choices();
        self.heard = None;
        match choices.get(row) {
            Some(Choice::Predict) => self.predict(),
            Some(Choice::Numbers) => self.numbers = true,
            Some(Choice::Preset(number)) => {
                self.preset(*number);
                let name = self.named.unwrap_or_default();
                at.say(format!("Preset: {name}"));
                self.changes().into_iter().for_each(|change| at.say(change));
            }
            // a picture and a formula are said without leaving the numbers
            Some(Choice::Picture(view)) => self.hear(*view),
            None => {}
        }
        Go::Stay
    }

    /// The picture or the formula that a row stands for.
    pub fn about_row(&self, row: usize) -> Option<Document> {
        let choices = self.choices();
        match choices.get(row) {
            Some(Choice::Picture(view)) => self.glance(*view),
            Some(_) => None,
            None => self.run.outputs.get(row - choices.len()).map(|o| formula(o, self.sim.kind().parameters)),
        }
    }

    /// What is heard beside the list: a question, the numbers.
    pub fn aside(&self) -> Option<View> {
        if let Some(ask) = &self.ask {
            let view = View::new().with(|body| body.and(ask.document()));
            return Some(match ask.judged {
                Some(_) => view.words(&format!("Enter {}. l lists the choices, q goes back.", self.enter())),
                None => view,
            });
        }
        let row = |o: &Output| {
            let row = Row::here().cell(Cell::text(o.show()).role(Role::Strong)).cell(Cell::text(o.label));
            row.said(format!("{}: {}", o.label, o.show()))
        };
        self.numbers.then(|| View::new().list(self.run.outputs.iter().map(row)))
    }

    /// What Enter alone does in lines; empty where no question is at hand.
    pub fn enter(&self) -> &'static str {
        match &self.ask {
            None => self.enter_hearing(),
            Some(ask) if ask.judged.is_none() => "leaves the question",
            Some(ask) if ask.of.0 < ask.of.1 => "asks the next question",
            Some(_) => "leads to the settings; that was the last question",
        }
    }

    /// Does what [`Simulator::enter`] says.
    pub fn go_on(&mut self, at: &mut At) -> Go {
        match self.ask.take() {
            None => {
                self.go_on_hearing(at);
                return Go::Stay;
            }
            Some(ask) if ask.judged.is_some() && ask.of.0 < ask.of.1 => {
                self.predict();
                return Go::Stay;
            }
            Some(ask) if ask.judged.is_none() => self.question = ask.of.0 - 1,
            Some(_) => {}
        }
        Go::Show
    }

    /// Remembers the picture that is heard.
    pub(super) fn hear(&mut self, view: usize) {
        self.heard = Some(Heard { view, step: None, rows: 0, next: Next::Rows });
    }

    /// A glance at a picture: what it shows, and how to hear more of it.
    pub(super) fn glance(&self, view: usize) -> Option<Document> {
        let view = self.run.views.get(view)?;
        let frame = view.last();
        let rows = spoken::rows(&frame.picture).len();
        let mut ways = vec![format!("Enter or more reads its {}", some(rows, spoken::one(&frame.picture)))];
        ways.extend((view.frames() > 1).then(|| format!("step goes through its {} steps", view.frames())));
        let document = Document::new().words(&sentence(&frame.caption)).picture(frame.picture);
        Some(document.words(&format!("{}.", ways.join(", "))))
    }

    /// Does what is typed about a picture; says whether it was that.
    pub fn listen(&mut self, typed: &str, at: &mut At) -> bool {
        let back = match typed {
            "more" | "rows" | "cells" => {
                self.read_rows(at);
                return true;
            }
            "step" => false,
            "step back" => true,
            _ => return false,
        };
        self.step(back, at);
        true
    }

    /// Goes on with the picture that was heard.
    pub(super) fn go_on_hearing(&mut self, at: &mut At) {
        match self.heard.map(|heard| heard.next) {
            Some(Next::Rows) => self.read_rows(at),
            Some(Next::Step) => self.step(false, at),
            Some(Next::Leave) => {
                self.heard = None;
                at.say("You are back at the settings: l says them, a number chooses");
            }
            None => {}
        }
    }

    /// What Enter does after a picture.
    pub(super) fn enter_hearing(&self) -> &'static str {
        match self.heard.map(|heard| heard.next) {
            Some(Next::Rows) => "reads rows of the picture",
            Some(Next::Step) => "goes to the next step",
            Some(Next::Leave) => "leads to the settings",
            None => "",
        }
    }

    fn read_rows(&mut self, at: &mut At) {
        let Some((mut heard, view)) = self.heard_view(at) else { return };
        let frame = heard.step.map_or_else(|| view.last(), |step| view.frame(step));
        let (rows, one) = (spoken::rows(&frame.picture), spoken::one(&frame.picture));
        let from = if heard.rows >= rows.len() { 0 } else { heard.rows };
        let to = rows.len().min(from + ROWS);
        at.say(format!("{} to {to} of {}", some_of(one, from + 1), rows.len()));
        rows[from..to].iter().for_each(|row| at.say(row.clone()));
        heard.rows = to;
        let left = rows.len() - to;
        heard.next = if left > 0 { Next::Rows } else { Next::Leave };
        at.say(match left {
            0 => format!("That was the last {one}; Enter leads to the settings"),
            left => format!("Enter or more reads the next {}", left.min(ROWS)),
        });
        self.heard = Some(heard);
    }

    fn step(&mut self, back: bool, at: &mut At) {
        let Some((mut heard, view)) = self.heard_view(at) else { return };
        let last = view.frames() - 1;
        if last == 0 {
            return at.say("This picture has no steps; more reads its rows");
        }
        let step = match (heard.step, back) {
            (None, false) => 0,
            (None, true) => last - 1,
            (Some(0), true) => return at.say("This is the first step"),
            (Some(step), true) => step - 1,
            (Some(step), false) if step == last => {
                return at.say("That was the last step; more reads its rows");
            }
            (Some(step), false) => step + 1,
        };
        let frame = view.frame(step);
        at.say(format!("Step {} of {}. {}", step + 1, last + 1, sentence(&frame.caption)));
        // the way back shows what is there, not what came
        let before = step.checked_sub(1).filter(|_| !back).map(|before| view.frame(before));
        spoken::moved(before.as_ref(), &frame).into_iter().for_each(|moved| at.say(moved));
        heard.next = if step == last { Next::Leave } else { Next::Step };
        if heard.step.is_none() && step < last {
            at.say("Enter goes to the next step, more reads the rows of this one");
        }
        if step == last {
            at.say("That was the last step; Enter leads to the settings");
        }
        self.heard = Some(Heard { step: Some(step), rows: 0, ..heard });
    }

    /// The picture that was heard last; where none was, says how to hear one.
    fn heard_view(&self, at: &mut At) -> Option<(Heard, crate::sim::picture::View)> {
        let found = self.heard.and_then(|heard| Some((heard, self.run.views.get(heard.view)?.clone())));
        if found.is_none() {
            at.say("Choose a picture by its number first; l lists them");
        }
        found
    }
}

/// `Rows 9`: the first of some rows.
fn some_of(one: &str, number: usize) -> String {
    format!("{}s {number}", crate::study::words::capital(one))
}
