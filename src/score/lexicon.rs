//! Words of English that the engine itself must know.

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
        "twelve" => "12",
        "sixteen" => "16",
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

/// Units, and whether they measure bytes, time or something else.
pub(super) fn is_byte_unit(word: &str) -> bool {
    matches!(
        word,
        "b" | "kb"
            | "mb"
            | "gb"
            | "tb"
            | "kib"
            | "mib"
            | "gib"
            | "tib"
            | "byte"
            | "bytes"
            | "gbit"
            | "gigabyte"
            | "gigabytes"
            | "megabyte"
            | "megabytes"
            | "terabyte"
            | "terabytes"
            | "gigabit"
            | "gigs"
            | "gig"
    )
}

/// Units of time.
pub(super) fn is_time_unit(word: &str) -> bool {
    matches!(
        word,
        "s" | "ms"
            | "us"
            | "ns"
            | "sec"
            | "secs"
            | "second"
            | "seconds"
            | "minute"
            | "minutes"
            | "min"
            | "hour"
            | "hours"
            | "millisecond"
            | "milliseconds"
            | "microsecond"
            | "microseconds"
            | "day"
            | "days"
    )
}

/// Letters that may follow a number without a blank: `50GB`, `1.5x`, `2Ψ`.
pub(super) fn is_glued_unit(letters: &str) -> bool {
    matches!(
        letters,
        "x" | "b"
            | "kb"
            | "mb"
            | "gb"
            | "tb"
            | "kib"
            | "mib"
            | "gib"
            | "tib"
            | "ms"
            | "us"
            | "ns"
            | "s"
            | "sec"
            | "min"
            | "psi"
            | "gbps"
            | "gbit"
            | "way"
            | "fold"
            | "gpus"
            | "nodes"
            | "h"
    )
}

/// Words that may stand after a slash that means *per*.
pub(super) fn is_per(word: &str) -> bool {
    matches!(
        word,
        "s" | "sec"
            | "second"
            | "gpu"
            | "rank"
            | "param"
            | "parameter"
            | "layer"
            | "step"
            | "stage"
            | "node"
            | "device"
            | "card"
            | "weight"
            | "element"
            | "token"
    )
}

/// Words that may stand between the words of a phrase.
pub(super) fn is_filler(word: &str) -> bool {
    matches!(
        word,
        "a" | "an"
            | "the"
            | "of"
            | "its"
            | "their"
            | "each"
            | "our"
            | "your"
            | "his"
            | "all"
            | "these"
            | "those"
            | "this"
            | "that"
            | "very"
            | "really"
            | "also"
            | "just"
            | "still"
            | "quite"
            | "much"
            | "actually"
            | "be"
            | "own"
            | "my"
            | "even"
            | "been"
            | "get"
            | "any"
            | "ever"
            | "really-"
            | "some"
            | "every"
    )
}

/// Articles and the like: what follows must be part of a noun phrase.
pub(super) fn is_article(word: &str) -> bool {
    matches!(word, "a" | "an" | "the" | "my" | "our" | "your" | "their" | "its")
}

/// Prepositions.
pub(super) fn is_preposition(word: &str) -> bool {
    matches!(
        word,
        "of" | "in"
            | "to"
            | "for"
            | "with"
            | "on"
            | "at"
            | "by"
            | "from"
            | "into"
            | "over"
            | "under"
            | "between"
            | "across"
            | "during"
            | "per"
            | "without"
            | "within"
            | "onto"
            | "through"
            | "among"
            | "via"
            | "inside"
    )
}

/// Forms of *be* and other helping verbs.
pub(super) fn is_auxiliary(word: &str) -> bool {
    matches!(
        word,
        "is" | "are"
            | "was"
            | "were"
            | "be"
            | "been"
            | "being"
            | "has"
            | "have"
            | "had"
            | "does"
            | "do"
            | "did"
            | "can"
            | "could"
            | "will"
            | "would"
            | "should"
            | "must"
            | "may"
            | "might"
            | "am"
    )
}

