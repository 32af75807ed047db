//! The numbers of a placement, with their formulas.

use super::seconds_of;
use crate::sim::layout::Axis;
use crate::sim::output::Run;
use crate::sim::plan::{Plan, Traffic};
use crate::sim::quantity::{GB, GB_PER_S, PLAIN, SECONDS, Unit};
use crate::sim::setup;

pub(super) fn outputs(run: &mut Run, (plan, traffic): (&Plan, &[Traffic]), rank: usize) {
    let layout = plan.layout();
    run.found("dp", "DP, what is left", plan.dp as f64, Unit::count("ranks"));
    run.found("ranks", "ranks", layout.ranks() as f64, Unit::count("ranks"));
    run.worked("micro_batches", "micro-batches", Unit::count("micro-batches"), setup::micro_batches(plan));
    const NAMES: [(Axis, [&str; 4], [&str; 4]); 4] = [
        (
            Axis::Tp,
            ["nodes_tp", "sent_tp", "rate_tp", "time_tp"],
            ["TP spans", "a GPU sends for TP", "TP rate", "TP time"],
        ),
        (
            Axis::Cp,
            ["nodes_cp", "sent_cp", "rate_cp", "time_cp"],
            ["CP spans", "a GPU sends for CP", "CP rate", "CP time"],
        ),
        (
            Axis::Dp,
            ["nodes_dp", "sent_dp", "rate_dp", "time_dp"],
            ["DP spans", "a GPU sends for DP", "DP rate", "DP time"],
        ),
        (
            Axis::Pp,
            ["nodes_pp", "sent_pp", "rate_pp", "time_pp"],
            ["PP spans", "a GPU sends for PP", "PP rate", "PP time"],
        ),
    ];
    let all: f64 = traffic.iter().map(|t| t.seconds).sum();
    run.counted(
        ("time_all", "all axes, if nothing hides"),
        all,
        SECONDS,
        "the seconds of every axis, summed",
    );
    run.counted(
        ("compute_time", "compute of a step"),
        plan.compute_seconds(),
        SECONDS,
        "FLOP of a step over what all GPUs achieve",
    );
    let mut names = NAMES;
    // what is split comes first
    names.sort_by_key(|(axis, ..)| layout.degree(*axis) == 1);
    for (axis, names, labels) in names {
        let found = traffic.iter().find(|t| t.axis == axis.name());
        let (nodes, rate) = found.map_or((1, plan.machines.nvlink), |t| (t.nodes, t.bandwidth));
        run.found(names[0], labels[0], nodes as f64, Unit::count("nodes"));
        run.worked_or_0(names[1], labels[1], GB, setup::sent(plan, axis));
        run.found(names[2], labels[2], rate, GB_PER_S);
        run.found(names[3], labels[3], seconds_of(traffic, axis.name()), SECONDS);
    }
    let ep = traffic.iter().find(|t| t.axis == "ep");
    run.found("nodes_ep", "EP spans", ep.map_or(1.0, |t| t.nodes as f64), Unit::count("nodes"));
    run.found("sent_ep", "a GPU sends for EP", ep.map_or(0.0, |t| t.bytes), GB);
    run.found("time_ep", "EP time", ep.map_or(0.0, |t| t.seconds), SECONDS);

    run.found("node", "node of the rank", layout.node(rank) as f64, PLAIN);
    for (axis, name, label) in [
        (Axis::Tp, "at_tp", "TP coordinate"),
        (Axis::Cp, "at_cp", "CP coordinate"),
        (Axis::Dp, "at_dp", "DP coordinate"),
        (Axis::Pp, "at_pp", "PP coordinate"),
    ] {
        run.found(name, label, layout.coordinate(rank, axis) as f64, PLAIN);
    }
}
