//! Somebody new with an interview in five days, who presses only what the screen names.
#![allow(clippy::unwrap_used)]

use crate::kit::desk;
use crate::kit::pack as kit;

use desk::Desk;
use infralens::page::place::Place;
use infralens::store::Store;
use jiff::tz::TimeZone;

const ANSWER: &str = "I think the problem word is said here. Then the mechanism word is said here.";

/// A person who looks at the screen and does what it says.
struct Person {
    desk: Desk,
    /// What was done, in order.
    did: Vec<String>,
}

impl Person {
    fn footer(&mut self) -> String {
        let screen = self.desk.screen();
        screen.lines().last().unwrap_or("").to_owned()
    }

    /// Presses a key that the footer names with this hint.
    #[track_caller]
    fn press(&mut self, key: &str, hint: &str) {
        let footer = self.footer();
        assert!(footer.contains(&format!("{key} {hint}")), "no `{key} {hint}` on\n{}", self.desk.screen());
        let name = if key.len() > 1 { format!("<{key}>") } else { key.to_owned() };
        self.desk.keys(&name);
    }

    /// Does the first thing that Home asks for today; says whether there was one.
    fn does_one_thing(&mut self) -> bool {
        let screen = self.desk.screen();
        // what is asked for today has its minutes, and stands above the course
        let rows = screen.lines().take_while(|row| !row.starts_with(" Course"));
        let asked = |row: &&str| row.ends_with(" min") && !row.starts_with(" Today");
        let Some(row) = rows.filter(asked).last() else {
            return false;
        };
        let row = row.trim_start_matches([' ', '▸']).to_owned();
        self.desk.keys("g");
        for _ in 0..6 {
            if self.desk.screen().contains(&format!("▸ {row}")) {
                break;
            }
            self.desk.keys("<down>");
        }
        self.press("enter", "open");
        self.did.push(row);
        self.does_what_is_open();
        true
    }

    fn does_what_is_open(&mut self) {
        for _ in 0..40 {
            let screen = self.desk.screen();
            let footer = self.footer();
            if footer.contains("enter start") {
                self.press("enter", "start");
            } else if screen.contains("Think") && footer.contains("ctrl+s go on") {
                self.press("ctrl+s", "go on");
            } else if footer.contains("ctrl+s go on") {
                self.desk.wait(2).paste(ANSWER);
                self.press("ctrl+s", "go on");
            } else if footer.contains("ctrl+s score it") {
                self.desk.wait(40).paste(ANSWER);
                self.press("ctrl+s", "score it");
            } else if footer.contains("c covered") {
                // only what the footer names, a key for each part
                self.press("c", "covered");
            } else if footer.contains("enter done") {
                self.press("enter", "done");
            } else if footer.contains("enter next") {
                self.press("enter", "next");
            } else if footer.contains("→ later") && footer.contains("enter open") {
                self.press("enter", "open");
            } else if footer.contains("enter page on") || footer.contains("enter go on ") {
                self.desk.keys(&"<space>".repeat(60));
                self.desk.shows("the end of the lesson; it counts as read");
                self.press_back();
            } else if screen.contains("\n Course") {
                return;
            } else {
                self.press_back();
            }
            self.desk.wait(5);
        }
        panic!("no way on from\n{}", self.desk.screen());
    }

    fn press_back(&mut self) {
        self.desk.keys("<left>"); // any key takes the last word out of the footer
        self.press("esc", "back");
    }
}

#[test]
fn five_days_to_an_interview_from_an_empty_store() {
    let folder = tempfile::tempdir().unwrap();
    let mut person =
        Person { desk: Desk::on_disk(kit::pack(), &Place::Home, folder.path()), did: Vec::new() };
    person.desk.shows("Start the course").shows("I have an interview  give its date");
    person.desk.keys("<down><down>").shows("▸ I have an interview");
    person.press("enter", "open");
    person.desk.shows("or a number of days").keys("5");
    person.press("enter", "take it");
    person.desk.shows("Today, Mon 2 Mar").shows("interview in 5 days");
    person.press("esc", "back");
    for days in (0..=5).rev() {
        let left = match days {
            0 => "today".into(),
            1 => "tomorrow".into(),
            n => format!("in {n} days"),
        };
        person.desk.shows(&format!("Interview  {left}; "));
        let mut things = 0;
        while person.does_one_thing() {
            things += 1;
            assert!(things < 20, "the day does not end:\n{}", person.did.join("\n"));
        }
        person.desk.shows(&format!("{left}; everything planned for today is done"));
        let evening = person.desk.now;
        let morning = evening.to_zoned(TimeZone::UTC).date().tomorrow().unwrap();
        let morning = morning.at(10, 0, 0, 0).to_zoned(TimeZone::UTC).unwrap();
        let pause = morning.timestamp().duration_since(evening).as_secs();
        // the program stays open over night
        person.desk.wait(pause).keys("p");
        person.press("esc", "back");
    }
    assert!(person.desk.waiting().is_none(), "{:?}", person.desk.waiting());
    let did = person.did.join("\n");
    for wanted in [
        "Read       DDP",
        "Read       ZERO",
        "Read       TP",
        "Drill      ZERO",
        "Rehearse   a",
        "due today",
        "your weakest part",
    ] {
        assert!(did.contains(wanted), "no `{wanted}` in\n{did}");
    }
    let kept = Store::open(folder.path()).unwrap();
    let home = kept.home("course", person.desk.now, &TimeZone::UTC).unwrap();
    assert!(home.lessons.values().filter(|l| l.read).count() == 3 && home.rehearsed.is_some());
}
