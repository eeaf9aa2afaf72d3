//! The curve of a model, sampled: a chain of panels from `(l, 0, 0)` to `(h, 1, 1)`.

use crate::calculus::panel::{Corner, Motion, Panel, Point, posterior};
use crate::calculus::root::root_in_bracket;
use crate::constant::Constant;
use rocproof_language::meaning::{Piece, Pieces};
use std::sync::Arc;

/// A model's curve `u ↦ (x, F1, F0)` at the numeric level.
#[derive(Clone, Debug)]
pub struct Curve {
    /// The pieces, in order; each starts where the one before ends.
    pub panels: Vec<Panel>,
    /// The scale of the scores: [0, 1] if they all lie in it, else the support.
    pub range: (f64, f64),
    /// The smallest interval that holds all mass; its ends may be infinite.
    pub support: (f64, f64),
    /// A bound on the error of `F0` and `F1` along the curve.
    pub uncertainty: f64,
    /// A bound on the error of scores that `Even` or `Cal` computed; 0 for the user's own scores.
    pub score_noise: f64,
    /// For each class, a bound on the part of the mean score that lies in the tails that were cut off.
    pub mean_tail: [f64; 2],
    /// The direction of the ROC curve in the limit at an infinite left and right end.
    pub limits: [Option<[f64; 2]>; 2],
    /// Whether `f1/f0` falls somewhere in the left and in the right tail, beyond all noticeable mass.
    pub tails_fall: [bool; 2],
    /// For each density, the positions of all atoms, and all other knots that floats round; none if the scores were computed.
    pub positions: Vec<Arc<[Constant]>>,
    /// Mass whose scores are not resolved; none if the scores were computed.
    pub leftovers: Vec<Leftover>,
}

/// Mass between a singular end and the scores closest to it that floats can tell from it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Leftover {
    /// The scores between which the mass lies; equal if both have one float.
    pub scores: (f64, f64),
    /// The larger of the masses of both classes.
    pub mass: f64,
}

/// What is not known of the point of a curve at a threshold.
#[derive(Clone, Copy, Debug, Default)]
pub struct ThresholdDoubt {
    /// If it is positive, an atom within this distance may be on either side of the threshold.
    pub atoms: f64,
    /// A bound on the errors of `F0` and `F1` beyond those of the curve, apart from atoms.
    pub mass: f64,
}

impl Curve {
    /// Whether all scores lie in [0, 1].
    pub fn is_probabilistic(&self) -> bool {
        self.range == (0.0, 1.0)
    }

    /// The ROC curve of chance: one straight piece, both classes alike.
    pub fn diagonal() -> Curve {
        let start = Point { x: 0.0, x_complement: 1.0, below: [0.0; 2], above: [1.0; 2] };
        let end = Point { x: 1.0, x_complement: 0.0, below: [1.0; 2], above: [0.0; 2] };
        Curve {
            panels: vec![Panel::straight(start, end)],
            range: (0.0, 1.0),
            support: (0.0, 1.0),
            uncertainty: 0.0,
            score_noise: 0.0,
            mean_tail: [0.0; 2],
            limits: [None; 2],
            tails_fall: [false; 2],
            positions: Vec::new(),
            leftovers: Vec::new(),
        }
    }

    /// Which kinds of pieces the curve has, so that integrands are restricted to these only. Corners are always included.
    pub fn pieces(&self) -> Pieces {
        // Panels on which nothing moves do not count.
        let has = |piece: Piece| self.panels.iter().any(|panel| panel.piece() == piece && panel.start != panel.end);
        // Only one class has mass on a pure panel: the share of the other one is 0 at all nodes.
        let is_pure = |panel: &Panel| panel.share.iter().any(|share| share.iter().all(|value| *value == 0.0));
        Pieces { ties: has(Piece::Tie), gaps: has(Piece::Gap), corners: true, pure: self.massive().any(is_pure) }
    }

    /// The first point; that of the diagonal for a curve without panels.
    pub fn start(&self) -> Point {
        self.panels.first().map_or_else(|| Curve::diagonal().panels[0].start, |p| p.start)
    }

    /// The last point; that of the diagonal for a curve without panels.
    pub fn end(&self) -> Point {
        self.panels.last().map_or_else(|| Curve::diagonal().panels[0].end, |p| p.end)
    }

    /// The panels that carry mass.
    pub fn massive(&self) -> impl DoubleEndedIterator<Item = &Panel> {
        self.panels.iter().filter(|p| p.has_mass())
    }

    /// The point of the threshold `t`: the last one whose score is at most `t`, so that atoms at `t` lie below it.
    pub fn at_score(&self, t: f64) -> Point {
        // The first panel that starts above `t`; the one before it holds the point.
        let after = self.panels.partition_point(|p| p.start.x <= t);
        if after == 0 {
            return Point { x: t, x_complement: 1.0 - t, below: [0.0; 2], above: [1.0; 2] };
        }
        let panel = &self.panels[after - 1];
        if panel.end.x <= t {
            return panel.end;
        }
        let mut point = panel.at(parameter(panel, t));
        // The parameter is rounded; the score is known exactly.
        (point.x, point.x_complement) = (t, 1.0 - t);
        point
    }

