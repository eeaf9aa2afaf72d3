//! What definitions ask of a curve, however it is kept.

use super::along::along;
use super::group::Group;
use super::program::{Environment, Program};
use crate::calculus::Estimate;
use crate::calculus::panel::{Motion, Point};
use crate::calculus::root::root_in_bracket;
use crate::calculus::rule::{NODES, RULE};
use crate::model::Curve;
use rocproof_language::meaning::Pieces;

/// How far what a curve says may be off.
#[derive(Clone, Copy, Debug, Default)]
pub struct Doubts {
    /// A bound on the error of `F0` and `F1`.
    pub uncertainty: f64,
    /// How far the scores may be off by having been computed.
    pub score_noise: f64,
    /// What tails that were cut off would add to the mean scores.
    pub mean_tail: [f64; 2],
    /// How far the first and the last score are apart.
    pub width: f64,
}

/// A curve that definitions can be read from.
pub trait Readable {
    /// The scale of the scores: [0, 1] if they all lie in it.
    fn range(&self) -> (f64, f64);
    /// Of which pieces it is made.
    fn pieces(&self) -> Pieces;
    /// How far what it says may be off.
    fn doubts(&self) -> Doubts;
    /// The integrals of groups of definitions along the curve, each under its view; and the largest absolute values of functions of
    /// `F0` and `F1` that turn only where their difference does.
    fn integrals(
        &self,
        asked: &[(&Group, &Environment)],
        extremes: &[(&Program, &Environment)],
    ) -> (Vec<Vec<Estimate>>, Vec<f64>);
    /// The integrals of a group along the curve and around its corners; all of them go over the posterior.
    fn with_corners(&self, group: &Group, view: &Environment) -> Vec<Estimate>;
    /// The last point whose score is at most `t`.
    fn at_score(&self, t: f64) -> Point;
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
        let largest =
            |(program, view): &(&Program, &Environment)| largest(self, &|point| program.value_at(point, view).abs());
        (
            asked.iter().map(|(group, view)| along(self, &[], group, view)).collect(),
            extremes.iter().map(largest).collect(),
        )
    }

    fn with_corners(&self, group: &Group, view: &Environment) -> Vec<Estimate> {
        along(self, &self.corners((view.pi0, view.pi1)), group, view)
    }

    fn at_score(&self, t: f64) -> Point {
        Curve::at_score(self, t)
    }

    fn at_rate(&self, r: f64, pi0: f64) -> Point {
        Curve::at_rate(self, r, pi0)
    }
}

/// The largest value of a function on a curve.
fn largest(curve: &Curve, value_at: &dyn Fn(&Point) -> f64) -> f64 {
    let mut largest: f64 = 0.0;
    for panel in curve.massive() {
        largest = largest.max(value_at(&panel.start)).max(value_at(&panel.end));
        if panel.motion != Motion::Arc {
            continue;
        }
        // F0 - F1 turns where both densities are equal: where the shares are.
        let excess = |q: [f64; 2]| q[0] - q[1];
        let mut before = (0.0, excess(panel.direction(0.0)));
        for i in 0..=NODES {
            let u = if i < NODES { RULE.nodes[i] } else { 1.0 };
            let now = (u, excess(panel.direction(u)));
            if (before.1 > 0.0) != (now.1 > 0.0) {
                let turn = root_in_bracket(before.0, now.0, |u| excess(panel.direction(u)));
                largest = largest.max(value_at(&panel.at(turn)));
            }
            before = now;
        }
    }
    largest
}
