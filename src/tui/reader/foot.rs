//! The line at the foot of a page where something is typed, and what it means as it stands.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::Widget;

use super::{LONGEST, Pane, ROOM, Reader};
use crate::doc::escape;
use crate::page::At;
use crate::page::key::Key;
use crate::page::view::Input;
use crate::tui::face::Look;
use crate::widget::field::Field;
use crate::widget::wrap;

/// What is asked for before a line that is typed.
pub(super) struct Asked {
    pub(super) text: String,
    pub(super) width: u16,
}

impl Reader {
    /// The row at the foot where a line is typed, what is asked there, and the line.
    pub(super) fn foot(&self, area: Rect) -> Option<(Rect, Asked, &Field)> {
        let (Some(line), Input::Line { ask, .. }) = (&self.line, &self.view.input) else { return None };
        // right below what is asked, and never below the page
        let y = self.end().saturating_add(1).clamp(area.y, area.bottom().saturating_sub(1).max(area.y));
        // and in its column
        let column = if self.view.centred { self.panes[0].area() } else { area };
        let row = Rect { y, height: 1.min(area.height), x: column.x, width: column.width };
        let text = escape::line(&format!(" {ask}: ")).into_owned();
        let width = u16::try_from(wrap::width(&text)).unwrap_or(u16::MAX);
        let width = width.min(row.width.saturating_sub(ROOM));
        (!row.is_empty()).then_some((row, Asked { text, width }, line))
    }

    /// Takes a key into the line that is typed, if one is.
    pub(super) fn take_key(&mut self, key: Key, at: &At) -> bool {
        let Some(line) = &mut self.line else { return false };
        match self.page.nudged(line.text(), key, at) {
            Some(text) => *line = Field::with_text(&text, LONGEST),
            None => drop(line.update(key)),
        }
        self.tell(at);
        true
    }

    /// Takes a text that was pasted into it.
    pub(super) fn take_paste(&mut self, text: &str, at: &At) {
        if let Some(line) = &mut self.line {
            line.paste(text);
            self.tell(at);
        }
    }

    /// Says what the line means as it stands.
    pub(super) fn tell(&mut self, at: &At) {
        self.meaning = self.line.as_ref().and_then(|line| self.page.meaning(line.text(), at));
        self.look_under(at);
    }

    /// Shows what the page has below the line.
    pub(super) fn look_under(&mut self, at: &At) {
        let under = self.line.as_ref().and_then(|line| self.page.under(line.text(), at));
        self.under = under.map(Pane::of);
    }

    /// What stands below the line and what it means, where all of it has room.
    pub(super) fn arrange_under(&mut self, area: Rect, look: &Look) {
        let Some((row, ..)) = self.foot(area) else { return };
        let Some(pane) = &mut self.under else { return };
        let y = row.y.saturating_add(3).min(area.bottom());
        let rest = Rect { y, height: area.bottom() - y, ..area };
        pane.lay_out(rest.width, look);
        let fits = pane.rows() <= usize::from(rest.height);
        pane.arrange(if fits { rest } else { Rect::ZERO }, look);
    }

    /// Draws it; below it what was typed means, where there is a row for that.
    pub(super) fn draw_foot(&self, area: Rect, buffer: &mut Buffer, look: &Look) {
        let theme = look.theme;
        let Some((row, asked, line)) = self.foot(area) else { return };
        let text = Rect { x: row.x + asked.width, width: row.width - asked.width, ..row };
        let ask = wrap::cut(&asked.text, asked.width.into(), theme.glyphs.cut);
        Line::styled(ask, theme.dim).render(Rect { width: asked.width, ..row }, buffer);
        Line::from(line.spans(text.width.into(), theme.text, theme)).render(text, buffer);
        let below = Rect { x: row.x + 1, y: row.y + 1, width: row.width.saturating_sub(2), height: 1 };
        let refused = self.view.refused.as_ref().map(|why| (why, theme.warning));
        let words = self.meaning.as_ref().map(|meaning| (meaning, theme.text)).or(refused);
        if let Some((words, style)) = words.filter(|_| below.y < area.bottom()) {
            let words = escape::line(words);
            let words = wrap::cut(&words, below.width.into(), theme.glyphs.cut);
            Line::styled(words, style).render(below, buffer);
        }
        self.under.iter().for_each(|pane| pane.draw(false, buffer, look));
    }
}
