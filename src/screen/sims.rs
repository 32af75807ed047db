//! The list of simulators, and of the puzzles on them.

use std::collections::BTreeMap;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};

use super::{Context, Page};
use crate::app::action::Action;
use crate::app::effect::{Effect, Query};
use crate::app::event::Mouse;
use crate::app::keys::Scope;
use crate::app::place::Place;
use crate::pack::Puzzle;
use crate::sim::{KINDS, SimKind};
use crate::widget::escape;
use crate::widget::list::{self, Go, ListState};
use crate::widget::markdown::Document;
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

    /// What it asks for at once: the best solutions so far.
    pub fn ask(context: &Context) -> Vec<Effect> {
        let packs = context.library.packs.iter();
        let ask = |id: &str| Effect::Recall(Query::Puzzles(id.to_owned()));
        packs.filter(|p| !p.puzzles.is_empty()).map(|p| ask(&p.id)).collect()
    }

    fn open(&self, context: &Context) -> Vec<Effect> {
        let place = match entry(self.state.selected(), context) {
            Some(Entry::SimKind(kind)) => {
                Place::Sim { kind: kind.name.into(), set: BTreeMap::new(), link: None }
            }
            Some(Entry::Puzzle(pack, puzzle)) => Place::Puzzle { pack, id: puzzle.id.clone() },
            None => return Vec::new(),
        };
        vec![Effect::Go(place)]
    }
}

/// A row of the list.
enum Entry<'a> {
    SimKind(&'static SimKind),
    /// With the index of its pack.
    Puzzle(usize, &'a Puzzle),
}

/// The puzzles of all packs, each with the index of its pack.
fn puzzles<'a>(context: &'a Context) -> impl Iterator<Item = (usize, &'a Puzzle)> {
    let packs = context.library.packs.iter().enumerate();
    packs.flat_map(|(index, pack)| pack.puzzles.iter().map(move |p| (index, p)))
}

fn entry<'a>(at: usize, context: &'a Context) -> Option<Entry<'a>> {
    match KINDS.get(at) {
        Some(kind) => Some(Entry::SimKind(kind)),
        None => puzzles(context).nth(at - KINDS.len()).map(|(pack, puzzle)| Entry::Puzzle(pack, puzzle)),
    }
}

/// A puzzle with par and the best so far; the first stands under a heading.
fn puzzle_item(nth: usize, (pack, puzzle): (usize, &Puzzle), context: &Context) -> Vec<Line<'static>> {
    let theme = context.theme;
    let rules = &puzzle.rules;
    let goal = &rules.goal;
    let id = context.library.packs.get(pack).map_or("", |p| p.id.as_str());
    let best = context.memory.best(id, &puzzle.id).map(|b| goal.value(b.best));
    let (mark, style, word) = match best {
        None => (theme.glyphs.untouched, theme.dim, String::new()),
        Some(best) if goal.is_at_par(best) => (theme.glyphs.good, theme.good, ", reached".into()),
        Some(best) => {
            let word = format!(", your best {}", goal.show(best));
            (theme.glyphs.partial, theme.partial, word)
        }
    };
    let par = match best {
        None if rules.par_tells() => "par is hidden until you have a solution".to_owned(),
        _ => format!("par {}", goal.show(goal.par)),
    };
    let row = Line::from(vec![
        Span::styled(format!("{mark} "), style),
        Span::styled(escape::line(&puzzle.title).into_owned(), theme.strong),
        Span::styled(format!("  {par}{word}"), theme.dim),
    ]);
    match nth {
        0 => vec![Line::default(), Line::styled("Puzzles", theme.heading), row],
        _ => vec![row],
    }
}

/// The goal of a puzzle, and what must hold.
fn about_puzzle(puzzle: &Puzzle, width: u16, context: &Context) -> Vec<Line<'static>> {
    let theme = context.theme;
    let say = |text: &str, style| Styled::from_text(text, style).wrap(&Hanging::none(), width.into());
    let mut lines = vec![Line::styled(escape::line(&puzzle.title).into_owned(), theme.heading)];
    let goal = Document::parse(&puzzle.goal).plain(width.into());
    lines.extend(goal.into_iter().map(|line| Line::styled(line, theme.text)));
    let kind = puzzle.rules.start.kind().title;
    let name = format!("{kind}. Command line: infralens puzzle {}", puzzle.id);
    lines.extend(say(&escape::line(&name), theme.dim));
    lines
}

/// The title of a kind, and the beginning of what one sees in it.
fn item(kind: &SimKind, context: &Context) -> Vec<Line<'static>> {
    let theme = context.theme;
    vec![Line::from(vec![
        Span::styled(format!("{:<TITLE$}", kind.title), theme.strong),
        Span::styled(kind.about, theme.dim),
    ])]
}

/// What one sees in a kind, its pictures, and where its values come from.
fn about(kind: &'static SimKind, width: u16, context: &Context) -> Vec<Line<'static>> {
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
    fn title(&self, context: &Context) -> Vec<String> {
        let alone = puzzles(context).next().is_none();
        let title = if alone { "Simulators" } else { "Simulators and puzzles" };
        vec![title.into()]
    }

    fn scopes(&self) -> Vec<Scope> {
        vec![Scope::Sims, Scope::Moving, Scope::Everywhere]
    }

    fn arrange(&mut self, area: Rect, context: &Context) {
        let puzzles = puzzles(context).enumerate().map(|(nth, p)| puzzle_item(nth, p, context));
        self.items = KINDS.iter().map(|k| item(k, context)).chain(puzzles).collect();
        let rows = self.items.iter().map(Vec::len).sum::<usize>();
        let rows = u16::try_from(rows).unwrap_or(u16::MAX);
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

    fn act(&mut self, action: Action, context: &Context) -> Vec<Effect> {
        match action {
            Action::Back => return vec![Effect::Back],
            Action::Open => return self.open(context),
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

    fn mouse(&mut self, kind: Mouse, at: Position, context: &Context) -> Vec<Effect> {
        match kind {
            Mouse::ScrollDown => self.go(Go::Down),
            Mouse::ScrollUp => self.go(Go::Up),
            Mouse::Click if self.area.contains(at) => {
                let row = usize::from(at.y - self.area.y);
                let height = self.area.height.into();
                if let Some(item) = self.state.item_at(row, &self.heights(), height) {
                    if item == self.state.selected() {
                        return self.open(context);
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
        if let Some(entry) = entry(self.state.selected(), context) {
            let lines = match entry {
                Entry::SimKind(kind) => about(kind, self.about.width, context),
                Entry::Puzzle(_, puzzle) => about_puzzle(puzzle, self.about.width, context),
            };
            let area = self.about.intersection(buffer.area);
            for (line, row) in lines.iter().zip(area.rows()) {
                buffer.set_line(row.x, row.y, line, row.width);
            }
        }
    }
}
