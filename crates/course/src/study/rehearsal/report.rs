//! The report of a rehearsal.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{Away, Prompt, Rehearsal, Setup, Take};
use crate::pack::Pack;
use crate::score::{Score, Verdict};
use crate::study::attempt::{Attempt, Mode};
use crate::study::delivery::Delivery;
use crate::study::home::Rehearsed;
use crate::study::schedule::GOOD;
use crate::study::strength::mean;

/// At most this many lessons to read next.
const READ_NEXT: usize = 3;

/// What came of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The run's id.
    pub id: String,
    /// How it was set up.
    pub setup: Setup,
    /// When it began.
    pub started: Timestamp,
    /// When it ended.
    pub ended: Timestamp,
    /// The mean of the answers' totals, follow-ups aside, 0 to 1. 0 where nothing was answered.
    pub total: f64,
    /// The weakest part over the run. None where every part was covered, or nothing answered.
    pub limiting: Option<String>,
    /// The parts over the run, in the pack's order.
    pub parts: Vec<PartReport>,
    /// The answers in order, follow-ups after theirs.
    pub answers: Vec<AnswerReport>,
    /// The prompts that were not reached.
    pub unanswered: Vec<Prompt>,
    /// When the program was not seen running.
    pub away: Vec<Away>,
    /// Counts over the whole run.
    pub totals: Totals,
    /// What to read next, the weakest lesson first.
    pub next: Vec<ReadNext>,
}

/// A part over the run, follow-ups aside.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PartReport {
    /// The part's id.
    pub part: String,
    /// The name shown.
    pub title: String,
    /// The mean of its marks, 0 to 1.
    pub score: f64,
    /// Answers in which it was covered, partial, missing.
    pub verdicts: [usize; 3],
}

/// One answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AnswerReport {
    /// The attempt's id.
    pub attempt: String,
    /// The prompt's number, from 1.
    pub number: usize,
    /// The drill's id.
    pub drill: String,
    /// The lesson's id.
    pub lesson: String,
    /// The question that was asked.
    pub question: String,
    /// The part, for a follow-up.
    pub part: Option<String>,
    /// The answer.
    pub answer: String,
    /// The total that counts, 0 to 1.
    pub total: f64,
    /// All marks.
    pub score: Score,
    /// Seconds of thinking before it.
    pub thought: u32,
    /// Seconds of answering.
    pub seconds: u32,
    /// Seconds to the first word.
    pub first_word: Option<u32>,
    /// Seconds that were left.
    pub unused: u32,
    /// Whether the clock ended it.
    pub timed_out: bool,
    /// What can be counted in how it is said.
    pub delivery: Delivery,
    /// Notes typed while thinking.
    pub notes: String,
    /// The stored answer to a follow-up question, where there is one. Markdown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub right: Option<String>,
    /// What the learner thought it was worth before the marks, 0 to 1; in practice alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rated: Option<f64>,
    /// What the learner thought of each part, by id; empty where the parts were not rated.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub rated_parts: BTreeMap<String, Verdict>,
}

/// Counts over the whole run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Totals {
    /// Words.
    pub words: usize,
    /// Words a minute of answering.
    pub pace: f64,
    /// The mean of the seconds to the first word.
    pub first_word: Option<f64>,
    /// Seconds left unused.
    pub unused: u32,
    /// Hedging phrases.
    pub hedges: usize,
    /// Answers that earned a mark within their first words.
    pub answer_first: usize,
    /// Numbers given.
    pub numbers: usize,
    /// Seconds not seen running while a clock ran.
    pub away: u32,
}

/// A lesson to read next.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReadNext {
    /// The lesson's id.
    pub lesson: String,
    /// Its title.
    pub title: String,
    /// Why: the parts that were missing or partial, by title.
    pub why: String,
}

impl Rehearsal {
    /// The report so far: that of the whole run once it is done.
    pub fn report(&self, pack: &Pack) -> Report {
        let answers: Vec<AnswerReport> = self.takes.iter().map(|t| self.answer(t, pack)).collect();
        let parts = parts(&self.takes, pack);
        let whole = answers.iter().filter(|a| a.part.is_none());
        let reached = self.takes.iter().map(|t| t.prompt + 1).max().unwrap_or(0);
        Report {
            id: self.id.clone(),
            setup: self.setup.clone(),
            started: self.started,
            ended: self.seen,
            total: mean(whole.map(|a| a.total)).unwrap_or(0.0),
            limiting: limiting(&parts),
            unanswered: self.prompts.iter().skip(reached).cloned().collect(),
            away: self.away.clone(),
            totals: totals(&answers, &self.away),
            next: next(&answers, pack),
            parts,
            answers,
        }
    }

    fn answer(&self, take: &Take, pack: &Pack) -> AnswerReport {
        let attempt = &take.attempt;
        let prompt = self.prompts.get(take.prompt).map_or("", |p| &p.text);
        let follow = attempt.part.as_ref().and_then(|part| pack.drill(&attempt.drill)?.follow_up(part));
        AnswerReport {
            attempt: attempt.id.clone(),
            number: take.prompt + 1,
            drill: attempt.drill.clone(),
            lesson: attempt.lesson.clone(),
            question: follow.map_or(prompt, |f| &f.ask).to_owned(),
            part: attempt.part.clone(),
            answer: attempt.answer.clone(),
            total: attempt.total(),
            score: attempt.score.clone(),
            thought: take.thought,
            seconds: attempt.seconds,
            first_word: take.first_word,
            unused: take.unused,
            timed_out: take.timed_out,
            delivery: Delivery::of(&attempt.answer, &attempt.score),
            notes: take.notes.clone(),
            right: follow.and_then(|f| f.answer.clone()),
            rated: attempt.rated,
            rated_parts: attempt.rated_parts.clone(),
        }
    }
}

