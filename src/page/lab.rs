//! A lab: its text and code, what a learner predicts, the run of its starter, and the two compared.

use super::action::Action;
use super::keys::Scope;
use super::lesson::{Lesson, pieces};
use super::place::Place;
use super::view::{Row, View};
use super::{Act, At, Effect, Next, Page};
use crate::doc::{Cell, Document};
use crate::pack::{Lab as LabOf, prose};
use crate::score::Verdict;
use crate::services::job::{Done, Job, Ran};
use crate::services::record::Item;
use crate::services::{Record, Services};
use crate::study::note;
use crate::study::words::some;
use change::Change;
pub use predicted::Predicted;
use show::output;

mod change;
mod differ;
mod predicted;
mod show;

/// The pieces of the text that come before the code, as a reader needs them.
const BEFORE_CODE: usize = 2;

/// A lab.
pub struct Lab {
    pack: usize,
    pack_id: String,
    lesson: String,
    lab: LabOf,
    /// Its text as Markdown, and in pieces with their headings.
    text: String,
    pieces: Vec<(String, String)>,
    /// The piece that was read in lines last.
    read: Option<usize>,
    /// The row that Enter alone opens in lines.
    next: usize,
    is_done: bool,
    stage: Stage,
    predicted: Predicted,
    /// What was predicted before it is predicted anew: what is left empty stays as it was.
    earlier: Option<Predicted>,
    /// Whether all that it printed is shown instead of the questions.
    is_whole: bool,
}

/// How far one is.
#[derive(Debug, PartialEq)]
enum Stage {
    Read,
    Predict,
    Running,
    Compare(Ran),
    /// A copy of the starter is changed and run.
    Change(Box<Change>),
}

impl Lab {
    /// The lab with this id of the pack with this index.
    ///
    /// # Errors
    /// Where the pack has no such lab.
    pub fn open(pack: usize, id: &str, at: &mut At) -> Result<Self, String> {
        let found = at.services.pack(pack).and_then(|of| Some((of, of.lab(id)?)));
        let Some((of, (lesson, lab))) = found else {
            return Err(format!("there is no lab “{id}” in this course; `infralens list labs` names them"));
        };
        let home = at.services.home(pack, at.now).unwrap_or_default();
        let mut lab = lab.clone();
        for p in &mut lab.predictions {
            // one sentence of a row: where its author broke the line says nothing
            p.ask = of.named(&p.ask).split_whitespace().collect::<Vec<_>>().join(" ");
            p.answer = of.named(&p.answer).into_owned();
        }
        for change in &mut lab.extend {
            *change = of.named(change).into_owned();
        }
        let mut page = Lab {
            pack,
            pack_id: of.id.clone(),
            lesson: lesson.id.clone(),
            predicted: Predicted::read(at.services, &of.id, id, lab.predictions.len()),
            lab,
            text: String::new(),
            pieces: Vec::new(),
            read: None,
            next: 0,
            is_done: home.lessons.get(&lesson.id).is_some_and(|p| p.labs.iter().any(|lab| lab == id)),
            stage: Stage::Read,
            earlier: None,
            is_whole: false,
        };
        page.tell(at.services);
        if page.predicted.is_open() {
            at.say(match page.predicted.has_run {
                true => format!("{} left to compare; r goes on", some(page.predicted.left(), "prediction")),
                false => "what you predicted is kept; r goes on".to_owned(),
            });
        }
        Ok(page)
    }

    /// Whether the text would tell answers that are still to be compared.
    fn is_sealed(&self) -> bool {
        let is_compared = self.predicted.has_run && self.predicted.left() == 0;
        !self.is_done && !is_compared && !self.lab.predictions.is_empty()
    }

    /// The changes to try, for the page on which one changes the starter; where they would tell too much, when they come.
    fn to_try(&self) -> Document {
        let (head, changes) = (Document::new().title("Changes to try"), &self.lab.extend);
        if changes.is_empty() {
            return Document::new();
        }
        if self.is_sealed() {
            return head.dim(
                "They tell what it prints, so they stand here once you have compared your predictions.",
            );
        }
        let items: Vec<String> =
            changes.iter().map(|text| format!("- {}\n", text.trim().replace('\n', "\n  "))).collect();
        head.markdown(&items.concat())
    }

