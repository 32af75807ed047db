//! What the line-mode face says of itself is so, on every page: what Enter does, what a number does, what can be typed.

use crate::kit::visit::*;

/// The words behind the last “Enter” of a text: what Enter is said to do.
fn enter_in(text: &str) -> Option<String> {
    let text = flat(text);
    let (_, rest) = text.rsplit_once("Enter ")?;
    Some(rest.split(['.', ',', ';', ':']).next().unwrap_or_default().to_owned())
}

#[test]
fn enter_does_what_is_said_of_it() {
    let mut wrong = Vec::new();
    for (place, lines) in places() {
        let name = format!("{place:.60?} {lines:?}");
        let mut visit = Visit::new(&place, &lines);
        let home = visit.place().starts_with("Distributed Training");
        let help = flat(&visit.line("?"));
        let (_, help) =
            help.split_once("Enter alone: ").unwrap_or_else(|| panic!("{name}: no Enter in {help}"));
        let goes_back = help.starts_with("goes back ") || help.starts_with("does nothing");
        let page = visit.line("l");
        let said = enter_in(if page.contains("Enter") { &page } else { &visit.said });
        let says_back =
            said.as_deref().is_none_or(|said| said.contains("goes back") || said.contains("or q"));
        let before = visit.place();
        let done = visit.line("");
        let after = visit.place();
        let went_back = after.starts_with("Distributed Training") && !home;
        if went_back != goes_back || says_back != goes_back || done.trim().is_empty() {
            wrong.push(format!(
                "{name}: at {before}: help says {:?}, the page {said:?}, then at {after}: {done:.200}",
                help.split_whitespace().take(5).collect::<Vec<_>>().join(" ")
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn no_number_is_taken_without_a_word() {
    let mut silent = Vec::new();
    for (place, lines) in places() {
        let mut visit = Visit::new(&place, &lines);
        for number in ["1", "1", "2", "2"] {
            let said = visit.line(number);
            if said.contains("A line with a single dot") {
                break; // from here on numbers are text
            }
            if said.trim().is_empty() {
                silent.push(format!("{place:.60?} {lines:?}: {number}"));
            }
        }
    }
    assert!(silent.is_empty(), "{}", silent.join("\n"));
}

#[test]
fn lines_name_no_key_that_they_do_not_have() {
    let mut wrong = Vec::new();
    for (place, lines) in places() {
        let mut visit = Visit::new(&place, &lines);
        let all =
            [visit.said.clone(), visit.line("?"), visit.line("l"), visit.line("nonsense words")].concat();
        for line in all.lines() {
            let words = line.split(|c: char| !(c.is_alphanumeric() || c == '+')).map(str::to_owned);
            let is_key = |word: &String| {
                let is_f = word.strip_prefix('f').is_some_and(|n| n.len() < 3 && n.parse::<u8>().is_ok());
                is_f || word.starts_with("ctrl+") || ["tab", "esc", "pgdn", "pgup"].contains(&&**word)
            };
            wrong.extend(words.filter(is_key).map(|key| format!("{place:.60?}: {key}: {line}")));
        }
        // nothing can be typed that has no name
        wrong.extend(all.lines().filter(|l| l.starts_with(": ")).map(|l| format!("{place:.60?}: {l}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn whatever_a_page_lists_is_answered_and_answered_again() {
    let mut wrong = Vec::new();
    for (place, lines) in places() {
        let name = format!("{place:.60?} {lines:?}");
        for command in commands(&mut Visit::new(&place, &lines)) {
            let mut visit = Visit::new(&place, &lines);
            for nth in ["once", "twice"] {
                let before = visit.place();
                let said = flat(&visit.line(&command));
                let is_silent = said.is_empty();
                let is_unknown = said.contains("does not work here") && visit.place() == before;
                if is_silent || is_unknown && nth == "once" {
                    wrong.push(format!("{name}: “{command}” {nth}: {said}"));
                }
                if said.to_lowercase().contains(" single dot ") {
                    break; // from here on it is text
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The commands that closing words name: what stands before the verb of each clause.
fn named_in(closing: &str) -> Vec<String> {
    const VERBS: &[&str] = &[
        "goes", "go", "sets", "set", "marks", "leaves", "change", "changes", "reads", "read", "lists",
        "skips", "opens", "asks", "leads", "says", "takes", "ends", "turns", "works", "gives", "puts",
        "starts", "plays",
    ];
    // what is no command before a verb: a number, a question mark
    const NOUNS: &[&str] = &["a", "what", "it", "that", "one", "number", "question", "mark", "minutes"];
    let mut named = Vec::new();
    for clause in closing.split(['.', ',', ';', ':']) {
        let words: Vec<&str> = clause.split_whitespace().collect();
        let Some(verb) = words.iter().position(|word| VERBS.contains(word)).filter(|at| *at <= 4) else {
            continue;
        };
        let text = words[..verb].join(" ");
        let with_number = text.contains("and a number") || text.contains("and its number");
        let text = text.replace("and a number", "").replace("and its number", "");
        for word in text.split_whitespace().filter(|word| !["and", "or", "alone"].contains(word)) {
            let is_command = word.chars().all(|c| c.is_lowercase()) && !NOUNS.contains(&word);
            if is_command {
                named.push(if with_number { format!("{word} 1") } else { word.to_owned() });
            }
        }
    }
    named
}

#[test]
fn what_the_closing_words_of_a_page_name_works() {
    assert_eq!(
        named_in("more and less change the minutes, tick and a number marks it"),
        ["more", "less", "tick 1"]
    );
    let mut wrong = Vec::new();
    let mut count = 0;
    for (place, lines) in places() {
        let mut visit = Visit::new(&place, &lines);
        let page = flat(&visit.line("l"));
        let page = if page.contains("does not work here") { flat(&visit.said) } else { page };
        let page = page.replace("The rest of the program works.", "").replace("Go to the marks", "");
        // the last sentences are those that say how to go on
        let sentences: Vec<&str> = page.split_inclusive(". ").collect();
        let closing = sentences[sentences.len().saturating_sub(3)..].concat();
        for command in named_in(&closing) {
            let said = flat(&Visit::new(&place, &lines).line(&command));
            count += 1;
            if said.is_empty() || said.contains("does not work here") {
                wrong.push(format!("{place:.60?} {lines:?}: “{command}”: {said:.160} — {closing}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 20, "only {count} commands were named");
}
