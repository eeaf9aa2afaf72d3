//! From questions to a plan.

use super::super::definition::Condition;
use super::super::definition::{NAMES, Primitive, Reading, Resolved, Scores};
use super::super::group::{Group, Origin};
use super::super::program::Program;
use super::super::question::{Asked, CurvePoint, Question};
use super::{Answer, AtPoint, Bundle, Path, Plan, Site, ViewOf, What};
use crate::constant::Constant;
use crate::model::Transform;
use rocproof_algebra::invariant;
use rocproof_arith::Rational;
use rocproof_language::meaning;
use rocproof_language::{Diagnostic, Expr, Kind, Source, parse};

/// The highest power that is followed.
const HIGHEST_POWER: u32 = 128;

impl Plan {
    /// The same of questions that are known to compile.
    pub(in crate::functional) fn of_known(questions: &[Question], probabilistic: bool, balanced: bool) -> Plan {
        match Plan::new(questions, probabilistic, balanced) {
            Ok(plan) => plan,
            Err(error) => invariant!("a question that was read does not compile: {}", error.message),
        }
    }

    /// What questions need of models whose scores are probabilities or not, whose classes are balanced or not.
    pub(in crate::functional) fn new(
        questions: &[Question],
        probabilistic: bool,
        balanced: bool,
    ) -> Result<Plan, Diagnostic> {
        let mut planner = Planner { plan: Plan::default(), texts: Vec::new(), probabilistic, balanced };
        for question in questions {
            let answer = planner.answer(question)?;
            planner.plan.answers.push(answer);
        }
        planner.finish()
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
        let (scores, what) = match &question.asked {
            Asked::Metric(definition, point) => {
                let half = Constant::rational(Rational::ONE / Rational::from(2));
                let point = point.as_ref().map_or(CurvePoint::Score(&half), CurvePoint::as_ref);
                let what = self.reading(site, definition.scores, definition.reading, view, Some(point))?;
                (definition.scores, what)
            }
            Asked::Loss(method) => {
                (method.scores(), self.reading(site, method.scores(), method.reading(), view, method.point())?)
            }
            Asked::Integral(text) => {
                let program = typed(text, 1)?;
                let path = if program.reads(0, &["dq1"]) { Path::Corners } else { Path::Curve };
                (needs(&program), self.integral(site, path, view, text)?)
            }
            Asked::At(text, CurvePoint::Score(at)) => {
                let scores = needs(&typed(text, 0)?);
                (scores, self.at_score(text, at, view)?)
            }
            Asked::At(text, CurvePoint::Rate(at)) => {
                let program = typed(text, 0)?;
                if program.reads(0, &["x", "1-x"]) {
                    let source = Source::new("expression", &**text);
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
        point: Option<CurvePoint<&Constant>>,
    ) -> Result<What, Diagnostic> {
        if scores == Scores::Probabilities && !self.is_probabilistic(site) {
            return Ok(What::Nothing);
        }
        let Some(Resolved { primitive, condition, affine, .. }) = reading.resolve(view.condition) else {
            return Ok(What::Nothing);
        };
        let view = self.view(condition, view.cost);
        let what = match (primitive, point) {
            (Primitive::Integral { text, hull, corners }, _) => {
                let path = match (hull, corners) {
                    (false, false) => Path::Curve,
                    (false, true) => Path::Corners,
                    (true, false) => Path::Hull,
                    (true, true) => Path::Optimal,
                };
                self.integral(site, path, view, text)?
            }
            (Primitive::AtScore(text), Some(CurvePoint::Score(at))) => self.at_score(text, at, view)?,
            (Primitive::AtScore(text) | Primitive::AtRate(text), Some(CurvePoint::Rate(at))) => {
                self.at_rate(text, at, view)?
            }
            (Primitive::Largest(text), _) => {
                let point = self.point(text)?;
                What::Largest(place(&mut self.plan.sites[site].extremes, point))
            }
            (Primitive::ShareOfChance(prior), _) => {
                self.plan.sites[site].hull = true;
                What::ShareOfChance(prior, view)
            }
            (Primitive::AtScore(_) | Primitive::AtRate(_), _) => What::Nothing,
        };
        Ok(match (affine, what) {
            (None, what) => what,
            (Some([a, b]), What::Integral { bundle, k }) => What::Affine { a: a.into(), b: b.into(), bundle, k },
            (Some(_), _) => invariant!("only integrals have affine functions"),
        })
    }

    /// An integral of an expression.
    fn integral(&mut self, site: usize, path: Path, view: ViewOf, text: &str) -> Result<What, Diagnostic> {
        let source = Source::new("integral", text);
        let program = Program::of(&source, meaning::split_restriction(&parse(&source)?).0)?;
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
    let whole = parse(&source)?;
    let (expr, _) = meaning::split_restriction(&whole);
    if let Some((name, of)) = unknown_name(expr) {
        let label = "not in the vocabulary";
        return Err(source
            .error(of.span, format!("unknown name `{name}`"), label)
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
