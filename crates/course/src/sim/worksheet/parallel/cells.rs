//! The cells beside the plan: its ledger, the communication table, and texts.

use super::super::{folded, unreadable};
use super::AXES;
use crate::sim::plan::{Finding, ParallelPlan, Traffic};
use crate::sim::quantity;

/// A cell that is not part of the plan: a number of the ledger, a row of the communication table, or a text.
pub(super) fn other_cell(id: &str, text: &str, plan: &ParallelPlan, traffic: &[Traffic]) -> Finding {
    let ledger = plan.ledger();
    let gb = |bytes: f64| (bytes / 1e9, unit_of(id).unwrap_or_default(), 5.0);
    let expected = match id {
        "weights" => gb(ledger.weights),
        "gradients" => gb(ledger.gradients),
        "optimizer" => gb(ledger.optimizer),
        "activations" => gb(ledger.activations),
        "total" => gb(ledger.total),
        "micro_batches" => (ledger.micro_batches, "", 0.0),
        "bubble" => (ledger.bubble * 100.0, "%", 5.0),
        "bottleneck" => return bottleneck(text, plan, traffic),
        _ => return row_cell(id, text, traffic),
    };
    near(id, text, expected)
}

/// The unit of a cell that takes a number; none where it takes words.
pub(super) fn unit_of(id: &str) -> Option<&'static str> {
    match id {
        "weights" | "gradients" | "optimizer" | "activations" | "total" => Some("GB"),
        "micro_batches" => Some(""),
        "bubble" => Some("%"),
        _ => match id.split_once('.').filter(|(axis, _)| AXES.contains(axis)) {
            Some((_, "bytes")) => Some("GB"),
            Some((_, "seconds")) => Some("s"),
            _ => None,
        },
    }
}

/// A number within some per cent of the right one.
fn near(id: &str, text: &str, (right, unit, tolerance): (f64, &str, f64)) -> Finding {
    let given = match quantity::read(text, unit) {
        Ok(given) => given,
        Err(fault) => return unreadable(id, &fault),
    };
    let finding = Finding::about(id, &[id]);
    let shown = |number: f64| format!("{} {unit}", quantity::digits(number)).trim().to_owned();
    if (given - right).abs() <= tolerance / 100.0 * right.abs() + 0.051 {
        return finding.well(format!("{} is right", shown(given)), shown(right));
    }
    let what = format!("{} is not what this plan gives", shown(given));
    finding.faulty(what, shown(right), "work it out from the degrees again")
}

fn row_cell(id: &str, text: &str, traffic: &[Traffic]) -> Finding {
    let finding = Finding::about(id, &[id]);
    let Some((axis, column)) = id.split_once('.').filter(|(axis, _)| AXES.contains(axis)) else {
        return finding.well("it is filled in; only you can judge it", "");
    };
    let Some(traffic) = traffic.iter().find(|t| t.axis == axis) else {
        if is_none(text) || matches!(column, "reason" | "risk") {
            return finding.well("this axis sends nothing", "degree 1");
        }
        return finding.faulty("this axis has degree 1 and sends nothing", "degree 1", "write none");
    };
    match column {
        "bytes" => near(id, text, (traffic.bytes / 1e9, "GB", 10.0)),
        "seconds" => near(id, text, (traffic.seconds, "s", 10.0)),
        "link" => link(finding, text, traffic),
        "collective" => collective(finding, text, traffic),
        "overlap" => overlap(finding, text, traffic),
        _ => finding.well("it is filled in; only you can judge it", ""),
    }
}

/// Whether a text says that there is nothing.
pub(super) fn is_none(text: &str) -> bool {
    ["none", "no", "0", "-", "n/a"].iter().any(|word| text.trim().eq_ignore_ascii_case(word))
}

