//! A rehearsal that runs: the clock, the question, one take; in practice the own rating and the marks between.
//!
//! The state is kept each second and after each change that is older than a moment, so that a kill loses
//! a second at most. Who listens hears the question first: the clock stands until then.

use jiff::{SignedDuration, Timestamp};

use super::action::Action;
use super::drill::GONE;
use super::keys::Scope;
use super::place::Place;
use super::rate::{Rate, Rated};
use super::rehearse::sentence;
use super::view::View;
use super::{Act, At, Effect, Next, Page};
use crate::pack::Pack;
use crate::services::{Kept, Record, Services};
use crate::study::attempt::{Attempt, Mode};
use crate::study::rehearsal::{Call, Happened, Phase, Rehearsal as Run};
use crate::study::words::clock;

mod show;

/// A change is kept at once when the last time is longer ago than this.
const SAVE_AFTER: SignedDuration = SignedDuration::from_millis(700);
/// After the clock has ended something, the key to go on is not heard for this long: it was meant
/// for what was there before.
const DEAF: SignedDuration = SignedDuration::from_millis(1500);

/// A rehearsal that runs.
pub struct Rehearsal {
    run: Run,
    pack: usize,
    bell: bool,
    /// How many phases began, so that a face tells one text from the next.
    turn: usize,
    /// Whether it asks how to leave.
    leaving: bool,
    /// How long nothing was seen, in seconds, where that is why it asks: the clock stands still.
    gone: Option<u32>,
    /// Whether giving it up was asked for once.
    giving_up: bool,
    /// Whether to go on without an answer was asked for once.
    empty: bool,
    /// The part whose question shows, in practice.
    part: Option<usize>,
    saved: Timestamp,
    /// When the clock last ended a phase.
    turned: Option<Timestamp>,
    /// What could not be kept, and where it is instead.
    trouble: Option<String>,
    /// In practice, the rating that comes before the marks.
    rating: Option<Rate>,
    ear: Option<Ear>,
}

/// What only who listens needs.
#[derive(Default)]
struct Ear {
    /// The clock waits until the question is said.
    waits: bool,
    /// Whether the question is to be said with what follows.
    asks: bool,
}

impl Rehearsal {
    /// Opens a run that has just begun, or that goes on.
    ///
    /// # Errors
    /// Where its course is not at hand.
    pub fn open(run: &Run, bell: bool, at: &mut At) -> Result<Self, String> {
        let pack = at.services.library.index(&run.setup.pack);
        let pack = pack.ok_or_else(|| super::rehearse::not_loaded(&run.setup))?;
        let mut page = Rehearsal {
            run: run.clone(),
            pack,
            bell,
            turn: 0,
            leaving: false,
            gone: None,
            giving_up: false,
            empty: false,
            part: None,
            saved: at.now,
            turned: None,
            trouble: None,
            // after a kill the marks may have been seen
            rating: None,
            ear: None,
        };
        page.save(at);
        // recorded once more: a kill may have come between keeping the run and its answer
        for take in &run.takes {
            page.keep(Record::Attempt(Box::new(take.attempt.clone())), at);
        }
        Ok(page)
    }

    fn is_strict(&self) -> bool {
        self.run.setup.strict
    }

    fn is_typing(&self) -> bool {
        !matches!(self.run.phase, Phase::Verdict | Phase::Done)
    }

    /// Whether the clock stands still: the question is being said, or the program was not there for a while.
    fn waits(&self) -> bool {
        self.gone.is_some() || self.ear.as_ref().is_some_and(|ear| ear.waits)
    }

    /// Stops the clock where nothing was seen for long, and asks how to go on. The report says that it stood still.
    fn notice_gap(&mut self, at: &mut At) -> bool {
        let gap = at.now.duration_since(self.run.seen());
        if self.waits() || self.run.limit().is_none() || gap <= GONE {
            return false;
        }
        self.run.resume(at.now);
        let gap = u32::try_from(gap.as_secs()).unwrap_or(u32::MAX);
        match &mut self.ear {
            Some(ear) => {
                ear.waits = true;
                let gap = clock(gap);
                at.say(format!(
                    "Nothing was heard of the program for {gap}. The clock stood still, and Enter starts it"
                ));
            }
            None => (self.leaving, self.gone) = (true, Some(gap)),
        }
        self.save(at);
        true
    }

