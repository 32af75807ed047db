//! Gradient buckets: when each is full, when its all-reduce runs, what backward does not hide.

use crate::sim::Kind;
use crate::sim::formula::collective;
use crate::sim::output::Run;
use crate::sim::parameter::{Parameter, Preset, Settings, plain};
use crate::sim::picture::{Axis, Frame, Lane, Lanes, Line, Picture, Series, Span, Table, Tone, View};
use crate::sim::quantity::{self, GB_PER_S, MIB, MS, PERCENT, SECONDS, US, Unit};

/// The bucket simulator.
pub(super) const KIND: Kind = Kind {
    name: "buckets",
    title: "Gradient buckets",
    about: "Backward fills buckets of gradients, last layer first; each full bucket is all-reduced while backward goes on. \
            What is left at the end is exposed.",
    parameters: &[
        Parameter::doubling(
            ("tensors", "gradient tensors"),
            Unit::count("tensors"),
            (1.0, 96.0, 1024.0),
            "tensors of gradients, of equal size",
        ),
        Parameter::sliding(
            ("tensor", "a tensor"),
            MIB,
            (0.01, 4.0, 4096.0, 1.0),
            "gradient bytes of a tensor",
        )
        .doubled(),
        Parameter::sliding(
            ("embedding", "embedding"),
            MIB,
            (0.0, 0.0, 16384.0, 64.0),
            "extra bytes of the first tensor, whose gradient comes last",
        ),
        Parameter::sliding(
            ("backward", "backward of a tensor"),
            MS,
            (0.001, 0.5, 1000.0, 0.1),
            "backward time that gives one tensor's gradient; forward takes half of it",
        ),
        Parameter::sliding(
            ("cap", "bucket cap"),
            MIB,
            (0.01, 25.0, 1_048_576.0, 25.0),
            "a bucket is sent when it holds this much",
        )
        .doubled(),
        Parameter::sliding(
            ("first", "first bucket"),
            MIB,
            (0.0, 1.0, 1024.0, 1.0),
            "cap of the first bucket, so that communication starts early; 0 is none",
        ),
        Parameter::sliding(
            ("link", "all-reduce rate"),
            GB_PER_S,
            (0.1, 40.0, 2000.0, 5.0),
            "algbw: bucket bytes over the time of its all-reduce, so ranks and ring are in it",
        ),
        Parameter::sliding(
            ("alpha", "latency"),
            US,
            (0.0, 600.0, 100_000.0, 100.0),
            "time of an all-reduce whatever its size; large here, so that it shows",
        ),
        Parameter::choice(
            ("iteration", "iteration"),
            &[("later", "later ones"), ("first", "the first")],
            "the first iteration uses one bucket; the real ones are built after it",
        ),
        Parameter::doubling(
            ("accumulate", "micro-batches"),
            Unit::count("micro-batches"),
            (1.0, 1.0, 32.0),
            "micro-batches accumulated before the optimizer step",
        ),
        Parameter::choice(
            ("no_sync", "no_sync"),
            &[("on", "on"), ("off", "off")],
            "whether only the last micro-batch communicates",
        ),
    ],
    presets: &[
        Preset {
            name: "96 tensors of 4 MiB",
            set: &[("tensors", 96.0), ("tensor", 4.0), ("backward", 0.5)],
        },
        Preset {
            name: "one bucket",
            set: &[("cap", 1_048_576.0), ("first", 0.0)],
        },
        Preset {
            name: "tiny buckets",
            set: &[("cap", 1.0), ("first", 0.0)],
        },
        Preset {
            name: "7B in bf16 on 8 nodes",
            set: &[
                ("tensors", 256.0),
                ("tensor", 50.0),
                ("backward", 2.0),
                ("link", 180.0),
                ("alpha", 200.0),
                ("cap", 200.0),
            ],
        },
        Preset {
            name: "8 micro-batches, no_sync",
            set: &[("accumulate", 8.0), ("no_sync", 0.0)],
        },
        Preset {
            name: "a large embedding",
            set: &[("embedding", 256.0)],
        },
    ],
    run,
};

