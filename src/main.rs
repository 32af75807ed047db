//! Parse, run, report.
#![forbid(unsafe_code)]

use std::io::{self, Write};
use std::process::ExitCode;

use infralens::{cli::Cli, cmd};

fn main() -> ExitCode {
    let mut out = io::BufWriter::new(io::stdout());
    let result = cmd::run(Cli::read(), &mut out).and_then(|outcome| {
        if outcome != cmd::Outcome::Ended {
            out.flush()?;
        }
        Ok(outcome)
    });
    cmd::report(result, &mut io::stderr())
}
