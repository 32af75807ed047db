//! One answer of a class: read, marked part by part, answered with a remark.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::Timestamp;
use serde_json::{Value, json};

use super::show;
use crate::doc::{self, Cell, Document, MarkKind, Role, Rows};
use crate::pack::{Drill, Pack};
use crate::page::action::Action;
use crate::page::keys::Scope;
use crate::page::place::Place;
use crate::page::verdict::marks::word;
use crate::page::verdict::points::{labelled, quoted};
use crate::page::view::{Row, View};
use crate::page::{Act, At, Next, Page};
use crate::score::{Score, Source, Verdict};
use crate::services::class::{INSTRUCTOR, Room};
use crate::services::{Record, Services};
use crate::study::answer::{listed, part_title};
use crate::study::class::gather::Member;
use crate::study::class::given::Given;
use crate::study::class::{Answer, Mark, Student};
use crate::study::sentence;
use crate::study::words::{clock, percent, some, verdict};

/// An answer of a class.
pub struct ClassAnswer {
    folder: PathBuf,
    id: String,
    /// What the rules of the pack at hand find in it: where the words of its marks stand.
    score: Option<Score>,
    asking: Asking,
    /// Whether the model answer stands beside.
    model: bool,
    row: usize,
}

/// What is being typed.
#[derive(Debug, Clone, PartialEq)]
enum Asking {
    Nothing,
    /// A remark, on a part or on the whole.
    Remark(Option<String>),
    /// The instructor's name, before this is given.
    Name(Box<Gift>),
}

/// What is to be given, before it has a name and a time.
#[derive(Debug, Clone, PartialEq)]
struct Gift {
    part: Option<String>,
    verdict: Option<Verdict>,
    remark: String,
}

impl ClassAnswer {
    /// An answer, by its id or the beginning of it.
    ///
    /// # Errors
    /// Where the class is not read, or has no such answer.
    pub fn open(folder: &Path, id: &str, services: &Services) -> Result<Self, String> {
        let room = services.room.as_deref().filter(|room| room.folder == folder);
        let room = room.ok_or_else(|| "the class is not read yet; open its folder first".to_owned())?;
        let (_, answer) = room.find(id)?;
        let drill = show::pack(room, services).and_then(|p| Some((p, p.drill(&answer.drill)?)));
        let score = drill
            .filter(|_| answer.part.is_none())
            .map(|(pack, drill)| drill.scorer(None, &pack.vocabulary).score(&answer.answer));
        let id = answer.id.clone();
        Ok(ClassAnswer {
            folder: folder.to_owned(),
            id,
            score,
            asking: Asking::Nothing,
            model: false,
            row: 0,
        })
    }