/// A model's backward and its buckets, in base units.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Step {
    tensors: usize,
    tensor: f64,
    embedding: f64,
    backward: f64,
    cap: f64,
    first: f64,
    link: f64,
    alpha: f64,
    micro_batches: usize,
    no_sync: bool,
}

/// One bucket: how many bytes, when it is full, when its all-reduce runs.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Bucket {
    bytes: f64,
    ready: f64,
    start: f64,
    end: f64,
}

/// A whole step.
#[derive(Debug, Clone, PartialEq, Default)]
struct Timeline {
    /// The buckets of each micro-batch that communicates, in order.
    buckets: Vec<Bucket>,
    /// Forward and backward spans of each micro-batch.
    compute: Vec<Span>,
    /// When the last backward ends.
    backward_end: f64,
    /// When the last all-reduce ends.
    comm_end: f64,
}

impl Timeline {
    fn exposed(&self) -> f64 {
        (self.comm_end - self.backward_end).max(0.0)
    }

    fn comm_busy(&self) -> f64 {
        self.buckets.iter().map(|b| b.end - b.start).sum()
    }
}

impl Step {
    fn new(settings: &Settings) -> Step {
        let only_one = settings.count("iteration") == 1;
        Step {
            tensors: settings.count("tensors"),
            tensor: settings.base("tensor"),
            embedding: settings.base("embedding"),
            backward: settings.base("backward"),
            cap: if only_one {
                f64::INFINITY
            } else {
                settings.base("cap")
            },
            first: if only_one { 0.0 } else { settings.base("first") },
            link: settings.base("link"),
            alpha: settings.base("alpha"),
            micro_batches: settings.count("accumulate"),
            no_sync: settings.count("no_sync") == 0,
        }
    }

    fn gradient_bytes(&self) -> f64 {
        self.tensors as f64 * self.tensor + self.embedding
    }

    /// Bytes and tensors of each bucket, in the order in which backward fills them.
    fn fill(&self) -> Vec<(f64, usize)> {
        let mut buckets = Vec::new();
        let (mut bytes, mut count) = (0.0, 0);
        let mut limit = if self.first > 0.0 { self.first } else { self.cap };
        for tensor in (0..self.tensors).rev() {
            bytes += self.tensor + if tensor == 0 { self.embedding } else { 0.0 };
            count += 1;
            if bytes >= limit {
                buckets.push((bytes, count));
                (bytes, count, limit) = (0.0, 0, self.cap);
            }
        }
        if count > 0 {
            buckets.push((bytes, count));
        }
        buckets
    }

    fn run(&self) -> Timeline {
        let mut timeline = Timeline::default();
        let fill = self.fill();
        let mut clock = 0.0;
        let mut free: f64 = 0.0;
        for micro_batch in 0..self.micro_batches {
            let forward = self.tensors as f64 * self.backward / 2.0;
            let number = micro_batch as u32;
            timeline.compute.push(Span {
                start: clock,
                end: clock + forward,
                tone: Tone::Forward,
                number,
                part: 0,
            });
            clock += forward;
            let start = clock;
            let syncs = !self.no_sync || micro_batch + 1 == self.micro_batches;
            for (bytes, count) in &fill {
                clock += *count as f64 * self.backward;
                if syncs {
                    let begin = clock.max(free);
                    free = begin + collective::send_time(*bytes, self.alpha, self.link);
                    timeline.buckets.push(Bucket {
                        bytes: *bytes,
                        ready: clock,
                        start: begin,
                        end: free,
                    });
                }
            }
            timeline.compute.push(Span {
                start,
                end: clock,
                tone: Tone::Backward,
                number,
                part: 0,
            });
            if syncs && micro_batch + 1 < self.micro_batches {
                // The next forward waits for the gradients to be summed.
                clock = clock.max(free);
            }
        }
        timeline.backward_end = clock;
        timeline.comm_end = free;
        timeline
    }
}

