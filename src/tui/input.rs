//! What the terminal sends, turned into the program's own events.

use std::io::stdin;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use crossterm::event::{
    self, Event as Raw, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEventKind,
};
use rustix::event::{PollFd, PollFlags};
use rustix::io::Errno;

use crate::page::key::{Code, Key};
use crate::tui::event::{Mouse, What};

/// Reads the terminal in a thread and sends what comes. After each event the thread waits
/// for a permit, so that an editor started by a key gets the terminal for itself.
#[derive(Debug)]
pub struct Input {
    permits: Sender<()>,
}

impl Input {
    /// Starts reading; events go to `to`.
    pub fn start(to: Sender<What>) -> Self {
        let (permits, allowed) = channel();
        thread::spawn(move || read(&to, &allowed));
        Self { permits }
    }

    /// Lets the thread read the next event.
    pub fn permit(&self) {
        // The thread is gone only when the terminal is; then there is nothing to permit.
        let _ = self.permits.send(());
    }
}

fn read(to: &Sender<What>, allowed: &Receiver<()>) {
    let mut answer = Answer::default();
    loop {
        let Some(raw) = next() else {
            let _ = to.send(What::Terminate);
            return;
        };
        let Some(what) = translate(raw) else { continue };
        for what in answer.filter(what) {
            if to.send(what).is_err() || allowed.recv().is_err() {
                return;
            }
        }
    }
}

/// How long the terminal library is asked for what has come; it does not look at all where it gets no time.
const MOMENT: Duration = Duration::from_millis(1);

/// The next event of the terminal; none once it is gone. The terminal library does not notice that by itself: it would
/// read nothing again and again, where no signal tells of the end either, as in a container whose client went away.
fn next() -> Option<Raw> {
    loop {
        if event::poll(MOMENT).ok()? {
            return event::read().ok();
        }
        match is_gone() {
            Ok(false) | Err(Errno::INTR) => {}
            Ok(true) if event::poll(MOMENT).ok()? => {}
            Ok(true) => return None,
            // a system that cannot tell: the library waits
            Err(_) => return event::read().ok(),
        }
    }
}

/// Waits until the terminal says something. Whether that is its end.
fn is_gone() -> rustix::io::Result<bool> {
    let stdin = stdin();
    let mut asked = [PollFd::new(&stdin, PollFlags::IN)];
    rustix::event::poll(&mut asked, None)?;
    match asked[0].revents() {
        said if said.contains(PollFlags::NVAL) => Err(Errno::NOTSUP),
        said => Ok(said.intersects(PollFlags::HUP | PollFlags::ERR)),
    }
}

/// One terminal event as ours; nothing for those that mean nothing to us.
pub fn translate(raw: Raw) -> Option<What> {
    match raw {
        Raw::Key(k) if k.kind != KeyEventKind::Release => key(k).map(What::Key),
        Raw::Paste(text) => Some(What::Paste(text.replace("\r\n", "\n").replace('\r', "\n"))),
        Raw::Mouse(m) => {
            let kind = match m.kind {
                MouseEventKind::Down(MouseButton::Left) => Mouse::Click,
                MouseEventKind::ScrollUp => Mouse::ScrollUp,
                MouseEventKind::ScrollDown => Mouse::ScrollDown,
                _ => return None,
            };
            Some(What::Mouse(kind, m.column, m.row))
        }
        // Another size is told by its signal: this thread begins to listen too late.
        _ => None,
    }
}

fn key(k: KeyEvent) -> Option<Key> {
    let shift = k.modifiers.contains(KeyModifiers::SHIFT);
    let code = match k.code {
        KeyCode::Char(c) if shift && c.is_lowercase() => Code::Char(c.to_uppercase().next().unwrap_or(c)),
        KeyCode::Char(c) => Code::Char(c),
        KeyCode::Enter => Code::Enter,
        KeyCode::Esc => Code::Esc,
        KeyCode::Tab | KeyCode::BackTab => Code::Tab,
        KeyCode::Backspace => Code::Backspace,
        KeyCode::Delete => Code::Delete,
        KeyCode::Up => Code::Up,
        KeyCode::Down => Code::Down,
        KeyCode::Left => Code::Left,
        KeyCode::Right => Code::Right,
        KeyCode::Home => Code::Home,
        KeyCode::End => Code::End,
        KeyCode::PageUp => Code::PageUp,
        KeyCode::PageDown => Code::PageDown,
        KeyCode::F(n) => Code::F(n),
        _ => return None,
    };
    let ctrl = k.modifiers.contains(KeyModifiers::CONTROL);
    let code = match code {
        // control takes no case: ctrl+P and ctrl+p are the same chord
        Code::Char(c) if ctrl => Code::Char(c.to_ascii_lowercase()),
        other => other,
    };
    Some(Key {
        code,
        ctrl,
        alt: k.modifiers.contains(KeyModifiers::ALT),
        shift: (shift && !matches!(code, Code::Char(_))) || k.code == KeyCode::BackTab,
    })
}

