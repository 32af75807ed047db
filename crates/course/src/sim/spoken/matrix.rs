//! Heat maps of numbers.

use super::super::picture::Matrix;
use super::super::quantity::{self, Unit};
use super::{axes, capital, head};

/// Values that differ by less than this share count as alike.
const ALIKE: f64 = 0.05;
/// Cells of a row that are told one by one; of more, the greatest.
const CELLS: usize = 8;

fn unit(matrix: &Matrix) -> Unit {
    quantity::unit(matrix.unit).unwrap_or(quantity::PLAIN)
}

fn row_name(matrix: &Matrix, at: usize) -> String {
    matrix.rows.get(at).map_or(String::new(), |(name, _)| head(axes(&matrix.corner).map(|a| a.0), name))
}

fn column_name(matrix: &Matrix, at: usize) -> String {
    matrix.columns.get(at).map_or(String::new(), |name| head(axes(&matrix.corner).map(|a| a.1), name))
}

/// The places of the least and the greatest of some values.
fn ends(values: &[f64]) -> Option<(usize, usize)> {
    let by = |a: &(usize, &f64), b: &(usize, &f64)| a.1.total_cmp(b.1);
    let least = values.iter().enumerate().min_by(by)?.0;
    Some((least, values.iter().enumerate().max_by(by)?.0))
}

pub(super) fn gist(matrix: &Matrix) -> Vec<String> {
    let show = |value: f64| quantity::show(value, unit(matrix));
    let (high, wide) = (matrix.rows.len(), matrix.columns.len());
    let mut all = vec![format!("{high} rows by {wide} columns.")];
    let cells =
        || matrix.rows.iter().enumerate().flat_map(|(r, (_, v))| v.iter().enumerate().map(move |c| (r, c)));
    let some = cells().filter(|(_, (_, value))| **value != 0.0);
    let most = some.max_by(|a, b| a.1.1.total_cmp(b.1.1));
    if let Some((row, (column, value))) = most {
        let place = format!("{} {}", row_name(matrix, row), column_name(matrix, column));
        all.push(format!("The greatest: {place}, {}.", show(*value)));
    } else {
        all.push("Nothing in any of them.".into());
        return all;
    }
    let column = |at: usize| matrix.rows.iter().filter_map(|(_, values)| values.get(at)).sum::<f64>();
    let columns: Vec<f64> = (0..wide).map(column).collect();
    let rows: Vec<f64> = matrix.rows.iter().map(|(_, values)| values.iter().sum()).collect();
    all.extend(sums(&columns, "column", |at| column_name(matrix, at), show));
    all.extend(sums(&rows, "row", |at| row_name(matrix, at), show));
    all
}

/// What rows or columns come to in all.
fn sums(
    sums: &[f64],
    what: &str,
    name: impl Fn(usize) -> String,
    show: impl Fn(f64) -> String,
) -> Option<String> {
    let (least, most) = ends(sums).filter(|_| sums.len() > 1)?;
    if sums[most] - sums[least] <= ALIKE * sums[most] {
        return Some(format!("Each {what} comes to about {}.", show(sums[most])));
    }
    let [most, least] = [most, least].map(|at| format!("{}, {} in all", name(at), show(sums[at])));
    Some(format!("The {what} with most: {most}; with least: {least}."))
}

/// `From 0: to 1, 19 MB; to 2, 10.4 MB.`
pub(super) fn rows(matrix: &Matrix) -> Vec<String> {
    let row = |(at, (_, values)): (usize, &(String, Vec<f64>))| {
        let cell =
            |at: usize| format!("{}, {}", column_name(matrix, at), quantity::show(values[at], unit(matrix)));
        let mut places: Vec<usize> = (0..values.len()).filter(|at| values[*at] != 0.0).collect();
        let all = places.len();
        if all > CELLS {
            places.sort_by(|a, b| values[*b].total_cmp(&values[*a]));
            places.truncate(CELLS);
        }
        let told: Vec<String> = places.into_iter().map(cell).collect();
        let lead = if all > CELLS { format!("the greatest {CELLS} of {all}: ") } else { String::new() };
        let told = if told.is_empty() { "nothing".to_owned() } else { told.join("; ") };
        format!("{}: {lead}{told}.", capital(&row_name(matrix, at)))
    };
    matrix.rows.iter().enumerate().map(row).collect()
}
