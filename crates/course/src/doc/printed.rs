//! What a program printed, for somebody who hears it: a row of a table with its titles, a drawing by how full it is.

use crate::sim::quantity;

/// Shorter rows are no table.
const FEW: usize = 3;

/// What was printed, a sentence a line. Rows below a line of titles are told with them, `cap 25: buckets 15; hidden 95%`;
/// of a lane drawn between two bars it is told which of its columns are full.
pub fn told(text: &str) -> String {
    let mut all: Vec<String> = Vec::new();
    let mut titles: Vec<String> = Vec::new();
    for line in text.lines().map(str::trim) {
        let cells = fields(line);
        if line.is_empty() {
            titles.clear();
        } else if let Some(lane) = lane(line) {
            all.push(lane);
        } else if cells.len() < FEW {
            titles.clear();
            all.push(ended(&whole(&cells.join(": "))));
        } else if !cells.iter().any(|cell| is_number(cell)) {
            titles = cells.iter().map(|cell| (*cell).to_owned()).collect();
        } else {
            all.push(row(&cells, &titles));
        }
    }
    all.join("\n")
}

/// The fields of a row: two blanks part them, since one may stand within a title.
pub fn fields(line: &str) -> Vec<&str> {
    line.split("  ").map(str::trim).filter(|field| !field.is_empty()).collect()
}

fn is_number(cell: &str) -> bool {
    cell.starts_with(|c: char| c.is_ascii_digit() || c == '-')
}

fn row(cells: &[&str], titles: &[String]) -> String {
    let [name, rest @ ..] = cells else { return String::new() };
    // titles of one word each may stand with one blank between them
    let words: Vec<String> = titles.iter().flat_map(|t| t.split(' ')).map(str::to_owned).collect();
    let titles = [titles, &words].into_iter().find(|titles| titles.len() == cells.len());
    let told: Vec<String> = match titles {
        Some(titles) => titles[1..].iter().zip(rest).map(|(title, cell)| titled(title, cell)).collect(),
        None => rest.iter().map(|cell| (*cell).to_owned()).collect(),
    };
    let name = titles.map_or((*name).to_owned(), |titles| titled(&titles[0], name));
    ended(&format!("{name}: {}", told.join("; ")))
}

/// `buckets 15`; after a title that ends with a number, `at 8: 51`, since two numbers are heard as one. A unit in the title
/// stands behind the number: `exposed 20.2 ms`.
fn titled(title: &str, cell: &str) -> String {
    let title = title.replace('_', " ");
    let (name, unit) = title.rsplit_once(' ').unwrap_or((&title, ""));
    if quantity::said(unit).is_some() && is_number(cell) {
        let name = name.trim_end_matches(',');
        let name = SHORT.iter().find(|(short, _)| *short == name).map_or(name, |(_, whole)| whole);
        return format!("{name} {cell} {unit}");
    }
    let cell = whole(cell);
    match title.ends_with(|c: char| c.is_ascii_digit()) {
        true => format!("{title}: {cell}"),
        false => format!("{title} {cell}"),
    }
}

/// What a program prints in short, and in full.
const SHORT: &[(&str, &str)] = &[("comm", "communication"), ("inf", "infinite")];

