//! Starts a lab's ranks, waits for their figures, and says in a sentence what went wrong.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::net::TcpListener;
use std::time::Duration;

use super::Program;
use super::figures::{self, Run};
use super::python::Starter;
use crate::process::{self, Cancel, Ended, How, Job, Said};

/// How much of each output is kept, in bytes.
const MOST_OUTPUT: usize = 4 << 20;
/// How often a port that was taken meanwhile is changed for another.
const TRIES: usize = 3;
/// How much sooner the ranks end themselves than they are ended: so they can say where they hung.
const SOONER: Duration = Duration::from_secs(5);

/// How a lab is to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setup {
    /// What starts it.
    pub starter: Starter,
    /// How many ranks.
    pub ranks: u32,
    /// How long it may take.
    pub limit: Duration,
    /// The port at which the ranks meet; none takes one that is free.
    pub port: Option<u16>,
    /// Knobs of the program, `name=value`.
    pub set: Vec<String>,
}

/// Runs a program and reads its figures; `said` has its last line of progress meanwhile.
///
/// # Errors
/// A sentence that names the thing, the fault and the cure.
pub fn run(program: &Program, setup: &Setup, cancel: &Cancel, said: &Said) -> Result<Run, String> {
    let no_folder = |e: std::io::Error| format!("no folder to run in: {e}");
    let folder = tempfile::Builder::new().prefix("infralens-").tempdir().map_err(no_folder)?;
    for (name, text) in std::iter::once(&program.file).chain(&program.imports) {
        std::fs::write(folder.path().join(name), text).map_err(no_folder)?;
    }
    let mut tries = if setup.port.is_some() { 1 } else { TRIES };
    loop {
        let port = setup.port.map_or_else(free_port, Ok).map_err(|e| format!("no port is free: {e}"))?;
        let (command, args) = command(program, setup, port);
        let job = Job {
            program: command.clone(),
            args,
            folder: Some(folder.path().to_owned()),
            is_bare: false,
            env: environment(setup.limit),
            input: Vec::new(),
            limit: setup.limit,
            most_output: MOST_OUTPUT,
        };
        let ended = process::run_watched(&job, cancel, said)
            .map_err(|e| format!("`{}` does not start: {e}", command.to_string_lossy()))?;
        tries -= 1;
        if tries > 0 && ended.how != How::Exit(Some(0)) && is_port_taken(&ended.err) {
            continue;
        }
        return judged(program, &ended, setup.limit, port);
    }
}

/// What one would type to do the same.
pub fn typed(program: &Program, ranks: u32, set: &[String]) -> String {
    let mut line = format!("torchrun --standalone --nproc-per-node {ranks} {}", program.file.0);
    for pair in set {
        line.push(' ');
        line.push_str(pair);
    }
    line
}

fn command(program: &Program, setup: &Setup, port: u16) -> (OsString, Vec<OsString>) {
    let (command, mut args): (OsString, Vec<OsString>) = match &setup.starter {
        Starter::Python(python, _) => {
            (python.clone(), vec!["-u".into(), "-m".into(), "torch.distributed.run".into()])
        }
        Starter::Torchrun(torchrun) => (torchrun.clone(), Vec::new()),
    };
    args.extend(["--nproc-per-node".into(), setup.ranks.to_string().into()]);
    args.extend([
        "--master-addr".into(),
        "127.0.0.1".into(),
        "--master-port".into(),
        port.to_string().into(),
    ]);
    args.push(program.file.0.clone().into());
    args.extend(setup.set.iter().map(OsString::from));
    (command, args)
}

