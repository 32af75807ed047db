//! The verdict on an answer: its total, a row for each part, and beside the chosen row what was asked for
//! there, point by point, with the words that earned it.
//!
//! Every mark is a row, so that a key can be meant for it.

use std::cell::OnceCell;

use jiff::Timestamp;
use serde_json::Value;

use super::action::Action;
use super::keys::Scope;
use super::place::Place;
use super::view::{Row, View};
use super::{Act, At, Next, Page};
use crate::doc::Document;
use crate::judge;
use crate::score::{Evidence, Score, Source};
use crate::services::Services;
use crate::services::job::Done;
use crate::store::{Dispute, Filter};
use crate::study::answer;
use crate::study::attempt::Attempt;
use crate::study::compare::is_before;
use crate::study::explain;
use crate::study::judge::Reply;
use crate::study::schedule::{Grade, grade_attempt};
use crate::study::words::{percent, verdict};
use dispute::Disputing;
use marks::Marks;
use second::Second;

mod compare;
mod dispute;
mod head;
pub mod marks;
mod model;
pub mod points;
mod second;
mod wanted;

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
    /// With what the learner claims, and what the instructor gave.
    attempt: Attempt,
    /// The index of the pack, where it is loaded.
    pack: Option<usize>,
    /// What the schedule makes of it: the marks of the rules, or the instructor's where there are some.
    grade: Option<Grade>,
    earlier: Vec<Attempt>,
    /// The model answer and its marks: its words show what earns a point.
    model: Option<(String, Score)>,
    /// The marks that the learner does not accept.
    disputes: Vec<Dispute>,
    disputing: Option<Disputing>,
    /// The row that was acted on last, and how often other rows were shown.
    row: Option<usize>,
    /// The mark that is told alone, where it is heard.
    alone: Option<usize>,
    turn: usize,
    beside: Beside,
    second: Second,
    /// What the judge said of it last, and when.
    said_before: Option<(Reply, Timestamp)>,
    /// Whether a judge is set up.
    has_judge: bool,
    /// Whether the rules behind the marks are shown.
    rules: bool,
    /// Whether it is heard: then what is typed is asked for in a sentence.
    is_heard: bool,
    /// The sentences of one's own answer and of the model answer: to find them takes making the rubric ready.
    sentences: OnceCell<(Vec<Evidence>, Vec<Evidence>)>,
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
        let kept = services.attempt(&attempt.id).map_err(|fault| fault.to_string())?;
        let pack = services.library.index(&attempt.pack);
        Ok(Verdict {
            pack,
            grade: grade_attempt(&kept.as_ref().unwrap_or(attempt).as_graded()),
            earlier: earlier.iter().filter(|a| is_before(a, attempt)).map(Attempt::as_counted).collect(),
            model: pack.and_then(|pack| answer::model_score(services.pack(pack)?, attempt)),
            disputes: disputes.into_iter().filter(|d| d.attempt == attempt.id).collect(),
            attempt: kept.as_ref().unwrap_or(attempt).as_counted(),
            disputing: None,
            row: None,
            alone: None,
            turn: 0,
            beside: Beside::Nothing,
            second: Second::Not,
            said_before: services.store.opinion(&attempt.id).map_err(|fault| fault.to_string())?,
            has_judge: judge::set_up(&services.store).is_ok_and(|judge| judge.is_some()),
            rules: false,
            is_heard: false,
            sentences: OnceCell::new(),
        })
    }

    /// The sentences of one's own answer and of the model answer, found once; none where the drill is not at hand.
    fn both_sentences(&self, services: &Services) -> Option<&(Vec<Evidence>, Vec<Evidence>)> {
        if self.sentences.get().is_none() {
            let scorer = answer::scorer(services.pack(self.pack?)?, &self.attempt)?;
            let model = self.model.as_ref().map(|(text, _)| scorer.sentences(text)).unwrap_or_default();
            // nobody else fills it: pages belong to one thread
            let _ = self.sentences.set((scorer.sentences(&self.attempt.answer), model));
        }
        self.sentences.get()
    }

    fn marks<'a>(&'a self, services: &'a Services) -> Marks<'a> {
        Marks::of(&self.attempt, &services.library).but(&self.disputes).beside(self.model.as_ref())
    }

    /// The mark that a row shows: what is false stands above the parts; for the ear, whose numbers are those of the parts,
    /// below them.
    fn meant(&self, row: usize) -> usize {
        let (wrong, parts) = (self.attempt.score.misconceptions.len(), self.attempt.marks().count());
        match row {
            row if self.is_heard => row,
            row if row < wrong => parts + row,
            row => row - wrong,
        }
    }

    /// The row that shows a mark.
    fn shown_at(&self, mark: usize) -> usize {
        let (wrong, parts) = (self.attempt.score.misconceptions.len(), self.attempt.marks().count());
        match mark {
            mark if self.is_heard => mark,
            mark if mark < parts => wrong + mark,
            mark => mark - parts,
        }
    }

    /// Whether there is a part that the learner may speak for: one that the rules alone are not sure of.
    fn can_claim(&self) -> bool {
        self.attempt.marks().any(|p| p.is_open() || p.source == Source::You)
    }

    /// Shows something beside the marks, or nothing again.
    fn show(&mut self, beside: Beside) -> Next {
        self.beside = if self.beside == beside { Beside::Nothing } else { beside };
        Next::Stay
    }

    /// What one part gained that was answered again: against the newest answer to all parts before it.
    fn gained(&self, services: &Services) -> Document {
        let whole = self.earlier.iter().find(|a| a.part.is_none()).filter(|_| self.attempt.is_part_again());
        let now = self.attempt.marks().next();
        let Some((whole, now)) = whole.zip(now) else { return Document::new() };
        let Some(before) = whole.marks().find(|p| p.part == now.part) else { return Document::new() };
        let marks = self.marks(services);
        let with = whole.total() + (now.score - before.score) / whole.score.parts.len().max(1) as f64;
        let (was, is) = (verdict(before.verdict), verdict(now.verdict));
        let title = marks.title(&now.part);
        let total = match with - whole.total() {
            gain if gain.abs() < 0.005 => format!("The whole answer would stay at {}.", percent(with)),
            _ => format!(
                "With it the whole answer would have {}, not {}.",
                percent(with),
                percent(whole.total())
            ),
        };
        Document::new().words(&format!("{title} was {was}, and is {is} now. {total}"))
    }

    /// One part of the prompt once more: the chosen one.
    fn part_again(&self, row: Option<usize>, at: &mut At) -> Next {
        // what is false is said again with the part that it belongs to
        let parts = self.attempt.marks().map(|p| p.part.clone());
        let wrong = self.attempt.score.misconceptions.iter().map(|m| m.part.clone());
        let part = row.and_then(|row| parts.chain(wrong).nth(row));
        match (self.pack, part) {
            (Some(pack), Some(part)) => {
                Next::Go(Place::PartAgain { pack, id: self.attempt.drill.clone(), part })
            }
            _ => {
                at.say("choose the part to answer again; in lines, type w and its number");
                Next::Stay
            }
        }
    }

    /// Whether something stands beside the marks that can be put away.
    fn is_beside(&self) -> bool {
        let is_judged = !matches!(self.second, Second::Not | Second::Asked(_));
        self.beside != Beside::Nothing || is_judged
    }

    /// What stands beside the marks, if something does.
    fn side(&self, at: &At) -> Option<View> {
        if let Some(second) = self.second_view(at) {
            return Some(second);
        }
        match self.beside {
            Beside::Nothing => None,
            Beside::Model => {
                let pack = at.services.pack(self.pack?)?;
                let model = &pack.drill(&self.attempt.drill)?.model;
                Some(View::new().title("A model answer").markdown(&pack.named(model)))
            }
            Beside::Earlier => Some(compare::view(&self.attempt, &self.earlier, at)),
        }
    }

    /// The section of the lesson that explains the chosen mark, or else the one that limits the answer.
    fn read_section(&self, row: Option<usize>, at: &At) -> Next {
        let id = self.attempt.lesson.clone();
        let found = self.pack.and_then(|pack| Some((pack, at.services.pack(pack)?)));
        let Some((pack, of)) = found else { return Next::Stay };
        let marks = self.marks(at.services);
        let row = row.unwrap_or(marks.limiting());
        let section = of.lesson(&id).and_then(|lesson| explain::section(of, lesson, &marks.lacking(row)));
        Next::Go(match section {
            Some(title) => Place::Section { pack, id, title },
            None => Place::Lesson { pack, id },
        })
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
                    false => "the drill has no follow-up question",
                });
                return Next::Stay;
            }
            None => None,
        };
        self.drill(part, at).map_or(Next::Stay, Next::Go)
    }
}