    fn seen<'s>(&self, services: &'s Services) -> Option<Seen<'s>> {
        let room = services.room.as_deref().filter(|room| room.folder == self.folder)?;
        let (member, answer) = room.class.answer(&self.id)?;
        let pack = show::pack(room, services);
        Some(Seen { room, member, answer, pack, drill: pack.and_then(|p| p.drill(&answer.drill)) })
    }

    /// The part of a row.
    fn part(&self, row: Option<usize>, services: &Services) -> Option<String> {
        Some(self.seen(services)?.answer.marks.get(row?)?.part.clone())
    }

    /// Gives something, once the instructor has a name.
    fn give(&mut self, gift: Gift, at: &mut At) -> Next {
        let name = at.services.setting(INSTRUCTOR);
        let Some(by) = at.or_say(name).flatten() else {
            self.asking = Asking::Name(Box::new(gift));
            return Next::Show;
        };
        self.asking = Asking::Nothing;
        let now = at.now;
        let Some(room) = &mut at.services.room else { return Next::Stay };
        let Gift { part, verdict, remark } = gift;
        let given = Given { attempt: self.id.clone(), part, verdict, remark, by, at: now };
        if let Err(fault) = Arc::make_mut(room).give(given) {
            at.say(fault);
        }
        Next::Show
    }

    /// Sets or takes back the mark of a part; a remark on it stays.
    fn mark(&mut self, row: Option<usize>, verdict: Option<Verdict>, at: &mut At) -> Next {
        let Some(part) = self.part(row, at.services) else {
            at.say("choose a part first; with --plain, type the key and the number of the part");
            return Next::Stay;
        };
        self.row = row.unwrap_or(0);
        let remark = self.before(Some(&part), at.services).map(|g| g.remark.clone()).unwrap_or_default();
        self.give(Gift { part: Some(part), verdict, remark }, at)
    }

    /// Takes a remark that was typed; the mark stays as it is.
    fn remark(&mut self, part: Option<String>, text: &str, at: &mut At) -> Next {
        let verdict = self.before(part.as_deref(), at.services).and_then(|g| g.verdict);
        let remark = text.split_whitespace().collect::<Vec<_>>().join(" ");
        self.give(Gift { part, verdict, remark }, at)
    }

    /// Takes the instructor's name, and gives what waited for it.
    fn name(&mut self, gift: Gift, text: &str, at: &mut At) -> Next {
        match Student::named("", text) {
            Err(fault) => {
                at.say(fault);
                self.asking = Asking::Name(Box::new(gift));
                Next::Show
            }
            Ok(named) => {
                let said = at.services.keep(Record::setting(INSTRUCTOR, named.name), at.now).said();
                said.into_iter().for_each(|text| at.say(text));
                self.give(gift, at)
            }
        }
    }

    fn before<'s>(&self, part: Option<&str>, services: &'s Services) -> Option<&'s Given> {
        self.seen(services)?.room.class.book.get(&self.id, part)
    }

    fn line(&mut self, text: &str, at: &mut At) -> Next {
        match std::mem::replace(&mut self.asking, Asking::Nothing) {
            Asking::Remark(part) => self.remark(part, text, at),
            Asking::Name(gift) => self.name(*gift, text, at),
            Asking::Nothing => Next::Stay,
        }
    }

    fn toggle_judged(&self, at: &mut At) -> Next {
        let Some(room) = &mut at.services.room else { return Next::Stay };
        let text = match Arc::make_mut(room).toggle_judged(&self.id) {
            Ok(true) => {
                "now a judged answer, with the marks you set; `class judged` prints it for calibrate".into()
            }
            Ok(false) => "no longer a judged answer".into(),
            Err(fault) => fault,
        };
        at.say(text);
        Next::Show
    }

    /// The answer before or after this one, of the same student.
    fn beside(&self, by: isize, at: &mut At) -> Next {
        let next = self.seen(at.services).and_then(|seen| {
            let all = &seen.member.answers;
            let here = all.iter().position(|a| a.id == self.id)?;
            Some(all.get(here.checked_add_signed(by)?)?.id.clone())
        });
        match next {
            Some(id) => Next::Replace(Place::ClassAnswer { folder: self.folder.clone(), id }),
            None => {
                at.say("this student has no more answers that way");
                Next::Stay
            }
        }
    }
}

/// An answer with what is needed to speak of it.
struct Seen<'s> {
    room: &'s Room,
    member: &'s Member,
    answer: &'s Answer,
    pack: Option<&'s Pack>,
    drill: Option<&'s Drill>,
}

