//! Floats in messages and tables.

/// A number with at most `decimals` decimals: no trailing zeros, and no sign on a zero.
///
/// ```
/// use rocproof_arith::decimal::fixed;
/// assert_eq!([fixed(0.25, 6), fixed(-1e-9, 6), fixed(120.0, 2)], ["0.25", "0", "120"]);
/// assert_eq!(fixed(f64::INFINITY, 6), "inf");
/// ```
pub fn fixed(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// A number in a sentence: as [`fixed`], or in scientific notation with seven digits if it is very small or very large.
///
/// ```
/// use rocproof_arith::decimal::short;
/// assert_eq!([short(0.5, 6), short(1e-7, 6), short(-2.5e12, 12)], ["0.5", "1.000000e-7", "-2.500000e12"]);
/// ```
pub fn short(value: f64, decimals: usize) -> String {
    let is_plain = value == 0.0 || !value.is_finite() || (1e-4..1e9).contains(&value.abs());
    if is_plain { fixed(value, decimals) } else { format!("{value:.6e}") }
}
