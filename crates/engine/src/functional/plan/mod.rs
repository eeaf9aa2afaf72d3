//! Questions taken apart: which integrals along which curves, under which class proportions and costs, and what is made of them.

mod lower;

use super::cost::Cost;
use super::definition::Condition;
use super::definition::{Prior, Scores};
use super::group::{Group, Origin};
use super::missing::Missing;
use super::program::Program;
use crate::constant::Constant;
use crate::model::Transform;

/// What a list of questions needs.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    /// The curves.
    pub(in crate::functional) sites: Vec<Site>,
    /// The answers, in the order of the questions.
    pub(in crate::functional) answers: Vec<Answer>,
    /// Expressions that are read at single points.
    pub(in crate::functional) points: Vec<AtPoint>,
    /// The distributions of operating conditions that come up.
    pub(in crate::functional) costs: Vec<Cost>,
    /// The thresholds and rates that come up.
    pub(in crate::functional) parameters: Vec<Constant>,
}

/// An expression that is read at single points.
#[derive(Debug)]
pub(in crate::functional) struct AtPoint {
    pub(in crate::functional) text: String,
    pub(in crate::functional) program: Program,
    pub(in crate::functional) origin: Origin,
}

/// What is read off a model after some transforms.
#[derive(Debug)]
pub(in crate::functional) struct Site {
    pub(in crate::functional) transforms: Vec<Transform>,
    pub(in crate::functional) bundles: Vec<Bundle>,
    /// Which of the expressions at points are looked at for their largest absolute value.
    pub(in crate::functional) extremes: Vec<usize>,
    /// Whether anything needs the hull.
    pub(in crate::functional) hull: bool,
}

/// Integrals that are computed together.
#[derive(Debug)]
pub(in crate::functional) struct Bundle {
    pub(in crate::functional) path: Path,
    pub(in crate::functional) view: ViewOf,
    pub(in crate::functional) group: Group,
}

/// What an integral goes along.
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

/// Under what something is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::functional) struct ViewOf {
    pub(in crate::functional) condition: Condition,
    /// Which of the distributions of operating conditions.
    pub(in crate::functional) cost: usize,
}

/// How a question is answered.
#[derive(Debug)]
pub(in crate::functional) struct Answer {
    /// Which of the curves is asked.
    pub(in crate::functional) site: usize,
    /// What is asked of its scores.
    pub(in crate::functional) scores: Scores,
    pub(in crate::functional) what: What,
}

/// What is made of what was computed.
#[derive(Clone, Copy, Debug)]
pub(in crate::functional) enum What {
    /// One of the integrals of a bundle.
    Integral { bundle: usize, k: usize },
    /// An affine function `a + b·m` of it.
    Affine { a: f64, b: f64, bundle: usize, k: usize },
    /// The largest absolute value of one of the extremes.
    Largest(usize),
    /// An expression where the score is a parameter.
    AtScore { point: usize, parameter: usize, view: ViewOf },
    /// An expression where the predicted positive rate is a parameter.
    AtRate { point: usize, parameter: usize, view: ViewOf },
    /// Hand's H.
    ShareOfChance(Prior, ViewOf),
    /// Nothing: it does not apply to scores like these.
    Nothing,
}

/// A curve from which answers are read, at some level of evidence.
pub(in crate::functional) trait Reader {
    /// What values are at this level.
    type Number;
    /// The scale of the scores.
    fn scale(&self) -> (f64, f64);
    /// One of the integrals of a bundle.
    fn integral(&self, bundle: usize, k: usize) -> Result<Self::Number, Missing>;
    /// `a + b·m`.
    fn affine(&self, a: f64, b: f64, of: Self::Number) -> Self::Number;
    /// The largest absolute value of one of the extremes.
    fn largest(&self, k: usize) -> Result<Self::Number, Missing>;
    /// The value of an expression where the score is a parameter.
    fn at_score(&self, point: &AtPoint, at: &Constant, view: ViewOf) -> Result<Self::Number, Missing>;
    /// The value of an expression where the predicted positive rate is a parameter.
    fn at_rate(&self, point: &AtPoint, at: &Constant, view: ViewOf) -> Result<Self::Number, Missing>;
    /// Hand's H.
    fn share_of_chance(&self, prior: Prior, view: ViewOf) -> Result<Self::Number, Missing>;
}

/// What stands for the distributions of operating conditions and for the thresholds and rates of a plan.
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

    /// The curves that the transforms of each site make of a curve, each made once; and which of them is that of each site.
    pub(in crate::functional) fn curves<C>(&self, curve: C, make: impl Fn(&C, Transform) -> C) -> (Vec<C>, Vec<usize>) {
        let (mut curves, mut known): (Vec<C>, Vec<&[Transform]>) = (vec![curve], vec![&[]]);
        let mut places = Vec::with_capacity(self.sites.len());
        for site in &self.sites {
            let mut place = 0;
            for (k, transform) in site.transforms.iter().enumerate() {
                let transforms = &site.transforms[..=k];
                place = known.iter().position(|t| *t == transforms).unwrap_or_else(|| {
                    curves.push(make(&curves[place], *transform));
                    known.push(transforms);
                    curves.len() - 1
                });
            }
            places.push(place);
        }
        (curves, places)
    }

    /// Which bundles of a site the wanted answers need.
    pub(in crate::functional) fn needed_bundles(&self, site: usize, wanted: &[bool]) -> Vec<bool> {
        let mut needed = vec![false; self.sites[site].bundles.len()];
        for (answer, _) in self.answers.iter().zip(wanted).filter(|(answer, wanted)| answer.site == site && **wanted) {
            if let What::Integral { bundle, .. } | What::Affine { bundle, .. } = answer.what {
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
        if let Some(why) = answer.scores.refusal(reader.scale()) {
            return Err(Missing::Inapplicable(why.into()));
        }
        match answer.what {
            What::Integral { bundle, k } => reader.integral(bundle, k),
            What::Affine { a, b, bundle, k } => reader.integral(bundle, k).map(|of| reader.affine(a, b, of)),
            What::Largest(k) => reader.largest(k),
            What::AtScore { point, parameter, view } => {
                reader.at_score(&self.points[point], &given.parameters[parameter], view)
            }
            What::AtRate { point, parameter, view } => {
                reader.at_rate(&self.points[point], &given.parameters[parameter], view)
            }
            What::ShareOfChance(prior, view) => reader.share_of_chance(prior, view),
            What::Nothing => Err(Missing::Inapplicable("it does not apply".into())),
        }
    }
}
