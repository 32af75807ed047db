//! A second opinion: the judge of one's own beside the rules' marks, with what differs.

use jiff::Timestamp;

use super::Verdict;
use crate::doc::{Cell, Column, Role};
use crate::judge::{self, Case, Judge};
use crate::page::view::{Row, View};
use crate::page::{At, Effect, Next};
use crate::process::Cancel;
use crate::score::Verdict as Mark;
use crate::services::Record;
use crate::services::job::Job;
use crate::study::answer;
use crate::study::judge::{Opinion, Question, Reply, weigh};
use crate::study::words::{percent, some, verdict};

use super::points::one_line;

/// The setting that keeps which judge a person knows to be given the answers.
const TOLD: &str = "judge-told";

/// How far the second opinion has come.
#[derive(Debug, Default)]
pub(super) enum Second {
    /// It was not asked for.
    #[default]
    Not,
    /// What leaves the machine is said; the key once more sends it.
    Told,
    /// The judge is at work.
    Asked(Cancel),
    /// What it said, as far as it is believed; when, where that was before this page.
    Said(Opinion, Option<Timestamp>),
}

impl Verdict {
    /// Shows what the judge said of this answer before; asks it where it said nothing, or where that is shown.
    pub(super) fn second_opinion(&mut self, at: &mut At) -> Next {
        let shown = matches!(self.second, Second::Said(..) | Second::Told);
        let before = self.said_before.as_ref().filter(|_| !shown);
        match before.and_then(|(reply, then)| self.believed(reply, Some(*then), at)) {
            Some(said) => {
                self.second = said;
                Next::Stay
            }
            None => self.ask_judge(at),
        }
    }

    /// Asks the judge; the first time, says what it is given and where it goes.
    fn ask_judge(&mut self, at: &mut At) -> Next {
        let found = judge::set_up(&at.services.store);
        let Some(judge) = at.or_say(found) else { return Next::Stay };
        let Some(judge) = judge else {
            at.say("no judge is set up; `infralens judge set COMMAND` sets one up, and `infralens judge --help` says how");
            return Next::Stay;
        };
        let known = at.services.setting(TOLD);
        let known = at.or_say(known).flatten().is_some_and(|told| told == judge.line());
        if !known && !matches!(self.second, Second::Told) {
            self.second = Second::Told;
            return Next::Stay;
        }
        let Some(question) = self.question(at) else { return Next::Stay };
        at.services.keep(Record::setting(TOLD, judge.line()), at.now);
        let cancel = Cancel::default();
        self.second = Second::Asked(cancel.clone());
        let case = Case { attempt: self.attempt.id.clone(), judge, question, cancel };
        at.say("the judge is reading your answer; o stops it");
        at.out.push(Effect::Job(Job::Judge(Box::new(case))));
        Next::Stay
    }

    /// Ends the judge.
    pub(super) fn end_judge(&mut self, at: &mut At) -> Next {
        if let Second::Asked(cancel) = &self.second {
            cancel.cancel();
            at.say("the judge was stopped; nothing of it is kept");
        }
        self.second = Second::Not;
        Next::Stay
    }

    /// What the judge is asked: the parts that were asked for.
    fn question(&self, at: &At) -> Option<Question> {
        let pack = at.services.pack(self.pack?)?;
        let drill = pack.drill(&self.attempt.drill)?;
        let mut question = Question::on(drill, &pack.parts, &self.attempt.answer);
        if let Some(part) = self.attempt.part.as_deref() {
            question.prompt = answer::asked(&pack.parts, drill, &self.attempt);
            question.parts.retain(|asked| asked.id == part);
        }
        Some(question)
    }

    /// A reply as far as it is believed; none where the drill is not at hand.
    fn believed(&self, reply: &Reply, then: Option<Timestamp>, at: &At) -> Option<Second> {
        let question = self.question(at)?;
        let opinion = weigh(reply, &question, &self.attempt.answer, &self.attempt.score);
        Some(Second::Said(opinion, then))
    }

    /// Takes the judge's reply, as far as it is believed.
    pub(super) fn judged(&mut self, reply: &Result<Reply, String>, at: &mut At) -> Next {
        if !matches!(self.second, Second::Asked(_)) {
            return Next::Stay;
        }
        let said = match reply {
            Ok(reply) => self.believed(reply, None, at).map(|said| (reply, said)),
            Err(fault) => {
                at.say(fault.clone());
                None
            }
        };
        self.second = said.map_or(Second::Not, |(reply, said)| {
            at.say("the judge has read it");
            let record = Record::Opinion(self.attempt.id.clone(), Box::new(reply.clone()));
            at.services.keep(record, at.now);
            self.said_before = Some((reply.clone(), at.now));
            said
        });
        Next::Stay
    }

