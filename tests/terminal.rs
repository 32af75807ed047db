//! The built program in a real pseudo-terminal: start, type, resize, suspend, kill, restore.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

#[path = "kit/session.rs"]
mod session;

mod rehearsal_terminal;

use std::io::{Read, Write};
use std::path::Path;
use std::sync::mpsc::channel;

use portable_pty::{Child, CommandBuilder, native_pty_system};
use session::{PATIENCE, Session, cells, size};

fn data() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

#[test]
fn it_starts_and_is_resized() {
    let data = data();
    let mut session = Session::start(data.path(), &[]);
    session.shows("Start the course");
    session.parser.screen_mut().set_size(cells(40), cells(120));
    session.master.resize(size(120, 40)).expect("a new size");
    session.shows("What comes next: RL");
    session.press_until("q", |screen| !screen.alternate_screen());
    session.assert_restored();
}

#[test]
fn a_killed_answer_comes_back() {
    let data = data();
    let drill = ["drill", "ddp-gradients-not-parameters"];
    let mut session = Session::start(data.path(), &drill);
    session.shows("0 words");
    session.send("\x1b[200~every rank holds a replica\x1b[201~");
    session.shows("5 words");
    session.shows("saved");
    session.signal("-KILL");
    session.end();
    let mut again = Session::start(data.path(), &[]);
    again.shows("Finish");
    again.send("\r");
    again.shows("every rank holds a replica");
    again.send("\x11");
    again.end();
}

#[test]
fn it_is_suspended_and_goes_on() {
    let data = data();
    let mut session = Session::start(data.path(), &[]);
    session.shows("Start the course");
    session.send("\x1a");
    session.until("the shell's screen", |screen, _| !screen.alternate_screen());
    session.stops();
    session.signal("-CONT");
    session.until("Home again", |screen, _| {
        screen.alternate_screen() && screen.contents().contains("Start the course")
    });
    session.send("q");
    assert_eq!(session.end(), 0);
}

#[test]
fn stopped_from_elsewhere_it_gives_the_terminal_back_first() {
    let data = data();
    let mut session = Session::start(data.path(), &["drill", "ddp-gradients-not-parameters"]);
    session.shows("0 words");
    session.signal("-TSTP");
    session.until("the shell's screen", |screen, _| !screen.alternate_screen());
    session.stops();
    session.assert_restored();
    session.signal("-CONT");
    session.until("the drill again", |screen, _| {
        screen.alternate_screen() && screen.contents().contains("0 words")
    });
    session.send("on");
    session.shows("1 word");
    session.send("\x11");
    assert_eq!(session.end(), 0);
}

#[test]
fn what_is_not_kept_is_said_after_the_end_with_its_place() {
    let data = data();
    let mut session = Session::start(data.path(), &["drill", "ddp-gradients-not-parameters"]);
    session.shows("0 words");
    session.send("each rank ");
    session.shows("saved");
    let db = data.path().join("infralens.db");
    for name in ["infralens.db", "infralens.db-wal", "infralens.db-shm"] {
        let _ = std::fs::remove_file(data.path().join(name));
    }
    std::fs::create_dir(&db).expect("a folder in its place");
    session.send("holds ");
    session.shows("Your text is in");
    session.send("\x11");
    assert_eq!(session.end(), 1);
    session.assert_restored();
    let said = session.parser.screen().contents().replace('\n', "");
    assert!(said.contains("infralens-ddp-gradients-not-parameters.txt"), "{said}");
}

#[test]
fn a_terminal_that_cannot_move_its_cursor_gets_lines() {
    for term in ["dumb", ""] {
        let data = data();
        let mut session = Session::start_with(data.path(), &[], &[("TERM", term.as_ref())]);
        session.until("lines", |_, raw| String::from_utf8_lossy(raw).contains("plain lines"));
        assert!(!session.raw.contains(&0x1b), "TERM is `{term}`, and it got escape sequences");
        session.send("quit\r");
        assert_eq!(session.end(), 0);
    }
}

#[test]
fn a_light_terminal_is_recognised() {
    let data = data();
    let mut session = Session::start(data.path(), &[]);
    session.shows("Start the course");
    session.until("the question", |_, raw| raw.windows(6).any(|w| w == b"\x1b]11;?"));
    let before = session.raw.len();
    session.send("\x1b]11;rgb:ffff/ffff/ffff\x1b\\");
    session.until("a redraw in other colours", |_, raw| raw.len() > before);
    assert!(!session.parser.screen().contents().contains("rgb"), "the answer is no typing");
    session.send("q");
    assert_eq!(session.end(), 0);
}

