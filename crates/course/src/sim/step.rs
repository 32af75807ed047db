//! Step time and roofline: memory, compute, exposed communication, bubble, MFU, and what limits.

use crate::sim::formula::{data, step as formula};
use crate::sim::layout::Axis as MeshAxis;
use crate::sim::output::Run;
use crate::sim::parameter::{Parameter, Preset, Settings};
use crate::sim::plan::{Ledger, Plan, Traffic};
use crate::sim::quantity::{self, GB, PERCENT, TFLOP_PER_S, Unit};
use crate::sim::{Kind, setup};

mod memory;
mod numbers;
mod roofline;
mod times;

use memory::memory_view;
use numbers::outputs;
use roofline::roofline_view;
use times::{Times, ledger_view, time_view};

/// The step simulator.
pub(super) const KIND: Kind = Kind {
    name: "step",
    title: "Step time and roofline",
    about: "A model on a cluster with a layout: what a GPU holds, where the time of a step goes, which utilisation comes out, \
            and what to change first.",
    parameters: &[
        setup::MODEL,
        setup::NODES,
        setup::PER_NODE,
        setup::TP,
        setup::CP,
        setup::PP,
        Parameter::counting(
            ("chunks", "chunks v"),
            Unit::count("chunks"),
            (1.0, 1.0, 8.0),
            "chunks on a stage: the interleaved schedule",
        ),
        setup::ZERO,
        setup::RECOMPUTE,
        Parameter::choice(
            ("gradients", "gradients"),
            &[("bf16", "2 bytes"), ("fp32", "4 bytes")],
            "bytes of a gradient",
        ),
        setup::MICRO_BATCH,
        setup::SEQUENCE,
        setup::GLOBAL_BATCH,
        Parameter::choice(
            ("attention", "attention FLOP"),
            &[("left-out", "left out, 6N"), ("counted", "counted, causal")],
            "whether compute counts the scores: half of 12*L*h*s a token",
        ),
        Parameter::sliding(
            ("peak", "peak"),
            TFLOP_PER_S,
            (1.0, 989.0, 20_000.0, 50.0),
            "dense bf16 rate of the data sheet",
        ),
        Parameter::sliding(
            ("achieved", "achieved of peak"),
            PERCENT,
            (1.0, 50.0, 100.0, 5.0),
            "what matrix products reach",
        ),
        Parameter::sliding(
            ("hbm", "memory rate"),
            quantity::GB_PER_S,
            (10.0, 3350.0, 20_000.0, 50.0),
            "bytes per second of the GPU's memory",
        ),
        setup::MEMORY,
        setup::RESERVE,
        setup::NVLINK,
        setup::NIC,
    ],
    presets: &[
        Preset {
            name: "70B, TP8 PP4 DP2, 64 H100",
            set: &[("model", 2.0), ("tp", 8.0), ("pp", 4.0), ("zero", 1.0)],
        },
        Preset {
            name: "70B, pure FSDP, full recompute",
            set: &[("model", 2.0), ("tp", 1.0), ("pp", 1.0), ("zero", 3.0), ("recompute", 2.0)],
        },
        Preset { name: "70B, TP8 x FSDP8", set: &[("model", 2.0), ("tp", 8.0), ("pp", 1.0), ("zero", 3.0)] },
        Preset { name: "7B, data parallel", set: &[("model", 0.0), ("tp", 1.0), ("pp", 1.0), ("zero", 1.0)] },
        Preset {
            name: "175B, TP8 PP8, 2 chunks",
            set: &[
                ("model", 3.0),
                ("tp", 8.0),
                ("pp", 8.0),
                ("chunks", 2.0),
                ("sequence", 2048.0),
                ("global_batch", 256.0),
            ],
        },
        Preset {
            name: "13B on one node of 8 A100",
            set: &[
                ("model", 1.0),
                ("nodes", 1.0),
                ("tp", 2.0),
                ("pp", 1.0),
                ("peak", 312.0),
                ("hbm", 2000.0),
                ("nvlink", 240.0),
            ],
        },
        Preset {
            name: "70B on 64 B200",
            set: &[
                ("model", 2.0),
                ("tp", 8.0),
                ("pp", 1.0),
                ("peak", 2250.0),
                ("hbm", 8000.0),
                ("memory", 180.0),
                ("nvlink", 720.0),
                ("nic", 45.0),
            ],
        },
    ],
    run,
};

