//! Simulators on screen: knobs, pictures that move, formulas, questions before the reveal.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;

use crate::kit::desk;
use crate::kit::pack as kit;

use desk::Desk;
use infralens::pack::{Formula, SimLink};
use infralens::page::key::Key;
use infralens::page::place::Place;
use infralens::sim::{Answer, KINDS, Sim};
use infralens::tui::event::{Mouse, What};
use infralens::widget::theme::Palette;

fn at(kind: &str, set: &[(&str, f64)]) -> Place {
    let set = set.iter().map(|(name, value)| ((*name).to_owned(), *value));
    Place::Sim { kind: kind.into(), set: set.collect(), link: None }
}

fn open(kind: &str) -> Desk {
    Desk::new(kit::pack(), &at(kind, &[]))
}

/// The screens of a kind that differ in what has the keys.
const KEYS: [&str; 7] = ["", "z", "f", "p", "1", "<tab>", "p1<enter>"];

#[test]
fn home_leads_to_the_list_and_the_list_to_each_simulator() {
    let mut desk = Desk::new(kit::pack(), &Place::Home);
    desk.keys("s").shows("Simulators");
    for (i, kind) in KINDS.iter().enumerate() {
        desk.keys("g").keys(&"j".repeat(i)).shows(kind.title);
        desk.keys("<enter>").shows(kind.title).shows("Numbers");
        desk.keys("<esc>").shows("enter open");
    }
}

#[test]
fn a_knob_turns_and_the_numbers_follow() {
    let mut desk = open("ring");
    // what the name says is counted stands there once
    desk.shows("ranks per node 8 ").shows("1.75 GiB  sent by each rank");
    desk.keys("<left>").shows("ranks per node 4 ").shows("1.5 GiB  sent by each rank");
    desk.keys("<down><right>").shows("nodes 2 ").shows("Nodes of the group");
    desk.keys("<left><left>").shows("nodes goes down to 1 node");
    desk.keys("<up><right>").hides("goes down");
}

#[test]
fn a_value_is_typed_with_a_unit_and_what_is_wrong_is_said_there() {
    let mut desk = open("ring");
    desk.keys("<down><down>2<space>GB").shows("message   2 GB ").keys("<enter>");
    desk.shows("3.26 GiB  sent by each rank");
    desk.keys("<enter>3 ms<enter>").shows("`ms` is not a unit for this").shows("message   3 ms ");
    desk.keys("<backspace><backspace>KiB<enter>").shows("0.0029 MiB");
    desk.keys("<enter>lots<esc>").shows("0.0029 MiB").hides("lots");
    desk.keys("<up>1e18<enter>")
        .shows("nodes cannot be 1e18; give a whole number from 1 to 64")
        .keys("<esc>");
    desk.keys("0<enter>")
        .shows("nodes cannot be 0; give a whole number from 1 to 64")
        .keys("<esc>")
        .shows("nodes 1 ");
    desk.keys("<enter>").paste("3\nsecret\u{1b}[31m");
    assert!(!desk.screen().contains('\u{1b}'));
}

#[test]
fn nothing_that_is_typed_makes_it_panic() {
    for kind in KINDS {
        let mut desk = open(kind.name);
        for _ in kind.parameters {
            for text in ["0", "-1", "1e18", "1e999", "-0", ".5", "9 GB", "\u{fe0f}x", ""] {
                desk.keys("<enter>").paste(text).keys("<enter><esc>");
                assert!(!desk.ended);
                if !desk.screen().contains(kind.title) {
                    desk = open(kind.name);
                }
            }
            desk.keys("<down>");
        }
        desk.shows(kind.title);
    }
}

#[test]
fn presets_go_round_and_come_back_to_the_values_it_was_opened_with() {
    for kind in KINDS {
        let mut desk = Desk::new(kit::pack(), &at(kind.name, &[]));
        let first = desk.keys("<down><up>").screen();
        for (i, preset) in kind.presets.iter().enumerate() {
            desk.keys("t");
            desk.shows(&format!("preset {} of {}", i + 1, kind.presets.len())).shows(preset.name);
        }
        desk.keys("t").shows("back to the values it was");
        assert_eq!(desk.keys("<down><up>").screen(), first, "{}", kind.name);
    }
}

