//! Where intervals cannot be relied on: few rows, few rows where the classes overlap, scores no better than chance, weights.
//!
//! The limits are those from which on intervals of 95 % cover at least 92 % (measured by `examples/coverage`).

use super::delong::auc;
use super::paired::{Paired, Units};
use super::pools::pools;
use super::quantity::Variation;
use super::scored::Scored;
use super::spread::{Caveat, NormalScale};
use rocproof_arith::libm;

/// If a class has fewer rows than this, means over all rows have a caveat.
pub(super) const FEW_ROWS_OF_MEAN: f64 = 5.0;

/// If a class has fewer rows than this, other intervals by formulas have a caveat.
pub(super) const FEW_ROWS: f64 = 8.0;

/// If a class has fewer rows than this, intervals from samples have a caveat, and losses at thresholds that are chosen on rows.
pub(super) const FEW_SAMPLED_ROWS: f64 = 15.0;

/// If a class has fewer rows than this, quantiles of sampled differences have a caveat.
const FEW_ROWS_OF_DIFFERENCE: f64 = 25.0;

/// If a class has fewer rows than this, differences of quantities of the hull have a caveat, and those of losses at thresholds that are
/// chosen on rows.
pub(super) const FEW_ROWS_TO_COMPARE: f64 = 40.0;

/// Fewer rows than this where the classes overlap have a caveat.
const FEW_OVERLAP: f64 = 30.0;

/// Fewer rows than this where the classes overlap have a caveat on the parts of the Brier score: they are differences of larger values.
const FEW_OVERLAP_OF_PARTS: f64 = 80.0;

/// A larger p-value of the rank-sum test has a caveat.
const CLEARLY_BETTER: f64 = 0.05;

/// Properties of a model's data on which the trust in intervals depends.
#[derive(Clone, Copy, Debug)]
pub(super) struct SampleSize {
    /// The number of rows.
    pub(super) rows: f64,
    /// Whether rows have weights that are not counts.
    pub(super) is_weighted: bool,
    /// The number of rows of the smaller class, whatever their weights.
    pub(super) smaller_class: f64,
    /// The number of rows in hull segments with both classes.
    overlap: f64,
    /// The p-value of scores that are no better than chance: the rank-sum test, one-sided.
    chance: f64,
}

/// The number of rows of each class, whatever their weights, unless these count rows.
pub(super) fn class_sizes(units: Units, model: &Scored) -> [f64; 2] {
    match units {
        Units::Counts => model.totals(),
        Units::Rows => model.tied_rows().fold([0.0; 2], |[n0, n1], (rows, _)| {
            let [m0, m1] = rows.map(|rows| rows.len() as f64);
            [n0 + m0, n1 + m1]
        }),
    }
}

impl SampleSize {
    /// The properties of a model's data.
    pub(super) fn new(data: &Paired, model: &Scored) -> SampleSize {
        let [n0, n1] = class_sizes(data.units, model);
        let hull = pools(model.ties());
        let mixed = hull.iter().filter(|pool| pool.mass[0] > 0.0 && pool.mass[1] > 0.0);
        // The AUC of random scores has the mean 1/2 and this variance, without ties.
        let variance = (n0 + n1 + 1.0) / (12.0 * n0 * n1);
        let z = (auc(model) - 0.5) / variance.sqrt();
        SampleSize {
            rows: n0 + n1,
            is_weighted: data.units == Units::Rows && model.weights().is_some(),
            smaller_class: n0.min(n1),
            overlap: mixed.map(|pool| pool.mass[0] + pool.mass[1]).sum(),
            chance: libm::erfc(z / std::f64::consts::SQRT_2) / 2.0,
        }
    }

    /// The caveat on a class with fewer rows than this.
    fn few_rows(&self, limit: f64) -> Option<Caveat> {
        (self.smaller_class < limit).then_some(Caveat::FewRows(self.smaller_class))
    }

    /// The caveat on few rows where the classes overlap. Weights do not say how many rows these are.
    fn few_overlap(&self, variation: Variation) -> Option<Caveat> {
        let is_part = variation == Variation::Hull(NormalScale::Plain);
        let limit = if is_part { FEW_OVERLAP_OF_PARTS } else { FEW_OVERLAP };
        (!self.is_weighted && self.overlap < limit).then_some(Caveat::FewOverlap(self.overlap))
    }

    /// The caveat on an interval of one model from samples.
    pub(super) fn caveat_on(&self, variation: Variation) -> Option<Caveat> {
        match variation {
            Variation::Regular | Variation::ByClass | Variation::Ranking => self.few_rows(FEW_SAMPLED_ROWS),
            Variation::Hull(_) => {
                let is_chance = self.chance > CLEARLY_BETTER;
                let weighted = self.is_weighted.then_some(Caveat::Weighted);
                let chance = is_chance.then_some(Caveat::Chance(self.chance));
                self.few_rows(FEW_SAMPLED_ROWS).or(weighted).or(self.few_overlap(variation)).or(chance)
            }
            Variation::ByTies => Some(Caveat::ByTies),
        }
    }

    /// The caveat on an interval of a difference of two models from samples, on the side of one.
    pub(super) fn caveat_on_difference(&self, variation: Variation) -> Option<Caveat> {
        match variation {
            Variation::Regular | Variation::ByClass | Variation::Ranking => self.few_rows(FEW_ROWS_OF_DIFFERENCE),
            Variation::Hull(_) => {
                let weighted = self.is_weighted.then_some(Caveat::Weighted);
                self.few_rows(FEW_ROWS_TO_COMPARE).or(weighted).or(self.few_overlap(variation))
            }
            Variation::ByTies => Some(Caveat::ByTies),
        }
    }

    /// The caveat on an interval by a formula.
    pub(super) fn caveat_on_formula(&self, variation: Variation) -> Option<Caveat> {
        self.few_rows(if variation == Variation::Regular { FEW_ROWS_OF_MEAN } else { FEW_ROWS })
    }

    /// The caveat on an interval of a difference by a formula, on the side of one model.
    pub(super) fn caveat_on_formula_difference(&self, variation: Variation) -> Option<Caveat> {
        let overlap = if variation == Variation::Ranking { self.few_overlap(variation) } else { None };
        self.caveat_on_formula(variation).or(overlap)
    }
}
