//! How screens look, whatever they show: nothing cut where there is room, marks of their own colours, keys that stay.
#![allow(clippy::unwrap_used)]

use crate::kit::desk;

use desk::Desk;
use infralens::pack::{self, Pack};
use infralens::page::place::Place;
use infralens::sim::KINDS;

const SIZES: [(u16, u16); 3] = [(80, 24), (120, 40), (200, 60)];

/// Blanks that a word needs behind it to have room for at least a letter more, beside the gap to the next column.
const FREE: usize = 4;

fn course() -> Pack {
    pack::load(&infralens::built_in::ORIGIN).pack.unwrap()
}

/// Every page that can be opened without having done anything, and every lesson, simulator and puzzle.
fn places() -> Vec<Place> {
    let course = course();
    let mut places = vec![
        Place::Home,
        Place::Sims,
        Place::Progress,
        Place::Plan,
        Place::Rehearse,
        Place::Reports,
        Place::Ratings,
        Place::Review { ahead: 0 },
        Place::History { drill: None },
        Place::Glossary { pack: 0, lesson: None },
    ];
    for lesson in &course.lessons {
        let id = lesson.id.clone();
        places.push(Place::Checks { pack: 0, lesson: id.clone(), only: None });
        places.push(Place::Lesson { pack: 0, id });
        places.extend(lesson.labs.iter().map(|lab| Place::Lab { pack: 0, id: lab.id.clone() }));
    }
    places.extend(course.drills.iter().step_by(9).map(|d| Place::Drill {
        pack: 0,
        id: d.id.clone(),
        only: None,
    }));
    places.extend(course.puzzles.iter().map(|p| Place::Puzzle { pack: 0, id: p.id.clone() }));
    let set = std::collections::BTreeMap::new;
    places.extend(KINDS.iter().map(|kind| Place::Sim { kind: kind.name.into(), set: set(), link: None }));
    places
}

/// The rows in which a word was cut though its row has free cells behind it.
fn cut(screen: &str) -> Vec<String> {
    let is_cut = |line: &&str| {
        let line: Vec<char> = line.chars().collect();
        let marks = line.iter().enumerate().filter(|(_, c)| **c == '…');
        marks.clone().any(|(at, _)| {
            let cuts = at > 0 && line[at - 1].is_alphanumeric();
            let free = line[at + 1..].iter().take_while(|c| **c == ' ').count();
            cuts && free >= FREE
        })
    };
    screen.lines().filter(is_cut).map(str::to_owned).collect()
}

/// Looks at each of these pages at all sizes.
fn on_screens(places: impl IntoIterator<Item = Place>, look: impl Fn(&Place, u16, u16, &str)) {
    for place in places {
        let mut desk = Desk::new(course(), &place);
        for (width, height) in SIZES {
            look(&place, width, height, &desk.resize(width, height).screen());
        }
    }
}

