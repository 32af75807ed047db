//! Mesh placement: ranks of TP x CP x PP x DP on nodes, groups of a rank, which axis on which link.

use crate::sim::cluster::{Model, model_place};
use crate::sim::layout::Axis;
use crate::sim::output::Results;
use crate::sim::parameter::{Number, Parameter, knobs, presets};
use crate::sim::picture::View;
use crate::sim::plan::{Experts, ParallelPlan, Traffic};
use crate::sim::quantity::{PLAIN, Unit};
use crate::sim::{SimKind, setup};

mod links;
mod nodes;
mod numbers;
mod orders;

use links::{links_view, seconds_view};
use nodes::nodes_view;
use numbers::outputs;
use orders::{ORDERS, Order, order_place, orders_frame};

knobs! {
    model: Model = setup::MODEL;
    nodes: Number = setup::NODES;
    per_node: Number = setup::PER_NODE;
    tp: Number = setup::TP;
    cp: Number = setup::CP;
    pp: Number = setup::PP;
    order: Order = Parameter::choice("order of axes", ORDERS,
        "the axis whose ranks are neighbours comes first");
    rank: Number = Parameter::counting("rank", PLAIN, (0.0, 37.0, 4607.0), "the rank whose groups are shown");
    ep: Number = Parameter::doubling("EP", Unit::count("ranks"), (1.0, 1.0, 64.0),
        "expert-parallel degree; it reuses ranks of a stage");
    zero: Number = setup::ZERO;
    micro_batch: Number = setup::MICRO_BATCH;
    sequence: Number = setup::SEQUENCE;
    global_batch: Number = setup::GLOBAL_BATCH;
    nvlink: Number = setup::NVLINK;
    nic: Number = setup::NIC;
}

presets! {
    "70B, TP8 PP4 DP2" {
        model = model_place("70B"), tp = 8.0, pp = 4.0, cp = 1.0, order = order_place("tp-cp-dp-pp")
    }
    "the same, TP slowest" {
        model = model_place("70B"), tp = 8.0, pp = 4.0, cp = 1.0, order = order_place("pp-dp-cp-tp")
    }
    "70B, TP4 CP2 PP4 DP2" { model = model_place("70B"), tp = 4.0, cp = 2.0, pp = 4.0 }
    "70B, pure FSDP" { model = model_place("70B"), tp = 1.0, cp = 1.0, pp = 1.0, zero = 3.0 }
    "175B, TP8 PP8" { model = model_place("175B"), tp = 8.0, pp = 8.0, sequence = 2048.0 }
    "EP8 on TP1 PP4" { model = model_place("7B"), tp = 1.0, pp = 4.0, ep = 8.0 }
}

/// The mesh simulator.
pub(super) const KIND: SimKind = SimKind {
    name: "mesh",
    title: "Mesh placement",
    brief: "which axis on which link",
    about: "The axes of a plan, laid out on ranks and nodes. Choose an order, pick a rank, and see which of \
     its groups stay on NVLink \
            and which cross the network, with bytes and seconds.",
    parameters: PARAMETERS,
    presets: PRESETS,
    run,
};

fn run(values: &[f64]) -> Results {
    let knobs = Knobs::read(values);
    let mut run = Results::default();
    let mut plan = setup::shared!(knobs).plan(&mut run);
    plan.order = knobs.order.axes().to_vec();
    let layout = plan.layout();
    plan.experts = experts(&plan, knobs.ep.count(), &mut run);
    let last = layout.ranks() - 1;
    let rank = knobs.rank.count().min(last);
    run.took(knob::rank, knobs.rank.count(), rank, format!("the ranks go up to {last}"));
    let traffic = plan.traffic();
    run.notes.extend(traffic.iter().filter_map(Traffic::note));
    outputs(&mut run, (&plan, &traffic), rank);
    questions(&mut run, (&plan, &traffic), rank);
    run.views.push(nodes_view(&plan, rank));
    run.views.push(links_view(&traffic));
    run.views.push(seconds_view(&plan, &traffic));
    run.views.push(View::lazy("orders", move || orders_frame(&plan)).comparing(&[knob::order]));
    run
}

