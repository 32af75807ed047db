//! Rating oneself before the marks: a verdict on each part, or one key to skip.

use std::collections::BTreeMap;

use super::action::Action;
use super::view::{Row, View};
use super::{Act, At};
use crate::doc::{Cell, Judged, Role};
use crate::pack::Pack;
use crate::score::Verdict;
use crate::study::answer;
use crate::study::attempt::Attempt;
use crate::study::rating::Rating;
use crate::study::words::verdict;

/// The verdicts in the order of their keys.
const VERDICTS: [Verdict; 3] = [Verdict::Missing, Verdict::Partial, Verdict::Covered];

/// A part to be rated.
#[derive(Debug)]
struct Asked {
    /// Its number in the pack, from 1.
    number: usize,
    id: String,
    title: String,
    question: String,
}

/// An answer that is being rated.
#[derive(Debug)]
pub struct Rate {
    question: String,
    answer: String,
    parts: Vec<Asked>,
    given: Vec<Verdict>,
}

/// What an act brought about.
#[derive(Debug, PartialEq)]
pub enum Rated {
    /// There is more to rate.
    Not,
    /// Every part is rated, or the whole.
    All(Rating),
    /// The marks are wanted without a rating.
    Skipped,
}

impl Rate {
    /// Asks for a rating of an attempt. None where nothing was typed.
    pub fn of(attempt: &Attempt, pack: Option<&Pack>) -> Option<Self> {
        if attempt.answer.trim().is_empty() {
            return None;
        }
        let known = pack.map_or(&[][..], |p| &p.parts);
        let asked = |mark: &crate::score::PartScore| {
            let place = known.iter().position(|p| p.id == mark.part);
            let among = || attempt.score.parts.iter().position(|p| p.part == mark.part);
            Asked {
                number: place.or_else(among).map_or(1, |at| at + 1),
                id: mark.part.clone(),
                title: answer::part_title(known, &mark.part).to_owned(),
                question: place.map_or_else(String::new, |at| known[at].question.clone()),
            }
        };
        let parts: Vec<Asked> = attempt.marks().map(asked).collect();
        let drill = pack.and_then(|p| p.drill(&attempt.drill));
        let question = drill.map(|d| answer::asked(known, d, attempt));
        (!parts.is_empty()).then(|| Rate {
            question: question.unwrap_or_default(),
            answer: attempt.answer.clone(),
            parts,
            given: Vec::new(),
        })
    }

    /// Takes a verdict, a line of letters or of per cent, or a word to skip.
    pub fn act(&mut self, act: &Act, at: &mut At) -> Rated {
        match (act, act.action()) {
            (Act::Line(line), _) => self.read(line, at),
            (_, Some(Action::Submit | Action::Open)) => Rated::Skipped,
            (_, Some(Action::Discard)) => {
                self.given.pop();
                Rated::Not
            }
            (_, Some(Action::Digit(n))) => {
                self.given.extend(usize::from(n).checked_sub(1).and_then(|at| VERDICTS.get(at)));
                match self.given.len() >= self.parts.len() {
                    true => self.rating().map_or(Rated::Skipped, Rated::All),
                    false => Rated::Not,
                }
            }
            _ => Rated::Not,
        }
    }

    /// Reads a rating typed as a line; with the dot that ended the answer before it or without.
    fn read(&self, line: &str, at: &mut At) -> Rated {
        let typed = line.trim().trim_start_matches('.').trim();
        if typed.is_empty() {
            return Rated::Skipped;
        }
        let ids: Vec<String> = self.parts.iter().map(|p| p.id.clone()).collect();
        let percent = typed.trim_end_matches('%').trim().parse::<f64>().ok();
        let is_share = percent.is_none_or(|n| (0.0..=100.0).contains(&n));
        if let Some(rating) = Rating::read(typed, &ids).filter(|_| is_share) {
            return Rated::All(rating);
        }
        let letters = match ids.len() {
            1 => "a letter".to_owned(),
            n => format!("{n} letters, one for each of {}", ids.join(", ")),
        };
        at.say(format!(
            "That is not a rating. Type a percentage from 0 to 100, or {letters}: m missing, p partial, c \
             covered. Enter alone skips it; your answer is kept"
        ));
        Rated::Not
    }

    fn rating(&self) -> Option<Rating> {
        let parts = self.parts.iter().zip(&self.given);
        let parts: BTreeMap<String, Verdict> = parts.map(|(part, v)| (part.id.clone(), *v)).collect();
        Rating::of_parts(parts)
    }

    /// The question, the parts with what was given, the part that is asked for now, the answer.
    pub fn view(&self) -> View {
        let ask = match self.parts.len() {
            1 => "Before the mark: how well did you say it?",
            _ => "Before the marks: how well did you say each part?",
        };
        let strong = |text: &str| Row::plain().wrapped().cell(Cell::text(text).role(Role::Strong));
        let view = View::new().list([strong(&self.question).said("")]).words(ask);
        let view = view.list((0..self.parts.len()).map(|at| self.row(at)));
        let mut view = view.enter("skips the rating").spoken(
            "Type c, p or m for each part: covered, partial, missing; or a \
         percentage",
        );
        let mut asked = Vec::new();
        for (at, part) in self.parts.iter().enumerate().filter(|(_, part)| !part.question.is_empty()) {
            let is_now = at == self.given.len();
            if at > 0 {
                asked.push(Row::plain().cell(Cell::text(" ")).said(""));
            }
            let role = if is_now { Role::Strong } else { Role::Dim };
            let text = format!("{}\u{a0}{}: {}", part.number, part.title, part.question);
            asked.push(Row::plain().wrapped().cell(Cell::text(text).role(role)).said(""));
        }
        let mut foot = View::new();
        if let Some(now) = self.parts.get(self.given.len()) {
            let said = format!("{}: {}", now.title, now.question);
            view = view.list([Row::plain().said(said)]);
            foot =
                foot.list([Row::plain().wrapped().cell(Cell::text(&now.question).role(Role::Dim)).said("")]);
        }
        // it is there to be looked at; who listens has just typed it
        let answer = || {
            let lines = self.answer.trim().lines();
            lines.map(|line| Row::plain().wrapped().cell(Cell::text(line)).said(""))
        };
        let own = |view: View| view.list([strong("Your answer").said("")]).list(answer());
        view.beside(own(View::new().list(asked))).foot(own(foot).body)
    }

    /// `2 Mechanism   m missing  p partial  c covered`, or what was given.
    fn row(&self, at: usize) -> Row {
        let part = &self.parts[at];
        let is_now = at == self.given.len();
        let name = format!("{} {}", part.number, part.title);
        let role = if is_now { Role::Strong } else { Role::Text };
        let row = Row::plain().cell(Cell::text(&name).role(role));
        let key = |(at, of): (usize, &Verdict)| {
            let word = verdict(*of);
            let gap = if at > 0 { "   " } else { "" };
            Cell::text(format!("{gap}{}", &word[..1])).role(Role::Accent)
                + Cell::text(format!(" {word}")).role(Role::Dim)
        };
        match self.given.get(at) {
            Some(given) => {
                let word = verdict(*given);
                let row = row.cell(Cell::mark(*given) + Cell::text(format!(" {word}")));
                row.said(format!("{}: {word}", part.title))
            }
            None if is_now => row.cell(Cell::join(VERDICTS.iter().enumerate().map(key))).said(&part.title),
            None => row.cell(Cell::mark(Judged::Untouched)).said(&part.title),
        }
    }
}
