//! The verdict: the person's own text with the words that earned something marked, and the
//! parts, the limiting one first.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Position, Rect};
use ratatui::text::Line;
use ratatui::widgets::Widget;

use super::reading::{Reading, draw_scrollbar};
use super::{Context, Page, moving};
use crate::app::effect::{Dispute, Effect, Query, Reply};
use crate::app::event::Mouse;
use crate::page::action::Action;
use crate::page::keys::Scope;
use crate::page::place::Place;
use crate::score::PartScore;
use crate::store::Target;
use crate::study::answer;
use crate::study::attempt::Attempt;
use crate::study::compare::is_before;
use crate::widget::scroll;

mod compare;
pub mod marks;

/// From this width on the answer stands beside the marks.
const WIDE: u16 = 100;

/// What the left pane shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shown {
    Answer,
    Model,
    Earlier,
}

/// A scored answer.
#[derive(Debug)]
pub struct Verdict {
    attempt: Attempt,
    /// The index of the pack, where it is loaded.
    pack: Option<usize>,
    /// Indices into the parts, the limiting one first.
    order: Vec<usize>,
    /// The selected part, an index into `order`.
    selected: usize,
    why: bool,
    shown: Shown,
    model: Reading,
    earlier: Vec<Attempt>,
    disputed: Vec<String>,
    /// The rows of the marks, and the row where the selected part begins.
    rows: Vec<Line<'static>>,
    part_row: usize,
    top: usize,
    text: Vec<Line<'static>>,
    text_top: usize,
    left: Rect,
    right: Rect,
}

impl Verdict {
    /// The verdict on an attempt.
    pub fn new(attempt: &Attempt, context: &Context) -> Self {
        let pack = context.library.index(&attempt.pack);
        let drill = pack.and_then(|p| context.library.drill(p, &attempt.drill));
        let model = drill.map_or_else(String::new, |d| format!("## Model answer\n\n{}", d.model));
        let model = match pack.and_then(|p| context.library.packs.get(p)) {
            Some(pack) => pack.named(&model).into_owned(),
            None => model,
        };
        let order = order(attempt);
        Self {
            attempt: attempt.clone(),
            pack,
            order,
            selected: 0,
            why: false,
            shown: Shown::Answer,
            model: Reading::new(&model, 0),
            earlier: Vec::new(),
            disputed: Vec::new(),
            rows: Vec::new(),
            part_row: 0,
            top: 0,
            text: Vec::new(),
            text_top: 0,
            left: Rect::ZERO,
            right: Rect::ZERO,
        }
    }

    fn part(&self) -> Option<&PartScore> {
        self.attempt.score.parts.get(*self.order.get(self.selected)?)
    }

    fn select(&mut self, by: usize) {
        if !self.order.is_empty() {
            self.selected = (self.selected + by) % self.order.len();
        }
        self.top = usize::MAX; // arranged to the part's row
    }

    fn toggle(&mut self, what: Shown) {
        self.shown = if self.shown == what { Shown::Answer } else { what };
        self.text_top = 0;
    }

    fn dispute(&mut self, context: &Context) -> Vec<Effect> {
        let Some(part) = self.part().map(|p| p.part.clone()) else {
            return Vec::new();
        };
        if self.disputed.contains(&part) {
            return vec![Effect::Say(format!("the mark for {part} is disputed already"))];
        }
        self.disputed.push(part.clone());
        let dispute = Dispute {
            attempt: self.attempt.id.clone(),
            target: Target::Part,
            about: part.clone(),
            note: String::new(),
            at: context.now,
        };
        let said = format!("your dispute of the mark for {part} is kept with the attempt");
        vec![Effect::Dispute(dispute), Effect::Say(said)]
    }

    fn again(&self, only: Option<String>) -> Vec<Effect> {
        match self.pack {
            Some(pack) => {
                vec![Effect::Replace(Place::Drill { pack, id: self.attempt.drill.clone(), only })]
            }
            None => vec![Effect::Say("the pack of this drill is not loaded; add it with --pack".into())],
        }
    }

    fn follow(&self, context: &Context) -> Vec<Effect> {
        let drill = self.pack.and_then(|p| context.library.drill(p, &self.attempt.drill));
        match drill.map(|d| answer::part_to_follow(d, &self.attempt)) {
            Some(Some(part)) => self.again(Some(part.to_owned())),
            Some(None) if self.attempt.answer.trim().is_empty() => vec![Effect::Say(
                "nothing was answered, so there is nothing to follow up; r answers it again".into(),
            )],
            Some(None) => vec![Effect::Say("the drill has no further question".into())],
            None => self.again(None),
        }
    }
}

/// The weakest part first, then the others in the order of the rubric.
fn order(attempt: &Attempt) -> Vec<usize> {
    let parts = &attempt.score.parts;
    let only = |i: &usize| attempt.part.as_ref().is_none_or(|p| parts[*i].part == *p);
    let limiting = attempt.score.limiting_part.as_ref();
    let mut order: Vec<usize> = (0..parts.len()).filter(only).collect();
    order.sort_by_key(|i| (Some(&parts[*i].part) != limiting, *i));
    order
}

