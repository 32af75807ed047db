//! The verbs of the command line: parse, open what is needed, hand over, report.

use std::io::{self, IsTerminal as _, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context as _;

use crate::cli::class::ClassVerb;
use crate::cli::pack::PackVerb;
use crate::cli::{self, Cli, Global, Verb};
use crate::page::place::Place;
use crate::services::library::Library;
use crate::whole;

use learn::Packs;

pub(crate) mod calibrate;
mod carry;
mod class;
mod concept;
pub(crate) mod courses;
mod doctor;
mod history;
mod job;
mod json;
mod judge;
mod learn;
mod lines;
mod list;
mod measure;
pub mod pack;
pub mod pack_test;
mod page;
mod plain;
mod puzzle;
mod rehearse;
mod score;
mod search;
mod show;
mod sim;
mod stats;
pub mod sync;

/// How a verb ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Done.
    Done,
    /// The thing asked for failed: a check found errors.
    Failed,
    /// Ended from outside: the terminal was closed, or a signal came. Nobody waits for more output.
    Ended,
}

/// Runs what the command line asks for. Errors are the command line's or a file's fault.
///
/// # Errors
/// With a message for the person: the thing, the fault, the cure.
pub fn run(cli: Cli, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    if cli.global.json && !prints_json(cli.verb.as_ref()) {
        anyhow::bail!(
            "there is no JSON of this; leave `--json` out, or name what you want to know: list, show, search, \
             concept, history, stats, plan, due, score, sim, puzzle, measure, class and doctor print JSON"
        );
    }
    let converted = cli.global.plain && !cli.global.json && is_for_people(cli.verb.as_ref());
    if !converted {
        return verb(cli, out);
    }
    let mut lines = lines::Lines::new(out);
    let outcome = verb(cli, &mut lines)?;
    lines.flush()?;
    Ok(outcome)
}

/// Whether a verb prints something to be read by a program.
fn prints_json(verb: Option<&Verb>) -> bool {
    match verb {
        None => false,
        Some(Verb::Pack(verb)) => {
            matches!(verb, PackVerb::Check { .. } | PackVerb::List | PackVerb::Schema { .. })
        }
        Some(verb) => !matches!(
            verb,
            Verb::Learn { .. }
                | Verb::Drill { .. }
                | Verb::Rehearse(_)
                | Verb::Review { .. }
                | Verb::Calibrate { .. }
                | Verb::Import { .. }
                | Verb::Sync { .. }
                | Verb::Judge(_)
                | Verb::Completions { .. }
                | Verb::Man { .. }
        ),
    }
}

/// Whether a verb prints for people, not for programs.
fn is_for_people(verb: Option<&Verb>) -> bool {
    !matches!(
        verb,
        Some(
            Verb::Export { .. }
                | Verb::Completions { .. }
                | Verb::Man { .. }
                | Verb::Pack(PackVerb::Schema { .. } | PackVerb::Draft { .. } | PackVerb::Words)
                | Verb::Class(ClassVerb::Judged { .. })
        )
    )
}

