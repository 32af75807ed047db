//! Progress: the map of lessons and parts, recent answers, own ratings against the marks, the plan
//! until the interview.

use jiff::ToSpan;
use jiff::civil::Date;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::task::{self, today};
use super::{Context, Page};
use crate::app::effect::{Effect, Query, Reply};
use crate::app::event::Mouse;
use crate::app::memory::INTERVIEW;
use crate::pack::{Drill, Lesson};
use crate::page::action::Action;
use crate::page::key::{Code, Key};
use crate::page::keys::Scope;
use crate::page::place::Place;
use crate::study::attempt::Attempt;
use crate::widget::scroll;

mod draw;
mod plan;
mod ratings;

/// How many answers are listed.
const MOST: usize = 200;

/// The map of lessons and parts, and what belongs to it.
#[derive(Debug, Default)]
pub struct Progress {
    view: View,
    /// The rows of the map: pack index, and lesson index or none for the heads of the columns.
    rows: Vec<(usize, Option<usize>)>,
    /// The row and the part under the cursor.
    row: usize,
    part: usize,
    /// Whether the cursor was put on the weakest cell, which happens once.
    placed: bool,
    attempts: Option<Vec<Attempt>>,
    answer: usize,
    /// The date of the interview as it is kept.
    interview: Option<Date>,
    /// The date as it is being typed.
    typed: Option<String>,
    unread: Option<String>,
    plan_top: usize,
    map_top: usize,
    list_top: usize,
    areas: draw::Areas,
    /// The plan, laid out.
    plan: plan::Laid,
    /// The task of the plan under the cursor.
    task: usize,
    /// Whether the cursor is to go to what comes next today.
    to_next: bool,
    /// Whether to ask for the date at once where there is none.
    ask_date: bool,
    /// Own ratings against the marks, laid out.
    ratings: ratings::Laid,
    /// The rated answer under the cursor.
    rated: usize,
    ratings_top: usize,
}

/// What has the keys.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum View {
    #[default]
    Map,
    Answers,
    Ratings,
    Plan,
}

impl View {
    fn next(self) -> View {
        match self {
            View::Map => View::Answers,
            View::Answers => View::Ratings,
            View::Ratings => View::Plan,
            View::Plan => View::Map,
        }
    }
}

impl Progress {
    /// The plan until the interview; its date is asked for where there is none.
    pub fn at_plan() -> Self {
        Self { view: View::Plan, to_next: true, ask_date: true, ..Self::default() }
    }

    /// What to ask for when it is opened.
    pub fn ask() -> Vec<Effect> {
        vec![Effect::Recall(Query::Newest(MOST)), Effect::Recall(Query::Setting(INTERVIEW))]
    }

    fn answers(&self) -> &[Attempt] {
        self.attempts.as_deref().unwrap_or_default()
    }

    /// The answers that were rated before their marks, the newest first.
    fn rated(&self) -> impl Iterator<Item = &Attempt> {
        self.answers().iter().filter(|a| a.rated.is_some())
    }

    /// The row of the rated answer under the cursor.
    fn chosen_rating(&self) -> Option<usize> {
        self.rated().nth(self.rated)?;
        Some(self.ratings.first + self.rated)
    }

    /// Pack index and lesson index of the row under the cursor.
    fn lesson(&self) -> Option<(usize, usize)> {
        let (pack, lesson) = self.rows.get(self.row)?;
        Some((*pack, (*lesson)?))
    }

    /// The rows of the map for the packs at hand.
    fn list(&mut self, context: &Context) {
        let first = self.rows.is_empty();
        self.rows.clear();
        for (i, pack) in context.library.packs.iter().enumerate() {
            self.rows.push((i, None));
            self.rows.extend((0..pack.lessons.len()).map(|l| (i, Some(l))));
        }
        if first || self.row >= self.rows.len() {
            self.row = self.rows.iter().position(|(_, l)| l.is_some()).unwrap_or(0);
        }
    }

    /// Puts the cursor on the weakest cell of the first pack that has marks.
    fn place_cursor(&mut self, context: &Context) {
        let found = context.library.packs.iter().enumerate().find_map(|(i, pack)| {
            let cell = context.memory.home(i)?.strengths.weakest()?;
            let lesson = pack.lessons.iter().position(|l| l.id == cell.lesson)?;
            let part = pack.parts.iter().position(|p| p.id == cell.part)?;
            Some(((i, Some(lesson)), part))
        });
        if let Some((row, part)) = found {
            self.row = self.rows.iter().position(|r| *r == row).unwrap_or(self.row);
            self.part = part;
            self.placed = true;
        }
    }

