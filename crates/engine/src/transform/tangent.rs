//! Points of tangency on exact arcs: algebraic where the equation is rational, else enclosed to any precision by bisection.

use crate::model::exact_curve::{ExactArc, ExactPoint, Undecided};
use dashu_base::Abs;
use dashu_int::IBig;
use rocproof_arith::rational::to_f64;
use rocproof_arith::roots::{refine, refine_near};
use rocproof_arith::{Enclosure, Number, Polynomial, Rational};
use std::sync::{Arc, Mutex, PoisonError};

/// Extra binary digits for intermediate results, so that their rounding does not show.
const GUARD: usize = 64;

/// The parameter at which the tangent of an arc goes through a point. The arc bends one way, and there is such a parameter inside it.
pub(super) fn tangent_point(arc: &ExactArc, point: &ExactPoint) -> Result<Number, Undecided> {
    // With the direction (g0, g1) of the arc and the point (P0, P1): g0·(P1 - F1) - g1·(P0 - F0) = 0.
    let ([g0, g1], [f0, f1]) = (&arc.direction, &arc.f);
    let own = &(g1 * f0) - &(g0 * f1);
    let terms = vec![(Number::ONE, own), (point.f[1].clone(), g0.clone()), (-&point.f[0], g1.clone())];
    only_root(arc, terms)
}

/// The only parameter inside an arc where a linear combination of polynomials is 0; `terms` are its coefficients and polynomials.
/// Algebraic if all coefficients are rational, else computed by bisection.
pub(super) fn only_root(arc: &ExactArc, terms: Vec<(Number, Polynomial)>) -> Result<Number, Undecided> {
    let rational = terms.iter().try_fold(Polynomial::zero(), |sum, (number, polynomial)| {
        Some(&sum + &polynomial.scaled(number.as_rational()?))
    });
    if let Some(polynomial) = rational {
        return arc.roots_inside(&polynomial).ok_or(Undecided)?.into_iter().next().ok_or(Undecided);
    }
    let arc = arc.clone();
    let cache = CachedBounds::default();
    Ok(Number::computed(move |bits| {
        let first_bounds = || arc.inner_bounds(bits);
        let (lo, hi) = cache.narrow_to(bits, first_bounds, |bounds| narrow_root(&terms, bounds, bits))?;
        Some(Enclosure::between(&lo, &hi, bits))
    }))
}

/// Narrows the bounds of the root of a linear combination of polynomials to this many binary digits; false if a sign stays open.
fn narrow_root(terms: &[(Number, Polynomial)], bounds: &mut (Rational, Rational), bits: usize) -> bool {
    let work = bits + GUARD;
    let coefficients: Option<Vec<Enclosure>> = terms.iter().map(|(number, _)| number.enclosure(work)).collect();
    let Some(coefficients) = coefficients else { return false };
    refine(bounds, bits, |x| {
        let products = coefficients.iter().zip(terms).map(|(number, (_, p))| number.times(&enclose_at(p, x, work)));
        signed_representative(&products.reduce(|sum, product| sum.plus(&product))?)
    })
}

/// Encloses the value of a polynomial at a rational.
fn enclose_at(polynomial: &Polynomial, x: &Rational, bits: usize) -> Enclosure {
    let (numerator, denominator) = polynomial.fraction_at(x);
    Enclosure::fraction(numerator, denominator, bits)
}

/// Bounds of a root, cached and narrowed on demand.
#[derive(Default)]
struct CachedBounds {
    /// The binary digits of the narrowest bounds so far, and these bounds.
    narrowest: Mutex<Option<(usize, (Rational, Rational))>>,
}

impl CachedBounds {
    /// The bounds narrowed to this many binary digits, starting from the cached ones or from `first`. `narrow` narrows bounds in place and
    /// says whether it succeeded; `None` if it did not.
    fn narrow_to(
        &self,
        bits: usize,
        first: impl FnOnce() -> Option<(Rational, Rational)>,
        narrow: impl FnOnce(&mut (Rational, Rational)) -> bool,
    ) -> Option<(Rational, Rational)> {
        let mut narrowest = self.narrowest.lock().unwrap_or_else(PoisonError::into_inner);
        let mut bounds = match narrowest.as_ref() {
            Some((cached_bits, bounds)) if *cached_bits >= bits => return Some(bounds.clone()),
            Some((_, bounds)) => bounds.clone(),
            None => first()?,
        };
        if !narrow(&mut bounds) {
            return None;
        }
        Some(narrowest.insert((bits, bounds)).1.clone())
    }
}

/// A number with the sign of all numbers in the enclosure; `None` if they differ in sign.
fn signed_representative(enclosure: &Enclosure) -> Option<Rational> {
    enclosure.sign().map(|_| enclosure.approximate_midpoint())
}

