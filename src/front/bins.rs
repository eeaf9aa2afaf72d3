//! Requests about scores that are known by bins.

use super::{Failure, Interface, Wording};
use crate::data::read::Dataset;
use crate::data::{BadBins, BinRows, Binned, BinnedEvaluation, Closed, evaluate_bins};
use crate::functional::{Cost, Thresholds};
use crate::report::bins::BinReport;

/// The ranges of all metrics and expected losses of binned scores.
pub struct BinEvaluation {
    cost: Cost,
    closed: Option<Closed>,
    evaluation: BinnedEvaluation,
    /// A sentence on how the ranges could be narrower.
    advice: Option<Wording>,
}

impl BinEvaluation {
    /// Evaluates the rows of files. `closed` says which end belongs to a bin.
    pub fn of_files(
        data: &Dataset,
        closed: Option<Closed>,
        cost: Cost,
        thresholds: &Thresholds,
    ) -> Result<BinEvaluation, Failure> {
        let failed = |bad: BadBins| explain(&bad, |bad| format!("{}: {bad}", data.file));
        let binned = data.binned(closed).map_err(failed)?;
        BinEvaluation::of(&binned, closed, cost, thresholds).map_err(|bad| failed(bad.into()))
    }

    /// Evaluates arrays, whose rows are counted from 0.
    pub fn of_arrays(
        data: &Dataset,
        rows: BinRows,
        closed: Option<Closed>,
        cost: Cost,
        thresholds: &Thresholds,
    ) -> Result<BinEvaluation, Failure> {
        let failed = |bad: BadBins| explain(&bad.counted_from_0(), ToString::to_string);
        let binned = Binned::new(data.direction(), rows, closed).map_err(failed)?;
        BinEvaluation::of(&binned, closed, cost, thresholds).map_err(|bad| failed(bad.into()))
    }

    /// Evaluates bins.
    fn of(
        binned: &Binned,
        closed: Option<Closed>,
        cost: Cost,
        thresholds: &Thresholds,
    ) -> Result<BinEvaluation, crate::data::BadScore> {
        let evaluation = evaluate_bins(binned, &cost, thresholds)?;
        let advice = (closed.is_none() && binned.has_touching_bins()).then(|| {
            Wording::new(|interface| {
                let how = match interface {
                    Interface::CommandLine => "`:left` or `:right` after the two columns",
                    Interface::Python => "closed=\"left\" or closed=\"right\"",
                };
                format!("a score on a shared end may be in either bin; if bins are half-open, {how} says so and narrows the ranges")
            })
        });
        Ok(BinEvaluation { cost, closed, evaluation, advice })
    }

    /// The report on the evaluated data.
    pub fn report<'a>(&'a self, data: &'a Dataset, interface: Interface) -> BinReport<'a> {
        BinReport {
            data,
            closed: self.closed,
            cost: &self.cost,
            evaluation: &self.evaluation,
            advice: self.advice.as_ref().map(|advice| advice.text(interface)),
        }
    }
}

/// A failure to read bins: what is wrong, and what would be right.
fn explain(bad: &BadBins, message: impl Fn(&BadBins) -> String) -> Failure {
    match bad.help() {
        Some(help) => Failure::with_help(message(bad), help),
        None => Failure::new(message(bad)),
    }
}

/// Which end belongs to a bin, by its name: `left`, `right` or `both`.
pub fn read_closed(text: &str) -> Result<Option<Closed>, Failure> {
    match text {
        "left" => Ok(Some(Closed::Left)),
        "right" => Ok(Some(Closed::Right)),
        "both" => Ok(None),
        _ => Err(Failure::worded_with_help(
            |i| format!("{} is no end of a bin", i.setting("closed", text)),
            |i| format!("{} for [lo, hi), {} for (lo, hi]", i.setting("closed", "left"), i.setting("closed", "right")),
        )),
    }
}