fn environment(limit: Duration) -> BTreeMap<String, String> {
    let own_limit = limit.saturating_sub(SOONER).as_secs().max(1);
    // a rank whose tutor is gone ends itself; 0 is nobody, for where a process cannot be asked after
    let tutor = if cfg!(unix) { std::process::id() } else { 0 };
    [
        ("OMP_NUM_THREADS", "1".to_owned()),
        ("PYTHONDONTWRITEBYTECODE", "1".to_owned()),
        ("INFRALENS_LIMIT", own_limit.to_string()),
        ("INFRALENS_PARENT", tutor.to_string()),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into()
}

fn free_port() -> std::io::Result<u16> {
    Ok(TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port())
}

fn is_port_taken(err: &str) -> bool {
    err.contains("EADDRINUSE") || err.contains("ddress already in use")
}

/// Makes a run or a sentence of how the program ended.
fn judged(program: &Program, ended: &Ended, limit: Duration, port: u16) -> Result<Run, String> {
    let lab = &program.lab;
    match ended.how {
        How::Cancelled => return Err(format!("{lab} was stopped.")),
        How::TimedOut => {
            let seconds = limit.as_secs();
            return Err(format!(
                "{lab} was not done after {seconds} seconds, so all its ranks were stopped{}. Give it longer \
                 with --limit, or fewer ranks with --ranks",
                last_said(&ended.err)
            ));
        }
        How::Exit(_) => {}
    }
    let read = figures::read(&ended.out);
    if let Ok(run) = read {
        // a check that did not hold makes a status of its own, and the run says which
        return Ok(run);
    }
    if let Some(sentence) = ended.err.lines().find_map(|l| l.strip_prefix("measure: ")) {
        return Err(format!("{lab} does not run: {sentence}"));
    }
    if ended.err.contains("No module named 'torch") || ended.err.contains("No module named torch") {
        return Err(format!(
            "{lab} does not run: this Python has no PyTorch; install torch 2.6 or newer for it"
        ));
    }
    if is_port_taken(&ended.err) {
        return Err(format!("port {port} is in use, so the ranks cannot meet; name another with --port"));
    }
    if ended.how == How::Exit(Some(0)) {
        return Err(format!("{lab} ended well, but {}", read.expect_err("a run has been returned")));
    }
    Err(format!("{lab}: {}", death(&ended.err)))
}

/// Which rank died, as far as the output tells.
fn death(err: &str) -> String {
    let field = |name: &str| {
        // the cause that torchrun saw first comes last
        let after = err.rfind("Root Cause").map_or(err, |at| &err[at..]);
        let line = after.lines().find_map(|l| l.trim().strip_prefix(name));
        line.map(|l| l.trim_start_matches([' ', ':']).to_owned())
    };
    let rank = field("rank").and_then(|r| r.split_whitespace().next().map(str::to_owned));
    let status = field("exitcode").map(|s| signal_of(&s));
    let fault = err.lines().rev().find(|l| l.starts_with("[rank") && l.contains("Error")).map(|l| {
        let text = l.split_once("]:").map_or(l, |(_, text)| text).trim();
        format!(": {text}")
    });
    let who = rank.map_or("a rank".to_owned(), |r| format!("rank {r}"));
    let status = status.unwrap_or_else(|| "without a status".into());
    format!("{who} died ({status}), so all were stopped{}", fault.unwrap_or_default())
}

/// `-9 (pid: 12) (SIGKILL)` and `1 (pid: 12)` in words.
fn signal_of(status: &str) -> String {
    let number = status.split_whitespace().next().unwrap_or("?");
    match status.rsplit_once("(SIG") {
        Some((_, signal)) => format!("by SIG{}", signal.trim_end().trim_end_matches(')')),
        None => format!("exit status {number}"),
    }
}

fn last_said(err: &str) -> String {
    said(err).map_or(String::new(), |said| format!("; the last line{said}"))
}

fn said(err: &str) -> Option<String> {
    let line =
        err.lines().rev().map(str::trim).find(|l| !l.is_empty() && !l.starts_with(['*', '=', '-', '^']))?;
    Some(format!(": {line}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TORCHRUN: &str = "[rank2]: RuntimeError: Connection closed by peer
Failures:
[1]:
  rank      : 2 (local_rank: 2)
  exitcode  : 1 (pid: 11)
------
Root Cause (first observed failure):
[0]:
  time      : 2026-03-02_10:00:00
  rank      : 1 (local_rank: 1)
  exitcode  : -9 (pid: 12) (SIGKILL)
";

    #[test]
    fn the_rank_that_died_first_is_named() {
        let told = death(TORCHRUN);
        assert!(told.starts_with("rank 1 died (by SIGKILL), so all were stopped"), "{told}");
        assert!(death("").starts_with("a rank died"));
    }

    #[test]
    fn a_status_is_said_in_words() {
        assert_eq!(signal_of("1 (pid: 12)"), "exit status 1");
        assert_eq!(signal_of("-11 (pid: 12) (SIGSEGV)"), "by SIGSEGV");
    }
}
