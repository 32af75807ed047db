//! The loop: draw, wait, handle, carry out effects.

use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use crate::page::Effect;
use crate::page::place::Place;
use crate::services::job::{Done, Job};
use crate::services::{Services, edit};
use crate::time;
use crate::tui::app::App;
use crate::tui::event::{Event, What};
use crate::widget::highlight::Highlighter;

pub mod app;
pub mod event;
pub(crate) mod face;
mod find;
pub(crate) mod input;
mod lab;
mod lesson;
mod program;
mod puzzle;
pub(crate) mod reader;
pub(crate) mod reading;
mod sheet;
mod signals;
mod sim;
pub(crate) mod starter;
pub(crate) mod terminal;
mod writer;

/// How the program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ended {
    /// The person quit.
    Quit,
    /// A signal asked for it, or the terminal was closed.
    Terminated,
}

/// The end, once the terminal is given back.
#[derive(Debug)]
pub(crate) struct Closed {
    /// How it ended.
    pub ended: Ended,
    /// What could not be kept, and where it is.
    pub left: Option<String>,
}

/// What the command line chose about the terminal.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Options {
    /// Whether the mouse is captured.
    pub mouse: bool,
    /// Whether to ask the terminal for its background colour.
    pub ask_background: bool,
    /// Whether to show something before the start. A start that is known to be short shows its own screen first.
    pub shows_before: bool,
}

/// What the start opens.
pub(crate) struct Start {
    /// The packs and the store.
    pub services: Services,
    /// Where to begin.
    pub place: Place,
    /// What went wrong on the way and must be said.
    pub notes: Vec<String>,
    /// What is read beside, once the first screen stands.
    pub beside: Beside,
    /// What is read beside once the person does something.
    pub at_first_key: Beside,
}

/// Begins work that tells by events what came of it.
pub(crate) type Beside = Box<dyn FnOnce(Sender<What>)>;

/// Runs the program on the terminal until it ends.
///
/// `start` opens the store and the packs; where that may take long, it runs after a first frame, so that a
/// person sees the program at once.
///
/// # Errors
/// Where there is no terminal, or it is gone, or the start fails.
pub(crate) fn run(
    mut app: App,
    options: Options,
    start: impl FnOnce() -> anyhow::Result<Start>,
) -> anyhow::Result<Closed> {
    let (mut screen, guard) = terminal::take(options.mouse)?;
    let size = screen.get_frame().area().as_size();
    app.update(Event { at: time::now(), what: What::Resize(size.width, size.height) });
    let signals = signals::catch();
    if options.shows_before {
        screen.draw(|frame| app.draw(frame)).map(drop).or_else(unless_hung_up)?;
    }
    let (to, from) = channel();
    let start = start()?;
    let mut outside =
        Loop { to: to.clone(), screen, guard, input: None, at_first_key: Some(start.at_first_key) };
    let woken = to.clone();
    // Nobody is left to colour for once the program has ended.
    app.colour_with(Highlighter::background(move || drop(woken.send(What::Coloured))));
    let first = app.load(start.services, &start.place);
    outside.follow(&mut app, first)?;
    for note in start.notes {
        app.say(note);
    }
    // a terminal that is gone by now is noticed where it is read
    outside.draw(&mut app).or_else(unless_hung_up)?;
    if options.ask_background {
        terminal::ask_background().or_else(unless_hung_up)?;
    }
    signals::listen(signals, to.clone());
    // what was resized before signals were caught, nobody heard
    match terminal::size() {
        Ok((width, height)) if (width, height) != (size.width, size.height) => {
            let _ = to.send(What::Resize(width, height));
        }
        _ => {}
    }
    (start.beside)(to.clone());
    outside.input = Some(input::Input::start(to));
    let ended = outside.turn(&mut app, &from)?;
    Ok(Closed { ended, left: app.left().map(str::to_owned) })
}

struct Loop {
    to: Sender<What>,
    /// Dropped before the screen.
    guard: terminal::Guard,
    screen: terminal::Screen,
    input: Option<input::Input>,
    at_first_key: Option<Beside>,
}

impl Loop {
    /// Turns until the program ends. Where the terminal is gone, what is open is kept first.
    fn turn(&mut self, app: &mut App, from: &Receiver<What>) -> io::Result<Ended> {
        loop {
            let ended = match self.once(app, from) {
                Ok(None) => continue,
                Ok(Some(ended)) => ended,
                Err(fault) => {
                    self.step(app, What::Terminate)?;
                    if !is_hang_up(&fault) {
                        return Err(fault);
                    }
                    Ended::Terminated
                }
            };
            return Ok(ended);
        }
    }

    fn once(&mut self, app: &mut App, from: &Receiver<What>) -> io::Result<Option<Ended>> {
        let what = match wait(from, app.wake_at().map(time::until)) {
            Some(what) => what,
            None => What::Tick,
        };
        let from_terminal =
            matches!(what, What::Key(_) | What::Paste(_) | What::Mouse(..) | What::Background { .. });
        if matches!(what, What::Key(_) | What::Paste(_) | What::Mouse(..))
            && let Some(read) = self.at_first_key.take()
        {
            read(self.to.clone());
        }
        if let Some(ended) = self.step(app, what)? {
            return Ok(Some(ended));
        }
        if let (true, Some(input)) = (from_terminal, &self.input) {
            input.permit();
        }
        self.draw(app)?;
        Ok(None)
    }

