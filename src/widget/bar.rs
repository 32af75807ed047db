//! Bars and marks that are read without colour: a shape, and a number or a word beside it.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::theme::Theme;
use super::wrap;
use crate::score::Verdict;

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

/// `████░░░░ 3/8` in at most `width` columns; without the bar where only the count fits.
pub fn progress(done: usize, total: usize, width: usize, theme: &Theme) -> Line<'static> {
    let count = format!("{done}/{total}");
    let share = if total == 0 { 0.0 } else { done as f64 / total as f64 };
    let style = if done >= total && total > 0 { theme.good } else { theme.accent };
    labelled(share, count, (width, style), theme)
}

/// `██████░░ 71%` in at most `width` columns, with the colour of its verdict: good from 75 %,
/// missing below 40 %.
pub fn strength(share: f64, width: usize, theme: &Theme) -> Line<'static> {
    let style = match share {
        share if share >= 0.75 => theme.good,
        share if share >= 0.4 => theme.partial,
        _ => theme.missing,
    };
    let percent = if share.is_finite() { share.clamp(0.0, 1.0) * 100.0 } else { 0.0 };
    labelled(share, format!("{percent:3.0}%"), (width, style), theme)
}

fn labelled(share: f64, label: String, (width, style): (usize, Style), theme: &Theme) -> Line<'static> {
    let room = width.saturating_sub(wrap::width(&label) + 1);
    let mut spans = Vec::new();
    if room >= 3 {
        spans = meter(share, room, style, theme);
        spans.push(Span::raw(" "));
    }
    spans.push(Span::styled(label, theme.text));
    wrap::cut_line(&Line::from(spans), width, theme.glyphs.cut)
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

/// The mark of a verdict: its glyph in its colour.
pub fn verdict(verdict: Verdict, theme: &Theme) -> Span<'static> {
    let glyphs = &theme.glyphs;
    match verdict {
        Verdict::Covered => Span::styled(glyphs.good, theme.good),
        Verdict::Partial => Span::styled(glyphs.partial, theme.partial),
        Verdict::Missing => Span::styled(glyphs.missing, theme.missing),
    }
}

/// The word for a verdict, in its colour.
pub fn verdict_word(verdict: Verdict, theme: &Theme) -> Span<'static> {
    match verdict {
        Verdict::Covered => Span::styled("covered", theme.good),
        Verdict::Partial => Span::styled("partial", theme.partial),
        Verdict::Missing => Span::styled("missing", theme.missing),
    }
}

#[cfg(test)]
mod tests {
    use super::super::theme::Palette;
    use super::*;

    fn theme() -> Theme {
        Theme::new(Palette::Mono, true)
    }

    #[test]
    fn a_bar_has_its_number_beside_it() {
        assert_eq!(progress(3, 8, 12, &theme()).to_string(), "###..... 3/8");
        assert_eq!(strength(0.71, 13, &theme()).to_string(), "######..  71%");
        assert_eq!(progress(0, 0, 8, &theme()).to_string(), ".... 0/0");
    }

    #[test]
    fn the_ends_are_kept_for_nothing_and_all() {
        let bar = |share| Line::from(meter(share, 4, Style::new(), &theme())).to_string();
        assert_eq!([0.0, 0.01, 0.99, 1.0].map(bar), ["....", "#...", "###.", "####"]);
        assert_eq!(bar(f64::NAN), "....");
    }

    #[test]
    fn a_bar_that_does_not_fit_is_left_out() {
        assert_eq!(progress(3, 8, 5, &theme()).to_string(), "3/8");
        assert_eq!(progress(3, 8, 2, &theme()).to_string(), "3>");
        assert_eq!(progress(3, 8, 0, &theme()).to_string(), "");
    }

    #[test]
    fn a_trend_has_a_column_for_each_value() {
        let theme = Theme::new(Palette::Dark, false);
        assert_eq!(trend(&[0.0, 0.5, 1.0], &theme).content, "▁▅█");
    }
}
