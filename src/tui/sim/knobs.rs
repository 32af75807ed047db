//! The knobs: a column of names and values, and a sentence about the chosen one.

use ratatui::layout::Size;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::page::sim::{Play, Said, sentence};
use crate::sim::quantity::Dimension;
use crate::sim::{Parameter, Shape, Turn};
use crate::tui::face::Look;
use crate::widget::field::Field;
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
    /// Whether the keys are with the knobs.
    pub focused: bool,
    /// What is being typed for it.
    pub typed: Option<&'a Field>,
    /// What a puzzle lets it be.
    pub play: Play<'a>,
    /// Why turning it would change nothing now.
    pub idle: Option<&'static str>,
}

impl Knob<'_> {
    /// Its value, or what is being typed. A thing counted is not named where the name of the knob says it, and where there
    /// is no room.
    fn shown(&self, width: usize) -> String {
        if let Some(typed) = self.typed {
            return format!("{} ", typed.text());
        }
        let shown = self.parameter.show(self.value);
        let counted = self.parameter.unit.dimension == Dimension::Count;
        let full = wrap::width(&shown) + wrap::width(self.parameter.label) + 3 > width;
        match shown.split_once(' ') {
            Some((number, unit)) if counted && !self.is_choice() && (full || self.names(unit)) => {
                number.to_owned()
            }
            _ => shown,
        }
    }

    /// Whether the name of the knob says what is counted: `stages p`, and `TP` for its ranks.
    fn names(&self, counted: &str) -> bool {
        let stem = counted.trim_end_matches('s');
        let mut words = self.parameter.label.split(' ');
        words.any(|word| {
            word.starts_with(stem) || word.len() == 2 && word.chars().all(|c| c.is_ascii_uppercase())
        })
    }

    fn is_choice(&self) -> bool {
        matches!(self.parameter.shape, Shape::Choice(_))
    }

    /// Name on the left, value on the right.
    pub fn line(&self, width: usize, look: &Look) -> Line<'static> {
        let theme = look.theme;
        let glyphs = &theme.glyphs;
        let (pointer, name, value) = match (self.chosen, self.typed) {
            (false, _) if matches!(self.play, Play::Fixed) || self.idle.is_some() => {
                (" ", theme.dim, theme.dim)
            }
            (true, None) if !self.focused => (glyphs.pointer, theme.dim, theme.text),
            (true, Some(_)) => (glyphs.pointer, theme.accent, theme.accent),
            (true, None) => (glyphs.pointer, theme.strong, theme.strong),
            (false, _) => (" ", theme.dim, theme.text),
        };
        let shown = wrap::cut(&self.shown(width), width.saturating_sub(2), glyphs.cut);
        let label = self.parameter.label;
        let arrows = self.chosen && self.focused && width >= wrap::width(&shown) + wrap::width(label) + 8;
        let room = width.saturating_sub(2 + wrap::width(&shown) + if arrows { 4 } else { 0 });
        let label = wrap::cut(label, room.saturating_sub(1), glyphs.cut);
        let gap = " ".repeat(room.saturating_sub(wrap::width(&label)));
        let arrow = |text: String| Span::styled(if arrows { text } else { String::new() }, theme.accent);
        [
            Span::styled(format!("{pointer} "), self.pointed(look)),
            Span::styled(label, name),
            Span::raw(gap),
            arrow(format!("{} ", glyphs.left)),
        ]
        .into_iter()
        .chain(self.value(shown, value, look))
        .chain([arrow(format!(" {}", glyphs.right))])
        .collect()
    }

    /// How its pointer looks.
    fn pointed(&self, look: &Look) -> Style {
        if self.focused { look.theme.accent } else { look.theme.faint }
    }

    /// Its value as it is shown, with the caret where it is typed.
    fn value(&self, shown: String, style: Style, look: &Look) -> Vec<Span<'static>> {
        match self.typed {
            Some(typed) => typed.with_caret(wrap::width(&shown).max(1), style, look.theme),
            None => vec![Span::styled(shown, style)],
        }
    }

    /// Where it stands between its bounds, 0 to 1; what grows by factors on a scale of factors.
    fn share(&self) -> Option<f64> {
        if let Play::Within(knob) = self.play {
            let at = knob.values.iter().position(|value| (value - self.value).abs() < 1e-9)?;
            return Some(at as f64 / knob.values.len().saturating_sub(1).max(1) as f64);
        }
        let Shape::Number { min, max, turn, .. } = self.parameter.shape else { return None };
        let scaled = |value: f64| match turn {
            Turn::Times(_) if min > 0.0 => value.ln(),
            Turn::Times(_) => value.max(0.0).ln_1p(),
            Turn::Add(_) => value,
        };
        let share = (scaled(self.value) - scaled(min)) / (scaled(max) - scaled(min));
        share.is_finite().then_some(share.clamp(0.0, 1.0))
    }

    /// Its name, its track between its bounds, its value; `place` is its number among all.
    pub fn slider(&self, width: usize, (at, of): (usize, usize), look: &Look) -> Line<'static> {
        let theme = look.theme;
        let mut line = Line::from(vec![
            Span::styled(format!("{} ", theme.glyphs.pointer), self.pointed(look)),
            Span::styled(self.parameter.label, theme.strong),
            Span::raw("   "),
        ]);
        let place = format!("knob {} of {of}, z all", at + 1);
        let shown = self.shown(width);
        let room = self.room(width, (at, of));
        let track = self.share().filter(|_| self.typed.is_none()).and_then(|share| {
            let ends = self.ends().map(|value| number(&self.parameter.show(value)).to_owned());
            let columns = room
                .checked_sub(wrap::width(&shown) + ends.iter().map(|e| wrap::width(e)).sum::<usize>() + 5)?;
            (columns >= TRACK.0).then(|| (share, columns.min(TRACK.1), ends))
        });
        if let Some((share, columns, [least, most])) = track {
            let before = (share * (columns - 1) as f64).round() as usize;
            line.push_span(Span::styled(format!("{least} "), theme.dim));
            line.push_span(Span::styled(theme.glyphs.bar_full.repeat(before), theme.text));
            line.push_span(Span::styled(theme.glyphs.knob, theme.accent));
            line.push_span(Span::styled(theme.glyphs.bar_empty.repeat(columns - 1 - before), theme.faint));
            line.push_span(Span::styled(format!(" {most}   "), theme.dim));
        }
        if let Some(options) = self.options(room, look) {
            line.spans.extend(options);
        } else {
            let style = if self.typed.is_some() { theme.accent } else { theme.strong };
            line.spans.extend(self.value(shown, style, look));
        }
        let gap = width.saturating_sub(line.width() + wrap::width(&place));
        if gap > 1 {
            line.push_span(Span::raw(" ".repeat(gap)));
            line.push_span(Span::styled(place, theme.dim));
        }
        line
    }

    /// The columns between its name and its place among all.
    fn room(&self, width: usize, (at, of): (usize, usize)) -> usize {
        let place = format!("knob {} of {of}, z all", at + 1);
        width.saturating_sub(wrap::width(self.parameter.label) + 5 + wrap::width(&place) + 2)
    }

    /// The least and the greatest that it may be.
    fn ends(&self) -> [f64; 2] {
        let (least, most) = self.parameter.bounds();
        match self.play {
            Play::Within(knob) => {
                [knob.values.first(), knob.values.last()].map(|end| *end.unwrap_or(&self.value))
            }
            Play::Free | Play::Fixed => [least, most],
        }
    }

    /// Whether its track lists what may be chosen.
    pub fn is_listed(&self, width: usize, place: (usize, usize), look: &Look) -> bool {
        self.options(self.room(width, place), look).is_some()
    }

    /// What may be chosen, side by side, where all of it fits.
    fn options(&self, room: usize, look: &Look) -> Option<Vec<Span<'static>>> {
        let theme = look.theme;
        let Shape::Choice(of) = self.parameter.shape else { return None };
        let Play::Free = self.play else { return None };
        let width: usize = of.iter().map(|(_, label)| wrap::width(label) + 3).sum();
        if self.typed.is_some() || width > room {
            return None;
        }
        let at = self.value.max(0.0) as usize;
        let spans = of.iter().enumerate().map(|(nth, (_, label))| {
            let style = if nth == at { theme.strong.patch(theme.link) } else { theme.dim };
            [Span::styled(*label, style), Span::raw("   ")]
        });
        Some(spans.flatten().collect())
    }

    /// Its name and its value, to stand among others.
    pub fn short(&self, look: &Look) -> Line<'static> {
        let theme = look.theme;
        let value = match matches!(self.play, Play::Fixed) || self.idle.is_some() {
            true => theme.dim,
            false => theme.text,
        };
        Line::from(vec![
            Span::styled(format!(" {} ", self.parameter.label), theme.dim),
            Span::styled(format!("{} ", self.shown(0)), value),
        ])
    }

    /// What it is and, where that stands nowhere else, what it may be, after what was said of the last change.
    pub fn help(&self, said: Option<&Said>, (size, ranged): (Size, bool), look: &Look) -> Vec<Line<'static>> {
        let theme = look.theme;
        let glyphs = &theme.glyphs;
        let width = usize::from(size.width);
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
            Some(Said::Note(text)) => say(text, theme.text, glyphs.crumb),
            Some(Said::Word(text)) => say(text, theme.text, ""),
            None => Vec::new(),
        };
        if self.typed.is_some() && lines.is_empty() {
            lines = say(&asks(self.parameter), theme.text, "");
        }
        let range = match self.play {
            Play::Free if ranged => range(self.parameter),
            Play::Free => String::new(),
            Play::Within(knob) => format!("Here {}", knob.shown()),
            Play::Fixed => "fixed in this puzzle".into(),
        };
        let about = match self.idle {
            Some(why) => format!("{why} {}", sentence(self.parameter.help)),
            None => sentence(self.parameter.help),
        };
        // in a puzzle what it may be is asked first; where there is no room for both, what may be chosen alone
        let (text, alone) = match self.play {
            Play::Within(_) => (format!("{range}. {about}"), Some(&range)),
            _ => (format!("{about} {range}"), Some(&range).filter(|_| self.is_choice())),
        };
        let left = usize::from(size.height).saturating_sub(lines.len());
        if left == 0 {
            return lines;
        }
        let both = say(text.trim_end(), theme.dim, "");
        let alone = alone.filter(|_| both.len() > left).map(|text| say(text, theme.dim, ""));
        lines.extend(alone.filter(|rows| !rows.is_empty() && rows.len() <= left).unwrap_or(both));
        lines
    }
}

