//! Runs a starter with python3: a copy of it, in an empty folder, with a time limit.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crate::judge::Case;
use crate::measure::{launch, python};
use crate::pack::{Lab, Pack};
use crate::process::{self, Cancel, How, Job};
use crate::services::class::{Reading, Room};
use crate::services::job::{Done, Order, Ran, Unmarked};
use crate::services::surroundings;
use crate::study::answer::{self, Finished};
use crate::time::{self, Deadline};

/// How long a starter may run.
pub const LIMIT: Duration = Duration::from_secs(10);

/// How much of its output is kept, in bytes.
const MOST_OUTPUT: usize = 256 * 1024;

/// What runs starters.
const PYTHON: &str = "python3";

/// How long the end of the program waits for the ends of its starters, and how often it looks.
const MOMENT: Duration = Duration::from_secs(1);
const LOOK: Duration = Duration::from_millis(5);

/// How often the reading of a class says how far it is.
const STEPS: usize = 20;

/// A starter, apart from its pack.
#[derive(Debug, Clone)]
pub struct Starter {
    /// The lab's id.
    pub lab: String,
    /// The file's own name.
    pub file: String,
    /// Its text.
    pub text: String,
    /// Whether python3 runs it.
    pub python: bool,
    /// The stored output.
    pub expected: Option<String>,
}

/// Which Python and PyTorch there are.
pub fn surroundings() -> Done {
    Done::Surroundings(vec![surroundings::python(), surroundings::torch()])
}

/// The starters of a pack.
pub fn starters(pack: &Pack) -> Vec<Starter> {
    pack.lessons.iter().flat_map(|l| &l.labs).map(starter).collect()
}

fn starter(lab: &Lab) -> Starter {
    let path = Path::new(&lab.starter.path);
    let file = path.file_name().and_then(|n| n.to_str()).unwrap_or("starter.txt");
    Starter {
        lab: lab.id.clone(),
        file: file.to_owned(),
        text: lab.starter.text.clone(),
        python: lab.starter.language == "python",
        expected: lab.starter.expected.clone(),
    }
}

/// The starter of a lab of a pack.
pub fn starter_of(pack: &Pack, lab: &str) -> Option<Starter> {
    pack.lab(lab).map(|(_, lab)| starter(lab))
}

impl Starter {
    /// The stored output instead of a run, with the reason.
    pub fn stored(self, pack: usize, note: &str) -> Ran {
        Ran { pack, lab: self.lab, output: self.expected.unwrap_or_default(), note: Some(note.into()) }
    }
}

/// The starters that run. Clones speak of the same ones.
#[derive(Debug, Clone, Default)]
pub struct Running {
    cancel: Cancel,
    /// Of what a key ends by itself: judges, and labs on real processes.
    own: Arc<Mutex<Vec<Cancel>>>,
    count: Arc<AtomicUsize>,
}

