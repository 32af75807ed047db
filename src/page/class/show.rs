//! What a class shows, section by section: on its pages, and one below the other for the verb.

use jiff::Timestamp;

use crate::doc::{Cell, Column, Document, Heat, HeatCell, HeatRow, Role};
use crate::pack::Pack;
use crate::page::place::Place;
use crate::page::view::{Lead, Row, View};
use crate::score::Verdict;
use crate::services::Services;
use crate::services::class::Room;
use crate::study::answer::part_title;
use crate::study::class::Answer;
use crate::study::class::gather::Member;
use crate::study::class::given::counted;
use crate::study::words::{capital, percent, some, verdict};

use super::Shown;

/// Rows of a list that grows with the class.
const MOST: usize = 300;
/// Points that were missed, where all of a class is printed at once.
const PRINTED: usize = 10;
/// Columns of a bar.
const BAR: u16 = 10;

/// The title of the course, or its id where it is not at hand.
pub fn course(room: &Room, services: &Services) -> String {
    pack(room, services).map_or(room.class.pack.clone(), |p| p.title.clone())
}

pub(super) fn pack<'s>(room: &Room, services: &'s Services) -> Option<&'s Pack> {
    services.library.packs.iter().find(|p| p.id == room.class.pack)
}

/// What a part of the page is called.
pub fn name(shown: &Shown, room: Option<&Room>, services: &Services) -> String {
    match shown {
        Shown::Whole => "class".into(),
        Shown::Students => "students".into(),
        Shown::Missed => "missed most".into(),
        Shown::False => "false statements".into(),
        Shown::Claimed => "claimed by students".into(),
        Shown::Differing => "where marks differ".into(),
        Shown::Notes => "files".into(),
        Shown::Drill(id) => room.and_then(|r| title(id, r, services)).unwrap_or(id.clone()),
        Shown::Student(id) => {
            let member = room.and_then(|r| r.class.members.iter().find(|m| m.student.id == *id));
            member.map_or(id.clone(), |m| m.student.name.clone())
        }
    }
}

/// The question of a drill, where its pack is at hand.
fn title(id: &str, room: &Room, services: &Services) -> Option<String> {
    Some(pack(room, services)?.drill(id)?.prompt.clone())
}

fn part(id: &str, room: &Room, services: &Services) -> String {
    pack(room, services).map_or(id.to_owned(), |p| part_title(&p.parts, id).to_owned())
}

/// What is shown of a class.
pub fn view(shown: &Shown, room: &Room, services: &Services, now: Timestamp) -> View {
    section(shown, (room, now), services, false)
}

/// A section; `ids` where answers are asked for by their ids, and not by their rows.
fn section(shown: &Shown, (room, now): (&Room, Timestamp), services: &Services, ids: bool) -> View {
    match shown {
        Shown::Whole => whole(room, services),
        Shown::Students => students(room, services, now),
        Shown::Missed => missed(room, services, ids),
        Shown::False => falsehoods(room, ids),
        Shown::Claimed => claimed(room, services, ids),
        Shown::Differing => differing(room, services, ids),
        Shown::Notes => notes(room),
        Shown::Drill(id) => drill(id, room, services, now),
        Shown::Student(id) => student(id, room, services, now),
    }
}

/// All of it, for the verb.
pub fn all(room: &Room, services: &Services, now: Timestamp) -> View {
    if room.class.members.is_empty() {
        return whole(room, services);
    }
    let view = head(room, services).under(View::new().title(&course(room, services)));
    let view = notes(room).under(view);
    let view = heat(room, services).under(view);
    [
        (Shown::Students, room.summary.students.len()),
        (Shown::Missed, room.summary.missed.len()),
        (Shown::False, room.summary.falsehoods.len()),
        (Shown::Claimed, room.summary.claimed.len()),
        (Shown::Differing, room.summary.differing.len()),
    ]
    .into_iter()
    .filter(|(_, rows)| *rows > 0)
    .fold(view, |above, (shown, _)| {
        let title = capital(&name(&shown, None, services));
        section(&shown, (room, now), services, true).under(above.title(&title))
    })
    .dim("`class answer FOLDER ID` prints an answer; the beginning of its id is enough.")
}

