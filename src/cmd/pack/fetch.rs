//! Where a pack is installed from: a folder, a `.zip`, a `.tar.gz`, or an address that git knows.
//!
//! Whatever comes from elsewhere is laid out in an empty temporary folder first. An archive may hold regular files below
//! its own folder and nothing else: no links, no path that leads out, no more bytes than a pack may have. Of git a bare
//! copy of one commit is made; nothing in it is run, and no configuration that could run something is read.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, bail};
use tempfile::TempDir;

use super::tree;
use crate::doc::escape::line as escape;
use crate::process::{self, Cancel, How, Job};

/// The most bytes of all files in an archive.
const MOST: u64 = super::install::MOST;
/// How long git may take.
const LIMIT: Duration = Duration::from_secs(300);
/// How much is kept of what git says.
const MOST_SAID: usize = 4096;

/// A folder with a pack, and what keeps it there.
pub struct Fetched {
    /// The folder that holds the `pack.toml`.
    pub folder: PathBuf,
    /// Gone with this value, where it was made for it.
    _made: Option<TempDir>,
}

/// The kinds of places.
#[derive(Debug, PartialEq, Eq)]
enum Place {
    Folder,
    Zip,
    TarGz,
    Git,
}

/// Brings a pack into a folder.
///
/// # Errors
/// Where there is no such place, or what it holds is refused.
pub fn fetch(from: &Path) -> anyhow::Result<Fetched> {
    let shown = from.display().to_string();
    let place = place(from);
    if place == Place::Folder {
        super::must_be(from)?;
        // a checkout may hold the pack in a folder of its own; where it holds none, the check says so
        let holds = from.join("pack.toml").exists();
        let folder = if holds { from.to_owned() } else { root(from).unwrap_or_else(|_| from.to_owned()) };
        return Ok(Fetched { folder, _made: None });
    }
    let made = tempfile::Builder::new().prefix("infralens-").tempdir().context("cannot make a folder")?;
    let folder = made.path().join("pack");
    fs::create_dir(&folder).context("cannot make a folder")?;
    match place {
        Place::Zip => unzip(from, &folder),
        Place::TarGz => untar(from, &folder),
        Place::Folder | Place::Git => clone(&shown, &folder),
    }
    .with_context(|| format!("{} cannot be installed", escape(&shown)))?;
    let folder = root(&folder).with_context(|| format!("{} cannot be installed", escape(&shown)))?;
    Ok(Fetched { folder, _made: Some(made) })
}

/// What a place is. A local folder that is a repository without files of its own is one for git.
fn place(from: &Path) -> Place {
    let text = from.to_string_lossy();
    let name = text.to_lowercase();
    let is_bare = from.is_dir() && from.join("HEAD").is_file() && !from.join("pack.toml").exists();
    let (user, path) = text.split_once(':').unwrap_or((&text, ""));
    let is_scp = user.contains('@') && !user.contains('/') && !path.is_empty() && !from.exists();
    match () {
        () if text.contains("://") || is_scp || is_bare => Place::Git,
        () if from.is_dir() => Place::Folder,
        () if name.ends_with(".zip") => Place::Zip,
        () if name.ends_with(".tar.gz") || name.ends_with(".tgz") => Place::TarGz,
        () => Place::Folder,
    }
}

/// The folder that holds the `pack.toml`: the place itself, or the one folder in it that does.
fn root(folder: &Path) -> anyhow::Result<PathBuf> {
    if folder.join("pack.toml").is_file() {
        return Ok(folder.to_owned());
    }
    let mut inner: Vec<PathBuf> = fs::read_dir(folder)?
        .flatten()
        .map(|e| e.path())
        .filter(|p| !p.is_symlink() && p.join("pack.toml").is_file())
        .collect();
    inner.sort();
    match inner.len() {
        1 => Ok(inner.remove(0)),
        0 => bail!("it holds no pack.toml, at its top or in a folder there"),
        n => bail!("it holds {n} packs; install the folder of one"),
    }
}

/// Counts what comes out of an archive, and refuses what no pack may hold.
struct Sink<'a> {
    folder: &'a Path,
    bytes: u64,
    files: BTreeSet<PathBuf>,
}

