//! Text into tokens: words, numbers and signs in one plain form, each with its bytes.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::lexicon;

/// A word, number or sign of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    /// Lower case, without accents, spelled out where it was short.
    pub word: String,
    /// The first byte in the text.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
    /// What stands between it and the token before it.
    pub gap: Gap,
}

/// What separates two tokens, the weakest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Gap {
    /// A hyphen, a dot inside a name, or nothing.
    Joined,
    /// A blank.
    Space,
    /// `=`.
    Equals,
    /// A bracket.
    Bracket,
    /// `,`.
    Comma,
    /// `→`.
    Arrow,
    /// A dash.
    Dash,
    /// `:`.
    Colon,
    /// `;`.
    Semicolon,
    /// The end of a sentence or of a line of notes; a bullet.
    Sentence,
    /// A blank line.
    Paragraph,
}

impl Gap {
    /// Whether a new clause begins here.
    pub(super) fn ends_clause(self) -> bool {
        self >= Gap::Comma
    }

    /// Whether a new statement begins here.
    pub(super) fn ends_sentence(self) -> bool {
        self >= Gap::Semicolon
    }
}

/// A text cut into tokens.
#[derive(Debug, Clone)]
pub(super) struct Lexed {
    /// The tokens.
    pub tokens: Vec<Token>,
    /// Indices of tokens that stand right before a question mark.
    pub questions: Vec<usize>,
}

/// Cuts a text into tokens, and notes its question marks.
pub(super) fn lex(text: &str) -> Lexed {
    let chars = plain_chars(text);
    let width = wrapped_at(text);
    let mut lexer = Lexer {
        chars: &chars,
        at: 0,
        gap: Gap::Paragraph,
        tokens: Vec::new(),
        width,
        column: 0,
        ends: Vec::new(),
    };
    lexer.run();
    Lexed {
        tokens: lexer.tokens,
        questions: lexer.ends,
    }
}

/// A character in plain form with the bytes it came from.
#[derive(Debug, Clone, Copy)]
struct Plain {
    c: char,
    start: usize,
    end: usize,
}

/// Lower case, composed and decomposed forms alike, accents dropped, look-alikes unified.
fn plain_chars(text: &str) -> Vec<Plain> {
    let mut chars = Vec::with_capacity(text.len());
    for (start, c) in text.char_indices() {
        let end = start + c.len_utf8();
        if c.is_ascii() {
            chars.push(Plain {
                c: c.to_ascii_lowercase(),
                start,
                end,
            });
            continue;
        }
        let unified = match c {
            '\u{2018}' | '\u{2019}' | '\u{02bc}' => '\'',
            '\u{2010}' | '\u{2011}' | '\u{2212}' => '-',
            '\u{2013}' | '\u{2014}' | '\u{2015}' => '\u{2014}',
            '\u{00a0}' | '\u{202f}' | '\u{2009}' => ' ',
            '\u{2028}' | '\u{2029}' => '\n',
            '\u{00d7}' => 'x',
            '\u{00b7}' | '\u{22c5}' | '\u{2217}' => '*',
            '\u{2192}' | '\u{21d2}' | '\u{27f6}' => '\u{2192}',
            other => other,
        };
        for d in unified.nfkd().filter(|d| !is_combining_mark(*d)) {
            for l in d.to_lowercase() {
                chars.push(Plain { c: l, start, end });
            }
        }
    }
    chars
}

/// Text narrower than this is not wrapped: its lines are notes.
const NARROW: usize = 30;

/// The width at which a text is wrapped, if it is: then most lines leave no room for the first
/// word of the next one.
fn wrapped_at(text: &str) -> Option<usize> {
    let width = text.lines().map(|l| l.chars().count()).max().unwrap_or(0);
    let lines: Vec<&str> = text.lines().collect();
    let pairs = lines
        .windows(2)
        .filter(|p| !p[0].trim().is_empty() && !p[1].trim().is_empty());
    let (mut full, mut all) = (0, 0);
    for pair in pairs {
        all += 1;
        let word = pair[1].split_whitespace().next().map_or(0, |w| w.chars().count());
        full += usize::from(pair[0].chars().count() + 1 + word > width);
    }
    (width >= NARROW && full * 10 >= all * 6).then_some(width)
}

