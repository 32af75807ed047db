//! The formula behind a number, with its values put in.

mod aloud;
mod lines;

use crate::doc::{Cell, Document, Role, Row, Rows};
use crate::sim::formula::Formula;
use crate::sim::quantity::Dimension;
use crate::sim::{Output, Parameter, expr, quantity};

/// A number with the formula behind it: with its names, with the values put in, what the symbols mean, where it
/// comes from.
pub fn formula(output: &Output, knobs: &[Parameter]) -> Document {
    let head = Cell::text(format!("{}: ", output.label)) + Cell::text(output.show()).role(Role::Strong);
    let mut rows = vec![row(head)];
    match &output.expression {
        Some(expression) => {
            let lines = lines::lines(output, knobs);
            rows.extend(lines.iter().map(|line| row(Cell::text(format!("= {line}")))));
            let called = |f: &&Formula| !arguments(expression, f.name).is_empty();
            for formula in output.formulas().into_iter().filter(called) {
                explain(formula, expression, &mut rows);
            }
        }
        None => {
            let how = output.how.unwrap_or("counted while the model runs step by step");
            rows.push(row(Cell::text(sentence(how))));
        }
    }
    // a voice has sentences of its own instead of the rows
    let said = std::iter::once(format!("{}: {}.", sentence_start(output.label), output.show()));
    let mut said: Vec<String> = said.chain(aloud::sentences(output)).collect();
    let rest = said.split_off(rows.len().min(said.len()));
    if let (Some(last), false) = (said.last_mut(), rest.is_empty()) {
        last.push(' ');
        last.push_str(&rest.join(" "));
    }
    let silent = std::iter::repeat_n(String::new(), rows.len() - said.len());
    let rows = rows.into_iter().zip(said.into_iter().chain(silent)).map(|(row, said)| row.said(said));
    Document::new().rows(Rows::of(rows))
}

/// How a number comes about, as sentences.
pub fn sentences(output: &Output) -> Vec<String> {
    aloud::sentences(output)
}

/// A number among the others of its group, in short: how it comes about, line by line.
pub fn brief(output: &Output, knobs: &[Parameter]) -> Vec<String> {
    match output.expression {
        Some(_) => lines::lines(output, knobs).into_iter().map(|line| format!("= {line}")).collect(),
        None => vec![output.how.unwrap_or("counted while the model runs step by step").to_owned()],
    }
}

fn row(cell: Cell) -> Row {
    Row::new([cell]).wrapped()
}

fn explain(formula: &'static Formula, expression: &str, rows: &mut Vec<Row>) {
    let form = format!("{} = {}", formula.form(), formula.text);
    let does = formula.does.split_whitespace().collect::<Vec<_>>().join(" ").replace('`', "");
    rows.extend([row(Cell::text("")), row(Cell::text(form).role(Role::Strong)), row(Cell::text(does))]);
    let values = arguments(expression, formula.name);
    rows.extend(formula.arguments.iter().enumerate().map(|(i, (name, unit))| {
        let written = match values.get(i) {
            Some(value) => format!(" = {}", shown(value, unit)),
            None => format!("  ({unit})"),
        };
        row(Cell::text(format!("  {name}")).role(Role::Strong) + Cell::text(written))
    }));
    rows.push(row(Cell::text(format!("source: {}", formula.source)).role(Role::Dim)));
}

/// A value of more characters is rounded.
const LONG: usize = 9;

/// A value of an argument for people, in the unit of the argument.
fn shown(value: &str, unit: &str) -> String {
    match (quantity::unit(unit), expr::value(value, &())) {
        (Some(unit), Ok(v)) if unit.dimension != Dimension::Bytes || !value.ends_with("iB") => {
            quantity::show(v, unit)
        }
        (Some(_), _) => value.to_owned(),
        // what it may be, not what it counts
        (None, _) if unit.contains(|c: char| c.is_ascii_digit()) => format!("{value} ({unit})"),
        // no more digits than one says
        (None, Ok(v)) if value.len() > LONG && value.contains('.') => {
            format!("{} {unit}", quantity::digits(v)).trim_end().to_owned()
        }
        (None, _) => format!("{value} {unit}").trim_end().to_owned(),
    }
}

/// A caption with a capital letter and a full stop.
pub fn sentence(caption: &str) -> String {
    let end = if caption.ends_with(['.', '?', '!']) { "" } else { "." };
    format!("{}{end}", sentence_start(caption))
}

fn sentence_start(words: &str) -> String {
    crate::study::words::capital(words)
}

/// The arguments of the first call of a function in an expression, as they are written.
fn arguments(expression: &str, name: &str) -> Vec<String> {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let call = format!("{name}(");
    let start = expression
        .match_indices(&call)
        .find(|(at, _)| !expression[..*at].ends_with(word))
        .map(|(at, _)| at + call.len());
    let Some(rest) = start.map(|at| &expression[at..]) else {
        return Vec::new();
    };
    let (mut depth, mut from, mut found) = (0_usize, 0, Vec::new());
    for (at, c) in rest.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth > 0 => depth -= 1,
            ')' | ',' if depth == 0 => {
                found.push(rest[from..at].trim().to_owned());
                from = at + 1;
                if c == ')' {
                    break;
                }
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_values_put_in_are_found_also_where_calls_are_nested() {
        let text = "algbw(1 GiB, ring_time(8, 1 GiB / (2 + 1), 3 us)) + x_ring_time(9)";
        assert_eq!(arguments(text, "algbw"), ["1 GiB", "ring_time(8, 1 GiB / (2 + 1), 3 us)"]);
        assert_eq!(arguments(text, "ring_time"), ["8", "1 GiB / (2 + 1)", "3 us"]);
        assert_eq!(arguments("x_ring_time(9)", "ring_time"), Vec::<String>::new());
        assert_eq!(arguments("f(1", "f"), Vec::<String>::new());
    }
}
