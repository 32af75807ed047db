//! The checker `parallel-plan`: degrees, placement, memory ledger and communication table of a plan.

use std::collections::BTreeSet;

use super::{Checker, Texts, empty, folded, unreadable};
use crate::sim::cluster;
use crate::sim::expr::Fault;
use crate::sim::plan::placement::{self, Placement};
use crate::sim::plan::{Experts, Finding, ParallelPlan, Recompute};
use crate::sim::quantity;
use cells::other_cell;

mod cells;
mod early;

pub(super) const CHECKER: Checker = Checker {
    name: "parallel-plan",
    about: "checks a parallel plan: product of degrees, divisibility, placement, memory, bubble, communication",
    given: &[
        ("model", "7B, 8B, 13B, 70B, 175B or 405B; or give the five below"),
        ("parameters", "parameters of the model, with layers, hidden, heads and kv_heads"),
        ("nodes", "nodes; left out: 8"),
        ("per_node", "GPUs a node; left out: 8"),
        ("memory", "memory of a GPU; left out: 80 GB"),
        ("reserve", "of it not usable; left out: 8 GB"),
        ("nvlink", "effective rate inside a node; left out: 370 GB/s"),
        ("nic", "effective rate of a NIC; left out: 45 GB/s"),
        ("rate", "achieved rate of a GPU; left out: 494.5 TFLOP/s"),
        ("bubble_limit", "the largest bubble; left out: 15%"),
        ("any cell of the plan", "fixes it, so that the learner need not fill it in"),
    ],
    cells: &[
        ("tp, cp, pp, dp", "degrees; fsdp is another name for dp"),
        ("ep, experts, top", "expert parallelism: degree, experts a layer, experts a token"),
        ("zero", "ZeRO stage, 0 to 3"),
        ("recompute", "none, selective or full"),
        ("micro_batch, global_batch, sequence", "sequences, sequences, tokens"),
        ("chunks", "chunks a stage, for the interleaved schedule"),
        ("gradient_bytes", "2 or 4"),
        ("order", "the order of axes, fastest first: tp-dp-pp"),
        ("placement", "a placement string: tp=8@node; dp stride 8; pp stride 16"),
        ("weights, gradients, optimizer, activations, total", "bytes on the fullest GPU, in GB"),
        ("micro_batches, bubble", "micro-batches a step, and the idle share in %"),
        ("AXIS.collective, AXIS.link, AXIS.overlap", "a row of the communication table, in words"),
        (
            "AXIS.bytes, AXIS.seconds",
            "per step and GPU, in GB and s; dp is over data and context parallel ranks together",
        ),
        ("bottleneck", "the axis that costs most, or compute"),
        ("any other", "a text that must not be empty: reason, measurement"),
    ],
    check,
    faults,
    // many plans are right
    answer: |_, _, _| None,
};

/// The cells that make the plan.
const PLAN_CELLS: &[&str] = &[
    "model",
    "tp",
    "cp",
    "pp",
    "dp",
    "fsdp",
    "ep",
    "experts",
    "top",
    "zero",
    "recompute",
    "micro_batch",
    "global_batch",
    "sequence",
    "chunks",
    "gradient_bytes",
    "order",
    "placement",
];

/// Given values that are numbers: name and unit.
const NUMBERS: &[(&str, &str)] = &[
    ("parameters", ""),
    ("layers", ""),
    ("hidden", ""),
    ("heads", ""),
    ("kv_heads", ""),
    ("nodes", ""),
    ("per_node", ""),
    ("memory", "GB"),
    ("reserve", "GB"),
    ("nvlink", "GB/s"),
    ("nic", "GB/s"),
    ("rate", "TFLOP/s"),
    ("bubble_limit", "%"),
];

/// The names of axes in the communication table.
const AXES: [&str; 5] = ["tp", "cp", "dp", "pp", "ep"];

