//! What goes between ranks and nodes.

use super::Layer;
use super::router::Routed;
use crate::sim::picture::{Frame, Matrix, Picture};

/// How many nodes beside its own (the first) a token's experts are on, on average.
pub(super) fn remote_nodes(layer: &Layer, routed: &Routed) -> f64 {
    let here = layer.router.experts / layer.ranks * layer.per_node;
    let mut total = 0usize;
    let mut nodes = Vec::with_capacity(layer.router.top);
    for choices in routed.choices.chunks(layer.router.top) {
        nodes.clear();
        nodes.extend(choices.iter().map(|e| *e as usize / here.max(1)).filter(|node| *node > 0));
        nodes.sort_unstable();
        nodes.dedup();
        total += nodes.len();
    }
    total as f64 / layer.router.tokens.max(1) as f64
}

pub(super) fn matrix_frame(layer: &Layer) -> Frame {
    let (ranks, per_rank) = (layer.ranks, layer.router.experts / layer.ranks);
    let sample = layer.router.tokens.min(8192 / ranks);
    let scale = layer.router.tokens as f64 / sample as f64 * layer.hidden * 2.0;
    let demand = layer.router.demand_of_ranks(ranks, sample);
    let row = |(rank, demand): (usize, &Vec<usize>)| {
        let sent = demand.chunks(per_rank).map(|owned| owned.iter().sum::<usize>() as f64 * scale);
        (rank.to_string(), sent.enumerate().map(|(to, bytes)| if to == rank { 0.0 } else { bytes }).collect())
    };
    let matrix = Matrix {
        corner: "from \\ to".into(),
        unit: "MB",
        columns: (0..ranks).map(|r| r.to_string()).collect(),
        rows: demand.iter().enumerate().map(row).collect(),
    };
    let caption = "what the router asks for, before any capacity limit: bytes from a rank to the owners of \
     its tokens' experts; a hot expert shows as a hot column";
    let of = format!("{caption}; counted on the first {sample} tokens of each");
    let caption = if sample < layer.router.tokens { of } else { caption.to_owned() };
    Frame { caption, picture: Picture::Matrix(matrix), now: None }
}
