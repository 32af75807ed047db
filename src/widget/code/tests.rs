use insta::assert_snapshot;
use proptest::prelude::*;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::super::list::{Go, ListState};
use super::super::theme::Palette;
use super::*;

const STARTER: &str = "\
def all_reduce(values):
    total = sum(values)
    return [total] * len(values)


for bucket in buckets:
    if bucket.ready and not bucket.sent:
        bucket.send(group.all_reduce(bucket.gradients, average=True))
";

fn shown(source: &Source, width: usize, long_lines: LongLines) -> String {
    let theme = Theme::new(Palette::Mono, false);
    let rows = source.lines(width, long_lines, (&theme, &Highlighter::off()));
    rows.into_iter().map(|spans| Line::from(spans).to_string() + "\n").collect()
}

fn pane(width: u16, height: u16, cursor: usize) -> String {
    let source = Source::new("python", STARTER);
    let mut state = ListState::default();
    state.go(Go::To(cursor), &Pane::heights(&source, width), height.into());
    let area = Rect::new(0, 0, width, height);
    let mut buffer = Buffer::empty(area);
    let pane = Pane { source: &source, state: &state, blocks: &[0..3, 5..6, 6..8], cursor: true };
    pane.draw(area, &mut buffer, (&Theme::new(Palette::Mono, false), &Highlighter::off()));
    let row = |y| (0..width).map(|x| buffer[(x, y)].symbol()).collect::<String>();
    (0..height).map(|y| row(y).trim_end().to_string() + "\n").collect()
}

#[test]
fn a_pane_numbers_lines_and_marks_blocks() {
    assert_snapshot!(pane(50, 8, 6));
}

#[test]
fn in_a_narrow_pane_lines_go_on_below_their_indentation() {
    assert_snapshot!(pane(40, 12, 7));
}

#[test]
fn the_whole_cursor_line_is_in_view() {
    assert_snapshot!(pane(40, 4, 7));
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
fn any_size_is_drawn() {
    for (width, height) in [(0, 0), (1, 1), (5, 2), (19, 3), (20, 5), (21, 1)] {
        pane(width, height, 7);
    }
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
