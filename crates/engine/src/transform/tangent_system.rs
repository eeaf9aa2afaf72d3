//! The common tangent of two arcs as a system of two polynomial equations in their parameters `u` and `v`, solved exactly.
//!
//! A pseudo-remainder sequence eliminates `v`. Its last remainder is a polynomial in `u`; the one before is linear in `v` and gives `v` as
//! a rational function of `u`. The solution is verified in both equations, so correctness does not depend on the elimination.

use crate::model::exact_curve::ExactArc;
use rocproof_arith::roots::{real_roots, sign_between};
use rocproof_arith::{Number, Polynomial, Rational, RationalFunction};

/// Largest degree of the polynomial in `u` that is solved while the hull is built; this takes no noticeable time.
pub(super) const SMALL_DEGREE: usize = 8;
/// Largest degree of the polynomial in `u` that is solved at all.
pub(super) const LARGEST_DEGREE: usize = 20;

/// A polynomial in `v` whose coefficients, from the constant term up, are polynomials in `u`.
type Bivariate = Vec<Polynomial>;

/// The parameters of the common tangent of two arcs as algebraic numbers, given enclosures `near` of them. `None` if the polynomial in `u`
/// would exceed the largest degree, or the solution could not be verified.
pub(super) fn exact_double_tangent(
    first: &ExactArc,
    second: &ExactArc,
    near: [&Number; 2],
    largest_degree: usize,
) -> Option<[Number; 2]> {
    let [parallel, through] = equations_without_diagonal(first, second)?;
    // The degree of the resultant of two polynomials with degrees (a, b) and (c, d) in u and v is at most ad + bc.
    let degrees = |p: &Bivariate| (p.iter().map(Polynomial::degree).max().unwrap_or(0), p.len() - 1);
    let ((a, b), (c, d)) = (degrees(&parallel), degrees(&through));
    if a * d + b * c > largest_degree {
        return None;
    }
    let [linear, constant] = eliminate(&parallel, &through)?;
    // `u` is the only root of the constant term near its enclosure.
    let [lo, hi] = near[0].enclosure(64)?.ends();
    let [root] = &real_roots(constant.first()?, &lo, &hi)[..] else { return None };
    let u = Number::from(root);
    // The linear term, intercept + slope·v = 0, gives `v`.
    let [intercept, slope] = &linear[..] else { return None };
    if slope.is_zero() || u.through(&RationalFunction::from(slope.clone())).is_zero() {
        return None;
    }
    let v_of_u = RationalFunction::new(-intercept, slope.clone());
    let v = u.through(&v_of_u);
    // Arcs that bend one way have a single common tangent. So a solution of both equations is the one sought, if both arcs bend one way
    // in the neighbourhood of their parameters.
    if !(bends_one_way(first, near[0])? && bends_one_way(second, near[1])?) {
        return None;
    }
    // Both equations hold exactly: each value at (u, v(u)) is 0, by Horner's rule in `v`.
    let solves = |equation: &Bivariate| {
        let zero = RationalFunction::constant(Rational::ZERO);
        let value = equation.iter().rev().fold(zero, |sum, c| &(&sum * &v_of_u) + &RationalFunction::from(c.clone()));
        u.through(&value).is_zero()
    };
    let is_v_near = near[1].enclosure(64)?.meets(&v.enclosure(64)?);
    let is_near = is_v_near && near[0].enclosure(64)?.meets(&u.enclosure(64)?);
    (is_near && solves(&parallel) && solves(&through)).then_some([u, v])
}

/// The two [`equations`]. On a single arc `u = v` solves both: these solutions are divided out, once and twice.
fn equations_without_diagonal(first: &ExactArc, second: &ExactArc) -> Option<[Bivariate; 2]> {
    let [parallel, through] = equations(first, second);
    if first.f != second.f {
        return Some([parallel, through]);
    }
    Some([without_diagonal(&parallel)?, without_diagonal(&without_diagonal(&through)?)?])
}

/// Whether an arc is proved to bend towards class 1 in a neighbourhood of a parameter inside it; `None` if the parameter has no enclosure.
fn bends_one_way(arc: &ExactArc, parameter: &Number) -> Option<bool> {
    // Widened by 2^-60, since an enclosure may be a single point. The parameter of an arc runs from 0 to 1.
    let margin = Rational::ONE / Rational::from(1u64 << 60);
    let [lo, hi] = parameter.enclosure(64)?.ends();
    let (lo, hi) = (lo - &margin, hi + margin);
    let is_inside = Rational::ZERO < lo && hi < Rational::ONE;
    Some(is_inside && sign_between(&arc.turning(), &lo, &hi) == Some(1))
}

