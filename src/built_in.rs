//! The built-in course, embedded in the binary.

use std::borrow::Cow;

use crate::pack::index::{Asks, Check, Checks, Drill, Index, Lab, Lesson, Par, Puzzle};
use crate::pack::{Embedded, Level, Origin, Pack, seconds_of};

/// Paths and contents, sorted by path, their digest, and the table of contents. All are made by `build.rs`.
static FILES: Embedded = Embedded {
    files: include!(concat!(env!("OUT_DIR"), "/embedded.rs")),
    index: &INDEX,
    digest: include!(concat!(env!("OUT_DIR"), "/digest.rs")),
};

static INDEX: Index = include!(concat!(env!("OUT_DIR"), "/index.rs"));

/// Where the built-in course comes from.
pub const ORIGIN: Origin = Origin::BuiltIn(&FILES);

/// The built-in course; nothing of it is read yet but the table of contents.
pub fn course() -> Pack {
    Pack::embedded(&FILES)
}
