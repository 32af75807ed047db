//! Earlier answers to the same drill, and what was gained and lost since the one before.

use crate::doc::{Cell, Column, Judged, Role};
use crate::page::history::given;
use crate::page::place::Place;
use crate::page::view::{Row, View};
use crate::score::Source;
use crate::services::Services;
use crate::study::answer;
use crate::study::attempt::Attempt;
use crate::study::compare::compare;
use crate::study::words::{percent, verdict};

/// A row for this answer and for each one before it, and what changed since the last one.
pub(super) fn view(now: &Attempt, earlier: &[Attempt], services: &Services) -> View {
    let view = View::new().title("Earlier attempts");
    if earlier.is_empty() {
        return view.words("This is the first. Answer it again to see both side by side.");
    }
    let columns = vec![Column::words(""), Column::numbers("mark"), Column::words("parts")];
    let this = row(Row::plain(), "this one", now, now);
    let before = earlier.iter().map(|a| {
        let place = Place::Verdict { attempt: Box::new(a.clone()) };
        row(Row::to(place), &services.when(a.at), a, now)
    });
    let view = view.table(columns, std::iter::once(this).chain(before));
    // of the same parts, else the totals say nothing
    let Some(last) = earlier.iter().find(|a| a.part == now.part) else { return view };
    let pack = services.library.packs.iter().find(|p| p.id == now.pack);
    let title = |id: &str| pack.map_or(id, |p| answer::part_title(&p.parts, id)).to_owned();
    let sentences = compare(last, now).sentences(title);
    let view = view.title(&format!("Since {}", services.when(last.at)));
    sentences.iter().fold(view, |view, sentence| view.words(sentence))
}

/// When, the total, and the marks of the parts of the newest answer.
fn row(row: Row, when: &str, attempt: &Attempt, now: &Attempt) -> Row {
    let mark = |part: &str| attempt.marks().find(|p| p.part == part).map(|p| p.verdict);
    let cells =
        now.score.parts.iter().map(|p| Cell::mark(mark(&p.part).map_or(Judged::Untouched, Judged::from)));
    let said = now.score.parts.iter().filter_map(|p| Some(format!("{} {}", p.part, verdict(mark(&p.part)?))));
    let said: Vec<String> = said.collect();
    let claimed = attempt.marks().filter(|p| p.source == Source::You).count();
    let by_you = (claimed > 0).then(|| format!("{claimed} by you"));
    let by_you: Vec<String> = by_you.into_iter().chain(given(attempt)).collect();
    let by_you = by_you.join(", ");
    row.cell(Cell::text(when).role(Role::Dim))
        .cell(Cell::percent(attempt.total()).role(Role::Strong))
        .cell(Cell::join(cells) + Cell::text(format!(" {by_you}")).role(Role::Dim))
        .said(format!("{when}: {}; {}. {by_you}", percent(attempt.total()), said.join(", ")).trim_end())
}
