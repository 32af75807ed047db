//! A key press, as the program knows it: independent of the terminal library.

use std::fmt;

/// What was pressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Code {
    /// A character, as typed (shift already applied).
    Char(char),
    /// Return.
    Enter,
    /// Escape.
    Esc,
    /// Tab; with shift it is `shift+tab`.
    Tab,
    /// Backspace.
    Backspace,
    /// Delete.
    Delete,
    /// Cursor keys.
    Up,
    /// Cursor keys.
    Down,
    /// Cursor keys.
    Left,
    /// Cursor keys.
    Right,
    /// Home.
    Home,
    /// End.
    End,
    /// Page up.
    PageUp,
    /// Page down.
    PageDown,
    /// A function key.
    F(u8),
}

/// A key with its modifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key {
    /// What was pressed.
    pub code: Code,
    /// With control.
    pub ctrl: bool,
    /// With alt.
    pub alt: bool,
    /// With shift; never set for characters.
    pub shift: bool,
}

impl Key {
    /// A key without modifiers.
    pub fn plain(code: Code) -> Self {
        Self { code, ctrl: false, alt: false, shift: false }
    }

    /// A control chord.
    pub fn ctrl(c: char) -> Self {
        Self { ctrl: true, ..Self::plain(Code::Char(c)) }
    }

    /// Whether it is a character that a text field would take.
    pub fn typed(self) -> Option<char> {
        match self.code {
            Code::Char(c) if !self.ctrl && !self.alt => Some(c),
            _ => None,
        }
    }

    /// Reads a name as it stands in the key table: `j`, `ctrl+p`, `enter`, `f1`.
    pub fn parse(name: &str) -> Option<Self> {
        let mut key = Self::plain(Code::Esc);
        let mut rest = name;
        loop {
            let (flag, tail) = match rest.split_once('+') {
                Some(("ctrl", tail)) if !tail.is_empty() => (&mut key.ctrl, tail),
                Some(("alt", tail)) if !tail.is_empty() => (&mut key.alt, tail),
                Some(("shift", tail)) if !tail.is_empty() => (&mut key.shift, tail),
                _ => break,
            };
            *flag = true;
            rest = tail;
        }
        key.code = code(rest)?;
        Some(key)
    }
}

fn code(name: &str) -> Option<Code> {
    let mut chars = name.chars();
    if let (Some(c), None) = (chars.next(), chars.next()) {
        return Some(Code::Char(c));
    }
    Some(match name {
        "enter" => Code::Enter,
        "esc" => Code::Esc,
        "tab" => Code::Tab,
        "backspace" => Code::Backspace,
        "delete" => Code::Delete,
        "up" => Code::Up,
        "down" => Code::Down,
        "left" => Code::Left,
        "right" => Code::Right,
        "home" => Code::Home,
        "end" => Code::End,
        "pgup" => Code::PageUp,
        "pgdn" => Code::PageDown,
        "space" => Code::Char(' '),
        _ => Code::F(name.strip_prefix('f')?.parse().ok()?),
    })
}

impl From<Key> for crossterm::event::KeyEvent {
    /// The key as the editor widget takes it.
    fn from(key: Key) -> Self {
        use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
        let mut modifiers = KeyModifiers::NONE;
        modifiers.set(KeyModifiers::CONTROL, key.ctrl);
        modifiers.set(KeyModifiers::ALT, key.alt);
        modifiers.set(KeyModifiers::SHIFT, key.shift);
        let code = match key.code {
            Code::Char(c) => KeyCode::Char(c),
            Code::Enter => KeyCode::Enter,
            Code::Esc => KeyCode::Esc,
            Code::Tab => KeyCode::Tab,
            Code::Backspace => KeyCode::Backspace,
            Code::Delete => KeyCode::Delete,
            Code::Up => KeyCode::Up,
            Code::Down => KeyCode::Down,
            Code::Left => KeyCode::Left,
            Code::Right => KeyCode::Right,
            Code::Home => KeyCode::Home,
            Code::End => KeyCode::End,
            Code::PageUp => KeyCode::PageUp,
            Code::PageDown => KeyCode::PageDown,
            Code::F(n) => KeyCode::F(n),
        };
        KeyEvent::new(code, modifiers)
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (on, name) in [(self.ctrl, "ctrl+"), (self.alt, "alt+"), (self.shift, "shift+")] {
            if on {
                f.write_str(name)?;
            }
        }
        match self.code {
            Code::Char(' ') => f.write_str("space"),
            Code::Char(c) => write!(f, "{c}"),
            Code::Enter => f.write_str("enter"),
            Code::Esc => f.write_str("esc"),
            Code::Tab => f.write_str("tab"),
            Code::Backspace => f.write_str("backspace"),
            Code::Delete => f.write_str("delete"),
            Code::Up => f.write_str("up"),
            Code::Down => f.write_str("down"),
            Code::Left => f.write_str("left"),
            Code::Right => f.write_str("right"),
            Code::Home => f.write_str("home"),
            Code::End => f.write_str("end"),
            Code::PageUp => f.write_str("pgup"),
            Code::PageDown => f.write_str("pgdn"),
            Code::F(n) => write!(f, "f{n}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_reads_back_as_the_key_it_came_from() {
        for name in ["j", "J", "?", "+", "ctrl+p", "alt+left", "shift+tab", "enter", "space", "f12", "ctrl++"]
        {
            assert_eq!(Key::parse(name).map(|k| k.to_string()).as_deref(), Some(name));
        }
        assert_eq!(Key::parse("no-such-key"), None);
    }
}
