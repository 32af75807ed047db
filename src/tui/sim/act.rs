//! What keys do: to a value that is typed, a formula, a question, the knobs.

use super::areas::Areas;
use super::{Holds, Mode, Screen, ask};
use crate::page::action::Action;
use crate::page::key::Key;
use crate::page::sim::Play;
use crate::page::{At, Next};
use crate::widget::scroll;

impl<P: Holds> Screen<P> {
    pub(super) fn act_on_value(&mut self, action: Action) {
        match action {
            Action::Open => self.set_typed(),
            Action::Back => {
                self.mode = Mode::Turn;
                self.page.model_mut().said = None;
            }
            _ => {}
        }
    }

    fn set_typed(&mut self) {
        let Mode::Type(text) = &self.mode else { return };
        let (name, text) = (self.parameter().name, text.text().to_owned());
        if self.page.model_mut().set(name, &text) {
            self.mode = Mode::Turn;
            self.turned();
        }
    }

    pub(super) fn act_on_formula(&mut self, action: Action) {
        let last = self.page.model().run().outputs.len().saturating_sub(1);
        match action {
            Action::Down => self.number = (self.number + 1).min(last),
            Action::Up => self.number = self.number.saturating_sub(1),
            Action::Top => self.number = 0,
            Action::Bottom => self.number = last,
            Action::PageDown => return self.scroll(self.page_rows()),
            Action::PageUp => return self.scroll(-self.page_rows()),
            Action::Back => self.mode = Mode::Turn,
            _ => return,
        }
        self.pane_top = 0;
    }

    pub(super) fn act_on_question(&mut self, action: Action) {
        let Some(ask) = &mut self.page.model_mut().ask else {
            self.mode = Mode::Turn;
            return;
        };
        match action {
            Action::Submit if ask.judged.is_none() => ask.answer(),
            Action::Submit | Action::Back => {
                self.end_question();
                self.pane_top = 0;
            }
            Action::Predict if ask.of.0 == ask.of.1 => self.end_question(),
            Action::Predict => self.predict(),
            Action::Down if ask.judged.is_none() => {
                ask.chosen = (ask.chosen + 1).min(ask.options().len().saturating_sub(1));
            }
            Action::Up if ask.judged.is_none() => ask.chosen = ask.chosen.saturating_sub(1),
            Action::Down => self.scroll(1),
            Action::Up => self.scroll(-1),
            Action::PageDown => self.scroll(self.page_rows()),
            Action::PageUp => self.scroll(-self.page_rows()),
            _ => {}
        }
    }

    fn end_question(&mut self) {
        self.page.model_mut().ask = None;
        self.mode = Mode::Turn;
    }

    pub(super) fn predict(&mut self) {
        self.page.model_mut().predict();
        if self.page.model().ask.is_some() {
            self.mode = Mode::Ask;
            self.answer = ask::field();
            self.pane_top = 0;
            self.reel.pause();
        }
    }

    pub(super) fn act_on_knobs(&mut self, action: Action, at: &At) -> Next {
        let views = &self.page.model().run().views;
        match action {
            Action::Up => self.choose(-1),
            Action::Down => self.choose(1),
            Action::Right => self.turn(1),
            Action::Left => self.turn(-1),
            Action::Open => self.start_typing(None),
            Action::Step => self.reel.walk(true, views),
            Action::StepBack => self.reel.walk(false, views),
            Action::Top => self.reel.end(false, views),
            Action::Bottom => self.reel.end(true, views),
            Action::Play => self.reel.play(at.now, views),
            Action::NextPage => self.another_view(true),
            Action::PrevPage => self.another_view(false),
            Action::PageDown => self.page_through(true),
            Action::PageUp => self.page_through(false),
            Action::Formula => {
                self.mode = Mode::Formula;
                self.pane_top = 0;
                self.reel.pause();
                // where nothing was chosen, the first number that has a formula: not one that is counted
                let outputs = &self.page.model().run().outputs;
                if self.number == 0 {
                    self.number = outputs.iter().position(|o| o.expression.is_some()).unwrap_or(0);
                }
            }
            Action::Predict => self.predict(),
            Action::Keep => self.page.model_mut().keep(),
            Action::Preset => {
                self.page.model_mut().next_preset();
                self.turned();
                // half of a picture that played would stand there
                self.reel.restart();
            }
            Action::HideNotes => self.folded = Some(!Areas::folds(self.area, self.folded)),
            Action::Back => return Next::Back,
            _ => {}
        }
        Next::Stay
    }

    pub(super) fn turn(&mut self, clicks: i32) {
        let parameter = self.parameter();
        let turns = self.page.model().turns();
        self.page.model_mut().turn(parameter, clicks);
        if turns != self.page.model().turns() {
            self.turned();
        }
    }

    fn turned(&mut self) {
        // the step that was looked at belongs to another run: what stands there then is the whole, as its numbers are
        self.reel.restart();
        self.number = self.number.min(self.page.model().run().outputs.len().saturating_sub(1));
    }

    pub(super) fn choose(&mut self, by: isize) {
        let all = self.page.model().sim().kind().parameters;
        let last = all.len().saturating_sub(1);
        self.page.model_mut().settle();
        let moves =
            |at: &usize| all.get(*at).is_some_and(|p| !matches!(self.page.model().play(p.name), Play::Fixed));
        let to = self.knob.saturating_add_signed(by).min(last);
        let next = if by < 0 { (0..=to).rev().find(moves) } else { (to..=last).find(moves) };
        self.knob = next.unwrap_or(self.knob);
    }

    pub(super) fn start_typing(&mut self, first: Option<Key>) {
        let mut field = ask::field();
        if let Some(key) = first {
            field.update(key);
        }
        self.mode = Mode::Type(field);
        self.page.model_mut().said = None;
        self.reel.pause();
    }

    fn another_view(&mut self, forward: bool) {
        self.reel.turn(forward, &self.page.model().run().views);
        self.pane_top = 0;
        if Areas::is_narrow(self.area) {
            self.folded = None;
        }
    }

    fn page_rows(&self) -> isize {
        isize::try_from(self.areas.pane.height.saturating_sub(2).max(1)).unwrap_or(1)
    }

    /// A page of the picture; where all of it is in view, a page of the numbers.
    fn page_through(&mut self, forward: bool) {
        let sign = if forward { 1 } else { -1 };
        if self.pane.len() > usize::from(self.areas.pane.height) {
            return self.scroll(sign * self.page_rows());
        }
        let height = usize::from(self.areas.numbers.height.saturating_sub(1));
        let page = isize::try_from(height.max(1)).unwrap_or(1);
        self.numbers_top = scroll::moved(self.numbers_top, sign * page, height, self.numbers.len());
    }

    pub(super) fn scroll(&mut self, rows: isize) {
        let height = self.areas.pane.height.into();
        self.pane_top = scroll::moved(self.pane_top, rows, height, self.pane.len());
    }
}
