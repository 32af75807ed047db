//! Rings, layers and steps run event by event, from what lessons, formulas and the simulators' own descriptions say.
//!
//! Each rank has a clock, each link carries one chunk after the other, and nothing is added up that can be run. NVLink
//! is no slower here than the NICs of a node together, as on the machines that the course speaks of.

use super::{Dice, MODELS, SETTINGS, Set, agree, tell};

/// Ranks in the order of a ring, on nodes of so many GPUs each.
#[derive(Clone)]
struct Ring {
    ranks: Vec<usize>,
    per_node: usize,
    nvlink: f64,
    nic: f64,
    alpha_in: f64,
    alpha_out: f64,
}

impl Ring {
    fn on_node(&self, node: usize) -> f64 {
        self.ranks.iter().filter(|rank| **rank / self.per_node == node).count() as f64
    }

    /// The link from one place of the ring to the next: seconds before the first byte, bytes a second. Each rank of
    /// a node has a NIC, and a link over nodes goes through as many as both its ends have.
    fn link(&self, from: usize) -> (f64, f64) {
        let here = self.ranks[from] / self.per_node;
        let there = self.ranks[(from + 1) % self.ranks.len()] / self.per_node;
        match here == there {
            true => (self.alpha_in, self.nvlink),
            false => (self.alpha_out, self.on_node(here).min(self.on_node(there)) * self.nic),
        }
    }

    /// Seconds of a reduce-scatter or an all-gather: each rank hands on n - 1 chunks, the next one as soon as it has
    /// come and its link is free. Also the bytes that the first rank sends, and those that leave its node.
    fn half(&self, bytes: f64) -> (f64, f64) {
        let n = self.ranks.len();
        let chunk = bytes / n as f64;
        // when each rank has the chunk that it hands on next
        let mut has = vec![0.0f64; n];
        let mut free = vec![0.0f64; n];
        let mut sent = 0.0;
        for _hop in 1..n {
            let mut came = vec![0.0; n];
            for from in 0..n {
                let (alpha, rate) = self.link(from);
                let done = has[from].max(free[from]) + alpha + chunk / rate;
                free[from] = done;
                came[(from + 1) % n] = done;
                sent += if from == 0 { chunk } else { 0.0 };
            }
            has = came;
        }
        (has.into_iter().fold(0.0, f64::max), sent)
    }
}

/// A cluster whose NVLink keeps up with the NICs of a node, and hops between nodes that cost more than those inside.
fn links(dice: &mut Dice, most_in_node: usize) -> (f64, f64, f64, f64) {
    let nic = dice.between(5.0, 60.0);
    let nvlink = nic * most_in_node as f64 * dice.between(1.02, 2.0);
    let inside = dice.between(0.5, 6.0);
    (nvlink, nic, inside, inside + dice.between(0.0, 20.0))
}

#[test]
fn all_reduces_chunk_by_chunk() {
    let mut dice = Dice(21);
    for _ in 0..SETTINGS {
        let (g, k) = (dice.from(1, 12), dice.from(1, 12));
        let (nvlink, nic, inside, between) = links(&mut dice, g);
        let mib = dice.of(&[0.25, 4.0, 25.0, 400.0, 4096.0]);
        let set = Set::default()
            .with("ranks_per_node", g)
            .with("nodes", k)
            .with("size", mib)
            .with("nvlink", nvlink)
            .with("nic", nic)
            .with("alpha_in", inside)
            .with("alpha_out", between);
        let size = mib * 1_048_576.0;
        let of = |ranks: Vec<usize>, per_node: usize| Ring {
            ranks,
            per_node,
            nvlink: nvlink * 1e9,
            nic: nic * 1e9,
            alpha_in: inside / 1e6,
            alpha_out: between / 1e6,
        };
        let all = of((0..g * k).collect(), g);
        let (half, sent) = all.half(size);
        // up in the node, round each rail with one rank a node, and down again
        let (up, _) = of((0..g).collect(), g).half(size);
        let (rail, _) = of((0..k).map(|node| node * g).collect(), g).half(size / g as f64);
        let mut expected = vec![("sent", 2.0 * sent), ("hierarchy_time", 2.0 * (up + rail))];
        // a ring over nodes pays the slower hop each time: so says the formula beside the result
        expected.push(("ring_time", 2.0 * half));
        agree(&set.run("ring"), &set, &expected);
    }
    tell();
}

