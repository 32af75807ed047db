//! What the rules cannot tell is asked before the marks, kept as the learner's own word, and counted apart.
#![allow(clippy::unwrap_used)]

use std::path::Path;

use crate::kit::desk::Desk;
use crate::kit::pack as kit;
use crate::kit::store::{attempt, minute, schedule};

use infralens::judge::Judge;
use infralens::page::place::Place;
use infralens::score::{Source, Verdict};
use infralens::services::job::{Done, Job};
use infralens::store::{Filter, Store};
use infralens::study::attempt::Attempt;
use infralens::study::judge::{Reply, Said};
use infralens::study::strength::Strengths;
use infralens::study::words::percent;
use infralens::tui::event::What;
use jiff::tz::TimeZone;

/// The rubric of the pack is thin, so nothing is sure: two parts are found, three are not.
const ANSWER: &str = "I think the problem word is said here. Then the mechanism word is said here.";

fn answered(folder: &Path) -> Desk {
    let place = Place::Drill { pack: 0, id: "ddp-1".into(), only: None };
    let mut desk = Desk::on_disk(kit::pack(), &place, folder);
    desk.resize(120, 40).paste(ANSWER).wait(60).keys("<ctrl+s><enter>");
    desk
}

fn kept(folder: &Path) -> Attempt {
    Store::open(folder).unwrap().history(&Filter::default(), 1).unwrap().remove(0)
}

#[test]
fn each_unsure_point_is_asked_in_plain_words_before_the_total() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = answered(folder.path());
    // what a tick may raise comes first, and a tick needs a sentence that the learner chose
    desk.shows("Communication: which of these did you mean to say?").shows("after it").hides("40%");
    desk.shows("missing now   the tick covers it").keys("<enter>");
    desk.shows("Which sentence says it?").keys("c").shows("[ ] say the communication").shows("missing now");
    desk.keys("<enter>2").shows("[x] say the communication").shows("covered now").keys("<ctrl+s>");
    // two parts at most, and none that is covered: one asks for those oneself
    desk.shows("Tradeoff: which of these").keys("<ctrl+s>").shows("› verdict").keys("<home>a");
    // the points of a part, ticked as the rules see them
    desk.shows("Problem: which of these did you mean to say?").shows("[x] say the problem");
    // a tick that the rules set is a question, and the boxes are explained
    desk.shows("the rules found it, but are not");
    desk.shows("[x] said   [~] said in part   [ ] not said");
    // Enter takes no tick away that the rules set
    desk.keys("<enter>").shows("[x] say the problem").shows("it is ticked; n takes the tick away");
    desk.hides("the rules found it");
    desk.keys("n").shows("[ ] say the problem").keys("<ctrl+s>");
    desk.shows("Measurement: which of these").keys("<ctrl+s>");
    desk.shows("Mechanism: which of these did you mean to say?").keys("p").shows("[~] say the mechanism");
    desk.keys("<ctrl+s>s").shows("› verdict").hides("not sure");
    desk.shows("2 parts by you, 3 after your No, the rules alone 40%");
    let attempt = kept(folder.path());
    assert_eq!(attempt.total(), 0.4, "the marks of the rules stay what they are");
    let shown = attempt.with_claims();
    let source = |part: usize| (shown.score.parts[part].source, shown.score.parts[part].by_rules);
    assert_eq!(source(0), (Source::You, Some(Verdict::Covered)));
    assert_eq!(source(1), (Source::You, Some(Verdict::Covered)));
    assert_eq!(source(2), (Source::You, Some(Verdict::Missing)));
    assert_eq!(source(3), (Source::You, None));
    let claims = attempt.claims.unwrap().claimed;
    assert_eq!(claims[0].sentence.as_ref().unwrap().text, "Then the mechanism word is said here");
}

