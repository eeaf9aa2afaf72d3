//! `rocproof score`.

use super::input::TransformName;
use super::options::{Conditions, Printing};
use super::pictures::CurveOptions;
use crate::data::read::{
    BinColumns, Cause, ColumnRequest, Dataset, Gathered, Slices, is_catching_panics, read_all, read_sorted,
};
use crate::data::{Scored, SortedRows};
use crate::front::{
    BinEvaluation, Extras, Failure, Interface, ScoreEvaluation, ScorePlan, ScoreSettings, ScoredLevel,
    are_groups_sampled, check_transforms, explain_unreadable, read_delimiter,
};
use crate::lang::Source;
use crate::report::groups::{Group, add_groups, table};
use crate::report::summary::Layout;
use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use std::fmt::Display;
use std::io::IsTerminal;
use std::path::Path;
use std::sync::Once;

/// The arguments of `score`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// CSV, Parquet or Arrow files with the same columns, patterns such as 'parts/*.parquet', or directories; - is standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<String>,
    /// The rows are sorted by score, in ascending or descending order: read them once and keep none, however many there are
    #[arg(long)]
    sorted: bool,
    #[command(flatten)]
    columns: ColumnOptions,
    /// Transform the scores first; may be repeated, the first one is applied first
    #[arg(long, value_name = "TRANSFORM")]
    transform: Vec<TransformName>,
    #[command(flatten)]
    conditions: Conditions,
    #[command(flatten)]
    extras: ExtraOptions,
    #[command(flatten)]
    pictures: CurveOptions,
    /// Show everything: all metrics, losses over skews, the shape of ROC curves, differences between models
    #[arg(long)]
    all: bool,
    /// Significant digits of values, with their rounding error [default: 4, without it]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    digits: Option<u16>,
    /// Level of evidence: numeric, or exact for a few thousand different scores
    #[arg(long, value_enum, default_value_t = ScoredLevelName::Numeric)]
    level: ScoredLevelName,
    #[command(flatten)]
    printing: Printing,
}

/// A level of evidence of scored data by name.
#[derive(Clone, Copy, ValueEnum)]
enum ScoredLevelName {
    /// Fast, with error estimates
    Numeric,
    /// Rational arithmetic
    Exact,
}

impl ScoredLevelName {
    /// The level.
    fn level(self) -> ScoredLevel {
        match self {
            ScoredLevelName::Numeric => ScoredLevel::Numeric,
            ScoredLevelName::Exact => ScoredLevel::Exact,
        }
    }
}

/// Requests besides metrics and losses.
#[derive(Args)]
struct ExtraOptions {
    /// Threshold and loss of each method at an operating condition: c=0.2 (cost proportion) or z=0.2 (skew); may be repeated
    #[arg(long, value_name = "CONDITION", allow_hyphen_values = true)]
    at: Vec<String>,
    /// When the operating condition is known: evaluation, deployment or never. Compares the methods that apply then
    #[arg(long, value_name = "WHEN")]
    known: Option<String>,
    /// Choose thresholds on these data, which have the same columns, and evaluate them on FILE [default: folds of FILE]
    #[arg(long, value_name = "FILE")]
    train: Option<String>,
    /// Decompose the Brier score by ties, hull, width:K, mass:K or edges:A,B,…; may be repeated
    #[arg(long, value_name = "PARTITION", allow_hyphen_values = true)]
    decompose: Vec<String>,
    /// Hand's H for a severity ratio as in R's hmeasure (how much worse a false alarm is than a miss), or for c distributed as beta(a,b); may
    /// be repeated
    #[arg(long, value_name = "RATIO", allow_hyphen_values = true)]
    severity: Vec<String>,
    /// Expected calibration error by bins: width:15, mass:15 or edges:A,B,…; may be repeated
    #[arg(long, value_name = "BINS", allow_hyphen_values = true)]
    ece: Vec<String>,
    /// Expected losses of finite samples, with n+1 cutpoints or thresholds at the n rows
    #[arg(long)]
    finite_sample: bool,
    /// Intervals from this many samples of the rows, drawn with replacement [default: 200 if rows times models are at most 20,000]
    #[arg(long, value_name = "N")]
    bootstrap: Option<u32>,
    /// Seed of the samples and of the folds: the same seed, the same intervals
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Samples keep the number of rows of each class: intervals for class proportions that were chosen, not drawn
    #[arg(long)]
    stratified: bool,
    /// DeLong's variance of the AUC and of differences, in a table
    #[arg(long)]
    delong: bool,
    /// No sampling intervals unless --bootstrap or --delong ask for them
    #[arg(long)]
    no_intervals: bool,
    /// Coverage of intervals [default: 0.95]
    #[arg(long, value_name = "SHARE")]
    confidence: Option<f64>,
    /// True difference of two models that is to be found: how many rows that takes, quantity by quantity
    #[arg(long, value_name = "DIFFERENCE", allow_hyphen_values = true)]
    detect: Option<f64>,
    /// Probability with which a difference is to be found [default: 0.8]
    #[arg(long, value_name = "SHARE")]
    power: Option<f64>,
}

