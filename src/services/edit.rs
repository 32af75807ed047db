//! Opens a copy of a starter in the person's editor. The pack's own file is never changed.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::Services;
use super::run::Starter;
use crate::services::job::Done;
use crate::whole;

/// Writes the copy where there is none yet, and gives its path. Each pack and lab has a folder of its own. A copy that
/// was not changed gives way to the text of a newer pack.
///
/// # Errors
/// Where it cannot be written.
pub fn copied(starter: &Starter, pack: &str, work: &Path) -> io::Result<PathBuf> {
    let folder = folder(starter, pack, work);
    fs::create_dir_all(&folder)?;
    let (path, first) = (folder.join(&starter.file), folder.join(format!(".{}.first", starter.file)));
    let begun_with = fs::read(&first).ok();
    let is_untouched = begun_with.is_some() && fs::read(&path).ok() == begun_with;
    if !path.exists() || (is_untouched && begun_with.as_deref() != Some(starter.text.as_bytes())) {
        whole::put_text(&path, &starter.text)?;
        whole::put_text(&first, &starter.text)?;
    }
    Ok(path)
}

/// The folder of the copy.
fn folder(starter: &Starter, pack: &str, work: &Path) -> PathBuf {
    work.join("starters").join(name_of(pack)).join(name_of(&starter.lab))
}

/// A copy of a starter that the person may change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Own {
    /// Where it is, or will be.
    pub path: PathBuf,
    /// What stands in it; the starter's text where there is no copy yet.
    pub text: String,
}

impl Services {
    /// The copy of the starter of a lab, as it stands on the disk now.
    pub fn own_copy(&self, pack: usize, lab: &str) -> Option<Own> {
        let of = self.pack(pack)?;
        let starter = super::run::starter_of(of, lab)?;
        let path = folder(&starter, &of.id, &self.work).join(&starter.file);
        // an editor may leave what is no text; that is shown as far as it is one
        let text = match fs::read(&path) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(_) => starter.text,
        };
        Some(Own { path, text })
    }
}

/// The variable that names the editor, and the editor: `$VISUAL`, then `$EDITOR`, then `vi`.
pub fn editor() -> (Option<&'static str>, String) {
    let named = |v: &'static str| Some((v, std::env::var(v).ok().filter(|s| !s.trim().is_empty())?));
    match ["VISUAL", "EDITOR"].into_iter().find_map(named) {
        Some((variable, editor)) => (Some(variable), editor),
        None => (None, "vi".into()),
    }
}

/// An id as the name of a folder; ids of packs hold nothing that leads elsewhere, and this keeps it so.
fn name_of(id: &str) -> String {
    let fits = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    id.chars().map(|c| if fits(c) { c } else { '_' }).collect()
}

/// Opens it in the [`editor`]. The variable may hold arguments: `code --wait`.
pub fn open(path: &Path) -> Done {
    let (_, named) = editor();
    let mut words = named.split_whitespace();
    let program = words.next().unwrap_or("vi");
    match Command::new(program).args(words).arg(path).status() {
        Ok(status) if status.success() => Done::Said("r runs your copy".into()),
        Ok(status) => Done::Failed(format!("{program} ended with {status}; your copy is {}", path.display())),
        Err(e) => Done::Failed(format!("{program} did not start: {e}; set EDITOR to your editor")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn starter(lab: &str, text: &str) -> Starter {
        Starter { lab: lab.into(), file: "a.py".into(), text: text.into(), python: true, expected: None }
    }

    #[test]
    fn each_pack_and_lab_has_its_own_copy() {
        let work = tempfile::tempdir().expect("a folder");
        let read = |pack: &str, lab: &str, text: &str| {
            fs::read_to_string(copied(&starter(lab, text), pack, work.path()).expect("written"))
                .expect("read")
        };
        for (pack, lab) in [("one", "lab"), ("two", "lab"), ("two", "other")] {
            let text = format!("{pack} {lab}");
            assert_eq!(read(pack, lab, &text), text);
        }
        let outside = copied(&starter("lab", "x"), "../../x", work.path()).expect("written");
        assert!(
            outside.starts_with(work.path().join("starters"))
                && !outside.display().to_string().contains("..")
        );
    }

    #[test]
    fn a_newer_text_takes_the_place_of_an_untouched_copy_alone() {
        let work = tempfile::tempdir().expect("a folder");
        let copy = |text: &str| copied(&starter("lab", text), "pack", work.path()).expect("written");
        let read = |text: &str| fs::read_to_string(copy(text)).expect("read");
        assert_eq!((read("old"), read("new")), ("old".into(), "new".into()));
        fs::write(copy("new"), "mine").expect("written");
        assert_eq!(read("newest"), "mine");
    }
}
