//! A rehearsal that runs, as it is shown and said.

use super::Rehearsal;
use crate::doc::{Cell, Document, Role, Rows};
use crate::page::At;
use crate::page::action::Action;
use crate::page::drill::checklist;
use crate::page::verdict::marks::Marks;
use crate::page::view::{Clock, Row, View};
use crate::services::Services;
use crate::study::answer::part_title;
use crate::study::rehearsal::Phase;
use crate::study::words::clock;

/// Seconds from which on the clock is said in words.
const LAST: u32 = 10;
/// What ends the question of a clock that waits.
const WAITS: &str = "The clock waits: Enter starts it, and so does your first line";

/// The whole page.
pub fn view(page: &Rehearsal, at: &At) -> View {
    let mut view = if page.leaving {
        leaving(page, at)
    } else if let Some(rate) = &page.rating {
        match page.ear {
            Some(_) => rate.view(),
            None => rate.view().under(no_clock(page, "Rating")),
        }
    } else if page.is_typing() {
        typing(page, at)
    } else {
        marks(page, at)
    };
    (view.clock, view.turn) = (running(page), page.turn);
    view.of_pack(page.pack)
}

/// The clock that runs; none while it waits.
fn running(page: &Rehearsal) -> Option<Clock> {
    let (zero, of) = (page.run.zero()?, page.run.limit()?);
    let what = match page.run.phase {
        Phase::Think => "Think",
        Phase::FollowUp { .. } => "Follow-up",
        _ => "Answer",
    };
    (!page.waits()).then(|| Clock { what: what.into(), zero, of, down: true })
}

fn strong(text: &str) -> Row {
    Row::plain().wrapped().cell(Cell::text(text).role(Role::Strong))
}

fn dim(text: &str) -> Row {
    Row::plain().wrapped().cell(Cell::text(text).role(Role::Dim))
}

fn typing(page: &Rehearsal, at: &At) -> View {
    let prompt = page.run.prompt().map_or("", |p| &p.text);
    let mut rows = Vec::new();
    match &page.run.phase {
        Phase::FollowUp { ask, .. } => {
            rows.push(strong(ask));
            rows.push(dim(&format!("The prompt was: {prompt}")));
            let before = page.run.takes.iter().rfind(|t| t.prompt == page.run.at && t.attempt.part.is_none());
            rows.extend(before.map(|take| dim(&format!("You answered: {}", take.attempt.answer.trim()))));
        }
        _ => rows.push(strong(prompt)),
    }
    // the title says the question; what was answered was just said by who listens
    let view = View::new().list(rows.into_iter().map(|row| row.said("")));
    let mut view = view.text(invitation(&page.run.phase), page.text());
    view.status = standing(page, at);
    view.side = side(page, at).map(|side| side.body);
    match page.ear {
        Some(_) => view.closing(&announced(page, at)).at(page.whereabouts()),
        None => view,
    }
}

fn invitation(phase: &Phase) -> &'static str {
    match phase {
        Phase::Think => {
            "Think. Notes may be typed here; they are not scored. ctrl+s begins the answer early."
        }
        Phase::FollowUp { .. } => "Answer the follow-up question.",
        _ => "Type your answer as you would say it. At 0:00 it is scored as it stands.",
    }
}

/// What stands beside the answer: the parts in practice, the notes.
fn side(page: &Rehearsal, at: &At) -> Option<View> {
    if page.part.is_some() {
        let parts = at.services.pack(page.pack).map_or(&[][..], |pack| &pack.parts);
        let parts: Vec<_> = parts.iter().enumerate().map(|(i, part)| (i + 1, part)).collect();
        return Some(checklist(&parts, page.part));
    }
    let notes = page.run.notes.trim();
    let answering = page.run.phase != Phase::Think;
    let lines = std::iter::once("Your notes").chain(notes.lines());
    (answering && !notes.is_empty()).then(|| View::new().list(lines.map(|line| dim(line).said(""))))
}

/// What is said of the clock that begins, in lines.
fn announced(page: &Rehearsal, at: &At) -> String {
    let left = clock(page.run.left(at.now).unwrap_or(0));
    let text = match page.run.phase {
        Phase::Think => {
            format!("Think: {left}. What you type now are notes. A single dot begins the answer.")
        }
        _ => format!("Answer now: {left}. A line with a single dot ends it."),
    };
    let stale = page.turned.is_some();
    match page.waits() {
        true if stale => format!("{text} The clock waits: Enter starts it."),
        true => format!("{text} {WAITS}. :? lists what else can be typed."),
        false => text,
    }
}