fn head(room: &Room, _: &Services) -> View {
    let (students, answers) = (room.class.members.len(), room.summary.answers);
    let marked = room.class.book.all().count();
    let given = if marked > 0 { format!(", {} given", counted(marked)) } else { String::new() };
    View::new().words(&format!("{}, {}{given}", some(students, "student"), some(answers, "answer")))
}

fn to(room: &Room, shown: Shown) -> Place {
    Place::Class { folder: room.folder.clone(), shown }
}

fn answer_place(room: &Room, id: &str) -> Place {
    Place::ClassAnswer { folder: room.folder.clone(), id: id.to_owned() }
}

/// Where it stands, and ways to the rest.
fn whole(room: &Room, services: &Services) -> View {
    let s = &room.summary;
    if room.class.members.is_empty() {
        let text = "No answers are in this folder yet. Students write their files with `infralens export \
                    --class`; put those files here, or name the folder that has them.";
        return notes(room).under(View::new().words(text));
    }
    let left_out = room.class.notes.iter().filter(|n| n.left_out).count();
    let view = heat(room, services).under(head(room, services));
    let ways = [
        (Shown::Students, "Students", some(s.students.len(), "student")),
        (Shown::Missed, "Missed most", some(s.missed.len(), "point")),
        (Shown::False, "False statements", some(s.falsehoods.len(), "statement")),
        (Shown::Claimed, "Claimed by students, found by no rule", some(s.claimed.len(), "sentence")),
        (Shown::Differing, "Where marks differ", some(s.differing.len(), "mark")),
        (
            Shown::Notes,
            "Files",
            if left_out > 0 { format!("{left_out} left out") } else { some(room.class.notes.len(), "note") },
        ),
    ];
    let rows = ways.into_iter().map(|(shown, what, count)| {
        let role = if shown == Shown::Notes && left_out > 0 { Role::Warning } else { Role::Dim };
        Row::to(to(room, shown)).cell(Cell::text(what)).cell(Cell::text(count).role(role))
    });
    view.title("More").table(vec![Column::words(""), Column::words("")], rows)
}

/// Drills by parts; each row's cells lead to the answers.
fn heat(room: &Room, services: &Services) -> View {
    let s = &room.summary;
    let columns = s.parts.iter().map(|id| {
        let title = part(id, room, services);
        let short = title.chars().take(4).collect();
        (title, short)
    });
    let rows = s.drills.iter().map(|of| HeatRow {
        title: title(&of.drill, room, services).unwrap_or_else(|| of.drill.clone()),
        cells: of.parts.iter().map(|share| HeatCell { share: *share, trend: 0 }).collect(),
        ..HeatRow::default()
    });
    let heat = Heat { columns: columns.collect(), rows: rows.collect(), ..Heat::default() };
    let lead = |row: usize, _: usize| Lead::To(to(room, Shown::Drill(s.drills[row].drill.clone())));
    View::new().title("Drills by parts").heat(heat, lead)
}

fn students(room: &Room, services: &Services, now: Timestamp) -> View {
    let columns = vec![
        Column::words("student"),
        Column::numbers("drills"),
        Column::numbers("answers"),
        Column::numbers("mean"),
        Column::words(""),
        Column::words("weakest"),
        Column::words("last"),
    ];
    let rows = room.summary.students.iter().zip(&room.class.members).map(|(s, member)| {
        let weakest = s.weakest.as_deref().map(|id| part(id, room, services)).unwrap_or_default();
        let weakest = Cell::text(&weakest).said(format!("weakest in {weakest}"));
        Row::to(to(room, Shown::Student(member.student.id.clone())))
            .cell(Cell::text(&s.name))
            .cell(Cell::text(s.drills.to_string()))
            .cell(Cell::text(s.answers.to_string()))
            .cell(Cell::percent(s.mean).role(Role::Strong))
            .cell(Cell::meter(s.mean, BAR))
            .cell(weakest)
            .cell(Cell::text(s.last.map(|at| services.when(at, now)).unwrap_or_default()).role(Role::Dim))
    });
    View::new().table(columns, rows)
}

