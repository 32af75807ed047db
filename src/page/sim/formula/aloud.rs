//! The formula behind a number, as a colleague would say it: what it gives, in words, with the values put in.

use super::{arguments, sentence, shown};
use crate::sim::Output;
use crate::sim::expr::aloud::{Calls, Said, called, written};
use crate::sim::expr::{self, Expr};
use crate::sim::formula::Formula;
use crate::sim::quantity;

/// Longer sums than this say nothing to who hears them.
const LONGEST: usize = 240;

/// Formulas that are a list of cases, in words.
const CASES: &[(&str, &str)] = &[
    (
        "ledger_bytes",
        "the parameters times the bytes of weights, gradients and optimizer state for each; what the stage shards is \
         divided by the ranks",
    ),
    (
        "zero_volume_bytes",
        "the fraction the ranks minus 1, over the ranks, end of fraction, times the parameters, times the bytes that the \
         stage sends for each",
    ),
    (
        "zero_volume",
        "2 at stages 0 and 1; the micro-batches plus 1 at stage 2; 3 times the micro-batches at stage 3",
    ),
];

/// What a symbol is called, by itself and what it counts.
const NAMES: &[(&str, &str, &str)] = &[
    ("S", "B", "the bytes"),
    ("B", "B/s", "the bandwidth"),
    ("alpha", "s", "the latency"),
    ("t", "s", "the time"),
    ("F", "FLOP/s", "the compute rate"),
    ("peak", "FLOP/s", "the peak compute rate"),
    ("hbm", "B/s", "the memory bandwidth"),
    ("nvlink", "B/s", "the bandwidth of NVLink"),
    ("nic", "B/s", "the bandwidth of a NIC"),
    ("busbw", "B/s", "the bus bandwidth"),
    ("h", "hidden", "the hidden size"),
    ("hkv", "kv width", "the width of keys and values"),
    ("kv", "heads", "the key-value heads"),
    ("s", "tokens", "the sequence length"),
    ("g", "B/gradient", "the bytes of a gradient"),
    ("w", "B/element", "the bytes of an element"),
    ("o", "B/parameter", "the bytes of optimizer state"),
    ("k", "experts per token", "the experts of a token"),
    ("C", "tokens", "the capacity of an expert"),
    ("cf", "factor", "the capacity factor"),
    ("V", "vocabulary", "the vocabulary"),
    ("M", "B", "the memory"),
    ("G", "sequences", "the global batch"),
    ("te", "ranks", "the tensor-parallel ranks of an expert"),
    ("W", "ranks", "all ranks"),
    ("tF", "s", "the forward time"),
    ("tI", "s", "the time of the input gradient"),
    ("tW", "s", "the time of the weight gradient"),
    ("r", "ratio", "the ratio"),
    ("r", "stage", "the stage"),
    ("x", "fraction", "the share"),
    ("x", "times", "the factor"),
    ("flop", "FLOP", "the operations"),
    ("flop", "FLOP/token", "the operations of a token"),
    ("gpus", "GPUs", "the GPUs"),
];

pub(super) fn name(symbol: &str, unit: &str) -> String {
    if let Some((.., name)) = NAMES.iter().find(|(s, u, _)| *s == symbol && *u == unit) {
        return (*name).to_owned();
    }
    let is_word = unit.len() > 3 && unit.chars().all(|c| c.is_alphabetic() || matches!(c, ' ' | '-'));
    match symbol.chars().count() {
        1 if is_word => format!("the {unit}"),
        _ => format!("the {}", symbol.replace('_', " ")),
    }
}

/// The sentences behind a number.
pub(super) fn sentences(output: &Output) -> Vec<String> {
    let Some(expression) = &output.expression else {
        let how = output.how.unwrap_or("counted while the model runs step by step");
        return vec![sentence(how)];
    };
    let mut all = Vec::new();
    let parsed = Expr::parse(expression).ok();
    let only = parsed.as_ref().and_then(Expr::call);
    if let Some(parsed) = parsed.as_ref().filter(|_| only.is_none()) {
        all.extend(composed(parsed));
    }
    let is_called = |f: &&Formula| !arguments(expression, f.name).is_empty();
    let formulas: Vec<&Formula> = output.formulas().into_iter().filter(is_called).collect();
    // what is asked for comes before what it is made of
    let (first, rest): (Vec<&Formula>, Vec<&Formula>) = formulas.iter().partition(|f| Some(f.name) == only);
    let first_name = first.first().or(rest.first()).map_or("", |formula| formula.name);
    for formula in first.into_iter().chain(rest) {
        let is_first = formula.name == first_name;
        all.extend(of(formula, &arguments(expression, formula.name), is_first));
    }
    all
}

