//! The orders of work on each stage, and the clock that runs them.
//!
//! An order says what a stage does one after another; the clock starts each piece as soon as the stage is free and what
//! it needs has arrived. Times are in units of one forward pass of a whole stage.

use crate::sim::formula::pipeline as formula;
use crate::sim::parameter::choices;
use crate::sim::picture::{Span, Tone};

choices! {
    /// A pipeline schedule.
    pub(in crate::sim) enum Schedule {
        /// All forwards, then all backwards.
        GPipe = "gpipe", "GPipe";
        /// One forward, one backward, after a warm-up of p-1-r.
        OneF1B = "1f1b", "1F1B";
        /// 1F1B over several chunks of layers on each stage.
        Interleaved = "interleaved", "interleaved 1F1B";
        /// 1F1B with the weight gradients moved into the bubble, at the same memory.
        ZeroBubbleH1 = "zb-h1", "zero-bubble ZB-H1";
    }
}

/// What a stage does with a micro-batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Work {
    Forward,
    Backward,
    /// The second half of backward, where a schedule parts it: weight gradients.
    Weights,
}

/// All kinds of work, in their order.
const WORKS: [Work; 3] = [Work::Forward, Work::Backward, Work::Weights];

#[derive(Debug, Clone, Copy)]
struct Piece {
    work: Work,
    micro_batch: u32,
    chunk: u32,
}

/// A pipeline to run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::sim) struct Pipeline {
    pub(in crate::sim) schedule: Schedule,
    pub(in crate::sim) stages: usize,
    /// Whole rounds of the stages where there are several chunks.
    pub(in crate::sim) micro_batches: usize,
    /// Chunks on each stage; 1 but for the interleaved schedule.
    pub(in crate::sim) chunks: usize,
    /// Backward over forward.
    pub(in crate::sim) backward: f64,
    /// Time for a message from stage to stage.
    pub(in crate::sim) send: f64,
    /// The stage that is slower, and how many times.
    pub(in crate::sim) slow: (usize, f64),
}

/// What came of a run.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Outcome {
    /// When the last stage is done.
    pub(super) total: f64,
    /// Busy time of each stage.
    pub(super) busy: Vec<f64>,
    /// The most micro-batches whose activations each stage keeps at once; a chunk counts as its share.
    pub(super) live: Vec<f64>,
    /// What each stage did, in order of time. Empty where it was not asked for.
    pub(super) spans: Vec<Vec<Span>>,
}

impl Outcome {
    /// The share of all stages' time in which they are idle.
    pub(super) fn idle(&self) -> f64 {
        let whole = self.total * self.busy.len() as f64;
        if whole > 0.0 { 1.0 - self.busy.iter().sum::<f64>() / whole } else { 0.0 }
    }

    /// The same idle time over the time in which stages work.
    pub(super) fn idle_over_work(&self) -> f64 {
        let idle = self.idle().max(0.0);
        idle / (1.0 - idle)
    }
}

impl Default for Pipeline {
    /// One stage under 1F1B, to be interleaved where it has chunks; all stages equal, messages free.
    fn default() -> Pipeline {
        let schedule = Schedule::Interleaved;
        Pipeline {
            schedule,
            stages: 1,
            micro_batches: 1,
            chunks: 1,
            backward: 2.0,
            send: 0.0,
            slow: (0, 1.0),
        }
    }
}

impl Pipeline {
    /// How much longer the step takes than with free messages, under 1F1B with equal stages.
    pub(in crate::sim) fn waited(&self) -> f64 {
        let [p, m, v] = [self.stages, self.micro_batches, self.chunks].map(|n| n as f64);
        if self.chunks == 1 {
            return formula::messages_waited(p, m) * self.send;
        }
        if self.send <= self.backward.min(1.0) / v {
            return formula::messages_waited_interleaved(p, v) * self.send;
        }
        // What chunks cannot hide adds up, by the same amount every few rounds once the pipeline is full.
        const FULL: usize = 8;
        let waited = |rounds: usize| {
            let micro_batches = rounds * self.stages;
            let free = (micro_batches as f64 + (p - 1.0) / v) * (1.0 + self.backward);
            Pipeline { micro_batches, ..*self }.run(false).total - free
        };
        let rounds = self.micro_batches.div_ceil(self.stages);
        let first = waited(rounds.min(FULL));
        let more = rounds.saturating_sub(FULL) as f64;
        if more > 0.0 { first + more * (first - waited(FULL / 2)) / (FULL / 2) as f64 } else { first }
    }

