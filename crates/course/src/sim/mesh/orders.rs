//! Every order of the axes, and what it costs.

use super::seconds_of;
use crate::sim::cluster::same;
use crate::sim::layout::Axis;
use crate::sim::parameter::Taken;
use crate::sim::picture::{Frame, Picture, Table, Tone};
use crate::sim::plan::ParallelPlan;
use crate::sim::quantity::{self, SECONDS, Unit};

/// Every order of the four axes, for a choice; [`Order`] reads them.
pub(super) const ORDERS: &[(&str, &str)] = &[
    ("tp-cp-dp-pp", "tp cp dp pp"),
    ("tp-cp-pp-dp", "tp cp pp dp"),
    ("tp-dp-cp-pp", "tp dp cp pp"),
    ("tp-dp-pp-cp", "tp dp pp cp"),
    ("tp-pp-cp-dp", "tp pp cp dp"),
    ("tp-pp-dp-cp", "tp pp dp cp"),
    ("cp-tp-dp-pp", "cp tp dp pp"),
    ("cp-tp-pp-dp", "cp tp pp dp"),
    ("cp-dp-tp-pp", "cp dp tp pp"),
    ("cp-dp-pp-tp", "cp dp pp tp"),
    ("cp-pp-tp-dp", "cp pp tp dp"),
    ("cp-pp-dp-tp", "cp pp dp tp"),
    ("dp-tp-cp-pp", "dp tp cp pp"),
    ("dp-tp-pp-cp", "dp tp pp cp"),
    ("dp-cp-tp-pp", "dp cp tp pp"),
    ("dp-cp-pp-tp", "dp cp pp tp"),
    ("dp-pp-tp-cp", "dp pp tp cp"),
    ("dp-pp-cp-tp", "dp pp cp tp"),
    ("pp-tp-cp-dp", "pp tp cp dp"),
    ("pp-tp-dp-cp", "pp tp dp cp"),
    ("pp-cp-tp-dp", "pp cp tp dp"),
    ("pp-cp-dp-tp", "pp cp dp tp"),
    ("pp-dp-tp-cp", "pp dp tp cp"),
    ("pp-dp-cp-tp", "pp dp cp tp"),
];

/// An order of all axes, fastest first.
#[derive(Debug, Clone, Copy)]
pub(super) struct Order([Axis; 4]);

impl Order {
    pub(super) fn named(name: &str) -> Order {
        let mut axes = Axis::ALL;
        for (place, axis) in name.split('-').filter_map(Axis::named).enumerate().take(4) {
            axes[place] = axis;
        }
        Order(axes)
    }

    pub(super) fn axes(&self) -> &[Axis; 4] {
        &self.0
    }
}

impl Taken for Order {
    fn taken(value: f64, _: Unit) -> Order {
        Order::named(ORDERS[(value as usize).min(ORDERS.len() - 1)].0)
    }
}

/// The value of a knob that chooses the order of this name; a name that there is not does not compile in a constant.
pub(super) const fn order_place(name: &str) -> f64 {
    let mut nth = 0;
    while nth < ORDERS.len() {
        if same(ORDERS[nth].0.as_bytes(), name.as_bytes()) {
            return nth as f64;
        }
        nth += 1;
    }
    panic!("no order has this name")
}

/// The most ranks for which every order is tried.
const MOST_TRIED: usize = 512;

pub(super) fn orders_frame(plan: &ParallelPlan) -> Frame {
    let tried = if plan.layout().ranks() > MOST_TRIED { &ORDERS[..1] } else { ORDERS };
    let mut rows: Vec<(f64, bool, String, Vec<f64>)> = Vec::new();
    for (name, _) in tried {
        let other = ParallelPlan { order: Order::named(name).axes().to_vec(), ..plan.clone() };
        let text = other.layout().order_text();
        if rows.iter().any(|(_, _, seen, _)| *seen == text) {
            continue;
        }
        let traffic = other.traffic();
        let seconds: Vec<f64> = ["tp", "cp", "dp", "pp"].iter().map(|a| seconds_of(&traffic, a)).collect();
        let same = plan.layout().order_text() == text;
        rows.push((seconds.iter().sum(), same, text, seconds));
    }
    rows.sort_by(|a, b| a.0.total_cmp(&b.0));
    let row = |(total, same, text, seconds): (f64, bool, String, Vec<f64>)| {
        let shown = |s: f64| {
            if s > 0.0 { quantity::show(s, SECONDS) } else { "none".into() }
        };
        let mut cells = vec![text];
        cells.extend(seconds.into_iter().map(shown));
        cells.push(shown(total));
        (if same { Tone::Chosen } else { Tone::Empty }, cells)
    };
    let table = Table {
        columns: ["order", "TP", "CP", "DP", "PP", "all"].map(str::to_owned).to_vec(),
        rows: rows.into_iter().map(row).collect(),
    };
    let caption = "the same degrees in every order, the least traffic time first; orders that differ only in \
     axes of degree 1 count as one";
    Frame { caption: caption.into(), picture: Picture::Table(table), now: None }
}
