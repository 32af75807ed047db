//! A text of several lines, and the commands that may stand among them.

/// What every text says when it begins.
pub const HOW: &str =
    "Type as many lines as you like. A line with a single dot ends it; :? lists the commands.";

/// The commands of every text.
pub const COMMANDS: &[(&str, &str)] = &[
    (".", "end the text"),
    (":text", "hear what you have typed"),
    (":undo", "take the last line back"),
    (":clear", "start again"),
    (":time", "say the time and the number of words"),
    (":: and a word", "a line that begins with a colon and is no command"),
    (":q, q or back", "leave; what you typed is kept"),
    ("home", "go to the first page; what you typed is kept"),
    ("quit or exit", "end the program; what you typed is kept"),
];

/// How an answer is ended with a rating of one's own.
pub const RATED: (&str, &str) = (". 60", "end the answer, and say that you think it is worth 60 per cent");

/// The most letters of a rating that is typed without blanks.
const LONGEST_RATING: usize = 8;

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
    match trimmed.to_lowercase().as_str() {
        "." => return Typed::End(""),
        "?" | "help" => return Typed::Command("help"),
        "q" | "back" => return Typed::Command("q"),
        "quit" | "exit" => return Typed::Command("quit"),
        "home" => return Typed::Command("home"),
        _ => {}
    }
    if let Some(rating) = trimmed.strip_prefix(". ").map(str::trim)
        && is_rating(rating)
    {
        return Typed::End(rating);
    }
    match trimmed.strip_prefix(':') {
        Some(rest) => match rest.strip_prefix(':') {
            // one of the two colons is part of the text, unless it only guards a command
            Some(guarded) if !matches!(read(guarded), Typed::Text(_)) => Typed::Text(guarded),
            Some(_) => Typed::Text(rest),
            None => Typed::Command(rest.trim()),
        },
        None => Typed::Text(line.trim_end()),
    }
}

/// Whether this is meant to rate an answer, well typed or not: a number, or a few letters in one word or one by one.
fn is_rating(text: &str) -> bool {
    let number = text.trim_end_matches('%').trim().parse::<f64>().is_ok();
    let one_by_one = text.split(' ').all(|word| word.chars().count() <= 1);
    let is_word = text.chars().count() <= LONGEST_RATING && text.chars().all(char::is_alphanumeric);
    number || one_by_one || is_word
}

/// The text with one more line.
pub fn with_line(text: &str, line: &str) -> String {
    if text.is_empty() { line.to_owned() } else { format!("{text}\n{line}") }
}

/// The text without its last line, and that line. None where there is no text.
pub fn without_last(text: &str) -> Option<(&str, &str)> {
    let text = text.strip_suffix('\n').unwrap_or(text);
    (!text.is_empty()).then(|| text.rsplit_once('\n').unwrap_or(("", text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_text_an_end_or_a_command() {
        assert_eq!(read("each rank.  "), Typed::Text("each rank."));
        assert_eq!(read("  indented"), Typed::Text("  indented"));
        assert_eq!(read(" . "), Typed::End(""));
        for rating in ["60", "60%", "60 %", "mpccm", "M p c", "cpmmx", "130"] {
            assert_eq!(read(&format!(". {rating}")), Typed::End(rating), "a rating, well typed or not");
        }
        assert_eq!(read(". and so on"), Typed::Text(". and so on"));
        assert_eq!(read(":parts"), Typed::Command("parts"));
        assert_eq!(read("::parts"), Typed::Text(":parts"));
        for (typed, command) in [
            ("?", "help"),
            ("Help", "help"),
            ("q", "q"),
            ("back", "q"),
            ("quit", "quit"),
            ("exit", "quit"),
            ("home", "home"),
        ] {
            assert_eq!(read(typed), Typed::Command(command));
            assert_eq!(read(&format!("::{typed}")), Typed::Text(typed));
        }
        assert_eq!(read("home is where"), Typed::Text("home is where"));
        assert_eq!(read(""), Typed::Text(""));
    }

    #[test]
    fn lines_come_and_go_at_the_end() {
        let text = with_line(&with_line("", "a"), "b");
        assert_eq!((text.as_str(), without_last(&text)), ("a\nb", Some(("a", "b"))));
        assert_eq!((without_last("a"), without_last("")), (Some(("", "a")), None));
    }
}
