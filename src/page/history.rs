//! Earlier answers, the newest first: `y` on Home, `history` in lines and on the command line.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::action::Action;
use super::keys::Scope;
use super::place::Place;
use super::verdict::marks::Marks;
use super::view::{Row, View};
use super::{Act, At, Next, Page};
use crate::doc::{self, Cell, Column, Document, Role, Rows};
use crate::score::{Source, Verdict};
use crate::services::Services;
use crate::store::Filter;
use crate::study::answer;
use crate::study::attempt::Attempt;
use crate::study::words::{self, percent, some};

/// How many answers are listed where no other number is asked for.
pub const MOST: u32 = 200;

/// Earlier answers, of one drill or of all.
pub struct History {
    /// With what the learner claims.
    found: Vec<Attempt>,
    /// How many marks of each attempt are disputed, by its id.
    disputed: BTreeMap<String, usize>,
}

impl History {
    /// The newest `most`, of the drill with this pack id and id where one is named.
    ///
    /// # Errors
    /// Where the store cannot be read.
    pub fn open(drill: Option<&(String, String)>, most: u32, services: &Services) -> Result<Self, String> {
        let filter = Filter {
            pack: drill.map(|(pack, _)| pack.clone()),
            drill: drill.map(|(_, id)| id.clone()),
            ..Filter::default()
        };
        let found = services.history(&filter, most).map_err(|fault| fault.to_string())?;
        let packs: BTreeSet<&str> = found.iter().map(|a| &a.pack[..]).collect();
        let mut disputed: BTreeMap<String, usize> = BTreeMap::new();
        for pack in packs {
            for dispute in services.store.disputes(pack).map_err(|fault| fault.to_string())? {
                *disputed.entry(dispute.attempt).or_default() += 1;
            }
        }
        Ok(History { found: found.iter().map(Attempt::as_counted).collect(), disputed })
    }
}

impl Page for History {
    fn title(&self, _: &Services) -> Vec<String> {
        vec!["Earlier answers".into()]
    }

    fn scopes(&self) -> Vec<Scope> {
        if self.found.is_empty() { Vec::new() } else { vec![Scope::History] }
    }

    fn view(&self, at: &At) -> View {
        if self.found.is_empty() {
            return View::new().words("No answers yet. A drill asks for the first.");
        }
        let disputed = |a: &Attempt| self.disputed.get(&a.id).copied().unwrap_or(0);
        View::new().broad().table(columns(), self.found.iter().map(|a| row(a, disputed(a), at)))
    }

    /// The answer with its marks.
    fn preview(&self, row: usize, at: &At) -> Option<Document> {
        let marks = Marks::of(self.found.get(row)?, &at.services.library);
        Some(marks.document().and(marks.answer()))
    }

    fn act(&mut self, act: Act, at: &mut At) -> Next {
        let Act::On(Action::Again, row) = act else {
            return Next::Stay;
        };
        let drill = self.found.get(row).and_then(|a| {
            let pack = at.services.library.index(&a.pack)?;
            Some(Place::Drill { pack, id: a.drill.clone(), only: None })
        });
        drill.map_or(Next::Stay, Next::Go)
    }

    fn json(&self) -> Option<Value> {
        serde_json::to_value(&self.found).ok()
    }
}

fn column(title: &str) -> Column {
    if title == "mark" { Column::numbers(title) } else { Column::words(title) }
}

/// The columns of [`row`].
pub(super) fn columns() -> Vec<Column> {
    ["when", "mark", "parts", "", "drill"].map(column).to_vec()
}

