//! Formulas as they stand in a sentence, `16 (t − 1)/t × b s h / B`: where one begins and ends, and its words.

use std::collections::BTreeMap;

use crate::sim::expr::Expr;
use crate::sim::expr::aloud::{Calls, Said};

/// Letters that are joined by a slash and are no fraction.
const PAIRS: &[&str] = &["K/V", "k/v", "I/O", "N/A", "A/B", "w/o", "y/n", "Y/N", "W/G"];
/// Longer names that stand in formulas.
const NAMES: &[&str] = &["busbw", "algbw", "cf", "tmax", "size", "mbs"];
/// Functions that have words of their own.
const CALLS: &[&str] = &["min", "max", "ceil", "floor", "sqrt", "log2"];
/// Formulas are not longer, in tokens.
const LONGEST: usize = 80;

/// The letter of a formula as it is said, if it is none of the alphabet.
pub(super) fn greek(letter: char) -> Option<&'static str> {
    Some(match letter {
        'Ψ' | 'ψ' => "Psi",
        'α' => "alpha",
        'β' => "beta",
        'γ' => "gamma",
        'δ' => "delta",
        'λ' => "lambda",
        'σ' => "sigma",
        'φ' => "phi",
        'τ' => "tau",
        'η' => "eta",
        _ => return None,
    })
}

/// The number that raised digits at the start stand for, and their length.
pub(super) fn raised(text: &str) -> Option<(String, usize)> {
    const RAISED: &str = "⁰¹²³⁴⁵⁶⁷⁸⁹";
    let mut digits = String::new();
    let mut length = 0;
    for c in text.chars() {
        let Some(digit) = RAISED.chars().position(|r| r == c) else { break };
        digits.push_str(&digit.to_string());
        length += c.len_utf8();
    }
    (!digits.is_empty()).then_some((digits, length))
}

/// A power in words: ` squared`.
pub(super) fn power(digits: &str) -> String {
    match digits {
        "2" => " squared".into(),
        "3" => " cubed".into(),
        more => format!(" to the power of {more}"),
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Number,
    Name,
    Sign(char),
    Raised,
    Other,
}

#[derive(Debug, Clone, Copy)]
struct Token<'a> {
    at: usize,
    text: &'a str,
    kind: Kind,
    /// Whether a blank stands before it.
    apart: bool,
}

impl Token<'_> {
    fn end(&self) -> usize {
        self.at + self.text.len()
    }
}

fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut all = Vec::new();
    let (mut at, mut apart) = (0, false);
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        if matches!(first, ' ' | '\u{a0}' | '\u{202f}') {
            (at, apart) = (at + first.len_utf8(), true);
            continue;
        }
        let (kind, length) = if first.is_ascii_digit() {
            let is_part = |(n, c): (usize, char)| {
                let next = rest[n + c.len_utf8()..].chars().next();
                !(c.is_ascii_digit() || matches!(c, '.' | ',') && next.is_some_and(|c| c.is_ascii_digit()))
            };
            (Kind::Number, rest.char_indices().find(|c| is_part(*c)).map_or(rest.len(), |(n, _)| n))
        } else if let Some((_, length)) = raised(rest) {
            (Kind::Raised, length)
        } else if first.is_alphabetic() && first != 'Σ' {
            let is_end =
                |c: char| !(c.is_alphanumeric() || c == '_') || raised(c.encode_utf8(&mut [0; 4])).is_some();
            (Kind::Name, rest.find(is_end).unwrap_or(rest.len()))
        } else {
            let kind = match first {
                '×' | '·' | '*' => Kind::Sign('*'),
                '−' => Kind::Sign('−'),
                '/' | '+' | '-' | '(' | ')' | ',' | '^' => Kind::Sign(first),
                _ => Kind::Other,
            };
            (kind, first.len_utf8())
        };
        all.push(Token { at, text: &rest[..length], kind, apart });
        (at, apart) = (at + length, false);
    }
    all
}

/// A formula that is being read: its operands by placeholder, and whether it has a sign that makes it one.
#[derive(Default)]
struct Reader<'a> {
    tokens: &'a [Token<'a>],
    words: BTreeMap<String, String>,
    signs: usize,
    letters: usize,
}

/// Where a formula stands, and its words.
pub(super) struct Formula {
    pub(super) at: usize,
    pub(super) end: usize,
    pub(super) words: String,
}