    /// What was typed in this phase.
    fn text(&self) -> &str {
        match self.run.phase {
            Phase::Think => &self.run.notes,
            _ => &self.run.text,
        }
    }

    /// The answer whose marks are shown, in practice.
    fn marked(&self) -> Option<&Attempt> {
        let shown = self.run.phase == Phase::Verdict;
        self.run.takes.last().filter(|_| shown).map(|t| &t.attempt)
    }

    /// Whether nothing was typed yet: there is nothing to keep, and nothing to go on with.
    fn is_untouched(&self) -> bool {
        let is_blank = self.run.text.trim().is_empty() && self.run.notes.trim().is_empty();
        is_blank && self.run.takes.is_empty()
    }

    fn save(&mut self, at: &mut At) {
        self.saved = at.now;
        if self.run.phase != Phase::Done && !self.is_untouched() {
            self.keep(Record::Rehearsal(Box::new(self.run.clone())), at);
        }
    }

    /// Keeps something; says what is not kept, once as long as it is the same.
    fn keep(&mut self, record: Record, at: &mut At) {
        let said = match at.services.keep(record, at.now) {
            Kept::Yes => None,
            kept => kept.said(),
        };
        if let Some(text) = said.as_ref().filter(|text| self.trouble.as_ref() != Some(text)) {
            at.say(text.clone());
        }
        self.trouble = said;
    }

    /// Does something with the run, and what follows from it. None where its course is gone.
    fn step(&mut self, at: &mut At, step: impl FnOnce(&mut Run, Timestamp, &Pack) -> Vec<Happened>) -> Next {
        let Some(pack) = at.services.pack(self.pack) else { return Next::Back };
        let happened = step(&mut self.run, at.now, pack);
        self.follow(happened, at)
    }

    /// Lets the time pass that has passed. The second value tells whether a phase ended with it.
    fn pass(&mut self, at: &mut At) -> (Next, bool) {
        if self.notice_gap(at) {
            return (Next::Show, true);
        }
        if self.waits() {
            self.run.hold(at.now);
            return (Next::Stay, false);
        }
        let before = self.turn;
        let next = self.step(at, Run::advance);
        let turned = self.turn != before;
        if turned {
            self.turned = Some(at.now);
            if self.bell {
                at.out.push(Effect::Bell);
            }
        }
        (next, turned)
    }

    /// What must be done about what happened: keep answers, begin the next phase, ring, call out.
    fn follow(&mut self, happened: Vec<Happened>, at: &mut At) -> Next {
        let mut scored = Vec::new();
        let mut began = false;
        for event in happened {
            match event {
                Happened::Scored(attempt) => scored.push(attempt),
                Happened::Began(_) => began = true,
                Happened::Called(call) => self.call(call, at),
            }
        }
        if self.ear.is_some() && !scored.is_empty() && self.run.takes.last().is_some_and(|t| t.timed_out) {
            at.say("Time is up. The answer is scored as it stands");
        }
        if began {
            self.begin(at);
        }
        scored.into_iter().for_each(|attempt| self.keep(Record::Attempt(attempt), at));
        match self.run.phase {
            Phase::Done => self.finish(at),
            _ if began => Next::Show,
            _ => Next::Stay,
        }
    }

    /// Another phase began.
    fn begin(&mut self, at: &mut At) {
        self.turn += 1;
        (self.empty, self.part) = (false, None);
        // a follow-up question is one part of what was rated just before
        let rated = self.marked().filter(|a| a.mode != Mode::FollowUp);
        self.rating = rated.and_then(|a| Rate::of(a, at.services.pack(self.pack)));
        let first_clock = match self.run.phase {
            Phase::Think | Phase::FollowUp { .. } => true,
            Phase::Answer => self.run.setup.think == 0,
            Phase::Verdict | Phase::Done => false,
        };
        if let Some(ear) = &mut self.ear {
            *ear = Ear { waits: first_clock, asks: first_clock };
        }
        self.save(at);
    }

    fn call(&self, call: Call, at: &mut At) {
        if self.bell && call != Call::Half {
            at.out.push(Effect::Bell);
        }
        let left = self.run.left(at.now).unwrap_or(0);
        if self.ear.is_some() {
            at.say(match call {
                Call::Half => format!("Half the time is left: {}", clock(left)),
                Call::Quarter => format!("A quarter of the time is left: {}", clock(left)),
                Call::Ten => format!("{left} seconds left. Only lines that you have sent count"),
            });
        }
    }

