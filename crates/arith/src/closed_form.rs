//! Numbers in closed form, for printing: sums of rationals, square roots, π, logarithms and arctangents.

use super::polynomial::Polynomial;
use super::rational::{Rational, to_decimal};
use super::whole::{coprime_base, small_primes};
use dashu_base::{Abs, DivRem, Signed, UnsignedAbs};
use dashu_int::{IBig, UBig};
use rocproof_algebra::signed_sum;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// The last factor of a term `rational·√d·factor`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum SpecialFactor {
    One,
    /// A root of a polynomial, as text.
    Root(String),
    Pi,
    /// `ln(n)`.
    Ln(UBig),
    /// `ln` of an argument given as text.
    LnOf(String),
    /// `atan(s·√d)`.
    Atan(Rational, UBig),
    /// `atan` of an argument given as text.
    AtanOf(String),
}

/// A sum of terms `q·√d·g`, with `q` rational and `g` one of 1, π, `ln`, `atan`.
///
/// Logarithms of rationals are split into logarithms of coprime integers, so that equal terms cancel.
///
/// ```
/// use rocproof_arith::closed_form::ClosedForm;
/// use rocproof_arith::Rational;
/// let ratio = |p: i32, q: u32| Rational::from_parts(p.into(), q.into());
/// let mut form = ClosedForm::from(ratio(1, 2));
/// form.add_ln(ratio(1, 4), &ratio(3, 4));
/// form.add_ln(ratio(-1, 4), &ratio(3, 1));
/// assert_eq!(form.to_string(), "1/2 - ln(2)/2");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClosedForm {
    terms: BTreeMap<(SpecialFactor, UBig), Rational>,
}

impl From<Rational> for ClosedForm {
    fn from(value: Rational) -> ClosedForm {
        let mut form = ClosedForm::default();
        form.add(value, UBig::ONE, SpecialFactor::One);
        form
    }
}

impl ClosedForm {
    /// The only root of a polynomial between two rationals, which are printed with a number of decimals.
    pub fn root_of(polynomial: &Polynomial, ends: &[Rational; 2], decimals: usize) -> ClosedForm {
        let [lo, hi] = ends.each_ref().map(|end| to_decimal(end, decimals));
        let mut form = ClosedForm::default();
        form.add(Rational::ONE, UBig::ONE, SpecialFactor::Root(format!("root({polynomial}, {lo}, {hi})")));
        form
    }

    /// Adds `coefficient·√under_root·factor`.
    fn add(&mut self, coefficient: Rational, under_root: UBig, factor: SpecialFactor) {
        let key = (factor, under_root);
        let sum = self.terms.remove(&key).unwrap_or(Rational::ZERO) + coefficient;
        if !sum.is_zero() {
            self.terms.insert(key, sum);
        }
    }

    /// Adds `coefficient·√d`. `d` must be squarefree.
    pub fn add_root(&mut self, coefficient: Rational, under_root: UBig) {
        self.add(coefficient, under_root, SpecialFactor::One);
    }

    /// Adds `coefficient·ln(of)` for a positive rational, as a sum of logarithms of its small prime factors and of the cofactors.
    pub fn add_ln(&mut self, coefficient: Rational, of: &Rational) {
        let numerator = of.numerator().clone().unsigned_abs();
        let signed_parts = [(numerator, coefficient.clone()), (of.denominator().clone(), -coefficient)];
        for (n, coefficient) in signed_parts {
            let (primes, cofactor) = small_primes(&n);
            let cofactor = (!cofactor.is_one()).then_some((cofactor, 1));
            for (base, multiplicity) in primes.into_iter().chain(cofactor) {
                let times = Rational::from(IBig::from(multiplicity)) * &coefficient;
                self.add(times, UBig::ONE, SpecialFactor::Ln(base));
            }
        }
    }

    /// Splits large arguments of logarithms that share a factor, so that all arguments are coprime.
    pub fn simplify(&mut self) {
        // Arguments below 1000 are primes already.
        let is_large = |n: &UBig| *n > UBig::from(1000u32);
        let arguments: Vec<UBig> = self
            .terms
            .keys()
            .filter_map(|(factor, _)| if let SpecialFactor::Ln(n) = factor { Some(n.clone()) } else { None })
            .filter(is_large)
            .collect();
        let base: BTreeSet<UBig> = coprime_base(&arguments).into_iter().collect();
        let keys: Vec<(SpecialFactor, UBig)> = self.terms.keys().cloned().collect();
        for key in keys {
            let (SpecialFactor::Ln(n), under_root) = &key else { continue };
            if !is_large(n) || base.contains(n) {
                continue;
            }
            // ln(n) becomes the sum of ln(part) over the parts of the base whose product is n.
            let Some(coefficient) = self.terms.remove(&key) else { continue };
            let mut cofactor = n.clone();
            for part in &base {
                loop {
                    let (quotient, remainder) = (&cofactor).div_rem(part);
                    if !remainder.is_zero() {
                        break;
                    }
                    cofactor = quotient;
                    self.add(coefficient.clone(), under_root.clone(), SpecialFactor::Ln(part.clone()));
                }
            }
        }
    }

