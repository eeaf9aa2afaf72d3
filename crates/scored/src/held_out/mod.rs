//! Losses out of sample: thresholds are chosen on one part of the rows and paid for on another.
//!
//! | file | contents |
//! | --- | --- |
//! | `units` | the rows of a model one by one, and their folds |
//! | `training` | the threshold of each method on training rows, and the calibration by their hull |
//! | `row_loss` | the expected loss of one row |
//! | `rates` | how rows enter the losses of rate-based methods through the rates |
//! | `sums` | losses summed over batches of rows: means, standard errors, differences |
//! | `recommend` | the model and the method to deploy |
//! | `variability` | thresholds over samples of rows |

mod rates;
mod recommend;
mod row_loss;
mod sums;
mod training;
mod units;
mod variability;

pub use recommend::{Alternative, Recommendation, recommend};
pub use sums::HeldOutLosses;
pub use variability::{DeployedThreshold, deployed_threshold};

use crate::operating_point::OperatingPoint;
use crate::paired::Paired;
use crate::scored::Scored;
use rates::rate_influences;
use rayon::prelude::*;
use rocproof_arith::Rational;
use rocproof_arith::rational::to_f64;
use rocproof_engine::functional::{Condition, Cost, Method, Thresholds};
use row_loss::RowLoss;
use sums::{BatchSums, LossIntervals};
use training::{Cut, Placed, Placer, Training};
use units::ModelUnits;
use variability::training_variances;

/// The number of folds, if both classes have that many rows.
const FOLDS: usize = 10;

/// With few rows the division into folds is repeated, so that about this many are held out.
const HELD_OUT_ROWS: usize = 20_000;

/// The division into folds is repeated at most this many times.
const MOST_REPEATS: usize = 20;

/// The conditions that a loss is paid under.
#[derive(Clone, Debug, PartialEq)]
pub enum PaidAt {
    /// All cost proportions, or all skews, by their distribution.
    Over(Condition),
    /// One operating condition.
    At(OperatingPoint),
}

impl PaidAt {
    /// Whether losses are by cost proportion or by skew.
    pub fn condition(&self) -> Condition {
        match self {
            PaidAt::Over(condition) => *condition,
            PaidAt::At(at) => at.condition(),
        }
    }
}

/// The rows that thresholds are chosen on.
#[derive(Clone, Copy, Debug)]
pub enum ChosenOn<'a> {
    /// All rows but those of one fold, which pay; each fold in turn. Folds are drawn from this seed.
    OtherFolds(u64),
    /// Other data: the same models, in the same order.
    Separate(&'a [Scored]),
}

/// How rows were held out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeldOutBy {
    /// By this many folds, drawn this many times.
    Folds {
        /// The number of folds.
        folds: usize,
        /// How often the rows were divided into folds.
        repeats: usize,
    },
    /// By separate training data.
    Separate,
}

/// Why there are no losses out of sample.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum NotHeldOut {
    /// A class has a single row.
    #[error("class {0} has a single row: no threshold can be chosen on one part of the rows and paid for on another")]
    OneRow(usize),
    /// There are very many rows.
    #[error("there are {0} rows: a threshold chosen on so many loses as much on new rows as on these")]
    TooMany(f64),
    /// A count is not a whole number.
    #[error("a count is {0}: only whole numbers of rows can be held out")]
    Count(f64),
    /// The training data have another number of models.
    #[error("the training data have {0} score columns, the data {1}")]
    Models(usize, usize),
}

/// The losses of all models and methods on rows that their thresholds were not chosen on.
#[derive(Clone, Debug)]
pub struct OutOfSample {
    /// How rows were held out.
    pub by: HeldOutBy,
    /// The methods, in the order of the lists below.
    pub methods: Vec<Method>,
    /// The losses for each request.
    pub losses: Vec<HeldOutLosses>,
}

impl OutOfSample {
    /// The losses for a request, if they were asked for.
    pub fn find(&self, paid: &PaidAt) -> Option<&HeldOutLosses> {
        self.losses.iter().find(|losses| losses.paid == *paid)
    }
}

