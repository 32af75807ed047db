//! What a listener is told first: sentences before tables, what will happen before it does.

use infralens::page::place::Place;

use crate::kit::visit::*;

/// A verdict on an answer of two sentences.
fn verdict() -> Visit {
    let lines =
        ["Each rank averages the gradients with an all-reduce.", "Buckets overlap with backward.", ".", ""];
    let visit = Visit::new(&drill(), &lines);
    assert!(visit.said.contains("Page: Verdict."), "{}", visit.said);
    visit
}

#[test]
fn a_dispute_says_first_what_becomes_of_it_and_asks_one_thing_at_a_time() {
    let mut visit = verdict();
    let asked = flat(&visit.line("u 4"));
    assert!(asked.contains("The mark stays as it is; your reason stands beside it"), "{asked}");
    assert_eq!(asked.matches("What is wrong with").count(), 1, "{asked}");
    assert!(!asked.contains("Your answer"), "the verdict is not said once more: {asked}");
    let again = flat(&visit.line(""));
    assert!(again.starts_with("Nothing is disputed yet.") && again.contains("What is wrong with"), "{again}");
    let which = flat(&visit.line("I said that buckets overlap with backward"));
    assert!(
        which.contains("Enter takes 2, the likeliest.") && which.contains("leave drops the dispute"),
        "{which}"
    );
    assert!(flat(&visit.line("what?")).starts_with("Type the number of the sentence."));
    let kept = flat(&visit.line(""));
    assert!(kept.contains("Your dispute is kept") && kept.contains("You are back at the verdict"), "{kept}");
    assert!(visit.place().contains("verdict"));
    assert!(visit.line("u 4").contains("taken back"));
}

#[test]
fn a_dispute_is_left_by_a_word_and_q_keeps_the_reason() {
    let mut visit = verdict();
    visit.line("u 4");
    assert!(visit.line("leave").starts_with("Nothing was disputed."));
    visit.line("u 4");
    visit.line("it is too low");
    assert!(visit.line("leave").starts_with("Nothing was disputed."));
    visit.line("u 4");
    visit.line("it is too low");
    assert!(visit.line("q").starts_with("Your dispute is kept"));
    assert!(visit.place().contains("verdict"), "a step back is a step within the page");
    visit.line("u 5");
    let left = visit.line("q");
    assert!(left.starts_with("Nothing was disputed.") && left.contains("Page: Verdict."), "{left}");
}

#[test]
fn one_part_of_a_verdict_is_a_page_that_leads_back_to_it() {
    for back in ["q", ""] {
        let mut visit = verdict();
        let part = flat(&visit.line("3"));
        assert!(part.starts_with("Page: ") && part.contains("one part."), "{part}");
        assert!(part.contains("Enter or q goes back to the verdict."), "{part}");
        let told = flat(&visit.line(back));
        assert!(told.starts_with("You are back at the verdict"), "{told}");
        let again = flat(&visit.line("w 3"));
        assert!(!again.contains("does not work here"), "{told} / {again}");
    }
    let mut visit = verdict();
    visit.line("3");
    let again = flat(&visit.line("w"));
    assert!(!again.contains("number") && !visit.place().contains("verdict"), "{again}");
}

#[test]
fn a_sentence_of_ones_own_is_said_once_and_what_is_false_is_named_in_the_head() {
    let mut face = face();
    let place = Place::Drill { pack: 0, id: "choose-parallelism".into(), only: None };
    face.open(&place, at(1));
    for line in [
        "DDP shards the optimizer state. It is nice. FSDP shards the weights, gradients and optimizer state, so a 7B \
         model of 16 bytes per parameter fits.",
        ".",
    ] {
        face.line(line, at(2));
    }
    let said = flat(&face.line("s", at(3)));
    for sentence in ["DDP shards the optimizer state", "It is nice", "FSDP shards the weights"] {
        assert_eq!(said.matches(sentence).count(), 1, "{sentence}: {said}");
    }
    assert!(said.contains("One statement is false, number 6 says why."), "{said}");
    assert!(said.contains("What you said under Problem counts here too."), "{said}");
    assert!(said.contains("The rest of your answer, which earned nothing It is nice"), "{said}");
    let model = flat(&face.line("model", at(4)));
    assert!(model.contains("Heading: A model answer 1. Problem. Yours: "), "{model}");
    assert!(!model.contains("FSDP shards the weights, gradients and optimizer state, so a 7B"), "{model}");
}

