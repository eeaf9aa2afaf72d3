//! Integrals of a group of definitions along a sampled curve: Gauss-Kronrod on each panel, halved until every integral is resolved.

use super::group::{Group, Origin};
use super::program::{Environment, Inputs, PanelIntegral, Registers};
use super::typed::{TypedErrors, largest_rate};
use crate::calculus::Estimate;
use crate::calculus::coordinate::LARGEST_REACH;
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

/// Smoothness of graded panels: after the substitution, the mass of costs next to the singular end vanishes at least like this power.
const GRADED_POWER: f64 = 8.0;

/// The integrals of a group along a curve and around the given corners, each with an error bound. The index of a corner is not used.
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
        if singular_end(panel, environment).is_none() {
            integration.add(panel);
            continue;
        }
        // Both ends may be singular: each half has one.
        for half in [panel.part(0.0, 0.5), panel.part(0.5, 1.0)] {
            match singular_end(&half, environment) {
                None => integration.add(&half),
                Some(end) => integration.add_graded(&half, end),
            }
        }
    }
    corners.iter().for_each(|(_, corner)| integration.add_corner(corner));
    integration.estimates(curve)
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
    /// The integrals, each with its error: the defects of the quadrature, rounding, and the effect of errors of the curve.
    fn estimates(&self, curve: &Curve) -> Vec<Estimate> {
        let Integration { group, environment, .. } = *self;
        let rounding = 8.0 * f64::EPSILON + environment.cost.rounding();
        // Costs so close to 0 or 1 that floats do not resolve scores there have noticeable mass only if they are very singular.
        let unresolved: f64 = curve.leftovers.iter().map(|leftover| leftover.mass).sum();
        let [a, b] = environment.cost.exponents();
        let uncertainty = curve.uncertainty + unresolved * (-LARGEST_REACH * a.min(b)).exp();
        let estimate = |(k, PanelIntegral { value, defect, magnitude }): (usize, &PanelIntegral)| {
            let of_curve = match &self.typed {
                Some(typed) if group.origins[k] == Origin::Typed => typed.error(k, *value, curve, group, environment),
                _ => SENSITIVITY * uncertainty,
            };
            Estimate { value: *value, error: defect + rounding * magnitude + of_curve }
        };
        self.sums.iter().enumerate().map(estimate).collect()
    }

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

    /// Adds a corner, parametrised linearly in the posterior. Where the posterior reaches 0 or 1 and the density of costs is singular
    /// there, the half of the corner next to it is graded.
    fn add_corner(&mut self, corner: &Corner) {
        let proportions = (self.environment.pi0, self.environment.pi1);
        let [at_zero, at_one] = singular_costs(self.environment);
        let is_singular = [at_zero && corner.from[1] == 0.0, at_one && corner.to[0] == 0.0];
        for (half, is_singular) in corner.halves().into_iter().zip(is_singular) {
            if is_singular {
                let end = if half.to == corner.to { End::Last } else { End::First };
                let power = self.grading_power(end);
                self.add_bisected(|t0, t1| half.graded(end == End::Last, power, t0, t1, proportions));
            } else {
                self.add_bisected(|u0, u1| half.part(u0, u1, proportions));
            }
        }
    }

    /// Adds a panel with a singular density of costs at one end.
    fn add_graded(&mut self, panel: &Panel, end: End) {
        let power = self.grading_power(end);
        self.add_bisected(|t0, t1| panel.graded(end == End::Last, power, t0, t1));
    }

    /// The power of the substitution `u = t^power` that makes the density of costs smooth at 0 (first end) or at 1 (last end).
    fn grading_power(&self, end: End) -> i32 {
        let [a, b] = self.environment.cost.exponents();
        let exponent = if end == End::First { a } else { b };
        (GRADED_POWER / exponent.min(1.0)).ceil() as i32
    }

    /// Adds a panel given by a function that makes its part between two parameters in [0, 1], bisected where it is not resolved.
    fn add_bisected(&mut self, part: impl Fn(f64, f64) -> Panel) {
        let mut pending = vec![(0.0, 1.0, 0)];
        while let Some((t0, t1, halvings)) = pending.pop() {
            if !self.try_add(&part(t0, t1), halvings == MOST_HALVINGS) {
                let middle = t0 + (t1 - t0) / 2.0;
                pending.extend([(middle, t1, halvings + 1), (t0, middle, halvings + 1)]);
            }
        }
    }

    /// Adds to the errors of integrals over the posterior the change of posterior that was missed between the nodes, times a bound on the
    /// integrand. For built-in losses the bound is the largest loss on the panel times the density of costs.
    fn add_missed_posterior(&mut self, panel: &Panel) {
        let Some(missed) = self.group.posterior_missed_between_nodes(panel, self.environment, &self.registers) else {
            return;
        };
        let (Environment { pi0, pi1, .. }, start, end) = (self.environment, &panel.start, &panel.end);
        // Pairs of 1-c and c.
        let [from, to] = [panel.start_share, panel.end_share].map(|q| posterior(q, (*pi0, *pi1)));
        let [complement, c] = [0, 1].map(|i| (from[i] + to[i]) / 2.0);
        // Q = 2 (c π0 (1-F0) + (1-c) π1 F1), with the largest value of each factor.
        let most = 2.0 * (to[1].max(from[1]) * pi0 * start.above[0] + from[0].max(to[0]) * pi1 * end.below[1]);
        for k in (0..self.sums.len()).filter(|k| self.group.turns[*k]) {
            self.sums[k].defect += match self.group.origins[k] {
                Origin::Typed => missed * largest_rate(self.group, k, panel, self.environment),
                _ => missed * most * self.environment.cost.density(c, complement),
            };
        }
    }

    /// Adds the integrals over a panel if they are resolved, or if `must_accept` is set or the budget is spent. Returns whether they were
    /// added.
    fn try_add(&mut self, panel: &Panel, must_accept: bool) -> bool {
        let must_accept = must_accept || self.budget == 0;
        self.budget = self.budget.saturating_sub(1);
        if !must_accept && may_miss_costs(panel, self.environment) {
            return false;
        }
        let restricted = self.group.on(panel.piece());
        if restricted.is_nothing() {
            return true;
        }
        let program = &restricted.program;
        program.run(&Inputs::of(panel), self.environment, &mut self.registers);
        self.integrals.clear();
        let typed_errors = self.typed.as_ref().map(|typed| typed.panel_errors(panel, self.group, self.environment));
        for k in 0..self.sums.len() {
            let integral = program.integral(k, &self.registers);
            let is_resolved = match &typed_errors {
                Some(errors) if self.group.origins[k] == Origin::Typed => integral.is_resolved_to(errors[k].noise),
                _ => integral.is_resolved(),
            };
            if !must_accept && !is_resolved {
                return false;
            }
            if let Some(typed) = &mut self.typed
                && !is_resolved
            {
                typed.unresolved[k] += integral.magnitude;
            }
            self.integrals.push(integral);
        }
        if let (Some(typed), Some(errors)) = (&mut self.typed, typed_errors) {
            typed.add(errors);
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

/// An end of a panel or corner.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    First,
    Last,
}

/// Whether the density of costs is singular at 0 and at 1: a fractional power of the distance.
fn singular_costs(environment: &Environment) -> [bool; 2] {
    environment.cost.exponents().map(|p| p.fract() != 0.0)
}

/// The end of a panel where the density of costs is singular, if there is one; the last if both are. There the score, the rate or the
/// posterior, at which the density is read, is 0 or 1.
///
/// Score and rate never fall, so they are 0 only at the start and 1 only at the end. The posterior never falls along the hull, which the
/// optimal loss follows. Along another curve it may be 1 at a start or 0 at an end: there the singularity is left to bisection.
fn singular_end(panel: &Panel, environment: &Environment) -> Option<End> {
    let [at_zero, at_one] = singular_costs(environment);
    // A constant score or rate does not count: the rate in a gap, the score at a tie. A tie of one class counts by its posterior, which is 0
    // or 1 on all of it: grading is needless there, but harmless.
    let score_moves = panel.motion != Motion::Straight || panel.start.x != panel.end.x;
    let rate_moves = panel.has_mass();
    let vanishes = |score: f64, rates: [f64; 2]| score_moves && score == 0.0 || rate_moves && rates == [0.0; 2];
    let Panel { start, end, start_share, end_share, .. } = panel;
    if at_one && (vanishes(end.x_complement, end.above) || end_share[0] == 0.0) {
        return Some(End::Last);
    }
    (at_zero && (vanishes(start.x, start.below) || start_share[1] == 0.0)).then_some(End::First)
}

/// Whether a narrow distribution of costs may fall between the nodes of the panel.
fn may_miss_costs(panel: &Panel, environment: &Environment) -> bool {
    /// The nodes of a panel are dense enough for distributions with a larger standard deviation.
    const NARROW: f64 = 0.06;
    /// Half the range that counts as the distribution, and the longest panel across it, in standard deviations.
    const HALF_RANGE: f64 = 8.0;
    const LONGEST: f64 = 3.0;
    let deviation = environment.cost.deviation();
    if deviation > NARROW {
        return false;
    }
    let mean = environment.cost.mean();
    let (lo, hi) = (mean - HALF_RANGE * deviation, mean + HALF_RANGE * deviation);
    let posterior = |q: [f64; 2]| posterior(q, (environment.pi0, environment.pi1))[1];
    // The arguments that the density may be read at: the ranges of the score, the rate and the posterior.
    let ranges = [
        (panel.start.x, panel.end.x),
        (panel.start.rate(environment.pi0), panel.end.rate(environment.pi0)),
        (posterior(panel.start_share), posterior(panel.end_share)),
    ];
    let meets_distribution = |a: f64, b: f64| a.min(b) < hi && a.max(b) > lo;
    ranges.iter().any(|(a, b)| meets_distribution(*a, *b) && (b - a).abs() > LONGEST * deviation)
}
