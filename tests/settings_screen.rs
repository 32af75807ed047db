//! The settings: what was found, what a key changes, what only an option can.

use infralens::page::key::Key;
use infralens::page::place::Place;
use infralens::services::Services;
use infralens::services::library::Library;
use infralens::store::Store;
use infralens::tui::app::{App, Setup};
use infralens::tui::event::{Event, What};
use infralens::widget::theme::Palette;
use jiff::tz::TimeZone;

use crate::kit::course::course;
use crate::kit::desk::{Desk, START};

#[test]
fn the_settings_are_found_by_what_one_looks_for_and_say_what_doctor_says() {
    for word in ["settings", "theme", "colours", "options", "doctor"] {
        let mut desk = Desk::new(course().clone(), &Place::Home);
        desk.resize(80, 24).keys(&format!("/{word}")).wait(1).keys("<enter>");
        desk.shows("› Settings").shows("t dark or light");
    }
    let mut desk = Desk::new(course().clone(), &Place::Home);
    desk.resize(120, 40).keys("?").shows("the settings: colours, motion").keys("<esc>");
    desk.keys(",").shows("› Settings").keys("<esc>").hides("› Settings");
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
    desk.resize(120, 40).shows("The palette is dark").keys("t").shows("light from now on");
    desk.shows("The palette is light").keys("t").shows("The palette is dark");
    desk.shows("things move by themselves").keys("m").shows("stepped by keys");
    assert!(desk.app.services().is_some_and(|services| services.is_still));
}

#[test]
fn what_was_changed_is_kept_and_an_option_comes_before_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let screen = |asked: Option<Palette>, keys: &str| {
        let store = Store::open(folder.path()).expect("a store");
        let library = Library { packs: vec![course().clone()], broken: Vec::new() };
        let services = Services::new(library, store, TimeZone::UTC, folder.path().to_owned());
        let now = START.parse().expect("a time");
        let mut app = App::new(&Setup { now, palette: asked, ascii: false });
        app.load(services, &Place::Settings);
        for key in keys.chars() {
            let key = Key::parse(&key.to_string()).expect("a key");
            app.update(Event { at: now, what: What::Key(key) });
        }
        app.update(Event { at: now, what: What::Resize(120, 40) });
        app.services().and_then(|services| services.screen).map(|(_, palette)| palette)
    };
    assert_eq!(screen(None, ""), Some("dark"));
    assert_eq!(screen(None, "t"), Some("light"));
    assert_eq!(screen(None, ""), Some("light"));
    assert_eq!(screen(Some(Palette::Dark), ""), Some("dark"), "what is asked for now");
    let mut desk = Desk::on_disk(course().clone(), &Place::Settings, folder.path());
    desk.resize(120, 40).hides("`");
}
