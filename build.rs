//! Lists the files of the built-in pack for `src/pack/embed.rs`.
//!
//! The list is made here and not by a macro, because a macro does not see a lesson that was
//! added, and because only this list says which folders belong to the pack.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

const FILES: [&str; 3] = ["pack.toml", "glossary.toml", "claims.toml"];
const FOLDERS: [&str; 3] = ["lessons", "quizzes", "assets"];

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").ok_or(io::ErrorKind::NotFound)?);
    let target = PathBuf::from(env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?);
    println!("cargo:rerun-if-changed=build.rs");
    let mut paths = Vec::new();
    for name in FILES.into_iter().chain(FOLDERS) {
        let path = root.join(name);
        if path.exists() {
            println!("cargo:rerun-if-changed={name}");
            collect(&path, &mut paths)?;
        }
    }
    paths.sort();
    fs::write(target.join("embedded.rs"), table(&root, &paths))
}

fn collect(path: &Path, into: &mut Vec<PathBuf>) -> io::Result<()> {
    if !path.is_dir() {
        into.push(path.to_owned());
        return Ok(());
    }
    for entry in fs::read_dir(path)? {
        collect(&entry?.path(), into)?;
    }
    Ok(())
}

/// The rows are sorted by their names as text, so that a name is found by halving.
fn table(root: &Path, paths: &[PathBuf]) -> String {
    let mut rows: Vec<(String, &PathBuf)> =
        paths.iter().filter_map(|p| Some((name_below(root, p)?, p))).collect();
    rows.sort();
    let mut out = String::from("&[\n");
    for (name, path) in rows {
        let _ = writeln!(out, "    ({name:?}, include_bytes!({path:?})),");
    }
    out.push_str("]\n");
    out
}

fn name_below(root: &Path, path: &Path) -> Option<String> {
    let below = path.strip_prefix(root).ok()?;
    let names: Option<Vec<&str>> = below.components().map(|c| c.as_os_str().to_str()).collect();
    Some(names?.join("/"))
}
