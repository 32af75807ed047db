//! Pipelines: every stage is an actor with a list of what it does, and waits for the message that it needs.

use std::collections::BTreeMap;

use infralens_course::sim::Results;
use infralens_course::sim::picture::Tone;

use super::shown::{agree_in_all, bars, busy, cells, curve, near, number};
use super::{Dice, SETTINGS, Set, tell};

/// What a stage does with a micro-batch on one of its chunks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Work {
    Forward,
    /// The whole backward, or the input gradient where it is split.
    Backward,
    Weights,
}

type Task = (Work, usize, usize);

#[derive(Clone, Copy, PartialEq)]
enum Schedule {
    GPipe,
    OneByOne,
    Interleaved,
    Split,
}

/// The pipeline of a setting.
#[derive(Clone, Copy)]
struct Job {
    schedule: Schedule,
    p: usize,
    m: usize,
    v: usize,
    backward: f64,
    send: f64,
    slow: (usize, f64),
}

/// What came out: the end, the busy time and the most that is alive on each stage, messages that each sends.
struct Ran {
    end: f64,
    busy: Vec<f64>,
    alive: Vec<f64>,
    sent: Vec<usize>,
}

impl Job {
    /// The tasks of a stage in order, as the lesson draws them.
    fn tasks(&self, stage: usize) -> Vec<Task> {
        let (p, m, v) = (self.p, self.m, self.v);
        let mut tasks = Vec::new();
        match self.schedule {
            Schedule::GPipe => {
                tasks.extend((0..m).map(|i| (Work::Forward, i, 0)));
                tasks.extend((0..m).map(|i| (Work::Backward, i, 0)));
            }
            // In rounds of p micro-batches through one chunk after the other; backward through the chunks from the last.
            Schedule::Interleaved if v > 1 => {
                let turn = |n: usize| (n / (p * v) * p + n % p, n % (p * v) / p);
                let ahead = (2 * (p - 1 - stage) + (v - 1) * p).min(m * v);
                for n in 0..m * v {
                    if n == 0 {
                        tasks.extend((0..ahead).map(turn).map(|(i, k)| (Work::Forward, i, k)));
                    }
                    if ahead + n < m * v {
                        let (i, k) = turn(ahead + n);
                        tasks.push((Work::Forward, i, k));
                    }
                    let (i, k) = turn(n);
                    tasks.push((Work::Backward, i, v - 1 - k));
                }
            }
            _ => {
                let ahead = (p - 1 - stage).min(m);
                tasks.extend((0..ahead).map(|i| (Work::Forward, i, 0)));
                for i in 0..m {
                    if ahead + i < m {
                        tasks.push((Work::Forward, ahead + i, 0));
                    }
                    tasks.push((Work::Backward, i, 0));
                    // weight gradients lag by as many micro-batches as there are stages before
                    if self.schedule == Schedule::Split && i >= stage {
                        tasks.push((Work::Weights, i - stage, 0));
                    }
                }
                if self.schedule == Schedule::Split {
                    tasks.extend((m.saturating_sub(stage)..m).map(|i| (Work::Weights, i, 0)));
                }
            }
        }
        tasks
    }

    /// Chunks that there really are.
    fn chunks(&self) -> usize {
        if self.schedule == Schedule::Interleaved { self.v } else { 1 }
    }

    fn takes(&self, work: Work, stage: usize) -> f64 {
        let slow = if stage == self.slow.0 { self.slow.1 } else { 1.0 };
        let split = if self.schedule == Schedule::Split { 2.0 } else { 1.0 };
        let whole = if work == Work::Forward { 1.0 } else { self.backward / split };
        slow * whole / self.chunks() as f64
    }

    /// The task on another place of the chain that this one waits for, if any.
    fn waits_for(&self, (work, i, k): Task, stage: usize) -> Option<(usize, Task)> {
        let last = self.p * self.chunks() - 1;
        let place = k * self.p + stage;
        let at = |place: usize, work| (place % self.p, (work, i, place / self.p));
        match work {
            Work::Forward if place == 0 => None,
            Work::Forward => Some(at(place - 1, Work::Forward)),
            Work::Backward if place == last => Some(at(place, Work::Forward)),
            Work::Backward => Some(at(place + 1, Work::Backward)),
            Work::Weights => Some(at(place, Work::Backward)),
        }
    }

