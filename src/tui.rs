//! The loop: draw, wait, handle, carry out effects.

use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use crate::app::App;
use crate::app::effect::Effect;
use crate::app::event::{Event, What};
use crate::time;

pub mod input;
pub mod shell;
mod signals;
pub mod terminal;

use shell::{Outside, Shell};

/// How the program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// The person quit.
    Quit,
    /// A signal asked for it, or the terminal was closed.
    Terminated,
}

/// What the command line chose about the terminal.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// Whether the mouse is captured.
    pub mouse: bool,
    /// Whether to ask the terminal for its background colour.
    pub ask_background: bool,
}

/// Runs the program on the terminal until it ends.
///
/// `start` opens the store and the packs; it runs after the first frame, so that a person
/// sees the program at once.
///
/// # Errors
/// Where there is no terminal, or it is gone.
pub fn run(
    mut app: App,
    options: Options,
    start: impl FnOnce(Sender<What>) -> (Shell, Vec<What>),
) -> io::Result<Ended> {
    let (mut screen, guard) = terminal::take(options.mouse)?;
    screen.draw(|frame| app.draw(frame))?;
    let (to, from) = channel();
    if options.ask_background {
        terminal::ask_background()?;
    }
    signals::listen(to.clone());
    let (shell, first) = start(to.clone());
    let mut outside = Loop { shell, screen, guard, input: None };
    outside.draw(&mut app)?;
    for what in first {
        if let Some(ended) = outside.step(&mut app, what)? {
            return Ok(ended);
        }
    }
    outside.draw(&mut app)?;
    outside.input = Some(input::Input::start(to));
    outside.turn(&mut app, &from)
}

struct Loop {
    shell: Shell,
    screen: terminal::Screen,
    guard: terminal::Guard,
    input: Option<input::Input>,
}

impl Loop {
    fn turn(&mut self, app: &mut App, from: &Receiver<What>) -> io::Result<Ended> {
        loop {
            let what = match wait(from, app.wake_at().map(|at| time::until(at))) {
                Some(what) => what,
                None => What::Tick,
            };
            let from_terminal =
                matches!(what, What::Key(_) | What::Paste(_) | What::Mouse(..) | What::Background { .. })
                    || matches!(what, What::Resize(..));
            if let Some(ended) = self.step(app, what)? {
                return Ok(ended);
            }
            if let (true, Some(input)) = (from_terminal, &self.input) {
                input.permit();
            }
            self.draw(app)?;
        }
    }

    /// Handles one event and all that follows from it.
    fn step(&mut self, app: &mut App, what: What) -> io::Result<Option<Ended>> {
        let terminated = matches!(what, What::Terminate);
        let mut todo = app.update(Event { at: time::now(), what });
        while !todo.is_empty() {
            let mut next = Vec::new();
            for effect in todo {
                match effect {
                    Effect::Quit => {
                        return Ok(Some(if terminated { Ended::Terminated } else { Ended::Quit }));
                    }
                    Effect::Suspend => {
                        self.guard.lend(&mut self.screen, signals::stop)?;
                        next.extend(app.update(Event { at: time::now(), what: What::Resumed }));
                    }
                    effect => next.extend(self.carry_out(app, effect)?),
                }
            }
            todo = next;
        }
        Ok(None)
    }

    fn carry_out(&mut self, app: &mut App, effect: Effect) -> io::Result<Vec<Effect>> {
        let outcome = match self.shell.carry_out(effect, time::now()) {
            Outside::Done(reply) => reply,
            Outside::NeedsTerminal(job) => Some(self.guard.lend(&mut self.screen, job)?),
        };
        Ok(match outcome {
            Some(reply) => app.update(Event { at: time::now(), what: What::Reply(Box::new(reply)) }),
            None => Vec::new(),
        })
    }

    /// Draws where something changed.
    fn draw(&mut self, app: &mut App) -> io::Result<()> {
        if app.take_dirty() {
            self.screen.draw(|frame| app.draw(frame))?;
        }
        Ok(())
    }
}

/// Waits for what comes next: for ever, or until a screen wants to be woken.
fn wait(from: &Receiver<What>, limit: Option<Duration>) -> Option<What> {
    match limit {
        None => Some(from.recv().unwrap_or(What::Terminate)),
        Some(limit) => match from.recv_timeout(limit) {
            Ok(what) => Some(what),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(What::Terminate),
        },
    }
}
