use std::sync::mpsc;

use proptest::prelude::*;

use super::*;

/// The tokens of a text, each as `kind:words`.
fn told(language: &str, text: &str) -> Vec<String> {
    let tokens = Highlighter::at_once().tokens(language, text).unwrap();
    let lines = text.split('\n');
    let of_line = |(line, tokens): (&str, &Vec<Token>)| {
        tokens
            .iter()
            .map(|token| format!("{:?}:{}", token.kind, &line[token.range.clone()]))
            .collect::<Vec<_>>()
    };
    lines.zip(tokens.iter()).flat_map(of_line).collect()
}

#[test]
fn python_is_told_apart() {
    let told = told("python", "def f(x):  # why\n    return ring(x) + 1 if x else \"no\"\n");
    for token in ["Keyword:def", "Function:f", "Comment:# why", "Number:1", "String:\"no\""] {
        assert!(told.contains(&token.to_string()), "{token} in {told:?}");
    }
}

#[test]
fn code_within_a_string_is_code_again() {
    let told = told("python", "f\"rank {len(x)} of\"");
    assert!(told.contains(&"Function:len".to_string()), "{told:?}");
    assert!(told.contains(&"String: of\"".to_string()), "{told:?}");
}

#[test]
fn every_language_is_told_apart() {
    for (language, text, token) in [
        ("rust", "fn main() {}", "Keyword:fn"),
        ("sh", "if true; then echo \"x\"; fi", "String:\"x\""),
        ("toml", "[pack]\nid = \"x\" # note", "Comment:# note"),
        ("markdown", "# Title\n\nSome `code`.", "Heading:Title"),
        ("markdown", "# Title\n\nSome `code`.", "String:code"),
        ("markdown", "```python\nimport os\n```\n", "Keyword:import"),
    ] {
        let told = told(language, text);
        assert!(told.contains(&token.to_string()), "{language}: {token} in {told:?}");
    }
}

#[test]
fn a_string_over_several_lines_is_cut_into_lines() {
    let told = told("python", "\"\"\"one\ntwo\"\"\"\n");
    assert_eq!(told, ["String:\"\"\"one", "String:two\"\"\""]);
}

#[test]
fn unknown_languages_stay_plain() {
    assert_eq!(Highlighter::at_once().tokens("cobol", "x"), None);
    assert_eq!(Highlighter::off().tokens("python", "x"), None);
    assert_eq!(Highlighter::at_once().tokens("python", &" ".repeat(LONGEST + 1)), None);
}

#[test]
fn the_background_says_when_it_is_ready() {
    let (sender, receiver) = mpsc::channel();
    let highlighter = Highlighter::background(move || sender.send(()).unwrap());
    assert_eq!(highlighter.tokens("python", "x = 1"), None);
    assert_eq!(highlighter.finished(), 0);
    receiver.recv().unwrap();
    assert_eq!(highlighter.finished(), 1);
    let tokens = highlighter.tokens("python", "x = 1").unwrap();
    assert_eq!(tokens, Highlighter::at_once().tokens("python", "x = 1").unwrap());
}

#[test]
fn every_language_has_keywords_strings_and_numbers() {
    for (language, text, word) in [
        ("sql", "SELECT name, 'x' FROM packets WHERE size > 12 -- all", "SELECT"),
        ("javascript", "const a = \"x\" + 12; // all", "const"),
        ("typescript", "interface A { b: string } const a = \"x\" + 12; // all", "interface"),
        ("go", "func f() int { s := \"x\"; return len(s) + 12 } // all", "func"),
        ("java", "class A { int f() { String s = \"x\"; return 12; } } // all", "class"),
        ("c", "int f(void) { char *s = \"x\"; return 12; } // all", "return"),
        ("cpp", "class A { int f() { auto s = \"x\"; return 12; } }; // all", "class"),
    ] {
        let tokens = Highlighter::at_once().tokens(language, text).unwrap();
        let kind = |of: &str| {
            let at = text.find(of).unwrap();
            tokens[0].iter().find(|t| t.range.start <= at && at < t.range.end).map(|t| t.kind)
        };
        assert_eq!(kind(word), Some(TokenKind::Keyword), "{language}: {tokens:?}");
        assert_eq!(kind("x"), Some(TokenKind::String), "{language}: {tokens:?}");
        assert_eq!(kind("12"), Some(TokenKind::Number), "{language}: {tokens:?}");
        assert_eq!(kind("all"), Some(TokenKind::Comment), "{language}: {tokens:?}");
    }
}

proptest! {
    #[test]
    fn tokens_are_in_order_and_within_their_lines(
        text in "([ a-z\"'#{}()=\n]|def |全|\\PC){0,60}",
        language in prop::sample::select(vec!["python", "rust", "sh", "toml", "md", "sql", "js", "ts", "go", "java", "c", "cpp"]),
    ) {
        thread_local! {
            static HIGHLIGHTER: Highlighter = Highlighter::at_once();
        }
        let tokens = HIGHLIGHTER.with(|highlighter| highlighter.tokens(language, &text)).unwrap();
        for (line, tokens) in text.split('\n').zip(tokens.iter()) {
            let mut at = 0;
            for token in tokens {
                prop_assert!(token.range.start >= at && token.range.end <= line.len());
                prop_assert!(line.get(token.range.clone()).is_some());
                at = token.range.end;
            }
        }
    }
}
