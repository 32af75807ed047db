//! The whole Home against an empty ratatui program, in the same kind of terminal and in the same run: from the start
//! of the process until the last lesson and the strengths in all five parts stand on the screen. Fails where Home takes
//! more than twice as long in any of the cases, or holds more memory than it may.
//!
//! `cargo bench --bench start [-- RUNS]`
#![allow(clippy::disallowed_methods, clippy::print_stdout, clippy::unwrap_used, missing_docs)]

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use infralens::built_in;
use infralens::pack::Pack;
use infralens::score::{PartScore, Score, Source, Verdict};
use infralens::store::{Done, Store};
use infralens::study::attempt::{Attempt, Mode};
use infralens::study::home::{Draft, Position};
use infralens::study::schedule::Schedule;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use portable_pty::{ChildKiller, CommandBuilder, PtySize, native_pty_system};

/// Runs of each program, where the command line names no number.
const RUNS: usize = 31;
const BAR: f64 = 2.0;
/// How long a program may take to show its whole page.
const PATIENCE: Duration = Duration::from_secs(10);
/// MiB that the program may hold at Home, once everything beside it was read.
const MEMORY: f64 = 20.0;
const SIZE: PtySize = PtySize { rows: 40, cols: 120, pixel_width: 0, pixel_height: 0 };
const PACKS: usize = 10;
const ATTEMPTS: usize = 400;

