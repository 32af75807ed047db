//! What the first release wrote opens, and nothing of it is lost: a store, an export, a pack.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use infralens::pack::{self, Origin};
use infralens::score::{self, Verdict};
use infralens::store::{Filter, Source, Store};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::Value;

use crate::kit::carry::exported;
use crate::kit::store::PACK;

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/first-release")
}

fn unpacked(name: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let file = fs::File::open(fixtures().join(name)).expect("a fixture");
    GzDecoder::new(file).read_to_end(&mut bytes).expect("it is compressed");
    bytes
}

/// The store of the first release, opened by this program.
fn opened(folder: &Path) -> Store {
    fs::write(folder.join("infralens.db"), unpacked("infralens.db.gz")).expect("written");
    Store::open(folder).expect("it opens")
}

fn now() -> Timestamp {
    "2026-11-23T03:00:00Z".parse().expect("a time")
}

fn records(export: &str) -> Vec<Value> {
    export.lines().skip(1).map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// Whether a value holds all that another held; it may have learned more fields since.
fn holds(now: &Value, then: &Value) -> bool {
    match (now, then) {
        (Value::Object(now), Value::Object(then)) => {
            then.iter().all(|(name, value)| now.get(name).is_some_and(|now| holds(now, value)))
        }
        (Value::Array(now), Value::Array(then)) => {
            now.len() == then.len() && now.iter().zip(then).all(|(now, then)| holds(now, then))
        }
        _ => now == then,
    }
}

/// What was planned for one day is of one machine, and is no longer carried.
fn is_carried(record: &Value) -> bool {
    record["record"] != "setting" || record["key"] != "today"
}

#[test]
fn a_store_of_the_first_release_opens_and_keeps_everything() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = opened(folder.path());
    assert_eq!(store.set_aside(), None);
    let now_has = records(&exported(&store));
    let then_had = records(std::str::from_utf8(&unpacked("export.jsonl.gz")).expect("UTF-8"));
    assert_eq!(then_had.len(), 23, "the fixture is whole");
    for then in then_had.iter().filter(|record| is_carried(record)) {
        assert!(now_has.iter().any(|now| holds(now, then)), "lost: {then}");
    }
}

#[test]
fn home_and_the_pages_behind_it_show_what_the_first_release_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = opened(folder.path());
    let home = store.home(PACK, now(), &TimeZone::UTC).expect("a home");
    assert_eq!((home.attempts, home.today.attempts, home.alone), (4, 4, 0));
    assert!(home.lessons["overview"].read);
    assert_eq!((home.lessons["ddp"].checks, home.lessons["ddp"].drills), (1, 1));
    assert_eq!(home.strengths.cells.len(), 5);
    let mut drafts: Vec<&str> = home.drafts.iter().map(|draft| draft.text.as_str()).collect();
    drafts.sort_unstable();
    assert_eq!(drafts, ["My draft that is not finished says that gradients are averaged.", "half an answer"]);
    let answers = store.history(&Filter::default(), 10).expect("a history");
    assert_eq!(answers.len(), 4);
    assert!(answers[3].answer.starts_with("Each rank keeps a full replica"));
    let verdict = |part: &str| answers[3].marks().find(|mark| mark.part == part).map(|mark| mark.verdict);
    assert_eq!(verdict("mechanism"), Some(Verdict::Covered));
    assert_eq!(verdict("measurement"), Some(Verdict::Missing));
    assert!(answers[3].score.parts.iter().all(|part| part.sure), "its marks stand as they were given");
    assert_eq!(store.ratings(PACK, 10).expect("ratings")[0].own, 0.5);
    assert_eq!(store.disputes(PACK).expect("disputes").len(), 1);
    assert_eq!(store.cards(PACK).expect("cards").len(), 2);
    assert_eq!(store.setting("interview").expect("a setting").as_deref(), Some("2026-12-20"));
    let run = home.unfinished.expect("a rehearsal was broken off");
    assert!(store.take_rehearsal(&run, now()).expect("read").is_some_and(|run| run.prompts.len() == 5));
}

#[test]
fn an_export_of_the_first_release_brings_the_same_as_its_store() {
    let folder = tempfile::tempdir().expect("a folder");
    let upgraded = exported(&opened(folder.path()));
    let store = Store::in_memory().expect("a store");
    let export = unpacked("export.jsonl.gz");
    let imported = store.import(&export[..], Source::OwnMachine, now()).expect("an import");
    assert_eq!(imported.taken as usize, records(&upgraded).len());
    assert_eq!(exported(&store), upgraded);
    let again = store.import(&export[..], Source::OwnMachine, now()).expect("an import");
    assert_eq!(again.taken, 0, "a second time brings nothing new");
}

#[test]
fn a_pack_of_the_first_release_loads_and_marks_its_drill() {
    let loaded = pack::load(&Origin::Folder(fixtures().join("pack")));
    assert!(loaded.problems.is_empty(), "{:?}", loaded.problems);
    let pack = loaded.pack.expect("a pack");
    assert_eq!((pack.lessons.len(), pack.drills.len(), pack.checks.len()), (1, 1, 1));
    let drill = &pack.drills[0];
    let marks = |answer: &str| score::score(&drill.rubric, &pack.vocabulary, answer).score;
    assert!(marks(&drill.model) > 0.5 && marks("I do not know.") == 0.0);
}