#[test]
fn without_a_terminal_it_says_what_to_do() {
    let out = std::process::Command::new(env!("CARGO_BIN_EXE_infralens"))
        .stdin(std::process::Stdio::null())
        .output()
        .expect("the program runs");
    assert_eq!(out.status.code(), Some(2));
    let text = String::from_utf8_lossy(&out.stderr);
    assert!(text.contains("needs a terminal"), "{text}");
}

#[test]
fn a_signal_ends_it_and_keeps_the_draft() {
    for signal in ["-TERM", "-HUP", "-INT"] {
        let data = data();
        let drill = ["drill", "ddp-gradients-not-parameters"];
        let mut session = Session::start(data.path(), &drill);
        session.shows("0 words");
        session.send("\x1b[200~every rank holds a replica\x1b[201~");
        session.shows("5 words");
        session.signal(signal);
        assert_eq!(session.end(), 0, "{signal}");
        session.assert_restored();
        let mut again = Session::start(data.path(), &drill);
        again.shows("every rank holds a replica");
        again.send("\x11");
        again.end();
    }
}

#[test]
fn a_closed_terminal_ends_it_and_keeps_the_draft() {
    let data = data();
    let drill = ["drill", "ddp-gradients-not-parameters"];
    let typed = ("0 words", "every rank holds a replica");
    let child = closed_after(&[], data.path(), &drill, Some(typed), "5 words");
    assert_ended(child);
    let mut again = Session::start(data.path(), &drill);
    again.shows("every rank holds a replica");
    again.send("\x11");
    again.end();
}

/// In a container, or after `setsid`, no signal tells that the terminal is gone; on Home nothing is drawn either, so that
/// no write fails.
#[test]
fn a_closed_terminal_that_sends_no_signal_ends_it_too() {
    if std::process::Command::new("setsid").arg("--version").output().is_err() {
        println!("skipped: there is no setsid here to start the program in a session of its own");
        return;
    }
    let data = data();
    let starter = ["sh", "-c", "trap '' HUP; exec setsid --wait \"$0\" \"$@\""];
    assert_ended(closed_after(&starter, data.path(), &[], None, "Start the course"));
}

/// That a program whose terminal is closed ends, and as it should.
fn assert_ended(mut child: Box<dyn Child + Send + Sync>) {
    let (done, ended) = channel();
    let mut killer = child.clone_killer();
    let watch = std::thread::spawn(move || {
        let ended = ended.recv_timeout(PATIENCE).is_ok();
        if !ended {
            let _ = killer.kill();
        }
        ended
    });
    let status = child.wait().expect("the program ends");
    let _ = done.send(());
    assert!(watch.join().expect("the watch ends"), "it outlived its terminal");
    assert_eq!(status.exit_code(), 0);
}

/// Starts the program in a terminal, by another one where some is named; types a text where another one is shown, if any;
/// closes the terminal once the screen shows the last.
fn closed_after(
    starter: &[&str],
    data: &Path,
    args: &[&str],
    typed: Option<(&str, &str)>,
    shown: &str,
) -> Box<dyn Child + Send + Sync> {
    let pair = native_pty_system().openpty(size(80, 24)).expect("a pseudo-terminal");
    let started = starter.iter().copied().chain([env!("CARGO_BIN_EXE_infralens"), "--data-dir"]);
    let mut command = CommandBuilder::from_argv(started.map(Into::into).collect());
    command.arg(data);
    command.args(args);
    command.env("TERM", "xterm-256color");
    let child = pair.slave.spawn_command(command).expect("the program starts");
    drop(pair.slave);
    let mut reader = pair.master.try_clone_reader().expect("its output");
    let mut writer = pair.master.take_writer().expect("its input");
    let mut parser = vt100::Parser::new(cells(24), cells(80), 0);
    let mut typed = typed;
    let mut buffer = [0; 8192];
    while !parser.screen().contents().contains(shown) {
        let n = reader.read(&mut buffer).expect("output");
        parser.process(&buffer[..n]);
        if let Some((_, text)) = typed.take_if(|(at, _)| parser.screen().contents().contains(*at)) {
            write!(writer, "\x1b[200~{text}\x1b[201~").expect("input is taken");
        }
    }
    child
}
