//! Long context: pairs counted query by query, key blocks handed on by ranks with clocks, heads dealt out one by one.

use infralens_course::sim::Results;
use infralens_course::sim::picture::Tone;

use super::shown::{agree_in_all, bars, busy, curve, grids, near, number};
use super::{Dice, SETTINGS, Set, tell};

/// A sequence on some ranks.
#[derive(Clone, Copy)]
struct Job {
    ranks: usize,
    sequence: usize,
    batch: usize,
    hidden: usize,
    heads: usize,
    kv_heads: usize,
    causal: bool,
    zigzag: bool,
    rate: f64,
    link: f64,
    alpha: f64,
}

impl Job {
    /// The tokens of a rank, as ranges.
    fn tokens(&self, rank: usize) -> Vec<(usize, usize)> {
        let pieces = if self.zigzag { 2 * self.ranks } else { self.ranks };
        let piece = |i: usize| (self.sequence / pieces * i, self.sequence / pieces * (i + 1));
        if self.zigzag { vec![piece(rank), piece(pieces - 1 - rank)] } else { vec![piece(rank)] }
    }

    /// Seconds that a rank works on the keys of another, query by query.
    fn work(&self, rank: usize, owner: usize) -> f64 {
        let mut pairs = 0usize;
        for (begin, end) in self.tokens(rank) {
            for query in begin..end {
                for (first, past) in self.tokens(owner) {
                    let seen = if self.causal { past.min(query + 1) } else { past };
                    pairs += seen.saturating_sub(first);
                }
            }
        }
        // a product with the keys, one with the values: two FLOP a number each
        (pairs * 4 * self.hidden * self.batch) as f64 / self.rate
    }

    /// Bytes of the keys and values of one rank.
    fn block(&self) -> f64 {
        let head = self.hidden as f64 / self.heads as f64;
        (2 * self.batch * self.kv_heads * 2) as f64 * head * self.sequence as f64 / self.ranks as f64
    }

    fn hop(&self) -> f64 {
        self.alpha + self.block() / self.link
    }

    /// When the last rank is done, and how long nobody computed. A rank hands a block on as soon as it has it.
    fn run(&self, work: &[Vec<f64>]) -> (f64, f64) {
        let mut spans = Vec::new();
        for (rank, work) in work.iter().enumerate() {
            let mut clock = 0.0f64;
            for hop in 0..self.ranks {
                let arrives = hop as f64 * self.hop();
                let begins = clock.max(arrives);
                clock = begins + work[(rank + self.ranks - hop) % self.ranks];
                spans.push((begins, clock));
            }
        }
        spans.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (mut end, mut computing) = (0.0f64, 0.0);
        for (begins, ends) in spans {
            computing += (ends - begins.max(end)).max(0.0);
            end = end.max(ends);
        }
        (end, end - computing)
    }

    /// Bytes that rank 0 sends in the all-to-alls of Ulysses: queries, keys and values away, its output back.
    fn ulysses(&self) -> f64 {
        let head = self.hidden as f64 / self.heads as f64;
        let each = self.heads / self.ranks;
        let tokens = (self.sequence * self.batch) as f64 / self.ranks as f64;
        let mut most = 0.0f64;
        for from in 0..self.ranks {
            let mut sent = 0.0;
            for to in (0..self.ranks).filter(|to| *to != from) {
                let queries = to * each..(to + 1) * each;
                let mut keys: Vec<usize> =
                    queries.clone().map(|query| query / (self.heads / self.kv_heads)).collect();
                keys.dedup();
                sent += tokens * head * 2.0 * (queries.len() + 2 * keys.len()) as f64;
                sent += tokens * head * 2.0 * each as f64;
            }
            most = most.max(sent);
        }
        most
    }

    /// Two all-gathers and two reduce-scatters of all tokens, round a ring.
    fn megatron(&self) -> f64 {
        let whole = (self.batch * self.sequence * self.hidden * 2) as f64;
        (0..4).flat_map(|_| 1..self.ranks).map(|_| whole / self.ranks as f64).sum()
    }

