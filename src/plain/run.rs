//! A rehearsal that runs: think, answer, follow-up. Times are called at half, a quarter and ten seconds.

use jiff::{SignedDuration, Timestamp};

use super::desk::heard;
use super::page::{At, Go, Page};
use super::typing::{self, Typed as Line, Typing};
use crate::page::place::Place;
use crate::page::rehearse::{begun, sentence};
use crate::page::verdict::marks::Marks;
use crate::services::Services;
use crate::store::{StoreError, Typed};
use crate::study::answer::part_title;
use crate::study::rehearsal::{Call, Happened, Phase, Rehearsal, Setup};
use crate::study::words::{clock, some};

const MORE: &[(&str, &str)] = &[
    (".", "go on: from thinking to the answer, from the answer to what follows"),
    (
        ". and letters",
        "in practice: end the answer, and rate each part: m missing, p partial, c covered, such as . cpmcm",
    ),
    (":stop", "end the rehearsal here, with its report"),
];

/// The clock is looked at this often.
const TICK: SignedDuration = SignedDuration::from_secs(1);

/// A rehearsal that runs.
pub struct Run {
    run: Rehearsal,
    typing: Typing,
    /// When the clock was looked at last.
    seen: Timestamp,
    saved: Option<Timestamp>,
    resumed: bool,
    over: bool,
    /// Whether the store failed and that was said.
    failed: bool,
}

impl Run {
    /// Begins a rehearsal.
    pub fn begin(setup: Setup, desk: &mut Services, now: Timestamp) -> Self {
        let mut out = Vec::new();
        let at = crate::page::At { services: desk, now, out: &mut out };
        let none = |setup: Setup| Rehearsal::begin("", setup, Vec::new(), now);
        Run::of(begun(&setup, &at).unwrap_or_else(|| none(setup)), now)
    }

    /// A run that has just begun, or that goes on.
    pub fn of(run: Rehearsal, now: Timestamp) -> Self {
        let resumed = run.started < now;
        let typing = match run.phase {
            Phase::Think => Typing::of(&run.notes),
            _ => Typing::of(&run.text),
        };
        Run { run, typing, seen: now, saved: None, resumed, over: false, failed: false }
    }

    /// Says what the machine brought about, and keeps what it scored.
    fn hear(&mut self, happened: Vec<Happened>, at: &mut At) -> Go {
        for event in happened {
            match event {
                Happened::Scored(attempt) => {
                    let take = self.run.takes.last();
                    if take.is_some_and(|t| t.timed_out) {
                        at.out.say("Time is up. The answer is scored as it stands.");
                    }
                    let kept = at.desk.store.record_attempt(&attempt, &at.desk.schedule);
                    self.rescue(kept, at);
                }
                Happened::Called(call) => self.call(call, at),
                Happened::Began(phase) => {
                    self.typing = Typing::default();
                    at.out.gap();
                    if phase == Phase::Done {
                        return self.finish(at);
                    }
                    self.announce(at);
                    self.save(at);
                }
            }
        }
        Go::Stay
    }

    fn call(&self, call: Call, at: &mut At) {
        let left = self.run.left(at.now).unwrap_or(0);
        match call {
            Call::Half => at.out.say(&format!("Half of the time is left: {}.", clock(left))),
            Call::Quarter => at.out.say(&format!("A quarter of the time is left: {}.", clock(left))),
            Call::Ten => at.out.say(&format!("{left} seconds left. Only lines that you have sent count.")),
        }
    }

