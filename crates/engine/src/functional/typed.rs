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
    largest_per_mass: Vec<f64>,
    /// For each integral, the absolute value on panels that were not resolved.
    pub(super) unresolved: Vec<f64>,
}

/// The errors of one integral over one panel.
#[derive(Clone, Copy, Default)]
pub(super) struct TypedPanelError {
    /// A bound on the effect of rounding and inexact inputs.
    pub(super) noise: f64,
    /// The largest integrand per unit of mass.
    per_mass: f64,
}

/// Safety factor for the tails that were cut off: scores there weigh more than the last sampled ones.
const TAIL_SAFETY: f64 = 16.0;
/// Largest part of a convergent integral, relative to `1 + |value|`, that may be unresolved or cut off.
const LARGEST_UNKNOWN: f64 = 1e-6;

impl TypedErrors {
    /// Error bounds of 0, before the first panel; `None` if the user typed none of the expressions.
    pub(super) fn new(group: &Group, curve: &Curve) -> Option<TypedErrors> {
        let zeros = || vec![0.0; group.len()];
        group.origins.contains(&Origin::Typed).then(|| TypedErrors {
            curve_errors: CurveErrors { mass: curve.uncertainty, score: curve.score_noise },
            noise: zeros(),
            largest_per_mass: zeros(),
            unresolved: zeros(),
        })
    }

    /// The errors of each integral over a panel, from the errors of the integrand at a few nodes.
    pub(super) fn panel_errors(&self, panel: &Panel, group: &Group, environment: &Environment) -> Vec<TypedPanelError> {
        let mut errors = vec![TypedPanelError::default(); group.len()];
        let program = &group.on(panel.piece()).program;
        let at_node =
            |i: usize, mass_only: bool| rough::at_node(program, panel, i, environment, self.curve_errors, mass_only);
        // Both steps divide 20, so the first and the last of the 21 nodes are among these.
        let step = if panel.motion == Motion::Arc { 5 } else { 10 };
        for i in (0..NODES).step_by(step) {
            let mass = panel.rate[0][i] + panel.rate[1][i];
            let over_all = at_node(i, false);
            let over_mass = if panel.has_mass() && mass > 0.0 { at_node(i, true) } else { Vec::new() };
            for (k, error) in errors.iter_mut().enumerate() {
                error.noise = f64::max(error.noise, over_all[k].error);
                if let Some(integrand) = over_mass.get(k) {
                    error.per_mass = f64::max(error.per_mass, integrand.value.abs() / mass);
                }
            }
        }
        errors
    }

    /// Adds the errors over a panel.
    pub(super) fn add(&mut self, errors: Vec<TypedPanelError>) {
        for (k, TypedPanelError { noise, per_mass }) in errors.into_iter().enumerate() {
            self.noise[k] += noise;
            self.largest_per_mass[k] = self.largest_per_mass[k].max(per_mass);
        }
    }

    /// The error of an integral besides its defect; infinite if the integral may diverge.
    pub(super) fn error(&self, k: usize, value: f64, curve: &Curve, group: &Group, environment: &Environment) -> f64 {
        let unknown = self.unresolved[k] + self.tail_bound(k, curve, group, environment);
        if unknown > LARGEST_UNKNOWN * (1.0 + value.abs()) {
            return f64::INFINITY;
        }
        // Misplaced mass counts with the largest integrand.
        self.noise[k] + SENSITIVITY * curve.uncertainty * self.largest_per_mass[k] + UNRESOLVED * unknown
    }

    /// A bound on the integral over the tails that were cut off; infinite if the integrand is not a polynomial in the score.
    fn tail_bound(&self, k: usize, curve: &Curve, group: &Group, environment: &Environment) -> f64 {
        let is_infinite = [curve.support.0.is_infinite(), curve.support.1.is_infinite()];
        let reads_score = group.program.reads(k, &["x", "1-x", "dx"]);
        if !reads_score || is_infinite == [false; 2] {
            return 0.0;
        }
        // Degrees of the inputs in the score.
        let in_score = [1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        let Some(degree) = group.program.degree(k, &in_score, 0, None).and_then(|d| i32::try_from(d).ok()) else {
            return f64::INFINITY;
        };
        let mean_tail = curve.mean_tail[0] + curve.mean_tail[1];
        // Extrapolates from node `i`, the last one before the tail.
        let beyond_node = |panel: &Panel, i: usize| {
            let program = &group.on(panel.piece()).program;
            let [over_all, over_mass] = [false, true]
                .map(|mass_only| rough::at_node(program, panel, i, environment, self.curve_errors, mass_only)[k].value);
            let (mass, reach) = (panel.rate[0][i] + panel.rate[1][i], panel.x[i].abs().max(1.0));
            // The integrand over the score times the reach of the tail.
            let by_score = (over_all - over_mass).abs() / panel.dx[i].abs() * reach;
            let by_score = if by_score.is_nan() { 0.0 } else { by_score };
            // The integrand per unit of mass and score, times the missing part of the mean score.
            let by_mass = if mass > 0.0 && degree > 0 { over_mass.abs() / mass / reach * mean_tail } else { 0.0 };
            TAIL_SAFETY * (by_score + by_mass)
        };
        let ends = [(curve.panels.first(), 0), (curve.panels.last(), NODES - 1)];
        let infinite_ends = ends.into_iter().zip(is_infinite).filter(|(_, is_infinite)| *is_infinite);
        infinite_ends.map(|((panel, i), _)| panel.map_or(0.0, |panel| beyond_node(panel, i))).sum()
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
    // Without an output for `dc`, it is taken as 1.
    let posterior_rate = group.posterior.map_or([1.0; NODES], |dc| *program.output(dc, &registers));
    let rates = program.output(k, &registers).iter().zip(posterior_rate).map(|(value, dc)| (value / dc).abs());
    rates.fold(0.0, f64::max)
}
