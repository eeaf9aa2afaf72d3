//! Numbers that are given as text.

use super::Failure;
use crate::lang::{Source, parse};
use crate::model::constant::Constant;
use std::time::Duration;

/// A time from a number of seconds.
pub fn seconds(time: f64) -> Result<Duration, Failure> {
    if time > 0.0 && time <= 1e6 {
        return Ok(Duration::from_secs_f64(time));
    }
    Err(Failure::with_help("--time is a number of seconds above 0, a million at most", "for example --time 30"))
}

/// A number in the language.
pub fn number(source: &Source) -> Result<Constant, Failure> {
    Ok(Constant::of(source, &parse(source)?)?)
}

/// A number between 0 and 1.
pub fn rate(source: &Source) -> Result<Constant, Failure> {
    let rate = number(source)?;
    if (0.0..=1.0).contains(&rate.value) {
        return Ok(rate);
    }
    Err(source.error(source.whole(), "a rate lies between 0 and 1", format!("this is {rate}")).into())
}
