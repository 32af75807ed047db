//! Gradient buckets: a GPU that computes and a network that reduces, each with its own clock.

use infralens_course::sim::picture::Tone;

use super::shown::{agree_in_all, busy, cells, curve, marks, near, number};
use super::{Dice, SETTINGS, Set, tell};

/// Sizes are whole hundredths of a MiB, so that a bucket is full exactly when it is full.
const HUNDREDTH: f64 = 1024.0 * 1024.0 / 100.0;

/// A backward pass to run.
struct Job {
    tensors: usize,
    tensor: usize,
    embedding: usize,
    /// Seconds of backward a tensor.
    backward: f64,
    /// Hundredths of a MiB; without a cap everything is one bucket.
    cap: Option<f64>,
    first: usize,
    rate: f64,
    alpha: f64,
    micro_batches: usize,
    no_sync: bool,
}

/// A bucket: its bytes, when it is full, when its all-reduce begins and ends, how long that sticks out.
#[derive(Clone, Copy)]
struct Bucket {
    bytes: f64,
    full: f64,
    begins: f64,
    done: f64,
    exposed: f64,
}

#[derive(Default)]
struct Ran {
    end: f64,
    computing: f64,
    reducing: f64,
    exposed: f64,
    sent: f64,
    waits_for_latency: f64,
    largest: f64,
    /// The buckets of each micro-batch that communicates.
    buckets: Vec<Vec<Bucket>>,
}

impl Job {
    fn run(&self) -> Ran {
        let mut ran = Ran::default();
        let mut now = 0.0;
        for micro_batch in 1..=self.micro_batches {
            let communicates = !self.no_sync || micro_batch == self.micro_batches;
            now += self.tensors as f64 * self.backward / 2.0;
            let mut full = Vec::new();
            let mut held = 0;
            for tensor in (0..self.tensors).rev() {
                now += self.backward;
                held += self.tensor + if tensor == 0 { self.embedding } else { 0 };
                let first = full.is_empty() && self.first > 0;
                let limit = self.cap.map_or(f64::INFINITY, |cap| if first { self.first as f64 } else { cap });
                if held as f64 >= limit || tensor == 0 {
                    full.push((now, held as f64 * HUNDREDTH));
                    held = 0;
                }
            }
            ran.computing += self.tensors as f64 * self.backward * 1.5;
            if !communicates {
                continue;
            }
            // The network takes one bucket after the other; backward is over once the last is done.
            let mut free = 0.0f64;
            let mut buckets = Vec::new();
            for (full, bytes) in full {
                let begins = free.max(full);
                let takes = self.alpha + bytes / self.rate;
                free = begins + takes;
                let exposed = (free - begins.max(now)).max(0.0);
                buckets.push(Bucket { bytes, full, begins, done: free, exposed });
                ran.reducing += takes;
                ran.waits_for_latency += self.alpha;
                ran.sent += bytes;
                ran.largest = ran.largest.max(takes);
                ran.exposed += exposed;
            }
            ran.buckets.push(buckets);
            now = now.max(free);
        }
        ran.end = now;
        ran
    }
}