fn run(settings: &Settings) -> Run {
    let step = Step::new(settings);
    let timeline = step.run();
    let mut run = Run::default();
    outputs(&mut run, settings, (&step, &timeline));
    questions(&mut run, (&step, &timeline));
    run.views.push(lanes_view(&step, &timeline));
    run.views
        .push(View::lazy("exposed time over the cap", move || cap_frame(&step)).comparing(&["cap"]));
    run.views.push(bucket_table(&timeline));
    if step.cap.is_infinite() {
        run.notes
            .push("the first iteration uses one bucket: never profile it".into());
    }
    if step.cap < step.tensor && step.cap.is_finite() {
        run.notes
            .push("a tensor is larger than the cap: every bucket holds one tensor".into());
    }
    run
}

fn outputs(run: &mut Run, settings: &Settings, (step, timeline): (&Step, &Timeline)) {
    let syncs = if step.no_sync { 1 } else { step.micro_batches };
    let busy = timeline.comm_busy();
    let exposed = total_exposed(step, timeline);
    run.counted(
        ("buckets", "a backward"),
        timeline.buckets.len() as f64 / syncs as f64,
        Unit::count("buckets"),
        "a bucket closes with the tensor that brings it to its cap; the last holds what is left",
    );
    run.worked(
        "gradients",
        "gradients",
        MIB,
        format!(
            "{} * {} + {}",
            plain(step.tensors as f64),
            settings.term("tensor"),
            settings.term("embedding")
        ),
    );
    run.worked(
        "backward_time",
        "forward and backward",
        SECONDS,
        format!(
            "{} * {} * 1.5 * {}",
            plain(step.tensors as f64),
            settings.term("backward"),
            plain(step.micro_batches as f64)
        ),
    );
    run.counted(
        ("comm_time", "all-reduces, sum"),
        busy,
        SECONDS,
        "latency plus bytes over the rate, summed over all buckets",
    );
    run.counted(
        ("step_time", "step"),
        timeline.comm_end.max(timeline.backward_end),
        SECONDS,
        "until both are done, backward and the last all-reduce",
    );
    run.counted(
        ("exposed", "exposed communication"),
        exposed,
        SECONDS,
        "step minus forward and backward: the time in which only the network works",
    );
    run.counted(
        ("hidden_share", "hidden behind compute"),
        hidden_share(exposed, busy),
        PERCENT,
        "1 - exposed communication / sum of the all-reduces",
    );
    let first = timeline.buckets.first().map_or(0.0, |b| b.bytes);
    run.worked(
        "bucket_time",
        "all-reduce, largest",
        SECONDS,
        format!(
            "send_time({} MiB, {}, {})",
            plain(timeline.buckets.iter().map(|b| b.bytes).fold(first, f64::max) / MIB.factor),
            settings.term("alpha"),
            settings.term("link")
        ),
    );
    run.worked(
        "latency_time",
        "latency in the sum",
        SECONDS,
        format!("{} * {}", timeline.buckets.len(), settings.term("alpha")),
    );
    let sent = timeline.buckets.iter().map(|b| b.bytes).sum::<f64>();
    run.counted(
        ("reduced", "reduced in a step"),
        sent,
        MIB,
        "the bytes of all buckets, of every micro-batch that communicates",
    );
}

fn compute_time(timeline: &Timeline) -> f64 {
    timeline.compute.iter().map(|s| s.end - s.start).sum()
}

/// All time in which only the network works, also between micro-batches.
fn total_exposed(step: &Step, timeline: &Timeline) -> f64 {
    let whole = timeline.comm_end.max(timeline.backward_end) - compute_time(timeline);
    let exact = if step.no_sync || step.micro_batches == 1 {
        timeline.exposed()
    } else {
        whole
    };
    exact.max(0.0)
}

fn hidden_share(exposed: f64, busy: f64) -> f64 {
    match busy > 0.0 {
        // what is left of rounding is nothing
        true if exposed >= busy * (1.0 - 1e-9) => 0.0,
        true => (1.0 - exposed / busy).clamp(0.0, 1.0),
        false => 1.0,
    }
}