/// An answer in one row: when, its mark, the marks of its parts, whose word they are, the question. It leads to its
/// verdict.
pub(super) fn row(attempt: &Attempt, disputed: usize, at: &At) -> Row {
    let services = &at.services;
    let asked = |part: &str| attempt.part.as_deref().is_none_or(|only| only == part);
    let marks = attempt.score.parts.iter().map(|p| match asked(&p.part) {
        true => Cell::mark(p.verdict),
        false => Cell::mark(doc::Judged::Untouched),
    });
    // what the learner claimed since may cover the part that limited it
    let is_open = |part: &&str| attempt.marks().any(|p| p.part == *part && p.verdict != Verdict::Covered);
    let limiting = attempt.score.limiting_part.as_deref().filter(is_open);
    let limiting = limiting.map_or(String::new(), |part| format!("weakest part {part}"));
    let claimed = attempt.marks().filter(|p| p.source == Source::You).count();
    let open = attempt.marks().filter(|p| p.is_open()).count();
    let notes = [
        (claimed > 0).then(|| format!("{claimed} by you")),
        given(attempt),
        (open > 0).then(|| format!("{open} not sure")),
        (disputed > 0).then(|| format!("you disagree with {disputed}")),
    ];
    let told: Vec<String> = notes.into_iter().flatten().collect();
    // the same sign as in the verdict; what is long stands in the column of the question, which has the room
    const DISPUTED: &str = "you disagree with ";
    let is_short = |note: &&String| {
        note.ends_with(" by you") || note.ends_with(" not sure") || note.starts_with(DISPUTED)
    };
    let (short, long): (Vec<&String>, Vec<&String>) = told.iter().partition(|note| is_short(note));
    let join = |notes: Vec<&String>| notes.into_iter().cloned().collect::<Vec<_>>().join(", ");
    let notes = short.into_iter().map(|note| match note.strip_prefix(DISPUTED) {
        Some(count) => format!("{count} disputed"),
        None => note.replace(" not sure", " unsure"),
    });
    let notes = notes.collect::<Vec<_>>().join(", ");
    let rest = if long.is_empty() { String::new() } else { format!("{}: ", join(long)) };
    let (only, question) = question(attempt, services);
    let (when, total) = (services.when(attempt.at, at.now), percent(attempt.total()));
    let parts = |n: usize| some(n, "part");
    let heard = [
        Some(total),
        Some(limiting).filter(|limiting| !limiting.is_empty()),
        (claimed > 0).then(|| format!("{} by your own word", parts(claimed))),
        given(attempt),
        (open > 0).then(|| format!("the rules are not sure of {}", parts(open))),
        (disputed > 0).then(|| format!("you disagree with {}", some(disputed, "mark"))),
    ];
    let heard: Vec<String> = heard.into_iter().flatten().collect();
    let asked = words::capital(&format!("{only}{question}"));
    let end = if asked.ends_with(['.', '?', '!']) { "" } else { "." };
    let said = format!("{asked}{end} {}. {when}", heard.join(", "));
    // an earlier answer leads to its marks; what they are not sure of is asked there
    let mut shown = attempt.clone();
    shown.claims.get_or_insert_default();
    Row::to(Place::Verdict { attempt: Box::new(shown) })
        .cell(Cell::text(when).role(Role::Dim))
        .cell(Cell::percent(attempt.total()).role(Role::Strong))
        .cell(Cell::join(marks))
        .cell(Cell::text(notes).role(Role::Dim).said(""))
        .cell(Cell::text(rest + &only).role(Role::Dim) + Cell::text(question))
        .said(said)
}

/// The newest answers with their marks, for a screen that has rows to spare; nothing where there are none, or where they
/// cannot be read.
pub(super) fn latest(most: u32, at: &At) -> Document {
    let found = at.services.history(&Filter::default(), most).unwrap_or_default();
    let today = at.services.today(at.now);
    let row = |kept: &Attempt| {
        let attempt = kept.as_counted();
        let (only, question) = question(&attempt, at.services);
        let day = words::date(at.services.today(attempt.at), today);
        doc::Row::new([
            Cell::text(day).role(Role::Dim),
            Cell::percent(attempt.total()).role(Role::Strong),
            Cell::join(attempt.marks().map(|part| Cell::mark(part.verdict))),
            Cell::text(only).role(Role::Dim) + Cell::text(question),
        ])
        .tall()
    };
    if found.is_empty() {
        return Document::new();
    }
    let columns = ["", "mark", "", ""].map(column).into_iter().map(|c| Column { title: String::new(), ..c });
    let rows = Rows { columns: columns.collect(), rows: found.iter().map(row).collect() };
    Document::new().title("Latest answers").rows(rows)
}

/// What an answer was to, and before it how it is one part alone; the id of a drill that is not at hand.
pub(super) fn question<'a>(attempt: &'a Attempt, services: &'a Services) -> (String, &'a str) {
    let drill = services.drill(&attempt.pack, &attempt.drill);
    let unknown =
        || (attempt.part.as_ref().map_or(String::new(), |part| format!("{part}: ")), &*attempt.drill);
    drill.map_or_else(unknown, |d| answer::listed(d, attempt.mode, attempt.part.as_deref()))
}

/// What the instructor gave for an answer, in few words: `2 marks and 1 remark by Dr B`.
pub(super) fn given(attempt: &Attempt) -> Option<String> {
    let marks = attempt.marks().filter(|p| p.source == Source::Instructor).count();
    let remarks = attempt.given.iter().filter(|g| !g.remark.is_empty()).count();
    let names: BTreeSet<&str> = attempt
        .given
        .iter()
        .filter(|g| g.verdict.is_some() || !g.remark.is_empty())
        .map(|g| &g.by[..])
        .collect();
    let names = names.into_iter().collect::<Vec<_>>().join(" and ");
    match (marks, remarks) {
        (0, 0) => None,
        (0, n) => Some(format!("{} by {names}", some(n, "remark"))),
        (n, 0) => Some(format!("{} by {names}", some(n, "mark"))),
        (n, m) => Some(format!("{} and {} by {names}", some(n, "mark"), some(m, "remark"))),
    }
}
