//! The line-mode face of the built program: a script at its input.
#![allow(clippy::unwrap_used)]

use crate::kit::plain::*;

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

fn start(data: &Path, args: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_infralens"))
        .arg("--plain")
        .arg("--data-dir")
        .arg(data)
        .args(args)
        .env("COLUMNS", "78")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn script(data: &Path, args: &[&str], input: &str) -> Output {
    let mut child = start(data, args);
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn out(o: &Output) -> String {
    let text = String::from_utf8(o.stdout.clone()).unwrap();
    assert_plain(&text);
    text
}

#[test]
fn a_script_reads_a_lesson_and_answers_a_drill() {
    let data = tempfile::tempdir().unwrap();
    let read = script(data.path(), &["learn", "ddp"], "\n\nq\nq\n");
    assert_eq!(read.status.code(), Some(0));
    has(&out(&read), "Goodbye. Everything is kept.");
    let answer = "Each rank sees other data, so the gradients differ and the replicas would drift apart.\r\n.\r\ns\r\nq\r\nq\r\n";
    let drill = script(data.path(), &["drill", "ddp-gradients-not-parameters"], answer);
    assert_eq!(drill.status.code(), Some(0));
    has(&out(&drill), "Problem: covered, not sure.");
    let history = Command::new(env!("CARGO_BIN_EXE_infralens"))
        .args(["history", "--data-dir"])
        .arg(data.path())
        .output()
        .unwrap();
    has(&out(&history), "Why does DDP all-reduce gradients instead of parameters?");
}

#[test]
fn learn_without_a_lesson_begins_with_the_first_and_then_goes_on() {
    let data = tempfile::tempdir().unwrap();
    has(&out(&script(data.path(), &["learn"], "q\n")), "Why and how to train on many GPUs");
    script(data.path(), &["learn", "zero-fsdp"], "\n\nq\nq\n");
    let again = out(&script(data.path(), &["learn"], "q\n"));
    assert!(again.starts_with("Page: Sharding the state"), "{again}");
}

#[test]
fn a_script_runs_a_strict_rehearsal_to_its_report() {
    let data = tempfile::tempdir().unwrap();
    let args = ["rehearse", "--prompts", "1", "--seed", "7", "--lesson", "ddp"];
    let input = "a note\n.\nEach rank sees other data, so gradients differ.\n.\nthe follow-up\n.\n";
    let run = script(data.path(), &args, input);
    assert_eq!(run.status.code(), Some(0), "{}", String::from_utf8_lossy(&run.stderr));
    let said = out(&run);
    for wanted in [
        "Think: 30 seconds.",
        "Answer now: 2 minutes.",
        "Follow-up on",
        "The rehearsal is over.",
        "limited by",
        "1 of 1 prompt answered.",
        "End of input.",
    ] {
        has(&said, wanted);
    }
}

#[test]
fn the_end_of_a_scripts_input_in_the_middle_of_an_answer_keeps_it() {
    let data = tempfile::tempdir().unwrap();
    let half = script(data.path(), &["drill", "zero1-to-zero3"], "half an answer");
    assert_eq!(half.status.code(), Some(0));
    has(&out(&half), "Your draft is kept. End of input.");
    let again = script(data.path(), &["drill", "zero1-to-zero3"], ":q\nq\n");
    has(&out(&again), "It goes on from here: half an answer");
    let rehearse = script(data.path(), &["rehearse", "--seed", "3"], ".\nhalf\n");
    has(&out(&rehearse), "The rehearsal is kept;");
    has(&out(&script(data.path(), &["rehearse"], "\n")), "The rehearsal goes on");
}

#[test]
fn a_closed_output_is_no_error() {
    let data = tempfile::tempdir().unwrap();
    let mut child = start(data.path(), &["learn", "ddp"]);
    drop(child.stdout.take());
    let mut input = child.stdin.take().unwrap();
    // the program may have ended already
    let _ = input.write_all(b"all\n");
    let mut errors = String::new();
    child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
    assert_eq!((child.wait().unwrap().code(), &errors[..]), (Some(0), ""));
}

#[test]
fn an_unknown_place_ends_with_two() {
    let data = tempfile::tempdir().unwrap();
    for args in [&["learn", "dpd"][..], &["drill", "nope"], &["rehearse", "--lesson", "nope"]] {
        let output = script(data.path(), args, "");
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        has(&String::from_utf8_lossy(&output.stderr), "infralens list");
    }
    let none = script(data.path(), &["rehearse", "--answer", "0"], "");
    assert_eq!(none.status.code(), Some(2));
}
