//! Rows of cells, and grids of shares.

use std::ops::Range;

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::super::theme::Theme;
use super::super::wrap::{self, Hanging, Styled};
use super::super::{bar, table};
use super::Spot;
use super::layout::{LINE, Layout, Margin, clip};
use crate::doc::{Cell, Heat, HeatCell, Judged, Piece, Role, Row, Rows};

/// Columns that a list has, however wide the pane, unless its words need more.
const LIST: usize = 76;

/// Columns before rows of which one can be chosen: the pointer and a blank.
pub(super) const LEAD: usize = 2;

pub(super) fn draw(layout: &mut Layout, rows: &Rows, margin: &mut Margin) {
    let theme = layout.theme;
    let chosen = rows.rows.iter().any(|row| row.leads);
    let lead = if chosen { LEAD } else { 0 };
    let room = layout.width.saturating_sub(margin.columns() + lead);
    let blanks = || Span::raw(" ".repeat(lead));
    let mut tall = tall(rows, room, theme).into_iter();
    let is_titled = rows.columns.iter().any(|column| !column.title.is_empty());
    if let Some(head) = tall.next().filter(|_| is_titled) {
        for line in head {
            layout.emit(std::iter::once(blanks()).chain(line.spans).collect(), margin);
        }
    }
    let fitted = fitted(rows, room, theme);
    if !fitted.head.spans.is_empty() {
        layout.emit(std::iter::once(blanks()).chain(fitted.head.spans.clone()).collect(), margin);
    }
    let mut in_columns = fitted.rows.into_iter();
    let (top, mut choices) = (layout.out.lines.len(), Vec::new());
    for row in rows.rows.iter().filter(|row| !row.is_heard()) {
        let start = layout.out.lines.len();
        match kind(row) {
            Kind::Wrapped => {
                for line in wrapped(row, room.min(LINE), theme) {
                    layout.emit(std::iter::once(blanks()).chain(line.spans).collect(), margin);
                }
            }
            Kind::Alone => {
                let line = row.cells.first().map(|cell| line(cell, theme)).unwrap_or_default();
                // what leads nowhere is a head: it stands out where the pointer stands
                let (indent, room) = if row.leads { (blanks(), room) } else { (Span::raw(""), room + lead) };
                let line = wrap::cut_line(&line, room, theme.glyphs.cut);
                layout.emit(std::iter::once(indent).chain(line.spans).collect(), margin);
            }
            Kind::Tall => {
                for line in tall.next().unwrap_or_default() {
                    layout.emit(std::iter::once(blanks()).chain(line.spans).collect(), margin);
                }
            }
            Kind::Columns => {
                let line = in_columns.next().unwrap_or_default();
                layout.emit(std::iter::once(blanks()).chain(line.spans).collect(), margin);
            }
        }
        for below in &row.below {
            let line = wrap::cut_line(&line(below, theme), room.saturating_sub(2), theme.glyphs.cut);
            let blanks = Span::raw(" ".repeat(lead + 2));
            layout.emit(std::iter::once(blanks).chain(line.spans).collect(), margin);
        }
        if row.leads {
            choices.push(start..layout.out.lines.len());
        }
    }
    // all rows are as wide as the widest
    let widest = layout.out.lines[top..].iter().map(Line::width).max().unwrap_or(0);
    let least = if layout.heads_pair { layout.width } else { layout.width.min(LIST + lead) };
    let columns = clip(margin.columns())..clip(widest.max(least));
    let spots = |rows: Range<usize>| rows.map(|row| Spot { row, columns: columns.clone() }).collect();
    layout.out.choices.extend(choices.into_iter().map(spots));
}

/// How a row is set.
enum Kind {
    /// In the columns of the block.
    Columns,
    /// One cell, over all columns.
    Alone,
    /// A text that wraps, behind the cells before it.
    Wrapped,
    /// In columns, each cell wrapped.
    Tall,
}

fn kind(row: &Row) -> Kind {
    match row.cells.len() {
        _ if row.tall => Kind::Tall,
        _ if row.wraps => Kind::Wrapped,
        0 | 1 => Kind::Alone,
        _ => Kind::Columns,
    }
}

