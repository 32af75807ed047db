//! What is found by which words, and in which order.

use super::words::EXCERPT;
use super::*;
use crate::study::thing::Kind;

fn of(things: Vec<Thing>) -> Finder {
    Finder::new([(None, Arc::new(things.into_iter().collect()))])
}

/// Finds, one search after another, the ids of things that have a title and no text.
fn by_title<const N: usize>(things: [(Kind, &str, &str); N]) -> impl FnMut(&str) -> Vec<String> {
    let mut finder = of(things.map(|(kind, id, title)| Thing::own(kind, id, title)).into());
    move |typed| ids(&mut finder, typed, |_| String::new())
}

/// The ids of what is found once all was looked at.
fn ids(finder: &mut Finder, typed: &str, text: impl Fn(&Thing) -> String) -> Vec<String> {
    finder.ask(typed, usize::MAX);
    while finder.is_looking() {
        finder.look_on(1, usize::MAX, |_, thing| text(thing));
    }
    assert_eq!(finder.count(), finder.found().len());
    finder.found().iter().map(|f| finder.thing(f.thing).1.id.clone()).collect()
}

fn finder() -> Finder {
    let thing = |kind, id: &str, title: &str, names: &[&str]| Thing {
        names: names.iter().map(|n| (*n).to_owned()).collect(),
        ..Thing::own(kind, id, title)
    };
    of(vec![
        thing(Kind::Lesson, "pp", "Pipeline parallelism", &[]),
        thing(Kind::Drill, "d1", "How do you shrink the bubble of a pipeline?", &[]),
        thing(Kind::Term, "bubble", "pipeline bubble", &["bubble"]),
        thing(Kind::Term, "mfu", "model FLOPs utilization", &["MFU"]),
        thing(Kind::Lesson, "ring", "Ring all-reduce", &[]),
    ])
}

fn found(typed: &str) -> Vec<String> {
    let text = |thing: &Thing| match &*thing.id {
        "pp" => "A pipeline idles; the bubble shrinks with MFU.\nmore".to_owned(),
        _ => String::new(),
    };
    ids(&mut finder(), typed, text)
}

#[test]
fn what_is_named_so_comes_first_and_what_speaks_of_it_last() {
    assert_eq!(found("bubbles"), ["bubble"]);
    assert_eq!(found("BUBBLE"), ["bubble", "d1", "pp"]);
    assert_eq!(found("mfu"), ["mfu", "pp"]);
    assert_eq!(found("pipeline"), ["pp", "bubble", "d1"]);
    assert_eq!(found("reduce all"), ["ring"]);
    assert_eq!(found("").len(), 5);
    let mut erased = finder();
    erased.ask("ring", 9);
    erased.ask("", 9);
    erased.look_on(STEP, 9, |_, _| String::new());
    assert_eq!(erased.found().len(), 5, "what was typed and erased hides nothing");
    assert_eq!(found("how do I use a pipeline of the bubble?"), ["bubble", "d1", "pp"]);
    assert_eq!(found("how do you"), ["d1"]);
    assert!(found("?!").is_empty() && found("qqqq").is_empty());
}

#[test]
fn the_best_match_comes_first_whatever_its_kind() {
    let mut found = by_title([
        (Kind::Lesson, "tp", "Tensor parallelism"),
        (Kind::Lesson, "all", "All-reduce and its relatives on a ring"),
        (Kind::Lab, "mlp", "A tensor parallel MLP on paper"),
        (Kind::Lab, "ring", "Ring all-reduce"),
        (Kind::Drill, "why", "Why is tensor parallel kept inside a node?"),
        (Kind::Sim, "sim", "Tensor parallel layer"),
    ]);
    assert_eq!(found("tensor parallel"), ["tp", "sim", "mlp", "why"]);
    assert_eq!(found("tensor parallel layer"), ["sim"]);
    assert_eq!(found("ring all-reduce"), ["ring", "all"]);
    assert_eq!(found("all-reduce relatives"), ["all"]);
    assert_eq!(found("tensor paralel"), ["tp", "mlp", "sim", "why"]);
    assert_eq!(found("tesnor paralell"), ["tp", "mlp", "sim", "why"]);
}

#[test]
fn slips_find_what_no_word_does_and_scattered_letters_nothing() {
    assert_eq!(found("pipline bubbel"), ["bubble", "d1"]);
    assert_eq!(found("allreduce"), ["ring"]);
    assert_eq!(found("mfuu"), ["mfu"]);
    // letters here and there are no find, nor is the end of one word with the beginning of the next
    assert!(found("rgalrd").is_empty());
    let mut found = by_title([
        (Kind::Check, "a", "What of the memory is freed?"),
        (Kind::Check, "b", "Is it there, and are these the ones?"),
        (Kind::Drill, "c", "Keep running but be terse"),
    ]);
    for typed in ["theme", "kubernetes"] {
        assert!(found(typed).is_empty(), "{typed}");
    }
}

