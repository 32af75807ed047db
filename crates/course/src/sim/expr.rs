//! Arithmetic that a pack may write: `ring_all_reduce_bytes(8, 1 GiB) / GiB`.
//!
//! Numbers (`1e9`, `0.5`), names (values given by the caller, constants such as `GiB`), `+ - * / ^`,
//! comparisons `< <= > >= == !=` (1 for yes, 0 for no), `and or not`, parentheses, and calls
//! of the functions of [`crate::sim::formula`] and of the plain ones (`min`, `max`, `ceil`, `floor`,
//! `round`, `abs`, `sqrt`, `log2`, `ln`, `exp`, `mod`, `if`). A unit may follow a number: `25 MiB`.
//!
//! Bases: bytes, seconds, bytes per second, FLOP, FLOP per second. Any text either gives a finite
//! number or a [`Fault`] with its place; nothing panics and nothing loops.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

pub mod aloud;
mod measure;
mod parse;
mod token;

pub use measure::Measure;

use crate::sim::formula;
use crate::sim::quantity::Dimension;

/// The longest expression that is read, in bytes.
pub(crate) const MAX_BYTES: usize = 1000;
/// The deepest nesting that is read.
pub(crate) const MAX_DEPTH: usize = 48;

/// What is wrong with an expression, where, and what helps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The offset in bytes into the expression.
    pub at: usize,
    /// What is wrong.
    pub what: String,
    /// What to do about it.
    pub cure: String,
}

impl Fault {
    fn new(at: usize, what: impl Into<String>, cure: impl Into<String>) -> Fault {
        Fault { at, what: what.into(), cure: cure.into() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at character {}; {}", self.what, self.at + 1, self.cure)
    }
}

impl std::error::Error for Fault {}

/// Where the values of names come from.
pub trait Values {
    /// The value of a name, if it has one.
    fn value(&self, name: &str) -> Option<f64>;
}

impl Values for BTreeMap<String, f64> {
    fn value(&self, name: &str) -> Option<f64> {
        self.get(name).copied()
    }
}

/// No names have values.
impl Values for () {
    fn value(&self, _: &str) -> Option<f64> {
        None
    }
}

/// A parsed expression, to be evaluated as often as needed.
#[derive(Debug, Clone, PartialEq)]
pub struct Expr {
    root: Node,
}

/// A node of the tree, with the offset at which it stands.
#[derive(Debug, Clone, PartialEq)]
struct Node {
    at: usize,
    kind: Kind,
}

#[derive(Debug, Clone, PartialEq)]
enum Kind {
    Number(f64),
    /// A number with a unit, in base units.
    Sized(f64, Dimension),
    Name(String),
    Negate(Box<Node>),
    Not(Box<Node>),
    Pair(Operator, Box<Node>, Box<Node>),
    Call(String, Vec<Node>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    Unequal,
    And,
    Or,
}

/// The constants: name and value.
const CONSTANTS: &[(&str, f64)] = &[
    ("KB", 1e3),
    ("MB", 1e6),
    ("GB", 1e9),
    ("TB", 1e12),
    ("KiB", 1024.0),
    ("MiB", 1024.0 * 1024.0),
    ("GiB", 1024.0 * 1024.0 * 1024.0),
    ("TiB", 1024.0 * 1024.0 * 1024.0 * 1024.0),
    ("ns", 1e-9),
    ("us", 1e-6),
    ("ms", 1e-3),
    ("minutes", 60.0),
    ("hours", 3600.0),
    ("kbit", 1e3 / 8.0),
    ("Mbit", 1e6 / 8.0),
    ("Gbit", 1e9 / 8.0),
    ("Tbit", 1e12 / 8.0),
    ("GFLOP", 1e9),
    ("TFLOP", 1e12),
    ("million", 1e6),
    ("billion", 1e9),
    ("percent", 0.01),
    ("pi", std::f64::consts::PI),
];

/// The constant of this name: bytes, seconds or a plain factor.
pub fn constant(name: &str) -> Option<f64> {
    CONSTANTS.iter().find(|(n, _)| *n == name).map(|(_, v)| *v)
}

/// Every constant with its value, for documentation.
pub fn constants() -> impl Iterator<Item = (&'static str, f64)> {
    CONSTANTS.iter().copied()
}

/// The plain functions that are no formulas of the field: form and meaning.
pub(crate) const PLAIN_FUNCTIONS: &[(&str, &str)] = &[
    ("min(a, b, …)", "the least"),
    ("max(a, b, …)", "the greatest"),
    ("ceil(x)", "rounded up"),
    ("floor(x)", "rounded down"),
    ("round(x)", "rounded to the nearest whole number"),
    ("abs(x)", "without its sign"),
    ("sqrt(x)", "the square root"),
    ("log2(x)", "the logarithm to base 2"),
    ("ln(x)", "the natural logarithm"),
    ("exp(x)", "e to the power x"),
    ("mod(a, b)", "the remainder of a / b"),
    ("if(c, a, b)", "a where c is not 0, else b"),
];

/// Parses and evaluates in one go.
///
/// # Errors
/// A [`Fault`] where the text is no expression, names something unknown, or does not come to a finite number.
pub fn value(source: &str, values: &impl Values) -> Result<f64, Fault> {
    Expr::parse(source)?.value(values)
}

impl Expr {
    /// Reads an expression.
    ///
    /// # Errors
    /// A [`Fault`] where the text is no expression or calls a function that does not exist.
    pub fn parse(source: &str) -> Result<Expr, Fault> {
        parse::parse(source).map(|root| Expr { root })
    }