impl Running {
    /// Starts a run in a thread, and says how it ended.
    pub fn start<E: From<Done> + Send + 'static>(&self, pack: usize, starter: Starter, to: Sender<E>) {
        let running = self.clone();
        running.count.fetch_add(1, Ordering::SeqCst);
        thread::spawn(move || {
            let ran = run(pack, starter, &running.cancel);
            running.count.fetch_sub(1, Ordering::SeqCst);
            // Nobody is left to hear it once the program has ended.
            let _ = to.send(Done::Ran(ran).into());
        });
    }

    /// Runs a starter and its changed copy in a thread, and says how both ended.
    pub fn start_copy<E: From<Done> + Send + 'static>(
        &self,
        pack: usize,
        pair: (Starter, String),
        to: Sender<E>,
    ) {
        let running = self.clone();
        running.count.fetch_add(1, Ordering::SeqCst);
        thread::spawn(move || {
            let ran = run_copy(pack, pair, &running.cancel);
            running.count.fetch_sub(1, Ordering::SeqCst);
            // Nobody is left to hear it once the program has ended.
            let _ = to.send(ran.into());
        });
    }

    /// Finds out in a thread which Python and PyTorch there are.
    pub fn surroundings<E: From<Done> + Send + 'static>(&self, to: Sender<E>) {
        // Nobody is left to hear it once the program has ended.
        thread::spawn(move || drop(to.send(surroundings().into())));
    }

    /// Marks an answer in a thread, and says what came of it.
    pub fn mark<E: From<Done> + Send + 'static>(&self, pack: Pack, unmarked: Unmarked, to: Sender<E>) {
        self.beside(Cancel::default(), move || marked(&pack, unmarked), to);
    }

    /// Puts an answer before a judge in a thread, and says how it ended.
    pub fn ask<E: From<Done> + Send + 'static>(&self, case: Case, to: Sender<E>) {
        self.beside(case.cancel.clone(), move || case.heard(), to);
    }

    /// Runs a lab on real processes in a thread, and says how it ended.
    pub fn measure<E: From<Done> + Send + 'static>(&self, order: Order, to: Sender<E>) {
        self.beside(order.cancel.clone(), move || measured(order), to);
    }

    /// Looks in a thread for what runs labs on real processes.
    pub fn look<E: From<Done> + Send + 'static>(&self, setting: Option<String>, to: Sender<E>) {
        self.beside(Cancel::default(), move || found(setting), to);
    }

    fn beside<E: From<Done> + Send + 'static>(
        &self,
        cancel: Cancel,
        work: impl FnOnce() -> Done + Send + 'static,
        to: Sender<E>,
    ) {
        let running = self.clone();
        running.count.fetch_add(1, Ordering::SeqCst);
        running.own.lock().unwrap_or_else(PoisonError::into_inner).push(cancel.clone());
        thread::spawn(move || {
            let done = work();
            running.own.lock().unwrap_or_else(PoisonError::into_inner).retain(|c| *c != cancel);
            running.count.fetch_sub(1, Ordering::SeqCst);
            // Nobody is left to hear it once the program has ended.
            let _ = to.send(done.into());
        });
    }

    /// Reads a class in a thread, says how far it is, and what came of it.
    pub fn read_class<E: From<Done> + Send + 'static>(
        &self,
        folder: PathBuf,
        packs: Vec<Pack>,
        to: Sender<E>,
    ) {
        let running = self.clone();
        running.count.fetch_add(1, Ordering::SeqCst);
        thread::spawn(move || {
            let to = Mutex::new(to);
            let tell = |reading| {
                let to = to.lock().unwrap_or_else(PoisonError::into_inner);
                // Nobody is left to hear it once the program has ended.
                let _ = to.send(Done::Class(folder.clone(), reading).into());
            };
            let far = |read: usize, of: usize| {
                if read.is_multiple_of((of / STEPS).max(1)) {
                    tell(Reading::Far(read, of));
                }
            };
            let read = Room::read(&folder, &packs, far);
            running.count.fetch_sub(1, Ordering::SeqCst);
            tell(read.map_or_else(Reading::Failed, |room| Reading::Read(Arc::new(room))));
        });
    }

    /// Ends all of them with their children, and waits until their folders are gone, for a moment at most.
    pub fn end(&self) {
        self.cancel.cancel();
        self.own.lock().unwrap_or_else(PoisonError::into_inner).iter().for_each(Cancel::cancel);
        let deadline = Deadline::after(MOMENT);
        while self.count.load(Ordering::SeqCst) > 0 && !deadline.is_over() {
            time::pause(LOOK);
        }
    }
}

/// Marks an answer, and waits for it.
pub fn marked(pack: &Pack, unmarked: Unmarked) -> Done {
    let Some(drill) = pack.drill(&unmarked.drill) else {
        return Done::Failed(format!(
            "the drill “{}” is gone; your answer is kept as a draft",
            unmarked.drill
        ));
    };
    let finished = Finished {
        id: unmarked.id,
        part: unmarked.part.as_deref(),
        again: unmarked.again,
        text: &unmarked.text,
        seconds: unmarked.seconds,
        rating: None,
    };
    Done::Marked(Box::new(answer::scored(pack, drill, finished, unmarked.at)))
}

/// Runs a lab on real processes, and waits for it.
pub fn measured(order: Order) -> Done {
    let run = launch::run(&order.program, &order.setup, &order.cancel, &order.said).map(Box::new);
    Done::Measured { pack: order.pack, lab: order.program.lab, run }
}

/// Looks for what runs labs on real processes, and waits for it.
pub fn found(setting: Option<String>) -> Done {
    let (torchrun, python) = python::named(setting);
    Done::Found(python::find(torchrun, python))
}

