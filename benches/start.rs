//! First frame: the program against an empty ratatui program, in the same terminal and run.
//! Then a key to its frame, on every screen that keys reach from Home.
//!
//! `cargo bench --bench start`

use std::io::{Read, Write};
use std::time::{Duration, Instant};

use portable_pty::{CommandBuilder, PtySize, native_pty_system};

/// Runs of each program.
const RUNS: usize = 30;

#[allow(clippy::disallowed_methods, reason = "a benchmark measures time")]
fn now() -> Instant {
    Instant::now()
}

fn main() {
    if std::env::var_os("EMPTY_PROGRAM").is_some() {
        empty();
        return;
    }
    let own = std::env::current_exe().expect("the path of this program");
    let data = tempfile::tempdir().expect("a folder for data");
    let ours = || {
        let mut c = CommandBuilder::new(env!("CARGO_BIN_EXE_infralens"));
        // the bare command, as it is started every day; its data in a folder of its own
        c.env("XDG_DATA_HOME", data.path());
        c.env("HOME", data.path());
        c
    };
    let other = || {
        let mut c = CommandBuilder::new(&own);
        c.env("EMPTY_PROGRAM", "1");
        c
    };
    first_frame(ours());
    first_frame(other());
    let (mut a, mut b) = (Vec::new(), Vec::new());
    for _ in 0..RUNS {
        a.push(first_frame(ours()));
        b.push(first_frame(other()));
    }
    a.sort();
    b.sort();
    let (ours, empty) = (a[RUNS / 2], b[RUNS / 2]);
    let ratio = ours.as_secs_f64() / empty.as_secs_f64();
    let mut out = std::io::stdout();
    let _ = writeln!(
        out,
        "first frame, median of {RUNS}: {ours:.2?}; empty program {empty:.2?}; ratio {ratio:.2}"
    );
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

/// The time from the start of a program to the first word on its screen.
fn first_frame(mut command: CommandBuilder) -> Duration {
    command.env("TERM", "xterm-256color");
    command.cwd(std::env::temp_dir());
    let pty = native_pty_system();
    let size = PtySize { rows: 40, cols: 120, pixel_width: 0, pixel_height: 0 };
    let pair = pty.openpty(size).expect("a pseudo-terminal");
    let mut reader = pair.master.try_clone_reader().expect("its output");
    let began = now();
    let mut child = pair.slave.spawn_command(command).expect("the program starts");
    let mut seen = Vec::new();
    let mut buffer = [0; 4096];
    let took = loop {
        let n = reader.read(&mut buffer).expect("output");
        seen.extend_from_slice(&buffer[..n]);
        let text = String::from_utf8_lossy(&seen);
        if text.contains("InfraLens") || text.contains("empty") {
            break began.elapsed();
        }
    };
    let _ = child.kill();
    let _ = child.wait();
    took
}
