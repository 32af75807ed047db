//! Compute and network side by side, and the buckets one by one.

use super::step::Bucket;
use super::step::Step;
use super::step::Timeline;
use super::step::total_exposed;
use crate::sim::picture::{Lane, Lanes, Picture, Span, Table, Tone, View};
use crate::sim::quantity::{self, MIB, PERCENT, SECONDS};

/// What begins a bar of forward or backward.
const MANY: &str = "forward; the figure at its start is its micro-batch";

/// Lanes: compute, and the network with its hidden and exposed parts.
pub(super) fn lanes_view(step: &Step, timeline: &Timeline) -> View {
    let network = network_spans(timeline, step.fill().len());
    let end = timeline.comm_end.max(timeline.backward_end);
    let lanes = Lanes {
        unit: "s",
        end,
        lanes: vec![
            Lane { label: "compute".into(), spans: timeline.compute.clone() },
            Lane { label: "network".into(), spans: network },
        ],
        marks: vec![(timeline.backward_end, "backward ends".into())],
        names: Vec::new(),
        legend: vec![
            (Tone::Forward, if step.micro_batches > 1 { MANY } else { "forward; 0 is its micro-batch" }),
            (Tone::Backward, "backward"),
            (Tone::Hidden, "all-reduce, hidden"),
            (Tone::Exposed, "all-reduce, exposed"),
        ],
    };
    let (buckets, compute) = (timeline.buckets.clone(), timeline.compute.clone());
    let exposed = quantity::show(total_exposed(step, timeline), SECONDS);
    let busy = quantity::show(timeline.comm_busy() / end.max(f64::MIN_POSITIVE), PERCENT);
    View::timeline("timeline", lanes, move |lanes, now| {
        if now >= lanes.end {
            return format!("the network is busy for {busy} of the step; {exposed} of that is exposed");
        }
        let event = event_at(&buckets, &compute, now);
        format!("{}: {event}", quantity::show(now, SECONDS))
    })
}

/// What happens at a moment.
fn event_at(buckets: &[Bucket], compute: &[Span], now: f64) -> String {
    let is_now = |time: f64| (time - now).abs() <= 1e-9 * now.max(1e-3);
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
        said.push(match compute.iter().position(|span| is_now(span.start)) {
            Some(0) => "forward begins".into(),
            Some(at) if compute[at].tone == Tone::Backward => "forward ends, backward begins".into(),
            Some(at) => format!("backward ends, forward of micro-batch {} begins", compute[at].number),
            None => "backward ends".into(),
        });
    }
    said.join("; ")
}

/// The all-reduces, cut where compute starts or stops, so that every piece is hidden or exposed.
pub(super) fn network_spans(timeline: &Timeline, per_micro_batch: usize) -> Vec<Span> {
    let compute = &timeline.compute;
    let mut network = Vec::with_capacity(timeline.buckets.len());
    for (i, bucket) in timeline.buckets.iter().enumerate() {
        let (number, part) = (i as u32, (i / per_micro_batch.max(1)) as u32);
        let mut now = bucket.start;
        let mut next = compute.partition_point(|s| s.end <= bucket.start);
        while now < bucket.end {
            let busy = compute.get(next).filter(|s| s.start <= now);
            let until =
                busy.map(|s| s.end).or_else(|| compute.get(next).map(|s| s.start)).unwrap_or(bucket.end);
            let end = until.min(bucket.end);
            let tone = if busy.is_some() { Tone::Hidden } else { Tone::Exposed };
            if end > now {
                network.push(Span { start: now, end, tone, number, part });
            }
            next += usize::from(busy.is_some());
            now = end;
        }
    }
    network
}

pub(super) fn bucket_table(step: &Step, timeline: &Timeline) -> View {
    let mut exposed = vec![0.0; timeline.buckets.len()];
    for span in network_spans(timeline, step.fill().len()) {
        if span.tone == Tone::Exposed {
            exposed[span.number as usize] += span.end - span.start;
        }
    }
    let row = |(i, bucket): (usize, &Bucket)| {
        let time = |t| quantity::show(t, SECONDS);
        let cells = vec![
            (i + 1).to_string(),
            quantity::show(bucket.bytes, MIB),
            time(bucket.ready),
            time(bucket.start - bucket.ready),
            time(bucket.end),
            time(exposed[i]),
        ];
        (Tone::Empty, cells)
    };
    let table = Table {
        columns: ["#", "size", "full at", "waits", "done at", "exposed"].map(str::to_owned).to_vec(),
        rows: timeline.buckets.iter().enumerate().take(600).map(row).collect(),
    };
    View::still("buckets", "one stream: an all-reduce waits for the one before it", Picture::Table(table))
}
