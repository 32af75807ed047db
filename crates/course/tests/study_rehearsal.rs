//! A rehearsal: clocks, one take, follow-ups, suspension, kill and resume, report.
#![allow(clippy::unwrap_used)]

use crate::kit::pack as kit;

use std::collections::BTreeSet;

use infralens_course::score::Verdict;
use infralens_course::study::attempt::{Attempt, Mode};
use infralens_course::study::rehearsal::{Call, Happened, Phase, Prompt, Rehearsal, Setup, Topics, pick};
use infralens_course::study::strength::{Cell, Mark, Strengths};
use jiff::Timestamp;
use kit::pack;

/// Some seconds after the run began.
fn at(seconds: i64) -> Timestamp {
    Timestamp::from_second(1_790_000_000 + seconds).unwrap()
}

fn setup() -> Setup {
    Setup { follow_ups: false, ..Setup::screen("course", 7) }
}

fn run(setup: Setup) -> Rehearsal {
    let prompts = pick(&setup, &pack(), &Strengths::default());
    Rehearsal::begin("r", setup, prompts, at(0))
}

/// Lets every second pass up to a time, as the program does.
fn watch(run: &mut Rehearsal, from: i64, to: i64) -> Vec<Happened> {
    (from..=to).flat_map(|s| run.advance(at(s), &pack())).collect()
}

fn scored(happened: &[Happened]) -> Vec<Attempt> {
    let one = |h: &Happened| match h {
        Happened::Scored(attempt) => Some((**attempt).clone()),
        _ => None,
    };
    happened.iter().filter_map(one).collect()
}

#[test]
fn a_plan_is_asked_about_what_it_keeps_as_far_as_that_goes() {
    let none = Strengths::default();
    let planned = vec!["ddp".to_owned(), "zero".to_owned()];
    for (seed, topics) in (0..20).flat_map(|n| [(n, Topics::Weakest), (n, Topics::Lessons(Vec::new()))]) {
        let of = |count: usize| {
            let setup = Setup { count, seed, topics: topics.clone(), planned: planned.clone(), ..setup() };
            pick(&setup, &pack(), &none)
        };
        assert!(of(4).iter().all(|p| planned.contains(&p.lesson)), "{:?}", of(4));
        assert_eq!(of(99).len(), 6, "too few of them: the others come after");
        assert!(of(99)[4..].iter().all(|p| !planned.contains(&p.lesson)));
    }
}

fn calls(happened: &[Happened]) -> Vec<Call> {
    let one = |h: &Happened| match h {
        Happened::Called(call) => Some(*call),
        _ => None,
    };
    happened.iter().filter_map(one).collect()
}

#[test]
fn a_seed_repeats_the_run_and_lessons_take_turns() {
    let none = Strengths::default();
    let ids =
        |setup: &Setup| -> Vec<String> { pick(setup, &pack(), &none).into_iter().map(|p| p.drill).collect() };
    assert_eq!(ids(&setup()), ids(&setup()));
    let runs: BTreeSet<Vec<String>> = (0..30).map(|seed| ids(&Setup { seed, ..setup() })).collect();
    assert!(runs.len() > 10);
    let lessons: BTreeSet<String> =
        pick(&Setup { count: 3, ..setup() }, &pack(), &none).into_iter().map(|p| p.lesson).collect();
    assert_eq!(lessons.len(), 3);
    assert_eq!(ids(&Setup { count: 99, ..setup() }).len(), 6, "as many as there are");
    let only = Setup { topics: Topics::Lessons(vec!["tp".into()]), ..setup() };
    assert!(pick(&only, &pack(), &none).iter().all(|p| p.lesson == "tp"));
}

#[test]
fn what_was_not_answered_yet_comes_first() {
    let none = Strengths::default();
    let all: Vec<String> = pack().drills.iter().map(|d| d.id.clone()).collect();
    for seed in 0..20 {
        let seen = vec![all[0].clone(), all[2].clone()];
        let setup = Setup { count: 99, seed, seen: Some(seen.clone()), ..setup() };
        let asked: Vec<String> = pick(&setup, &pack(), &none).into_iter().map(|p| p.drill).collect();
        assert_eq!(asked.len(), all.len());
        let (first, last) = asked.split_at(all.len() - seen.len());
        assert!(first.iter().all(|drill| !seen.contains(drill)) && last.iter().all(|d| seen.contains(d)));
    }
    // a seed that was chosen asks the same of everybody
    assert_eq!(setup().chosen(7).seen, Some(Vec::new()));
}