    fn move_by(&mut self, by: isize) {
        match self.view {
            View::Map => {
                let last = self.rows.len().saturating_sub(1);
                self.row = self.row.saturating_add_signed(by).min(last);
            }
            View::Answers => {
                let last = self.answers().len().saturating_sub(1);
                self.answer = self.answer.saturating_add_signed(by).min(last);
            }
            View::Ratings => {
                let last = self.rated().count().saturating_sub(1);
                self.rated = self.rated.saturating_add_signed(by).min(last);
            }
            View::Plan if self.plan.tasks.is_empty() => {
                let height = self.areas.list.height.into();
                self.plan_top = scroll::moved(self.plan_top, by, height, self.plan.rows.len());
            }
            View::Plan => {
                let last = self.plan.tasks.len() - 1;
                self.task = self.task.saturating_add_signed(by).min(last);
            }
        }
    }

    fn move_part(&mut self, by: isize, context: &Context) {
        let parts = context.library.packs.get(self.pack()).map_or(0, |p| p.parts.len());
        self.part = self.part.saturating_add_signed(by).min(parts.saturating_sub(1));
    }

    /// The index of the pack under the cursor.
    fn pack(&self) -> usize {
        self.rows.get(self.row).map_or(0, |(pack, _)| *pack)
    }

    /// The lesson that is asked about: the one under the cursor, or, on the head of a part, the one in
    /// which the part is weakest, else the first that has a drill on it.
    fn asked<'a>(&self, context: &Context<'a>) -> Option<&'a Lesson> {
        let pack = context.library.packs.get(self.pack())?;
        if let Some((_, lesson)) = self.lesson() {
            return pack.lessons.get(lesson);
        }
        let part = &pack.parts.get(self.part)?.id;
        let has = |id: &str| pack.drills_of(id).any(|d| d.rubric.parts.contains(part));
        let known = context.memory.home(self.pack()).map(|h| &h.strengths);
        let weakest = known.and_then(|s| s.weakest_of(part, |c| has(&c.lesson)));
        match weakest {
            Some(cell) => pack.lesson(&cell.lesson),
            None => pack.lessons.iter().find(|l| has(&l.id)),
        }
    }

    /// A drill on just that part of that lesson: of those that ask for the part, the one that
    /// was answered longest ago, or never.
    fn drill(&self, context: &Context) -> Option<Effect> {
        let index = self.pack();
        let pack = context.library.packs.get(index)?;
        let lesson = self.asked(context)?;
        let part = pack.parts.get(self.part)?;
        let last = |d: &&Drill| {
            self.answers()
                .iter()
                .find(|a| a.pack == pack.id && a.drill == d.id && a.part.as_ref() == Some(&part.id))
                .map(|a| a.at)
        };
        let asks = |d: &&Drill| d.rubric.parts.contains(&part.id);
        let drill = pack.drills_of(&lesson.id).filter(asks).min_by_key(last);
        Some(match drill {
            Some(drill) => {
                Effect::Go(Place::Drill { pack: index, id: drill.id.clone(), only: Some(part.id.clone()) })
            }
            None => Effect::Say(format!("no drill of this lesson asks for {} yet", part.id)),
        })
    }

    fn open(&mut self, context: &Context) -> Vec<Effect> {
        match self.view {
            _ if self.typed.is_some() => self.set_date(context),
            View::Map => self.drill(context).into_iter().collect(),
            View::Answers | View::Ratings => {
                let attempt = self.chosen().cloned();
                attempt.map(|a| Effect::Go(Place::Verdict { attempt: Box::new(a) })).into_iter().collect()
            }
            View::Plan => {
                let task = self.plan.tasks.get(self.task);
                let place = task.and_then(|(_, place)| place.clone());
                place.map(Effect::Go).into_iter().collect()
            }
        }
    }

    /// The answer under the cursor.
    fn chosen(&self) -> Option<&Attempt> {
        match self.view {
            View::Ratings => self.rated().nth(self.rated),
            _ => self.answers().get(self.answer),
        }
    }

    fn again(&self, context: &Context) -> Vec<Effect> {
        let place = self.chosen().and_then(|a| {
            Some(Place::Drill { pack: context.library.index(&a.pack)?, id: a.drill.clone(), only: None })
        });
        place.map(Effect::Go).into_iter().collect()
    }

    /// Keeps the date that was typed: empty clears it, a number counts days from today.
    fn set_date(&mut self, context: &Context) -> Vec<Effect> {
        let text = self.typed.take().unwrap_or_default();
        let text = text.trim();
        let date = match (text, text.parse::<u16>()) {
            ("", _) => None,
            (_, Ok(days)) => today(context).checked_add(i64::from(days).days()).ok(),
            (_, Err(_)) => text.parse::<Date>().ok(),
        };
        if date.is_none() && !text.is_empty() {
            self.typed = Some(text.to_owned());
            self.unread = Some("that is no day; write a date like 2026-05-31".into());
            return Vec::new();
        }
        self.unread = None;
        self.interview = date;
        (self.plan_top, self.task) = (0, 0);
        if date.is_some() {
            self.view = View::Plan;
        }
        let kept = date.map(|d| d.to_string()).unwrap_or_default();
        vec![Effect::Set(INTERVIEW, kept)]
    }
}