    /// Tokens a rank at which the busiest rank of a hop computes as long as the hop is sent.
    fn tokens_needed(&self) -> f64 {
        let seen = if self.causal && self.zigzag { 0.5 } else { 1.0 };
        let head = self.hidden as f64 / self.heads as f64;
        let waits = |tokens: f64| {
            let computes = seen * tokens * tokens * (4 * self.hidden * self.batch) as f64 / self.rate;
            let block = (2 * self.batch * self.kv_heads * 2) as f64 * head * tokens;
            computes < self.alpha + block / self.link
        };
        let (mut low, mut high) = (0.0, 1e12);
        for _ in 0..200 {
            let middle = (low + high) / 2.0;
            if waits(middle) { low = middle } else { high = middle }
        }
        high
    }

    /// Whether every rank gets whole heads, and whole groups of queries where it has several K/V heads.
    fn splits(&self) -> bool {
        self.heads.is_multiple_of(self.ranks)
            && (self.kv_heads.is_multiple_of(self.ranks) || self.ranks.is_multiple_of(self.kv_heads))
    }
}

#[test]
fn context_query_by_query() {
    let mut dice = Dice(104);
    let mut split = 0;
    for turn in 0..SETTINGS + 60 {
        let ranks = dice.of(&[1, 2, 3, 4, 5, 6, 7, 8, 12, 16]);
        let piece = if turn < SETTINGS { dice.from(1, 700) } else { dice.of(&[1, 2, 1500]) };
        let sequence = (2 * ranks * piece).max(16usize.next_multiple_of(2 * ranks));
        let group = dice.of(&[1, 1, 2, 4, 8]);
        let kv_heads = dice.of(&[1, 2, 3, 4, 6, 8, 12]);
        let heads = group * kv_heads;
        let hidden = (heads * dice.of(&[64, 80, 128])).max(64);
        let (causal, zigzag) = (dice.of(&[true, true, false]), dice.of(&[true, false]));
        let (link, us, rate) =
            (dice.between(0.1, 400.0), dice.of(&[0, 5, 50, 10_000]), dice.between(20.0, 1000.0));
        let batch = dice.from(1, 4);
        let set = Set::default()
            .with("ranks", ranks)
            .with("sequence", sequence)
            .with("micro_batch", batch)
            .with("hidden", hidden)
            .with("heads", heads)
            .with("kv_heads", kv_heads)
            .with("mask", if causal { "causal" } else { "full" })
            .with("cut", if zigzag { "zigzag" } else { "contiguous" })
            .with("link", link)
            .with("alpha", us)
            .with("rate", rate);
        let job = Job {
            ranks,
            sequence,
            batch,
            hidden,
            heads,
            kv_heads,
            causal,
            zigzag,
            rate: rate * 1e12,
            link: link * 1e9,
            alpha: us as f64 / 1e6,
        };
        let run = set.run("context");
        let work: Vec<Vec<f64>> =
            (0..ranks).map(|rank| (0..ranks).map(|owner| job.work(rank, owner)).collect()).collect();
        let spent: Vec<f64> = work.iter().map(|row| row.iter().sum()).collect();
        let (wall, exposed) = job.run(&work);
        let ideal = spent.iter().sum::<f64>() / ranks as f64;
        let ring = (1..ranks).map(|_| job.block()).sum::<f64>();
        let refused = run.notes.iter().any(|note| note.contains("Ulysses cannot split"));
        assert_eq!(refused, !job.splits() && ranks > 1, "{:?} {set:?}", run.notes);
        let ulysses = if refused { run.value("ulysses_sent") } else { job.ulysses() };
        split += usize::from(!refused);
        let away = |value: f64| if ranks > 1 { value } else { 0.0 };
        agree_in_all(
            &run,
            &set,
            &[
                ("hop_bytes", away(job.block())),
                ("ring_sent", ring),
                ("ulysses_sent", ulysses),
                ("sp_sent", job.megatron()),
                ("ring_over_ulysses", if ulysses > 0.0 { ring / ulysses } else { 0.0 }),
                ("hop_send", away(job.hop())),
                ("wall", wall),
                ("ideal", ideal),
                ("efficiency", ideal / wall),
                ("exposed", exposed),
                ("imbalance", spent[ranks - 1] / spent[0]),
                ("tokens_per_rank", sequence as f64 / ranks as f64),
                ("tokens_needed", job.tokens_needed()),
            ],
        );
        let lanes = busy(&run, "who waits", &[Tone::Forward, Tone::Backward, Tone::Chosen, Tone::Done]);
        let numbered = (0..64).map(Tone::Nth).collect::<Vec<_>>();
        let coloured = busy(&run, "who waits", &numbered);
        for rank in 0..ranks.min(lanes.len() - usize::from(ranks > 1)) {
            near(
                lanes[rank] + coloured[rank],
                spent[rank],
                wall * 1e-9,
                &format!("rank {rank} at work"),
                &set,
            );
        }
        for (label, pieces) in bars(&run, "bytes side by side") {
            let counted = match label.as_str() {
                "ring attention" => ring,
                "Ulysses" => ulysses,
                _ => job.megatron(),
            };
            near(pieces.iter().map(|(_, bytes)| bytes).sum(), counted, 1.0, &label, &set);
        }
        over_ranks(&run, &set, job);
        who_attends_to_what(&run, &set, job, &work);
        who_holds_which_heads(&run, &set, job);
    }
    assert!(split > SETTINGS / 3, "Ulysses was counted {split} times");
    tell();
}

