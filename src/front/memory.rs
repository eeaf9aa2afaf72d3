//! The memory that an evaluation of scored data takes, compared with what is left, before it runs out.

use super::{Failure, Interface};
use crate::data::available_memory;

/// Bytes for each row that the evaluation of a model takes: a sorted copy of its scores, and the room for sorting.
const EVALUATION: f64 = 24.0;
/// Bytes for each row and model that scored the same rows: its sorted scores, the row of each.
const PAIRED_MODEL: f64 = 13.0;
/// Bytes for each row while the scores of one of several models are sorted with their rows.
const PAIRING: f64 = 40.0;
/// Bytes for each row and model, and for each row, of DeLong's placements.
const DELONG: [f64; 2] = [8.0, 24.0];
/// Bytes for each row and model of a bootstrap: the smooth model, counts of draws and a sample of each thread.
const SAMPLES: f64 = 128.0;
/// Bytes for each row and model of losses out of sample: rows one by one, folds, and the training rows of each.
const HELD_OUT: f64 = 180.0;
/// Bytes for each row of a decomposition of the Brier score.
const DECOMPOSITION: f64 = 56.0;
/// The share by which an estimate may be too low.
const MARGIN: f64 = 1.1;

/// What is asked for of scored data, as far as memory is concerned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Needs {
    /// The number of rows, or of groups of rows.
    pub(super) rows: f64,
    /// The number of rows that are held out one by one: those that groups stand for.
    pub(super) held_out_rows: f64,
    pub(super) models: f64,
    /// Whether intervals by formulas are asked for, or by samples.
    pub(super) has_intervals: bool,
    pub(super) has_samples: bool,
    pub(super) holds_out_rows: bool,
    pub(super) decomposes: bool,
}

impl Needs {
    /// The same rows without any request but metrics and losses.
    fn least(self) -> Needs {
        Needs { has_intervals: false, has_samples: false, holds_out_rows: false, decomposes: false, ..self }
    }

    /// An estimate of the bytes that the evaluation takes besides the data.
    pub(super) fn bytes(self) -> f64 {
        let if_asked = |asked: bool, bytes: f64| if asked { bytes } else { 0.0 };
        let alone = EVALUATION + if_asked(self.decomposes, DECOMPOSITION);
        let is_paired = self.has_intervals || self.holds_out_rows;
        let paired = if self.models > 1.0 { PAIRING + self.models * PAIRED_MODEL } else { EVALUATION };
        let [of_model, of_all] = DELONG;
        let intervals = if_asked(self.has_intervals, self.models * of_model + of_all)
            + if_asked(self.has_samples, self.models * SAMPLES);
        let of_rows = self.rows * alone.max(if_asked(is_paired, paired + intervals));
        MARGIN * (of_rows + if_asked(self.holds_out_rows, self.held_out_rows * self.models * HELD_OUT))
    }

    /// Whether so many bytes are enough.
    pub(super) fn fit(self, available: u64) -> bool {
        self.bytes() <= available as f64
    }

    /// The error that there is too little memory. `requests` are the options that can be left out.
    pub(super) fn refuse(self, available: u64, requests: &[&str]) -> Failure {
        let [needed, left] = [self.bytes(), available as f64].map(in_words);
        let rows = self.rows;
        let message = format!("there is too little memory: {rows} rows take about {needed} more, and {left} are left");
        let is_enough_for_less = !requests.is_empty() && self.least().fit(available);
        Failure::worded_with_help(
            |_| message.clone(),
            |i| match is_enough_for_less {
                true => {
                    let options: Vec<String> = requests.iter().map(|name| i.option(name)).collect();
                    format!("metrics and losses alone take less: leave out {}", options.join(", "))
                }
                false => fewer_rows(i),
            },
        )
    }
}

/// How rows become fewer.
fn fewer_rows(interface: Interface) -> String {
    let sorted = match interface {
        Interface::CommandLine => "sort them, and read them with --sorted",
        Interface::Python => "sort them, and run rocproof score --sorted",
    };
    format!("let the database group the rows by score (columns score, n0, n1); or let it {sorted}")
}

/// A number of bytes in words.
fn in_words(bytes: f64) -> String {
    match bytes {
        bytes if bytes >= 1e9 => format!("{:.1} GB", bytes / 1e9),
        bytes => format!("{:.0} MB", (bytes / 1e6).max(1.0)),
    }
}

/// Evaluations that take less are not checked.
pub(super) const SMALL: f64 = 16e6;

/// The memory that is left; more than anybody has if the system does not tell.
pub(super) fn memory_left() -> u64 {
    available_memory().unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What was measured of a million rows: the estimates are not below it, and not far above.
    #[test]
    fn estimates_are_those_of_measurements() {
        let least = Needs {
            rows: 1e6,
            held_out_rows: 1e6,
            models: 1.0,
            has_intervals: false,
            has_samples: false,
            holds_out_rows: false,
            decomposes: false,
        };
        let intervals = Needs { has_intervals: true, ..least };
        for (needs, measured) in [
            (least, 24e6),
            (intervals, 40e6),
            (Needs { models: 2.0, ..intervals }, 82e6),
            (Needs { holds_out_rows: true, ..least }, 170e6),
            (Needs { holds_out_rows: true, models: 2.0, ..least }, 380e6),
            (Needs { decomposes: true, ..least }, 72e6),
        ] {
            assert!(needs.bytes() >= measured && needs.bytes() <= 2.0 * measured, "{needs:?}: {}", needs.bytes());
        }
        assert!(least.fit(40_000_000) && !least.fit(20_000_000));
        let message = intervals.refuse(40_000_000, &["delong"]);
        let (text, help) = (message.message(Interface::CommandLine), message.help(Interface::Python));
        assert!(text.contains("1000000 rows take about 62 MB more, and 40 MB are left"), "{text}");
        assert_eq!(help.unwrap(), "metrics and losses alone take less: leave out delong=");
        let fewer = intervals.refuse(1_000_000, &["delong"]).help(Interface::CommandLine).unwrap();
        assert!(fewer.contains("group the rows by score") && fewer.contains("--sorted"), "{fewer}");
    }
}