#[test]
fn one_bucket_for_everything_is_no_size_of_a_terabyte() {
    let mut desk = open("buckets");
    desk.resize(200, 60).keys("tt").shows("one bucket").hides("1,048,576").shows("1,024 MiB");
}

#[test]
fn it_wakes_only_while_it_plays() {
    let mut desk = open("ring");
    desk.shows("step 1 of 15");
    desk.wait(60);
    assert_eq!(desk.ticks, 0);
    desk.keys("n").shows("step 2 of 15").keys("b").shows("step 1 of 15");
    desk.keys("b").shows("step 15 of 15");
    desk.keys("<space>").shows("playing, step 1 of 15");
    desk.wait(2).shows("step 3 of 15");
    desk.keys("<space>").hides("playing").wait(60).shows("step 3 of 15");
    let paused = desk.ticks;
    assert_eq!(paused, 2);
    desk.keys("<space>").wait(60).shows("step 15 of 15").hides("playing");
    assert_eq!(desk.ticks, paused + 12);
    desk.keys("<space><esc>");
    assert_eq!(desk.app.wake_at(), None, "it stops when it is left");
}

#[test]
fn a_preset_that_is_chosen_while_it_plays_starts_clean() {
    let mut desk = open("pipeline");
    let whole = desk.keys("t").screen();
    let mut desk = open("pipeline");
    desk.keys("<space>").wait(3).shows("playing").keys("t").hides("playing");
    let step = |screen: &str| screen.split_once("step ").map(|(_, rest)| rest[..8].to_owned());
    assert_eq!(step(&desk.screen()), step(&whole));
}

#[test]
fn what_a_number_was_stands_beside_it_until_the_next_knob() {
    let mut desk = open("pipeline");
    desk.resize(200, 60).hides(" was ").keys("<right>").shows(" was ");
    // where two columns leave no room for that, an arrow says which way it went
    let lower = "↓ 28.5 tF  step";
    desk.resize(120, 40).shows(lower);
    desk.keys("<down>").hides(lower).resize(200, 60).hides(" was ");
}

#[test]
fn a_view_without_steps_names_no_key_for_them() {
    let mut desk = open("ring");
    desk.resize(160, 40).shows("space play");
    desk.keys("<tab>").hides("space play").shows("time over message size");
    desk.keys("<space>");
    assert_eq!(desk.app.wake_at(), None);
}

#[test]
fn a_formula_opens_with_its_values_put_in() {
    let mut desk = open("ring");
    desk.keys("f").shows("Formula").shows("sent by each rank: 1.75 GiB");
    desk.shows("= 2 × (ranks - 1) / ranks × bytes")
        .shows("= 2 × (8 - 1) / 8 × 1024 MiB")
        .shows("n = 8")
        .shows("S = 1024 MiB")
        .shows("source: ");
    // what no formula gives is said in words
    desk.keys("<up>").hides("In conditions");
    for _ in 0..20 {
        desk.keys("<down>");
    }
    desk.shows("NIC rate of the best");
    desk.keys("<esc>").shows("chunks round the ring");
    desk.keys("<esc>").hides("chunks round the ring");
}

#[test]
fn in_a_large_window_a_formula_leaves_the_picture_in_view() {
    for kind in KINDS {
        let mut desk = open(kind.name);
        desk.resize(200, 60);
        // the sentence of the picture stands below the names of the pictures
        let sentence = |screen: &str| {
            let row = screen.lines().nth(3).unwrap_or_default();
            row.chars()
                .skip(54)
                .collect::<String>()
                .trim_matches(['│', ' '])
                .chars()
                .take(60)
                .collect::<String>()
        };
        let told = sentence(&desk.screen());
        assert!(told.len() > 20, "{}: {told}", kind.name);
        desk.keys("f").shows(&told).shows("= ");
    }
    let mut desk = open("buckets");
    desk.resize(200, 60);
    desk.keys("f")
        .shows("The other numbers")
        .shows("= gradient tensors × a tensor + embedding")
        .shows("= 96 × 4 MiB + 0 MiB");
    desk.shows("= latency + bytes / bandwidth").shows("= 600 us + 28 MiB / 40 GB/s");
}