/// `3 of 12  incast, Limit: The queue holds …` and below it how one of them put it.
fn missed(room: &Room, services: &Services, ids: bool) -> View {
    let most = if ids { PRINTED } else { MOST };
    let rows = room.summary.missed.iter().take(most).map(|m| {
        let says = m.says.as_deref().unwrap_or(&m.point);
        let who = room.class.answer(&m.example).map_or("", |(member, _)| member.student.name.as_str());
        let said =
            format!("{} of {}, {}, {}: {says}", m.students, m.of, m.drill, part(&m.part, room, services));
        Row::to(answer_place(room, &m.example))
            .cell(
                Cell::text(format!("{} of {}  ", m.students, m.of)).role(Role::Strong)
                    + Cell::text(format!("{}, {}: {says}", m.drill, part(&m.part, room, services))),
            )
            .line(Cell::text(format!("{who}: “{}”", m.words)).role(Role::Dim) + short(&m.example, ids))
            .wrapped()
            .said(format!("{said}. {who} wrote: {}", m.words))
    });
    rest(View::new().list(rows), room.summary.missed.len(), most)
}

fn falsehoods(room: &Room, ids: bool) -> View {
    let rows = room.summary.falsehoods.iter().map(|f| {
        let students = some(f.students, "student");
        Row::to(answer_place(room, &f.example))
            .cell(
                Cell::text(format!("{students}  ")).role(Role::Strong)
                    + Cell::text(format!("{}: “{}”", f.drill, f.words))
                    + short(&f.example, ids),
            )
            .wrapped()
            .said(format!("{students}, {}: {}", f.drill, f.words))
    });
    View::new().list(rows)
}

fn claimed(room: &Room, services: &Services, ids: bool) -> View {
    let rows = room.summary.claimed.iter().take(MOST).map(|c| {
        let text = format!("{}, {}, {}: “{}”", c.student, c.drill, part(&c.part, room, services), c.sentence);
        Row::to(answer_place(room, &c.attempt)).cell(Cell::text(text) + short(&c.attempt, ids)).wrapped()
    });
    rest(View::new().list(rows), room.summary.claimed.len(), MOST)
}

fn differing(room: &Room, services: &Services, ids: bool) -> View {
    let columns = vec![
        Column::words("student"),
        Column::words("drill"),
        Column::words("part"),
        Column::words("rules"),
        Column::words("student"),
        Column::words("judge"),
        Column::words("you"),
        Column::words(""),
    ];
    let rows = room.summary.differing.iter().take(MOST).map(|d| {
        let mark = |who: &str, v: Option<Verdict>| match v {
            Some(v) => Cell::mark(v).said(format!("{who} {}", verdict(v))),
            None => Cell::text(" ").said(""),
        };
        Row::to(answer_place(room, &d.attempt))
            .cell(Cell::text(&d.student))
            .cell(Cell::text(&d.drill))
            .cell(Cell::text(part(&d.part, room, services)))
            .cell(mark("rules", Some(d.rules)))
            .cell(mark("student", d.student_says))
            .cell(mark("judge", d.judge))
            .cell(mark("you", d.instructor))
            .cell(short(&d.attempt, ids))
    });
    rest(View::new().table(columns, rows), room.summary.differing.len(), MOST)
}

/// Says how many rows are left out.
fn rest(view: View, rows: usize, most: usize) -> View {
    match rows.checked_sub(most).filter(|more| *more > 0) {
        Some(more) => view.dim(&format!("{more} more; `class open --json` has them all.")),
        None => view,
    }
}

