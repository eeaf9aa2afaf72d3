//! Questions answered in enclosures.

use super::super::definition::Condition;
use super::super::definition::Prior;
use super::super::group::Origin;
use super::super::missing::Missing;
use super::super::plan::{Bundle, EnvironmentOf, Path, Plan, PlannedCurve, PointExpression, Reader};
use super::super::question::Inquiry;
use super::along::{self, EnclosedEnvironment, MOST_LOSS};
use super::weight::EnclosedCosts;
use super::{CertifiedRefusal, around, enclosed_curve, optimal, points};
use crate::calculus::patch::EnclosedPoint;
use crate::constant::Constant;
use crate::model::Model;
use crate::model::certified::EnclosedCurve;
use crate::transform::certified::{self as transform, UndecidedHull};
use crate::transform::certified_hull::{EnclosedHull, enclosed_hull};
use rocproof_arith::{Interval, Rational};

/// The answers to questions at the certified level.
pub(in crate::functional) struct CertifiedReading {
    /// The answers.
    pub(in crate::functional) values: Vec<Result<Interval, Missing>>,
    /// The hull of the model, if a question needed it.
    pub(in crate::functional) hull: Option<EnclosedHull>,
    /// The smallest power, at most 1, with which the mass of operating conditions vanishes towards 0 or 1.
    pub(in crate::functional) least_power: f64,
}

/// Reads the answers to questions off a model, aiming at the given width. With `wanted`, only the questions that it marks are answered.
pub(in crate::functional) fn read_certified(
    model: &Model,
    width: f64,
    inquiry: Inquiry,
    wanted: Option<&[bool]>,
) -> Result<CertifiedReading, CertifiedRefusal> {
    let weights: Vec<Option<EnclosedCosts>> =
        inquiry.costs().iter().map(|cost| EnclosedCosts::new(cost.parameters())).collect();
    let least_power = weights.iter().flatten().map(EnclosedCosts::least_power).fold(1.0, f64::min);
    let curve = enclosed_curve(model, least_power)?;
    let proportions = model.enclosed_proportions();
    let (plan, given) = inquiry.plan(curve.probabilistic, proportions[0] == Interval::from(0.5));
    let (curves, curve_of) = plan.curves(Ok(curve), |curve: &Result<EnclosedCurve, UndecidedHull>, transform| {
        curve.as_ref().map_err(|why| *why).and_then(|curve| transform::apply(curve, transform, proportions))
    });
    // `k` is the index of a planned curve.
    let curve = |k: usize| curves[curve_of[k]].as_ref();
    let hull = |k: usize| curve(k).ok().filter(|_| plan.planned_curves[k].hull).map(enclosed_hull);
    let mut hulls: Vec<Option<EnclosedHull>> = (0..plan.planned_curves.len()).map(hull).collect();
    let context = ReadingContext { proportions, pi0: model.pi0(), weights: &weights, width };
    let reader = |k: usize| {
        let needed = wanted.map(|wanted| plan.needed_bundles(k, wanted));
        curve(k).map(|curve| {
            Certified::new(&plan.planned_curves[k], plan, curve, hulls[k].as_ref(), context, needed.as_deref())
        })
    };
    let readers: Vec<Result<Certified, &UndecidedHull>> = (0..plan.planned_curves.len()).map(reader).collect();
    let is_wanted = |question: usize| wanted.is_none_or(|wanted| wanted[question]);
    let answers = plan.answers.iter().enumerate().map(|(question, answer)| match &readers[answer.planned] {
        Ok(_) if !is_wanted(question) => Err(Missing::NotEnclosed),
        Ok(reader) => plan.read(answer, reader, given),
        Err(undecided) => Err(Missing::UnverifiedHull(undecided.0)),
    });
    let values = answers.collect();
    // The hull of the model is that of the curve without further transforms.
    let untransformed = plan.planned_curves.iter().position(|planned| planned.transforms.is_empty());
    let hull = untransformed.and_then(|planned| hulls[planned].take());
    Ok(CertifiedReading { values, hull, least_power })
}

/// The class proportions, weights and width under which curves are read.
#[derive(Clone, Copy)]
pub(super) struct ReadingContext<'a> {
    pub(super) proportions: [Interval; 2],
    pub(super) pi0: &'a Constant,
    /// The weights of the distributions of operating conditions, where they could be enclosed.
    pub(super) weights: &'a [Option<EnclosedCosts>],
    /// How narrow values should be.
    pub(super) width: f64,
}

