//! The packs that did not load, each with the report that `pack check` prints.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::Widget;

use super::reading::draw_scrollbar;
use super::{Context, Page, moving};
use crate::app::action::Action;
use crate::app::effect::Effect;
use crate::app::keys::Scope;
use crate::widget::wrap::{Hanging, Styled};
use crate::widget::{escape, scroll};

/// The report of the packs that did not load.
#[derive(Debug, Default)]
pub struct Problems {
    rows: Vec<Line<'static>>,
    top: usize,
    area: Rect,
}

impl Page for Problems {
    fn title(&self, _context: &Context) -> Vec<String> {
        vec!["Packs that did not load".into()]
    }

    fn scopes(&self) -> Vec<Scope> {
        vec![Scope::Problems, Scope::Moving, Scope::Everywhere]
    }

    fn arrange(&mut self, area: Rect, context: &Context) {
        let theme = context.theme;
        let width = usize::from(area.width.saturating_sub(3));
        self.area = area;
        self.rows.clear();
        for broken in &context.library.broken {
            let noun = if broken.problems == 1 { "problem" } else { "problems" };
            let head = format!("{}: {} {noun}", escape::line(&broken.path), broken.problems);
            self.rows.push(Line::styled(head, theme.heading));
            for line in &broken.report {
                let text = escape::line(line);
                self.rows.extend(Styled::from_text(&text, theme.text).wrap(&Hanging::none(), width));
            }
            self.rows.push(Line::default());
        }
        self.rows
            .push(Line::styled("Mend the files and start again. The rest of the program works.", theme.dim));
        self.top = scroll::clamp(self.top, area.height.into(), self.rows.len());
    }

    fn act(&mut self, action: Action, _context: &Context) -> Vec<Effect> {
        let by = match action {
            Action::Back => return vec![Effect::Back],
            action => moving::by(action, self.area.height.into()),
        };
        self.top = scroll::moved(self.top, by, self.area.height.into(), self.rows.len());
        Vec::new()
    }

    fn draw(&self, area: Rect, buffer: &mut Buffer, context: &Context) {
        let inner = Rect { x: area.x + 1, width: area.width.saturating_sub(3), ..area };
        for (line, y) in self.rows.iter().skip(self.top).zip(inner.top()..inner.bottom()) {
            line.clone().render(Rect { y, height: 1, ..inner }, buffer);
        }
        draw_scrollbar(area, (self.top, self.rows.len()), buffer, context);
    }
}
