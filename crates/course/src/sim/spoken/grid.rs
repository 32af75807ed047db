//! Grids of cells.

use super::super::picture::{Cell, Grid, Tone};
use super::{NAMED, axes, capital, head, list, some};

/// Runs of like cells in a row that are told one by one; of more, how many there are of each.
const RUNS: usize = 8;
/// Kinds of rows that are told apart.
const KINDS: usize = 3;
/// What cells count as that mean nothing in particular.
const OTHERS: &str = "others";

/// What a cell means, where the legend says so. The letter that a legend begins with is for the eye.
fn meaning(grid: &Grid, cell: &Cell) -> Option<&'static str> {
    let named = grid.legend.iter().filter(|(tone, _)| !matches!(tone, Tone::Nth(_)) || grid.legend.len() > 1);
    let found = named.into_iter().find(|(tone, _)| *tone == cell.tone).map(|(_, name)| *name)?;
    Some(found.split_once(": ").filter(|(letter, _)| letter.len() == 1).map_or(found, |(_, name)| name))
}

/// What the numbers of a grid stand for that has nothing but numbers.
fn numbers(grid: &Grid) -> Option<&'static str> {
    match grid.legend.as_slice() {
        [(Tone::Nth(_), name)] => Some(name),
        _ => None,
    }
}

/// What a cell is counted as: its meaning, else its text.
fn kind(grid: &Grid, cell: &Cell) -> String {
    match (meaning(grid, cell), cell.text.trim()) {
        (Some(meaning), _) => meaning.to_owned(),
        (None, "") => "empty".into(),
        (None, _) if cell.tone == Tone::Empty => OTHERS.into(),
        (None, text) => text.to_owned(),
    }
}

/// What a cell says: its text and what it means, once where both are the same.
fn told(grid: &Grid, cell: &Cell) -> String {
    let text = cell.text.trim().replace("1/4", "a quarter");
    match meaning(grid, cell) {
        Some(means) if text.is_empty() => means.to_owned(),
        Some(means) => format!("{text}, {means}"),
        None => text,
    }
}

fn row_name(grid: &Grid, at: usize) -> String {
    let name = grid.rows.get(at).map_or("", |(name, _)| name.as_str());
    match head(axes(&grid.corner).map(|a| a.0), name).trim() {
        "" => format!("row {}", at + 1),
        name => name.to_owned(),
    }
}

fn column_name(grid: &Grid, at: usize) -> String {
    let name = grid.columns.get(at).map_or("", String::as_str);
    match head(axes(&grid.corner).map(|a| a.1), name).trim() {
        "" => format!("column {}", at + 1),
        name => name.to_owned(),
    }
}

fn cells(grid: &Grid) -> impl Iterator<Item = (usize, usize, &Cell)> {
    let row = |(r, (_, cells)): (usize, &'_ (String, Vec<Cell>))| (r, cells.len());
    let sizes: Vec<(usize, usize)> = grid.rows.iter().enumerate().map(row).collect();
    sizes
        .into_iter()
        .flat_map(|(r, wide)| (0..wide).map(move |c| (r, c)))
        .map(|(r, c)| (r, c, &grid.rows[r].1[c]))
}

/// The cells of a row, like ones that stand side by side together: `chunk 0 to chunk 6, 8, sum of all`.
fn row(grid: &Grid, at: usize) -> String {
    let cells = &grid.rows[at].1;
    let mut runs: Vec<(usize, usize, String)> = Vec::new();
    for (column, cell) in cells.iter().enumerate() {
        let told = told(grid, cell);
        match runs.last_mut().filter(|(_, last, text)| *text == told && last + 1 == column) {
            Some((_, last, _)) => *last = column,
            None => runs.push((column, column, told)),
        }
    }
    runs.retain(|(.., told)| !told.is_empty());
    if runs.len() > RUNS {
        return counts(grid, cells.iter()).join("; ");
    }
    let told = runs.iter().map(|(from, to, told)| match (from == to, to - from) {
        (true, _) => format!("{}: {told}", column_name(grid, *from)),
        (_, all) if all + 1 == cells.len() => format!("all {}: {told}", cells.len()),
        (..) => format!("{} to {}: {told}", column_name(grid, *from), column_name(grid, *to)),
    });
    let told: Vec<String> = told.collect();
    if told.is_empty() { "nothing".to_owned() } else { told.join("; ") }
}

pub(super) fn rows(grid: &Grid) -> Vec<String> {
    (0..grid.rows.len()).map(|at| format!("{}: {}.", capital(&row_name(grid, at)), row(grid, at))).collect()
}

/// How many cells there are of each kind, in words.
fn counts<'a>(grid: &Grid, cells: impl Iterator<Item = &'a Cell>) -> Vec<String> {
    let mut counts: Vec<(String, usize)> = Vec::new();
    for cell in cells {
        let kind = kind(grid, cell);
        match counts.iter_mut().find(|(name, _)| *name == kind) {
            Some((_, count)) => *count += 1,
            None => counts.push((kind, 1)),
        }
    }
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts.into_iter().map(|(name, count)| format!("{count} {name}")).collect()
}

