//! How strong the learner is, lesson by lesson and part by part, and the plan until the interview.

use jiff::civil::Date;
use jiff::{ToSpan, Zoned};

use super::desk::heard;
use super::menu::{Menu, short};
use super::page::{At, Go, Page};
use crate::app::place::Place;
use crate::study::answer::part_title;
use crate::study::plan;
use crate::study::rating::Biases;
use crate::study::words::percent;

/// The setting that keeps the date of the interview.
const INTERVIEW: &str = "interview";
/// Minutes a day that the plan reckons with.
const MINUTES: u32 = 60;
/// The newest self ratings that are looked at.
const MOST_RATINGS: u32 = 200;

/// Strengths and the plan.
pub struct Progress {
    pack: usize,
    menu: Menu<Place>,
}

impl Progress {
    /// Progress in the pack with this index.
    pub fn new(pack: usize) -> Self {
        Progress {
            pack,
            menu: Menu::default(),
        }
    }

    fn strengths(&mut self, at: &mut At) {
        let known = at.desk.home(self.pack, at.out, at.now);
        let Some(pack) = at.desk.pack(self.pack) else {
            return;
        };
        let parts: Vec<String> = pack
            .parts
            .iter()
            .filter_map(|p| Some(format!("{} {}", p.title, percent(known.strengths.part(&p.id)?))))
            .collect();
        if parts.is_empty() {
            at.out
                .say("No answers yet, so nothing is known of your strengths.");
            return;
        }
        at.out.say(&format!("By part: {}.", parts.join(", ")));
        at.out
            .say("Each line is a part of a lesson; its number asks a drill on just that part.");
        for cell in known.strengths.weakest_first() {
            let Some(lesson) = pack.lesson(&cell.lesson) else {
                continue;
            };
            // the first drill of the lesson that asks for the part
            let asks = |d: &&crate::pack::Drill| d.rubric.parts.contains(&cell.part);
            let Some(drill) = pack.drills_of(&cell.lesson).find(asks) else {
                continue;
            };
            let place = Place::Drill {
                pack: self.pack,
                id: drill.id.clone(),
                only: Some(cell.part.clone()),
            };
            let text = format!(
                "{}, {}: {} over {} answers",
                lesson.title,
                cell.part,
                percent(cell.strength()),
                cell.answers
            );
            self.menu.add(text, place);
        }
        self.menu.say(at.out);
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
        at.out
            .say(&format!("Your own ratings: {}.", biases.sentences().join("; ")));
        for part in &biases.parts {
            let title = part_title(&pack.parts, &part.part);
            at.out.inner(&format!("{title}: {}.", part.sentence()));
        }
    }

    fn plan(&self, at: &mut At) {
        let kept = heard(at.desk.store.setting(INTERVIEW), at.out).flatten();
        let date = kept.and_then(|d| d.parse::<Date>().ok());
        let (Some(date), Some(pack)) = (date, at.desk.pack(self.pack)) else {
            at.out
                .say("No interview is set. Type i and a date or a number of days, such as i 5, and a plan stands here.");
            return;
        };
        let known = at.desk.home(self.pack, at.out, at.now);
        let plan = plan::plan(pack, &known, (today(at), date), MINUTES);
        at.out
            .say(&format!("Interview on {date}. {MINUTES} minutes a day:"));
        for day in &plan.days {
            let tasks: Vec<String> = day.tasks.iter().map(|t| t.sentence(pack)).collect();
            at.out.item(
                &format!("{}: ", day.date.strftime("%A %Y-%m-%d")),
                &format!("{}.", tasks.join("; ")),
            );
        }
        if plan.days.is_empty() {
            at.out
                .say("That day is over, or more than a year away. i and a date sets another.");
        }
        if !plan.left_out.is_empty() {
            let titles: Vec<&str> = plan
                .left_out
                .iter()
                .map(|id| pack.lesson(id).map_or(&id[..], |l| &l.title))
                .collect();
            at.out
                .say(&format!("There is no time for: {}.", titles.join("; ")));
        }
    }

    fn set(&self, words: &str, at: &mut At) -> Go {
        let words = words.trim();
        let date = match words.parse::<u16>() {
            Ok(days) => today(at).checked_add(i64::from(days).days()).ok(),
            Err(_) => words.parse::<Date>().ok(),
        };
        if date.is_none() && !words.is_empty() {
            at.out.say(&format!(
                "“{}” is no day; write a date like 2026-05-31 or a number of days. i alone clears it.",
                short(words)
            ));
            return Go::Stay;
        }
        let kept = date.map(|d| d.to_string()).unwrap_or_default();
        heard(at.desk.store.set(INTERVIEW, &kept, at.now), at.out);
        Go::Show
    }
}

fn today(at: &At) -> Date {
    Zoned::new(at.now, at.desk.zone.clone()).date()
}

impl Page for Progress {
    fn show(&mut self, at: &mut At) -> Go {
        self.menu = Menu::default();
        self.strengths(at);
        at.out.gap();
        self.ratings(at);
        at.out.gap();
        self.plan(at);
        at.out
            .say("i and a date sets the day of the interview. q goes back.");
        Go::Stay
    }

    fn line(&mut self, line: &str, at: &mut At) -> Go {
        if line == "i" || line.starts_with("i ") {
            return self.set(&line[1..], at);
        }
        match self.menu.pick(line) {
            Some(place) => Go::To(place.clone()),
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
