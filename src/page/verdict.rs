//! The verdict on an answer: its total, a row for each part, and beside the chosen row what was asked for
//! there, point by point, with the words that earned it.
//!
//! Every mark is a row, so that a key can be meant for it: today to disagree with it.

use serde_json::Value;

use super::action::Action;
use super::keys::Scope;
use super::place::Place;
use super::view::{Row, View};
use super::{Act, At, Next, Page};
use crate::doc::Document;
use crate::services::record::Dispute;
use crate::services::{Record, Services};
use crate::store::{Filter, Target};
use crate::study::answer;
use crate::study::attempt::Attempt;
use crate::study::compare::is_before;
use crate::study::schedule::{Grade, grade_attempt};
use marks::{Mark, Marks};

mod compare;
pub mod marks;

/// Among the newest this many answers to a drill, the earlier ones are looked for.
const MOST_COMPARED: u32 = 50;

/// What stands beside the marks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Beside {
    Nothing,
    Model,
    Earlier,
}

/// A scored answer.
pub struct Verdict {
    attempt: Attempt,
    /// The index of the pack, where it is loaded.
    pack: Option<usize>,
    earlier: Vec<Attempt>,
    /// The marks that the learner does not accept, by what they are about.
    disputed: Vec<String>,
    /// The mark that a reason is typed for.
    disputing: Option<Mark>,
    beside: Beside,
    /// Whether the rules behind the marks are shown.
    rules: bool,
}

impl Verdict {
    /// The verdict on an attempt.
    ///
    /// # Errors
    /// Where the store cannot be read.
    pub fn open(attempt: &Attempt, services: &Services) -> Result<Self, String> {
        let of = Filter {
            pack: Some(attempt.pack.clone()),
            drill: Some(attempt.drill.clone()),
            ..Filter::default()
        };
        let earlier = services.history(&of, MOST_COMPARED).map_err(|fault| fault.to_string())?;
        let disputes = services.store.disputes(&attempt.pack).map_err(|fault| fault.to_string())?;
        Ok(Verdict {
            pack: services.library.index(&attempt.pack),
            earlier: earlier.into_iter().filter(|a| is_before(a, attempt)).collect(),
            disputed: disputes.into_iter().filter(|d| d.attempt == attempt.id).map(|d| d.item).collect(),
            attempt: attempt.clone(),
            disputing: None,
            beside: Beside::Nothing,
            rules: false,
        })
    }

    fn marks<'a>(&'a self, services: &'a Services) -> Marks<'a> {
        Marks::of(&self.attempt, &services.library).but(&self.disputed)
    }

    /// Shows something beside the marks, or nothing again.
    fn show(&mut self, beside: Beside) -> Next {
        self.beside = if self.beside == beside { Beside::Nothing } else { beside };
        Next::Stay
    }

    /// What stands beside the marks, if something does.
    fn side(&self, at: &At) -> Option<View> {
        match self.beside {
            Beside::Nothing => None,
            Beside::Model => {
                let pack = at.services.pack(self.pack?)?;
                let model = &pack.drill(&self.attempt.drill)?.model;
                Some(View::new().title("A model answer").markdown(&pack.named(model)))
            }
            Beside::Earlier => Some(compare::view(&self.attempt, &self.earlier, at.services)),
        }
    }

    /// Asks why a mark is wrong.
    fn ask_why(&mut self, row: Option<usize>, at: &mut At) -> Next {
        let mark = row.and_then(|row| self.marks(at.services).rows().get(row).cloned());
        let Some(mark) = mark else {
            at.say("choose the mark that you disagree with; in lines, type u and its number");
            return Next::Stay;
        };
        if self.disputed.contains(&mark.about) {
            at.say(format!("{} is disputed already", mark.name));
            return Next::Stay;
        }
        at.say(format!("what is wrong with {}? Your words are kept with the answer", mark.name));
        self.disputing = Some(mark);
        Next::Stay
    }

    fn dispute(&mut self, mark: Mark, note: &str, at: &mut At) -> Next {
        let dispute = Dispute {
            attempt: self.attempt.id.clone(),
            target: if mark.is_part { Target::Part } else { Target::Misconception },
            about: mark.about.clone(),
            note: note.trim().to_owned(),
            at: at.now,
        };
        let kept = at.services.keep(Record::Dispute(dispute), at.now).said();
        let done = format!("your dispute of {} is kept with the attempt", mark.name);
        at.say(kept.unwrap_or(done));
        self.disputed.push(mark.about);
        Next::Stay
    }

