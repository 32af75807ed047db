//! The report of a rehearsal: each answer with its marks, the parts over the run, pace, delivery,
//! what to read next.

use std::path::PathBuf;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::{Context, Page, moving};
use crate::app::effect::{Effect, Query, Reply};
use crate::app::event::Mouse;
use crate::page::action::Action;
use crate::page::keys::Scope;
use crate::page::place::Place;
use crate::study::rehearsal::Report as Kept;
use crate::widget::scroll;

mod rows;

use rows::{Row, Target};

/// From this width on parts, pace and delivery stand beside the answers.
const WIDE: u16 = 110;

/// A report.
#[derive(Debug)]
pub struct Report {
    id: String,
    report: Option<Box<Kept>>,
    /// Whether the store has answered that it has none.
    missing: bool,
    /// The files that it was written to.
    written: Vec<PathBuf>,
    /// What could not be kept.
    trouble: Option<String>,
    /// The selected target, by its place among the targets.
    selected: usize,
    rows: Vec<Row>,
    side: Vec<ratatui::text::Line<'static>>,
    top: usize,
    area: Rect,
    side_area: Rect,
}

impl Report {
    /// A report that is kept, and the question for it.
    pub fn new(id: &str) -> (Self, Vec<Effect>) {
        let ask = Effect::Recall(Query::Report(id.into()));
        (Self::of(id, None), vec![ask])
    }

    /// The report of a run that has just ended.
    pub fn ended(report: &Kept) -> Self {
        Self::of(&report.id, Some(Box::new(report.clone())))
    }

    fn of(id: &str, report: Option<Box<Kept>>) -> Self {
        Self {
            id: id.into(),
            report,
            missing: false,
            written: Vec::new(),
            trouble: None,
            selected: 0,
            rows: Vec::new(),
            side: Vec::new(),
            top: 0,
            area: Rect::ZERO,
            side_area: Rect::ZERO,
        }
    }

    fn targets(&self) -> impl Iterator<Item = (usize, &Target)> {
        let target = |(i, row): (usize, &'_ Row)| row.target.is_some().then_some(i);
        let at: Vec<usize> = self.rows.iter().enumerate().filter_map(target).collect();
        at.into_iter().filter_map(|i| Some((i, self.rows[i].target.as_ref()?)))
    }

    /// The row of the selected target.
    fn selected_row(&self) -> Option<usize> {
        self.targets().nth(self.selected).map(|(i, _)| i)
    }

    fn go(&self, target: &Target, context: &Context) -> Vec<Effect> {
        let Some(report) = &self.report else {
            return Vec::new();
        };
        let place = match target {
            Target::Answer(at) => report
                .answers
                .get(*at)
                .map(|answer| Place::Verdict { attempt: Box::new(answer.attempt(report)) }),
            Target::Lesson(id) => {
                let pack = context.library.index(&report.setup.pack);
                pack.map(|pack| Place::Lesson { pack, id: id.clone() })
            }
        };
        match place {
            Some(place) => vec![Effect::Go(place)],
            None => vec![Effect::Say("its course is not loaded; add it with --pack".into())],
        }
    }

    fn open(&self, context: &Context) -> Vec<Effect> {
        match self.targets().nth(self.selected) {
            Some((_, target)) => self.go(target, context),
            None => Vec::new(),
        }
    }

    fn read_next(&self, context: &Context) -> Vec<Effect> {
        let next = self.report.as_ref().and_then(|r| r.next.first());
        match next {
            Some(next) => self.go(&Target::Lesson(next.lesson.clone()), context),
            None => vec![Effect::Say("no lesson stands out; every answer was good".into())],
        }
    }

    fn move_by(&mut self, by: isize) {
        let last = self.targets().count().saturating_sub(1);
        let to = self.selected.saturating_add_signed(by);
        if by > 0 && self.selected == last {
            // behind the last target there may be more to read
            self.top = scroll::moved(self.top, by, self.area.height.into(), self.rows.len());
        } else if by < 0 && self.selected == 0 {
            self.top = scroll::moved(self.top, by, self.area.height.into(), self.rows.len());
        } else {
            self.selected = to.min(last);
            self.show_selected();
        }
    }

    fn show_selected(&mut self) {
        if let Some(row) = self.selected_row() {
            let target = row..row + 1;
            self.top = scroll::keep_in_view(self.top, target, self.area.height.into(), self.rows.len());
        }
    }
}

impl Page for Report {
    fn title(&self, context: &Context) -> Vec<String> {
        let when = self.report.as_ref().map(|r| {
            let at = r.ended.to_zoned(context.zone.clone());
            at.strftime("%Y-%m-%d %H:%M").to_string()
        });
        ["Rehearsal report".to_owned()].into_iter().chain(when).collect()
    }

