//! Questions taken apart: which integrals along which curves, under which class proportions and costs, and what is made of them.

use super::cost::Cost;
use super::definition::{Method, NAMES, Prior, Reading, Scores, metric_named};
use super::evaluate::Condition;
use super::group::{Group, Origin};
use super::program::Program;
use super::question::{Asked, Question, Why};
use crate::lang::{Diagnostic, Expr, Kind, Source, parse};
use crate::model::Transform;
use crate::model::constant::Constant;

/// What a list of questions needs.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    /// The curves.
    pub(super) sites: Vec<Site>,
    /// The answers, in the order of the questions.
    pub(super) answers: Vec<Answer>,
    /// Expressions that are read at single points.
    pub(super) points: Vec<AtPoint>,
    /// The distributions of operating conditions that come up.
    pub(super) costs: Vec<Cost>,
    /// The thresholds and rates that come up.
    pub(super) parameters: Vec<Constant>,
}

/// An expression that is read at single points.
#[derive(Debug)]
pub(super) struct AtPoint {
    pub(super) text: String,
    pub(super) program: Program,
    pub(super) origin: Origin,
}

/// What is read off a model after some transforms.
#[derive(Debug)]
pub(super) struct Site {
    pub(super) transforms: Vec<Transform>,
    pub(super) bundles: Vec<Bundle>,
    /// Which of the expressions at points are looked at for their largest absolute value.
    pub(super) extremes: Vec<usize>,
    /// Whether anything needs the hull.
    pub(super) hull: bool,
}

/// Integrals that are computed together.
#[derive(Debug)]
pub(super) struct Bundle {
    pub(super) path: Path,
    pub(super) view: ViewOf,
    pub(super) group: Group,
}

/// What an integral goes along.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Path {
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
pub(super) struct ViewOf {
    pub(super) condition: Condition,
    /// Which of the distributions of operating conditions.
    pub(super) cost: usize,
}

/// How a question is answered.
#[derive(Debug)]
pub(super) struct Answer {
    /// Which of the curves is asked.
    pub(super) site: usize,
    /// What is asked of its scores.
    pub(super) scores: Scores,
    pub(super) what: What,
}

/// What is made of what was computed.
#[derive(Clone, Copy, Debug)]
pub(super) enum What {
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
pub(super) trait Reader {
    /// What values are at this level.
    type Number;
    /// The scale of the scores.
    fn scale(&self) -> (f64, f64);
    /// One of the integrals of a bundle.
    fn integral(&self, bundle: usize, k: usize) -> Result<Self::Number, Why>;
    /// `a + b·m`.
    fn affine(&self, a: f64, b: f64, of: Self::Number) -> Self::Number;
    /// The largest absolute value of one of the extremes.
    fn largest(&self, k: usize) -> Result<Self::Number, Why>;
    /// The value of an expression where the score is a parameter.
    fn at_score(&self, point: &AtPoint, at: &Constant, view: ViewOf) -> Result<Self::Number, Why>;
    /// The value of an expression where the predicted positive rate is a parameter.
    fn at_rate(&self, point: &AtPoint, at: &Constant, view: ViewOf) -> Result<Self::Number, Why>;
    /// Hand's H.
    fn share_of_chance(&self, prior: Prior, view: ViewOf) -> Result<Self::Number, Why>;
}

/// What stands for the distributions of operating conditions and for the thresholds and rates of a plan.
#[derive(Clone, Copy, Debug)]
pub(super) struct Given<'a> {
    pub(super) costs: &'a [Cost],
    pub(super) parameters: &'a [Constant],
}

impl Plan {
    /// What questions need of models whose scores are probabilities or not, whose classes are balanced or not.
    pub(super) fn new(questions: &[Question], probabilistic: bool, balanced: bool) -> Result<Plan, Diagnostic> {
        let mut planner = Planner { plan: Plan::default(), texts: Vec::new(), probabilistic, balanced };
        for question in questions {
            let answer = planner.answer(question)?;
            planner.plan.answers.push(answer);
        }
        planner.finish()
    }

    /// The costs and parameters that were asked for.
    pub(super) fn given(&self) -> Given<'_> {
        Given { costs: &self.costs, parameters: &self.parameters }
    }

    /// The curves that the transforms of each site make of a curve, each made once; and which of them is that of each site.
    pub(super) fn curves<C>(&self, curve: C, make: impl Fn(&C, Transform) -> C) -> (Vec<C>, Vec<usize>) {
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

    /// The answer to a question, from the reader of its curve.
    pub(super) fn read<R: Reader>(&self, answer: &Answer, reader: &R, given: Given) -> Result<R::Number, Why> {
        if let Some(why) = answer.scores.refusal(reader.scale()) {
            return Err(why.into());
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
            What::Nothing => Err("it does not apply".into()),
        }
    }
}

