//! Whether an answer belongs to another drill.

use std::collections::{HashMap, HashSet};

use super::Topic;
use super::lexicon;
use super::stem::Stems;
use super::token::{self, Token};

/// Drills beyond this many are not compared with.
const MOST_TOPICS: usize = 400;
/// Fewer different words than this do not show what an answer is about.
const FEW_STEMS: usize = 20;
/// How much nearer another drill must be than the one asked.
const NEARER: f64 = 1.45;

/// What the drills of a pack are about, as weighted stems.
#[derive(Debug, Default)]
pub(super) struct Topics {
    /// For each stem, the topics that have it.
    having: HashMap<String, Vec<usize>>,
    /// The length of each topic's vector.
    length: Vec<f64>,
    own: Option<usize>,
}

impl Topics {
    /// Takes in the topics, for the drill `own`.
    pub(super) fn new(topics: &[Topic], own: &str, stems: &mut Stems) -> Topics {
        let mut kept: Vec<&Topic> = topics.iter().take(MOST_TOPICS).collect();
        if !kept.iter().any(|t| t.drill == own) {
            kept.extend(topics.iter().find(|t| t.drill == own));
        }
        let mut made = Topics {
            own: kept.iter().position(|t| t.drill == own),
            length: vec![0.0; kept.len()],
            having: HashMap::new(),
        };
        for (i, topic) in kept.iter().enumerate() {
            let mut seen = HashSet::new();
            for token in topic.texts.iter().flat_map(|t| token::lex(t).tokens) {
                let Some(stem) = telling(&token, stems) else {
                    continue;
                };
                if seen.insert(stem.to_owned()) {
                    made.having.entry(stem.to_owned()).or_default().push(i);
                }
            }
        }
        for topics in made.having.values() {
            let weight = made.weight(topics.len());
            topics.iter().for_each(|&t| made.length[t] += weight * weight);
        }
        made.length.iter_mut().for_each(|l| *l = l.sqrt().max(1.0));
        made
    }

    /// How much a word tells that so many topics have.
    fn weight(&self, topics: usize) -> f64 {
        (1.0 + self.length.len() as f64 / topics as f64).ln()
    }

    /// Whether the text is about another drill rather than this one.
    pub(super) fn is_elsewhere(&self, tokens: &[Token], stems: &mut Stems) -> bool {
        let Some(own) = self.own.filter(|_| self.length.len() > 3) else {
            return false;
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
            seen.insert(stem.to_owned());
            if let Some(topics) = self.having.get(stem) {
                let weight = self.weight(topics.len());
                topics
                    .iter()
                    .for_each(|&t| near[t] += weight * weight / self.length[t]);
            }
        }
        let best = (0..near.len())
            .filter(|&t| t != own)
            .map(|t| near[t])
            .fold(0.0, f64::max);
        seen.len() >= FEW_STEMS && best > NEARER * near[own]
    }
}

/// The stem of a word that tells something about a topic.
fn telling<'a>(token: &Token, stems: &'a mut Stems) -> Option<&'a str> {
    let word = &token.word;
    let plain = word.len() > 1 && !lexicon::is_function(word) && !token::is_number(word);
    plain.then(|| stems.stem(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn topic(drill: &str, text: &str) -> Topic {
        Topic {
            drill: drill.to_owned(),
            texts: vec![text.to_owned()],
        }
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
            topic(
                "rings",
                "ring all-reduce sends chunks round, latency grows with ranks, trees are shorter",
            ),
            topic("loss", "loss spikes after a restart when sampler state was lost"),
        ];
        let experts = format!("As for the pipeline, {EXPERTS}");
        let topics = Topics::new(&topics, "pipes", &mut stems);
        let mut is_elsewhere = |text: &str| topics.is_elsewhere(&token::lex(text).tokens, &mut stems);
        assert!(is_elsewhere(&experts));
        assert!(!is_elsewhere(PIPES));
        assert!(!is_elsewhere("the router and its experts"));
    }
}
