//! Any files whatever are a pack or a report, and the report is harmless to print.
#![no_main]

use std::collections::BTreeMap;

use infralens_course::doc::escape;
use infralens_course::pack;
use infralens_fuzz::texts;
use libfuzzer_sys::fuzz_target;

const PATHS: [&str; 5] =
    ["lessons/a.toml", "quizzes/a.toml", "glossary.toml", "claims.toml", "pack.toml"];
const MANIFEST: &str = "format = 1\nid = \"m\"\ntitle = \"M\"\nversion = \"1\"\nauthors = [\"a\"]\n\
    licence = \"MIT\"\nabout = \"A pack.\"\nlessons = [\"a\"]\n";

fuzz_target!(|data: &[u8]| {
    let mut files = BTreeMap::from([("pack.toml".to_owned(), MANIFEST.as_bytes().to_vec())]);
    for (path, text) in PATHS.into_iter().zip(texts(data)) {
        files.insert(path.to_owned(), text.into_bytes());
    }
    let loaded = pack::check_files(files);
    assert!(loaded.pack.is_some() || !loaded.problems.is_empty());
    for problem in &loaded.problems {
        assert!(!problem.cure.is_empty(), "no cure: {problem}");
        assert!(!problem.to_string().chars().any(|c| c != '\n' && escape::is_harmful(c)), "{problem:?}");
    }
});
