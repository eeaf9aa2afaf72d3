//! What the search for a proof may cost, counted in work: the same on every machine.

use crate::budget::Ceiling;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// Work that is left, in units of about one operation on numbers; and a ceiling on time, which only cuts off what takes absurdly long.
#[derive(Debug)]
pub struct Effort {
    left: AtomicU64,
    ceiling: Ceiling,
}

/// What bringing one rule to its normal form counts for.
pub const RULE: u64 = 400_000;

impl Effort {
    /// The work that a proof is worth unless told otherwise.
    pub const USUAL: u64 = 6_000_000_000;
    /// The work that a proof of a nearby statement is worth.
    pub const LITTLE: u64 = 400_000_000;

    /// So much work, within a time.
    pub fn new(work: u64, ceiling: Duration) -> Effort {
        Effort { left: AtomicU64::new(work), ceiling: Ceiling::after(ceiling) }
    }

    /// The usual work, within a time.
    pub fn usual(ceiling: Duration) -> Effort {
        Effort::new(Effort::USUAL, ceiling)
    }

    /// Counts some work; `false` if there is not so much left.
    pub fn spend(&self, work: u64) -> bool {
        let before = self.left.load(Relaxed);
        self.left.store(before.saturating_sub(work), Relaxed);
        before > work && !self.ceiling.is_reached()
    }

    /// The work that is left.
    pub fn left(&self) -> u64 {
        self.left.load(Relaxed)
    }

    /// Whether nothing more may be done.
    pub fn is_spent(&self) -> bool {
        self.left() == 0 || self.ceiling.is_reached()
    }

    /// Whether the ceiling on time cut something off.
    pub fn was_stopped(&self) -> bool {
        self.ceiling.was_reached()
    }

    /// How much of its time is left.
    pub fn time_left(&self) -> Duration {
        self.ceiling.left()
    }
}
