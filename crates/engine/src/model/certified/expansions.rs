//! Polynomials in the score as densities, expanded around the ends of an interval.
//!
//! A polynomial in the distance from an end keeps its relative accuracy close to that end, where a polynomial in the score cancels.

use super::growth::Growth;
use super::jet::Jet;
use super::scores::{Distance, Points, ScoreSeries};
use super::tail::Tail;
use crate::model::endpoint::Endpoint;
use rocproof_arith::rational::from_f64;
use rocproof_arith::{Balls, Interval, Polynomial, Rational, Series};
use std::cmp::Ordering;

/// Up to this degree a polynomial in the distance from an end loses few digits by cancellation, and is not recentred.
const LOW_DEGREE: usize = 4;

/// The coefficients of a polynomial and of its derivative, by power.
#[derive(Clone, Debug)]
struct Coefficients {
    value: Vec<Interval>,
    slope: Vec<Interval>,
}

impl Coefficients {
    /// The enclosed coefficients of a polynomial and of its derivative.
    fn of(polynomial: &Polynomial) -> Coefficients {
        let enclose = |p: &Polynomial| p.coefficients().map(|c| Interval::of(&c)).collect();
        Coefficients { value: enclose(polynomial), slope: enclose(&polynomial.derivative()) }
    }

    /// The polynomial with these coefficients, with its derivative.
    fn new(value: Vec<Interval>) -> Coefficients {
        let slope = derivative_coefficients(&value);
        Coefficients { value, slope }
    }

    fn derivative(&self) -> Coefficients {
        Coefficients::new(self.slope.clone())
    }

    fn negated(self) -> Coefficients {
        let negate = |coefficients: Vec<Interval>| coefficients.into_iter().map(|c| -c).collect();
        Coefficients { value: negate(self.value), slope: negate(self.slope) }
    }

    /// The jet at the distance `y`; with its logarithm if the polynomial is `c·y^k` with a positive `c`.
    fn jet(&self, y: &Distance) -> Jet {
        let plain = || Jet::new(y.value.under(&self.value), y.value.under(&self.slope) * y.slope);
        let Some((power, c)) = self.as_positive_monomial() else { return plain() };
        let k = Interval::from(power as f64);
        let zero = Series::from(0.0);
        let (log_power, rate) = if power == 0 { (zero, zero) } else { (y.ln().scaled(k), y.rate().scaled(k)) };
        let by_log = Jet::with_log(log_power + Series::from(c.ln()), rate);
        if power == 0 {
            return Jet { value: Series::from(c), ..by_log };
        }
        let Jet { value, slope, .. } = plain();
        by_log.or_value(value, slope)
    }

    /// The power and the coefficient of the polynomial, if it has just one coefficient that is not 0, and that one is positive.
    fn as_positive_monomial(&self) -> Option<(usize, Interval)> {
        let highest = self.value.iter().rposition(|c| *c != Interval::ZERO)?;
        let is_monomial = self.value[..highest].iter().all(|c| *c == Interval::ZERO);
        (is_monomial && self.value[highest].is_positive()).then(|| (highest, self.value[highest]))
    }
}

/// The coefficients of the derivative of the polynomial with these coefficients.
fn derivative_coefficients(coefficients: &[Interval]) -> Vec<Interval> {
    coefficients.iter().enumerate().skip(1).map(|(k, c)| *c * Interval::from(k as f64)).collect()
}

/// A polynomial on an interval, expanded in the distance from either end and in the score. An expansion that is not known is `None`. The
/// ends of the interval are not stored; methods that need them take them.
#[derive(Clone, Debug)]
pub(super) struct Expansions {
    /// In the distance from the left end, and from the right end.
    by_distance: [Option<Coefficients>; 2],
    by_score: Option<Coefficients>,
    /// The polynomial in the score itself, if its coefficients are rational.
    exact: Option<Polynomial>,
}

impl Expansions {
    /// Expands a polynomial in the score, and in the distance from each rational end.
    pub(super) fn new(polynomial: &Polynomial, ends: &[Endpoint; 2]) -> Expansions {
        let [left, right] = ends.each_ref().map(|end| end.constant.exact.clone());
        let from_left = left.map(|a| Coefficients::of(&polynomial.shifted(&a)));
        // In the distance b - x.
        let from_right = right.map(|b| Coefficients::of(&polynomial.shifted(&b).stretched(&-Rational::ONE)));
        let (by_score, exact) = (Some(Coefficients::of(polynomial)), Some(polynomial.clone()));
        Expansions { by_distance: [from_left, from_right], by_score, exact }
    }