/// Columns of a track, at least and at most.
const TRACK: (usize, usize) = (8, 26);

/// A value without its unit.
fn number(shown: &str) -> &str {
    shown.split(' ').next().unwrap_or(shown)
}

/// The knobs that stand side by side with the chosen one: the first and the one behind the last. The row is
/// turned like a page, so that nothing moves while one steps through it.
pub fn beside(widths: &[usize], chosen: usize, room: usize) -> (usize, usize) {
    let (mut from, mut used) = (0, 0);
    for (at, width) in widths.iter().enumerate() {
        if used + width > room && at > from {
            if at > chosen {
                return (from, at);
            }
            (from, used) = (at, 0);
        }
        used += width;
    }
    (from, widths.len())
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
            let [least, greatest] = [least, greatest].map(|value| parameter.show(value));
            // what is counted is said once
            let least = if parameter.unit.dimension == Dimension::Count { number(&least) } else { &least };
            format!("{least} to {greatest}")
        }
    }
}

/// The first knob in view.
pub fn top(chosen: usize, height: usize, total: usize) -> usize {
    scroll::keep_in_view(chosen.saturating_sub(height / 2), chosen..chosen + 1, height, total)
}

#[cfg(test)]
mod tests {
    use super::beside;

    #[test]
    fn the_chosen_knob_is_always_among_those_side_by_side() {
        let widths = [10, 12, 9, 30, 8, 8];
        for chosen in 0..widths.len() {
            let (from, to) = beside(&widths, chosen, 31);
            assert!((from..to).contains(&chosen));
            assert!(widths[from..to].iter().sum::<usize>() <= 31);
        }
        assert_eq!(beside(&widths, 0, 31), (0, 3));
        assert_eq!(beside(&widths, 5, 31), (4, 6));
        assert_eq!(beside(&[50], 0, 31), (0, 1));
    }
}
