//! A reader that counts lines, for error messages.

use std::io::Read;

/// Bytes of recent text that are kept at least.
const KEPT: usize = 1 << 17;

/// Passes text on and keeps the end of it, so that the line of a recent byte can be found.
pub(super) struct Lines<R> {
    input: R,
    recent: Vec<u8>,
    /// The position of `recent` in the text.
    start: u64,
    /// The number of lines that end before `recent`.
    lines: u64,
    /// The last byte that is not a line break.
    pub last_byte: Option<u8>,
}

impl<R> Lines<R> {
    /// Counts the lines of an input from its start.
    pub fn new(input: R) -> Lines<R> {
        Lines { input, recent: Vec::new(), start: 0, lines: 0, last_byte: None }
    }

    /// The line, from 1, of the first byte at or after a position that is not a line break; `None` if that text is no longer kept.
    pub fn line(&self, byte: u64) -> Option<u64> {
        let mut at = usize::try_from(byte.checked_sub(self.start)?).ok()?;
        while matches!(self.recent.get(at), Some(b'\r' | b'\n')) {
            at += 1;
        }
        Some(self.lines + self.ends_before(at) + 1)
    }

    /// The number of lines of the kept text that end before an index, with `\n`, `\r\n` or `\r`.
    fn ends_before(&self, at: usize) -> u64 {
        let is_end = |(k, byte): (usize, &u8)| match byte {
            b'\n' => true,
            b'\r' => self.recent.get(k + 1) != Some(&b'\n'),
            _ => false,
        };
        self.recent.iter().enumerate().take(at).filter(|next| is_end(*next)).count() as u64
    }
}

impl<R: Read> Read for Lines<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = self.input.read(buffer)?;
        let text = &buffer[..read];
        self.recent.extend_from_slice(text);
        if self.recent.len() >= 2 * KEPT {
            let gone = self.recent.len() - KEPT;
            self.lines += self.ends_before(gone);
            self.start += gone as u64;
            self.recent.drain(..gone);
        }
        self.last_byte = text.iter().copied().rev().find(|byte| !b"\r\n".contains(byte)).or(self.last_byte);
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_in_three_ways() {
        let mut lines = Lines::new(&b"a\r\nb\rc\n\n\r\nd"[..]);
        std::io::copy(&mut lines, &mut std::io::sink()).unwrap();
        assert_eq!([0, 1, 3, 5, 7].map(|byte| lines.line(byte)), [1, 2, 2, 3, 6].map(Some));
        assert_eq!(lines.last_byte, Some(b'd'));
    }

    #[test]
    fn old_text_is_forgotten_but_counted() {
        let text = "x\r\n".repeat(KEPT);
        let mut lines = Lines::new(text.as_bytes());
        std::io::copy(&mut lines, &mut std::io::sink()).unwrap();
        assert!(lines.recent.len() < 2 * KEPT);
        assert_eq!(lines.line(0), None);
        assert_eq!(lines.line(3 * (KEPT as u64 - 1)), Some(KEPT as u64));
    }
}