#[test]
fn a_point_that_the_rules_missed_keeps_a_part_that_another_one_loses() {
    let mut pack = kit::pack();
    let more = infralens::score::Point {
        id: "cause".into(),
        part: "problem".into(),
        matches: vec!["a cause that nobody says".into()],
        feedback: "Name the cause.".into(),
        ..Default::default()
    };
    pack.drills[0].rubric.points.push(more);
    let place = Place::Drill { pack: 0, id: "ddp-1".into(), only: None };
    let mut desk = Desk::new(pack, &place);
    desk.resize(120, 40).paste(ANSWER).wait(60).keys("<ctrl+s><enter><ctrl+s><ctrl+s><home>a");
    // the words were taken for one point, and meant the other
    desk.shows("[x] say the problem").shows("[ ] Name the cause.").keys("n<down>y");
    desk.shows("Which sentence says it?").keys("1").shows("[ ] say the problem").shows("[x] Name the cause.");
    desk.shows("covered now   one of these is enough");
    desk.keys("<ctrl+s>s").keys("<home>").shows("1 Problem        covered").shows("by you");
    desk.shows("One of these 2 points is enough. You said 1, by your own").hides("[x]");
}

#[test]
fn what_is_claimed_shows_as_that_ever_after_and_counts_apart() {
    let folder = tempfile::tempdir().unwrap();
    answered(folder.path()).keys("s").keys("<home>a<ctrl+s>s").shows("by you");
    let store = Store::open(folder.path()).unwrap();
    let home = store.home("course", kept(folder.path()).at, &TimeZone::UTC).unwrap();
    assert_eq!(home.strengths, Strengths::of(&[kept(folder.path())]));
    let cell = home.strengths.cell("ddp", "problem").unwrap();
    assert_eq!((cell.claimed, cell.answers), (1, 1));
    assert_eq!(home.strengths.cell("ddp", "mechanism").unwrap().claimed, 0);
    let mut again = Desk::on_disk(kit::pack(), &Place::Home, folder.path());
    again.resize(120, 40).keys("y").shows("1 by you, 4 unsure");
    // what was asked is not asked again unasked
    again.keys("<enter>kk").shows("by you  yes").shows("a unsure").keys("a");
    again.shows("Problem: which of these").keys("n<ctrl+s>");
    again.keys("s").shows("verdict").keys("kk").shows("by you  no");
    let cells = Store::open(folder.path()).unwrap().strengths("course").unwrap();
    assert_eq!(cells.cell("ddp", "problem").unwrap().claimed, 1, "another reply is no second claim");
}

#[test]
fn an_answer_has_the_same_mark_wherever_it_stands() {
    let folder = tempfile::tempdir().unwrap();
    answered(folder.path()).keys("s").keys("<home>ja<home>p<ctrl+s>s").shows("30%");
    let mut desk = Desk::on_disk(kit::pack(), &Place::Home, folder.path());
    desk.resize(120, 40);
    // on Home the preview of the lesson, and what the parts are made of
    desk.shows("Your parts, 1 answer").keys("G").keys("kk").shows("30%");
    desk.keys("y").shows("30%  ✓◐✗✗✗").hides("40%  ✓").keys("<enter>").shows("30%").keys("<esc><esc>");
    desk.keys("p<left>").shows("1 mark by your own word: a Yes does not count here, a No does");
    desk.keys("<tab>").shows("30%").hides("40%").shows("1 by you, 4 unsure");
}

#[test]
fn a_part_is_as_strong_on_home_as_on_the_map() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let mark = |id: &str, drill: (&str, &str), score: f64| Attempt {
        pack: "course".into(),
        ..attempt(id, drill, minute(0), &[("problem", score)])
    };
    for (nth, score) in [0.0, 0.0, 0.5].into_iter().enumerate() {
        store.record_attempt(&mark(&format!("a{nth}"), ("ddp", "ddp-1"), score), &schedule()).unwrap();
    }
    store.record_attempt(&mark("b", ("zero", "zero-1"), 1.0), &schedule()).unwrap();
    let strengths = store.strengths("course").unwrap();
    let share = percent(strengths.part("problem").unwrap());
    drop(store);
    let mut desk = Desk::on_disk(kit::pack(), &Place::Home, folder.path());
    desk.resize(120, 40).shows(&share).keys("p");
    desk.shows(&format!("Problem: {share} over the lessons answered so far."));
}

#[test]
fn the_questions_can_be_left_and_the_range_stands() {
    let folder = tempfile::tempdir().unwrap();
    answered(folder.path()).keys("s").shows("40%   5 parts not sure: 20% to 70%   2 of 5");
    assert_eq!(kept(folder.path()).claims.unwrap().claimed, []);
    let mut again = Desk::on_disk(kit::pack(), &Place::Home, folder.path());
    again.resize(120, 40).keys("y<enter>").shows("40%   5 parts not sure: 20% to 70%   2 of 5");
}

