//! Any answer to any drill is marked, with evidence that stands in the answer, twice the same.
#![no_main]

use std::cell::RefCell;
use std::collections::BTreeMap;

use infralens_fuzz::course;
use infralens_score::Scorer;
use libfuzzer_sys::fuzz_target;

thread_local! {
    static READY: RefCell<BTreeMap<usize, Scorer>> = const { RefCell::new(BTreeMap::new()) };
}

fuzz_target!(|data: &[u8]| {
    let Some((which, answer)) = data.split_first() else { return };
    let answer = String::from_utf8_lossy(answer);
    let course = course();
    let drill = usize::from(*which) % course.drills.len();
    READY.with_borrow_mut(|ready| {
        let scorer =
            ready.entry(drill).or_insert_with(|| course.drills[drill].scorer(None, &course.vocabulary));
        let score = scorer.score(&answer);
        assert!((0.0..=1.0).contains(&score.score), "{}", score.score);
        for evidence in score.parts.iter().flat_map(|p| &p.points).flat_map(|p| &p.evidence) {
            assert!(answer.get(evidence.range()).is_some(), "evidence outside the answer");
        }
        assert_eq!(score, scorer.score(&answer));
    });
});