/// What lines end with: the two words that most verdicts are left with, before the list of all.
const CLOSING: &str = "A number opens a part. again answers the drill once more, model tells a model answer, a question mark lists \
     what else can be typed. Enter or q goes back.";

/// What one part ends with.
const CLOSING_PART: &str =
    "Enter or q goes back to the verdict. A question mark lists what else can be typed.";

impl Page for Verdict {
    fn title(&self, services: &Services) -> Vec<String> {
        let lesson = self.pack.and_then(|p| services.library.lesson(p, &self.attempt.lesson));
        let name = match self.beside {
            _ if self.alone.is_some() => "verdict, one part",
            Beside::Model if self.is_heard => "verdict, beside the model answer",
            Beside::Earlier if self.is_heard => "verdict, beside earlier answers",
            _ => "verdict",
        };
        lesson.map(|l| l.title.clone()).into_iter().chain([name.into()]).collect()
    }

    fn scopes(&self) -> Vec<Scope> {
        match self.disputing {
            Some(Disputing::Why(..)) if self.is_heard => return Vec::new(),
            Some(Disputing::Why(..)) => return vec![Scope::VerdictReason],
            Some(Disputing::Where(..)) => return vec![Scope::VerdictSentence],
            None => {}
        }
        let open = self.pack.filter(|_| self.can_claim()).map(|_| Scope::VerdictOpen);
        if matches!(self.second, Second::Asked(_)) {
            return vec![Scope::VerdictJudging, Scope::VerdictDispute, Scope::Verdict];
        }
        let beside = self.is_beside().then_some(Scope::VerdictBeside);
        let judge = if self.has_judge { Scope::VerdictJudge } else { Scope::VerdictNoJudge };
        let of_drill = [Scope::VerdictPart, Scope::VerdictDrill, judge];
        let [part, drill, judge] = of_drill.map(|scope| self.pack.map(|_| scope));
        let own = part.into_iter().chain(open).chain([Scope::VerdictDispute]).chain(drill).chain(judge);
        beside.into_iter().chain(own).chain([Scope::Verdict]).collect()
    }

