//! A step of a whole cluster summed up: every rank placed by loops, groups found by comparing coordinates.

use std::collections::BTreeMap;

use super::layers::{Net, Shape, layer};
use super::{Dice, SETTINGS, Set, agree, neighbours, round};

/// Parameters, layers, hidden, heads, key-value heads.
const MODELS: [(&str, [f64; 5]); 6] = [
    ("7B", [6.74e9, 32.0, 4096.0, 32.0, 32.0]),
    ("13B", [13.0e9, 40.0, 5120.0, 40.0, 40.0]),
    ("70B", [69e9, 80.0, 8192.0, 64.0, 8.0]),
    ("175B", [174.6e9, 96.0, 12288.0, 96.0, 96.0]),
    ("8B", [8.03e9, 32.0, 4096.0, 32.0, 8.0]),
    ("405B", [405.9e9, 126.0, 16384.0, 128.0, 8.0]),
];

/// A plan on a cluster, all of it drawn at random.
struct Plan {
    model: (&'static str, [f64; 5]),
    per_node: usize,
    /// Degrees by axis.
    degree: BTreeMap<&'static str, usize>,
    zero: usize,
    micro_batch: usize,
    sequence: usize,
    /// Micro-batches a step.
    m: usize,
    links: (f64, f64),
}

impl Plan {
    fn random(dice: &mut Dice) -> (Plan, Set) {
        let model = dice.of(&MODELS);
        let (nodes, per_node) = (dice.from(1, 8), dice.of(&[1, 2, 3, 4, 6, 8]));
        // degrees that divide the cluster
        let mut left = nodes * per_node;
        let mut degree = BTreeMap::new();
        for axis in ["tp", "cp", "pp"] {
            let divisors: Vec<usize> = (1..=left.min(16)).filter(|d| left.is_multiple_of(*d)).collect();
            let taken = dice.of(&divisors);
            degree.insert(axis, taken);
            left /= taken;
        }
        degree.insert("dp", left);
        let (zero, micro_batch, m) = (dice.from(0, 3), dice.from(1, 3), dice.from(1, 40));
        let pieces = 2 * degree["tp"] * degree["cp"];
        let sequence = (pieces * dice.from(1, 4096 / pieces + 1)).max(64).div_ceil(pieces) * pieces;
        let (nvlink, nic) = (dice.between(50.0, 800.0), dice.between(5.0, 100.0));
        let set = Set::default()
            .with("model", model.0)
            .with("nodes", nodes)
            .with("per_node", per_node)
            .with("tp", degree["tp"])
            .with("cp", degree["cp"])
            .with("pp", degree["pp"])
            .with("zero", zero)
            .with("micro_batch", micro_batch)
            .with("sequence", sequence)
            .with("global_batch", micro_batch * m * left)
            .with("nvlink", nvlink)
            .with("nic", nic);
        let links = (nvlink * 1e9, nic * 1e9);
        (Plan { model, per_node, degree, zero, micro_batch, sequence, m, links }, set)
    }

    /// The coordinates of every rank: the first axis of the order runs fastest.
    fn ranks(&self) -> Vec<BTreeMap<&'static str, usize>> {
        let [a, b, c, d] = ["tp", "cp", "dp", "pp"];
        let mut all = Vec::new();
        for at_d in 0..self.degree[d] {
            for at_c in 0..self.degree[c] {
                for at_b in 0..self.degree[b] {
                    for at_a in 0..self.degree[a] {
                        all.push(BTreeMap::from([(a, at_a), (b, at_b), (c, at_c), (d, at_d)]));
                    }
                }
            }
        }
        all
    }

    /// Every group of ranks that differ in these axes alone.
    fn groups(&self, axes: &[&str]) -> Vec<Vec<usize>> {
        let ranks = self.ranks();
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for rank in 0..ranks.len() {
            let mate = |g: &&mut Vec<usize>| {
                ranks[g[0]].iter().all(|(axis, at)| axes.contains(axis) || ranks[rank][axis] == *at)
            };
            match groups.iter_mut().find(mate) {
                Some(group) => group.push(rank),
                None => groups.push(vec![rank]),
            }
        }
        groups
    }

