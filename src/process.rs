//! Runs another program with bounds: a time limit, a limit of output, a way to cancel. Nothing of it
//! outlives the run.
//!
//! The program is started in a session of its own, without our terminal, and its process group is ended with it; should
//! we be killed meanwhile, a shell that watches us ends it. On Linux a child that leaves the group (`setsid`) is found as well: by a mark in its environment, and, where it dropped that too, because
//! what loses its parent while something runs comes to us, see `adopted`.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crate::time::Deadline;

#[cfg(target_os = "linux")]
mod adopted;

/// The environment variable by which the processes of a run are known.
const MARK: &str = "INFRALENS_RUN";

/// How long to wait between two looks at a program that runs.
const LOOK: Duration = Duration::from_millis(10);

/// How long to wait for the rest of the output after the end.
const REST: Duration = Duration::from_millis(500);

/// What to run, and how far it may go. No shell is between.
#[derive(Debug, Clone)]
pub struct Job {
    /// The program.
    pub program: OsString,
    /// Its arguments, as they are.
    pub args: Vec<OsString>,
    /// The folder it runs in; left out, this one.
    pub folder: Option<PathBuf>,
    /// Environment variables to add.
    pub env: BTreeMap<String, String>,
    /// Whether it gets only what a program needs of the environment, no keys and no settings of others.
    pub is_bare: bool,
    /// What it reads on standard input.
    pub input: Vec<u8>,
    /// How long it may run.
    pub limit: Duration,
    /// How many bytes are kept of each of its outputs.
    pub most_output: usize,
}

/// Set to end a run early.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl PartialEq for Cancel {
    /// Whether they end the same run.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Cancel {}

impl Cancel {
    /// Ends the run that holds this, soon.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Ends it when this program is told to end: by ctrl+c, by a hang-up, by the system.
    ///
    /// # Errors
    /// Where the system takes no handler.
    #[cfg(unix)]
    pub fn on_signals(&self) -> io::Result<()> {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            signal_hook::flag::register(signal, self.0.clone())?;
        }
        Ok(())
    }

    /// Whether it was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The last line that a program wrote on standard error, while it runs.
#[derive(Debug, Clone, Default)]
pub struct Said(Arc<Mutex<String>>);

impl PartialEq for Said {
    /// Whether they speak of the same run.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Said {}

impl Said {
    /// The line; empty as long as there is none.
    pub fn line(&self) -> String {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Takes the last whole line of what was read.
    fn take(&self, read: &[u8]) {
        const MOST: usize = 400;
        let whole = read.iter().rposition(|b| *b == b'\n').unwrap_or(0);
        let text = String::from_utf8_lossy(&read[whole.saturating_sub(MOST)..whole]);
        if let Some(line) = text.lines().rev().map(str::trim).find(|line| !line.is_empty()) {
            line.clone_into(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
        }
    }
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// By itself, with this status; none where a signal ended it.
    Exit(Option<i32>),
    /// It was ended at its time limit.
    TimedOut,
    /// It was ended because it was cancelled.
    Cancelled,
}

/// What a run gave.
#[derive(Debug, Clone)]
pub struct Ended {
    /// What it wrote on standard output, as far as it is kept.
    pub out: String,
    /// What it wrote on standard error, as far as it is kept.
    pub err: String,
    /// How it ended.
    pub how: How,
}

/// Runs a program to its end, its limit, or until it is cancelled.
///
/// # Errors
/// Where the program cannot be started.
pub fn run(job: &Job, cancel: &Cancel) -> io::Result<Ended> {
    run_watched(job, cancel, &Said::default())
}

/// The same; `said` has the last line that it wrote on standard error meanwhile.
///
/// # Errors
/// Where the program cannot be started.
pub fn run_watched(job: &Job, cancel: &Cancel, said: &Said) -> io::Result<Ended> {
    let mark = fresh_mark();
    let mut child = start(job, &mark)?;
    feed(&mut child, job.input.clone());
    let out = collect(child.stdout.take(), job.most_output, None);
    let err = collect(child.stderr.take(), job.most_output, Some(said.clone()));
    let deadline = Deadline::after(job.limit);
    #[cfg(unix)]
    let watch = watch(child.id());
    let how = wait(&mut child, &deadline, cancel);
    end_all(child, &mark);
    #[cfg(unix)]
    dismiss(watch);
    let rest = Deadline::after(REST);
    Ok(Ended { out: out.text(&rest), err: err.text(&rest), how: how? })
}

/// A mark that no other run has: the number of this process and of the run in it.
fn fresh_mark() -> String {
    static RUNS: AtomicU64 = AtomicU64::new(0);
    format!("{}-{}", std::process::id(), RUNS.fetch_add(1, Ordering::Relaxed))
}

fn start(job: &Job, mark: &str) -> io::Result<Child> {
    // what runs must not read our environment out of the table of processes; as root it still can
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable);
    let mut command = Command::new(&job.program);
    if job.is_bare {
        command.env_clear().envs(std::env::vars_os().filter(|(name, _)| is_needed(name)));
    }
    command.args(&job.args).envs(&job.env).env(MARK, mark);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    if let Some(folder) = &job.folder {
        command.current_dir(folder);
    }
    #[cfg(unix)]
    {
        use process_wrap::std::{CommandWrap, CommandWrapper as _, ProcessSession};
        ProcessSession.pre_spawn(&mut command, &CommandWrap::with_new(&job.program, |_| {}))?;
    }
    #[cfg(target_os = "linux")]
    return adopted::begun(|| command.spawn());
    #[cfg(not(target_os = "linux"))]
    command.spawn()
}

/// Whether a program that knows nothing of us needs a variable: where programs and folders are, and the language.
fn is_needed(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    ["PATH", "HOME", "LANG", "TMPDIR"].contains(&&*name) || name.starts_with("LC_")
}

/// Writes the input in a thread: a program that does not read must not hold us.
fn feed(child: &mut Child, input: Vec<u8>) {
    if let Some(mut to) = child.stdin.take() {
        // a program need not read all of it
        thread::spawn(move || drop(to.write_all(&input)));
    }
}

fn wait(child: &mut Child, deadline: &Deadline, cancel: &Cancel) -> io::Result<How> {
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(How::Exit(status.code()));
        }
        if cancel.is_cancelled() {
            return Ok(How::Cancelled);
        }
        if deadline.is_over() {
            return Ok(How::TimedOut);
        }
        crate::time::pause(LOOK);
    }
}