impl ExtraOptions {
    /// The requests without their command-line form.
    fn extras(&self) -> Extras {
        Extras {
            at: self.at.iter().map(|text| Source::new("--at", text)).collect(),
            known: self.known.clone(),
            decompose: self.decompose.clone(),
            severity: self.severity.iter().map(|text| Source::new("--severity", text)).collect(),
            ece: self.ece.clone(),
            finite_sample: self.finite_sample,
            bootstrap: self.bootstrap,
            seed: self.seed,
            stratified: self.stratified,
            delong: self.delong,
            confidence: self.confidence,
            power: self.power,
            detect: self.detect,
            default_intervals: !self.no_intervals,
        }
    }
}

/// The columns of the file, and what they mean.
#[derive(Args)]
struct ColumnOptions {
    /// Score column; may be repeated, or several with commas between them [default: score]
    #[arg(long, value_name = "NAME")]
    score: Vec<String>,
    /// Columns of the lower and the upper end of the bin that each score is in: values are ranges over all scores within the bins. With
    /// :left after them bins are [LO, HI), with :right (LO, HI] [default: both ends may belong]
    #[arg(long, value_name = "LO,HI")]
    bins: Option<String>,
    /// Column of labels: any two values [default: label]
    #[arg(long, value_name = "NAME")]
    label: Option<String>,
    /// Column of weights
    #[arg(long, value_name = "NAME")]
    weight: Option<String>,
    /// For grouped data, the columns that count the rows of each class, the positive one last [default: n0,n1 if there are such columns and
    /// no --label]
    #[arg(long, value_name = "N0,N1")]
    counts: Option<String>,
    /// Positive label; for grouped data, the name of its count [default: 1 or true; the second count]
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    positive: Option<String>,
    /// Label that higher scores speak for; for grouped data, the name of its count [default: the positive label]
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    higher_means: Option<String>,
    /// Column whose values are evaluated one by one, besides all rows together
    #[arg(long, value_name = "NAME")]
    group_by: Option<String>,
    /// Delimiter of CSV fields: one character, or tab [default: comma; tab in .tsv files]
    #[arg(long, value_name = "CHAR", allow_hyphen_values = true)]
    delimiter: Option<String>,
}

impl ColumnOptions {
    /// The columns of the ends of bins.
    fn bins(&self) -> Result<Option<BinColumns>, Failure> {
        let columns = self.bins.as_deref().map(str::parse).transpose();
        columns.map_err(|_| {
            let help = "for example --bins lo,hi, or --bins lo,hi:left if the lower ends belong to their bins";
            Failure::with_help(
                "--bins takes the names of two columns, the lower end and the upper end of each bin",
                help,
            )
        })
    }

    /// The columns to read.
    fn request(&self) -> Result<ColumnRequest, Failure> {
        let delimiter = self.delimiter.as_deref().map(read_delimiter).transpose()?;
        let ColumnOptions { score, label, weight, counts, positive, higher_means, group_by, .. } = self;
        Ok(ColumnRequest {
            scores: score.clone(),
            bins: self.bins()?,
            label: label.clone(),
            weight: weight.clone(),
            counts: counts.clone(),
            positive: positive.clone(),
            higher_means: higher_means.clone(),
            group_by: group_by.clone(),
            delimiter,
        })
    }
}

