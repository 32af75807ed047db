//! A lesson or a lab: a text on the left, the starter with its notes on the right. In a
//! narrow terminal the two panes are tabs.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Position, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::{Context, Page};
use crate::app::effect::{Effect, Graded, Item};
use crate::app::event::Mouse;
use crate::pack::{Lab, Lesson as LessonOf, Pack, Puzzle, prose};
use crate::page::action::Action;
use crate::page::job::Job;
use crate::page::keys::Scope;
use crate::page::place::Place;
use crate::study::home::Position as Mark;
use crate::study::next;
use crate::study::schedule::{self, Grade, ItemKind};
use crate::tui::reading::{Opened, Reading};
use crate::tui::starter::Starter;

mod panes;
mod run;

use run::Runner;

/// The panes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pane {
    Text,
    Code,
}

/// What is open: a section or a lab.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Subject {
    Section,
    Lab(String),
}

/// A lesson or a lab, open for reading.
#[derive(Debug)]
pub struct Lesson {
    pack: usize,
    pack_id: String,
    lesson: String,
    title: String,
    subject: Subject,
    reading: Reading,
    starter: Option<Starter>,
    runner: Runner,
    pane: Pane,
    /// The columns of the text where the code stands beside it.
    beside: Option<u16>,
    /// Whether both panes would have room.
    room: bool,
    /// Whether one pane has the whole width, though both would have room.
    whole: bool,
    bar: Rect,
    done: bool,
    /// Whether what to see in a lab's output waits for a prediction.
    sealed: bool,
    /// What the lesson has, so that the footer names no dead key.
    has: Has,
}

/// What a lesson has.
#[derive(Debug, Clone, Copy)]
struct Has {
    labs: bool,
    checks: bool,
    drills: bool,
    sims: bool,
    puzzles: bool,
}

impl Lesson {
    /// Opens a lab where it was left.
    pub fn lab((index, pack): (usize, &Pack), (lesson, lab): (&LessonOf, &Lab), context: &Context) -> Self {
        let done = context.memory.lesson(index, &lesson.id).is_some_and(|p| p.labs.contains(&lab.id));
        let sealed = !done && !lab.predictions.is_empty();
        let text = match sealed {
            true => prose::lab_before_run(lab, lesson),
            false => prose::lab(lab, lesson),
        };
        let text = pack.named(&text).into_owned();
        let subject = Subject::Lab(lab.id.clone());
        let mut screen = Self::new((index, pack), lesson, subject, (text, Some(lab), done), context);
        screen.sealed = sealed;
        screen
    }

    fn new(
        (index, pack): (usize, &Pack),
        lesson: &LessonOf,
        subject: Subject,
        (text, lab, done): (String, Option<&Lab>, bool),
        context: &Context,
    ) -> Self {
        let key = match &subject {
            Subject::Section => None,
            Subject::Lab(id) => Some(id.as_str()),
        };
        let left = context.memory.position(&pack.id, &lesson.id, key);
        let lab = lab.map(|lab| named(pack, lab));
        let title = match (&subject, &lab) {
            (Subject::Lab(_), Some(lab)) => lab.title.clone(),
            _ => lesson.title.clone(),
        };
        Self {
            pack: index,
            pack_id: pack.id.clone(),
            lesson: lesson.id.clone(),
            title,
            runner: Runner::new(lab.as_ref().filter(|_| key.is_some())),
            subject,
            reading: Reading::new(&text, left.map_or(0, |p| p.scroll as usize)),
            starter: lab.as_ref().map(|lab| Starter::new(lab, left.map(|p| p.line as usize))),
            pane: match left.map(|p| p.pane.as_str()) {
                Some("code") => Pane::Code,
                _ => Pane::Text,
            },
            beside: None,
            room: false,
            whole: false,
            bar: Rect::ZERO,
            done,
            sealed: false,
            has: Has {
                labs: !lesson.labs.is_empty(),
                checks: pack.checks_of(&lesson.id).next().is_some(),
                drills: pack.drills_of(&lesson.id).next().is_some(),
                sims: lesson.labs.iter().any(|l| !l.sims.is_empty())
                    || lesson.section.formulas.iter().any(|f| f.sim.is_some()),
                puzzles: pack.puzzles_of(&lesson.id).next().is_some(),
            },
        }
    }

