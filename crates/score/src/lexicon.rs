//! Words of English that the engine itself must know. The lists are sorted.

/// Whether a sorted list has the word.
pub(super) fn has(list: &[&str], word: &str) -> bool {
    list.binary_search(&word).is_ok()
}

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
    has(TIME_UNIT, word)
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
    has(GLUED_UNIT, letters)
}

const GLUED_UNIT: &[&str] = &[
    "b", "fold", "gb", "gbit", "gbps", "gib", "gpus", "h", "kb", "kib", "mb", "mbit", "mib", "min", "ms",
    "nodes", "ns", "psi", "s", "sec", "tb", "tib", "us", "way", "x",
];

/// Words that may stand after a slash that means *per*.
pub(super) fn is_per(word: &str) -> bool {
    has(PER, word)
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
    has(FILLER, word)
}

const FILLER: &[&str] = &[
    "a", "actually", "all", "also", "an", "any", "be", "been", "each", "even", "ever", "every", "get", "his",
    "its", "just", "much", "my", "of", "our", "own", "quite", "really", "really-", "some", "still", "that",
    "the", "their", "these", "this", "those", "very", "your",
];

/// Words before a figure that make it a bound, not a value.
pub(super) fn is_bound(word: &str) -> bool {
    has(BOUND, word)
}

const BOUND: &[&str] = &[
    "above", "atleast", "below", "beyond", "exceeds", "least", "most", "not", "over", "than", "under",
    "within",
];

/// Words that fill a pause in speech.
pub(super) fn is_hesitation(word: &str) -> bool {
    has(HESITATION, word)
}

const HESITATION: &[&str] = &[
    "ah", "alright", "eh", "er", "erm", "fine", "hm", "hmm", "i", "know", "like", "mean", "oh", "ok", "okay",
    "right", "so", "sure", "uh", "uhm", "um", "well", "yeah", "yes", "you",
];

/// Articles and the like: what follows must be part of a noun phrase.
pub(super) fn is_article(word: &str) -> bool {
    has(ARTICLE, word)
}

const ARTICLE: &[&str] = &["a", "an", "its", "my", "our", "the", "their", "your"];

/// Prepositions.
pub(super) fn is_preposition(word: &str) -> bool {
    has(PREPOSITION, word)
}

const PREPOSITION: &[&str] = &[
    "across", "among", "at", "between", "by", "during", "for", "from", "in", "inside", "into", "of", "on",
    "onto", "over", "per", "through", "to", "under", "via", "with", "within", "without",
];

/// Forms of *be* and other helping verbs.
pub(super) fn is_auxiliary(word: &str) -> bool {
    has(AUXILIARY, word)
}

const AUXILIARY: &[&str] = &[
    "am", "are", "be", "been", "being", "can", "could", "did", "do", "does", "had", "has", "have", "is",
    "may", "might", "must", "should", "was", "were", "will", "would",
];

/// Pronouns that can be a subject.
pub(super) fn is_pronoun(word: &str) -> bool {
    has(PRONOUN, word)
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
    has(CONJUNCTION, word)
}

const CONJUNCTION: &[&str] = &[
    "although", "and", "as", "because", "but", "if", "nor", "once", "or", "since", "so", "than", "then",
    "though", "unless", "until", "when", "whereas", "while", "yet",
];

/// Words that begin a new clause, and end the reach of a *not*.
pub(super) fn begins_clause(word: &str) -> bool {
    has(CLAUSE, word)
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
    has(EMPTY, word)
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
    is_article(word)
        || is_preposition(word)
        || is_auxiliary(word)
        || is_pronoun(word)
        || is_conjunction(word)
        || has(SMALL, word)
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
    fn the_lists_are_sorted() {
        for list in [
            TIME_UNIT,
            GLUED_UNIT,
            PER,
            FILLER,
            HESITATION,
            ARTICLE,
            PREPOSITION,
            AUXILIARY,
            PRONOUN,
            CONJUNCTION,
            CLAUSE,
            EMPTY,
            SMALL,
        ] {
            assert!(list.is_sorted(), "{list:?}");
        }
    }
}
