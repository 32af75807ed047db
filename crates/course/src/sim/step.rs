//! Step time and roofline: memory, compute, exposed communication, bubble, MFU, and what limits.

use crate::sim::SimKind;
use crate::sim::cluster::{Model, model_place};
use crate::sim::output::Results;
use crate::sim::parameter::{Number, Parameter, choices, knobs, presets};
use crate::sim::plan::{Ledger, ParallelPlan, Recompute, Traffic};
use crate::sim::quantity::{self, GB, PERCENT, TFLOP_PER_S, Unit};
use crate::sim::setup::{self, Gradients};

mod memory;
mod numbers;
mod roofline;
mod times;

use memory::memory_view;
use numbers::outputs;
use roofline::roofline_view;
use times::{Times, ledger_view, time_view};

choices! {
    /// Whether compute counts the scores of attention.
    pub(super) enum Attention {
        /// 6N FLOP a token.
        LeftOut = "left-out", "left out, 6N";
        /// Half of 12*L*h*s more.
        Counted = "counted", "counted, causal";
    }
}

knobs! {
    model: Model = setup::MODEL;
    nodes: Number = setup::NODES;
    per_node: Number = setup::PER_NODE;
    tp: Number = setup::TP;
    cp: Number = setup::CP;
    pp: Number = setup::PP;
    chunks: Number = Parameter::counting("chunks v", Unit::count("chunks"), (1.0, 1.0, 8.0),
        "chunks on a stage: the interleaved schedule");
    zero: Number = setup::ZERO;
    recompute: Recompute = setup::RECOMPUTE;
    gradients: Gradients = Parameter::choice("gradients", Gradients::OPTIONS, "bytes of a gradient");
    micro_batch: Number = setup::MICRO_BATCH;
    sequence: Number = setup::SEQUENCE;
    global_batch: Number = setup::GLOBAL_BATCH;
    attention: Attention = Parameter::choice("attention FLOP", Attention::OPTIONS,
        "whether compute counts the scores: half of 12*L*h*s a token");
    peak: Number = Parameter::sliding("peak", TFLOP_PER_S, (1.0, 989.0, 20_000.0, 50.0),
        "dense bf16 rate of the data sheet");
    achieved: Number = Parameter::sliding("achieved of peak", PERCENT, (1.0, 50.0, 100.0, 5.0),
        "what matrix products reach");
    hbm: Number = Parameter::sliding("memory rate", quantity::GB_PER_S, (10.0, 3350.0, 20_000.0, 50.0),
        "bytes per second of the GPU's memory");
    memory: Number = setup::MEMORY;
    reserve: Number = setup::RESERVE;
    nvlink: Number = setup::NVLINK;
    nic: Number = setup::NIC;
}

presets! {
    "70B, TP8 PP4 DP2, 64 H100" { model = model_place("70B"), tp = 8.0, pp = 4.0, zero = 1.0 }
    "70B, pure FSDP, full recompute" {
        model = model_place("70B"), tp = 1.0, pp = 1.0, zero = 3.0, recompute = Recompute::Full.place()
    }
    "70B, TP8 x FSDP8" { model = model_place("70B"), tp = 8.0, pp = 1.0, zero = 3.0 }
    "7B, data parallel" { model = model_place("7B"), tp = 1.0, pp = 1.0, zero = 1.0 }
    "175B, TP8 PP8, 2 chunks" {
        model = model_place("175B"), tp = 8.0, pp = 8.0, chunks = 2.0, sequence = 2048.0,
        global_batch = 256.0
    }
    "13B on one node of 8 A100" {
        model = model_place("13B"), nodes = 1.0, tp = 2.0, pp = 1.0, peak = 312.0, hbm = 2000.0,
        nvlink = 240.0
    }
    "70B on 64 B200" {
        model = model_place("70B"), tp = 8.0, pp = 1.0, peak = 2250.0, hbm = 8000.0, memory = 180.0,
        nvlink = 720.0, nic = 45.0
    }
}

/// The step simulator.
pub(super) const KIND: SimKind = SimKind {
    name: "step",
    title: "Step time and roofline",
    brief: "memory and time of a step",
    about: "A model on a cluster with a layout: what a GPU holds, where the time of a step goes, what \
     utilisation comes out, and what to change first.",
    parameters: PARAMETERS,
    presets: PRESETS,
    run,
};

/// A plan with what a step needs beside it.
#[derive(Debug, Clone)]
struct Step {
    plan: ParallelPlan,
    ledger: Ledger,
    traffic: Vec<Traffic>,
    peak: f64,
    hbm: f64,
}

