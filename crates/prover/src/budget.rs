//! The budget of a search, counted in work: the same on every machine.

use crate::clock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The budget of a search for a counterexample.
///
/// Work is counted, so that the outcome does not depend on the speed or the load of the machine. The time is a safeguard; the result says
/// whether it cut the search off.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// The work, in units of evaluating one simple model.
    pub work: usize,
    /// The seed of the random models.
    pub seed: u64,
    /// The most time that it may take.
    pub ceiling: Duration,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { work: 24_000, seed: 1, ceiling: Duration::from_secs(60) }
    }
}

/// A time at which a search stops, and whether it was reached.
#[derive(Debug)]
pub struct Ceiling {
    until: Duration,
    reached: AtomicBool,
}

impl Ceiling {
    /// A ceiling at a time from now.
    pub fn after(time: Duration) -> Ceiling {
        Ceiling { until: clock::now().saturating_add(time), reached: AtomicBool::new(false) }
    }

    /// Whether the time is reached; notes it if so.
    pub fn is_reached(&self) -> bool {
        let reached = self.was_reached() || clock::now() >= self.until;
        if reached {
            self.reached.store(true, Ordering::Relaxed);
        }
        reached
    }

    /// Whether [`Ceiling::is_reached`] was ever true.
    pub fn was_reached(&self) -> bool {
        self.reached.load(Ordering::Relaxed)
    }

    /// The time that is left.
    pub fn left(&self) -> Duration {
        self.until.saturating_sub(clock::now())
    }
}
