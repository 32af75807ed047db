//! All-reduces over rings, trees and hierarchies, and what a router prefers.

use super::{Dice, SETTINGS, Set, agree, round, tell};

/// Seconds of a ring all-reduce, hop by hop, and bytes that each rank sent.
fn ring(ranks: usize, size: f64, alpha: f64, rate: f64) -> (f64, f64) {
    let (mut seconds, mut sent) = (0.0, 0.0);
    for _half in 0..2 {
        for _hop in 1..ranks {
            seconds += alpha + size / ranks as f64 / rate;
            sent += size / ranks as f64;
        }
    }
    (seconds, sent)
}

#[test]
fn all_reduces_hop_by_hop() {
    let mut dice = Dice(2);
    for _ in 0..SETTINGS {
        let (g, k) = (dice.of(&[1, 2, 3, 5, 8, 16]), dice.of(&[1, 2, 3, 4, 8, 13, 32]));
        let (nvlink, nic) = (dice.between(50.0, 900.0), dice.between(5.0, 100.0));
        let (inside, between) = (dice.between(0.0, 10.0), dice.between(0.0, 40.0));
        let mib = dice.of(&[0.02, 1.0, 25.0, 400.0, 4096.0]);
        let set = Set::default()
            .with("ranks_per_node", g)
            .with("nodes", k)
            .with("size", mib)
            .with("nvlink", nvlink)
            .with("nic", nic)
            .with("alpha_in", inside)
            .with("alpha_out", between);
        let (n, size) = (g * k, mib * 1_048_576.0);
        let (nvlink, nic, inside, between) = (nvlink * 1e9, nic * 1e9, inside / 1e6, between / 1e6);
        let ranks: Vec<usize> = (0..n).collect();
        let (alpha, rate) = if k > 1 { (between, round(&ranks, g, (nvlink, nic))) } else { (inside, nvlink) };
        let one = if k > 1 { nvlink.min(nic) } else { nvlink };
        let (rails, sent) = ring(n, size, alpha, rate);
        let (single, _) = ring(n, size, alpha, one);
        let (up, _) = ring(g, size, inside, nvlink);
        let (across, share) = ring(k, size / g as f64, between, nic);
        // up a chain in the node, up a tree over the nodes, and back
        let tree = 2.0 * ((g - 1) as f64 * inside + (k as f64).log2() * between) + 2.0 * size / rate;
        let mut expected = vec![
            ("sent", sent),
            ("ring_time", rails),
            ("one_nic_time", single),
            ("hierarchy_time", up + across),
        ];
        if n > 1 {
            let ways = [
                (rails, sent / g as f64),
                (tree, 2.0 * size / g as f64),
                (up + across, share),
                (single, sent),
            ];
            let best = ways.into_iter().min_by(|a, b| a.0.total_cmp(&b.0)).expect("a way");
            expected.extend([("tree_time", tree), ("best_time", best.0), ("algbw", size / best.0)]);
            expected.push(("busbw", size / best.0 * 2.0 * (n - 1) as f64 / n as f64));
            let tied = ways.iter().any(|w| *w != best && (w.0 / best.0 - 1.0).abs() < 1e-9);
            if k > 1 && !tied {
                expected.extend([("nic_sent", best.1), ("nic_rate", best.1 / best.0)]);
            }
        }
        agree(&set.run("ring"), &set, &expected);
    }
    tell();
}

/// The likeliest of experts whose weights fall off evenly in the logarithm takes its share of tokens.
#[test]
fn routers_follow_their_weights() {
    let mut dice = Dice(5);
    for _ in 0..SETTINGS {
        let (experts, skew) = (dice.from(2, 64), dice.between(0.05, 0.6));
        let set = Set::default()
            .with("experts", experts)
            .with("ranks", 1)
            .with("per_node", 1)
            .with("top", 1)
            .with("tokens", 16384)
            .with("skew", skew)
            .with("capacity", 0)
            .with("seed", dice.from(0, 999));
        let weights: Vec<f64> =
            (0..experts).map(|e| (-16.0 * skew * e as f64 / experts as f64).exp()).collect();
        let chance = weights[0] / weights.iter().sum::<f64>();
        let (mean, sigma) = (16384.0 * chance, (16384.0 * chance * (1.0 - chance)).sqrt());
        let hottest = set.run("experts").value("hottest");
        assert!((hottest - mean).abs() < 5.0 * sigma + 1.0, "{hottest} against {mean}: {set:?}");
    }
    tell();
}
