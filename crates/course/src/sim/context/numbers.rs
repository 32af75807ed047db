//! The numbers of a long sequence, with their formulas.

use super::Knobs;
use crate::sim::attention::{Cut, Hop, RingAttention};
use crate::sim::output::{Results, outputs};
use crate::sim::parameter::plain;
use crate::sim::quantity::{GB, PERCENT, SECONDS, Unit};

const TOKENS: Unit = Unit::count("tokens");

pub(super) fn outputs(run: &mut Results, knobs: &Knobs, (ring, hops): (&RingAttention, &[Hop])) {
    let Knobs { ranks: c, micro_batch: b, sequence: s, hidden: h, link, alpha, rate, .. } = knobs;
    let kv = plain(ring.kv_width);
    let copied = plain(ring.copied(ring.ranks as f64));
    let many = ring.ranks > 1;
    let hop = format!("ring_attention_hop_bytes({b}, {s}, {c}, {kv})");
    let (sent, ulysses) = (
        format!("ring_attention_bytes({b}, {s}, {c}, {kv})"),
        format!("ulysses_bytes({b}, {s}, {c}, {h}, {copied})"),
    );
    let wall: f64 = hops.iter().map(Hop::time).sum();
    let work = |rank: usize| hops.iter().map(|hop| hop.pairs[rank]).sum::<f64>();
    // half of each block is masked everywhere only where the cut is even
    let k = if ring.causal && ring.cut == Cut::Zigzag { 2 } else { 1 };
    let half = format!("{k} * ring_attention_tokens_to_hide({rate}, {link}, {h}, {kv}) / 2");
    outputs! { run;
        hop_bytes "a hop: keys and values" [GB]: "{hop}" if many;
        ring_sent "ring sends, a layer" [GB]: "{sent}";
        ulysses_sent "Ulysses sends, a layer" [GB]: "{ulysses}";
        sp_sent "Megatron SP, a layer" [GB]: "megatron_sp_bytes({b}, {s}, {c}, {h})";
        ring_over_ulysses "ring bytes over Ulysses" [Unit::count("x")]: "{sent} / {ulysses}" if many;
        hop_send "send of one hop" [SECONDS]: "send_time({hop}, {alpha}, {link})" if many;
        wall "attention of a layer" [SECONDS] = wall,
            "the hops one after another; each lasts as long as its busiest rank or its send, whichever is \
             longer";
        ideal "attention, even and free" [SECONDS] = ring.ideal(),
            "the work of all ranks shared out evenly, nothing sent";
        efficiency "useful share of attention" [PERCENT] = if wall > 0.0 { ring.ideal() / wall } else { 1.0 },
            "if even and free, over the attention of a layer";
        exposed "exposed communication" [SECONDS] = hops.iter().map(Hop::exposed).sum::<f64>(),
            "how much longer the sends take than the compute of their hop";
        imbalance "last rank over the first" [Unit::count("x")] = work(ring.ranks - 1) / work(0),
            "pairs of tokens that each computes, over all hops";
        tokens_per_rank "tokens a rank" [TOKENS]: "{s} / {c}";
        tokens_needed "tokens that hide a send" [TOKENS]:
            "{half} + sqrt(({half}) ^ 2 + {k} * {rate} * {alpha} / (4 * {h} * {b}))";
    }
}