    fn mark(&self, context: &Context) -> Mark {
        Mark {
            pack: self.pack_id.clone(),
            lesson: self.lesson.clone(),
            lab: match &self.subject {
                Subject::Section => None,
                Subject::Lab(id) => Some(id.clone()),
            },
            line: self.starter.as_ref().map_or(0, |s| u32::try_from(s.line()).unwrap_or(0)),
            scroll: u32::try_from(self.reading.block()).unwrap_or(0),
            pane: match self.pane {
                Pane::Text => "text".into(),
                Pane::Code => "code".into(),
            },
            at: context.now,
        }
    }

    fn item(&self) -> Item {
        Item {
            pack: self.pack_id.clone(),
            lesson: self.lesson.clone(),
            lab: match &self.subject {
                Subject::Section => None,
                Subject::Lab(id) => Some(id.clone()),
            },
        }
    }

    /// A section whose end came into view counts as read.
    fn finish(&mut self) -> Vec<Effect> {
        if self.done || self.subject != Subject::Section || self.pane != Pane::Text || !self.reading.at_end()
        {
            return Vec::new();
        }
        self.done = true;
        let ways = [
            (self.has.labs, "l lab"),
            (self.has.checks, "c checks"),
            (self.has.drills, "d drill"),
            (self.has.puzzles, "p puzzle"),
            (true, "> next lesson"),
        ];
        let ways: Vec<&str> = ways.iter().filter(|(has, _)| *has).map(|(_, way)| *way).collect();
        let said = format!("read to its end. Go on with {}", ways.join(", "));
        vec![Effect::SaveDone(self.item(), true), Effect::Say(said)]
    }

    /// Shows what to see in the output, now that it was predicted or the lab is done.
    fn unseal(&mut self, context: &Context) {
        let Subject::Lab(id) = &self.subject else { return };
        let pack = context.library.packs.get(self.pack);
        let Some((pack, (lesson, lab))) = pack.and_then(|p| Some((p, p.lab(id)?))) else {
            return;
        };
        let text = prose::lab(lab, lesson);
        self.reading = Reading::new(&pack.named(&text), self.reading.block());
        self.sealed = false;
    }

    fn neighbour(&self, context: &Context, forward: bool) -> Vec<Effect> {
        let Some(pack) = context.library.packs.get(self.pack) else {
            return Vec::new();
        };
        let Some(at) = pack.lessons.iter().position(|l| l.id == self.lesson) else {
            return Vec::new();
        };
        let next = if forward { at + 1 } else { at.wrapping_sub(1) };
        match pack.lessons.get(next) {
            Some(lesson) => vec![Effect::Replace(Place::Lesson { pack: self.pack, id: lesson.id.clone() })],
            None => vec![Effect::Say("there is no further lesson that way".into())],
        }
    }

    fn drill(&self, context: &Context) -> Vec<Effect> {
        let Some(pack) = context.library.packs.get(self.pack) else {
            return Vec::new();
        };
        let home = context.memory.home(self.pack);
        let drill = home.and_then(|home| next::drill(pack, home, &self.lesson));
        match drill.or_else(|| pack.index().drills_of(&self.lesson).next()) {
            Some(d) => vec![Effect::Go(Place::Drill { pack: self.pack, id: d.id.to_string(), only: None })],
            None => vec![Effect::Say("this lesson has no drill; / finds those of others".into())],
        }
    }

    fn simulate(&self, context: &Context) -> Vec<Effect> {
        let lesson = context.library.lesson(self.pack, &self.lesson);
        let link = lesson.and_then(|l| {
            let of_labs = |id: Option<&String>| {
                let labs = l.labs.iter().filter(|b| id.is_none_or(|id| b.id == *id));
                labs.flat_map(Lab::sim_links).next()
            };
            match &self.subject {
                Subject::Lab(id) => of_labs(Some(id)).or_else(|| of_labs(None)).or(l.sim_links().next()),
                Subject::Section => l.sim_links().next().or_else(|| of_labs(None)),
            }
        });
        match link {
            Some((link, sim)) => vec![Effect::Go(Place::Sim {
                kind: sim.kind.clone(),
                set: sim.set.clone(),
                link: Some(link),
            })],
            None => vec![Effect::Say("no simulator belongs to this lesson".into())],
        }
    }

