//! Points of tangency on exact arcs: algebraic where the equation is rational, else enclosed to any precision by bisection.

use crate::model::exact_curve::{ExactArc, ExactPoint, Undecided};
use dashu_base::Abs;
use dashu_int::IBig;
use rocproof_arith::rational::to_f64;
use rocproof_arith::roots::{refine, refine_near};
use rocproof_arith::{Enclosure, Number, Polynomial, Rational};
use std::sync::{Arc, Mutex, PoisonError};

/// Extra binary digits for intermediate results.
const GUARD: usize = 64;

/// The parameter at which the tangent of an arc goes through a point.
pub(super) fn tangent_point(arc: &ExactArc, point: &ExactPoint) -> Result<Number, Undecided> {
    // g0·(P1 - F1) - g1·(P0 - F0) = 0.
    let ([g0, g1], [f0, f1]) = (&arc.direction, &arc.f);
    let own = &(g1 * f0) - &(g0 * f1);
    let terms = vec![(Number::ONE, own), (point.f[1].clone(), g0.clone()), (-&point.f[0], g1.clone())];
    only_root(arc, terms)
}

/// The only parameter inside an arc where a linear combination of polynomials is 0.
pub(super) fn only_root(arc: &ExactArc, terms: Vec<(Number, Polynomial)>) -> Result<Number, Undecided> {
    let rational = terms.iter().try_fold(Polynomial::zero(), |sum, (number, polynomial)| {
        Some(&sum + &polynomial.scaled(number.as_rational()?))
    });
    if let Some(polynomial) = rational {
        return arc.roots_inside(&polynomial).ok_or(Undecided)?.into_iter().next().ok_or(Undecided);
    }
    let arc = arc.clone();
    let narrowed = CachedBounds::default();
    Ok(Number::computed(move |bits| {
        let (lo, hi) = narrowed.narrow_to(
            bits,
            || arc.inner_bounds(bits),
            |bounds| {
                let work = bits + GUARD;
                let factors: Option<Vec<Enclosure>> = terms.iter().map(|(n, _)| n.enclosure(work)).collect();
                let Some(factors) = factors else { return false };
                refine(bounds, bits, |x| {
                    let parts = factors.iter().zip(&terms).map(|(n, (_, p))| n.times(&enclose_at(p, x, work)));
                    signed_representative(&parts.reduce(|sum, part| sum.plus(&part))?)
                })
            },
        )?;
        Some(Enclosure::between(&lo, &hi, bits))
    }))
}

/// Encloses the value of a polynomial at a rational.
fn enclose_at(polynomial: &Polynomial, x: &Rational, bits: usize) -> Enclosure {
    let (above, below) = polynomial.fraction_at(x);
    Enclosure::fraction(above, below, bits)
}

/// Bounds of a root, cached and narrowed on demand.
#[derive(Default)]
struct CachedBounds {
    known: Mutex<Option<(usize, (Rational, Rational))>>,
}

impl CachedBounds {
    /// The bounds narrowed to this many binary digits, starting from the cached ones or from `first`; `None` if that fails.
    fn narrow_to(
        &self,
        bits: usize,
        first: impl FnOnce() -> Option<(Rational, Rational)>,
        narrow: impl FnOnce(&mut (Rational, Rational)) -> bool,
    ) -> Option<(Rational, Rational)> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let mut bounds = match known.as_ref() {
            Some((enough, bounds)) if *enough >= bits => return Some(bounds.clone()),
            Some((_, bounds)) => bounds.clone(),
            None => first()?,
        };
        if !narrow(&mut bounds) {
            return None;
        }
        Some(known.insert((bits, bounds)).1.clone())
    }
}

