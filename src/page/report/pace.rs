//! How an answer was given: pace, hedges, and when the program was not seen.

use std::collections::BTreeMap;

use super::Kept;
use crate::study::words::{clock, some};

/// Pace says something from so many seconds of answering on.
const PACE_FROM: u32 = 60;

/// Pace and delivery, once there is enough to say something.
pub(super) fn pace(report: &Kept) -> Option<String> {
    let t = &report.totals;
    let typed: u32 = report.answers.iter().map(|a| a.seconds).sum();
    let hedges = match t.hedges {
        0 => "no hedging".to_owned(),
        n => format!("{}: {}", some(n, "hedge"), hedged(report)),
    };
    (typed >= PACE_FROM && t.words > 0).then(|| {
        format!(
            "{:.0} words a minute; {} of {} said the answer first; {hedges}; {} given.",
            t.pace,
            t.answer_first,
            some(report.answers.len(), "answer"),
            some(t.numbers, "number")
        )
    })
}

/// The hedges said most.
fn hedged(report: &Kept) -> String {
    let mut said: BTreeMap<&str, usize> = BTreeMap::new();
    for hedge in report.answers.iter().flat_map(|a| &a.delivery.hedges) {
        *said.entry(hedge).or_default() += 1;
    }
    let mut said: Vec<_> = said.into_iter().collect();
    said.sort_by_key(|(_, times)| std::cmp::Reverse(*times));
    let said: Vec<String> = said
        .iter()
        .take(4)
        .map(
            |(word, times)| {
                if *times == 1 { format!("“{word}”") } else { format!("“{word}” {times} times") }
            },
        )
        .collect();
    said.join(", ")
}

/// When the program was not seen.
pub(super) fn away(report: &Kept) -> Vec<String> {
    let running: u32 = report.away.iter().filter(|a| !a.stopped).map(|a| a.seconds).sum();
    let stopped = report.away.iter().filter(|a| a.stopped).count();
    let hidden = (running > 0).then(|| {
        format!("The program was suspended or hidden for {} while a clock was running.", clock(running))
    });
    let times = if stopped == 1 { "once".into() } else { format!("{stopped} times") };
    let broken = (stopped > 0).then(|| format!("The run was broken off {times} and continued later."));
    hidden.into_iter().chain(broken).collect()
}
