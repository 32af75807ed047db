//! A knob that may be turned in a puzzle, and how.

use super::MAX_SETTINGS;
use crate::sim::{Parameter, Shape};

/// More values of a knob than this are not listed one by one.
const LISTED: usize = 16;

/// A knob with the values that it may take here.
#[derive(Debug, Clone)]
pub struct Knob {
    /// The knob.
    pub parameter: &'static Parameter,
    /// The values in its unit, in order.
    pub values: Vec<f64>,
}

impl Knob {
    /// A knob with all values that an arrow key reaches from its least to its greatest; too many for a
    /// search where it has more than [`MAX_SETTINGS`].
    pub fn whole(parameter: &'static Parameter) -> Knob {
        let (mut value, greatest) = parameter.bounds();
        let mut values = vec![value];
        while value < greatest && values.len() <= MAX_SETTINGS {
            value = parameter.turned(value, 1);
            if values.last().is_some_and(|last| *last >= value) {
                break; // choices go round
            }
            values.push(value);
        }
        Knob { parameter, values }
    }

    /// The place of the allowed value nearest to `value`.
    pub(super) fn place(&self, value: f64) -> usize {
        let far = |v: &f64| (v - value).abs();
        let places = self.values.iter().enumerate();
        let nearest = places.min_by(|(_, a), (_, b)| far(a).total_cmp(&far(b)));
        nearest.map_or(0, |(place, _)| place)
    }

    /// Whether the value is allowed.
    pub fn allows(&self, value: f64) -> bool {
        let near = |v: &f64| (v - value).abs() <= 1e-9 * v.abs().max(value.abs());
        self.values.iter().any(near)
    }

    /// The allowed values as they may be typed: `1, 2, 4`; the middle of many is left out.
    pub fn listed(&self) -> String {
        self.joined(|value| self.parameter.written(value))
    }

    /// The allowed values as the knob shows them.
    pub fn shown(&self) -> String {
        self.joined(|value| match self.parameter.shape {
            Shape::Choice(_) => self.parameter.show(value),
            Shape::Number { .. } => self.parameter.written(value),
        })
    }

    fn joined(&self, write: impl Fn(f64) -> String) -> String {
        let written: Vec<_> = self.values.iter().map(|v| write(*v)).collect();
        let written = if matches!(self.parameter.shape, Shape::Choice(_)) { written } else { once(written) };
        match written.as_slice() {
            [first, second, .., last] if written.len() > LISTED => {
                format!("{first}, {second} and so on to {last}")
            }
            all => all.join(", "),
        }
    }
}

/// The same values with the unit that all have said behind the last alone.
fn once(mut written: Vec<String>) -> Vec<String> {
    let unit = written.last().and_then(|last| last.split_once(' ')).map(|(_, unit)| unit.to_owned());
    let others = written.len().saturating_sub(1);
    if let Some(unit) = unit.map(|unit| format!(" {unit}"))
        && written.iter().all(|value| value.ends_with(&unit))
    {
        written[..others].iter_mut().for_each(|value| value.truncate(value.len() - unit.len()));
    }
    written
}
