//! Plans: the integrals and point values that a list of questions needs, each computed once, and how each answer follows from them.

mod lower;

use super::cost::Cost;
use super::definition::Condition;
use super::definition::{Prior, Scores};
use super::group::{Group, Origin};
use super::missing::Missing;
use super::program::Program;
use crate::constant::Constant;
use crate::model::Transform;

/// The computations that a list of questions needs.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    /// The curves, one for each list of transforms that comes up.
    pub(in crate::functional) planned_curves: Vec<PlannedCurve>,
    /// The answers, in the order of the questions.
    pub(in crate::functional) answers: Vec<Answer>,
    /// Expressions that are read at single points.
    pub(in crate::functional) points: Vec<PointExpression>,
    /// The distributions of operating conditions that come up.
    pub(in crate::functional) costs: Vec<Cost>,
    /// The thresholds and rates that come up.
    pub(in crate::functional) parameters: Vec<Constant>,
}

/// An expression that is read at single points: its text, compiled.
#[derive(Debug)]
pub(in crate::functional) struct PointExpression {
    pub(in crate::functional) text: String,
    pub(in crate::functional) program: Program,
    pub(in crate::functional) origin: Origin,
}

/// The values to be read off the curve of a model after some transforms.
#[derive(Debug)]
pub(in crate::functional) struct PlannedCurve {
    pub(in crate::functional) transforms: Vec<Transform>,
    pub(in crate::functional) bundles: Vec<Bundle>,
    /// The expressions whose largest absolute value is needed, as indices into the points of the plan.
    pub(in crate::functional) extremes: Vec<usize>,
    /// Whether a value needs the hull.
    pub(in crate::functional) hull: bool,
}

/// Integrals that are computed together: a group of expressions along one path in one environment.
#[derive(Debug)]
pub(in crate::functional) struct Bundle {
    pub(in crate::functional) path: Path,
    pub(in crate::functional) environment: EnvironmentOf,
    pub(in crate::functional) group: Group,
}

/// The path of an integral.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::functional) enum Path {
    /// The curve.
    Curve,
    /// The curve and around its corners.
    Corners,
    /// The hull.
    Hull,
    /// The hull and around its corners: the optimal loss.
    Optimal,
}

/// The class proportions and costs under which an expression is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::functional) struct EnvironmentOf {
    pub(in crate::functional) condition: Condition,
    /// The index of the distribution of operating conditions.
    pub(in crate::functional) cost: usize,
}

/// How a question is answered.
#[derive(Debug)]
pub(in crate::functional) struct Answer {
    /// The index of the curve.
    pub(in crate::functional) planned: usize,
    /// The scores to which the question applies.
    pub(in crate::functional) scores: Scores,
    pub(in crate::functional) computation: Computation,
}

/// How an answer follows from the values of a curve.
#[derive(Clone, Copy, Debug)]
pub(in crate::functional) enum Computation {
    /// One of the integrals of a bundle.
    Integral { bundle: usize, k: usize },
    /// `a + b·m` for an integral `m` of a bundle.
    Affine { a: f64, b: f64, bundle: usize, k: usize },
    /// The largest absolute value of one of the extremes.
    Largest(usize),
    /// An expression where the score is a parameter.
    AtScore { point: usize, parameter: usize, environment: EnvironmentOf },
    /// An expression where the predicted positive rate is a parameter.
    AtRate { point: usize, parameter: usize, environment: EnvironmentOf },
    /// Hand's H: the optimal loss as a share of that of chance, subtracted from 1.
    ShareOfChance(Prior, EnvironmentOf),
    /// No value: the question does not apply to such scores.
    Nothing,
}