#[test]
fn another_sentence_can_be_pointed_at_or_none() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = answered(folder.path());
    desk.keys("s")
        .keys("<home>a")
        .keys("o")
        .shows("Which sentence says it?")
        .keys("c")
        .shows("[x] say the problem");
    desk.keys("o2").shows("[x] say the problem").keys("<ctrl+s>s");
    let claims = kept(folder.path()).claims.unwrap().claimed;
    assert_eq!(claims[0].sentence.as_ref().unwrap().text, "Then the mechanism word is said here");
}

#[test]
fn an_answer_that_covers_everything_is_told_what_would_make_it_stronger() {
    let mut pack = kit::pack();
    let more = infralens::score::Point {
        id: "price".into(),
        part: "tradeoff".into(),
        matches: vec!["price per step".into()],
        feedback: "Name the price of a step.".into(),
        ..Default::default()
    };
    pack.drills[0].rubric.points.push(more);
    let place = Place::Drill { pack: 0, id: "ddp-1".into(), only: None };
    let mut desk = Desk::new(pack, &place);
    let parts = ["problem", "mechanism", "communication", "tradeoff", "measurement"];
    let said: String = parts.iter().map(|p| format!("The {p} word is here. ")).collect();
    desk.resize(120, 40)
        .paste(&said)
        .keys("<ctrl+s><enter>s")
        // beside 100% a range that ends in 100% says two things at once
        .shows("100%   5 parts not sure: 50% at worst   5 of 5");
    desk.shows("What would make it stronger").shows("Tradeoff: Name the price of a step.");
}

/// A verdict with a judge set up that was never asked; no program runs.
fn with_judge() -> Desk {
    let store = Store::in_memory().unwrap();
    let judge =
        Judge { sends_to: Some("http://example.test/v1".into()), ..Judge::new(vec!["ask-it".into()]) };
    store
        .set("judge", &serde_json::to_string(&judge).unwrap(), "2026-03-01T10:00:00Z".parse().unwrap())
        .unwrap();
    let place = Place::Drill { pack: 0, id: "ddp-1".into(), only: None };
    let mut desk = Desk::with(kit::pack(), &place, (store, &std::env::temp_dir()));
    desk.resize(120, 40).paste(ANSWER).wait(60).keys("<ctrl+s><enter>s").shows("verdict");
    desk
}

fn said(part: &str, verdict: Verdict, quote: &str) -> Said {
    Said { id: part.into(), verdict, quotes: vec![quote.into()], advice: format!("More on {part}.") }
}

#[test]
fn a_judge_stands_beside_the_marks_with_what_differs() {
    let mut desk = with_judge();
    desk.keys("o").shows("Before the first time").shows("ask-it").shows("example.test/v1.");
    assert!(desk.jobs.is_empty(), "nothing is sent before it is said where it goes");
    desk.keys("h").hides("Before the first time").keys("oo").shows("The judge is reading your answer.");
    let Some(Job::Judge(case)) = desk.jobs.pop() else { panic!("no judge was asked") };
    assert_eq!(case.question.answer, ANSWER);
    let parts = vec![
        said("problem", Verdict::Covered, "the problem word is said here"),
        said("mechanism", Verdict::Partial, "the mechanism word"),
        said("tradeoff", Verdict::Covered, "never said"),
    ];
    let reply = Reply { protocol: 1, judge: "tiny".into(), parts, ..Reply::default() };
    desk.send(What::Done(Box::new(Done::Judged { attempt: case.attempt.clone(), reply: Ok(reply) })));
    desk.resize(80, 60)
        .shows("2 of 5 parts by tiny. It differs on one part.")
        .shows("40%   5 parts not sure: 20% to 70%   2 of 5");
    desk.shows("◐      differs").shows("“the mechanism word” More on mechanism.");
    desk.shows("Tradeoff: the judge says covered, but quotes no words");
    // what it said is kept, and shown before it is asked anew, at once: it is known by now
    desk.keys("h").hides("tiny").shows("o shows what it said").keys("o").shows("2 of 5 parts by tiny.");
    desk.shows("Press o to ask the judge again.");
    assert!(desk.jobs.is_empty());
    desk.keys("o");
    assert_eq!(desk.jobs.len(), 1);
}

