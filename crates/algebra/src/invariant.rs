//! What to do when an invariant is broken: stop.

/// Stops the work: an invariant that every proof rests on does not hold, so no result may follow.
///
/// This is the one place where trusted code may panic. An invariant never becomes 0, an empty list or a default instead.
#[macro_export]
macro_rules! invariant {
    ($($message:tt)+) => {{
        #[allow(clippy::panic)]
        {
            panic!("broken invariant: {}", format_args!($($message)+))
        }
    }};
}
