//! Turns words into a tree, by precedence.

use super::token::{Token, Word, tokens};
use super::{Fault, Kind, MAX_BYTES, MAX_DEPTH, Node, Operator, arity, constant, measure};
use crate::sim::formula;

/// Reads a whole expression.
pub(super) fn parse(source: &str) -> Result<Node, Fault> {
    if source.len() > MAX_BYTES {
        let what = format!("the expression is longer than {MAX_BYTES} bytes");
        return Err(Fault::new(0, what, "split it into smaller ones"));
    }
    let tokens = tokens(source)?;
    if tokens.is_empty() {
        return Err(Fault::new(0, "the expression is empty", "write a number or a formula"));
    }
    let mut parser = Parser { tokens, next: 0, depth: 0, end: source.len() };
    let root = parser.pair(0)?;
    match parser.peek() {
        None => Ok(root),
        Some(Token { at, word: Word::Sign(")"), .. }) => {
            Err(Fault::new(at, "a bracket is closed but was never opened", "take the ) out"))
        }
        Some(token) => Err(Fault::new(
            token.at,
            format!("`{}` follows without an operator", token.text),
            "put an operator such as * between the two",
        )),
    }
}

struct Parser<'a> {
    tokens: Vec<Token<'a>>,
    next: usize,
    depth: usize,
    end: usize,
}

/// How a pair operator binds: its level, and whether it groups to the right.
fn operator(word: Word<'_>) -> Option<(Operator, u8, bool)> {
    let (text, named) = match word {
        Word::Sign(text) => (text, false),
        Word::Name(text) => (text, true),
        Word::Number(_) => return None,
    };
    Some(match (text, named) {
        ("or", true) => (Operator::Or, 1, false),
        ("and", true) => (Operator::And, 2, false),
        ("<", _) => (Operator::Less, COMPARE, false),
        ("<=" | "≤", _) => (Operator::LessEqual, COMPARE, false),
        (">", _) => (Operator::Greater, COMPARE, false),
        (">=" | "≥", _) => (Operator::GreaterEqual, COMPARE, false),
        ("==", _) => (Operator::Equal, COMPARE, false),
        ("!=", _) => (Operator::Unequal, COMPARE, false),
        ("+", _) => (Operator::Add, 5, false),
        ("-", _) => (Operator::Subtract, 5, false),
        ("*" | "×", _) => (Operator::Multiply, 6, false),
        ("/", _) => (Operator::Divide, 6, false),
        ("^", _) => (Operator::Power, POWER, true),
        _ => return None,
    })
}

const NOT: u8 = 3;
const COMPARE: u8 = 4;
const NEGATE: u8 = 7;
const POWER: u8 = 8;

impl<'a> Parser<'a> {
    fn peek(&self) -> Option<Token<'a>> {
        self.tokens.get(self.next).copied()
    }

    fn take(&mut self) -> Option<Token<'a>> {
        let token = self.peek()?;
        self.next += 1;
        Some(token)
    }

    fn take_sign(&mut self, sign: &str) -> bool {
        let found = matches!(self.peek(), Some(Token { word: Word::Sign(s), .. }) if s == sign);
        self.next += usize::from(found);
        found
    }

    /// Reads operands joined by operators that bind at least as tightly as `level`.
    fn pair(&mut self, level: u8) -> Result<Node, Fault> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            let at = self.peek().map_or(self.end, |t| t.at);
            return Err(Fault::new(at, "the expression is nested too deeply", "split it into smaller ones"));
        }
        let mut left = self.operand()?;
        let mut compared = false;
        while let Some(token) = self.peek() {
            let Some((operator, binds, rightward)) = operator(token.word).filter(|o| o.1 >= level) else {
                break;
            };
            if binds == COMPARE && std::mem::replace(&mut compared, true) {
                return Err(Fault::new(token.at, "comparisons do not chain", "join two with `and`"));
            }
            self.next += 1;
            let right = self.pair(if rightward { binds } else { binds + 1 })?;
            let kind = Kind::Pair(operator, Box::new(left), Box::new(right));
            left = Node { at: token.at, kind };
        }
        self.depth -= 1;
        Ok(left)
    }

    fn operand(&mut self) -> Result<Node, Fault> {
        let Some(token) = self.take() else {
            return Err(Fault::new(self.end, "the expression ends too early", "write what is missing"));
        };
        let at = token.at;
        match token.word {
            Word::Number(number) => Ok(Node { at, kind: self.sized(number) }),
            Word::Sign("-") => Ok(Node { at, kind: Kind::Negate(Box::new(self.pair(NEGATE)?)) }),
            Word::Sign("(") => {
                let inner = self.pair(0)?;
                self.close()?;
                Ok(inner)
            }
            Word::Name("not") => Ok(Node { at, kind: Kind::Not(Box::new(self.pair(NOT)?)) }),
            Word::Name(name) if self.take_sign("(") => self.call(at, name),
            Word::Name(name) if !matches!(name, "and" | "or") => {
                Ok(Node { at, kind: Kind::Name(name.to_owned()) })
            }
            _ => Err(Fault::new(
                at,
                format!("`{}` is where a number should be", token.text),
                "write a number, a name or a bracket there",
            )),
        }
    }

    /// A number with the unit that may stand right after it: `25 MiB`.
    fn sized(&mut self, number: f64) -> Kind {
        let Some(Token { word: Word::Name(name), .. }) = self.peek() else { return Kind::Number(number) };
        let Some(factor) = constant(name) else { return Kind::Number(number) };
        self.next += 1;
        match measure::unit_of(name) {
            Some(dimension) => Kind::Sized(number * factor, dimension),
            None => Kind::Number(number * factor),
        }
    }

    fn close(&mut self) -> Result<(), Fault> {
        if self.take_sign(")") {
            return Ok(());
        }
        match self.peek() {
            Some(token) => Err(Fault::new(
                token.at,
                format!("`{}` is where `)` or an operator should be", token.text),
                "close the bracket before it",
            )),
            None => Err(Fault::new(self.end, "a bracket is not closed", "add )")),
        }
    }

    /// Reads the arguments of a call, after its opening bracket.
    fn call(&mut self, at: usize, name: &str) -> Result<Node, Fault> {
        let Some((least, most)) = arity(name) else {
            let cure = match formula::nearest(name) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "docs/formulas.md lists the functions".to_owned(),
            };
            return Err(Fault::new(at, format!("there is no function `{name}`"), cure));
        };
        let mut arguments = Vec::new();
        if !self.take_sign(")") {
            loop {
                arguments.push(self.pair(0)?);
                if !self.take_sign(",") {
                    break;
                }
            }
            self.close()?;
        }
        if arguments.len() < least || arguments.len() > most {
            let what = format!("`{name}` is given {} arguments", arguments.len());
            return Err(Fault::new(at, what, format!("write {}", form(name))));
        }
        Ok(Node { at, kind: Kind::Call(name.to_owned(), arguments) })
    }
}

/// How a function is written, for messages.
pub(super) fn form(name: &str) -> String {
    let plain = super::PLAIN_FUNCTIONS.iter().map(|(form, _)| *form);
    plain
        .into_iter()
        .find(|form| form.split('(').next() == Some(name))
        .map(str::to_owned)
        .or_else(|| formula::find(name).map(formula::Formula::form))
        .unwrap_or_else(|| name.to_owned())
}
