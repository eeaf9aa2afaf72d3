//! Numbers with four significant digits, and sampling intervals with the decimals that their width justifies.

use crate::calculus::Estimate;
use crate::functional::Value;

/// The significant digits of a value.
const SIGNIFICANT: i32 = 4;
/// The significant digits of the width of an interval.
const SIGNIFICANT_OF_WIDTH: i32 = 2;
/// Smaller numbers are in scientific notation.
const SMALLEST: f64 = 1e-4;
/// No number has more decimals.
const MOST_DECIMALS: i32 = 15;

/// The decimals at which a number has this many significant digits.
fn decimals(x: f64, significant: i32) -> usize {
    let before_point = x.abs().log10().floor() as i32 + 1;
    (significant - before_point).clamp(0, MOST_DECIMALS) as usize
}

/// A number with the given decimals. Zero and one have none.
fn with_decimals(x: f64, decimals: usize) -> String {
    if x == 0.0 || x == 1.0 {
        return format!("{}", x.abs());
    }
    if x.abs() < SMALLEST && x.abs() < 0.5 * 10f64.powi(-(decimals as i32)) {
        return format!("{x:.1e}");
    }
    format!("{x:.decimals$}")
}

/// A number with four significant digits.
pub(in crate::report) fn short(x: f64) -> String {
    if x == 0.0 || !x.is_finite() {
        return format!("{}", x + 0.0);
    }
    if x.abs() < SMALLEST {
        return format!("{x:.3e}");
    }
    with_decimals(x, decimals(x, SIGNIFICANT))
}

/// The value of an estimate; 0 or 1 if it is that up to its rounding error.
pub(in crate::report) fn settled(estimate: Estimate) -> f64 {
    let Estimate { value, error } = estimate;
    [0.0, 1.0].into_iter().find(|whole| (value - whole).abs() <= error).unwrap_or(value)
}

/// A value with four significant digits, or a dash.
pub(in crate::report) fn short_value(value: &Value) -> String {
    value.estimate().map_or_else(|| "-".to_owned(), |estimate| short(settled(estimate)))
}

/// A narrower interval, relative to its value, is a rounding error: it has no width.
const NO_WIDTH: f64 = 1e-9;

/// The decimals of the ends of an interval: one less than the value has, or more if the interval is narrow. If it is wider than the value
/// is large, the width alone decides.
fn decimals_of_ends(value: f64, (low, high): (f64, f64)) -> usize {
    let of_value = if value == 0.0 { SIGNIFICANT as usize } else { decimals(value, SIGNIFICANT) };
    let has_width = high - low > NO_WIDTH * value.abs().max(low.abs());
    let of_width = if has_width { decimals(high - low, SIGNIFICANT_OF_WIDTH) } else { 0 };
    if high - low > value.abs() && value != 0.0 {
        return of_width;
    }
    of_width.max(of_value.saturating_sub(1))
}

/// An interval in brackets, for a value beside it.
pub(in crate::report) fn interval(value: f64, (low, high): (f64, f64)) -> String {
    let decimals = decimals_of_ends(value, (low, high));
    format!("[{}, {}]", with_decimals(low, decimals), with_decimals(high, decimals))
}

/// Rounding of evaluations that is not shown, for values of size 1 and less: 0.75 + 1e-15 is written as 0.7500.
const HIDDEN_ROUNDING: f64 = 1e-13;
/// No more than this share of a unit of the last digit is hidden.
const HIDDEN_SHARE: f64 = 1e-3;

/// A range of values in brackets, its ends rounded outward; a single number if it has no width.
pub(in crate::report) fn range((low, high): (f64, f64), significant: usize) -> String {
    let significant = i32::try_from(significant).unwrap_or(MOST_DECIMALS);
    let size = low.abs().max(high.abs());
    if high - low <= HIDDEN_ROUNDING * size.max(1.0) {
        let middle = low / 2.0 + high / 2.0;
        return if size < HIDDEN_ROUNDING {
            "0".to_owned()
        } else {
            with_decimals(middle, decimals(middle, significant))
        };
    }
    let decimals = decimals(size, significant).max(decimals(high - low, SIGNIFICANT_OF_WIDTH));
    let step = 10f64.powi(-(decimals as i32));
    let slack = (HIDDEN_ROUNDING * size.max(1.0)).min(HIDDEN_SHARE * step);
    let rounded = |x: f64| format!("{x:.decimals$}").parse().unwrap_or(x);
    let (mut down, mut up): (f64, f64) = (rounded(low), rounded(high));
    if down > low + slack {
        down = rounded(down - step);
    }
    if up < high - slack {
        up = rounded(up + step);
    }
    let written = |x: f64| if x == 0.0 || x == 1.0 { format!("{}", x.abs()) } else { format!("{x:.decimals$}") };
    format!("[{}, {}]", written(down), written(up))
}

/// An interval in words, for a value beside it.
pub(super) fn interval_in_words(value: f64, (low, high): (f64, f64)) -> String {
    let decimals = decimals_of_ends(value, (low, high));
    format!("{} to {}", with_decimals(low, decimals), with_decimals(high, decimals))
}

