//! Jump anywhere: lessons, labs, drills, checks, puzzles, terms, simulators, over the screen.

use std::collections::BTreeMap;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::{Context, Page, popup};
use crate::app::action::Action;
use crate::app::effect::Effect;
use crate::app::event::Mouse;
use crate::app::key::{Code, Key};
use crate::app::keys::Scope;
use crate::app::library::Library;
use crate::app::place::Place;
use crate::sim::KINDS;
use crate::study::rank;
use crate::widget::{escape, scroll, wrap};

/// One place to jump to.
#[derive(Debug, Clone)]
struct Target {
    kind: &'static str,
    title: String,
    place: Place,
}

/// The list to jump anywhere.
#[derive(Debug)]
pub struct Palette {
    targets: Vec<Target>,
    typed: String,
    /// Indices into `targets`, best first.
    found: Vec<usize>,
    selected: usize,
    top: usize,
    area: Rect,
}

impl Palette {
    /// All places of all packs.
    pub fn new(library: &Library) -> Self {
        let targets = targets(library);
        let found = (0..targets.len()).collect();
        Self {
            targets,
            typed: String::new(),
            found,
            selected: 0,
            top: 0,
            area: Rect::ZERO,
        }
    }

    fn search(&mut self) {
        let mut ranked: Vec<(u32, usize)> = self
            .targets
            .iter()
            .enumerate()
            .filter_map(|(i, t)| rank::rank(&self.typed, &t.title).map(|score| (score, i)))
            .collect();
        ranked.sort_by_key(|(score, i)| (std::cmp::Reverse(*score), *i));
        self.found = ranked.into_iter().map(|(_, i)| i).collect();
        self.selected = 0;
    }

    fn list(&self) -> Rect {
        let inner = popup::inside(self.area);
        Rect {
            y: inner.y + inner.height.min(2),
            height: inner.height.saturating_sub(2),
            ..inner
        }
    }

    fn move_by(&mut self, by: isize) {
        let last = self.found.len().saturating_sub(1);
        self.selected = self.selected.saturating_add_signed(by).min(last);
    }

    fn open(&self) -> Vec<Effect> {
        match self.found.get(self.selected) {
            Some(i) => vec![Effect::Replace(self.targets[*i].place.clone())],
            None => vec![Effect::Back],
        }
    }
}

fn targets(library: &Library) -> Vec<Target> {
    let mut out = Vec::new();
    for (pack, p) in library.packs.iter().enumerate() {
        for l in &p.lessons {
            out.push(Target {
                kind: "lesson",
                title: l.title.clone(),
                place: Place::Lesson {
                    pack,
                    id: l.id.clone(),
                },
            });
            for b in &l.labs {
                out.push(Target {
                    kind: "lab",
                    title: b.title.clone(),
                    place: Place::Lab {
                        pack,
                        id: b.id.clone(),
                    },
                });
            }
        }
        for d in &p.drills {
            let place = Place::Drill {
                pack,
                id: d.id.clone(),
                only: None,
            };
            out.push(Target {
                kind: "drill",
                title: d.prompt.clone(),
                place,
            });
        }
        for z in &p.puzzles {
            let id = z.id.clone();
            out.push(Target {
                kind: "puzzle",
                title: z.title.clone(),
                place: Place::Puzzle { pack, id },
            });
        }
        for t in &p.terms {
            let place = Place::Term {
                pack,
                id: t.id.clone(),
            };
            let mut title = t.name.clone();
            if let Some(alias) = t.aliases.first() {
                title = format!("{title} ({alias})");
            }
            out.push(Target {
                kind: "term",
                title,
                place,
            });
        }
    }
    for kind in KINDS {
        out.push(Target {
            kind: "sim",
            title: format!("{} simulator", kind.title),
            place: Place::Sim {
                kind: kind.name.into(),
                set: BTreeMap::new(),
                link: None,
            },
        });
    }
    for (kind, title, place) in [
        ("go to", "Home", Place::Home),
        ("go to", "Rehearse an interview", Place::Rehearse),
        ("go to", "Review what is due", Place::Review { ahead: 0 }),
        (
            "go to",
            "Interview: its date, and the plan until then",
            Place::Plan,
        ),
        ("go to", "Progress", Place::Progress),
        ("go to", "Simulators", Place::Sims),
        ("go to", "Earlier answers", Place::History { drill: None }),
    ] {
        out.push(Target {
            kind,
            title: title.into(),
            place,
        });
    }
    out
}

