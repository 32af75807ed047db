//! Files that are put in place whole: nobody ever reads half of one, and a fault leaves what was there.

use std::fs::{self, File};
use std::io::{self, BufRead as _, BufReader, BufWriter, Write};
use std::path::Path;

/// Writes a file beside its place and renames it into it. One that says the same already is left as it is, so that
/// what carries the folder along sees no change. What else stands at the place, a link or a pipe, is replaced and never
/// opened; a plain file leaves its permissions to what replaces it. What a program that was killed left beside is cleared
/// away: such a file has a name that only we give.
///
/// # Errors
/// What `fill` gives, or why the file cannot be written.
pub fn put<T, E: From<io::Error>>(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> Result<T, E>,
) -> Result<T, E> {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let prefix = prefix(path);
    fs::metadata(folder)?;
    clear(folder, &prefix);
    // a fault names no file that only we know of
    let named = |fault: io::Error| io::Error::from(fault.kind());
    let mut made = tempfile::Builder::new().prefix(&prefix).tempfile_in(folder).map_err(named)?;
    // held as long as it is written; where files have no locks, another's clearing may only make this one fail
    let _ = made.as_file().try_lock();
    let mut writer = BufWriter::new(made.as_file_mut());
    let filled = fill(&mut writer)?;
    writer.flush()?;
    drop(writer);
    if !is_same(path, made.path()).unwrap_or(false) {
        if let Some(was) = fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file) {
            // a file whose permissions cannot be set is written all the same
            let _ = made.as_file().set_permissions(was.permissions());
        }
        made.as_file().sync_all()?;
        made.persist(path).map_err(|fault| fault.error)?;
    }
    Ok(filled)
}

/// How the names of files begin that are being written for a place. A file's name has 255 bytes at most.
fn prefix(path: &Path) -> String {
    const MOST: usize = 120;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    format!(".infralens-{}.", &name[..name.floor_char_boundary(MOST)])
}

/// Fills a new folder and puts its files into another, each whole and in place of what stands there: no link is
/// followed.
///
/// # Errors
/// What `fill` gives, or why the folder cannot be written.
pub fn put_all(folder: &Path, fill: impl FnOnce(&Path) -> io::Result<()>) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let made = tempfile::Builder::new().prefix(".infralens-").tempdir_in(folder)?;
    fill(made.path())?;
    for entry in fs::read_dir(made.path())? {
        let entry = entry?;
        fs::rename(entry.path(), folder.join(entry.file_name()))?;
    }
    Ok(())
}

/// Clears away what was being written for the same place when its program was killed.
fn clear(folder: &Path, prefix: &str) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_ours = entry.file_name().to_str().is_some_and(|name| name.starts_with(prefix));
        if is_ours
            && entry.file_type().is_ok_and(|kind| kind.is_file())
            && File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok())
        {
            // one that stays is cleared away the next time
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Whether two files say the same. Whatever is no plain file says something else.
fn is_same(one: &Path, other: &Path) -> io::Result<bool> {
    let (first, second) = (fs::symlink_metadata(one)?, fs::symlink_metadata(other)?);
    if !first.is_file() || !second.is_file() || first.len() != second.len() {
        return Ok(false);
    }
    let (mut one, mut other) = (BufReader::new(File::open(one)?), BufReader::new(File::open(other)?));
    loop {
        let (left, right) = (one.fill_buf()?, other.fill_buf()?);
        let count = left.len().min(right.len());
        if left[..count] != right[..count] {
            return Ok(false);
        }
        if count == 0 {
            return Ok(left.len() == right.len());
        }
        one.consume(count);
        other.consume(count);
    }
}

/// A text as such a file.
///
/// # Errors
/// Why the file cannot be written.
pub fn put_text(path: &Path, text: &str) -> io::Result<()> {
    put(path, |out| out.write_all(text.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_leaves_what_was_there_and_nothing_beside() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("a.jsonl");
        put_text(&file, "whole\n").expect("written");
        let half = |out: &mut dyn Write| {
            out.write_all(b"half")?;
            Err(io::Error::other("full"))
        };
        assert!(put::<(), io::Error>(&file, half).is_err());
        assert_eq!(fs::read_to_string(&file).expect("read"), "whole\n");
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }

    #[test]
    fn what_a_killed_program_left_goes_and_what_another_writes_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("a.jsonl");
        let (left, held) =
            (folder.path().join(".infralens-a.jsonl.left"), folder.path().join(".infralens-a.jsonl.held"));
        // what editors and people keep beside a file
        let others = [".a.jsonl.swp", ".a.jsonl.bak"].map(|name| folder.path().join(name));
        others.iter().for_each(|other| fs::write(other, "precious").expect("written"));
        fs::write(&left, "half").expect("written");
        let held_file = File::create(&held).expect("written");
        held_file.lock().expect("held");
        put_text(&file, "whole\n").expect("written");
        assert!(!left.exists() && held.exists());
        assert!(others.iter().all(|other| other.exists()));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_or_a_pipe_in_its_place_is_replaced_and_never_opened() {
        let folder = tempfile::tempdir().expect("a folder");
        let (link, pipe) = (folder.path().join("link"), folder.path().join("pipe"));
        std::os::unix::fs::symlink("/dev/zero", &link).expect("a link");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs").success());
        for place in [link, pipe] {
            put_text(&place, "whole\n").expect("written");
            assert!(fs::symlink_metadata(&place).expect("there").is_file());
            assert_eq!(fs::read_to_string(&place).expect("read"), "whole\n");
        }
    }

    #[cfg(unix)]
    #[test]
    fn permissions_stay_as_they_were() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("a.toml");
        fs::write(&file, "before").expect("written");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).expect("set");
        put_text(&file, "after").expect("written");
        assert_eq!(fs::metadata(&file).expect("there").permissions().mode() & 0o777, 0o640);
    }

    #[cfg(unix)]
    #[test]
    fn many_files_follow_no_link() {
        let folder = tempfile::tempdir().expect("a folder");
        let mine = folder.path().join("mine.txt");
        fs::write(&mine, "mine").expect("written");
        let pages = folder.path().join("pages");
        fs::create_dir(&pages).expect("made");
        std::os::unix::fs::symlink(&mine, pages.join("a.1")).expect("a link");
        put_all(&pages, |folder| fs::write(folder.join("a.1"), "page")).expect("written");
        assert_eq!(fs::read_to_string(mine).expect("read"), "mine");
        assert_eq!(fs::read_to_string(pages.join("a.1")).expect("read"), "page");
        assert_eq!(fs::read_dir(pages).expect("a folder").count(), 1);
    }

    #[test]
    fn a_file_that_says_the_same_is_left_as_it_is() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("a.jsonl");
        let long = "line\n".repeat(5000);
        put_text(&file, &long).expect("written");
        let before = fs::metadata(&file).expect("there").modified().expect("a time");
        put_text(&file, &long).expect("written");
        assert_eq!(fs::metadata(&file).expect("there").modified().expect("a time"), before);
        put_text(&file, &format!("{}like\n", &long[5..])).expect("written");
        assert!(fs::read_to_string(&file).expect("read").ends_with("like\n"));
    }
}
