//! Text of several lines, and the commands that may stand among them.

use super::menu::short;
use super::out::Out;
use crate::score;
use crate::study::rating::Rating;

/// The commands of every text.
pub const COMMANDS: &[(&str, &str)] = &[
    (".", "end the text"),
    (":text", "hear what you have typed"),
    (":undo", "take the last line back"),
    (":clear", "begin again"),
    (":time", "say the time and the number of words"),
    ("::", "begin a line with a colon of its own"),
    (":q or q", "leave; what you typed is kept"),
];

/// A line typed into a text.
#[derive(Debug, PartialEq)]
pub enum Typed<'a> {
    /// It belongs to the text.
    Text(&'a str),
    /// It ends the text; with what stands behind the dot.
    End(&'a str),
    /// A command, without its colon.
    Command(&'a str),
}

/// Reads a line.
pub fn read(line: &str) -> Typed<'_> {
    let trimmed = line.trim();
    match trimmed {
        "." => return Typed::End(""),
        "?" | "q" => return Typed::Command(trimmed),
        _ => {}
    }
    if let Some(rating) = trimmed.strip_prefix(". ").map(str::trim)
        && is_rating(rating)
    {
        return Typed::End(rating);
    }
    match trimmed.strip_prefix(':') {
        Some(rest) if rest.starts_with(':') => Typed::Text(rest),
        Some(command) => Typed::Command(command.trim()),
        None => Typed::Text(line.trim_end()),
    }
}

/// Whether this rates an answer: a number, or the first letters of missing, partial and covered.
fn is_rating(text: &str) -> bool {
    let letters = || text.chars().filter(|c| *c != ' ');
    text.trim_end_matches('%').parse::<f64>().is_ok()
        || letters().next().is_some() && letters().all(|c| "mpc".contains(c.to_ascii_lowercase()))
}

/// The rating of an answer to these parts, if one was typed behind the dot. None, and said, where
/// it cannot be read.
pub fn rating(text: &str, parts: &[String], out: &mut Out) -> Option<Option<Rating>> {
    if text.is_empty() {
        return Some(None);
    }
    let rating = Rating::read(text, parts);
    if rating.is_none() {
        let letters = match parts.len() {
            1 => "a letter".to_owned(),
            n => format!("{n} letters, one for each of {}", parts.join(", ")),
        };
        out.say(&format!(
            "That is no rating. Behind the dot stands a number of per cent, or {letters}: m missing, p partial, c covered. A dot alone ends the answer too."
        ));
    }
    rating.map(Some)
}

/// The text so far.
#[derive(Debug, Default)]
pub struct Typing {
    lines: Vec<String>,
}

impl Typing {
    /// A text that was begun before.
    pub fn of(text: &str) -> Self {
        Typing { lines: text.lines().map(str::to_owned).collect() }
    }

    /// All of it.
    pub fn text(&self) -> String {
        self.lines.join("\n")
    }

    /// Whether nothing was typed.
    pub fn is_empty(&self) -> bool {
        self.lines.iter().all(|l| l.trim().is_empty())
    }

    /// Words so far.
    pub fn words(&self) -> usize {
        score::count_words(&self.text())
    }

    /// One more line.
    pub fn push(&mut self, line: &str) {
        self.lines.push(line.to_owned());
    }

    /// Carries a command out that every text knows; false where it is none. Says what came of it.
    pub fn command(&mut self, command: &str, out: &mut Out) -> bool {
        match command {
            "text" if self.is_empty() => out.say("Nothing is typed yet."),
            "text" => out.own(&self.text()),
            "undo" => match self.lines.pop() {
                Some(line) => out.say(&format!("Taken back: {}", short(&line))),
                None => out.say("There is nothing to take back."),
            },
            "clear" => {
                self.lines.clear();
                out.say("Cleared. Begin again.");
            }
            _ => return false,
        }
        true
    }
}

/// Says the commands: those of every text, and some more.
pub fn help(more: &[(&str, &str)], out: &mut Out) {
    out.say("What can be typed here:");
    for (typed, does) in more.iter().chain(COMMANDS) {
        out.item(&format!("{typed}: "), does);
    }
}

/// Says that a command is unknown, and what to do.
pub fn unknown(command: &str, out: &mut Out) {
    out.say(&format!(
        "There is no command “:{}”; :? lists them. To begin a line with a colon, type two.",
        short(command)
    ));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_text_an_end_or_a_command() {
        assert_eq!(read("each rank.  "), Typed::Text("each rank."));
        assert_eq!(read("  indented"), Typed::Text("  indented"));
        assert_eq!(read(" . "), Typed::End(""));
        assert_eq!(read(". 60"), Typed::End("60"));
        assert_eq!(read(". 60%"), Typed::End("60%"));
        assert_eq!(read(". and so on"), Typed::Text(". and so on"));
        assert_eq!(read(". mpccm"), Typed::End("mpccm"));
        assert_eq!(read(". M p c"), Typed::End("M p c"));
        assert_eq!(read(":parts"), Typed::Command("parts"));
        assert_eq!(read("::parts"), Typed::Text(":parts"));
        assert_eq!(read("?"), Typed::Command("?"));
        assert_eq!(read(""), Typed::Text(""));
    }
}
