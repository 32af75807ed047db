use insta::assert_snapshot;
use proptest::prelude::*;

use super::super::theme::Palette;
use super::super::wrap;
use super::{Document, Rendered, figure_width};
use crate::widget::highlight::Highlighter;
use crate::widget::theme::Theme;

fn render(markdown: &str, width: u16) -> Rendered {
    super::render(&Document::parse(markdown), width, &Theme::new(Palette::Dark, false), &Highlighter::off())
}

fn text(rendered: &Rendered) -> String {
    rendered.lines.iter().map(|line| line.to_string().trim_end().to_string() + "\n").collect()
}

const PAGE: &str = "# Data parallel training

Each rank holds a *full replica* and **its own** slice of the batch. Before the step, `all_reduce`
sums the gradients over a [[bucket]]; see [[all-reduce|the collective]].

## What it costs

1. Memory: nothing is saved.
   - parameters, gradients and optimizer state are on every rank
   - activations depend on the micro-batch
2. Links: about two times the gradients.

> A slow link is hidden only while
> there is backward work left.

| state | bytes | note |
|:--|--:|:-:|
| parameters | 2 | half precision |
| gradients | 2 | summed by `all_reduce` each step |

```
rank 0 ──▶ rank 1
```

Read [the paper](https://example.org/paper) or [lab 01](lab:ddp-step).
";

#[test]
fn a_page_in_72_columns() {
    assert_snapshot!(text(&render(PAGE, 72)));
}

#[test]
fn a_page_in_30_columns() {
    assert_snapshot!(text(&render(PAGE, 30)));
}

#[test]
fn links_are_reported_where_their_words_are() {
    let rendered = render(PAGE, 30);
    let shown: Vec<String> = rendered
        .links
        .iter()
        .map(|link| {
            let words: Vec<String> = link
                .spots
                .iter()
                .map(|spot| {
                    let row = rendered.lines[spot.row].to_string();
                    row.chars().skip(spot.columns.start.into()).take(spot.columns.len()).collect()
                })
                .collect();
            format!("{:?} {}: {}", link.kind, link.target, words.join(" / "))
        })
        .collect();
    assert_eq!(
        shown,
        [
            "Term bucket: bucket",
            "Term all-reduce: the / collective",
            "Address https://example.org/paper: the paper (https:// / example.org/paper)",
            "Place lab:ddp-step: lab 01",
        ]
    );
}

#[test]
fn headings_and_blocks_know_their_rows() {
    let rendered = render(PAGE, 72);
    let headings: Vec<_> = rendered.headings.iter().map(|h| (h.row, h.level, h.text.as_str())).collect();
    assert_eq!(headings, [(0, 1, "Data parallel training"), (6, 2, "What it costs")]);
    assert_eq!(rendered.blocks.len(), 8);
    assert_eq!(rendered.lines[rendered.blocks[2]].to_string(), "What it costs");
}

#[test]
fn a_table_that_does_not_fit_becomes_records() {
    let table = "| collective | bytes sent per rank |\n|-|-|\n| all-reduce | 2(N-1)/N of the buffer |\n";
    assert_snapshot!(text(&render(table, 16)), @r"
    collective: all-
      reduce
      bytes sent per
        rank:
        2(N-1)/N of
        the buffer
    ");
}

#[test]
fn a_quote_keeps_its_bar_on_every_row() {
    assert_snapshot!(text(&render("> one two three\n>\n> - four five six", 9)), @r"
    ▌ one two
    ▌ three
    ▌
    ▌ • four
    ▌   five
    ▌   six
    ");
}

#[test]
fn a_diagram_is_cut_and_says_how_wide_it_is() {
    let rendered = render("```\nrank 0 -- rank 1 -- rank 2\n```", 12);
    assert_eq!(rendered.lines[0].to_string(), "rank 0 -- r…");
    assert_eq!(rendered.cut.len(), 1);
    assert_eq!(rendered.cut[0].0, 0);
    assert_eq!(rendered.cut[0].1.to_string(), "rank 0 -- rank 1 -- rank 2");
    assert_eq!(render("```\nrank 0\n```", 12).cut, []);
    let figures = Document::parse("words\n\n```\nrank 0\n```\n\n> ```\n> rank 0 -- rank 1\n> ```");
    assert_eq!(figure_width(figures.blocks()), 18);
    assert_eq!(figure_width(Document::parse("```python\nlong = code + wraps\n```").blocks()), 0);
}

#[test]
fn a_figure_is_set_in_where_there_is_room_and_is_whole_where_it_just_fits() {
    let at = |width| render("```\nrank 0 -- rank 1\n```", width).lines[0].to_string();
    assert_eq!(at(18), "  rank 0 -- rank 1");
    assert_eq!(at(17), " rank 0 -- rank 1");
    assert_eq!(at(16), "rank 0 -- rank 1");
    assert_eq!(at(15), "rank 0 -- rank…");
}

#[test]
fn a_figure_and_a_table_belong_together_with_their_heading() {
    let rendered = render("words\n\n### Ring\n\n```\nr0\nr1\n```\n\n| a | b |\n| - | - |\n| 1 | 2 |", 40);
    assert_eq!(text(&rendered).lines().nth(2), Some("Ring"));
    assert_eq!(rendered.together, [2..5, 6..9]);
}

#[test]
fn long_code_goes_on_below_its_indentation() {
    let rendered = render("```python\n    loss = model(batch).mean() + penalty\n```", 24);
    assert_eq!(text(&rendered), "    loss = model(batch)\n    ↪ .mean() + penalty\n");
}

#[test]
fn html_is_text_and_comments_are_nothing() {
    assert_eq!(
        text(&render("<b>bold</b>\n\n<!-- note\nto self -->\n\nend <!-- x -->", 40)),
        "<b>bold</b>\n\nend\n"
    );
}

#[test]
fn escape_sequences_are_shown_not_obeyed() {
    let rendered = render("a\x1b[2Jb `\x1b]0;x\x07`\n\n```\n\u{202e}evil\n```\n", 40);
    assert_eq!(text(&rendered), "a\\x1b[2Jb \\x1b]0;x\\x07\n\n  \\u{202e}evil\n");
}

#[test]
fn a_document_can_be_put_together() {
    let document = Document::new()
        .heading(2, "Formulas with `N` ranks")
        .verbatim("", "t = 2 (N-1)/N * B / bw\n")
        .list(&["one", "two [[rank]]"])
        .table(&["link", "GB/s"], &[vec!["NVLink".into(), "450".into()], vec!["IB".into(), "50".into()]]);
    let rendered = super::render(&document, 30, &Theme::new(Palette::Mono, true), &Highlighter::off());
    assert_snapshot!(text(&rendered), @r"
    Formulas with `N` ranks
      t = 2 (N-1)/N * B / bw

    * one
    * two rank

    link    GB/s
    ------  ----
    NVLink   450
    IB        50
    ");
    assert_eq!(rendered.links[0].target, "rank");
}

#[test]
fn deep_nesting_is_laid_out() {
    let quotes = "> ".repeat(5000) + "end";
    let lists = (0..200).map(|depth| " ".repeat(2 * depth) + "- item\n").collect::<String>();
    for markdown in [quotes, lists, "[".repeat(5000), "*".repeat(5000) + "x"] {
        let rendered = render(&markdown, 20);
        assert!(rendered.lines.iter().all(|line| wrap::width(&line.to_string()) <= 20));
    }
}

fn markdown() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("# ".to_string()),
        Just("- ".to_string()),
        Just("  - ".to_string()),
        Just("12. ".to_string()),
        Just("> ".to_string()),
        Just("\n".to_string()),
        Just("\n\n".to_string()),
        Just("```rust\n".to_string()),
        Just("| a | b |\n|-|:-:|\n| ".to_string()),
        Just(" | ".to_string()),
        Just("[[".to_string()),
        Just("]]".to_string()),
        Just("[x](https://e.org/a)".to_string()),
        Just("**".to_string()),
        Just("`".to_string()),
        Just("---\n".to_string()),
        Just("全規約".to_string()),
        "[a-z(). ]{1,12}",
        any::<String>(),
    ];
    prop::collection::vec(piece, 0..25).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn any_text_fits_any_width(markdown in markdown(), width in 0u16..50) {
        let rendered = render(&markdown, width);
        for line in &rendered.lines {
            let columns: usize = line.spans.iter().map(|span| wrap::width(&span.content)).sum();
            prop_assert!(columns <= usize::from(width), "{:?}", line.to_string());
            prop_assert!(!line.to_string().contains(crate::doc::escape::is_harmful));
            prop_assert!(!line.to_string().contains('\n'));
        }
        for link in &rendered.links {
            for spot in &link.spots {
                prop_assert!(spot.row < rendered.lines.len());
                prop_assert!(spot.columns.end <= width && spot.columns.start <= spot.columns.end);
            }
        }
    }
}
