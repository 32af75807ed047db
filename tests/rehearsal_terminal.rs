//! Rehearsals in a real pseudo-terminal, with a clock that the test turns: a whole one, and one that
//! is killed fifty times while an answer is typed.
use std::path::{Path, PathBuf};

use crate::session::Session;
use infralens::store::Store;
use infralens::study::rehearsal::{Phase, Rehearsal};
use infralens::study::seed::Seed;
use infralens::time::CLOCK;
use jiff::{SignedDuration, Timestamp};

const START: &str = "2026-03-02T10:00:00Z";
const PACK: &str = "distributed-training";

/// A clock that the test turns.
struct Clock {
    file: PathBuf,
    now: Timestamp,
}

impl Clock {
    fn new(folder: &Path) -> Self {
        let mut clock = Self { file: folder.join("clock"), now: START.parse().unwrap() };
        clock.turn(0);
        clock
    }

    /// Turns it on by some milliseconds. The program does not see it before it is woken.
    fn turn(&mut self, millis: i64) {
        self.turn_to(self.now + SignedDuration::from_millis(millis));
    }

    /// When the whole seconds until a time change next. None once it has come.
    fn next_second(&self, deadline: Timestamp) -> Option<Timestamp> {
        let whole = (deadline.duration_since(self.now).as_millis() - 1) / 1000;
        let left = SignedDuration::from_secs(i64::try_from(whole).ok()?);
        (deadline > self.now).then(|| deadline - left)
    }

    fn turn_to(&mut self, now: Timestamp) {
        self.now = now;
        let beside = self.file.with_extension("next");
        std::fs::write(&beside, self.now.to_string()).unwrap();
        std::fs::rename(&beside, &self.file).unwrap();
    }
}

fn start(data: &Path, args: &[&str], clock: &Clock) -> Session {
    let variables = [(CLOCK, clock.file.as_os_str()), ("TZ", "UTC".as_ref())];
    Session::start_with(data, args, &variables)
}

/// Lets seconds pass one by one, as the program would be woken by its own clock, until it shows a text.
fn pass(session: &mut Session, clock: &mut Clock, from: u32, to: u32) {
    for left in (to..from).rev() {
        clock.turn(1000);
        session.signal("-CONT");
        session.shows(&clock_words(left.into()));
    }
}

#[test]
fn a_whole_strict_rehearsal_in_a_terminal() {
    let data = tempfile::tempdir().unwrap();
    let mut clock = Clock::new(data.path());
    let args = [
        "rehearse", "--start", "--count", "2", "--think", "12", "--answer", "45", "--follow", "15",
        "--lesson", "ddp", "--seed", "7",
    ];
    let mut session = start(data.path(), &args, &clock);
    // think, with notes, until the time is up
    session.shows("0:12 left");
    session.shows("prompt 1 of 2");
    session.send("buckets");
    session.shows("buckets");
    pass(&mut session, &mut clock, 12, 1);
    session.shows("one second left");
    clock.turn(1000);
    session.signal("-CONT");
    // answer, until the time is up; what stands there is scored
    session.shows("Answer");
    session.shows("0:45 left");
    session.send(
        "\x1b[200~DDP keeps a full replica on every rank and averages gradients with an all-reduce.\x1b[201~",
    );
    session.shows("15 words");
    pass(&mut session, &mut clock, 45, 10);
    session.shows("ten seconds left");
    pass(&mut session, &mut clock, 10, 1);
    session.send(" At the end");
    session.shows("18 words");
    clock.turn(1000);
    session.signal("-CONT");
    // the follow-up on the weakest part, ended by hand
    session.shows("Follow-up");
    session.shows("0:15 left");
    session.send("I would look at the exposed time in a trace.");
    session.shows("10 words");
    clock.turn(2000);
    session.send("\x13");
    // the second prompt: on before the clock, then nothing is said
    session.shows("prompt 2 of 2");
    session.shows("0:12 left");
    session.send("\x13");
    session.shows("0:45 left");
    clock.turn(2000);
    session.send("\x13");
    session.shows("you have typed nothing yet");
    session.send("\x13");
    session.shows("Rehearsal report");
    session.shows("1 of 2 prompts answered");
    session.shows("Limited by");
    session.send("x");
    session.shows("Written");
    session.send("q");
    assert_eq!(session.end(), 0);
    session.assert_restored();
    let kept = Store::open(data.path()).unwrap();
    let home = kept.home(PACK, clock.now, &jiff::tz::TimeZone::UTC).unwrap();
    assert!(home.unfinished.is_none() && home.rehearsed.is_some());
    let answered = kept.rehearsals(PACK, 5).unwrap();
    assert_eq!(answered.len(), 1);
    assert_eq!(std::fs::read_dir(data.path().join("reports")).unwrap().count(), 2);
}

