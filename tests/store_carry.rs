//! Export and import: everything, twice the same, the newer wins, nothing lost.
#![allow(clippy::unwrap_used)]

use crate::kit::carry::exported;
use crate::kit::pack;
use crate::kit::store as kit;

use infralens::score::{Claimed, Evidence, Reply, Verdict};
use infralens::store::{CheckAttempt, Dispute, Done, PuzzleBest, Source, Store, Target};
use infralens::study::attempt::{Claims, Mode};
use infralens::study::change::fingerprints;
use infralens::study::home::{Draft, Position};
use infralens::study::rating::Rating;
use infralens::study::rehearsal::{Rehearsal, Setup};
use infralens::study::schedule::{Grade, Item, ItemKind};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use kit::{PACK, attempt, minute, schedule};
use pack::pack as course;

/// A store that holds something of everything, at some minutes after the start.
fn filled(at: i64) -> Store {
    let store = Store::in_memory().unwrap();
    let id = |what: &str| format!("{what}-{at}");
    let now = minute(at);
    store
        .record_attempt(&attempt(&id("a"), ("ddp", "why-ddp"), now, &[("problem", 0.5)]), &schedule())
        .unwrap();
    let own = [("problem".to_owned(), Verdict::Covered)].into_iter().collect();
    store.rate_attempt(&id("a"), &Rating::of_parts(own).unwrap(), now).unwrap();
    store.claim(&store.attempt(&id("a")).unwrap().unwrap(), &claims(), now).unwrap();
    let note = Item { kind: ItemKind::Note, id: "01/x".into() };
    store.record_review(PACK, &note, Grade::Good, (&schedule(), now)).unwrap();
    let check = CheckAttempt {
        id: id("c"),
        pack: PACK.into(),
        check: "ring-bytes".into(),
        lesson: "allreduce".into(),
        at: now,
        right: at % 2 == 0,
        given: "3.5 GB".into(),
        hints: 1,
        seed: u64::MAX - 3,
        seconds: 20,
    };
    store.record_check(&check, &schedule()).unwrap();
    let dispute = Dispute {
        id: id("x"),
        attempt: id("a"),
        pack: PACK.into(),
        drill: "why-ddp".into(),
        target: Target::Point,
        item: "p1".into(),
        note: "I said \"so\"\n".into(),
        sentence: Some("Each rank holds “all”.".into()),
        at: now,
    };
    store.dispute(&dispute).unwrap();
    store.save_draft(&draft(&id("d"), "each rank", now)).unwrap();
    let run = Rehearsal::begin(&id("r"), Setup::screen(PACK, 1), Vec::new(), now);
    store.finish_rehearsal(&run, &run.report(&course())).unwrap();
    store.save_position(&place(at)).unwrap();
    store.mark_done(PACK, "ddp", Done::Lab("01-ddp"), now).unwrap();
    store.save_cell((PACK, "sheet"), "tp", &at.to_string(), now).unwrap();
    let best = PuzzleBest { best: 100.0 - at as f64, knobs: [("m".into(), 8.0)].into(), at: now };
    store.save_puzzle((PACK, "bubble"), &best).unwrap();
    store.set("theme", &format!("theme {at}"), now).unwrap();
    store.see_edition(PACK, "0.1.0", &fingerprints(&course()), now).unwrap();
    store
}

fn claims() -> Claims {
    let sentence = Evidence { start: 0, end: 6, text: "answer".into() };
    let claimed =
        Claimed { part: "problem".into(), point: "p1".into(), reply: Reply::Yes, sentence: Some(sentence) };
    Claims { claimed: vec![claimed], verdicts: [("problem".to_owned(), Verdict::Covered)].into() }
}

fn draft(id: &str, text: &str, at: Timestamp) -> Draft {
    Draft {
        id: id.into(),
        pack: PACK.into(),
        drill: "why-ddp".into(),
        mode: Mode::Practice,
        part: None,
        text: text.into(),
        seconds: 5,
        at,
    }
}

fn place(at: i64) -> Position {
    Position {
        pack: PACK.into(),
        lesson: "ddp".into(),
        lab: None,
        line: u32::try_from(at).unwrap(),
        scroll: 0,
        pane: "text".into(),
        at: minute(at),
    }
}

