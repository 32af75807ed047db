//! What an expression measures, as far as that is certain.

use super::{Expr, Kind, Node, Operator, constant};
use crate::sim::formula;
use crate::sim::quantity::{self, Dimension};

/// What an expression gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Measure {
    /// A quantity in base units.
    Of(Dimension),
    /// A quantity divided by a constant, and so in its unit.
    In(String),
    /// A quantity divided by one of the same kind.
    Ratio,
    /// Nobody can tell: a bare number or a value from outside may be anything.
    Unknown,
}

impl Expr {
    /// What the expression measures.
    pub fn measure(&self) -> Measure {
        self.root.measure()
    }
}

impl Node {
    fn measure(&self) -> Measure {
        match &self.kind {
            Kind::Name(name) => unit_of(name).map_or(Measure::Unknown, Measure::Of),
            Kind::Sized(_, dimension) => Measure::Of(*dimension),
            Kind::Negate(inner) => inner.measure(),
            Kind::Call(name, arguments) => called(name, arguments),
            Kind::Pair(operator, left, right) => pair(*operator, left, right),
            Kind::Number(_) | Kind::Not(_) => Measure::Unknown,
        }
    }

    /// Whether it is a small number as it stands, which changes no unit.
    fn is_factor(&self) -> bool {
        const LARGEST: f64 = 1e5;
        matches!(self.kind, Kind::Number(n) if n.abs() <= LARGEST)
    }

    /// Whether it has no unit of its own: a small number, or a name to which a unit is set.
    fn takes_a_unit(&self) -> bool {
        self.is_factor() || matches!(&self.kind, Kind::Name(name) if constant(name).is_none())
    }
}

/// The dimension of a constant that is a unit of size or time.
pub(super) fn unit_of(name: &str) -> Option<Dimension> {
    constant(name)?;
    let dimension = quantity::unit(name)?.dimension;
    (!matches!(dimension, Dimension::Count | Dimension::Share)).then_some(dimension)
}

fn called(name: &str, arguments: &[Node]) -> Measure {
    if let Some(formula) = formula::find(name) {
        let dimension = quantity::unit(formula.unit).filter(|u| u.factor == 1.0).map(|u| u.dimension);
        let sized = dimension.filter(|d| !matches!(d, Dimension::Count | Dimension::Share));
        return sized.map_or(Measure::Unknown, Measure::Of);
    }
    match name {
        "min" | "max" | "ceil" | "floor" | "round" | "abs" => {
            let mut all = arguments.iter().map(Node::measure);
            let first = all.next().unwrap_or(Measure::Unknown);
            if all.all(|m| m == first) { first } else { Measure::Unknown }
        }
        _ => Measure::Unknown,
    }
}

fn pair(operator: Operator, left: &Node, right: &Node) -> Measure {
    let (a, b) = (left.measure(), right.measure());
    match operator {
        Operator::Add | Operator::Subtract if a == b => a,
        Operator::Multiply => match (a, b) {
            // `S * GiB` is a size; a size times a value from outside may be anything
            (Measure::Of(d), Measure::Unknown) if left.is_unit() && right.takes_a_unit() => Measure::Of(d),
            (Measure::Unknown, Measure::Of(d)) if right.is_unit() && left.takes_a_unit() => Measure::Of(d),
            (Measure::Of(d), Measure::Unknown) if right.is_factor() => Measure::Of(d),
            (Measure::Unknown, Measure::Of(d)) if left.is_factor() => Measure::Of(d),
            _ => Measure::Unknown,
        },
        Operator::Divide => match (a, b) {
            (Measure::Of(d), Measure::Of(by)) if d == by => match &right.kind {
                Kind::Name(name) => Measure::In(name.clone()),
                _ => Measure::Ratio,
            },
            (Measure::Of(Dimension::Bytes), Measure::Of(Dimension::Seconds)) => {
                Measure::Of(Dimension::ByteRate)
            }
            (Measure::Of(Dimension::Bytes), Measure::Of(Dimension::ByteRate)) => {
                Measure::Of(Dimension::Seconds)
            }
            (Measure::Of(Dimension::Flop), Measure::Of(Dimension::Seconds)) => {
                Measure::Of(Dimension::FlopRate)
            }
            (Measure::Of(d), Measure::Unknown) if right.is_factor() => Measure::Of(d),
            _ => Measure::Unknown,
        },
        _ => Measure::Unknown,
    }
}

impl Node {
    fn is_unit(&self) -> bool {
        matches!(&self.kind, Kind::Name(name) if unit_of(name).is_some())
    }
}
