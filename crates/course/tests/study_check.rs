//! Checks: asked from a seed, marked with the slip that was made.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;

use infralens_course::pack::{Check, CheckKind, ChoiceOption, Draw, NumberCheck, Worksheet};
use infralens_course::study::check::{Answer, Asked, Form, Marked, ask, mark};

fn check(kind: CheckKind, question: &str) -> Check {
    Check {
        id: "c".into(),
        lesson: "allreduce".into(),
        question: question.into(),
        kind,
        explain: "because".into(),
        hints: vec!["small".into(), "large".into()],
    }
}

fn number(answer: &str, unit: &str, tolerance: f64) -> Check {
    let kind = NumberCheck {
        draw: BTreeMap::from([
            ("n".into(), Draw::Of(vec![4.0, 8.0, 16.0])),
            ("s".into(), Draw::Steps(0.5, 2.0, 0.1)),
        ]),
        answer: answer.into(),
        unit: unit.into(),
        tolerance,
        slips: vec![("2*s".into(), "used N, not N - 1, for {{n}} ranks".into())],
    };
    let mut check = check(CheckKind::Number(kind), "{{n}} ranks, {{s}} GB");
    check.explain = "2 (N - 1) / N × S = {{2*(n-1)/n*s:2}} GB".into();
    check.hints = vec!["N is {{n}}".into()];
    check
}

fn choice() -> Check {
    let option =
        |text: &str, right, why: &str| ChoiceOption { text: text.into(), right, why: Some(why.into()) };
    let options = vec![
        option("gradients", true, "each rank saw other data"),
        option("parameters", false, "they are the same already"),
        option("activations", false, "they never leave the rank"),
    ];
    check(CheckKind::Choice(options), "what does DDP all-reduce?")
}

fn values(asked: &Asked) -> (f64, f64) {
    match &asked.form {
        Form::Number { values, .. } => (values["n"], values["s"]),
        other => panic!("{other:?}"),
    }
}

fn marked(check: &Check, asked: &Asked, text: &str) -> Marked {
    mark(check, asked, &Answer::Number(text.into())).unwrap()
}

#[test]
fn a_seed_gives_the_same_question_and_seeds_differ() {
    let check = number("2*(n-1)/n*s", "GB", 1.0);
    assert_eq!(ask(&check, 7), ask(&check, 7));
    let drawn: std::collections::BTreeSet<String> =
        (0..40).map(|seed| ask(&check, seed).unwrap().question).collect();
    assert!(drawn.len() > 15, "{drawn:?}");
}

#[test]
fn every_draw_is_one_of_those_the_author_allows() {
    let check = number("n*s", "GB", 1.0);
    for seed in 0..200 {
        let (n, s) = values(&ask(&check, seed).unwrap());
        assert!([4.0, 8.0, 16.0].contains(&n));
        assert!((0.5..=2.0).contains(&s) && (s * 10.0 - (s * 10.0).round()).abs() < 1e-9, "{s}");
    }
}

#[test]
fn drawn_values_stand_in_question_hints_and_explanation() {
    let check = number("2*(n-1)/n*s", "GB", 1.0);
    let asked = ask(&check, 3).unwrap();
    let (n, s) = values(&asked);
    assert_eq!(asked.question, format!("{n} ranks, {s} GB"));
    assert_eq!(asked.hints, [format!("N is {n}")]);
    assert!(asked.explain.ends_with(&format!("{:.2} GB", 2.0 * (n - 1.0) / n * s)), "{}", asked.explain);
}

#[test]
fn a_number_is_right_within_its_tolerance_in_any_unit() {
    let check = number("2*(n-1)/n*s", "GB", 1.0);
    let asked = ask(&check, 3).unwrap();
    let (n, s) = values(&asked);
    let right = 2.0 * (n - 1.0) / n * s;
    for (text, verdict) in [
        (format!("{right} GB"), true),
        (format!("{}", right * 1.009), true),
        (format!("{} MB", right * 991.0), true),
        (format!("{}", right * 1.011), false),
        (format!("{} GiB", right / 1.073_741_824), true),
    ] {
        let marked = marked(&check, &asked, &text);
        assert_eq!(marked.right, verdict, "{text}: {marked:?}");
        assert_eq!(marked.given, text);
        assert_eq!(marked.slip.is_none(), verdict, "{marked:?}");
    }
}

#[test]
fn a_wrong_number_names_its_slip() {
    let check = number("2*(n-1)/n*s", "GB", 1.0);
    let asked = ask(&check, 3).unwrap();
    let (n, s) = values(&asked);
    let right = 2.0 * (n - 1.0) / n * s;
    let slip = |given: f64| marked(&check, &asked, &given.to_string()).slip.unwrap();
    assert_eq!(slip(2.0 * s), format!("used N, not N - 1, for {n} ranks"));
    assert_eq!(slip(right * 8.0), "bits are not bytes: the two differ by a factor of 8");
    assert!(slip(right / 1.073_741_824).starts_with("GB is not GiB"));
    assert!(slip(right * 1e3).contains("factor of a thousand"));
    assert_eq!(slip(-right), "the sign is wrong");
    assert_eq!(slip(right * 1.5), "it is 50% too high");
    assert_eq!(slip(right / 5.0), "it is too low by a factor of 5.0");
    let percent = number("100*s/n", "%", 1.0);
    let asked = ask(&percent, 3).unwrap();
    let (n, s) = values(&asked);
    let share = marked(&percent, &asked, &(s / n).to_string());
    assert_eq!(share.slip.unwrap(), "a share is not a percentage: the two differ by a factor of 100");
}

