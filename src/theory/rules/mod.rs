//! Rules: what is not negative for every model of a class.
//!
//! A rule is plain data. [`Rule::non_negative`] alone says what it proves: it checks the side conditions and computes the sum of
//! integrals anew, so whoever hands over rules need not be trusted.

pub mod factor;
pub mod hull;
#[cfg(test)]
mod tests;

use super::form::Form;
use super::lower::{Setting, Track};
use super::sum::Sum;
use crate::arith::Fraction;
use crate::statement::{Asked, Choice, Statement, Term};
use factor::{
    Factor, functional, is_bounded, is_positive, is_strict, larger_minus_smaller, polynomial, signs, supposed,
};
pub use hull::Hulled;
use serde::{Deserialize, Serialize};

/// In what rules are read.
pub struct Context<'a> {
    /// The setting of the statement.
    pub setting: &'a mut Setting,
    /// The statement.
    pub statement: &'a Statement,
}

/// What is not negative: a fact, times factors, times the square of a polynomial.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rule {
    /// What is known.
    pub fact: Fact,
    /// Factors and their powers. Only what is integrated may be multiplied by something that varies along the curve.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub factors: Vec<(Factor, u32)>,
    /// A polynomial in `x F0 F1 R c pi0 pi1 beta0 beta1 l h KS`; its square counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub square: Option<String>,
}

/// What is known to be not negative.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fact {
    /// The number 1, which is positive.
    One,
    /// A polynomial in `pi0` that is not negative for `0 < pi0 < 1`, which Sturm's theorem tells.
    Share(String),
    /// The integral along a track, or one stretch of it, of the factors with respect to a coordinate that never falls.
    Along {
        /// Whose curve.
        track: Track,
        /// Which stretch; all of them if it is not given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        stretch: Option<usize>,
        /// What grows.
        differential: Differential,
    },
    /// `L[T; w] - L[o; w]`: a loss is at least the optimal one under the same operating conditions.
    ///
    /// Whatever threshold `T` takes under a cost proportion `c`, its point `(F1, F0)` lies on the curve, or on a chord of it where ties
    /// are split or the curve was replaced by its hull; so it does not lie above the hull, and `Q` there is at least the minimum of `Q`
    /// over the hull. The mean over `w` keeps the order.
    Optimality {
        /// The loss, such as `L[rd; beta(2, 2)](Conv(m))`.
        loss: String,
    },
    /// The curve and its hull compared.
    Hull(Hulled),
    /// A premise or condition of the statement: the larger side minus the smaller one.
    Supposed {
        /// Its place among premises and conditions.
        condition: usize,
        /// Of equal sides, the right one minus the left one.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        turned: bool,
    },
}

/// A coordinate that never falls along a curve, as its differential.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Differential {
    /// Scores never fall.
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
    /// Only where the posterior never falls: along hulls and convex curves.
    #[serde(rename = "dc")]
    Posterior,
}

/// A sum of integrals that is not negative, or positive, for every model of the class.
#[derive(Clone, Debug)]
pub struct NonNegative {
    /// The sum.
    pub sum: Sum,
    /// Whether it never vanishes.
    pub positive: bool,
}

impl Differential {
    /// The form, with what multiplies it.
    fn form(self, setting: &Setting, track: Track, by: &Fraction) -> Result<Form, String> {
        let c = Fraction::variable("c");
        let mut form = Form::zero();
        match self {
            Differential::Score => form.dx = by.clone(),
            Differential::F0 => form.dr = by * &(Fraction::one() - c),
            Differential::F1 => form.dr = by * &c,
            Differential::Rate => form.dr = by.clone(),
            Differential::Posterior if setting.is_convex(track) => form.dc = by.clone(),
            Differential::Posterior => return Err("dc needs a posterior that never falls".into()),
        }
        Ok(form)
    }
}

impl Rule {
    /// A fact by itself.
    pub fn of(fact: Fact) -> Rule {
        Rule { fact, factors: Vec::new(), square: None }
    }

