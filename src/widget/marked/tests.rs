use proptest::prelude::*;
use ratatui::style::Color;

use super::super::theme::Palette;
use super::*;

/// A text whose marks are written `{0|words}`; `!` in place of the digit marks wrong words.
fn marked(template: &str) -> (String, Vec<Mark>) {
    let (mut text, mut marks, mut open) = (String::new(), Vec::new(), Vec::new());
    let mut chars = template.chars();
    while let Some(c) = chars.next() {
        match c {
            '{' => {
                let kind = match chars.next() {
                    Some('!') => MarkKind::Wrong,
                    digit => MarkKind::Part(digit.and_then(|d| d.to_digit(10)).unwrap() as usize),
                };
                chars.next();
                open.push(marks.len());
                marks.push(Mark { bytes: text.len()..0, kind });
            }
            '}' => marks[open.pop().unwrap()].bytes.end = text.len(),
            c => text.push(c),
        }
    }
    (text, marks)
}

fn shown(template: &str, width: u16, ascii: bool) -> Vec<String> {
    let (text, marks) = marked(template);
    let theme = Theme::new(Palette::Dark, ascii);
    render(&text, &marks, None, (width, &theme)).lines.iter().map(ToString::to_string).collect()
}

#[test]
fn marked_words_carry_their_digit() {
    assert_eq!(shown("So {1|each rank keeps a slice}.", 40, false), ["So each rank keeps a slice²."]);
    assert_eq!(shown("So {1|each rank keeps a slice}.", 40, true), ["So [each rank keeps a slice]2."]);
    assert_eq!(shown("{!|it is broadcast}", 40, true), ["[it is broadcast]x"]);
}

#[test]
fn overlapping_marks_each_have_their_digit() {
    assert_eq!(shown("{1|keeps {2|a slice} of it}", 40, true), ["[keeps [a slice]3 of it]2"]);
    assert_eq!(shown("{1|{2|a slice}}", 40, false), ["a slice\u{a0}[2,3]"]);
    assert_eq!(shown("{1|{1|a slice}}", 40, false), ["a slice²"], "one digit for one part");
}

#[test]
fn a_digit_stays_with_its_words() {
    assert_eq!(shown("{0|is it?} yes", 6, false), ["is", "it?¹", "yes"]);
}

#[test]
fn marks_are_underlined_in_their_colour() {
    let (text, marks) = marked("a {0|b} c {!|d}");
    let theme = Theme::new(Palette::Dark, false);
    let line = &render(&text, &marks, None, (40, &theme)).lines[0];
    let of = |words: &str| line.spans.iter().find(|span| span.content == words).unwrap().style;
    assert_eq!(of("b"), theme.part(0).style);
    assert!(of("b").add_modifier.contains(Modifier::UNDERLINED));
    assert_eq!(of("d").fg, theme.missing.fg);
    let line = &render(&text, &marks, Some(0), (40, &theme)).lines[0];
    let chosen = line.spans.iter().find(|span| span.content == "b").unwrap().style;
    assert_eq!(chosen.bg, theme.selection.bg);
    assert_ne!(chosen.bg, Some(Color::Reset));
}

#[test]
fn spots_tell_where_the_words_went() {
    let (text, marks) = marked("one {1|two three} four");
    let theme = Theme::new(Palette::Dark, false);
    let out = render(&text, &marks, None, (8, &theme));
    assert_eq!(out.spots, [vec![Spot { row: 0, columns: 4..7 }, Spot { row: 1, columns: 0..5 }]]);
}

#[test]
fn offsets_hold_where_text_is_escaped() {
    let text = "a\x1bb slice";
    let marks = [Mark { bytes: 4..9, kind: MarkKind::Part(0) }];
    let theme = Theme::new(Palette::Dark, false);
    assert_eq!(render(text, &marks, None, (40, &theme)).lines[0].to_string(), "a\\x1bb slice¹");
}

proptest! {
    #[test]
    fn any_marks_on_any_text_fit(
        text in any::<String>(),
        marks in prop::collection::vec((0usize..60, 0usize..60, 0usize..12), 0..8),
        width in 0u16..30,
        ascii: bool,
    ) {
        let marks: Vec<Mark> = marks
            .into_iter()
            .map(|(start, end, part)| Mark {
                bytes: start..end,
                kind: if part > 8 { MarkKind::Wrong } else { MarkKind::Part(part) },
            })
            .collect();
        let theme = Theme::new(Palette::Dark, ascii);
        let out = render(&text, &marks, Some(0), (width, &theme));
        for line in &out.lines {
            prop_assert!(line.spans.iter().map(|span| wrap::width(&span.content)).sum::<usize>() <= width.into());
        }
        for spot in out.spots.iter().flatten() {
            prop_assert!(spot.row < out.lines.len() && spot.columns.end <= width);
        }
        prop_assert_eq!(out.spots.len(), marks.len());
    }
}

#[test]
fn a_digit_behind_a_formula_is_no_power() {
    assert_eq!(shown("{0|send 2(N-1)/N} of it", 40, false), ["send 2(N-1)/N\u{a0}[1] of it"]);
    assert_eq!(shown("it is {0|{2|two thirds}} of it", 40, false), ["it is two thirds\u{a0}[1,3] of it"]);
    assert_eq!(shown("it is {0|two thirds} of it", 40, false), ["it is two thirds¹ of it"]);
}
