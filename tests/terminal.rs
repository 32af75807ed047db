//! The built program in a real pseudo-terminal: start, type, resize, suspend, kill, restore.
#![cfg(target_os = "linux")]

use std::io::{Read, Write};
use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

/// How long to wait for what must come. Nothing waits this long when all is well.
const PATIENCE: Duration = Duration::from_secs(30);

struct Session {
    master: Box<dyn MasterPty + Send>,
    writer: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    output: Receiver<Vec<u8>>,
    parser: vt100::Parser,
    raw: Vec<u8>,
}

fn size(cols: u16, rows: u16) -> PtySize {
    PtySize {
        rows,
        cols,
        pixel_width: 0,
        pixel_height: 0,
    }
}

fn cells(n: u16) -> std::num::NonZero<u16> {
    std::num::NonZero::new(n).expect("not zero")
}

impl Session {
    fn start(data: &Path, args: &[&str]) -> Self {
        let pair = native_pty_system()
            .openpty(size(80, 24))
            .expect("a pseudo-terminal");
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_infralens"));
        command.arg("--data-dir");
        command.arg(data);
        command.args(args);
        command.env("TERM", "xterm-256color");
        command.env_remove("NO_COLOR");
        command.cwd(data);
        let child = pair.slave.spawn_command(command).expect("the program starts");
        drop(pair.slave);
        let mut reader = pair.master.try_clone_reader().expect("its output");
        let (to, output) = channel();
        std::thread::spawn(move || {
            let mut buffer = [0; 8192];
            while let Ok(n) = reader.read(&mut buffer) {
                if n == 0 || to.send(buffer[..n].to_vec()).is_err() {
                    break;
                }
            }
        });
        let writer = pair.master.take_writer().expect("its input");
        let parser = vt100::Parser::new(cells(24), cells(80), 0);
        Self {
            master: pair.master,
            writer,
            child,
            output,
            parser,
            raw: Vec::new(),
        }
    }

    /// Reads until the screen is as wanted.
    fn until(&mut self, what: &str, done: impl Fn(&vt100::Screen, &[u8]) -> bool) {
        while !done(self.parser.screen(), &self.raw) {
            match self.output.recv_timeout(PATIENCE) {
                Ok(bytes) => {
                    self.parser.process(&bytes);
                    self.raw.extend(bytes);
                }
                Err(e) => panic!(
                    "waiting for {what}: {e}; the screen:\n{}",
                    self.parser.screen().contents()
                ),
            }
        }
    }

    fn shows(&mut self, text: &str) {
        self.until(text, |screen, _| screen.contents().contains(text));
    }

    fn send(&mut self, bytes: &str) {
        self.writer.write_all(bytes.as_bytes()).expect("input is taken");
        self.writer.flush().expect("input is taken");
    }

    fn pid(&self) -> String {
        self.child.process_id().expect("a process").to_string()
    }

    fn signal(&self, name: &str) {
        let sent = std::process::Command::new("kill")
            .args([name, &self.pid()])
            .status();
        assert!(sent.expect("kill runs").success());
    }

    /// Reads to the end of the output, and waits for the program. One that draws on and on,
    /// because a clock runs, has not ended.
    fn end(&mut self) -> u32 {
        for _ in 0..30 {
            match self.output.recv_timeout(PATIENCE) {
                Ok(bytes) => {
                    self.parser.process(&bytes);
                    self.raw.extend(bytes);
                }
                Err(_) => return self.exit_code(),
            }
        }
        let _ = self.child.kill();
        panic!("the program does not end:\n{}", self.parser.screen().contents());
    }

    fn exit_code(&mut self) -> u32 {
        self.child.wait().expect("the program ends").exit_code()
    }

    /// The terminal is as it was before the program.
    fn assert_restored(&self) {
        let screen = self.parser.screen();
        assert!(!screen.alternate_screen(), "the alternate screen is left");
        assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None);
        assert!(!screen.bracketed_paste(), "bracketed paste is off");
        assert!(!screen.hide_cursor(), "the cursor shows");
    }
}

fn data() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

#[test]
fn it_starts_and_is_resized() {
    let data = data();
    let mut session = Session::start(data.path(), &[]);
    session.shows("Start here");
    session.parser.screen_mut().set_size(cells(40), cells(120));
    session.master.resize(size(120, 40)).expect("a new size");
    session.shows("Your five parts");
    session.send("q");
    session.until("the shell's screen", |screen, _| !screen.alternate_screen());
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
    session.child.kill().expect("SIGKILL");
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
    session.shows("Start here");
    session.send("\x1a");
    session.until("the shell's screen", |screen, _| !screen.alternate_screen());
    session.signal("-CONT");
    session.until("Home again", |screen, _| {
        screen.alternate_screen() && screen.contents().contains("Start here")
    });
    session.send("q");
    assert_eq!(session.end(), 0);
}

#[test]
fn a_light_terminal_is_recognised() {
    let data = data();
    let mut session = Session::start(data.path(), &[]);
    session.shows("Start here");
    session.until("the question", |_, raw| raw.windows(6).any(|w| w == b"\x1b]11;?"));
    let before = session.raw.len();
    session.send("\x1b]11;rgb:ffff/ffff/ffff\x1b\\");
    session.until("a redraw in other colours", |_, raw| raw.len() > before);
    assert!(
        !session.parser.screen().contents().contains("rgb"),
        "the answer is no typing"
    );
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
    let mut child = closed_after(data.path(), &drill, "every rank holds a replica", "5 words");
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
    let mut again = Session::start(data.path(), &drill);
    again.shows("every rank holds a replica");
    again.send("\x11");
    again.end();
}

/// Types into the program in a terminal, and closes the terminal once the screen shows a text.
fn closed_after(data: &Path, args: &[&str], typed: &str, shown: &str) -> Box<dyn Child + Send + Sync> {
    let pair = native_pty_system()
        .openpty(size(80, 24))
        .expect("a pseudo-terminal");
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_infralens"));
    command.arg("--data-dir");
    command.arg(data);
    command.args(args);
    command.env("TERM", "xterm-256color");
    let child = pair.slave.spawn_command(command).expect("the program starts");
    drop(pair.slave);
    let mut reader = pair.master.try_clone_reader().expect("its output");
    let mut writer = pair.master.take_writer().expect("its input");
    let mut parser = vt100::Parser::new(cells(24), cells(80), 0);
    let mut has_typed = false;
    let mut buffer = [0; 8192];
    while !parser.screen().contents().contains(shown) {
        let n = reader.read(&mut buffer).expect("output");
        parser.process(&buffer[..n]);
        if !has_typed && parser.screen().contents().contains("0 words") {
            has_typed = true;
            write!(writer, "\x1b[200~{typed}\x1b[201~").expect("input is taken");
        }
    }
    child
}
