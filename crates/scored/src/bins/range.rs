//! Ranges of metrics and expected losses over all placements of the scores within their bins. [`super`] proves them.

use super::binned::Binned;
use super::ends::Lower;
use super::order::{Order, greatest_distances};
use crate::decomposition::corp_of_hull;
use crate::read::on_input_scale;
use crate::reading::evaluate_scored;
use crate::scored::{BadScore, Scored};
use rocproof_engine::calculus::Estimate;
use rocproof_engine::functional::definition::{Definition, METRICS, Scores};
use rocproof_engine::functional::{Condition, Cost, Evaluation, Method, Missing, Thresholds, Value};

/// Why a range contains all values and may be wider than they are.
const TOUCHING: &str = "bins share ends that belong to both, and scores may tie there in many ways: the range contains all values, and an end of it \
     need not be reached";
/// Why the range of a difference may be wider than its values.
const NOT_TOGETHER: &str = "it is a difference whose parts are not extreme together: the range contains all values, and its ends need not be reached";
/// Why the range of the score-uniform loss may be wider than its values.
const MOVING_SCALE: &str = "the scale of the scores moves with the smallest and the largest of them: the range contains all values, and its ends need \
     not be reached";
/// Why there is no range of the score-uniform loss.
const NO_SCALE: &str = "all scores may be equal within their bins: then there is no scale to draw a threshold from";
/// Why there is no range of the score-uniform loss.
const UNKNOWN_SCALE: &str =
    "bins reach outside [0, 1], and all scores may lie in it: whether its scale is [0, 1] depends on where they are";
/// Why probability metrics do not apply.
const NOT_PROBABILITIES: &str = "scores are not probabilities: some bins reach outside [0, 1]";

/// Rounding of sums of weights in a bin, and of differences of values of size 1.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// The range of a value over all placements.
#[derive(Clone, Debug, PartialEq)]
pub struct ValueRange {
    /// A lower bound of all values. It covers rounding.
    pub lo: f64,
    /// An upper bound of all values. It covers rounding.
    pub hi: f64,
    /// Why an end may be away from the values; `None` if both are attained or approached.
    pub why_not_sharp: Option<&'static str>,
}

impl ValueRange {
    /// The range from the lowest to the highest of some values, which are estimates.
    fn of(values: &[Estimate]) -> ValueRange {
        let lo = values.iter().map(|value| value.value - value.error).fold(f64::INFINITY, f64::min);
        let hi = values.iter().map(|value| value.value + value.error).fold(f64::NEG_INFINITY, f64::max);
        ValueRange { lo, hi, why_not_sharp: None }
    }

    /// The part of the range that values can be in, whatever the scores.
    fn within(self, (least, most): (f64, f64)) -> ValueRange {
        ValueRange { lo: self.lo.clamp(least, most), hi: self.hi.clamp(least, most), ..self }
    }

    /// The range, sharp or not.
    fn unless(self, is_sharp: bool, why: &'static str) -> ValueRange {
        ValueRange { why_not_sharp: (!is_sharp).then_some(why), ..self }
    }

    /// Whether both ends are attained or approached.
    pub fn is_sharp(&self) -> bool {
        self.why_not_sharp.is_none()
    }
}

/// A range, or why there is none.
pub type RangeOrMissing = Result<ValueRange, Missing>;

/// The parts of the decomposition by isotonic recalibration.
#[derive(Clone, Debug)]
pub struct BinnedCorp {
    /// `BS`, the Brier score.
    pub brier_score: RangeOrMissing,
    /// The Brier score of the recalibrated scores, `RL_conv`.
    pub recalibrated: RangeOrMissing,
    /// `MCB`, the miscalibration.
    pub miscalibration: RangeOrMissing,
    /// `DSC`, the discrimination.
    pub discrimination: RangeOrMissing,
    /// `UNC`, the uncertainty, which depends on no score.
    pub uncertainty: RangeOrMissing,
}