/// The parameters at which two arcs, the first left of the second, have a common tangent.
///
/// For a parameter of the first arc, take the point of the second that lies farthest above the tangent there. As the parameter grows,
/// that point passes from below the tangent to above it exactly once: the parameter is found by bisection.
pub(super) fn double_tangent(first: &Arc<ExactArc>, second: &Arc<ExactArc>) -> [Number; 2] {
    let (first, second) = (first.clone(), second.clone());
    let estimate = estimate_tangent(&first, &second);
    let cache = CachedBounds::default();
    // Bounds on both parameters.
    let bounds = Arc::new(move |bits: usize| -> Option<[(Rational, Rational); 2]> {
        let height = |u: &Rational| height_above_tangent(&first, u, &second, bits + GUARD);
        let first_bounds = || first.inner_bounds(bits);
        let (lo, hi) = cache.narrow_to(bits, first_bounds, |bounds| refine_near(bounds, estimate, bits, height))?;
        // The point of the second arc with a parallel tangent moves monotonically with the parameter of the first.
        let [at_lo, at_hi] = [&lo, &hi].map(|u| farthest(&second, &rational_direction(&first, u), bits));
        Some([(lo, hi), (at_lo?.0, at_hi?.1)])
    });
    [0, 1].map(|which| {
        let bounds = bounds.clone();
        Number::computed(move |bits| {
            let (lo, hi) = &bounds(bits)?[which];
            Some(Enclosure::between(lo, hi, bits))
        })
    })
}

/// A number with the sign of `direction × (farthest point - point)`: the tangent of the first arc at `u` against the point of the second arc
/// farthest above it. `None` if the sign is open.
fn height_above_tangent(first: &ExactArc, u: &Rational, second: &ExactArc, bits: usize) -> Option<Rational> {
    let (lo, hi) = farthest(second, &rational_direction(first, u), bits)?;
    let farthest_parameter = Enclosure::between(&lo, &hi, bits);
    let increment = |k: usize| farthest_parameter.under(&second.f[k]).minus(&enclose_at(&first.f[k], u, bits));
    let [d0, d1] = [0, 1].map(|k: usize| enclose_at(&first.direction[k], u, bits));
    signed_representative(&d0.times(&increment(1)).minus(&d1.times(&increment(0))))
}

/// A polynomial with floating-point coefficients, from the constant term up.
struct FloatPolynomial(Vec<f64>);

impl FloatPolynomial {
    /// The polynomial divided by `scale`, rounded.
    fn of(polynomial: &Polynomial, scale: &Rational) -> FloatPolynomial {
        FloatPolynomial(polynomial.coefficients().map(|c| to_f64(&(c / scale))).collect())
    }

    /// The value at `u`, by Horner's rule.
    fn at(&self, u: f64) -> f64 {
        self.0.iter().rev().fold(0.0, |sum, c| sum * u + c)
    }
}

/// Bisects for where a predicate that holds on the left stops holding.
fn bisect([mut lo, mut hi]: [f64; 2], holds: impl Fn(f64) -> bool) -> f64 {
    // Enough for the precision of a float relative to the interval.
    for _ in 0..50 {
        let middle = (lo + hi) / 2.0;
        if holds(middle) { lo = middle } else { hi = middle }
    }
    (lo + hi) / 2.0
}

/// An estimate of the first parameter of [`double_tangent`], by the same bisection in floating point.
fn estimate_tangent(first: &ExactArc, second: &ExactArc) -> f64 {
    let rounded =
        |polynomials: &[Polynomial; 2]| polynomials.each_ref().map(|p| FloatPolynomial::of(p, &Rational::ONE));
    let [direction1, direction2] = [&first.direction, &second.direction].map(rounded);
    let [f1, f2] = [&first.f, &second.f].map(rounded);
    let [range1, range2] = [first, second].map(|arc| arc.bounds().map(|end| to_f64(&end)));
    bisect(range1, |u| {
        let d = [direction1[0].at(u), direction1[1].at(u)];
        // The parameter of the second arc where its tangent is parallel to `d`.
        let v = bisect(range2, |v| d[0] * direction2[1].at(v) - d[1] * direction2[0].at(v) < 0.0);
        d[0] * (f2[1].at(v) - f1[1].at(u)) - d[1] * (f2[0].at(v) - f1[0].at(u)) > 0.0
    })
}

/// Integers proportional to the direction of an arc at a rational parameter.
fn rational_direction(arc: &ExactArc, u: &Rational) -> [IBig; 2] {
    // a/p : b/q = a·q : b·p.
    let [(a, p), (b, q)] = [0, 1].map(|k: usize| arc.direction[k].fraction_at(u));
    [a * IBig::from(q), b * IBig::from(p)]
}

/// Bounds, to this many binary digits, on the parameter where an arc that bends towards class 1 is farthest above lines of a given direction.
/// `None` if the ends of the arc are too close to tell apart.
fn farthest(arc: &ExactArc, direction: &[IBig; 2], bits: usize) -> Option<(Rational, Rational)> {
    let [d0, d1] = direction.each_ref().map(|d| Rational::from(d.clone()));
    // direction × (g0, g1): the height above such a line grows while this is negative.
    let turn = &arc.direction[1].scaled(&d0) - &arc.direction[0].scaled(&d1);
    let (lo, hi) = arc.inner_bounds(bits)?;
    let outer = arc.bounds();
    if turn.sign_at(&lo) >= 0 {
        // The maximum lies between the end of the arc and its inner bound.
        return Some((outer[0].clone().min(lo.clone()), lo));
    }
    if turn.sign_at(&hi) <= 0 {
        return Some((hi.clone(), outer[1].clone().max(hi)));
    }
    // Coefficients may overflow: scale by the largest.
    let largest = turn.coefficients().map(|c| c.abs()).max().unwrap_or(Rational::ONE);
    let rough = FloatPolynomial::of(&turn, &largest);
    let estimate = bisect([to_f64(&lo), to_f64(&hi)], |u| rough.at(u) < 0.0);
    let mut bounds = (lo, hi);
    refine_near(&mut bounds, estimate, bits, |u| Some(turn.approximate_at(u))).then_some(bounds)
}
