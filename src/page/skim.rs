//! What to say of some lessons, one after the other: for the evening before an interview, of those there was no time for.

use super::keys::Scope;
use super::place::Place;
use super::view::{Row, View};
use super::{Act, At, Next, Page};
use crate::doc::{Cell, Role};
use crate::services::Services;

/// The section “What to say in an interview” of each lesson.
pub struct Skim {
    pack: usize,
    lessons: Vec<String>,
}

impl Skim {
    /// Of these lessons of the pack with this index; those that it does not have are left out.
    ///
    /// # Errors
    /// Where none is left.
    pub fn open(pack: usize, lessons: &[String], services: &Services) -> Result<Self, String> {
        let has = |id: &&String| services.library.lesson(pack, id).is_some();
        let lessons: Vec<String> = lessons.iter().filter(has).cloned().collect();
        match lessons.is_empty() {
            true => Err("there is a day for every lesson, so none is left out".into()),
            false => Ok(Skim { pack, lessons }),
        }
    }
}

impl Page for Skim {
    fn title(&self, _: &Services) -> Vec<String> {
        vec!["What to say of the lessons left out".into()]
    }

    fn scopes(&self) -> Vec<Scope> {
        vec![Scope::News]
    }

    fn view(&self, at: &At) -> View {
        let lessons = self.lessons.iter().filter_map(|id| {
            let pack = at.services.pack(self.pack)?;
            Some((pack, pack.lesson(id)?))
        });
        let view = View::new().of_pack(self.pack);
        lessons.fold(view, |view, (pack, lesson)| {
            let place = Place::Lesson { pack: self.pack, id: lesson.id.clone() };
            let whole = Row::to(place).cell(Cell::text("Read the whole lesson").role(Role::Dim));
            let whole = whole.said(format!("Read all of {}", lesson.title));
            view.title(&lesson.title).markdown(&pack.named(&lesson.section.say)).list([whole])
        })
    }

    fn act(&mut self, _: Act, _: &mut At) -> Next {
        Next::Stay
    }
}
