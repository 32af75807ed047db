//! Groups of ranks on nodes, and what their links let through: the one model behind mesh, step, ring, zero, tp,
//! context, experts, puzzles and worksheets.
//!
//! Every GPU has NVLink inside its node and one NIC. A collective that goes round all ranks of a group has in every
//! node as many NICs as the group has ranks there, so the node with the fewest sets the pace. A message from one rank
//! to one other has one link. In an all-to-all each rank reaches every other by itself, so what leaves the node
//! leaves by its own NIC.

mod all_reduce;

pub use all_reduce::Algorithm;

use crate::sim::formula::collective;
use crate::sim::layout::Layout;

/// The rates of links in bytes per second and direction, and their latencies in seconds a hop.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Links {
    /// Inside a node.
    pub nvlink: f64,
    /// Of each GPU's NIC.
    pub nic: f64,
    /// A hop inside a node.
    pub alpha_in: f64,
    /// A hop between nodes.
    pub alpha_out: f64,
}

/// How the ranks of a group lie on nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Group {
    ranks: usize,
    nodes: usize,
    fewest: usize,
    most: usize,
}

impl Group {
    /// `ranks` that fill nodes one after another, `per_node` in each; the last node has what is left.
    pub(crate) fn filling(ranks: usize, per_node: usize) -> Group {
        let (ranks, per_node) = (ranks.max(1), per_node.max(1));
        let nodes = ranks.div_ceil(per_node);
        Group { ranks, nodes, fewest: ranks - (nodes - 1) * per_node, most: ranks.min(per_node) }
    }

    /// Ranks by number, on the nodes of a layout.
    pub fn of(ranks: &[usize], layout: &Layout) -> Group {
        let mut nodes: Vec<usize> = ranks.iter().map(|rank| layout.node(*rank)).collect();
        nodes.sort_unstable();
        let on_each = nodes.chunk_by(|a, b| a == b);
        Group {
            ranks: ranks.len().max(1),
            nodes: on_each.clone().count().max(1),
            fewest: on_each.clone().map(<[usize]>::len).min().unwrap_or(1),
            most: on_each.map(<[usize]>::len).max().unwrap_or(1),
        }
    }

    /// How many ranks it has.
    pub fn ranks(&self) -> f64 {
        self.ranks as f64
    }

    /// How many nodes it touches.
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    /// How many ranks it has on the node where it has the fewest.
    pub fn fewest(&self) -> usize {
        self.fewest
    }

    /// The note that it needs where its nodes are not all full.
    pub(super) fn note(&self) -> Option<String> {
        let Group { nodes, fewest, most, .. } = self;
        (fewest != most).then(|| {
            format!(
                "{nodes} nodes of {most} ranks, but the last has {fewest}: its {fewest} NICs set the pace"
            )
        })
    }

    /// What a collective round the whole group gets, through `nics` NICs of each node.
    fn rate_through(&self, nics: usize, links: &Links) -> f64 {
        match self.nodes {
            1 => links.nvlink,
            _ => collective::group_bandwidth(nics as f64, links.nvlink, links.nic),
        }
    }

    /// What an all-gather, reduce-scatter or all-reduce gets, in bytes per second that each rank sends.
    pub(crate) fn collective_rate(&self, links: &Links) -> f64 {
        self.rate_through(self.fewest, links)
    }

    /// What a message between neighbours gets: one link, the slowest that the group has.
    pub(crate) fn message_rate(&self, links: &Links) -> f64 {
        self.rate_through(1, links)
    }

    /// The latency of a hop: that of the slowest link.
    pub fn latency(&self, links: &Links) -> f64 {
        if self.nodes > 1 { links.alpha_out } else { links.alpha_in }
    }

    /// The share of what a rank sends to the others in an even all-to-all that leaves its node, for the rank with
    /// the fewest of the group beside it.
    pub(crate) fn leaving_share(&self) -> f64 {
        if self.nodes < 2 {
            return 0.0;
        }
        (self.ranks - self.fewest) as f64 / (self.ranks - 1) as f64
    }

    /// How many of its ranks share a node at most.
    pub fn most(&self) -> usize {
        self.most
    }

    /// Seconds of an even all-to-all in which each rank sends `bytes` to the others, latency left out. NVLink and
    /// NIC work side by side; the rank with the fewest beside it has most for its NIC, the one with the most for NVLink.
    pub(crate) fn all_to_all_time(&self, bytes: f64, links: &Links) -> f64 {
        let staying = bytes * (self.most - 1) as f64 / (self.ranks - 1).max(1) as f64;
        (bytes * self.leaving_share() / links.nic).max(staying / links.nvlink)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::layout::Axis;

    const LINKS: Links = Links { nvlink: 370e9, nic: 45e9, alpha_in: 0.0, alpha_out: 0.0 };

    #[test]
    fn the_node_with_the_fewest_ranks_sets_the_pace() {
        for (ranks, per_node, nodes, rate) in [
            (8, 8, 1, 370e9),
            (64, 8, 8, 360e9),
            (8, 1, 8, 45e9),
            (12, 8, 2, 180e9),
            (9, 8, 2, 45e9),
            (1, 8, 1, 370e9),
        ] {
            let group = Group::filling(ranks, per_node);
            assert_eq!(
                (group.nodes(), group.collective_rate(&LINKS)),
                (nodes, rate),
                "{ranks} by {per_node}"
            );
        }
        assert_eq!(Group::filling(64, 8).message_rate(&LINKS), 45e9);
        assert_eq!(Group::filling(8, 8).message_rate(&LINKS), 370e9);
    }

    #[test]
    fn a_group_of_a_layout_lies_where_its_ranks_do() {
        let layout = Layout::new(&Axis::ALL, |axis| if axis == Axis::Tp { 4 } else { 3 }, 6);
        for axis in Axis::ALL {
            for ranks in layout.groups(axis) {
                let group = Group::of(&ranks, &layout);
                assert_eq!(group.nodes(), layout.nodes_of(&ranks));
                let on = |node| ranks.iter().filter(|r| layout.node(**r) == node).count();
                let fewest = ranks.iter().map(|r| on(layout.node(*r))).min();
                assert_eq!(Some(group.fewest()), fewest);
            }
        }
    }

    #[test]
    fn an_all_to_all_waits_for_the_rank_with_the_fewest_beside_it() {
        let group = Group::filling(8, 3);
        assert_eq!(group.leaving_share(), 6.0 / 7.0);
        assert!((group.all_to_all_time(7e9, &LINKS) - 6.0 / 45.0).abs() < 1e-12);
        assert!((Group::filling(4, 8).all_to_all_time(3.7e9, &LINKS) - 0.01).abs() < 1e-12);
    }
}