fn main() -> ExitCode {
    if std::env::var_os("EMPTY_PROGRAM").is_some() {
        empty();
        return ExitCode::SUCCESS;
    }
    let runs = std::env::args().skip(1).find_map(|a| a.parse().ok()).unwrap_or(RUNS);
    let root = tempfile::tempdir().expect("a folder");
    let cases = cases(root.path());
    let mut took: Vec<Vec<Duration>> = vec![Vec::new(); cases.len()];
    let mut empties = Vec::new();
    for run in 0..=runs {
        let first = run == 0; // it only warms the caches
        let empty = timed(&empty_program(), &["an empty program".into()]);
        if !first {
            empties.push(empty);
        }
        for (case, took) in cases.iter().zip(&mut took) {
            let home = timed(&case.command(run), &case.whole_home());
            if !first {
                took.push(home);
            }
        }
    }
    let empty = median(&mut empties);
    println!("an empty program: {empty:.2?}, median of {runs}");
    let mut is_kept = true;
    for (case, mut took) in cases.iter().zip(took) {
        let home = median(&mut took);
        let ratio = home.as_secs_f64() / empty.as_secs_f64();
        is_kept &= ratio <= BAR;
        println!("the whole Home, {}: {home:.2?}; ratio {ratio:.2}", case.name);
    }
    for case in &cases {
        let held = memory(&case.command(runs + 1), &case.whole_home());
        is_kept &= held <= MEMORY;
        println!("memory at Home, {}: {held:.1} MiB", case.name);
    }
    println!("bars of {BAR} and {MEMORY} MiB {}", if is_kept { "kept" } else { "missed" });
    if is_kept { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// A way to start the program.
struct Case {
    name: &'static str,
    data: PathBuf,
    /// Whether each run begins with an empty folder.
    fresh: bool,
    options: &'static [&'static str],
}

impl Case {
    fn command(&self, run: usize) -> Program {
        let data = if self.fresh { self.data.join(run.to_string()) } else { self.data.clone() };
        fs::create_dir_all(&data).unwrap();
        let mut arguments: Vec<String> = self.options.iter().map(|o| (*o).to_owned()).collect();
        if !self.options.is_empty() {
            arguments.extend(["--data-dir".into(), data.join("infralens").display().to_string()]);
        }
        Program { path: env!("CARGO_BIN_EXE_infralens").into(), arguments, data, empty: false }
    }

    /// What stands on the whole Home: the title of the last lesson, as far as it is not cut, the names of the five
    /// parts, and the strength in each, where there is one.
    fn whole_home(&self) -> Vec<String> {
        let course = built_in::course();
        let last = course.index().lessons.last().expect("a lesson");
        let title: String = last.title.chars().take(16).collect();
        // for a newcomer the mark of a sample answer, the only share on the page
        let strength = if self.fresh { "%" } else { "50%" };
        let parts = course.parts.iter().map(|p| p.title.clone());
        [title, strength.to_owned()].into_iter().chain(parts).collect()
    }
}

fn cases(root: &Path) -> Vec<Case> {
    let (used, packs) = (root.join("used"), root.join("packs"));
    fill(&used.join("infralens"));
    fill(&packs.join("infralens"));
    install(&packs.join("infralens/packs"));
    let case = |name, data: &Path, options| Case {
        name,
        data: data.to_owned(),
        fresh: data.ends_with("fresh"),
        options,
    };
    vec![
        case("fresh data folder", &root.join("fresh"), &[]),
        case("used data folder", &used, &[]),
        case("used, with options", &used, &["--theme", "dark", "--no-mouse"]),
        case("used, ten installed packs", &packs, &[]),
    ]
}

/// The data of somebody who read half of the course, answered, and left a draft.
fn fill(folder: &Path) {
    let course = built_in::course();
    let store = Store::open(folder).unwrap();
    let schedule = Schedule::new(TimeZone::UTC);
    let start: Timestamp = "2026-03-02T10:00:00Z".parse().unwrap();
    let index = course.index();
    for lesson in index.lessons.iter().take(6) {
        store.mark_done(&course.id, &lesson.id, Done::Section, start).unwrap();
        for lab in lesson.labs.iter() {
            store.mark_done(&course.id, &lesson.id, Done::Lab(&lab.id), start).unwrap();
        }
    }
    for nth in 0..ATTEMPTS {
        store.record_attempt(&attempt(&course, nth, start), &schedule).unwrap();
    }
    let lesson = index.lessons[6].id.to_string();
    let place = Position {
        pack: course.id.clone(),
        lesson,
        lab: None,
        line: 0,
        scroll: 40,
        pane: "text".into(),
        at: start,
    };
    store.save_position(&place).unwrap();
    let draft = Draft {
        id: "draft".into(),
        pack: course.id.clone(),
        drill: index.drills[1].id.to_string(),
        mode: Mode::Practice,
        part: None,
        text: "Each rank keeps a slice of the optimizer state.".into(),
        seconds: 60,
        at: start,
    };
    store.save_draft(&draft).unwrap();
}

fn attempt(course: &Pack, nth: usize, start: Timestamp) -> Attempt {
    let index = course.index();
    let drill = &index.drills[nth % index.drills.len()];
    let at = start + (nth as i64).minutes();
    let part = |p: &infralens::pack::Part| PartScore {
        part: p.id.clone(),
        verdict: Verdict::Partial,
        confidence: 1.0,
        sure: true,
        source: Source::Rules,
        by_rules: None,
        score: 0.5,
        points: Vec::new(),
        feedback: "say it".into(),
    };
    Attempt {
        id: format!("{nth:016x}"),
        pack: course.id.clone(),
        drill: drill.id.to_string(),
        lesson: drill.lesson.to_string(),
        at,
        mode: Mode::Practice,
        part: None,
        rehearsal: None,
        seconds: 90,
        answer: "each rank keeps a slice and gathers the rest ".repeat(6),
        score: Score {
            drill: drill.id.to_string(),
            score: 0.5,
            range: None,
            limiting_part: None,
            parts: course.parts.iter().map(part).collect(),
            misconceptions: Vec::new(),
            flags: Vec::new(),
            words: 54,
        },
        ..Attempt::default()
    }
}

/// Puts packs where installed ones are: each the one of `pack new` under an id of its own.
fn install(folder: &Path) {
    fs::create_dir_all(folder).unwrap();
    for nth in 0..PACKS {
        let path = folder.join(format!("other-{nth}"));
        infralens::cmd::pack::new(&path, false, &mut Vec::new()).unwrap();
        let manifest = fs::read_to_string(path.join("pack.toml")).unwrap();
        let id = manifest.lines().find(|l| l.starts_with("id = ")).unwrap();
        let manifest = manifest.replace(id, &format!("id = \"other-{nth}\""));
        fs::write(path.join("pack.toml"), manifest).unwrap();
    }
}

/// A program to start.
struct Program {
    path: PathBuf,
    arguments: Vec<String>,
    data: PathBuf,
    empty: bool,
}

fn empty_program() -> Program {
    let path = std::env::current_exe().expect("the path of this program");
    Program { path, arguments: Vec::new(), data: std::env::temp_dir(), empty: true }
}

impl Program {
    fn builder(&self) -> CommandBuilder {
        let mut command = CommandBuilder::new(&self.path);
        command.args(&self.arguments);
        command.env("TERM", "xterm-256color");
        command.env("XDG_DATA_HOME", &self.data);
        command.env("HOME", &self.data);
        command.env_remove("NO_COLOR");
        if self.empty {
            command.env("EMPTY_PROGRAM", "1");
        }
        command.cwd(std::env::temp_dir());
        command
    }
}

/// The time from the start of a program until all of these words stand on its screen.
fn timed(program: &Program, wanted: &[String]) -> Duration {
    shown(program, wanted, |_, took| took)
}

/// MiB that the program holds a while after Home stands: what is read beside it was read.
fn memory(program: &Program, home: &[String]) -> f64 {
    shown(program, home, |pid, _| {
        std::thread::sleep(Duration::from_secs(2));
        let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
        let line = status.lines().find_map(|l| l.strip_prefix("VmRSS:")).unwrap_or("0");
        let kib: f64 = line.trim().trim_end_matches("kB").trim().parse().unwrap_or(f64::NAN);
        kib / 1024.0
    })
}

fn shown<T>(program: &Program, wanted: &[String], then: impl FnOnce(u32, Duration) -> T) -> T {
    let pair = native_pty_system().openpty(SIZE).expect("a pseudo-terminal");
    let mut reader = pair.master.try_clone_reader().expect("its output");
    let command = program.builder();
    let mut screen =
        vt100::Parser::new(SIZE.rows.try_into().expect("rows"), SIZE.cols.try_into().expect("columns"), 0);
    let began = Instant::now();
    let mut child = pair.slave.spawn_command(command).expect("the program starts");
    let watched = patient(child.clone_killer());
    let mut buffer = [0; 16_384];
    let took = loop {
        let n = reader.read(&mut buffer).expect("output");
        screen.process(&buffer[..n]);
        let text = screen.screen().contents();
        if wanted.iter().all(|word| text.contains(word)) {
            break began.elapsed();
        }
        assert!(n > 0, "the program ended, or did not show all of {wanted:?} in {PATIENCE:?}:\n{text}");
    };
    drop(watched);
    let out = then(child.process_id().expect("a process"), took);
    let _ = child.kill();
    let _ = child.wait();
    out
}

/// Ends the program after [`PATIENCE`], unless what is returned was dropped by then: a page that lacks a word is a
/// failure, not a wait without end.
fn patient(mut killer: Box<dyn ChildKiller + Send + Sync>) -> Sender<()> {
    let (watched, dropped) = channel::<()>();
    std::thread::spawn(move || {
        if dropped.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
            let _ = killer.kill();
        }
    });
    watched
}

fn median(took: &mut [Duration]) -> Duration {
    took.sort();
    took[took.len() / 2]
}

/// An empty ratatui program: one frame, then it waits for a byte.
fn empty() {
    let mut terminal = ratatui::Terminal::new(ratatui::backend::CrosstermBackend::new(std::io::stdout()))
        .expect("a terminal");
    crossterm::terminal::enable_raw_mode().expect("raw mode");
    crossterm::execute!(std::io::stdout(), crossterm::terminal::EnterAlternateScreen).expect("a screen");
    let text = "an empty program";
    terminal
        .draw(|frame| frame.render_widget(ratatui::widgets::Paragraph::new(text), frame.area()))
        .expect("a frame");
    let _ = std::io::stdin().read(&mut [0]);
    let _ = crossterm::terminal::disable_raw_mode();
}
