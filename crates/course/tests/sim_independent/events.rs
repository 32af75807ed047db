//! Rings and layers run event by event, from what lessons, formulas and the simulators' own descriptions say.
//!
//! Each rank has a clock, each link carries one chunk after the other, and nothing is added up that can be run. NVLink
//! is no slower here than the NICs of a node together, as on the machines that the course speaks of.

use super::{Dice, SETTINGS, Set, agree, tell};

pub mod steps;

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
