//! The report of a rehearsal: what limited it, each answer with its marks, what cost most, what to do next.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::action::Action;
use super::keys::Scope;
use super::place::Place;
use super::verdict::marks::Marks;
use super::view::{Row, View};
use super::{Act, At, Next, Page};
use crate::doc::{Cell, Column, Document, Judged, Role};
use crate::score::{Source, Verdict};
use crate::services::Services;
use crate::services::export::with_graded;
use crate::study::attempt::Attempt;
use crate::study::rehearsal::{AnswerReport, Graded, PartReport, Report as Kept};
use crate::study::words::{capital, clock, percent, some};
use pace::{away, pace};

mod pace;

/// How many sentences are shown under what cost most.
const COSTLY: usize = 5;
/// How many earlier rehearsals the mark is compared with.
const EARLIER: u32 = 6;
/// Columns that what cost most and the parts need to stand beside each other.
const COLUMNS: (u16, u16) = (56, 44);
/// The columns of a meter.
const METER: u16 = 10;

/// A report.
pub struct Report {
    kept: Kept,
    /// What an instructor gave to its answers since.
    graded: Option<Graded>,
    /// Whether the prompts are shown that were not reached.
    unfolded: bool,
}

impl Report {
    /// A report that is kept.
    ///
    /// # Errors
    /// Where there is none with this id, or the store cannot be read.
    pub fn open(id: &str, services: &Services) -> Result<Self, String> {
        match services.store.report(id).map_err(|fault| fault.to_string())? {
            Some(kept) => Ok(Report { graded: services.graded(&kept), ..Report::ended(kept) }),
            None => Err("this report is not kept".into()),
        }
    }

    /// The report of a run that has just ended.
    pub fn ended(kept: Kept) -> Self {
        Report { kept, graded: None, unfolded: false }
    }

    fn read_next(&self, at: &mut At) -> Next {
        let pack = at.services.library.index(&self.kept.setup.pack);
        match (self.kept.next.first(), pack) {
            (Some(next), Some(pack)) => Next::Go(Place::Lesson { pack, id: next.lesson.clone() }),
            (None, _) => {
                at.say("no lesson stands out; drill the weakest part instead");
                Next::Stay
            }
            (_, None) => {
                at.say("its course is not loaded; add it with --pack");
                Next::Stay
            }
        }
    }

    fn export(&self, at: &mut At) -> Next {
        let said = match at.services.export(&self.kept) {
            Ok(paths) => paths
                .first()
                .map(|path| format!("Written: {}, and the same as JSON beside it", path.display())),
            Err(fault) => Some(format!("Not written: {fault}.")),
        };
        said.into_iter().for_each(|text| at.say(text));
        Next::Stay
    }
}

impl Page for Report {
    fn title(&self, _: &Services) -> Vec<String> {
        vec!["Rehearsal report".into()]
    }

    fn scopes(&self) -> Vec<Scope> {
        vec![Scope::Report]
    }

    fn view(&self, at: &At) -> View {
        let report = &self.kept;
        let ended = at.services.when(report.ended, at.now);
        // one that was broken off and gone on with later carries both days
        let view =
            View::new().facts(match at.services.today(report.started) == at.services.today(report.ended) {
                true => ended,
                false => format!("begun {}, ended {ended}", at.services.when(report.started, at.now)),
            });
        let graded = self.graded.as_ref();
        let view = view.list(head((report, graded), at.services));
        let view = answers((report, graded), self.unfolded, view.title("Answers"));
        let (costly, parts) = (costly(report, View::new()), parts(report, View::new()));
        let cards =
            [(COLUMNS.0, costly), (COLUMNS.1, parts)].into_iter().filter(|(_, card)| *card != View::new());
        let cards: Vec<(u16, View)> = cards.collect();
        let view = if cards.is_empty() { view } else { view.columns(cards) };
        let view = next(report, view, at.services);
        let notes = pace(report).into_iter().chain(away(report));
        let view = notes.fold(view, |view, text| view.dim(&text));
        let how = Cell::text(capital(&how(report))).role(Role::Dim).said(heard(report));
        view.list([Row::plain().wrapped().cell(how)]).pairs()
    }

    fn preview(&self, row: usize, at: &At) -> Option<Document> {
        let attempt = self.kept.answers.get(row)?.attempt(&self.kept);
        let marks = Marks::of(&attempt, &at.services.library);
        Some(marks.document().and(marks.answer()))
    }

