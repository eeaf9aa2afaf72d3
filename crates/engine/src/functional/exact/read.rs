//! Questions answered in exact arithmetic.

use super::super::cost::Cost;
use super::super::definition::Condition;
use super::super::definition::Prior;
use super::super::missing::Missing;
use super::super::plan::{Bundle, EnvironmentOf, Given, Path, Plan, PlannedCurve, PointExpression, Reader};
use super::super::program::Program;
use super::super::question::Inquiry;
use super::along::{along, optimal, with_corners};
use super::environment::{ExactEnvironment, ExactInputs};
use super::{ExactRefusal, exact_curve, is_probabilistic};
use crate::calculus::quantity::Quantity;
use crate::constant::Constant;
use crate::model::Model;
use crate::model::exact_curve::{ExactCurve, ExactPiece, ExactPoint, Undecided};
use crate::transform::exact as transform;
use crate::transform::exact_hull::{ExactGap, exact_hull};
use rocproof_arith::polynomial::sign;
use rocproof_arith::rational::{from_f64, to_f64};
use rocproof_arith::{Number, Rational};

/// A hull with its non-hull intervals, or an error if two numbers were too close to compare.
type HullOutcome = Result<(ExactCurve, Vec<ExactGap>), Undecided>;

/// The answers to questions at the exact level.
pub(in crate::functional) struct ExactReading {
    /// The answers.
    pub(in crate::functional) values: Vec<Result<Quantity, Missing>>,
    /// The hull of the model and its gaps, if a question needed it.
    pub(in crate::functional) hull: Option<HullOutcome>,
    /// The class proportions.
    pub(in crate::functional) proportions: [Rational; 2],
}

/// Reads the answers to questions off a model in exact arithmetic.
pub(in crate::functional) fn read_exact(model: &Model, inquiry: Inquiry) -> Result<ExactReading, ExactRefusal> {
    let (original, proportions) = exact_curve(model)?;
    let (plan, given) = inquiry.plan(is_probabilistic(&original), proportions[0] == proportions[1]);
    // A transform may be undecided; then only the questions about that curve have no answer.
    let (curves, curve_indices) = plan.curves(Ok(original), |curve: &Result<ExactCurve, Undecided>, transform| {
        curve.as_ref().map_err(|why| *why).and_then(|curve| transform::apply(curve, transform, &proportions))
    });
    // `k` is the index of a planned curve.
    let planned_curve = |k: usize| curves[curve_indices[k]].as_ref().map_err(|why| *why);
    let hull_of = |k: usize| plan.planned_curves[k].hull.then(|| exact_hull(planned_curve(k)?));
    let mut hulls: Vec<Option<HullOutcome>> = (0..plan.planned_curves.len()).map(hull_of).collect();
    let reader_of = |k: usize| {
        let hull = hulls[k].as_ref().map(|outcome| outcome.as_ref().map(|(hull, _)| hull).map_err(|why| *why));
        planned_curve(k).map(|curve| Exact::new(&plan.planned_curves[k], plan, curve, hull, &proportions, given))
    };
    let readers: Vec<Result<Exact, Undecided>> = (0..plan.planned_curves.len()).map(reader_of).collect();
    let answers = plan.answers.iter().map(|answer| match &readers[answer.planned] {
        Ok(reader) => plan.read(answer, reader, given),
        Err(_) => Err(Missing::Undecided),
    });
    let values = answers.collect();
    // The hull of the model is that of the curve without further transforms.
    let untransformed = plan.planned_curves.iter().position(|planned| planned.transforms.is_empty());
    let hull = untransformed.and_then(|planned| hulls[planned].take());
    Ok(ExactReading { values, hull, proportions })
}

/// A curve and its hull, read in exact arithmetic.
pub(super) struct Exact<'a> {
    plan: &'a Plan,
    planned: &'a PlannedCurve,
    curve: &'a ExactCurve,
    /// The hull, if a question needs it; an error if it is undecided.
    hull: Option<Result<&'a ExactCurve, Undecided>>,
    proportions: &'a [Rational; 2],
    costs: &'a [Cost],
    /// The integrals of each bundle, or an error if two numbers were too close to compare.
    integrals: Vec<Result<Vec<Option<Quantity>>, Undecided>>,
}

