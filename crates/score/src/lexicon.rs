//! Words of English that the engine itself must know. The lists are sorted.

use std::sync::LazyLock;

use foldhash::{HashMap, HashMapExt};

/// Whether a sorted list has the word.
pub(super) fn has(list: &[&str], word: &str) -> bool {
    list.binary_search(&word).is_ok()
}

/// The lists that a word stands in, a bit each: an answer's words are looked up once for all lists.
fn lists_of(word: &str) -> u16 {
    static LISTS: LazyLock<HashMap<&str, u16>> = LazyLock::new(|| {
        let mut lists = HashMap::new();
        for (bit, list) in ALL {
            list.iter().for_each(|word| *lists.entry(*word).or_insert(0) |= bit);
        }
        lists
    });
    if word.len() > LONGEST { 0 } else { LISTS.get(word).copied().unwrap_or(0) }
}

/// Bytes of the longest word of any list.
const LONGEST: usize = 12;

/// All lists, each with its bit.
const ALL: [(u16, &[&str]); 14] = [
    (IN_TIME_UNIT, TIME_UNIT),
    (IN_GLUED_UNIT, GLUED_UNIT),
    (IN_PER, PER),
    (IN_FILLER, FILLER),
    (IN_BOUND, BOUND),
    (IN_HESITATION, HESITATION),
    (IN_ARTICLE, ARTICLE),
    (IN_PREPOSITION, PREPOSITION),
    (IN_AUXILIARY, AUXILIARY),
    (IN_PRONOUN, PRONOUN),
    (IN_CONJUNCTION, CONJUNCTION),
    (IN_CLAUSE, CLAUSE),
    (IN_EMPTY, EMPTY),
    (IN_SMALL, SMALL),
];
const IN_TIME_UNIT: u16 = 1 << 0;
const IN_GLUED_UNIT: u16 = 1 << 1;
const IN_PER: u16 = 1 << 2;
const IN_FILLER: u16 = 1 << 3;
const IN_BOUND: u16 = 1 << 4;
const IN_HESITATION: u16 = 1 << 5;
const IN_ARTICLE: u16 = 1 << 6;
const IN_PREPOSITION: u16 = 1 << 7;
const IN_AUXILIARY: u16 = 1 << 8;
const IN_PRONOUN: u16 = 1 << 9;
const IN_CONJUNCTION: u16 = 1 << 10;
const IN_CLAUSE: u16 = 1 << 11;
const IN_EMPTY: u16 = 1 << 12;
const IN_SMALL: u16 = 1 << 13;

/// What a contraction or a short form of notes stands for.
pub(super) fn expanded(word: &str) -> Option<&'static [&'static str]> {
    Some(match word {
        "cannot" | "cant" | "can't" => &["can", "not"],
        "won't" | "wont" => &["will", "not"],
        "don't" | "dont" => &["do", "not"],
        "doesn't" | "doesnt" => &["does", "not"],
        "didn't" | "didnt" => &["did", "not"],
        "isn't" | "isnt" => &["is", "not"],
        "aren't" | "arent" => &["are", "not"],
        "wasn't" | "wasnt" => &["was", "not"],
        "weren't" | "werent" => &["were", "not"],
        "hasn't" | "hasnt" => &["has", "not"],
        "haven't" | "havent" => &["have", "not"],
        "wouldn't" | "wouldnt" => &["would", "not"],
        "couldn't" | "couldnt" => &["could", "not"],
        "shouldn't" | "shouldnt" => &["should", "not"],
        "needn't" | "neednt" => &["need", "not"],
        "ain't" => &["is", "not"],
        "gonna" => &["going", "to"],
        "cuz" | "coz" | "bc" | "cos" => &["because"],
        "thru" => &["through"],
        "b/w" => &["between"],
        "avg" | "avgd" => &["average"],
        "diff" => &["different"],
        "bw" => &["bandwidth"],
        "mem" => &["memory"],
        "msg" | "msgs" => &["message"],
        "vol" => &["volume"],
        "incl" => &["include"],
        "btw" => &["between"],
        _ => return None,
    })
}

