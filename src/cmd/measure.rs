//! `measure`: runs a lab on real processes and puts predicted, simulated and measured beside each other.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::Write;
use std::time::Duration;

use anyhow::{Context as _, bail};
use serde_json::{Value as Json, json};

use super::Outcome;
use super::learn::data_dir;
use super::sim::{pair, write_json};
use crate::cli::{Global, Measure};
use crate::measure::compare::{self, Line};
use crate::measure::figures::{self, Run, Value};
use crate::measure::python::{self, Starter};
use crate::measure::table::Table;
use crate::measure::{Program, launch, programs};
use crate::process::Cancel;
use crate::services::library::Library;
use crate::store::Store;
use crate::widget::escape::line as escape;

/// Under what the Python is kept that labs are measured with.
const SETTING: &str = "measure.python";

/// Where the figures come from.
struct Source {
    run: Run,
    /// Why a stored run stands in; none where it ran here.
    stored_because: Option<String>,
}

/// Measures a lab, lists those that can be measured, or keeps the Python to do it with.
///
/// # Errors
/// Where there is no such lab, the Python that was named will not do, or the run fails.
pub fn run(
    asked: &Measure,
    global: &Global,
    library: &Library,
    out: &mut dyn Write,
) -> anyhow::Result<Outcome> {
    let all: Vec<Program> = library.packs.iter().flat_map(programs).collect();
    let Some(lab) = &asked.lab else {
        return match &asked.python {
            Some(python) => keep(python, global, out),
            None => list(&all, global, out),
        };
    };
    let program = find(&all, lab, library)?;
    let table = Table::read(&program.table).with_context(|| format!("the table of {}", program.lab))?;
    let predicted = predictions(&asked.predict)?;
    let source = measured(program, asked, global, out)?;
    let lines =
        compare::lines(&source.run, &table, &predicted, asked.simulate).map_err(anyhow::Error::msg)?;
    for id in predicted.keys() {
        if !lines.iter().any(|l| l.figure.id == *id) {
            let ids: Vec<&str> = lines.iter().map(|l| l.figure.id.as_str()).collect();
            bail!("{} has no figure `{}`; it has {}", program.lab, escape(id), ids.join(", "));
        }
    }
    if global.json {
        write_json(&as_json(&source, &lines), out)?;
    } else {
        print(program, &source, &lines, asked, out)?;
    }
    let failed = source.run.checks.iter().any(|c| !c.ok) || lines.iter().any(Line::is_wrong);
    Ok(if failed { Outcome::Failed } else { Outcome::Done })
}

/// The lab of this id, or of an id that begins so and no other does.
fn find<'a>(all: &'a [Program], lab: &str, library: &Library) -> anyhow::Result<&'a Program> {
    if let Some(program) = all.iter().find(|p| p.lab == lab) {
        return Ok(program);
    }
    let mut begin = all.iter().filter(|p| p.lab.starts_with(lab));
    if let (Some(program), None) = (begin.next(), begin.next()) {
        return Ok(program);
    }
    let labs: Vec<&str> = all.iter().map(|p| p.lab.as_str()).collect();
    let mut others = library.packs.iter().flat_map(|p| p.lessons.iter().flat_map(|l| &l.labs));
    if others.any(|l| l.id == lab) {
        bail!("lab `{}` has no measured program; these have: {}", escape(lab), labs.join(", "));
    }
    bail!("there is no lab `{}`; these can be measured: {}", escape(lab), labs.join(", "))
}

fn predictions(pairs: &[String]) -> anyhow::Result<BTreeMap<String, f64>> {
    pairs
        .iter()
        .map(|text| {
            let (id, value) = pair(text)?;
            let value = crate::sim::expr::value(value, &()).map_err(super::sim::said)?;
            Ok((id.to_owned(), value))
        })
        .collect()
}

fn named_python(asked: &Measure, global: &Global) -> anyhow::Result<Option<OsString>> {
    if let Some(python) = &asked.python {
        return Ok(Some(python.into()));
    }
    if let Some(python) = std::env::var_os(python::PYTHON) {
        return Ok(Some(python));
    }
    let store = Store::open(&data_dir(global)?)?;
    Ok(store.setting(SETTING)?.map(OsString::from))
}