#[test]
fn tolerance_nought_asks_for_the_exact_number() {
    let check = number("n - 1", "times", 0.0);
    let asked = ask(&check, 3).unwrap();
    let (n, _) = values(&asked);
    assert!(marked(&check, &asked, &format!("{}x", n - 1.0)).right);
    assert!(!marked(&check, &asked, &format!("{}", n - 1.001)).right);
}

#[test]
fn what_is_no_number_does_not_count() {
    let check = number("n", "GB", 1.0);
    let asked = ask(&check, 3).unwrap();
    let unread = mark(&check, &asked, &Answer::Number("no idea".into())).unwrap_err();
    assert_eq!(unread.what, "“no idea” is no number");
    assert!(mark(&check, &asked, &Answer::Claim(true)).is_err(), "an answer of another kind");
}

#[test]
fn an_answer_that_comes_to_no_number_is_the_authors_fault() {
    let broken = ask(&number("1/(n-n)", "GB", 1.0), 1).unwrap_err();
    assert_eq!(broken.check, "c");
    assert!(broken.what.contains("1/(n-n)"), "{}", broken.what);
}

#[test]
fn a_choice_tells_why_for_every_option() {
    let check = choice();
    for seed in 0..20 {
        let asked = ask(&check, seed).unwrap();
        let Form::Choice(shown) = &asked.form else { panic!() };
        let at = |text: &str| shown.iter().position(|s| s.text == text).unwrap();
        let right = mark(&check, &asked, &Answer::Choice(at("gradients"))).unwrap();
        assert_eq!((right.right, right.slip.as_deref()), (true, None));
        let wrong = mark(&check, &asked, &Answer::Choice(at("parameters"))).unwrap();
        assert!(!wrong.right);
        assert_eq!(wrong.slip.as_deref(), Some("they are the same already"));
        assert_eq!((&wrong.given[..], &wrong.correct[..]), ("parameters", "gradients"));
        assert!(wrong.lines.iter().all(|l| l.why.is_some()));
        assert_eq!(wrong.lines.iter().filter(|l| l.chosen).count(), 1);
    }
    let asked = ask(&check, 0).unwrap();
    assert!(mark(&check, &asked, &Answer::Choice(3)).is_err());
}

#[test]
fn options_are_not_always_in_the_authors_order() {
    let firsts: std::collections::BTreeSet<usize> = (0..30)
        .map(|seed| match ask(&choice(), seed).unwrap().form {
            Form::Choice(shown) => shown[0].index,
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(firsts.len(), 3);
}

#[test]
fn steps_are_never_shown_in_order_and_the_first_fault_is_named() {
    let steps = ["forward", "backward", "all-reduce", "step"].map(String::from);
    let check = check(CheckKind::Order(steps.to_vec()), "in which order?");
    for seed in 0..100 {
        let asked = ask(&check, seed).unwrap();
        let Form::Order(shown) = &asked.form else { panic!() };
        assert!(!shown.is_sorted_by_key(|s| s.index), "{shown:?}");
        let order = |wanted: [usize; 4]| {
            let at = |index: usize| shown.iter().position(|s| s.index == index).unwrap();
            mark(&check, &asked, &Answer::Order(wanted.map(at).to_vec())).unwrap()
        };
        let right = order([0, 1, 2, 3]);
        assert!(right.right && right.slip.is_none() && right.lines.iter().all(|l| l.right));
        let swapped = order([0, 2, 1, 3]);
        assert!(!swapped.right);
        assert_eq!(swapped.slip.as_deref(), Some("“backward” comes before “all-reduce”"));
        assert_eq!(swapped.given, "1, 3, 2, 4");
        assert_eq!(swapped.lines[1].why.as_deref(), Some("You put it in place 3."));
        assert!(swapped.lines[3].right);
        for bad in [vec![0, 1, 2], vec![0, 0, 1, 2], vec![0, 1, 2, 9]] {
            assert!(mark(&check, &asked, &Answer::Order(bad)).is_err());
        }
    }
}

#[test]
fn a_claim_and_a_worksheet_are_marked() {
    let claim = check(CheckKind::Claim(false), "DDP shards parameters");
    let asked = ask(&claim, 1).unwrap();
    let marked = mark(&claim, &asked, &Answer::Claim(true)).unwrap();
    assert_eq!((marked.right, &marked.given[..], &marked.correct[..]), (false, "true", "false"));
    assert!(mark(&claim, &asked, &Answer::Claim(false)).unwrap().right);
    let sheet = Worksheet {
        title: "mesh".into(),
        checker: "parallel-plan".into(),
        given: BTreeMap::new(),
        rows: Vec::new(),
    };
    let sheet = check(CheckKind::Worksheet(sheet), "place it");
    let asked = ask(&sheet, 1).unwrap();
    assert!(mark(&sheet, &asked, &Answer::Worksheet(true)).unwrap().right);
}

#[test]
fn every_check_of_the_built_in_pack_can_be_asked_and_its_own_answer_is_right() {
    let pack =
        infralens_course::pack::load(&crate::kit::course::origin()).pack.expect("the built-in pack loads");
    assert!(!pack.checks.is_empty());
    for check in &pack.checks {
        for seed in 0..50 {
            let asked = ask(check, seed).unwrap_or_else(|b| panic!("{b:?}"));
            if let (CheckKind::Number(number), Form::Number { values, .. }) = (&check.kind, &asked.form) {
                let right = infralens_course::sim::expr::value(&number.answer, values).unwrap();
                let text = format!("{right} {}", number.unit);
                let marked = mark(check, &asked, &Answer::Number(text))
                    .unwrap_or_else(|u| panic!("{}: {u:?}", check.id));
                assert!(marked.right, "{}: {marked:?}", check.id);
            }
        }
    }
}