    /// The names that need a value: all but the constants.
    pub fn names(&self) -> BTreeSet<&str> {
        let mut names = BTreeSet::new();
        self.root.names_into(&mut names);
        names
    }

    /// The value, with `values` for the names. A name given there hides a constant.
    ///
    /// # Errors
    /// A [`Fault`] where a name has no value or the result is no finite number.
    pub fn value(&self, values: &impl Values) -> Result<f64, Fault> {
        self.root.value(values)
    }

    /// Whether the value is not 0, for conditions.
    ///
    /// # Errors
    /// As for [`Expr::value`].
    pub fn holds(&self, values: &impl Values) -> Result<bool, Fault> {
        Ok(self.value(values)? != 0.0)
    }
}

impl Node {
    fn names_into<'a>(&'a self, names: &mut BTreeSet<&'a str>) {
        match &self.kind {
            Kind::Number(_) | Kind::Sized(..) => {}
            Kind::Name(name) => {
                if constant(name).is_none() {
                    names.insert(name);
                }
            }
            Kind::Negate(inner) | Kind::Not(inner) => inner.names_into(names),
            Kind::Pair(_, left, right) => {
                left.names_into(names);
                right.names_into(names);
            }
            Kind::Call(_, arguments) => arguments.iter().for_each(|a| a.names_into(names)),
        }
    }

    fn value(&self, values: &impl Values) -> Result<f64, Fault> {
        let value = match &self.kind {
            Kind::Number(number) | Kind::Sized(number, _) => *number,
            Kind::Name(name) => {
                values.value(name).or_else(|| constant(name)).ok_or_else(|| self.no_value(name))?
            }
            Kind::Negate(inner) => -inner.value(values)?,
            Kind::Not(inner) => truth(inner.value(values)? == 0.0),
            Kind::Pair(operator, left, right) => {
                operator.apply(left.value(values)?, || right.value(values))?
            }
            Kind::Call(name, arguments) => call(name, arguments, values)?,
        };
        if value.is_finite() { Ok(value) } else { Err(self.not_finite()) }
    }

    fn no_value(&self, name: &str) -> Fault {
        if arity(name).is_some() {
            let cure = format!("give it its arguments: {}", parse::form(name));
            return Fault::new(self.at, format!("`{name}` is a function"), cure);
        }
        Fault::new(self.at, format!("`{name}` has no value"), "check the name")
    }