    /// Takes the text: without what to see in the output as long as that was neither compared nor done.
    fn tell(&mut self, services: &Services) {
        let found = services.pack(self.pack).and_then(|of| Some((of, of.lab(&self.lab.id)?)));
        let Some((of, (lesson, lab))) = found else { return };
        let text =
            if self.is_sealed() { prose::lab_before_run(lab, lesson) } else { prose::lab(lab, lesson) };
        self.text = of.named(&text).into_owned();
        self.pieces = pieces(&self.text);
    }

    /// The rows in lines: what to read, the code after the goal and the mental model, and what to do.
    fn rows(&self) -> Vec<Row> {
        let row = |row: Row, text: String| row.cell(Cell::text(text));
        let read = |(title, _): &(String, String)| row(Row::here(), format!("Read: {title}"));
        let (before, after) = self.pieces.split_at(self.pieces.len().min(BEFORE_CODE));
        let notes: Vec<String> = note::notes(&self.lab).into_iter().map(|(id, _)| id).collect();
        let code = Place::Code { pack: self.pack, id: self.lab.id.clone() };
        let mut rows: Vec<Row> = before.iter().map(read).collect();
        rows.push(row(Row::to(code), format!("Read the code with its {}", some(notes.len(), "note"))));
        let run = match (self.predicted.is_open(), self.predicted.has_run) {
            (true, true) => {
                let left = some(self.predicted.left(), "prediction");
                format!("Run the starter, and compare {left} that you made before")
            }
            (true, false) => "Go on predicting, then run the starter".to_owned(),
            (false, true) => "Run the starter again, beside what you predicted".to_owned(),
            (false, false) => "Predict, then run the starter".to_owned(),
        };
        rows.push(row(Row::act(Action::Run), run));
        let measure = Place::Measure { pack: self.pack, id: self.lab.id.clone() };
        if self.lab.measure.is_some() {
            rows.push(row(Row::to(measure), "Measure it on real processes".into()));
        }
        rows.extend(after.iter().map(read));
        rows.push(row(Row::act(Action::Edit), "Change a copy of the starter, and run it".into()));
        rows.push(row(Row::to(Place::Recall { pack: self.pack, notes }), "Recall the notes".into()));
        rows.extend(self.lab.sim_links().map(|(address, link)| {
            let title = crate::sim::kind(&link.kind).map_or(&link.kind[..], |k| k.title);
            let place = Place::Sim { kind: link.kind.clone(), set: link.set.clone(), link: Some(address) };
            row(Row::to(place), format!("Simulator: {title}"))
        }));
        let mark = if self.is_done { "Mark the lab as not done" } else { "Mark the lab as done" };
        rows.push(row(Row::act(Action::MarkDone), mark.into()));
        rows
    }

    /// The piece that a row reads, by its place.
    fn piece(&self, row: usize) -> Option<usize> {
        let before = self.pieces.len().min(BEFORE_CODE);
        let doing = 2 + usize::from(self.lab.measure.is_some());
        let piece = if row < before { row } else { row.checked_sub(doing)? };
        (piece < self.pieces.len() && (row < before || row >= before + doing)).then_some(piece)
    }

    /// Goes on in lines with the row after the one that was opened.
    fn go_on(&mut self, at: &mut At) -> Next {
        let rows = View::new().list(self.rows());
        let row = self.next % rows.choices().max(1);
        self.next = row + 1;
        match rows.lead(row).cloned() {
            Some(super::view::Lead::To(place)) => Next::Go(place),
            Some(super::view::Lead::Do(action)) => self.act(Act::Do(action), at),
            _ => self.act(Act::Open(row), at),
        }
    }

    /// Asks for predictions: as far as they are kept, or anew. What ran before runs again, with what was said beside it.
    fn predict(&mut self, at: &mut At) -> Next {
        let all = self.lab.predictions.len();
        if self.predicted.has_run {
            if self.stage == Stage::Read {
                return self.run(at);
            }
            let anew = Predicted { changed: self.predicted.changed, ..Predicted::of(all) };
            self.earlier = Some(std::mem::replace(&mut self.predicted, anew));
        }
        // what was typed last was not sent off
        self.predicted.said.truncate(all.saturating_sub(1));
        self.stage = Stage::Predict;
        Next::Show
    }

