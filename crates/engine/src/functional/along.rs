//! Integrals of a group of definitions along a sampled curve: Gauss-Kronrod on each panel, halved until every integral is resolved.

use super::group::{Group, Origin};
use super::program::{Environment, Inputs, PanelIntegral, Registers};
use super::typed::{TypedErrors, largest_rate};
use crate::calculus::Estimate;
use crate::calculus::panel::{Corner, Motion, Panel, posterior};
use crate::model::Curve;

/// Factor by which an error of `F0` or `F1` may be magnified in a functional: `Q` has slope at most 2 in each.
pub const SENSITIVITY: f64 = 4.0;
/// Largest number of panels in one integration; after that, panels are accepted as they are and their defect enters the error.
const MOST_PANELS: usize = 10_000;
/// Safety factor for the defect of a panel that is not resolved: there both rules may fail alike.
pub(crate) const UNRESOLVED: f64 = 8.0;
/// Largest number of halvings of a panel.
const MOST_HALVINGS: u32 = 50;

/// The integrals of a group along a curve and the given corners.
pub fn along(curve: &Curve, corners: &[(usize, Corner)], group: &Group, environment: &Environment) -> Vec<Estimate> {
    let mut integration = Integration {
        group,
        environment,
        typed: TypedErrors::new(group, curve),
        registers: Registers::default(),
        sums: vec![PanelIntegral { value: 0.0, defect: 0.0, magnitude: 0.0 }; group.len()],
        integrals: Vec::with_capacity(group.len()),
        pending: Vec::new(),
        budget: MOST_PANELS,
    };
    for panel in &curve.panels {
        match singular_end(panel, environment) {
            None => integration.add(panel),
            // Both ends may be singular: each half has one.
            Some(_) => {
                for half in [panel.part(0.0, 0.5), panel.part(0.5, 1.0)] {
                    match singular_end(&half, environment) {
                        None => integration.add(&half),
                        Some(toward_end) => integration.add_graded(&half, toward_end),
                    }
                }
            }
        }
    }
    corners.iter().for_each(|(_, corner)| integration.add_corner(corner));
    let rounding = 8.0 * f64::EPSILON + environment.cost.rounding();
    let typed = integration.typed.as_ref();
    let estimate = |(k, PanelIntegral { value, defect, magnitude }): (usize, PanelIntegral)| {
        let error = match typed.filter(|_| group.origins[k] == Origin::Typed) {
            Some(typed) => typed.error(k, value, curve, group, environment),
            None => SENSITIVITY * curve.uncertainty,
        };
        Estimate { value, error: defect + rounding * magnitude + error }
    };
    integration.sums.into_iter().enumerate().map(estimate).collect()
}

/// The running sums of the integrals of a group along a curve.
struct Integration<'a> {
    group: &'a Group,
    environment: &'a Environment<'a>,
    /// The error bounds of expressions that a user typed, if there are any.
    typed: Option<TypedErrors>,
    registers: Registers,
    /// The sum over the panels so far, for each integral.
    sums: Vec<PanelIntegral>,
    /// The integrals over the current panel.
    integrals: Vec<PanelIntegral>,
    /// Panels still to be integrated, each with its number of halvings.
    pending: Vec<(Panel, u32)>,
    /// The number of panels left before panels are accepted as they are.
    budget: usize,
}

