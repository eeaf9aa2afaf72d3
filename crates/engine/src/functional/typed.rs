//! Error bounds for integrals of expressions that a user typed. Unlike for the built-in definitions, it is not known in advance how errors
//! of the curve carry over to them.

use super::along::{SENSITIVITY, UNRESOLVED};
use super::group::{Group, Origin};
use super::program::{Environment, Inputs, Registers};
use super::rough::{self, CurveErrors};
use crate::calculus::panel::{Motion, Panel};
use crate::calculus::rule::NODES;
use crate::model::Curve;

/// Running error bounds for the integrals of a group; used for the expressions that a user typed.
pub(super) struct TypedErrors {
    curve_errors: CurveErrors,
    /// For each integral, a bound on the effect of rounding and inexact inputs.
    noise: Vec<f64>,
    /// For each integral, its largest integrand per unit of mass.
    share: Vec<f64>,
    /// For each integral, the absolute value on panels that were not resolved.
    pub(super) unresolved: Vec<f64>,
}

/// Safety factor for the tails that were cut off: scores there weigh more than the last sampled ones.
const TAIL_SAFETY: f64 = 16.0;
/// Largest part of a convergent integral, relative to `1 + |value|`, that may be unresolved or cut off.
const LARGEST_UNKNOWN: f64 = 1e-6;

impl TypedErrors {
    /// `None` if the user typed none of the expressions.
    pub(super) fn new(group: &Group, curve: &Curve) -> Option<TypedErrors> {
        let none = vec![0.0; group.len()];
        let curve_errors = CurveErrors { mass: curve.uncertainty, score: curve.score_noise };
        let any = group.origins.contains(&Origin::Typed);
        any.then(|| TypedErrors { curve_errors, noise: none.clone(), share: none.clone(), unresolved: none })
    }

    /// For each integral over a panel, a bound on its error and its largest integrand per unit of mass.
    pub(super) fn panel_errors(&self, panel: &Panel, group: &Group, environment: &Environment) -> Vec<(f64, f64)> {
        let mut errors = vec![(0.0, 0.0); group.len()];
        let program = &group.on(panel.piece()).program;
        // A few nodes, with the first and the last.
        let step = if panel.motion == Motion::Arc { 5 } else { 10 };
        for i in (0..NODES).step_by(step) {
            let mass = panel.rate[0][i] + panel.rate[1][i];
            let all = rough::at_node(program, panel, i, environment, self.curve_errors, false);
            let of_mass = if panel.has_mass() && mass > 0.0 {
                rough::at_node(program, panel, i, environment, self.curve_errors, true)
            } else {
                Vec::new()
            };
            for (k, (noise, share)) in errors.iter_mut().enumerate() {
                *noise = f64::max(*noise, all[k].error);
                *share = of_mass.get(k).map_or(*share, |of| f64::max(*share, of.value.abs() / mass));
            }
        }
        errors
    }

    /// Adds the errors over a panel.
    pub(super) fn add(&mut self, errors: Vec<(f64, f64)>) {
        for (k, (noise, share)) in errors.into_iter().enumerate() {
            self.noise[k] += noise;
            self.share[k] = self.share[k].max(share);
        }
    }

    /// The error of an integral besides its defect; infinite if the integral may diverge.
    pub(super) fn error(&self, k: usize, value: f64, curve: &Curve, group: &Group, environment: &Environment) -> f64 {
        let unknown = self.unresolved[k] + self.tail_bound(k, curve, group, environment);
        if unknown > LARGEST_UNKNOWN * (1.0 + value.abs()) {
            return f64::INFINITY;
        }
        // Misplaced mass counts with the largest integrand.
        self.noise[k] + SENSITIVITY * curve.uncertainty * self.share[k] + UNRESOLVED * unknown
    }

    /// A bound on the integral over the tails that were cut off.
    fn tail_bound(&self, k: usize, curve: &Curve, group: &Group, environment: &Environment) -> f64 {
        let infinite = [curve.support.0.is_infinite(), curve.support.1.is_infinite()];
        let reads_score = group.program.reads(k, &["x", "1-x", "dx"]);
        if !reads_score || infinite == [false; 2] {
            return 0.0;
        }
        let by_score = [1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        let Some(degree) = group.program.degree(k, &by_score, 0, None).and_then(|d| i32::try_from(d).ok()) else {
            return f64::INFINITY;
        };
        let ends = [(curve.panels.first(), 0), (curve.panels.last(), NODES - 1)];
        let of_end = |(panel, i): (Option<&Panel>, usize)| {
            let Some(panel) = panel else { return 0.0 };
            let program = &group.on(panel.piece()).program;
            let [all, of_mass] =
                [false, true].map(|m| rough::at_node(program, panel, i, environment, self.curve_errors, m)[k]);
            let (mass, reach) = (panel.rate[0][i] + panel.rate[1][i], panel.x[i].abs().max(1.0));
            // The integrand over the score times the reach of the tail; the integrand over mass times the missing part of the mean score.
            let by_score = (all.value - of_mass.value).abs() / panel.dx[i].abs() * reach;
            let by_mass = of_mass.value.abs() / mass / reach * (curve.mean_tail[0] + curve.mean_tail[1]);
            let by_mass = if mass > 0.0 && degree > 0 { by_mass } else { 0.0 };
            TAIL_SAFETY * (if by_score.is_nan() { 0.0 } else { by_score } + by_mass)
        };
        ends.into_iter().zip(infinite).filter(|(_, infinite)| *infinite).map(|(end, _)| of_end(end)).sum()
    }
}

/// The largest derivative of an integral with respect to the posterior along a panel.
pub(super) fn largest_rate(group: &Group, k: usize, panel: &Panel, environment: &Environment) -> f64 {
    // Only the posterior moves.
    let mut turning = panel.clone();
    (turning.dx, turning.turn) = ([0.0; NODES], [1.0; NODES]);
    turning.rate = [[0.0; NODES]; 2];
    let (mut registers, program) = (Registers::default(), &group.on(panel.piece()).program);
    program.run(&Inputs::of(&turning), environment, &mut registers);
    let posterior_rate = group.posterior.map_or([1.0; NODES], |dc| *program.output(dc, &registers));
    let rates = program.output(k, &registers).iter().zip(posterior_rate).map(|(value, dc)| (value / dc).abs());
    rates.fold(0.0, f64::max)
}
