//! Sampling intervals: a value on the data, its standard error, and the interval, with the method that made it.

use rocproof_arith::libm;
use std::fmt;

/// A value with its sampling variation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// The value on the data.
    pub value: f64,
    /// The standard deviation over samples.
    pub standard_error: f64,
    /// The interval of the requested level.
    pub interval: (f64, f64),
    /// The bias that the interval corrects: the mean over samples minus the truth of the distribution that they are drawn from.
    pub bias: Option<f64>,
    /// The p-value of scores that are no better than chance, for quantities of the hull: the share of permutations of the classes that
    /// are at least as good.
    pub chance: Option<f64>,
    /// How the interval was made.
    pub method: IntervalMethod,
    /// Why the interval cannot be relied on, if so.
    pub caveat: Option<Caveat>,
}

/// How an interval was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntervalMethod {
    /// Quantiles of the values of samples of rows.
    Percentile,
    /// Normal on a scale of logarithms, corrected for bias; samples are drawn from a smooth model of the data.
    Smoothed,
    /// A difference: each side as by [`IntervalMethod::Smoothed`], combined with the correlation of paired samples of rows.
    PairedCorrected,
    /// Normal, corrected for the bias of samples of rows.
    Corrected,
    /// DeLong's variance, on the scale of the logit.
    DelongLogit,
    /// DeLong's variances and their covariance, for a difference.
    Delong,
    /// For a difference of means of losses by row: intervals of what lies above 0 and below it, combined.
    PairedRows,
    /// Wilson's interval of a share with the variance of a mean of losses by row: an effective number of rows.
    EffectiveShare,
    /// Intervals of the means of each class, combined.
    ByClass,
    /// From the intervals of the AUC and of the class proportion, on which alone the quantity depends.
    ByAuc,
    /// A cautious bound from disjoint pairs of rows: an AUC of 1 or 0.
    DisjointPairs,
    /// All values that are possible: the rows bound it no further.
    Unbounded,
    /// Wilson's interval of a share of rows.
    Wilson,
}

impl IntervalMethod {
    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            IntervalMethod::Percentile => "percentile bootstrap",
            IntervalMethod::Smoothed => "smoothed bootstrap, bias-corrected",
            IntervalMethod::PairedCorrected => "paired bootstrap, bias-corrected",
            IntervalMethod::Corrected => "bootstrap, bias-corrected",
            IntervalMethod::DelongLogit => "DeLong, logit",
            IntervalMethod::Delong => "DeLong",
            IntervalMethod::PairedRows => "mean of differences by row",
            IntervalMethod::EffectiveShare => "Wilson with an effective number of rows, mean of losses by row",
            IntervalMethod::ByClass => "means by class, combined",
            IntervalMethod::ByAuc => "of the AUC and the class proportion",
            IntervalMethod::DisjointPairs => "conservative, disjoint pairs",
            IntervalMethod::Unbounded => "none: all possible values",
            IntervalMethod::Wilson => "Wilson",
        }
    }
}

/// Why an interval cannot be relied on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Caveat {
    /// Weighted rows cannot be drawn from a smooth model: the correction for bias is rough.
    Weighted,
    /// A class has this many rows.
    FewRows(f64),
    /// This many rows lie where the classes overlap; the rest are ranked without error.
    FewOverlap(f64),
    /// The scores are not better than chance beyond doubt; this is the p-value. Intervals of hull quantities then cover
    /// more than their level (`L[o]`, `H`) or less (`AUCH`, `KS`).
    Chance(f64),
    /// The quantity is near its smallest value, zero: the interval covers more than its level.
    NearZero,
    /// The value depends on which scores are equal. It is biased unless many rows share each score.
    ByTies,
    /// All rows have the same loss.
    AllAlike,
    /// Every pair of rows of both classes is ranked right: the AUC is 1, and DeLong's variance is 0.
    PerfectRanking,
    /// Every pair of rows of both classes is ranked wrong: the AUC is 0, and DeLong's variance is 0.
    ReversedRanking,
    /// All rows of a class are ranked alike: the variance is 0.
    NoVariation,
    /// Both models rank all rows alike: their difference has no variance.
    SameRanking,
}

impl fmt::Display for Caveat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Caveat::Weighted => f.write_str("rows have weights: the correction for bias is rough"),
            Caveat::FewRows(1.0) => f.write_str("a class has only one row"),
            Caveat::FewOverlap(0.0) => f.write_str("no rows lie where the classes overlap"),
            Caveat::FewOverlap(1.0) => f.write_str("only one row lies where the classes overlap"),
            Caveat::FewRows(rows) => write!(f, "a class has only {rows} rows"),
            Caveat::FewOverlap(rows) => write!(f, "only {rows} rows lie where the classes overlap"),
            Caveat::Chance(p) => write!(f, "the scores are not clearly better than chance (p = {p:.2})"),
            Caveat::NearZero => f.write_str("near zero: the interval covers more than its level"),
            Caveat::PerfectRanking => {
                f.write_str("every pair is ranked right, so that no variance can be estimated: a cautious bound")
            }
            Caveat::ReversedRanking => {
                f.write_str("every pair is ranked wrong, so that no variance can be estimated: a cautious bound")
            }
            Caveat::NoVariation => f.write_str("all rows of a class are ranked alike: there is no variance"),
            Caveat::SameRanking => {
                f.write_str("the difference does not vary over these rows: they do not show how much new rows vary")
            }
            Caveat::ByTies => {
                f.write_str("depends on which scores are equal: biased unless many rows share each score")
            }
            Caveat::AllAlike => {
                f.write_str("all rows have the same loss: they do not show how much that of new rows varies")
            }
        }
    }
}