/// What a stream works on: after which events it may begin, and how long it takes.
struct Streams {
    compute: f64,
    network: f64,
}

impl Streams {
    fn product(&mut self, after: f64, takes: f64) -> f64 {
        self.compute = self.compute.max(after) + takes;
        self.compute
    }

    fn collective(&mut self, after: f64, takes: f64) -> f64 {
        self.network = self.network.max(after) + takes;
        self.network
    }
}

/// A transformer layer: its message, its products (first and second of each block), how wide the first sum of a block
/// is where rows come first, and the time of half an all-reduce of a message.
struct Layer<'a> {
    form: &'a str,
    blocks: [(f64, f64, f64); 2],
    half: &'a dyn Fn(f64) -> f64,
}

impl Layer<'_> {
    /// Runs forward on two streams; gives its end.
    fn forward(&self) -> f64 {
        let mut streams = Streams { compute: 0.0, network: 0.0 };
        let mut ready = 0.0;
        for (first, second, wide) in self.blocks {
            ready = match self.form {
                "allreduce" => {
                    let up = streams.product(ready, first);
                    let down = streams.product(up, second);
                    streams.collective(down, 2.0 * (self.half)(1.0))
                }
                "sp" => {
                    let gathered = streams.collective(ready, (self.half)(1.0));
                    let up = streams.product(gathered, first);
                    let down = streams.product(up, second);
                    streams.collective(down, (self.half)(1.0))
                }
                _ => {
                    let up = streams.product(ready, first);
                    let summed = streams.collective(up, 2.0 * (self.half)(wide));
                    let down = streams.product(summed, second);
                    streams.collective(down, (self.half)(1.0))
                }
            };
        }
        ready
    }

    /// Runs backward: the gradient of a product's input first, then that of its weights, behind which the
    /// collective of the input's gradient may hide.
    fn backward(&self) -> f64 {
        let mut streams = Streams { compute: 0.0, network: 0.0 };
        let mut ready = 0.0f64;
        for (first, second, wide) in self.blocks.into_iter().rev() {
            let arrived = match self.form {
                "sp" => streams.collective(ready, (self.half)(1.0)),
                _ => ready,
            };
            let mut down = streams.product(arrived, second);
            if self.form == "row-first" {
                // the gradient of the columns' input is a partial sum on each rank; its weights do not wait for it
                down = streams.collective(down, 2.0 * (self.half)(wide));
            }
            streams.product(0.0, second);
            let input = streams.product(down, first);
            ready = match self.form {
                "allreduce" => {
                    let weights = streams.product(input, first);
                    streams.collective(input, 2.0 * (self.half)(1.0)).max(weights)
                }
                "sp" => {
                    // the input was kept in shares; weights need all of it, gathered while the input's gradient runs
                    let begun = input - first;
                    let gathered = streams.collective(begun, (self.half)(1.0));
                    let scattered = streams.collective(input, (self.half)(1.0));
                    streams.product(gathered, first).max(scattered)
                }
                _ => {
                    let weights = streams.product(input, first);
                    streams.collective(input, (self.half)(1.0)).max(weights)
                }
            };
        }
        ready
    }
}