/// Builds a plan.
struct Planner {
    plan: Plan,
    /// The texts of each bundle of each curve.
    texts: Vec<Vec<(Path, ViewOf, Vec<String>)>>,
    probabilistic: bool,
    balanced: bool,
}

/// The place of a value in a list, to which it is added if it is not there yet.
fn place<T: PartialEq>(list: &mut Vec<T>, value: T) -> usize {
    list.iter().position(|known| *known == value).unwrap_or_else(|| {
        list.push(value);
        list.len() - 1
    })
}

impl Planner {
    fn answer(&mut self, question: &Question) -> Result<Answer, Diagnostic> {
        let site = self.site(&question.transforms);
        let cost = place(&mut self.plan.costs, question.cost.clone());
        let view = self.view(question.condition, cost);
        let half = || Constant::rational(crate::arith::Rational::ONE / crate::arith::Rational::from(2));
        let (scores, what) = match &question.asked {
            Asked::Metric(definition, at) => {
                let at = at.clone().unwrap_or_else(half);
                let what = self.reading(site, definition.scores, definition.reading, view, Some(&at))?;
                (definition.scores, what)
            }
            Asked::Loss(method) => {
                let at = match method {
                    Method::ScoreFixed(at) | Method::RateFixed(at) => Some(at),
                    _ => None,
                };
                (method.scores(), self.reading(site, method.scores(), method.reading(), view, at)?)
            }
            Asked::Integral(text) => {
                let program = typed(text, 1)?;
                let scores = needs(&program);
                let path = if program.reads(0, &["dq1"]) { Path::Corners } else { Path::Curve };
                (scores, self.integral(site, path, view, text)?)
            }
            Asked::AtScore(text, at) => {
                let scores = needs(&typed(text, 0)?);
                (scores, self.at_score(text, at, view)?)
            }
            Asked::AtRate(text, at) => {
                let program = typed(text, 0)?;
                if program.reads(0, &["x", "1-x"]) {
                    let source = Source::new("expression", text);
                    return Err(source
                        .error(
                            source.whole(),
                            "the score where a rate is reached need not be one",
                            "this depends on it",
                        )
                        .help("at a rate F0, F1 and R have values"));
                }
                (needs(&program), self.at_rate(text, at, view)?)
            }
        };
        Ok(Answer { site, scores, what })
    }

    /// With balanced classes a skew is a cost proportion.
    fn view(&self, condition: Condition, cost: usize) -> ViewOf {
        ViewOf { condition: if self.balanced { Condition::Cost } else { condition }, cost }
    }

    fn site(&mut self, transforms: &[Transform]) -> usize {
        let sites = &mut self.plan.sites;
        sites.iter().position(|site| site.transforms == transforms).unwrap_or_else(|| {
            let transforms = transforms.to_vec();
            sites.push(Site { transforms, bundles: Vec::new(), extremes: Vec::new(), hull: false });
            self.texts.push(Vec::new());
            sites.len() - 1
        })
    }

    /// Whether the scores of a curve are probabilities.
    fn is_probabilistic(&self, site: usize) -> bool {
        let makes = |transform: &Transform| matches!(transform, Transform::Cal | Transform::Even);
        self.probabilistic || self.plan.sites[site].transforms.iter().any(makes)
    }

    /// What a definition needs.
    fn reading(
        &mut self,
        site: usize,
        scores: Scores,
        reading: Reading,
        view: ViewOf,
        at: Option<&Constant>,
    ) -> Result<What, Diagnostic> {
        if scores == Scores::Probabilities && !self.is_probabilistic(site) {
            return Ok(What::Nothing);
        }
        let balanced = self.view(Condition::Skew, view.cost);
        let of = |name: &str| metric_named(name).map(|definition| definition.reading);
        Ok(match (reading, at) {
            (Reading::Along(text), _) => self.integral(site, Path::Curve, view, text)?,
            (Reading::AlongHull(text), _) => self.integral(site, Path::Optimal, view, text)?,
            (Reading::AtScore(text), Some(at)) => self.at_score(text, at, view)?,
            (Reading::AtRate(text), Some(at)) => self.at_rate(text, at, view)?,
            (Reading::Largest(text), _) => {
                let point = self.point(text)?;
                What::Largest(place(&mut self.plan.sites[site].extremes, point))
            }
            (Reading::Affine(a, b, name), _) => match of(name) {
                Some(Reading::Along(text)) => match self.integral(site, Path::Curve, view, text)? {
                    What::Integral { bundle, k } => What::Affine { a, b, bundle, k },
                    other => other,
                },
                _ => What::Nothing,
            },
            (Reading::Balanced(name), _) => match of(name) {
                Some(inner) => self.reading(site, scores, inner, balanced, at)?,
                None => What::Nothing,
            },
            (Reading::OfHull(name), _) => match of(name) {
                Some(Reading::Along(text)) => self.integral(site, Path::Hull, view, text)?,
                _ => What::Nothing,
            },
            (Reading::ShareOfChance(prior), _) => {
                self.plan.sites[site].hull = true;
                What::ShareOfChance(prior, view)
            }
            (Reading::AtScore(_) | Reading::AtRate(_), None) => What::Nothing,
        })
    }

