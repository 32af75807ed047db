//! Opens a copy of a starter in the person's editor. The pack's own file is never changed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::run::Starter;
use crate::page::job::Done;

/// Writes the copy where there is none yet, and gives its path.
///
/// # Errors
/// Where it cannot be written.
pub fn copied(starter: &Starter, work: &Path) -> std::io::Result<PathBuf> {
    let folder = work.join("starters");
    fs::create_dir_all(&folder)?;
    let path = folder.join(&starter.file);
    if !path.exists() {
        fs::write(&path, &starter.text)?;
    }
    Ok(path)
}

/// `$VISUAL`, then `$EDITOR`, then `vi`. The variable may hold arguments: `code --wait`.
pub fn open(path: &Path) -> Done {
    let named =
        ["VISUAL", "EDITOR"].into_iter().find_map(|v| std::env::var(v).ok().filter(|s| !s.trim().is_empty()));
    let named = named.unwrap_or_else(|| "vi".into());
    let mut words = named.split_whitespace();
    let program = words.next().unwrap_or("vi");
    match Command::new(program).args(words).arg(path).status() {
        Ok(status) if status.success() => Done::Said(format!("your copy is {}", path.display())),
        Ok(status) => Done::Failed(format!("{program} ended with {status}; your copy is {}", path.display())),
        Err(e) => Done::Failed(format!("{program} did not start: {e}; set EDITOR to your editor")),
    }
}
