//! What changed in a pack, and that progress survives it.
#![allow(clippy::unwrap_used)]

use crate::kit::carry::exported;
use crate::kit::pack as kit;

use infralens::store::Store;
use infralens::study::change::{Change, changes, fingerprints};
use infralens::study::schedule::{Grade, Item, ItemKind, Schedule, is_known};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use kit::pack;

fn said(changes: &[Change]) -> Vec<String> {
    changes.iter().map(ToString::to_string).collect()
}

#[test]
fn a_pack_read_twice_has_not_changed() {
    assert_eq!(changes(&fingerprints(&pack()), &fingerprints(&pack())), []);
}

#[test]
fn rewording_is_told_from_a_change_of_meaning() {
    let old = fingerprints(&pack());
    let mut new = pack();
    new.lessons[0].section.mechanism = "Other words.".into();
    new.drills[0].model = "Better words.".into();
    new.drills[1].rubric.points[0].matches.push("another pattern".into());
    new.drills.remove(5);
    new.drills.push(kit::drill("tp", 3));
    assert_eq!(
        said(&changes(&old, &fingerprints(&new))),
        [
            "lesson “DDP” was reworded",
            "drill “Explain tp-3.” is new",
            "drill “Explain ddp-1.” was reworded",
            "drill “Explain ddp-2.” changed in meaning",
            "drill “Explain tp-2.” was removed; your progress with it is kept",
        ]
    );
}

#[test]
fn words_that_move_from_one_field_to_the_next_count() {
    let old = fingerprints(&pack());
    let mut new = pack();
    new.lessons[0].section.problem = "Memory.Shards.".into();
    new.lessons[0].section.mechanism = String::new();
    assert_eq!(changes(&old, &fingerprints(&new)).len(), 1);
}

#[test]
fn the_store_keeps_the_edition_that_was_seen() {
    let store = Store::in_memory().unwrap();
    assert_eq!(store.edition("course").unwrap(), None);
    let seen = fingerprints(&pack());
    store.see_edition("course", "1.0.0", &seen, Timestamp::UNIX_EPOCH).unwrap();
    let edition = store.edition("course").unwrap().unwrap();
    assert_eq!((&edition.version[..], edition.content), ("1.0.0", seen));
}

#[test]
fn a_card_of_a_removed_drill_is_not_due_and_comes_back_with_it() {
    let store = Store::in_memory().unwrap();
    let schedule = Schedule::new(TimeZone::UTC);
    let now = Timestamp::from_second(1_790_000_000).unwrap();
    for id in ["tp-1", "tp-2"] {
        let item = Item { kind: ItemKind::Drill, id: id.into() };
        store.record_review("course", &item, Grade::Again, (&schedule, now)).unwrap();
    }
    let due = || store.home("course", now, &TimeZone::UTC).unwrap().due.drills;
    assert_eq!(due(), 2);
    let mut smaller = pack();
    smaller.drills.retain(|d| d.id != "tp-2");
    store.sift_cards("course", |item| is_known(&smaller, item)).unwrap();
    assert_eq!((due(), store.cards("course").unwrap().len()), (1, 1));
    store.sift_cards("course", |item| is_known(&pack(), item)).unwrap();
    assert_eq!(due(), 2);
}

#[test]
fn an_overruled_grade_replaces_the_last() {
    let store = Store::in_memory().unwrap();
    let schedule = Schedule::new(TimeZone::UTC);
    let item = Item { kind: ItemKind::Drill, id: "tp-1".into() };
    let at = |day: i64| Timestamp::from_second(1_790_000_000 + day * 86_400).unwrap();
    assert_eq!(store.overrule("course", &item, Grade::Good, &schedule).unwrap(), None);
    store.record_review("course", &item, Grade::Good, (&schedule, at(0))).unwrap();
    store.record_review("course", &item, Grade::Again, (&schedule, at(2))).unwrap();
    let card = store.overrule("course", &item, Grade::Good, &schedule).unwrap().unwrap();
    let grades: Vec<Grade> = store.reviews_of("course", &item).unwrap().into_iter().map(|(_, g)| g).collect();
    assert_eq!(grades, [Grade::Good, Grade::Good]);
    assert_eq!((card.reps, card.lapses), (2, 0));
    assert_eq!(store.card("course", &item).unwrap(), Some(card));
}

