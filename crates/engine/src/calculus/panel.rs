//! Panels: parts of a curve, sampled at the nodes of the rule.
//!
//! A numeric curve is a chain of panels. A panel has a parameter `u` from 0 to 1 and, as polynomials in `u` given by their node values,
//! everything that functionals read: the score, both distribution functions with their complements, their rates, and the direction of
//! the ROC curve. So a curve can be cut, relabelled and pooled without going back to its densities.

use super::coordinate::{ArcScore, Coordinate};
use super::rule::{Lane, NODES, RULE, dot};
use rocproof_language::meaning::Piece;

/// The coordinates that move along a panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motion {
    /// A smooth arc: the direction of the ROC curve changes.
    Arc,
    /// A straight piece of the ROC curve; an atom if the score is constant.
    Straight,
    /// Only the score moves.
    Gap,
    /// Only the direction moves: a corner of the ROC curve.
    Corner,
}

/// A point of the curve. `below` is `F`, `above` is `1 - F`; index 0 and 1 are the classes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// The score.
    pub x: f64,
    /// One minus the score.
    pub x_complement: f64,
    /// `F0`, `F1`.
    pub below: [f64; 2],
    /// `1 - F0`, `1 - F1`.
    pub above: [f64; 2],
}

impl Point {
    /// The predicted positive rate `R = π0 F0 + π1 F1`.
    pub fn rate(&self, pi0: f64) -> f64 {
        pi0 * self.below[0] + (1.0 - pi0) * self.below[1]
    }

    /// The point a fraction `u` of the way to `other` along a straight line.
    pub fn toward(&self, other: &Point, u: f64) -> Point {
        let mix = |a: f64, b: f64| if a == b { a } else { (1.0 - u) * a + u * b };
        Point {
            x: mix(self.x, other.x),
            x_complement: mix(self.x_complement, other.x_complement),
            below: std::array::from_fn(|k| mix(self.below[k], other.below[k])),
            above: std::array::from_fn(|k| mix(self.above[k], other.above[k])),
        }
    }

    /// The increments of `F0` and `F1` from here to `later`, taken on the side where less cancels.
    pub fn increments(&self, later: &Point) -> [f64; 2] {
        std::array::from_fn(|k| {
            let by_below = later.below[k] - self.below[k];
            let by_above = self.above[k] - later.above[k];
            if later.below[k] < self.above[k] { by_below } else { by_above }.max(0.0)
        })
    }
}

/// A part of a curve, sampled at the nodes.
#[derive(Clone, Debug)]
pub struct Panel {
    /// The coordinates that move.
    pub motion: Motion,
    /// The score.
    pub x: Lane,
    /// One minus the score.
    pub x_complement: Lane,
    /// `dx/du`.
    pub dx: Lane,
    /// `F0`, `F1`.
    pub below: [Lane; 2],
    /// `1 - F0`, `1 - F1`.
    pub above: [Lane; 2],
    /// `dF0/du`, `dF1/du`.
    pub rate: [Lane; 2],
    /// The direction of the ROC curve as the shares of `dF0` and `dF1` in `dF0 + dF1`.
    pub share: [Lane; 2],
    /// `d share₁/du`.
    pub turn: Lane,
    /// The first point.
    pub start: Point,
    /// The last point.
    pub end: Point,
    /// The shares at the first point.
    pub start_share: [f64; 2],
    /// The shares at the last point.
    pub end_share: [f64; 2],
    /// A bound on the interpolation error of the shares and of their turn.
    pub noise: f64,
    /// Whether sampling could not resolve it; halving it then gains nothing.
    pub unresolved: bool,
    /// The coordinate that gives the exact score, and its values at both ends, if there is one.
    pub path: Option<CoordinateRange>,
}

/// A range of an arc's coordinate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CoordinateRange {
    /// The coordinate.
    pub coordinate: Coordinate,
    /// Its value at the start.
    pub from: f64,
    /// Its value at the end.
    pub to: f64,
}

/// The score at a parameter of a panel.
struct PanelScore {
    x: f64,
    x_complement: f64,
    /// `dx/du`.
    dx: f64,
}

impl CoordinateRange {
    /// The score at parameter `u` from 0 to 1. On an arc that ends at 1, one minus the score is the exact distance to the end.
    fn score(&self, u: f64) -> PanelScore {
        let ArcScore { x, right, dx, .. } = self.coordinate.place((1.0 - u) * self.from + u * self.to);
        let x_complement = if self.coordinate.ends().1 == 1.0 { right } else { 1.0 - x };
        PanelScore { x, x_complement, dx: dx * (self.to - self.from) }
    }

