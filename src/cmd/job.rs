//! `--job FILE`: what a job description asks for, for the plan and for rehearsals.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use anyhow::Context as _;

use super::learn::{data_dir, services};
use super::{courses, page};
use crate::cli::{Global, Job};
use crate::doc::escape;
use crate::page::At;
use crate::page::posting::{self, Posting as Page};
use crate::services::Services;
use crate::services::library::Library;
use crate::study::posting::{self as study, Posting};
use crate::time;

/// Keeps what the command line says about a job, before a screen opens.
///
/// # Errors
/// Where the file is no job description or the store cannot be used.
pub fn keep(job: &Job, global: &Global) -> anyhow::Result<()> {
    if job.says_nothing() {
        return Ok(());
    }
    if job.job.as_deref() == Some(Path::new("-")) {
        anyhow::bail!("a rehearsal reads your answers from standard input; give --job a file");
    }
    let (mut services, _) = services(&data_dir(global)?, courses::load(global));
    take(job, &mut services)
}

/// Keeps what the command line says about a job.
///
/// # Errors
/// Where the file is no job description, or the store does not take it.
pub fn take(job: &Job, services: &mut Services) -> anyhow::Result<()> {
    let asked = match &job.job {
        Some(file) => Some(read(file, &services.library)?),
        None if job.no_job => None,
        None => return Ok(()),
    };
    services.keep_posting(asked.as_ref(), time::now()).at_once().context("the job description was not kept")
}

/// Says what was found, and what it moves.
///
/// # Errors
/// Where the store or the output fails.
pub fn print(services: &mut Services, global: &Global, out: &mut dyn Write) -> anyhow::Result<()> {
    let mut said = Vec::new();
    let mut at = At { services, now: time::now(), out: &mut said };
    let found = Page::open(&mut at).map_err(anyhow::Error::msg)?;
    page::print(&found, services, global, out)?;
    writeln!(out)?;
    Ok(())
}

fn read(file: &Path, library: &Library) -> anyhow::Result<Posting> {
    let is_input = file == Path::new("-");
    let name = if is_input {
        "standard input".to_owned()
    } else {
        escape::line(&file.display().to_string()).into_owned()
    };
    let mut bytes = Vec::new();
    let most = study::MOST as u64 + 1;
    let read = match is_input {
        true => io::stdin().take(most).read_to_end(&mut bytes),
        false => File::open(file).and_then(|file| file.take(most).read_to_end(&mut bytes)),
    };
    read.with_context(|| format!("cannot read the job description {name}; name a text file"))?;
    let text = study::text(&bytes).map_err(|refused| anyhow::anyhow!("{name} {refused}"))?;
    let asked = Posting::read(text, &library.packs);
    if asked.is_empty() {
        anyhow::bail!("{name}: {}", posting::nothing_found());
    }
    Ok(asked)
}
