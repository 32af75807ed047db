//! What Home reads are sums, kept beside the answers. Whatever is done, they are those of the answers themselves.

use std::collections::BTreeMap;

use crate::kit::store::{PACK, attempt, minute, schedule};

use infralens::score::Verdict;
use infralens::store::{Filter, Source, Store};
use infralens::study::attempt::{Attempt, Claims, Mode};
use infralens::study::class::given::Given;
use infralens::study::day;
use infralens::study::home::Home;
use infralens::study::strength::Strengths;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use proptest::prelude::*;
use tempfile::TempDir;

const PARTS: [&str; 2] = ["problem", "tradeoff"];
/// Minutes of three days, so that some answers are not of the last one.
const MINUTES: i64 = 3 * 24 * 60;
const MACHINES: usize = 2;

/// Something that is done on a machine.
#[derive(Debug, Clone)]
enum Step {
    /// An answer is given at some minute, to the whole or to one part.
    Answer { minute: i64, drill: usize, part: Option<usize>, is_follow_up: bool, marks: [u8; 2] },
    /// The learner claims parts of an answer, or takes all claims back.
    Claim { nth: usize, parts: Vec<usize> },
    /// An instructor gives a mark, or takes it back.
    Give { nth: usize, part: usize, verdict: Option<Verdict> },
    /// What the other machine exports is taken in.
    Import,
    /// The program ends without a word and starts again, where it has a file.
    Restart,
}

fn step() -> impl Strategy<Value = Step> {
    let part = || 0..PARTS.len();
    let verdict = prop_oneof![Just(Verdict::Missing), Just(Verdict::Partial), Just(Verdict::Covered)];
    let answer = (0..MINUTES, 0..3_usize, proptest::option::of(part()), any::<bool>(), [0..5_u8, 0..5_u8])
        .prop_map(|(minute, drill, part, is_follow_up, marks)| Step::Answer {
            minute,
            drill,
            part,
            is_follow_up,
            marks,
        });
    prop_oneof![
        5 => answer,
        1 => (any::<usize>(), proptest::collection::vec(part(), 0..3))
            .prop_map(|(nth, parts)| Step::Claim { nth, parts }),
        1 => (any::<usize>(), part(), proptest::option::of(verdict))
            .prop_map(|(nth, part, verdict)| Step::Give { nth, part, verdict }),
        1 => Just(Step::Import),
        1 => Just(Step::Restart),
    ]
}

/// The answer of a step, by its number.
fn answered(id: &str, step: &Step) -> Option<Attempt> {
    let Step::Answer { minute: at, drill, part, is_follow_up, marks } = step else { return None };
    let drills = [("ddp", "why-ddp"), ("ddp", "buckets"), ("tp", "why-tp")];
    let marks = [0, 1].map(|n| (PARTS[n], f64::from(marks[n]) / 4.0));
    let mut given = attempt(id, drills[*drill], minute(*at), &marks);
    given.part = part.map(|n| PARTS[n].to_owned());
    given.mode = match (part, is_follow_up) {
        (None, _) => Mode::Practice,
        (Some(_), false) => Mode::Part,
        (Some(_), true) => Mode::FollowUp,
    };
    Some(given)
}

fn of(part: usize, attempt: &Attempt, verdict: Option<Verdict>, now: Timestamp) -> Given {
    Given {
        attempt: attempt.id.clone(),
        part: Some(PARTS[part].into()),
        verdict,
        remark: String::new(),
        by: "Ada".into(),
        at: now,
    }
}

fn done(stores: &mut [(Store, Option<TempDir>)], machine: usize, nth_step: usize, step: &Step) {
    let now = minute(MINUTES + i64::try_from(nth_step).expect("few steps"));
    let some = |nth: usize| {
        let all = stores[machine].0.history(&Filter::default(), u32::MAX).expect("a history");
        (!all.is_empty()).then(|| all[nth % all.len()].clone())
    };
    match step {
        Step::Answer { .. } => {
            let attempt = answered(&format!("a-{nth_step:02}"), step).expect("an answer");
            stores[machine].0.record_attempt(&attempt, &schedule()).expect("kept");
        }
        Step::Claim { nth, parts } => {
            let Some(attempt) = some(*nth) else { return };
            let marked = |part: &&str| attempt.marks().any(|mark| mark.part == **part);
            let claimed = parts.iter().map(|n| PARTS[*n]).filter(marked);
            // what was claimed and what was denied
            let worths = [Verdict::Covered, Verdict::Missing, Verdict::Partial];
            let verdicts = claimed.zip(worths.into_iter().cycle().skip(*nth % 3));
            let verdicts = verdicts.map(|(part, verdict)| (part.to_owned(), verdict)).collect();
            let claims = Claims { claimed: Vec::new(), verdicts };
            stores[machine].0.claim(&attempt, &claims, now).expect("kept");
        }
        Step::Give { nth, part, verdict } => {
            let Some(attempt) = some(*nth).filter(|a| a.marks().any(|m| m.part == PARTS[*part])) else {
                return;
            };
            stores[machine].0.take_given(&[of(*part, &attempt, *verdict, now)]).expect("kept");
        }
        Step::Import => {
            let mut lines = Vec::new();
            stores[(machine + 1) % MACHINES].0.export(&mut lines).expect("an export");
            stores[machine].0.import(&lines[..], Source::OwnMachine, now).expect("an import");
        }
        Step::Restart => {
            let Some(folder) = &stores[machine].1 else { return };
            stores[machine].0 = Store::open(folder.path()).expect("a store");
        }
    }
}