/// What holds in this phase, how little time is left, whether the program was away, what is not kept.
fn standing(page: &Rehearsal, at: &At) -> Document {
    let run = &page.run;
    let mut facts: Vec<(String, Role)> = Vec::new();
    let (left, limit) = (run.left(at.now).unwrap_or(u32::MAX), run.limit().unwrap_or(0));
    if left <= LAST {
        // the clock has the colour
        facts.push((seconds_left(left), Role::Strong));
    } else if left <= limit / 4 {
        facts.push(("a quarter of the time or less".into(), Role::Strong));
    }
    if let (Phase::FollowUp { part, .. }, false) = (&run.phase, page.is_strict()) {
        let parts = at.services.pack(page.pack).map_or(&[][..], |pack| &pack.parts);
        facts.push((format!("on {}", part_title(parts, part)), Role::Text));
    }
    let rule = match (&run.phase, page.is_strict()) {
        (Phase::Think, _) => "notes are not scored",
        (Phase::FollowUp { .. }, true) => "one take; scored on one part",
        (_, true) => "one take: no way back, no hints",
        (_, false) => "practice: ctrl+t shows the parts",
    };
    facts.push((rule.into(), Role::Dim));
    let away: u32 = run.away.iter().filter(|a| !a.stopped).map(|a| a.seconds).sum();
    if away > 0 {
        facts.push((format!("away for {} while a clock was running", clock(away)), Role::Warning));
    }
    let gap = |(i, (text, role)): (usize, (String, Role))| {
        Cell::text(format!("{}{text}", if i > 0 { "   " } else { "" })).role(role)
    };
    let row = crate::doc::Row::new([Cell::join(facts.into_iter().enumerate().map(gap))]);
    let trouble = page.trouble.as_ref();
    let trouble = trouble.map(|text| crate::doc::Row::new([Cell::text(text).role(Role::Warning)]).wrapped());
    Document::new().rows(Rows::of(std::iter::once(row).chain(trouble)))
}

/// The last seconds in words.
fn seconds_left(left: u32) -> String {
    const WORDS: [&str; 11] =
        ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    let noun = if left == 1 { "second" } else { "seconds" };
    format!("{} {noun} left", WORDS[left.min(LAST) as usize])
}

/// `Marks   the time was up; no clock is running; take your time`.
fn no_clock(page: &Rehearsal, what: &str) -> View {
    let ended = page.run.takes.last().is_some_and(|take| take.timed_out);
    let ended = if ended { "the time was up; " } else { "" };
    let row = Row::plain().cell(Cell::text(what).role(Role::Strong)).cell(
        Cell::text(ended).role(Role::Warning)
            + Cell::text("no clock is running; take your time").role(Role::Dim),
    );
    View::new().list([row.said("")])
}

fn marks(page: &Rehearsal, at: &At) -> View {
    let view =
        View::new().enter("goes on").closing("No clock is running. Enter goes on, n skips the follow-ups.");
    let Some(attempt) = page.marked() else { return view };
    let marks = Marks::of(attempt, &at.services.library);
    match page.ear {
        Some(_) => view.with(|body| body.and(marks.document())),
        None => {
            view.with(|body| body.and(marks.document()).and(marks.answer())).under(no_clock(page, "Marks"))
        }
    }
}

fn leaving(page: &Rehearsal, at: &At) -> View {
    let row = |action: Action, key: &str, text: &str| {
        Row::act(action).cell(Cell::text(key).role(Role::Accent)).cell(Cell::text(text)).said(text)
    };
    let (title, warning) = match page.gone {
        None => ("Leave the rehearsal?", "The clock keeps running.".to_owned()),
        Some(gap) => {
            let left = clock(page.run.left(at.now).unwrap_or(0));
            let text = format!(
                "The program was stopped for {}, or the clock was set. It stood still meanwhile, {left} are left.",
                clock(gap)
            );
            ("The clock stands still", text)
        }
    };
    let later = match page.is_untouched() {
        true => "leave; nothing was typed, so nothing of it is kept",
        false => "leave, and go on later with the time that is left",
    };
    let warning = Cell::text(warning).role(Role::Warning);
    View::new().title(title).list([Row::plain().wrapped().cell(warning)]).list([
        row(Action::Back, "esc", "stay and go on"),
        row(Action::Submit, "s", "end it here: score what is typed, see the report"),
        row(Action::Later, "l", later),
        row(Action::Discard, "d", "give it up; scored answers are kept"),
    ])
}

impl Rehearsal {
    /// Where one is while an answer is typed, in lines: the question is its title only before that.
    fn whereabouts(&self) -> String {
        let question = format!("question {} of {}", self.run.at + 1, self.run.prompts.len());
        let asks = self.ear.as_ref().is_some_and(|ear| ear.asks);
        match self.run.phase {
            Phase::Think | Phase::Answer if asks => String::new(),
            Phase::Think => format!("Rehearsal, {question}, thinking"),
            Phase::Answer => format!("Rehearsal, {question}, answering"),
            Phase::FollowUp { .. } | Phase::Verdict | Phase::Done => String::new(),
        }
    }

    /// What is said first, in lines.
    pub(super) fn spoken(&self, services: &Services) -> Option<String> {
        let asks = self.ear.as_ref().is_some_and(|ear| ear.asks);
        let question = self.run.prompt().map_or("", |p| &p.text);
        match &self.run.phase {
            Phase::Think | Phase::Answer if asks => {
                Some(format!("Question {} of {}: {question}", self.run.at + 1, self.run.prompts.len()))
            }
            Phase::FollowUp { part, ask } => {
                let parts = services.pack(self.pack).map_or(&[][..], |pack| &pack.parts);
                Some(format!("Follow-up on {}: {ask}", part_title(parts, part).to_lowercase()))
            }
            Phase::Verdict => Some("Verdict".into()),
            Phase::Think | Phase::Answer | Phase::Done => None,
        }
    }
}
