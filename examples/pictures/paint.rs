//! Cells as SVG: text that can be selected and read out, no font and no file from elsewhere.

use std::fmt::Write as _;

use infralens::widget::theme::Palette;
use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};

/// The width and height of a cell.
const CELL: (f64, f64) = (8.0, 17.0);
/// The room around the cells.
const EDGE: f64 = 12.0;

/// Words that stand further apart are drawn one by one.
const GAP: &str = "   ";

/// How cells look that are drawn in one piece.
#[derive(Clone, PartialEq)]
struct Look {
    front: String,
    back: String,
    bold: bool,
    italic: bool,
    underlined: bool,
    struck: bool,
}

/// What the terminal's own two colours are.
struct Ground {
    front: &'static str,
    back: &'static str,
}

/// A picture of a screen; `tells` says what it shows.
pub fn svg(cells: &Buffer, palette: Palette, tells: &str) -> String {
    let ground = match palette {
        Palette::Light => Ground { front: "#1c1c1c", back: "#ffffff" },
        _ => Ground { front: "#d0d0d0", back: "#1c1c1c" },
    };
    let (columns, rows) = (f64::from(cells.area.width), f64::from(cells.area.height));
    let (width, height) = (columns * CELL.0 + 2.0 * EDGE, rows * CELL.1 + 2.0 * EDGE);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" role=\"img\" \
         aria-label=\"{tells}\">\n<title>{tells}</title>\n<rect width=\"{width}\" height=\"{height}\" rx=\"8\" \
         fill=\"{}\"/>\n<g font-family=\"ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace\" \
         font-size=\"13\" fill=\"{}\" xml:space=\"preserve\" style=\"white-space:pre\">\n",
        ground.back, ground.front
    );
    for y in 0..cells.area.height {
        for run in runs(cells, y, &ground) {
            draw(&mut out, &run, y, &ground);
        }
    }
    out.push_str("</g>\n</svg>\n");
    out
}

/// Cells of one row that look alike.
struct Run {
    from: u16,
    columns: u16,
    text: String,
    look: Look,
}

fn runs(cells: &Buffer, y: u16, ground: &Ground) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    let mut x = 0;
    while x < cells.area.width {
        let cell = &cells[(x, y)];
        let columns = u16::try_from(unicode_width::UnicodeWidthStr::width(cell.symbol())).unwrap_or(1).max(1);
        let look = look(cell, ground);
        // a blank has the look of the word before it, as long as the words stand close
        let goes_on = |run: &Run| {
            run.look == look
                || cell.symbol() == " "
                    && run.look.back == look.back
                    && run.look.underlined == look.underlined
        };
        let is_near = |run: &Run| look.underlined || cell.symbol() == " " || !run.text.ends_with(GAP);
        match runs.last_mut() {
            Some(run) if goes_on(run) && is_near(run) => {
                run.text.push_str(cell.symbol());
                run.columns += columns;
            }
            _ => runs.push(Run { from: x, columns, text: cell.symbol().to_owned(), look }),
        }
        x += columns;
    }
    runs
}

fn draw(out: &mut String, run: &Run, y: u16, ground: &Ground) {
    let Run { from, columns, text, look } = run;
    let (x, top) = (EDGE + f64::from(*from) * CELL.0, EDGE + f64::from(y) * CELL.1);
    if look.back != ground.back {
        let width = f64::from(*columns) * CELL.0;
        let _ = writeln!(
            out,
            "<rect x=\"{x}\" y=\"{top}\" width=\"{width}\" height=\"{}\" fill=\"{}\"/>",
            CELL.1, look.back
        );
    }
    let blank = text.chars().all(|c| c == ' ');
    if blank && !look.underlined {
        return;
    }
    // blanks at either end would only make the file longer
    let (text, x, columns) = match look.underlined {
        true => (text.as_str(), x, usize::from(*columns)),
        false => {
            let lead = text.len() - text.trim_start_matches(' ').len();
            let trimmed = text.trim_matches(' ');
            let cut = text.len() - trimmed.len();
            (trimmed, x + lead as f64 * CELL.0, usize::from(*columns) - cut)
        }
    };
    let mut style = String::new();
    if look.front != ground.front {
        let _ = write!(style, " fill=\"{}\"", look.front);
    }
    for (is_so, name) in [
        (look.bold, " font-weight=\"bold\""),
        (look.italic, " font-style=\"italic\""),
        (look.underlined, " text-decoration=\"underline\""),
        (look.struck, " text-decoration=\"line-through\""),
    ] {
        if is_so {
            style.push_str(name);
        }
    }
    let (base, length) = (top + 13.0, columns as f64 * CELL.0);
    let _ = writeln!(
        out,
        "<text x=\"{x}\" y=\"{base}\" textLength=\"{length}\" lengthAdjust=\"spacingAndGlyphs\"{style}>{}</text>",
        escaped(text)
    );
}

fn look(cell: &Cell, ground: &Ground) -> Look {
    let (mut front, mut back) = (colour(cell.fg, ground.front), colour(cell.bg, ground.back));
    if cell.modifier.contains(Modifier::REVERSED) {
        std::mem::swap(&mut front, &mut back);
    }
    if cell.modifier.contains(Modifier::DIM) {
        front = "#8a8a8a".into();
    }
    let has = |modifier| cell.modifier.contains(modifier);
    // what is blank has no look of its own but its ground and a line under it
    let is_blank = cell.symbol() == " ";
    Look {
        front: if is_blank && !has(Modifier::UNDERLINED) { ground.front.into() } else { front },
        back,
        bold: has(Modifier::BOLD) && !is_blank,
        italic: has(Modifier::ITALIC) && !is_blank,
        underlined: has(Modifier::UNDERLINED),
        struck: has(Modifier::CROSSED_OUT),
    }
}

fn colour(colour: Color, own: &str) -> String {
    let names = [
        "#000000", "#cd0000", "#00cd00", "#cdcd00", "#0000ee", "#cd00cd", "#00cdcd", "#e5e5e5", "#7f7f7f",
        "#ff0000", "#00ff00", "#ffff00", "#5c5cff", "#ff00ff", "#00ffff", "#ffffff",
    ];
    let nth = match colour {
        Color::Reset => return own.to_owned(),
        Color::Rgb(r, g, b) => return format!("#{r:02x}{g:02x}{b:02x}"),
        Color::Indexed(nth) => nth,
        Color::Black => 0,
        Color::Red => 1,
        Color::Green => 2,
        Color::Yellow => 3,
        Color::Blue => 4,
        Color::Magenta => 5,
        Color::Cyan => 6,
        Color::Gray => 7,
        Color::DarkGray => 8,
        Color::LightRed => 9,
        Color::LightGreen => 10,
        Color::LightYellow => 11,
        Color::LightBlue => 12,
        Color::LightMagenta => 13,
        Color::LightCyan => 14,
        Color::White => 15,
    };
    match nth {
        0..=15 => names[usize::from(nth)].to_owned(),
        // the cube of six levels, then the greys
        16..=231 => {
            let level = |part: u8| if part == 0 { 0 } else { 55 + 40 * part };
            let cube = nth - 16;
            let (r, g, b) = (level(cube / 36), level(cube / 6 % 6), level(cube % 6));
            format!("#{r:02x}{g:02x}{b:02x}")
        }
        232..=255 => {
            let grey = 8 + 10 * (nth - 232);
            format!("#{grey:02x}{grey:02x}{grey:02x}")
        }
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
