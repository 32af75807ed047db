//! Text that states nothing: lists of keywords, shuffled words, the prompt said again.

use foldhash::{HashSet, HashSetExt};
use std::ops::Range;

use super::lexicon;
use super::statement::Layout;
use super::token::{Gap, Token};

/// Which tokens can be evidence.
#[derive(Debug, Clone, Default)]
pub(super) struct Guarded {
    /// Tokens that state nothing.
    pub dead: Vec<bool>,
    /// Tokens copied from the prompt.
    pub copied: Vec<bool>,
    /// How many tokens stand in lists of keywords or shuffled text.
    pub listed: usize,
}

/// Words that may answer a short question without anything that ties them together: "rank 3 and rank 11".
const BRIEF: usize = 8;

/// Finds what states nothing. Where a question asks for little (`brief`), a few words by themselves are an answer.
pub(super) fn guard(tokens: &[Token], layout: &Layout, prompt: &Prompt, brief: bool) -> Guarded {
    let mut dead = vec![false; tokens.len()];
    mark_repeats(tokens, layout, &mut dead);
    mark_labels(tokens, layout, prompt, &mut dead);
    let all = 0..tokens.len();
    let only_items = mostly_items(tokens, all.clone()) && !is_telegram(tokens);
    let wordless = is_wordless(tokens) && !(brief && tokens.len() <= BRIEF);
    if is_salad(tokens, all) || wordless || only_items || is_woven(tokens, layout, &dead) {
        dead.fill(true);
    } else {
        mark_lists(tokens, &mut dead);
        mark_runs(tokens, &mut dead);
        for sentence in &layout.sentences {
            let words = sentence.clone();
            if mostly_listed(tokens, words.clone())
                || is_salad(tokens, words.clone())
                || is_parroted(&tokens[words])
            {
                dead[sentence.clone()].fill(true);
            }
        }
    }
    let listed = dead.iter().filter(|d| **d).count();
    for sentence in &layout.sentences {
        if let Some(empty) = empty_frame(tokens, sentence.clone()) {
            dead[empty].fill(true);
        }
    }
    Guarded { dead, copied: prompt.copied(tokens), listed }
}

/// Sentences that only name things, of which an answer may have some.
const FEW_HOLLOW: usize = 3;

/// Whether at least two thirds of the sentences only name things and tie them by verbs that say nothing. One such
/// sentence may be meant; a text of them is a list of keywords.
fn is_woven(tokens: &[Token], layout: &Layout, dead: &[bool]) -> bool {
    // what is said again is dead
    let long: Vec<_> = layout.sentences.iter().filter(|s| s.len() >= 5 && !dead[s.start]).collect();
    let hollow = long.iter().filter(|s| is_hollow(&tokens[(**s).clone()])).count();
    hollow >= FEW_HOLLOW && hollow * 3 >= long.len() * 2
}

/// Whether every word of a sentence that tells something stands in the place of a name ("the X and the Y"), and
/// the verbs say nothing.
fn is_hollow(words: &[Token]) -> bool {
    // among names alone, to look at them tells nothing either
    let is_empty = |w: &str| lexicon::says_nothing(w) || matches!(w, "measure" | "compare" | "check" | "get");
    let tells = |t: &Token| !lexicon::is_function(&t.word) && !is_empty(&t.word);
    let names = |t: &Token| {
        let word = t.word.as_str();
        lexicon::is_article(word)
            || lexicon::is_preposition(word)
            || matches!(word, "and" | "or" | "every" | "each" | "get")
    };
    // a name may have two words
    let named = |i: usize| {
        let before = |k: usize| i.checked_sub(k).map(|j| &words[j]);
        words[i].gap == Gap::Joined
            || before(1).is_none_or(names)
            || before(1).is_some_and(tells) && before(2).is_none_or(names)
    };
    let telling: Vec<usize> = (0..words.len()).filter(|&i| tells(&words[i])).collect();
    telling.len() >= 3 && words.iter().any(|t| is_empty(&t.word)) && telling.into_iter().all(named)
}

