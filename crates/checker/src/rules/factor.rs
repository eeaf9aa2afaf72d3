//! Factors: functions of the coordinates and numbers of the model that are never negative.

use super::Context;
use crate::lower::{Lowering, Track};
use crate::statement::{Asked, Class, Functional, Statement, Term};
use crate::symbol::Symbol;
use rocproof_algebra::sturm::{Sturm, sign_between};
use rocproof_algebra::{Fraction, Multinomial, Rational, invariant};
use rocproof_language::{Expr, Kind, Op, Source, parse};
use serde::{Deserialize, Serialize};

/// A factor that is not negative. The proportions `beta0`, `beta1` of the base define `R` and `c`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Factor {
    /// Scores lie in `[l, h]`.
    #[serde(rename = "x - l")]
    ScoreAboveLowest,
    /// Scores lie in `[l, h]`.
    #[serde(rename = "h - x")]
    ScoreBelowHighest,
    /// A distribution function lies in `[0, 1]`.
    #[serde(rename = "F0")]
    F0,
    /// See `F0`.
    #[serde(rename = "1 - F0")]
    NotF0,
    /// See `F0`.
    #[serde(rename = "F1")]
    F1,
    /// See `F0`.
    #[serde(rename = "1 - F1")]
    NotF1,
    /// `R = beta0 F0 + beta1 F1` lies in `[0, 1]`, as a mean of `F0` and `F1`.
    #[serde(rename = "R")]
    Rate,
    /// See `R`.
    #[serde(rename = "1 - R")]
    NotRate,
    /// The posterior `c = beta1 dF1/dR` lies in `[0, 1]`.
    #[serde(rename = "c")]
    Posterior,
    /// See `c`.
    #[serde(rename = "1 - c")]
    NotPosterior,
    /// Where the posterior never falls, `y = beta1 F1` is a convex function of `R` from `(0, 0)` to `(1, beta1)`. It lies below its chord:
    /// `beta1 F1 <= beta1 R`, that is `F1 <= F0`.
    #[serde(rename = "F0 - F1")]
    Above,
    /// The tangent of that function at a point, of slope `c`, is at most 0 at `R = 0`: `y - c R <= 0`.
    #[serde(rename = "c*R - beta1*F1")]
    TangentAtZero,
    /// That tangent is at most `beta1` at `R = 1`: `y + c (1 - R) <= beta1`.
    #[serde(rename = "beta1*(1 - F1) - c*(1 - R)")]
    TangentAtOne,
    /// On the first stretch of a perfect ranking, scores lie below the border `x*` of the classes.
    #[serde(rename = "x* - x")]
    BeforeBorder,
    /// On the last stretch of a perfect ranking, scores lie above the border `x*` of the classes.
    #[serde(rename = "x - x*")]
    AfterBorder,
    /// An unknown density of operating conditions at an argument: `c` for `w(c)`.
    #[serde(rename = "w")]
    Density(String),
    /// `KS` is the largest distance between `F0` and `F1`. The largest distance of the hull from the diagonal is no larger.
    #[serde(rename = "KS - (F0 - F1)")]
    DistanceAbove,
    /// See `KS - (F0 - F1)`.
    #[serde(rename = "KS + (F0 - F1)")]
    DistanceBelow,
    /// A class proportion, positive.
    #[serde(rename = "pi0")]
    Pi0,
    /// See `pi0`.
    #[serde(rename = "pi1")]
    Pi1,
    /// The length of the scale of scores, positive.
    #[serde(rename = "h - l")]
    Scale,
    /// The border of a perfect ranking lies on the scale.
    #[serde(rename = "x* - l")]
    BorderAboveLowest,
    /// See `x* - l`.
    #[serde(rename = "h - x*")]
    BorderBelowHighest,
    /// The mean of a weight on `[0, 1]`.
    #[serde(rename = "mean")]
    Mean,
    /// See `mean`.
    #[serde(rename = "1 - mean")]
    NotMean,
    /// The largest distance between two functions with values in `[0, 1]`.
    #[serde(rename = "KS")]
    Distance,
    /// See `KS`.
    #[serde(rename = "1 - KS")]
    NotDistance,
    /// A factor at the point that a functional reads: `F0`, `1 - F0`, `F1`, `1 - F1`, `KS - (F0 - F1)`, `KS + (F0 - F1)`, and on convex
    /// curves and hulls `F0 - F1`.
    #[serde(rename = "at")]
    At {
        /// The factor.
        factor: Box<Factor>,
        /// A functional that reads one point only, such as `Acc(t)`.
        place: String,
    },
    /// A condition on class proportions and parameters alone, by its number among premises and conditions.
    #[serde(rename = "supposed")]
    Supposed(usize),
}

