//! The mask in blocks, hop by hop, and who waits.

use crate::sim::attention::{Cut, Hop, RingAttention};
use crate::sim::picture::{Cell, Frame, Grid, Lane, Lanes, Picture, Span, Tone, View};
use crate::sim::quantity::{self, SECONDS};

/// The mask, cut into blocks of one rank's queries and one rank's keys.
pub(super) fn mask_view(ring: &RingAttention, hops: &[Hop]) -> View {
    let ring = *ring;
    let times: Vec<f64> = hops.iter().map(Hop::time).collect();
    View::stepped("blocks hop by hop", ring.ranks, move |hop| {
        let block = (ring.tokens / ring.ranks as f64).powi(2);
        let row = |rank: usize| {
            let cells = (0..ring.ranks).map(|keys| {
                let share = ring.pairs(rank, keys) / block;
                let at = (rank + ring.ranks - keys) % ring.ranks;
                let tone = match at.cmp(&hop) {
                    _ if share == 0.0 => Tone::Empty,
                    std::cmp::Ordering::Less => Tone::Done,
                    std::cmp::Ordering::Equal => Tone::Moving,
                    std::cmp::Ordering::Greater => Tone::Buffer,
                };
                let text = if share == 0.0 { String::new() } else { format!("{:.0}", 100.0 * share) };
                Cell { text, tone }
            });
            (rank.to_string(), cells.collect())
        };
        let grid = Grid {
            corner: "queries \\ keys".into(),
            columns: (0..ring.ranks).map(|c| c.to_string()).collect(),
            rows: (0..ring.ranks).map(row).collect(),
            legend: vec![
                (Tone::Moving, "at work in this hop"),
                (Tone::Done, "done"),
                (Tone::Buffer, "to come, in % of a block"),
                (Tone::Empty, "masked"),
            ],
        };
        let busy = (0..ring.ranks).filter(|r| ring.pairs(*r, ring.source(*r, hop)) > 0.0).count();
        let time = quantity::show(times[hop], SECONDS);
        let (c, last) = (ring.ranks, ring.ranks - 1);
        let whose = match (hop, ring.cut) {
            (0, Cut::Zigzag) => format!("own keys; rank 0 holds pieces 0 and {} of {}", 2 * c - 1, 2 * c),
            (0, Cut::Contiguous) => "own keys".to_owned(),
            _ => format!("rank {last} works on the keys of rank {}", ring.source(last, hop)),
        };
        let caption = format!("hop {hop}, {whose}: {busy} of {c} ranks have work for {time}");
        Frame { caption, picture: Picture::Grid(grid), now: None }
    })
}

pub(super) fn lanes_view(ring: &RingAttention, hops: &[Hop]) -> View {
    let mut lanes: Vec<Lane> =
        (0..ring.ranks).map(|r| Lane { label: format!("rank {r}"), spans: Vec::new() }).collect();
    let mut network = Lane { label: "network".into(), spans: Vec::new() };
    let mut now = 0.0;
    for (i, hop) in hops.iter().enumerate() {
        for (rank, pairs) in hop.pairs.iter().enumerate().filter(|(_, pairs)| **pairs > 0.0) {
            let number = ring.source(rank, i) as u32;
            let end = now + ring.seconds(*pairs);
            lanes[rank].spans.push(Span { start: now, end, tone: Tone::Forward, number, part: 0 });
        }
        let hidden = hop.send.min(hop.compute);
        let (number, part) = (i as u32, 0);
        if hidden > 0.0 {
            network.spans.push(Span { start: now, end: now + hidden, tone: Tone::Hidden, number, part });
        }
        if hop.send > hop.compute {
            let (start, end) = (now + hop.compute, now + hop.send);
            network.spans.push(Span { start, end, tone: Tone::Exposed, number, part });
        }
        now += hop.time();
    }
    lanes.push(network);
    let lanes = Lanes {
        unit: "s",
        end: now,
        lanes,
        marks: Vec::new(),
        names: Vec::new(),
        legend: vec![
            (Tone::Forward, "attention to the keys of that rank"),
            (Tone::Hidden, "keys and values passed on, hidden"),
            (Tone::Exposed, "exposed"),
            (Tone::Idle, "waiting"),
        ],
    };
    let ranks = ring.ranks;
    View::timeline("who waits", lanes, move |lanes, now| {
        let busy = (0..ranks).filter(|r| lanes.span_at(*r, now).is_some()).count();
        if now >= lanes.end {
            return "a hop ends when the rank with the most work is done".into();
        }
        format!("{}: {busy} of {ranks} ranks at work", quantity::show(now, SECONDS))
    })
}
