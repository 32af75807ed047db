//! Labs on screen: predicted, run, compared, changed.

#![allow(missing_docs)]

use crate::kit::course;
use crate::kit::desk;

use course::course;
use desk::{Desk, pages};
use infralens::pack::{Lab, Pack};
use infralens::page::place::Place;
use infralens::services::job::{Done, Ran};
use infralens::tui::event::What;

fn lab(id: &str) -> Desk {
    let place = Place::Lab { pack: 0, id: id.into() };
    Desk::new(course().clone(), &place)
}

/// The course, whose starters may run.
fn own_course() -> Pack {
    let mut pack = course().clone();
    pack.origin = infralens::built_in::ORIGIN;
    pack
}

fn first_lab(pack: &Pack) -> &Lab {
    pack.lessons.iter().find_map(|l| l.labs.first()).expect("a lab")
}

fn printed(lab: &str, output: &str) -> Ran {
    Ran { pack: 0, lab: lab.to_owned(), output: output.to_owned(), note: None }
}

/// The starter of a lab ends.
fn ran(desk: &mut Desk, lab: &str) {
    desk.send(What::Done(Box::new(Done::Ran(printed(lab, "what it printed")))));
}

#[test]
fn what_to_see_in_the_output_waits_for_the_prediction() {
    let waits = "What it keeps you from misunderstanding";
    let id = &first_lab(course()).id;
    let mut desk = lab(id);
    let before = pages(desk.resize(120, 40)).join("\n");
    assert!(before.contains("Predict before you run it") && before.contains("After your prediction"));
    assert!(!before.contains(waits) && !before.contains("What to notice\n"));
    // what comes of changing it answers what is to be predicted
    assert!(!before.contains("Changes to try"));
    // to ask for the prediction shows nothing either
    desk.keys("r<esc>");
    assert!(!pages(&mut desk).join("\n").contains(waits));
    desk.keys("rthe tail is ten milliseconds<ctrl+s><ctrl+s><esc>");
    // nor does it before it was compared; the page of changes says when they come
    assert!(!pages(&mut desk).join("\n").contains(waits));
    desk.keys("e").shows("once you have compared your predictions").keys("<esc>");
    desk.keys("m");
    let after = pages(&mut desk).join("\n");
    assert!(
        after.contains(waits) && after.contains("Changes to try") && !after.contains("After your prediction")
    );
    desk.resize(80, 24).keys("e").shows("Changes to try").hides("once you have compared");
}

#[test]
fn a_lab_that_is_done_keeps_nothing_back() {
    let id = &first_lab(course()).id;
    let mut desk = lab(id);
    desk.keys("m");
    assert!(pages(&mut desk).join("\n").contains("The intuition to keep"));
}

#[test]
fn a_key_that_was_pressed_too_late_is_asked_about_before_it_counts_as_a_prediction() {
    let of = first_lab(course());
    let mut desk = Desk::new(own_course(), &Place::Lab { pack: 0, id: of.id.clone() });
    desk.resize(120, 40).keys("rit falls<enter>");
    for _ in 1..of.predictions.len() {
        desk.keys("e<enter>");
    }
    desk.shows("prediction 2 is only “e”: was that a key?").hides("Running");
    desk.keys("<ctrl+s>").shows("Running");
}

#[test]
fn a_large_screen_shows_what_there_is_to_change() {
    let of = first_lab(course());
    let mut desk = Desk::new(own_course(), &Place::Lab { pack: 0, id: of.id.clone() });
    let line = of.starter.text.lines().find(|line| line.starts_with("def ")).expect("a function");
    desk.resize(200, 60).keys("e").shows("Change it, and see what that does").shows("Your copy").shows(line);
}

#[test]
fn on_a_narrow_screen_what_was_said_and_what_is_stand_below_the_question() {
    let of = first_lab(course());
    let mut desk = Desk::new(own_course(), &Place::Lab { pack: 0, id: of.id.clone() });
    desk.resize(80, 24).keys("rit falls<ctrl+s><ctrl+s>");
    ran(&mut desk, &of.id);
    let screen = desk.shows("enter shows it").screen();
    let rows: Vec<&str> = screen.lines().map(str::trim_start).collect();
    assert!(rows.iter().any(|row| row.starts_with("you said") && row.contains("it falls")), "{screen}");
    assert!(rows.iter().any(|row| row.starts_with("it is") && row.contains("enter shows it")), "{screen}");
    desk.keys("<enter>").shows("It is").hides("│ it is");
}