impl Sink<'_> {
    fn of(folder: &Path) -> Sink<'_> {
        Sink { folder, bytes: 0, files: BTreeSet::new() }
    }

    /// Where a name leads below the folder. None for what no pack consists of, such as the notes of a file manager.
    fn path(name: &str) -> anyhow::Result<Option<PathBuf>> {
        let shown = || escape(name).into_owned();
        if name.contains(['\\', '\0', ':']) {
            bail!("some systems do not allow the file name `{}` in it; rename the file", shown());
        }
        let mut path = PathBuf::new();
        for piece in Path::new(name).components() {
            match piece {
                Component::Normal(piece) => path.push(piece),
                Component::CurDir => {}
                _ => bail!("the name `{}` in it leads out of the pack; make the archive again", shown()),
            }
        }
        if path.components().count() > tree::DEEPEST + 2 {
            bail!("`{}` in it is more than {} folders deep", shown(), tree::DEEPEST);
        }
        let is_noise = path.components().any(|c| {
            let c = c.as_os_str().to_string_lossy();
            c == "__MACOSX" || c.starts_with('.')
        });
        Ok(Some(path).filter(|p| !is_noise && p.components().next().is_some()))
    }

    /// Writes one file.
    fn take(&mut self, name: &str, from: &mut dyn Read) -> anyhow::Result<()> {
        let Some(path) = Self::path(name)? else { return Ok(()) };
        if !self.files.insert(path.clone()) {
            bail!("`{}` is in it twice; make the archive again", escape(name));
        }
        if self.files.len() > tree::MOST {
            bail!("it holds more than {} files", tree::MOST);
        }
        let to = self.folder.join(&path);
        if let Some(parent) = to.parent() {
            fs::create_dir_all(parent).with_context(|| format!("`{}` has no folder", escape(name)))?;
        }
        let mut file =
            fs::File::create_new(&to).with_context(|| format!("cannot write `{}`", escape(name)))?;
        // a byte more than there may be tells a bomb
        let left = MOST - self.bytes;
        let read = io::copy(&mut from.take(left + 1), &mut file);
        self.bytes += read.with_context(|| format!("`{}` in it cannot be read", escape(name)))?;
        if self.bytes > MOST {
            bail!("it holds more than {} MiB; a pack is smaller", MOST >> 20);
        }
        file.flush()?;
        Ok(())
    }
}

fn not_regular(name: &str) -> anyhow::Error {
    anyhow::anyhow!(
        "`{}` in it is not a regular file; a pack may not hold links, so put the file itself there",
        escape(name)
    )
}

fn unzip(from: &Path, folder: &Path) -> anyhow::Result<()> {
    let file = fs::File::open(from).context("it cannot be read")?;
    let mut archive = zip::ZipArchive::new(file).context("it is not a zip archive")?;
    let mut sink = Sink::of(folder);
    for nth in 0..archive.len() {
        let mut entry = archive.by_index(nth).context("it cannot be unpacked")?;
        let name = entry.name().context("a name in it is not UTF-8")?.into_owned();
        if entry.is_dir() {
            continue;
        }
        if entry.is_symlink() || !entry.is_file() {
            return Err(not_regular(&name));
        }
        sink.take(&name, &mut entry)?;
    }
    Ok(())
}

fn untar(from: &Path, folder: &Path) -> anyhow::Result<()> {
    const LONGEST: u64 = 64 << 10;
    let open = || -> anyhow::Result<_> {
        let file = fs::File::open(from).context("it cannot be read")?;
        // headers and padding of many small files count too
        let unpacked = flate2::read::MultiGzDecoder::new(io::BufReader::new(file)).take(MOST * 2);
        Ok(tar::Archive::new(unpacked))
    };
    // names and notes of any length are read as a whole: they are looked at first, as they stand
    for entry in open()?.entries().context("it is not a tar archive")?.raw(true) {
        let entry = entry.context("it is not a tar.gz archive, or it was cut short")?;
        let kind = entry.header().entry_type();
        let is_about_another = kind.is_gnu_longname()
            || kind.is_gnu_longlink()
            || kind.is_pax_local_extensions()
            || kind.is_pax_global_extensions();
        if is_about_another && entry.size() > LONGEST {
            bail!("a file name in it has more than {} KiB; make the archive again", LONGEST >> 10);
        }
    }
    let mut archive = open()?;
    let mut sink = Sink::of(folder);
    for entry in archive.entries().context("it is not a tar archive")? {
        let mut entry = entry.context("it is not a tar.gz archive, or it was cut short")?;
        let name = String::from_utf8(entry.path_bytes().into_owned()).context("a name in it is not UTF-8")?;
        let kind = entry.header().entry_type();
        if kind.is_dir() || kind.is_pax_global_extensions() {
            continue;
        }
        if !kind.is_file() {
            return Err(not_regular(&name));
        }
        sink.take(&name, &mut entry)?;
    }
    Ok(())
}

