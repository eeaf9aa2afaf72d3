//! Values of functionals at the exact level: sums of rationals, algebraic numbers and integrals of rational functions.

use super::rational_integral::{LogIntegral, NoForm, antiderivative};
use dashu_int::IBig;
use rocproof_arith::closed_form::ClosedForm;
use rocproof_arith::factor::small_factors;
use rocproof_arith::roots::{Root, Sturm, real_roots};
use rocproof_arith::{Enclosure, Number, Polynomial, Rational, RationalFunction};
use std::sync::Arc;

/// Largest precision, in bits, at which two quantities are compared.
const FINEST: usize = 1 << 8;

/// A sum of numbers and of integrals without a rational antiderivative.
///
/// Equality is decided in two steps: a difference that cancels term by term is 0, and a difference whose enclosure excludes 0 is not.
#[derive(Clone, Debug, Default)]
pub struct Quantity {
    rational: Rational,
    /// For each algebraic number that occurs, a rational function of it.
    algebraic: Vec<(Arc<Root>, RationalFunction)>,
    /// Numbers known by enclosures only.
    computed: Vec<Number>,
    /// Integrals without a rational antiderivative, with different limits or denominators.
    integrals: Vec<LogIntegral>,
}

impl From<Rational> for Quantity {
    fn from(rational: Rational) -> Quantity {
        Quantity { rational, ..Quantity::default() }
    }
}

impl From<Number> for Quantity {
    fn from(number: Number) -> Quantity {
        let mut quantity = Quantity::default();
        quantity.add_number(number);
        quantity
    }
}

impl Quantity {
    /// Adds the integral of a rational function between two numbers without a pole in between.
    pub(crate) fn add_integral(&mut self, integrand: &RationalFunction, from: &Number, to: &Number) {
        let antiderivative = antiderivative(integrand);
        self.add_number(to.through(&antiderivative.rational));
        self.add_number(-&from.through(&antiderivative.rational));
        if !antiderivative.rest.is_zero() {
            self.integrals.push(LogIntegral { from: from.clone(), to: to.clone(), integrand: antiderivative.rest });
        }
    }

    /// Adds a number. Rational functions of one algebraic number are added up.
    pub(crate) fn add_number(&mut self, number: Number) {
        match number {
            Number::Rational(value) => self.rational = &self.rational + value,
            Number::Algebraic(root, function) => {
                match self.algebraic.iter_mut().find(|(known, _)| known.is_same(&root)) {
                    Some((_, sum)) => *sum = &*sum + &function,
                    None => self.algebraic.push((root, function)),
                }
            }
            computed => self.computed.push(computed),
        }
    }

    /// Brings algebraic terms to normal form, so that rational ones among them are recognised.
    fn normalise(&mut self) {
        for (root, function) in std::mem::take(&mut self.algebraic) {
            let number = Number::normal(root, function);
            // Modulo a reducible polynomial, a rational number may not look like one.
            match rational_value(&number) {
                Some(value) => self.rational = &self.rational + value,
                None => self.add_number(number),
            }
        }
        // A single algebraic term may cancel the rational part.
        if let [(root, function)] = &self.algebraic[..]
            && root.is_root_of((function + &RationalFunction::constant(self.rational.clone())).numerator())
        {
            self.algebraic.clear();
            self.rational = Rational::ZERO;
        }
    }

    /// Adds a multiple of another quantity.
    pub fn add(&mut self, other: &Quantity, times: &Rational) {
        // Terms of one kind are added up, so that equal ones cancel.
        self.rational = &self.rational + &other.rational * times;
        let constant = Number::Rational(times.clone());
        for (root, function) in &other.algebraic {
            self.add_number(Number::Algebraic(root.clone(), function.scaled(times)));
        }
        self.computed.extend(other.computed.iter().map(|number| number * &constant));
        for integral in &other.integrals {
            let integrand = integral.integrand.scaled(times);
            match self.integrals.iter_mut().find(|known| known.joins(integral)) {
                Some(known) => known.integrand = &known.integrand + &integrand,
                None => self.integrals.push(LogIntegral { integrand, ..integral.clone() }),
            }
        }
        self.integrals.retain(|integral| !integral.integrand.is_zero());
    }

