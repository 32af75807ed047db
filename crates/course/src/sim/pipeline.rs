//! Pipeline schedules: who does what when, the bubble by both conventions, activations alive.

use crate::sim::Kind;
use crate::sim::formula::pipeline as formula;
use crate::sim::output::Run;
use crate::sim::parameter::{Parameter, Preset, Settings, plain};
use crate::sim::picture::{Axis, Bar, Bars, Frame, Lane, Lanes, Line, Picture, Series, Table, Tone, View};
use crate::sim::quantity::{self, GB, PERCENT, PLAIN, Unit};

mod clock;

use clock::{Outcome, Pipeline, SCHEDULES, Schedule};

/// Time in forward passes of a whole stage.
const FORWARDS: Unit = Unit::count("tF");
const MICRO_BATCHES: Unit = Unit::count("micro-batches");

/// The pipeline simulator.
pub(super) const KIND: Kind = Kind {
    name: "pipeline",
    title: "Pipeline schedules",
    about: "Micro-batches run through stages. See the bubble open at both ends, count the activations alive, and compare \
            GPipe, 1F1B, interleaving and zero-bubble.",
    parameters: &[
        Parameter::choice(
            ("schedule", "schedule"),
            &[
                ("gpipe", "GPipe"),
                ("1f1b", "1F1B"),
                ("interleaved", "interleaved 1F1B"),
                ("zb-h1", "zero-bubble ZB-H1"),
            ],
            "the order of forwards and backwards",
        )
        .from(1.0),
        Parameter::doubling(("stages", "stages p"), Unit::count("stages"), (1.0, 4.0, 64.0), "GPUs in a row"),
        Parameter::doubling(
            ("micro_batches", "micro-batches m"),
            MICRO_BATCHES,
            (1.0, 8.0, 512.0),
            "pieces of the batch",
        ),
        Parameter::counting(
            ("chunks", "chunks v"),
            Unit::count("chunks"),
            (1.0, 2.0, 4.0),
            "chunks of layers on each stage; without effect unless the schedule is interleaved",
        ),
        Parameter::sliding(
            ("backward", "backward / forward"),
            PLAIN,
            (0.1, 2.0, 8.0, 0.5),
            "backward time over forward time",
        ),
        Parameter::sliding(
            ("send", "send / forward"),
            PLAIN,
            (0.0, 0.0, 4.0, 0.1),
            "time of a message between stages over forward time",
        ),
        Parameter::counting(
            ("slow_stage", "slow stage"),
            PLAIN,
            (0.0, 3.0, 63.0),
            "the stage, from 0, that takes longer; without effect while it is 1 time as slow",
        ),
        Parameter::sliding(
            ("slow", "times as slow"),
            PLAIN,
            (1.0, 1.0, 4.0, 0.1),
            "how many times as long the slow stage takes; 1 is balanced",
        ),
        Parameter::doubling(
            ("tokens", "tokens"),
            Unit::count("tokens"),
            (1.0, 4096.0, 1_048_576.0),
            "tokens of a micro-batch, for the size of messages",
        ),
        Parameter::doubling(
            ("hidden", "hidden"),
            PLAIN,
            (64.0, 8192.0, 65536.0),
            "width of the activations sent",
        ),
    ],
    presets: &[
        Preset { name: "4 stages, 8 micro-batches", set: &[("stages", 4.0), ("micro_batches", 8.0)] },
        Preset {
            name: "70B on TP8 x PP4 x DP2",
            set: &[("stages", 4.0), ("micro_batches", 256.0), ("tokens", 4096.0), ("hidden", 8192.0)],
        },
        Preset {
            name: "175B on TP8 x PP8, 2 chunks",
            set: &[
                ("schedule", 2.0),
                ("stages", 8.0),
                ("micro_batches", 256.0),
                ("chunks", 2.0),
                ("tokens", 2048.0),
                ("hidden", 12288.0),
            ],
        },
        Preset {
            name: "last stage 1.4 times as slow",
            set: &[("stages", 8.0), ("micro_batches", 32.0), ("slow_stage", 7.0), ("slow", 1.4)],
        },
    ],
    run,
};

fn run(settings: &Settings) -> Run {
    let mut run = Run::default();
    let pipeline = read(settings, &mut run);
    let mut outcome = pipeline.run(true);
    let spans = std::mem::take(&mut outcome.spans);
    outputs(&mut run, settings, (&pipeline, &outcome));
    questions(&mut run, (&pipeline, &outcome));
    run.views.push(schedule_view(&pipeline, spans, outcome.total));
    run.views.push(live_view(&outcome));
    run.views.push(bubble_view(&pipeline, outcome.idle().max(0.0)));
    let side_by_side = View::lazy("schedules side by side", move || table_frame(&pipeline, &outcome));
    run.views.push(side_by_side.comparing(&["schedule"]));
    run
}

