//! Sentences with formulas in them.

use super::Style;
use crate::statement::Statement;

impl Style {
    /// A remark after a formula, with space before it; empty if there are no words. In LaTeX it is part of the formula.
    pub fn note(self, words: &str) -> String {
        if words.is_empty() {
            return String::new();
        }
        if self.is_text() {
            return format!("  {}", words.trim());
        }
        // Dollars separate words from formulas by turns; formulas stand outside of `\text`.
        let set = |(k, piece): (usize, &str)| match piece {
            "" => String::new(),
            words if k % 2 == 0 => format!("\\text{{{words}}}"),
            formula => formula.to_owned(),
        };
        let pieces: String = self.prose(words.trim()).split('$').enumerate().map(set).collect();
        format!("\\quad{pieces}")
    }

    /// A hypothesis: a comparison in the language, or a sentence.
    pub fn hypothesis(self, words: &str) -> String {
        match Statement::parse(words) {
            Ok(statement) if !self.is_text() => self.inline(&self.chain(&statement.claims)),
            _ => self.prose(words),
        }
    }

    /// A sentence, in which names of the language become formulas.
    pub fn prose(self, words: &str) -> String {
        let words = words.replace("==", "=").replace("pi0", "π0").replace("pi1", "π1");
        if self.is_text() {
            return words;
        }
        let words = words.replace("<=", "≤").replace(">=", "≥");
        let set = |word: &str| match word {
            name if !is_name(name) => escape(name),
            differential if differential.len() > 1 && differential.starts_with('d') => {
                self.inline(self.differential(differential).trim_start_matches("\\,"))
            }
            name => self.inline(&self.variable(name)),
        };
        let text: String = split_words(&words).map(set).collect();
        // A quotient of two names is one formula.
        text.replace("$/$", "/")
    }

    /// A reference to the lemmas and rules of a proof, by their anchors in the foundations.
    pub fn foundations(self, anchors: &[&str]) -> String {
        match self {
            Style::Text => {
                let links: Vec<String> = anchors.iter().map(|anchor| format!("#{anchor}")).collect();
                format!("Lemmas and rules, in docs/foundations.md: {}", links.join(" "))
            }
            Style::Latex => format!("Lemmas and rules of the foundations: {}.", anchors.join(", ")),
        }
    }
}

/// Whether a word of a sentence is a name of the language: a coordinate, its differential, an end of the scale, a mean score, or a parameter
/// such as `t` or `r1`.
fn is_name(word: &str) -> bool {
    ["c", "x", "l", "h", "R", "F0", "F1", "dF0", "dF1", "dR", "s0", "s1"].contains(&word)
        || word.strip_prefix(['t', 'r']).is_some_and(|index| ["", "0", "1", "2"].contains(&index))
}

/// Escapes words for LaTeX; class proportions and signs become formulas.
fn escape(words: &str) -> String {
    let mut out = String::new();
    let mut letters = words.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            'π' => {
                let class = letters.next_if(|next| matches!(next, '0' | '1'));
                out += &class.map_or("$\\pi$".to_owned(), |class| format!("$\\pi_{class}$"));
            }
            '⁻' => out += "$^{-}$",
            '¹' => out += "$^{1}$",
            '≤' => out += "$\\le $",
            '≥' => out += "$\\ge $",
            '<' | '>' | '=' => out += &format!("${letter}$"),
            '^' => out += "\\^{}",
            '*' => out += "$\\cdot$",
            '_' | '&' | '%' | '#' | '{' | '}' | '$' => out += &format!("\\{letter}"),
            '\\' | '~' => out.push(' '),
            _ => out.push(letter),
        }
    }
    out
}

/// Splits a text into words and the text between them.
fn split_words(text: &str) -> impl Iterator<Item = &str> {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut remaining = text;
    std::iter::from_fn(move || {
        let in_word = is_word(remaining.chars().next()?);
        let end = remaining.find(|letter| is_word(letter) != in_word).unwrap_or(remaining.len());
        let (piece, after) = remaining.split_at(end);
        remaining = after;
        Some(piece)
    })
}
