//! From questions to a plan: which curves, integrals and point values they need.

use super::super::definition::Condition;
use super::super::definition::{NAMES, Primitive, Reading, Resolved, Scores};
use super::super::group::{Group, Origin};
use super::super::program::Program;
use super::super::question::{Asked, CurvePoint, Question};
use super::{Answer, Bundle, Computation, EnvironmentOf, Path, Plan, PlannedCurve, PointExpression};
use crate::constant::Constant;
use crate::model::Transform;
use rocproof_algebra::invariant;
use rocproof_arith::Rational;
use rocproof_language::meaning;
use rocproof_language::{Diagnostic, Expr, Kind, Source, parse};

/// The highest power accepted in a typed expression.
const HIGHEST_POWER: u32 = 128;

impl Plan {
    /// Like [`Plan::new`], for questions that are known to compile.
    pub(in crate::functional) fn of_known(questions: &[Question], probabilistic: bool, balanced: bool) -> Plan {
        match Plan::new(questions, probabilistic, balanced) {
            Ok(plan) => plan,
            Err(error) => invariant!("a question that was read does not compile: {}", error.message),
        }
    }

    /// The plan of a list of questions, for models whose scores are all probabilities or not, and whose classes are balanced or not.
    pub(in crate::functional) fn new(
        questions: &[Question],
        probabilistic: bool,
        balanced: bool,
    ) -> Result<Plan, Diagnostic> {
        let mut planner = Planner { plan: Plan::default(), bundles: Vec::new(), probabilistic, balanced };
        for question in questions {
            let answer = planner.answer(question)?;
            planner.plan.answers.push(answer);
        }
        planner.finish()
    }
}

/// A plan under construction.
struct Planner {
    plan: Plan,
    /// The bundles of each planned curve, before they are compiled.
    bundles: Vec<Vec<BundleTexts>>,
    /// Whether the scores of the model are all probabilities.
    probabilistic: bool,
    /// Whether the classes of the model are balanced.
    balanced: bool,
}

/// The integrands of a bundle, as texts.
struct BundleTexts {
    path: Path,
    environment: EnvironmentOf,
    texts: Vec<String>,
}

/// The index of a value in a list. The value is added if the list does not have it.
fn index_of<T: PartialEq>(list: &mut Vec<T>, value: T) -> usize {
    list.iter().position(|entry| *entry == value).unwrap_or_else(|| {
        list.push(value);
        list.len() - 1
    })
}

impl Planner {
    /// Plans the answer to a question.
    fn answer(&mut self, question: &Question) -> Result<Answer, Diagnostic> {
        let planned = self.planned(&question.transforms);
        let cost = index_of(&mut self.plan.costs, question.cost.clone());
        let environment = self.environment(question.condition, cost);
        let (scores, computation) = match &question.asked {
            Asked::Metric(definition, point) => {
                let half = Constant::rational(Rational::ONE / Rational::from(2));
                let point = point.as_ref().map_or(CurvePoint::Score(&half), CurvePoint::as_ref);
                let computation =
                    self.reading(planned, definition.scores, definition.reading, environment, Some(point))?;
                (definition.scores, computation)
            }
            Asked::Loss(method) => (
                method.scores(),
                self.reading(planned, method.scores(), method.reading(), environment, method.point())?,
            ),
            Asked::Integral(text) => {
                let program = compile_typed(text, 1)?;
                let path = if program.reads(0, &["dq1"]) { Path::Corners } else { Path::Curve };
                (applicable_scores(&program), self.integral(planned, path, environment, text)?)
            }
            Asked::At(text, CurvePoint::Score(at)) => {
                let scores = applicable_scores(&compile_typed(text, 0)?);
                (scores, self.at_score(text, at, environment)?)
            }
            Asked::At(text, CurvePoint::Rate(at)) => {
                let program = compile_typed(text, 0)?;
                if program.reads(0, &["x", "1-x"]) {
                    return Err(score_at_rate_error(text));
                }
                (applicable_scores(&program), self.at_rate(text, at, environment)?)
            }
        };
        Ok(Answer { planned, scores, computation })
    }

    /// The environment for a condition and the index of a cost. With balanced classes a skew is a cost proportion.
    fn environment(&self, condition: Condition, cost: usize) -> EnvironmentOf {
        EnvironmentOf { condition: if self.balanced { Condition::Cost } else { condition }, cost }
    }