/// A plan with what a step needs beside it.
#[derive(Debug, Clone)]
struct Step {
    plan: Plan,
    ledger: Ledger,
    traffic: Vec<Traffic>,
    peak: f64,
    hbm: f64,
    attention: bool,
}

impl Step {
    fn new(settings: &Settings, run: &mut Run) -> Step {
        let mut plan = setup::plan(settings, run);
        plan.chunks = settings.count("chunks");
        if plan.chunks > 1 && plan.pp == 1 {
            plan.chunks = 1;
            run.notes.push("interleaving needs a pipeline: one chunk is taken".into());
        }
        plan.recompute = setup::recompute(settings.count("recompute"));
        plan.gradient_bytes = [2.0, 4.0][settings.count("gradients")];
        plan.machines.memory = settings.base("memory");
        plan.machines.reserve = settings.base("reserve");
        let peak = settings.base("peak");
        plan.machines.rate = peak * settings.base("achieved");
        Step {
            ledger: plan.ledger(),
            traffic: plan.traffic(),
            peak,
            hbm: settings.base("hbm"),
            attention: settings.count("attention") == 1,
            plan,
        }
    }

    fn seconds(&self, axis: MeshAxis) -> f64 {
        self.traffic.iter().find(|t| t.axis == axis.name()).map_or(0.0, |t| t.seconds)
    }

    /// Seconds of useful matrix products; recomputation is compute too.
    fn compute(&self) -> f64 {
        let share = if self.attention { self.attention_share() } else { 0.0 };
        self.plan.compute_seconds() * (1.0 + share)
    }

    /// Causal attention FLOP over the rest.
    fn attention_share(&self) -> f64 {
        let model = self.plan.model;
        let (layers, h, s) = (f64::from(model.layers), f64::from(model.hidden), self.plan.sequence as f64);
        formula::attention_share(model.parameters, layers, h, s) / 2.0
    }

    fn times(&self) -> Times {
        let compute = self.compute();
        let bubble = self.plan.bubble();
        let backward = compute * 2.0 / 3.0;
        let m = self.plan.micro_batches().max(1.0);
        // What may hide data-parallel traffic: the backward of the last micro-batch, of all, or all compute.
        let cover = match self.plan.zero {
            0 | 1 => backward / m,
            2 => backward,
            _ => compute,
        };
        Times {
            compute,
            bubble: compute * bubble / (1.0 - bubble).max(1e-9),
            tp: self.seconds(MeshAxis::Tp) / 2.0,
            cp: (self.seconds(MeshAxis::Cp) - compute).max(0.0),
            pp: self.seconds(MeshAxis::Pp),
            dp: data::exposed_time(self.seconds(MeshAxis::Dp), cover),
        }
    }

    fn tokens(&self) -> f64 {
        self.plan.global_batch as f64 * self.plan.sequence as f64
    }

    fn usable(&self) -> f64 {
        self.plan.machines.memory - self.plan.machines.reserve
    }
}

fn run(settings: &Settings) -> Run {
    let mut run = Run::default();
    let step = Step::new(settings, &mut run);
    let times = step.times();
    outputs(&mut run, settings, (&step, &times));
    questions(&mut run, (&step, &times));
    if step.ledger.total > step.usable() {
        run.notes.push("it does not fit: the times are those of a GPU with enough memory".into());
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

fn questions(run: &mut Run, (step, times): (&Step, &Times)) {
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
        "Beside compute, what takes most of the step?",
        (names.map(str::to_owned).to_vec(), right),
        "Compare exposed seconds, not bytes: TP sends most but on the fastest link, DP hides behind backward, the bubble costs \
         (p-1)/(m+p-1).",
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::Sim;

    fn preset(place: usize) -> Run {
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
        assert!((run.value("tp_time") - 3.25).abs() < 0.02, "half of 6.5 s");
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
        sim.set("attention", 1.0).expect("a knob");
        let counted = sim.run();
        let share = formula::attention_share(69e9, 80.0, 8192.0, 131_072.0) / 2.0;
        assert!((counted.value("compute_time") / left_out - 1.0 - share).abs() < 1e-9);
        assert!(counted.value("mfu") <= 0.5);
    }
}
