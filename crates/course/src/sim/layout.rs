//! Ranks on a mesh of axes: coordinates, groups, and the nodes that they touch.

use std::collections::BTreeMap;

/// An axis of a parallel plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Axis {
    /// Tensor parallel.
    Tp,
    /// Context parallel.
    Cp,
    /// Data parallel, or FSDP.
    Dp,
    /// Pipeline parallel.
    Pp,
}

impl Axis {
    /// All axes in the usual order, fastest first.
    pub const ALL: [Axis; 4] = [Axis::Tp, Axis::Cp, Axis::Dp, Axis::Pp];

    /// The name: `tp`.
    pub fn name(self) -> &'static str {
        match self {
            Axis::Tp => "tp",
            Axis::Cp => "cp",
            Axis::Dp => "dp",
            Axis::Pp => "pp",
        }
    }

    /// The axis of this name, whatever its case; `fsdp` is the data-parallel axis.
    pub fn named(name: &str) -> Option<Axis> {
        let name = name.trim().to_ascii_lowercase();
        match name.as_str() {
            "fsdp" | "ddp" | "hsdp" => Some(Axis::Dp),
            _ => Axis::ALL.into_iter().find(|a| a.name() == name),
        }
    }

    fn place(self) -> usize {
        match self {
            Axis::Tp => 0,
            Axis::Cp => 1,
            Axis::Dp => 2,
            Axis::Pp => 3,
        }
    }
}

/// The degree of each axis and the order in which ranks run through them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    order: [Axis; 4],
    degrees: [usize; 4],
    per_node: usize,
}

impl Layout {
    /// A layout; `order` is fastest first, axes that it leaves out come last. `degree` gives each axis at least 1.
    pub fn new(order: &[Axis], degree: impl Fn(Axis) -> usize, per_node: usize) -> Layout {
        let mut full = [Axis::Tp; 4];
        let mut seen = Vec::with_capacity(4);
        for axis in order.iter().copied().chain(Axis::ALL) {
            if !seen.contains(&axis) {
                seen.push(axis);
            }
        }
        full.copy_from_slice(&seen);
        Layout { order: full, degrees: Axis::ALL.map(|a| degree(a).max(1)), per_node: per_node.max(1) }
    }

    /// The order, fastest axis first.
    pub fn order(&self) -> [Axis; 4] {
        self.order
    }

    /// The degree of an axis.
    pub fn degree(&self, axis: Axis) -> usize {
        self.degrees[axis.place()]
    }

    /// Ranks in all: the product of the degrees, at most `usize::MAX`.
    pub fn ranks(&self) -> usize {
        self.degrees.iter().fold(1, |product: usize, degree| product.saturating_mul(*degree))
    }

    /// Ranks between neighbours along an axis.
    pub fn stride(&self, axis: Axis) -> usize {
        let faster = self.order.iter().take_while(|a| **a != axis);
        faster.fold(1, |stride: usize, a| stride.saturating_mul(self.degree(*a)))
    }

    /// Where a rank stands on an axis.
    pub(crate) fn coordinate(&self, rank: usize, axis: Axis) -> usize {
        rank / self.stride(axis) % self.degree(axis)
    }

    /// The rank at a coordinate of each axis.
    pub fn rank_at(&self, coordinate: impl Fn(Axis) -> usize) -> usize {
        Axis::ALL.iter().map(|axis| coordinate(*axis) * self.stride(*axis)).sum()
    }

    /// The node on which a rank runs.
    pub fn node(&self, rank: usize) -> usize {
        rank / self.per_node
    }

    /// The ranks that share all coordinates with `rank` but that of `axis`, in order along it.
    pub fn group(&self, rank: usize, axis: Axis) -> Vec<usize> {
        let stride = self.stride(axis);
        let first = rank - self.coordinate(rank, axis) * stride;
        (0..self.degree(axis)).map(|i| first + i * stride).collect()
    }

    /// All groups of an axis, in the order of their first ranks.
    pub fn groups(&self, axis: Axis) -> Vec<Vec<usize>> {
        (0..self.ranks()).filter(|r| self.coordinate(*r, axis) == 0).map(|r| self.group(r, axis)).collect()
    }

    /// The groups of several axes together: ranks that share their coordinates on all others.
    pub(crate) fn groups_over(&self, axes: &[Axis]) -> Vec<Vec<usize>> {
        let rest =
            |rank: usize| Axis::ALL.map(|a| if axes.contains(&a) { 0 } else { self.coordinate(rank, a) });
        let mut groups: BTreeMap<[usize; 4], Vec<usize>> = BTreeMap::new();
        for rank in 0..self.ranks() {
            groups.entry(rest(rank)).or_default().push(rank);
        }
        let mut groups: Vec<Vec<usize>> = groups.into_values().collect();
        groups.sort();
        groups
    }

    /// How many nodes a set of ranks touches.
    pub(crate) fn nodes_of(&self, ranks: &[usize]) -> usize {
        let mut nodes: Vec<usize> = ranks.iter().map(|r| self.node(*r)).collect();
        nodes.sort_unstable();
        nodes.dedup();
        nodes.len()
    }

