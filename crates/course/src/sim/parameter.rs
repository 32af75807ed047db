//! The knobs of a simulator: what they may be set to, and how typed text sets them.

use std::fmt;

use crate::sim::expr::Fault;
use crate::sim::quantity::{self, Dimension, Unit};

/// A knob.
#[derive(Debug, Clone, Copy)]
pub struct Parameter {
    /// The name, as in `--set name=value` and in packs.
    pub name: &'static str,
    /// The name shown.
    pub label: &'static str,
    /// The unit of its values.
    pub unit: Unit,
    /// What it is, in a sentence.
    pub help: &'static str,
    /// What it may be.
    pub shape: Shape,
    /// What it is at first, in its unit.
    pub default: f64,
}

/// What a knob may be.
#[derive(Debug, Clone, Copy)]
pub enum Shape {
    /// A number between two bounds, in the parameter's unit.
    Number {
        /// The least value.
        min: f64,
        /// The greatest value.
        max: f64,
        /// How an arrow key moves it.
        turn: Turn,
        /// Whether it is a whole number.
        whole: bool,
    },
    /// One of some names; its value is the place in this list, from 0. Each has a name and a label.
    Choice(&'static [(&'static str, &'static str)]),
}

/// How an arrow key moves a number.
#[derive(Debug, Clone, Copy)]
pub enum Turn {
    /// By this much.
    Add(f64),
    /// To the next multiple-of-two-like step: times this.
    Times(f64),
}

/// What came of setting a knob.
#[derive(Debug, Clone, PartialEq)]
pub struct Set {
    /// The value it has now, in its unit.
    pub value: f64,
    /// What was changed about the value asked for, where it was.
    pub note: Option<String>,
}

impl Parameter {
    const fn new(
        label: &'static str,
        unit: Unit,
        help: &'static str,
        default: f64,
        shape: Shape,
    ) -> Parameter {
        Parameter { name: "", label, unit, help, shape, default }
    }

    /// A whole number (least, default, greatest) that arrow keys double and halve. The field that holds it names it.
    pub(super) const fn doubling(
        label: &'static str,
        unit: Unit,
        (min, default, max): (f64, f64, f64),
        help: &'static str,
    ) -> Parameter {
        let shape = Shape::Number { min, max, turn: Turn::Times(2.0), whole: true };
        Parameter::new(label, unit, help, default, shape)
    }

    /// A whole number that arrow keys move by one.
    pub(super) const fn counting(
        label: &'static str,
        unit: Unit,
        (min, default, max): (f64, f64, f64),
        help: &'static str,
    ) -> Parameter {
        let shape = Shape::Number { min, max, turn: Turn::Add(1.0), whole: true };
        Parameter::new(label, unit, help, default, shape)
    }

    /// Any number; arrow keys move it by `by`.
    pub(super) const fn sliding(
        label: &'static str,
        unit: Unit,
        (min, default, max, by): (f64, f64, f64, f64),
        help: &'static str,
    ) -> Parameter {
        let shape = Shape::Number { min, max, turn: Turn::Add(by), whole: false };
        Parameter::new(label, unit, help, default, shape)
    }

    /// One of some names; the first is the default.
    pub(super) const fn choice(
        label: &'static str,
        of: &'static [(&'static str, &'static str)],
        help: &'static str,
    ) -> Parameter {
        Parameter::new(label, quantity::PLAIN, help, 0.0, Shape::Choice(of))
    }

    /// The same with arrow keys that double and halve it.
    pub(super) const fn doubled(self) -> Parameter {
        let Shape::Number { min, max, whole, .. } = self.shape else {
            return self;
        };
        let shape = Shape::Number { min, max, turn: Turn::Times(2.0), whole };
        Parameter { shape, ..self }
    }

    /// The same with another default.
    pub(super) const fn from(self, default: f64) -> Parameter {
        Parameter { default, ..self }
    }

    /// The least and the greatest value.
    pub fn bounds(&self) -> (f64, f64) {
        match self.shape {
            Shape::Number { min, max, .. } => (min, max),
            Shape::Choice(of) => (0.0, of.len().saturating_sub(1) as f64),
        }
    }

    /// The nearest value that it may have. Not a number becomes the default.
    pub fn nearest(&self, value: f64) -> f64 {
        let (min, max) = self.bounds();
        let value = if value.is_nan() { self.default } else { value.clamp(min, max) };
        match self.shape {
            Shape::Number { whole: false, .. } => value,
            _ => value.round(),
        }
    }

