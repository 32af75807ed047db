//! Numbers and words that are typed.

/// A typed number; a full stop may follow.
pub fn number(typed: &str) -> Option<usize> {
    typed.trim().trim_end_matches('.').parse().ok()
}

/// The first words of what was typed.
pub fn short(text: &str) -> String {
    let mut chars = text.chars();
    let start: String = chars.by_ref().take(40).collect();
    if chars.next().is_some() { start + "…" } else { start }
}
