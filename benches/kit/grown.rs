//! Large packs out of the small one of `pack new`.
#![allow(clippy::unwrap_used, missing_docs)]

use std::fs;
use std::path::Path;

const DRILLS_PER_LESSON: usize = 10;

/// Multiplies the one lesson of a new pack; gives the bytes of TOML written.
pub fn grow(pack: &Path, lessons: usize) -> usize {
    let read = |name: &str| fs::read_to_string(pack.join(name)).unwrap();
    let (lesson, quiz, manifest) =
        (read("lessons/first.toml"), read("quizzes/first.toml"), read("pack.toml"));
    let (checks, drill) = quiz.split_at(quiz.find("[[drill]]").unwrap());
    fs::remove_file(pack.join("lessons/first.toml")).unwrap();
    fs::remove_file(pack.join("quizzes/first.toml")).unwrap();
    let mut bytes = 0;
    let mut ids = Vec::new();
    for n in 0..lessons {
        let id = format!("lesson-{n}");
        let text = lesson
            .replace("id = \"first\"", &format!("id = \"{id}\""))
            .replace("[[lab]]\nid = \"average\"", &format!("[[lab]]\nid = \"average-{n}\""));
        let mut quizzes = checks
            .replace("lesson = \"first\"", &format!("lesson = \"{id}\""))
            .replace("average-of-two", &format!("average-of-two-{n}"));
        for m in 0..DRILLS_PER_LESSON {
            quizzes.push_str(&drill.replace("average-or-median", &format!("average-or-median-{n}-{m}")));
        }
        bytes += text.len() + quizzes.len();
        fs::write(pack.join(format!("lessons/{id}.toml")), text).unwrap();
        fs::write(pack.join(format!("quizzes/{id}.toml")), quizzes).unwrap();
        ids.push(format!("\"{id}\""));
    }
    let glossary = read("glossary.toml").replace("\"first\"", "\"lesson-0\"");
    fs::write(pack.join("glossary.toml"), glossary).unwrap();
    let manifest = manifest.replace("[\"first\"]", &format!("[{}]", ids.join(", ")));
    fs::write(pack.join("pack.toml"), manifest).unwrap();
    bytes
}
