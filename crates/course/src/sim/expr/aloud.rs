//! An expression as a colleague would say it: `2(n-1)/n * S` is “2 times the fraction the ranks minus 1, over the ranks,
//! end of fraction, times the bytes”. By ear nothing else tells where a fraction begins and ends.

use super::{Dimension, Expr, Kind, Node, Operator};
use crate::sim::formula;
use crate::sim::quantity;
use crate::sim::spoken::list;

/// What stands for a name: its words, and its number where it is a plain one that can be worked out in the head.
#[derive(Debug, Clone, PartialEq)]
pub struct Said {
    /// The words.
    pub words: String,
    /// The number.
    pub number: Option<f64>,
}

/// What a call of a formula is said as: the words of its name, or its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Calls {
    /// By name.
    Named,
    /// By value.
    Valued,
}

impl Expr {
    /// The expression in words, with `said` for its names. None where it holds what nobody says aloud.
    pub fn aloud(&self, said: &dyn Fn(&str) -> Said, calls: Calls) -> Option<String> {
        Voice { said, calls }.words(&self.root)
    }

    /// The name of the one formula that it calls, where it is nothing else.
    pub fn call(&self) -> Option<&str> {
        match &self.root.kind {
            Kind::Call(name, _) if formula::find(name).is_some() => Some(name),
            _ => None,
        }
    }
}

/// A formula over names, where products are written without a sign: `2(n-1)/n`, `6N`.
pub fn written(text: &str) -> Option<Expr> {
    Expr::parse(&explicit(text)).ok()
}

/// The same with a sign for every product: `2*(n-1)/n`, `(6*N)`.
pub fn explicit(text: &str) -> String {
    let mut out = String::new();
    let mut before = ' ';
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        // `6N` is one factor
        if c.is_ascii_digit() && !before.is_alphanumeric() && before != '.' && before != '_' {
            let end = text[at..].find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len() - at);
            let name = text[at + end..].find(|c: char| !c.is_alphanumeric() && c != '_');
            let name = &text[at + end..at + end + name.unwrap_or(text.len() - at - end)];
            if name.starts_with(char::is_alphabetic) {
                out.push_str(&format!("({}*{name})", &text[at..at + end]));
                for _ in 1..end + name.len() {
                    chars.next();
                }
                before = ')';
                continue;
            }
        }
        let is_product = match c {
            '(' => before == ')' || is_factor_before(&text[..at]),
            c => before == ')' && c.is_alphanumeric(),
        };
        out.push_str(if is_product { "*" } else { "" });
        out.push(c);
        before = c;
    }
    out
}

/// Whether a number or a symbol of one letter stands at the end, which is no function: `2(n-1)`, `s(s+1)`.
fn is_factor_before(text: &str) -> bool {
    let word = text.rsplit(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or_default();
    let is_number = !word.is_empty() && word.chars().all(|c| c.is_ascii_digit());
    is_number || word.chars().count() == 1 && word.chars().all(char::is_alphabetic)
}

struct Voice<'a> {
    said: &'a dyn Fn(&str) -> Said,
    calls: Calls,
}