/// Evaluates the score columns of a file and prints them.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let settings = ScoreSettings {
        cost: arguments.conditions.cost()?,
        thresholds: arguments.conditions.thresholds()?,
        transforms: arguments.transform.iter().map(|name| name.transform()).collect(),
        level: arguments.level.level(),
    };
    let extras = arguments.extras.extras();
    arguments.check_bins()?;
    let mut plan = extras.plan()?;
    let pictures = arguments.pictures.check_files()?;
    if arguments.pictures.has_bands() && arguments.columns.weight.is_some() {
        return Err(Failure::with_help(
            "--bands does not go with --weight",
            "bands come from samples of rows that count alike: leave one of the two out",
        ));
    }
    check_transforms(&settings.transforms, extras.has_any() || arguments.has_train() || arguments.pictures.has_any())?;
    arguments.check_outputs(&arguments.files)?;
    silence_caught_panics();
    if let Some(bins) = arguments.columns.bins()? {
        return arguments.run_binned(&bins, settings);
    }
    if arguments.sorted {
        return arguments.run_sorted(settings, extras.has_any());
    }
    let Gathered { data, files, slices } =
        read_all(&arguments.files, &arguments.columns.request()?).map_err(|error| explain_unreadable(&error))?;
    arguments.check_outputs(&files)?;
    if let Some(file) = &arguments.extras.train {
        plan = plan.chosen_on(arguments.read_training(file, &data)?);
    }
    let failed = |why: &dyn Display| Failure::new(format!("{}: {why}", data.file));
    let models = (0..data.score_columns.len()).map(|column| data.scored(column).map_err(|bad| failed(&bad)));
    // The scores are kept only if they are to be drawn.
    let mut kept = Vec::new();
    let keep = |scored: Scored| {
        if arguments.pictures.has_any() {
            kept.push(scored);
        }
    };
    let thresholds = settings.thresholds.clone();
    let default_intervals = extras.default_intervals && settings.transforms.is_empty();
    let of_slices = |slices: &Slices| evaluate_groups(&data, slices, &plan, default_intervals, &settings);
    let groups = slices.as_ref().map(of_slices).transpose()?;
    let plan = match default_intervals {
        true => plan.with_default_intervals(data.sampled_rows(), data.score_columns.len(), true),
        false => plan,
    };
    let rows_or_groups = data.scores.first().map_or(0, Vec::len);
    let plan = plan.within_memory(rows_or_groups, data.sampled_rows(), data.score_columns.len())?;
    let bar = progress(plan.replicates().unwrap_or(0).into());
    let paired = || {
        // The time left is estimated from the first sample on.
        bar.reset();
        data.paired().map_err(|why| failed(&why))
    };
    let evaluation = plan.evaluate(settings, models, keep, paired, || bar.inc(1))?;
    bar.finish_and_clear();
    let named: Vec<(&str, Scored)> = data.score_columns.iter().map(String::as_str).zip(kept).collect();
    pictures.write(&named, &thresholds, data.classes.names.each_ref().map(String::as_str))?;
    let report = evaluation.report(&data, Interface::CommandLine);
    let layout = arguments.layout();
    let json = || {
        let mut json = report.json();
        if files.len() > 1 {
            json["data"]["files"] = serde_json::json!(files);
        }
        json
    };
    match slices.zip(groups) {
        None => arguments.printing.write(json, || report.tables_with(layout)),
        Some((slices, groups)) => {
            let mut json = json();
            let all = Group { value: None, rows: data.rows, report: Ok(json.clone()) };
            let tables = || {
                format!("{}\nall rows together\n{}", table(&slices.column, &groups, &all), report.tables_with(layout))
            };
            add_groups(&mut json, &slices.column, &groups);
            arguments.printing.write(|| json, tables)
        }
    }
}

