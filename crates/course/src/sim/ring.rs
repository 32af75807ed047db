//! All-reduce: chunks going round a ring, and what ring, tree and hierarchy cost.

use crate::sim::formula::collective;
use crate::sim::group::{Algorithm, Group, Links};
use crate::sim::output::{Results, outputs};
use crate::sim::parameter::{Number, Parameter, knobs, plain, presets, rate_term, time_term};
use crate::sim::quantity::{self, GB_PER_S, MIB, SECONDS, Unit};
use crate::sim::{SimKind, setup};

mod chunks;
mod cost;

use chunks::chunks_view;
use cost::{cost_view, ranks_view, ways_view};

knobs! {
    ranks_per_node: Number = Parameter::doubling("ranks per node", Unit::count("ranks"), (1.0, 8.0, 72.0),
        "GPUs of the group in each node; they talk over NVLink, each has one NIC");
    nodes: Number = Parameter::doubling("nodes", Unit::count("nodes"), (1.0, 1.0, 64.0),
        "nodes of the group");
    size: Number = Parameter::sliding("message", MIB, (0.001, 1024.0, 1_048_576.0, 64.0),
        "bytes that each rank brings").doubled();
    nvlink: Number = setup::NVLINK;
    nic: Number = setup::NIC;
    alpha_in: Number = setup::ALPHA_IN;
    alpha_out: Number = setup::ALPHA_OUT;
}

presets! {
    "8 x H100, one node" { ranks_per_node = 8.0, nodes = 1.0, nvlink = 370.0 }
    "8 nodes of 8 H100" { ranks_per_node = 8.0, nodes = 8.0, nvlink = 370.0, nic = 45.0 }
    "one rank a node, 8 nodes" { ranks_per_node = 1.0, nodes = 8.0 }
    "DDP bucket, 512 ranks" { ranks_per_node = 8.0, nodes = 64.0, size = 25.0 }
    "NVL72" { ranks_per_node = 72.0, nodes = 1.0, nvlink = 740.0 }
}

/// The ring simulator.
pub(super) const KIND: SimKind = SimKind {
    name: "ring",
    title: "All-reduce",
    brief: "what each rank sends",
    about: "Chunks go round a ring until every rank holds every sum. Beside it: what ring, tree and \
     hierarchy cost at each message size, and how busbw follows from the time.",
    parameters: PARAMETERS,
    presets: PRESETS,
    run,
};

/// An all-reduce over a group.
#[derive(Debug, Clone, Copy)]
struct Reduce {
    group: Group,
    links: Links,
    /// Bytes that each rank brings.
    size: f64,
}

impl Reduce {
    fn new(knobs: &Knobs) -> Reduce {
        let per_node = knobs.ranks_per_node.count();
        let links = Links {
            nvlink: knobs.nvlink.base(),
            nic: knobs.nic.base(),
            alpha_in: knobs.alpha_in.base(),
            alpha_out: knobs.alpha_out.base(),
        };
        let group = Group::filling(per_node * knobs.nodes.count(), per_node);
        Reduce { group, links, size: knobs.size.base() }
    }

    fn ranks(&self) -> f64 {
        self.group.ranks()
    }

    fn time(&self, way: Algorithm, size: f64) -> f64 {
        way.time(&self.group, &self.links, size)
    }

    fn best(&self) -> Algorithm {
        Algorithm::fastest(&self.group, &self.links, self.size)
    }

    /// The message at which a ring's latency is as long as its bytes.
    fn crossover(&self) -> f64 {
        let (rate, alpha) = (self.group.collective_rate(&self.links), self.group.latency(&self.links));
        collective::ring_crossover_bytes(self.ranks(), alpha, rate)
    }

    /// The ways by name, those that take the same time together, and the place of the fastest.
    fn ranked(&self) -> (Vec<String>, usize) {
        let mut groups: Vec<(f64, Vec<&str>)> = Vec::new();
        for (way, label) in Algorithm::ALL {
            let time = self.time(way, self.size);
            match groups.iter_mut().find(|(t, _)| (*t - time).abs() <= 1e-9 * time.abs()) {
                Some((_, labels)) => labels.push(label),
                None => groups.push((time, vec![label])),
            }
        }
        let fastest = groups.iter().enumerate().min_by(|a, b| a.1.0.total_cmp(&b.1.0));
        let fastest = fastest.map_or(0, |(i, _)| i);
        (groups.iter().map(|(_, labels)| labels.join(" or ")).collect(), fastest)
    }
}

