//! The checks of a lesson, one after the other: choices, claims, orders, numbers.

use jiff::Timestamp;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::Line;
use ratatui::widgets::Widget;

use super::reading::draw_scrollbar;
use super::{Context, Page};
use crate::app::effect::Effect;
use crate::app::event::Mouse;
use crate::pack::{Check, CheckKind, Pack};
use crate::page::action::Action;
use crate::page::key::{Code, Key};
use crate::page::keys::Scope;
use crate::store::CheckAttempt;
use crate::study::check::{self, Answer, Asked, Form, Marked};
use crate::widget::scroll;

mod draw;

/// The checks of a lesson.
#[derive(Debug)]
pub struct Checks {
    pack_id: String,
    lesson: String,
    checks: Vec<Check>,
    at: usize,
    asked: Option<Asked>,
    /// When this check was asked.
    since: Timestamp,
    /// The option or step under the cursor.
    cursor: usize,
    /// The steps picked so far, by their place among those shown.
    picked: Vec<usize>,
    /// The number as it is typed.
    typed: String,
    hints: usize,
    /// What was wrong with the last entry, where it could not be read.
    unread: Option<String>,
    marked: Option<Marked>,
    right: usize,
    answered: usize,
    /// Whether it is a part of another screen, which goes on by itself.
    alone: bool,
    rows: Vec<Line<'static>>,
    /// The rows of the options, each with its place.
    spots: Vec<(usize, usize)>,
    caret: Option<(u16, u16)>,
    top: usize,
    area: Rect,
}

impl Checks {
    /// The checks of a lesson, or one of them. None where there is none to show here.
    pub fn new(pack: &Pack, lesson: &str, only: Option<&str>, context: &Context) -> Option<Self> {
        let checks: Vec<Check> = pack
            .checks_of(lesson)
            .filter(|c| !matches!(c.kind, CheckKind::Worksheet(_)))
            .filter(|c| only.is_none_or(|id| c.id == id))
            .map(|c| named(pack, c))
            .collect();
        if checks.is_empty() {
            return None;
        }
        let mut screen = Self {
            pack_id: pack.id.clone(),
            lesson: lesson.to_owned(),
            checks,
            at: 0,
            asked: None,
            since: context.now,
            cursor: 0,
            picked: Vec::new(),
            typed: String::new(),
            hints: 0,
            unread: None,
            marked: None,
            right: 0,
            answered: 0,
            alone: false,
            rows: Vec::new(),
            spots: Vec::new(),
            caret: None,
            top: 0,
            area: Rect::ZERO,
        };
        screen.ask(context);
        Some(screen)
    }

    /// One check, as a part of another screen. None where it is a worksheet.
    pub fn alone(pack: &Pack, check: &Check, context: &Context) -> Option<Self> {
        let one = Self::new(pack, &check.lesson, Some(&check.id), context)?;
        Some(Self { alone: true, ..one })
    }

    /// Whether the check at hand was answered.
    pub fn is_marked(&self) -> bool {
        self.marked.is_some()
    }

    /// Whether the check at hand cannot be asked, by a fault of its author.
    pub fn is_broken(&self) -> bool {
        self.asked.is_none()
    }

    fn check(&self) -> Option<&Check> {
        self.checks.get(self.at)
    }

    /// Asks the check at hand anew. The time is the seed, so that values are fresh each time.
    fn ask(&mut self, context: &Context) {
        let seed = u64::try_from(context.now.as_millisecond()).unwrap_or(0).wrapping_add(self.at as u64);
        let asked = self.check().map(|c| check::ask(c, seed));
        self.unread = match &asked {
            Some(Err(broken)) => Some(format!("this check cannot be asked: {}", broken.what)),
            _ => None,
        };
        self.asked = asked.and_then(Result::ok);
        self.since = context.now;
        (self.cursor, self.hints, self.top) = (0, 0, 0);
        self.picked.clear();
        self.typed.clear();
        self.marked = None;
    }

    fn go(&mut self, forward: bool, context: &Context) {
        let next = if forward { self.at + 1 } else { self.at.saturating_sub(1) };
        if next <= self.checks.len() {
            self.at = next;
            self.ask(context);
        }
    }

    /// How many options or steps there are to move among.
    fn options(&self) -> usize {
        match self.asked.as_ref().map(|a| &a.form) {
            Some(Form::Choice(shown) | Form::Order(shown)) => shown.len(),
            Some(Form::Claim) => 2,
            _ => 0,
        }
    }

    fn types_number(&self) -> bool {
        self.marked.is_none() && matches!(self.asked.as_ref().map(|a| &a.form), Some(Form::Number { .. }))
    }

