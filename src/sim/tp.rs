//! A tensor-parallel layer: shapes and shards, where each collective falls, bytes and share of time.

use crate::sim::Kind;
use crate::sim::formula::tensor;
use crate::sim::output::Run;
use crate::sim::parameter::{Parameter, Preset, Settings, plain, rate_term};
use crate::sim::picture::{Axis, Cell, Frame, Grid, Lane, Lanes, Line, Picture, Series, Table, Tone, View};
use crate::sim::quantity::{self, GB, GB_PER_S, PERCENT, PLAIN, SECONDS, TFLOP_PER_S, US, Unit};

mod layer;

use layer::{Form, Layer, Timeline};

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
        Parameter::doubling(
            ("heads", "heads"),
            Unit::count("heads"),
            (1.0, 64.0, 1024.0),
            "attention heads",
        ),
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
            set: &[
                ("hidden", 8192.0),
                ("heads", 64.0),
                ("kv_heads", 8.0),
                ("ranks", 16.0),
                ("in_node", 8.0),
            ],
        },
        Preset {
            name: "70B, TP8 strided over nodes",
            set: &[
                ("hidden", 8192.0),
                ("heads", 64.0),
                ("ranks", 8.0),
                ("in_node", 1.0),
            ],
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

/// The most ranks whose shards are drawn.
const SHOWN: usize = 8;

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
    let (t, heads, kv) = (
        settings.count("ranks"),
        settings.count("heads"),
        settings.count("kv_heads"),
    );
    if !heads.is_multiple_of(t) {
        run.notes
            .push(format!("{heads} heads do not divide over {t} ranks"));
    }
    if !kv.is_multiple_of(t) && t.is_multiple_of(kv) {
        run.notes
            .push(format!("each of {kv} kv heads is kept on {} ranks", t / kv));
    } else if !kv.is_multiple_of(t) {
        run.notes
            .push(format!("{kv} kv heads do not divide over {t} ranks"));
    }
}

