//! Questions answered in floating point, by the curve route.

use super::along::{SENSITIVITY, along};
use super::cost::Cost;
use super::definition::Condition;
use super::definition::Prior;
use super::evaluate::non_hull_and_hull;
use super::group::{MEANS, OPTIMAL, Origin};
use super::missing::Missing;
use super::plan::{Bundle, EnvironmentOf, Given, Path, Plan, PlannedCurve, PointExpression, Reader};
use super::program::Environment;
use super::readable::{Doubts, Readable};
use super::rough::{self, CurveErrors};
use super::value::Value;
use crate::calculus::Estimate;
use crate::calculus::panel::Point;
use crate::constant::Constant;
use crate::model::Curve;
use crate::transform;
use rocproof_language::meaning::Pieces;
use std::borrow::Cow;

/// If the cut tails may move a mean score by more than this, the mean may not exist.
const NO_MEAN: f64 = 1e-6;
/// The largest error with which an optimal loss counts as resolved.
const MEANINGFUL: f64 = 1e-4;

/// The answers of a plan, read off a curve under the given class proportions.
pub(super) fn read_numeric(plan: &Plan, curve: Curve, proportions: (f64, f64)) -> Vec<Value> {
    let given = plan.given();
    let (curves, curve_of) = plan.curves(curve, |curve, transform| transform::apply(curve, transform, proportions));
    let hull_if_needed = |(planned, k): (&PlannedCurve, &usize)| planned.hull.then(|| non_hull_and_hull(&curves[*k]).1);
    let hulls: Vec<Option<Cow<Curve>>> = plan.planned_curves.iter().zip(&curve_of).map(hull_if_needed).collect();
    // `k` is the index of a planned curve.
    let reader = |k: usize| {
        Numeric::new(&plan.planned_curves[k], plan, &curves[curve_of[k]], hulls[k].as_deref(), proportions, given)
    };
    let readers: Vec<Numeric<Curve, Curve>> = (0..plan.planned_curves.len()).map(reader).collect();
    plan.answers.iter().map(|answer| value(plan.read(answer, &readers[answer.planned], given))).collect()
}

/// A curve and its hull, read in floating point.
pub(super) struct Numeric<'a, C, H> {
    planned: &'a PlannedCurve,
    curve: &'a C,
    hull: Option<&'a H>,
    proportions: (f64, f64),
    /// The scale `[l, h]` of the scores, never of length 0.
    range: (f64, f64),
    costs: &'a [Cost],
    /// The integrals of each bundle; empty if they need a hull that is missing.
    integrals: Vec<Vec<Estimate>>,
    /// The largest value of each of the extremes.
    largest: Vec<f64>,
}

impl<'a, C: Readable, H: Readable> Numeric<'a, C, H> {
    /// Computes the integrals of all bundles and the extremes. All integrals along the curve are computed in one pass, and so are those
    /// along the hull.
    pub(super) fn new(
        planned: &'a PlannedCurve,
        plan: &Plan,
        curve: &'a C,
        hull: Option<&'a H>,
        proportions: (f64, f64),
        given: Given<'a>,
    ) -> Self {
        let scale = curve.range();
        // If all scores are equal, their scale has length 0, by which nothing may be divided.
        let range = if scale.0 < scale.1 { scale } else { (0.0, 1.0) };
        let (integrals, largest) = (Vec::with_capacity(planned.bundles.len()), Vec::new());
        let mut reader = Numeric { planned, curve, hull, proportions, range, costs: given.costs, integrals, largest };
        let environments: Vec<Environment> =
            planned.bundles.iter().map(|bundle| reader.environment(bundle.environment)).collect();
        let groups_along = |path: Path| {
            let bundles = planned.bundles.iter().zip(&environments).filter(move |(bundle, _)| bundle.path == path);
            bundles.map(|(bundle, environment)| (&bundle.group, environment)).collect::<Vec<_>>()
        };
        let plain = reader.environment(EnvironmentOf { condition: Condition::Cost, cost: 0 });
        let extremes: Vec<_> = planned.extremes.iter().map(|point| (&plan.points[*point].program, &plain)).collect();
        let (along_curve, largest) = curve.integrals(&groups_along(Path::Curve), &extremes);
        let along_hull = hull.map_or(Vec::new(), |hull| hull.integrals(&groups_along(Path::Hull), &[]).0);
        // Hand them back to their bundles, in order.
        let (mut along_curve, mut along_hull) = (along_curve.into_iter(), along_hull.into_iter());
        for (bundle, environment) in planned.bundles.iter().zip(&environments) {
            let integrals = match bundle.path {
                Path::Curve => along_curve.next(),
                Path::Hull => along_hull.next(),
                Path::Corners => Some(curve.with_corners(&bundle.group, environment)),
                Path::Optimal => hull.and_then(|hull| optimal(hull, environment)).map(|loss| vec![loss]),
            };
            reader.integrals.push(integrals.unwrap_or_default());
        }
        reader.largest = largest;
        reader
    }

