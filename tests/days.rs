//! One rule for days: each is a date of the calendar, on every page and in every verb.

use crate::kit::desk::Desk;
use crate::kit::pack as kit;

use infralens::page::place::Place;
use jiff::Timestamp;

const ANSWER: &str = "I think the problem word is said here. Then the mechanism word is said here.";

fn time(text: &str) -> Timestamp {
    text.parse().unwrap()
}

/// Monday the second of March, with an interview on the eighth, and what was answered at 23:50 and at half past one.
fn night() -> Desk {
    let mut desk = Desk::new(kit::pack(), &Place::Home);
    desk.resize(120, 40);
    desk.now = time("2026-03-02T23:00:00Z");
    desk.keys("i").keys("6<enter>").shows("Today, Mon 2 Mar").shows("interview in 6 days").keys("<esc>");
    desk.now = time("2026-03-03T01:30:00Z");
    desk.keys("d").paste(ANSWER).wait(60).keys("<ctrl+s><enter>s").shows("verdict").keys("<esc>");
    desk
}

#[test]
fn what_is_done_past_midnight_counts_for_the_new_date() {
    let mut desk = night();
    desk.shows("interview Sun 8 Mar, in 5 days");
    desk.keys("i").shows("Today, Tue 3 Mar").shows("Tomorrow, Wed 4 Mar").keys("<esc>");
    desk.keys("p<tab><tab><tab>").shows("Tue 3 Mar").hides("Mon 2 Mar").shows("1 answer").keys("<esc>");
    assert_eq!(desk.store().home("course", desk.now, &jiff::tz::TimeZone::UTC).unwrap().today.attempts, 1);
    // a report names the same day
    desk.keys("r<enter><ctrl+s>").paste(ANSWER).wait(5).keys("<esc>s").shows("report").keys("<esc>");
    desk.shows("last rehearsal, Tue 3 Mar");
}

#[test]
fn every_page_and_verb_names_the_same_today() {
    for (clock, today, weekday) in [
        ("2026-03-03T00:30:00Z", "Tue 3 Mar", "Sunday 8 March"),
        ("2026-03-03T03:59:00Z", "Tue 3 Mar", "Sunday 8 March"),
        ("2026-03-03T04:01:00Z", "Tue 3 Mar", "Sunday 8 March"),
        ("2026-03-03T23:59:00Z", "Tue 3 Mar", "Sunday 8 March"),
        ("2026-03-04T00:01:00Z", "Wed 4 Mar", "Monday 9 March"),
    ] {
        let mut desk = Desk::new(kit::pack(), &Place::Home);
        desk.resize(120, 40);
        desk.now = time(clock);
        // a number of days counts from the date, and what it comes to stands there while it is typed
        desk.keys("i").keys("5").shows(&format!("{weekday}, in 5 days"));
        desk.keys("<enter>").shows(&format!("Today, {today}")).shows("interview in 5 days").keys("<esc>");
        desk.keys("d").paste(ANSWER).keys("<ctrl+s><enter>s").shows("verdict").keys("<esc>");
        desk.shows("in 5 days");
        desk.keys("y").shows(today).keys("<esc>");
        desk.keys("p<tab><tab><tab>").shows(today).shows("Activity  1 of 28 days").keys("<esc>");
        desk.keys("r<enter><ctrl+s>").paste(ANSWER).keys("<esc>s").shows("report").keys("<esc>");
        desk.shows(&format!("last rehearsal, {today}"));
        desk.keys("i")
            .keys("i")
            .keys(&"<backspace>".repeat(10))
            .keys("0")
            .shows("that is today")
            .keys("<esc>");

        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("clock"), clock).unwrap();
        let run = |args: &[&str]| {
            let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_infralens"));
            command.env("TZ", "UTC").env("INFRALENS_CLOCK", dir.path().join("clock"));
            let out = command.arg("--data-dir").arg(dir.path()).args(args).output().unwrap();
            String::from_utf8(out.stdout).unwrap() + &String::from_utf8(out.stderr).unwrap()
        };
        let plan = run(&["plan", "--interview", "5"]);
        let said = today.replace("Tue", "Tuesday").replace("Wed", "Wednesday").replace("Mar", "March");
        assert!(plan.contains(&format!("Today, {said}")), "{clock}: {plan}");
        assert!(run(&["plan", "--interview", "2026-03-01"]).contains(&format!("today is {}", &clock[..10])));
        assert!(run(&["plan", "--json"]).contains(&clock[..10]));
    }
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
    // nobody misses the day on which planning began
    desk.keys("i")
        .shows("Monday left ")
        .shows("Tuesday missed: ")
        .shows("Press + : 90 minutes a day")
        .keys("<esc>");
    desk.resize(80, 24).shows("Monday left ").shows("Tuesday missed: ").shows(" lessons dropped.");
    desk.shows("Press + : 90 minutes a day would keep them.");
    desk.keys("+").shows("Tuesday missed: 90 minutes a day make up for it.").hides("would keep them");
    // once taken it offers nothing more
    desk.keys("?").hides("so many minutes a day that what a missed day cost").keys("<esc>");
    desk.keys("i").hides("No time at").hides("would keep them");
}

#[test]
fn arrows_move_the_day_in_the_calendar_below_the_date() {
    for (width, height) in [(80, 24), (120, 40), (200, 60)] {
        let mut desk = Desk::new(kit::pack(), &Place::Plan);
        desk.resize(width, height).shows("March").shows("( 2)").hides("[ 7]");
        desk.keys("5").shows("[ 7]").shows("Saturday 7 March, in 5 days");
        desk.keys("<down><right>").shows("2026-03-15").shows("[15]").shows("Sunday 15 March, in 13 days");
        desk.keys("<up>").shows("[ 8]").keys("<enter>").shows("interview in 6 days").hides("[ 8]");
    }
}

#[test]
fn home_names_all_of_today_before_anything_else_and_its_minutes_add_up() {
    let mut desk = Desk::new(infralens::built_in::course(), &Place::Home);
    desk.resize(120, 40).shows("c start");
    desk.keys("i").keys("5<enter>").keys("<esc>").hides("c continue").hides("c start");
    desk.keys("d").paste(ANSWER).wait(60).keys("<ctrl+s><enter>s").shows("verdict").keys("<esc>");
    // an answer that was begun and a lesson that was left are not of today's plan
    desk.keys("/zero<enter>").wait(5).keys("<esc>");
    desk.now = time("2026-03-05T12:00:00Z");
    desk.wait(1).keys("?<esc>p<esc>");
    let screen = desk.screen();
    let left = |row: &str| row.split('│').next().unwrap_or_default().trim_end().to_owned();
    let rows: Vec<String> = screen.lines().map(left).collect();
    let head = rows.iter().position(|row| row.trim_start().starts_with("Today ")).unwrap();
    let number =
        |row: &str| row.strip_suffix(" min").and_then(|row| row.rsplit(' ').next()?.parse::<u32>().ok());
    let all = number(&rows[head]).unwrap_or_else(|| panic!("{screen}"));
    let tasks: Vec<&String> = rows[head + 1..]
        .iter()
        .take_while(|row| !row.contains("Rehearse  ") && !row.contains("Continue"))
        .collect();
    let sum: u32 = tasks.iter().filter_map(|row| number(row)).sum();
    assert_eq!(sum, all, "{screen}");
    assert!(screen.contains("▸ Review") && !screen.contains("more in the plan"), "{screen}");
}
