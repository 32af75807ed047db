//! All-reduce: chunks going round a ring, and what ring, tree and hierarchy cost.

use crate::sim::Kind;
use crate::sim::formula::collective;
use crate::sim::output::Run;
use crate::sim::parameter::{Parameter, Preset, Settings, plain, rate_term, time_term};
use crate::sim::picture::{Axis, Cell, Frame, Grid, Line, Picture, Series, Table, Tone, View};
use crate::sim::quantity::{self, GB_PER_S, MIB, SECONDS, US, Unit};

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
        Parameter::doubling(
            ("nodes", "nodes"),
            Unit::count("nodes"),
            (1.0, 1.0, 64.0),
            "nodes of the group",
        ),
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
            set: &[
                ("ranks_per_node", 8.0),
                ("nodes", 8.0),
                ("nvlink", 370.0),
                ("nic", 45.0),
            ],
        },
        Preset {
            name: "one rank a node, 8 nodes",
            set: &[("ranks_per_node", 1.0), ("nodes", 8.0)],
        },
        Preset {
            name: "DDP bucket, 512 ranks",
            set: &[("ranks_per_node", 8.0), ("nodes", 64.0), ("size", 25.0)],
        },
        Preset {
            name: "NVL72",
            set: &[("ranks_per_node", 72.0), ("nodes", 1.0), ("nvlink", 740.0)],
        },
    ],
    run,
};

/// The most ranks whose chunks are shown.
const SHOWN_RANKS: usize = 16;

/// The ring that stands for a larger one.
const EXAMPLE: usize = 8;

/// The group and its links, in base units.
#[derive(Debug, Clone, Copy)]
struct Group {
    per_node: f64,
    nodes: f64,
    nvlink: f64,
    nic: f64,
    alpha_in: f64,
    alpha_out: f64,
}

/// A way to do an all-reduce.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    OneNic,
    Rails,
    Tree,
    Hierarchy,
}

const WAYS: [(Way, &str); 4] = [
    (Way::Rails, "ring on all NICs"),
    (Way::Tree, "tree"),
    (Way::Hierarchy, "hierarchy"),
    (Way::OneNic, "ring on one NIC"),
];

impl Group {
    fn new(settings: &Settings) -> Group {
        Group {
            per_node: settings.number("ranks_per_node"),
            nodes: settings.number("nodes"),
            nvlink: settings.base("nvlink"),
            nic: settings.base("nic"),
            alpha_in: settings.base("alpha_in"),
            alpha_out: settings.base("alpha_out"),
        }
    }

    fn ranks(&self) -> f64 {
        self.per_node * self.nodes
    }

    /// Rate and latency of a ring over all ranks, through `nics` NICs of each node.
    fn ring_link(&self, nics: f64) -> (f64, f64) {
        if self.nodes > 1.0 {
            (
                collective::group_bandwidth(nics, self.nvlink, self.nic),
                self.alpha_out,
            )
        } else {
            (self.nvlink, self.alpha_in)
        }
    }

    /// The expression for the time of a way with a message of `size` bytes.
    fn expression(&self, way: Way, size: &str) -> String {
        let Group {
            per_node,
            nodes,
            nic,
            alpha_in,
            alpha_out,
            nvlink,
        } = *self;
        let [g, k] = [per_node, nodes].map(plain);
        let [nic, fast] = [nic, nvlink].map(rate_term);
        let [inside, outside] = [alpha_in, alpha_out].map(time_term);
        let ranks = plain(self.ranks());
        match way {
            Way::OneNic | Way::Rails => {
                let (rate, alpha) = self.ring_link(if way == Way::Rails { per_node } else { 1.0 });
                format!(
                    "ring_all_reduce_time({ranks}, {size}, {}, {})",
                    time_term(alpha),
                    rate_term(rate)
                )
            }
            Way::Tree => {
                let (rate, _) = self.ring_link(per_node);
                let up = format!("ring_latency({g}, {inside})");
                format!(
                    "{up} + tree_all_reduce_time({k}, {size}, {outside}, {})",
                    rate_term(rate)
                )
            }
            Way::Hierarchy => format!(
                "ring_all_reduce_time({g}, {size}, {inside}, {fast}) + \
                 ring_all_reduce_time({k}, {size} / {g}, {outside}, {nic})"
            ),
        }
    }

