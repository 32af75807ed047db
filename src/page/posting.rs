//! What the job asks for: the terms of the course found in a job description, and what they move. The description is
//! pasted here or read from a file by a verb; its words are not kept.

use super::action::Action;
use super::keys::Scope;
use super::place::Place;
use super::view::{Row, View};
use super::{Act, At, Next, Page};
use crate::doc::{Cell, Column, Role};
use crate::services::{MINUTES_A_DAY, Record, Services};
use crate::store::StoreError;
use crate::study::posting::{self, Found, Posting as Asked};
use crate::study::words::{self, some};
use moves::Moves;

mod moves;

/// What lines end with where a description is typed.
const TYPED: &str =
    "Paste the job description, as many lines as it has. A line with a single dot ends it; :q leaves.";

/// What the job asks for.
#[derive(Default)]
pub struct Posting {
    asked: Asked,
    /// The text that is being pasted, where one is.
    draft: Option<String>,
    /// Why the text was not taken.
    fault: Option<String>,
    /// What it changes in the first course.
    moves: Moves,
}

impl Posting {
    /// What is kept; where nothing is, a description is asked for.
    ///
    /// # Errors
    /// Where the store cannot be read.
    pub fn open(at: &mut At) -> Result<Self, String> {
        let page = Posting::read(at).map_err(|fault| fault.to_string())?;
        let draft = page.asked.is_empty().then(String::new);
        Ok(Posting { draft, ..page })
    }

    fn read(at: &mut At) -> Result<Self, StoreError> {
        let asked = at.services.posting()?;
        let moves = Moves::read(&asked, at)?;
        Ok(Posting { asked, moves, ..Posting::default() })
    }

    /// Takes the text that was pasted.
    fn take(&mut self, at: &mut At) -> Next {
        let draft = self.draft.clone().unwrap_or_default();
        let asked = match posting::text(draft.as_bytes()) {
            Ok(text) => Asked::read(text, &at.services.library.packs),
            Err(refused) => return self.refuse(format!("That {refused}.")),
        };
        if asked.is_empty() {
            return self.refuse(nothing_found());
        }
        self.keep(Some(&asked), at)
    }

    /// Plans with as many minutes a day as bring in what the job asks for.
    fn give_time(&mut self, at: &mut At) -> Next {
        let Some(minutes) = self.moves.enough() else {
            at.say("the plan has time for what the job asks for, or no time would be enough");
            return Next::Stay;
        };
        at.services.keep(Record::setting(MINUTES_A_DAY, minutes.to_string()), at.now);
        at.say(format!("{minutes} minutes a day; the plan is made anew"));
        let asked = self.asked.clone();
        self.keep(Some(&asked), at)
    }

    fn refuse(&mut self, fault: String) -> Next {
        self.fault = Some(fault);
        Next::Show
    }

    fn keep(&mut self, asked: Option<&Asked>, at: &mut At) -> Next {
        let said = at.services.keep_posting(asked, at.now).said();
        said.into_iter().for_each(|text| at.say(text));
        let read = Posting::read(at);
        if let Some(read) = at.or_say(read) {
            *self = read;
        }
        match asked {
            Some(_) => Next::Show,
            None => {
                at.say(
                    "the job description is forgotten; all lessons count the same again in the plan and \
                 in rehearsals",
                );
                Next::Back
            }
        }
    }

    fn found(&self, at: &At) -> View {
        let view = View::new().words(&summary(&self.asked)).dim(&others(&self.asked));
        let (mut rows, mut told): (Vec<Row>, Vec<String>) = (Vec::new(), Vec::new());
        for (pack, of) in at.services.library.packs.iter().enumerate() {
            let asked = self.asked.of(&of.id);
            for (lesson, weight) in asked.lessons() {
                let Some(known) = of.index().lesson(&lesson) else { continue };
                let place = Place::Lesson { pack, id: lesson.clone() };
                let named = some(weight as usize, "time");
                let row = Row::to(place).tall().cell(Cell::text(&known.title));
                let row = row.cell(Cell::text(weight.to_string()).said(format!("named {named}")));
                let when = if pack == 0 { self.moves.when(&lesson) } else { String::new() };
                let row = if self.moves.has_plan() { row.cell(Cell::text(when)) } else { row };
                rows.push(row.cell(Cell::text(terms(&asked, &lesson, &told)).role(Role::Dim)));
                told.extend(asked.terms(&lesson).map(|found| found.name.clone()));
            }
        }
        let plan = self.moves.has_plan().then(|| Column::words("in your plan"));
        let columns = [Column::words("Lesson"), Column::numbers("named")].into_iter().chain(plan);
        let columns: Vec<Column> = columns.chain([Column::words("these words of it")]).collect();
        let view = view.table(columns, rows).title("What that changes");
        let moves = self.moves();
        let (plan, rest) = moves.split_at(1.min(moves.len()));
        let view = plan.iter().fold(view, |view, text| view.words(text));
        let minutes = self.moves.minutes().into_iter().map(|(title, before, after)| {
            let of = |minutes: u32| match minutes {
                0 => Cell::text("–"),
                some => Cell::text(words::minutes(some)),
            };
            let said = |minutes: u32| match minutes {
                0 => "none".to_owned(),
                minutes => some(minutes as usize, "minute"),
            };
            let said = format!("“{title}”: {} without the job, {} with it", said(before), said(after));
            Row::plain().cell(Cell::text(title)).cell(of(before)).cell(of(after)).said(said)
        });
        let minutes: Vec<Row> = minutes.collect();
        let columns = ["Lesson", "without the job", "with it"];
        let columns = columns.iter().enumerate().map(|(nth, head)| match nth {
            0 => Column::words(head),
            _ => Column::numbers(head),
        });
        let view = if minutes.is_empty() { view } else { view.table(columns.collect(), minutes) };
        rest.iter().fold(view, |view, text| view.words(text)).closing(
            "A number opens the lesson. paste reads another description, clear forgets this one, q goes back.",
        )
    }

