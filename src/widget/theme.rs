//! What things look like: styles by role, and the glyphs beside them.
//!
//! The dark and light palettes use the fixed part of the 256-colour table, so they look the
//! same over SSH and in tmux. No style fills a background, except selection and cursor line.

use ratatui::style::{Color, Modifier, Style};

pub use glyphs::Glyphs;

mod glyphs;

/// Which colours there are to draw with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Palette {
    /// 256 colours on a dark background.
    Dark,
    /// 256 colours on a light background.
    Light,
    /// The sixteen colours of the terminal, whatever its owner made of them.
    Sixteen,
    /// No colour: bold, dim, underlined and reversed only.
    Mono,
}

impl Palette {
    /// Every palette, with the name by which a person asks for it.
    pub const NAMES: [(&'static str, Palette); 4] = [
        ("dark", Palette::Dark),
        ("light", Palette::Light),
        ("16", Palette::Sixteen),
        ("mono", Palette::Mono),
    ];

    /// The palette of that name.
    pub fn named(name: &str) -> Option<Palette> {
        Palette::NAMES.iter().find(|(known, _)| *known == name).map(|(_, palette)| *palette)
    }

    /// The palette that fits the environment, read through `variable`: `NO_COLOR` and a dumb
    /// terminal want none, `COLORFGBG` tells a light background, `TERM` and `COLORTERM` tell
    /// how many colours there are.
    pub fn detect(variable: impl Fn(&str) -> Option<String>) -> Palette {
        let term = variable("TERM").unwrap_or_default();
        if variable("NO_COLOR").is_some_and(|value| !value.is_empty()) || term == "dumb" {
            return Palette::Mono;
        }
        let many = ["256color", "kitty", "alacritty", "ghostty", "wezterm", "foot", "direct"];
        let rich = many.iter().any(|name| term.contains(name))
            || variable("COLORTERM").is_some_and(|value| !value.is_empty());
        let light = variable("COLORFGBG")
            .and_then(|value| value.rsplit(';').next().map(|ground| matches!(ground, "7" | "15")));
        match (rich, light) {
            (false, _) => Palette::Sixteen,
            (true, Some(true)) => Palette::Light,
            (true, _) => Palette::Dark,
        }
    }
}

/// The mark of one part of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PartMark {
    /// How its words look: its colour, underlined.
    pub style: Style,
    /// How its name looks: its colour alone.
    pub name: Style,
    /// The digit that stands for it, where colour cannot be relied on.
    pub digit: char,
    /// The same behind marked words: `²`, or `]2` in ASCII, where [`Glyphs::mark_open`] opens.
    pub raised: &'static str,
}

/// How words in the colour of a mark look: plain where nobody knows whether the colour is legible.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MarkWords {
    /// Covered, passed, right.
    pub good: Style,
    /// Partly there.
    pub partial: Style,
    /// Missing, wrong.
    pub missing: Style,
}

/// How code looks, by the role of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CodeStyles {
    /// Words of the language.
    pub keyword: Style,
    /// Quoted text.
    pub string: Style,
    /// Numbers and named constants.
    pub number: Style,
    /// Comments.
    pub comment: Style,
    /// Names that are called or defined.
    pub function: Style,
    /// Names of types and classes.
    pub kind: Style,
    /// Keys, fields and attributes.
    pub property: Style,
    /// Brackets, commas and operators.
    pub punctuation: Style,
    /// Headings in a document.
    pub heading: Style,
}

/// How everything looks. A plain value: build it once, pass it by reference.
#[derive(Debug, Clone, PartialEq)]
pub struct Theme {
    /// The palette it was built from.
    pub palette: Palette,
    /// Borders, bullets, marks, bars and arrows.
    pub glyphs: Glyphs,
    /// Running text.
    pub text: Style,
    /// What may be overlooked.
    pub dim: Style,
    /// What draws the eye: the active tab, the key in a hint.
    pub accent: Style,
    /// Headings and titles.
    pub heading: Style,
    /// Emphasised words.
    pub emphasis: Style,
    /// Strongly emphasised words.
    pub strong: Style,
    /// Code within a sentence, and code without a known language.
    pub code: Style,
    /// Glossary terms.
    pub term: Style,
    /// Links.
    pub link: Style,
    /// Covered, passed, right.
    pub good: Style,
    /// Partly there.
    pub partial: Style,
    /// Missing, wrong.
    pub missing: Style,
    /// Words in the colours of marks.
    pub words: MarkWords,
    /// A chosen row, or selected text. Fills the background.
    pub selection: Style,
    /// The line that the cursor is on. Patched over the line's own styles.
    pub cursor_line: Style,
    /// Rules between panes, tracks of bars, line numbers: ornament alone.
    pub faint: Style,
    /// The ground of what stands over a page. Fills the background.
    pub paper: Style,
    /// Frames.
    pub border: Style,
    /// The frame of the pane that has the keys.
    pub border_active: Style,
    /// What needs attention.
    pub warning: Style,
    /// The clock when time runs short.
    pub clock_amber: Style,
    /// The clock when time is nearly over, or over.
    pub clock_red: Style,
    /// Steps of a share as the ground of its cell, from weak to strong. None where colours are too few: then a shade
    /// stands before the number.
    pub heat: Option<[Style; 4]>,
    /// Tokens of code.
    pub tokens: CodeStyles,
    /// Hues of figures: none is that of a mark or of what acts. Pair them with [`Glyphs::fills`]. The sixth is the loud one.
    pub series: [Style; 8],
    parts: [Style; 5],
}