/// Pronouns that can be a subject.
pub(super) fn is_pronoun(word: &str) -> bool {
    matches!(
        word,
        "i" | "you"
            | "we"
            | "they"
            | "it"
            | "he"
            | "she"
            | "everybody"
            | "everyone"
            | "nobody"
            | "this"
            | "that"
            | "who"
            | "which"
            | "there"
    )
}

/// Conjunctions.
pub(super) fn is_conjunction(word: &str) -> bool {
    matches!(
        word,
        "and"
            | "or"
            | "but"
            | "so"
            | "because"
            | "while"
            | "whereas"
            | "if"
            | "when"
            | "since"
            | "although"
            | "though"
            | "than"
            | "as"
            | "unless"
            | "until"
            | "then"
            | "nor"
            | "yet"
            | "once"
    )
}

/// Words that begin a new clause, and end the reach of a *not*.
pub(super) fn begins_clause(word: &str) -> bool {
    matches!(
        word,
        "but"
            | "because"
            | "so"
            | "while"
            | "whereas"
            | "although"
            | "though"
            | "since"
            | "unless"
            | "until"
            | "however"
            | "yet"
            | "otherwise"
            | "hence"
            | "therefore"
            | "thus"
            | "which"
            | "where"
            | "when"
            | "if"
            | "once"
            | "after"
            | "before"
            | "except"
            | "unlike"
            | "except-"
    )
}

/// Small words that carry no content of their own.
pub(super) fn is_function(word: &str) -> bool {
    is_article(word)
        || is_preposition(word)
        || is_auxiliary(word)
        || is_pronoun(word)
        || is_conjunction(word)
        || matches!(
            word,
            "not"
                | "no"
                | "never"
                | "only"
                | "also"
                | "just"
                | "very"
                | "too"
                | "more"
                | "less"
                | "most"
                | "all"
                | "each"
                | "every"
                | "some"
                | "any"
                | "both"
                | "what"
                | "how"
                | "why"
                | "where"
                | "them"
                | "us"
                | "me"
                | "him"
                | "these"
                | "those"
                | "such"
                | "other"
                | "another"
                | "same"
                | "up"
                | "down"
                | "out"
                | "about"
                | "like"
                | "well"
                | "now"
                | "here"
                | "still"
                | "again"
                | "already"
                | "even"
                | "after"
                | "before"
                | "first"
                | "next"
                | "last"
                | "else"
                | "ok"
                | "um"
                | "yeah"
                | "rather"
                | "instead"
                | "either"
                | "neither"
                | "much"
                | "many"
                | "few"
                | "w"
                | "around"
                | "off"
                | "back"
                | "away"
                | "need"
                | "needs"
                | "get"
                | "gets"
                | "go"
                | "goes"
                | "make"
                | "makes"
                | "take"
                | "takes"
                | "let"
                | "lets"
                | "keep"
                | "keeps"
                | "see"
                | "use"
                | "uses"
                | "used"
                | "want"
                | "say"
                | "know"
                | "think"
        )
}

/// Whether a word with a star of doubt has vowels: acronyms mostly have none or are short.
pub(super) fn may_be_misspelt(word: &str) -> bool {
    word.len() >= 5
        && word.bytes().all(|b| b.is_ascii_lowercase())
        && word
            .bytes()
            .filter(|b| matches!(b, b'a' | b'e' | b'i' | b'o' | b'u'))
            .count()
            >= 2
}

