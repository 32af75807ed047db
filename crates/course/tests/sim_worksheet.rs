//! Worksheets as packs and learners meet them.

use std::collections::{BTreeMap, BTreeSet};

use infralens_course::sim::worksheet::{self, CHECKERS, Texts};
use proptest::prelude::*;

fn texts(pairs: &[(&str, &str)]) -> Texts {
    pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect()
}

fn ledger() -> Texts {
    texts(&[
        ("N", "7.5 billion"),
        ("d", "64"),
        ("expect.z1", "zero_state_bytes(N, d, 1) / GB"),
        ("unit.z1", "GB"),
        ("tolerance.z1", "1"),
        ("why.z1", "weights and gradients stay whole: 4 bytes, and 12/d of optimizer"),
        ("cell.z3", "zero_state_bytes(N, d, 3) / GB"),
        ("unit.z3", "GB"),
        ("accept.link", "NVLink | NVSwitch"),
        ("require.saves", "cell.z3 < cell.z1"),
        ("why.saves", "stage 3 shards more than stage 1"),
    ])
}

fn codes(cells: &[(&str, &str)], ok: bool) -> Vec<String> {
    let findings = worksheet::check("table", &ledger(), &texts(cells));
    findings.into_iter().filter(|f| f.ok == ok).map(|f| f.code).collect()
}

#[test]
fn a_table_compares_numbers_texts_and_conditions() {
    let all = ["link", "z1", "z3", "saves"];
    assert_eq!(codes(&[("z1", "31.4 GB"), ("z3", "1.87e9 B"), ("link", "nvlink")], true), all);
    assert_eq!(codes(&[("z1", "33"), ("z3", "1.87"), ("link", "NV-Switch")], false), ["z1"]);
    assert_eq!(codes(&[("z1", "1"), ("z3", "1.87"), ("link", "PCIe")], false), ["link", "z1", "saves"]);
    assert_eq!(codes(&[("z1", "soon"), ("z3", "1.87"), ("link", "nvlink")], false), ["z1", "saves"]);
    assert_eq!(codes(&[], false), all);
}

#[test]
fn a_wrong_number_brings_the_authors_words_and_the_working() {
    let findings = worksheet::check("table", &ledger(), &texts(&[("z1", "120")]));
    let z1 = findings.iter().find(|f| f.code == "z1").expect("z1");
    assert_eq!(z1.what, "120 GB is not right");
    assert_eq!(z1.numbers, "zero_state_bytes(N, d, 1) / GB = 31.4 GB");
    assert!(z1.cure.starts_with("weights and gradients stay whole"));
}

#[test]
fn authors_are_told_of_faults() {
    let cells: BTreeSet<&str> = ["z1", "z3", "link"].into();
    assert_eq!(worksheet::faults("table", &ledger(), &cells), Vec::<String>::new());
    let mut broken = ledger();
    broken.extend(texts(&[
        ("expect.z9", "1"),
        ("expect.z3", "zero_state_bytes(N, q, 3)"),
        ("require.saves", "cell.nowhere <"),
        ("colour.z1", "red"),
        ("tolerance.z1", "much"),
        ("K", "1 +"),
    ]));
    let more: BTreeSet<&str> = ["z1", "z3", "link", "free"].into();
    let found = worksheet::faults("table", &broken, &more).join("\n");
    for part in ["expect.z9", "uses `q`", "`saves`", "colour.z1", "tolerance.z1", "cell `free`", "`K`"] {
        assert!(found.contains(part), "{part}: {found}");
    }
    assert!(worksheet::faults("tabel", &ledger(), &cells)[0].contains("parallel-plan"));
}

#[test]
fn an_unknown_checker_refuses() {
    let findings = worksheet::check("nobody", &Texts::new(), &Texts::new());
    assert!(!worksheet::accepted(&findings));
}

#[test]
fn checkers_say_what_they_know() {
    for checker in CHECKERS {
        assert!(!checker.about.is_empty() && !checker.given.is_empty() && !checker.cells.is_empty());
        assert!(worksheet::checker(checker.name).is_some());
    }
}

#[test]
fn the_list_of_checkers_in_the_docs_is_the_one_in_the_code() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/worksheets.md");
    let made = worksheet::markdown();
    if std::env::var_os("INFRALENS_WRITE_DOCS").is_some() {
        std::fs::write(&path, &made).expect("docs can be written");
    }
    let kept = std::fs::read_to_string(&path).expect("docs/worksheets.md is there");
    assert!(kept == made, "out of date; run INFRALENS_WRITE_DOCS=1 cargo test --test sim_worksheet");
}

fn any_texts(names: Vec<&'static str>) -> impl Strategy<Value = Texts> {
    let value = prop_oneof![
        "[ -~]{0,12}",
        prop::sample::select(vec![
            "0",
            "-1",
            "1e18",
            "NaN",
            "8",
            "64",
            "1e300",
            "18446744073709551616",
            "3.5",
            "tp-pp",
            "none"
        ])
        .prop_map(str::to_owned),
    ];
    proptest::collection::vec((prop::sample::select(names), value), 0..12)
        .prop_map(|pairs| pairs.into_iter().map(|(k, v)| (k.to_owned(), v)).collect::<BTreeMap<_, _>>())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_cells_give_findings(
        cells in any_texts(vec![
            "tp", "pp", "dp", "cp", "ep", "experts", "zero", "recompute", "micro_batch", "chunks", "order", "placement",
            "total", "tp.bytes", "dp.link", "bottleneck", "sequence", "global_batch", "gradient_bytes", "model", "reason",
        ]),
        given in any_texts(vec!["model", "nodes", "per_node", "memory", "nic", "rate", "bubble_limit", "hidden", "layers", "heads"]),
    ) {
        let findings = worksheet::check("parallel-plan", &given, &cells);
        prop_assert!(!findings.is_empty());
        for finding in &findings {
            prop_assert!(!finding.what.is_empty());
        }
        let ids: BTreeSet<&str> = cells.keys().map(String::as_str).collect();
        let _ = worksheet::faults("parallel-plan", &given, &ids);
    }

    #[test]
    fn any_table_gives_findings(
        cells in any_texts(vec!["a", "b", "c"]),
        given in any_texts(vec!["x", "y", "expect.a", "cell.b", "unit.a", "tolerance.a", "accept.c", "require.r", "why.a", "odd.q"]),
    ) {
        let _ = worksheet::check("table", &given, &cells);
        let ids: BTreeSet<&str> = cells.keys().map(String::as_str).collect();
        let _ = worksheet::faults("table", &given, &ids);
    }
}