/// Reads values from what is given and, after that, from the cells; keeps findings about what cannot be read.
struct Reader<'a> {
    given: &'a Texts,
    cells: &'a Texts,
    findings: Vec<Finding>,
}

impl<'a> Reader<'a> {
    /// The text of a name, given or typed. `None` where the worksheet has no such cell; an empty cell is told.
    fn text(&mut self, name: &str) -> Option<&'a str> {
        if let Some(text) = self.given.get(name) {
            return Some(text.trim());
        }
        let text = self.cells.get(name)?.trim();
        if text.is_empty() {
            self.findings.push(empty(name));
            return None;
        }
        Some(text)
    }

    /// A number in `unit`, at least `least`; `otherwise` where it is not asked for or cannot be read.
    fn number(&mut self, name: &str, unit: &str, (least, otherwise): (f64, f64)) -> f64 {
        let Some(text) = self.text(name) else {
            return otherwise;
        };
        match quantity::read(text, unit) {
            Ok(number) if number >= least && number <= 1e15 => number,
            Ok(_) => {
                let what = format!("`{}` is out of range", text.escape_debug());
                let cure = format!("write a number of at least {least}");
                self.findings.push(unreadable(name, &Fault { at: 0, what, cure }));
                otherwise
            }
            Err(fault) => {
                self.findings.push(unreadable(name, &fault));
                otherwise
            }
        }
    }

    /// A whole number of at least 1 and at most a million.
    fn count(&mut self, name: &str, otherwise: usize) -> usize {
        let number = self.number(name, "", (1.0, otherwise as f64));
        if number.fract() != 0.0 || number > 1e6 {
            let fault =
                Fault { at: 0, what: "this is not a count".into(), cure: "write a whole number".into() };
            self.findings.push(unreadable(name, &fault));
            return otherwise;
        }
        number as usize
    }

    /// One of some values by name.
    fn named<T>(&mut self, name: &str, otherwise: T, read: (fn(&str) -> Option<T>, &str)) -> T {
        let Some(text) = self.text(name) else {
            return otherwise;
        };
        read.0(text).unwrap_or_else(|| {
            let what = format!("`{}` is not known here", text.escape_debug());
            let fault = Fault { at: 0, what, cure: format!("use one of {}", read.1) };
            self.findings.push(unreadable(name, &fault));
            otherwise
        })
    }

    fn plan(&mut self) -> ParallelPlan {
        let model = self.model();
        let base = ParallelPlan::new(model, 1, 1, 1);
        let dp_name =
            if self.cells.contains_key("fsdp") || self.given.contains_key("fsdp") { "fsdp" } else { "dp" };
        let mut plan = ParallelPlan {
            tp: self.count("tp", 1),
            cp: self.count("cp", 1),
            pp: self.count("pp", 1),
            dp: self.count(dp_name, 1),
            zero: self.named("zero", 1, (zero_stage, "0, 1, 2, 3")),
            chunks: self.count("chunks", 1),
            micro_batch: self.count("micro_batch", base.micro_batch),
            sequence: self.count("sequence", base.sequence),
            global_batch: self.count("global_batch", base.global_batch),
            recompute: self.named("recompute", base.recompute, (Recompute::named, "none, selective, full")),
            gradient_bytes: self.number("gradient_bytes", "", (1.0, 2.0)),
            bubble_limit: self.number("bubble_limit", "%", (0.0, 15.0)) / 100.0,
            ..base
        };
        self.machines(&mut plan);
        plan.experts = self.experts();
        plan
    }

    fn model(&mut self) -> cluster::Model {
        let seventy = cluster::SEVENTY_B;
        if self.given.contains_key("model") || self.cells.contains_key("model") {
            return self.named(
                "model",
                seventy,
                (|t| cluster::model_named(t).copied(), "7B, 8B, 13B, 70B, 175B, 405B"),
            );
        }
        cluster::Model {
            name: "custom",
            parameters: self.number("parameters", "", (1.0, seventy.parameters)),
            layers: self.count("layers", seventy.layers as usize) as u32,
            hidden: self.count("hidden", seventy.hidden as usize) as u32,
            heads: self.count("heads", seventy.heads as usize) as u32,
            kv_heads: self.count("kv_heads", seventy.kv_heads as usize) as u32,
        }
    }

    fn machines(&mut self, plan: &mut ParallelPlan) {
        let base = plan.machines;
        let machines = &mut plan.machines;
        machines.nodes = self.count("nodes", base.nodes);
        machines.per_node = self.count("per_node", base.per_node);
        machines.memory = self.number("memory", "GB", (1.0, base.memory / 1e9)) * 1e9;
        machines.reserve = self.number("reserve", "GB", (0.0, base.reserve / 1e9)) * 1e9;
        machines.nvlink = self.number("nvlink", "GB/s", (0.001, base.nvlink / 1e9)) * 1e9;
        machines.nic = self.number("nic", "GB/s", (0.001, base.nic / 1e9)) * 1e9;
        machines.rate = self.number("rate", "TFLOP/s", (0.001, base.rate / 1e12)) * 1e12;
    }

    fn experts(&mut self) -> Option<Experts> {
        let asked =
            ["ep", "experts"].iter().any(|n| self.given.contains_key(*n) || self.cells.contains_key(*n));
        let degree = self.count("ep", 1);
        let count = self.count("experts", if asked { degree } else { 1 });
        (asked && degree > 1 || count > 1).then(|| Experts {
            count,
            top: self.count("top", 2).min(count),
            degree,
        })
    }
}