/// Evaluates the rows of each value of a column, with the intervals that data of its size have by default. A value without rows of both
/// classes says so.
fn evaluate_groups(
    data: &Dataset,
    slices: &Slices,
    plan: &ScorePlan,
    default_intervals: bool,
    settings: &ScoreSettings,
) -> Result<Vec<Group>, Failure> {
    let count = data.score_columns.len();
    let sampled_rows: Vec<f64> = (0..slices.values.len()).map(|k| slices.sampled_rows(data, k)).collect();
    let are_sampled = are_groups_sampled(&sampled_rows, count);
    let evaluate = |(k, value): (usize, &Option<String>)| {
        let plan = match default_intervals {
            true => plan.clone().with_default_intervals(sampled_rows[k], count, are_sampled),
            false => plan.clone(),
        };
        let rows = slices.rows(k);
        let group = |report: Result<serde_json::Value, String>| Group { value: value.clone(), rows, report };
        let slice = match slices.slice(data, k) {
            Ok(slice) => slice,
            Err(Cause::NoWeight(label)) => {
                return Ok(group(Err(format!("no row of `{label}` has any weight: both labels are needed"))));
            }
            Err(cause) => return Ok(group(Err(cause.to_string()))),
        };
        let failed = |why: &dyn Display| {
            Failure::new(format!("{}, {} {}: {why}", data.file, slices.column, value.as_deref().unwrap_or("(missing)")))
        };
        let models = (0..slice.score_columns.len()).map(|column| slice.scored(column).map_err(|bad| failed(&bad)));
        let paired = || slice.paired().map_err(|why| failed(&why));
        let evaluation = plan.evaluate(settings.clone(), models, drop, paired, || ())?;
        Ok(group(Ok(evaluation.report(&slice, Interface::CommandLine).json())))
    };
    slices.values.par_iter().enumerate().map(evaluate).collect()
}

impl Arguments {
    /// Evaluates sorted rows while they are read.
    fn run_sorted(&self, settings: ScoreSettings, has_extras: bool) -> Result<(), Failure> {
        let has_more = has_extras || self.has_train() || self.pictures.has_any() || !settings.transforms.is_empty();
        if has_more || self.columns.group_by.is_some() || settings.level == ScoredLevel::Exact {
            return Err(Failure::with_help(
                "--sorted goes with metrics and losses only",
                "rows are read once and none is kept; for the rest, leave --sorted out",
            ));
        }
        let rows = SortedRows::new(&settings.cost, &settings.thresholds);
        let found =
            read_sorted(&self.files, &self.columns.request()?, rows).map_err(|error| explain_unreadable(&error))?;
        self.check_outputs(&found.files)?;
        let evaluation = found.evaluation.map_err(|bad| Failure::new(format!("{}: {bad}", found.data.file)))?;
        let evaluation = ScoreEvaluation::of_sorted(settings, evaluation, found.data.totals(), found.rows_per_score);
        let report = evaluation.report(&found.data, Interface::CommandLine);
        self.printing.write(|| report.json(), || report.tables_with(self.layout()))
    }

    /// Refuses what needs each score, if scores are known by bins only.
    fn check_bins(&self) -> Result<(), Failure> {
        if self.columns.bins.is_none() {
            return Ok(());
        }
        let ExtraOptions { at, known, train, decompose, severity, ece, bootstrap, confidence, .. } = &self.extras;
        let thresholds = "the threshold of a method depends on where in their bins the scores are";
        let sampling =
            "values are ranges over the scores within the bins; sampling intervals of such ranges are not computed";
        let each_score =
            "this needs the score of each row; of rows in bins there are ranges of metrics and expected losses";
        let refused = [
            (!self.columns.score.is_empty(), "--score", "the two columns of --bins take the place of a score"),
            (self.sorted, "--sorted", "bins are few: leave --sorted out"),
            (
                self.columns.group_by.is_some(),
                "--group-by",
                "pick the rows of each group beforehand, and evaluate them one by one",
            ),
            (!self.transform.is_empty(), "--transform", each_score),
            (
                self.level.level() == ScoredLevel::Exact,
                "--level exact",
                "ranges are numeric, and their ends cover rounding",
            ),
            (!at.is_empty(), "--at", thresholds),
            (known.is_some(), "--known", thresholds),
            (train.is_some(), "--train", thresholds),
            (!decompose.is_empty(), "--decompose", each_score),
            (!ece.is_empty(), "--ece", each_score),
            (
                !severity.is_empty(),
                "--severity",
                "H, H_priors and H_hmeasure have ranges; for other distributions see L[o] under --cost",
            ),
            (self.extras.finite_sample, "--finite-sample", each_score),
            (bootstrap.is_some(), "--bootstrap", sampling),
            (self.extras.delong, "--delong", sampling),
            (confidence.is_some(), "--confidence", sampling),
            (self.pictures.has_any() || self.pictures.has_bands(), "--figure, --curves and --bands", each_score),
        ];
        match refused.into_iter().find(|(is_given, ..)| *is_given) {
            Some((_, option, why)) => Err(Failure::with_help(format!("--bins does not go with {option}"), why)),
            None => Ok(()),
        }
    }

