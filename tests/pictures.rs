//! The pictures of the README are what the program draws now.

use std::path::Path;

#[path = "../examples/pictures/all.rs"]
mod all;
#[path = "../examples/pictures/cast.rs"]
mod cast;
#[path = "../examples/pictures/paint.rs"]
mod paint;
#[path = "../examples/pictures/scenes.rs"]
mod scenes;
#[path = "../examples/pictures/stage.rs"]
mod stage;

#[test]
fn pictures_are_current() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = std::fs::read_to_string(root.join("README.md")).expect("the README");
    for (name, text) in all::files() {
        let kept = std::fs::read_to_string(root.join("docs/pictures").join(&name)).unwrap_or_default();
        assert!(
            kept == text,
            "docs/pictures/{name} is out of date; `cargo run --example pictures` draws it anew"
        );
        assert!(
            !text.contains("http") || text.matches("http").count() == 1,
            "{name} names something outside"
        );
        let shown = name.replace("-light", "-dark");
        assert!(readme.contains(&shown), "the README does not show {shown}");
    }
}