#[test]
fn no_text_is_cut_where_its_row_has_room() {
    let all = places();
    let mut faults = Vec::new();
    for place in &all {
        let mut desk = Desk::new(course(), place);
        for (width, height) in SIZES {
            desk.resize(width, height);
            for key in ["", "<pgdn>", "<tab>"] {
                desk.keys(key);
                let rows = cut(&desk.screen());
                faults.extend(rows.into_iter().map(|row| format!("{place:?} {width}x{height} {key}: {row}")));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_message_stands_over_the_keys() {
    let mut desk = Desk::new(course(), &Place::Lesson { pack: 0, id: "ddp".into() });
    for (width, height) in SIZES {
        desk.resize(width, height).keys("G");
        let screen = desk.screen();
        let mut rows = screen.lines().rev();
        let footer = rows.next().unwrap();
        assert!(footer.contains("enter go on") && footer.contains("esc back"), "{footer}");
        assert!(rows.take(3).any(|row| row.contains("end of the lesson")), "{screen}");
    }
}

#[test]
fn the_footer_is_one_line_and_ends_with_the_way_out() {
    on_screens(places(), |place, width, height, screen| {
        let mut rows = screen.lines().rev();
        let footer = rows.next().unwrap().trim_end();
        let out = ["esc back", "q quit", "esc leave", "esc close", "f1 keys", "esc to the knobs"];
        let ends = out.iter().any(|out| footer.ends_with(out)) || footer.contains("to the knobs");
        assert!(ends, "{place:?}: {footer}");
        let before = rows.next().unwrap();
        assert!(!before.contains("? keys"), "{place:?}: {before}");
        if height >= 30 {
            assert_eq!(before.trim(), "", "{place:?} {width}x{height}: the line over the footer");
            assert_eq!(screen.lines().nth(1).unwrap().trim(), "", "{place:?}: the line under the title");
        }
    });
}

#[test]
fn no_text_touches_a_rule() {
    // what stands over a page has a frame of its own
    on_screens(
        places().into_iter().filter(|place| !matches!(place, Place::Glossary { .. })),
        |place, width, height, screen| {
            let rows: Vec<Vec<char>> = screen.lines().map(|row| row.chars().collect()).collect();
            let is_rule = |row: &Vec<char>, at: usize| matches!(row.get(at), Some('│' | '┃'));
            for at in 1..usize::from(width) {
                // what stands in nearly all rows parts panes; what stands in some belongs to a figure
                if rows.iter().filter(|row| is_rule(row, at)).count() + 8 < rows.len() {
                    continue;
                }
                let touched = rows.iter().find(|row| is_rule(row, at) && row[at - 1].is_alphanumeric());
                assert!(
                    touched.is_none(),
                    "{place:?} {width}x{height}: {}",
                    touched.unwrap().iter().collect::<String>()
                );
            }
        },
    );
}

#[test]
fn every_knob_and_number_of_a_simulator_is_whole_at_80_columns() {
    for kind in KINDS {
        let place = Place::Sim { kind: kind.name.into(), set: std::collections::BTreeMap::new(), link: None };
        let mut desk = Desk::new(course(), &place);
        for parameter in kind.parameters {
            let screen = desk.screen();
            let row = screen.lines().nth(1).unwrap();
            assert!(row.contains(&format!("▸ {}", parameter.label)), "{}: {row}", kind.name);
            desk.keys("j");
        }
        // every number stands there whole, scrolled to or not
        let mut seen = desk.screen();
        for _ in 0..6 {
            desk.keys("<pgdn>");
            seen += &desk.screen();
        }
        assert!(!seen.lines().skip(12).any(|row| row.trim_end().ends_with('…')), "{}", kind.name);
    }
}

#[test]
fn the_goal_of_a_puzzle_stands_above_its_picture() {
    for (width, height, least) in [(80, 24, 3), (120, 40, 2)] {
        for puzzle in course().puzzles.clone() {
            let place = Place::Puzzle { pack: 0, id: puzzle.id.clone() };
            let screen = Desk::new(course(), &place).resize(width, height).keys("<enter>").screen();
            let row = screen.lines().position(|row| row.contains("par ")).unwrap_or(0);
            assert!(row >= least, "{}: the goal stands in row {row} of\n{screen}", puzzle.id);
        }
    }
}

#[test]
fn a_rule_stands_over_what_is_told_of_a_row_below_a_list_that_goes_on() {
    let mut desk = Desk::new(course(), &Place::Home);
    let screen = desk.keys("<down><down><down><down>").screen();
    let rows: Vec<&str> = screen.lines().collect();
    let rule = rows.iter().position(|row| row.trim().starts_with("─────")).unwrap_or(0);
    assert!(rule > 0 && rows[rule + 1].contains("Data parallelism"), "{screen}");
}

#[test]
fn home_is_walked_down_row_by_row() {
    let mut desk = Desk::new(course(), &Place::Home);
    let mut seen = Vec::new();
    for _ in 0..15 {
        let screen = desk.screen();
        let row = screen.lines().find(|row| row.contains('▸')).unwrap();
        seen.push(row.chars().take(50).collect::<String>());
        desk.keys("<down>");
    }
    let all = seen.len();
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen.len(), all, "the choice stands still or jumps back: {seen:#?}");
}

#[test]
fn a_margin_begins_with_no_end_of_a_definition() {
    for lesson in ["ddp", "pp"] {
        let mut desk = Desk::new(course(), &Place::Lesson { pack: 0, id: lesson.into() });
        desk.resize(120, 40).keys("<home>");
        let mut whole = String::new();
        for _ in 0..40 {
            let screen = desk.screen();
            let margin: Vec<&str> =
                screen.lines().skip(3).filter_map(|row| row.rsplit(['│', '┃']).next()).collect();
            let first = margin.iter().map(|row| row.trim()).find(|row| !row.is_empty()).unwrap_or_default();
            // what stands first was first among its own rows when all of it was seen
            let begins = first.is_empty()
                || !whole.contains(&format!("\n{first}"))
                || whole.contains(&format!("\n\n{first}"));
            assert!(begins, "{lesson}: {first} in\n{screen}");
            whole = margin.iter().map(|row| format!("{}\n", row.trim())).collect();
            whole.insert(0, '\n');
            desk.keys("<down>");
        }
    }
}

#[test]
fn no_definition_in_the_margin_is_cut_above_empty_rows() {
    for lesson in ["scale", "ddp", "zero-fsdp", "pp"].iter().filter(|id| course().lesson(id).is_some()) {
        for (width, height) in [(120, 40), (200, 60)] {
            let mut desk = Desk::new(course(), &Place::Lesson { pack: 0, id: (*lesson).into() });
            desk.resize(width, height).keys("<home>");
            for _ in 0..12 {
                let screen = desk.screen();
                let margin: Vec<&str> = screen
                    .lines()
                    .skip(3)
                    .filter_map(|row| row.rsplit(['│', '┃']).next())
                    .map(str::trim)
                    .collect();
                for (at, _) in margin.iter().enumerate().filter(|(_, row)| row.ends_with('…')) {
                    let free = margin[at + 1..].iter().take_while(|row| row.is_empty()).count();
                    assert!(free < 9, "{lesson} at {width}x{height}: {}\n{screen}", margin[at]);
                }
                desk.keys("<pgdn>");
            }
        }
    }
}

#[test]
fn a_definition_opens_under_the_text_where_there_is_no_margin() {
    let mut desk = Desk::new(course(), &Place::Lesson { pack: 0, id: "ddp".into() });
    desk.keys("<home>n");
    let narrow = desk.screen();
    desk.resize(120, 40);
    let wide = desk.screen();
    assert!(narrow.lines().rev().take(5).any(|row| row.contains("replica")), "{narrow}");
    assert!(wide.lines().any(|row| row.contains("│ replica")), "{wide}");
}

#[test]
fn a_lesson_names_its_sections_and_none_of_them_is_a_figure() {
    for lesson in &course().lessons {
        let screen =
            Desk::new(course(), &Place::Lesson { pack: 0, id: lesson.id.clone() }).resize(200, 60).screen();
        let bar = screen.lines().find(|row| row.contains(" 1/")).unwrap_or("").to_owned();
        let count: usize = bar.split_once(" 1/").unwrap().1.split(' ').next().unwrap().parse().unwrap();
        assert!((3..=16).contains(&count), "{}: {count} sections", lesson.id);
        let figures = lesson.section.diagrams.iter().map(|d| &d.title);
        for title in figures.chain(lesson.section.tables.iter().map(|t| &t.title)) {
            assert!(!bar.contains(&format!("· {title}")), "{}: {title} in {bar}", lesson.id);
        }
    }
}

#[test]
fn the_mark_of_what_is_chosen_stands_in_column_one() {
    let sim = Place::Sim { kind: "pipeline".into(), set: std::collections::BTreeMap::new(), link: None };
    on_screens([Place::Home, Place::Sims, Place::Rehearse, sim], |place, width, height, screen| {
        let row = screen.lines().find(|row| row.contains('▸')).unwrap();
        // the first start stands in the middle of a wide screen
        let column = if *place == Place::Home && width >= 160 { (width as usize - 100) / 2 + 1 } else { 1 };
        assert_eq!(row.chars().position(|c| c == '▸'), Some(column), "{place:?} {width}x{height}: {row}");
    });
}

#[test]
fn a_date_that_is_none_stays_to_be_mended_where_the_caret_is() {
    let mut desk = Desk::new(course(), &Place::Plan);
    desk.keys("2026-13-09<enter>").shows("is not a day").shows("Interview on: 2026-13-09");
    // the month is mended without typing the rest again
    desk.keys("<left><left><left><backspace>2<enter>").hides("Interview on:").shows("interview in 282 days");
    desk.keys("i<ctrl+u>5<enter>").shows("interview in 5 days");
}

#[test]
fn what_a_setting_is_to_be_is_typed_below_the_settings_and_refused_without_being_lost() {
    let mut desk = Desk::new(course(), &Place::Rehearse);
    let prompts = |screen: &str| screen.lines().find(|row| row.contains("Prompts ")).unwrap().to_owned();
    for _ in 0..20 {
        if prompts(&desk.screen()).contains('▸') {
            break;
        }
        desk.keys("j");
    }
    desk.keys("1x<enter>").shows("does not work here").shows("Prompts: 1x");
    desk.keys("<backspace>2<enter>").hides("Prompts:");
    assert!(prompts(&desk.screen()).contains("12"), "{}", desk.screen());
    desk.keys("7<esc>");
    assert!(prompts(&desk.screen()).contains("12"), "{}", desk.screen());
}

/// Where something can be chosen, the footer says first of all keys what enter does to it.
#[test]
fn the_footer_says_what_enter_does_wherever_a_row_is_chosen() {
    on_screens(places(), |place, width, height, screen| {
        let footer = screen.lines().last().unwrap();
        // a simulator turns its knobs, and a text has keys of its own
        if screen.contains('▸')
            && !matches!(place, Place::Sim { .. } | Place::Puzzle { .. } | Place::Lab { .. })
        {
            assert!(footer.contains("enter "), "{place:?} {width}x{height}: {footer}");
        }
    });
}

#[test]
fn nothing_of_a_page_shows_beside_a_box_over_it_in_scraps() {
    for keys in ["/", "?", "t"] {
        let mut desk = Desk::new(course(), &Place::Home);
        let before = desk.screen();
        let screen = desk.keys(keys).screen();
        let mut both = screen.lines().zip(before.lines());
        let is_over = |row: &&str| row.trim_start().starts_with(['│', '┌', '╭', '└', '╰']);
        let scraps = both.find(|(row, _)| is_over(row) && !row.starts_with(['│', '┌', '╭', '└', '╰']));
        assert!(scraps.is_none(), "{keys}: {scraps:?}");
    }
}

#[test]
fn enter_shows_all_of_a_section_before_it_goes_to_the_next_one() {
    for (width, height) in SIZES {
        let mut desk = Desk::new(course(), &Place::Lesson { pack: 0, id: "overview".into() });
        desk.resize(width, height);
        let mut seen = desk.screen();
        for _ in 0..60 {
            seen += &desk.keys("<enter>").screen();
        }
        let mut paged = Desk::new(course(), &Place::Lesson { pack: 0, id: "overview".into() });
        let mut all = paged.resize(width, height).screen();
        for _ in 0..60 {
            all += &paged.keys("<pgdn>").screen();
        }
        // words of the text alone: the margin shows what stands beside it
        let words = |row: &str| row.chars().take(60).collect::<String>().trim_matches([' ', '▸']).to_owned();
        // nor the strip, which names where a page begins
        let is_text = |row: &String| row.len() > 40 && !row.chars().take(6).any(|c| c == '/');
        let missed = all.lines().map(words).filter(is_text).find(|row| !seen.contains(row.as_str()));
        assert!(missed.is_none(), "{width}x{height}: {missed:?}");
    }
}

#[test]
fn a_lesson_knows_its_sections_while_its_code_is_looked_at_first() {
    let place = Place::Lesson { pack: 0, id: "ddp".into() };
    let folder = tempfile::tempdir().unwrap();
    Desk::on_disk(course(), &place, folder.path()).resize(120, 40).keys("<enter><tab><ctrl+q>");
    Desk::on_disk(course(), &place, folder.path()).resize(120, 40).hides("of 0,").shows(" of 15,");
}
