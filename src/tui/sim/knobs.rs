//! The knobs: a column of names and values, and a sentence about the chosen one.

use ratatui::text::{Line, Span};

use crate::page::sim::{Play, Said, sentence};
use crate::sim::quantity::Dimension;
use crate::sim::{Parameter, Shape};
use crate::tui::face::Look;
use crate::widget::wrap::{self, Hanging, Styled};
use crate::widget::{escape, scroll};

/// How a knob stands.
#[derive(Debug, Clone, Copy)]
pub struct Knob<'a> {
    /// What it is.
    pub parameter: &'static Parameter,
    /// Its value, in its unit.
    pub value: f64,
    /// Whether it is the chosen one.
    pub chosen: bool,
    /// What is being typed for it.
    pub typed: Option<&'a str>,
    /// What a puzzle lets it be.
    pub play: Play<'a>,
}

impl Knob<'_> {
    /// Its value, or what is being typed. A thing counted is not named where there is no room.
    fn shown(&self, width: usize) -> String {
        if let Some(typed) = self.typed {
            return format!("{}_", escape::line(typed));
        }
        let shown = self.parameter.show(self.value);
        let counted = self.parameter.unit.dimension == Dimension::Count;
        let full = wrap::width(&shown) + wrap::width(self.parameter.label) + 3 > width;
        match shown.split_once(' ') {
            Some((number, _)) if counted && full && !self.is_choice() => number.to_owned(),
            _ => shown,
        }
    }

    fn is_choice(&self) -> bool {
        matches!(self.parameter.shape, Shape::Choice(_))
    }

    /// Name on the left, value on the right.
    pub fn line(&self, width: usize, look: &Look) -> Line<'static> {
        let theme = look.theme;
        let glyphs = &theme.glyphs;
        let (pointer, name, value) = match (self.chosen, self.typed) {
            (false, _) if matches!(self.play, Play::Fixed) => (" ", theme.dim, theme.dim),
            (true, Some(_)) => (glyphs.pointer, theme.accent, theme.accent),
            (true, None) => (glyphs.pointer, theme.accent, theme.strong),
            (false, _) => (" ", theme.text, theme.strong),
        };
        let shown = wrap::cut(&self.shown(width), width.saturating_sub(2), glyphs.cut);
        let label = self.parameter.label;
        let arrows = self.chosen && width >= wrap::width(&shown) + wrap::width(label) + 8;
        let room = width.saturating_sub(2 + wrap::width(&shown) + if arrows { 4 } else { 0 });
        let label = wrap::cut(label, room.saturating_sub(1), glyphs.cut);
        let gap = " ".repeat(room.saturating_sub(wrap::width(&label)));
        let arrow = |text: String| Span::styled(if arrows { text } else { String::new() }, theme.accent);
        Line::from(vec![
            Span::styled(format!("{pointer} "), theme.accent),
            Span::styled(label, name),
            Span::raw(gap),
            arrow(format!("{} ", glyphs.left)),
            Span::styled(shown, value),
            arrow(format!(" {}", glyphs.right)),
        ])
    }

    /// What it is and may be, after what was said of the last change.
    pub fn help(&self, said: Option<&Said>, width: usize, look: &Look) -> Vec<Line<'static>> {
        let theme = look.theme;
        let glyphs = &theme.glyphs;
        let say = |text: &str, style, lead: &'static str| {
            let lead = if lead.is_empty() {
                Hanging::none()
            } else {
                Hanging::under(Span::styled(format!("{lead} "), style))
            };
            Styled::from_text(&escape::line(text), style).wrap(&lead, width)
        };
        let mut lines = match said {
            Some(Said::Fault(text)) => say(text, theme.missing, glyphs.missing),
            Some(Said::Note(text)) => say(text, theme.warning, glyphs.warning),
            Some(Said::Word(text)) => say(text, theme.accent, ""),
            None => Vec::new(),
        };
        if self.typed.is_some() && lines.is_empty() {
            lines = say(&asks(self.parameter), theme.accent, "");
        }
        let range = match self.play {
            Play::Free => range(self.parameter),
            Play::Within(knob) => format!("here {}", knob.shown()),
            Play::Fixed => "fixed in this puzzle".into(),
        };
        let text = format!("{} {range}", sentence(self.parameter.help));
        lines.extend(say(&text, theme.dim, ""));
        lines
    }
}

/// What may be typed.
fn asks(parameter: &Parameter) -> String {
    match parameter.shape {
        Shape::Choice(_) => "type a name, or its beginning".into(),
        Shape::Number { .. } if parameter.unit.name.is_empty() => "type a number".into(),
        Shape::Number { .. } => format!("type a number; {} if no unit", parameter.unit.name),
    }
}

/// What it may be.
fn range(parameter: &Parameter) -> String {
    match parameter.shape {
        Shape::Choice(of) => {
            let names: Vec<_> = of.iter().map(|(_, label)| *label).collect();
            names.join(" | ")
        }
        Shape::Number { .. } => {
            let (least, greatest) = parameter.bounds();
            format!("{} to {}", parameter.show(least), parameter.show(greatest))
        }
    }
}

/// The first knob in view.
pub fn top(chosen: usize, height: usize, total: usize) -> usize {
    scroll::keep_in_view(chosen.saturating_sub(height / 2), chosen..chosen + 1, height, total)
}