fn verb(cli: Cli, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    let global = &cli.global;
    if let Some(Verb::Rehearse(how)) = &cli.verb {
        job::keep(&how.job, global)?;
    }
    match cli.verb {
        verb if (global.plain || plain::is_needed()) && plain::opens(verb.as_ref(), global) => {
            plain::open(verb, global, out)
        }
        None => learn::open(global, Packs::BuiltIn, |_| Ok(Place::Home)),
        Some(Verb::Learn { lesson }) => {
            learn::open_at(global, Packs::All, |l| learn::lesson(l, lesson.as_deref()))
        }
        Some(Verb::Drill { drill }) => {
            learn::open_at(global, Packs::All, |l| learn::drill(l, drill.as_deref()))
        }
        Some(Verb::Rehearse(how)) => {
            learn::open(global, Packs::All, |l| rehearse::place(&how, l, crate::time::now()))
        }
        Some(Verb::Review { ahead }) => learn::open(global, Packs::All, |_| Ok(Place::Review { ahead })),
        Some(Verb::List { what }) => list::run(&named_first(global)?.0, what, global, out),
        Some(Verb::Show { id }) => show::run(&library(global)?, &id, global, out),
        Some(Verb::Search { words }) => search::run(&library(global)?, &words, global, out),
        Some(Verb::History { drill, limit }) => {
            history::run(global, library(global)?, (drill.as_deref(), limit), out)
        }
        Some(Verb::Completions { shell }) => completions(shell, &library(global)?, out),
        Some(Verb::Man { write: None }) => man(out),
        Some(Verb::Man { write: Some(folder) }) => man_pages(&folder, out),
        Some(Verb::Measure(asked)) => measure::run(&asked, global, library(global)?, out),
        Some(Verb::Judge(verb)) => judge::run(verb, global, out),
        Some(Verb::Pack(verb)) => pack_verb(verb, global, out),
        Some(Verb::Score { drill, file, follow, batch, explain, judge }) => {
            let library = library(global)?;
            match (batch, drill) {
                (Some(batch), _) => score::batch(&library, &batch, out, &mut io::stderr()),
                (None, Some(drill)) if judge => judge::score(global, &library, &drill, file.as_deref(), out),
                (None, Some(drill)) => {
                    let how = score::How {
                        follow: follow.as_deref(),
                        json: global.json,
                        explain,
                        plain: global.plain,
                    };
                    score::one(&library, &drill, file.as_deref(), how, out)
                }
                (None, None) => anyhow::bail!("`score` needs a drill or --batch FILE"),
            }
        }
        Some(Verb::Calibrate { file, unmatched, half, fit, judge }) => {
            let text = std::fs::read_to_string(&file).with_context(|| {
                format!("cannot read {}; name a JSON Lines file of judged answers", file.display())
            })?;
            let packs = library(global)?.packs;
            match judge {
                true => calibrate::judge(&packs, &text, &judge::of(global)?, out),
                false => calibrate::run(&packs, &text, calibrate::How { unmatched, half, fit }, out),
            }
        }
        Some(Verb::Concept { id }) => {
            let (library, named) = named_first(global)?;
            // who names packs asks about these
            let packs = if named > 0 { &library.packs[..named] } else { &library.packs[..] };
            concept::run(packs, &id, global.json, out)
        }
        Some(Verb::Export { file, class: Some(pack), student, .. }) => {
            class::give(global, library(global)?, &class::Asked { pack, student, file }, out)
        }
        Some(Verb::Class(verb)) => class::run(verb, global, out),
        Some(Verb::Export { file, format, force, .. }) => {
            let to = carry::To { file: file.as_deref(), format, force };
            carry::export(global, &library(global)?, &to, out)
        }
        Some(Verb::Sync { folder }) => sync::run(global, &folder, out),
        Some(Verb::Import { file }) => carry::import(global, &file, out),
        Some(Verb::Puzzle { puzzle, set, hints }) => {
            let asked = puzzle::Asked { puzzle, set, hints };
            puzzle::run(&library(global)?, &asked, global, out)
        }
        Some(Verb::Sim { kind, set, preset }) => sim::run(&sim::Asked { kind, set, preset }, global, out),
        Some(Verb::Stats) => stats::run(global, library(global)?, out),
        Some(Verb::Plan { interview, job }) => {
            let asked = stats::Asked { interview: interview.as_deref(), job: &job };
            stats::plan(asked, global, library(global)?, out)
        }
        Some(Verb::Doctor) => doctor::run(global, out),
        Some(Verb::Due) => stats::due(global, &library(global)?, out),
    }
}

fn pack_verb(verb: PackVerb, global: &Global, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    match verb {
        PackVerb::New { path, example } => pack::new(&path, example, out),
        PackVerb::Check { paths, run } => {
            let checked = pack::check(&paths, pack::Form::of(global), out)?;
            let ran = if run { pack::expected(&paths, out)? } else { Outcome::Done };
            Ok(if ran == Outcome::Failed { ran } else { checked })
        }
        PackVerb::Schema { of, write } => pack::schema(of, write.as_deref(), out),
        PackVerb::Test { path, drill, judge: true, .. } => {
            let (origin, _) = pack::origins(path.as_slice()).remove(0);
            pack_test::three_ways(&courses::one(&origin)?, drill.as_deref(), &judge::of(global)?, out)
        }
        PackVerb::Test { path, drill, explain, .. } => {
            let mut failed = false;
            for (origin, _) in pack::origins(path.as_slice()) {
                let pack = courses::one(&origin)?;
                failed |= pack_test::run(&pack, drill.as_deref(), explain, out)? == Outcome::Failed;
            }
            Ok(if failed { Outcome::Failed } else { Outcome::Done })
        }
        PackVerb::Prune { path, drill, answers } => {
            let (origin, _) = pack::origins(path.as_slice()).remove(0);
            let pack = courses::one(&origin)?;
            let answers = match answers {
                Some(file) => calibrate::answers(std::slice::from_ref(&pack), &file)?,
                None => Vec::new(),
            };
            pack::prune(&pack, drill.as_deref(), &answers, out)
        }
        PackVerb::Upgrade { path, write } => pack::upgrade(&path, write, out),
        PackVerb::Words => {
            out.write_all(crate::pack::words().as_bytes())?;
            Ok(Outcome::Done)
        }
        PackVerb::Watch { path } => pack::watch(&path, pack::Form::of(global), out),
        PackVerb::Install { path, trust } => pack::install(&path, trust, global, out),
        PackVerb::Default { id } => pack::default(id.as_deref(), global, out),
        PackVerb::Draft { drill, answers, out: file } => {
            pack::draft(&library(global)?, &pack::Draft { drill, answers, file }, out)
        }
        PackVerb::Remove { id } => pack::remove(&id, global, out),
        PackVerb::List => pack::list(&courses::load(global), global, out),
        PackVerb::Trust { id } => pack::trust(&id, &courses::load(global), global, out),
    }
}