    fn finish(&mut self, at: &mut At) -> Next {
        let Some(pack) = at.services.pack(self.pack) else { return Next::Back };
        let report = Box::new(self.run.report(pack));
        self.keep(Record::Finish(Box::new(self.run.clone()), report.clone()), at);
        if self.ear.is_some() {
            at.say("The rehearsal is over");
        }
        Next::Replace(Place::Ended { report })
    }

    /// The question was heard: the clock runs from now on.
    fn start(&mut self, at: &At) {
        if let Some(ear) = self.ear.as_mut().filter(|ear| ear.waits) {
            ear.waits = false;
            self.run.hold(at.now);
        }
    }

    fn typed(&mut self, text: &str, at: &mut At) -> Next {
        if self.waits() {
            let is_more = text.trim_end() != self.text().trim_end();
            // who goes on typing after the end of a clock means what was there before
            if is_more && self.turned.is_some() {
                at.say("The time was up before this line, so it does not count. Enter starts the clock");
                return Next::Stay;
            }
            self.start(at);
            if !is_more {
                at.say("The clock is running");
                return Next::Stay;
            }
        }
        if self.is_typing() && !self.leaving {
            self.turned = self.turned.filter(|_| self.ear.is_none());
            self.empty = false;
            self.run.set_text(text, at.now);
            // a line that was sent is kept before the next is read
            if self.ear.is_some() || at.now.duration_since(self.saved) >= SAVE_AFTER {
                self.save(at);
            }
        }
        Next::Stay
    }

    /// Goes on by hand. An answer without words is asked about once.
    fn go_on(&mut self, at: &mut At) -> Next {
        let answering = matches!(self.run.phase, Phase::Answer | Phase::FollowUp { .. });
        let asks = answering && self.run.text.trim().is_empty();
        if asks && !std::mem::replace(&mut self.empty, true) {
            at.say(match self.ear {
                Some(_) => "You have typed nothing yet. Another dot goes on without an answer",
                None => "you have typed nothing yet; ctrl+s again leaves it without an answer",
            });
            return Next::Stay;
        }
        self.start(at);
        self.turned = None;
        self.step(at, Run::go_on)
    }

    fn rate(&mut self, act: &Act, at: &mut At) -> Next {
        let rated = self.rating.as_mut().map_or(Rated::Not, |rate| rate.act(act, at));
        if rated == Rated::Not {
            return Next::Stay;
        }
        self.rating = None;
        let kept = match rated {
            Rated::All(rating) => self.run.rate(rating).cloned(),
            _ => None,
        };
        self.save(at);
        kept.into_iter().for_each(|attempt| self.keep(Record::Rating(Box::new(attempt)), at));
        Next::Show
    }

    fn act_on_leaving(&mut self, action: Action, at: &mut At) -> Next {
        if action != Action::Discard {
            self.giving_up = false;
        }
        match action {
            Action::Back => {
                self.leaving = false;
                if self.gone.take().is_some() {
                    self.run.hold(at.now);
                }
                Next::Show
            }
            Action::Submit => self.step(at, Run::stop),
            Action::Later => Next::Back,
            Action::Discard if self.giving_up => {
                self.keep(Record::DropRehearsal(self.run.id.clone()), at);
                self.run.phase = Phase::Done; // nothing of it is kept any more
                Next::Back
            }
            Action::Discard => {
                self.giving_up = true;
                at.say("d again gives the rehearsal up");
                Next::Stay
            }
            _ => Next::Stay,
        }
    }

    fn act_on_phase(&mut self, action: Action, at: &mut At) -> Next {
        match action {
            Action::Submit => self.go_on(at),
            Action::Open if !self.is_typing() => self.go_on(at),
            // in lines leaving keeps it, and that is said
            Action::Back if self.ear.is_some() => Next::Stay,
            Action::Back => {
                self.leaving = true;
                Next::Show
            }
            Action::Checklist if !self.is_strict() => {
                let parts = at.services.pack(self.pack).map_or(0, |pack| pack.parts.len());
                self.part = Some(self.part.map_or(0, |part| part + 1)).filter(|part| *part < parts);
                Next::Stay
            }
            Action::NextPage => self.step(at, Run::skip_follow_ups),
            Action::Model => {
                let attempt = self.marked().map(|a| Box::new(a.clone()));
                attempt.map_or(Next::Stay, |attempt| Next::Go(Place::Verdict { attempt }))
            }
            Action::Cancel if self.ear.is_some() => {
                self.start(at);
                self.step(at, Run::stop)
            }
            _ => Next::Stay,
        }
    }

