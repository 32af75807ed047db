//! The face of every page that needs no drawing of its own: panes of text with rows to choose from.
//!
//! Moving never asks the page; layouts are kept until the view or the size changes.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};

use super::face::{Face, Look};
use crate::doc::{Document, escape};
use crate::page::action::Action;
use crate::page::key::Key;
use crate::page::keys::{self, Scope};
use crate::page::target::{self, Opened};
use crate::page::view::{Input, Lead, Step, View};
use crate::page::{Act, At, ByNumber, Effect, Next, Page};
use crate::tui::event::Mouse;
use crate::widget::field::Field;
use crate::widget::popup;
use areas::{TALL, THREE, TWO, body_of};
pub use pane::{Chosen, Pane};

mod areas;
mod foot;
mod pane;

/// The characters that a line holds at most: a remark, a path.
const LONGEST: usize = 2000;
/// Columns that what is typed has at least beside what is asked.
const ROOM: u16 = 24;

/// The columns of a page over another.
const POPUP: u16 = 74;

/// A page with its panes.
pub struct Reader {
    page: Box<dyn Page>,
    view: View,
    /// The body, the side, and what stands beside the chosen row; those that there are.
    panes: Vec<Pane>,
    focus: usize,
    /// The row that the preview was made for.
    previewed: Option<usize>,
    /// What is typed, where a line can be.
    line: Option<Field>,
    /// What that means as it stands, in the page's words.
    meaning: Option<String>,
    /// What the page shows below that.
    under: Option<Pane>,
    area: Rect,
    title: String,
    /// Whether there is no room beside the body.
    narrow: bool,
    /// Whether the screen is so high and wide that there is room for more.
    tall: bool,
    /// What the page has for such a screen: what stands below the body, and instead of its side.
    at_length: Option<(Document, Document)>,
    /// What stands below the body on such a screen.
    below: Option<Pane>,
    /// Whether the page was asked for something since it was looked at.
    stale: bool,
    /// Whether a line was handed in that is typed anew where it comes back.
    replaces: bool,
}

impl Reader {
    /// A reader that has not looked at its page yet.
    pub fn new(page: Box<dyn Page>) -> Self {
        Reader {
            page,
            view: View::new(),
            panes: vec![Pane::default()],
            focus: 0,
            previewed: None,
            line: None,
            meaning: None,
            under: None,
            area: Rect::ZERO,
            title: String::new(),
            narrow: true,
            tall: false,
            at_length: None,
            below: None,
            stale: true,
            replaces: false,
        }
    }

    /// A reader that shows this view of its page until it may look for itself.
    pub fn showing(page: Box<dyn Page>, view: View) -> Self {
        let mut reader = Reader::new(page);
        reader.take(view);
        reader
    }

    /// Shows another view.
    fn take(&mut self, view: View) {
        let is_first = self.view == View::new() || view.turn != self.view.turn;
        let before = match self.panes[0].chosen() {
            Some(Chosen::Choice(row)) if row > 0 => self.view.lead(row).cloned().map(|lead| (row, lead)),
            _ => None,
        };
        self.panes
            .truncate(self.fixed().min(1 + usize::from(view.side.is_some() || self.tall_side().is_some())));
        self.panes[0].rests(view.unchosen);
        self.panes[0].show(body_of(&view, (self.narrow, self.tall)).clone());
        match is_first {
            true if view.unchosen => self.panes[0].choose_none(),
            true => self.panes[0].choose(view.first),
            false => {}
        }
        // rows come and go above it; what was chosen stays so, unless it was simply the first
        if let Some((row, lead @ Lead::To(_))) = before.filter(|_| !is_first) {
            let is_it = |row: &usize| view.lead(*row) == Some(&lead);
            let found = (row..view.choices_in_body()).find(is_it).or_else(|| (0..row).find(is_it));
            found.into_iter().for_each(|row| self.panes[0].choose(row));
        }
        // what was refused stays, to be mended
        if view.input != self.view.input || view.turn != self.view.turn {
            self.meaning = None;
            self.line = match &view.input {
                Input::Line { text, .. } => {
                    let mut line = Field::with_text(text, LONGEST);
                    if std::mem::take(&mut self.replaces) {
                        line.select_all();
                    }
                    Some(line)
                }
                _ => None,
            };
        }
        self.view = view;
        self.show_side();
        self.previewed = None;
    }