#[test]
fn predictions_are_compared_one_by_one_and_then_the_lab_is_done() {
    let lesson = course().lessons.iter().find(|l| !l.labs.is_empty()).expect("a lab");
    let of = &lesson.labs[0];
    let pack = own_course();
    let mut desk = Desk::new(pack, &Place::Lab { pack: 0, id: of.id.clone() });
    desk.resize(120, 40).keys("rit falls<enter>second<ctrl+s>");
    desk.shows("one prediction is empty")
        .hides("Running")
        .keys("<ctrl+s>")
        .shows("Running")
        .hides("enter answer");
    // another lab's end is none of its business
    ran(&mut desk, "another");
    ran(&mut desk, &of.id);
    desk.shows("what it printed").shows("you said").shows("it falls").shows("second").hides("It is");
    desk.keys("<enter>").shows("It is").keys("<down>").hides("It is").keys("<up>").shows("It is");
    for at in 0..of.predictions.len() {
        desk.hides("counts as done").keys(if at == 0 { "n" } else { "y" });
    }
    // nothing was said of the last one
    desk.shows("nothing to be right about").hides("counts as done").keys("n");
    desk.shows("the lab counts as done").keys("<esc>");
    assert!(pages(&mut desk).join("\n").contains("The intuition to keep"));
    let home = desk.app.services().expect("services").home(0, desk.now).expect("home");
    assert!(home.lessons[&lesson.id].labs.contains(&of.id));
}

#[test]
fn a_changed_copy_is_run_and_its_output_stands_beside_that_of_the_original() {
    let pack = own_course();
    let id = first_lab(&pack).id.clone();
    let folder = tempfile::tempdir().expect("a folder");
    let mut desk = Desk::on_disk(pack, &Place::Lab { pack: 0, id: id.clone() }, folder.path());
    for (width, height) in [(80, 24), (120, 40), (200, 60)] {
        desk.resize(width, height).shows("change it");
    }
    desk.keys("e").hides("✓ predict").keys("<esc>me").shows("✓ predict");
    desk.shows("Change it, and see what that does").shows("your copy").shows("e opens it in");
    desk.shows("Nothing yet").keys("r").shows("nothing is changed in your copy yet").hides("Running");
    // changed in any editor
    let own = desk.app.services().expect("services").own_copy(0, &id).expect("a copy");
    std::fs::create_dir_all(own.path.parent().expect("a folder")).expect("made");
    std::fs::write(&own.path, own.text.replace("ALGBW = 40e9", "ALGBW = 400e9")).expect("written");
    desk.keys("r").shows("Running both").shows("+ ALGBW = 400e9").shows("- ALGBW = 40e9");
    let starter = printed(&id, "cap 1\nexposed 20 ms");
    let both = Done::RanCopy { starter, copy: printed(&id, "cap 1\nexposed 2 ms") };
    desk.send(What::Done(Box::new(both)));
    desk.shows("The original prints").shows("Your copy prints").shows("1 line that your copy printed");
    desk.shows("» exposed 20 ms").shows("» exposed 2 ms").shows("✓ change it");
    let row = desk.screen().lines().find(|row| row.contains("exposed 20 ms")).map(str::to_owned);
    assert!(row.is_some_and(|row| row.contains("exposed 2 ms")), "{}", desk.screen());
    // one that does not run to its end is compared with nothing
    let fault =
        Ran { note: Some("python3 ended with exit status 1".into()), ..printed(&id, "SyntaxError: x") };
    desk.send(What::Done(Box::new(Done::RanCopy { starter: printed(&id, "cap 1"), copy: fault })));
    desk.shows("did not run to its end: python3 ended with exit status 1").shows("SyntaxError: x");
    desk.hides("The original prints").hides("differ from the original");
    // changed again, what it printed before is no longer its output
    std::fs::write(&own.path, own.text.replace("ALGBW = 40e9", "ALGBW = 4e9")).expect("written");
    desk.send(What::Done(Box::new(Done::Said("back".into()))));
    desk.shows("+ ALGBW = 4e9").hides("SyntaxError").keys("<esc>").shows("change it");
}

#[test]
fn what_a_changed_copy_prints_differently_stands_first_number_by_number() {
    let pack = own_course();
    let id = first_lab(&pack).id.clone();
    let folder = tempfile::tempdir().expect("a folder");
    let mut desk = Desk::on_disk(pack, &Place::Lab { pack: 0, id: id.clone() }, folder.path());
    desk.resize(80, 24).keys("e");
    let own = desk.app.services().expect("services").own_copy(0, &id).expect("a copy");
    std::fs::create_dir_all(own.path.parent().expect("a folder")).expect("made");
    std::fs::write(&own.path, own.text.replace("ALGBW = 40e9", "ALGBW = 400e9")).expect("written");
    let text = |[a, b]: [&str; 2]| {
        let rows: Vec<String> =
            (1..9).map(|n| format!("  {n:>5}  25       15     19.{n}         {a}")).collect();
        format!("  first  cap  buckets  comm ms  exposed ms\n{}\nnetwork |{b}|\nend", rows.join("\n"))
    };
    let starter = printed(&id, &text(["1.0", "aaaa bb"]));
    desk.keys("r")
        .send(What::Done(Box::new(Done::RanCopy { starter, copy: printed(&id, &text(["0.6", "aa"])) })));
    // no scrolling past how it is done
    desk.shows("first 8, cap 25, buckets 15, comm ms 19.8:")
        .shows("exposed ms 1.0 → 0.6")
        .hides("comm ms 19.8 →")
        .hides("aaaa bb → aa");
    desk.hides("brings you back");
}

