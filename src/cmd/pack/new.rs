//! `pack new`: a small pack that works, to be changed into one's own.

use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::Context as _;

use crate::cmd::Outcome;
use crate::doc::escape;

/// The files of a new pack; `ID` stands for the name of its folder.
const FILES: &[(&str, &str)] = &[
    ("pack.toml", include_str!("new/pack.toml")),
    ("glossary.toml", include_str!("new/glossary.toml")),
    ("lessons/first.toml", include_str!("new/lesson.toml")),
    ("quizzes/first.toml", include_str!("new/quiz.toml")),
    ("assets/average.py", include_str!("new/average.py")),
    ("assets/average.expected.txt", include_str!("new/average.expected.txt")),
];

/// A finished pack of another field, to look things up in.
const EXAMPLE: &[(&str, &str)] = &[
    ("pack.toml", include_str!("../../../examples/tcp/pack.toml")),
    ("glossary.toml", include_str!("../../../examples/tcp/glossary.toml")),
    ("claims.toml", include_str!("../../../examples/tcp/claims.toml")),
    ("lessons/congestion.toml", include_str!("../../../examples/tcp/lessons/congestion.toml")),
    ("quizzes/1-throughput.toml", include_str!("../../../examples/tcp/quizzes/1-throughput.toml")),
    ("quizzes/2-bufferbloat.toml", include_str!("../../../examples/tcp/quizzes/2-bufferbloat.toml")),
    ("quizzes/3-incast.toml", include_str!("../../../examples/tcp/quizzes/3-incast.toml")),
    ("quizzes/checks.toml", include_str!("../../../examples/tcp/quizzes/checks.toml")),
    ("assets/aimd.py", include_str!("../../../examples/tcp/assets/aimd.py")),
    ("assets/aimd.out", include_str!("../../../examples/tcp/assets/aimd.out")),
];

/// Writes a new pack, or the example, into a folder that does not exist or is empty.
///
/// # Errors
/// Where the folder holds something, or cannot be written.
pub fn run(folder: &Path, example: bool, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    let holds_something = fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some());
    if holds_something {
        anyhow::bail!("{} is not empty; name a new folder", folder.display());
    }
    let id = id(folder);
    for (path, text) in if example { EXAMPLE } else { FILES } {
        let path = folder.join(path);
        let parent = path.parent().unwrap_or(folder);
        fs::create_dir_all(parent).with_context(|| format!("cannot make {}", parent.display()))?;
        let text = text.replace("\"ID\"", &format!("\"{id}\""));
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    let shown = quoted(&folder.display().to_string());
    writeln!(out, "{shown} is a pack that works. Next:")?;
    writeln!(out, "  infralens pack check {shown}")?;
    writeln!(out, "  infralens pack test {shown}")?;
    writeln!(out, "  infralens --pack {shown}")?;
    Ok(Outcome::Done)
}

/// A path as a shell takes it back; harmless to print.
fn quoted(path: &str) -> String {
    let path = escape::line(path);
    let plain = path.chars().all(|c| c.is_alphanumeric() || "-_./~+:@%".contains(c));
    if plain { path.into_owned() } else { format!("'{}'", path.replace('\'', "'\\''")) }
}

/// The folder's name as an id: lower case letters, digits, hyphens.
fn id(folder: &Path) -> String {
    let name = folder.file_name().and_then(|n| n.to_str()).unwrap_or_default().to_lowercase();
    let id: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let id = id.trim_matches('-');
    if id.is_empty() { "my-pack".to_owned() } else { id.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_quoted_as_a_shell_reads_it() {
        for (path, shown) in [
            ("my-course", "my-course"),
            ("my course", "'my course'"),
            ("it's", "'it'\\''s'"),
            ("/tmp/a.b", "/tmp/a.b"),
        ] {
            assert_eq!(quoted(path), shown);
        }
        assert!(!quoted("a\u{1b}[2J").contains('\u{1b}'));
    }

    #[test]
    fn the_example_is_all_of_its_folder() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/tcp");
        let mut held = Vec::new();
        for folder in ["", "lessons", "quizzes", "assets"] {
            for entry in fs::read_dir(root.join(folder)).expect("a folder").flatten() {
                if entry.path().is_file() {
                    held.push(format!("{folder}/{}", entry.file_name().to_string_lossy()));
                }
            }
        }
        let mut held: Vec<&str> = held.iter().map(|path| path.trim_start_matches('/')).collect();
        held.sort_unstable();
        let mut named: Vec<&str> = EXAMPLE.iter().map(|(path, _)| *path).collect();
        named.sort_unstable();
        assert_eq!(named, held);
    }
}