/// Lanes: compute, and the network with its hidden and exposed parts.
fn lanes_view(step: &Step, timeline: &Timeline) -> View {
    let network = network_spans(timeline, step.fill().len());
    let end = timeline.comm_end.max(timeline.backward_end);
    let lanes = Lanes {
        unit: "s",
        end,
        lanes: vec![
            Lane {
                label: "compute".into(),
                spans: timeline.compute.clone(),
            },
            Lane {
                label: "network".into(),
                spans: network,
            },
        ],
        marks: vec![(timeline.backward_end, "backward ends".into())],
        names: Vec::new(),
        legend: vec![
            (Tone::Forward, "forward, led by its micro-batch"),
            (Tone::Backward, "backward"),
            (Tone::Hidden, "all-reduce, hidden"),
            (Tone::Exposed, "all-reduce, exposed"),
        ],
    };
    let buckets = timeline.buckets.clone();
    let exposed = quantity::show(total_exposed(step, timeline), SECONDS);
    let busy = quantity::show(timeline.comm_busy() / end.max(f64::MIN_POSITIVE), PERCENT);
    View::timeline("timeline", lanes, move |lanes, now| {
        if now >= lanes.end {
            return format!("the network is busy for {busy} of the step; {exposed} of it are exposed");
        }
        let event = event_at(&buckets, now);
        format!("{}: {event}", quantity::show(now, SECONDS))
    })
}

/// What happens at a moment.
fn event_at(buckets: &[Bucket], now: f64) -> String {
    let is_now = |time: f64| (time - now).abs() <= 1e-9 * now.max(1e-9);
    let which = |time: fn(&Bucket) -> f64| buckets.iter().position(|b| is_now(time(b))).map(|at| at + 1);
    let [full, starts, done] = [which(|b| b.ready), which(|b| b.start), which(|b| b.end)];
    let mut said = Vec::new();
    if let Some(n) = done {
        said.push(format!("bucket {n} is reduced"));
    }
    match (full, starts) {
        (Some(n), Some(m)) if n == m => said.push(format!("bucket {n} is full, its all-reduce starts")),
        (full, starts) => {
            said.extend(full.map(|n| format!("bucket {n} is full and waits")));
            said.extend(starts.map(|n| format!("the all-reduce of bucket {n} starts")));
        }
    }
    if said.is_empty() {
        said.push("forward ends, backward begins".into());
    }
    said.join("; ")
}

/// The all-reduces, cut where compute starts or stops, so that every piece is hidden or exposed.
fn network_spans(timeline: &Timeline, per_micro_batch: usize) -> Vec<Span> {
    let compute = &timeline.compute;
    let mut network = Vec::with_capacity(timeline.buckets.len());
    for (i, bucket) in timeline.buckets.iter().enumerate() {
        let (number, part) = (i as u32, (i / per_micro_batch.max(1)) as u32);
        let mut now = bucket.start;
        let mut next = compute.partition_point(|s| s.end <= bucket.start);
        while now < bucket.end {
            let busy = compute.get(next).filter(|s| s.start <= now);
            let until = busy
                .map(|s| s.end)
                .or_else(|| compute.get(next).map(|s| s.start))
                .unwrap_or(bucket.end);
            let end = until.min(bucket.end);
            let tone = if busy.is_some() {
                Tone::Hidden
            } else {
                Tone::Exposed
            };
            if end > now {
                network.push(Span {
                    start: now,
                    end,
                    tone,
                    number,
                    part,
                });
            }
            next += usize::from(busy.is_some());
            now = end;
        }
    }
    network
}

