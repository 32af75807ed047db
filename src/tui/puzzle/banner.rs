//! What stands under the knobs of a puzzle: the goal with par, and the conditions with what they come to.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::doc::escape;
use crate::sim::puzzle::{Goal, Held, Judged, Standing, plain};
use crate::tui::face::Look;
use crate::widget::wrap::{Hanging, Styled};

/// The rows: the goal first, which stays in view where there is little room.
pub fn lines(
    rules: &Goal,
    judged: &Judged,
    best: Option<f64>,
    (width, look): (usize, &Look),
) -> Vec<Line<'static>> {
    let mut lines = goal(rules, judged, best, (width, look));
    let mut short = Vec::new();
    for (condition, held) in rules.conditions.iter().zip(&judged.conditions) {
        let piece = piece(&condition.text, held, (width, look));
        if piece.width() <= width {
            short.push(piece);
            continue;
        }
        lines.extend(side_by_side(std::mem::take(&mut short), width));
        let mut styled = Styled::new();
        for span in piece.spans.iter().skip(1) {
            styled.push(&span.content, span.style);
        }
        lines.extend(styled.wrap(&Hanging::under(piece.spans[0].clone()), width));
    }
    lines.extend(side_by_side(short, width));
    lines
}

/// The goal's value, par, the best so far, and how far it is.
fn goal(
    rules: &Goal,
    judged: &Judged,
    best: Option<f64>,
    (width, look): (usize, &Look),
) -> Vec<Line<'static>> {
    let theme = look.theme;
    let goal = &rules.goal;
    let (mark, style, word) = standing(rules, judged, look);
    let value = judged.value.map_or_else(|| "no value".into(), |v| goal.show(v));
    let best = best.map(|b| format!("your best {}", goal.show(goal.value(b))));
    let way = plain::way(goal.direction);
    // par is not told where it would be the answer
    let par = match rules.par_tells() && best.is_none() && !judged.is_solved() {
        true => "hidden until all conditions hold".to_owned(),
        false => goal.show(goal.par),
    };
    let name = format!("{way} {}", escape::line(&goal.label));
    let lead = Hanging::under(Span::styled(format!("{mark} "), style));
    let text = |text: String| Line::styled(text, theme.text);
    let pieces = [value, format!("par {par}")].into_iter().chain(best).map(text);
    let pieces: Vec<_> = pieces.chain([Line::styled(word, style)]).collect();
    let first = Line::from(vec![
        Span::styled(format!("{mark} "), style),
        Span::styled(format!("{name}: "), theme.text),
    ]);
    let total = pieces.iter().map(|piece| piece.width() + GAP).sum::<usize>() + first.width();
    if total <= width + GAP {
        let row = side_by_side(pieces, width).into_iter().flat_map(|row| row.spans);
        return vec![first.spans.into_iter().chain(row).collect()];
    }
    let mut lines = Styled::from_text(&name, theme.text).wrap(&lead, width);
    let rows = side_by_side(pieces, width.saturating_sub(2));
    lines.extend(rows.into_iter().map(|row| std::iter::once(Span::raw("  ")).chain(row.spans).collect()));
    lines
}

/// Blanks between pieces.
const GAP: usize = 3;

/// Pieces in rows of so many columns, as many in each as fit.
fn side_by_side(pieces: Vec<Line<'static>>, width: usize) -> Vec<Line<'static>> {
    let mut rows: Vec<Line<'static>> = Vec::new();
    for piece in pieces {
        match rows.last_mut() {
            Some(row) if row.width() + GAP + piece.width() <= width => {
                row.push_span(" ".repeat(GAP));
                row.spans.extend(piece.spans);
            }
            _ => rows.push(Line::from(
                piece.spans.into_iter().map(|span| span.patch_style(piece.style)).collect::<Vec<_>>(),
            )),
        }
    }
    rows
}

fn standing(rules: &Goal, judged: &Judged, look: &Look) -> (&'static str, Style, String) {
    let theme = look.theme;
    let glyphs = &theme.glyphs;
    match judged.standing {
        Standing::Unsolved => (glyphs.missing, theme.missing, "not solved".into()),
        Standing::Short(by) => {
            let off = plain::off(rules.goal.direction);
            let word = format!("{} {off} par", rules.goal.show(by));
            (glyphs.partial, theme.partial, word)
        }
        Standing::Par => (glyphs.good, theme.good, "par".into()),
        Standing::Better(by) => {
            let word = format!("better than par by {}", rules.goal.show(by));
            (glyphs.good, theme.good, word)
        }
    }
}

/// A condition with its mark, and with the values that it looks at; where it holds, as far as a row has room for them.
fn piece(text: &str, held: &Held, (width, look): (usize, &Look)) -> Line<'static> {
    let theme = look.theme;
    let text = escape::line(text).into_owned();
    let values: Vec<_> = match held.values.as_slice() {
        [(name, value)] => vec![format!("{} {value}", escape::line(name))],
        all => all.iter().map(|(_, value)| value.clone()).collect(),
    };
    if held.holds {
        let mut line = Line::from(vec![
            Span::styled(format!("{} ", theme.glyphs.good), theme.good),
            Span::styled(text, theme.dim),
        ]);
        let values = Span::styled(format!(" ({})", values.join(", ")), theme.dim);
        if line.width() + values.width() <= width {
            line.push_span(values);
        }
        return line;
    }
    Line::from(vec![
        Span::styled(format!("{} ", theme.glyphs.missing), theme.missing),
        Span::styled(text, theme.text),
        Span::styled(format!(" ({})", values.join(", ")), theme.missing),
    ])
}
