//! Programs that know nothing of the simulators, against them: deliberately naive, counting ranks one by one and
//! running events one after another, over random settings with uneven groups and context parallelism among them.

use std::cell::Cell;
use std::collections::BTreeMap;

use infralens_course::sim::{Results, Sim};

mod collectives;
mod dispatch;
mod events;
mod gradients;
mod layers;
mod ledger;
mod placement;
mod plans;
mod rotation;
mod shown;
mod stages;

/// How many settings each program tries.
const SETTINGS: usize = 200;

/// Parameters, layers, hidden, heads, key-value heads, as the lessons give them.
const MODELS: [(&str, [f64; 5]); 6] = [
    ("7B", [6.74e9, 32.0, 4096.0, 32.0, 32.0]),
    ("13B", [13.0e9, 40.0, 5120.0, 40.0, 40.0]),
    ("70B", [69e9, 80.0, 8192.0, 64.0, 8.0]),
    ("175B", [174.6e9, 96.0, 12288.0, 96.0, 96.0]),
    ("8B", [8.03e9, 32.0, 4096.0, 32.0, 8.0]),
    ("405B", [405.9e9, 126.0, 16384.0, 128.0, 8.0]),
];

/// Random numbers, the same each time.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    fn from(&mut self, least: usize, greatest: usize) -> usize {
        least + self.next() as usize % (greatest - least + 1)
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.next() as usize % all.len()]
    }

    fn between(&mut self, least: f64, greatest: f64) -> f64 {
        least + (greatest - least) * (self.next() as f64 / (1u64 << 31) as f64)
    }
}

/// Settings by name, as they may be typed.
#[derive(Default, Debug)]
struct Set(Vec<(&'static str, String)>);

impl Set {
    fn with(mut self, name: &'static str, value: impl ToString) -> Set {
        self.0.push((name, value.to_string()));
        self
    }

    fn run(&self, kind: &str) -> Results {
        let mut sim = Sim::open(kind, &BTreeMap::new()).expect("a kind");
        for (name, value) in &self.0 {
            sim.set_exactly(name, value).unwrap_or_else(|fault| panic!("{kind}: {name}={value}: {fault}"));
        }
        let before = COMPARED.get();
        COMPARED.set(Compared { settings: before.settings + 1, ..before });
        sim.run()
    }
}

/// What a test has compared so far.
#[derive(Clone, Copy)]
struct Compared {
    settings: usize,
    figures: usize,
    /// The most by which a figure was apart, as a share of it.
    apart: f64,
}

thread_local! {
    static COMPARED: Cell<Compared> = const { Cell::new(Compared { settings: 0, figures: 0, apart: 0.0 }) };
}

fn compared(said: f64, counted: f64, least: f64) {
    let before = COMPARED.get();
    let apart = (said - counted).abs();
    let share = if apart > least { apart / counted.abs() } else { 0.0 };
    COMPARED.set(Compared { figures: before.figures + 1, apart: before.apart.max(share), ..before });
}

/// Says what this test compared, for who runs it with `--nocapture`.
#[allow(clippy::print_stdout, reason = "the harness shows it on request alone")]
fn tell() {
    let Compared { settings, figures, apart } = COMPARED.get();
    let test = std::thread::current();
    let name = test.name().unwrap_or_default();
    println!("{name}: {settings} settings, {figures} figures, at most {:.2}% apart", apart * 100.0);
}

/// What a simulator says against what was worked out here, within 1%.
fn agree(run: &Results, set: &Set, expected: &[(&str, f64)]) {
    for (name, value) in expected {
        let said = run.value(name);
        compared(said, *value, 1e-12);
        let near = (said - value).abs() <= 0.01 * value.abs() + 1e-12;
        assert!(near, "{name}: the simulator says {said}, counted are {value}, at {set:?}");
    }
}

/// How many of some ranks are on each node, where each node holds `per_node`.
fn on_nodes(ranks: &[usize], per_node: usize) -> Vec<usize> {
    let mut count: BTreeMap<usize, usize> = BTreeMap::new();
    for rank in ranks {
        *count.entry(rank / per_node).or_default() += 1;
    }
    count.into_values().collect()
}

/// Bytes a second that each rank sends in a collective round all of them: every node lets through as many NICs as
/// there are ranks on it.
fn round(ranks: &[usize], per_node: usize, (nvlink, nic): (f64, f64)) -> f64 {
    let nodes = on_nodes(ranks, per_node);
    let mut rate = nvlink;
    if nodes.len() > 1 {
        for here in nodes {
            rate = rate.min(here as f64 * nic);
        }
    }
    rate
}

/// Bytes a second between neighbours in a row of ranks that closes to a ring: one link each.
fn neighbours(ranks: &[usize], per_node: usize, (nvlink, nic): (f64, f64)) -> f64 {
    let mut rate = nvlink;
    for pair in ranks.windows(2) {
        if pair[0] / per_node != pair[1] / per_node {
            rate = rate.min(nic);
        }
    }
    rate
}
