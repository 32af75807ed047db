//! A lesson file as a [`Lesson`].

use super::desk::{Desk, plain};
use super::names::Kind;
use super::{Diagram, Formula, Lesson, Misunderstanding, Reference, Section, SimLink, Table};
use super::{lab, prose, raw};

/// Turns a lesson file into a lesson. `expected` is the id that the file's name promises.
pub(super) fn lesson(raw: raw::Lesson, expected: &str, desk: &mut Desk<'_>) -> Lesson {
    if raw.id.get_ref() != expected {
        desk.faults.error(
            raw.id.span(),
            format!(
                "the lesson is called `{}`, its file `{expected}.toml`",
                raw.id.get_ref()
            ),
            format!("write id = \"{expected}\", or rename the file and its entry in pack.toml"),
        );
    }
    desk.names.define(Kind::Lesson, &raw.id);
    for need in &raw.needs {
        desk.names.use_id(Kind::Lesson, need);
    }
    let section = section(raw.section, desk);
    let labs = raw.labs.into_iter().map(|l| lab::lab(l, desk)).collect();
    Lesson {
        id: raw.id.into_inner(),
        title: raw.title.into_inner(),
        summary: raw.summary.into_inner(),
        minutes: raw.minutes,
        needs: plain(raw.needs),
        section,
        labs,
    }
}

fn section(raw: raw::Section, desk: &mut Desk<'_>) -> Section {
    for term in &raw.terms {
        desk.names.use_id(Kind::Term, term);
    }
    desk.unique("formula", raw.formulas.iter().map(|f| &*f.id));
    desk.unique("diagram", raw.diagrams.iter().map(|d| &*d.id));
    desk.unique("table", raw.tables.iter().map(|t| &*t.id));
    placements(&raw, desk);
    Section {
        problem: desk.text(raw.problem),
        mechanism: desk.text(raw.mechanism),
        say: desk.text(raw.say),
        terms: plain(raw.terms),
        formulas: raw.formulas.into_iter().map(|f| formula(f, desk)).collect(),
        diagrams: raw.diagrams.into_iter().map(diagram).collect(),
        tables: raw.tables.into_iter().map(|t| table(t, desk)).collect(),
        misunderstandings: raw
            .misunderstandings
            .into_iter()
            .map(|m| Misunderstanding {
                claim: desk.text(m.claim),
                truth: desk.text(m.truth),
            })
            .collect(),
        references: references(raw.references, desk),
    }
}

/// Lines that place a piece must name one that the section has.
fn placements(raw: &raw::Section, desk: &mut Desk<'_>) {
    for (kind, id) in raw.mechanism.get_ref().lines().filter_map(prose::placement) {
        let is_there = match kind {
            "diagram" => raw.diagrams.iter().any(|d| d.id.get_ref() == id),
            "formula" => raw.formulas.iter().any(|f| f.id.get_ref() == id),
            _ => raw.tables.iter().any(|t| t.id.get_ref() == id),
        };
        if !is_there {
            desk.faults.error(
                raw.mechanism.span(),
                format!("`{{{kind} {id}}}` places a {kind} that the section does not have"),
                format!("write a {kind} `{id}`, or take the line out"),
            );
        }
    }
}

fn formula(raw: raw::Formula, desk: &mut Desk<'_>) -> Formula {
    Formula {
        id: raw.id.into_inner(),
        title: raw.title.into_inner(),
        text: raw.text.into_inner(),
        symbols: raw
            .symbols
            .into_iter()
            .map(|s| (s.symbol.into_inner(), desk.text(s.meaning)))
            .collect(),
        example: desk.optional(raw.example),
        sim: raw.sim.map(|s| sim(s, desk)),
    }
}

fn diagram(raw: raw::Diagram) -> Diagram {
    Diagram {
        id: raw.id.into_inner(),
        title: raw.title.into_inner(),
        text: raw.text.into_inner(),
    }
}

fn table(raw: raw::Table, desk: &mut Desk<'_>) -> Table {
    let columns = raw.columns.len();
    for row in &raw.rows {
        let cells = row.get_ref().len();
        if cells != columns {
            desk.faults.error(
                row.span(),
                format!("the row has {cells} cells, the table {columns} columns"),
                "give each row one cell for each column",
            );
        }
    }
    Table {
        id: raw.id.into_inner(),
        title: raw.title.into_inner(),
        columns: plain(raw.columns),
        rows: raw
            .rows
            .into_iter()
            .map(|row| desk.texts(row.into_inner()))
            .collect(),
    }
}

/// Sources.
pub(super) fn references(raw: Vec<raw::Reference>, desk: &mut Desk<'_>) -> Vec<Reference> {
    raw.into_iter()
        .map(|r| Reference {
            kind: r.kind,
            title: r.title.into_inner(),
            authors: r.authors.into_inner(),
            year: r.year,
            url: r.url.into_inner(),
            note: desk.optional(r.note),
        })
        .collect()
}

/// A simulator with its values.
pub(super) fn sim(raw: raw::Sim, desk: &mut Desk<'_>) -> SimLink {
    SimLink {
        kind: raw.kind.into_inner(),
        set: raw.set,
        note: desk.optional(raw.note),
    }
}
