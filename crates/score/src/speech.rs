//! Speech as it is written down: fillers between commas and words begun twice tell nothing.

use super::lexicon;
use super::token::{Gap, Lexed, Token, is_atom};
use super::withdrawn::withdrawn;

/// Leaves out what is taken back, fillers that stand between commas, and words that are said again at once.
pub(super) fn tidy(lexed: &mut Lexed) {
    take_back(lexed);
    let tokens = &lexed.tokens;
    let mut kept: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut place = Vec::with_capacity(tokens.len());
    // the gap that the next word takes over from what is left out before it
    let mut bridge = None;
    let mut i = 0;
    while i < tokens.len() {
        let filler = filler(tokens, i);
        let left_out = if filler > 0 { filler } else { begun_twice(tokens, i) + formula_times(tokens, i) };
        if left_out > 0 {
            place.extend((0..left_out).map(|_| kept.len().saturating_sub(1)));
            bridge = Some(if filler > 0 { Gap::Space } else { tokens[i].gap });
            i += left_out;
            continue;
        }
        let mut token = tokens[i].clone();
        if let Some(gap) = bridge.take() {
            token.gap = gap;
        }
        place.push(kept.len());
        i += 1;
        if let Some(number) = two_number_words(&tokens[i - 1..]) {
            token.word = number;
            token.end = tokens[i].end;
            place.push(kept.len());
            i += 1;
        }
        kept.push(token);
    }
    for question in &mut lexed.questions {
        *question = place[*question];
    }
    lexed.tokens = kept;
}

/// Leaves out what the speaker takes back.
fn take_back(lexed: &mut Lexed) {
    let taken = withdrawn(&lexed.tokens);
    if taken.is_empty() {
        return;
    }
    let all = std::mem::take(&mut lexed.tokens);
    let mut place = Vec::with_capacity(all.len());
    let mut spans = taken.into_iter().peekable();
    // the gap that the next word takes over from what is left out before it
    let mut bridge = None;
    for (i, mut token) in all.into_iter().enumerate() {
        spans.next_if(|(_, end)| *end <= i);
        let is_taken = spans.peek().is_some_and(|(start, _)| *start <= i);
        place.push((!is_taken).then_some(lexed.tokens.len()));
        if is_taken {
            bridge.get_or_insert(token.gap);
            continue;
        }
        if let Some(gap) = bridge.take() {
            token.gap = if token.gap >= Gap::Sentence { token.gap.max(gap) } else { gap };
        }
        lexed.tokens.push(token);
    }
    lexed.questions = lexed.questions.iter().filter_map(|at| place[*at]).collect();
}

/// "thirty-two" as digits.
fn two_number_words(tokens: &[Token]) -> Option<String> {
    let digits = |i: usize| tokens.get(i).and_then(|t| lexicon::plain(&t.word));
    let tens = digits(0)
        .and_then(|d| d.strip_suffix('0'))
        .filter(|d| matches!(*d, "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9"))?;
    let ones = digits(1).filter(|d| d.len() == 1 && d.bytes().all(|b| (b'1'..=b'9').contains(&b)))?;
    (tokens[1].gap <= Gap::Space).then(|| format!("{tens}{ones}"))
}

/// How many words from `i` on are a filler between commas: "a, um, card".
fn filler(tokens: &[Token], i: usize) -> usize {
    let word = |k: usize| tokens.get(i + k).map_or("", |t| t.word.as_str());
    let length = match (word(0), word(1)) {
        ("you", "know") | ("i", "mean") | ("let", "us") => 2,
        (
            "um" | "uh" | "er" | "erm" | "ah" | "eh" | "hm" | "hmm" | "uhm" | "like" | "what" | "say"
            | "sorry",
            _,
        ) => 1,
        _ => return 0,
    };
    let after = tokens.get(i + length).is_some_and(|t| t.gap == Gap::Comma);
    if i > 0 && tokens[i].gap == Gap::Comma && after { length } else { 0 }
}

/// How many words from `i` on are said again after a comma: "the, the card", "I would, I would check".
fn begun_twice(tokens: &[Token], i: usize) -> usize {
    let again = |n: usize| {
        i + 2 * n <= tokens.len()
            && tokens[i + n].gap == Gap::Comma
            && tokens[i + 1..i + n].iter().chain(&tokens[i + n + 1..i + 2 * n]).all(|t| t.gap <= Gap::Space)
            && (0..n).all(|k| tokens[i + k].word == tokens[i + n + k].word)
    };
    (1..=3).rev().find(|&n| again(n)).unwrap_or(0)
}

/// "2 times n" is written "2n".
fn formula_times(tokens: &[Token], i: usize) -> usize {
    let is_times = matches!(tokens[i].word.as_str(), "x" | "times");
    let letter = |t: &Token| {
        is_atom(&t.word) && t.word.starts_with(|c: char| c.is_alphabetic()) && t.word != "a" && t.word != "i"
    };
    let between = i > 0
        && is_atom(&tokens[i - 1].word)
        && tokens.get(i + 1).is_some_and(|t| t.gap <= Gap::Equals && letter(t));
    usize::from(is_times && tokens[i].gap <= Gap::Space && between)
}

#[cfg(test)]
mod tests {
    use super::super::token::lex;

    fn words(text: &str) -> String {
        lex(text).tokens.iter().map(|t| t.word.as_str()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn fillers_and_words_begun_twice_are_left_out() {
        assert_eq!(words("you keep, um, p sets in flight"), "you keep p sets in flight");
        assert_eq!(words("merge with the, the sum"), "merge with the sum");
        assert_eq!(words("and we would, we would check"), "and we would check");
        assert_eq!(words("ring, tree, ring"), "ring tree ring");
    }

    #[test]
    fn a_formula_reads_as_it_is_spoken() {
        assert_eq!(words("2 times N minus 1 over N"), words("2(N-1)/N"));
        assert_eq!(words("1.5 times the bytes"), "1.5 x the bytes");
    }
}
