//! The built-in pack, embedded in the binary.

/// Paths and contents, sorted by path. Made by `build.rs`.
static FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/embedded.rs"));

/// The contents of a file of the built-in pack.
pub(super) fn file(path: &str) -> Option<&'static [u8]> {
    let row = FILES.binary_search_by(|(name, _)| (*name).cmp(path)).ok()?;
    Some(FILES[row].1)
}

/// The paths below a folder, sorted.
pub(super) fn below(folder: &str) -> impl Iterator<Item = &'static str> {
    FILES
        .iter()
        .map(|(name, _)| *name)
        .filter(move |name| name.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/')))
}