    /// The most nodes that a group of an axis touches.
    pub(crate) fn nodes_spanned(&self, axis: Axis) -> usize {
        let groups = self.groups(axis);
        groups.iter().map(|g| self.nodes_of(g)).max().unwrap_or(1)
    }

    /// The groups in which the experts of one layer are spread: `ep` ranks each, within a pipeline stage.
    ///
    /// Experts reuse the ranks of tensor, context and data parallelism; each stage's ranks are cut, in order, into
    /// blocks of `ep`. Empty where `ep` does not divide them.
    pub(crate) fn expert_groups(&self, ep: usize) -> Vec<Vec<usize>> {
        let stage_ranks = self.ranks() / self.degree(Axis::Pp);
        if ep == 0 || !stage_ranks.is_multiple_of(ep) {
            return Vec::new();
        }
        let stage =
            |pp| (0..self.ranks()).filter(move |r| self.coordinate(*r, Axis::Pp) == pp).collect::<Vec<_>>();
        (0..self.degree(Axis::Pp))
            .flat_map(|pp| stage(pp).chunks(ep).map(<[usize]>::to_vec).collect::<Vec<_>>())
            .collect()
    }

    /// The order as text: `tp-cp-dp-pp`, without axes of degree 1.
    pub(crate) fn order_text(&self) -> String {
        let names: Vec<_> = self.order.iter().filter(|a| self.degree(**a) > 1).map(|a| a.name()).collect();
        if names.is_empty() { "one rank".into() } else { names.join("-") }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn layout(order: &[Axis], tp: usize, dp: usize, pp: usize) -> Layout {
        let degree = |axis| match axis {
            Axis::Tp => tp,
            Axis::Dp => dp,
            Axis::Pp => pp,
            Axis::Cp => 1,
        };
        Layout::new(order, degree, 8)
    }

    #[test]
    fn ranks_stand_where_the_plan_lab_puts_them() {
        let usual = layout(&[Axis::Tp, Axis::Dp, Axis::Pp], 8, 2, 4);
        let at = |axis| usual.coordinate(37, axis);
        assert_eq!((at(Axis::Tp), at(Axis::Dp), at(Axis::Pp), usual.node(37)), (5, 0, 2, 4));
        assert_eq!(usual.group(0, Axis::Tp), [0, 1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(usual.group(0, Axis::Dp), [0, 8]);
        assert_eq!(usual.group(0, Axis::Pp), [0, 16, 32, 48]);
        assert_eq!(usual.nodes_spanned(Axis::Pp), 4);
        let strided = layout(&[Axis::Pp, Axis::Dp, Axis::Tp], 8, 2, 4);
        assert_eq!(strided.group(0, Axis::Tp), [0, 8, 16, 24, 32, 40, 48, 56]);
        assert_eq!(strided.nodes_spanned(Axis::Tp), 8);
    }

    #[test]
    fn experts_reuse_ranks_of_a_stage() {
        let plan = layout(&[Axis::Tp, Axis::Dp, Axis::Pp], 1, 16, 4);
        let groups = plan.expert_groups(8);
        assert_eq!(groups.len(), 8, "two groups in each of four stages");
        assert_eq!(groups[0], [0, 1, 2, 3, 4, 5, 6, 7]);
        assert!(plan.expert_groups(3).is_empty());
    }

    fn any_layout() -> impl Strategy<Value = Layout> {
        let degrees = proptest::array::uniform4(1usize..5);
        (degrees, Just(Axis::ALL.to_vec()).prop_shuffle(), 1usize..9).prop_map(
            |(degrees, order, per_node)| Layout::new(&order, |axis| degrees[axis.place()], per_node),
        )
    }

    proptest! {
        #[test]
        fn coordinates_and_ranks_are_one_to_one(layout in any_layout()) {
            let mut seen = BTreeSet::new();
            for rank in 0..layout.ranks() {
                prop_assert_eq!(layout.rank_at(|axis| layout.coordinate(rank, axis)), rank);
                prop_assert!(seen.insert(Axis::ALL.map(|a| layout.coordinate(rank, a))));
            }
        }

        #[test]
        fn groups_of_an_axis_part_the_ranks(layout in any_layout()) {
            for axis in Axis::ALL {
                let mut all: Vec<usize> = layout.groups(axis).concat();
                prop_assert!(layout.groups(axis).iter().all(|g| g.len() == layout.degree(axis)));
                all.sort_unstable();
                prop_assert_eq!(all, (0..layout.ranks()).collect::<Vec<_>>());
            }
        }

        #[test]
        fn two_axes_share_one_rank_at_most(layout in any_layout()) {
            for (one, other) in [(Axis::Tp, Axis::Dp), (Axis::Dp, Axis::Pp), (Axis::Cp, Axis::Tp)] {
                let of_one: BTreeSet<_> = layout.group(0, one).into_iter().collect();
                let shared = layout.group(0, other).iter().filter(|r| of_one.contains(r)).count();
                prop_assert_eq!(shared, 1);
            }
        }
    }
}
