//! The clock that ceilings on time are read from.
//!
//! WebAssembly has no clock of its own, and the standard library's panics there. Until the host sets one with [`set`], no time passes: searches
//! are then limited by their work alone.

use std::sync::OnceLock;
use std::time::Duration;
#[cfg(not(target_family = "wasm"))]
use std::{sync::LazyLock, time::Instant};

static CLOCK: OnceLock<fn() -> Duration> = OnceLock::new();

/// Sets the function that tells the time since a fixed moment, such as `performance.now()` in a browser. Only the first call has an effect;
/// `true` for it.
pub fn set(clock: fn() -> Duration) -> bool {
    CLOCK.set(clock).is_ok()
}

/// The time since a fixed moment, by the clock of the host if it set one, else by that of the system.
pub fn now() -> Duration {
    CLOCK.get().map_or_else(system, |clock| clock())
}

/// The time since the first call of this function.
#[cfg(not(target_family = "wasm"))]
fn system() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}

/// No time passes without a clock.
#[cfg(target_family = "wasm")]
fn system() -> Duration {
    Duration::ZERO
}
