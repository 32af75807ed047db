//! The program on the command line, with a folder of its own and no input.
#![allow(missing_docs)]

use std::process::{Command, Output, Stdio};

pub fn run(args: &[&str]) -> Output {
    let data = tempfile::tempdir().expect("a folder");
    Command::new(env!("CARGO_BIN_EXE_infralens"))
        .arg("--data-dir")
        .arg(data.path())
        .args(args)
        .stdin(Stdio::null())
        .output()
        .expect("the program runs")
}
