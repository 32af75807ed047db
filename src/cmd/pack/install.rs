//! `pack install`: a checked copy of a pack in the data directory.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};

use super::{Form, check, default, fetch, tree};
use crate::cli::Global;
use crate::cmd::{Outcome, learn};
use crate::doc::escape;
use crate::pack::{self, Origin, Pack};
use crate::services::library::Library;
use crate::services::trust;
use crate::study::words::some;
use crate::{time, turn};

/// The most bytes of a pack.
pub(super) const MOST: u64 = 256 << 20;

/// The folder of installed packs in a data directory.
pub fn folder(data: &Path) -> PathBuf {
    data.join("packs")
}

/// The folders of the installed packs, sorted. None where nothing was installed.
pub fn installed(data: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder(data)).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries
        // what begins with a dot is a copy that was not finished
        .filter(|e| !e.file_name().to_string_lossy().starts_with('.'))
        .map(|e| e.path())
        .filter(|p| p.join("pack.toml").is_file())
        .collect();
    found.sort();
    found
}

/// Copies a pack under its id into the data directory; a newer version replaces an older one. Fails
/// where the check finds errors.
///
/// # Errors
/// Where the pack holds links, is older than the one installed, or a file cannot be read or written.
pub fn run(from: &Path, trusts: bool, global: &Global, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    let from_shown = from.display().to_string();
    let from_shown = escape::line(&from_shown);
    let fetched = fetch::fetch(from)?;
    let from = fetched.folder.as_path();
    let loaded = pack::check(&Origin::Folder(from.to_owned()));
    let Some(pack) = loaded.pack else {
        check(&[from.to_owned()], Form::of(global), out)?;
        writeln!(out, "{from_shown} is not installed: mend its errors first")?;
        return Ok(Outcome::Failed);
    };
    if crate::built_in::course().id == pack.id {
        bail!("the id `{}` is that of the built-in course; give the pack another id in pack.toml", pack.id);
    }
    let packs = folder(&learn::data_dir(global)?);
    fs::create_dir_all(&packs).with_context(|| format!("cannot make {}", packs.display()))?;
    let packs = fs::canonicalize(&packs).with_context(|| format!("cannot open {}", packs.display()))?;
    let _turn = turn(&packs);
    let target = packs.join(&pack.id);
    let before = pack::load(&Origin::Folder(target.clone())).pack;
    if let Some(before) = before.as_ref().filter(|b| is_newer(&b.version, &pack.version)) {
        bail!(
            "version {} of `{}` is older than {}, which is installed; to go back to it, first `infralens pack remove {}`: what was done in it is kept",
            escape::line(&pack.version),
            pack.id,
            escape::line(&before.version),
            pack.id
        );
    }
    let copied = copy(from, &packs, &pack)?;
    put(&copied, &target)?;
    report(&pack, before.as_ref(), &target, out)?;
    trust_it(&pack.id, &target, trusts, global, out)?;
    Ok(Outcome::Done)
}

fn report(pack: &Pack, before: Option<&Pack>, target: &Path, out: &mut dyn Write) -> anyhow::Result<()> {
    let replaces = match before {
        None => String::new(),
        Some(b) if b.version == pack.version => ", installed again".to_owned(),
        Some(b) => format!(", in place of {}", escape::line(&b.version)),
    };
    writeln!(
        out,
        "{} {}: {}, {}, {}{replaces}",
        escape::line(&pack.title),
        escape::line(&pack.version),
        some(pack.lessons.len(), "lesson"),
        some(pack.drills.len(), "drill"),
        some(pack.checks.len(), "check")
    )?;
    writeln!(out, "installed in {}", escape::line(&target.display().to_string()))?;
    Ok(())
}

/// Takes an installed pack away. What was done in it stays in the store: installed again, it goes on.
///
/// # Errors
/// Where no installed pack has the id, or its folder cannot be removed.
pub fn remove(id: &str, global: &Global, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    let data = learn::data_dir(global)?;
    let folders = installed(&data);
    let name = |folder: &PathBuf| folder.file_name().map(|n| n.to_string_lossy().into_owned());
    let Some(folder) = folders.iter().find(|f| name(f).as_deref() == Some(id)) else {
        let known: Vec<String> = folders.iter().filter_map(name).collect();
        let known = known.iter().map(String::as_str);
        return Err(learn::unknown("installed pack", id, known, "infralens pack list"));
    };
    // out of sight first, so that a start never sees half of one
    let _turn = turn(&self::folder(&data));
    let aside = self::folder(&data).join(format!(".{id}{REMOVED}"));
    let removed = fs::rename(folder, &aside).and_then(|()| fs::remove_dir_all(&aside));
    let shown = folder.display().to_string();
    removed.with_context(|| format!("cannot remove {}", escape::line(&shown)))?;
    if default::chosen(&data).is_none() {
        default::forget(&data)?;
    }
    writeln!(out, "{} was removed. What you did in it is kept.", escape::line(id))?;
    Ok(Outcome::Done)
}