pub(super) fn gist(grid: &Grid) -> Vec<String> {
    let (high, wide) = (grid.rows.len(), grid.columns.len());
    if high == 0 || wide == 0 {
        return vec!["Nothing to show.".into()];
    }
    let mut all = vec![format!("{} by {}.", some(high, "row"), some(wide, "column"))];
    if let Some(numbers) = numbers(grid) {
        all.push(format!("The numbers: {numbers}."));
    }
    let like = |a: usize, b: usize| grid.rows[a].1 == grid.rows[b].1;
    let texts = |cells: &mut dyn Iterator<Item = &Cell>| {
        let mut texts: Vec<String> = cells.map(|cell| told(grid, cell)).collect();
        texts.dedup();
        texts
    };
    let whole: Vec<Vec<String>> = grid.rows.iter().map(|(_, cells)| texts(&mut cells.iter())).collect();
    let columns: Vec<Vec<String>> =
        (0..wide).map(|c| texts(&mut grid.rows.iter().filter_map(|(_, cells)| cells.get(c)))).collect();
    let mut kinds: Vec<Vec<usize>> = Vec::new();
    for row in 0..high {
        match kinds.iter_mut().find(|rows| like(rows[0], row)) {
            Some(rows) => rows.push(row),
            None => kinds.push(vec![row]),
        }
    }
    if kinds.len() == 1 && whole.iter().all(|texts| texts.len() == 1) {
        all.push(format!("All cells say the same: {}.", whole[0][0]));
    } else if whole.iter().all(|texts| texts.len() == 1) {
        let [first, last] = [0, high - 1].map(|at| format!("{}: {}", row_name(grid, at), whole[at][0]));
        all.push(format!("Each row is the same from end to end: {first}; to {last}."));
    } else if columns.iter().all(|texts| texts.len() == 1) && wide > NAMED {
        let [first, last] = [0, wide - 1].map(|at| format!("{}: {}", column_name(grid, at), columns[at][0]));
        all.push(format!("Each column is the same from top to bottom: {first}; to {last}."));
    } else if kinds.len() <= KINDS && kinds.len() < high {
        all.extend(kinds.iter().map(|rows| {
            let names: Vec<String> = rows.iter().map(|at| row_name(grid, *at)).collect();
            let who = match names.len() {
                count if count == high => "All rows alike".to_owned(),
                count if count > NAMED => format!("{count} rows, {} to {}", names[0], names[count - 1]),
                _ => capital(&list(&names)),
            };
            format!("{who}: {}.", row(grid, rows[0]))
        }));
    } else if numbers(grid).is_some() {
        let mut different: Vec<&str> = cells(grid).map(|(.., cell)| cell.text.trim()).collect();
        different.sort_unstable();
        different.dedup();
        all.push(format!("{} different numbers.", different.len()));
        let [first, last] = [0, high - 1].map(|at| format!("{}: {}", row_name(grid, at), row(grid, at)));
        all.push(format!("{}.", capital(&first)));
        all.push(format!("{}.", capital(&last)));
    } else {
        let all_cells = cells(grid).map(|(.., cell)| cell);
        all.push(format!("{}.", capital(&counts(grid, all_cells).join("; "))));
        all.extend(places(grid));
    }
    all
}

/// Where the kinds of cells are, where that can be said in a few words.
fn places(grid: &Grid) -> Vec<String> {
    let (high, wide) = (grid.rows.len(), grid.columns.len());
    let mut kinds: Vec<(String, Vec<(usize, usize)>)> = Vec::new();
    for (r, c, cell) in cells(grid) {
        let kind = kind(grid, cell);
        match kinds.iter_mut().find(|(name, _)| *name == kind) {
            Some((_, at)) => at.push((r, c)),
            None => kinds.push((kind, vec![(r, c)])),
        }
    }
    let half = high * (high - 1) / 2;
    let place = |(name, at): &(String, Vec<(usize, usize)>)| {
        let name = capital(name);
        let is_square = high == wide && at.len() == half && half > 0;
        if is_square && at.iter().all(|(r, c)| c > r) {
            return Some(format!("{name}: all that lies above the diagonal."));
        }
        if let [(r, c)] = at.as_slice() {
            return Some(format!("{name}: {}, {}.", row_name(grid, *r), column_name(grid, *c)));
        }
        let one_each = at.len() == high && at.iter().enumerate().all(|(nth, (r, _))| nth == *r);
        let steps = at.windows(2).all(|two| two[1].1 == (two[0].1 + 1) % wide);
        if one_each && high > 2 {
            let first = column_name(grid, at[0].1);
            let on = if steps { ", each one column further than the row above" } else { "" };
            return Some(format!("{name}: one in each row, {first} in the first{on}."));
        }
        let first = at.first()?.0;
        let is_row = at.len() > 1 && high > 1 && at.iter().all(|(r, _)| *r == first);
        is_row.then(|| format!("{name}: all in {}.", row_name(grid, first)))
    };
    kinds.iter().filter(|(name, _)| name != OTHERS && name != "empty").filter_map(place).collect()
}

/// What a step changed: how many cells, and what they are now.
pub(super) fn moved(before: &Grid, after: &Grid) -> Vec<String> {
    let was = |r: usize, c: usize| before.rows.get(r).and_then(|(_, cells)| cells.get(c));
    let is_same_size = before.rows.len() == after.rows.len() && before.columns.len() == after.columns.len();
    if !is_same_size || before.legend != after.legend {
        return gist(after);
    }
    let changed: Vec<&Cell> =
        cells(after).filter(|(r, c, cell)| was(*r, *c) != Some(*cell)).map(|(.., cell)| cell).collect();
    let of = cells(after).count();
    match changed.len() {
        0 => vec!["No cell changed.".into()],
        count if count == of => gist(after),
        // which number is where cannot be counted
        _ if numbers(after).is_some() => gist(after).split_off(2),
        count => {
            let now = counts(after, changed.into_iter());
            let now = if now.len() > RUNS { String::new() } else { format!(", now {}", now.join("; ")) };
            vec![format!("{count} of {of} cells changed{now}.")]
        }
    }
}
