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
    let mut row = Line::default();
    for (condition, held) in rules.conditions.iter().zip(&judged.conditions) {
        let piece = piece(&condition.text, held, look);
        let gap = if row.spans.is_empty() { 0 } else { 3 };
        if gap > 0 && row.width() + gap + piece.width() > width {
            lines.push(std::mem::take(&mut row));
        } else if gap > 0 {
            row.push_span(Span::raw("   "));
        }
        if piece.width() > width {
            let mut styled = Styled::new();
            for span in piece.spans.iter().skip(1) {
                styled.push(&span.content, span.style);
            }
            let lead = Hanging::under(piece.spans[0].clone());
            lines.extend(styled.wrap(&lead, width));
            continue;
        }
        row.spans.extend(piece.spans);
    }
    if !row.spans.is_empty() {
        lines.push(row);
    }
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
    let best = best.map_or_else(String::new, |b| format!("   your best {}", goal.show(goal.value(b))));
    let way = plain::way(goal.direction);
    // par is not told where it would be the answer
    let par = match rules.par_tells() && best.is_empty() && !judged.is_solved() {
        true => "hidden until all conditions hold".to_owned(),
        false => goal.show(goal.par),
    };
    let words = format!("{way} {}: {value}   par {par}{best}   ", escape::line(&goal.label));
    let spans = vec![
        Span::styled(format!("{mark} "), style),
        Span::styled(words.clone(), theme.text),
        Span::styled(word.clone(), style),
    ];
    let line = Line::from(spans);
    if line.width() <= width {
        return vec![line];
    }
    let lead = Hanging::under(Span::styled(format!("{mark} "), style));
    let mut lines = Styled::from_text(words.trim_end(), theme.text).wrap(&lead, width);
    lines.extend(Styled::from_text(&format!("  {word}"), style).wrap(&Hanging::none(), width));
    lines
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

/// A condition with its mark; with the values that it looks at where it does not hold.
fn piece(text: &str, held: &Held, look: &Look) -> Line<'static> {
    let theme = look.theme;
    let text = escape::line(text).into_owned();
    if held.holds {
        return Line::from(vec![
            Span::styled(format!("{} ", theme.glyphs.good), theme.good),
            Span::styled(text, theme.dim),
        ]);
    }
    let values: Vec<_> = match held.values.as_slice() {
        [(name, value)] => vec![format!("{} {value}", escape::line(name))],
        all => all.iter().map(|(_, value)| value.clone()).collect(),
    };
    Line::from(vec![
        Span::styled(format!("{} ", theme.glyphs.missing), theme.missing),
        Span::styled(text, theme.text),
        Span::styled(format!(" ({})", values.join(", ")), theme.missing),
    ])
}
