//! From a word to the form under which all its forms are found.

use foldhash::{HashMap, HashMapExt};
use snowball_stemmers_rs::{Algorithm, Stemmer};

use super::lexicon;

/// Finds stems; remembers those it has found.
pub(super) struct Stems {
    stemmer: Stemmer,
    known: HashMap<String, String>,
}

impl Stems {
    /// Stems of English words.
    pub(super) fn new() -> Stems {
        Stems { stemmer: Stemmer::create(Algorithm::English), known: HashMap::new() }
    }

    /// Lets go of what it remembers once that is much.
    pub(super) fn forget_if_many(&mut self) {
        if self.known.len() > 50_000 {
            self.known.clear();
        }
    }

    /// The stem of a lower-case word.
    pub(super) fn stem(&mut self, word: &str) -> &str {
        if !self.known.contains_key(word) {
            let stem = stem(&self.stemmer, word);
            self.known.insert(word.to_owned(), stem);
        }
        &self.known[word]
    }
}

/// The stem of a lower-case word; words with digits and very short ones stay as they are.
pub(super) fn stem(stemmer: &Stemmer, word: &str) -> String {
    if word.len() <= 2 || word.bytes().any(|b| b.is_ascii_digit()) {
        return word.to_owned();
    }
    // terms whose stem is that of an everyday verb
    match word {
        "collective" | "collectives" => return "collective".to_owned(),
        "communicator" | "communicators" => return "communicator".to_owned(),
        _ => {}
    }
    if let Some(plain) = lexicon::plain(word) {
        return stemmer.stem(plain).into_owned();
    }
    if let Some(one) = short_plural(word) {
        return one.to_owned();
    }
    let american = american(word);
    stemmer.stem(&american).into_owned()
}

/// What a short form is of which there are several: *GPUs*, *VMs*. Rates such as *rps* stay.
fn short_plural(word: &str) -> Option<&str> {
    let one = word.strip_suffix('s').filter(|w| (2..=4).contains(&w.len()))?;
    let letters = one.bytes().all(|b| b.is_ascii_lowercase());
    let vowel = |b: u8| matches!(b, b'a' | b'e' | b'i' | b'o' | b'u' | b'y');
    let consonants = !one.bytes().any(vowel) && !one.ends_with(['p', 's']);
    let unit = one.len() == 3 && one.ends_with("pu") && one != "opu";
    // gbs is a global batch size, GB a unit
    (letters && (consonants || unit) && word != "gbs").then_some(one)
}

/// One spelling for British and American forms. It need not be a right one, only the same.
fn american(word: &str) -> String {
    let mut w = word.to_owned();
    if w.len() >= 6 {
        for (british, american) in [
            ("isation", "ization"),
            ("ising", "izing"),
            ("ises", "izes"),
            ("ised", "ized"),
            ("iser", "izer"),
            ("isers", "izers"),
            ("yse", "yze"),
            ("ysed", "yzed"),
            ("yses", "yzes"),
            ("ysing", "yzing"),
            ("ise", "ize"),
            ("elled", "eled"),
            ("elling", "eling"),
            ("tre", "ter"),
            ("tres", "ters"),
            ("ogue", "og"),
        ] {
            // *raises* and *rising* have no other spelling
            if w.len() >= british.len() + 3 && w.ends_with(british) {
                w.truncate(w.len() - british.len());
                w.push_str(american);
                break;
            }
        }
        for (british, american) in [("our", "or"), ("ours", "ors"), ("oured", "ored"), ("ouring", "oring")] {
            if w.ends_with(british) && !w.ends_with("hour") && !w.ends_with("hours") {
                w.truncate(w.len() - british.len());
                w.push_str(american);
                break;
            }
        }
        for (british, american) in
            [("aviour", "avior"), ("eighbour", "eighbor"), ("abour", "abor"), ("avour", "avor")]
        {
            w = w.replace(british, american);
        }
    }
    w
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(a: &str, b: &str) {
        let mut s = Stems::new();
        assert_eq!(s.stem(a).to_owned(), s.stem(b).to_owned(), "{a} and {b}");
    }

    #[test]
    fn forms_of_a_word_meet() {
        for (a, b) in [
            ("gradients", "gradient"),
            ("averaging", "averaged"),
            ("divergence", "diverge"),
            ("kept", "keeping"),
            ("three", "3"),
            ("matrices", "matrix"),
            ("sharded", "shards"),
            ("gpus", "gpu"),
            ("vms", "vm"),
            ("nics", "nic"),
        ] {
            same(a, b);
        }
    }

    #[test]
    fn british_and_american_meet() {
        for (a, b) in [
            ("optimiser", "optimizer"),
            ("synchronisation", "synchronization"),
            ("neighbouring", "neighboring"),
            ("analyse", "analyze"),
            ("modelling", "modeling"),
            ("centre", "center"),
            ("behaviour", "behavior"),
            ("initialised", "initialized"),
            ("utilisation", "utilization"),
            ("materialise", "materialized"),
            ("raises", "raise"),
            ("raising", "raised"),
            ("rising", "rise"),
            ("spelled", "spell"),
        ] {
            same(a, b);
        }
    }

    #[test]
    fn different_words_stay_apart() {
        let mut s = Stems::new();
        for (a, b) in [
            ("gbs", "gb"),
            ("stage", "state"),
            ("share", "shard"),
            ("hour", "or"),
            ("latency", "late"),
            ("zero", "0"),
        ] {
            assert_ne!(s.stem(a).to_owned(), s.stem(b).to_owned(), "{a} and {b}");
        }
    }
}
