//! Timelines.

use super::super::picture::{Lane, Lanes, Tone};
use super::super::quantity;
use super::{capital, list, some};

/// Timelines of as many rows are told row by row.
const FEW: usize = 3;
/// Moments with a name that a glance takes in.
const MARKS: usize = 2;

fn time(lanes: &Lanes, t: f64) -> String {
    // the unit of a timeline is seconds, or a word of its own
    match quantity::unit(lanes.unit) {
        Some(unit) => quantity::show(t * unit.factor, unit),
        None => format!("{} {}", quantity::digits(t), lanes.unit),
    }
}

fn share(lanes: &Lanes, length: f64) -> String {
    format!("{:.0}%", 100.0 * length / lanes.end.max(f64::MIN_POSITIVE))
}

/// What a row is busy with, each with how long; the rest of it is idle.
fn parts(lanes: &Lanes, lane: &Lane) -> (Vec<(String, f64)>, f64) {
    let mut parts: Vec<(String, f64)> = Vec::new();
    for span in lane.spans.iter().filter(|s| s.tone != Tone::Idle) {
        let name = lanes.name_of(span).unwrap_or_else(|| meaning(lanes, span.tone)).to_owned();
        match parts.iter_mut().find(|(n, _)| *n == name) {
            Some((_, length)) => *length += span.end - span.start,
            None => parts.push((name, span.end - span.start)),
        }
    }
    let busy: f64 = parts.iter().map(|(_, length)| length).sum();
    (parts, (lanes.end - busy).max(0.0))
}

fn meaning(lanes: &Lanes, tone: Tone) -> &'static str {
    lanes.legend.iter().find(|(t, _)| *t == tone).map_or("busy", |(_, name)| *name)
}

/// `Stage 0: 24% forward; 48% backward; 27% idle; from 0 to 33 tF.`
pub(super) fn rows(lanes: &Lanes) -> Vec<String> {
    let row = |lane: &Lane| {
        let (parts, idle) = parts(lanes, lane);
        let busy = parts.iter().map(|(name, length)| format!("{} {name}", share(lanes, *length)));
        let is_idle = idle > 0.005 * lanes.end;
        let told: Vec<String> = busy.chain(is_idle.then(|| format!("{} idle", share(lanes, idle)))).collect();
        let ends = match (lane.spans.first(), lane.spans.last()) {
            (Some(first), Some(last)) => {
                format!("; from {} to {}", time(lanes, first.start), time(lanes, last.end))
            }
            _ => String::new(),
        };
        format!("{}: {}{ends}.", capital(&lane.label), told.join("; "))
    };
    lanes.lanes.iter().map(row).collect()
}

pub(super) fn gist(lanes: &Lanes) -> Vec<String> {
    let end = time(lanes, lanes.end);
    let mut all = if lanes.lanes.len() <= FEW {
        std::iter::once(format!("A timeline of {end}.")).chain(rows(lanes)).collect()
    } else {
        let mut all = vec![format!("A timeline of {end} with {} rows.", lanes.lanes.len())];
        all.extend(waits(lanes));
        all.extend(stairs(lanes));
        all
    };
    let marks = lanes.marks.iter().take(MARKS);
    all.extend(marks.map(|(at, name)| format!("{}: at {}.", capital(name), time(lanes, *at))));
    all
}

/// Who waits most and least.
fn waits(lanes: &Lanes) -> Option<String> {
    let idle: Vec<(f64, &str)> =
        lanes.lanes.iter().map(|lane| (parts(lanes, lane).1, lane.label.as_str())).collect();
    let least = idle.iter().min_by(|a, b| a.0.total_cmp(&b.0))?;
    let most = idle.iter().max_by(|a, b| a.0.total_cmp(&b.0))?;
    if share(lanes, least.0) == share(lanes, most.0) {
        return Some(match share(lanes, least.0).as_str() {
            "0%" => "No row ever waits.".into(),
            share => format!("Each row is idle for {share} of it."),
        });
    }
    let [(least, busy), (most, waiting)] = [least, most].map(|(idle, label)| (share(lanes, *idle), *label));
    Some(format!("Idle most: {waiting}, {most} of the time; least: {busy}, {least}."))
}

/// Rows that begin one after the other.
fn stairs(lanes: &Lanes) -> Option<String> {
    let begins: Vec<(f64, &str)> =
        lanes.lanes.iter().filter_map(|l| Some((l.spans.first()?.start, l.label.as_str()))).collect();
    let rises = begins.windows(2).all(|two| two[0].0 < two[1].0);
    let (first, last) = (begins.first()?, begins.last()?);
    (rises && begins.len() == lanes.lanes.len()).then(|| {
        let [from, to] = [first, last].map(|(at, label)| format!("{label} at {}", time(lanes, *at)));
        format!("The rows begin one after the other, {from} up to {to}.")
    })
}

/// What each row does at a moment: `At 3 tF, stage 0 and stage 1: forward; stage 2 to stage 7: idle.`
pub(super) fn at(lanes: &Lanes, now: f64) -> String {
    let mut doing: Vec<(&str, Vec<usize>)> = Vec::new();
    for nth in 0..lanes.lanes.len() {
        let does = match lanes.span_at(nth, now) {
            Some(span) => lanes.name_of(span).unwrap_or_else(|| meaning(lanes, span.tone)),
            None => "idle",
        };
        match doing.iter_mut().find(|(name, _)| *name == does) {
            Some((_, who)) => who.push(nth),
            None => doing.push((does, vec![nth])),
        }
    }
    let all = lanes.lanes.len();
    let label = |nth: usize| lanes.lanes[nth].label.clone();
    let told = doing.iter().map(|(does, who)| {
        let (first, last) = (who[0], who[who.len() - 1]);
        match who.len() {
            count if count == all && all > 1 => format!("all {all} rows: {does}"),
            count if count > 2 && last - first + 1 == count => {
                format!("{} to {}: {does}", label(first), label(last))
            }
            count if count > super::NAMED => format!("{}: {does}", some(count, "row")),
            _ => format!("{}: {does}", list(&who.iter().map(|nth| label(*nth)).collect::<Vec<_>>())),
        }
    });
    format!("At {}, {}.", time(lanes, now), told.collect::<Vec<_>>().join("; "))
}
