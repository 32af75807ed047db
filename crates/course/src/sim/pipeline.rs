//! Pipeline schedules: who does what when, the bubble by both conventions, activations alive.

use crate::sim::SimKind;
use crate::sim::formula::pipeline as formula;
use crate::sim::output::{Results, Right, outputs};
use crate::sim::parameter::{Number, Parameter, knobs, plain, presets};
use crate::sim::picture::{Axis, Bar, Bars, Frame, Lane, Lanes, Line, Picture, Series, Table, Tone, View};
use crate::sim::quantity::{self, GB, PERCENT, PLAIN, Unit};

pub(in crate::sim) mod clock;

use clock::{Outcome, Pipeline, Schedule};

/// Time in forward passes of a whole stage.
const FORWARDS: Unit = Unit::count("tF");
const MICRO_BATCHES: Unit = Unit::count("micro-batches");

knobs! {
    schedule: Schedule = Parameter::choice("schedule", Schedule::OPTIONS,
        "the order of forwards and backwards").from(Schedule::OneF1B.place());
    stages: Number = Parameter::doubling("stages p", Unit::count("stages"), (1.0, 4.0, 64.0),
        "GPUs in a row");
    micro_batches: Number = Parameter::doubling("micro-batches m", MICRO_BATCHES, (1.0, 8.0, 512.0),
        "pieces of the batch");
    chunks: Number = Parameter::counting("chunks v", Unit::count("chunks"), (1.0, 2.0, 4.0),
        "chunks of layers on each stage; they count in the schedule interleaved 1F1B");
    backward: Number = Parameter::sliding("backward / forward", PLAIN, (0.1, 2.0, 8.0, 0.5),
        "backward time over forward time");
    send: Number = Parameter::sliding("send / forward", PLAIN, (0.0, 0.0, 4.0, 0.1),
        "time of a message between stages over forward time");
    slow_stage: Number = Parameter::counting("slow stage", PLAIN, (0.0, 3.0, 63.0),
        "the stage, counted from 0, that takes longer; no effect while it is 1 time as slow");
    slow: Number = Parameter::sliding("times as slow", PLAIN, (1.0, 1.0, 4.0, 0.1),
        "how many times as long the slow stage takes; 1 is balanced");
    tokens: Number = Parameter::doubling("tokens", Unit::count("tokens"), (1.0, 4096.0, 1_048_576.0),
        "tokens of a micro-batch, for the size of messages");
    hidden: Number = Parameter::doubling("hidden", PLAIN, (64.0, 8192.0, 65536.0),
        "width of the activations sent");
}

presets! {
    "4 stages, 8 micro-batches" { stages = 4.0, micro_batches = 8.0 }
    "70B on TP8 x PP4 x DP2" { stages = 4.0, micro_batches = 256.0, tokens = 4096.0, hidden = 8192.0 }
    "175B on TP8 x PP8, 2 chunks" {
        schedule = Schedule::Interleaved.place(), stages = 8.0, micro_batches = 256.0, chunks = 2.0,
        tokens = 2048.0, hidden = 12288.0
    }
    "last stage 1.4 times as slow" { stages = 8.0, micro_batches = 32.0, slow_stage = 7.0, slow = 1.4 }
}

/// The pipeline simulator.
pub(super) const KIND: SimKind = SimKind {
    name: "pipeline",
    title: "Pipeline schedules",
    brief: "the bubble, what is alive",
    about: "Micro-batches run through stages. See the bubble open at both ends, count the activations alive, and compare \
            GPipe, 1F1B, interleaving and zero-bubble.",
    parameters: PARAMETERS,
    presets: PRESETS,
    run,
};

