//! Every formula of the field, once.
//!
//! A formula is a function over plain numbers with a name in the field's words. Sections print them
//! with `{{…}}`, number checks ask for them, simulators show them with their values put in: all through
//! [`find`], so that one change changes all. Bases: bytes, seconds, bytes per second per direction,
//! FLOP per second, parameters. Volumes are bytes sent per rank per direction.
//!
//! A formula outside its domain (0 ranks, stage 7) gives NaN, which [`crate::sim::expr`] reports.

#![allow(non_snake_case, reason = "arguments bear the symbols of the field: S, B, N")]

use std::fmt::Write as _;

pub mod collective;
pub mod data;
pub mod expert;
pub mod pipeline;
pub mod sequence;
pub mod step;
pub mod tensor;

/// A formula: how it is called, what it gives, where it comes from.
#[derive(Debug, Clone, Copy)]
pub struct Formula {
    /// The name, as in expressions.
    pub name: &'static str,
    /// The arguments: name and unit.
    pub arguments: &'static [(&'static str, &'static str)],
    /// The unit of the result.
    pub unit: &'static str,
    /// The formula in plain characters, over the argument names.
    pub text: &'static str,
    /// What it gives, in a sentence.
    pub does: &'static str,
    /// Title and year of a source, or what it follows from.
    pub source: &'static str,
    call: fn(&[f64]) -> f64,
}

impl Formula {
    /// The value for arguments in order, or `None` where their number is wrong or the result is
    /// no finite number.
    pub fn value(&self, arguments: &[f64]) -> Option<f64> {
        if arguments.len() != self.arguments.len() {
            return None;
        }
        Some((self.call)(arguments)).filter(|v| v.is_finite())
    }

    /// How it is written: `bubble_fraction(p, m)`.
    pub fn form(&self) -> String {
        let names: Vec<_> = self.arguments.iter().map(|(name, _)| *name).collect();
        format!("{}({})", self.name, names.join(", "))
    }
}

/// The share of a message that is not one's own: (n-1)/n. NaN below one rank.
fn of_others(n: f64) -> f64 {
    if n >= 1.0 { (n - 1.0) / n } else { f64::NAN }
}

/// The number, or NaN where it is not above 0.
fn positive(number: f64) -> f64 {
    if number > 0.0 { number } else { f64::NAN }
}

/// Declares formulas: a Rust function each, and the table `FORMULAS` that names them all.
macro_rules! formulas {
    ($(
        $(#[doc = $does:literal])+
        $name:ident($($argument:ident: $unit:literal),*) -> $result:literal,
        $text:literal, $source:expr, $body:block
    )*) => {
        $(
            $(#[doc = $does])+
            #[doc = ""]
            #[doc = concat!("`", $text, "`, in ", $result, ".")]
            pub fn $name($($argument: f64),*) -> f64 $body
        )*

        /// The formulas of this file, in reading order.
        pub(super) const FORMULAS: &[$crate::sim::formula::Formula] = &[$(
            $crate::sim::formula::Formula {
                name: stringify!($name),
                arguments: &[$((stringify!($argument), $unit)),*],
                unit: $result,
                text: $text,
                does: concat!($($does),+),
                source: $source,
                call: |arguments| match *arguments {
                    [$($argument),*] => $name($($argument),*),
                    _ => f64::NAN,
                },
            }
        ),*];
    };
}
pub(crate) use formulas;

/// The formulas by topic: a title and its table.
const TOPICS: &[(&str, &[Formula])] = &[
    ("Collectives and links", collective::FORMULAS),
    ("Data parallel, ZeRO and FSDP", data::FORMULAS),
    ("Tensor parallel and activations", tensor::FORMULAS),
    ("Pipeline parallel", pipeline::FORMULAS),
    ("Sequence and context parallel", sequence::FORMULAS),
    ("Expert parallel", expert::FORMULAS),
    ("Step time, efficiency, failures", step::FORMULAS),
];

/// Every formula, in reading order.
pub fn all() -> impl Iterator<Item = &'static Formula> {
    TOPICS.iter().flat_map(|(_, formulas)| formulas.iter())
}

/// The formula of this name.
pub fn find(name: &str) -> Option<&'static Formula> {
    all().find(|f| f.name == name)
}