#[test]
fn an_export_carries_every_table() {
    let text = exported(&filled(3));
    for record in [
        "attempt",
        "rating",
        "claim",
        "dispute",
        "check",
        "review",
        "card",
        "draft",
        "rehearsal",
        "position",
        "done",
        "worksheet",
        "puzzle",
        "setting",
        "edition",
    ] {
        assert!(text.contains(&format!("{{\"record\":\"{record}\"")), "no {record} in\n{text}");
    }
    let copy = Store::in_memory().unwrap();
    let done = copy.import(text.as_bytes(), Source::Elsewhere, Timestamp::MAX).unwrap();
    assert_eq!(done.taken, text.lines().count() as u64 - 1);
    assert_eq!(exported(&copy), text);
    let home = |s: &Store| s.home(PACK, minute(9), &TimeZone::UTC).unwrap();
    assert_eq!(home(&copy), home(&filled(3)));
    assert_eq!(home(&copy).strengths.cells[0].claimed, 1);
    assert_eq!(copy.attempt("a-3").unwrap().unwrap().claims, Some(claims()));
}

#[test]
fn a_dispute_that_was_taken_back_does_not_come_back_with_an_older_export() {
    let store = filled(3);
    let before = exported(&store);
    assert_eq!(store.disputes(PACK).unwrap().len(), 1);
    store.undo_dispute("a-3", "p1", minute(3)).unwrap();
    assert_eq!(store.disputes(PACK).unwrap(), []);
    store.import(before.as_bytes(), Source::Elsewhere, Timestamp::MAX).unwrap();
    assert_eq!(store.disputes(PACK).unwrap(), []);
    let other = filled(3);
    other.import(exported(&store).as_bytes(), Source::Elsewhere, Timestamp::MAX).unwrap();
    assert_eq!(other.disputes(PACK).unwrap(), [], "it is taken back elsewhere too");
}

#[test]
fn an_import_done_twice_changes_nothing_more() {
    let text = exported(&filled(3));
    let copy = Store::in_memory().unwrap();
    copy.import(text.as_bytes(), Source::Elsewhere, Timestamp::MAX).unwrap();
    let again = copy.import(text.as_bytes(), Source::Elsewhere, Timestamp::MAX).unwrap();
    assert_eq!(again.taken, 0);
    assert_eq!(exported(&copy), text);
}

#[test]
fn two_machines_end_the_same_and_lose_no_attempt() {
    let (a, b) = (filled(3), filled(8));
    let (text_a, text_b) = (exported(&a), exported(&b));
    a.import(text_b.as_bytes(), Source::Elsewhere, Timestamp::MAX).unwrap();
    b.import(text_a.as_bytes(), Source::Elsewhere, Timestamp::MAX).unwrap();
    assert_eq!(exported(&a), exported(&b));
    let home = a.home(PACK, minute(9), &TimeZone::UTC).unwrap();
    assert_eq!(home.attempts, 2);
    assert_eq!(home.strengths, b.home(PACK, minute(9), &TimeZone::UTC).unwrap().strengths);
    assert_eq!(home.place, Some(place(8)), "the newer position wins");
    assert_eq!(a.setting("theme").unwrap().as_deref(), Some("theme 8"));
    assert_eq!(a.puzzles(PACK).unwrap()["bubble"].best, 92.0, "the better solution wins");
    assert_eq!(a.checks_of(PACK, "ring-bytes", 9).unwrap().len(), 2);
    assert_eq!(home.lessons["allreduce"].checks, 1, "the newer answer was right");
}

#[test]
fn records_of_one_time_end_the_same_in_any_order() {
    let (a, b) = (Store::in_memory().unwrap(), Store::in_memory().unwrap());
    a.set("theme", "dark", minute(1)).unwrap();
    b.set("theme", "light", minute(1)).unwrap();
    let (text_a, text_b) = (exported(&a), exported(&b));
    a.import(text_b.as_bytes(), Source::Elsewhere, Timestamp::MAX).unwrap();
    b.import(text_a.as_bytes(), Source::Elsewhere, Timestamp::MAX).unwrap();
    assert_eq!(a.setting("theme").unwrap(), b.setting("theme").unwrap());
}