impl Page for Progress {
    fn title(&self, context: &Context) -> Vec<String> {
        let interview = self.interview.map(|date| task::ahead(date, today(context)));
        ["Progress".to_owned()].into_iter().chain(interview).collect()
    }

    fn scopes(&self) -> Vec<Scope> {
        if self.typed.is_some() {
            return vec![Scope::InterviewDate, Scope::Typing];
        }
        let mut scopes = match self.view {
            View::Map => vec![Scope::ProgressMap],
            View::Answers => vec![Scope::History],
            View::Ratings if self.rated().next().is_none() => Vec::new(),
            View::Ratings => vec![Scope::History],
            View::Plan if self.plan.tasks.is_empty() => Vec::new(),
            View::Plan => vec![Scope::ProgressPlan],
        };
        scopes.extend([Scope::Progress, Scope::Moving, Scope::Everywhere]);
        scopes
    }

    fn arrange(&mut self, area: Rect, context: &Context) {
        self.list(context);
        if !self.placed {
            self.place_cursor(context);
        }
        self.areas = draw::areas(area, self.rows.len(), self.view);
        let map = usize::from(self.areas.map.height);
        self.map_top = scroll::keep_in_view(
            self.map_top,
            self.row.saturating_sub(1)..self.row + 1,
            map,
            self.rows.len(),
        );
        self.plan = plan::rows(self, self.areas.list.width.saturating_sub(1), context);
        if std::mem::take(&mut self.to_next) && self.task != self.plan.next {
            self.task = self.plan.next;
            self.plan = plan::rows(self, self.areas.list.width.saturating_sub(1), context);
        }
        let height = usize::from(self.areas.list.height);
        let rows = self.plan.rows.len();
        self.plan_top = match self.plan.tasks.get(self.task) {
            // the day above comes along, and behind the last task what is left out
            Some((row, _)) => {
                let end = if self.task + 1 == self.plan.tasks.len() { rows } else { row + 1 };
                let target = row.saturating_sub(1)..end.min(row + height.max(1));
                scroll::keep_in_view(self.plan_top, target, height, rows)
            }
            None => scroll::clamp(self.plan_top, height, rows),
        };
        self.ratings = ratings::rows(self, self.areas.list.width.saturating_sub(1), context);
        let total = self.ratings.rows.len();
        let row = self.ratings.first + self.rated;
        // with the first answer comes what is said of all of them
        let start = if self.rated == 0 { 0 } else { row };
        let target = start..(row + 1).min(total.max(1));
        self.ratings_top = scroll::keep_in_view(self.ratings_top, target, height, total);
        self.list_top =
            scroll::keep_in_view(self.list_top, self.answer..self.answer + 1, height, self.answers().len());
    }

