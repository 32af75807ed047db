//! A formula in two lines: with its names, and with the values put in.

use super::{aloud, arguments, shown};
use crate::sim::expr::{self, Expr, aloud as spoken};
use crate::sim::formula::{self, Formula};
use crate::sim::{Output, Parameter, quantity};

/// Names that simulators use beside those of their knobs.
const NAMES: &[(&str, &str)] = &[
    ("a", "heads"),
    ("all", "all-reduces"),
    ("b", "micro-batch"),
    ("c", "ranks"),
    ("compute", "compute"),
    ("crossing", "share that leaves"),
    ("e", "ranks"),
    ("g", "bytes of a gradient"),
    ("group", "rate of the group"),
    ("h", "hidden size"),
    ("half", "half of the tokens that hide it"),
    ("hop", "bytes of a hop"),
    ("k", "blocks"),
    ("kv", "width of keys and values"),
    ("leaving", "bytes that leave"),
    ("limit", "usable memory"),
    ("m", "micro-batches"),
    ("o", "bytes of optimizer state"),
    ("params", "parameters"),
    ("reduce", "one all-reduce"),
    ("s", "tokens"),
    ("sent", "bytes sent"),
    ("state", "model state"),
    ("staying", "bytes that stay"),
    ("t", "ranks"),
    ("through", "bytes through a NIC"),
];

/// The formula with its names, and with its values; one line where both are the same.
pub(super) fn lines(output: &Output, knobs: &[Parameter]) -> Vec<String> {
    let Some(expression) = &output.expression else { return Vec::new() };
    let parsed = Expr::parse(expression).ok();
    let only = parsed.as_ref().and_then(Expr::call).and_then(formula::find);
    let (names, values) = match only {
        Some(formula) => called(formula, &arguments(expression, formula.name))
            .unwrap_or_else(|| (spaced(formula.text), spaced(expression))),
        None => {
            let form = output.form.map(|form| named(form, knobs)).filter(|names| is_telling(names));
            (form.unwrap_or_else(|| in_words(expression)), valued(expression))
        }
    };
    if names == values { vec![values] } else { vec![names, values] }
}

/// Whether a line says how a number is made, and not just what another is called.
fn is_telling(names: &str) -> bool {
    names.contains([' ', '/']) && names.contains(['+', '-', '/', '×', '('])
}

/// A single formula: over what its symbols are called, and over what they are here. None where it is a list of cases.
fn called(formula: &Formula, values: &[String]) -> Option<(String, String)> {
    spoken::written(formula.text)?;
    let text = spaced(&spoken::explicit(formula.text));
    let of = |symbol: &str| formula.arguments.iter().position(|(name, _)| *name == symbol);
    let name = |symbol: &str| {
        let (symbol, unit) = formula.arguments.get(of(symbol)?)?;
        let name = aloud::name(symbol, unit);
        Some(name.strip_prefix("the ").unwrap_or(&name).to_owned())
    };
    let value = |symbol: &str| {
        let at = of(symbol)?;
        let (unit, value) = (formula.arguments[at].1, values.get(at)?);
        Some(match quantity::unit(unit) {
            Some(_) => shown(value, unit),
            None => valued(value),
        })
    };
    Some((put(&text, &name), put(&text, &value)))
}

/// A form over names in braces, with what the knobs are called.
fn named(form: &str, knobs: &[Parameter]) -> String {
    let mut out = String::new();
    let form = in_words(form);
    let mut rest = form.as_str();
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        let (name, mut after) = after.split_once('}').unwrap_or((after, ""));
        let is_call = before.strip_suffix('(').is_none_or(|b| b.ends_with(char::is_alphanumeric));
        if let (false, Some(rest)) = (is_call, after.strip_prefix(')')) {
            // a name alone needs no parentheses
            out.pop();
            after = rest;
        }
        let knob = || knobs.iter().find(|knob| knob.name == name).map(|knob| knob.label);
        let known = NAMES.iter().find(|(known, _)| *known == name).map(|(_, words)| *words);
        match knob().or(known) {
            Some(words) => out.push_str(words),
            None => out.push_str(&name.replace('_', " ")),
        }
        rest = after;
    }
    out + rest
}

