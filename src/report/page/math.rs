//! LaTeX to MathML, and sentences with formulas in them to HTML.

use super::html::code;
use crate::statement::Statement;
use crate::theory::derivation::Block;
use crate::theory::typeset;
use math_core::{LatexToMathML, MathCoreConfig, MathDisplay};
use maud::{Markup, PreEscaped, html};

/// A formula wider than this, in letters, is cut into pieces, so that the browser can break the line between them.
const LONG: usize = 16;
/// A piece wider than this, in letters, is also cut within brackets.
const LONGER: usize = 26;
/// The signs that a piece can start with.
const SIGNS: [&str; 8] = [" + ", " - ", " = ", " < ", " > ", " \\le ", " \\ge ", "\\quad"];
/// An empty group before the sign at the start of a piece: it keeps the sign binary.
const EMPTY: &str = "{}";
/// LaTeX's request for small integrals in running text. MathML sets them small there anyway.
const SMALL: &str = "{\\textstyle{}";

/// Converts LaTeX to MathML.
pub(super) struct Math {
    converter: LatexToMathML,
}

impl Math {
    /// A converter without macros.
    pub fn new() -> Math {
        // Only macros can make a configuration fail, and there are none.
        Math { converter: LatexToMathML::new(MathCoreConfig::default()).unwrap_or_default() }
    }

    /// A formula within a line.
    pub fn inline(&self, latex: &str) -> Markup {
        self.convert(latex, "<math>")
    }

    /// A formula on a line of its own, which scrolls if it is too wide.
    fn display(&self, latex: &str) -> Markup {
        html! { div.shown { (self.convert(latex, "<math displaystyle=\"true\">")) } }
    }

    /// A formula in MathML, in pieces between which a line can break. LaTeX that cannot be converted is shown as it is.
    fn convert(&self, latex: &str, opening: &str) -> Markup {
        let converted = pieces(latex).into_iter().map(|piece| {
            let math = self.converter.convert_with_local_counter(&piece, MathDisplay::Inline).ok()?;
            Some(format!("{opening}{}", math.strip_prefix("<math>")?))
        });
        match converted.collect::<Option<Vec<String>>>() {
            Some(pieces) => PreEscaped(pieces.join("<wbr/>")),
            None => html! { code.unconverted { (latex) } },
        }
    }

    /// A sentence with formulas between dollars.
    pub fn sentence(&self, latex: &str) -> Markup {
        html! {
            @for (k, part) in latex.split('$').enumerate() {
                @if k % 2 == 1 { (self.inline(part)) } @else { (without_escapes(part)) }
            }
        }
    }

    /// A derivation.
    pub fn derivation(&self, blocks: &[Block]) -> Markup {
        html! {
            @for block in blocks {
                @match block {
                    Block::Heading(words) => p.step { strong { (words) } },
                    Block::Words(words) => p.scroll { (self.sentence(words)) },
                    Block::Formula(formula) => (self.display(formula)),
                    Block::End => p.end aria-label="end of the proof" { "∎" },
                }
                "\n"
            }
        }
    }

    /// A statement of the language; its text if it cannot be read.
    pub fn statement(&self, text: &str) -> Markup {
        match Statement::parse(text) {
            Ok(statement) => self.sentence(&typeset::sentence(&statement)),
            Err(_) => code(text),
        }
    }
}

/// Words of a LaTeX sentence without LaTeX's escapes.
fn without_escapes(latex: &str) -> String {
    latex.replace("\\^{}", "^").replace('\\', "")
}

/// Cuts a long formula before its signs: first outside of brackets; pieces that are still long, within them as well.
fn pieces(latex: &str) -> Vec<String> {
    let is_long = width(latex) > LONG;
    let outer = split(latex, |depth| is_long && depth == 0);
    let within = |piece: String| if width(&piece) > LONGER { split(&piece, |_| true) } else { vec![piece] };
    outer.into_iter().flat_map(within).collect()
}

