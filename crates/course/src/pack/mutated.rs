//! Thousands of packs made from pieces of the built-in course and damaged: each is a pack or a report, none ends in
//! a panic.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::Origin;
use super::desk::Depth;
use super::files::Files;
use super::load::read_files;
use crate::study::seed::Seed;

const MANIFEST: &str = "format = 1\nid = \"m\"\ntitle = \"M\"\nversion = \"1\"\nauthors = [\"a\"]\n\
    licence = \"MIT\"\nabout = \"A pack.\"\nlessons = [\"ddp\"]\n";
/// What people and editors put where it does not belong.
const SLIPS: [&str; 30] = [
    "“",
    "”",
    "é",
    "\u{a0}",
    "\u{feff}",
    "\0",
    "\\é",
    "\\u12é",
    "\\U0010ffff",
    "\"\"\"",
    "'''",
    "'",
    "\"",
    "{{",
    "}}",
    "{{1/0:é}}",
    "[[",
    "]]",
    "[[é]]",
    "[x](sim:é?é=1)",
    "{diagram é}",
    "= é",
    "\n[[drill]]\n",
    "=",
    "\\",
    "\r",
    "#",
    "1e999",
    "-",
    "日本",
];

/// The tables of a file, each with its head.
fn pieces(text: &str) -> Vec<&str> {
    let mut starts: Vec<usize> = text.match_indices("\n[").map(|(at, _)| at + 1).collect();
    starts.insert(0, 0);
    starts.push(text.len());
    starts.windows(2).map(|w| &text[w[0]..w[1]]).filter(|piece| piece.len() < 3_000).collect()
}

fn seeds(folder: &str) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder);
    let mut paths: Vec<_> = fs::read_dir(&root).expect("a folder").flatten().map(|e| e.path()).collect();
    paths.sort();
    paths.iter().map(|path| fs::read_to_string(path).expect("a file")).collect()
}

fn damage(text: &mut String, seed: &mut Seed) {
    let at = text.floor_char_boundary(seed.below(text.len() + 1));
    let end = text.floor_char_boundary((at + seed.below(40)).min(text.len())).max(at);
    match seed.below(5) {
        0 => text.replace_range(at..end, ""),
        1 => text.insert_str(at, SLIPS[seed.below(SLIPS.len())]),
        2 => text.replace_range(at..end, SLIPS[seed.below(SLIPS.len())]),
        3 => {
            let copy = text[at..end].to_owned();
            text.insert_str(at, &copy);
        }
        // a value that lost its quotes, or got those of a word processor
        _ => {
            let quotes: Vec<usize> = text.match_indices('"').map(|(at, _)| at).collect();
            if let Some(quote) = quotes.get(seed.below(quotes.len().max(1))) {
                text.replace_range(quote..&(quote + 1), SLIPS[seed.below(4)]);
            }
        }
    }
}

fn damaged(pieces: &[&str], seed: &mut Seed) -> String {
    let mut text = String::new();
    for _ in 0..=seed.below(3) {
        text.push_str(pieces[seed.below(pieces.len())]);
    }
    for _ in 0..=seed.below(3) {
        damage(&mut text, seed);
    }
    text
}

#[test]
fn a_damaged_pack_is_a_pack_or_a_report() {
    const PACKS: usize = 3_000;
    let lessons = seeds("lessons");
    let quizzes: Vec<String> =
        ["quizzes/checks", "quizzes/drills", "quizzes/puzzles"].into_iter().flat_map(seeds).collect();
    let glossary = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../glossary.toml"));
    let glossary = glossary.expect("the glossary");
    let lessons: Vec<&str> = lessons.iter().flat_map(|text| pieces(text)).collect();
    let quizzes: Vec<&str> = quizzes.iter().flat_map(|text| pieces(text)).collect();
    let words = pieces(&glossary);
    let mut seed = Seed::new(7);
    for nth in 0..PACKS {
        let mut manifest = MANIFEST.to_owned();
        if nth % 7 == 0 {
            damage(&mut manifest, &mut seed);
        }
        let files = [
            ("pack.toml", manifest),
            ("lessons/ddp.toml", damaged(&lessons, &mut seed)),
            ("quizzes/ddp.toml", damaged(&quizzes, &mut seed)),
            ("glossary.toml", damaged(&words, &mut seed)),
            ("assets/lab01_ddp_buckets.py", "import os\nx = 1\n".to_owned()),
        ];
        let bytes = |(path, text): &(&str, String)| ((*path).to_owned(), text.clone().into_bytes());
        let held = Files::Memory(files.iter().map(bytes).collect::<BTreeMap<_, _>>());
        let depth = [Depth::Quick, Depth::Told, Depth::Full][nth % 3];
        let read = std::panic::AssertUnwindSafe(|| read_files(&Origin::Folder("m".into()), &held, depth));
        let Ok(loaded) = std::panic::catch_unwind(read) else {
            panic!("pack {nth} at {depth:?}: {files:#?}")
        };
        assert!(loaded.pack.is_some() || !loaded.problems.is_empty(), "{files:#?}");
        for problem in &loaded.problems {
            assert!(!problem.to_string().is_empty() && !problem.cure.is_empty());
        }
    }
}
