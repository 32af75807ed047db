//! The checks of a lesson, one after the other: choices, claims, orders, numbers.
//!
//! The question stands in the body, its options are rows; hints and what came of the answer stand beside it.
//! The review asks a single check with the same state ([`Checks::alone`]).

use jiff::Timestamp;

use super::action::Action;
use super::keys::Scope;
use super::view::View;
use super::{Act, At, ByNumber, Next, Page};
use crate::doc::Document;
use crate::pack::{Check, CheckKind, Pack};
use crate::services::{Record, Services};
use crate::store::CheckAttempt;
use crate::study::check::{self, Answer, Asked, Form, Marked};
use crate::study::schedule::{Grade, grade_check};

use round::{Round, Went};

mod round;
mod show;

/// The checks of a lesson, or one of them.
pub struct Checks {
    pack: usize,
    lesson: String,
    /// Ids of the checks.
    checks: Vec<String>,
    at: usize,
    asked: Option<Asked>,
    /// When the check at hand was asked.
    since: Timestamp,
    /// The steps picked so far, by their place among those shown.
    picked: Vec<usize>,
    /// A number as it was typed.
    typed: String,
    hints: usize,
    /// Why the check cannot be asked, or the last entry not be read.
    unread: Option<String>,
    marked: Option<Marked>,
    /// How each went last.
    went: Vec<Went>,
    /// Whether it is a part of the review, which goes on by itself.
    alone: bool,
    /// Whether it is heard, so that no letters are typed into a field.
    is_heard: bool,
    /// How well the last one was known.
    grade: Option<Grade>,
    /// Those that are asked again after all were gone through; none at first.
    again: Option<Round>,
    /// The one whose answer is shown, of those that were gone through.
    seen: Option<usize>,
    /// The step of an order that comes next under the pointer, and how often one was picked or taken back.
    pointed: (usize, usize),
}

impl Checks {
    /// The checks of a lesson of the pack with this index, or one of them. None where there is none to answer
    /// here: worksheets have a page of their own.
    pub fn open(
        (index, pack): (usize, &Pack),
        lesson: &str,
        only: Option<&str>,
        now: Timestamp,
    ) -> Option<Self> {
        let checks: Vec<String> = pack
            .checks_of(lesson)
            .filter(|c| !matches!(c.kind, CheckKind::Worksheet(_)))
            .filter(|c| only.is_none_or(|id| c.id == id))
            .map(|c| c.id.clone())
            .collect();
        let went = vec![Went::default(); checks.len()];
        let mut page = Checks {
            pack: index,
            lesson: lesson.to_owned(),
            checks,
            at: 0,
            asked: None,
            since: now,
            picked: Vec::new(),
            typed: String::new(),
            hints: 0,
            unread: None,
            marked: None,
            went,
            alone: false,
            is_heard: false,
            grade: None,
            again: None,
            seen: None,
            pointed: (0, 0),
        };
        page.ask(pack, now);
        (!page.checks.is_empty()).then_some(page)
    }

    /// Goes on where one was: with the first check that was never answered, or else not since a time. Those before it
    /// count as they were answered last. Where all of them were answered since, it is shown how they went.
    pub fn resumed(mut self, since: Timestamp, at: &mut At) -> Self {
        let Some(pack) = at.services.pack(self.pack) else { return self };
        let store = &at.services.store;
        let last = |id: &String| store.checks_of(&pack.id, id, 1).ok()?.pop();
        let last: Vec<Option<CheckAttempt>> = self.checks.iter().map(last).collect();
        let is_old = |answer: &Option<CheckAttempt>| answer.as_ref().is_none_or(|a| a.at < since);
        let open = last.iter().position(Option::is_none).or_else(|| last.iter().position(is_old));
        let all = self.checks.len();
        let end = (all > 1).then_some(all);
        // what was left out on the way to the end is no reason to ask it again before the end is seen
        let was_over = at.services.setting(&self.end_key(pack)).ok().flatten();
        let was_over = was_over.and_then(|time| time.parse::<Timestamp>().ok());
        let was_over = was_over.is_some_and(|time| time >= since) && last.iter().any(Option::is_some);
        let open = if was_over { end } else { open.or(end) };
        let Some(open) = open.filter(|open| *open > 0) else { return self };
        self.at = open;
        for (went, answer) in self.went.iter_mut().zip(&last[..open]) {
            *went = answer.as_ref().map_or_else(Went::default, |answer| Went {
                seed: answer.seed,
                right: Some(answer.right),
                given: answer.given.clone(),
            });
        }
        self.ask(pack, at.now);
        if open < all {
            at.say(format!("You answered {open} of {all} before; it goes on from there"));
        }
        self
    }

