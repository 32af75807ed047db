//! The built-in course, embedded in the binary.

use crate::pack::{Embedded, Origin};

/// Paths and contents, sorted by path. Made by `build.rs`.
static FILES: Embedded = Embedded(include!(concat!(env!("OUT_DIR"), "/embedded.rs")));

/// Where the built-in course comes from.
pub const ORIGIN: Origin = Origin::BuiltIn(&FILES);