fn run(values: &[f64]) -> Results {
    let knobs = Knobs::read(values);
    let reduce = Reduce::new(&knobs);
    let mut run = Results::default();
    outputs(&mut run, &knobs, &reduce);
    if reduce.ranks() == 1.0 {
        run.notes.push("one rank has no one to talk to".into());
    }
    run.views.push(chunks_view(reduce.ranks() as usize));
    run.views.push(cost_view(&reduce));
    run.views.push(ranks_view(&reduce, knobs.ranks_per_node.count()));
    run.views.push(ways_view(&reduce));
    questions(&mut run, &reduce);
    run
}

fn outputs(run: &mut Results, knobs: &Knobs, reduce: &Reduce) {
    let (group, links) = (&reduce.group, &reduce.links);
    let Knobs { size, .. } = knobs;
    let ranks = plain(group.ranks());
    let (rate, alpha) = (rate_term(group.collective_rate(links)), time_term(group.latency(links)));
    let time = |way: Algorithm| way.expression(group, links, &size.to_string());
    let (many, over_nodes) = (group.ranks() > 1.0, group.nodes() > 1);
    let best = time(reduce.best());
    // what goes through a NIC is that of the way in force, as its time is
    let through = reduce.best().nic_bytes(group, &size.to_string());
    outputs! { run;
        ranks "ranks in all" [Unit::count("ranks")] = group.ranks(), "ranks per node times nodes";
        sent "sent by each rank" [MIB]: "ring_all_reduce_bytes({ranks}, {size})";
        ring_time "time, ring on all NICs" [SECONDS]: time(Algorithm::Ring);
        latency_time "ring latency, all NICs" [SECONDS]: "ring_latency({ranks}, {alpha})";
        tree_time "time, tree" [SECONDS]: many.then(|| time(Algorithm::Tree));
        hierarchy_time "time, hierarchy" [SECONDS]: time(Algorithm::Hierarchy);
        one_nic_time "time, ring on one NIC" [SECONDS]: time(Algorithm::OneNic);
        best_time "best time of all" [SECONDS]: "{best}";
        crossover "ring: latency equals bytes" [MIB]: "ring_crossover_bytes({ranks}, {alpha}, {rate})";
        algbw "algbw of the best" [GB_PER_S]: "algbw({size}, {best})" if many;
        busbw "busbw of the best" [GB_PER_S]: "busbw({ranks}, {size}, {best})" if many;
        nic_sent "through each NIC, the best" [MIB]: "{through}" if over_nodes;
        nic_rate "NIC rate of the best" [GB_PER_S]: "{through} / ({best})" if over_nodes;
    }
}

fn questions(run: &mut Results, reduce: &Reduce) {
    let (ranks, size) = (reduce.ranks(), reduce.size);
    let n = quantity::digits(ranks);
    let message = quantity::show(size, MIB);
    let sent = run.value("sent");
    run.ask(
        format!("How many bytes does each of {n} ranks send in a ring all-reduce of {message}?"),
        (sent, MIB),
        "Reduce-scatter and all-gather each send (n-1)/n of the message: together 2(n-1)/n, at most twice it.",
    );
    run.asks_for("sent");
    let doubled = collective::ring_all_reduce_bytes(2.0 * ranks, size);
    run.ask(
        format!(
            "How many bytes would each of {} ranks, twice as many, send for the same {message}?",
            quantity::digits(2.0 * ranks)
        ),
        (doubled, MIB),
        "Hardly more: the factor 2(n-1)/n is already close to 2. What doubles is the number of hops, and \
         with it the latency.",
    );
    let twice = quantity::digits(2.0 * ranks);
    run.here(format!("2 × ({twice} - 1) / {twice} × {message} = {}", quantity::show(doubled, MIB)));
    let ranked = reduce.ranked();
    if ranked.0.len() < 2 {
        return;
    }
    run.choose(
        format!("Which is fastest for {message} over {n} ranks?"),
        ranked,
        "Small messages are about latency: the tree has the fewest hops. Large ones are about bytes over the \
         slowest link: what counts is how many NICs work at once.",
    );
}

#[cfg(test)]
mod tests {
    use super::chunks::{held_after, sent_chunk};
    use super::*;
    use crate::sim::Sim;

    fn ring(set: &[(&str, f64)]) -> Results {
        crate::sim::at(&KIND, set).run()
    }

