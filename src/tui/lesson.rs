//! A lesson in the terminal: the section with a margin of definitions, and the code of its lab beside it or
//! behind a key.

use std::collections::BTreeSet;
use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};

use super::face::{Face, Look};
use super::reading::{Opened, Reading};
use super::starter::{self, Starter};
use crate::pack::{Lab, Pack};
use crate::page::action::Action;
use crate::page::key::Key;
use crate::page::keys::Scope;
use crate::page::lesson::Lesson;
use crate::page::place::Place;
use crate::page::{Act, At, Effect, Next, Page};
use crate::services::Services;
use crate::study::explain;
use crate::study::schedule::Grade;
use crate::tui::event::Mouse;
use crate::widget::wrap;
use margin::Margin;

mod gone;
mod laid;
pub(super) mod margin;

pub(super) use laid::{Laid, draw_rule};

/// Below this width there is one pane.
const TWO: u16 = 100;
/// Columns of code, with numbers and marks.
const CODE: u16 = 82;
/// Columns of a margin: fewer are none.
const MARGIN: (u16, u16) = (24, 40);
/// Rows for the definition of the chosen word, where there is no margin.
const BELOW: u16 = 3;

/// A lesson with its panes.
pub struct Reader {
    page: Lesson,
    reading: Reading,
    starter: Option<Starter>,
    margin: Margin,
    /// Whether the code has the keys.
    in_code: bool,
    /// Whether the text has the whole width, though the code has room beside it.
    whole: bool,
    minutes: u32,
    /// The heading to go to once the text is laid out.
    at: Option<String>,
    /// The blocks of the text that were on the screen since it was opened.
    seen: BTreeSet<usize>,
    /// The section that was gone to, and the first row in view since: near the end several are in view at once.
    gone_to: Option<(usize, usize)>,
    /// The number of a section as far as it was typed.
    number: usize,
    /// Whether the chosen word was opened, so that its definition does not stand under the text too.
    is_opened: bool,
    /// Whether it was said at this end what comes next.
    is_told: bool,
    laid: Laid,
    /// The columns of the names above the text, each with the place of its section.
    names: Vec<(Range<u16>, usize)>,
}

impl Reader {
    /// The lesson of a place, if it is one.
    pub fn open(place: &Place, at: &At) -> Option<Result<Self, String>> {
        let (page, title) = match place {
            Place::Lesson { pack, id } => (Lesson::open(*pack, id, at), None),
            Place::Section { pack, id, title } => {
                (Lesson::open_at(*pack, id, title, at), Some(title.clone()))
            }
            _ => return None,
        };
        Some(page.map(|page| {
            let reader = Reader::of(page, at.services);
            Reader { in_code: reader.in_code && title.is_none(), at: title, ..reader }
        }))
    }

    fn of(page: Lesson, services: &Services) -> Self {
        let left = page.left();
        let lab = page.lab(services).zip(services.pack(page.pack()));
        let starter = lab.map(|(lab, pack)| Starter::new(&named(pack, lab), left.map(|p| p.line as usize)));
        Reader {
            // what was read to its end begins anew
            reading: Reading::new(
                page.text(),
                left.filter(|_| !page.is_done()).map_or(0, |p| p.scroll as usize),
            ),
            // whatever was left, a lesson is read first
            in_code: false,
            starter,
            margin: Margin::of(services.pack(page.pack())),
            whole: false,
            minutes: page.minutes(services),
            at: None,
            seen: BTreeSet::new(),
            gone_to: None,
            number: 0,
            is_opened: false,
            is_told: false,
            laid: Laid::default(),
            names: Vec::new(),
            page,
        }
    }

