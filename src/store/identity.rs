//! Whether the file that is open is still the one at its path.

use std::path::Path;

/// Which file it is, whatever it is called: device and number. None where the system does not tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Identity(Option<(u64, u64)>);

impl Identity {
    /// The file at a path; none where there is none.
    pub fn of(path: &Path) -> Self {
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            Identity(std::fs::metadata(path).ok().map(|meta| (meta.dev(), meta.ino())))
        }
        #[cfg(not(unix))]
        {
            let _ = path;
            Identity(None)
        }
    }

    /// Whether another file stands at the path now, or none. Costs one look at a name.
    pub fn has_left(self, path: &Path) -> bool {
        self.0.is_some() && self != Identity::of(path)
    }
}
