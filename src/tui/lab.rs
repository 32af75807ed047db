//! A lab in the terminal: its text with the code beside it or behind a key; then one field for each
//! prediction, and the output to compare them with.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::face::{Face, Look};
use super::lesson::margin::Margin;
use super::lesson::{Laid, draw_rule, named};
use super::reader::Reader;
use super::reading::{Opened, Reading};
use super::starter::Starter;
use crate::pack::Lab;
use crate::page::action::Action;
use crate::page::key::{Code, Key};
use crate::page::keys::Scope;
use crate::page::lab::Predicted;
use crate::page::place::Place;
use crate::page::{self, Act, At, Effect, Next, Page};
use crate::services::Record;
use crate::services::record::Graded;
use crate::study::home::Position as Mark;
use crate::study::schedule::{self, Grade, ItemKind};
use crate::tui::event::Mouse;
use crate::widget::editor::Outcome;
use crate::widget::field::Field;
use crate::widget::wrap::{Hanging, Styled};

/// The characters of a prediction at most.
const LONGEST: usize = 2000;
/// Lines of questions longer than this are hard to read.
const MEASURE: u16 = 78;
/// Columns that the code needs beside the questions.
const CODE: u16 = 80;

/// A lab with its panes.
pub struct Bench {
    /// The page, and how it looks where it is neither read nor predicted.
    reader: Reader,
    pack: usize,
    place: (String, String),
    lab: Lab,
    /// The text as it was laid out for, and where it is.
    text: String,
    reading: Reading,
    starter: Starter,
    margin: Margin,
    in_code: bool,
    whole: bool,
    /// What is typed for each prediction, and the one that has the keys.
    fields: Vec<Field>,
    field: usize,
    /// Whether it was said that a prediction is empty.
    is_told: bool,
    /// The column and row of the caret among the questions.
    caret: (usize, usize),
    areas: Areas,
}

/// Where things stand.
#[derive(Debug, Default, Clone, Copy)]
struct Areas {
    all: Rect,
    bar: Rect,
    text: Rect,
    margin: Rect,
    code: Rect,
    room: bool,
}

impl Bench {
    /// The lab of a place, if it is one.
    pub fn open(place: &Place, at: &mut At) -> Option<Result<Self, String>> {
        let Place::Lab { pack, id } = place else { return None };
        let page = match page::open(place, at) {
            Ok(page) => page,
            Err(fault) => return Some(Err(fault)),
        };
        let of = at.services.pack(*pack)?;
        let (lesson, lab) = of.lab(id)?;
        let left = at.services.store.position(&of.id, &lesson.id, Some(id)).ok().flatten();
        let mut fields = Predicted::read(at.services, &of.id, id, lab.predictions.len()).said;
        fields.resize(lab.predictions.len(), String::new());
        let fields = fields.iter().map(|said| Field::with_text(said, LONGEST)).collect();
        let lab = named(of, lab);
        Some(Ok(Bench {
            reader: Reader::new(page),
            pack: *pack,
            place: (of.id.clone(), lesson.id.clone()),
            text: String::new(),
            reading: Reading::new("", left.as_ref().map_or(0, |p| p.scroll as usize)),
            starter: Starter::new(&lab, left.as_ref().map(|p| p.line as usize)),
            margin: Margin::of(at.services.pack(*pack)),
            // whatever was left, a lab is read first
            in_code: false,
            whole: false,
            fields,
            field: 0,
            is_told: false,
            caret: (0, 0),
            lab,
            areas: Areas::default(),
        }))
    }

    fn is(&self, scope: Scope) -> bool {
        self.page_ref().scopes().contains(&scope)
    }

    /// Whether its text and code are read.
    fn is_read(&self) -> bool {
        self.is(Scope::Lab)
    }

    /// Whether predictions are typed.
    fn is_predicted(&self) -> bool {
        self.is(Scope::Predict)
    }

