//! What the fuzz targets share: several texts in one input, and the built-in course.

use std::sync::OnceLock;

use infralens_course::pack::{self, Body, Origin, Pack};

/// What stands between two texts of one input.
pub const BETWEEN: char = '\u{1e}';

/// The texts of an input; bytes that are no UTF-8 are replaced.
pub fn texts(data: &[u8]) -> Vec<String> {
    String::from_utf8_lossy(data).split(BETWEEN).map(str::to_owned).collect()
}

/// The course that comes with the program.
pub fn course() -> &'static Body {
    static COURSE: OnceLock<Pack> = OnceLock::new();
    COURSE
        .get_or_init(|| {
            let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
            pack::load(&Origin::Folder(folder.into())).pack.expect("the course of this checkout is a pack")
        })
        .body()
}
