//! Numbers with the digits that their errors justify.

use crate::calculus::Estimate;

/// A number with only the digits that its error justifies: the true value differs by less than one unit of the last digit.
///
/// ```
/// use rocproof::calculus::Estimate;
/// use rocproof::output::digits;
/// assert_eq!(digits(Estimate { value: 0.102561888231533, error: 2e-13 }), "0.102561888232");
/// assert_eq!(digits(Estimate { value: 0.25, error: 0.02 }), "0.2");
/// assert_eq!(digits(Estimate { value: 1.0 / 3.0, error: 0.0 }), "0.333333333333333");
/// assert_eq!(digits(Estimate { value: 1.5e-9, error: 1e-14 }), "1.5000e-9");
/// assert_eq!(digits(Estimate { value: 2e-16, error: 2e-13 }), "0.000000000000");
/// assert_eq!(digits(Estimate { value: 123.4, error: 4.0 }), "120");
/// assert_eq!(digits(Estimate { value: -1.5e300, error: 2e289 }), "-1.5000000000e300");
/// assert_eq!(digits(Estimate { value: -1e-17, error: 2e-13 }), "0.000000000000");
/// ```
pub fn digits(estimate: Estimate) -> String {
    let Estimate { value, error } = estimate;
    // The number of decimals that the error justifies; negative if not even all digits before the point. Half a unit of the last digit covers rounding,
    // the other half the error.
    let justified = if error > 0.0 { (-(2.0 * error).log10()).floor() } else { 15.0 };
    let size = value.abs().log10();
    // Very small and very large numbers are in scientific notation, if one digit at least is justified.
    if value != 0.0 && !(-4.0..9.0).contains(&size) && justified + size >= 0.0 {
        let significant = (justified + size.floor()).clamp(0.0, 15.0) as usize;
        return format!("{value:.significant$e}");
    }
    if justified < 0.0 {
        // The error exceeds the last digit before the point: round to tens, hundreds, ….
        let unit = 10f64.powf(-justified);
        return format!("{:.0}", (value / unit).round() * unit + 0.0);
    }
    // A float has about 15 significant digits.
    let most = if value == 0.0 { 15.0 } else { 15.0 - size.floor().max(0.0) };
    let decimals = justified.clamp(0.0, most.max(0.0)) as usize;
    let text = format!("{value:.decimals$}");
    // A zero has no sign.
    if text.bytes().all(|b| b"-0.".contains(&b)) { text.trim_start_matches('-').to_owned() } else { text }
}