    /// Gives the page all predictions; the last one starts the run. One that is empty is asked about once.
    fn run(&mut self, at: &mut At) -> Next {
        let is_empty = |field: &Field| field.text().trim().is_empty();
        let (empty, all) = (self.fields.iter().filter(|field| is_empty(field)).count(), self.fields.len());
        if empty > 0 && !std::mem::replace(&mut self.is_told, true) {
            self.field = self.fields.iter().position(is_empty).unwrap_or(0);
            let what = match empty {
                _ if empty == all => "you predicted nothing yet".to_owned(),
                1 => "one prediction is empty".to_owned(),
                _ => format!("{empty} of {all} predictions are empty"),
            };
            at.say(format!("{what}; a guess will do. ctrl+s again runs the starter and leaves them so"));
            return Next::Stay;
        }
        // a key that was pressed too late is no prediction
        let mut fields = self.fields.iter().enumerate();
        let slip = fields.find_map(|(nth, field)| Some((nth, Predicted::slip(field.text())?)));
        if let Some((nth, letter)) = slip.filter(|_| !std::mem::replace(&mut self.is_told, true)) {
            self.field = nth;
            at.say(format!(
                "prediction {} is only “{letter}”: was that a key? ctrl+s again runs the starter and keeps it",
                nth + 1
            ));
            return Next::Stay;
        }
        self.hand_over(at);
        self.page().act(Act::Do(Action::Submit), at)
    }

    /// Gives the page the predictions as they are typed, one a line.
    fn hand_over(&mut self, at: &mut At) {
        let typed = self.fields.iter().map(Field::text).collect::<Vec<_>>().join("\n");
        self.page().act(Act::Text(typed), at);
    }

    fn predicting(&mut self, action: Action, at: &mut At) -> Next {
        let last = self.fields.len().saturating_sub(1);
        match action {
            Action::Open if self.field == last => return self.run(at),
            Action::Open | Action::Down | Action::NextPane => self.field = (self.field + 1).min(last),
            Action::Up | Action::PrevPane => self.field = self.field.saturating_sub(1),
            Action::Submit => return self.run(at),
            action => {
                self.hand_over(at);
                return self.page().act(Act::Do(action), at);
            }
        }
        Next::Stay
    }

    fn read(&mut self, action: Action, at: &mut At) -> Next {
        let line = self.starter.line();
        if self.in_code && self.starter.act(action) {
            match action {
                Action::NextBlock if line == self.starter.line() => at.say("that was the last block"),
                Action::PrevBlock if line == self.starter.line() => at.say("this is the first block"),
                _ => {}
            }
            return Next::Stay;
        }
        if !self.in_code && self.reading.act(action) {
            return Next::Stay;
        }
        match action {
            Action::Digit(n) => self.grade(n, at),
            Action::NextPane => self.in_code = !self.in_code,
            Action::Widen => self.whole = !self.whole,
            Action::Open => return self.follow(at),
            action => return self.page().act(Act::Do(action), at),
        }
        Next::Stay
    }

    /// Opens the chosen link; without one, goes on by a page.
    fn follow(&mut self, at: &mut At) -> Next {
        match self.reading.open(self.pack) {
            Some(Opened::Place(place)) => return Next::Go(place),
            Some(Opened::Address(address)) => {
                at.say(format!("copied: {address}"));
                at.out.push(Effect::Copy(address));
            }
            None if self.reading.at_end() => at.say("that is the end of the text; r predicts and runs it"),
            None => drop(self.reading.act(Action::PageDown)),
        }
        Next::Stay
    }

    /// Keeps how well the note under the cursor was known, and goes to the next.
    fn grade(&mut self, number: u8, at: &mut At) {
        let (Some(id), Some(grade)) = (self.starter.recalled(), Grade::numbered(number)) else { return };
        self.starter.next_note();
        let item = schedule::Item { kind: ItemKind::Note, id };
        let (pack, lesson) = self.place.clone();
        let said = at.services.keep(Record::Grade(Graded { pack, lesson, item, grade }), at.now).said();
        at.say(said.unwrap_or_else(|| format!("{}; the note comes back in the review", grade.words())));
    }

