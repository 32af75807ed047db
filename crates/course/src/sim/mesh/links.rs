//! Which axis crosses which link, and for how long.

use crate::sim::picture::{Bar, Bars, Picture, Table, Tone, View};
use crate::sim::plan::{Plan, Traffic};
use crate::sim::quantity::{self, GB, GB_PER_S, SECONDS};

fn ranks_text(ranks: &[usize]) -> String {
    let shown: Vec<String> = ranks.iter().take(4).map(usize::to_string).collect();
    let more = if ranks.len() > 4 { ", ..." } else { "" };
    format!("{}{more}", shown.join(", "))
}

/// Whether compute hides what an axis sends.
fn hides(traffic: &Traffic) -> &'static str {
    match traffic.axis {
        "tp" => "backward half",
        _ if traffic.overlapped => "yes",
        _ => "no",
    }
}

/// The seconds of an axis, in what nothing hides and what compute can hide: half of TP's, its backward.
pub(super) fn pieces(traffic: &Traffic) -> Vec<(Tone, f64)> {
    let exposed = match traffic.axis {
        "tp" => 0.5,
        _ if traffic.overlapped => 0.0,
        _ => 1.0,
    };
    let seconds = traffic.seconds;
    vec![(Tone::Exposed, exposed * seconds), (Tone::Hidden, (1.0 - exposed) * seconds)]
}

pub(super) fn links_view(traffic: &[Traffic]) -> View {
    let row = |t: &Traffic| {
        let link = if t.nodes > 1 { format!("NICs, {} nodes", t.nodes) } else { "NVLink".to_owned() };
        let cells = vec![
            t.axis.to_uppercase(),
            ranks_text(&t.ranks),
            link,
            quantity::show(t.bytes, GB),
            quantity::show(t.bandwidth, GB_PER_S),
            quantity::show(t.seconds, SECONDS),
            hides(t).to_owned(),
        ];
        (Tone::Empty, cells)
    };
    let table = Table {
        columns: ["axis", "first group", "link", "sent a step", "rate", "seconds", "can hide"]
            .map(str::to_owned)
            .to_vec(),
        rows: traffic.iter().map(row).collect(),
    };
    let caption = "a group that leaves the node gets one NIC for each of its ranks there";
    View::still("which axis crosses which link", caption, Picture::Table(table))
}

pub(super) fn seconds_view(plan: &Plan, traffic: &[Traffic]) -> View {
    let mut bars = vec![Bar {
        label: "compute".into(),
        pieces: vec![(Tone::Forward, plan.compute_seconds())],
        chosen: false,
        said: None,
    }];
    bars.extend(traffic.iter().map(|t| Bar {
        label: t.axis.to_uppercase(),
        pieces: pieces(t),
        chosen: false,
        said: None,
    }));
    let greatest = traffic.iter().max_by(|a, b| a.seconds.total_cmp(&b.seconds));
    let caption = greatest.map_or("nothing is sent".into(), |t| {
        format!("{} costs most: {} a step", t.axis.to_uppercase(), quantity::show(t.seconds, SECONDS))
    });
    let legend = vec![
        (Tone::Forward, "compute"),
        (Tone::Hidden, "compute can hide it"),
        (Tone::Exposed, "on the critical path"),
    ];
    View::still(
        "seconds by axis",
        caption,
        Picture::Bars(Bars { unit: "s", bars, limit: None, reach: 0.0, legend }),
    )
}
