//! What a search may cost, counted in work: the same on every machine.

use crate::clock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// What a search may cost.
///
/// Work is counted, so that the outcome does not depend on the machine or on what else it does. The time is a ceiling only; whether it cut
/// something off is told.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// How much work: about so many simple models are tried.
    pub work: usize,
    /// The seed of what is random.
    pub seed: u64,
    /// How long it may take at most.
    pub ceiling: Duration,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { work: 24_000, seed: 1, ceiling: Duration::from_secs(60) }
    }
}

/// When to stop, whatever is left to do; and whether that happened.
#[derive(Debug)]
pub struct Ceiling {
    until: Duration,
    reached: AtomicBool,
}

impl Ceiling {
    /// So long from now.
    pub fn after(time: Duration) -> Ceiling {
        Ceiling { until: clock::now().saturating_add(time), reached: AtomicBool::new(false) }
    }

    /// Whether it is reached; once it was seen to be, it stays so.
    pub fn is_reached(&self) -> bool {
        let reached = self.was_reached() || clock::now() >= self.until;
        if reached {
            self.reached.store(true, Ordering::Relaxed);
        }
        reached
    }

    /// Whether anybody was stopped by it.
    pub fn was_reached(&self) -> bool {
        self.reached.load(Ordering::Relaxed)
    }

    /// What is left.
    pub fn left(&self) -> Duration {
        self.until.saturating_sub(clock::now())
    }
}