fn run(values: &[f64]) -> Results {
    let knobs = Knobs::read(values);
    let mut run = Results::default();
    let pipeline = read(&knobs, &mut run);
    let mut outcome = pipeline.run(true);
    let spans = std::mem::take(&mut outcome.spans);
    outputs(&mut run, &knobs, (&pipeline, &outcome));
    questions(&mut run, (&pipeline, &outcome));
    run.views.push(schedule_view(&pipeline, spans, outcome.total));
    run.views.push(live_view(&outcome));
    run.views.push(bubble_view(&pipeline, outcome.idle().max(0.0)));
    let side_by_side = View::lazy("schedules side by side", move || table_frame(&pipeline, &outcome));
    run.views.push(side_by_side.comparing(&[knob::schedule]));
    run
}

/// The most pieces of work, of micro-batches, stages and chunks, that the clock runs.
const MOST_PIECES: usize = 64 * 512;

/// The pipeline that the knobs describe; what had to be changed is told.
fn read(knobs: &Knobs, run: &mut Results) -> Pipeline {
    let (schedule, stages, asked) = (knobs.schedule, knobs.stages.count(), knobs.micro_batches.count());
    let mut micro_batches = asked;
    let mut chunks = 1;
    if schedule == Schedule::Interleaved {
        chunks = knobs.chunks.count();
        if chunks == 1 {
            run.notes.push("with one chunk there is nothing to interleave: this is plain 1F1B".into());
        }
        micro_batches = in_rounds(asked, stages, chunks);
        let most = ((MOST_PIECES / (stages * chunks)).max(1) / stages * stages).max(stages);
        let why = if micro_batches > most {
            "more would only repeat the steady state".to_owned()
        } else {
            format!("interleaving takes whole rounds of {stages}")
        };
        micro_batches = micro_batches.min(most);
        run.took(knob::micro_batches, asked, micro_batches, why);
    }
    let slow = (knobs.slow_stage.count(), knobs.slow.number());
    if slow.0 >= stages && slow.1 > 1.0 {
        run.notes.push(format!("there is no stage {}: the last one is {}", slow.0, stages - 1));
    }
    if micro_batches < stages && schedule != Schedule::GPipe {
        run.notes.push("fewer micro-batches than stages: some stages never work at the same time".into());
    }
    let (backward, send) = (knobs.backward.number(), knobs.send.number());
    Pipeline { schedule, stages, micro_batches, chunks, backward, send, slow }
}

/// Micro-batches in whole rounds of the stages, where several chunks are interleaved.
fn in_rounds(micro_batches: usize, stages: usize, chunks: usize) -> usize {
    if chunks > 1 { micro_batches.div_ceil(stages) * stages } else { micro_batches }
}

/// Whether the closed forms apply: equal stages and free messages, and for ZB-H1 enough to fill the pipeline.
fn is_ideal(pipeline: &Pipeline) -> bool {
    let filled = pipeline.schedule != Schedule::ZeroBubbleH1 || pipeline.micro_batches >= pipeline.stages;
    filled && pipeline.send == 0.0 && (pipeline.slow.1 == 1.0 || pipeline.slow.0 >= pipeline.stages)
}