#[test]
fn layers_on_two_streams() {
    let mut dice = Dice(22);
    for _ in 0..SETTINGS {
        let (t, form) = (dice.from(1, 16), dice.of(&["allreduce", "sp", "row-first"]));
        // nodes of a size that need not divide the group: the last one has fewer ranks
        let in_node = dice.from(1, t);
        let (nvlink, nic, inside, between) = links(&mut dice, in_node);
        let (b, s, h) = (dice.from(1, 4), dice.from(512, 8192), 128 * dice.from(16, 128));
        let (heads, kv_heads) = (dice.of(&[16, 64, 96]), dice.of(&[1, 2, 8, 16]));
        let rate = dice.between(50.0, 900.0);
        let set = Set::default()
            .with("form", form)
            .with("ranks", t)
            .with("in_node", in_node)
            .with("collective", "ring")
            .with("micro_batch", b)
            .with("sequence", s)
            .with("hidden", h)
            .with("heads", heads)
            .with("kv_heads", kv_heads)
            .with("nvlink", nvlink)
            .with("nic", nic)
            .with("alpha_in", inside)
            .with("alpha_out", between)
            .with("rate", rate);
        let (tokens, width) = ((b * s) as f64, h as f64);
        let ring = Ring {
            ranks: (0..t).collect(),
            per_node: in_node,
            nvlink: nvlink * 1e9,
            nic: nic * 1e9,
            alpha_in: inside / 1e6,
            alpha_out: between / 1e6,
        };
        let message = tokens * width * 2.0;
        let half = |share: f64| ring.half(share * message).0;
        // rows and columns of a rank's slices, product by product
        let keys = 2.0 * (kv_heads as f64 / t as f64).max(1.0) * width / heads as f64;
        let product = |rows: f64, columns: f64| 2.0 * tokens * rows * columns / (rate * 1e12);
        let slice = width / t as f64;
        let blocks = match form {
            // a rank has rows of the first matrix, all its columns, and sums over the whole width
            "row-first" => {
                let all = width * (1.0 + 2.0 * kv_heads as f64 / heads as f64);
                [
                    (product(slice, all), product(width, slice), all / width),
                    (product(slice, 4.0 * width), product(4.0 * width, slice), 4.0),
                ]
            }
            _ => [
                (product(width, slice + keys), product(slice, width), 0.0),
                (product(width, 4.0 * slice), product(4.0 * slice, width), 0.0),
            ],
        };
        let layer = Layer { form, blocks, half: &half };
        let (forward, backward) = (layer.forward(), layer.backward());
        let once: f64 = blocks.iter().map(|(first, second, _)| first + second).sum();
        let whole = forward + backward;
        let expected = [
            ("compute_time", 3.0 * once),
            ("layer_time", whole),
            ("exposed_share", (whole - 3.0 * once).max(0.0) / whole),
            ("all_reduce_time", 2.0 * half(1.0)),
        ];
        agree(&set.run("tp"), &set, &expected);
    }
    tell();
}

