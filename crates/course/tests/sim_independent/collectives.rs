//! Buckets, rings, the ZeRO ledger, experts.

use super::{Dice, SETTINGS, Set, agree, on_nodes, round};

#[test]
fn buckets_on_a_clock() {
    let mut dice = Dice(1);
    for _ in 0..SETTINGS {
        let (tensors, mib, embedding) =
            (dice.from(1, 120), dice.between(0.5, 32.0), dice.between(0.0, 300.0));
        let (ms, cap, first) = (dice.between(0.05, 3.0), dice.between(0.5, 400.0), dice.of(&[0.0, 1.0, 7.0]));
        let (link, us, m, alone) =
            (dice.between(1.0, 300.0), dice.between(0.0, 2000.0), dice.from(1, 8), dice.of(&["on", "off"]));
        let set = Set::default()
            .with("tensors", tensors)
            .with("tensor", mib)
            .with("embedding", embedding)
            .with("backward", ms)
            .with("cap", cap)
            .with("first", first)
            .with("link", link)
            .with("alpha", us)
            .with("accumulate", m)
            .with("no_sync", alone);
        let (mut now, mut network_free, mut busy, mut working, mut count) = (0.0f64, 0.0f64, 0.0, 0.0, 0);
        for micro_batch in 1..=m {
            now += tensors as f64 * ms / 2e3;
            working += tensors as f64 * ms / 2e3;
            let (mut held, mut limit) = (0.0, if first > 0.0 { first } else { cap });
            for tensor in (0..tensors).rev() {
                now += ms / 1e3;
                working += ms / 1e3;
                held += if tensor == 0 { mib + embedding } else { mib };
                if held >= limit || tensor == 0 {
                    if alone == "off" || micro_batch == m {
                        let takes = us / 1e6 + held * 1_048_576.0 / (link * 1e9);
                        network_free = network_free.max(now) + takes;
                        busy += takes;
                        count += 1;
                    }
                    (held, limit) = (0.0, cap);
                }
            }
            if alone == "off" {
                now = now.max(network_free);
            }
        }
        let end = now.max(network_free);
        let backwards = if alone == "on" { 1.0 } else { m as f64 };
        let expected = [
            ("buckets", count as f64 / backwards),
            ("comm_time", busy),
            ("step_time", end),
            ("exposed", end - working),
        ];
        agree(&set.run("buckets"), &set, &expected);
    }
}

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
}

#[test]
fn ledgers_rank_by_rank() {
    let mut dice = Dice(3);
    for _ in 0..SETTINGS {
        let (billions, layers, d) = (dice.between(0.1, 200.0), dice.from(2, 100), dice.from(1, 300));
        let (stage, m, per_node) = (dice.from(0, 3), dice.from(1, 20), dice.from(1, 9));
        let (gradients, optimizer) = (dice.of(&["bf16", "fp32"]), dice.of(&["adam", "adam8", "momentum"]));
        let (activations, memory) = (dice.between(0.0, 60.0), dice.between(40.0, 200.0));
        let set = Set::default()
            .with("params", billions)
            .with("layers", layers)
            .with("ranks", d)
            .with("stage", stage)
            .with("gradients", gradients)
            .with("optimizer", optimizer)
            .with("micro_batches", m)
            .with("activations", activations)
            .with("memory", memory)
            .with("per_node", per_node);
        let g = if gradients == "bf16" { 2.0 } else { 4.0 };
        let o = [("adam", 12.0), ("adam8", 6.0), ("momentum", 8.0)]
            .iter()
            .find(|p| p.0 == optimizer)
            .expect("one")
            .1;
        let (params, room) = (billions * 1e9, (memory - 8.0) * 1e9);
        let held = |stage: usize, d: usize| {
            let part = |from| if stage >= from { params / d as f64 } else { params };
            let layers_of_weights = if stage == 3 && d > 1 { 2.0 * params / layers as f64 } else { 0.0 };
            (part(3) * 2.0 + part(2) * g + part(1) * o, layers_of_weights * 2.0 + activations * 1e9)
        };
        let (state, beside) = held(stage, d);
        // each collective of a step moves all but a rank's own part of what it is about
        let moved = |bytes: f64| bytes * (d - 1) as f64 / d as f64;
        let mut sent = 0.0;
        for micro_batch in 1..=m {
            match stage {
                0 if micro_batch == m => sent += 2.0 * moved(params * g),
                1 if micro_batch == m => sent += moved(params * g) + moved(params * 2.0),
                2 => sent += moved(params * g) + if micro_batch == m { moved(params * 2.0) } else { 0.0 },
                3 => sent += 2.0 * moved(params * 2.0) + moved(params * g),
                _ => {}
            }
        }
        let ranks: Vec<usize> = (0..d).collect();
        let rate = round(&ranks, per_node, (370e9, 45e9));
        let fewest = (2..100_000).find(|d| {
            let (state, beside) = held(3, *d);
            state + beside <= room
        });
        let run = set.run("zero");
        let fits = f64::from(state + beside <= room);
        let expected = [
            ("state", state),
            ("peak", state + beside),
            ("sent", sent),
            ("comm_time", sent / rate),
            ("fits", fits),
            ("tokens_needed", 494.5e12 / rate),
        ];
        agree(&run, &set, &expected);
        match fewest {
            Some(fewest) if fewest > 2 => assert_eq!(run.value("ranks_to_fit"), fewest as f64, "{set:?}"),
            Some(_) => assert!(run.value("ranks_to_fit") <= 2.0, "{set:?}"),
            None => {
                assert!(run.value("ranks_to_fit") == 0.0 || run.value("ranks_to_fit") > 90_000.0, "{set:?}")
            }
        }
    }
}