fn outputs(run: &mut Results, knobs: &Knobs, (pipeline, outcome): (&Pipeline, &Outcome)) {
    let Pipeline { stages: p, micro_batches: m, chunks: v, .. } = pipeline;
    let Knobs { backward, tokens, hidden, .. } = knobs;
    let work = format!("{m} * (1 + {backward})");
    let bubble = format!("zero_bubble_h1_time({p}, 1, {backward} / 2, {backward} / 2)");
    let (expected, for_ten) = match pipeline.schedule {
        // never fewer than the stages, below which the formula does not hold
        Schedule::ZeroBubbleH1 => (
            format!("{bubble} / ({bubble} + {work})"),
            format!("max({p}, ceil(9 * {bubble} / (1 + {backward})))"),
        ),
        _ => (
            format!("bubble_fraction_interleaved({p}, {m}, {v})"),
            match v {
                1 => format!("max(1, micro_batches_for_bubble({p}, 0.1))"),
                _ => format!("ceil(max(1, micro_batches_for_bubble({p}, 0.1)) / {v} / {p}) * {p}"),
            },
        ),
    };
    let live = |stage: Option<&f64>| stage.copied().unwrap_or(0.0);
    let (first, last) = (live(outcome.live.first()), live(outcome.live.last()));
    let message = format!("activation_message_bytes(1, {tokens}, {hidden})");
    let held = plain(first * *v as f64);
    // With two stages each sends one way alone, but between chunks.
    let ways = if *p == 2 { format!("({v} - 1/2)") } else { v.to_string() };
    outputs! { run;
        total "step; tF is one forward" [FORWARDS] = outcome.total,
            "until the last backward ends. tF is the time of the forward of one micro-batch on one stage";
        ideal "the work of a stage" [FORWARDS]: "{m} * (1 + {backward})";
        bubble "idle, of the whole step" [PERCENT] = outcome.idle().max(0.0),
            "1 minus the work of a stage over the step, over all stages";
        bubble_ratio "idle, over the work" [PERCENT] = outcome.idle_over_work(),
            "idle time over working time of all stages: the other convention, which can exceed 100%";
        formula "idle over work, by formula" [PERCENT]: "{expected}";
        live_first "micro-batches on stage 0" [MICRO_BATCHES] = first,
            "the most micro-batches whose activations the stage keeps at once; with two chunks, each counts \
             half";
        live_last "micro-batches, last stage" [MICRO_BATCHES] = last,
            "the most micro-batches whose activations the stage keeps at once; with two chunks, each counts \
             half";
        for_ten "micro-batches, 10% idle" [MICRO_BATCHES]: "{for_ten}";
        message "a message between stages" [GB]: "{message}";
        sent "most that a stage sends" [GB]:
            "pp_bytes_per_step({m}, 1, {tokens}, {hidden}, 1) * {ways}" if *p > 1;
        held "inputs held on stage 0" [GB]: "{message} * {held}";
    }
    if !is_ideal(pipeline) {
        run.notes.push(
            "the formula holds for equal stages, free messages and enough micro-batches; the timeline uses \
             the values that are set"
                .into(),
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
    let caption = format!("activations of at most {first} micro-batches on stage 0, of {last} on the last");
    View::still("activations alive", caption, Picture::Bars(bars))
}

fn bubble_view(pipeline: &Pipeline, idle: f64) -> View {
    let p = pipeline.stages;
    let line = |label: &str, tone, chunks: usize| Line {
        label: label.to_owned(),
        tone: Tone::Nth(tone),
        // chunks take whole rounds
        points: (0..=9)
            .map(|e| if chunks > 1 { p << e } else { 1 << e })
            .take_while(|m| *m <= 512)
            .map(|m| m as f64)
            .map(|m| (m, formula::bubble_fraction_interleaved(p as f64, m, chunks as f64)))
            .collect(),
    };
    let m = pipeline.micro_batches as f64;
    let series = Series {
        x: Axis { label: "micro-batches", unit: "", log: true },
        y: Axis { label: "idle share", unit: "%", log: false },
        lines: vec![
            line("GPipe and 1F1B", 0, 1),
            line("interleaved, 2 chunks", 1, 2),
            line("4 chunks", 2, 4),
        ],
        marks: vec![(m, idle, "here".into())],
    };
    let caption =
        format!("by the formula, for {} equal stages; v chunks help as much as v times m", pipeline.stages);
    View::still("bubble over micro-batches", caption, Picture::Series(series))
        .comparing(&[knob::micro_batches, knob::chunks])
}

/// The same pipeline under another schedule, as far as it can be.
fn under(pipeline: &Pipeline, schedule: Schedule) -> Pipeline {
    if schedule != Schedule::Interleaved {
        return Pipeline { schedule, chunks: 1, ..*pipeline };
    }
    let chunks = pipeline.chunks.max(2);
    let micro_batches = in_rounds(pipeline.micro_batches, pipeline.stages, chunks);
    Pipeline { schedule, micro_batches, chunks, ..*pipeline }
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
        let cells = vec![
            name,
            quantity::digits(outcome.total),
            quantity::show(outcome.idle().max(0.0), PERCENT),
            quantity::show(outcome.idle_over_work(), PERCENT),
            quantity::digits(outcome.live[0]),
            format!("{}x", other.times_sent()),
        ];
        (if schedule == pipeline.schedule { Tone::Chosen } else { Tone::Empty }, cells)
    };
    let heads = ["schedule", "step", "idle", "of work", "alive", "sends"];
    let table = Table {
        columns: heads.map(str::to_owned).to_vec(),
        rows: Schedule::ALL.iter().copied().map(row).collect(),
    };
    let caption = "1F1B has GPipe's bubble and fewer activations; the others shrink the bubble, each at a price. Step in tF; \
         idle of the step and over the work; alive on stage 0";
    Frame { caption: caption.into(), picture: Picture::Table(table), now: None }
}

fn questions(run: &mut Results, (pipeline, outcome): (&Pipeline, &Outcome)) {
    let (p, m) = (pipeline.stages, pipeline.micro_batches);
    run.ask(
        format!("What share of all stages' time is idle with {p} stages and {m} micro-batches?"),
        (outcome.idle().max(0.0), PERCENT),
        "Idle over the whole is (p-1)/(v*m+p-1) for equal stages; (p-1)/m is another convention, over the ideal time.",
    );
    let (total, work) = (outcome.total, run.value("ideal"));
    let is_rest = ((total - work) / total - outcome.idle().max(0.0)).abs() < 1e-9;
    let idle = quantity::show(outcome.idle().max(0.0), PERCENT);
    let [total, work] = [total, work].map(quantity::digits);
    run.here(is_rest.then(|| {
        format!("a step of {total} tF, of which {work} are work: ({total} - {work}) / {total} = {idle}")
    }));
    let live = outcome.live.first().copied().unwrap_or(0.0);
    run.ask(
        "How many micro-batches' activations does stage 0 keep at most?",
        (live, MICRO_BATCHES),
        "GPipe keeps all m. 1F1B starts a backward as soon as one can run, so stage r keeps p-r. Interleaving keeps \
         somewhat more than p; ZB-H1 keeps p on every stage.",
    );
    let sum = match pipeline.schedule {
        Schedule::GPipe if live == m as f64 => Some(format!("all {m} of them")),
        Schedule::OneF1B if live == p.min(m) as f64 => Some(format!(
            "{p} - 0 on stage 0, and never more than the {m} there are: {}",
            quantity::digits(live)
        )),
        _ => None,
    };
    run.here(sum);
    let options = ["shorter", "the same", "longer"].map(str::to_owned).to_vec();
    let (gpipe, one) = (Schedule::GPipe, Schedule::OneF1B);
    // Twice as many micro-batches as stages show the difference as well as all of them.
    let few = pipeline.micro_batches.min(2 * p);
    let few = Pipeline { chunks: 1, micro_batches: few, ..*pipeline };
    let right = Right::later(move || {
        let total = |schedule| Pipeline { schedule, ..few }.run(false).total;
        match total(one) - total(gpipe) {
            d if d < -1e-9 => 0,
            d if d > 1e-9 => 2,
            _ => 1,
        }
    });
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

    fn at(set: &[(&str, f64)]) -> Results {
        crate::sim::at(&KIND, set).run()
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
    fn zero_bubble_agrees_with_its_clock_for_any_backward() {
        for backward in [0.1, 1.0, 2.0, 2.5, 3.0, 8.0] {
            for (p, m) in [(2.0, 4.0), (6.0, 12.0), (8.0, 8.0)] {
                let zero = Schedule::ZeroBubbleH1.place();
                let set = [("schedule", zero), ("stages", p), ("backward", backward), ("micro_batches", m)];
                let run = at(&set);
                assert!((run.value("bubble") - run.value("formula")).abs() < 1e-9, "{backward} {p} {m}");
                let mut enough = set;
                enough[3].1 = run.value("for_ten");
                assert!(at(&enough).value("bubble") <= 0.1 + 1e-9, "{backward} {p}: {:?}", enough[3]);
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
