//! Labs on real processes: the stored runs against the simulators, the faults of launching with small
//! fake programs, and the ten labs themselves where there is a Python with PyTorch.

use std::collections::{BTreeMap, BTreeSet};
use std::process::{Command, Output};

use infralens::built_in;
use infralens::measure::compare::{self, Line};
use infralens::measure::figures::{self, Run};
use infralens::measure::table::names;
use infralens::measure::{Program, launch, programs};
use infralens::pack::load;

fn all() -> Vec<Program> {
    programs(&load(&built_in::ORIGIN).pack.expect("the built-in pack"))
}

/// What must agree exactly does, every check holds, and no figure and no row is left alone.
fn judge(program: &Program, run: &Run) {
    assert_eq!(run.lab, program.lab);
    let lines =
        compare::lines(run, &program.rows, &BTreeMap::new(), true).expect("a table that can be evaluated");
    let wrong: Vec<&Line> = lines.iter().filter(|l| l.is_wrong()).collect();
    assert!(wrong.is_empty(), "{} with {} ranks: {wrong:#?}", run.lab, run.ranks);
    for line in &lines {
        let id = &line.figure.id;
        assert!(
            !line.figure.exact || !line.simulated.is_empty(),
            "{}: {id} is compared with nothing",
            run.lab
        );
        let notes: Vec<&String> = line.simulated.iter().flat_map(|s| &s.notes).collect();
        assert!(notes.is_empty() || !line.figure.exact, "{}: {id}: {notes:?}", run.lab);
    }
    for check in &run.checks {
        assert!(check.ok, "{} with {} ranks: {}", run.lab, run.ranks, check.what);
    }
    let names = names(run);
    for row in &program.rows {
        let used = run.figures.iter().any(|f| row.matches(&f.id, &names).expect("a condition").is_some());
        assert!(used, "{}: no figure is {}", run.lab, row.id);
    }
}

#[test]
fn ten_labs_are_measured() {
    let labs: Vec<String> = all().into_iter().map(|p| p.lab[..2].to_owned()).collect();
    let wanted = ["01", "02", "03", "04", "05", "06", "07", "08", "09", "12"];
    assert_eq!(labs.iter().map(String::as_str).collect::<BTreeSet<_>>(), wanted.into());
}

#[test]
fn stored_runs_agree_with_the_simulators_where_they_must() {
    for program in all() {
        for ranks in [2, 4] {
            let run = figures::stored(&program.stored, ranks).expect("a stored run");
            assert_eq!(run.ranks, ranks, "{}", program.lab);
            judge(&program, &run);
        }
    }
}

#[test]
fn a_stored_run_names_its_machine_and_nobody() {
    for program in all() {
        for line in program.stored.lines() {
            let run = figures::read(line).unwrap_or_else(|e| panic!("{}: {e}", program.lab));
            assert!(!run.machine.cpu.is_empty() && run.machine.cores > 0 && run.machine.date.len() == 10);
            assert!(
                !line.contains('/') || !line.contains("/home") && !line.contains("/tmp"),
                "{}",
                program.lab
            );
        }
    }
}

#[test]
fn a_figure_that_is_not_what_it_must_be_is_found() {
    let program = &all()[0];
    let mut run = figures::stored(&program.stored, 2).expect("a stored run");
    let figure = run.figures.iter_mut().find(|f| f.exact).expect("an exact figure");
    figure.value = figures::Value::Number(figure.value.number().expect("a count") + 1.0);
    let lines = compare::lines(&run, &program.rows, &BTreeMap::new(), false).expect("a table");
    assert_eq!(lines.iter().filter(|l| l.is_wrong()).count(), 1);
}

/// A Python with PyTorch: the one that is named, or python3. None, with a word, where there is none.
#[allow(clippy::print_stderr)]
fn python() -> Option<infralens::measure::python::Starter> {
    let found = infralens::measure::python::find(None, std::env::var_os("INFRALENS_PYTHON"));
    found.inspect_err(|fault| eprintln!("skipped: {fault}")).ok()
}

#[test]
fn every_lab_runs_on_this_machine_and_agrees_where_it_must() {
    let Some(starter) = python() else { return };
    for program in all() {
        for ranks in [2, 4] {
            let limit = std::time::Duration::from_secs(300);
            let set = Vec::new();
            let setup = launch::Setup { starter: starter.clone(), ranks, limit, port: None, set };
            let run = launch::run(&program, &setup, &Default::default(), &Default::default());
            judge(&program, &run.unwrap_or_else(|fault| panic!("{fault}")));
        }
    }
}

