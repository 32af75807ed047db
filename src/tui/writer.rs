//! The face of pages that are written into: a text of many lines under a question, with a clock. Where the page
//! takes no text, it is read as any other.

use jiff::{SignedDuration, Timestamp};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::face::{Face, Look};
use super::reader::Reader;
use crate::page::action::Action;
use crate::page::key::{Code, Key};
use crate::page::keys::{self, Scope};
use crate::page::view::{Clock, Input, View};
use crate::page::{Act, At, Next, Page};
use crate::study::words::{clock, some};
use crate::tui::event::Mouse;
use crate::widget::editor::{Editor, Outcome};
use crate::widget::{bar, markdown, wrap};

/// From this width on the side stands beside the text.
const WIDE: u16 = 100;
/// Rows are hard to write when they are longer; one column more for the caret.
const MEASURE: u16 = 77;
/// The columns of what stands beside.
const SIDE: u16 = 40;
/// Rows that the text has at least, where the terminal has room for them.
const LEAST: u16 = 5;
/// The bytes that a text holds at most.
const MOST: usize = 2 << 20;
/// Seconds from which on a clock that runs down is red.
const LAST: u32 = 10;

/// A page that is written into.
pub struct Writer {
    reader: Reader,
    view: View,
    /// The text, where the page takes or took one.
    editor: Option<Editor>,
    now: Timestamp,
    laid: Laid,
    /// Whether a clock is drawn seldom.
    is_still: bool,
    /// Whether the page was asked for something since it was looked at.
    stale: bool,
}

