//! The command line: output, messages, exit statuses, pipes.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn run(args: &[&str], input: &str) -> Output {
    let data = tempfile::tempdir().expect("a folder");
    run_in(data.path(), args, input)
}

fn run_in(data: &Path, args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_infralens"))
        .arg("--data-dir")
        .arg(data)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    // A verb that reads nothing may have ended before its input is written.
    let _ = child.stdin.take().expect("its input").write_all(input.as_bytes());
    child.wait_with_output().expect("it ends")
}

fn out(o: &Output) -> String {
    String::from_utf8_lossy(&o.stdout).into_owned()
}

fn err(o: &Output) -> String {
    String::from_utf8_lossy(&o.stderr).into_owned()
}

#[test]
fn list_show_and_search_print_text() {
    let list = run(&["list"], "");
    assert_eq!(list.status.code(), Some(0));
    assert!(out(&list).contains("ddp") && out(&list).contains("drill"));
    let show = run(&["show", "ddp"], "");
    assert!(out(&show).starts_with("Heading: Data parallelism: DDP\n"), "{}", out(&show));
    assert_eq!(run(&["search", "bubble"], "").status.code(), Some(0));
    assert_eq!(run(&["search", "xyzzyqqq"], "").status.code(), Some(1));
    let json = run(&["list", "drills", "--json"], "");
    let rows: serde_json::Value = serde_json::from_str(&out(&json)).expect("JSON");
    assert!(rows.as_array().is_some_and(|r| !r.is_empty()));
}

#[test]
fn what_is_named_so_is_found_first_and_slips_are_forgiven() {
    let first = |words: &[&str]| {
        let found = run(&[&["search", "--json"], words].concat(), "");
        let found: serde_json::Value = serde_json::from_str(&out(&found)).expect("JSON");
        (found[0]["kind"].as_str().unwrap_or("").to_owned(), found[0]["id"].as_str().unwrap_or("").to_owned())
    };
    for name in ["MFU", "straggler", "stragler", "Stragglers"] {
        assert_eq!(first(&[name]).0, "term", "{name}");
    }
    assert_eq!(first(&["pipline", "bubble"]).1, first(&["pipeline", "bubble"]).1);
    let text = out(&run(&["search", "autograd hooks"], ""));
    assert!(text.contains("autograd hook") && !text.contains("[["), "{text}");
}

#[test]
fn everything_that_is_listed_can_be_shown_in_any_case_and_without_markup() {
    let listed = run(&["list", "--json"], "");
    let listed: serde_json::Value = serde_json::from_str(&out(&listed)).expect("JSON");
    let mut seen: Vec<String> = Vec::new();
    for thing in listed.as_array().expect("a list") {
        let (kind, id) = (thing["kind"].as_str().expect("a kind"), thing["id"].as_str().expect("an id"));
        assert!(!thing["title"].as_str().expect("a title").contains(['[', '{', '`']), "{thing}");
        if seen.iter().any(|k| k == kind) {
            continue;
        }
        seen.push(kind.to_owned());
        let shown = run(&["show", &format!("{kind}:{}", id.to_uppercase())], "");
        assert_eq!(shown.status.code(), Some(0), "{kind} {id}: {}", err(&shown));
        let text = out(&shown);
        assert!(!text.contains("[[") && !text.contains("](") && !text.contains("{{"), "{kind} {id}:\n{text}");
        let json = run(&["show", &format!("{kind}:{id}"), "--json"], "");
        let json: serde_json::Value = serde_json::from_str(&out(&json)).expect("JSON");
        assert_eq!((&json["id"], &json["kind"]), (&thing["id"], &thing["kind"]));
        assert!(json["text"].as_str().is_some_and(|t| t.len() > 20), "{json}");
    }
    assert_eq!(seen.len(), 7, "{seen:?}");
}