impl Seen<'_> {
    fn title(&self, part: &str) -> String {
        self.pack.map_or(part.to_owned(), |p| part_title(&p.parts, part).to_owned())
    }

    /// The digit of a part.
    fn place(&self, part: &str) -> usize {
        self.answer.marks.iter().position(|mark| mark.part == part).unwrap_or(0) + 1
    }

    fn head(&self, services: &Services, now: Timestamp) -> View {
        let a = self.answer;
        let (total, words) = (self.room.class.total(a), crate::score::count_words(&a.answer));
        let by_file = if (total - a.total).abs() < 0.005 {
            String::new()
        } else {
            format!(", {} before", percent(a.total))
        };
        let judged = if self.room.judged.contains_key(&a.id) { ", a judged answer" } else { "" };
        let facts = format!(
            "{}{by_file}. {}, {}, {} in {}{judged}",
            percent(total),
            self.member.student.name,
            services.when(a.at, now),
            some(words, "word"),
            clock(a.seconds)
        );
        let unknown = || (String::new(), &*a.drill);
        let (only, question) = self.drill.map_or_else(unknown, |d| listed(d, a.mode, a.part.as_deref()));
        let question = Cell::text(only).role(Role::Dim) + Cell::text(question).role(Role::Strong);
        let question = Row::plain().cell(question).wrapped();
        let view = View::new().words(&facts).list([question]);
        match self.room.class.book.get(&a.id, None).filter(|g| !g.remark.is_empty()) {
            Some(whole) => view.words(&format!("{}: {}", whole.by, whole.remark)),
            None => view,
        }
    }

    /// A part: its mark, whose it is, the instructor's own, a remark.
    fn row(&self, mark: &Mark) -> Row {
        let given = self.room.class.book.get(&self.answer.id, Some(&mark.part));
        let counts = self.room.class.counts(self.answer, mark);
        let by_rules = mark.by_rules.unwrap_or(mark.verdict);
        let mut notes = Vec::new();
        match mark.source {
            Source::You => notes.push(format!("{} by the student", verdict(mark.verdict))),
            Source::Judge => notes.push(format!("{} by the judge", verdict(mark.verdict))),
            Source::Instructor => notes.push(format!("{} by an instructor before", verdict(mark.verdict))),
            Source::Rules => {}
        }
        if counts != by_rules || mark.source != Source::Rules {
            notes.push(format!("rules {}", verdict(by_rules)));
        }
        notes.extend((!mark.sure).then(|| "not sure".to_owned()));
        if let Some(given) = given.filter(|g| g.verdict.is_some()) {
            notes.insert(0, format!("by {}", given.by));
        }
        let title = self.title(&mark.part);
        let remark = given.map(|g| g.remark.as_str()).unwrap_or_default();
        let notes = notes.join(", ");
        let said = format!("{title}: {}, {notes}. {remark}", verdict(counts)).replace(", .", ".");
        Row::here()
            .cell(Cell::mark(counts) + Cell::text(format!(" {} {title}", self.place(&mark.part))))
            .cell(word(counts))
            .cell(Cell::text(notes).role(Role::Dim))
            .cell(Cell::text(remark).role(Role::Strong))
            .said(said.trim_end())
    }

    /// What is called false, and what is claimed.
    fn said(&self, view: View) -> View {
        let view = self.answer.falsehoods.iter().fold(view, |view, f| {
            view.words(&format!("Called false: “{}”", sentence::around(&self.answer.answer, &f.words)))
        });
        self.answer.claims.iter().fold(view, |view, c| {
            view.words(&format!("Claimed for {}: “{}”", self.title(&c.part), c.sentence))
        })
    }
}

/// `✓ What the point says`.
fn point((mark, state): (Verdict, &str), says: &str) -> doc::Row {
    doc::Row::new([Cell::mark(mark), Cell::text(says)]).wrapped().said(format!("{state}: {says}"))
}

/// The learner's words with the marks of the rules on them.
fn marked(answer: &Answer, score: Option<&Score>) -> Document {
    let mut marks = Vec::new();
    for (place, part) in score.iter().flat_map(|s| s.parts.iter().enumerate()) {
        let evidence = part.points.iter().flat_map(|p| &p.evidence);
        marks.extend(evidence.map(|e| doc::Mark { bytes: e.range(), kind: MarkKind::Part(place) }));
    }
    for evidence in score.iter().flat_map(|s| &s.misconceptions).flat_map(|m| &m.evidence) {
        marks.push(doc::Mark { bytes: evidence.range(), kind: MarkKind::Wrong });
    }
    Document::new().title("The answer").answer(&answer.answer, marks, None)
}

impl Page for ClassAnswer {
    fn title(&self, services: &Services) -> Vec<String> {
        let named = self.seen(services).map(|s| s.member.student.name.clone());
        vec!["class".into(), named.unwrap_or_else(|| "answer".into())]
    }

    fn scopes(&self) -> Vec<Scope> {
        if self.asking == Asking::Nothing { vec![Scope::ClassAnswer] } else { Vec::new() }
    }

    fn view(&self, at: &At) -> View {
        let Some(seen) = self.seen(at.services) else {
            return View::new().words("This answer is not there any more.");
        };
        let view = seen.head(at.services, at.now).list(seen.answer.marks.iter().map(|m| seen.row(m)));
        let view = seen.said(view).begin_at(self.row).halves();
        let mut view = view.with(|body| body.and(marked(seen.answer, self.score.as_ref())));
        if let (true, Some(drill), Some(pack)) = (self.model, seen.drill, seen.pack) {
            view = view.beside(View::new().title("A model answer").markdown(&pack.named(&drill.model)));
        }
        match &self.asking {
            Asking::Nothing => view,
            Asking::Name(_) => view.line("Your name, as your students see it", ""),
            Asking::Remark(part) => {
                let before = seen.room.class.book.get(&self.id, part.as_deref()).map(|g| g.remark.as_str());
                let on = part.as_deref().map_or("the whole answer".to_owned(), |part| seen.title(part));
                view.line(&format!("A remark on {on}"), before.unwrap_or_default())
            }
        }
    }

