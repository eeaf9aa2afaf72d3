//! Requests about scored data.

use super::deployment::DeploymentPlan;
use super::memory::{Needs, SMALL, memory_left};
use super::{Failure, Interface, Wording, evaluate_scores_exactly};
use crate::data::read::{Dataset, on_input_scale};
use crate::data::{
    Bootstrap, DeLong, KnownAt, MOST_HELD_OUT_ROWS, OperatingPoint, Paired, Partition, Power, Scored, Severity,
    best_spreads, calibration_error, compare_methods, corp, corp_of_hull, decompose, evaluate_transformed,
    finite_sample, hand_measure, rows_per_score, thresholds_at,
};
use crate::functional::{Cost, Evaluation, Thresholds};
use crate::lang::Source;
use crate::model::Transform;
use crate::report::deploy::Deployment;
use crate::report::scored::{ModelExtras, ScoreReport};
use crate::report::spread::Uncertainty;
use std::borrow::Borrow;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// The numbers of bootstrap samples that are accepted.
const SAMPLES: RangeInclusive<u32> = 2..=10_000_000;

/// The number of bootstrap samples that are drawn if none is requested.
const DEFAULT_SAMPLES: u32 = 200;
/// Samples are drawn by default if there are at most this many rows times models.
const MOST_SAMPLED: f64 = 20_000.0;
/// Intervals by formulas are computed by default if there are at most this many rows times models.
const MOST_BY_FORMULAS: f64 = 2_000_000.0;

/// The probability with which a difference is to be found if no other is requested.
const DEFAULT_POWER: f64 = 0.8;

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
    /// Severities for Hand's H: a severity ratio such as `2`, or a distribution `beta(a, b)` of the cost proportion.
    pub severity: Vec<Source>,
    /// Bins by which the expected calibration error is computed: `width:K`, `mass:K` or `edges:A,B,…`.
    pub ece: Vec<String>,
    /// Whether to report the expected losses of finite samples.
    pub finite_sample: bool,
    /// The number of bootstrap samples, if intervals are wanted.
    pub bootstrap: Option<u32>,
    /// The seed of the bootstrap.
    pub seed: u64,
    /// Whether samples have as many rows of each class as the data.
    pub stratified: bool,
    /// Whether to report DeLong's variance of the AUC and of differences.
    pub delong: bool,
    /// The coverage of intervals; 0.95 if it is not given.
    pub confidence: Option<f64>,
    /// The probability with which a difference of models is to be found; 0.8 if it is not given.
    pub power: Option<f64>,
    /// A difference that is to be found, for the number of rows that this takes.
    pub detect: Option<f64>,
    /// Whether intervals are made without a request, as far as they are cheap.
    pub default_intervals: bool,
}

/// Samples are drawn of groups of rows if the rows times models of all groups that are small enough, and [`ROWS_OF_GROUP`] more for each
/// group, are at most this many.
const MOST_SAMPLED_IN_GROUPS: f64 = 100_000.0;
/// The rows that take as long as the rest of the evaluation of a group.
const ROWS_OF_GROUP: f64 = 200.0;

/// Extras, parsed and checked.
#[derive(Clone)]
pub struct ScorePlan {
    at: Vec<OperatingPoint>,
    known: Option<KnownAt>,
    partitions: Vec<Partition>,
    severities: Vec<Severity>,
    bins: Vec<Partition>,
    finite_sample: bool,
    delong: bool,
    replicates: Option<u32>,
    samples: Bootstrap,
    power: Power,
    sought: Option<f64>,
    /// The data that thresholds are chosen on, if they are others.
    training: Option<Arc<[Scored]>>,
    /// Intervals that were not requested.
    by_default: DefaultIntervals,
}

/// Intervals that are made without a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DefaultIntervals {
    /// None.
    No,
    /// By a bootstrap.
    Sampled,
    /// By formulas, since samples would take long.
    Formulas,
    /// None, since the data are large.
    TooLarge,
}

impl Extras {
    /// Whether any extra is requested.
    pub fn has_any(&self) -> bool {
        let lists = [&self.decompose, &self.ece].iter().any(|list| !list.is_empty());
        let lists = lists || !self.at.is_empty() || !self.severity.is_empty();
        lists || self.known.is_some() || self.finite_sample || self.bootstrap.is_some() || self.delong
    }