    fn scopes(&self) -> Vec<Scope> {
        vec![Scope::Report, Scope::Moving, Scope::Everywhere]
    }

    fn arrange(&mut self, area: Rect, context: &Context) {
        let inner = Rect { x: area.x + area.width.min(1), width: area.width.saturating_sub(1), ..area };
        let wide = area.width >= WIDE;
        let side = if wide { inner.width * 2 / 5 } else { 0 };
        self.area = Rect { width: inner.width - side, ..inner };
        self.side_area = Rect { x: self.area.right() + 2, width: side.saturating_sub(2), ..inner };
        let notes =
            rows::Notes { missing: self.missing, written: &self.written, trouble: self.trouble.as_deref() };
        let width = self.area.width.saturating_sub(2);
        self.rows = rows::head(self.report.as_deref(), &notes, width, context);
        self.side.clear();
        if let Some(report) = &self.report {
            self.rows.extend(rows::answers(report, width, context));
            if wide {
                self.side = rows::side(report, self.side_area.width, context);
            } else {
                let rest = rows::side(report, width, context);
                self.rows.push(Row::from(ratatui::text::Line::default()));
                self.rows.extend(rest.into_iter().map(Row::from));
            }
            self.rows.extend(rows::next(report, width, context));
        }
        self.selected = self.selected.min(self.targets().count().saturating_sub(1));
        self.top = scroll::clamp(self.top, self.area.height.into(), self.rows.len());
    }

    fn act(&mut self, action: Action, context: &Context) -> Vec<Effect> {
        let by = match action {
            Action::Back => return vec![Effect::Back],
            Action::Open => return self.open(context),
            Action::ReadSection => return self.read_next(context),
            Action::Export => return self.report.clone().map(Effect::Export).into_iter().collect(),
            Action::Reports => return vec![Effect::Go(Place::Reports)],
            Action::Again => {
                let again = self
                    .report
                    .as_ref()
                    .map(|r| Place::RehearseWith { setup: Box::new(r.setup.clone()), start: false });
                return again.map(Effect::Go).into_iter().collect();
            }
            Action::Down => {
                self.move_by(1);
                return Vec::new();
            }
            Action::Up => {
                self.move_by(-1);
                return Vec::new();
            }
            action => moving::by(action, self.area.height.saturating_sub(2).into()),
        };
        self.top = scroll::moved(self.top, by, self.area.height.into(), self.rows.len());
        Vec::new()
    }

    fn mouse(&mut self, kind: Mouse, at: Position, context: &Context) -> Vec<Effect> {
        let by = match kind {
            Mouse::ScrollDown => 2,
            Mouse::ScrollUp => -2,
            Mouse::Click if self.area.contains(at) => {
                let row = self.top + usize::from(at.y - self.area.y);
                let Some(found) = self.targets().position(|(i, _)| i == row) else {
                    return Vec::new();
                };
                if found == self.selected {
                    return self.open(context);
                }
                self.selected = found;
                0
            }
            Mouse::Click => 0,
        };
        self.top = scroll::moved(self.top, by, self.area.height.into(), self.rows.len());
        Vec::new()
    }

    fn reply(&mut self, reply: &Reply, _context: &Context) -> Vec<Effect> {
        match reply {
            Reply::Report(id, found) if *id == self.id && self.report.is_none() => {
                self.report.clone_from(found);
                self.missing = found.is_none();
            }
            Reply::Written(files) => self.written.clone_from(files),
            Reply::Failed(text) => self.trouble = Some(text.clone()),
            _ => return Vec::new(),
        }
        self.top = 0;
        Vec::new()
    }

    fn draw(&self, _area: Rect, buffer: &mut Buffer, context: &Context) {
        rows::draw(self, buffer, context);
    }
}
