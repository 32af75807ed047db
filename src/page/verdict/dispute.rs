//! Disagreeing with a mark: the reason, then the sentence that says it. The same key takes it back.

use super::Verdict;
use super::marks::Mark;
use super::points::one_line;
use crate::doc::{Cell, Role};
use crate::page::action::Action;
use crate::page::view::{Row, View};
use crate::page::{Act, At, Next};
use crate::score::Evidence;
use crate::services::Record;
use crate::services::record::Dispute;
use crate::store::{self, Target};

/// What becomes of a dispute.
const KEPT: &str = "Your dispute is kept. The mark stays as the rules gave it; your words stand beside it, here and in \
    your earlier answers, and `infralens export` writes them for those who wrote the course";

/// How far a dispute has come.
#[derive(Debug, Clone)]
pub(super) enum Disputing {
    /// The reason is typed.
    Why(Mark),
    /// The sentence is chosen; the reason is known.
    Where(Mark, String),
}

impl Verdict {
    /// Asks why a mark is wrong; takes back what was disputed.
    pub(super) fn ask_why(&mut self, row: Option<usize>, at: &mut At) -> Next {
        let mark = row.and_then(|row| self.marks(at.services).rows().get(row).cloned());
        let Some(mark) = mark else {
            at.say("choose the mark that you disagree with; in lines, type u and its number");
            return Next::Stay;
        };
        self.row = row;
        if self.disputes.iter().any(|d| d.item == mark.about) {
            return self.take_back(&mark, at);
        }
        if self.is_heard {
            at.say(format!("what is wrong with {}?", mark.name));
        }
        self.disputing = Some(Disputing::Why(mark));
        Next::Stay
    }

    fn take_back(&mut self, mark: &Mark, at: &mut At) -> Next {
        let record = Record::Undispute(self.attempt.id.clone(), mark.about.clone());
        let kept = at.services.keep(record, at.now).said();
        at.say(kept.unwrap_or_else(|| format!("your dispute of {} is taken back", mark.name)));
        self.disputes.retain(|d| d.item != mark.about);
        Next::Stay
    }

    /// Takes what is said while a dispute is under way.
    pub(super) fn dispute_on(&mut self, disputing: Disputing, act: Act, at: &mut At) -> Next {
        match (disputing, act) {
            (Disputing::Why(mark), Act::Line(note)) if !note.trim().is_empty() => {
                let note = note.trim().to_owned();
                // of a false statement the words are known
                if !mark.is_part || self.own_sentences(at).is_empty() {
                    let words = self.attempt.score.misconceptions.iter().find(|m| m.id == mark.about);
                    let words = words.and_then(|m| m.evidence.first()).map(|e| e.text.clone());
                    return self.dispute(mark, note, words, at);
                }
                self.turn += 1;
                self.disputing = Some(Disputing::Where(mark, note));
                Next::Show
            }
            (Disputing::Where(mark, note), Act::Open(row)) => {
                let words = self.own_sentences(at).get(row).map(|sentence| sentence.text.clone());
                self.dispute(mark, note, words, at)
            }
            (Disputing::Where(mark, note), act) => match act.action() {
                Some(Action::Cancel | Action::Back) => self.dispute(mark, note, None, at),
                _ => {
                    self.disputing = Some(Disputing::Where(mark, note));
                    Next::Stay
                }
            },
            _ => {
                at.say("nothing was disputed");
                Next::Show
            }
        }
    }

    fn dispute(&mut self, mark: Mark, note: String, sentence: Option<String>, at: &mut At) -> Next {
        self.turn += 1;
        let target = if mark.is_part { Target::Part } else { Target::Misconception };
        let dispute = Dispute {
            attempt: self.attempt.id.clone(),
            target,
            about: mark.about.clone(),
            note: note.clone(),
            sentence: sentence.clone(),
            at: at.now,
        };
        let kept = at.services.keep(Record::Dispute(dispute), at.now).said();
        at.say(kept.unwrap_or_else(|| format!("{KEPT}; u takes it back")));
        self.disputes.push(store::Dispute {
            id: String::new(),
            attempt: self.attempt.id.clone(),
            pack: self.attempt.pack.clone(),
            drill: self.attempt.drill.clone(),
            target,
            item: mark.about,
            note,
            sentence,
            at: at.now,
        });
        Next::Show
    }

    /// The sentences of the answer.
    fn own_sentences(&self, at: &At) -> &[Evidence] {
        self.both_sentences(at.services).map_or(&[], |(own, _)| own)
    }

    /// The sentences to choose from.
    pub(super) fn which_sentence(&self, mark: &Mark, at: &At) -> View {
        let sentences = self.own_sentences(at);
        let rows = sentences.iter().map(|s| Row::here().wrapped().cell(Cell::text(one_line(&s.text))));
        let none = Row::here().cell(Cell::text("no sentence in particular").role(Role::Dim));
        let ask = format!("Which sentence should change {}?", mark.name);
        View::new().title(&ask).list(rows.chain([none])).turn(self.turn)
    }
}