    /// The drill, or one part of it, to be answered.
    fn drill(&self, only: Option<String>, at: &mut At) -> Option<Place> {
        let id = self.attempt.drill.clone();
        match self.pack {
            Some(pack) => Some(Place::Drill { pack, id, only }),
            None => {
                at.say("the pack of this drill is not loaded; add it with --pack");
                None
            }
        }
    }

    fn follow(&self, at: &mut At) -> Next {
        let drill = self.pack.and_then(|p| at.services.library.drill(p, &self.attempt.drill));
        let part = match drill.map(|d| answer::part_to_follow(d, &self.attempt)) {
            Some(Some(part)) => Some(part.to_owned()),
            Some(None) => {
                at.say(match self.attempt.answer.trim().is_empty() {
                    true => "nothing was answered, so there is nothing to follow up; r answers it again",
                    false => "the drill has no further question",
                });
                return Next::Stay;
            }
            None => None,
        };
        self.drill(part, at).map_or(Next::Stay, Next::Go)
    }
}

impl Page for Verdict {
    fn title(&self, services: &Services) -> Vec<String> {
        let lesson = self.pack.and_then(|p| services.library.lesson(p, &self.attempt.lesson));
        lesson.map(|l| l.title.clone()).into_iter().chain(["verdict".into()]).collect()
    }

    fn scopes(&self) -> Vec<Scope> {
        if self.disputing.is_some() {
            return Vec::new();
        }
        let drill = self.pack.map(|_| Scope::VerdictDrill);
        drill.into_iter().chain([Scope::Verdict]).collect()
    }

    fn view(&self, at: &At) -> View {
        let marks = self.marks(at.services);
        let parts = marks.parts().map(|part| Row::here().with(marks.part_row(part)));
        let wrong = marks.misconceptions().map(|wrong| Row::here().with(marks.wrong_row(wrong)));
        let view = View::new().of_pack(self.pack.unwrap_or(0)).begin_at(marks.limiting());
        let mut view = view.with(|body| body.and(marks.head())).list(parts).list(wrong);
        view = view.with(|body| body.and(marks.right()).and(marks.answer()));
        if let Some(side) = self.side(at) {
            view = view.beside(side);
        }
        match &self.disputing {
            Some(mark) => view.line(&format!("What is wrong with {}", mark.name), ""),
            None => view,
        }
    }

    fn preview(&self, row: usize, at: &At) -> Option<Document> {
        self.marks(at.services).points(row, self.rules)
    }

    fn act(&mut self, act: Act, at: &mut At) -> Next {
        if let Some(mark) = self.disputing.take() {
            return match act {
                Act::Line(note) if !note.trim().is_empty() => self.dispute(mark, &note, at),
                _ => {
                    at.say("nothing was disputed");
                    Next::Show
                }
            };
        }
        let row = match &act {
            Act::On(_, row) => Some(*row),
            _ => None,
        };
        match act.action() {
            Some(Action::Why) => {
                self.rules = !self.rules;
                at.say(match self.rules {
                    true => "the rules behind the marks stand below each point",
                    false => "the rules are hidden",
                });
                Next::Stay
            }
            Some(Action::Model) => self.show(Beside::Model),
            Some(Action::Earlier) => self.show(Beside::Earlier),
            Some(Action::Dispute) => self.ask_why(row, at),
            Some(Action::Follow) => self.follow(at),
            Some(Action::Again) => {
                self.drill(self.attempt.part.clone(), at).map_or(Next::Stay, Next::Replace)
            }
            Some(Action::ReadSection) => {
                let id = self.attempt.lesson.clone();
                self.pack.map_or(Next::Stay, |pack| Next::Go(Place::Lesson { pack, id }))
            }
            _ => Next::Stay,
        }
    }

    fn result(&self) -> Option<Grade> {
        grade_attempt(&self.attempt)
    }

    fn json(&self) -> Option<Value> {
        serde_json::to_value(&self.attempt).ok()
    }
}