    /// What setting it to `value` comes to.
    ///
    /// # Errors
    /// A [`Fault`] where `value` is not a number.
    pub fn set(&self, value: f64) -> Result<Set, Fault> {
        if value.is_nan() {
            let what = format!("{} cannot be set to something that is not a number", self.name);
            return Err(Fault { at: 0, what, cure: "write a number".into() });
        }
        let nearest = self.nearest(value);
        let (min, max) = self.bounds();
        let note = if value < min {
            Some(format!("{} goes down to {}", self.label, self.show(min)))
        } else if value > max {
            Some(format!("{} goes up to {}", self.label, self.show(max)))
        } else if (nearest - value).abs() > 1e-9 * value.abs() {
            Some(format!("{} is a whole number", self.label))
        } else {
            None
        };
        let note = note.map(|why| format!("{why}: asked for {}, taken {}", plain(value), plain(nearest)));
        Ok(Set { value: nearest, note })
    }

    /// The value itself where it may be set so, for a command line that should do what it was told or say why not.
    ///
    /// # Errors
    /// A [`Fault`] with what it may be where the value is out of range or not whole.
    pub fn exact(&self, value: f64) -> Result<f64, Fault> {
        let set = self.set(value)?;
        if set.note.is_none() {
            return Ok(set.value);
        }
        let (min, max) = self.bounds();
        let whole =
            if matches!(self.shape, Shape::Number { whole: true, .. }) { "a whole number " } else { "" };
        Err(Fault {
            at: 0,
            what: format!(
                "{} cannot be {}",
                self.name,
                if value.abs() < 1e15 { value.to_string() } else { plain(value) }
            ),
            cure: format!("give {whole}from {} to {}", plain(min), self.show(max)),
        })
    }

    /// The value that a text stands for: a number with or without a unit, or the name of a choice.
    ///
    /// # Errors
    /// A [`Fault`] where it is neither.
    pub(super) fn read(&self, text: &str) -> Result<f64, Fault> {
        let Shape::Choice(of) = self.shape else {
            return quantity::read(text, self.unit.name);
        };
        let asked = text.trim().to_lowercase();
        let named =
            |(name, label): &(&str, &str)| name.to_lowercase() == asked || label.to_lowercase() == asked;
        let begins = |(name, label): &(&str, &str)| {
            !asked.is_empty() && [name, label].iter().any(|n| n.to_lowercase().starts_with(&asked))
        };
        let only = || match of.iter().filter(|c| begins(c)).count() {
            1 => of.iter().position(begins),
            _ => None,
        };
        if let Some(place) = of.iter().position(named).or_else(only) {
            return Ok(place as f64);
        }
        let number = asked.parse::<f64>().ok();
        number.filter(|n| n.fract() == 0.0 && (0.0..of.len() as f64).contains(n)).ok_or_else(|| {
            let names: Vec<_> = of.iter().map(|(_, label)| *label).collect();
            let what = format!("{} cannot be `{}`", self.label, text.trim().escape_debug());
            Fault { at: 0, what, cure: format!("use one of {}", names.join(", ")) }
        })
    }

    /// The value after some clicks of an arrow key from `value`.
    pub(super) fn turned(&self, value: f64, clicks: i32) -> f64 {
        let clicks = clicks.clamp(-64, 64);
        let moved = match self.shape {
            Shape::Choice(of) => (value as i64 + i64::from(clicks)).rem_euclid(of.len().max(1) as i64) as f64,
            Shape::Number { turn: Turn::Add(by), .. } => {
                let steps = value / by;
                let whole = if clicks > 0 { steps.floor() } else { steps.ceil() };
                (whole + f64::from(clicks)) * by
            }
            Shape::Number { turn: Turn::Times(by), .. } if value > 0.0 => {
                let steps = value.ln() / by.ln();
                let steps = if (steps - steps.round()).abs() < 1e-9 { steps.round() } else { steps };
                let whole = if clicks > 0 { steps.floor() } else { steps.ceil() };
                by.powf(whole + f64::from(clicks))
            }
            Shape::Number { .. } => f64::from(clicks.max(0)),
        };
        self.nearest(moved)
    }