/// Whether nothing in a whole text ties words together.
fn is_wordless(tokens: &[Token]) -> bool {
    tokens.len() >= 3 && !tokens.iter().skip(1).any(|t| joins(t) || is_tied(t))
}

/// Whether a text is notes of several sentences, of which a third relate things by `→` or `=`, or two thirds by a
/// label, a figure or a word. Its lists are then taken sentence by sentence.
fn is_telegram(tokens: &[Token]) -> bool {
    let (mut notes, mut tied, mut relating) = (0, 0, 0);
    for note in tokens.chunk_by(|_, next| next.gap < Gap::Sentence).filter(|n| n.len() >= 3) {
        notes += 1;
        let rest = || note.iter().skip(1);
        tied += usize::from(rest().any(|t| matches!(t.gap, Gap::Arrow | Gap::Equals)));
        relating += usize::from(rest().any(|t| is_tied(t) || joins(t) || is_figure(t)));
    }
    notes >= 3 && (tied * 3 >= notes || relating * 3 >= notes * 2)
}

/// Whether a long sentence says the same few words over and over.
fn is_parroted(sentence: &[Token]) -> bool {
    let words: HashSet<&str> = sentence.iter().map(|t| t.word.as_str()).collect();
    sentence.len() >= 30 && words.len() <= 5
}

/// A sentence said again adds nothing, not even a neighbour.
fn mark_repeats(tokens: &[Token], layout: &Layout, dead: &mut [bool]) {
    let mut seen: HashSet<Vec<&str>> = HashSet::new();
    for sentence in layout.sentences.iter().filter(|s| s.len() > 3) {
        let words = tokens[sentence.clone()].iter().map(|t| t.word.as_str()).collect();
        if !seen.insert(words) {
            dead[sentence.clone()].fill(true);
        }
    }
}

/// A part's name in front of a statement ("Measurement: …") is a heading.
fn mark_labels(tokens: &[Token], layout: &Layout, prompt: &Prompt, dead: &mut [bool]) {
    for sentence in &layout.sentences {
        let first = sentence.start;
        let is_part = prompt.parts.contains(&tokens[first].word);
        let ends = tokens.get(first + 1).is_none_or(|t| t.gap.ends_clause() || t.gap == Gap::Equals);
        if is_part && ends {
            dead[first] = true;
        }
    }
}

/// Tokens between two breaks.
fn segments(tokens: &[Token]) -> Vec<Range<usize>> {
    let mut segments: Vec<Range<usize>> = Vec::new();
    for (i, token) in tokens.iter().enumerate() {
        match segments.last_mut() {
            Some(last) if !token.gap.ends_clause() => last.end = i + 1,
            _ => segments.push(i..i + 1),
        }
    }
    segments
}

/// Whether a segment is a bare item of a list: a few words, none of which joins others.
fn is_item(tokens: &[Token], segment: &Range<usize>) -> bool {
    let opens_with_and = usize::from(matches!(tokens[segment.start].word.as_str(), "and" | "or"));
    let words = &tokens[segment.start + opens_with_and..segment.end];
    let stated = words.iter().enumerate().any(|(i, t)| {
        joins(t)
            || i > 0 && matches!(t.gap, Gap::Arrow | Gap::Colon)
            || i > 0 && i + 2 < words.len() && t.gap == Gap::Equals
            || words.len() >= 3 && is_figure(t)
    });
    let long =
        words.iter().filter(|t| t.word.len() > 2 && t.word.bytes().any(|b| b.is_ascii_alphabetic())).count();
    let follows_label = tokens[segment.start].gap == Gap::Colon || tokens[segment.start].gap == Gap::Arrow;
    (!stated || words.len() <= 2) && long <= 5 && !follows_label
}

/// Whether a token is a number that stands by itself: a figure, not part of a name such as ZeRO-1.
fn is_figure(token: &Token) -> bool {
    token.gap > Gap::Joined && token.word.bytes().all(|b| b.is_ascii_digit() || b == b'.')
}

