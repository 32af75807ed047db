//! Text into tokens: words, numbers and signs in one plain form, each with its bytes.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::lexer::Lexer;
use super::speech;
use super::wrap;

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
    /// A bracket.
    Bracket,
    /// `=`.
    Equals,
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
    let mut chars = plain_chars(text);
    wrap::unwrap_lines(&mut chars);
    let mut lexer = Lexer::new(&chars);
    lexer.run();
    let mut lexed = Lexed { tokens: lexer.tokens, questions: lexer.questions };
    speech::tidy(&mut lexed);
    lexed
}

/// A character in plain form with the bytes it came from.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plain {
    /// The character.
    pub c: char,
    /// The first byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
    /// Whether it was a capital letter.
    pub big: bool,
}

/// Lower case, composed and decomposed forms alike, accents dropped, look-alikes unified.
pub(super) fn plain_chars(text: &str) -> Vec<Plain> {
    let mut chars = Vec::with_capacity(text.len());
    let mut after = text.chars().skip(1);
    for (start, c) in text.char_indices() {
        let end = start + c.len_utf8();
        let next = after.next();
        if c == '\r' {
            // a line end is one sign, however it is written
            if next != Some('\n') {
                chars.push(Plain { c: '\n', start, end, big: false });
            }
            continue;
        }
        if c.is_ascii() {
            chars.push(Plain { c: c.to_ascii_lowercase(), start, end, big: c.is_ascii_uppercase() });
            continue;
        }
        if c == '\u{2260}' {
            // its parts would be an equals sign and a stroke
            chars.extend(['!', '='].map(|c| Plain { c, start, end, big: false }));
            continue;
        }
        let unified = match c {
            '\u{2018}' | '\u{2019}' | '\u{02bc}' => '\'',
            '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{ab}' | '\u{bb}' => '"',
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
                chars.push(Plain { c: l, start, end, big: false });
            }
        }
    }
    chars
}

/// Whether the word is written in digits.
pub(super) fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit()) && word.bytes().all(|b| b.is_ascii_digit() || b == b'.')
}

/// A single letter or a short number: what formulas are made of.
pub(super) fn is_atom(word: &str) -> bool {
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
        assert_eq!(words("(p\u{2212}1)/(m+p\u{2013}1)"), "p minus 1 ( over ( m plus p minus 1");
        assert_eq!(words("p-1 over m plus p-1"), "p minus 1 over m plus p minus 1");
        assert_eq!(words("2S(N-1)/N"), "2 s ( n minus 1 ( over n");
        assert_eq!(words("4+12/N"), "4 plus 12 over n");
        assert_eq!(words("b\u{b7}s\u{b7}h"), "b s h");
    }

    #[test]
    fn numbers_part_from_their_units() {
        assert_eq!(words("4096\u{d7}8x2, H100x8"), words("4096 x 8 x 2, H100x8"));
        assert_eq!(words("50GB/s, 1.5\u{d7} and 40 percent"), "50 gb per s , 1.5 x and 40 %");
        assert_eq!(words("3\u{3a8}"), "3 psi");
        assert_eq!(words("1F1B on 8 GPUs"), "1f1b on 8 gpus");
        assert_eq!(words("25,000 and 1, 2"), "25000 and 1 , 2");
    }

    #[test]
    fn names_and_short_forms_open_up() {
        assert_eq!(words("torch.cuda.max_memory_allocated()"), "torch cuda max memory allocated");
        assert_eq!(words("it doesn't w/o sync"), "it does not without sync");
        assert_eq!(words("\u{b5}batches"), "micro batches");
        assert_eq!(words("tokens/s/GPU"), "tokens per s per gpu");
        assert_eq!(words("ZeRO-1, all-reduce"), "zero 1 , all reduce");
    }

    #[test]
    fn slashes_between_blanks_part_notes() {
        assert_eq!(
            words("one thing / some two / and three / four"),
            "one thing ; some two ; and three ; four"
        );
        assert_eq!(words("bytes / bandwidth"), "bytes bandwidth");
    }

    #[test]
    fn a_row_of_a_table_tells_of_its_first_cell() {
        let table = "| stage | grads |\n|---|---|\n| ZeRO-1 | whole, 2 B |\n| ZeRO-2 | 2/N |";
        let read = "stage : grads . zero 1 : whole , 2 b . zero 2 : 2 over n";
        assert_eq!(words(table), read);
        assert_eq!(words(&table.replace('\n', " ")), read);
        assert_eq!(words("TP inside | PP across"), "tp inside ; pp across");
    }

    #[test]
    fn what_is_not_equal_is_denied() {
        assert_eq!(words("DDP != FSDP, mean\u{2260}sum"), "ddp is not fsdp , mean is not sum");
        assert_eq!(words("It hangs! = sign"), "it hangs . sign");
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

    #[test]
    fn unified_signs_keep_whole_characters() {
        let text = "\u{ff15}\u{ff10}GB, w/\u{ba} it";
        for t in tokens(text) {
            assert!(text.is_char_boundary(t.start) && text.is_char_boundary(t.end), "{t:?}");
        }
    }
}
