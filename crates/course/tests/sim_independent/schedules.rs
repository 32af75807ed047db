//! Pipelines run event by event, and ring attention counted token by token.

use std::collections::BTreeMap;

use super::{Dice, SETTINGS, Set, agree};

/// A piece of work: forward, input gradient or whole backward, weight gradient; the micro-batch; the global stage.
type Piece = (char, usize, usize);

fn orders(schedule: &str, p: usize, m: usize, v: usize) -> Vec<Vec<Piece>> {
    (0..p)
        .map(|r| match schedule {
            "gpipe" => (0..m).map(|i| ('F', i, r)).chain((0..m).map(|i| ('B', i, r))).collect(),
            "interleaved" => interleaved(r, p, m, v),
            _ => one_by_one(schedule, r, p, m),
        })
        .collect()
}

/// 1F1B: forwards ahead by the stages that follow. ZB-H1: the same, its weight gradients behind by the stages before.
fn one_by_one(schedule: &str, r: usize, p: usize, m: usize) -> Vec<Piece> {
    let (mut forward, mut weights, mut order) = (0, 0, Vec::new());
    for backward in 0..m {
        while forward < m && forward <= backward + p - 1 - r {
            order.push(('F', forward, r));
            forward += 1;
        }
        order.push(('B', backward, r));
        if schedule == "zb-h1" && backward >= r {
            order.push(('W', weights, r));
            weights += 1;
        }
    }
    if schedule == "zb-h1" {
        order.extend((weights..m).map(|i| ('W', i, r)));
    }
    order
}

/// Rounds of p micro-batches through chunk 0, then chunk 1; backward through the chunks from the last.
fn interleaved(r: usize, p: usize, m: usize, v: usize) -> Vec<Piece> {
    let (mut forwards, mut backwards) = (Vec::new(), Vec::new());
    for start in (0..m).step_by(p) {
        for chunk in 0..v {
            forwards.extend((start..start + p).map(|i| ('F', i, chunk * p + r)));
            backwards.extend((start..start + p).map(|i| ('B', i, (v - 1 - chunk) * p + r)));
        }
    }
    let ahead = (2 * (p - r - 1) + (v - 1) * p).min(m * v);
    let mut order: Vec<Piece> = forwards[..ahead].to_vec();
    for (i, backward) in backwards.into_iter().enumerate() {
        order.extend(forwards.get(ahead + i));
        order.push(backward);
    }
    order
}

#[test]
fn pipelines_event_by_event() {
    let mut dice = Dice(6);
    for _ in 0..SETTINGS {
        let schedule = dice.of(&["gpipe", "1f1b", "interleaved", "zb-h1"]);
        let (p, mut m, mut v) = (dice.from(1, 9), dice.from(1, 24), dice.from(1, 4));
        if schedule == "interleaved" {
            m = m.div_ceil(p) * p;
        }
        let (backward, send) = (dice.between(0.2, 5.0), dice.of(&[0.0, 0.0, 0.3, 1.1]));
        let (slow_stage, slow) = (dice.from(0, p - 1), dice.of(&[1.0, 1.0, 1.5, 2.2]));
        let set = Set::default()
            .with("schedule", schedule)
            .with("stages", p)
            .with("micro_batches", m)
            .with("chunks", v)
            .with("backward", backward)
            .with("send", send)
            .with("slow_stage", slow_stage)
            .with("slow", slow);
        if schedule != "interleaved" {
            v = 1;
        }
        let last = p * v - 1;
        let mut todo = orders(schedule, p, m, v);
        todo.iter_mut().for_each(|order| order.reverse());
        let (mut free, mut done) = (vec![0.0f64; p], BTreeMap::<Piece, f64>::new());
        let (mut alive, mut most, mut work) = (vec![0i32; p], vec![0i32; p], vec![0.0; p]);
        while todo.iter().any(|order| !order.is_empty()) {
            // of all pieces that can start, the one that starts first
            let mut next: Option<(f64, usize)> = None;
            for r in 0..p {
                let Some((kind, i, stage)) = todo[r].last().copied() else { continue };
                let needs = match kind {
                    'F' if stage == 0 => Some(0.0),
                    'F' => done.get(&('F', i, stage - 1)).map(|t| t + send),
                    'B' if stage == last => done.get(&('F', i, stage)).copied(),
                    'B' => done.get(&('B', i, stage + 1)).map(|t| t + send),
                    _ => done.get(&('B', i, stage)).copied(),
                };
                let Some(start) = needs.map(|t| t.max(free[r])) else { continue };
                if next.is_none_or(|(first, _)| start < first) {
                    next = Some((start, r));
                }
            }
            let (start, r) = next.expect("something can run");
            let piece = todo[r].pop().expect("it is there");
            let share = match (piece.0, schedule) {
                ('F', _) => 1.0,
                (_, "zb-h1") => backward / 2.0,
                _ => backward,
            };
            let takes = share / v as f64 * if r == slow_stage { slow } else { 1.0 };
            (free[r], work[r]) = (start + takes, work[r] + takes);
            done.insert(piece, free[r]);
            alive[r] += i32::from(piece.0 == 'F');
            most[r] = most[r].max(alive[r]);
            alive[r] -= i32::from(piece.0 == if schedule == "zb-h1" { 'W' } else { 'B' });
        }
        let total = free.iter().copied().fold(0.0, f64::max);
        let idle: f64 = free.iter().zip(&work).map(|(_, w)| total - w).sum::<f64>() / (total * p as f64);
        let run = set.run("pipeline");
        let expected = [
            ("total", total),
            ("live_first", f64::from(most[0]) / v as f64),
            ("live_last", f64::from(most[p - 1]) / v as f64),
        ];
        agree(&run, &set, &expected);
        assert!((run.value("bubble") - idle).abs() < 1e-6, "{} {idle} {set:?}", run.value("bubble"));
        let filled = schedule != "zb-h1" || m >= p;
        if send == 0.0 && slow == 1.0 && filled {
            assert!(
                (run.value("formula") - idle).abs() < 1e-6,
                "formula {} {idle} {set:?}",
                run.value("formula")
            );
        }
    }
}