#[test]
fn a_question_hides_what_would_answer_it() {
    let mut desk = open("ring");
    desk.shows("1.75 GiB").keys("p");
    desk.shows("How many bytes does each of 8 ranks send")
        .shows("question 1 of 3")
        .hides("1.75 GiB")
        .hides("sent by each rank")
        .hides("chunks round")
        .shows("8 ranks");
    desk.keys("<right>").shows("8 ranks");
    desk.keys("plenty<enter>").shows("write a number").hides("1.75 GiB");
    for _ in 0..6 {
        desk.keys("<backspace>");
    }
    desk.keys("1 GiB<enter>");
    desk.shows("you    1 GiB").shows("not right").shows("it is  1.75 GiB");
    // two questions are open, which the numbers would answer
    desk.hides("sent by each rank").shows("2 questions are open");
    desk.keys("pp").shows("your answer: p").keys("<esc>").shows("chunks round");
    desk.keys("p").shows("question 3 of 3").shows("1 ring on all NICs");
    desk.keys("2").keys("<enter>").shows("not right").shows("it is  ring on all NICs or");
    // after the last question come the knobs
    desk.keys("<enter>").shows("chunks round");
    desk.keys("p").shows("question 1 of 3");
    desk.keys("<esc>").shows("chunks round");
}

#[test]
fn the_right_answer_is_right_in_every_kind() {
    for kind in KINDS {
        let questions = Sim::open(kind.name, &BTreeMap::new()).unwrap().run().questions;
        let mut desk = open(kind.name);
        desk.keys("p");
        for question in &questions {
            match &question.answer {
                Answer::Number { value, unit, .. } => {
                    desk.paste(&format!("{:e} {}", value / unit.factor, unit.name));
                }
                Answer::Choice { right, .. } => {
                    desk.keys(&(right.place() + 1).to_string());
                }
            }
            desk.keys("<enter>").shows("it is  ").shows("✓ right");
            desk.keys("<enter>");
        }
    }
}

/// A pack whose first lesson has a link to a simulator.
fn with_link() -> infralens::pack::Pack {
    let mut pack = kit::pack();
    pack.lessons[0].section.formulas.push(Formula {
        spoken: None,
        id: "idle".into(),
        title: "Idle".into(),
        text: "idle = x".into(),
        symbols: vec![],
        example: None,
        sim: Some(SimLink {
            kind: "pipeline".into(),
            set: BTreeMap::from([("stages".to_owned(), 16.0)]),
            note: Some("Look at the gaps.".into()),
        }),
    });
    pack
}

#[test]
fn a_section_opens_its_simulator_with_its_values_and_comes_back() {
    let reading = Place::Lesson { pack: 0, id: "ddp".into() };
    let mut desk = Desk::new(with_link(), &reading);
    desk.keys("b").shows("Pipeline schedules").shows("16 stages");
    desk.shows("Look at the gaps.");
    desk.keys("<down><right>").shows("32 stages").hides("Look at the gaps.");
    desk.keys("<esc>").shows("Shards.");
    desk.keys("<down>").resize(120, 40).shows("Open it in the simulator");
    let other = Place::Lesson { pack: 0, id: "tp".into() };
    // another link with the same values says nothing of this one
    let target = Place::Sim {
        kind: "pipeline".into(),
        set: BTreeMap::from([("stages".to_owned(), 16.0)]),
        link: Some("zero.idle".into()),
    };
    let mut elsewhere = Desk::new(with_link(), &target);
    elsewhere.shows("16 stages").hides("Look at the gaps.");
    // a key that leads nowhere is not named
    let mut none = Desk::new(kit::pack(), &other);
    none.resize(160, 40).hides("simulate").keys("b").shows("Shards.");
}

