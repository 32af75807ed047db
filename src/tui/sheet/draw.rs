//! How a worksheet looks: the question, the table, what was found.

use std::ops::Range;

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::{Look, Worksheet};
use crate::doc::escape;
use crate::pack::{WorksheetCell, WorksheetRow};
use crate::score::Verdict;
use crate::widget::field::Field;
use crate::widget::markdown::{self, Document};
use crate::widget::wrap::{self, Hanging, Styled};

/// Rows are no longer than this.
const MEASURE: u16 = 110;
/// From here on the question and what was found stand beside the table.
const BESIDE: u16 = 150;
/// What is read beside the table is this wide.
const PROSE: u16 = 76;
/// Blank rows above what stands in the middle.
const ABOVE: usize = 2;
/// What stands where a row has no cell for a column.
const NOT_ASKED: &str = "  not asked";
/// A cell that is typed is at least this wide.
const TYPED: usize = 12;
/// In fewer columns beside a cell no reason is given.
const LEAST_REASON: usize = 20;
/// How a cell is filled that has no choices.
const HOW: &str = "Type your answer; a unit may follow.";
/// A choice that is wider than this is cut.
const WIDEST: usize = 60;
/// Around the text of a cell: pointer, brackets, mark, blanks.
const FRAME: usize = 6;
/// Between the columns of the table.
const GAP: usize = 1;

/// A worksheet laid out.
#[derive(Debug, Default)]
pub struct Laid {
    /// The rows.
    pub rows: Vec<Line<'static>>,
    /// Where the cells are.
    pub spots: Vec<Spot>,
    /// How many rows belong to the cell under the cursor, below its own: its choices, and its answer once it was told.
    pub under: usize,
    /// The first row below the table.
    pub below: usize,
    /// The rows of the question, which stay in view where they leave room enough.
    pub head: usize,
    /// Column and row of the caret.
    pub caret: Option<(usize, usize)>,
}

/// Where a cell is.
#[derive(Debug)]
pub struct Spot {
    /// The row.
    pub row: usize,
    /// The columns.
    pub columns: Range<usize>,
    /// The cell, by its place in reading order.
    pub cell: usize,
}

/// A worksheet, and what is typed into the cell under its cursor.
struct Drawn<'a> {
    sheet: &'a Worksheet,
    typed: &'a Field,
    width: u16,
}

impl std::ops::Deref for Drawn<'_> {
    type Target = Worksheet;

    fn deref(&self) -> &Worksheet {
        self.sheet
    }
}

/// Lays a worksheet out in `width` columns.
pub fn lay(sheet: &Worksheet, typed: &Field, width: u16, look: &Look) -> Laid {
    let beside = width.saturating_sub(PROSE + 3);
    let fits = |width: u16| widths(sheet, width.into()).is_some();
    let is_wide = width >= BESIDE;
    if is_wide && !fits(width.min(MEASURE)) {
        let cells = cells(&Drawn { sheet, typed, width: beside }, look);
        let (question, found) = prose(sheet, PROSE, look);
        return joined((titled(sheet, question, look), found), cells, look);
    }
    let screen = usize::from(width);
    let width = match widths(sheet, width.min(MEASURE).into()) {
        // as wide as its table, and as a text is read
        Some(widths) if is_wide => {
            let table = widths.iter().sum::<usize>() + GAP * (widths.len() - 1);
            u16::try_from(table).unwrap_or(MEASURE).clamp(PROSE, MEASURE)
        }
        _ => width.min(MEASURE),
    };
    let (mut question, found) = prose(sheet, width, look);
    if is_wide {
        question = titled(sheet, question, look);
    }
    question.push(Line::default());
    let mut laid = cells(&Drawn { sheet, typed, width }, look);
    let above = question.len();
    laid.below = above + laid.rows.len();
    question.append(&mut laid.rows);
    laid.rows = question;
    laid.spots.iter_mut().for_each(|spot| spot.row += above);
    laid.caret = laid.caret.map(|(column, row)| (column, row + above));
    if !found.is_empty() {
        laid.rows.push(Line::default());
        laid.rows.extend(found);
    }
    laid.head = above;
    if is_wide {
        centred(&mut laid, screen.saturating_sub(width.into()) / 2);
    }
    laid
}