fn cap_frame(step: &Step) -> Frame {
    let whole = step.gradient_bytes();
    let point = |cap: f64| {
        let timeline = Step { cap, ..*step }.run();
        (cap, total_exposed(step, &timeline))
    };
    let points = (0..=48)
        .map(|i| 2f64.powf(18.0 + f64::from(i) * 0.375))
        .take_while(|cap| *cap < 2.0 * whole);
    let points: Vec<(f64, f64)> = points.chain([2.0 * whole]).map(point).collect();
    let best = points
        .iter()
        .copied()
        .min_by(|a, b| a.1.total_cmp(&b.1))
        .unwrap_or_default();
    let marks = vec![
        (best.0, best.1, "least exposed".to_owned()),
        (
            step.cap.min(2.0 * whole),
            total_exposed(step, &step.run()),
            "here".to_owned(),
        ),
    ];
    let series = Series {
        x: Axis {
            label: "bucket cap",
            unit: "MiB",
            log: true,
        },
        y: Axis {
            label: "exposed",
            unit: "s",
            log: false,
        },
        lines: vec![Line {
            label: "exposed".into(),
            tone: Tone::Exposed,
            points,
        }],
        marks,
    };
    let caption = "small buckets pay latency again and again; large ones start late and leave a tail";
    Frame {
        caption: caption.into(),
        picture: Picture::Series(series),
        now: None,
    }
}

fn bucket_table(timeline: &Timeline) -> View {
    let row = |(i, bucket): (usize, &Bucket)| {
        let time = |t| quantity::show(t, SECONDS);
        let cells = vec![
            (i + 1).to_string(),
            quantity::show(bucket.bytes, MIB),
            time(bucket.ready),
            time(bucket.start - bucket.ready),
            time(bucket.end),
            time((bucket.end - bucket.start.max(timeline.backward_end)).max(0.0)),
        ];
        (Tone::Empty, cells)
    };
    let table = Table {
        columns: ["#", "size", "full at", "waits", "done at", "exposed"]
            .map(str::to_owned)
            .to_vec(),
        rows: timeline.buckets.iter().enumerate().take(600).map(row).collect(),
    };
    View::still(
        "buckets",
        "one stream: an all-reduce waits for the one before it",
        Picture::Table(table),
    )
}

