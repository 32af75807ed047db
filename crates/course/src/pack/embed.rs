//! A pack that is embedded in a program.

use super::index::Index;

/// A pack as a program carries it.
#[derive(Debug)]
pub struct Embedded {
    /// Paths and contents, sorted by path.
    pub files: &'static [(&'static str, &'static [u8])],
    /// The table of contents of these files.
    pub index: &'static Index,
    /// Tells these files from those of another edition, without reading them.
    pub digest: u64,
}

impl PartialEq for Embedded {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for Embedded {}

impl Embedded {
    /// The contents of a file.
    pub(super) fn file(&self, path: &str) -> Option<&'static [u8]> {
        let row = self.files.binary_search_by(|(name, _)| (*name).cmp(path)).ok()?;
        Some(self.files[row].1)
    }

    /// The paths below a folder, sorted.
    pub(super) fn below(&self, folder: &str) -> impl Iterator<Item = &'static str> {
        let names = self.files.iter().map(|(name, _)| *name);
        names.filter(move |name| name.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/')))
    }
}
