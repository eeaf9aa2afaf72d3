//! The curve of a model, sampled: a chain of panels from `(l, 0, 0)` to `(h, 1, 1)`.

use crate::calculus::panel::{Corner, Motion, Panel, Point, posterior};
use crate::calculus::root::root_in_bracket;
use rocproof_language::meaning::{Piece, Pieces};

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
    /// How far the scores may be off by having been computed (by `Even` or `Cal`); 0 where they are the user's own.
    pub score_noise: f64,
    /// Bounds on what the tails that were cut off would add to the mean scores.
    pub mean_tail: [f64; 2],
    /// The direction of the ROC curve in the limit at an infinite left and right end.
    pub limits: [Option<[f64; 2]>; 2],
    /// Whether the direction falls in the left and right tail beyond all noticeable mass.
    pub tails_fall: [bool; 2],
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
        }
    }

    /// The kinds of pieces of the curve.
    pub fn pieces(&self) -> Pieces {
        let has = |piece: Piece| self.panels.iter().any(|panel| panel.piece() == piece && panel.start != panel.end);
        let is_pure = |panel: &Panel| panel.share.iter().any(|share| share.iter().all(|q| *q == 0.0));
        Pieces { ties: has(Piece::Tie), gaps: has(Piece::Gap), corners: true, pure: self.massive().any(is_pure) }
    }

    /// The first point.
    pub fn start(&self) -> Point {
        self.panels.first().map_or_else(|| Curve::diagonal().panels[0].start, |p| p.start)
    }

    /// The last point.
    pub fn end(&self) -> Point {
        self.panels.last().map_or_else(|| Curve::diagonal().panels[0].end, |p| p.end)
    }

    /// The panels that carry mass.
    pub fn massive(&self) -> impl DoubleEndedIterator<Item = &Panel> {
        self.panels.iter().filter(|p| p.has_mass())
    }

    /// The last point whose score is at most `t`: what the threshold `t` selects.
    pub fn at_score(&self, t: f64) -> Point {
        let after = self.panels.partition_point(|p| p.start.x <= t);
        if after == 0 {
            return Point { x: t, x_complement: 1.0 - t, below: [0.0; 2], above: [1.0; 2] };
        }
        let panel = &self.panels[after - 1];
        if panel.end.x <= t {
            return panel.end;
        }
        let u = panel.path.map_or_else(|| invert(panel, |p| p.x - t), |path| path.parameter(t));
        let mut point = panel.at(u);
        (point.x, point.x_complement) = (t, 1.0 - t);
        point
    }

    /// The point where the predicted positive rate is `r`: on the way through an atom if need be, and in the middle of a
    /// gap if there is one.
    pub fn at_rate(&self, r: f64, pi0: f64) -> Point {
        let after = self.panels.partition_point(|p| p.end.rate(pi0) < r);
        let Some(panel) = self.panels.get(after) else { return self.end() };
        if panel.start.rate(pi0) >= r {
            // A plateau at exactly this rate: from here to the last panel that does not rise above it.
            let until = self.panels[after..].iter().take_while(|p| p.end.rate(pi0) <= r).last();
            return until.map_or(panel.start, |p| panel.start.toward(&p.end, 0.5));
        }
        if panel.end.rate(pi0) == r {
            let plateau = self.panels[after + 1..].iter().take_while(|p| p.end.rate(pi0) <= r).last();
            return plateau.map_or(panel.end, |p| panel.end.toward(&p.end, 0.5));
        }
        panel.at(invert(panel, |p| p.rate(pi0) - r))
    }

    /// The corners of the ROC curve, each with the index of the panel it stands before.
    ///
    /// With them the posterior runs from 0 to 1 without a jump: there is one between two massive panels whose directions
    /// differ, and one at each end of the curve.
    pub fn corners(&self, proportions: (f64, f64)) -> Vec<(usize, Corner)> {
        let mut corners = Vec::new();
        let mut direction = [1.0, 0.0];
        let mut turn = |index: usize, at: Point, to: [f64; 2], direction: [f64; 2]| {
            if to != direction {
                let [from, to] = [direction, to].map(|q| posterior(q, proportions));
                corners.push((index, Corner { at, from, to }));
            }
        };
        for (index, panel) in self.panels.iter().enumerate().filter(|(_, p)| p.has_mass()) {
            turn(index, panel.start, panel.start_share, direction);
            direction = panel.end_share;
        }
        turn(self.panels.len(), self.end(), [0.0, 1.0], direction);
        corners
    }

    /// A copy without panels.
    pub(crate) fn clone_frame(&self) -> Curve {
        Curve { panels: Vec::new(), ..*self }
    }
}

/// The parameter at which a function that grows along the panel is zero.
fn invert(panel: &Panel, f: impl Fn(&Point) -> f64) -> f64 {
    if panel.motion == Motion::Arc {
        return root_in_bracket(0.0, 1.0, |u| f(&panel.at(u)));
    }
    let (a, b) = (f(&panel.start), f(&panel.end));
    if b > a { (-a / (b - a)).clamp(0.0, 1.0) } else { 1.0 }
}