/// The track that a factor is integrated along, and its stretch; all stretches if that is `None`.
pub(crate) type IntegrationDomain = (Track, Option<usize>);

impl Factor {
    /// Whether the factor is constant along the curve.
    pub(crate) fn is_number(&self) -> bool {
        use Factor::*;
        matches!(
            self,
            Pi0 | Pi1
                | Scale
                | BorderAboveLowest
                | BorderBelowHighest
                | Mean
                | NotMean
                | Distance
                | NotDistance
                | At { .. }
                | Supposed(_)
        )
    }

    /// Whether it is positive for every model of the statement, and not only non-negative.
    pub fn is_positive(&self, statement: &Statement) -> bool {
        match self {
            Factor::Pi0 | Factor::Pi1 | Factor::Scale => true,
            Factor::Supposed(k) => supposed(statement, *k).is_ok_and(|condition| is_strict(condition.relation)),
            _ => false,
        }
    }

    /// The value as a fraction of symbols. A factor that varies along the curve needs the domain that it is integrated over. The error says
    /// which side condition does not hold.
    pub fn value(&self, context: &mut Context, domain: Option<IntegrationDomain>) -> Result<Fraction, String> {
        self.check_side_condition(context, domain)?;
        let [x, f0, f1, c] = Symbol::COORDINATES.map(Symbol::fraction);
        let one = Fraction::one();
        let lowering = &*context.lowering;
        let [beta0, beta1] = &lowering.base;
        let rate = beta0 * &f0 + beta1 * &f1;
        let [l, h] = &lowering.range;
        let border = Symbol::Border.fraction();
        Ok(match self {
            Factor::ScoreAboveLowest => x - l,
            Factor::ScoreBelowHighest => h - &x,
            Factor::F0 => f0,
            Factor::NotF0 => one - f0,
            Factor::F1 => f1,
            Factor::NotF1 => one - f1,
            Factor::Rate => rate,
            Factor::NotRate => one - rate,
            Factor::Posterior => c,
            Factor::NotPosterior => one - c,
            Factor::Above => f0 - f1,
            Factor::TangentAtZero => c * rate - beta1 * &f1,
            Factor::TangentAtOne => beta1 * &(&one - &f1) - c * (one - rate),
            Factor::BeforeBorder => border - x,
            Factor::AfterBorder => x - border,
            Factor::Density(argument) => Symbol::Weight(argument.clone()).fraction(),
            Factor::DistanceAbove => largest_distance() - (f0 - f1),
            Factor::DistanceBelow => largest_distance() + (f0 - f1),
            Factor::Pi0 => lowering.pi[0].clone(),
            Factor::Pi1 => lowering.pi[1].clone(),
            Factor::Scale => h - l,
            Factor::BorderAboveLowest => border - l,
            Factor::BorderBelowHighest => h - &border,
            Factor::Mean => Symbol::Mean.fraction(),
            Factor::NotMean => one - Symbol::Mean.fraction(),
            Factor::Distance => largest_distance(),
            Factor::NotDistance => one - largest_distance(),
            Factor::At { factor, place } => at_point(factor, place, context)?,
            Factor::Supposed(k) => {
                let difference = larger_minus_smaller(context, supposed(context.statement, *k)?)?;
                if difference.as_polynomial().is_none() {
                    return Err(format!("{} needs a condition without quotients", self.name()));
                }
                difference
            }
        })
    }