/// Runs a starter and waits for it, at most [`LIMIT`], or until it is cancelled.
pub fn run(pack: usize, starter: Starter, cancel: &Cancel) -> Ran {
    if !starter.python {
        return starter.stored(pack, "only Python starters run here; this is the stored output");
    }
    match execute(&starter, cancel) {
        Ok((output, note)) => Ran { pack, lab: starter.lab, output, note },
        Err(note) => starter.stored(pack, &note),
    }
}

/// Runs a starter and the copy of it with this text, and waits for both.
pub fn run_copy(pack: usize, (starter, text): (Starter, String), cancel: &Cancel) -> Done {
    // the copy has no stored output: what it prints nobody knows before it runs
    let copy = Starter { text, expected: None, ..starter.clone() };
    let copy = match copy.python {
        true => match execute(&copy, cancel) {
            Ok((output, note)) => Ran { pack, lab: copy.lab, output, note },
            Err(note) => {
                let note = note.replace("; this is the stored output", "; doctor says what it looks for");
                Ran { pack, lab: copy.lab, output: String::new(), note: Some(note) }
            }
        },
        false => copy.stored(pack, "only Python starters run here; run your copy by hand"),
    };
    Done::RanCopy { starter: run(pack, starter, cancel), copy }
}

/// What a starter printed, and a note where it did not end well.
fn execute(starter: &Starter, cancel: &Cancel) -> Result<(String, Option<String>), String> {
    let no_folder = |e: std::io::Error| format!("no folder to run in: {e}; this is the stored output");
    let folder = tempfile::Builder::new().prefix("infralens-").tempdir().map_err(no_folder)?;
    let path = folder.path().join(&starter.file);
    std::fs::write(&path, &starter.text).map_err(no_folder)?;
    let job = Job {
        program: PYTHON.into(),
        args: vec!["-I".into(), "-B".into(), path.into()],
        folder: Some(folder.path().to_owned()),
        env: BTreeMap::new(),
        is_bare: true,
        input: Vec::new(),
        limit: LIMIT,
        most_output: MOST_OUTPUT,
    };
    let ended = process::run(&job, cancel)
        .map_err(|e| format!("{PYTHON} did not start ({e}); this is the stored output"))?;
    let note = match ended.how {
        How::Exit(Some(0)) => None,
        How::Exit(Some(status)) => Some(format!("{PYTHON} ended with exit status {status}")),
        How::Exit(None) => Some(format!("{PYTHON} was ended by a signal")),
        How::TimedOut => Some(format!("stopped after {} seconds", LIMIT.as_secs())),
        How::Cancelled => Some("stopped, because the program ended".into()),
    };
    Ok((ended.out + &ended.err, note))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    fn starter(text: &str) -> Starter {
        Starter {
            lab: "lab".into(),
            file: "lab.py".into(),
            text: text.into(),
            python: true,
            expected: Some("stored".into()),
        }
    }

    #[test]
    fn what_runs_ends_with_the_program() {
        let (to, from) = channel();
        let running = Running::default();
        running.start::<Done>(0, starter("import time\ntime.sleep(600)"), to);
        running.end();
        let Ok(Done::Ran(ran)) = from.recv() else { panic!("it says how it ended") };
        let note = ran.note.expect("a note");
        assert!(note.contains("the program ended") || note.contains("did not start"), "{note}");
    }

    #[test]
    fn a_changed_copy_runs_beside_its_starter() {
        let pair = (starter("print('stored')"), "print('mine')".to_owned());
        let Done::RanCopy { starter, copy } = run_copy(0, pair, &Cancel::default()) else { panic!("both") };
        assert_eq!(starter.output.trim(), "stored");
        match copy.note {
            None => assert_eq!(copy.output, "mine\n"),
            // without python3 nothing stands in for what the copy would print
            Some(note) => assert!(copy.output.is_empty() && !note.contains("stored"), "{note}"),
        }
    }

    #[test]
    fn output_and_faults_are_both_kept_and_a_bad_end_is_said() {
        let text = "import sys\nprint('out')\nprint('err', file=sys.stderr)\nsys.exit(3)";
        let ran = run(0, starter(text), &Cancel::default());
        let note = ran.note.expect("a note");
        let has_python = !note.contains("did not start");
        assert_eq!(ran.output, if has_python { "out\nerr\n" } else { "stored" });
        assert!(!has_python || note.ends_with("exit status 3"), "{note}");
    }
}