/// The two equations, with the direction `g(u)` and the point `f(u)` of the first arc, and `h(v)` and `e(v)` of the second. The directions
/// are parallel: `g0(u) h1(v) - g1(u) h0(v) = 0`. The chord is parallel to the first: `g0(u) (e1(v) - f1(u)) - g1(u) (e0(v) - f0(u)) = 0`.
fn equations(first: &ExactArc, second: &ExactArc) -> [Bivariate; 2] {
    // The product p(v)·q(u).
    let product = |p_of_v: &Polynomial, q_of_u: &Polynomial| p_of_v.coefficients().map(|c| q_of_u.scaled(&c)).collect();
    let minus = |a: Bivariate, b: Bivariate| -> Bivariate {
        let coefficient = |p: &Bivariate, k: usize| p.get(k).cloned().unwrap_or_else(Polynomial::zero);
        trim((0..a.len().max(b.len())).map(|k| &coefficient(&a, k) - &coefficient(&b, k)).collect())
    };
    let ([g0, g1], [f0, f1]) = (&first.direction, &first.f);
    let ([h0, h1], [e0, e1]) = (&second.direction, &second.f);
    let parallel = minus(product(h1, g0), product(h0, g1));
    let mut through = minus(product(e1, g0), product(e0, g1));
    // The terms in `u` alone belong to the constant coefficient.
    if through.is_empty() {
        through.push(Polynomial::zero());
    }
    through[0] = &through[0] - &(&(g0 * f1) - &(g1 * f0));
    [parallel, trim(through)]
}

/// The polynomial without leading zero coefficients.
fn trim(mut p: Bivariate) -> Bivariate {
    while p.last().is_some_and(Polynomial::is_zero) {
        p.pop();
    }
    p
}

/// The quotient by `v - u`, by Horner's rule (synthetic division); `None` if the division leaves a remainder.
fn without_diagonal(p: &Bivariate) -> Option<Bivariate> {
    let mut quotient = vec![Polynomial::zero(); p.len().checked_sub(1)?];
    let mut carry = Polynomial::zero();
    for k in (0..p.len()).rev() {
        let value = &p[k] + &(&carry * &Polynomial::x());
        if k > 0 {
            quotient[k - 1] = value.clone();
        } else if !value.is_zero() {
            return None;
        }
        carry = value;
    }
    Some(trim(quotient))
}

/// The primitive part: coefficients divided by their greatest common divisor in `u`, and scaled so that the last one is monic.
fn primitive_part(p: &Bivariate) -> Bivariate {
    let content = p.iter().fold(Polynomial::zero(), |gcd, c| gcd.gcd(c));
    let scale = p.last().map_or(Rational::ONE, |last| Rational::ONE / last.divided_by(&content).0.leading());
    p.iter().map(|c| c.divided_by(&content).0.scaled(&scale)).collect()
}

/// The last two terms of the pseudo-remainder sequence in `v`, linear and constant; `None` if it ends otherwise.
fn eliminate(a: &Bivariate, b: &Bivariate) -> Option<[Bivariate; 2]> {
    let (mut a, mut b) = if a.len() >= b.len() { (a.clone(), b.clone()) } else { (b.clone(), a.clone()) };
    while b.len() > 1 {
        // The pseudo-remainder of a by b: replace a by leading(b)·a - leading(a)·v^k·b until its degree falls below that of b.
        let mut remainder = a;
        while remainder.len() >= b.len() {
            let (top, leading, shift) = (remainder.last()?.clone(), b.last()?, remainder.len() - b.len());
            remainder.iter_mut().for_each(|c| *c = &*c * leading);
            for (k, c) in b.iter().enumerate() {
                remainder[k + shift] = &remainder[k + shift] - &(c * &top);
            }
            remainder = trim(remainder);
        }
        if remainder.is_empty() {
            return None;
        }
        (a, b) = (b, if remainder.len() > 1 { primitive_part(&remainder) } else { remainder });
    }
    (a.len() == 2).then_some([a, b])
}
