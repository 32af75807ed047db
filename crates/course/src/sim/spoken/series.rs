//! Curves.

use super::super::picture::{Line, Series};
use super::super::quantity;
use super::{capital, list, unit};

/// Points of a curve that are told.
const POINTS: usize = 5;
/// A change below this share of the greatest value is none.
const FLAT: f64 = 0.02;

/// How a curve runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Run {
    Rises,
    Falls,
    Level,
    Dips,
    Peaks,
}

fn run(line: &Line) -> Option<Run> {
    let values = || line.points.iter().map(|(_, y)| *y);
    let (first, last) = (values().next()?, values().next_back()?);
    let (least, most) = (values().fold(f64::MAX, f64::min), values().fold(f64::MIN, f64::max));
    let same = |a: f64, b: f64| (a - b).abs() <= FLAT * most.abs();
    Some(match (same(first, last), first < last) {
        _ if same(least, most) => Run::Level,
        _ if !same(least, first) && !same(least, last) && least < first.min(last) => Run::Dips,
        _ if !same(most, first) && !same(most, last) && most > first.max(last) => Run::Peaks,
        (_, true) => Run::Rises,
        (_, false) => Run::Falls,
    })
}

fn told(series: &Series, run: Run, line: &Line) -> String {
    let [x, y] = [&series.x, &series.y].map(|axis| unit(axis.unit));
    let [show_x, show_y] = [x, y].map(|unit| move |value: f64| quantity::show(value, unit));
    let (Some(first), Some(last)) = (line.points.first(), line.points.last()) else { return String::new() };
    let by = |a: &&(f64, f64), b: &&(f64, f64)| a.1.total_cmp(&b.1);
    let (from, to) = (show_y(first.1), show_y(last.1));
    match run {
        Run::Level => format!("about {from} all along"),
        Run::Rises => format!("up from {from} to {to}"),
        Run::Falls => format!("down from {from} to {to}"),
        Run::Dips => {
            let least = line.points.iter().min_by(by).unwrap_or(first);
            format!("down from {from} to {} at {}, then up to {to}", show_y(least.1), show_x(least.0))
        }
        Run::Peaks => {
            let most = line.points.iter().max_by(by).unwrap_or(first);
            format!("up from {from} to {} at {}, then down to {to}", show_y(most.1), show_x(most.0))
        }
    }
}

pub(super) fn gist(series: &Series) -> Vec<String> {
    let [x, y] = [&series.x, &series.y].map(|axis| unit(axis.unit));
    let ends = series.lines.iter().flat_map(|line| line.points.first().into_iter().chain(line.points.last()));
    let (from, to) = ends.fold((f64::MAX, f64::MIN), |(from, to), (x, _)| (from.min(*x), to.max(*x)));
    let mut all = vec![format!(
        "{} over {}, from {} to {}.",
        capital(series.y.label),
        series.x.label,
        quantity::show(from, x),
        quantity::show(to, x)
    )];
    let runs: Vec<(&Line, Run)> = series.lines.iter().filter_map(|line| Some((line, run(line)?))).collect();
    match runs.as_slice() {
        [] => {}
        [(line, run)] => all.push(format!("It goes {}.", told(series, *run, line))),
        runs => {
            // curves that run alike are told together
            let mut alike: Vec<(String, Vec<String>)> = Vec::new();
            for (line, run) in runs {
                let told = told(series, *run, line);
                match alike.iter_mut().find(|(known, _)| *known == told) {
                    Some((_, lines)) => lines.push(line.label.clone()),
                    None => alike.push((told, vec![line.label.clone()])),
                }
            }
            let curves = alike.iter().map(|(told, lines)| format!("{}: {told}", list(lines)));
            all.push(format!("{}.", capital(&curves.collect::<Vec<_>>().join("; "))));
            let curves: Vec<&Line> =
                runs.iter().filter(|(_, run)| *run != Run::Level).map(|(l, _)| *l).collect();
            all.extend(lowest(&curves));
        }
    }
    all.extend(series.marks.iter().map(|(a, b, name)| {
        format!("{}: {} at {}.", capital(name), quantity::show(*b, y), quantity::show(*a, x))
    }));
    all
}

/// Which curve is lowest at either end.
fn lowest(curves: &[&Line]) -> Option<String> {
    let at = |end: fn(&Line) -> Option<&(f64, f64)>| {
        let ends: Vec<(&Line, f64)> = curves.iter().filter_map(|l| Some((*l, end(l)?.1))).collect();
        let least = ends.iter().map(|(_, y)| *y).fold(f64::MAX, f64::min);
        let low = ends.iter().filter(|(_, y)| *y <= least * (1.0 + FLAT));
        low.map(|(line, _)| line.label.clone()).collect::<Vec<_>>()
    };
    let (first, last) = (at(|l| l.points.first()), at(|l| l.points.last()));
    let named = |low: &[String]| if low.len() == curves.len() { "all alike".to_owned() } else { list(low) };
    match first == last {
        _ if curves.len() < 2 => None,
        true if first.len() == curves.len() => None,
        true => Some(format!("Lowest at both ends: {}.", list(&first))),
        false => {
            Some(format!("Lowest at the left end: {}; at the right end: {}.", named(&first), named(&last)))
        }
    }
}

/// Some points of each curve, and the marks.
pub(super) fn rows(series: &Series) -> Vec<String> {
    let [x, y] = [&series.x, &series.y].map(|axis| unit(axis.unit));
    let point = |(a, b): &(f64, f64)| format!("{} at {}", quantity::show(*b, y), quantity::show(*a, x));
    let curve = |line: &Line| {
        let last = line.points.len().saturating_sub(1);
        let mut places: Vec<usize> =
            (0..POINTS).map(|nth| (nth * last + (POINTS - 1) / 2) / (POINTS - 1)).collect();
        places.dedup();
        let told: Vec<String> = places.into_iter().filter_map(|at| line.points.get(at)).map(point).collect();
        format!("{}: {}.", capital(&line.label), told.join("; "))
    };
    series.lines.iter().map(curve).collect()
}