fn link(finding: Finding, text: &str, traffic: &Traffic) -> Finding {
    let text = text.to_lowercase();
    let says = |words: &[&str]| words.iter().any(|w| text.contains(w));
    let outside = says(&[
        "infiniband",
        "nic",
        "network",
        "across",
        "between",
        "ethernet",
        "roce",
        "rdma",
        "inter",
        "spine",
        "nodes",
    ]) || text.split(|c: char| !c.is_alphanumeric()).any(|w| w == "ib");
    let inside = says(&["nvlink", "nvswitch", "inside", "intra", "node"]);
    let numbers = format!("a group touches {} node(s)", traffic.nodes);
    match (outside, inside, traffic.nodes > 1) {
        (true, _, true) | (false, true, false) => finding.well("that is the link it crosses", numbers),
        (false, false, _) => finding.faulty("this does not name a link", numbers, "write NVLink or network"),
        (_, _, true) => finding.faulty("its groups leave the node", numbers, "they cross the network"),
        (_, _, false) => finding.faulty("its groups stay inside a node", numbers, "they use NVLink"),
    }
}

fn collective(finding: Finding, text: &str, traffic: &Traffic) -> Finding {
    let text = folded(text);
    let right: &[&str] = match traffic.axis {
        "tp" => &["allreduce", "reducescatter", "allgather"],
        "cp" => &["send", "p2p", "pointtopoint", "ring", "allgather"],
        "pp" => &["send", "p2p", "pointtopoint"],
        "ep" => &["alltoall", "a2a"],
        _ if traffic.collective.starts_with("all-reduce") => &["allreduce"],
        _ if traffic.collective.contains("twice") => &["allgather"],
        _ => &["reducescatter", "allreduce", "allgather"],
    };
    if right.iter().any(|word| text.contains(word)) {
        return finding.well("that is its collective", traffic.collective);
    }
    finding.faulty(
        "this axis uses another collective",
        traffic.collective,
        "ask which collective makes up for the split of this axis",
    )
}

fn overlap(finding: Finding, text: &str, traffic: &Traffic) -> Finding {
    let text = text.trim().to_lowercase();
    let first = text.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let says_no = ["no", "not", "exposed", "false"].contains(&first);
    let truth = if traffic.overlapped { "compute can hide it" } else { "it is on the critical path" };
    let partly = text.contains("part");
    if says_no != traffic.overlapped || (partly && traffic.axis != "pp") {
        return finding.well("so it is", truth);
    }
    finding.faulty("it is the other way round", truth, "ask what has to wait for it")
}

fn bottleneck(text: &str, plan: &ParallelPlan, traffic: &[Traffic]) -> Finding {
    let finding = Finding::about("bottleneck", &["bottleneck"]);
    let bubble = plan.bubble() / (1.0 - plan.bubble()) * plan.compute_seconds();
    let mut costs: Vec<(f64, &str)> = traffic.iter().map(|t| (t.seconds, t.axis)).collect();
    costs.push((bubble, "bubble"));
    costs.sort_by(|a, b| b.0.total_cmp(&a.0));
    let (greatest, axis) = costs[0];
    let numbers: Vec<String> =
        costs.iter().map(|(s, axis)| format!("{axis} {} s", quantity::digits(*s))).collect();
    let numbers = format!("compute {} s, {}", quantity::digits(plan.compute_seconds()), numbers.join(", "));
    let lower = text.to_lowercase();
    let names: &[&str] = match axis {
        "tp" => &["tp", "tensor"],
        "cp" => &["cp", "context", "ring"],
        "pp" => &["pp", "pipeline", "stage boundar"],
        "dp" => &["dp", "data", "zero", "gather", "gradient"],
        "ep" => &["ep", "expert", "all-to-all"],
        _ => &["bubble", "pipeline"],
    };
    let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric() && c != '-').collect();
    let named = names.iter().any(|n| if n.len() == 2 { words.contains(n) } else { lower.contains(n) });
    let small = greatest < 0.1 * plan.compute_seconds();
    if named || (small && lower.contains("comput")) {
        return finding.well("that is what costs most", numbers);
    }
    let what = format!("after compute, {axis} costs most");
    finding.faulty(what, numbers, "compare the seconds of the axes, and of the bubble")
}