    /// Adds `coefficient·√d·ln(of)`, with a positive argument given as text.
    pub fn add_ln_of(&mut self, coefficient: Rational, under_root: UBig, of: String) {
        self.add(coefficient, under_root, SpecialFactor::LnOf(of));
    }

    /// Adds `coefficient·√d·atan(of)`, with the argument given as text.
    pub fn add_atan_of(&mut self, coefficient: Rational, under_root: UBig, of: String) {
        self.add(coefficient, under_root, SpecialFactor::AtanOf(of));
    }

    /// Adds `coefficient·√d·atan(s·√d)`. Arctangents of 1, √3 and 1/√3 become multiples of π.
    pub fn add_atan(&mut self, coefficient: Rational, s: &Rational, d: UBig) {
        if s.is_zero() {
            return;
        }
        let coefficient = if s.is_negative() { -coefficient } else { coefficient };
        let size = s.clone().abs();
        let square = &size * &size * Rational::from(d.clone());
        // Squared tangents of π/4, π/3 and π/6, each with the divisor of π.
        let third = Rational::from_parts(IBig::ONE, UBig::from(3u8));
        let known_angles = [(Rational::ONE, 4u8), (Rational::from(3), 3), (third, 6)];
        match known_angles.iter().find(|(squared_tangent, _)| *squared_tangent == square) {
            Some((_, divisor)) => self.add_pi(coefficient / Rational::from(*divisor), d),
            None => self.add(coefficient, d.clone(), SpecialFactor::Atan(size, d)),
        }
    }

    /// Adds `coefficient·√d·π`.
    pub fn add_pi(&mut self, coefficient: Rational, under_root: UBig) {
        self.add(coefficient, under_root, SpecialFactor::Pi);
    }

    /// Adds another form.
    pub fn add_form(&mut self, other: &ClosedForm) {
        for ((factor, under_root), coefficient) in &other.terms {
            self.add(coefficient.clone(), under_root.clone(), factor.clone());
        }
    }

    /// The value, if no other term than a rational occurs.
    pub fn as_rational(&self) -> Option<Rational> {
        let is_rational = |(factor, d): &(SpecialFactor, UBig)| *factor == SpecialFactor::One && d.is_one();
        match self.terms.len() {
            0 => Some(Rational::ZERO),
            1 => self.terms.iter().find(|(key, _)| is_rational(key)).map(|(_, value)| value.clone()),
            _ => None,
        }
    }
}

/// Prints `s·√d`, as the argument of a function.
fn multiple_of_root(s: &Rational, d: &UBig) -> String {
    if d.is_one() { s.to_string() } else { product(s, &[format!("sqrt({d})")]) }
}

/// Prints a rational times factors: `3*ln(2)/4`.
fn product(coefficient: &Rational, factors: &[String]) -> String {
    let (above, below) = (coefficient.numerator(), coefficient.denominator());
    let mut text = String::new();
    if factors.is_empty() {
        return coefficient.to_string();
    }
    if *above == IBig::NEG_ONE {
        text.push('-');
    } else if !above.is_one() {
        text.push_str(&format!("{above}*"));
    }
    text.push_str(&factors.join("*"));
    if !below.is_one() {
        text.push_str(&format!("/{below}"));
    }
    text
}

impl fmt::Display for SpecialFactor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SpecialFactor::One => f.write_str("1"),
            SpecialFactor::Root(text) => f.write_str(text),
            SpecialFactor::Pi => f.write_str("pi"),
            SpecialFactor::Ln(n) => write!(f, "ln({n})"),
            SpecialFactor::LnOf(text) => write!(f, "ln({text})"),
            SpecialFactor::AtanOf(text) => write!(f, "atan({text})"),
            SpecialFactor::Atan(s, d) => write!(f, "atan({})", multiple_of_root(s, d)),
        }
    }
}

impl fmt::Display for ClosedForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.terms.is_empty() {
            return f.write_str("0");
        }
        let terms = self.terms.iter().map(|((factor, under_root), coefficient)| {
            let root = (!under_root.is_one()).then(|| format!("sqrt({under_root})"));
            let function = (*factor != SpecialFactor::One).then(|| factor.to_string());
            let factors: Vec<String> = root.into_iter().chain(function).collect();
            (coefficient.is_negative(), product(&coefficient.clone().abs(), &factors))
        });
        f.write_str(&signed_sum(terms))
    }
}
