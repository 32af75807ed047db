//! A question that is asked before the reveal.

use super::sentence;
use crate::doc::{self, Cell, Document, Judged, Role, Rows};
use crate::sim::{Answer, Judgement, Question};
use crate::study::words::capital;

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
    /// How the right answer comes about with the values put in, for the eye and for the ear.
    pub sum: Option<(String, String)>,
    /// The questions before it, with what became of their answers.
    pub earlier: Vec<(String, Judgement)>,
}

impl Ask {
    /// Nothing answered yet.
    pub fn new(question: Question, of: (usize, usize)) -> Self {
        Self {
            question,
            of,
            typed: String::new(),
            chosen: 0,
            fault: None,
            judged: None,
            sum: None,
            earlier: Vec::new(),
        }
    }

    /// The same with how the right answer comes about here.
    pub fn with_sum(self, sum: Option<(String, String)>) -> Self {
        Self { sum, ..self }
    }

    /// The same after other questions of one round.
    pub fn after(self, other: Option<&Ask>) -> Self {
        let earlier = other.filter(|other| other.of.0 < self.of.0).map(Ask::answers).unwrap_or_default();
        Self { earlier, ..self }
    }

    /// Whether it is the last one of its round.
    pub fn is_last(&self) -> bool {
        self.of.0 == self.of.1
    }

    /// What was asked so far, with what became of the answers, this one included.
    pub fn answers(&self) -> Vec<(String, Judgement)> {
        let this = self.judged.iter().map(|judged| (self.question.ask.trim().to_owned(), judged.clone()));
        self.earlier.iter().cloned().chain(this).collect()
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

    /// Judges what is typed; the chosen option, where nothing is.
    pub fn answer(&mut self) {
        let chosen = (self.chosen + 1).to_string();
        let typed = if self.typed.is_empty() && !self.options().is_empty() { &chosen } else { &self.typed };
        match self.question.judge(typed) {
            Ok(judged) => self.judged = Some(judged),
            Err(_) if typed.trim().is_empty() => {
                self.fault = Some("Type a number first, for example 12; a guess will do.".into());
            }
            Err(fault) => {
                self.fault = Some(sentence(&format!("{}; {}", fault.what, fault.cure)).replace('`', ""))
            }
        }
    }

    /// The question with its answers in a line: `question 1 of 3: What …? 1) one, 2) two`.
    pub fn words(&self) -> String {
        let head = format!("question {} of {}: {}", self.of.0, self.of.1, self.question.ask.trim());
        let options: Vec<String> =
            (1..).zip(self.options()).map(|(nth, text)| format!("{nth}, {text}")).collect();
        let answers = if options.is_empty() { wanted(&self.question.answer) } else { options.join("; ") };
        format!("{head} {answers}")
    }

    /// The question, and what came of the answer.
    pub fn document(&self) -> Document {
        let (nth, of) = self.of;
        let Some(judged) = &self.judged else {
            // the way out stands before what holds one up
            let asked = format!("Question {nth} of {of}; Enter alone leaves it. {}", self.question.ask);
            let asked = Document::new().words(&asked);
            let options = self.options().iter().enumerate();
            let option = |(nth, text): (usize, &String)| {
                let row = doc::Row::new([Cell::text(format!("{}) {text}", nth + 1))]);
                row.said(format!("{}. {}", nth + 1, capital(text)))
            };
            let options = options.map(option);
            return asked.rows(Rows::of(options.map(doc::Row::wrapped))).dim(&wanted(&self.question.answer));
        };
        let asked = Document::new().words(&format!("Question {nth} of {of}. {}", self.question.ask));
        let (mark, role, word) = match judged.right {
            true => (Judged::Covered, Role::Good, "right"),
            false => (Judged::Missing, Role::Missing, "not right"),
        };
        let quote =
            |text: &str| if self.options().is_empty() { text.to_owned() } else { format!("“{text}”") };
        let (given, expected) = (quote(&judged.given), quote(&judged.expected));
        let said = match judged.right {
            true => format!("Right: it is {expected}."),
            false => format!("You said {given}; it is {expected}. That is {word}."),
        };
        let head = Cell::mark(mark) + Cell::text(format!(" {word}")).role(role);
        let lead = |lead: &str, text: &str| {
            doc::Row::new([Cell::text(lead).role(Role::Dim) + Cell::text(text).role(Role::Strong)])
        };
        let rows = [
            doc::Row::new([head]).said(said),
            lead("you ", &judged.given).said(""),
            lead("it is ", &judged.expected).said(""),
        ];
        let sum = self.sum.iter().map(|(seen, said)| {
            let row = doc::Row::new([Cell::text("here ").role(Role::Dim) + Cell::text(seen)]).wrapped();
            row.said(format!("Here: {}", sentence(said)))
        });
        let told = asked.rows(Rows::of(rows.into_iter().chain(sum))).words(&sentence(&self.question.explain));
        if !self.is_last() || self.earlier.is_empty() {
            return told;
        }
        let row = |(asked, judged): (String, Judgement)| {
            let mark = if judged.right { Judged::Covered } else { Judged::Missing };
            let text = format!("{asked} You: {}; it is {}", judged.given, judged.expected);
            let said = sentence(&text);
            doc::Row::new([Cell::mark(mark) + Cell::text(format!(" {text}"))]).wrapped().said(said)
        };
        told.title("All that was asked").rows(Rows::of(self.answers().into_iter().map(row)))
    }
}

/// What may be typed for a question.
fn wanted(answer: &Answer) -> String {
    match answer {
        Answer::Choice { .. } => "Type the number of an answer.".into(),
        Answer::Number { unit, .. } => match unit.name {
            "" => "Type a number, or a calculation such as 7*8; within 5% is right.".into(),
            name if unit.dimension == crate::sim::quantity::Dimension::Count => {
                format!("Type how many {name}, a whole number or a calculation such as 7*8.")
            }
            name => format!(
                "Type a number in {name} or another unit, or a calculation such as 7*8; within 5% is right."
            ),
        },
    }
}
