//! What `cargo package` carries of each package is all that it needs.

use std::fs;
use std::path::{Path, PathBuf};

/// The source files below a folder.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn no_package_includes_a_file_that_stands_outside_its_folder() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut seen = 0;
    for package in [root.to_owned(), root.join("crates/course"), root.join("crates/score")] {
        let mut files = Vec::new();
        sources(&package.join("src"), &mut files);
        for file in files {
            let text = fs::read_to_string(&file).expect("a source");
            let calls = ["include_str!(\"", "include_bytes!(\""];
            let after = calls.iter().flat_map(|call| text.split(call).skip(1));
            for included in after.filter_map(|rest| rest.split_once('"')).map(|(path, _)| path) {
                // the path is resolved by its text, as a package has no links
                let up = included.matches("../").count();
                let below = file.parent().and_then(|f| f.strip_prefix(&package).ok()).expect("a file of it");
                assert!(up <= below.components().count(), "{}: {included}", file.display());
                seen += 1;
            }
        }
    }
    assert!(seen > 5, "nothing was looked at");
}
