//! The settings: what was found, what a key changes, what only an option can.

use infralens::page::place::Place;
use infralens::widget::theme::Palette;

use crate::kit::course::course;
use crate::kit::desk::Desk;

#[test]
fn the_settings_are_found_by_what_one_looks_for_and_say_what_doctor_says() {
    for word in ["settings", "theme", "colours", "options", "doctor"] {
        let mut desk = Desk::new(course().clone(), &Place::Home);
        desk.resize(80, 24).keys(&format!("/{word}")).wait(1).keys("<enter>");
        desk.shows("› Settings").shows("t dark or light");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let mut desk = Desk::on_disk(course().clone(), &Place::Settings, folder.path());
    for (width, height) in [(120, 40), (200, 60)] {
        desk.resize(width, height).shows("The palette is").shows("packs").shows("--theme NAME");
        desk.shows(&format!("{width} columns and {height} rows")).shows("None is set up, and none is needed");
    }
}

#[test]
fn a_key_turns_dark_to_light_and_lets_things_stand_still() {
    let mut desk = Desk::themed(course().clone(), &Place::Settings, Palette::Dark, false);
    desk.resize(120, 40).shows("The palette is `dark`").keys("t").shows("light until the end");
    desk.shows("The palette is `light`").keys("t").shows("The palette is `dark`");
    desk.shows("things move by themselves").keys("m").shows("stepped by keys");
    assert!(desk.app.services().is_some_and(|services| services.is_still));
}
