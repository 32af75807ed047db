//! How the review is shown: how much is left, what is on, the grades that it can be given.

use super::run::How;
use super::{Review, Stage, run};
use crate::doc::{self, Cell, Document, Judged, Role, Rows};
use crate::pack::Pack;
use crate::page::view::{Row, View};
use crate::page::{At, recall};
use crate::study::note;
use crate::study::schedule::{Grade, Item, ItemKind};
use crate::study::words::{ahead, capital, date, some};

pub(super) fn view(page: &Review, at: &At) -> View {
    let view = View::new().with(|body| body.rows(Rows::of(head(page, at))));
    match (&page.stage, page.on(at.services)) {
        (Stage::Nothing, _) => nothing(page, view, at),
        (Stage::Check(checks), _) => {
            let view = checks.add_to(view, at.services);
            with_grades(view, page, at)
        }
        (Stage::Note(revealed), Some((index, pack, item))) => {
            let Some((_, lab, note)) = note::find(pack, &item.id) else { return view };
            let view = view.of_pack(index).with(|body| body.and(recall::code(lab, note)));
            match revealed {
                false => view
                    .enter("reveals the note")
                    .words("Why is this here? Say it aloud, then reveal the note."),
                true => {
                    let view = view.beside(View::new().markdown(&pack.named(&note.text)));
                    with_grades(view, page, at)
                }
            }
        }
        (Stage::Open(opened), Some((index, pack, item))) => {
            let view = open(page, view.of_pack(index), (pack, &item, opened.is_some()));
            let view = view.enter(if page.log.is_some() { "goes on" } else { "opens it" });
            let view = if page.log.is_some() { view.with(|body| body.and(grades(page, at))) } else { view };
            then(page, view, at)
        }
        _ => done(page, view, at),
    }
}

/// `3 left: 1 drill, 1 check, 1 line note   2 done`; of several packs, which.
fn head(page: &Review, at: &At) -> Option<doc::Row> {
    let left = page.run.left();
    let (all, once_more): (usize, usize) = (left.iter().sum(), page.run.once_more());
    if all + once_more == 0 {
        return None;
    }
    let kinds = left.into_iter().zip(["drill", "check", "line note"]).filter(|(count, _)| *count > 0);
    let kinds: Vec<String> = kinds.map(|(count, noun)| some(count, noun)).collect();
    let done = match page.run.done().len() {
        0 => String::new(),
        n => format!("   {n} done"),
    };
    let of = page.on(at.services).filter(|_| at.services.library.packs.len() > 1);
    let of = of.map_or_else(String::new, |(_, pack, _)| format!("   from {}", pack.title));
    let kinds = if kinds.is_empty() { String::new() } else { format!(": {}", kinds.join(", ")) };
    let once_more = match once_more {
        0 => String::new(),
        n => format!("   {n} once more"),
    };
    let rest = format!("{kinds}{once_more}{done}{of}");
    let said = format!("{all} left{}.", rest.replace("   ", ", "));
    Some(
        doc::Row::new([
            Cell::text(format!("{all} left")).role(Role::Strong) + Cell::text(rest).role(Role::Dim)
        ])
        .said(said),
    )
}

/// The grades below what stands beside the body.
fn with_grades(view: View, page: &Review, at: &At) -> View {
    if !page.is_graded() {
        return view;
    }
    let (side, grades) = (view.side.clone().unwrap_or_default(), grades(page, at));
    // where there is no room beside, a long explanation pushes them out of sight
    let foot = grades.clone().and(side.clone());
    let view = if page.log.is_some() { view.enter("goes on") } else { view };
    view.beside(View::new().with(|body| body.and(side).and(grades))).foot(foot)
}

/// A drill or a worksheet, before and after it was opened.
fn open(page: &Review, view: View, (pack, item, opened): (&Pack, &Item, bool)) -> View {
    let minutes = match item.kind {
        ItemKind::Drill => pack.drill(&item.id).map(|d| format!("A drill, {} minutes", d.minutes)),
        _ => None,
    };
    let view =
        view.title(&minutes.unwrap_or_else(|| "A worksheet".into())).words(&run::title(pack, item, None));
    view.dim(match (&page.log, opened) {
        (Some(_), _) => "You answered it.",
        (None, true) => {
            "Not finished; what you wrote is kept. Enter opens it again, later leaves it for another time."
        }
        (None, false) => "Enter opens it. It is graded by its marks, and you come back here.",
    })
}

/// What comes after what is on, for the eye: who listens hears how many there are.
fn then(page: &Review, view: View, at: &At) -> View {
    let row = |(index, item): (usize, Item)| {
        let title = run::title(at.services.pack(index)?, &item, None);
        Some(doc::Row::new([Cell::text("·").role(Role::Dim), Cell::text(title)]).wrapped().said(""))
    };
    let rows: Vec<doc::Row> = page.run.then().filter_map(row).collect();
    if rows.is_empty() {
        return view;
    }
    let head = doc::Row::new([Cell::text("Then").role(Role::Strong)]).said("");
    view.beside(View::new().with(|body| body.rows(Rows::of([head].into_iter().chain(rows)))))
}

