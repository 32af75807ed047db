//! What a puzzle keeps in view: the goal with par in one line, and the conditions with what they come to.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::doc::escape;
use crate::sim::puzzle::{Goal, Held, Judged, Standing, plain};
use crate::tui::face::Look;
use crate::widget::wrap::{self, Hanging, Styled};

/// What the goal had no room for, and the conditions, in rows.
pub fn conditions(
    rules: &Goal,
    judged: &Judged,
    under: Option<Line<'static>>,
    (width, look): (usize, &Look),
) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    let mut short: Vec<_> = under.into_iter().collect();
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

/// The goal in one line: its value, par, the best so far, and how far it is, where that has room too; else that is the
/// first of the rows under the knobs.
pub fn aim(
    rules: &Goal,
    judged: &Judged,
    best: Option<f64>,
    (width, look): (usize, &Look),
) -> (Line<'static>, Option<Line<'static>>) {
    let theme = look.theme;
    let goal = &rules.goal;
    let (mark, style, word) = standing(rules, judged, look);
    // `least micro-batches, now 8` says of what
    let show = |value: f64| {
        let shown = goal.show(value);
        match shown.split_once(' ') {
            Some((number, unit)) if goal.label.split(' ').any(|word| word == unit) => number.to_owned(),
            _ => shown,
        }
    };
    let value = judged.value.map_or_else(|| "no value".into(), show);
    let best = best.map(|b| show(goal.value(b)));
    // par is not told where it would be the answer
    let par = match rules.par_tells() && best.is_none() && !judged.is_solved() {
        true => "hidden until all conditions hold".to_owned(),
        false => show(goal.par),
    };
    let name = format!("{} {}", plain::way(goal.direction), escape::line(&goal.label));
    let line = |is_named: bool, yours: &str, word: Option<&str>| {
        let mut line = Line::from(vec![Span::styled(format!("{mark} "), style)]);
        if is_named {
            line.push_span(Span::styled("Goal: ", theme.strong));
        }
        line.push_span(Span::styled(format!("{name}, now {value}"), theme.text));
        line.push_span(Span::styled(format!("   par {par}"), theme.text));
        let best = best.iter().map(|best| Span::styled(format!("   {yours} {best}"), theme.text));
        line.extend(best);
        line.extend(word.map(|word| Span::styled(format!("   {word}"), style)));
        line
    };
    let ways = [
        line(true, "your best", Some(&word)),
        line(true, "best", Some(&word)),
        line(true, "best", None),
        line(false, "best", None),
    ];
    let fits = |line: &&Line| line.width() <= width;
    let found = ways.iter().position(|line| fits(&line)).unwrap_or(ways.len() - 1);
    let under = Line::from(vec![Span::styled(format!("{mark} "), style), Span::styled(word.clone(), style)]);
    (wrap::cut_line(&ways[found], width, theme.glyphs.cut), (found > 1).then_some(under))
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
    let by = || judged.value.map_or_else(String::new, |value| rules.goal.show_off(value));
    match judged.standing {
        Standing::Unsolved => (glyphs.missing, theme.missing, "not solved".into()),
        Standing::Short(_) => {
            let off = plain::off(rules.goal.direction);
            let word = format!("{} {off} par", by());
            (glyphs.partial, theme.partial, word)
        }
        Standing::Par => (glyphs.good, theme.good, "par".into()),
        Standing::Better(_) => {
            let word = format!("better than par by {}", by());
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
