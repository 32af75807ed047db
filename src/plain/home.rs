//! The first page: what to do next, and all there is.

use super::desk::Said as _;
use super::desk::heard;
use super::menu::Menu;
use super::page::{At, Go, Page};
use super::{lessons, plan, progress, rehearse, review};
use crate::pack::Pack;
use crate::page::place::Place;
use crate::page::task::{self, MINUTES};
use crate::store::Store;
use crate::study::day::Day;
use crate::study::home::{Home as Known, Position};
use crate::study::next::{self, Step, Suggestion};
use crate::study::words::percent;

/// How many suggestions are made.
const MOST: usize = 4;

/// The first page, of one pack.
pub struct Home {
    pack: usize,
    menu: Menu<Choice>,
}

#[derive(Debug, Clone)]
enum Choice {
    Go(Place),
    Lessons,
    Rehearse,
    Review,
    Progress,
    Plan,
    History,
    Words,
    Sims,
    Problems,
    News,
    Other(usize),
}

impl Home {
    /// The first page of the pack with this index.
    pub fn new(pack: usize) -> Self {
        Home { pack, menu: Menu::default() }
    }

    /// What the plan until the interview asks for next today, of the first course.
    fn today(&self, known: &Known, at: &mut At) -> Option<(String, Place)> {
        let planned = at.desk.planned_said(at.out, at.now).filter(|_| self.pack == 0)?;
        let pack = at.desk.pack(self.pack)?;
        let begun = Day::of(planned.date, &at.desk.zone).start;
        let done = planned.done(pack, known, begun);
        let (next, _) = planned.tasks.iter().zip(done).find(|(_, done)| !done)?;
        let left_out = planned.rest(pack, known, MINUTES).left_out;
        let place = task::place(next, (self.pack, pack), known, (&left_out, at.now))?;
        Some((format!("Today: {}", plan::row(next, false, pack)), place))
    }

    /// What to do next: what was broken off, what today's plan asks for, what is weak or new.
    fn suggest(&mut self, today: Option<(String, Place)>, (pack, known): (&Pack, &Known), store: &Store) {
        let mut today = today;
        let last = last_answers(store, pack);
        let last = |drill: &str| last.iter().find(|(d, _)| d == drill).map(|(_, at)| *at);
        let mut places = Vec::new();
        for suggestion in next::next(pack, known, last) {
            if !matches!(suggestion.step, Step::Resume(_) | Step::Finish(_) | Step::GoOn(_)) {
                self.add_today(today.take(), &mut places);
            }
            // a lesson that was begun is also the next one to read
            match place(self.pack, &suggestion) {
                Some(place) if places.len() < MOST && !places.contains(&place) => {
                    self.menu.add(sentence(pack, &suggestion), Choice::Go(place.clone()));
                    places.push(place);
                }
                _ => {}
            }
        }
        self.add_today(today, &mut places);
    }

    fn add_today(&mut self, today: Option<(String, Place)>, places: &mut Vec<Place>) {
        if let Some((text, place)) = today.filter(|(_, place)| !places.contains(place)) {
            self.menu.add(text, Choice::Go(place.clone()));
            places.push(place);
        }
    }

    /// How far the interview is away, or how to say it.
    fn interview(&self, at: &mut At) -> String {
        let today = at.desk.today(at.now);
        match at.desk.interview_said(at.out) {
            None => "Interview: set its date, and get a plan for each day until then".into(),
            Some(date) => {
                let left = task::ahead(date, today).replace("interview ", "");
                format!("Interview: {left}; what to do each day")
            }
        }
    }
}

impl Page for Home {
    fn show(&mut self, at: &mut At) -> Go {
        self.menu = Menu::default();
        let known = at.desk.home_said(self.pack, at.out, at.now);
        let packs = 0..at.desk.library.packs.len();
        let due: u64 = packs.map(|i| at.desk.home_said(i, at.out, at.now).due.total()).sum();
        let interview = self.interview(at);
        let today = self.today(&known, at);
        let library = &at.desk.library;
        let Some(pack) = library.packs.get(self.pack) else {
            at.out.say("No course could be opened.");
            return Go::Stay;
        };
        at.out.say(&format!("Course: {}.", pack.title));
        self.suggest(today, (pack, &known), &at.desk.store);
        for (text, choice) in fixed(pack, &known, due, interview) {
            self.menu.add(text, choice);
        }
        for (i, pack) in library.packs.iter().enumerate() {
            let news = heard(at.desk.news(i, at.now), at.out).flatten();
            let Some(news) = news else { continue };
            let of = match i == self.pack {
                true => String::new(),
                false => format!(" in {}", pack.title),
            };
            let text = format!("What changed{of}: {}", news.summary());
            self.menu.add(text, Choice::News);
        }
        for (i, other) in library.packs.iter().enumerate().filter(|(i, _)| *i != self.pack) {
            self.menu.add(format!("Course: {}", other.title), Choice::Other(i));
        }
        match library.broken.len() {
            0 => {}
            1 => self.menu.add("Problems: 1 pack did not load", Choice::Problems),
            n => self.menu.add(format!("Problems: {n} packs did not load"), Choice::Problems),
        }
        self.menu.say(at.out);
        at.out.say("Type a number. Enter alone takes 1, a slash and words search, q ends.");
        Go::Stay
    }