/// The question under the name of the worksheet.
fn titled(sheet: &Worksheet, question: Vec<Line<'static>>, look: &Look) -> Vec<Line<'static>> {
    let title = Line::styled(escape::line(&sheet.sheet().title).into_owned(), look.theme.heading);
    [title, Line::default()].into_iter().chain(question).collect()
}

/// Moves all of it to the right, and a little down.
fn centred(laid: &mut Laid, indent: usize) {
    for line in &mut laid.rows {
        line.spans.insert(0, Span::raw(" ".repeat(indent)));
    }
    laid.rows.splice(0..0, std::iter::repeat_n(Line::default(), ABOVE));
    for spot in &mut laid.spots {
        spot.row += ABOVE;
        spot.columns = spot.columns.start + indent..spot.columns.end + indent;
    }
    laid.caret = laid.caret.map(|(column, row)| (column + indent, row + ABOVE));
    laid.below += ABOVE;
    laid.head += ABOVE;
}

/// What is read: the question, and what was found.
fn prose(sheet: &Worksheet, width: u16, look: &Look) -> (Vec<Line<'static>>, Vec<Line<'static>>) {
    let found = sheet.found(sheet.cell().map(|cell| cell.id.as_str()));
    let found = markdown::render(&found, width, look.theme, look.highlighter).lines;
    (markdown(sheet.question(), width, look), found)
}

/// The cells alone.
fn cells(sheet: &Drawn, look: &Look) -> Laid {
    let mut laid = Laid::default();
    match widths(sheet, sheet.width.into()) {
        Some(widths) => table(sheet, &widths, &mut laid, look),
        None => list(sheet, sheet.width.into(), &mut laid, look),
    }
    laid
}

/// The question and what was found on the left, the cells on the right of a rule.
fn joined((mut left, found): (Vec<Line<'static>>, Vec<Line<'static>>), cells: Laid, look: &Look) -> Laid {
    let theme = look.theme;
    let below = left.len() + 1;
    if !found.is_empty() {
        left.push(Line::default());
        left.extend(found);
    }
    let indent = usize::from(PROSE) + 3;
    let total = left.len().max(cells.rows.len());
    let mut right = cells.rows.into_iter();
    let mut left = left.into_iter();
    let mut row = || {
        let mut line = left.next().unwrap_or_default();
        let blanks = usize::from(PROSE).saturating_sub(line.width());
        line.push_span(Span::raw(" ".repeat(blanks + 1)));
        line.push_span(Span::styled(theme.glyphs.scroll.0, theme.faint));
        line.push_span(Span::raw(" "));
        line.extend(right.next().unwrap_or_default());
        line
    };
    let move_over =
        |spot: Spot| Spot { columns: spot.columns.start + indent..spot.columns.end + indent, ..spot };
    Laid {
        rows: (0..total).map(|_| row()).collect(),
        spots: cells.spots.into_iter().map(move_over).collect(),
        under: cells.under,
        head: 0,
        below: below.min(total),
        caret: cells.caret.map(|(column, row)| (column + indent, row)),
    }
}

/// The columns that a cell's text takes.
fn room(sheet: &Worksheet, cell: &WorksheetCell) -> usize {
    let options = cell.options.iter().map(|o| wrap::width(o)).max();
    options.unwrap_or_else(|| TYPED.max(wrap::width(sheet.text(&cell.id)) + 1)).min(WIDEST)
}

/// The cells that head the columns: those of the longest row.
fn heads(sheet: &Worksheet) -> &[WorksheetCell] {
    let rows = sheet.sheet().rows.iter().rev();
    rows.max_by_key(|row| row.cells.len()).map_or(&[], |row| &row.cells)
}

/// Whether a row asks for something else than the columns of the table: it stands below it, in a line of its own.
fn is_apart(sheet: &Worksheet, row: &WorksheetRow) -> bool {
    row.cells.iter().zip(heads(sheet)).any(|(cell, head)| cell.label != head.label)
}

/// The widths of a table: the labels of the rows, then each column's cells. None where most rows
/// differ in their cells or the table is too wide.
fn widths(sheet: &Worksheet, width: usize) -> Option<Vec<usize>> {
    let (apart, rows): (Vec<_>, Vec<_>) = sheet.sheet().rows.iter().partition(|row| is_apart(sheet, row));
    if apart.len() >= rows.len() || apart.iter().any(|row| row.cells.len() > 1) {
        return None;
    }
    // only those at the end stand below it in the order in which cells are gone through
    if !sheet.sheet().rows.iter().is_sorted_by_key(|row| is_apart(sheet, row)) {
        return None;
    }
    let mut out = vec![rows.iter().map(|r| wrap::width(&r.label)).max()?];
    for (column, head) in heads(sheet).iter().enumerate() {
        let cells = rows.iter().filter_map(|r| r.cells.get(column));
        let widest = cells.map(|c| room(sheet, c)).max()?;
        out.push((widest + FRAME).max(wrap::width(&head.label) + 2));
    }
    (out.iter().sum::<usize>() + GAP * (out.len() - 1) <= width).then_some(out)
}

fn table(sheet: &Drawn, widths: &[usize], laid: &mut Laid, look: &Look) {
    let theme = look.theme;
    let mut head = vec![Span::raw(" ".repeat(widths[0] + GAP))];
    for (cell, width) in heads(sheet).iter().zip(&widths[1..]) {
        head.push(Span::styled(padded(&format!("  {}", cell.label), width + GAP), theme.dim));
    }
    laid.rows.push(Line::from(head));
    let mut at = 0;
    let mut is_below = false;
    for row in &sheet.sheet().rows {
        let (mut spans, mut column) = match is_apart(sheet, row) {
            true => {
                let name = format!("{}: {}", row.label, row.cells.first().map_or("", |cell| &cell.label));
                let room = usize::from(sheet.width).saturating_sub(widths[1] + GAP);
                let name = wrap::cut(&name, room, theme.glyphs.cut);
                if !std::mem::replace(&mut is_below, true) {
                    laid.rows.push(Line::default());
                }
                let column = wrap::width(&name) + GAP;
                (vec![Span::styled(padded(&name, column), theme.strong)], column)
            }
            false => (vec![Span::styled(padded(&row.label, widths[0] + GAP), theme.strong)], widths[0] + GAP),
        };
        for (cell, width) in row.cells.iter().zip(&widths[1..]) {
            place(sheet, (at, cell), (column, width - FRAME), laid);
            spans.extend(field(sheet, (at, cell), width - FRAME, look));
            spans.push(Span::raw(" ".repeat(GAP)));
            column += width + GAP;
            at += 1;
        }
        if !is_apart(sheet, row) {
            let missing = widths[1..].iter().skip(row.cells.len());
            spans.extend(missing.map(|width| Span::styled(padded(NOT_ASKED, width + GAP), theme.dim)));
        }
        laid.rows.push(Line::from(spans));
        if (at - row.cells.len()..at).contains(&sheet.cursor()) {
            let choices = choices(sheet, widths[0] + GAP + 2, (sheet.width, look));
            laid.under = choices.len();
            laid.rows.extend(choices);
        }
    }
}

fn list(sheet: &Drawn, width: usize, laid: &mut Laid, look: &Look) {
    let theme = look.theme;
    let cells = || sheet.sheet().rows.iter().flat_map(|r| &r.cells);
    let label = cells().map(|c| wrap::width(&c.label)).max().unwrap_or(0);
    let label = label.min(width / 3) + 3;
    let mut at = 0;
    for row in &sheet.sheet().rows {
        if !row.label.is_empty() {
            laid.rows.push(Line::styled(wrap::cut(&row.label, width, theme.glyphs.cut), theme.strong));
        }
        for cell in &row.cells {
            let room = room(sheet, cell).min(width.saturating_sub(label + FRAME)).max(1);
            place(sheet, (at, cell), (label, room), laid);
            let name = wrap::cut(&cell.label, label - 3, theme.glyphs.cut);
            let mut spans = vec![Span::styled(padded(&format!("  {name}"), label), theme.dim)];
            spans.extend(field(sheet, (at, cell), room, look));
            let free = width.saturating_sub(label + room + FRAME + 1);
            let beside = aside(sheet, (at, cell), free, look);
            let is_beside = beside.is_some();
            spans.extend(beside);
            laid.rows.push(Line::from(spans));
            if at == sheet.cursor()
                && !(is_beside && cell.options.is_empty() && sheet.told(&cell.id).is_none())
            {
                let choices = choices(sheet, label + 2, (sheet.width, look));
                laid.under = choices.len();
                laid.rows.extend(choices);
            }
            at += 1;
        }
    }
}

/// Notes where a cell is, and the caret where it is the one that is typed.
fn place(
    sheet: &Drawn,
    (at, cell): (usize, &WorksheetCell),
    (column, room): (usize, usize),
    laid: &mut Laid,
) {
    let row = laid.rows.len();
    laid.spots.push(Spot { row, columns: column..column + room + FRAME, cell: at });
    if at == sheet.cursor() && cell.options.is_empty() {
        laid.caret = Some((column + 2 + usize::from(sheet.typed.caret(room)), row));
    }
}

/// A cell: pointer, brackets around what stands in it, and its mark once it was checked.
fn field(sheet: &Drawn, (at, cell): (usize, &WorksheetCell), room: usize, look: &Look) -> Vec<Span<'static>> {
    let theme = look.theme;
    let glyphs = &theme.glyphs;
    let here = at == sheet.cursor();
    let (open, close) = match (cell.options.is_empty(), here) {
        (true, _) => ("[", "]"),
        (false, true) => (glyphs.left, glyphs.right),
        (false, false) => ("<", ">"),
    };
    let style = if here { theme.accent } else { theme.dim };
    let pointer = if here { glyphs.pointer } else { " " };
    let (mark, mark_style) = mark(sheet, &cell.id, look);
    let mut spans = vec![Span::styled(format!("{pointer}{open}"), style)];
    if here && cell.options.is_empty() {
        let typed = sheet.typed.spans(room, theme.strong, theme);
        let used: usize = typed.iter().map(Span::width).sum();
        spans.extend(typed);
        spans.push(Span::raw(" ".repeat(room.saturating_sub(used))));
    } else {
        let shown = shown(sheet.text(&cell.id), cell, room, look);
        let text = match (here, shown.trim().is_empty()) {
            (true, _) => theme.strong,
            (false, true) => theme.dim,
            (false, false) => theme.text,
        };
        spans.push(Span::styled(shown, text));
    }
    spans.push(Span::styled(format!("{close} "), style));
    spans.push(Span::styled(mark, mark_style));
    spans.push(Span::raw(" "));
    spans
}