/// The formulas of a text that is no quotation.
pub(super) fn formulas(text: &str) -> Vec<Formula> {
    let all = tokens(text);
    let mut found = Vec::new();
    let mut from = 0;
    while from < all.len() {
        let before = from.checked_sub(1).map(|n| all[n]);
        // the rest of a longer word: `ZeRO-3`, `a.b`, `/path`
        let is_inner = !all[from].apart
            && before.is_some_and(|b| {
                !matches!(b.kind, Kind::Other | Kind::Sign('(' | ','))
                    || matches!(b.text, "." | ":" | "@" | "#" | "_" | "`" | "~" | "\\")
            });
        match (!is_inner).then(|| read(&all[from..all.len().min(from + LONGEST)])).flatten() {
            Some((length, words)) => {
                let last = all[from + length - 1];
                found.push(Formula { at: all[from].at, end: last.end(), words });
                from += length;
            }
            None => from += 1,
        }
    }
    found
}

/// The formula at the start: its length in tokens, and its words.
fn read(tokens: &[Token<'_>]) -> Option<(usize, String)> {
    if !matches!(tokens.first()?.kind, Kind::Number | Kind::Name | Kind::Sign('(')) {
        return None;
    }
    let mut reader = Reader { tokens, ..Reader::default() };
    let (written, end) = reader.sum(0, 0)?;
    // a longer word begins here: `2 × all-reduce`
    let next = tokens.get(end);
    let is_cut = next.is_some_and(|next| {
        !next.apart && matches!(next.kind, Kind::Number | Kind::Name | Kind::Sign('-' | '/' | '('))
    });
    let alone =
        reader.letters == 0 && reader.signs == 1 && tokens.get(1).is_some_and(|t| t.text == "/" && !t.apart);
    if reader.signs == 0
        || is_cut
        || alone && next.is_none_or(|next| next.text != "=" && next.kind != Kind::Sign('*'))
    {
        return None;
    }
    let said = |name: &str| Said { words: reader.words.get(name).cloned().unwrap_or_default(), number: None };
    let words = Expr::parse(&written).ok()?.aloud(&said, Calls::Named)?;
    Some((end, words.trim_end_matches(',').to_owned()))
}

impl Reader<'_> {
    fn sign(&self, at: usize) -> Option<char> {
        match self.tokens.get(at)?.kind {
            Kind::Sign(sign) => Some(sign),
            _ => None,
        }
    }

    /// Whether the sign here has blanks on both sides, or on none.
    fn is_even(&self, at: usize) -> bool {
        self.tokens[at].apart == self.tokens.get(at + 1).is_some_and(|t| t.apart)
    }

    fn sum(&mut self, at: usize, depth: usize) -> Option<(String, usize)> {
        if depth > 8 {
            return None;
        }
        let (mut written, mut at) = self.product(at, depth)?;
        loop {
            let sign = match self.sign(at) {
                Some('+') if self.is_even(at) => '+',
                Some('−') if self.is_even(at) => '-',
                Some('-')
                    if self.is_even(at) && (self.tokens[at].apart || depth > 0 && self.has_letter(at)) =>
                {
                    '-'
                }
                _ => return Some((written, at)),
            };
            let Some((more, end)) = self.product(at + 1, depth) else { return Some((written, at)) };
            written = format!("{written} {sign} {more}");
            at = end;
            self.signs += 1;
        }
    }

    fn has_letter(&self, at: usize) -> bool {
        [at.checked_sub(1), Some(at + 1)]
            .into_iter()
            .flatten()
            .any(|n| self.tokens.get(n).is_some_and(|t| t.kind == Kind::Name))
    }

    fn product(&mut self, at: usize, depth: usize) -> Option<(String, usize)> {
        let start = at;
        let (mut written, mut at) = self.factor(at, depth, false)?;
        loop {
            let more = match self.sign(at) {
                Some('*') => self.factor(at + 1, depth, false).map(|(more, end)| (" * ", more, end)),
                Some('/') if self.is_even(at) && self.is_fraction(at) => {
                    self.factor(at + 1, depth, false).map(|(more, end)| (" / ", more, end))
                }
                Some('(') if at > start => self.factor(at, depth, true).map(|(more, end)| (" * ", more, end)),
                None => self.factor(at, depth, true).map(|(more, end)| (" * ", more, end)),
                _ => None,
            };
            let Some((sign, more, end)) = more else { return Some((written, at)) };
            // letters side by side are a product; they alone make no formula, unless one is Greek
            let is_greek = self.tokens[at].text.chars().any(|c| greek(c).is_some());
            self.signs += usize::from(is_greek || matches!(self.sign(at), Some('*' | '/' | '(')));
            written = format!("{written}{sign}{more}");
            at = end;
        }
    }

    /// Whether a slash divides: not in `K/V`, `TP/FSDP`, `tokens/s`.
    fn is_fraction(&self, at: usize) -> bool {
        let (Some(last), Some(after)) = (at.checked_sub(1), self.tokens.get(at + 1)) else { return false };
        let before = self.tokens[last];
        // `4bsh/P`
        let is_glued = last > 0 && !before.apart && self.tokens[last - 1].kind == Kind::Number;
        let is_long =
            |t: &Token<'_>| t.kind == Kind::Name && t.text.chars().count() > 1 && !t.text.contains('_');
        let pair = format!("{}/{}", before.text, after.text);
        let is_unit = after.text == "s" && before.kind == Kind::Name && before.text == "B";
        self.tokens[at].apart
            || !(is_long(&before) && !is_glued && !NAMES.contains(&before.text)
                || is_unit
                || PAIRS.contains(&pair.as_str()))
    }

    /// A number, a letter, a call or a sum in parentheses; behind another one without a sign between them where `beside`.
    fn factor(&mut self, at: usize, depth: usize, beside: bool) -> Option<(String, usize)> {
        let token = *self.tokens.get(at)?;
        let (written, end) = match token.kind {
            Kind::Sign('(') => {
                let (inner, end) = self.sum(at + 1, depth + 1)?;
                (self.sign(end)? == ')').then_some(())?;
                (format!("({inner})"), end + 1)
            }
            Kind::Number if !beside => (self.operand(token.text.to_owned()), at + 1),
            Kind::Name if CALLS.contains(&token.text) && !beside && self.sign(at + 1) == Some('(') => {
                self.call(token.text, at + 2, depth)?
            }
            Kind::Name => (self.name(at, beside)?, at + 1),
            _ => return None,
        };
        if self.sign(end) == Some('^') && self.is_even(end) {
            let (power, end) = self.factor(end + 1, depth, false)?;
            self.signs += 1;
            return Some((format!("({written}^{power})"), end));
        }
        match self.tokens.get(end) {
            Some(next) if next.kind == Kind::Raised && !next.apart => {
                let (digits, _) = raised(next.text)?;
                Some((format!("({written}^{digits})"), end + 1))
            }
            _ => Some((written, end)),
        }
    }

    fn call(&mut self, name: &str, mut at: usize, depth: usize) -> Option<(String, usize)> {
        let mut arguments = Vec::new();
        loop {
            let (argument, end) = self.sum(at, depth + 1)?;
            arguments.push(argument);
            at = end + 1;
            match self.sign(end)? {
                ',' => {}
                ')' => break,
                _ => return None,
            }
        }
        self.signs += 1;
        Some((format!("{name}({})", arguments.join(", ")), at))
    }

    fn name(&mut self, at: usize, beside: bool) -> Option<String> {
        let token = self.tokens[at];
        let text = token.text;
        let after_number = beside && !token.apart && at > 0 && self.tokens[at - 1].kind == Kind::Number;
        let letters: Vec<char> = text.chars().collect();
        let is_letter = match letters.as_slice() {
            // a word of English, unless letters stand around it
            ['a' | 'A' | 'I'] => beside && self.is_letter_of_formula(at + 1),
            [_] => true,
            [c, n] if c.is_alphabetic() && n.is_ascii_digit() => !matches!(c, 'A' | 'H' | 'B' | 'V' | 'L'),
            [_, '_', rest @ ..] => rest.len() <= 3,
            _ => false,
        };
        if is_letter {
            self.letters += 1;
            return Some(self.operand(spelled(text)));
        }
        // `4NT`, `9hB`
        if after_number
            && letters.len() <= 3
            && letters.iter().all(|c| c.is_ascii_alphabetic() || greek(*c).is_some())
            && crate::sim::quantity::said(text).is_none()
        {
            self.letters += 1;
            let all: Vec<String> = letters.iter().map(|c| self.operand(spelled(&c.to_string()))).collect();
            return Some(format!("({})", all.join(" * ")));
        }
        let is_short = (2..=3).contains(&letters.len()) && letters.iter().all(char::is_ascii_uppercase);
        if !beside && (is_short || NAMES.contains(&text)) {
            self.letters += 1;
            return Some(self.operand(text.to_owned()));
        }
        None
    }

    fn is_letter_of_formula(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|t| match t.kind {
            Kind::Name => t.text.chars().count() == 1,
            Kind::Sign(sign) => sign != ',',
            _ => false,
        })
    }

    fn operand(&mut self, words: String) -> String {
        let name = format!("v{}", self.words.len());
        self.words.insert(name.clone(), words);
        name
    }
}

/// A symbol as it is said: `h_kv` is h k v, `Ψ` is Psi.
fn spelled(symbol: &str) -> String {
    if let Some((_, one, _)) = super::SYMBOLS.iter().find(|(name, ..)| *name == symbol) {
        return (*one).to_owned();
    }
    let mut out = String::new();
    for c in symbol.chars() {
        match (greek(c), c) {
            (Some(name), _) => out.push_str(name),
            (None, '_') => {}
            (None, c) => {
                out.push_str(if out.is_empty() { "" } else { " " });
                out.push(c);
            }
        }
    }
    out
}
