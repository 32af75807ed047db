//! Attempts as CSV and Markdown, and the deck for Anki.
#![allow(clippy::unwrap_used)]

use crate::kit::pack;
use crate::kit::store as kit;

use infralens_course::pack::{Check, CheckKind, ChoiceOption, Term};
use infralens_course::score::Verdict;
use infralens_course::study::class::given::Given;
use infralens_course::study::deck::anki;
use infralens_course::study::rating::Rating;
use infralens_course::study::table::{csv_head, csv_row, markdown};
use kit::{attempt, minute};

/// Reads CSV or tab separated text with quotes, as RFC 4180 says.
fn cells(text: &str, separator: char) -> Vec<Vec<String>> {
    let (mut rows, mut row, mut cell, mut quoted) = (vec![], vec![], String::new(), false);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.next_if_eq(&'"').is_some() => cell.push('"'),
            '"' => quoted = !quoted,
            '\r' if !quoted => {}
            '\n' if !quoted => {
                row.push(std::mem::take(&mut cell));
                rows.push(std::mem::take(&mut row));
            }
            c if c == separator && !quoted => row.push(std::mem::take(&mut cell)),
            c => cell.push(c),
        }
    }
    assert!(cell.is_empty() && row.is_empty() && !quoted, "the text ends in the middle of a row");
    rows
}

#[test]
fn csv_holds_every_attempt_in_a_row() {
    let parts = ["problem".to_string(), "tradeoff".to_string()];
    let mut given = attempt("a", ("ddp", "why"), minute(0), &[("problem", 0.5)]);
    given.answer = "one, \"two\"\nthree\u{1b}[31m".into();
    let text = csv_head(&parts) + &csv_row(&given, &parts);
    let rows = cells(&text, ',');
    let column = |name: &str| &rows[1][rows[0].iter().position(|c| c == name).unwrap()][..];
    assert_eq!(rows.len(), 2);
    assert_eq!(rows[0].len(), rows[1].len());
    assert_eq!(column("answer"), "one, \"two\"\nthree[31m");
    assert_eq!((column("drill"), column("total"), column("mode")), ("why", "0.500", "practice"));
    assert_eq!((column("problem"), column("problem mark"), column("tradeoff")), ("partial", "0.500", ""));
    assert_eq!(column("at"), minute(0).to_string());
    assert_eq!((column("rated"), column("problem rated")), ("", ""));
    given.rate(Rating::read("cm", &parts).unwrap());
    let rows = cells(&(csv_head(&parts) + &csv_row(&given, &parts)), ',');
    let column = |name: &str| &rows[1][rows[0].iter().position(|c| c == name).unwrap()][..];
    assert_eq!(
        (column("rated"), column("problem rated"), column("tradeoff rated")),
        ("0.500", "covered", ""),
        "what was not asked for is not rated"
    );
}

#[test]
fn decks_of_several_packs_stand_in_one_file() {
    let second = pack::named("second", "Second");
    let deck = anki(&[pack::pack(), second]);
    let heads = deck.lines().take_while(|l| l.starts_with('#')).count();
    let notes: Vec<&str> = deck.lines().skip(heads).collect();
    assert!(notes.iter().all(|l| !l.starts_with('#')), "heads stand at the top");
    let decks = |deck: &str| notes.iter().filter(|l| l.ends_with(deck)).count();
    assert_eq!((decks("\"Course\""), decks("\"Second\"")), (6, 6));
}

#[test]
fn an_answer_cannot_become_a_formula() {
    for start in ["=", "+", "-", "@"] {
        let mut given = attempt("a", ("ddp", "why"), minute(0), &[]);
        given.answer = format!("{start}HYPERLINK(1)");
        let rows = cells(&csv_row(&given, &[]), ',');
        assert_eq!(rows[0].last().unwrap(), &format!("'{start}HYPERLINK(1)"));
    }
}

#[test]
fn markdown_shows_question_answer_and_marks() {
    let mut given = attempt("a", ("ddp", "ddp-1"), minute(0), &[("problem", 1.0), ("tradeoff", 0.0)]);
    given.answer = "first\nsecond\u{7}".into();
    let page = markdown(&given, Some(&pack::pack()), "today");
    for line in [
        "## today: 50%",
        "Explain ddp-1.",
        "> first\n> second\n",
        "practice, 2 words in 1:30",
        "- Problem: covered.",
    ] {
        assert!(page.contains(line), "no {line} in\n{page}");
    }
    assert!(markdown(&given, None, "today").contains("- problem: covered."));
}

