//! All-reduce: chunks going round a ring, and what ring, tree and hierarchy cost.

use crate::sim::Kind;
use crate::sim::formula::collective;
use crate::sim::output::Run;
use crate::sim::parameter::{Parameter, Preset, Settings, plain, rate_term, time_term};
use crate::sim::quantity::{self, GB_PER_S, MIB, SECONDS, US, Unit};

mod chunks;
mod cost;
mod group;

use chunks::chunks_view;
use cost::{cost_view, ranks_view, ways_view};
use group::{Group, Way};

/// The ring simulator.
pub(super) const KIND: Kind = Kind {
    name: "ring",
    title: "All-reduce",
    about: "Chunks go round a ring until every rank holds every sum. Beside it: what ring, tree and \
            hierarchy cost over the message size, and how busbw follows from the time.",
    parameters: &[
        Parameter::doubling(
            ("ranks_per_node", "ranks per node"),
            Unit::count("ranks"),
            (1.0, 8.0, 72.0),
            "GPUs of the group in each node; they talk over NVLink, each has one NIC",
        ),
        Parameter::doubling(("nodes", "nodes"), Unit::count("nodes"), (1.0, 1.0, 64.0), "nodes of the group"),
        Parameter::sliding(
            ("size", "message"),
            MIB,
            (0.001, 1024.0, 1_048_576.0, 64.0),
            "bytes that each rank brings",
        )
        .doubled(),
        Parameter::sliding(
            ("nvlink", "NVLink"),
            GB_PER_S,
            (1.0, 370.0, 2000.0, 10.0),
            "effective rate inside the node, per direction",
        ),
        Parameter::sliding(
            ("nic", "NIC"),
            GB_PER_S,
            (0.1, 45.0, 400.0, 5.0),
            "effective rate of each GPU's NIC, per direction",
        ),
        Parameter::sliding(
            ("alpha_in", "latency inside"),
            US,
            (0.0, 3.0, 1000.0, 1.0),
            "time for a hop inside the node, whatever its size",
        ),
        Parameter::sliding(
            ("alpha_out", "latency between"),
            US,
            (0.0, 12.0, 1000.0, 1.0),
            "time for a hop between nodes, whatever its size",
        ),
    ],
    presets: &[
        Preset {
            name: "8 x H100, one node",
            set: &[("ranks_per_node", 8.0), ("nodes", 1.0), ("nvlink", 370.0)],
        },
        Preset {
            name: "8 nodes of 8 H100",
            set: &[("ranks_per_node", 8.0), ("nodes", 8.0), ("nvlink", 370.0), ("nic", 45.0)],
        },
        Preset { name: "one rank a node, 8 nodes", set: &[("ranks_per_node", 1.0), ("nodes", 8.0)] },
        Preset {
            name: "DDP bucket, 512 ranks",
            set: &[("ranks_per_node", 8.0), ("nodes", 64.0), ("size", 25.0)],
        },
        Preset { name: "NVL72", set: &[("ranks_per_node", 72.0), ("nodes", 1.0), ("nvlink", 740.0)] },
    ],
    run,
};

fn run(settings: &Settings) -> Run {
    let group = Group::new(settings);
    let size = settings.base("size");
    let mut run = Run::default();
    outputs(&mut run, settings, &group);
    run.views.push(chunks_view(group.ranks() as usize));
    run.views.push(cost_view(&group, size));
    run.views.push(ranks_view(&group, size));
    run.views.push(ways_view(&group, size));
    questions(&mut run, &group, size);
    run
}

fn outputs(run: &mut Run, settings: &Settings, group: &Group) {
    let size = settings.term("size");
    let ranks = plain(group.ranks());
    let (rate, alpha) = group.ring_link(group.per_node);
    let (rate, alpha) = (rate_term(rate), time_term(alpha));
    run.counted(("ranks", "in all"), group.ranks(), Unit::count("ranks"), "ranks per node times nodes");
    run.worked("sent", "sent by each rank", MIB, format!("ring_all_reduce_bytes({ranks}, {size})"));
    let ring = group.expression(Way::Rails, &size);
    run.worked("ring_time", "time, ring on all NICs", SECONDS, ring.clone());
    run.worked("latency_time", "latency of that ring", SECONDS, format!("ring_latency({ranks}, {alpha})"));
    let tree = (group.ranks() > 1.0).then(|| group.expression(Way::Tree, &size));
    run.worked_or_0("tree_time", "time, tree", SECONDS, tree);
    run.worked("hierarchy_time", "time, hierarchy", SECONDS, group.expression(Way::Hierarchy, &size));
    run.worked("one_nic_time", "time, ring on one NIC", SECONDS, group.expression(Way::OneNic, &size));
    let best = group.expression(group.best(settings.base("size")).0, &size);
    run.worked("best_time", "time of the best", SECONDS, best.clone());
    run.worked(
        "crossover",
        "ring: latency as long as bytes",
        MIB,
        format!("ring_crossover_bytes({ranks}, {alpha}, {rate})"),
    );
    bandwidths(run, group, (&size, &best));
}