    /// Says the question or the follow-up, and its clock.
    fn announce(&self, at: &mut At) {
        let left = clock(self.run.left(at.now).unwrap_or(0));
        let pack = at.desk.library.packs.iter().find(|p| p.id == self.run.setup.pack);
        let question = self.run.prompt().map_or("", |p| &p.text);
        let number = format!("Question {} of {}", self.run.at + 1, self.run.prompts.len());
        match &self.run.phase {
            Phase::Think => {
                at.out.say(&format!("{number}: {question}"));
                at.out.say(&format!(
                    "Think: {left}. What you type now are notes. A single dot begins the answer."
                ));
            }
            Phase::Answer => {
                if self.run.setup.think == 0 {
                    at.out.say(&format!("{number}: {question}"));
                }
                at.out.say(&format!("Answer now: {left}. A line with a single dot ends it."));
            }
            Phase::FollowUp { part, ask } => {
                let title = pack.map_or(&part[..], |p| part_title(&p.parts, part));
                at.out.say(&format!("Follow-up on {}: {ask}", title.to_lowercase()));
                at.out.say(&format!("Answer now: {left}. A line with a single dot ends it."));
            }
            Phase::Verdict => {
                if let Some(take) = self.run.takes.last() {
                    let lines = Marks::of(&take.attempt, &at.desk.library).document();
                    at.out.say("Verdict:");
                    lines.plain(at.out.width()).iter().for_each(|line| at.out.line(line));
                }
                at.out.say("No clock runs. Enter goes on, n leaves the follow-ups out.");
            }
            Phase::Done => {}
        }
    }

    /// Keeps the run as it stands.
    fn save(&mut self, at: &mut At) {
        self.saved = Some(at.now);
        if self.run.phase != Phase::Done {
            let kept = at.desk.store.save_rehearsal(&self.run, at.now);
            self.rescue(kept, at);
        }
    }

    /// Keeps all that was typed in a file where the store does not, and says so once.
    fn rescue(&mut self, kept: Result<(), StoreError>, at: &mut At) {
        let again = self.failed && kept.is_err();
        self.failed = kept.is_err();
        let text = self.run.spoken();
        let typed = Typed { id: &self.run.id, name: "rehearsal", text: &text };
        if let Some(said) = at.desk.rescue.after(kept, &typed).filter(|_| !again) {
            at.out.say(&format!("{said}."));
        }
    }

    fn finish(&mut self, at: &mut At) -> Go {
        self.over = true;
        let pack = at.desk.library.packs.iter().find(|p| p.id == self.run.setup.pack);
        let Some(pack) = pack else {
            return Go::Back(None);
        };
        let report = self.run.report(pack);
        let kept = at.desk.store.finish_rehearsal(&self.run, &report);
        self.rescue(kept, at);
        at.out.say("The rehearsal is over.");
        Go::ReplaceBy(Place::Ended { report: Box::new(report) })
    }

    fn go_on(&mut self, at: &mut At) -> Go {
        let pack = at.desk.library.packs.iter().find(|p| p.id == self.run.setup.pack);
        let Some(pack) = pack else {
            return Go::Back(None);
        };
        let happened = self.run.go_on(at.now, pack);
        self.hear(happened, at)
    }

    /// Ends what is being typed. In practice a rating may stand behind the dot; a strict rehearsal
    /// takes none.
    fn end(&mut self, rated: &str, at: &mut At) -> Go {
        let pack = at.desk.library.packs.iter().find(|p| p.id == self.run.setup.pack);
        let drill = self.run.prompt().and_then(|p| pack?.drill(&p.drill));
        let asked = match (&self.run.phase, drill) {
            _ if self.run.setup.strict => &[],
            (Phase::FollowUp { part, .. }, _) => std::slice::from_ref(part),
            (Phase::Answer, Some(drill)) => &drill.rubric.parts[..],
            _ => &[],
        };
        if asked.is_empty() {
            return self.go_on(at);
        }
        let (Some(rating), Some(pack)) = (typing::rating(rated, asked, at.out), pack) else {
            return Go::Stay;
        };
        let happened = self.run.go_on(at.now, pack);
        let kept = rating.and_then(|r| self.run.rate(r).cloned());
        let go = self.hear(happened, at);
        if let Some((attempt, rating)) = kept.and_then(|a| Some((a.id.clone(), a.rating()?))) {
            heard(at.desk.store.rate_attempt(&attempt, &rating, at.now), at.out);
        }
        go
    }