    fn not_finite(&self) -> Fault {
        match &self.kind {
            Kind::Pair(Operator::Divide, ..) => {
                Fault::new(self.at, "divides by zero", "make sure the divisor is never 0")
            }
            Kind::Call(name, _) => Fault::new(
                self.at,
                format!("`{name}` has no value for these numbers"),
                "give it numbers that make sense, for example at least 1 rank",
            ),
            _ => Fault::new(self.at, "does not come to a finite number", "use smaller numbers"),
        }
    }
}

impl Operator {
    /// Applies the operator; the right side is evaluated only where it counts.
    fn apply(self, left: f64, right: impl FnOnce() -> Result<f64, Fault>) -> Result<f64, Fault> {
        Ok(match self {
            Operator::And if left == 0.0 => 0.0,
            Operator::Or if left != 0.0 => 1.0,
            Operator::And | Operator::Or => truth(right()? != 0.0),
            Operator::Add => left + right()?,
            Operator::Subtract => left - right()?,
            Operator::Multiply => left * right()?,
            Operator::Divide => left / right()?,
            Operator::Power => left.powf(right()?),
            Operator::Less => truth(left < right()?),
            Operator::Greater => truth(left > right()?),
            Operator::LessEqual => {
                let right = right()?;
                truth(left <= right || same(left, right))
            }
            Operator::GreaterEqual => {
                let right = right()?;
                truth(left >= right || same(left, right))
            }
            Operator::Equal => truth(same(left, right()?)),
            Operator::Unequal => truth(!same(left, right()?)),
        })
    }
}

/// Equal up to rounding: within one part in 10^9.
fn same(left: f64, right: f64) -> bool {
    (left - right).abs() <= 1e-9 * left.abs().max(right.abs())
}

fn truth(yes: bool) -> f64 {
    if yes { 1.0 } else { 0.0 }
}

/// How many arguments a function takes: least and most; `None` where there is no such function.
fn arity(name: &str) -> Option<(usize, usize)> {
    match name {
        "min" | "max" => Some((1, 16)),
        "ceil" | "floor" | "round" | "abs" | "sqrt" | "log2" | "ln" | "exp" => Some((1, 1)),
        "mod" => Some((2, 2)),
        "if" => Some((3, 3)),
        _ => formula::find(name).map(|f| (f.arguments.len(), f.arguments.len())),
    }
}

/// Calls a function; its name and number of arguments were checked by the parser.
fn call(name: &str, arguments: &[Node], values: &impl Values) -> Result<f64, Fault> {
    if let ("if", [condition, yes, no]) = (name, arguments) {
        return if condition.value(values)? != 0.0 { yes.value(values) } else { no.value(values) };
    }
    let numbers = arguments.iter().map(|a| a.value(values)).collect::<Result<Vec<_>, _>>()?;
    let first = numbers.first().copied().unwrap_or(f64::NAN);
    Ok(match name {
        "min" => numbers.iter().copied().fold(f64::INFINITY, f64::min),
        "max" => numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        "ceil" => up(first),
        "floor" => -up(-first),
        "round" => first.round(),
        "abs" => first.abs(),
        "sqrt" => first.sqrt(),
        "log2" => first.log2(),
        "ln" => first.ln(),
        "exp" => first.exp(),
        "mod" => first.rem_euclid(numbers.get(1).copied().unwrap_or(f64::NAN)),
        _ => formula::find(name).and_then(|f| f.value(&numbers)).unwrap_or(f64::NAN),
    })
}

/// Rounds up, but not over a rounding error: 63.000000000001 is 63.
pub(crate) fn up(number: f64) -> f64 {
    let near = number.round();
    if same(near, number) { near } else { number.ceil() }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn eval(source: &str) -> f64 {
        value(source, &()).expect(source)
    }

    fn fault(source: &str) -> (usize, String) {
        let fault = value(source, &()).expect_err(source);
        assert!(!fault.cure.is_empty(), "{source}");
        (fault.at, fault.what)
    }

    #[test]
    fn arithmetic_follows_the_usual_order() {
        for (source, expected) in [
            ("1 + 2 * 3", 7.0),
            ("(1 + 2) * 3", 9.0),
            ("10 - 4 - 3", 3.0),
            ("2 ^ 3 ^ 2", 512.0),
            ("-2 ^ 2", -4.0),
            ("2 ^ -1", 0.5),
            ("2 * -3", -6.0),
            ("8 / 4 / 2", 1.0),
            ("1e9", 1e9),
            ("2.5E-3", 0.0025),
            (".5", 0.5),
            ("1_000_000", 1e6),
        ] {
            assert_eq!(eval(source), expected, "{source}");
        }
    }

    #[test]
    fn units_are_constants_and_may_follow_a_number() {
        assert_eq!(eval("25 MiB"), 26_214_400.0);
        assert_eq!(eval("25*MiB"), 26_214_400.0);
        assert_eq!(eval("1 GiB / 1 MiB"), 1024.0);
        assert_eq!(eval("400 Gbit / GB"), 50.0);
        assert_eq!(eval("3 ms + 20 us"), 0.00302);
    }

    #[test]
    fn conditions_give_one_or_nought() {
        for (source, expected) in [
            ("1 < 2", 1.0),
            ("2 <= 2", 1.0),
            ("0.1 + 0.2 == 0.3", 1.0),
            ("3 > 4", 0.0),
            ("3 != 4", 1.0),
            ("1 < 2 and 2 < 1", 0.0),
            ("1 < 2 or 1/0 > 1", 1.0),
            ("not 1 < 2", 0.0),
            ("if(2 > 1, 10, 1/0)", 10.0),
        ] {
            assert_eq!(eval(source), expected, "{source}");
        }
    }

    #[test]
    fn functions_are_called() {
        assert_eq!(eval("ceil(4096 * 2 / 8 * 1.25)"), 1280.0);
        assert_eq!(eval("ceil(7 * (1 - 0.1) / 0.1)"), 63.0);
        assert_eq!(eval("min(3, 1, 2) + max(3, 1, 2)"), 4.0);
        assert_eq!(eval("mod(37, 8)"), 5.0);
        assert_eq!(eval("ring_all_reduce_bytes(8, 1)"), 1.75);
    }

    #[test]
    fn names_take_their_values_from_the_caller() {
        let values = BTreeMap::from([("tp".to_owned(), 8.0), ("cell.pp".to_owned(), 4.0)]);
        assert_eq!(value("tp * cell.pp", &values), Ok(32.0));
        let expr = Expr::parse("tp * cell.pp * GiB + min(tp, m)").expect("parses");
        assert_eq!(expr.names().into_iter().collect::<Vec<_>>(), ["cell.pp", "m", "tp"]);
    }

    #[test]
    fn faults_point_at_their_place() {
        assert_eq!(fault(""), (0, "the expression is empty".to_owned()));
        assert_eq!(fault("1 +"), (3, "the expression ends too early".to_owned()));
        assert_eq!(fault("1 + * 2"), (4, "`*` is where a number should be".to_owned()));
        assert_eq!(fault("(1 + 2"), (6, "a bracket is not closed".to_owned()));
        assert_eq!(fault("1 2"), (2, "`2` follows without an operator".to_owned()));
        assert_eq!(fault("2 $ 3"), (2, "`$` means nothing here".to_owned()));
        assert_eq!(fault("ring_byts(8, 1)").0, 0);
        assert_eq!(fault("4 * bubble_fraction(8)").0, 4);
        assert_eq!(fault("q + 1"), (0, "`q` has no value".to_owned()));
        assert_eq!(fault("busbw + 1"), (0, "`busbw` is a function".to_owned()));
        assert_eq!(fault("3 / 0"), (2, "divides by zero".to_owned()));
        assert_eq!(fault("1 < 2 < 3"), (6, "comparisons do not chain".to_owned()));
        assert_eq!(fault("1e999"), (0, "`1e999` is not a number".to_owned()));
        assert_eq!(fault("ring_all_reduce_bytes(0, 1)").0, 0);
    }

    #[test]
    fn a_misspelt_function_is_told_its_neighbour() {
        let fault = value("buble_fraction(8, 64)", &()).expect_err("no such function");
        assert!(fault.cure.contains("bubble_fraction"), "{}", fault.cure);
    }

    #[test]
    fn size_is_limited() {
        assert!(value(&"(".repeat(900), &()).is_err());
        assert!(value(&"-".repeat(900), &()).is_err());
        assert!(value(&"2^".repeat(450), &()).is_err());
        assert!(value(&"1+".repeat(5000), &()).is_err());
        assert_eq!(value(&format!("{}1", "1+".repeat(400)), &()), Ok(401.0));
    }

    proptest! {
        #[test]
        fn any_text_gives_a_finite_number_or_a_fault(source in "[ -~é∑\\n]{0,60}") {
            match value(&source, &()) {
                Ok(number) => prop_assert!(number.is_finite()),
                Err(fault) => prop_assert!(fault.at <= source.len()),
            }
        }

        #[test]
        fn any_words_of_the_language_give_a_number_or_a_fault(
            words in proptest::collection::vec(
                prop::sample::select(vec![
                    "1", "8", "1e18", "-", "+", "*", "/", "^", "(", ")", ",", "<", ">=", "==", "and",
                    "not", "if(", "GiB", "min(", "bubble_fraction(", "expert_capacity(", "ms", "x",
                ]),
                0..40,
            )
        ) {
            if let Ok(number) = value(&words.join(" "), &()) {
                prop_assert!(number.is_finite());
            }
        }
    }
}