fn experts(plan: &ParallelPlan, degree: usize, run: &mut Results) -> Option<Experts> {
    if degree <= 1 {
        return None;
    }
    let stage = plan.tp * plan.cp * plan.dp;
    if !stage.is_multiple_of(degree) {
        run.took(knob::ep, degree, 1, format!("it does not divide the {stage} ranks of a stage"));
        return None;
    }
    let count = 64.max(degree);
    run.notes.push(format!(
        "the model is dense: {count} experts a layer, 2 a token, are assumed in place of its MLP"
    ));
    Some(Experts { count, top: 2, degree })
}

/// Seconds of an axis, or 0.
fn seconds_of(traffic: &[Traffic], axis: &str) -> f64 {
    traffic.iter().find(|t| t.axis == axis).map_or(0.0, |t| t.seconds)
}

fn questions(run: &mut Results, (plan, traffic): (&ParallelPlan, &[Traffic]), rank: usize) {
    let layout = plan.layout();
    let order = layout.order_text();
    run.ask(
        format!("In the order {order}, which pipeline stage is rank {rank} in (counted from 0)?"),
        (layout.coordinate(rank, Axis::Pp) as f64, PLAIN),
        "Divide the rank by the stride of pp, the product of the degrees before it in the order, round down, \
         and take the remainder by pp.",
    );
    let (stride, stages) = (layout.stride(Axis::Pp), plan.pp);
    let (over, stage) = (rank / stride.max(1), layout.coordinate(rank, Axis::Pp));
    run.here(format!(
        "{rank} / {stride} = {over}, rounded down; the remainder of {over} by {stages} is {stage}"
    ));
    run.ask(
        "How many nodes does a group that sums gradients touch? It holds data and context parallel ranks \
         together.",
        (run.value("nodes_dp"), Unit::count("nodes")),
        "Ranks of an axis are one stride apart: once the stride reaches the number of GPUs in a node, every \
         rank is on a different node.",
    );
    let names: Vec<String> = traffic.iter().map(|t| t.label.to_owned()).collect();
    let greatest =
        traffic.iter().enumerate().max_by(|a, b| a.1.seconds.total_cmp(&b.1.seconds)).map(|(i, _)| i);
    if let Some(right) = greatest.filter(|_| names.len() > 1) {
        run.choose(
            "Which axis takes the most seconds a step?",
            (names, right),
            "TP sends activations in every layer of every micro-batch; DP sends gradients once, PP only at stage boundaries. \
             The link then decides how long it takes.",
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::Sim;
    use crate::sim::picture::Picture;

    fn at(set: &[(&str, f64)]) -> Results {
        crate::sim::at(&KIND, set).run()
    }

    #[test]
    fn rank_37_and_traffic_of_the_plan_lab() {
        // The lab takes 64 micro-batches and 70e9 parameters.
        let run = at(&[("global_batch", 128.0)]);
        let at = |name| run.value(name);
        assert_eq!((at("at_tp"), at("at_dp"), at("at_pp"), at("node")), (5.0, 0.0, 2.0, 4.0));
        assert_eq!(
            (at("nodes_tp"), at("nodes_dp"), at("nodes_pp"), at("micro_batches")),
            (1.0, 2.0, 4.0, 64.0)
        );
        assert!((at("sent_tp") / 1e9 - 601.3).abs() < 0.05 && (at("time_tp") - 1.63).abs() < 0.005);
        assert!((at("sent_pp") / 1e9 - 1.1).abs() < 0.05 && (at("time_pp") - 0.02).abs() < 0.005);
        assert!((at("sent_dp") / 1e9 - 4.3).abs() < 0.05 && (at("time_dp") - 0.1).abs() < 0.005);
    }

    #[test]
    fn tensor_parallel_slowest_costs_eight_times() {
        let run = at(&[("global_batch", 128.0), ("order", order_place("pp-dp-cp-tp"))]);
        assert_eq!(run.value("nodes_tp"), 8.0);
        assert!((run.value("time_tp") - 13.36).abs() < 0.005);
    }

    #[test]
    fn formulas_and_plan_agree_on_every_axis() {
        for set in [
            &[("tp", 4.0), ("cp", 2.0), ("pp", 4.0)][..],
            &[("tp", 2.0), ("cp", 4.0), ("pp", 2.0), ("zero", 3.0)],
            &[("tp", 1.0), ("pp", 8.0), ("zero", 2.0), ("model", 3.0)],
            &[("tp", 2.0), ("cp", 32.0), ("pp", 1.0), ("zero", 3.0)],
            &[("tp", 16.0), ("cp", 2.0), ("pp", 2.0)],
        ] {
            let mut sim = Sim::new(&KIND);
            for (name, value) in set {
                sim.set(name, *value).expect("a knob");
            }
            let plan = setup::shared!(Knobs::read(&sim.values)).plan(&mut Results::default());
            let run = sim.run();
            let near = |a: f64, b: f64| (a - b).abs() <= 1e-9 * b.abs();
            assert!(near(run.value("sent_tp"), plan.tensor_bytes()), "{set:?}");
            assert!(near(run.value("sent_pp"), plan.pipeline_bytes()), "{set:?}");
            assert!(near(run.value("sent_dp"), plan.data_bytes()), "{set:?}");
            assert!(near(run.value("sent_cp"), plan.context_bytes()), "{set:?}");
        }
    }

    #[test]
    fn groups_have_the_links_that_their_ranks_have() {
        let rate = |set: &[(&str, f64)], axis| at(set).value(axis) / 1e9;
        let first = ("order", order_place("dp-tp-cp-pp"));
        assert_eq!(rate(&[("tp", 4.0), ("cp", 4.0), ("pp", 2.0), first], "rate_dp"), 90.0);
        assert_eq!(rate(&[("tp", 4.0), ("cp", 2.0), ("pp", 4.0)], "rate_dp"), 90.0);
        assert_eq!(rate(&[("tp", 1.0), ("cp", 64.0), ("pp", 1.0)], "rate_cp"), 45.0);
        assert_eq!(rate(&[("tp", 1.0), ("pp", 16.0)], "rate_pp"), 45.0);
        assert_eq!(rate(&[("tp", 1.0), ("cp", 8.0), ("pp", 1.0)], "rate_cp"), 370.0);
        let alone = at(&[("tp", 4.0), ("cp", 16.0), ("pp", 1.0), ("zero", 3.0)]);
        assert!(alone.value("sent_dp") > 1e12, "state is sharded over context-parallel ranks too");
        let uneven = at(&[("per_node", 6.0), ("nodes", 4.0), ("tp", 8.0), ("pp", 1.0)]);
        assert_eq!(uneven.value("rate_tp"), 90e9, "ranks 6 and 7 share a node with six of the next group");
        assert!(
            uneven.notes.iter().any(|n| n.contains("TP groups are spread unevenly")),
            "{:?}",
            uneven.notes
        );
    }

    #[test]
    fn orders_are_all_and_each_once() {
        let mut seen: Vec<Vec<Axis>> =
            ORDERS.iter().map(|(name, _)| Order::named(name).axes().to_vec()).collect();
        seen.sort();
        seen.dedup();
        assert_eq!(seen.len(), 24);
    }

    #[test]
    fn degrees_that_do_not_fit_are_cut_and_told() {
        let run = at(&[("tp", 64.0), ("pp", 64.0)]);
        assert_eq!(run.value("ranks"), 64.0);
        assert!(run.notes[0].contains("do not fit"), "{:?}", run.notes);
        assert_eq!((run.adjusted[0].knob, run.adjusted[0].asked, run.adjusted[0].taken), ("pp", 64.0, 1.0));
    }

    #[test]
    fn the_grid_shows_every_rank_once() {
        let run = at(&[("per_node", 3.0), ("nodes", 5.0), ("tp", 1.0), ("pp", 1.0)]);
        let Picture::Grid(grid) = run.views[0].frame(0).picture else { panic!("a grid") };
        let texts: Vec<String> = grid
            .rows
            .iter()
            .flat_map(|(_, cells)| cells)
            .map(|c| c.text.trim_matches(|c: char| !c.is_ascii_digit()).to_owned())
            .collect();
        assert_eq!(texts, (0..15).map(|r| r.to_string()).collect::<Vec<_>>());
    }
}