impl BinnedCorp {
    /// The parts by their names in JSON.
    pub fn parts(&self) -> [(&'static str, &RangeOrMissing); 5] {
        [
            ("BS", &self.brier_score),
            ("BS_recalibrated", &self.recalibrated),
            ("MCB", &self.miscalibration),
            ("DSC", &self.discrimination),
            ("UNC", &self.uncertainty),
        ]
    }
}

/// The ranges of all metrics and expected losses.
#[derive(Clone, Debug)]
pub struct BinnedEvaluation {
    /// The threshold and the rate of the fixed methods.
    pub thresholds: Thresholds,
    /// The metrics in the order of [`METRICS`].
    metrics: Vec<RangeOrMissing>,
    /// The losses over cost proportions, and over skews.
    losses: [Vec<RangeOrMissing>; 2],
    /// The Brier score decomposed by isotonic recalibration.
    pub corp: BinnedCorp,
}

impl BinnedEvaluation {
    /// The metrics.
    pub fn metrics(&self) -> impl Iterator<Item = (&'static Definition, &RangeOrMissing)> {
        METRICS.iter().zip(&self.metrics)
    }

    /// A metric by name.
    pub fn metric(&self, name: &str) -> Option<&RangeOrMissing> {
        self.metrics().find(|(definition, _)| definition.name == name).map(|(_, range)| range)
    }

    /// The expected losses of the seven methods over one kind of operating condition.
    pub fn losses(&self, condition: Condition) -> impl Iterator<Item = (Method, &RangeOrMissing)> {
        self.thresholds.methods().into_iter().zip(&self.losses[usize::from(condition == Condition::Skew)])
    }

    /// An expected loss.
    pub fn loss(&self, condition: Condition, method: Method) -> Option<&RangeOrMissing> {
        self.losses(condition).find(|(known, _)| *known == method).map(|(_, range)| range)
    }
}

/// The ranges of all metrics and expected losses over all placements of scores within their bins.
///
/// ```
/// use rocproof_scored::{BinRows, Binned, ScoreDirection, evaluate_bins};
/// use rocproof_engine::{Cost, functional::Thresholds};
/// let rows = BinRows { lo: &[0.0, 0.6], hi: &[0.4, 1.0], mass: &[[3.0, 1.0], [1.0, 3.0]] };
/// let data = Binned::new(ScoreDirection::TowardClass1, rows, None)?;
/// let auc = evaluate_bins(&data, &Cost::uniform(), &Thresholds::default())?.metric("AUC").unwrap().clone().unwrap();
/// // 9 of 16 pairs are in different bins and in order, 1 is out of order, and 6 share a bin.
/// assert!((auc.lo - 9.0 / 16.0).abs() < 1e-12 && (auc.hi - 15.0 / 16.0).abs() < 1e-12 && auc.is_sharp());
/// # Ok::<(), rocproof_scored::BadBins>(())
/// ```
pub fn evaluate_bins(data: &Binned, cost: &Cost, thresholds: &Thresholds) -> Result<BinnedEvaluation, BadScore> {
    let extremes = Extremes::new(data, cost, thresholds)?;
    let metrics = METRICS.iter().map(|metric| Ok(extremes.metric(metric)?.within(limits(metric)))).collect();
    let loss = |condition: Condition, method: Method| Ok(extremes.loss(condition, method)?.within(LIMITS_OF_LOSSES));
    let losses = [Condition::Cost, Condition::Skew]
        .map(|condition| thresholds.methods().into_iter().map(|method| loss(condition, method)).collect());
    Ok(BinnedEvaluation { thresholds: thresholds.clone(), metrics, losses, corp: extremes.corp() })
}

/// The limits of `Q`, and so of expected losses.
const LIMITS_OF_LOSSES: (f64, f64) = (0.0, 2.0);

/// The least and the greatest value of a metric for any scores.
fn limits(metric: &Definition) -> (f64, f64) {
    match metric.name {
        "Gini" => (-1.0, 1.0),
        _ if metric.mean_of.is_some() => (f64::NEG_INFINITY, f64::INFINITY),
        _ => (0.0, 1.0),
    }
}

/// Evaluations at extreme placements: of the order of scores, of sums over rows, and of what a threshold separates.
struct Extremes<'a> {
    data: &'a Binned,
    /// The best and the worst order.
    orders: [Evaluation; 2],
    /// The best and the worst order as scored data.
    ordered: [Scored; 2],
    /// No ties, and as many as can be.
    ties: [Evaluation; 2],
    /// Least and greatest losses.
    ends: [Evaluation; 2],
    /// Least and greatest losses at the threshold.
    beside: [Evaluation; 2],
    /// Least and greatest losses on the scale from the smallest to the largest score; `None` if there may be none.
    scaled: Option<[Evaluation; 2]>,
}