#[test]
fn after_a_wrong_answer_the_right_one_is_said_first() {
    let place =
        Place::Checks { pack: 0, lesson: "overview".into(), only: Some("overview-first-choice".into()) };
    for number in ["1", "2", "3"] {
        let said = flat(&Visit::new(&place, &[number]).said);
        let Some((_, why)) = said.split_once("Not right.") else { continue };
        assert!(why.trim_start().starts_with("The right one is "), "{said}");
    }
}

#[test]
fn a_check_that_was_left_out_is_asked_alone_by_its_number() {
    let mut visit = Visit::new(&Place::Checks { pack: 0, lesson: "overview".into(), only: None }, &["1", ""]);
    while !visit.said.contains("Done: ") {
        visit.said = visit.line("s");
    }
    assert!(flat(&visit.said).contains("the number of one asks that one alone"), "{}", visit.said);
    let asked = flat(&visit.line("2"));
    assert!(asked.contains("Check 2 of "), "{asked}");
    let over = flat(&visit.line("s"));
    assert!(over.contains("Done: "), "{over}");
    assert!(flat(&visit.line("s")).contains("Check 2 of "), "s asks them one after the other");
    assert!(flat(&visit.line("s")).contains("Check 3 of "));
}

#[test]
fn progress_is_told_in_sentences_and_the_map_on_request() {
    let mut visit = Visit::new(&Place::Progress, &[]);
    let said = flat(&visit.said);
    for told in [
        "Asked so far: 1 of 12 lessons.",
        "Weakest: ",
        "Enter asks for the weakest, ",
        "map reads every part",
    ] {
        assert!(said.contains(told), "no “{told}” in {said}");
    }
    assert!(!said.contains("Card 1") && !said.contains("Not asked yet"), "{said}");
    assert!(visit.said.lines().count() < 24, "{}", visit.said);
    let map = flat(&visit.line("map"));
    assert!(
        map.contains("Data parallelism: DDP: 6. Problem ") && map.contains("Not asked yet: 11 more."),
        "{map}"
    );
    assert!(visit.line("9").contains("Page: One part."), "the map counts all parts");
    visit.line("q");
    // the summary counts what it lists, the weakest first, and takes nothing else
    let said = flat(&visit.line("map"));
    let rows: Vec<&str> =
        ["1. ", "2. ", "3. "].iter().filter_map(|n| said.split_once(n)).map(|s| s.1).collect();
    assert!(rows.len() == 3 && !said.contains("4. "), "{said}");
    let first = rows[0].split(':').next().unwrap().split(" in ").next().unwrap().to_owned();
    assert!(said.contains(&format!("Enter asks for the weakest, {first} in ")), "{said}");
    assert!(!visit.line("9").contains("Page: One part."));
    assert!(visit.line("1").contains("Page: One part."));
    visit.line("q");
    assert!(visit.line("").contains("Page: One part."), "Enter asks for the weakest");
}

#[test]
fn all_of_a_section_is_not_all_of_the_lesson() {
    let mut visit = Visit::new(&Place::Lesson { pack: 0, id: "ddp".into() }, &["2"]);
    let all = visit.line("all");
    assert!(flat(&all).contains("That was all of the section. Enter reads: "), "{all}");
    assert!(!all.contains("counts as read"), "{all}");
    let whole = visit.line("everything");
    assert!(whole.lines().count() > 2 * all.lines().count() && flat(&whole).contains("it counts as read"));
}