    fn act(&mut self, act: Act, at: &mut At) -> Next {
        // the only row that leads to no other page
        if matches!(act, Act::Open(row) if row == self.kept.answers.len()) && !self.kept.unanswered.is_empty()
        {
            self.unfolded = !self.unfolded;
            return Next::Show;
        }
        match act.action() {
            Some(Action::ReadSection) => self.read_next(at),
            Some(Action::Export) => self.export(at),
            Some(Action::Reports) => Next::Go(Place::Reports),
            Some(Action::Again) => {
                Next::Go(Place::RehearseWith { setup: Box::new(self.kept.setup.clone()), start: false })
            }
            _ => Next::Stay,
        }
    }

    fn json(&self) -> Option<Value> {
        with_graded(&self.kept, self.graded.as_ref()).ok()
    }
}

/// What stands on top: the mark and what limited it, what to do about it, then in dim words how it compares.
fn head((report, graded): (&Kept, Option<&Graded>), services: &Services) -> Vec<Row> {
    let (answered, asked) = report.prompts();
    let wrapped = |cell: Cell| Row::plain().cell(cell).wrapped();
    let (total, limited) = (percent(report.total), limited(report));
    let mark = Cell::text(format!("{total}   ")).role(Role::Strong) + Cell::text(capital(&limited));
    let mut rows = vec![wrapped(mark.said(format!("{total}, {limited}")))];
    let pack = services.library.packs.iter().find(|p| p.id == report.setup.pack);
    let part = report.limiting.as_ref().and_then(|id| pack?.parts.iter().find(|p| p.id == *id));
    if let Some(part) = part.filter(|_| answered > 0) {
        let what = Cell::text("Next time ").role(Role::Strong);
        let question = format!("answer this in every prompt: {}", part.question);
        rows.push(wrapped(what + Cell::text(question)));
    }
    let mut out = vec![format!("{answered} of {} answered.", some(asked, "prompt"))];
    out.extend(graded.map(|graded| format!("{}.", graded.said())));
    out.extend(open(report, services));
    out.extend(follow_ups(report));
    out.extend(earlier(report, services));
    let dim = |text: &str| wrapped(Cell::text(text).role(Role::Dim));
    rows.push(dim(&out.join(" ")));
    rows
}

/// A run in which every part was covered: of how many prompts, and what follow-ups took from it.
fn covered(report: &Kept) -> String {
    let (answered, asked) = report.prompts();
    let lost = report.answers.iter().filter(|a| a.part.is_some() && a.total < 1.0).count();
    let lost = match lost {
        0 => String::new(),
        lost => format!(", but not of {}", some(lost, "follow-up")),
    };
    match answered == asked {
        true => format!("every part of every answer was covered{lost}."),
        false => format!("every part was covered{lost}; {answered} of {} answered.", some(asked, "prompt")),
    }
}

/// One sentence on what limited the run. Nothing is praised that was not good.
fn limited(report: &Kept) -> String {
    let part = report.limiting.as_ref().and_then(|id| report.parts.iter().find(|p| p.part == *id));
    match part {
        _ if report.prompts().0 == 0 => "nothing was answered.".into(),
        None => covered(report),
        Some(part) => {
            let [covered, partial, missing] = part.verdicts;
            let all = covered + partial + missing;
            let of = some(all, "answer");
            let why = match (partial, missing) {
                (0, missing) => format!("missing in {missing} of {of}"),
                (partial, 0) => format!("partial in {partial} of {of}"),
                (partial, missing) => format!("missing in {missing} and partial in {partial} of {of}"),
            };
            // a headline says how sure it is
            match unsure(report, &part.part) {
                0 => format!("limited by {}: {why}.", part.title),
                open if open == all => {
                    format!("perhaps limited by {}: {why}, and the rules are not sure of it.", part.title)
                }
                open => {
                    format!("limited by {}: {why}; the rules are not sure of {open} of them.", part.title)
                }
            }
        }
    }
}

/// How many marks of a part, follow-ups aside, the rules are not sure of.
fn unsure(report: &Kept, part: &str) -> usize {
    let whole = report.answers.iter().filter(|a| a.part.is_none());
    whole.flat_map(|a| &a.score.parts).filter(|mark| mark.part == part && mark.is_open()).count()
}