    fn act(&mut self, action: Action, context: &Context) -> Vec<Effect> {
        let page = isize::try_from(self.areas.list.height).unwrap_or(1).max(1);
        match action {
            Action::Back if self.typed.is_some() => {
                self.typed = None;
                self.unread = None;
            }
            Action::Back => return vec![Effect::Back],
            Action::Open => return self.open(context),
            Action::Again => return self.again(context),
            Action::Reports => return vec![Effect::Go(Place::Reports)],
            Action::Edit => {
                self.typed = Some(self.interview.map(|d| d.to_string()).unwrap_or_default());
            }
            Action::NextPane => self.view = self.view.next(),
            Action::PrevPane => self.view = self.view.next().next(),
            Action::Right => self.move_part(1, context),
            Action::Left => self.move_part(-1, context),
            Action::Down => self.move_by(1),
            Action::Up => self.move_by(-1),
            Action::PageDown => self.move_by(page),
            Action::PageUp => self.move_by(-page),
            Action::Top => self.move_by(isize::MIN / 2),
            Action::Bottom => self.move_by(isize::MAX / 2),
            _ => {}
        }
        Vec::new()
    }

    fn typed(&mut self, key: Key, _context: &Context) -> Vec<Effect> {
        if let Some(text) = &mut self.typed {
            match (key.typed(), key.code) {
                (Some(c), _) if text.chars().count() < 20 => text.push(c),
                (None, Code::Delete) => text.clear(),
                (None, Code::Backspace) => {
                    text.pop();
                }
                _ => {}
            }
        }
        Vec::new()
    }

    fn mouse(&mut self, kind: Mouse, at: Position, context: &Context) -> Vec<Effect> {
        match kind {
            Mouse::ScrollDown => self.move_by(1),
            Mouse::ScrollUp => self.move_by(-1),
            Mouse::Click if self.areas.map.contains(at) => {
                let row = self.map_top + usize::from(at.y - self.areas.map.y);
                let Some((pack, _)) = self.rows.get(row).copied() else {
                    return Vec::new();
                };
                let parts = context.library.packs.get(pack).map_or(0, |p| p.parts.len());
                let part = draw::part_at(self.areas.map, at.x, parts).unwrap_or(self.part);
                let again = self.view == View::Map && (self.row, self.part) == (row, part);
                (self.view, self.row, self.part) = (View::Map, row, part);
                if again {
                    return self.open(context);
                }
            }
            Mouse::Click if self.areas.list.contains(at) && self.view == View::Plan => {
                let row = self.plan_top + usize::from(at.y - self.areas.list.y);
                if let Some(hit) = self.plan.tasks.iter().position(|(r, _)| *r == row) {
                    let again = self.task == hit;
                    self.task = hit;
                    if again {
                        return self.open(context);
                    }
                }
            }
            Mouse::Click if self.areas.list.contains(at) && self.view == View::Ratings => {
                let row = self.ratings_top + usize::from(at.y - self.areas.list.y);
                let hit = row.checked_sub(self.ratings.first);
                if let Some(hit) = hit.filter(|hit| *hit < self.rated().count()) {
                    let again = self.rated == hit;
                    self.rated = hit;
                    if again {
                        return self.open(context);
                    }
                }
            }
            Mouse::Click if self.areas.list.contains(at) => {
                let row = self.list_top + usize::from(at.y - self.areas.list.y);
                let again = self.view == View::Answers && self.answer == row;
                self.view = View::Answers;
                self.answer = row.min(self.answers().len().saturating_sub(1));
                if again {
                    return self.open(context);
                }
            }
            Mouse::Click => {}
        }
        Vec::new()
    }

    fn reply(&mut self, reply: &Reply, _context: &Context) -> Vec<Effect> {
        match reply {
            Reply::Attempts(Query::Newest(_), found) => self.attempts = Some(found.clone()),
            Reply::Setting(INTERVIEW, value) => {
                self.interview = value.as_ref().and_then(|v| v.parse().ok());
                if std::mem::take(&mut self.ask_date) && self.interview.is_none() {
                    self.typed = Some(String::new());
                }
            }
            // something may have been answered since
            Reply::Home(..) => {
                self.to_next = true;
                return vec![Effect::Recall(Query::Newest(MOST))];
            }
            _ => {}
        }
        Vec::new()
    }

    fn draw(&self, _area: Rect, buffer: &mut Buffer, context: &Context) {
        draw::draw(self, buffer, context);
    }

    fn cursor(&self) -> Option<Position> {
        let text = self.typed.as_ref()?;
        draw::caret(&self.areas, text)
    }
}