/// The most pieces of work, of micro-batches, stages and chunks, that the clock runs.
const MOST_PIECES: usize = 64 * 512;

/// The pipeline that the settings describe; notes say what had to be changed.
fn read(settings: &Settings, run: &mut Run) -> Pipeline {
    let schedule = SCHEDULES[settings.count("schedule")];
    let stages = settings.count("stages");
    let mut micro_batches = settings.count("micro_batches");
    if schedule == Schedule::Interleaved && !micro_batches.is_multiple_of(stages) {
        micro_batches = micro_batches.div_ceil(stages) * stages;
        run.notes.push(format!("interleaving takes whole rounds of {stages}: m is {micro_batches} here"));
    }
    let chunks = if schedule == Schedule::Interleaved { settings.count("chunks") } else { 1 };
    let most = (MOST_PIECES / (stages * chunks)).max(1) / stages * stages;
    if schedule == Schedule::Interleaved && micro_batches > most.max(stages) {
        micro_batches = most.max(stages);
        run.notes
            .push(format!("the clock takes m as {micro_batches}: more would only repeat the steady state"));
    }
    let slow = (settings.count("slow_stage"), settings.number("slow"));
    if slow.0 >= stages && slow.1 > 1.0 {
        run.notes.push(format!("there is no stage {}: the last is {}", slow.0, stages - 1));
    }
    if micro_batches < stages && schedule != Schedule::GPipe {
        run.notes.push("fewer micro-batches than stages: some stages never work at the same time".into());
    }
    Pipeline {
        schedule,
        stages,
        micro_batches,
        chunks,
        backward: settings.number("backward"),
        send: settings.number("send"),
        slow,
    }
}

/// Whether the closed forms apply: equal stages and free messages.
fn is_ideal(pipeline: &Pipeline) -> bool {
    pipeline.send == 0.0 && (pipeline.slow.1 == 1.0 || pipeline.slow.0 >= pipeline.stages)
}

fn outputs(run: &mut Run, settings: &Settings, (pipeline, outcome): (&Pipeline, &Outcome)) {
    let [p, m, v] = [pipeline.stages, pipeline.micro_batches, pipeline.chunks].map(|n| plain(n as f64));
    let ideal = pipeline.micro_batches as f64 * (1.0 + pipeline.backward);
    let idle = outcome.idle().max(0.0);
    run.counted(
        ("total", "step; tF is one forward"),
        outcome.total,
        FORWARDS,
        "until the last backward ends. tF is the time of the forward of one micro-batch on one stage",
    );
    run.worked("ideal", "the work of a stage", FORWARDS, format!("{m} * (1 + {})", plain(pipeline.backward)));
    run.counted(
        ("bubble", "idle, of the whole step"),
        idle,
        PERCENT,
        "1 - work of a stage / step, over all stages",
    );
    run.counted(
        ("bubble_ratio", "idle, over the work"),
        outcome.total / ideal - 1.0,
        PERCENT,
        "step / work of a stage - 1: the other convention, which can exceed 100%",
    );
    let expected = match pipeline.schedule {
        Schedule::ZeroBubbleH1 => {
            let half = plain(pipeline.backward / 2.0);
            let time = format!("zero_bubble_h1_time({p}, 1, {half}, {half})");
            format!("{time} / ({time} + {})", plain(ideal))
        }
        _ => format!("bubble_fraction_interleaved({p}, {m}, {v})"),
    };
    run.worked("formula", "idle of the step, by formula", PERCENT, expected);
    let live = outcome.live.first().copied().unwrap_or(0.0);
    let how =
        "the most micro-batches whose activations the stage keeps at once; of two chunks, one counts half";
    run.counted(("live_first", "alive on stage 0"), live, MICRO_BATCHES, how);
    let last = outcome.live.last().copied().unwrap_or(0.0);
    run.counted(("live_last", "alive on the last stage"), last, MICRO_BATCHES, how);
    let for_ten = match pipeline.schedule {
        Schedule::ZeroBubbleH1 => {
            let half = plain(pipeline.backward / 2.0);
            let total = plain(1.0 + pipeline.backward);
            format!("ceil(9 * zero_bubble_h1_time({p}, 1, {half}, {half}) / {total})")
        }
        _ => format!("ceil(micro_batches_for_bubble({p}, 0.1) / {v})"),
    };
    run.worked("for_ten", "m for 10% idle", MICRO_BATCHES, for_ten);
    let [tokens, hidden] = ["tokens", "hidden"].map(|name| settings.term(name));
    let message = format!("activation_message_bytes(1, {tokens}, {hidden})");
    run.worked("message", "a message between stages", GB, message.clone());
    let boundary =
        (pipeline.stages > 1).then(|| format!("pp_bytes_per_step({m}, 1, {tokens}, {hidden}, 1) * {v}"));
    run.worked_or_0("sent", "sent by a middle stage", GB, boundary);
    run.worked("held", "inputs held on stage 0", GB, format!("{message} * {}", plain(live)));
    if !is_ideal(pipeline) {
        run.notes.push(
            "the formula holds for equal stages and free messages; the clock counts what is set".into(),
        );
    }
}