    fn of(&self, axis: &str) -> f64 {
        self.degree[axis] as f64
    }

    /// The rate of the slowest group: collectives go round, messages go to a neighbour.
    fn rate(&self, axes: &[&str], message: bool) -> f64 {
        let rate = |g: &Vec<usize>| match message {
            true => neighbours(g, self.per_node, self.links),
            false => round(g, self.per_node, self.links),
        };
        self.groups(axes).iter().map(rate).fold(f64::INFINITY, f64::min)
    }

    /// Bytes of keys and values of one rank's piece, of one layer and micro-batch.
    fn block(&self) -> f64 {
        let [_, _, hidden, heads, kv_heads] = self.model.1;
        let width = (kv_heads / self.of("tp")).max(1.0) * hidden / heads;
        2.0 * width * 2.0 * (self.micro_batch * self.sequence) as f64 / self.of("cp")
    }

    /// Bytes that a GPU sends in a step for tp, cp, pp, and for gradients and sharded state; layer by layer.
    fn sent(&self, forwards: f64, chunks: f64, gradient: f64) -> [f64; 4] {
        let [parameters, layers, hidden, ..] = self.model.1;
        let (t, c, p) = (self.of("tp"), self.of("cp"), self.of("pp"));
        let d = self.of("dp") * c;
        let tokens = (self.micro_batch * self.sequence) as f64 / c;
        let message = tokens * hidden * 2.0;
        let own = parameters / t / p;
        let moved = |bytes: f64| bytes * (d - 1.0) / d;
        let mut sent = [0.0; 4];
        for micro_batch in 1..=self.m {
            let passes = layers / p;
            // two pairs of gather and scatter forward, two backward
            sent[0] += passes * (2.0 * forwards + 2.0) * 2.0 * message * (t - 1.0) / t;
            sent[1] += passes * (forwards + 2.0) * (c - 1.0) * self.block();
            // to both sides from a middle stage; of two stages each sends one way less
            let ways = match self.degree["pp"] {
                1 => 0.0,
                2 => 2.0 * chunks - 1.0,
                _ => 2.0 * chunks,
            };
            sent[2] += ways * message / t;
            let last = micro_batch == self.m;
            sent[3] += match self.zero {
                0 => f64::from(u8::from(last)) * 2.0 * moved(own * gradient),
                1 => f64::from(u8::from(last)) * moved(own * (gradient + 2.0)),
                2 => moved(own * gradient) + f64::from(u8::from(last)) * moved(own * 2.0),
                _ => 2.0 * moved(own * 2.0) + moved(own * gradient),
            };
        }
        sent
    }
}

