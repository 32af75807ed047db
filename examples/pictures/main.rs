//! Draws the pictures of the README from the program's own screens, and records its first two minutes.
//!
//! `cargo run --example pictures` writes them into `docs/pictures`. A test draws them anew and compares.

use std::path::Path;

mod all;
mod cast;
mod paint;
mod scenes;
mod stage;

fn main() -> std::io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/pictures");
    std::fs::create_dir_all(&folder)?;
    for (name, text) in all::files() {
        std::fs::write(folder.join(name), text)?;
    }
    Ok(())
}
