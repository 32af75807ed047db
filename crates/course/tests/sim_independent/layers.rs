//! A transformer layer on a tensor group, its products and collectives run one after another.

use super::{Dice, SETTINGS, Set, agree, on_nodes, round, tell};

/// The group of a layer: its ranks, how many share a node, its links and its way over nodes.
pub struct Net {
    pub ranks: Vec<usize>,
    pub per_node: usize,
    pub links: (f64, f64),
    pub alphas: (f64, f64),
    pub hierarchy: bool,
}

impl Net {
    /// Seconds of a reduce-scatter or an all-gather of so many bytes, hop by hop.
    pub fn half(&self, bytes: f64) -> f64 {
        let nodes = on_nodes(&self.ranks, self.per_node);
        let ring = |n: usize, bytes: f64, alpha: f64, rate: f64| {
            (1..n).map(|_| alpha + bytes / n as f64 / rate).sum::<f64>()
        };
        let over = nodes.len() > 1;
        if over && self.hierarchy {
            let (most, fewest) = (nodes.iter().max().expect("one"), nodes.iter().min().expect("one"));
            return ring(*most, bytes, self.alphas.0, self.links.0)
                + ring(nodes.len(), bytes / *fewest as f64, self.alphas.1, self.links.1);
        }
        let alpha = if over { self.alphas.1 } else { self.alphas.0 };
        ring(self.ranks.len(), bytes, alpha, round(&self.ranks, self.per_node, self.links))
    }
}

/// What a layer is made of.
pub struct Shape {
    pub form: &'static str,
    pub tokens: f64,
    pub hidden: f64,
    pub heads: f64,
    pub kv_heads: f64,
    pub rate: f64,
}

/// Seconds of compute, of what forward waits for, of what backward waits for, and the bytes that a rank sends.
pub fn layer(shape: &Shape, net: &Net) -> [f64; 4] {
    let (t, h) = (net.ranks.len() as f64, shape.hidden);
    let message = shape.tokens * h * 2.0;
    let head = h / shape.heads;
    let per_rank = (shape.kv_heads / t).max(1.0) * head;
    let (keys, wide) = match shape.form {
        "row-first" => (2.0 * shape.kv_heads * head * h / t, 1.0 + 2.0 * shape.kv_heads / shape.heads),
        _ => (2.0 * per_rank * h, 0.0),
    };
    let product = |parameters: f64| 2.0 * shape.tokens * parameters / shape.rate;
    let (mut compute, mut forward, mut backward, mut halves) = (0.0, 0.0, 0.0, 0.0);
    let blocks = [(h * h / t + keys, h * h / t, wide), (4.0 * h * h / t, 4.0 * h * h / t, 4.0)];
    for (first, second, wide) in blocks {
        let (one, two) = (product(first), product(second));
        compute += 3.0 * (one + two);
        match shape.form {
            "allreduce" => {
                forward += 2.0 * net.half(message);
                backward += (2.0 * net.half(message) - one).max(0.0);
                halves += 4.0;
            }
            "sp" => {
                forward += 2.0 * net.half(message);
                // gather, two products, gather behind a product, scatter behind a product
                backward += net.half(message) + 2.0 * (net.half(message) - one).max(0.0);
                halves += 5.0;
            }
            _ => {
                forward += 2.0 * net.half(wide * message) + net.half(message);
                backward +=
                    (2.0 * net.half(wide * message) - two).max(0.0) + (net.half(message) - one).max(0.0);
                halves += 4.0 * wide + 2.0;
            }
        }
    }
    [compute, forward, backward, halves * message * (t - 1.0) / t]
}

#[test]
fn layers_product_by_product() {
    let mut dice = Dice(8);
    for _ in 0..SETTINGS {
        let (t, form) = (dice.of(&[1, 2, 3, 4, 6, 8, 12, 16]), dice.of(&["allreduce", "sp", "row-first"]));
        let (in_node, collective) = (dice.from(1, t), dice.of(&["ring", "hierarchy"]));
        let (b, s, h) = (dice.from(1, 4), dice.from(64, 8192), 128 * dice.from(8, 128));
        let (heads, kv_heads) = (dice.of(&[16, 64, 96]), dice.of(&[1, 2, 8, 16]));
        let (nvlink, nic, rate) =
            (dice.between(50.0, 800.0), dice.between(5.0, 100.0), dice.between(50.0, 900.0));
        let (inside, between) = (dice.between(0.0, 10.0), dice.between(0.0, 40.0));
        let set = Set::default()
            .with("form", form)
            .with("ranks", t)
            .with("in_node", in_node)
            .with("collective", collective)
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
        let shape = Shape {
            form,
            tokens: (b * s) as f64,
            hidden: h as f64,
            heads: heads as f64,
            kv_heads: kv_heads as f64,
            rate: rate * 1e12,
        };
        let net = Net {
            ranks: (0..t).collect(),
            per_node: in_node,
            links: (nvlink * 1e9, nic * 1e9),
            alphas: (inside / 1e6, between / 1e6),
            hierarchy: collective == "hierarchy",
        };
        let [compute, forward, backward, sent] = layer(&shape, &net);
        let whole = compute + forward + backward;
        let expected = [
            ("compute_time", compute),
            ("exposed_forward", forward),
            ("exposed_backward", backward),
            ("layer_time", whole),
            ("exposed_share", (forward + backward) / whole),
            ("sent", sent),
            ("all_reduce_time", 2.0 * net.half(shape.tokens * shape.hidden * 2.0)),
        ];
        agree(&set.run("tp"), &set, &expected);
    }
    tell();
}
