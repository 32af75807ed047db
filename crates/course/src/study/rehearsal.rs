//! A timed run of several drills, as a state machine: think, answer, follow-up, report.
//!
//! Clocks are moments on the wall, so a suspended or hidden program does not stop them; the time
//! away is noted. What was running then runs out and is scored; the next question waits until the
//! learner is back. After a kill [`Rehearsal::resume`] goes on with the time that was left. The whole
//! state is plain data: save it as JSON at most once a second.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::answer;
use super::attempt::{Attempt, Mode};
use super::rating::Rating;
use crate::pack::{Drill, Pack};
use crate::score::Verdict;

mod clock;
mod graded;
mod page;
mod pick;
mod report;
mod setup;

pub use graded::Graded;
pub use pick::{in_ten, pick};
pub use report::{AnswerReport, PartReport, ReadNext, Report, Totals};
pub use setup::{Setup, Topics};

use clock::{after, seconds};

/// A prompt of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Prompt {
    /// The drill's id.
    pub drill: String,
    /// The lesson's id.
    pub lesson: String,
    /// The question.
    pub text: String,
}

/// What a run is doing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// The think clock runs; notes may be typed.
    Think,
    /// The answer clock runs.
    Answer,
    /// The clock of a follow-up runs.
    FollowUp {
        /// The part it asks about.
        part: String,
        /// The question.
        ask: String,
    },
    /// Practice only: the marks of the last answer are shown, no clock runs.
    Verdict,
    /// All is answered; there is a report.
    Done,
}

/// One scored answer of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Take {
    /// The prompt, by its place.
    pub prompt: usize,
    /// The answer with its marks; `part` tells a follow-up.
    pub attempt: Attempt,
    /// Notes typed while thinking.
    pub notes: String,
    /// Seconds of thinking before it.
    pub thought: u32,
    /// Seconds from the start of the clock to the first word; none for an empty answer.
    pub first_word: Option<u32>,
    /// Seconds that were left.
    pub unused: u32,
    /// Whether the clock ended it.
    pub timed_out: bool,
}

/// A time in which the program was not seen running.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Away {
    /// The prompt, by its place.
    pub prompt: usize,
    /// Seconds.
    pub seconds: u32,
    /// Whether the clock stood still: after a kill, and when the computer's clock was set.
    pub stopped: bool,
}

/// A time to call out, once a clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Call {
    /// Half of the time is left.
    Half,
    /// A quarter is left.
    Quarter,
    /// Ten seconds are left.
    Ten,
}

/// What a step of the machine brought about.
#[derive(Debug, Clone, PartialEq)]
pub enum Happened {
    /// An answer was scored: keep it.
    Scored(Box<Attempt>),
    /// Another phase began.
    Began(Phase),
    /// A time to call out.
    Called(Call),
}

/// A run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Rehearsal {
    /// The id; the attempts' ids begin with it.
    pub id: String,
    /// How it was set up.
    pub setup: Setup,
    /// The prompts in their order.
    pub prompts: Vec<Prompt>,
    /// When it began.
    pub started: Timestamp,
    /// The prompt that is on, by its place.
    pub at: usize,
    /// What it is doing.
    pub phase: Phase,
    /// Notes typed while thinking about this prompt.
    pub notes: String,
    /// The answer so far.
    pub text: String,
    /// The answers scored so far.
    pub takes: Vec<Take>,
    /// When it was not seen.
    pub away: Vec<Away>,
    began: Timestamp,
    deadline: Option<Timestamp>,
    seen: Timestamp,
    thought: u32,
    first_word: Option<u32>,
    called: Option<Call>,
    followed: Vec<String>,
}

impl Rehearsal {
    /// Begins a run of these prompts (see [`pick`]) with the first think clock.
    pub fn begin(id: &str, setup: Setup, prompts: Vec<Prompt>, now: Timestamp) -> Self {
        let mut run = Rehearsal {
            id: id.into(),
            setup,
            prompts,
            started: now,
            at: 0,
            phase: Phase::Done,
            notes: String::new(),
            text: String::new(),
            takes: Vec::new(),
            away: Vec::new(),
            began: now,
            deadline: None,
            seen: now,
            thought: 0,
            first_word: None,
            called: None,
            followed: Vec::new(),
        };
        run.begin_prompt(now);
        run
    }

