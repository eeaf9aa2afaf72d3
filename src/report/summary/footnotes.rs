//! Footnotes: each text once, with its number in superscript.

/// The footnotes of a table, in the order in which they are cited.
#[derive(Default)]
pub(in crate::report) struct Footnotes(Vec<String>);

impl Footnotes {
    /// Cites a text: its number in superscript.
    pub(in crate::report) fn cite(&mut self, text: &str) -> String {
        let index = self.0.iter().position(|known| known == text).unwrap_or_else(|| {
            self.0.push(text.to_owned());
            self.0.len() - 1
        });
        superscript(index + 1)
    }

    /// The lines below the table.
    pub(in crate::report) fn lines(&self) -> Vec<String> {
        self.0.iter().enumerate().map(|(k, text)| format!("{} {text}", superscript(k + 1))).collect()
    }
}

/// A whole number in superscript.
fn superscript(number: usize) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    number.to_string().bytes().map(|digit| DIGITS[usize::from(digit - b'0') % 10]).collect()
}

#[cfg(test)]
mod tests {
    use super::Footnotes;

    #[test]
    fn a_text_is_cited_by_one_number() {
        let mut notes = Footnotes::default();
        assert_eq!([notes.cite("few"), notes.cite("near"), notes.cite("few")], ["¹", "²", "¹"]);
        assert_eq!(notes.lines(), ["¹ few", "² near"]);
    }
}