    /// Seconds of a way for a message of `size` bytes; the same arithmetic without the text.
    fn time(&self, way: Way, size: f64) -> f64 {
        let Group {
            per_node,
            nodes,
            nic,
            alpha_in,
            alpha_out,
            nvlink,
        } = *self;
        match way {
            _ if self.ranks() <= 1.0 => 0.0,
            Way::OneNic | Way::Rails => {
                let (rate, alpha) = self.ring_link(if way == Way::Rails { per_node } else { 1.0 });
                collective::ring_all_reduce_time(self.ranks(), size, alpha, rate)
            }
            Way::Tree => {
                let (rate, _) = self.ring_link(per_node);
                collective::ring_latency(per_node, alpha_in)
                    + collective::tree_all_reduce_time(nodes, size, alpha_out, rate)
            }
            Way::Hierarchy => {
                collective::ring_all_reduce_time(per_node, size, alpha_in, nvlink)
                    + collective::ring_all_reduce_time(nodes, size / per_node, alpha_out, nic)
            }
        }
    }

    /// The ways by name, those that take the same time together, and the place of the fastest.
    fn ranked(&self, size: f64) -> (Vec<String>, usize) {
        let mut groups: Vec<(f64, Vec<&str>)> = Vec::new();
        for (way, label) in WAYS {
            let time = self.time(way, size);
            match groups
                .iter_mut()
                .find(|(t, _)| (*t - time).abs() <= 1e-9 * time.abs())
            {
                Some((_, labels)) => labels.push(label),
                None => groups.push((time, vec![label])),
            }
        }
        let fastest = groups.iter().enumerate().min_by(|a, b| a.1.0.total_cmp(&b.1.0));
        let fastest = fastest.map_or(0, |(i, _)| i);
        let names = groups.iter().map(|(_, labels)| labels.join(" or ")).collect();
        (names, fastest)
    }

    fn best(&self, size: f64) -> (Way, &'static str) {
        let time = |(way, _): &&(Way, &str)| self.time(*way, size);
        WAYS.iter()
            .min_by(|a, b| time(a).total_cmp(&time(b)))
            .copied()
            .unwrap_or(WAYS[0])
    }
}

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
    run.counted(
        ("ranks", "in all"),
        group.ranks(),
        Unit::count("ranks"),
        "ranks per node times nodes",
    );
    run.worked(
        "sent",
        "sent by each rank",
        MIB,
        format!("ring_all_reduce_bytes({ranks}, {size})"),
    );
    let ring = group.expression(Way::Rails, &size);
    run.worked("ring_time", "time, ring on all NICs", SECONDS, ring.clone());
    run.worked(
        "latency_time",
        "latency of that ring",
        SECONDS,
        format!("ring_latency({ranks}, {alpha})"),
    );
    let tree = (group.ranks() > 1.0).then(|| group.expression(Way::Tree, &size));
    run.worked_or_0("tree_time", "time, tree", SECONDS, tree);
    run.worked(
        "hierarchy_time",
        "time, hierarchy",
        SECONDS,
        group.expression(Way::Hierarchy, &size),
    );
    run.worked(
        "one_nic_time",
        "time, ring on one NIC",
        SECONDS,
        group.expression(Way::OneNic, &size),
    );
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
    let nic_sent = across
        .is_some()
        .then(|| format!("hierarchical_inter_bytes({k}, {g}, {size})"));
    let nic_rate = across.map(|busbw| format!("nic_rate_from_busbw({busbw}, {k}, {n})"));
    run.worked_or_0("algbw", "algbw of the best", GB_PER_S, algbw);
    run.worked_or_0("busbw", "busbw of the best", GB_PER_S, busbw);
    run.worked_or_0("nic_sent", "through each NIC, hierarchy", MIB, nic_sent);
    run.worked_or_0("nic_rate", "NIC rate behind that busbw", GB_PER_S, nic_rate);
    if group.ranks() == 1.0 {
        run.notes.push("one rank has nobody to talk to".into());
    }
}

