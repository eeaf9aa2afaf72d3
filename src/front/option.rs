//! Numbers from options.

use super::Failure;
use crate::lang::{Source, parse};
use crate::model::constant::Constant;
use std::time::Duration;

/// A ceiling of time from a number of seconds.
pub fn ceiling(time: f64) -> Result<Duration, Failure> {
    if time > 0.0 && time <= 1e6 {
        return Ok(Duration::from_secs_f64(time));
    }
    Err(Failure::worded_with_help(
        |i| format!("{} is a number of seconds above 0, a million at most", i.option("time")),
        |i| format!("for example {}", i.setting("time", 30)),
    ))
}

/// Reads a number of the language.
pub fn read_number(source: &Source) -> Result<Constant, Failure> {
    Ok(Constant::of(source, &parse(source)?)?)
}

/// Reads a number between 0 and 1.
pub fn read_rate(source: &Source) -> Result<Constant, Failure> {
    let rate = read_number(source)?;
    if (0.0..=1.0).contains(&rate.value) {
        return Ok(rate);
    }
    Err(source.error(source.whole(), "a rate lies between 0 and 1", format!("this is {rate}")).into())
}
