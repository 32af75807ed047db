//! All keys that work on a screen, over the screen. Made from the key table.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::reading::draw_scrollbar;
use super::{Context, Page, moving, popup};
use crate::app::action::Action;
use crate::app::effect::Effect;
use crate::app::keys::{self, Scope};
use crate::widget::scroll;
use crate::widget::wrap::{Hanging, Styled};

/// The keys of some scopes.
#[derive(Debug)]
pub struct Help {
    keys: Vec<(String, &'static str)>,
    /// The keys as they stand in the box; a long text takes several rows.
    rows: Vec<Line<'static>>,
    top: usize,
    area: Rect,
}

impl Help {
    /// The keys that work in these scopes. A key that an earlier scope has taken is left out.
    pub fn new(scopes: &[Scope]) -> Self {
        let mut taken: Vec<&str> = Vec::new();
        let mut rows = Vec::new();
        for binding in keys::rows(scopes) {
            let free: Vec<&str> = binding.keys.iter().copied().filter(|k| !taken.contains(k)).collect();
            if !free.is_empty() {
                rows.push((free.join(", "), binding.help));
            }
            taken.extend(free);
        }
        Self { keys: rows, rows: Vec::new(), top: 0, area: Rect::ZERO }
    }

    fn height(&self) -> usize {
        popup::inside(self.area).height.into()
    }
}

impl Page for Help {
    fn title(&self, _context: &Context) -> Vec<String> {
        vec!["Keys".into()]
    }

    fn scopes(&self) -> Vec<Scope> {
        vec![Scope::Popup, Scope::Moving]
    }

    fn arrange(&mut self, area: Rect, context: &Context) {
        let width = popup::inside(popup::area(area, 74, 0)).width.saturating_sub(1);
        self.rows = laid(&self.keys, width, context);
        let height = u16::try_from(self.rows.len() + 2).unwrap_or(u16::MAX);
        self.area = popup::area(area, 74, height);
        self.top = scroll::clamp(self.top, self.height(), self.rows.len());
    }

    fn act(&mut self, action: Action, _context: &Context) -> Vec<Effect> {
        let by = match action {
            Action::Back | Action::Open => return vec![Effect::Back],
            action => moving::by(action, self.height()),
        };
        self.top = scroll::moved(self.top, by, self.height(), self.rows.len());
        Vec::new()
    }

    fn typed(&mut self, _key: crate::app::key::Key, _context: &Context) -> Vec<Effect> {
        vec![Effect::Back]
    }

    fn draw(&self, _area: Rect, buffer: &mut Buffer, context: &Context) {
        let theme = context.theme;
        popup::frame(self.area, "Keys of this screen", buffer, theme);
        let inner = popup::inside(self.area);
        for (line, y) in self.rows.iter().skip(self.top).zip(inner.top()..inner.bottom()) {
            line.render(Rect { y, height: 1, width: inner.width.saturating_sub(1), ..inner }, buffer);
        }
        draw_scrollbar(inner, (self.top, self.rows.len()), buffer, context);
    }
}

/// Each key with what it does behind it, in as many rows as that needs.
fn laid(keys: &[(String, &'static str)], width: u16, context: &Context) -> Vec<Line<'static>> {
    let theme = context.theme;
    let row = |(keys, help): &(String, &'static str)| {
        let first = Span::styled(format!(" {keys:<20} "), theme.accent);
        let hanging = Hanging { rest: vec![Span::raw(" ".repeat(first.width()))], first: vec![first] };
        Styled::from_text(help, theme.text).wrap(&hanging, width.into())
    };
    keys.iter().flat_map(row).collect()
}