/// What the rules are not sure of, and was not asked yet: nothing is asked between the prompts of a rehearsal.
fn open(report: &Kept, services: &Services) -> Option<String> {
    let attempts = report.answers.iter().map(|a| {
        let kept = services.attempt(&a.attempt).ok().flatten();
        kept.map_or_else(|| a.attempt(report), |kept| kept.as_counted())
    });
    let attempts: Vec<Attempt> = attempts.collect();
    let open: usize = attempts.iter().map(|a| a.marks().filter(|p| p.is_open()).count()).sum();
    let claimed: usize = attempts.iter().map(|a| a.marks().filter(|p| p.source == Source::You).count()).sum();
    let whole: Vec<[f64; 2]> = attempts.iter().filter(|a| a.part.is_none()).map(Attempt::range).collect();
    let [low, high] = [0, 1].map(|end| whole.iter().map(|r| r[end]).sum::<f64>() / whole.len().max(1) as f64);
    let ask = (open > 0).then(|| {
        let (low, high) = (percent(low), percent(high));
        // the marks of follow-ups change nothing in the whole
        let range = if low == high { String::new() } else { format!(": it may be {low} to {high}") };
        format!("The rules are not sure of {}{range}. Open an answer to be asked.", some(open, "mark"))
    });
    let by_you =
        (claimed > 0).then(|| format!("{} by you, and not counted in this report.", some(claimed, "mark")));
    let all: Vec<String> = ask.into_iter().chain(by_you).collect();
    (!all.is_empty()).then(|| all.join(" "))
}

fn follow_ups(report: &Kept) -> Option<String> {
    let marks: Vec<f64> = report.answers.iter().filter(|a| a.part.is_some()).map(|a| a.total).collect();
    let mean = marks.iter().sum::<f64>() / marks.len() as f64;
    let asked = some(marks.len(), "follow-up");
    (!marks.is_empty()).then(|| format!("{asked}: {}, not part of the mark.", percent(mean)))
}

/// The marks of the rehearsals up to this one, the oldest first; none where it is the first.
fn earlier(report: &Kept, services: &Services) -> Option<String> {
    let found = services.store.rehearsals(&report.setup.pack, EARLIER).ok()?;
    let mut marks: Vec<String> =
        found.iter().filter(|r| r.at <= report.ended).take(3).map(|r| percent(r.total)).collect();
    marks.reverse();
    (marks.len() > 1).then(|| format!("Your last rehearsals: {}.", marks.join(", then ")))
}

/// The same for the ear: how the clocks were set was heard when it began.
fn heard(report: &Kept) -> &'static str {
    if report.setup.strict { "" } else { "In practice, not strict." }
}

fn how(report: &Kept) -> String {
    let s = &report.setup;
    let manner = if s.strict { "strict" } else { "practice" };
    let follow = match s.follow_ups {
        true => format!(", follow-ups of {}", clock(s.follow)),
        false => String::new(),
    };
    let clocks = format!("{} to think, {} to answer", clock(s.think), clock(s.answer));
    format!("{manner}, {clocks}{follow}, seed {}", s.seed)
}

/// The answers, each in a row that opens it, follow-ups under theirs, and the prompts that were not reached.
fn answers((report, graded): (&Kept, Option<&Graded>), unfolded: bool, view: View) -> View {
    if report.answers.is_empty() && report.unanswered.is_empty() {
        return view.words("Nothing was answered.");
    }
    let mut columns = vec![
        Column::words(""),
        Column::words("question"),
        Column::words("parts"),
        Column::numbers("mark"),
        Column::numbers("words"),
        Column::numbers("left"),
    ];
    if graded.is_some() {
        columns.push(Column::numbers("by the instructor"));
    }
    let reached = report.answers.iter().map(|a| a.number).max().unwrap_or(0);
    let missed = report.unanswered.iter().enumerate().filter(|_| unfolded).map(|(i, prompt)| {
        Row::plain()
            .brief()
            .cell(Cell::text((reached + i + 1).to_string()).role(Role::Dim))
            .cell(Cell::text(prompt.text.clone()).role(Role::Dim))
    });
    let rows: Vec<Row> = report.answers.iter().map(|a| answer(a, (report, graded))).collect();
    let fold = not_reached(report.unanswered.len(), unfolded);
    view.table(columns, rows.into_iter().chain(fold).chain(missed))
}