#[test]
fn an_unknown_id_names_the_nearest_and_where_to_look() {
    let show = run(&["show", "dpd"], "");
    assert_eq!(show.status.code(), Some(2));
    assert!(err(&show).contains("did you mean `ddp`?") && err(&show).contains("infralens list"));
    // the words of an id say more than its letters
    for (args, meant) in [
        (&["--plain", "learn", "fsdp"][..], "did you mean `zero-fsdp`?"),
        (&["show", "drill:bubble"], "did you mean `pp-bubble-ten-percent`?"),
        (&["show", "drill:ddp-acumulation"], "did you mean `ddp-accumulation`?"),
        (&["show", "lesson:qqqqqqqq"], "has the id `qqqqqqqq`; `infralens list"),
    ] {
        let said = run(args, "");
        assert_eq!(said.status.code(), Some(2), "{args:?}");
        assert!(err(&said).contains(meant), "{args:?}: {}", err(&said));
    }
}

#[test]
fn score_prints_the_promised_object() {
    let answer = "Each rank sees other data, so the gradients differ and the replicas would drift apart.";
    let scored = run(&["score", "ddp-gradients-not-parameters", "-", "--json"], answer);
    assert_eq!(scored.status.code(), Some(0), "{}", err(&scored));
    let marks: serde_json::Value = serde_json::from_str(&out(&scored)).expect("JSON");
    assert_eq!(marks["drill"], "ddp-gradients-not-parameters");
    assert_eq!(marks["words"], 15);
    let parts = marks["parts"].as_array().expect("parts");
    assert_eq!(parts.len(), 5);
    for evidence in parts
        .iter()
        .flat_map(|p| p["points"].as_array().expect("points"))
        .flat_map(|p| p["evidence"].as_array().expect("evidence"))
    {
        let (start, end) =
            (evidence["start"].as_u64().expect("start"), evidence["end"].as_u64().expect("end"));
        assert_eq!(evidence["text"], answer[start as usize..end as usize]);
    }
}

#[test]
fn a_batch_keeps_order_and_other_keys() {
    let file = tempfile::NamedTempFile::new().expect("a file");
    let lines = "{\"id\": 1, \"drill\": \"zero1-to-zero3\", \"answer\": \"\"}\n{\"id\": 2, \"drill\": \"tp-fast-domain\", \"answer\": \"x\"}\n";
    fs::write(file.path(), lines).expect("the file is written");
    let scored = run(&["score", "--batch", file.path().to_str().expect("a path")], "");
    let rows: Vec<serde_json::Value> =
        out(&scored).lines().map(|l| serde_json::from_str(l).expect("JSON")).collect();
    assert_eq!((rows[0]["id"].clone(), rows[1]["id"].clone()), (1.into(), 2.into()));
    assert_eq!(rows[1]["drill"], "tp-fast-domain");
}

#[test]
fn a_batch_goes_on_after_a_bad_line_and_counts_them() {
    let good = |id: u8| format!("{{\"id\": {id}, \"drill\": \"zero1-to-zero3\", \"answer\": \"x\"}}");
    let lines =
        [good(1), "no JSON".into(), good(2), "{\"drill\": \"none\", \"answer\": \"x\"}".into(), good(3)];
    let scored = run(&["score", "--batch", "-"], &lines.join("\n"));
    assert_eq!(scored.status.code(), Some(1));
    let (said, faults) = (String::from_utf8_lossy(&scored.stdout), String::from_utf8_lossy(&scored.stderr));
    let ids: Vec<serde_json::Value> = said
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON")["id"].clone())
        .collect();
    assert_eq!(ids, [1, 2, 3]);
    assert!(faults.contains("-:2: ") && faults.contains("-:4: "), "{faults}");
    assert!(faults.contains("2 of 5 lines could not be scored"), "{faults}");
}

#[test]
fn a_number_out_of_its_range_is_said_in_words() {
    for args in [
        ["rehearse", "--count", "99"],
        ["rehearse", "--think", "9999"],
        ["review", "--ahead", "9999"],
        ["history", "--limit", "0"],
        ["measure", "--ranks", "0"],
    ] {
        let refused = run(&args, "");
        let said = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert_eq!(refused.status.code(), Some(2), "{args:?}: {said}");
        assert!(!said.contains("..") && said.contains("is not a number from"), "{args:?}: {said}");
    }
}