#[test]
fn the_deck_has_headers_and_a_note_a_line() {
    let mut course = pack::pack();
    let option = |text: &str, right| ChoiceOption { text: text.into(), right, why: None };
    let check = |id: &str, kind| Check {
        id: id.into(),
        lesson: "ddp".into(),
        question: "what does [[all-reduce]] do to [[grad|the gradients]]?".into(),
        kind,
        explain: "because\tso".into(),
        hints: vec![],
    };
    course.checks = vec![
        check("choice", CheckKind::Choice(vec![option("sum \"them\"", true), option("drop them", false)])),
        check("claim", CheckKind::Claim(false)),
        check("order", CheckKind::Order(vec!["first".into(), "second".into()])),
    ];
    course.terms = vec![Term {
        id: "all-reduce".into(),
        name: "all-reduce".into(),
        definition: "Sums over [[nothing]].".into(),
        aliases: vec![],
        lesson: None,
        related: vec![],
    }];
    let deck = anki(std::slice::from_ref(&course));
    let (heads, notes): (Vec<&str>, Vec<&str>) = deck.lines().partition(|l| l.starts_with('#'));
    assert_eq!(heads[0], "#separator:tab");
    assert!(heads.contains(&"#deck column:5") && heads.contains(&"#guid column:1"));
    let notes = cells(&(notes.join("\n") + "\n"), '\t');
    assert_eq!(notes.len(), 6 + 3 + 1);
    assert!(notes.iter().all(|n| n.len() == 5 && n.iter().all(|f| !f.is_empty())), "{notes:?}");
    assert!(notes.iter().all(|n| n[4] == "Course"));
    let back = |guid: &str| &notes.iter().find(|n| n[0] == guid).unwrap()[2][..];
    assert!(back("course/drill/ddp-1").starts_with("A model answer.\n\n- problem: say the problem"));
    assert_eq!(back("course/check/choice"), "sum \"them\"\n\nbecause\tso");
    assert_eq!(back("course/check/claim"), "false\n\nbecause\tso");
    assert_eq!(back("course/check/order"), "first\nsecond\n\nbecause\tso");
    assert_eq!(back("course/term/all-reduce"), "Sums over nothing.");
    let front = &notes.iter().find(|n| n[0] == "course/check/choice").unwrap()[1];
    assert!(front.starts_with("what does all-reduce do to the gradients?\n\na) "), "{front}");
    assert_eq!(deck, anki(std::slice::from_ref(&course)), "a deck made twice is the same");
}

#[test]
fn the_built_in_pack_makes_a_deck() {
    let course = infralens_course::pack::load(&crate::kit::course::origin()).pack.unwrap();
    let deck = anki(std::slice::from_ref(&course));
    let notes = deck.split('\n').skip_while(|l| l.starts_with('#')).collect::<Vec<_>>().join("\n");
    let sheets = course.checks.iter().filter(|c| matches!(c.kind, CheckKind::Worksheet(_))).count();
    let expected = course.drills.len() + course.checks.len() - sheets + course.terms.len();
    assert_eq!(cells(&notes, '\t').len(), expected);
    assert!(!deck.contains("[[") && !deck.contains("{{"));
}

/// Answers of a course to which an instructor gave a mark, and a remark on the whole.
fn graded() -> infralens_course::study::attempt::Attempt {
    let mut answer = attempt("a", ("ddp", "why"), minute(0), &[("problem", 0.5), ("tradeoff", 0.0)]);
    let given = |part: Option<&str>, verdict| Given {
        attempt: "a".into(),
        part: part.map(str::to_owned),
        verdict,
        remark: "Say by how much.".into(),
        by: "Dr B".into(),
        at: minute(9),
    };
    answer.given = vec![given(None, None), given(Some("tradeoff"), Some(Verdict::Covered))];
    answer
}

#[test]
fn csv_and_markdown_say_what_the_instructor_gave_and_keep_the_rules_marks() {
    let parts = ["problem".to_string(), "tradeoff".to_string()];
    let rows = cells(&(csv_head(&parts) + &csv_row(&graded(), &parts)), ',');
    let column = |name: &str| &rows[1][rows[0].iter().position(|c| c == name).unwrap()][..];
    assert_eq!((column("tradeoff"), column("tradeoff by instructor")), ("missing", "covered"));
    assert_eq!((column("problem"), column("problem by instructor")), ("partial", ""));
    assert_eq!((column("total"), column("total by instructor")), ("0.250", "0.750"));
    assert_eq!((column("instructor"), column("remark")), ("Dr B", "Say by how much."));
    let plain = attempt("a", ("ddp", "why"), minute(0), &[("problem", 0.5)]);
    let rows = cells(&(csv_head(&parts) + &csv_row(&plain, &parts)), ',');
    let column = |name: &str| &rows[1][rows[0].iter().position(|c| c == name).unwrap()][..];
    assert_eq!((column("instructor"), column("total by instructor"), column("remark")), ("", "", ""));

    let page = markdown(&graded(), None, "today");
    assert!(page.starts_with("## today: 25%, 75% by the instructor, Dr B\n"), "{page}");
    assert!(page.contains("- Dr B, the instructor: Say by how much."), "{page}");
    assert!(
        page.contains("- tradeoff: missing.") && page.contains("  - Dr B, the instructor: covered."),
        "{page}"
    );
    assert!(!markdown(&plain, None, "today").contains("instructor"));
}