    /// What it moves, in sentences.
    pub fn moves(&self) -> Vec<String> {
        self.moves.sentences()
    }
}

/// `The job description has 412 words; 14 terms of the course appear in it.` Those that a lesson teaches, as they are listed.
pub fn summary(asked: &Asked) -> String {
    let listed = asked.found.iter().filter(|found| !found.lessons.is_empty()).count();
    let (words, found) = (some(asked.words, "word"), some(listed, "term"));
    let stand = if listed == 1 { "appears" } else { "appear" };
    format!("The job description has {words}; {found} of the course {stand} in it.")
}

/// What the rest of it is.
fn others(asked: &Asked) -> String {
    let rest = asked.words.saturating_sub(asked.named);
    let rest = match (asked.named, rest) {
        // kept before it was counted
        (0, _) | (_, 0) => "",
        (_, 1) => "The other word changes nothing.",
        _ => "The other words change nothing.",
    };
    match asked.unknown.as_slice() {
        [] => rest.to_owned(),
        [one] => format!("{rest} {one} looks like a term, but this course does not teach it."),
        many => {
            format!("{rest} These look like terms, but this course does not teach them: {}.", many.join(", "))
        }
    }
}

/// What is said where a description has no word of the course.
pub fn nothing_found() -> String {
    "That text uses no term of the course, so it would change nothing, and it was not kept. Is it the whole \
     description?"
        .into()
}

/// `FSDP ×3, ZeRO; and MoE`: what of them another lesson named before comes last.
pub fn terms(asked: &Asked, lesson: &str, before: &[String]) -> String {
    let name = |f: &Found| match f.times {
        1 => f.words().to_owned(),
        times => format!("{} ×{times}", f.words()),
    };
    let (again, new): (Vec<&Found>, Vec<&Found>) =
        asked.terms(lesson).partition(|found| before.contains(&found.name));
    let listed = |of: Vec<&Found>| of.into_iter().map(name).collect::<Vec<_>>().join(", ");
    match (new.is_empty(), again.is_empty()) {
        (_, true) => listed(new),
        (true, false) => format!("too: {}", listed(again)),
        (false, false) => format!("{}; too: {}", listed(new), listed(again)),
    }
}

impl Page for Posting {
    fn title(&self, _: &Services) -> Vec<String> {
        vec!["Plan".into(), "What the job asks for".into()]
    }

    fn scopes(&self) -> Vec<Scope> {
        vec![if self.draft.is_some() { Scope::PostingText } else { Scope::Posting }]
    }

    fn view(&self, at: &At) -> View {
        let Some(draft) = &self.draft else { return self.found(at) };
        let view = View::new()
            .words(
                "Paste the description of the job you are applying for. The terms of the course that it \
             uses decide what the plan keeps, what a rehearsal asks and what counts as weakest.",
            )
            .dim(
                "Nothing leaves this machine, and the text itself is not kept: only which words were found, and up to 8 \
                 that look like terms.",
            );
        let view = self.fault.iter().fold(view, |view, text| {
            view.list([Row::plain().cell(Cell::text(text).role(Role::Warning)).wrapped()])
        });
        view.text("The job description", draft).closing(TYPED)
    }

    fn act(&mut self, act: Act, at: &mut At) -> Next {
        match act {
            Act::Text(text) if self.draft.is_some() => {
                (self.draft, self.fault) = (Some(text), None);
                Next::Stay
            }
            act => match act.action() {
                Some(Action::Submit) if self.draft.is_some() => self.take(at),
                Some(Action::Back) if self.draft.is_some() && !self.asked.is_empty() => {
                    self.draft = None;
                    Next::Show
                }
                Some(Action::Edit) => {
                    self.draft = Some(String::new());
                    Next::Show
                }
                Some(Action::Discard) if self.draft.is_none() => self.keep(None, at),
                Some(Action::Step) if self.draft.is_none() => self.give_time(at),
                _ => Next::Stay,
            },
        }
    }
}
