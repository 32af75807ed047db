//! What single pages of the line-mode face say of themselves.

use std::collections::BTreeMap;

use infralens::page::place::Place;
use jiff::Timestamp;

use crate::kit::course::course;
use crate::kit::visit::*;

#[test]
fn the_end_of_the_checks_is_said_before_another_page_is() {
    let only = Some("overview-first-choice".to_owned());
    let place = Place::Checks { pack: 0, lesson: "overview".into(), only };
    let mut visit = Visit::new(&place, &["3"]);
    let said = flat(&visit.line(""));
    assert!(said.starts_with("That was the one check here. Page: Distributed Training."), "{said}");
}

#[test]
fn a_dot_alone_asks_before_it_leaves_a_strict_answer_empty() {
    let setup = infralens::study::rehearsal::Setup { think: 0, count: 1, ..setup() };
    let mut face = face();
    let asked = flat(&face.rehearse(setup, at(0)));
    assert!(asked.contains("A line with a single dot ends it"), "{asked}");
    let first = flat(&face.line(".", at(1)));
    assert!(first.contains("You have typed nothing yet. Another dot goes on without an answer."), "{first}");
    // a word takes the question back
    face.line("Each rank holds a replica.", at(2));
    face.line(":clear", at(3));
    assert!(flat(&face.line(".", at(4))).contains("You have typed nothing yet"));
    assert!(!flat(&face.line(".", at(5))).contains("You have typed nothing yet"));
}

fn setup() -> infralens::study::rehearsal::Setup {
    infralens::study::rehearsal::Setup::screen("distributed-training", 7)
}

#[test]
fn a_class_in_lines_ends_where_it_began() {
    let folder = tempfile::tempdir().unwrap();
    let place = Place::Class { folder: folder.path().into(), shown: infralens::page::place::Shown::Whole };
    let mut face = face();
    let said = flat(&face.open(&place, at(0)));
    assert!(said.contains("q ends") && !said.contains("goes back"), "{said}");
    let said = face.line("", at(1));
    assert!(!face.is_over(), "Enter alone ends nothing: {said}");
    assert!(flat(&face.line("?", at(2))).contains("q: end the program"));
    let said = face.line("q", at(3));
    assert!(face.is_over() && !said.contains("Distributed Training"), "{said}");
}

#[test]
fn a_value_that_cannot_be_read_is_said_with_the_name_of_what_it_was_for() {
    let place = Place::Sim { kind: "pipeline".into(), set: BTreeMap::new(), link: None };
    let mut visit = Visit::new(&place, &[]);
    let said = flat(&visit.line("stages = abc"));
    assert!(said.to_lowercase().contains("stages") && said.contains("is no number"), "{said}");
}

#[test]
fn a_question_mark_names_the_page_while_an_answer_is_typed() {
    let setup = infralens::study::rehearsal::Setup { think: 5, count: 1, ..setup() };
    let mut face = face();
    face.rehearse(setup, at(0));
    face.line("", at(1));
    face.line(".", at(2));
    let said = flat(&face.line("?", at(3)));
    assert!(
        said.contains("You are here: Rehearsal, question 1 of 1, answering. What can be typed"),
        "{said}"
    );
}

#[test]
fn a_dot_in_a_lesson_leads_nowhere() {
    let mut visit = Visit::new(&Place::Lesson { pack: 0, id: "ddp".into() }, &[]);
    let before = visit.place();
    let said = flat(&visit.line("."));
    assert!(said.contains("A dot ends an answer, and none is typed here"), "{said}");
    assert_eq!(visit.place(), before);
    visit.line(">");
    assert_ne!(visit.place(), before, "the other key stays");
}

#[test]
fn what_is_compared_leads_back_to_its_lab() {
    let place = Place::Lab { pack: 0, id: "01-ddp-buckets".into() };
    let row =
        Visit::new(&place, &[]).said.lines().find(|l| l.contains("Predict, then run")).map(str::to_owned);
    let row = row.unwrap().split('.').next().unwrap().to_owned();
    let mut visit = Visit::new(&place, &[&row]);
    let lab = "01-ddp-buckets";
    let predictions =
        course().lesson("ddp").unwrap().labs.iter().find(|l| l.id == lab).unwrap().predictions.len();
    for _ in 0..predictions {
        visit.said = visit.line("4");
    }
    assert!(flat(&visit.said).contains("Enter leads back to the lab"), "{}", visit.said);
    let said = flat(&visit.line("foo bar"));
    assert!(said.starts_with("“foo bar” does not work here"), "{said}");
    let compare = visit.place();
    visit.line("");
    let after = visit.place();
    assert_eq!(compare.strip_suffix(", compare.").map(|lab| format!("{lab}.")), Some(after));
}

