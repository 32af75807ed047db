//! How well a few typed letters fit a title, for the jump list.

/// The rank of a title for typed letters, higher is better; none where they do not fit.
/// Letter case does not count. Words typed in any order each have to be found: at the start
/// of the title, at the start of a word, inside a word, or as letters in order.
pub fn rank(typed: &str, title: &str) -> Option<u32> {
    let title = title.to_lowercase();
    let mut total = 0;
    for word in typed.to_lowercase().split_whitespace() {
        total += rank_word(word, &title)?;
    }
    Some(total)
}

/// Whether every typed word stands in the title, rather than its letters scattered over it.
pub fn has_words(typed: &str, title: &str) -> bool {
    let title = title.to_lowercase();
    typed.to_lowercase().split_whitespace().all(|w| title.contains(w))
}

fn rank_word(word: &str, title: &str) -> Option<u32> {
    if title.starts_with(word) {
        return Some(100);
    }
    if let Some(at) = title.find(word) {
        let before = title[..at].chars().next_back();
        let at_word = before.is_none_or(|c| !c.is_alphanumeric());
        return Some(if at_word { 80 } else { 50 });
    }
    let mut letters = title.chars();
    word.chars().all(|c| letters.any(|l| l == c)).then_some(10)
}

#[cfg(test)]
mod tests {
    use super::{has_words, rank};

    #[test]
    fn better_fits_rank_higher() {
        let order = ["ring all-reduce", "the ring", "wiring", "regain nothing"];
        let ranks: Vec<_> = order.iter().map(|t| rank("ring", t)).collect();
        assert!(ranks.windows(2).all(|w| w[0] > w[1]), "{ranks:?}");
        assert_eq!(rank("ring", "mesh"), None);
    }

    #[test]
    fn scattered_letters_are_no_words() {
        assert!(has_words("ring", "wiring") && has_words("reduce ALL", "Ring all-reduce"));
        assert!(!has_words("ring", "regain nothing"));
    }

    #[test]
    fn every_word_has_to_be_found_in_any_order() {
        assert!(rank("reduce all", "ring all-reduce").is_some());
        assert_eq!(rank("ring mesh", "ring all-reduce"), None);
        assert_eq!(rank("", "anything"), Some(0));
    }
}
