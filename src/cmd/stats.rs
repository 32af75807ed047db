//! `stats`, `plan` and `due`: what is strong, what to do each day, what waits.

use std::io::Write;

use serde_json::json;

use anyhow::Context as _;

use super::learn::{data_dir, read_store, reading, services};
use super::{Outcome, job, page};
use crate::cli::{Global, Job};
use crate::doc::escape;
use crate::page::plan::Plan;
use crate::page::progress::Progress;
use crate::page::{At, Page as _};
use crate::services::library::Library;
use crate::services::{INTERVIEW, Record, Services};
use crate::time;

/// Prints the map of lessons and parts with what stands below it, or all of it as JSON.
///
/// # Errors
/// Where the store cannot be read or the output not written.
pub fn run(global: &Global, library: Library, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    let mut services = reading(&data_dir(global)?, library)?;
    let mut said = Vec::new();
    let mut at = At { services: &mut services, now: time::now(), out: &mut said };
    let mut progress = Progress::open(&at).map_err(anyhow::Error::msg)?;
    if global.plain {
        progress.by_ear(&mut at);
    }
    if global.json {
        super::json::pretty(&progress.to_json(&services), out)?;
    } else {
        page::print(&progress, &mut services, global, out)?;
        if global.plain {
            writeln!(
                out,
                "\nEvery part of every lesson: `infralens stats --json`, or map on the page Progress of `infralens --plain`."
            )?;
        }
    }
    Ok(Outcome::Done)
}

/// What is set before the plan is printed.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// The day of the interview, as it was typed.
    pub interview: Option<&'a str>,
    /// The job that one applies for.
    pub job: &'a Job,
}

fn set_interview(typed: &str, services: &mut Services) -> anyhow::Result<()> {
    let now = time::now();
    let date = match typed.trim() {
        "none" => String::new(),
        text => match crate::page::plan::day::read(text, services.today(now)) {
            Ok(date) => date.to_string(),
            Err(fault) => anyhow::bail!("--interview: {}, or none", escape::line(&fault)),
        },
    };
    services.keep(Record::setting(INTERVIEW, date), now).at_once().context("the day was not kept")
}

/// Prints what to do each day until the interview; before it, what a job description asks for that is named now.
///
/// # Errors
/// Where the job description cannot be taken, the store cannot be read or the output not written.
pub fn plan(
    asked: Asked<'_>,
    global: &Global,
    library: Library,
    out: &mut dyn Write,
) -> anyhow::Result<Outcome> {
    let (mut services, _) = services(&data_dir(global)?, library);
    if let Some(day) = asked.interview {
        set_interview(day, &mut services)?;
    }
    job::take(asked.job, &mut services)?;
    if asked.job.job.is_some() && !global.json {
        job::print(&mut services, global, out)?;
    }
    let mut said = Vec::new();
    let mut at = At { services: &mut services, now: time::now(), out: &mut said };
    let plan = Plan::told(&mut at).map_err(anyhow::Error::msg)?;
    page::print(&plan, &mut services, global, out)?;
    Ok(Outcome::Done)
}

/// Says how much is due; fails where something is, for a shell prompt.
///
/// # Errors
/// Where the store cannot be read or the output not written.
pub fn due(global: &Global, library: &Library, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    let store = read_store(&data_dir(global)?)?;
    let mut total = 0;
    for pack in &library.packs {
        total += store.home(&pack.id, time::now(), &time::zone())?.due.total();
    }
    if global.json {
        writeln!(out, "{}", json!({"due": total}))?;
    } else {
        writeln!(out, "{total} due")?;
    }
    Ok(if total == 0 { Outcome::Done } else { Outcome::Failed })
}
