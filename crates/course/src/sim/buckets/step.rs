//! A training step: buckets fill in backward, and their all-reduces follow one another.

use super::{Iteration, Knobs, NoSync};
use crate::sim::formula::collective;
use crate::sim::picture::{Span, Tone};

/// A model's backward and its buckets, in base units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Step {
    pub(super) tensors: usize,
    pub(super) tensor: f64,
    pub(super) embedding: f64,
    pub(super) backward: f64,
    pub(super) cap: f64,
    pub(super) first: f64,
    pub(super) link: f64,
    pub(super) alpha: f64,
    pub(super) micro_batches: usize,
    pub(super) no_sync: bool,
}

/// One bucket: how many bytes, when it is full, when its all-reduce runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Bucket {
    pub(super) bytes: f64,
    pub(super) ready: f64,
    pub(super) start: f64,
    pub(super) end: f64,
}

/// A whole step.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Timeline {
    /// The buckets of each micro-batch that communicates, in order.
    pub(super) buckets: Vec<Bucket>,
    /// Forward and backward spans of each micro-batch.
    pub(super) compute: Vec<Span>,
    /// When the last backward ends.
    pub(super) backward_end: f64,
    /// When the last all-reduce ends.
    pub(super) comm_end: f64,
}

impl Timeline {
    pub(super) fn exposed(&self) -> f64 {
        (self.comm_end - self.backward_end).max(0.0)
    }

    pub(super) fn comm_busy(&self) -> f64 {
        self.buckets.iter().map(|b| b.end - b.start).sum()
    }
}

impl Step {
    pub(super) fn new(knobs: &Knobs) -> Step {
        let only_one = knobs.iteration == Iteration::First;
        Step {
            tensors: knobs.tensors.count(),
            tensor: knobs.tensor.base(),
            embedding: knobs.embedding.base(),
            backward: knobs.backward.base(),
            cap: if only_one { f64::INFINITY } else { knobs.cap.base() },
            first: if only_one { 0.0 } else { knobs.first.base() },
            link: knobs.link.base(),
            alpha: knobs.alpha.base(),
            micro_batches: knobs.accumulate.count(),
            no_sync: knobs.no_sync == NoSync::On,
        }
    }

    pub(super) fn gradient_bytes(&self) -> f64 {
        self.tensors as f64 * self.tensor + self.embedding
    }

    /// Bytes and tensors of each bucket, in the order in which backward fills them.
    pub(super) fn fill(&self) -> Vec<(f64, usize)> {
        let mut buckets = Vec::new();
        let (mut bytes, mut count) = (0.0, 0);
        let mut limit = if self.first > 0.0 { self.first } else { self.cap };
        for tensor in (0..self.tensors).rev() {
            bytes += self.tensor + if tensor == 0 { self.embedding } else { 0.0 };
            count += 1;
            // tensors that add up to the cap exactly fill it, whatever their sum is rounded to
            if bytes >= limit * (1.0 - 1e-9) {
                buckets.push((bytes, count));
                (bytes, count, limit) = (0.0, 0, self.cap);
            }
        }
        if count > 0 {
            buckets.push((bytes, count));
        }
        buckets
    }

    pub(super) fn run(&self) -> Timeline {
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
                    timeline.buckets.push(Bucket { bytes: *bytes, ready: clock, start: begin, end: free });
                }
            }
            timeline.compute.push(Span { start, end: clock, tone: Tone::Backward, number, part: 0 });
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

fn compute_time(timeline: &Timeline) -> f64 {
    timeline.compute.iter().map(|s| s.end - s.start).sum()
}

/// All time in which only the network works, also between micro-batches.
pub(super) fn total_exposed(step: &Step, timeline: &Timeline) -> f64 {
    let whole = timeline.comm_end.max(timeline.backward_end) - compute_time(timeline);
    let exact = if step.no_sync || step.micro_batches == 1 { timeline.exposed() } else { whole };
    exact.max(0.0)
}

pub(super) fn hidden_share(exposed: f64, busy: f64) -> f64 {
    match busy > 0.0 {
        // what is left of rounding is nothing
        true if exposed >= busy * (1.0 - 1e-9) => 0.0,
        true => (1.0 - exposed / busy).clamp(0.0, 1.0),
        false => 1.0,
    }
}