/// What was noticed while the files were read.
fn notes(room: &Room) -> View {
    let rows = room.class.notes.iter().map(|note| {
        let file = if note.file.is_empty() { String::new() } else { format!("{}: ", note.file) };
        let left_out = if note.left_out { "left out, " } else { "" };
        Row::plain()
            .cell(Cell::text(file).role(Role::Strong) + Cell::text(format!("{left_out}{}", note.what)))
            .wrapped()
    });
    View::new().list(rows)
}

/// The latest answer of each student to a drill, the weakest first.
fn drill(id: &str, room: &Room, services: &Services, now: Timestamp) -> View {
    let latest = |member: &'_ Member| {
        let whole = member.answers.iter().rev().find(|a| a.drill == id && a.part.is_none());
        whole.or_else(|| member.answers.iter().rev().find(|a| a.drill == id)).cloned()
    };
    let mut rows: Vec<(f64, &Member, Answer)> =
        room.class.members.iter().filter_map(|m| latest(m).map(|a| (room.class.total(&a), m, a))).collect();
    rows.sort_by(|a, b| a.0.total_cmp(&b.0));
    let question = title(id, room, services).unwrap_or_else(|| id.to_owned());
    View::new().words(&question).table(
        columns("student"),
        rows.iter().map(|(_, member, answer)| row(&member.student.name, answer, (room, now), services)),
    )
}

/// The answers of a student, the newest first.
fn student(id: &str, room: &Room, services: &Services, now: Timestamp) -> View {
    let Some(member) = room.class.members.iter().find(|m| m.student.id == id) else { return View::new() };
    let rows = member.answers.iter().rev().map(|answer| row(&answer.drill, answer, (room, now), services));
    View::new().table(columns("drill"), rows)
}

fn columns(first: &str) -> Vec<Column> {
    vec![
        Column::words("when"),
        Column::numbers("mark"),
        Column::words("parts"),
        Column::words(first),
        Column::words(""),
    ]
}

fn row(what: &str, answer: &Answer, (room, now): (&Room, Timestamp), services: &Services) -> Row {
    let marks = answer.marks.iter().map(|m| Cell::mark(room.class.counts(answer, m)));
    let mut notes: Vec<String> =
        answer.part.iter().map(|only| format!("{} alone", part(only, room, services))).collect();
    let given = answer.marks.iter().any(|m| room.class.book.get(&answer.id, Some(&m.part)).is_some());
    if given || room.class.book.get(&answer.id, None).is_some() {
        notes.push("marked".into());
    }
    notes.extend(room.judged.contains_key(&answer.id).then(|| "judged answer".to_owned()));
    let unsure = answer.marks.iter().filter(|m| !m.sure).count();
    notes.extend((unsure > 0).then(|| format!("{unsure} not sure")));
    Row::to(answer_place(room, &answer.id))
        .cell(Cell::text(services.when(answer.at, now)).role(Role::Dim))
        .cell(Cell::text(percent(room.class.total(answer))).role(Role::Strong))
        .cell(Cell::join(marks).said(""))
        .cell(Cell::text(what))
        .cell(Cell::text(notes.join(", ")).role(Role::Dim))
}

/// As much of an id as tells answers apart at sight, for the verbs; a page leads there itself.
fn short(id: &str, shows: bool) -> Cell {
    if !shows {
        return Cell::text("").said("");
    }
    let end = id.char_indices().nth(18).map_or(id.len(), |(at, _)| at);
    Cell::text(format!("  {}", &id[..end])).role(Role::Dim).said("")
}

/// The answer that a row leads to, beside it.
pub fn preview(shown: &Shown, row: usize, room: &Room, _: &Services) -> Option<Document> {
    let s = &room.summary;
    let id = match shown {
        Shown::Missed => &s.missed.get(row)?.example,
        Shown::False => &s.falsehoods.get(row)?.example,
        Shown::Claimed => &s.claimed.get(row)?.attempt,
        Shown::Differing => &s.differing.get(row)?.attempt,
        _ => return None,
    };
    let (member, answer) = room.class.answer(id)?;
    let title = format!("{}, {}", member.student.name, answer.drill);
    Some(Document::new().title(&title).answer(&answer.answer, Vec::new(), None))
}