/// The plain form of an irregular one, and small numbers as digits.
pub(super) fn plain(word: &str) -> Option<&'static str> {
    Some(match word {
        "one" => "1",
        "two" => "2",
        "three" => "3",
        "four" => "4",
        "five" => "5",
        "six" => "6",
        "seven" => "7",
        "eight" => "8",
        "nine" => "9",
        "ten" => "10",
        "eleven" => "11",
        "twelve" => "12",
        "thirteen" => "13",
        "fourteen" => "14",
        "fifteen" => "15",
        "sixteen" => "16",
        "seventeen" => "17",
        "eighteen" => "18",
        "nineteen" => "19",
        "twenty" => "20",
        "thirty" => "30",
        "forty" => "40",
        "fifty" => "50",
        "sixty" => "60",
        "seventy" => "70",
        "eighty" => "80",
        "ninety" => "90",
        // bits and bytes are one word to a pattern; figures tell them apart
        "gbit" => "gb",
        "mbit" => "mb",
        "kept" => "keep",
        "held" => "hold",
        "sent" => "send",
        "grew" | "grown" => "grow",
        "rose" | "risen" => "rise",
        "fell" | "fallen" => "fall",
        "shrank" | "shrunk" => "shrink",
        "lost" => "lose",
        "bought" => "buy",
        "paid" => "pay",
        "hid" | "hidden" => "hide",
        "began" | "begun" => "begin",
        "took" | "taken" => "take",
        "went" | "gone" | "goes" => "go",
        "built" => "build",
        "rebuilt" => "rebuild",
        "seen" => "see",
        "got" | "gotten" => "get",
        "gave" | "given" => "give",
        "broke" | "broken" => "break",
        "froze" | "frozen" => "freeze",
        "threw" | "thrown" => "throw",
        "ran" => "run",
        "spent" => "spend",
        "fed" => "feed",
        "stood" => "stand",
        "sat" => "sit",
        "stuck" => "stick",
        "chose" | "chosen" => "choose",
        "drew" | "drawn" => "draw",
        "came" => "come",
        "made" => "make",
        "died" | "dying" => "die",
        "lay" | "laid" | "lying" => "lie",
        "spun" => "spin",
        "drove" | "driven" => "drive",
        "overlapped" | "overlapping" => "overlap",
        "matrices" => "matrix",
        "indices" => "index",
        "axes" => "axis",
        "programme" => "program",
        "grey" => "gray",
        "fulfil" => "fulfill",
        "disc" => "disk",
        "cheque" => "check",
        "percent" => "%",
        _ => return None,
    })
}

/// Units of time.
pub(super) fn is_time_unit(word: &str) -> bool {
    lists_of(word) & IN_TIME_UNIT != 0
}

const TIME_UNIT: &[&str] = &[
    "day",
    "days",
    "hour",
    "hours",
    "microsecond",
    "microseconds",
    "millisecond",
    "milliseconds",
    "min",
    "minute",
    "minutes",
    "ms",
    "ns",
    "s",
    "sec",
    "second",
    "seconds",
    "secs",
    "us",
];

/// Letters that may follow a number without a blank: `50GB`, `1.5x`, `2Ψ`.
pub(super) fn is_glued_unit(letters: &str) -> bool {
    lists_of(letters) & IN_GLUED_UNIT != 0
}

const GLUED_UNIT: &[&str] = &[
    "b", "fold", "gb", "gbit", "gbps", "gib", "gpus", "h", "kb", "kib", "mb", "mbit", "mib", "min", "ms",
    "nodes", "ns", "psi", "s", "sec", "tb", "tib", "us", "way", "x",
];

/// Words that may stand after a slash that means *per*.
pub(super) fn is_per(word: &str) -> bool {
    lists_of(word) & IN_PER != 0
}

const PER: &[&str] = &[
    "card",
    "device",
    "element",
    "gpu",
    "layer",
    "node",
    "param",
    "parameter",
    "rank",
    "s",
    "sec",
    "second",
    "stage",
    "step",
    "token",
    "weight",
];

/// Words that may stand between the words of a phrase.
pub(super) fn is_filler(word: &str) -> bool {
    lists_of(word) & IN_FILLER != 0
}

const FILLER: &[&str] = &[
    "a", "actually", "all", "also", "an", "any", "be", "been", "each", "even", "ever", "every", "get", "his",
    "its", "just", "much", "my", "of", "our", "own", "quite", "really", "really-", "some", "still", "that",
    "the", "their", "these", "this", "those", "very", "your",
];

/// Words before a figure that make it a bound, not a value.
pub(super) fn is_bound(word: &str) -> bool {
    lists_of(word) & IN_BOUND != 0
}

const BOUND: &[&str] = &[
    "above", "atleast", "below", "beyond", "exceeds", "least", "most", "not", "over", "than", "under",
    "within",
];

/// Words that fill a pause in speech.
pub(super) fn is_hesitation(word: &str) -> bool {
    lists_of(word) & IN_HESITATION != 0
}

const HESITATION: &[&str] = &[
    "ah", "alright", "eh", "er", "erm", "fine", "hm", "hmm", "i", "know", "like", "mean", "oh", "ok", "okay",
    "right", "so", "sure", "uh", "uhm", "um", "well", "yeah", "yes", "you",
];

/// Articles and the like: what follows must be part of a noun phrase.
pub(super) fn is_article(word: &str) -> bool {
    lists_of(word) & IN_ARTICLE != 0
}

const ARTICLE: &[&str] = &["a", "an", "its", "my", "our", "the", "their", "your"];

/// Prepositions.
pub(super) fn is_preposition(word: &str) -> bool {
    lists_of(word) & IN_PREPOSITION != 0
}