    /// What stands beside the marks.
    pub(super) fn second_view(&self, at: &At) -> Option<View> {
        match &self.second {
            Second::Not => None,
            Second::Told => judge::set_up(&at.services.store).ok().flatten().map(|judge| told(&judge)),
            Second::Asked(_) => {
                Some(View::new().title("Second opinion").dim("The judge is reading your answer."))
            }
            Second::Said(opinion, None) => Some(self.beside_rules(opinion, at)),
            Second::Said(opinion, Some(then)) => {
                let told = format!(
                    "It was said at {}. Press o to ask the judge again.",
                    at.services.when(*then, at.now)
                );
                Some(self.beside_rules(opinion, at).dim(&told))
            }
        }
    }

    /// The judge's marks beside those that stand, part by part.
    fn beside_rules(&self, opinion: &Opinion, at: &At) -> View {
        let marks = self.marks(at.services);
        let judge = if opinion.judge.is_empty() { "the judge" } else { &opinion.judge };
        let judged = |part: &str| opinion.parts.iter().find(|p| p.part == part);
        let differ =
            marks.parts().filter(|p| judged(&p.part).is_some_and(|j| j.verdict != p.verdict)).count();
        let sum: f64 = opinion.parts.iter().map(|p| f64::from(p.verdict as u8) / 2.0).sum();
        let (judged_parts, all) = (opinion.parts.len(), marks.parts().count().max(1));
        let total = match judged_parts == all {
            true => format!("{} by {judge}.", percent(sum / all as f64)),
            false => format!("{judged_parts} of {} by {judge}.", some(all, "part")),
        };
        let differs = match differ {
            0 => "It agrees on every part that it judged.".to_owned(),
            1 => "It differs on one part.".to_owned(),
            n => format!("It differs on {n} parts."),
        };
        let intro = format!("{total} {differs} Your marks stay as they are.");
        let view = View::new().title("Second opinion").words(&intro);
        let columns =
            vec![Column::words(""), Column::words("here"), Column::words("judge"), Column::words("")];
        let rows = marks.parts().map(|part| {
            let title = marks.title(&part.part);
            let theirs = judged(&part.part).map(|j| j.verdict);
            let word = theirs.map_or("not judged", verdict);
            let differs = if theirs.is_some_and(|v| v != part.verdict) { "differs" } else { "" };
            Row::plain()
                .cell(Cell::text(title))
                .cell(Cell::mark(part.verdict))
                .cell(theirs.map_or(Cell::text("·"), Cell::mark))
                .cell(Cell::text(differs).role(Role::Warning))
                .said(
                    format!("{title}: {} here, {word} by the judge. {differs}", verdict(part.verdict))
                        .trim_end(),
                )
        });
        let view = view.table(columns, rows);
        let view = opinion.parts.iter().fold(view, |view, part| {
            let quotes = part.evidence.iter().map(|e| format!("“{}”", one_line(&e.text)));
            let quotes = quotes.collect::<Vec<_>>().join(", ");
            let quotes = if part.verdict == Mark::Missing { String::new() } else { quotes };
            let said = [quotes, one_line(&part.advice)];
            let said: Vec<&str> = said.iter().map(String::as_str).filter(|s| !s.is_empty()).collect();
            match said.is_empty() {
                true => view,
                false => view.words(&format!("{}: {}", marks.title(&part.part), said.join(" "))),
            }
        });
        let view = opinion.untrue.iter().fold(view, |view, said| {
            view.words(&format!("Not so, it says: “{}” {}", one_line(&said.evidence.text), said.why))
        });
        opinion.dropped.iter().fold(view, |view, text| view.dim(text))
    }
}

/// What leaves the machine, and where to.
fn told(judge: &Judge) -> View {
    let goes = match &judge.sends_to {
        Some(to) => format!("It says that it sends them to {to}."),
        None => "It did not say where it sends them; ask its author.".to_owned(),
    };
    View::new()
        .title("Before the first time")
        .words("The question, the key points of its parts and your answer are given to this command:")
        .words(&judge.line())
        .words(&goes)
        .words("Nothing else leaves the program. o once more sends them; anything else sends nothing.")
}