/// A number with the sign of the enclosure; `None` if the sign is open.
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
    let narrowed = CachedBounds::default();
    let bounds = Arc::new(move |bits: usize| -> Option<[(Rational, Rational); 2]> {
        let work = bits + GUARD;
        let (lo, hi) = narrowed.narrow_to(
            bits,
            || first.inner_bounds(bits),
            |bounds| {
                refine_near(bounds, estimate, bits, |u| {
                    let (lo, hi) = farthest(&second, &rational_direction(&first, u), work)?;
                    let there = Enclosure::between(&lo, &hi, work);
                    let step = |k: usize| there.under(&second.f[k]).minus(&enclose_at(&first.f[k], u, work));
                    let [d0, d1] = [0, 1].map(|k: usize| enclose_at(&first.direction[k], u, work));
                    signed_representative(&d0.times(&step(1)).minus(&d1.times(&step(0))))
                })
            },
        )?;
        // The parallel point of the second arc moves monotonically with the parameter of the first.
        let [from, to] = [&lo, &hi].map(|u| farthest(&second, &rational_direction(&first, u), bits));
        Some([(lo, hi), (from?.0, to?.1)])
    });
    [0, 1].map(|which| {
        let bounds = bounds.clone();
        Number::computed(move |bits| {
            let (lo, hi) = &bounds(bits)?[which];
            Some(Enclosure::between(lo, hi, bits))
        })
    })
}

/// A polynomial with floating-point coefficients, divided by a number.
struct FloatPolynomial(Vec<f64>);

impl FloatPolynomial {
    fn of(polynomial: &Polynomial, scale: &Rational) -> FloatPolynomial {
        FloatPolynomial(polynomial.coefficients().map(|c| to_f64(&(c / scale))).collect())
    }

    fn at(&self, u: f64) -> f64 {
        self.0.iter().rev().fold(0.0, |sum, c| sum * u + c)
    }
}

/// Bisects for where a predicate that holds on the left stops holding.
fn bisect([mut lo, mut hi]: [f64; 2], holds: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..50 {
        let middle = (lo + hi) / 2.0;
        if holds(middle) { lo = middle } else { hi = middle }
    }
    (lo + hi) / 2.0
}

/// An estimate of the first parameter of [`double_tangent`].
fn estimate_tangent(first: &ExactArc, second: &ExactArc) -> f64 {
    let rough = |polynomials: &[Polynomial; 2]| polynomials.each_ref().map(|p| FloatPolynomial::of(p, &Rational::ONE));
    let ([g, h], [f, e]) = ([&first.direction, &second.direction].map(rough), [&first.f, &second.f].map(rough));
    let [of_first, of_second] = [first, second].map(|arc| arc.bounds().map(|end| to_f64(&end)));
    bisect(of_first, |u| {
        let d = [g[0].at(u), g[1].at(u)];
        let v = bisect(of_second, |v| d[0] * h[1].at(v) - d[1] * h[0].at(v) < 0.0);
        d[0] * (e[1].at(v) - f[1].at(u)) - d[1] * (e[0].at(v) - f[0].at(u)) > 0.0
    })
}

/// Integers proportional to the direction of an arc at a rational parameter.
fn rational_direction(arc: &ExactArc, u: &Rational) -> [IBig; 2] {
    let [(a, p), (b, q)] = [0, 1].map(|k: usize| arc.direction[k].fraction_at(u));
    [a * IBig::from(q), b * IBig::from(p)]
}

/// Bounds on the parameter where an arc is farthest above lines of a given direction.
fn farthest(arc: &ExactArc, direction: &[IBig; 2], bits: usize) -> Option<(Rational, Rational)> {
    let [d0, d1] = direction.each_ref().map(|d| Rational::from(d.clone()));
    let away = &arc.direction[1].scaled(&d0) - &arc.direction[0].scaled(&d1);
    let (lo, hi) = arc.inner_bounds(bits)?;
    let outer = arc.bounds();
    if away.sign_at(&lo) >= 0 {
        // The maximum lies between the end of the arc and its inner bound.
        return Some((outer[0].clone().min(lo.clone()), lo));
    }
    if away.sign_at(&hi) <= 0 {
        return Some((hi.clone(), outer[1].clone().max(hi)));
    }
    // Coefficients may overflow: scale by the largest.
    let largest = away.coefficients().map(|c| c.abs()).max().unwrap_or(Rational::ONE);
    let rough = FloatPolynomial::of(&away, &largest);
    let estimate = bisect([to_f64(&lo), to_f64(&hi)], |u| rough.at(u) < 0.0);
    let mut bounds = (lo, hi);
    refine_near(&mut bounds, estimate, bits, |u| Some(away.approximate_at(u))).then_some(bounds)
}