impl Voice<'_> {
    fn words(&self, node: &Node) -> Option<String> {
        Some(self.say(node)?.words)
    }

    fn say(&self, node: &Node) -> Option<Said> {
        let words = |words: String| Some(Said { words, number: None });
        match &node.kind {
            Kind::Number(number) => Some(Said { words: count(*number), number: Some(*number) }),
            Kind::Sized(value, dimension) => words(sized(*value, *dimension)),
            Kind::Name(name) => Some((self.said)(name)),
            Kind::Call(name, arguments) => words(self.call(node, name, arguments)?),
            Kind::Pair(operator, left, right) => self.pair(*operator, left, right),
            Kind::Negate(_) | Kind::Not(_) => None,
        }
    }

    fn pair(&self, operator: Operator, left: &Node, right: &Node) -> Option<Said> {
        if operator == Operator::Divide {
            return self.divided(left, right);
        }
        let (a, b) = (self.say(left)?, self.say(right)?);
        match (operator, literal(right)) {
            (Operator::Add | Operator::Subtract, Some(0.0)) => return Some(a),
            (Operator::Multiply, Some(1.0)) => return Some(a),
            _ => {}
        }
        // 64 minus 1 is 63
        if let (Some(x), Some(y), Operator::Add | Operator::Subtract) = (a.number, b.number, operator) {
            let number = if operator == Operator::Add { x + y } else { x - y };
            return Some(Said { words: count(number), number: Some(number) });
        }
        // a voice pauses where a sum would else be heard as part of a fraction
        let comma = if is_product(left) || b.words.contains(" over ") { "," } else { "" };
        let words = match operator {
            Operator::Add => format!("{}{comma} plus {}", a.words, b.words),
            Operator::Subtract => format!("{}{comma} minus {}", a.words, self.factor(right, &b)?),
            Operator::Multiply => {
                let right_words = match right.kind {
                    // b / c is over c as well
                    Kind::Pair(Operator::Multiply | Operator::Divide, ..) => b.words.clone(),
                    _ => self.factor(right, &b)?,
                };
                format!("{}{} times {right_words}", self.factor(left, &a)?, after(left))
            }
            Operator::Power if matches!(left.kind, Kind::Pair(..)) && b.number == Some(2.0) => {
                format!("the square of {}", self.factor(left, &a)?)
            }
            Operator::Power if b.number == Some(2.0) => format!("{} squared", self.factor(left, &a)?),
            Operator::Power if b.number == Some(3.0) => format!("{} cubed", self.factor(left, &a)?),
            Operator::Power => {
                format!("{} to the power of {}", self.factor(left, &a)?, self.factor(right, &b)?)
            }
            _ => return None,
        };
        Some(Said { words, number: None })
    }

    /// A fraction. Where more than one thing stands above or below, its words say where it begins and ends.
    fn divided(&self, left: &Node, right: &Node) -> Option<Said> {
        if literal(right) == Some(1.0) {
            return self.say(left);
        }
        let (a, b) = (self.say(left)?, self.say(right)?);
        // 2 (n - 1) / n is 2 times a fraction
        if let Kind::Pair(Operator::Multiply, first, last) = &left.kind
            && is_sum(last)
            && self.say(last)?.number.is_none()
        {
            let fraction = self.divided(last, right)?;
            let words = format!(
                "{}{} times {}",
                self.factor(first, &self.say(first)?)?,
                after(first),
                fraction.words
            );
            return Some(Said { words, number: None });
        }
        // 2 (n - 1) / n * S / q is that fraction times S over q
        if let Kind::Pair(Operator::Multiply, first, last) = &left.kind
            && !matches!(last.kind, Kind::Pair(..))
            && !self.is_flat(first)
        {
            let fraction = self.divided(last, right)?;
            let first_words = self.factor(first, &self.say(first)?)?;
            return Some(Said { words: format!("{first_words}, times {}", fraction.words), number: None });
        }
        let is_one = |node: &Node, said: &Said| said.number.is_some() || !matches!(node.kind, Kind::Pair(..));
        let words = match (is_one(left, &a), is_one(right, &b)) {
            (true, true) => {
                part(literal(left), literal(right)).unwrap_or_else(|| format!("{} over {}", a.words, b.words))
            }
            (false, true) if self.is_flat(left) => {
                format!("{}, divided by {}", a.words, b.words)
            }
            (true, _) => format!("the fraction {} over {}, end of fraction", a.words, b.words),
            (false, _) => format!("the fraction {}, over {}, end of fraction", a.words, b.words),
        };
        Some(Said { words, number: None })
    }

    /// Whether a node is a product of things that are neither sums nor fractions.
    fn is_flat(&self, node: &Node) -> bool {
        match &node.kind {
            Kind::Pair(Operator::Multiply, left, right) => self.is_flat(left) && self.is_flat(right),
            Kind::Pair(operator, ..) => {
                *operator == Operator::Power || self.say(node).is_some_and(|said| said.number.is_some())
            }
            _ => true,
        }
    }

    /// What is multiplied; a sum has its words around it.
    fn factor(&self, node: &Node, said: &Said) -> Option<String> {
        if !is_sum(node) || said.number.is_some() {
            return Some(said.words.clone());
        }
        let mut terms = Vec::new();
        let Kind::Pair(operator, left, right) = &node.kind else { return None };
        let noun = if *operator == Operator::Subtract { "difference" } else { "sum" };
        match operator {
            Operator::Subtract => terms.extend([self.say(left)?, self.say(right)?]),
            _ => self.terms(node, &mut terms)?,
        }
        let words: Vec<String> = terms.iter().map(|term| term.words.replace(", ", " ")).collect();
        let (last, rest) = words.split_last()?;
        Some(format!("the {noun} of {} and {last}", rest.join(", ")))
    }

    /// What a sum adds up.
    fn terms(&self, node: &Node, terms: &mut Vec<Said>) -> Option<()> {
        match &node.kind {
            Kind::Pair(Operator::Add, left, right) => {
                self.terms(left, terms)?;
                self.terms(right, terms)
            }
            _ => {
                terms.push(self.say(node)?);
                Some(())
            }
        }
    }

    fn call(&self, node: &Node, name: &str, arguments: &[Node]) -> Option<String> {
        if let Some(formula) = formula::find(name) {
            let value = node.value(&()).ok().filter(|_| self.calls == Calls::Valued);
            return Some(match value {
                Some(value) => measured(value, formula.unit),
                None => format!("the {}", called(name)),
            });
        }
        let words: Option<Vec<String>> = arguments.iter().map(|a| self.words(a)).collect();
        let words = words?;
        let all = || list(&words);
        let one = words.first()?;
        Some(match (name, words.len()) {
            ("min", 2) => format!("the smaller of {}", all()),
            ("max", 2) => format!("the greater of {}", all()),
            ("min", _) => format!("the least of {}", all()),
            ("max", _) => format!("the greatest of {}", all()),
            ("ceil", _) => format!("{one}, rounded up,"),
            ("floor", _) => format!("{one}, rounded down,"),
            ("sqrt", _) => format!("the square root of {one}"),
            ("log2", _) => format!("the logarithm to base 2 of {one}"),
            _ => return None,
        })
    }
}