/// The first place of some words on the screen, one column in.
fn place_of(desk: &mut Desk, words: &str) -> (u16, u16) {
    let screen = desk.screen();
    let mut found = screen
        .lines()
        .enumerate()
        .filter_map(|(y, line)| Some((line.split_once(words)?.0.chars().count(), y)));
    // not the row of the chosen knob, which turns nothing
    let (x, y) = found
        .find(|(_, y)| words.starts_with('▸') || *y != 1)
        .unwrap_or_else(|| panic!("no {words} on {screen}"));
    (u16::try_from(x + 1).unwrap(), u16::try_from(y).unwrap())
}

fn click_on(desk: &mut Desk, words: &str) {
    let (x, y) = place_of(desk, words);
    desk.send(What::Mouse(Mouse::Click, x, y));
}

#[test]
fn the_mouse_chooses_knobs_and_opens_formulas() {
    let mut desk = open("ring");
    for (width, height) in [(120, 40), (80, 24)] {
        desk.resize(width, height);
        click_on(&mut desk, " nodes ");
        desk.shows("▸ nodes");
        click_on(&mut desk, " nodes ");
        let [two, one] = if width > 100 { ["← 2 →", "← 1 →"] } else { ["nodes 2 ", "nodes 1 "] };
        desk.shows(two).keys("<left>").shows(one);
        let (x, y) = place_of(&mut desk, "▸ nodes");
        desk.send(What::Mouse(Mouse::ScrollDown, x, y));
        desk.shows("▸ message");
        click_on(&mut desk, "sent by each rank");
        desk.shows("Formula").shows("sent by each rank: ").keys("<esc><home>kkk");
    }
    for (x, y) in [(0, 0), (79, 23), (79, 22), (33, 10), (200, 200)] {
        desk.send(What::Mouse(Mouse::Click, x, y));
        desk.send(What::Mouse(Mouse::ScrollUp, x, y));
        desk.screen();
    }
}

#[test]
fn the_palette_finds_simulators() {
    let mut desk = Desk::new(kit::pack(), &Place::Home);
    desk.keys("/pipeline").shows("Pipeline schedules simulator");
    desk.keys("<enter>").shows("stages p");
}

#[test]
fn knobs_fold_away_and_stay_of_use() {
    let mut desk = open("pipeline");
    // under 100 columns they stand in two rows over the picture
    desk.shows("knob 1 of 10").shows("stage 0").hides("hidden  ");
    desk.keys("<down><right>").shows("▸ stages p").shows("8 stages");
    desk.keys("z").shows("hidden  ").hides("stage 0 0");
    desk.keys("z").resize(60, 16).shows("stages p").shows("stage 0");
    // what is asked is seen, with the settings that the answer needs
    desk.keys("p").shows("your answer").shows("stages p");
    desk.keys("<pgdn>").shows("hidden");
    desk.keys("<esc><tab>").shows("activations alive");
}

#[test]
fn every_simulator_stands_any_size() {
    for kind in KINDS {
        for keys in KEYS {
            let mut desk = open(kind.name);
            desk.keys(keys);
            let sizes = [
                (0, 0),
                (1, 1),
                (20, 5),
                (60, 16),
                (71, 16),
                (72, 17),
                (80, 24),
                (111, 30),
                (200, 60),
                (300, 100),
                (300, 16),
                (60, 100),
            ];
            for (width, height) in sizes {
                desk.resize(width, height).screen();
                desk.send(What::Key(Key::parse("pgdn").unwrap()));
                desk.screen();
            }
        }
    }
}

#[test]
fn large_settings_are_drawn_too() {
    let large = [
        at("pipeline", &[("stages", 64.0), ("micro_batches", 512.0)]),
        at("ring", &[("ranks_per_node", 64.0)]),
        at("mesh", &[("nodes", 64.0)]),
    ];
    for place in large {
        let mut desk = Desk::new(kit::pack(), &place);
        for (width, height) in [(60, 16), (80, 24), (200, 60)] {
            for _ in 0..5 {
                desk.resize(width, height).keys("<tab>n<pgdn>").screen();
            }
        }
        desk.shows("Numbers");
    }
}