    fn view(&self, at: &At) -> View {
        match &self.disputing {
            Some(Disputing::Where(mark, note)) => return self.which_sentence(mark, note, at),
            Some(Disputing::Why(mark, note)) => return self.why(mark, note, at),
            None => {}
        }
        if let Some(points) = self.alone.and_then(|row| self.marks(at.services).points(row, self.rules)) {
            return View::new()
                .of_pack(self.pack.unwrap_or(0))
                .with(|body| body.and(points))
                .closing(CLOSING_PART);
        }
        let marks = self.marks(at.services);
        let wrong = || marks.misconceptions().map(|wrong| Row::here().with(marks.wrong_row(wrong)));
        let first = match self.row {
            Some(row) => self.shown_at(row),
            // what is false comes before what is missing
            None if marks.misconceptions().next().is_some() && !self.is_heard => 0,
            None => self.shown_at(marks.limiting()),
        };
        let view = View::new().of_pack(self.pack.unwrap_or(0)).begin_at(first);
        // where the head is scrolled away the mark is seen all the same
        let view = view.glance(marks.short());
        let view =
            view.turn(self.turn).halves().with(|body| body.and(marks.head()).and(self.gained(at.services)));
        if self.beside == Beside::Model
            && let Some(view) = self.beside_model(view.clone(), at)
        {
            return view.pairs();
        }
        let (columns, parts) = marks.part_table();
        let parts = parts.into_iter().map(|part| Row::here().with(part));
        let mut view = match self.is_heard {
            true => view.table(columns, parts).list(wrong()),
            false => view.list(wrong()).table(columns, parts),
        };
        let answer = match self.both_sentences(at.services).filter(|_| self.is_heard) {
            Some((sentences, _)) => marks.unquoted(sentences),
            None => marks.answer(),
        };
        view = view.with(|body| body.and(marks.right()).and(answer).and(marks.stronger()));
        if let Some(side) = self.side(at) {
            view = view.beside(side);
        } else if let Some((_, then)) = &self.said_before {
            view = view.dim(&format!(
                "A judge read this on {}; o shows what it said.",
                at.services.when(*then, at.now)
            ));
        }
        if self.pack.is_some() { view.closing(CLOSING) } else { view }
    }

