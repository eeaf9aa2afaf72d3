//! Sums as text: `a - b + c`.

use std::fmt::{Display, Write};

/// Writes a sum of terms, each given as whether it is negative and its absolute value. A sum without terms is the empty text.
///
/// ```
/// use rocproof_algebra::signed_sum;
/// assert_eq!(signed_sum([(true, "x^2"), (false, "2*x"), (true, "1")]), "-x^2 + 2*x - 1");
/// ```
pub fn signed_sum<T: Display>(terms: impl IntoIterator<Item = (bool, T)>) -> String {
    let mut text = String::new();
    for (k, (negative, absolute)) in terms.into_iter().enumerate() {
        let sign = match (k, negative) {
            (0, true) => "-",
            (0, false) => "",
            (_, true) => " - ",
            (_, false) => " + ",
        };
        // Writing to a string does not fail.
        let _ = write!(text, "{sign}{absolute}");
    }
    text
}