/// The formula whose name is spelt nearest to this, if one is near.
pub fn nearest(name: &str) -> Option<&'static str> {
    all()
        .map(|f| (strsim::damerau_levenshtein(name, f.name), f.name))
        .filter(|(distance, near)| *distance <= near.len() / 3)
        .min()
        .map(|(_, near)| near)
}

/// The list of formulas as Markdown, as it stands in `docs/formulas.md`.
pub fn markdown() -> String {
    let mut page = String::from(INTRODUCTION);
    for (form, does) in super::expr::PLAIN_FUNCTIONS {
        let _ = writeln!(page, "- `{form}`: {does}");
    }
    let constants: Vec<_> = super::expr::constants().map(|(name, _)| format!("`{name}`")).collect();
    let _ = writeln!(page, "\nConstants: {}.", constants.join(", "));
    for (title, formulas) in TOPICS {
        let _ = writeln!(page, "\n## {title}");
        for formula in *formulas {
            formula_into(&mut page, formula);
        }
    }
    page
}

fn formula_into(page: &mut String, formula: &Formula) {
    let arguments: Vec<_> = formula.arguments.iter().map(|(name, unit)| format!("`{name}` {unit}")).collect();
    let _ = writeln!(page, "\n### `{}`\n", formula.form());
    let _ = writeln!(page, "{}\n", formula.does.trim());
    let _ = writeln!(page, "- gives {}: `{}`", formula.unit, formula.text);
    let _ = writeln!(page, "- takes {}", arguments.join("; "));
    let _ = writeln!(page, "- source: {}", formula.source);
}

const INTRODUCTION: &str = "# Formulas

Packs may write these in `{{…}}`, in number checks, in worksheet conditions and in puzzles. The list is
made from the code; a test keeps the two equal.

Everything is in base units: bytes, seconds, bytes per second per direction, FLOP per second, parameters.
Divide by a constant for another unit: `{{ring_all_reduce_bytes(8, 1 GiB) / GiB:2}}`. A unit may follow a
number (`25 MiB`). Fractions are between 0 and 1: multiply by 100 for per cent. Volumes are bytes sent
per rank per direction.

Operators: `+ - * / ^`, `< <= > >= == !=` (1 for yes, 0 for no), `and`, `or`, `not`, parentheses.

Plain functions:

";

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_are_unique_and_no_constants() {
        let mut seen = BTreeSet::new();
        for formula in all() {
            assert!(seen.insert(formula.name), "{} twice", formula.name);
            assert!(super::super::expr::constant(formula.name).is_none(), "{}", formula.name);
            assert!(formula.does.trim().ends_with('.'), "{} says what it does", formula.name);
            assert!(!formula.source.is_empty() && !formula.text.is_empty(), "{}", formula.name);
        }
        assert!(seen.len() > 80, "{} formulas", seen.len());
    }

    #[test]
    fn wild_numbers_never_panic_or_freeze() {
        let wild = [0.0, -1.0, 1.0, 0.5, 7.0, 64.0, 1e18, -1e18, f64::NAN, f64::INFINITY];
        for formula in all() {
            for (i, first) in wild.iter().enumerate() {
                let arguments: Vec<f64> =
                    (0..formula.arguments.len()).map(|j| wild[(i + j * 3) % wild.len()]).collect();
                let _ = formula.value(&arguments);
                let _ = formula.value(&vec![*first; formula.arguments.len()]);
            }
            assert_eq!(formula.value(&[1.0; 9]), None, "{} takes at most 5", formula.name);
        }
    }
}
