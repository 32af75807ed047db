//! Opens a copy of a starter in the person's editor. The pack's own file is never changed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::Outside;
use super::run::Starter;
use crate::app::effect::Reply;

/// The job that needs the terminal: write the copy where there is none yet, open the editor.
pub fn job(starter: &Starter, work: &Path) -> Outside {
    let copy = match copied(starter, work) {
        Ok(path) => path,
        Err(e) => {
            let text = format!("cannot write a copy to {}: {e}; make room or permit it", work.display());
            return Outside::Done(Some(Reply::Failed(text)));
        }
    };
    Outside::NeedsTerminal(Box::new(move || open(&copy)))
}

fn copied(starter: &Starter, work: &Path) -> std::io::Result<PathBuf> {
    let folder = work.join("starters");
    fs::create_dir_all(&folder)?;
    let path = folder.join(&starter.file);
    if !path.exists() {
        fs::write(&path, &starter.text)?;
    }
    Ok(path)
}

/// `$VISUAL`, then `$EDITOR`, then `vi`. The variable may hold arguments: `code --wait`.
fn open(path: &Path) -> Reply {
    let named =
        ["VISUAL", "EDITOR"].into_iter().find_map(|v| std::env::var(v).ok().filter(|s| !s.trim().is_empty()));
    let named = named.unwrap_or_else(|| "vi".into());
    let mut words = named.split_whitespace();
    let program = words.next().unwrap_or("vi");
    match Command::new(program).args(words).arg(path).status() {
        Ok(status) if status.success() => Reply::Said(format!("your copy is {}", path.display())),
        Ok(status) => {
            Reply::Failed(format!("{program} ended with {status}; your copy is {}", path.display()))
        }
        Err(e) => Reply::Failed(format!("{program} did not start: {e}; set EDITOR to your editor")),
    }
}
