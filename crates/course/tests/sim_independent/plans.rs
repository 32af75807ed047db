//! A step of a whole cluster summed up: every rank placed, groups found by comparing coordinates, and what of each axis
//! compute cannot hide, layer by layer and micro-batch by micro-batch.

use std::collections::BTreeMap;

use super::events::steps::pipeline;
use super::layers::{Net, Shape, layer};
use super::placement::{groups, place};
use super::shown::near;
use super::{Dice, MODELS, SETTINGS, Set, agree, neighbours, round, tell};

/// A plan on a cluster.
pub struct Plan {
    pub model: [f64; 5],
    pub per_node: usize,
    /// Degrees by axis.
    pub degree: BTreeMap<&'static str, usize>,
    /// The axes, the fastest first.
    pub order: [&'static str; 4],
    pub zero: usize,
    pub micro_batch: usize,
    pub sequence: usize,
    /// Micro-batches a step.
    pub m: usize,
    pub links: (f64, f64),
}

/// How it trains.
pub struct Training {
    /// How often forward runs.
    pub forwards: f64,
    /// Chunks on each stage.
    pub chunks: usize,
    /// Bytes of a gradient.
    pub gradient: f64,
    /// FLOP of attention scores, a token, forward.
    pub scores: f64,
    /// FLOP a second of a GPU.
    pub rate: f64,
}

impl Plan {
    fn random(dice: &mut Dice) -> (Plan, Set) {
        let (name, model) = dice.of(&MODELS);
        let (nodes, per_node) = (dice.from(1, 8), dice.of(&[1, 2, 3, 4, 6, 8]));
        // degrees that divide the cluster
        let mut left = nodes * per_node;
        let mut degree = BTreeMap::new();
        for axis in ["pp", "tp", "cp"] {
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
            .with("model", name)
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
        let order = ["tp", "cp", "dp", "pp"];
        (Plan { model, per_node, degree, order, zero, micro_batch, sequence, m, links }, set)
    }

    /// Every group of ranks that differ in these axes alone.
    fn groups(&self, axes: &[&str]) -> Vec<Vec<usize>> {
        groups(&place(&self.order, &self.degree), axes)
    }

    pub fn of(&self, axis: &str) -> f64 {
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
        let [_, _, hidden, heads, kv_heads] = self.model;
        let width = (kv_heads / self.of("tp")).max(1.0) * hidden / heads;
        2.0 * width * 2.0 * (self.micro_batch * self.sequence) as f64 / self.of("cp")
    }

    /// Bytes that a GPU sends in a step for tp, cp, pp, and for gradients and sharded state; layer by layer.
    fn sent(&self, forwards: f64, chunks: f64, gradient: f64) -> [f64; 4] {
        let [parameters, layers, hidden, ..] = self.model;
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

    /// Bytes of a message between stages.
    pub fn message(&self) -> f64 {
        (self.micro_batch * self.sequence) as f64 / self.of("cp") * self.model[2] * 2.0 / self.of("tp")
    }

    /// Seconds of forward and of backward a step.
    pub fn passes(&self, training: &Training) -> [f64; 2] {
        let [t, c, p, d] = ["tp", "cp", "pp", "dp"].map(|axis| self.of(axis));
        let tokens = (self.micro_batch * self.m * self.sequence) as f64 * d;
        // 2N FLOP a token forward, twice that backward
        let forward = (2.0 * self.model[0] + training.scores) * tokens / (t * c * p * d) / training.rate;
        [forward, forward * (1.0 + training.forwards)]
    }

    /// Seconds that a step waits for tp, cp, pp, and for gradients and sharded state.
    pub fn waits(&self, training: &Training) -> [f64; 4] {
        let [parameters, layers, hidden, heads, kv_heads] = self.model;
        let [t, c, p] = ["tp", "cp", "pp"].map(|axis| self.of(axis));
        let (m, b, s) = (self.m as f64, self.micro_batch as f64, self.sequence as f64);
        let (rate, forwards, shards) = (training.rate, training.forwards, self.of("dp") * c);
        let [ahead, back] = self.passes(training);
        let passes = layers / p * m;

        let shape = Shape { form: "sp", tokens: b * s / c, hidden, heads, kv_heads, rate };
        let tensor = self.groups(&["tp"]).into_iter().map(|ranks| {
            let (per_node, links) = (self.per_node, self.links);
            let net = Net { ranks, per_node, links, alphas: (0.0, 0.0), hierarchy: false };
            let [_, ahead, back, _] = layer(&shape, &net);
            (ahead * forwards + back) * passes
        });
        let tensor = tensor.fold(0.0, f64::max);

        // each hop but the last sends a block while the rank attends to the one that it has
        let send = self.block() / self.rate(&["cp"], true);
        let half = s / c / 2.0;
        let a_pair = 4.0 * b * hidden / t / rate;
        let mut context = 0.0;
        for hop in 0..self.degree["cp"] {
            let pairs = if hop == 0 { half * (half + 1.0) + half * half } else { 2.0 * half * half };
            let sends = if hop + 1 < self.degree["cp"] { send } else { 0.0 };
            context += (sends - pairs * a_pair).max(0.0) * (2.0 + forwards) * passes;
        }

        let chunks = training.chunks;
        let rounds = if chunks > 1 { self.m.next_multiple_of(self.degree["pp"]) } else { self.m };
        let unit = ahead / m;
        let ends = |send: f64| pipeline((self.degree["pp"], rounds, chunks), 1.0 + forwards, send).0;
        let send = self.message() / self.rate(&["pp"], true) / unit;
        let stages = (ends(send) - ends(0.0)) * unit;

        let round = self.rate(&["dp", "cp"], false);
        let moves = |an_element: f64| parameters / t / p * an_element * (shards - 1.0) / shards / round;
        let beyond = |sent: f64, window: f64| (sent - window).max(0.0);
        let g = training.gradient;
        let mut data = 0.0;
        for micro_batch in 1..=self.m {
            let (first, last) = (micro_batch == 1, micro_batch == self.m);
            data += match self.zero {
                0 if last => beyond(2.0 * moves(g), back / m),
                1 if last => beyond(moves(g), back / m) + beyond(moves(2.0), ahead / m),
                2 => beyond(moves(g), back / m) + if first { beyond(moves(2.0), ahead / m) } else { 0.0 },
                3 => beyond(moves(2.0), ahead / m) + beyond(moves(2.0 + g), back / m),
                _ => 0.0,
            };
        }
        [tensor, context, stages, data]
    }
}

#[test]
fn steps_summed_up() {
    let mut dice = Dice(10);
    let mut piped = 0;
    while piped < SETTINGS {
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
        let [parameters, layers, hidden, heads, _] = plan.model;
        let [t, c, p, d] = ["tp", "cp", "pp", "dp"].map(|axis| plan.of(axis));
        let (v, m, b, s) = (chunks as f64, plan.m as f64, plan.micro_batch as f64, plan.sequence as f64);
        let training = Training {
            forwards: if recompute == "full" { 2.0 } else { 1.0 },
            chunks,
            gradient: if gradients == "bf16" { 2.0 } else { 4.0 },
            // scores see half of the sequence on average
            scores: if attention == "counted" { 2.0 * layers * hidden * s } else { 0.0 },
            rate: 989e12 * achieved / 100.0,
        };
        let (shards, own, g) = (d * c, parameters / t / p, training.gradient);
        let [ahead, back] = plan.passes(&training);
        let (tokens, compute) = (b * m * d * s, ahead + back);
        let idle = (p - 1.0) / (v * m + p - 1.0);
        let [tensor, context, stages, data] = plan.waits(&training);
        let sent = plan.sent(training.forwards, v, g);
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
            ("dp_time", data),
            ("step_time", step),
            ("memory_used", held),
            ("traffic", sent.iter().sum()),
            ("rate", tokens / step),
            ("mfu", (6.0 * parameters + 3.0 * training.scores) * tokens / step / (t * c * p * d * 989e12)),
        ];
        let run = set.run("step");
        agree(&run, &set, &expected);
        near(run.value("pp_time"), stages, 1e-9, "stage messages", &set);
        piped += usize::from(says_what_the_pipeline_says(&plan, &training, run.value("pp_time")));
    }
    tell();
}

/// Holds what a step waits for between stages against two runs of the pipeline, with these messages and with free ones.
/// False where the pipeline has no such setting.
fn says_what_the_pipeline_says(plan: &Plan, training: &Training, waited: f64) -> bool {
    let unit = plan.passes(training)[0] / plan.m as f64;
    let send = plan.message() / plan.rate(&["pp"], true) / unit;
    if plan.degree["pp"] == 1 || send > 4.0 {
        return false;
    }
    let run = |send: f64| {
        let set = Set::default()
            .with("schedule", "interleaved 1F1B")
            .with("stages", plan.degree["pp"])
            .with("micro_batches", plan.m)
            .with("chunks", training.chunks)
            .with("backward", 1.0 + training.forwards)
            .with("send", send);
        (set.run("pipeline").value("total"), set)
    };
    let ((total, set), (free, _)) = (run(send), run(0.0));
    near(waited, (total - free) * unit, 1e-9, "messages of the pipeline", &set);
    true
}
