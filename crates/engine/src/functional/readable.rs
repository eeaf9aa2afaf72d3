//! The interface through which definitions read a curve, whatever its representation.

use super::along::along;
use super::group::Group;
use super::program::{Environment, Program};
use crate::calculus::Estimate;
use crate::calculus::panel::{Motion, Point};
use crate::calculus::root::root_in_bracket;
use crate::calculus::rule::RULE;
use crate::constant::Constant;
use crate::model::Curve;
use crate::model::curve::ThresholdDoubt;
use rocproof_language::meaning::Pieces;

/// Bounds on the errors of a curve.
#[derive(Clone, Copy, Debug, Default)]
pub struct Doubts {
    /// A bound on the error of `F0` and `F1`.
    pub uncertainty: f64,
    /// A bound on the rounding error of computed scores.
    pub score_noise: f64,
    /// Bounds on the contribution of cut tails to the mean score of each class.
    pub mean_tail: [f64; 2],
    /// The distance between the first and the last score.
    pub width: f64,
}

/// A curve that definitions can be read from.
pub trait Readable {
    /// The range of the scores: [0, 1] if they all lie in it, otherwise from the smallest to the largest.
    fn range(&self) -> (f64, f64);
    /// The kinds of pieces of the curve.
    fn pieces(&self) -> Pieces;
    /// Bounds on the errors of the curve.
    fn doubts(&self) -> Doubts;
    /// Whether the curve runs over reversed scores: those of the input speak for class 0 the higher they are.
    fn is_reversed(&self) -> bool {
        false
    }
    /// The integrals of groups of definitions along the curve, each in its environment; and the largest absolute values of `extremes`, which
    /// are functions of `F0 - F1`.
    fn integrals(
        &self,
        asked: &[(&Group, &Environment)],
        extremes: &[(&Program, &Environment)],
    ) -> (Vec<Vec<Estimate>>, Vec<f64>);
    /// The integrals of a group along the curve and around its corners; all of them go over the posterior.
    fn with_corners(&self, group: &Group, environment: &Environment) -> Vec<Estimate>;
    /// The last point whose score is at most `t`.
    fn at_score(&self, t: f64) -> Point;
    /// What is not known of that point.
    fn doubt_at(&self, _threshold: &Constant) -> ThresholdDoubt {
        ThresholdDoubt { atoms: self.doubts().score_noise, mass: 0.0 }
    }
    /// The point where the predicted positive rate is `r`.
    fn at_rate(&self, r: f64, pi0: f64) -> Point;
}

impl Readable for Curve {
    fn range(&self) -> (f64, f64) {
        self.range
    }

    fn pieces(&self) -> Pieces {
        Curve::pieces(self)
    }

    fn doubts(&self) -> Doubts {
        let Curve { uncertainty, score_noise, mean_tail, .. } = *self;
        Doubts { uncertainty, score_noise, mean_tail, width: (self.end().x - self.start().x).max(0.0) }
    }

    fn integrals(
        &self,
        asked: &[(&Group, &Environment)],
        extremes: &[(&Program, &Environment)],
    ) -> (Vec<Vec<Estimate>>, Vec<f64>) {
        let largest = |(program, environment): &(&Program, &Environment)| {
            largest_distance(self, &|point| program.value_at(point, environment).abs())
        };
        (
            asked.iter().map(|(group, environment)| along(self, &[], group, environment)).collect(),
            extremes.iter().map(largest).collect(),
        )
    }

    fn with_corners(&self, group: &Group, environment: &Environment) -> Vec<Estimate> {
        along(self, &self.corners((environment.pi0, environment.pi1)), group, environment)
    }

    fn at_score(&self, t: f64) -> Point {
        Curve::at_score(self, t)
    }

    fn doubt_at(&self, threshold: &Constant) -> ThresholdDoubt {
        Curve::doubt_at(self, threshold)
    }

    fn at_rate(&self, r: f64, pi0: f64) -> Point {
        Curve::at_rate(self, r, pi0)
    }
}

/// The largest value along a curve of `value_at`, a non-negative function of `F0 - F1` (as for KS): at panel ends, or where both densities
/// are equal.
fn largest_distance(curve: &Curve, value_at: &dyn Fn(&Point) -> f64) -> f64 {
    let mut largest: f64 = 0.0;
    for panel in curve.massive() {
        largest = largest.max(value_at(&panel.start)).max(value_at(&panel.end));
        if panel.motion != Motion::Arc {
            continue;
        }
        // F0 - F1 turns where both densities are equal: where the shares are.
        let slope_at = |u: f64| {
            let [q0, q1] = panel.direction(u);
            q0 - q1
        };
        // A root lies between neighbouring nodes where the slope has different signs.
        let (mut last_u, mut last_slope) = (0.0, slope_at(0.0));
        for u in RULE.nodes.into_iter().chain([1.0]) {
            let slope = slope_at(u);
            if (last_slope > 0.0) != (slope > 0.0) {
                let root = root_in_bracket(last_u, u, slope_at);
                largest = largest.max(value_at(&panel.at(root)));
            }
            (last_u, last_slope) = (u, slope);
        }
    }
    largest
}