    fn command(&mut self, command: &str, at: &mut At) -> Go {
        let typing = self.run.phase != Phase::Verdict;
        if typing && self.typing.command(command, at.out) {
            self.run.set_text(&self.typing.text(), at.now);
            return Go::Stay;
        }
        match command {
            "?" => typing::help(MORE, at.out),
            "time" => {
                let left =
                    self.run.left(at.now).map_or("no clock runs".into(), |l| format!("{} left", clock(l)));
                at.out.say(&format!("{left}, {}.", some(self.typing.words(), "word")));
            }
            "stop" => {
                let pack = at.desk.library.packs.iter().find(|p| p.id == self.run.setup.pack);
                let happened = pack.map(|p| self.run.stop(at.now, p)).unwrap_or_default();
                return self.hear(happened, at);
            }
            "q" => return Go::Back(None),
            "home" => return Go::Home,
            "quit" => return Go::Quit,
            other => typing::unknown(other, at.out),
        }
        Go::Stay
    }

    /// A line while marks are shown.
    fn after_marks(&mut self, line: &str, at: &mut At) -> Go {
        let pack = at.desk.library.packs.iter().find(|p| p.id == self.run.setup.pack);
        match (line.trim(), pack) {
            ("" | ".", _) => self.go_on(at),
            ("n", Some(pack)) => {
                let happened = self.run.skip_follow_ups(at.now, pack);
                self.hear(happened, at)
            }
            ("?" | "q", _) => self.command(line.trim(), at),
            (word, _) if word.starts_with(':') => self.command(&word[1..], at),
            _ => {
                at.out.say("Enter goes on, n leaves the follow-ups out, q leaves; the rehearsal is kept.");
                Go::Stay
            }
        }
    }
}

impl Page for Run {
    fn show(&mut self, at: &mut At) -> Go {
        if self.run.phase == Phase::Done {
            if self.run.prompts.is_empty() {
                at.out.say("There are no drills to ask in these lessons.");
                return Go::Back(None);
            }
            return self.finish(at);
        }
        if self.resumed {
            at.out.say("The rehearsal goes on with the time that was left.");
            if self.run.phase == Phase::Answer && self.run.setup.think > 0 {
                at.out.say(&format!("Question: {}", self.run.prompt().map_or("", |p| &p.text)));
            }
            if !self.typing.is_empty() {
                at.out.say("You had typed:");
                at.out.own(&self.typing.text());
            }
        } else {
            at.out.say(&format!("Rehearsal: {}.", sentence(&self.run.setup)));
        }
        self.announce(at);
        self.save(at);
        Go::Stay
    }

    fn line(&mut self, line: &str, at: &mut At) -> Go {
        if self.run.phase == Phase::Verdict {
            return self.after_marks(line, at);
        }
        match typing::read(line) {
            Line::Text(text) => {
                self.typing.push(text);
                self.run.set_text(&self.typing.text(), at.now);
                Go::Stay
            }
            Line::End(rated) => self.end(rated, at),
            Line::Command(command) => self.command(command, at),
        }
    }

    fn is_typing(&self) -> bool {
        true
    }

    fn tick(&mut self, at: &mut At) -> Go {
        self.seen = at.now;
        let pack = at.desk.library.packs.iter().find(|p| p.id == self.run.setup.pack);
        let Some(pack) = pack else { return Go::Stay };
        if self.over {
            return Go::Stay;
        }
        let happened = self.run.advance(at.now, pack);
        let go = self.hear(happened, at);
        let stale = self.saved.is_none_or(|saved| at.now.duration_since(saved) >= TICK);
        if stale && matches!(go, Go::Stay) {
            self.save(at);
        }
        go
    }

    fn wake_at(&self) -> Option<Timestamp> {
        let clock = self.run.limit().is_some();
        clock.then(|| self.seen.checked_add(TICK).ok())?
    }

    fn leave(&mut self, at: &mut At) {
        if self.over || self.run.phase == Phase::Done {
            return;
        }
        self.save(at);
        if self.failed || at.desk.rescue.is_to_files() {
            return; // where the text is was said
        }
        let left = self.run.left(at.now);
        let left = left.map_or(String::new(), |l| format!(" with {} on the clock", clock(l)));
        at.out.say(&format!("The rehearsal is kept; `infralens rehearse` goes on{left}."));
    }
}
