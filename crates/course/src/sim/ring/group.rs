//! The ranks of an all-reduce with their links, and what each way to do it takes.

use crate::sim::formula::collective;
use crate::sim::parameter::{Settings, plain, rate_term, time_term};

/// The group and its links, in base units.
#[derive(Debug, Clone, Copy)]
pub(super) struct Group {
    pub(super) per_node: f64,
    pub(super) nodes: f64,
    pub(super) nvlink: f64,
    pub(super) nic: f64,
    pub(super) alpha_in: f64,
    pub(super) alpha_out: f64,
}

/// A way to do an all-reduce.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    OneNic,
    Rails,
    Tree,
    Hierarchy,
}

pub(super) const WAYS: [(Way, &str); 4] = [
    (Way::Rails, "ring on all NICs"),
    (Way::Tree, "tree"),
    (Way::Hierarchy, "hierarchy"),
    (Way::OneNic, "ring on one NIC"),
];

impl Group {
    pub(super) fn new(settings: &Settings) -> Group {
        Group {
            per_node: settings.number("ranks_per_node"),
            nodes: settings.number("nodes"),
            nvlink: settings.base("nvlink"),
            nic: settings.base("nic"),
            alpha_in: settings.base("alpha_in"),
            alpha_out: settings.base("alpha_out"),
        }
    }

    pub(super) fn ranks(&self) -> f64 {
        self.per_node * self.nodes
    }

    /// Rate and latency of a ring over all ranks, through `nics` NICs of each node.
    pub(super) fn ring_link(&self, nics: f64) -> (f64, f64) {
        if self.nodes > 1.0 {
            (collective::group_bandwidth(nics, self.nvlink, self.nic), self.alpha_out)
        } else {
            (self.nvlink, self.alpha_in)
        }
    }

    /// The expression for the time of a way with a message of `size` bytes.
    pub(super) fn expression(&self, way: Way, size: &str) -> String {
        let Group { per_node, nodes, nic, alpha_in, alpha_out, nvlink } = *self;
        let [g, k] = [per_node, nodes].map(plain);
        let [nic, fast] = [nic, nvlink].map(rate_term);
        let [inside, outside] = [alpha_in, alpha_out].map(time_term);
        let ranks = plain(self.ranks());
        match way {
            Way::OneNic | Way::Rails => {
                let (rate, alpha) = self.ring_link(if way == Way::Rails { per_node } else { 1.0 });
                format!("ring_all_reduce_time({ranks}, {size}, {}, {})", time_term(alpha), rate_term(rate))
            }
            Way::Tree => {
                let (rate, _) = self.ring_link(per_node);
                let up = format!("ring_latency({g}, {inside})");
                format!("{up} + tree_all_reduce_time({k}, {size}, {outside}, {})", rate_term(rate))
            }
            Way::Hierarchy => format!(
                "ring_all_reduce_time({g}, {size}, {inside}, {fast}) + \
                 ring_all_reduce_time({k}, {size} / {g}, {outside}, {nic})"
            ),
        }
    }

    /// Seconds of a way for a message of `size` bytes; the same arithmetic without the text.
    pub(super) fn time(&self, way: Way, size: f64) -> f64 {
        let Group { per_node, nodes, nic, alpha_in, alpha_out, nvlink } = *self;
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
    pub(super) fn ranked(&self, size: f64) -> (Vec<String>, usize) {
        let mut groups: Vec<(f64, Vec<&str>)> = Vec::new();
        for (way, label) in WAYS {
            let time = self.time(way, size);
            match groups.iter_mut().find(|(t, _)| (*t - time).abs() <= 1e-9 * time.abs()) {
                Some((_, labels)) => labels.push(label),
                None => groups.push((time, vec![label])),
            }
        }
        let fastest = groups.iter().enumerate().min_by(|a, b| a.1.0.total_cmp(&b.1.0));
        let fastest = fastest.map_or(0, |(i, _)| i);
        let names = groups.iter().map(|(_, labels)| labels.join(" or ")).collect();
        (names, fastest)
    }

    pub(super) fn best(&self, size: f64) -> (Way, &'static str) {
        let time = |(way, _): &&(Way, &str)| self.time(*way, size);
        WAYS.iter().min_by(|a, b| time(a).total_cmp(&time(b))).copied().unwrap_or(WAYS[0])
    }
}
