//! A tensor-parallel layer: shapes and shards, where each collective falls, bytes and share of time.

use crate::sim::Kind;
use crate::sim::formula::tensor;
use crate::sim::output::Run;
use crate::sim::parameter::{Parameter, Preset, Settings, plain};
use crate::sim::picture::{Lane, Lanes, Tone, View};
use crate::sim::quantity::{self, GB, GB_PER_S, PERCENT, PLAIN, SECONDS, TFLOP_PER_S, US, Unit};

mod layer;
mod numbers;
mod shards;
mod share;

use layer::{Form, Layer, Timeline};
use numbers::outputs;
use shards::{shapes_view, shards_view};
use share::share_view;

/// The tensor-parallel simulator.
pub(super) const KIND: Kind = Kind {
    name: "tp",
    title: "Tensor-parallel layer",
    about: "One transformer layer on the ranks of a tensor group: which slice of each matrix a rank holds, where the \
            collectives fall in forward and backward, and what share of the time they take.",
    parameters: &[
        Parameter::choice(
            ("form", "form"),
            &[
                ("allreduce", "column then row"),
                ("sp", "with sequence parallel"),
                ("row-first", "row then column"),
            ],
            "how the matrices are split and what repairs the split",
        ),
        Parameter::doubling(
            ("ranks", "ranks t"),
            Unit::count("ranks"),
            (1.0, 8.0, 64.0),
            "tensor-parallel degree",
        ),
        Parameter::doubling(
            ("in_node", "of them in a node"),
            Unit::count("ranks"),
            (1.0, 8.0, 64.0),
            "ranks of the group that share a node; 1 is a group strided over nodes",
        ),
        Parameter::doubling(
            ("micro_batch", "micro-batch"),
            Unit::count("sequences"),
            (1.0, 1.0, 256.0),
            "sequences of a micro-batch",
        ),
        Parameter::doubling(
            ("sequence", "sequence"),
            Unit::count("tokens"),
            (1.0, 4096.0, 1_048_576.0),
            "tokens of a sequence",
        ),
        Parameter::doubling(
            ("hidden", "hidden"),
            PLAIN,
            (64.0, 8192.0, 65536.0),
            "width of the residual stream",
        ),
        Parameter::doubling(("heads", "heads"), Unit::count("heads"), (1.0, 64.0, 1024.0), "attention heads"),
        Parameter::doubling(
            ("kv_heads", "kv heads"),
            Unit::count("heads"),
            (1.0, 8.0, 1024.0),
            "key-value heads",
        ),
        Parameter::doubling(
            ("layers", "layers"),
            Unit::count("layers"),
            (1.0, 80.0, 512.0),
            "layers of the model",
        ),
        Parameter::sliding(
            ("nvlink", "NVLink"),
            GB_PER_S,
            (1.0, 370.0, 2000.0, 10.0),
            "effective rate inside the node",
        ),
        Parameter::sliding(
            ("nic", "NIC"),
            GB_PER_S,
            (0.1, 45.0, 400.0, 5.0),
            "effective rate of each GPU's NIC",
        ),
        Parameter::sliding(
            ("alpha_in", "latency inside"),
            US,
            (0.0, 3.0, 1000.0, 1.0),
            "time for a hop inside the node",
        ),
        Parameter::sliding(
            ("alpha_out", "latency between"),
            US,
            (0.0, 12.0, 1000.0, 1.0),
            "time for a hop between nodes",
        ),
        Parameter::sliding(
            ("rate", "achieved rate"),
            TFLOP_PER_S,
            (1.0, 593.0, 5000.0, 50.0),
            "FLOP per second in matrix products",
        ),
    ],
    presets: &[
        Preset {
            name: "70B, TP8 in a node",
            set: &[
                ("hidden", 8192.0),
                ("heads", 64.0),
                ("kv_heads", 8.0),
                ("layers", 80.0),
                ("ranks", 8.0),
                ("in_node", 8.0),
            ],
        },
        Preset {
            name: "70B, TP16 over two nodes",
            set: &[("hidden", 8192.0), ("heads", 64.0), ("kv_heads", 8.0), ("ranks", 16.0), ("in_node", 8.0)],
        },
        Preset {
            name: "70B, TP8 strided over nodes",
            set: &[("hidden", 8192.0), ("heads", 64.0), ("ranks", 8.0), ("in_node", 1.0)],
        },
        Preset {
            name: "7B, TP2",
            set: &[
                ("hidden", 4096.0),
                ("heads", 32.0),
                ("kv_heads", 32.0),
                ("layers", 32.0),
                ("ranks", 2.0),
                ("in_node", 2.0),
            ],
        },
        Preset {
            name: "GPT-3, s = 2048",
            set: &[
                ("hidden", 12288.0),
                ("heads", 96.0),
                ("kv_heads", 96.0),
                ("layers", 96.0),
                ("sequence", 2048.0),
                ("ranks", 8.0),
                ("in_node", 8.0),
            ],
        },
    ],
    run,
};

