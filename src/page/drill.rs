//! A drill: the question, the answer as it is typed, the own rating before the marks. The draft is kept
//! while it is typed.

use jiff::{SignedDuration, Timestamp};

use super::action::Action;
use super::keys::Scope;
use super::place::Place;
use super::rate::{Rate, Rated};
use super::verdict::points::quoted;
use super::view::{Clock, Row, View};
use super::{Act, At, Effect, Next, Page};
use crate::doc::{Cell, Role};
use crate::pack::{Drill as DrillOf, Level, Pack, Part};
use crate::score::{Flag, Reply};
use crate::services::job::{Done, Job, Unmarked};
use crate::services::{Kept, Record, Services, run};
use crate::store::Filter;
use crate::study::answer;
use crate::study::attempt::{Attempt, Mode, is_part_again};
use crate::study::home::Draft;
use crate::study::schedule::Grade;
use crate::study::words::{clock, some, verdict};

/// A change is kept after this time at the latest.
const SAVE_AFTER: SignedDuration = SignedDuration::from_millis(700);
/// So much time that was spent on a draft may be lost to a kill.
const CLOCK_AFTER: SignedDuration = SignedDuration::from_secs(5);
/// Nothing was seen for longer than this on a screen, which hears of each second: the program stood still, or the
/// machine slept, or its clock was set.
pub(super) const GONE: SignedDuration = SignedDuration::from_secs(60);
/// Between two lines of who listens more time may pass.
const GONE_BY_EAR: SignedDuration = SignedDuration::from_hours(1);

/// An answer of more bytes than this is marked beside the program: what a person says in minutes has a few thousand, and
/// so many are marked within a frame or two.
const AT_ONCE: usize = 50_000;

/// An answer in the making.
pub struct Drill {
    pack: usize,
    drill: DrillOf,
    parts: Vec<Part>,
    /// As it stands; its seconds are those before this page was opened.
    draft: Draft,
    /// What was said of other drafts of it.
    others: Vec<String>,
    /// The whole answer that a follow-up question goes into.
    before: Option<String>,
    /// The time that was spent here, as far as the program was there to see it.
    spent: SignedDuration,
    /// As much of that is kept with the draft.
    kept: SignedDuration,
    /// When it was seen last.
    seen: Timestamp,
    /// Whether it is heard.
    by_ear: bool,
    /// When what is not kept yet was typed first.
    unsaved: Option<Timestamp>,
    resumed: bool,
    /// What was said last of an answer that could not be kept.
    trouble: Option<String>,
    /// The part whose question shows, by its place among those asked for.
    part: Option<usize>,
    /// Whether it is being marked, beside the program.
    is_marked: bool,
    /// The text that was too short to judge when it was ended last.
    held_back: Option<String>,
    /// The answer once it is scored, and the rating of it that comes before its marks.
    rating: Option<(Box<Attempt>, Rate)>,
}

/// Fewer words than this are a slip of the keys, where they answer nothing.
const SLIP: usize = 5;

impl Drill {
    /// Opens a drill, or one part of it, with the draft that was left.
    ///
    /// # Errors
    /// Where the pack has no such drill.
    pub fn open(index: usize, id: &str, only: Option<&str>, at: &mut At) -> Result<Self, String> {
        Drill::of((index, id), (only, false), at)
    }

    /// Opens one part of the prompt, to be answered again.
    ///
    /// # Errors
    /// Where the pack has no such drill.
    pub fn again(index: usize, id: &str, part: &str, at: &mut At) -> Result<Self, String> {
        Drill::of((index, id), (Some(part), true), at)
    }