/// A shell that ends a process group as soon as we are gone, however we went: it reads what only we could write.
#[cfg(unix)]
fn watch(group: u32) -> Option<Child> {
    const SCRIPT: &str = "trap '' INT TERM HUP QUIT; read line || kill -9 -\"$0\"";
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", SCRIPT, &group.to_string()]).env_clear();
    // where there is no shell, a run ends at our hand alone
    shell.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().ok()
}

/// Tells the shell that the run has ended.
#[cfg(unix)]
fn dismiss(watch: Option<Child>) {
    if let Some(mut shell) = watch {
        let told = shell.stdin.take().is_some_and(|mut to| to.write_all(b"\n").is_ok());
        if !told {
            let _ = shell.kill();
        }
        let _: io::Result<ExitStatus> = shell.wait();
    }
}

/// Ends the program, its process group, and whatever left the group.
fn end_all(mut child: Child, mark: &str) {
    #[cfg(unix)]
    {
        use rustix::process::{Pid, Signal, kill_process_group};
        if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
    let _ = child.kill();
    let _: io::Result<ExitStatus> = child.wait();
    #[cfg(target_os = "linux")]
    {
        end_marked(mark);
        adopted::ended(child.id());
    }
    #[cfg(not(target_os = "linux"))]
    let _ = mark;
}

/// Ends the processes that carry the mark, and those that they start meanwhile.
#[cfg(target_os = "linux")]
fn end_marked(mark: &str) {
    use rustix::process::{Pid, Signal, kill_process};
    const ROUNDS: usize = 5;
    let wanted = format!("{MARK}={mark}");
    for _ in 0..ROUNDS {
        let Ok(entries) = std::fs::read_dir("/proc") else { return };
        let mut found = false;
        for entry in entries.flatten() {
            let Some(pid) = entry.file_name().to_str().and_then(|n| n.parse().ok()).and_then(Pid::from_raw)
            else {
                continue;
            };
            let environment = std::fs::read(entry.path().join("environ")).unwrap_or_default();
            if environment.split(|b| *b == 0).any(|row| row == wanted.as_bytes()) {
                found = true;
                let _ = kill_process(pid, Signal::KILL);
            }
        }
        if !found {
            return;
        }
    }
}

/// An output that is being read.
struct Reading {
    kept: Arc<Mutex<Vec<u8>>>,
    ended: Arc<AtomicBool>,
}

impl Reading {
    /// What was read, once the output has ended or nobody waits any longer.
    fn text(&self, deadline: &Deadline) -> String {
        while !self.ended.load(Ordering::Acquire) && !deadline.is_over() {
            crate::time::pause(LOOK);
        }
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&kept).into_owned()
    }
}