/// Where words would be wrapped to fewer columns than this, the cells of a tall row stand one below the other.
const TALL: usize = 24;

/// From so many columns on a brief row has as many lines as it needs.
const WIDE: usize = 90;

/// The lines of the titles, then those of each row whose cells wrap; nothing where there is no such row.
fn tall(rows: &Rows, room: usize, theme: &Theme) -> Vec<Vec<Line<'static>>> {
    let tall: Vec<&Row> = rows.rows.iter().filter(|row| row.tall).collect();
    if tall.is_empty() {
        return Vec::new();
    }
    let title = |at: usize| rows.columns.get(at).map_or("", |column| column.title.as_str());
    let count = tall.iter().map(|row| row.cells.len()).max().unwrap_or(0);
    let natural = |at: usize| {
        let cells = tall.iter().filter_map(|row| row.cells.get(at));
        cells.map(|cell| line(cell, theme).width()).max().unwrap_or(0).max(wrap::width(title(at)))
    };
    let gaps = GAP * count.saturating_sub(1);
    let natural: Vec<usize> = (0..count).map(natural).collect();
    let widths = table::shrunk(natural.clone(), room.saturating_sub(gaps));
    if widths.iter().zip(&natural).any(|(width, natural)| width < natural && *width < TALL) {
        let mut all = vec![Vec::new()];
        all.extend(tall.iter().map(|row| stacked(row, title, room, theme)));
        return all;
    }
    let head: Vec<Line> = (0..count).map(|at| Line::styled(title(at).to_owned(), theme.dim)).collect();
    let cells = tall.iter().map(|row| row.cells.iter().map(|cell| line(cell, theme)).collect());
    let all: Vec<Vec<Line>> = std::iter::once(head).chain(cells).collect();
    let brief = std::iter::once(false).chain(tall.iter().map(|row| row.brief && room < WIDE));
    let right: Vec<bool> = (0..count).map(|at| rows.columns.get(at).is_some_and(|c| c.right)).collect();
    let cut = |cells: &Vec<Line<'static>>| -> Vec<Line<'static>> {
        cells
            .iter()
            .zip(&widths)
            .map(|(cell, width)| wrap::cut_line(cell, *width, theme.glyphs.cut))
            .collect()
    };
    let rows = all.iter().zip(brief);
    rows.map(|(cells, brief)| match brief {
        true => side_by_side(&cut(cells), (&widths, &right)),
        false => side_by_side(cells, (&widths, &right)),
    })
    .collect()
}

