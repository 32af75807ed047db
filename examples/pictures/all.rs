//! All files of the folder of pictures.

use infralens::widget::theme::Palette;

use super::{cast, paint, scenes};

/// The files by their names, with what they hold.
pub fn files() -> Vec<(String, String)> {
    let mut files = Vec::new();
    for (palette, tone) in [(Palette::Dark, "dark"), (Palette::Light, "light")] {
        for scene in scenes::ALL {
            let svg = paint::svg(&(scene.act)(palette), palette, scene.tells);
            files.push((format!("{}-{tone}.svg", scene.name), svg));
        }
    }
    files.push(("first-two-minutes.cast".into(), cast::record()));
    files
}