#[test]
fn buckets_fill_and_drain_on_two_clocks() {
    let mut dice = Dice(101);
    for turn in 0..SETTINGS + 50 {
        let edge = turn >= SETTINGS;
        let tensors = if edge { dice.of(&[1, 2, 1024]) } else { dice.from(1, 120) };
        let tensor = if edge { dice.of(&[1, 10, 409_600]) } else { dice.from(1, 3200) };
        let embedding = if dice.from(0, 2) == 0 { 0 } else { dice.from(1, 30_000) };
        // now and then a cap that whole tensors fill exactly
        let cap = match dice.from(0, 2) {
            0 => (tensor * dice.from(1, 12)).min(104_857_600),
            _ => dice.from(1, 40_000),
        };
        let (first, us) = (dice.of(&[0, 100, 700, 50_000]), dice.of(&[0, 30, 600, 2000, 100_000]));
        let (backward, link) = (dice.between(0.001, 3.0), dice.between(0.1, 300.0));
        let (m, no_sync) = (dice.of(&[1, 1, 2, 3, 8, 32]), dice.of(&[true, false]));
        let later = dice.from(0, 4) > 0;
        let set = Set::default()
            .with("tensors", tensors)
            .with("tensor", tensor as f64 / 100.0)
            .with("embedding", embedding as f64 / 100.0)
            .with("backward", backward)
            .with("cap", cap as f64 / 100.0)
            .with("first", first as f64 / 100.0)
            .with("link", link)
            .with("alpha", us)
            .with("iteration", if later { "later ones" } else { "the first" })
            .with("accumulate", m)
            .with("no_sync", if no_sync { "on" } else { "off" });
        let job = Job {
            tensors,
            tensor,
            embedding,
            backward: backward / 1e3,
            cap: later.then_some(cap as f64),
            first,
            rate: link * 1e9,
            alpha: us as f64 / 1e6,
            micro_batches: m,
            no_sync,
        };
        let ran = job.run();
        let run = set.run("buckets");
        let last = ran.buckets.last().expect("the last micro-batch communicates");
        agree_in_all(
            &run,
            &set,
            &[
                ("buckets", last.len() as f64),
                ("gradients", (tensors * tensor + embedding) as f64 * HUNDREDTH),
                ("backward_time", ran.computing),
                ("comm_time", ran.reducing),
                ("step_time", ran.end),
                ("exposed", ran.end - ran.computing),
                ("hidden_share", 1.0 - ran.exposed / ran.reducing),
                ("bucket_time", ran.largest),
                ("latency_time", ran.waits_for_latency),
                ("reduced", ran.sent),
            ],
        );
        let bit = ran.end * 1e-9;
        near(ran.end - ran.computing, ran.exposed, bit, "exposed, bucket by bucket", &set);
        let lanes = busy(&run, "timeline", &[Tone::Forward, Tone::Backward]);
        near(lanes[0], ran.computing, bit, "compute lane", &set);
        near(busy(&run, "timeline", &[Tone::Exposed])[1], ran.exposed, bit, "exposed in the lane", &set);
        near(
            busy(&run, "timeline", &[Tone::Hidden])[1],
            ran.reducing - ran.exposed,
            bit,
            "hidden in the lane",
            &set,
        );
        if later {
            caps(&run, &set, job, ran.end - ran.computing);
        }
        rows(&run, &set, &ran.buckets.concat());
    }
    tell();
}

/// The curve over the cap, each point of it run.
fn caps(run: &infralens_course::sim::Results, set: &Set, mut job: Job, here: f64) {
    let title = "exposed time over the cap";
    let points = curve(run, title, "exposed");
    assert!(!points.is_empty(), "{set:?}");
    let mut least = f64::INFINITY;
    for (cap, exposed) in points {
        job.cap = Some(cap / HUNDREDTH);
        let ran = job.run();
        near(exposed, ran.end - ran.computing, ran.end * 1e-9, &format!("exposed at a cap of {cap}"), set);
        least = least.min(exposed);
    }
    for (cap, exposed, name) in marks(run, title) {
        if name == "here" {
            near(exposed, here, 1e-9, "exposed here", set);
            continue;
        }
        job.cap = Some(cap / HUNDREDTH);
        let ran = job.run();
        near(exposed, ran.end - ran.computing, ran.end * 1e-9, &name, set);
        assert!(exposed <= least * 1.01 + 1e-9, "{exposed} is not the least, {least} is: {set:?}");
    }
}

/// The table of all buckets.
fn rows(run: &infralens_course::sim::Results, set: &Set, buckets: &[Bucket]) {
    let table = cells(run, "buckets");
    assert_eq!(table.len(), buckets.len().min(600), "{set:?}");
    for (row, bucket) in table.iter().zip(buckets) {
        let waits = bucket.begins - bucket.full;
        for (cell, counted) in
            row[1..].iter().zip([bucket.bytes, bucket.full, waits, bucket.done, bucket.exposed])
        {
            near(number(cell), counted, 1e-9, &format!("bucket {}", row[0]), set);
        }
    }
}
