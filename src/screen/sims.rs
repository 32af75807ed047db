//! The list of simulators.

use std::collections::BTreeMap;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};

use super::{Context, Page};
use crate::app::action::Action;
use crate::app::effect::Effect;
use crate::app::event::Mouse;
use crate::app::keys::Scope;
use crate::app::place::Place;
use crate::sim::{KINDS, Kind};
use crate::widget::list::{self, Go, ListState};
use crate::widget::wrap::{Hanging, Styled};

/// Columns of the titles.
const TITLE: usize = 24;
/// Rows kept for what the selected one shows.
const ABOUT: u16 = 8;

/// The list.
#[derive(Debug, Default)]
pub struct Sims {
    state: ListState,
    items: Vec<Vec<Line<'static>>>,
    /// The list, and under it what the selected one shows.
    area: Rect,
    about: Rect,
}

impl Sims {
    fn heights(&self) -> Vec<usize> {
        self.items.iter().map(Vec::len).collect()
    }

    fn go(&mut self, to: Go) {
        let heights = self.heights();
        self.state.go(to, &heights, self.area.height.into());
    }

    fn open(&self) -> Vec<Effect> {
        let kind = KINDS.get(self.state.selected());
        let place = |kind: &Kind| Place::Sim {
            kind: kind.name.into(),
            set: BTreeMap::new(),
        };
        kind.map(|k| Effect::Go(place(k))).into_iter().collect()
    }
}

/// The title of a kind, and the beginning of what one sees in it.
fn item(kind: &Kind, context: &Context) -> Vec<Line<'static>> {
    let theme = context.theme;
    vec![Line::from(vec![
        Span::styled(format!("{:<TITLE$}", kind.title), theme.strong),
        Span::styled(kind.about, theme.dim),
    ])]
}

/// What one sees in a kind, its pictures, and where its values come from.
fn about(kind: &'static Kind, width: u16, context: &Context) -> Vec<Line<'static>> {
    let theme = context.theme;
    let say = |text: &str, style| Styled::from_text(text, style).wrap(&Hanging::none(), width.into());
    let mut lines = vec![Line::styled(kind.title, theme.heading)];
    lines.extend(say(kind.about, theme.text));
    let presets: Vec<&str> = kind.presets.iter().map(|p| p.name).collect();
    lines.extend(say(&format!("Presets: {}", presets.join("; ")), theme.dim));
    let name = format!("Command line: infralens sim {}", kind.name);
    lines.extend(say(&name, theme.dim));
    lines
}

impl Page for Sims {
    fn title(&self, _context: &Context) -> Vec<String> {
        vec!["Simulators".into()]
    }

    fn scopes(&self) -> Vec<Scope> {
        vec![Scope::Sims, Scope::Moving, Scope::Everywhere]
    }

    fn arrange(&mut self, area: Rect, context: &Context) {
        self.items = KINDS.iter().map(|k| item(k, context)).collect();
        let rows = u16::try_from(self.items.len()).unwrap_or(u16::MAX);
        let height = rows.min(area.height.saturating_sub(ABOUT));
        self.area = Rect { height, ..area };
        let top = (height + 1).min(area.height);
        self.about = Rect {
            x: area.x + 2.min(area.width),
            y: area.y + top,
            width: area.width.saturating_sub(4).min(100),
            height: area.height - top,
        };
        let selected = self.state.selected();
        self.go(Go::To(selected));
    }

    fn act(&mut self, action: Action, _context: &Context) -> Vec<Effect> {
        match action {
            Action::Back => return vec![Effect::Back],
            Action::Open => return self.open(),
            Action::Down => self.go(Go::Down),
            Action::Up => self.go(Go::Up),
            Action::PageDown => self.go(Go::PageDown),
            Action::PageUp => self.go(Go::PageUp),
            Action::Top => self.go(Go::First),
            Action::Bottom => self.go(Go::Last),
            _ => {}
        }
        Vec::new()
    }

    fn mouse(&mut self, kind: Mouse, at: Position, _context: &Context) -> Vec<Effect> {
        match kind {
            Mouse::ScrollDown => self.go(Go::Down),
            Mouse::ScrollUp => self.go(Go::Up),
            Mouse::Click if self.area.contains(at) => {
                let row = usize::from(at.y - self.area.y);
                let height = self.area.height.into();
                if let Some(item) = self.state.item_at(row, &self.heights(), height) {
                    if item == self.state.selected() {
                        return self.open();
                    }
                    self.state = ListState::at(item);
                }
            }
            Mouse::Click => {}
        }
        Vec::new()
    }

    fn draw(&self, _area: Rect, buffer: &mut Buffer, context: &Context) {
        list::draw(&self.items, &self.state, self.area, buffer, context.theme);
        if let Some(kind) = KINDS.get(self.state.selected()) {
            let lines = about(kind, self.about.width, context);
            let area = self.about.intersection(buffer.area);
            for (line, row) in lines.iter().zip(area.rows()) {
                buffer.set_line(row.x, row.y, line, row.width);
            }
        }
    }
}
