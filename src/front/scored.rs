//! What is asked of scored data.

use super::{Failure, exactly};
use crate::data::read::on_input_scale;
use crate::data::{
    Bootstrap, DeLong, KnownAt, OperatingPoint, Paired, Partition, Scored, bootstrap, compare_methods, corp, decompose,
    evaluate_transformed, finite_sample, thresholds_at,
};
use crate::functional::{Cost, Evaluation, Thresholds};
use crate::model::Transform;
use crate::report::scored::Details;
use crate::report::spread::Uncertainty;
use clap::{Args, ValueEnum};
use std::ops::RangeInclusive;

/// How many samples can be drawn.
const SAMPLES: RangeInclusive<u32> = 2..=10_000_000;

/// Levels of evidence of scored data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ScoredLevel {
    /// Fast, with error estimates
    Numeric,
    /// Rational arithmetic
    Exact,
}

/// What is asked for besides metrics and losses, in texts.
#[derive(Args, Clone, Debug)]
pub struct Extras {
    /// Threshold and loss of each method at an operating condition: c=0.2 (cost proportion) or z=0.2 (skew); may be repeated
    #[arg(long, value_name = "CONDITION", allow_hyphen_values = true)]
    pub at: Vec<String>,
    /// When the operating condition is known: evaluation, deployment or never. Which methods apply then, side by side
    #[arg(long, value_name = "WHEN")]
    pub known: Option<String>,
    /// Take the Brier score apart by ties, hull, width:K, mass:K or edges:A,B,…; may be repeated
    #[arg(long, value_name = "PARTITION", allow_hyphen_values = true)]
    pub decompose: Vec<String>,
    /// Expected losses of finite samples, with n+1 cutpoints or thresholds at the n rows
    #[arg(long)]
    pub finite_sample: bool,
    /// Intervals from so many samples of the rows, drawn with replacement; and DeLong's variance of the AUC
    #[arg(long, value_name = "N")]
    pub bootstrap: Option<u32>,
    /// Where the samples start: the same seed, the same intervals
    #[arg(long, value_name = "N", default_value_t = 1, requires = "bootstrap")]
    pub seed: u64,
    /// DeLong's variance of the AUC and of differences
    #[arg(long)]
    pub delong: bool,
    /// How much intervals cover [default: 0.95]
    #[arg(long, value_name = "SHARE")]
    pub confidence: Option<f64>,
}

/// The same, read.
pub struct ScorePlan {
    at: Vec<OperatingPoint>,
    known: Option<KnownAt>,
    partitions: Vec<Partition>,
    finite_sample: bool,
    delong: bool,
    replicates: Option<u32>,
    samples: Bootstrap,
}

impl Extras {
    /// Whether anything is asked for.
    pub fn is_anything(&self) -> bool {
        let lists = !self.at.is_empty() || !self.decompose.is_empty();
        lists || self.known.is_some() || self.finite_sample || self.bootstrap.is_some() || self.delong
    }

    /// Reads what is asked for, before any data are.
    pub fn plan(&self) -> Result<ScorePlan, Failure> {
        let level = self.confidence.unwrap_or(Bootstrap::default().level);
        if !(level > 0.0 && level < 1.0) {
            let message = format!("--confidence {level}: a share lies between 0 and 1");
            return Err(Failure::with_help(message, "for example --confidence 0.9"));
        }
        if let Some(samples) = self.bootstrap.filter(|samples| !SAMPLES.contains(samples)) {
            let (fewest, most) = SAMPLES.into_inner();
            let help = format!("from {fewest} to {most}, for example --bootstrap 1000");
            return Err(Failure::with_help(format!("--bootstrap {samples}: so many samples are not drawn"), help));
        }
        if self.confidence.is_some() && self.bootstrap.is_none() && !self.delong {
            return Err(Failure::with_help("--confidence is for intervals", "add --bootstrap 1000 or --delong"));
        }
        let at = self.at.iter().map(|text| OperatingPoint::parse(text)).collect::<Result<_, _>>()?;
        let known = self.known.as_ref().map(|text| text.parse()).transpose();
        let partition = |text: &String| text.parse().map_err(|bad| Failure::new(format!("--decompose {text}: {bad}")));
        let replicates = self.bootstrap.unwrap_or(0) as usize;
        Ok(ScorePlan {
            at,
            known: known.map_err(|bad| Failure::new(format!("--known: {bad}")))?,
            partitions: self.decompose.iter().map(partition).collect::<Result<_, _>>()?,
            finite_sample: self.finite_sample,
            delong: self.delong,
            replicates: self.bootstrap,
            samples: Bootstrap { replicates, seed: self.seed, level },
        })
    }
}

/// Transforms go with metrics and losses; all else is said of the scores as they are.
pub fn as_they_are(transforms: &[Transform], is_more_asked: bool) -> Result<(), Failure> {
    if transforms.is_empty() || !is_more_asked {
        return Ok(());
    }
    Err(Failure::with_help(
        "--transform goes with metrics and losses only",
        "what else there is to say is said of the scores as they are: leave --transform out",
    ))
}

impl ScorePlan {
    /// Evaluates the scores of one model, and answers what else is asked of it.
    pub fn evaluated(
        &self,
        data: &Scored,
        transforms: &[Transform],
        cost: &Cost,
        thresholds: &Thresholds,
        level: ScoredLevel,
    ) -> Result<(Evaluation, Details), Failure> {
        let evaluation = match level {
            ScoredLevel::Numeric => evaluate_transformed(data, transforms, cost, thresholds),
            ScoredLevel::Exact => exactly(data, transforms, cost, thresholds)?,
        };
        let details = self.details(data, &evaluation, cost)?;
        Ok((on_input_scale(data, transforms, evaluation), details))
    }

    fn details(&self, data: &Scored, evaluation: &Evaluation, cost: &Cost) -> Result<Details, Failure> {
        let parts = self.partitions.iter().map(|partition| decompose(data, evaluation, partition));
        let bad = |bad| Failure::new(format!("--decompose: {bad}"));
        let decompositions = parts.collect::<Result<Vec<_>, _>>().map_err(bad)?;
        Ok(Details {
            at: self.at.iter().map(|at| thresholds_at(data, evaluation, at)).collect(),
            choice: self.known.map(|known| compare_methods(data, evaluation, cost, Some(known))),
            corp: (!decompositions.is_empty()).then(|| corp(data, evaluation)),
            decompositions,
            finite_sample: if self.finite_sample { finite_sample(data, evaluation) } else { Vec::new() },
        })
    }

    /// How many samples are drawn, if any are.
    pub fn replicates(&self) -> Option<u32> {
        self.replicates
    }

    /// Whether it is asked how much values vary.
    pub fn is_about_spread(&self) -> bool {
        self.replicates.is_some() || self.delong
    }

    /// How much values vary; `next` is called before each sample.
    pub fn uncertainty(
        &self,
        data: &Paired,
        cost: &Cost,
        thresholds: &Thresholds,
        next: impl Fn() + Sync,
    ) -> Uncertainty {
        let spreads = self.replicates.map(|_| bootstrap(data, cost, thresholds, &self.samples, next));
        Uncertainty { plan: self.samples, thresholds: thresholds.clone(), spreads, delong: DeLong::new(data) }
    }
}
