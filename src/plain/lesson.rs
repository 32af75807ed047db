//! A lesson: its section heading by heading, and what belongs to it.

use super::desk::Said as _;
use super::desk::heard;
use super::lessons;
use super::menu::Menu;
use super::page::{At, Go, Page};
use crate::pack::{CheckKind, Lesson as LessonOf, Pack, prose};
use crate::page::place::Place;
use crate::store::Done;
use crate::study::home::Position;

/// Before the number of the next piece, in what is kept as the pane of a reading position.
const PANE: &str = "plain ";

/// A lesson.
pub struct Lesson {
    pack: usize,
    id: String,
    /// Headings with their Markdown.
    pieces: Vec<(String, String)>,
    /// The piece that Enter reads.
    next: usize,
    menu: Menu<Choice>,
}

#[derive(Debug, Clone)]
enum Choice {
    Piece(usize),
    All,
    Terms,
    Go(Place),
}

impl Lesson {
    /// A lesson of the pack with this index.
    pub fn new(pack: usize, lesson: &LessonOf) -> Self {
        Lesson { pack, id: lesson.id.clone(), pieces: Vec::new(), next: 0, menu: Menu::default() }
    }

    fn read(&mut self, piece: usize, at: &mut At) {
        let Some((_, text)) = self.pieces.get(piece) else {
            return;
        };
        at.out.markdown(text);
        at.out.gap();
        self.next = piece + 1;
        self.keep(at);
        match self.pieces.get(self.next) {
            Some((title, _)) => at.out.say(&format!(
                "Enter reads on: {title}. A number takes a choice, l lists them, q goes back."
            )),
            None => self.finish(at),
        }
    }

    /// Says that the section was read to its end, and keeps it.
    fn finish(&mut self, at: &mut At) {
        if let Some(pack) = at.desk.pack(self.pack) {
            heard(at.desk.store.mark_done(&pack.id, &self.id, Done::Section, at.now), at.out);
        }
        at.out.say(
            "That is the end of the section; it counts as read. Enter lists what to do with it, q goes back.",
        );
    }

    fn keep(&self, at: &mut At) {
        let Some(pack) = at.desk.pack(self.pack) else {
            return;
        };
        let left = at.desk.store.position(&pack.id, &self.id, None).ok().flatten();
        let position = Position {
            pack: pack.id.clone(),
            lesson: self.id.clone(),
            lab: None,
            // what the other face left there stays
            line: left.as_ref().map_or(0, |p| p.line),
            scroll: left.as_ref().map_or(0, |p| p.scroll),
            pane: format!("{PANE}{}", self.next),
            at: at.now,
        };
        heard(at.desk.store.save_position(&position), at.out);
    }

    fn list(&mut self, pack: &Pack, lesson: &LessonOf) {
        self.menu = Menu::default();
        for (i, (title, _)) in self.pieces.iter().enumerate() {
            self.menu.add(format!("Read: {title}"), Choice::Piece(i));
        }
        self.menu.add("Read all of it", Choice::All);
        if !lesson.section.terms.is_empty() {
            self.menu.add(format!("Words of this lesson: {}", lesson.section.terms.len()), Choice::Terms);
        }
        for (text, place) in inside((self.pack, pack), lesson) {
            self.menu.add(text, Choice::Go(place));
        }
    }
}

/// The labs, checks and drills of a lesson.
fn inside((index, pack): (usize, &Pack), lesson: &LessonOf) -> Vec<(String, Place)> {
    let mut out = Vec::new();
    for lab in &lesson.labs {
        let place = Place::Lab { pack: index, id: lab.id.clone() };
        out.push((format!("Lab: {}. {} minutes", lab.title, lab.minutes), place));
    }
    let checks = |only: Option<String>| Place::Checks { pack: index, lesson: lesson.id.clone(), only };
    let sheet = |kind: &CheckKind| matches!(kind, CheckKind::Worksheet(_));
    let short = pack.checks_of(&lesson.id).filter(|c| !sheet(&c.kind)).count();
    match short {
        0 => {}
        1 => out.push(("Checks: 1 short question".into(), checks(None))),
        n => out.push((format!("Checks: {n} short questions"), checks(None))),
    }
    for check in pack.checks_of(&lesson.id) {
        if let CheckKind::Worksheet(sheet) = &check.kind {
            out.push((format!("Worksheet: {}", sheet.title), checks(Some(check.id.clone()))));
        }
    }
    for drill in pack.drills_of(&lesson.id) {
        let place = Place::Drill { pack: index, id: drill.id.clone(), only: None };
        out.push((format!("Drill: {} {} minutes", drill.prompt, drill.minutes), place));
    }
    out
}

