//! The course by ear: no symbol that a voice would swallow or spell, and every fraction with a beginning and an end.

use crate::kit::course as kit;

use infralens_course::doc::Document;
use infralens_course::doc::aloud::aloud;
use infralens_course::study::thing;
use kit::course;

/// What a voice swallows or spells.
const SYMBOLS: &[&str] =
    &["Ψ", "σ", "α", "β", "Σ", "×", "−", "≥", "≤", ">=", "<=", "≈", "→", "²", "³", "√", " / ", " * "];
/// What is heard as something else: two sums, or a sum and a fraction; a fraction that seems to have another name.
const MISHEARD: &[&str] = &["one less than", "one more than", "two times ", "the factor the fraction"];

/// The sign of arithmetic that is left to a voice in a line, with what stands around it; words in “ ” are somebody's.
fn sign(line: &str) -> Option<String> {
    let line = line.trim_start().trim_start_matches("- ");
    let bare: String =
        line.split('“').map(|part| part.rsplit_once('”').map_or(part, |(_, rest)| rest)).collect();
    let words: Vec<&str> = bare.split_whitespace().collect();
    let is_sign = |word: &str| matches!(word, "+" | "=" | "*" | "/" | "-" | "^");
    let is_operand = |word: &str| word.starts_with(|c: char| c.is_alphanumeric() || c == '(');
    let at = words.windows(2).position(|pair| is_sign(pair[0]) && is_operand(pair[1]));
    let glued = || {
        words.iter().position(|word| word.contains("Psi") && word.starts_with(|c: char| c.is_ascii_digit()))
    };
    at.or_else(glued).map(|at| words[at.saturating_sub(2)..words.len().min(at + 3)].join(" "))
}

/// Everything that has an id, as lines for the ear; code and addresses left out.
fn spoken() -> impl Iterator<Item = (String, String)> {
    let pack = course();
    thing::of_pack(pack).into_iter().chain(thing::sims()).flat_map(move |thing| {
        let text = thing::text(Some(pack), thing.kind, &thing.id).unwrap_or_default();
        let lines = Document::new().markdown(&pack.named(&text)).plain(100_000);
        let is_text = |line: &String| !line.starts_with("    ") && !line.contains("://");
        lines.into_iter().filter(is_text).map(move |line| (thing.id.clone(), line))
    })
}

#[test]
fn nothing_of_the_course_is_spoken_as_a_raw_symbol() {
    let fault = |line: &str| SYMBOLS.iter().chain(MISHEARD).find(|symbol| line.contains(**symbol)).copied();
    let all: Vec<String> =
        spoken().filter_map(|(id, line)| Some(format!("{id}: {} in: {line}", fault(&line)?))).collect();
    assert!(all.is_empty(), "{}", all.join("\n"));
}

#[test]
fn no_sign_of_arithmetic_is_left_to_a_voice() {
    let answers = answers().map(|(id, line)| (id.to_owned(), line));
    let all: Vec<String> = spoken()
        .chain(answers)
        .filter_map(|(id, line)| Some(format!("{id}: {} in: {line}", sign(&line)?)))
        .collect();
    assert!(all.is_empty(), "{} lines\n{}", all.len(), all.join("\n"));
}

/// What is spoken of a drill only once it is answered: its model answers, what its points ask and say, what is right.
fn answers() -> impl Iterator<Item = (&'static str, String)> {
    course().drills.iter().flat_map(|drill| {
        let rubric = &drill.rubric;
        let points = rubric.points.iter().flat_map(|p| p.says.iter().chain([&p.feedback]));
        let follow_ups = drill.follow_ups.iter().flat_map(|f| [Some(&f.ask), f.answer.as_ref()]).flatten();
        let wrong = rubric.misconceptions.iter().map(|m| &m.correction);
        let all = [&drill.model].into_iter().chain(points).chain(follow_ups).chain(wrong);
        all.map(|text| (drill.id.as_str(), aloud(&text.replace('`', "")).into_owned())).collect::<Vec<_>>()
    })
}

#[test]
fn no_model_answer_and_no_point_of_a_drill_is_spoken_as_a_raw_symbol() {
    let fault = |line: &str| SYMBOLS.iter().find(|symbol| line.contains(**symbol)).copied();
    let all: Vec<String> =
        answers().filter_map(|(id, line)| Some(format!("{id}: {} in: {line}", fault(&line)?))).collect();
    assert!(answers().count() > 500 && all.is_empty(), "{}", all.join("\n"));
    for (id, line) in answers() {
        let (begun, ended) = (line.matches("the fraction ").count(), line.matches("end of fraction").count());
        assert!(begun == ended || !line.contains("end of fraction"), "{id}: {line}");
    }
}

#[test]
fn every_fraction_that_begins_ends() {
    for (id, line) in spoken() {
        let (begun, ended) = (line.matches("the fraction ").count(), line.matches("end of fraction").count());
        assert_eq!(begun, ended, "{id}: {line}");
    }
}