/// `infralens measure` with a Python that is a shell script: it says that it has PyTorch `version`, and
/// does `body` for torchrun.
#[cfg(unix)]
fn with_fake(version: &str, body: &str, args: &[&str]) -> (Output, tempfile::TempDir) {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a folder");
    let python = folder.path().join("python");
    let script = format!("#!/bin/sh\nif [ \"$1\" = -c ]; then echo '{version}'; exit 0; fi\n{body}\n");
    std::fs::write(&python, script).expect("written");
    std::fs::set_permissions(&python, std::fs::Permissions::from_mode(0o755)).expect("executable");
    let output = Command::new(env!("CARGO_BIN_EXE_infralens"))
        .env("INFRALENS_PYTHON", &python)
        .env_remove("INFRALENS_TORCHRUN")
        .env("FAKE", folder.path())
        .arg("--data-dir")
        .arg(folder.path())
        .arg("measure")
        .args(args)
        .output()
        .expect("the program runs");
    (output, folder)
}

#[cfg(unix)]
fn told(version: &str, body: &str, args: &[&str]) -> String {
    let (output, _folder) = with_fake(version, body, args);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    String::from_utf8(output.stderr).expect("text")
}

#[cfg(unix)]
#[test]
fn a_python_that_will_not_do_is_named_with_the_cure() {
    for (version, sentence) in [
        ("none", "has no PyTorch; install torch 2.6 or newer"),
        ("torch 2.4.1", "has PyTorch 2.4.1; the labs need 2.6 or newer"),
        ("hello there friend", "does not behave like Python"),
    ] {
        let told = told(version, "", &["01"]);
        assert!(told.contains(sentence) && told.contains("INFRALENS_PYTHON"), "{told}");
    }
}

#[cfg(unix)]
#[test]
fn what_goes_wrong_in_a_run_is_said_in_a_sentence() {
    for (body, sentence) in [
        ("echo 'measure: it needs 4 ranks' >&2; exit 1", "does not run: it needs 4 ranks"),
        (
            "echo 'code: -98, name: EADDRINUSE' >&2; exit 1",
            "is in use, so the ranks cannot meet; name another with --port",
        ),
        (
            "echo '  rank      : 1 (local_rank: 1)' >&2; echo '  exitcode  : -9 (pid: 7) (SIGKILL)' >&2; exit 1",
            "rank 1 died (by SIGKILL), so all were stopped",
        ),
        ("exit 0", "it printed no figures"),
        ("echo '{\"lab\": 1}'; exit 0", "cannot be read"),
        ("echo '{}'; echo '{}'; exit 0", "more than one line"),
        ("echo \"No module named 'torch.distributed'\" >&2; exit 1", "has no PyTorch"),
    ] {
        let told = told("torch 2.9.0", body, &["01"]);
        assert!(told.contains(sentence), "{body}: {told}");
    }
}

#[cfg(unix)]
#[test]
fn a_port_that_was_taken_meanwhile_is_changed_for_another() {
    let body = "echo $* >> $FAKE/ports; echo EADDRINUSE >&2; exit 1";
    let (_, folder) = with_fake("torch 2.9.0", body, &["01"]);
    let ports = std::fs::read_to_string(folder.path().join("ports")).expect("written by the fake");
    assert_eq!(ports.lines().count(), 3);
    let (_, folder) = with_fake("torch 2.9.0", body, &["01", "--port", "5"]);
    let ports = std::fs::read_to_string(folder.path().join("ports")).expect("written by the fake");
    assert_eq!(ports.lines().count(), 1, "a port that was named is kept");
    assert!(ports.contains("--master-port 5 "), "{ports}");
}

/// Ranks as torchrun starts them: in sessions of their own, which a signal to the group does not reach.
#[cfg(target_os = "linux")]
#[test]
fn a_hang_ends_with_all_its_ranks() {
    let body =
        "for r in 0 1; do setsid sh -c 'echo $$ >> $FAKE/pids; echo working >&2; sleep 600' & done; wait";
    let (output, folder) = with_fake("torch 2.9.0", body, &["01", "--limit", "1"]);
    let told = String::from_utf8(output.stderr).expect("text");
    assert!(
        told.contains("was not done after 1 seconds, so all its ranks were stopped; the last line: working"),
        "{told}"
    );
    let pids = std::fs::read_to_string(folder.path().join("pids")).expect("written by the ranks");
    assert_eq!(pids.lines().count(), 2);
    for pid in pids.lines() {
        let state = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        assert!(state.is_empty() || state.contains(") Z "), "{state}");
    }
}

