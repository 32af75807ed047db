//! Signals: the ones that end the program, the one that suspends it, and the news of another size.

use std::sync::mpsc::Sender;
use std::thread;

use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGWINCH};
use signal_hook::iterator::Signals;

use super::terminal;
use crate::tui::event::What;

/// Catches signals from now on; [`listen`] tells of them, of those that came before it too. None where signals
/// cannot be had: the program still works, only its end is less tidy.
pub fn catch() -> Option<Signals> {
    Signals::new([SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH]).ok()
}

/// Turns the signals that were caught into events, in a thread of their own.
pub fn listen(signals: Option<Signals>, to: Sender<What>) {
    let Some(mut signals) = signals else { return };
    thread::spawn(move || {
        for signal in signals.forever() {
            let what = match signal {
                SIGTSTP => What::Suspend,
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