/// Whether a word ties others into a statement: a verb, a preposition, a pronoun.
fn joins(token: &Token) -> bool {
    let word = token.word.as_str();
    if token.gap == Gap::Joined {
        return false;
    }
    let tying = lexicon::is_article(word)
        || lexicon::is_preposition(word) && !matches!(word, "per" | "over" | "without")
        || lexicon::is_auxiliary(word)
        || lexicon::is_pronoun(word)
        || lexicon::is_conjunction(word) && !matches!(word, "and" | "or" | "once" | "then" | "until");
    tying
        || matches!(
            word,
            "need"
                | "needs"
                | "get"
                | "gets"
                | "goes"
                | "makes"
                | "takes"
                | "lets"
                | "keeps"
                | "use"
                | "uses"
                | "used"
                | "like"
                | "not"
                | "needed"
                | "proportional"
                | "means"
                | "gives"
                | "costs"
                | "grows"
                | "below"
                | "above"
                | "stay"
                | "stays"
                | "remains"
                | "rises"
                | "no"
                | "tells"
                | "holds"
                | "sends"
                | "waits"
                | "shows"
                | "becomes"
                | "says"
                | "sits"
                | "falls"
                | "shrinks"
        )
}

/// Whether a sign before a token ties it to what stands before: `→`, `:`, `=`.
fn is_tied(token: &Token) -> bool {
    matches!(token.gap, Gap::Arrow | Gap::Colon | Gap::Equals)
}

/// What makes a row of bare items a list: so many of them, and more where a label names what they are ("Check:
/// loss, step, learning rate, …").
const LIST: usize = 6;
const LABELLED_LIST: usize = 10;

/// Six bare items in a row, whatever separates them. A sentence of its own is part of such a
/// row only if it is nothing but one item.
fn mark_lists(tokens: &[Token], dead: &mut [bool]) {
    let segments = segments(tokens);
    let opens = |i: usize| i >= segments.len() || tokens[segments[i].start].gap.ends_sentence();
    let single = |i: usize| opens(i) && opens(i + 1);
    let goes_on = |i: usize| !opens(i) || single(i) && single(i - 1);
    let mut i = 0;
    while i < segments.len() {
        let mut end = i;
        while end < segments.len() && is_item(tokens, &segments[end]) && (end == i || goes_on(end)) {
            end += 1;
        }
        let labelled = i > 0 && !opens(i) && tokens[segments[i - 1].start].gap == Gap::Colon;
        if end - i >= if labelled { LABELLED_LIST } else { LIST } {
            dead[segments[i].start..segments[end - 1].end].fill(true);
        }
        i = end.max(i + 1);
    }
}

/// A piece of a sentence longer than this is no note: figures in it tie nothing together.
const LONG_PIECE: usize = 20;

/// For each token, whether it stands between two breaks that are no further apart than a note is long.
fn in_notes(tokens: &[Token]) -> Vec<bool> {
    let mut short = vec![false; tokens.len()];
    for segment in segments(tokens).into_iter().filter(|s| s.len() <= LONG_PIECE) {
        short[segment].fill(true);
    }
    short
}

/// Many words in a row, none of which ties them together.
fn mark_runs(tokens: &[Token], dead: &mut [bool]) {
    let mut from = 0;
    let notes = in_notes(tokens);
    for i in 0..=tokens.len() {
        let breaks =
            |i: usize| joins(&tokens[i]) || notes[i] && (is_figure(&tokens[i]) || is_sum(&tokens[i]));
        let ends = i == tokens.len() || breaks(i) || i > 0 && (tokens[i].gap.ends_clause());
        if ends {
            let content = tokens[from..i]
                .iter()
                .filter(|t| t.word.len() > 2 && t.gap > Gap::Joined && !lexicon::is_function(&t.word))
                .count();
            if content >= 10 {
                dead[from..i].fill(true);
            }
            from = i;
        }
    }
}

/// Whether a word is a sign of a formula.
fn is_sum(token: &Token) -> bool {
    matches!(token.word.as_str(), "plus" | "minus" | "x" | "%" | "proportional")
}