/// `1`, `ZeRO-1`, `stage 1`; FSDP is stage 3, plain DDP stage 0.
fn zero_stage(text: &str) -> Option<u8> {
    match folded(text).as_str() {
        "fsdp" | "fullshard" => return Some(3),
        "ddp" | "none" | "no" => return Some(0),
        _ => {}
    }
    let mut digits = text.chars().filter_map(|c| c.to_digit(10));
    let stage = digits.next().filter(|d| *d <= 3)?;
    digits.next().is_none().then_some(stage as u8)
}

fn check(given: &Texts, cells: &Texts) -> Vec<Finding> {
    let mut reader = Reader { given, cells, findings: Vec::new() };
    let mut plan = reader.plan();
    let placement = placed(&mut reader, &mut plan);
    let mut findings = reader.findings;
    if findings.iter().any(|f| f.cells.iter().any(|c| PLAN_CELLS.contains(&c.as_str()) && c != "placement")) {
        findings.extend(early::findings(cells, &plan, &findings));
        return findings;
    }
    findings.extend(plan.check());
    findings.extend(placement.map(|p| placement_finding(&p, &plan)));
    let traffic = plan.traffic();
    let others = cells.iter().filter(|(id, _)| !PLAN_CELLS.contains(&id.as_str()));
    findings.extend(others.map(|(id, text)| match text.trim() {
        "" => empty(id),
        text => other_cell(id, text, &plan, &traffic),
    }));
    findings
}

/// Puts the axes in the order that the cells say, and gives the placement string if there is one.
fn placed(reader: &mut Reader<'_>, plan: &mut ParallelPlan) -> Option<Placement> {
    let order = reader.text("order").map(|text| (placement::parse(text), "order"));
    let string = reader.text("placement").map(|text| (placement::parse(text), "placement"));
    let mut read = |(result, cell): (Result<Placement, Fault>, &str)| match result {
        Ok(placement) => Some(placement),
        Err(fault) => {
            reader.findings.push(unreadable(cell, &fault));
            None
        }
    };
    let order = order.and_then(&mut read);
    let string = string.and_then(&mut read);
    if let Some(placement) = order.as_ref().or(string.as_ref()) {
        plan.order = placement.order.clone();
    }
    string
}

