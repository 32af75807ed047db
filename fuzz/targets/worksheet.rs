//! Any cells of any worksheet are checked, with words or without.
#![no_main]

use std::collections::{BTreeMap, BTreeSet};

use infralens_course::sim::worksheet::{self, CHECKERS};
use infralens_fuzz::texts;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let texts = texts(data);
    for checker in CHECKERS {
        let names: Vec<&str> = checker.cells.iter().map(|(name, _)| *name).collect();
        let cells: BTreeMap<String, String> =
            names.iter().map(|name| (*name).to_owned()).zip(texts.iter().cloned()).collect();
        let given: BTreeMap<String, String> =
            texts.chunks_exact(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect();
        let _ = worksheet::check(checker.name, &given, &cells);
        let _ = worksheet::faults(checker.name, &given, &names.iter().copied().collect::<BTreeSet<_>>());
    }
});
