//! Files of scored data: figures and exact curves.

use crate::data::curves::{BAND_SAMPLES, Curves, ScoredCurve};
use crate::data::{Bootstrap, Scored};
use crate::draw::scored::{DrawnModel, FigureKind, FigureOptions, figure};
use crate::draw::{Palette, check, save};
use crate::front::{Failure, curve_kinds, find_curves, read_prevalence, write_curves_json};
use crate::functional::{Condition, Thresholds};
use crate::lang::Source;
use crate::output::file::write_whole;
use crate::report::curves::write_csv;
use clap::{Args, ValueEnum};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The options for figures and curves.
#[derive(Args)]
pub(crate) struct CurveOptions {
    /// Draw the curves: .svg, .png or .pdf
    #[arg(long, value_name = "FILE")]
    figure: Option<PathBuf>,
    /// Which figure: overview, roc, cost-lines, methods, brier, rate-driven, reliability, murphy, net-benefit or
    /// interventions-avoided
    #[arg(long, value_name = "NAME", default_value = "overview", requires = "figure")]
    show: String,
    /// Colours for colour-blind readers, with dashes
    #[arg(long, requires = "figure")]
    colour_blind_safe: bool,
    /// Write the curves as exact pieces: .json or .csv
    #[arg(long, value_name = "FILE")]
    curves: Option<PathBuf>,
    /// Which curves are written; may be repeated [default: all that apply]
    #[arg(long, value_name = "NAME", requires = "curves")]
    curve: Vec<String>,
    /// Losses by cost proportion or by skew, in figures and curves
    #[arg(long, value_enum, default_value_t = By::Cost)]
    by: By,
    /// Share of the positive label where the classifier is deployed, for net benefit and interventions avoided [default: that of the data]
    #[arg(long, value_name = "SHARE", allow_hyphen_values = true)]
    prevalence: Option<String>,
    /// Pointwise 95 % bands around ROC, loss and reliability curves, from samples of the rows; in figures and .json
    #[arg(long)]
    bands: bool,
}

/// The abscissa of curves of loss.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum By {
    /// Cost proportions
    Cost,
    /// Skews
    Skew,
}

/// The requested files, checked before any data are read.
pub(crate) struct CurveFiles<'a> {
    figure: Option<(&'a Path, FigureKind)>,
    curves: Option<(&'a Path, Format)>,
    names: &'a [String],
    palette: Palette,
    condition: Condition,
    prevalence: Option<f64>,
    bands: Option<Bootstrap>,
}

/// The format of a file of curves.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Json,
    Csv,
}

impl CurveOptions {
    /// Whether any file is requested.
    pub fn has_any(&self) -> bool {
        self.figure.is_some() || self.curves.is_some()
    }

    /// Whether bands are requested.
    pub fn has_bands(&self) -> bool {
        self.bands
    }

    /// The paths of the requested files.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.figure.iter().chain(&self.curves).map(PathBuf::as_path)
    }

    /// Checks the names of curves and the paths of files, before any data are read.
    pub(crate) fn check_files(&self) -> Result<CurveFiles<'_>, Failure> {
        if self.bands && !self.has_any() {
            return Err(Failure::with_help("--bands has no curve to go around", "add --figure FILE or --curves FILE"));
        }
        let show = FigureKind::named(&self.show).map_err(|bad| Failure::new(format!("--show: {bad}")))?;
        let condition = if self.by == By::Cost { Condition::Cost } else { Condition::Skew };
        // Names do not depend on the thresholds: any will do for the check.
        curve_kinds(&self.curve, &Thresholds::default(), condition)?;
        if let Some(path) = &self.figure {
            check(path).map_err(|bad| Failure::new(format!("--figure: {bad}")))?;
        }
        for path in self.files() {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            if folder.is_some_and(|folder| !folder.is_dir()) {
                return Err(Failure::new(format!("cannot write {}: there is no such folder", path.display())));
            }
        }
        Ok(CurveFiles {
            figure: self.figure.as_deref().map(|path| (path, show)),
            curves: match self.curves.as_deref() {
                Some(path) => Some((path, curve_format(path)?)),
                None => None,
            },
            names: &self.curve,
            palette: if self.colour_blind_safe { Palette::ColourBlindSafe } else { Palette::Plain },
            condition,
            bands: self.bands.then(|| Bootstrap { replicates: BAND_SAMPLES, ..Bootstrap::default() }),
            prevalence: self
                .prevalence
                .as_ref()
                .map(|text| read_prevalence(&Source::new("--prevalence", text)))
                .transpose()?,
        })
    }
}

/// The format that the extension of a file of curves names.
fn curve_format(path: &Path) -> Result<Format, Failure> {
    let extension = path.extension().and_then(|extension| extension.to_str()).map(str::to_lowercase);
    match extension.as_deref() {
        Some("json") => Ok(Format::Json),
        Some("csv") => Ok(Format::Csv),
        _ => Err(Failure::with_help(
            format!("--curves {}: curves are written as .json or .csv", path.display()),
            "give the file one of these extensions",
        )),
    }
}

impl CurveFiles<'_> {
    /// Writes the requested files. `models` are scored data with their names, `labels` those of the positive and of the negative class.
    pub fn write(&self, models: &[(&str, Scored)], thresholds: &Thresholds, labels: [&str; 2]) -> Result<(), Failure> {
        let curves_of = |data| Curves::new(data).with_prevalence(self.prevalence);
        let curves: Vec<Curves> = models.iter().map(|(_, data)| curves_of(data)).collect();
        if let Some((path, format)) = self.curves {
            let named: Vec<_> = models.iter().zip(&curves).map(|((name, _), curves)| (*name, curves)).collect();
            let curves = find_curves(self.names, &named, thresholds, self.condition)?;
            write_whole(path, |out| write_curves(out, &curves, format, self.bands.as_ref()))
                .map_err(|bad| Failure::new(format!("cannot write {}: {bad}", path.display())))?;
        }
        let Some((path, show)) = self.figure else { return Ok(()) };
        let named: Vec<DrawnModel> =
            models.iter().zip(&curves).map(|((name, _), curves)| DrawnModel { name, curves }).collect();
        let options = FigureOptions {
            palette: self.palette,
            condition: self.condition,
            methods: thresholds.methods(),
            labels,
            bands: self.bands,
        };
        save(&figure(show, &named, options), path).map_err(|bad| Failure::new(bad.to_string()))
    }
}

/// Writes curves in a format; bands go into JSON only.
fn write_curves(
    out: &mut dyn Write,
    curves: &[(String, ScoredCurve)],
    format: Format,
    bands: Option<&Bootstrap>,
) -> io::Result<()> {
    let mut out = out;
    match format {
        Format::Csv => {
            let curves: Vec<(&str, ScoredCurve)> = curves.iter().map(|(name, curve)| (name.as_str(), *curve)).collect();
            write_csv(&mut out, &curves)
        }
        Format::Json => write_curves_json(&mut out, curves, bands),
    }
}