/// The word on the key of a grade.
fn word(grade: Grade) -> &'static str {
    match grade {
        Grade::Again => "again",
        Grade::Hard => "hard",
        Grade::Good => "good",
        Grade::Easy => "easy",
    }
}

/// The four grades, each with when the thing would come next.
fn grades(page: &Review, at: &At) -> Document {
    let Some((index, _, item)) = page.on(at.services) else { return Document::new() };
    let schedule = &at.services.schedule;
    let marks = page.log.as_ref().and_then(|log| log.last()).map(|(_, grade)| *grade);
    let times = match &page.log {
        Some(log) => schedule.outlook_again(&item, log),
        None => Some(schedule.outlook(&item, page.run.card(index, &item), at.now)),
    };
    let rows = Grade::ALL.into_iter().zip(times.into_iter().flatten()).enumerate();
    let mut said = Vec::new();
    let cells = rows.map(|(nth, (grade, time))| {
        let word = word(grade);
        let when = ahead(at.now, time, &at.services.zone);
        let when = when.strip_prefix("in ").unwrap_or(&when).to_owned();
        said.push(format!("{} {word}, {when}.", nth + 1));
        let role = if marks == Some(grade) { Role::Strong } else { Role::Text };
        Cell::text(format!("{} ", nth + 1)).role(Role::Accent)
            + Cell::text(word).role(role)
            + Cell::text(format!(" {when}  ")).role(Role::Dim)
    });
    let say = match marks {
        Some(grade) => {
            format!("Taken as {}. Enter keeps that; a number changes it.", grade.words())
        }
        None => "How well did you know it? Each choice says when it comes back.".into(),
    };
    let row = doc::Row::new([Cell::join(cells)]).wrapped();
    Document::new().words(&say).rows(Rows::of([row.said(said.join(" "))]))
}

fn nothing(page: &Review, view: View, at: &At) -> View {
    let within = match page.ahead {
        0 => "Nothing is due today.".to_owned(),
        1 => "Nothing is due today or tomorrow.".to_owned(),
        days => format!("Nothing is due in the next {days} days."),
    };
    let view = view.title(&within);
    let Some((next, count)) = run::next(&page.cards, at) else {
        return view.words(
            "You have answered nothing yet. Drills, checks and line notes that you answer come back here \
             shortly before you would forget them. Open a lesson: it has checks and drills.",
        );
    };
    let what = match count {
        1 => "next thing comes".to_owned(),
        n => format!("next {n} things come"),
    };
    let when = ahead(at.now, next, &at.services.zone);
    let date = date(at.services.today(next), at.services.today(at.now));
    view.words(&format!("The {what} {when}, on {date}."))
        .dim("c works ahead: it asks what you would forget first.")
}

fn done(page: &Review, view: View, at: &At) -> View {
    let all = page.run.done();
    let again = all.iter().filter(|(_, _, grade, how)| *grade == Grade::Again || how.is_wrong()).count();
    let looked = some(all.len(), "thing");
    let view = view.title(&match (all.is_empty(), page.run.later()) {
        (true, _) => "Nothing was answered; what is due stays due.".to_owned(),
        (false, (0, _)) => format!("The review is done: {looked} looked at, {again} not known."),
        (false, _) => format!("{} looked at, {again} not known.", capital(&looked)),
    });
    let view = match page.run.later() {
        (0, _) => view,
        _ if all.is_empty() => view,
        (1, true) => view.words("1 left for later; it is still due."),
        (left, true) => view.words(&format!("{left} left for later; they are still due.")),
        (left, false) => view.words(&format!("{left} left for later.")),
    };
    let row = |(index, item, grade, how): (usize, &Item, Grade, How)| {
        let pack = at.services.pack(index)?;
        let next = page.run.card(index, item).map(|card| card.due);
        let when = next.map_or_else(String::new, |time| ahead(at.now, time, &at.services.zone));
        let mark = match grade {
            _ if how.is_wrong() => Judged::Missing,
            Grade::Again => Judged::Missing,
            Grade::Hard => Judged::Partial,
            _ => Judged::Covered,
        };
        // what the learner said of it does not make it right
        let words = match how.is_wrong() && grade != Grade::Again {
            true => format!("wrong, taken as {}", word(grade)),
            false => grade.words().to_owned(),
        };
        let title = run::title(pack, item, how.seed);
        let said = format!("{title}: {words}; it comes again {when}.");
        let cells = Row::plain().cell(Cell::mark(mark) + Cell::text(format!(" {words}")));
        Some(cells.cell(Cell::text(when).role(Role::Dim)).cell(Cell::text(title)).said(said))
    };
    view.list(all.into_iter().filter_map(row))
        .dim("Enter goes back. c works ahead: what you would forget first.")
}
