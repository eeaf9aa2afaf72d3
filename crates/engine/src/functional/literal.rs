//! Expected losses by their definition, `∫ Q(T(c); c) w(c) dc`, with the threshold chosen for each `c`.
//!
//! This is the slow, independent route. It solves `R(t) = c` for a threshold, integrates over random thresholds in an inner integral, and
//! minimises over all thresholds for the optimal method. It shares `Q` and the sampled distribution functions with the curve route, but
//! no change of variable, no hull and no corner.

use super::along::SENSITIVITY;
use super::definition::Condition;
use super::definition::Method;
use super::group::compile_definitions;
use super::missing::Missing;
use super::program::{Environment, Inputs, Program, Registers};
use super::value::Value;
use crate::calculus::Estimate;
use crate::calculus::coordinate::{Coordinate, end_reach};
use crate::calculus::integrate::integrate;
use crate::calculus::panel::{Motion, Point};
use crate::calculus::root::lowest;
use crate::calculus::rule::{Lane, NODES, RULE};
use crate::functional::Cost;
use crate::model::{Curve, Model};
use std::collections::HashMap;
use std::sync::LazyLock;

/// Tolerance of one panel of the integral over operating conditions.
const TOLERANCE: f64 = 1e-13;
/// Standard deviation of costs below which the integral is cut around their mean.
const NARROW: f64 = 0.1;
/// Tolerance of the parameter of a minimum. At a minimum the loss is flat: half the digits of the parameter give all digits of the loss.
const MINIMUM_TOLERANCE: f64 = 1e-9;

/// The loss at the chosen point for each operating condition, weighted and plain.
static WEIGHTED_LOSS: LazyLock<Program> = LazyLock::new(|| compile_definitions(&["Q(cost)*w(cost)", "Q(cost)"]));

/// The expected loss of a threshold choice method by its definition.
///
/// ```
/// use rocproof_engine::functional::literal::expected_loss;
/// use rocproof_engine::{Condition, Cost, Method, Model};
/// let model = Model::new("2*(1-x)", "2*x", "1/2")?;
/// let loss = expected_loss(&model, &Cost::uniform(), Condition::Cost, Method::Optimal).estimate().unwrap();
/// assert!((loss.value - 1.0 / 6.0).abs() <= loss.error);
/// # Ok::<(), rocproof_language::Diagnostic>(())
/// ```
pub fn expected_loss(model: &Model, cost: &Cost, condition: Condition, method: Method) -> Value {
    expected_loss_of_curve(&model.curve(), model.proportions(), cost, condition, method)
}

/// The expected loss of a threshold choice method along a curve, by its definition.
pub fn expected_loss_of_curve(
    curve: &Curve,
    proportions: (f64, f64),
    cost: &Cost,
    condition: Condition,
    method: Method,
) -> Value {
    let (pi0, pi1) = if condition == Condition::Cost { proportions } else { (0.5, 0.5) };
    let environment = Environment { pi0, pi1, cost, range: curve.range };
    if let Some(why) = method.scores().refusal(curve.range) {
        return Missing::Inapplicable(why.into()).into();
    }
    let literal = LiteralRoute { curve, environment };
    // The scores, or the rates, where panels join: there the chosen point may jump or have a kink.
    let score_joints = || curve.panels.iter().map(|p| p.end.x).collect::<Vec<f64>>();
    let rate_joints = || curve.panels.iter().map(|p| p.end.rate(pi0)).collect::<Vec<f64>>();
    let estimate = match method {
        Method::ScoreFixed(t) => literal.over_costs(&[], |_| curve.at_score(t)),
        Method::RateFixed(r) => literal.over_costs(&[], |_| curve.at_rate(r, pi0)),
        Method::ScoreDriven => literal.over_costs(&score_joints(), |c| curve.at_score(c)),
        Method::RateDriven => literal.over_costs(&rate_joints(), |c| curve.at_rate(c, pi0)),
        Method::Optimal => literal.optimal(),
        Method::ScoreUniform => {
            let (l, h) = curve.range;
            literal.over_random_thresholds(l, h, &score_joints(), |t| curve.at_score(t))
        }
        Method::RateUniform => literal.over_random_thresholds(0.0, 1.0, &rate_joints(), |r| curve.at_rate(r, pi0)),
    };
    Value::Numeric(estimate.widened(SENSITIVITY * curve.uncertainty + cost.rounding() * estimate.value.abs()))
}

/// The curve and the environment of an expected loss by its definition.
struct LiteralRoute<'a> {
    curve: &'a Curve,
    environment: Environment<'a>,
}