#[test]
fn ring_attention_token_by_token() {
    let mut dice = Dice(7);
    for _ in 0..SETTINGS {
        let (c, cut, mask) =
            (dice.from(1, 9), dice.of(&["contiguous", "zigzag"]), dice.of(&["causal", "full"]));
        let tokens = (2 * c * dice.from(1, 12)).max(18).div_ceil(2 * c) * 2 * c;
        let (b, heads) = (dice.from(1, 3), dice.of(&[8, 32, 64]));
        let (kv_heads, hidden) = (dice.of(&[1, 4, 8]), dice.of(&[1024, 4096, 8192]));
        let (link, us, rate) = (dice.between(5.0, 400.0), dice.between(0.0, 0.2), dice.between(1.0, 50.0));
        let set = Set::default()
            .with("ranks", c)
            .with("sequence", tokens)
            .with("micro_batch", b)
            .with("hidden", hidden)
            .with("heads", heads)
            .with("kv_heads", kv_heads)
            .with("mask", mask)
            .with("cut", cut)
            .with("link", link)
            .with("alpha", us)
            .with("rate", rate);
        let owner = |token: usize| match cut {
            "contiguous" => token * c / tokens,
            _ => {
                let piece = token * 2 * c / tokens;
                if piece < c { piece } else { 2 * c - 1 - piece }
            }
        };
        // pairs of a rank's queries with the keys of another
        let mut pairs = vec![vec![0.0; c]; c];
        for query in 0..tokens {
            for key in 0..tokens {
                if mask == "full" || key <= query {
                    pairs[owner(query)][owner(key)] += 1.0;
                }
            }
        }
        let a_pair = 4.0 * b as f64 * hidden as f64 / (rate * 1e12);
        let kv = hidden as f64 / heads as f64 * kv_heads as f64;
        let bytes = 2.0 * kv * 2.0 * (b * tokens) as f64 / c as f64;
        let send = us / 1e6 + bytes / (link * 1e9);
        let (mut wall, mut exposed, mut sent) = (0.0, 0.0, 0.0);
        for hop in 0..c {
            let busiest = (0..c).map(|r| pairs[r][(r + c - hop) % c] * a_pair).fold(0.0, f64::max);
            let passes = if hop + 1 < c { send } else { 0.0 };
            wall += f64::max(busiest, passes);
            exposed += f64::max(0.0, passes - busiest);
            sent += if hop + 1 < c { bytes } else { 0.0 };
        }
        let all: f64 = pairs.iter().flatten().sum();
        let others = (c - 1) as f64 / c as f64;
        let copies = (kv_heads.max(c.min(heads))) as f64 * hidden as f64 / heads as f64;
        let each = (b * tokens) as f64 / c as f64 * 2.0;
        let expected = [
            ("wall", wall),
            ("exposed", exposed),
            ("efficiency", all * a_pair / c as f64 / wall),
            ("ring_sent", sent),
            ("ulysses_sent", others * each * 2.0 * (hidden as f64 + copies)),
            ("sp_sent", 4.0 * others * (b * tokens * hidden) as f64 * 2.0),
        ];
        agree(&set.run("context"), &set, &expected);
    }
}