#[test]
fn a_question_of_a_simulator_says_how_to_go_on() {
    let place = Place::Sim { kind: "ring".into(), set: BTreeMap::new(), link: None };
    let mut visit = Visit::new(&place, &["1"]);
    let asked = visit.place();
    assert!(asked.contains("question 1 of "), "{asked}");
    let said = flat(&visit.line("1"));
    assert!(said.contains("Enter asks the next question."), "{said}");
    assert!(flat(&visit.line("")).contains("Question 2 of "));
    visit.line("");
    assert!(!visit.place().contains("question"), "Enter leaves the question alone, not the simulator");
}

#[test]
fn a_setting_out_of_range_is_refused_with_the_range() {
    let mut visit = Visit::new(&Place::Rehearse, &[]);
    let drills = course().drills.len().min(50);
    let said = flat(&visit.line("prompts 99"));
    assert_eq!(said, format!("Prompts cannot be 99; type 1 to {drills}."));
    assert!(flat(&visit.line("answer 5")).contains("type 10 to 3600 seconds"));
    assert!(flat(&visit.line("l")).contains("Prompts: 5;"), "the setting is as it was");
}

#[test]
fn what_was_not_reached_is_counted_and_not_read() {
    let mut face = face();
    face.rehearse(infralens::study::rehearsal::Setup { think: 0, ..setup() }, at(0));
    face.line("Each rank holds a replica.", at(1));
    let said = flat(&face.line(":stop", at(2)));
    assert!(said.contains("Not answered: 4 questions") && !said.contains("Question 3"), "{said}");
}

#[test]
fn what_was_left_for_later_stays_so_with_other_minutes() {
    let mut visit = Visit::new(&Place::Plan, &[]);
    let today = |said: &str| flat(said).split("Tomorrow").next().unwrap_or_default().to_owned();
    let list = visit.line("l");
    let task =
        list.lines().find(|l| l.contains("Read: ")).unwrap_or_else(|| panic!("nothing to read: {list}"));
    let (number, name) = task.split_once(". ").unwrap();
    let name = name.split([',', ';', '.']).next().unwrap();
    let said = visit.line(&format!("later {number}"));
    assert!(flat(&said).contains("u takes it back"), "{said}");
    for more in ["more", "less"] {
        visit.line(more);
        let said = visit.line("l");
        assert!(!today(&said).contains(name), "{more} brought {name} back: {said}");
    }
}

#[test]
fn home_is_short_and_names_the_lessons_when_asked() {
    let mut visit = Visit::new(&Place::Home, &[]);
    let title = &course().lessons[0].title;
    let today = visit.said.find("Course, ").unwrap();
    assert!(!visit.said[today..].contains(title.as_str()), "{}", visit.said);
    assert!(flat(&visit.said).contains(&format!("{} lessons, numbers 21 to", course().lessons.len())));
    let wrong = flat(&visit.line("20"));
    assert!(wrong.contains("or 21 to 32") && !wrong.contains("from 1 to"), "{wrong}");
    // their numbers can be typed all the same
    assert!(visit.line("21").contains(&format!("Page: {title}.")));
    visit.line("q");
    let list = visit.line("course");
    assert!(list.contains(&format!("21. {title}")), "{list}");
    assert!(!list.contains("Heading: Today") && flat(&list).contains("Heading: Course, "), "{list}");
    // what was listed above keeps its number
    assert!(visit.line("1").contains("Page: "));
}

#[test]
fn titles_on_home_stand_in_quotes_and_no_colons_pile_up() {
    let mut face = face();
    face.open(&drill(), at(1));
    face.line("Each rank averages the gradients", at(2));
    face.line(":q", at(3));
    let begun = face.open(&Place::Home, at(4));
    let prompt = course().prompt("ddp-gradients-not-parameters").unwrap();
    assert!(flat(&begun).contains(&format!("Finish your answer to “{prompt}”")), "{begun}");
    face.open(&Place::Plan, at(5));
    face.line("5", at(6));
    let planned = face.open(&Place::Home, at(7));
    assert!(planned.contains("Read “Why and how to train on many GPUs”"), "{planned}");
    let home = begun + &planned;
    let rows: Vec<&str> = home.lines().filter(|l| l.starts_with(|c: char| c.is_ascii_digit())).collect();
    for row in rows {
        let outside: String = row.split('“').map(|part| part.split('”').next_back().unwrap()).collect();
        assert!(outside.matches(": ").count() < 2 && !row.contains(": your"), "{row}");
    }
}

