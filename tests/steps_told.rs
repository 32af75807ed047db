//! What is said of how far one is: the same in the lab, on Home, in the lesson and in what was done day by day.

use infralens::pack::{Lesson, Pack};
use infralens::page::place::Place;
use infralens::services::job::{Done, Ran};
use infralens::tui::event::What;

use crate::kit::course::course;
use crate::kit::desk::Desk;

/// The course, whose starters may run, from the first lesson with a lab on.
fn own_course() -> Pack {
    let mut pack = course().clone();
    pack.origin = infralens::built_in::ORIGIN;
    pack
}

fn lesson_with_lab() -> &'static Lesson {
    course().lessons.iter().find(|lesson| !lesson.labs.is_empty()).expect("a lab")
}

fn half_done(folder: &std::path::Path) -> (Desk, String, String) {
    let lesson = lesson_with_lab();
    let lab = lesson.labs.first().expect("a lab");
    let mut desk = Desk::on_disk(own_course(), &Place::Lab { pack: 0, id: lab.id.clone() }, folder);
    desk.resize(120, 40).keys("rfalls<enter>20<enter>first layers<ctrl+s>");
    let ran = Ran { pack: 0, lab: lab.id.clone(), output: "what it printed".into(), note: None };
    desk.send(What::Done(Box::new(Done::Ran(ran))));
    desk.shows("compare 1 of 3");
    (desk, lab.id.clone(), lab.title.clone())
}

#[test]
fn a_lab_that_is_not_compared_has_no_tick_there_whatever_was_done_after_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut desk, id, _) = half_done(folder.path());
    // an answer that was only looked at is not compared
    desk.keys("<enter>").shows("compare 1 of 3").keys("e");
    desk.shows("✓ predict").shows("✓ run").hides("✓ compare").hides("✓ change it").shows("▸ change it");
    let own = desk.app.services().expect("services").own_copy(0, &id).expect("a copy");
    std::fs::create_dir_all(own.path.parent().expect("a folder")).expect("made");
    std::fs::write(&own.path, format!("{}\nx = (", own.text)).expect("written");
    let ran = |output: &str, note: Option<&str>| Ran {
        pack: 0,
        lab: id.clone(),
        output: output.to_owned(),
        note: note.map(str::to_owned),
    };
    let (starter, copy) = (ran("1", None), ran("SyntaxError", Some("python3 ended with exit status 1")));
    desk.send(What::Done(Box::new(Done::RanCopy { starter: starter.clone(), copy })));
    desk.shows("did not run to its end").hides("✓ change it").shows("▸ change it");
    desk.send(What::Done(Box::new(Done::RanCopy { starter, copy: ran("2", None) })));
    desk.shows("✓ change it").hides("✓ compare").keys("<esc>").shows("▸ compare 1 of 3").shows("✓ change it");
}

#[test]
fn home_leads_to_the_lab_that_is_left_of_a_lesson_and_not_to_a_lesson_that_was_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut desk, _, title) = half_done(folder.path());
    desk.keys("<esc><esc>");
    let lesson = lesson_with_lab();
    let place = Place::Lesson { pack: 0, id: lesson.id.clone() };
    let mut desk = Desk::on_disk(own_course(), &place, folder.path());
    desk.resize(120, 40).keys("<enter><enter>m<esc>");
    let mut desk = Desk::on_disk(own_course(), &Place::Home, folder.path());
    desk.resize(120, 40);
    let screen = desk.screen();
    let row = screen.lines().find(|row| row.contains("Continue")).expect("what to go on with");
    assert!(row.contains(&title) && row.contains("3 to compare"), "{screen}");
    // another lesson was opened since: the lab is still there
    let next = Place::Lesson { pack: 0, id: course().lessons[4].id.clone() };
    Desk::on_disk(own_course(), &next, folder.path()).resize(120, 40).keys("<enter><enter><esc>");
    let mut desk = Desk::on_disk(own_course(), &Place::Home, folder.path());
    desk.resize(120, 40).shows(&format!("{title}, 3 to compare"));
    // a lab that is not compared is not one that was done
    desk.keys("p<tab><tab><tab><enter>").shows("1 lab begun").hides("1 lab,");
}

#[test]
fn the_sections_say_how_many_more_there_are_and_the_one_in_view_is_whole() {
    let mut desk = Desk::new(own_course(), &Place::Lesson { pack: 0, id: "ddp".into() });
    for (width, height) in [(80, 24), (120, 40), (200, 60)] {
        desk.resize(width, height).keys("<home>");
        for _ in 0..6 {
            desk.keys("]");
            let screen = desk.screen();
            let bar =
                screen.lines().find(|row| row.contains('▸') && row.contains('/')).expect("the sections");
            assert!(bar.contains(" more"), "{bar}");
            let name = bar.split("▸ ").nth(1).expect("the one in view");
            assert!(!name.split(" · ").next().expect("a name").trim_end().ends_with('…'), "{bar}");
        }
    }
}