    /// Takes the prediction for the next question; after the last one the starter runs.
    fn say(&mut self, text: String, at: &mut At) -> Next {
        let all = self.lab.predictions.len();
        if self.predicted.said.len() < all {
            // a dot alone ends a text elsewhere: it predicts nothing
            let text = if text.trim() == "." { String::new() } else { text };
            self.predicted.said.push(text);
        }
        if self.predicted.said.len() < all {
            self.keep(at);
            return Next::Show;
        }
        if self.earlier.is_none() && self.predicted.said.iter().all(|text| text.trim().is_empty()) {
            self.predicted.said.clear();
            at.say("Predict one of them at least; a guess will do");
            return Next::Show;
        }
        self.run(at)
    }

    /// Takes all predictions as they stand, one in each line.
    fn take(&mut self, text: &str, at: &mut At) -> Next {
        let lines = text.lines().map(str::to_owned).chain(std::iter::repeat_with(String::new));
        self.predicted.said = lines.take(self.lab.predictions.len()).collect();
        self.keep(at);
        Next::Stay
    }

    /// Keeps the predictions, or forgets them once all are compared.
    fn keep(&self, at: &mut At) {
        if self.earlier.is_some() {
            // what was said before is kept until all is said anew
            return;
        }
        let record = self.predicted.record(&self.pack_id, &self.lab.id);
        let said = at.services.keep(record, at.now).said();
        said.into_iter().for_each(|text| at.say(text));
    }

    /// Runs the starter with what is predicted.
    fn run(&mut self, at: &mut At) -> Next {
        self.predicted.said.resize(self.lab.predictions.len(), String::new());
        if let Some(earlier) = self.earlier.take() {
            self.predicted = std::mem::take(&mut self.predicted).after(&earlier);
        }
        self.predicted.has_run = true;
        self.keep(at);
        self.stage = Stage::Running;
        self.tell(at.services);
        at.out.push(Effect::Job(Job::Run(self.pack, self.lab.id.clone())));
        Next::Stay
    }

    fn mark_done(&mut self, done: bool, at: &mut At) {
        self.is_done = done;
        let lab = Some(self.lab.id.clone());
        let item = Item { pack: self.pack_id.clone(), lesson: self.lesson.clone(), lab };
        let said = at.services.keep(Record::Done(item, done), at.now).said();
        let word = if done { "the lab counts as done" } else { "the lab counts as not done" };
        at.say(said.unwrap_or_else(|| word.into()));
        self.tell(at.services);
    }

    /// Keeps what the learner thinks of a prediction. Once all were compared the lab is done.
    fn judge(&mut self, row: usize, number: u8, at: &mut At) -> Next {
        let verdict = match number {
            1 => Verdict::Missing,
            2 => Verdict::Partial,
            _ => Verdict::Covered,
        };
        let said = self.predicted.said.get(row).is_some_and(|text| !text.trim().is_empty());
        if !said && verdict != Verdict::Missing {
            at.say("you said nothing here, so there is nothing to be right about; n goes on");
            return Next::Stay;
        }
        let Some(mark) = self.predicted.marks.get_mut(row) else { return Next::Stay };
        *mark = Some(verdict);
        self.predicted.seen.insert(row);
        self.keep(at);
        match self.predicted.left() {
            0 if !self.is_done => self.mark_done(true, at),
            0 => at.say("all predictions are compared"),
            n => at.say(format!("{} left to compare", some(n, "prediction"))),
        }
        Next::Stay
    }

    fn trust(&self, at: &mut At) -> Next {
        let text = match at.services.untrusted(self.pack) {
            None => "this pack is trusted".to_owned(),
            Some(_) => match at.services.trust(self.pack, at.now).said() {
                None => "the pack is trusted until its code changes; r runs the starter".to_owned(),
                Some(fault) => format!("not kept yet: {fault}"),
            },
        };
        at.say(text);
        Next::Stay
    }

    /// The steps of a lab with whether each is done, and the one at hand.
    fn steps(&self) -> ([(String, bool); 4], usize) {
        // what was said before is kept while it is predicted anew
        let kept = self.earlier.as_ref().unwrap_or(&self.predicted);
        let (all, left) = (kept.marks.len(), kept.left());
        let is_compared = kept.has_run && left == 0;
        let compare = match kept.has_run && left > 0 {
            true => format!("compare {} of {all}", all - left + 1),
            false => "compare".to_owned(),
        };
        // who marks it as done has done it elsewhere
        let by_hand = self.is_done && !kept.has_run;
        let has_run = kept.has_run || by_hand;
        let done = [has_run, has_run, is_compared || by_hand, kept.changed];
        let now = match self.stage {
            Stage::Predict => 0,
            Stage::Running => 1,
            Stage::Change(_) => 3,
            Stage::Compare(_) if !is_compared => 2,
            Stage::Read if by_hand => 3,
            Stage::Compare(_) | Stage::Read => done.iter().position(|done| !done).unwrap_or(done.len()),
        };
        let names = ["predict".into(), "run".into(), compare, "change it".into()];
        let mut steps = names.into_iter().zip(done);
        (std::array::from_fn(|_| steps.next().unwrap_or_default()), now)
    }

