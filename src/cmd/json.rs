//! JSON on standard output: what it holds steers no terminal, and reads back as it was.

use std::io::Write;

use serde::Serialize;

use crate::doc::escape;

/// Writes a value, indented, with a line end.
///
/// # Errors
/// Where it cannot be written.
pub fn pretty(value: &impl Serialize, out: &mut dyn Write) -> anyhow::Result<()> {
    put(&serde_json::to_string_pretty(value)?, out)
}

/// Writes a value on a line of its own.
///
/// # Errors
/// Where it cannot be written.
pub fn line(value: &impl Serialize, out: &mut dyn Write) -> anyhow::Result<()> {
    put(&serde_json::to_string(value)?, out)
}

fn put(text: &str, out: &mut dyn Write) -> anyhow::Result<()> {
    out.write_all(escape::json(text).as_bytes())?;
    writeln!(out)?;
    Ok(())
}