/// Bandwidths as nccl-tests names them, and the rate of a NIC behind them.
fn bandwidths(run: &mut Run, group: &Group, (size, time): (&str, &str)) {
    let [g, k, n] = [group.per_node, group.nodes, group.ranks()].map(plain);
    let algbw = (group.ranks() > 1.0).then(|| format!("algbw({size}, {time})"));
    let busbw = (group.ranks() > 1.0).then(|| format!("busbw({n}, {size}, {time})"));
    let across = busbw.clone().filter(|_| group.nodes > 1.0);
    let nic_sent = across.is_some().then(|| format!("hierarchical_inter_bytes({k}, {g}, {size})"));
    let nic_rate = across.map(|busbw| format!("nic_rate_from_busbw({busbw}, {k}, {n})"));
    run.worked_or_0("algbw", "algbw of the best", GB_PER_S, algbw);
    run.worked_or_0("busbw", "busbw of the best", GB_PER_S, busbw);
    run.worked_or_0("nic_sent", "through each NIC, hierarchy", MIB, nic_sent);
    run.worked_or_0("nic_rate", "NIC rate behind that busbw", GB_PER_S, nic_rate);
    if group.ranks() == 1.0 {
        run.notes.push("one rank has nobody to talk to".into());
    }
}

fn questions(run: &mut Run, group: &Group, size: f64) {
    let ranks = group.ranks();
    let n = quantity::digits(ranks);
    let message = quantity::show(size, MIB);
    let sent = run.value("sent");
    run.ask(
        format!("How many bytes does each of {n} ranks send in a ring all-reduce of {message}?"),
        (sent, MIB),
        "Reduce-scatter and all-gather each send (n-1)/n of the message: together 2(n-1)/n, at most twice it.",
    );
    let doubled = collective::ring_all_reduce_bytes(2.0 * ranks, size);
    run.ask(
        format!(
            "How many bytes would each of {} ranks, twice as many, send for the same {message}?",
            quantity::digits(2.0 * ranks)
        ),
        (doubled, MIB),
        "Hardly more: the factor 2(n-1)/n is already near 2. What doubles is the number of hops, so the latency.",
    );
    let ranked = group.ranked(size);
    if ranked.0.len() < 2 {
        return;
    }
    run.choose(
        format!("Which is fastest for {message} over {n} ranks?"),
        ranked,
        "Latency decides for small messages: the tree has the fewest hops. Bytes over the slowest link decide for \
         large ones: what counts is how many NICs work at once.",
    );
}

#[cfg(test)]
mod tests {
    use super::chunks::{held_after, sent_chunk};
    use super::*;
    use crate::sim::Sim;

    fn ring(set: &[(&str, f64)]) -> Run {
        let mut sim = Sim::new(&KIND);
        for (name, value) in set {
            sim.set(name, *value).expect("a knob");
        }
        sim.run()
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
        let ms = |run: &Run, name: &str| (run.value(name) * 1e6).round() / 1e3;
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
            let run = ring(&[("nodes", nodes), ("ranks_per_node", per_node), ("size", 25.0)]);
            let mut sim = Sim::new(&KIND);
            sim.set("nodes", nodes).expect("a knob");
            sim.set("ranks_per_node", per_node).expect("a knob");
            let group = Group::new(&sim.settings);
            for (name, way) in
                [("ring_time", Way::Rails), ("tree_time", Way::Tree), ("hierarchy_time", Way::Hierarchy)]
            {
                let time = group.time(way, 25.0 * 1048576.0);
                assert!((run.value(name) - time).abs() <= 1e-12 + 1e-9 * time, "{name} {nodes}x{per_node}");
            }
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
