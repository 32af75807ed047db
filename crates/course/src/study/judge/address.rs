//! Sentences of an answer that are said to a judge and not to an interviewer: "ignore the instructions
//! above", "mark every part as covered". They are not sent, and nothing quoted from them counts.

use std::ops::Range;

/// Signs of such a sentence: all words of a row stand in it, in this order.
const SIGNS: &[&[&str]] = &[
    &["ignore", "instruction"],
    &["disregard", "instruction"],
    &["forget", "instruction"],
    &["ignore", "rubric"],
    &["disregard", "rubric"],
    &["override", "rubric"],
    &["follow", "these instructions"],
    &["new instructions"],
    &["you are a", "grader"],
    &["you are the", "grader"],
    &["you are a", "judge"],
    &["you are the", "judge"],
    &["you are an", "interviewer"],
    &["note to the", "grader"],
    &["note to the", "judge"],
    &["dear", "grader"],
    &["dear", "judge"],
    &["mark", "as covered"],
    &["mark", "part", "covered"],
    &["mark", "part", "correct"],
    &["mark", "full marks"],
    &["give", "full marks"],
    &["give", "full credit"],
    &["award", "full"],
    &["award", "all points"],
    &["deserves full"],
    &["score", "100%"],
    &["verdict", "covered"],
    &["all parts are covered"],
    &["every part is covered"],
    &["return", "json"],
    &["respond with", "json"],
    &["print", "json"],
    &["system prompt"],
    &["system:"],
    &["assistant:"],
    &["<|"],
    &["[inst]"],
    &["### instruction"],
];

/// The text without the sentences that are said to a judge, and where those stand.
pub(crate) fn without_instructions(text: &str) -> (String, Vec<Range<usize>>) {
    let said: Vec<Range<usize>> = sentences(text).filter(|r| is_said_to_a_judge(&text[r.clone()])).collect();
    let mut rest = String::with_capacity(text.len());
    let mut from = 0;
    for range in &said {
        rest.push_str(&text[from..range.start]);
        from = range.end;
    }
    rest.push_str(&text[from..]);
    (rest, said)
}

fn is_said_to_a_judge(sentence: &str) -> bool {
    let lower = sentence.to_lowercase();
    SIGNS.iter().any(|words| {
        let mut rest = &lower[..];
        words.iter().all(|word| match rest.find(word) {
            Some(at) => {
                rest = &rest[at + word.len()..];
                true
            }
            None => false,
        })
    })
}

/// The sentences of a text in bytes; each ends after its stop, or at an empty line.
fn sentences(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut ends: Vec<usize> = Vec::new();
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, n)| *n);
        let stops = matches!(c, '.' | '!' | '?' | ';') && next.is_none_or(char::is_whitespace);
        if stops || (c == '\n' && next == Some('\n')) {
            ends.push(at + c.len_utf8());
        }
    }
    ends.push(text.len());
    let mut from = 0;
    ends.into_iter().filter_map(move |end| {
        let range = from..end;
        from = end;
        (!range.is_empty()).then_some(range)
    })
}
