//! The lessons of a pack.

use super::desk::Said as _;
use super::menu::Menu;
use super::page::{At, Go, Page};
use crate::pack::Pack;
use crate::page::lesson;
use crate::page::place::Place;
use crate::study::duration;

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
            let done = lesson::done(pack, lesson, known.lessons.get(&lesson.id));
            self.menu.add(
                format!(
                    "{}. {} minutes with labs and checks. {done}",
                    lesson.title,
                    minutes(pack, &lesson.id)
                ),
                lesson.id.clone(),
            );
        }
        self.menu.say(at.out);
        at.out.say("Type a number. q goes back.");
        Go::Stay
    }

    fn line(&mut self, line: &str, at: &mut At) -> Go {
        match self.menu.pick(line) {
            Some(id) => Go::To(Place::Lesson { pack: self.pack, id: id.clone() }),
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

fn minutes(pack: &Pack, lesson: &str) -> u32 {
    let index = pack.index();
    index.lesson(lesson).map_or(0, |lesson| duration::lesson(index, lesson))
}
