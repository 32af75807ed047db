//! The glyphs that the program draws itself, in Unicode or ASCII.

use ratatui::symbols::border;

/// A set of glyphs. Each string is one column wide unless it says otherwise.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Glyphs {
    /// Frames.
    pub border: border::Set<'static>,
    /// A horizontal rule.
    pub rule: &'static str,
    /// The bar left of a quote.
    pub quote: &'static str,
    /// Bullets of lists, by depth.
    pub bullets: [&'static str; 3],
    /// Covered, done, right.
    pub good: &'static str,
    /// Partly there.
    pub partial: &'static str,
    /// Missing, wrong.
    pub missing: &'static str,
    /// Not yet begun.
    pub untouched: &'static str,
    /// What needs attention.
    pub warning: &'static str,
    /// The chosen row of a list, the cursor line.
    pub pointer: &'static str,
    /// Before the second and later rows of a wrapped code line.
    pub continued: &'static str,
    /// At the end of a line that was cut.
    pub cut: &'static str,
    /// More above.
    pub up: &'static str,
    /// More below.
    pub down: &'static str,
    /// To the left.
    pub left: &'static str,
    /// To the right, and "leads to".
    pub right: &'static str,
    /// Between the steps of the way to a page.
    pub crumb: &'static str,
    /// Where a value stands on its track.
    pub knob: &'static str,
    /// What one thought, against [`Glyphs::knob`] as what is; and both in one place.
    pub thought: (&'static str, &'static str),
    /// The filled part of a bar.
    pub bar_full: &'static str,
    /// The empty part of a bar.
    pub bar_empty: &'static str,
    /// A column of a small chart, from lowest to highest.
    pub levels: [&'static str; 8],
    /// Fills that differ in shape, for series that must be told apart without colour.
    pub fills: [&'static str; 6],
    /// Beside a block of lines: its first row, and the others.
    pub block: (&'static str, &'static str),
    /// The same for the block under the cursor.
    pub block_active: (&'static str, &'static str),
    /// The track and the thumb of a scroll bar.
    pub scroll: (&'static str, &'static str),
    /// A separator between short items, with a space on each side.
    pub separator: &'static str,
    /// Before marked words, where an underline alone may not show: empty or a bracket.
    pub mark_open: &'static str,
    /// Behind marked words: raised digits 1 to 9, or a closing bracket with the digit.
    pub raised: [&'static str; 9],
    /// From weak to strong, where a share is a shade.
    pub shades: [&'static str; 4],
    /// Behind words that are wrong.
    pub raised_wrong: &'static str,
}

impl Glyphs {
    /// Whether these are the ASCII ones.
    pub fn is_ascii(&self) -> bool {
        self.rule.is_ascii()
    }

    /// For terminals that draw Unicode.
    pub const UNICODE: Glyphs = Glyphs {
        border: border::ROUNDED,
        rule: "─",
        quote: "▌",
        bullets: ["•", "◦", "▪"],
        good: "✓",
        partial: "◐",
        missing: "✗",
        untouched: "·",
        warning: "!",
        pointer: "▸",
        continued: "↪",
        cut: "…",
        up: "↑",
        down: "↓",
        left: "←",
        right: "→",
        crumb: "›",
        knob: "●",
        thought: ("○", "◉"),
        bar_full: "━",
        bar_empty: "╌",
        levels: ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"],
        fills: ["█", "▓", "▒", "░", "▚", "╳"],
        block: ("┌", "│"),
        block_active: ("┏", "┃"),
        scroll: ("│", "┃"),
        separator: " · ",
        shades: ["░", "▒", "▓", "█"],
        mark_open: "",
        raised_wrong: "✗",
        raised: ["¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"],
    };

    /// For terminals and people who want ASCII.
    pub const ASCII: Glyphs = Glyphs {
        border: border::Set {
            top_left: "+",
            top_right: "+",
            bottom_left: "+",
            bottom_right: "+",
            vertical_left: "|",
            vertical_right: "|",
            horizontal_top: "-",
            horizontal_bottom: "-",
        },
        rule: "-",
        quote: "|",
        bullets: ["*", "-", "+"],
        good: "+",
        partial: "~",
        missing: "x",
        untouched: ".",
        warning: "!",
        pointer: ">",
        continued: "\\",
        cut: ">",
        up: "^",
        down: "v",
        left: "<",
        right: ">",
        crumb: ">",
        knob: "o",
        thought: ("?", "@"),
        bar_full: "#",
        bar_empty: ".",
        levels: [".", ".", ":", ":", "=", "=", "#", "#"],
        fills: ["#", "=", "+", "-", "%", "x"],
        block: (",", "|"),
        block_active: ("#", "#"),
        scroll: ("|", "#"),
        separator: " - ",
        shades: [".", ":", "o", "#"],
        mark_open: "[",
        raised_wrong: "]x",
        raised: ["]1", "]2", "]3", "]4", "]5", "]6", "]7", "]8", "]9"],
    };
}