#[test]
fn steps_summed_up() {
    let mut dice = Dice(10);
    for _ in 0..SETTINGS {
        let (plan, set) = Plan::random(&mut dice);
        let (recompute, gradients) = (dice.of(&["none", "selective", "full"]), dice.of(&["bf16", "fp32"]));
        let chunks = if plan.degree["pp"] > 1 { dice.from(1, 3) } else { 1 };
        let (attention, achieved) = (dice.of(&["left-out", "counted"]), dice.between(20.0, 80.0));
        let set = set
            .with("recompute", recompute)
            .with("gradients", gradients)
            .with("chunks", chunks)
            .with("attention", attention)
            .with("achieved", achieved);
        let [parameters, layers, hidden, heads, kv_heads] = plan.model.1;
        let [t, c, p, d] = ["tp", "cp", "pp", "dp"].map(|axis| plan.of(axis));
        let (forwards, g) =
            (if recompute == "full" { 2.0 } else { 1.0 }, if gradients == "bf16" { 2.0 } else { 4.0 });
        let (v, m, b, s) = (chunks as f64, plan.m as f64, plan.micro_batch as f64, plan.sequence as f64);
        let (rate, shards, own) = (989e12 * achieved / 100.0, d * c, parameters / t / p);
        // 2N FLOP a token forward, twice that backward; scores see half of the sequence on average
        let tokens = b * m * d * s;
        let scores = if attention == "counted" { 2.0 * layers * hidden * s } else { 0.0 };
        let forward = (2.0 * parameters + scores) * tokens / (t * c * p * d) / rate;
        let (ahead, back) = (forward, forward * (1.0 + forwards));
        let compute = ahead + back;
        let idle = (p - 1.0) / (v * m + p - 1.0);
        let passes = layers / p * m;

        let shape = Shape { form: "sp", tokens: b * s / c, hidden, heads, kv_heads, rate };
        let tensor = plan.groups(&["tp"]).into_iter().map(|ranks| {
            let net = Net {
                ranks,
                per_node: plan.per_node,
                links: plan.links,
                alphas: (0.0, 0.0),
                hierarchy: false,
            };
            let [_, ahead, back, _] = layer(&shape, &net);
            (ahead * forwards + back) * passes
        });
        let tensor = tensor.fold(0.0, f64::max);

        // each hop but the last sends a block while the rank attends to the one that it has
        let send = plan.block() / plan.rate(&["cp"], true);
        let half = s / c / 2.0;
        let a_pair = 4.0 * b * hidden / t / rate;
        let mut context = 0.0;
        for hop in 0..plan.degree["cp"] {
            let pairs = if hop == 0 { half * (half + 1.0) + half * half } else { 2.0 * half * half };
            let sends = if hop + 1 < plan.degree["cp"] { send } else { 0.0 };
            context += (sends - pairs * a_pair).max(0.0) * (2.0 + forwards) * passes;
        }

        let round = plan.rate(&["dp", "cp"], false);
        let moves = |an_element: f64| own * an_element * (shards - 1.0) / shards / round;
        let beyond = |sent: f64, window: f64| (sent - window).max(0.0);
        let mut data = 0.0;
        for micro_batch in 1..=plan.m {
            let (first, last) = (micro_batch == 1, micro_batch == plan.m);
            data += match plan.zero {
                0 if last => beyond(2.0 * moves(g), back / m),
                1 if last => beyond(moves(g), back / m) + beyond(moves(2.0), ahead / m),
                2 => beyond(moves(g), back / m) + if first { beyond(moves(2.0), ahead / m) } else { 0.0 },
                3 => beyond(moves(2.0), ahead / m) + beyond(moves(2.0 + g), back / m),
                _ => 0.0,
            };
        }
        let sent = plan.sent(forwards, v, g);
        let stages = if p > 1.0 { sent[2] / plan.rate(&["pp"], true) } else { 0.0 };
        let step = compute / (1.0 - idle) + tensor + context + stages + data;

        let part = |from: usize| if plan.zero >= from { shards } else { 1.0 };
        let gathered = if plan.zero == 3 && shards > 1.0 { 4.0 * parameters / layers / t } else { 0.0 };
        let state = own * (2.0 / part(3) + g / part(2) + 12.0 / part(1)) + gathered;
        let unit = s / c * b * hidden / t;
        let (kept, working) = match recompute {
            "none" => (34.0 * unit + 5.0 * heads * s / hidden * unit, 0.0),
            "selective" => (34.0 * unit, 0.0),
            _ => (2.0 * unit, 34.0 * unit),
        };
        let alive = if v > 1.0 { (p * (1.0 + (p - 1.0) / (p * v))).min(m) } else { p.min(m) };
        let held = state + kept * layers / p * alive + working;
        let expected = [
            ("compute_time", compute),
            ("bubble", idle),
            ("tp_time", tensor),
            ("cp_time", context),
            ("pp_time", stages),
            ("dp_time", data),
            ("step_time", step),
            ("memory_used", held),
            ("traffic", sent.iter().sum()),
            ("rate", tokens / step),
            ("mfu", (6.0 * parameters + 3.0 * scores) * tokens / step / (t * c * p * d * 989e12)),
        ];
        agree(&set.run("step"), &set, &expected);
    }
}
