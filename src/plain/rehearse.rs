//! The set-up of a rehearsal, or going on with one.

use super::desk::Said as _;
use super::desk::heard;
use super::menu::{Menu, short};
use super::page::{At, Go, Page};
use super::run::Run;
use crate::pack::Pack;
use crate::study::rehearsal::{Setup, Topics};
use crate::study::words::clock;

/// The most seconds of a clock, and the most prompts, that may be typed.
const MOST: usize = 3600;

/// The set-up of a rehearsal.
pub struct Rehearse {
    pack: usize,
    setup: Option<Setup>,
    menu: Menu<Choice>,
}

#[derive(Debug, Clone)]
enum Choice {
    Resume(String),
    Drop(String),
    Begin,
    Screen,
    Onsite,
    Strict,
    FollowUps,
    Weakest,
}

impl Rehearse {
    /// The set-up for the pack with this index.
    pub fn new(pack: usize) -> Self {
        Rehearse { pack, setup: None, menu: Menu::default() }
    }

    /// The set-up with these values.
    pub fn with(pack: usize, setup: Setup) -> Self {
        Rehearse { setup: Some(setup), ..Self::new(pack) }
    }

    /// The set-up so far; at first a screen, with the time as its seed.
    fn setup(&mut self, at: &At) -> &mut Setup {
        let pack = at.desk.pack(self.pack).map_or("", |p| &p.id);
        let seed = u64::try_from(at.now.as_millisecond()).unwrap_or(0) % 100_000;
        self.setup.get_or_insert_with(|| Setup::screen(pack, seed))
    }

    fn choices(&mut self, setup: &Setup, unfinished: Option<String>) {
        let mut menu = Menu::default();
        if let Some(id) = unfinished {
            menu.add("Go on with the rehearsal that was not finished", Choice::Resume(id.clone()));
            menu.add("Give that one up; its answers stay", Choice::Drop(id));
        }
        menu.add("Begin", Choice::Begin);
        menu.add("Screen: 5 prompts, 0:30 to think, 2:00 to answer", Choice::Screen);
        menu.add("On-site: 6 prompts, 1:00 to think, 5:00 to answer", Choice::Onsite);
        let strict = if setup.strict {
            "Practice instead: the marks after each answer"
        } else {
            "Strict instead: one take, the marks at the end"
        };
        menu.add(strict, Choice::Strict);
        let follow = if setup.follow_ups { "No follow-up questions" } else { "Follow-up questions" };
        menu.add(follow, Choice::FollowUps);
        let topics = if setup.topics == Topics::Weakest {
            "All lessons instead of the weakest first"
        } else {
            "The weakest lessons first"
        };
        menu.add(topics, Choice::Weakest);
        self.menu = menu;
    }

    /// Takes a setting typed by its name: `prompts 6`.
    fn set(&mut self, line: &str, at: &mut At) -> Go {
        let (name, value) = line.split_once([' ', '=']).unwrap_or((line, ""));
        let value = value.trim().trim_start_matches('=').trim();
        let count = value.parse::<usize>().ok().filter(|n| *n <= MOST);
        let seconds = count.and_then(|n| u32::try_from(n).ok());
        let lessons = name == "lessons";
        let unknown = if lessons { unknown_lesson(at.desk.pack(self.pack), value) } else { None };
        if let Some(id) = unknown {
            at.out.say(&format!("There is no lesson “{}”; `infralens list lessons` names them.", short(&id)));
            return Go::Stay;
        }
        let setup = self.setup(at);
        match (name, count, seconds) {
            ("prompts", Some(n), _) if n > 0 => setup.count = n,
            ("think", _, Some(s)) => setup.think = s,
            ("answer", _, Some(s)) if s > 0 => setup.answer = s,
            ("follow", _, Some(s)) if s > 0 => setup.follow = s,
            ("seed", ..) if value.parse::<u64>().is_ok() => setup.seed = value.parse().unwrap_or(0),
            ("lessons", ..) => {
                setup.topics = Topics::Lessons(value.split_whitespace().map(str::to_owned).collect())
            }
            _ => {
                self.menu.wrong(line, at.out);
                at.out.say("Settings have a name and a value, such as prompts 6, think 20, answer 90, follow 60, seed 7, lessons ddp tp.");
                return Go::Stay;
            }
        }
        Go::Show
    }

