//! A pane with a starter: the cursor line and its note move together.

use std::collections::HashSet;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::face::Look;
use crate::pack::Lab;
use crate::page::action::Action;
use crate::study;
use crate::widget::code::{CodeRow, LongLines, Source};
use crate::widget::markdown::{self, Document};
use crate::widget::scroll;
use crate::widget::wrap::{Hanging, Styled};

/// Columns for the line number and the mark beside it.
const GUTTER: u16 = 6;

/// Columns of the code, its numbers and marks, and the rule behind it, where notes stand beside their lines.
pub const BESIDE: u16 = 88;
/// Columns that notes need beside the code.
const NOTES: u16 = 30;

/// A starter with its notes.
#[derive(Debug)]
pub struct Starter {
    lab: Lab,
    source: Source,
    line: usize,
    top: usize,
    /// Whether the cursor has come to a block: the block stands at the top then.
    at_block: bool,
    hidden: bool,
    revealed: HashSet<usize>,
    code: Rect,
    note: Rect,
    /// Whether the note stands beside its line.
    beside: bool,
    rows: Vec<CodeRow>,
    note_rows: Vec<Line<'static>>,
}

impl Starter {
    /// The starter of a lab, with the cursor on a line (from 0), or on its first note.
    pub fn new(lab: &Lab, line: Option<usize>) -> Self {
        let source = Source::new(&lab.starter.language, &lab.starter.text);
        let last = source.len().saturating_sub(1);
        let notes = lab.blocks.iter().flat_map(|b| &b.notes);
        let line = line.or_else(|| notes.map(|n| n.lines.start).min()).unwrap_or(0);
        Self {
            lab: lab.clone(),
            source,
            line: line.min(last),
            top: 0,
            at_block: false,
            hidden: false,
            revealed: HashSet::new(),
            code: Rect::ZERO,
            note: Rect::ZERO,
            beside: false,
            rows: Vec::new(),
            note_rows: Vec::new(),
        }
    }

    /// The line under the cursor, from 0.
    pub fn line(&self) -> usize {
        self.line
    }

    /// The path of the starter, for people.
    pub fn path(&self) -> &str {
        &self.lab.starter.path
    }

    /// Whether the notes are hidden until they are asked for.
    pub fn hides_notes(&self) -> bool {
        self.hidden
    }

    /// The note under the cursor, by its id, where it was hidden and is revealed now: it can be graded.
    pub fn recalled(&self) -> Option<String> {
        let (_, note) = self.lab.note_at(self.line)?;
        if !self.hidden || !self.revealed.contains(&note.lines.start) {
            return None;
        }
        let mut notes = study::note::notes(&self.lab).into_iter();
        notes.find(|(_, n)| n.lines == note.lines).map(|(id, _)| id)
    }

    /// Puts the cursor on the next note, the first where this was the last.
    pub fn next_note(&mut self) {
        let starts = || self.lab.blocks.iter().flat_map(|b| &b.notes).map(|n| n.lines.start);
        let next = starts().filter(|s| *s > self.line).min();
        self.line = next.or_else(|| starts().min()).unwrap_or(self.line);
    }

    /// Lays code and note out: beside the line where there is room, else below the code, where the note takes
    /// what it needs, at most two fifths.
    pub fn arrange(&mut self, area: Rect, look: &Look) {
        self.beside = area.width >= BESIDE + NOTES;
        if self.beside {
            self.note_rows = self.note(area.width - BESIDE - 1, look);
            self.code = Rect { width: BESIDE - 2, ..area };
        } else {
            self.note_rows = self.note(area.width.saturating_sub(3), look);
            let most = (area.height * 2 / 5).max(4);
            let wanted = u16::try_from(self.note_rows.len() + 1).unwrap_or(most);
            // The note keeps its height while the cursor moves, so that the code stands still.
            let height = if area.height > 28 { most.min(14) } else { most }.max(wanted.min(most));
            let height = height.min(area.height.saturating_sub(3));
            self.code = Rect { height: area.height - height, ..area };
            self.note = Rect { y: area.y + area.height - height, height, ..area };
        }
        let width = usize::from(self.code.width.saturating_sub(GUTTER + 1));
        self.rows = self.source.rows(width, LongLines::Wrap);
        let first = self.rows.partition_point(|r| r.line < self.line);
        let end = self.rows.partition_point(|r| r.line <= self.line);
        let height = usize::from(self.code.height);
        if std::mem::take(&mut self.at_block) {
            self.top = first.saturating_sub(1);
        }
        // Two rows of what comes are kept in sight on both sides.
        let around = first.saturating_sub(2)..(end + 2).min(self.rows.len());
        self.top = scroll::keep_in_view(self.top, around, height, self.rows.len());
        if self.beside {
            self.place_beside(area);
        }
    }

