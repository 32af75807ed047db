//! The checks of a lesson, one after the other: choices, claims, orders, numbers.

use jiff::Timestamp;

use super::desk::heard;
use super::menu::{number, short};
use super::out::Out;
use super::page::{At, Go, Page};
use crate::pack::{Check, CheckKind, Pack};
use crate::store::CheckAttempt;
use crate::study::check::{self, Answer, Asked, Form, Marked, Shown};
use crate::study::measure;
use crate::study::schedule::{Grade, grade_check};

/// Some checks.
pub struct Checks {
    pack: usize,
    /// Ids of the checks.
    checks: Vec<String>,
    at: usize,
    asked: Option<Asked>,
    since: Option<Timestamp>,
    hints: usize,
    marked: bool,
    right: usize,
    answered: usize,
    /// How well the last one was known.
    grade: Option<Grade>,
}

impl Checks {
    /// The checks of a lesson, or one of them. None where there is none to answer here.
    pub fn new(index: usize, pack: &Pack, lesson: &str, only: Option<&str>) -> Option<Self> {
        let checks: Vec<String> = pack
            .checks_of(lesson)
            .filter(|c| !matches!(c.kind, CheckKind::Worksheet(_)))
            .filter(|c| only.is_none_or(|id| c.id == id))
            .map(|c| c.id.clone())
            .collect();
        (!checks.is_empty()).then_some(Checks {
            pack: index,
            checks,
            at: 0,
            asked: None,
            since: None,
            hints: 0,
            marked: false,
            right: 0,
            answered: 0,
            grade: None,
        })
    }

    fn check<'a>(&self, at: &'a At) -> Option<&'a Check> {
        at.desk.library.packs.get(self.pack)?.check(self.checks.get(self.at)?)
    }

    /// Asks the check at hand. The time is the seed, so that values are fresh each time.
    fn ask(&mut self, at: &mut At) -> Go {
        let Some(of) = self.check(at) else {
            return self.finish(at);
        };
        let seed = u64::try_from(at.now.as_millisecond()).unwrap_or(0).wrapping_add(self.at as u64);
        (self.hints, self.marked, self.since) = (0, false, Some(at.now));
        match check::ask(of, seed) {
            Ok(asked) => {
                at.out.say(&format!("Check {} of {}.", self.at + 1, self.checks.len()));
                at.out.markdown(&asked.question);
                say_form(&asked.form, at.out);
                self.asked = Some(asked);
                Go::Stay
            }
            Err(broken) => {
                at.out.say(&format!("This check cannot be asked: {}.", broken.what));
                self.at += 1;
                Go::Show
            }
        }
    }

    fn finish(&mut self, at: &mut At) -> Go {
        if self.checks.len() > 1 {
            at.out.say(&format!(
                "Done: {} of {} right. What was wrong comes back in the review.",
                self.right, self.answered
            ));
        }
        Go::Back(self.grade)
    }

    fn next(&mut self) -> Go {
        self.at += 1;
        Go::Show
    }

    fn hint(&mut self, at: &mut At) {
        let hints = self.asked.as_ref().map(|a| &a.hints[..]).unwrap_or_default();
        match hints.get(self.hints) {
            Some(hint) => {
                at.out.markdown_item(&format!("Hint {}: ", self.hints + 1), hint);
                self.hints += 1;
            }
            None => at.out.say("There is no further hint."),
        }
    }

    fn answer(&mut self, line: &str, at: &mut At) {
        let (Some(asked), Some(of)) = (&self.asked, self.check(at)) else {
            return;
        };
        let answer = match read(&asked.form, line) {
            Ok(answer) => answer,
            Err(cure) => {
                at.out.say(&format!("“{}” is no answer here; {cure}.", short(line)));
                return;
            }
        };
        let marked = match check::mark(of, asked, &answer) {
            Ok(marked) => marked,
            Err(unread) => {
                at.out.say(&format!("{}; {}. It does not count.", unread.what, unread.cure));
                return;
            }
        };
        let attempt = self.attempt(asked, &marked, at);
        if let Some(attempt) = attempt {
            heard(at.desk.store.record_check(&attempt, &at.desk.schedule), at.out);
        }
        say_marked(&asked.form, &marked, at.out);
        let hints = u32::try_from(self.hints).unwrap_or(u32::MAX);
        self.grade = Some(grade_check(marked.right, hints));
        self.right += usize::from(marked.right);
        self.answered += 1;
        self.marked = true;
        let last = self.at + 1 == self.checks.len();
        at.out.say(if last { "Enter goes on; that was the last." } else { "Enter asks the next." });
    }

    fn attempt(&self, asked: &Asked, marked: &Marked, at: &At) -> Option<CheckAttempt> {
        let pack = at.desk.pack(self.pack)?;
        let of = self.check(at)?;
        let seconds = at.now.duration_since(self.since.unwrap_or(at.now)).as_secs().max(0);
        Some(CheckAttempt {
            id: at.desk.store.fresh_id(at.now).ok()?,
            pack: pack.id.clone(),
            check: of.id.clone(),
            lesson: of.lesson.clone(),
            at: at.now,
            right: marked.right,
            given: marked.given.clone(),
            hints: u32::try_from(self.hints).unwrap_or(u32::MAX),
            seed: asked.seed,
            seconds: u32::try_from(seconds).unwrap_or(u32::MAX),
        })
    }
}