    fn take(&mut self, choice: Choice, at: &mut At) -> Go {
        let fresh = |setup: Setup, old: &Setup| Setup { topics: old.topics.clone(), seed: old.seed, ..setup };
        let setup = self.setup(at);
        match choice {
            Choice::Begin => {
                let setup = setup.clone();
                return Go::replace(Run::begin(setup, at.desk, at.now));
            }
            Choice::Screen => *setup = fresh(Setup::screen(&setup.pack, 0), setup),
            Choice::Onsite => *setup = fresh(Setup::onsite(&setup.pack, 0), setup),
            Choice::Strict => setup.strict = !setup.strict,
            Choice::FollowUps => setup.follow_ups = !setup.follow_ups,
            Choice::Weakest if setup.topics == Topics::Weakest => setup.topics = Topics::Lessons(Vec::new()),
            Choice::Weakest => setup.topics = Topics::Weakest,
            Choice::Resume(id) => {
                return match heard(at.desk.store.take_rehearsal(&id, at.now), at.out).flatten() {
                    Some(run) => Go::replace(Run::resume(run, at.now)),
                    None => {
                        at.out.say("That rehearsal is gone, or another InfraLens has it.");
                        Go::Show
                    }
                };
            }
            Choice::Drop(id) => {
                if heard(at.desk.store.drop_rehearsal(&id, at.now), at.out).is_some() {
                    at.out.say("Given up. The answers that were scored stay.");
                }
            }
        }
        Go::Show
    }
}

/// The first of some lesson ids that the pack does not have.
fn unknown_lesson(pack: Option<&Pack>, ids: &str) -> Option<String> {
    let has = |id: &&str| pack.is_some_and(|p| p.lesson(id).is_some());
    ids.split_whitespace().find(|id| !has(id)).map(str::to_owned)
}

/// A set-up in words.
pub fn sentence(setup: &Setup) -> String {
    let kind = if setup.strict { "strict" } else { "practice" };
    let follow = if setup.follow_ups {
        format!("follow-ups of {}", clock(setup.follow))
    } else {
        "no follow-ups".into()
    };
    let topics = match &setup.topics {
        Topics::Weakest => "the weakest lessons first".to_owned(),
        Topics::Lessons(ids) if ids.is_empty() => "all lessons".into(),
        Topics::Lessons(ids) => format!("lessons {}", ids.join(", ")),
    };
    format!(
        "{} prompts, {} to think, {} to answer, {follow}, {kind}, {topics}, seed {}",
        setup.count,
        clock(setup.think),
        clock(setup.answer),
        setup.seed
    )
}

impl Page for Rehearse {
    fn show(&mut self, at: &mut At) -> Go {
        let packs = 0..at.desk.library.packs.len();
        let mut unfinished = packs.filter_map(|i| at.desk.home_said(i, at.out, at.now).unfinished);
        let unfinished = unfinished.next();
        let setup = self.setup(at).clone();
        self.choices(&setup, unfinished);
        at.out.say(&format!("Rehearsal: {}.", sentence(&setup)));
        self.menu.say(at.out);
        at.out.say("Type a number, or a setting such as prompts 6, think 20, answer 90, seed 7, lessons ddp tp. Enter alone takes 1, q goes back.");
        Go::Stay
    }

    fn line(&mut self, line: &str, at: &mut At) -> Go {
        let typed = if line.is_empty() { "1" } else { line };
        match self.menu.pick(typed).cloned() {
            Some(choice) => self.take(choice, at),
            None => self.set(line, at),
        }
    }

    fn help(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("a number", "take that choice"),
            ("prompts 6", "how many questions"),
            ("think 20", "seconds to think"),
            ("answer 90", "seconds to answer"),
            ("follow 60", "seconds for a follow-up"),
            ("lessons ddp tp", "only these lessons; lessons alone means all"),
            ("seed 7", "the same seed asks the same questions"),
            ("Enter alone", "take the first choice"),
        ]
    }

    fn pack(&self) -> usize {
        self.pack
    }
}