#[test]
fn a_lesson_leads_to_its_lab_and_its_code_by_their_names() {
    let lesson = || Visit::new(&Place::Lesson { pack: 0, id: "ddp".into() }, &[]);
    assert!(lesson().line("lab").contains("Page: Gradient buckets"), "{}", lesson().line("lab"));
    let mut visit = lesson();
    assert!(visit.line("code").contains("Page: Code."), "{}", visit.said);
    assert!(visit.line("run").contains("Page: Gradient buckets"));
    let mut bare = Visit::new(&Place::Lesson { pack: 0, id: "overview".into() }, &[]);
    assert!(bare.line("lab").contains("does not work here"));
}

#[test]
fn a_setting_is_turned_without_an_equals_sign() {
    let lines = ["stage 3", "set stage to 3", "Stage 3", "stage = 3"];
    let said = lines.map(|line| simulator_of("zero").line(line));
    assert!(said.iter().all(|told| *told == said[0] && told.contains(", was ")), "{said:?}");
    let spaces = ["micro_batches 4", "micro batches 4", "Micro-batches 4"];
    let said = spaces.map(|line| simulator_of("zero").line(line));
    assert!(said.iter().all(|told| *told == said[0] && told.contains(", was ")), "{said:?}");
    let mut sim = simulator_of("zero");
    let fault = flat(&sim.line("stage many"));
    assert!(fault.starts_with("ZeRO stage: ") && !fault.contains("changes nothing"), "{fault}");
    assert!(sim.line("frobnicate 3").contains("changes nothing"));
}

#[test]
fn a_setting_is_named_once_and_by_its_first_word() {
    let mut sim = simulator_of("ring");
    let said = flat(&sim.line("l"));
    assert!(said.contains("ranks per node: 8, from 1 to 72"), "{said}");
    assert!(sim.line("ranks 4").contains(", was "), "only one name begins so");
    let zero = flat(&simulator_of("zero").line("l"));
    assert!(zero.contains("stage: 1, the optimizer state is sharded, from 0 to 3"), "{zero}");
}

#[test]
fn a_choice_of_a_setting_tells_what_it_is_and_then_the_others() {
    let said = flat(&simulator_of("buckets").line("l"));
    assert!(said.contains("iteration: later ones; the other choice is the first"), "{said}");
    assert!(said.contains("no sync: on; the other choice is off"), "{said}");
}

#[test]
fn a_prediction_says_first_how_to_leave_it_and_again_at_each_wrong_answer() {
    let mut puzzle = Visit::new(&Place::Puzzle { pack: 0, id: "bucket-cap".into() }, &[]);
    let number = puzzle.said.lines().find(|line| line.contains("Predict before")).expect("it is a choice");
    let number = number.split('.').next().expect("a number").to_owned();
    let asked = puzzle.line(&number);
    assert!(asked.trim_start().starts_with("Question 1 of "), "{asked}");
    assert!(
        asked.lines().find(|l| !l.is_empty()).expect("words").contains("Enter alone leaves it"),
        "{asked}"
    );
    let fault = flat(&puzzle.line("hint"));
    assert!(fault.contains("Enter alone leaves the question"), "{fault}");
    puzzle.line("");
    assert!(puzzle.line("hint").contains("Hint 1 of "));
}

#[test]
fn what_a_verb_prints_in_sentences_is_wrapped_and_ends_with_how_to_turn_a_knob() {
    for args in [&["sim", "ring"][..], &["puzzle", "fit-13b"], &["sim", "buckets"]] {
        let text = String::from_utf8_lossy(&crate::kit::cli::run(args).stdout).into_owned();
        // rows of a table are a line each, whatever their length
        let long = |line: &&str| {
            line.chars().count() > 78
                && !line.contains(';')
                && !line.starts_with(|c: char| c.is_ascii_digit())
        };
        let last = text.lines().last().expect("a line");
        let stray = text.lines().filter(|line| *line != last).find(long).filter(|l| !l.contains(": "));
        assert_eq!(stray, None, "{args:?}");
        assert!(last.starts_with("To turn a knob: `infralens ") && last.contains(" --set "), "{last}");
        let example = last.split('`').nth(1).expect("an example").replace("infralens ", "");
        let words: Vec<&str> = example.split(' ').collect();
        let out = crate::kit::cli::run(&words);
        assert!(out.stderr.is_empty() && out.stdout.len() > 100, "{example}");
    }
    let text = String::from_utf8_lossy(&crate::kit::cli::run(&["sim", "buckets"]).stdout).into_owned();
    assert_eq!(text.matches("full at 24.5 milliseconds").count(), 1, "no row is said twice: {text}");
}

