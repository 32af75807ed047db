//! The ZeRO ledger: bytes summed over ranks, collectives sent hop by hop, ranks to fit found by trying.

use std::collections::{BTreeMap, BTreeSet};

use infralens_course::sim::Results;

use super::shown::{agree_in_all, bars, cells, curve, grids, near, number};
use super::{Dice, SETTINGS, Set, on_nodes, round, tell};

/// A model and where it is trained.
#[derive(Clone, Copy)]
struct Job {
    parameters: f64,
    layers: usize,
    ranks: usize,
    /// Bytes of a gradient, and of optimizer state, a parameter.
    each: (f64, f64),
    micro_batches: usize,
    activations: f64,
    usable: f64,
}

impl Job {
    /// Bytes of weights, gradients, optimizer state and gathered layers that rank 0 holds.
    fn held(&self, stage: usize) -> [f64; 4] {
        let mut held = [0.0; 4];
        for owner in 0..self.ranks {
            let share = self.parameters / self.ranks as f64;
            for (i, (bytes, from)) in [(2.0, 3), (self.each.0, 2), (self.each.1, 1)].into_iter().enumerate() {
                // whose share it is: its owner's alone where this stage splits it
                if stage < from || owner == 0 {
                    held[i] += share * bytes;
                }
            }
        }
        // A layer at work and the next one on its way; a rank that has them all gathers none.
        if stage == 3 && self.ranks > 1 {
            held[3] = (0..self.layers.min(2)).map(|_| self.parameters / self.layers as f64 * 2.0).sum();
        }
        held
    }

    fn peak(&self, stage: usize) -> f64 {
        self.held(stage).iter().sum::<f64>() + self.activations
    }

    /// Bytes that a rank sends in a step: each collective goes round the ring.
    fn sent(&self, stage: usize) -> f64 {
        let once =
            |bytes: f64| (1..self.ranks).map(|_| self.parameters * bytes / self.ranks as f64).sum::<f64>();
        let (scatter, gather) = (once(self.each.0), once(2.0));
        (1..=self.micro_batches)
            .map(|i| {
                let last = i == self.micro_batches;
                match stage {
                    0 if last => scatter + once(self.each.0),
                    1 if last => scatter + gather,
                    2 => scatter + if last { gather } else { 0.0 },
                    3 => gather + gather + scatter,
                    _ => 0.0,
                }
            })
            .sum()
    }

    /// The fewest ranks on which stage 3 fits; 0 where there are none.
    fn ranks_to_fit(self) -> f64 {
        let fits = |ranks: usize| Job { ranks, ..self }.peak(3) <= self.usable;
        if fits(1) {
            return 1.0;
        }
        let held = |ranks: f64| {
            let left = self.usable - self.activations - self.held_by_many();
            self.parameters * (2.0 + self.each.0 + self.each.1) / ranks <= left
        };
        let (mut none, mut enough) = (1.0f64, 2.0f64);
        while !held(enough) {
            if enough > 1e15 {
                return 0.0;
            }
            (none, enough) = (enough, enough * 2.0);
        }
        while enough - none > 1.0 {
            let middle = ((none + enough) / 2.0).floor();
            if held(middle) { enough = middle } else { none = middle }
        }
        enough
    }

    fn held_by_many(&self) -> f64 {
        Job { ranks: 2, ..*self }.held(3)[3]
    }
}