/// A pack with one lab that runs.
fn with_starter() -> infralens::pack::Pack {
    let mut pack = infralens::built_in::course();
    pack.lessons.truncate(2);
    pack
}

#[test]
fn trust_rests_on_all_that_decides_what_runs() {
    use infralens::pack::fingerprint;
    let first = fingerprint(&with_starter());
    assert_eq!(first, fingerprint(&with_starter()));
    assert!(first.strip_prefix("sha256-2:").is_some_and(|hex| hex.len() == 64), "{first}");
    let changes: [fn(&mut infralens::pack::Lab); 5] = [
        |lab| lab.starter.text.push(' '),
        |lab| lab.starter.language = "shell".into(),
        |lab| lab.starter.path = "other.py".into(),
        |lab| lab.id = "other".into(),
        // what moves from one piece into the next is another pack
        |lab| {
            let first = lab.starter.text.remove(0);
            lab.starter.language.push(first);
        },
    ];
    for (nth, change) in changes.into_iter().enumerate() {
        let mut pack = with_starter();
        change(pack.lessons.iter_mut().flat_map(|l| &mut l.labs).next().expect("a lab"));
        assert_ne!(fingerprint(&pack), first, "change {nth}");
    }
    let measured = || {
        let mut pack = with_starter();
        let lab = pack.lessons.iter_mut().flat_map(|l| &mut l.labs).next().expect("a lab");
        let code = |name: &str| infralens::pack::Code {
            path: format!("{name}.py"),
            text: name.into(),
            blocks: vec![],
        };
        lab.measure = Some(Box::new(infralens::pack::Measure {
            program: code("program"),
            imports: vec![code("first"), code("second")],
            guesses: vec![],
            rows: vec![],
            stored: String::new(),
        }));
        pack
    };
    let with_program = fingerprint(&measured());
    assert_ne!(with_program, first);
    let changes: [fn(&mut infralens::pack::Measure); 5] = [
        |measure| measure.program.text.push(' '),
        |measure| measure.program.path = "other.py".into(),
        |measure| measure.imports[1].text.push(' '),
        |measure| measure.imports[0].path = "torch.py".into(),
        |measure| measure.imports.swap(0, 1),
    ];
    for (nth, change) in changes.into_iter().enumerate() {
        let mut pack = measured();
        let lab = pack.lessons.iter_mut().flat_map(|l| &mut l.labs).next().expect("a lab");
        change(lab.measure.as_mut().expect("its program"));
        assert_ne!(fingerprint(&pack), with_program, "change {nth} of the program");
    }
    // what a run is compared with runs nothing
    let mut stored = measured();
    let lab = stored.lessons.iter_mut().flat_map(|l| &mut l.labs).next().expect("a lab");
    lab.measure.as_mut().expect("its program").stored.push(' ');
    assert_eq!(fingerprint(&stored), with_program);
    let mut moved = with_starter();
    moved.id = "other".into();
    assert_ne!(fingerprint(&moved), first);
    // a note changes nothing that runs
    let mut noted = with_starter();
    noted.lessons[0].title.push('!');
    assert_eq!(fingerprint(&noted), first);
}

#[test]
fn trust_that_was_given_by_an_older_fingerprint_is_asked_again() {
    let store = Store::in_memory().unwrap();
    let pack = with_starter();
    store.trust(&pack.id, "/home/a/pack", "8b1a9953c4611296", Timestamp::UNIX_EPOCH).unwrap();
    assert!(!store.is_trusted(&pack.id, "/home/a/pack", &infralens::pack::fingerprint(&pack)).unwrap());
}

#[test]
fn trust_ends_when_a_starter_changes() {
    let store = Store::in_memory().unwrap();
    let now = Timestamp::UNIX_EPOCH;
    let print = infralens::pack::fingerprint(&pack());
    store.trust("course", "/home/a/pack", &print, now).unwrap();
    assert!(store.is_trusted("course", "/home/a/pack", &print).unwrap());
    assert!(!store.is_trusted("course", "/home/b/pack", &print).unwrap());
    assert!(!store.is_trusted("course", "/home/a/pack", "0000").unwrap());
    assert!(!exported(&store).contains("/home/a"), "trust is not carried along");
}
