//! What a search may cost, counted in work: the same on every machine.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

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
    until: Instant,
    reached: AtomicBool,
}

impl Ceiling {
    /// So long from now.
    pub fn after(time: Duration) -> Ceiling {
        // A time that no clock reaches is no ceiling.
        let until = Instant::now().checked_add(time).unwrap_or_else(|| Instant::now() + Duration::from_secs(1 << 30));
        Ceiling { until, reached: AtomicBool::new(false) }
    }

    /// Whether it is reached; once it was seen to be, it stays so.
    pub fn is_reached(&self) -> bool {
        let reached = self.was_reached() || Instant::now() >= self.until;
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
        self.until.saturating_duration_since(Instant::now())
    }
}