#[test]
fn once_an_answer_is_open_the_keys_are_those_that_judge_it() {
    let pack = own_course();
    let id = first_lab(&pack).id.clone();
    let mut desk = Desk::new(pack, &Place::Lab { pack: 0, id: id.clone() });
    desk.keys("r").paste("a guess").keys("<ctrl+s><ctrl+s>");
    ran(&mut desk, &id);
    desk.shows("enter see answer").keys("<enter>").hides("enter see answer");
    desk.shows("y I was right")
        .shows("n I was not")
        .shows("p partly")
        .shows("Did you have it right? y yes, n no, p partly.");
    desk.keys("<enter>").shows("Did you have it right?");
    desk.keys("y").hides("Did you have it right?").keys("j").shows("enter see answer");
}

#[test]
fn the_output_can_be_read_whole_where_the_questions_leave_no_room() {
    let pack = own_course();
    let id = first_lab(&pack).id.clone();
    let mut desk = Desk::new(pack, &Place::Lab { pack: 0, id: id.clone() });
    let long =
        "I would say that this falls by quite a lot because of the latency of each of the buckets ".repeat(2);
    desk.keys("r").paste(&long).keys("<enter>").paste(&long).keys("<enter>").paste(&long).keys("<ctrl+s>");
    ran(&mut desk, &id);
    desk.shows("o output").keys("o").shows("what it printed").keys("o").shows("you said");
    desk.keys("o").shows("what it printed").keys("<esc>").shows("you said");
}

#[test]
fn what_was_predicted_stays_when_it_runs_again() {
    let pack = own_course();
    let id = first_lab(&pack).id.clone();
    let lab = Place::Lab { pack: 0, id: id.clone() };
    let folder = tempfile::tempdir().expect("a folder");
    let mut desk = Desk::on_disk(pack.clone(), &lab, folder.path());
    desk.resize(120, 40).keys("rit falls<enter>ten<enter>the last<ctrl+s>");
    ran(&mut desk, &id);
    desk.keys("yny").shows("the lab counts as done").keys("<ctrl+q>");
    // all of it is compared, and still there
    let mut desk = Desk::on_disk(pack.clone(), &lab, folder.path());
    desk.resize(120, 40).keys("r").shows("Running");
    ran(&mut desk, &id);
    desk.shows("it falls").shows("ten").shows("✓ 1").shows("✗ 2");
    // said anew in part: the rest stays with its mark
    desk.keys("r").shows("it falls").keys("<end> to 1 ms<ctrl+s>");
    ran(&mut desk, &id);
    desk.shows("it falls to 1 ms").hides("✓ 1").shows("✗ 2").shows("ten");
}

#[test]
fn the_code_is_at_hand_while_it_is_predicted() {
    let pack = own_course();
    let lab = first_lab(&pack).clone();
    let mut desk = Desk::new(pack, &Place::Lab { pack: 0, id: lab.id.clone() });
    let line = lab.starter.text.lines().find(|line| line.len() > 20 && !line.contains('#')).expect("a line");
    desk.resize(200, 60).keys("r").shows("Say it before you see it").shows(line.trim());
    desk.resize(80, 24).shows("Say it before you see it").hides(line.trim());
}

#[test]
fn a_lab_that_is_left_keeps_what_was_predicted_and_goes_on_with_it() {
    let pack = own_course();
    let id = first_lab(&pack).id.clone();
    let lab = Place::Lab { pack: 0, id: id.clone() };
    let folder = tempfile::tempdir().expect("a folder");
    // what is typed and not sent off
    let mut desk = Desk::on_disk(pack.clone(), &lab, folder.path());
    desk.resize(120, 40).hides("goes on").keys("rit falls<enter>ten").keys("<ctrl+q>");
    let mut desk = Desk::on_disk(pack.clone(), &lab, folder.path());
    desk.resize(120, 40)
        .shows("what you predicted is kept; r goes on")
        .keys("r")
        .shows("it falls")
        .shows("ten");
    // one of three compared
    desk.keys("<ctrl+s><ctrl+s>").shows("Running");
    ran(&mut desk, &id);
    desk.shows("r predict again")
        .shows("enter shows it")
        .keys("y")
        .shows("2 predictions left to compare")
        .keys("<ctrl+q>");
    let mut desk = Desk::on_disk(pack.clone(), &lab, folder.path());
    desk.resize(120, 40)
        .shows("2 predictions left to compare; r goes on")
        .shows("compare 2 of 3")
        .shows("r run, compare")
        .keys("r");
    ran(&mut desk, &id);
    desk.shows("it falls").shows("✓ 1").shows("ten").keys("<down>n<down>n").shows("the lab counts as done");
    // nothing is left to go on with
    desk.keys("<ctrl+q>");
    let mut desk = Desk::on_disk(pack, &lab, folder.path());
    desk.resize(120, 40).hides("goes on").keys("r").hides("it falls");
}