#[cfg(unix)]
#[test]
fn figures_are_printed_beside_what_was_predicted_and_simulated() {
    let program = &all()[0];
    let line = program.stored.lines().next().expect("a stored run");
    let body = format!("cat <<'END'\n{line}\nEND");
    let (output, _folder) =
        with_fake("torch 2.9.0", &body, &["01", "--simulate", "--predict", "buckets_small=12", "--json"]);
    assert!(output.status.success(), "{output:?}");
    let page: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let figures = page["figures"].as_array().expect("figures");
    let figure = figures.iter().find(|f| f["id"] == "buckets_small").expect("the figure");
    assert_eq!((&figure["predicted"], &figure["measured"]), (&12.0.into(), &24.0.into()));
    assert_eq!(figure["simulated"][0]["agrees"], true);
    assert_eq!(page["stored"], serde_json::Value::Null);
}

#[cfg(unix)]
#[test]
fn a_python_is_kept_as_a_setting_and_so_is_a_torchrun() {
    let (output, _folder) = with_fake("torch 2.9.0", "exit 1", &[]);
    let listed = String::from_utf8(output.stdout).expect("text");
    assert!(listed.contains("01-ddp-buckets") && listed.contains("12-64-gpu-design"), "{listed}");
    let folder = tempfile::tempdir().expect("a folder");
    let torchrun = folder.path().join("torchrun-here");
    let measure = |args: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_infralens"))
            .env_remove("INFRALENS_PYTHON")
            .env_remove("INFRALENS_TORCHRUN")
            .arg("--data-dir")
            .arg(folder.path())
            .arg("measure")
            .args(args)
            .output()
            .expect("the program runs")
    };
    let kept = measure(&["--python", torchrun.to_str().expect("a name")]);
    assert!(kept.status.success(), "{kept:?}");
    let run = measure(&["01"]);
    let told = String::from_utf8(run.stderr).expect("text");
    assert!(told.contains("torchrun-here") && told.contains("does not start"), "{told}");
}

/// Ctrl+c ends the verb and all that it started.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_verb_leaves_no_rank_behind() {
    use std::io::BufRead;
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a folder");
    let python = folder.path().join("python");
    // the pipe is closed once the last of the ranks is gone
    let body = "setsid sh -c 'echo $$ > $FAKE/pid; sleep 600' & echo ready > $FAKE/ready; wait";
    let script = format!("#!/bin/sh\nif [ \"$1\" = -c ]; then echo 'torch 2.9.0'; exit 0; fi\n{body}\n");
    std::fs::write(&python, script).expect("written");
    std::fs::set_permissions(&python, std::fs::Permissions::from_mode(0o755)).expect("executable");
    let made = Command::new("mkfifo").arg(folder.path().join("ready")).status().expect("mkfifo runs");
    assert!(made.success());
    let child = Command::new(env!("CARGO_BIN_EXE_infralens"))
        .env("INFRALENS_PYTHON", &python)
        .env_remove("INFRALENS_TORCHRUN")
        .env("FAKE", folder.path())
        .args(["--data-dir", folder.path().to_str().expect("a name"), "measure", "01"])
        .stderr(std::process::Stdio::piped())
        .stdout(std::process::Stdio::null())
        .spawn()
        .expect("the program runs");
    let ready = std::fs::File::open(folder.path().join("ready")).expect("the ranks open it");
    std::io::BufReader::new(ready).lines().next().expect("a word").expect("text");
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
    assert!(killed.success());
    let output = child.wait_with_output().expect("it ends");
    let told = String::from_utf8(output.stderr).expect("text");
    assert!(told.contains("was stopped"), "{told}");
    if let Ok(pid) = std::fs::read_to_string(folder.path().join("pid")) {
        let state = std::fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
        assert!(state.is_empty() || state.contains(") Z "), "{state}");
    }
}

#[cfg(unix)]
#[test]
fn a_prediction_of_a_figure_that_is_not_there_is_an_error() {
    let told = told("torch 2.9.0", "exit 1", &["01", "--predict", "colour"]);
    assert!(told.contains("colour"), "{told}");
}

#[test]
fn a_stored_run_says_that_it_is_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = Command::new(env!("CARGO_BIN_EXE_infralens"))
        .args([
            "--data-dir",
            folder.path().to_str().expect("a name"),
            "measure",
            "08",
            "--stored",
            "--ranks",
            "4",
        ])
        .output()
        .expect("the program runs");
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(output.status.success() && text.starts_with("A stored run, not from this machine"), "{text}");
    assert!(text.contains("4 ranks on "), "{text}");
}
