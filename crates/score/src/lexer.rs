//! From characters to words: contractions, numbers with units, bullets, wrapped lines.

use super::lexicon;
use super::token::{Gap, Plain, Token, is_number};

/// Reads characters into tokens.
pub(super) struct Lexer<'a> {
    chars: &'a [Plain],
    pub(super) at: usize,
    pub(super) gap: Gap,
    pub(super) tokens: Vec<Token>,
    /// Tokens that stand right before a question mark.
    pub(super) questions: Vec<usize>,
    /// How many slashes stand between blanks.
    pub(super) slashes: usize,
    /// Whether this is the first cell of the row of a table.
    pub(super) is_first_cell: bool,
}

impl<'a> Lexer<'a> {
    /// At the start of a text.
    pub(super) fn new(chars: &'a [Plain]) -> Lexer<'a> {
        let free = |w: &&[Plain]| w[0].c == ' ' && w[1].c == '/' && w[2].c == ' ';
        Lexer {
            chars,
            at: 0,
            gap: Gap::Paragraph,
            tokens: Vec::new(),
            questions: Vec::new(),
            slashes: chars.windows(3).filter(free).count(),
            is_first_cell: false,
        }
    }
}

impl Lexer<'_> {
    pub(super) fn peek(&self, ahead: usize) -> char {
        self.chars.get(self.at + ahead).map_or('\n', |p| p.c)
    }

    pub(super) fn peek_back(&self, behind: usize) -> char {
        self.at.checked_sub(behind).map_or('\n', |i| self.chars[i].c)
    }

    pub(super) fn run(&mut self) {
        self.line_start();
        while self.at < self.chars.len() {
            let c = self.peek(0);
            if c.is_alphanumeric() {
                self.run_of_letters();
            } else if c == '\n' {
                self.newline();
            } else {
                self.sign(c);
                self.at += 1;
            }
        }
    }

    /// Skips a bullet or a list number at the start of a line.
    fn line_start(&mut self) {
        while matches!(self.peek(0), ' ' | '\t') && self.at < self.chars.len() {
            self.at += 1;
        }
        let c = self.peek(0);
        let next = self.peek(1);
        let blank = |c: char| c == ' ' || c == '\t';
        if matches!(c, '-' | '*' | '+' | '\u{2022}' | '\u{2014}' | '\u{25e6}' | '\u{2023}' | '>' | '#')
            && (blank(next) || next == c)
        {
            self.gap = self.gap.max(Gap::Sentence);
            while self.peek(0) == c && self.at < self.chars.len() {
                self.at += 1;
            }
        } else if c.is_ascii_digit() {
            let digits = (0..3).take_while(|&i| self.peek(i).is_ascii_digit()).count();
            if matches!(self.peek(digits), '.' | ')') && blank(self.peek(digits + 1)) {
                self.gap = self.gap.max(Gap::Sentence);
                self.at += digits + 1;
            }
        }
    }

    /// The end of a line that is not only wrapped ends a statement.
    fn newline(&mut self) {
        let mut lines = 0;
        while self.at < self.chars.len()
            && (self.peek(0) == '\n' || matches!(self.peek(0), ' ' | '\t' | '\r'))
        {
            lines += usize::from(self.peek(0) == '\n');
            self.at += 1;
        }
        self.gap = self.gap.max(if lines == 1 { Gap::Sentence } else { Gap::Paragraph });
        self.line_start();
    }

    /// Reads letters and digits, with what may stand inside a word.
    fn run_of_letters(&mut self) {
        let from = self.at;
        let mut word = String::new();
        // carried along: looking back at each character would take ages on a long run
        let mut is_figure = true;
        while self.at < self.chars.len() {
            let c = self.peek(0);
            let next = self.peek(1);
            let inside = c.is_alphanumeric()
                || c == '\'' && next.is_alphabetic() && !word.is_empty()
                || matches!(c, '.' | ',')
                    && next.is_ascii_digit()
                    && word.ends_with(|l: char| l.is_ascii_digit())
                    && is_figure
                    && (c == '.' || self.thousands());
            if !inside || self.is_times(from, is_figure) {
                break;
            }
            is_figure &= c.is_ascii_digit() || matches!(c, '.' | ',');
            if c != ',' {
                word.push(c);
            }
            self.at += 1;
        }
        let start = self.chars[from].start;
        let end = self.chars[self.at - 1].end;
        if self.ends_in_bits(from) {
            word.push_str("it");
        }
        self.word(&word, start, end);
    }

    /// Whether a word is a number of bits: `400Gb`, `Mb`, with a capital and a small letter.
    fn ends_in_bits(&self, from: usize) -> bool {
        let [before @ .., prefix, b] = &self.chars[from..self.at] else { return false };
        let is_unit = before.iter().all(|p| p.c.is_ascii_digit() || matches!(p.c, '.' | ','));
        is_unit && prefix.big && matches!(prefix.c, 'g' | 'm') && b.c == 'b' && !b.big
    }