/// How many prompts were not reached, in a row that shows them: the next rehearsal may ask them.
fn not_reached(count: usize, unfolded: bool) -> Option<Row> {
    let prompts = some(count, "prompt");
    let (was, them) = if count == 1 { ("was", "it") } else { ("were", "them") };
    let key = if unfolded { "hides" } else { "shows" };
    let text = Cell::text(format!("{prompts} {was} not answered; enter {key} {them}")).role(Role::Dim);
    let said = format!("Not answered: {}", some(count, "question"));
    (count > 0).then(|| Row::here().brief().cell(Cell::text("")).cell(text).said(said))
}

fn answer(answer: &AnswerReport, (report, graded): (&Kept, Option<&Graded>)) -> Row {
    let (number, question, spoken, role) = match &answer.part {
        Some(_) => (String::new(), format!("follow-up: {}", answer.question), "Follow-up".into(), Role::Dim),
        None => {
            let spoken = format!("Question {}", answer.number);
            (answer.number.to_string(), answer.question.clone(), spoken, Role::Text)
        }
    };
    let asked = |part: &str| answer.part.as_deref().is_none_or(|only| only == part);
    // the mark of a follow-up stands under its part
    let marks = report.parts.iter().map(|part| {
        let found = answer.score.parts.iter().find(|p| p.part == part.part && asked(&p.part));
        found.map_or(Cell::mark(Judged::Untouched), |p| Cell::mark(p.verdict))
    });
    let left = if answer.timed_out { "ran out".into() } else { clock(answer.unused) };
    let time = if answer.timed_out { "time ran out".to_owned() } else { format!("{left} left") };
    let words = match answer.first_word {
        Some(_) => some(answer.score.words, "word"),
        None => "no word typed".into(),
    };
    let said = format!(
        "{spoken}: {} {}; {}. {words}, {time}.",
        answer.question,
        percent(answer.total),
        said_marks(answer)
    );
    let row = Row::to(Place::Verdict { attempt: Box::new(answer.attempt(report)) })
        .brief()
        .cell(Cell::text(number))
        .cell(Cell::text(question).role(role))
        .cell(Cell::join(marks))
        .cell(Cell::percent(answer.total).role(Role::Strong))
        .cell(Cell::text(answer.score.words.to_string()))
        .cell(Cell::text(&left).role(Role::Dim));
    // an instructor's marks stand beside those of the report
    let Some(graded) = graded else { return row.said(said) };
    match graded.answers.get(&answer.attempt) {
        None => row.cell(Cell::text("")).said(said),
        Some(total) => {
            let said = format!("{said} {} by the instructor, {}.", percent(*total), graded.by);
            row.cell(Cell::percent(*total)).said(said)
        }
    }
}

/// The marks of an answer for the ear: the parts by their marks, those that lack most first.
fn said_marks(answer: &AnswerReport) -> String {
    let asked = |part: &str| answer.part.as_deref().is_none_or(|only| only == part);
    let marked = |mark: Verdict| {
        let parts = answer.score.parts.iter().filter(|p| p.verdict == mark && asked(&p.part));
        let parts: Vec<&str> = parts.map(|p| p.part.as_str()).collect();
        (!parts.is_empty()).then(|| format!("{}: {}", Judged::from(mark).word(), parts.join(", ")))
    };
    let all = [Verdict::Missing, Verdict::Partial, Verdict::Covered];
    let said: Vec<String> = all.into_iter().filter_map(marked).collect();
    if answer.part.is_some() { said.concat() } else { said.join("; ") }
}

fn parts(report: &Kept, view: View) -> View {
    if report.parts.is_empty() {
        return view;
    }
    let row = |(at, part): (usize, &PartReport)| {
        let limits = if report.limiting.as_ref() == Some(&part.part) { "limits" } else { "" };
        let [covered, partial, missing] = part.verdicts;
        // of several answers how many, of one its mark
        let counts = [(covered, "covered"), (partial, "partial"), (missing, "missing")];
        let is_one = covered + partial + missing == 1;
        let counts = counts.into_iter().filter(|(count, _)| *count > 0);
        let counts: Vec<String> = counts
            .map(|(count, word)| if is_one { word.to_owned() } else { format!("{count} {word}") })
            .collect();
        let counts = counts.join(", ");
        let told = if limits.is_empty() { "" } else { "the one that limits" };
        Row::plain()
            .cell(Cell::text((at + 1).to_string()).role(Role::Dim) + Cell::text(format!(" {}", part.title)))
            .cell(Cell::meter(part.score, METER))
            .cell(Cell::percent(part.score).role(Role::Strong))
            .cell(Cell::text(limits).role(Role::Strong))
            .said(format!("{} {}, {counts}, {told}", part.title, percent(part.score)).trim_end_matches(", "))
    };
    view.title("Parts").list(report.parts.iter().enumerate().map(row))
}

