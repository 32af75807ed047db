//! One rule for days: each begins at four, so that what is done past midnight belongs to the evening before.

use crate::kit::desk::Desk;
use crate::kit::pack as kit;

use infralens::page::place::Place;
use jiff::Timestamp;

const ANSWER: &str = "I think the problem word is said here. Then the mechanism word is said here.";

fn time(text: &str) -> Timestamp {
    text.parse().unwrap()
}

/// The evening of the second of March, with an interview on the eighth, and what was answered at half past one.
fn night() -> Desk {
    let mut desk = Desk::new(kit::pack(), &Place::Home);
    desk.resize(120, 40);
    desk.now = time("2026-03-02T23:00:00Z");
    desk.keys("i").keys("6<enter>").shows("Today, Mon 2 Mar").shows("interview in 6 days");
    desk.now = time("2026-03-03T01:30:00Z");
    desk.keys("<esc>d").paste(ANSWER).wait(60).keys("<ctrl+s><enter>s").shows("verdict").keys("<esc>");
    desk
}

#[test]
fn what_is_done_past_midnight_counts_for_the_evening_before() {
    let mut desk = night();
    desk.shows("interview Sun 8 Mar, in 6 days").shows("of 28 min").hides("interview in 5 days");
    desk.keys("i").shows("Today, Mon 2 Mar").shows("✓ Drill").shows("Tomorrow, Tue 3 Mar").keys("<esc>");
    // activity, the strip of two weeks, earlier days of the plan
    desk.keys("p<tab><tab><tab>").shows("Mon 2 Mar").hides("Tue 3 Mar").shows("1 answer").keys("<esc>");
    assert_eq!(desk.store().home("course", desk.now, &jiff::tz::TimeZone::UTC).unwrap().today.attempts, 1);
    // a report names the same day
    desk.keys("r<enter><ctrl+s>").paste(ANSWER).wait(5).keys("<esc>s").shows("report").keys("<esc>");
    desk.shows("last rehearsal, Mon 2 Mar").shows("Mon 2 Mar").hides("Tue 3 Mar");
    // and the date that is typed counts from it
    desk.keys("i")
        .keys("i")
        .keys(&"<backspace>".repeat(10))
        .keys("1<enter>")
        .shows("Tomorrow, Tue 3 Mar, the interview");
}

#[test]
fn the_day_begins_at_four() {
    let mut desk = night();
    desk.now = time("2026-03-03T03:59:00Z");
    desk.keys("i").shows("Today, Mon 2 Mar").keys("<esc>");
    desk.now = time("2026-03-03T04:00:00Z");
    desk.keys("i").shows("Today, Tue 3 Mar").shows("Answered  Mon 1 min").hides("✓ Drill").keys("<esc>");
    desk.shows("interview Sun 8 Mar, in 5 days");
    desk.keys("p<tab><tab><tab>").shows("Activity  1 of 28 days").shows("Mon 2 Mar");
}

#[test]
fn what_comes_back_is_due_on_the_day_that_the_plan_calls_so() {
    let mut desk = night();
    let due = |desk: &mut Desk, at: &str| {
        let home = desk.store().home("course", time(at), &jiff::tz::TimeZone::UTC).unwrap();
        home.due.total()
    };
    let card = desk.store().cards("course").unwrap().remove(0);
    let next = infralens::study::day::day(card.due, &jiff::tz::TimeZone::UTC);
    assert_eq!(due(&mut desk, &next.start.to_string()), 1, "from the beginning of its day on");
    assert_eq!(due(&mut desk, &(next.start - jiff::SignedDuration::from_secs(1)).to_string()), 0);
}

#[test]
fn a_day_that_is_over_is_no_day_for_an_interview() {
    let mut desk = Desk::new(kit::pack(), &Place::Plan);
    desk.resize(120, 40).keys("2026-03-01<enter>");
    desk.shows("2026-03-01 is over, today is 2026-03-02; write a date like 2026-03-14, or a number of days");
    desk.keys("<ctrl+u>soon<enter>").shows("“soon” is not a day; write a date");
    desk.keys("<ctrl+u>2026-03-02<enter>").shows("interview today");
}

#[test]
fn after_a_missed_day_home_offers_the_minutes_that_keep_what_it_cost() {
    let mut desk = Desk::new(infralens::built_in::course(), &Place::Home);
    desk.resize(120, 40);
    desk.now = time("2026-03-02T20:00:00Z");
    desk.keys("i").keys("5<enter>").shows("interview in 5 days").keys("<esc>");
    desk.now = time("2026-03-04T08:00:00Z");
    desk.keys("i").shows("Mon and Tue missed: ").shows("minutes a day keeps them.").keys("<esc>");
    desk.resize(80, 24).shows("Mon and Tue missed: 3 lessons dropped. + 90 minutes a day keeps them.");
    desk.keys("+").shows("Mon and Tue missed: 90 minutes a day make up for it.").hides("keeps them");
    // once taken it offers nothing more
    desk.keys("?").hides("so many minutes a day that what a missed day cost").keys("<esc>");
    desk.keys("i").hides("No time at").hides("keeps them");
}