    /// What there is to see at the stage at hand.
    fn shown(&self) -> View {
        match &self.stage {
            Stage::Predict => return self.predicting(),
            Stage::Running => return View::new().words("Running …"),
            Stage::Compare(ran) if self.is_whole => {
                let view = View::new().of_pack(self.pack).with(|body| body.and(output(ran)));
                return view.enter("leads back to the questions");
            }
            Stage::Compare(ran) => return self.compared(ran),
            Stage::Change(change) => {
                let view = View::new().of_pack(self.pack).enter("leads back to the lab");
                let view = view.spoken("e opens your copy, r runs it");
                return change.view(view, &self.lab.starter.text, &self.to_try());
            }
            Stage::Read => {}
        }
        let view = View::new().of_pack(self.pack).words(&format!("Lab, {} minutes.", self.lab.minutes));
        let piece = self.read.and_then(|at| self.pieces.get(at));
        let read =
            piece.map(|(_, text)| View::new().markdown(text).dim("Enter goes on, l lists the choices."));
        let view = view.list(self.rows()).beside(read.unwrap_or_default());
        view.enter("goes on").passing().spoken("Type a number").reading(&self.text)
    }
}

impl Page for Lab {
    fn title(&self, services: &Services) -> Vec<String> {
        let lesson = services.library.lesson(self.pack, &self.lesson).map(|l| l.title.clone());
        let stage = match self.stage {
            Stage::Read => None,
            Stage::Predict => Some("predict".to_owned()),
            Stage::Running => Some("running".to_owned()),
            Stage::Compare(_) => Some("compare".to_owned()),
            Stage::Change(_) => Some("change".to_owned()),
        };
        lesson.into_iter().chain([self.lab.title.clone()]).chain(stage).collect()
    }

    fn scopes(&self) -> Vec<Scope> {
        match self.stage {
            Stage::Read => {
                let run = if self.predicted.has_run { Scope::LabCompare } else { Scope::LabPredict };
                let measure = self.lab.measure.as_ref().map(|_| Scope::LabMeasure);
                let scopes = [Scope::Lab, Scope::LessonChecks, Scope::LessonSim, Scope::LessonPuzzle];
                measure.into_iter().chain([run]).chain(scopes).collect()
            }
            Stage::Predict => vec![Scope::Predict],
            Stage::Running => vec![Scope::Running],
            Stage::Compare(_) if self.is_whole => vec![Scope::RanOutput],
            Stage::Compare(_) => vec![Scope::Ran],
            Stage::Change(_) => vec![Scope::LabChange],
        }
    }

    fn scopes_on(&self, row: usize) -> Vec<Scope> {
        match self.stage {
            Stage::Compare(_) if !self.is_whole && self.predicted.seen.contains(&row) => vec![Scope::RanSeen],
            _ => self.scopes(),
        }
    }

    fn view(&self, _at: &At) -> View {
        let (names, now) = self.steps();
        match self.stage {
            // who changes it first has not predicted, run or compared it
            Stage::Change(_) if !self.is_done && !self.predicted.has_run => self.shown(),
            _ => self.shown().ticked(names, now),
        }
    }

    fn preview(&self, row: usize, _at: &At) -> Option<Document> {
        let asked = self.lab.predictions.get(row).filter(|_| matches!(self.stage, Stage::Compare(_)))?;
        self.predicted.seen.contains(&row).then(|| self.answer(row, &asked.answer))
    }

    fn tall(&self, _at: &At) -> Option<(Document, Document)> {
        self.at_length()
    }