impl Page for Verdict {
    fn title(&self, context: &Context) -> Vec<String> {
        let lesson = self.pack.and_then(|p| context.library.lesson(p, &self.attempt.lesson));
        lesson.map(|l| l.title.clone()).into_iter().chain(["verdict".into()]).collect()
    }

    fn scopes(&self) -> Vec<Scope> {
        vec![Scope::Verdict, Scope::Moving, Scope::Everywhere]
    }

    fn arrange(&mut self, area: Rect, context: &Context) {
        let inner = Rect { x: area.x + 1, width: area.width.saturating_sub(1), ..area };
        if area.width >= WIDE {
            let [left, right] =
                Layout::horizontal([Constraint::Fill(1), Constraint::Fill(1)]).spacing(2).areas(inner);
            (self.left, self.right) = (left, right);
        } else {
            (self.left, self.right) = (Rect::ZERO, inner);
        }
        let wide = !self.left.is_empty();
        let pane = if wide { self.left } else { self.right };
        self.model.arrange(pane, context);
        let width = pane.width.saturating_sub(2);
        self.text = match self.shown {
            Shown::Earlier => compare::rows(&self.attempt, &self.earlier, width, context),
            _ => marks::answer(&self.attempt, self.part().map(|p| p.part.as_str()), width, context),
        };
        let view = marks::View {
            attempt: &self.attempt,
            order: &self.order,
            selected: self.selected,
            why: self.why,
        };
        (self.rows, self.part_row) = marks::rows(&view, self.right.width.saturating_sub(2), context);
        if !wide && self.shown != Shown::Model {
            let mut all = std::mem::take(&mut self.rows);
            if self.shown == Shown::Earlier {
                all.clear();
            } else {
                all.push(Line::default());
            }
            all.append(&mut self.text);
            self.rows = all;
        }
        let height = usize::from(self.right.height);
        if self.top == usize::MAX {
            self.top = if self.selected == 0 { 0 } else { self.part_row };
        }
        self.top = scroll::clamp(self.top, height, self.rows.len());
        self.text_top = scroll::clamp(self.text_top, self.left.height.into(), self.text.len());
    }

    fn act(&mut self, action: Action, context: &Context) -> Vec<Effect> {
        let by = match action {
            Action::Back if self.why => {
                self.why = false;
                return Vec::new();
            }
            Action::Back => return vec![Effect::Back],
            Action::Why => {
                self.why = !self.why;
                return Vec::new();
            }
            Action::Model => {
                self.toggle(Shown::Model);
                return Vec::new();
            }
            Action::Earlier => {
                self.toggle(Shown::Earlier);
                let query = Query::Drill(self.attempt.pack.clone(), self.attempt.drill.clone());
                return vec![Effect::Recall(query)];
            }
            Action::Dispute => return self.dispute(context),
            Action::Follow => return self.follow(context),
            Action::Again => return self.again(self.attempt.part.clone()),
            Action::ReadSection => {
                let id = self.attempt.lesson.clone();
                return self.pack.map(|pack| Effect::Go(Place::Lesson { pack, id })).into_iter().collect();
            }
            Action::NextPane => {
                self.select(1);
                return Vec::new();
            }
            Action::PrevPane => {
                self.select(self.order.len().saturating_sub(1));
                return Vec::new();
            }
            action => moving::by(action, self.right.height.saturating_sub(2).into()),
        };
        if self.shown == Shown::Model {
            self.model.scroll(by);
        } else {
            self.top = scroll::moved(self.top, by, self.right.height.into(), self.rows.len());
            self.text_top = scroll::moved(self.text_top, by, self.left.height.into(), self.text.len());
        }
        Vec::new()
    }

    fn mouse(&mut self, kind: Mouse, _at: Position, context: &Context) -> Vec<Effect> {
        match kind {
            Mouse::ScrollDown => self.act(Action::Down, context),
            Mouse::ScrollUp => self.act(Action::Up, context),
            Mouse::Click => Vec::new(),
        }
    }

    fn reply(&mut self, reply: &Reply, _context: &Context) -> Vec<Effect> {
        if let Reply::Attempts(Query::Drill(_, drill), found) = reply
            && *drill == self.attempt.drill
        {
            self.earlier = found.iter().filter(|a| is_before(a, &self.attempt)).cloned().collect();
        }
        Vec::new()
    }

    fn draw(&self, _area: Rect, buffer: &mut Buffer, context: &Context) {
        let wide = !self.left.is_empty();
        if self.shown == Shown::Model {
            self.model.draw(buffer, context);
        } else if wide {
            draw_rows(&self.text, self.text_top, self.left, buffer, context);
        }
        if wide || self.shown != Shown::Model {
            draw_rows(&self.rows, self.top, self.right, buffer, context);
        }
    }
}

fn draw_rows(rows: &[Line<'static>], top: usize, area: Rect, buffer: &mut Buffer, context: &Context) {
    for (line, y) in rows.iter().skip(top).zip(area.top()..area.bottom()) {
        line.render(Rect { y, height: 1, width: area.width.saturating_sub(1), ..area }, buffer);
    }
    draw_scrollbar(area, (top, rows.len()), buffer, context);
}