    /// Puts the note beside the first of its lines that is seen, as far as it fits above the lower edge.
    fn place_beside(&mut self, area: Rect) {
        let line = self.lab.note_at(self.line).map_or(self.line, |(_, note)| note.lines.start);
        let row = self.rows.partition_point(|r| r.line < line).saturating_sub(self.top);
        let rows = u16::try_from(self.note_rows.len()).unwrap_or(u16::MAX).min(area.height);
        let y = u16::try_from(row).unwrap_or(0).min(area.height - rows);
        self.note = Rect { x: area.x + BESIDE, y: area.y + y, width: area.width - BESIDE, height: rows };
    }

    fn note(&self, width: u16, look: &Look) -> Vec<Line<'static>> {
        let theme = look.theme;
        let Some((block, note)) = self.lab.note_at(self.line) else {
            let text = "No note: nothing happens on this line.";
            return Styled::from_text(text, theme.dim).wrap(&Hanging::none(), width.into());
        };
        let title = Styled::from_text(&crate::doc::escape::line(&block.title), theme.heading);
        let mut rows = title.wrap(&Hanging::none(), width.into());
        if self.hidden && !self.revealed.contains(&note.lines.start) {
            let ask = "Why is this line here? Say it, then press space.";
            rows.extend(Styled::from_text(ask, theme.text).wrap(&Hanging::none(), width.into()));
            return rows;
        }
        if self.hidden {
            let ask = "How well did you know it? 1 again, 2 hard, 3 good, 4 easy";
            rows.extend(Styled::from_text(ask, theme.text).wrap(&Hanging::none(), width.into()));
        }
        rows.extend(markdown::render(&Document::parse(&note.text), width, theme, look.highlighter).lines);
        rows
    }

    /// Moves; says whether the action was one for this pane.
    pub fn act(&mut self, action: Action) -> bool {
        let page = usize::from(self.code.height).saturating_sub(2).max(1);
        let last = self.source.len().saturating_sub(1);
        match action {
            Action::Down => self.line = self.beside(self.line + 1..=last),
            Action::Up => self.line = self.beside((0..self.line).rev()),
            Action::PageDown => self.line = (self.line + page).min(last),
            Action::PageUp => self.line = self.line.saturating_sub(page),
            Action::Top => self.line = 0,
            Action::Bottom => self.line = last,
            Action::NextBlock => self.block(true),
            Action::PrevBlock => self.block(false),
            Action::HideNotes => {
                self.hidden = !self.hidden;
                self.revealed.clear();
            }
            Action::Reveal if self.hidden => {
                if let Some((_, note)) = self.lab.note_at(self.line) {
                    self.revealed.insert(note.lines.start);
                }
            }
            _ => return false,
        }
        true
    }

    /// The first of some lines that is not empty; where there is none, the line under the cursor.
    fn beside(&self, mut lines: impl Iterator<Item = usize>) -> usize {
        lines.find(|line| !self.source.line(*line).trim().is_empty()).unwrap_or(self.line)
    }

    /// Goes to the first line of the next block, or of this one or the one before it.
    fn block(&mut self, forward: bool) {
        let mut starts = self.lab.blocks.iter().filter_map(|b| b.notes.first()).map(|n| n.lines.start);
        let target = if forward { starts.find(|s| *s > self.line) } else { starts.rfind(|s| *s < self.line) };
        self.at_block = target.is_some();
        self.line = target.unwrap_or(self.line);
    }

    /// Puts the cursor on the line under a cell; says whether there is one.
    pub fn click(&mut self, at: Position) -> bool {
        if !self.code.contains(at) {
            return false;
        }
        match self.rows.get(self.top + usize::from(at.y - self.code.y)) {
            Some(row) => {
                self.line = row.line;
                true
            }
            None => false,
        }
    }

    /// Draws the code, and the note of the cursor line.
    pub fn draw(&self, active: bool, buffer: &mut Buffer, look: &Look) {
        if self.beside {
            // the scroll bar goes over it
            let rule = look.theme.glyphs.border.vertical_left;
            let rows = self.code.top()..self.code.bottom();
            rows.for_each(|y| buffer.set_string(self.code.right() - 1, y, rule, look.theme.faint));
        }
        self.draw_code(active, buffer, look);
        let inner = match self.beside {
            true => self.draw_rule_beside(active, buffer, look),
            false => self.draw_rule_below(active, buffer, look),
        };
        for (line, y) in self.note_rows.iter().zip(inner.top()..inner.bottom()) {
            line.clone().render(Rect { y, height: 1, ..inner }, buffer);
        }
        if self.note_rows.len() > usize::from(inner.height) && inner.height > 0 {
            let more =
                Rect { x: inner.right().saturating_sub(1), y: inner.bottom() - 1, width: 1, height: 1 };
            Line::styled(look.theme.glyphs.down, look.theme.dim).render(more, buffer);
        }
    }

    /// Joins the note to the first of its lines that is seen; what is left for the note.
    fn draw_rule_beside(&self, active: bool, buffer: &mut Buffer, look: &Look) -> Rect {
        let theme = look.theme;
        let join = if theme.glyphs.is_ascii() { "+-" } else { "├─" };
        let style = if active { theme.border_active } else { theme.faint };
        if self.lab.note_at(self.line).is_some() {
            buffer.set_string(self.code.right() - 1, self.note.y, join, style);
        }
        self.note
    }

    /// The rule over a note below the code, with the place in it; what is left for the note.
    fn draw_rule_below(&self, active: bool, buffer: &mut Buffer, look: &Look) -> Rect {
        let theme = look.theme;
        let rule = if active { theme.border_active } else { theme.faint };
        let area = self.note;
        let top = Rect { height: area.height.min(1), ..area };
        let label = format!("{} {} ", theme.glyphs.rule.repeat(2), self.position());
        let rest = usize::from(area.width).saturating_sub(crate::widget::wrap::width(&label));
        Line::from(vec![Span::styled(label, rule), Span::styled(theme.glyphs.rule.repeat(rest), rule)])
            .render(top, buffer);
        Rect {
            x: area.x + 1,
            y: area.y + 1,
            width: area.width.saturating_sub(2),
            height: area.height.saturating_sub(1),
        }
    }

    /// `line 7 of 54, block 2 of 5`.
    pub fn position(&self) -> String {
        let blocks = self.lab.blocks.len();
        let at = self.lab.blocks.iter().position(|b| b.notes.iter().any(|n| n.lines.contains(&self.line)));
        let line = format!("line {} of {}", self.line + 1, self.source.len());
        match at {
            Some(i) => format!("{line}, block {} of {blocks}", i + 1),
            None => line,
        }
    }

    fn draw_code(&self, active: bool, buffer: &mut Buffer, look: &Look) {
        let theme = look.theme;
        let tokens = self.source.tokens(look.highlighter);
        let width = usize::from(self.code.width.saturating_sub(GUTTER + 1));
        let noted = self.lab.note_at(self.line).map(|(_, n)| n.lines.clone());
        for (row, y) in self.rows.iter().skip(self.top).zip(self.code.top()..self.code.bottom()) {
            let in_note = noted.as_ref().is_some_and(|n| n.contains(&row.line));
            let number = if row.first { format!("{:>4}", row.line + 1) } else { "    ".into() };
            let bar = if in_note { theme.glyphs.block_active.1 } else { " " };
            let mut spans = vec![
                Span::styled(number, if in_note && active { theme.accent } else { theme.dim }),
                Span::styled(format!("{bar} "), if active { theme.accent } else { theme.faint }),
            ];
            spans.extend(self.source.spans(row, width, theme, tokens.as_deref()));
            let cells = Rect { y, height: 1, width: self.code.width.saturating_sub(1), ..self.code };
            Line::from(spans).render(cells, buffer);
            if row.line == self.line && active {
                buffer.set_style(cells, theme.cursor_line);
            }
        }
        scroll::draw_bar(self.top, self.rows.len(), self.code, buffer, theme);
    }
}