    /// A multiple.
    pub fn scaled(&self, by: &Rational) -> Quantity {
        let mut scaled = Quantity::default();
        scaled.add(self, by);
        scaled
    }

    /// The difference.
    pub fn minus(&self, other: &Quantity) -> Quantity {
        let mut difference = self.clone();
        difference.add(other, &-Rational::ONE);
        difference
    }

    /// Whether two quantities are equal; `None` if it is not decided.
    pub fn equals(&self, other: &Quantity) -> Option<bool> {
        let mut difference = self.minus(other);
        difference.normalise();
        if let Some(value) = difference.as_rational() {
            return Some(value.is_zero());
        }
        let excludes_zero =
            |bits: usize| difference.enclosure(bits).and_then(|enclosure| enclosure.sign()).is_some_and(|s| s != 0);
        let mut precisions = std::iter::successors(Some(64), |bits| Some(bits * 2)).take_while(|bits| *bits <= FINEST);
        precisions.any(excludes_zero).then_some(false)
    }

    /// The value, if all terms are rational.
    pub fn as_rational(&self) -> Option<&Rational> {
        (self.algebraic.is_empty() && self.computed.is_empty() && self.integrals.is_empty()).then_some(&self.rational)
    }

    /// Whether a term, or a limit of an integral, is known by enclosures only.
    pub fn rests_on_enclosures(&self) -> bool {
        let is_computed = |number: &Number| matches!(number, Number::Computed(_));
        !self.computed.is_empty() || self.integrals.iter().any(|i| is_computed(&i.from) || is_computed(&i.to))
    }

    /// An enclosure computed with this many binary digits; `None` if a term has none.
    pub fn enclosure(&self, bits: usize) -> Option<Enclosure> {
        let mut sum = Enclosure::of(&self.rational, bits);
        for (root, function) in &self.algebraic {
            sum = sum.plus(&Number::Algebraic(root.clone(), function.clone()).enclosure(bits)?);
        }
        for number in &self.computed {
            sum = sum.plus(&number.enclosure(bits)?);
        }
        for integral in &self.integrals {
            sum = sum.plus(&integral.enclosure(bits)?);
        }
        Some(sum)
    }

    /// An enclosure at most `2^-bits` wide; `None` if that width was not reached. The working precision is doubled up to five times.
    pub fn enclosure_within(&self, bits: usize) -> Option<Enclosure> {
        let precisions = std::iter::successors(Some(bits + 32), |work| Some(work * 2)).take(6);
        precisions
            .filter_map(|work| self.enclosure(work))
            .find(|enclosure| enclosure.width_exponent() <= -(bits as i64))
    }

    /// The value as a closed form.
    pub fn closed_form(&self) -> Result<ClosedForm, NoForm> {
        if !self.computed.is_empty() {
            return Err(NoForm::Computed);
        }
        let degrees = self.algebraic.iter().map(|(root, _)| root.polynomial().degree());
        if let Some(degree) = degrees.max().filter(|degree| *degree > LARGEST_WRITTEN) {
            return Err(NoForm::End(degree));
        }
        let mut normal = self.clone();
        normal.normalise();
        let mut form = ClosedForm::default();
        let mut rational = Number::from(normal.rational);
        for (root, function) in &normal.algebraic {
            // The rational part is added to the first algebraic number: one root instead of a sum.
            let number = &rational + &Number::Algebraic(root.clone(), function.clone());
            rational = Number::ZERO;
            form.add_form(&algebraic_form(&number)?);
        }
        form.add_form(&algebraic_form(&rational)?);
        for integral in &self.integrals {
            form.add_form(&integral.closed_form()?);
        }
        form.simplify();
        Ok(form)
    }
}

