//! Simulators on the command line: the list, lines, JSON, faults.

use crate::kit::cli;

use cli::run;

use infralens::sim::KINDS;

fn out(args: &[&str]) -> String {
    let o = run(args);
    assert_eq!(o.status.code(), Some(0), "{args:?}: {}", String::from_utf8_lossy(&o.stderr));
    String::from_utf8_lossy(&o.stdout).into_owned()
}

/// What is said about a command line that is wrong.
fn fault(args: &[&str]) -> String {
    let o = run(args);
    assert_eq!(o.status.code(), Some(2), "{args:?}");
    assert!(o.stdout.is_empty(), "{args:?}");
    String::from_utf8_lossy(&o.stderr).into_owned()
}

fn json(args: &[&str]) -> serde_json::Value {
    serde_json::from_str(&out(args)).expect("JSON")
}

#[test]
fn the_list_names_every_kind_and_is_the_same_by_either_verb() {
    let list = out(&["sim"]);
    for kind in KINDS {
        let line = list.lines().find(|l| l.starts_with(kind.name));
        assert!(line.is_some_and(|l| l.contains(kind.about)), "{}", kind.name);
    }
    assert_eq!(list, out(&["list", "sims"]));
    let all = json(&["sim", "--json"]);
    assert_eq!(all.as_array().map(Vec::len), Some(KINDS.len()));
    assert_eq!(all[1]["kind"], "ring");
    assert!(all[1]["parameters"][0]["greatest"].as_f64().is_some_and(|g| g > 8.0));
}

#[test]
fn each_kind_prints_lines_and_json() {
    for kind in KINDS {
        let lines = out(&["sim", kind.name]);
        assert!(lines.starts_with(&format!("Heading: {}", kind.title)), "{}", kind.name);
        for part in ["\nHeading: Settings\n", "\nHeading: Results\n", "\nHeading: Predict\n"] {
            assert!(lines.contains(part), "{} has no {part:?}", kind.name);
        }
        let page = json(&["sim", kind.name, "--json"]);
        assert_eq!(page["kind"], kind.name);
        assert!(page["views"].as_array().is_some_and(|v| !v.is_empty()));
        assert!(page["outputs"][0]["value"].is_number(), "{}", kind.name);
    }
}

#[test]
fn values_are_set_with_units_and_the_result_follows() {
    let page = json(&["sim", "ring", "--set", "ranks_per_node=8", "--set", "size=1 GB", "--json"]);
    let sent = page["outputs"]
        .as_array()
        .and_then(|o| o.iter().find(|o| o["name"] == "sent"))
        .expect("the bytes sent");
    // 2 (n-1)/n of the size
    assert_eq!(sent["value"].as_f64(), Some(1.75e9));
    let plain = out(&["sim", "ring", "--set", "ranks_per_node=8", "--plain"]);
    assert!(plain.contains("ranks_per_node: 8, "), "{plain}");
    assert!(plain.is_ascii(), "--plain keeps to ASCII");
}

#[test]
fn a_preset_is_found_by_its_beginning_and_a_value_goes_over_it() {
    let kind = KINDS.iter().find(|k| k.name == "zero").expect("the ledger of ZeRO");
    let preset = kind.presets[0];
    let (name, value) = preset.set[0];
    let page = json(&["sim", "zero", "--preset", preset.name, "--json"]);
    let of = |page: &serde_json::Value| {
        let settings = page["settings"].as_array().expect("settings").clone();
        settings.into_iter().find(|s| s["name"] == name).expect("it")["value"].as_f64().expect("a number")
    };
    assert!((of(&page) - value).abs() < 1e-9);
    let least = kind.parameter(name).expect("it").bounds().0;
    let over = json(&["sim", "zero", "--preset", preset.name, "--set", &format!("{name}={least}"), "--json"]);
    assert!((of(&over) - least).abs() < 1e-9);
}

#[test]
fn a_value_out_of_range_is_refused_with_its_range() {
    for (pair, range) in [
        ("stages=0", "give a whole number from 1 to 64 stages"),
        ("stages=1000", "give a whole number from 1 to 64 stages"),
        ("micro_batches=2.5", "give a whole number from 1 to 512 micro-batches"),
        ("backward=nan", "write a number"),
    ] {
        let said = fault(&["sim", "pipeline", "--set", pair]);
        assert!(said.contains(range), "{pair}: {said}");
    }
    assert!(fault(&["sim", "ring", "--set", "nic=0"]).contains("nic cannot be 0; give from 0.1 to 400 GB/s"));
    for kind in KINDS {
        for parameter in kind.parameters {
            for value in [-1.0, 0.0, 1.0] {
                let pair = format!("{}={value}", parameter.name);
                let status = run(&["sim", kind.name, "--set", &pair]).status.code();
                let (least, greatest) = parameter.bounds();
                let taken = if (least..=greatest).contains(&value) { 0 } else { 2 };
                assert_eq!(status, Some(taken), "{} {pair}", kind.name);
            }
        }
    }
}

#[test]
fn values_that_do_not_go_together_say_what_was_asked_and_what_was_taken() {
    let args = ["sim", "mesh", "--set", "tp=64", "--set", "pp=64"];
    let lines = out(&args);
    assert!(lines.contains("Note: pp: asked for 64, taken 1: tp x cp x pp"), "{lines}");
    let page = json(&[&args[..], &["--json"]].concat());
    assert_eq!(page["adjusted"][0]["knob"], "pp");
    assert_eq!(
        (page["adjusted"][0]["asked"].as_f64(), page["adjusted"][0]["taken"].as_f64()),
        (Some(64.0), Some(1.0))
    );
    let pp = page["settings"].as_array().and_then(|s| s.iter().find(|s| s["name"] == "pp")).expect("pp");
    assert_eq!((pp["value"].as_f64(), pp["taken"].as_f64()), (Some(64.0), Some(1.0)));
}

#[test]
fn what_is_wrong_is_named_with_its_cure() {
    for (args, parts) in [
        (vec!["sim", "rign"], ["no simulator `rign`", "did you mean `ring`?"]),
        (vec!["sim", "ring", "--set", "ranks=8"], ["no parameter `ranks`", "use one of"]),
        (vec!["sim", "ring", "--set", "n"], ["`--set n` sets nothing", "name=value"]),
        (vec!["sim", "ring", "--set", "nodes=lots"], ["`lots` is no number", "write a number"]),
        (vec!["sim", "ring", "--set", "size=3 ms"], ["`ms` is not a unit for this", "give it in"]),
        (vec!["sim", "ring", "--preset", "nothing"], ["no preset `nothing`", "use one of"]),
        (vec!["sim", "--set", "ranks_per_node=8"], ["need a simulator", "ring"]),
        (vec!["sim", "ring\u{1b}[31m"], ["no simulator", "use one of"]),
    ] {
        let said = fault(&args);
        for part in parts {
            assert!(said.contains(part), "{args:?}: {said}");
        }
        assert!(!said.contains('\u{1b}'), "{args:?}");
    }
}
