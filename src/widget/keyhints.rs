//! The footer: which keys work now, as many as fit.

use ratatui::text::{Line, Span};

use super::theme::Theme;
use super::{escape, wrap};

/// A key and what it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hint<'a> {
    /// The key as it is written on screen.
    pub key: &'a str,
    /// What it does, a word or two.
    pub label: &'a str,
    /// 0 for what must be shown; the higher, the sooner it gives way.
    pub rank: u8,
}

/// Blanks between hints.
const GAP: usize = 2;

/// The hints in the order given, without those of the highest rank that leave no room for the
/// others. Of one rank, the earlier is kept. Never wider than `width`.
pub fn line(hints: &[Hint], width: usize, theme: &Theme) -> Line<'static> {
    let mut order: Vec<usize> = (0..hints.len()).collect();
    order.sort_by_key(|at| hints[*at].rank);
    let mut kept = vec![false; hints.len()];
    let mut used = 0;
    for at in order {
        let columns = wrap::width(hints[at].key) + 1 + wrap::width(hints[at].label);
        let gap = if used > 0 { GAP } else { 0 };
        if used + gap + columns > width {
            break;
        }
        used += gap + columns;
        kept[at] = true;
    }
    let mut spans = Vec::new();
    for (hint, _) in hints.iter().zip(&kept).filter(|(_, kept)| **kept) {
        if !spans.is_empty() {
            spans.push(Span::raw(" ".repeat(GAP)));
        }
        spans.push(Span::styled(escape::line(hint.key).into_owned(), theme.accent));
        spans.push(Span::styled(format!(" {}", escape::line(hint.label)), theme.dim));
    }
    wrap::cut_line(&Line::from(spans), width, theme.glyphs.cut)
}

#[cfg(test)]
mod tests {
    use super::super::theme::Palette;
    use super::*;

    fn shown(width: usize) -> String {
        let hint = |key, label, rank| Hint { key, label, rank };
        let hints = [
            hint("j/k", "move", 1),
            hint("enter", "open", 0),
            hint("z", "hide notes", 2),
            hint("?", "keys", 0),
        ];
        line(&hints, width, &Theme::new(Palette::Dark, false)).to_string()
    }

    #[test]
    fn hints_give_way_by_rank() {
        assert_eq!(shown(80), "j/k move  enter open  z hide notes  ? keys");
        assert_eq!(shown(30), "j/k move  enter open  ? keys");
        assert_eq!(shown(20), "enter open  ? keys");
        assert_eq!(shown(10), "enter open");
        assert_eq!(shown(5), "");
        assert_eq!(shown(0), "");
    }
}
