//! Requests about scored data.

use super::{Failure, Interface, evaluate_scores_exactly};
use crate::data::read::{Dataset, on_input_scale};
use crate::data::{
    Bootstrap, DeLong, KnownAt, OperatingPoint, Paired, Partition, Scored, bootstrap, compare_methods, corp, decompose,
    evaluate_transformed, finite_sample, thresholds_at,
};
use crate::functional::{Cost, Evaluation, Thresholds};
use crate::lang::Source;
use crate::model::Transform;
use crate::report::scored::{ModelExtras, ScoreReport};
use crate::report::spread::Uncertainty;
use std::borrow::Borrow;
use std::ops::RangeInclusive;

/// The numbers of bootstrap samples that are accepted.
const SAMPLES: RangeInclusive<u32> = 2..=10_000_000;

/// Levels of evidence of scored data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScoredLevel {
    /// Floating point, with error estimates.
    Numeric,
    /// Rational arithmetic.
    Exact,
}

/// Requests besides metrics and losses, as text.
#[derive(Clone, Debug)]
pub struct Extras {
    /// Operating conditions at which each method's threshold and loss are reported: `c=0.2` (cost proportion) or `z=0.2` (skew).
    pub at: Vec<Source>,
    /// When the operating condition is known: `evaluation`, `deployment` or `never`. The methods that apply then are compared.
    pub known: Option<String>,
    /// Partitions of the scores by which the Brier score is decomposed: `ties`, `hull`, `width:K`, `mass:K` or `edges:A,B,…`.
    pub decompose: Vec<String>,
    /// Whether to report the expected losses of finite samples.
    pub finite_sample: bool,
    /// The number of bootstrap samples, if intervals are wanted.
    pub bootstrap: Option<u32>,
    /// The seed of the bootstrap.
    pub seed: u64,
    /// Whether to report DeLong's variance of the AUC and of differences.
    pub delong: bool,
    /// The coverage of intervals; 0.95 if it is not given.
    pub confidence: Option<f64>,
}

/// Extras, parsed and checked.
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
    /// Whether any extra is requested.
    pub fn has_any(&self) -> bool {
        let lists = !self.at.is_empty() || !self.decompose.is_empty();
        lists || self.known.is_some() || self.finite_sample || self.bootstrap.is_some() || self.delong
    }

    /// Parses and checks the extras, before any data are read.
    pub fn plan(&self) -> Result<ScorePlan, Failure> {
        let level = self.confidence.unwrap_or(Bootstrap::default().level);
        if !(level > 0.0 && level < 1.0) {
            return Err(Failure::worded_with_help(
                |i| format!("{}: a share lies between 0 and 1", i.setting("confidence", level)),
                |i| format!("for example {}", i.setting("confidence", 0.9)),
            ));
        }
        if let Some(samples) = self.bootstrap.filter(|samples| !SAMPLES.contains(samples)) {
            let (fewest, most) = SAMPLES.into_inner();
            return Err(Failure::worded_with_help(
                |i| format!("{}: so many samples are not drawn", i.setting("bootstrap", samples)),
                |i| format!("from {fewest} to {most}, for example {}", i.setting("bootstrap", 1000)),
            ));
        }
        if self.confidence.is_some() && self.bootstrap.is_none() && !self.delong {
            return Err(Failure::worded_with_help(
                |i| format!("{} is for intervals", i.option("confidence")),
                |i| match i {
                    Interface::CommandLine => "add --bootstrap 1000 or --delong".to_owned(),
                    Interface::Python => "add bootstrap=1000 or delong=True".to_owned(),
                },
            ));
        }
        let at = self.at.iter().map(OperatingPoint::read).collect::<Result<_, _>>()?;
        let known = self.known.as_ref().map(|text| text.parse()).transpose();
        let partition = |text: &String| {
            text.parse().map_err(|bad| Failure::worded(|i| format!("{}: {bad}", i.setting("decompose", text))))
        };
        let replicates = self.bootstrap.unwrap_or(0) as usize;
        Ok(ScorePlan {
            at,
            known: known.map_err(|bad| Failure::worded(|i| format!("{}: {bad}", i.option("known"))))?,
            partitions: self.decompose.iter().map(partition).collect::<Result<_, _>>()?,
            finite_sample: self.finite_sample,
            delong: self.delong,
            replicates: self.bootstrap,
            samples: Bootstrap { replicates, seed: self.seed, level },
        })
    }
}

/// Refuses transforms together with extras or figures, which are about the scores as given.
pub fn check_transforms(transforms: &[Transform], has_extras: bool) -> Result<(), Failure> {
    if transforms.is_empty() || !has_extras {
        return Ok(());
    }
    Err(Failure::worded_with_help(
        |i| match i {
            Interface::CommandLine => "--transform goes with metrics and losses only".to_owned(),
            Interface::Python => "transformed scores have metrics and losses only".to_owned(),
        },
        |i| match i {
            Interface::CommandLine => {
                "what else there is to say is said of the scores as they are: leave --transform out".to_owned()
            }
            Interface::Python => "ask for the rest before the scores are transformed".to_owned(),
        },
    ))
}

