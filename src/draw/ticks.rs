//! Ticks at round positions of an axis, with exact labels.

/// The ticks of an axis: positions and labels.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Ticks {
    pub places: Vec<(f64, String)>,
    /// The power of ten that the labels leave out.
    pub exponent: i32,
}

/// Steps between ticks: 1, 2 or 5 times a power of ten.
const STEPS: [i64; 3] = [1, 2, 5];

/// Labels with more digits than this before or after the point share a power of ten.
const DIGITS: i32 = 4;

/// A step that fits about `count` times between `low` and `high`, as a digit and a power of ten.
fn step(low: f64, high: f64, count: usize) -> (i64, i32) {
    // A few more ticks than requested are better than far fewer.
    let least = 0.8 * (high - low) / count.max(1) as f64;
    let exponent = least.log10().floor() as i32;
    let digit = STEPS.into_iter().find(|digit| value(*digit, exponent) >= least);
    digit.map_or((1, exponent + 1), |digit| (digit, exponent))
}

/// A whole number times a power of ten.
fn value(units: i64, exponent: i32) -> f64 {
    // Division by a power of ten rounds once, so that 3 / 10 is the float 0.3.
    if exponent < 0 { units as f64 / 10f64.powi(-exponent) } else { units as f64 * 10f64.powi(exponent) }
}

/// A whole number times a power of ten, in decimal notation.
fn decimal(units: i64, exponent: i32) -> String {
    if exponent >= 0 {
        let zeros = if units == 0 { 0 } else { exponent as usize };
        return with_sign(units < 0, format!("{}{}", units.unsigned_abs(), "0".repeat(zeros)));
    }
    let places = exponent.unsigned_abs() as usize;
    let digits = format!("{:0>width$}", units.unsigned_abs(), width = places + 1);
    let (whole, fraction) = digits.split_at(digits.len() - places);
    with_sign(units < 0, format!("{whole}.{fraction}"))
}

/// Digits after a minus sign, if the number is negative.
fn with_sign(is_negative: bool, digits: String) -> String {
    if is_negative { format!("\u{2212}{digits}") } else { digits }
}

/// About `count` ticks from `low` to `high`. Labels are written from whole numbers, so that each is exactly the position of its tick.
pub(super) fn ticks(low: f64, high: f64, count: usize) -> Ticks {
    let none = Ticks { places: Vec::new(), exponent: 0 };
    if !(low.is_finite() && high.is_finite() && low < high) {
        return none;
    }
    let (digit, exponent) = step(low, high, count);
    let size = value(digit, exponent);
    // A tick at an end must not be lost by rounding.
    let slack = 1e-9 * (high - low);
    // Ticks are the multiples `first..=last` of the step.
    let (first, last) = (((low - slack) / size).ceil(), ((high + slack) / size).floor());
    // Positions beyond 1e15 steps from 0 have no exact label. A step that underflows to 0 has no multiples.
    if size <= 0.0 || first.abs().max(last.abs()) > 1e15 || last - first > 1000.0 {
        return none;
    }
    // Long labels leave out a power of ten whose exponent is a multiple of 3: that of the largest position, rounded down.
    let largest = low.abs().max(high.abs()).log10().floor() as i32;
    let is_long = largest > DIGITS || exponent < -DIGITS && largest < -1;
    let left_out = if is_long { largest.div_euclid(3) * 3 } else { 0 };
    let tick = |k: i64| (value(k * digit, exponent), decimal(k * digit, exponent - left_out));
    Ticks { places: (first as i64..=last as i64).map(tick).collect(), exponent: left_out }
}

/// The range from `low` to `high`, widened to multiples of a step that fits about `count` times.
pub(super) fn round_range(low: f64, high: f64, count: usize) -> (f64, f64) {
    let (digit, exponent) = step(low, high, count);
    let size = value(digit, exponent);
    // Correctly rounded, unless the multiple is too large for an integer.
    let multiple = |k: f64| if k.abs() < 1e15 { value(k as i64 * digit, exponent) } else { k * size };
    // An end that is a multiple up to rounding stays.
    (multiple((low / size + 1e-9).floor()), multiple((high / size - 1e-9).ceil()))
}

/// A power of ten: `×10⁻⁶`.
pub(super) fn power_of_ten(exponent: i32) -> String {
    const RAISED: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let digits = exponent.unsigned_abs().to_string();
    let raised: String = digits.bytes().map(|digit| RAISED[usize::from(digit - b'0')]).collect();
    format!("×10{}{raised}", if exponent < 0 { "⁻" } else { "" })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(low: f64, high: f64, count: usize) -> Vec<String> {
        ticks(low, high, count).places.into_iter().map(|place| place.1).collect()
    }

    #[test]
    fn labels_are_round_and_exact() {
        assert_eq!(labels(0.0, 1.0, 5), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(labels(-0.05, 0.1, 4), ["\u{2212}0.05", "0.00", "0.05", "0.10"]);
        assert_eq!(labels(0.0, 50.0, 5), ["0", "10", "20", "30", "40", "50"]);
        let tiny = ticks(0.0, 3e-7, 3);
        assert_eq!((tiny.exponent, tiny.places[1].clone()), (-9, (1e-7, "100".to_owned())));
        assert_eq!(power_of_ten(tiny.exponent), "×10⁻⁹");
        assert!(labels(1.0, 1.0, 5).is_empty() && labels(f64::NAN, 1.0, 5).is_empty());
    }

    /// Each label, read as a number, is the position of its tick, on ranges of many sizes and offsets.
    #[test]
    fn labels_say_where_they_stand() {
        for k in 0..2000 {
            let low = (f64::from(k) * 0.37).sin() * 10f64.powi(k % 13 - 6);
            let high = low + (f64::from(k) * 0.91).cos().abs().max(1e-3) * 10f64.powi(k % 11 - 5);
            let ticks = ticks(low, high, 2 + k as usize % 7);
            for (place, label) in &ticks.places {
                let read: f64 = format!("{}e{}", label.replace('\u{2212}', "-"), ticks.exponent).parse().unwrap();
                assert_eq!(read, *place, "{low} {high} {label}");
            }
            let (a, b) = round_range(low, high, 4);
            assert!(a <= low + 1e-6 * (high - low) && high <= b + 1e-6 * (high - low), "{low} {high} {a} {b}");
        }
    }
}
