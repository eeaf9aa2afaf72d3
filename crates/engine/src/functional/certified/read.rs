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
    /// The smallest power with which the mass of operating conditions vanishes towards 0 or 1, or 1.
    pub(in crate::functional) least_power: f64,
}

/// Reads the answers to questions off a model, aiming at the given width. Only the `wanted` answers are computed, or all if it is `None`.
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
    let curve = |s: usize| curves[curve_of[s]].as_ref();
    let hull = |s: usize| curve(s).ok().filter(|_| plan.planned_curves[s].hull).map(enclosed_hull);
    let mut hulls: Vec<Option<EnclosedHull>> = (0..plan.planned_curves.len()).map(hull).collect();
    let context = ReadingContext { proportions, pi0: model.pi0(), weights: &weights, width };
    let reader = |s: usize| {
        let needed = wanted.map(|wanted| plan.needed_bundles(s, wanted));
        curve(s).map(|curve| {
            Certified::new(&plan.planned_curves[s], plan, curve, hulls[s].as_ref(), context, needed.as_deref())
        })
    };
    let readers: Vec<Result<Certified, &UndecidedHull>> = (0..plan.planned_curves.len()).map(reader).collect();
    let is_wanted = |k: usize| wanted.is_none_or(|wanted| wanted[k]);
    let answers = plan.answers.iter().enumerate().map(|(k, answer)| match &readers[answer.planned] {
        Ok(_) if !is_wanted(k) => Err(Missing::NotEnclosed),
        Ok(reader) => plan.read(answer, reader, given),
        Err(hull) => Err(Missing::UnverifiedHull(hull.0)),
    });
    let values = answers.collect();
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
        let integrals = planned.bundles.iter().enumerate().map(|(k, bundle)| {
            if !is_needed(k) {
                return None;
            }
            let environment = reader.environment(bundle.environment)?;
            Some(match bundle.path {
                Path::Curve => along::along(curve, &bundle.group, &environment),
                Path::Hull => {
                    let slack = Interval::around(0.0, optimal::SLACK * hull?.slack);
                    let integrals = along::along(&hull?.curve, &bundle.group, &environment);
                    integrals.into_iter().map(|value| value + slack).collect()
                }
                Path::Optimal => vec![optimal::optimal_of_hull(hull?, &environment)],
                Path::Corners => around::with_corners(curve, &bundle.group, &environment),
            })
        });
        reader.integrals = integrals.map(Option::unwrap_or_default).collect();
        reader
    }

    /// The environment in which an expression is read; `None` if the density of operating conditions could not be enclosed.
    fn environment(&self, of: EnvironmentOf) -> Option<EnclosedEnvironment<'a>> {
        let half = Interval::from(0.5);
        let ReadingContext { proportions, weights, width, .. } = self.context;
        let proportions = if of.condition == Condition::Cost { proportions } else { [half; 2] };
        let weight = weights[of.cost].as_ref()?;
        Some(EnclosedEnvironment { proportions, weight, range: self.curve.range, width, scale: 1.0 })
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

    fn scale(&self) -> (f64, f64) {
        if self.curve.probabilistic {
            return (0.0, 1.0);
        }
        let [l, h] = self.curve.range;
        (l.mid(), h.mid())
    }

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

    fn affine(&self, a: f64, b: f64, of: Interval) -> Interval {
        Interval::from(a) + Interval::from(b) * of
    }

    fn largest(&self, k: usize) -> Result<Interval, Missing> {
        let environment =
            self.environment(EnvironmentOf { condition: Condition::Cost, cost: 0 }).ok_or(Missing::NotEnclosed)?;
        let point = &self.plan.points[self.planned.extremes[k]];
        bounded(points::largest(self.curve, &point.program, &environment).ok_or(Missing::NotEnclosed)?)
    }

    fn at_score(
        &self,
        point: &PointExpression,
        at: &Constant,
        environment: EnvironmentOf,
    ) -> Result<Interval, Missing> {
        // The score is the threshold even where the curve has no score there.
        let x = [at.enclosure, Interval::ONE - at.enclosure];
        let spot = EnclosedPoint { x, ..points::at_score(self.curve, at) };
        self.at(point, &spot, &self.environment(environment).ok_or(Missing::NotEnclosed)?)
    }

    fn at_rate(&self, point: &PointExpression, at: &Constant, environment: EnvironmentOf) -> Result<Interval, Missing> {
        let environment = self.environment(environment).ok_or(Missing::NotEnclosed)?;
        self.at(point, &points::at_rate(self.curve, at.enclosure, environment.proportions), &environment)
    }

    fn share_of_chance(&self, prior: Prior, of: EnvironmentOf) -> Result<Interval, Missing> {
        let environment = self.environment(of).ok_or(Missing::NotEnclosed)?;
        let hull = self.hull.ok_or(Missing::NotEnclosed)?;
        let pi0 = self.context.pi0;
        let proportions = match &pi0.exact {
            _ if of.condition == Condition::Skew => [0.5; 2].map(|half| Constant::real(half, Interval::from(half))),
            Some(exact) => [exact.clone(), Rational::ONE - exact].map(Constant::rational),
            None => {
                let values = [pi0.value, 1.0 - pi0.value];
                [0, 1].map(|k| Constant::real(values[k], environment.proportions[k]))
            }
        };
        let weight = EnclosedCosts::new(&prior.parameters(proportions)).ok_or(Missing::NotEnclosed)?;
        let plain = EnclosedEnvironment { weight: &weight, ..environment };
        let of_chance = optimal::optimal(&EnclosedCurve::diagonal(), &plain);
        // The losses are divided by the loss of chance: they must be narrower than the share by that factor.
        let scale = of_chance.mid().clamp(0.0, 1.0);
        let environment = EnclosedEnvironment { width: plain.width * scale, scale, ..plain.clone() };
        let of_chance = optimal::optimal(&EnclosedCurve::diagonal(), &environment);
        let mut loss = optimal::optimal_of_hull(hull, &environment);
        if loss.width() > plain.width {
            loss = loss.meet(optimal::optimal_of_hull(hull, &plain));
        }
        let share = loss / of_chance;
        bounded((Interval::ONE - share).meet(Interval::UNIT))
    }
}
