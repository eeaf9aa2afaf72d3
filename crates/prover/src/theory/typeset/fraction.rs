//! Fractions, their sums, and one-forms.

use super::{SignedText, Style, is_sum};
use crate::theory::form::OneForm;
use crate::theory::lower::Lowering;
use crate::theory::symbol::Symbol;
use rocproof_arith::{Fraction, Variable};

/// Gives the text of a variable.
pub(super) type Names<'a> = &'a dyn Fn(Variable) -> String;

impl Style {
    /// A fraction in symbols of a proof.
    pub fn fraction(self, fraction: &Fraction) -> String {
        self.fraction_named(fraction, &|variable| self.symbol(&Symbol::of(variable)))
    }

    /// A fraction in the values of integrals, which are written by their functionals.
    pub fn fraction_of_integrals(self, lowering: &Lowering, fraction: &Fraction) -> String {
        self.fraction_named(fraction, &|variable| self.integral_name(lowering, variable))
    }

    /// A variable of a fraction: the functional, if the variable stands for an integral, else the symbol.
    pub fn integral_name(self, lowering: &Lowering, variable: Variable) -> String {
        let integral = lowering.integrals.iter().find(|integral| integral.name == variable);
        integral.map_or_else(|| self.symbol(&Symbol::of(variable)), |integral| self.functional(&integral.functional))
    }

    /// A fraction whose variables are written by `names`.
    fn fraction_named(self, fraction: &Fraction, names: Names) -> String {
        if fraction.factors().next().is_none() {
            return self.polynomial(fraction.numerator(), names);
        }
        // A factor π0 - 1 is written as π1, and its sign goes to the numerator.
        let (mut negate, mut denominator) = (false, Vec::new());
        for (factor, power) in fraction.factors() {
            let text = self.polynomial(factor, names);
            let negated = text.strip_prefix('-').filter(|size| !is_sum(size));
            negate ^= negated.is_some() && power % 2 == 1;
            denominator.push(self.power(negated.unwrap_or(&text), power));
        }
        let numerator = if negate { -fraction.numerator() } else { fraction.numerator().clone() };
        let numerator = self.polynomial(&numerator, names);
        if !self.is_text() {
            return format!("\\frac{{{numerator}}}{{{}}}", denominator.join(" "));
        }
        let numerator = if is_sum(&numerator) { format!("({numerator})") } else { numerator };
        match denominator.as_slice() {
            [factor] => format!("{numerator}/{factor}"),
            factors => format!("{numerator}/({})", factors.join(" ")),
        }
    }

    /// A one-form `a dx + b dR + g dc`, without the terms that are zero.
    pub fn form(self, form: &OneForm) -> String {
        let terms: Vec<String> = form
            .parts()
            .into_iter()
            .zip(["dx", "dR", "dc"])
            .filter(|(coefficient, _)| !coefficient.is_zero())
            .map(|(coefficient, name)| format!("{} {}", self.factor(coefficient), self.differential(name)))
            .collect();
        if terms.is_empty() { "0".into() } else { terms.join(" + ") }
    }

    /// A fraction as a factor: a sum gets parentheses.
    pub fn factor(self, fraction: &Fraction) -> String {
        let text = self.fraction(fraction);
        if fraction.numerator().terms().len() > 1 && is_sum(&text) { format!("({text})") } else { text }
    }

    /// A multiple of a formula. A factor 1 is left out.
    pub fn multiple(self, factor: &Fraction, formula: &str) -> SignedText {
        let text = self.fraction(factor);
        let (negative, size) = match text.strip_prefix('-') {
            Some(size) if !is_sum(size) => (true, size),
            _ => (false, text.as_str()),
        };
        let product = match size {
            "1" => formula.to_owned(),
            sum if is_sum(sum) => format!("({sum}) {formula}"),
            _ => format!("{size} {formula}"),
        };
        (negative, product)
    }

    /// A fraction as a term of a sum. The sign of a fraction that is a sum itself is that of its first term, so it needs no parentheses.
    pub fn summand(self, fraction: &Fraction) -> SignedText {
        let text = self.fraction(fraction);
        match text.strip_prefix('-') {
            Some(size) => (true, size.to_owned()),
            None => (false, text),
        }
    }
}