#[test]
fn a_glossary_asks_for_a_word_before_it_reads_all_of_itself() {
    let mut visit = Visit::new(&Place::Glossary { pack: 0, lesson: None }, &[]);
    assert!(visit.said.lines().count() < 8, "{}", visit.said);
    let help = flat(&visit.line("?"));
    assert!(help.contains("a word: looks it up") && help.contains("all: reads all of them"), "{help}");
    assert!(visit.line("all").lines().count() > 100);
    let mut visit = Visit::new(&Place::Glossary { pack: 0, lesson: None }, &[]);
    assert!(flat(&visit.line("bucket")).starts_with("Page: Bucket."));
}

#[test]
fn what_was_not_asked_yet_is_counted() {
    let visit = Visit::new(&Place::Progress, &["map"]);
    let said = flat(&visit.said);
    assert!(said.contains(&format!("Not asked yet: {} more.", course().lessons.len() - 1)), "{said}");
    assert!(!said.contains("not asked;"), "{said}");
}

#[test]
fn a_question_mark_lists_each_thing_once_and_in_words() {
    for (place, lines) in places() {
        let mut visit = Visit::new(&place, &lines);
        let help = flat(&visit.line("?"));
        let Some((_, help)) = help.split_once("What can be typed:") else { continue };
        for key in ["shift+", "backspace", "delete:", "press"] {
            assert!(!help.contains(key), "{place:.60?}: {key}: {help}");
        }
        let twice = ["the next hint", "takes that choice", "says this page again"];
        let twice = twice.into_iter().find(|does| help.matches(does).count() > 1);
        assert_eq!(twice, None, "{place:.60?}: {help}");
    }
    // what a page takes of its own
    let own = [
        (Place::Code { pack: 0, id: "01-ddp-buckets".into() }, "all: reads everything"),
        (Place::Lesson { pack: 0, id: "ddp".into() }, "everything: reads the whole lesson at once"),
        (
            Place::Sim { kind: "ring".into(), set: BTreeMap::new(), link: None },
            "reset: turns all settings back",
        ),
        (Place::Rehearse, "prompts 6, think 20,"),
    ];
    for (place, wanted) in own {
        let help = flat(&Visit::new(&place, &[]).line("?"));
        assert!(help.contains(wanted), "{help}");
    }
}

#[test]
fn settings_are_turned_back_by_a_word_and_tell_their_range() {
    let place = Place::Sim { kind: "buckets".into(), set: BTreeMap::new(), link: None };
    let mut visit = Visit::new(&place, &[]);
    let before = flat(&visit.said);
    assert!(before.contains("bucket cap, ") && !before.contains("tensors: gradient tensors."), "{before}");
    assert!(flat(&visit.line("cap = 4 MiB")).contains("was 15 buckets"));
    let said = flat(&visit.line("reset"));
    assert!(said.contains("as they were opened") && said.contains("15 buckets, was 96 buckets"), "{said}");
}