    fn of(
        (index, id): (usize, &str),
        (only, again): (Option<&str>, bool),
        at: &mut At,
    ) -> Result<Self, String> {
        let found = at.services.pack(index).and_then(|pack| Some((pack, pack.drill(id)?)));
        let Some((pack, drill)) = found else {
            return Err(format!(
                "there is no drill “{id}” in this course; `infralens list drills` names them"
            ));
        };
        let (pack_id, parts, drill) = (pack.id.clone(), pack.parts.clone(), drill.clone());
        let left = at.services.take_draft(&pack_id, (id, only), again, at.now);
        let resumed = left.as_ref().is_some_and(|d| !d.text.trim().is_empty());
        let fresh = |at: &At| Draft {
            id: at.services.fresh_id(at.now),
            pack: pack_id.clone(),
            drill: id.to_owned(),
            mode: if again { Mode::Practice } else { answer::mode(only) },
            part: only.map(str::to_owned),
            text: String::new(),
            seconds: 0,
            at: at.now,
        };
        let draft = left.unwrap_or_else(|| fresh(at));
        let others = at.services.other_drafts(&draft);
        others.iter().for_each(|said| at.say(said.clone()));
        let follow_up = answer::follow_up(&drill, only).map(|_| ());
        let before = match (follow_up, again) {
            (Some(()), false) => {
                whole_answer(&pack_id, id, at.services).map(|a| format!("You answered: {}", a.answer))
            }
            (_, true) => {
                whole_answer(&pack_id, id, at.services).map(|a| earned(&a, only.unwrap_or_default()))
            }
            (None, false) => None,
        };
        Ok(Drill {
            pack: index,
            drill,
            parts,
            draft,
            others,
            before,
            spent: SignedDuration::ZERO,
            kept: SignedDuration::ZERO,
            seen: at.now,
            by_ear: false,
            unsaved: None,
            resumed,
            trouble: None,
            part: None,
            is_marked: false,
            held_back: None,
            rating: None,
        })
    }

    fn only(&self) -> Option<&str> {
        self.draft.part.as_deref()
    }

    /// Whether it is one part of the prompt, and not a follow-up question on it.
    fn is_again(&self) -> bool {
        is_part_again(self.draft.mode, self.only())
    }

    fn minutes(&self) -> u32 {
        answer::minutes(&self.drill, self.only())
    }

    fn seconds(&self) -> u32 {
        self.draft.seconds.saturating_add(u32::try_from(self.spent.as_secs()).unwrap_or(u32::MAX))
    }

    /// Lets the time pass that has passed. A time in which the program was not there does not count, nor does one that
    /// a clock takes back.
    fn pass(&mut self, at: &mut At) {
        let gap = at.now.duration_since(self.seen);
        self.seen = at.now;
        let limit = if self.by_ear { GONE_BY_EAR } else { GONE };
        if gap <= limit {
            self.spent = self.spent.saturating_add(gap.max(SignedDuration::ZERO));
        } else if self.rating.is_none() {
            let gap = clock(u32::try_from(gap.as_secs()).unwrap_or(u32::MAX));
            at.say(format!("The clock stood still for {gap}: the program was stopped, or the clock was set"));
        }
    }

    /// The parts that are asked for, each with its number.
    fn asked(&self) -> impl Iterator<Item = (usize, &Part)> {
        let only = self.only();
        let all = self.parts.iter().enumerate().map(|(at, part)| (at + 1, part));
        all.filter(move |(_, part)| only.is_none_or(|only| only == part.id))
    }

    fn typed(&mut self, text: String, at: &mut At) -> Next {
        if text != self.draft.text {
            self.draft.text = text;
            self.unsaved.get_or_insert(at.now);
        }
        if self.by_ear {
            // a line that was sent is kept before the next is read
            self.save(at);
            return Next::Stay;
        }
        self.save_late(at)
    }

    /// Keeps what waits long enough: between two keys, where there is time for it.
    fn save_late(&mut self, at: &mut At) -> Next {
        if self.wake_at(at.now).is_some_and(|wake| wake <= at.now) {
            self.save(at);
        }
        Next::Stay
    }

    /// Whether there is a draft whose clock can be kept.
    fn is_timed(&self) -> bool {
        self.rating.is_none() && !self.draft.text.trim().is_empty()
    }

