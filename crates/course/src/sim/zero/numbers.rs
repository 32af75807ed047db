//! The numbers of the ledger, with their formulas.

use super::{Knobs, Ledger};
use crate::sim::output::{Results, outputs};
use crate::sim::parameter::{plain, rate_term};
use crate::sim::quantity::{GB, GB_PER_S, PLAIN, SECONDS, Unit};

pub(super) fn outputs(run: &mut Results, knobs: &Knobs, ledger: &Ledger) {
    let Knobs { params, layers, ranks, stage, activations, memory, reserve, micro_batches, .. } = knobs;
    let Knobs { tokens, rate, .. } = knobs;
    let [g, o] = [ledger.gradient, ledger.optimizer].map(plain);
    let state = format!("ledger_bytes({params}, {ranks}, {stage}, {g}, {o})");
    let gather = format!("gathered_layers_bytes({params}, {layers})");
    let (third, many) = (stage.count() == 3 && ranks.count() > 1, ranks.count() > 1);
    let gathered = if third { &gather[..] } else { "0" };
    let peak = format!("{state} + {gathered} + {activations}");
    let limit = format!("{memory} - {reserve}");
    let sent = format!("zero_volume_bytes({params}, {ranks}, {stage}, {micro_batches}, {g})");
    let group = rate_term(ledger.bandwidth());
    let usable = knobs.memory.base() - knobs.reserve.base();
    // what stage 3 shards, over the room beside what it does not; a rank alone gathers nothing
    let beside = if ledger.fits_alone(usable) { String::new() } else { format!(" - {gather}") };
    let fit = format!("ceil(ledger_bytes({params}, 1, 0, {g}, {o}) / ({limit}{beside} - {activations}))");
    outputs! { run;
        state "model state on a GPU" [GB]: "{state}";
        gathered "gathered layers" [GB]: "{gather}" if third;
        peak "peak with activations" [GB]: "{state} + {gathered} + {activations}";
        usable "usable memory" [GB]: "{memory} - {reserve}";
        headroom "left over" [GB]: "{limit} - ({peak})";
        replicated "state without ZeRO" [GB]: "ledger_bytes({params}, {ranks}, 0, {g}, {o})";
        sent "sent by each rank a step" [GB]: "{sent}";
        volume_ratio "traffic of plain DDP" [Unit::count("x")]:
            "{sent} / zero_volume_bytes({params}, {ranks}, 0, {micro_batches}, {g})" if many;
        volume "elements per parameter" [Unit::count("elements")]: "zero_volume({stage}, {micro_batches})";
        rate_group "rate of the group" [GB_PER_S] = ledger.bandwidth(),
            "NVLink inside a node; over nodes, as many NICs as the group has ranks on the node with the \
             fewest";
        comm_time "time of the traffic" [SECONDS]: "{sent} / {group}";
        compute_time "compute of the step" [SECONDS]: "6 * {params} * {tokens} * {micro_batches} / {rate}";
        tokens_needed "tokens to hide a gather" [Unit::count("tokens")]:
            "tokens_to_hide({rate}, {group})";
        ranks_to_fit "ranks for stage 3 to fit" [Unit::count("ranks")]:
            "{fit}" if ledger.unsharded() < usable;
        fits "fits" [PLAIN] = f64::from(ledger.peak(stage.count()) <= usable);
    }
}