/// Trusts the installed pack, or says whether it is and how to.
fn trust_it(
    id: &str,
    target: &Path,
    trusts: bool,
    global: &Global,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let Some(pack) = pack::load(&Origin::Folder(target.to_owned())).pack else {
        bail!("{} was written but does not load; install it again", target.display());
    };
    if pack.lessons.iter().all(|l| l.labs.is_empty()) {
        return Ok(());
    }
    let mut services = learn::open_services(global, Library::default())?;
    if let (true, Some(record)) = (trusts, trust::record(&pack)) {
        services.keep(record, time::now()).at_once()?;
        writeln!(out, "its starters may run, as they are now")?;
    } else if trust::holds(&services.store, &pack) {
        writeln!(out, "its starters may run: they have not changed since you trusted them")?;
    } else {
        writeln!(out, "its starters do not run until you trust them: infralens pack trust {id}")?;
    }
    Ok(())
}

/// Copies the files of a pack into a new folder beside the installed ones, and makes sure that the copy is that pack.
fn copy(from: &Path, packs: &Path, pack: &Pack) -> anyhow::Result<tempfile::TempDir> {
    let fresh = tempfile::Builder::new()
        .prefix(NEW)
        .tempdir_in(packs)
        .with_context(|| format!("cannot write in {}", packs.display()))?;
    let files = tree::files(from).with_context(|| format!("cannot read {}", from.display()))?;
    let mut bytes = 0;
    for file in &files {
        let shown = from.join(&file.path);
        let shown = shown.display();
        if !file.meta.is_file() {
            bail!(
                "{shown} is not a regular file; an installed pack may not hold links, so put the file itself \
                 there"
            );
        }
        bytes += file.meta.len();
        if bytes > MOST {
            bail!("the pack is larger than {} MiB; make it smaller", MOST >> 20);
        }
        let to = fresh.path().join(&file.path);
        if let Some(parent) = to.parent() {
            fs::create_dir_all(parent).with_context(|| format!("cannot make {}", parent.display()))?;
        }
        fs::copy(from.join(&file.path), &to).with_context(|| format!("cannot copy {shown}"))?;
    }
    // files may have changed since they were checked
    let same = pack::load(&Origin::Folder(fresh.path().to_owned())).pack.is_some_and(|p| p.id == pack.id);
    if !same {
        bail!("the pack changed while it was being copied; try again");
    }
    Ok(fresh)
}

/// What begins or ends the names of folders that are on their way.
const NEW: &str = ".new-";
const REMOVED: &str = ".removed";
const BEFORE: &str = ".before";

/// Waits for others that install or remove, for as long as this is held, and clears away what one left that was killed. A
/// pack that was being replaced is put back.
fn turn(packs: &Path) -> Option<fs::File> {
    let held = turn::take(&packs.join(".lock")).ok()?;
    let is_left = |name: &str| name.starts_with(NEW) || name.starts_with('.') && name.ends_with(REMOVED);
    for entry in fs::read_dir(packs).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let before = name.strip_prefix('.').and_then(|name| name.strip_suffix(BEFORE));
        match before.map(|id| packs.join(id)) {
            Some(target) if !target.exists() => drop(fs::rename(entry.path(), target)),
            // one that stays is cleared away the next time
            _ if before.is_some() || is_left(&name) => drop(fs::remove_dir_all(entry.path())),
            _ => {}
        }
    }
    Some(held)
}

/// Puts a finished copy in its place. What was there is put back where that fails.
fn put(copied: &tempfile::TempDir, target: &Path) -> anyhow::Result<()> {
    let cannot = || format!("cannot write {}", target.display());
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let aside = target.with_file_name(format!(".{name}{BEFORE}"));
    let replaces = target.exists();
    if replaces {
        fs::rename(target, &aside).with_context(cannot)?;
    }
    if let Err(e) = fs::rename(copied.path(), target) {
        if replaces {
            // the first fault is the one to tell
            let _ = fs::rename(&aside, target);
        }
        return Err(e).with_context(cannot);
    }
    if replaces {
        fs::remove_dir_all(&aside).with_context(|| format!("cannot remove {}", aside.display()))?;
    }
    Ok(())
}

/// Whether version `a` is newer than `b`: numbers between dots and hyphens are compared as numbers.
fn is_newer(a: &str, b: &str) -> bool {
    key(a) > key(b)
}

/// A version before its build, piece by piece; a piece that is no number is below all numbers, as in `2.0.0-beta`.
fn key(version: &str) -> Vec<(bool, u64, String)> {
    let plain = version.split('+').next().unwrap_or_default();
    let pieces = plain.split(['.', '-']).map(|p| match p.parse::<u64>() {
        Ok(n) => (true, n, String::new()),
        Err(_) => (false, 0, p.to_owned()),
    });
    // 2.0.0 is above 2.0.0-beta: the end counts as a number
    let mut key: Vec<_> = pieces.collect();
    key.push((true, 0, String::new()));
    key
}

#[cfg(test)]
mod tests {
    use super::is_newer;

    #[test]
    fn versions_are_compared_by_their_numbers() {
        for (newer, older) in [
            ("1.10.0", "1.9.9"),
            ("2", "1.9"),
            ("2.0.0", "2.0.0-beta"),
            ("2.0.0-beta.2", "2.0.0-beta.1"),
            ("1.0.1", "1.0"),
        ] {
            assert!(is_newer(newer, older), "{newer} > {older}");
            assert!(!is_newer(older, newer), "{older} < {newer}");
        }
        assert!(!is_newer("1.0.0", "1.0.0") && !is_newer("1.0.0+b", "1.0.0+a"));
    }
}
