use std::sync::Arc;

use insta::assert_snapshot;
use proptest::prelude::*;

use super::super::theme::Palette;
use super::*;
use crate::sim::Sim;
use crate::sim::picture::{Axis, Bar, Bars, Cell, Grid, Lane, Lanes, Matrix, Series, Span as Work, Table};

fn work(start: f64, end: f64, tone: Tone, number: u32) -> Work {
    Work { start, end, tone, number, part: 0 }
}

fn lanes(end: f64) -> Picture {
    let lane = |stage: u32| {
        let forward = (0..3).map(|m| work(f64::from(stage + m), f64::from(stage + m + 1), Tone::Forward, m));
        let backward = (0..3).map(|m| {
            let start = f64::from(5 - 2 * stage + 2 * m) + 1.0;
            work(start, start + 2.0, Tone::Backward, m)
        });
        let spans = if stage < 2 {
            forward.chain(backward).collect()
        } else {
            vec![work(0.0, 0.01, Tone::Exposed, 0)]
        };
        Lane { label: format!("stage {stage}"), spans }
    };
    Picture::Lanes(Arc::new(Lanes {
        unit: "tF",
        end,
        lanes: (0..3).map(lane).collect(),
        marks: vec![(6.0, "backward begins".into())],
        names: vec![],
        legend: vec![
            (Tone::Forward, "forward"),
            (Tone::Backward, "backward"),
            (Tone::Exposed, "exposed"),
            (Tone::Idle, "idle"),
        ],
    }))
}

fn grid() -> Picture {
    let cell = |text: &str, tone| Cell { text: text.into(), tone };
    Picture::Grid(Grid {
        corner: "ranks summed".into(),
        columns: vec!["chunk 0".into(), "chunk 1".into(), "chunk 2".into()],
        rows: vec![
            ("rank 0".into(), vec![cell("1", Tone::Buffer), cell("2", Tone::Moving), cell("", Tone::Empty)]),
            ("rank 1".into(), vec![cell("3", Tone::Done), cell("4", Tone::Lost), cell("1", Tone::Buffer)]),
        ],
        legend: vec![
            (Tone::Buffer, "partial sum"),
            (Tone::Moving, "just arrived"),
            (Tone::Done, "sum of all"),
        ],
    })
}

fn bars() -> Picture {
    let bar = |label: &str, weights: f64, chosen| Bar {
        label: label.into(),
        pieces: vec![
            (Tone::Weights, weights),
            (Tone::Gradients, 14e9),
            (Tone::Optimizer, 84e9 / 8.0),
            (Tone::Activations, 1e8),
        ],
        chosen,
        said: None,
    };
    Picture::Bars(Bars {
        unit: "GB",
        bars: vec![bar("DDP", 98e9, false), bar("ZeRO-1", 14e9, true)],
        limit: Some((80e9, "one GPU".into())),
        reach: 0.0,
        legend: vec![
            (Tone::Weights, "weights"),
            (Tone::Gradients, "gradients"),
            (Tone::Optimizer, "optimizer state"),
        ],
    })
}

fn curves() -> Picture {
    let line = |label: &str, n: u8, power: f64| crate::sim::picture::Line {
        label: label.into(),
        tone: Tone::Nth(n),
        points: (0..40).map(|i| (f64::from(i) * 10.0, (f64::from(i) + 1.0).powf(power) * 1e-3)).collect(),
    };
    Picture::Series(Series {
        x: Axis { label: "ranks", unit: "", log: false },
        y: Axis { label: "time", unit: "s", log: false },
        lines: vec![line("ring", 0, 1.0), line("tree", 1, 0.5)],
        marks: vec![(200.0, 0.021, "here".into())],
    })
}

fn matrix() -> Picture {
    Picture::Matrix(Matrix {
        corner: "GB/s".into(),
        unit: "GB/s",
        columns: vec!["node 0".into(), "node 1".into()],
        rows: vec![("node 0".into(), vec![450e9, 50e9]), ("node 1".into(), vec![50e9, 250e9])],
    })
}

fn table() -> Picture {
    let row = |tone, cells: [&str; 3]| (tone, cells.map(str::to_owned).to_vec());
    Picture::Table(Table {
        columns: ["algorithm", "time", "busbw"].map(str::to_owned).to_vec(),
        rows: vec![
            row(Tone::Chosen, ["ring", "4.2 ms", "370 GB/s"]),
            row(Tone::Empty, ["tree", "12 ms", "90 GB/s"]),
        ],
    })
}

fn shown(picture: &Picture, now: Option<f64>, (width, height): (u16, u16), ascii: bool) -> String {
    let theme = Theme::new(Palette::Mono, ascii);
    let lines = lines(picture, now, Size::new(width, height), &theme);
    lines.iter().map(|line| line.to_string().trim_end().to_string() + "\n").collect()
}

