//! The macro `invariant!`, which stops the work when an invariant is broken.

/// Panics with a message: an invariant does not hold, so no result may follow.
///
/// This is the only place where trusted code may panic. The alternative, a default such as 0 or an empty list, could make a wrong proof
/// look right.
#[macro_export]
macro_rules! invariant {
    ($($message:tt)+) => {{
        #[allow(clippy::panic)]
        {
            panic!("broken invariant: {}", format_args!($($message)+))
        }
    }};
}