/// A line with its short words in full.
fn whole(line: &str) -> String {
    // there is no unit of what is infinite
    let line = line.replace("inf MiB", "inf").replace("inf GiB", "inf");
    let word = |word: &str| {
        let bare = word.trim_end_matches([',', ';', '.']);
        let full = SHORT.iter().find(|(short, _)| *short == bare);
        full.map_or(word.to_owned(), |(_, full)| format!("{full}{}", &word[bare.len()..]))
    };
    line.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

/// As many runs of a lane are told one by one.
const RUNS: usize = 4;

/// A lane between two bars, with when it is full: `rank 0: full in columns 1 to 8 and 18 to 33; 24 of 33`.
fn lane(line: &str) -> Option<String> {
    let (name, drawn) = line.strip_suffix('|').unwrap_or(line).split_once('|')?;
    let is_full = |c: char| !matches!(c, ' ' | '.' | '-');
    let all = drawn.chars().count();
    if name.trim().is_empty() || all <= FEW {
        return None;
    }
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for (at, _) in (1..).zip(drawn.chars()).filter(|(_, c)| is_full(*c)) {
        match runs.last_mut().filter(|(_, last)| last + 1 == at) {
            Some((_, last)) => *last = at,
            None => runs.push((at, at)),
        }
    }
    let full: usize = runs.iter().map(|(first, last)| last - first + 1).sum();
    let run = |(first, last): &(usize, usize)| match last - first {
        0 => first.to_string(),
        _ => format!("{first} to {last}"),
    };
    let told = match runs.as_slice() {
        [] => format!("empty in all {all} columns"),
        [(1, last)] if *last == all => format!("full in all {all} columns"),
        [(first, last)] if first == last => format!("full in column {first} of {all}"),
        [one] => format!("full in columns {} of {all}", run(one)),
        [some @ .., last] if some.len() < RUNS => {
            let some: Vec<String> = some.iter().map(run).collect();
            format!("full in columns {} and {} of {all}", some.join(", "), run(last))
        }
        [first, .., last] => {
            let (from, to, count) = (first.0, last.1, runs.len());
            format!("full {count} times between columns {from} and {to} of {all}, {full} columns in all")
        }
    };
    Some(format!("{}: {told}.", name.trim()))
}

fn ended(text: &str) -> String {
    match text.ends_with(['.', ':', '?', '!']) {
        true => text.to_owned(),
        false => format!("{text}."),
    }
}

#[cfg(test)]
mod tests {
    use super::told;

    #[test]
    fn a_unit_stands_behind_its_number_and_short_words_are_said_in_full() {
        let text = "first  cap  comm ms  exposed ms\n1  inf  67.7  20.2\n\nfirst inf, then inf MiB";
        let told_of =
            "first 1: cap infinite; communication 67.7 ms; exposed 20.2 ms.\nfirst infinite, then infinite.";
        assert_eq!(told(text), told_of);
    }

    #[test]
    fn a_row_is_told_with_the_titles_above_it_until_a_blank_line() {
        let text = "first    cap  buckets  comm ms\n    1     25       15     19.1\n\n a 1  2  3";
        assert_eq!(told(text), "first 1: cap 25; buckets 15; communication 19.1 ms.\na 1: 2; 3.");
    }

    #[test]
    fn titles_of_one_word_may_stand_close() {
        let text = "bytes  one_card tree  best\n2^14   1.5   0.1  tree";
        assert_eq!(told(text), "bytes 2^14: one card 1.5; tree 0.1; best tree.");
    }

    #[test]
    fn a_number_never_stands_beside_another() {
        assert_eq!(told("stage  at 1  at 8\n0  130 GB  51 GB"), "stage 0: at 1: 130 GB; at 8: 51 GB.");
    }

    #[test]
    fn billions_are_told_as_they_were_printed() {
        let text = "parameters    stage 0   stage 1\n 2.7 billion    43.20     11.31";
        assert_eq!(told(text), "parameters 2.7 billion: stage 0: 43.20; stage 1: 11.31.");
    }

    #[test]
    fn a_drawn_lane_is_told_by_when_it_is_full() {
        assert_eq!(told("network |     ab"), "network: full in columns 6 to 7 of 7.");
        assert_eq!(told("network |  a  |"), "network: full in column 3 of 5.");
        assert_eq!(told("idle |.....|"), "idle: empty in all 5 columns.");
        let often = "network: full 6 times between columns 1 and 12 of 12, 7 columns in all.";
        assert_eq!(told("network |a b cc d e f|"), often);

        let text = "columns a unit: 1\nrank 0 |0123..aabb..|\ncompute |####|\nnetwork |a   b";
        let lanes = "columns a unit: 1.\nrank 0: full in columns 1 to 4 and 7 to 10 of 12.\n\
            compute: full in all 4 columns.\nnetwork: full in columns 1 and 5 of 5.";
        assert_eq!(told(text), lanes);
    }

    #[test]
    fn what_is_no_table_stays_as_it_was_printed() {
        let text = "contiguous: equals full attention: True\n  hop 0: pairs by rank [10, 10], slowest 10\n\n";
        let told_of = "contiguous: equals full attention: True.\nhop 0: pairs by rank [10, 10], slowest 10.";
        assert_eq!(told(text), told_of);
        assert_eq!(told(""), "");
    }
}
