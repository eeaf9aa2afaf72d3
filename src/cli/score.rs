//! `rocproof score`.

use super::input::TransformName;
use super::options::{Conditions, Printing};
use super::pictures::CurveOptions;
use super::unreadable::explain;
use crate::data::Scored;
use crate::data::read::{ColumnRequest, is_catching_panics, read};
use crate::front::{Extras, Failure, Interface, ScoreSettings, ScoredLevel, check_transforms};
use crate::lang::Source;
use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use std::fmt::Display;
use std::io::IsTerminal;
use std::sync::Once;

/// The arguments of `score`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// A CSV or Parquet file; - reads CSV from standard input
    #[arg(value_name = "FILE")]
    file: String,
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
    /// When the operating condition is known: evaluation, deployment or never. Which methods apply then, side by side
    #[arg(long, value_name = "WHEN")]
    known: Option<String>,
    /// Take the Brier score apart by ties, hull, width:K, mass:K or edges:A,B,…; may be repeated
    #[arg(long, value_name = "PARTITION", allow_hyphen_values = true)]
    decompose: Vec<String>,
    /// Expected losses of finite samples, with n+1 cutpoints or thresholds at the n rows
    #[arg(long)]
    finite_sample: bool,
    /// Intervals from this many samples of the rows, drawn with replacement; and DeLong's variance of the AUC
    #[arg(long, value_name = "N")]
    bootstrap: Option<u32>,
    /// Seed of the samples: the same seed, the same intervals
    #[arg(long, value_name = "N", default_value_t = 1, requires = "bootstrap")]
    seed: u64,
    /// DeLong's variance of the AUC and of differences
    #[arg(long)]
    delong: bool,
    /// Coverage of intervals [default: 0.95]
    #[arg(long, value_name = "SHARE")]
    confidence: Option<f64>,
}

impl ExtraOptions {
    /// The requests without their command-line form.
    fn extras(&self) -> Extras {
        Extras {
            at: self.at.iter().map(|text| Source::new("--at", text)).collect(),
            known: self.known.clone(),
            decompose: self.decompose.clone(),
            finite_sample: self.finite_sample,
            bootstrap: self.bootstrap,
            seed: self.seed,
            delong: self.delong,
            confidence: self.confidence,
        }
    }
}

/// The columns of the file, and what they mean.
#[derive(Args)]
struct ColumnOptions {
    /// Score column; may be repeated, or several with commas between them [default: score]
    #[arg(long, value_name = "NAME")]
    score: Vec<String>,
    /// Column of labels: any two values [default: label]
    #[arg(long, value_name = "NAME")]
    label: Option<String>,
    /// Column of weights
    #[arg(long, value_name = "NAME")]
    weight: Option<String>,
    /// For grouped data, the columns that count class 0 and class 1 [default: n0,n1 if there are such columns and no --label]
    #[arg(long, value_name = "N0,N1")]
    counts: Option<String>,
    /// Label of the positive class, which is class 0; for grouped data, the name of its count
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    positive: Option<String>,
    /// Label that higher scores speak for; for grouped data, the name of its count
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    higher_means: Option<String>,
    /// Delimiter of CSV fields: one character, or tab [default: comma; tab in .tsv files]
    #[arg(long, value_name = "CHAR", allow_hyphen_values = true)]
    delimiter: Option<String>,
}

impl ColumnOptions {
    /// The columns to read.
    fn request(&self) -> Result<ColumnRequest, Failure> {
        let delimiter = self.delimiter.as_deref().map(delimiter).transpose()?;
        let ColumnOptions { score, label, weight, counts, positive, higher_means, .. } = self;
        Ok(ColumnRequest {
            scores: score.clone(),
            label: label.clone(),
            weight: weight.clone(),
            counts: counts.clone(),
            positive: positive.clone(),
            higher_means: higher_means.clone(),
            delimiter,
        })
    }
}

/// A delimiter from its text: one ASCII character, or `tab`.
fn delimiter(text: &str) -> Result<u8, Failure> {
    match text.as_bytes() {
        b"tab" | b"\\t" => Ok(b'\t'),
        [byte] if byte.is_ascii() && !b"\"\r\n\0".contains(byte) => Ok(*byte),
        _ => Err(Failure::with_help(
            format!("--delimiter {text}: this is not a delimiter"),
            "a delimiter is one ASCII character, such as ';', or the word tab",
        )),
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
    let plan = extras.plan()?;
    let pictures = arguments.pictures.check_files()?;
    check_transforms(&settings.transforms, extras.has_any() || arguments.pictures.has_any())?;
    let outputs: Vec<_> = arguments.printing.output.as_deref().into_iter().chain(arguments.pictures.files()).collect();
    if outputs.iter().any(|output| is_same_file(&arguments.file, output)) {
        return Err(Failure::new(format!("the output would overwrite the data in {}", arguments.file)));
    }
    if let Some(twice) = outputs.iter().enumerate().find(|(k, output)| outputs[..*k].contains(output)) {
        return Err(Failure::new(format!("two results would be written to {}", twice.1.display())));
    }
    silence_caught_panics();
    let data = read(&arguments.file, &arguments.columns.request()?).map_err(|error| explain(&error))?;
    let failed = |why: &dyn Display| Failure::new(format!("{}: {why}", arguments.file));
    let models = (0..data.score_columns.len()).map(|column| data.scored(column).map_err(|bad| failed(&bad)));
    let mut drawn = Vec::new();
    let draw = |scored: Scored| {
        if arguments.pictures.has_any() {
            drawn.push(scored);
        }
    };
    let thresholds = settings.thresholds.clone();
    let bar = progress(plan.replicates().unwrap_or(0).into());
    let paired = || {
        // The time left is estimated from the first sample on.
        bar.reset();
        data.paired().map_err(|why| failed(&why))
    };
    let evaluation = plan.evaluate(settings, models, draw, paired, || bar.inc(1))?;
    bar.finish_and_clear();
    let named: Vec<(&str, Scored)> = data.score_columns.iter().map(String::as_str).zip(drawn).collect();
    pictures.write(&named, &thresholds)?;
    let report = evaluation.report(&data, Interface::CommandLine);
    arguments.printing.write(|| report.json(), || report.tables())
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
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if !is_catching_panics() {
                usual(panic);
            }
        }));
    });
}

/// Whether two paths lead to one existing file.
fn is_same_file(input: &str, output: &std::path::Path) -> bool {
    let resolved = |path: &std::path::Path| std::fs::canonicalize(path).ok();
    resolved(output).is_some_and(|output| resolved(input.as_ref()) == Some(output))
}
