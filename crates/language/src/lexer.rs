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
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let length = match c {
            _ if c.is_whitespace() => c.len_utf8(),
            '0'..='9' | '.' => {
                let length = number_length(&text[at..]);
                let span = Span { start: at, end: at + length };
                let value = parse_decimal(&text[at..at + length]).ok_or_else(|| {
                    source
                        .error(span, "this number cannot be read", "not a number, or beyond 1e±400")
                        .help("numbers look like 2, 0.495, 1/3 or 1e-9")
                })?;
                found.push((Token::Number(value), span));
                length
            }
            _ if c.is_alphabetic() || c == '_' => {
                let length = text[at..].find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len() - at);
                let name = match &text[at..at + length] {
                    "π" => "pi",
                    "π0" => "pi0",
                    "π1" => "pi1",
                    "∞" => "inf",
                    name => name,
                };
                found.push((Token::Name(name.to_owned()), Span { start: at, end: at + length }));
                length
            }
            '∞' => {
                found.push((Token::Name("inf".into()), Span { start: at, end: at + c.len_utf8() }));
                c.len_utf8()
            }
            '=' | '<' | '>' | '!' | '≤' | '≥' => {
                let (relation, length) = relation(source, at)?;
                found.push((Token::Relation(relation), Span { start: at, end: at + length }));
                length
            }
            _ if SYMBOLS.contains(c) => {
                found.push((Token::Symbol(c), Span { start: at, end: at + 1 }));
                1
            }
            _ => {
                let span = Span { start: at, end: at + c.len_utf8() };
                return Err(source.error(span, format!("unexpected character `{c}`"), "not part of the language"));
            }
        };
        at += length;
    }
    found.push((Token::End, Span { start: text.len(), end: text.len() }));
    Ok(found)
}

/// Reads a relation at a byte position. Returns it with its length in bytes.
fn relation(source: &Source, at: usize) -> Result<(Relation, usize), Diagnostic> {
    let text = &source.text[at..];
    let spelled = ["==", "<=", ">=", "≤", "≥", "<", ">"].into_iter().find(|spelling| text.starts_with(spelling));
    if let Some(spelling) = spelled
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
    let digits = |from: usize| from + bytes[from..].iter().take_while(|b| b.is_ascii_digit()).count();
    let mut end = digits(0);
    if bytes.get(end) == Some(&b'.') {
        end = digits(end + 1);
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let exponent_end = if end + 1 + sign <= bytes.len() { digits(end + 1 + sign) } else { 0 };
        if exponent_end > end + 1 + sign {
            end = exponent_end;
        }
    }
    end
}