/// An enclosed curve and its hull, read in enclosures.
pub(super) struct Certified<'a> {
    plan: &'a Plan,
    planned: &'a PlannedCurve,
    curve: &'a EnclosedCurve,
    hull: Option<&'a EnclosedHull>,
    context: ReadingContext<'a>,
    /// The integrals of each bundle; empty if they are not needed, or need a hull or a weight that is missing.
    integrals: Vec<Vec<Interval>>,
}

/// The interval if it is bounded; otherwise the value counts as not enclosed.
fn bounded(interval: Interval) -> Result<Interval, Missing> {
    if interval.is_bounded() { Ok(interval) } else { Err(Missing::NotEnclosed) }
}

/// Clips the interval of a loss to the range of all losses.
fn clip_loss(origin: Origin, interval: Interval) -> Interval {
    if origin == Origin::Loss { interval.meet(Interval::new(0.0, MOST_LOSS)) } else { interval }
}

impl<'a> Certified<'a> {
    /// Computes the integrals of all bundles along a curve and its hull. With `needed`, only the bundles that it marks.
    pub(super) fn new(
        planned: &'a PlannedCurve,
        plan: &'a Plan,
        curve: &'a EnclosedCurve,
        hull: Option<&'a EnclosedHull>,
        context: ReadingContext<'a>,
        needed: Option<&[bool]>,
    ) -> Certified<'a> {
        let mut reader = Certified { plan, planned, curve, hull, context, integrals: Vec::new() };
        let is_needed = |k: usize| needed.is_none_or(|needed| needed[k]);
        let bundles = planned.bundles.iter().enumerate();
        let integrals = bundles.map(|(k, bundle)| if is_needed(k) { reader.integrals_of(bundle) } else { None });
        reader.integrals = integrals.map(Option::unwrap_or_default).collect();
        reader
    }

    /// The integrals of a bundle; `None` if it needs a hull or a weight that is missing.
    fn integrals_of(&self, bundle: &Bundle) -> Option<Vec<Interval>> {
        let environment = self.environment(bundle.environment)?;
        Some(match bundle.path {
            Path::Curve => along::along(self.curve, &bundle.group, &environment),
            Path::Hull => {
                let hull = self.hull?;
                let error = Interval::around(0.0, optimal::ERROR_PER_SLACK * hull.slack);
                let integrals = along::along(&hull.curve, &bundle.group, &environment);
                integrals.into_iter().map(|integral| integral + error).collect()
            }
            Path::Optimal => vec![optimal::optimal_of_hull(self.hull?, &environment)],
            Path::Corners => around::with_corners(self.curve, &bundle.group, &environment),
        })
    }

    /// The environment in which an expression is read; `None` if the density of operating conditions could not be enclosed.
    fn environment(&self, of: EnvironmentOf) -> Option<EnclosedEnvironment<'a>> {
        let half = Interval::from(0.5);
        let ReadingContext { proportions, weights, width, .. } = self.context;
        let proportions = if of.condition == Condition::Cost { proportions } else { [half; 2] };
        let weight = weights[of.cost].as_ref()?;
        Some(EnclosedEnvironment { proportions, weight, range: self.curve.range, width, scale: 1.0 })
    }

    /// The class proportions under a condition, as constants: exact if `π0` is, and one half each for skews.
    fn constant_proportions(&self, condition: Condition) -> [Constant; 2] {
        let ReadingContext { pi0, proportions, .. } = self.context;
        match &pi0.exact {
            _ if condition == Condition::Skew => [0.5; 2].map(|half| Constant::real(half, Interval::from(half))),
            Some(exact) => [exact.clone(), Rational::ONE - exact].map(Constant::rational),
            None => {
                let values = [pi0.value, 1.0 - pi0.value];
                [0, 1].map(|k| Constant::real(values[k], proportions[k]))
            }
        }
    }

    /// The value of an expression at a point.
    fn at(
        &self,
        expression: &PointExpression,
        point: &EnclosedPoint,
        environment: &EnclosedEnvironment,
    ) -> Result<Interval, Missing> {
        let value = points::value_at(point, &expression.program, environment).ok_or(Missing::NotEnclosed)?;
        bounded(clip_loss(expression.origin, value))
    }
}

