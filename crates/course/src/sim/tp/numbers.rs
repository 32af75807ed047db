//! The numbers of a layer, with their formulas.

use super::Knobs;
use crate::sim::layer::{Form, Layer, Timeline};
use crate::sim::output::{Results, outputs};
use crate::sim::parameter::{plain, rate_term};
use crate::sim::quantity::{GB, PERCENT, SECONDS};

pub(super) fn outputs(run: &mut Results, knobs: &Knobs, (layer, timeline): (&Layer, &Timeline)) {
    let Knobs { ranks: t, micro_batch: b, sequence: s, hidden: h, heads: a, layers, rate, .. } = knobs;
    let kv = plain(layer.kv_heads);
    let message = format!("activation_message_bytes({b}, {s}, {h})");
    let sent = match layer.form {
        Form::AllReduce => format!("tp_bytes_per_layer({t}, {b}, {s}, {h})"),
        _ => format!("{} * all_gather_bytes({t}, {message})", plain(layer.halves())),
    };
    let reduce = layer.algorithm.expression(&layer.group, &layer.links, &message);
    let parameters = match layer.form {
        Form::RowFirst => format!("layer_parameters_rank({h}, {a}, {kv}, 1) / {t}"),
        _ => format!("layer_parameters_rank({h}, {a}, {kv}, {t})"),
    };
    let compute = format!("6 * {parameters} * {b} * {s} / {rate}");
    let link = rate_term(layer.group.collective_rate(&layer.links));
    let exposed = timeline.exposed_forward + timeline.exposed_backward;
    outputs! { run;
        message "a message: all tokens" [GB]: "{message}";
        sent "sent by a rank, a layer" [GB]: "{sent}";
        sent_model "sent by a rank, all layers" [GB]: "{layers} * {sent}";
        all_reduce_time "one all-reduce" [SECONDS]: "{reduce}";
        compute_time "matrix products of a layer" [SECONDS]: "6 * {parameters} * {b} * {s} / {rate}";
        layer_time "a layer, both passes" [SECONDS] = timeline.end,
            "matrix products plus what is exposed";
        exposed_forward "exposed forward" [SECONDS] = timeline.exposed_forward,
            "every collective of forward: the next product waits for it";
        exposed_backward "exposed backward" [SECONDS] = timeline.exposed_backward,
            "how much longer a collective takes than the product that hides it; with sequence parallelism \
             the first gathers too";
        exposed_share "exposed share of a layer" [PERCENT] = exposed / timeline.end,
            "exposed forward and backward over the time of the layer";
        ratio "all-reduces over compute" [PERCENT]: "4 * ({reduce}) / ({compute})";
        ratio_formula "all-reduce share, formula" [PERCENT]: "tp_comm_ratio({t}, {h}, {rate}, {link})";
        weights "a layer's weights, 16 bit" [GB]: "2 * {parameters}";
        activations "a layer's activations" [GB]:
            "activation_bytes_layer_tp({b}, {s}, {h}, {a}, {t})";
        activations_sp "activations, seq-parallel" [GB]:
            "activation_bytes_layer_sp({b}, {s}, {h}, {a}, {t})";
        activations_selective "activations, no scores" [GB]:
            "activation_bytes_layer_selective({b}, {s}, {h}, {t})";
    }
}