/// The name of a formula in words: `ring all-reduce time`.
pub fn called(name: &str) -> String {
    let words = name.split('_').map(|word| match word {
        "tp" => "tensor-parallel",
        "pp" => "pipeline",
        "mfu" => "MFU",
        word => word,
    });
    let words = words.collect::<Vec<_>>().join(" ");
    ["all reduce", "all gather", "reduce scatter", "micro batches"]
        .iter()
        .fold(words, |words, name| words.replace(name, &name.replace(' ', "-")))
}

fn is_product(node: &Node) -> bool {
    matches!(node.kind, Kind::Pair(Operator::Multiply | Operator::Divide, ..))
}

fn is_sum(node: &Node) -> bool {
    matches!(node.kind, Kind::Pair(Operator::Add | Operator::Subtract, ..))
}

/// A pause behind what belongs together.
fn after(node: &Node) -> &'static str {
    if matches!(node.kind, Kind::Pair(..)) { "," } else { "" }
}

/// A number as it is written.
fn literal(node: &Node) -> Option<f64> {
    match node.kind {
        Kind::Number(value) | Kind::Sized(value, _) => Some(value),
        _ => None,
    }
}

/// A small fraction of plain numbers in words: one half, 3 quarters.
fn part(over: Option<f64>, under: Option<f64>) -> Option<String> {
    const PARTS: &[(f64, &str)] =
        &[(2.0, "half"), (3.0, "third"), (4.0, "quarter"), (8.0, "eighth"), (16.0, "sixteenth")];
    let (over, under) = (over?, under?);
    let (_, noun) = PARTS.iter().find(|(n, _)| *n == under).filter(|_| over < under)?;
    Some(if over == 1.0 { format!("one {noun}") } else { format!("{} {noun}s", count(over)) })
}

/// A plain number; a very large one in words.
pub fn count(number: f64) -> String {
    for (factor, word) in [(1e12, "trillion"), (1e9, "billion"), (1e6, "million")] {
        if number >= factor {
            return format!("{} {word}", quantity::digits(number / factor));
        }
    }
    quantity::digits(number)
}

