//! Gradient buckets: when each is full, when its all-reduce runs, what backward does not hide.

use crate::sim::SimKind;
use crate::sim::output::{Results, outputs};
use crate::sim::parameter::{Number, Parameter, choices, knobs, plain, presets};
use crate::sim::picture::View;
use crate::sim::quantity::{self, GB_PER_S, MIB, MS, PERCENT, SECONDS, US, Unit};

mod cap;
mod step;
mod timeline;

use cap::cap_frame;
use step::{Step, Timeline, hidden_share, total_exposed};
use timeline::{bucket_table, lanes_view};

choices! {
    /// Which iteration is shown.
    pub(super) enum Iteration {
        /// Any but the first.
        Later = "later", "later ones";
        /// The first, with one bucket.
        First = "first", "the first";
    }
}

choices! {
    /// Whether only the last micro-batch communicates.
    pub(super) enum NoSync {
        /// It alone.
        On = "on", "on";
        /// Each does.
        Off = "off", "off";
    }
}

knobs! {
    tensors: Number = Parameter::doubling("gradient tensors", Unit::count("tensors"), (1.0, 96.0, 1024.0),
        "tensors of gradients, of equal size");
    tensor: Number = Parameter::sliding("a tensor", MIB, (0.01, 4.0, 4096.0, 1.0),
        "gradient bytes of a tensor").doubled();
    embedding: Number = Parameter::sliding("embedding", MIB, (0.0, 0.0, 16384.0, 64.0),
        "extra bytes of the first tensor, whose gradient comes last");
    backward: Number = Parameter::sliding("backward of a tensor", MS, (0.001, 0.5, 1000.0, 0.1),
        "backward time that gives one tensor's gradient; forward takes half of it");
    cap: Number = Parameter::sliding("bucket cap", MIB, (0.01, 25.0, 1_048_576.0, 25.0),
        "a bucket is sent when it holds this much").doubled();
    first: Number = Parameter::sliding("first bucket", MIB, (0.0, 1.0, 1024.0, 1.0),
        "cap of the first bucket, so that communication starts early; 0 is none");
    link: Number = Parameter::sliding("all-reduce rate", GB_PER_S, (0.1, 40.0, 2000.0, 5.0),
        "algbw: bucket bytes over the time of its all-reduce, so it includes ranks and ring");
    alpha: Number = Parameter::sliding("latency", US, (0.0, 600.0, 100_000.0, 100.0),
        "fixed time of every all-reduce; large here, so that you see it");
    iteration: Iteration = Parameter::choice("iteration", Iteration::OPTIONS,
        "the first iteration uses one bucket; the real ones are built after it");
    accumulate: Number = Parameter::doubling("micro-batches", Unit::count("micro-batches"), (1.0, 1.0, 32.0),
        "micro-batches accumulated before the optimizer step");
    no_sync: NoSync = Parameter::choice("no_sync", NoSync::OPTIONS,
        "whether only the last micro-batch communicates");
}

presets! {
    "96 tensors of 4 MiB" { tensors = 96.0, tensor = 4.0, backward = 0.5 }
    "one bucket" { cap = 1024.0, first = 0.0 }
    "tiny buckets" { cap = 1.0, first = 0.0 }
    "7B in bf16 on 8 nodes" {
        tensors = 256.0, tensor = 50.0, backward = 2.0, link = 180.0, alpha = 200.0, cap = 200.0
    }
    "8 micro-batches, no_sync" { accumulate = 8.0, no_sync = NoSync::On.place() }
    "a large embedding" { embedding = 256.0 }
}

/// The bucket simulator.
pub(super) const KIND: SimKind = SimKind {
    name: "buckets",
    title: "Gradient buckets",
    brief: "when gradients leave",
    about: "Backward fills buckets of gradients, last layer first; each full bucket is all-reduced while backward goes on. \
            What is left at the end is exposed.",
    parameters: PARAMETERS,
    presets: PRESETS,
    run,
};

fn run(values: &[f64]) -> Results {
    let knobs = &Knobs::read(values);
    let step = Step::new(knobs);
    let timeline = step.run();
    let mut run = Results::default();
    outputs(&mut run, knobs, (&step, &timeline));
    questions(&mut run, (&step, &timeline));
    run.views.push(lanes_view(&step, &timeline));
    run.views.push(View::lazy("exposed time over the cap", move || cap_frame(&step)).comparing(&[knob::cap]));
    run.views.push(bucket_table(&step, &timeline));
    if step.cap.is_infinite() {
        run.notes.push("the first iteration uses one bucket, so do not profile it".into());
    }
    if step.cap < step.tensor && step.cap.is_finite() {
        run.notes.push("a tensor is larger than the cap: every bucket holds one tensor".into());
    }
    run
}