    /// Shows the side, or what stands for it where there is no room beside.
    fn show_side(&mut self) {
        let tall = self.tall_side();
        let foot = tall.or(self
            .view
            .foot
            .as_ref()
            .filter(|_| self.narrow || self.view.one_column && self.area.width < THREE));
        let Some(side) = foot.or(self.view.side.as_ref()).cloned() else { return };
        match self.panes.get_mut(1) {
            Some(pane) => pane.show(side),
            None => self.panes.push(Pane::of(side)),
        }
    }

    /// What a high screen shows instead of the side.
    fn tall_side(&self) -> Option<&Document> {
        let at_length = self.at_length.as_ref().filter(|_| self.tall);
        at_length.map(|(_, side)| side).filter(|side| !side.is_empty())
    }

    /// What the page showed last.
    pub fn view(&self) -> &View {
        &self.view
    }

    fn pane(&mut self) -> &mut Pane {
        let focus = self.focus.min(self.panes.len() - 1);
        &mut self.panes[focus]
    }

    /// The chosen row, by its number in the view.
    fn chosen_row(&self) -> Option<usize> {
        let pane = self.panes.get(self.focus)?;
        let by = if self.focus == 0 { 0 } else { self.view.choices_in_body() };
        match pane.chosen()? {
            Chosen::Choice(at) => Some(at + by),
            Chosen::Link(_) => None,
        }
    }

    /// Opens what is chosen; where nothing is, a page over another closes.
    fn open(&mut self, at: &mut At) -> Next {
        if let Some(Chosen::Link(link)) = self.panes[self.focus].chosen() {
            return match self.panes[self.focus].link(link).map(|l| target::opened(l.0, l.1, self.view.pack)) {
                Some(Opened::Place(place)) => Next::Go(place),
                Some(Opened::Address(address)) => {
                    at.out.push(Effect::Copy(address));
                    Next::Stay
                }
                None => Next::Stay,
            };
        }
        match self.chosen_row() {
            Some(row) => match self.view.lead(row).cloned() {
                Some(Lead::To(place)) => Next::Go(place),
                Some(Lead::Do(action)) => self.page().act(Act::Do(action), at),
                Some(Lead::Here) => self.page().act(Act::Open(row), at),
                None => Next::Stay,
            },
            None if self.page.is_popup() => Next::Back,
            None => self.page().act(Act::Do(Action::Open), at),
        }
    }

    fn preview(&mut self, at: &At) {
        let row = self.chosen_row();
        if row == self.previewed && self.panes.len() > self.fixed() {
            return;
        }
        self.look_beside(row, at);
    }

    /// Shows what stands beside a row; where that is the same as before, it stays as it was scrolled.
    fn look_beside(&mut self, row: Option<usize>, at: &At) {
        let fixed = self.fixed();
        let document = row.and_then(|row| self.page.preview(row, at));
        let is_same = row == self.previewed && self.panes.get(fixed).map(Pane::document) == document.as_ref();
        self.previewed = row;
        if is_same {
            return;
        }
        self.panes.truncate(fixed);
        self.panes.extend(document.map(Pane::of));
        self.focus = self.focus.min(self.panes.len() - 1);
    }

    /// The panes that do not depend on what is chosen.
    fn fixed(&self) -> usize {
        1 + usize::from(self.view.side.is_some() || self.tall_side().is_some())
    }

    /// Whether a pane can be moved in: the body, and what has choices, links or more than is seen.
    fn takes_keys(&self, pane: usize) -> bool {
        pane == 0 || self.panes[pane].takes_keys()
    }

    /// Gives the keys to the next pane that takes them, so many panes on each time.
    fn turn(&mut self, by: usize) {
        let count = self.panes.len();
        let ways = (1..=count).map(|step| (self.focus + step * by) % count);
        self.focus = ways.into_iter().find(|at| self.takes_keys(*at)).unwrap_or(0);
    }

    fn is_typing(&self) -> bool {
        self.line.is_some()
    }

    /// The row below the last one of the panes.
    fn end(&self) -> u16 {
        let end = |pane: &Pane| {
            let rows = u16::try_from(pane.rows()).unwrap_or(u16::MAX);
            pane.area().y.saturating_add(rows.min(pane.area().height))
        };
        self.panes.iter().map(end).max().unwrap_or(0)
    }
}

impl Face for Reader {
    fn page(&mut self) -> &mut dyn Page {
        self.stale = true;
        self.page.as_mut()
    }

    fn page_ref(&self) -> &dyn Page {
        self.page.as_ref()
    }