#[test]
fn the_weakest_lesson_comes_first_and_one_never_tried_last() {
    let cell = |lesson: &str, score| {
        let mut cell = Cell::new(lesson, "problem");
        cell.add(Mark { verdict: Verdict::Partial, score });
        cell
    };
    let strengths = Strengths { cells: vec![cell("ddp", 0.7), cell("tp", 0.2)] };
    for seed in 0..10 {
        let setup = Setup { topics: Topics::Weakest, count: 3, seed, ..setup() };
        let lessons: Vec<Prompt> = pick(&setup, &pack(), &strengths);
        let lessons: Vec<&str> = lessons.iter().map(|p| &p.lesson[..]).collect();
        assert_eq!(lessons, ["tp", "ddp", "zero"]);
    }
}

#[test]
fn the_clocks_run_think_answer_and_the_next() {
    let mut run = run(setup());
    assert_eq!((&run.phase, run.left(at(0)), run.limit()), (&Phase::Think, Some(30), Some(30)));
    run.set_text("notes: buckets", at(3));
    watch(&mut run, 1, 29);
    assert_eq!((&run.phase, run.left(at(29))), (&Phase::Think, Some(1)));
    watch(&mut run, 30, 30);
    assert_eq!((&run.phase, run.left(at(30))), (&Phase::Answer, Some(120)));
    assert_eq!((&run.notes[..], &run.text[..]), ("notes: buckets", ""));
    run.set_text("each rank", at(41));
    let happened = watch(&mut run, 31, 150);
    let attempts = scored(&happened);
    assert_eq!(attempts.len(), 1, "at 0:00 the draft is scored as it stands");
    assert_eq!(
        (&attempts[0].answer[..], attempts[0].seconds, attempts[0].mode),
        ("each rank", 120, Mode::Strict)
    );
    assert_eq!(attempts[0].rehearsal.as_deref(), Some("r"));
    assert_eq!(calls(&happened), [Call::Half, Call::Quarter, Call::Ten]);
    assert_eq!((run.at, &run.phase, &run.notes[..]), (1, &Phase::Think, ""));
    let take = &run.takes[0];
    assert_eq!((take.thought, take.first_word, take.unused, take.timed_out), (30, Some(11), 0, true));
}

#[test]
fn a_learner_may_go_on_before_the_clock_does() {
    let mut run = run(setup());
    run.go_on(at(10), &pack());
    assert_eq!((&run.phase, run.left(at(10))), (&Phase::Answer, Some(120)));
    run.set_text("all of it", at(12));
    let happened = run.go_on(at(60), &pack());
    assert_eq!(scored(&happened)[0].seconds, 50);
    let take = &run.takes[0];
    assert_eq!((take.thought, take.unused, take.timed_out), (10, 70, false));
    assert_eq!(run.phase, Phase::Think);
}

#[test]
fn a_key_that_comes_with_the_last_second_does_not_skip_the_next_phase() {
    let mut run = run(setup());
    run.go_on(at(30), &pack()); // the think clock ends at this very moment
    assert_eq!(run.phase, Phase::Answer);
    run.go_on(at(150), &pack());
    assert_eq!((run.at, &run.phase), (1, &Phase::Think));
}

#[test]
fn the_last_answer_ends_the_run() {
    let mut run = run(Setup { count: 2, think: 0, ..setup() });
    assert_eq!(run.phase, Phase::Answer, "no time to think means none");
    let happened = watch(&mut run, 1, 240);
    assert_eq!(scored(&happened).len(), 2);
    assert_eq!((&run.phase, run.prompt(), run.left(at(240))), (&Phase::Done, None, None));
    assert!(watch(&mut run, 241, 300).is_empty());
    assert!(run.go_on(at(301), &pack()).is_empty());
}

#[test]
fn strict_asks_one_follow_up_on_the_weakest_part() {
    let mut run = run(Setup { count: 1, think: 0, follow_ups: true, ..setup() });
    run.set_text("The problem word.", at(4));
    run.go_on(at(5), &pack());
    let Phase::FollowUp { part, ask } = run.phase.clone() else { panic!("{:?}", run.phase) };
    assert_eq!(part, "mechanism", "of parts equally missing the first that has a question");
    assert!(ask.starts_with("How does"), "{ask}");
    assert_eq!(run.left(at(5)), Some(60));
    run.set_text("by a ring", at(6));
    let attempts = scored(&run.go_on(at(20), &pack()));
    assert_eq!((attempts[0].mode, attempts[0].part.as_deref()), (Mode::FollowUp, Some("mechanism")));
    assert_eq!(attempts[0].id, "r-1-mechanism");
    assert_eq!(attempts[0].marks().count(), 1, "scored on that part");
    assert_eq!(run.phase, Phase::Done, "at most one");
}

#[test]
fn nothing_follows_an_empty_answer() {
    for strict in [true, false] {
        let mut run = run(Setup { count: 1, think: 0, strict, follow_ups: true, ..setup() });
        run.set_text(" \n", at(4));
        run.go_on(at(5), &pack());
        run.go_on(at(6), &pack());
        assert_eq!((&run.phase, run.takes.len()), (&Phase::Done, 1), "strict: {strict}");
    }
}