impl Page for Lesson {
    fn show(&mut self, at: &mut At) -> Go {
        let known = at.desk.home_said(self.pack, at.out, at.now);
        let Some((pack, lesson)) = at.desk.pack(self.pack).and_then(|p| Some((p, p.lesson(&self.id)?)))
        else {
            return Go::Back(None);
        };
        if self.pieces.is_empty() {
            self.pieces = pieces(&prose::section(pack, lesson));
            let left = at.desk.store.position(&pack.id, &lesson.id, None).ok().flatten();
            let left = left.and_then(|p| p.pane.strip_prefix(PANE)?.parse().ok()).unwrap_or(0);
            self.next = if left < self.pieces.len() { left } else { 0 };
        }
        at.out.say(&format!("Lesson: {}. {} minutes.", lesson.title, lesson.minutes));
        at.out.say(&lesson.summary);
        at.out.say(&lessons::done(pack, lesson, &known));
        self.list(pack, lesson);
        self.menu.say(at.out);
        let next = self.pieces.get(self.next).or(self.pieces.first());
        let title = next.map_or("", |(title, _)| title);
        at.out.say(&format!("Type a number. Enter alone reads: {title}. q goes back."));
        Go::Stay
    }

    fn line(&mut self, line: &str, at: &mut At) -> Go {
        if line.is_empty() && self.next >= self.pieces.len() {
            self.next = 0;
            return Go::Show;
        }
        let choice = match line {
            "" => Some(Choice::Piece(self.next)),
            "l" => return Go::Show,
            "all" => Some(Choice::All),
            _ => self.menu.pick(line).cloned(),
        };
        match choice {
            None => self.menu.wrong(line, at.out),
            Some(Choice::Piece(piece)) => self.read(piece, at),
            Some(Choice::All) => {
                for (_, text) in &self.pieces {
                    at.out.markdown(text);
                    at.out.gap();
                }
                self.next = self.pieces.len();
                self.keep(at);
                self.finish(at);
            }
            Some(Choice::Terms) => {
                return Go::To(Place::Glossary { pack: self.pack, lesson: Some(self.id.clone()) });
            }
            Some(Choice::Go(place)) => return Go::To(place),
        }
        Go::Stay
    }

    fn help(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("Enter alone", "read on"),
            ("a number", "take that choice"),
            ("l", "list the choices again"),
            ("all", "read all of the section"),
        ]
    }

    fn pack(&self) -> usize {
        self.pack
    }
}

/// A Markdown text in pieces, one for each heading of the second level, with the heading. What comes before
/// the first is left out: the page says it.
pub fn pieces(markdown: &str) -> Vec<(String, String)> {
    let mut out: Vec<(String, String)> = Vec::new();
    let mut fence: Option<String> = None;
    for line in markdown.lines() {
        let ticks: String = line.chars().take_while(|c| *c == '`').collect();
        match &fence {
            Some(open) if line.trim_end() == *open => fence = None,
            None if ticks.len() >= 3 => fence = Some(ticks),
            _ => {}
        }
        if let (None, Some(title)) = (&fence, line.strip_prefix("## ")) {
            out.push((title.trim().to_owned(), String::new()));
        }
        if let Some((_, text)) = out.last_mut() {
            text.push_str(line);
            text.push('\n');
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::pieces;

    #[test]
    fn a_text_is_parted_at_its_headings_but_not_inside_code() {
        let text = "# T\n\nlead\n\n## One\n\na\n\n```text\n## not one\n```\n\n### sub\n\n## Two\n\nb\n";
        let titles: Vec<String> = pieces(text).into_iter().map(|(t, _)| t).collect();
        assert_eq!(titles, ["One", "Two"]);
        assert!(pieces(text)[0].1.contains("### sub") && pieces(text)[0].1.contains("## not one"));
    }
}
