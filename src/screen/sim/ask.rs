//! A question that is asked before the reveal.

use crate::page::action::Action;
use crate::page::key::{Code, Key};
use crate::sim::{Answer, Judgement, Question};

/// The longest answer that is taken.
const LONGEST: usize = 40;

/// A question with what was answered so far.
#[derive(Debug)]
pub struct Ask {
    /// The question.
    pub question: Question,
    /// Its number from 1, and how many there are.
    pub of: (usize, usize),
    /// What is typed.
    pub typed: String,
    /// The option under the pointer.
    pub chosen: usize,
    /// Why the answer could not be read.
    pub fault: Option<String>,
    /// What became of the answer.
    pub judged: Option<Judgement>,
}

impl Ask {
    /// Nothing answered yet.
    pub fn new(question: Question, of: (usize, usize)) -> Self {
        Self { question, of, typed: String::new(), chosen: 0, fault: None, judged: None }
    }

    /// The options, where there are some.
    pub fn options(&self) -> &[String] {
        match &self.question.answer {
            Answer::Choice { options, .. } => options,
            Answer::Number { .. } => &[],
        }
    }

    /// Whether a number is to be typed.
    pub fn is_typed(&self) -> bool {
        self.options().is_empty() && self.judged.is_none()
    }

    /// Moves among the options.
    pub fn choose(&mut self, action: Action) {
        let last = self.options().len().saturating_sub(1);
        self.chosen = match action {
            Action::Down => (self.chosen + 1).min(last),
            Action::Up => self.chosen.saturating_sub(1),
            _ => self.chosen,
        };
    }

    /// Takes a key: text for a number, a digit for an option.
    pub fn key(&mut self, key: Key) {
        self.fault = None;
        if let Some(digit) = key.typed().and_then(|c| c.to_digit(10)).filter(|_| !self.is_typed()) {
            let at = (digit as usize).checked_sub(1);
            self.chosen = at.filter(|i| *i < self.options().len()).unwrap_or(self.chosen);
        } else {
            edit(&mut self.typed, key);
        }
    }

    /// Judges what stands there.
    pub fn answer(&mut self) {
        let said = if self.is_typed() {
            self.question.judge(&self.typed)
        } else {
            self.question.judge(&(self.chosen + 1).to_string())
        };
        match said {
            Ok(judged) => self.judged = Some(judged),
            Err(fault) => self.fault = Some(format!("{}; {}", fault.what, fault.cure)),
        }
    }
}

/// Takes a key into a field of one line.
pub fn edit(field: &mut String, key: Key) {
    match (key.typed(), key.code) {
        (Some(c), _) => add(field, c),
        (None, Code::Backspace) => drop(field.pop()),
        _ => {}
    }
}

/// Takes pasted text into a field of one line.
pub fn paste(field: &mut String, text: &str) {
    text.chars().for_each(|c| add(field, c));
}

fn add(field: &mut String, c: char) {
    if !crate::doc::escape::is_harmful(c) && c != '\n' && field.chars().count() < LONGEST {
        field.push(c);
    }
}
