//! What `score` can say besides metrics and losses.

use crate::data::read::Dataset;
use crate::data::{
    Bootstrap, DeLong, Known, OperatingPoint, Partition, Scored, bootstrap, choose, corp, decompose, finite_sample,
    thresholds_at,
};
use crate::front::Failure;
use crate::functional::{Cost, Evaluation, Fixed};
use crate::report::scored::Details;
use crate::report::spread::Uncertainty;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;

/// What else is asked for.
#[derive(Args)]
pub struct Asked {
    /// Threshold and loss of each method at an operating condition: c=0.2 (cost proportion) or z=0.2 (skew); may be repeated
    #[arg(long, value_name = "CONDITION", allow_hyphen_values = true)]
    at: Vec<String>,
    /// When the operating condition is known: evaluation, deployment or never. Which methods apply then, side by side
    #[arg(long, value_name = "WHEN")]
    known: Option<String>,
    /// Take the Brier score apart by ties, hull, width:K, mass:K or edges:A,B,…; may be repeated
    #[arg(long, value_name = "PARTITION", allow_hyphen_values = true)]
    decompose: Vec<String>,
    /// Expected losses of finite samples, with n+1 cutpoints or thresholds at the n rows
    #[arg(long)]
    finite_sample: bool,
    /// Intervals from so many samples of the rows, drawn with replacement; and DeLong's variance of the AUC
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=10_000_000))]
    bootstrap: Option<u32>,
    /// Where the samples start: the same seed, the same intervals
    #[arg(long, value_name = "N", default_value_t = 1, requires = "bootstrap")]
    seed: u64,
    /// DeLong's variance of the AUC and of differences
    #[arg(long)]
    delong: bool,
    /// How much intervals cover [default: 0.95]
    #[arg(long, value_name = "SHARE")]
    confidence: Option<f64>,
}

/// What is asked for, read.
pub struct Parsed {
    at: Vec<OperatingPoint>,
    known: Option<Known>,
    partitions: Vec<Partition>,
    finite_sample: bool,
    delong: bool,
    replicates: Option<u32>,
    plan: Bootstrap,
}

impl Asked {
    /// Whether anything is asked for.
    pub fn is_anything(&self) -> bool {
        let lists = !self.at.is_empty() || !self.decompose.is_empty();
        lists || self.known.is_some() || self.finite_sample || self.bootstrap.is_some() || self.delong
    }

    /// Reads what is asked for, before any data are.
    pub fn parsed(&self) -> Result<Parsed, Failure> {
        let level = self.confidence.unwrap_or(Bootstrap::default().level);
        if !(level > 0.0 && level < 1.0) {
            let message = format!("--confidence {level}: a share lies between 0 and 1");
            return Err(Failure::with_help(message, "for example --confidence 0.9"));
        }
        if self.confidence.is_some() && self.bootstrap.is_none() && !self.delong {
            return Err(Failure::with_help("--confidence is for intervals", "add --bootstrap 1000 or --delong"));
        }
        let at = self.at.iter().map(|text| OperatingPoint::parse(text)).collect::<Result<_, _>>()?;
        let known = self.known.as_ref().map(|text| text.parse()).transpose();
        let partition = |text: &String| text.parse().map_err(|bad| Failure::new(format!("--decompose {text}: {bad}")));
        let replicates = self.bootstrap.unwrap_or(0) as usize;
        Ok(Parsed {
            at,
            known: known.map_err(|bad| Failure::new(format!("--known: {bad}")))?,
            partitions: self.decompose.iter().map(partition).collect::<Result<_, _>>()?,
            finite_sample: self.finite_sample,
            delong: self.delong,
            replicates: self.bootstrap,
            plan: Bootstrap { replicates, seed: self.seed, level },
        })
    }
}

impl Parsed {
    /// What is asked for of one model.
    pub fn of_model(&self, data: &Scored, evaluation: &Evaluation, cost: &Cost) -> Result<Details, Failure> {
        let parts = self.partitions.iter().map(|partition| decompose(data, evaluation, partition));
        let bad = |bad| Failure::new(format!("--decompose: {bad}"));
        let decompositions = parts.collect::<Result<Vec<_>, _>>().map_err(bad)?;
        Ok(Details {
            at: self.at.iter().map(|at| thresholds_at(data, evaluation, at)).collect(),
            choice: self.known.map(|known| choose(data, evaluation, cost, Some(known))),
            corp: (!decompositions.is_empty()).then(|| corp(data, evaluation)),
            decompositions,
            finite_sample: if self.finite_sample { finite_sample(data, evaluation) } else { Vec::new() },
        })
    }

    /// How much values vary, if that is asked for.
    pub fn uncertainty(&self, data: &Dataset, cost: &Cost, fixed: Fixed) -> Result<Option<Uncertainty>, Failure> {
        if self.replicates.is_none() && !self.delong {
            return Ok(None);
        }
        let paired = data.paired().map_err(|why| Failure::new(format!("{}: {why}", data.file)))?;
        let spreads = self.replicates.map(|_| {
            let bar = progress(self.plan.replicates as u64);
            let spreads = bootstrap(&paired, cost, fixed, &self.plan, || bar.inc(1));
            bar.finish_and_clear();
            spreads
        });
        Ok(Some(Uncertainty { plan: self.plan, fixed, spreads, delong: DeLong::new(&paired) }))
    }
}

/// A bar on standard error if that is a terminal.
fn progress(samples: u64) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:40} {pos} of {len} samples, {eta} left");
    ProgressBar::new(samples).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
