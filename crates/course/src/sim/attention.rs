//! Ring attention on a mask: who has how many query-key pairs in which hop, and how long a hop takes.

use crate::sim::formula::{collective, sequence};
use crate::sim::parameter::choices;

choices! {
    /// How the sequence lies on the ranks.
    pub(super) enum Cut {
        /// Rank r has the r-th piece.
        Contiguous = "contiguous", "contiguous";
        /// Rank r has pieces r and 2c-1-r of twice as many.
        Zigzag = "zigzag", "zigzag";
    }
}

/// Ring attention of one layer, in base units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct RingAttention {
    pub(super) cut: Cut,
    pub(super) causal: bool,
    pub(super) ranks: usize,
    pub(super) tokens: f64,
    pub(super) micro_batch: f64,
    pub(super) hidden: f64,
    pub(super) kv_width: f64,
    /// The width of a head.
    pub(super) head: f64,
    pub(super) link: f64,
    pub(super) alpha: f64,
    pub(super) rate: f64,
}

/// What a hop took.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Hop {
    /// Query-key pairs of each rank.
    pub(super) pairs: Vec<f64>,
    /// Seconds of the rank with the most.
    pub(super) compute: f64,
    /// Seconds to pass keys and values on; 0 in the last hop.
    pub(super) send: f64,
}

impl Hop {
    /// A hop ends when the slowest rank is done and the next block is there.
    pub(super) fn time(&self) -> f64 {
        self.compute.max(self.send)
    }

    /// What the send takes beyond the work of the busiest rank.
    pub(super) fn exposed(&self) -> f64 {
        self.time() - self.compute
    }
}

impl RingAttention {
    /// The width of keys and values that Ulysses sends over `c` ranks: each rank needs a head, if only a copy.
    pub(super) fn copied(&self, c: f64) -> f64 {
        self.kv_width.max(c * self.head).min(self.hidden.max(self.kv_width))
    }

    /// Whose keys and values rank `r` holds at a hop.
    pub(super) fn source(&self, rank: usize, hop: usize) -> usize {
        (rank + self.ranks - hop % self.ranks) % self.ranks
    }

    /// Pairs between piece `i` of queries and piece `j` of keys, each `tokens` long.
    fn piece_pairs(&self, i: usize, j: usize, tokens: f64) -> f64 {
        match i.cmp(&j) {
            _ if !self.causal => tokens * tokens,
            std::cmp::Ordering::Less => 0.0,
            std::cmp::Ordering::Equal => sequence::causal_pairs(tokens),
            std::cmp::Ordering::Greater => tokens * tokens,
        }
    }

    /// Pairs between the queries of one rank and the keys of another.
    pub(super) fn pairs(&self, queries: usize, keys: usize) -> f64 {
        let c = self.ranks;
        match self.cut {
            Cut::Contiguous => self.piece_pairs(queries, keys, self.tokens / c as f64),
            Cut::Zigzag => {
                let half = self.tokens / (2 * c) as f64;
                let pieces = |rank: usize| [rank, 2 * c - 1 - rank];
                let all = pieces(queries).into_iter().flat_map(|i| pieces(keys).map(|j| (i, j)));
                all.map(|(i, j)| self.piece_pairs(i, j, half)).sum()
            }
        }
    }

    /// All pairs of the mask.
    pub(super) fn all_pairs(&self) -> f64 {
        if self.causal { sequence::causal_pairs(self.tokens) } else { self.tokens * self.tokens }
    }

    /// Seconds for one query-key pair over the whole width.
    fn pair_time(&self) -> f64 {
        4.0 * self.micro_batch * self.hidden / self.rate
    }

    pub(super) fn hop_bytes(&self) -> f64 {
        sequence::ring_attention_hop_bytes(self.micro_batch, self.tokens, self.ranks as f64, self.kv_width)
    }