    /// Parses and checks the extras, before any data are read.
    pub fn plan(&self) -> Result<ScorePlan, Failure> {
        let level = self.confidence.unwrap_or(Bootstrap::default().level);
        self.check_intervals(level)?;
        let power = Power { level, probability: self.read_power()? };
        let at = self.at.iter().map(OperatingPoint::read).collect::<Result<_, _>>()?;
        let known = self.known.as_ref().map(|text| text.parse()).transpose();
        let read_partition = |option: &'static str, text: &String| {
            text.parse().map_err(|bad| Failure::worded(|i| format!("{}: {bad}", i.setting(option, text))))
        };
        let read_bins = |text: &String| match read_partition("ece", text)? {
            Partition::Ties | Partition::HullSegments => Err(Failure::worded_with_help(
                |i| format!("{}: a calibration error is that of stated bins", i.setting("ece", text)),
                |i| format!("for example {}, or mass:15 for bins of equal weight", i.setting("ece", "width:15")),
            )),
            bins => Ok(bins),
        };
        let replicates = self.bootstrap.unwrap_or(0) as usize;
        Ok(ScorePlan {
            at,
            known: known.map_err(|bad| Failure::worded(|i| format!("{}: {bad}", i.option("known"))))?,
            partitions: self
                .decompose
                .iter()
                .map(|text| read_partition("decompose", text))
                .collect::<Result<_, _>>()?,
            bins: self.ece.iter().map(read_bins).collect::<Result<_, _>>()?,
            severities: self.severity.iter().map(Severity::read).collect::<Result<_, _>>()?,
            finite_sample: self.finite_sample,
            delong: self.delong,
            replicates: self.bootstrap,
            samples: Bootstrap { replicates, seed: self.seed, level, stratified: self.stratified },
            power,
            sought: self.read_sought()?,
            training: None,
            by_default: DefaultIntervals::No,
        })
    }

    /// The probability with which a difference is to be found. Below one half it would be found by luck.
    fn read_power(&self) -> Result<f64, Failure> {
        let power = self.power.unwrap_or(DEFAULT_POWER);
        match (0.5..1.0).contains(&power) {
            true => Ok(power),
            false => Err(Failure::worded_with_help(
                |i| format!("{}: a power is at least 0.5 and less than 1", i.setting("power", power)),
                |i| format!("for example {}", i.setting("power", 0.9)),
            )),
        }
    }

    /// The difference that is to be found.
    fn read_sought(&self) -> Result<Option<f64>, Failure> {
        match self.detect {
            Some(sought) if !(sought > 0.0 && sought.is_finite()) => Err(Failure::worded_with_help(
                |i| format!("{}: the difference that is to be found is larger than 0", i.setting("detect", sought)),
                |i| format!("for example {}", i.setting("detect", 0.01)),
            )),
            sought => Ok(sought),
        }
    }

    /// Checks the options of intervals: the coverage, the number of samples, and that a coverage comes with intervals.
    fn check_intervals(&self, level: f64) -> Result<(), Failure> {
        if !(level > 0.0 && level < 1.0) {
            return Err(Failure::worded_with_help(
                |i| format!("{}: a share lies between 0 and 1", i.setting("confidence", level)),
                |i| format!("for example {}", i.setting("confidence", 0.9)),
            ));
        }
        if let Some(samples) = self.bootstrap.filter(|samples| !SAMPLES.contains(samples)) {
            let (fewest, most) = SAMPLES.into_inner();
            return Err(Failure::worded_with_help(
                |i| format!("{}: this number of samples is not drawn", i.setting("bootstrap", samples)),
                |i| format!("from {fewest} to {most}, for example {}", i.setting("bootstrap", 1000)),
            ));
        }
        if self.confidence.is_some() && self.bootstrap.is_none() && !self.delong && !self.default_intervals {
            return Err(Failure::worded_with_help(
                |i| format!("{} is for intervals", i.option("confidence")),
                |i| match i {
                    Interface::CommandLine => "add --bootstrap 1000 or --delong".to_owned(),
                    Interface::Python => "add bootstrap=1000 or delong=True".to_owned(),
                },
            ));
        }
        Ok(())
    }
}

/// Whether samples are drawn of groups of rows by default, given the rows that samples of each would have: of those that are small enough,
/// as long as that takes little time for all groups together.
pub fn are_groups_sampled(rows: &[f64], models: usize) -> bool {
    let models = models as f64;
    let sampled = rows.iter().filter(|rows| DefaultIntervals::of_size(*rows * models) == DefaultIntervals::Sampled);
    sampled.map(|rows| (rows + ROWS_OF_GROUP) * models).sum::<f64>() <= MOST_SAMPLED_IN_GROUPS
}

impl DefaultIntervals {
    /// The intervals of data with so many rows times models.
    fn of_size(size: f64) -> DefaultIntervals {
        if size <= MOST_SAMPLED {
            DefaultIntervals::Sampled
        } else if size <= MOST_BY_FORMULAS {
            DefaultIntervals::Formulas
        } else {
            DefaultIntervals::TooLarge
        }
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
                "everything else is computed for untransformed scores only: leave --transform out".to_owned()
            }
            Interface::Python => "everything else is computed for untransformed scores only".to_owned(),
        },
    ))
}