/// Of a hundred words of a sentence so many tie others together; telegrams have few.
const LEAST_JOINING: usize = 10;
/// The same where so many words stand without a comma, a colon or a full stop: a telegram does not.
const LONG_BREATH: usize = 28;
const JOINING_IN_A_BREATH: usize = 20;

/// Whether a long sentence is a list in the main.
fn mostly_listed(tokens: &[Token], sentence: Range<usize>) -> bool {
    let words = &tokens[sentence.clone()];
    let joining = words.iter().filter(|t| joins(t)).count();
    let notes = in_notes(words);
    let ties = |(t, note): &(&Token, &bool)| is_tied(t) || **note && (is_figure(t) || is_sum(t));
    let tied = words.iter().zip(&notes).filter(ties).count();
    if words.len() >= 20 && (joining + tied) * 100 < words.len() * LEAST_JOINING {
        return true;
    }
    let breathless = |s: Range<usize>| {
        let joining = words[s.clone()].iter().filter(|t| joins(t)).count();
        s.len() >= LONG_BREATH && joining * 100 < s.len() * JOINING_IN_A_BREATH
    };
    if segments(words).into_iter().any(breathless) {
        return true;
    }
    mostly_items(tokens, sentence)
}

/// Whether most of what stands between breaks is a bare item. Pauses of speech ("so, um, right,")
/// are neither.
fn mostly_items(tokens: &[Token], range: Range<usize>) -> bool {
    let words = &tokens[range];
    let is_pause = |s: &Range<usize>| words[s.clone()].iter().all(|t| lexicon::is_hesitation(&t.word));
    let segments: Vec<Range<usize>> = segments(words).into_iter().filter(|s| !is_pause(s)).collect();
    let items = segments.iter().filter(|s| is_item(words, s)).count();
    let labelled = segments.get(1).is_some_and(|s| words[s.start].gap == Gap::Colon);
    segments.len() >= if labelled { 13 } else { 8 } && items * 10 >= segments.len() * 7
}

/// Whether words stand in an order that no sentence has.
fn is_salad(tokens: &[Token], range: Range<usize>) -> bool {
    let words = &tokens[range];
    let impossible = (0..words.len()).filter(|&i| is_impossible(words, i)).count();
    impossible >= 2 && impossible * 100 >= words.len()
}

/// Whether the word at `i` cannot be followed by what follows it.
fn is_impossible(words: &[Token], i: usize) -> bool {
    let word = words[i].word.as_str();
    let definite = matches!(word, "the" | "an" | "their" | "our" | "my");
    let Some(next) = words.get(i + 1) else {
        return definite;
    };
    if next.gap == Gap::Joined || words.get(i + 2).is_some_and(|t| t.gap == Gap::Joined) {
        return false;
    }
    let follower = next.word.as_str();
    // who speaks begins a word twice, or hesitates after it
    if next.gap == Gap::Comma && (follower == word || lexicon::is_hesitation(follower)) {
        return false;
    }
    if next.gap.ends_clause() {
        let open = matches!(
            word,
            "of" | "and" | "or" | "than" | "between" | "from" | "into" | "because" | "if" | "per"
        );
        return definite || open && next.gap.ends_sentence();
    }
    if definite {
        return is_helper(follower)
            || is_plain_preposition(follower)
            || is_joint(follower)
            || matches!(
                follower,
                "the"
                    | "a"
                    | "an"
                    | "it"
                    | "they"
                    | "we"
                    | "on"
                    | "does"
                    | "after"
                    | "when"
                    | "then"
                    | "every"
                    | "which"
                    | "about"
                    | "this"
                    | "these"
                    | "takes"
                    | "comes"
            );
    }
    match word {
        "a" => matches!(follower, "the" | "an" | "a" | "of" | "from" | "and" | "are" | "they" | "it"),
        "of" | "for" | "with" | "from" | "into" | "between" => is_joint(follower) || is_be(follower),
        "is" | "are" | "was" | "were" => {
            is_be(follower) || matches!(follower, "has" | "have" | "does" | "of")
        }
        "and" | "or" | "but" => matches!(follower, "and" | "or" | "is" | "are" | "of"),
        "to" => matches!(follower, "to" | "of" | "is" | "are" | "and"),
        _ => false,
    }
}