    /// Every hop, the first on one's own keys.
    pub(super) fn hops(&self) -> Vec<Hop> {
        let send = collective::send_time(self.hop_bytes(), self.alpha, self.link);
        (0..self.ranks)
            .map(|hop| {
                let pairs: Vec<f64> = (0..self.ranks).map(|r| self.pairs(r, self.source(r, hop))).collect();
                let most = pairs.iter().copied().fold(0.0, f64::max);
                let send = if hop + 1 < self.ranks { send } else { 0.0 };
                Hop { pairs, compute: most * self.pair_time(), send }
            })
            .collect()
    }

    /// Seconds if the work were even and nothing had to be sent.
    pub(super) fn ideal(&self) -> f64 {
        self.all_pairs() * self.pair_time() / self.ranks as f64
    }

    pub(super) fn seconds(&self, pairs: f64) -> f64 {
        pairs * self.pair_time()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ring(cut: Cut, causal: bool, ranks: usize, tokens: f64) -> RingAttention {
        RingAttention {
            cut,
            causal,
            ranks,
            tokens,
            micro_batch: 1.0,
            hidden: 8192.0,
            kv_width: 1024.0,
            head: 128.0,
            link: 370e9,
            alpha: 0.0,
            rate: 494.5e12,
        }
    }

    #[test]
    fn work_of_the_context_lab() {
        let rows = |cut| ring(cut, true, 4, 16.0).hops().into_iter().map(|h| h.pairs).collect::<Vec<_>>();
        assert_eq!(
            rows(Cut::Contiguous),
            [[10., 10., 10., 10.], [0., 16., 16., 16.], [0., 0., 16., 16.], [0., 0., 0., 16.]]
        );
        assert_eq!(rows(Cut::Zigzag), [[10.0; 4], [8.0; 4], [8.0; 4], [8.0; 4]]);
        let wall = |cut: Cut| rows(cut).iter().map(|r| r.iter().copied().fold(0.0, f64::max)).sum::<f64>();
        assert_eq!((wall(Cut::Contiguous), wall(Cut::Zigzag)), (58.0, 34.0));
    }

    #[test]
    fn every_pair_of_the_mask_is_computed_once() {
        // Brute force over tokens.
        for cut in [Cut::Contiguous, Cut::Zigzag] {
            for (ranks, tokens) in [(1, 8), (2, 8), (4, 32), (3, 24)] {
                let owner = |token: usize| match cut {
                    Cut::Contiguous => token / (tokens / ranks),
                    Cut::Zigzag => {
                        let piece = token / (tokens / (2 * ranks));
                        piece.min(2 * ranks - 1 - piece)
                    }
                };
                for causal in [true, false] {
                    let ring = ring(cut, causal, ranks, tokens as f64);
                    let mut counted = vec![vec![0.0; ranks]; ranks];
                    for query in 0..tokens {
                        for key in 0..tokens {
                            if !causal || key <= query {
                                counted[owner(query)][owner(key)] += 1.0;
                            }
                        }
                    }
                    for (hop, work) in ring.hops().iter().enumerate() {
                        for (rank, pairs) in work.pairs.iter().enumerate() {
                            assert_eq!(
                                *pairs,
                                counted[rank][ring.source(rank, hop)],
                                "{cut:?} {ranks} {causal}"
                            );
                        }
                    }
                    let all: f64 = ring.hops().iter().flat_map(|h| &h.pairs).sum();
                    assert_eq!(all, ring.all_pairs());
                }
            }
        }
    }

    #[test]
    fn every_rank_meets_every_block_once() {
        let ring = ring(Cut::Contiguous, true, 7, 70.0);
        for rank in 0..7 {
            let mut met: Vec<usize> = (0..7).map(|hop| ring.source(rank, hop)).collect();
            met.sort_unstable();
            assert_eq!(met, (0..7).collect::<Vec<_>>());
        }
    }

    #[test]
    fn hop_times_of_131k_tokens() {
        let hops = ring(Cut::Contiguous, false, 8, 131_072.0).hops();
        assert!((hops[1].compute - 17.8e-3).abs() < 5e-5 && (hops[1].send - 0.18e-3).abs() < 5e-6);
        assert_eq!(hops[7].send, 0.0);
    }
}
