//! Finite samples: expected losses of thresholds at the cutpoints between `n` rows, or at the scores of the rows.
//!
//! Elsewhere the rate-based methods split ties, single rows included, so that the formulas of the paper hold for data. A threshold drawn
//! from the `n+1` cutpoints, or from the scores of the `n` rows, has another expected loss, which tends to that of the paper as `n` grows.
//! Each convention has a formula here. Operating conditions are uniform.
//!
//! Formulas read `n`, `pi0`, `pi1`, `AUC`, `AUCH`, `RL_conv`, and sums over ties. With the share `d` of a tie among all rows, its shares
//! `dF0`, `dF1` of the classes, and the predicted positive rate `R` at its end,
//!
//! ```text
//! J0 = Σ d dF0    J1 = Σ d dF1    S = Σ d² (R - 2d/3)      without ties 1/n, 1/n and (1/2 - 1/(6n))/n
//! J1z, Sz          J1 and S with both classes weighted equally
//! p1               the share of all rows that are of class 1 and have the lowest score
//! RL_rest          the refinement loss of the hull of all rows but those with the lowest score
//! ```

use super::decomposition::{difference, evaluate_formula, not_computed};
use super::pools::pools;
use super::scored::Scored;
use super::sum::CompensatedSum;
use rocproof_engine::calculus::Estimate;
use rocproof_engine::functional::definition::LOSSES_BY_AUC;
use rocproof_engine::functional::{Evaluation, Missing, Value};

/// A finite-sample formula with its convention and its limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FiniteFormula {
    /// The name in JSON.
    pub name: &'static str,
    /// The quantity whose expectation it is.
    pub title: &'static str,
    /// The choice of thresholds, in words.
    pub convention: &'static str,
    /// The treatment of ties.
    pub ties: TieRule,
    /// The formula.
    pub formula: &'static str,
    /// The limit for many rows, as a formula.
    pub limit: &'static str,
    /// A note.
    pub note: Option<&'static str>,
}

/// The treatment of rows with equal scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TieRule {
    /// They are put in random order; the value is the mean over all orders. Weights must be whole numbers.
    RandomOrder,
    /// They fall on the same side of every threshold.
    Together,
}

impl TieRule {
    /// The rule in words.
    pub fn title(self) -> &'static str {
        match self {
            TieRule::RandomOrder => "ties in random order",
            TieRule::Together => "ties undivided",
        }
    }
}

/// A formula evaluated on data.
#[derive(Clone, Debug)]
pub struct FiniteValue {
    /// The formula.
    pub of: FiniteFormula,
    /// The value of the formula.
    pub value: Value,
    /// The value of the limit, with the class proportions and areas of the data.
    pub limit: Value,
    /// The value minus the limit.
    pub difference: Value,
}

const CUTPOINTS: &str = "one of the n+1 cutpoints between rows in order of score, both ends included, all alike";
const AT_ROWS: &str =
    "t is the score of one of the n rows, all alike (by weight); a score equal to t is predicted positive";
const RATE_DRIVEN_CELLS: &str =
    "of n+1 cutpoints the one numbered floor(c (n+1)): each serves 1/(n+1) of the conditions";
const RATE_DRIVEN_INVERSE: &str =
    "t is the first score with R(t) >= c: one of n rows; a score equal to t is predicted positive";

/// The expected true and false positive rates of a uniform predicted positive rate.
pub(super) const RATES_OF_UNIFORM_RATE: [&str; 2] = ["pi0/2 + pi1*AUC", "pi1/2 + pi0*(1-AUC)"];

