//! The non-negative numbers of a model that rules are multiplied by.

use super::{Offers, Product, bernstein};
use crate::theory::lower::Track;
use crate::theory::rules::Context;
use crate::theory::rules::factor::{Factor, is_bounded};
use crate::theory::symbol::Symbol;
use rocproof_arith::{Fraction, Multinomial};
use rocproof_language::Relation;
use std::collections::BTreeSet;
use std::rc::Rc;

/// The most constant factors of a multiplier besides class proportions. More would make linear programs too large.
const MOST_CONSTANT_FACTORS: u32 = 2;

/// A non-negative number of the model that a rule may be multiplied by.
pub struct Multiplier {
    pub(super) factors: Product,
    /// The product of the factors.
    pub(super) value: Multinomial,
    /// Whether it stands for all multipliers that differ from it only in powers of `pi0` and `pi1`. One of them does.
    pub(super) is_representative: bool,
}

impl Offers<'_> {
    /// The numbers to multiply a rule by: products `pi0^k pi1^(n-k)` of degree `n = pi0_degree`, times up to `degree` constant factors, but
    /// no more than [`MOST_CONSTANT_FACTORS`]. If the statement fixes `pi0`, the former are left out.
    pub(super) fn multipliers(&mut self, pi0_degree: u32, degree: u32) -> Rc<Vec<Multiplier>> {
        let is_pi0_fixed = self.lowering.pi[0].as_rational().is_some();
        let proportions = bernstein(if is_pi0_fixed { 0 } else { pi0_degree }, &Factor::Pi0, &Factor::Pi1);
        let mut multipliers = Vec::new();
        for product in self.constant_products(degree.min(MOST_CONSTANT_FACTORS)) {
            for (k, powers) in proportions.iter().enumerate() {
                let factors = [powers.clone(), product.clone()].concat();
                multipliers.extend(self.multiplier(factors, k == 0));
            }
        }
        Rc::new(multipliers)
    }

    /// The products of at most `most` constant factors. Each product lists its factors in ascending order, so that it occurs once.
    fn constant_products(&self, most: u32) -> Vec<Product> {
        let constant_factors = self.constant_factors();
        let mut products: Vec<Product> = vec![Product::new()];
        let mut longest = products.clone();
        for _ in 0..most {
            let extend = |product: &Product| {
                let last = product.last().map(|(factor, _)| factor.clone());
                let next =
                    constant_factors.iter().filter(move |factor| last.as_ref().is_none_or(|last| *factor >= last));
                next.map(|factor| [product.clone(), vec![(factor.clone(), 1)]].concat()).collect::<Vec<_>>()
            };
            longest = longest.iter().flat_map(extend).collect();
            products.extend(longest.iter().cloned());
        }
        products
    }

    /// The multiplier with these factors; `None` if a factor has no value, or the product is no polynomial.
    fn multiplier(&mut self, mut factors: Product, is_representative: bool) -> Option<Multiplier> {
        let context = &mut Context { lowering: self.lowering, statement: self.statement };
        let mut value = Fraction::one();
        for (factor, power) in &factors {
            value = value * factor.value(context, None).ok()?.power(i32::try_from(*power).ok()?)?;
        }
        // At a known rate, one distribution function is a quotient by a class proportion: multiply by it until it cancels.
        for factor in [Factor::Pi0, Factor::Pi1] {
            while value.as_polynomial().is_none()
                && let Ok(proportion) = factor.value(context, None)
                && (&value * &proportion).denominator().degree() < value.denominator().degree()
            {
                value = value * proportion;
                factors.push((factor.clone(), 1));
            }
        }
        let value = value.as_polynomial().cloned()?;
        Some(Multiplier { factors, value, is_representative })
    }

    /// The factors that are constant along the curve and occur in the goal, except class proportions.
    pub(super) fn constant_factors(&self) -> Vec<Factor> {
        let mut factors = Vec::new();
        let pairs = [
            (Symbol::Distance(Track::Own), [Factor::Distance, Factor::NotDistance]),
            (Symbol::Mean, [Factor::Mean, Factor::NotMean]),
            (Symbol::Border, [Factor::BorderAboveLowest, Factor::BorderBelowHighest]),
        ];
        for (symbol, pair) in pairs {
            if self.depends_on(&symbol) {
                factors.extend(pair);
            }
        }
        if (self.depends_on(&Symbol::High) || self.depends_on(&Symbol::Low))
            && is_bounded(self.statement, self.lowering)
        {
            factors.push(Factor::Scale);
        }
        // A functional that reads a point of the curve names the point.
        let points: BTreeSet<String> = self.functionals_at_points().collect();
        for point in points {
            let at = |factor| Factor::At { factor: Box::new(factor), place: point.clone() };
            factors.extend([Factor::F0, Factor::NotF0, Factor::F1, Factor::NotF1, Factor::Above].map(at));
            if self.depends_on(&Symbol::Distance(Track::Own)) {
                factors.extend([Factor::DistanceAbove, Factor::DistanceBelow].map(at));
            }
        }
        // The difference of the sides of a supposed inequality is not negative. It is a number if no side has a functional.
        for (k, condition) in self.statement.premises.iter().chain(&self.statement.conditions).enumerate() {
            if condition.relation != Relation::Equal
                && condition.sides().iter().all(|side| side.functionals().is_empty())
            {
                factors.push(Factor::Supposed(k));
            }
        }
        factors
    }

    /// The functionals of the statement that read a point of the curve, as text.
    pub(super) fn functionals_at_points(&self) -> impl Iterator<Item = String> {
        let functionals = self.statement.functionals().into_iter();
        functionals.filter(|functional| functional.point().is_some()).map(|functional| functional.to_string())
    }
}