#[test]
fn a_pipe_hears_every_row_of_a_table_and_choices_as_choices() {
    let out = crate::kit::cli::run(&["--plain", "sim", "zero"]);
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    let table = text.split("Heading: traffic of a step").nth(1).expect("the table");
    for stage in ["lain DDP", "ZeRO-1", "ZeRO-2", "ZeRO-3"] {
        assert!(table.matches(stage).count() >= 2, "{stage}: {table}");
    }
    assert!(text.contains("Choice a: yes, all of it") && !text.contains("1) yes"), "{text}");
    assert!(text.contains("stage: 1, the optimizer state is sharded"), "{text}");
}

#[test]
fn the_numbers_of_home_begin_at_one_and_leave_none_out() {
    let visit = Visit::new(&Place::Home, &[]);
    let number = |line: &str| line.split_once(". ").and_then(|(n, _)| n.parse::<usize>().ok());
    let numbers: Vec<usize> = visit.said.lines().filter_map(number).collect();
    assert_eq!(numbers, (1..=numbers.len()).collect::<Vec<_>>(), "{}", visit.said);
}

#[test]
fn numbers_beside_each_other_are_never_heard_as_one() {
    let mut sim = simulator_of("zero");
    let rows: String = (1..20).map(|n| sim.line(&n.to_string()) + &sim.line("more")).collect();
    let words: Vec<&str> = rows.split_whitespace().collect();
    let is_number = |w: &str| w.parse::<f64>().is_ok();
    let beside = words.windows(2).find(|pair| is_number(pair[0]) && is_number(pair[1]));
    assert_eq!(beside, None, "{rows}");
}

#[test]
fn a_hint_of_a_puzzle_is_asked_for_by_its_name() {
    let mut puzzle = Visit::new(&Place::Puzzle { pack: 0, id: "bucket-cap".into() }, &[]);
    assert!(puzzle.line("hint").contains("Hint 1 of "));
}

#[test]
fn who_heard_all_of_a_section_is_at_its_end() {
    let mut visit = Visit::new(&Place::Lesson { pack: 0, id: "ddp".into() }, &[""]);
    let first = visit.place();
    let all = flat(&visit.line("everything"));
    assert!(all.contains("That is the end of the lesson; it counts as read. Enter lists what to do with it"));
    let place = visit.place();
    assert!(place != first && place.contains("section "), "{first}, then {place}");
    let before = flat(&visit.line("back"));
    assert!(!before.is_empty() && visit.place().contains("section "));
    visit.line("everything");
    let listed = visit.line("");
    assert!(listed.contains("Page: ") && !listed.contains("That is the end of the lesson"), "{listed}");
}

#[test]
fn who_heard_all_notes_of_a_lab_is_at_the_last_one() {
    let mut visit = Visit::new(&Place::Code { pack: 0, id: "01-ddp-buckets".into() }, &["all"]);
    assert!(flat(&visit.said).contains("That was all of it, to note "), "{}", visit.said);
    assert!(visit.line("").starts_with("That was the last note"));
    let before = flat(&visit.line("b"));
    assert!(before.contains("Enter reads on."), "the note before the last one: {before}");
}

#[test]
fn verbs_print_sentences_in_lines_and_no_columns() {
    for args in [&["doctor"][..], &["sim"], &["puzzle"], &["list", "sims"], &["stats"], &["measure"]] {
        let args: Vec<&str> = ["--plain"].into_iter().chain(args.iter().copied()).collect();
        let out = crate::kit::cli::run(&args);
        let text = String::from_utf8_lossy(&out.stdout).into_owned();
        assert!(!text.trim().is_empty(), "{args:?}");
        for line in text.lines() {
            assert!(!line.trim_end().contains("  ") && !line.ends_with(' '), "{args:?}: {line}");
        }
    }
}