impl Step {
    fn new(knobs: &Knobs, run: &mut Results) -> Step {
        let mut plan = setup::shared!(knobs).plan(run);
        plan.chunks = if plan.pp > 1 { knobs.chunks.count() } else { 1 };
        run.took(knob::chunks, knobs.chunks.count(), plan.chunks, "interleaving needs a pipeline");
        plan.recompute = knobs.recompute;
        plan.gradient_bytes = knobs.gradients.bytes();
        plan.attention = knobs.attention == Attention::Counted;
        plan.machines.memory = knobs.memory.base();
        plan.machines.reserve = knobs.reserve.base();
        let peak = knobs.peak.base();
        plan.machines.rate = peak * knobs.achieved.base();
        Step { ledger: plan.ledger(), traffic: plan.traffic(), peak, hbm: knobs.hbm.base(), plan }
    }

    fn times(&self) -> Times {
        let exposed = |axis: &str| self.traffic.iter().find(|t| t.axis == axis).map_or(0.0, |t| t.exposed);
        let (compute, bubble) = (self.plan.compute_seconds(), self.plan.bubble());
        Times {
            compute,
            bubble: compute * bubble / (1.0 - bubble).max(1e-9),
            tp: exposed("tp"),
            cp: exposed("cp"),
            pp: exposed("pp"),
            dp: exposed("dp"),
        }
    }

    fn tokens(&self) -> f64 {
        self.plan.global_batch as f64 * self.plan.sequence as f64
    }

    fn usable(&self) -> f64 {
        self.plan.machines.memory - self.plan.machines.reserve
    }
}

fn run(values: &[f64]) -> Results {
    let knobs = Knobs::read(values);
    let mut run = Results::default();
    let step = Step::new(&knobs, &mut run);
    let times = step.times();
    outputs(&mut run, &knobs, (&step, &times));
    questions(&mut run, (&step, &times));
    run.notes.extend(step.traffic.iter().filter_map(Traffic::note));
    if step.ledger.total > step.usable() {
        run.notes.push("it does not fit: the times are for a GPU with enough memory".into());
    }
    if step.plan.micro_batches() < step.plan.pp as f64 {
        run.notes.push("fewer micro-batches than stages".into());
    }
    run.views.push(memory_view(&step));
    run.views.push(time_view(&step, &times));
    run.views.push(roofline_view(&step));
    run.views.push(ledger_view(&step, &times));
    run
}