/// The curves over ranks, each point of them counted.
fn over_ranks(run: &Results, set: &Set, job: Job) {
    let at = |ranks: f64| Job { ranks: ranks.round() as usize, ..job };
    for label in ["ring attention", "Ulysses", "Megatron SP"] {
        for (ranks, sent) in curve(run, "bytes over ranks", label) {
            let job = at(ranks);
            let counted = match label {
                "ring attention" => (1..job.ranks).map(|_| job.block()).sum(),
                "Ulysses" if !job.splits() => continue,
                "Ulysses" => job.ulysses(),
                _ => job.megatron(),
            };
            near(sent, counted, 1.0, &format!("{label} over {ranks} ranks"), set);
        }
    }
}

/// The grid of blocks, hop by hop: how much of each is seen, and when its rank gets to it.
fn who_attends_to_what(run: &Results, set: &Set, job: Job, work: &[Vec<f64>]) {
    let tokens = (job.sequence / job.ranks) as f64;
    let whole = tokens * tokens * (4 * job.hidden * job.batch) as f64 / job.rate;
    let hops = grids(run, "blocks hop by hop");
    assert_eq!(hops.len(), job.ranks, "{set:?}");
    for (hop, grid) in hops.iter().enumerate() {
        assert_eq!(grid.rows.len(), job.ranks, "{set:?}");
        for (rank, (_, cells)) in grid.rows.iter().enumerate() {
            for (owner, cell) in cells.iter().enumerate() {
                let what = format!("hop {hop}, rank {rank}, keys of {owner}");
                let said = if cell.text.is_empty() { 0.0 } else { number(&cell.text) / 100.0 };
                near(said, work[rank][owner] / whole, 0.0051, &what, set);
                // keys come from the rank before, one rank further each hop
                let counted = match (rank + job.ranks - owner) % job.ranks {
                    _ if work[rank][owner] == 0.0 => Tone::Empty,
                    comes if comes < hop => Tone::Done,
                    comes if comes == hop => Tone::Moving,
                    _ => Tone::Buffer,
                };
                assert_eq!(cell.tone, counted, "{what}: {set:?}");
            }
        }
    }
}

/// The grid of Ulysses: each rank has its tokens for all heads, then its heads for all tokens, then its tokens again.
fn who_holds_which_heads(run: &Results, set: &Set, job: Job) {
    let steps = grids(run, "Ulysses");
    assert_eq!(steps.len(), 3, "{set:?}");
    for (step, grid) in steps.iter().enumerate() {
        for (tokens, (_, cells)) in grid.rows.iter().enumerate() {
            for (heads, cell) in cells.iter().enumerate() {
                let holder = if step == 1 { heads } else { tokens };
                assert_eq!(
                    cell.text,
                    holder.to_string(),
                    "step {step}, tokens {tokens}, heads {heads}: {set:?}"
                );
            }
        }
        // of many ranks the first stand for all
        assert_eq!(grid.rows.len(), job.ranks.min(8), "{set:?}");
    }
}
