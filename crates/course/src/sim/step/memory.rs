//! What the fullest GPU holds.

use super::Step;
use crate::sim::output::{Results, outputs};
use crate::sim::picture::{Bar, Bars, Picture, Tone, View};
use crate::sim::plan::Ledger;
use crate::sim::quantity::{self, GB, PLAIN, Unit};

pub(super) fn memory_outputs(run: &mut Results, step: &Step) {
    let Ledger { weights, gradients, optimizer, activations, total, .. } = step.ledger;
    run.group = "memory of the fullest GPU";
    outputs! { run;
        dp "ranks of DP" [Unit::count("ranks")] = step.plan.dp as f64;
        weights "weights" [GB] = weights,
            "2 bytes a parameter of the GPU's share; embedding on the first stage";
        grads "gradients" [GB] = gradients,
            "bytes of a gradient for each parameter of the share, sharded from stage 2 on";
        optimizer "optimizer state" [GB] = optimizer,
            "12 bytes a parameter of the share, sharded from stage 1 on";
        activations "activations" [GB] = activations,
            "of all micro-batches alive on stage 0, after TP, CP and recomputation";
        memory_used "memory, fullest GPU" [GB] = total,
            "weights, gradients, optimizer state and activations";
        memory_left "left over" [GB] = step.usable() - total, "memory minus the reserve minus the memory of the fullest GPU";
        fits "fits" [PLAIN] = f64::from(total <= step.usable());
    }
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
