//! LaTeX to MathML, and sentences with formulas in them to HTML.

use super::html::code;
use crate::output::escaped;
use crate::theory::derivation::Block;
use math_core::{LatexToMathML, MathCoreConfig, MathDisplay};

/// A formula wider than so many letters is set in pieces, so that a line can end between them.
const LONG: usize = 16;
/// A piece wider than so many letters is cut within brackets as well.
const LONGER: usize = 26;
/// What pieces start with.
const SIGNS: [&str; 8] = [" + ", " - ", " = ", " < ", " > ", " \\le ", " \\ge ", "\\quad"];
/// What stands before a sign at the start of a piece.
const EMPTY: &str = "{}";
/// What keeps integrals small among text; on the page that is so anyway.
const SMALL: &str = "{\\textstyle{}";

/// Converts formulas.
pub(super) struct Math {
    converter: LatexToMathML,
}

impl Math {
    pub fn new() -> Math {
        // Only macros can be wrong in a configuration, and there are none.
        Math { converter: LatexToMathML::new(MathCoreConfig::default()).unwrap_or_default() }
    }

    /// A formula within a line.
    pub fn inline(&self, latex: &str) -> String {
        self.pieces(latex, "<math>")
    }

    /// A formula on a line of its own; it scrolls if it has to.
    pub fn shown(&self, latex: &str) -> String {
        format!("<div class=\"shown\">{}</div>", self.pieces(latex, "<math displaystyle=\"true\">"))
    }

    /// What LaTeX has no MathML for is shown as it is.
    fn pieces(&self, latex: &str, opening: &str) -> String {
        let converted = pieces(latex).into_iter().map(|piece| {
            let math = self.converter.convert_with_local_counter(&piece, MathDisplay::Inline).ok()?;
            Some(format!("{opening}{}", math.strip_prefix("<math>")?))
        });
        match converted.collect::<Option<Vec<String>>>() {
            Some(all) => all.join("<wbr/>"),
            None => format!("<code class=\"unconverted\">{}</code>", escaped(latex)),
        }
    }

    /// A sentence with formulas between dollars.
    pub fn sentence(&self, latex: &str) -> String {
        let part = |(k, part): (usize, &str)| {
            if k % 2 == 1 { self.inline(part) } else { escaped(&unescaped(part)) }
        };
        latex.split('$').enumerate().map(part).collect()
    }

    /// A derivation.
    pub fn derivation(&self, blocks: &[Block]) -> String {
        let html = |block: &Block| match block {
            Block::Heading(words) => format!("<p class=\"step\"><strong>{}</strong></p>\n", escaped(words)),
            Block::Words(words) => format!("<p class=\"scroll\">{}</p>\n", self.sentence(words)),
            Block::Formula(formula) => self.shown(formula) + "\n",
            Block::End => "<p class=\"end\" aria-label=\"end of the proof\">∎</p>\n".to_owned(),
        };
        blocks.iter().map(html).collect()
    }

    /// A statement of the language, or its text if it cannot be read.
    pub fn statement(&self, text: &str) -> String {
        match crate::statement::Statement::parse(text) {
            Ok(statement) => self.sentence(&crate::theory::typeset::sentence(&statement)),
            Err(_) => code(text),
        }
    }
}

/// Words as LaTeX has them, without what LaTeX needs.
fn unescaped(latex: &str) -> String {
    latex.replace("\\^{}", "^").replace('\\', "")
}

/// A formula cut before its signs outside of brackets, and where what is left is still long, within them.
fn pieces(latex: &str) -> Vec<String> {
    let outer = if width(latex) > LONG { cut(latex, true) } else { cut(latex, false) };
    outer.into_iter().flat_map(|piece| if width(&piece) > LONGER { cut_within(&piece) } else { vec![piece] }).collect()
}

/// About how many letters wide a formula is: commands and braces have no width.
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

fn cut(latex: &str, at_signs: bool) -> Vec<String> {
    split(latex, |depth| at_signs && depth == 0)
}

fn cut_within(latex: &str) -> Vec<String> {
    split(latex, |_| true)
}

/// Splits a formula before signs outside of braces, where the number of open brackets allows it.
fn split(latex: &str, allowed: impl Fn(usize) -> bool) -> Vec<String> {
    let mut found = vec![String::new()];
    // For each brace that is open: whether it is written.
    let mut open: Vec<bool> = Vec::new();
    let mut brackets = 0usize;
    let mut rest = latex;
    while let Some(letter) = rest.chars().next() {
        let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign) && !open.contains(&true) && allowed(brackets));
        let Some(last) = found.last_mut() else { break };
        let taken = match (sign, letter) {
            (Some(sign), _) if !["", EMPTY].contains(&last.trim()) => {
                // Behind nothing, a sign is still one between two terms.
                found.push(format!("{EMPTY}{sign}"));
                sign.len()
            }
            (_, '{') if rest.starts_with(SMALL) => {
                open.push(false);
                SMALL.len()
            }
            (_, '\\') => {
                let two: String = rest.chars().take(2).collect();
                match two.as_str() {
                    "\\{" => brackets += 1,
                    "\\}" => brackets = brackets.saturating_sub(1),
                    _ => {}
                }
                last.push_str(&two);
                two.len()
            }
            (_, '}') if open.pop() == Some(false) => 1,
            _ => {
                match letter {
                    '{' => open.push(true),
                    '(' => brackets += 1,
                    ')' => brackets = brackets.saturating_sub(1),
                    _ => {}
                }
                last.push(letter);
                letter.len_utf8()
            }
        };
        rest = rest.get(taken..).unwrap_or_default();
    }
    found
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
        let html = Math::new().sentence(r"if a\_b < $\pi_0$");
        assert!(html.starts_with("if a_b &lt; <math><msub><mi>π</mi><mn>0</mn></msub></math>"), "{html}");
    }

    #[test]
    fn points_of_the_hull_have_one_index_and_one_exponent() {
        use crate::theory::symbol::{FixedCoordinate, Symbol};
        let point = Symbol::At { class: 0, by: FixedCoordinate::Score, amount: "t".into(), hull: true };
        let html = Math::new().inline(&crate::theory::typeset::symbol(&point));
        assert!(html.contains("<msubsup>") && !html.contains("unconverted"), "{html}");
    }

    #[test]
    fn what_cannot_be_converted_is_shown_as_it_is() {
        assert!(Math::new().inline(r"\nosuchcommand{x}").contains("class=\"unconverted\""));
    }
}