fn questions(run: &mut Run, (step, timeline): (&Step, &Timeline)) {
    let buckets = run.value("buckets");
    run.ask(
        format!(
            "How many buckets do {} of gradients make?",
            quantity::show(step.gradient_bytes(), MIB)
        ),
        (buckets, Unit::count("buckets")),
        "A bucket closes as soon as it holds its cap; the first one may have a smaller cap.",
    );
    let one = Step {
        cap: f64::INFINITY,
        first: 0.0,
        ..*step
    }
    .run();
    run.ask(
        "What would be exposed with one bucket for everything?",
        (total_exposed(step, &one), SECONDS),
        "The only bucket is full when backward ends, so all of its all-reduce is exposed: latency plus bytes over the link.",
    );
    let smaller = Step {
        cap: step.cap.min(step.gradient_bytes()) / 2.0,
        ..*step
    }
    .run();
    let change = total_exposed(step, &smaller) - total_exposed(step, timeline);
    let right = if change.abs() <= 1e-12 {
        1
    } else {
        usize::from(change > 0.0) * 2
    };
    run.choose(
        "Halve the cap: does the exposed time fall, stay or rise?",
        (["fall", "stay", "rise"].map(str::to_owned).to_vec(), right),
        "It falls while the tail shrinks, and rises once so many latencies add up that the network is never done.",
    );
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

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
    fn the_table_of_the_bucket_lab() {
        for (cap, first, buckets, comm, exposed) in [
            (1.0, 0.0, 96.0, 67.7, 20.2),
            (25.0, 1.0, 15.0, 19.1, 1.0),
            (25.0, 0.0, 14.0, 18.5, 1.1),
            (100.0, 0.0, 4.0, 12.5, 2.8),
            (1_000_000.0, 0.0, 1.0, 10.7, 10.7),
        ] {
            let run = at(&[("cap", cap), ("first", first)]);
            let ms = |name| (run.value(name) * 1e4).round() / 10.0;
            assert_eq!(
                (run.value("buckets"), ms("comm_time"), ms("exposed")),
                (buckets, comm, exposed),
                "{cap}"
            );
        }
        let compute = at(&[]).value("backward_time");
        assert!((compute - 0.072).abs() < 1e-12, "forward is half of backward");
    }

    #[test]
    fn the_first_iteration_hides_nothing() {
        let run = at(&[("iteration", 1.0)]);
        assert_eq!((run.value("buckets"), run.value("hidden_share")), (1.0, 0.0));
    }

    #[test]
    fn no_sync_sends_once_and_overlaps_only_the_last_backward() {
        let with = at(&[("accumulate", 8.0)]);
        let without = at(&[("accumulate", 8.0), ("no_sync", 1.0)]);
        assert_eq!(without.value("reduced"), 8.0 * with.value("reduced"));
        assert!((with.value("exposed") - at(&[]).value("exposed")).abs() < 1e-12);
        assert!((without.value("exposed") - 8.0 * with.value("exposed")).abs() < 1e-9);
    }

    #[test]
    fn a_large_embedding_leaves_a_tail() {
        assert!(at(&[("embedding", 256.0)]).value("exposed") > at(&[]).value("exposed") + 0.005);
    }

    fn any_step() -> impl Strategy<Value = Step> {
        (
            (1..200usize, 0.1..64.0f64, 0.0..512.0f64),
            (0.01..4.0f64, 0.5..500.0f64, 0.0..8.0f64),
            (1.0..500.0f64, 0.0..2000.0f64, 1..5usize, any::<bool>()),
        )
            .prop_map(
                |((tensors, tensor, embedding), (ms, cap, first), (link, us, micro_batches, no_sync))| Step {
                    tensors,
                    tensor: tensor * 1048576.0,
                    embedding: embedding * 1048576.0,
                    backward: ms * 1e-3,
                    cap: cap * 1048576.0,
                    first: first * 1048576.0,
                    link: link * 1e9,
                    alpha: us * 1e-6,
                    micro_batches,
                    no_sync,
                },
            )
    }

    proptest! {
        #[test]
        fn every_gradient_is_reduced_once(step in any_step()) {
            let timeline = step.run();
            let syncs = if step.no_sync { 1 } else { step.micro_batches };
            let bytes: f64 = timeline.buckets.iter().map(|b| b.bytes).sum();
            prop_assert!((bytes - syncs as f64 * step.gradient_bytes()).abs() < 1.0);
            prop_assert_eq!(step.fill().iter().map(|b| b.1).sum::<usize>(), step.tensors);
        }

        #[test]
        fn an_all_reduce_starts_when_its_bucket_is_full_and_the_stream_free(step in any_step()) {
            let timeline = step.run();
            for bucket in &timeline.buckets {
                prop_assert!(bucket.start >= bucket.ready - 1e-12);
            }
            for pair in timeline.buckets.windows(2) {
                prop_assert!(pair[1].start >= pair[0].end - 1e-12);
            }
        }

        #[test]
        fn pieces_of_the_network_lane_add_up(step in any_step()) {
            let timeline = step.run();
            let pieces = network_spans(&timeline, step.fill().len());
            let sum = |tone: Option<Tone>| {
                let chosen = pieces.iter().filter(|s| tone.is_none_or(|t| s.tone == t));
                chosen.map(|s| s.end - s.start).sum::<f64>()
            };
            prop_assert!((sum(None) - timeline.comm_busy()).abs() < 1e-9);
            prop_assert!((sum(Some(Tone::Exposed)) - total_exposed(&step, &timeline)).abs() < 1e-9);
        }

        #[test]
        fn what_is_exposed_is_at_least_the_last_bucket_and_at_most_all(step in any_step()) {
            let step = Step { micro_batches: 1, ..step };
            let timeline = step.run();
            let last = timeline.buckets.last().expect("a bucket");
            prop_assert!(timeline.exposed() >= last.end - last.start - 1e-12);
            prop_assert!(timeline.exposed() <= timeline.comm_busy() + 1e-12);
        }
    }
}
