//! A class from its files, whatever order they come in and whatever is wrong with some.

use jiff::Timestamp;

use super::file::{self, Head, Kind};
use super::gather::{Class, gather};
use super::given::{Book, Given};
use super::summary::{csv, summary};
use super::{Answer, Claim, Falsehood, Mark, Student, html};
use crate::score::{Source, Verdict};
use crate::study::attempt::Mode;

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_second(seconds).expect("a time")
}

fn mark(part: &str, verdict: Verdict, missed: &[&str]) -> Mark {
    Mark {
        part: part.into(),
        verdict,
        source: Source::Rules,
        by_rules: None,
        sure: true,
        missed: missed.iter().map(|id| (*id).to_owned()).collect(),
    }
}

fn answer(id: &str, drill: &str, when: i64, marks: Vec<Mark>) -> Answer {
    Answer {
        id: id.into(),
        drill: drill.into(),
        at: at(when),
        mode: Mode::Practice,
        part: None,
        seconds: 60,
        answer: format!("words of {id}"),
        total: 0.5,
        marks,
        falsehoods: Vec::new(),
        claims: Vec::new(),
    }
}

fn of(id: &str, name: &str, made: i64, answers: &[Answer]) -> String {
    let student = Student::named(id, name).expect("a name");
    file::answers(Head::new(Kind::Class, ("tcp", "1.0"), student, at(made)), answers)
}

fn read(files: &[(&str, &str)]) -> Class {
    gather(None, files.iter().map(|(name, text)| ((*name).to_owned(), *text)))
}

fn good() -> Vec<Mark> {
    vec![mark("symptom", Verdict::Covered, &["spare"]), mark("limit", Verdict::Missing, &["rate"])]
}

#[test]
fn any_order_and_any_number_of_files_give_one_class() {
    let early = of("s1", "Ada", 1, &[answer("a", "incast", 1, good())]);
    let late = of("s1", "Ada L", 9, &[answer("a", "incast", 1, good()), answer("b", "loss", 5, good())]);
    let other = of("s2", "Bob", 3, &[answer("c", "incast", 2, good())]);
    let one = read(&[("1", &early), ("2", &late), ("3", &other), ("4", &late)]);
    let two = read(&[("3", &other), ("4", &late), ("1", &early)]);
    assert_eq!(one.members, two.members);
    assert_eq!((one.members.len(), one.answers(), one.notes.len()), (2, 3, 0));
    assert_eq!(one.members[0].student.name, "Ada L");
}

#[test]
fn what_is_broken_foreign_or_forged_is_said_and_left_out() {
    let ada = of("s1", "Ada", 1, &[answer("a", "incast", 1, good())]);
    let thief = of("s2", "Eve", 2, &[answer("a", "incast", 1, good()), answer("e", "loss", 2, good())]);
    let edited = of("s3", "Cy", 3, &[answer("x", "loss", 1, good())]).replace("0.5", "1.0");
    let elsewhere = of("s4", "Di", 4, &[answer("y", "loss", 1, good())]).replace("\"tcp\"", "\"udp\"");
    let student = Student::named("s4", "Di").expect("a name");
    let foreign = file::answers(Head::new(Kind::Class, ("udp", "1"), student, at(4)), &[]);
    let class = read(&[
        ("ada.jsonl", &ada),
        ("eve.jsonl", &thief),
        ("cy.jsonl", &edited),
        ("di.jsonl", &elsewhere),
        ("udp.jsonl", &foreign),
        ("photo.jpg", "\u{1}\u{2}"),
    ]);
    let told: Vec<&str> = class.notes.iter().map(|n| n.file.as_str()).collect();
    assert_eq!(told, ["cy.jsonl", "di.jsonl", "udp.jsonl", "photo.jpg", "eve.jsonl"]);
    assert!(class.notes.iter().all(|n| n.left_out));
    assert_eq!(class.answer("a").map(|(m, _)| m.student.name.as_str()), Some("Ada"));
    assert_eq!(class.answers(), 2);
}

#[test]
fn two_of_one_name_stay_two() {
    let class = read(&[
        ("1", &of("s1", "Kim", 1, &[answer("a", "incast", 1, good())])),
        ("2", &of("s2", "kim", 2, &[answer("b", "incast", 1, good())])),
    ]);
    let names: Vec<&str> = class.members.iter().map(|m| m.student.name.as_str()).collect();
    assert_eq!(names, ["Kim", "kim (2)"]);
    assert_eq!(class.notes.len(), 1);
}

fn taught() -> Class {
    let mut claimed = answer("c", "incast", 4, good());
    claimed.marks[1] = Mark {
        verdict: Verdict::Covered,
        source: Source::You,
        by_rules: Some(Verdict::Missing),
        ..claimed.marks[1].clone()
    };
    claimed.claims =
        vec![Claim { part: "limit".into(), point: "rate".into(), sentence: "=it <b>stalls</b>".into() }];
    let mut wrong = answer("b", "incast", 3, good());
    wrong.falsehoods = vec![Falsehood { id: "tcp-is-udp".into(), words: "TCP & UDP are one".into() }];
    let mut class = read(&[
        ("1", &of("s1", "Ada", 1, &[answer("a", "incast", 1, good()), wrong])),
        ("2", &of("s2", "Bob", 2, &[claimed])),
    ]);
    let given = Given {
        attempt: "b".into(),
        part: Some("limit".into()),
        verdict: Some(Verdict::Partial),
        remark: String::new(),
        by: "Dr B".into(),
        at: at(9),
    };
    class.book = Book::of([given]);
    class
}

#[test]
fn a_summary_counts_the_latest_answers_and_the_instructors_marks() {
    let class = taught();
    let summary = summary(&class, None);
    assert_eq!(summary.parts, ["symptom", "limit"]);
    let drill = &summary.drills[0];
    // Ada's limit is partial by the instructor, Bob's is covered by his own claim
    assert_eq!((drill.students, &drill.parts[..]), (2, &[Some(1.0), Some(0.75)][..]));
    assert_eq!(summary.students[0].drills, 1);
    // a point that a covered part leaves out is no gap
    assert_eq!(summary.missed.iter().map(|m| m.point.as_str()).collect::<Vec<_>>(), ["rate"]);
    assert_eq!((summary.missed[0].students, summary.missed[0].of), (1, 2));
    assert_eq!(summary.falsehoods[0].students, 1);
    assert_eq!(summary.claimed[0].student, "Bob");
    let differing: Vec<_> = summary.differing.iter().map(|d| (d.student_says, d.instructor)).collect();
    assert_eq!(differing, [(None, Some(Verdict::Partial)), (Some(Verdict::Covered), None)]);
}

#[test]
fn a_page_and_a_table_hold_words_as_words() {
    let mut class = taught();
    class.members[0].student.name = "=Ada,\"x\"".into();
    let summary = summary(&class, None);
    let page = html::page("A class <1>", &summary);
    assert!(page.contains("A class &lt;1&gt;") && page.contains("&lt;b&gt;stalls"), "{page}");
    assert!(page.contains("TCP &amp; UDP") && page.contains("<svg") && !page.contains("http-equiv"));
    assert!(!page.contains("<b>stalls"));
    let table = csv(&class, &summary);
    assert_eq!(table.lines().next(), Some("student,drill,at,words,total,symptom,limit"));
    assert!(table.contains("\"'=Ada,\"\"x\"\"\",incast"), "{table}");
    assert!(table.contains("covered,partial"), "{table}");
}
