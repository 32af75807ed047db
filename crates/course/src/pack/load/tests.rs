//! What comes of small packs, good and bad.

use super::*;
use crate::pack::bounds::PUZZLES;

const STARTER: &str = "x = 1\n\nx = 1\ny = 2\n";
const MANIFEST: &str = r#"
    format = 1
    id = "tiny"
    title = "Tiny"
    version = "1"
    authors = ["a"]
    licence = "MIT"
    about = "A pack for a test."
    lessons = ["one"]
"#;
const LESSON: &str = r#"
    id = "one"
    title = "One"
    summary = "s"
    minutes = 1
    [section]
    problem = "p"
    mechanism = "m"
    say = "s"
    [[lab]]
    id = "lab-one"
    title = "Lab"
    minutes = 5
    goal = "g"
    mental_model = "m"
    starter = "a.py"
    notice = ["n"]
    prevents = ["p"]
    say = "s"
    intuition = "i"
    [[lab.block]]
    title = "Block"
    [[lab.block.note]]
    at = "x = 1"
    text = "first"
    [[lab.block.note]]
    at = "x = 1"
    to = "y = 2"
    text = "second"
"#;

fn read_memory(files: &[(&str, &str)]) -> Loaded {
    let map = files.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec())).collect();
    read_files(&Origin::Folder("memory".into()), &Files::Memory(map), Depth::Full)
}

#[test]
fn a_small_pack_loads_with_its_notes_in_place() {
    let loaded =
        read_memory(&[("pack.toml", MANIFEST), ("lessons/one.toml", LESSON), ("assets/a.py", STARTER)]);
    let pack = loaded.pack.expect("the pack is good");
    let notes = &pack.lessons[0].labs[0].blocks[0].notes;
    assert_eq!((notes[0].lines.clone(), notes[1].lines.clone()), (0..1, 2..4));
    assert_eq!(pack.parts.len(), 5);
}

#[test]
fn a_newer_format_is_the_only_thing_said() {
    let text = "format = 2\nwhat = 'ever'\n";
    let loaded = read_memory(&[("pack.toml", text)]);
    assert!(loaded.pack.is_none());
    assert_eq!(
        loaded.problems[0].to_string(),
        "pack.toml:1:10: the pack is in format 2; this program reads format 1 — install a \
         newer infralens, or ask the author for a pack in format 1\n    1 | format = 2\n      \
         |          ^"
    );
    assert_eq!(loaded.problems.len(), 1);
}

fn report(loaded: &Loaded) -> String {
    loaded.problems.iter().map(|p| format!("{p}\n")).collect()
}

fn memory(files: &[(&str, &str)]) -> Files {
    let bytes = |(path, text): &(&str, &str)| ((*path).to_owned(), text.as_bytes().to_vec());
    Files::Memory(files.iter().map(bytes).collect())
}

fn small_pack_with(path: &str, text: &str) -> Loaded {
    let files = [("pack.toml", MANIFEST), ("lessons/one.toml", LESSON), ("assets/a.py", STARTER)];
    let others = files.into_iter().filter(|(name, _)| *name != path);
    read_memory(&others.chain([(path, text)]).collect::<Vec<_>>())
}

#[test]
fn a_byte_order_mark_and_line_ends_of_windows_are_taken() {
    let lesson = format!("\u{feff}{}", LESSON.replace('\n', "\r\n"));
    assert!(small_pack_with("lessons/one.toml", &lesson).pack.is_some());
    let starter = format!("\u{feff}{}", STARTER.replace('\n', "\r\n"));
    let pack = small_pack_with("assets/a.py", &starter).pack.expect("the pack is good");
    assert_eq!(pack.lessons[0].labs[0].starter.text, STARTER);
}

#[test]
fn an_empty_manifest_is_the_only_thing_said() {
    let glossary = "[[term]]\nid = \"a\"\nname = \"A\"\ndefinition = \"[[b]]\"\nlesson = \"one\"\n";
    let loaded = read_memory(&[("pack.toml", ""), ("lessons/one.toml", LESSON), ("glossary.toml", glossary)]);
    assert!(loaded.problems.iter().all(|p| p.path == "pack.toml"), "{}", report(&loaded));
    assert!((1..12).contains(&loaded.problems.len()));
}

#[test]
fn the_manifest_stands_first_in_a_report() {
    let manifest = MANIFEST.replace("authors", "autors");
    let lesson = LESSON.replace("minutes = 1\n", "minutes = 0\n");
    let files = [("pack.toml", &manifest[..]), ("lessons/one.toml", &lesson), ("assets/a.py", STARTER)];
    let loaded = read_memory(&files);
    assert_eq!(loaded.problems[0].path, "pack.toml", "{}", report(&loaded));
    assert!(loaded.problems.iter().any(|p| p.path == "lessons/one.toml"));
}