fn schedule_view(pipeline: &Pipeline, spans: Vec<Vec<crate::sim::picture::Span>>, total: f64) -> View {
    let (p, m) = (pipeline.stages, pipeline.micro_batches);
    let mut legend = vec![
        (Tone::Forward, "forward"),
        (Tone::Backward, "backward"),
        (Tone::Idle, "idle; tF is one forward"),
    ];
    if pipeline.schedule == Schedule::ZeroBubbleH1 {
        legend[1] = (Tone::Backward, "input gradient");
        legend.insert(2, (Tone::WeightGrad, "weight gradient"));
    }
    let lanes = spans.into_iter().enumerate().map(|(r, spans)| Lane { label: format!("stage {r}"), spans });
    let lanes = Lanes {
        unit: "tF",
        end: total,
        lanes: lanes.collect(),
        marks: Vec::new(),
        names: Vec::new(),
        legend,
    };
    View::timeline("schedule", lanes, move |lanes, now| {
        let busy = (0..p).filter(|r| lanes.span_at(*r, now).is_some()).count();
        if now >= lanes.end {
            let [m, p] = [(m, "micro-batches"), (p, "stages")]
                .map(|(n, of)| quantity::show(n as f64, Unit::count(of)));
            return format!("{m} done on {p}; the gaps are the bubble");
        }
        format!("{} tF: {busy} of {p} stages at work", quantity::digits(now))
    })
}

fn live_view(outcome: &Outcome) -> View {
    let bar = |(r, live): (usize, &f64)| Bar {
        label: format!("stage {r}"),
        pieces: vec![(Tone::Activations, *live)],
        chosen: false,
        said: None,
    };
    let bars = Bars {
        unit: "",
        bars: outcome.live.iter().enumerate().map(bar).collect(),
        limit: None,
        reach: 0.0,
        legend: vec![(Tone::Activations, "micro-batches alive")],
    };
    let first = outcome.live.first().copied().unwrap_or(0.0);
    let last = outcome.live.last().copied().unwrap_or(0.0);
    let [first, last] = [first, last].map(quantity::digits);
    let caption = format!("activations of {first} micro-batches at most on stage 0, of {last} on the last");
    View::still("activations alive", caption, Picture::Bars(bars))
}

fn bubble_view(pipeline: &Pipeline, idle: f64) -> View {
    let p = pipeline.stages as f64;
    let line = |label: &str, tone, v: f64| Line {
        label: label.to_owned(),
        tone: Tone::Nth(tone),
        points: (0..=9)
            .map(|e| f64::from(1 << e))
            .map(|m| (m, formula::bubble_fraction_interleaved(p, m, v)))
            .collect(),
    };
    let m = pipeline.micro_batches as f64;
    let series = Series {
        x: Axis { label: "micro-batches", unit: "", log: true },
        y: Axis { label: "idle share", unit: "%", log: false },
        lines: vec![
            line("GPipe and 1F1B", 0, 1.0),
            line("interleaved, 2 chunks", 1, 2.0),
            line("4 chunks", 2, 4.0),
        ],
        marks: vec![(m, idle, "here".into())],
    };
    let caption =
        format!("by the formula, for {} equal stages; v chunks do as much as v times the m", pipeline.stages);
    View::still("bubble over micro-batches", caption, Picture::Series(series))
        .comparing(&["micro_batches", "chunks"])
}

/// The same pipeline under another schedule, as far as it can be.
fn under(pipeline: &Pipeline, schedule: Schedule) -> Pipeline {
    if schedule != Schedule::Interleaved {
        return Pipeline { schedule, chunks: 1, ..*pipeline };
    }
    let micro_batches = pipeline.micro_batches.div_ceil(pipeline.stages) * pipeline.stages;
    Pipeline { schedule, micro_batches, chunks: pipeline.chunks.max(2), ..*pipeline }
}