/// Cells in columns of these widths, each wrapped; numbers are set flush right.
fn side_by_side(cells: &[Line<'static>], (widths, right): (&[usize], &[bool])) -> Vec<Line<'static>> {
    let lay = |(cell, width): (&Line<'static>, &usize)| styled(cell).wrap(&Hanging::none(), *width);
    let cells: Vec<Vec<Line>> = cells.iter().zip(widths).map(lay).collect();
    let height = cells.iter().map(Vec::len).max().unwrap_or(0);
    let row = |nth: usize| {
        let mut spans = Vec::new();
        for (at, (cell, width)) in cells.iter().zip(widths).enumerate() {
            let line = cell.get(nth).cloned().unwrap_or_default();
            let blanks = width.saturating_sub(line.width());
            let before = if right[at] { blanks } else { 0 };
            spans.push(Span::raw(" ".repeat(before)));
            spans.extend(line.spans);
            if at + 1 < cells.len() {
                spans.push(Span::raw(" ".repeat(blanks - before + GAP)));
            }
        }
        Line::from(spans)
    };
    (0..height).map(row).collect()
}

/// The first cell before the second, the others below it behind the titles of their columns.
fn stacked<'a>(
    row: &Row,
    title: impl Fn(usize) -> &'a str,
    room: usize,
    theme: &Theme,
) -> Vec<Line<'static>> {
    let Some((first, rest)) = row.cells.split_first() else { return Vec::new() };
    let mut lead = line(first, theme).spans;
    let width: usize = lead.iter().map(|span| wrap::width(&span.content)).sum::<usize>() + 1;
    lead.push(Span::raw(" "));
    let blanks = vec![Span::raw(" ".repeat(width))];
    let mut out = Vec::new();
    for (at, cell) in rest.iter().enumerate() {
        let cell = line(cell, theme);
        if at > 0 && cell.width() == 0 {
            continue;
        }
        let label = if at > 0 { title(at + 1) } else { "" };
        let mut styled_cell = Styled::new();
        if !label.is_empty() {
            styled_cell.push(&format!("{label}: "), theme.dim);
        }
        for span in cell.spans {
            styled_cell.push(&span.content, span.style);
        }
        let first = if at == 0 { lead.clone() } else { blanks.clone() };
        out.extend(styled_cell.wrap(&Hanging { first, rest: blanks.clone() }, room));
    }
    out
}

/// A line as words that can be wrapped.
fn styled(line: &Line<'static>) -> Styled {
    let mut styled = Styled::new();
    for span in &line.spans {
        styled.push(&span.content, line.style.patch(span.style));
    }
    styled
}

fn fitted(rows: &Rows, room: usize, theme: &Theme) -> table::Fitted {
    let in_columns = || rows.rows.iter().filter(|row| matches!(kind(row), Kind::Columns));
    let count = in_columns().map(|row| row.cells.len()).max().unwrap_or(0);
    let column = |at: usize| match rows.columns.get(at) {
        Some(column) => table::Column { title: column.title.clone(), right: column.right },
        None => table::Column::default(),
    };
    let mut table = table::Table {
        columns: (0..count).map(column).collect(),
        rows: in_columns().map(|row| row.cells.iter().map(|c| line(c, theme)).collect()).collect(),
    };
    cut_last(&mut table, room, theme);
    // the numbers of a list end where its rows do, whatever stands before them
    let is_list = rows.rows.iter().any(|row| row.leads) && rows.columns.last().is_some_and(|c| c.right);
    let table = if is_list { table.stretched(room.min(LIST)) } else { table };
    table.fit(room, theme)
}

/// The last column gives way first, as long as a quarter of the room is left to it: what a row is stands
/// before what is said of it.
fn cut_last(table: &mut table::Table, room: usize, theme: &Theme) {
    let Some(last) = table.columns.len().checked_sub(1) else { return };
    let width = |at: usize| {
        let cells = table.rows.iter().filter_map(|row| row.get(at));
        let title = wrap::width(&table.columns[at].title);
        cells
            .map(|line| line.spans.iter().map(|s| wrap::width(&s.content)).sum())
            .max()
            .unwrap_or(0)
            .max(title)
    };
    let others: usize = (0..last).map(|at| width(at) + GAP).sum();
    let left = room.saturating_sub(others);
    if left >= room / 4 {
        for cell in table.rows.iter_mut().filter_map(|row| row.get_mut(last)) {
            *cell = wrap::cut_line(cell, left, theme.glyphs.cut);
        }
    }
}

/// Blanks between columns.
const GAP: usize = 2;

/// The columns before the text of a wrapped row that has cells before it.
const LABEL: usize = 21;

/// Fewer columns than this are a mark and a number.
const NUMBER: usize = 5;

/// The last cell wrapped; those before it lead its first line.
fn wrapped(row: &Row, room: usize, theme: &Theme) -> Vec<Line<'static>> {
    let Some((text, labels)) = row.cells.split_last() else {
        return Vec::new();
    };
    if labels.is_empty() {
        return hung(text, room, theme);
    }
    let mut styled = Styled::new();
    for span in line(text, theme).spans {
        styled.push(&span.content, span.style);
    }
    let mut first: Vec<Span<'static>> = labels.iter().flat_map(|cell| line(cell, theme).spans).collect();
    let width: usize = first.iter().map(|span| wrap::width(&span.content)).sum();
    // a number needs no column of its own, and what is set in already has one
    let is_set_in = first.first().is_some_and(|span| span.content.starts_with(' '));
    let label = if width < NUMBER || is_set_in { width + 1 } else { LABEL };
    first.push(Span::raw(" ".repeat(label.saturating_sub(width).max(1))));
    let width = width.max(label - 1) + 1;
    styled.wrap(&Hanging { first, rest: vec![Span::raw(" ".repeat(width))] }, room)
}