fn outputs(run: &mut Results, knobs: &Knobs, (step, timeline): (&Step, &Timeline)) {
    let syncs = if step.no_sync { 1 } else { step.micro_batches };
    let busy = timeline.comm_busy();
    let exposed = total_exposed(step, timeline);
    let Knobs { tensors, tensor, embedding, backward, accumulate, alpha, link, .. } = knobs;
    let all = timeline.buckets.len();
    let sizes = || timeline.buckets.iter().map(|b| b.bytes);
    let largest = plain(sizes().fold(0.0, f64::max) / MIB.factor);
    outputs! { run;
        buckets "buckets a backward" [Unit::count("buckets")] = all as f64 / syncs as f64,
            "a bucket closes with the tensor that fills it to its cap; the last one holds what is left";
        gradients "gradients" [MIB]: "{tensors} * {tensor} + {embedding}";
        backward_time "forward and backward" [SECONDS]: "{tensors} * {backward} * 1.5 * {accumulate}";
        comm_time "all all-reduces together" [SECONDS] = busy,
            "latency plus bytes over the rate, summed over all buckets";
        step_time "step" [SECONDS] = timeline.comm_end.max(timeline.backward_end),
            "until both backward and the last all-reduce are done";
        exposed "exposed communication" [SECONDS] = exposed,
            "step minus forward and backward: the time in which only the network works";
        hidden_share "hidden behind compute" [PERCENT] = hidden_share(exposed, busy),
            "1 minus the exposed communication over the sum of the all-reduces";
        bucket_time "largest all-reduce" [SECONDS]: "send_time({largest} MiB, {alpha}, {link})";
        latency_time "latency of all-reduces" [SECONDS]: "{all} * {alpha}";
        reduced "bytes reduced in a step" [MIB] = sizes().sum::<f64>(),
            "the bytes of all buckets, of every micro-batch that communicates";
    }
}

fn questions(run: &mut Results, (step, timeline): (&Step, &Timeline)) {
    let buckets = run.value("buckets");
    run.ask(
        format!("How many buckets do {} of gradients make?", quantity::show(step.gradient_bytes(), MIB)),
        (buckets, Unit::count("buckets")),
        "A bucket closes as soon as it holds its cap; the first one may have a smaller cap.",
    );
    let sizes: Vec<f64> = timeline.buckets.iter().map(|b| b.bytes).take(buckets as usize).collect();
    run.here(added(&sizes));
    let one = Step { cap: f64::INFINITY, first: 0.0, ..*step }.run();
    run.ask(
        "How much would be exposed with one bucket for everything?",
        (total_exposed(step, &one), SECONDS),
        "The only bucket is full when backward ends, so all of its all-reduce is exposed: latency plus bytes over the link.",
    );
    let (bytes, link) = (quantity::show(step.gradient_bytes(), MIB), quantity::show(step.link, GB_PER_S));
    let exposed = total_exposed(step, &one);
    let is_one = (exposed - (step.alpha + step.gradient_bytes() / step.link)).abs() < 1e-9;
    let alpha = quantity::show(step.alpha, SECONDS);
    run.here(is_one.then(|| format!("{alpha} + {bytes} / {link} = {}", quantity::show(exposed, SECONDS))));
    let smaller = Step { cap: step.cap.min(step.gradient_bytes()) / 2.0, ..*step }.run();
    let change = total_exposed(step, &smaller) - total_exposed(step, timeline);
    let right = if change.abs() <= 1e-12 { 1 } else { usize::from(change > 0.0) * 2 };
    run.choose(
        "Halve the cap: does the exposed time fall, stay or rise?",
        (["fall", "stay", "rise"].map(str::to_owned).to_vec(), right),
        "It falls while the tail shrinks. It rises once there are so many latencies that the network cannot \
         keep up.",
    );
}

/// How sizes come to a sum: `4 MiB + 13 × 28 MiB + 16 MiB = 384 MiB, 15 buckets`.
fn added(sizes: &[f64]) -> String {
    let mut terms: Vec<(f64, usize)> = Vec::new();
    for size in sizes {
        match terms.last_mut() {
            Some((last, count)) if last == size => *count += 1,
            _ => terms.push((*size, 1)),
        }
    }
    let show = |(size, count): &(f64, usize)| match count {
        1 => quantity::show(*size, MIB),
        count => format!("{count} × {}", quantity::show(*size, MIB)),
    };
    let counts: Vec<String> = terms.iter().map(|(_, count)| count.to_string()).collect();
    let terms: Vec<String> = terms.iter().map(show).collect();
    let sum = quantity::show(sizes.iter().sum(), MIB);
    let count = quantity::counted(&sizes.len().to_string(), "buckets");
    match counts.len() {
        1 => format!("{} = {sum}, so {count}", terms.join(" + ")),
        _ => format!("{} = {sum}, so {} = {count}", terms.join(" + "), counts.join(" + ")),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::timeline::network_spans;
    use super::*;
    use crate::sim::picture::Tone;

    fn at(set: &[(&str, f64)]) -> Results {
        crate::sim::at(&KIND, set).run()
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
        let run = at(&[("iteration", Iteration::First.place())]);
        assert_eq!((run.value("buckets"), run.value("hidden_share")), (1.0, 0.0));
    }

    #[test]
    fn no_sync_sends_once_and_overlaps_only_the_last_backward() {
        let with = at(&[("accumulate", 8.0)]);
        let without = at(&[("accumulate", 8.0), ("no_sync", NoSync::Off.place())]);
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
