//! How a simulator looks: knobs, head, pane, numbers.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::knobs::{self, Knob};
use super::{Mode, Simulator, pane};
use crate::screen::Context;
use crate::widget::{scroll, wrap};

/// Draws all of it.
pub fn draw(screen: &Simulator, buffer: &mut Buffer, context: &Context) {
    screen.draw_knobs(buffer, context);
    let areas = &screen.areas;
    let head = match &screen.mode {
        Mode::Ask(ask) => named("Predict", &format!("question {} of {}", ask.of.0, ask.of.1), context),
        Mode::Formula => named("Formula", "of the number under the pointer", context),
        _ => pane::head(&screen.run, &screen.reel, areas.head, context),
    };
    put(&[head], areas.head, buffer, context);
    scroll::draw(&screen.pane, screen.pane_top, areas.pane, buffer, context.theme);
    screen.draw_numbers(buffer, context);
}

impl Simulator {
    /// All knobs, one a row.
    pub(super) fn knob_lines(&self, width: usize, context: &Context) -> Vec<Line<'static>> {
        let typed = match &self.mode {
            Mode::Type(text) => Some(text.as_str()),
            _ => None,
        };
        let lines = self.sim.knobs().enumerate().map(|(i, (parameter, value))| {
            let chosen = i == self.knob;
            let knob = Knob {
                parameter,
                value,
                chosen,
                typed: typed.filter(|_| chosen),
                play: self.play(parameter.name),
            };
            knob.line(width, context)
        });
        lines.collect()
    }

    fn draw_knobs(&self, buffer: &mut Buffer, context: &Context) {
        let areas = &self.areas;
        let lines = self.knob_lines(areas.knobs.width.into(), context);
        let top = knobs::top(self.knob, areas.knobs.height.into(), lines.len());
        for ((i, line), row) in lines.iter().enumerate().skip(top).zip(areas.knobs.rows()) {
            put(std::slice::from_ref(line), row, buffer, context);
            if i == self.knob {
                buffer.set_style(row, context.theme.cursor_line);
            }
        }
        let hidden = lines.len().saturating_sub(areas.knobs.height.into());
        if hidden > 0 {
            scroll::draw_bar(
                top,
                lines.len(),
                Rect { width: areas.knobs.width + 1, ..areas.knobs },
                buffer,
                context.theme,
            );
        }
        let (parameter, value) = (self.parameter(), self.sim.value(self.parameter().name));
        let typed = match &self.mode {
            Mode::Type(text) => Some(text.as_str()),
            _ => None,
        };
        let knob = Knob {
            parameter,
            value: value.unwrap_or_default(),
            chosen: true,
            typed,
            play: self.play(parameter.name),
        };
        let help = knob.help(self.said.as_ref(), areas.help.width.into(), context);
        put(&help, areas.help, buffer, context);
        if !areas.knob.is_empty() {
            self.draw_folded(&knob, help.first(), buffer, context);
        }
    }

    /// The chosen knob alone, with what is said of it in the rest of the row.
    fn draw_folded(&self, knob: &Knob, help: Option<&Line<'static>>, buffer: &mut Buffer, context: &Context) {
        let row = self.areas.knob;
        let width = row.width.min(34);
        put(&[knob.line(width.into(), context)], Rect { width, ..row }, buffer, context);
        let rest = Rect {
            x: row.x + width + 2.min(row.width - width),
            width: row.width.saturating_sub(width + 2),
            ..row
        };
        put(help.map_or(&[], std::slice::from_ref), rest, buffer, context);
    }

    fn draw_numbers(&self, buffer: &mut Buffer, context: &Context) {
        let theme = context.theme;
        let area = self.areas.numbers;
        if area.is_empty() {
            return;
        }
        let head = Rect { height: 1, ..area };
        let body = Rect { y: area.y + 1, height: area.height - 1, ..area };
        if self.is_asked() {
            put(&[named("Numbers", "hidden until you answer", context)], head, buffer, context);
            return;
        }
        let hidden = self.numbers.len().saturating_sub(body.height.into());
        let more = match hidden > 0 {
            _ if matches!(self.mode, Mode::Formula) => "up and down choose one".into(),
            true => format!("{} in all; f explains them", self.run.outputs.len()),
            false => "f explains them".into(),
        };
        put(&[named("Numbers", &more, context)], head, buffer, context);
        scroll::draw(&self.numbers, self.numbers_top, body, buffer, theme);
    }
}

fn named(name: &'static str, more: &str, context: &Context) -> Line<'static> {
    Line::from(vec![
        Span::styled(name, context.theme.heading),
        Span::styled(format!("  {more}"), context.theme.dim),
    ])
}

fn put(rows: &[Line<'static>], area: Rect, buffer: &mut Buffer, context: &Context) {
    let area = area.intersection(buffer.area);
    for (line, row) in rows.iter().zip(area.rows()) {
        let line = wrap::cut_line(line, row.width.into(), context.theme.glyphs.cut);
        buffer.set_line(row.x, row.y, &line, row.width);
    }
}