    /// The prompt that is on. None when all is done.
    pub fn prompt(&self) -> Option<&Prompt> {
        self.prompts.get(self.at).filter(|_| self.phase != Phase::Done)
    }

    /// Takes what stands in the editor: notes while thinking, else the answer.
    pub fn set_text(&mut self, text: &str, now: Timestamp) {
        match self.phase {
            Phase::Think => self.notes = text.into(),
            Phase::Answer | Phase::FollowUp { .. } => {
                if self.first_word.is_none() && !text.trim().is_empty() {
                    self.first_word = Some(seconds(self.began, now));
                }
                self.text = text.into();
            }
            Phase::Verdict | Phase::Done => {}
        }
    }

    /// Lets time pass: call it once a second and before anything else that the learner does. At
    /// 0:00 the answer is scored as it stands.
    pub fn advance(&mut self, now: Timestamp, pack: &Pack) -> Vec<Happened> {
        let mut happened = Vec::new();
        self.note_absence(now);
        while let Some(deadline) = self.deadline.filter(|d| *d <= now) {
            match self.phase {
                Phase::Think => self.begin_answer(deadline),
                _ => happened.extend(self.finish(deadline, now, pack)),
            }
            happened.push(Happened::Began(self.phase.clone()));
        }
        if let Some(call) = self.call(now) {
            self.called = Some(call);
            happened.push(Happened::Called(call));
        }
        happened
    }

    /// Goes on before the clock does: from thinking to answering, from an answer to its marks,
    /// from marks to a follow-up or the next prompt.
    pub fn go_on(&mut self, now: Timestamp, pack: &Pack) -> Vec<Happened> {
        let mut happened = self.advance(now, pack);
        if !happened.iter().any(|h| matches!(h, Happened::Began(_))) {
            happened.extend(self.step(now, pack));
        }
        happened
    }

    /// Practice only: leaves the follow-ups of this prompt out and goes on to the next.
    pub fn skip_follow_ups(&mut self, now: Timestamp, pack: &Pack) -> Vec<Happened> {
        let mut happened = self.advance(now, pack);
        if !self.setup.strict && matches!(self.phase, Phase::Verdict | Phase::FollowUp { .. }) {
            self.next_prompt(now);
            happened.push(Happened::Began(self.phase.clone()));
        }
        happened
    }

    /// Practice only: takes the learner's own rating of the answer whose marks come next. Gives that
    /// answer with it, to be kept. None where there is no such answer, or it was rated before.
    pub fn rate(&mut self, rating: Rating) -> Option<&Attempt> {
        let open = self.phase == Phase::Verdict;
        let attempt = &mut self.takes.last_mut().filter(|_| open)?.attempt;
        if attempt.rated.is_some() {
            return None;
        }
        attempt.rate(rating);
        Some(attempt)
    }

    /// Ends the run early. An answer with words in it is scored.
    pub fn stop(&mut self, now: Timestamp, pack: &Pack) -> Vec<Happened> {
        let mut happened = self.advance(now, pack);
        let typed = !self.text.trim().is_empty();
        if typed && matches!(self.phase, Phase::Answer | Phase::FollowUp { .. }) {
            happened.extend(self.finish(now, now, pack));
        }
        self.end();
        happened.push(Happened::Began(Phase::Done));
        happened
    }

    /// Goes on after the program was killed: the clock has the time that was left when the state
    /// was last saved.
    pub fn resume(&mut self, now: Timestamp) {
        self.shift(now);
    }

    fn step(&mut self, now: Timestamp, pack: &Pack) -> Vec<Happened> {
        let mut happened = Vec::new();
        match self.phase {
            Phase::Think => self.begin_answer(now),
            Phase::Answer | Phase::FollowUp { .. } => happened.extend(self.finish(now, now, pack)),
            Phase::Verdict => self.follow_up_or_next(now, pack),
            Phase::Done => return happened,
        }
        happened.push(Happened::Began(self.phase.clone()));
        happened
    }

