//! A class of 300 students with 100 answers each: read from its folder, summed up, shown page by page. Fails above its
//! bars.
//!
//! `cargo bench --bench class [-- STUDENTS ANSWERS]`. Answers are the model answers of the built-in course, so that they
//! are as long as real ones; the marks are made up.
#![allow(clippy::disallowed_methods, clippy::print_stdout, clippy::unwrap_used, missing_docs)]

use std::fs;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use infralens::page::key::Key;
use infralens::page::place::{Place, Shown};
use infralens::score::{Source, Verdict};
use infralens::services::Services;
use infralens::services::class::{Reading, Room};
use infralens::services::job::Done;
use infralens::services::library::Library;
use infralens::store::Store;
use infralens::study::attempt::Mode;
use infralens::study::class::file::{self, Head, Kind};
use infralens::study::class::{Answer, Mark, Student};
use infralens::tui::app::{App, Setup};
use infralens::tui::event::{Event, What};
use infralens::widget::theme::Palette;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use ratatui::Terminal;
use ratatui::backend::TestBackend;

const OPEN: Duration = Duration::from_secs(2);
const PAGE: Duration = Duration::from_millis(50);
const RUNS: usize = 5;

fn main() -> ExitCode {
    let mut numbers = std::env::args().skip(1).filter_map(|a| a.parse::<usize>().ok());
    let (students, answers) = (numbers.next().unwrap_or(300), numbers.next().unwrap_or(100));
    let folder = tempfile::tempdir().unwrap();
    let course = infralens::built_in::course();
    let mut bytes = 0;
    for nth in 0..students {
        let text = of(nth, answers, &course);
        bytes += text.len();
        fs::write(folder.path().join(format!("{nth}.jsonl")), text).unwrap();
    }
    println!("{students} students with {answers} answers each, {:.1} MB", bytes as f64 / 1e6);
    let packs = [course.clone()];
    let mut took: Vec<Duration> = (0..RUNS)
        .map(|_| {
            let began = Instant::now();
            let room = Room::read(folder.path(), &packs, |_, _| {}).unwrap();
            assert_eq!(room.summary.answers, students * answers);
            began.elapsed()
        })
        .collect();
    took.sort();
    let open = judge("open", OPEN, took[RUNS / 2]);
    let page = judge(
        "slowest page: all its parts, one after the other, and every key",
        PAGE,
        pages(&packs, folder.path()),
    );
    if open && page { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn judge(what: &str, bar: Duration, took: Duration) -> bool {
    let kept = took < bar;
    println!("{what}: {took:.1?}; bar of {bar:?} {}", if kept { "kept" } else { "missed" });
    kept
}

/// Opens each part of the class and pages through it; gives the longest time from a key to its frame.
fn pages(packs: &[infralens::pack::Pack], folder: &std::path::Path) -> Duration {
    let room = Arc::new(Room::read(folder, packs, |_, _| {}).unwrap());
    let student = room.class.members[0].student.id.clone();
    let drill = room.summary.drills[0].drill.clone();
    let shown = [
        Shown::Whole,
        Shown::Students,
        Shown::Missed,
        Shown::False,
        Shown::Claimed,
        Shown::Differing,
        Shown::Drill(drill),
        Shown::Student(student),
    ];
    let mut longest = Duration::ZERO;
    for shown in shown {
        let library = Library { packs: packs.to_vec(), broken: Vec::new() };
        let services =
            Services::new(library, Store::in_memory().unwrap(), TimeZone::UTC, std::env::temp_dir());
        let now = Timestamp::UNIX_EPOCH;
        let mut app = App::new(&Setup { now, palette: Some(Palette::Dark), ascii: false });
        app.update(Event { at: now, what: What::Resize(120, 40) });
        app.load(services, &Place::Class { folder: folder.to_owned(), shown });
        let mut terminal = Terminal::new(TestBackend::new(120, 40)).unwrap();
        let read = What::Done(Box::new(Done::Class(folder.to_owned(), Reading::Read(Arc::clone(&room)))));
        let keys = ["pgdn", "pgdn", "down", "end", "home"].map(|k| What::Key(Key::parse(k).unwrap()));
        for what in std::iter::once(read).chain(keys) {
            let began = Instant::now();
            app.update(Event { at: now, what });
            terminal.draw(|frame| app.draw(frame)).unwrap();
            longest = longest.max(began.elapsed());
        }
    }
    longest
}

/// The file of a student.
fn of(nth: usize, answers: usize, course: &infralens::pack::Pack) -> String {
    let given: Vec<Answer> = (0..answers).map(|n| answer(nth, n, course)).collect();
    let student = Student::named(format!("s{nth}"), &format!("Student {nth}")).unwrap();
    file::answers(Head::new(Kind::Class, (&course.id, "1.0.0"), student, Timestamp::UNIX_EPOCH), &given)
}

fn answer(student: usize, n: usize, course: &infralens::pack::Pack) -> Answer {
    let drill = &course.drills[(student + n) % course.drills.len()];
    let verdicts = [Verdict::Missing, Verdict::Partial, Verdict::Covered];
    let marks = drill.rubric.parts.iter().enumerate().map(|(part, id)| Mark {
        part: id.clone(),
        verdict: verdicts[(student * 7 + n * 3 + part) % 3],
        source: if (n + part).is_multiple_of(9) { Source::You } else { Source::Rules },
        by_rules: (n + part).is_multiple_of(9).then_some(Verdict::Missing),
        sure: !n.is_multiple_of(2),
        missed: drill.rubric.points.iter().filter(|p| p.part == *id).map(|p| p.id.clone()).take(2).collect(),
    });
    Answer {
        id: format!("{student:05}-{n:05}"),
        drill: drill.id.clone(),
        at: Timestamp::from_second((student * 1000 + n) as i64).unwrap(),
        mode: Mode::Practice,
        part: None,
        seconds: 200,
        answer: drill.model.clone(),
        total: 0.5,
        marks: marks.collect(),
        falsehoods: Vec::new(),
        claims: Vec::new(),
    }
}
