//! Turning knobs: by clicks, by typed values, by presets.

use super::knobs::{Play, Said};
use super::{Mode, Simulator};
use crate::sim::{Shape, Sim};

impl Simulator {
    /// Computes again after a knob was turned.
    pub(super) fn turned(&mut self) {
        self.reel.pause();
        self.named = None;
        self.turns += 1;
        self.run = match &self.rules {
            Some(rules) if !self.is_revealed => rules.run(&self.sim),
            _ => self.sim.run(),
        };
        self.number = self.number.min(self.run.outputs.len().saturating_sub(1));
    }

    pub(super) fn turn(&mut self, clicks: i32) {
        self.said = None;
        let parameter = self.parameter();
        let before = self.sim.value(parameter.name);
        match &self.rules {
            Some(rules) => rules.turn(&mut self.sim, parameter.name, clicks),
            None => self.sim.turn(parameter.name, clicks),
        }
        let after = self.sim.value(parameter.name);
        if before == after {
            let shown = parameter.show(after.unwrap_or_default());
            let said = match (parameter.shape, clicks > 0) {
                (Shape::Choice(_), true) => format!("{shown} is the last of {}", parameter.label),
                (Shape::Choice(_), false) => format!("{shown} is the first of {}", parameter.label),
                (_, true) => format!("{} goes up to {shown}", parameter.label),
                (_, false) => format!("{} goes down to {shown}", parameter.label),
            };
            self.said = Some(Said::Note(said));
            return;
        }
        self.turned();
    }

    pub(super) fn choose(&mut self, by: isize) {
        let last = self.sim.kind().parameters.len().saturating_sub(1);
        self.said = None;
        let moves = |at: &usize| {
            let parameter = self.sim.kind().parameters.get(*at);
            parameter.is_some_and(|p| !matches!(self.play(p.name), Play::Fixed))
        };
        let to = self.knob.saturating_add_signed(by).min(last);
        let next = if by < 0 { (0..=to).rev().find(moves) } else { (to..=last).find(moves) };
        self.knob = next.unwrap_or(self.knob);
    }

    pub(super) fn set_typed(&mut self) {
        let Mode::Type(text) = &self.mode else { return };
        let name = self.parameter().name;
        let set = match &self.rules {
            Some(rules) => rules.set_text(&mut self.sim, name, text).map(|()| None),
            None => self.sim.set_text(name, text).map(|set| set.note),
        };
        match set {
            Ok(note) => {
                self.said = note.map(Said::Note);
                self.mode = Mode::Turn;
                self.turned();
            }
            Err(fault) => self.said = Some(Said::Fault(format!("{}; {}", fault.what, fault.cure))),
        }
    }

    pub(super) fn next_preset(&mut self) {
        let presets = match &self.rules {
            Some(_) => &[],
            None => self.sim.kind().presets,
        };
        self.preset = (self.preset + 1) % (presets.len() + 1);
        let name = match self.preset.checked_sub(1).and_then(|i| presets.get(i)) {
            Some(preset) => {
                self.sim = Sim::new(self.sim.kind());
                self.sim.apply(preset);
                preset.name
            }
            None => {
                self.sim = self.opened.clone();
                "the values it was opened with"
            }
        };
        let of = format!("preset {} of {}", self.preset, presets.len());
        self.said = Some(Said::Word(match self.preset {
            0 => format!("back to {name}"),
            _ => of,
        }));
        self.turned();
        self.named = (self.preset > 0).then_some(name);
    }
}