/// The settings of an evaluation of scored data.
pub struct ScoreSettings {
    /// The transforms of the scores, in the order of application.
    pub transforms: Vec<Transform>,
    /// The distribution of operating conditions.
    pub cost: Cost,
    /// The threshold and the rate of the fixed methods.
    pub thresholds: Thresholds,
    /// The level of evidence.
    pub level: ScoredLevel,
}

/// The evaluations of all models of scored data.
pub struct ScoreEvaluation {
    settings: ScoreSettings,
    evaluations: Vec<Evaluation>,
    extras: Vec<ModelExtras>,
    uncertainty: Option<Uncertainty>,
}

impl ScoreEvaluation {
    /// The report on the evaluated data.
    pub fn report<'a>(&'a self, data: &'a Dataset, interface: Interface) -> ScoreReport<'a> {
        ScoreReport {
            data,
            transforms: &self.settings.transforms,
            cost: &self.settings.cost,
            evaluations: &self.evaluations,
            details: &self.extras,
            uncertainty: self.uncertainty.as_ref(),
            higher_means_option: (interface == Interface::CommandLine).then_some("--higher-means"),
        }
    }
}

impl ScorePlan {
    /// Evaluates models one by one, with their extras. `done` takes each model when it is evaluated. `next` is called before each bootstrap
    /// sample; samples are drawn from `paired`, which is computed only if they are requested.
    pub fn evaluate<S: Borrow<Scored>, P: Borrow<Paired>>(
        &self,
        settings: ScoreSettings,
        models: impl Iterator<Item = Result<S, Failure>>,
        mut done: impl FnMut(S),
        paired: impl FnOnce() -> Result<P, Failure>,
        next: impl Fn() + Sync,
    ) -> Result<ScoreEvaluation, Failure> {
        let (mut evaluations, mut extras) = (Vec::new(), Vec::new());
        for model in models {
            let model = model?;
            let (evaluation, model_extras) = self.evaluate_model(model.borrow(), &settings)?;
            evaluations.push(evaluation);
            extras.push(model_extras);
            done(model);
        }
        let uncertainty = match self.replicates.is_some() || self.delong {
            true => Some(self.uncertainty(paired()?.borrow(), &settings, next)),
            false => None,
        };
        Ok(ScoreEvaluation { settings, evaluations, extras, uncertainty })
    }

    /// Evaluates one model, with its extras.
    fn evaluate_model(&self, data: &Scored, settings: &ScoreSettings) -> Result<(Evaluation, ModelExtras), Failure> {
        let ScoreSettings { transforms, cost, thresholds, level } = settings;
        let evaluation = match level {
            ScoredLevel::Numeric => evaluate_transformed(data, transforms, cost, thresholds),
            ScoredLevel::Exact => evaluate_scores_exactly(data, transforms, cost, thresholds)?,
        };
        let extras = self.extras(data, &evaluation, cost)?;
        Ok((on_input_scale(data, transforms, evaluation), extras))
    }

    /// The extras of one model.
    fn extras(&self, data: &Scored, evaluation: &Evaluation, cost: &Cost) -> Result<ModelExtras, Failure> {
        let parts = self.partitions.iter().map(|partition| decompose(data, evaluation, partition));
        let bad = |bad| Failure::worded(|i| format!("{}: {bad}", i.option("decompose")));
        let decompositions = parts.collect::<Result<Vec<_>, _>>().map_err(bad)?;
        Ok(ModelExtras {
            at: self.at.iter().map(|at| thresholds_at(data, evaluation, at)).collect(),
            choice: self.known.map(|known| compare_methods(data, evaluation, cost, Some(known))),
            corp: (!decompositions.is_empty()).then(|| corp(data, evaluation)),
            decompositions,
            finite_sample: if self.finite_sample { finite_sample(data, evaluation) } else { Vec::new() },
        })
    }

    /// The number of bootstrap samples, if there is a bootstrap.
    pub fn replicates(&self) -> Option<u32> {
        self.replicates
    }

    /// Standard errors and intervals. `next` is called before each sample.
    fn uncertainty(&self, data: &Paired, settings: &ScoreSettings, next: impl Fn() + Sync) -> Uncertainty {
        let ScoreSettings { cost, thresholds, .. } = settings;
        let spreads = self.replicates.map(|_| bootstrap(data, cost, thresholds, &self.samples, next));
        Uncertainty { plan: self.samples, thresholds: thresholds.clone(), spreads, delong: DeLong::new(data) }
    }
}
