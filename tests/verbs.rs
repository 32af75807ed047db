//! Every verb: a pipe that closes early, arguments that are wrong, nothing that steers a terminal.

use std::io::Read;
use std::process::{Command, Stdio};

use crate::kit::cli::run;

/// What a verb says where it ends with status 2.
#[track_caller]
fn fault(args: &[&str]) -> String {
    let o = run(args);
    let said = String::from_utf8_lossy(&o.stderr).into_owned();
    assert_eq!(o.status.code(), Some(2), "{args:?}: {said}");
    assert!(o.stdout.is_empty(), "{args:?}");
    said
}

#[test]
fn what_is_wrong_is_said_with_its_cure() {
    let wrong: &[(&[&str], &str)] = &[
        (&["history", "nope"], "infralens list drills"),
        (&["history", "--limit", "0"], "from 1 to 1000000"),
        (&["rehearse", "--count", "0"], "from 1 to 50"),
        (&["rehearse", "--think", "99999"], "from 0 to 3600"),
        (&["rehearse", "--answer", "0"], "from 1 to 3600"),
        (&["score", "zero1-to-zero3", "no-such-file"], "name a text file"),
        (&["score", "--batch", "no-such-file"], "name a text file"),
        (&["calibrate", "no-such-file"], "name a JSON Lines file of judged answers"),
        (&["import", "no-such-file"], "name a file that"),
        (&["export", "no-such-folder/x"], "name a file in a folder"),
        (&["export", "--class", "nope"], "distributed-training"),
        (&["pack", "prune", "--drill", "nope"], "infralens list drills"),
        (&["measure", "--predict", "x=1"], "LAB"),
        (&["plan", "--interview", "soon"], "a date like"),
        (&["search", ""], "name one at least"),
        (&["history", "--limit", "-1"], "from 1 to 1000000"),
        (&["review", "--ahead", "-1"], "from 0 to 3650"),
        (&["score", "zero1-to-zero3", "/dev/null"], "write the answer into it"),
        (&["learn", "ddp", "--json"], "leave `--json` out"),
        (&["pack", "test", "--json"], "leave `--json` out"),
    ];
    for (args, cure) in wrong {
        let said = fault(args);
        assert!(said.contains(cure), "{args:?}: {said}");
    }
}

#[test]
fn a_pipe_gets_words_and_no_drawing() {
    for args in [&["history"][..], &["stats"], &["plan"], &["sim", "ring"], &["puzzle", "fit-13b"]] {
        let said = String::from_utf8(run(args).stdout).unwrap();
        assert!(!said.contains(['█', '─', '·', '✓']) && !said.contains("Map   Trend"), "{args:?}: {said}");
    }
    let sim = String::from_utf8(run(&["sim", "ring"]).stdout).unwrap();
    assert!(sim.contains("Heading: Settings") && !sim.contains("8* 8>"), "{sim}");
}

#[test]
fn a_list_in_a_pipe_has_a_tab_between_its_columns_and_no_blanks() {
    for args in [&["list"][..], &["list", "labs"], &["measure"]] {
        let said = String::from_utf8(run(args).stdout).unwrap();
        let columns = |line: &str| line.split('\t').count();
        assert!(said.lines().count() > 5 && !said.contains("  "), "{args:?}: {said}");
        let first = said.lines().next().map(columns).unwrap_or_default();
        assert!(first > 1 && said.lines().all(|line| columns(line) == first), "{args:?}: {said}");
    }
    assert!(!String::from_utf8(run(&["--plain", "list"]).stdout).unwrap().contains('\t'));
}

#[test]
fn a_score_names_what_is_false_first_and_why_each_part_has_its_mark() {
    let folder = tempfile::tempdir().unwrap();
    let of = |answer: &str, options: &[&str]| {
        let file = folder.path().join("answer.txt");
        std::fs::write(&file, answer).unwrap();
        let args = [options, &["score", "zero1-to-zero3", file.to_str().unwrap()]].concat();
        let out = run(&args);
        (String::from_utf8(out.stdout).unwrap(), String::from_utf8(out.stderr).unwrap(), out.status.code())
    };
    let answer = "ZeRO-3 moves the same bytes as DDP because it is just reduce-scatter. It makes training faster. \
                  The gradients and parameters are sharded over the ranks.";
    for options in [&[][..], &["--plain"]] {
        let (said, _, code) = of(answer, options);
        let first = said.lines().next().unwrap();
        assert!(first.contains("0 of 5 parts covered, 1 partial; 27 words"), "{said}");
        let lower = said.to_lowercase();
        let place = |words: &str| lower.find(words).unwrap_or_else(|| panic!("no {words} in {said}"));
        assert!(place("not so") < place("mechanism").min(place("measurement")), "{said}");
        assert!(said.contains("“ZeRO-3 moves the same bytes as DDP"), "{said}");
        assert!(said.contains("“The gradients and parameters are sharded over the ranks”"), "{said}");
        assert!(!said.contains('Ψ') && code == Some(0), "{said}");
    }
    for options in [&[][..], &["--plain"], &["--json"]] {
        let (said, fault, code) = of("It shards.", options);
        assert!(fault.contains("too short to mark (2 words)") && code == Some(2), "{fault}");
        assert_eq!(said.is_empty(), options != ["--json"], "{said}");
    }
}