fn questions(run: &mut Results, (step, times): (&Step, &Times)) {
    run.ask(
        "How much memory does the fullest GPU need?",
        (step.ledger.total, GB),
        "Weights, gradients and optimizer state of its share, sharded as ZeRO says, and the activations of all micro-batches \
         alive on stage 0.",
    );
    run.ask(
        "What model FLOP utilisation comes out?",
        (run.value("mfu"), PERCENT),
        "Tokens a second times 6N over the peak of all GPUs: what matrix products reach, less bubble and exposed communication; \
         recomputed FLOP do not count.",
    );
    run.asks_for("mfu");
    let names = [
        "the pipeline bubble",
        "tensor parallel",
        "context parallel",
        "stage messages",
        "data parallel",
        "nothing",
    ];
    let losses = [times.bubble, times.tp, times.cp, times.pp, times.dp];
    let greatest = losses.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1)).map_or(5, |(i, _)| i);
    let right = if losses[greatest.min(4)] > 0.0 { greatest } else { 5 };
    run.choose(
        "Apart from compute, what takes most of the step?",
        (names.map(str::to_owned).to_vec(), right),
        "Compare exposed seconds, not bytes. TP sends the most, but on the fastest link; CP hides behind \
         attention, DP behind backward; the bubble costs (p-1)/(m+p-1).",
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::Sim;
    use crate::sim::formula::step as formula;

    fn preset(place: usize) -> Results {
        let mut sim = Sim::new(&KIND);
        sim.apply(&KIND.presets[place]);
        sim.run()
    }

    #[test]
    fn the_70b_plan_takes_its_time() {
        let run = preset(0);
        assert!((run.value("memory_used") / 1e9 - 33.0).abs() < 0.05);
        assert!((run.value("compute_time") - 27.4).abs() < 0.05);
        assert!((run.value("bubble") - 0.0116).abs() < 5e-5);
        // Forward waits for half of 6.5 s, backward for a quarter, and the sums behind QKV stick out a little.
        assert!(
            run.value("tp_time") > 0.75 * 6.5 && run.value("tp_time") < 0.85 * 6.5,
            "{}",
            run.value("tp_time")
        );
        let sum = ["compute_time", "bubble_time", "exposed"].iter().map(|n| run.value(n)).sum::<f64>();
        assert!((run.value("step_time") - sum).abs() < 1e-9);
        assert!(run.value("mfu") < 0.5 && run.value("mfu") > 0.4);
        assert!((run.value("ridge") - 295.0).abs() < 0.5);
    }

    #[test]
    fn the_step_is_the_formula() {
        for place in 0..KIND.presets.len() {
            let run = preset(place);
            let formula =
                formula::step_time(run.value("compute_time"), run.value("bubble"), run.value("exposed"), 0.0);
            assert!((run.value("step_time") / formula - 1.0).abs() < 1e-9, "{place}");
        }
    }

    #[test]
    fn pure_fsdp_hides_its_traffic_and_tp8_fsdp8_does_not() {
        let fsdp = preset(1);
        assert!((fsdp.value("memory_used") / 1e9 - 27.2).abs() < 0.05);
        assert_eq!(fsdp.value("dp_time"), 0.0);
        assert!((fsdp.value("hfu") / fsdp.value("mfu") - 4.0 / 3.0).abs() < 1e-9);
        let strided = preset(2);
        assert!(strided.value("dp_time") > strided.value("compute_time"), "one NIC a rank sets the pace");
    }

    #[test]
    fn utilisation_is_what_matrix_products_reach_less_the_losses() {
        let run = preset(3);
        let lost = run.value("compute_time") / run.value("step_time");
        assert!((run.value("mfu") - 0.5 * lost).abs() < 1e-9);
    }

    #[test]
    fn long_sequences_count_attention() {
        let mut sim = Sim::new(&KIND);
        sim.set("sequence", 131_072.0).expect("a knob");
        sim.set("global_batch", 16.0).expect("a knob");
        let left_out = sim.run().value("compute_time");
        sim.set("attention", Attention::Counted.place()).expect("a knob");
        let counted = sim.run();
        let share = formula::attention_share(69e9, 80.0, 8192.0, 131_072.0) / 2.0;
        assert!((counted.value("compute_time") / left_out - 1.0 - share).abs() < 1e-9);
        assert!(counted.value("mfu") <= 0.5);
    }

    fn at(set: &[(&str, f64)]) -> Results {
        crate::sim::at(&KIND, set).run()
    }

    #[test]
    fn keys_and_values_hide_behind_attention_alone() {
        let short = at(&[("tp", 8.0), ("cp", 8.0), ("pp", 1.0)]);
        assert!((short.value("cp_time") - 4.1).abs() < 0.05, "{}", short.value("cp_time"));
    }

    #[test]
    fn state_is_sharded_over_context_parallel_ranks_too() {
        let alone = at(&[("tp", 4.0), ("cp", 16.0), ("pp", 1.0), ("zero", 3.0)]);
        assert_eq!(alone.value("dp"), 1.0);
        assert!((alone.value("dp_time") - 525.0).abs() < 3.0, "{}", alone.value("dp_time"));
    }

    #[test]
    fn recomputing_layers_repeats_what_forward_waits_for() {
        let full = ("recompute", Recompute::Full.place());
        for set in [[("tp", 8.0), ("cp", 1.0), ("pp", 4.0)], [("tp", 1.0), ("cp", 64.0), ("pp", 1.0)]] {
            let (once, again) = (at(&set), at(&[&set[..], &[full]].concat()));
            assert!(again.value("tp_time") >= once.value("tp_time"));
            assert!(again.value("traffic") > 1.2 * once.value("traffic"), "{set:?}");
        }
    }

    #[test]
    fn a_layer_of_the_step_is_a_layer_of_the_simulator() {
        for (ranks, in_node) in [(2.0, 2.0), (8.0, 8.0), (16.0, 8.0)] {
            let step = at(&[("tp", ranks), ("pp", 4.0)]);
            let set = [
                ("ranks", ranks),
                ("in_node", in_node),
                ("form", 1.0),
                ("alpha_in", 0.0),
                ("alpha_out", 0.0),
            ];
            let mut layer = Sim::new(crate::sim::kind("tp").expect("a kind"));
            for (name, value) in set.into_iter().chain([("rate", 494.5)]) {
                layer.set(name, value).expect("a knob");
            }
            let layer = layer.run();
            let one = layer.value("exposed_forward") + layer.value("exposed_backward");
            let passes = 80.0 / 4.0 * step.value("micro_batches");
            assert!((step.value("tp_time") / (one * passes) - 1.0).abs() < 1e-9, "tp {ranks}");
        }
    }
}
