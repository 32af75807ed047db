use proptest::prelude::*;
use ratatui::style::{Style, Stylize};
use ratatui::text::Span;
use unicode_segmentation::UnicodeSegmentation;

use super::*;

fn wrapped(text: &str, columns: usize) -> Vec<&str> {
    rows(text, columns, columns).iter().map(|row| &text[row.range()]).collect()
}

#[test]
fn words_stay_whole_and_blanks_hang() {
    assert_eq!(wrapped("each rank keeps a slice", 10), ["each rank", "keeps a", "slice"]);
    assert_eq!(wrapped("a   b", 1), ["a", "b"]);
    assert_eq!(wrapped("exactly ten", 7), ["exactly", "ten"]);
}

#[test]
fn punctuation_stays_with_its_word() {
    assert_eq!(wrapped("really (sure). And", 13), ["really", "(sure). And"]);
    assert_eq!(wrapped("the all-reduce", 9), ["the all-", "reduce"]);
}

#[test]
fn long_words_split_between_graphemes() {
    assert_eq!(wrapped("reduce_scatter", 6), ["reduce", "_scatt", "er"]);
    assert_eq!(wrapped("ok abcdefgh", 4), ["ok", "abcd", "efgh"]);
    assert_eq!(wrapped("👩‍👩‍👧👩‍👩‍👧", 3), ["👩‍👩‍👧", "👩‍👩‍👧"]);
}

#[test]
fn wide_characters_count_twice() {
    assert_eq!(wrapped("全規約は重い", 5), ["全規", "約は", "重い"]);
    assert_eq!(width("全e\u{301}👩‍👩‍👧"), 5);
}

#[test]
fn line_ends_make_rows_of_their_own() {
    assert_eq!(wrapped("", 5), [""]);
    assert_eq!(wrapped("a\n\nb\n", 5), ["a", "", "b", ""]);
    assert_eq!(wrapped("   ", 2), [""]);
}

#[test]
fn the_first_row_may_be_narrower() {
    let text = "one two three";
    let rows: Vec<_> = rows(text, 3, 9).iter().map(|row| &text[row.range()]).collect();
    assert_eq!(rows, ["one", "two three"]);
}

#[test]
fn hanging_indent_leads_every_row() {
    let text = Styled::from_text("one two three", Style::new());
    let lines = text.wrap(&Hanging::under(Span::raw("- ")), 7);
    let shown: Vec<_> = lines.iter().map(ToString::to_string).collect();
    assert_eq!(shown, ["- one", "  two", "  three"]);
    assert_eq!(text.wrap(&Hanging::under(Span::raw("- ")), 2)[0].to_string(), "on");
}

#[test]
fn styles_follow_their_words_across_rows() {
    let mut text = Styled::new();
    text.push("plain ", Style::new());
    text.push("bold words", Style::new().bold());
    let lines = text.wrap(&Hanging::none(), 10);
    assert_eq!(lines[0].spans, ["plain ".into(), "bold".bold()]);
    assert_eq!(lines[1].spans, ["words".bold()]);
}

#[test]
fn a_byte_on_a_soft_break_belongs_to_the_lower_row() {
    let rows = rows("aaa bbb", 3, 3);
    assert_eq!([0, 3, 4, 7].map(|byte| row_of(&rows, byte)), [0, 0, 1, 1]);
}

#[test]
fn cutting_says_that_something_is_lost() {
    assert_eq!(cut("mechanism", 9, "…"), "mechanism");
    assert_eq!(cut("mechanism", 5, "…"), "mech…");
    assert_eq!(cut("全規約", 4, "…"), "全…");
    assert_eq!(cut("mechanism", 0, "…"), "");
    let line = Line::from(vec!["ab".bold(), "cdef".into()]);
    assert_eq!(cut_line(&line, 4, "…").to_string(), "abc…");
    assert_eq!(cut_line(&line, 6, "…").to_string(), "abcdef");
}

proptest! {
    #[test]
    fn rows_cover_the_text_and_fit(
        text in "(\\PC|[ \n]|全|e\u{301}|👩‍👩‍👧){0,80}", first in 1usize..20, rest in 1usize..20,
    ) {
        let rows = rows(&text, first, rest);
        let mut next = 0;
        for (at, row) in rows.iter().enumerate() {
            let columns = if at == 0 { first } else { rest };
            prop_assert_eq!(row.start, next);
            prop_assert!(row.end >= row.start && row.next >= row.end);
            let drawn = &text[row.range()];
            prop_assert_eq!(width(drawn), row.width);
            prop_assert!(row.width <= columns || drawn.graphemes(true).count() == 1, "{:?}", drawn);
            next = row.next;
        }
        prop_assert_eq!(next, text.len());
    }

    #[test]
    fn drawn_lines_never_exceed_the_width(text in any::<String>(), columns in 0usize..12) {
        let styled = Styled::from_text(&text, Style::new());
        for line in styled.wrap(&Hanging::under(Span::raw("• ")), columns) {
            prop_assert!(line.spans.iter().map(|span| width(&span.content)).sum::<usize>() <= columns);
        }
        prop_assert!(width(&cut(&text, columns, "…")) <= columns);
    }
}

#[test]
fn a_line_without_its_first_columns_says_that_something_is_lost() {
    let line = Line::from(vec![Span::raw("rank 0 "), Span::raw("-- rank 1")]);
    assert_eq!(without_columns(&line, 0, "…").to_string(), "rank 0 -- rank 1");
    assert_eq!(without_columns(&line, 8, "…").to_string(), "… rank 1");
    assert_eq!(without_columns(&line, 40, "…").to_string(), "");
    let blank = Line::from("    rank 0");
    assert_eq!(without_columns(&blank, 4, "…").to_string(), "rank 0");
}