impl LiteralRoute<'_> {
    /// `∫ Q(T(c); c) w(c) dc`, cut at `joints`, where `T` may jump or have a kink. `threshold` gives the point of the curve at `T(c)`.
    fn over_costs(&self, joints: &[f64], threshold: impl Fn(f64) -> Point) -> Estimate {
        let mut losses = Losses::default();
        self.integrate_costs(&self.cuts(0.0, 1.0, joints), |costs, values| {
            let points: Vec<Point> = costs.iter().map(|[c, _]| threshold(*c)).collect();
            losses.at(&points, costs, &self.environment, Loss::Weighted, values);
        })
    }

    /// `∫∫ Q(T(u); c) du w(c) dc / (h - l)` with `u` drawn uniformly from `[l, h]`: an inner integral over the draw for each `c`. `threshold`
    /// gives the point of the curve at `T(u)`.
    fn over_random_thresholds(&self, l: f64, h: f64, joints: &[f64], threshold: impl Fn(f64) -> Point) -> Estimate {
        let mut losses = Losses::default();
        let draw_cuts = self.cuts(l, h, joints);
        // The points already computed, by the bits of the draw: every `c` uses the same draws.
        let mut known_points: HashMap<u64, Point> = HashMap::new();
        let mut inner_error: f64 = 0.0;
        let outer = self.integrate_costs(&self.cuts(0.0, 1.0, &[]), |costs, values| {
            for (cost, value) in costs.iter().zip(values) {
                let inner = integrate(&draw_cuts, TOLERANCE * (h - l), |draws, inner_values| {
                    let point = |u: &f64| *known_points.entry(u.to_bits()).or_insert_with(|| threshold(*u));
                    let points: Vec<Point> = draws.iter().map(point).collect();
                    losses.at(&points, &vec![*cost; points.len()], &self.environment, Loss::Plain, inner_values);
                });
                inner_error = inner_error.max(inner.error / (h - l));
                *value = inner.value / (h - l) * self.environment.cost.density(cost[0], cost[1]);
            }
        });
        outer.widened(inner_error)
    }

    /// `∫ min_t Q(t; c) w(c) dc`, by global minimisation over all thresholds for each `c`.
    fn optimal(&self) -> Estimate {
        let minimiser = Minimiser::new(self.curve);
        let mut losses = Losses::default();
        self.integrate_costs(&self.cuts(0.0, 1.0, &[]), |costs, values| {
            let points: Vec<Point> = costs.iter().map(|cost| minimiser.threshold(*cost, &self.environment)).collect();
            losses.at(&points, costs, &self.environment, Loss::Weighted, values);
        })
    }

    /// Integrates a function of the cost proportion over [0, 1]. `f` takes cost proportions with their complements and fills in its values.
    /// `cuts` starts with 0, ends with 1 and has a cut between them. Next to 0 and 1, where the density may be singular, the variable of
    /// integration is the logarithm of the distance.
    fn integrate_costs(&self, cuts: &[f64], mut f: impl FnMut(&[[f64; 2]], &mut [f64])) -> Estimate {
        let [_, inner @ .., _] = cuts else { return Estimate { value: f64::NAN, error: 0.0 } };
        let (Some(first), Some(last)) = (inner.first(), inner.last()) else {
            return Estimate { value: f64::NAN, error: 0.0 };
        };
        let mut sum = integrate(inner, TOLERANCE, |c, values| {
            f(&c.iter().map(|c| [*c, 1.0 - c]).collect::<Vec<_>>(), values);
        });
        let near_ends = [Coordinate::Left { a: 0.0, b: *first }, Coordinate::Right { a: *last, b: 1.0 }];
        for (coordinate, exponent) in near_ends.into_iter().zip(self.environment.cost.exponents()) {
            // Beyond the reach the mass of costs is negligible.
            let (lo, hi) = coordinate.ends();
            let reach = end_reach(exponent, hi - lo);
            let is_left = matches!(coordinate, Coordinate::Left { .. });
            let range = if is_left { [-reach, 0.0] } else { [0.0, reach] };
            let part = integrate(&range, TOLERANCE, |v, values| {
                let places: Vec<_> = v.iter().map(|v| coordinate.place(*v)).collect();
                // Next to 1 the coordinate knows the distance to 1 better than a subtraction.
                let complement = |cost: f64, distance_to_1: f64| if is_left { 1.0 - cost } else { distance_to_1 };
                let costs: Vec<_> = places.iter().map(|place| [place.x, complement(place.x, place.right)]).collect();
                f(&costs, values);
                // The substitution rule: times the derivative of the cost by the coordinate.
                for (value, place) in values.iter_mut().zip(&places) {
                    *value *= place.dx;
                }
            });
            sum = Estimate { value: sum.value + part.value, error: sum.error + part.error };
        }
        sum
    }

    /// The sorted cuts of `[lo, hi]`, both ends included: the joints inside, four equal parts, and points around the mean of a narrow cost
    /// distribution.
    fn cuts(&self, lo: f64, hi: f64, joints: &[f64]) -> Vec<f64> {
        let (mean, deviation) = (self.environment.cost.mean(), self.environment.cost.deviation());
        let mut cuts: Vec<f64> = (0..=4).map(|i| lo + (hi - lo) * f64::from(i) / 4.0).collect();
        if deviation < NARROW {
            cuts.extend([-8.0, -4.0, -2.0, 0.0, 2.0, 4.0, 8.0].map(|k| mean + k * deviation));
        }
        cuts.extend(joints);
        cuts.retain(|c| lo <= *c && *c <= hi);
        cuts.sort_by(f64::total_cmp);
        cuts.dedup();
        cuts
    }
}

