//! Prints formulas: as plain text with Unicode, or as LaTeX.
//!
//! The functions of this module give LaTeX, for reports. Derivations and scripts call the methods of `Style`, which are grouped by what
//! they print, one file each.

mod expression;
mod fraction;
mod functional;
mod name;
mod polynomial;
mod proportions;
mod prose;
mod side;

use super::symbol::Symbol;
use crate::statement::{Statement, Term};
use rocproof_engine::functional::definition::Reading;
use rocproof_language::Relation;

/// The output language of formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// Plain text with Unicode.
    Text,
    /// LaTeX, for mathematics mode.
    Latex,
}

impl Style {
    /// Whether the output is plain text.
    fn is_text(self) -> bool {
        self == Style::Text
    }

    /// A formula within a sentence.
    pub fn inline(self, formula: &str) -> String {
        if self.is_text() { formula.to_owned() } else { format!("${formula}$") }
    }
}

/// A term of [`signed_sum`](rocproof_algebra::signed_sum): whether it is negative, and the text of its absolute value.
type SignedText = (bool, String);

/// Whether the text of a formula is a sum or a difference outside of all parentheses and braces.
fn is_sum(text: &str) -> bool {
    let mut depth = 0i32;
    let letters: Vec<char> = text.chars().collect();
    letters.windows(3).any(|three| {
        match three[0] {
            '(' | '{' => depth += 1,
            ')' | '}' => depth -= 1,
            _ => {}
        }
        depth == 0 && matches!(three, [' ', '+' | '-', ' '])
    })
}

/// A side of a comparison, in LaTeX.
pub fn side(term: &Term) -> String {
    Style::Latex.term(term)
}

/// A symbol of a proof, in LaTeX.
pub fn symbol(symbol: &Symbol) -> String {
    Style::Latex.symbol(symbol)
}

/// The sign of a relation, in LaTeX.
pub fn sign_of(relation: Relation) -> &'static str {
    Style::Latex.relation(relation)
}

/// A metric by its name, in LaTeX.
pub fn name(metric: &str) -> String {
    Style::Latex.variable(metric)
}

/// An expression of the language, in LaTeX.
pub fn definition(text: &str) -> String {
    Style::Latex.definition(text)
}

/// The definition of a functional, in LaTeX; empty where the definition needs words.
pub fn reading(reading: Reading) -> String {
    let style = Style::Latex;
    match reading {
        Reading::Along(text) => style.integral(&style.definition(text)),
        Reading::AlongHull(text) => style.integral_along(&style.definition(text), "hull"),
        Reading::AtScore(text) => format!("{} \\text{{ at }} t", style.definition(text)),
        Reading::AtRate(text) => format!("{} \\text{{ at }} R^{{-1}}(r)", style.definition(text)),
        Reading::Largest(text) => format!("\\max |{}|", style.definition(text)),
        Reading::Affine(a, b, metric) => {
            format!("{b} {} {} {}", style.variable(metric), if a < 0 { "-" } else { "+" }, a.abs())
        }
        Reading::Balanced(metric) => format!("{} \\text{{ with }} \\pi_0 = \\pi_1", style.variable(metric)),
        Reading::OfHull(metric) => format!("{}(\\mathrm{{Conv}}(m))", style.variable(metric)),
        Reading::ShareOfChance(_) => String::new(),
    }
}

/// A hypothesis, with formulas in LaTeX between dollars.
pub fn hypothesis(words: &str) -> String {
    Style::Latex.hypothesis(words)
}

/// A statement as a sentence, with formulas in LaTeX between dollars.
///
/// ```
/// use rocproof_prover::{statement::Statement, theory::typeset};
/// let statement = Statement::parse("for convex m: L[o] == RL where pi0 == pi1")?;
/// let sentence = typeset::sentence(&statement);
/// assert_eq!(sentence, r"For every convex model: $L_{\mathrm{o}} = \mathit{RL}$, where $\pi_0 = \pi_1$");
/// # Ok::<(), rocproof_language::Diagnostic>(())
/// ```
pub fn sentence(statement: &Statement) -> String {
    let style = Style::Latex;
    let mut text = quantifier(style, statement);
    if !statement.premises.is_empty() {
        text += &format!("{} implies ", style.inline(&style.chain(&statement.premises)));
    }
    text += &style.inline(&style.chain(&statement.claims));
    let conditions: Vec<String> = statement.conditions.iter().map(|c| style.inline(&style.comparison(c))).collect();
    if !conditions.is_empty() {
        text += &format!(", where {}", conditions.join(", "));
    }
    text
}

/// The beginning of a sentence: the models that a statement speaks of. A single model is named only if a transform refers to it; nothing is
/// said of a single model of no class.
fn quantifier(style: Style, statement: &Statement) -> String {
    let classes: String = statement.classes.iter().map(|class| format!("{} ", class.name())).collect();
    let has_transforms = statement.functionals().iter().any(|functional| !functional.transforms.is_empty());
    let names: Vec<String> = statement.models.iter().map(|name| style.inline(&style.variable(name))).collect();
    match names.as_slice() {
        [_, _, ..] => format!("For all {classes}models {}: ", names.join(", ")),
        [name] if has_transforms => format!("For every {classes}model {name}: "),
        _ if !classes.is_empty() => format!("For every {classes}model: "),
        _ => String::new(),
    }
}