    /// Whether this was meant for what the clock has ended just now.
    fn is_late(&self, act: &Act, now: Timestamp) -> bool {
        let ends = match act.action() {
            Some(Action::Submit | Action::Open) => true,
            Some(Action::Digit(_)) => self.rating.is_some(), // letters of an answer that the clock ended
            _ => false,
        };
        let is_deaf = self.ear.is_none() && self.turned.is_some_and(|at| now.duration_since(at) < DEAF);
        ends && !self.leaving && is_deaf
    }
}

impl Page for Rehearsal {
    fn title(&self, services: &Services) -> Vec<String> {
        if self.ear.is_some() {
            return self.spoken(services).into_iter().collect();
        }
        let manner = if self.is_strict() { "strict rehearsal" } else { "rehearsal in practice" };
        let at = format!("prompt {} of {}", self.run.at + 1, self.run.prompts.len());
        vec![manner.into(), at]
    }

    fn scopes(&self) -> Vec<Scope> {
        if self.leaving {
            return vec![Scope::RehearsalLeave];
        }
        let by_ear = self.ear.as_ref().map(|_| Scope::RehearsalSpoken);
        let own = match (&self.run.phase, self.is_strict()) {
            (Phase::Verdict, _) if self.rating.is_some() => return vec![Scope::Rate],
            (Phase::Verdict, _) => vec![Scope::RehearsalMarks],
            (_, true) => vec![Scope::Rehearsal],
            (_, false) => vec![Scope::RehearsalPractice, Scope::Rehearsal],
        };
        own.into_iter().chain(by_ear).collect()
    }

    fn view(&self, at: &At) -> View {
        show::view(self, at)
    }

    fn act(&mut self, act: Act, at: &mut At) -> Next {
        let (next, turned) = self.pass(at);
        if turned || self.run.phase == Phase::Done {
            return next;
        }
        if self.is_late(&act, at.now) {
            at.say("the time was up, so this comes next");
            return Next::Stay;
        }
        match (&act, act.action()) {
            (Act::Text(text), _) => self.typed(text, at),
            (_, Some(action)) if self.leaving => self.act_on_leaving(action, at),
            _ if self.rating.is_some() => self.rate(&act, at),
            (_, Some(action)) => self.act_on_phase(action, at),
            _ => Next::Stay,
        }
    }

    fn by_ear(&mut self, at: &mut At) {
        let waits = self.run.limit().is_some();
        self.ear = Some(Ear { waits, asks: true });
        if self.run.started < at.now {
            at.say("The rehearsal goes on with the time that was left");
        } else {
            at.say(format!("Rehearsal: {}", sentence(&self.run.setup)));
        }
    }

    fn back(&mut self, _grade: Option<crate::study::schedule::Grade>, _at: &mut At) -> Next {
        // it ended under a page that stood over it
        if self.run.phase == Phase::Done { Next::Back } else { Next::Show }
    }

    fn tick(&mut self, at: &mut At) -> Next {
        let (next, turned) = self.pass(at);
        if !turned && !self.waits() && self.run.limit().is_some() {
            self.save(at);
        }
        next
    }

    fn wake_at(&self, now: Timestamp) -> Option<Timestamp> {
        self.run.next_second(now).filter(|_| !self.waits())
    }

    fn leave(&mut self, at: &mut At) {
        if self.run.phase == Phase::Done {
            return;
        }
        if self.is_untouched() {
            // what was typed and taken back may be kept
            self.keep(Record::DropRehearsal(self.run.id.clone()), at);
            at.say("nothing was typed, so nothing of this rehearsal is kept");
            return;
        }
        if self.waits() {
            self.run.hold(at.now);
        }
        self.save(at);
        if self.ear.is_some() && self.trouble.is_none() && !at.services.rescue.is_to_files() {
            let left = self.run.left(at.now);
            let left = left.map_or(String::new(), |left| format!(" with {} on the clock", clock(left)));
            at.say(format!("The rehearsal is kept; `infralens rehearse` goes on{left}"));
        }
    }
}
