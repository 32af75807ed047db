//! A tensor-parallel layer: shapes and shards, where each collective falls, bytes and share of time.

use crate::sim::formula::tensor;
use crate::sim::group::{Algorithm, Group, Links};
use crate::sim::layer::{Form, Layer, Timeline};
use crate::sim::output::Results;
use crate::sim::parameter::{Number, Parameter, choices, knobs, plain, presets};
use crate::sim::picture::{Lane, Lanes, Tone, View};
use crate::sim::quantity::{self, GB, PERCENT, PLAIN, SECONDS, TFLOP_PER_S, Unit};
use crate::sim::{SimKind, setup};

mod numbers;
mod shards;
mod share;

use numbers::outputs;
use shards::{shapes_view, shards_view};
use share::share_view;

choices! {
    /// How a collective of a group over nodes goes. Inside a node both are the same ring.
    pub(super) enum Collective {
        /// Rings over all ranks, on all NICs, as in the plan of a step.
        Ring = "ring", "ring on all NICs";
        /// One after another: inside the node, between nodes, inside.
        Hierarchy = "hierarchy", "hierarchy";
    }
}

knobs! {
    form: Form = Parameter::choice("form", Form::OPTIONS,
        "how the matrices are split and what repairs the split");
    ranks: Number = Parameter::doubling("ranks t", Unit::count("ranks"), (1.0, 8.0, 64.0),
        "tensor-parallel degree");
    in_node: Number = Parameter::doubling("ranks in a node", Unit::count("ranks"), (1.0, 8.0, 64.0),
        "ranks of the group that share a node; 1 spreads the group over nodes");
    micro_batch: Number = Parameter::doubling("micro-batch", Unit::count("sequences"), (1.0, 1.0, 256.0),
        "sequences of a micro-batch");
    sequence: Number = Parameter::doubling("sequence", Unit::count("tokens"), (1.0, 4096.0, 1_048_576.0),
        "tokens of a sequence");
    hidden: Number = Parameter::doubling("hidden", PLAIN, (64.0, 8192.0, 65536.0),
        "width of the residual stream");
    heads: Number = Parameter::doubling("heads", Unit::count("heads"), (1.0, 64.0, 1024.0),
        "attention heads");
    kv_heads: Number = Parameter::doubling("kv heads", Unit::count("heads"), (1.0, 8.0, 1024.0),
        "key-value heads");
    layers: Number = Parameter::doubling("layers", Unit::count("layers"), (1.0, 80.0, 512.0),
        "layers of the model");
    nvlink: Number = setup::NVLINK;
    nic: Number = setup::NIC;
    alpha_in: Number = setup::ALPHA_IN;
    alpha_out: Number = setup::ALPHA_OUT;
    collective: Collective = Parameter::choice("over nodes", Collective::OPTIONS,
        "how a collective runs when the group spans nodes; mesh and step use the ring, without latency");
    rate: Number = Parameter::sliding("achieved rate", TFLOP_PER_S, (1.0, 593.0, 5000.0, 50.0),
        "FLOP per second in matrix products");
}

presets! {
    "70B, TP8 in a node" {
        hidden = 8192.0, heads = 64.0, kv_heads = 8.0, layers = 80.0, ranks = 8.0, in_node = 8.0
    }
    "70B, TP16 over two nodes" { hidden = 8192.0, heads = 64.0, kv_heads = 8.0, ranks = 16.0, in_node = 8.0 }
    "70B, TP8 strided over nodes" { hidden = 8192.0, heads = 64.0, ranks = 8.0, in_node = 1.0 }
    "7B, TP2" { hidden = 4096.0, heads = 32.0, kv_heads = 32.0, layers = 32.0, ranks = 2.0, in_node = 2.0 }
    "GPT-3, s = 2048" {
        hidden = 12288.0, heads = 96.0, kv_heads = 96.0, layers = 96.0, sequence = 2048.0, ranks = 8.0,
        in_node = 8.0
    }
}

