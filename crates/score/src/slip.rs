//! Typing slips: which words may hide one, and which stem was meant.

use super::lexicon::has;

/// A word of more letters is no word.
const LONGEST: usize = 40;

/// Whether a stem may hide a typing slip: not in short words, nor in names without vowels.
pub(super) fn may_be_misspelt(word: &str) -> bool {
    (5..=LONGEST).contains(&word.len())
        && word.bytes().all(|b| b.is_ascii_lowercase())
        && word.bytes().filter(|b| matches!(b, b'a' | b'e' | b'i' | b'o' | b'u')).count() >= 2
}

/// Stems of common English words that lie one slip from a word of the field.
pub(super) fn is_common(stem: &str) -> bool {
    has(COMMON, stem)
}

const COMMON: &[&str] = &[
    "about", "accept", "affect", "after", "again", "batter", "before", "begin", "being", "better", "black",
    "block", "board", "bread", "break", "bring", "broad", "build", "clean", "clear", "clock", "close",
    "cloud", "concern", "consid", "consist", "constant", "contain", "content", "contest", "context",
    "continu", "converg", "convert", "correct", "could", "count", "cover", "cross", "current", "dense",
    "depth", "doubl", "doubt", "effect", "eight", "entir", "equal", "error", "every", "exact", "except",
    "exist", "expect", "expert", "export", "extra", "faster", "father", "fault", "final", "first", "fixed",
    "force", "found", "fresh", "front", "gather", "general", "generat", "given", "grade", "grader", "grant",
    "great", "ground", "group", "handl", "happen", "heavi", "idea", "ideal", "ident", "integr", "interest",
    "issu", "judg", "large", "later", "latter", "lawyer", "layer", "least", "leave", "level", "light",
    "limit", "local", "loos", "lower", "match", "matter", "mean", "measur", "might", "minor", "model",
    "modem", "month", "mostli", "never", "number", "often", "onli", "order", "other", "outer", "owner",
    "paint", "parti", "partial", "patch", "peak", "perfect", "perform", "physic", "place", "plain", "plane",
    "player", "point", "possibl", "power", "practic", "predict", "prefer", "present", "prevent", "previous",
    "princip", "print", "problem", "proceed", "process", "produc", "product", "progress", "project",
    "proper", "provid", "purpos", "quality", "quick", "quiet", "quit", "rais", "rang", "rather", "reach",
    "readi", "ready", "reduct", "right", "round", "router", "scale", "scan", "scatter", "scope", "sens",
    "serv", "server", "sever", "shape", "share", "sharp", "sharpen", "short", "should", "simpl", "simpli",
    "singl", "small", "sound", "space", "speed", "spend", "split", "spread", "stage", "stand", "start",
    "state", "stick", "still", "stop", "storag", "sum", "tabl", "tail", "taken", "their", "there", "these",
    "thing", "think", "those", "though", "thought", "thousand", "thread", "three", "through", "throw",
    "tight", "token", "total", "touch", "tower", "trace", "track", "trade", "trail", "train", "under",
    "until", "usual", "valid", "valu", "wast", "watch", "water", "weaker", "weigh", "where", "which",
    "while", "white", "whole", "wider", "world", "worst", "worth", "would", "write", "wrong",
];

/// Whether one typing slip makes `typed` of `meant`. The first letter must be right, and a
/// wrong letter is forgiven only in words of eight letters and more.
pub(super) fn is_one_apart(typed: &[u8], meant: &[u8]) -> bool {
    if typed.first() != meant.first() || meant.len() < 5 {
        return false;
    }
    let same = typed.iter().zip(meant).take_while(|(a, b)| a == b).count();
    match typed.len() as isize - meant.len() as isize {
        0 => {
            let swapped = same + 1 < meant.len()
                && typed[same] == meant[same + 1]
                && typed[same + 1] == meant[same]
                && typed[same + 2..] == meant[same + 2..];
            let wrong = meant.len() >= 8 && typed.get(same + 1..) == meant.get(same + 1..);
            swapped || wrong
        }
        1 => meant.len() >= 6 && typed[same + 1..] == meant[same..],
        -1 => meant.len() >= 6 && typed[same..] == meant[same + 1..],
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_mended_in_long_words_only() {
        let slip = |a: &str, b: &str| is_one_apart(a.as_bytes(), b.as_bytes());
        assert!(slip("gradietn", "gradient"));
        assert!(slip("bandwith", "bandwidth"));
        assert!(slip("comunic", "communic"));
        assert!(slip("bukcet", "bucket"));
        assert!(!slip("state", "stage"));
        assert!(!slip("share", "shard"));
        assert!(!slip("rather", "gather"));
        assert!(!slip("comput", "commut"));
    }
}