    fn preview(&self, row: usize, at: &At) -> Option<Document> {
        if self.disputing.is_some() {
            return None;
        }
        let (marks, row) = (self.marks(at.services), self.meant(row));
        let points = marks.points(row, self.rules)?;
        Some(if self.is_heard { points } else { points.and(marks.others(row)) })
    }

    fn tall(&self, at: &At) -> Option<(Document, Document)> {
        let is_free = self.disputing.is_none() && !self.is_beside() && matches!(self.second, Second::Not);
        self.model_beside(at).filter(|_| is_free).map(|model| (Document::new(), model))
    }

    fn act(&mut self, act: Act, at: &mut At) -> Next {
        if let Some(disputing) = self.disputing.take() {
            return self.dispute_on(disputing, act, at);
        }
        let action = act.action();
        let row = match &act {
            Act::On(_, row) => Some(self.meant(*row)),
            _ => self.alone,
        };
        match act {
            Act::Open(row) if self.is_heard => {
                self.alone = Some(row);
                return Next::Show;
            }
            _ if self.alone.is_some() && matches!(action, Some(Action::Open | Action::Back)) => {
                self.alone = None;
                at.say("You are back at the verdict; l says it again");
                return Next::Stay;
            }
            _ if action != Some(Action::Why) => self.alone = None,
            _ => {}
        }
        if action == Some(Action::Back) && self.is_beside() {
            (self.beside, self.second) = (Beside::Nothing, Second::Not);
            if self.is_heard {
                at.say("You are back at the verdict; l says it again");
                return Next::Stay;
            }
            return Next::Show;
        }
        if !matches!(action, Some(Action::Judge)) && !matches!(self.second, Second::Asked(_)) {
            // anything else puts the second opinion away
            self.second = Second::Not;
        }
        match action {
            Some(Action::Judge) => self.second_opinion(at),
            Some(Action::Cancel) if matches!(self.second, Second::Asked(_)) => self.end_judge(at),
            Some(Action::Cancel) => {
                self.beside = Beside::Nothing;
                Next::Show
            }
            Some(Action::Why) => {
                self.rules = !self.rules;
                at.say(match self.rules {
                    true if self.is_heard && self.alone.is_none() => {
                        "the rules behind the marks are told with each point; a number opens a part"
                    }
                    true => "the rules behind the marks are shown below each point",
                    false => "the rules are hidden",
                });
                Next::Stay
            }
            Some(Action::Ask) => {
                let marks = self.marks(at.services).rows();
                let chosen = row.and_then(|row| marks.get(row)).filter(|mark| mark.is_part);
                let first = chosen.map(|mark| mark.about.clone());
                Next::Go(Place::Asked { attempt: Box::new(self.attempt.clone()), first })
            }
            Some(Action::Model) => {
                self.show(Beside::Model);
                Next::Show
            }
            Some(Action::Earlier) => self.show(Beside::Earlier),
            Some(Action::Dispute) => self.ask_why(row, at),
            Some(Action::PartAgain) => self.part_again(row, at),
            Some(Action::Follow) => self.follow(at),
            Some(Action::Again) => match (self.pack, self.attempt.part.clone()) {
                (Some(pack), Some(part)) if self.attempt.is_part_again() => {
                    Next::Replace(Place::PartAgain { pack, id: self.attempt.drill.clone(), part })
                }
                (_, part) => self.drill(part, at).map_or(Next::Stay, Next::Replace),
            },
            Some(Action::ReadSection) => self.read_section(row, at),
            _ => Next::Stay,
        }
    }

    fn back(&mut self, _grade: Option<Grade>, at: &mut At) -> Next {
        let kept = at.services.attempt(&self.attempt.id);
        if let Some(kept) = at.or_say(kept).flatten() {
            self.attempt = kept.as_counted();
        }
        Next::Show
    }

    fn done(&mut self, done: &Done, at: &mut At) -> Next {
        match done {
            Done::Judged { attempt, reply } if *attempt == self.attempt.id => self.judged(reply, at),
            _ => Next::Stay,
        }
    }

    fn by_ear(&mut self, _: &mut At) {
        self.is_heard = true;
    }

    fn leave(&mut self, at: &mut At) {
        // the reason is typed: it counts without a sentence too
        if let Some(disputing @ Disputing::Where(..)) = self.disputing.take() {
            self.dispute_on(disputing, Act::Do(Action::Back), at);
        }
    }

    fn result(&self) -> Option<Grade> {
        self.grade
    }

    fn json(&self) -> Option<Value> {
        serde_json::to_value(&self.attempt).ok()
    }
}
