//! Panics that are caught and reported as errors.

use std::cell::Cell;

thread_local! {
    static CATCHING: Cell<bool> = const { Cell::new(false) };
}

/// Whether a panic of this thread would be caught here and become a [`super::ReadError`]. A panic hook need not report it then.
pub fn is_catching_panics() -> bool {
    CATCHING.get()
}

/// The result of `work`, or `None` if it panics.
#[cfg(feature = "parquet")]
pub(super) fn catch<T>(work: impl FnOnce() -> T) -> Option<T> {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    CATCHING.set(true);
    let result = catch_unwind(AssertUnwindSafe(work));
    CATCHING.set(false);
    result.ok()
}