/// The losses of all models and methods on rows that their thresholds were not chosen on, under each of `paid`.
///
/// The fixed, the driven and the drawn score thresholds are chosen on nothing: their losses are those of the data. Rates are those of the
/// training rows, and the optimal method follows the calibration by their hull. Between two training scores a threshold is the middle.
///
/// ```
/// use rocproof_scored::{ChosenOn, PaidAt, Paired, Scored, Units, losses_out_of_sample};
/// use rocproof_engine::{Condition, Cost, functional::Thresholds};
/// let data = Scored::from_rows(&[0.1, 0.4, 0.35, 0.8], &[false, false, true, true], None)?;
/// let (paired, cost) = (Paired::single(data, Units::Rows), Cost::uniform());
/// let paid = [PaidAt::Over(Condition::Cost)];
/// let out = losses_out_of_sample(&paired, ChosenOn::OtherFolds(1), &paid, &cost, &Thresholds::default(), 0.95).unwrap();
/// // Score-driven thresholds lose the Brier score.
/// assert!((out.losses[0].losses[0][3].unwrap().value - (0.01 + 0.16 + 0.4225 + 0.04) / 4.0).abs() < 1e-15);
/// # Ok::<(), rocproof_scored::BadScore>(())
/// ```
pub fn losses_out_of_sample(
    data: &Paired,
    chosen_on: ChosenOn,
    paid: &[PaidAt],
    cost: &Cost,
    thresholds: &Thresholds,
    level: f64,
) -> Result<OutOfSample, NotHeldOut> {
    let models = data.models();
    if let ChosenOn::Separate(training) = chosen_on
        && training.len() != models.len()
    {
        return Err(NotHeldOut::Models(training.len(), models.len()));
    }
    let first = ModelUnits::new(data, 0)?;
    let by = match chosen_on {
        ChosenOn::Separate(_) => HeldOutBy::Separate,
        ChosenOn::OtherFolds(_) => {
            let counts = first.counts();
            if let Some(class) = counts.iter().position(|count| *count < 2) {
                return Err(NotHeldOut::OneRow(class));
            }
            let repeats = (HELD_OUT_ROWS / first.len().max(1)).clamp(1, MOST_REPEATS);
            HeldOutBy::Folds { folds: FOLDS.min(counts[0]).min(counts[1]), repeats }
        }
    };
    drop(first);
    let methods = thresholds.methods();
    let sums_of = |m: usize| {
        let units = ModelUnits::new(data, m)?;
        let payer = Payer { model: &models[m], units: &units, cost, paid, methods: &methods };
        let mut sums = BatchSums::new(&units, paid.len() * methods.len());
        match (chosen_on, by) {
            (ChosenOn::Separate(training), _) => payer.pay(&Training::of(&training[m]), |_| true, &mut sums),
            (ChosenOn::OtherFolds(seed), HeldOutBy::Folds { folds, repeats }) => {
                for repeat in 0..repeats {
                    let fold_of = units.folds(folds, seed, repeat);
                    for fold in 0..folds as u8 {
                        payer.pay(&payer.train(&fold_of, fold), |unit| fold_of[unit] == fold, &mut sums);
                    }
                }
                sums.divide(repeats as f64);
                payer.add_influences(&mut sums);
            }
            (ChosenOn::OtherFolds(_), HeldOutBy::Separate) => {}
        }
        Ok(sums)
    };
    let sums: Vec<BatchSums> = (0..models.len()).into_par_iter().map(sums_of).collect::<Result<_, NotHeldOut>>()?;
    // Separate training rows choose one set of thresholds, whose loss is asked for.
    let variances: Vec<Vec<Vec<f64>>> = match chosen_on {
        ChosenOn::Separate(_) => vec![vec![vec![0.0; methods.len()]; paid.len()]; models.len()],
        ChosenOn::OtherFolds(seed) => {
            (0..models.len()).map(|m| training_variances(data, m, paid, &methods, seed)).collect()
        }
    };
    let applies: Vec<Vec<bool>> =
        models.iter().map(|model| methods.map(|method| applies(method, model)).to_vec()).collect();
    let losses = paid
        .iter()
        .enumerate()
        .map(|(k, paid)| {
            let of_request = variances.iter().map(|variances| variances[k].clone()).collect();
            HeldOutLosses::new(paid, &sums, k * methods.len(), &applies, of_request, &LossIntervals { cost, level })
        })
        .collect();
    Ok(OutOfSample { by, methods: methods.to_vec(), losses })
}

/// Whether a method applies to the scores of a model.
fn applies(method: Method, model: &Scored) -> bool {
    method.scores().refusal(model.range()).is_none()
}

/// The condition `c` as a threshold on the scale of the input: if scores were reversed, `1 - s <= c` is `s >= 1 - c`.
fn driven_threshold(model: &Scored, c: &Rational) -> f64 {
    if model.is_reversed() { to_f64(&(Rational::ONE - c)) } else { to_f64(c) }
}

/// The rate of a fixed rate, as a float.
fn fixed_rate(methods: &[Method]) -> f64 {
    methods
        .iter()
        .find_map(|method| if let Method::RateFixed(rate) = method { Some(*rate) } else { None })
        .unwrap_or(0.5)
}

/// Pays the losses of a model on rows that are held out.
struct Payer<'a> {
    model: &'a Scored,
    units: &'a ModelUnits,
    cost: &'a Cost,
    paid: &'a [PaidAt],
    methods: &'a [Method],
}

/// The cuts of the methods that are chosen on training rows, for one request.
struct Cuts {
    rate_fixed: Cut,
    /// The rate-driven and the optimal cut, at one condition.
    at: Option<[Cut; 2]>,
    /// The number of ties up to the score-driven threshold, at one condition.
    driven_ties: usize,
}

