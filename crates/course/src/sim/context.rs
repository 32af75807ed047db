//! Sequence and context parallelism: ring attention hop by hop, Ulysses, Megatron SP.

use crate::sim::SimKind;
use crate::sim::attention::{Cut, Hop, RingAttention};
use crate::sim::output::Results;
use crate::sim::parameter::{Number, Parameter, choices, knobs, presets};
use crate::sim::quantity::{self, GB, GB_PER_S, PERCENT, PLAIN, SECONDS, TFLOP_PER_S, US, Unit};

mod blocks;
mod heads;
mod numbers;
mod volume;

use blocks::{lanes_view, mask_view};
use heads::ulysses_view;
use numbers::outputs;
use volume::{bytes_view, ranks_view, volumes};

choices! {
    /// What a token sees.
    pub(super) enum Mask {
        /// What comes before it.
        Causal = "causal", "causal";
        /// Everything.
        Full = "full", "full";
    }
}

knobs! {
    ranks: Number = Parameter::doubling("ranks c", Unit::count("ranks"), (1.0, 8.0, 64.0),
        "context-parallel degree");
    sequence: Number = Parameter::doubling("sequence", Unit::count("tokens"), (16.0, 131_072.0, 16_777_216.0),
        "tokens of the sequence");
    micro_batch: Number = Parameter::doubling("micro-batch", Unit::count("sequences"), (1.0, 1.0, 64.0),
        "sequences of a micro-batch");
    hidden: Number = Parameter::doubling("hidden", PLAIN, (64.0, 8192.0, 65536.0),
        "width of the residual stream");
    heads: Number = Parameter::doubling("heads", Unit::count("heads"), (1.0, 64.0, 1024.0),
        "attention heads");
    kv_heads: Number = Parameter::doubling("kv heads", Unit::count("heads"), (1.0, 8.0, 1024.0),
        "key-value heads");
    mask: Mask = Parameter::choice("mask", Mask::OPTIONS, "whether a token sees only what comes before it");
    cut: Cut = Parameter::choice("cut", Cut::OPTIONS,
        "how the sequence is laid out on the ranks; zigzag pairs an early piece with a late one");
    link: Number = Parameter::sliding("link", GB_PER_S, (0.1, 370.0, 2000.0, 10.0),
        "rate between neighbours, per direction; short pieces and slow links expose the sends");
    alpha: Number = Parameter::sliding("latency", US, (0.0, 10.0, 10_000.0, 5.0),
        "fixed time of a hop");
    rate: Number = Parameter::sliding("achieved rate", TFLOP_PER_S, (1.0, 494.5, 5000.0, 50.0),
        "FLOP per second in attention");
}

presets! {
    "70B, 128k tokens, 8 ranks" {
        ranks = 8.0, sequence = 131_072.0, hidden = 8192.0, heads = 64.0, kv_heads = 8.0
    }
    "8B, 32k tokens, 8 ranks" {
        ranks = 8.0, sequence = 32768.0, hidden = 4096.0, heads = 32.0, kv_heads = 8.0
    }
    "7B, every head its own keys" {
        ranks = 8.0, sequence = 131_072.0, hidden = 4096.0, heads = 32.0, kv_heads = 32.0
    }
    "short pieces between nodes" { ranks = 16.0, sequence = 16384.0, link = 45.0 }
    "zigzag" { cut = Cut::Zigzag.place(), mask = Mask::Causal.place() }
}

/// The context-parallel simulator.
pub(super) const KIND: SimKind = SimKind {
    name: "context",
    title: "Long context",
    brief: "one sequence, many ranks",
    about: "One long sequence on several ranks. Keys and values go round a ring, or an all-to-all turns the sequence into heads. \
            See who waits under a causal mask, and what each scheme sends.",
    parameters: PARAMETERS,
    presets: PRESETS,
    run,
};

fn read(knobs: &Knobs, run: &mut Results) -> RingAttention {
    let (ranks, heads, tokens) = (knobs.ranks.count(), knobs.heads.count(), knobs.sequence.count());
    let kv_heads = knobs.kv_heads.count().min(heads);
    run.took(knob::kv_heads, knobs.kv_heads.count(), kv_heads, format!("there are {heads} heads"));
    if !heads.is_multiple_of(ranks) {
        run.notes.push(format!("{heads} heads do not divide over {ranks} ranks: Ulysses cannot split them"));
    } else if !kv_heads.is_multiple_of(ranks) && !ranks.is_multiple_of(kv_heads) {
        run.notes.push(format!(
            "{kv_heads} key-value heads do not divide over {ranks} ranks, nor {ranks} ranks over them: Ulysses cannot split them evenly"
        ));
    }
    let pieces = if knobs.cut == Cut::Zigzag { 2 * ranks } else { ranks };
    if !tokens.is_multiple_of(pieces) {
        run.notes
            .push(format!("{tokens} tokens do not divide into {pieces} pieces: a real run would pad them"));
    }
    let hidden = knobs.hidden.number();
    let head = hidden / heads as f64;
    RingAttention {
        cut: knobs.cut,
        causal: knobs.mask == Mask::Causal,
        ranks,
        tokens: knobs.sequence.number(),
        micro_batch: knobs.micro_batch.number(),
        hidden,
        kv_width: head * kv_heads as f64,
        head,
        link: knobs.link.base(),
        alpha: knobs.alpha.base(),
        rate: knobs.rate.base(),
    }
}

