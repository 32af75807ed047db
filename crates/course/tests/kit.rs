//! What several tests share.

pub mod course;
pub mod pack;
pub mod store;
