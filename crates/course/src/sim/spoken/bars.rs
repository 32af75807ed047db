//! Stacked bars.

use super::super::picture::{Bar, Bars, Tone};
use super::super::plain::pieces;
use super::super::quantity::{self, Unit};
use super::some;

/// As many bars are told one by one.
const FEW: usize = 2;

fn unit(bars: &Bars) -> Unit {
    quantity::unit(bars.unit).unwrap_or(quantity::PLAIN)
}

/// The length of a bar without what is empty in it.
fn filled(bar: &Bar) -> f64 {
    bar.pieces.iter().filter(|(tone, _)| *tone != Tone::Empty).map(|(_, length)| length).sum()
}

/// What a bar comes to, in words.
fn comes_to(bars: &Bars, bar: &Bar) -> String {
    bar.shown(|total| quantity::show(total, unit(bars)))
}

pub(super) fn rows(bars: &Bars) -> Vec<String> {
    let row = |bar: &Bar| {
        let chosen = if bar.chosen { ", as set now" } else { "" };
        let (label, total) = (bar.label.trim(), comes_to(bars, bar));
        match pieces(bars, bar, unit(bars)).as_slice() {
            [] | [_] => format!("{label}{chosen}: {total}."),
            // the words of its own say them already
            _ if bar.said.is_some() => format!("{label}{chosen}: {total}."),
            pieces => format!("{label}{chosen}: {total}; {}.", pieces.join(", ")),
        }
    };
    bars.bars.iter().map(row).collect()
}

pub(super) fn gist(bars: &Bars) -> Vec<String> {
    let limit = bars.limit.iter().map(|(limit, name)| {
        let over = bars.bars.iter().filter(|bar| filled(bar) > *limit).count();
        let over = match (over, bars.bars.len()) {
            (_, 1) => String::new(),
            (0, _) => ", which no bar exceeds".into(),
            (1, all) => format!(", which 1 of {all} exceeds"),
            (over, all) => format!(", which {over} of {all} exceed"),
        };
        format!("{}: {}{over}.", super::capital(name), quantity::show(*limit, unit(bars)))
    });
    if bars.bars.len() <= FEW {
        return rows(bars).into_iter().chain(limit).collect();
    }
    let by = |a: &&Bar, b: &&Bar| filled(a).total_cmp(&filled(b));
    let (least, most) = (bars.bars.iter().min_by(by), bars.bars.iter().max_by(by));
    let mut all = Vec::new();
    if let Some(chosen) = bars.bars.iter().find(|bar| bar.chosen) {
        let most = mostly(bars, chosen);
        all.push(format!("{}, as set now: {}{most}.", chosen.label.trim(), comes_to(bars, chosen)));
    }
    if let (Some(least), Some(most)) = (least, most) {
        let count = some(bars.bars.len(), "bar");
        all.push(match filled(most) - filled(least) {
            0.0 => format!("All {count} are alike: {}.", comes_to(bars, most)),
            _ => {
                let [most, least] =
                    [most, least].map(|b| format!("{}: {}", b.label.trim(), comes_to(bars, b)));
                format!("Of {count} the longest is {most}; the shortest is {least}.")
            }
        });
    }
    all.extend(limit);
    all
}

/// The piece that makes up most of a bar of several.
fn mostly(bars: &Bars, bar: &Bar) -> String {
    let long: Vec<&(Tone, f64)> = bar.pieces.iter().filter(|(_, length)| *length > 0.0).collect();
    let most = long.iter().max_by(|a, b| a.1.total_cmp(&b.1));
    match most {
        Some((tone, length)) if long.len() > 1 => {
            let name = bars.legend.iter().find(|(t, _)| t == tone).map_or("other", |(_, name)| *name);
            format!("; the largest part is {name}, {}", quantity::show(*length, unit(bars)))
        }
        _ => String::new(),
    }
}

/// The bars that changed most.
pub(super) fn moved(before: &Bars, after: &Bars) -> Vec<String> {
    let was = |bar: &Bar| before.bars.iter().find(|b| b.label == bar.label).map_or(0.0, filled);
    let mut changed: Vec<(f64, &Bar)> = after.bars.iter().map(|bar| (filled(bar) - was(bar), bar)).collect();
    changed.retain(|(by, _)| *by != 0.0);
    changed.sort_by(|a, b| b.0.abs().total_cmp(&a.0.abs()));
    match changed.as_slice() {
        [] => vec!["No bar changed.".into()],
        [(_, most), ..] => {
            let count = changed.len();
            let changed = if count == 1 { "1 bar changed".into() } else { format!("{count} bars changed") };
            let most = format!("{} is now {}", most.label.trim(), comes_to(after, most));
            vec![if count == 1 { format!("{most}.") } else { format!("{changed}, most of all one: {most}.") }]
        }
    }
}