/// The formulas, in the order in which they are shown.
pub const FINITE_FORMULAS: [FiniteFormula; 17] = {
    use TieRule::{RandomOrder, Together};
    /// A formula and its limit, with names and convention.
    const fn formula(
        name: &'static str,
        title: &'static str,
        convention: &'static str,
        ties: TieRule,
        [formula, limit]: [&'static str; 2],
        note: Option<&'static str>,
    ) -> FiniteFormula {
        FiniteFormula { name, title, convention, ties, formula, limit, note }
    }
    const RU: &str = LOSSES_BY_AUC[0][0];
    const RUZ: &str = LOSSES_BY_AUC[0][1];
    const RD: &str = LOSSES_BY_AUC[1][0];
    const RDZ: &str = LOSSES_BY_AUC[1][1];
    const TPR: &str = RATES_OF_UNIFORM_RATE[0];
    const FPR: &str = RATES_OF_UNIFORM_RATE[1];
    const CELLS: &str = "n/(n+1)*pi0*pi1*(1-2*AUC) + (2*n+1)/(6*(n+1))";
    const CUTS: &str = "n/(n+1)*pi0*pi1*(1-2*AUC) + 1/2";
    [
        formula("ru_cutpoints", "rate-uniform loss, cost proportions", CUTPOINTS, RandomOrder, [CUTS, RU], None),
        formula(
            "ru_cutpoints_skew",
            "rate-uniform loss, skews",
            CUTPOINTS,
            RandomOrder,
            ["n/(n+1)*(1-2*AUC)/4 + 1/2", RUZ],
            Some(
                "the paper quotes this formula for uniform instance selection; it is that of the n+1 cutpoints: a \
                 threshold at the score of one of n rows has no factor n/(n+1)",
            ),
        ),
        formula(
            "ru_rows",
            "rate-uniform loss, cost proportions",
            AT_ROWS,
            Together,
            ["pi0*pi1*(1-2*AUC) + 1/2 + (pi1*J1 - pi0*J0)/2", RU],
            Some("without ties this is the limit + (pi1 - pi0)/(2n)"),
        ),
        formula(
            "ru_rows_skew",
            "rate-uniform loss, skews",
            AT_ROWS,
            Together,
            ["(1-2*AUC)/4 + 1/2 + (J1 - J0)/4", RUZ],
            Some("without ties this is the limit itself, for any class proportions"),
        ),
        formula(
            "tpr_rows",
            "expected true positive rate",
            AT_ROWS,
            Together,
            ["pi0/2 + pi1*AUC + J0/2", TPR],
            Some("the paper counts 1/2 for a threshold at a random positive; among n0 of them it is 1/2 + 1/(2 n0)"),
        ),
        formula(
            "fpr_rows",
            "expected false positive rate",
            AT_ROWS,
            Together,
            ["pi1/2 + pi0*(1-AUC) + J1/2", FPR],
            Some("the paper counts 1/2 for a threshold at a random negative; among n1 of them it is 1/2 + 1/(2 n1)"),
        ),
        formula(
            "rd_cutpoints",
            "rate-driven loss, cost proportions",
            RATE_DRIVEN_CELLS,
            RandomOrder,
            [CELLS, RD],
            None,
        ),
        formula(
            "rd_rows",
            "rate-driven loss, cost proportions",
            RATE_DRIVEN_INVERSE,
            Together,
            ["pi0*pi1*(1-2*AUC) + 1/3 + pi1*J1 - S", RD],
            Some("without ties this is the limit + (pi1 - pi0)/(2n) + 1/(6n^2)"),
        ),
        formula(
            "rd_rows_skew",
            "rate-driven loss, skews",
            "t is the first score with R(t) >= z, both classes weighed alike; a score equal to t is predicted positive",
            Together,
            ["(1-2*AUC)/4 + 1/3 + J1z/2 - Sz", RDZ],
            None,
        ),
        formula(
            "mae_even",
            "mean absolute error of evenly-spaced scores",
            "the row of rank i gets the score (i-1)/(n-1), as the paper's EST",
            RandomOrder,
            ["n/(n-1)*pi0*pi1*(1-2*AUC) + 1/2", RU],
            None,
        ),
        formula(
            "bs_even",
            "Brier score of evenly-spaced scores",
            "the row of rank i gets the score (i-1)/(n-1), as the paper's EST",
            RandomOrder,
            ["n/(n-1)*pi0*pi1*(1-2*AUC) + (2*n-1)/(6*(n-1))", RD],
            None,
        ),
        formula(
            "mae_even_middle",
            "mean absolute error of evenly-spaced scores",
            "the row of rank i gets the score (i-1/2)/n",
            RandomOrder,
            [RU, RU],
            Some("exact for any n"),
        ),
        formula(
            "bs_even_middle",
            "Brier score of evenly-spaced scores",
            "the row of rank i gets the score (i-1/2)/n",
            RandomOrder,
            ["pi0*pi1*(1-2*AUC) + 1/3 - 1/(12*n^2)", RD],
            None,
        ),
        formula(
            "mae_even_inner",
            "mean absolute error of evenly-spaced scores",
            "the row of rank i gets the score i/(n+1)",
            RandomOrder,
            [CUTS, RU],
            Some("the loss of n+1 cutpoints drawn alike"),
        ),
        formula(
            "bs_even_inner",
            "Brier score of evenly-spaced scores",
            "the row of rank i gets the score i/(n+1)",
            RandomOrder,
            [CELLS, RD],
            Some("the loss of n+1 cutpoints driven by the rate"),
        ),
        formula(
            "o_rows",
            "optimal loss, cost proportions",
            "t is the score of one of the n rows: no threshold lies below all scores",
            Together,
            ["p1 + RL_rest", "RL_conv"],
            Some("with all n+1 cutpoints the optimal loss is RL_conv itself, for any n"),
        ),
        formula(
            "auc_hand",
            "expected minimum loss, costs distributed as the recalibrated scores",
            "c is the recalibrated score of one of the n rows, all alike (by weight); the threshold is optimal for c",
            Together,
            ["4*pi0*pi1*(1-AUCH)", "4*pi0*pi1*(1-AUC)"],
            Some(
                "Hand (2009) finds the AUC in this loss; for data it is the area under the hull, which is the same where the ROC \
                 curve is convex",
            ),
        ),
    ]
};

/// Evaluates all formulas on data, given the evaluation of the same data.
///
/// ```
/// use rocproof_scored::{Scored, evaluate_scored, finite_sample};
/// use rocproof_engine::{Cost, functional::Thresholds};
/// let data = Scored::from_rows(&[0.1, 0.4, 0.35, 0.8], &[false, false, true, true], None).unwrap();
/// let evaluation = evaluate_scored(&data, &Cost::uniform(), &Thresholds::default());
/// let values = finite_sample(&data, &evaluation);
/// let cutpoints = values.iter().find(|item| item.of.name == "ru_cutpoints_skew").unwrap();
/// assert!((cutpoints.value.estimate().unwrap().value - (4.0 / 5.0 * (1.0 - 1.5) / 4.0 + 0.5)).abs() < 1e-15);
/// ```
pub fn finite_sample(data: &Scored, evaluation: &Evaluation) -> Vec<FiniteValue> {
    let sums = sums_over_ties(data);
    let metric = |name: &str| evaluation.metric(name).cloned().unwrap_or_else(not_computed);
    let metrics = ["AUC", "AUCH", "RL_conv"].map(|name| (name, metric(name)));
    let named_values: Vec<(&str, &Value)> = sums.iter().chain(&metrics).map(|(name, value)| (*name, value)).collect();
    let evaluate = |formula: &FiniteFormula| {
        // The values that a text names: a missing value affects only the formulas that read it.
        let values_in = |text: &str| -> Vec<(&str, &Value)> {
            let words: Vec<&str> = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').collect();
            named_values.iter().filter(|(name, _)| words.contains(name)).copied().collect()
        };
        // Random order is defined only for rows that can be counted.
        let missing = match (&formula.ties, named_values.iter().find(|(name, _)| *name == "n")) {
            (TieRule::RandomOrder, Some((_, Value::Missing(why)))) => Some(Value::Missing(why.clone())),
            _ => None,
        };
        let limit = evaluate_formula(formula.limit, &values_in(formula.limit));
        let value = missing.unwrap_or_else(|| evaluate_formula(formula.formula, &values_in(formula.formula)));
        FiniteValue { of: *formula, difference: difference(&value, &limit), value, limit }
    };
    FINITE_FORMULAS.iter().map(evaluate).collect()
}

/// Relative error bound of a compensated sum of positive terms.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// The number of rows, the class proportions and the sums over ties, by their names in formulas.
fn sums_over_ties(data: &Scored) -> Vec<(&'static str, Value)> {
    let [n0, n1] = data.totals();
    let n = n0 + n1;
    let (pi0, pi1) = data.proportions();
    // J0, J1, S, J1z, Sz.
    let mut sums = [CompensatedSum::default(); 5];
    let (mut rate, mut balanced_rate) = (CompensatedSum::default(), CompensatedSum::default());
    let mut is_countable = true;
    for tie in data.ties() {
        let [m0, m1] = tie.mass;
        is_countable &= m0.fract() == 0.0 && m1.fract() == 0.0;
        let (d, [d0, d1]) = ((m0 + m1) / n, [m0 / n0, m1 / n1]);
        let dz = (d0 + d1) / 2.0;
        rate = rate.plus(d);
        balanced_rate = balanced_rate.plus(dz);
        // The term of S: `d² (R - 2d/3)`.
        let s_term = |d: f64, rate: CompensatedSum| d * d * (rate.value() - 2.0 * d / 3.0);
        let terms = [d * d0, d * d1, s_term(d, rate), dz * d1, s_term(dz, balanced_rate)];
        sums = std::array::from_fn(|k| sums[k].plus(terms[k]));
    }
    let sum = |k: usize| numeric(sums[k].value());
    let class_1_at_lowest = data.ties().next().map_or(0.0, |tie| tie.mass[1] / n);
    let refinement_of_rest = pools(data.ties().skip(1)).iter().fold(CompensatedSum::default(), |sum, pool| {
        let [m0, m1] = pool.mass;
        sum.plus(m0 * m1 / (m0 + m1) / n)
    });
    let count = match is_countable {
        true => Value::Numeric(Estimate::exact(n)),
        false => {
            Value::Missing(Missing::Inapplicable("rows cannot be counted: some weights are not whole numbers".into()))
        }
    };
    vec![
        ("n", count),
        ("pi0", numeric(pi0)),
        ("pi1", numeric(pi1)),
        ("J0", sum(0)),
        ("J1", sum(1)),
        ("S", sum(2)),
        ("J1z", sum(3)),
        ("Sz", sum(4)),
        ("p1", numeric(class_1_at_lowest)),
        ("RL_rest", numeric(refinement_of_rest.value())),
    ]
}

/// A non-negative value with the error of a sum.
fn numeric(value: f64) -> Value {
    Value::Numeric(Estimate { value, error: ROUNDING * value })
}