#[test]
fn a_key_ends_the_judge_and_nothing_of_it_shows() {
    let mut desk = with_judge();
    desk.keys("oo").shows("o stops it").keys("o").shows("the judge was stopped");
    let Some(Job::Judge(case)) = desk.jobs.pop() else { panic!("no judge was asked") };
    assert!(case.cancel.is_cancelled());
    let reply = Err("cancelled".to_owned());
    desk.send(What::Done(Box::new(Done::Judged { attempt: case.attempt, reply })));
    desk.hides("Second opinion").hides("cancelled").shows("40%   5 parts not sure: 20% to 70%   2 of 5");
}

#[test]
fn without_a_judge_it_is_said_how_to_set_one_up() {
    let folder = tempfile::tempdir().unwrap();
    answered(folder.path()).keys("so").shows("no judge is set up; `infralens judge set COMMAND`");
}

#[test]
fn one_part_is_answered_again_and_what_it_gained_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = answered(folder.path());
    desk.keys("s").shows("▸ ✗ 3 Communication").keys("j").shows("enter part again").keys("<enter>");
    // the part of the prompt, though there is a follow-up question on it
    desk.shows("Explain ddp-1. Answer the part “Tradeoff” alone.").hides("What does ddp-1 cost?");
    desk.paste("I would say that the tradeoff word is the one that counts here.").keys("<ctrl+s><enter>s");
    desk.shows("Tradeoff was missing, and is covered now.").shows("whole answer would have 60%, not 40%.");
    assert_eq!((kept(folder.path()).total(), kept(folder.path()).is_part_again()), (1.0, true));
    desk.keys("<esc>").shows("40%   5 parts not sure: 20% to 70%   2 of 5").keys("<esc>");
    let mut home = Desk::on_disk(kit::pack(), &Place::Home, folder.path());
    home.resize(120, 40).keys("y").shows("tradeoff again: Explain ddp-1.");
}

#[test]
fn a_mark_is_disputed_with_enter_and_what_becomes_of_it_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = answered(folder.path());
    desk.resize(80, 24).keys("s").shows("u disagree").shows("a unsure");
    desk.keys("u").shows("What is wrong with the mark for Communication?").shows("too low, too high");
    desk.shows("It is too low, because …");
    // a long reason wraps, and the sentence that it quotes is chosen
    let why = "it is there, as the mechanism word is what I take for the communication of this drill, and so would you";
    desk.keys(why).shows("and so would you").shows("it is there, as").keys("<ctrl+s>");
    desk.shows("Which sentence of yours")
        .shows("▸ Then the mechanism")
        .shows("c no sentence")
        .keys("<enter>");
    desk.shows("the mark stays as it is shown").shows("`infralens export`").shows("you disagree");
    let kept = Store::open(folder.path()).unwrap().disputes("course").unwrap();
    assert_eq!(kept.len(), 1);
    assert_eq!(kept[0].sentence.as_deref(), Some("Then the mechanism word is said here"));
    // the same key takes it back; without a sentence it is kept too
    desk.keys("u").shows("is taken back").keys("u").keys("it is there<ctrl+s>c").shows("the mark stays");
    let kept = Store::open(folder.path()).unwrap().disputes("course").unwrap();
    assert_eq!(kept.iter().map(|d| d.sentence.is_none()).collect::<Vec<_>>(), [true]);
}

#[test]
fn no_line_says_that_one_is_enough_where_one_is_ticked_and_is_not() {
    let mut pack = kit::pack();
    let rubric = &mut pack.drills[0].rubric;
    let mut other = rubric.points.iter().find(|p| p.part == "mechanism").unwrap().clone();
    (other.id, other.says) = ("other".into(), Some("say the other thing".into()));
    other.matches = vec!["other thing".into()];
    let group = infralens::score::Group { count: 1, points: vec![other.id.clone()] };
    rubric.points.push(other);
    rubric.need.insert("mechanism".into(), infralens::score::Need { count: 1, groups: vec![group] });
    let place = Place::Drill { pack: 0, id: "ddp-1".into(), only: None };
    let mut desk = Desk::new(pack, &place);
    desk.resize(120, 40).paste(ANSWER).wait(60).keys("<ctrl+s><enter>");
    for _ in 0..3 {
        if desk.screen().contains("Mechanism: which of these") {
            break;
        }
        desk.keys("<ctrl+s>");
    }
    desk.shows("Mechanism: which of these did you mean to say?")
        .shows("[x] say the mechanism")
        .shows("partial now");
    desk.hides("one of these is enough").shows("a tick at the second covers it");
}

