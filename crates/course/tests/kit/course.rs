//! The built-in course, loaded once from the checkout.
#![allow(missing_docs)]

use std::sync::OnceLock;

use infralens_course::pack::{self, Origin, Pack};

pub fn origin() -> Origin {
    Origin::Folder(concat!(env!("CARGO_MANIFEST_DIR"), "/../..").into())
}

pub fn course() -> &'static Pack {
    static COURSE: OnceLock<Pack> = OnceLock::new();
    COURSE.get_or_init(|| pack::load(&origin()).pack.expect("the built-in pack"))
}
