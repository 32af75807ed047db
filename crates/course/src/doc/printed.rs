//! What a program printed, for somebody who hears it: a row of a table with its titles, a drawing by how full it is.

/// Shorter rows are no table.
const FEW: usize = 3;

/// What was printed, a sentence a line. Rows below a line of titles are told with them, `cap 25: buckets 15; hidden 95%`;
/// of a lane drawn between two bars it is told how many of its columns are full.
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
            all.push(ended(&cells.join(": ")));
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

/// `buckets 15`; after a title that ends with a number, `at 8: 51`, since two numbers are heard as one.
fn titled(title: &str, cell: &str) -> String {
    let title = title.replace('_', " ");
    match title.ends_with(|c: char| c.is_ascii_digit()) {
        true => format!("{title}: {cell}"),
        false => format!("{title} {cell}"),
    }
}

/// A lane between two bars: `rank 0: 24 of 33 columns full`.
fn lane(line: &str) -> Option<String> {
    let (name, drawn) = line.strip_suffix('|').unwrap_or(line).split_once('|')?;
    let is_empty = |c: &char| matches!(c, ' ' | '.' | '-');
    let full = drawn.chars().filter(|c| !is_empty(c)).count();
    let all = drawn.chars().count();
    (!name.trim().is_empty() && all > FEW).then(|| format!("{}: {full} of {all} columns full.", name.trim()))
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
    fn a_row_is_told_with_the_titles_above_it_until_a_blank_line() {
        let text = "first    cap  buckets  comm ms\n    1     25       15     19.1\n\n a 1  2  3";
        assert_eq!(told(text), "first 1: cap 25; buckets 15; comm ms 19.1.\na 1: 2; 3.");
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
    fn a_drawn_lane_is_told_by_how_full_it_is() {
        let text = "columns a unit: 1\nrank 0 |0123..aabb..|\ncompute |####|\nnetwork |a   b";
        let lanes = "columns a unit: 1.\nrank 0: 8 of 12 columns full.\ncompute: 4 of 4 columns full.\n\
            network: 2 of 5 columns full.";
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