impl<'a> Exact<'a> {
    /// Computes the integrals of all bundles along a curve and its hull.
    pub(super) fn new(
        planned: &'a PlannedCurve,
        plan: &'a Plan,
        curve: &'a ExactCurve,
        hull: Option<Result<&'a ExactCurve, Undecided>>,
        proportions: &'a [Rational; 2],
        given: Given<'a>,
    ) -> Exact<'a> {
        let mut reader = Exact { plan, planned, curve, hull, proportions, costs: given.costs, integrals: Vec::new() };
        reader.integrals = planned.bundles.iter().map(|bundle| reader.integrals_of(bundle)).collect();
        reader
    }

    /// The integrals of a bundle; `None` for those without an exact value.
    fn integrals_of(&self, bundle: &Bundle) -> Result<Vec<Option<Quantity>>, Undecided> {
        let environment = self.environment(bundle.environment);
        let mut integrals = match bundle.path {
            Path::Curve => along(self.curve, &[], &bundle.group, &environment),
            Path::Corners => with_corners(self.curve, &bundle.group, &environment)?,
            Path::Hull => along(self.hull()?, &[], &bundle.group, &environment),
            Path::Optimal => with_corners(self.hull()?, &bundle.group, &environment)?,
        };
        // Under a cost distribution that is not rational, only expressions that do not read it are exact.
        if !self.is_rational(bundle.environment) {
            let depends = |k: usize| bundle.group.program.reads(k, &["mean", "w"]);
            integrals.iter_mut().enumerate().filter(|(k, _)| depends(*k)).for_each(|(_, value)| *value = None);
        }
        Ok(integrals)
    }

    /// The hull; an error if it is missing or undecided.
    fn hull(&self) -> Result<&'a ExactCurve, Undecided> {
        self.hull.unwrap_or(Err(Undecided))
    }

    /// Whether the distribution of operating conditions has rational parameters.
    fn is_rational(&self, environment: EnvironmentOf) -> bool {
        self.costs[environment.cost].exact_parameters().is_some()
    }

    /// The class proportions under a condition: for skews, classes are balanced.
    fn proportions(&self, condition: Condition) -> [Rational; 2] {
        let half = Rational::ONE / Rational::from(2);
        if condition == Condition::Cost { self.proportions.clone() } else { [half.clone(), half] }
    }

    /// The proportions, costs and range under which an expression is read; uniform costs stand in for ones that are not rational.
    fn environment(&self, of: EnvironmentOf) -> ExactEnvironment {
        let uniform = [Rational::ONE, Rational::ONE];
        let parameters = self.costs[of.cost].exact_parameters().unwrap_or(&uniform);
        ExactEnvironment::new(self.proportions(of.condition), parameters, &self.curve.range)
    }

    /// The value of an expression at the point of the curve that `point` finds for a threshold or rate `at`. `at` and, if the expression reads
    /// them, the costs must be rational.
    fn at(
        &self,
        program: &Program,
        at: &Constant,
        of: EnvironmentOf,
        point: impl Fn(&Rational, &ExactEnvironment) -> Result<ExactPoint, Undecided>,
    ) -> Result<Quantity, Missing> {
        let irrational = || {
            Missing::NotExact("no exact value: the threshold, the rate or the mean of the costs is not rational".into())
        };
        if program.reads(0, &["mean", "w"]) && !self.is_rational(of) {
            return Err(irrational());
        }
        let parameter = at.exact.as_ref().ok_or_else(irrational)?;
        let environment = self.environment(of);
        let point = point(parameter, &environment).map_err(|_| Missing::Undecided)?;
        environment.at(&point, program).map(Quantity::from).ok_or_else(irrational)
    }

    /// The largest absolute value of an expression in `F0` and `F1`: the largest of those at joints, and where its derivative along an arc is
    /// 0. Such expressions are linear in both, so along straight pieces they are largest at an end.
    fn largest_of(&self, program: &Program) -> Result<Quantity, Undecided> {
        let environment = self.environment(EnvironmentOf { condition: Condition::Cost, cost: 0 });
        let mut largest = Number::ZERO;
        let mut consider = |point: &ExactPoint| {
            let Some(value) = environment.at(point, program) else { return };
            // The absolute value; if the sign is undecided, the larger of both.
            let size = match value.sign() {
                Some(-1) => -&value,
                Some(_) => value,
                None => larger(&value, &-&value),
            };
            match (&size - &largest).sign() {
                Some(1) => largest = size,
                Some(_) => {}
                None => largest = larger(&largest, &size),
            }
        };
        for (_, piece) in self.curve.massive() {
            // The curve starts at 0, and each piece where the one before ends.
            consider(&piece.end());
            let ExactPiece::Arc(arc) = piece else { continue };
            let Some(value) = environment.values(program, ExactInputs::along_arc(arc)).into_iter().next().flatten()
            else {
                continue;
            };
            let critical = arc.roots_inside(value.derivative().numerator()).ok_or(Undecided)?;
            critical.iter().for_each(|u| consider(&arc.at(u)));
        }
        Ok(Quantity::from(largest))
    }
}