impl Reader for Certified<'_> {
    type Number = Interval;

    /// The scale of the scores; its ends are rounded.
    fn range(&self) -> (f64, f64) {
        if self.curve.probabilistic {
            return (0.0, 1.0);
        }
        let [l, h] = self.curve.range;
        (l.mid(), h.mid())
    }

    /// One of the integrals of a bundle; missing if it has no meaning on the pieces of the path, or is not bounded.
    fn integral(&self, bundle: usize, k: usize) -> Result<Interval, Missing> {
        let integral = self.integrals[bundle].get(k).copied().ok_or(Missing::NotEnclosed)?;
        let Bundle { group, path, .. } = &self.planned.bundles[bundle];
        let followed = match path {
            Path::Curve | Path::Corners => self.curve,
            Path::Hull | Path::Optimal => &self.hull.ok_or(Missing::NotEnclosed)?.curve,
        };
        if let Some(why) = group.lacks(k, followed.pieces()) {
            return Err(why);
        }
        bounded(clip_loss(group.origins[k], integral))
    }

    fn affine(&self, a: f64, b: f64, integral: Interval) -> Interval {
        Interval::from(a) + Interval::from(b) * integral
    }

    /// The largest absolute value of one of the extremes. They do not read the costs, so any will do.
    fn largest(&self, k: usize) -> Result<Interval, Missing> {
        let environment =
            self.environment(EnvironmentOf { condition: Condition::Cost, cost: 0 }).ok_or(Missing::NotEnclosed)?;
        let point = &self.plan.points[self.planned.extremes[k]];
        bounded(points::largest(self.curve, &point.program, &environment).ok_or(Missing::NotEnclosed)?)
    }

    /// The value of an expression where the score is `at`.
    fn at_score(
        &self,
        expression: &PointExpression,
        at: &Constant,
        environment: EnvironmentOf,
    ) -> Result<Interval, Missing> {
        // `x` in the expression is the threshold itself, not the score of the point of the curve: in a gap, and beyond the support, these
        // differ.
        let x = [at.enclosure, Interval::ONE - at.enclosure];
        let curve_point = EnclosedPoint { x, ..points::at_score(self.curve, at) };
        self.at(expression, &curve_point, &self.environment(environment).ok_or(Missing::NotEnclosed)?)
    }

    /// The value of an expression where the predicted positive rate is `at`.
    fn at_rate(
        &self,
        expression: &PointExpression,
        at: &Constant,
        environment: EnvironmentOf,
    ) -> Result<Interval, Missing> {
        let environment = self.environment(environment).ok_or(Missing::NotEnclosed)?;
        self.at(expression, &points::at_rate(self.curve, at.enclosure, environment.proportions), &environment)
    }

    /// Hand's H: `1 - loss/chance` for the optimal losses of the hull and of the diagonal.
    fn share_of_chance(&self, prior: Prior, of: EnvironmentOf) -> Result<Interval, Missing> {
        let environment = self.environment(of).ok_or(Missing::NotEnclosed)?;
        let hull = self.hull.ok_or(Missing::NotEnclosed)?;
        let weight = EnclosedCosts::new(&prior.parameters(self.constant_proportions(of.condition)))
            .ok_or(Missing::NotEnclosed)?;
        let plain = EnclosedEnvironment { weight: &weight, ..environment };
        let diagonal = EnclosedCurve::diagonal();
        // The losses are divided by the loss of chance: they must be narrower than the share by that factor.
        let scale = optimal::optimal(&diagonal, &plain).mid().clamp(0.0, 1.0);
        let scaled = EnclosedEnvironment { width: plain.width * scale, scale, ..plain.clone() };
        let chance_loss = optimal::optimal(&diagonal, &scaled);
        let mut loss = optimal::optimal_of_hull(hull, &scaled);
        // The smaller width may exhaust the budget of an integration; then the plain width may do better.
        if loss.width() > plain.width {
            loss = loss.meet(optimal::optimal_of_hull(hull, &plain));
        }
        bounded((Interval::ONE - loss / chance_loss).meet(Interval::UNIT))
    }
}
