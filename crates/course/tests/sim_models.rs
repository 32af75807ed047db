//! What holds for every simulator, whatever it is set to.

use infralens_course::sim::picture::Picture;
use infralens_course::sim::{self, KINDS, Shape, Sim, expr, plain, spoken};
use proptest::prelude::*;

fn wild() -> Vec<f64> {
    vec![0.0, -1.0, 1.0, 2.0, 3.0, 7.0, 64.0, 1e3, 1e18, -1e18, 0.5, 1e-12, f64::INFINITY, f64::NEG_INFINITY]
}

/// Numbers are finite, expressions evaluate to the numbers beside them, pictures hold together.
fn assert_sound(sim: &Sim) {
    let run = sim.run();
    let knobs: Vec<_> = sim.knobs().map(|(p, v)| format!("{}={v}", p.name)).collect();
    let at = format!("{} {}", sim.kind().name, knobs.join(" "));
    assert!(!run.outputs.is_empty() && !run.views.is_empty() && !run.questions.is_empty(), "{at}");
    for output in &run.outputs {
        assert!(output.value.is_finite(), "{at}: {} is {}", output.name, output.value);
        if let Some(expression) = &output.expression {
            let value = expr::value(expression, &()).unwrap_or_else(|f| panic!("{at}: {}: {f}", output.name));
            assert_eq!(value, output.value, "{at}: {}", output.name);
        }
    }
    for view in &run.views {
        for step in [0, 1, view.frames() / 2, view.frames() - 1, usize::MAX] {
            let frame = view.frame(step);
            assert!(!frame.caption.is_empty(), "{at}: {}", view.title);
            assert_whole(&frame.picture, &format!("{at}: {}", view.title));
        }
    }
    for question in &run.questions {
        if let sim::Answer::Number { value, .. } = question.answer {
            assert!(value.is_finite(), "{at}: {}", question.ask);
        }
    }
}

fn assert_whole(picture: &Picture, at: &str) {
    match picture {
        Picture::Lanes(lanes) => {
            assert!(lanes.end.is_finite() && lanes.end >= 0.0, "{at}");
            for lane in &lanes.lanes {
                for span in &lane.spans {
                    assert!(span.start >= -1e-9 && span.start <= span.end, "{at}: {}", lane.label);
                    assert!(span.end <= lanes.end * (1.0 + 1e-9) + 1e-12, "{at}: {}", lane.label);
                }
                let apart = |pair: &[sim::picture::Span]| pair[1].start >= pair[0].end - 1e-9 * lanes.end;
                assert!(lane.spans.windows(2).all(apart), "{at}: {} overlaps", lane.label);
            }
        }
        Picture::Grid(grid) => {
            assert!(grid.rows.iter().all(|(_, cells)| cells.len() == grid.columns.len()), "{at}");
        }
        Picture::Bars(bars) => {
            let lengths = bars.bars.iter().flat_map(|b| &b.pieces);
            assert!(lengths.clone().all(|(_, length)| length.is_finite() && *length >= 0.0), "{at}");
        }
        Picture::Series(series) => {
            for line in &series.lines {
                assert!(
                    line.points.iter().all(|(x, y)| x.is_finite() && y.is_finite()),
                    "{at}: {}",
                    line.label
                );
                assert!(line.points.is_sorted_by(|a, b| a.0 <= b.0), "{at}: {}", line.label);
            }
        }
        Picture::Matrix(matrix) => {
            assert!(matrix.rows.iter().all(|(_, row)| row.len() == matrix.columns.len()), "{at}");
            assert!(matrix.rows.iter().flat_map(|(_, row)| row).all(|v| v.is_finite()), "{at}");
        }
        Picture::Table(table) => {
            assert!(table.rows.iter().all(|(_, row)| row.len() == table.columns.len()), "{at}");
        }
    }
}

#[test]
fn every_kind_starts_sound_and_so_does_every_preset() {
    for kind in KINDS {
        assert_sound(&Sim::new(kind));
        assert!(kind.presets.len() >= 3, "{} has presets", kind.name);
        for preset in kind.presets {
            let mut sim = Sim::new(kind);
            for (name, value) in preset.set {
                let set = sim.set(name, *value).unwrap_or_else(|f| panic!("{}: {f}", preset.name));
                assert_eq!((set.value, set.note), (*value, None), "{}: {}", preset.name, name);
            }
            assert_sound(&sim);
        }
    }
}

#[test]
fn every_knob_takes_every_wild_value() {
    for kind in KINDS {
        for parameter in kind.parameters {
            for value in wild() {
                let mut sim = Sim::new(kind);
                sim.set(parameter.name, value).expect("a number");
                assert_sound(&sim);
            }
            let mut sim = Sim::new(kind);
            assert!(sim.set(parameter.name, f64::NAN).is_err());
            assert!(sim.set_text(parameter.name, "nothing of the kind").is_err());
        }
    }
}

#[test]
fn names_are_words_that_conditions_can_use() {
    for kind in KINDS {
        let run = Sim::new(kind).run();
        let names = run.outputs.iter().map(|o| o.name).chain(kind.parameters.iter().map(|p| p.name));
        for name in names {
            assert!(expr::Expr::parse(name).is_ok_and(|e| e.names().contains(name)), "{}: {name}", kind.name);
        }
        let mut outputs: Vec<_> = run.outputs.iter().map(|o| o.name).collect();
        outputs.sort_unstable();
        outputs.dedup();
        assert_eq!(outputs.len(), run.outputs.len(), "{} names each output once", kind.name);
        for parameter in kind.parameters {
            assert_eq!(parameter.nearest(parameter.default), parameter.default, "{}", parameter.name);
            assert!(!parameter.help.is_empty() && parameter.label.len() <= 24, "{}", parameter.name);
        }
    }
}

#[test]
fn every_kind_speaks_plain_text_and_json() {
    for kind in KINDS {
        let sim = Sim::new(kind);
        for view in &sim.run().views {
            let picture = view.last().picture;
            let said = spoken::gist(&picture);
            for text in [plain::picture_text(&picture), said.join("\n")] {
                assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
            }
            // a glance, not each cell; and no sign that a voice would spell
            assert!((1..=8).contains(&said.len()), "{} {}: {said:#?}", kind.name, view.title);
            for sentence in said {
                assert!(sentence.ends_with('.') && sentence.chars().count() < 500, "{sentence}");
                assert!(!sentence.contains("->") && !sentence.contains("  "), "{sentence}");
            }
        }
        let value = plain::json(&sim);
        assert_eq!(value["kind"], kind.name);
        assert_eq!(value["outputs"].as_array().map(Vec::len), Some(sim.run().outputs.len()));
    }
}

/// Any kind with any values on any knobs.
fn any_sim() -> impl Strategy<Value = Sim> {
    (0..KINDS.len(), proptest::collection::vec(0.0..1.0f64, 32)).prop_map(|(kind, places)| {
        let kind = &KINDS[kind];
        let mut sim = Sim::new(kind);
        for (parameter, place) in kind.parameters.iter().zip(places) {
            let (min, max) = parameter.bounds();
            // small values as often as large ones
            let value = match parameter.shape {
                Shape::Number { .. } => min + (max - min) * place.powi(6),
                Shape::Choice(_) => min + (max - min) * place,
            };
            sim.set(parameter.name, value).expect("a number");
        }
        sim
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn any_settings_are_sound(sim in any_sim()) {
        assert_sound(&sim);
    }
}