fn say_form(form: &Form, out: &mut Out) {
    let options = |shown: &[Shown], out: &mut Out| {
        for (i, option) in shown.iter().enumerate() {
            out.markdown_item(&format!("{}. ", i + 1), &option.text);
        }
    };
    match form {
        Form::Choice(shown) => {
            options(shown, out);
            out.say("Type the number of the right one. h gives a hint.");
        }
        Form::Claim => {
            out.item("1. ", "True");
            out.item("2. ", "False");
            out.say("Type 1 or 2. h gives a hint.");
        }
        Form::Order(shown) => {
            options(shown, out);
            out.say("Type the numbers in the right order, such as 3 1 2. h gives a hint.");
        }
        Form::Number { unit, .. } => {
            out.say(&format!("Type {}. h gives a hint.", measure::asked(unit)));
        }
        Form::Worksheet => {}
    }
}

/// Reads an answer, or says what to type instead.
fn read(form: &Form, line: &str) -> Result<Answer, String> {
    let pick = |typed: &str, all: usize| number(typed).filter(|n| (1..=all).contains(n)).map(|n| n - 1);
    match form {
        Form::Choice(shown) => pick(line, shown.len())
            .map(Answer::Choice)
            .ok_or_else(|| format!("type a number from 1 to {}", shown.len())),
        Form::Claim => match line.to_lowercase().as_str() {
            "1" | "1." | "true" | "t" => Ok(Answer::Claim(true)),
            "2" | "2." | "false" | "f" => Ok(Answer::Claim(false)),
            _ => Err("type 1 for true or 2 for false".into()),
        },
        Form::Order(shown) => {
            let typed = line.split(|c: char| c.is_whitespace() || c == ',').filter(|w| !w.is_empty());
            let order: Option<Vec<usize>> = typed.map(|w| pick(w, shown.len())).collect();
            let mut each = order.clone().unwrap_or_default();
            each.sort_unstable();
            each.dedup();
            match order {
                Some(order) if order.len() == shown.len() && each.len() == shown.len() => {
                    Ok(Answer::Order(order))
                }
                _ => Err(format!("type each number from 1 to {} once, in the right order", shown.len())),
            }
        }
        Form::Number { .. } => Ok(Answer::Number(line.to_owned())),
        Form::Worksheet => Err("fill in the worksheet".into()),
    }
}

fn say_marked(form: &Form, marked: &Marked, out: &mut Out) {
    let word = if marked.right { "Right" } else { "Not right" };
    match form {
        Form::Number { .. } => {
            out.say(&format!("{word}: you gave {}; right is {}.", marked.given, marked.correct))
        }
        Form::Claim => out.say(&format!("{word}: it is {}.", marked.correct)),
        _ => out.say(&format!("{word}.")),
    }
    let order = matches!(form, Form::Order(_));
    if let (Some(slip), true) = (&marked.slip, marked.lines.is_empty() || order) {
        out.markdown(slip);
    }
    if order {
        out.say("The right order:");
    }
    for (i, line) in marked.lines.iter().enumerate() {
        let state = match (order, line.right) {
            (true, true) => String::new(),
            (true, false) => String::new(),
            (false, true) => "right".into(),
            (false, false) => "wrong".into(),
        };
        let yours = if line.chosen && !order { ", yours" } else { "" };
        let lead = if order { format!("{}. ", i + 1) } else { format!("- {state}{yours}: ") };
        let why = line.why.as_deref().map(|w| format!(" {w}.")).unwrap_or_default();
        let why = why.replace("..", ".");
        out.markdown_item(&lead, &format!("{}.{why}", line.text.trim().trim_end_matches('.')));
    }
    out.markdown(&marked.explain);
}

impl Page for Checks {
    fn show(&mut self, at: &mut At) -> Go {
        self.ask(at)
    }

    fn line(&mut self, line: &str, at: &mut At) -> Go {
        match line {
            "" if self.marked => return self.next(),
            "s" => return self.next(),
            _ if self.marked => at.out.say("Enter goes on, q goes back."),
            "h" => self.hint(at),
            "" => at.out.say("Type an answer. h gives a hint, s leaves it out, q goes back."),
            _ => self.answer(line, at),
        }
        Go::Stay
    }

    fn result(&self) -> Option<Grade> {
        self.grade
    }

    fn help(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("a number or a word", "answer"),
            ("h", "a hint"),
            ("s", "leave this one out"),
            ("Enter alone", "after an answer: go on"),
        ]
    }

    fn pack(&self) -> usize {
        self.pack
    }
}