/// The tensor-parallel simulator.
pub(super) const KIND: SimKind = SimKind {
    name: "tp",
    title: "Tensor-parallel layer",
    brief: "a layer in slices",
    about: "One transformer layer on the ranks of a tensor group: which slice of each matrix a rank holds, \
     where the collectives come in forward and backward, and what share of the time they take.",
    parameters: PARAMETERS,
    presets: PRESETS,
    run,
};

fn read(knobs: &Knobs, run: &mut Results) -> Layer {
    let (heads, kv_heads) = (knobs.heads.count(), knobs.kv_heads.count().min(knobs.heads.count()));
    run.took(knob::kv_heads, knobs.kv_heads.count(), kv_heads, format!("there are {heads} heads"));
    let (ranks, in_node) = (knobs.ranks.count(), knobs.in_node.count().min(knobs.ranks.count()));
    run.took(knob::in_node, knobs.in_node.count(), in_node, format!("the group has {ranks}"));
    Layer {
        form: knobs.form,
        algorithm: match knobs.collective {
            Collective::Hierarchy => Algorithm::Hierarchy,
            Collective::Ring => Algorithm::Ring,
        },
        group: Group::filling(ranks, in_node),
        links: Links {
            nvlink: knobs.nvlink.base(),
            nic: knobs.nic.base(),
            alpha_in: knobs.alpha_in.base(),
            alpha_out: knobs.alpha_out.base(),
        },
        tokens: knobs.micro_batch.number() * knobs.sequence.number(),
        hidden: knobs.hidden.number(),
        heads: heads as f64,
        kv_heads: kv_heads as f64,
        rate: knobs.rate.base(),
    }
}

fn run(values: &[f64]) -> Results {
    let knobs = Knobs::read(values);
    let mut run = Results::default();
    let layer = read(&knobs, &mut run);
    let timeline = layer.run();
    outputs(&mut run, &knobs, (&layer, &timeline));
    questions(&mut run, (&layer, &timeline));
    notes(&mut run, &layer);
    run.views.push(lanes_view(&layer, &timeline));
    run.views.push(shards_view(&layer));
    run.views.push(shapes_view(&layer));
    run.views.push(share_view(&layer));
    run
}

