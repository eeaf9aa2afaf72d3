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
    let [mut parallel, mut through] = equations(first, second);
    // On a single arc `u = v` solves both equations: divide these solutions out.
    if first.f == second.f {
        parallel = without_diagonal(&parallel)?;
        through = without_diagonal(&without_diagonal(&through)?)?;
    }
    let degrees = |p: &Bivariate| (p.iter().map(Polynomial::degree).max().unwrap_or(0), p.len() - 1);
    let ((a, b), (c, d)) = (degrees(&parallel), degrees(&through));
    if a * d + b * c > largest_degree {
        return None;
    }
    let [linear, constant] = eliminate(&parallel, &through)?;
    let [lo, hi] = near[0].enclosure(64)?.ends();
    let [root] = &real_roots(constant.first()?, &lo, &hi)[..] else { return None };
    let u = Number::from(root);
    let [intercept, slope] = &linear[..] else { return None };
    if slope.is_zero() || u.through(&RationalFunction::from(slope.clone())).is_zero() {
        return None;
    }
    let second_of_first = RationalFunction::new(-intercept, slope.clone());
    let v = u.through(&second_of_first);
    // Arcs that bend one way have a single common tangent. So a solution of both equations is the one sought, if both arcs bend one way
    // in the neighbourhood of their parameters.
    if ![(first, near[0]), (second, near[1])].into_iter().all(|(arc, number)| bends_one_way(arc, number) == Some(true))
    {
        return None;
    }
    let solves = |equation: &Bivariate| {
        let zero = RationalFunction::constant(Rational::ZERO);
        let value =
            equation.iter().rev().fold(zero, |sum, c| &(&sum * &second_of_first) + &RationalFunction::from(c.clone()));
        u.through(&value).is_zero()
    };
    let is_near = near[1].enclosure(64)?.meets(&v.enclosure(64)?);
    let is_near = is_near && near[0].enclosure(64)?.meets(&u.enclosure(64)?);
    (is_near && [&parallel, &through].into_iter().all(solves)).then_some([u, v])
}

/// Whether an arc is proved to bend towards class 1 in a neighbourhood of a parameter inside it.
fn bends_one_way(arc: &ExactArc, parameter: &Number) -> Option<bool> {
    // Widened, since an enclosure may be a single point.
    let margin = Rational::ONE / Rational::from(1u64 << 60);
    let [lo, hi] = parameter.enclosure(64)?.ends();
    let (lo, hi) = (lo - &margin, hi + margin);
    let is_inside = Rational::ZERO < lo && hi < Rational::ONE;
    Some(is_inside && sign_between(&arc.turning(), &lo, &hi) == Some(1))
}

/// The two equations: the directions at `u` and `v` are parallel, and the chord is parallel to the direction at `u`.
fn equations(first: &ExactArc, second: &ExactArc) -> [Bivariate; 2] {
    let of_v =
        |p: &Polynomial, times: &Polynomial| -> Bivariate { p.coefficients().map(|c| times.scaled(&c)).collect() };
    let minus = |a: Bivariate, b: Bivariate| -> Bivariate {
        let at = |p: &Bivariate, k: usize| p.get(k).cloned().unwrap_or_else(Polynomial::zero);
        trim((0..a.len().max(b.len())).map(|k| &at(&a, k) - &at(&b, k)).collect())
    };
    let ([g0, g1], [f0, f1]) = (&first.direction, &first.f);
    let parallel = minus(of_v(&second.direction[1], g0), of_v(&second.direction[0], g1));
    let mut through = minus(of_v(&second.f[1], g0), of_v(&second.f[0], g1));
    if through.is_empty() {
        through.push(Polynomial::zero());
    }
    through[0] = &through[0] - &(&(g0 * f1) - &(g1 * f0));
    [parallel, trim(through)]
}

/// Without leading zero coefficients.
fn trim(mut p: Bivariate) -> Bivariate {
    while p.last().is_some_and(Polynomial::is_zero) {
        p.pop();
    }
    p
}

/// The quotient by `v - u`; `None` if the division leaves a remainder.
fn without_diagonal(p: &Bivariate) -> Option<Bivariate> {
    let mut quotient = vec![Polynomial::zero(); p.len().checked_sub(1)?];
    let mut carry = Polynomial::zero();
    for k in (0..p.len()).rev() {
        let value = &p[k] + &(&carry * &Polynomial::x());
        match k.checked_sub(1) {
            Some(k) => quotient[k] = value.clone(),
            None if !value.is_zero() => return None,
            None => {}
        }
        carry = value;
    }
    Some(trim(quotient))
}

/// The primitive part: coefficients divided by their greatest common divisor in `u`, and scaled.
fn primitive_part(p: &Bivariate) -> Bivariate {
    let content = p.iter().fold(Polynomial::zero(), |gcd, c| gcd.gcd(c));
    let scale = p.last().map_or(Rational::ONE, |last| Rational::ONE / last.divided_by(&content).0.leading());
    p.iter().map(|c| c.divided_by(&content).0.scaled(&scale)).collect()
}

/// The last two terms of the pseudo-remainder sequence in `v`, linear and constant; `None` if it ends otherwise.
fn eliminate(a: &Bivariate, b: &Bivariate) -> Option<[Bivariate; 2]> {
    let (mut a, mut b) = if a.len() >= b.len() { (a.clone(), b.clone()) } else { (b.clone(), a.clone()) };
    while b.len() > 1 {
        // leading(b)·a - leading(a)·v^k·b, until the degree falls below that of b.
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