/// A cell wrapped under its first word: what is set in, a mark or a number before it stands alone.
fn hung(cell: &Cell, room: usize, theme: &Theme) -> Vec<Line<'static>> {
    let line = line(cell, theme);
    let text: String = line.spans.iter().map(|span| span.content.as_ref()).collect();
    let lead = lead(&text, matches!(cell.pieces.first(), Some(Piece::Mark(_))));
    let (mut first, mut rest, mut left) = (Vec::new(), Styled::new(), lead);
    for span in line.spans {
        let (before, after) = span.content.split_at(left.min(span.content.len()));
        if !before.is_empty() {
            first.push(Span::styled(before.to_owned(), span.style));
        }
        rest.push(after, span.style);
        left -= before.len();
    }
    let blanks = vec![Span::raw(" ".repeat(wrap::width(&text[..lead])))];
    rest.wrap(&Hanging { first, rest: blanks }, room)
}

/// The bytes before the first word: blanks, a mark, `1)`, `[2]`, `4.`, and the blanks behind it.
fn lead(text: &str, has_mark: bool) -> usize {
    let blanks = |from: usize| text.len() - text[from..].trim_start_matches(' ').len();
    let start = blanks(0);
    let word = text[start..].split(' ').next().unwrap_or("");
    let is_number = |word: &str| !word.is_empty() && word.chars().all(|c| c.is_ascii_digit());
    let is_box = word.starts_with('[') && word.len() <= 4 || text[start..].starts_with("[ ] ");
    let is_label = word.strip_suffix(['.', ')']).is_some_and(is_number);
    match () {
        () if text[start..].starts_with("[ ] ") => blanks(start + 3),
        () if start == 0 && has_mark || is_label || is_box => blanks(start + word.len()),
        () => start,
    }
}

/// A cell in one line.
pub(super) fn line(cell: &Cell, theme: &Theme) -> Line<'static> {
    Line::from(cell.pieces.iter().flat_map(|piece| spans(piece, theme)).collect::<Vec<_>>())
}

fn spans(piece: &Piece, theme: &Theme) -> Vec<Span<'static>> {
    match piece {
        Piece::Words(words, role) => vec![Span::styled(words.clone(), style(*role, theme))],
        Piece::Mark(judged) => vec![mark(*judged, theme)],
        Piece::Meter(share, columns) => bar::meter(*share, usize::from(*columns), theme.text, theme),
        Piece::Trend(values) => vec![bar::trend(values, theme)],
        Piece::Between(thought, is, columns) => bar::between(*thought, *is, usize::from(*columns), theme),
    }
}

/// The look of a role.
pub fn style(role: Role, theme: &Theme) -> Style {
    match role {
        Role::Text => theme.text,
        Role::Dim => theme.dim,
        Role::Strong => theme.strong,
        Role::Accent => theme.accent,
        Role::Tab => theme.accent.patch(theme.link).patch(theme.strong),
        Role::Good => theme.words.good,
        Role::Partial => theme.words.partial,
        Role::Missing => theme.words.missing,
        Role::Warning => theme.warning,
    }
}

fn mark(judged: Judged, theme: &Theme) -> Span<'static> {
    let glyphs = &theme.glyphs;
    match judged {
        Judged::Covered => Span::styled(glyphs.good, theme.good),
        Judged::Partial => Span::styled(glyphs.partial, theme.partial),
        Judged::Missing => Span::styled(glyphs.missing, theme.missing),
        Judged::Untouched => Span::styled(glyphs.untouched, theme.dim),
    }
}

/// Columns of a cell of a grid, and where there is little room.
const HEAT: (usize, usize) = (14, 6);
/// The title of a row keeps this many columns.
const TITLE: usize = 30;

