//! The lessons of a pack.

use super::desk::Said as _;
use super::lesson::Lesson;
use super::menu::Menu;
use super::page::{At, Go, Page};
use crate::pack::{Lesson as LessonOf, Pack};
use crate::study::duration;
use crate::study::home::{Home, LessonProgress};
use crate::study::words::percent;

/// The lessons of a pack, each with what was done.
pub struct Lessons {
    pack: usize,
    menu: Menu<String>,
}

impl Lessons {
    /// The lessons of the pack with this index.
    pub fn new(pack: usize) -> Self {
        Lessons { pack, menu: Menu::default() }
    }
}

impl Page for Lessons {
    fn show(&mut self, at: &mut At) -> Go {
        self.menu = Menu::default();
        let known = at.desk.home_said(self.pack, at.out, at.now);
        let Some(pack) = at.desk.pack(self.pack) else {
            return Go::Back(None);
        };
        at.out.say(&format!("Lessons of {}.", pack.title));
        for lesson in &pack.lessons {
            let done = done(pack, lesson, &known);
            self.menu.add(
                format!(
                    "{}. {} minutes with labs and checks. {done}",
                    lesson.title,
                    duration::lesson(pack, lesson)
                ),
                lesson.id.clone(),
            );
        }
        self.menu.say(at.out);
        at.out.say("Type a number. q goes back.");
        Go::Stay
    }

    fn line(&mut self, line: &str, at: &mut At) -> Go {
        let picked = self.menu.pick(line).and_then(|id| at.desk.library.lesson(self.pack, id));
        match picked {
            Some(lesson) => Go::open(Lesson::new(self.pack, lesson)),
            None => {
                self.menu.wrong(line, at.out);
                Go::Stay
            }
        }
    }

    fn pack(&self) -> usize {
        self.pack
    }
}

/// What was done of a lesson, in words.
pub fn done(pack: &Pack, lesson: &LessonOf, home: &Home) -> String {
    let Some(p) = home.lessons.get(&lesson.id) else {
        return "Not begun.".into();
    };
    let LessonProgress { read, labs, drills, mean, checks, .. } = p;
    let mut said = vec![if *read { "Read" } else { "Not read to the end" }.to_owned()];
    if !lesson.labs.is_empty() {
        said.push(format!("labs {} of {}", labs.len(), lesson.labs.len()));
    }
    let (all_checks, all_drills) = (pack.checks_of(&lesson.id).count(), pack.drills_of(&lesson.id).count());
    if all_checks > 0 {
        said.push(format!("checks {checks} of {all_checks}"));
    }
    if all_drills > 0 {
        let mean = mean.map(|m| format!(", on the average {}", percent(m))).unwrap_or_default();
        said.push(format!("drills {drills} of {all_drills}{mean}"));
    }
    said.join("; ") + "."
}
