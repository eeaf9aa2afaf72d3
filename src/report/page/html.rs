//! Elements that several parts of the page share.
//!
//! `maud` escapes every text. The page is well-formed XML as well as HTML, so void elements go through [`closed`].

use crate::paper::audit::Outcome;
use maud::{Markup, PreEscaped, html};

/// A void element as XML writes it: `<br/>` for `<br>`.
pub(super) fn closed(element: Markup) -> Markup {
    let text = element.into_string();
    match text.strip_suffix('>') {
        Some(open) => PreEscaped(format!("{open}/>")),
        None => PreEscaped(text),
    }
}

/// The words of a claim. The class index in `π0`, `f1`, `F0`, `s1` and the like becomes a subscript.
pub(super) fn words(text: &str) -> Markup {
    let letters: Vec<char> = text.chars().collect();
    // The letter at a position; a blank before the first and after the last.
    let letter_at = |k: Option<usize>| k.and_then(|k| letters.get(k)).copied().unwrap_or(' ');
    let is_index = |k: usize| {
        let before = letter_at(k.checked_sub(1));
        let is_class = matches!(letter_at(Some(k)), '0' | '1') && !letter_at(Some(k + 1)).is_ascii_digit();
        // A Latin letter that ends a word, as in `of1`, is not a symbol.
        let follows_symbol = match before {
            'π' => true,
            'f' | 'F' | 's' => !letter_at(k.checked_sub(2)).is_alphabetic(),
            _ => false,
        };
        is_class && follows_symbol
    };
    html! {
        @for (k, letter) in letters.iter().enumerate() {
            @if is_index(k) { sub { (letter) } } @else { (letter) }
        }
    }
}

/// Text as the user types it.
pub(super) fn code(text: &str) -> Markup {
    html! { code { (text) } }
}

/// A link to an anchor of the page.
pub(super) fn to_anchor(id: &str, words: &str) -> Markup {
    html! { a href={ "#" (id) } { (words) } }
}

/// A link to a file of the report.
pub(super) fn to_file(path: &str, words: &str) -> Markup {
    html! { a href=(path) { (words) } }
}

/// A command line; the style sheet lets one click select all of it.
pub(super) fn command(text: &str) -> Markup {
    html! { pre.command { (code(text)) } }
}

/// Content that scrolls on its own where it is wider than the page.
pub(super) fn scrolling(content: Markup) -> Markup {
    html! { div.scroll { (content) } }
}

/// Several pieces with a text between them.
pub(super) fn joined(pieces: impl IntoIterator<Item = Markup>, between: &str) -> Markup {
    html! { @for (k, piece) in pieces.into_iter().enumerate() { @if k > 0 { (between) } (piece) } }
}

/// An outcome in words.
pub(super) fn verdict(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Refuted => "not right",
        Outcome::ByDefinition => "by definition",
        other => other.name(),
    }
}

/// An outcome as a coloured mark.
pub(super) fn badge(outcome: Outcome) -> Markup {
    html! { span class={ "badge " (outcome.name()) } { (verdict(outcome)) } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_indices() {
        assert_eq!(
            words("π0π1 & F0(1) < 2s1").into_string(),
            "π<sub>0</sub>π<sub>1</sub> &amp; F<sub>0</sub>(1) &lt; 2s<sub>1</sub>"
        );
        assert_eq!(words("F10 of1 1").into_string(), "F10 of1 1");
    }

    #[test]
    fn void_elements_are_closed() {
        assert_eq!(closed(html! { br class="x>"; }).into_string(), "<br class=\"x&gt;\"/>");
    }
}
