//! Jump anywhere: lessons, labs, drills, checks, puzzles, terms, simulators, over the screen.

use std::collections::BTreeMap;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::{Context, Page, popup};
use crate::app::effect::Effect;
use crate::app::event::Mouse;
use crate::page::action::Action;
use crate::page::key::{Code, Key};
use crate::page::keys::Scope;
use crate::page::place::Place;
use crate::services::library::Library;
use crate::sim::KINDS;
use crate::study::rank;
use crate::widget::{escape, scroll, wrap};

/// One place to jump to.
#[derive(Debug, Clone)]
struct Target {
    kind: Kind,
    title: String,
    /// Other words that find it: the aliases of a term, the terms of a lesson.
    also: String,
    place: Place,
}

/// What a place is. What teaches comes before what asks, where both fit alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Lesson,
    Term,
    Lab,
    Page,
    Simulator,
    Drill,
    Puzzle,
}

impl Kind {
    fn word(self) -> &'static str {
        match self {
            Kind::Lesson => "lesson",
            Kind::Term => "term",
            Kind::Lab => "lab",
            Kind::Page => "go to",
            Kind::Simulator => "sim",
            Kind::Drill => "drill",
            Kind::Puzzle => "puzzle",
        }
    }
}

/// What a place found by its other words is worth, beside one found by its title.
const ALSO: u32 = 30;

/// The list to jump anywhere.
#[derive(Debug)]
pub struct Palette {
    targets: Vec<Target>,
    /// Whether it lists terms alone.
    glossary: bool,
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
        Self::of(targets(library), false)
    }

    /// The terms of all packs, by name.
    pub fn glossary(library: &Library) -> Self {
        let mut terms = targets(library);
        terms.retain(|t| t.kind == Kind::Term);
        terms.sort_by_key(|t| t.title.to_lowercase());
        Self::of(terms, true)
    }

    fn of(targets: Vec<Target>, glossary: bool) -> Self {
        Self {
            found: (0..targets.len()).collect(),
            targets,
            glossary,
            typed: String::new(),
            selected: 0,
            top: 0,
            area: Rect::ZERO,
        }
    }

    fn search(&mut self) {
        let mut ranked: Vec<(u32, usize)> =
            self.targets.iter().enumerate().filter_map(|(i, t)| Some((self.rank(t)?, i))).collect();
        let scattered = |i: usize| {
            let t = &self.targets[i];
            !rank::has_words(&self.typed, &t.title) && !rank::has_words(&self.typed, &t.also)
        };
        if ranked.iter().any(|(_, i)| !scattered(*i)) {
            ranked.retain(|(_, i)| !scattered(*i));
        }
        ranked.sort_by_key(|(score, i)| (std::cmp::Reverse(*score), self.targets[*i].kind, *i));
        self.found = ranked.into_iter().map(|(_, i)| i).collect();
        self.selected = 0;
    }

    /// How well a place fits what is typed; none where it does not.
    fn rank(&self, target: &Target) -> Option<u32> {
        let by_title = rank::rank(&self.typed, &target.title);
        let also = || rank::has_words(&self.typed, &target.also).then_some(ALSO);
        match by_title {
            Some(score) if rank::has_words(&self.typed, &target.title) => Some(score),
            _ => also().or(by_title),
        }
    }

    fn list(&self) -> Rect {
        let inner = popup::inside(self.area);
        Rect { y: inner.y + inner.height.min(2), height: inner.height.saturating_sub(2), ..inner }
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
            let terms = l.section.terms.iter().filter_map(|id| p.term(id));
            let terms: Vec<&str> = terms.map(|t| t.name.as_str()).collect();
            let id = l.id.clone();
            let lesson = target(Kind::Lesson, &l.title, Place::Lesson { pack, id });
            out.push(Target { also: terms.join("\n"), ..lesson });
            for b in &l.labs {
                let id = b.id.clone();
                out.push(target(Kind::Lab, &b.title, Place::Lab { pack, id }));
            }
        }
        for d in &p.drills {
            let (id, only) = (d.id.clone(), None);
            out.push(target(Kind::Drill, &d.prompt, Place::Drill { pack, id, only }));
        }
        for z in &p.puzzles {
            let id = z.id.clone();
            out.push(target(Kind::Puzzle, &z.title, Place::Puzzle { pack, id }));
        }
        for t in &p.terms {
            let title = match t.aliases.first() {
                Some(alias) => format!("{} ({alias})", t.name),
                None => t.name.clone(),
            };
            let id = t.id.clone();
            out.push(Target {
                also: t.aliases.join("\n"),
                ..target(Kind::Term, &title, Place::Term { pack, id })
            });
        }
    }
    for kind in KINDS {
        let place = Place::Sim { kind: kind.name.into(), set: BTreeMap::new(), link: None };
        out.push(target(Kind::Simulator, &format!("{} simulator", kind.title), place));
    }
    out.extend(pages().map(|(title, place)| target(Kind::Page, title, place)));
    out
}

fn target(kind: Kind, title: &str, place: Place) -> Target {
    Target { kind, title: title.into(), also: String::new(), place }
}

fn pages() -> impl Iterator<Item = (&'static str, Place)> {
    [
        ("Home", Place::Home),
        ("Glossary: all terms", Place::Glossary { pack: 0, lesson: None }),
        ("Rehearse an interview", Place::Rehearse),
        ("Review what is due", Place::Review { ahead: 0 }),
        ("Interview: its date, and the plan until then", Place::Plan),
        ("Progress", Place::Progress),
        ("Simulators", Place::Sims),
        ("Earlier answers", Place::History { drill: None }),
    ]
    .into_iter()
}

impl Page for Palette {
    fn title(&self, _context: &Context) -> Vec<String> {
        vec![if self.glossary { "Glossary" } else { "Jump" }.into()]
    }

    fn scopes(&self) -> Vec<Scope> {
        vec![Scope::Palette]
    }

    fn arrange(&mut self, area: Rect, _context: &Context) {
        self.area = popup::area(area, 76, 20);
        let height = self.list().height.into();
        self.top = scroll::keep_in_view(self.top, self.selected..self.selected + 1, height, self.found.len());
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
        let title = if self.glossary { "Glossary" } else { "Jump to" };
        popup::frame(self.area, title, buffer, theme);
        let inner = popup::inside(self.area);
        let typed = escape::line(&self.typed);
        let hint = match (typed.is_empty(), self.glossary) {
            (true, true) => "type a few letters of a term",
            (true, false) => "type a few letters of a lesson, lab, drill or term",
            _ => "",
        };
        Line::from(vec![
            Span::styled(format!(" {} ", theme.glyphs.pointer), theme.accent),
            Span::styled(typed.into_owned(), theme.text),
            Span::styled(hint, theme.dim),
        ])
        .render(Rect { height: inner.height.min(1), ..inner }, buffer);
        let list = self.list();
        if self.found.is_empty() {
            let text = "   Nothing of that name. `infralens search WORDS` looks into the texts.";
            Line::styled(text, theme.dim).render(Rect { height: list.height.min(1), ..list }, buffer);
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
                Span::styled(format!("   {:<7}", target.kind.word()), theme.dim),
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
        Some(Position { x: (inner.x + 3 + typed).min(inner.right().saturating_sub(1)), y: inner.y })
    }
}
