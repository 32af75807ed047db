//! The numbers of a long sequence, with their formulas.

use super::ring::{Cut, Hop, Ring};
use crate::sim::output::Run;
use crate::sim::parameter::{Settings, plain};
use crate::sim::quantity::{GB, PERCENT, SECONDS, Unit};

pub(super) fn outputs(run: &mut Run, (settings, ring): (&Settings, &Ring), hops: &[Hop]) {
    let [b, s, h] = ["micro_batch", "sequence", "hidden"].map(|name| settings.term(name));
    let (c, kv) = (plain(ring.ranks as f64), plain(ring.kv_width));
    let copied = plain(ring.copied(ring.ranks as f64));
    let alone = ring.ranks < 2;
    let rate = settings.term("rate");
    let hop = format!("ring_attention_hop_bytes({b}, {s}, {c}, {kv})");
    run.worked_or_0("hop_bytes", "a hop: keys and values", GB, (!alone).then(|| hop.clone()));
    run.worked(
        "ring_sent",
        "ring sends, layer forward",
        GB,
        format!("ring_attention_bytes({b}, {s}, {c}, {kv})"),
    );
    run.worked(
        "ulysses_sent",
        "Ulysses sends, layer forward",
        GB,
        format!("ulysses_bytes({b}, {s}, {c}, {h}, {copied})"),
    );
    run.worked("sp_sent", "Megatron SP sends, forward", GB, format!("megatron_sp_bytes({b}, {s}, {c}, {h})"));
    let ratio =
        format!("ring_attention_bytes({b}, {s}, {c}, {kv}) / ulysses_bytes({b}, {s}, {c}, {h}, {copied})");
    let ratio = (!alone).then_some(ratio);
    run.worked_or_0("ring_over_ulysses", "bytes of ring over Ulysses", Unit::count("x"), ratio);
    let send = format!("send_time({hop}, {}, {})", settings.term("alpha"), settings.term("link"));
    run.worked_or_0("hop_send", "send of one hop", SECONDS, (!alone).then_some(send));
    let wall: f64 = hops.iter().map(Hop::time).sum();
    let exposed: f64 = hops.iter().map(|h| h.time() - h.compute).sum();
    run.counted(
        ("wall", "attention of a layer, forward"),
        wall,
        SECONDS,
        "the hops one after another; each lasts as long as its busiest rank or its send",
    );
    run.counted(
        ("ideal", "the same, if even and free"),
        ring.ideal(),
        SECONDS,
        "the work of all ranks shared out evenly, nothing sent",
    );
    run.counted(
        ("efficiency", "useful share of that time"),
        if wall > 0.0 { ring.ideal() / wall } else { 1.0 },
        PERCENT,
        "if even and free / attention of a layer",
    );
    run.counted(
        ("exposed", "exposed communication"),
        exposed,
        SECONDS,
        "what the sends take beyond the compute of their hop",
    );
    let work = |rank: usize| hops.iter().map(|hop| hop.pairs[rank]).sum::<f64>();
    run.counted(
        ("imbalance", "last rank's work over the first's"),
        work(ring.ranks - 1) / work(0),
        Unit::count("times"),
        "pairs of tokens that each computes, over all hops",
    );
    run.worked("tokens_per_rank", "tokens a rank", Unit::count("tokens"), format!("{s} / {c}"));
    // half of each block is masked everywhere only where the cut is even
    let k = if ring.causal && ring.cut == Cut::Zigzag { 2 } else { 1 };
    let (link, alpha) = (settings.term("link"), settings.term("alpha"));
    let half = format!("{k} * ring_attention_tokens_to_hide({rate}, {link}, {h}, {kv}) / 2");
    run.worked(
        "tokens_needed",
        "tokens a rank that hide a send",
        Unit::count("tokens"),
        format!("{half} + sqrt(({half}) ^ 2 + {k} * {rate} * {alpha} / (4 * {h} * {b}))"),
    );
}
