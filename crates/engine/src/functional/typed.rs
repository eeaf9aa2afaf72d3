//! How sure one can be of the integral of an expression that a user typed: nobody has looked at how errors carry over to it.

use super::along::{SENSITIVITY, UNRESOLVED};
use super::group::{Group, Origin};
use super::program::{Environment, Inputs, Registers};
use super::rough::{self, Doubt};
use crate::calculus::panel::{Motion, Panel};
use crate::calculus::rule::NODES;
use crate::model::Curve;

/// What is gathered of expressions that a user typed: nobody has looked at how errors carry over to them.
pub(super) struct UserIntegrands {
    doubt: Doubt,
    /// What rounding and inexact inputs may add to each integral.
    noise: Vec<f64>,
    /// The largest share of an integral in the mass of both classes.
    share: Vec<f64>,
    /// What lies on panels that were not resolved.
    pub(super) unresolved: Vec<f64>,
}

/// Scores beyond which there is nothing to notice weigh this much more than their mean does, at most, unless they weigh far more.
const BEYOND_TAIL: f64 = 16.0;
/// What an integral that converges may have left where it is not resolved, or in tails that were cut off.
const LEFT: f64 = 1e-6;

impl UserIntegrands {
    pub(super) fn new(group: &Group, curve: &Curve) -> Option<UserIntegrands> {
        let none = vec![0.0; group.len()];
        let doubt = Doubt { mass: curve.uncertainty, score: curve.score_noise };
        let any = group.origins.contains(&Origin::Typed);
        any.then(|| UserIntegrands { doubt, noise: none.clone(), share: none.clone(), unresolved: none })
    }

    /// For each integral, what it may be off by over a panel, and its largest share in the mass there.
    pub(super) fn noise(&self, panel: &Panel, group: &Group, view: &Environment) -> Vec<(f64, f64)> {
        let mut found = vec![(0.0, 0.0); group.len()];
        let program = &group.on(panel.piece()).program;
        let step = if panel.motion == Motion::Arc { 5 } else { 10 };
        for i in (0..NODES).step_by(step) {
            let mass = panel.rate[0][i] + panel.rate[1][i];
            let all = rough::at_node(program, panel, i, view, self.doubt, false);
            let of_mass = if panel.has_mass() && mass > 0.0 {
                rough::at_node(program, panel, i, view, self.doubt, true)
            } else {
                Vec::new()
            };
            for (k, (noise, share)) in found.iter_mut().enumerate() {
                *noise = f64::max(*noise, all[k].error);
                *share = of_mass.get(k).map_or(*share, |of| f64::max(*share, of.value.abs() / mass));
            }
        }
        found
    }

    pub(super) fn add(&mut self, found: Vec<(f64, f64)>) {
        for (k, (noise, share)) in found.into_iter().enumerate() {
            self.noise[k] += noise;
            self.share[k] = self.share[k].max(share);
        }
    }

    /// How far an integral may be off besides its defect; infinite if it may not converge.
    pub(super) fn doubt(&self, k: usize, value: f64, curve: &Curve, group: &Group, view: &Environment) -> f64 {
        let left = self.unresolved[k] + self.tail(k, curve, group, view);
        if left > LEFT * (1.0 + value.abs()) {
            return f64::INFINITY;
        }
        // Mass that is known to be somewhere, but not where, counts with its largest share.
        self.noise[k] + SENSITIVITY * curve.uncertainty * self.share[k] + UNRESOLVED * left
    }

    /// What the tails that were cut off may add, if there are any.
    fn tail(&self, k: usize, curve: &Curve, group: &Group, view: &Environment) -> f64 {
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
            let [all, of_mass] = [false, true].map(|m| rough::at_node(program, panel, i, view, self.doubt, m)[k]);
            let (mass, reach) = (panel.rate[0][i] + panel.rate[1][i], panel.x[i].abs().max(1.0));
            // Per unit of the score, as far as it has come already; per unit of what the mean score lacks.
            let by_score = (all.value - of_mass.value).abs() / panel.dx[i].abs() * reach;
            let by_mass = of_mass.value.abs() / mass / reach * (curve.mean_tail[0] + curve.mean_tail[1]);
            let by_mass = if mass > 0.0 && degree > 0 { by_mass } else { 0.0 };
            BEYOND_TAIL * (if by_score.is_nan() { 0.0 } else { by_score } + by_mass)
        };
        ends.into_iter().zip(infinite).filter(|(_, infinite)| *infinite).map(|(end, _)| of_end(end)).sum()
    }
}

/// How fast an integral grows with the posterior along a panel, at most.
pub(super) fn largest_rate(group: &Group, k: usize, panel: &Panel, view: &Environment) -> f64 {
    let mut still = panel.clone();
    (still.dx, still.turn) = ([0.0; NODES], [1.0; NODES]);
    still.rate = [[0.0; NODES]; 2];
    let (mut registers, program) = (Registers::default(), &group.on(panel.piece()).program);
    program.run(&Inputs::of(&still), view, &mut registers);
    let way = group.posterior.map_or([1.0; NODES], |dc| *program.output(dc, &registers));
    let rates = program.output(k, &registers).iter().zip(way).map(|(value, dc)| (value / dc).abs());
    rates.fold(0.0, f64::max)
}
