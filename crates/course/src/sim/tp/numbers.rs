//! The numbers of a layer, with their formulas.

use super::layer::{Layer, Timeline};
use crate::sim::output::Run;
use crate::sim::parameter::{Settings, plain, rate_term};
use crate::sim::quantity::{GB, PERCENT, SECONDS};

pub(super) fn outputs(run: &mut Run, settings: &Settings, (layer, timeline): (&Layer, &Timeline)) {
    let [b, s, h, a] = ["micro_batch", "sequence", "hidden", "heads"].map(|name| settings.term(name));
    let t = plain(layer.ranks);
    let message = format!("activation_message_bytes({b}, {s}, {h})");
    run.worked("message", "a message: all tokens, full width", GB, message.clone());
    run.worked("sent", "sent by a rank, a layer", GB, format!("tp_bytes_per_layer({t}, {b}, {s}, {h})"));
    run.worked(
        "sent_model",
        "sent by a rank, all layers",
        GB,
        format!("{} * tp_bytes_per_layer({t}, {b}, {s}, {h})", settings.term("layers")),
    );
    run.worked("all_reduce_time", "one all-reduce", SECONDS, layer.all_reduce_expression(&message));
    let compute = format!("72 * {h} ^ 2 * {b} * {s} / ({t} * {})", settings.term("rate"));
    run.worked("compute_time", "matrix products of a layer", SECONDS, compute.clone());
    run.counted(
        ("layer_time", "a layer, forward and backward"),
        timeline.end,
        SECONDS,
        "matrix products plus what is exposed",
    );
    run.counted(
        ("exposed_forward", "exposed forward"),
        timeline.exposed_forward,
        SECONDS,
        "every collective of forward: the next product waits for it",
    );
    run.counted(
        ("exposed_backward", "exposed backward"),
        timeline.exposed_backward,
        SECONDS,
        "what a collective takes beyond the weight gradient that hides it",
    );
    let exposed = timeline.exposed_forward + timeline.exposed_backward;
    run.counted(
        ("exposed_share", "exposed, of the layer's time"),
        exposed / timeline.end,
        PERCENT,
        "exposed forward and backward over the time of the layer",
    );
    let reduces = layer.all_reduce_expression(&message);
    run.worked("ratio", "all-reduces over compute", PERCENT, format!("4 * ({reduces}) / ({compute})"));
    let inside = rate_term(if layer.in_node < layer.ranks { layer.nic } else { layer.nvlink });
    run.worked(
        "ratio_formula",
        "the same without latency",
        PERCENT,
        format!("tp_comm_ratio({t}, {h}, {}, {inside})", settings.term("rate")),
    );
    run.worked(
        "weights",
        "weights of a layer on a rank, 16 bit",
        GB,
        format!("2 * layer_parameters({h}) / {t}"),
    );
    run.worked(
        "activations",
        "activations of a layer, TP only",
        GB,
        format!("activation_bytes_layer_tp({b}, {s}, {h}, {a}, {t})"),
    );
    run.worked(
        "activations_sp",
        "the same with sequence parallel",
        GB,
        format!("activation_bytes_layer_sp({b}, {s}, {h}, {a}, {t})"),
    );
    run.worked(
        "activations_selective",
        "and without score matrices",
        GB,
        format!("activation_bytes_layer_selective({b}, {s}, {h}, {t})"),
    );
}
