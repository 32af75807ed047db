//! What signs mean between words: breaks, joints, formulas.

use super::lexer::Lexer;
use super::lexicon;
use super::token::{Gap, is_atom, is_number};

/// So many slashes between blanks part notes.
const NOTES: usize = 3;

impl Lexer<'_> {
    /// Whether the token before is a letter or number of a formula.
    fn atom_before(&self) -> bool {
        self.gap <= Gap::Equals && self.last().is_some_and(is_atom)
    }

    /// Whether a letter or number of a formula follows, `from` characters ahead.
    fn atom_after(&self, from: usize) -> bool {
        let mut i = from;
        while matches!(self.peek(i), ' ' | '(') {
            i += 1;
        }
        let mut run = String::new();
        while self.peek(i).is_alphanumeric() && run.len() < 6 {
            run.push(self.peek(i));
            i += 1;
        }
        is_atom(&run)
    }

    /// Reads one sign.
    pub(super) fn sign(&mut self, c: char) {
        match c {
            ' ' | '\t' | '\r' => self.widen(Gap::Space),
            '_' | '\'' | '`' | '"' | '$' | '\\' => {}
            '-' if self.peek(1) == '>' => {
                self.at += 1;
                self.widen(Gap::Arrow);
            }
            '=' if self.peek(1) == '>' => {
                self.at += 1;
                self.widen(Gap::Arrow);
            }
            '\u{2192}' => self.widen(Gap::Arrow),
            '-' if self.peek(1) == '-' => {
                self.at += 1;
                self.widen(Gap::Dash);
            }
            '-' if self.atom_before() && self.atom_after(1) => self.push_sign("minus"),
            '-' if self.gap >= Gap::Space && self.peek(1) == ' ' => self.widen(Gap::Dash),
            '-' if self.gap == Gap::Joined => {}
            '\u{2014}' => self.dash(),
            '+' if self.atom_before() && self.atom_after(1) => self.push_sign("plus"),
            '+' if self.gap >= Gap::Space || self.peek(1) == ' ' => self.push_sign("and"),
            '&' => self.push_sign("and"),
            '/' if self.parts_notes() => self.widen(Gap::Semicolon),
            '/' => self.slash(),
            '|' => self.edge(),
            '*' => {}
            '%' => self.push_sign("%"),
            '!' if self.peek(1) == '=' => {
                self.at += 1;
                self.unequal();
            }
            '\u{2264}' => self.at_bound("most"),
            '\u{2265}' => self.at_bound("least"),
            '\u{221d}' => self.push_sign("proportional"),
            '\u{2191}' => self.push_sign("increase"),
            '\u{2193}' => self.push_sign("decrease"),
            '<' => self.push_sign("below"),
            '>' => self.push_sign("above"),
            '=' => self.widen(Gap::Equals),
            '(' | ')' | '[' | ']' | '{' | '}' => self.widen(Gap::Bracket),
            ',' => self.widen(Gap::Comma),
            ':' if self.peek(1).is_alphanumeric() => self.widen(Gap::Space),
            ':' => self.widen(Gap::Colon),
            ';' => self.widen(Gap::Semicolon),
            '.' => self.dot(),
            '\u{2026}' => self.widen(Gap::Comma),
            '!' => self.widen(Gap::Sentence),
            '?' => {
                if let Some(last) = self.tokens.len().checked_sub(1) {
                    self.questions.push(last);
                }
                self.widen(Gap::Sentence);
            }
            '\u{2022}' => self.widen(Gap::Sentence),
            '~' | '\u{2248}' => self.widen(Gap::Space),
            _ => self.widen(Gap::Space),
        }
    }

    fn unequal(&mut self) {
        self.push_sign("is");
        self.gap = Gap::Space;
        self.push_sign("not");
        self.gap = Gap::Space;
    }

    fn at_bound(&mut self, word: &str) {
        self.push_sign("at");
        self.gap = Gap::Space;
        self.push_sign(word);
        self.gap = Gap::Space;
    }

    /// A long dash is a range or a minus between numbers, else a break.
    fn dash(&mut self) {
        if self.atom_before() && self.gap <= Gap::Equals && self.atom_after(1) && self.peek(1) != ' ' {
            self.push_sign("minus");
        } else {
            self.widen(Gap::Dash);
        }
    }

    /// Whether the slash here parts notes: one of several that stand between blanks ("DP outermost / TP in the node
    /// / …"). One alone divides ("bytes / bandwidth").
    fn parts_notes(&self) -> bool {
        self.slashes >= NOTES
            && self.peek_back(1) == ' '
            && self.peek(1) == ' '
            && !(self.last().is_some_and(is_atom) && self.atom_after(1))
    }

    /// The edge of a cell. Two edges with nothing between begin a row of a table, and what stands in its first cell
    /// is what the others tell of.
    fn edge(&mut self) {
        let before = (1..=self.at).map(|i| self.peek_back(i)).find(|c| *c != ' ');
        let opens = before.is_none_or(|c| matches!(c, '|' | '\n'));
        self.widen(match self.is_first_cell {
            _ if opens => Gap::Sentence,
            true => Gap::Colon,
            false => Gap::Semicolon,
        });
        self.is_first_cell = opens;
    }

    /// A slash: *per*, *over* in a formula, or a joint.
    fn slash(&mut self) {
        let mut i = 1;
        let mut word = String::new();
        while self.peek(i).is_alphabetic() && word.len() < 12 {
            word.push(self.peek(i));
            i += 1;
        }
        let rate = self.tokens.len().checked_sub(2).is_some_and(|i| self.tokens[i].word == "per");
        let long = rate || self.last().is_some_and(|l| l.chars().count() > 1 && !is_number(l));
        if long && lexicon::is_per(&word) {
            self.push_sign("per");
        } else if self.last().is_some_and(is_atom) && self.atom_after(1) {
            self.push_sign("over");
        } else {
            self.widen(Gap::Joined);
        }
    }

    /// A dot: inside a name, three of them, after an abbreviation, or the end.
    fn dot(&mut self) {
        if self.peek(1) == '.' {
            while self.peek(1) == '.' {
                self.at += 1;
            }
            self.widen(Gap::Comma);
        } else if self.peek(1).is_alphanumeric() {
            self.widen(Gap::Joined);
        } else if self.gap == Gap::Joined
            && matches!(self.last(), Some("vs" | "approx" | "etc" | "cf" | "ca" | "resp" | "fig"))
        {
            self.widen(Gap::Space);
        } else {
            self.widen(Gap::Sentence);
        }
    }
}