/// Verbs that cannot follow an article.
fn is_helper(word: &str) -> bool {
    is_be(word) || matches!(word, "has" | "have" | "be" | "must" | "should" | "would" | "cannot")
}

fn is_be(word: &str) -> bool {
    matches!(word, "is" | "are" | "was" | "were")
}

fn is_joint(word: &str) -> bool {
    matches!(word, "and" | "but" | "or" | "because" | "than" | "if" | "so")
}

fn is_plain_preposition(word: &str) -> bool {
    matches!(word, "of" | "to" | "for" | "with" | "at" | "by" | "from" | "into" | "as")
}

/// A sentence that only names things: "it is about the X and the Y".
fn empty_frame(tokens: &[Token], sentence: Range<usize>) -> Option<Range<usize>> {
    let word = |i: usize| {
        if i < sentence.end { tokens[i].word.as_str() } else { "" }
    };
    // "about as large as" tells how large; a topic begins with no "as"
    let is_comparison = |i: usize| word(i) == "as" && (i + 2..=i + 4).any(|j| word(j) == "as");
    let frame = sentence.clone().find(|&i| match (word(i), word(i + 1), word(i + 2)) {
        ("is" | "are" | "all" | "also" | "mainly" | "really" | "mostly", "about", _) => {
            word(i + 2) != "the-same" && !is_comparison(i + 2)
        }
        ("involves" | "involve" | "concerns" | "concern" | "regards" | "encompasses", _, _) => true,
        ("has" | "have", "to", "do") => true,
        ("revolves" | "revolve", "around", _) => true,
        ("consider" | "mention" | "discuss" | "remember" | "address", "the" | "both" | "things", _) => true,
        ("think" | "talk" | "thinking" | "talking" | "care" | "know", "about", _) => true,
        ("relates" | "related" | "relate" | "pertains", "to", _) => true,
        ("play" | "plays", "a", _) => word(i + 2) == "role" || word(i + 3) == "role",
        ("matter" | "matters", _, _) => {
            let told =
                |j: usize| matches!(word(j), "not" | "hardly" | "less" | "more") || is_amount(&tokens[j]);
            i + 2 >= sentence.end && !sentence.clone().any(told)
        }
        (
            "important" | "key" | "relevant" | "crucial" | "essential",
            "here" | "" | "topics" | "concepts" | "words" | "terms" | "are" | "things",
            _,
        ) => true,
        ("comes" | "come" | "boils", "down", "to") => true,
        _ => false,
    })?;
    let stated = (sentence.start..sentence.end).any(|i| {
        matches!(
            word(i),
            "because"
                | "which"
                | "while"
                | "so"
                | "when"
                | "if"
                | "since"
                | "whereas"
                | "until"
                | "how"
                | "whether"
                | "that"
                | "whose"
        ) || i > frame
            && (matches!(tokens[i].gap, Gap::Colon | Gap::Arrow | Gap::Semicolon) || is_amount(&tokens[i]))
    });
    (!stated).then_some(sentence)
}

/// Whether a word gives an amount: after "is about" it makes an estimate, and no list of topics.
fn is_amount(token: &Token) -> bool {
    let word = token.word.as_str();
    word.bytes().any(|b| b.is_ascii_digit())
        || matches!(
            word,
            "the-same"
                | "same"
                | "half"
                | "twice"
                | "double"
                | "third"
                | "quarter"
                | "times"
                | "time"
                | "ten"
                | "hundred"
                | "thousand"
                | "size"
                | "equal"
                | "root"
                | "n"
                | "percent"
        )
}

/// The words of a prompt, in fours, and the names of the parts.
#[derive(Debug, Clone, Default)]
pub(super) struct Prompt {
    fours: HashSet<String>,
    parts: Vec<String>,
}

impl Prompt {
    /// Reads a prompt.
    pub(super) fn new(tokens: &[Token], parts: &[String]) -> Prompt {
        Prompt { fours: tokens.windows(4).map(four).collect(), parts: parts.to_vec() }
    }

