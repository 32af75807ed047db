//! Output for `--plain`: whole lines with ASCII in place of what draws boxes and bars.

use std::io::{self, Write};

use crate::doc::plain::without_boxes;

/// Passes lines on to another output.
pub struct Lines<'a> {
    to: &'a mut dyn Write,
    /// A line that has not ended yet.
    held: Vec<u8>,
}

impl<'a> Lines<'a> {
    /// In front of an output.
    pub fn new(to: &'a mut dyn Write) -> Self {
        Lines { to, held: Vec::new() }
    }

    fn pass(&mut self, until: usize) -> io::Result<()> {
        let rest = self.held.split_off(until);
        let line = std::mem::replace(&mut self.held, rest);
        self.to.write_all(without_boxes(&String::from_utf8_lossy(&line)).as_bytes())
    }
}

impl Write for Lines<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.held.extend_from_slice(bytes);
        if let Some(end) = self.held.iter().rposition(|b| *b == b'\n') {
            self.pass(end + 1)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.pass(self.held.len())?;
        self.to.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_written_in_pieces_is_passed_on_whole() {
        let mut out = Vec::new();
        let mut lines = Lines::new(&mut out);
        for byte in "a ─│ b\n█".bytes() {
            lines.write_all(&[byte]).unwrap();
        }
        lines.flush().unwrap();
        assert_eq!(out, b"a -| b\n#");
    }
}
