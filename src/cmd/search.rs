//! `search`: what words find, by name, in texts, or nearly so.

use std::io::Write;

use super::{Outcome, list, page};
use crate::cli::Global;
use crate::page::Page;
use crate::page::find::Find;
use crate::services::library::Library;

/// Prints what the words find, that which is named so first.
///
/// # Errors
/// Where there are no words, or the output cannot be written.
pub fn run(
    library: &Library,
    words: &[String],
    global: &Global,
    out: &mut dyn Write,
) -> anyhow::Result<Outcome> {
    if words.iter().all(|word| word.trim().is_empty()) {
        anyhow::bail!("`search` looks for words; name one at least, or see all with `infralens list`");
    }
    let found = Find::ids(&list::KINDS, &words.join(" "), library);
    page::put(&found.list(), found.json(), global, out)?;
    Ok(if found.is_empty() { Outcome::Failed } else { Outcome::Done })
}