    /// A polynomial in the distance from the left (0) or right (1) end alone.
    pub(super) fn from_end(polynomial: &Polynomial, side: usize) -> Expansions {
        Expansions::with_coefficients(Coefficients::of(polynomial), side)
    }

    /// The polynomial with these coefficients in the distance from the left (0) or right (1) end.
    pub(super) fn in_powers_of_distance(coefficients: &[Interval], side: usize) -> Expansions {
        Expansions::with_coefficients(Coefficients::new(coefficients.to_vec()), side)
    }

    fn with_coefficients(coefficients: Coefficients, side: usize) -> Expansions {
        let mut by_distance = [None, None];
        by_distance[side] = Some(coefficients);
        Expansions { by_distance, by_score: None, exact: None }
    }

    /// A constant.
    pub(super) fn of_constant(value: Interval) -> Expansions {
        let by_score = Some(Coefficients { value: vec![value], slope: vec![Interval::ZERO] });
        Expansions { by_distance: [None, None], by_score, exact: None }
    }

    /// The polynomial in the score, if its coefficients are rational.
    pub(super) fn exact(&self) -> Option<&Polynomial> {
        self.exact.as_ref()
    }

    /// The value of a constant; `None` if the polynomial depends on the score.
    pub(super) fn constant(&self) -> Option<Interval> {
        let coefficients = self.by_score.as_ref().or(self.by_distance.iter().flatten().next())?;
        if let [constant] = coefficients.value.as_slice() { Some(*constant) } else { None }
    }

    /// The derivative with respect to the score.
    pub(super) fn derivative(&self) -> Expansions {
        let [left, right] = self.by_distance.each_ref().map(|c| c.as_ref().map(Coefficients::derivative));
        // The distance to the right end falls as the score grows.
        let by_distance = [left, right.map(Coefficients::negated)];
        let exact = self.exact.as_ref().map(Polynomial::derivative);
        Expansions { by_distance, by_score: self.by_score.as_ref().map(Coefficients::derivative), exact }
    }

    /// The coefficients in the distance to the left (0) or right (1) end.
    pub(super) fn in_distance(&self, side: usize) -> Option<&[Interval]> {
        self.by_distance[side].as_ref().map(|coefficients| coefficients.value.as_slice())
    }

    /// The value and its derivative with respect to the parameter of the scores.
    pub(super) fn jet(&self, scores: &ScoreSeries, ends: &[Endpoint; 2]) -> Jet {
        self.jet_around_middle(scores, ends)
            .or_else(|| self.jet_around_nearer_end(scores, ends))
            .unwrap_or_else(|| self.jet_in_score(scores))
    }

    /// The jet by an exact expansion around the middle of the scores, whose coefficients are rounded once each. `None` where the
    /// polynomial is not rational, or the expansion gains nothing.
    fn jet_around_middle(&self, scores: &ScoreSeries, ends: &[Endpoint; 2]) -> Option<Jet> {
        let exact = self.exact.as_ref().filter(|exact| exact.degree() > 1)?;
        if let Some([middle, half]) = scores.affine() {
            // The polynomial in u itself.
            let Coefficients { value, slope } = Coefficients::of(&exact.shifted(&middle).stretched(&half));
            return Some(Jet::new(Series::polynomial(&value), Series::polynomial(&slope)));
        }
        // Where the score is not linear in the parameter, the scores come close to an end, and relative accuracy there counts more.
        if exact.degree() <= LOW_DEGREE {
            return None;
        }
        let distances = [scores.above(&ends[0]), scores.below(&ends[1])];
        let side = usize::from(distances[1].value.bound() < distances[0].value.bound());
        let middle = distances[side].value.rough_range().mid();
        let (end, shift) = (ends[side].constant.exact.as_ref()?, from_f64(middle)?);
        let from_middle = distances[side].value - Series::from(middle);
        let recentred = if side == 0 {
            exact.shifted(&(end + shift))
        } else {
            exact.shifted(&(end - shift)).stretched(&-Rational::ONE)
        };
        let Coefficients { value, slope } = Coefficients::of(&recentred);
        Some(Jet::new(from_middle.under(&value), from_middle.under(&slope) * distances[side].slope))
    }