    /// Evaluates scores that are known by bins only.
    fn run_binned(&self, bins: &BinColumns, settings: ScoreSettings) -> Result<(), Failure> {
        let Gathered { data, files, .. } =
            read_all(&self.files, &self.columns.request()?).map_err(|error| explain_unreadable(&error))?;
        self.check_outputs(&files)?;
        let evaluation = BinEvaluation::of_files(&data, bins.closed, settings.cost, &settings.thresholds)?;
        let report = evaluation.report(&data, Interface::CommandLine);
        self.printing.write(|| report.json(), || report.table(self.layout()))
    }

    /// How much tables show.
    fn layout(&self) -> Layout {
        Layout { all: self.all, digits: self.digits.map(usize::from) }
    }

    /// Whether thresholds are chosen on other data.
    fn has_train(&self) -> bool {
        self.extras.train.is_some()
    }

    /// Reads the data that thresholds are chosen on: the same columns, with the same positive label and direction.
    fn read_training(&self, file: &str, data: &Dataset) -> Result<Vec<Scored>, Failure> {
        let classes = &data.classes;
        let request = ColumnRequest {
            positive: Some(classes.names[0].clone()),
            higher_means: Some(classes.names[classes.higher_means].clone()),
            group_by: None,
            ..self.columns.request()?
        };
        let files = [file.to_owned()];
        let training = read_all(&files, &request).map_err(|error| explain_unreadable(&error))?.data;
        let columns = 0..training.score_columns.len();
        let sorted = columns.map(|k| training.scored(k).map_err(|bad| Failure::new(format!("{file}: {bad}"))));
        sorted.collect()
    }

    /// Refuses outputs that would overwrite the data or each other.
    fn check_outputs(&self, files: &[String]) -> Result<(), Failure> {
        let outputs: Vec<&Path> = self.printing.output.as_deref().into_iter().chain(self.pictures.files()).collect();
        if let Some(file) = files.iter().find(|file| outputs.iter().any(|output| is_same_file(file, output))) {
            return Err(Failure::new(format!("the output would overwrite the data in {file}")));
        }
        for (k, output) in outputs.iter().enumerate() {
            if outputs[..k].contains(output) {
                return Err(Failure::new(format!("two results would be written to {}", output.display())));
            }
        }
        Ok(())
    }
}

/// A progress bar on standard error; hidden if that is not a terminal.
fn progress(samples: u64) -> ProgressBar {
    if samples == 0 || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:40} {pos} of {len} samples, {eta} left");
    ProgressBar::new(samples).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// Keeps panics off the terminal that are caught and reported as errors, as those of the Parquet reader are.
fn silence_caught_panics() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let earlier_hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if !is_catching_panics() {
                earlier_hook(panic);
            }
        }));
    });
}

/// Whether two paths lead to one existing file.
fn is_same_file(input: &str, output: &Path) -> bool {
    let resolve = |path: &Path| std::fs::canonicalize(path).ok();
    resolve(output).is_some_and(|output| resolve(input.as_ref()) == Some(output))
}