    /// The parameter of a score in the range.
    pub fn parameter(&self, x: f64) -> f64 {
        ((self.coordinate.of(x) - self.from) / (self.to - self.from)).clamp(0.0, 1.0)
    }

    /// The range between two parameters.
    fn part(&self, u0: f64, u1: f64) -> CoordinateRange {
        let at = |u: f64| (1.0 - u) * self.from + u * self.to;
        CoordinateRange { from: at(u0), to: at(u1), ..*self }
    }
}

impl Panel {
    /// A straight piece from `start` to `end`; a gap if no mass lies on it.
    pub fn straight(start: Point, end: Point) -> Panel {
        Panel::straight_with_mass(start, end, start.increments(&end))
    }

    /// A straight piece with given masses, which may be more accurate than the differences of its ends.
    pub(crate) fn straight_with_mass(start: Point, end: Point, [d0, d1]: [f64; 2]) -> Panel {
        let share = if d0 + d1 > 0.0 { [d0 / (d0 + d1), d1 / (d0 + d1)] } else { [0.5, 0.5] };
        // A coordinate at the nodes: linear between its values at the ends.
        let along = |pick: &dyn Fn(&Point) -> f64| -> Lane {
            let (a, b) = (pick(&start), pick(&end));
            if a == b {
                return [a; NODES];
            }
            std::array::from_fn(|i| RULE.complements[i] * a + RULE.nodes[i] * b)
        };
        // Near 1 the complement is more accurate, near 0 the score.
        let dx = if start.x.abs() < start.x_complement.abs() {
            end.x - start.x
        } else {
            start.x_complement - end.x_complement
        };
        Panel {
            motion: if d0 + d1 > 0.0 { Motion::Straight } else { Motion::Gap },
            x: along(&|p| p.x),
            x_complement: along(&|p| p.x_complement),
            dx: [dx; NODES],
            below: [along(&|p| p.below[0]), along(&|p| p.below[1])],
            above: [along(&|p| p.above[0]), along(&|p| p.above[1])],
            rate: [[d0; NODES], [d1; NODES]],
            share: [[share[0]; NODES], [share[1]; NODES]],
            turn: [0.0; NODES],
            start,
            end,
            start_share: share,
            end_share: share,
            noise: 0.0,
            unresolved: false,
            path: None,
        }
    }

    /// The kind of piece of a curve.
    pub fn piece(&self) -> Piece {
        match self.motion {
            Motion::Gap => Piece::Gap,
            Motion::Corner => Piece::Corner,
            Motion::Straight if self.start.x == self.end.x => Piece::Tie,
            Motion::Straight | Motion::Arc => Piece::Arc,
        }
    }

    /// Whether mass lies on the panel.
    pub fn has_mass(&self) -> bool {
        matches!(self.motion, Motion::Arc | Motion::Straight)
    }

    /// The point at parameter `u`.
    pub fn at(&self, u: f64) -> Point {
        if u <= 0.0 {
            return self.start;
        }
        if u >= 1.0 {
            return self.end;
        }
        if self.motion != Motion::Arc {
            return self.start.toward(&self.end, u);
        }
        let weights = RULE.interpolation(u);
        // Interpolated, and clamped between the values at the ends.
        let interpolate = |lane: &Lane, a: f64, b: f64| dot(&weights, lane).max(a.min(b)).min(a.max(b));
        let (start, end) = (&self.start, &self.end);
        let (x, x_complement) = match &self.path {
            Some(path) => {
                let PanelScore { x, x_complement, .. } = path.score(u);
                (x, x_complement)
            }
            None => {
                let x_complement = interpolate(&self.x_complement, start.x_complement, end.x_complement);
                (interpolate(&self.x, start.x, end.x), x_complement)
            }
        };
        Point {
            x,
            x_complement,
            below: std::array::from_fn(|k| interpolate(&self.below[k], start.below[k], end.below[k])),
            above: std::array::from_fn(|k| interpolate(&self.above[k], start.above[k], end.above[k])),
        }
    }

    /// The direction (shares of `dF0` and `dF1`) at parameter `u`, its limit at 0 and 1.
    pub fn direction(&self, u: f64) -> [f64; 2] {
        if u <= 0.0 {
            return self.start_share;
        }
        if u >= 1.0 {
            return self.end_share;
        }
        let weights = RULE.interpolation(u);
        [0, 1].map(|k| dot(&weights, &self.share[k]).clamp(0.0, 1.0))
    }

