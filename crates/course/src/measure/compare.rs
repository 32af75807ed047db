//! Predicted, simulated, measured: the three beside each other.

use std::collections::BTreeMap;

use super::figures::{Figure, Run, Value};
use super::table::{Names, Row, names};

/// A figure beside what was predicted and simulated.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// The measured figure.
    pub figure: Figure,
    /// What the person predicted, in base units.
    pub predicted: Option<f64>,
    /// What the simulators and closed forms say; empty where nothing is known of it, or where it needs
    /// what was measured of the machine and that was not asked for.
    pub simulated: Vec<Simulated>,
    /// Whether a row was left out because it needs the simulator fitted to the machine.
    pub needs_fit: bool,
}

/// What one row of the table says of a figure.
#[derive(Debug, Clone, PartialEq)]
pub struct Simulated {
    /// The value, in base units.
    pub value: Value,
    /// Where it comes from.
    pub from: String,
    /// The simulator and the knobs that it was set to, where it comes from one.
    pub sim: Option<(String, BTreeMap<String, f64>)>,
    /// What explains a difference.
    pub differs: String,
    /// Knobs that were fitted: name and value in the knob's unit.
    pub fitted: Vec<(String, f64)>,
    /// What the simulator did not take as it was asked for.
    pub notes: Vec<String>,
}

impl Line {
    /// Whether it has to agree and does not.
    pub fn is_wrong(&self) -> bool {
        self.figure.exact && self.simulated.iter().any(|s| !s.value.agrees(&self.figure.value))
    }

    /// Measured over predicted, less 1; none where nothing was predicted, or 0.
    pub fn own_error(&self) -> Option<f64> {
        let (predicted, measured) = (self.predicted?, self.figure.value.number()?);
        (predicted != 0.0).then(|| measured / predicted - 1.0)
    }

    /// Measured over simulated, less 1; none where one of them is no number, or nothing was expected.
    pub fn relative_error(&self) -> Option<f64> {
        let simulated = self.simulated.first()?.value.number()?;
        let measured = self.figure.value.number()?;
        (simulated != 0.0).then(|| measured / simulated - 1.0)
    }
}

/// Puts a run beside what its figures are compared with. `fit` puts what was measured of the machine into the simulators.
///
/// # Errors
/// In words, where a row of the table cannot be evaluated.
pub fn lines(
    run: &Run,
    rows: &[Row],
    predicted: &BTreeMap<String, f64>,
    fit: bool,
) -> Result<Vec<Line>, String> {
    let names = names(run);
    run.figures.iter().map(|figure| line(figure, rows, &names, predicted, fit)).collect()
}

fn line(
    figure: &Figure,
    rows: &[Row],
    names: &Names,
    predicted: &BTreeMap<String, f64>,
    fit: bool,
) -> Result<Line, String> {
    let (mut simulated, mut needs_fit) = (Vec::new(), false);
    for row in rows {
        let Some(names) = row.matches(&figure.id, names)? else {
            continue;
        };
        if row.is_fitted() && !fit {
            needs_fit = true;
            continue;
        }
        let expected = row.expected(&names).map_err(|fault| format!("figure {}: {fault}", row.id))?;
        simulated.push(Simulated {
            value: expected.value,
            from: expected.from,
            sim: expected.sim,
            differs: row.differs.clone(),
            fitted: expected.fitted,
            notes: expected.notes,
        });
    }
    let predicted = predicted.get(&figure.id).copied();
    Ok(Line { figure: figure.clone(), predicted, simulated, needs_fit })
}