    fn scopes(&self) -> Vec<Scope> {
        let row = self.chosen_row();
        let mut scopes = row.map_or_else(|| self.page.scopes(), |row| self.page.scopes_on(row));
        if self.is_typing() {
            scopes.insert(0, Scope::Line);
            scopes.push(Scope::Typing);
            return scopes;
        }
        if self.page.is_popup() {
            let leads = self.panes.iter().any(|pane| pane.is_list() || pane.has_links());
            scopes.push(if leads { Scope::Popup } else { Scope::PopupText });
            scopes.extend(self.panes[0].is_longer().then_some(Scope::PopupMore));
        }
        if (0..self.panes.len()).filter(|at| self.takes_keys(*at)).count() > 1 {
            scopes.push(Scope::ReaderPanes);
        }
        if self.panes.iter().any(Pane::has_links) {
            scopes.push(Scope::Links);
        }
        scopes.push(Scope::Moving);
        if !self.page.is_popup() && !keys::stand_alone(&self.page.scopes()) {
            scopes.push(Scope::Everywhere);
        }
        scopes
    }

    fn refresh(&mut self, at: &At) {
        if !std::mem::take(&mut self.stale) {
            return self.preview(at);
        }
        let view = self.page.view(at);
        self.title = self.page.title(at.services).pop().unwrap_or_default();
        let at_length = if self.tall { self.page.tall(at) } else { None };
        let is_other = at_length != self.at_length;
        if is_other {
            self.below = at_length.as_ref().map(|(below, _)| Pane::of(below.clone()));
            self.at_length = at_length;
        }
        if view != self.view {
            self.take(view);
            self.look_under(at);
        } else if is_other {
            self.show_side();
        }
        self.focus = self.focus.min(self.panes.len() - 1);
        self.look_beside(self.chosen_row(), at);
    }

    fn is_stale(&self) -> bool {
        self.stale
    }

