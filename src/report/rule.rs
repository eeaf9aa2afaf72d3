//! Thresholds in words: which rows they call positive.

use super::summary::number::{self, short};
use super::table::full_digits;
use crate::data::read::Classes;
use crate::functional::Method;

/// A threshold, and which rows are called positive by it. An infinite one calls all rows positive, or none.
pub(super) fn describe_threshold(classes: &Classes, threshold: f64) -> String {
    let positive = &classes.names[0];
    let is_positive_above = classes.higher_means == 0;
    match (threshold.is_finite(), (threshold > 0.0) == is_positive_above) {
        (true, _) => at_threshold(classes, &full_digits(threshold)),
        (false, true) => format!("no threshold: call no row `{positive}`"),
        (false, false) => format!("no threshold: call every row `{positive}`"),
    }
}

/// The rule of a threshold that is given as text.
fn at_threshold(classes: &Classes, threshold: &str) -> String {
    let sign = if classes.higher_means == 0 { ">=" } else { "<=" };
    format!("threshold {threshold}: `{}` where the score is {sign} {threshold}", classes.names[0])
}

/// Which rows a method calls positive, whatever the operating condition `c`. `at` is the request for one condition, such as `--at c=0.2`.
pub(super) fn describe_method(classes: &Classes, method: Method, at: &str) -> String {
    let of_rate = |rate: &str| format!("the threshold that calls a share {rate} of the rows `{}`", classes.names[0]);
    match method {
        Method::ScoreFixed(threshold) => describe_threshold(classes, threshold),
        Method::ScoreDriven if classes.higher_means == 0 => at_threshold(classes, "1-c"),
        Method::ScoreDriven => at_threshold(classes, "c"),
        Method::RateFixed(rate) => of_rate(&full_digits(rate)),
        Method::RateDriven => of_rate("c"),
        Method::Optimal => format!("the threshold of least loss, which follows from c: {at} gives it"),
        Method::ScoreUniform => "a threshold drawn at random from the range of scores".to_owned(),
        Method::RateUniform => "a threshold at the score of a row drawn at random".to_owned(),
    }
}

/// A threshold with four digits, or in words if it is infinite.
pub(super) fn short_threshold(threshold: f64) -> String {
    match threshold {
        f64::INFINITY => "above every score".to_owned(),
        f64::NEG_INFINITY => "below every score".to_owned(),
        finite => short(finite),
    }
}

/// A threshold with its interval.
pub(super) fn threshold_with_interval(threshold: f64, (low, high): (f64, f64)) -> String {
    if [threshold, low, high].into_iter().all(f64::is_finite) {
        return number::with_interval(threshold, (low, high));
    }
    let shown = short_threshold(threshold);
    match (low.is_finite(), high.is_finite()) {
        (true, true) => format!("{shown} {}", number::interval(low, (low, high))),
        (true, false) => format!("{shown} [{} or more]", short(low)),
        (false, true) => format!("{shown} [{} or less]", short(high)),
        (false, false) if low == high => shown,
        (false, false) => format!("{shown} [any]"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Labels of which higher scores mean the first or the second.
    fn classes(higher_means: usize) -> Classes {
        Classes { names: ["spam", "ham"].map(str::to_owned), higher_means, by_default: [false; 2] }
    }

    /// A table of thresholds said `inf [inf, inf]`.
    #[test]
    fn infinite_thresholds_are_in_words() {
        let (low, high) = (f64::NEG_INFINITY, f64::INFINITY);
        assert_eq!(describe_threshold(&classes(0), high), "no threshold: call no row `spam`");
        assert_eq!(describe_threshold(&classes(0), low), "no threshold: call every row `spam`");
        assert_eq!(describe_threshold(&classes(1), high), "no threshold: call every row `spam`");
        assert_eq!(describe_threshold(&classes(1), low), "no threshold: call no row `spam`");
        assert_eq!(describe_threshold(&classes(1), 0.25), "threshold 0.25: `spam` where the score is <= 0.25");
        assert_eq!(threshold_with_interval(high, (high, high)), "above every score");
        assert_eq!(threshold_with_interval(0.93, (0.9, high)), "0.9300 [0.9000 or more]");
        assert_eq!(threshold_with_interval(low, (low, 0.2)), "below every score [0.2000 or less]");
        assert_eq!(threshold_with_interval(0.5, (0.4, 0.6)), "0.5000 [0.400, 0.600]");
    }

    #[test]
    fn methods_say_which_rows_they_call_positive() {
        let said = |method: Method| describe_method(&classes(0), method, "--at c=0.2");
        assert_eq!(said(Method::ScoreDriven), "threshold 1-c: `spam` where the score is >= 1-c");
        assert_eq!(said(Method::RateDriven), "the threshold that calls a share c of the rows `spam`");
        assert_eq!(said(Method::Optimal), "the threshold of least loss, which follows from c: --at c=0.2 gives it");
        let reversed = describe_method(&classes(1), Method::ScoreDriven, "--at c=0.2");
        assert_eq!(reversed, "threshold c: `spam` where the score is <= c");
    }
}