    /// The setting that says when the end of these checks was reached.
    fn end_key(&self, pack: &Pack) -> String {
        format!("checks-end:{}/{}", pack.id, self.lesson)
    }

    /// One check, as a part of the review. None where it is a worksheet.
    pub fn alone(pack: (usize, &Pack), check: &Check, now: Timestamp) -> Option<Self> {
        let one = Self::open(pack, &check.lesson, Some(&check.id), now)?;
        Some(Checks { alone: true, ..one })
    }

    /// The same for somebody who hears it, or not.
    pub fn heard(self, is_heard: bool) -> Self {
        Checks { is_heard, ..self }
    }

    /// How many were answered, and how many of them right.
    fn counts(&self) -> (usize, usize) {
        let answered = || self.went.iter().filter_map(|went| went.right);
        (answered().count(), answered().filter(|right| *right).count())
    }

    /// Whether all were gone through.
    fn is_over(&self) -> bool {
        self.at >= self.checks.len()
    }

    /// What the values of the check at hand were drawn from.
    pub fn seed(&self) -> Option<u64> {
        self.asked.as_ref().map(|asked| asked.seed)
    }

    /// Whether the check at hand was answered.
    pub fn is_marked(&self) -> bool {
        self.marked.is_some()
    }

    /// Whether the check at hand cannot be asked, by a fault of its author.
    pub fn is_broken(&self) -> bool {
        self.asked.is_none()
    }

    /// Adds the check at hand to what is shown.
    pub fn add_to(&self, view: View, services: &Services) -> View {
        show::view(self, view, services)
    }

