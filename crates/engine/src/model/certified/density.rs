//! The certified reading of one smooth density: the trait by which families enclose values, slopes and tails.

use super::jet::Jet;
use super::scores::{Points, ScoreSeries};
use super::tail::Tail;
use super::trend::TailBound;
use crate::constant::Constant;
use crate::model::endpoint::Endpoint;
use rocproof_arith::{Balls, Interval, RationalFunction, Series};
use std::any::Any;
use std::fmt;

/// A density, up to a constant factor, whose values and slopes can be enclosed everywhere.
///
/// Three methods are required: [`jet`](EnclosedDensity::jet), [`around`](EnclosedDensity::around) and
/// [`log_slope`](EnclosedDensity::log_slope). The defaults of all others are right for every density; a family overrides them where it
/// knows more.
pub trait EnclosedDensity: fmt::Debug + Send + Sync + Any {
    /// The density and its derivative along a chart: at the scores of a series in the chart's parameter.
    fn jet(&self, scores: &ScoreSeries) -> Jet;

    /// The density around some scores, divided by the distance from the left (0) or right (1) end to the given power. The power is at most
    /// the [`order`](EnclosedDensity::order) of the zero there.
    fn around(&self, points: &Points, side: usize, power: u32) -> Balls;

    /// `d ln f/dx` for all scores of an interval.
    fn log_slope(&self, x: Interval) -> Interval;

    /// How far an infinite tail must be followed: the score where the density is centred and a distance from it, beyond which less than
    /// `e^-reach` of the mass lies, roughly. `None` if the tail is to be followed in an exponential coordinate.
    fn tail_reach(&self, _reach: f64) -> Option<(f64, f64)> {
        None
    }

    /// The value of the density, if it is constant.
    fn constant(&self) -> Option<Interval> {
        None
    }

    /// Whether the density is analytic in the whole complex plane.
    fn is_entire(&self) -> bool {
        false
    }

    /// Whether the density is an expression in `x`, rather than a member of a family.
    fn is_expression(&self) -> bool {
        false
    }

    /// The order of the zero of the density at the left (0) or right (1) end, where that is known exactly; 0 if it is not.
    fn order(&self, _side: usize, _end: &Endpoint) -> u32 {
        0
    }

    /// `d ln f/d ln(distance)` in a tail.
    fn elasticity(&self, tail: &Tail) -> Interval {
        tail.distance * tail.sign() * self.log_slope(tail.x)
    }

    /// Whether the elasticity encloses this tail better than the slope of the logarithm does.
    fn has_elasticity(&self, _tail: &Tail) -> bool {
        self.is_expression()
    }

    /// A bound on the mass in a tail, where the elasticity does not give one.
    fn tail_bound(&self, _tail: &Tail) -> Option<TailBound> {
        None
    }

    /// The density at the start of an infinite tail divided by the mass of the tail. It lies between the least and the greatest value of
    /// `-d ln f` per unit of distance in the tail.
    fn tail_decay(&self, tail: &Tail) -> Interval {
        let slope = self.log_slope(tail.x);
        if tail.left { slope } else { -slope }
    }

    /// `(ln f)'`, where it is a rational function with rational coefficients.
    fn rational_log_slope(&self) -> Option<RationalFunction> {
        None
    }

    /// `d ln(f1/f0)/du` along a chart for another density `f1` of this family, where common terms cancel exactly.
    fn ratio_rate(&self, _other: &dyn EnclosedDensity, _scores: &ScoreSeries) -> Option<Series> {
        None
    }

    /// `d ln(f1/f0)/dx` in a tail, up to a positive factor, for another density `f1` of this family, where common terms cancel exactly.
    fn ratio_slope(&self, _other: &dyn EnclosedDensity, _tail: &Tail) -> Option<Interval> {
        None
    }

    /// The logarithms of this density and another one of this family, where common terms cancel exactly in the ratio.
    fn pair<'a>(&'a self, _other: &'a dyn EnclosedDensity) -> Option<Box<dyn LogPair + 'a>> {
        None
    }
}

impl dyn EnclosedDensity {
    /// The density as a member of a certain family; `None` if it is of another one.
    pub fn member<T: EnclosedDensity>(&self) -> Option<&T> {
        (self as &dyn Any).downcast_ref()
    }
}

/// Two densities of one family by their logarithms.
pub trait LogPair {
    /// `ln f0`, `ln f1` and `ln(f1/f0)` around some scores.
    fn logs(&self, points: &Points) -> [Balls; 3];
}

/// `d ln(f1/f0)/dx` in a tail, up to a positive factor: by the family of both, by elasticities, or by the slopes of the logarithms.
pub fn ratio_slope(f0: &dyn EnclosedDensity, f1: &dyn EnclosedDensity, tail: &Tail) -> Interval {
    f0.ratio_slope(f1, tail).unwrap_or_else(|| {
        if f0.has_elasticity(tail) || f1.has_elasticity(tail) {
            (f1.elasticity(tail) - f0.elasticity(tail)) * tail.sign()
        } else {
            f1.log_slope(tail.x) - f0.log_slope(tail.x)
        }
    })
}

/// The difference of two constants: exactly 0 if they are the same rational.
pub fn difference(a: &Constant, b: &Constant) -> Interval {
    match (&a.exact, &b.exact) {
        // Intervals subtract two floats with one rounding, which is as good, and cheaper.
        (Some(exact_a), Some(exact_b)) if !(a.enclosure.is_point() && b.enclosure.is_point()) => {
            Interval::of(&(exact_a - exact_b))
        }
        _ => a.enclosure - b.enclosure,
    }
}