    /// The part of the panel between the parameters `u0` and `u1`.
    pub fn part(&self, u0: f64, u1: f64) -> Panel {
        match self.motion {
            Motion::Straight | Motion::Gap => Panel::straight(self.at(u0), self.at(u1)),
            Motion::Arc | Motion::Corner => {
                // [`Corner::part`] cuts a corner evenly in the posterior; here it is cut like an arc.
                let new_node = |i: usize| u0 * RULE.complements[i] + u1 * RULE.nodes[i];
                let weights = match (u0, u1) {
                    (0.0, 0.5) => RULE.halves[0],
                    (0.5, 1.0) => RULE.halves[1],
                    _ => std::array::from_fn(|i| RULE.interpolation(new_node(i))),
                };
                let mut panel = self.resample([u0, u1], &weights, &[u1 - u0; NODES]);
                panel.path = self.path.map(|path| path.part(u0, u1));
                if let Some(path) = &panel.path {
                    // The exact scores replace the interpolated ones.
                    for i in 0..NODES {
                        let PanelScore { x, x_complement, dx } = path.score(RULE.nodes[i]);
                        (panel.x[i], panel.x_complement[i], panel.dx[i]) = (x, x_complement, dx);
                    }
                }
                panel
            }
        }
    }

    /// The panel between two parameters, resampled at new nodes in between. `weights[j]` are the weights of the node values in the value at
    /// the new node `j`, and `du[j]` is the derivative of `u` there by the new parameter.
    fn resample(&self, [u0, u1]: [f64; 2], weights: &[Lane; NODES], du: &Lane) -> Panel {
        // By columns, so that all new nodes of a lane are computed at once.
        let columns: [Lane; NODES] = std::array::from_fn(|i| std::array::from_fn(|j| weights[j][i]));
        let sampled = |lane: &Lane| -> Lane {
            let mut out = [0.0; NODES];
            for i in 0..NODES {
                for j in 0..NODES {
                    out[j] += columns[i][j] * lane[i];
                }
            }
            out
        };
        // Derivatives by the parameter, by the chain rule.
        let rate = |lane: &Lane| -> Lane {
            let lane = sampled(lane);
            std::array::from_fn(|i| lane[i] * du[i])
        };
        let share = |lane: &Lane| -> Lane { sampled(lane).map(|v| v.clamp(0.0, 1.0)) };
        Panel {
            motion: self.motion,
            x: sampled(&self.x),
            x_complement: sampled(&self.x_complement),
            dx: rate(&self.dx),
            below: [sampled(&self.below[0]), sampled(&self.below[1])],
            above: [sampled(&self.above[0]), sampled(&self.above[1])],
            rate: [rate(&self.rate[0]), rate(&self.rate[1])],
            share: [share(&self.share[0]), share(&self.share[1])],
            turn: rate(&self.turn),
            start: self.at(u0),
            end: self.at(u1),
            start_share: self.direction(u0),
            end_share: self.direction(u1),
            noise: INTERPOLATION_NOISE,
            unresolved: self.unresolved,
            path: None,
        }
    }

    /// The part between `t0` and `t1` after the substitution `u = t^power` (or `1-u = (1-t)^power` towards the end). It makes a fractional power
    /// of the score, the rate or the posterior smooth where that quantity is 0 at the start (or end).
    pub(crate) fn graded(&self, toward_end: bool, power: i32, t0: f64, t1: f64) -> Panel {
        // Distances from the singular end: `d` in t, `d^power` in u.
        let distance = |t: f64| if toward_end { 1.0 - t } else { t };
        let (d0, d1) = (distance(t0), distance(t1));
        let d: Lane = std::array::from_fn(|i| d0 * RULE.complements[i] + d1 * RULE.nodes[i]);
        let distance_in_u: Lane = d.map(|d| d.powi(power));
        let u_at = |distance: f64| if toward_end { 1.0 - distance } else { distance };
        let du = d.map(|d| (t1 - t0) * f64::from(power) * d.powi(power - 1));
        let weights: [Lane; NODES] = std::array::from_fn(|i| RULE.interpolation(u_at(distance_in_u[i])));
        let mut panel = self.resample([u_at(d0.powi(power)), u_at(d1.powi(power))], &weights, &du);
        // Near 0 the score is interpolated as slope times distance: its small digits would get lost otherwise.
        let along_slope = |x: &Lane, nodes: &Lane| -> Lane {
            let slope: Lane = std::array::from_fn(|i| x[i] / nodes[i]);
            std::array::from_fn(|i| distance_in_u[i] * dot(&weights[i], &slope))
        };
        if toward_end && self.end.x_complement == 0.0 {
            panel.x_complement = along_slope(&self.x_complement, &RULE.complements);
        } else if !toward_end && self.start.x == 0.0 {
            panel.x = along_slope(&self.x, &RULE.nodes);
        }
        panel
    }
}

