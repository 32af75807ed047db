//! The checker `table`: cells compared with expressions and texts that the author gives.

use std::collections::{BTreeMap, BTreeSet};

use super::{Checker, Texts, empty, folded, unreadable};
use crate::sim::expr::{Expr, Fault};
use crate::sim::plan::Finding;
use crate::sim::quantity;

pub(super) const CHECKER: Checker = Checker {
    name: "table",
    about: "compares cells with expressions and texts, and checks conditions between them",
    given: &[
        ("NAME", "a value for use in the expressions, itself an expression"),
        ("expect.CELL", "the right number, an expression, in the cell's unit; `cell.CELL` says the same"),
        ("unit.CELL", "the unit of a number: GB, ms, %"),
        ("tolerance.CELL", "how far off is still right, in per cent; left out: 2"),
        ("accept.CELL", "the right texts, parted by |"),
        ("require.ID", "a condition over the cells as `cell.CELL`"),
        ("why.ID", "what to say where the cell or the condition ID is wrong"),
    ],
    cells: &[("any", "numbers and texts")],
    check,
    faults,
    answer,
};

const DEFAULT_TOLERANCE: f64 = 2.0;

/// The given values, sorted by what they say.
#[derive(Default)]
struct Sheet<'a> {
    expect: BTreeMap<&'a str, &'a str>,
    unit: BTreeMap<&'a str, &'a str>,
    tolerance: BTreeMap<&'a str, &'a str>,
    accept: BTreeMap<&'a str, &'a str>,
    require: BTreeMap<&'a str, &'a str>,
    why: BTreeMap<&'a str, &'a str>,
    values: BTreeMap<String, f64>,
    unknown: Vec<&'a str>,
}

impl<'a> Sheet<'a> {
    fn new(given: &'a Texts) -> Sheet<'a> {
        let mut sheet = Sheet::default();
        for (key, text) in given {
            let Some((what, id)) = key.split_once('.') else {
                continue;
            };
            let kept = match what {
                "expect" | "cell" => &mut sheet.expect,
                "unit" => &mut sheet.unit,
                "tolerance" => &mut sheet.tolerance,
                "accept" => &mut sheet.accept,
                "require" => &mut sheet.require,
                "why" => &mut sheet.why,
                _ => {
                    sheet.unknown.push(key);
                    continue;
                }
            };
            kept.insert(id, text);
        }
        sheet.values = values(given);
        sheet
    }

    fn unit_of(&self, cell: &str) -> &'a str {
        self.unit.get(cell).copied().unwrap_or_default()
    }

    fn tolerance_of(&self, cell: &str) -> Result<f64, Fault> {
        self.tolerance.get(cell).map_or(Ok(DEFAULT_TOLERANCE), |text| quantity::read(text, "%"))
    }

    fn cure(&self, id: &str, otherwise: &str) -> String {
        self.why.get(id).map_or_else(|| otherwise.to_owned(), |text| (*text).to_owned())
    }
}

/// The values of names without a dot; they may use each other.
fn values(given: &Texts) -> BTreeMap<String, f64> {
    let plain: Vec<(&String, Expr)> = given
        .iter()
        .filter(|(key, _)| !key.contains('.'))
        .filter_map(|(key, text)| Some((key, Expr::parse(text).ok()?)))
        .collect();
    let mut values = BTreeMap::new();
    for _ in 0..=plain.len() {
        let before = values.len();
        for (key, expr) in &plain {
            if let (false, Ok(value)) = (values.contains_key(*key), expr.value(&values)) {
                values.insert((*key).clone(), value);
            }
        }
        if values.len() == before {
            break;
        }
    }
    values
}

/// The given values, and the numbers that stand in the cells.
fn with_cells(sheet: &Sheet<'_>, cells: &Texts) -> BTreeMap<String, f64> {
    let mut values = sheet.values.clone();
    for (id, text) in cells {
        if let Ok(number) = quantity::read(text, sheet.unit_of(id)) {
            values.insert(format!("cell.{id}"), number);
        }
    }
    values
}

fn answer(given: &Texts, cells: &Texts, cell: &str) -> Option<String> {
    let sheet = Sheet::new(given);
    if let Some(accepted) = sheet.accept.get(cell) {
        return Some(accepted.split('|').next().unwrap_or_default().trim().to_owned());
    }
    let right = Expr::parse(sheet.expect.get(cell)?).ok()?.value(&with_cells(&sheet, cells)).ok()?;
    Some(format!("{} {}", quantity::digits(right), sheet.unit_of(cell)).trim().to_owned())
}

fn check(given: &Texts, cells: &Texts) -> Vec<Finding> {
    let sheet = Sheet::new(given);
    let values = with_cells(&sheet, cells);
    let mut findings = Vec::new();
    for id in sheet.expect.keys().chain(sheet.accept.keys()).collect::<BTreeSet<_>>() {
        let text = cells.get(*id).map(|t| t.trim()).unwrap_or_default();
        findings.push(match (text, sheet.expect.get(*id), sheet.accept.get(*id)) {
            ("", ..) => empty(id),
            (_, Some(expression), _) => number(&sheet, (id, text), expression, &values),
            (_, None, accepted) => words(&sheet, (id, text), accepted.copied().unwrap_or_default()),
        });
    }
    findings.extend(sheet.require.iter().map(|(id, condition)| requirement(&sheet, id, condition, &values)));
    findings
}