    fn facts(&self, width: u16, look: &Look) -> Line<'static> {
        let theme = look.theme;
        if !self.view.steps.is_empty() && width >= TWO {
            let spans = self.view.steps.iter().enumerate().flat_map(|(nth, (name, step))| {
                let (glyph, mark, style) = match step {
                    Step::Done => (theme.glyphs.good, theme.good, theme.dim),
                    Step::Now => (theme.glyphs.pointer, theme.accent, theme.strong),
                    Step::Ahead => (theme.glyphs.untouched, theme.dim, theme.dim),
                };
                let gap = if nth > 0 { "   " } else { "" };
                [Span::raw(gap), Span::styled(glyph, mark), Span::styled(format!(" {name}"), style)]
            });
            // apart from where one is
            return std::iter::once(Span::raw("  ")).chain(spans).collect();
        }
        let facts = if self.view.facts.is_empty() { &self.view.glance } else { &self.view.facts };
        Line::styled(escape::line(facts).into_owned(), look.theme.dim)
    }

    fn arrange(&mut self, area: Rect, look: &Look) {
        self.area = area;
        if self.page.is_popup() {
            let inner = popup::area(area, POPUP, area.height);
            self.panes[0].lay_out(popup::inside(inner).width, look);
            let rows = u16::try_from(self.panes[0].rows()).unwrap_or(u16::MAX);
            self.area = popup::area(area, POPUP, rows.saturating_add(2));
            self.panes[0].arrange(popup::inside(self.area), look);
            return;
        }
        let foot = u16::from(self.is_typing()).min(area.height);
        let body = Rect { height: area.height - foot, ..area };
        let is = (area.width < TWO, area.width >= THREE && area.height >= TALL);
        if (self.narrow, self.tall) != is {
            // what a high screen alone shows comes and goes
            self.stale |= is.1 != self.tall;
            (self.narrow, self.tall) = is;
            if self.view.loose.is_some() || self.view.narrow.is_some() {
                self.panes[0].show(body_of(&self.view, is).clone());
            }
            self.show_side();
        }
        self.arrange_panes(body, look);
        self.arrange_below(body.bottom(), look);
        self.arrange_under(area, look);
        // keys go where they do something
        if !self.panes[self.focus].takes_keys() && !self.is_typing() {
            self.focus = self.panes.iter().position(Pane::takes_keys).unwrap_or(0);
        }
    }

    /// A page that waits for no time is not asked: all that it shows would be made anew.
    fn tick(&mut self, at: &mut At) -> Next {
        match self.page.wake_at(at.now) {
            Some(_) => self.page().tick(at),
            None => Next::Stay,
        }
    }

    fn act(&mut self, action: Action, at: &mut At) -> Next {
        let panes = self.panes.len();
        match action {
            // what is typed or chosen within the page may be given up without leaving
            Action::Back => {
                return match self.page().act(Act::Do(Action::Back), at) {
                    Next::Stay => Next::Back,
                    next => next,
                };
            }
            Action::Submit if self.is_typing() => {
                let line = self.line.as_ref().map(|line| line.text().to_owned()).unwrap_or_default();
                let next = self.page().act(Act::Line(line), at);
                self.replaces = self.page.replaces();
                if let Some(line) = self.line.as_mut().filter(|_| self.page.replaces()) {
                    line.select_all();
                }
                return next;
            }
            Action::Open => return self.open(at),
            Action::NextPane if panes > 1 => self.turn(1),
            Action::PrevPane if panes > 1 => self.turn(panes - 1),
            action if self.pane().act(action) => self.preview(at),
            action => {
                let act = self.chosen_row().map_or(Act::Do(action), |row| Act::On(action, row));
                return self.page().act(act, at);
            }
        }
        Next::Stay
    }

    fn typed(&mut self, key: Key, at: &mut At) -> Next {
        if self.take_key(key, at) {
            return Next::Stay;
        }
        if let (Some(letter), Some(row)) = (key.typed(), self.chosen_row())
            && let Some(next) = self.page().typed(row, letter, at)
        {
            return next;
        }
        // a digit opens the row of that number, as in lines; not at Home, where no number is seen
        let is_numbered = !self.page.scopes().contains(&Scope::Home);
        let digit = key
            .typed()
            .filter(|_| is_numbered)
            .and_then(|c| c.to_digit(10))
            .and_then(|n| self.view.row_of(n as usize));
        if let Some(row) = digit.filter(|_| self.focus == 0).filter(|row| *row < self.panes[0].choices()) {
            self.panes[0].choose(row);
            return match self.page.by_number() {
                ByNumber::Opens => self.open(at),
                ByNumber::Chooses => Next::Stay,
                ByNumber::Asks(action) => self.page().act(Act::On(action, row), at),
            };
        }
        if self.page.is_popup() { Next::Back } else { Next::Stay }
    }

    fn pasted(&mut self, text: &str, at: &mut At) -> Next {
        self.take_paste(text, at);
        Next::Stay
    }

    fn mouse(&mut self, kind: Mouse, cell: Position, at: &mut At) -> Next {
        if matches!(kind, Mouse::Click) && self.page.is_popup() && !self.area.contains(cell) {
            return Next::Back;
        }
        let Some(hit) = self.panes.iter().position(|pane| pane.contains(cell)) else {
            return Next::Stay;
        };
        match kind {
            Mouse::ScrollDown => self.panes[hit].wheel(true),
            Mouse::ScrollUp => self.panes[hit].wheel(false),
            Mouse::Click => {
                self.focus = hit;
                if self.panes[hit].click(cell) {
                    return self.open(at);
                }
            }
        }
        self.preview(at);
        Next::Stay
    }

    fn draw(&self, area: Rect, buffer: &mut Buffer, look: &Look) {
        let theme = look.theme;
        if self.page.is_popup() {
            popup::frame(self.area, &self.title, buffer, theme);
        }
        // a rule before what stands beside another pane, as far down as something stands there; its scroll bar goes over
        // it. The first has none on its left
        let rule = theme.glyphs.border.vertical_left;
        let body = self.panes[0].area();
        let beside = self.panes.iter().skip(1).map(Pane::area);
        let beside = beside.filter(|pane| !pane.is_empty() && pane.x > body.x);
        let end = if self.tall { area.bottom() } else { self.end() };
        for x in beside.map(|pane| pane.x - 1) {
            (area.top()..end).for_each(|y| buffer.set_string(x, y, rule, theme.faint));
        }
        // and one over what stands below a pane that goes on
        for two in self.panes.windows(2) {
            let (above, below) = (two[0].area(), two[1].area());
            if two[0].is_longer() && !below.is_empty() && below.x == above.x && below.y == above.bottom() + 1
            {
                let rule = theme.glyphs.rule.repeat(usize::from(above.width.saturating_sub(2)));
                buffer.set_string(above.x + 1, above.bottom(), rule, theme.faint);
            }
        }
        for (at, pane) in self.panes.iter().enumerate() {
            pane.draw(at == self.focus, buffer, look);
        }
        self.below.iter().filter(|_| self.tall).for_each(|pane| pane.draw(false, buffer, look));
        self.draw_foot(area, buffer, look);
    }

    fn cursor(&self) -> Option<Position> {
        let (row, asked, line) = self.foot(self.area)?;
        let caret = line.caret((row.width - asked.width).into());
        Some(Position { x: (row.x + asked.width).saturating_add(caret), y: row.y })
    }
}

/// A document to read in a pane, apart from any page: for screens that draw the rest themselves.
pub fn pane(document: Document) -> Pane {
    Pane::of(document)
}