#[test]
fn faults_of_the_command_line_and_of_the_system_are_said_alike() {
    for args in [&["nope"][..], &["review", "--ahead", "x"], &["import", "no-such-file"]] {
        let said = fault(args);
        assert!(said.starts_with("infralens: ") && !said.contains("os error"), "{said}");
    }
}

#[test]
fn an_argument_cannot_steer_the_terminal() {
    let evil = "x\u{1b}[31m\u{1b}]0;title\u{7}\u{9b}2J\r";
    for args in [
        vec!["list", evil],
        vec![evil],
        vec!["list", "--theme", evil],
        vec!["history", "--limit", evil],
        vec!["--no-such-option\u{1b}[2J"],
        vec!["pack", evil],
        vec!["show", evil],
        vec!["plan", "--interview", evil],
        vec!["score", evil],
        vec!["completions", evil],
        vec!["list", "drills", evil],
    ] {
        let said = fault(&args);
        let steers = |c: char| c.is_control() && c != '\n';
        assert!(!said.contains(steers), "{args:?}: {said:?}");
    }
}

#[test]
fn a_pipe_may_close_early() {
    for line in [
        "list --json",
        "search mfu --json",
        "show ddp",
        "show ddp --json",
        "sim ring",
        "sim ring --json",
        "sim --json",
        "puzzle --json",
        "stats --json",
        "doctor --json",
        "measure --json",
        "pack check --json",
        "pack list --json",
        "pack schema lesson",
        "export",
        "completions bash",
        "man",
        "list --help",
        "concept gpu --json",
    ] {
        let data = tempfile::tempdir().expect("a folder");
        let mut child = Command::new(env!("CARGO_BIN_EXE_infralens"))
            .arg("--data-dir")
            .arg(data.path())
            .args(line.split(' '))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program runs");
        // nobody reads: the first write meets a closed pipe
        drop(child.stdout.take());
        let mut said = String::new();
        child.stderr.take().expect("its errors").read_to_string(&mut said).expect("text");
        let status = child.wait().expect("it ends").code();
        assert_eq!((status, said.as_str()), (Some(0), ""), "{line}");
    }
}

/// The program in lines at a time, with a store of its own.
fn in_lines(data: &std::path::Path, time: &str, args: &[&str], input: &str) -> String {
    let clock = data.join("clock");
    std::fs::write(&clock, time).expect("written");
    let mut child = Command::new(env!("CARGO_BIN_EXE_infralens"))
        .args(["--plain", "--data-dir"])
        .arg(data)
        .args(args)
        .env(infralens::time::CLOCK, &clock)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut lines = child.stdin.take().expect("a pipe");
    std::io::Write::write_all(&mut lines, input.as_bytes()).expect("taken");
    drop(lines);
    let out = child.wait_with_output().expect("it ends");
    String::from_utf8_lossy(&out.stdout).split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_drill_without_a_name_is_a_new_one_then_the_weakest_part_then_the_one_that_is_due() {
    let data = tempfile::tempdir().expect("a folder");
    let question = "What changes from ZeRO-1 to ZeRO-3?";
    let fresh = in_lines(data.path(), "2026-03-02T10:00:00Z", &["drill"], "q\nquit\n");
    assert!(fresh.contains("Question: ") && !fresh.contains(question), "{fresh}");
    // not so bad that it comes back the same day
    let answer = "ZeRO-1 shards the optimizer state only, ZeRO-3 also shards gradients and parameters, so the memory \
        per GPU falls further. Each layer is gathered with an all-gather before forward and before backward, and \
        gradients are reduce-scattered. So ZeRO-3 moves 3P instead of 2P elements a step, one and a half times the \
        bytes.\n.\nquit\n";
    in_lines(data.path(), "2026-03-02T10:01:00Z", &["drill", "zero1-to-zero3"], answer);
    let weak = in_lines(data.path(), "2026-03-02T10:02:00Z", &["drill"], "q\nquit\n");
    assert!(weak.contains("One part."), "{weak}");
    let due = in_lines(data.path(), "2026-03-20T10:00:00Z", &["drill"], "q\nquit\n");
    assert!(due.contains(question) && !due.contains("One part."), "{due}");
}
