//! Colours for code, by tree-sitter: the languages of `grammar`.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use ratatui::style::Style;

use super::theme::CodeStyles;
use grammar::{Grammars, Language};

mod grammar;

/// What a stretch of code is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// A word of the language.
    Keyword,
    /// Quoted text.
    String,
    /// A number or a named constant.
    Number,
    /// A comment.
    Comment,
    /// A name that is called or defined.
    Function,
    /// The name of a type or class.
    Type,
    /// A key, field or attribute.
    Property,
    /// A bracket, comma or operator.
    Punctuation,
    /// A heading in a document.
    Heading,
}

impl TokenKind {
    /// How it looks.
    pub fn style(self, styles: &CodeStyles) -> Style {
        match self {
            TokenKind::Keyword => styles.keyword,
            TokenKind::String => styles.string,
            TokenKind::Number => styles.number,
            TokenKind::Comment => styles.comment,
            TokenKind::Function => styles.function,
            TokenKind::Type => styles.kind,
            TokenKind::Property => styles.property,
            TokenKind::Punctuation => styles.punctuation,
            TokenKind::Heading => styles.heading,
        }
    }
}

/// A stretch of one line, in bytes of that line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// The bytes.
    pub range: Range<usize>,
    /// What it is.
    pub kind: TokenKind,
}

/// The tokens of a text, line by line, in order and apart from each other.
pub type Tokens = Vec<Vec<Token>>;

/// Texts longer than this are shown plain.
const LONGEST: usize = 256 << 10;
/// Texts whose tokens are kept; with one more, all are forgotten.
const KEPT: usize = 128;

/// Colours code, away from the thread that draws.
///
/// [`Highlighter::tokens`] never waits: it says `None`, starts the work, and `ready` is called
/// (from the other thread) once the tokens are there. The thread is started by the first request.
#[derive(Default)]
pub struct Highlighter {
    mode: Mode,
}

#[derive(Default)]
enum Mode {
    #[default]
    Off,
    AtOnce(Box<Grammars>),
    Background {
        desk: Arc<Desk>,
        ready: Arc<dyn Fn() + Send + Sync>,
        worker: OnceLock<Option<Sender<Job>>>,
    },
}

type Job = (Language, Arc<str>);

/// What both threads share.
#[derive(Default)]
struct Desk {
    texts: Mutex<HashMap<Job, Option<Arc<Tokens>>>>,
    finished: AtomicU64,
}

impl Desk {
    fn texts(&self) -> MutexGuard<'_, HashMap<Job, Option<Arc<Tokens>>>> {
        // what a thread that panicked left behind is still a valid map
        self.texts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Highlighter {
    /// One that never colours anything.
    pub fn off() -> Highlighter {
        Highlighter { mode: Mode::Off }
    }

    /// One that colours while it is asked, about 15 ms for the first text of a language. For
    /// tests and for output that is not interactive.
    pub fn at_once() -> Highlighter {
        Highlighter { mode: Mode::AtOnce(Box::default()) }
    }

    /// One that colours in a thread of its own and calls `ready` after each text.
    pub fn background(ready: impl Fn() + Send + Sync + 'static) -> Highlighter {
        let worker = OnceLock::new();
        Highlighter { mode: Mode::Background { desk: Arc::default(), ready: Arc::new(ready), worker } }
    }

    /// How many texts were finished: what was laid out at another count may be plain still.
    pub fn finished(&self) -> u64 {
        match &self.mode {
            Mode::Background { desk, .. } => desk.finished.load(Ordering::Acquire),
            Mode::Off | Mode::AtOnce(_) => 0,
        }
    }

    /// The tokens of a harmless text, or `None` while they are not there: draw it plain then.
    /// `None` for ever for a language that is not known.
    pub fn tokens(&self, language: &str, text: &str) -> Option<Arc<Tokens>> {
        let language = Language::named(language).filter(|_| text.len() <= LONGEST)?;
        match &self.mode {
            Mode::Off => None,
            Mode::AtOnce(grammars) => Some(Arc::new(grammars.tokens(language, text))),
            Mode::Background { desk, ready, worker } => {
                let job = (language, Arc::from(text));
                let mut texts = desk.texts();
                if let Some(tokens) = texts.get(&job) {
                    return tokens.clone();
                }
                if texts.len() >= KEPT {
                    texts.clear();
                }
                texts.insert(job.clone(), None);
                drop(texts);
                let worker = worker.get_or_init(|| start(desk.clone(), ready.clone()));
                if let Some(worker) = worker {
                    // a worker that is gone leaves the text plain
                    let _ = worker.send(job);
                }
                None
            }
        }
    }
}

impl std::fmt::Debug for Highlighter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mode = match &self.mode {
            Mode::Off => "off",
            Mode::AtOnce(_) => "at once",
            Mode::Background { .. } => "background",
        };
        f.debug_tuple("Highlighter").field(&mode).finish()
    }
}

/// Starts the thread; it ends with the highlighter. Without a thread, code stays plain.
fn start(desk: Arc<Desk>, ready: Arc<dyn Fn() + Send + Sync>) -> Option<Sender<Job>> {
    let (sender, jobs) = mpsc::channel::<Job>();
    let work = move || {
        let grammars = Grammars::default();
        for (language, text) in jobs {
            let tokens = Arc::new(grammars.tokens(language, &text));
            desk.texts().insert((language, text), Some(tokens));
            desk.finished.fetch_add(1, Ordering::Release);
            ready();
        }
    };
    std::thread::Builder::new().name("colours".into()).spawn(work).ok().map(|_| sender)
}

#[cfg(test)]
mod tests;