/// A sum of formulas: in words, and with their values.
fn composed(expression: &Expr) -> Option<String> {
    let none = |name: &str| Said { words: name.to_owned(), number: None };
    let named = expression.aloud(&none, Calls::Named)?;
    let valued = expression.aloud(&none, Calls::Valued)?;
    let [named, valued] = [&named, &valued].map(|words| words.trim_end_matches(','));
    let told = match named == valued {
        true => format!("It is {named}."),
        false => format!("It is {named}: that is {valued}."),
    };
    (told.len() <= LONGEST).then_some(told)
}

/// What a formula gives, with its values put in; then its words.
fn of(formula: &Formula, values: &[String], is_first: bool) -> Vec<String> {
    let values: Vec<(&str, Said)> = formula
        .arguments
        .iter()
        .zip(values)
        .map(|((symbol, unit), value)| (*symbol, said(value, unit)))
        .collect();
    let value_of = |symbol: &str| values.iter().find(|(s, _)| *s == symbol).map(|(_, said)| said.clone());
    let does = filled(&formula.does.split_whitespace().collect::<Vec<_>>().join(" "), &values);
    let lead = if is_first { String::new() } else { format!("The {}. ", called(formula.name)) };
    let mut all = vec![format!("{lead}{does}")];
    let noun = |symbol: &str| {
        let unit = formula.arguments.iter().find(|(s, _)| *s == symbol).map_or("", |(_, unit)| unit);
        Said { words: name(symbol, unit), number: None }
    };
    let valued = |symbol: &str| value_of(symbol).unwrap_or_else(|| noun(symbol));
    if let Some(case) = CASES.iter().find(|(name, _)| *name == formula.name) {
        all.push(format!("In words: {}.", case.1));
        let told: Vec<String> =
            formula.arguments.iter().map(|(s, _)| format!("{} {}", noun(s).words, valued(s).words)).collect();
        all.push(format!("Here: {}.", told.join(", ").replace("the ", "")));
    } else if let Some(text) = written(formula.text) {
        let words = text.aloud(&noun, Calls::Named);
        let here = text.aloud(&valued, Calls::Valued);
        all.extend(words.map(|words| format!("In words: {}.", words.trim_end_matches(','))));
        all.extend(here.map(|here| format!("With the values: {}.", here.trim_end_matches(','))));
    }
    all.extend(is_first.then(|| format!("Source: {}.", formula.source.trim_end_matches('.'))));
    all
}

/// A value that was put in, as it is said.
fn said(value: &str, unit: &str) -> Said {
    let number = expr::value(value, &()).ok();
    let words = match (quantity::unit(unit), number) {
        (Some(_), _) => shown(value, unit),
        (None, Some(number)) => expr::aloud::count(number),
        (None, None) => value.to_owned(),
    };
    let plain = number.filter(|_| quantity::unit(unit).is_none());
    Said { words, number: plain }
}

/// What a formula gives, with values in place of its symbols: “over `n` ranks” is “over 8 ranks”.
fn filled(does: &str, values: &[(&str, Said)]) -> String {
    let mut out = String::new();
    for (nth, piece) in does.split('`').enumerate() {
        match values.iter().find(|(symbol, _)| nth % 2 == 1 && *symbol == piece) {
            Some((_, said)) => out.push_str(&said.words),
            None if out.ends_with(" 1") => out.push_str(&one(piece)),
            None => out.push_str(piece),
        }
    }
    out
}

/// What follows a 1: ` nodes of` is ` node of`.
fn one(piece: &str) -> String {
    let Some((things, rest)) =
        piece.strip_prefix(' ').map(|p| p.split_at(p.find([' ', '.', ',']).unwrap_or(p.len())))
    else {
        return piece.to_owned();
    };
    let one = things.strip_suffix("ches").map(|stem| format!("{stem}ch"));
    let one = one.or_else(|| things.strip_suffix('s').map(str::to_owned));
    format!(" {}{rest}", one.unwrap_or_else(|| things.to_owned()))
}