/// When a pipeline is done, in forwards of a stage, and the most micro-batches that the first stage has alive: 1F1B, or
/// its interleaved form where a stage has several chunks. A message is on its way for `send`.
pub fn pipeline((p, m, v): (usize, usize, usize), backward: f64, send: f64) -> (f64, f64) {
    let order = |r: usize| -> Vec<(bool, usize, usize)> {
        let (mut forwards, mut backwards) = (Vec::new(), Vec::new());
        for start in (0..m).step_by(p) {
            for chunk in 0..v {
                for i in start..(start + p).min(m) {
                    forwards.push((true, i, chunk * p + r));
                    backwards.push((false, i, (v - 1 - chunk) * p + r));
                }
            }
        }
        let ahead = if v == 1 { p - 1 - r } else { 2 * (p - 1 - r) + (v - 1) * p };
        let ahead = ahead.min(m * v);
        let mut order = forwards[..ahead].to_vec();
        for (i, backward) in backwards.into_iter().enumerate() {
            order.extend(forwards.get(ahead + i));
            order.push(backward);
        }
        order
    };
    let orders: Vec<Vec<(bool, usize, usize)>> = (0..p).map(order).collect();
    let (mut at, mut free, mut alive, mut most) = (vec![0; p], vec![0.0f64; p], 0usize, 0usize);
    let mut done = std::collections::HashMap::new();
    let last = p * v - 1;
    loop {
        let mut moved = false;
        for r in 0..p {
            while let Some(&(is_forward, i, stage)) = orders[r].get(at[r]) {
                let on_its_way = if p > 1 { send } else { 0.0 };
                let came = |task: &(bool, usize, usize)| done.get(task).map(|end| end + on_its_way);
                let needs = match is_forward {
                    true if stage == 0 => Some(0.0),
                    true => came(&(true, i, stage - 1)),
                    false if stage == last => done.get(&(true, i, stage)).copied(),
                    false => came(&(false, i, stage + 1)),
                };
                let Some(ready) = needs else { break };
                free[r] = free[r].max(ready) + if is_forward { 1.0 } else { backward } / v as f64;
                done.insert((is_forward, i, stage), free[r]);
                if r == 0 {
                    alive = if is_forward { alive + 1 } else { alive - 1 };
                    most = most.max(alive);
                }
                (at[r], moved) = (at[r] + 1, true);
            }
        }
        if !moved {
            break;
        }
    }
    (free.into_iter().fold(0.0, f64::max), most as f64 / v as f64)
}

/// Seconds that ring attention takes beyond its compute: a clock for each rank, a link to the next one, blocks that go
/// on their way as soon as they are there. Pairs are counted in pieces of a zigzag cut, half of it causal.
fn context(ring: &Ring, block: f64, a_pair: f64, half: f64) -> f64 {
    let c = ring.ranks.len();
    let (mut clock, mut has, mut free) = (vec![0.0f64; c], vec![0.0f64; c], vec![0.0f64; c]);
    let mut worked = 0.0;
    for hop in 0..c {
        let pairs = if hop == 0 { half * (half + 1.0) + half * half } else { 2.0 * half * half };
        worked += pairs * a_pair;
        let mut came = vec![0.0; c];
        for rank in 0..c {
            let begins = clock[rank].max(has[rank]);
            let (_, rate) = ring.link(rank);
            // neighbours talk over one link, whatever the node has
            let rate = if rate == ring.nvlink { rate } else { ring.nic };
            free[rank] = free[rank].max(begins) + block / rate;
            came[(rank + 1) % c] = free[rank];
            clock[rank] = begins + pairs * a_pair;
        }
        has = came;
    }
    clock.into_iter().fold(0.0, f64::max) - worked
}

/// Seconds that a collective of data parallelism sticks out of a window of compute, where a slice of it may begin once
/// the slice of compute that makes it is done.
fn beyond(sends: f64, window: f64) -> f64 {
    const SLICES: usize = 4000;
    let mut streams = Streams { compute: 0.0, network: 0.0 };
    for _ in 0..SLICES {
        let made = streams.product(0.0, window / SLICES as f64);
        streams.collective(made, sends / SLICES as f64);
    }
    (streams.network - streams.compute).max(0.0)
}