fn outputs(run: &mut Run, settings: &Settings, (layer, timeline): (&Layer, &Timeline)) {
    let [b, s, h, a] = ["micro_batch", "sequence", "hidden", "heads"].map(|name| settings.term(name));
    let t = plain(layer.ranks);
    let message = format!("activation_message_bytes({b}, {s}, {h})");
    run.worked(
        "message",
        "a message: all tokens, full width",
        GB,
        message.clone(),
    );
    run.worked(
        "sent",
        "sent by a rank, a layer",
        GB,
        format!("tp_bytes_per_layer({t}, {b}, {s}, {h})"),
    );
    run.worked(
        "sent_model",
        "sent by a rank, all layers",
        GB,
        format!(
            "{} * tp_bytes_per_layer({t}, {b}, {s}, {h})",
            settings.term("layers")
        ),
    );
    run.worked(
        "all_reduce_time",
        "one all-reduce",
        SECONDS,
        layer.all_reduce_expression(&message),
    );
    let compute = format!("72 * {h} ^ 2 * {b} * {s} / ({t} * {})", settings.term("rate"));
    run.worked(
        "compute_time",
        "matrix products of a layer",
        SECONDS,
        compute.clone(),
    );
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
    run.worked(
        "ratio",
        "all-reduces over compute",
        PERCENT,
        format!("4 * ({reduces}) / ({compute})"),
    );
    let inside = rate_term(if layer.in_node < layer.ranks {
        layer.nic
    } else {
        layer.nvlink
    });
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

fn lanes_view(layer: &Layer, timeline: &Timeline) -> View {
    let lanes = Lanes {
        unit: "s",
        end: timeline.end,
        lanes: vec![
            Lane {
                label: "compute".into(),
                spans: timeline.compute.clone(),
            },
            Lane {
                label: "network".into(),
                spans: timeline.network.clone(),
            },
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
        let name = |lane| {
            lanes
                .span_at(lane, now)
                .and_then(|s| names.get(s.number as usize))
                .copied()
        };
        if now >= end {
            let shown = quantity::show(exposed, SECONDS);
            return format!(
                "{ranks}: {shown} of {} are exposed{gain}",
                quantity::show(end, SECONDS)
            );
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

/// What is split how, step by step through an MLP of a few ranks.
fn shards_view(layer: &Layer) -> View {
    let ranks = (layer.ranks as usize).min(SHOWN);
    let form = layer.form;
    let steps: &'static [(Split, &'static str)] = match form {
        Form::AllReduce => &[
            (
                Split::Whole,
                "Z = GeLU(X A) B. X: every rank has all tokens at full width",
            ),
            (
                Split::Columns,
                "A split by columns: a rank computes whole sums for its columns, no communication",
            ),
            (
                Split::Columns,
                "GeLU(X A): each rank applies it to its own columns",
            ),
            (
                Split::Rows,
                "B split by rows: rank i multiplies its columns of the input by its rows of B",
            ),
            (Split::Partial, "Z: each rank holds a partial sum of everything"),
            (Split::Whole, "after the all-reduce every rank has the sum"),
        ],
        Form::SequenceParallel => &[
            (
                Split::Rows,
                "Z = GeLU(X A) B. X: norm and dropout work on a slice of the tokens",
            ),
            (Split::Whole, "all-gather: every rank has all tokens"),
            (Split::Columns, "A split by columns; GeLU on one's own columns"),
            (Split::Rows, "B split by rows"),
            (Split::Partial, "Z: each rank holds a partial sum of everything"),
            (
                Split::Rows,
                "after the reduce-scatter each rank has the sum for its tokens",
            ),
        ],
        Form::RowFirst => &[
            (
                Split::Columns,
                "Z = GeLU(X A) B. X: a rank reads its columns of the input",
            ),
            (Split::Rows, "A split by rows"),
            (
                Split::Partial,
                "X A: partial sums, and GeLU of a partial sum is wrong",
            ),
            (
                Split::Whole,
                "an all-reduce four times as wide must come before GeLU",
            ),
            (Split::Columns, "B split by columns"),
            (Split::Whole, "Z: an all-gather puts the columns together"),
        ],
    };
    View::stepped("shards", steps.len(), move |step| {
        let (split, caption) = steps[step];
        let cell = |row: usize, column: usize| match split {
            Split::Whole => Cell {
                text: "all".into(),
                tone: Tone::Done,
            },
            Split::Partial => Cell {
                text: "part".into(),
                tone: Tone::Moving,
            },
            Split::Columns => Cell {
                text: column.to_string(),
                tone: Tone::Nth(column as u8),
            },
            Split::Rows => Cell {
                text: row.to_string(),
                tone: Tone::Nth(row as u8),
            },
        };
        let row = |row: usize| {
            (
                String::new(),
                (0..ranks).map(|column| cell(row, column)).collect(),
            )
        };
        let grid = Grid {
            corner: "shared out over ranks".into(),
            columns: vec![String::new(); ranks],
            rows: (0..ranks).map(row).collect(),
            legend: vec![
                (Tone::Done, "on every rank"),
                (Tone::Moving, "a partial sum on every rank"),
                (Tone::Nth(0), "the rank that holds this part of the matrix"),
            ],
        };
        Frame {
            caption: caption.into(),
            picture: Picture::Grid(grid),
            now: None,
        }
    })
}

/// How a matrix lies on the ranks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Split {
    Whole,
    Partial,
    Columns,
    Rows,
}

fn shapes_view(settings: &Settings, layer: &Layer) -> View {
    let t = layer.ranks;
    let n = |value: f64| quantity::digits(value);
    let (rows, h) = (layer.tokens, layer.hidden);
    let kv = settings.number("kv_heads") / settings.number("heads") * h;
    let (before, after) = match layer.form {
        Form::AllReduce => ("none", "all-reduce"),
        Form::SequenceParallel => ("all-gather", "reduce-scatter"),
        Form::RowFirst => ("none", "all-gather"),
    };
    let wide = if layer.form == Form::RowFirst {
        "all-reduce"
    } else {
        "none"
    };
    let split = |name: &str, (inner, outer): (f64, f64), by: &str, collective: &str| {
        let (inner, outer) = if by == "columns" {
            (inner, outer / t)
        } else {
            (inner / t, outer)
        };
        let cells = vec![
            name.to_owned(),
            by.to_owned(),
            format!("{} x {}", n(inner), n(outer)),
            collective.to_owned(),
        ];
        (
            if collective == "none" {
                Tone::Empty
            } else {
                Tone::Moving
            },
            cells,
        )
    };
    let (first, second) = if layer.form == Form::RowFirst {
        ("rows", "columns")
    } else {
        ("columns", "rows")
    };
    let table = Table {
        columns: ["matrix", "split by", "on a rank", "after it"]
            .map(str::to_owned)
            .to_vec(),
        rows: vec![
            split("QKV", (h, h + 2.0 * kv), first, wide),
            split("attention output", (h, h), second, after),
            split("MLP up", (h, 4.0 * h), first, wide),
            split("MLP down", (4.0 * h, h), second, after),
        ],
    };
    let caption = match layer.form {
        Form::AllReduce => format!(
            "every rank multiplies all {} tokens with its slice; one {after} after each pair",
            n(rows)
        ),
        Form::SequenceParallel => {
            format!("{before} of the tokens before each pair, {after} of the sums after it")
        }
        Form::RowFirst => {
            format!("rows first: {wide} after the first matrix of a pair, {after} after the second")
        }
    };
    View::still("shapes on a rank", caption, Picture::Table(table))
}

fn share_view(layer: &Layer) -> View {
    let line = |label: &str, tone: u8, in_node: fn(f64) -> f64| Line {
        label: label.to_owned(),
        tone: Tone::Nth(tone),
        points: (1..=6)
            .map(|e| f64::from(1 << e))
            .map(|ranks| {
                let layer = Layer {
                    ranks,
                    in_node: in_node(ranks),
                    ..*layer
                };
                let compute = layer.gemm(36.0);
                (ranks, 4.0 * layer.all_reduce(layer.message()) / compute)
            })
            .collect(),
    };
    let here = 4.0 * layer.all_reduce(layer.message()) / layer.gemm(36.0);
    let series = Series {
        x: Axis {
            label: "ranks",
            unit: "",
            log: true,
        },
        y: Axis {
            label: "communication over compute",
            unit: "%",
            log: true,
        },
        lines: vec![
            line("one NVLink domain", 0, |ranks| ranks),
            line("nodes of 8", 1, |ranks| ranks.min(8.0)),
            line("one rank a node", 2, |_| 1.0),
            Line {
                label: "as long as compute".into(),
                tone: Tone::Lost,
                points: vec![(2.0, 1.0), (64.0, 1.0)],
            },
        ],
        marks: if layer.ranks > 1.0 {
            vec![(layer.ranks, here, "here".into())]
        } else {
            Vec::new()
        },
    };
    let caption = "the share does not depend on the batch: both sides grow with the tokens";
    View::still("share over ranks", caption, Picture::Series(series)).comparing(&["ranks"])
}

fn questions(run: &mut Run, (layer, timeline): (&Layer, &Timeline)) {
    let (t, tokens, h) = (
        plain(layer.ranks),
        quantity::digits(layer.tokens),
        plain(layer.hidden),
    );
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
    let doubled = Layer {
        tokens: 2.0 * layer.tokens,
        ..*layer
    }
    .run();
    let share = |t: &Timeline| (t.exposed_forward + t.exposed_backward) / t.end;
    let change = share(&doubled) - share(timeline);
    let right = if change.abs() < 0.01 {
        1
    } else {
        usize::from(change > 0.0) * 2
    };
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
        for (name, gb) in [
            ("activations", 0.579),
            ("activations_sp", 0.359),
            ("activations_selective", 0.107),
        ] {
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
        assert!(
            at(&[("in_node", 1.0)]).value("exposed_backward") > 0.0,
            "not over one NIC"
        );
    }
}