/// What would have earned most: the sentences of the open parts, the dearest first, and of those alike the ones of the
/// weaker part. A follow-up counts apart, so what it lacked comes last.
fn costly(report: &Kept, view: View) -> View {
    // a follow-up is marked on its own part alone, so the place among its marks says nothing
    let number = |part: &str| report.parts.iter().position(|of| of.part == part);
    let mut lost: BTreeMap<(bool, usize, &str), (f64, BTreeSet<usize>)> = BTreeMap::new();
    for answer in &report.answers {
        let asked = |part: &str| answer.part.as_deref().is_none_or(|only| only == part);
        for part in answer.score.parts.iter().filter(|part| asked(&part.part)) {
            let open = part.verdict != Verdict::Covered && !part.feedback.is_empty();
            if let Some(at) = number(&part.part).filter(|_| open) {
                let (cost, questions) =
                    lost.entry((answer.part.is_some(), at, part.feedback.as_str())).or_default();
                *cost += 1.0 - part.score;
                questions.insert(answer.number);
            }
        }
    }
    let mut lost: Vec<_> = lost.into_iter().collect();
    lost.sort_by(|((a_follows, a, _), (a_cost, _)), ((b_follows, b, _), (b_cost, _))| {
        let weaker = report.parts[*a].score.total_cmp(&report.parts[*b].score);
        a_follows.cmp(b_follows).then(b_cost.total_cmp(a_cost)).then(weaker)
    });
    if lost.is_empty() {
        return view;
    }
    let row = |((follows, at, feedback), (_, questions)): ((bool, usize, &str), (f64, BTreeSet<usize>))| {
        let title = &report.parts[at].title;
        let questions: Vec<String> = questions.iter().map(ToString::to_string).collect();
        let word = if questions.len() == 1 { "question" } else { "questions" };
        let after = if follows { ", follow-up" } else { "" };
        let said = format!("{title}, {word} {}{after}: {feedback}", questions.join(", "));
        let what = if follows { "follow-up: " } else { "" };
        Row::plain()
            .wrapped()
            .cell(Cell::text(title).role(Role::Dim))
            .cell(Cell::text(what).role(Role::Dim) + Cell::text(feedback))
            .said(said)
    };
    view.title("What cost most").list(lost.into_iter().take(COSTLY).map(row))
}

/// What to do next; each row leads there.
fn next(report: &Kept, view: View, services: &Services) -> View {
    let Some(pack) = services.library.index(&report.setup.pack) else {
        return view;
    };
    let planned = &report.setup.planned;
    let is_outside = |lesson: &String| !planned.is_empty() && !planned.contains(lesson);
    let outside = |lesson: &String| if is_outside(lesson) { ", outside your plan" } else { "" };
    let read = report.next.iter().map(|read| {
        Row::to(Place::Lesson { pack, id: read.lesson.clone() })
            .cell(Cell::text(format!("Read {}", read.title)))
            .cell(Cell::text(format!("{}{}", read.why, outside(&read.lesson))).role(Role::Dim))
    });
    let drill = report.limiting.as_ref().and_then(|part| {
        let weakest = report.answers.iter().filter(|a| a.part.is_none()).min_by(|a, b| {
            let mark =
                |a: &AnswerReport| a.score.parts.iter().find(|p| p.part == *part).map_or(1.0, |p| p.score);
            mark(a).total_cmp(&mark(b))
        })?;
        let title = report.parts.iter().find(|p| p.part == *part).map_or(&part[..], |p| &p.title);
        let place = Place::PartAgain { pack, id: weakest.drill.clone(), part: part.clone() };
        Some(Row::to(place).cell(Cell::text(format!("Answer {title} alone, on prompt {}", weakest.number))))
    });
    let rows: Vec<Row> = read.chain(drill).collect();
    if rows.is_empty() { view } else { view.title("Next").list(rows) }
}

#[cfg(test)]
mod tests;
