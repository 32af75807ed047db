//! A lab's program on real processes, with its notes and what its figures are compared with.

use std::collections::BTreeMap;

use toml::Spanned;

use crate::measure::compare;
use crate::measure::figures;
use crate::measure::table::Row;
use crate::sim::Sim;

use super::desk::Desk;
use super::lab::{asset, explained};
use super::names::Kind;
use super::{Code, Guess, Lesson, Measure, raw};

/// Turns a file of a measured lab into its program with notes and rows.
pub(super) fn measure(raw: raw::Measure, desk: &mut Desk<'_>) -> Measure {
    desk.names.use_id(Kind::Lab, &raw.lab);
    desk.names.define(Kind::Measured, &raw.lab);
    desk.unique("file", std::iter::once(&*raw.program).chain(raw.imports.iter().map(|i| &*i.file)));
    let full = desk.is_full();
    if full {
        raw.figures.iter().for_each(|figure| known(figure, desk));
    }
    let places: Vec<Spanned<String>> = raw
        .guesses
        .iter()
        .map(|guess| Spanned::new(guess.figure.span(), guess.figure.get_ref().clone()))
        .collect();
    let stored_at = raw.stored.as_ref().map(|path| path.span());
    let made = Measure {
        program: code(raw.program, raw.blocks, true, desk),
        imports: raw.imports.into_iter().map(|import| imported(import, desk)).collect(),
        guesses: raw
            .guesses
            .into_iter()
            .map(|guess| Guess { figure: guess.figure.into_inner(), ask: desk.text(guess.ask) })
            .collect(),
        rows: raw.figures.into_iter().map(row).collect(),
        stored: raw.stored.and_then(|path| asset(&path, desk)).unwrap_or_default(),
    };
    if let Some(span) = stored_at.filter(|_| full) {
        stored(&made, &span, desk);
        for figure in places {
            guessed(&made, &figure, desk);
        }
    }
    made
}

fn imported(raw: raw::Import, desk: &mut Desk<'_>) -> Code {
    if let Some(lab) = &raw.explained_in {
        desk.names.use_id(Kind::Measured, lab);
    }
    let is_explained_here = raw.explained_in.is_none();
    code(raw.file, raw.blocks, is_explained_here, desk)
}

fn code(path: raw::FilePath, blocks: Vec<raw::Block>, is_explained: bool, desk: &mut Desk<'_>) -> Code {
    let name = path.get_ref();
    let stem = name.rsplit('/').next().and_then(|name| name.strip_suffix(".py"));
    if !stem.is_some_and(|stem| !stem.is_empty() && !stem.starts_with('.')) {
        desk.faults.error(
            path.span(),
            format!("`{name}` is not a Python file"),
            "name a file that ends in .py",
        );
    }
    let text = asset(&path, desk);
    let blocks = match &text {
        Some(text) if is_explained => explained(blocks, text, (&path, "python"), desk),
        _ => Vec::new(),
    };
    Code { path: path.into_inner(), text: text.unwrap_or_default(), blocks }
}

fn row(raw: raw::Figure) -> Row {
    let text = |text: raw::Expression| text.into_inner();
    Row {
        id: raw.id.into_inner(),
        when: raw.when.map(text),
        sim: raw.sim.map(raw::Worded::into_inner),
        set: raw::Figure::texts(raw.set),
        fit: raw::Figure::texts(raw.fit),
        output: raw.output.map(raw::Worded::into_inner),
        times: raw.times.map(text),
        formula: raw.formula.map(text),
        fitted: raw.fitted,
        list: raw.list.map(|list| list.into_iter().map(text).collect()),
        groups: raw.groups.map(raw::Worded::into_inner),
        order: raw.order.map(raw::Worded::into_inner),
        differs: raw.differs.into_inner(),
    }
}

