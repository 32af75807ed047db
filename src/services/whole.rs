//! Files that are put in place whole: nobody ever reads half of one, and a fault leaves what was there.

use std::fs;
use std::io::{BufWriter, Write};
use std::path::Path;

/// Writes a file beside its place and renames it into it. One that says the same already is left as it is, so that
/// what carries the folder along sees no change.
///
/// # Errors
/// What `fill` gives, or why the file cannot be written.
pub fn put<T, E: From<std::io::Error>>(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> Result<T, E>,
) -> Result<T, E> {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut made = tempfile::Builder::new().prefix(".infralens-").tempfile_in(folder)?;
    let mut writer = BufWriter::new(made.as_file_mut());
    let filled = fill(&mut writer)?;
    writer.flush()?;
    drop(writer);
    let same = fs::read(path).is_ok_and(|old| fs::read(made.path()).is_ok_and(|new| new == old));
    if !same {
        made.as_file().sync_all()?;
        made.persist(path).map_err(|fault| fault.error)?;
    }
    Ok(filled)
}

/// A text as such a file.
///
/// # Errors
/// Why the file cannot be written.
pub fn put_text(path: &Path, text: &str) -> std::io::Result<()> {
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
            Err(std::io::Error::other("full"))
        };
        assert!(put::<(), std::io::Error>(&file, half).is_err());
        assert_eq!(fs::read_to_string(&file).expect("read"), "whole\n");
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }
}