    /// Whether the sign of a product stands or ends here, in a word that began at `from` and is a figure so far or not:
    /// `4096x8`.
    fn is_times(&self, from: usize, is_figure: bool) -> bool {
        let is_digit = |at: usize| self.chars.get(at).is_some_and(|p| p.c.is_ascii_digit());
        let times = |at: usize| self.chars[at].c == 'x' && at > 0 && is_digit(at - 1) && is_digit(at + 1);
        let ends_figure = self.at > from && is_figure;
        ends_figure && times(self.at) || self.at == from + 1 && times(from)
    }

    /// Whether three digits and no more follow the comma here.
    fn thousands(&self) -> bool {
        (1..4).all(|i| self.peek(i).is_ascii_digit()) && !self.peek(4).is_ascii_digit()
    }

    /// Turns a run of letters into tokens.
    fn word(&mut self, word: &str, start: usize, end: usize) {
        let word = without_ending(word);
        if let Some(words) = lexicon::expanded(word) {
            for (i, w) in words.iter().enumerate() {
                if i > 0 {
                    self.gap = Gap::Space;
                }
                self.push(w, start, end);
            }
        } else if !self.short_form(word, start) && !self.with_unit(word, start, end) {
            self.plain_word(word, start, end);
        }
    }

    /// `w/`, `w/o`, `e.g.` and `i.e.`
    fn short_form(&mut self, word: &str, start: usize) -> bool {
        match (word, self.peek(0), self.peek(1)) {
            ("w", '/', next) => {
                let without = next == 'o' && !self.peek(2).is_alphanumeric();
                self.at += if without { 2 } else { 1 };
                let end = self.chars[self.at - 1].end;
                self.push(if without { "without" } else { "with" }, start, end);
            }
            ("e", '.', 'g') | ("i", '.', 'e') => {
                self.at += if self.peek(2) == '.' { 3 } else { 2 };
                self.gap = self.gap.max(Gap::Comma);
            }
            _ => return false,
        }
        true
    }

    /// A number with its unit: `50GB`, `1.5x`, `2Ψ`.
    fn with_unit(&mut self, word: &str, start: usize, end: usize) -> bool {
        let digit = |b: &u8| b.is_ascii_digit() || *b == b'.';
        let digits = word.bytes().take_while(digit).count();
        let letters = match &word[digits..] {
            "\u{3c8}" => "psi",
            letters => letters,
        };
        if digits == 0 || !lexicon::is_glued_unit(letters) {
            return false;
        }
        // Where signs were unified, the bytes of the parts are not known.
        let split = if end - start == word.len() { start + digits } else { end };
        let from = if split == end { start } else { split };
        self.push(&word[..digits], start, split);
        self.gap = Gap::Joined;
        self.push(letters, from, end);
        true
    }

    fn plain_word(&mut self, word: &str, start: usize, end: usize) {
        let after_number = self.last().is_some_and(is_number);
        match word {
            "\u{3c8}" => self.push("psi", start, end),
            "times" | "fold" if after_number => self.push("x", start, end),
            "percent" => self.push("%", start, end),
            "cent" if self.last() == Some("per") => {
                if let Some(last) = self.tokens.last_mut() {
                    last.word = "%".to_owned();
                    last.end = end;
                }
            }
            _ => match word.strip_prefix('\u{3bc}') {
                Some(rest) => self.micro(rest, start, end),
                None => self.push(word, start, end),
            },
        }
    }

    /// A word that begins with a Greek mu: a time unit or *micro*.
    fn micro(&mut self, rest: &str, start: usize, end: usize) {
        if rest == "s" {
            self.push("us", start, end);
        } else {
            self.push("micro", start, end);
            if !rest.is_empty() {
                self.gap = Gap::Joined;
                self.push(rest, start, end);
            }
        }
    }

    pub(super) fn last(&self) -> Option<&str> {
        self.tokens.last().map(|t| t.word.as_str())
    }

    pub(super) fn push(&mut self, word: &str, start: usize, end: usize) {
        let word = word.to_owned();
        self.tokens.push(Token { word, start, end, gap: self.gap });
        self.gap = Gap::Joined;
    }

    /// Pushes a word that a sign stands for.
    pub(super) fn push_sign(&mut self, word: &str) {
        let p = self.chars[self.at];
        self.push(word, p.start, p.end);
    }

    pub(super) fn widen(&mut self, gap: Gap) {
        self.gap = self.gap.max(gap);
    }
}

/// A word without `'s`, `'ll` and the like; `n't` stays.
fn without_ending(word: &str) -> &str {
    match word.find('\'') {
        Some(_) if word.ends_with("n't") => word,
        Some(at) => &word[..at],
        None => word,
    }
}
