//! The lesson and the lab: two panes that cut nothing, and keys that say what they do.
#![allow(missing_docs)]

use crate::kit::course;
use crate::kit::desk;

use course::course;
use desk::{Desk, pages};
use infralens::pack::{CheckKind, Lesson};
use infralens::page::place::Place;
use infralens::tui::event::What;

const SIZES: [(u16, u16); 6] = [(80, 24), (100, 30), (120, 40), (140, 40), (160, 50), (200, 60)];

fn lesson(id: &str) -> Desk {
    let place = Place::Lesson { pack: 0, id: id.into() };
    Desk::new(course().clone(), &place)
}

/// The lesson on tensor parallelism with one figure, this wide, and this mechanism.
fn drawn(columns: usize, mechanism: &str) -> Desk {
    let mut pack = course().clone();
    let section = &mut pack.lessons.iter_mut().find(|l| l.id == "tp").expect("the lesson").section;
    section.formulas.clear();
    section.diagrams.truncate(1);
    section.diagrams[0].text = format!("rank 0 {}> Z", "-".repeat(columns - 10));
    section.mechanism = mechanism.into();
    let place = Place::Lesson { pack: 0, id: "tp".into() };
    Desk::new(pack, &place)
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
        for d in of.section.diagrams.iter().filter(|d| d.text.lines().count() <= 19) {
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
    let mut desk = drawn(73, "A figure.");
    desk.resize(60, 16).keys("<home>").shows("←→ figure");
    let cut = pages(&mut desk).join("\n");
    assert!(cut.contains("rank 0 ---") && cut.contains("--…") && !cut.contains("> Z"));
    desk.keys("<right><right>");
    let moved = pages(&mut desk).join("\n");
    assert!(moved.contains("…---") && moved.contains("--> Z"));
    // the figure stops at its end, and comes back
    desk.keys("<right><right><right><left><left><left>");
    let back = pages(&mut desk).join("\n");
    assert!(back.contains("rank 0 ---") && !back.contains("> Z"));
    desk.resize(80, 24).hides("right figure");
}

#[test]
fn the_code_stands_beside_the_text_or_behind_tab() {
    let mut desk = drawn(75, "A figure.");
    // 76 columns of text, 3 around it, 1 between, 82 of code
    let both = desk.resize(162, 40).screen();
    assert!(both.contains("What problem it solves") && both.contains(", block 1 of"));
    desk.resize(161, 40).hides(", block 1 of");
    desk.keys("<tab>").shows(", block 1 of").hides("What problem it solves");
    desk.resize(162, 40).shows("w widen").shows("What problem it solves");
    desk.keys("w").hides("What problem it solves");
    desk.keys("w").shows("What problem it solves");
}

#[test]
fn a_definition_stands_beside_its_word_or_under_the_text_when_it_is_chosen() {
    let mut desk = drawn(20, "Here is [[hsdp]], and more.");
    desk.resize(120, 40).shows("HSDP  Hybrid");
    // without a margin it waits until the word is chosen, and covers no text
    desk.resize(80, 24).hides("Hybrid");
    for _ in 0..20 {
        if !desk.screen().contains("HSDP  Hybrid") {
            desk.keys("n");
        }
    }
    desk.shows("Here is HSDP");
    desk.keys("<enter>").shows("Taught in");
}

#[test]
fn every_word_of_a_paragraph_is_explained_while_there_is_room() {
    let terms: Vec<_> = course().terms.iter().filter(|t| t.definition.len() > 200).take(4).collect();
    let links = terms.iter().map(|t| format!("[[{}]]", t.id)).collect::<Vec<_>>().join(" and ");
    let mut desk = drawn(20, &format!("Here are {links}."));
    desk.resize(200, 60);
    for term in terms {
        desk.shows(&format!("{}  ", term.name));
    }
}

/// The sections of a lesson as its strip counts them.
fn sections(desk: &mut Desk) -> usize {
    let all = desk.keys("<home>").screen();
    all.split_once(" 1/").and_then(|(_, t)| t.split(' ').next()?.parse().ok()).expect("a count")
}

#[test]
fn enter_goes_page_by_page_to_the_end_of_all_sections() {
    let mut desk = lesson("ddp");
    let count = sections(&mut desk);
    assert!(count > 4);
    desk.shows("enter page on").keys("<enter>").shows(" 1/").keys("<enter>").shows(&format!(" 2/{count}"));
    while !desk.screen().contains("the end of the lesson") {
        desk.keys("<enter>");
    }
    desk.shows(&format!(" {count}/{count}"));
    // words and references have names and numbers too
    desk.resize(120, 40).shows(&format!("section {count} of {count}, read")).shows("Read on");
    desk.keys("<up> <space>").shows("the end of the lesson");
}

#[test]
fn enter_leaves_nothing_out_and_takes_hardly_more_keys_than_pages() {
    let mut desk = lesson("ddp");
    let end = "the end of the lesson";
    let keys = |desk: &mut Desk, key: &str| {
        desk.keys("<home>");
        let count = (1..100).find(|_| desk.keys(key).screen().contains(end));
        count.expect("the lesson has an end")
    };
    for (width, height) in [(80, 24), (120, 40), (120, 60)] {
        desk.resize(width, height);
        let (pages, steps) = (keys(&mut desk, "<space>"), keys(&mut desk, "<enter>"));
        assert!(steps <= pages + pages / 4 + 1, "{width}x{height}: {steps} against {pages}");
    }
}

#[test]
fn a_section_is_gone_to_by_its_number_by_brackets_and_by_its_name() {
    let mut desk = lesson("ddp");
    desk.resize(120, 40);
    let count = sections(&mut desk);
    desk.keys("4").shows(&format!("section 4 of {count}")).keys("]").shows(&format!("section 5 of {count}"));
    desk.keys("[").shows(&format!("section 4 of {count}"));
    // two digits, where there are so many
    desk.keys("11").shows(&format!("section 11 of {count}"));
    desk.keys(&count.to_string())
        .shows(&format!("section {count} of {count}"))
        .keys("]")
        .shows("the end of the lesson");
    for nth in (1..count).rev() {
        desk.keys("[").shows(&format!("section {nth} of {count}"));
    }
    desk.keys("[").shows("this is the first section").keys("0").shows(&format!("numbers 1 to {count}"));
    // a click on the name that stands second
    let screen = desk.keys("<home>").screen();
    let (row, line) = screen.lines().enumerate().find(|(_, line)| line.contains(" 1/")).expect("the strip");
    let column = line.chars().position(|c| c == '·').expect("a section to come") + 3;
    let at = |n: usize| u16::try_from(n).expect("a column");
    desk.send(What::Mouse(infralens::tui::event::Mouse::Click, at(column), at(row)));
    desk.shows(&format!("section 2 of {count}"));
    desk.keys("?").shows("the number of a section");
}

#[test]
fn a_section_that_begins_with_a_figure_is_named_too() {
    let mut desk = lesson("zero-fsdp");
    desk.resize(200, 60).keys("3").shows("▸ Three stages");
}

#[test]
fn the_code_names_the_way_back_and_a_lesson_opens_on_its_text() {
    let folder = tempfile::tempdir().expect("a folder");
    let lab = course().lessons.iter().find_map(|l| l.labs.first()).expect("a lab").id.clone();
    for place in [Place::Lesson { pack: 0, id: "ddp".into() }, Place::Lab { pack: 0, id: lab }] {
        let mut desk = Desk::on_disk(course().clone(), &place, folder.path());
        desk.shows("tab code").keys("<tab>").shows("tab text").shows("next line");
        desk.keys("z<space>").shows("tab text").keys("z<ctrl+q>");
        Desk::on_disk(course().clone(), &place, folder.path()).shows("tab code").hides("next line");
    }
}

#[test]
fn a_word_that_is_opened_is_defined_once() {
    let mut desk = drawn(20, "Here is [[hsdp]], and more.");
    for _ in 0..20 {
        if !desk.screen().contains("HSDP  Hybrid") {
            desk.keys("n");
        }
    }
    desk.shows("enter open").shows("HSDP  Hybrid").keys("<enter>").shows("Taught in").hides("HSDP  Hybrid");
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

#[test]
fn links_show_the_names_of_their_terms() {
    let shown = pages(&mut drawn(20, "With [[gqa]] there are few.")).join("\n");
    assert!(shown.contains("With grouped-query attention there are few."));
}

/// Whether the store has the lesson on DDP as read, and how much of it.
fn read(desk: &Desk) -> (bool, f64) {
    let home = desk.store().home("distributed-training", desk.now, &jiff::tz::TimeZone::UTC).unwrap();
    home.lessons.get("ddp").map_or((false, 0.0), |lesson| (lesson.read, lesson.seen))
}

const END: &str = "that is the end of the lesson";

#[test]
fn a_lesson_that_was_paged_to_its_end_is_read_and_enter_goes_on() {
    for (key, width, height) in
        [("<enter>", 80, 24), ("<space>", 120, 40), ("<down>", 200, 60), ("<enter>", 120, 40)]
    {
        let mut desk = lesson("ddp");
        desk.resize(width, height);
        let mut pages = 0;
        while !desk.screen().contains(END) {
            pages += 1;
            assert!(!read(&desk).0 && pages < 2000, "{key}: read before its end");
            desk.keys(key);
        }
        desk.shows("it counts as read").shows("enter goes on to the lab").hides("m marks");
        assert_eq!(read(&desk), (true, 1.0), "{key}");
        desk.keys("<enter>").shows("Gradient buckets on a clock");
    }
}

#[test]
fn a_jump_reads_nothing_of_what_lies_between() {
    for jump in ["G", "99", "]]]]"] {
        let mut desk = lesson("ddp");
        desk.resize(120, 40).keys(jump);
        let (whole, part) = read(&desk);
        // by the key of the next section, at most those that were seen whole
        assert!(!whole && part < 0.35, "{jump}: {part}");
        assert!(jump.starts_with(']') || !desk.screen().contains('✓'), "{}", desk.screen());
    }
    let mut desk = lesson("ddp");
    desk.resize(120, 40)
        .keys("G")
        .shows(END)
        .shows("Not read yet: all of its sections")
        .shows("m marks the lesson as read");
    desk.keys("m").shows("marked as read").keys("<esc>");
    assert!(read(&desk).0);
    let mut desk = lesson("ddp");
    desk.resize(120, 40).keys("G<enter>").shows("Gradient buckets on a clock");
    assert!(!read(&desk).0, "enter at the end reads only what is in view");
}

#[test]
fn what_was_marked_as_not_read_is_read_anew() {
    let mut desk = lesson("ddp");
    desk.keys("mm").shows("marked as not read").hides("✓");
    assert_eq!(read(&desk), (false, 0.0));
    desk.keys(&"<space>".repeat(80)).shows("it counts as read");
    assert!(read(&desk).0);
}

#[test]
fn sections_that_were_read_stay_read_in_another_window_on_another_day() {
    let folder = tempfile::tempdir().unwrap();
    let place = Place::Lesson { pack: 0, id: "ddp".into() };
    let mut desk = Desk::on_disk(course().clone(), &place, folder.path());
    desk.resize(120, 40).keys(&"<enter>".repeat(6)).keys("<esc>");
    let (whole, part) = read(&desk);
    assert!(!whole && part > 0.1, "{part}");
    drop(desk);
    let mut again = Desk::on_disk(course().clone(), &place, folder.path());
    again.resize(80, 24).keys("g");
    again.keys("G").shows("sections, the first is").hides("all of its sections");
    again.keys(&format!("<home>{}", "<space>".repeat(90))).shows("it counts as read");
}

#[test]
fn the_sections_of_a_lesson_are_the_same_in_both_faces() {
    for of in &course().lessons {
        let mut desk = lesson(&of.id);
        desk.resize(120, 40).keys(&"<space>".repeat(120)).shows("it counts as read");
    }
}

#[test]
fn an_order_is_answered_when_every_step_is_picked() {
    let is_order = |c: &&infralens::pack::Check| matches!(c.kind, CheckKind::Order(_));
    let check = course().checks.iter().find(is_order).expect("an order");
    let CheckKind::Order(steps) = &check.kind else {
        return;
    };
    let place = Place::Checks { pack: 0, lesson: check.lesson.clone(), only: Some(check.id.clone()) };
    let mut desk = Desk::new(course().clone(), &place);
    desk.shows("enter pick").hides("enter answer").shows(&format!("{} to go", steps.len()));
    desk.hides("[1]").keys("<enter>").shows("[1]");
    // the pointer goes on to the next step that is left
    desk.keys("<enter>").shows("[1]").shows("[2]").keys("<up>");
    // once more takes nothing back
    desk.keys("<enter>").shows("picked already").shows("[2]").keys("<space>").hides("[2]");
    // a step that is taken back stays under the pointer, and enter picks as long as one is left
    for _ in 2..steps.len() {
        desk.keys("<enter>");
    }
    desk.shows("1 to go").keys("<enter>").shows("enter answers").shows("enter answer ").keys("<enter>");
    desk.hides("to go").shows("ight");
}

#[test]
fn the_jump_list_shows_terms_and_lessons_before_questions() {
    let mut desk = Desk::new(course().clone(), &Place::Home);
    desk.keys("/hsdp").shows("HSDP").hides("You accumulate gradients");
    let screen = desk.keys("<esc>/bubble").screen();
    let first = |kind: &str| screen.find(&format!(" {kind} ")).unwrap_or(usize::MAX);
    assert!(first("term") < first("puzzle") && first("lesson") < usize::MAX, "{screen}");
    // what is not there is not there, whatever has its letters
    for typed in ["dtprl", "kubernetes", "wallpaper"] {
        desk.keys(&format!("<esc>/{typed}")).wait(1).shows(&format!("Nothing here has “{typed}”"));
        desk.hides("check  ").hides("lesson ");
    }
    let screen = desk.keys("<esc>/lab").wait(1).screen();
    let at = |kind: &str| screen.find(&format!(" {kind} ")).unwrap_or(usize::MAX);
    assert!(at("lab") < at("lesson"), "{screen}");
    desk.keys("<esc>/qqqqqq").wait(1).shows("Nothing here has “qqqqqq”");
    // a slip of the finger is forgiven, and the texts are searched too
    desk.keys("<esc>/stragler").wait(1).shows("Nearly the same").shows("straggler");
    desk.keys("<esc>/autograd hooks").shows("in the text of");
}

#[test]
fn exact_names_and_lessons_come_first_and_screens_are_found() {
    let mut desk = Desk::new(course().clone(), &Place::Home);
    let first = |desk: &mut Desk, typed: &str| {
        let screen = desk.keys(&format!("/{typed}")).screen();
        desk.keys("<esc>");
        screen.lines().find(|row| row.contains("▸ ")).map(str::to_owned).unwrap_or(screen)
    };
    for sim in infralens::sim::KINDS {
        let row = first(&mut desk, sim.title);
        // a term that is called the same comes first
        if course().terms.iter().any(|term| term.name.eq_ignore_ascii_case(sim.title)) {
            continue;
        }
        assert!(row.contains(&format!("{} simulator", sim.title)), "{}: {row}", sim.title);
    }
    // the lesson, then the term of that name, and only then what is asked of it
    let screen = desk.keys("/zero").screen();
    let place_of = |screen: &str, kind: &str| {
        screen
            .lines()
            .position(|row| row.contains(&format!(" {kind} ")) && row.contains("│"))
            .unwrap_or(usize::MAX)
    };
    let place = |kind: &str| Some(place_of(&screen, kind)).filter(|at| *at < usize::MAX);
    assert!(place("lesson") < place("check") && place("lesson").is_some(), "{screen}");
    assert!(place("lesson") < place("term") && place("term").is_some(), "{screen}");
    desk.keys("<esc>");
    for (typed, title) in [
        ("ddp", "Data parallelism: DDP"),
        ("pipeline", "Pipeline parallelism"),
        ("tensor", "Tensor parallelism"),
    ] {
        let row = first(&mut desk, typed);
        assert!(row.contains(" lesson ") && row.contains(title), "{typed}: {row}");
    }
    let screen = desk.keys("/memory").screen();
    assert!(place_of(&screen, "lesson") < place_of(&screen, "check"), "{screen}");
    desk.keys("<esc>");
    for (typed, name) in
        [("map", "Progress"), ("plan", "Interview"), ("glossary", "Glossary"), ("answers", "Earlier answers")]
    {
        let row = first(&mut desk, typed);
        assert!(row.contains(" go to ") && row.contains(name), "{typed}: {row}");
    }
    desk.keys("/job description<enter>").shows("job description");
}

#[test]
fn figures_draw_boxes_and_are_ascii_where_that_is_asked_for() {
    for of in &course().lessons {
        for d in &of.section.diagrams {
            assert!(!d.text.contains("--") && !d.text.contains("->"), "{} {}", of.id, d.id);
        }
        let place = Place::Lesson { pack: 0, id: of.id.clone() };
        let palette = infralens::widget::theme::Palette::Mono;
        let mut desk = Desk::themed(course().clone(), &place, palette, true);
        let shown = pages(desk.resize(100, 40)).join("\n");
        let odd = shown.chars().find(|c| "─│┌┐└┘├┤┬┴┼►◄▼▲█░┊╌═║".contains(*c));
        assert_eq!(odd, None, "{}", of.id);
    }
}

#[test]
fn the_glossary_lists_every_term() {
    let mut desk = Desk::new(course().clone(), &Place::Home);
    desk.keys("t").shows("Glossary").shows("activation").hides("lesson");
    desk.keys("hsdp<enter>").shows("Hybrid");
    let mut desk = Desk::new(course().clone(), &Place::Home);
    desk.keys("/glossary<enter>").shows("type a few letters of a term");
}

#[test]
fn the_list_of_keys_cuts_no_text() {
    let mut desk = Desk::new(course().clone(), &Place::Home);
    for width in [60, 80, 120] {
        let screen = desk.resize(width, 60).keys("?").screen();
        let inside = |row: &str| {
            let (_, rest) = row.split_once('│')?;
            rest.rsplit_once('│').map(|(text, _)| text.to_owned())
        };
        let text: Vec<String> = screen.lines().filter_map(inside).collect();
        let shown = text.join(" ").split_whitespace().collect::<Vec<_>>().join(" ");
        let plan = "the date of your interview, and what to do each day until then";
        assert!(shown.contains(plan), "{screen}");
        desk.keys("<esc>");
    }
}
