//! Score transforms, from curve to curve. `Conv` takes the upper hull, `Even` relabels scores by the predicted positive rate, `Cal` relabels
//! the hull by its posterior.
//!
//! | file | what it does |
//! | --- | --- |
//! | `hull`, `exact_hull`, `certified_hull` | the upper hull of a curve, at each level |
//! | `tangent`, `tangent_system` | exact points of tangency |
//! | `exact`, `certified` | the transforms at these levels; the numeric ones stand here |
//! | `intervals` | the paper's bijective, constant and singular intervals |

pub(crate) mod certified;
pub(crate) mod certified_hull;
pub(crate) mod exact;
pub mod exact_hull;
mod hull;
pub mod intervals;
mod tangent;
mod tangent_system;

pub(crate) use hull::convexity;
pub use hull::{NonHullInterval, convexify, non_hull_intervals};
pub use intervals::{IntervalKind, ScoreInterval, intervals, intervals_of_hull};

use crate::calculus::panel::{Corner, Panel, Point, posterior};
use crate::calculus::rule::{Lane, NODES};
use crate::model::{Curve, Transform};

/// Applies a transform to a curve, for given class proportions.
pub fn apply(curve: &Curve, transform: Transform, (pi0, pi1): (f64, f64)) -> Curve {
    match transform {
        Transform::Conv => conv(curve),
        Transform::Cal => cal(curve, pi0, pi1),
        Transform::Even => even(curve, pi0, pi1),
    }
}

/// `Conv(m)`: the ROC curve is replaced by its upper hull; on each non-hull interval the densities become constant.
///
/// An interval of infinite length cannot carry a constant density: it becomes an atom at its finite end.
pub fn conv(curve: &Curve) -> Curve {
    convexify(curve, &non_hull_intervals(curve))
}

/// `Even(m)`: the score becomes the predicted positive rate, `x := R`.
pub fn even(curve: &Curve, pi0: f64, pi1: f64) -> Curve {
    let mix = |classes: [f64; 2]| pi0 * classes[0] + pi1 * classes[1];
    let relabel = |panel: &Panel| {
        let lane = |lanes: &[Lane; 2]| -> Lane { std::array::from_fn(|i| mix([lanes[0][i], lanes[1][i]])) };
        let point = |p: Point| Point { x: mix(p.below), x_complement: mix(p.above), ..p };
        Panel {
            x: lane(&panel.below),
            x_complement: lane(&panel.above),
            dx: lane(&panel.rate),
            start: point(panel.start),
            end: point(panel.end),
            path: None,
            ..panel.clone()
        }
    };
    let panels = curve.massive().map(relabel).collect();
    Curve { panels, support: (0.0, 1.0), ..with_computed_scores(curve) }
}

/// `Cal(m)`: along the hull the score becomes the posterior, `x := c`. A straight piece becomes an atom, a corner a gap.
pub fn cal(curve: &Curve, pi0: f64, pi1: f64) -> Curve {
    let label = |p: Point, [complement, c]: [f64; 2]| Point { x: c, x_complement: complement, ..p };
    let gap = |corner: &Corner| Panel::straight(label(corner.at, corner.from), label(corner.at, corner.to));
    let relabel = |panel: &Panel| {
        // `1 - c` and `c` at each node.
        let posteriors: [[f64; 2]; NODES] =
            std::array::from_fn(|i| posterior([panel.share[0][i], panel.share[1][i]], (pi0, pi1)));
        // dc = π0 π1 dq1/(π0 q0 + π1 q1)² for the shares q0 and q1.
        let dx = std::array::from_fn(|i| {
            let total = pi0 * panel.share[0][i] + pi1 * panel.share[1][i];
            pi0 * pi1 * panel.turn[i] / (total * total)
        });
        Panel {
            x: posteriors.map(|[_, c]| c),
            x_complement: posteriors.map(|[complement, _]| complement),
            dx,
            start: label(panel.start, posterior(panel.start_share, (pi0, pi1))),
            end: label(panel.end, posterior(panel.end_share, (pi0, pi1))),
            path: None,
            ..panel.clone()
        }
    };
    let hull = conv(curve);
    let mut corners = hull.corners((pi0, pi1)).into_iter().peekable();
    let mut panels: Vec<Panel> = Vec::with_capacity(hull.panels.len() + 8);
    // Each corner comes with the index of the panel after it.
    for (index, panel) in hull.panels.iter().enumerate().filter(|(_, p)| p.has_mass()) {
        panels.extend(corners.next_if(|(next_panel, _)| *next_panel == index).map(|(_, corner)| gap(&corner)));
        panels.push(relabel(panel));
    }
    panels.extend(corners.map(|(_, corner)| gap(&corner)));
    let massive = || panels.iter().filter(|p| p.has_mass());
    let support = (massive().next().map_or(0.0, |p| p.start.x), massive().next_back().map_or(1.0, |p| p.end.x));
    Curve { panels, support, ..with_computed_scores(&hull) }
}

/// The curve without panels, for scores that were computed from another curve's: probabilities with rounding noise.
fn with_computed_scores(curve: &Curve) -> Curve {
    let score_noise = 4.0 * curve.uncertainty + 1e-14;
    let (positions, leftovers) = (Vec::new(), Vec::new());
    Curve {
        range: (0.0, 1.0),
        limits: [None; 2],
        score_noise,
        mean_tail: [0.0; 2],
        positions,
        leftovers,
        ..curve.without_panels()
    }
}
