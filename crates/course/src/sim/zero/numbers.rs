//! The numbers of the ledger, with their formulas.

use super::Ledger;
use crate::sim::output::Run;
use crate::sim::parameter::{Settings, plain, rate_term};
use crate::sim::quantity::{GB, PLAIN, SECONDS, Unit};

pub(super) fn outputs(run: &mut Run, settings: &Settings, ledger: &Ledger) {
    let stage = settings.count("stage");
    let (n, d) = (settings.term("params"), plain(ledger.ranks));
    let [g, o, m] = [ledger.gradient, ledger.optimizer, ledger.micro_batches].map(plain);
    let state = format!("ledger_bytes({n}, {d}, {stage}, {g}, {o})");
    run.worked("state", "model state on a GPU", GB, state.clone());
    let gathered = (stage == 3).then(|| format!("gathered_layers_bytes({n}, {})", plain(ledger.layers)));
    run.worked_or_0("gathered", "gathered layers (stage 3)", GB, gathered.clone());
    let gathered = gathered.unwrap_or_else(|| "0".into());
    let peak = format!("{state} + {gathered} + {}", settings.term("activations"));
    run.worked("peak", "peak with activations", GB, peak.clone());
    let limit = format!("{} - {}", settings.term("memory"), settings.term("reserve"));
    run.worked("usable", "usable memory", GB, limit.clone());
    run.worked("headroom", "left over", GB, format!("{limit} - ({peak})"));
    run.worked("replicated", "without ZeRO", GB, format!("ledger_bytes({n}, {d}, 0, {g}, {o})"));
    let sent = format!("zero_volume_bytes({n}, {d}, {stage}, {m}, {g})");
    run.worked("sent", "sent by each rank a step", GB, sent.clone());
    let plain_sent = format!("zero_volume_bytes({n}, {d}, 0, {m}, {g})");
    let ratio = (ledger.ranks > 1.0).then(|| format!("{sent} / {plain_sent}"));
    run.worked_or_0("volume_ratio", "traffic of plain DDP", Unit::count("x"), ratio);
    run.worked(
        "volume",
        "sent for each parameter",
        Unit::count("elements"),
        format!("zero_volume({stage}, {m})"),
    );
    let rate = rate_term(ledger.bandwidth());
    run.worked("comm_time", "time of that traffic", SECONDS, format!("{sent} / {rate}"));
    let again = format!("6 * {n} * {} * {m} / {}", settings.term("tokens"), settings.term("rate"));
    run.worked("compute_time", "compute of the step", SECONDS, again);
    run.worked(
        "tokens_needed",
        "tokens to hide a gather (3)",
        Unit::count("tokens"),
        format!("tokens_to_hide({}, {rate})", settings.term("rate")),
    );
    let fit = format!("zero3_ranks_to_fit({n}, max({limit}, 1))");
    run.worked("ranks_to_fit", "ranks for stage 3 to fit", Unit::count("ranks"), fit);
    run.found(
        "fits",
        "fits",
        f64::from(ledger.peak(stage) <= settings.base("memory") - settings.base("reserve")),
        PLAIN,
    );
}