/// Runs the lab where PyTorch is; takes the stored run where it is not, or where that is asked for.
fn measured(
    program: &Program,
    asked: &Measure,
    global: &Global,
    out: &mut dyn Write,
) -> anyhow::Result<Source> {
    let stored = |because: String| match figures::stored(&program.stored, asked.ranks) {
        Some(run) => Ok(Source { run, stored_because: Some(because) }),
        None => bail!("{because}; {} has no stored run either", program.lab),
    };
    if asked.stored {
        return stored("it was asked for".into());
    }
    let named = named_python(asked, global)?;
    let is_named = named.is_some();
    let starter = match python::find(std::env::var_os(python::TORCHRUN), named) {
        Ok(starter) => starter,
        // whoever names a Python wants that one
        Err(fault) if is_named => bail!("{fault}"),
        Err(fault) => return stored(fault.to_string()),
    };
    if !global.json {
        let torch = match &starter {
            Starter::Python(_, version) => format!("PyTorch {version}"),
            Starter::Torchrun(torchrun) => torchrun.to_string_lossy().into_owned(),
        };
        writeln!(out, "{}: {} ranks, {torch}, {} seconds at most …", program.lab, asked.ranks, asked.limit)?;
        out.flush()?;
    }
    let setup = launch::Setup {
        starter: &starter,
        ranks: asked.ranks,
        limit: Duration::from_secs(asked.limit),
        port: asked.port,
        set: &asked.set,
    };
    let run = launch::run(program, &setup, &Cancel::default()).map_err(anyhow::Error::msg)?;
    Ok(Source { run, stored_because: None })
}

fn keep(python: &str, global: &Global, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    let Starter::Python(_, version) = python::probe(python.into()).map_err(|f| anyhow::anyhow!("{f}"))?
    else {
        bail!("`{}` is no Python", escape(python));
    };
    let store = Store::open(&data_dir(global)?)?;
    store.set(SETTING, python, crate::time::now())?;
    writeln!(out, "Labs are measured with {}, PyTorch {version}.", escape(python))?;
    Ok(Outcome::Done)
}

fn list(all: &[Program], global: &Global, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    if global.json {
        let rows: Vec<Json> =
            all.iter().map(|p| json!({"lab": p.lab, "title": p.title, "program": p.file})).collect();
        write_json(&rows.into(), out)?;
        return Ok(Outcome::Done);
    }
    for program in all {
        writeln!(out, "{:<28} {}", program.lab, program.title)?;
    }
    writeln!(
        out,
        "\ninfralens measure LAB runs one on this machine; it needs a Python with PyTorch 2.6 or newer."
    )?;
    Ok(Outcome::Done)
}

fn as_json(source: &Source, lines: &[Line]) -> Json {
    let figures: Vec<Json> = lines
        .iter()
        .map(|line| {
            let simulated: Vec<Json> = line
                .simulated
                .iter()
                .map(|s| {
                    let fitted: BTreeMap<&String, f64> = s.fitted.iter().map(|(k, v)| (k, *v)).collect();
                    json!({"value": s.value, "from": s.from, "agrees": s.value.agrees(&line.figure.value),
                        "fitted": fitted, "notes": s.notes, "differs": s.differs})
                })
                .collect();
            json!({"id": line.figure.id, "label": line.figure.label, "unit": line.figure.unit,
                "exact": line.figure.exact, "predicted": line.predicted, "simulated": simulated,
                "measured": line.figure.value, "relative_error": line.relative_error()})
        })
        .collect();
    json!({"lab": source.run.lab, "stored": source.stored_because, "ranks": source.run.ranks,
        "torch": source.run.torch, "backend": source.run.backend, "machine": source.run.machine,
        "knobs": source.run.knobs, "seconds": source.run.seconds, "figures": figures, "checks": source.run.checks})
}

fn print(
    program: &Program,
    source: &Source,
    lines: &[Line],
    asked: &Measure,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let run = &source.run;
    if let Some(why) = &source.stored_because {
        writeln!(out, "A stored run, not one of this machine: {why}.")?;
    }
    let machine = &run.machine;
    let gpus = if machine.gpus.is_empty() { "no GPU".into() } else { machine.gpus.join(", ") };
    writeln!(
        out,
        "{}: {} ranks on {} ({} cores, {gpus}, {}), {}, PyTorch {}, Python {}, {}; {:.0} s",
        escape(&run.lab),
        run.ranks,
        escape(&machine.cpu),
        machine.cores,
        escape(&machine.system),
        escape(&run.backend),
        escape(&run.torch),
        escape(&machine.python),
        escape(&machine.date),
        run.seconds
    )?;
    let width = lines.iter().map(|l| l.figure.label.chars().count()).max().unwrap_or(0);
    writeln!(out, "\n{:width$}  {:>11}  {:>11}  {:>11}  error", "", "predicted", "simulated", "measured")?;
    for line in lines {
        print_line(line, width, out)?;
    }
    for check in &run.checks {
        writeln!(out, "{} {}", if check.ok { "✓" } else { "✗ does not hold:" }, escape(&check.what))?;
    }
    explain(lines, out)?;
    if lines.iter().any(|l| l.needs_fit) && !asked.simulate {
        writeln!(
            out,
            "\nTimes that hang on this machine's cores and links: --simulate fits the simulator to them."
        )?;
    }
    if asked.simulate {
        print_fit(lines, out)?;
    }
    writeln!(out, "\nBy hand: {}", launch::typed(program, run.ranks, &asked.set))?;
    Ok(())
}