impl Page for Palette {
    fn title(&self, _context: &Context) -> Vec<String> {
        vec!["Jump".into()]
    }

    fn scopes(&self) -> Vec<Scope> {
        vec![Scope::Palette]
    }

    fn arrange(&mut self, area: Rect, _context: &Context) {
        self.area = popup::area(area, 76, 20);
        let height = self.list().height.into();
        self.top = scroll::keep_in_view(
            self.top,
            self.selected..self.selected + 1,
            height,
            self.found.len(),
        );
    }

    fn act(&mut self, action: Action, _context: &Context) -> Vec<Effect> {
        let page = isize::try_from(self.list().height).unwrap_or(1);
        match action {
            Action::Back => return vec![Effect::Back],
            Action::Open => return self.open(),
            Action::Down => self.move_by(1),
            Action::Up => self.move_by(-1),
            Action::PageDown => self.move_by(page),
            Action::PageUp => self.move_by(-page),
            _ => {}
        }
        Vec::new()
    }

    fn typed(&mut self, key: Key, _context: &Context) -> Vec<Effect> {
        match (key.typed(), key.code) {
            (Some(c), _) => self.typed.push(c),
            (None, Code::Backspace) if self.typed.is_empty() => return vec![Effect::Back],
            (None, Code::Backspace) => {
                self.typed.pop();
            }
            _ => return Vec::new(),
        }
        self.search();
        Vec::new()
    }

    fn pasted(&mut self, text: &str, _context: &Context) -> Vec<Effect> {
        self.typed.extend(text.chars().filter(|c| !c.is_control()));
        self.search();
        Vec::new()
    }

    fn mouse(&mut self, kind: Mouse, at: Position, _context: &Context) -> Vec<Effect> {
        match kind {
            Mouse::ScrollDown => self.move_by(1),
            Mouse::ScrollUp => self.move_by(-1),
            Mouse::Click if !self.area.contains(at) => return vec![Effect::Back],
            Mouse::Click if self.list().contains(at) => {
                let row = self.top + usize::from(at.y - self.list().y);
                if row < self.found.len() {
                    self.selected = row;
                    return self.open();
                }
            }
            Mouse::Click => {}
        }
        Vec::new()
    }

    fn draw(&self, _area: Rect, buffer: &mut Buffer, context: &Context) {
        let theme = context.theme;
        popup::frame(self.area, "Jump to", buffer, theme);
        let inner = popup::inside(self.area);
        let typed = escape::line(&self.typed);
        let hint = if typed.is_empty() {
            "type a few letters of a lesson, lab, drill or term"
        } else {
            ""
        };
        Line::from(vec![
            Span::styled(format!(" {} ", theme.glyphs.pointer), theme.accent),
            Span::styled(typed.into_owned(), theme.text),
            Span::styled(hint, theme.dim),
        ])
        .render(
            Rect {
                height: inner.height.min(1),
                ..inner
            },
            buffer,
        );
        let list = self.list();
        if self.found.is_empty() {
            let text = "   Nothing of that name. Fewer letters find more.";
            Line::styled(text, theme.dim).render(
                Rect {
                    height: list.height.min(1),
                    ..list
                },
                buffer,
            );
        }
        for (at, y) in (self.top..self.found.len()).zip(list.top()..list.bottom()) {
            let target = &self.targets[self.found[at]];
            let title = wrap::cut(
                &escape::line(&target.title),
                usize::from(list.width).saturating_sub(11),
                theme.glyphs.continued,
            );
            let cells = Rect { y, height: 1, ..list };
            Line::from(vec![
                Span::styled(format!("   {:<7}", target.kind), theme.dim),
                Span::styled(title, theme.text),
            ])
            .render(cells, buffer);
            if at == self.selected {
                buffer.set_style(cells, theme.selection);
            }
        }
    }

    fn cursor(&self) -> Option<Position> {
        let inner = popup::inside(self.area);
        let typed = u16::try_from(wrap::width(&self.typed)).unwrap_or(0);
        Some(Position {
            x: (inner.x + 3 + typed).min(inner.right().saturating_sub(1)),
            y: inner.y,
        })
    }
}