    /// An integral of an expression.
    fn integral(&mut self, site: usize, path: Path, view: ViewOf, text: &str) -> Result<What, Diagnostic> {
        let program = Program::new(&[text])?;
        // What does not depend on the costs or on the proportions is the same under all.
        let cost = if program.reads(0, &["mean", "w"]) { view.cost } else { 0 };
        let condition = if program.reads(0, &["pi0", "pi1"]) { view.condition } else { Condition::Cost };
        let view = ViewOf { condition, cost };
        self.plan.sites[site].hull |= matches!(path, Path::Hull | Path::Optimal);
        let bundles = &mut self.texts[site];
        let bundle = bundles.iter().position(|(p, v, _)| (*p, *v) == (path, view)).unwrap_or_else(|| {
            bundles.push((path, view, Vec::new()));
            bundles.len() - 1
        });
        Ok(What::Integral { bundle, k: place(&mut bundles[bundle].2, text.to_owned()) })
    }

    fn at_score(&mut self, text: &str, at: &Constant, view: ViewOf) -> Result<What, Diagnostic> {
        let (point, parameter) = (self.point(text)?, place(&mut self.plan.parameters, at.clone()));
        Ok(What::AtScore { point, parameter, view })
    }

    fn at_rate(&mut self, text: &str, at: &Constant, view: ViewOf) -> Result<What, Diagnostic> {
        let (point, parameter) = (self.point(text)?, place(&mut self.plan.parameters, at.clone()));
        Ok(What::AtRate { point, parameter, view })
    }

    /// The place of an expression that is read at single points.
    fn point(&mut self, text: &str) -> Result<usize, Diagnostic> {
        if let Some(known) = self.plan.points.iter().position(|known| known.text == text) {
            return Ok(known);
        }
        let (program, origin) = (Program::new(&[text])?, Origin::of(text));
        self.plan.points.push(AtPoint { text: text.to_owned(), program, origin });
        Ok(self.plan.points.len() - 1)
    }

    fn finish(mut self) -> Result<Plan, Diagnostic> {
        for (site, bundles) in self.plan.sites.iter_mut().zip(self.texts) {
            for (path, view, texts) in bundles {
                site.bundles.push(Bundle { path, view, group: Group::new(texts)? });
            }
        }
        Ok(self.plan)
    }
}

/// What an expression that the user typed asks of the scores.
fn needs(program: &Program) -> Scores {
    if program.reads(0, &["l", "h"]) { Scores::Bounded } else { Scores::Any }
}

/// Compiles an expression that the user typed and that should have this degree in the differentials.
fn typed(text: &str, degree: i32) -> Result<Program, Diagnostic> {
    let source = Source::new(if degree == 1 { "integral" } else { "expression" }, text);
    let expr = parse(&source)?;
    if let Some((name, of)) = unknown_name(&expr) {
        let label = "not in the vocabulary";
        return Err(source
            .error(of.span, format!("unknown name `{name}`"), label)
            .help(format!("the names are {}, Q(..) and w(..)", NAMES.join(" "))));
    }
    let program = Program::of_syntax([(&source, &expr)])?;
    let directed = ["q0", "q1", "dq1", "dx", "dF0", "dF1"];
    if program.is_of_degree(0, degree) && (degree == 1 || !program.reads(0, &directed)) {
        return Ok(program);
    }
    let error = |message: &str, label: &str| source.error(expr.span, message, label);
    Err(match degree {
        1 => error("this has no integral along a curve", "not every term has one differential")
            .help("an integral goes over dx, dF0, dF1, dR or dc: F0^2 dF1"),
        _ => error("this has no value at a point", "it depends on the direction of the curve")
            .help("at a point x, F0, F1 and R have values; c and differentials do not"),
    })
}

/// A name that the vocabulary does not have.
fn unknown_name(expr: &Expr) -> Option<(&str, &Expr)> {
    match &expr.kind {
        Kind::Name(name) => (!NAMES.contains(&name.as_str())).then_some((name, expr)),
        Kind::Negate(inner) => unknown_name(inner),
        Kind::Binary(_, left, right) => unknown_name(left).or_else(|| unknown_name(right)),
        Kind::Call(_, _, arguments) => arguments.iter().find_map(unknown_name),
        _ => None,
    }
}