    /// The index of the planned curve with these transforms, which is added if there is none.
    fn planned(&mut self, transforms: &[Transform]) -> usize {
        let planned_curves = &mut self.plan.planned_curves;
        planned_curves.iter().position(|planned| planned.transforms == transforms).unwrap_or_else(|| {
            let transforms = transforms.to_vec();
            planned_curves.push(PlannedCurve { transforms, bundles: Vec::new(), extremes: Vec::new(), hull: false });
            self.bundles.push(Vec::new());
            planned_curves.len() - 1
        })
    }

    /// Whether the scores of a curve are probabilities.
    fn is_probabilistic(&self, planned: usize) -> bool {
        let gives_probabilities = |transform: &Transform| matches!(transform, Transform::Cal | Transform::Even);
        self.probabilistic || self.plan.planned_curves[planned].transforms.iter().any(gives_probabilities)
    }

    /// Plans the reading of a definition on a planned curve, at a point of the curve if the reading needs one. If the definition does not
    /// apply to the scores, nothing is computed.
    fn reading(
        &mut self,
        planned: usize,
        scores: Scores,
        reading: Reading,
        environment: EnvironmentOf,
        point: Option<CurvePoint<&Constant>>,
    ) -> Result<Computation, Diagnostic> {
        if scores == Scores::Probabilities && !self.is_probabilistic(planned) {
            return Ok(Computation::Nothing);
        }
        let Some(Resolved { primitive, condition, affine, .. }) = reading.resolve(environment.condition) else {
            return Ok(Computation::Nothing);
        };
        let environment = self.environment(condition, environment.cost);
        let computation = self.primitive(planned, primitive, environment, point)?;
        let Some([a, b]) = affine else { return Ok(computation) };
        match computation {
            Computation::Integral { bundle, k } => Ok(Computation::Affine { a: a.into(), b: b.into(), bundle, k }),
            _ => invariant!("only integrals have affine functions"),
        }
    }

    /// Plans the computation of a primitive reading, at a point of the curve if it needs one.
    fn primitive(
        &mut self,
        planned: usize,
        primitive: Primitive,
        environment: EnvironmentOf,
        point: Option<CurvePoint<&Constant>>,
    ) -> Result<Computation, Diagnostic> {
        Ok(match (primitive, point) {
            (Primitive::Integral { text, hull, corners }, _) => {
                let path = match (hull, corners) {
                    (false, false) => Path::Curve,
                    (false, true) => Path::Corners,
                    (true, false) => Path::Hull,
                    (true, true) => Path::Optimal,
                };
                self.integral(planned, path, environment, text)?
            }
            (Primitive::AtScore(text), Some(CurvePoint::Score(at))) => self.at_score(text, at, environment)?,
            (Primitive::AtScore(text) | Primitive::AtRate(text), Some(CurvePoint::Rate(at))) => {
                self.at_rate(text, at, environment)?
            }
            (Primitive::Largest(text), _) => {
                let point = self.point(text)?;
                Computation::Largest(index_of(&mut self.plan.planned_curves[planned].extremes, point))
            }
            (Primitive::ShareOfChance(prior), _) => {
                self.plan.planned_curves[planned].hull = true;
                Computation::ShareOfChance(prior, environment)
            }
            // A reading at a point without a point, or at a rate with a score, has no value.
            (Primitive::AtScore(_) | Primitive::AtRate(_), _) => Computation::Nothing,
        })
    }

    /// Plans the integral of an expression along a path of a planned curve.
    fn integral(
        &mut self,
        planned: usize,
        path: Path,
        environment: EnvironmentOf,
        text: &str,
    ) -> Result<Computation, Diagnostic> {
        let source = Source::new("integral", text);
        let program = Program::of(&source, meaning::split_restriction(&parse(&source)?).0)?;
        // An integrand that does not read the costs, or the proportions, is computed once for all of them.
        let cost = if program.reads(0, &["mean", "w"]) { environment.cost } else { 0 };
        let condition = if program.reads(0, &["pi0", "pi1"]) { environment.condition } else { Condition::Cost };
        let environment = EnvironmentOf { condition, cost };
        self.plan.planned_curves[planned].hull |= matches!(path, Path::Hull | Path::Optimal);
        let bundles = &mut self.bundles[planned];
        let is_same = |bundle: &BundleTexts| bundle.path == path && bundle.environment == environment;
        let bundle = bundles.iter().position(is_same).unwrap_or_else(|| {
            bundles.push(BundleTexts { path, environment, texts: Vec::new() });
            bundles.len() - 1
        });
        Ok(Computation::Integral { bundle, k: index_of(&mut bundles[bundle].texts, text.to_owned()) })
    }