    fn check<'a>(&self, services: &'a Services) -> Option<&'a Check> {
        services.pack(self.pack)?.check(self.checks.get(self.at)?)
    }

    /// Asks the check at hand anew. The time is the seed, so that values are fresh each time.
    fn ask(&mut self, pack: &Pack, now: Timestamp) {
        let seed = u64::try_from(now.as_millisecond()).unwrap_or(0).wrapping_add(self.at as u64);
        let check = self.checks.get(self.at).and_then(|id| pack.check(id));
        let asked = check.map(|c| check::ask(c, seed));
        self.unread = match &asked {
            Some(Err(broken)) => Some(format!("This check cannot be asked: {}.", broken.what)),
            _ => None,
        };
        self.asked = asked.and_then(Result::ok);
        // one that was answered is listed as it was asked then
        if let Some(went) = self.went.get_mut(self.at).filter(|went| went.right.is_none()) {
            went.seed = seed;
        }
        self.since = now;
        self.hints = 0;
        self.picked.clear();
        self.typed.clear();
        self.marked = None;
        self.seen = None;
        self.pointed = (0, 0);
    }

    /// Those that are asked again, while they are.
    fn round(&self) -> Option<&Round> {
        self.again.as_ref().filter(|_| !self.is_over())
    }

    /// To the next check, or the one before; after the last one back, where it was the only one.
    fn go(&mut self, forward: bool, at: &mut At) -> Next {
        if let Some(round) = self.again.as_mut().filter(|_| self.at < self.checks.len()) {
            let next = if forward { round.left.pop_front() } else { None };
            return self.turn_to(next.unwrap_or(self.checks.len()), at);
        }
        let next = if forward { self.at + 1 } else { self.at.saturating_sub(1) };
        if next > self.checks.len() || forward && self.checks.len() == 1 {
            at.say(match self.checks.len() {
                1 => "that was the one check here",
                _ => "those were all checks of this lesson",
            });
            return Next::Back;
        }
        self.turn_to(next, at)
    }

    /// Asks the check of that number; after the last one stands how all of them went.
    fn turn_to(&mut self, next: usize, at: &mut At) -> Next {
        self.at = next;
        if let Some(pack) = at.services.pack(self.pack) {
            self.ask(pack, at.now);
            // to come back leads here again
            if self.is_over() && self.checks.len() > 1 && self.counts().0 > 0 {
                let record = Record::Setting(self.end_key(pack).into(), at.now.to_string());
                at.services.keep(record, at.now).said().into_iter().for_each(|text| at.say(text));
            }
        }
        Next::Show
    }

    fn form(&self) -> Option<&Form> {
        self.asked.as_ref().map(|asked| &asked.form)
    }

    /// The steps of an order, if one is asked; 0 otherwise.
    fn steps(&self) -> usize {
        match self.form() {
            Some(Form::Order(shown)) => shown.len(),
            _ => 0,
        }
    }

    /// Whether every step of an order is picked.
    fn is_picked(&self) -> bool {
        self.steps() > 0 && self.picked.len() == self.steps()
    }

    /// Takes an option, or a step of an order; once all of them are picked, the order is the answer.
    fn choose(&mut self, row: usize, at: &mut At) -> Next {
        match self.form() {
            Some(Form::Order(_)) if self.is_picked() => self.submit_order(at),
            // what is picked is only taken back where that is asked for
            Some(Form::Order(shown)) if self.picked.contains(&row) => {
                let name = shown.get(row).map_or("", |step| &step.text);
                at.say(format!("“{name}” is picked already; space takes it back"));
                Next::Stay
            }
            Some(Form::Order(_)) => self.pick(row, at),
            form => match form.and_then(|form| show::chosen(form, row)) {
                Some(answer) => self.answer(&answer, at),
                None => Next::Stay,
            },
        }
    }

    fn submit_order(&mut self, at: &mut At) -> Next {
        self.answer(&Answer::Order(self.picked.clone()), at)
    }

    /// Picks a step as the next one, or takes it back with those after it.
    fn pick(&mut self, row: usize, at: &mut At) -> Next {
        let name = match self.form() {
            Some(Form::Order(shown)) => shown.get(row).map_or_else(String::new, |step| step.text.clone()),
            _ => String::new(),
        };
        let taken = match self.picked.iter().position(|picked| *picked == row) {
            Some(place) => {
                self.picked.truncate(place);
                self.pointed.0 = row;
                format!("“{name}” is taken back")
            }
            None => {
                self.picked.push(row);
                // on to the next one that is left
                let steps = self.steps();
                let left = (row..row + steps).map(|at| at % steps).find(|at| !self.picked.contains(at));
                self.pointed.0 = left.unwrap_or(row);
                format!("“{name}” is number {}", self.picked.len())
            }
        };
        self.pointed.1 += 1;
        at.say(match self.steps() - self.picked.len() {
            0 => format!("{taken}; all are picked, enter answers"),
            1 => format!("{taken}; one step to go"),
            left => format!("{taken}; {left} steps to go"),
        });
        Next::Stay
    }

    /// Reads a line as an answer; says what to type instead where it is none.
    fn line(&mut self, line: &str, at: &mut At) -> Next {
        let Some(form) = self.form() else { return Next::Stay };
        // no number is written so, and it is the key that the list at the end names
        let is_key = matches!(form, Form::Number { .. }) && line.trim() == "w";
        if is_key && self.went.iter().any(|went| went.right == Some(false)) {
            return self.wrong_again(at);
        }
        match show::answer(form, line) {
            Ok(answer) => {
                line.clone_into(&mut self.typed);
                self.answer(&answer, at)
            }
            Err(cure) => {
                self.unread = Some(cure);
                Next::Stay
            }
        }
    }

    fn answer(&mut self, answer: &Answer, at: &mut At) -> Next {
        let (Some(asked), Some(of)) = (&self.asked, self.check(at.services)) else {
            return Next::Stay;
        };
        match check::mark(of, asked, answer) {
            Ok(marked) => self.take(marked, at),
            Err(unread) => self.unread = Some(unread.sentence()),
        }
        Next::Stay
    }

    /// Keeps a marked answer.
    fn take(&mut self, marked: Marked, at: &mut At) {
        let hints = u32::try_from(self.hints).unwrap_or(u32::MAX);
        let seconds = at.now.duration_since(self.since).as_secs().max(0);
        let attempt = CheckAttempt {
            id: String::new(), // named when it is kept
            pack: at.services.pack(self.pack).map_or_else(String::new, |p| p.id.clone()),
            check: self.asked.as_ref().map(|a| a.check.clone()).unwrap_or_default(),
            lesson: self.lesson.clone(),
            at: at.now,
            right: marked.right,
            given: marked.given.clone(),
            hints,
            seed: self.asked.as_ref().map_or(0, |a| a.seed),
            seconds: u32::try_from(seconds).unwrap_or(u32::MAX),
        };
        let kept = at.services.keep(Record::Check(Box::new(attempt)), at.now);
        kept.said().into_iter().for_each(|text| at.say(text));
        self.grade = Some(grade_check(marked.right, hints));
        if let (Some(went), Some(asked)) = (self.went.get_mut(self.at), &self.asked) {
            *went = Went { seed: asked.seed, right: Some(marked.right), given: marked.given.clone() };
        }
        if let Some(round) = &mut self.again {
            round.counts.0 += 1;
            round.counts.1 += usize::from(marked.right);
        }
        self.unread = None;
        self.marked = Some(marked);
    }

    fn hint(&mut self, at: &mut At) -> Next {
        let all = self.asked.as_ref().map_or(0, |a| a.hints.len());
        if self.hints < all && self.marked.is_none() {
            self.hints += 1;
            self.unread = None;
        } else {
            at.say("there are no more hints");
        }
        Next::Stay
    }

    /// What enter does where no row is chosen.
    fn enter(&mut self, at: &mut At) -> Next {
        if self.marked.is_some() || self.asked.is_none() {
            return if self.alone { Next::Stay } else { self.go(true, at) };
        }
        if self.is_picked() {
            return self.submit_order(at);
        }
        at.say(match self.is_heard || self.form().is_none() {
            true => "type an answer; the word hint gives a hint",
            false => "choose an answer first: its number, or ↑ and ↓; enter then answers",
        });
        Next::Stay
    }

    /// Shows the answer to one of those that were gone through, or all of them again.
    fn look_at(&mut self, row: Option<usize>) -> Next {
        self.seen = row;
        Next::Show
    }
}

