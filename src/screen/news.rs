//! What changed in the packs since they were seen last: new, reworded, changed, removed. Looking at
//! it is seeing it.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::reading::draw_scrollbar;
use super::{Context, Page, moving};
use crate::app::action::Action;
use crate::app::effect::Effect;
use crate::app::event::Mouse;
use crate::app::keys::Scope;
use crate::app::place::Place;
use crate::pack::Pack;
use crate::study::change::{self, Change, How, Kind};
use crate::widget::wrap::{self, Hanging, Styled};
use crate::widget::{escape, scroll};

/// The changes of all packs.
#[derive(Debug)]
pub struct News {
    all: Vec<change::News>,
    /// The changes in the order of the list: index of the pack's news, index of the change.
    list: Vec<(usize, usize)>,
    selected: usize,
    rows: Vec<Line<'static>>,
    /// The row of each change.
    places: Vec<usize>,
    top: usize,
    area: Rect,
}

impl News {
    /// The changes that are known; they count as seen.
    pub fn new(context: &Context) -> (Self, Vec<Effect>) {
        let all = context.memory.news().to_vec();
        let list = all.iter().enumerate();
        let list = list.flat_map(|(i, news)| (0..news.changes.len()).map(move |c| (i, c)));
        let seen = all.iter().map(|n| Effect::SeeNews(n.pack.clone())).collect();
        let screen = Self {
            list: list.collect(),
            all,
            selected: 0,
            rows: Vec::new(),
            places: Vec::new(),
            top: 0,
            area: Rect::ZERO,
        };
        (screen, seen)
    }

    fn change(&self, at: usize) -> Option<(&change::News, &Change)> {
        let (news, change) = *self.list.get(at)?;
        let news = self.all.get(news)?;
        Some((news, news.changes.get(change)?))
    }

    fn open(&self, context: &Context) -> Vec<Effect> {
        let Some((news, change)) = self.change(self.selected) else {
            return Vec::new();
        };
        if change.how == How::Removed {
            return vec![Effect::Say("it is no longer there; your answers to it are kept".into())];
        }
        let index = context.library.index(&news.pack);
        let place = index.and_then(|i| place(i, context.library.packs.get(i)?, change));
        place.map(Effect::Go).into_iter().collect()
    }

    /// Lays the list out: the rows, and the row of each change.
    fn lay_out(&self, width: u16, context: &Context) -> (Vec<Line<'static>>, Vec<usize>) {
        let theme = context.theme;
        let (mut rows, mut places) = (Vec::new(), Vec::new());
        for (at, (news, of)) in self.list.iter().enumerate() {
            let Some(news) = self.all.get(*news) else { continue };
            if *of == 0 {
                let head = format!("{}, {}", escape::line(&news.title), escape::line(&news.versions()));
                rows.extend(plain(&head, theme.heading, width));
            }
            places.push(rows.len());
            if let Some(change) = news.changes.get(*of) {
                rows.push(row(change, at == self.selected, width, context));
            }
            if *of + 1 == news.changes.len() {
                rows.push(Line::default());
            }
        }
        let say = match self.list.is_empty() {
            true => "Nothing changed since you last looked.",
            false => {
                "What you did is kept, marks too. Reworded says the same in other words; \
                      changed means that what decides marks is another. This list shows once."
            }
        };
        rows.extend(plain(say, theme.dim, width));
        (rows, places)
    }
}

/// Where a change leads.
fn place(index: usize, pack: &Pack, change: &Change) -> Option<Place> {
    let id = change.id.clone();
    Some(match change.kind {
        Kind::Lesson => Place::Lesson { pack: index, id },
        Kind::Lab => Place::Lab { pack: index, id },
        Kind::Drill => Place::Drill { pack: index, id, only: None },
        Kind::Check => Place::Checks { pack: index, lesson: pack.check(&id)?.lesson.clone(), only: Some(id) },
        Kind::Puzzle => Place::Puzzle { pack: index, id },
        Kind::Term => Place::Term { pack: index, id },
    })
}

fn row(change: &Change, selected: bool, width: u16, context: &Context) -> Line<'static> {
    let theme = context.theme;
    let pointer = if selected { theme.glyphs.pointer } else { " " };
    let style = match change.how {
        How::Added => theme.good,
        How::Changed => theme.partial,
        How::Removed => theme.missing,
        How::Reworded => theme.dim,
    };
    let line = Line::from(vec![
        Span::styled(format!("{pointer} "), theme.accent),
        Span::styled(format!("{:<10}", change.how), style),
        Span::styled(format!("{:<8}", change.kind), theme.dim),
        Span::styled(escape::line(&change.title).into_owned(), theme.text),
    ]);
    wrap::cut_line(&line, width.into(), theme.glyphs.continued)
}

impl Page for News {
    fn title(&self, _context: &Context) -> Vec<String> {
        vec!["What changed".into()]
    }

    fn scopes(&self) -> Vec<Scope> {
        let open = (!self.list.is_empty()).then_some(Scope::News);
        open.into_iter().chain([Scope::Moving, Scope::Everywhere]).collect()
    }

    fn arrange(&mut self, area: Rect, context: &Context) {
        self.area = Rect { x: area.x + area.width.min(1), width: area.width.saturating_sub(1), ..area };
        (self.rows, self.places) = self.lay_out(self.area.width.saturating_sub(2), context);
        let at = self.places.get(self.selected).copied().unwrap_or(0);
        // the heading above the first change comes along, and the words below the last
        let last = self.selected + 1 >= self.list.len();
        let end = if last { self.rows.len() } else { at + 1 };
        let height = usize::from(self.area.height);
        let target = at.saturating_sub(1)..end.min(at + height.max(1));
        self.top = scroll::keep_in_view(self.top, target, height, self.rows.len());
    }

    fn act(&mut self, action: Action, context: &Context) -> Vec<Effect> {
        match action {
            Action::Back => return vec![Effect::Back],
            Action::Open => return self.open(context),
            action => self.selected = moving::after(action, self.selected, self.list.len(), self.area.height),
        }
        Vec::new()
    }

    fn mouse(&mut self, kind: Mouse, at: Position, context: &Context) -> Vec<Effect> {
        match kind {
            Mouse::Click if self.area.contains(at) => {
                let row = self.top + usize::from(at.y - self.area.y);
                if let Some(hit) = self.places.iter().position(|p| *p == row) {
                    if self.selected == hit {
                        return self.open(context);
                    }
                    self.selected = hit;
                }
            }
            kind => self.selected = moving::after_wheel(kind, self.selected, self.list.len()),
        }
        Vec::new()
    }

    fn draw(&self, _area: Rect, buffer: &mut Buffer, context: &Context) {
        let selected = self.places.get(self.selected);
        let rows = self.rows.iter().enumerate().skip(self.top);
        for ((i, line), y) in rows.zip(self.area.top()..self.area.bottom()) {
            let cells = Rect { y, height: 1, width: self.area.width.saturating_sub(1), ..self.area };
            line.render(cells, buffer);
            if selected == Some(&i) {
                buffer.set_style(cells, context.theme.cursor_line);
            }
        }
        draw_scrollbar(self.area, (self.top, self.rows.len()), buffer, context);
    }
}

fn plain(text: &str, style: Style, width: u16) -> Vec<Line<'static>> {
    Styled::from_text(text, style).wrap(&Hanging::none(), width.into())
}