    fn is_order(&self) -> bool {
        matches!(self.asked.as_ref().map(|a| &a.form), Some(Form::Order(_)))
    }

    /// What is answered as things stand; none while it is not complete.
    fn answer(&self) -> Option<Answer> {
        Some(match &self.asked.as_ref()?.form {
            Form::Choice(_) => Answer::Choice(self.cursor),
            Form::Claim => Answer::Claim(self.cursor == 0),
            Form::Order(shown) if self.picked.len() == shown.len() => Answer::Order(self.picked.clone()),
            Form::Number { .. } if !self.typed.trim().is_empty() => Answer::Number(self.typed.clone()),
            _ => return None,
        })
    }

    fn enter(&mut self, context: &Context) -> Vec<Effect> {
        if self.marked.is_some() || self.asked.is_none() {
            if self.alone {
                return Vec::new();
            }
            if self.at >= self.checks.len() {
                return vec![Effect::Back];
            }
            self.go(true, context);
            return Vec::new();
        }
        if let Some(Form::Order(shown)) = self.asked.as_ref().map(|a| &a.form)
            && self.answer().is_none()
        {
            let steps = match shown.len() - self.picked.len() {
                1 => "1 step is".to_owned(),
                left => format!("{left} steps are"),
            };
            let text = format!("{steps} still to pick: space picks the one under the cursor");
            return vec![Effect::Say(text)];
        }
        let (Some(answer), Some(asked), Some(of)) = (self.answer(), &self.asked, self.check()) else {
            return Vec::new();
        };
        match check::mark(of, asked, &answer) {
            Ok(marked) => {
                let attempt = self.attempt(&marked, context);
                self.right += usize::from(marked.right);
                self.answered += 1;
                self.unread = None;
                self.marked = Some(marked);
                self.top = 0;
                vec![Effect::RecordCheck(Box::new(attempt))]
            }
            Err(unread) => {
                self.unread = Some(format!("{}; {}", unread.what, unread.cure));
                Vec::new()
            }
        }
    }

    fn attempt(&self, marked: &Marked, context: &Context) -> CheckAttempt {
        let seconds = context.now.duration_since(self.since).as_secs().max(0);
        CheckAttempt {
            id: String::new(), // named by the store
            pack: self.pack_id.clone(),
            check: self.asked.as_ref().map(|a| a.check.clone()).unwrap_or_default(),
            lesson: self.lesson.clone(),
            at: context.now,
            right: marked.right,
            given: marked.given.clone(),
            hints: u32::try_from(self.hints).unwrap_or(u32::MAX),
            seed: self.asked.as_ref().map_or(0, |a| a.seed),
            seconds: u32::try_from(seconds).unwrap_or(u32::MAX),
        }
    }

    /// Picks the step under the cursor as the next one, or takes the pick back.
    fn pick(&mut self) {
        match self.picked.iter().position(|p| *p == self.cursor) {
            Some(at) => self.picked.truncate(at),
            None => self.picked.push(self.cursor),
        }
    }

    fn move_by(&mut self, by: isize) {
        if self.marked.is_some() || self.options() == 0 {
            self.top = scroll::moved(self.top, by, self.area.height.into(), self.rows.len());
        } else {
            self.cursor = self.cursor.saturating_add_signed(by).min(self.options() - 1);
        }
    }
}

/// A check in whose texts links to terms show the names of the terms.
fn named(pack: &Pack, check: &Check) -> Check {
    let name = |text: &mut String| *text = pack.named(text).into_owned();
    let mut check = check.clone();
    name(&mut check.question);
    name(&mut check.explain);
    check.hints.iter_mut().for_each(name);
    match &mut check.kind {
        CheckKind::Choice(options) => {
            for option in options {
                name(&mut option.text);
                option.why.iter_mut().for_each(name);
            }
        }
        CheckKind::Order(steps) => steps.iter_mut().for_each(name),
        CheckKind::Number(number) => number.slips.iter_mut().for_each(|(_, why)| name(why)),
        CheckKind::Claim(_) | CheckKind::Worksheet(_) => {}
    }
    check
}

impl Page for Checks {
    fn title(&self, context: &Context) -> Vec<String> {
        let lesson = context.library.find_lesson(&self.lesson).map(|(_, l)| l.title.clone());
        lesson.into_iter().chain(["checks".into()]).collect()
    }

