//! Signals: the ones that end the program, the one that suspends it, and the news of another size.

use std::sync::mpsc::Sender;
use std::thread;

use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGWINCH};
use signal_hook::iterator::Signals;

use super::terminal;
use crate::tui::event::What;

/// Turns signals into events, in a thread of their own.
pub fn listen(to: Sender<What>) {
    // Where signals cannot be had, the program still works; only its end is less tidy.
    let Ok(mut signals) = Signals::new([SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGCONT, SIGWINCH]) else {
        return;
    };
    thread::spawn(move || {
        for signal in signals.forever() {
            let what = match signal {
                SIGCONT => What::Resumed,
                SIGWINCH => match terminal::size() {
                    Ok((width, height)) => What::Resize(width, height),
                    Err(_) => What::Terminate,
                },
                _ => What::Terminate,
            };
            if to.send(what).is_err() {
                return;
            }
        }
    });
}

/// Stops the process as the shell's ctrl+z does; returns when it is continued.
pub fn stop() {
    let _ = signal_hook::low_level::emulate_default_handler(SIGTSTP);
}
