//! `pack new`: a small pack that works, to be changed into one's own.

use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::Context as _;

use crate::cmd::Outcome;

/// The files of a new pack; `ID` stands for the name of its folder.
const FILES: &[(&str, &str)] = &[
    ("pack.toml", include_str!("new/pack.toml")),
    ("glossary.toml", include_str!("new/glossary.toml")),
    ("lessons/first.toml", include_str!("new/lesson.toml")),
    ("quizzes/first.toml", include_str!("new/quiz.toml")),
    ("assets/average.py", include_str!("new/average.py")),
    ("assets/average.expected.txt", include_str!("new/average.expected.txt")),
];

/// Writes a new pack into a folder that does not exist or is empty.
///
/// # Errors
/// Where the folder holds something, or cannot be written.
pub fn run(folder: &Path, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    let holds_something = fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some());
    if holds_something {
        anyhow::bail!("{} is not empty; name a new folder", folder.display());
    }
    let id = id(folder);
    for (path, text) in FILES {
        let path = folder.join(path);
        let parent = path.parent().unwrap_or(folder);
        fs::create_dir_all(parent).with_context(|| format!("cannot make {}", parent.display()))?;
        let text = text.replace("\"ID\"", &format!("\"{id}\""));
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    writeln!(out, "{} is a pack that works. Next:", folder.display())?;
    writeln!(out, "  infralens pack check {}", folder.display())?;
    writeln!(out, "  infralens pack test {}", folder.display())?;
    writeln!(out, "  infralens --pack {}", folder.display())?;
    Ok(Outcome::Done)
}

/// The folder's name as an id: lower case letters, digits, hyphens.
fn id(folder: &Path) -> String {
    let name = folder.file_name().and_then(|n| n.to_str()).unwrap_or_default().to_lowercase();
    let id: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let id = id.trim_matches('-');
    if id.is_empty() { "my-pack".to_owned() } else { id.to_owned() }
}
