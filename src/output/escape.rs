//! Texts inside of other languages: XML and the shell.

/// Escapes a text for SVG and other XML. Characters that XML does not allow are left out.
///
/// ```
/// use rocproof::output::escape_xml;
/// assert_eq!(escape_xml("a<b & \"c\"\u{1b}"), "a&lt;b &amp; &quot;c&quot;");
/// ```
pub fn escape_xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars().filter(|c| is_xml_character(*c)) {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
    out
}

/// Whether a character may stand in XML and is not a control character other than tab and line break.
pub(crate) fn is_xml_character(c: char) -> bool {
    match c {
        '\t' | '\n' | '\r' => true,
        c => !matches!(c, '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}'),
    }
}

/// Quotes a word for a POSIX shell, if it needs that. The commands of the report rely on the form: one pair of single quotes around a statement.
///
/// ```
/// use rocproof::output::quote_for_shell;
/// assert_eq!(["a.csv", "it's"].map(quote_for_shell), ["a.csv", r"'it'\''s'"]);
/// ```
pub fn quote_for_shell(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-./=,:@%+".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_reads_the_word_back() {
        for word in ["", "a b", "it's", "'", "x^2 <= \"y\"", "$HOME `ls` \\", "c=0.2", "n0,n1", "π0 # 1", "line\nbreak"]
        {
            assert_eq!(shlex::split(&quote_for_shell(word)), Some(vec![word.to_owned()]), "{word}");
        }
    }
}
