//! The line-mode face of pages: one driver for all of them.

pub mod driver;
mod typing;