impl AnswerReport {
    /// The attempt that it tells of. Its time is that of the report's end.
    pub fn attempt(&self, report: &Report) -> Attempt {
        Attempt {
            id: self.attempt.clone(),
            pack: report.setup.pack.clone(),
            drill: self.drill.clone(),
            lesson: self.lesson.clone(),
            at: report.ended,
            mode: Mode::of_rehearsal(self.part.is_some(), report.setup.strict),
            part: self.part.clone(),
            rehearsal: Some(report.id.clone()),
            seconds: self.seconds,
            answer: self.answer.clone(),
            score: self.score.clone(),
            rated: self.rated,
            rated_parts: self.rated_parts.clone(),
            ..Attempt::default()
        }
    }
}

impl Report {
    /// The line by which Home and history name it.
    pub fn line(&self) -> Rehearsed {
        Rehearsed { id: self.id.clone(), at: self.ended, total: self.total, limiting: self.limiting.clone() }
    }

    /// How many prompts got an answer, and how many were drawn. A blank is no answer.
    pub fn prompts(&self) -> (usize, usize) {
        let whole = || self.answers.iter().filter(|a| a.part.is_none());
        let answered = whole().filter(|a| !a.answer.trim().is_empty()).count();
        (answered, whole().count() + self.unanswered.len())
    }
}

fn parts(takes: &[Take], pack: &Pack) -> Vec<PartReport> {
    let whole = || takes.iter().filter(|t| t.attempt.part.is_none()).flat_map(|t| t.attempt.marks());
    let report = |part: &crate::pack::Part| {
        let marks: Vec<_> = whole().filter(|m| m.part == part.id).collect();
        let count = |verdict| marks.iter().filter(|m| m.verdict == verdict).count();
        Some(PartReport {
            part: part.id.clone(),
            title: part.title.clone(),
            score: mean(marks.iter().map(|m| m.score))?,
            verdicts: [Verdict::Covered, Verdict::Partial, Verdict::Missing].map(count),
        })
    };
    pack.parts.iter().filter_map(report).collect()
}

fn limiting(parts: &[PartReport]) -> Option<String> {
    let open = parts.iter().filter(|p| p.verdicts[1] + p.verdicts[2] > 0);
    open.min_by(|a, b| a.score.total_cmp(&b.score)).map(|p| p.part.clone())
}

fn totals(answers: &[AnswerReport], away: &[Away]) -> Totals {
    let words: usize = answers.iter().map(|a| a.delivery.words).sum();
    let seconds: u32 = answers.iter().map(|a| a.seconds).sum();
    let firsts = answers.iter().filter_map(|a| a.first_word).map(f64::from);
    Totals {
        words,
        pace: if seconds > 0 { words as f64 * 60.0 / f64::from(seconds) } else { 0.0 },
        first_word: mean(firsts),
        unused: answers.iter().map(|a| a.unused).sum(),
        hedges: answers.iter().map(|a| a.delivery.hedges.len()).sum(),
        answer_first: answers.iter().filter(|a| a.delivery.is_answer_first()).count(),
        numbers: answers.iter().map(|a| a.delivery.numbers).sum(),
        away: away.iter().filter(|a| !a.stopped).map(|a| a.seconds).sum(),
    }
}

/// The lessons of answers that were not good, the worst first, with the parts they lacked.
fn next(answers: &[AnswerReport], pack: &Pack) -> Vec<ReadNext> {
    let mut weak: BTreeMap<&str, (f64, Vec<&str>)> = BTreeMap::new();
    for answer in answers.iter().filter(|a| a.total < GOOD) {
        let (total, lacking) = weak.entry(&answer.lesson).or_insert((answer.total, Vec::new()));
        *total = total.min(answer.total);
        let asked = |part: &str| answer.part.as_deref().is_none_or(|only| only == part);
        for part in answer.score.parts.iter().filter(|p| p.verdict != Verdict::Covered && asked(&p.part)) {
            if !lacking.contains(&&part.part[..]) {
                lacking.push(&part.part);
            }
        }
    }
    let mut weak: Vec<_> = weak.into_iter().collect();
    weak.sort_by(|(_, (a, _)), (_, (b, _))| a.total_cmp(b));
    let read = |(lesson, (_, lacking)): (&str, (f64, Vec<&str>))| {
        let title =
            |id: &&str| pack.parts.iter().find(|p| p.id == *id).map_or(*id, |p| &p.title).to_lowercase();
        Some(ReadNext {
            lesson: lesson.to_owned(),
            title: pack.lesson(lesson)?.title.clone(),
            why: format!("lacked {}", lacking.iter().map(title).collect::<Vec<_>>().join(", ")),
        })
    };
    weak.into_iter().filter_map(read).take(READ_NEXT).collect()
}