fn print_line(line: &Line, width: usize, out: &mut dyn Write) -> anyhow::Result<()> {
    let figure = &line.figure;
    let shown = |value: &Value| show(value, &figure.unit);
    let predicted = line.predicted.map_or(String::new(), |p| shown(&Value::Number(p)));
    let simulated = line.simulated.first().map_or("–".into(), |s| shown(&s.value));
    let error = if line.is_wrong() {
        "✗ must agree".into()
    } else if figure.exact && !line.simulated.is_empty() {
        "✓".into()
    } else {
        line.relative_error().map_or(String::new(), |e| format!("{:+.0}%", e * 100.0))
    };
    let label = escape(&figure.label);
    let measured = shown(&figure.value);
    if let Value::Groups(groups) = &figure.value {
        writeln!(out, "{label:width$}  {:>11}  {:>11}  {:>11}  {error}", "", "", counted(groups))?;
        writeln!(out, "    {}", shorten(&measured))?;
    } else {
        writeln!(out, "{label:width$}  {predicted:>11}  {simulated:>11}  {measured:>11}  {error}")?;
    }
    Ok(())
}

fn counted(groups: &[Vec<i64>]) -> String {
    format!("{} groups", groups.len())
}

/// Each explanation once, with what it is about.
fn explain(lines: &[Line], out: &mut dyn Write) -> anyhow::Result<()> {
    let mut told: Vec<&str> = Vec::new();
    let off =
        |l: &&Line| l.is_wrong() || (!l.figure.exact && l.relative_error().is_some_and(|e| e.abs() > 0.05));
    for line in lines.iter().filter(off) {
        for simulated in &line.simulated {
            if !told.contains(&&simulated.differs[..]) {
                if told.is_empty() {
                    writeln!(out, "\nWhat explains a difference")?;
                }
                told.push(&simulated.differs);
                writeln!(out, "  {}: {}", escape(&line.figure.label), simulated.differs)?;
            }
        }
    }
    Ok(())
}

/// The knobs that describe this machine, and how to open the simulator with them.
fn print_fit(lines: &[Line], out: &mut dyn Write) -> anyhow::Result<()> {
    let fitted = lines.iter().flat_map(|l| &l.simulated).find(|s| !s.fitted.is_empty());
    let Some(simulated) = fitted else { return Ok(()) };
    let knobs: Vec<String> = simulated.fitted.iter().map(|(k, v)| format!("{k} {v:.3}")).collect();
    writeln!(out, "\nFitted to this machine: {}", knobs.join(", "))?;
    if let Some((command, _)) = simulated.from.rsplit_once(':') {
        writeln!(out, "Open it so: infralens {command}")?;
    }
    for note in lines.iter().flat_map(|l| &l.simulated).flat_map(|s| &s.notes).take(3) {
        writeln!(out, "Note: {note}")?;
    }
    Ok(())
}

fn shorten(text: &str) -> String {
    const MOST: usize = 76;
    match text.char_indices().nth(MOST) {
        Some((at, _)) => format!("{} …", &text[..at]),
        None => text.to_owned(),
    }
}

/// A value with its unit, for people.
fn show(value: &Value, unit: &str) -> String {
    let number = match value {
        Value::Number(number) => *number,
        Value::List(list) => return format!("{list:?}"),
        Value::Groups(groups) => {
            return groups.iter().map(|g| format!("{g:?}")).collect::<Vec<_>>().join(" ");
        }
    };
    match unit {
        "s" if number.abs() < 1e-3 => format!("{:.0} us", number * 1e6),
        "s" if number.abs() < 1.0 => format!("{:.1} ms", number * 1e3),
        "s" => format!("{number:.2} s"),
        "B" => format!("{number:.0} B"),
        "B/s" => format!("{:.3} GB/s", number / 1e9),
        "share" => format!("{:.1}%", number * 100.0),
        "x" => format!("{number:.2} x"),
        _ if number.fract() == 0.0 => format!("{number:.0}"),
        _ => format!("{number:.3}"),
    }
}
