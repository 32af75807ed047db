//! Puzzles on the command line: the list, a setting judged in lines and as JSON, faults.

use crate::kit::cli;

use cli::run;

/// What is printed, where it ends with this status.
fn out(status: i32, args: &[&str]) -> String {
    let o = run(args);
    let said = String::from_utf8_lossy(&o.stderr).into_owned();
    assert_eq!(o.status.code(), Some(status), "{args:?}: {said}");
    if status == 2 {
        assert!(o.stdout.is_empty(), "{args:?}");
        return said;
    }
    String::from_utf8_lossy(&o.stdout).into_owned()
}

fn json(status: i32, args: &[&str]) -> serde_json::Value {
    serde_json::from_str(&out(status, args)).expect("JSON")
}

#[test]
fn the_list_has_every_puzzle() {
    let all = json(0, &["puzzle", "--json"]);
    let list = out(0, &["puzzle"]);
    let ids: Vec<_> = all.as_array().into_iter().flatten().map(|p| p["id"].as_str()).collect();
    assert!(ids.len() >= 12);
    for id in ids.into_iter().flatten() {
        assert!(list.lines().any(|l| l.starts_with(id)), "{id}");
    }
}

#[test]
fn a_setting_is_judged_in_lines() {
    let start = out(0, &["puzzle", "fit-13b"]);
    for part in [
        "Fit 13B",
        "stage equals 0  (ZeRO stage: 0, 1, 2, 3)",
        "Fixed: parameters 13",
        "91 gigabytes, par 45.5 gigabytes",
    ] {
        assert!(start.contains(part), "no {part} in\n{start}");
    }
    assert!(start.contains("Not solved") && !start.contains("Why par is par"));
    let broken = out(1, &["puzzle", "fit-13b", "--set", "stage=1", "--set", "gradients=bf16"]);
    let broken = broken.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        broken.contains("Does not hold: the peak fits into usable memory (left over minus 13.8 gigabytes)"),
        "{broken}"
    );
    let short = out(1, &["puzzle", "fit-13b", "--set", "stage=2"]);
    assert!(short.contains("All conditions hold, 22.7 gigabytes over par"), "{short}");
    let par = out(0, &["puzzle", "fit-13b", "--set", "stage=2", "--set", "gradients=bf16"]);
    assert!(par.contains("Solved at par: 45.5 gigabytes.") && par.contains("Why par is par"), "{par}");
}

#[test]
fn hints_come_one_by_one() {
    let count = |n: &str| out(0, &["puzzle", "fit-13b", "--hints", n]).matches("Hint ").count();
    assert_eq!([count("0"), count("1"), count("3"), count("9")], [0, 1, 3, 3]);
}

#[test]
fn a_program_gets_the_same_as_json() {
    let short = json(1, &["puzzle", "fit-13b", "--json", "--set", "stage=2"]);
    let setting = &short["setting"];
    assert_eq!((setting["standing"].as_str(), setting["solved"].as_bool()), (Some("short"), Some(true)));
    assert_eq!(setting["by"].as_f64(), Some(22.75e9));
    assert!(short["explain"].is_null());
    let par = json(0, &["puzzle", "fit-13b", "--json", "--set", "stage=2", "--set", "gradients=0"]);
    assert_eq!(par["setting"]["at_par"], true);
    assert_eq!(par["setting"]["goal"]["value"], par["par"]);
    assert!(par["explain"].is_string());
}

#[test]
fn what_cannot_be_set_is_said() {
    for (args, word) in [
        (&["puzzle", "fit-13"][..], "did you mean `fit-13b`?"),
        (&["puzzle", "fit-13b", "--set", "params=7"], "turn stage, gradients"),
        (&["puzzle", "fit-13b", "--set", "stage=7"], "use one of 0, 1, 2, 3"),
        (&["puzzle", "fit-13b", "--set", "stage"], "--set name=value"),
        (&["puzzle", "--set", "stage=1"], "needs a puzzle"),
    ] {
        let said = out(2, args);
        assert!(said.contains(word), "{args:?}: {said}");
    }
}