/// The settings of an evaluation of scored data.
#[derive(Clone)]
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
    deployment: Option<Deployment>,
    /// A sentence on intervals that are missing.
    interval_note: Option<Wording>,
}

impl ScoreEvaluation {
    /// An evaluation of rows that were not kept, from the total weights of the classes and the mean number of rows for each different score.
    pub fn of_sorted(
        settings: ScoreSettings,
        evaluation: Evaluation,
        totals: [f64; 2],
        rows_per_score: f64,
    ) -> ScoreEvaluation {
        let corp = corp_of_hull(totals, &evaluation);
        ScoreEvaluation {
            settings,
            evaluations: vec![evaluation],
            extras: vec![ModelExtras { corp: Some(corp), rows_per_score: Some(rows_per_score), ..Default::default() }],
            uncertainty: None,
            deployment: None,
            interval_note: None,
        }
    }

    /// The report on the evaluated data.
    pub fn report<'a>(&'a self, data: &'a Dataset, interface: Interface) -> ScoreReport<'a> {
        ScoreReport {
            data,
            transforms: &self.settings.transforms,
            cost: &self.settings.cost,
            evaluations: &self.evaluations,
            details: &self.extras,
            uncertainty: self.uncertainty.as_ref(),
            deployment: self.deployment.as_ref(),
            interval_note: self.interval_note.as_ref().map(|note| note.text(interface)),
            higher_means_option: (interface == Interface::CommandLine).then_some("--higher-means"),
            at_setting: match interface {
                Interface::CommandLine => "--at c=0.2",
                Interface::Python => "at=0.2",
            },
        }
    }
}

impl ScorePlan {
    /// Chooses thresholds on other data: the same models, in the same order.
    pub fn chosen_on(self, training: Vec<Scored>) -> ScorePlan {
        ScorePlan { training: Some(training.into()), ..self }
    }

    /// Whether losses out of sample are asked for.
    fn holds_out_rows(&self) -> bool {
        !self.at.is_empty() || self.known.is_some() || self.training.is_some()
    }

    /// Plans intervals that were not requested: samples for small data if `sampled`, formulas for others. `rows` are those that samples
    /// would have.
    pub fn with_default_intervals(self, rows: f64, models: usize, sampled: bool) -> ScorePlan {
        let intervals = match DefaultIntervals::of_size(rows * models as f64) {
            DefaultIntervals::Sampled if !sampled => DefaultIntervals::Formulas,
            intervals => intervals,
        };
        self.with_intervals(intervals)
    }

    /// Plans intervals, unless a number of samples was requested.
    fn with_intervals(mut self, intervals: DefaultIntervals) -> ScorePlan {
        self.by_default = if self.replicates.is_some() { DefaultIntervals::No } else { intervals };
        if self.by_default == DefaultIntervals::Sampled {
            self.replicates = Some(DEFAULT_SAMPLES);
            self.samples.replicates = DEFAULT_SAMPLES as usize;
        }
        self
    }

    /// Checks that there is memory for the evaluation: of so many rows or groups, which stand for so many rows, and so many models. Intervals
    /// that nobody requested are left out if there is not. Errors say what else can be.
    pub fn within_memory(mut self, rows: usize, counted_rows: f64, models: usize) -> Result<ScorePlan, Failure> {
        let needs = |plan: &ScorePlan| Needs {
            rows: rows as f64,
            held_out_rows: if counted_rows <= MOST_HELD_OUT_ROWS { counted_rows } else { 0.0 },
            models: models as f64,
            has_intervals: plan.has_intervals(),
            has_samples: plan.replicates.is_some(),
            holds_out_rows: plan.holds_out_rows(),
            decomposes: !plan.partitions.is_empty(),
        };
        if needs(&self).bytes() <= SMALL {
            return Ok(self);
        }
        let left = memory_left();
        if !needs(&self).fit(left) && self.by_default != DefaultIntervals::No {
            self = ScorePlan { by_default: DefaultIntervals::TooLarge, replicates: None, ..self };
        }
        let asked = [
            ("bootstrap", self.replicates.is_some()),
            ("delong", self.delong),
            ("at", !self.at.is_empty()),
            ("known", self.known.is_some()),
            ("train", self.training.is_some()),
            ("decompose", !self.partitions.is_empty()),
        ];
        let asked: Vec<&str> = asked.iter().filter(|(_, asked)| *asked).map(|(name, _)| *name).collect();
        let needs = needs(&self);
        if needs.fit(left) { Ok(self) } else { Err(needs.refuse(left, &asked)) }
    }