#[test]
fn an_answer_that_covers_all_is_asked_about_the_tradeoff() {
    let pack = pack();
    let mut run = run(Setup { count: 1, think: 0, follow_ups: true, ..setup() });
    let parts = pack.parts.iter().map(|p| format!("The {} word is here. ", p.id));
    run.set_text(&parts.collect::<String>(), at(4));
    let attempts = scored(&run.go_on(at(5), &pack));
    assert_eq!(attempts[0].total(), 1.0);
    let Phase::FollowUp { part, .. } = &run.phase else { panic!("{:?}", run.phase) };
    assert_eq!(part, "tradeoff");
}

#[test]
fn a_follow_up_with_patterns_is_marked_by_them_and_tells_its_answer() {
    let mut pack = pack();
    for drill in &mut pack.drills {
        let follow_up = &mut drill.follow_ups[0];
        follow_up.matches = vec!["rank 3 + rank 11".into()];
        follow_up.answer = Some("Ranks 3 and 11: rank 3 and rank 11.".into());
    }
    for (said, verdict) in
        [("rank 3 and rank 11", Verdict::Covered), ("The mechanism word is here.", Verdict::Missing)]
    {
        let mut run = run(Setup { count: 1, think: 0, follow_ups: true, ..setup() });
        run.set_text("The problem word is here.", at(1));
        run.go_on(at(2), &pack);
        run.set_text(said, at(3));
        let attempts = scored(&run.go_on(at(4), &pack));
        let marks: Vec<_> = attempts[0].marks().map(|m| (&m.part[..], m.verdict)).collect();
        assert_eq!(marks, [("mechanism", verdict)], "{said}");
        assert_eq!(attempts[0].score.parts.len(), 1, "no other part is touched");
        let report = run.report(&pack);
        assert!(report.total > 0.0 && report.answers.len() == 2);
        assert_eq!(report.answers[1].right, pack.drills[0].follow_ups[0].answer);
        let page = report.markdown("today", None);
        let answers = page.matches("Ranks 3 and 11: rank 3").count();
        assert_eq!(answers, 1, "the stored answer stands once:\n{page}");
    }
}

#[test]
fn practice_shows_marks_and_asks_up_to_three() {
    let mut run = run(Setup { count: 2, strict: false, think: 0, follow_ups: true, ..setup() });
    let mut asked = Vec::new();
    let mut now = 1;
    run.set_text("The problem word.", at(now));
    run.go_on(at(now), &pack());
    while run.at == 0 {
        assert_eq!((&run.phase, run.left(at(now))), (&Phase::Verdict, None), "no clock while marks are read");
        now += 500;
        run.go_on(at(now), &pack());
        if let Phase::FollowUp { part, .. } = &run.phase {
            asked.push(part.clone());
            now += 1;
            run.go_on(at(now), &pack());
        }
    }
    assert_eq!(asked, ["mechanism", "tradeoff", "measurement"]);
    assert!(run.away.is_empty(), "reading marks is not being away: {:?}", run.away);
    run.go_on(at(now + 1), &pack());
    run.skip_follow_ups(at(now + 2), &pack());
    assert_eq!(run.phase, Phase::Done);
    assert_eq!(run.takes.len(), 5);
}

#[test]
fn strict_cannot_skip_or_go_back() {
    let mut run = run(Setup { think: 0, follow_ups: true, ..setup() });
    run.set_text("early", at(4));
    run.go_on(at(5), &pack());
    let before = run.phase.clone();
    run.skip_follow_ups(at(6), &pack());
    assert_eq!(run.phase, before);
    run.set_text("late", at(7));
    assert_eq!(run.takes[0].attempt.answer, "early", "what was given stays given");
}

#[test]
fn suspended_the_clock_runs_on_and_the_next_question_waits() {
    let mut run = run(setup());
    watch(&mut run, 1, 40);
    run.set_text("half a thought", at(40));
    let happened = run.advance(at(4000), &pack()); // an hour later
    let attempts = scored(&happened);
    assert_eq!((attempts.len(), &attempts[0].answer[..], attempts[0].seconds), (1, "half a thought", 120));
    assert_eq!((run.at, run.left(at(4000))), (1, Some(30)), "the next question has its whole time");
    let report = run.report(&pack());
    assert_eq!(report.totals.away, 3960);
    assert!(report.markdown("today", None).contains("suspended or hidden for 1:06:00"));
}