#[test]
fn what_is_shown_in_a_pipe_is_told_in_words() {
    let shown = out(&run(&["show", "ddp"], ""));
    assert_eq!(shown, out(&run(&["--plain", "show", "ddp"], "")));
}

#[test]
fn a_closed_pipe_ends_an_export_without_a_word() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().to_str().expect("a path");
    run(&["--data-dir", data, "--plain", "drill", "zero1-to-zero3"], "ZeRO shards the state.\n.\ns\nquit\n");
    for format in ["jsonl", "csv", "markdown"] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_infralens"))
            .args(["--data-dir", data, "export", "--format", format])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program runs");
        drop(child.stdout.take());
        let ended = child.wait_with_output().expect("it ends");
        let said = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert!(ended.status.success() && said.is_empty(), "{format}: {said}");
    }
}

#[test]
fn a_closed_pipe_is_no_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_infralens"))
        .args(["pack", "schema", "quiz"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    assert_eq!(err(&output), "");
}

#[test]
fn an_export_that_fails_costs_nothing_and_the_store_is_no_place_for_one() {
    let data = tempfile::tempdir().unwrap();
    let backup = data.path().join("backup.jsonl");
    fs::write(&backup, "precious\n").unwrap();
    // a store of a program to come
    let store = data.path().join("infralens.db");
    let connection = rusqlite::Connection::open(&store).unwrap();
    connection.pragma_update(None, "user_version", 9999).unwrap();
    drop(connection);
    let failed = run_in(data.path(), &["export", "--force", backup.to_str().unwrap()], "");
    assert_eq!(failed.status.code(), Some(2), "{}", err(&failed));
    assert_eq!(fs::read_to_string(&backup).unwrap(), "precious\n");
    fs::remove_file(&store).unwrap();
    for name in ["infralens.db", "./infralens.db", "infralens.lock"] {
        let place = data.path().join(name);
        for more in [&["export"][..], &["export", "--class", "distributed-training", "--student", "Ann"]] {
            let args = [more, &[place.to_str().unwrap()]].concat();
            let refused = run_in(data.path(), &args, "");
            assert_eq!(refused.status.code(), Some(2), "{}", err(&refused));
            assert!(err(&refused).contains("is where your progress is kept"), "{}", err(&refused));
        }
    }
    let history = run_in(data.path(), &["history"], "");
    assert_eq!(history.status.code(), Some(0), "{}", err(&history));
}

#[cfg(unix)]
#[test]
fn a_pipe_in_place_of_a_file_of_the_store_is_refused_at_once() {
    for name in ["infralens.lock", "infralens.db"] {
        let data = tempfile::tempdir().unwrap();
        let made = Command::new("mkfifo").arg(data.path().join(name)).status().unwrap();
        assert!(made.success());
        let refused = run_in(data.path(), &["import", "-"], "{}");
        assert_eq!(refused.status.code(), Some(2), "{}", err(&refused));
        assert!(err(&refused).contains("no plain file"), "{}", err(&refused));
    }
}

#[test]
fn history_export_and_import_go_round() {
    let (one, two) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let verb = |data: &tempfile::TempDir, args: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_infralens"))
            .arg("--data-dir")
            .arg(data.path())
            .args(args)
            .output()
            .expect("it runs")
    };
    assert!(out(&verb(&one, &["history"])).contains("No answers yet"));
    assert_eq!(verb(&one, &["history", "nope"]).status.code(), Some(2));
    let file = one.path().join("all.jsonl");
    let file = file.to_str().expect("a path");
    assert_eq!(verb(&one, &["export", file]).status.code(), Some(0));
    assert_eq!(verb(&two, &["import", file]).status.code(), Some(0));
    assert_eq!(verb(&two, &["due"]).status.code(), Some(0));
}

