//! The budget of a search for a proof, counted in work: the same on every machine.

use crate::budget::Ceiling;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// The work that is left, in units of about one arithmetic operation, and a ceiling on time. The ceiling is a safeguard: the work usually runs
/// out long before.
#[derive(Debug)]
pub struct Effort {
    /// The units of work that are left.
    left: AtomicU64,
    ceiling: Ceiling,
}

/// The work of bringing one rule to its normal form.
pub(crate) const RULE: u64 = 400_000;

impl Effort {
    /// The default work for a proof.
    pub const USUAL: u64 = 6_000_000_000;
    /// The work for a first attempt, and for proofs of nearby statements.
    pub const LITTLE: u64 = 400_000_000;

    /// An amount of work, to be done within a time.
    pub fn new(work: u64, ceiling: Duration) -> Effort {
        Effort { left: AtomicU64::new(work), ceiling: Ceiling::after(ceiling) }
    }

    /// The usual work, to be done within a time.
    pub fn usual(ceiling: Duration) -> Effort {
        Effort::new(Effort::USUAL, ceiling)
    }

    /// Deducts work. `false` if no work is left after that, or the ceiling is reached.
    pub(crate) fn spend(&self, work: u64) -> bool {
        let before = self.left.load(Relaxed);
        self.left.store(before.saturating_sub(work), Relaxed);
        before > work && !self.ceiling.is_reached()
    }

    /// The work that is left.
    pub(crate) fn left(&self) -> u64 {
        self.left.load(Relaxed)
    }

    /// Whether the work or the time is used up.
    pub(crate) fn is_spent(&self) -> bool {
        self.left() == 0 || self.ceiling.is_reached()
    }

    /// Whether the ceiling on time cut something off.
    pub(crate) fn was_stopped(&self) -> bool {
        self.ceiling.was_reached()
    }

    /// The time that is left, for a thread that waits for another.
    #[cfg(feature = "threads")]
    pub(crate) fn time_left(&self) -> Duration {
        self.ceiling.left()
    }
}