    /// The jet by the expansion around the nearer end; `None` if no expansion around an end is known.
    fn jet_around_nearer_end(&self, scores: &ScoreSeries, ends: &[Endpoint; 2]) -> Option<Jet> {
        let [left, right] = self.by_distance.each_ref().map(Option::as_ref);
        let left = left.map(|coefficients| (coefficients, scores.above(&ends[0])));
        let right = right.map(|coefficients| (coefficients, scores.below(&ends[1])));
        let farthest = |expansion: &Option<(&Coefficients, Distance)>| {
            expansion.as_ref().map_or(f64::INFINITY, |(_, distance)| distance.value.bound())
        };
        let (coefficients, distance) = if farthest(&left) <= farthest(&right) { left? } else { right? };
        Some(coefficients.jet(&distance))
    }

    /// The jet by the expansion in the score; unknown if there is none.
    fn jet_in_score(&self, scores: &ScoreSeries) -> Jet {
        let Some(Coefficients { value, slope }) = &self.by_score else {
            return Jet::new(Series::UNKNOWN, Series::UNKNOWN);
        };
        if let [c] = value.as_slice()
            && c.is_positive()
        {
            let zero = Series::from(0.0);
            return Jet { value: Series::from(*c), slope: zero, log: Some([Series::from(c.ln()), zero]) };
        }
        Jet::new(scores.x.under(value), scores.x.under(slope) * scores.speed)
    }

    /// The coefficients of the powers of the distance in a tail; `None` if no expansion is known.
    pub(super) fn coefficients_in_tail(&self, tail: &Tail, ends: &[Endpoint; 2]) -> Option<Vec<Interval>> {
        let side = usize::from(!tail.left);
        if ends[side].compare(tail.end) == Some(Ordering::Equal)
            && let Some(coefficients) = self.in_distance(side)
        {
            return Some(coefficients.to_vec());
        }
        // Distances start at the origin of the tail: another expansion is shifted there.
        let [a, b] = ends.each_ref().map(Endpoint::enclosure);
        if let Some(by_score) = &self.by_score {
            Some(compose_linear(&by_score.value, tail.from, tail.sign()))
        } else if let Some(coefficients) = self.in_distance(0) {
            Some(compose_linear(coefficients, tail.from - a, tail.sign()))
        } else {
            Some(compose_linear(self.in_distance(1)?, b - tail.from, -tail.sign()))
        }
    }

    /// The growth in a tail.
    pub(super) fn growth(&self, tail: &Tail, ends: &[Endpoint; 2]) -> Growth {
        let Some(coefficients) = self.coefficients_in_tail(tail, ends) else { return Growth::UNKNOWN };
        if tail.end.is_finite() {
            Growth::of_polynomial_at_zero(&coefficients, tail.distance)
        } else {
            Growth::of_polynomial_at_infinity(&coefficients, tail.distance)
        }
    }

    /// The order of the zero at the left (0) or right (1) end, where it is exact; `u32::MAX` of the polynomial 0, and 0 where it is not known.
    pub(super) fn order(&self, side: usize) -> u32 {
        let Some(coefficients) = self.in_distance(side) else { return 0 };
        coefficients.iter().position(|c| *c != Interval::ZERO).map_or(u32::MAX, |order| order as u32)
    }

    /// The values around some scores, divided by the distance from the left (0) or right (1) end to the given power. The power is at most
    /// the order of the zero there.
    pub(super) fn around(&self, points: &Points, ends: &[Endpoint; 2], side: usize, power: u32) -> Balls {
        let from_end = |side: usize| self.in_distance(side).map(|coefficients| (side, coefficients));
        // Only the expansion around the end in question can be divided. Without a division, an end close to the points is best.
        let preferred_side = if power > 0 { Some(side) } else { points.near_side() };
        let preferred = preferred_side.and_then(from_end);
        if let (None, Some(by_score)) = (preferred, &self.by_score) {
            return points.x.under(&by_score.value);
        }
        let Some((side, coefficients)) = preferred.or(from_end(0)).or(from_end(1)) else { return Balls::UNKNOWN };
        // Division by a power of the distance drops the lowest coefficients, which are 0.
        let quotient = coefficients.get(power as usize..).unwrap_or(&[]);
        if let [constant] = quotient {
            Balls::from(*constant)
        } else {
            points.distance(side, &ends[side]).under(quotient)
        }
    }
}

/// The coefficients of `p(origin + sign·y)` in `y` for a sign of 1 or -1, by repeated synthetic division.
fn compose_linear(coefficients: &[Interval], origin: Interval, sign: Interval) -> Vec<Interval> {
    let mut c = coefficients.to_vec();
    let n = c.len();
    for i in 0..n {
        for j in (i..n.saturating_sub(1)).rev() {
            c[j] = c[j] + origin * c[j + 1];
        }
    }
    let mut scale = Interval::ONE;
    for value in &mut c {
        *value = *value * scale;
        scale = scale * sign;
    }
    c
}