#[test]
fn steps_rank_by_rank_and_hop_by_hop() {
    let mut dice = Dice(23);
    let mut tried = 0;
    while tried < SETTINGS {
        let (model, [parameters, layers, hidden, heads, kv_heads]) = dice.of(&MODELS);
        let (t, c, p) = (dice.of(&[1, 2, 3, 4, 8]), dice.of(&[2, 2, 3, 4, 1]), dice.of(&[1, 2, 3, 4]));
        let d = dice.from(1, 4);
        // nodes that groups need not fit into
        let per_node = dice.of(&[1, 2, 3, 4, 6, 8]);
        let world = (t * c * p * d).div_ceil(per_node) * per_node;
        if world != t * c * p * d || world / per_node > 64 {
            continue;
        }
        tried += 1;
        let v = if p > 1 { dice.from(1, 3) } else { 1 };
        let m = p * dice.from(1, 6);
        let (b, zero) = (dice.from(1, 2), dice.from(0, 3));
        let s = 2 * t * c * dice.from(64, 512);
        let (nvlink, nic, ..) = links(&mut dice, per_node);
        let (recompute, g) = (dice.of(&["none", "selective", "full"]), dice.of(&[2.0, 4.0]));
        let set = Set::default()
            .with("model", model)
            .with("nodes", world / per_node)
            .with("per_node", per_node)
            .with("tp", t)
            .with("cp", c)
            .with("pp", p)
            .with("chunks", v)
            .with("zero", zero)
            .with("micro_batch", b)
            .with("sequence", s)
            .with("global_batch", b * m * d)
            .with("recompute", recompute)
            .with("gradients", if g == 2.0 { "bf16" } else { "fp32" })
            .with("attention", "left-out")
            .with("nvlink", nvlink)
            .with("nic", nic);
        // the ranks of every group: TP is the fastest axis, then CP, then DP, then PP
        let group = |step: usize, count: usize, first: usize| (0..count).map(|i| first + i * step).collect();
        let ring = |ranks: Vec<usize>| Ring {
            ranks,
            per_node,
            nvlink: nvlink * 1e9,
            nic: nic * 1e9,
            alpha_in: 0.0,
            alpha_out: 0.0,
        };
        let starts = |step: usize, count: usize| (0..world).filter(move |r| (r / step).is_multiple_of(count));
        let rings = |step: usize, count: usize| -> Vec<Ring> {
            starts(step, count).map(|first| ring(group(step, count, first))).collect()
        };
        let [tf, cf, pf, df, mf] = [t, c, p, d, m].map(|n| n as f64);
        let rate = 989e12 / 2.0;
        let tokens = (b * m * d * s) as f64;
        let forward = 2.0 * parameters * tokens / world as f64 / rate;
        let full = recompute == "full";
        let (forwards, backward) = (if full { 2.0 } else { 1.0 }, forward * if full { 3.0 } else { 2.0 });
        let compute = forward + backward;
        // seconds of a micro-batch's forward on a stage
        let unit = forward / mf;
        let (free, alive) = pipeline((p, m, v), backward / forward, 0.0);
        let idle = 1.0 - compute / (free * unit);

        // a layer on each tensor group, with sequence parallelism
        let here = (b * s) as f64 / cf;
        let message = here * hidden * 2.0;
        let keys = 2.0 * (kv_heads / tf).max(1.0) * hidden / heads;
        let product = |rows: f64, columns: f64| 2.0 * here * rows * columns / rate;
        let slice = hidden / tf;
        let blocks = [
            (product(hidden, slice + keys), product(slice, hidden), 0.0),
            (product(hidden, 4.0 * slice), product(4.0 * slice, hidden), 0.0),
        ];
        let once: f64 = blocks.iter().map(|(first, second, _)| first + second).sum();
        let passes = layers / pf * mf;
        let mut tensor = 0.0f64;
        for ring in rings(1, t) {
            let half = |share: f64| ring.half(share * message).0;
            let layer = Layer { form: "sp", blocks, half: &half };
            let exposed = forwards * (layer.forward() - once) + layer.backward() - 2.0 * once;
            tensor = tensor.max(exposed * passes);
        }

        let block = 2.0 * (kv_heads / tf).max(1.0) * hidden / heads * 2.0 * here;
        let a_pair = 4.0 * b as f64 * hidden / tf / rate;
        let groups = rings(t, c);
        let waits = groups.iter().map(|ring| context(ring, block, a_pair, s as f64 / cf / 2.0));
        let context = waits.fold(0.0, f64::max) * (2.0 + forwards) * passes;

        // gradients and state: groups over DP and CP, whose ranks are every t-th of a stage
        let shards = c * d;
        let own = parameters / tf / pf;
        let (mut round, mut moved) = (0.0f64, 0.0);
        for ring in rings(t, shards) {
            let (half, sent) = ring.half(own);
            (round, moved) = (round.max(half), sent);
        }
        let mut data = 0.0;
        for micro_batch in 1..=m {
            let (first, last) = (micro_batch == 1, micro_batch == m);
            data += match zero {
                0 if last => beyond(2.0 * g * round, backward / mf),
                1 if last => beyond(g * round, backward / mf) + beyond(2.0 * round, forward / mf),
                2 => {
                    beyond(g * round, backward / mf)
                        + if first { beyond(2.0 * round, forward / mf) } else { 0.0 }
                }
                3 => beyond(2.0 * round, forward / mf) + beyond((2.0 + g) * round, backward / mf),
                _ => 0.0,
            };
        }
        let moves = match zero {
            0 => 2.0 * g,
            1 => g + 2.0,
            2 => mf * g + 2.0,
            _ => mf * (4.0 + g),
        };
        let crosses = |rings: &[Ring]| {
            rings.iter().any(|r| r.ranks.iter().any(|x| x / per_node != r.ranks[0] / per_node))
        };

        // messages between stages, each over one link
        // a stage in the middle sends both ways for each chunk; of two stages, each sends one way less
        let ways = match p {
            1 => 0,
            2 => 2 * v - 1,
            _ => 2 * v,
        };
        let hands = ways as f64 * mf * message / tf;
        let stages = rings(t * shards, p);
        let slow = if crosses(&stages) { nic * 1e9 } else { nvlink * 1e9 };
        let (whole, _) = pipeline((p, m, v), backward / forward, message / tf / slow / unit);
        let stage_time = (whole - free) * unit;
        let step = compute / (1.0 - idle) + tensor + context + stage_time + data;

        let tensor_sent = if t > 1 {
            passes * (2.0 * forwards + 2.0) * 2.0 * ring((0..t).collect()).half(message).1
        } else {
            0.0
        };
        let context_sent = passes * (forwards + 2.0) * (cf - 1.0) * block;
        let data_sent = moves * moved;
        let traffic = tensor_sent + context_sent + hands + data_sent;
        let over = [
            (crosses(&rings(1, t)), tensor_sent),
            (crosses(&rings(t, c)), context_sent),
            (crosses(&stages), hands),
            (crosses(&rings(t, shards)), data_sent),
        ];
        let crossing: f64 = over.iter().filter(|(over, _)| *over).map(|(_, sent)| sent).sum();

        let part = |from: usize| if zero >= from { (shards as f64).max(1.0) } else { 1.0 };
        let gathered = if zero == 3 && shards > 1 { 2.0 * 2.0 * parameters / layers / tf } else { 0.0 };
        let state = own * (2.0 / part(3) + g / part(2) + 12.0 / part(1)) + gathered;
        let unit = here * hidden / tf;
        let (kept, working) = match recompute {
            "none" => (34.0 * unit + 5.0 * heads * s as f64 / hidden * unit, 0.0),
            "selective" => (34.0 * unit, 0.0),
            _ => (2.0 * unit, 34.0 * unit),
        };
        let held = state + kept * layers / pf * alive + working;
        let run = set.run("step");
        let expected = [
            ("dp", df),
            ("compute_time", compute),
            ("step_time", step),
            ("traffic", traffic),
            ("crossing", crossing),
            ("memory_used", held),
            ("rate", tokens / step),
        ];
        agree(&run, &set, &expected);
        assert!((run.value("bubble") - idle).abs() < 1e-6, "bubble {idle}: {set:?}");
        // what sticks out, as far as a step would feel it
        for (name, value) in
            [("tp_time", tensor), ("cp_time", context), ("pp_time", stage_time), ("dp_time", data)]
        {
            let said = run.value(name);
            assert!((said - value).abs() < 0.01 * step, "{name}: {said} against {value} of {step}: {set:?}");
        }
    }
    tell();
}