    /// Opens the chosen link; without one, goes one page on.
    fn enter(&mut self, at: &mut At) -> Next {
        if self.reading.selected().is_some() {
            return match self.reading.open(self.page.pack()) {
                Some(Opened::Place(place)) => {
                    self.is_opened = true;
                    Next::Go(place)
                }
                Some(Opened::Address(address)) => {
                    at.say(format!("copied: {address}"));
                    at.out.push(Effect::Copy(address));
                    Next::Stay
                }
                None => Next::Stay,
            };
        }
        if self.reading.at_end() {
            let told = self.is_told;
            self.go_past(at);
            let action = self.page.onward(at).0;
            return if told { self.page.act(Act::Do(action), at) } else { Next::Stay };
        }
        let heads: Vec<usize> = self.sections().map(|(row, _)| row).collect();
        self.look();
        self.reading.go_on(heads.into_iter());
        self.go_past(at);
        Next::Stay
    }

    /// The sections of the text, with their rows: its headings, but those that hold nothing of their own.
    fn sections(&self) -> impl Iterator<Item = (usize, &str)> {
        // the names of figures are no headings of this kind
        let all: Vec<_> =
            self.reading.rendered().headings.iter().filter(|h| (2..=3).contains(&h.level)).collect();
        let ends = all.iter().skip(1).map(|next| next.row).chain([usize::MAX]).collect::<Vec<_>>();
        let own = all.into_iter().zip(ends).filter(|(h, end)| *end > h.row + 2);
        own.map(|(h, _)| (h.row, h.text.as_str()))
    }

    /// The place of the section in view, and how many there are.
    fn section(&self) -> (usize, usize) {
        let (top, all) = (self.reading.top(), self.sections().count());
        let at = match self.gone_to {
            Some((at, row)) if row == top => at + 1,
            _ if self.reading.at_end() => all,
            _ => self.sections().filter(|(row, _)| *row <= top + 2).count(),
        };
        (at.saturating_sub(1), all)
    }

    /// Puts the section at this place at the top, as far as there is text below it.
    fn go_to(&mut self, section: usize, at: &mut At) {
        let Some((row, _)) = self.sections().nth(section) else { return };
        self.reading.go(row.saturating_sub(1));
        self.gone_to = Some((section, self.reading.top()));
        self.jump(at);
    }

    /// To the next section, or back to the start of this one, and from there to the one before.
    fn turn(&mut self, forward: bool, at: &mut At) {
        let (here, all) = self.section();
        let begins = self.sections().nth(here).is_some_and(|(row, _)| row > self.reading.top());
        match forward {
            true if here + 1 >= all => self.go_past(at),
            true => {
                self.look();
                let left = Some(here).filter(|here| self.is_whole(*here) && self.shows_end(*here));
                self.page.read_sections(left, at);
                self.go_to(here + 1, at);
            }
            false if begins && here == 0 => at.say("this is the first section"),
            false => self.go_to(if begins { here - 1 } else { here }, at),
        }
    }

    fn in_code(&mut self, action: Action, at: &mut At) -> bool {
        let Some(starter) = &mut self.starter else { return false };
        let line = starter.line();
        if !starter.act(action) {
            return false;
        }
        if line == starter.line() {
            match action {
                Action::NextBlock => at.say("that was the last block"),
                Action::PrevBlock => at.say("this is the first block"),
                _ => {}
            }
        }
        true
    }

    /// Keeps how well the note under the cursor was known, and goes to the next.
    fn grade(&mut self, number: u8, at: &mut At) {
        let Some(starter) = self.starter.as_mut().filter(|_| self.in_code) else { return };
        if let (Some(note), Some(grade)) = (starter.recalled(), Grade::numbered(number)) {
            starter.next_note();
            self.page.grade(note, grade, at);
        }
    }