    /// Keeps the text and its clock, where one of them is not kept.
    fn save(&mut self, at: &mut At) {
        let is_kept = self.unsaved.take().is_none() && (self.kept == self.spent || !self.is_timed());
        if is_kept {
            return;
        }
        self.kept = self.spent;
        let draft = Draft { seconds: self.seconds(), at: at.now, ..self.draft.clone() };
        let kept = at.services.keep(Record::Draft(draft), at.now);
        self.hear(kept, at);
    }

    /// Says what is not kept, once as long as it is the same.
    fn hear(&mut self, kept: Kept, at: &mut At) {
        let said = kept.said();
        if let Some(text) = said.as_ref().filter(|text| self.trouble.as_ref() != Some(text)) {
            at.say(text.clone());
        }
        self.trouble = said;
    }

    fn submit(&mut self, at: &mut At) -> Next {
        if self.draft.text.trim().is_empty() {
            at.say("There is nothing to score yet; type an answer first");
            return Next::Stay;
        }
        let unmarked = Unmarked {
            pack: self.pack,
            drill: self.drill.id.clone(),
            id: self.draft.id.clone(),
            part: self.draft.part.clone(),
            again: self.is_again(),
            text: self.draft.text.clone(),
            seconds: self.seconds(),
            at: at.now,
        };
        if self.draft.text.len() > AT_ONCE {
            if !std::mem::replace(&mut self.is_marked, true) {
                at.out.push(Effect::Job(Job::Mark(Box::new(unmarked))));
            }
            at.say("Marking … a text of this length takes a moment");
            return Next::Stay;
        }
        let Some(pack) = at.services.pack(self.pack) else { return Next::Back };
        match run::marked(pack, unmarked) {
            Done::Marked(attempt) if self.is_held_back(&attempt) => {
                at.say(
                    "This is too short to judge: a few full sentences are enough. It stays here; end it once more to \
                     have it marked as it is",
                );
                Next::Stay
            }
            Done::Marked(attempt) => self.finish(attempt, at),
            _ => Next::Back,
        }
    }

    /// Whether an answer is handed back once: a slip of the keys counts for nothing.
    fn is_held_back(&mut self, attempt: &Attempt) -> bool {
        let is_short = attempt.score.words < SLIP && attempt.score.flags.contains(&Flag::TooShort);
        is_short && self.held_back.replace(attempt.answer.clone()).as_ref() != Some(&attempt.answer)
    }

    /// Keeps the answer with its marks, and asks for the own rating before it shows them.
    fn finish(&mut self, attempt: Box<Attempt>, at: &mut At) -> Next {
        let rate = Rate::of(&attempt, at.services.pack(self.pack));
        self.unsaved = None;
        let kept = at.services.keep(Record::Attempt(attempt.clone()), at.now);
        self.hear(kept, at);
        match rate {
            Some(rate) => {
                self.rating = Some((attempt, rate));
                Next::Show
            }
            None => Next::Replace(Place::Verdict { attempt }),
        }
    }

    fn head(&self, pack: Option<&Pack>) -> View {
        let question = match self.only().filter(|_| self.is_again()) {
            Some(part) => answer::question_again(&self.parts, &self.drill, part),
            None => answer::question(&self.parts, &self.drill, self.only()),
        };
        let minutes = some(self.minutes() as usize, "minute");
        let said = format!("{minutes}, {}. Question: {question}", level(self.drill.level));
        let strong = |text: &str| Row::plain().wrapped().cell(Cell::text(text).role(Role::Strong));
        let dim = |text: &str| Row::plain().wrapped().cell(Cell::text(text).role(Role::Dim));
        let mut rows = vec![strong(&question).said(said)];
        if pack.is_some_and(|_| !self.is_again() && answer::follow_up(&self.drill, self.only()).is_some()) {
            rows.push(dim(&format!("The prompt was: {}", self.drill.prompt)));
        }
        // what was answered is there to be seen; who hears it has just said it
        rows.extend(self.before.iter().map(|answer| dim(answer).said("")));
        View::new().list(rows).of_pack(self.pack)
    }

