//! What is said: lines of text, wrapped, with nothing in them that could steer a terminal.

use crate::doc::aloud::aloud;
use crate::doc::plain::wrapped;

/// Lines to be said.
pub struct Out {
    width: usize,
    text: String,
    /// Whether something was said before these lines.
    begun: bool,
}

impl Out {
    /// Nothing yet; words will be wrapped to `width` columns. `begun` where something was said before.
    pub fn new(width: usize, begun: bool) -> Self {
        Out { width: width.max(20), text: String::new(), begun }
    }

    /// The columns that words are wrapped to.
    pub fn width(&self) -> usize {
        self.width
    }

    /// A line that was made harmless and wrapped already.
    pub fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// A paragraph of words; its line ends count as blanks.
    pub fn say(&mut self, text: &str) {
        self.hang("", "", &aloud(&joined(text)));
    }

    /// Words after a lead, such as `3. `; further rows stand in.
    pub fn item(&mut self, lead: &str, text: &str) {
        self.hang(lead, "   ", &aloud(&joined(text)));
    }

    /// Somebody's own text: its lines are kept, and stand in.
    pub fn own(&mut self, text: &str) {
        for line in text.trim_end().lines() {
            match line.trim() {
                "" => self.text.push('\n'),
                _ => self.hang("  ", "  ", line),
            }
        }
    }

    /// A blank line, unless there is one or nothing was said yet.
    pub fn gap(&mut self) {
        let blank = match self.text.as_str() {
            "" => !self.begun,
            "\n" => true,
            text => text.ends_with("\n\n"),
        };
        if !blank {
            self.text.push('\n');
        }
    }

    /// How much was said, so that one can tell whether more was.
    pub fn len(&self) -> usize {
        self.text.len()
    }

    /// All that was said.
    pub fn into_text(self) -> String {
        self.text
    }

    fn hang(&mut self, first: &str, rest: &str, text: &str) {
        if first.trim().is_empty() && text.is_empty() {
            return;
        }
        for row in wrapped(first, rest, text, self.width) {
            self.text.push_str(&row);
            self.text.push('\n');
        }
    }
}

fn joined(text: &str) -> String {
    text.split(['\n', '\r']).map(str::trim).filter(|l| !l.is_empty()).collect::<Vec<_>>().join(" ")
}
