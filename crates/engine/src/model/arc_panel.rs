//! One panel of an arc: densities at the nodes, distribution functions by running integrals, and an estimate of what the nodes miss.

use super::density::Component;
use crate::calculus::coordinate::{ArcScore, Places};
use crate::calculus::panel::{CoordinateRange, Motion, Panel, Point};
use crate::calculus::rule::{Lane, NODES, RULE, SHARE_OF_END, SITES, Sites, at_nodes, dot};

/// The index of the start of a panel among its sites, after the nodes.
const START: usize = NODES;
/// The index of the end of a panel among its sites.
const END: usize = NODES + 1;

/// The panel on a range of a coordinate that starts at the point `start`, for the components `active` of each class.
///
/// Also estimates, for each class, the mass that the nodes miss near the ends of the panel. Masses above are left to the caller, who knows
/// the total; here they are one minus the masses below.
pub(super) fn arc_panel(start: Point, range: CoordinateRange, active: &[Vec<&Component>; 2]) -> (Panel, [f64; 2]) {
    let CoordinateRange { coordinate, from, to } = range;
    let places = coordinate.places(from, to);
    let (log0, slope0) = class_log_density(&active[0], &places);
    let (log1, slope1) = class_log_density(&active[1], &places);
    let mut panel = Panel {
        motion: Motion::Arc,
        x: at_nodes(&places.x),
        x_complement: std::array::from_fn(|i| places.below(1.0, i)),
        dx: at_nodes(&places.dx),
        below: start.below.map(|v| [v; NODES]),
        above: [[0.0; NODES]; 2],
        rate: [[0.0; NODES]; 2],
        share: [[0.5; NODES]; 2],
        turn: [0.0; NODES],
        start,
        end: start,
        start_share: [0.5; 2],
        end_share: [0.5; 2],
        noise: 0.0,
        unresolved: false,
        path: Some(range),
    };
    for i in 0..NODES {
        let dx = places.dx[i];
        panel.rate[0][i] = mass_rate(log0[i], dx);
        panel.rate[1][i] = mass_rate(log1[i], dx);
        // Where both densities vanish, the shares stay at one half.
        if let Some([share0, share1]) = shares(log0[i], log1[i]) {
            panel.share[0][i] = share0;
            panel.share[1][i] = share1;
            // The derivative of f1/(f0 + f1) is the product of the shares times the derivative of ln(f1/f0).
            let turn = share0 * share1 * ((slope1[i] - slope0[i]) * dx);
            panel.turn[i] = if turn.is_finite() { turn } else { 0.0 };
        }
    }
    // Where both densities vanish at an end, the direction there is extrapolated from the nodes.
    let extrapolate = |weights| [0, 1].map(|k| dot(weights, &panel.share[k]).clamp(0.0, 1.0));
    let start_share = shares(log0[START], log1[START]).unwrap_or_else(|| extrapolate(&RULE.at_start));
    let end_share = shares(log0[END], log1[END]).unwrap_or_else(|| extrapolate(&RULE.at_end));
    (panel.start_share, panel.end_share) = (start_share, end_share);
    let ArcScore { x, right, .. } = coordinate.place(to);
    let x_complement = if coordinate.ends().1 == 1.0 { right } else { 1.0 - x };
    panel.end = Point { x, x_complement, below: start.below, above: [0.0; 2] };
    accumulate(&mut panel);
    let end_defect = [end_defect(&log0, &places, &panel.rate[0]), end_defect(&log1, &places, &panel.rate[1])];
    (panel, end_defect)
}

/// Adds the running integrals of the rates to the masses below, which must hold the masses at the start of the panel.
fn accumulate(panel: &mut Panel) {
    for k in 0..2 {
        // `running[i][j]` is the weight of node `i` in the integral up to node `j`.
        for i in 0..NODES {
            let rate = panel.rate[k][i];
            for j in 0..NODES {
                panel.below[k][j] += rate * RULE.running[i][j];
            }
        }
        panel.end.below[k] += dot(&RULE.kronrod, &panel.rate[k]);
        panel.above[k] = panel.below[k].map(|v| 1.0 - v);
        panel.end.above[k] = 1.0 - panel.end.below[k];
    }
}

/// An estimate of the mass of one class that the nodes miss near the ends of a panel: the difference between the mass rate at an end and
/// its extrapolation from the nodes, times the share of the panel beyond the outermost node. Ends with an infinite rate do not count.
fn end_defect(log_density: &Sites, places: &Places, rate: &Lane) -> f64 {
    let ends = [(&RULE.at_start, START), (&RULE.at_end, END)].map(|(weights, site)| {
        let rate_at_end = mass_rate(log_density[site], places.dx[site]);
        if rate_at_end.is_finite() { (dot(weights, rate) - rate_at_end).abs() * SHARE_OF_END } else { 0.0 }
    });
    ends[0].max(ends[1])
}

/// The density times `dx`, also where the density overflows and the product does not.
fn mass_rate(log_density: f64, dx: f64) -> f64 {
    let rate = log_density.exp() * dx;
    if rate.is_finite() { rate } else { (log_density + dx.ln()).exp() }
}

/// The straight piece between the ends of a panel.
pub(super) fn chord(panel: &Panel) -> Panel {
    let mass = [0, 1].map(|k| dot(&RULE.kronrod, &panel.rate[k]));
    Panel::straight_with_mass(panel.start, panel.end, mass)
}

/// The shares `f0/(f0 + f1)` and `f1/(f0 + f1)` of two densities in their sum, given their logarithms; `None` where both vanish.
pub(super) fn shares(log0: f64, log1: f64) -> Option<[f64; 2]> {
    let log_ratio = log1 - log0;
    // The ratio of the smaller density to the larger one, which cannot overflow.
    let odds = (-log_ratio.abs()).exp();
    let (smaller, larger) = (odds / (1.0 + odds), 1.0 / (1.0 + odds));
    if log_ratio.is_nan() {
        None
    } else if log_ratio > 0.0 {
        Some([smaller, larger])
    } else {
        Some([larger, smaller])
    }
}

/// `ln Σ wᵢfᵢ` and its derivative at the sites of a panel, by the log-sum-exp formula, one component after the other.
pub(super) fn class_log_density(components: &[&Component], places: &Places) -> (Sites, Sites) {
    let (mut log, mut slope) = ([f64::NEG_INFINITY; SITES], [0.0; SITES]);
    for component in components {
        let (mut component_log, mut component_slope) = ([0.0; SITES], [0.0; SITES]);
        component.density.log_density(places, &mut component_log, &mut component_slope);
        let log_weight = component.weight.ln();
        for i in 0..SITES {
            let weighted_log = component_log[i] + log_weight;
            if log[i] == f64::NEG_INFINITY {
                (log[i], slope[i]) = (weighted_log, component_slope[i]);
            } else if weighted_log > f64::NEG_INFINITY {
                // Relative to the larger of both terms, nothing overflows. The slope is the mean weighted by the terms.
                let highest = log[i].max(weighted_log);
                let (old, new) = ((log[i] - highest).exp(), (weighted_log - highest).exp());
                slope[i] = (slope[i] * old + component_slope[i] * new) / (old + new);
                log[i] = highest + (old + new).ln();
            }
        }
    }
    (log, slope)
}
