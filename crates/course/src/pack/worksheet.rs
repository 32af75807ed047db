//! A worksheet.

use std::collections::{BTreeMap, BTreeSet};

use toml::Spanned;

use crate::sim::worksheet::faults;

use super::desk::{Desk, plain};
use super::names::Kind;
use super::raw::Worded;
use super::{Check, CheckKind, Worksheet, WorksheetCell, WorksheetRow, raw};

/// Turns a worksheet of a quiz file into a check.
pub(super) fn worksheet(raw: raw::Worksheet, lesson: &str, desk: &mut Desk<'_>) -> Check {
    desk.names.define(Kind::Check, &raw.id);
    desk.unique("cell", raw.rows.iter().flat_map(|r| &r.cells).map(|c| &*c.id));
    if desk.is_full() {
        judge(&raw, desk);
    }
    let cell = |c: raw::WorksheetCell| WorksheetCell {
        id: c.id.into_inner(),
        label: c.label.into_inner(),
        options: plain(c.options),
        start: c.start.map(Worded::into_inner),
    };
    let rows = raw
        .rows
        .into_iter()
        .map(|r| WorksheetRow { label: r.label.into_inner(), cells: r.cells.into_iter().map(cell).collect() })
        .collect();
    Check {
        id: raw.id.into_inner(),
        lesson: lesson.to_owned(),
        question: desk.text(raw.question),
        kind: CheckKind::Worksheet(Worksheet {
            title: raw.title.into_inner(),
            checker: raw.checker.into_inner(),
            given: raw.given.into_iter().map(|(k, v)| (k.into_inner(), v.into_inner())).collect(),
            rows,
        }),
        explain: desk.text(raw.explain),
        hints: desk.texts(raw.hints),
    }
}

/// Reports what the checker has to say about the given values and the cells, at the value or the
/// cell that it names.
fn judge(raw: &raw::Worksheet, desk: &mut Desk<'_>) {
    if crate::sim::worksheet::checker(raw.checker.get_ref()).is_none() {
        return; // reported where it stands
    }
    let given: BTreeMap<String, String> =
        raw.given.iter().map(|(k, v)| (k.get_ref().clone(), v.get_ref().clone())).collect();
    let cells = || raw.rows.iter().flat_map(|r| &r.cells).map(|c| &*c.id);
    let ids: BTreeSet<&str> = cells().map(|id| id.get_ref().as_str()).collect();
    for what in faults(raw.checker.get_ref(), &given, &ids) {
        let names = |key: &&Spanned<String>| what.contains(&format!("`{}`", key.get_ref()));
        let place = raw.given.keys().chain(cells()).find(names);
        let span = place.map_or(raw.checker.span(), Spanned::span);
        let cure = "see docs/worksheets.md";
        let what = format!("the checker {} says: {what}", raw.checker.get_ref());
        desk.faults.error(span, what, cure);
    }
}