#[test]
fn screens_look_as_they_did() {
    for (width, height) in [(80, 24), (120, 40)] {
        let look = |name: &str, desk: &mut Desk| {
            desk.resize(width, height);
            insta::assert_snapshot!(format!("{name}-{width}x{height}"), desk.screen());
        };
        for kind in KINDS {
            look(kind.name, &mut open(kind.name));
        }
        look("list", &mut Desk::new(kit::pack(), &Place::Sims));
        look("formula", open("ring").keys("f"));
        look("question", open("step").keys("p"));
        look("answered", open("tp").keys("p12 GB<enter>"));
        look("chart", open("step").keys("<tab><tab>"));
        look("records", open("mesh").keys("<tab>"));
        look("dense", open("ring").keys("<down>8<enter>nnnn"));
    }
    let mut low = open("pipeline");
    insta::assert_snapshot!("low", low.resize(60, 16).screen());
    insta::assert_snapshot!("low-knobs", low.keys("z").screen());
}

#[test]
fn every_palette_draws_the_same_text_and_ascii_keeps_to_ascii() {
    for kind in KINDS {
        let place = at(kind.name, &[]);
        let views = Sim::new(kind).run().views.len();
        let texts = |palette, ascii| -> Vec<String> {
            let mut desk = Desk::themed(kit::pack(), &place, palette, ascii);
            desk.resize(100, 30);
            let mut texts: Vec<String> = (0..views).map(|_| desk.keys("<tab>").screen()).collect();
            texts.push(desk.keys("p").screen());
            texts.push(desk.keys("<esc>f").screen());
            texts
        };
        let mono = texts(Palette::Mono, false);
        for palette in [Palette::Dark, Palette::Light, Palette::Sixteen] {
            assert_eq!(texts(palette, false), mono, "{}", kind.name);
        }
        for text in texts(Palette::Mono, true) {
            let odd: String = text.chars().filter(|c| !c.is_ascii()).collect();
            assert!(odd.is_empty(), "{}: {odd:?} in\n{text}", kind.name);
        }
    }
}

#[test]
fn a_large_window_shows_more_pictures_and_a_question_hides_all() {
    let mut desk = open("pipeline");
    desk.resize(200, 60).shows("Activations of at most 4 micro-batches");
    desk.shows("By the formula, for 4 equal stages");
    desk.keys("p").hides("Activations of").hides("By the formula");
    desk.keys("<esc>").resize(80, 24).hides("Activations of");
}

#[test]
fn what_to_press_is_in_sight_at_80_columns() {
    for kind in KINDS {
        let mut desk = open(kind.name);
        for hint in ["←→ change", "↑↓ knob", "tab view", "p predict", "/ jump", "? keys", "esc back"]
        {
            desk.shows(hint);
        }
        if !["zero", "mesh", "step"].contains(&kind.name) {
            desk.shows("space play");
        }
    }
}

#[test]
fn the_footer_is_clicked() {
    let mut desk = open("pipeline");
    desk.send(What::Mouse(Mouse::Click, 2, 23));
    desk.shows("playing");
    let footer = desk.screen().lines().last().unwrap_or("").to_owned();
    let before = footer.split_once("p predict").expect("a hint").0.chars().count();
    desk.send(What::Mouse(Mouse::Click, u16::try_from(before).expect("a column"), 23));
    desk.shows("question 1 of");
}

#[test]
fn without_motion_a_picture_moves_by_keys_alone() {
    let still = |is_still: bool| {
        let library = infralens::services::library::Library { packs: vec![kit::pack()], broken: Vec::new() };
        let store = infralens::store::Store::in_memory().unwrap();
        let mut services =
            infralens::services::Services::new(library, store, jiff::tz::TimeZone::UTC, std::env::temp_dir());
        services.is_still = is_still;
        Desk::of(services, &at("pipeline", &[]))
    };
    let mut moving = still(false);
    moving.shows("space play").keys("<space>").wait(2);
    assert!(moving.ticks > 0);
    let mut desk = still(true);
    desk.hides("space play").shows("space step").keys("g");
    let first = desk.screen();
    desk.keys("<space>");
    let second = desk.screen();
    assert_ne!(first, second);
    desk.wait(5);
    assert_eq!((desk.ticks, desk.screen()), (0, second));
    desk.keys("b");
    assert_eq!(desk.screen(), first);
}

