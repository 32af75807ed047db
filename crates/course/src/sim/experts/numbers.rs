//! The numbers of a routed batch, with their formulas.

use super::router::{Kept, Routed, Router};
use super::traffic::remote_nodes;
use super::{Layer, TOKENS, most};
use crate::sim::output::Run;
use crate::sim::parameter::{Settings, plain};
use crate::sim::quantity::{GB, PERCENT, PLAIN, SECONDS, Unit};

pub(super) fn outputs(
    run: &mut Run,
    (settings, layer): (&Settings, &Layer),
    (routed, kept): (&Routed, &Kept),
) {
    let Router { tokens, experts, top, .. } = layer.router;
    let [t, k, n] = [tokens, top, experts].map(|n| plain(n as f64));
    let (h, e, g) = (plain(layer.hidden), plain(layer.ranks as f64), plain(layer.per_node as f64));
    let assignments = (tokens * top) as f64;
    let room =
        layer.capacity.map(|_| format!("expert_capacity({t}, {k}, {n}, {})", settings.term("capacity")));
    run.worked_or_0(
        "capacity_tokens",
        if room.is_some() { "capacity of an expert" } else { "capacity: no limit" },
        TOKENS,
        room.clone(),
    );
    run.counted(
        ("hottest", "want the hottest expert"),
        most(&routed.demand),
        TOKENS,
        "counted over the batch that the router drew",
    );
    run.counted(
        ("imbalance", "hottest over the mean"),
        routed.imbalance(),
        Unit::count("times"),
        "tokens of the hottest expert over the even share",
    );
    run.counted(
        ("dropped", "assignments dropped"),
        kept.dropped as f64,
        Unit::count("assignments"),
        "choices that found their expert full, in the order of the tokens",
    );
    run.counted(
        ("drop_share", "of them dropped, of all"),
        kept.dropped as f64 / assignments,
        PERCENT,
        "assignments dropped over tokens x experts a token",
    );
    run.counted(
        ("lost", "with no expert at all"),
        kept.lost as f64,
        TOKENS,
        "tokens all of whose experts were full; they keep their residual alone",
    );
    let mean = assignments / experts as f64;
    let slots = layer.capacity.map_or(most(&kept.load), |c| c as f64);
    run.counted(
        ("efficiency", "useful share of expert work"),
        useful(kept, slots),
        PERCENT,
        "tokens computed over the slots that the experts run, padding included",
    );
    run.worked(
        "load_efficiency",
        "useful share, if dropless",
        PERCENT,
        format!("load_efficiency({}, {})", plain(mean), plain(most(&routed.demand))),
    );
    run.counted(
        ("aux_loss", "auxiliary loss; 1 is even"),
        routed.aux_loss(),
        PLAIN,
        "experts times the sum over experts of (share of assignments x mean probability)",
    );
    let dispatch = match &room {
        Some(room) => format!("dispatch_bytes_padded({n}, {room}, {h}, {e})"),
        None => format!("dispatch_bytes({t}, {k}, {h}, {e})"),
    };
    run.worked("dispatch", "dispatch, sent by a rank", GB, dispatch.clone());
    run.worked("sent", "sent by a rank, whole step", GB, format!("4 * {dispatch}"));
    let crossing = format!("node_crossing_share({e}, {g})");
    run.worked("crossing_share", "of it leaves the node", PERCENT, crossing.clone());
    // The share of peers' bytes that crosses: of all tokens, not only of those sent.
    let leaving = format!("{dispatch} * {crossing} * {e} / max({e} - 1, 1)");
    run.worked("crossing", "a dispatch through the NIC", GB, leaving.clone());
    let (nic, nvlink) = (settings.term("nic"), settings.term("nvlink"));
    run.worked(
        "time",
        "dispatch and combine, if even",
        SECONDS,
        format!("2 * max({leaving} / ({nic}), {dispatch} / ({nvlink}))"),
    );
    run.counted(
        ("nodes_a_token", "other nodes a token goes to"),
        remote_nodes(layer, routed),
        Unit::count("nodes"),
        "counted over the batch: nodes of a token's experts beside its own",
    );
}

/// Tokens computed over the slots that all experts run while the fullest one works.
fn useful(kept: &Kept, slots: f64) -> f64 {
    let taken: usize = kept.load.iter().sum();
    if slots > 0.0 { taken as f64 / (slots * kept.load.len() as f64) } else { 1.0 }
}