    /// How many times as much as without chunks the stage sends that sends most. A middle stage sends both ways for
    /// each chunk. Of two stages each sends one way less, and alone it sends nothing.
    pub(super) fn times_sent(&self) -> usize {
        match self.stages {
            1 => 1,
            2 => 2 * self.chunks - 1,
            _ => self.chunks,
        }
    }

    /// What stage `r` does, in order.
    fn order(&self, r: usize) -> Vec<Piece> {
        match self.schedule {
            Schedule::GPipe => self.gpipe(),
            Schedule::Interleaved if self.chunks > 1 => self.interleaved(r),
            Schedule::OneF1B | Schedule::Interleaved => self.warmed_up(self.stages - 1 - r, usize::MAX),
            Schedule::ZeroBubbleH1 => self.warmed_up(self.stages - 1 - r, r),
        }
    }

    fn gpipe(&self) -> Vec<Piece> {
        let all = |work| {
            (0..self.micro_batches as u32).map(move |micro_batch| Piece { work, micro_batch, chunk: 0 })
        };
        all(Work::Forward).chain(all(Work::Backward)).collect()
    }

    /// 1F1B after `warm` forwards. Weight gradients stay `behind` micro-batches behind their input gradients;
    /// `usize::MAX` means that backward is not parted.
    fn warmed_up(&self, warm: usize, behind: usize) -> Vec<Piece> {
        let m = self.micro_batches;
        let warm = warm.min(m);
        let piece = |work, i: usize| Piece { work, micro_batch: i as u32, chunk: 0 };
        let mut order: Vec<Piece> = (0..warm).map(|i| piece(Work::Forward, i)).collect();
        let mut weights = 0;
        for i in 0..m {
            if warm + i < m {
                order.push(piece(Work::Forward, warm + i));
            }
            order.push(piece(Work::Backward, i));
            if behind != usize::MAX && i >= behind {
                order.push(piece(Work::Weights, weights));
                weights += 1;
            }
        }
        if behind != usize::MAX {
            order.extend((weights..m).map(|i| piece(Work::Weights, i)));
        }
        order
    }

    /// 1F1B over chunks, in rounds of as many micro-batches as there are stages.
    fn interleaved(&self, r: usize) -> Vec<Piece> {
        let (p, v, n) = (self.stages, self.chunks, self.micro_batches * self.chunks);
        let forward = |k: usize| Piece {
            work: Work::Forward,
            micro_batch: (k / (p * v) * p + k % p) as u32,
            chunk: (k / p % v) as u32,
        };
        let backward = |k: usize| {
            let f = forward(k);
            Piece { work: Work::Backward, chunk: v as u32 - 1 - f.chunk, ..f }
        };
        let warm = (2 * (p - r - 1) + (v - 1) * p).min(n);
        let mut order: Vec<Piece> = (0..warm).map(forward).collect();
        for k in 0..n - warm {
            order.push(forward(warm + k));
            order.push(backward(k));
        }
        order.extend((n - warm..n).map(backward));
        order
    }

    fn parts_backward(&self) -> bool {
        self.schedule == Schedule::ZeroBubbleH1
    }

    fn cost(&self, work: Work, stage: usize) -> f64 {
        let slow = if self.slow.0 == stage { self.slow.1 } else { 1.0 };
        let share = match work {
            Work::Forward => 1.0,
            Work::Backward if self.parts_backward() => self.backward / 2.0,
            Work::Backward => self.backward,
            Work::Weights => self.backward / 2.0,
        };
        share * slow / self.chunks as f64
    }