    /// A value of it, given in its unit, for people.
    pub fn show(&self, value: f64) -> String {
        match self.shape {
            Shape::Choice(of) => of.get(value as usize).map_or("?", |(_, label)| label).to_owned(),
            Shape::Number { .. } if self.unit.dimension == Dimension::Share => {
                format!("{}%", quantity::digits(value))
            }
            Shape::Number { .. } => {
                let exact = value.to_string();
                let short = value.abs() < 1000.0 && exact.len() <= 6;
                let number = if short { exact } else { quantity::digits(value) };
                match self.unit.dimension {
                    Dimension::Count => quantity::counted(&number, self.unit.name),
                    _ => format!("{number} {}", self.unit.name),
                }
            }
        }
    }

    /// What it may be, in words: `1 to 512`, `gpipe, 1f1b`.
    pub fn listed(&self) -> String {
        match self.shape {
            Shape::Choice(of) => of.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", "),
            Shape::Number { min, max, .. } => {
                format!("{} to {}", quantity::digits(min), self.show(max))
            }
        }
    }

    /// A value of it, given in its unit, as it may be typed: the name of a choice, a count, `25 MiB`.
    pub fn written(&self, value: f64) -> String {
        match self.shape {
            Shape::Choice(of) => of.get(value as usize).map_or("?", |(name, _)| name).to_owned(),
            Shape::Number { .. } if self.unit.dimension == Dimension::Count => value.to_string(),
            Shape::Number { .. } => self.show(value),
        }
    }
}

/// Values for several knobs at once, from a real model or machine.
#[derive(Debug, Clone, Copy)]
pub struct Preset {
    /// The name shown.
    pub name: &'static str,
    /// Parameters and values in their units.
    pub set: &'static [(&'static str, f64)],
}

/// The value of a knob that is a number, within its bounds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Number {
    value: f64,
    unit: Unit,
}

impl Number {
    /// The value in the parameter's unit.
    pub(super) fn number(self) -> f64 {
        self.value
    }

    /// The value in base units: bytes, seconds, bytes per second.
    pub(super) fn base(self) -> f64 {
        self.value * self.unit.factor
    }

    /// The value as a count.
    pub(super) fn count(self) -> usize {
        self.value as usize
    }
}

/// As it may stand in an expression: `25 MiB`, `370 GB`.
impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.unit.name.strip_suffix("/s").unwrap_or(self.unit.name) {
            "%" => write!(f, "{} percent", plain(self.value)),
            unit if crate::sim::expr::constant(unit).is_some() => write!(f, "{} {unit}", plain(self.value)),
            _ => f.write_str(&plain(self.base())),
        }
    }
}

/// What a knob's value is read as.
pub(super) trait Taken {
    /// From a value within the knob's bounds, in its unit.
    fn taken(value: f64, unit: Unit) -> Self;
}

impl Taken for Number {
    fn taken(value: f64, unit: Unit) -> Number {
        Number { value, unit }
    }
}

/// Declares the knobs of a kind, each once: `PARAMETERS`, the table that people see; `Knobs`, their values, read
/// by field; `knob`, their names. A misspelt knob does not compile.
macro_rules! knobs {
    ($($name:ident: $type:ty = $parameter:expr;)*) => {
        /// The knobs in the order shown.
        const PARAMETERS: &[$crate::sim::Parameter] =
            &[$($crate::sim::Parameter { name: stringify!($name), ..$parameter }),*];

        /// The values of the knobs.
        #[derive(Debug, Clone, Copy)]
        struct Knobs {
            $($name: $type),*
        }

        impl Knobs {
            /// Reads the values, in the order of the table and in its units.
            fn read(values: &[f64]) -> Knobs {
                let mut rest = values.iter().copied().zip(PARAMETERS);
                Knobs {
                    $($name: {
                        let (value, parameter) = rest.next().expect("a value for each knob of the table");
                        <$type as $crate::sim::parameter::Taken>::taken(value, parameter.unit)
                    }),*
                }
            }
        }

        /// The names of the knobs.
        #[allow(non_upper_case_globals, dead_code, reason = "constants bear the names of the knobs")]
        mod knob {
            $(pub(super) const $name: &str = stringify!($name);)*
        }
    };
}
pub(super) use knobs;

/// Declares presets: values for knobs by their names, checked when compiled.
macro_rules! presets {
    ($($title:literal { $($name:ident = $value:expr),* $(,)? })*) => {
        const PRESETS: &[$crate::sim::Preset] =
            &[$($crate::sim::Preset { name: $title, set: &[$((knob::$name, $value)),*] }),*];
    };
}
pub(super) use presets;