    fn standing(&self) -> String {
        let kept = match (self.unsaved.is_some(), self.resumed) {
            _ if self.is_marked => "marking …",
            _ if self.trouble.is_some() => "not kept",
            (true, _) => "saving …",
            (false, true) => "your draft, continued",
            (false, false) if self.draft.text.is_empty() => "the clock only counts up",
            (false, false) => "saved",
        };
        format!("{kept}   practice, {}", level(self.drill.level))
    }
}

/// The names of the parts, each with its number; of one of them what it asks.
pub(super) fn checklist(asked: &[(usize, &Part)], open: Option<usize>) -> View {
    // the number stays on the row of its name
    let name = |(number, part): (usize, &Part)| format!("{number}\u{a0}{}", part.title);
    let line = |parts: &[(usize, &Part)]| {
        let names: Vec<String> = parts.iter().map(|part| name(*part)).collect();
        let row = Row::plain().wrapped().cell(Cell::text(names.join("   ")).role(Role::Dim));
        (!names.is_empty()).then(|| row.said(""))
    };
    let Some(open) = open.filter(|at| *at < asked.len()) else {
        return View::new().list(line(asked));
    };
    let (number, part) = asked[open];
    let title = Row::plain().cell(Cell::text(name((number, part))).role(Role::Strong));
    let title = title.said(format!("Part {number}, {}: {}", part.title, part.question));
    let question = Row::plain().wrapped().cell(Cell::text(format!("  {}", part.question))).said("");
    let rows = line(&asked[..open]).into_iter().chain([title, question]).chain(line(&asked[open + 1..]));
    View::new().list(rows)
}

/// The newest answer to all of a drill.
fn whole_answer(pack: &str, drill: &str, services: &Services) -> Option<Attempt> {
    const NEWEST: u32 = 10;
    let filter = Filter { pack: Some(pack.to_owned()), drill: Some(drill.to_owned()), ..Filter::default() };
    let found = services.history(&filter, NEWEST).ok()?;
    found.into_iter().find(|a| a.part.is_none())
}

/// What an earlier answer earned in one part, and in which words; the rest of it would only stand in the way.
fn earned(attempt: &Attempt, part: &str) -> String {
    let counted = attempt.as_counted();
    let Some(mark) = counted.marks().find(|mark| mark.part == part) else {
        return "You did not answer this part before.".into();
    };
    let claims = attempt.claims.iter().flat_map(|claims| &claims.claimed);
    let own = claims.filter(|c| c.part == part && c.reply != Reply::No).flat_map(|c| &c.sentence);
    let evidence = mark.points.iter().flat_map(|point| &point.evidence);
    let quotes = quoted(&attempt.answer, evidence.chain(own));
    match quotes.is_empty() {
        true => format!("Before it was {}: you said nothing on this.", verdict(mark.verdict)),
        false => format!("Before it was {}, for {quotes}.", verdict(mark.verdict)),
    }
}

fn level(level: Level) -> &'static str {
    match level {
        Level::Junior => "junior",
        Level::Mid => "mid",
        Level::Senior => "senior",
    }
}

impl Page for Drill {
    fn title(&self, services: &Services) -> Vec<String> {
        let lesson = services.library.lesson(self.pack, &self.drill.lesson).map(|l| l.title.clone());
        let word = if self.only().is_some() { "one part" } else { "drill" };
        lesson.into_iter().chain([word.to_owned()]).collect()
    }

    fn scopes(&self) -> Vec<Scope> {
        vec![if self.rating.is_some() { Scope::Rate } else { Scope::Drill }]
    }