/// The kit's first drill with a statement that is false, of one part.
fn with_a_false_statement(part: &str) -> infralens::pack::Pack {
    let mut pack = kit::pack();
    pack.drills[0].rubric.misconceptions.push(infralens::score::Misconception {
        id: "cheese".into(),
        part: part.into(),
        matches: vec!["moon + cheese".into()],
        correction: "The moon is rock.".into(),
        unless: vec![],
    });
    pack
}

#[test]
fn what_is_false_stands_first_and_the_part_that_it_lowers_says_so() {
    let place = Place::Drill { pack: 0, id: "ddp-1".into(), only: None };
    let wrong = format!("{ANSWER} As everybody knows the moon is made of cheese.");
    let mut desk = Desk::new(with_a_false_statement("mechanism"), &place);
    desk.resize(120, 40).paste(&wrong).wait(60).keys("<ctrl+s><enter>s");
    let screen = desk.shows("▸ ✗ Not so: “As everybody knows the moon is").screen();
    let row = |words: &str| screen.lines().position(|row| row.contains(words)).unwrap();
    assert!(row("Not so") < row("1 Problem"), "{screen}");
    // the correction stands beside it, and what else there is to gain below that
    desk.shows("The moon is rock.").shows("3 Communication");
    let told = |desk: &mut Desk| {
        let screen = desk.screen();
        let right = |row: &str| {
            row.split_once('│').map(|(_, right)| right.trim().trim_end_matches(['┃', '│']).to_owned())
        };
        screen.lines().filter_map(right).map(|row| row.trim().to_owned()).collect::<Vec<_>>().join(" ")
    };
    desk.keys("<down><down>");
    let mechanism = told(&mut desk);
    assert!(
        mechanism.contains("You said enough for covered. The false statement “As everybody knows the moon is made of cheese” lowers it to partial."),
        "{mechanism}"
    );
    assert!(!mechanism.contains("one more covers it"), "{mechanism}");
    desk.keys("<down>");
    assert!(!told(&mut desk).contains("level"), "nothing was said of it, so nothing lowered it");
    // a part of which nothing was said is not lowered by what is false of it
    let mut desk = Desk::new(with_a_false_statement("tradeoff"), &place);
    desk.resize(120, 40).paste(&wrong).wait(60).keys("<ctrl+s><enter>s<down><down><down><down>");
    let tradeoff = told(&mut desk);
    assert!(tradeoff.contains("4 Tradeoff: missing") && !tradeoff.contains("costs this part"), "{tradeoff}");
    // nor is it called silence
    assert!(tradeoff.contains("What you said of this part is not so"), "{tradeoff}");
    // the same words with two faults are quoted once
    let mut pack = with_a_false_statement("tradeoff");
    let mut second = pack.drills[0].rubric.misconceptions[0].clone();
    (second.id, second.part) = ("rind".into(), "problem".into());
    pack.drills[0].rubric.misconceptions.push(second);
    let mut desk = Desk::new(pack, &place);
    desk.resize(120, 40).paste(&wrong).wait(60).keys("<ctrl+s><enter>s").shows("Not so either");
}

#[test]
fn an_earlier_answer_opens_its_marks_and_no_list() {
    let folder = tempfile::tempdir().unwrap();
    answered(folder.path()).shows("which of these").keys("<ctrl+q>");
    let mut again = Desk::on_disk(kit::pack(), &Place::Home, folder.path());
    again.resize(120, 40).keys("y<enter>").shows("› verdict").shows("not sure: 20% to 70%");
}

#[test]
fn a_tick_takes_the_nearest_sentence_and_shows_it() {
    let mut pack = kit::pack();
    let point = pack.drills[0].rubric.points.iter_mut().find(|p| p.part == "communication").unwrap();
    point.matches = vec!["mechanism + broadcast".into()];
    let place = Place::Drill { pack: 0, id: "ddp-1".into(), only: None };
    let mut desk = Desk::new(pack, &place);
    desk.resize(120, 40).paste(ANSWER).wait(60).keys("<ctrl+s><enter>");
    desk.shows("Communication: which of these").keys("<enter>");
    desk.shows("ticked with your nearest sentence").shows("[x] say the communication").shows("you: “Then");
}
