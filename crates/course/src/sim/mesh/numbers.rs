//! The numbers of a placement, with their formulas.

use super::seconds_of;
use crate::sim::layout::Axis;
use crate::sim::output::{Results, outputs};
use crate::sim::plan::{ParallelPlan, Traffic};
use crate::sim::quantity::{GB, GB_PER_S, PLAIN, SECONDS, Unit};
use crate::sim::setup;

const NODES: Unit = Unit::count("nodes");
const RANKS: Unit = Unit::count("ranks");

pub(super) fn outputs(run: &mut Results, (plan, traffic): (&ParallelPlan, &[Traffic]), rank: usize) {
    let layout = plan.layout();
    let all: f64 = traffic.iter().map(|t| t.seconds).sum();
    run.group = "the job";
    outputs! { run;
        dp "ranks of DP" [RANKS] = plan.dp as f64;
        ranks "ranks" [RANKS] = layout.ranks() as f64;
        micro_batches "micro-batches" [Unit::count("micro-batches")]: setup::micro_batches(plan);
        time_all "all axes, if nothing hides" [SECONDS] = all, "the seconds of every axis, summed";
        compute_time "compute of a step" [SECONDS] = plan.compute_seconds(),
            "FLOP of a step over what all GPUs achieve";
    }
    let mut axes = Axis::ALL;
    // what is split comes first
    axes.sort_by_key(|axis| !traffic.iter().any(|t| t.axis == axis.name()));
    for axis in axes {
        of_axis(run, (plan, traffic), axis);
    }
    let ep = traffic.iter().find(|t| t.axis == "ep");
    run.group = "expert parallelism";
    outputs! { run;
        nodes_ep "EP spans" [NODES] = ep.map_or(1.0, |t| t.nodes as f64);
        sent_ep "a GPU sends for EP" [GB] = ep.map_or(0.0, |t| t.bytes);
        time_ep "EP time" [SECONDS] = ep.map_or(0.0, |t| t.seconds);
    }
    run.group = "the chosen rank";
    outputs! { run;
        node "node of the rank" [PLAIN] = layout.node(rank) as f64;
        at_tp "TP coordinate" [PLAIN] = layout.coordinate(rank, Axis::Tp) as f64;
        at_cp "CP coordinate" [PLAIN] = layout.coordinate(rank, Axis::Cp) as f64;
        at_dp "DP coordinate" [PLAIN] = layout.coordinate(rank, Axis::Dp) as f64;
        at_pp "PP coordinate" [PLAIN] = layout.coordinate(rank, Axis::Pp) as f64;
    }
}

/// How far an axis reaches, what it sends, over which rate, for how long. An axis of one rank sends nothing.
fn of_axis(run: &mut Results, (plan, traffic): (&ParallelPlan, &[Traffic]), axis: Axis) {
    let found = traffic.iter().find(|t| t.axis == axis.name());
    let (nodes, rate) = found.map_or((1.0, plan.machines.nvlink), |t| (t.nodes as f64, t.bandwidth));
    let (sent, time) = (setup::sent(plan, axis), seconds_of(traffic, axis.name()));
    match axis {
        Axis::Tp => {
            run.group = "tensor parallelism";
            outputs! { run;
            nodes_tp "TP spans" [NODES] = nodes;
            sent_tp "a GPU sends for TP" [GB]: sent;
            rate_tp "TP rate" [GB_PER_S] = rate;
            time_tp "TP time" [SECONDS] = time;
            }
        }
        Axis::Cp => {
            run.group = "context parallelism";
            outputs! { run;
            nodes_cp "CP spans" [NODES] = nodes;
            sent_cp "a GPU sends for CP" [GB]: sent;
            rate_cp "CP rate" [GB_PER_S] = rate;
            time_cp "CP time" [SECONDS] = time;
            }
        }
        Axis::Dp => {
            run.group = "data parallelism";
            outputs! { run;
            nodes_dp "DP spans, with CP" [NODES] = nodes, "nodes of a group that sums gradients: DP times CP";
            sent_dp "a GPU sends for DP" [GB]: sent;
            rate_dp "DP rate" [GB_PER_S] = rate, "that of the groups over DP times CP";
            time_dp "DP time" [SECONDS] = time;
            }
        }
        Axis::Pp => {
            run.group = "pipeline parallelism";
            outputs! { run;
            nodes_pp "PP spans" [NODES] = nodes;
            sent_pp "a GPU sends for PP" [GB]: sent;
            rate_pp "PP rate" [GB_PER_S] = rate;
            time_pp "PP time" [SECONDS] = time;
            }
        }
    }
}