    fn line(&mut self, line: &str, at: &mut At) -> Go {
        let typed = if line.is_empty() { "1" } else { line };
        let Some(choice) = self.menu.pick(typed) else {
            self.menu.wrong(typed, at.out);
            return Go::Stay;
        };
        match choice.clone() {
            Choice::Go(place) => Go::To(place),
            Choice::Lessons => Go::open(lessons::Lessons::new(self.pack)),
            Choice::Rehearse => Go::open(rehearse::Rehearse::new(self.pack)),
            Choice::Review => Go::open(review::Review::ahead(0)),
            Choice::Progress => Go::open(progress::Progress::new(self.pack)),
            Choice::Plan => Go::open(plan::Plan::new(self.pack)),
            Choice::History => Go::To(Place::History { drill: None }),
            Choice::Words => Go::To(Place::Glossary { pack: self.pack, lesson: None }),
            Choice::Sims => Go::To(Place::Sims),
            Choice::News => Go::To(Place::News),
            Choice::Problems => Go::To(Place::Problems),
            Choice::Other(pack) => Go::replace(Home::new(pack)),
        }
    }

    fn help(&self) -> &'static [(&'static str, &'static str)] {
        &[("a number", "take that choice"), ("Enter alone", "take the first choice")]
    }

    fn pack(&self) -> usize {
        self.pack
    }
}

/// When each drill was last answered.
fn last_answers(store: &Store, pack: &Pack) -> Vec<(String, jiff::Timestamp)> {
    let sums = store.drill_sums(&pack.id).unwrap_or_default();
    sums.into_iter().filter_map(|s| Some((s.drill, s.last?.2))).collect()
}

/// Where a suggestion leads; none for those that are on the list anyway.
fn place(pack: usize, suggestion: &Suggestion) -> Option<Place> {
    Some(match &suggestion.step {
        Step::Resume(_) => Place::Rehearse,
        Step::Finish(draft) => Place::Drill { pack, id: draft.drill.clone(), only: draft.part.clone() },
        Step::GoOn(Position { lab: Some(lab), .. }) => Place::Lab { pack, id: lab.clone() },
        Step::GoOn(position) => Place::Lesson { pack, id: position.lesson.clone() },
        Step::Drill { drill, part } => Place::Drill { pack, id: drill.clone(), only: Some(part.clone()) },
        Step::Read(lesson) => Place::Lesson { pack, id: lesson.clone() },
        Step::Review(_) | Step::Rehearse => return None,
    })
}

fn sentence(pack: &Pack, suggestion: &Suggestion) -> String {
    let lesson = |id: &str| pack.lesson(id).map_or(id.to_owned(), |l| l.title.clone());
    let prompt = |id: &str| pack.drill(id).map_or(id.to_owned(), |d| d.prompt.clone());
    let why = &suggestion.why;
    match &suggestion.step {
        Step::Resume(_) => format!("Go on with the rehearsal: {why}"),
        Step::Finish(draft) => format!("Finish your answer: {}", prompt(&draft.drill)),
        Step::GoOn(place) => {
            let lab = place.lab.as_deref().and_then(|id| pack.lab(id));
            let title = lab.map_or_else(|| lesson(&place.lesson), |(_, lab)| lab.title.clone());
            format!("Read on: {title}; {why}")
        }
        Step::Drill { drill, .. } => format!("Answer one part: {} ({why})", prompt(drill)),
        Step::Read(id) => format!("Read: {}", lesson(id)),
        Step::Review(_) | Step::Rehearse => why.clone(),
    }
}

fn fixed(pack: &Pack, known: &Known, due: u64, interview: String) -> Vec<(String, Choice)> {
    let due = match due {
        0 => "Review: nothing is due".to_owned(),
        1 => "Review: 1 thing is due".to_owned(),
        n => format!("Review: {n} things are due"),
    };
    let rehearse = match &known.rehearsed {
        None => "Rehearse an interview against the clock".to_owned(),
        Some(last) => format!("Rehearse; the last one came to {}", percent(last.total)),
    };
    vec![
        (format!("Lessons: {}", pack.lessons.len()), Choice::Lessons),
        (rehearse, Choice::Rehearse),
        (due, Choice::Review),
        (interview, Choice::Plan),
        ("Progress".into(), Choice::Progress),
        (format!("Earlier answers: {}", known.attempts), Choice::History),
        (format!("Words: {}", pack.terms.len()), Choice::Words),
        ("Simulators and puzzles".into(), Choice::Sims),
    ]
}
