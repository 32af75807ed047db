//! What to say of some lessons, one after the other: for lessons that a plan has no time to read.

use super::keys::Scope;
use super::view::View;
use super::{Act, At, Next, Page};
use crate::services::Services;

/// What to say of lessons of a pack.
pub struct Skim {
    pack: usize,
    /// Ids of lessons.
    lessons: Vec<String>,
}

impl Skim {
    /// What to say of these lessons of the pack with this index.
    pub fn of(pack: usize, lessons: Vec<String>) -> Self {
        Skim { pack, lessons }
    }
}

impl Page for Skim {
    fn title(&self, _: &Services) -> Vec<String> {
        vec!["Plan".into(), "What to say".into()]
    }

    fn scopes(&self) -> Vec<Scope> {
        Vec::new()
    }

    fn view(&self, at: &At) -> View {
        let Some(pack) = at.services.pack(self.pack) else { return View::new() };
        let view = View::new().of_pack(self.pack);
        let view = view.dim("What an interviewer wants to hear of the lessons that you had no time to read.");
        let lessons = self.lessons.iter().filter_map(|id| pack.lesson(id));
        lessons.fold(view, |view, lesson| {
            let text = format!("{}\n\n[Read all of it](lesson:{})", lesson.section.say, lesson.id);
            view.title(&lesson.title).markdown(&pack.named(&text))
        })
    }

    fn act(&mut self, _: Act, _: &mut At) -> Next {
        Next::Stay
    }
}
