//! Lessons in short: the problem of each and what to say of it, for a plan that has no time for all of it.

use jiff::Timestamp;

use super::keys::Scope;
use super::view::View;
use super::{Act, At, Next, Page};
use crate::pack::Lesson;
use crate::services::{Record, Services};
use crate::store::seen_key;
use crate::study::plan::CORE;
use pace::Pace;

mod pace;

/// Lessons of a pack in short.
pub struct Skim {
    pack: usize,
    /// Ids of lessons.
    lessons: Vec<String>,
    opened: Timestamp,
}

impl Skim {
    /// These lessons of the pack with this index.
    pub fn of(pack: usize, lessons: Vec<String>, at: &At) -> Self {
        Skim { pack, lessons, opened: at.now }
    }

    fn lessons<'a>(&'a self, services: &'a Services) -> impl Iterator<Item = &'a Lesson> {
        let pack = services.pack(self.pack);
        self.lessons.iter().filter_map(move |id| pack?.lesson(id))
    }
}

fn text(lesson: &Lesson) -> String {
    let (problem, say) = (&lesson.section.problem, &lesson.section.say);
    // figures belong to the whole section
    let is_text = |line: &&str| crate::pack::prose::placement(line).is_none();
    let problem: Vec<&str> = problem.lines().filter(is_text).collect();
    let problem = problem.join("\n");
    format!(
        "## What problem it solves\n\n{problem}\n\n## What to say in an interview\n\n{say}\n\n[Read all of it](lesson:{})",
        lesson.id
    )
}

impl Page for Skim {
    fn title(&self, services: &Services) -> Vec<String> {
        let title = match self.lessons.as_slice() {
            [_] => self.lessons(services).map(|lesson| format!("{}, in short", lesson.title)).next(),
            _ => None,
        };
        vec!["Plan".into(), title.unwrap_or("Lessons in short".into())]
    }

    fn scopes(&self) -> Vec<Scope> {
        Vec::new()
    }

    fn view(&self, at: &At) -> View {
        let Some(pack) = at.services.pack(self.pack) else { return View::new() };
        let view = View::new().of_pack(self.pack);
        let view =
            view.dim("What an interviewer wants to hear, where there is no time for all of the section.");
        self.lessons(at.services)
            .fold(view, |view, lesson| view.title(&lesson.title).markdown(&pack.named(&text(lesson))))
    }

    fn act(&mut self, _: Act, _: &mut At) -> Next {
        Next::Stay
    }

    /// Who had the time to read it has seen so much of the section.
    fn leave(&mut self, at: &mut At) {
        let Some(pack) = at.services.pack(self.pack) else { return };
        let all: Vec<String> = self.lessons(at.services).map(text).collect();
        let mut pace = Pace::of(&all.join("\n"), self.opened);
        pace.look(at.now);
        let Ok(home) = at.services.home(self.pack, at.now) else { return };
        if !pace.is_enough() {
            return;
        }
        let is_less = |id: &&String| home.lessons.get(*id).is_none_or(|lesson| lesson.seen < CORE);
        let keys: Vec<String> =
            self.lessons.iter().filter(is_less).map(|id| seen_key(&pack.id, id)).collect();
        for key in keys {
            let kept = at.services.keep(Record::Setting(key.into(), format!("{:.0}", CORE * 100.0)), at.now);
            kept.said().into_iter().for_each(|text| at.say(text));
        }
    }
}