    /// The names of the sections, as many as fit whole, from the one before that in view; and the columns of each.
    fn bar(&self, width: u16, look: &Look) -> (Line<'static>, Vec<(Range<u16>, usize)>) {
        let (theme, width) = (look.theme, usize::from(width));
        let (at, all) = self.section();
        let named: Vec<Line<'static>> = (self.sections().enumerate())
            .map(|(nth, (_, title))| {
                let (mark, style) = match nth == at {
                    true => (theme.glyphs.pointer, theme.strong),
                    false if self.page.is_read(nth) => (theme.glyphs.good, theme.dim),
                    false => (theme.glyphs.untouched, theme.dim),
                };
                Line::from(vec![
                    Span::styled(format!(" {mark} "), theme.dim),
                    Span::styled(title.to_owned(), style),
                ])
            })
            .collect();
        let head = Line::from(Span::styled(format!(" {}/{all}", at + 1), theme.dim));
        let more = |count: usize| match count {
            0 => String::new(),
            count => format!(" {} {count} more ", theme.glyphs.cut),
        };
        let widths: Vec<usize> = named.iter().map(Line::width).collect();
        let fits = |range: &Range<usize>| {
            let names = widths.get(range.clone()).map_or(0, |widths| widths.iter().sum::<usize>());
            let mores = wrap::width(&more(range.start)) + wrap::width(&more(all.saturating_sub(range.end)));
            head.width() + names + mores <= width
        };
        // the one in view is always there, and whole; of the others as many as fit beside it
        let shown = beside(at, all, fits);
        let is_told = fits(&shown);
        let mut line = head;
        let mut columns = Vec::new();
        if is_told {
            line.push_span(Span::styled(more(shown.start), theme.dim));
        }
        for (nth, name) in named.into_iter().enumerate().take(shown.end).skip(shown.start) {
            let start = line.width();
            line.spans.extend(name.spans);
            let column = |at: usize| u16::try_from(at.min(width)).unwrap_or(u16::MAX);
            columns.push((column(start)..column(line.width()), nth));
        }
        if is_told {
            line.push_span(Span::styled(more(all.saturating_sub(shown.end)), theme.dim));
        }
        (wrap::cut_line(&line, width, theme.glyphs.cut), columns)
    }

    /// The columns for the names of the sections.
    fn bar_width(&self) -> u16 {
        self.laid.bar.width.saturating_sub(self.laid.code.width)
    }

    fn draw_head(&self, buffer: &mut Buffer, look: &Look) {
        let theme = look.theme;
        let Laid { bar, text, code, .. } = self.laid;
        let mut line = match text.is_empty() {
            false => self.bar(self.bar_width(), look).0,
            true => Line::default(),
        };
        if let Some(starter) = self.starter.as_ref().filter(|_| !code.is_empty()) {
            let blank = usize::from(code.x - bar.x).saturating_sub(line.width());
            line.push_span(Span::raw(" ".repeat(blank)));
            let style = if self.in_code { theme.accent } else { theme.dim };
            line.push_span(Span::styled(format!(" {}", crate::doc::escape::line(starter.path())), style));
            line.push_span(Span::styled(format!("   {}", starter.position()), theme.dim));
            if starter.hides_notes() {
                line.push_span(Span::styled("   notes hidden", theme.dim));
            }
        }
        buffer.set_line(bar.x, bar.y, &line, bar.width);
    }
}

/// The range around one of so many that fits: with the one before it where there is room, then on to the end, then back.
fn beside(at: usize, all: usize, fits: impl Fn(&Range<usize>) -> bool) -> Range<usize> {
    let mut shown = at..(at + 1).min(all).max(at);
    let before = at.saturating_sub(1)..shown.end;
    if fits(&before) {
        shown = before;
    }
    while shown.end < all && fits(&(shown.start..shown.end + 1)) {
        shown.end += 1;
    }
    while shown.start > 0 && fits(&(shown.start - 1..shown.end)) {
        shown.start -= 1;
    }
    shown
}

/// A lab in whose notes links to terms show the names of the terms.
pub fn named(pack: &Pack, lab: &Lab) -> Lab {
    let mut lab = lab.clone();
    for note in lab.blocks.iter_mut().flat_map(|b| &mut b.notes) {
        note.text = pack.named(&note.text).into_owned();
    }
    lab
}

impl Face for Reader {
    fn page(&mut self) -> &mut dyn Page {
        &mut self.page
    }

    fn page_ref(&self) -> &dyn Page {
        &self.page
    }