#[test]
fn a_draft_that_was_answered_or_dropped_does_not_come_back() {
    let store = Store::in_memory().unwrap();
    store.save_draft(&draft("a", "one", minute(1))).unwrap();
    store.save_draft(&draft("b", "two", minute(1))).unwrap();
    let before = exported(&store);
    store
        .record_attempt(&attempt("a", ("ddp", "why-ddp"), minute(2), &[("problem", 1.0)]), &schedule())
        .unwrap();
    store.drop_draft("b", minute(2)).unwrap();
    store.import(before.as_bytes(), Source::Elsewhere, Timestamp::MAX).unwrap();
    assert_eq!(store.drafts(PACK).unwrap(), vec![]);
}

#[test]
fn a_bad_line_is_named_and_leaves_the_store_alone() {
    let good = exported(&filled(3));
    let cases = [
        ("not json", "is not a JSON object"),
        ("{\"at\":1}", "names no `record`"),
        ("{\"record\":\"poem\"}", "record `poem` is unknown"),
        ("{\"record\":\"setting\",\"key\":\"k\",\"value\":\"v\",\"at\":\"now\"}", "`at` is not a time"),
        ("{\"record\":\"setting\",\"key\":\"k\",\"at\":\"2026-01-01T00:00:00Z\"}", "NOT NULL"),
        ("{\"record\":\"setting\",\"sql\":\"v\"}", "a setting has no `sql`"),
        ("{\"record\":\"setting\",\"value\":\"v\"}", "a setting needs `key`"),
        ("{\"record\":\"attempt\",\"id\":\"z\"}", "missing field"),
    ];
    for (line, fault) in cases {
        let store = Store::in_memory().unwrap();
        let error = store
            .import(format!("{good}\n{line}\n").as_bytes(), Source::Elsewhere, Timestamp::MAX)
            .unwrap_err()
            .to_string();
        let number = good.lines().count() + 2;
        assert!(error.starts_with(&format!("line {number} of the import: ")), "{error}");
        assert!(error.contains(fault), "{error} does not say {fault}");
        assert_eq!(exported(&store).lines().count(), 1, "something was taken");
    }
}

#[test]
fn another_file_or_a_newer_format_is_refused() {
    let store = Store::in_memory().unwrap();
    let newer = store
        .import(&b"{\"kind\":\"infralens\",\"format\":2}\n"[..], Source::Elsewhere, Timestamp::MAX)
        .unwrap_err()
        .to_string();
    assert!(newer.contains("has version 2, and this program reads up to 1; update infralens"), "{newer}");
    for text in ["{\"kind\":\"anki\"}\n", ""] {
        let other = store.import(text.as_bytes(), Source::Elsewhere, Timestamp::MAX).unwrap_err().to_string();
        assert!(other.contains("is not the first line of an infralens export"), "{other}");
    }
}