    fn draw_head(&self, buffer: &mut Buffer, look: &Look) {
        let theme = look.theme;
        let Areas { bar, text, code, .. } = self.areas;
        let style = |has_keys: bool| if has_keys { theme.accent } else { theme.dim };
        if !text.is_empty() {
            let line = Line::from(vec![
                Span::styled(" Text", style(!self.in_code)),
                Span::styled(format!("   {}", self.reading.place()), theme.dim),
            ]);
            line.render(Rect { x: text.x, width: text.width, ..bar }, buffer);
        }
        if !code.is_empty() {
            let path = crate::doc::escape::line(self.starter.path()).into_owned();
            let mut line = Line::from(Span::styled(format!(" {path}"), style(self.in_code)));
            line.push_span(Span::styled(format!("   {}", self.starter.position()), theme.dim));
            if self.starter.hides_notes() {
                line.push_span(Span::styled("  notes hidden", theme.dim));
            }
            line.render(Rect { x: code.x, width: code.width, ..bar }, buffer);
        }
    }

    /// The questions with their fields, and the caret: its column and row.
    fn questions(&self, width: u16, look: &Look) -> (Vec<Line<'static>>, (usize, usize)) {
        let theme = look.theme;
        let mut rows = vec![Line::from(vec![
            Span::styled("Say it before you see it.", theme.strong),
            Span::styled("  Numbers are better than words.", theme.dim),
        ])];
        let mut caret = (0, 0);
        for (at, (asked, typed)) in self.lab.predictions.iter().zip(&self.fields).enumerate() {
            let here = at == self.field;
            rows.push(Line::default());
            let pointer = if here { theme.glyphs.pointer } else { " " };
            let lead =
                Span::styled(format!("{pointer} {}  ", at + 1), if here { theme.accent } else { theme.dim });
            let ask = crate::pack::prose::unmarked(asked.ask.trim());
            let ask = ask.split_whitespace().collect::<Vec<_>>().join(" ");
            let style = if here { theme.strong } else { theme.text };
            rows.extend(Styled::from_text(&ask, style).wrap(&Hanging::under(lead), width.into()));
            let lead = Span::styled(
                format!("     {} ", theme.glyphs.crumb),
                if here { theme.accent } else { theme.dim },
            );
            let indent = lead.width();
            let (texts, (row, column)) = typed.rows(usize::from(width).saturating_sub(indent));
            if here {
                caret = (indent + column, rows.len() + row);
            }
            for (nth, text) in texts.into_iter().enumerate() {
                let lead = if nth == 0 { lead.clone() } else { Span::raw(" ".repeat(indent)) };
                rows.push(Line::from(vec![lead, Span::styled(text, theme.text)]));
            }
        }
        (rows, caret)
    }

    /// Where the questions stand, and how many of their rows are above that.
    fn asked_area(&self, caret: usize) -> (Rect, usize) {
        let all = self.areas.all;
        let inner = Rect { x: all.x + 1, width: all.width.saturating_sub(2).min(MEASURE), ..all };
        (inner, (caret + 1).saturating_sub(inner.height.into()))
    }
}

impl Face for Bench {
    fn page(&mut self) -> &mut dyn Page {
        self.reader.page()
    }

    fn page_ref(&self) -> &dyn Page {
        self.reader.page_ref()
    }