/// A difference with its interval in words: "0.0043, interval -0.0046 to 0.0117". The width of the interval decides on the decimals.
pub(super) fn difference_in_words(value: f64, (low, high): (f64, f64)) -> String {
    const SIGNIFICANT_OF_DIFFERENCE: i32 = 3;
    if high <= low {
        return format!("{}, interval {}", short(value), interval_in_words(value, (low, high)));
    }
    let decimals = decimals(high - low, SIGNIFICANT_OF_DIFFERENCE);
    let [value, low, high] = [value, low, high].map(|x| with_decimals(x, decimals));
    format!("{value}, interval {low} to {high}")
}

/// A value with its interval. The value has the decimals of the interval, if these are more than four significant digits.
pub(in crate::report) fn with_interval(value: f64, ends: (f64, f64)) -> String {
    let decimals_of_ends = decimals_of_ends(value, ends);
    let shown = match value != 0.0 && decimals(value, SIGNIFICANT) < decimals_of_ends {
        true => with_decimals(value, decimals_of_ends),
        false => short(value),
    };
    format!("{shown} {}", interval(value, ends))
}

/// The shortest decimal above `low` up to `high`, or from `low` to below `high`, which says whether the low end is left out.
pub(in crate::report) fn shortest_between(low: f64, high: f64, leaves_low_out: bool) -> f64 {
    let is_inside = |x: f64| if leaves_low_out { low < x && x <= high } else { low <= x && x < high };
    let middle = match (low.is_finite(), high.is_finite()) {
        (true, true) => low / 2.0 + high / 2.0,
        (true, false) => low + low.abs().max(1.0),
        (false, true) => high - high.abs().max(1.0),
        (false, false) => 0.5,
    };
    let rounded = (0..=MOST_DECIMALS).map(|decimals| {
        let text = format!("{middle:.0$}", decimals as usize);
        text.parse().unwrap_or(middle)
    });
    rounded.into_iter().find(|x| is_inside(*x)).unwrap_or(if leaves_low_out { high } else { low })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_four_significant_digits() {
        for (x, text) in [
            (0.979_744_7, "0.9797"),
            (0.052_606_26, "0.05261"),
            (1.0, "1"),
            (0.0, "0"),
            (12.345_67, "12.35"),
            (-0.004_342_9, "-0.004343"),
            (1.23e-7, "1.230e-7"),
        ] {
            assert_eq!(short(x), text);
        }
    }

    /// The width decides on the decimals: a narrow interval is not rounded away.
    #[test]
    fn intervals_show_their_width() {
        assert_eq!(with_interval(0.979_744_7, (0.969_1, 0.986_8)), "0.9797 [0.969, 0.987]");
        assert_eq!(with_interval(0.979_744_7, (0.979_512, 0.979_981)), "0.97974 [0.97951, 0.97998]");
        assert_eq!(with_interval(0.005_171, (0.0, 0.002_338)), "0.005171 [0, 0.00234]");
        assert_eq!(with_interval(0.25, (0.25, 0.25 + 1e-15)), "0.2500 [0.250, 0.250]");
        assert_eq!(with_interval(1.0, (0.158_113, 1.0)), "1 [0.16, 1]");
        // The interval had as many decimals as the small value: [0, 0.831231].
        assert_eq!(with_interval(0.000_636_5, (0.0, 0.831_231)), "0.0006365 [0, 0.83]");
        assert_eq!(interval_in_words(0.979_744_7, (0.969_1, 0.986_8)), "0.969 to 0.987");
        assert_eq!(difference_in_words(0.004_343, (-0.004_63, 0.011_67)), "0.0043, interval -0.0046 to 0.0117");
    }

    /// A range shows no number that would leave a value out, but no rounding of evaluations either.
    #[test]
    fn ranges_are_rounded_outward() {
        assert_eq!(range((0.901_24, 0.934_41), 4), "[0.9012, 0.9345]");
        assert_eq!(range((0.901_26, 0.934_49), 4), "[0.9012, 0.9345]");
        assert_eq!(range((0.25 - 1e-16, 0.75 + 1e-16), 4), "[0.2500, 0.7500]");
        assert_eq!(range((-1e-17, 1.0 + 2e-16), 4), "[0, 1]");
        assert_eq!(range((-1e-17, 1e-16), 4), "0");
        assert_eq!(range((0.75 - 1e-16, 0.75 + 1e-16), 4), "0.7500");
        assert_eq!(range((0.979_512_3, 0.979_981_2), 4), "[0.97951, 0.97999]");
        assert_eq!(range((-12.346, 3.0), 4), "[-12.35, 3.00]");
    }

    #[test]
    fn thresholds_are_short_and_inside() {
        assert_eq!(shortest_between(0.2034, 0.2191, true), 0.21);
        assert_eq!(shortest_between(0.4, 0.9, false), 0.7);
        assert_eq!(shortest_between(0.5, f64::INFINITY, true), 2.0);
        assert_eq!(shortest_between(0.3, 0.3, true), 0.3);
    }
}
