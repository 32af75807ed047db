//! What trust in a pack rests on.

use sha2::{Digest, Sha256};

use super::Pack;

/// The first part of every fingerprint: which rules made it. Trust that was given under other rules is
/// asked for again.
const RULES: &str = "sha256-1:";

/// A fingerprint (SHA-256, hexadecimal) of all that decides what the starters of a pack run: the pack's id, and for
/// each lab its id, the name of the starter, its language, which chooses the program that runs it, and its text.
/// Trust holds as long as it stays the same.
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
    }
    let hex: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{RULES}{hex}")
}