fn run(values: &[f64]) -> Results {
    let knobs = Knobs::read(values);
    let mut run = Results::default();
    let ring = read(&knobs, &mut run);
    let hops = ring.hops();
    outputs(&mut run, &knobs, (&ring, &hops));
    questions(&mut run, &ring, &hops);
    let heads = knobs.heads.count().min(knobs.kv_heads.count());
    if ring.ranks > heads {
        run.notes.push(format!(
            "beyond {heads} ranks, one for each key-value head, Ulysses sends copies of the heads; they are \
             counted"
        ));
    }
    run.views.push(mask_view(&ring, &hops));
    run.views.push(lanes_view(&ring, &hops));
    run.views.push(ulysses_view(&ring));
    run.views.push(bytes_view(&ring));
    run.views.push(ranks_view(&ring));
    run
}

fn questions(run: &mut Results, ring: &RingAttention, hops: &[Hop]) {
    let c = ring.ranks;
    run.ask(
        format!("How many bytes of keys and values does a rank pass on in one hop, with {} tokens on {c} ranks?", quantity::digits(ring.tokens)),
        (run.value("hop_bytes"), GB),
        "Keys and values of its tokens: 2 x s/c x kv width x 2 bytes. With grouped heads the kv width is small.",
    );
    run.asks_for("hop_bytes");
    let names: Vec<String> = volumes(ring, c as f64).iter().map(|(name, _)| (*name).to_owned()).collect();
    let least = |bytes: [(&str, f64); 3]| {
        bytes.iter().enumerate().min_by(|a, b| a.1.1.total_cmp(&b.1.1)).map_or(0, |(i, _)| i)
    };
    run.choose(
        "Which scheme sends the fewest bytes forward here?",
        (names, least(volumes(ring, c as f64))),
        "The ratio of ring to Ulysses is c*hkv/(h+hkv): few key-value heads favour the ring, many ranks \
         favour Ulysses.",
    );
    if c > 1 {
        let idle = hops.get(1).map_or(0, |hop| hop.pairs.iter().filter(|p| **p == 0.0).count());
        run.ask(
            "How many ranks have nothing to do in hop 1?",
            (idle as f64, Unit::count("ranks")),
            "Under a causal mask rank 0 of a contiguous cut meets only keys that come after its queries. Zigzag gives every \
             rank an early and a late piece, so that each hop is even.",
        );
    }
    run.ask(
        "What is the efficiency of attention here: even work over the time it takes?",
        (run.value("efficiency"), PERCENT),
        "A hop takes as long as its busiest rank. With a contiguous cut and a causal mask, the busiest rank \
         computes a whole block in nearly every hop, and on average half of the work is masked.",
    );
    let [even, wall] = ["ideal", "wall"].map(|name| quantity::show(run.value(name), SECONDS));
    let share = quantity::show(run.value("efficiency"), PERCENT);
    run.here(format!("{even} if all work were even, over the {wall} it takes = {share}"));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::Sim;

    fn at(set: &[(&str, f64)]) -> Results {
        crate::sim::at(&KIND, set).run()
    }

    fn mb(run: &Results, name: &str) -> f64 {
        (run.value(name) / 1e5).round() / 10.0
    }

    #[test]
    fn volumes_of_the_two_models() {
        let large = at(&[]);
        assert_eq!(
            (mb(&large, "hop_bytes"), mb(&large, "ring_sent"), mb(&large, "ulysses_sent")),
            (67.1, 469.8, 528.5)
        );
        let mut sim = Sim::new(&KIND);
        sim.apply(&KIND.presets[1]);
        let small = sim.run();
        assert_eq!(
            (mb(&small, "ring_sent"), mb(&small, "ulysses_sent"), mb(&small, "sp_sent")),
            (117.4, 73.4, 939.5)
        );
        sim.apply(&KIND.presets[2]);
        let heads = sim.run();
        assert_eq!(
            (mb(&heads, "ring_sent"), mb(&heads, "ulysses_sent"), mb(&heads, "sp_sent")),
            (1879.0, 469.8, 3758.1)
        );
        assert_eq!(heads.value("ring_over_ulysses"), 4.0);
    }

    #[test]
    fn zigzag_is_even_and_contiguous_is_not() {
        let toy = [("ranks", 4.0), ("sequence", 65536.0), ("alpha", 0.0), ("link", 2000.0)];
        let contiguous = at(&toy);
        // Half a block for all, then three whole ones for the last rank, against two on average.
        assert!((contiguous.value("efficiency") - 4.0 / 7.0).abs() < 1e-4);
        let zigzag = at(&[&toy[..], &[("cut", Cut::Zigzag.place())]].concat());
        assert!((zigzag.value("efficiency") - 1.0).abs() < 1e-9);
        assert_eq!(zigzag.value("imbalance"), 1.0);
    }

    #[test]
    fn enough_tokens_hide_the_hops() {
        let hidden = at(&[("mask", Mask::Full.place())]);
        assert_eq!(hidden.value("exposed"), 0.0);
        let short = at(&[
            ("mask", Mask::Full.place()),
            ("sequence", 16384.0),
            ("ranks", 16.0),
            ("link", 45.0),
            ("alpha", 0.0),
        ]);
        assert!(short.value("tokens_per_rank") < short.value("tokens_needed"));
        assert!(short.value("exposed") > 0.0);
    }
}
