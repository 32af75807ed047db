//! Earlier answers to the same drill, and what was gained and lost since the one before.

use crate::doc::{self, Cell, Column, Judged, Role, Rows};
use crate::page::At;
use crate::page::history::given;
use crate::page::place::Place;
use crate::page::view::{Row, View};
use crate::score::Source;
use crate::study::answer;
use crate::study::attempt::Attempt;
use crate::study::compare::{PartDifference, compare};
use crate::study::words::{percent, verdict};

use super::points::{authored, labelled, quoted};

/// A row for this answer and for each one before it, and what changed since the last one.
pub(super) fn view(now: &Attempt, earlier: &[Attempt], at: &At) -> View {
    let when = |of: &Attempt| at.services.when(of.at, at.now);
    let view = View::new().title("Earlier attempts");
    if earlier.is_empty() {
        return view.words("This is the first. Answer it again to see both side by side.");
    }
    let columns = vec![Column::words(""), Column::numbers("mark"), Column::words("parts")];
    let this = row(Row::plain(), "this one", now, now);
    let before = earlier.iter().map(|a| {
        let place = Place::Verdict { attempt: Box::new(a.clone()) };
        row(Row::to(place), &when(a), a, now)
    });
    let view = view.table(columns, std::iter::once(this).chain(before));
    // of the same parts, else the totals say nothing
    let Some(last) = earlier.iter().find(|a| a.part == now.part) else { return view };
    let pack = at.services.library.packs.iter().find(|p| p.id == now.pack);
    let difference = compare(last, now);
    let points = match (difference.total * 100.0).round() {
        0.0 => "the same total".to_owned(),
        more if more > 0.0 => format!("{more} points more"),
        less => format!("{} points less", -less),
    };
    let view = view.title(&format!("Since {}, {points}", when(last)));
    let says = |id: &String| {
        let drill = pack.and_then(|p| p.drill(&now.drill));
        let says = drill.and_then(|d| d.rubric.says(id)).map(authored);
        says.unwrap_or_else(|| id.replace('-', " "))
    };
    let changed = difference.parts.iter().flat_map(|part| {
        let title = pack.map_or(&*part.part, |p| answer::part_title(&p.parts, &part.part));
        let head = head(title, part);
        let gained = part.gained.iter().map(|id| labelled("gained", &says(id)));
        let lost = part.lost.iter().map(|id| labelled("lost", &says(id)));
        head.into_iter().chain(gained).chain(lost).collect::<Vec<_>>()
    });
    let wrong =
        [(last, &difference.cleared, "No longer said"), (now, &difference.fallen_for, "New, and not so")];
    let wrong = wrong.into_iter().flat_map(|(of, ids, what)| {
        let found = of.score.misconceptions.iter().filter(|m| ids.contains(&m.id));
        let mark = if what.starts_with("New") { Judged::Missing } else { Judged::Covered };
        let row = move |quotes: String| {
            let cell = Cell::mark(mark).said("") + Cell::text(format!(" {what}: {quotes}"));
            doc::Row::new([cell]).wrapped()
        };
        found.map(move |m| row(quoted(&of.answer, &m.evidence))).collect::<Vec<_>>()
    });
    view.with(|body| body.rows(Rows::of(changed.chain(wrong).collect::<Vec<_>>())))
}

/// `◐ Mechanism   covered before`; none where nothing changed in a part that both answers were marked on.
fn head(title: &str, part: &PartDifference) -> Option<doc::Row> {
    let (Some(before), Some(now)) = part.verdicts else { return None };
    let is_other = before != now || !part.gained.is_empty() || !part.lost.is_empty();
    let was = if before == now { "as before".to_owned() } else { format!("{} before", verdict(before)) };
    let cell = Cell::mark(now).said("") + Cell::text(format!(" {title}")).role(Role::Strong);
    let said = format!("{title}: {}, {was}", verdict(now));
    is_other.then(|| doc::Row::new([cell + Cell::text(format!("   {was}")).role(Role::Dim)]).said(said))
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
