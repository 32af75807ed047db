//! What a simulator is. Pure arithmetic; no terminal.
//!
//! [`expr`] evaluates the arithmetic that packs may write; [`formula`] holds every formula of
//! the field once, so that a section, a number check and a simulator print the same number.

pub mod expr;
pub mod formula;
