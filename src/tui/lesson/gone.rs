//! Which sections of a lesson count as read: those that were on the screen to their last line, and gone on from.
//! Jumping over a section reads nothing of it.

use std::ops::Range;

use super::{At, Reader};
use crate::page::action::Action;

/// So many rows of a section may still stand at the top of the page that comes after it.
const OVERLAP: usize = 2;

impl Reader {
    /// Notes what is on the screen.
    pub(super) fn look(&mut self) {
        if !self.laid.text.is_empty() {
            let rows = self.reading.top()..self.reading.end();
            let blocks = self.reading.rendered().blocks.iter().enumerate();
            self.seen.extend(blocks.filter(|(_, row)| rows.contains(row)).map(|(block, _)| block));
        }
    }

    /// The rows of a section: from its heading to the next one, whichever that is.
    fn rows(&self, section: usize) -> Option<Range<usize>> {
        let (from, _) = self.sections().nth(section)?;
        let all = &self.reading.rendered().headings;
        let heads = all.iter().filter(|h| (2..=3).contains(&h.level)).map(|h| h.row);
        Some(from..heads.into_iter().find(|row| *row > from).unwrap_or(self.reading.rows()))
    }

    /// Whether the last line of a section is on the screen.
    pub(super) fn shows_end(&self, section: usize) -> bool {
        self.rows(section).is_some_and(|rows| rows.end <= self.reading.end())
    }

    /// Whether every block of a section was on the screen.
    pub(super) fn is_whole(&self, section: usize) -> bool {
        let Some(rows) = self.rows(section) else { return false };
        let blocks = self.reading.rendered().blocks.iter().enumerate();
        let mut own = blocks.filter(|(_, row)| rows.contains(row));
        own.all(|(block, _)| self.seen.contains(&block))
    }

    /// One went on: the sections that are behind now were read, and at the end those in view too.
    pub(super) fn go_past(&mut self, at: &mut At) {
        self.look();
        let (top, is_end) = (self.reading.top(), self.reading.at_end());
        let is_past = |section: &usize| {
            let rows = self.rows(*section);
            is_end || rows.is_some_and(|rows| rows.end <= top + OVERLAP)
        };
        let read: Vec<usize> =
            (0..self.section().1).filter(is_past).filter(|section| self.is_whole(*section)).collect();
        self.page.read_sections(read, at);
        self.tell_end(at);
    }

    /// One came here without what lies between.
    pub(super) fn jump(&mut self, at: &mut At) {
        self.look();
        self.tell_end(at);
    }

    /// Moves through the text; says whether the action was one of moving.
    pub(super) fn moved(&mut self, action: Action, at: &mut At) -> bool {
        self.look();
        if !self.reading.act(action) {
            return false;
        }
        match action {
            Action::Down | Action::PageDown => self.go_past(at),
            Action::Bottom => self.jump(at),
            _ => {
                self.look();
                self.is_told = self.is_told && self.reading.at_end();
            }
        }
        true
    }

    /// Says at the end what counts as read and what comes next, in the same words however the end was reached.
    fn tell_end(&mut self, at: &mut At) {
        self.is_told = self.reading.at_end();
        if !self.is_told {
            return;
        }
        let onward = self.page.onward(at).1;
        at.say(match self.page.unread() {
            None => format!("that is the end of the lesson; it counts as read. enter goes on to {onward}"),
            Some(unread) => format!(
                "that is the end of the lesson. Not read yet: {unread}; m marks the lesson as read. enter goes on to {onward}"
            ),
        });
    }
}