pub(super) fn heat(layout: &mut Layout, heat: &Heat, margin: &mut Margin) {
    let theme = layout.theme;
    let room = layout.width.saturating_sub(margin.columns() + LEAD);
    // as wide as its names, so that the numbers stand where they belong
    let names = heat.rows.iter().map(|row| wrap::width(&row.title) + 2).max().unwrap_or(0);
    let notes = Notes::of(heat, room.saturating_sub(names + NOTED * heat.columns.len()));
    let room = room - notes.width();
    let wide = TITLE + HEAT.0 * heat.columns.len() <= room;
    let cell = match notes.widths.is_empty() {
        // what is beside them takes only what whole names leave
        false => ((room - names) / heat.columns.len().max(1)).clamp(NOTED, HEAT.0),
        true if wide => HEAT.0,
        true => HEAT.1,
    };
    let wide = wide && cell == HEAT.0;
    let title = room.saturating_sub(cell * heat.columns.len()).min(names);
    let mut head = vec![Span::raw(" ".repeat(LEAD + title))];
    for (long, short) in &heat.columns {
        let name = wrap::cut(if wide { long } else { short }, cell - 1, theme.glyphs.cut);
        head.push(Span::styled(format!(" {name:^0$}", cell - 1), theme.dim));
    }
    head.extend(notes.spans(&heat.notes, theme));
    layout.emit(head, margin);
    for row in &heat.rows {
        let at = layout.out.lines.len();
        let name = wrap::cut(&row.title, title.saturating_sub(1), theme.glyphs.cut);
        let blanks = title.saturating_sub(wrap::width(&name));
        let mut spans = vec![Span::raw(" ".repeat(LEAD)), Span::styled(name, theme.text)];
        spans.push(Span::raw(" ".repeat(blanks)));
        for (nth, share) in row.cells.iter().enumerate() {
            let (text, style) = heat_cell(share, wide, theme);
            // a blank on both sides, so that grounds do not touch
            spans.push(Span::raw(" "));
            spans.push(Span::styled(format!("{text:^0$}", cell - 1), style));
            let from = clip(margin.columns() + LEAD + title + nth * cell + 1);
            layout.out.choices.push(vec![Spot { row: at, columns: from..from + clip(cell - 1) }]);
        }
        spans.extend(notes.spans(&row.notes, theme));
        layout.emit(spans, margin);
    }
}

/// Columns that a cell of a grid keeps where notes stand beside it.
const NOTED: usize = 7;
/// Blanks before a note.
const BEFORE: usize = 2;

/// The notes beside the rows of a grid: how wide each of their columns is.
struct Notes {
    widths: Vec<usize>,
}

impl Notes {
    /// All of them where they fit, else none.
    fn of(heat: &Heat, room: usize) -> Notes {
        let width = |at: usize| {
            let notes = heat.rows.iter().filter_map(|row| row.notes.get(at));
            notes.chain(heat.notes.get(at)).map(|note| wrap::width(note) + BEFORE).max().unwrap_or(0)
        };
        let notes = Notes { widths: (0..heat.notes.len()).map(width).collect() };
        if notes.width() <= room { notes } else { Notes { widths: Vec::new() } }
    }

    fn width(&self) -> usize {
        self.widths.iter().sum()
    }

    fn spans(&self, notes: &[String], theme: &Theme) -> Vec<Span<'static>> {
        let notes = self.widths.iter().zip(notes);
        notes.map(|(width, note)| Span::styled(format!("{note:>width$}"), theme.dim)).collect()
    }
}

/// A share as a number on its ground, or behind its shade, with the way it goes.
fn heat_cell(cell: &HeatCell, wide: bool, theme: &Theme) -> (String, Style) {
    let Some(share) = cell.share else {
        return (theme.glyphs.untouched.to_owned(), theme.faint);
    };
    let step = STEPS.iter().filter(|from| share >= **from).count();
    let trend = match cell.trend {
        1.. => theme.glyphs.up,
        0 => " ",
        _ => theme.glyphs.down,
    };
    let number = share * 100.0;
    match theme.heat {
        Some(steps) => (format!("{number:>3.0}{trend}"), steps[step]),
        None => {
            let (shade, blank) = (theme.glyphs.shades[step], if wide { " " } else { "" });
            (format!("{shade}{blank}{number:>3.0}{blank}{trend}"), theme.text)
        }
    }
}

/// Where the second, third and fourth step of a share begin.
const STEPS: [f64; 3] = [0.4, 0.7, 0.9];