#[test]
fn what_i_say_i_did_not_say_is_no_strength() {
    let answer = "FSDP shards weights, gradients and optimizer state so that 7B params at 16 bytes each, \
                  112 GB, fit in 80 GB cards.";
    let drill = Place::Drill { pack: 0, id: "choose-parallelism".into(), only: None };
    let mut visit = Visit::new(&drill, &[answer, "."]);
    assert!(visit.said.contains("Before the marks"), "{}", visit.said);
    let numbered = |said: &str, words: &str| -> Vec<String> {
        let rows = said.lines().filter_map(|line| line.trim().split_once(". "));
        rows.filter(|(_, rest)| rest.starts_with(words)).map(|(n, _)| n.to_owned()).collect()
    };
    let asked = flat(&visit.said);
    assert!(asked.contains("You said: “"), "{asked}");
    assert!(!asked.contains("” the rules") && !asked.contains("” The rules found it “"), "{asked}");
    let stops = asked.match_indices("The rules found").all(|(at, _)| {
        let before = asked[..at].trim_end();
        before.ends_with(['.', '”'])
    });
    assert!(stops, "{asked}");
    // those before the marks, then those that one asks for
    for is_first in [true, false] {
        for _ in 0..9 {
            let said = visit.said.clone();
            let Some(on) = numbered(&said, "That is right").pop() else { break };
            for ticked in [numbered(&said, "ticked"), numbered(&said, "said in part")].concat() {
                visit.line(&format!("n {ticked}"));
            }
            visit.said = visit.line(&on);
        }
        if is_first {
            visit.said = visit.line("a");
        }
    }
    let verdict = flat(&visit.line("l"));
    assert!(
        verdict.contains("1. Problem: missing") && verdict.contains("2. Mechanism: missing"),
        "{verdict}"
    );
    let problem = verdict.split("1. Problem").nth(1).unwrap().split("2. Mechanism").next().unwrap();
    assert!(!problem.contains("You said"), "{problem}");
    assert!(!verdict.contains("missing, by you"), "that is no claim of theirs: {verdict}");
    let points = flat(&visit.line("1"));
    assert!(points.contains("Not said, by your own word") && !points.contains("by you: no"), "{points}");
    let home = flat(&visit.line("home"));
    assert!(home.contains("Problem 0%") && home.contains("Mechanism 0%"), "{home}");
}

#[test]
fn the_answer_at_hand_is_no_earlier_one() {
    let drill = Place::Drill { pack: 0, id: "choose-parallelism".into(), only: None };
    let mut face = face();
    // times as they come from a clock, finer than they are kept
    let fine = |seconds: i64| Timestamp::new(1_790_000_000 + seconds, 123_456_789).unwrap();
    face.open(&drill, fine(0));
    for (at, line) in
        ["A pipeline costs a bubble, and I would measure it in a trace.", ". 60", "s"].iter().enumerate()
    {
        face.line(line, fine(60 + at as i64));
    }
    let said = flat(&face.line("h", fine(70)));
    assert!(said.contains("This is the first."), "{said}");
    let away = flat(&face.line("h", fine(71)));
    assert!(away.starts_with("Page: Verdict."), "what is put away is said: {away}");
}

#[test]
fn a_lesson_that_was_begun_says_how_far() {
    let mut visit = Visit::new(&Place::Lesson { pack: 0, id: "ddp".into() }, &["", ""]);
    let said = flat(&visit.line("l"));
    assert!(said.contains("Begun.") && !said.contains("Not begun"), "{said}");
    assert!(said.contains("1. Read: What problem it solves, heard 2 of"), "{said}");
    assert!(!said.contains("Enter reads on."), "what was read last is not read again: {said}");
    visit.line("2");
    let said = flat(&visit.line("l"));
    assert!(said.contains("1. Read: What problem it solves, heard "), "{said}");
}

#[test]
fn a_guess_is_asked_for_before_a_lab_runs() {
    let place = Place::Lab { pack: 0, id: "01-ddp-buckets".into() };
    let mut visit = Visit::new(&place, &["4", "", ""]);
    let said = flat(&visit.line(""));
    assert!(said.contains("Predict one of them at least") && said.contains("1 of 3."), "{said}");
}

#[test]
fn a_rehearsal_has_as_many_prompts_as_it_says() {
    let mut visit = Visit::new(&Place::Rehearse, &["lessons ddp"]);
    let drills = course().drills_of("ddp").count();
    assert!(drills < 5);
    let said = flat(&visit.said);
    assert!(said.contains(&format!("Prompts: {drills}; all that these lessons have")), "{said}");
    assert!(!said.contains("Earlier rehearsals"), "what did not change is not said again: {said}");
    let begun = flat(&visit.line(""));
    assert!(begun.contains(&format!("Rehearsal: {drills} prompts")), "{begun}");
    assert!(begun.contains(&format!("Question 1 of {drills}")), "{begun}");
}

#[test]
fn the_date_of_an_interview_is_cleared_by_a_word() {
    let mut visit = Visit::new(&Place::Plan, &["i"]);
    assert!(flat(&visit.said).contains("none clears it"), "{}", visit.said);
    visit.line("none");
    assert_eq!(visit.place(), "Plan.");
}

