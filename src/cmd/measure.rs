//! `measure`: runs a lab on real processes, through the page that shows it in the tutor.

use std::collections::BTreeMap;
use std::io::{IsTerminal as _, Write};
use std::time::Duration;

use anyhow::bail;
use serde_json::{Value as Json, json};

use super::Outcome;
use super::learn::{data_dir, services};
use super::sim::{pair, write_json};
use crate::cli::{Global, Measure};
use crate::measure::python::{self, Starter};
use crate::measure::{Program, SETTING, program, programs};
use crate::page::measure::{How, Measure as MeasurePage};
use crate::page::{At, Effect, Page};
use crate::services::job::Done;
use crate::services::library::Library;
use crate::services::{Record, Services, run};
use crate::widget::escape::line as escape;

/// Measures a lab, lists those that can be measured, or keeps the Python to do it with.
///
/// # Errors
/// Where there is no such lab, the Python that was named will not do, or the run fails.
pub fn run(
    asked: &Measure,
    global: &Global,
    library: Library,
    out: &mut dyn Write,
) -> anyhow::Result<Outcome> {
    let (mut services, _) = services(&data_dir(global)?, library);
    let Some(lab) = &asked.lab else {
        return match &asked.python {
            Some(python) => keep(python, &mut services, out),
            None => list(&services.library, global, out),
        };
    };
    let (pack, id) = find(lab, &services.library)?;
    let predicted = predictions(&asked.predict)?;
    let ids: Vec<String> = predicted.keys().cloned().collect();
    let mut effects = Vec::new();
    let mut at = At { services: &mut services, now: crate::time::now(), out: &mut effects };
    let mut page = MeasurePage::still(pack, &id, &at).map_err(anyhow::Error::msg)?;
    let how = How {
        ranks: asked.ranks,
        limit: Duration::from_secs(asked.limit),
        port: asked.port,
        set: asked.set.clone(),
    };
    page.set_up(how, predicted, asked.simulate);
    work(&mut page, asked, global, &mut at, out)?;
    let known = page.figures();
    if let Some(unknown) = ids.iter().find(|id| !known.contains(&id.as_str())) {
        bail!("{id} has no figure `{}`; it has {}", escape(unknown), known.join(", "));
    }
    super::page::print(&page, &mut services, global, out)?;
    Ok(if page.is_wrong() { Outcome::Failed } else { Outcome::Done })
}

/// Runs the lab where PyTorch is; takes the stored run where it is not, or where that is asked for. What the page
/// says of a fault ends the verb.
fn work(
    page: &mut MeasurePage,
    asked: &Measure,
    global: &Global,
    at: &mut At,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    if asked.stored {
        page.stand_in("you asked for it".into(), at);
        return said(at);
    }
    let setting = at.services.setting(SETTING)?;
    let (torchrun, python) = python::named(setting);
    let python = asked.python.clone().map(Into::into).or(python);
    let is_named = python.is_some();
    page.done(&Done::Found(python::find(torchrun, python)), at);
    let Some(order) = page.order() else {
        let why = page.missing().unwrap_or("no PyTorch was found").to_owned();
        // whoever names a Python wants that one
        if is_named {
            bail!("{why}");
        }
        page.stand_in(why, at);
        return said(at);
    };
    if let Some(refused) = at.services.refused(&crate::services::job::Job::Measure(Box::new(order.clone()))) {
        return ended(page, refused, at);
    }
    if !global.json {
        let (lab, setup) = (escape(&order.program.lab).into_owned(), &order.setup);
        let (ranks, seconds) = (setup.ranks, setup.limit.as_secs());
        writeln!(out, "{lab}: {ranks} ranks, {}, {seconds} seconds at most …", setup.starter)?;
        out.flush()?;
    }
    #[cfg(unix)]
    order.cancel.on_signals()?;
    let done = run::measured(order);
    ended(page, done, at)
}