    fn act(&mut self, act: Act, at: &mut At) -> Next {
        match (&self.stage, &act, act.action()) {
            (Stage::Read, Act::Open(row), _) => {
                self.read = self.piece(*row);
                self.next = row + 1;
                return Next::Stay;
            }
            (Stage::Compare(_), _, Some(Action::Toggle)) => {
                self.is_whole = !self.is_whole;
                return Next::Show;
            }
            (Stage::Compare(_), _, Some(Action::Back | Action::Open)) if self.is_whole => {
                self.is_whole = false;
                return Next::Show;
            }
            (Stage::Compare(_), Act::Open(row), _) => {
                self.see(*row, at);
                return Next::Stay;
            }
            (Stage::Predict, Act::Text(text), _) => {
                let text = text.clone();
                return self.take(&text, at);
            }
            (Stage::Predict, _, Some(Action::Submit)) => return self.run(at),
            (Stage::Predict, Act::Line(text), _) => return self.say(text.clone(), at),
            (Stage::Predict, _, Some(Action::Open)) => return self.say(String::new(), at),
            (_, Act::Line(word), _) if word == "trust" => return self.trust(at),
            (_, Act::Line(line), _) => {
                at.say(format!("“{line}” does not work here; type a number, l for the choices, ? for help"));
                return Next::Stay;
            }
            (Stage::Compare(_), Act::On(_, row), Some(Action::Digit(n))) if !self.is_whole => {
                return self.judge(*row, n, at);
            }
            (Stage::Read, _, Some(Action::Back)) => return Next::Stay,
            // Enter in lines, where it opens no row
            (Stage::Compare(_) | Stage::Change(_), Act::Do(Action::Open), _) | (_, _, Some(Action::Back)) => {
                self.predicted = self.earlier.take().unwrap_or_else(|| std::mem::take(&mut self.predicted));
                (self.stage, self.read) = (Stage::Read, None);
                return Next::Show;
            }
            _ => {}
        }
        match act.action() {
            Some(Action::Run) if matches!(self.stage, Stage::Change(_)) => self.run_copy(at),
            Some(Action::Run) => self.predict(at),
            Some(Action::Open) if self.stage == Stage::Read => self.go_on(at),
            Some(Action::Edit) => self.change(at),
            Some(Action::ReadSection) => Next::Go(Place::Lesson { pack: self.pack, id: self.lesson.clone() }),
            Some(Action::Measure) => Next::Go(Place::Measure { pack: self.pack, id: self.lab.id.clone() }),
            Some(Action::MarkDone) => {
                self.mark_done(!self.is_done, at);
                Next::Stay
            }
            Some(Action::Simulate) if self.lab.sim_links().next().is_some() => {
                let link = self.lab.sim_links().next();
                link.map_or(Next::Stay, |(address, sim)| {
                    let (kind, set) = (sim.kind.clone(), sim.set.clone());
                    Next::Go(Place::Sim { kind, set, link: Some(address) })
                })
            }
            // the others belong to the lesson
            Some(action @ (Action::Checks | Action::Puzzle | Action::Simulate)) => {
                match Lesson::open(self.pack, &self.lesson, at) {
                    Ok(mut lesson) => lesson.act(Act::Do(action), at),
                    Err(fault) => {
                        at.say(fault);
                        Next::Stay
                    }
                }
            }
            _ => Next::Stay,
        }
    }

    fn leave(&mut self, at: &mut At) {
        if matches!(self.stage, Stage::Compare(_)) && self.predicted.is_open() {
            let left = some(self.predicted.left(), "prediction");
            at.say(format!("{left} left to compare; the lab keeps them"));
        }
    }

    fn done(&mut self, done: &Done, at: &mut At) -> Next {
        match done {
            Done::Ran(ran) if ran.lab == self.lab.id && self.stage == Stage::Running => {
                (self.stage, self.is_whole) = (Stage::Compare(ran.clone()), false);
                self.tell(at.services);
                Next::Show
            }
            Done::RanCopy { starter, copy } if copy.lab == self.lab.id => {
                let Stage::Change(change) = &mut self.stage else { return Next::Stay };
                (change.runs, change.ran) = (false, Some((starter.clone(), copy.clone())));
                if copy.note.is_none() && !self.predicted.changed {
                    self.predicted.changed = true;
                    self.keep(at);
                }
                Next::Show
            }
            // back from the editor
            Done::Said(_) | Done::Failed(_) if matches!(self.stage, Stage::Change(_)) => {
                self.look_at_copy(at.services);
                Next::Show
            }
            _ => Next::Stay,
        }
    }
}
