//! The built program in a pseudo-terminal.
#![allow(dead_code, missing_docs)]

use std::ffi::OsStr;
use std::io::{Read, Write};
use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

/// How long to wait for what must come. Nothing waits this long when all is well.
pub const PATIENCE: Duration = Duration::from_secs(30);

pub struct Session {
    pub master: Box<dyn MasterPty + Send>,
    writer: Box<dyn Write + Send>,
    pub child: Box<dyn Child + Send + Sync>,
    output: Receiver<Vec<u8>>,
    pub parser: vt100::Parser,
    pub raw: Vec<u8>,
}

pub fn size(cols: u16, rows: u16) -> PtySize {
    PtySize { rows, cols, pixel_width: 0, pixel_height: 0 }
}

pub fn cells(n: u16) -> std::num::NonZero<u16> {
    std::num::NonZero::new(n).expect("not zero")
}

impl Session {
    pub fn start(data: &Path, args: &[&str]) -> Self {
        Self::start_with(data, args, &[])
    }

    /// Starts with some more variables in the environment.
    pub fn start_with(data: &Path, args: &[&str], variables: &[(&str, &OsStr)]) -> Self {
        let pair = native_pty_system().openpty(size(80, 24)).expect("a pseudo-terminal");
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_infralens"));
        command.arg("--data-dir");
        command.arg(data);
        command.args(args);
        command.env("TERM", "xterm-256color");
        command.env_remove("NO_COLOR");
        variables.iter().for_each(|(name, value)| command.env(name, value));
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
        Self { master: pair.master, writer, child, output, parser, raw: Vec::new() }
    }

    /// Reads until the screen is as wanted.
    pub fn until(&mut self, what: &str, done: impl Fn(&vt100::Screen, &[u8]) -> bool) {
        while !done(self.parser.screen(), &self.raw) {
            match self.output.recv_timeout(PATIENCE) {
                Ok(bytes) => {
                    self.parser.process(&bytes);
                    self.raw.extend(bytes);
                }
                Err(e) => panic!("waiting for {what}: {e}; the screen:\n{}", self.parser.screen().contents()),
            }
        }
    }

    /// Presses a key until the screen is as wanted. A key that comes in the same moment as another size
    /// waits in the terminal for the next key: crossterm sees the signal and forgets to look again.
    pub fn press_until(&mut self, key: &str, done: impl Fn(&vt100::Screen) -> bool) {
        for _ in 0..PATIENCE.as_secs() {
            self.send(key);
            while !done(self.parser.screen()) {
                match self.output.recv_timeout(Duration::from_secs(1)) {
                    Ok(bytes) => {
                        self.parser.process(&bytes);
                        self.raw.extend(bytes);
                    }
                    Err(_) => break,
                }
            }
            if done(self.parser.screen()) {
                return;
            }
        }
        panic!("{key} does nothing:\n{}", self.parser.screen().contents());
    }

    pub fn shows(&mut self, text: &str) {
        self.until(text, |screen, _| screen.contents().contains(text));
    }

    pub fn send(&mut self, bytes: &str) {
        self.writer.write_all(bytes.as_bytes()).expect("input is taken");
        self.writer.flush().expect("input is taken");
    }

    pub fn pid(&self) -> String {
        self.child.process_id().expect("a process").to_string()
    }

    /// Waits until the process has stopped, as by ctrl+z: a signal to go on that comes before is lost.
    pub fn stops(&mut self) {
        let stat = format!("/proc/{}/stat", self.pid());
        for _ in 0..PATIENCE.as_millis() / 10 {
            let text = std::fs::read_to_string(&stat).expect("a running process");
            let state = text.rsplit(')').next().map(str::trim_start);
            if state.is_some_and(|s| s.starts_with('T')) {
                return;
            }
            if let Ok(bytes) = self.output.recv_timeout(Duration::from_millis(10)) {
                self.parser.process(&bytes);
                self.raw.extend(bytes);
            }
        }
        panic!("the program does not stop");
    }

    pub fn signal(&self, name: &str) {
        let sent = std::process::Command::new("kill").args([name, &self.pid()]).status();
        assert!(sent.expect("kill runs").success());
    }

    /// Reads to the end of the output, and waits for the program. One that draws on and on,
    /// because a clock runs, has not ended.
    pub fn end(&mut self) -> u32 {
        // what was drawn before may lie in many small pieces
        for _ in 0..300 {
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

    pub fn exit_code(&mut self) -> u32 {
        self.child.wait().expect("the program ends").exit_code()
    }

    /// The terminal is as it was before the program.
    pub fn assert_restored(&self) {
        let screen = self.parser.screen();
        assert!(!screen.alternate_screen(), "the alternate screen is left");
        assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None);
        assert!(!screen.bracketed_paste(), "bracketed paste is off");
        assert!(!screen.hide_cursor(), "the cursor shows");
    }
}
