//! Sentences that keep to the width of the tables.

/// The width that tables and sentences keep to, in characters.
pub(super) const WIDTH: usize = 120;

/// A sentence in lines of at most [`WIDTH`] characters, unless a word is longer. Lines after the first are indented.
pub(super) fn wrap(sentence: &str, indent: usize) -> String {
    let words = sentence.trim_start();
    let start = sentence.len() - words.len();
    let mut lines = vec![" ".repeat(start)];
    for word in words.split(' ') {
        let width = |text: &str| text.chars().count();
        let first = lines.len() == 1;
        if let Some(line) = lines.last_mut() {
            let is_start = width(line) == if first { start } else { indent };
            if is_start || width(line) + 1 + width(word) <= WIDTH {
                if !is_start {
                    line.push(' ');
                }
                line.push_str(word);
                continue;
            }
        }
        lines.push(" ".repeat(indent) + word);
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::{WIDTH, wrap};

    #[test]
    fn sentences_keep_to_the_width() {
        let sentence = "one two three ".repeat(30);
        let wrapped = wrap(sentence.trim_end(), 4);
        assert!(wrapped.lines().all(|line| line.chars().count() <= WIDTH), "{wrapped}");
        assert!(
            wrapped.lines().skip(1).all(|line| line.starts_with("    ") && !line.starts_with("     ")),
            "{wrapped}"
        );
        assert_eq!(wrapped.split_whitespace().collect::<Vec<_>>(), sentence.split_whitespace().collect::<Vec<_>>());
        assert_eq!(wrap("  short, and indented", 4), "  short, and indented");
    }
}