    /// Opens the first puzzle of the lesson whose par was not reached, else the first.
    fn puzzle(&self, context: &Context) -> Vec<Effect> {
        let pack = context.library.packs.get(self.pack);
        let of = || pack.into_iter().flat_map(|p| p.puzzles_of(&self.lesson));
        let open = |p: &&Puzzle| !context.memory.is_at_par(&self.pack_id, p);
        match of().find(open).or_else(|| of().next()) {
            Some(puzzle) => vec![Effect::Go(Place::Puzzle { pack: self.pack, id: puzzle.id.clone() })],
            None => vec![Effect::Say("no puzzle belongs to this lesson".into())],
        }
    }

    fn open(&self, opened: Option<Opened>) -> Vec<Effect> {
        match opened {
            Some(Opened::Place(place)) => vec![Effect::Go(place)],
            Some(Opened::Address(address)) => {
                let text = format!("copied: {address}");
                vec![Effect::Copy(address), Effect::Say(text)]
            }
            None => Vec::new(),
        }
    }

    /// Keeps how well the note under the cursor was known, and goes to the next.
    fn grade(&mut self, number: u8) -> Vec<Effect> {
        let Some(starter) = &mut self.starter else {
            return Vec::new();
        };
        let (Some(id), Some(grade)) = (starter.recalled(), Grade::numbered(number)) else {
            return Vec::new();
        };
        starter.next_note();
        let said = format!("{}; the note comes back in the review", grade.words());
        let graded = Graded {
            pack: self.pack_id.clone(),
            lesson: self.lesson.clone(),
            item: schedule::Item { kind: ItemKind::Note, id },
            grade,
        };
        vec![Effect::Grade(graded), Effect::Say(said)]
    }

    fn other_pane(&mut self) {
        self.pane = match self.pane {
            Pane::Text if self.starter.is_some() => Pane::Code,
            _ => Pane::Text,
        };
    }

    fn pane_acts(&mut self, action: Action) -> bool {
        match (self.pane, &mut self.starter) {
            (Pane::Code, Some(starter)) => starter.act(action),
            _ => self.reading.act(action),
        }
    }

    fn lab_action(&mut self, action: Action, context: &Context) -> Vec<Effect> {
        let Subject::Lab(lab) = &self.subject else {
            let lab = self.starter.is_some().then(|| context.library.lesson(self.pack, &self.lesson));
            let first = lab.flatten().and_then(|l| l.labs.first());
            return match (action, first) {
                (Action::Lab, Some(lab)) => {
                    vec![Effect::Go(Place::Lab { pack: self.pack, id: lab.id.clone() })]
                }
                (Action::Lab, None) => vec![Effect::Say("this lesson has no lab of its own".into())],
                _ => Vec::new(),
            };
        };
        match action {
            Action::Run => {
                self.runner.ask();
                Vec::new()
            }
            Action::Edit => vec![Effect::Job(Job::Edit(self.pack, lab.clone()))],
            Action::ReadSection => {
                vec![Effect::Go(Place::Lesson { pack: self.pack, id: self.lesson.clone() })]
            }
            _ => Vec::new(),
        }
    }
}

/// A lab in whose notes and predictions links to terms show the names of the terms.
fn named(pack: &Pack, lab: &Lab) -> Lab {
    let mut lab = lab.clone();
    for note in lab.blocks.iter_mut().flat_map(|b| &mut b.notes) {
        note.text = pack.named(&note.text).into_owned();
    }
    for p in &mut lab.predictions {
        p.ask = pack.named(&p.ask).into_owned();
        p.answer = pack.named(&p.answer).into_owned();
    }
    lab
}

impl Page for Lesson {
    fn title(&self, context: &Context) -> Vec<String> {
        let mut path = vec![self.title.clone()];
        if matches!(self.subject, Subject::Lab(_))
            && let Some(lesson) = context.library.lesson(self.pack, &self.lesson)
        {
            path.insert(0, lesson.title.clone());
        }
        if let Some(note) = self.runner.title() {
            path.push(note);
        }
        path
    }