const FORMS: [Form; 3] = [Form::AllReduce, Form::SequenceParallel, Form::RowFirst];

fn read(settings: &Settings) -> Layer {
    let ranks = settings.number("ranks");
    Layer {
        form: FORMS[settings.count("form")],
        tokens: settings.number("micro_batch") * settings.number("sequence"),
        hidden: settings.number("hidden"),
        ranks,
        in_node: settings.number("in_node").min(ranks),
        nvlink: settings.base("nvlink"),
        nic: settings.base("nic"),
        alpha: settings.base("alpha_in"),
        alpha_out: settings.base("alpha_out"),
        rate: settings.base("rate"),
    }
}

fn run(settings: &Settings) -> Run {
    let layer = read(settings);
    let timeline = layer.run();
    let mut run = Run::default();
    outputs(&mut run, settings, (&layer, &timeline));
    questions(&mut run, (&layer, &timeline));
    notes(&mut run, settings);
    run.views.push(lanes_view(&layer, &timeline));
    run.views.push(shards_view(&layer));
    run.views.push(shapes_view(settings, &layer));
    run.views.push(share_view(&layer));
    run
}

fn notes(run: &mut Run, settings: &Settings) {
    let (t, heads, kv) = (settings.count("ranks"), settings.count("heads"), settings.count("kv_heads"));
    if !heads.is_multiple_of(t) {
        run.notes.push(format!("{heads} heads do not divide over {t} ranks"));
    }
    if !kv.is_multiple_of(t) && t.is_multiple_of(kv) {
        run.notes.push(format!("each of {kv} kv heads is kept on {} ranks", t / kv));
    } else if !kv.is_multiple_of(t) {
        run.notes.push(format!("{kv} kv heads do not divide over {t} ranks"));
    }
}

fn lanes_view(layer: &Layer, timeline: &Timeline) -> View {
    let lanes = Lanes {
        unit: "s",
        end: timeline.end,
        lanes: vec![
            Lane { label: "compute".into(), spans: timeline.compute.clone() },
            Lane { label: "network".into(), spans: timeline.network.clone() },
        ],
        marks: vec![(timeline.forward_end, "backward begins".into())],
        legend: vec![
            (Tone::Forward, "forward"),
            (Tone::Backward, "input gradient"),
            (Tone::WeightGrad, "weight gradient"),
            (Tone::Hidden, "hidden"),
            (Tone::Exposed, "exposed"),
        ],
        names: timeline.names.clone(),
    };
    let names = timeline.names.clone();
    let (end, forward_end) = (timeline.end, timeline.forward_end);
    let exposed = timeline.exposed_forward + timeline.exposed_backward;
    let ranks = quantity::show(layer.ranks, Unit::count("ranks"));
    let gain = match layer.form {
        Form::SequenceParallel => "; what it buys is memory: activations shrink",
        _ => "",
    };
    View::timeline("a layer in time", lanes, move |lanes, now| {
        let name = |lane| lanes.span_at(lane, now).and_then(|s| names.get(s.number as usize)).copied();
        if now >= end {
            let shown = quantity::show(exposed, SECONDS);
            return format!("{ranks}: {shown} of {} are exposed{gain}", quantity::show(end, SECONDS));
        }
        let half = if now < forward_end { "forward" } else { "backward" };
        match (name(0), name(1)) {
            (Some(work), Some(sent)) => format!("{half}: {work} product, {sent} behind it"),
            (Some(work), None) => format!("{half}: {work} product"),
            (None, Some(sent)) => format!("{half}: {sent}, and the next product needs it"),
            (None, None) => half.to_owned(),
        }
    })
}