#[test]
fn numbers_that_answer_a_later_question_stay_hidden_until_the_last_one() {
    for (width, height) in [(80, 24), (120, 40), (200, 60)] {
        let mut desk = open("buckets");
        desk.resize(width, height).shows("f explains them").keys("p").hides("f explains them");
        let all =
            desk.screen().split(" of ").nth(1).and_then(|of| of.chars().next()).and_then(|c| c.to_digit(10));
        for nth in 1..=all.expect("how many there are") {
            desk.shows(&format!("question {nth} of"));
            let typed = if desk.screen().contains("your answer") { "1<enter>" } else { "<enter>" };
            desk.keys(typed).shows("it is").hides("f explains them");
            let is_last = Some(nth) == all;
            if !is_last {
                desk.hides("of this setting").keys("<enter>");
            }
        }
        desk.shows("of this setting").keys("<enter>").shows("f explains them");
    }
}

#[test]
fn what_is_kept_is_compared_with_until_it_is_dropped() {
    for (width, height) in [(80, 24), (120, 40), (200, 60)] {
        let mut desk = open("pipeline");
        desk.resize(width, height).keys("c").shows("This setting is kept").hides("  was ");
        desk.keys("j<right>").shows("Kept: ").shows("Now: ").shows("  kept ").hides("  was ");
        // two turns on, it is still the kept one
        desk.keys("<right>").shows("Kept: stages p 4").shows("Now: stages p 16").shows("  kept ");
        desk.keys("c").hides("Kept").hides("  kept ");
    }
}

#[test]
fn an_answer_to_a_question_stands_with_its_values_put_in() {
    let mut desk = open("buckets");
    desk.resize(120, 40).keys("p12<enter>");
    // 4 + 13 buckets of 28 MiB and what is left: how 384 MiB come to so many
    desk.shows("4 MiB + 13 × 28 MiB + 16 MiB = 384 MiB").shows("= 15 buckets").shows("Why");
    desk.keys("<esc>");
    let mut desk = open("ring");
    desk.resize(120, 40).keys("p1<enter>").shows("2 × (8 - 1) / 8 × 1024 MiB = 1.75 GiB");
    // nothing typed is said in plain words
    let mut desk = open("buckets");
    desk.keys("p<enter>").shows("Type a number first, for example 12").hides("`");
}

#[test]
fn each_number_of_a_simulator_is_understood_alone() {
    for kind in KINDS {
        for output in Sim::new(kind).run().outputs {
            let words: Vec<&str> = output.label.split(' ').collect();
            let points = ["it", "same", "them", "those"];
            let found = words.iter().find(|word| points.contains(&word.trim_matches(',')));
            assert_eq!(found, None, "{}: {}", kind.name, output.label);
            // `tokens that hide a send` is said of nothing before
            assert!(words[0] != "that" && !output.label.contains("of that"), "{}", output.label);
            assert!(
                !["with", "without", "a", "of"].contains(&words[0]) || words.len() > 2,
                "{}",
                output.label
            );
        }
    }
}

#[test]
fn a_wide_screen_names_all_keys_of_a_simulator() {
    let mut desk = open("buckets");
    desk.resize(200, 60);
    for hint in ["space play", "t presets", "c keep to compare", "z fold", "enter type", "f formula"] {
        desk.shows(hint);
    }
    desk.resize(120, 40).shows("t presets");
}

#[test]
fn a_knob_without_effect_says_why() {
    let mut desk = open("pipeline");
    desk.resize(120, 40).keys("<down><down><down>").shows("chunks").shows("No effect now");
    desk.keys("<up><up><up><right><down><down><down>").hides("No effect now");
}

#[test]
fn the_first_step_of_a_timeline_says_what_begins() {
    let mut desk = open("buckets");
    desk.resize(120, 40).keys("g").shows("step 1 of").shows("orward begins").hides("led by");
}