    fn run(&self) -> Ran {
        let lists: Vec<Vec<Task>> = (0..self.p).map(|stage| self.tasks(stage)).collect();
        let mut done: BTreeMap<(usize, Task), f64> = BTreeMap::new();
        let (mut next, mut clock) = (vec![0; self.p], vec![0.0f64; self.p]);
        let mut busy = vec![0.0; self.p];
        while (0..self.p).any(|stage| next[stage] < lists[stage].len()) {
            let mut moved = false;
            for stage in 0..self.p {
                while let Some(task) = lists[stage].get(next[stage]) {
                    let ready = match self.waits_for(*task, stage) {
                        None => Some(0.0),
                        Some((from, needed)) => done
                            .get(&(from, needed))
                            .map(|end| end + if from == stage { 0.0 } else { self.send }),
                    };
                    let Some(ready) = ready else { break };
                    let takes = self.takes(task.0, stage);
                    clock[stage] = clock[stage].max(ready) + takes;
                    busy[stage] += takes;
                    done.insert((stage, *task), clock[stage]);
                    next[stage] += 1;
                    moved = true;
                }
            }
            assert!(moved, "the pipeline stands still");
        }
        let last_use = if self.schedule == Schedule::Split { Work::Weights } else { Work::Backward };
        let alive = lists.iter().map(|list| {
            let (mut now, mut most) = (0usize, 0usize);
            for (work, ..) in list {
                now += usize::from(*work == Work::Forward);
                most = most.max(now);
                now -= usize::from(*work == last_use);
            }
            most as f64 / self.chunks() as f64
        });
        let mut sent = vec![0; self.p];
        for (stage, list) in lists.iter().enumerate() {
            for task in list {
                if let Some((from, _)) = self.waits_for(*task, stage)
                    && from != stage
                {
                    sent[from] += 1;
                }
            }
        }
        Ran { end: clock.iter().copied().fold(0.0, f64::max), busy, alive: alive.collect(), sent }
    }

    /// The share of all stages' time in which they wait.
    fn idle(&self) -> f64 {
        let ran = self.run();
        1.0 - ran.busy.iter().sum::<f64>() / (self.p as f64 * ran.end)
    }

    /// The share that waits with equal stages and free messages.
    fn idle_of_equals(&self) -> f64 {
        Job { send: 0.0, slow: (0, 1.0), ..*self }.idle()
    }

    /// The fewest micro-batches for a tenth idle with equal stages, whole rounds where they are interleaved.
    fn for_ten(&self) -> f64 {
        let round = if self.schedule == Schedule::Interleaved && self.v > 1 { self.p } else { 1 };
        let enough = |rounds: &usize| Job { m: rounds * round, ..*self }.idle_of_equals() <= 0.1 + 1e-9;
        ((1..).find(enough).expect("more micro-batches shrink the bubble") * round) as f64
    }
}