#[test]
fn a_value_that_could_not_be_read_again_is_refused_with_its_line() {
    let fields = [
        (
            "position",
            r#""pack":"p","lesson":"l","lab":"","line":-1,"scroll":0,"pane":"text""#,
            "`line` is -1",
        ),
        (
            "draft",
            r#""id":"d","pack":"p","drill":"d","mode":"loud","part":null,"text":"t","seconds":1"#,
            "`mode` is \"loud\"",
        ),
        (
            "draft",
            r#""id":"d","pack":"p","drill":"d","mode":"strict","part":null,"text":"t","seconds":99999999999"#,
            "`seconds` is 99999999999",
        ),
        ("claim", r#""attempt":"a","pack":"p","claimed":{"no":1},"verdicts":{}"#, "`claimed` cannot be read"),
        (
            "rehearsal",
            r#""id":"r","pack":"p","started":"2026-01-01T00:00:00Z","state":7"#,
            "`state` cannot be read",
        ),
        ("puzzle", r#""pack":"p","item":"i","best":1,"knobs":[1]"#, "`knobs` cannot be read"),
        (
            "card",
            r#""pack":"p","kind":"drill","item":"i","stability":1e300,"difficulty":5,"due":"2026-01-01T00:00:00Z","reps":1,"lapses":0"#,
            "`stability` is 1e+300",
        ),
    ];
    for (record, rest, says) in fields {
        let store = Store::in_memory().unwrap();
        let text = format!(
            "{{\"kind\":\"infralens\",\"format\":1}}\n{{\"record\":\"{record}\",{rest},\"at\":\"2026-01-01T00:00:00Z\"}}\n"
        );
        let refused =
            store.import(text.as_bytes(), Source::Elsewhere, Timestamp::MAX).unwrap_err().to_string();
        assert!(refused.contains("line 2") && refused.contains(says), "{refused}");
        assert_eq!(exported(&store), exported(&Store::in_memory().unwrap()), "nothing of it is kept");
    }
}

#[test]
fn a_line_without_end_is_refused_before_it_fills_the_memory() {
    let store = Store::in_memory().unwrap();
    let endless = std::io::BufReader::new(std::io::repeat(0));
    let refused = store.import(endless, Source::Elsewhere, Timestamp::MAX).unwrap_err().to_string();
    assert!(refused.contains("line 1") && refused.contains("more than 16 MiB"), "{refused}");
}

fn setting(key: &str, value: &str, at: &str) -> String {
    let row = serde_json::json!({"record": "setting", "key": key, "value": value, "at": at});
    format!("{{\"kind\":\"infralens\",\"format\":1}}\n{row}\n")
}

#[test]
fn a_file_from_elsewhere_says_who_one_is_only_where_nobody_did() {
    for key in ["student", "student-id", "instructor"] {
        let store = Store::in_memory().unwrap();
        let now = minute(10);
        let mallory = setting(key, "Mallory", &minute(5).to_string());
        store.import(mallory.as_bytes(), Source::Elsewhere, now).unwrap();
        assert_eq!(store.setting(key).unwrap().as_deref(), Some("Mallory"), "{key}: on a new machine");
        store.set(key, "Ada", minute(1)).unwrap();
        let done = store.import(mallory.as_bytes(), Source::Elsewhere, now).unwrap();
        assert_eq!((done.taken, store.setting(key).unwrap().as_deref()), (0, Some("Ada")), "{key}");
        store.import(mallory.as_bytes(), Source::OwnMachine, now).unwrap();
        assert_eq!(store.setting(key).unwrap().as_deref(), Some("Mallory"), "{key}: one's own newer word");
    }
}

#[test]
fn a_row_dated_in_the_far_future_does_not_win_for_ever() {
    let store = Store::in_memory().unwrap();
    let now = minute(10);
    let far = setting("minutes", "600", "9999-01-01T00:00:00Z");
    store.import(far.as_bytes(), Source::OwnMachine, now).unwrap();
    assert_eq!(store.setting("minutes").unwrap().as_deref(), Some("600"), "nothing else is known");
    let today = setting("minutes", "45", &minute(5).to_string());
    store.import(today.as_bytes(), Source::OwnMachine, now).unwrap();
    assert_eq!(store.setting("minutes").unwrap().as_deref(), Some("45"));
    store.import(far.as_bytes(), Source::OwnMachine, now).unwrap();
    assert_eq!(store.setting("minutes").unwrap().as_deref(), Some("45"), "and not once more");
    // clocks of two machines may differ by hours
    let ahead = setting("minutes", "30", &minute(10 + 60 * 5).to_string());
    store.import(ahead.as_bytes(), Source::OwnMachine, now).unwrap();
    assert_eq!(store.setting("minutes").unwrap().as_deref(), Some("30"));
}

/// Hands out its lines one by one, and writes to the store before the last: only where nobody holds it is it taken.
struct Slow<'a> {
    lines: Vec<Vec<u8>>,
    other: &'a Store,
    wrote: &'a std::cell::Cell<bool>,
}

impl std::io::Read for Slow<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let Some(line) = self.lines.pop() else {
            let kept =
                self.other.patient(std::time::Duration::ZERO, || self.other.set("minutes", "45", minute(1)));
            self.wrote.set(kept.is_ok());
            return Ok(0);
        };
        buffer[..line.len()].copy_from_slice(&line);
        Ok(line.len())
    }
}

#[test]
fn a_slow_import_keeps_nobody_from_saving() {
    let folder = tempfile::tempdir().unwrap();
    let (store, other) = (Store::open(folder.path()).unwrap(), Store::open(folder.path()).unwrap());
    let text = setting("interview", "2027-01-01", &minute(5).to_string());
    let lines = text.lines().rev().map(|line| format!("{line}\n").into_bytes()).collect();
    let wrote = std::cell::Cell::new(false);
    let slow = std::io::BufReader::new(Slow { lines, other: &other, wrote: &wrote });
    store.import(slow, Source::Elsewhere, minute(10)).unwrap();
    assert!(wrote.get(), "the store was held while the import was read");
    assert_eq!(store.setting("interview").unwrap().as_deref(), Some("2027-01-01"));
}
