//! Step time and roofline: memory, compute, exposed communication, bubble, MFU, and what limits.

use crate::sim::Kind;
use crate::sim::formula::{data, step as formula};
use crate::sim::layout::Axis as MeshAxis;
use crate::sim::output::Run;
use crate::sim::parameter::{Parameter, Preset, Settings, plain, rate_term};
use crate::sim::picture::{Axis, Bar, Bars, Line, Picture, Series, Table, Tone, View};
use crate::sim::plan::{Ledger, Plan, Recompute, Traffic};
use crate::sim::quantity::{self, GB, PERCENT, PLAIN, SECONDS, TFLOP_PER_S, Unit};
use crate::sim::setup;

const TOKENS: Unit = Unit::count("tokens");
const TOKENS_PER_S: Unit = Unit::count("tokens/s");

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
            set: &[
                ("model", 2.0),
                ("tp", 1.0),
                ("pp", 1.0),
                ("zero", 3.0),
                ("recompute", 2.0),
            ],
        },
        Preset {
            name: "70B, TP8 x FSDP8",
            set: &[("model", 2.0), ("tp", 8.0), ("pp", 1.0), ("zero", 3.0)],
        },
        Preset {
            name: "7B, data parallel",
            set: &[("model", 0.0), ("tp", 1.0), ("pp", 1.0), ("zero", 1.0)],
        },
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

/// Where the seconds of a step go.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Times {
    compute: f64,
    bubble: f64,
    tp: f64,
    cp: f64,
    pp: f64,
    dp: f64,
}

impl Times {
    fn exposed(&self) -> f64 {
        self.tp + self.cp + self.pp + self.dp
    }

    fn step(&self) -> f64 {
        self.compute + self.bubble + self.exposed()
    }

