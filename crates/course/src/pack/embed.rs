//! A pack that is embedded in a program.

/// The files of a pack as a program carries them: paths and contents, sorted by path.
#[derive(Debug)]
pub struct Embedded(pub &'static [(&'static str, &'static [u8])]);

impl PartialEq for Embedded {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for Embedded {}

impl Embedded {
    /// The contents of a file.
    pub(super) fn file(&self, path: &str) -> Option<&'static [u8]> {
        let row = self.0.binary_search_by(|(name, _)| (*name).cmp(path)).ok()?;
        Some(self.0[row].1)
    }

    /// The paths below a folder, sorted.
    pub(super) fn below(&self, folder: &str) -> impl Iterator<Item = &'static str> {
        self.0
            .iter()
            .map(|(name, _)| *name)
            .filter(move |name| name.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/')))
    }
}
