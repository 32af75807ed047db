//! The loop around the line-mode face: standard input on a thread, a clock, standard output.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;

use super::Plain;
#[cfg(unix)]
use crate::services::run::Running;
use crate::time;

/// The longest line that is taken, in bytes; what is longer is taken as several.
const LONGEST: u64 = 1 << 20;
/// Lines that may wait.
const WAITING: usize = 64;

/// What comes from outside.
enum Came {
    Line(String),
    /// The input is at its end.
    End,
    /// A signal that ends the program.
    Signal(i32),
}

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
    turns(plain, first, &from, out).map(drop)
}

/// The same until a signal ends the program as well, which is given back: everything typed is kept, and said to be.
///
/// # Errors
/// As [`run`].
pub fn until_signal(
    plain: &mut Plain,
    first: &str,
    input: impl Read + Send + 'static,
    out: &mut dyn Write,
) -> io::Result<Option<i32>> {
    let (to, from) = sync_channel(WAITING);
    #[cfg(unix)]
    listen(plain.running(), to.clone());
    thread::spawn(move || read(input, &to));
    turns(plain, first, &from, out)
}

/// Tells of the first signal that ends programs; a second one ends it whatever it does.
#[cfg(unix)]
fn listen(running: Running, to: SyncSender<Came>) {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    // where signals cannot be had, they end the program as ever
    let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP]) else { return };
    thread::spawn(move || {
        let mut all = signals.forever();
        if let Some(signal) = all.next() {
            running.end();
            // lines that wait to be taken may fill the way: nothing behind them is waited for
            let waiting = to.clone();
            thread::spawn(move || waiting.send(Came::Signal(signal)));
        }
        if let Some(signal) = all.next() {
            let _ = signal_hook::low_level::emulate_default_handler(signal);
        }
    });
}

fn turns(
    plain: &mut Plain,
    first: &str,
    from: &Receiver<Came>,
    out: &mut dyn Write,
) -> io::Result<Option<i32>> {
    let said = say(first, out).and_then(|()| turn(plain, from, out));
    if said.is_err() {
        // nobody hears what is said now, but everything is kept
        plain.end(time::now());
    }
    said
}

fn turn(plain: &mut Plain, from: &Receiver<Came>, out: &mut dyn Write) -> io::Result<Option<i32>> {
    while !plain.is_over() {
        let text = match wait(plain, from) {
            Ok(Came::Line(line)) => plain.line(&line, time::now()),
            Err(RecvTimeoutError::Timeout) => plain.tick(time::now()),
            Ok(Came::End) | Err(RecvTimeoutError::Disconnected) => plain.end(time::now()),
            Ok(Came::Signal(signal)) => {
                // a terminal that was closed hears nothing
                let _ = say(&plain.stop(time::now()), out);
                return Ok(Some(signal));
            }
        };
        say(&text, out)?;
    }
    Ok(None)
}

fn wait(plain: &Plain, from: &Receiver<Came>) -> Result<Came, RecvTimeoutError> {
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
fn read(input: impl Read, to: &SyncSender<Came>) {
    let mut input = BufReader::new(input);
    loop {
        let mut bytes = Vec::new();
        match input.by_ref().take(LONGEST).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => {
                let _ = to.send(Came::End);
                return;
            }
            Ok(_) => {
                let line = String::from_utf8_lossy(&bytes);
                let line = line.trim_end_matches(['\n', '\r']).to_owned();
                if to.send(Came::Line(line)).is_err() {
                    return;
                }
            }
        }
    }
}