#[test]
fn the_word_of_a_kind_puts_that_kind_first() {
    let mut found = by_title([
        (Kind::Lesson, "l1", "Labels and labs"),
        (Kind::Lesson, "l2", "Checkpoints"),
        (Kind::Lab, "ring", "Ring all-reduce"),
        (Kind::Lab, "buckets", "Gradient buckets"),
        (Kind::Check, "c1", "How long is a ring?"),
        (Kind::Drill, "d1", "Explain a ring in a lab."),
        (Kind::Page, "p", "Drills"),
    ]);
    // as it is typed, letter by letter, and at once
    for typed in ["l", "la", "lab", "labs"] {
        found(typed);
    }
    let labs = found("lab");
    assert_eq!(labs.iter().take(2).map(String::as_str).collect::<Vec<_>>().len(), 2);
    assert!(labs[..2].contains(&"ring".to_owned()) && labs[..2].contains(&"buckets".to_owned()), "{labs:?}");
    assert!(labs.contains(&"l1".to_owned()), "what is named so is still found: {labs:?}");
    assert_eq!(found("check")[0], "c1");
    assert_eq!(found("drill")[..2], ["p", "d1"], "a screen that is called so is meant first");
    assert_eq!(found("lab ring")[..2], ["ring", "d1"]);
    assert_eq!(found("ring lab")[..2], ["ring", "d1"]);
}

#[test]
fn an_excerpt_has_whole_words_around_the_one_that_was_found() {
    let text = format!("first\n{}the Bubble is here {}", "word ".repeat(40), "more ".repeat(40));
    let cut = excerpt(&text, &text.to_lowercase(), text.to_lowercase().find("bubble"));
    assert!(cut.starts_with("…word") && cut.ends_with("more …") && cut.contains("the Bubble is"), "{cut}");
    assert!(cut.chars().count() <= EXCERPT + 2);
    assert_eq!(excerpt("a bubble", "a bubble", Some(2)), "a bubble");
}

#[test]
fn many_names_are_looked_at_in_steps_and_more_letters_look_at_fewer() {
    let many =
        (0..2 * NAMES + 5).map(|n| Thing::own(Kind::Drill, &format!("d{n}"), &format!("Question {n}")));
    let mut finder = of(many.collect());
    let none = |_: Option<usize>, _: &Thing| String::new();
    finder.ask("question", 200);
    assert_eq!(finder.count(), NAMES);
    while finder.is_looking() {
        finder.look_on(STEP, 200, none);
    }
    assert_eq!(finder.count(), 2 * NAMES + 5);
    // all of them at once, since they were found before; and whatever fits, it is what a new search finds
    for typed in
        ["question 40", "question 4000", "question", "4000", "400", "d7", "d", "in d", "in", "questions"]
    {
        finder.ask(typed, 200);
        let mut anew = Finder::new(finder.groups.iter().map(|g| (g.pack, Arc::clone(&g.catalogue))));
        anew.ask(typed, 200);
        for finder in [&mut finder, &mut anew] {
            while matches!(finder.stage, Stage::Names(_)) {
                finder.look_on(STEP, 200, none);
            }
        }
        assert_eq!((finder.found(), finder.count()), (anew.found(), anew.count()), "{typed}");
    }
    finder.ask("question 39", 200);
    assert!(!matches!(finder.stage, Stage::Names(_)) || finder.pool.is_none());
}

#[test]
fn a_step_makes_no_more_texts_than_it_may_and_the_best_stay_the_same() {
    let many =
        || (0..900).map(|n| Thing::own(Kind::Drill, &format!("d{n}"), &format!("Question {n}"))).collect();
    let text = |_: Option<usize>, thing: &Thing| match &*thing.id {
        "d7" => "a ring".to_owned(),
        "d850" => "a ring in a ring".to_owned(),
        _ => String::new(),
    };
    let mut finder = of(many());
    finder.ask("ring", 200);
    assert!(finder.is_looking());
    finder.look_on(STEP, 200, text);
    assert!(finder.is_looking() && finder.texts.len() <= STEP / MAKE, "{} texts", finder.texts.len());
    assert_eq!(finder.count(), 1);
    while finder.is_looking() {
        finder.look_on(STEP, 200, text);
    }
    let found: Vec<&str> = finder.found().iter().map(|f| &*finder.thing(f.thing).1.id).collect();
    assert_eq!(found, ["d850", "d7"]);
    finder.ask("question", 200);
    assert_eq!((finder.found().len(), finder.count()), (200, 900));
    let mut all = of(many());
    all.ask("question", usize::MAX);
    assert_eq!(finder.found(), &all.found()[..200]);
}
