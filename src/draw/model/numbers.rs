//! Numbers in legends: few digits, all of them justified.

use crate::calculus::Estimate;
use crate::functional::Value;
use crate::output::digits;

/// The error that numbers are rounded to, unless their own is larger.
const SHOWN: f64 = 4.9e-6;
/// The relative error that small numbers are rounded to.
const SHARE: f64 = 5e-6;
/// Numbers below this are small: they are shown by significant digits.
const SMALL: f64 = 1e-2;
/// The longest closed form that is shown beside its digits.
const LONGEST: usize = 7;

/// An estimate with five decimals, or with about five digits if it is small.
pub(super) fn format_estimate(estimate: Estimate) -> String {
    let Estimate { value, error } = estimate;
    if value.abs() <= error.max(f64::MIN_POSITIVE) {
        return "0".into();
    }
    let rounding = if value.abs() < SMALL { SHARE * value.abs() } else { SHOWN };
    digits(Estimate { value, error: error.max(rounding) }).replace('-', "−")
}

/// A value: its digits, and its closed form if that is short.
pub(super) fn format_value(value: Option<&Value>) -> String {
    let Some(estimate) = value.and_then(Value::estimate) else { return "unknown".into() };
    let form = value.and_then(Value::exact).and_then(|exact| exact.form.as_ref().ok());
    match form.filter(|form| form.len() <= LONGEST) {
        Some(form) if form.contains('/') => {
            let digits = format_estimate(estimate);
            // Digits that are the value itself follow an equals sign, without trailing zeros.
            let is_exact = digits.parse().is_ok_and(|read: f64| read == estimate.value);
            if is_exact { format!("{form} = {}", digits.trim_end_matches('0')) } else { format!("{form} ≈ {digits}") }
        }
        Some(form) => form.clone(),
        None => format_estimate(estimate),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_few_and_known() {
        let shown = |value: f64, error: f64| format_estimate(Estimate { value, error });
        assert_eq!(shown(0.102561888231533, 1e-13), "0.10256");
        assert_eq!(shown(0.102561888231533, 1e-4), "0.103");
        assert_eq!(shown(4.61234567e-4, 1e-16), "0.00046123");
        assert_eq!(shown(-0.25, 0.0), "−0.25000");
        assert_eq!(shown(3e-17, 1e-16), "0");
    }
}
