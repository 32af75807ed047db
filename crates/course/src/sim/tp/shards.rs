//! How the matrices of a layer lie on the ranks.

use crate::sim::formula::tensor;
use crate::sim::layer::{Form, Layer};
use crate::sim::picture::{Cell, Frame, Grid, Picture, Table, Tone, View};
use crate::sim::quantity::{self};

/// The most ranks whose shards are drawn.
const SHOWN: usize = 8;

/// What is split how, step by step through an MLP of a few ranks.
pub(super) fn shards_view(layer: &Layer) -> View {
    let ranks = (layer.ranks() as usize).min(SHOWN);
    let form = layer.form;
    let steps: &'static [(Split, &'static str, &'static str)] = match form {
        Form::AllReduce => &[
            (Split::Whole, "X", "the layer is Z = GeLU(X A) B; every rank has all tokens at full width"),
            (
                Split::Columns,
                "A",
                "A split by columns: a rank computes whole sums for its columns, no communication",
            ),
            (Split::Columns, "GeLU(X A)", "GeLU(X A): each rank applies it to its own columns"),
            (
                Split::Rows,
                "B",
                "B split by rows: rank i multiplies its columns of the input by its rows of B",
            ),
            (Split::Partial, "Z", "Z: each rank holds a partial sum of everything"),
            (Split::Whole, "Z", "after the all-reduce every rank has the sum"),
        ],
        Form::SequenceParallel => &[
            (
                Split::Rows,
                "X",
                "the layer is Z = GeLU(X A) B; norm and dropout work on a slice of the tokens X",
            ),
            (Split::Whole, "X", "all-gather: every rank has all tokens"),
            (Split::Columns, "A", "A split by columns; GeLU on each rank's own columns"),
            (Split::Rows, "B", "B split by rows"),
            (Split::Partial, "Z", "Z: each rank holds a partial sum of everything"),
            (Split::Rows, "Z", "after the reduce-scatter each rank has the sum for its tokens"),
        ],
        Form::RowFirst => &[
            (Split::Columns, "X", "the layer is Z = GeLU(X A) B; a rank reads its columns of the input X"),
            (Split::Rows, "A", "A split by rows"),
            (Split::Partial, "X A", "X A: partial sums, and GeLU of a partial sum is wrong"),
            (Split::Whole, "X A", "an all-reduce four times as wide must come before GeLU"),
            (Split::Columns, "B", "B split by columns"),
            (Split::Whole, "Z", "Z: an all-gather puts the columns together"),
        ],
    };
    View::stepped("shards", steps.len(), move |step| {
        let (split, name, caption) = steps[step];
        // what every rank holds alike is one cell, not one for each
        let cells = if matches!(split, Split::Whole | Split::Partial) { 1 } else { ranks };
        let cell = |row: usize, column: usize| match split {
            Split::Whole => Cell { text: format!("all of {name}, on every rank"), tone: Tone::Weights },
            Split::Partial => {
                Cell { text: format!("a partial sum of all of {name}, on every rank"), tone: Tone::Gradients }
            }
            Split::Columns => Cell { text: column.to_string(), tone: Tone::Nth(column as u8) },
            Split::Rows => Cell { text: row.to_string(), tone: Tone::Nth(row as u8) },
        };
        let row = |row: usize| (String::new(), (0..cells).map(|column| cell(row, column)).collect());
        let held = (Tone::Nth(0), "the rank that holds this part of the matrix");
        let grid = Grid {
            corner: name.into(),
            columns: vec![String::new(); cells],
            rows: (0..cells).map(row).collect(),
            legend: Some(held).filter(|_| cells > 1).into_iter().collect(),
        };
        Frame { caption: caption.into(), picture: Picture::Grid(grid), now: None }
    })
}

/// How a matrix lies on the ranks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Split {
    Whole,
    Partial,
    Columns,
    Rows,
}

pub(super) fn shapes_view(layer: &Layer) -> View {
    let t = layer.ranks();
    let n = |value: f64| quantity::digits(value);
    let (rows, h) = (layer.tokens, layer.hidden);
    let (before, after) = match layer.form {
        Form::AllReduce => ("none", "all-reduce"),
        Form::SequenceParallel => ("all-gather", "reduce-scatter"),
        Form::RowFirst => ("none", "all-gather"),
    };
    let wide = if layer.form == Form::RowFirst { "all-reduce" } else { "none" };
    let split = |name: &str, (inner, outer): (f64, f64), by: &str, collective: &str| {
        let (inner, outer) = if by == "columns" { (inner, outer / t) } else { (inner / t, outer) };
        let cells = vec![
            name.to_owned(),
            by.to_owned(),
            format!("{} x {}", n(inner), n(outer)),
            collective.to_owned(),
        ];
        (if collective == "none" { Tone::Empty } else { Tone::Moving }, cells)
    };
    // by columns every rank has a whole key-value head, by rows it has rows of all of them
    let keys = match layer.form {
        Form::RowFirst => layer.kv_share() * h,
        _ => 2.0 * t * tensor::kv_width(h, layer.heads, layer.kv_heads, t),
    };
    let qkv = h + keys;
    let (first, second) =
        if layer.form == Form::RowFirst { ("rows", "columns") } else { ("columns", "rows") };
    let table = Table {
        columns: ["matrix", "split by", "on a rank", "after it"].map(str::to_owned).to_vec(),
        rows: vec![
            split("QKV", (h, qkv), first, wide),
            split("attention output", (h, h), second, after),
            split("MLP up", (h, 4.0 * h), first, wide),
            split("MLP down", (4.0 * h, h), second, after),
        ],
    };
    let caption = match layer.form {
        Form::AllReduce => format!(
            "every rank multiplies all {} tokens with its slice; one {after} after each pair",
            n(rows)
        ),
        Form::SequenceParallel => {
            format!("{before} of the tokens before each pair, {after} of the sums after it")
        }
        Form::RowFirst => {
            format!("rows first: {wide} after the first matrix of a pair, {after} after the second")
        }
    };
    View::still("shapes on a rank", caption, Picture::Table(table))
}