#[test]
fn pipelines_actor_by_actor() {
    let mut dice = Dice(103);
    for turn in 0..SETTINGS + 60 {
        let (name, schedule) = dice.of(&[
            ("GPipe", Schedule::GPipe),
            ("1F1B", Schedule::OneByOne),
            ("interleaved 1F1B", Schedule::Interleaved),
            ("interleaved 1F1B", Schedule::Interleaved),
            ("zero-bubble ZB-H1", Schedule::Split),
        ]);
        let p = if turn >= SETTINGS { dice.of(&[1, 2, 3, 16]) } else { dice.from(1, 9) };
        let asked = dice.from(1, 30);
        let v = dice.from(1, 4);
        let whole = schedule == Schedule::Interleaved && v > 1;
        let m = if whole { asked.div_ceil(p) * p } else { asked };
        let backward = dice.of(&[2.0, 2.0, 1.0, 0.5, 3.0]);
        let send = dice.of(&[0.0, 0.0, 0.05, 0.5, 2.0]);
        let slow = (dice.from(0, p - 1), dice.of(&[1.0, 1.0, 1.3, 2.0, 4.0]));
        let (tokens, hidden) = (dice.from(1, 9000), dice.from(64, 9000));
        let set = Set::default()
            .with("schedule", name)
            .with("stages", p)
            .with("micro_batches", asked)
            .with("chunks", v)
            .with("backward", backward)
            .with("send", send)
            .with("slow_stage", slow.0)
            .with("slow", slow.1)
            .with("tokens", tokens)
            .with("hidden", hidden);
        let job = Job { schedule, p, m, v, backward, send, slow };
        let ran = job.run();
        let work = m as f64 * (1.0 + backward);
        let all = ran.busy.iter().sum::<f64>();
        let message = (tokens * hidden * 2) as f64;
        let most = ran.sent.iter().max().copied().expect("a stage");
        let run = set.run("pipeline");
        agree_in_all(
            &run,
            &set,
            &[
                ("total", ran.end),
                ("ideal", work),
                ("bubble", job.idle()),
                ("bubble_ratio", (p as f64 * ran.end - all) / all),
                // the closed form of ZB-H1 is for a pipeline that fills
                (
                    "formula",
                    if schedule == Schedule::Split && m < p {
                        run.value("formula")
                    } else {
                        job.idle_of_equals()
                    },
                ),
                ("live_first", ran.alive[0]),
                ("live_last", ran.alive[p - 1]),
                ("for_ten", job.for_ten()),
                ("message", message),
                ("sent", most as f64 * message),
                ("held", ran.alive[0] * job.chunks() as f64 * message),
            ],
        );
        let lanes = busy(&run, "schedule", &[Tone::Forward, Tone::Backward, Tone::WeightGrad]);
        for (stage, spent) in lanes.iter().enumerate() {
            near(*spent, ran.busy[stage], 1e-9, &format!("stage {stage} at work"), &set);
        }
        for (stage, (label, pieces)) in bars(&run, "activations alive").iter().enumerate() {
            near(pieces[0].1, ran.alive[stage], 1e-9, label, &set);
        }
        side_by_side(&run, &set, job, asked);
        over_micro_batches(&run, &set, job);
    }
    tell();
}

/// The curves of the bubble: equal stages and free messages, each point run; long runs are left to the shorter ones.
fn over_micro_batches(run: &Results, set: &Set, job: Job) {
    let curves = [
        ("GPipe and 1F1B", Schedule::GPipe, 1),
        ("GPipe and 1F1B", Schedule::OneByOne, 1),
        ("interleaved, 2 chunks", Schedule::Interleaved, 2),
        ("4 chunks", Schedule::Interleaved, 4),
    ];
    for (label, schedule, v) in curves {
        let points = curve(run, "bubble over micro-batches", label);
        assert!(!points.is_empty(), "no curve {label}: {set:?}");
        for (m, idle) in points.into_iter().filter(|(m, _)| *m as usize * job.p * v <= 512) {
            let job = Job { schedule, m: m as usize, v, ..job };
            near(idle, job.idle_of_equals(), 1e-9, &format!("{label}, {m} micro-batches"), set);
        }
    }
}

/// The table of all schedules at the same settings.
fn side_by_side(run: &Results, set: &Set, job: Job, asked: usize) {
    for row in cells(run, "schedules side by side") {
        let (schedule, v) = match row[0].as_str() {
            "GPipe" => (Schedule::GPipe, 1),
            "1F1B" => (Schedule::OneByOne, 1),
            "ZB-H1" => (Schedule::Split, 1),
            chunks => (Schedule::Interleaved, number(chunks.split(' ').next().expect("a number")) as usize),
        };
        let whole = schedule == Schedule::Interleaved && v > 1;
        let m = if whole { asked.div_ceil(job.p) * job.p } else { job.m };
        let other = Job { schedule, m, v, ..job };
        let ran = other.run();
        let all = ran.busy.iter().sum::<f64>();
        // the stage that sends most, against the same under 1F1B
        let most = |ran: &Ran| ran.sent.iter().max().copied().expect("a stage");
        let once = most(&Job { schedule: Schedule::OneByOne, v: 1, ..other }.run());
        let sends = most(&ran);
        let counted = [
            ran.end,
            other.idle(),
            (job.p as f64 * ran.end - all) / all,
            ran.alive[0],
            if once > 0 { sends as f64 / once as f64 } else { 1.0 },
        ];
        for (cell, counted) in row[1..].iter().zip(counted) {
            near(number(cell), counted, 6e-4, &format!("{row:?}"), set);
        }
    }
}