    fn scopes(&self) -> Vec<Scope> {
        if self.runner.is_open() {
            return self.runner.scopes();
        }
        let mut scopes = Vec::new();
        if self.pane == Pane::Code {
            let recalled = self.starter.as_ref().and_then(Starter::recalled);
            scopes.extend(recalled.map(|_| Scope::ReviewGrade));
            let hidden = self.starter.as_ref().is_some_and(Starter::hides_notes);
            let notes = if hidden { Scope::CodeHidden } else { Scope::CodeNotes };
            scopes.extend([notes, Scope::Code]);
            scopes.extend(self.room.then_some(Scope::PanesBeside));
        }
        let section = self.subject == Subject::Section;
        let also = [
            (self.pane == Pane::Text && self.reading.cuts_figures(), Scope::Figures),
            (self.starter.is_some(), Scope::Panes),
            (self.pane == Pane::Text && self.reading.cuts_figures(), Scope::Figures),
            (section && self.has.labs, Scope::LessonLab),
            (!section, Scope::Lab),
            (self.has.checks, Scope::LessonChecks),
            (section && self.has.drills, Scope::LessonDrill),
            (self.pane == Pane::Text, Scope::Links),
            (section, Scope::Lesson),
            (self.has.sims, Scope::LessonSim),
            (self.has.puzzles, Scope::LessonPuzzle),
            (self.room && self.pane == Pane::Text, Scope::PanesBeside),
        ];
        scopes.extend(also.iter().filter(|(has, _)| *has).map(|(_, scope)| *scope));
        scopes.extend([Scope::Moving, Scope::Everywhere]);
        scopes
    }

    fn arrange(&mut self, area: Rect, context: &Context) {
        self.bar = Rect { height: 1, ..area };
        let body = Rect { y: area.y + 1, height: area.height.saturating_sub(1), ..area };
        if self.runner.is_open() {
            self.runner.arrange(area, context);
            return;
        }
        let shared = panes::left(area.width, self.reading.needs(), self.reading.uses());
        let shared = shared.filter(|_| self.starter.is_some());
        self.room = shared.is_some();
        self.beside = shared.filter(|_| !self.whole);
        let (text, code) = match self.beside {
            Some(columns) => Layout::horizontal([Constraint::Length(columns), Constraint::Fill(1)])
                .spacing(1)
                .areas(body)
                .into(),
            None => (body, body),
        };
        self.reading.arrange(text, &context.look());
        if let Some(starter) = &mut self.starter {
            starter.arrange(code, &context.look());
        }
    }

    fn act(&mut self, action: Action, context: &Context) -> Vec<Effect> {
        if self.runner.is_open() {
            let effects = self.runner.act(action, self.pack, context);
            if self.sealed && self.runner.has_predicted() {
                self.unseal(context);
            }
            return effects;
        }
        let line = self.starter.as_ref().map(Starter::line);
        if self.pane_acts(action) {
            let stayed = line == self.starter.as_ref().map(Starter::line);
            return match action {
                Action::NextBlock if stayed => vec![Effect::Say("that was the last block".into())],
                Action::PrevBlock if stayed => vec![Effect::Say("this is the first block".into())],
                _ => self.finish(),
            };
        }
        match action {
            Action::Digit(n) => return self.grade(n),
            Action::NextPane => self.other_pane(),
            Action::Widen => self.whole = !self.whole,
            Action::Back => return vec![Effect::Back],
            Action::Open if self.pane == Pane::Text => {
                let opened = self.reading.open(self.pack);
                if opened.is_none() {
                    return vec![Effect::Say("n selects a term or a link first".into())];
                }
                return self.open(opened);
            }
            Action::NextPage => return self.neighbour(context, true),
            Action::PrevPage => return self.neighbour(context, false),
            Action::Drill => return self.drill(context),
            Action::Checks => {
                return vec![Effect::Go(Place::Checks {
                    pack: self.pack,
                    lesson: self.lesson.clone(),
                    only: None,
                })];
            }
            Action::Simulate => return self.simulate(context),
            Action::Puzzle => return self.puzzle(context),
            Action::MarkDone => {
                self.done = !self.done;
                let word = if self.done { "marked as done" } else { "marked as not done" };
                if self.sealed && self.done {
                    self.unseal(context);
                }
                return vec![Effect::SaveDone(self.item(), self.done), Effect::Say(word.into())];
            }
            _ => return self.lab_action(action, context),
        }
        Vec::new()
    }

