//! Taking the terminal over, and giving it back however the program ends.

use std::io::{self, BufWriter, Stdout, Write, stdout};
use std::sync::atomic::{AtomicBool, Ordering};

use crossterm::event::{
    DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
    KeyboardEnhancementFlags, PopKeyboardEnhancementFlags, PushKeyboardEnhancementFlags,
};
use crossterm::terminal::{
    Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use crossterm::{cursor, execute, queue};
use ratatui::backend::CrosstermBackend;
use ratatui::layout::Rect;
use ratatui::{Terminal, TerminalOptions, Viewport};

/// The terminal that the program draws on.
pub type Screen = Terminal<CrosstermBackend<BufWriter<Out>>>;

/// Standard output while the terminal is ours; afterwards what is written goes nowhere. A dropped [`Screen`] shows the
/// cursor, which [`restore`] did, and would panic where the terminal is gone and takes no word of it either.
#[derive(Debug)]
pub struct Out(Stdout);

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if TAKEN.load(Ordering::SeqCst) { self.0.write(bytes) } else { Ok(bytes.len()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        if TAKEN.load(Ordering::SeqCst) { self.0.flush() } else { Ok(()) }
    }
}

/// Bytes of a large frame: written at once, no terminal shows half of it.
const FRAME: usize = 16 << 10;

/// The most columns and rows that are drawn: no screen has more, and a terminal may say anything.
const LARGEST: (u16, u16) = (1000, 500);

/// Whether the terminal is ours now; [`restore`] does nothing otherwise.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// Asks the terminal for its background colour; see [`super::input`] for the answer.
const ASK_BACKGROUND: &str = "\x1b]11;?\x1b\\";

/// Takes the terminal over. The guard gives it back when dropped; a panic gives it back first.
///
/// # Errors
/// Where standard input or output is no terminal.
pub fn take(mouse: bool) -> io::Result<(Screen, Guard)> {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        // a panic over somebody's pack is caught and told on screen
        if !crate::pack::is_reading() {
            restore();
            before(info);
        }
    }));
    enter(mouse)?;
    let screen = measured().inspect_err(|_| restore())?;
    Ok((screen, Guard { mouse }))
}

/// An empty screen of the terminal's own size.
fn measured() -> io::Result<Screen> {
    let (width, height) = size()?;
    fresh(width, height)
}

/// Columns and rows of the terminal.
///
/// # Errors
/// Where the terminal is gone.
#[allow(clippy::disallowed_methods, reason = "a screen is given its area here")]
pub fn size() -> io::Result<(u16, u16)> {
    crossterm::terminal::size().map(bounded)
}

/// The part of a terminal that is drawn.
fn bounded((width, height): (u16, u16)) -> (u16, u16) {
    (width.min(LARGEST.0), height.min(LARGEST.1))
}

/// An empty screen of a size. The area is fixed: ratatui's own way of resizing asks the terminal
/// where the cursor is, and the answer would go to the thread that reads the keys.
///
/// # Errors
/// Where the terminal is gone.
pub fn fresh(width: u16, height: u16) -> io::Result<Screen> {
    queue!(stdout(), Clear(ClearType::All))?;
    let viewport = Viewport::Fixed(Rect::new(0, 0, width, height));
    let out = BufWriter::with_capacity(FRAME, Out(stdout()));
    Terminal::with_options(CrosstermBackend::new(out), TerminalOptions { viewport })
}

fn enter(mouse: bool) -> io::Result<()> {
    enable_raw_mode()?;
    TAKEN.store(true, Ordering::SeqCst);
    let mut out = stdout();
    // The keyboard flags are pushed blindly: asking first blocks for two seconds where
    // nobody answers, and no chord of ours needs them.
    queue!(
        out,
        EnterAlternateScreen,
        EnableBracketedPaste,
        PushKeyboardEnhancementFlags(KeyboardEnhancementFlags::DISAMBIGUATE_ESCAPE_CODES)
    )?;
    if mouse {
        queue!(out, EnableMouseCapture)?;
    }
    Ok(()) // sent with the frame that follows
}

/// Asks for the background colour. The answer comes as input.
///
/// # Errors
/// Where the terminal is gone.
pub fn ask_background() -> io::Result<()> {
    let mut out = stdout();
    out.write_all(ASK_BACKGROUND.as_bytes())?;
    out.flush()
}

/// Gives the terminal back. Harmless when called twice, or when it was never taken.
pub fn restore() {
    if !TAKEN.swap(false, Ordering::SeqCst) {
        return;
    }
    let _ = execute!(
        stdout(),
        PopKeyboardEnhancementFlags,
        DisableMouseCapture,
        DisableBracketedPaste,
        LeaveAlternateScreen,
        cursor::Show
    );
    let _ = disable_raw_mode();
}

/// Gives the terminal back when dropped.
#[derive(Debug)]
pub struct Guard {
    mouse: bool,
}

impl Guard {
    /// Lends the terminal to something else, an editor or the shell, and takes it again.
    ///
    /// # Errors
    /// Where the terminal is gone.
    pub fn lend<T>(&self, screen: &mut Screen, use_it: impl FnOnce() -> T) -> io::Result<T> {
        restore();
        let result = use_it();
        enter(self.mouse)?;
        *screen = measured()?;
        Ok(result)
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        restore();
    }
}

/// Writes to the terminal what is no text: the bell.
pub fn write(text: &str) {
    let mut out = stdout();
    // a terminal that is gone is found by the next frame
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Puts a text on the clipboard.
pub fn copy(text: &str) {
    use crossterm::clipboard::CopyToClipboard;
    let _ = execute!(stdout(), CopyToClipboard::to_clipboard_from(text));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_that_says_it_is_enormous_is_drawn_in_part() {
        assert_eq!(bounded((80, 24)), (80, 24));
        assert_eq!(bounded((u16::MAX, u16::MAX)), LARGEST);
        // the buffers of such a screen, both of them, are some tens of megabytes
        let cells = usize::from(LARGEST.0) * usize::from(LARGEST.1);
        assert!(cells * 2 * size_of::<ratatui::buffer::Cell>() < 64 << 20);
    }
}