    fn scopes(&self) -> Vec<Scope> {
        if self.is_predicted() {
            return vec![Scope::Predict, Scope::Typing];
        }
        if !self.is_read() {
            return self.reader.scopes();
        }
        let mut scopes = Vec::new();
        if self.in_code {
            scopes.push(Scope::CodePane);
            scopes.extend(self.starter.recalled().map(|_| Scope::ReviewGrade));
            scopes.push(if self.starter.hides_notes() { Scope::CodeHidden } else { Scope::CodeNotes });
            scopes.push(Scope::Code);
        }
        scopes.extend((!self.in_code && self.reading.cuts_figures()).then_some(Scope::Figures));
        scopes.extend((!self.in_code).then_some(Scope::LessonCode));
        scopes.extend(self.page_ref().scopes());
        scopes.extend((!self.in_code).then_some(Scope::Links));
        scopes.extend(self.areas.room.then_some(Scope::PanesBeside));
        scopes.extend([Scope::Moving, Scope::Everywhere]);
        scopes
    }

    fn facts(&self, width: u16, look: &Look) -> Line<'static> {
        self.reader.facts(width, look)
    }

    fn refresh(&mut self, at: &At) {
        self.reader.refresh(at);
        if let Some(text) = self.reader.view().text.as_ref().filter(|text| **text != self.text) {
            self.text.clone_from(text);
            self.reading = Reading::new(text, self.reading.block());
        }
    }

    fn is_stale(&self) -> bool {
        self.reader.is_stale()
    }

    fn arrange(&mut self, area: Rect, look: &Look) {
        let bar = Rect { height: 1.min(area.height), ..area };
        let body = Rect { y: area.y + bar.height, height: area.height - bar.height, ..area };
        self.areas = Areas { all: area, bar, ..Areas::default() };
        if self.is_predicted() {
            self.caret = self.questions(self.asked_area(0).0.width, look).1;
            // the code is at hand while it is predicted, where there is room beside the questions
            let x = body.x + MEASURE + 3;
            if body.right() >= x + CODE {
                self.areas.code = Rect { x, width: body.right() - x, ..body };
                self.starter.arrange(self.areas.code, look);
            }
            return;
        }
        if !self.is_read() {
            return self.reader.arrange(area, look);
        }
        let wants = self.reading.needs().max(self.reading.wants());
        let laid = Laid::new(body, wants, (true, self.in_code, self.whole));
        let Laid { text, margin, code, room, .. } = laid;
        self.areas = Areas { text, margin, code, room, ..self.areas };
        if self.areas.text.is_empty() {
            // behind the code it is laid out too, so that its place is kept
            self.reading.arrange(Laid::new(body, wants, (true, false, self.whole)).text, look);
        } else {
            self.reading.arrange(self.areas.text, look);
            self.margin.arrange(self.areas.margin.width, self.reading.rendered(), look);
            // without a definition the code takes the room of the margin, for its notes
            if self.margin.is_empty() && !self.areas.code.is_empty() {
                let x = self.areas.text.right() + 1;
                self.areas.code = Rect { x, width: body.right().saturating_sub(x), ..self.areas.code };
            }
        }
        if !self.areas.code.is_empty() {
            self.starter.arrange(self.areas.code, look);
        }
    }

    fn act(&mut self, action: Action, at: &mut At) -> Next {
        if action == Action::Back {
            if self.is_predicted() {
                self.hand_over(at);
            }
            return match self.page().act(Act::Do(Action::Back), at) {
                Next::Stay => Next::Back,
                next => next,
            };
        }
        match (self.is_read(), self.is_predicted()) {
            (true, _) => self.read(action, at),
            (_, true) => self.predicting(action, at),
            // what was judged is done: the next one is at hand
            _ if matches!(action, Action::Digit(_)) => {
                let next = self.reader.act(action, at);
                self.reader.refresh(at);
                self.reader.act(Action::Down, at);
                next
            }
            _ => self.reader.act(action, at),
        }
    }

    fn typed(&mut self, key: Key, at: &mut At) -> Next {
        if self.is_read() {
            return Next::Stay;
        }
        if !self.is_predicted() {
            return self.reader.typed(key, at);
        }
        let Some(field) = self.fields.get_mut(self.field) else { return Next::Stay };
        match key.code {
            Code::Enter => return self.predicting(Action::Open, at),
            Code::Down | Code::Tab => {
                let action = if key.shift { Action::Up } else { Action::Down };
                return self.predicting(action, at);
            }
            Code::Up => return self.predicting(Action::Up, at),
            _ => {
                self.is_told &= field.update(key) != Outcome::Changed;
            }
        }
        Next::Stay
    }

    fn pasted(&mut self, text: &str, at: &mut At) -> Next {
        if !self.is_predicted() {
            return self.reader.pasted(text, at);
        }
        if let Some(field) = self.fields.get_mut(self.field) {
            field.paste(text);
            self.is_told = false;
        }
        Next::Stay
    }

    fn mouse(&mut self, kind: Mouse, cell: Position, at: &mut At) -> Next {
        if !self.is_read() {
            return if self.is_predicted() { Next::Stay } else { self.reader.mouse(kind, cell, at) };
        }
        let on_code = self.areas.code.contains(cell);
        match kind {
            Mouse::Click if on_code => self.in_code |= self.starter.click(cell),
            Mouse::Click if !self.areas.text.is_empty() && self.reading.click(cell, self.pack).is_some() => {
                self.in_code = false;
                return self.follow(at);
            }
            Mouse::Click => {}
            Mouse::ScrollDown | Mouse::ScrollUp if on_code => {
                let action = if kind == Mouse::ScrollDown { Action::Down } else { Action::Up };
                for _ in 0..3 {
                    self.starter.act(action);
                }
            }
            Mouse::ScrollDown => self.reading.scroll(3),
            Mouse::ScrollUp => self.reading.scroll(-3),
        }
        Next::Stay
    }

    fn leave(&mut self, at: &mut At) {
        let small = |n: usize| u32::try_from(n).unwrap_or(0);
        let (pack, lesson) = self.place.clone();
        let mark = Mark {
            pack,
            lesson,
            lab: Some(self.lab.id.clone()),
            line: small(self.starter.line()),
            scroll: small(self.reading.block()),
            pane: if self.in_code { "code".into() } else { "text".into() },
            at: at.now,
        };
        let said = at.services.keep(Record::Position(mark), at.now).said();
        said.into_iter().for_each(|text| at.say(text));
        if self.is_predicted() {
            self.hand_over(at);
        }
        self.page().leave(at);
    }

    fn draw(&self, area: Rect, buffer: &mut Buffer, look: &Look) {
        if self.is_predicted() {
            let (rows, (_, row)) = self.questions(self.asked_area(0).0.width, look);
            let (inner, top) = self.asked_area(row);
            for (line, row) in rows.iter().skip(top).zip(inner.rows()) {
                line.render(row, buffer);
            }
            if !self.areas.code.is_empty() {
                self.draw_head(buffer, look);
                self.starter.draw(false, buffer, look);
                draw_rule(self.areas.code, buffer, look);
            }
            return;
        }
        if !self.is_read() {
            return self.reader.draw(area, buffer, look);
        }
        self.draw_head(buffer, look);
        if !self.areas.text.is_empty() {
            self.reading.draw(buffer, look);
            self.margin.draw(self.areas.margin, (self.reading.top(), self.reading.selected()), buffer, look);
        }
        if !self.areas.code.is_empty() {
            self.starter.draw(self.in_code, buffer, look);
            if self.areas.margin.width > 0 && !self.margin.is_empty() {
                draw_rule(self.areas.code, buffer, look);
            }
        }
    }

    fn cursor(&self) -> Option<Position> {
        if self.is_read() {
            return None;
        }
        if !self.is_predicted() {
            return self.reader.cursor();
        }
        let (column, row) = self.caret;
        let (inner, top) = self.asked_area(row);
        let x = inner.x.saturating_add(u16::try_from(column).ok()?);
        let y = inner.y.saturating_add(u16::try_from(row - top).ok()?);
        inner.contains(Position { x, y }).then_some(Position { x, y })
    }
}
