//! Pieces of HTML that is well-formed XML as well.

use crate::output::escaped;
use crate::paper::audit::Outcome;

/// Words of ours, in which the names of functions and numbers of a class have its index below the line.
pub(super) fn words(text: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    let at = |k: Option<usize>| k.and_then(|k| letters.get(k)).copied().unwrap_or(' ');
    let mut html = String::new();
    for (k, letter) in letters.iter().enumerate() {
        let before = at(k.checked_sub(1));
        let is_index = matches!(letter, '0' | '1')
            && matches!(before, 'π' | 'f' | 'F' | 's')
            && !at(Some(k + 1)).is_ascii_digit()
            && (before == 'π' || !at(k.checked_sub(2)).is_alphabetic());
        html += &if is_index { format!("<sub>{letter}</sub>") } else { escaped(&letter.to_string()) };
    }
    html
}

/// Text as it is typed.
pub(super) fn code(text: &str) -> String {
    format!("<code>{}</code>", escaped(text))
}

/// A link within the page, by the name of its anchor.
pub(super) fn to_anchor(id: &str, words: &str) -> String {
    format!("<a href=\"#{}\">{}</a>", escaped(id), escaped(words))
}

/// A link to a file of the report.
pub(super) fn to_file(path: &str, words: &str) -> String {
    format!("<a href=\"{}\">{}</a>", escaped(path), escaped(words))
}

/// A command; a click selects all of it.
pub(super) fn command(text: &str) -> String {
    format!("<pre class=\"command\">{}</pre>", code(text))
}

/// What can be wider than the page and then scrolls on its own.
pub(super) fn scrolling(inner: &str) -> String {
    format!("<div class=\"scroll\">{inner}</div>")
}

/// How a claim turned out, in words.
pub(super) fn verdict(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Refuted => "not right",
        Outcome::ByDefinition => "by definition",
        other => other.name(),
    }
}

/// How a claim turned out, as a mark.
pub(super) fn badge(outcome: Outcome) -> String {
    format!("<span class=\"badge {}\">{}</span>", outcome.name(), verdict(outcome))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_indices() {
        assert_eq!(
            words("π0π1 & F0(1) < 2s1"),
            "π<sub>0</sub>π<sub>1</sub> &amp; F<sub>0</sub>(1) &lt; 2s<sub>1</sub>"
        );
        assert_eq!(words("F10 of1 1"), "F10 of1 1");
    }
}