struct Lexer<'a> {
    chars: &'a [Plain],
    at: usize,
    gap: Gap,
    tokens: Vec<Token>,
    width: Option<usize>,
    column: usize,
    ends: Vec<usize>,
}

impl Lexer<'_> {
    fn peek(&self, ahead: usize) -> char {
        self.chars.get(self.at + ahead).map_or('\n', |p| p.c)
    }

    fn run(&mut self) {
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
                self.column += 1;
            }
        }
    }

    /// Skips a bullet or a list number at the start of a line.
    fn line_start(&mut self) {
        while matches!(self.peek(0), ' ' | '\t') && self.at < self.chars.len() {
            self.at += 1;
            self.column += 1;
        }
        let c = self.peek(0);
        let next = self.peek(1);
        let blank = |c: char| c == ' ' || c == '\t';
        if matches!(
            c,
            '-' | '*' | '+' | '\u{2022}' | '\u{2014}' | '\u{25e6}' | '\u{2023}' | '>' | '#'
        ) && (blank(next) || next == c)
        {
            self.gap = self.gap.max(Gap::Sentence);
            while self.peek(0) == c && self.at < self.chars.len() {
                self.at += 1;
                self.column += 1;
            }
        } else if c.is_ascii_digit() {
            let digits = (0..3).take_while(|&i| self.peek(i).is_ascii_digit()).count();
            if matches!(self.peek(digits), '.' | ')') && blank(self.peek(digits + 1)) {
                self.gap = self.gap.max(Gap::Sentence);
                self.at += digits + 1;
                self.column += digits + 1;
            }
        }
    }

    /// A line's end is a blank where the line was only wrapped, else the end of a statement.
    fn newline(&mut self) {
        let mut lines = 0;
        let column = self.column;
        while self.at < self.chars.len()
            && (self.peek(0) == '\n' || matches!(self.peek(0), ' ' | '\t' | '\r'))
        {
            lines += usize::from(self.peek(0) == '\n');
            self.at += 1;
        }
        self.column = 0;
        let word = (0..)
            .take_while(|&i| self.at + i < self.chars.len() && !self.peek(i).is_whitespace())
            .count();
        let wrapped = self.width.is_some_and(|width| column + 1 + word > width);
        let gap = match lines {
            1 if wrapped => Gap::Space,
            1 => Gap::Sentence,
            _ => Gap::Paragraph,
        };
        self.gap = self.gap.max(gap);
        self.line_start();
    }

    /// Reads letters and digits, with what may stand inside a word.
    fn run_of_letters(&mut self) {
        let from = self.at;
        let mut word = String::new();
        while self.at < self.chars.len() {
            let c = self.peek(0);
            let next = self.peek(1);
            let inside = c.is_alphanumeric()
                || c == '\'' && next.is_alphabetic() && !word.is_empty()
                || matches!(c, '.' | ',')
                    && next.is_ascii_digit()
                    && word.ends_with(|l: char| l.is_ascii_digit())
                    && word.bytes().all(|b| b.is_ascii_digit() || b == b'.')
                    && (c == '.' || self.thousands());
            if !inside {
                break;
            }
            if c != ',' {
                word.push(c);
            }
            self.at += 1;
        }
        self.column += self.at - from;
        let start = self.chars[from].start;
        let end = self.chars[self.at - 1].end;
        self.word(&word, start, end);
    }

    /// Whether three digits and no more follow the comma here.
    fn thousands(&self) -> bool {
        (1..4).all(|i| self.peek(i).is_ascii_digit()) && !self.peek(4).is_ascii_digit()
    }

    /// Turns a run of letters into tokens.
    fn word(&mut self, word: &str, start: usize, end: usize) {
        let word = match word.find('\'') {
            Some(i) if word.ends_with("n't") && i == word.len() - 2 => word,
            Some(i) => &word[..i],
            None => word,
        };
        if (word == "w") && self.peek(0) == '/' {
            let without = self.peek(1) == 'o' && !self.peek(2).is_alphanumeric();
            self.at += if without { 2 } else { 1 };
            self.push(
                if without { "without" } else { "with" },
                start,
                end + if without { 2 } else { 1 },
            );
            return;
        }
        if let Some(words) = lexicon::expanded(word) {
            for (i, w) in words.iter().enumerate() {
                if i > 0 {
                    self.gap = Gap::Space;
                }
                self.push(w, start, end);
            }
            return;
        }
        if (word == "e" && self.peek(0) == '.' && self.peek(1) == 'g')
            || (word == "i" && self.peek(0) == '.' && self.peek(1) == 'e')
        {
            self.at += if self.peek(2) == '.' { 3 } else { 2 };
            self.gap = self.gap.max(Gap::Comma);
            return;
        }
        let digits = word
            .bytes()
            .take_while(|b| b.is_ascii_digit() || *b == b'.')
            .count();
        if digits > 0 && digits < word.len() {
            let letters = if word[digits..] == *"\u{3c8}" {
                "psi"
            } else {
                &word[digits..]
            };
            if lexicon::is_glued_unit(letters) {
                self.push(&word[..digits], start, start + digits);
                self.gap = Gap::Joined;
                self.push(letters, start + digits, end);
                return;
            }
        }
        let word = match word {
            "\u{3c8}" => "psi",
            "times" if self.last().is_some_and(is_number) => "x",
            "fold" if self.last().is_some_and(is_number) => "x",
            "percent" => "%",
            "cent" if self.last() == Some("per") => {
                if let Some(last) = self.tokens.last_mut() {
                    last.word = "%".to_owned();
                    last.end = end;
                }
                return;
            }
            w => w,
        };
        if let Some(rest) = word.strip_prefix('\u{3bc}') {
            self.micro(rest, start, end);
            return;
        }
        self.push(word, start, end);
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

    fn last(&self) -> Option<&str> {
        self.tokens.last().map(|t| t.word.as_str())
    }

    fn push(&mut self, word: &str, start: usize, end: usize) {
        let word = word.to_owned();
        self.tokens.push(Token {
            word,
            start,
            end,
            gap: self.gap,
        });
        self.gap = Gap::Joined;
    }

    /// Pushes a word that a sign stands for.
    fn push_sign(&mut self, word: &str) {
        let p = self.chars[self.at];
        self.push(word, p.start, p.end);
    }

    fn widen(&mut self, gap: Gap) {
        self.gap = self.gap.max(gap);
    }

    /// Whether the token before is a letter or number of a formula.
    fn atom_before(&self) -> bool {
        self.gap <= Gap::Bracket && self.last().is_some_and(is_atom)
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
    fn sign(&mut self, c: char) {
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
            '/' => self.slash(),
            '*' => {}
            '%' => self.push_sign("%"),
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
                    self.ends.push(last);
                }
                self.widen(Gap::Sentence);
            }
            '\u{2022}' => self.widen(Gap::Sentence),
            '~' | '\u{2248}' => self.widen(Gap::Space),
            _ => self.widen(Gap::Space),
        }
    }

    fn at_bound(&mut self, word: &str) {
        self.push_sign("at");
        self.gap = Gap::Space;
        self.push_sign(word);
        self.gap = Gap::Space;
    }

    /// A long dash is a range or a minus between numbers, else a break.
    fn dash(&mut self) {
        if self.atom_before() && self.gap <= Gap::Bracket && self.atom_after(1) && self.peek(1) != ' ' {
            self.push_sign("minus");
        } else {
            self.widen(Gap::Dash);
        }
    }

    /// A slash: *per*, *over* in a formula, or a joint.
    fn slash(&mut self) {
        let mut i = 1;
        let mut word = String::new();
        while self.peek(i).is_alphabetic() && word.len() < 12 {
            word.push(self.peek(i));
            i += 1;
        }
        let rate = self
            .tokens
            .len()
            .checked_sub(2)
            .is_some_and(|i| self.tokens[i].word == "per");
        let long = rate
            || self
                .last()
                .is_some_and(|l| l.chars().count() > 1 && !is_number(l));
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
            && matches!(
                self.last(),
                Some("vs" | "approx" | "etc" | "cf" | "ca" | "resp" | "fig")
            )
        {
            self.widen(Gap::Space);
        } else {
            self.widen(Gap::Sentence);
        }
    }
}

