//! Processes that lost their parent while something ran: while at least one run goes on, the system gives them to us
//! instead of to the first process, and they are ended with the last run.
//!
//! Whose they are is known by exclusion. A program of ours that was started in another way, an editor, is in our own
//! process group; what a run started is a child of a run, or was given to us. So nothing of these is ended as long as
//! another run goes on, to which it may belong.

use std::collections::BTreeSet;
use std::io;
use std::process::Child;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::process::{
    Pid, Signal, WaitOptions, getpgrp, getpid, kill_process, set_child_subreaper, waitpid,
};

/// The runs that go on, by the number of their first process.
static RUNS: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

/// How often it is looked again for what was started while the rest was being ended.
const ROUNDS: usize = 20;

fn runs() -> MutexGuard<'static, BTreeSet<u32>> {
    RUNS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts a run.
///
/// # Errors
/// Where the program cannot be started.
pub fn begun(spawn: impl FnOnce() -> io::Result<Child>) -> io::Result<Child> {
    // held while it starts: nobody ends a child that is not known yet
    let mut runs = runs();
    // where the system cannot do it, marks are all there is
    let _ = set_child_subreaper(Some(getpid()));
    let child = spawn();
    match &child {
        Ok(child) => drop(runs.insert(child.id())),
        Err(_) if runs.is_empty() => drop(set_child_subreaper(None)),
        Err(_) => {}
    }
    child
}

/// Notes the end of a run, and with the last one ends all that was given to us meanwhile.
pub fn ended(run: u32) {
    let mut runs = runs();
    runs.remove(&run);
    if !runs.is_empty() {
        return;
    }
    for _ in 0..ROUNDS {
        let lost = lost();
        if lost.is_empty() {
            break;
        }
        for process in lost {
            let _ = kill_process(process.pid, Signal::KILL);
            if process.is_ours {
                let _ = waitpid(Some(process.pid), WaitOptions::NOHANG);
            }
        }
        crate::time::pause(super::LOOK / 10);
    }
    let _ = set_child_subreaper(None);
}

/// A process that is to be ended.
struct Lost {
    pid: Pid,
    /// Whether it is a child of ours, which has to be waited for.
    is_ours: bool,
}

/// A line of the table of processes.
struct Process {
    pid: i32,
    parent: i32,
    group: i32,
}

/// Our children in other process groups, and all that descends from them.
fn lost() -> Vec<Lost> {
    let all: Vec<Process> = numbers().filter_map(read).collect();
    let (us, group) = (getpid().as_raw_nonzero().get(), getpgrp().as_raw_nonzero().get());
    let mut found: Vec<i32> =
        all.iter().filter(|p| p.parent == us && p.group != group).map(|p| p.pid).collect();
    let own = found.len();
    let mut at = 0;
    while let Some(&parent) = found.get(at) {
        let children = all.iter().filter(|p| p.parent == parent).map(|p| p.pid);
        let new: Vec<i32> = children.filter(|pid| !found.contains(pid)).collect();
        found.extend(new);
        at += 1;
    }
    let lost = |(at, pid): (usize, i32)| Some(Lost { pid: Pid::from_raw(pid)?, is_ours: at < own });
    found.into_iter().enumerate().filter_map(lost).collect()
}

fn numbers() -> impl Iterator<Item = i32> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

fn read(pid: i32) -> Option<Process> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // the name in brackets may hold anything
    let mut fields = stat.rsplit_once(") ")?.1.split(' ').skip(1);
    let mut number = || fields.next()?.parse().ok();
    Some(Process { pid, parent: number()?, group: number()? })
}
