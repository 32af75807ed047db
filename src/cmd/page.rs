//! A page as a verb prints it: its rows in columns, as sentences with `--plain`, or as JSON.

use std::io::{IsTerminal as _, Write};

use serde_json::Value;

use crate::cli::Global;
use crate::doc::speech::Form;
use crate::page::view::View;
use crate::page::{At, Page};
use crate::services::Services;
use crate::time;

/// Prints what a page shows.
///
/// # Errors
/// Where the output fails.
pub fn print(
    page: &dyn Page,
    services: &mut Services,
    global: &Global,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let mut effects = Vec::new();
    let view = page.view(&At { services, now: time::now(), out: &mut effects });
    put(&view, page.json(), global, out)
}

/// Prints a view, or what it says as JSON where that is asked for.
///
/// # Errors
/// Where the output fails.
pub fn put(view: &View, json: Option<Value>, global: &Global, out: &mut dyn Write) -> anyhow::Result<()> {
    let form = if global.plain { Form::Printed } else { Form::Columns };
    put_as(form, view, json, global, out)
}

/// Prints a view that is a list: with a tab between its columns where a program reads it.
///
/// # Errors
/// Where the output fails.
pub fn list(view: &View, json: Option<Value>, global: &Global, out: &mut dyn Write) -> anyhow::Result<()> {
    let form = match () {
        () if global.plain => Form::Printed,
        () if std::io::stdout().is_terminal() => Form::Columns,
        () => Form::Tabs,
    };
    put_as(form, view, json, global, out)
}

fn put_as(
    form: Form,
    view: &View,
    json: Option<Value>,
    global: &Global,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    if let Some(value) = json.filter(|_| global.json) {
        return super::sim::write_json(&value, out);
    }
    let width = super::plain::width();
    if !view.facts.is_empty() {
        // as lines say it: `5 hours 4 minutes to go`
        writeln!(out, "{}\n", crate::doc::aloud::aloud(&view.facts))?;
    }
    for part in std::iter::once(&view.body).chain(&view.side) {
        for line in part.lines(width, form) {
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}
