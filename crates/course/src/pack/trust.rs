//! What trust in a pack rests on.

use sha2::{Digest, Sha256};

use super::Pack;

/// The first part of every fingerprint: which rules made it. Trust that was given under other rules is
/// asked for again.
const RULES: &str = "sha256-2:";

/// A fingerprint (SHA-256, hexadecimal) of all that decides what the starters of a pack run: the pack's id, and for
/// each lab its id, the name of the starter, its language, which chooses the program that runs it, and its text; and of
/// its measured program, each file's name and text, the program first. Trust holds as long as it stays the same.
pub fn fingerprint(pack: &Pack) -> String {
    let mut hash = Sha256::new();
    // each piece with its length before it, so that nothing can move from one into the next
    let mut add = |piece: &str| {
        hash.update((piece.len() as u64).to_le_bytes());
        hash.update(piece.as_bytes());
    };
    add(&pack.id);
    for lab in pack.lessons.iter().flat_map(|l| &l.labs) {
        let starter = &lab.starter;
        [&lab.id, &starter.path, &starter.language, &starter.text].into_iter().for_each(|piece| add(piece));
        let files = lab.measure.iter().flat_map(|measure| measure.files());
        // how many, so that the files of one lab cannot be taken for the next lab
        add(&lab.measure.as_ref().map_or(0, |measure| measure.files().count()).to_string());
        for file in files {
            add(file.name());
            add(&file.text);
        }
    }
    let hex: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{RULES}{hex}")
}
