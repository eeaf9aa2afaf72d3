//! Why a file is no scored data: what is wrong, where, and what would be right.

use rocproof_language::closest;
use std::fmt;

/// So much of a text is shown.
const LONGEST: usize = 60;

/// What a column is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A score.
    Score,
    /// A label.
    Label,
    /// The weight of a row.
    Weight,
    /// How many rows of a class have a score.
    Count,
}

impl Role {
    /// The name in words.
    pub fn name(self) -> &'static str {
        match self {
            Role::Score => "score",
            Role::Label => "label",
            Role::Weight => "weight",
            Role::Count => "count",
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Where in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FilePosition {
    /// The row of data, from 1.
    pub row: Option<u64>,
    /// The line of the text, from 1.
    pub line: Option<u64>,
    /// The name of the column.
    pub column: Option<String>,
}

impl fmt::Display for FilePosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.row, self.line) {
            (Some(row), Some(line)) => write!(f, ", row {row} (line {line})")?,
            (Some(row), None) => write!(f, ", row {row}")?,
            (None, Some(line)) => write!(f, ", line {line}")?,
            (None, None) => {}
        }
        self.column.as_ref().map_or(Ok(()), |column| write!(f, ", column `{column}`"))
    }
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq)]
pub enum Cause {
    /// The file cannot be opened or read.
    Io(String),
    /// It is a directory.
    Directory,
    /// There is nothing in it.
    Empty,
    /// There is no row of data.
    NoRows,
    /// It is something else than text or Parquet.
    Format(&'static str),
    /// This build cannot read Parquet.
    NotBuilt,
    /// Parquet cannot come from a pipe.
    Pipe,
    /// The text is not UTF-8.
    NotUtf8,
    /// A quotation mark was opened and not closed.
    OpenQuote,
    /// A row has another number of cells than the header.
    Ragged {
        /// How many the header has.
        expected: u64,
        /// How many the row has.
        found: u64,
    },
    /// There is no column of this name.
    NoColumn {
        /// The name that was asked for.
        name: String,
        /// What it was asked for.
        role: Role,
        /// The names that there are.
        names: Vec<String>,
        /// What would be right.
        advice: String,
    },
    /// A column that is asked for is there more than once.
    Twice(String),
    /// One column is asked for two things, or twice.
    Shared(String),
    /// There are both labels and counts.
    LabelsAndCounts,
    /// Options that do not go together.
    Options(&'static str),
    /// `--counts` names other than two columns.
    TwoCounts(String),
    /// An empty cell, or a null.
    Missing(Role),
    /// A cell is not a number.
    NotANumber(Role, String),
    /// A number is infinite or not a number.
    NotFinite(Role, f64),
    /// A weight or a count is negative.
    Negative(Role, f64),
    /// There are more than two labels.
    ThirdLabel {
        /// The first two.
        known: [String; 2],
        /// The third.
        third: String,
    },
    /// All rows have one label.
    OneLabel(String),
    /// All weights of a class are zero.
    NoWeight(String),
    /// The weights add up to more than a float holds.
    TooHeavy,
    /// Nothing says which label is the positive class, or which one higher scores mean.
    WhichClass {
        /// The labels.
        labels: [String; 2],
        /// Whether the positive class is known.
        positive: bool,
        /// Whether it is known what higher scores mean.
        higher_means: bool,
    },
    /// An option names a label that is not there.
    UnknownLabel {
        /// The option.
        option: &'static str,
        /// What it says.
        value: String,
        /// The labels that there are.
        labels: [String; 2],
    },
    /// A Parquet file that cannot be read.
    Parquet(String),
    /// A Parquet column that is compressed in another way.
    Compression(&'static str),
    /// A Parquet column of a type that does not serve.
    Type(Role, String),
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cause::Io(why) => write!(f, "it cannot be read: {why}"),
            Cause::Directory => write!(f, "this is a directory, not a file"),
            Cause::Empty => write!(f, "the file is empty"),
            Cause::NoRows => write!(f, "there are no rows of data"),
            Cause::Format(what) => write!(f, "this is {what}, not CSV or Parquet"),
            Cause::NotBuilt => write!(f, "this build of rocproof cannot read Parquet: the feature `parquet` is off"),
            Cause::Pipe => write!(f, "Parquet cannot be read from a pipe"),
            Cause::NotUtf8 => write!(f, "this is not UTF-8 text"),
            Cause::OpenQuote => write!(f, "a quotation mark is opened here and never closed"),
            Cause::Ragged { expected, found } => {
                write!(f, "the row has {found} cells, and the header has {expected}")
            }
            Cause::NoColumn { name, role, .. } => write!(f, "there is no {role} column `{name}`"),
            Cause::Twice(name) => write!(f, "more than one column is called `{name}`"),
            Cause::Shared(name) => write!(f, "the column `{name}` is asked for twice"),
            Cause::LabelsAndCounts => {
                write!(f, "there are counts, `n0` and `n1`, and labels, `label`: which are meant?")
            }
            Cause::Options(what) => f.write_str(what),
            Cause::TwoCounts(text) => write!(f, "--counts takes the names of two columns, not `{text}`"),
            Cause::Missing(role) => write!(f, "the {role} is missing"),
            Cause::NotANumber(role, text) => write!(f, "the {role} `{}` is not a number", shown(text)),
            Cause::NotFinite(role, value) => write!(f, "the {role} is {value}; it must be a finite number"),
            Cause::Negative(role, value) => write!(f, "the {role} is {value}; it must not be negative"),
            Cause::ThirdLabel { known: [a, b], third } => {
                let [a, b, third] = [a, b, third].map(|label| shown(label));
                write!(f, "`{third}` is a third label, after `{a}` and `{b}`; there must be two")
            }
            Cause::OneLabel(label) => {
                write!(f, "all rows have the label `{}`: both classes are needed", shown(label))
            }
            Cause::NoWeight(class) => write!(f, "nothing of class `{class}` has any weight: both classes are needed"),
            Cause::TooHeavy => write!(f, "the weights add up to more than a floating-point number holds"),
            Cause::WhichClass { labels: [a, b], positive, higher_means } => {
                let missing = match (positive, higher_means) {
                    (false, false) => "which is the positive class, and which one do higher scores mean?",
                    (false, true) => "which is the positive class?",
                    _ => "which one do higher scores mean?",
                };
                write!(f, "the labels are `{}` and `{}`: {missing}", shown(a), shown(b))
            }
            Cause::UnknownLabel { option, value, labels: [a, b] } => {
                let (a, b) = (shown(a), shown(b));
                write!(f, "{option} {value}: there is no such label; the labels are `{a}` and `{b}`")
            }
            Cause::Parquet(why) => write!(f, "the Parquet file cannot be read: {why}"),
            Cause::Compression(codec) => write!(f, "a column compressed with {codec} cannot be read"),
            Cause::Type(role, found) => write!(f, "a column of type {found} cannot be a {role}"),
        }
    }
}

/// A text of a file in one line.
fn shown(text: &str) -> String {
    let mut escaped = text.chars().flat_map(char::escape_debug);
    let start: String = escaped.by_ref().take(LONGEST).collect();
    if escaped.next().is_some() { format!("{start}…") } else { start }
}

impl Cause {
    /// What would be right.
    pub fn help(&self) -> Option<String> {
        Some(match self {
            Cause::Empty | Cause::NoRows => {
                "a file has a header with the names of the columns, and a row for each score".into()
            }
            Cause::Format("UTF-16 text") | Cause::NotUtf8 => "save it as UTF-8, for example with iconv -t UTF-8".into(),
            Cause::Format(_) => "CSV (also compressed with gzip) and Parquet can be read".into(),
            Cause::NotBuilt => "write the data as CSV, which may be compressed with gzip".into(),
            Cause::Pipe => "give the name of the file".into(),
            Cause::NoColumn { advice, .. } => advice.clone(),
            Cause::LabelsAndCounts => "say --counts n0,n1 or --label label".into(),
            Cause::TwoCounts(_) => "for example --counts n0,n1: how many rows of class 0, and of class 1".into(),
            Cause::Missing(Role::Count) => "a count of nothing is 0: in SQL, coalesce(…, 0)".into(),
            Cause::NotANumber(_, text) if text.contains(',') => {
                "numbers are written with a decimal point and without thousands separators: 1234.5".into()
            }
            Cause::Compression(_) => "write the file with snappy, zstd, gzip, lz4 or no compression".into(),
            Cause::Type(Role::Label, _) => "labels are text, whole numbers, floating-point numbers or booleans".into(),
            Cause::Type(..) => "numbers are needed: integers, floating-point numbers or decimals".into(),
            Cause::WhichClass { labels: [a, b], positive, higher_means } => {
                let option = |name: &str, known: &bool| match known {
                    true => String::new(),
                    false => format!(" {name} '{a}' or {name} '{b}'"),
                };
                format!(
                    "add{}{}{}",
                    option("--positive", positive),
                    if *positive || *higher_means { "" } else { ", and" },
                    option("--higher-means", higher_means)
                )
            }
            Cause::UnknownLabel { value, labels, .. } => {
                format!("did you mean `{}`?", closest(value, labels.iter().map(String::as_str))?)
            }
            _ => return None,
        })
    }
}

/// Why a file is no scored data.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadError {
    /// The file.
    pub file: String,
    /// Where in it.
    pub place: FilePosition,
    /// What is wrong.
    pub cause: Cause,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = if self.file == "-" { "standard input" } else { &self.file };
        write!(f, "{file}{}: {}", self.place, self.cause)
    }
}

impl std::error::Error for ReadError {}