impl Payer<'_> {
    /// The rows outside of a fold.
    fn train(&self, fold_of: &[u8], fold: u8) -> Training {
        let mut mass = vec![[0.0; 2]; self.units.keys.len()];
        for unit in (0..self.units.len()).filter(|unit| fold_of[*unit] != fold) {
            mass[self.units.tie[unit] as usize][usize::from(self.units.class[unit])] += self.units.weight(unit);
        }
        Training::new(self.units.keys.iter().copied().zip(mass))
    }

    /// Adds to the errors how rows change the rates that thresholds are chosen by.
    fn add_influences(&self, sums: &mut BatchSums) {
        // No row is in this fold.
        let all = self.train(&vec![0; self.units.len()], u8::MAX);
        for (k, paid) in self.paid.iter().enumerate() {
            for (j, method) in self.methods.iter().enumerate() {
                if let Some(by_tie) = rate_influences(&all, *method, self.methods, paid, self.cost) {
                    sums.add_influences(self.units, k * self.methods.len() + j, &by_tie);
                }
            }
        }
    }

    /// The cuts for a request.
    fn cuts(&self, training: &Training, paid: &PaidAt) -> Cuts {
        let rate_fixed = training.cut_at_rate(paid.condition(), fixed_rate(self.methods));
        let PaidAt::At(at) = paid else { return Cuts { rate_fixed, at: None, driven_ties: 0 } };
        let (condition, value) = (at.condition(), at.value());
        let cuts = [training.cut_at_rate(condition, to_f64(value)), training.best_cut(condition, value)];
        let driven_ties = self.model.ties_up_to(driven_threshold(self.model, value));
        Cuts { rate_fixed, at: Some(cuts), driven_ties }
    }

    /// Chooses thresholds on training rows, and adds the losses of the rows that are held out. Without both classes nothing is chosen.
    fn pay(&self, training: &Training, is_held_out: impl Fn(usize) -> bool, sums: &mut BatchSums) {
        if !training.has_both_classes() {
            return;
        }
        let cuts: Vec<Cuts> = self.paid.iter().map(|paid| self.cuts(training, paid)).collect();
        let mut placers: Vec<Placer> = self.paid.iter().map(|paid| training.placer(paid.condition())).collect();
        let fixed_ties = self.methods.iter().find_map(|method| match method {
            Method::ScoreFixed(t) => Some(self.model.ties_up_to(*t)),
            _ => None,
        });
        let mut losses = vec![0.0; self.paid.len() * self.methods.len()];
        let mut last = None;
        for unit in (0..self.units.len()).filter(|unit| is_held_out(*unit)) {
            let (tie, class) = (self.units.tie[unit] as usize, usize::from(self.units.class[unit]));
            // Rows of one class with one score lose alike.
            if last.replace((tie, class)) != Some((tie, class)) {
                let is_fixed_positive = fixed_ties.is_some_and(|ties| tie < ties);
                for (k, cuts) in cuts.iter().enumerate() {
                    let row =
                        HeldOutRow { tie, class, is_fixed_positive, place: placers[k].place(self.units.keys[tie]) };
                    for (j, method) in self.methods.iter().enumerate() {
                        losses[k * self.methods.len() + j] = self.loss(*method, &self.paid[k], cuts, &row);
                    }
                }
            }
            sums.add(self.units, unit, &losses);
        }
    }

    /// The loss of one row.
    fn loss(&self, method: Method, paid: &PaidAt, cuts: &Cuts, row: &HeldOutRow) -> f64 {
        let HeldOutRow { tie, class, place: Placed { rates, posterior }, .. } = *row;
        let (key, score) = (self.units.keys[tie], self.units.scores[tie]);
        let (low, high) = self.model.range();
        // The probability that class 0 is predicted, if the condition does not decide.
        let share = match method {
            Method::ScoreFixed(_) => Some(f64::from(u8::from(row.is_fixed_positive))),
            Method::RateFixed(_) => Some(cuts.rate_fixed.positive_share(key)),
            Method::ScoreUniform => Some((high - score) / (high - low)),
            Method::RateUniform => Some(1.0 - (rates[0] + rates[1]) / 2.0),
            Method::ScoreDriven | Method::RateDriven | Method::Optimal => None,
        };
        let losses = RowLoss(self.cost);
        let PaidAt::At(at) = paid else {
            return match (share, method) {
                (Some(share), _) => losses.fixed(class, share),
                (None, Method::ScoreDriven) => losses.driven(class, score),
                (None, Method::RateDriven) => losses.driven_between(class, rates[0], rates[1]),
                (None, _) => losses.driven(class, posterior),
            };
        };
        let share = share.unwrap_or_else(|| match (method, cuts.at) {
            (Method::RateDriven, Some([cut, _])) | (Method::Optimal, Some([_, cut])) => cut.positive_share(key),
            _ => f64::from(u8::from(tie < cuts.driven_ties)),
        });
        let c = to_f64(at.value());
        if class == 0 { 2.0 * c * (1.0 - share) } else { 2.0 * (1.0 - c) * share }
    }
}

/// A row that is held out.
struct HeldOutRow {
    tie: usize,
    class: usize,
    /// Whether the fixed threshold predicts class 0.
    is_fixed_positive: bool,
    place: Placed,
}