/// Declares an enum that a knob chooses from: its variants with their name and label.
macro_rules! choices {
    ($(#[$doc:meta])* $vis:vis enum $type:ident {
        $($(#[$variant_doc:meta])* $variant:ident = $name:literal, $label:literal;)*
    }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        $vis enum $type { $($(#[$variant_doc])* $variant),* }

        impl $type {
            /// The names and labels, in order.
            pub(super) const OPTIONS: &'static [(&'static str, &'static str)] = &[$(($name, $label)),*];
            #[allow(dead_code, reason = "some choices are never gone through")]
            pub(super) const ALL: &'static [$type] = &[$($type::$variant),*];

            /// The value of a knob that chooses it.
            #[allow(dead_code, reason = "some choices stand in no preset")]
            pub(super) const fn place(self) -> f64 {
                self as usize as f64
            }
        }

        impl $crate::sim::parameter::Taken for $type {
            fn taken(value: f64, _: $crate::sim::quantity::Unit) -> $type {
                $type::ALL[(value as usize).min($type::ALL.len() - 1)]
            }
        }
    };
}
pub(super) use choices;

/// A rate in bytes per second as it may stand in an expression: `360 GB`.
pub(super) fn rate_term(bytes_per_second: f64) -> String {
    format!("{} GB", plain(bytes_per_second / 1e9))
}

/// A time in seconds as it may stand in an expression: `12 us`.
pub(super) fn time_term(seconds: f64) -> String {
    let us = seconds * 1e6;
    if us.round() > 0.0 && (us - us.round()).abs() < 1e-6 * us {
        format!("{} us", us.round())
    } else {
        plain(seconds)
    }
}

/// A number as an expression reads it.
pub(super) fn plain(value: f64) -> String {
    let size = value.abs();
    if size >= 1e7 || (size < 1e-4 && size > 0.0) { format!("{value:e}") } else { format!("{value}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RANKS: Parameter = Parameter::doubling("ranks", Unit::count("ranks"), (1.0, 8.0, 64.0), "how many");
    const BAND: Parameter =
        Parameter::sliding("link", quantity::GB_PER_S, (1.0, 45.0, 900.0, 5.0), "how fast");
    const ORDER: Parameter = Parameter::choice("schedule", &[("gpipe", "GPipe"), ("1f1b", "1F1B")], "which");

    #[test]
    fn wild_values_are_brought_within_bounds_and_told() {
        for (asked, value, told) in [
            (16.0, 16.0, false),
            (0.0, 1.0, true),
            (-5.0, 1.0, true),
            (1e18, 64.0, true),
            (f64::INFINITY, 64.0, true),
            (7.4, 7.0, true),
        ] {
            let set = RANKS.set(asked).expect("a number");
            assert_eq!((set.value, set.note.is_some()), (value, told), "{asked}");
        }
        assert!(RANKS.set(f64::NAN).is_err());
    }

    #[test]
    fn arrow_keys_go_to_the_next_step() {
        assert_eq!(RANKS.turned(8.0, 1), 16.0);
        assert_eq!(RANKS.turned(7.0, 1), 8.0);
        assert_eq!(RANKS.turned(7.0, -1), 4.0);
        assert_eq!(RANKS.turned(64.0, 1), 64.0);
        assert_eq!(BAND.turned(47.0, 1), 50.0);
        assert_eq!(BAND.turned(47.0, -1), 45.0);
        assert_eq!(BAND.turned(1.0, -1), 1.0);
        assert_eq!(ORDER.turned(1.0, 1), 0.0);
        assert_eq!(ORDER.turned(0.0, -1), 1.0);
    }

    #[test]
    fn text_sets_numbers_with_units_and_choices_by_name() {
        assert_eq!(BAND.read("400 Gbit/s"), Ok(50.0));
        assert_eq!(ORDER.read("1F1B"), Ok(1.0));
        assert_eq!(ORDER.read("1"), Ok(1.0));
        let fault = ORDER.read("zigzag").expect_err("no such schedule");
        assert_eq!(fault.cure, "use one of GPipe, 1F1B");
        assert_eq!(ORDER.read("gp"), Ok(0.0));
        assert!(ORDER.read("").is_err());
    }
}