    fn view(&self, at: &At) -> View {
        if let Some((_, rate)) = &self.rating {
            return rate.view();
        }
        let ask = match self.only() {
            Some(_) => "Type this part only.",
            None => {
                "Type your answer as you would say it: the problem, the mechanism, what is communicated, the tradeoff, how you would measure it."
            }
        };
        let before = SignedDuration::from_secs(self.draft.seconds.into());
        let zero = self.seen.checked_sub(before.saturating_add(self.spent)).unwrap_or(self.seen);
        let clock = Clock { what: String::new(), zero, of: self.minutes() * 60, down: false };
        let head = self.head(at.services.pack(self.pack));
        head.beside(checklist(&self.asked().collect::<Vec<_>>(), self.part))
            .text(ask, &self.draft.text)
            .timed(clock)
            .standing(&self.standing())
    }

    fn by_ear(&mut self, _at: &mut At) {
        self.by_ear = true;
    }

    fn back(&mut self, _grade: Option<Grade>, at: &mut At) -> Next {
        // what was looked up meanwhile is a part of answering
        self.spent = self
            .spent
            .saturating_add(at.now.duration_since(self.seen).clamp(SignedDuration::ZERO, GONE_BY_EAR));
        self.seen = at.now;
        Next::Show
    }

    fn act(&mut self, act: Act, at: &mut At) -> Next {
        self.pass(at);
        if let Some((attempt, rate)) = &mut self.rating {
            let next =
                |attempt: &Attempt| Next::Replace(Place::Verdict { attempt: Box::new(attempt.clone()) });
            return match rate.act(&act, at) {
                Rated::Not => Next::Stay,
                Rated::Skipped => next(attempt),
                Rated::All(rating) => {
                    attempt.rate(rating);
                    let said = at.services.keep(Record::Rating(attempt.clone()), at.now).said();
                    said.into_iter().for_each(|text| at.say(text));
                    next(attempt)
                }
            };
        }
        match act {
            Act::Text(text) => self.typed(text, at),
            Act::Do(Action::Submit) => self.submit(at),
            Act::Do(Action::Checklist) => {
                let next = self.part.map_or(0, |at| at + 1);
                self.part = Some(next).filter(|next| *next < self.asked().count());
                Next::Stay
            }
            _ => Next::Stay,
        }
    }

    fn done(&mut self, done: &Done, at: &mut At) -> Next {
        let Done::Marked(attempt) = done else { return Next::Stay };
        if attempt.id != self.draft.id || !std::mem::take(&mut self.is_marked) {
            return Next::Stay;
        }
        if attempt.answer != self.draft.text {
            at.say("You typed on while it was marked; hand it in again when it is finished");
            return Next::Stay;
        }
        self.finish(attempt.clone(), at)
    }

    fn tick(&mut self, at: &mut At) -> Next {
        self.pass(at);
        self.save_late(at)
    }

    fn wake_at(&self, _now: Timestamp) -> Option<Timestamp> {
        let text = self.unsaved.and_then(|at| at.checked_add(SAVE_AFTER).ok());
        // the clock of a draft that is only looked at is kept too; in lines time passes with the lines
        let left = CLOCK_AFTER.saturating_sub(self.spent.saturating_sub(self.kept));
        let is_seen = self.is_timed() && !self.by_ear;
        let clock = is_seen.then(|| self.seen.checked_add(left).ok()).flatten();
        text.into_iter().chain(clock).min()
    }

    fn leave(&mut self, at: &mut At) {
        if self.rating.is_some() {
            return; // the answer is kept already
        }
        self.pass(at);
        if self.draft.text.trim().is_empty() {
            self.unsaved = None;
            let said = at.services.keep(Record::DropDraft(self.draft.id.clone()), at.now).said();
            said.into_iter().for_each(|text| at.say(text));
            return;
        }
        if self.trouble.take().is_some() {
            self.unsaved = Some(at.now); // where the text is will be said again
        }
        self.save(at);
        let others = at.services.other_drafts(&self.draft);
        let new = others.into_iter().filter(|said| !self.others.contains(said)).collect::<Vec<_>>();
        if !new.is_empty() && self.trouble.is_none() {
            at.say("Your draft is kept");
        }
        new.into_iter().for_each(|said| at.say(said));
    }
}