    fn scopes(&self) -> Vec<Scope> {
        if self.types_number() {
            return vec![Scope::Checks, Scope::CheckNumber, Scope::Typing];
        }
        let mut scopes = Vec::new();
        scopes.extend((self.marked.is_none() && self.is_order()).then_some(Scope::CheckOrder));
        scopes.push(Scope::Checks);
        scopes.extend([Scope::Moving, Scope::Everywhere]);
        scopes
    }

    fn arrange(&mut self, area: Rect, context: &Context) {
        self.area = Rect { x: area.x + 1, width: area.width.saturating_sub(1), ..area };
        let laid = draw::rows(self, self.area.width.saturating_sub(2), context);
        (self.rows, self.spots, self.caret) = (laid.rows, laid.spots, laid.caret);
        let height = usize::from(self.area.height);
        if self.marked.is_none()
            && let Some((row, _)) = self.spots.iter().find(|(_, option)| *option == self.cursor)
        {
            self.top = scroll::keep_in_view(self.top, *row..row + 2, height, self.rows.len());
        }
        self.top = scroll::clamp(self.top, height, self.rows.len());
    }

    fn act(&mut self, action: Action, context: &Context) -> Vec<Effect> {
        match action {
            Action::Back => return vec![Effect::Back],
            Action::Open => return self.enter(context),
            Action::Hint => {
                let all = self.asked.as_ref().map_or(0, |a| a.hints.len());
                if self.hints < all && self.marked.is_none() {
                    self.hints += 1;
                } else {
                    return vec![Effect::Say("there is no further hint".into())];
                }
            }
            Action::Right => self.go(true, context),
            Action::Left => self.go(false, context),
            Action::Reveal => self.pick(),
            Action::Down => self.move_by(1),
            Action::Up => self.move_by(-1),
            Action::PageDown => self.move_by(10),
            Action::PageUp => self.move_by(-10),
            Action::Top => self.move_by(isize::MIN / 2),
            Action::Bottom => self.move_by(isize::MAX / 2),
            _ => {}
        }
        Vec::new()
    }

    fn typed(&mut self, key: Key, context: &Context) -> Vec<Effect> {
        if self.types_number() {
            match (key.typed(), key.code) {
                (Some(c), _) if self.typed.chars().count() < 40 => self.typed.push(c),
                (None, Code::Backspace) => {
                    self.typed.pop();
                }
                _ => {}
            }
            return Vec::new();
        }
        // a digit answers with an option at once; of an order, it picks the step
        if let Some(n) = key.typed().and_then(|c| c.to_digit(10))
            && self.marked.is_none()
            && (1..=self.options()).contains(&(n as usize))
        {
            self.cursor = n as usize - 1;
            if self.is_order() {
                self.pick();
                return Vec::new();
            }
            return self.enter(context);
        }
        Vec::new()
    }

    fn pasted(&mut self, text: &str, _context: &Context) -> Vec<Effect> {
        if self.types_number() {
            self.typed.extend(text.chars().filter(|c| !c.is_control()).take(40));
        }
        Vec::new()
    }

    fn mouse(&mut self, kind: Mouse, at: Position, context: &Context) -> Vec<Effect> {
        match kind {
            Mouse::ScrollDown => {
                self.top = scroll::moved(self.top, 2, self.area.height.into(), self.rows.len())
            }
            Mouse::ScrollUp => {
                self.top = scroll::moved(self.top, -2, self.area.height.into(), self.rows.len())
            }
            Mouse::Click if self.area.contains(at) && self.marked.is_none() => {
                let row = self.top + usize::from(at.y - self.area.y);
                let Some((_, option)) = self.spots.iter().rfind(|(r, _)| *r <= row) else {
                    return Vec::new();
                };
                let again = self.cursor == *option;
                self.cursor = *option;
                if again && self.is_order() {
                    self.pick();
                } else if again {
                    return self.enter(context);
                }
            }
            Mouse::Click => {}
        }
        Vec::new()
    }

    fn draw(&self, _area: Rect, buffer: &mut Buffer, context: &Context) {
        for (line, y) in self.rows.iter().skip(self.top).zip(self.area.top()..self.area.bottom()) {
            let cells = Rect { y, height: 1, width: self.area.width.saturating_sub(1), ..self.area };
            line.render(cells, buffer);
        }
        draw_scrollbar(self.area, (self.top, self.rows.len()), buffer, context);
    }

    fn cursor(&self) -> Option<Position> {
        let (column, row) = self.caret.filter(|_| self.types_number())?;
        let y = row.checked_sub(u16::try_from(self.top).ok()?)?;
        let at = Position { x: self.area.x + column, y: self.area.y + y };
        self.area.contains(at).then_some(at)
    }
}