/// A value of an evaluation.
type Read<'a> = &'a dyn Fn(&Evaluation) -> Option<&Value>;

impl<'a> Extremes<'a> {
    /// Evaluates the extreme placements.
    fn new(data: &'a Binned, cost: &Cost, thresholds: &Thresholds) -> Result<Extremes<'a>, BadScore> {
        let evaluate = |placed: &Scored| on_input_scale(placed, &[], evaluate_scored(placed, cost, thresholds));
        let both = |placed: [Result<Scored, BadScore>; 2]| -> Result<[Evaluation; 2], BadScore> {
            let [low, high] = placed;
            Ok([evaluate(&low?), evaluate(&high?)])
        };
        let ordered = [data.in_order(Order::Best)?, data.in_order(Order::Worst)?];
        let sides = [Lower::Class0, Lower::Class1];
        let [low, high] = sides.map(|lower| data.shares_of_scale(lower));
        Ok(Extremes {
            data,
            orders: ordered.each_ref().map(evaluate),
            ordered,
            ties: both([data.in_order(Order::Apart), data.in_order(Order::Joined)])?,
            ends: both(sides.map(|lower| data.at_ends(lower)))?,
            beside: both(sides.map(|lower| data.beside_thresholds(lower)))?,
            scaled: low.zip(high).map(|(low, high)| both([low, high])).transpose()?,
        })
    }

    /// The range of a metric.
    fn metric(&self, metric: &Definition) -> RangeOrMissing {
        if let Some(why) = self.refusal(metric.scores) {
            return Err(why);
        }
        let of = |evaluations: &[Evaluation; 2]| range(evaluations, &|evaluation| evaluation.metric(metric.name));
        match metric.name {
            "AUC" | "AUCH" | "Gini" | "RL_conv" | "H" | "H_priors" | "H_hmeasure" => of(&self.orders),
            "MAE" | "MMAE" | "BS" | "MBS" | "s0" | "s1" => of(&self.ends),
            "Acc" | "MAcc" => of(&self.beside),
            "KS" => self.distance(),
            "RL" => {
                let is_sharp = self.data.runs().all(|run| {
                    let mut touching = run.iter().filter(|bin| bin.touches_before).map(|bin| bin.ends[0]);
                    let first = touching.next();
                    touching.all(|end| Some(end) == first)
                });
                Ok(of(&self.ties)?.unless(is_sharp, TOUCHING))
            }
            "CL" => self.calibration_loss(),
            name => Err(Missing::Inapplicable(format!("how {name} varies within bins is not known").into())),
        }
    }

    /// The range of an expected loss.
    fn loss(&self, condition: Condition, method: Method) -> RangeOrMissing {
        let of = |evaluations: &[Evaluation; 2]| range(evaluations, &|evaluation| evaluation.loss(condition, method));
        match method {
            Method::RateFixed(_) | Method::RateUniform | Method::RateDriven | Method::Optimal => of(&self.orders),
            Method::ScoreFixed(_) => of(&self.beside),
            Method::ScoreDriven => match self.refusal(method.scores()) {
                Some(why) => Err(why),
                None => of(&self.ends),
            },
            Method::ScoreUniform if self.data.are_probabilities() => of(&self.ends),
            Method::ScoreUniform if self.data.may_be_probabilities() => {
                Err(Missing::Inapplicable(UNKNOWN_SCALE.into()))
            }
            Method::ScoreUniform => match &self.scaled {
                Some(scaled) => Ok(of(scaled)?.unless(self.data.has_known_scale(), MOVING_SCALE)),
                None => Err(Missing::Inapplicable(NO_SCALE.into())),
            },
        }
    }

    /// Why a requirement on the scores is not met, if it is not.
    fn refusal(&self, scores: Scores) -> Option<Missing> {
        let is_refused = scores == Scores::Probabilities && !self.data.are_probabilities();
        is_refused.then(|| Missing::Inapplicable(NOT_PROBABILITIES.into()))
    }

    /// The range of `KS`.
    fn distance(&self) -> RangeOrMissing {
        let greatest = range(&self.orders, &|evaluation| evaluation.metric("KS"))?;
        let [[_, falls], [rises, _]] = self.ordered.each_ref().map(greatest_distances);
        let least = Estimate { value: rises.max(falls), error: ROUNDING };
        let lo = ValueRange::of(&[least]).lo.max(0.0);
        Ok(ValueRange { lo, ..greatest }.unless(!self.data.has_touching_bins(), TOUCHING))
    }

    /// The range of `CL`, of probabilities.
    fn calibration_loss(&self) -> RangeOrMissing {
        let greatest_score = estimate(self.ends[1].metric("BS"))?;
        let least_refinement = estimate(self.ties[0].metric("RL"))?;
        let (least, is_sharp) = self.data.least_calibration_loss();
        Ok(ValueRange::of(&[least, difference(greatest_score, least_refinement)]).unless(is_sharp, TOUCHING))
    }

    /// The parts of the decomposition by isotonic recalibration.
    fn corp(&self) -> BinnedCorp {
        let named = |name: &str| match METRICS.iter().find(|metric| metric.name == name) {
            Some(metric) => self.metric(metric).map(|range| range.within(limits(metric))),
            None => Err(Missing::NotComputed),
        };
        let [best, worst] = [0, 1].map(|k| corp_of_hull(self.ordered[k].totals(), &self.orders[k]));
        let (brier_score, recalibrated) = (named("BS"), named("RL_conv"));
        BinnedCorp {
            miscalibration: self.miscalibration(&brier_score, &recalibrated),
            discrimination: both(Some(&best.discrimination), Some(&worst.discrimination))
                .map(|range| range.within((0.0, 1.0))),
            uncertainty: both(Some(&best.uncertainty), Some(&worst.uncertainty)),
            brier_score,
            recalibrated,
        }
    }

    /// The range of `MCB = BS - RL_conv`, which is not negative.
    fn miscalibration(&self, brier_score: &RangeOrMissing, recalibrated: &RangeOrMissing) -> RangeOrMissing {
        let (score, loss) = (brier_score.clone()?, recalibrated.clone()?);
        let (lo, hi) = (score.lo - loss.hi - ROUNDING, score.hi - loss.lo + ROUNDING);
        let range = ValueRange { lo: lo.max(0.0), hi: hi.max(0.0), why_not_sharp: None };
        Ok(range.unless(self.data.has_scores_only(), NOT_TOGETHER))
    }
}

/// The estimate of a value, with room for the rounding of weights.
fn estimate(value: Option<&Value>) -> Result<Estimate, Missing> {
    match value {
        Some(Value::Missing(why)) => Err(why.clone()),
        Some(value) => {
            let found = value.estimate().ok_or(Missing::NotComputed)?;
            Ok(found.widened(ROUNDING * found.value.abs()))
        }
        None => Err(Missing::NotComputed),
    }
}

/// The difference of two estimates.
fn difference(a: Estimate, b: Estimate) -> Estimate {
    Estimate { value: a.value - b.value, error: a.error + b.error + ROUNDING }
}

/// The range between two values.
fn both(a: Option<&Value>, b: Option<&Value>) -> RangeOrMissing {
    Ok(ValueRange::of(&[estimate(a)?, estimate(b)?]))
}

/// The range between the values of two evaluations.
fn range([a, b]: &[Evaluation; 2], read: Read) -> RangeOrMissing {
    both(read(a), read(b))
}
