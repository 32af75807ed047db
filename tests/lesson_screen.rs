//! The lesson and the lab: two panes that cut nothing, and keys that say what they do.
#![allow(missing_docs)]

#[path = "kit/course.rs"]
mod course;
#[path = "kit/desk.rs"]
mod desk;

use course::course;
use desk::Desk;
use infralens::app::place::Place;
use infralens::pack::Lesson;

const SIZES: [(u16, u16); 6] = [(80, 24), (100, 30), (120, 40), (140, 40), (160, 50), (200, 60)];

fn lesson(id: &str) -> Desk {
    let place = Place::Lesson {
        pack: 0,
        id: id.into(),
    };
    Desk::new(course().clone(), &place)
}

/// Every screen of the text, from its start to its end.
fn pages(desk: &mut Desk) -> Vec<String> {
    let mut pages = vec![desk.keys("g").screen()];
    loop {
        let next = desk.keys("<pgdn>").screen();
        if pages.last() == Some(&next) {
            return pages;
        }
        assert!(pages.len() < 200, "the text has no end");
        pages.push(next);
    }
}

/// The lines of the figures and formulas of a lesson.
fn figures(lesson: &Lesson) -> Vec<&str> {
    let diagrams = lesson.section.diagrams.iter().map(|d| &d.text);
    let formulas = lesson.section.formulas.iter().map(|f| &f.text);
    let lines = diagrams.chain(formulas).flat_map(|text| text.lines());
    lines.map(str::trim).filter(|line| !line.is_empty()).collect()
}

#[test]
fn no_figure_of_any_lesson_is_cut_at_any_size() {
    for of in &course().lessons {
        let figures = figures(of);
        let mut desk = lesson(&of.id);
        for (width, height) in SIZES {
            desk.resize(width, height);
            let shown = pages(&mut desk).join("\n");
            for line in &figures {
                assert!(shown.contains(line), "{}, {width}x{height}: {line}", of.id);
            }
        }
    }
}

/// The rows of a screen from one text to another, both within it.
fn has_in_order(page: &str, texts: &[&str]) -> bool {
    let mut rest = page;
    texts.iter().all(|text| match rest.split_once(text) {
        Some((_, after)) => {
            rest = after;
            true
        }
        None => false,
    })
}

#[test]
fn a_page_ends_before_a_figure_that_the_next_page_shows_whole() {
    for of in &course().lessons {
        let mut desk = lesson(&of.id);
        let pages = pages(&mut desk);
        // title, pane heads, footer, and the heading of the figure leave 20 rows
        for d in of
            .section
            .diagrams
            .iter()
            .filter(|d| d.text.lines().count() <= 19)
        {
            let lines = d.text.lines().map(str::trim).filter(|line| !line.is_empty());
            // a long title is wrapped
            let title: String = d.title.chars().take(20).collect();
            let lines: Vec<&str> = std::iter::once(&title[..]).chain(lines).collect();
            let whole = pages.iter().any(|page| has_in_order(page, &lines));
            assert!(whole, "{} {}", of.id, d.id);
        }
    }
}

#[test]
fn a_figure_that_is_cut_moves_with_the_arrow_keys() {
    let mut desk = lesson("tp");
    desk.resize(60, 16).keys("g").shows("right figure");
    let result = "Z0+Z1+Z2+Z3";
    let cut = pages(&mut desk).join("\n");
    assert!(!cut.contains(result) && cut.contains("H1 B1      │ ──┤ …"));
    desk.keys("<right><right>");
    let moved = pages(&mut desk).join("\n");
    assert!(moved.contains(result));
    // the figure stops at its end, and comes back
    desk.keys("<right><right><right><left><left><left>");
    let back = pages(&mut desk).join("\n");
    assert!(!back.contains(result) && back.contains("H1 B1      │ ──┤ …"));
    desk.resize(80, 24).hides("right figure");
}

#[test]
fn the_code_stands_beside_the_text_or_behind_tab() {
    let mut desk = lesson("tp");
    // 76 columns of figures and 42 of code
    let both = desk.resize(120, 40).screen();
    assert!(both.contains("Handbook") && both.contains("lab03_tensor_parallel_linear.py"));
    desk.resize(100, 30).hides(" widen").hides("line 1 of");
    desk.keys("<tab>").shows(", block 1 of");
    desk.resize(120, 40)
        .shows("w widen")
        .shows("What problem it solves");
    desk.keys("w").hides("What problem it solves");
    desk.keys("w").shows("What problem it solves");
}

#[test]
fn the_code_begins_at_its_first_note_and_a_block_at_the_top() {
    let mut desk = lesson("zero-fsdp");
    desk.keys("<tab>").hides("No note").shows("block 1 of");
    desk.keys("]]]");
    let screen = desk.screen();
    let first = screen.lines().position(|row| row.contains("def train(stage)"));
    assert!(first.is_some_and(|row| row <= 4), "{screen}");
    desk.keys("[[[[[[").shows("this is the first block");
}

#[test]
fn hidden_notes_say_how_to_see_them() {
    let mut desk = lesson("ddp");
    desk.keys("<tab>").shows("z hide notes").hides("reveal");
    desk.keys("z").shows("z show notes").shows("space reveal");
    desk.keys("z").shows("z hide notes");
}
