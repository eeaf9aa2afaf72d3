//! The lexer: text to tokens.

use super::{Diagnostic, Relation, Source, Span};
use rocproof_algebra::rational::{Rational, parse_decimal};

/// A token. The last token of a text is `End`.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Number(Rational),
    Name(String),
    /// An operator, a bracket or a separator: one of [`SYMBOLS`].
    Symbol(char),
    Relation(Relation),
    End,
}

const SYMBOLS: &str = "+-*/^()[]{},;:";

/// Splits a text into tokens with their places.
pub(super) fn tokens(source: &Source) -> Result<Vec<(Token, Span)>, Diagnostic> {
    let text = source.text.as_str();
    let mut tokens = Vec::new();
    let mut start = 0;
    while let Some(c) = text[start..].chars().next() {
        if c.is_whitespace() {
            start += c.len_utf8();
            continue;
        }
        let (token, length) = token(source, start, c)?;
        let span = Span { start, end: start + length };
        tokens.push((token, span));
        start = span.end;
    }
    tokens.push((Token::End, Span { start: text.len(), end: text.len() }));
    Ok(tokens)
}

/// Reads the token that begins with the character `c` at a byte position. Returns it with its length in bytes.
fn token(source: &Source, start: usize, c: char) -> Result<(Token, usize), Diagnostic> {
    let rest = &source.text[start..];
    match c {
        '0'..='9' | '.' => {
            let length = number_length(rest);
            let value = parse_decimal(&rest[..length]).ok_or_else(|| {
                let span = Span { start, end: start + length };
                source
                    .error(span, "this number cannot be read", "not a number, or beyond 1e±400")
                    .help("numbers look like 2, 0.495, 1/3 or 1e-9")
            })?;
            Ok((Token::Number(value), length))
        }
        _ if c.is_alphabetic() || c == '_' => {
            let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            let name = match &rest[..length] {
                "π" => "pi",
                "π0" => "pi0",
                "π1" => "pi1",
                name => name,
            };
            Ok((Token::Name(name.to_owned()), length))
        }
        '∞' => Ok((Token::Name("inf".into()), c.len_utf8())),
        '=' | '<' | '>' | '!' | '≤' | '≥' => {
            let (relation, length) = relation(source, start)?;
            Ok((Token::Relation(relation), length))
        }
        _ if SYMBOLS.contains(c) => Ok((Token::Symbol(c), c.len_utf8())),
        _ => {
            let span = Span { start, end: start + c.len_utf8() };
            Err(source.error(span, format!("unexpected character `{c}`"), "not part of the language"))
        }
    }
}

/// Reads a relation at a byte position. Returns it with its length in bytes.
fn relation(source: &Source, at: usize) -> Result<(Relation, usize), Diagnostic> {
    let text = &source.text[at..];
    // The longer spellings come first: `<` begins `<=`.
    let spellings = ["==", "<=", ">=", "≤", "≥", "<", ">"];
    if let Some(spelling) = spellings.into_iter().find(|spelling| text.starts_with(spelling))
        && let Some(relation) = Relation::parse(spelling)
    {
        return Ok((relation, spelling.len()));
    }
    let length = if text.starts_with("!=") { 2 } else { 1 };
    let span = Span { start: at, end: at + length };
    let found = &text[..length];
    let help = if found == "=" { "equality is written `==`" } else { "relations are == <= < >= >" };
    Err(source.error(span, format!("`{found}` is not a relation"), "not part of the language").help(help))
}

/// The length in bytes of a number: digits, a point, digits, and an exponent if digits follow the `e`.
fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    // The position after the digits that begin at a position.
    let after_digits = |from: usize| from + bytes[from..].iter().take_while(|b| b.is_ascii_digit()).count();
    let mut end = after_digits(0);
    if bytes.get(end) == Some(&b'.') {
        end = after_digits(end + 1);
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let has_sign = matches!(bytes.get(end + 1), Some(b'+' | b'-'));
        let exponent = end + 1 + usize::from(has_sign);
        if after_digits(exponent) > exponent {
            end = after_digits(exponent);
        }
    }
    end
}
