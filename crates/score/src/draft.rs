//! What a text says, word by word: the start of a rubric for somebody who writes one.

use foldhash::HashSet;

use super::concept::Concepts;
use super::pattern::{Format, parse_in};
use super::stem::Stems;
use super::vocabulary::Vocabulary;
use super::{Concept, Glossary, Rubric, lexicon, statement, token};

/// How signs are read: the sign, an example, the words it is read as, and what that means for a pattern.
pub const SIGNS: &[(&str, &str, &str, &str)] = &[
    ("`/` between letters and numbers", "W / N", "w over n", "*over*"),
    ("`/` before a unit of time or a thing that is counted", "bytes/step", "bytes per step", "*per*"),
    ("`/` between words", "weights/gradients", "weights gradients", "a joint, as a hyphen is"),
    ("`+` between letters and numbers", "a+b", "a plus b", "*plus*"),
    ("`+` between words", "weights + gradients", "weights and gradients", "*and*"),
    ("`-` between letters and numbers", "N-1", "n minus 1", "*minus*"),
    ("`-` within a word", "all-reduce", "all reduce", "nothing: the words stand next to each other"),
    (
        "a bracket in a formula",
        "2(N-1)/N",
        "2 n minus 1 over n",
        "*times* is left out, also where it is said",
    ),
    ("`%`", "40%", "40 %", "a number of per cent, `#%`"),
    ("`<`", "x < y", "x below y", "*below*"),
    ("`>`", "window > buffer", "window above buffer", "*above*"),
    ("`≤`", "x ≤ y", "x at most y", "*at most*"),
    ("`≥`", "x ≥ y", "x at least y", "*at least*"),
    ("`∝`", "rate ∝ window", "rate proportional window", "*proportional*"),
    ("`↑`", "loss ↑", "loss increase", "*increase*"),
    ("`↓`", "rate ↓", "rate decrease", "*decrease*"),
    ("`&`", "loss & delay", "loss and delay", "*and*"),
    ("`=`", "rate = window", "rate window", "nothing: the two stand side by side in one clause"),
    ("`→`, `->`, `=>`", "loss -> halve", "loss halve", "the end of a clause"),
    ("`:` after a label", "loss: halve", "loss halve", "the label belongs to the clause after it"),
    ("`~`, `≈`", "~ 40 ms", "40 ms", "nothing"),
];

/// Words that tell nothing of a field, beside those that carry no content at all.
const PLAIN: &[&str] = &[
    "afterwards",
    "against",
    "almost",
    "alone",
    "already",
    "always",
    "apart",
    "ask",
    "asks",
    "become",
    "becomes",
    "begin",
    "begins",
    "bring",
    "brings",
    "call",
    "calls",
    "certain",
    "come",
    "comes",
    "could",
    "day",
    "days",
    "different",
    "does",
    "done",
    "easily",
    "end",
    "ends",
    "enough",
    "everybody",
    "everyone",
    "exactly",
    "example",
    "fail",
    "fails",
    "find",
    "finds",
    "four",
    "gets",
    "getting",
    "give",
    "given",
    "gives",
    "going",
    "good",
    "happen",
    "happens",
    "hence",
    "her",
    "hers",
    "herself",
    "him",
    "himself",
    "his",
    "hundred",
    "itself",
    "keep",
    "keeps",
    "kind",
    "know",
    "knows",
    "large",
    "later",
    "left",
    "let",
    "lets",
    "lie",
    "lies",
    "little",
    "long",
    "longer",
    "look",
    "looks",
    "made",
    "maybe",
    "mean",
    "means",
    "might",
    "myself",
    "near",
    "nearly",
    "nobody",
    "none",
    "nothing",
    "often",
    "once",
    "one",
    "others",
    "ourselves",
    "own",
    "part",
    "people",
    "perhaps",
    "plus",
    "possible",
    "put",
    "puts",
    "quite",
    "read",
    "reads",
    "really",
    "run",
    "runs",
    "said",
    "say",
    "says",
    "seconds",
    "seem",
    "seems",
    "seen",
    "set",
    "sets",
    "several",
    "she",
    "show",
    "shows",
    "side",
    "small",
    "somebody",
    "someone",
    "something",
    "soon",
    "start",
    "starts",
    "stay",
    "stays",
    "still",
    "take",
    "takes",
    "tell",
    "tells",
    "tenth",
    "than",
    "them",
    "themselves",
    "then",
    "there",
    "thing",
    "things",
    "think",
    "thinks",
    "three",
    "thus",
    "time",
    "times",
    "took",
    "total",
    "try",
    "turn",
    "turns",
    "twice",
    "two",
    "usual",
    "usually",
    "want",
    "wants",
    "way",
    "whole",
    "will",
    "within",
    "without",
    "work",
    "works",
    "would",
    "write",
    "writes",
];