    /// Scores the answer, which ended at `end`; what follows begins now.
    fn finish(&mut self, end: Timestamp, now: Timestamp, pack: &Pack) -> Option<Happened> {
        let attempt = self.scored(end, pack);
        if let Some(attempt) = &attempt {
            self.takes.push(Take {
                prompt: self.at,
                attempt: attempt.clone(),
                notes: std::mem::take(&mut self.notes),
                thought: std::mem::take(&mut self.thought),
                first_word: self.first_word,
                unused: self.limit().unwrap_or(0).saturating_sub(attempt.seconds),
                timed_out: self.deadline.is_some_and(|d| d <= end),
            });
        }
        if self.setup.strict || attempt.is_none() {
            self.follow_up_or_next(now, pack);
        } else {
            self.set_phase(Phase::Verdict, None, now);
        }
        attempt.map(|a| Happened::Scored(Box::new(a)))
    }

    /// The attempt of the answer that is on. None where the pack lost its drill.
    fn scored(&self, end: Timestamp, pack: &Pack) -> Option<Attempt> {
        let prompt = self.prompts.get(self.at)?;
        let drill = pack.drill(&prompt.drill)?;
        let part = match &self.phase {
            Phase::FollowUp { part, .. } => Some(part.clone()),
            _ => None,
        };
        let score = drill.scorer(part.as_deref(), &pack.vocabulary).score(&self.text);
        let tail = part.as_ref().map_or(String::new(), |p| format!("-{p}"));
        Some(Attempt {
            id: format!("{}-{}{tail}", self.id, self.at + 1),
            pack: self.setup.pack.clone(),
            drill: drill.id.clone(),
            lesson: drill.lesson.clone(),
            at: end,
            mode: Mode::of_rehearsal(part.is_some(), self.setup.strict),
            part,
            rehearsal: Some(self.id.clone()),
            seconds: seconds(self.began, end),
            answer: self.text.clone(),
            score,
            ..Attempt::default()
        })
    }

    fn follow_up_or_next(&mut self, now: Timestamp, pack: &Pack) {
        match self.follow_up(pack) {
            Some((part, ask)) => {
                self.followed.push(part.clone());
                self.set_phase(Phase::FollowUp { part, ask }, Some(self.setup.follow), now);
            }
            None => self.next_prompt(now),
        }
    }

    /// The weakest part of the answer that has a follow-up which was not asked yet; where every part is covered,
    /// the hardest one. None after an empty answer.
    fn follow_up(&self, pack: &Pack) -> Option<(String, String)> {
        if self.followed.len() >= self.setup.most_follow_ups() {
            return None;
        }
        let drill: &Drill = pack.drill(&self.prompts.get(self.at)?.drill)?;
        let take = self.takes.iter().rfind(|t| t.prompt == self.at && t.attempt.part.is_none())?;
        if take.attempt.answer.trim().is_empty() {
            return None;
        }
        let parts = &take.attempt.score.parts;
        let mut open: Vec<_> = parts.iter().filter(|p| p.verdict != Verdict::Covered).collect();
        open.sort_by(|a, b| a.verdict.cmp(&b.verdict).then(a.score.total_cmp(&b.score)));
        let asked = |part: &str| self.followed.iter().any(|f| f == part);
        let weakest = open.iter().filter(|p| !asked(&p.part)).find_map(|p| drill.follow_up(&p.part));
        let follow_up = match weakest {
            None if open.is_empty() && self.followed.is_empty() => answer::hardest(drill, None),
            weakest => weakest,
        }?;
        Some((follow_up.part.clone(), follow_up.ask.clone()))
    }

    fn next_prompt(&mut self, now: Timestamp) {
        self.at += 1;
        self.begin_prompt(now);
    }

    fn begin_prompt(&mut self, now: Timestamp) {
        self.notes.clear();
        self.followed.clear();
        self.thought = 0;
        if self.at >= self.prompts.len() {
            self.end();
        } else if self.setup.think == 0 {
            self.begin_answer(now);
        } else {
            self.set_phase(Phase::Think, Some(self.setup.think), now);
        }
    }

    fn begin_answer(&mut self, from: Timestamp) {
        if self.phase == Phase::Think {
            self.thought = seconds(self.began, from);
        }
        self.set_phase(Phase::Answer, Some(self.setup.answer), from);
    }

    fn end(&mut self) {
        self.set_phase(Phase::Done, None, self.seen);
    }

    fn set_phase(&mut self, phase: Phase, limit: Option<u32>, from: Timestamp) {
        self.phase = phase;
        self.began = from;
        self.deadline = limit.map(|l| after(from, i64::from(l)));
        self.text.clear();
        self.first_word = None;
        self.called = None;
    }
}