    fn typed(&mut self, key: crate::page::key::Key, context: &Context) -> Vec<Effect> {
        self.runner.typed(key, context);
        Vec::new()
    }

    fn pasted(&mut self, text: &str, _context: &Context) -> Vec<Effect> {
        self.runner.pasted(text);
        Vec::new()
    }

    fn mouse(&mut self, kind: Mouse, at: Position, _context: &Context) -> Vec<Effect> {
        let on_code = self.starter.is_some()
            && match self.beside {
                Some(columns) => at.x > self.bar.x + columns,
                None => self.pane == Pane::Code,
            };
        let rows = match kind {
            Mouse::ScrollDown => 3,
            Mouse::ScrollUp => -3,
            Mouse::Click if on_code => {
                if self.starter.as_mut().is_some_and(|s| s.click(at)) {
                    self.pane = Pane::Code;
                }
                return Vec::new();
            }
            Mouse::Click => {
                if at.y == self.bar.y && self.beside.is_none() {
                    self.other_pane();
                    return Vec::new();
                }
                let opened = self.reading.click(at, self.pack);
                return self.open(opened);
            }
        };
        match (on_code, &mut self.starter) {
            (true, Some(starter)) => {
                let action = if rows > 0 { Action::Down } else { Action::Up };
                (0..3).for_each(|_| {
                    starter.act(action);
                });
            }
            _ => self.reading.scroll(rows),
        }
        self.finish()
    }

    fn reply(&mut self, reply: &crate::app::effect::Reply, context: &Context) -> Vec<Effect> {
        self.runner.reply(reply, context)
    }

    fn leave(&mut self, context: &Context) -> Vec<Effect> {
        vec![Effect::SavePosition(self.mark(context))]
    }

    fn draw(&self, area: Rect, buffer: &mut Buffer, context: &Context) {
        if self.runner.is_open() {
            self.runner.draw(area, buffer, context);
            return;
        }
        self.draw_bar(buffer, context);
        if self.beside.is_some() || self.pane == Pane::Text {
            self.reading.draw(buffer, &context.look());
        }
        if let Some(starter) = &self.starter
            && (self.beside.is_some() || self.pane == Pane::Code)
        {
            starter.draw(self.pane == Pane::Code, buffer, &context.look());
        }
    }

    fn cursor(&self) -> Option<Position> {
        self.runner.cursor()
    }
}

impl Lesson {
    /// The heads of the panes; in a narrow terminal they are tabs.
    fn draw_bar(&self, buffer: &mut Buffer, context: &Context) {
        let theme = context.theme;
        let text = match self.subject {
            Subject::Section => "Handbook",
            Subject::Lab(_) => "Lab",
        };
        let percent = format!(" {}%", self.reading.percent());
        let head = |name: &str, pane: Pane| {
            let active = self.pane == pane;
            let style = if active { theme.accent } else { theme.dim };
            let pointer = if active { theme.glyphs.pointer } else { " " };
            Span::styled(format!("{pointer} {name}"), style)
        };
        let left = Line::from(vec![head(text, Pane::Text), Span::styled(percent, theme.dim)]);
        let right = self.starter.as_ref().map(|s| {
            let mut line = Line::from(head(&crate::doc::escape::line(s.path()), Pane::Code));
            if s.hides_notes() {
                line.push_span(Span::styled("  notes hidden", theme.warning));
            }
            line
        });
        let half = self.beside.unwrap_or(20).min(self.bar.width);
        left.render(Rect { width: half, ..self.bar }, buffer);
        if let Some(right) = right {
            let area = Rect { x: self.bar.x + half, width: self.bar.width - half, ..self.bar };
            right.render(area, buffer);
        }
    }
}
