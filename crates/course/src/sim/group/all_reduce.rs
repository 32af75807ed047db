//! The ways to do an all-reduce over a group, what each takes, and what each sends through a NIC.

use super::{Group, Links};
use crate::sim::formula::collective;
use crate::sim::parameter::{rate_term, time_term};

/// A way to do an all-reduce.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Algorithm {
    /// Rings over all ranks, as many side by side as the group has NICs in a node.
    Ring,
    /// A pair of trees over the nodes, a chain inside each.
    Tree,
    /// Inside the node, then between nodes with one's own share, then inside again, one after another.
    Hierarchy,
    /// One ring over all ranks.
    OneNic,
}

impl Algorithm {
    /// All, with their names.
    pub const ALL: [(Algorithm, &str); 4] = [
        (Algorithm::Ring, "ring on all NICs"),
        (Algorithm::Tree, "tree"),
        (Algorithm::Hierarchy, "hierarchy"),
        (Algorithm::OneNic, "ring on one NIC"),
    ];

    /// The rate round the group: as many links as the way uses in a node.
    fn rate(self, group: &Group, links: &Links) -> f64 {
        match self {
            Algorithm::OneNic => group.message_rate(links),
            _ => group.collective_rate(links),
        }
    }

    /// Seconds for a message of `size` bytes.
    pub fn time(self, group: &Group, links: &Links, size: f64) -> f64 {
        let (rate, alpha) = (self.rate(group, links), group.latency(links));
        let (most, nodes) = (group.most as f64, group.nodes as f64);
        match self {
            _ if group.ranks <= 1 => 0.0,
            Algorithm::Ring | Algorithm::OneNic => {
                collective::ring_all_reduce_time(group.ranks(), size, alpha, rate)
            }
            Algorithm::Tree => {
                collective::ring_latency(most, links.alpha_in)
                    + collective::tree_all_reduce_time(nodes, size, links.alpha_out, rate)
            }
            Algorithm::Hierarchy => {
                let share = size / group.fewest as f64;
                collective::ring_all_reduce_time(most, size, links.alpha_in, links.nvlink)
                    + collective::ring_all_reduce_time(nodes, share, links.alpha_out, links.nic)
            }
        }
    }

    /// The same as an expression.
    pub(in crate::sim) fn expression(self, group: &Group, links: &Links, size: &str) -> String {
        let [fast, nic, rate] = [links.nvlink, links.nic, self.rate(group, links)].map(rate_term);
        let [inside, between, alpha] = [links.alpha_in, links.alpha_out, group.latency(links)].map(time_term);
        let Group { ranks, nodes, fewest, most } = group;
        match self {
            Algorithm::Ring | Algorithm::OneNic => {
                format!("ring_all_reduce_time({ranks}, {size}, {alpha}, {rate})")
            }
            Algorithm::Tree => format!(
                "ring_latency({most}, {inside}) + tree_all_reduce_time({nodes}, {size}, {between}, {rate})"
            ),
            Algorithm::Hierarchy if *nodes == 1 => {
                format!("ring_all_reduce_time({ranks}, {size}, {inside}, {fast})")
            }
            Algorithm::Hierarchy => format!(
                "ring_all_reduce_time({most}, {size}, {inside}, {fast}) + \
                 ring_all_reduce_time({nodes}, {size} / {fewest}, {between}, {nic})"
            ),
        }
    }

    /// What it sends through the NIC of a rank on the node with the fewest, as an expression; groups over nodes alone.
    pub(in crate::sim) fn nic_bytes(self, group: &Group, size: &str) -> String {
        let Group { ranks, nodes, fewest, .. } = group;
        match self {
            Algorithm::Ring => format!("ring_all_reduce_bytes({ranks}, {size}) / {fewest}"),
            Algorithm::OneNic => format!("ring_all_reduce_bytes({ranks}, {size})"),
            Algorithm::Tree => format!("tree_all_reduce_bytes({size}) / {fewest}"),
            Algorithm::Hierarchy => format!("hierarchical_inter_bytes({nodes}, {fewest}, {size})"),
        }
    }

    /// The fastest for a message of `size` bytes.
    pub fn fastest(group: &Group, links: &Links, size: f64) -> Algorithm {
        let time = |(way, _): &&(Algorithm, &str)| way.time(group, links, size);
        let fastest = Algorithm::ALL.iter().min_by(|a, b| time(a).total_cmp(&time(b)));
        fastest.map_or(Algorithm::Ring, |(way, _)| *way)
    }
}