#[test]
fn ledgers_owner_by_owner() {
    let mut dice = Dice(102);
    for turn in 0..SETTINGS + 50 {
        let edge = turn >= SETTINGS;
        let parameters = if edge { dice.of(&[0.001, 4.4, 2000.0]) } else { dice.between(0.1, 200.0) };
        let layers = dice.of(&[1, 2, 3, 32, 80, 512]);
        let (per_node, stage, m) =
            (dice.of(&[1, 2, 3, 4, 8, 72]), dice.from(0, 3), dice.of(&[1, 1, 2, 7, 64, 512]));
        let ranks = if edge { dice.of(&[1, 2, 4096]) } else { dice.from(1, 150) };
        let (grads, each_grad) = dice.of(&[("2 bytes", 2.0), ("4 bytes", 4.0)]);
        let (optimizer, each_state) = dice.of(&[
            ("Adam, 12 bytes", 12.0),
            ("8-bit Adam, 6 bytes", 6.0),
            ("momentum SGD, 8 bytes", 8.0),
        ]);
        let (activations, memory) = (dice.of(&[0.0, 2.5, 10.0, 60.0]), dice.of(&[24.0, 80.0, 141.0, 180.0]));
        let (reserve, tokens) = (dice.of(&[0.0, 8.0, 30.0]), dice.from(1, 20_000));
        let (nvlink, nic) = (dice.between(50.0, 900.0), dice.between(5.0, 100.0));
        let rate = dice.between(100.0, 2000.0);
        let set = Set::default()
            .with("params", parameters)
            .with("layers", layers)
            .with("ranks", ranks)
            .with("stage", stage)
            .with("gradients", grads)
            .with("optimizer", optimizer)
            .with("micro_batches", m)
            .with("tokens", tokens)
            .with("activations", activations)
            .with("memory", memory)
            .with("reserve", reserve)
            .with("per_node", per_node)
            .with("nvlink", nvlink)
            .with("nic", nic)
            .with("rate", rate);
        let job = Job {
            parameters: parameters * 1e9,
            layers,
            ranks,
            each: (each_grad, each_state),
            micro_batches: m,
            activations: activations * 1e9,
            usable: (memory - reserve) * 1e9,
        };
        let everyone: Vec<usize> = (0..ranks).collect();
        let group = round(&everyone, per_node, (nvlink, nic)) * 1e9;
        let held = job.held(stage);
        let elements = match stage {
            0 | 1 => 2,
            2 => m + 1,
            _ => 3 * m,
        };
        let sent = job.sent(stage);
        let plain = job.sent(0);
        let run = set.run("zero");
        agree_in_all(
            &run,
            &set,
            &[
                ("state", held[0] + held[1] + held[2]),
                ("gathered", held[3]),
                ("peak", job.peak(stage)),
                ("usable", job.usable),
                ("headroom", job.usable - job.peak(stage)),
                ("replicated", job.held(0).iter().sum()),
                ("sent", sent),
                ("volume_ratio", if plain > 0.0 { sent / plain } else { 0.0 }),
                ("volume", elements as f64),
                ("rate_group", group),
                ("comm_time", sent / group),
                ("compute_time", (1..=m).map(|_| 6.0 * job.parameters * tokens as f64 / (rate * 1e12)).sum()),
                ("tokens_needed", rate * 1e12 / group),
                ("ranks_to_fit", job.ranks_to_fit()),
                ("fits", f64::from(u8::from(job.peak(stage) <= job.usable))),
            ],
        );
        for (stage, (label, pieces)) in bars(&run, "bytes on each GPU").into_iter().enumerate() {
            let bar: f64 = pieces.iter().map(|(_, bytes)| bytes).sum();
            near(bar, job.peak(stage), 1.0, &label, &set);
        }
        for stage in 0..4 {
            for (ranks, peak) in curve(&run, "peak over ranks", &format!("stage {stage}")) {
                let counted = Job { ranks: ranks.round() as usize, ..job }.peak(stage);
                near(peak, counted, 1.0, &format!("stage {stage} over {ranks} ranks"), &set);
            }
        }
        for (stage, row) in cells(&run, "traffic of a step").iter().enumerate() {
            near(number(&row[2]), job.held(stage)[..3].iter().sum(), 1.0, &row[0], &set);
            near(number(&row[3]), job.sent(stage), 1.0, &row[0], &set);
            near(number(&row[4]), job.sent(stage) / group, 1e-9, &row[0], &set);
        }
        who_holds_what(&run, &set, stage);
        let uneven = on_nodes(&everyone, per_node);
        let noted =
            run.notes.iter().any(|note| note.contains("set the pace") || note.contains("sets the pace"));
        assert_eq!(noted, uneven.iter().any(|here| *here != uneven[0]), "{:?} {set:?}", run.notes);
    }
    tell();
}

/// What one of four ranks holds of the four quarters.
#[derive(Clone, Default)]
struct Holds {
    weights: Vec<usize>,
    /// Whose gradients are summed in the buffer of each quarter that it has.
    gradients: BTreeMap<usize, BTreeSet<usize>>,
    optimizer: Vec<usize>,
}

/// The grid of a step, phase by phase: quarters are computed, summed and thrown away as the stage says.
fn who_holds_what(run: &Results, set: &Set, stage: usize) {
    const ALL: [usize; 4] = [0, 1, 2, 3];
    let part = |from: usize, rank: usize| if stage >= from { vec![rank] } else { ALL.to_vec() };
    let start = |rank| Holds { weights: part(3, rank), optimizer: part(1, rank), ..Holds::default() };
    let mut ranks: Vec<Holds> = ALL.into_iter().map(start).collect();
    let phases = grids(run, "who holds what in a step");
    assert_eq!(phases.iter().map(|grid| grid.corner.as_str()).collect::<Vec<_>>(), PHASES);
    for grid in phases {
        match grid.corner.as_str() {
            "backward" => {
                for (rank, holds) in ranks.iter_mut().enumerate() {
                    holds.gradients = ALL.map(|quarter| (quarter, BTreeSet::from([rank]))).into();
                }
            }
            "reduce" => {
                for (rank, holds) in ranks.iter_mut().enumerate() {
                    for summed in part(1, rank) {
                        holds.gradients.insert(summed, ALL.into());
                    }
                    holds.gradients.retain(|quarter, _| part(2, rank).contains(quarter));
                }
            }
            _ => {}
        }
        let computes = grid.corner == "forward" || grid.corner == "backward";
        for (holds, (head, cells)) in ranks.iter().zip(&grid.rows) {
            let weights =
                if computes && holds.weights.len() < 4 { "gathered" } else { share(&holds.weights) };
            let said: Vec<&str> = cells.iter().map(|cell| cell.text.as_str()).collect();
            let counted = [weights, &gradients(holds), share(&holds.optimizer)];
            assert_eq!(said, counted, "{head}, {}: {set:?}", grid.corner);
        }
    }
}

const PHASES: [&str; 4] = ["forward", "backward", "reduce", "update"];

fn share(quarters: &[usize]) -> &'static str {
    if quarters.len() == 4 { "whole" } else { "1/4" }
}

/// The gradients that a rank holds, in words.
fn gradients(holds: &Holds) -> String {
    let summed = holds.gradients.values().filter(|of| of.len() == 4).count();
    match (holds.gradients.len(), summed) {
        (0, _) => "none".into(),
        (4, 0) => "own".into(),
        (4, 4) => "summed".into(),
        (4, summed) => format!("whole, {summed}/4 summed"),
        (_, summed) => format!("{summed}/4 summed"),
    }
}
