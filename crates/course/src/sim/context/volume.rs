//! What each scheme sends.

use crate::sim::attention::RingAttention;
use crate::sim::formula::sequence;
use crate::sim::picture::{Axis, Bar, Bars, Line, Picture, Series, Tone, View};

/// Forward bytes a rank of each scheme over `c` ranks.
pub(super) fn volumes(ring: &RingAttention, c: f64) -> [(&'static str, f64); 3] {
    let (b, s, h, kv) = (ring.micro_batch, ring.tokens, ring.hidden, ring.kv_width);
    [
        ("ring attention", sequence::ring_attention_bytes(b, s, c, kv)),
        ("Ulysses", sequence::ulysses_bytes(b, s, c, h, ring.copied(c))),
        ("Megatron SP", sequence::megatron_sp_bytes(b, s, c, h)),
    ]
}

pub(super) fn bytes_view(ring: &RingAttention) -> View {
    let bar = |(label, bytes): (&str, f64)| Bar {
        label: label.into(),
        pieces: vec![(Tone::Moving, bytes)],
        chosen: false,
        said: None,
    };
    let bars = Bars {
        unit: "GB",
        bars: volumes(ring, ring.ranks as f64).map(bar).to_vec(),
        limit: None,
        reach: 0.0,
        legend: vec![(Tone::Moving, "sent by a rank, a layer, forward")],
    };
    let caption = "Megatron SP also pays for splitting the weights; the other two leave them whole";
    View::still("bytes side by side", caption, Picture::Bars(bars))
}

pub(super) fn ranks_view(ring: &RingAttention) -> View {
    let degrees = || (1..=6).map(|e| f64::from(1 << e));
    let line = |i: usize| Line {
        label: volumes(ring, 2.0)[i].0.to_owned(),
        tone: Tone::Nth(i as u8),
        points: degrees().map(|c| (c, volumes(ring, c)[i].1)).collect(),
    };
    let here = volumes(ring, ring.ranks as f64)[0].1;
    let series = Series {
        x: Axis { label: "ranks", unit: "", log: true },
        y: Axis { label: "sent by a rank, a layer forward", unit: "GB", log: true },
        lines: (0..3).map(line).collect(),
        marks: if ring.ranks > 1 { vec![(ring.ranks as f64, here, "here, ring".into())] } else { Vec::new() },
    };
    let caption =
        "Ulysses sends less with every rank; the ring sends nearly all keys and values whatever the degree";
    View::still("bytes over ranks", caption, Picture::Series(series)).comparing(&[super::knob::ranks])
}