/// Reports knobs and outputs that the simulator of a row does not have, and a row that compares with nothing, or
/// with two things.
fn known(figure: &raw::Figure, desk: &mut Desk<'_>) {
    let ways =
        [figure.sim.is_some(), figure.formula.is_some(), figure.list.is_some(), figure.groups.is_some()];
    if ways.into_iter().filter(|way| *way).count() != 1 {
        let what = format!("the figure `{}` must be compared with exactly one thing", figure.id.get_ref());
        desk.faults.error(figure.id.span(), what, "give it one of sim, formula, list and groups");
        return;
    }
    let Some(kind) = &figure.sim else { return };
    let Ok(sim) = Sim::open(kind.get_ref(), &BTreeMap::new()) else {
        return; // reported where it stands
    };
    for (knob, _) in figure.knobs().filter(|(knob, _)| sim.value(knob.get_ref()).is_none()) {
        let what = format!("the simulator `{}` has no parameter `{}`", kind.get_ref(), knob.get_ref());
        desk.faults.error(knob.span(), what, format!("`infralens sim {}` lists them", kind.get_ref()));
    }
    match &figure.output {
        None => desk.faults.error(
            kind.span(),
            "the row names a simulator but none of its outputs",
            "write output = \"…\"",
        ),
        Some(output) if sim.run().output(output.get_ref()).is_none() => desk.faults.error(
            output.span(),
            format!("the simulator `{}` has no output `{}`", kind.get_ref(), output.get_ref()),
            format!("`infralens sim {}` lists them", kind.get_ref()),
        ),
        Some(_) => {}
    }
}

/// Reports stored runs that cannot be read, and figures in them that are not what they must be.
fn stored(made: &Measure, span: &std::ops::Range<usize>, desk: &mut Desk<'_>) {
    for (at, line) in made.stored.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let fault = match figures::read(line) {
            Err(fault) => Some(fault),
            Ok(run) => match compare::lines(&run, &made.rows, &BTreeMap::new(), true) {
                Err(fault) => Some(fault),
                Ok(lines) => lines
                    .iter()
                    .find(|line| line.is_wrong() || line.figure.exact && line.simulated.is_empty())
                    .map(|line| format!("the figure `{}` is not what its row says", line.figure.id)),
            },
        };
        if let Some(fault) = fault {
            let what = format!("the stored run in line {} cannot be used: {fault}", at + 1);
            desk.faults.error(span.clone(), what, "store what the program prints, or mend the rows");
        }
    }
}

/// Reports a prediction of a figure that no stored run has, or that is no number.
fn guessed(made: &Measure, figure: &Spanned<String>, desk: &mut Desk<'_>) {
    let runs: Vec<figures::Run> = made.stored.lines().filter_map(|line| figures::read(line).ok()).collect();
    let is_number = |f: &figures::Figure| f.id == *figure.get_ref() && f.value.number().is_some();
    if !runs.is_empty() && !runs.iter().any(|run| run.figures.iter().any(is_number)) {
        let what = format!("no stored run has a number `{}`", figure.get_ref());
        desk.faults.error(figure.span(), what, "name a figure that the program prints as a number");
    }
}

/// Gives the labs their measured programs. A file that another lab explains has its notes from there.
pub(super) fn attach(measures: Vec<(String, Box<Measure>)>, lessons: &mut [Lesson]) {
    let files: Vec<Code> = measures.iter().flat_map(|(_, measure)| measure.imports.clone()).collect();
    let labs = &mut lessons.iter_mut().flat_map(|lesson| &mut lesson.labs);
    let mut measures: BTreeMap<String, Box<Measure>> = measures.into_iter().collect();
    for lab in labs {
        let Some(mut measure) = measures.remove(&lab.id) else { continue };
        for import in measure.imports.iter_mut().filter(|import| import.blocks.is_empty()) {
            let same = |file: &&Code| file.path == import.path && !file.blocks.is_empty();
            if let Some(explained) = files.iter().find(same) {
                import.blocks.clone_from(&explained.blocks);
            }
        }
        lab.measure = Some(measure);
    }
}