/// The packs of the command line; every broken one is an error here, where nothing can show it.
fn library(global: &Global) -> anyhow::Result<Library> {
    is_sound(courses::load(global), global)
}

/// The same, those that the command line names first; with how many these are.
fn named_first(global: &Global) -> anyhow::Result<(Library, usize)> {
    let (library, named) = courses::load_named_first(global);
    Ok((is_sound(library, global)?, named))
}

fn is_sound(library: Library, global: &Global) -> anyhow::Result<Library> {
    // an installed pack that does not load is no fault of this command line
    let asked = |path: &str| global.pack.iter().any(|p| p.display().to_string() == path);
    if let Some(broken) = library.broken.iter().find(|b| asked(&b.path)) {
        anyhow::bail!("{}\n{}", broken.path, broken.report.join("\n"));
    }
    Ok(library)
}

fn completions(
    shell: clap_complete::Shell,
    library: &Library,
    out: &mut dyn Write,
) -> anyhow::Result<Outcome> {
    out.write_all(&cli::complete::script(shell, library))?;
    Ok(Outcome::Done)
}

/// The manual page: into a pipe as a page for `man`, on a terminal to be read.
fn man(out: &mut dyn Write) -> anyhow::Result<Outcome> {
    let page = clap_mangen::Man::new(cli::help::command());
    if !io::stdout().is_terminal() {
        page.render(out)?;
        return Ok(Outcome::Done);
    }
    let mut file = tempfile::Builder::new().prefix("infralens").suffix(".1").tempfile()?;
    page.render(&mut file)?;
    let shown = std::process::Command::new("man").arg(file.path()).status();
    if !shown.is_ok_and(|status| status.success()) {
        // there is no `man` here
        write!(out, "{}", cli::help::command().render_long_help())?;
    }
    Ok(Outcome::Done)
}

/// Writes a page for the program and one for each verb.
fn man_pages(folder: &Path, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    let written = whole::put_all(folder, |folder| clap_mangen::generate_to(cli::help::command(), folder));
    let shown = folder.display().to_string();
    let shown = crate::doc::escape::line(&shown);
    written.with_context(|| {
        format!("cannot write the manual pages to {shown}; name a folder you can write to")
    })?;
    writeln!(out, "The manual pages are in {shown}.")?;
    Ok(Outcome::Done)
}

/// The exit status of a result; a closed pipe is success, everything else is reported.
pub fn report(result: anyhow::Result<Outcome>, errors: &mut dyn Write) -> ExitCode {
    match result {
        Ok(Outcome::Done | Outcome::Ended) => ExitCode::SUCCESS,
        Ok(Outcome::Failed) => ExitCode::from(1),
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // Where even standard error is closed, the status has to tell.
            let text = format!("infralens: {}", causes(&error));
            let _ = writeln!(errors, "{}", crate::doc::escape::lines(&text));
            ExitCode::from(2)
        }
    }
}

/// A fault and what caused it, each said once: some causes stand in what is said of them.
pub fn causes(error: &anyhow::Error) -> String {
    let mut said = String::new();
    for cause in error.chain().map(ToString::to_string).filter(|cause| !cause.is_empty()) {
        let cause = without_number(&cause);
        if said.is_empty() {
            said = cause;
        } else if !said.contains(&cause) {
            said = format!("{said}: {cause}");
        }
    }
    said
}

/// A text without the numbers that the system gives its faults: they are for programs.
fn without_number(text: &str) -> String {
    let Some((before, rest)) = text.split_once(" (os error ") else { return text.to_owned() };
    let after = rest.split_once(')').map_or("", |(_, after)| after);
    format!("{before}{}", without_number(after))
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        // JSON that is written keeps the fault of its output to itself
        let of_json = cause.downcast_ref::<serde_json::Error>().and_then(serde_json::Error::io_error_kind);
        let kind = cause.downcast_ref::<io::Error>().map(io::Error::kind).or(of_json);
        kind == Some(io::ErrorKind::BrokenPipe)
    })
}
