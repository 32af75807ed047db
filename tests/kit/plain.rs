//! The line-mode face as tests use it: lines in, text out; time is given, nothing sleeps.

use infralens::line::Plain;
use infralens::pack::{self, Pack};
use infralens::services::Services;
use infralens::services::library::Library;
use infralens::store::Store;
use jiff::Timestamp;
use jiff::tz::TimeZone;

/// Some seconds after a fixed moment.
pub fn at(seconds: i64) -> Timestamp {
    Timestamp::from_second(1_790_000_000 + seconds).unwrap()
}

/// The face on a store in memory.
pub fn face(pack: Pack) -> Plain {
    face_on(pack, Store::in_memory().unwrap())
}

pub fn face_on(pack: Pack, store: Store) -> Plain {
    let library = Library { packs: vec![pack], broken: vec![] };
    let work = std::env::temp_dir().join("infralens-plain-tests");
    Plain::new(Services::new(library, store, TimeZone::UTC, work), vec![], 78)
}

pub fn built_in() -> Pack {
    pack::load(&infralens::built_in::ORIGIN).pack.unwrap()
}

/// Gives lines, a second apart, and collects what is said.
pub fn say(face: &mut Plain, from: i64, lines: &[&str]) -> String {
    let mut said = String::new();
    for (i, line) in lines.iter().enumerate() {
        said.push_str(&face.line(line, at(from + i as i64)));
    }
    said
}

pub fn has(text: &str, wanted: &str) {
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains(wanted), "no “{wanted}” in\n{text}");
}

/// What no line may hold: escapes and other control characters, box drawing, blocks, braille.
pub fn assert_plain(text: &str) {
    for c in text.chars() {
        let bad = c.is_control() && c != '\n';
        let drawn = ('\u{2500}'..='\u{259f}').contains(&c) || ('\u{2800}'..='\u{28ff}').contains(&c);
        assert!(!bad && !drawn, "{c:?} in\n{text}");
    }
}
