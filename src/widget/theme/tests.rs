use ratatui::style::{Color, Modifier, Style};

use super::{Glyphs, Palette, Theme};

/// Relative luminance, WCAG 2.1.
fn luminance([r, g, b]: [u8; 3]) -> f64 {
    let linear = |value: u8| {
        let value = f64::from(value) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
}

fn contrast(one: [u8; 3], other: [u8; 3]) -> f64 {
    let (a, b) = (luminance(one), luminance(other));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

/// The fixed part of the 256-colour table: a 6x6x6 cube and a grey ramp.
fn rgb(colour: Color) -> [u8; 3] {
    let Color::Indexed(index @ 16..) = colour else { panic!("{colour:?} is not fixed") };
    if index >= 232 {
        return [8 + 10 * (index - 232); 3];
    }
    let step = |value: u8| if value == 0 { 0 } else { 55 + 40 * value };
    let cube = index - 16;
    [step(cube / 36), step(cube / 6 % 6), step(cube % 6)]
}

fn readable(theme: &Theme) -> Vec<(String, Style)> {
    let t = theme.tokens;
    let mut styles = vec![
        ("dim", theme.dim),
        ("accent", theme.accent),
        ("code", theme.code),
        ("term", theme.term),
        ("link", theme.link),
        ("good", theme.good),
        ("partial", theme.partial),
        ("missing", theme.missing),
        ("warning", theme.warning),
        ("clock_amber", theme.clock_amber),
        ("clock_red", theme.clock_red),
        ("keyword", t.keyword),
        ("string", t.string),
        ("number", t.number),
        ("comment", t.comment),
        ("function", t.function),
        ("kind", t.kind),
        ("property", t.property),
    ]
    .into_iter()
    .map(|(name, style)| (name.to_string(), style))
    .collect::<Vec<_>>();
    styles.extend((0..5).map(|part| (format!("part {part}"), theme.part(part).name)));
    styles.extend(theme.series.iter().enumerate().map(|(at, style)| (format!("series {at}"), *style)));
    styles
}

#[test]
fn text_is_readable_on_its_ground_and_on_the_cursor_line() {
    for (palette, ground) in [(Palette::Dark, [0x1c; 3]), (Palette::Light, [0xfa; 3])] {
        let theme = Theme::new(palette, false);
        let cursor_line = rgb(theme.cursor_line.bg.unwrap());
        for (name, style) in readable(&theme) {
            let colour = rgb(style.fg.unwrap());
            for (where_, ground) in [("ground", ground), ("cursor line", cursor_line)] {
                let ratio = contrast(colour, ground);
                assert!(ratio >= 4.5, "{palette:?} {name} on {where_}: {ratio:.2}");
            }
        }
        for step in theme.heat.into_iter().flatten() {
            assert!(contrast(rgb(step.fg.unwrap()), rgb(step.bg.unwrap())) >= 4.5, "{palette:?} {step:?}");
        }
        // which of two shares is the larger one is seen without a legend
        let grounds: Vec<f64> =
            theme.heat.into_iter().flatten().map(|s| luminance(rgb(s.bg.unwrap()))).collect();
        let away = |luminance: &f64| if palette == Palette::Dark { *luminance } else { -luminance };
        assert!(grounds.is_sorted_by_key(away), "{palette:?} {grounds:?}");
        let is_apart = |two: &[f64]| (two[0].max(two[1]) + 0.05) / (two[0].min(two[1]) + 0.05) >= 1.2;
        assert!(grounds.windows(2).all(is_apart), "{palette:?} {grounds:?}");
        let chosen = theme.selection;
        assert!(contrast(rgb(chosen.fg.unwrap()), rgb(chosen.bg.unwrap())) >= 4.5);
        assert!(contrast(rgb(theme.border.fg.unwrap()), ground) >= 3.0, "{palette:?} border");
    }
}

#[test]
fn no_hue_of_a_part_is_the_colour_of_a_mark_or_of_what_acts() {
    for (_, palette) in Palette::NAMES {
        let theme = Theme::new(palette, false);
        let taken = [theme.good, theme.partial, theme.missing, theme.accent, theme.warning];
        for part in (0..5).map(|part| theme.part(part)).filter(|part| part.name.fg.is_some()) {
            assert!(taken.iter().all(|style| style.fg != part.name.fg), "{palette:?} {:?}", part.name);
        }
    }
}

#[test]
fn colours_of_marks_stand_for_marks_alone() {
    for (_, palette) in Palette::NAMES {
        let theme = Theme::new(palette, false);
        let marks = [theme.good.fg, theme.partial.fg, theme.missing.fg];
        let t = theme.tokens;
        let others = [
            theme.accent,
            theme.code,
            theme.term,
            theme.link,
            theme.dim,
            theme.faint,
            t.keyword,
            t.string,
            t.number,
            t.comment,
            t.function,
            t.kind,
            t.property,
        ];
        for style in others.iter().filter(|style| !matches!(style.fg, None | Some(Color::Reset))) {
            assert!(!marks.contains(&style.fg), "{palette:?} {style:?}");
        }
    }
}

#[test]
fn hues_of_figures_are_their_own() {
    for (_, palette) in Palette::NAMES {
        let theme = Theme::new(palette, false);
        let taken = [theme.good.fg, theme.partial.fg, theme.missing.fg, theme.accent.fg];
        for (at, hue) in theme.series.iter().enumerate() {
            assert!(hue.fg.is_none() || !taken.contains(&hue.fg), "{palette:?} {at}: {hue:?} is taken");
            let is_rich = matches!(palette, Palette::Dark | Palette::Light);
            assert!(!is_rich || !theme.series[..at].contains(hue), "{palette:?} {at}: {hue:?} stands twice");
        }
    }
}

#[test]
fn four_weights_are_told_apart_in_every_palette() {
    for (_, palette) in Palette::NAMES {
        let theme = Theme::new(palette, false);
        let weights = [theme.heading, theme.text, theme.dim];
        for (at, one) in weights.iter().enumerate() {
            assert!(weights[at + 1..].iter().all(|other| one != other), "{palette:?} {one:?}");
        }
        assert!(theme.heading.fg.is_none(), "{palette:?}: a heading is no colour");
        assert_ne!(theme.faint, theme.text, "{palette:?}");
    }
}

#[test]
fn sixteen_colours_are_legible_on_black_and_on_white() {
    let theme = Theme::new(Palette::Sixteen, false);
    // those of xterm; others are nearer to the middle
    let legible =
        |style: Style| matches!(style.fg, None | Some(Color::Reset | Color::Magenta | Color::DarkGray));
    let w = theme.words;
    let words = [w.good, w.partial, w.missing, theme.warning, theme.accent, theme.link, theme.code];
    let t = theme.tokens;
    let code = [t.keyword, t.string, t.number, t.comment, t.function, t.kind, t.property];
    for style in words.into_iter().chain(code) {
        assert!(legible(style), "{style:?}");
    }
    assert!(code.iter().all(|style| style.fg.is_none_or(|colour| Some(colour) != theme.accent.fg)));
}

#[test]
fn mono_has_no_colour_at_all() {
    let theme = Theme::new(Palette::Mono, false);
    for (name, style) in readable(&theme) {
        assert_eq!((style.fg, style.bg), (None, None), "{name}");
    }
    assert_eq!((theme.selection.bg, theme.cursor_line.bg), (None, None));
}

#[test]
fn parts_are_told_apart_without_colour() {
    let theme = Theme::new(Palette::Mono, true);
    let tags: Vec<_> = (0..5).map(|part| theme.part(part).raised).collect();
    assert_eq!(tags, ["]1", "]2", "]3", "]4", "]5"]);
    assert!(theme.part(2).style.add_modifier.contains(Modifier::UNDERLINED));
}

#[test]
fn ascii_glyphs_are_ascii() {
    let glyphs = format!("{:?}", Glyphs::ASCII);
    assert!(glyphs.is_ascii(), "{glyphs}");
}

#[test]
fn the_palette_follows_the_environment() {
    let detect = |pairs: &[(&str, &str)]| {
        Palette::detect(|name| {
            pairs.iter().find(|(known, _)| *known == name).map(|(_, value)| value.to_string())
        })
    };
    assert_eq!(detect(&[("TERM", "xterm-256color")]), Palette::Dark);
    assert_eq!(detect(&[("TERM", "xterm-256color"), ("COLORFGBG", "0;15")]), Palette::Light);
    assert_eq!(detect(&[("TERM", "xterm-256color"), ("NO_COLOR", "1")]), Palette::Mono);
    assert_eq!(detect(&[("TERM", "xterm-256color"), ("NO_COLOR", "")]), Palette::Dark);
    assert_eq!(detect(&[("TERM", "xterm"), ("COLORTERM", "truecolor")]), Palette::Dark);
    assert_eq!(detect(&[("TERM", "linux")]), Palette::Sixteen);
    assert_eq!(detect(&[("TERM", "dumb")]), Palette::Mono);
    assert_eq!(Palette::named("light"), Some(Palette::Light));
    assert_eq!(Palette::named("lihgt"), None);
}