/// The outputs of [`WEIGHTED_LOSS`], in order: `Q w` and `Q`.
#[derive(Clone, Copy)]
enum Loss {
    Weighted,
    Plain,
}

/// Evaluates `Q` at given points.
#[derive(Default)]
struct Losses {
    registers: Registers,
}

impl Losses {
    /// Fills `out` with the losses at up to 21 points, each under its own operating condition, given with its complement.
    fn at(&mut self, points: &[Point], costs: &[[f64; 2]], environment: &Environment, loss: Loss, out: &mut [f64]) {
        let program = &*WEIGHTED_LOSS;
        // Unused lanes repeat the first point.
        let Some(spare) = points.first() else { return out.fill(f64::NAN) };
        let lane = |pick: fn(&Point) -> f64| -> Lane { std::array::from_fn(|i| pick(points.get(i).unwrap_or(spare))) };
        let cost = |k: usize| -> Lane { std::array::from_fn(|i| costs.get(i).map_or(0.5, |c| c[k])) };
        // `Q(cost)` reads neither differentials nor the direction.
        let zero = [0.0; NODES];
        let half = [0.5; NODES];
        let inputs = Inputs {
            x: [&lane(|p| p.x), &lane(|p| p.x_complement)],
            f: [&lane(|p| p.below[0]), &lane(|p| p.above[0]), &lane(|p| p.below[1]), &lane(|p| p.above[1])],
            d: [&zero, &zero, &zero],
            q: [&half, &half, &zero],
            cost: [&cost(0), &cost(1)],
        };
        program.run(&inputs, environment, &mut self.registers);
        out.copy_from_slice(&program.output(loss as usize, &self.registers)[..out.len()]);
    }
}

/// Global minimisation over the thresholds of a curve.
///
/// The losses at all nodes bracket every local minimum between two neighbours. Each bracket is searched.
struct Minimiser<'a> {
    curve: &'a Curve,
    /// The nodes of every arc, and the ends of every panel, in order. Atoms have no threshold inside.
    candidates: Vec<Candidate>,
}

/// A point of the curve at which the loss is computed before the search.
struct Candidate {
    /// The index of its panel.
    panel: usize,
    /// Its parameter along the panel.
    u: f64,
    point: Point,
}

impl<'a> Minimiser<'a> {
    /// The candidates of a curve.
    fn new(curve: &'a Curve) -> Minimiser<'a> {
        let mut candidates = Vec::new();
        for (index, panel) in curve.panels.iter().enumerate() {
            candidates.push(Candidate { panel: index, u: 0.0, point: panel.start });
            if panel.motion == Motion::Arc {
                let at_node = |u: &f64| Candidate { panel: index, u: *u, point: panel.at(*u) };
                candidates.extend(RULE.nodes.iter().map(at_node));
            }
            candidates.push(Candidate { panel: index, u: 1.0, point: panel.end });
        }
        Minimiser { curve, candidates }
    }

    /// The point with the least loss under a cost proportion, given with its complement.
    fn threshold(&self, cost: [f64; 2], environment: &Environment) -> Point {
        let weights = self.loss_weights(cost, environment);
        let loss = |p: &Point| weights[0] * p.above[0] + weights[1] * p.below[1];
        let (mut least_loss, mut best_point) = (f64::INFINITY, self.curve.start());
        let mut consider = |point: Point| {
            let value = loss(&point);
            if value < least_loss {
                (least_loss, best_point) = (value, point);
            }
        };
        let losses: Vec<f64> = self.candidates.iter().map(|candidate| loss(&candidate.point)).collect();
        for (i, Candidate { panel, u, point }) in self.candidates.iter().enumerate() {
            consider(*point);
            let arc = &self.curve.panels[*panel];
            // The index before 0 wraps around to one that is out of range.
            let (before, after) = (i.wrapping_sub(1), i + 1);
            let is_not_above = |j: usize| losses.get(j).is_none_or(|neighbour| losses[i] <= *neighbour);
            if arc.motion == Motion::Arc && is_not_above(before) && is_not_above(after) {
                // A local minimum lies between the neighbours on the same arc.
                let parameter = |j: usize| self.candidates.get(j).filter(|c| c.panel == *panel).map_or(*u, |c| c.u);
                let minimum = lowest(parameter(before), parameter(after), MINIMUM_TOLERANCE, |u| loss(&arc.at(u)));
                consider(arc.at(minimum));
            }
        }
        best_point
    }

    /// The coefficients of `1 - F0` and of `F1` in `Q`, which is linear in both. They are the losses at the points where one of them is 1 and
    /// the other is 0.
    fn loss_weights(&self, cost: [f64; 2], environment: &Environment) -> [f64; 2] {
        let point = |above0: f64, below1: f64| Point {
            below: [1.0 - above0, below1],
            above: [above0, 1.0 - below1],
            ..self.curve.start()
        };
        let mut weights = [0.0; 2];
        let units = [point(1.0, 0.0), point(0.0, 1.0)];
        Losses::default().at(&units, &[cost; 2], environment, Loss::Plain, &mut weights);
        weights
    }
}
