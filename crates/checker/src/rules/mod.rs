//! Rules: quantities that are not negative for every model of a class.
//!
//! A rule is plain data. [`Rule::non_negative`] checks its side conditions and computes the sum of integrals that it proves not to be
//! negative. So the source of a rule need not be trusted.

pub mod factor;
pub mod hull;
#[cfg(test)]
mod tests;

use crate::certificate::LARGEST_POWER;
use crate::form::OneForm;
use crate::lower::{Lowering, Track};
use crate::statement::{Asked, Comparison, Functional, Statement, Term};
use crate::sum::IntegralSum;
use crate::symbol::Symbol;
use factor::{
    Factor, Signs, applies, functional, is_positive, is_strict, larger_minus_smaller, polynomial, signs, supposed,
};
pub use hull::HullComparison;
use rocproof_algebra::Fraction;
use rocproof_language::Relation;
use rocproof_language::definition::Method;
use serde::{Deserialize, Serialize};

/// The statement that a rule is used for, and its lowering.
pub struct Context<'a> {
    /// The lowering of the statement.
    pub lowering: &'a mut Lowering,
    /// The statement.
    pub statement: &'a Statement,
}

/// A rule: a fact, times factors, times the square of a polynomial, is not negative.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rule {
    /// The fact.
    pub fact: Fact,
    /// Factors with their powers. Factors that vary along the curve may only multiply an integrand.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub factors: Vec<(Factor, u32)>,
    /// A polynomial in `x F0 F1 R c pi0 pi1 beta0 beta1 l h KS`, which enters by its square.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub square: Option<String>,
}

/// A quantity that is known not to be negative.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fact {
    /// The number 1, which is positive.
    One,
    /// A polynomial in `pi0` that is not negative for `0 < pi0 < 1`, by Sturm's theorem.
    Share(String),
    /// The integral of the factors along a track, or one stretch of it, with respect to a coordinate that never falls.
    Along {
        /// The curve.
        track: Track,
        /// The stretch; all of them if it is not given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        stretch: Option<usize>,
        /// The differential of the coordinate.
        differential: Differential,
    },
    /// `L[T; w] - L[o; w]`: a loss is at least the optimal loss under the same operating conditions.
    ///
    /// Whichever threshold `T` takes under a cost proportion `c`, its point `(F1, F0)` lies on the curve, or on a chord of it if a tie is
    /// split or the hull is followed. So it is not above the hull, and `Q` there is at least the minimum of `Q` over the hull. The mean
    /// over `w` preserves the inequality.
    Optimality {
        /// The loss, such as `L[rd; beta(2, 2)](Conv(m))`.
        loss: String,
    },
    /// An inequality between integrals along the curve and along its hull.
    Hull(HullComparison),
    /// `2∫F0 dF1 - 1` along the hull minus `F0 - F1` at a point of the curve, or minus the largest such distance.
    ///
    /// The hull is a concave curve from `(0, 0)` to `(1, 1)` that is not below the point `(F1, F0)`. So the area below it is at least that
    /// below the two chords to that point, `1/2 + (F0 - F1)/2`. On a convex curve `KS` is such a distance.
    Triangle {
        /// A functional that reads the point. If it is not given, the largest distance is meant, on convex curves.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        place: Option<String>,
    },
    /// An integral minus the variable that stands for its value. This is 0, so it may be multiplied by any number.
    Value {
        /// The functional.
        functional: String,
        /// The factor: a polynomial in functionals and class proportions.
        times: String,
    },
    /// A premise or condition of the statement: the larger side minus the smaller one.
    Supposed {
        /// Its number among premises and conditions.
        condition: usize,
        /// For an equality: the right side minus the left one.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        turned: bool,
    },
}

/// A coordinate that never falls along a curve, as its differential.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Differential {
    /// `dx`: scores never fall.
    #[serde(rename = "dx")]
    Score,
    /// `beta0 dF0 = (1 - c) dR`.
    #[serde(rename = "beta0*dF0")]
    F0,
    /// `beta1 dF1 = c dR`.
    #[serde(rename = "beta1*dF1")]
    F1,
    /// `dR`.
    #[serde(rename = "dR")]
    Rate,
    /// `dc`, where the posterior never falls: along hulls and convex curves.
    #[serde(rename = "dc")]
    Posterior,
}