    /// Checks the side condition under which the factor is not negative. Factors without one are not negative for any model.
    fn check_side_condition(&self, context: &Context, domain: Option<IntegrationDomain>) -> Result<(), String> {
        if !self.is_number() && domain.is_none() {
            return Err(format!("{} varies along the curve", self.name()));
        }
        let Context { lowering, statement } = context;
        let needs = |holds: bool, what: &str| if holds { Ok(()) } else { Err(format!("{} needs {what}", self.name())) };
        let needs_bounded_scale = || needs(is_bounded(statement, lowering), "scores on a bounded scale");
        let track = domain.map_or(Track::Own, |(track, _)| track);
        let needs_stretch = |name: &str| {
            let stretch = domain.and_then(|(_, k)| k).and_then(|k| lowering.stretches(track).into_iter().nth(k));
            needs(stretch.is_some_and(|stretch| stretch.name == name), &format!("the stretch `{name}`"))
        };
        match self {
            Factor::ScoreAboveLowest | Factor::ScoreBelowHighest | Factor::Scale => needs_bounded_scale(),
            Factor::Above | Factor::TangentAtZero | Factor::TangentAtOne => {
                needs(lowering.is_convex(track), "a posterior that never falls")
            }
            Factor::BeforeBorder => needs_stretch("class 0"),
            Factor::AfterBorder => needs_stretch("class 1"),
            Factor::BorderAboveLowest | Factor::BorderBelowHighest => {
                let [perfect, random] = [Class::Perfect, Class::Random].map(|c| statement.classes.contains(&c));
                needs(perfect && !random, "a perfect ranking")?;
                needs_bounded_scale()
            }
            Factor::Supposed(k) => {
                let mut functionals = supposed(statement, *k)?.sides().into_iter().flat_map(Term::functionals);
                needs(functionals.next().is_none(), "a condition without functionals")
            }
            // `at_point` checks the side conditions of factors at a point.
            Factor::At { .. } => Ok(()),
            Factor::F0 | Factor::NotF0 | Factor::F1 | Factor::NotF1 | Factor::Rate | Factor::NotRate => Ok(()),
            Factor::Posterior | Factor::NotPosterior | Factor::Density(_) => Ok(()),
            Factor::DistanceAbove | Factor::DistanceBelow | Factor::Distance | Factor::NotDistance => Ok(()),
            Factor::Pi0 | Factor::Pi1 | Factor::Mean | Factor::NotMean => Ok(()),
        }
    }

    /// The name for messages.
    pub fn name(&self) -> String {
        match self {
            Factor::At { factor, place } => format!("{} at {place}", factor.name()),
            Factor::Density(at) => format!("w({at})"),
            Factor::Supposed(k) => format!("condition {}", k + 1),
            // All other variants carry no data, and are written as their name in certificates.
            plain => match serde_json::to_value(plain) {
                Ok(serde_json::Value::String(name)) => name,
                other => invariant!("a factor is written {other:?}"),
            },
        }
    }
}

/// `KS`, the largest distance between `F0` and `F1` along the curve.
fn largest_distance() -> Fraction {
    Symbol::Distance(Track::Own).fraction()
}

/// Whether the scores lie in a bounded interval `[l, h]`: the statement requires it, or mentions an end.
pub fn is_bounded(statement: &Statement, lowering: &Lowering) -> bool {
    use rocproof_language::definition::Scores;
    let mentions_end = || {
        let mut symbols = statement.comparisons().flat_map(|c| c.sides()).flat_map(Term::symbols);
        symbols.any(|name| name == "l" || name == "h")
    };
    lowering.range[0].as_rational().is_some() || statement.scores() != Scores::Any || mentions_end()
}

/// Parses a functional of the statement's model. If it reads the curve at a parameter, such as `Acc(t)`, the statement must read it there
/// too.
pub fn functional(context: &Context, text: &str) -> Result<Functional, String> {
    let model = context.statement.models.first().map_or("m", String::as_str);
    // A statement is the only syntax for functionals: make one around the text.
    let parsed = Statement::parse(&format!("for {model}: {text} >= 0")).map_err(|error| error.message)?;
    let ([claim], []) = (parsed.claims.as_slice(), parsed.conditions.as_slice()) else {
        return Err(format!("{text} is not a functional"));
    };
    let Term::Value(functional) = &claim.left else { return Err(format!("{text} is not a functional")) };
    // Only the parameters of the statement have domains among its hypotheses.
    if let Some(parameter) = functional.parameter() {
        let is_same_point = |other: &&Functional| {
            other.parameter() == Some(parameter)
                && other.looks_at_rate(context.statement) == functional.looks_at_rate(context.statement)
        };
        if !context.statement.functionals().iter().any(is_same_point) {
            return Err(format!("{text} reads a point that the statement does not read"));
        }
    }
    Ok((**functional).clone())
}

