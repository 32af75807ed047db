//! A class: who did what, drills by parts, what is missed most, what is wrong, what is claimed, where marks differ.
//!
//! The class itself is kept with the services, so that all its pages see the same one; a place names its folder.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;

use super::action::Action;
use super::keys::Scope;
use super::view::View;
use super::{Act, At, Effect, Next, Page};
use crate::doc::Document;
use crate::services::Services;
use crate::services::class::{BACK, Reading, Room};
use crate::services::job::{Done, Job};
use crate::study::schedule::Grade;
use crate::study::words::some;

pub(crate) mod answer;
mod show;

/// What of a class is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shown {
    /// Where it stands, and ways to the rest.
    Whole,
    /// Every student.
    Students,
    /// The points that are missed most.
    Missed,
    /// The false statements.
    False,
    /// What students claim and no rule found.
    Claimed,
    /// Where rules, students, judge and instructor differ.
    Differing,
    /// The files that were left out, and why.
    Notes,
    /// The latest answer of each student to a drill, by its id.
    Drill(String),
    /// The answers of a student, by the student's id.
    Student(String),
}

/// A class, or a part of it.
pub struct Class {
    folder: PathBuf,
    shown: Shown,
    state: State,
}

/// How far the class is read.
enum State {
    Reading(usize, usize),
    Failed(String),
    Read,
}

impl Class {
    /// A class. It is read beside, where it was not read yet.
    pub fn open(folder: &Path, shown: &Shown, at: &mut At) -> Self {
        let is_read = at.services.room.as_ref().is_some_and(|room| room.folder == folder);
        let mut page = Class { folder: folder.to_owned(), shown: shown.clone(), state: State::Read };
        if is_read {
            refresh(at.services);
        } else {
            page.read(at);
        }
        page
    }

    fn read(&mut self, at: &mut At) {
        self.state = State::Reading(0, 0);
        at.out.push(Effect::Job(Job::Class(self.folder.clone())));
    }

    fn room<'s>(&self, services: &'s Services) -> Option<&'s Room> {
        services.room.as_deref().filter(|room| room.folder == self.folder)
    }

    /// Writes what goes back to the students.
    fn give_back(&self, at: &mut At) {
        let Some(room) = self.room(at.services) else { return };
        let text = match room.give_back(at.now) {
            Ok(written) if written.is_empty() => {
                "nothing was given yet, so there is nothing to return".into()
            }
            Ok(written) => {
                format!(
                    "{} in {}; give each student their file",
                    some(written.len(), "file"),
                    room.folder.join(BACK).display()
                )
            }
            Err(fault) => fault,
        };
        at.say(text);
    }
}

/// Makes the summary anew where marks were given since.
fn refresh(services: &mut Services) {
    if let Some(room) = &mut services.room {
        Arc::make_mut(room).refresh(&services.library.packs);
    }
}

/// All of a class, one section below the other: what a verb prints.
pub fn printed(room: &Room, services: &Services, now: jiff::Timestamp) -> View {
    show::all(room, services, now)
}

impl Page for Class {
    fn title(&self, services: &Services) -> Vec<String> {
        let title = self.room(services).map(|room| show::course(room, services));
        let class = format!("class {}", title.unwrap_or_default());
        match self.shown {
            Shown::Whole => vec![class.trim_end().to_owned()],
            _ => vec![class, show::name(&self.shown, self.room(services), services)],
        }
    }

    fn scopes(&self) -> Vec<Scope> {
        vec![Scope::Class]
    }

    fn view(&self, at: &At) -> View {
        match (&self.state, self.room(at.services)) {
            (State::Failed(fault), _) => View::new().words(fault),
            (State::Reading(0, _), _) | (_, None) => View::new().dim("Reading the folder."),
            (State::Reading(read, of), _) => View::new().dim(&format!("Reading: {read} of {of} files.")),
            (State::Read, Some(room)) => show::view(&self.shown, room, at.services, at.now),
        }
    }

    fn act(&mut self, act: Act, at: &mut At) -> Next {
        match act.action() {
            Some(Action::Export) => self.give_back(at),
            Some(Action::Again) => {
                self.read(at);
                return Next::Show;
            }
            _ => {}
        }
        Next::Stay
    }

    fn preview(&self, row: usize, at: &At) -> Option<Document> {
        show::preview(&self.shown, row, self.room(at.services)?, at.services)
    }

    fn back(&mut self, _: Option<Grade>, at: &mut At) -> Next {
        refresh(at.services);
        Next::Show
    }

    fn done(&mut self, done: &Done, at: &mut At) -> Next {
        let Done::Class(folder, reading) = done else { return Next::Stay };
        if *folder != self.folder {
            return Next::Stay;
        }
        match reading {
            // a late word of the way must not hide what was read
            Reading::Far(..) if matches!(self.state, State::Read) => return Next::Stay,
            Reading::Far(read, of) => self.state = State::Reading(*read, *of),
            Reading::Failed(fault) => self.state = State::Failed(fault.clone()),
            Reading::Read(room) => {
                at.services.room = Some(Arc::clone(room));
                self.state = State::Read;
                return Next::Show;
            }
        }
        Next::Stay
    }

    fn json(&self) -> Option<Value> {
        None
    }
}