/// Whether the word is written in digits.
pub(super) fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit()) && word.bytes().all(|b| b.is_ascii_digit() || b == b'.')
}

/// A single letter or a short number: what formulas are made of.
fn is_atom(word: &str) -> bool {
    word.chars().count() == 1 && word.chars().all(char::is_alphanumeric)
        || word.len() <= 4 && is_number(word)
        || word == "psi"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<Token> {
        lex(text).tokens
    }

    fn words(text: &str) -> String {
        tokens(text)
            .iter()
            .map(|t| {
                let mark = match t.gap {
                    Gap::Joined | Gap::Space => "",
                    Gap::Sentence | Gap::Paragraph => ". ",
                    Gap::Comma => ", ",
                    Gap::Arrow => "> ",
                    Gap::Semicolon => "; ",
                    Gap::Colon => ": ",
                    Gap::Equals => "= ",
                    Gap::Dash => "-- ",
                    Gap::Bracket => "( ",
                };
                format!("{mark}{}", t.word)
            })
            .collect::<Vec<_>>()
            .join(" ")
            .trim_start_matches(". ")
            .to_owned()
    }

    #[test]
    fn formulas_read_as_they_are_spoken() {
        assert_eq!(words("(p-1)/(m+p-1)"), "p minus 1 ( over ( m plus p minus 1");
        assert_eq!(
            words("(p\u{2212}1)/(m+p\u{2013}1)"),
            "p minus 1 ( over ( m plus p minus 1"
        );
        assert_eq!(words("p-1 over m plus p-1"), "p minus 1 over m plus p minus 1");
        assert_eq!(words("2S(N-1)/N"), "2 s ( n minus 1 ( over n");
        assert_eq!(words("4+12/N"), "4 plus 12 over n");
        assert_eq!(words("b\u{b7}s\u{b7}h"), "b s h");
    }

    #[test]
    fn numbers_part_from_their_units() {
        assert_eq!(
            words("50GB/s, 1.5\u{d7} and 40 percent"),
            "50 gb per s , 1.5 x and 40 %"
        );
        assert_eq!(words("3\u{3a8}"), "3 psi");
        assert_eq!(words("1F1B on 8 GPUs"), "1f1b on 8 gpus");
        assert_eq!(words("25,000 and 1, 2"), "25000 and 1 , 2");
    }

    #[test]
    fn names_and_short_forms_open_up() {
        assert_eq!(
            words("torch.cuda.max_memory_allocated()"),
            "torch cuda max memory allocated"
        );
        assert_eq!(words("it doesn't w/o sync"), "it does not without sync");
        assert_eq!(words("\u{b5}batches"), "micro batches");
        assert_eq!(words("tokens/s/GPU"), "tokens per s per gpu");
        assert_eq!(words("ZeRO-1, all-reduce"), "zero 1 , all reduce");
    }

    #[test]
    fn statements_end_where_they_should() {
        assert_eq!(words("It is. So"), "it is . so");
        assert_eq!(words("e.g. this vs. that"), "this vs that");
        assert_eq!(words("a -> b; c"), "a > b ; c");
        assert_eq!(words("- one\n- two"), "one . two");
        assert_eq!(words("1. one\n2) two"), "one . two");
        assert_eq!(words("1F1B... one"), "1f1b , one");
    }

    #[test]
    fn a_wrapped_line_is_one_sentence() {
        let flat = "every rank keeps the same weights because it sees the same mean of gradients";
        let wrapped = "every rank keeps the same weights\nbecause it sees the same mean of\ngradients";
        assert_eq!(words(flat), words(wrapped));
    }

    #[test]
    fn composed_and_decomposed_accents_are_alike() {
        assert_eq!(words("caf\u{e9}"), words("cafe\u{301}"));
        let t = tokens("x caf\u{e9} y");
        assert_eq!(&"x caf\u{e9} y"[t[1].start..t[1].end], "caf\u{e9}");
    }
}