#[test]
fn suspended_for_a_moment_takes_that_time() {
    let mut run = run(setup());
    watch(&mut run, 1, 10);
    run.advance(at(20), &pack());
    assert_eq!((&run.phase, run.left(at(20))), (&Phase::Think, Some(10)));
    assert_eq!((run.away[0].seconds, run.away[0].stopped), (10, false));
    watch(&mut run, 21, 24);
    run.advance(at(29), &pack());
    assert_eq!(run.away.len(), 1, "a slow second is not an absence");
}

#[test]
fn killed_and_resumed_it_has_the_time_that_was_left() {
    let mut run = run(setup());
    watch(&mut run, 1, 40);
    run.set_text("half a thought", at(40));
    let saved = serde_json::to_string(&run).unwrap();
    let mut resumed: Rehearsal = serde_json::from_str(&saved).unwrap();
    assert_eq!(resumed, run);
    resumed.resume(at(90_000));
    assert_eq!((&resumed.phase, resumed.left(at(90_000))), (&Phase::Answer, Some(110)));
    assert_eq!(resumed.text, "half a thought");
    assert!(watch(&mut resumed, 90_001, 90_009).is_empty());
    let attempts = scored(&resumed.go_on(at(90_010), &pack()));
    assert_eq!(attempts[0].seconds, 20, "ten before the kill, ten after");
    let report = resumed.report(&pack());
    assert_eq!(report.totals.away, 0);
    assert!(report.markdown("today", None).contains("broken off and continued later"));
}

#[test]
fn a_clock_set_back_gives_no_more_time() {
    let mut run = run(setup());
    watch(&mut run, 1, 10);
    run.advance(at(-3600), &pack());
    assert_eq!(run.left(at(-3600)), Some(20));
}

#[test]
fn stopped_early_what_was_typed_is_scored() {
    let mut run = run(setup());
    run.go_on(at(5), &pack());
    run.set_text("something", at(6));
    let attempts = scored(&run.stop(at(10), &pack()));
    assert_eq!(attempts[0].answer, "something");
    let report = run.report(&pack());
    assert_eq!((report.answers.len(), report.unanswered.len()), (1, 4));
}

#[test]
fn a_drill_that_the_pack_lost_is_passed_over() {
    let mut run = run(Setup { count: 2, think: 0, ..setup() });
    let mut smaller = pack();
    let lost = run.prompts[0].drill.clone();
    smaller.drills.retain(|d| d.id != lost);
    let happened = run.go_on(at(5), &smaller);
    assert!(scored(&happened).is_empty());
    assert_eq!((run.at, &run.phase), (1, &Phase::Answer));
}

#[test]
fn the_report_counts_and_says_what_to_read() {
    let mut run = run(Setup { count: 2, think: 0, ..setup() });
    run.set_text("", at(1));
    run.set_text("I think it is maybe 8 GPUs with 3.5 GB on ZeRO-3. \u{1b}[m", at(10));
    run.go_on(at(30), &pack());
    run.advance(at(31), &pack());
    run.go_on(at(32), &pack());
    let report = run.report(&pack());
    let first = &report.answers[0];
    assert_eq!(first.delivery.hedges, ["i think", "maybe"]);
    assert_eq!((first.delivery.numbers, first.first_word, first.unused), (2, Some(10), 90));
    assert_eq!(report.answers[1].first_word, None, "an empty answer has no first word");
    assert_eq!(report.totals.first_word, Some(10.0));
    assert!((report.totals.pace - report.totals.words as f64 * 60.0 / 32.0).abs() < 1e-9);
    assert_eq!(report.parts.len(), 5);
    assert_eq!(report.limiting.as_deref(), Some("problem"));
    assert_eq!(report.next.len(), 2);
    assert!(report.next[0].why.starts_with("lacked problem, mechanism"), "{}", report.next[0].why);
    let page = report.markdown("21 November 2026", None);
    for line in [
        "# Rehearsal of 21 November 2026",
        "1 of 2 prompts answered",
        "- Delivery: 2 hedges",
        "> (no answer)",
        "## Read next",
    ] {
        assert!(page.contains(line), "no {line} in\n{page}");
    }
    assert!(!page.contains('\u{1b}'));
    let json = serde_json::to_string(&report).unwrap();
    assert_eq!(serde_json::from_str::<infralens_course::study::rehearsal::Report>(&json).unwrap(), report);
}

#[test]
fn a_drill_that_wants_far_more_time_comes_only_when_no_other_is_left() {
    let mut pack = pack();
    let long = pack.drills[0].id.clone();
    pack.drills[0].minutes = 20;
    let all = pack.drills.len();
    for seed in 0..20 {
        let setup = Setup { seed, count: all, ..setup() };
        let asked = pick(&setup, &pack, &Strengths::default());
        assert_eq!(asked.last().unwrap().drill, long, "seed {seed}");
        let patient = Setup { answer: 300, ..setup };
        let asked = pick(&patient, &pack, &Strengths::default());
        assert_eq!(asked.len(), all);
    }
}
