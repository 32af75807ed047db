use proptest::prelude::*;

use super::super::theme::Palette;
use super::*;

fn shown(source: &Source, width: usize, long_lines: LongLines) -> String {
    let theme = Theme::new(Palette::Mono, false);
    let rows = source.lines(width, long_lines, (&theme, &Highlighter::off()));
    rows.into_iter().map(|spans| Line::from(spans).to_string() + "\n").collect()
}

#[test]
fn lines_break_where_code_may() {
    let source = Source::new("python", "x = torch.distributed.all_reduce(grad, group)");
    assert_eq!(
        shown(&source, 20, LongLines::Wrap),
        "x = torch\n↪ .distributed\n↪ .all_reduce(grad,\n↪ group)\n"
    );
}

#[test]
fn a_cut_line_says_so() {
    let source = Source::new("", "rank 0 ──▶ rank 1\nok");
    assert_eq!(shown(&source, 10, LongLines::Cut), "rank 0 ──…\nok\n");
    assert_eq!(source.width(), 17);
}

#[test]
fn lines_are_counted_as_an_editor_counts_them() {
    assert_eq!(Source::new("", "a\nb\n").len(), 2);
    assert_eq!(Source::new("", "a\n\nb").len(), 3);
    assert_eq!(Source::new("", "").len(), 1);
    assert_eq!(Source::new("", "a\n\x1b[2J").line(1), "\\x1b[2J");
    assert_eq!(Source::new("", "a").line(7), "");
}

#[test]
fn wide_blanks_are_no_indentation() {
    assert_eq!(shown(&Source::new("", "\u{2000}\u{3000}x"), 2, LongLines::Wrap).lines().count(), 2);
}

proptest! {
    #[test]
    fn rows_fit_and_lose_nothing(text in "([ a-z(.,)全\t]|[^\\p{C}]){0,60}", width in 1usize..30) {
        let source = Source::new("python", &text);
        let theme = Theme::new(Palette::Dark, false);
        for long_lines in [LongLines::Wrap, LongLines::Cut] {
            for spans in source.lines(width, long_lines, (&theme, &Highlighter::off())) {
                prop_assert!(spans.iter().map(|span| wrap::width(&span.content)).sum::<usize>() <= width);
            }
        }
        let kept: String = source.rows(width, LongLines::Wrap).iter().map(|row| &source.line(row.line)[row.bytes.clone()]).collect();
        let squeezed = |text: &str| text.split_whitespace().collect::<String>();
        prop_assert_eq!(squeezed(&kept), squeezed(source.line(0)));
    }
}
