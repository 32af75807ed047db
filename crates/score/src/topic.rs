//! Whether an answer belongs to another drill.

use foldhash::{HashMap, HashMapExt, HashSet, HashSetExt};

use super::Glossary;
use super::lexicon;
use super::stem::Stems;
use super::token::{self, Token};

/// Drills beyond this many are not compared with.
const MOST_TOPICS: usize = 400;
/// A glossary of fewer words does not tell which words are of the field.
const FEW_TERMS: usize = 200;
/// Fewer different words than this do not show what an answer is about.
const FEW_STEMS: usize = 12;

/// What the drills of a pack are about, as weighted stems.
#[derive(Debug, Default)]
pub(super) struct Topics {
    /// For each stem, the topics that have it.
    having: HashMap<String, Vec<usize>>,
    /// The length of each topic's vector.
    length: Vec<f64>,
    own: Option<usize>,
    /// How much each topic shares with the own one, 0 to 1.
    shared: Vec<f64>,
}

impl Topics {
    /// Takes in the topics, for the drill `own`.
    /// Words that the glossary has tell more than others: only they count, where there are enough of them.
    pub(super) fn new(glossary: &Glossary, own: &str, stems: &mut Stems) -> Topics {
        let topics = &glossary.topics;
        let field = field(glossary, stems);
        let mut kept: Vec<&super::Topic> = topics.iter().take(MOST_TOPICS).collect();
        if !kept.iter().any(|t| t.drill == own) {
            kept.extend(topics.iter().find(|t| t.drill == own));
        }
        let mut made = Topics {
            own: kept.iter().position(|t| t.drill == own),
            length: vec![0.0; kept.len()],
            shared: Vec::new(),
            having: HashMap::new(),
        };
        for (i, topic) in kept.iter().enumerate() {
            let mut seen = HashSet::new();
            for token in topic.texts.iter().flat_map(|t| token::lex(t).tokens) {
                let Some(stem) = telling(&token, stems) else {
                    continue;
                };
                if seen.insert(stem.to_owned()) && (field.len() < FEW_TERMS || field.contains(stem)) {
                    made.having.entry(stem.to_owned()).or_default().push(i);
                }
            }
        }
        for topics in made.having.values() {
            let weight = made.weight(topics.len());
            topics.iter().for_each(|&t| made.length[t] += weight * weight);
        }
        made.length.iter_mut().for_each(|l| *l = l.sqrt().max(1.0));
        made.shared = made.sharing();
        made
    }

    /// How much each topic shares with the own one: the cosine of their vectors.
    fn sharing(&self) -> Vec<f64> {
        let mut shared = vec![0.0; self.length.len()];
        let Some(own) = self.own else { return shared };
        for topics in self.having.values().filter(|t| t.contains(&own)) {
            let weight = self.weight(topics.len());
            for &t in topics {
                shared[t] += weight * weight / (self.length[t] * self.length[own]);
            }
        }
        shared
    }

    /// How much a word tells that so many topics have.
    fn weight(&self, topics: usize) -> f64 {
        (1.0 + self.length.len() as f64 / topics as f64).ln().sqrt()
    }

    /// How many times nearer the text is to another drill than to this one; 0 where that cannot be told.
    pub(super) fn nearer_elsewhere(&self, tokens: &[Token], stems: &mut Stems) -> f64 {
        let Some(own) = self.own.filter(|_| self.length.len() > 3) else {
            return 0.0;
        };
        let mut seen = HashSet::new();
        let mut near = vec![0.0; self.length.len()];
        for token in tokens {
            let Some(stem) = telling(token, stems) else {
                continue;
            };
            if seen.contains(stem) {
                continue;
            }
            if let Some(topics) = self.having.get(stem) {
                seen.insert(stem.to_owned());
                let weight = self.weight(topics.len());
                topics.iter().for_each(|&t| near[t] += weight * weight / self.length[t]);
            }
        }
        let best = (0..near.len())
            .filter(|&t| t != own)
            // a drill on nearly the same things is near to every answer
            .map(|t| near[t] * (1.0 - self.shared[t]))
            .fold(0.0, f64::max);
        if seen.len() < FEW_STEMS { 0.0 } else { best / near[own].max(f64::MIN_POSITIVE) }
    }
}

/// The stems of all words of the glossary.
fn field(glossary: &Glossary, stems: &mut Stems) -> HashSet<String> {
    let words = glossary.concepts.iter().flat_map(|c| &c.words);
    let mut field = HashSet::new();
    for token in words.flat_map(|w| token::lex(w).tokens) {
        if let Some(stem) = telling(&token, stems) {
            field.insert(stem.to_owned());
        }
    }
    field
}

/// The stem of a word that tells something about a topic.
pub(super) fn telling<'a>(token: &Token, stems: &'a mut Stems) -> Option<&'a str> {
    let word = &token.word;
    let plain = word.len() > 1 && !lexicon::is_function(word) && !token::is_number(word);
    plain.then(|| stems.stem(word))
}

#[cfg(test)]
mod tests {
    use super::super::Topic;
    use super::*;

    fn topic(drill: &str, text: &str) -> Topic {
        Topic { drill: drill.to_owned(), texts: vec![text.to_owned()] }
    }

    const PIPES: &str = "pipeline stages idle while the bubble fills and drains, activations of micro-batches stay alive, \
        forward then backward, warm-up and flush, schedule, interleaved chunks, memory of the first stage";
    const EXPERTS: &str = "the router sends tokens to experts, one hot expert overflows its capacity, tokens are dropped, \
        an auxiliary loss balances load by probability, histograms show skew, dispatch and combine wait for the slowest rank";

    #[test]
    fn an_answer_to_another_drill_is_known() {
        let mut stems = Stems::new();
        let topics = [
            topic("pipes", PIPES),
            topic("experts", EXPERTS),
            topic("rings", "ring all-reduce sends chunks round, latency grows with ranks, trees are shorter"),
            topic("loss", "loss spikes after a restart when sampler state was lost"),
        ];
        let experts = format!("As for the pipeline, {EXPERTS}");
        let glossary = Glossary { topics: topics.to_vec(), ..Glossary::default() };
        let topics = Topics::new(&glossary, "pipes", &mut stems);
        let mut is_elsewhere =
            |text: &str| topics.nearer_elsewhere(&token::lex(text).tokens, &mut stems) > 1.4;
        assert!(is_elsewhere(&experts));
        assert!(!is_elsewhere(PIPES));
        assert!(!is_elsewhere("the router and its experts"));
    }
}