fn questions(run: &mut Run, (layer, timeline): (&Layer, &Timeline)) {
    let (t, tokens, h) = (plain(layer.ranks), quantity::digits(layer.tokens), plain(layer.hidden));
    run.ask(
        format!("How many bytes does a rank send for one layer, forward and backward, with t = {t}, {tokens} tokens and h = {h}?"),
        (run.value("sent"), GB),
        "Four all-reduces of tokens x h x 2 bytes, each 2(t-1)/t of it. Sequence parallelism sends the same in other pieces.",
    );
    run.choose(
        "Which part of the communication can hide behind compute?",
        (
            ["the forward half", "the backward half, behind weight gradients", "all of it", "none"]
                .map(str::to_owned)
                .to_vec(),
            1,
        ),
        "In forward the next product needs the sum. In backward the input gradient is summed while the weight gradient, \
         which nobody waits for, is computed.",
    );
    let doubled = Layer { tokens: 2.0 * layer.tokens, ..*layer }.run();
    let share = |t: &Timeline| (t.exposed_forward + t.exposed_backward) / t.end;
    let change = share(&doubled) - share(timeline);
    let right = if change.abs() < 0.01 { 1 } else { usize::from(change > 0.0) * 2 };
    run.choose(
        "Double the micro-batch: does the exposed share fall, stay or rise?",
        (["fall", "stay, within a point", "rise"].map(str::to_owned).to_vec(), right),
        "Bytes and FLOP both double, so the ratio 2(t-1)F/(9hB) stays; only the latency of small messages is spread over more.",
    );
    let ratio = tensor::tp_comm_ratio(layer.ranks, layer.hidden, layer.rate, layer.nvlink);
    run.ask(
        "How long are the four all-reduces of a layer, latency left out, as a share of its matrix products, if all ranks share one NVLink domain?",
        (ratio, PERCENT),
        "2(t-1)F/(9hB): wider layers and fewer ranks help, a larger batch does not.",
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::Sim;

    fn at(set: &[(&str, f64)]) -> Run {
        let mut sim = Sim::new(&KIND);
        for (name, value) in set {
            sim.set(name, *value).expect("a knob");
        }
        sim.run()
    }

    #[test]
    fn bytes_of_the_70b_layer() {
        let run = at(&[]);
        assert!((run.value("sent") / 1e6 - 469.8).abs() < 0.05);
        assert!((run.value("sent_model") / 1e9 - 37.6).abs() < 0.05);
        assert!((run.value("ratio_formula") - 0.3043).abs() < 5e-5);
        let latency_free = at(&[("alpha_in", 0.0)]);
        assert!((latency_free.value("ratio") - latency_free.value("ratio_formula")).abs() < 1e-9);
    }

    #[test]
    fn activations_of_gpt_3() {
        let mut sim = Sim::new(&KIND);
        sim.apply(&KIND.presets[4]);
        let run = sim.run();
        for (name, gb) in
            [("activations", 0.579), ("activations_sp", 0.359), ("activations_selective", 0.107)]
        {
            assert!((run.value(name) / 1e9 - gb).abs() < 6e-4, "{name}");
        }
    }

    #[test]
    fn forward_is_exposed_and_backward_hides() {
        let run = at(&[]);
        assert!(run.value("exposed_forward") > 0.0);
        assert!(
            run.value("exposed_backward") < 0.02 * run.value("exposed_forward"),
            "all but the tail of the QKV sum"
        );
        assert!(at(&[("in_node", 1.0)]).value("exposed_backward") > 0.0, "not over one NIC");
    }
}