    #[test]
    fn every_chunk_ends_complete_on_every_rank() {
        for ranks in 1..=17 {
            let half = held_after(ranks - 1, ranks);
            for (rank, row) in half.iter().enumerate() {
                assert_eq!(row[rank], ranks, "rank {rank} owns chunk {rank} after the reduce-scatter");
                let whole = row.iter().filter(|c| **c == ranks).count();
                assert_eq!(whole, 1, "and no other");
            }
            let end = held_after(2 * (ranks - 1), ranks);
            assert!(end.iter().flatten().all(|count| *count == ranks), "{ranks} ranks");
        }
    }

    #[test]
    fn no_value_is_summed_twice() {
        // Brute force over sets instead of counts.
        for ranks in 2..=9usize {
            let mut sets: Vec<Vec<u32>> = (0..ranks).map(|r| vec![1 << r; ranks]).collect();
            for hop in 0..ranks - 1 {
                let before = sets.clone();
                for (rank, row) in before.iter().enumerate() {
                    let chunk = sent_chunk(rank, hop, ranks);
                    let to = (rank + 1) % ranks;
                    assert_eq!(before[to][chunk] & row[chunk], 0, "rank {to} has none of it yet");
                    sets[to][chunk] |= row[chunk];
                }
            }
            for (rank, row) in sets.iter().enumerate() {
                assert_eq!(row[rank], (1 << ranks) - 1);
            }
        }
    }

    #[test]
    fn bytes_counted_hop_by_hop_equal_the_formula() {
        for ranks in 1..=20usize {
            let size = 840.0;
            let sent = 2 * (ranks - 1) * (size as usize / ranks);
            let formula =
                collective::ring_all_reduce_bytes(ranks as f64, (size as usize / ranks * ranks) as f64);
            assert!((sent as f64 - formula).abs() < 1e-6, "{ranks} ranks");
        }
    }

    #[test]
    fn times_are_those_of_the_topology_lab() {
        let at = |mib: f64| ring(&[("nodes", 8.0), ("size", mib)]);
        let small = at(2f64.powi(14 - 20));
        let ms = |run: &Results, name: &str| (run.value(name) * 1e6).round() / 1e3;
        assert_eq!(ms(&small, "one_nic_time"), 1.513);
        assert_eq!(ms(&small, "tree_time"), 0.114);
        assert_eq!(ms(&small, "hierarchy_time"), 0.21);
        let large = at(1024.0);
        assert_eq!(ms(&large, "one_nic_time"), 48.488);
        assert_eq!(ms(&large, "ring_time"), 7.384);
        assert_eq!(ms(&large, "tree_time"), 6.079);
        assert_eq!(ms(&large, "hierarchy_time"), 10.508);
        assert_eq!(large.value("best_time"), large.value("tree_time"));
        assert!((large.value("busbw") / 1e9 - 347.7).abs() < 0.05);
    }

    #[test]
    fn expressions_and_arithmetic_agree() {
        for (nodes, per_node) in [(1.0, 8.0), (8.0, 8.0), (8.0, 1.0), (64.0, 72.0), (1.0, 1.0)] {
            let mut sim = Sim::new(&KIND);
            for (name, value) in [("nodes", nodes), ("ranks_per_node", per_node), ("size", 25.0)] {
                sim.set(name, value).expect("a knob");
            }
            let reduce = Reduce::new(&Knobs::read(&sim.values));
            for (name, way) in [
                ("ring_time", Algorithm::Ring),
                ("tree_time", Algorithm::Tree),
                ("hierarchy_time", Algorithm::Hierarchy),
            ] {
                let (time, said) = (reduce.time(way, reduce.size), sim.run().value(name));
                assert!((said - time).abs() <= 1e-12 + 1e-9 * time, "{name} {nodes}x{per_node}");
            }
        }
    }

    #[test]
    fn the_rate_of_a_nic_is_that_of_the_way_in_force() {
        let best = ring(&[("nodes", 4.0), ("size", 4096.0)]);
        assert_eq!(best.value("best_time"), best.value("ring_time"));
        assert!((best.value("nic_rate") / 1e9 - 43.6).abs() < 0.05, "{}", best.value("nic_rate"));
        for mib in [0.01, 1.0, 64.0, 1e6] {
            let run = ring(&[("nodes", 4.0), ("size", mib)]);
            assert!(run.value("nic_rate") <= 45e9, "no NIC carries more than it can: {mib}");
        }
    }

    #[test]
    fn a_ring_in_one_node_sends_almost_twice_the_message() {
        let run = ring(&[]);
        assert_eq!(run.value("sent"), 1.75 * 1_073_741_824.0);
        assert!((run.value("ring_time") - 0.005_121).abs() < 1e-6);
        let frames = run.views[0].frames();
        assert_eq!(frames, 15, "2(n-1) hops and the start");
    }
}