#[test]
fn why_a_part_has_its_mark_is_said_in_words_and_not_in_patterns() {
    let answer = "ZeRO-1 shards the optimizer state. It saves memory.";
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("answer.txt");
    std::fs::write(&file, answer).unwrap();
    let file = file.to_str().unwrap();
    let out = crate::kit::cli::run(&["--plain", "score", "zero1-to-zero3", file, "--explain"]);
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    assert!(text.contains("by “") && text.contains("shards the optimizer state"), "{text}");
    assert!(!text.contains(['[', ']', '@', '|']), "{text}");
}

/// Lines that mean something elsewhere, or nothing.
const WRONG: &[&str] = &[
    "0",
    "999",
    "-1",
    "3.5",
    "1 2",
    "xyz",
    "This is an answer in a full sentence.",
    ". 60",
    ":parts",
    "yes",
    "next",
    "w 9",
    "/ ",
    "stop",
    "u 99",
    "№ 3",
    "a = 4",
    "more",
    "go 1",
    "ctrl+c",
    "q!",
];

#[test]
fn a_line_in_a_wrong_place_is_answered_and_leads_nowhere() {
    let mut silent = Vec::new();
    for (place, lines) in places() {
        let mut visit = Visit::new(&place, &lines);
        for wrong in WRONG {
            let said = visit.line(wrong);
            if said.contains("A line with a single dot")
                || said.contains("Page: Search")
                || said.contains("Page: Predict")
            {
                visit = Visit::new(&place, &lines);
            } else if said.trim().is_empty() && !visit.said.contains("A line with a single dot") {
                silent.push(format!("{place:.60?} {lines:?}: {wrong}"));
            }
        }
    }
    assert!(silent.is_empty(), "{}", silent.join("\n"));
}

#[test]
fn the_words_of_other_programs_lead_out_and_help_in_any_case() {
    let sim = || simulator_of("ring");
    for word in ["back", ":q", "Q"] {
        assert!(sim().line(word).contains("Page: Distributed Training."), "{word}");
    }
    for word in ["exit", "Quit", ":quit", "EXIT"] {
        assert!(sim().line(word).contains("Goodbye."), "{word}");
    }
    for word in ["HELP", ":?", "Help", ":help"] {
        assert!(sim().line(word).starts_with("You are here: "), "{word}");
    }
    assert!(sim().line("repeat").contains("Heading: Settings"));
    assert!(flat(&sim().line("999")).starts_with("There is no number 999 here; type a number from 1 to "));
    let said = flat(&sim().line("xyz"));
    assert!(said.contains("such as ranks per node 8") && said.contains("q goes back"), "{said}");
    // among the lines of an answer they work too
    let mut answer = Visit::new(&drill(), &["Each rank averages the gradients."]);
    assert!(answer.line("back").contains("Your draft is kept."));
    assert!(Visit::new(&drill(), &["Each rank"]).line("exit").contains("Goodbye."));
    // where no answer is awaited, a sentence is said to be lost
    let said =
        flat(&Visit::new(&Place::Sims, &[]).line("Each rank averages the gradients with an all-reduce."));
    assert!(said.starts_with("No text is taken here"), "{said}");
}

fn simulator_of(kind: &str) -> Visit {
    Visit::new(&Place::Sim { kind: kind.into(), set: Default::default(), link: None }, &[])
}

#[test]
fn a_section_that_was_not_heard_is_not_called_heard() {
    let mut visit = Visit::new(&Place::Lesson { pack: 0, id: "ddp".into() }, &[""]);
    let listed = flat(&visit.line("l"));
    let last = listed.split("Read: ").count() - 1;
    assert!(last > 4, "{listed}");
    // the last section, by its number: those before it were passed over
    visit.line(&last.to_string());
    let end = flat(&visit.line("all"));
    assert!(end.contains("Not read yet: ") && end.contains("m marks the lesson as read"), "{end}");
    let listed = flat(&visit.line("l"));
    assert_eq!(listed.matches(", heard").count(), 2, "{listed}");
}