/// What is said beside a cell: why it is wrong, or how it is filled. None where that is nothing or does not fit.
fn aside(
    sheet: &Worksheet,
    (at, cell): (usize, &WorksheetCell),
    free: usize,
    look: &Look,
) -> Option<Span<'static>> {
    let theme = look.theme;
    if let Some(why) = sheet.why(&cell.id).filter(|_| free > LEAST_REASON) {
        let style = mark(sheet, &cell.id, look).1;
        return Some(Span::styled(wrap::cut(&escape::line(why), free, theme.glyphs.cut), style));
    }
    let fits = at == sheet.cursor() && cell.options.is_empty() && wrap::width(HOW) <= free;
    fits.then(|| Span::styled(HOW, theme.dim))
}

/// What stands in a cell in `room` columns.
fn shown(text: &str, cell: &WorksheetCell, room: usize, look: &Look) -> String {
    let text = escape::line(text);
    let blank = if cell.options.is_empty() { " " } else { look.theme.glyphs.untouched };
    if text.is_empty() {
        return blank.repeat(room);
    }
    padded(&wrap::cut(&text, room, look.theme.glyphs.cut), room)
}

/// The mark of a cell that stands as it was checked: one column.
fn mark(sheet: &Worksheet, cell: &str, look: &Look) -> (&'static str, Style) {
    let theme = look.theme;
    match sheet.mark(cell) {
        Some(_) if sheet.text(cell).trim().is_empty() => (theme.glyphs.untouched, theme.dim),
        Some(Verdict::Missing) => (theme.glyphs.missing, theme.missing),
        Some(Verdict::Partial) => (theme.glyphs.warning, theme.partial),
        Some(Verdict::Covered) => (theme.glyphs.good, theme.good),
        None => (" ", theme.dim),
    }
}