#[test]
fn more_and_less_of_the_plan_answer_in_a_line() {
    let mut visit = Visit::new(&Place::Plan, &[]);
    let said = visit.line("more");
    assert!(said.lines().count() <= 2 && flat(&said).starts_with("75 minutes a day: "), "{said}");
    assert!(flat(&visit.line("less")).starts_with("60 minutes a day: "));
}

#[test]
fn a_command_that_needs_a_number_asks_for_it_and_takes_the_next_line() {
    let answer = ["Each rank averages the gradients with an all-reduce.", ". 60", "s"];
    let mut visit = Visit::new(&drill(), &answer);
    let listed: Vec<String> = listed(&mut visit).into_iter().map(|(typed, _)| typed).collect();
    for command in ["w ", "u ", "g "] {
        let is_listed = listed.iter().any(|typed| {
            typed.strip_prefix(command).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        });
        assert!(is_listed, "{command} in {listed:?}");
    }
    let asked = flat(&visit.line("w"));
    assert!(asked.starts_with("Which one? Type "), "{asked}");
    let wrong = flat(&visit.line("99"));
    assert!(wrong.starts_with("There is no number 99 here; which one?"), "{wrong}");
    assert!(flat(&visit.line("")).starts_with("Nothing is done."));
    visit.line("w");
    let said = flat(&visit.line("5"));
    assert!(said.contains("A line with a single dot ends it"), "the part is asked again: {said}");
}

#[test]
fn a_check_with_a_number_has_the_keys_of_the_others_and_repeats_what_it_says() {
    let number = course().checks.iter().find(|c| matches!(c.kind, infralens::pack::CheckKind::Number(_)));
    let number = number.unwrap();
    let place = Place::Checks { pack: 0, lesson: number.lesson.clone(), only: Some(number.id.clone()) };
    let mut visit = Visit::new(&place, &[]);
    let (first, again) = (flat(&visit.line("banana")), flat(&visit.line("banana")));
    assert!(first.contains("is no number") && first == again, "{first} / {again}");
    let hint = flat(&visit.line("h"));
    assert!(hint.contains("Hint 1:") && !hint.contains("is no number"), "{hint}");
    let all = Place::Checks { pack: 0, lesson: number.lesson.clone(), only: None };
    let mut visit = Visit::new(&all, &[]);
    while !visit.said.contains("Type a number, with") && !flat(&visit.line("?")).contains("h or hint") {
        visit.said = visit.line("s");
        assert!(!visit.said.contains("Done:"), "a check with a number is among them");
    }
    let before = visit.place();
    let skipped = flat(&visit.line("s"));
    assert!(skipped.contains("Check ") || visit.place() != before, "{skipped}");
}

#[test]
fn a_simulator_is_never_silent_after_a_prediction() {
    for kind in infralens::sim::KINDS {
        let place = Place::Sim { kind: kind.name.into(), set: BTreeMap::new(), link: None };
        for number in ["2", "3", "4", "5"] {
            let mut visit = Visit::new(&place, &["p", "1", "1"]);
            let said = visit.line(number);
            assert!(!said.trim().is_empty(), "{}: {number}", kind.name);
        }
    }
}

#[test]
fn a_check_that_the_review_graded_says_truly_what_enter_does() {
    let mut visit =
        Visit::new(&Place::Checks { pack: 0, lesson: "overview".into(), only: None }, &["1", "", "1", ""]);
    visit.said = visit.face.open(&Place::Review { ahead: 9 }, at(500_000));
    let mut graded = 0;
    for _ in 0..6 {
        let said = flat(&visit.face.line("1", at(500_100 + graded)));
        if said.contains("Enter keeps that") {
            graded += 1;
            assert!(said.contains("Enter goes on") && !said.contains("Enter or q goes back"), "{said}");
        }
        visit.face.line("", at(500_200 + graded));
    }
    assert!(graded > 0, "{}", visit.said);
}

#[test]
fn a_dot_alone_predicts_nothing_and_packs_without_a_fault_are_said_to_be_so() {
    let lab = course().lessons.iter().flat_map(|l| &l.labs).find(|lab| !lab.predictions.is_empty()).unwrap();
    let mut visit = Visit::new(&Place::Lab { pack: 0, id: lab.id.clone() }, &["r"]);
    for _ in &lab.predictions {
        visit.said = visit.line(".");
    }
    assert!(!visit.said.contains("You said: ."), "{}", visit.said);
    let mut home = Visit::new(&Place::Home, &[]);
    assert!(flat(&home.line("!")).contains("there are no problems"));
}
