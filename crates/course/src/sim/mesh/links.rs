//! Which axis crosses which link, and for how long.

use crate::sim::picture::{Bar, Bars, Picture, Table, Tone, View};
use crate::sim::plan::{ParallelPlan, Traffic};
use crate::sim::quantity::{self, GB, GB_PER_S, SECONDS};

fn ranks_text(ranks: &[usize]) -> String {
    let shown: Vec<String> = ranks.iter().take(4).map(usize::to_string).collect();
    let more = if ranks.len() > 4 { ", ..." } else { "" };
    format!("{}{more}", shown.join(", "))
}

pub(super) fn links_view(traffic: &[Traffic]) -> View {
    let row = |t: &Traffic| {
        let link = if t.nodes > 1 { format!("NICs, {} nodes", t.nodes) } else { "NVLink".to_owned() };
        let cells = vec![
            t.label.to_owned(),
            ranks_text(&t.ranks),
            link,
            quantity::show(t.bytes, GB),
            quantity::show(t.bandwidth, GB_PER_S),
            quantity::show(t.seconds, SECONDS),
            quantity::show(t.exposed, SECONDS),
        ];
        (Tone::Empty, cells)
    };
    let table = Table {
        columns: ["axis", "first group", "link", "sent a step", "rate", "seconds", "exposed"]
            .map(str::to_owned)
            .to_vec(),
        rows: traffic.iter().map(row).collect(),
    };
    let caption = "a collective over nodes uses the NICs of the ranks that its group has on a node, a \
     message between neighbours uses one; TP hides only its sums in backward";
    View::still("which axis crosses which link", caption, Picture::Table(table))
}

pub(super) fn seconds_view(plan: &ParallelPlan, traffic: &[Traffic]) -> View {
    let mut bars = vec![Bar {
        label: "compute".into(),
        pieces: vec![(Tone::Forward, plan.compute_seconds())],
        chosen: false,
        said: None,
    }];
    bars.extend(traffic.iter().map(|t| Bar {
        label: t.label.to_owned(),
        pieces: vec![
            (Tone::Exposed, t.exposed.min(t.seconds)),
            (Tone::Hidden, (t.seconds - t.exposed).max(0.0)),
        ],
        chosen: false,
        said: None,
    }));
    let greatest = traffic.iter().max_by(|a, b| a.seconds.total_cmp(&b.seconds));
    let caption = greatest.map_or("nothing is sent".into(), |t| {
        format!("{} costs most: {} a step", t.label, quantity::show(t.seconds, SECONDS))
    });
    let legend =
        vec![(Tone::Forward, "compute"), (Tone::Hidden, "hidden behind compute"), (Tone::Exposed, "exposed")];
    View::still(
        "seconds by axis",
        caption,
        Picture::Bars(Bars { unit: "s", bars, limit: None, reach: 0.0, legend }),
    )
}
