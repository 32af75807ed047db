//! Experts: the router that lab 06 measures with, token by token; its balancing step by step; bytes peer by peer.

use infralens_course::sim::Results;
use infralens_course::sim::picture::{Picture, Tone};

use super::shown::{agree_in_all, bars, curve, near, picture};
use super::{Dice, SETTINGS, Set, tell};

/// `SplitMix64`, as the measured program of lab 06 draws its tokens.
struct Draw(u64);

fn mixed(z: u64) -> u64 {
    let z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}

impl Draw {
    fn new(seed: u64) -> Draw {
        Draw(mixed(seed ^ 0x1234_5678_9ABC_DEF1))
    }

    fn share(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        (mixed(self.0) >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// How well the router likes each expert at first, in the logarithm of its weight.
fn likes(experts: usize, skew: f64) -> Vec<f64> {
    (0..experts).map(|e| -16.0 * skew * e as f64 / experts as f64).collect()
}

/// The chance of each expert.
fn chances(likes: &[f64]) -> Vec<f64> {
    let most = likes.iter().copied().fold(f64::MIN, f64::max);
    let all: f64 = likes.iter().map(|like| (like - most).exp()).sum();
    likes.iter().map(|like| (like - most).exp() / all).collect()
}

/// Balancing before the batch that is shown: what choices follow after so many steps of 256 tokens, and how often the
/// hottest expert had its share in each. A bias moves by 0.2 towards what is missing; the loss pulls by 0.3 of the
/// excess, at most by 1. The tokens are not those of the batch.
fn balanced(rule: &str, steps: usize, likes: &[f64], top: usize, seed: u64) -> (Vec<f64>, Vec<f64>) {
    let (mut likes, mut hottest) = (likes.to_vec(), Vec::new());
    let mut draw = Draw::new(seed ^ 0xB1A5);
    for _ in 0..if rule == "none" { 0 } else { steps } {
        let mut loads = vec![0usize; likes.len()];
        for expert in route(256, &likes, top, &mut draw).concat() {
            loads[expert] += 1;
        }
        assert_eq!(loads.iter().sum::<usize>(), 256 * top);
        let even = (256 * top) as f64 / likes.len() as f64;
        hottest.push(*loads.iter().max().expect("an expert") as f64 / even);
        for (like, load) in likes.iter_mut().zip(loads) {
            let missing = even - load as f64;
            *like += match rule {
                _ if missing == 0.0 => 0.0,
                "bias" => 0.2_f64.copysign(missing),
                _ => (0.3 * missing / even).clamp(-1.0, 1.0),
            };
        }
    }
    (likes, hottest)
}

/// The experts of each token, in the order of its choice.
fn route(tokens: usize, likes: &[f64], top: usize, draw: &mut Draw) -> Vec<Vec<usize>> {
    let experts = likes.len();
    let most = likes.iter().copied().fold(f64::MIN, f64::max);
    let weights: Vec<f64> = likes.iter().map(|like| (like - most).exp()).collect();
    let all: f64 = weights.iter().sum();
    let mut chance: Vec<f64> = weights.iter().map(|w| w / all * experts as f64).collect();
    let mut slots: Vec<(f64, usize)> = (0..experts).map(|e| (1.0, e)).collect();
    let (mut small, mut large): (Vec<usize>, Vec<usize>) = (0..experts).partition(|e| chance[*e] < 1.0);
    while let (Some(poor), Some(rich)) = (small.last().copied(), large.last().copied()) {
        small.pop();
        slots[poor] = (chance[poor], rich);
        chance[rich] -= 1.0 - chance[poor];
        if chance[rich] < 1.0 {
            large.pop();
            small.push(rich);
        }
    }
    (0..tokens)
        .map(|_| {
            let mut chosen = Vec::new();
            for _ in 0..8 * top {
                if chosen.len() == top {
                    break;
                }
                let place = draw.share() * experts as f64;
                let slot = (place as usize).min(experts - 1);
                let (keep, other) = slots[slot];
                let expert = if place - (slot as f64) < keep { slot } else { other };
                if !chosen.contains(&expert) {
                    chosen.push(expert);
                }
            }
            if chosen.len() < top {
                let mut rest: Vec<(f64, usize)> = (0..experts)
                    .filter(|e| !chosen.contains(e))
                    .map(|e| (-(1.0 - draw.share()).ln() / weights[e].max(1e-300), e))
                    .collect();
                rest.sort_by(|a, b| a.0.total_cmp(&b.0));
                chosen.extend(rest.into_iter().take(top - chosen.len()).map(|(_, e)| e));
            }
            chosen
        })
        .collect()
}

/// What became of a batch: tokens that each expert was asked for and took, tokens that no expert took.
struct Batch {
    asked: Vec<usize>,
    took: Vec<usize>,
    alone: usize,
}

fn fill(batch: &[Vec<usize>], experts: usize, room: usize) -> Batch {
    let (mut asked, mut took, mut alone) = (vec![0; experts], vec![0; experts], 0);
    for token in batch {
        let mut found = false;
        for expert in token {
            asked[*expert] += 1;
            if took[*expert] < room {
                took[*expert] += 1;
                found = true;
            }
        }
        alone += usize::from(!found);
    }
    Batch { asked, took, alone }
}

/// Bytes of a dispatch that a rank sends to ranks of other nodes and of its own, where every rank sends every other the
/// same; that of the rank which sends most over its NIC, and the time of the slowest.
fn peers(sent: f64, ranks: usize, per_node: usize, (nvlink, nic): (f64, f64)) -> (f64, f64) {
    let (mut most, mut slowest) = (0.0f64, 0.0f64);
    for from in 0..ranks {
        let (mut out, mut inside) = (0.0, 0.0);
        for to in (0..ranks).filter(|to| *to != from) {
            let bytes = sent / (ranks - 1) as f64;
            if to / per_node == from / per_node { inside += bytes } else { out += bytes }
        }
        most = most.max(out);
        slowest = slowest.max((out / nic).max(inside / nvlink));
    }
    (most, slowest)
}

#[test]
fn experts_token_by_token() {
    let mut dice = Dice(105);
    for turn in 0..SETTINGS + 60 {
        let ranks = dice.of(&[1, 2, 3, 4, 5, 6, 8, 12, 16, 64]);
        let experts = if ranks == 64 { 64 * dice.from(1, 4) } else { ranks * dice.from(1, 8) };
        let top = dice.from(1, 8).min(experts);
        let tokens = if turn < SETTINGS { dice.from(1, 6000) } else { dice.of(&[1, 2, 16_384]) };
        let skew = dice.of(&[0.0, 0.0, 0.1, 0.3, 0.7, 1.0]);
        let factor = dice.of(&[0.0, 0.0, 0.1, 1.0, 1.25, 2.0, 8.0]);
        let per_node = dice.of(&[1, 2, 3, 4, 8, 72]).min(ranks);
        let (hidden, seed) = (dice.from(64, 9000), dice.from(0, 999));
        let (nvlink, nic) = (dice.between(1.0, 900.0), dice.between(0.1, 100.0));
        let (rule, steps) = (dice.of(&["none", "bias", "aux"]), dice.from(0, 32));
        let set = Set::default()
            .with("tokens", tokens)
            .with("experts", experts)
            .with("top", top)
            .with("skew", skew)
            .with("capacity", factor)
            .with("balance", rule)
            .with("steps", steps)
            .with("ranks", ranks)
            .with("per_node", per_node)
            .with("hidden", hidden)
            .with("nvlink", nvlink)
            .with("nic", nic)
            .with("seed", seed);
        let own_likes = likes(experts, skew);
        let (moved, _) = balanced(rule, steps, &own_likes, top, seed as u64);
        let batch = route(tokens, &moved, top, &mut Draw::new(seed as u64));
        let even = (tokens * top) as f64 / experts as f64;
        let room = (factor * even - 1e-9).ceil().max(0.0) as usize;
        let drops = factor > 0.0;
        let filled = fill(&batch, experts, if drops { room } else { usize::MAX });
        let hottest = filled.asked.iter().max().copied().expect("an expert");
        let taken: usize = filled.took.iter().sum();
        let dropped = tokens * top - taken;
        // every expert runs all its slots; without a capacity all wait for the fullest
        let slots = experts * if drops { room } else { hottest };
        // a bias moves choices; what the router itself finds likely stays
        let chances = chances(if rule == "bias" { &own_likes } else { &moved });
        let products = filled.asked.iter().zip(&chances).map(|(asked, chance)| *asked as f64 * chance);
        let load = products.sum::<f64>() / (tokens * top) as f64 * experts as f64;
        // what a rank has for others: the buffers of their experts, or its tokens' even share
        let row = (hidden * 2) as f64;
        let buffer = if drops { room as f64 } else { even };
        let own = experts / ranks;
        let dispatch: f64 = (own..experts).map(|_| buffer * row).sum();
        let (out, slowest) = peers(dispatch, ranks, per_node, (nvlink * 1e9, nic * 1e9));
        let elsewhere = batch.iter().map(|token| {
            let mut nodes: Vec<usize> = token.iter().map(|e| e / own / per_node).filter(|n| *n > 0).collect();
            nodes.sort_unstable();
            nodes.dedup();
            nodes.len()
        });
        let elsewhere = elsewhere.sum::<usize>() as f64 / tokens as f64;
        let run = set.run("experts");
        agree_in_all(
            &run,
            &set,
            &[
                ("capacity_tokens", if drops { room as f64 } else { run.value("capacity_tokens") }),
                ("hottest", hottest as f64),
                ("imbalance", hottest as f64 / even),
                ("dropped", dropped as f64),
                ("drop_share", dropped as f64 / (tokens * top) as f64),
                ("lost", filled.alone as f64),
                ("efficiency", taken as f64 / slots as f64),
                ("load_efficiency", even / hottest as f64),
                ("aux_loss", load),
                ("dispatch", dispatch),
                ("sent", 4.0 * dispatch),
                // of all its tokens, those for itself among them
                (
                    "crossing_share",
                    if dispatch > 0.0 { out / (dispatch + own as f64 * buffer * row) } else { 0.0 },
                ),
                ("crossing", out),
                ("time", 2.0 * slowest),
                ("nodes_a_token", elsewhere),
            ],
        );
        let shown = bars(&run, "load of the experts");
        for (expert, (label, pieces)) in
            shown.iter().enumerate().take(if experts <= 32 { experts } else { 0 })
        {
            let piece = |tone: Tone| pieces.iter().filter(|(t, _)| *t == tone).map(|(_, n)| n).sum::<f64>();
            let (asked, took) = (filled.asked[expert] as f64, filled.took[expert] as f64);
            near(piece(Tone::Done), took, 1e-9, label, &set);
            near(piece(Tone::Lost), asked - took, 1e-9, label, &set);
            let padding = if drops { room as f64 - took } else { 0.0 };
            near(piece(Tone::Empty), padding, 1e-9, label, &set);
        }
        between_ranks(&run, &set, tokens, |rank, first| {
            let batch = route(first, &moved, top, &mut Draw::new((seed + rank) as u64));
            let owners = batch.concat().into_iter().map(|expert| expert / own);
            let sent = owners.fold(vec![0usize; ranks], |mut sent, owner| {
                sent[owner] += 1;
                sent
            });
            sent.into_iter().map(|tokens| tokens as f64 * row).collect()
        });
        for (label, rule) in [("bias per expert", "bias"), ("auxiliary loss", "aux")] {
            let (_, counted) = balanced(rule, 64, &own_likes, top, seed as u64);
            let said = curve(&run, "balancing", label);
            assert_eq!(said.len(), 64, "{label}: {set:?}");
            for ((step, said), counted) in said.into_iter().zip(&counted) {
                near(said, *counted, 1e-9, &format!("{label}, step {step}"), &set);
            }
            evens_out(label, skew, &counted, &set);
        }
    }
    tell();
}

/// Whatever the rule is: where a router starts far from even, the later steps are no less even than the first.
fn evens_out(label: &str, skew: f64, hottest: &[f64], set: &Set) {
    let later = hottest[48..].iter().sum::<f64>() / 16.0;
    assert!(skew < 0.3 || later <= hottest[0], "{label} from {} to {later}: {set:?}", hottest[0]);
}

/// The heat map: what each rank's batch asks of the ranks that own the experts, as the first of its tokens say where
/// there are many.
fn between_ranks(run: &Results, set: &Set, tokens: usize, sends: impl Fn(usize, usize) -> Vec<f64>) {
    let Picture::Matrix(matrix) = picture(run, "all-to-all between ranks") else { panic!("no heat map") };
    let first = tokens.min(8192 / matrix.rows.len());
    for (from, (_, cells)) in matrix.rows.iter().enumerate() {
        for (to, (said, counted)) in cells.iter().zip(sends(from, first)).enumerate() {
            let counted = if to == from { 0.0 } else { counted * tokens as f64 / first as f64 };
            near(*said, counted, 1e-6, &format!("from rank {from} to {to}"), set);
        }
    }
}
