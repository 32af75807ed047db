//! What keys do: to a value that is typed, a formula, a question, the knobs.

use super::areas::Areas;
use super::{Mode, Simulator, ask};
use crate::app::effect::Effect;
use crate::page::action::Action;
use crate::page::key::Key;
use crate::screen::Context;
use crate::widget::scroll;

impl Simulator {
    pub(super) fn act_on_value(&mut self, action: Action) {
        match action {
            Action::Open => self.set_typed(),
            Action::Back => {
                self.mode = Mode::Turn;
                self.said = None;
            }
            _ => {}
        }
    }

    pub(super) fn act_on_formula(&mut self, action: Action) {
        let last = self.run.outputs.len().saturating_sub(1);
        match action {
            Action::Down => self.number = (self.number + 1).min(last),
            Action::Up => self.number = self.number.saturating_sub(1),
            Action::Top => self.number = 0,
            Action::Bottom => self.number = last,
            Action::PageDown => return self.scroll(self.page()),
            Action::PageUp => return self.scroll(-self.page()),
            Action::Back => self.mode = Mode::Turn,
            _ => return,
        }
        self.pane_top = 0;
    }

    pub(super) fn act_on_question(&mut self, action: Action) {
        let Mode::Ask(ask) = &mut self.mode else { return };
        match action {
            Action::Submit if ask.judged.is_none() => ask.answer(),
            Action::Submit | Action::Back => {
                self.mode = Mode::Turn;
                self.pane_top = 0;
            }
            Action::Predict if ask.of.0 == ask.of.1 => self.mode = Mode::Turn,
            Action::Predict => self.predict(),
            Action::Up | Action::Down if ask.judged.is_none() => ask.choose(action),
            Action::Down => self.scroll(1),
            Action::Up => self.scroll(-1),
            Action::PageDown => self.scroll(self.page()),
            Action::PageUp => self.scroll(-self.page()),
            _ => {}
        }
    }

    pub(super) fn act_on_knobs(&mut self, action: Action, context: &Context) -> Vec<Effect> {
        let views = &self.run.views;
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
            Action::Play => self.reel.play(context.now, views),
            Action::NextPage => self.another_view(true),
            Action::PrevPage => self.another_view(false),
            Action::PageDown => self.page_through(true),
            Action::PageUp => self.page_through(false),
            Action::Formula => {
                self.mode = Mode::Formula;
                self.pane_top = 0;
                self.reel.pause();
            }
            Action::Predict => self.predict(),
            Action::Preset => self.next_preset(),
            Action::HideNotes => self.folded = Some(!Areas::folds(self.area, self.folded)),
            Action::Back => return vec![Effect::Back],
            _ => {}
        }
        Vec::new()
    }

    pub(super) fn start_typing(&mut self, first: Option<Key>) {
        let mut text = String::new();
        if let Some(key) = first {
            ask::edit(&mut text, key);
        }
        self.mode = Mode::Type(text);
        self.said = None;
        self.reel.pause();
    }

    pub(super) fn another_view(&mut self, forward: bool) {
        self.reel.turn(forward, &self.run.views);
        self.pane_top = 0;
        if Areas::is_narrow(self.area) {
            self.folded = None;
        }
    }

    pub(super) fn page(&self) -> isize {
        isize::try_from(self.areas.pane.height.saturating_sub(2).max(1)).unwrap_or(1)
    }

    /// A page of the picture; where all of it is in view, a page of the numbers.
    pub(super) fn page_through(&mut self, forward: bool) {
        let sign = if forward { 1 } else { -1 };
        if self.pane.len() > usize::from(self.areas.pane.height) {
            return self.scroll(sign * self.page());
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