    fn act(&mut self, act: Act, at: &mut At) -> Next {
        let row = match &act {
            Act::On(_, row) | Act::Open(row) => Some(*row),
            _ => None,
        };
        if let Act::Line(text) = &act {
            return self.line(text, at);
        }
        match act.action() {
            Some(Action::Back) if self.asking != Asking::Nothing => {
                self.asking = Asking::Nothing;
                Next::Show
            }
            Some(Action::Digit(3)) => self.mark(row, Some(Verdict::Covered), at),
            Some(Action::Digit(2)) => self.mark(row, Some(Verdict::Partial), at),
            Some(Action::Digit(1)) => self.mark(row, Some(Verdict::Missing), at),
            Some(Action::Discard) => self.mark(row, None, at),
            Some(Action::Other) => {
                self.asking = Asking::Remark(None);
                Next::Show
            }
            Some(Action::MarkDone) => self.toggle_judged(at),
            Some(Action::NextPage) => self.beside(1, at),
            Some(Action::PrevPage) => self.beside(-1, at),
            Some(Action::Model) => {
                self.model = !self.model;
                Next::Stay
            }
            // a remark on the chosen part
            Some(Action::Edit) => self.ask_remark(row, at),
            _ if matches!(act, Act::Open(_)) => self.ask_remark(row, at),
            _ => Next::Stay,
        }
    }

    fn preview(&self, row: usize, at: &At) -> Option<Document> {
        let seen = self.seen(at.services)?;
        let mark = seen.answer.marks.get(row)?;
        let part = seen.pack.and_then(|p| p.parts.iter().find(|p| p.id == mark.part));
        let counts = seen.room.class.counts(seen.answer, mark);
        let title = format!("{} {}: {}", seen.place(&mark.part), seen.title(&mark.part), verdict(counts));
        let mut all = Document::new().title(&title);
        if let Some(part) = part {
            all = all.dim(&part.question);
        }
        let says = |id: &str| seen.drill.and_then(|d| d.rubric.says(id)).unwrap_or(id).to_owned();
        let scored = self.score.iter().flat_map(|s| &s.parts).find(|p| p.part == mark.part);
        let Some(scored) = scored else {
            // without its rubric there is what the file says
            let rows = mark.missed.iter().map(|missed| point((Verdict::Missing, "Not said"), &says(missed)));
            return Some(all.rows(Rows::of(rows)));
        };
        for p in &scored.points {
            let state = match (p.met, p.partial) {
                (true, _) => (Verdict::Covered, "Said"),
                (false, true) => (Verdict::Partial, "Said in part"),
                (false, false) => (Verdict::Missing, "Not said"),
            };
            let quotes = quoted(&seen.answer.answer, &p.evidence);
            let words = (!quotes.is_empty()).then(|| labelled("said", &quotes));
            all = all.rows(Rows::of([point(state, &says(&p.id))].into_iter().chain(words)));
        }
        Some(all)
    }

    fn json(&self) -> Option<Value> {
        None
    }
}

impl ClassAnswer {
    fn ask_remark(&mut self, row: Option<usize>, at: &mut At) -> Next {
        let Some(part) = self.part(row, at.services) else {
            at.say("choose a part first; with --plain, type the key and the number of the part");
            return Next::Stay;
        };
        self.row = row.unwrap_or(0);
        self.asking = Asking::Remark(Some(part));
        Next::Show
    }

    /// All of it for a verb, which has no row to choose: below the answer each part with the words that earned it.
    pub fn told(&self, at: &At) -> View {
        let parts = self.seen(at.services).map_or(0, |seen| seen.answer.marks.len());
        let about = (0..parts).filter_map(|row| self.preview(row, at));
        about.fold(self.view(at), |view, about| view.with(|body| body.and(about)))
    }

    /// The answer, what was given for it, and whose it is.
    pub fn to_json(&self, services: &Services) -> Value {
        let Some(seen) = self.seen(services) else { return Value::Null };
        let given: Vec<&Given> = seen.room.class.book.all().filter(|g| g.attempt == self.id).collect();
        json!({ "student": seen.member.student, "answer": seen.answer, "given": given })
    }
}