/// Where things stand, and the rows that were laid out for it.
#[derive(Default)]
struct Laid {
    head: (Rect, Vec<Line<'static>>),
    side: (Rect, Vec<Line<'static>>),
    status: (Rect, Vec<Line<'static>>),
    text: Rect,
}

impl Writer {
    /// A writer that has not looked at its page yet.
    pub fn new(page: Box<dyn Page>) -> Self {
        Writer {
            reader: Reader::new(page),
            view: View::new(),
            editor: None,
            now: Timestamp::UNIX_EPOCH,
            laid: Laid::default(),
            is_still: false,
            stale: true,
        }
    }

    fn ask(&mut self, act: Act, at: &mut At) -> Next {
        self.page().act(act, at)
    }

    /// Tells the page what the text is now.
    fn tell(&mut self, outcome: Outcome, at: &mut At) -> Next {
        match &self.editor {
            Some(editor) if outcome == Outcome::Changed => {
                let text = editor.text().to_owned();
                self.ask(Act::Text(text), at)
            }
            _ => Next::Stay,
        }
    }

    /// Lets the editor do something, where there is one.
    fn edit(&mut self, edit: impl FnOnce(&mut Editor, Rect) -> Outcome, at: &mut At) -> Next {
        let area = self.laid.text;
        let outcome = self.editor.as_mut().map_or(Outcome::Ignored, |editor| edit(editor, area));
        self.tell(outcome, at)
    }

    /// Takes the text over where the page has another one than it had.
    fn take(&mut self, before: &View) {
        let Input::Text { draft, .. } = &self.view.input else { return };
        let is_known = matches!(&before.input, Input::Text { draft: known, .. } if known == draft);
        match &self.editor {
            Some(editor) if before.turn == self.view.turn && (is_known || editor.text() == draft) => {}
            _ => self.editor = Some(Editor::with_text(draft)),
        }
    }

    /// Whether the page takes a text now.
    fn is_writing(&self) -> bool {
        self.editor.is_some() && matches!(self.view.input, Input::Text { .. })
    }

    fn lay_out(&self, area: Rect, look: &Look) -> Laid {
        let inner = Rect { x: area.x + area.width.min(1), width: area.width.saturating_sub(2), ..area };
        let side = self.view.side.as_ref().filter(|side| !side.is_empty());
        let wide = area.width >= WIDE && side.is_some();
        let beside = if wide { SIDE.min(inner.width / 3) } else { 0 };
        let main = Rect { width: inner.width - beside - if wide { 3 } else { 0 }, ..inner };
        let main = Rect { width: main.width.min(MEASURE), ..main };
        let rows = |document, width| markdown::render(document, width, look.theme, look.highlighter).lines;
        let mut head = rows(&self.view.body, main.width);
        let side = match side {
            Some(side) if wide => rows(side, beside),
            Some(side) => {
                head.push(Line::default());
                head.extend(rows(side, main.width));
                Vec::new()
            }
            None => Vec::new(),
        };
        let status = rows(&self.view.status, inner.width);
        let foot = fitting(status.len().max(1), inner.height);
        let left = inner.height.saturating_sub(foot + 2);
        let top = fitting(head.len(), left.saturating_sub(LEAST.min(left)));
        let gap = u16::from(top > 0);
        let text = Rect { y: main.y + top + gap, height: (left + 1).saturating_sub(top + gap), ..main };
        let below = inner.bottom() - foot;
        let beside = Rect { x: main.right() + 3, width: beside, height: inner.height - foot, ..inner };
        Laid {
            head: (Rect { height: top, ..main }, head),
            side: (beside, side),
            status: (Rect { y: below, height: foot, ..inner }, status),
            text,
        }
    }

    /// `38 words   saved   practice, junior`.
    fn counted(&self, look: &Look) -> Vec<Line<'static>> {
        let words = self.editor.as_ref().map_or(0, Editor::words);
        let mut rows = self.laid.status.1.clone();
        if rows.is_empty() {
            rows.push(Line::default());
        }
        rows[0].spans.insert(0, Span::styled(format!("{}   ", some(words, "word")), look.theme.text));
        rows
    }
}

/// The rows that a text gets out of those that there are.
fn fitting(rows: usize, room: u16) -> u16 {
    u16::try_from(rows).unwrap_or(u16::MAX).min(room)
}

/// Draws rows; a sign where there are more than fit.
fn put(rows: &[Line<'static>], area: Rect, buffer: &mut Buffer, look: &Look) {
    for (line, row) in rows.iter().zip(area.rows()) {
        wrap::cut_line(line, row.width.into(), look.theme.glyphs.cut).render(row, buffer);
    }
    if rows.len() > usize::from(area.height) && !area.is_empty() {
        let more = Rect { x: area.right() - 1, y: area.bottom() - 1, width: 1, height: 1 };
        Span::styled(look.theme.glyphs.down, look.theme.dim).render(more, buffer);
    }
}

/// `1:52  ━━━━━╌╌╌╌╌  of 5:00`, or `Answer  1:23 left  ━━━━━╌╌╌╌╌`.
fn clock_line(of: &Clock, now: Timestamp, width: u16, look: &Look) -> Line<'static> {
    let theme = look.theme;
    let columns = match width {
        WIDE.. => 24,
        _ if of.down => 6, // the path to the page needs its columns
        _ => 10,
    };
    let (spent, left) = (of.spent(now), of.left(now));
    let total = f64::from(of.of.max(1));
    let dim = |text: String| Span::styled(text, theme.dim);
    let mut spans = Vec::new();
    if of.down {
        let style = match left {
            0..=LAST => theme.clock_red,
            _ if left <= of.of / 4 => theme.clock_amber,
            _ => theme.text,
        };
        spans.push(dim(format!(" {}  ", of.what)));
        spans.push(Span::styled(format!("{} left", clock(left)), style));
        spans.push(Span::raw("  "));
        spans.extend(bar::meter(f64::from(left) / total, columns, style, theme));
    } else {
        let style = match spent {
            s if s > of.of => theme.clock_red,
            s if s.saturating_mul(4) > of.of.saturating_mul(3) => theme.clock_amber,
            _ => theme.text,
        };
        spans.push(Span::styled(format!("{}  ", clock(spent)), style));
        spans.extend(bar::meter(f64::from(spent) / total, columns, style, theme));
        let over = if spent > of.of { ", over time" } else { "" };
        spans.push(dim(format!("  of {}{over}", clock(of.of))));
    }
    spans.push(Span::raw(" "));
    Line::from(spans)
}

impl Face for Writer {
    fn page(&mut self) -> &mut dyn Page {
        self.stale = true;
        self.reader.page()
    }

    fn page_ref(&self) -> &dyn Page {
        self.reader.page_ref()
    }

    fn scopes(&self) -> Vec<Scope> {
        if !self.is_writing() {
            return self.reader.scopes();
        }
        let mut scopes = self.page_ref().scopes();
        if !keys::stand_alone(&scopes) {
            scopes.push(Scope::Typing);
        }
        scopes
    }

    fn refresh(&mut self, at: &At) {
        self.now = at.now;
        self.is_still = at.services.is_still;
        if std::mem::take(&mut self.stale) {
            let view = self.page_ref().view(at);
            let before = std::mem::replace(&mut self.view, view);
            self.take(&before);
        }
        if !self.is_writing() {
            self.reader.refresh(at);
        }
    }

    fn is_stale(&self) -> bool {
        self.stale || !self.is_writing() && self.reader.is_stale()
    }

    /// Where no clock runs and no time is waited for, all that is shown would be made anew for nothing.
    fn tick(&mut self, at: &mut At) -> Next {
        let waits =
            self.is_writing() || self.view.clock.is_some() || self.page_ref().wake_at(at.now).is_some();
        if waits { self.page().tick(at) } else { Next::Stay }
    }

    fn arrange(&mut self, area: Rect, look: &Look) {
        if !self.is_writing() {
            return self.reader.arrange(area, look);
        }
        self.laid = self.lay_out(area, look);
        let size = self.laid.text.as_size();
        self.editor.iter_mut().for_each(|editor| editor.resize(size));
    }

    fn act(&mut self, action: Action, at: &mut At) -> Next {
        match action {
            // what is typed may be given up without leaving
            Action::Back => match self.ask(Act::Do(Action::Back), at) {
                Next::Stay => Next::Back,
                next => next,
            },
            Action::Discard if self.is_writing() => self.edit(|e, area| e.clear(area.as_size()), at),
            action if self.is_writing() => self.ask(Act::Do(action), at),
            action => {
                self.stale = true;
                self.reader.act(action, at)
            }
        }
    }

    fn typed(&mut self, key: Key, at: &mut At) -> Next {
        if !self.is_writing() {
            self.stale = true;
            return self.reader.typed(key, at);
        }
        let is_full = self.editor.as_ref().is_some_and(|editor| editor.text().len() >= MOST);
        if is_full && (key.typed().is_some() || key.code == Code::Enter) {
            at.say(format!("An answer holds {} MB at most, and this one is full", MOST >> 20));
            return Next::Stay;
        }
        self.edit(|editor, area| editor.update(key.into(), area.as_size()), at)
    }

    fn pasted(&mut self, text: &str, at: &mut At) -> Next {
        let Some(editor) = self.editor.as_ref().filter(|_| self.is_writing()) else {
            return self.reader.pasted(text, at);
        };
        if editor.text().len().saturating_add(text.len()) > MOST {
            let megabytes = MOST >> 20;
            at.say(format!("That is too much: an answer holds {megabytes} MB at most. Nothing was pasted"));
            return Next::Stay;
        }
        self.edit(|editor, area| editor.paste(text, area.as_size()), at)
    }

    fn mouse(&mut self, kind: Mouse, cell: Position, at: &mut At) -> Next {
        if !self.is_writing() {
            self.stale = true;
            return self.reader.mouse(kind, cell, at);
        }
        let text = self.laid.text;
        match kind {
            Mouse::ScrollDown => self.edit(|editor, area| editor.scroll(2, area.as_size()), at),
            Mouse::ScrollUp => self.edit(|editor, area| editor.scroll(-2, area.as_size()), at),
            Mouse::Click if text.contains(cell) => {
                let (x, y) = (cell.x - text.x, cell.y - text.y);
                self.edit(|editor, area| editor.click(x, y, area.as_size()), at)
            }
            Mouse::Click => Next::Stay,
        }
    }

    fn wake_at(&self, now: Timestamp) -> Option<Timestamp> {
        let second = self.view.clock.as_ref().and_then(|clock| {
            let spent = now.duration_since(clock.zero).as_secs().max(0);
            // the last seconds of a clock that runs down are never hidden
            let is_seldom = self.is_still && !(clock.down && clock.left(now) <= LAST);
            let step = if is_seldom { i64::from(LAST) } else { 1 };
            clock.zero.checked_add(SignedDuration::from_secs((spent / step + 1) * step)).ok()
        });
        second.into_iter().chain(self.page_ref().wake_at(now)).min()
    }

    fn facts(&self, width: u16, look: &Look) -> Line<'static> {
        match &self.view.clock {
            Some(of) => clock_line(of, self.now, width, look),
            None => self.reader.facts(width, look),
        }
    }

    fn draw(&self, area: Rect, buffer: &mut Buffer, look: &Look) {
        let Some(editor) = self.editor.as_ref().filter(|_| self.is_writing()) else {
            return self.reader.draw(area, buffer, look);
        };
        let Laid { head, side, status, text } = &self.laid;
        put(&head.1, head.0, buffer, look);
        if !side.1.is_empty() {
            let rule = Rect { x: side.0.x - 2, width: 1, ..side.0 };
            for row in rule.rows() {
                Span::styled(look.theme.glyphs.border.vertical_left, look.theme.faint).render(row, buffer);
            }
            put(&side.1, side.0, buffer, look);
        }
        let Input::Text { ask, .. } = &self.view.input else { return };
        editor.draw(*text, buffer, look.theme, ask);
        put(&self.counted(look), status.0, buffer, look);
    }

    fn cursor(&self) -> Option<Position> {
        match self.editor.as_ref().filter(|_| self.is_writing()) {
            Some(editor) => editor.cursor(self.laid.text),
            None => self.reader.cursor(),
        }
    }
}