    /// Plans the value of an expression where the score is `at`.
    fn at_score(&mut self, text: &str, at: &Constant, environment: EnvironmentOf) -> Result<Computation, Diagnostic> {
        let (point, parameter) = (self.point(text)?, index_of(&mut self.plan.parameters, at.clone()));
        Ok(Computation::AtScore { point, parameter, environment })
    }

    /// Plans the value of an expression where the predicted positive rate is `at`.
    fn at_rate(&mut self, text: &str, at: &Constant, environment: EnvironmentOf) -> Result<Computation, Diagnostic> {
        let (point, parameter) = (self.point(text)?, index_of(&mut self.plan.parameters, at.clone()));
        Ok(Computation::AtRate { point, parameter, environment })
    }

    /// The index of an expression that is read at single points; it is added if the plan does not have it.
    fn point(&mut self, text: &str) -> Result<usize, Diagnostic> {
        if let Some(index) = self.plan.points.iter().position(|point| point.text == text) {
            return Ok(index);
        }
        let (program, origin) = (Program::new(&[text])?, Origin::of(text));
        self.plan.points.push(PointExpression { text: text.to_owned(), program, origin });
        Ok(self.plan.points.len() - 1)
    }

    /// Compiles the bundles, and returns the plan.
    fn finish(mut self) -> Result<Plan, Diagnostic> {
        for (planned, bundles) in self.plan.planned_curves.iter_mut().zip(self.bundles) {
            for BundleTexts { path, environment, texts } in bundles {
                planned.bundles.push(Bundle { path, environment, group: Group::new(texts)? });
            }
        }
        Ok(self.plan)
    }
}

/// The scores to which an expression that the user typed applies: bounded ones if it reads the ends of their range.
fn applicable_scores(program: &Program) -> Scores {
    if program.reads(0, &["l", "h"]) { Scores::Bounded } else { Scores::Any }
}

/// Compiles an expression that the user typed: an integrand, of degree 1 in the differentials, or a function of points, of degree 0.
fn compile_typed(text: &str, degree: i32) -> Result<Program, Diagnostic> {
    let source = Source::new(if degree == 1 { "integral" } else { "expression" }, text);
    let whole = parse(&source)?;
    let (expr, _) = meaning::split_restriction(&whole);
    if let Some((name, location)) = unknown_name(expr) {
        let label = "not in the vocabulary";
        return Err(source
            .error(location.span, format!("unknown name `{name}`"), label)
            .help(format!("the names are {}, Q(..) and w(..)", NAMES.join(" "))));
    }
    let program = Program::of(&source, expr)?;
    if program.power(0) > HIGHEST_POWER {
        let message = format!("powers above {HIGHEST_POWER} are not followed");
        return Err(source.error(expr.span, message, "this has a higher one"));
    }
    if degree == 1 {
        meaning::has_one_differential(expr, &source)?;
    } else if program.reads(0, &["q0", "q1", "dq1", "dx", "dF0", "dF1"]) {
        return Err(source
            .error(expr.span, "this has no value at a point", "it depends on the direction of the curve")
            .help("at a point x, F0, F1 and R have values; c and differentials do not"));
    }
    Ok(program)
}

/// The error of an expression that reads the score at a rate: a rate may be reached along a whole interval of scores.
fn score_at_rate_error(text: &str) -> Diagnostic {
    let source = Source::new("expression", text);
    source
        .error(source.whole(), "the score where a rate is reached need not be unique", "this depends on it")
        .help("at a rate F0, F1 and R have values")
}

/// The first name that is not in the vocabulary, with the expression that it is.
fn unknown_name(expr: &Expr) -> Option<(&str, &Expr)> {
    match &expr.kind {
        Kind::Name(name) => (!NAMES.contains(&name.as_str())).then_some((name, expr)),
        Kind::Negate(inner) => unknown_name(inner),
        Kind::Binary(_, left, right) => unknown_name(left).or_else(|| unknown_name(right)),
        Kind::Call(_, _, arguments) => arguments.iter().find_map(unknown_name),
        _ => None,
    }
}