const PREPOSITION: &[&str] = &[
    "across", "among", "at", "between", "by", "during", "for", "from", "in", "inside", "into", "of", "on",
    "onto", "over", "per", "through", "to", "under", "via", "with", "within", "without",
];

/// Forms of *be* and other helping verbs.
pub(super) fn is_auxiliary(word: &str) -> bool {
    lists_of(word) & IN_AUXILIARY != 0
}

const AUXILIARY: &[&str] = &[
    "am", "are", "be", "been", "being", "can", "could", "did", "do", "does", "had", "has", "have", "is",
    "may", "might", "must", "should", "was", "were", "will", "would",
];

/// Pronouns that can be a subject.
pub(super) fn is_pronoun(word: &str) -> bool {
    lists_of(word) & IN_PRONOUN != 0
}

const PRONOUN: &[&str] = &[
    "everybody",
    "everyone",
    "he",
    "i",
    "it",
    "nobody",
    "she",
    "that",
    "there",
    "they",
    "this",
    "we",
    "which",
    "who",
    "you",
];

/// Conjunctions.
pub(super) fn is_conjunction(word: &str) -> bool {
    lists_of(word) & IN_CONJUNCTION != 0
}

const CONJUNCTION: &[&str] = &[
    "although", "and", "as", "because", "but", "if", "nor", "once", "or", "since", "so", "than", "then",
    "though", "unless", "until", "when", "whereas", "while", "yet",
];

/// Words that begin a new clause, and end the reach of a *not*.
pub(super) fn begins_clause(word: &str) -> bool {
    lists_of(word) & IN_CLAUSE != 0
}

const CLAUSE: &[&str] = &[
    "after",
    "although",
    "because",
    "before",
    "but",
    "except",
    "except-",
    "hence",
    "however",
    "if",
    "once",
    "otherwise",
    "since",
    "so",
    "therefore",
    "though",
    "thus",
    "unless",
    "unlike",
    "until",
    "when",
    "where",
    "whereas",
    "which",
    "while",
    "yet",
];

/// Verbs and the like that tie any two things without saying how.
pub(super) fn says_nothing(word: &str) -> bool {
    lists_of(word) & IN_EMPTY != 0
}

const EMPTY: &[&str] = &[
    "affect",
    "affects",
    "applied",
    "applies",
    "apply",
    "aspect",
    "aspects",
    "combine",
    "combined",
    "combines",
    "concern",
    "concerns",
    "connected",
    "connects",
    "consider",
    "considered",
    "deal",
    "deals",
    "depend",
    "depends",
    "enable",
    "enables",
    "ensure",
    "ensures",
    "handle",
    "handles",
    "help",
    "helps",
    "impact",
    "impacts",
    "important",
    "improve",
    "improves",
    "include",
    "includes",
    "influence",
    "influences",
    "interact",
    "interacts",
    "involve",
    "involved",
    "involves",
    "lead",
    "leads",
    "manage",
    "manages",
    "optimise",
    "optimises",
    "optimize",
    "optimizes",
    "play",
    "plays",
    "provide",
    "provides",
    "relate",
    "related",
    "relates",
    "relevant",
    "role",
    "support",
    "supports",
    "together",
    "use",
    "used",
    "uses",
    "using",
    "work",
    "works",
];

/// Small words that carry no content of their own.
pub(super) fn is_function(word: &str) -> bool {
    const FUNCTION: u16 = IN_ARTICLE | IN_PREPOSITION | IN_AUXILIARY | IN_PRONOUN | IN_CONJUNCTION | IN_SMALL;
    lists_of(word) & FUNCTION != 0
}

const SMALL: &[&str] = &[
    "about", "after", "again", "all", "already", "also", "another", "any", "around", "away", "back",
    "before", "both", "down", "each", "either", "else", "even", "every", "few", "first", "get", "gets", "go",
    "goes", "here", "him", "how", "instead", "just", "keep", "keeps", "know", "last", "less", "let", "lets",
    "like", "make", "makes", "many", "me", "more", "most", "much", "need", "needs", "neither", "never",
    "next", "no", "not", "now", "off", "ok", "only", "other", "out", "rather", "same", "say", "see", "some",
    "still", "such", "take", "takes", "them", "these", "think", "those", "too", "um", "up", "us", "use",
    "used", "uses", "very", "w", "want", "well", "what", "where", "why", "yeah",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_are_sorted_and_no_word_is_too_long_to_be_looked_up() {
        for (bit, list) in ALL {
            assert!(list.is_sorted(), "{list:?}");
            assert!(list.iter().all(|word| word.len() <= LONGEST && lists_of(word) & bit != 0), "{list:?}");
        }
    }

    #[test]
    fn a_word_of_two_lists_is_in_both() {
        assert!(is_article("its") && is_filler("its") && is_function("its"));
        assert!(!is_preposition("its") && !is_function("gradient"));
    }
}
