//! Cuts an expression into words.

use super::Fault;

/// A word of an expression.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Word<'a> {
    Number(f64),
    Name(&'a str),
    Sign(&'a str),
}

/// A word with the text it was read from and its offset.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Token<'a> {
    pub(super) at: usize,
    pub(super) text: &'a str,
    pub(super) word: Word<'a>,
}

const SIGNS: [&str; 16] =
    ["<=", ">=", "==", "!=", "≤", "≥", "×", "+", "-", "*", "/", "^", "(", ")", ",", "<"];

/// All words of an expression.
///
/// # Errors
/// A [`Fault`] at a character that belongs to no word, or at a number that is too large.
pub(super) fn tokens(source: &str) -> Result<Vec<Token<'_>>, Fault> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = source[at..].chars().next() {
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        let token = token_at(source, at, first)?;
        at += token.text.len();
        tokens.push(token);
    }
    Ok(tokens)
}

fn token_at(source: &str, at: usize, first: char) -> Result<Token<'_>, Fault> {
    let rest = &source[at..];
    if first.is_ascii_digit() || first == '.' {
        let text = &rest[..number_length(rest)];
        let number = text.replace('_', "").parse::<f64>().ok().filter(|n| n.is_finite());
        return match number {
            Some(number) => Ok(Token { at, text, word: Word::Number(number) }),
            None => Err(Fault::new(at, format!("`{text}` is not a number"), "write it like 25 or 2.5e9")),
        };
    }
    if first.is_ascii_alphabetic() || first == '_' {
        let in_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
        let text = &rest[..rest.find(|c| !in_name(c)).unwrap_or(rest.len())];
        return Ok(Token { at, text, word: Word::Name(text) });
    }
    if let Some(sign) = SIGNS.into_iter().chain([">"]).find(|s| rest.starts_with(s)) {
        let text = &rest[..sign.len()];
        return Ok(Token { at, text, word: Word::Sign(sign) });
    }
    let cure = if first == '=' { "write == to compare" } else { "use numbers, names and + - * / ^ ( )" };
    Err(Fault::new(at, format!("`{}` means nothing here", first.escape_debug()), cure))
}

/// The length of the number at the start of `text`: digits, a point, an exponent.
fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let digits = |mut i: usize| {
        while bytes.get(i).is_some_and(|b| b.is_ascii_digit() || *b == b'_') {
            i += 1;
        }
        i
    };
    let mut end = digits(0);
    if bytes.get(end) == Some(&b'.') {
        end = digits(end + 1);
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        if bytes.get(end + 1 + sign).is_some_and(u8::is_ascii_digit) {
            end = digits(end + 1 + sign);
        }
    }
    end
}
