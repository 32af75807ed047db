//! How a simulator looks: knobs, head, pane, numbers.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::knobs::{self, Knob};
use super::{Holds, Mode, Screen, pane};
use crate::sim::Shape;
use crate::tui::face::Look;
use crate::widget::{scroll, wrap};

/// Draws all of it.
pub fn draw<P: Holds>(screen: &Screen<P>, buffer: &mut Buffer, look: &Look) {
    screen.draw_knobs(buffer, look);
    let areas = &screen.areas;
    put(screen.aim.as_slice(), areas.aim, buffer, look);
    put(&screen.goal, areas.goal, buffer, look);
    let head = match &screen.mode {
        Mode::Ask => {
            let of = screen.page.model().ask.as_ref().map_or((0, 0), |ask| ask.of);
            named("Predict", &format!("question {} of {}", of.0, of.1), look)
        }
        Mode::Formula => named("Formula", "of the chosen number", look),
        _ => pane::head(screen.page.model().run(), &screen.reel, areas.head, look),
    };
    put(&[head], areas.head, buffer, look);
    scroll::draw(&screen.pane, screen.pane_top, areas.pane, buffer, look.theme);
    screen.draw_numbers(buffer, look);
}

impl<P: Holds> Screen<P> {
    /// All knobs, one a row.
    pub(super) fn knob_lines(&self, width: usize, look: &Look) -> Vec<Line<'static>> {
        let typed = match &self.mode {
            Mode::Type(field) => Some(field),
            _ => None,
        };
        let lines = self.page.model().sim().knobs().enumerate().map(|(i, (parameter, value))| {
            let chosen = i == self.knob;
            let knob = Knob {
                parameter,
                value,
                chosen,
                focused: self.has_knobs(),
                typed: typed.filter(|_| chosen),
                play: self.page.model().play(parameter.name),
                idle: self.page.model().sim().idle(parameter.name),
            };
            knob.line(width, look)
        });
        lines.collect()
    }

    fn draw_knobs(&self, buffer: &mut Buffer, look: &Look) {
        let areas = &self.areas;
        let lines = self.knob_lines(areas.knobs.width.into(), look);
        let top = knobs::top(self.knob, areas.knobs.height.into(), lines.len());
        for ((i, line), row) in lines.iter().enumerate().skip(top).zip(areas.knobs.rows()) {
            put(std::slice::from_ref(line), row, buffer, look);
            if i == self.knob && self.has_knobs() {
                buffer.set_style(row, look.theme.cursor_line);
            }
        }
        let hidden = lines.len().saturating_sub(areas.knobs.height.into());
        if hidden > 0 {
            scroll::draw_bar(
                top,
                lines.len(),
                Rect { width: areas.knobs.width + 1, ..areas.knobs },
                buffer,
                look.theme,
            );
        }
        let (parameter, value) = (self.parameter(), self.page.model().sim().value(self.parameter().name));
        let typed = match &self.mode {
            Mode::Type(field) => Some(field),
            _ => None,
        };
        let knob = Knob {
            parameter,
            value: value.unwrap_or_default(),
            chosen: true,
            focused: self.has_knobs(),
            typed,
            play: self.page.model().play(parameter.name),
            idle: self.page.model().sim().idle(parameter.name),
        };
        let place = (self.knob, self.page.model().sim().kind().parameters.len());
        // what it may be stands on its track
        let ranged = areas.knob.is_empty()
            || matches!(parameter.shape, Shape::Choice(_))
                && !knob.is_listed(areas.knob.width.into(), place, look);
        let help = knob.help(self.page.model().said.as_ref(), (areas.help.as_size(), ranged), look);
        put(&shortened(help, areas.help, look), areas.help, buffer, look);
        if areas.knob.is_empty() {
            return;
        }
        put(&[knob.slider(areas.knob.width.into(), place, look)], areas.knob, buffer, look);
        for &(at, cells) in &self.strip_cells {
            let short = self.shown_knob(at, look);
            put(&[short], cells, buffer, look);
            if at == self.knob && self.has_knobs() {
                buffer.set_style(cells.intersection(buffer.area), look.theme.cursor_line);
            }
        }
        let (first, last) = self.strip_range(look);
        let more = |x: u16, glyph, buffer: &mut Buffer| {
            buffer.set_string(x, areas.strip.y, glyph, look.theme.accent);
        };
        if first > 0 {
            more(areas.strip.x, look.theme.glyphs.left, buffer);
        }
        if last < self.page.model().sim().kind().parameters.len() {
            more(areas.strip.right().saturating_sub(1), look.theme.glyphs.right, buffer);
        }
    }

    /// The knob of that number as it stands among others.
    fn shown_knob(&self, at: usize, look: &Look) -> Line<'static> {
        let (parameter, value) = self.page.model().sim().knobs().nth(at).unwrap_or((self.parameter(), 0.0));
        let play = self.page.model().play(parameter.name);
        let idle = self.page.model().sim().idle(parameter.name);
        let (chosen, focused) = (at == self.knob, self.has_knobs());
        Knob { parameter, value, chosen, focused, typed: None, play, idle }.short(look)
    }

    fn strip_widths(&self, look: &Look) -> Vec<usize> {
        let count = self.page.model().sim().kind().parameters.len();
        (0..count).map(|at| self.shown_knob(at, look).width() + 1).collect()
    }

    fn strip_range(&self, look: &Look) -> (usize, usize) {
        knobs::beside(
            &self.strip_widths(look),
            self.knob,
            usize::from(self.areas.strip.width).saturating_sub(2),
        )
    }

    /// The cells of the knobs that stand side by side.
    pub(super) fn strip(&self, look: &Look) -> Vec<(usize, Rect)> {
        let area = self.areas.strip;
        let (from, to) = self.strip_range(look);
        let widths = self.strip_widths(look);
        let mut x = area.x + 1;
        let mut cells = Vec::new();
        for (at, width) in widths.iter().enumerate().take(to).skip(from) {
            let width = u16::try_from(*width).unwrap_or(u16::MAX);
            cells.push((at, Rect { x, width: width.saturating_sub(1), ..area }.intersection(area)));
            x = x.saturating_add(width);
        }
        cells
    }

    fn draw_numbers(&self, buffer: &mut Buffer, look: &Look) {
        let theme = look.theme;
        let area = self.areas.numbers;
        if area.is_empty() {
            return;
        }
        let head = Rect { height: 1, ..area };
        let body = Rect { y: area.y + 1, height: area.height - 1, ..area };
        if self.page.model().hides_numbers() {
            put(&[named("Numbers", "hidden until the last question is answered", look)], head, buffer, look);
            return;
        }
        let hidden = self.numbers.len().saturating_sub(body.height.into());
        let more = match hidden > 0 {
            _ if matches!(self.mode, Mode::Formula) => "up and down choose one".into(),
            // a question has the keys
            _ if matches!(self.mode, Mode::Ask) => "of this setting".into(),
            true => format!("{} in all; f explains them", self.page.model().run().outputs.len()),
            false => "f explains them".into(),
        };
        put(&[named("Numbers", &more, look)], head, buffer, look);
        scroll::draw(&self.numbers, self.numbers_top, body, buffer, theme);
    }
}

fn named(name: &'static str, more: &str, look: &Look) -> Line<'static> {
    Line::from(vec![
        Span::styled(name, look.theme.heading),
        Span::styled(format!("  {more}"), look.theme.dim),
    ])
}

/// Rows in an area; where there are more, the last one goes on to its edge and says so.
fn shortened(mut rows: Vec<Line<'static>>, area: Rect, look: &Look) -> Vec<Line<'static>> {
    let most = usize::from(area.height);
    if rows.len() > most && most > 0 {
        let rest = rows.split_off(most);
        let last = &mut rows[most - 1];
        last.push_span(" ");
        last.spans.extend(rest.into_iter().take(2).flat_map(|line| line.spans));
        *last = wrap::cut_line(last, area.width.into(), look.theme.glyphs.cut);
    }
    rows
}

fn put(rows: &[Line<'static>], area: Rect, buffer: &mut Buffer, look: &Look) {
    let area = area.intersection(buffer.area);
    for (line, row) in rows.iter().zip(area.rows()) {
        let line = wrap::cut_line(line, row.width.into(), look.theme.glyphs.cut);
        buffer.set_line(row.x, row.y, &line, row.width);
    }
}