/// The value of a number, if it is rational.
fn rational_value(number: &Number) -> Option<Rational> {
    let Number::Algebraic(root, function) = number else { return number.as_rational().cloned() };
    // In normal form a number of degree two is irrational. Any other rational number is the root of a linear factor of its polynomial.
    if root.polynomial().degree() == 2 {
        return None;
    }
    if root.is_root_of(function.numerator()) {
        return Some(Rational::ZERO);
    }
    let linear = small_factors(&number.defining_polynomial()?).linear;
    let mut candidates = linear.iter().map(|factor| -factor.coefficient(0) / factor.coefficient(1));
    candidates.find(|value| (number - &Number::from(value.clone())).is_zero())
}

/// Largest degree of an algebraic number with a closed form.
const LARGEST_WRITTEN: usize = 12;

/// A number as a closed form: a rational, a square root, or `root(p, lo, hi)`, the only root of `p` between `lo` and `hi`.
///
/// ```
/// use rocproof_arith::{Number, Polynomial, roots::real_roots};
/// use rocproof_engine::calculus::quantity::algebraic_form;
/// let found = real_roots(&Polynomial::whole(&[-1, 1, 0, 2]), &0.into(), &1.into());
/// assert_eq!(algebraic_form(&Number::from(&found[0])).unwrap().to_string(), "root(2*x^3 + x - 1, 0.5, 0.6)");
/// ```
pub fn algebraic_form(number: &Number) -> Result<ClosedForm, NoForm> {
    if let Some(value) = number.as_rational() {
        return Ok(ClosedForm::from(value.clone()));
    }
    let Number::Algebraic(root, _) = number else { return Err(NoForm::Computed) };
    let too_large = NoForm::End(root.polynomial().degree());
    if let Some(form) = quadratic_form(number) {
        return Ok(form);
    }
    // The polynomial of the number may have factors of degree one or two that it is a root of.
    let polynomial = number.defining_polynomial().ok_or(too_large.clone())?;
    let factors = small_factors(&polynomial);
    let is_root_of = |p: &&Polynomial| number.through(&RationalFunction::from((*p).clone())).is_zero();
    if let Some(linear) = factors.linear.iter().find(is_root_of) {
        return Ok(ClosedForm::from(-linear.coefficient(0) / linear.coefficient(1)));
    }
    let enclosure = number.enclosure(64).ok_or(too_large.clone())?;
    let [lo, hi] = enclosure.ends();
    if let Some(factor) = factors.quadratic.iter().find(is_root_of) {
        let roots = real_roots(factor, &lo, &hi);
        let [root] = &roots[..] else { return Err(too_large) };
        return quadratic_form(&Number::from(root)).ok_or(too_large);
    }
    if factors.rest.degree() > LARGEST_WRITTEN {
        return Err(too_large);
    }
    isolated_root_form(&factors.rest, &lo, &hi).ok_or(too_large)
}

/// The form `a + b·√d` of a number that has one.
fn quadratic_form(number: &Number) -> Option<ClosedForm> {
    let (a, b, d) = number.as_quadratic()?;
    let mut form = ClosedForm::from(a);
    form.add_root(b, d);
    Some(form)
}

/// The form `root(p, …)` of the root of `p` between `lo` and `hi`, with the fewest decimals that exclude all other roots; `None` if even
/// many do not.
fn isolated_root_form(p: &Polynomial, lo: &Rational, hi: &Rational) -> Option<ClosedForm> {
    const MOST_DECIMALS: isize = 14;
    let sturm = Sturm::new(p);
    for decimals in 1..=MOST_DECIMALS {
        let scale = Rational::from(10).pow(decimals);
        let below = (lo * &scale).floor();
        let ends = [below.clone(), below + IBig::ONE].map(|end| Rational::from(end) / &scale);
        if *hi <= ends[1] && sturm.count(&ends[0], &ends[1]) == 1 {
            return Some(ClosedForm::root_of(p, &ends, decimals as usize));
        }
    }
    None
}