    /// The class proportions, costs and range under which an expression is read.
    fn environment(&self, of: EnvironmentOf) -> Environment<'a> {
        let (pi0, pi1) = if of.condition == Condition::Cost { self.proportions } else { (0.5, 0.5) };
        Environment { pi0, pi1, cost: &self.costs[of.cost], range: self.range }
    }

    /// Widens the estimate of a mean score by the effect of cut tails, and of errors of the distribution functions, which scales with the
    /// scores. The mean is missing if the tails are too heavy.
    fn widen_mean(&self, class: usize, estimate: Estimate) -> Result<Estimate, Missing> {
        let Doubts { uncertainty, width, mean_tail, .. } = self.curve.doubts();
        if mean_tail[class] > NO_MEAN {
            return Err(Missing::Inapplicable("the tails are too heavy for a mean score".into()));
        }
        Ok(estimate.widened(SENSITIVITY * uncertainty * width + mean_tail[class]))
    }

    /// The kinds of pieces on the path of an integral; `None` if it follows a hull that is missing.
    fn pieces_along(&self, path: Path) -> Option<Pieces> {
        match path {
            Path::Curve | Path::Corners => Some(self.curve.pieces()),
            Path::Hull | Path::Optimal => self.hull.map(Readable::pieces),
        }
    }

    /// The value of an expression at a point; `doubt` is a bound on the errors of `F0` and `F1` there beyond those of the curve.
    fn at(&self, point: &Point, doubt: f64, expression: &PointExpression, environment: &Environment) -> Estimate {
        let value = expression.program.value_at(point, environment);
        let Doubts { uncertainty, score_noise, .. } = self.curve.doubts();
        let uncertainty = uncertainty + doubt;
        let error = match expression.origin {
            Origin::Typed => {
                // The point is known up to a rounding of the predicted positive rate, to which a rare class adds little.
                let rounding = 4.0 * f64::EPSILON / environment.pi0.min(environment.pi1);
                let errors = CurveErrors { mass: SENSITIVITY * (uncertainty + rounding), score: score_noise };
                rough::at_point(&expression.program, point, environment, errors).map_or(f64::INFINITY, |v| v.error)
            }
            _ => SENSITIVITY * uncertainty,
        };
        Estimate { value, error: error + 8.0 * f64::EPSILON * value.abs() }
    }
}