#[test]
fn experts_peer_by_peer() {
    let mut dice = Dice(4);
    for _ in 0..SETTINGS {
        let e = dice.of(&[1, 2, 3, 4, 6, 8, 12]);
        let (experts, per_node) = (e * dice.from(1, 4), dice.from(1, e));
        let (tokens, top, hidden) = (dice.from(64, 4096), dice.from(1, experts.min(8)), dice.from(64, 8192));
        let (factor, nvlink, nic) =
            (dice.of(&[0.0, 1.0, 1.25, 2.0]), dice.between(50.0, 500.0), dice.between(5.0, 200.0));
        let set = Set::default()
            .with("tokens", tokens)
            .with("experts", experts)
            .with("top", top)
            .with("capacity", factor)
            .with("ranks", e)
            .with("per_node", per_node)
            .with("hidden", hidden)
            .with("nvlink", nvlink)
            .with("nic", nic)
            .with("skew", dice.of(&[0.0, 0.1, 0.3]));
        let even = (tokens * top) as f64 / experts as f64;
        let slots = if factor > 0.0 { (factor * even - 1e-9).ceil() } else { even };
        // what a rank sends to each other: the slots of the experts there
        let to_peer = slots * (experts / e) as f64 * hidden as f64 * 2.0;
        let (mut sent, mut slowest, mut leaving): (f64, f64, f64) = (0.0, 0.0, 0.0);
        for from in 0..e {
            let (mut inside, mut outside) = (0.0, 0.0);
            for to in (0..e).filter(|to| *to != from) {
                *(if to / per_node == from / per_node { &mut inside } else { &mut outside }) += to_peer;
            }
            sent = sent.max(inside + outside);
            leaving = leaving.max(outside);
            slowest = slowest.max((inside / (nvlink * 1e9)).max(outside / (nic * 1e9)));
        }
        let run = set.run("experts");
        let expected =
            [("dispatch", sent), ("sent", 4.0 * sent), ("crossing", leaving), ("time", 2.0 * slowest)];
        agree(&run, &set, &expected);
        if factor > 0.0 {
            assert_eq!(run.value("capacity_tokens"), slots, "{set:?}");
            let taken = (tokens * top) as f64 - run.value("dropped");
            agree(&run, &set, &[("efficiency", taken / (slots * experts as f64))]);
        } else {
            assert_eq!(run.value("dropped"), 0.0);
            agree(&run, &set, &[("efficiency", even / run.value("hottest"))]);
        }
        assert!(on_nodes(&(0..e).collect::<Vec<_>>(), per_node).iter().sum::<usize>() == e);
    }
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
}