/// Reads an output to its end in a thread and keeps its beginning.
fn collect(from: Option<impl Read + Send + 'static>, most: usize, said: Option<Said>) -> Reading {
    let kept = Arc::new(Mutex::new(Vec::new()));
    let ended = Arc::new(AtomicBool::new(false));
    let reading = Reading { kept: kept.clone(), ended: ended.clone() };
    thread::spawn(move || {
        let mut buffer = [0; 8192];
        if let Some(mut from) = from {
            while let Ok(read @ 1..) = from.read(&mut buffer) {
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                let room = most.saturating_sub(kept.len()).min(read);
                kept.extend_from_slice(&buffer[..room]);
                said.iter().for_each(|said| said.take(&kept));
            }
        }
        ended.store(true, Ordering::Release);
    });
    reading
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn sh(script: &str, limit: Duration) -> Job {
        Job {
            program: "sh".into(),
            args: vec!["-c".into(), script.into()],
            folder: None,
            env: BTreeMap::new(),
            is_bare: false,
            input: Vec::new(),
            limit,
            most_output: 1 << 16,
        }
    }

    const LONG: Duration = Duration::from_secs(60);
    const SHORT: Duration = Duration::from_millis(300);

    #[test]
    fn it_reads_what_it_is_given_and_its_outputs_stay_apart() {
        let mut job = sh("cat; echo fault >&2; exit 3", LONG);
        job.input = b"hello".to_vec();
        let ended = run(&job, &Cancel::default()).expect("sh starts");
        assert_eq!((&ended.out[..], &ended.err[..], ended.how), ("hello", "fault\n", How::Exit(Some(3))));
    }

    #[test]
    fn the_last_whole_line_of_progress_is_there_while_it_runs() {
        let (said, cancel) = (Said::default(), Cancel::default());
        let watched = said.clone();
        let job = sh("echo one >&2; echo two >&2; printf half >&2; sleep 600", LONG);
        let ending = cancel.clone();
        let run = thread::spawn(move || run_watched(&job, &cancel, &watched));
        while said.line() != "two" {
            thread::yield_now();
        }
        ending.cancel();
        assert_eq!(run.join().expect("no panic").expect("sh starts").how, How::Cancelled);
    }

    #[test]
    fn a_limit_holds_for_a_program_that_closes_its_outputs() {
        let ended = run(&sh("exec >&- 2>&-; sleep 600", SHORT), &Cancel::default()).expect("sh starts");
        assert_eq!(ended.how, How::TimedOut);
    }

    #[test]
    fn more_output_than_is_kept_does_not_hold_it() {
        let mut job = sh("yes | head -c 1000000; echo end >&2", LONG);
        job.most_output = 1000;
        let ended = run(&job, &Cancel::default()).expect("sh starts");
        assert_eq!((ended.out.len(), &ended.err[..], ended.how), (1000, "end\n", How::Exit(Some(0))));
    }

    #[test]
    fn a_cancelled_run_ends() {
        let cancel = Cancel::default();
        cancel.cancel();
        let ended = run(&sh("sleep 600", LONG), &cancel).expect("sh starts");
        assert_eq!(ended.how, How::Cancelled);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn it_has_a_session_of_its_own_and_so_not_our_terminal() {
        let ended = run(&sh("cut -d' ' -f1,6 /proc/$$/stat", LONG), &Cancel::default()).expect("sh starts");
        let (own, session) = ended.out.trim().split_once(' ').expect("two numbers");
        assert_eq!(own, session);
    }

    #[test]
    fn it_ends_when_we_are_killed() {
        let mut child = start(&sh("sleep 600", LONG), &fresh_mark()).expect("sh starts");
        let mut shell = watch(child.id()).expect("a shell");
        // as when nobody is left to write
        drop(shell.stdin.take());
        assert_eq!(child.wait().expect("it ends").code(), None, "a signal ended it");
        assert!(shell.wait().is_ok());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_child_in_a_session_of_its_own_is_ended_too() {
        let script = "setsid sleep 600 & echo $!; wait";
        let ended = run(&sh(script, SHORT), &Cancel::default()).expect("sh starts");
        let pid: u32 = ended.out.trim().parse().expect("the number of the child");
        let state = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let is_gone = state.is_empty() || state.contains(") Z ");
        assert!(is_gone, "{state}");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_child_that_drops_its_group_and_its_environment_is_ended_too() {
        let script = "setsid env -i sh -c 'sleep 600 & echo $!; wait' & wait";
        let ended = run(&sh(script, SHORT), &Cancel::default()).expect("sh starts");
        let pid: u32 = ended.out.trim().parse().expect("the number of the child");
        let stat = format!("/proc/{pid}/stat");
        let lives = || std::fs::read_to_string(&stat).is_ok_and(|state| !state.contains(") Z "));
        // runs of other tests are let end first
        let limit = Deadline::after(LONG);
        while lives() && !limit.is_over() {
            thread::yield_now();
        }
        assert!(!lives(), "it outlived its run");
    }

    #[test]
    fn a_bare_program_gets_no_keys() {
        let mut job = sh("env", LONG);
        job.is_bare = true;
        job.env.insert("EXTRA".into(), "1".into());
        let ended = run(&job, &Cancel::default()).expect("sh starts");
        let names: Vec<&str> = ended.out.lines().filter_map(|line| Some(line.split_once('=')?.0)).collect();
        assert!(names.contains(&"PATH") && names.contains(&"EXTRA"), "{names:?}");
        // what the shell sets by itself
        let own = ["PWD", "OLDPWD", "SHLVL", "_", MARK, "EXTRA"];
        let more: Vec<_> = names.iter().filter(|n| !own.contains(n) && !is_needed(OsStr::new(n))).collect();
        assert!(more.is_empty(), "{more:?}");
        assert!(!is_needed(OsStr::new("INFRALENS_JUDGE_KEY")) && is_needed(OsStr::new("LC_ALL")));
    }

    #[test]
    fn a_program_that_is_not_there_is_an_error() {
        let mut job = sh("", LONG);
        job.program = "no-such-program-here".into();
        assert!(run(&job, &Cancel::default()).is_err());
    }
}
