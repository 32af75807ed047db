//! The prompt said again, and the names of its parts.

use foldhash::HashSet;

use crate::token::Token;

/// The words of a prompt, in fours, and the names of the parts.
#[derive(Debug, Clone, Default)]
pub(crate) struct Prompt {
    fours: HashSet<String>,
    pub(super) parts: Vec<String>,
}

impl Prompt {
    /// Reads a prompt.
    pub(crate) fn new(tokens: &[Token], parts: &[String]) -> Prompt {
        Prompt { fours: tokens.windows(4).map(four).collect(), parts: parts.to_vec() }
    }

    /// Which tokens stand as they stand in the prompt.
    pub(super) fn copied(&self, tokens: &[Token]) -> Vec<bool> {
        let mut copied = vec![false; tokens.len()];
        for (i, window) in tokens.windows(4).enumerate() {
            if self.fours.contains(&four(window)) {
                copied[i..i + 4].fill(true);
            }
        }
        copied
    }
}

fn four(tokens: &[Token]) -> String {
    let mut key = String::new();
    for token in tokens {
        key.push_str(&token.word);
        key.push(' ');
    }
    key
}