    /// Runs the schedule; keeps every span only where `keep` says so.
    pub(super) fn run(&self, keep: bool) -> Outcome {
        let mut clock = Clock::new(self);
        let room = |order: &Vec<Piece>| Vec::with_capacity(order.len());
        let mut outcome = Outcome {
            busy: vec![0.0; self.stages],
            spans: if keep { clock.orders.iter().map(room).collect() } else { Vec::new() },
            ..Outcome::default()
        };
        for r in 0..self.stages {
            self.run_stage(r, &mut clock, &mut outcome);
        }
        // A stage that ran may free its neighbours: sweep up and down until nothing moves.
        let mut upward = false;
        loop {
            let before = clock.run;
            for i in 0..self.stages {
                let r = if upward { i } else { self.stages - 1 - i };
                self.run_stage(r, &mut clock, &mut outcome);
            }
            if clock.run == before {
                break;
            }
            upward = !upward;
        }
        debug_assert!(clock.is_done(), "the order cannot run: {self:?}");
        outcome.total = clock.free.iter().copied().fold(0.0, f64::max);
        outcome.live = clock.most.iter().map(|most| *most as f64 / self.chunks as f64).collect();
        outcome
    }

    /// Runs what stage `r` can do now.
    fn run_stage(&self, r: usize, clock: &mut Clock, outcome: &mut Outcome) {
        while let Some(piece) = clock.orders[r].get(clock.next[r]).copied() {
            let Some(ready) = clock.ready(self, r, piece) else {
                break;
            };
            let start = clock.free[r].max(ready);
            let end = start + clock.costs[r][piece.work as usize];
            clock.finish(self, r, piece, end);
            outcome.busy[r] += end - start;
            if let Some(spans) = outcome.spans.get_mut(r) {
                let tone = match piece.work {
                    Work::Forward => Tone::Forward,
                    Work::Backward => Tone::Backward,
                    Work::Weights => Tone::WeightGrad,
                };
                spans.push(Span { start, end, tone, number: piece.micro_batch, part: piece.chunk });
            }
        }
    }
}

/// Where every stage stands.
struct Clock {
    orders: Vec<Vec<Piece>>,
    next: Vec<usize>,
    free: Vec<f64>,
    /// Chunks of micro-batches whose activations each stage keeps now, and the most so far.
    live: Vec<usize>,
    most: Vec<usize>,
    /// What each kind of work costs on each stage.
    costs: Vec<[f64; 3]>,
    /// When forward and backward of a micro-batch on a global stage are done; NaN before.
    forward: Vec<f64>,
    backward: Vec<f64>,
    run: usize,
}

impl Clock {
    fn new(pipeline: &Pipeline) -> Clock {
        let slots = pipeline.micro_batches * pipeline.stages * pipeline.chunks;
        Clock {
            orders: (0..pipeline.stages).map(|r| pipeline.order(r)).collect(),
            next: vec![0; pipeline.stages],
            free: vec![0.0; pipeline.stages],
            live: vec![0; pipeline.stages],
            most: vec![0; pipeline.stages],
            costs: (0..pipeline.stages).map(|r| WORKS.map(|work| pipeline.cost(work, r))).collect(),
            forward: vec![f64::NAN; slots],
            backward: vec![f64::NAN; slots],
            run: 0,
        }
    }

    fn is_done(&self) -> bool {
        self.orders.iter().zip(&self.next).all(|(order, next)| order.len() == *next)
    }

    /// Layers run through global stages: chunk 0 on all ranks, then chunk 1.
    fn slot(pipeline: &Pipeline, micro_batch: u32, global: usize) -> usize {
        micro_batch as usize * pipeline.stages * pipeline.chunks + global
    }

    /// When what a piece needs has arrived; `None` while it is not done.
    fn ready(&self, pipeline: &Pipeline, r: usize, piece: Piece) -> Option<f64> {
        let global = piece.chunk as usize * pipeline.stages + r;
        let slot = Clock::slot(pipeline, piece.micro_batch, global);
        let last = pipeline.stages * pipeline.chunks - 1;
        // a stage alone hands its chunks on to itself
        let send = if pipeline.stages > 1 { pipeline.send } else { 0.0 };
        let ready = match piece.work {
            Work::Forward if global == 0 => 0.0,
            Work::Forward => self.forward[slot - 1] + send,
            Work::Backward if global == last => self.forward[slot],
            Work::Backward => self.backward[slot + 1] + send,
            Work::Weights => self.backward[slot],
        };
        (!ready.is_nan()).then_some(ready)
    }