/// Interpolation error of a share on a resolved panel.
const INTERPOLATION_NOISE: f64 = 1e-13;

/// A corner of the ROC curve: only the posterior moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Corner {
    /// The point of the curve.
    pub at: Point,
    /// `1 - c` and `c` before.
    pub from: [f64; 2],
    /// `1 - c` and `c` after.
    pub to: [f64; 2],
}

impl Corner {
    /// The first and the second half.
    pub(crate) fn halves(&self) -> [Corner; 2] {
        let middle = [0, 1].map(|k| (self.from[k] + self.to[k]) / 2.0);
        [Corner { to: middle, ..*self }, Corner { from: middle, ..*self }]
    }

    /// The part between the parameters `u0` and `u1` as a panel; the posterior is linear in the parameter.
    pub fn part(&self, u0: f64, u1: f64, proportions: (f64, f64)) -> Panel {
        let position = |u: f64| CornerPosition { u, complement: 1.0 - u };
        let node = |i: usize| (position(u0 * RULE.complements[i] + u1 * RULE.nodes[i]), u1 - u0);
        self.sample([u0, u1].map(position), node, proportions)
    }

    /// The part between `t0` and `t1` after the substitution of [`Panel::graded`].
    pub(crate) fn graded(&self, toward_end: bool, power: i32, t0: f64, t1: f64, proportions: (f64, f64)) -> Panel {
        // Distances from the singular end: `d` in t, `d^power` in u.
        let distance = |t: f64| if toward_end { 1.0 - t } else { t };
        let (d0, d1) = (distance(t0), distance(t1));
        let position = |distance_in_u: f64| {
            if toward_end {
                CornerPosition { u: 1.0 - distance_in_u, complement: distance_in_u }
            } else {
                CornerPosition { u: distance_in_u, complement: 1.0 - distance_in_u }
            }
        };
        let node = |i: usize| {
            let d = d0 * RULE.complements[i] + d1 * RULE.nodes[i];
            (position(d.powi(power)), (t1 - t0) * f64::from(power) * d.powi(power - 1))
        };
        self.sample([d0, d1].map(|d| position(d.powi(power))), node, proportions)
    }

    /// The panel between two positions. `node` gives the position of each node, and the derivative `du` of `u` there by the parameter of the
    /// panel.
    fn sample(
        &self,
        ends: [CornerPosition; 2],
        node: impl Fn(usize) -> (CornerPosition, f64),
        (pi0, pi1): (f64, f64),
    ) -> Panel {
        let mut panel = Panel::straight(self.at, self.at);
        panel.motion = Motion::Corner;
        // From the smaller of `c` and `1 - c`, which is more accurate.
        let dc = if self.from[1] < self.from[0] { self.to[1] - self.from[1] } else { self.from[0] - self.to[0] };
        // The inverse of `posterior`: shares are posteriors weighted by the inverse class proportions.
        let total_and_share = |CornerPosition { u, complement }: CornerPosition| {
            let c = [0, 1].map(|k| complement * self.from[k] + u * self.to[k]);
            let total = pi1 * c[0] + pi0 * c[1];
            (total, [pi1 * c[0] / total, pi0 * c[1] / total])
        };
        for i in 0..NODES {
            let (position, du) = node(i);
            let (total, share) = total_and_share(position);
            (panel.share[0][i], panel.share[1][i]) = (share[0], share[1]);
            panel.turn[i] = pi0 * pi1 * dc * du / (total * total);
        }
        [panel.start_share, panel.end_share] = ends.map(|end| total_and_share(end).1);
        panel
    }
}

/// A position between the two posteriors of a corner, from `u = 0` to `u = 1`.
#[derive(Clone, Copy)]
struct CornerPosition {
    u: f64,
    /// `1 - u`, without cancellation.
    complement: f64,
}

/// The posteriors `π0 q0 / (π0 q0 + π1 q1)` and `π1 q1 / (…)` of a direction.
pub fn posterior([q0, q1]: [f64; 2], (pi0, pi1): (f64, f64)) -> [f64; 2] {
    let total = pi0 * q0 + pi1 * q1;
    [pi0 * q0 / total, pi1 * q1 / total]
}