/// The chunk that rank `r` sends at hop `hop` of either half: (r-1-hop) in the reduce-scatter, r-hop after.
fn sent_chunk(rank: usize, hop: usize, ranks: usize) -> usize {
    let half = ranks - 1;
    let back = if hop < half { 1 + hop } else { hop - half };
    (rank + 2 * ranks - back) % ranks
}

/// Which ranks' values each chunk of each rank holds after some hops: `held[rank][chunk]` is a count.
fn held_after(hops: usize, ranks: usize) -> Vec<Vec<usize>> {
    let mut held = vec![vec![1; ranks]; ranks];
    for hop in 0..hops {
        let moves: Vec<(usize, usize, usize)> = (0..ranks)
            .map(|rank| {
                let chunk = sent_chunk(rank, hop, ranks);
                ((rank + 1) % ranks, chunk, held[rank][chunk])
            })
            .collect();
        for (to, chunk, count) in moves {
            if hop < ranks - 1 {
                held[to][chunk] += count;
            } else {
                held[to][chunk] = count;
            }
        }
    }
    held
}

fn chunks_view(ranks: usize) -> View {
    let shown = if ranks > SHOWN_RANKS {
        EXAMPLE
    } else {
        ranks.max(1)
    };
    View::stepped("chunks round the ring", 2 * shown - 1, move |step| {
        let mut frame = chunk_frame(step, shown);
        if shown < ranks {
            frame.caption = format!(
                "{EXAMPLE} ranks stand for {ranks}. {}",
                sentence_start(&frame.caption)
            );
        }
        frame
    })
}

fn sentence_start(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|c| c.to_uppercase().to_string());
    first.unwrap_or_default() + chars.as_str()
}

fn chunk_frame(step: usize, ranks: usize) -> Frame {
    let held = held_after(step, ranks);
    let arrived = |rank: usize, chunk: usize| {
        step > 0 && sent_chunk((rank + ranks - 1) % ranks, step - 1, ranks) == chunk
    };
    let rows = (0..ranks).map(|rank| {
        let cells = (0..ranks).map(|chunk| {
            let count = held[rank][chunk];
            let tone = match (arrived(rank, chunk), count == ranks) {
                (true, _) => Tone::Moving,
                (false, true) => Tone::Done,
                (false, false) => Tone::Buffer,
            };
            Cell {
                text: count.to_string(),
                tone,
            }
        });
        (format!("rank {rank}"), cells.collect())
    });
    let grid = Grid {
        corner: "rank \\ chunk".into(),
        columns: (0..ranks).map(|c| c.to_string()).collect(),
        rows: rows.collect(),
        legend: vec![
            (Tone::Buffer, "ranks summed"),
            (Tone::Moving, "new, from the rank above"),
            (Tone::Done, "sum of all"),
        ],
    };
    Frame {
        caption: chunk_caption(step, ranks),
        picture: Picture::Grid(grid),
        now: None,
    }
}

fn chunk_caption(step: usize, ranks: usize) -> String {
    let half = ranks - 1;
    let sent = format!("{step}/{ranks} of the message sent");
    match step {
        0 if ranks == 1 => "one rank: nothing to send".into(),
        0 => format!("each rank holds {ranks} chunks of its own values; next: reduce-scatter"),
        s if s < half => format!("reduce-scatter, hop {s} of {half}: add what arrives; {sent}"),
        s if s == half => format!("reduce-scatter done: rank r holds the whole sum of chunk r; {sent}"),
        s if s < 2 * half => format!(
            "all-gather, hop {} of {half}: copy what arrives; {sent}",
            s - half
        ),
        _ => format!("all-gather done: every rank holds every sum; {sent}"),
    }
}