/// What Home would show if it went through all the answers.
fn afresh(all: &[Attempt], now: Timestamp) -> Home {
    let today = day::day(now, &TimeZone::UTC);
    let mut home = Home { strengths: Strengths::of(all), ..Home::default() };
    let mut last: BTreeMap<(&str, &str), f64> = BTreeMap::new();
    for attempt in all.iter().rev() {
        home.attempts += 1;
        home.alone += u64::from(attempt.mode == Mode::Part);
        let lesson = home.lessons.entry(attempt.lesson.clone()).or_default();
        if attempt.part.is_none() {
            let key = (&attempt.lesson[..], &attempt.drill[..]);
            let mut of_drill = all.iter().filter(|a| a.drill == attempt.drill && a.part.is_none());
            let has_earned = of_drill.any(|a| a.total() > 0.0);
            lesson.drills += u64::from(last.insert(key, attempt.total()).is_none() && has_earned);
            home.answered.insert(attempt.drill.clone(), attempt.at);
        }
        if (today.start..today.end).contains(&attempt.at) {
            home.today.attempts += 1;
            home.today.seconds += u64::from(attempt.seconds);
            home.today.totals += attempt.total();
        }
    }
    for (id, lesson) in &mut home.lessons {
        let totals: Vec<f64> = last.iter().filter(|((of, _), _)| of == id).map(|(_, total)| *total).collect();
        lesson.mean = (!totals.is_empty()).then(|| totals.iter().sum::<f64>() / totals.len() as f64);
    }
    home
}

fn is_near(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-9
}

fn assert_same(kept: &Home, afresh: &Home) {
    assert_eq!((kept.attempts, kept.alone), (afresh.attempts, afresh.alone));
    assert_eq!(kept.answered, afresh.answered);
    assert_eq!((kept.today.attempts, kept.today.seconds), (afresh.today.attempts, afresh.today.seconds));
    assert!(is_near(kept.today.totals, afresh.today.totals), "{:?} {:?}", kept.today, afresh.today);
    assert_eq!(kept.lessons.keys().collect::<Vec<_>>(), afresh.lessons.keys().collect::<Vec<_>>());
    for (one, other) in kept.lessons.values().zip(afresh.lessons.values()) {
        assert_eq!(one.drills, other.drills);
        assert!(is_near(one.mean.unwrap_or(-1.0), other.mean.unwrap_or(-1.0)), "{one:?} {other:?}");
    }
    assert_eq!(kept.strengths.cells.len(), afresh.strengths.cells.len());
    for (one, other) in kept.strengths.cells.iter().zip(&afresh.strengths.cells) {
        let counts = |c: &infralens::study::strength::Cell| {
            (c.lesson.clone(), c.part.clone(), c.answers, c.claimed, c.given, c.given_by.clone())
        };
        assert_eq!(counts(one), counts(other));
        let verdicts = |c: &infralens::study::strength::Cell| -> Vec<Verdict> {
            c.recent.iter().map(|mark| mark.verdict).collect()
        };
        assert_eq!(verdicts(one), verdicts(other));
        assert!(is_near(one.strength(), other.strength()), "{one:?} {other:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn the_sums_are_those_of_the_answers_whatever_is_done(
        steps in proptest::collection::vec((0..MACHINES, step()), 1..30)
    ) {
        let folder = tempfile::tempdir().expect("a folder");
        let on_disk = (Store::open(folder.path()).expect("a store"), Some(folder));
        let mut stores = [on_disk, (Store::in_memory().expect("a store"), None)];
        let now = minute(MINUTES - 1);
        for (nth, (machine, step)) in steps.iter().enumerate() {
            done(&mut stores, *machine, nth, step);
            let store = &stores[*machine].0;
            let all = store.history(&Filter::default(), u32::MAX).expect("a history");
            let kept = store.home(PACK, now, &TimeZone::UTC).expect("a home");
            assert_same(&kept, &afresh(&all, now));
        }
    }
}
