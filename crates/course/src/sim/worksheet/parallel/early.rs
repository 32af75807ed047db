//! What can be said of cells before the plan is whole: what is no number, and what cannot be whatever the rest says.

use super::super::{Texts, unreadable};
use super::cells::{is_none, unit_of};
use crate::sim::plan::{Finding, ParallelPlan};
use crate::sim::quantity;

/// What was found in the cells that are filled in, where others of the plan are empty or cannot be read.
pub(super) fn findings(cells: &Texts, plan: &ParallelPlan, so_far: &[Finding]) -> Vec<Finding> {
    let is_faulty = |id: &str| so_far.iter().any(|f| f.cells.iter().any(|c| c == id));
    let filled = |id: &str| cells.get(id).map(|t| t.trim()).filter(|t| !t.is_empty() && !is_faulty(id));
    let mut found = Vec::new();
    let degrees = [("tp", plan.tp), ("cp", plan.cp), ("pp", plan.pp), ("dp", plan.dp), ("fsdp", plan.dp)];
    let degrees: Vec<(&str, usize)> = degrees.into_iter().filter(|(id, _)| filled(id).is_some()).collect();
    let gpus = plan.gpus();
    let fits = |degree: usize| gpus.is_multiple_of(degree);
    for (id, degree) in degrees.iter().filter(|(_, degree)| !fits(*degree)) {
        let what = format!("{degree} cannot be: it does not divide the {gpus} GPUs");
        found.push(Finding::about(id, &[id]).faulty(what, "", "take a divisor of the GPUs"));
    }
    let product = degrees.iter().fold(1_usize, |all, (_, degree)| all.saturating_mul(*degree));
    if found.is_empty() && !fits(product) {
        let named: Vec<&str> = degrees.iter().map(|(id, _)| *id).collect();
        let what = format!("these multiply to {product}, which does not divide the {gpus} GPUs");
        found.push(Finding::about("E1", &named).faulty(what, "", "lower one of them"));
    }
    for (id, text) in cells {
        let (Some(unit), false) = (unit_of(id), text.trim().is_empty()) else {
            if text.trim().is_empty() && !super::PLAN_CELLS.contains(&id.as_str()) {
                found.push(super::empty(id));
            }
            continue;
        };
        if id.contains('.') && is_none(text) {
            continue;
        }
        if let Err(fault) = quantity::read(text, unit) {
            found.push(unreadable(id, &fault));
        }
    }
    found
}