fn number(
    sheet: &Sheet<'_>,
    (id, text): (&str, &str),
    expression: &str,
    values: &BTreeMap<String, f64>,
) -> Finding {
    let unit = sheet.unit_of(id);
    let given = match quantity::read(text, unit) {
        Ok(given) => given,
        Err(fault) => return unreadable(id, &fault),
    };
    let right = Expr::parse(expression).and_then(|e| e.value(values));
    let (right, tolerance) = match (right, sheet.tolerance_of(id)) {
        (Ok(right), Ok(tolerance)) => (right, tolerance),
        (Err(fault), _) | (_, Err(fault)) => return missing(id, &fault, values, expression),
    };
    let finding = Finding::about(id, &[id]);
    let shown = |number: f64| {
        if unit.is_empty() {
            quantity::digits(number)
        } else {
            format!("{} {unit}", quantity::digits(number))
        }
    };
    let off = (given - right).abs();
    if off <= tolerance / 100.0 * right.abs() + 1e-9 {
        return finding.well("right", format!("{expression} = {}", shown(right)));
    }
    finding.faulty(
        format!("{} is not right", shown(given)),
        format!("{expression} = {}", shown(right)),
        sheet.cure(id, "work it out again"),
    )
}

/// The finding where an expression cannot be evaluated: another cell is missing, or the sheet is at fault.
fn missing(id: &str, fault: &Fault, values: &BTreeMap<String, f64>, expression: &str) -> Finding {
    let waits = Expr::parse(expression)
        .map(|e| e.names().into_iter().any(|n| n.starts_with("cell.") && !values.contains_key(n)))
        .unwrap_or(false);
    let finding = Finding::about(id, &[id]);
    if waits {
        return finding.faulty(
            "it depends on a cell that holds no number",
            expression,
            "fill in the other cells",
        );
    }
    finding.faulty(
        format!("the worksheet itself has a fault: {}", fault.what),
        expression,
        fault.cure.clone(),
    )
}

fn words(sheet: &Sheet<'_>, (id, text): (&str, &str), accepted: &str) -> Finding {
    let finding = Finding::about(id, &[id]);
    if accepted.split('|').any(|right| folded(right) == folded(text)) {
        return finding.well("right", "");
    }
    let first = accepted.split('|').next().unwrap_or_default().trim();
    finding.faulty(
        format!("`{}` is not right", text.escape_debug()),
        format!("the right answer is: {first}"),
        sheet.cure(id, "read the section again"),
    )
}

fn requirement(sheet: &Sheet<'_>, id: &str, condition: &str, values: &BTreeMap<String, f64>) -> Finding {
    let cells = |e: &Expr| {
        e.names().into_iter().filter_map(|n| n.strip_prefix("cell.").map(str::to_owned)).collect::<Vec<_>>()
    };
    let holds = Expr::parse(condition).and_then(|e| Ok((e.holds(values)?, cells(&e))));
    match holds {
        Ok((true, about)) => Finding { cells: about, ..Finding::about(id, &[]).well("it holds", condition) },
        Ok((false, about)) => {
            let cure = sheet.cure(id, "change the cells it names");
            Finding { cells: about, ..Finding::about(id, &[]).faulty("it does not hold", condition, cure) }
        }
        Err(fault) => missing(id, &fault, values, condition),
    }
}

fn faults(given: &Texts, cells: &BTreeSet<&str>) -> Vec<String> {
    let sheet = Sheet::new(given);
    let mut faults: Vec<String> = sheet
        .unknown
        .iter()
        .map(|key| format!("`{key}` is not a value that the checker table knows"))
        .collect();
    for (key, _) in given.iter().filter(|(key, _)| !key.contains('.')) {
        if !sheet.values.contains_key(key) {
            faults.push(format!("the value `{key}` is not an expression over the other values"));
        }
    }
    for (what, map) in [
        ("expect", &sheet.expect),
        ("accept", &sheet.accept),
        ("unit", &sheet.unit),
        ("tolerance", &sheet.tolerance),
    ] {
        for id in map.keys().filter(|id| !cells.contains(**id)) {
            faults.push(format!("`{what}.{id}` names a cell that is not there"));
        }
    }
    for id in cells.iter().filter(|id| !sheet.expect.contains_key(**id) && !sheet.accept.contains_key(**id)) {
        let used =
            |text: &&str| Expr::parse(text).is_ok_and(|e| e.names().contains(format!("cell.{id}").as_str()));
        if !sheet.require.values().any(used) {
            faults
                .push(format!("nothing checks the cell `{id}`; give expect.{id}, accept.{id} or a require"));
        }
    }
    for (id, text) in sheet.expect.iter().chain(&sheet.require) {
        expression_faults(&sheet, (id, text), cells, &mut faults);
    }
    for id in sheet.tolerance.keys() {
        if let Err(fault) = sheet.tolerance_of(id) {
            faults.push(format!("tolerance.{id}: {fault}"));
        }
    }
    faults
}

fn expression_faults(
    sheet: &Sheet<'_>,
    (id, text): (&str, &str),
    cells: &BTreeSet<&str>,
    faults: &mut Vec<String>,
) {
    let expr = match Expr::parse(text) {
        Ok(expr) => expr,
        Err(fault) => return faults.push(format!("`{id}`: {fault}")),
    };
    for name in expr.names() {
        let known =
            name.strip_prefix("cell.").map_or(sheet.values.contains_key(name), |cell| cells.contains(cell));
        if !known {
            faults.push(format!("`{id}` uses `{name}`, which is neither a value nor a cell"));
        }
    }
}
