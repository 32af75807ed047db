//! The mesh: every rank placed by hand, groups found by comparing coordinates, bytes sent round their rings.

use std::collections::BTreeMap;

use infralens_course::sim::Results;
use infralens_course::sim::picture::Tone;

use super::plans::{Plan, Training};
use super::shown::{agree_in_all, bars, cells, near, number};
use super::{Dice, MODELS, SETTINGS, Set, neighbours, on_nodes, round, tell};

/// The coordinates of every rank: the first axis of the order turns fastest, like the last wheel of a counter.
pub fn place(order: &[&'static str], degree: &BTreeMap<&str, usize>) -> Vec<BTreeMap<&'static str, usize>> {
    let mut wheel: BTreeMap<&'static str, usize> = order.iter().map(|axis| (*axis, 0)).collect();
    let mut ranks = Vec::new();
    loop {
        ranks.push(wheel.clone());
        let mut turned = false;
        for axis in order {
            let at = wheel.get_mut(axis).expect("an axis");
            *at += 1;
            if *at < degree[axis] {
                turned = true;
                break;
            }
            *at = 0;
        }
        if !turned {
            return ranks;
        }
    }
}

/// Ranks that differ in these axes alone, by their coordinates.
pub fn groups(ranks: &[BTreeMap<&'static str, usize>], axes: &[&str]) -> Vec<Vec<usize>> {
    let mut found: BTreeMap<Vec<usize>, Vec<usize>> = BTreeMap::new();
    for (rank, at) in ranks.iter().enumerate() {
        let others = at.iter().filter(|(axis, _)| !axes.contains(axis)).map(|(_, i)| *i).collect();
        found.entry(others).or_default().push(rank);
    }
    found.into_values().collect()
}

fn spans(groups: &[Vec<usize>], per_node: usize) -> f64 {
    groups.iter().map(|group| on_nodes(group, per_node).len()).max().expect("a group") as f64
}

/// Bytes that a rank of a ring sends to gather so many bytes, or to reduce and scatter them.
fn half(ranks: usize, bytes: f64) -> f64 {
    (1..ranks).map(|_| bytes / ranks as f64).sum()
}

/// Bytes and seconds by axis.
#[derive(Default)]
struct Traffic {
    sent: BTreeMap<&'static str, f64>,
    rate: BTreeMap<&'static str, f64>,
    seconds: BTreeMap<&'static str, f64>,
    nodes: BTreeMap<&'static str, f64>,
}

impl Plan {
    fn traffic(&self, ep: usize) -> Traffic {
        let ranks = &place(&self.order, &self.degree);
        let [parameters, layers, hidden, heads, kv_heads] = self.model;
        let (t, c, p, d) = (self.degree["tp"], self.degree["cp"], self.degree["pp"], self.degree["dp"]);
        let passes = layers / p as f64 * self.m as f64;
        let tokens = (self.micro_batch * self.sequence) as f64 / c as f64;
        let message = tokens * hidden * 2.0;
        let mut traffic = Traffic::default();

        // two sums forward, two backward, each a reduce-scatter and an all-gather
        let tp = (0..8).map(|_| half(t, message)).sum::<f64>() * passes;
        let keys = 2.0 * (kv_heads / t as f64).max(1.0) * hidden / heads * 2.0 * tokens;
        // keys and values go round forward; backward again, with their gradients
        let cp = (1..c).map(|_| 3.0 * keys).sum::<f64>() * passes;
        let own = parameters / (t * p) as f64;
        let (gather, scatter) = (half(c * d, own * 2.0), half(c * d, own * 2.0));
        let m = self.m as f64;
        let dp = match self.zero {
            0 | 1 => scatter + gather,
            2 => m * scatter + gather,
            _ => m * (scatter + 2.0 * gather),
        };
        // the stage that sends most: to the next one and to the one before, where it has both
        let pp =
            (0..p).map(|stage| usize::from(stage + 1 < p) + usize::from(stage > 0)).max().expect("a stage")
                as f64
                * m
                * message
                / t as f64;
        for (axis, axes, sent) in [("tp", vec!["tp"], tp), ("dp", vec!["dp", "cp"], dp)] {
            let groups = groups(ranks, &axes);
            let rate =
                groups.iter().map(|group| round(group, self.per_node, self.links)).fold(f64::MAX, f64::min);
            traffic.set(axis, sent, rate, spans(&groups, self.per_node));
        }
        for (axis, sent) in [("cp", cp), ("pp", pp)] {
            let groups = groups(ranks, &[axis]);
            let rate = groups
                .iter()
                .map(|group| neighbours(group, self.per_node, self.links))
                .fold(f64::MAX, f64::min);
            traffic.set(axis, sent, rate, spans(&groups, self.per_node));
        }
        self.experts((ranks, ep), tokens / t as f64, passes, &mut traffic);
        traffic
    }

    /// Each stage's ranks in their order, cut into groups; every token goes to two experts, evenly.
    fn experts(
        &self,
        (ranks, ep): (&[BTreeMap<&'static str, usize>], usize),
        tokens: f64,
        passes: f64,
        traffic: &mut Traffic,
    ) {
        let stages = groups(ranks, &["tp", "cp", "dp"]);
        let (mut sent, mut slowest, mut nodes) = (0.0f64, 0.0f64, 1usize);
        for group in stages.iter().flat_map(|stage| stage.chunks(ep)) {
            nodes = nodes.max(on_nodes(group, self.per_node).len());
            for from in group {
                let (mut out, mut inside) = (0.0, 0.0);
                for to in group.iter().filter(|to| *to != from) {
                    // dispatch and combine, forward and backward
                    let bytes = 4.0 * tokens * 2.0 * self.model[2] * 2.0 / ep as f64 * passes;
                    if to / self.per_node == from / self.per_node { inside += bytes } else { out += bytes }
                }
                sent = sent.max(out + inside);
                slowest = slowest.max((out / self.links.1).max(inside / self.links.0));
            }
        }
        traffic.sent.insert("ep", sent);
        traffic.seconds.insert("ep", slowest);
        traffic.nodes.insert("ep", nodes as f64);
    }
}

impl Traffic {
    fn set(&mut self, axis: &'static str, sent: f64, rate: f64, nodes: f64) {
        self.sent.insert(axis, sent);
        self.rate.insert(axis, rate);
        self.seconds.insert(axis, sent / rate);
        self.nodes.insert(axis, nodes);
    }
}

#[test]
fn meshes_wheel_by_wheel() {
    let mut dice = Dice(106);
    let mut tried = 0;
    while tried < SETTINGS + 50 {
        let (name, model) = dice.of(&MODELS);
        let (tp, cp, pp) =
            (dice.of(&[1, 2, 3, 4, 8, 16]), dice.of(&[1, 2, 2, 3, 4]), dice.of(&[1, 2, 3, 4, 8]));
        let per_node = dice.of(&[1, 2, 3, 4, 6, 7, 8, 72]);
        let nodes = dice.from(1, 24);
        let dp = nodes * per_node / (tp * cp * pp);
        if dp == 0 {
            continue;
        }
        tried += 1;
        let world = tp * cp * pp * dp;
        let mut order = ["tp", "cp", "dp", "pp"];
        for i in (1..4).rev() {
            order.swap(i, dice.from(0, i));
        }
        let stage = tp * cp * dp;
        let divisors: Vec<usize> = (1..=64).filter(|e| 64 % e == 0 && stage.is_multiple_of(*e)).collect();
        let ep = dice.of(&divisors);
        let batch = dice.from(1, 3);
        let micro_batches = (dice.from(1, 60)).min(65_536 / (batch * dp)).max(1);
        let sequence = (2 * tp * cp * dice.from(8, 300)).max(64usize.next_multiple_of(2 * tp * cp));
        let (zero, rank) = (dice.from(0, 3), dice.from(0, world - 1));
        let (nvlink, nic) = (dice.between(20.0, 900.0), dice.between(1.0, 100.0));
        let set = Set::default()
            .with("model", name)
            .with("nodes", nodes)
            .with("per_node", per_node)
            .with("tp", tp)
            .with("cp", cp)
            .with("pp", pp)
            .with("order", order.join(" "))
            .with("rank", rank)
            .with("ep", ep)
            .with("zero", zero)
            .with("micro_batch", batch)
            .with("sequence", sequence)
            .with("global_batch", batch * dp * micro_batches)
            .with("nvlink", nvlink)
            .with("nic", nic);
        let degree = BTreeMap::from([("tp", tp), ("cp", cp), ("pp", pp), ("dp", dp)]);
        let links = (nvlink * 1e9, nic * 1e9);
        let (micro_batch, m) = (batch, micro_batches);
        let plan = Plan { model, per_node, degree, order, zero, micro_batch, sequence, m, links };
        let ranks = place(&plan.order, &plan.degree);
        let traffic = plan.traffic(ep);
        let run = set.run("mesh");
        let flop = 6.0 * model[0] * (batch * dp * micro_batches * sequence) as f64;
        let mut expected = vec![
            ("dp", dp as f64),
            ("ranks", world as f64),
            ("micro_batches", micro_batches as f64),
            ("time_all", traffic.seconds.values().sum()),
            ("compute_time", flop / world as f64 / (989e12 / 2.0)),
            ("node", (rank / per_node) as f64),
            ("at_tp", ranks[rank]["tp"] as f64),
            ("at_cp", ranks[rank]["cp"] as f64),
            ("at_dp", ranks[rank]["dp"] as f64),
            ("at_pp", ranks[rank]["pp"] as f64),
            ("nodes_ep", traffic.nodes["ep"]),
            ("sent_ep", traffic.sent["ep"]),
            ("time_ep", traffic.seconds["ep"]),
        ];
        for (axis, [nodes, sent, rate, time]) in [
            ("tp", ["nodes_tp", "sent_tp", "rate_tp", "time_tp"]),
            ("dp", ["nodes_dp", "sent_dp", "rate_dp", "time_dp"]),
            ("pp", ["nodes_pp", "sent_pp", "rate_pp", "time_pp"]),
            ("cp", ["nodes_cp", "sent_cp", "rate_cp", "time_cp"]),
        ] {
            expected.push((nodes, traffic.nodes[axis]));
            expected.push((sent, traffic.sent[axis]));
            expected.push((rate, traffic.rate[axis]));
            expected.push((time, traffic.seconds[axis]));
        }
        agree_in_all(&run, &set, &expected);
        exposed(&run, &set, (&plan, &traffic));
        orders(&run, &set, plan, ep);
    }
    tell();
}

/// Seconds by axis, what compute hides of them, and the table that says the same.
fn exposed(run: &Results, set: &Set, (plan, traffic): (&Plan, &Traffic)) {
    let training = Training { forwards: 1.0, chunks: 1, gradient: 2.0, scores: 0.0, rate: 989e12 / 2.0 };
    let [tp, cp, pp, dp] = plan.waits(&training);
    let counted = |label: &str| match label {
        "TP" => (traffic.seconds["tp"], tp),
        "CP" => (traffic.seconds["cp"], cp),
        "PP" => (traffic.seconds["pp"], pp),
        "EP" => (traffic.seconds["ep"], traffic.seconds["ep"]),
        _ => (traffic.seconds["dp"], dp),
    };
    for (label, pieces) in bars(run, "seconds by axis").into_iter().filter(|(label, _)| label != "compute") {
        let (seconds, waited) = counted(&label);
        let piece = |tone: Tone| pieces.iter().filter(|(t, _)| *t == tone).map(|(_, n)| n).sum::<f64>();
        near(piece(Tone::Exposed), waited.min(seconds), 1e-9, &format!("{label}, exposed"), set);
        near(pieces.iter().map(|(_, n)| n).sum(), seconds, 1e-9, &label, set);
    }
    for row in cells(run, "which axis crosses which link") {
        let (seconds, waited) = counted(&row[0]);
        near(number(&row[5]), seconds, 1e-9, &format!("{row:?}"), set);
        near(number(&row[6]), waited, 1e-9, &format!("{row:?}"), set);
    }
}

/// The table of orders: the same degrees placed in each.
fn orders(run: &Results, set: &Set, plan: Plan, ep: usize) {
    let mut plan = plan;
    for row in cells(run, "orders") {
        let known = |axis: &str| ["tp", "cp", "dp", "pp"].into_iter().find(|known| *known == axis);
        let named: Vec<&'static str> = row[0].split('-').filter_map(known).collect();
        let rest = ["tp", "cp", "dp", "pp"].into_iter().filter(|axis| !named.contains(axis));
        let order: Vec<&'static str> = named.iter().copied().chain(rest).collect();
        plan.order = order.try_into().expect("four axes");
        let traffic = plan.traffic(ep);
        for (cell, axis) in row[1..5].iter().zip(["tp", "cp", "dp", "pp"]) {
            let said = if cell == "none" { 0.0 } else { number(cell) };
            near(said, traffic.seconds[axis], 1e-9, &format!("{axis} in {}", row[0]), set);
        }
    }
}
