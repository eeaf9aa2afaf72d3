//! Names: variables, differentials, symbols of a proof.

use super::Style;
use crate::theory::lower::Track;
use crate::theory::symbol::{FixedCoordinate, Symbol};

impl Style {
    /// A name of the language, such as `pi0`, `F1`, `t0` or `RL_conv`. Text that already is a formula stays as it is.
    pub fn variable(self, name: &str) -> String {
        match self {
            Style::Text => with_greek(name),
            Style::Latex => latex_name(name),
        }
    }

    /// A differential, such as `dF0`.
    pub fn differential(self, name: &str) -> String {
        if self.is_text() { name.to_owned() } else { format!("\\,d{}", self.variable(name.trim_start_matches('d'))) }
    }

    /// A point: its coordinates in parentheses.
    pub fn point<T: AsRef<str>>(self, coordinates: [T; 4]) -> String {
        format!("({})", coordinates.map(|coordinate| self.variable(coordinate.as_ref())).join(", "))
    }

    /// A symbol of a proof.
    pub fn symbol(self, symbol: &Symbol) -> String {
        match symbol {
            Symbol::At { class, by, amount, hull } => self.value_at(*class, *by, amount, *hull),
            Symbol::Weight(argument) => format!("w({})", self.definition(argument)),
            Symbol::Border if !self.is_text() => "x^{*}".into(),
            Symbol::Distance(Track::Hull) if !self.is_text() => "\\mathit{KS}_{\\mathrm{hull}}".into(),
            plain => self.variable(&plain.to_string()),
        }
    }

    /// The value of a distribution function at the point of the curve, or of its hull, where the coordinate `by` is `amount`.
    fn value_at(self, class: u8, by: FixedCoordinate, amount: &str, on_hull: bool) -> String {
        let function = self.variable(&format!("F{class}"));
        let argument = match (by, self) {
            (FixedCoordinate::Score | FixedCoordinate::Posterior, _) => amount.to_owned(),
            (FixedCoordinate::Rate, Style::Text) => format!("R⁻¹({amount})"),
            (FixedCoordinate::Rate, Style::Latex) => format!("R^{{-1}}({amount})"),
            (FixedCoordinate::BalancedRate, Style::Text) => format!("Rz⁻¹({amount})"),
            (FixedCoordinate::BalancedRate, Style::Latex) => format!("R_z^{{-1}}({amount})"),
        };
        match (on_hull, self) {
            (false, _) => format!("{function}({argument})"),
            (true, Style::Text) => format!("{function}({argument}) on the hull"),
            (true, Style::Latex) => format!("{function}^{{\\mathrm{{hull}}}}({argument})"),
        }
    }
}

/// A text with `π0` and `π1` for the names of class proportions.
pub(super) fn with_greek(text: &str) -> String {
    text.replace("pi0", "π0").replace("pi1", "π1")
}

/// A name of the language in LaTeX.
fn latex_name(name: &str) -> String {
    match name {
        "pi0" => return "\\pi_0".into(),
        "pi1" => return "\\pi_1".into(),
        "F0" | "F1" => return format!("F_{}", &name[1..]),
        "beta0" | "beta1" => return format!("\\beta_{}", &name[4..]),
        "s0" | "s1" => return format!("\\bar{{s}}_{}", &name[1..]),
        "mean" => return "\\bar{c}".into(),
        _ => {}
    }
    let is_formula = name.starts_with(|first: char| first.is_ascii_digit() || ['(', '\\', '-'].contains(&first));
    if is_formula || name.len() <= 1 {
        return name.to_owned();
    }
    // A parameter such as t0 or r1.
    if let [letter, digit] = *name.as_bytes()
        && digit.is_ascii_digit()
    {
        return format!("{}_{}", char::from(letter), char::from(digit));
    }
    match name.split_once('_') {
        // A name with an index, such as RL_conv.
        Some((name, index)) => format!("\\mathit{{{name}}}_{{\\mathrm{{{}}}}}", index.replace('_', "\\_")),
        None => format!("\\mathit{{{name}}}"),
    }
}