/// The choices of the cell under the cursor, or how to fill it: right under its row.
fn choices(sheet: &Worksheet, indent: usize, (width, look): (u16, &Look)) -> Vec<Line<'static>> {
    let theme = look.theme;
    let Some(cell) = sheet.cell() else {
        return Vec::new();
    };
    let mut line = Styled::new();
    if cell.options.is_empty() {
        line.push(HOW, theme.dim);
    }
    for (i, option) in cell.options.iter().enumerate() {
        let here = option == sheet.text(&cell.id);
        let lead = if i > 0 { theme.glyphs.separator } else { "" };
        line.push(lead, theme.dim);
        let (text, style) =
            if here { (format!("[{option}]"), theme.accent) } else { (option.clone(), theme.dim) };
        line.push(&escape::line(&text), style);
    }
    let hanging = || Hanging::under(Span::raw(" ".repeat(indent)));
    let mut rows = line.wrap(&hanging(), width.into());
    if let Some(answer) = sheet.told(&cell.id) {
        let mut line = Styled::new();
        line.push(&escape::line(&answer), theme.strong);
        rows.extend(line.wrap(&hanging(), width.into()));
    }
    rows
}

fn padded(text: &str, width: usize) -> String {
    let text = escape::line(text);
    let blanks = width.saturating_sub(wrap::width(&text));
    format!("{text}{}", " ".repeat(blanks))
}

fn markdown(text: &str, width: u16, look: &Look) -> Vec<Line<'static>> {
    markdown::render(&Document::parse(text), width, look.theme, look.highlighter).lines
}
