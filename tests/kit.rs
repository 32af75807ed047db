//! What several tests share.

pub mod carry;
pub mod cli;
pub mod course;
pub mod desk;
#[path = "../crates/course/tests/kit/pack.rs"]
pub mod pack;
pub mod plain;
#[path = "../crates/course/tests/kit/store.rs"]
pub mod store;
pub mod visit;