    fn scopes(&self) -> Vec<Scope> {
        let mut scopes = Vec::new();
        if let Some(starter) = self.starter.as_ref().filter(|_| self.in_code) {
            // the way back is in view, however narrow it is
            scopes.push(Scope::CodePane);
            scopes.extend(starter.recalled().map(|_| Scope::ReviewGrade));
            scopes.push(if starter.hides_notes() { Scope::CodeHidden } else { Scope::CodeNotes });
            scopes.push(Scope::Code);
            scopes.extend(self.laid.room.then_some(Scope::PanesBeside));
        }
        let also = [
            (!self.in_code && self.reading.cuts_figures(), Scope::Figures),
            (!self.in_code && self.reading.selected().is_some(), Scope::LessonWord),
            (!self.in_code && self.reading.at_end() && self.reading.selected().is_none(), Scope::LessonEnd),
            (!self.in_code, Scope::Lesson),
            (!self.in_code, Scope::LessonText),
            (!self.in_code && self.starter.is_some(), Scope::LessonCode),
            (self.page.has().labs, Scope::LessonLab),
        ];
        scopes.extend(also.iter().filter(|(has, _)| *has).map(|(_, scope)| *scope));
        let own = self.page.scopes().into_iter().filter(|scope| *scope != Scope::Lesson || self.in_code);
        scopes.extend(own);
        scopes.extend((!self.in_code).then_some(Scope::Links));
        scopes.extend((self.laid.room && !self.in_code).then_some(Scope::PanesBeside));
        scopes.extend([Scope::Moving, Scope::Everywhere]);
        scopes
    }

    fn refresh(&mut self, _: &At) {}

    fn arrange(&mut self, area: Rect, look: &Look) {
        let bar = Rect { height: 1.min(area.height), ..area };
        let body = Rect { y: area.y + bar.height, height: area.height - bar.height, ..area };
        let wants = self.reading.needs().max(self.reading.wants());
        let keys = (self.starter.is_some(), self.in_code, self.whole);
        let mut laid = Laid { bar, ..Laid::new(body, wants, keys) };
        let has_word =
            laid.margin.width == 0 && self.reading.selected().is_some_and(|l| self.margin.knows(l));
        if has_word && !self.is_opened && !laid.text.is_empty() && laid.text.height > 2 * BELOW {
            laid.text.height -= BELOW;
            laid.below = Rect { y: laid.text.bottom(), height: BELOW, ..laid.text };
        }
        self.laid = laid;
        // behind the code it is laid out too: its sections and its place are told all the same
        let hidden = || Laid::new(body, wants, (keys.0, false, self.whole)).text;
        self.reading.arrange(if laid.text.is_empty() { hidden() } else { laid.text }, look);
        if let Some(title) = self.at.take() {
            let all = &self.reading.rendered().headings;
            let row = all.iter().find(|heading| explain::is_same(&heading.text, &title)).map(|h| h.row);
            row.into_iter().for_each(|row| self.reading.go(row.saturating_sub(1)));
        }
        if !laid.text.is_empty() {
            self.margin.arrange(laid.margin.width, self.reading.rendered(), look);
        }
        if let Some(starter) = self.starter.as_mut().filter(|_| !laid.code.is_empty()) {
            starter.arrange(laid.code, look);
        }
        self.names = if laid.text.is_empty() { Vec::new() } else { self.bar(self.bar_width(), look).1 };
    }

    /// The number of a section goes there; two digits do, one after the other, where there are so many.
    fn typed(&mut self, key: Key, at: &mut At) -> Next {
        let digit = key.typed().and_then(|c| c.to_digit(10)).filter(|_| !self.in_code);
        let Some(digit) = digit.map(|digit| digit as usize) else { return Next::Stay };
        let all = self.section().1;
        let joined = self.number * 10 + digit;
        self.number = if (1..=all).contains(&joined) { joined } else { digit };
        match self.number.checked_sub(1).filter(|section| *section < all) {
            Some(section) => self.go_to(section, at),
            None => at.say(format!("the sections have the numbers 1 to {all}")),
        }
        Next::Stay
    }