impl<C: Readable, H: Readable> Reader for Numeric<'_, C, H> {
    type Number = Estimate;

    fn range(&self) -> (f64, f64) {
        self.curve.range()
    }

    /// One of the integrals of a bundle; missing if it has no meaning on the pieces of the path, or is not a finite number.
    fn integral(&self, bundle: usize, k: usize) -> Result<Estimate, Missing> {
        let estimate = self.integrals[bundle].get(k).copied();
        let Bundle { group, path, .. } = &self.planned.bundles[bundle];
        if let Some(why) = self.pieces_along(*path).and_then(|pieces| group.lacks(k, pieces)) {
            return Err(why);
        }
        let estimate = estimate.filter(|e| e.value.is_finite() && e.error.is_finite()).ok_or(Missing::NotComputed)?;
        match self.planned.bundles[bundle].group.origins[k] {
            Origin::Mean(class) => self.widen_mean(class, estimate),
            _ => Ok(estimate),
        }
    }

    fn affine(&self, a: f64, b: f64, integral: Estimate) -> Estimate {
        Estimate { value: a + b * integral.value, error: b.abs() * integral.error + f64::EPSILON }
    }

    /// The largest absolute value of one of the extremes, with the error of the distribution functions.
    fn largest(&self, k: usize) -> Result<Estimate, Missing> {
        let value = self.largest.get(k).copied().ok_or(Missing::NotComputed)?;
        Ok(Estimate { value, error: SENSITIVITY * self.curve.doubts().uncertainty + 4.0 * f64::EPSILON })
    }

    /// The value of an expression where the score is `at`, widened if an atom may be on either side.
    fn at_score(
        &self,
        expression: &PointExpression,
        at: &Constant,
        environment: EnvironmentOf,
    ) -> Result<Estimate, Missing> {
        let (t, environment) = (at.value, self.environment(environment));
        // The score is the threshold even where the curve has no score there.
        let point = |at: f64| Point { x: t, x_complement: 1.0 - t, ..self.curve.at_score(at) };
        let doubt = self.curve.doubt_at(at);
        let estimate = self.at(&point(t), doubt.mass, expression, &environment);
        // By rounding, an atom may be on the wrong side of the threshold: compare with values on both sides.
        if doubt.atoms == 0.0 {
            return Ok(estimate);
        }
        let on_both_sides =
            [t - doubt.atoms, t + doubt.atoms].map(|at| expression.program.value_at(&point(at), &environment));
        Ok(estimate.widened(on_both_sides.iter().map(|v| (v - estimate.value).abs()).fold(0.0, f64::max)))
    }

    /// The value of an expression where the predicted positive rate is `at`.
    fn at_rate(
        &self,
        expression: &PointExpression,
        at: &Constant,
        environment: EnvironmentOf,
    ) -> Result<Estimate, Missing> {
        let environment = self.environment(environment);
        let point = self.curve.at_rate(at.value, environment.pi0);
        // The point is known up to a rounding of the rate.
        Ok(self.at(&point, 0.0, expression, &environment).widened(8.0 * f64::EPSILON))
    }

    /// Hand's H: `1 - loss/chance`, with the errors of both losses.
    fn share_of_chance(&self, prior: Prior, environment: EnvironmentOf) -> Result<Estimate, Missing> {
        let plain = self.environment(environment);
        // Priors are stated for the class that higher scores speak for, here class 1; the cost proportion of the other order is 1 - c.
        let cost = if self.curve.is_reversed() {
            let [a, b] = prior.parameters([plain.pi1, plain.pi0]);
            Cost::beta(b, a)
        } else {
            let [a, b] = prior.parameters([plain.pi0, plain.pi1]);
            Cost::beta(a, b)
        };
        let environment = Environment { cost: &cost, ..plain };
        let loss = self.hull.and_then(|hull| optimal(hull, &environment)).ok_or(Missing::NotComputed)?;
        let chance = optimal(&Curve::diagonal(), &environment).ok_or(Missing::NotComputed)?;
        let share = loss.value / chance.value;
        let error = (loss.error + share.abs() * chance.error) / chance.value + f64::EPSILON;
        Ok(Estimate { value: 1.0 - share, error })
    }
}

/// The mean score of a class.
pub(crate) fn mean_score(curve: &Curve, class: usize) -> f64 {
    let cost = Cost::uniform();
    let environment = Environment { pi0: 0.5, pi1: 0.5, cost: &cost, range: curve.range };
    along(curve, &[], &MEANS, &environment).get(class).map_or(f64::NAN, |mean| mean.value)
}

/// The optimal loss: along a hull, corners included; `None` if the hull gives no integrals.
fn optimal(hull: &impl Readable, environment: &Environment) -> Option<Estimate> {
    let estimate = hull.with_corners(&OPTIMAL, environment).first().copied()?;
    // The better of the two constant predictions is an upper bound `most`, and 0 a lower one. An estimate outside of [0, most] by more than
    // its error, or with a large error, is not resolved: then its error is widened to cover all of [0, most].
    let mean = environment.cost.mean();
    let most = (2.0 * mean * environment.pi0).min(2.0 * (1.0 - mean) * environment.pi1);
    let outside_by = (estimate.value - most).max(-estimate.value);
    let is_resolved = outside_by <= estimate.error && estimate.error <= MEANINGFUL;
    let widened = Estimate { error: estimate.error.max(estimate.value.abs() + most), ..estimate };
    Some(if is_resolved { estimate } else { widened })
}

/// A value at the numeric level; missing if it is NaN or infinite.
pub(super) fn value(estimate: Result<Estimate, Missing>) -> Value {
    match estimate {
        Ok(estimate) if estimate.value.is_finite() && estimate.error.is_finite() => Value::Numeric(estimate),
        Ok(_) => Missing::NotComputed.into(),
        Err(why) => why.into(),
    }
}