/// A sum of integrals that is not negative, or positive, for every model of the class.
#[derive(Clone, Debug)]
pub struct NonNegative {
    /// The sum.
    pub sum: IntegralSum,
    /// Whether it is positive for every model.
    pub positive: bool,
}

impl Differential {
    /// The product of the differential and a coefficient, as a one-form; fails if the coordinate may fall.
    fn form(self, lowering: &Lowering, track: Track, coefficient: &Fraction) -> Result<OneForm, String> {
        let c = Symbol::Posterior.fraction();
        let mut form = OneForm::zero();
        match self {
            Differential::Score => form.dx = coefficient.clone(),
            Differential::F0 => form.dr = coefficient * &(Fraction::one() - c),
            Differential::F1 => form.dr = coefficient * &c,
            Differential::Rate => form.dr = coefficient.clone(),
            Differential::Posterior if lowering.is_convex(track) => form.dc = coefficient.clone(),
            Differential::Posterior => return Err("dc needs a posterior that never falls".into()),
        }
        Ok(form)
    }
}

impl Rule {
    /// A fact without factors.
    pub fn of(fact: Fact) -> Rule {
        Rule { fact, factors: Vec::new(), square: None }
    }

    /// The sum of integrals that the rule proves not to be negative: fact times factors times square. The error says which side condition
    /// does not hold.
    pub fn non_negative(&self, lowering: &mut Lowering, statement: &Statement) -> Result<NonNegative, String> {
        let context = &mut Context { lowering, statement };
        let domain = match &self.fact {
            Fact::Along { track, stretch, .. } => Some((*track, *stretch)),
            _ => None,
        };
        let total_power = self.factors.iter().fold(0u32, |total, (_, power)| total.saturating_add(*power));
        if total_power > LARGEST_POWER {
            return Err("a rule has too many factors".into());
        }
        let mut product = Fraction::one();
        let mut is_product_positive = true;
        for (factor, power) in &self.factors {
            let value = factor.value(context, domain)?;
            let exponent = i32::try_from(*power).ok().filter(|_| *power <= LARGEST_POWER);
            let power = exponent.and_then(|exponent| value.power(exponent));
            product = product * power.ok_or("a power is too large")?;
            is_product_positive &= factor.is_positive(statement);
        }
        if let Some(text) = &self.square {
            let root = polynomial(context, text)?;
            let varies = Symbol::COORDINATES.iter().any(|coordinate| root.depends_on(coordinate));
            if varies && domain.is_none() {
                return Err(format!("{text} varies along the curve"));
            }
            product = product * &root * root;
            // The polynomial may be 0 for some model.
            is_product_positive = false;
        }
        let fact = self.fact.sum(context, &product)?;
        Ok(NonNegative { sum: fact.sum, positive: is_product_positive && fact.positive })
    }
}

impl Fact {
    /// The fact times a non-negative multiplier, as a sum of integrals. The multiplier varies along the curve only for `Along`. The error
    /// says which side condition does not hold.
    fn sum(&self, context: &mut Context, multiplier: &Fraction) -> Result<NonNegative, String> {
        let not_negative = |sum: IntegralSum| Ok(NonNegative { sum: sum.times(multiplier), positive: false });
        match self {
            Fact::One => Ok(NonNegative { sum: IntegralSum::number(multiplier.clone()), positive: true }),
            Fact::Share(text) => {
                let share = polynomial(context, text)?;
                let signs = share.as_polynomial().and_then(signs);
                let Some(Signs { not_negative: true, positive }) = signs else {
                    return Err(format!("{text} is negative for some pi0"));
                };
                Ok(NonNegative { sum: IntegralSum::number(&share * multiplier), positive })
            }
            Fact::Along { track, stretch, differential } => {
                let form = differential.form(context.lowering, *track, multiplier)?;
                let sum = IntegralSum::along(context.lowering, *track, *stretch, &form);
                Ok(NonNegative { sum: sum.ok_or("an integrand is not defined everywhere")?, positive: false })
            }
            Fact::Optimality { loss } => not_negative(excess_over_optimal(context, loss)?),
            Fact::Hull(comparison) => not_negative(comparison.sum(context.lowering)?),
            Fact::Triangle { place } => not_negative(triangle(context, place.as_deref())?),
            Fact::Value { functional, times } => {
                let times = number(context, times)?;
                not_negative(integral_minus_variable(context, functional)?.times(&times))
            }
            Fact::Supposed { condition, turned } => {
                let condition = supposed(context.statement, *condition)?;
                let sum = supposed_difference(context, condition, *turned)?;
                Ok(NonNegative { sum: sum.times(multiplier), positive: is_strict(condition.relation) })
            }
        }
    }
}