impl Reader for Exact<'_> {
    type Number = Quantity;

    /// The scale of the scores; its ends are rounded.
    fn range(&self) -> (f64, f64) {
        let [l, h] = &self.curve.range;
        (to_f64(l), to_f64(h))
    }

    /// One of the integrals of a bundle; missing if it has no meaning on the pieces of the path, or has no exact value.
    fn integral(&self, bundle: usize, k: usize) -> Result<Quantity, Missing> {
        let integrals = self.integrals[bundle].as_ref().map_err(|_| Missing::Undecided)?;
        let Bundle { group, environment, path } = &self.planned.bundles[bundle];
        let followed = match path {
            Path::Curve | Path::Corners => self.curve,
            Path::Hull | Path::Optimal => self.hull().map_err(|_| Missing::Undecided)?,
        };
        if let Some(why) = group.lacks(k, followed.kinds()) {
            return Err(why);
        }
        integrals[k].clone().ok_or_else(|| {
            let (cost, has_weight) = (&self.costs[environment.cost], self.environment(*environment).weight.is_some());
            let why = if group.program.reads(k, &["w"]) && !has_weight || !self.is_rational(*environment) {
                format!("no exact value under {cost}: its parameters must be whole numbers, not above 64 together")
            } else {
                "no exact value: it does not converge, or is not an integral of rational functions".to_owned()
            };
            Missing::NotExact(why.into())
        })
    }

    /// `a + b·integral`, where `a` and `b` are small rationals that floats hold exactly.
    fn affine(&self, a: f64, b: f64, integral: Quantity) -> Quantity {
        let [a, b] = [a, b].map(|number| from_f64(number).unwrap_or(Rational::ZERO));
        let mut value = Quantity::from(a);
        value.add(&integral, &b);
        value
    }

    fn largest(&self, k: usize) -> Result<Quantity, Missing> {
        self.largest_of(&self.plan.points[self.planned.extremes[k]].program).map_err(|_| Missing::Undecided)
    }

    /// The value of an expression where the score is `at`.
    fn at_score(
        &self,
        PointExpression { program, .. }: &PointExpression,
        at: &Constant,
        environment: EnvironmentOf,
    ) -> Result<Quantity, Missing> {
        // The score is the threshold even where the curve has no score there.
        let point =
            |t: &Rational, _: &ExactEnvironment| Ok(ExactPoint { x: t.clone().into(), ..self.curve.at_score(t)? });
        self.at(program, at, environment, point)
    }

    /// The value of an expression where the predicted positive rate is `at`.
    fn at_rate(
        &self,
        PointExpression { program, .. }: &PointExpression,
        at: &Constant,
        environment: EnvironmentOf,
    ) -> Result<Quantity, Missing> {
        self.at(program, at, environment, |rate, environment| self.curve.at_rate(rate, &environment.proportions))
    }

    /// Hand's H: `1 - loss/chance` for the optimal losses of the hull and of the diagonal.
    fn share_of_chance(&self, prior: Prior, environment: EnvironmentOf) -> Result<Quantity, Missing> {
        let proportions = self.proportions(environment.condition);
        let parameters = prior.parameters(proportions.clone());
        let environment = ExactEnvironment::new(proportions, &parameters, &self.curve.range);
        let not_whole =
            "its cost distribution has parameters that are not whole numbers; another level gives it numerically";
        let or_missing = |loss: Result<Option<Quantity>, Undecided>| match loss {
            Ok(loss) => loss.ok_or(Missing::NotExact(not_whole.into())),
            Err(Undecided) => Err(Missing::Undecided),
        };
        let chance = or_missing(optimal(&ExactCurve::diagonal(), &environment))?;
        let chance = chance.as_rational().filter(|chance| sign(chance) > 0).ok_or(Missing::Undecided)?;
        let loss = or_missing(self.hull().and_then(|hull| optimal(hull, &environment)))?;
        // 1 - loss/chance.
        let mut share = Quantity::from(Rational::ONE);
        share.add(&loss, &-(Rational::ONE / chance));
        Ok(share)
    }
}

/// The larger of two numbers that are too close to compare, as a number known by enclosures.
fn larger(a: &Number, b: &Number) -> Number {
    let (a, b) = (a.clone(), b.clone());
    Number::computed(move |bits| {
        let (a, b) = (a.enclosure(bits)?, b.enclosure(bits)?);
        Some(a.larger(&b))
    })
}
