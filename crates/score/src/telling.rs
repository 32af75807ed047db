//! The words of a text that tell what it is about, each in the form under which all its forms are found.

use super::stem::Stems;
use super::token;
use super::topic;

/// Finds the telling words of texts.
pub struct Words(Stems);

impl Words {
    /// Ready for texts in English.
    #[expect(clippy::new_without_default, reason = "a stemmer is made, which takes a while")]
    pub fn new() -> Self {
        Words(Stems::new())
    }

    /// The stems of a text in their order, without numbers and the small words of any text.
    pub fn telling(&mut self, text: &str) -> Vec<String> {
        let tokens = token::lex(text).tokens;
        tokens.iter().filter_map(|token| topic::telling(token, &mut self.0).map(str::to_owned)).collect()
    }
}
