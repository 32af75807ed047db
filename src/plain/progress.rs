//! How strong the learner is, lesson by lesson and part by part, and how far own ratings are off.

use super::desk::Said as _;
use super::desk::heard;
use super::menu::Menu;
use super::page::{At, Go, Page};
use super::plan;
use crate::page::place::Place;
use crate::study::answer::part_title;
use crate::study::rating::Biases;
use crate::study::words::{percent, some};

/// The newest self ratings that are looked at.
const MOST_RATINGS: u32 = 200;

/// Strengths and the plan.
pub struct Progress {
    pack: usize,
    menu: Menu<Choice>,
}

#[derive(Debug, Clone)]
enum Choice {
    Go(Place),
    Plan,
    Other(usize),
}

impl Progress {
    /// Progress in the pack with this index.
    pub fn new(pack: usize) -> Self {
        Progress { pack, menu: Menu::default() }
    }

    fn strengths(&mut self, at: &mut At) {
        let known = at.desk.home_said(self.pack, at.out, at.now);
        let Some(pack) = at.desk.pack(self.pack) else {
            return;
        };
        let parts: Vec<String> = pack
            .parts
            .iter()
            .filter_map(|p| Some(format!("{} {}", p.title, percent(known.strengths.part(&p.id)?))))
            .collect();
        if parts.is_empty() {
            at.out.say("No answers yet, so nothing is known of your strengths.");
            return;
        }
        at.out.say(&format!("By part: {}.", parts.join(", ")));
        at.out.say("Each line is a part of a lesson; its number asks a drill on just that part.");
        for cell in known.strengths.weakest_first() {
            let Some(lesson) = pack.lesson(&cell.lesson) else {
                continue;
            };
            // the first drill of the lesson that asks for the part
            let asks = |d: &&crate::pack::Drill| d.rubric.parts.contains(&cell.part);
            let Some(drill) = pack.drills_of(&cell.lesson).find(asks) else {
                continue;
            };
            let place = Place::Drill { pack: self.pack, id: drill.id.clone(), only: Some(cell.part.clone()) };
            let text = format!(
                "{}, {}: {} over {}",
                lesson.title,
                cell.part,
                percent(cell.strength()),
                some(usize::try_from(cell.answers).unwrap_or(usize::MAX), "answer")
            );
            self.menu.add(text, Choice::Go(place));
        }
        self.menu.say(at.out);
    }

    /// The plan, and the other courses.
    fn others(&mut self, at: &mut At) {
        let first = self.menu.len();
        self.menu.add("The plan until the interview", Choice::Plan);
        for (i, other) in at.desk.library.packs.iter().enumerate() {
            if i != self.pack {
                self.menu.add(format!("Progress in {}", other.title), Choice::Other(i));
            }
        }
        self.menu.say_from(first, at.out);
    }

    /// How far self ratings are off.
    fn ratings(&self, at: &mut At) {
        let Some(pack) = at.desk.pack(self.pack) else {
            return;
        };
        let rated = heard(at.desk.store.ratings(&pack.id, MOST_RATINGS), at.out).unwrap_or_default();
        let parts: Vec<String> = pack.parts.iter().map(|p| p.id.clone()).collect();
        let biases = Biases::of(&rated, &parts);
        if biases.all.is_none() {
            at.out
                .say("No ratings yet. Behind the dot that ends an answer you may say how good you think it is, such as . 60 or . cpmcm; here stands how far off that is.");
            return;
        }
        at.out.say(&format!("Your own ratings: {}.", biases.sentences().join("; ")));
        for part in &biases.parts {
            let title = part_title(&pack.parts, &part.part);
            at.out.inner(&format!("{title}: {}.", part.sentence()));
        }
    }
}

impl Page for Progress {
    fn show(&mut self, at: &mut At) -> Go {
        self.menu = Menu::default();
        self.strengths(at);
        at.out.gap();
        self.ratings(at);
        at.out.gap();
        self.others(at);
        at.out.say("Type a number. i and a date sets the day of the interview. q goes back.");
        Go::Stay
    }

    fn line(&mut self, line: &str, at: &mut At) -> Go {
        if let Some(words) = plan::typed(line) {
            return match plan::set(words, at) {
                true => Go::open(plan::Plan::new(self.pack)),
                false => Go::Stay,
            };
        }
        match self.menu.pick(line) {
            Some(Choice::Go(place)) => Go::To(place.clone()),
            Some(Choice::Plan) => Go::open(plan::Plan::new(self.pack)),
            Some(Choice::Other(pack)) => Go::replace(Progress::new(*pack)),
            None => {
                self.menu.wrong(line, at.out);
                Go::Stay
            }
        }
    }

    fn help(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("a number", "answer a drill on just that part"),
            ("i 2026-05-31 or i 5", "set the day of the interview"),
            ("i", "clear the day of the interview"),
        ]
    }

    fn pack(&self) -> usize {
        self.pack
    }
}
