//! What can happen to the program.

use jiff::Timestamp;

use crate::page::key::Key;
use crate::services::job::Done;
use crate::services::library::Opened;

/// Something that happened, and when.
#[derive(Debug, Clone)]
pub struct Event {
    /// When it happened. The program reads no other clock.
    pub at: Timestamp,
    /// What happened.
    pub what: What,
}

/// What happened.
#[derive(Debug, Clone)]
pub enum What {
    /// A key was pressed.
    Key(Key),
    /// Text was pasted; line ends are `\n`.
    Paste(String),
    /// The mouse was used; column and row count from 0.
    Mouse(Mouse, u16, u16),
    /// The terminal has a new size: columns and rows.
    Resize(u16, u16),
    /// The time that a screen waited for has come.
    Tick,
    /// Some code has its colours now.
    Coloured,
    /// The terminal told whether its background is light.
    Background {
        /// True for a light background.
        light: bool,
    },
    /// The program is asked to suspend itself, from outside.
    Suspend,
    /// The program was suspended and goes on.
    Resumed,
    /// A pack was opened beside the program, or did not open.
    Opened(Box<Opened>),
    /// A job ended.
    Done(Box<Done>),
    /// The program must end: a signal, or the terminal is gone.
    Terminate,
}

/// What the mouse did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mouse {
    /// A press of the left button.
    Click,
    /// The wheel, towards the top.
    ScrollUp,
    /// The wheel, towards the end.
    ScrollDown,
}

impl From<Done> for What {
    fn from(ended: Done) -> Self {
        What::Done(Box::new(ended))
    }
}