/// A size of a dimension.
fn sized(value: f64, dimension: Dimension) -> String {
    let binary = value > 0.0 && (value / quantity::MIB.factor).fract() == 0.0;
    match dimension {
        Dimension::Bytes if binary => quantity::show(value, quantity::MIB),
        Dimension::Bytes => quantity::show(value, quantity::GB),
        Dimension::Seconds => quantity::show(value, quantity::SECONDS),
        Dimension::ByteRate => quantity::show(value, quantity::GB_PER_S),
        _ => count(value),
    }
}

/// A value in the unit of a formula or an argument, for people.
pub fn measured(value: f64, unit: &str) -> String {
    match quantity::unit(unit) {
        Some(unit) if unit.dimension == Dimension::Bytes => quantity::show(value, quantity::GB),
        Some(unit) if unit.dimension != Dimension::Count => quantity::show(value, unit),
        // what it may be, not what it counts
        _ if unit.contains(|c: char| c.is_ascii_digit() || c == '/') => count(value),
        _ => count(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Option<String> {
        let said = |name: &str| Said { words: format!("the {name}"), number: None };
        written(text)?.aloud(&said, Calls::Named)
    }

    #[test]
    fn formulas_are_said_as_a_colleague_would() {
        for (text, said) in [
            ("2(n-1)/n * S", "2 times the fraction the n minus 1, over the n, end of fraction, times the S"),
            ("alpha + S/B", "the alpha, plus the S over the B"),
            (
                "12*L*h*s / 6N",
                "the fraction 12 times the L, times the h, times the s, over 6 times the N, end of fraction",
            ),
            ("s(s+1)/2", "the s times the fraction the s plus 1, over 2, end of fraction"),
            ("min(nvlink, q * nic)", "the smaller of the nvlink and the q times the nic"),
            ("12 * h^2", "12 times the h squared"),
            ("ceil(16N / M)", "16 times the N, divided by the M, rounded up,"),
            (
                "compute/(1-bubble) + exposed",
                "the fraction the compute over 1 minus the bubble, end of fraction, plus the exposed",
            ),
        ] {
            assert_eq!(words(text).as_deref(), Some(said), "{text}");
        }
        assert_eq!(words("2; 2; m+1; 3m"), None);
    }

    #[test]
    fn every_formula_that_is_one_is_said_and_no_symbol_stays() {
        let mut unsaid = Vec::new();
        for formula in formula::all() {
            let said = |name: &str| {
                assert!(
                    formula.arguments.iter().any(|(symbol, _)| *symbol == name),
                    "{}: {name}",
                    formula.name
                );
                Said { words: format!("the {name}"), number: None }
            };
            match written(formula.text).and_then(|text| text.aloud(&said, Calls::Named)) {
                Some(words) => {
                    assert!(!words.contains(['*', '/', '(', '+', '^']), "{}: {words}", formula.name)
                }
                None => unsaid.push(formula.name),
            }
        }
        // lists of cases, and an integral
        assert!(unsaid.len() <= 6, "{unsaid:?}");
    }

    #[test]
    fn values_are_put_in_and_what_the_head_works_out_is_worked_out() {
        let said = |name: &str| match name {
            "n" => Said { words: "64".into(), number: Some(64.0) },
            _ => Said { words: "1 GiB".into(), number: None },
        };
        let told = written("2(n-1)/n * S").and_then(|e| e.aloud(&said, Calls::Valued));
        assert_eq!(told.as_deref(), Some("2 times 63, divided by 64, times 1 GiB"));
        let none = |_: &str| Said { words: String::new(), number: None };
        let sum = Expr::parse("ring_latency(8, 3 us) + 96 * 4 MiB").unwrap();
        assert_eq!(sum.aloud(&none, Calls::Valued).as_deref(), Some("42 us plus 96 times 4 MiB"));
        assert_eq!(sum.aloud(&none, Calls::Named).as_deref(), Some("the ring latency plus 96 times 4 MiB"));
    }
}