impl Integration<'_> {
    /// Adds a panel, in halves where it is not resolved.
    fn add(&mut self, panel: &Panel) {
        self.add_or_halve(panel, 0);
        while let Some((panel, halvings)) = self.pending.pop() {
            self.add_or_halve(&panel, halvings);
        }
    }

    /// Adds a panel, or puts its halves on the list of pending panels.
    fn add_or_halve(&mut self, panel: &Panel, halvings: u32) {
        // Halving a panel that sampling could not resolve gains nothing.
        if !self.try_add(panel, halvings == MOST_HALVINGS || panel.unresolved) {
            self.pending.push((panel.part(0.5, 1.0), halvings + 1));
            self.pending.push((panel.part(0.0, 0.5), halvings + 1));
        }
    }

    /// Adds a corner, parametrised linearly in the posterior.
    fn add_corner(&mut self, corner: &Corner) {
        let proportions = (self.environment.pi0, self.environment.pi1);
        let [a, b] = self.environment.cost.exponents().map(|p| p.fract() != 0.0);
        let singular = [a && corner.from[1] == 0.0, b && corner.to[0] == 0.0];
        for (half, singular) in corner.halves().into_iter().zip(singular) {
            if singular {
                let toward_end = half.to == corner.to;
                let power = self.grading_power(toward_end);
                self.add_bisected(|t0, t1| half.graded(toward_end, power, t0, t1, proportions));
            } else {
                self.add_bisected(|u0, u1| half.part(u0, u1, proportions));
            }
        }
    }

    /// Adds a panel with a singular density of costs at its start or end.
    fn add_graded(&mut self, panel: &Panel, toward_end: bool) {
        let power = self.grading_power(toward_end);
        self.add_bisected(|t0, t1| panel.graded(toward_end, power, t0, t1));
    }

    /// The power of the substitution `u = t^power` that makes the density of costs smooth at 0 (or at 1).
    fn grading_power(&self, toward_end: bool) -> i32 {
        let exponent = self.environment.cost.exponents()[usize::from(toward_end)];
        (8.0 / exponent.min(1.0)).ceil() as i32
    }

    /// Adds a panel given by its parts between two parameters, bisected where it is not resolved.
    fn add_bisected(&mut self, part: impl Fn(f64, f64) -> Panel) {
        let mut pending = vec![(0.0, 1.0, 0)];
        while let Some((t0, t1, halvings)) = pending.pop() {
            if !self.try_add(&part(t0, t1), halvings == MOST_HALVINGS) {
                let middle = t0 + (t1 - t0) / 2.0;
                pending.extend([(middle, t1, halvings + 1), (t0, middle, halvings + 1)]);
            }
        }
    }

    /// Adds to the errors of integrals over the posterior: the change of posterior missed between the nodes, times a bound on the integrand.
    fn add_missed_posterior(&mut self, panel: &Panel) {
        let Some(missed) = self.group.posterior_missed_between_nodes(panel, self.environment, &self.registers) else {
            return;
        };
        let [from, to] =
            [panel.start_share, panel.end_share].map(|q| posterior(q, (self.environment.pi0, self.environment.pi1)));
        let [complement, c] = [0, 1].map(|i| (from[i] + to[i]) / 2.0);
        // Bound the loss by the largest value of each of its factors.
        let (Environment { pi0, pi1, .. }, start, end) = (self.environment, &panel.start, &panel.end);
        let most = 2.0 * (to[1].max(from[1]) * pi0 * start.above[0] + from[0].max(to[0]) * pi1 * end.below[1]);
        for k in (0..self.sums.len()).filter(|k| self.group.turns[*k]) {
            self.sums[k].defect += match self.group.origins[k] {
                Origin::Typed => missed * largest_rate(self.group, k, panel, self.environment),
                _ => missed * most * self.environment.cost.density(c, complement),
            };
        }
    }

    /// Adds the integrals over a panel if they are resolved, or if they `must` be added. Returns whether they were added.
    fn try_add(&mut self, panel: &Panel, must: bool) -> bool {
        let must = must || self.budget == 0;
        self.budget = self.budget.saturating_sub(1);
        if !must && may_miss_costs(panel, self.environment) {
            return false;
        }
        let restricted = self.group.on(panel.piece());
        if restricted.is_nothing() {
            return true;
        }
        let program = &restricted.program;
        program.run(&Inputs::of(panel), self.environment, &mut self.registers);
        self.integrals.clear();
        let noise = self.typed.as_ref().map(|typed| typed.panel_errors(panel, self.group, self.environment));
        for k in 0..self.sums.len() {
            let integral = program.integral(k, &self.registers);
            let resolved = match &noise {
                Some(noise) if self.group.origins[k] == Origin::Typed => integral.is_resolved_to(noise[k].0),
                _ => integral.is_resolved(),
            };
            if !must && !resolved {
                return false;
            }
            if let Some(typed) = &mut self.typed
                && !resolved
            {
                typed.unresolved[k] += integral.magnitude;
            }
            self.integrals.push(integral);
        }
        if let (Some(typed), Some(noise)) = (&mut self.typed, noise) {
            typed.add(noise);
        }
        self.add_missed_posterior(panel);
        for (sum, integral) in self.sums.iter_mut().zip(&self.integrals) {
            sum.value += integral.value;
            sum.defect += if panel.unresolved { UNRESOLVED * integral.defect } else { integral.defect };
            sum.magnitude += integral.magnitude;
        }
        true
    }
}

/// The end of a panel where the density of costs is singular, if there is one; `true` is the far end. There the score, the rate or the
/// posterior is 0 or 1, and the density is a fractional power of it.
fn singular_end(panel: &Panel, environment: &Environment) -> Option<bool> {
    let [a, b] = environment.cost.exponents().map(|p| p.fract() != 0.0);
    // A constant does not count: the rate in a gap, the score at a tie.
    let score_moves = panel.motion != Motion::Straight || panel.start.x != panel.end.x;
    let rate_moves = panel.has_mass();
    let reaches_zero = |score: f64, rates: [f64; 2]| score_moves && score == 0.0 || rate_moves && rates == [0.0; 2];
    let Panel { start, end, start_share, end_share, .. } = panel;
    let at_start = a && (reaches_zero(start.x, start.below) || start_share[1] == 0.0);
    let at_end = b && (reaches_zero(end.x_complement, end.above) || end_share[0] == 0.0);
    (at_start || at_end).then_some(at_end)
}

/// Whether a narrow distribution of costs may fall between the nodes of the panel.
fn may_miss_costs(panel: &Panel, environment: &Environment) -> bool {
    /// The nodes of a panel are dense enough for wider distributions.
    const NARROW: f64 = 0.06;
    let deviation = environment.cost.deviation();
    if deviation > NARROW {
        return false;
    }
    let (lo, hi) = (environment.cost.mean() - 8.0 * deviation, environment.cost.mean() + 8.0 * deviation);
    let posterior = |q: [f64; 2]| posterior(q, (environment.pi0, environment.pi1))[1];
    // The arguments that the density may be read at: the ranges of the score, the rate and the posterior.
    let ranges = [
        (panel.start.x, panel.end.x),
        (panel.start.rate(environment.pi0), panel.end.rate(environment.pi0)),
        (posterior(panel.start_share), posterior(panel.end_share)),
    ];
    ranges.iter().any(|(a, b)| a.min(*b) < hi && a.max(*b) > lo && (b - a).abs() > 3.0 * deviation)
}
