//! The numbers that a simulator found, and the formula behind one of them.

use ratatui::text::{Line, Span};

use super::pane::sentence;
use crate::screen::Context;
use crate::sim::formula::Formula;
use crate::sim::quantity::Dimension;
use crate::sim::{Output, expr, quantity};
use crate::widget::wrap::{self, Hanging, Styled};

/// Columns that a number with its name needs, so that several stand side by side.
const COLUMN: usize = 46;

/// Columns for values where the names need the room; a longer value stands out.
const SHORT: usize = 10;

/// How many columns of numbers stand side by side.
pub fn columns(width: usize) -> usize {
    (width / COLUMN).max(1)
}

/// The columns that the widest of the numbers needs.
pub fn natural(outputs: &[Output]) -> usize {
    let width = |o: &Output| wrap::width(&o.show()).max(SHORT) + wrap::width(o.label) + 4;
    outputs.iter().map(width).max().unwrap_or(0)
}

/// The rows that so many numbers take.
pub fn rows(count: usize, width: usize) -> usize {
    count.div_ceil(columns(width))
}

/// The numbers in rows, down the first column and on in the next; the chosen one has a pointer.
pub fn lines(
    outputs: &[Output],
    chosen: Option<usize>,
    width: usize,
    context: &Context,
) -> Vec<Line<'static>> {
    let theme = context.theme;
    let columns = columns(width);
    let rows = rows(outputs.len(), width);
    let room = width / columns;
    let values = outputs.iter().map(|o| wrap::width(&o.show()));
    // a long value may stand out where the names need the room
    let value = values.max().unwrap_or(0).min(if room < 60 { SHORT } else { 18 });
    let cell = |at: usize| -> Vec<Span<'static>> {
        let Some(output) = outputs.get(at) else {
            return Vec::new();
        };
        let here = chosen == Some(at);
        let pointer = if here { theme.glyphs.pointer } else { " " };
        let label = if here { theme.accent } else { theme.text };
        let line = Line::from(vec![
            Span::styled(pointer, theme.accent),
            Span::styled(format!("{:>value$}", output.show()), theme.strong),
            Span::styled(format!("  {}", output.label), label),
        ]);
        let mut line = wrap::cut_line(&line, room.saturating_sub(1), theme.glyphs.cut);
        let blank = room.saturating_sub(line.width());
        line.push_span(Span::raw(" ".repeat(blank)));
        line.spans
    };
    (0..rows)
        .map(|row| {
            let spans: Vec<_> = (0..columns).flat_map(|c| cell(c * rows + row)).collect();
            Line::from(spans)
        })
        .collect()
}

/// A number with the formula behind it: the values put in, what the symbols mean, where it comes from.
pub fn formula(output: &Output, width: usize, context: &Context) -> Vec<Line<'static>> {
    let theme = context.theme;
    let say = |text: &str, style| Styled::from_text(text, style).wrap(&Hanging::none(), width);
    let mut lines = vec![Line::from(vec![
        Span::styled(output.label, theme.heading),
        Span::styled(": ", theme.text),
        Span::styled(output.show(), theme.strong),
    ])];
    let Some(expression) = &output.expression else {
        let how = output.how.unwrap_or("counted while the model runs step by step");
        lines.extend(say(&sentence(how), theme.text));
        return lines;
    };
    let lead = Hanging::under(Span::styled("= ", theme.dim));
    lines.extend(Styled::from_text(expression, theme.code).wrap(&lead, width));
    let called = |f: &&Formula| !arguments(expression, f.name).is_empty();
    for formula in output.formulas().into_iter().filter(called) {
        lines.push(Line::default());
        lines.extend(explained(formula, expression, width, context));
    }
    lines
}

fn explained(
    formula: &'static Formula,
    expression: &str,
    width: usize,
    context: &Context,
) -> Vec<Line<'static>> {
    let theme = context.theme;
    let mut lines = Styled::from_text(&format!("{} = {}", formula.form(), formula.text), theme.strong)
        .wrap(&Hanging::none(), width);
    lines.extend(
        Styled::from_text(&formula.does.trim().replace('`', ""), theme.text).wrap(&Hanging::none(), width),
    );
    let values = arguments(expression, formula.name);
    for (i, (name, unit)) in formula.arguments.iter().enumerate() {
        let mut styled = Styled::new();
        styled.push(&format!("  {name}"), theme.accent);
        let known = quantity::unit(unit);
        let written = values.get(i).map(|value| match (known, expr::value(value, &())) {
            (Some(unit), Ok(v)) if unit.dimension != Dimension::Bytes || !value.ends_with("iB") => {
                quantity::show(v, unit)
            }
            (Some(_), _) => value.clone(),
            (None, _) => format!("{value} {unit}").trim_end().to_owned(),
        });
        match written {
            Some(written) => styled.push(&format!(" = {written}"), theme.text),
            None => styled.push(&format!("  ({unit})"), theme.dim),
        };
        lines.extend(styled.wrap(&Hanging::none(), width));
    }
    let source = format!("source: {}", formula.source);
    lines.extend(Styled::from_text(&source, theme.dim).wrap(&Hanging::none(), width));
    lines
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

    #[test]
    fn numbers_fill_the_rows_of_all_columns() {
        assert_eq!((columns(45), rows(13, 45)), (1, 13));
        assert_eq!((columns(100), rows(13, 100)), (2, 7));
        assert_eq!(rows(0, 100), 0);
    }
}