/// The value of a factor at the point that the functional `text` reads. `F0 - F1` needs a convex curve or a hull.
fn at_point(factor: &Factor, text: &str, context: &mut Context) -> Result<Fraction, String> {
    use rocproof_language::definition::Transform;
    let functional = functional(context, text)?;
    let Some(point) = functional.point().map(|point| point.map(Clone::clone)) else {
        return Err(format!("{text} has no place"));
    };
    let hull = functional.transforms.iter().any(|t| matches!(t, Transform::Conv | Transform::Cal));
    let convex = hull || context.lowering.is_convex(Track::Own);
    let mut value_of = |coordinate: &'static str| {
        let mut value = functional.clone();
        value.asked = Asked::At(coordinate.into(), point.clone());
        context.lowering.term(&Term::Value(Box::new(value))).map_err(|why| why.to_string())
    };
    let one = Fraction::one();
    match factor {
        Factor::F0 => value_of("F0"),
        Factor::NotF0 => Ok(one - value_of("F0")?),
        Factor::F1 => value_of("F1"),
        Factor::NotF1 => Ok(one - value_of("F1")?),
        Factor::Above if convex => Ok(value_of("F0")? - value_of("F1")?),
        Factor::DistanceAbove => Ok(largest_distance() - (value_of("F0")? - value_of("F1")?)),
        Factor::DistanceBelow => Ok(largest_distance() + (value_of("F0")? - value_of("F1")?)),
        _ => Err(format!("{} is not known at a place", factor.name())),
    }
}

/// A premise or condition of the statement, by its number: premises first, from 0.
pub fn supposed(statement: &Statement, k: usize) -> Result<&crate::statement::Comparison, String> {
    let mut suppositions = statement.premises.iter().chain(&statement.conditions);
    suppositions.nth(k).ok_or_else(|| format!("the statement has no condition {}", k + 1))
}

/// Whether a relation excludes equality.
pub fn is_strict(relation: rocproof_language::Relation) -> bool {
    use rocproof_language::Relation;
    matches!(relation, Relation::Less | Relation::Greater)
}

/// The larger side of a comparison minus the smaller one; for an equality the left side minus the right one.
pub fn larger_minus_smaller(
    context: &mut Context,
    comparison: &crate::statement::Comparison,
) -> Result<Fraction, String> {
    use rocproof_language::Relation;
    let mut lower = |term: &Term| context.lowering.term(term).map_err(|why| why.to_string());
    let (left, right) = (lower(&comparison.left)?, lower(&comparison.right)?);
    Ok(match comparison.relation {
        Relation::AtMost | Relation::Less => right - left,
        Relation::AtLeast | Relation::Greater | Relation::Equal => left - right,
    })
}

/// The sign of a polynomial in `pi0` for all `0 < pi0 < 1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signs {
    /// Whether it is nowhere negative.
    pub not_negative: bool,
    /// Whether it is positive everywhere.
    pub positive: bool,
}

/// The sign of a polynomial in `pi0` for all `0 < pi0 < 1`, by Sturm's theorem. `None` if it has other variables.
pub fn signs(polynomial: &Multinomial) -> Option<Signs> {
    let (zero, one) = (Rational::ZERO, Rational::ONE);
    let univariate = polynomial.to_univariate(Symbol::Pi0)?;
    let not_negative = sign_between(&univariate, &zero, &one).is_some_and(|sign| sign >= 0);
    if univariate.is_constant() {
        return Some(Signs { not_negative, positive: univariate.coefficient(0) > zero });
    }
    // Sturm counts the roots in (0, 1]. A root at 1 itself does not matter.
    let squarefree = univariate.squarefree();
    let roots_at_one = usize::from(squarefree.sign_at(&one) == 0);
    let has_root_inside = Sturm::new(&squarefree).count(&zero, &one) > roots_at_one;
    Some(Signs { not_negative, positive: not_negative && !has_root_inside })
}