    /// Handles one event and all that follows from it.
    fn step(&mut self, app: &mut App, what: What) -> io::Result<Option<Ended>> {
        let terminated = matches!(what, What::Terminate);
        if let What::Resize(width, height) = what {
            self.screen = terminal::fresh(width, height)?;
        }
        let todo = app.update(Event { at: time::now(), what });
        let quit = self.follow(app, todo)?;
        Ok(quit.then_some(if terminated { Ended::Terminated } else { Ended::Quit }))
    }

    /// Carries out effects and all that follows from them; says whether the program ends.
    fn follow(&mut self, app: &mut App, mut todo: Vec<Effect>) -> io::Result<bool> {
        while !todo.is_empty() {
            let mut next = Vec::new();
            for effect in todo {
                match effect {
                    Effect::Quit => return Ok(true),
                    Effect::Suspend => {
                        self.guard.lend(&mut self.screen, signals::stop)?;
                        next.extend(app.update(Event { at: time::now(), what: What::Resumed }));
                    }
                    effect => next.extend(self.carry_out(app, effect)?),
                }
            }
            todo = next;
        }
        Ok(false)
    }

    fn carry_out(&mut self, app: &mut App, effect: Effect) -> io::Result<Vec<Effect>> {
        let done = match effect {
            Effect::Bell => {
                terminal::write("\x07");
                None
            }
            Effect::Copy(text) => {
                terminal::copy(&text);
                None
            }
            Effect::Job(job) => self.begin(app, job)?,
            // the loop itself ends and suspends, the app says
            Effect::Say(_) | Effect::Turn | Effect::Suspend | Effect::Quit => None,
        };
        Ok(match done {
            Some(done) => app.update(Event { at: time::now(), what: What::Done(Box::new(done)) }),
            None => Vec::new(),
        })
    }

    /// Begins a job; gives its end where that has come already.
    fn begin(&mut self, app: &App, job: Job) -> io::Result<Option<Done>> {
        match (&job, app.services()) {
            (Job::Mark(unmarked), Some(services)) => {
                if let Some(pack) = services.pack(unmarked.pack) {
                    services.running.mark(pack.clone(), (**unmarked).clone(), self.to.clone());
                }
                return Ok(None);
            }
            (Job::Judge(case), Some(services)) => {
                services.running.ask((**case).clone(), self.to.clone());
                return Ok(None);
            }
            (Job::Look(setting), Some(services)) => {
                services.running.look(setting.clone(), self.to.clone());
                return Ok(None);
            }
            (Job::Surroundings, Some(services)) => {
                services.running.surroundings(self.to.clone());
                return Ok(None);
            }
            (Job::Measure(order), Some(services)) => {
                services.running.measure((**order).clone(), self.to.clone());
                return Ok(None);
            }
            (Job::Class(folder), Some(services)) => {
                services.running.read_class(folder.clone(), services.library.packs.clone(), self.to.clone());
                return Ok(None);
            }
            _ => {}
        }
        let (Some(starter), Some(services)) = (app.starter(&job), app.services()) else {
            return Ok(None);
        };
        match job {
            Job::Run(pack, _) => {
                services.running.start(pack, starter, self.to.clone());
                Ok(None)
            }
            Job::RunCopy(pack, lab) => {
                if let Some(own) = services.own_copy(pack, &lab) {
                    services.running.start_copy(pack, (starter, own.text), self.to.clone());
                }
                Ok(None)
            }
            Job::Copy(pack, _) => {
                Ok(edit::copied(&starter, &id_of(services, pack), &services.work).err().map(|fault| {
                    let work = services.work.display();
                    Done::Failed(format!(
                        "cannot write a copy to {work}: {fault}; make room, or allow writing there"
                    ))
                }))
            }
            Job::Edit(pack, _) => match edit::copied(&starter, &id_of(services, pack), &services.work) {
                Ok(path) => Ok(Some(self.guard.lend(&mut self.screen, || edit::open(&path))?)),
                Err(fault) => {
                    let work = services.work.display();
                    let text =
                        format!("cannot write a copy to {work}: {fault}; make room, or allow writing there");
                    Ok(Some(Done::Failed(text)))
                }
            },
            Job::Mark(_) | Job::Judge(_) | Job::Class(_) | Job::Look(_) => Ok(None),
            Job::Measure(_) | Job::Surroundings => Ok(None),
        }
    }

    /// Draws where something changed.
    fn draw(&mut self, app: &mut App) -> io::Result<()> {
        if app.take_dirty() {
            self.screen.draw(|frame| app.draw(frame))?;
        }
        Ok(())
    }
}

/// The id of a pack that is at hand.
fn id_of(services: &Services, pack: usize) -> String {
    services.pack(pack).map(|pack| pack.id.clone()).unwrap_or_default()
}

/// Whether the terminal was closed.
fn is_hang_up(fault: &io::Error) -> bool {
    // 5 is EIO, which a terminal without its other end answers.
    fault.kind() == io::ErrorKind::BrokenPipe || fault.raw_os_error() == Some(5)
}

fn unless_hung_up(fault: io::Error) -> io::Result<()> {
    if is_hang_up(&fault) { Ok(()) } else { Err(fault) }
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