/// Whether a word tells nothing of a field, in any of its forms.
fn is_plain(word: &str, stem: &str, plain_stems: &HashSet<String>) -> bool {
    plain_stems.contains(stem) || is_plain_as_it_stands(word)
}

fn is_plain_as_it_stands(word: &str) -> bool {
    let is_number = word.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    is_number || lexicon::is_function(word) || lexicon::has(PLAIN, word) || word.chars().count() < 2
}

/// A statement of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heard {
    /// Its first byte.
    pub start: usize,
    /// The byte after its last word.
    pub end: usize,
    /// The paragraph it stands in, from 0.
    pub paragraph: usize,
    /// Its words that carry content, in their order.
    pub words: Vec<HeardWord>,
}

/// A word of a statement, or several that are one name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeardWord {
    /// The words in small letters.
    pub text: String,
    /// The concepts that have them, those of the pack and the drill first; empty where nothing knows them.
    pub concepts: Vec<String>,
    /// The concepts that mean the contrary.
    pub contrary: Vec<String>,
    /// What its forms have in common: *effect* and *effects* have one stem.
    pub stem: String,
}

/// Hears a text with the words of a pack and those of a drill.
pub fn hear(text: &str, glossary: &Glossary, own: &[Concept]) -> Vec<Heard> {
    let rubric = Rubric { concepts: own.to_vec(), ..Rubric::default() };
    let concepts = Concepts::shared(glossary).with(&rubric);
    let (mut vocabulary, mut stems) = (Vocabulary::new(), Stems::new());
    let is_own = |id: &str| own.iter().chain(&glossary.concepts).any(|c| c.id == id);
    let mut ids: Vec<&str> = concepts.ids().filter(|id| concepts.knows(id)).collect();
    // the most particular first: of the pack, with few words
    ids.sort_unstable_by_key(|id| (!is_own(id), concepts.words(id).len(), *id));
    ids.dedup();
    let mut slots = Vec::new();
    for id in ids {
        let Ok(pattern) = parse_in(Format::Two, &format!("@{id}")) else { continue };
        let Some(slot) = pattern.slots.first() else { continue };
        slots.push((vocabulary.add(slot, &concepts, &mut stems), id));
    }
    let lexed = token::lex(text);
    let layout = statement::layout(&lexed.tokens);
    let forms: Vec<_> = lexed.tokens.iter().map(|t| vocabulary.form(&t.word, stems.stem(&t.word))).collect();
    let dead = vec![false; lexed.tokens.len()];
    let hits = vocabulary.hits(&lexed.tokens, &forms, &dead);
    let contrary = |id: &str| {
        let all = glossary.concepts.iter().chain(own).chain(super::base::concepts());
        let both = all.filter_map(|c| Some((c.id.as_str(), c.opposite.as_deref()?)));
        both.filter_map(|(a, b)| if a == id { Some(b) } else { (b == id).then_some(a) })
            .next()
            .map(str::to_owned)
    };
    let plain: HashSet<String> = PLAIN.iter().map(|word| stems.stem(word).to_owned()).collect();
    let mut heard = Vec::new();
    let mut paragraph = 0;
    for sentence in &layout.sentences {
        if sentence.start > 0 && lexed.tokens[sentence.start].gap == token::Gap::Paragraph {
            paragraph += 1;
        }
        let mut words = Vec::new();
        let mut at = sentence.start;
        while at < sentence.end {
            // the longest name that begins here
            let begins = |slot: usize| {
                let here =
                    hits[slot].iter().filter(|h| h.start == at && h.end <= sentence.end && !h.opposite);
                here.map(|h| h.end).max()
            };
            let ends: Vec<(usize, &str)> =
                slots.iter().filter_map(|(slot, id)| Some((begins(*slot)?, *id))).collect();
            let end = ends.iter().map(|(end, _)| *end).max().unwrap_or(at + 1);
            let known: Vec<String> =
                ends.iter().filter(|(e, _)| *e == end).map(|(_, id)| (*id).to_owned()).collect();
            let tokens = &lexed.tokens[at..end];
            let is_small = tokens.iter().all(|t| is_plain(&t.word, stems.stem(&t.word), &plain));
            let is_empty = known.is_empty() && tokens.iter().all(|t| lexicon::says_nothing(&t.word));
            if !(is_small || is_empty) {
                let contrary = known.iter().filter_map(|id| contrary(id)).collect();
                let text = tokens.iter().map(|t| t.word.as_str()).collect::<Vec<_>>().join(" ");
                let stem =
                    tokens.iter().map(|t| stems.stem(&t.word).to_owned()).collect::<Vec<_>>().join(" ");
                words.push(HeardWord { text, concepts: known, contrary, stem });
            }
            at = end;
        }
        let (first, last) = (&lexed.tokens[sentence.start], &lexed.tokens[sentence.end - 1]);
        heard.push(Heard { start: first.start, end: last.end, paragraph, words });
    }
    heard
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted() {
        assert!(PLAIN.is_sorted(), "{PLAIN:?}");
    }

    #[test]
    fn every_sign_is_read_as_the_table_says() {
        let read = |text: &str| {
            let words: Vec<String> = token::lex(text).tokens.into_iter().map(|t| t.word).collect();
            words.join(" ")
        };
        let other: Vec<String> = SIGNS
            .iter()
            .filter(|(_, example, heard, _)| read(example) != *heard)
            .map(|(sign, example, heard, _)| format!("{sign}: {example} is {}, not {heard}", read(example)))
            .collect();
        assert!(other.is_empty(), "{other:#?}");
    }

    #[test]
    fn forms_of_a_word_have_one_stem_and_small_words_tell_nothing() {
        let heard = hear("Her cat looked at it. Effects and an effect.", &Glossary::default(), &[]);
        let words: Vec<&str> = heard[0].words.iter().map(|w| w.text.as_str()).collect();
        assert_eq!(words, ["cat"]);
        assert_eq!(heard[1].words[0].stem, heard[1].words[1].stem);
    }

    #[test]
    fn names_are_heard_as_one_and_unknown_words_stay() {
        let own = [Concept {
            id: "rtt".into(),
            words: vec!["round trip".into(), "rtt".into()],
            ..Concept::default()
        }];
        let text = "The window is sent once a round trip.\n\nThe loss shrinks it.";
        let heard = hear(text, &Glossary::default(), &own);
        assert_eq!(heard.iter().map(|h| h.paragraph).collect::<Vec<_>>(), [0, 1]);
        let name = heard[0].words.iter().find(|w| w.concepts == ["rtt"]).expect("the concept");
        assert_eq!(name.text, "round trip");
        let loss = heard[1].words.iter().find(|w| w.text == "loss").expect("a word");
        assert!(loss.concepts.is_empty(), "{loss:?}");
        let shrinks =
            heard[1].words.iter().find(|w| w.concepts.contains(&"shrink".to_owned())).expect("a word");
        assert!(shrinks.contrary.contains(&"grow".to_owned()), "{shrinks:?}");
        assert_eq!(&text[heard[1].start..heard[1].end], "The loss shrinks it");
    }
}