#[test]
fn a_quote_that_differs_by_a_blank_alone_says_which() {
    let lesson = LESSON.replace("to = \"y = 2\"", "to = \"y\u{a0}= 2\"");
    let said = report(&small_pack_with("lessons/one.toml", &lesson));
    assert!(said.contains("U+00A0 as its character 2, where line 4 of the starter has U+0020"), "{said}");
}

#[test]
fn a_table_may_have_an_empty_head() {
    let table =
        "[[section.table]]\nid = \"t\"\ntitle = \"T\"\ncolumns = [\"\", \"b\"]\nrows = [[\"\", \"1\"]]\n";
    let lesson = LESSON.replace("[[lab]]", &format!("{table}\n[[lab]]"));
    let loaded = small_pack_with("lessons/one.toml", &lesson);
    assert!(loaded.pack.is_some(), "{}", report(&loaded));
}

/// A lesson with another mechanism.
fn mechanism(text: &str) -> String {
    LESSON.replace("mechanism = \"m\"", &format!("mechanism = '''\n{text}'''"))
}

/// Each of these once kept the program busy for seconds, or filled the memory.
#[test]
fn what_takes_long_to_read_or_to_draw_is_refused_at_every_depth() {
    let picture = "x\n".repeat(9_000);
    let diagram = format!("[[section.diagram]]\nid = \"d\"\ntitle = \"D\"\ntext = '''\n{picture}'''\n");
    let placed = mechanism(&"{diagram d}\n".repeat(2_000));
    let placed = placed.replace("[[lab]]", &format!("{diagram}\n[[lab]]"));
    let definitions: String = (0..10_000).map(|n| format!("[a{n}]: b\n")).collect();
    let code = format!("```\n{}\n```\n", "[".repeat(20_000));
    for (lesson, word) in [
        (mechanism(&"{{".repeat(100_000)), "at most 32768"),
        (mechanism(&"{{".repeat(10_000)), "more than 500 computed numbers"),
        (mechanism(&definitions), "at most 32768"),
        (mechanism(&"[^a]".repeat(5_000)), "more than 1000 square brackets"),
        (mechanism(&code), "more than 1000 square brackets"),
        (placed, "is placed twice"),
        (format!("extra = [{}]\n{LESSON}", "1,".repeat(50_000)), "more than 40000 values"),
    ] {
        let files =
            memory(&[("pack.toml", MANIFEST), ("lessons/one.toml", &lesson), ("assets/a.py", STARTER)]);
        for depth in [Depth::Quick, Depth::Told, Depth::Full] {
            let loaded = read_files(&Origin::Folder("memory".into()), &files, depth);
            assert!(loaded.pack.is_none(), "{word} at {depth:?}");
            assert!(report(&loaded).contains(word), "{word} at {depth:?}: {}", report(&loaded));
        }
    }
}

#[test]
fn more_puzzles_than_a_pack_may_have_are_refused() {
    let puzzle = |n: usize| {
        format!(
            "[[puzzle]]\nid = \"p{n}\"\ntitle = \"P\"\ngoal = \"g\"\nsim = \"ring\"\nmaximise = \"size\"\n\
             label = \"size\"\nunit = \"MiB\"\npar = \"1 MiB\"\nexplain = \"e\"\n\
             [[puzzle.knob]]\nname = \"size\"\n"
        )
    };
    let quiz: String = (0..=PUZZLES).map(puzzle).collect();
    let quiz = format!("lesson = \"one\"\n{quiz}");
    let files = [
        ("pack.toml", MANIFEST),
        ("lessons/one.toml", LESSON),
        ("assets/a.py", STARTER),
        ("quizzes/q.toml", &quiz),
    ];
    let loaded = read_files(&Origin::Folder("memory".into()), &memory(&files), Depth::Told);
    assert!(report(&loaded).contains("more than 400 puzzles"), "{}", report(&loaded));
}

#[cfg(unix)]
#[test]
fn links_to_folders_are_not_followed() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("a file");
    for name in ["lessons", "quizzes", "assets"] {
        std::fs::create_dir(folder.path().join(name)).expect("a folder");
    }
    write("pack.toml", MANIFEST);
    write("lessons/one.toml", LESSON);
    write("assets/a.py", STARTER);
    for n in 0..60 {
        let link = folder.path().join(format!("quizzes/l{n}"));
        std::os::unix::fs::symlink(".", link).expect("a link");
    }
    let loaded = load(&Origin::Folder(folder.path().to_owned()));
    assert!(report(&loaded).contains("quizzes/l7:1:1: it is a link to a folder"), "{}", report(&loaded));
    assert_eq!(loaded.problems.len(), 60);
}