/// What the screen says of the seconds until a time, as `14:03 left`.
fn left(deadline: Timestamp, now: Timestamp) -> String {
    clock_words((deadline.duration_since(now).as_millis() + 999) / 1000)
}

fn clock_words(seconds: i128) -> String {
    format!("{}:{:02} left", seconds / 60, seconds % 60)
}

/// What was typed so far: each word with the time at which the program had taken it.
struct Typed {
    text: String,
    taken: Vec<(Timestamp, usize)>,
}

impl Typed {
    /// The length of what was taken at least a second before a time.
    fn safe(&self, killed: Timestamp) -> usize {
        let old = |at: Timestamp| killed.duration_since(at) >= SignedDuration::from_secs(1);
        let safe = self.taken.iter().rev().find(|(at, _)| old(*at));
        safe.map_or(0, |(_, length)| *length)
    }
}

/// The run as the store of a killed program keeps it.
fn kept(data: &Path, now: Timestamp) -> Rehearsal {
    let store = Store::open(data).unwrap();
    assert_eq!(store.set_aside(), None, "the store was damaged");
    let home = store.home(PACK, now, &jiff::tz::TimeZone::UTC).unwrap();
    let id = home.unfinished.expect("a run to go on with");
    store.take_rehearsal(&id, now).unwrap().expect("it can be taken")
}

#[test]
fn killed_fifty_times_while_typing_it_loses_a_second_at_most() {
    const ANSWER: i64 = 900;
    let data = tempfile::tempdir().unwrap();
    let mut clock = Clock::new(data.path());
    let mut draw = Seed::new(20_260_302);
    let args = ["rehearse", "--start", "--count", "1", "--think", "0", "--answer", "900", "--seed", "7"];
    let mut session = start(data.path(), &args, &clock);
    session.shows("15:00 left");
    let mut typed = Typed { text: String::new(), taken: Vec::new() };
    // when the answer clock will be at 0:00, as far as nothing is lost
    let mut deadline = clock.now + SignedDuration::from_secs(ANSWER);
    let mut word = 0;
    for kill in 0..50 {
        for _ in 0..draw.below(8) {
            let to = clock.now + SignedDuration::from_millis(20 + draw.below(500) as i64);
            while let Some(second) = clock.next_second(deadline).filter(|at| *at <= to) {
                // the program's own clock wakes it at each second
                clock.turn_to(second);
                session.signal("-CONT");
                session.shows(&left(deadline, second));
            }
            clock.turn_to(to);
            word += 1;
            let text = format!("w{word} ");
            session.send(&text);
            session.shows(text.trim());
            typed.text.push_str(&text);
            typed.taken.push((clock.now, typed.text.len()));
        }
        // at the moment of the kill there may be keys or a tick on their way
        let loose = match draw.below(4) {
            0 => "",
            1 => {
                let second = clock.next_second(deadline).unwrap();
                clock.turn_to(second);
                session.signal("-CONT");
                ""
            }
            2 => "q",
            _ => "qqqq qqqq qqqq",
        };
        session.send(loose);
        for _ in 0..draw.below(3) {
            std::thread::yield_now();
        }
        session.signal("-KILL");
        session.end();
        let killed = clock.now;

        let run = kept(data.path(), killed);
        assert_eq!(run.phase, Phase::Answer, "kill {kill}");
        let whole = format!("{}{loose}", typed.text);
        assert!(whole.starts_with(&run.text), "kill {kill}: {:?} is not what was typed", run.text);
        let safe = typed.safe(killed);
        assert!(run.text.len() >= safe, "kill {kill}: {} of {safe} bytes", run.text.len());
        let seen = run.seen();
        assert!(seen <= killed && killed.duration_since(seen) <= SignedDuration::from_secs(1), "kill {kill}");
        let shown = left(deadline, seen);
        assert_eq!(run.left(seen).map(|s| clock_words(s.into())), Some(shown.clone()), "kill {kill}");

        // hours later it offers to go on, with the time and the words that were left
        clock.turn(1000 * draw.below(10_000) as i64);
        deadline = clock.now + deadline.duration_since(seen);
        typed.text.clone_from(&run.text);
        typed.taken = vec![(seen, run.text.len())];
        session = start(data.path(), &["rehearse"], &clock);
        session.shows("A rehearsal was broken off");
        session.shows(&shown.replace("left", "were left to answer"));
        session.send("\r");
        session.shows(&shown);
    }
    // enough was typed and kept for the above to mean something; how much of the last second is kept, the disk decides
    assert!(word > 100 && typed.text.len() > 200, "{word} words, {} bytes", typed.text.len());
    session.send("\x1b");
    session.shows("Leave the rehearsal?");
    session.send("s");
    session.shows("Rehearsal report");
    session.send("G"); // it is told below the answers
    session.shows("broken off 50 times");
    session.send("q");
    assert_eq!(session.end(), 0);
}