fn cost_view(group: &Group, size: f64) -> View {
    let group = *group;
    let lines = WAYS.iter().enumerate().map(|(i, (way, label))| Line {
        label: (*label).into(),
        tone: Tone::Nth(i as u8),
        points: (0..=84)
            .map(|i| 2f64.powf(10.0 + f64::from(i) * 0.3))
            .map(|s| (s, group.time(*way, s)))
            .filter(|(_, t)| *t > 0.0)
            .collect(),
    });
    let (names, fastest) = group.ranked(size);
    let mut marks = vec![(size, group.time(group.best(size).0, size), "here".to_owned())];
    let (rate, alpha) = group.ring_link(group.per_node);
    let crossover = collective::ring_crossover_bytes(group.ranks(), alpha, rate);
    if crossover > 1024.0 {
        marks.push((
            crossover,
            group.time(Way::Rails, crossover),
            "ring: latency as long as bytes".into(),
        ));
    }
    let series = Series {
        x: Axis {
            label: "message",
            unit: "MiB",
            log: true,
        },
        y: Axis {
            label: "time",
            unit: "s",
            log: true,
        },
        lines: lines.filter(|l| !l.points.is_empty()).collect(),
        marks,
    };
    View::still(
        "time over message size",
        format!(
            "fastest at this size: {}; small messages pay latency, large ones bytes",
            names[fastest]
        ),
        Picture::Series(series),
    )
    .comparing(&["size"])
}

fn ranks_view(group: &Group, size: f64) -> View {
    let point = |nodes: f64, way: Way| {
        let group = Group { nodes, ..*group };
        (group.ranks(), group.time(way, size))
    };
    let lines = WAYS.iter().enumerate().map(|(i, (way, label))| Line {
        label: (*label).into(),
        tone: Tone::Nth(i as u8),
        points: (0..=7)
            .map(|e| point(f64::from(1 << e), *way))
            .filter(|(n, t)| *n > 1.0 && *t > 0.0)
            .collect(),
    });
    let here = (
        group.ranks(),
        group.time(group.best(size).0, size),
        "here".to_owned(),
    );
    let series = Series {
        x: Axis {
            label: "ranks",
            unit: "",
            log: true,
        },
        y: Axis {
            label: "time",
            unit: "s",
            log: true,
        },
        lines: lines.collect(),
        marks: vec![here],
    };
    let caption = "the bytes of a ring stop growing at twice the message; its latency grows with every rank";
    View::still("time over ranks", caption, Picture::Series(series)).comparing(&["ranks_per_node", "nodes"])
}

fn ways_view(group: &Group, size: f64) -> View {
    let best = group.best(size).0;
    let row = |(way, label): &(Way, &str)| {
        let time = group.time(*way, size);
        let cells = vec![
            (*label).to_owned(),
            quantity::show(time, SECONDS),
            quantity::show(collective::algbw(size, time), GB_PER_S),
            quantity::show(collective::busbw(group.ranks(), size, time), GB_PER_S),
        ];
        (if *way == best { Tone::Chosen } else { Tone::Empty }, cells)
    };
    let table = Table {
        columns: ["algorithm", "time", "algbw", "busbw"]
            .map(str::to_owned)
            .to_vec(),
        rows: WAYS.iter().map(row).collect(),
    };
    View::still(
        "side by side",
        "busbw = algbw * 2(n-1)/n, so that it compares with a link. Ideal costs: the tree counts no bytes inside \
         the node, the hierarchy does its phases one after another",
        Picture::Table(table),
    )
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
                assert_eq!(
                    row[rank], ranks,
                    "rank {rank} owns chunk {rank} after the reduce-scatter"
                );
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
            for (name, way) in [
                ("ring_time", Way::Rails),
                ("tree_time", Way::Tree),
                ("hierarchy_time", Way::Hierarchy),
            ] {
                let time = group.time(way, 25.0 * 1048576.0);
                assert!(
                    (run.value(name) - time).abs() <= 1e-12 + 1e-9 * time,
                    "{name} {nodes}x{per_node}"
                );
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