impl Palette {
    /// Its name, as `--theme` takes it.
    pub fn name(self) -> &'static str {
        Palette::NAMES.iter().find(|(_, palette)| *palette == self).map_or("dark", |(name, _)| *name)
    }
}

impl Theme {
    /// The theme of a palette. `ascii` keeps to ASCII for everything that the program draws itself.
    pub fn new(palette: Palette, ascii: bool) -> Theme {
        let glyphs = if ascii { Glyphs::ASCII } else { Glyphs::UNICODE };
        match palette {
            Palette::Dark => coloured(palette, glyphs, &DARK),
            Palette::Light => coloured(palette, glyphs, &LIGHT),
            Palette::Sixteen => coloured(palette, glyphs, &SIXTEEN),
            Palette::Mono => mono(glyphs),
        }
    }

    /// The mark of the part at `index` in the pack's list of parts.
    pub fn part(&self, index: usize) -> PartMark {
        let name = self.parts[index % self.parts.len()];
        PartMark {
            style: name.add_modifier(Modifier::UNDERLINED),
            name,
            digit: char::from_digit((index % 9) as u32 + 1, 10).unwrap_or('9'),
            raised: self.glyphs.raised[index % 9],
        }
    }
}

/// The colours of a palette.
struct Colours {
    dim: Option<Color>,
    accent: Color,
    code: Color,
    good: Color,
    partial: Color,
    missing: Color,
    border: Color,
    faint: Color,
    paper: Option<Color>,
    heat: Option<[(Color, Color); 4]>,
    selection: Option<(Color, Color)>,
    cursor_line: Option<Color>,
    keyword: Color,
    string: Color,
    number: Color,
    function: Color,
    kind: Color,
    /// None where colours are too few to keep them apart from those of marks: digit and underline are enough.
    parts: Option<[Color; 5]>,
    series: [Color; 8],
}

const fn indexes<const N: usize>(numbers: [u8; N]) -> [Color; N] {
    let mut colours = [Color::Reset; N];
    let mut at = 0;
    while at < N {
        colours[at] = Color::Indexed(numbers[at]);
        at += 1;
    }
    colours
}

/// Pairs of what is written and its ground.
const fn steps<const N: usize>(numbers: [(u8, u8); N]) -> [(Color, Color); N] {
    let mut pairs = [(Color::Reset, Color::Reset); N];
    let mut at = 0;
    while at < N {
        pairs[at] = (Color::Indexed(numbers[at].0), Color::Indexed(numbers[at].1));
        at += 1;
    }
    pairs
}

const DARK: Colours = Colours {
    dim: Some(Color::Indexed(247)),
    accent: Color::Indexed(110),
    code: Color::Indexed(180),
    good: Color::Indexed(114),
    partial: Color::Indexed(221),
    missing: Color::Indexed(210),
    border: Color::Indexed(242),
    faint: Color::Indexed(239),
    paper: Some(Color::Indexed(235)),
    heat: Some(steps([(252, 237), (231, 24), (16, 67), (16, 153)])),
    selection: Some((Color::Indexed(231), Color::Indexed(24))),
    cursor_line: Some(Color::Indexed(236)),
    keyword: Color::Indexed(183),
    string: Color::Indexed(150),
    number: Color::Indexed(216),
    function: Color::Indexed(117),
    kind: Color::Indexed(152),
    parts: Some(indexes([183, 117, 218, 187, 147])),
    series: indexes([73, 216, 183, 187, 251, 212, 147, 159]),
};

const LIGHT: Colours = Colours {
    dim: Some(Color::Indexed(241)),
    accent: Color::Indexed(24),
    code: Color::Indexed(58),
    good: Color::Indexed(22),
    partial: Color::Indexed(94),
    missing: Color::Indexed(124),
    border: Color::Indexed(245),
    faint: Color::Indexed(250),
    paper: Some(Color::Indexed(255)),
    heat: Some(steps([(16, 255), (16, 153), (16, 110), (231, 24)])),
    selection: Some((Color::Indexed(16), Color::Indexed(153))),
    cursor_line: Some(Color::Indexed(254)),
    keyword: Color::Indexed(90),
    string: Color::Indexed(23),
    number: Color::Indexed(58),
    function: Color::Indexed(18),
    kind: Color::Indexed(60),
    parts: Some(indexes([55, 25, 125, 59, 60])),
    series: indexes([23, 58, 55, 59, 60, 126, 19, 52]),
};