fn table_frame(pipeline: &Pipeline, outcome: &Outcome) -> Frame {
    let row = |schedule: Schedule| {
        let other = under(pipeline, schedule);
        let outcome = if other == *pipeline { outcome.clone() } else { other.run(false) };
        let name = match schedule {
            Schedule::GPipe => "GPipe".to_owned(),
            Schedule::OneF1B => "1F1B".to_owned(),
            Schedule::Interleaved => format!("{} chunks", other.chunks),
            Schedule::ZeroBubbleH1 => "ZB-H1".to_owned(),
        };
        let ideal = other.micro_batches as f64 * (1.0 + pipeline.backward);
        let cells = vec![
            name,
            quantity::digits(outcome.total),
            quantity::show(outcome.idle().max(0.0), PERCENT),
            quantity::show(outcome.total / ideal - 1.0, PERCENT),
            quantity::digits(outcome.live[0]),
            format!("{}x", other.chunks),
        ];
        (if schedule == pipeline.schedule { Tone::Chosen } else { Tone::Empty }, cells)
    };
    let heads = ["schedule", "step", "idle", "of work", "alive", "sends"];
    let table = Table { columns: heads.map(str::to_owned).to_vec(), rows: SCHEDULES.map(row).to_vec() };
    let caption = "1F1B has GPipe's bubble and fewer activations; the others shrink the bubble, each at a price. Step in tF; \
         idle of the step and over the work; alive on stage 0";
    Frame { caption: caption.into(), picture: Picture::Table(table), now: None }
}

fn questions(run: &mut Run, (pipeline, outcome): (&Pipeline, &Outcome)) {
    let (p, m) = (pipeline.stages, pipeline.micro_batches);
    run.ask(
        format!("What share of all stages' time is idle with {p} stages and {m} micro-batches?"),
        (outcome.idle().max(0.0), PERCENT),
        "Idle over the whole is (p-1)/(v*m+p-1) for equal stages; (p-1)/m is another convention, over the ideal time.",
    );
    let live = outcome.live.first().copied().unwrap_or(0.0);
    run.ask(
        "How many micro-batches' activations does stage 0 keep at most?",
        (live, MICRO_BATCHES),
        "GPipe keeps all m. 1F1B starts a backward as soon as one can run, so stage r keeps p-r. Interleaving keeps \
         somewhat more than p; ZB-H1 keeps p on every stage.",
    );
    let options = ["shorter", "the same", "longer"].map(str::to_owned).to_vec();
    let (gpipe, one) = (Schedule::GPipe, Schedule::OneF1B);
    // Twice as many micro-batches as stages show the difference as well as all of them.
    let few = pipeline.micro_batches.min(2 * p);
    let total = |schedule| Pipeline { schedule, chunks: 1, micro_batches: few, ..*pipeline }.run(false).total;
    let right = match total(one) - total(gpipe) {
        d if d < -1e-9 => 0,
        d if d > 1e-9 => 2,
        _ => 1,
    };
    run.choose(
        "Is the step of 1F1B shorter, the same or longer than that of GPipe, at these settings?",
        (options, right),
        "With equal stages and free messages it is the same: the bubble is that of filling and draining. What 1F1B saves \
         is memory.",
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
    fn the_clock_and_the_formula_agree_for_every_schedule() {
        for schedule in 0..4 {
            for (p, m) in [(4.0, 8.0), (8.0, 32.0), (2.0, 2.0), (1.0, 5.0), (16.0, 64.0)] {
                let run = at(&[("schedule", f64::from(schedule)), ("stages", p), ("micro_batches", m)]);
                assert!((run.value("bubble") - run.value("formula")).abs() < 1e-9, "{schedule} {p} {m}");
            }
        }
    }

    #[test]
    fn both_conventions_are_shown() {
        let run = at(&[("stages", 8.0), ("micro_batches", 8.0)]);
        assert!((run.value("bubble") - 0.4667).abs() < 5e-5);
        assert!((run.value("bubble_ratio") - 0.875).abs() < 1e-9);
        assert_eq!(run.value("for_ten"), 63.0);
    }

    #[test]
    fn messages_are_those_of_the_70b_plan() {
        let run = at(&[("micro_batches", 256.0)]);
        assert!((run.value("message") / 1e6 - 67.1).abs() < 0.05);
        assert!((run.value("sent") / 8.0 / 1e9 - 4.3).abs() < 0.05, "an eighth with sequence parallelism");
    }

    #[test]
    fn slow_last_stage_costs_what_the_formula_says() {
        let run = at(&[("slow_stage", 3.0), ("slow", 1.5)]);
        assert_eq!(run.value("total"), 3.0 * formula::step_units_slow_last_stage(4.0, 8.0, 1.5));
    }
}