    /// What the rule proves; why not, if a side condition does not hold.
    pub fn non_negative(&self, setting: &mut Setting, statement: &Statement) -> Result<NonNegative, String> {
        let context = &mut Context { setting, statement };
        let place = match &self.fact {
            Fact::Along { track, stretch, .. } => Some((*track, *stretch)),
            _ => None,
        };
        let mut product = Fraction::one();
        let mut positive = true;
        for (factor, power) in &self.factors {
            let value = factor.value(context, place)?;
            let power = i32::try_from(*power).ok().and_then(|n| value.power(n));
            product = product * power.ok_or("a power is too large")?;
            positive &= factor.is_positive(statement);
        }
        if let Some(text) = &self.square {
            let root = polynomial(context, text)?;
            let varies = ["x", "F0", "F1", "c"].iter().any(|coordinate| root.depends_on(*coordinate));
            if varies && place.is_none() {
                return Err(format!("{text} varies along the curve"));
            }
            product = product * &root * root;
            positive = false;
        }
        let fact = self.fact.sum(context, &product)?;
        Ok(NonNegative { sum: fact.sum, positive: positive && fact.positive })
    }
}

impl Fact {
    fn sum(&self, context: &mut Context, by: &Fraction) -> Result<NonNegative, String> {
        let not_negative = |sum: Sum| Ok(NonNegative { sum: sum.times(by), positive: false });
        match self {
            Fact::One => Ok(NonNegative { sum: Sum::number(by.clone()), positive: true }),
            Fact::Share(text) => {
                let share = polynomial(context, text)?;
                let signs = share.as_polynomial().and_then(signs);
                let Some([true, positive]) = signs else {
                    return Err(format!("{text} is negative for some pi0"));
                };
                Ok(NonNegative { sum: Sum::number(&share * by), positive })
            }
            Fact::Along { track, stretch, differential } => {
                let form = differential.form(context.setting, *track, by)?;
                let sum = Sum::along(context.setting, *track, *stretch, &form);
                Ok(NonNegative { sum: sum.ok_or("an integrand is not defined everywhere")?, positive: false })
            }
            Fact::Optimality { loss } => not_negative(excess(context, loss)?),
            Fact::Hull(hulled) => not_negative(hulled.sum(context.setting)?),
            Fact::Supposed { condition, turned } => {
                let condition = supposed(context.statement, *condition)?;
                let difference = larger_minus_smaller(context, condition)?;
                let denominator = Fraction::from(difference.denominator());
                if !is_positive(context, &(&denominator * &denominator)) {
                    return Err("a condition divides by what may be zero".into());
                }
                if *turned && condition.relation != crate::lang::Relation::Equal {
                    return Err("only equal sides may be turned".into());
                }
                let difference = if *turned { -&difference } else { difference };
                let sum = Sum::of(context.setting, &difference).map_err(|why| why.to_string())?;
                Ok(NonNegative { sum: sum.times(by), positive: is_strict(condition.relation) })
            }
        }
    }
}

/// A loss minus the optimal one under the same operating conditions.
fn excess(context: &mut Context, text: &str) -> Result<Sum, String> {
    use crate::functional::definition::Scores;
    let loss = functional(context, text)?;
    if !matches!(loss.asked, Asked::Loss(_)) {
        return Err(format!("{text} is not a loss"));
    }
    let on_its_scale = match loss.scores() {
        Scores::Any => true,
        Scores::Bounded => is_bounded(context.statement, context.setting),
        Scores::Probabilities => context.setting.range == [Fraction::zero(), Fraction::one()],
    };
    if !on_its_scale {
        return Err(format!("the models need not have {text}"));
    }
    let mut optimal = loss.clone();
    (optimal.asked, optimal.transforms) = (Asked::Loss(Choice::Optimal), Vec::new());
    let mut read = |functional| context.setting.term(&Term::Value(Box::new(functional)));
    let difference = read(loss).and_then(|loss| Ok(loss - read(optimal)?));
    difference.and_then(|difference| Sum::of(context.setting, &difference)).map_err(|why| why.to_string())
}