impl Page for Checks {
    fn title(&self, services: &Services) -> Vec<String> {
        let lesson = services.library.lesson(self.pack, &self.lesson).map(|l| l.title.clone());
        lesson.into_iter().chain(["checks".into()]).collect()
    }

    fn scopes(&self) -> Vec<Scope> {
        let mut scopes = match self.form() {
            _ if self.marked.is_some() && self.alone => return Vec::new(),
            None if self.is_over() && self.seen.is_some() => vec![Scope::CheckSeen],
            None if self.is_over() => {
                let has = |right: Option<bool>| self.went.iter().any(|went| went.right == right);
                let done = (self.counts().0 > 0).then_some(Scope::CheckDone);
                let wrong = has(Some(false)).then_some(Scope::CheckWrong);
                let left = has(None).then_some(Scope::CheckLeft);
                done.into_iter().chain(wrong).chain(left).collect()
            }
            None => vec![Scope::CheckMarked],
            _ if self.marked.is_some() => vec![Scope::CheckMarked],
            Some(Form::Choice(_) | Form::Claim) if !self.is_heard => {
                vec![Scope::CheckUnchosen, Scope::CheckHint]
            }
            Some(form) => show::scopes(form, self.is_picked()),
        };
        let is_typed = self.marked.is_none() && matches!(self.form(), Some(Form::Number { .. }));
        let steps = if is_typed { Scope::CheckTyped } else { Scope::Checks };
        let is_number = is_typed && self.is_heard;
        scopes.extend(is_number.then_some(Scope::CheckHeard));
        // after an answer enter alone goes on
        let is_asked = self.marked.is_none() && !self.is_over();
        scopes.extend((!self.alone && is_asked).then_some(steps));
        scopes
    }

    fn scopes_on(&self, _row: usize) -> Vec<Scope> {
        let chosen = |scope| if scope == Scope::CheckUnchosen { Scope::CheckChoice } else { scope };
        self.scopes().into_iter().map(chosen).collect()
    }

    fn view(&self, at: &At) -> View {
        self.add_to(View::new(), at.services)
    }

    fn act(&mut self, act: Act, at: &mut At) -> Next {
        match act {
            Act::Open(row)
                if self.is_over() && self.went.get(row).is_some_and(|went| went.right.is_none()) =>
            {
                self.some_again([row].into(), "ones left out", at)
            }
            Act::Open(row) if self.is_over() => self.look_at(Some(row)),
            Act::Open(row) if self.marked.is_none() => self.choose(row, at),
            Act::On(Action::Reveal, row) if self.steps() > 0 => self.pick(row, at),
            Act::Line(line) if self.marked.is_none() => self.line(&line, at),
            act => match act.action() {
                Some(Action::Open | Action::Back) if self.seen.is_some() => self.look_at(None),
                Some(Action::Open) => self.enter(at),
                Some(Action::Again) if self.is_over() => self.wrong_again(at),
                Some(Action::Start) if self.is_over() => self.all_again(at),
                Some(Action::Hint) => self.hint(at),
                Some(Action::Later) if self.is_over() => self.left_out(at),
                Some(Action::Later) if !self.alone => self.go(true, at),
                Some(Action::Left) if !self.alone => self.go(false, at),
                _ => Next::Stay,
            },
        }
    }

    fn preview(&self, row: usize, at: &At) -> Option<Document> {
        show::explained(self, row, at.services).filter(|_| self.is_over() && self.seen.is_none())
    }

    /// An answer is given by a key of its own: what is typed in haste is no answer, and no reason is passed over.
    fn by_number(&self) -> ByNumber {
        match self.form() {
            Some(Form::Order(_)) if self.marked.is_none() => ByNumber::Asks(Action::Reveal),
            Some(_) if self.marked.is_none() => ByNumber::Chooses,
            None if self.is_over() && !self.is_heard => ByNumber::Chooses,
            _ => ByNumber::Opens,
        }
    }

    fn by_ear(&mut self, _: &mut At) {
        self.is_heard = true;
    }

    fn replaces(&self) -> bool {
        matches!(self.form(), Some(Form::Number { .. }))
    }

    fn result(&self) -> Option<Grade> {
        self.grade
    }
}