/// An integral minus the variable that stands for its value.
fn integral_minus_variable(context: &mut Context, text: &str) -> Result<IntegralSum, String> {
    let variable = number(context, text)?;
    if !context.lowering.integrals.iter().any(|integral| variable == Fraction::variable(integral.name)) {
        return Err(format!("{text} is not an integral"));
    }
    let mut sum = IntegralSum::of(context.lowering, &variable).map_err(|why| why.to_string())?;
    sum.value = &sum.value - &variable;
    Ok(sum)
}

/// The larger side of a premise or condition minus the smaller one; for a `turned` equality, the right side minus the left one.
fn supposed_difference(context: &mut Context, condition: &Comparison, turned: bool) -> Result<IntegralSum, String> {
    let difference = larger_minus_smaller(context, condition)?;
    // A denominator that is nowhere 0 has a positive square.
    let denominator = Fraction::from(difference.denominator());
    if !is_positive(context, &(&denominator * &denominator)) {
        return Err("a condition divides by what may be zero".into());
    }
    if turned && condition.relation != Relation::Equal {
        return Err("only equal sides may be turned".into());
    }
    let difference = if turned { -&difference } else { difference };
    IntegralSum::of(context.lowering, &difference).map_err(|why| why.to_string())
}

/// Reads a polynomial that does not vary along the curve.
fn number(context: &mut Context, text: &str) -> Result<Fraction, String> {
    let value = polynomial(context, text)?;
    let varies = Symbol::COORDINATES.iter().any(|coordinate| value.depends_on(coordinate));
    if varies { Err(format!("{text} varies along the curve")) } else { Ok(value) }
}

/// Twice the area between the hull and the diagonal, minus the height of the curve above the diagonal: at the point that a functional reads,
/// or else the largest height.
fn triangle(context: &mut Context, place: Option<&str>) -> Result<IntegralSum, String> {
    let height = match place {
        Some(place) => {
            let mut value_at =
                |factor| Factor::At { factor: Box::new(factor), place: place.into() }.value(context, None);
            value_at(Factor::F0)? - value_at(Factor::F1)?
        }
        None if context.lowering.is_convex(Track::Own) => Factor::Distance.value(context, None)?,
        None => return Err("the largest distance needs a posterior that never falls".into()),
    };
    // 2 F0 dF1 = 2 F0 c/β1 dR.
    let [f0, c, two] = [Symbol::F0.fraction(), Symbol::Posterior.fraction(), Fraction::constant(2)];
    let mut form = OneForm::zero();
    form.dr = (two * f0 * c).over(&context.lowering.base[1]).ok_or("a class has no members")?;
    let sum = IntegralSum::along(context.lowering, Track::Hull, None, &form);
    let mut sum = sum.ok_or("an integrand is not defined everywhere")?;
    sum.value = -Fraction::one() - height;
    Ok(sum)
}

/// A loss minus the optimal loss under the same operating conditions.
fn excess_over_optimal(context: &mut Context, text: &str) -> Result<IntegralSum, String> {
    let loss = functional(context, text)?;
    if !matches!(loss.asked, Asked::Loss(_)) {
        return Err(format!("{text} is not a loss"));
    }
    if !applies(context, &loss) {
        return Err(format!("the models need not have {text}"));
    }
    // The optimal loss is that of the untransformed model.
    let optimal = Functional { asked: Asked::Loss(Method::Optimal), transforms: Vec::new(), ..loss.clone() };
    let mut lower = |functional| context.lowering.term(&Term::Value(Box::new(functional)));
    let difference = lower(loss).and_then(|loss| Ok(loss - lower(optimal)?)).map_err(|why| why.to_string())?;
    IntegralSum::of(context.lowering, &difference).map_err(|why| why.to_string())
}
