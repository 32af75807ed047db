//! Bars and small charts that are read without colour.

use ratatui::style::Style;
use ratatui::text::Span;

use super::theme::Theme;

/// A bar of `width` columns filled to `share`, 0 to 1.
pub fn meter(share: f64, width: usize, style: Style, theme: &Theme) -> Vec<Span<'static>> {
    let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 };
    let mut full = (share * width as f64).round() as usize;
    // something is never shown as nothing, and not quite all never as all
    if share > 0.0 && width > 0 {
        full = full.max(1);
    }
    if share < 1.0 && width > 1 {
        full = full.min(width - 1);
    }
    vec![
        Span::styled(theme.glyphs.bar_full.repeat(full), style),
        Span::styled(theme.glyphs.bar_empty.repeat(width - full), theme.faint),
    ]
}

/// A small chart, one column for each value between 0 and 1.
pub fn trend(values: &[f64], theme: &Theme) -> Span<'static> {
    // not the full cell: rows below each other would run into one
    let (_, levels) = theme.glyphs.levels.split_last().unwrap_or((&" ", &[]));
    let columns = values.iter().map(|value| {
        let value = if value.is_finite() { value.clamp(0.0, 1.0) } else { 0.0 };
        levels[((value * levels.len() as f64) as usize).min(levels.len() - 1)]
    });
    Span::styled(columns.collect::<String>(), theme.dim)
}

/// What one thought and what is, on a scale of `width` columns; the line between them is how far off that was.
pub fn between(thought: f64, is: f64, width: usize, theme: &Theme) -> Vec<Span<'static>> {
    let last = width.saturating_sub(1) as f64;
    let place =
        |value: f64| (if value.is_finite() { value.clamp(0.0, 1.0) } else { 0.0 } * last).round() as usize;
    let (own, mark) = (place(thought), place(is));
    let glyphs = &theme.glyphs;
    let column = |at: usize| match at {
        at if at == own && at == mark => Span::styled(glyphs.thought.1, theme.strong),
        at if at == own => Span::styled(glyphs.thought.0, theme.text),
        at if at == mark => Span::styled(glyphs.knob, theme.strong),
        at if (own.min(mark)..own.max(mark)).contains(&at) => Span::styled(glyphs.rule, theme.text),
        _ => Span::styled(glyphs.untouched, theme.faint),
    };
    (0..width).map(column).collect()
}

#[cfg(test)]
mod tests {
    use super::super::theme::Palette;
    use super::*;
    use ratatui::text::Line;

    fn theme() -> Theme {
        Theme::new(Palette::Mono, true)
    }

    #[test]
    fn the_ends_are_kept_for_nothing_and_all() {
        let bar = |share| Line::from(meter(share, 4, Style::new(), &theme())).to_string();
        assert_eq!([0.0, 0.01, 0.99, 1.0].map(bar), ["....", "#...", "###.", "####"]);
        assert_eq!(bar(f64::NAN), "....");
    }

    #[test]
    fn what_one_thought_stands_on_the_scale_of_what_is() {
        let drawn = |thought, is| Line::from(between(thought, is, 5, &theme())).to_string();
        assert_eq!([drawn(1.0, 0.25), drawn(0.5, 0.5), drawn(0.0, f64::NAN)], [".o--?", "..@..", "@...."]);
    }

    #[test]
    fn a_trend_has_a_column_for_each_value() {
        let theme = Theme::new(Palette::Dark, false);
        assert_eq!(trend(&[0.0, 0.5, 1.0], &theme).content, "▁▄▇");
    }
}