#[test]
fn an_export_leaves_a_file_alone_that_holds_something_unless_it_is_asked_to() {
    let data = tempfile::tempdir().unwrap();
    let file = data.path().join("all.jsonl");
    let name = file.to_str().unwrap();
    fs::write(&file, "").unwrap();
    assert_eq!(
        run_in(data.path(), &["export", name], "").status.code(),
        Some(0),
        "an empty file holds nothing"
    );
    fs::write(&file, "precious\n").unwrap();
    let refused = run_in(data.path(), &["export", name], "");
    assert_eq!(refused.status.code(), Some(2));
    assert!(
        err(&refused).contains("is there already") && err(&refused).contains("--force"),
        "{}",
        err(&refused)
    );
    assert_eq!(fs::read_to_string(&file).unwrap(), "precious\n");
    let forced = run_in(data.path(), &["export", name, "--force"], "");
    assert_eq!(forced.status.code(), Some(0), "{}", err(&forced));
    assert_ne!(fs::read_to_string(&file).unwrap(), "precious\n");
}

#[test]
fn help_and_labs_are_found_where_one_looks_for_them() {
    let data = tempfile::tempdir().unwrap();
    let help = run_in(data.path(), &["--plain", "help", "list"], "");
    assert!(out(&help).contains("Usage: infralens list"), "{}", err(&help));
    let lab = run_in(data.path(), &["--plain", "learn", "01-ddp-buckets"], "");
    assert!(out(&lab).contains("Page: Gradient buckets on a clock"), "{}", out(&lab));
}

#[test]
fn completions_and_the_manual_are_printed() {
    assert!(out(&run(&["completions", "bash"], "")).contains("infralens"));
    assert!(out(&run(&["man"], "")).contains(".TH infralens"));
}

#[test]
fn a_wrong_command_line_ends_with_two() {
    assert_eq!(run(&["no-such-verb"], "").status.code(), Some(2));
    assert_eq!(run(&["score", "no-such-drill"], "x").status.code(), Some(2));
    assert_eq!(run(&["pack", "check", "/no/such/folder"], "").status.code(), Some(2));
}

#[test]
fn stats_tell_how_far_self_ratings_are_off() {
    let data = tempfile::tempdir().expect("a folder");
    let run = |args: &[&str], input: &str| {
        let mut child = Command::new(env!("CARGO_BIN_EXE_infralens"))
            .arg("--data-dir")
            .arg(data.path())
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut stdin = child.stdin.take().expect("its input");
        stdin.write_all(input.as_bytes()).expect("it reads");
        drop(stdin);
        let out = child.wait_with_output().expect("it ends");
        String::from_utf8(out.stdout).expect("text")
    };
    let before = run(&["stats"], "");
    assert!(!before.contains("ou rate yourself"), "{before}");
    let none: serde_json::Value = serde_json::from_str(&run(&["stats", "--json"], "")).expect("JSON");
    assert_eq!(none[0]["self_rating"]["all"], serde_json::Value::Null);
    run(&["--plain", "drill", "zero1-to-zero3"], "It depends on what is too big.\n. ccccc\nquit\n");
    let after = run(&["stats"], "");
    assert!(after.contains("points too high over 1 answer"), "{after}");
    assert!(after.contains("Every part: too high in 1 of 1"), "{after}");
    let json: serde_json::Value = serde_json::from_str(&run(&["stats", "--json"], "")).expect("JSON");
    let rating = &json[0]["self_rating"];
    assert_eq!(rating["all"]["answers"], 1, "{rating}");
    assert_eq!(rating["parts"][0]["part"], "problem");
    assert_eq!(rating["parts"][0]["newest"][0], "high");
}

#[test]
fn a_pack_folder_that_does_not_exist_is_one_sentence() {
    let output = run(&["pack", "check", "/no/such/folder"], "");
    let said = "infralens: there is no folder /no/such/folder; name one that holds a pack.toml\n";
    assert_eq!((err(&output).as_str(), output.status.code()), (said, Some(2)));
}
