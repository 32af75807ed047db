//! What the fullest GPU holds.

use super::Step;
use crate::sim::output::Run;
use crate::sim::picture::{Bar, Bars, Picture, Tone, View};
use crate::sim::plan::Ledger;
use crate::sim::quantity::{self, GB, PLAIN, Unit};

pub(super) fn memory_outputs(run: &mut Run, step: &Step) {
    let Ledger { weights, gradients, optimizer, activations, total, .. } = step.ledger;
    run.found("dp", "DP, what is left", step.plan.dp as f64, Unit::count("ranks"));
    run.counted(
        ("weights", "weights"),
        weights,
        GB,
        "2 bytes a parameter of the GPU's share; embedding on the first stage",
    );
    run.counted(
        ("grads", "gradients"),
        gradients,
        GB,
        "bytes of a gradient for each parameter of the share, sharded from stage 2 on",
    );
    run.counted(
        ("optimizer", "optimizer state"),
        optimizer,
        GB,
        "12 bytes a parameter of the share, sharded from stage 1 on",
    );
    run.counted(
        ("activations", "activations"),
        activations,
        GB,
        "of all micro-batches alive on stage 0, after TP, CP and recomputation",
    );
    run.counted(
        ("memory_used", "memory of the fullest GPU"),
        total,
        GB,
        "weights, gradients, optimizer state and activations",
    );
    run.counted(
        ("memory_left", "left over"),
        step.usable() - total,
        GB,
        "memory - reserve - memory of the fullest GPU",
    );
    run.found("fits", "fits", f64::from(total <= step.usable()), PLAIN);
}

pub(super) fn memory_view(step: &Step) -> View {
    let Ledger { weights, gradients, optimizer, activations, total, .. } = step.ledger;
    let bars = Bars {
        unit: "GB",
        bars: vec![Bar {
            label: "fullest GPU".into(),
            pieces: vec![
                (Tone::Weights, weights),
                (Tone::Gradients, gradients),
                (Tone::Optimizer, optimizer),
                (Tone::Activations, activations),
            ],
            chosen: true,
            said: None,
        }],
        limit: Some((step.usable().max(0.0), "usable".into())),
        reach: 0.0,
        legend: vec![
            (Tone::Weights, "weights"),
            (Tone::Gradients, "gradients"),
            (Tone::Optimizer, "optimizer state"),
            (Tone::Activations, "activations"),
        ],
    };
    let fits = if total <= step.usable() { "fits" } else { "does not fit" };
    let caption =
        format!("{} of {}: it {fits}", quantity::show(total, GB), quantity::show(step.usable(), GB));
    View::still("memory", caption, Picture::Bars(bars))
}