fn notes(run: &mut Results, layer: &Layer) {
    let [t, heads, kv] = [layer.ranks(), layer.heads, layer.kv_heads];
    if heads % t != 0.0 {
        run.notes.push(format!("{heads} heads do not divide over {t} ranks"));
    }
    if kv % t != 0.0 && t % kv == 0.0 {
        run.notes.push(format!("each of {kv} kv heads is kept on {} ranks", t / kv));
    } else if kv % t != 0.0 {
        run.notes.push(format!("{kv} kv heads do not divide over {t} ranks"));
    }
    if layer.form == Form::SequenceParallel && layer.tokens < t {
        run.notes.push(format!("{} tokens on {t} ranks: some ranks have none to keep", layer.tokens));
    }
    run.notes.extend(layer.group.note());
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
    let ranks = quantity::show(layer.ranks(), Unit::count("ranks"));
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

fn questions(run: &mut Results, (layer, timeline): (&Layer, &Timeline)) {
    let (t, tokens, h) = (plain(layer.ranks()), quantity::digits(layer.tokens), plain(layer.hidden));
    run.ask(
        format!("How many bytes does a rank send for one layer, forward and backward, with t = {t}, {tokens} tokens and h = {h}?"),
        (run.value("sent"), GB),
        "Four all-reduces of tokens x h x 2 bytes, each 2(t-1)/t of it. Sequence parallelism sends the same in other pieces, and \
         gathers the saved inputs once more in backward. Rows first send wider messages.",
    );
    run.asks_for("sent");
    run.choose(
        "Which part of the communication can hide behind compute?",
        (
            ["the forward half", "the backward half, behind weight gradients", "all of it", "none"]
                .map(str::to_owned)
                .to_vec(),
            1,
        ),
        "In forward the next product needs the sum. In backward the input gradient is summed while the weight gradient, \
         which nobody waits for, is computed. Sequence parallelism still waits for a gather at the start of each block.",
    );
    let doubled = Layer { tokens: 2.0 * layer.tokens, ..*layer }.run();
    let share = |t: &Timeline| (t.exposed_forward + t.exposed_backward) / t.end;
    let change = share(&doubled) - share(timeline);
    let right = if change.abs() < 0.01 { 1 } else { usize::from(change > 0.0) * 2 };
    run.choose(
        "Double the micro-batch: does the exposed share fall, stay or rise?",
        (["fall", "stay, within a point", "rise"].map(str::to_owned).to_vec(), right),
        "Bytes and FLOP both double, so the ratio 2(t-1)F/(9hB) stays the same; only the latency of small \
         messages is spread over more.",
    );
    let ratio = tensor::tp_comm_ratio(layer.ranks(), layer.hidden, layer.rate, layer.links.nvlink);
    run.ask(
        "How long are the four all-reduces of a layer of 12h^2 parameters, latency left out, as a share of its matrix products, if all \
         ranks share one NVLink domain?",
        (ratio, PERCENT),
        "It is 2(t-1)*F/(9*h*B): wider layers and fewer ranks help, a larger batch does not.",
    );
    let rate = quantity::show(layer.rate, TFLOP_PER_S);
    let link = quantity::show(layer.links.nvlink, quantity::GB_PER_S);
    run.here(format!("2 × ({t} - 1) × {rate} / (9 × {h} × {link}) = {}", quantity::show(ratio, PERCENT)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::Sim;

    fn at(set: &[(&str, f64)]) -> Results {
        crate::sim::at(&KIND, set).run()
    }

    #[test]
    fn bytes_of_the_70b_layer() {
        let run = at(&[]);
        assert!((run.value("sent") / 1e6 - 469.8).abs() < 0.05);
        assert!((run.value("sent_model") / 1e9 - 37.6).abs() < 0.05);
        assert!((run.value("ratio_formula") - 0.3043).abs() < 5e-5);
        // The formula is for as many key-value heads as heads.
        let dense = at(&[("alpha_in", 0.0), ("kv_heads", 64.0)]);
        assert!((dense.value("ratio") - dense.value("ratio_formula")).abs() < 1e-9);
        let grouped = at(&[("alpha_in", 0.0)]);
        assert!((grouped.value("ratio") / grouped.value("ratio_formula") - 12.0 / 10.25).abs() < 1e-9);
    }

    #[test]
    fn each_form_sends_what_it_draws() {
        let sent = |form: Form| at(&[("form", form.place())]).value("sent");
        assert!((sent(Form::SequenceParallel) / sent(Form::AllReduce) - 10.0 / 8.0).abs() < 1e-9);
        assert!((sent(Form::RowFirst) / sent(Form::AllReduce) - 25.0 / 8.0).abs() < 1e-9);
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
        assert!((run.value("exposed_backward") - 215e-6).abs() < 1e-6, "QKV has few columns to hide behind");
        let dense = at(&[("kv_heads", 64.0)]);
        assert!(dense.value("exposed_backward") < 0.02 * dense.value("exposed_forward"), "but a tail");
        assert!(at(&[("in_node", 1.0)]).value("exposed_backward") > 0.001, "not over one NIC");
    }

    #[test]
    fn values_that_do_not_go_together_are_told() {
        let run = at(&[("ranks", 12.0), ("in_node", 8.0), ("kv_heads", 128.0)]);
        assert_eq!(
            (run.adjusted[0].knob, run.adjusted[0].asked, run.adjusted[0].taken),
            ("kv_heads", 128.0, 64.0)
        );
        assert!(run.notes.iter().any(|n| n.contains("the last has 4")), "{:?}", run.notes);
        assert!(at(&[("ranks", 4.0)]).notes[0].contains("asked for 8, taken 4"));
    }
}