/// One commit of a repository, without hooks, submodules, filters or questions.
fn clone(address: &str, folder: &Path) -> anyhow::Result<()> {
    if address.starts_with('-') {
        bail!("it is not an address");
    }
    let fixed = [
        "-c",
        "core.hooksPath=/dev/null",
        "-c",
        "protocol.ext.allow=never",
        "-c",
        "submodule.recurse=false",
        "-c",
        "transfer.fsckObjects=true",
        "clone",
        "--quiet",
        "--depth",
        "1",
        "--single-branch",
        "--no-tags",
        "--no-recurse-submodules",
        "--template=",
        "--",
    ];
    let args = fixed.into_iter().map(Into::into).chain([address.into(), folder.into()]).collect();
    // what a person's own configuration would run, such as filters, is not read
    let env = [
        ("GIT_CONFIG_NOSYSTEM", "1"),
        ("GIT_CONFIG_GLOBAL", "/dev/null"),
        ("GIT_TERMINAL_PROMPT", "0"),
        ("GIT_ASKPASS", ""),
        ("SSH_ASKPASS", ""),
        ("GIT_SSH_COMMAND", "ssh -o BatchMode=yes"),
        ("GIT_ALLOW_PROTOCOL", "file:git:http:https:ssh"),
        ("GIT_LFS_SKIP_SMUDGE", "1"),
    ];
    let env: BTreeMap<String, String> = env.into_iter().map(|(k, v)| (k.to_owned(), v.to_owned())).collect();
    let job = Job {
        program: "git".into(),
        args,
        folder: None,
        env,
        is_bare: false,
        input: Vec::new(),
        limit: LIMIT,
        most_output: MOST_SAID,
    };
    let ended = process::run(&job, &Cancel::default())
        .context("git does not start; install it, or get the pack as a folder, a .zip or a .tar.gz")?;
    match ended.how {
        How::Exit(Some(0)) => Ok(()),
        How::TimedOut => bail!("git took longer than {} seconds", LIMIT.as_secs()),
        _ => {
            let said =
                ended.err.lines().map(str::trim).find(|l| l.starts_with("fatal:") || l.starts_with("error:"));
            let said = said.or_else(|| ended.err.lines().next()).unwrap_or("it failed");
            bail!("git says: {}", escape(said.trim_start_matches("fatal: ")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_known_by_its_looks() {
        for (text, is) in [
            ("https://example.org/a/pack.git", Place::Git),
            ("git@example.org:a/pack", Place::Git),
            ("file:///srv/pack.git", Place::Git),
            ("my-course.zip", Place::Zip),
            ("MY.TAR.GZ", Place::TarGz),
            ("my-course.tgz", Place::TarGz),
            ("my-course", Place::Folder),
        ] {
            assert_eq!(place(Path::new(text)), is, "{text}");
        }
    }

    #[test]
    fn no_name_leads_out() {
        for name in ["../x", "/etc/passwd", "a/../../x", "..", "a\\..\\x", "C:x", "a\0b"] {
            assert!(Sink::path(name).is_err(), "{name:?}");
        }
        assert_eq!(Sink::path("./mine/pack.toml").expect("a path"), Some("mine/pack.toml".into()));
        for noise in ["__MACOSX/mine/._pack.toml", "mine/.DS_Store", "mine/.git/config", "./"] {
            assert_eq!(Sink::path(noise).expect("a path"), None, "{noise}");
        }
        assert!(Sink::path("a/b/c/d/e/f/g/h/i/j").is_err());
    }
}
