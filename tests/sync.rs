//! One person on several machines: whatever the order in which they write and sync, all end the same, with nothing lost
//! and nothing twice.

use std::collections::BTreeSet;
use std::fs;
use std::process::{Command, Output};

use crate::kit::carry::exported;
use crate::kit::store::{attempt, minute, schedule};

use infralens::cmd::sync::bring_together;
use infralens::store::{Filter, Source, Store};
use jiff::Timestamp;
use proptest::prelude::*;

const MACHINES: usize = 3;

fn ids(store: &Store) -> Vec<String> {
    let mut ids: Vec<String> =
        store.history(&Filter::default(), u32::MAX).expect("a history").into_iter().map(|a| a.id).collect();
    ids.sort();
    ids
}

fn sync(stores: &[Store], machine: usize, folder: &std::path::Path) -> bool {
    let mut out = Vec::new();
    bring_together(&stores[machine], (&format!("{machine:016x}"), folder), Timestamp::MAX, &mut out)
        .expect("a sync")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Each step is an answer on a machine, a setting there, or a sync of it.
    #[test]
    fn any_order_of_answers_and_syncs_ends_the_same(
        steps in proptest::collection::vec((0..MACHINES, 0..3_u8), 1..24)
    ) {
        let folder = tempfile::tempdir().expect("a folder");
        let stores: Vec<Store> = (0..MACHINES).map(|_| Store::in_memory().expect("a store")).collect();
        let mut written = BTreeSet::new();
        for (n, (machine, step)) in steps.into_iter().enumerate() {
            let now = minute(i64::try_from(n).expect("few steps"));
            match step {
                0 => {
                    let id = format!("a-{n}");
                    let given = attempt(&id, ("ddp", "why-ddp"), now, &[("problem", 0.5)]);
                    stores[machine].record_attempt(&given, &schedule()).expect("kept");
                    written.insert(id);
                }
                1 => stores[machine].set("interview", &format!("2027-01-{:02}", n % 28 + 1), now).expect("kept"),
                _ => prop_assert!(sync(&stores, machine, folder.path())),
            }
        }
        for _ in 0..2 {
            for machine in 0..MACHINES {
                prop_assert!(sync(&stores, machine, folder.path()));
            }
        }
        let written: Vec<String> = written.into_iter().collect();
        let mut sorted = written;
        sorted.sort();
        for store in &stores {
            prop_assert_eq!(&ids(store), &sorted);
            prop_assert_eq!(exported(store), exported(&stores[0]));
        }
    }
}

#[test]
fn a_file_that_is_broken_or_foreign_is_said_and_keeps_nobody_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let stores: Vec<Store> = (0..2).map(|_| Store::in_memory().expect("a store")).collect();
    let given = attempt("a-1", ("ddp", "why-ddp"), minute(1), &[("problem", 0.5)]);
    stores[0].record_attempt(&given, &schedule()).expect("kept");
    assert!(sync(&stores, 0, folder.path()));
    let whole = fs::read_to_string(folder.path().join("infralens-0000000000000000.jsonl")).expect("its file");
    fs::write(folder.path().join("infralens-half.jsonl"), &whole[..whole.len() - 20]).expect("written");
    fs::write(folder.path().join("notes.txt"), "mine").expect("written");
    let mut out = Vec::new();
    let complete = bring_together(&stores[1], ("0000000000000001", folder.path()), Timestamp::MAX, &mut out)
        .expect("a sync");
    let said = String::from_utf8(out).expect("UTF-8");
    assert!(!complete && said.contains("infralens-half.jsonl: left out"), "{said}");
    assert_eq!(ids(&stores[1]), ["a-1"]);
    assert!(!said.contains("notes.txt"), "{said}");
}

fn run(data: &std::path::Path, args: &[&std::ffi::OsStr]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_infralens"));
    command.arg("--data-dir").arg(data).args(args).output().expect("it runs")
}

#[test]
fn the_verb_names_its_machine_once_and_refuses_a_shared_database() {
    let data = tempfile::tempdir().expect("a folder");
    let shared = tempfile::tempdir().expect("a folder");
    for _ in 0..2 {
        let output = run(data.path(), &["sync".as_ref(), shared.path().as_os_str()]);
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    }
    assert_eq!(fs::read_dir(shared.path()).expect("a folder").count(), 1);
    let output = run(data.path(), &["sync".as_ref(), data.path().as_os_str()]);
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("data folder itself"), "{said}");
}

#[test]
fn neither_an_export_nor_an_import_carries_a_judge() {
    let store = Store::in_memory().expect("a store");
    store.set("judge", "{\"command\":[\"mine\"],\"seconds\":5}", minute(1)).expect("kept");
    store.set("interview", "2027-01-01", minute(1)).expect("kept");
    let text = exported(&store);
    assert!(!text.contains("mine") && text.contains("interview"), "{text}");
    let evil = "{\"kind\":\"infralens\",\"format\":1}\n{\"record\":\"setting\",\"key\":\"judge\",\
        \"value\":\"{}\",\"at\":\"2030-01-01T00:00:00Z\"}\n";
    let taken = store.import(evil.as_bytes(), Source::Elsewhere, Timestamp::MAX).expect("it is read");
    assert_eq!((taken.taken, taken.kept), (0, 1));
    assert!(store.setting("judge").expect("read").is_some_and(|judge| judge.contains("mine")));
    for own in ["measure.python", "judge-told"] {
        store
            .import(
                evil.replace("\"judge\"", &format!("\"{own}\"")).as_bytes(),
                Source::Elsewhere,
                Timestamp::MAX,
            )
            .expect("it is read");
        assert_eq!(store.setting(own).expect("read"), None, "{own} is for this machine to say");
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_or_a_link_in_place_of_ones_own_file_is_replaced_by_the_file() {
    let store = Store::in_memory().expect("a store");
    store.set("interview", "2027-01-01", minute(1)).expect("kept");
    let folder = tempfile::tempdir().expect("a folder");
    let own = folder.path().join("infralens-0000000000000001.jsonl");
    let place: [&dyn Fn(); 2] =
        [&|| assert!(Command::new("mkfifo").arg(&own).status().expect("mkfifo runs").success()), &|| {
            std::os::unix::fs::symlink("/dev/zero", &own).expect("a link")
        }];
    for put in place {
        put();
        let machine = ("0000000000000001", folder.path());
        assert!(bring_together(&store, machine, minute(9), &mut Vec::new()).expect("a sync"));
        assert!(fs::read_to_string(&own).expect("read").contains("2027-01-01"));
        fs::remove_file(&own).expect("removed");
    }
}

#[test]
fn a_sync_that_was_killed_leaves_nothing_beside() {
    let store = Store::in_memory().expect("a store");
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join(".infralens-infralens-0000000000000001.jsonl.x7Yz"), "half")
        .expect("written");
    fs::write(folder.path().join(".infralens-infralens-0000000000000002.jsonl.x7Yz"), "half")
        .expect("written");
    let machine = ("0000000000000001", folder.path());
    bring_together(&store, machine, minute(9), &mut Vec::new()).expect("a sync");
    let mut names: Vec<String> = fs::read_dir(folder.path())
        .expect("a folder")
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    let others = ".infralens-infralens-0000000000000002.jsonl.x7Yz";
    assert_eq!(names, [others, "infralens-0000000000000001.jsonl"], "another machine clears its own");
}