/// The approximate width of a formula in letters. Commands and braces have none.
fn width(latex: &str) -> usize {
    let mut letters = latex.chars().peekable();
    let mut width = 0;
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => while letters.next_if(char::is_ascii_alphabetic).is_some() {},
            '{' | '}' | '_' | '^' | ' ' => {}
            _ => width += 1,
        }
    }
    width
}

/// Splits a formula before signs outside of braces, wherever `allowed` accepts the number of open brackets. Drops [`SMALL`] and its closing brace.
///
/// One pass over the formula: each step consumes a sign, a group opening, an escape or a letter, and appends it to the last piece.
fn split(latex: &str, allowed: impl Fn(usize) -> bool) -> Vec<String> {
    let mut pieces = vec![String::new()];
    // For each open brace, whether it is kept; that of `SMALL` is not.
    let mut open_braces: Vec<bool> = Vec::new();
    // The number of open brackets: `(` and `\{`.
    let mut brackets = 0usize;
    let mut remaining = latex;
    while let Some(letter) = remaining.chars().next() {
        let may_split = !open_braces.contains(&true) && allowed(brackets);
        let sign = SIGNS.iter().find(|sign| may_split && remaining.starts_with(**sign));
        let Some(last) = pieces.last_mut() else { break };
        let is_last_empty = ["", EMPTY].contains(&last.trim());
        // The number of bytes that are consumed.
        let taken = match (sign, letter) {
            (Some(sign), _) if !is_last_empty => {
                pieces.push(format!("{EMPTY}{sign}"));
                sign.len()
            }
            (_, '{') if remaining.starts_with(SMALL) => {
                open_braces.push(false);
                SMALL.len()
            }
            // A command or an escape: the backslash and the letter after it.
            (_, '\\') => {
                let two: String = remaining.chars().take(2).collect();
                match two.as_str() {
                    "\\{" => brackets += 1,
                    "\\}" => brackets = brackets.saturating_sub(1),
                    _ => {}
                }
                last.push_str(&two);
                two.len()
            }
            (_, '}') => {
                let is_kept = open_braces.pop() != Some(false);
                if is_kept {
                    last.push('}');
                }
                1
            }
            _ => {
                match letter {
                    '{' => open_braces.push(true),
                    '(' => brackets += 1,
                    ')' => brackets = brackets.saturating_sub(1),
                    _ => {}
                }
                last.push(letter);
                letter.len_utf8()
            }
        };
        remaining = remaining.get(taken..).unwrap_or_default();
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_formulas_are_cut_before_signs_outside_of_braces() {
        let long = r"\mathit{AUC} = \frac{a + b}{c} - {\textstyle{}\int \{x + y\}} \le \mathit{KS} (1 - x)";
        assert_eq!(
            pieces(long),
            [r"\mathit{AUC}", r"{} = \frac{a + b}{c}", r"{} - \int \{x + y\}", r"{} \le \mathit{KS} (1 - x)"]
        );
        assert_eq!(pieces("a + b"), ["a + b"]);
        let bracket = "(aaaaaaaaaa + bbbbbbbbbb - cccccccccc)";
        assert_eq!(pieces(bracket), ["(aaaaaaaaaa", "{} + bbbbbbbbbb", "{} - cccccccccc)"]);
    }

    #[test]
    fn sentences_have_formulas_in_them() {
        let html = Math::new().sentence(r"if a\_b < $\pi_0$").into_string();
        assert!(html.starts_with("if a_b &lt; <math><msub><mi>π</mi><mn>0</mn></msub></math>"), "{html}");
    }

    #[test]
    fn points_of_the_hull_have_one_index_and_one_exponent() {
        use crate::theory::symbol::{FixedCoordinate, Symbol};
        let point = Symbol::At { class: 0, by: FixedCoordinate::Score, amount: "t".into(), hull: true };
        let html = Math::new().inline(&typeset::symbol(&point)).into_string();
        assert!(html.contains("<msubsup>") && !html.contains("unconverted"), "{html}");
    }

    #[test]
    fn what_cannot_be_converted_is_shown_as_it_is() {
        assert!(Math::new().inline(r"\nosuchcommand{x}").into_string().contains("class=\"unconverted\""));
    }
}
