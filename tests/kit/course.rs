//! The built-in course, loaded once from the checkout.
#![allow(missing_docs)]

use std::sync::OnceLock;

use infralens::pack::{self, Origin, Pack};

pub fn course() -> &'static Pack {
    static COURSE: OnceLock<Pack> = OnceLock::new();
    COURSE.get_or_init(|| {
        let folder = env!("CARGO_MANIFEST_DIR").into();
        pack::load(&Origin::Folder(folder)).pack.expect("the built-in pack")
    })
}
