//! The loop around the line-mode face: standard input on a thread, a clock, standard output.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;

use super::Plain;
use crate::time;

/// The longest line that is taken, in bytes; what is longer is taken as several.
const LONGEST: u64 = 1 << 20;
/// Lines that may wait.
const WAITING: usize = 64;

/// Says `first`, then takes lines from `input` until it ends or the learner does.
///
/// # Errors
/// Where the output fails; a closed pipe is such a failure. Everything typed is kept before.
pub fn run(
    plain: &mut Plain,
    first: &str,
    input: impl Read + Send + 'static,
    out: &mut dyn Write,
) -> io::Result<()> {
    let (to, from) = sync_channel(WAITING);
    thread::spawn(move || read(input, &to));
    let said = say(first, out).and_then(|()| turn(plain, &from, out));
    if said.is_err() {
        // nobody hears what is said now, but everything is kept
        plain.end(time::now());
    }
    said
}

fn turn(plain: &mut Plain, from: &Receiver<String>, out: &mut dyn Write) -> io::Result<()> {
    while !plain.is_over() {
        let text = match wait(plain, from) {
            Ok(line) => plain.line(&line, time::now()),
            Err(RecvTimeoutError::Timeout) => plain.tick(time::now()),
            Err(RecvTimeoutError::Disconnected) => plain.end(time::now()),
        };
        say(&text, out)?;
    }
    Ok(())
}

fn wait(plain: &Plain, from: &Receiver<String>) -> Result<String, RecvTimeoutError> {
    match plain.wake_at() {
        Some(at) => from.recv_timeout(time::until(at)),
        None => from.recv().map_err(|_| RecvTimeoutError::Disconnected),
    }
}

fn say(text: &str, out: &mut dyn Write) -> io::Result<()> {
    if text.is_empty() {
        return Ok(());
    }
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// Sends lines until the input ends or cannot be read.
fn read(input: impl Read, to: &SyncSender<String>) {
    let mut input = BufReader::new(input);
    loop {
        let mut bytes = Vec::new();
        match input.by_ref().take(LONGEST).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => return,
            Ok(_) => {
                let line = String::from_utf8_lossy(&bytes);
                let line = line.trim_end_matches(['\n', '\r']).to_owned();
                if to.send(line).is_err() {
                    return;
                }
            }
        }
    }
}
