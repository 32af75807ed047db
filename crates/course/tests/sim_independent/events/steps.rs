//! Pipelines, ring attention and whole steps run event by event.

use super::super::{Dice, MODELS, SETTINGS, Set, agree, tell};
use super::{Layer, Ring, Streams, links};

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
