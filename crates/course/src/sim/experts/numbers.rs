//! The numbers of a routed batch, with their formulas.

use super::router::{Kept, Routed, Router};
use super::traffic::remote_nodes;
use super::{Knobs, Layer, TOKENS, most};
use crate::sim::output::{Results, outputs};
use crate::sim::parameter::plain;
use crate::sim::quantity::{GB, PERCENT, PLAIN, SECONDS, Unit};

pub(super) fn outputs(run: &mut Results, (knobs, layer): (&Knobs, &Layer), (routed, kept): (&Routed, &Kept)) {
    let Router { tokens: t, experts: n, top: k, .. } = layer.router;
    let Knobs { capacity, hidden: h, nic, nvlink, .. } = knobs;
    let (e, g, most_here) = (layer.ranks, layer.group().fewest(), layer.group().most());
    let assignments = (t * k) as f64;
    let mean = assignments / n as f64;
    let slots = layer.capacity.map_or(most(&kept.load), |c| c as f64);
    let room = layer.capacity.map(|_| format!("expert_capacity({t}, {k}, {n}, {capacity})"));
    let dispatch = match &room {
        Some(room) => format!("dispatch_bytes_padded({n}, {room}, {h}, {e})"),
        None => format!("dispatch_bytes({t}, {k}, {h}, {e})"),
    };
    let (even, hottest) = (plain(mean), plain(most(&routed.demand)));
    let crossing = format!("node_crossing_share({e}, {g})");
    // The share of peers' bytes that crosses: of all tokens, not only of those sent.
    let leaving = format!("{dispatch} * {crossing} * {e} / max({e} - 1, 1)");
    let staying = format!("{dispatch} * ({most_here} - 1) / max({e} - 1, 1)");
    let label = if room.is_some() { "capacity in tokens" } else { "tokens: no limit" };
    run.work("capacity_tokens", label, TOKENS, room);
    outputs! { run;
        hottest "tokens for the hottest" [TOKENS] = most(&routed.demand),
            "counted over the batch that the router drew";
        imbalance "hottest over mean load" [Unit::count("x")] = routed.imbalance(),
            "tokens of the hottest expert over the even share";
        dropped "assignments dropped" [Unit::count("assignments")] = kept.dropped as f64,
            "choices that found their expert full, in the order of the tokens";
        drop_share "share dropped" [PERCENT] = kept.dropped as f64 / assignments,
            "assignments dropped over tokens times experts a token";
        lost "tokens with no expert" [TOKENS] = kept.lost as f64,
            "tokens all of whose experts were full; they keep only their residual";
        efficiency "useful expert work" [PERCENT] = useful(kept, slots),
            "tokens computed over the slots that the experts run, padding included";
        load_efficiency "useful work, if dropless" [PERCENT]: "load_efficiency({even}, {hottest})";
        aux_loss "auxiliary loss; 1 is even" [PLAIN] = routed.aux_loss(),
            "experts times the sum over experts of their share of assignments times their mean probability";
        dispatch "dispatch, sent by a rank" [GB]: "{dispatch}";
        sent "sent by a rank, whole step" [GB]: "4 * {dispatch}";
        crossing_share "tokens that leave the node" [PERCENT]: "{crossing}" if e > g;
        crossing "a dispatch through the NIC" [GB]: "{dispatch} * {crossing} * {e} / max({e} - 1, 1)";
        time "dispatch and combine, even" [SECONDS]:
            "2 * max({leaving} / ({nic}), {staying} / ({nvlink}))";
        nodes_a_token "other nodes for a token" [Unit::count("nodes")] = remote_nodes(layer, routed),
            "counted over the batch: nodes of a token's experts beside its own";
    }
}

/// Tokens computed over the slots that all experts run while the fullest one works.
fn useful(kept: &Kept, slots: f64) -> f64 {
    let taken: usize = kept.load.iter().sum();
    if slots > 0.0 { taken as f64 / (slots * kept.load.len() as f64) } else { 1.0 }
}
