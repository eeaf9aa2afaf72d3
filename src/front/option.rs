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

/// The delimiter of CSV cells from its text: one ASCII character, or `tab`.
pub fn read_delimiter(text: &str) -> Result<u8, Failure> {
    match text.as_bytes() {
        b"tab" | b"\\t" => Ok(b'\t'),
        [byte] if byte.is_ascii() && !b"\"\r\n\0".contains(byte) => Ok(*byte),
        _ => Err(Failure::worded_with_help(
            |i| format!("{}: this is not a delimiter", i.setting("delimiter", text)),
            |_| "a delimiter is one ASCII character, such as ';', or the word tab".to_owned(),
        )),
    }
}

/// Reads the share of the positive label where a classifier is deployed.
pub fn read_prevalence(source: &Source) -> Result<f64, Failure> {
    let share = read_number(source)?;
    if share.value > 0.0 && share.value < 1.0 {
        return Ok(share.value);
    }
    let message = "a prevalence lies between 0 and 1";
    Err(source.error(source.whole(), message, format!("this is {share}")).help("for example 0.05").into())
}
