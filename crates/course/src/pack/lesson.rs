//! A lesson file as a [`Lesson`].

use std::collections::{BTreeMap, HashSet};

use crate::sim::Sim;

use super::desk::{Desk, plain};
use super::faults::{NOWHERE, Span};
use super::literal::Literal;
use super::names::Kind;
use super::problem::nearest;
use super::{Diagram, Formula, Lesson, Misunderstanding, Reference, Section, SimLink, Table};
use super::{lab, prose, raw};

/// Turns a lesson file into a lesson. `expected` is the id that the file's name promises.
pub(super) fn lesson(raw: raw::Lesson, expected: &str, desk: &mut Desk<'_>) -> Lesson {
    if raw.id.get_ref() != expected {
        desk.faults.error(
            raw.id.span(),
            format!("the lesson is called `{}`, its file `{expected}.toml`", raw.id.get_ref()),
            format!("write id = \"{expected}\", or rename the file and its entry in pack.toml"),
        );
    }
    desk.names.define(Kind::Lesson, &raw.id);
    desk.names.announce(expected);
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
        asked: raw.asked,
        job: plain(raw.job),
        needs: plain(raw.needs),
        section,
        labs,
    }
}

fn section(raw: raw::Section, desk: &mut Desk<'_>) -> Section {
    let mut listed = HashSet::new();
    for term in &raw.terms {
        desk.names.use_id(Kind::Term, term);
        if !listed.insert(term.get_ref().as_str()) && term.span() != NOWHERE {
            let what = format!("the term `{}` is listed twice", term.get_ref());
            desk.faults.error(term.span(), what, "list each term once");
        }
    }
    desk.unique("formula", raw.formulas.iter().map(|f| &*f.id));
    desk.unique("diagram", raw.diagrams.iter().map(|d| &*d.id));
    desk.unique("table", raw.tables.iter().map(|t| &*t.id));
    let mut placed = HashSet::new();
    for text in [&raw.problem, &raw.mechanism] {
        placements(&raw, text, &mut placed, desk);
    }
    Section {
        problem: desk.text(raw.problem),
        mechanism: desk.text(raw.mechanism),
        say: desk.text(raw.say),
        terms: plain(raw.terms),
        formulas: raw.formulas.into_iter().map(|f| formula(f, desk)).collect(),
        diagrams: raw.diagrams.into_iter().map(|d| diagram(d, desk)).collect(),
        tables: raw.tables.into_iter().map(|t| table(t, desk)).collect(),
        misunderstandings: raw
            .misunderstandings
            .into_iter()
            .map(|m| Misunderstanding { claim: desk.text(m.claim), truth: desk.text(m.truth) })
            .collect(),
        references: references(raw.references, desk),
    }
}

/// Reports lines that place a piece which the section does not have, or one that was placed before.
fn placements<'r>(
    raw: &'r raw::Section,
    text: &'r raw::Markdown,
    placed: &mut HashSet<(&'static str, &'r str)>,
    desk: &mut Desk<'_>,
) {
    let ids = |kind: &str| -> Vec<&str> {
        match kind {
            "diagram" => raw.diagrams.iter().map(|d| d.id.get_ref().as_str()).collect(),
            "formula" => raw.formulas.iter().map(|f| f.id.get_ref().as_str()).collect(),
            _ => raw.tables.iter().map(|t| t.id.get_ref().as_str()).collect(),
        }
    };
    let known: HashSet<(&str, &str)> = ["diagram", "formula", "table"]
        .into_iter()
        .flat_map(|kind| ids(kind).into_iter().map(move |id| (kind, id)))
        .collect();
    let literal = Literal::new(desk.faults.text(), &text.span());
    let mut start = 0;
    for line in text.get_ref().split_inclusive('\n') {
        let at = start..start + line.trim_end().len();
        start += line.len();
        let Some((kind, id)) = prose::placement(line) else {
            continue;
        };
        let is_known = known.contains(&(kind, id));
        if is_known && placed.insert((kind, id)) {
            continue;
        }
        let span = literal.inside(at);
        if is_known {
            let what = format!("the {kind} `{id}` is placed twice");
            desk.faults.error(span, what, "place it once, and refer to it by its title elsewhere");
            continue;
        }
        if desk.faults.are_many() {
            desk.faults.count();
            continue;
        }
        let cure = match nearest(id, ids(kind)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("write a {kind} `{id}`, or take the line out"),
        };
        let what = format!("the section has no {kind} `{id}` to place here");
        desk.faults.error(span, what, cure);
    }
}

/// Asks for the words of something that is drawn.
fn unspoken(what: &str, span: Span, words: &str, desk: &mut Desk) {
    let fault = format!("the {what} has no words for somebody who listens to the course");
    desk.faults.warning(span, fault, format!("add `spoken`: {words}"));
}

fn formula(raw: raw::Formula, desk: &mut Desk<'_>) -> Formula {
    if raw.spoken.is_none() {
        let cure = "the formula as you would say it aloud, such as \"N minus 1 over N\"";
        unspoken("formula", raw.id.span(), cure, desk);
    }
    Formula {
        spoken: raw.spoken.map(raw::Plain::into_inner),
        id: raw.id.into_inner(),
        title: raw.title.into_inner(),
        text: raw.text.into_inner(),
        symbols: raw.symbols.into_iter().map(|s| (s.symbol.into_inner(), desk.text(s.meaning))).collect(),
        example: desk.optional(raw.example),
        sim: raw.sim.map(|s| sim(s, desk)),
    }
}

fn diagram(raw: raw::Diagram, desk: &mut Desk<'_>) -> Diagram {
    if raw.spoken.is_none() {
        unspoken("diagram", raw.id.span(), "say in sentences what there is to see", desk);
    }
    Diagram {
        id: raw.id.into_inner(),
        title: raw.title.into_inner(),
        spoken: raw.spoken.map(raw::Plain::into_inner),
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
        columns: desk.texts(raw.columns),
        rows: raw.rows.into_iter().map(|row| desk.texts(row.into_inner())).collect(),
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
    if desk.is_full() {
        values(raw.kind.get_ref(), &raw.set, desk);
    }
    SimLink {
        kind: raw.kind.into_inner(),
        set: raw.set.into_iter().map(|(k, v)| (k.into_inner(), v)).collect(),
        note: desk.optional(raw.note),
    }
}

/// Reports values that the simulator does not have or does not take as they are.
pub(super) fn values(kind: &str, set: &raw::Named<f64>, desk: &mut Desk<'_>) {
    let Ok(mut sim) = Sim::open(kind, &BTreeMap::new()) else {
        return; // reported where it stands
    };
    for (name, value) in set {
        match sim.set(name.get_ref(), *value) {
            Ok(set) => {
                if let Some(note) = set.note {
                    let cure = "give a value that the simulator takes as it is";
                    desk.faults.warning(name.span(), note, cure);
                }
            }
            Err(fault) => desk.faults.error(name.span(), fault.what, fault.cure),
        }
    }
}
