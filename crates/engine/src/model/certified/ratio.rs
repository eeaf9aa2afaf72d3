//! Whether the likelihood ratio of two densities is monotone, in closed form: where `(ln f)'` is a rational function with rational
//! coefficients for both, the slope of the logarithm of the ratio has the sign of a polynomial, which is decided exactly.

use super::mixture::{EnclosedComponent, EnclosedMixture};
use crate::model::endpoint::Endpoint;
use rocproof_arith::roots::{real_roots, sign_between};
use rocproof_arith::{Polynomial, Rational};
use std::cmp::Ordering;

/// The largest degree of a polynomial whose sign is decided: root isolation takes too long for higher ones.
const LARGEST_DEGREE: usize = 16;

/// Whether the curve of two densities is its own hull: whether `f1/f0` never falls. `None` if it is not decided here. Each class must be
/// one component without atoms, both on the same interval, with rational `(ln f)'`.
pub fn is_convex(classes: [&EnclosedMixture; 2]) -> Option<bool> {
    let [f0, f1] = [only_component(classes[0])?, only_component(classes[1])?];
    let same_end = |side: usize| {
        let [a, b] = [&f0.ends[side], &f1.ends[side]];
        let are_infinite = !a.is_finite() && a.enclosure() == b.enclosure();
        are_infinite || a.compare(b) == Some(Ordering::Equal)
    };
    if !same_end(0) || !same_end(1) {
        return None;
    }
    let log_slope = &f1.density.rational_log_slope()? - &f0.density.rational_log_slope()?;
    if log_slope.is_zero() {
        return Some(true);
    }
    // p/q has the sign of p·q.
    let sign = log_slope.numerator() * log_slope.denominator();
    if sign.degree() > LARGEST_DEGREE {
        return None;
    }
    let [from, to] = bounds(&sign, &f0.ends)?;
    match sign_between(&sign, &from, &to) {
        // Across a pole the ratio may start again from below.
        Some(1) if !has_root_inside(log_slope.denominator(), &from, &to) => Some(true),
        Some(1) => None,
        // The ratio falls somewhere, and there is mass of both classes everywhere.
        _ => Some(false),
    }
}

/// The component of a mixture that has just one, and no atoms.
fn only_component(class: &EnclosedMixture) -> Option<&EnclosedComponent> {
    match (class.components.as_slice(), class.atoms.as_slice()) {
        ([component], []) => Some(component),
        _ => None,
    }
}

/// The ends of the interval as rationals, where a bound on all roots of the polynomial stands for an infinite end. So no root inside the
/// interval is left out. `None` if a finite end is not rational.
fn bounds(polynomial: &Polynomial, ends: &[Endpoint; 2]) -> Option<[Rational; 2]> {
    let leading = polynomial.leading();
    let relative_size = |c: Rational| {
        let quotient = c / &leading;
        if quotient < Rational::ZERO { -quotient } else { quotient }
    };
    // A bound on the size of all roots: one plus the sum of the relative sizes of all coefficients. It exceeds Cauchy's bound, which takes
    // the largest of them.
    let far = polynomial.coefficients().map(relative_size).fold(Rational::ONE, |a, b| a + b);
    let bound = |end: &Endpoint, far: Rational| if end.is_finite() { end.constant.exact.clone() } else { Some(far) };
    let [from, to] = [bound(&ends[0], -&far)?, bound(&ends[1], far.clone())?];
    if from < to {
        return Some([from, to]);
    }
    // The finite end lies beyond all roots, so the sign is the same on any interval from there.
    let one = Rational::ONE;
    match (ends[0].is_finite(), ends[1].is_finite()) {
        (true, false) => Some([from.clone(), from + one]),
        (false, true) => Some([&to - one, to]),
        _ => Some([from, to]),
    }
}

/// Whether a polynomial has a root strictly between two rationals.
fn has_root_inside(polynomial: &Polynomial, from: &Rational, to: &Rational) -> bool {
    let at_ends = [from, to].into_iter().filter(|end| polynomial.sign_at(end) == 0).count();
    real_roots(polynomial, from, to).len() > at_ends
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Density;

    fn verdict(f0: &str, f1: &str) -> Option<bool> {
        let [f0, f1] = [f0, f1].map(|text| Density::parse(text).unwrap());
        is_convex([f0.enclosed().unwrap(), f1.enclosed().unwrap()])
    }

    /// The curve of patches cannot decide this for these ratios: too little mass lies where the sign of the slope matters.
    #[test]
    fn ratios_that_grow_are_told_from_those_that_fall_somewhere() {
        for (f0, f1) in [
            ("exp(-x) on [0, inf]", "exp(-x/2)/2 on [0, inf]"),
            ("beta(0.3, 200)", "beta(200, 0.3)"),
            ("beta(0.3, 0.3)", "beta(0.31, 0.3)"),
            ("beta(2, 3)", "beta(2, 3)"),
            ("normal(0, 2)", "normal(1, 2)"),
            ("normalize(sqrt(x)*exp(-x^2))", "normalize(x*sqrt(x)*exp(x - x^2))"),
        ] {
            assert_eq!(verdict(f0, f1), Some(true), "{f0} {f1}");
            assert!(f0 == f1 || verdict(f1, f0) == Some(false), "{f1} {f0}");
        }
        for (f0, f1) in [
            // The ratio falls up to 1/4, or from there on.
            ("beta(200, 180)", "beta(190, 150)"),
            ("beta(2, 3)", "beta(3, 6)"),
            // The ratio falls up to 0.
            ("normal(0, 1)", "normal(0, 1.001)"),
        ] {
            assert!(verdict(f0, f1) != Some(true), "{f0} {f1}");
        }
        assert_eq!(verdict("beta(200, 180)", "beta(190, 150)"), Some(false));
    }

    #[test]
    fn classes_without_rational_slopes_on_one_interval_are_not_decided() {
        for (f0, f1) in [
            // Different intervals, an atom, two components, slopes that are not rational.
            ("exp(-x) on [0, inf]", "exp(1-x) on [1, inf]"),
            ("0.5*beta(2, 3) + 0.5*atom(1/2)", "beta(3, 2)"),
            ("0.5*beta(2, 3) + 0.5*beta(1, 2)", "beta(3, 2)"),
            ("logistic(0, 1)", "logistic(1, 1)"),
            ("normalize(1 + sin(x))", "2*x"),
        ] {
            assert_eq!(verdict(f0, f1), None, "{f0} {f1}");
        }
    }

    /// The ratio `e^(-1/(x-1/2))` grows on both sides of 1/2, and starts again from 0 there: the pole must be found.
    #[test]
    fn roots_at_the_ends_are_not_inside() {
        let half = Rational::ONE / Rational::from(2);
        let denominator = Polynomial::linear(&-&half, &Rational::ONE);
        assert!(has_root_inside(&denominator, &Rational::ZERO, &Rational::ONE));
        assert!(!has_root_inside(&denominator, &half, &Rational::ONE));
    }
}
