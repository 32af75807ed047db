//! Text that states nothing: lists of keywords, shuffled words, the prompt said again.

mod hollow;
mod lists;
mod prompt;
mod salad;

use foldhash::{HashSet, HashSetExt};

use super::statement::Layout;
use super::token::{Gap, Token};

use hollow::{empty_frame, is_woven};
use lists::{is_figure, is_tied, joins, mark_lists, mark_runs, mostly_items, mostly_listed};
pub(super) use prompt::Prompt;
use salad::is_salad;

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
    fn what_one_would_measure_may_be_a_row_of_names() {
        let text = "I'd measure sync seconds over step seconds, version lag per sample, and trainer vs engine \
            logprob difference right after the sync; a jump means a tensor was mapped wrong.";
        assert_eq!(dead(text), 0);
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
    fn a_formula_is_a_statement() {
        assert_eq!(
            dead("Two times layers times KV heads times head size times two bytes, so 320 KB per token."),
            0
        );
        assert_eq!(dead("(1 - 0.5^4)/(1 - 0.5) = 1.875 tokens."), 0);
        assert_eq!(dead("Each step the scheduler has to do CPU work, a couple of milliseconds."), 0);
        assert_eq!(dead("It has to do with the scheduler and the cache."), 100);
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
        assert_eq!(dead("The NICs give 50 GB/s vs NVLink 450."), 0);
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
    fn what_people_say_twice_or_in_pairs_is_no_shuffled_text() {
        for text in [
            "There are two matrices and a gelu in between. So you cut by rows, the the rows that go with your units, and that is on the the big one, four times as big.",
            "NVLink connects the GPUs of a server and is fast, InfiniBand connects the servers and is slower.",
            "Compare the step with and without overlap, then the trace with and without it, and look at what is left.",
            "Copies go to and from the host, and to and from each rank, so the link is busy in both ways.",
            "The latency is a and the time a byte takes is b, so a message costs a and then a product of the two.",
        ] {
            assert_eq!(dead(text), 0, "{text}");
        }
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