/// Gives the page the end of its run.
fn ended(page: &mut MeasurePage, done: Done, at: &mut At) -> anyhow::Result<()> {
    match done {
        Done::Measured { run: Err(fault), .. } => bail!("{fault}"),
        Done::Measured { run: Ok(run), .. } => {
            page.take(*run, at);
            said(at)
        }
        _ => Ok(()),
    }
}

/// What the page said is a fault here: nothing else is said before it is printed.
fn said(at: &mut At) -> anyhow::Result<()> {
    match at.out.drain(..).find_map(|effect| match effect {
        Effect::Say(text) => Some(text),
        _ => None,
    }) {
        Some(text) => bail!("{text}"),
        None => Ok(()),
    }
}

/// The pack and the id of the lab of this id, or of an id that begins so and no other does.
fn find(lab: &str, library: &Library) -> anyhow::Result<(usize, String)> {
    let all =
        || library.packs.iter().enumerate().flat_map(|(at, p)| programs(p).into_iter().map(move |p| (at, p)));
    let (wanted, id) = lab.split_once(':').map_or((None, lab), |(pack, id)| (Some(pack), id));
    let of = |at: usize| wanted.is_none_or(|wanted| library.packs[at].id == wanted);
    let named: Vec<(usize, Program)> = all().filter(|(at, _)| of(*at)).collect();
    let exact: Vec<&(usize, Program)> = named.iter().filter(|(_, p)| p.lab == id).collect();
    let found =
        if exact.is_empty() { named.iter().filter(|(_, p)| p.lab.starts_with(id)).collect() } else { exact };
    if let [(at, program)] = found[..] {
        return Ok((*at, program.lab.clone()));
    }
    let full = |(at, p): &(usize, Program)| format!("{}:{}", library.packs[*at].id, p.lab);
    if found.len() > 1 {
        let names: Vec<String> = found.into_iter().map(full).collect();
        bail!("several labs match `{}`: name one of {}", escape(lab), names.join(", "));
    }
    let labs: Vec<String> = all().map(|(_, p)| p.lab).collect();
    let mut others = library.packs.iter().flat_map(|p| p.lessons.iter().flat_map(|l| &l.labs));
    if others.any(|l| l.id == id && program(l).is_none()) {
        bail!("lab `{}` has no program to measure; these do: {}", escape(lab), labs.join(", "));
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

fn keep(python: &str, services: &mut Services, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    let starter = python::find(None, Some(python.into())).map_err(|f| anyhow::anyhow!("{f}"))?;
    services.keep(Record::setting(SETTING, python.to_owned()), crate::time::now()).at_once()?;
    let with = match starter {
        Starter::Python(_, version) => format!("{}, PyTorch {version}", escape(python)),
        Starter::Torchrun(_) => escape(python).into_owned(),
    };
    writeln!(out, "Labs are measured with {with}.")?;
    Ok(Outcome::Done)
}

fn list(library: &Library, global: &Global, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    let all: Vec<Program> = library.packs.iter().flat_map(programs).collect();
    if global.json {
        let rows: Vec<Json> =
            all.iter().map(|p| json!({"lab": p.lab, "title": p.title, "program": p.file.0})).collect();
        write_json(&rows.into(), out)?;
        return Ok(Outcome::Done);
    }
    let is_piped = !std::io::stdout().is_terminal();
    for program in all {
        let (lab, title) = (escape(&program.lab), escape(&program.title));
        match global.plain {
            true => writeln!(out, "{lab}: {title}.")?,
            false if is_piped => writeln!(out, "{lab}\t{title}")?,
            false => writeln!(out, "{lab:<28} {title}")?,
        }
    }
    if is_piped && !global.plain {
        return Ok(Outcome::Done);
    }
    writeln!(
        out,
        "\ninfralens measure LAB runs one on this machine; it needs a Python with PyTorch 2.6 or newer."
    )?;
    Ok(Outcome::Done)
}
