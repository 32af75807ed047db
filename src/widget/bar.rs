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
        Span::styled(theme.glyphs.bar_empty.repeat(width - full), theme.dim),
    ]
}

/// A small chart, one column for each value between 0 and 1.
pub fn trend(values: &[f64], theme: &Theme) -> Span<'static> {
    let levels = theme.glyphs.levels;
    let columns = values.iter().map(|value| {
        let value = if value.is_finite() { value.clamp(0.0, 1.0) } else { 0.0 };
        levels[((value * levels.len() as f64) as usize).min(levels.len() - 1)]
    });
    Span::styled(columns.collect::<String>(), theme.accent)
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
    fn a_trend_has_a_column_for_each_value() {
        let theme = Theme::new(Palette::Dark, false);
        assert_eq!(trend(&[0.0, 0.5, 1.0], &theme).content, "▁▅█");
    }
}