    fn finish(&mut self, pipeline: &Pipeline, r: usize, piece: Piece, end: f64) {
        let slot = Clock::slot(pipeline, piece.micro_batch, piece.chunk as usize * pipeline.stages + r);
        match piece.work {
            Work::Forward => {
                self.forward[slot] = end;
                self.live[r] += 1;
                self.most[r] = self.most[r].max(self.live[r]);
            }
            Work::Backward => self.backward[slot] = end,
            Work::Weights => {}
        }
        // Activations are freed by the last piece that reads them.
        let frees = if pipeline.parts_backward() { Work::Weights } else { Work::Backward };
        if piece.work == frees {
            self.live[r] -= 1;
        }
        self.free[r] = end;
        self.next[r] += 1;
        self.run += 1;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::sim::formula::pipeline as formula;

    fn pipeline(schedule: Schedule, stages: usize, micro_batches: usize, chunks: usize) -> Pipeline {
        Pipeline { schedule, stages, micro_batches, chunks, backward: 2.0, send: 0.0, slow: (0, 1.0) }
    }

    #[test]
    fn totals_idle_and_live_are_those_of_the_schedule_lab() {
        let gpipe = pipeline(Schedule::GPipe, 4, 8, 1).run(false);
        let one = pipeline(Schedule::OneF1B, 4, 8, 1).run(false);
        let two = pipeline(Schedule::Interleaved, 4, 8, 2).run(false);
        assert_eq!((gpipe.total, gpipe.live.clone()), (33.0, vec![8.0; 4]));
        assert_eq!((one.total, one.live.clone()), (33.0, vec![4.0, 3.0, 2.0, 1.0]));
        assert_eq!((two.total, two.live.clone()), (28.5, vec![5.5, 4.5, 3.5, 2.5]));
        assert!((gpipe.idle() - 0.2727).abs() < 5e-5 && (two.idle() - 0.1579).abs() < 5e-5);
        let slow = |r| Pipeline { slow: (r, 1.5), ..pipeline(Schedule::OneF1B, 4, 8, 1) }.run(false).total;
        assert_eq!([0, 1, 2, 3].map(slow), [40.5, 42.0, 43.5, 45.0]);
        let gpipe_slow =
            |r| Pipeline { slow: (r, 1.5), ..pipeline(Schedule::GPipe, 4, 8, 1) }.run(false).total;
        assert_eq!([0, 3].map(gpipe_slow), [45.0, 45.0]);
    }

    #[test]
    fn the_gantt_chart_is_that_of_the_schedule_lab() {
        let outcome = pipeline(Schedule::OneF1B, 4, 8, 1).run(true);
        let row = |r: usize| {
            let mut row = vec!['.'; 33];
            for span in &outcome.spans[r] {
                let glyph = crate::sim::plain::span_glyph(span.tone, span.number);
                row[span.start as usize..span.end as usize].fill(glyph);
            }
            row.into_iter().collect::<String>()
        };
        assert_eq!(row(0), "0123......aa4bb5cc6dd7ee.ff.gg.hh");
        assert_eq!(row(3), "...0aa1bb2cc3dd4ee5ff6gg7hh......");
    }

    #[test]
    fn closed_forms_hold() {
        for p in [1, 2, 3, 4, 8, 16] {
            for m in [p, 2 * p, 5 * p] {
                let (stages, batches) = (p as f64, m as f64);
                for schedule in [Schedule::GPipe, Schedule::OneF1B] {
                    let idle = pipeline(schedule, p, m, 1).run(false).idle();
                    assert!(
                        (idle - formula::bubble_fraction(stages, batches)).abs() < 1e-9,
                        "{schedule:?} {p} {m}"
                    );
                }
                for v in 1..4usize {
                    let idle = pipeline(Schedule::Interleaved, p, m, v).run(false).idle();
                    let expected = formula::bubble_fraction_interleaved(stages, batches, v as f64);
                    assert!((idle - expected).abs() < 1e-9, "interleaved {p} {m} {v}: {idle} {expected}");
                }
                let zero = pipeline(Schedule::ZeroBubbleH1, p, m, 1).run(false);
                let bubble = formula::zero_bubble_h1_time(stages, 1.0, 1.0, 1.0);
                assert!((zero.total - 3.0 * batches - bubble).abs() < 1e-9, "zero bubble {p} {m}");
                assert!(
                    zero.live.iter().all(|live| *live <= stages),
                    "no more memory than 1F1B: {:?}",
                    zero.live
                );
            }
        }
    }

    #[test]
    fn interleaving_keeps_more_activations_alive() {
        for (p, v) in [(4, 2), (8, 2), (4, 4)] {
            let live = pipeline(Schedule::Interleaved, p, 8 * p, v).run(false).live[0];
            let expected = p as f64 * formula::interleaved_activation_factor(p as f64, v as f64);
            assert!((live - expected).abs() < 1e-9, "{p} {v}: {live} {expected}");
        }
    }

    fn any_pipeline() -> impl Strategy<Value = Pipeline> {
        (0..4usize, 1..7usize, 1..12usize, 1..4usize, (0.1..4.0, 0.0..2.0), (0..6usize, 1.0..3.0)).prop_map(
            |(schedule, stages, m, chunks, (backward, send), slow)| {
                let schedule = Schedule::ALL[schedule];
                let interleaved = schedule == Schedule::Interleaved;
                let micro_batches = if interleaved { m.div_ceil(stages) * stages } else { m };
                let chunks = if interleaved { chunks } else { 1 };
                Pipeline { schedule, stages, micro_batches, chunks, backward, send, slow }
            },
        )
    }

    proptest! {
        #[test]
        fn schedules_respect_their_dependencies(pipeline in any_pipeline()) {
            let outcome = pipeline.run(true);
            let find = |r: usize, tone, number, part| {
                outcome.spans[r].iter().find(|s| (s.tone, s.number, s.part) == (tone, number, part)).copied()
            };
            for (r, spans) in outcome.spans.iter().enumerate() {
                let each = if pipeline.parts_backward() { 3 } else { 2 };
                prop_assert_eq!(spans.len(), each * pipeline.micro_batches * pipeline.chunks);
                for pair in spans.windows(2) {
                    prop_assert!(pair[1].start >= pair[0].end - 1e-9, "a stage does one thing at a time");
                }
                for span in spans {
                    let global = span.part as usize * pipeline.stages + r;
                    let last = pipeline.stages * pipeline.chunks - 1;
                    let send = if pipeline.stages > 1 { pipeline.send } else { 0.0 };
                    let at = |global: usize| (global % pipeline.stages, (global / pipeline.stages) as u32);
                    let needs = match span.tone {
                        Tone::Forward if global > 0 => Some((at(global - 1), Tone::Forward, send)),
                        Tone::Backward if global == last => Some((at(global), Tone::Forward, 0.0)),
                        Tone::Backward => Some((at(global + 1), Tone::Backward, send)),
                        Tone::WeightGrad => Some((at(global), Tone::Backward, 0.0)),
                        _ => None,
                    };
                    if let Some(((stage, chunk), tone, send)) = needs {
                        // what a stage hands to itself crosses no link
                        let send = if stage == r { 0.0 } else { send };
                        let before = find(stage, tone, span.number, chunk).expect("it was done");
                        prop_assert!(span.start >= before.end + send - 1e-9);
                    }
                }
            }
        }

        #[test]
        fn the_step_is_never_shorter_than_the_slowest_stages_work(pipeline in any_pipeline()) {
            let outcome = pipeline.run(false);
            let busiest = outcome.busy.iter().copied().fold(0.0, f64::max);
            prop_assert!(outcome.total >= busiest - 1e-9);
            prop_assert!((0.0..1.0).contains(&outcome.idle().max(0.0)));
        }
    }
}
