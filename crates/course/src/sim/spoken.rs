//! Pictures in sentences, for somebody who hears them. [`gist`] is what a glance tells: the pattern, the extremes,
//! where one stands. [`rows`] has everything, a sentence a row, for who asks for it. [`moved`] is what a step changed.

use super::picture::{Frame, Picture, Table, Tone};
use super::quantity::{self, Unit};

mod bars;
mod grid;
mod lanes;
mod matrix;
mod series;

/// What a glance at a picture tells, in a few sentences.
pub fn gist(picture: &Picture) -> Vec<String> {
    match picture {
        Picture::Lanes(lanes) => lanes::gist(lanes),
        Picture::Grid(grid) => grid::gist(grid),
        Picture::Bars(bars) => bars::gist(bars),
        Picture::Series(series) => series::gist(series),
        Picture::Matrix(matrix) => matrix::gist(matrix),
        Picture::Table(table) => table_gist(table),
    }
}

/// All that a picture holds, a sentence each of its rows.
pub fn rows(picture: &Picture) -> Vec<String> {
    match picture {
        Picture::Lanes(lanes) => lanes::rows(lanes),
        Picture::Grid(grid) => grid::rows(grid),
        Picture::Bars(bars) => bars::rows(bars),
        Picture::Series(series) => series::rows(series),
        Picture::Matrix(matrix) => matrix::rows(matrix),
        Picture::Table(table) => table_rows(table),
    }
}

/// What one row of a picture is called.
pub fn one(picture: &Picture) -> &'static str {
    match picture {
        Picture::Bars(_) => "bar",
        Picture::Series(_) => "curve",
        _ => "row",
    }
}

/// What a step changed: `before` is the step before it, none at the first one.
pub fn moved(before: Option<&Frame>, after: &Frame) -> Vec<String> {
    match (before.map(|frame| &frame.picture), &after.picture) {
        (_, Picture::Lanes(lanes)) => after.now.map(|now| lanes::at(lanes, now)).into_iter().collect(),
        (Some(Picture::Grid(before)), Picture::Grid(grid)) => grid::moved(before, grid),
        (Some(Picture::Bars(before)), Picture::Bars(bars)) => bars::moved(before, bars),
        (None, picture) => gist(picture),
        (Some(_), _) => Vec::new(),
    }
}

fn table_gist(table: &Table) -> Vec<String> {
    let [all @ .., last] = table.rows.as_slice() else { return vec!["No rows.".into()] };
    if all.is_empty() {
        return table_rows(table);
    }
    let name = |cells: &[String]| cells.first().map_or(String::new(), |cell| cell.trim().to_owned());
    let names: Vec<String> = table.rows.iter().map(|(_, cells)| name(cells)).collect();
    let head = table.columns.first().map_or("", |head| head.trim());
    let named = match (names.as_slice(), head) {
        (names, _) if names.len() <= NAMED => format!(": {}", list(names)),
        (_, "#" | "") => String::new(),
        (names, _) => format!(", from {} to {}", names[0], name(&last.1)),
    };
    let count = table.rows.len();
    let first = format!("A table of {count} rows{named}.");
    let chosen = table.rows.iter().find(|(tone, _)| *tone == Tone::Chosen);
    let told = match chosen {
        Some((_, cells)) => format!("As set now: {}.", told(table, cells)),
        None => format!("The first row: {}.", told(table, &table.rows[0].1)),
    };
    vec![first, told]
}

/// `size 4 MiB, full at 24.5 ms`: the cells of a row with their titles.
fn told(table: &Table, cells: &[String]) -> String {
    let cells = cells.iter().zip(&table.columns).filter(|(cell, _)| !cell.trim().is_empty());
    let told = cells.enumerate().map(|(at, (cell, title))| match (at, title.trim()) {
        // the name of the row
        (0, "#") => format!("number {}", cell.trim()),
        (0, _) | (_, "") => cell.trim().to_owned(),
        // `at 8: 51.2 GB`, since two numbers beside each other are heard as one
        (_, title) if title.ends_with(|c: char| c.is_ascii_digit()) => format!("{title}: {}", cell.trim()),
        (_, title) => format!("{title} {}", cell.trim().replace(", ...", " and so on")),
    });
    told.collect::<Vec<_>>().join("; ")
}

fn table_rows(table: &Table) -> Vec<String> {
    table.rows.iter().map(|(_, cells)| format!("{}.", capital(&told(table, cells)))).collect()
}

/// As many names are said one by one.
const NAMED: usize = 6;

fn unit(name: &'static str) -> Unit {
    quantity::unit(name).unwrap_or(if name.is_empty() { quantity::PLAIN } else { Unit::count(name) })
}

/// `a`, `a and b`, `a, b and c`.
pub(super) fn list(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [all @ .., last] => format!("{} and {last}", all.join(", ")),
    }
}

/// With a capital letter, where it begins with a word and not with a name such as `n0`.
fn capital(words: &str) -> String {
    let first = words.split([' ', ':', ';', ',']).next().unwrap_or_default();
    if first.len() < 2 || !first.bytes().all(|b| b.is_ascii_lowercase()) {
        return words.to_owned();
    }
    let mut chars = words.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// What rows and columns are, where the corner of a picture says so: `from \ to`.
fn axes(corner: &str) -> Option<(&str, &str)> {
    corner.split_once('\\').map(|(row, column)| (row.trim(), column.trim()))
}

/// The head of a row or a column with what it is, where it is a bare number: `chunk 3`.
fn head(what: Option<&str>, head: &str) -> String {
    match (what, head.trim()) {
        (Some(what), number) if number.bytes().all(|b| b.is_ascii_digit()) => format!("{what} {number}"),
        (_, head) => head.to_owned(),
    }
}

/// Several of a thing: `2 bars`, `1 bar`.
fn some(count: usize, one: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {one}s") }
}

#[cfg(test)]
mod tests;