fn placement_finding(placement: &Placement, plan: &ParallelPlan) -> Finding {
    let finding = Finding::about("P", &["placement"]);
    let layout = plan.layout();
    if layout.ranks() != plan.gpus() {
        return finding.faulty(
            "the ranks cannot be placed",
            "",
            "make the degrees multiply to the GPUs first",
        );
    }
    let faults = placement::contradictions(placement, &layout);
    if faults.is_empty() {
        return finding.well("the placement agrees with the degrees and the order", layout.order_text());
    }
    let cure = "the stride of an axis is the product of the degrees before it in the order";
    finding.faulty(faults.join("; "), layout.order_text(), cure)
}

fn faults(given: &Texts, cells: &BTreeSet<&str>) -> Vec<String> {
    let mut faults = Vec::new();
    for (key, text) in given {
        if let Some((_, unit)) = NUMBERS.iter().find(|(name, _)| name == key) {
            if let Err(fault) = quantity::read(text, unit) {
                faults.push(format!("the value `{key}`: {}; {}", fault.what, fault.cure));
            }
        } else if !PLAN_CELLS.contains(&key.as_str()) {
            faults.push(format!("`{key}` is not a value that the checker parallel-plan knows"));
        } else if cells.contains(key.as_str()) {
            faults.push(format!("`{key}` is both given and a cell"));
        }
    }
    let mut reader = Reader { given, cells: &Texts::new(), findings: Vec::new() };
    reader.plan();
    faults.extend(reader.findings.iter().map(|f| format!("the value `{}`: {}; {}", f.code, f.what, f.cure)));
    faults.dedup();
    let known = |cell: &&&str| cell.split_once('.').is_none_or(|(axis, _)| AXES.contains(&axis));
    for cell in cells.iter().filter(|cell| !known(cell)) {
        faults.push(format!(
            "the cell `{cell}` has a dot, but `{}` is not an axis",
            cell.split('.').next().unwrap_or_default()
        ));
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::layout::Axis;

    fn texts(pairs: &[(&str, &str)]) -> Texts {
        pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect()
    }

    fn failing(given: &[(&str, &str)], cells: &[(&str, &str)]) -> Vec<String> {
        check(&texts(given), &texts(cells)).into_iter().filter(|f| !f.ok).map(|f| f.code).collect()
    }

    const DESIGN: &[(&str, &str)] = &[
        ("tp", "8"),
        ("pp", "4"),
        ("dp", "2"),
        ("zero", "ZeRO-1"),
        ("recompute", "selective"),
        ("micro_batch", "1"),
        ("placement", "order=tp-dp-pp; tp=8@node; dp=2@node-pairs(stride 8); pp=4@nodes(stride 16)"),
        ("weights", "4.3 GB"),
        ("optimizer", "12.9"),
        ("activations", "11.4 GB"),
        ("total", "33"),
        ("micro_batches", "256"),
        ("bubble", "1.2%"),
        ("tp.collective", "all-gather + reduce-scatter"),
        ("tp.bytes", "2.41 TB"),
        ("tp.link", "NVLink"),
        ("tp.overlap", "no, forward is exposed"),
        ("tp.seconds", "6.5"),
        ("dp.collective", "Reduce Scatter"),
        ("dp.link", "InfiniBand between nodes"),
        ("dp.overlap", "yes"),
        ("pp.collective", "point-to-point"),
        ("bottleneck", "TP, about a quarter of compute"),
        ("measurement", "count the collectives of a layer in the trace"),
    ];

    #[test]
    fn a_whole_worksheet_is_accepted() {
        let findings = check(&texts(&[("model", "70B")]), &texts(DESIGN));
        let faulty: Vec<_> = findings.iter().filter(|f| !f.ok).collect();
        assert!(faulty.is_empty(), "{faulty:#?}");
    }

    #[test]
    fn wrong_cells_are_named() {
        let swap = |id: &str, text: &'static str| {
            let cells: Vec<(&str, &str)> =
                DESIGN.iter().map(|(k, v)| if *k == id { (*k, text) } else { (*k, *v) }).collect();
            failing(&[("model", "70B")], &cells)
        };
        for (id, text) in [
            ("weights", "138 GB"),
            ("total", "1,120 GB"),
            ("micro_batches", "512"),
            ("bubble", "27%"),
            ("tp.collective", "broadcast"),
            ("tp.link", "InfiniBand"),
            ("tp.overlap", "yes, hidden"),
            ("dp.link", "NVLink"),
            ("dp.overlap", "no"),
            ("bottleneck", "the data loader"),
            ("measurement", "  "),
            ("activations", "lots"),
            ("weights", "3 hours"),
        ] {
            assert_eq!(swap(id, text), [id], "{id} = {text}");
        }
        assert_eq!(swap("placement", "order=tp-dp-pp; dp stride 16"), ["P"]);
        assert_eq!(swap("placement", "somewhere"), ["placement"]);
        assert_eq!(swap("tp", "many"), ["tp"]);
        assert_eq!(swap("zero", "7"), ["zero"]);
        assert_eq!(swap("tp", ""), ["tp"]);
        assert!(swap("placement", "pp-dp-tp").contains(&"E7".to_owned()));
    }

    #[test]
    fn nonsense_is_named_while_other_cells_are_still_empty() {
        let found = |cells: &[(&str, &str)]| {
            let found = check(&texts(&[("model", "13B")]), &texts(cells));
            found.into_iter().filter(|f| !f.ok).map(|f| (f.cells.join(" "), f.what)).collect::<Vec<_>>()
        };
        let said = |cells: &[(&str, &str)], cell: &str| {
            let all = found(cells);
            all.iter().find(|(of, _)| of == cell).unwrap_or_else(|| panic!("{cell}: {all:?}")).1.clone()
        };
        let cells =
            [("tp", "8"), ("pp", ""), ("dp", "99"), ("activations", "abc"), ("total", ""), ("reason", "")];
        assert_eq!(said(&cells, "activations"), "`abc` is no number");
        assert!(said(&cells, "dp").contains("does not divide the 64 GPUs"));
        for cell in ["pp", "total", "reason"] {
            assert_eq!(said(&cells, cell), "nothing is written here");
        }
        assert_eq!(found(&cells).len(), 5);
        // what may still be right is not called wrong
        assert_eq!(found(&[("tp", "8"), ("pp", ""), ("dp", "2"), ("total", "33 GB")]).len(), 1);
        assert!(said(&[("tp", "8"), ("pp", ""), ("dp", "16")], "tp dp").contains("multiply to 128"));
    }

    #[test]
    fn a_placement_orders_the_axes() {
        let cells = texts(&[
            ("tp", "8"),
            ("pp", "4"),
            ("dp", "2"),
            ("placement", "pp=ranks 0-3; dp stride 4; tp stride 8"),
        ]);
        let given = texts(&[("model", "70B")]);
        let mut reader = Reader { given: &given, cells: &cells, findings: Vec::new() };
        let mut plan = reader.plan();
        placed(&mut reader, &mut plan);
        assert_eq!(plan.order.first(), Some(&Axis::Pp));
    }

    #[test]
    fn authors_are_told_of_values_that_mean_nothing() {
        let cells: BTreeSet<&str> = ["tp", "xp.bytes"].into();
        let found =
            faults(&texts(&[("model", "9B"), ("memory", "lots"), ("colour", "red"), ("tp", "8")]), &cells);
        let all = found.join("\n");
        for part in ["`model`", "`memory`", "`colour`", "both given and a cell", "`xp` is not an axis"] {
            assert!(all.contains(part), "{part}: {all}");
        }
        assert_eq!(faults(&texts(&[("model", "70B")]), &["tp", "tp.bytes"].into()), Vec::<String>::new());
    }
}