/// Stems of common English words that lie one slip from a word of the field.
pub(super) fn is_common(stem: &str) -> bool {
    matches!(
        stem,
        "sharp"
            | "share"
            | "shape"
            | "start"
            | "state"
            | "stage"
            | "storag"
            | "weigh"
            | "eight"
            | "model"
            | "modem"
            | "rather"
            | "other"
            | "their"
            | "there"
            | "these"
            | "those"
            | "where"
            | "which"
            | "while"
            | "white"
            | "whole"
            | "world"
            | "would"
            | "could"
            | "should"
            | "about"
            | "again"
            | "after"
            | "before"
            | "first"
            | "three"
            | "still"
            | "small"
            | "scale"
            | "scan"
            | "scatter"
            | "latter"
            | "later"
            | "layer"
            | "lawyer"
            | "player"
            | "token"
            | "taken"
            | "train"
            | "trail"
            | "trace"
            | "track"
            | "trade"
            | "grade"
            | "grader"
            | "grant"
            | "great"
            | "group"
            | "ground"
            | "write"
            | "print"
            | "point"
            | "paint"
            | "power"
            | "lower"
            | "tower"
            | "number"
            | "under"
            | "order"
            | "never"
            | "sever"
            | "server"
            | "expert"
            | "export"
            | "except"
            | "expect"
            | "accept"
            | "affect"
            | "effect"
            | "reduct"
            | "produc"
            | "product"
            | "process"
            | "through"
            | "though"
            | "thought"
            | "thousand"
            | "measur"
            | "matter"
            | "better"
            | "batter"
            | "bring"
            | "being"
            | "begin"
            | "build"
            | "break"
            | "bread"
            | "board"
            | "broad"
            | "clock"
            | "block"
            | "black"
            | "clean"
            | "clear"
            | "close"
            | "cloud"
            | "count"
            | "cover"
            | "cross"
            | "dense"
            | "depth"
            | "doubl"
            | "doubt"
            | "entir"
            | "equal"
            | "error"
            | "every"
            | "exact"
            | "exist"
            | "extra"
            | "faster"
            | "fault"
            | "final"
            | "fixed"
            | "force"
            | "found"
            | "fresh"
            | "front"
            | "given"
            | "handl"
            | "happen"
            | "heavi"
            | "ident"
            | "idea"
            | "ideal"
            | "issu"
            | "judg"
            | "large"
            | "least"
            | "leave"
            | "level"
            | "light"
            | "limit"
            | "local"
            | "loos"
            | "match"
            | "mean"
            | "might"
            | "minor"
            | "month"
            | "mostli"
            | "often"
            | "onli"
            | "outer"
            | "owner"
            | "parti"
            | "patch"
            | "peak"
            | "place"
            | "plain"
            | "plane"
            | "quick"
            | "quiet"
            | "quit"
            | "rais"
            | "rang"
            | "reach"
            | "ready"
            | "readi"
            | "right"
            | "round"
            | "router"
            | "scope"
            | "sens"
            | "serv"
            | "sharpen"
            | "short"
            | "simpl"
            | "singl"
            | "sound"
            | "space"
            | "speed"
            | "spend"
            | "split"
            | "spread"
            | "stand"
            | "stick"
            | "stop"
            | "sum"
            | "tabl"
            | "tail"
            | "think"
            | "thing"
            | "thread"
            | "throw"
            | "tight"
            | "total"
            | "touch"
            | "until"
            | "usual"
            | "valid"
            | "valu"
            | "wast"
            | "watch"
            | "water"
            | "weaker"
            | "wider"
            | "worst"
            | "worth"
            | "wrong"
            | "partial"
            | "gather"
            | "father"
            | "simpli"
            | "general"
            | "generat"
            | "integr"
            | "interest"
            | "content"
            | "context"
            | "contest"
            | "concern"
            | "consist"
            | "constant"
            | "consid"
            | "contain"
            | "continu"
            | "converg"
            | "convert"
            | "correct"
            | "current"
            | "prefer"
            | "perform"
            | "perfect"
            | "physic"
            | "possibl"
            | "practic"
            | "predict"
            | "present"
            | "prevent"
            | "previous"
            | "princip"
            | "problem"
            | "proceed"
            | "progress"
            | "project"
            | "proper"
            | "provid"
            | "purpos"
            | "quality"
    )
}