    /// Which tokens stand as they stand in the prompt.
    fn copied(&self, tokens: &[Token]) -> Vec<bool> {
        let mut copied = vec![false; tokens.len()];
        for (i, window) in tokens.windows(4).enumerate() {
            if self.fours.contains(&four(window)) {
                copied[i..i + 4].fill(true);
            }
        }
        copied
    }
}

fn four(tokens: &[Token]) -> String {
    let mut key = String::new();
    for token in tokens {
        key.push_str(&token.word);
        key.push(' ');
    }
    key
}

#[cfg(test)]
mod tests {
    use super::super::statement::layout;
    use super::super::token::lex;
    use super::*;

    /// The share of tokens that cannot be evidence.
    fn dead(text: &str) -> usize {
        let tokens = lex(text).tokens;
        let g = guard(&tokens, &layout(&tokens), &Prompt::default(), false);
        g.dead.iter().filter(|d| **d).count() * 100 / tokens.len()
    }

    #[test]
    fn lists_of_words_state_nothing() {
        assert_eq!(dead("ring, tree, bucket, gradient accumulation, NCCL, overlap, rank 0"), 100);
        assert_eq!(dead("ring\ntree\nbucket\ngradient accumulation\nNCCL\noverlap"), 100);
        assert_eq!(
            dead("ring tree bucket gradient accumulation overlap bandwidth latency replica optimizer state"),
            100
        );
    }

    #[test]
    fn an_order_to_use_something_is_a_statement() {
        assert_eq!(dead("Use variance reduction like CUPED."), 0);
        assert_eq!(dead("use ring, use tree, use bucket, use overlap, use NCCL, use replica"), 100);
    }

    #[test]
    fn what_one_expects_to_see_is_a_statement() {
        assert_eq!(dead("Tokens per second per GPU rise, and max_memory_allocated stays below 80 GB."), 0);
        assert_eq!(dead("The flight recorder dump tells what each rank called last."), 0);
        assert_eq!(dead("Stages one and two cost no extra bytes over plain DDP."), 0);
    }

    #[test]
    fn notes_parted_by_slashes_are_read_one_by_one() {
        let notes = "TP in the node / PP across nodes / DP outermost / NVLink 450 GB/s against IB 50 GB/s";
        assert_eq!(dead(notes), 0);
        assert_eq!(dead("ring / tree / bucket / gradient accumulation / NCCL / overlap / rank 0"), 100);
    }

    #[test]
    fn notes_state_something() {
        assert_eq!(dead("- N full copies, diff data -> diff grads; w/o sync they drift"), 0);
        assert_eq!(dead("Z1: shard opt (12/N). Z2: + grads. Z3: + params -> 16/N"), 0);
        assert_eq!(dead("I would check clocks, ECC errors, PCIe width and the data loader"), 0);
    }

    #[test]
    fn a_text_of_names_and_empty_verbs_states_nothing() {
        let woven = "The ring and the bucket work together with the gradients. Here the replica uses the overlap \
            and the trace. It depends on the hook, so the rank must handle the latency.";
        assert_eq!(dead(woven), 100);
        let meant = "The optimizer uses the averaged gradient. Each rank then takes the same step. The replicas stay \
            equal, and nobody sends the weights.";
        assert_eq!(dead(meant), 0);
    }

    #[test]
    fn shuffled_words_state_nothing() {
        assert_eq!(dead("the of rank keeps and a the gradients same each is are for and bucket the"), 100);
    }

    #[test]
    fn woven_words_state_nothing() {
        assert_eq!(dead("It is about the gradients and the buckets."), 100);
        assert_eq!(dead("It is about time, because the buckets fill late."), 0);
        assert_eq!(dead("Stage 1 is about 57 GB and stage 2 is about 32 GB."), 0);
        assert_eq!(dead("The noise is about as large as the difference."), 0);
        assert_eq!(dead("It is about the noise as well as the difference."), 100);
        assert_eq!(dead("The optimum is about the root of the save time and the failure time."), 0);
    }
}