/// Takes the terminal's answer about its background out of the key stream. The terminal
/// library does not know that answer and hands it over as keys: `alt+]`, the characters
/// `11;rgb:R/G/B`, and `alt+\` or `ctrl+g` at the end.
#[derive(Debug, Default)]
struct Answer {
    held: Vec<What>,
    text: String,
}

/// No answer is longer; what is longer was typed by a person.
const LONGEST: usize = 32;

impl Answer {
    fn filter(&mut self, what: What) -> Vec<What> {
        let key = match &what {
            What::Key(k) => *k,
            _ => return self.give_up(what),
        };
        if self.held.is_empty() {
            if key.alt && key.code == Code::Char(']') {
                self.held.push(what);
                return Vec::new();
            }
            return vec![what];
        }
        let ends = (key.alt && key.code == Code::Char('\\')) || (key.ctrl && key.code == Code::Char('g'));
        if ends {
            return match light(&self.text) {
                Some(light) => {
                    self.clear();
                    vec![What::Background { light }]
                }
                None => self.give_up(what),
            };
        }
        match key.typed() {
            Some(c) if self.text.len() < LONGEST && "11;rgba:/".contains(c) || c_is_hex(key) => {
                self.text.extend(key.typed());
                self.held.push(what);
                Vec::new()
            }
            _ => self.give_up(what),
        }
    }

    fn give_up(&mut self, what: What) -> Vec<What> {
        let mut out = std::mem::take(&mut self.held);
        self.clear();
        out.push(what);
        out
    }

    fn clear(&mut self) {
        self.held.clear();
        self.text.clear();
    }
}

fn c_is_hex(key: Key) -> bool {
    key.typed().is_some_and(|c| c.is_ascii_hexdigit())
}

/// Whether `11;rgb:RRRR/GGGG/BBBB` is a light colour, by its luma (Rec. 601).
fn light(answer: &str) -> Option<bool> {
    let (_, channels) = answer.strip_prefix("11;rgb")?.split_once(':')?;
    let mut values = channels.split('/').map(|hex| {
        let max = 16f64.powi(i32::try_from(hex.len()).ok()?) - 1.0;
        Some(u32::from_str_radix(hex, 16).ok().map(f64::from)? / max)
    });
    let (r, g, b) = (values.next()??, values.next()??, values.next()??);
    Some(0.299 * r + 0.587 * g + 0.114 * b > 0.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(names: &[&str]) -> Vec<What> {
        names.iter().map(|n| What::Key(Key::parse(n).expect("a key"))).collect()
    }

    fn feed(events: Vec<What>) -> Vec<String> {
        let mut answer = Answer::default();
        events
            .into_iter()
            .flat_map(|e| answer.filter(e))
            .map(|w| match w {
                What::Key(k) => k.to_string(),
                What::Background { light } => format!("light={light}"),
                other => format!("{other:?}"),
            })
            .collect()
    }

    fn answer_keys(text: &str) -> Vec<What> {
        let mut events = keys(&["alt+]"]);
        events.extend(text.chars().map(|c| What::Key(Key::plain(Code::Char(c)))));
        events.extend(keys(&["alt+\\"]));
        events
    }

    #[test]
    fn the_background_answer_is_taken_out_of_the_keys() {
        assert_eq!(feed(answer_keys("11;rgb:ffff/ffff/ffff")), ["light=true"]);
        assert_eq!(feed(answer_keys("11;rgb:1c1c/1c1c/1c1c")), ["light=false"]);
        assert_eq!(feed(answer_keys("11;rgb:fa/fa/f8")), ["light=true"]);
    }

    #[test]
    fn keys_that_only_look_like_an_answer_are_given_back() {
        assert_eq!(feed(keys(&["alt+]", "1", "x", "j"])), ["alt+]", "1", "x", "j"]);
        assert_eq!(feed(keys(&["j", "k"])), ["j", "k"]);
    }

    #[test]
    fn shifted_letters_are_letters_and_back_tab_is_shift_tab() {
        let press = |code, modifiers| translate(Raw::Key(KeyEvent::new(code, modifiers)));
        let name = |w: Option<What>| match w {
            Some(What::Key(k)) => k.to_string(),
            other => format!("{other:?}"),
        };
        assert_eq!(name(press(KeyCode::Char('g'), KeyModifiers::SHIFT)), "G");
        assert_eq!(name(press(KeyCode::BackTab, KeyModifiers::SHIFT)), "shift+tab");
        assert_eq!(name(press(KeyCode::Char('P'), KeyModifiers::CONTROL)), "ctrl+p");
    }

    #[test]
    fn pasted_line_ends_are_made_one() {
        let pasted = translate(Raw::Paste("a\r\nb\rc".into()));
        assert!(matches!(pasted, Some(What::Paste(t)) if t == "a\nb\nc"));
    }
}