    fn act(&mut self, action: Action, at: &mut At) -> Next {
        (self.number, self.is_opened) = (0, false);
        if self.in_code && self.in_code(action, at) {
            return Next::Stay;
        }
        if !self.in_code && self.moved(action, at) {
            return Next::Stay;
        }
        match action {
            Action::Back => return Next::Back,
            Action::Digit(n) => self.grade(n, at),
            Action::NextPane => self.in_code = !self.in_code && self.starter.is_some(),
            Action::Widen => self.whole = !self.whole,
            Action::Open if self.in_code => return self.act(Action::NextBlock, at),
            Action::Open => return self.enter(at),
            Action::NextBlock => self.turn(true, at),
            Action::PrevBlock => self.turn(false, at),
            action => return self.page.act(Act::Do(action), at),
        }
        Next::Stay
    }

    fn mouse(&mut self, kind: Mouse, cell: Position, at: &mut At) -> Next {
        (self.number, self.is_opened) = (0, false);
        let on_code = self.laid.code.contains(cell);
        let is_named =
            |(columns, _): &&(Range<u16>, usize)| columns.contains(&cell.x.saturating_sub(self.laid.bar.x));
        let named = self.names.iter().find(is_named).map(|(_, section)| *section);
        if let Some(section) = named.filter(|_| kind == Mouse::Click && self.laid.bar.contains(cell)) {
            self.in_code = false;
            self.go_to(section, at);
            return Next::Stay;
        }
        match (kind, &mut self.starter) {
            (Mouse::Click, Some(starter)) if on_code => self.in_code |= starter.click(cell),
            (Mouse::Click, _) if !self.laid.text.is_empty() => {
                if self.reading.click(cell, self.page.pack()).is_some() {
                    self.in_code = false;
                    return self.enter(at);
                }
            }
            (Mouse::ScrollDown | Mouse::ScrollUp, Some(starter)) if on_code => {
                let action = if kind == Mouse::ScrollDown { Action::Down } else { Action::Up };
                for _ in 0..3 {
                    starter.act(action);
                }
            }
            (Mouse::Click, _) => {}
            (Mouse::ScrollDown, _) => {
                self.look();
                self.reading.scroll(3);
                self.go_past(at);
            }
            (Mouse::ScrollUp, _) => self.reading.scroll(-3),
        }
        Next::Stay
    }

    fn leave(&mut self, at: &mut At) {
        let pane = if self.in_code { "code" } else { "text" };
        let line = self.starter.as_ref().map_or(0, Starter::line);
        self.page.leave_at(self.reading.left_at(), line, pane, at);
    }

    fn facts(&self, width: u16, look: &Look) -> Line<'static> {
        if width < TWO {
            return Line::default();
        }
        let (at, all) = self.section();
        // as Home counts it
        let text = match self.page.left_to_read(self.minutes) {
            0 => format!("section {} of {all}, read", at + 1),
            left => format!("section {} of {all}, {left} of {} min left", at + 1, self.minutes),
        };
        Line::styled(text, look.theme.dim)
    }

    fn draw(&self, _: Rect, buffer: &mut Buffer, look: &Look) {
        let laid = self.laid;
        self.draw_head(buffer, look);
        if !laid.text.is_empty() {
            self.reading.draw(buffer, look);
            let chosen = self.reading.selected();
            self.margin.draw(laid.margin, (self.reading.top(), chosen), buffer, look);
            if let Some(link) = chosen.filter(|_| !laid.below.is_empty()) {
                self.margin.draw_below(link, laid.below, buffer, look);
            }
        }
        if let Some(starter) = self.starter.as_ref().filter(|_| !laid.code.is_empty()) {
            starter.draw(self.in_code, buffer, look);
            if laid.margin.width > 0 {
                draw_rule(laid.code, buffer, look);
            }
        }
    }
}