/// An expression with its values: of the formulas in it what they come to.
fn valued(expression: &str) -> String {
    let mut text = spaced(expression);
    // those within others vanish with them
    while let Some((from, to, formula)) = first_call(&text) {
        let Ok(value) = expr::value(&text[from..to].replace('×', "*"), &()) else { break };
        let unit = quantity::unit(formula.unit);
        let shown = unit.map_or_else(|| quantity::digits(value), |unit| quantity::show(value, unit));
        text.replace_range(from..to, &shown);
    }
    text.split(' ').map(tidy).collect::<Vec<_>>().join(" ")
}

/// A number of many digits as one says it, in what may begin or end with parentheses.
fn tidy(word: &str) -> String {
    let bare = word.trim_matches(['(', ')', ',']);
    match bare.parse::<f64>() {
        Ok(number) if bare.len() > 9 && bare.contains('.') => word.replace(bare, &quantity::digits(number)),
        _ => word.to_owned(),
    }
}

/// An expression in which formulas go by what they give.
fn in_words(expression: &str) -> String {
    let mut text = spaced(expression);
    while let Some((from, to, formula)) = first_call(&text) {
        text.replace_range(from..to, &spoken::called(formula.name));
    }
    text
}

/// The first formula that an expression calls, and where.
fn first_call(text: &str) -> Option<(usize, usize, &'static Formula)> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices('(').find_map(|(open, _)| {
        let from = text[..open]
            .char_indices()
            .rev()
            .find(|(_, c)| !is_word(*c))
            .map_or(0, |(at, c)| at + c.len_utf8());
        let formula = formula::find(&text[from..open])?;
        let mut depth = 0_usize;
        let end = text[open..].char_indices().find_map(|(at, c)| {
            match c {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            (depth == 0).then_some(open + at + 1)
        })?;
        Some((from, end, formula))
    })
}

/// A text over symbols with other words for them.
fn put(text: &str, word: &dyn Fn(&str) -> Option<String>) -> String {
    let mut out = String::new();
    let mut rest = text;
    let is_letter = |c: char| c.is_alphabetic() || c == '_';
    while let Some(from) = rest.find(is_letter) {
        let end = rest[from..]
            .find(|c: char| !is_letter(c) && !c.is_ascii_digit())
            .map_or(rest.len(), |at| from + at);
        out.push_str(&rest[..from]);
        let symbol = &rest[from..end];
        out.push_str(&word(symbol).unwrap_or_else(|| symbol.to_owned()));
        rest = &rest[end..];
    }
    out + rest
}

/// The same with blanks around its signs, and a sign for products that is read as one.
fn spaced(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            // of a power of ten, or before a number
            '-' if out.ends_with(['e', 'E', '(']) || out.is_empty() => out.push(c),
            '+' | '-' | '/' | '*' => {
                out.truncate(out.trim_end().len());
                out.push_str(&format!(" {} ", if c == '*' { '×' } else { c }));
            }
            ' ' if out.ends_with(' ') => {}
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::{KINDS, Sim};

    fn of(kind: &str, name: &str) -> Vec<String> {
        let kind = KINDS.iter().find(|k| k.name == kind).expect("a simulator");
        let run = Sim::new(kind).run();
        lines(run.output(name).expect("a number"), kind.parameters)
    }

    #[test]
    fn a_formula_stands_with_its_names_and_then_with_its_values() {
        assert_eq!(
            of("buckets", "gradients"),
            ["gradient tensors × a tensor + embedding", "96 × 4 MiB + 0 MiB"]
        );
        assert_eq!(
            of("buckets", "bucket_time"),
            ["latency + bytes / bandwidth", "600 us + 28 MiB / 40 GB/s"]
        );
        assert_eq!(of("zero", "usable"), ["memory - reserve", "80 GB - 8 GB"]);
        assert_eq!(of("ring", "sent"), ["2 × (ranks - 1) / ranks × bytes", "2 × (8 - 1) / 8 × 1024 MiB"]);
        assert_eq!(of("zero", "peak")[1], "31.4 GB + 0 + 10 GB");
    }

    #[test]
    fn no_symbol_is_left_in_any_line_of_names() {
        for kind in KINDS {
            for output in Sim::new(kind).run().outputs {
                let lines = lines(&output, kind.parameters);
                assert!(lines.len() <= 2 && lines.iter().all(|l| !l.contains(['{', '}', '*'])), "{lines:?}");
                assert_eq!(lines.len() == 2, output.expression.is_some(), "{}: {lines:?}", output.name);
            }
        }
    }
}