/// Of sixteen colours nobody knows how they look, nor on what ground: magenta is legible on black and on white. The
/// colours of marks are for glyphs alone there, words beside them are plain.
const SIXTEEN: Colours = Colours {
    dim: None,
    accent: Color::Magenta,
    code: Color::Reset,
    good: Color::Green,
    partial: Color::Yellow,
    missing: Color::Red,
    border: Color::Reset,
    faint: Color::DarkGray,
    paper: None,
    heat: None,
    selection: None,
    cursor_line: None,
    keyword: Color::Reset,
    string: Color::Reset,
    number: Color::Reset,
    function: Color::Reset,
    kind: Color::Reset,
    parts: None,
    series: [
        Color::LightBlue,
        Color::Cyan,
        Color::Reset,
        Color::DarkGray,
        Color::Reset,
        Color::LightCyan,
        Color::LightBlue,
        Color::Cyan,
    ],
};

fn coloured(palette: Palette, glyphs: Glyphs, colours: &Colours) -> Theme {
    let plain = Style::new();
    let dim = colours.dim.map_or(plain.add_modifier(Modifier::DIM), |colour| plain.fg(colour));
    let accent = plain.fg(colours.accent);
    let underlined = |colour| plain.fg(colour).add_modifier(Modifier::UNDERLINED);
    let is_sure = palette != Palette::Sixteen;
    let bold = |colour| match is_sure {
        true => plain.fg(colour).add_modifier(Modifier::BOLD),
        false => plain.add_modifier(Modifier::BOLD),
    };
    let word = |colour| if is_sure { plain.fg(colour) } else { plain };
    Theme {
        palette,
        glyphs,
        text: plain,
        dim,
        accent,
        heading: plain.add_modifier(Modifier::BOLD),
        emphasis: plain.add_modifier(Modifier::ITALIC),
        strong: plain.add_modifier(Modifier::BOLD),
        code: plain.fg(colours.code),
        term: underlined(colours.accent),
        link: underlined(colours.accent),
        good: plain.fg(colours.good),
        partial: plain.fg(colours.partial),
        missing: plain.fg(colours.missing),
        words: MarkWords {
            good: word(colours.good),
            partial: word(colours.partial),
            missing: word(colours.missing),
        },
        selection: colours
            .selection
            .map_or(plain.add_modifier(Modifier::REVERSED), |(fg, bg)| plain.fg(fg).bg(bg)),
        cursor_line: colours.cursor_line.map_or(plain.add_modifier(Modifier::BOLD), |bg| plain.bg(bg)),
        faint: plain.fg(colours.faint),
        paper: colours.paper.map_or(plain, |bg| plain.bg(bg)),
        border: plain.fg(colours.border),
        border_active: accent,
        warning: bold(colours.partial),
        clock_amber: bold(colours.partial),
        clock_red: bold(colours.missing).add_modifier(if is_sure {
            Modifier::empty()
        } else {
            Modifier::REVERSED
        }),
        heat: colours.heat.map(|steps| steps.map(|(fg, bg)| plain.fg(fg).bg(bg))),
        tokens: token_styles(colours, dim),
        series: colours.series.map(|colour| plain.fg(colour)),
        parts: colours.parts.map_or([plain; 5], |parts| parts.map(|colour| plain.fg(colour))),
    }
}

fn token_styles(colours: &Colours, dim: Style) -> CodeStyles {
    let plain = Style::new();
    CodeStyles {
        keyword: match colours.keyword {
            Color::Reset => plain.add_modifier(Modifier::BOLD),
            colour => plain.fg(colour),
        },
        string: plain.fg(colours.string),
        number: plain.fg(colours.number),
        comment: dim.add_modifier(Modifier::ITALIC),
        function: plain.fg(colours.function),
        kind: plain.fg(colours.kind),
        property: plain.fg(colours.kind),
        punctuation: plain,
        heading: plain.add_modifier(Modifier::BOLD),
    }
}

fn mono(glyphs: Glyphs) -> Theme {
    let plain = Style::new();
    let dim = plain.add_modifier(Modifier::DIM);
    let bold = plain.add_modifier(Modifier::BOLD);
    let underlined = plain.add_modifier(Modifier::UNDERLINED);
    Theme {
        palette: Palette::Mono,
        glyphs,
        text: plain,
        dim,
        accent: bold,
        heading: bold,
        emphasis: plain.add_modifier(Modifier::ITALIC),
        strong: bold,
        code: plain,
        term: underlined,
        link: underlined,
        good: plain,
        partial: plain,
        missing: plain,
        words: MarkWords::default(),
        selection: plain.add_modifier(Modifier::REVERSED),
        cursor_line: bold,
        faint: dim,
        paper: plain,
        border: dim,
        border_active: bold,
        warning: bold,
        clock_amber: bold,
        clock_red: bold.add_modifier(Modifier::REVERSED),
        heat: None,
        tokens: CodeStyles { keyword: bold, comment: dim, heading: bold, ..CodeStyles::default() },
        series: [plain; 8],
        parts: [plain; 5],
    }
}

#[cfg(test)]
mod tests;