/// Whether a fraction is surely positive for every model: a power of `h - l` times a fraction that is positive for all `0 < pi0 < 1`.
pub fn is_positive(context: &Context, fraction: &Fraction) -> bool {
    let scale = (&context.lowering.range[1] - &context.lowering.range[0]).as_polynomial().cloned();
    // Numerator times denominator has the sign of the quotient.
    let mut product = fraction.numerator() * &fraction.denominator();
    if let Some(scale) = scale.filter(|s| !s.is_constant())
        && is_bounded(context.statement, context.lowering)
    {
        // h - l is positive on a bounded scale, so its powers may be dropped.
        while let Some(quotient) = product.divided_exactly_by(&scale).filter(|_| !product.is_zero()) {
            product = quotient;
        }
    }
    signs(&product).is_some_and(|signs| signs.positive)
}

/// The largest exponent in a polynomial of a rule.
const LARGEST_EXPONENT: i32 = 16;

/// Reads a polynomial in `x F0 F1 R c pi0 pi1 beta0 beta1 l h KS` and values of functionals, with powers up to 16.
pub fn polynomial(context: &mut Context, text: &str) -> Result<Fraction, String> {
    let expr = parse(&Source::new("polynomial", text)).map_err(|error| error.message)?;
    read_expression(context, text, &expr).ok_or_else(|| format!("`{text}` is not a polynomial in the coordinates"))
}

/// Reads an expression of the kind that [`polynomial`] reads; `None` for any other. `text` is the source of the expression.
fn read_expression(context: &mut Context, text: &str, expr: &Expr) -> Option<Fraction> {
    let lowering = &*context.lowering;
    Some(match &expr.kind {
        Kind::Number(value) => Fraction::constant(value.clone()),
        Kind::Negate(inner) => -&read_expression(context, text, inner)?,
        Kind::Name(name) => match name.as_str() {
            "x" => Symbol::Score.fraction(),
            "F0" => Symbol::F0.fraction(),
            "F1" => Symbol::F1.fraction(),
            "c" => Symbol::Posterior.fraction(),
            "KS" => largest_distance(),
            "R" => &lowering.base[0] * &Symbol::F0.fraction() + &lowering.base[1] * &Symbol::F1.fraction(),
            "pi0" => lowering.pi[0].clone(),
            "pi1" => lowering.pi[1].clone(),
            "beta0" => lowering.base[0].clone(),
            "beta1" => lowering.base[1].clone(),
            "l" => lowering.range[0].clone(),
            "h" => lowering.range[1].clone(),
            _ => return value_of(context, text, expr),
        },
        Kind::Binary(op, left, right) => {
            let (l, r) = (read_expression(context, text, left)?, read_expression(context, text, right)?);
            match op {
                Op::Add => l + r,
                Op::Sub => l - r,
                Op::Mul => l * r,
                // Only numbers may be divisors.
                Op::Div => l.scaled(&(Rational::ONE / r.as_rational().filter(|r| !r.is_zero())?)),
                Op::Pow => {
                    let power = r.as_rational().filter(Rational::is_int)?;
                    let power = i32::try_from(power.numerator()).ok().filter(|n| (0..=LARGEST_EXPONENT).contains(n))?;
                    l.power(power)?
                }
            }
        }
        _ => return value_of(context, text, expr),
    })
}

/// The value of the functional that the expression's span of the text spells; `None` if there is no such functional or it does not apply.
fn value_of(context: &mut Context, text: &str, expr: &Expr) -> Option<Fraction> {
    let functional = functional(context, text.get(expr.span.start..expr.span.end)?).ok()?;
    if !applies(context, &functional) {
        return None;
    }
    context.lowering.term(&Term::Value(Box::new(functional))).ok()
}

/// Whether a functional applies to all models of the statement: their scores meet its requirement.
pub(crate) fn applies(context: &Context, functional: &Functional) -> bool {
    use rocproof_language::definition::Scores;
    match functional.scores() {
        Scores::Any => true,
        Scores::Bounded => is_bounded(context.statement, context.lowering),
        Scores::Probabilities => context.lowering.range == [Fraction::zero(), Fraction::one()],
    }
}