    /// What costs most beside useful compute, with its name.
    fn greatest_loss(&self) -> (&'static str, f64) {
        let losses = [
            ("the pipeline bubble", self.bubble),
            ("tensor-parallel communication", self.tp),
            ("context-parallel communication", self.cp),
            ("messages between stages", self.pp),
            ("data-parallel communication", self.dp),
        ];
        losses
            .into_iter()
            .max_by(|a, b| a.1.total_cmp(&b.1))
            .unwrap_or(losses[0])
    }
}

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
            run.notes
                .push("interleaving needs a pipeline: one chunk is taken".into());
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
        self.traffic
            .iter()
            .find(|t| t.axis == axis.name())
            .map_or(0.0, |t| t.seconds)
    }

    /// Seconds of useful matrix products; recomputation is compute too.
    fn compute(&self) -> f64 {
        let share = if self.attention {
            self.attention_share()
        } else {
            0.0
        };
        self.plan.compute_seconds() * (1.0 + share)
    }

    /// Causal attention FLOP over the rest.
    fn attention_share(&self) -> f64 {
        let model = self.plan.model;
        let (layers, h, s) = (
            f64::from(model.layers),
            f64::from(model.hidden),
            self.plan.sequence as f64,
        );
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
        run.notes
            .push("it does not fit: the times are those of a GPU with enough memory".into());
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

fn outputs(run: &mut Run, settings: &Settings, (step, times): (&Step, &Times)) {
    memory_outputs(run, step);
    let plan = &step.plan;
    let [p, v] = [plan.pp, plan.chunks].map(|n| plain(n as f64));
    let m = setup::micro_batches(plan);
    run.worked(
        "micro_batches",
        "micro-batches",
        Unit::count("micro-batches"),
        m.clone(),
    );
    run.worked(
        "bubble",
        "idle share of the pipeline",
        PERCENT,
        format!("bubble_fraction_interleaved({p}, {m}, {v})"),
    );
    let gpus = plain(plan.layout().ranks() as f64);
    let (n, h, layers) = (plain(plan.model.parameters), plan.model.hidden, plan.model.layers);
    let again = if plan.recompute == Recompute::Full {
        " * 4/3"
    } else {
        ""
    };
    let attention = if step.attention {
        format!(
            " * (1 + attention_share({n}, {layers}, {h}, {}) / 2)",
            plan.sequence
        )
    } else {
        String::new()
    };
    let rate = format!(
        "({} * {} percent)",
        settings.term("peak"),
        plain(settings.number("achieved"))
    );
    let tokens = plain(step.tokens());
    let compute = format!("compute_time(step_flop({n}, {tokens}){again}{attention}, {gpus}, {rate})");
    run.worked("compute_time", "compute", SECONDS, compute);
    run.counted(
        ("bubble_time", "bubble"),
        times.bubble,
        SECONDS,
        "compute x idle share / (1 - idle share)",
    );
    run.counted(
        ("tp_time", "TP, exposed forward half"),
        times.tp,
        SECONDS,
        "half of TP's seconds: forward waits for every sum, backward hides its sums behind weight gradients",
    );
    run.counted(
        ("cp_time", "CP, exposed"),
        times.cp,
        SECONDS,
        "what the ring takes beyond compute",
    );
    run.counted(
        ("pp_time", "stage messages"),
        times.pp,
        SECONDS,
        "activations and gradients over the stage boundaries",
    );
    run.counted(
        ("dp_time", "DP, exposed"),
        times.dp,
        SECONDS,
        "what the gradients and gathers take beyond the compute that runs beside them",
    );
    run.counted(
        ("exposed", "exposed communication"),
        times.exposed(),
        SECONDS,
        "TP, CP and DP exposed, and the stage messages",
    );
    run.counted(
        ("step_time", "step"),
        times.step(),
        SECONDS,
        "compute + bubble + exposed communication",
    );
    let traffic: f64 = step.traffic.iter().map(|t| t.bytes).sum();
    run.counted(
        ("traffic", "sent by a GPU, all axes"),
        traffic,
        GB,
        "the bytes of every axis, summed",
    );
    let crossing: f64 = step.traffic.iter().filter(|t| t.nodes > 1).map(|t| t.bytes).sum();
    run.counted(
        ("crossing", "of it by groups over nodes"),
        crossing,
        GB,
        "the bytes of the axes whose groups leave a node",
    );
    let per_second = step.tokens() / times.step();
    run.counted(
        ("rate", "tokens a second"),
        per_second,
        TOKENS_PER_S,
        "tokens of the global batch over the step",
    );
    run.counted(
        ("rate_gpu", "tokens a second and GPU"),
        per_second / plan.layout().ranks() as f64,
        TOKENS_PER_S,
        "tokens a second over the GPUs",
    );
    let flop = if step.attention {
        format!(
            "6 * {n} * (1 + attention_share({n}, {layers}, {h}, {}) / 2)",
            plan.sequence
        )
    } else {
        format!("6 * {n}")
    };
    let mfu = format!(
        "mfu({}, {flop}, {gpus}, {})",
        plain(per_second),
        settings.term("peak")
    );
    run.worked("mfu", "model FLOP utilisation", PERCENT, mfu.clone());
    let hfu = if again.is_empty() {
        mfu
    } else {
        format!("hfu_full_recompute({mfu})")
    };
    run.worked("hfu", "hardware FLOP utilisation", PERCENT, hfu);
    run.worked(
        "ridge",
        "ridge of the roofline",
        Unit::count("FLOP/B"),
        format!("ridge_point({}, {})", settings.term("peak"), settings.term("hbm")),
    );
    let bandwidth = rate_term(plan.data_bandwidth());
    run.worked(
        "tokens_needed",
        "tokens that hide a gather",
        TOKENS,
        format!("tokens_to_hide({rate}, {bandwidth})"),
    );
}

fn memory_outputs(run: &mut Run, step: &Step) {
    let Ledger {
        weights,
        gradients,
        optimizer,
        activations,
        total,
        ..
    } = step.ledger;
    run.found(
        "dp",
        "DP, what is left",
        step.plan.dp as f64,
        Unit::count("ranks"),
    );
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

fn memory_view(step: &Step) -> View {
    let Ledger {
        weights,
        gradients,
        optimizer,
        activations,
        total,
        ..
    } = step.ledger;
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
    let fits = if total <= step.usable() {
        "fits"
    } else {
        "does not fit"
    };
    let caption = format!(
        "{} of {}: it {fits}",
        quantity::show(total, GB),
        quantity::show(step.usable(), GB)
    );
    View::still("memory", caption, Picture::Bars(bars))
}

fn time_view(step: &Step, times: &Times) -> View {
    let piece = |tone, seconds: f64| (tone, seconds.max(0.0));
    let pieces = vec![
        piece(Tone::Forward, times.compute),
        piece(Tone::Idle, times.bubble),
        piece(Tone::Exposed, times.exposed()),
    ];
    let exposed = |t: &Traffic| match t.axis {
        "tp" => times.tp,
        "cp" => times.cp,
        "dp" => times.dp,
        _ => times.pp,
    };
    let all = |t: &Traffic| Bar {
        label: format!("{} sent", t.axis.to_uppercase()),
        pieces: vec![
            piece(Tone::Exposed, exposed(t)),
            piece(Tone::Hidden, t.seconds - exposed(t)),
        ],
        chosen: false,
        said: None,
    };
    let mut bars = vec![Bar {
        label: "step".into(),
        pieces,
        chosen: true,
        said: None,
    }];
    bars.extend(step.traffic.iter().map(all));
    let legend = vec![
        (Tone::Forward, "compute"),
        (Tone::Idle, "bubble"),
        (Tone::Exposed, "exposed: part of the step"),
        (Tone::Hidden, "hidden behind compute"),
    ];
    let (name, seconds) = times.greatest_loss();
    let share = quantity::show(seconds / times.step(), PERCENT);
    let caption = if seconds > 0.0 {
        format!(
            "{}, of which {share} is {name}",
            quantity::show(times.step(), SECONDS)
        )
    } else {
        format!("{}, all of it compute", quantity::show(times.step(), SECONDS))
    };
    View::still(
        "time of a step",
        caption,
        Picture::Bars(Bars {
            unit: "s",
            bars,
            limit: None,
            reach: 0.0,
            legend,
        }),
    )
}

fn roofline_view(step: &Step) -> View {
    let (peak, hbm) = (step.peak, step.hbm);
    let ridge = formula::ridge_point(peak, hbm);
    let points = (0..=40)
        .map(|i| 2f64.powf(-2.0 + f64::from(i) * 0.4))
        .map(|x| (x, formula::roofline(x, peak, hbm)));
    let plan = &step.plan;
    let reached = plan.machines.rate;
    let (h, t) = (f64::from(plan.model.hidden), plan.tp as f64);
    let rows = plan.micro_batch as f64 * plan.sequence as f64 / plan.cp as f64;
    let mark = |name: &str, rows: f64, columns: f64, inner: f64| {
        let x = formula::matmul_intensity(rows, columns, inner);
        (x, formula::roofline(x, peak, hbm), name.to_owned())
    };
    let mut marks = vec![
        (ridge, peak, "ridge".to_owned()),
        mark("MLP up product, all rows", rows, 4.0 * h / t, h),
        mark("the same with 16 rows, as in decoding", 16.0, 4.0 * h / t, h),
    ];
    marks.retain(|(x, y, _)| x.is_finite() && y.is_finite());
    let series = Series {
        x: Axis {
            label: "FLOP per byte",
            unit: "",
            log: true,
        },
        y: Axis {
            label: "FLOP per second",
            unit: "FLOP/s",
            log: true,
        },
        lines: vec![
            Line {
                label: "roof of the data sheet".into(),
                tone: Tone::Nth(0),
                points: points.clone().collect(),
            },
            Line {
                label: "what products reach".into(),
                tone: Tone::Nth(1),
                points: points.map(|(x, y)| (x, y.min(reached))).collect(),
            },
        ],
        marks,
    };
    let here = formula::matmul_intensity(rows, 4.0 * h / t, h);
    let bound = if here < ridge { "memory" } else { "compute" };
    let caption = format!(
        "ridge at {} FLOP/B; the MLP up product of a rank has {}: {bound} bound",
        quantity::digits(ridge),
        quantity::digits(here)
    );
    View::still("roofline", caption, Picture::Series(series))
}

fn ledger_view(step: &Step, times: &Times) -> View {
    let share = |seconds: f64| quantity::show(seconds / times.step(), PERCENT);
    let row = |tone, name: &str, seconds: f64, cure: &str| {
        let cells = vec![
            name.to_owned(),
            quantity::show(seconds, SECONDS),
            share(seconds),
            cure.to_owned(),
        ];
        (seconds, (tone, cells))
    };
    let hint = |seconds: f64, cure: &'static str| if seconds > 0.0 { cure } else { "" };
    let full = step.plan.recompute == Recompute::Full;
    let compute_hint = if full {
        "recompute less: a quarter of it is done twice"
    } else {
        "better kernels, fp8"
    };
    let mut rows = vec![
        row(Tone::Forward, "compute", times.compute, compute_hint),
        row(
            Tone::Idle,
            "bubble",
            times.bubble,
            hint(times.bubble, "more micro-batches, chunks, fewer stages"),
        ),
        row(
            Tone::Nth(0),
            "TP exposed",
            times.tp,
            hint(times.tp, "smaller TP, chunked overlap"),
        ),
        row(
            Tone::Nth(1),
            "CP exposed",
            times.cp,
            hint(times.cp, "fewer ranks, longer pieces"),
        ),
        row(
            Tone::Nth(2),
            "DP exposed",
            times.dp,
            hint(times.dp, "more tokens a micro-batch, a lower stage"),
        ),
        row(
            Tone::Nth(3),
            "stage messages",
            times.pp,
            hint(times.pp, "fewer chunks, overlapped sends"),
        ),
    ];
    rows.retain(|(seconds, _)| *seconds > 0.0);
    rows.sort_by(|a, b| b.0.total_cmp(&a.0));
    let table = Table {
        columns: ["part", "seconds", "share", "what would cut it"]
            .map(str::to_owned)
            .to_vec(),
        rows: rows.into_iter().map(|(_, row)| row).collect(),
    };
    let caption = format!(
        "a step of {} tokens, the largest part first; beside compute, the next one is what a layout can change",
        quantity::digits(step.tokens())
    );
    View::still("what to change first", caption, Picture::Table(table))
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
    let greatest = losses
        .iter()
        .enumerate()
        .max_by(|a, b| a.1.total_cmp(b.1))
        .map_or(5, |(i, _)| i);
    let right = if losses[greatest.min(4)] > 0.0 {
        greatest
    } else {
        5
    };
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
        let sum = ["compute_time", "bubble_time", "exposed"]
            .iter()
            .map(|n| run.value(n))
            .sum::<f64>();
        assert!((run.value("step_time") - sum).abs() < 1e-9);
        assert!(run.value("mfu") < 0.5 && run.value("mfu") > 0.4);
        assert!((run.value("ridge") - 295.0).abs() < 0.5);
    }

    #[test]
    fn the_step_is_the_formula() {
        for place in 0..KIND.presets.len() {
            let run = preset(place);
            let formula = formula::step_time(
                run.value("compute_time"),
                run.value("bubble"),
                run.value("exposed"),
                0.0,
            );
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
        assert!(
            strided.value("dp_time") > strided.value("compute_time"),
            "one NIC a rank sets the pace"
        );
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
