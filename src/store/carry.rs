//! Everything as JSON lines, out and in.

/// What an import did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Imported {
    /// Records that were new or newer.
    pub taken: u64,
    /// Records that were there already, or older than what is there.
    pub kept: u64,
}
