//! Disagreeing with a mark: the reason, then the sentence that says it. The same key takes it back.

use std::collections::BTreeSet;

use super::Verdict;
use super::marks::Mark;
use super::points::one_line;
use crate::doc::{Cell, Role};
use crate::page::action::Action;
use crate::page::view::{Row, View};
use crate::page::{Act, At, Next};
use crate::score::{Evidence, Verdict as Given};
use crate::services::Record;
use crate::services::record::Dispute;
use crate::store::{self, Target};

/// What becomes of a dispute.
const KEPT: &str = "Your dispute is kept, and the mark stays as it is shown. Your words stand beside it, and \
    `infralens export` writes them for those who wrote the course";

/// What leaves a dispute in lines, and drops it.
const LEAVE: &str = "leave";

/// What may be typed where the reason is asked for.
fn ask_heard(mark: &Mark) -> String {
    format!(
        "What is wrong with {}: is it too low, too high, or for the wrong words? Type your reason in one line. Enter says \
         this again, {LEAVE} goes back and disputes nothing.",
        mark.name
    )
}

/// Words of so many letters say what a sentence is about.
const LONG: usize = 4;

/// How far a dispute has come.
#[derive(Debug, Clone)]
pub(super) enum Disputing {
    /// The reason is typed: what there is of it.
    Why(Mark, String),
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
        self.turn += 1;
        self.disputing = Some(Disputing::Why(mark, String::new()));
        Next::Show
    }

    fn take_back(&mut self, mark: &Mark, at: &mut At) -> Next {
        let record = Record::Undispute(self.attempt.id.clone(), mark.about.clone());
        let kept = at.services.keep(record, at.now).said();
        at.say(kept.unwrap_or_else(|| format!("your dispute of {} is taken back", mark.name)));
        self.disputes.retain(|d| d.item != mark.about);
        Next::Stay
    }

    /// Takes what is said while a dispute is under way. Where it ends, a screen shows the marks; a voice would say all of
    /// them once more.
    pub(super) fn dispute_on(&mut self, disputing: Disputing, act: Act, at: &mut At) -> Next {
        let is_back = act.action() == Some(Action::Back);
        let next = self.dispute_step(disputing, act, at);
        if !self.is_heard || is_back || self.disputing.is_some() {
            return next;
        }
        at.say("You are back at the verdict; l says it again");
        Next::Stay
    }

    fn dispute_step(&mut self, disputing: Disputing, act: Act, at: &mut At) -> Next {
        if self.is_heard
            && let Some(next) = self.heard(&disputing, &act, at)
        {
            return next;
        }
        match (disputing, act) {
            (Disputing::Why(mark, _), Act::Text(note)) => {
                self.disputing = Some(Disputing::Why(mark, note));
                Next::Stay
            }
            (Disputing::Why(mark, note), act)
                if matches!(act, Act::Line(_)) || act.action() == Some(Action::Submit) =>
            {
                let note = if let Act::Line(line) = act { line } else { note };
                let note = note.trim().to_owned();
                if note.is_empty() {
                    return self.nothing_disputed(at);
                }
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
            (Disputing::Why(mark, note), act) if act.action() != Some(Action::Back) => {
                self.disputing = Some(Disputing::Why(mark, note));
                Next::Stay
            }
            _ => self.nothing_disputed(at),
        }
    }

    /// What lines have besides: a word that leaves, and Enter, which repeats or takes what was named.
    fn heard(&mut self, disputing: &Disputing, act: &Act, at: &mut At) -> Option<Next> {
        let is_word = |word: &str| matches!(act, Act::Line(line) if line.trim().eq_ignore_ascii_case(word));
        let is_enter = act.action() == Some(Action::Open) && !matches!(act, Act::Open(_));
        match disputing {
            _ if is_word(LEAVE) => Some(self.nothing_disputed(at)),
            Disputing::Why(mark, _) if is_enter => {
                at.say(format!("Nothing is disputed yet. {}", ask_heard(mark)));
                self.disputing = Some(disputing.clone());
                Some(Next::Stay)
            }
            Disputing::Where(mark, note) if is_enter => {
                let sentences = self.own_sentences(at);
                let words = sentences.get(self.likely(mark, note, sentences)).map(|s| s.text.clone());
                Some(self.dispute(mark.clone(), note.clone(), words, at))
            }
            Disputing::Where(mark, note) if matches!(act, Act::Line(_)) => {
                at.say(self.which_heard(mark, note, at));
                self.disputing = Some(disputing.clone());
                Some(Next::Stay)
            }
            _ => None,
        }
    }

    /// What may be typed where the sentence is asked for.
    fn which_heard(&self, mark: &Mark, note: &str, at: &At) -> String {
        let likely = self.likely(mark, note, self.own_sentences(at)) + 1;
        format!(
            "Type the number of the sentence. Enter takes {likely}, the likeliest. q keeps your reason without a \
             sentence, {LEAVE} drops the dispute."
        )
    }

    fn nothing_disputed(&mut self, at: &mut At) -> Next {
        self.turn += 1;
        at.say("nothing was disputed");
        Next::Show
    }

    /// The field for the reason: the mark that it is about, and what may be wrong with it. In lines one line is typed.
    pub(super) fn why(&self, mark: &Mark, note: &str, at: &At) -> View {
        if self.is_heard {
            let about = format!(
                "You disagree with {}. The mark stays as it is; your reason stands beside it, and u with its number takes \
                 that back.",
                mark.name
            );
            let view = View::new().words(&about).closing(&ask_heard(mark)).turn(self.turn);
            let view = view.typed(&[("a line", "your reason"), (LEAVE, "goes back; nothing is disputed")]);
            return view.enter("says this again").line(&format!("What is wrong with {}", mark.name), "");
        }
        let row = self.marks(at.services).rows().iter().position(|of| of == mark);
        let ask = format!("What is wrong with {}?", mark.name);
        let view = View::new().title(&ask).dim(
            "It may be too low, too high, or rest on the wrong words. Say it as you would to a colleague; then you \
             choose the sentence that it is about.",
        );
        let view = match row.and_then(|row| self.marks(at.services).points(row, false)) {
            Some(points) => view.beside(View::new().with(|body| body.and(points))),
            None => view,
        };
        view.turn(self.turn).text(self.may_be(mark), note)
    }

    /// What may be wrong with a mark, as the beginning of a reason.
    fn may_be(&self, mark: &Mark) -> &'static str {
        let given = self.attempt.marks().find(|part| mark.is_part && part.part == mark.about);
        match given.map(|part| part.verdict) {
            Some(Given::Covered) => "It is too high, because …",
            Some(Given::Partial) => "It is not right, because …",
            Some(Given::Missing) => "It is too low, because …",
            None => "It is not false, because …",
        }
    }

    /// The sentence that a reason is likely about: the one that shares most words with it, then with what the mark
    /// rests on.
    fn likely(&self, mark: &Mark, note: &str, sentences: &[Evidence]) -> usize {
        let words = |text: &str| -> BTreeSet<String> {
            let words = text.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase);
            words.filter(|word| word.chars().count() >= LONG).collect()
        };
        let said = words(note);
        let part = self.attempt.marks().find(|part| part.part == mark.about);
        let evidence: Vec<&Evidence> =
            part.into_iter().flat_map(|part| &part.points).flat_map(|point| &point.evidence).collect();
        let weight = |sentence: &Evidence| {
            let shared = words(&sentence.text).intersection(&said).count();
            let is_earned = evidence.iter().any(|e| sentence.start <= e.start && e.start < sentence.end);
            (shared, is_earned)
        };
        let best = (0..sentences.len()).max_by_key(|nth| (weight(&sentences[*nth]), std::cmp::Reverse(*nth)));
        best.unwrap_or(0)
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
    pub(super) fn which_sentence(&self, mark: &Mark, note: &str, at: &At) -> View {
        let sentences = self.own_sentences(at);
        let rows = sentences.iter().map(|s| Row::here().wrapped().cell(Cell::text(one_line(&s.text))));
        let none = Row::here().cell(Cell::text("no sentence in particular").role(Role::Dim));
        let ask = "Which sentence of yours is it about?";
        let likely = self.likely(mark, note, sentences);
        if self.is_heard {
            let view = View::new().words(ask).list(rows.chain([none])).turn(self.turn);
            let view = view.enter(&format!("takes {}, the likeliest", likely + 1)).spoken("The number");
            let view = view.typed(&[(LEAVE, "drops the dispute")]);
            return view.closing(&self.which_heard(mark, note, at));
        }
        View::new()
            .title(ask)
            .dim(&format!("For {}: {}", mark.name, one_line(note)))
            .list(rows.chain([none]))
            .begin_at(likely)
            .turn(self.turn)
    }
}