    /// What rounding hides of the point at a threshold: threshold and knots are the floats closest to what the user wrote, and scores next to
    /// a singular end may have one float.
    pub fn doubt_at(&self, threshold: &Constant) -> ThresholdDoubt {
        let t = threshold.value;
        let positions = || self.positions.iter().flat_map(|positions| positions.iter());
        let has_rounded_knots = positions().any(|position| position.rounding() > 0.0);
        let is_exact = self.score_noise == 0.0 && threshold.rounding() == 0.0 && !has_rounded_knots;
        // At and beyond the last score nothing lies above.
        if is_exact && self.end().x <= t {
            return ThresholdDoubt::default();
        }
        // At least the distance to the next float: nearby knots are not off by more.
        let step = if is_exact { 0.0 } else { t.abs() * f64::EPSILON + f64::from_bits(1) + threshold.rounding() };
        // Floats are in the order of the numbers. Only a knot with the float of the threshold may be on its other side, and it is not if
        // both are the same number.
        let is_doubtful = |position: &Constant| position.value == t && position != threshold;
        let atoms = if positions().any(is_doubtful) { self.score_noise.max(step) } else { self.score_noise };
        let is_around = |leftover: &&Leftover| {
            let (from, to) = leftover.scores;
            (from < t + step && t - step < to) || (from == to && from == t)
        };
        let unresolved: f64 = self.leftovers.iter().filter(is_around).map(|leftover| leftover.mass).sum();
        ThresholdDoubt { atoms, mass: self.largest_mass_between(t - step, t + step) + unresolved }
    }

    /// The larger of the masses of both classes between two scores, without atoms. A panel whose scores all have one float counts as a whole.
    fn largest_mass_between(&self, lo: f64, hi: f64) -> f64 {
        let mut mass = [0.0; 2];
        let first = self.panels.partition_point(|p| p.end.x < lo);
        let is_between = |panel: &&Panel| panel.has_mass() && panel.piece() != Piece::Tie;
        for panel in self.panels[first..].iter().take_while(|p| p.start.x <= hi).filter(is_between) {
            let from = if panel.start.x < lo { panel.at(parameter(panel, lo)) } else { panel.start };
            let to = if hi < panel.end.x { panel.at(parameter(panel, hi)) } else { panel.end };
            let increments = from.increments(&to);
            mass = [0, 1].map(|k| mass[k] + increments[k]);
        }
        mass[0].max(mass[1])
    }

    /// The point at which the rate `π0 F0 + π1 F1` is `r`: inside an atom where the rate jumps past `r`, and in the middle of a plateau
    /// where the rate stays at `r`.
    pub fn at_rate(&self, r: f64, pi0: f64) -> Point {
        // The first panel whose rate reaches `r`.
        let index = self.panels.partition_point(|p| p.end.rate(pi0) < r);
        let Some(panel) = self.panels.get(index) else { return self.end() };
        if panel.start.rate(pi0) >= r {
            return self.middle_of_plateau(panel.start, index, r, pi0);
        }
        if panel.end.rate(pi0) == r {
            return self.middle_of_plateau(panel.end, index + 1, r, pi0);
        }
        panel.at(invert(panel, |p| p.rate(pi0) - r))
    }

    /// The middle of the plateau at the rate `r` that begins at `start`, the first point of the panel with the given index. It reaches to
    /// the end of the last panel whose rate does not exceed `r`; if there is none, the middle is `start` itself.
    fn middle_of_plateau(&self, start: Point, index: usize, r: f64, pi0: f64) -> Point {
        let last = self.panels[index..].iter().take_while(|p| p.end.rate(pi0) <= r).last();
        last.map_or(start, |last| start.toward(&last.end, 0.5))
    }

    /// The corners of the ROC curve, each with the index of the panel after it.
    ///
    /// A corner lies between two panels with mass whose directions differ. The first and last corner connect the curve with the posteriors
    /// 0 (direction `[1, 0]`) and 1 (direction `[0, 1]`), unless it starts or ends in that direction. So the posterior runs from 0 to 1
    /// without a jump.
    pub fn corners(&self, proportions: (f64, f64)) -> Vec<(usize, Corner)> {
        let mut corners = Vec::new();
        let mut direction = [1.0, 0.0];
        let mut add_if_turned = |index: usize, at: Point, from: [f64; 2], to: [f64; 2]| {
            if to != from {
                let [from, to] = [from, to].map(|shares| posterior(shares, proportions));
                corners.push((index, Corner { at, from, to }));
            }
        };
        for (index, panel) in self.panels.iter().enumerate().filter(|(_, p)| p.has_mass()) {
            add_if_turned(index, panel.start, direction, panel.start_share);
            direction = panel.end_share;
        }
        add_if_turned(self.panels.len(), self.end(), direction, [0.0, 1.0]);
        corners
    }

    /// A copy without panels: range, support and error bounds only.
    pub(crate) fn without_panels(&self) -> Curve {
        let (positions, leftovers) = (self.positions.clone(), self.leftovers.clone());
        Curve { panels: Vec::new(), positions, leftovers, ..*self }
    }
}

/// The parameter of a score on a panel: computed from the coordinate, if there is one, else by inversion.
fn parameter(panel: &Panel, x: f64) -> f64 {
    panel.path.map_or_else(|| invert(panel, |p| p.x - x), |path| path.parameter(x))
}

/// The parameter in [0, 1] at which `f` is zero. `f` must not fall along the panel, and must be linear in the parameter on a straight one.
fn invert(panel: &Panel, f: impl Fn(&Point) -> f64) -> f64 {
    if panel.motion == Motion::Arc {
        return root_in_bracket(0.0, 1.0, |u| f(&panel.at(u)));
    }
    let (first, last) = (f(&panel.start), f(&panel.end));
    if last > first { (-first / (last - first)).clamp(0.0, 1.0) } else { 1.0 }
}