    /// Whether there are sampling intervals.
    fn has_intervals(&self) -> bool {
        self.replicates.is_some() || self.delong || self.by_default == DefaultIntervals::Formulas
    }

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
        let has_intervals = self.has_intervals();
        let paired = (has_intervals || self.holds_out_rows()).then(paired);
        let deployment = paired.as_ref().filter(|_| self.holds_out_rows()).map(|paired| {
            let at: Vec<_> = extras.iter().map(|extras: &ModelExtras| &extras.at[..]).collect();
            let plan = DeploymentPlan {
                at: &self.at,
                known: self.known,
                training: self.training.as_deref(),
                samples: self.samples,
            };
            plan.evaluate(paired.as_ref().map(Borrow::borrow), &settings, &evaluations, &at)
        });
        let (uncertainty, interval_note) = match paired.filter(|_| has_intervals) {
            Some(Ok(paired)) => {
                (Some(self.uncertainty(paired.borrow(), &evaluations, &settings, next)), self.interval_note())
            }
            // Intervals that nobody requested are no reason to fail.
            Some(Err(why)) if self.by_default != DefaultIntervals::No && !self.delong => {
                (None, Some(Wording::new(|i| format!("no intervals: {}", why.message(i)))))
            }
            Some(Err(why)) => return Err(why),
            None => (None, self.interval_note()),
        };
        Ok(ScoreEvaluation { settings, evaluations, extras, uncertainty, deployment, interval_note })
    }

    /// The sentence on intervals that were left out because the data are large.
    fn interval_note(&self) -> Option<Wording> {
        let bootstrap = |i: Interface| i.setting("bootstrap", DEFAULT_SAMPLES);
        match self.by_default {
            DefaultIntervals::No | DefaultIntervals::Sampled => None,
            DefaultIntervals::Formulas => Some(Wording::new(|i| format!("intervals of the rest: {}", bootstrap(i)))),
            DefaultIntervals::TooLarge => {
                Some(Wording::new(|i| format!("intervals: {}, or {} for all", i.option("delong"), bootstrap(i))))
            }
        }
    }

    /// Evaluates one model, with its extras.
    fn evaluate_model(&self, data: &Scored, settings: &ScoreSettings) -> Result<(Evaluation, ModelExtras), Failure> {
        let ScoreSettings { transforms, cost, thresholds, level } = settings;
        let evaluation = match level {
            ScoredLevel::Numeric => evaluate_transformed(data, transforms, cost, thresholds),
            ScoredLevel::Exact => evaluate_scores_exactly(data, transforms, cost, thresholds)?,
        };
        let mut extras = self.extras(data, &evaluation, cost)?;
        if transforms.is_empty() {
            extras.corp = extras.corp.or_else(|| Some(corp_of_hull(data.totals(), &evaluation)));
            extras.rows_per_score = Some(rows_per_score(data));
        }
        Ok((on_input_scale(data, transforms, evaluation), extras))
    }

    /// The extras of one model.
    fn extras(&self, data: &Scored, evaluation: &Evaluation, cost: &Cost) -> Result<ModelExtras, Failure> {
        let parts = self.partitions.iter().map(|partition| decompose(data, evaluation, partition));
        let bad = |bad| Failure::worded(|i| format!("{}: {bad}", i.option("decompose")));
        let decompositions = parts.collect::<Result<Vec<_>, _>>().map_err(bad)?;
        let errors = self.bins.iter().map(|bins| calibration_error(data, bins));
        let bad = |bad| Failure::worded(|i| format!("{}: {bad}", i.option("ece")));
        let calibration_errors = errors.collect::<Result<Vec<_>, _>>().map_err(bad)?;
        Ok(ModelExtras {
            at: self.at.iter().map(|at| thresholds_at(data, evaluation, at)).collect(),
            choice: self.known.map(|known| compare_methods(data, evaluation, cost, Some(known))),
            corp: (!decompositions.is_empty()).then(|| corp(data, evaluation)),
            shows_corp: !decompositions.is_empty(),
            decompositions,
            severities: self.severities.iter().map(|severity| hand_measure(data, severity)).collect(),
            calibration_errors,
            rows_per_score: None,
            finite_sample: if self.finite_sample { finite_sample(data, evaluation) } else { Vec::new() },
        })
    }

    /// The number of bootstrap samples, if there is a bootstrap.
    pub fn replicates(&self) -> Option<u32> {
        self.replicates
    }

    /// Standard errors and intervals. `next` is called before each sample.
    fn uncertainty(
        &self,
        data: &Paired,
        evaluations: &[Evaluation],
        settings: &ScoreSettings,
        next: impl Fn() + Sync,
    ) -> Uncertainty {
        let ScoreSettings { cost, thresholds, .. } = settings;
        let delong = DeLong::new(data);
        let plan = (&self.samples, delong.as_ref().ok());
        let spreads = best_spreads(data, evaluations, cost, thresholds, plan, next);
        Uncertainty {
            plan: self.samples,
            thresholds: thresholds.clone(),
            spreads,
            shows_delong: self.delong,
            delong,
            power: self.power,
            sought: self.sought,
            rows: data.sampled_rows(),
        }
    }
}