/// The number `z` such that a standard normal variable lies in [-z, z] with probability `level`, by bisection.
pub(super) fn normal_quantile(level: f64) -> f64 {
    // Beyond 40 the probability outside is 0 in floating point.
    let (mut low, mut high) = (0.0, 40.0);
    while high - low > 1e-12 {
        let middle = (low + high) / 2.0;
        if libm::erf(middle / std::f64::consts::SQRT_2) < level {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low + high) / 2.0
}

/// The mean of samples, and their standard deviation.
pub(super) fn mean_and_deviation(samples: &[f64]) -> (f64, f64) {
    let n = samples.len() as f64;
    let mean = samples.iter().sum::<f64>() / n;
    let variance = samples.iter().map(|sample| (sample - mean).powi(2)).sum::<f64>() / (n - 1.0);
    (mean, variance.sqrt())
}

/// The spread of a value by the quantiles of its samples; `None` if the value is missing, or fewer than two samples have one.
pub(super) fn percentile_spread(value: f64, mut samples: Vec<f64>, level: f64) -> Option<Spread> {
    samples.retain(|sample| sample.is_finite());
    if !value.is_finite() || samples.len() < 2 {
        return None;
    }
    samples.sort_unstable_by(f64::total_cmp);
    let tail = (1.0 - level) / 2.0;
    let interval = (quantile(&samples, tail), quantile(&samples, 1.0 - tail));
    let (_, standard_error) = mean_and_deviation(&samples);
    let method = IntervalMethod::Percentile;
    Some(Spread { value, standard_error, interval, bias: None, chance: None, method, caveat: None })
}

/// The `p`-quantile of sorted samples by linear interpolation (definition 7 of Hyndman and Fan).
pub(super) fn quantile(sorted: &[f64], p: f64) -> f64 {
    let position = p * (sorted.len() - 1) as f64;
    let (below, above) = (sorted[position.floor() as usize], sorted[position.ceil() as usize]);
    below + (position - position.floor()) * (above - below)
}

/// The scale on which the sampling distribution of a quantity is closest to normal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NormalScale {
    /// The logarithm: a loss, 0 for perfect scores.
    LogLoss,
    /// The negative logarithm of the distance from 1: 1 for perfect scores.
    LogDistanceFromOne,
    /// The value itself, which is not negative.
    Plain,
}

impl NormalScale {
    /// A value on this scale. Distances below `least` count as `least`, so that perfect scores have a finite place.
    pub(super) fn place(self, value: f64, least: f64) -> f64 {
        match self {
            NormalScale::LogLoss => value.max(least).ln(),
            NormalScale::LogDistanceFromOne => -(1.0 - value).max(least).ln(),
            NormalScale::Plain => value,
        }
    }

    /// The best value, if it has one: that of scores that separate the classes.
    pub(super) fn best(self) -> Option<f64> {
        match self {
            NormalScale::LogLoss => Some(0.0),
            NormalScale::LogDistanceFromOne => Some(1.0),
            NormalScale::Plain => None,
        }
    }

    /// The value at a place on this scale; never negative. A loss is at most 1/2, since the optimal method loses at most
    /// `2 min(c π0, (1-c) π1)`.
    pub(super) fn value(self, place: f64) -> f64 {
        match self {
            NormalScale::LogLoss => place.exp().min(0.5),
            NormalScale::LogDistanceFromOne => (1.0 - (-place).exp()).max(0.0),
            NormalScale::Plain => place.max(0.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Classes that do not overlap: "only -0 rows" was said of them.
    #[test]
    fn caveats_count_in_words() {
        let texts = [0.0, 1.0, 2.0].map(|rows| Caveat::FewOverlap(rows).to_string());
        assert_eq!(texts[0], "no rows lie where the classes overlap");
        assert_eq!(texts[1], "only one row lies where the classes overlap");
        assert_eq!(texts[2], "only 2 rows lie where the classes overlap");
    }

    #[test]
    fn scales_are_inverted() {
        for scale in [NormalScale::LogLoss, NormalScale::LogDistanceFromOne, NormalScale::Plain] {
            for value in [0.01, 0.3, 0.49] {
                assert!((scale.value(scale.place(value, 1e-9)) - value).abs() < 1e-15, "{scale:?} {value}");
            }
        }
        assert!(NormalScale::LogLoss.place(0.0, 1e-6).is_finite());
        assert!(NormalScale::LogDistanceFromOne.place(1.0, 1e-6).is_finite());
    }

    /// Of a standard normal variable 95 % lie within 1.959964.
    #[test]
    fn quantiles_of_the_normal_distribution() {
        assert!((normal_quantile(0.95) - 1.959_963_984_540_054).abs() < 1e-11);
        assert!((normal_quantile(0.5) - 0.674_489_750_196_081_7).abs() < 1e-11);
    }
}
