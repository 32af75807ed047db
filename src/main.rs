//! Parse, run, report.
#![forbid(unsafe_code)]

use std::io::{self, Write};
use std::process::ExitCode;

use infralens::{cli::Cli, cmd};

fn main() -> ExitCode {
    let print = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        // a panic over somebody's pack is caught, and is told as a problem of that pack
        if !infralens::pack::is_reading() {
            print(info);
        }
    }));
    let cli = match Cli::read() {
        Ok(cli) => cli,
        Err(status) => return status,
    };
    let mut out = io::BufWriter::new(io::stdout());
    let result = cmd::run(cli, &mut out).and_then(|outcome| {
        if outcome != cmd::Outcome::Ended {
            out.flush()?;
        }
        Ok(outcome)
    });
    cmd::report(result, &mut io::stderr())
}