/// A curve from which answers are read, at some level of evidence.
pub(in crate::functional) trait Reader {
    /// The type of values at this level.
    type Number;
    /// The range of the scores: [0, 1] if they all lie in it, otherwise from the smallest to the largest.
    fn range(&self) -> (f64, f64);
    /// One of the integrals of a bundle.
    fn integral(&self, bundle: usize, k: usize) -> Result<Self::Number, Missing>;
    /// `a + b·integral`.
    fn affine(&self, a: f64, b: f64, integral: Self::Number) -> Self::Number;
    /// The largest absolute value of one of the extremes.
    fn largest(&self, k: usize) -> Result<Self::Number, Missing>;
    /// The value of an expression where the score is a parameter.
    fn at_score(
        &self,
        expression: &PointExpression,
        at: &Constant,
        environment: EnvironmentOf,
    ) -> Result<Self::Number, Missing>;
    /// The value of an expression where the predicted positive rate is a parameter.
    fn at_rate(
        &self,
        expression: &PointExpression,
        at: &Constant,
        environment: EnvironmentOf,
    ) -> Result<Self::Number, Missing>;
    /// Hand's H: `1 - loss/chance` for the optimal losses of the hull and of the diagonal, with costs distributed as `prior` says.
    fn share_of_chance(&self, prior: Prior, environment: EnvironmentOf) -> Result<Self::Number, Missing>;
}

/// The distributions of operating conditions, and the thresholds and rates, that the indices of a plan refer to.
#[derive(Clone, Copy, Debug)]
pub(in crate::functional) struct Given<'a> {
    pub(in crate::functional) costs: &'a [Cost],
    pub(in crate::functional) parameters: &'a [Constant],
}

impl Plan {
    /// The costs and parameters that were asked for.
    pub(in crate::functional) fn given(&self) -> Given<'_> {
        Given { costs: &self.costs, parameters: &self.parameters }
    }

    /// The transformed curves of all planned curves, each computed once from `curve` by `apply`; and for each planned curve the index of
    /// its curve among them. Lists of transforms with a common prefix share the curves of the prefix.
    pub(in crate::functional) fn curves<C>(
        &self,
        curve: C,
        apply: impl Fn(&C, Transform) -> C,
    ) -> (Vec<C>, Vec<usize>) {
        // The curves so far, and for each the transforms that led to it.
        let (mut curves, mut prefixes): (Vec<C>, Vec<&[Transform]>) = (vec![curve], vec![&[]]);
        let mut indices = Vec::with_capacity(self.planned_curves.len());
        for planned in &self.planned_curves {
            let mut index = 0;
            for (k, transform) in planned.transforms.iter().enumerate() {
                let prefix = &planned.transforms[..=k];
                index = prefixes.iter().position(|t| *t == prefix).unwrap_or_else(|| {
                    curves.push(apply(&curves[index], *transform));
                    prefixes.push(prefix);
                    curves.len() - 1
                });
            }
            indices.push(index);
        }
        (curves, indices)
    }

    /// For each bundle of a planned curve, whether an answer needs it that `wanted` marks.
    pub(in crate::functional) fn needed_bundles(&self, planned: usize, wanted: &[bool]) -> Vec<bool> {
        let mut needed = vec![false; self.planned_curves[planned].bundles.len()];
        let is_needed = |(answer, wanted): &(&Answer, &bool)| answer.planned == planned && **wanted;
        for (answer, _) in self.answers.iter().zip(wanted).filter(is_needed) {
            if let Computation::Integral { bundle, .. } | Computation::Affine { bundle, .. } = answer.computation {
                needed[bundle] = true;
            }
        }
        needed
    }

    /// The answer to a question, from the reader of its curve.
    pub(in crate::functional) fn read<R: Reader>(
        &self,
        answer: &Answer,
        reader: &R,
        given: Given,
    ) -> Result<R::Number, Missing> {
        if let Some(why) = answer.scores.refusal(reader.range()) {
            return Err(Missing::Inapplicable(why.into()));
        }
        match answer.computation {
            Computation::Integral { bundle, k } => reader.integral(bundle, k),
            Computation::Affine { a, b, bundle, k } => {
                reader.integral(bundle, k).map(|integral| reader.affine(a, b, integral))
            }
            Computation::Largest(k) => reader.largest(k),
            Computation::AtScore { point, parameter, environment } => {
                reader.at_score(&self.points[point], &given.parameters[parameter], environment)
            }
            Computation::AtRate { point, parameter, environment } => {
                reader.at_rate(&self.points[point], &given.parameters[parameter], environment)
            }
            Computation::ShareOfChance(prior, environment) => reader.share_of_chance(prior, environment),
            Computation::Nothing => Err(Missing::Inapplicable("it does not apply".into())),
        }
    }
}