#[test]
fn a_timeline_numbers_its_spans() {
    assert_snapshot!(shown(&lanes(12.0), None, (60, 10), false));
}

#[test]
fn a_timeline_without_room_for_numbers_uses_letters() {
    assert_snapshot!(shown(&lanes(12.0), None, (26, 10), true));
}

#[test]
fn a_timeline_shows_nothing_that_is_still_to_come() {
    let text = shown(&lanes(12.0), Some(7.0), (60, 10), true);
    assert_snapshot!(text);
}

#[test]
fn a_grid_marks_its_cells() {
    assert_snapshot!(shown(&grid(), None, (60, 10), false));
}

#[test]
fn bars_are_cut_by_their_limit() {
    assert_snapshot!(shown(&bars(), None, (60, 10), false));
}

#[test]
fn curves_carry_their_letters() {
    assert_snapshot!(shown(&curves(), None, (60, 14), false));
    assert_snapshot!(shown(&curves(), None, (60, 14), true));
}

#[test]
fn a_heat_map_shows_levels() {
    assert_snapshot!(shown(&matrix(), None, (60, 10), false));
    assert_snapshot!(shown(&matrix(), None, (20, 10), false));
}

#[test]
fn a_table_points_at_the_chosen_row() {
    assert_snapshot!(shown(&table(), None, (60, 10), false));
}

#[test]
fn no_picture_has_the_colour_of_a_mark_or_of_what_acts() {
    for (_, palette) in Palette::NAMES.into_iter().filter(|(_, palette)| *palette != Palette::Mono) {
        let theme = Theme::new(palette, false);
        let taken = [theme.good.fg, theme.partial.fg, theme.missing.fg, theme.accent.fg];
        for kind in crate::sim::KINDS {
            for view in Sim::new(kind).run().views {
                let frame = view.frame(view.frames() / 2);
                let drawn = lines(&frame.picture, frame.now, Size::new(100, 30), &theme);
                for span in drawn.iter().flat_map(|line| &line.spans) {
                    assert!(!taken.contains(&span.style.fg), "{palette:?} {}: {span:?}", view.title);
                }
            }
        }
    }
}

#[test]
fn ascii_pictures_are_ascii() {
    for picture in [lanes(12.0), grid(), bars(), curves(), matrix(), table()] {
        let text = shown(&picture, None, (60, 12), true);
        assert!(text.is_ascii(), "{text}");
    }
}

#[test]
fn pictures_without_content_are_drawn() {
    let empty = [
        Picture::Lanes(Arc::new(Lanes {
            unit: "s",
            end: 0.0,
            lanes: vec![],
            marks: vec![],
            names: vec![],
            legend: vec![],
        })),
        Picture::Grid(Grid { corner: String::new(), columns: vec![], rows: vec![], legend: vec![] }),
        Picture::Bars(Bars { unit: "B", bars: vec![], limit: None, reach: 0.0, legend: vec![] }),
        Picture::Bars(Bars {
            unit: "B",
            bars: vec![Bar {
                label: "x".into(),
                pieces: vec![(Tone::Weights, f64::NAN)],
                chosen: true,
                said: None,
            }],
            limit: Some((f64::INFINITY, "x".into())),
            reach: 0.0,
            legend: vec![],
        }),
        Picture::Series(Series {
            x: Axis { label: "x", unit: "", log: true },
            y: Axis { label: "y", unit: "", log: true },
            lines: vec![],
            marks: vec![(0.0, 1.0, "m".into())],
        }),
        Picture::Matrix(Matrix {
            corner: String::new(),
            unit: "",
            columns: vec![],
            rows: vec![("r".into(), vec![f64::NAN])],
        }),
        Picture::Table(Table { columns: vec![], rows: vec![] }),
    ];
    for picture in empty {
        for (width, height) in [(0, 0), (1, 1), (20, 5)] {
            shown(&picture, Some(0.0), (width, height), false);
        }
    }
}

proptest! {
    #[test]
    fn every_picture_fits_every_width(width in 0u16..100, height in 0u16..30, now in 0.0..14.0f64, end in 0.1..14.0f64) {
        for picture in [lanes(end), grid(), bars(), curves(), matrix(), table()] {
            let theme = Theme::new(Palette::Dark, false);
            for line in lines(&picture, Some(now), Size::new(width, height), &theme) {
                let columns: usize = line.spans.iter().map(|span| wrap::width(&span.content)).sum();
                prop_assert!(columns <= width.into(), "{:?}", line.to_string());
            }
        }
    }
}
