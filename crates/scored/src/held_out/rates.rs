//! How each row enters the losses of rate-based methods through the rates.
//!
//! A threshold at a rate is a quantile of all rows. A row that is predicted positive takes the place of another one, so that the loss varies
//! less over samples than the mean of losses at a fixed threshold would. The influence of a row is the derivative of the loss as the weight
//! of the row grows: that of its own loss, and that through the rates of all others, which is computed here.

use super::row_loss::RowLoss;
use super::training::Training;
use super::{PaidAt, fixed_rate};
use rocproof_arith::rational::to_f64;
use rocproof_engine::functional::{Condition, Cost, Method};

/// For each tie the influence of a row of class 0 and of class 1 through the rates; `None` if the method takes no rates.
pub(super) fn rate_influences(
    all: &Training,
    method: Method,
    methods: &[Method],
    paid: &PaidAt,
    cost: &Cost,
) -> Option<Vec<[f64; 2]>> {
    let condition = paid.condition();
    let rates = TieRates::new(all, condition);
    // The costs of a false negative and of a false positive, of fixed predictions.
    let c = if let PaidAt::At(at) = paid { to_f64(at.value()) } else { cost.mean() };
    match (method, paid) {
        (Method::RateFixed(_), _) => Some(rates.of_cut(all, condition, fixed_rate(methods), c)),
        (Method::RateDriven, PaidAt::At(at)) => Some(rates.of_cut(all, condition, to_f64(at.value()), c)),
        // The loss of class 0 is `2c` times the mean rate of its tie, that of class 1 `2(1-c)` times the rest.
        (Method::RateUniform, _) => Some(rates.of_derivatives(|_, _, _| [[c, c], [c - 1.0, c - 1.0]])),
        (Method::RateDriven, PaidAt::Over(_)) => {
            let losses = RowLoss(cost);
            // A mean over the rates of a tie, `∫ g(u) du / (b - a)`, by its ends.
            let derivatives = |class: usize, a: f64, b: f64| {
                let mean = losses.driven_between(class, a, b);
                [(mean - losses.driven(class, a)) / (b - a), (losses.driven(class, b) - mean) / (b - a)]
            };
            Some(rates.of_derivatives(|a, b, _| [derivatives(0, a, b), derivatives(1, a, b)]))
        }
        _ => None,
    }
}

/// The rates of ties.
struct TieRates {
    /// The weight of each class in each tie, as shares of the rate.
    shares: Vec<[f64; 2]>,
    /// The rate before and after each tie.
    ends: Vec<[f64; 2]>,
    /// For each class, the rates before and after each tie among the rows that share its weight: all rows, or those of the class if both
    /// classes count alike.
    among: [Vec<[f64; 2]>; 2],
}

impl TieRates {
    /// The rates of all rows.
    fn new(all: &Training, condition: Condition) -> TieRates {
        let totals = all.totals();
        let factors = match condition {
            Condition::Cost => [1.0 / (totals[0] + totals[1]); 2],
            Condition::Skew => totals.map(|total| 0.5 / total),
        };
        let shares: Vec<[f64; 2]> = all.mass().iter().map(|mass| [0, 1].map(|k| factors[k] * mass[k])).collect();
        let ends_of = |of: &dyn Fn(&[f64; 2]) -> f64| {
            let mut before = 0.0;
            let ends = shares.iter().map(|share| {
                let ends = [before, before + of(share)];
                before = ends[1];
                ends
            });
            ends.collect::<Vec<_>>()
        };
        let ends = ends_of(&|share| share[0] + share[1]);
        let among = match condition {
            Condition::Cost => [ends.clone(), ends.clone()],
            Condition::Skew => [ends_of(&|share| 2.0 * share[0]), ends_of(&|share| 2.0 * share[1])],
        };
        TieRates { shares, ends, among }
    }

    /// The influences where the loss of a row is a function of the rates before and after its tie, by its derivatives: for each class that by
    /// the rate before and that by the rate after, given both rates and the tie.
    fn of_derivatives(&self, derivatives: impl Fn(f64, f64, usize) -> [[f64; 2]; 2]) -> Vec<[f64; 2]> {
        let slopes: Vec<[f64; 2]> = (0..self.shares.len())
            .map(|k| {
                let [a, b] = self.ends[k];
                if b <= a {
                    return [0.0; 2];
                }
                let of_class = derivatives(a, b, k);
                [0, 1].map(|end| (0..2).map(|class| self.shares[k][class] * of_class[class][end]).sum())
            })
            .collect();
        // Under all other weights the rates fall as the weight of a row grows.
        let fall = [0, 1].map(|class| {
            slopes
                .iter()
                .zip(&self.among[class])
                .map(|(slope, ends)| slope[0] * ends[0] + slope[1] * ends[1])
                .sum::<f64>()
        });
        // A row raises the rates after its tie, and those before all later ones.
        let mut raised = 0.0;
        let mut influences = vec![[0.0; 2]; slopes.len()];
        for (slope, influence) in slopes.iter().zip(&mut influences).rev() {
            raised += slope[1];
            *influence = fall.map(|fall| raised - fall);
            raised += slope[0];
        }
        influences
    }

    /// The influences on the loss of a cut at a rate, with the cost proportion `c`: as a row raises the rate of a threshold, the threshold
    /// gives up as many rows, which lose `2(1-c)` for each of class 1 and gain `2c` for each of class 0.
    fn of_cut(&self, all: &Training, condition: Condition, rate: f64, c: f64) -> Vec<[f64; 2]> {
        let cut = all.cut_at_rate(condition, rate);
        let slope = 2.0 * (all.posterior_at(condition, cut) - c);
        let positive: Vec<f64> = all.keys().iter().map(|key| cut.positive_share(*key)).collect();
        let rates = [0, 1].map(|class| {
            positive
                .iter()
                .zip(&self.among[class])
                .map(|(share, [before, after])| share * (after - before))
                .sum::<f64>()
        });
        positive.iter().map(|share| rates.map(|rate| -slope * (share - rate))).collect()
    }
}
