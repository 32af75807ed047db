//! What was done of each lesson: read, labs, checks, puzzles.

use serde_json::{Value, json};

use super::{Progress, cards};
use crate::doc::{Cell, Column, Judged, Role};
use crate::pack::Pack;
use crate::page::At;
use crate::page::place::Place;
use crate::page::view::{Row, View};
use crate::services::Services;
use crate::study::done::{OfLesson, Share};
use crate::study::home::Home;

/// What stands above the notes of a lesson.
pub const NOTES: [&str; 4] = ["read", "labs", "checks", "puzzles"];

/// What was done of each lesson of a course, in its order.
pub fn of(pack: &Pack, home: &Home, services: &Services) -> Vec<OfLesson> {
    let index = pack.index();
    let best = if index.puzzles.is_empty() { Default::default() } else { services.puzzles(&pack.id) };
    OfLesson::of_course(index, home, |puzzle| Some(best.get(puzzle)?.best))
}

/// `1/2`; nothing where there is none.
fn few(share: Share) -> String {
    if share.of == 0 { String::new() } else { format!("{}/{}", share.done, share.of) }
}

/// What was done of a lesson in a few letters each.
pub fn notes(done: &OfLesson) -> [String; 4] {
    let read = match done.read_in_part() {
        _ if done.read.is_whole() => "yes".to_owned(),
        Some(percent) => percent,
        None => "no".to_owned(),
    };
    [read, few(done.labs), few(done.checks), few(done.puzzles)]
}

/// All lessons with what was done of them, before there is an answer to a drill.
pub fn view(of: &Progress, mut view: View, at: &At) -> View {
    let packs = &at.services.library.packs;
    for (index, (pack, done)) in packs.iter().zip(&of.lessons).enumerate() {
        if packs.len() > 1 {
            view = view.title(&pack.title);
        }
        let rows = pack.index().lessons.iter().zip(done).map(|(lesson, done)| {
            let place = Place::Lesson { pack: index, id: lesson.id.to_string() };
            let shares = [done.labs, done.checks, done.puzzles].map(share);
            let row = Row::to(place).cell(Cell::text(&lesson.title)).cell(read(done));
            shares.into_iter().fold(row, Row::cell).said(format!("{}: {}", lesson.title, done.words()))
        });
        let columns = [Column::words("")].into_iter().chain(HEADS.map(Column::words)).collect();
        view = view.table(columns, rows);
    }
    let text = "A drill, d on a lesson of Home, adds how strong you are in each part of an answer.";
    let view = view.dim(text).one_column();
    match of.days.iter().any(|(_, day)| day.things() > 0) {
        true => view.beside(cards::kinds(&of.days).under(cards::activity(&of.days))),
        false => view,
    }
}

/// What stands above the columns of lessons.
const HEADS: [&str; 4] = ["read", "labs", "checks", "puzzles"];

fn marked(judged: Judged, words: &str) -> Cell {
    let role = if judged == Judged::Untouched { Role::Dim } else { Role::Text };
    Cell::mark(judged) + Cell::text(format!(" {words}")).role(role)
}

fn read(done: &OfLesson) -> Cell {
    match done.read_in_part() {
        _ if done.read.is_whole() => marked(Judged::Covered, "read"),
        Some(percent) => marked(Judged::Partial, &percent),
        None => marked(Judged::Untouched, ""),
    }
}

fn share(share: Share) -> Cell {
    match share {
        Share { of: 0, .. } => Cell::text(""),
        share if share.is_whole() => marked(Judged::Covered, &few(share)),
        Share { done: 0, .. } => marked(Judged::Untouched, &few(share)),
        share => marked(Judged::Partial, &few(share)),
    }
}

/// The same for programs.
pub fn to_json(pack: &Pack, done: &[OfLesson]) -> Vec<Value> {
    let lessons = pack.index().lessons.iter().zip(done);
    let share = |share: Share| json!({"done": share.done, "of": share.of});
    let of = |(lesson, done): (&crate::pack::index::Lesson, &OfLesson)| {
        json!({
            "lesson": lesson.id, "read": done.read.is_whole(), "seen": done.seen, "labs": share(done.labs),
            "checks": share(done.checks), "puzzles": share(done.puzzles),
        })
    };
    lessons.map(of).collect()
}
