//! Why a file is not scored data: what is wrong, where, and what would be right.

use rocproof_language::closest;
use std::fmt;

/// The longest text from a file that a message shows, in characters.
const LONGEST_EXCERPT: usize = 60;

/// The role of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A score.
    Score,
    /// An end of the bin that a score is in.
    BinEnd,
    /// A class label.
    Label,
    /// The weight of a row.
    Weight,
    /// The number of rows of a class with a score.
    Count,
    /// The value by which rows are told apart for an evaluation of each value.
    Slice,
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Role::Score => "score",
            Role::BinEnd => "bin end",
            Role::Label => "label",
            Role::Weight => "weight",
            Role::Count => "count",
            Role::Slice => "group",
        })
    }
}

/// The role that a request gives to a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LabelRole {
    /// The positive class.
    Positive,
    /// The class that higher scores indicate.
    HigherMeans,
}

/// A position in a file.
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

/// A defect of a file, or of a request for its columns.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Cause {
    /// The file cannot be opened or read.
    #[error("it cannot be read: {0}")]
    Io(String),
    /// A directory without data.
    #[error("this directory holds no CSV, Parquet or Arrow file")]
    EmptyDirectory,
    /// A pattern that cannot be read.
    #[error("this is not a pattern of file names: {0}")]
    Pattern(String),
    /// No file has a name that matches a pattern.
    #[error("no file matches this pattern")]
    NoMatch,
    /// A file is named twice.
    #[error("the file is named twice: its rows would count twice")]
    FileTwice,
    /// The columns of a file do not give the same data as those of the files before it.
    #[error("its columns are {found}, and those of the files before it {expected}")]
    OtherColumns {
        /// The columns of this file, in words.
        found: String,
        /// The columns of the files before it, in words.
        expected: String,
    },
    /// Rows are not sorted by score.
    #[error("the score {score} comes after {before}: the rows are not sorted by score")]
    NotSorted {
        /// The score of the row before.
        before: f64,
        /// The score of the row.
        score: f64,
    },
    /// Sorted rows have several score columns.
    #[error("rows are sorted by one score column; name one only")]
    SortedColumns,
    /// There is no memory for more rows.
    #[error("there is no memory left after {0} rows")]
    Memory(usize),
    /// There are more rows than can be told apart by a column.
    #[error("there are {0} rows: up to 4294967295 can be told apart by a column")]
    TooManyToSlice(usize),
    /// The file has no content.
    #[error("the file is empty")]
    Empty,
    /// The file has a header, but no row of data.
    #[error("there are no rows of data")]
    NoRows,
    /// The file is of none of the formats that can be read.
    #[error("this is {0}, not CSV, Parquet or Arrow")]
    Format(&'static str),
    /// The text is UTF-16.
    #[error("this is UTF-16 text, not CSV, Parquet or Arrow")]
    Utf16,
    /// The feature `parquet` is off.
    #[error("this build of rocproof cannot read Parquet or Arrow: the feature `parquet` is off")]
    NotBuilt,
    /// A named pipe cannot be read twice.
    #[error("Parquet and Arrow files cannot be read from a named pipe")]
    Pipe,
    /// The text is not UTF-8.
    #[error("this is not UTF-8 text")]
    NotUtf8,
    /// A quotation mark is opened and not closed.
    #[error("a quotation mark is opened here and never closed")]
    OpenQuote,
    /// A row and the header have different numbers of cells.
    #[error("the row has {found} cells, and the header has {expected}")]
    Ragged {
        /// The number of cells of the header.
        expected: u64,
        /// The number of cells of the row.
        found: u64,
    },
    /// There is no column of this name.
    #[error("there is no {role} column `{name}`")]
    NoColumn {
        /// The name that was requested.
        name: String,
        /// The role of the column.
        role: Role,
        /// The names of all columns of the file.
        names: Vec<String>,
    },
    /// Several columns have the requested name.
    #[error("more than one column is called `{0}`")]
    Twice(String),
    /// One column is requested for two roles, or twice.
    #[error("the column `{0}` is asked for twice")]
    Shared(String),
    /// The file has the default columns of labels and those of counts.
    #[error("there are counts, `n0` and `n1`, and labels, `label`: which are meant?")]
    LabelsAndCounts,
    /// The request names columns of counts and a column of labels.
    #[error("a column of labels and two columns of counts are asked for: only one of them")]
    LabelWithCounts,
    /// The request names columns of counts and a column of weights.
    #[error("weights belong to rows with labels; counts are weights already")]
    WeightWithCounts,
    /// The request does not name two columns of counts.
    #[error("counts are two columns, not `{0}`")]
    TwoCounts(String),
    /// The request does not name two columns of ends of bins.
    #[error("the ends of bins are two columns, not `{0}`")]
    TwoBinEnds(String),
    /// A cell is empty or null.
    #[error("the {0} is missing")]
    Missing(Role),
    /// A cell is not a number.
    #[error("the {0} `{text}` is not a number", text = excerpt(.1))]
    NotANumber(Role, String),
    /// A number is infinite or NaN.
    #[error("the {0} is {1}; it must be a finite number")]
    NotFinite(Role, f64),
    /// A weight or a count is negative.
    #[error("the {0} is {1}; it must not be negative")]
    Negative(Role, f64),
    /// There are more than two labels.
    #[error(
        "`{third}` is a third label, after `{a}` and `{b}`; there must be two",
        third = excerpt(third), a = excerpt(&known[0]), b = excerpt(&known[1])
    )]
    ThirdLabel {
        /// The first two labels.
        known: [String; 2],
        /// The third label.
        third: String,
    },
    /// All rows have one label.
    #[error("all rows have the label `{label}`: both classes are needed", label = excerpt(.0))]
    OneLabel(String),
    /// All weights of a class are zero.
    #[error("nothing of class `{0}` has any weight: both classes are needed")]
    NoWeight(String),
    /// The sum of the weights overflows.
    #[error("the weights add up to more than a floating-point number holds")]
    TooHeavy,
    /// The request does not say which label is positive.
    #[error("the labels are `{a}` and `{b}`: which one is positive?", a = excerpt(&.0[0]), b = excerpt(&.0[1]))]
    WhichPositive([String; 2]),
    /// The request gives a role to a label that does not occur.
    #[error("there is no label `{value}`; the labels are `{a}` and `{b}`", a = excerpt(&labels[0]), b = excerpt(&labels[1]))]
    UnknownLabel {
        /// The role.
        role: LabelRole,
        /// The label that was requested.
        value: String,
        /// The labels of the file.
        labels: [String; 2],
    },
    /// Arrow data that cannot be read.
    #[error("the Arrow data cannot be read: {0}")]
    Arrow(String),
    /// A Parquet file that cannot be read.
    #[error("the Parquet file cannot be read: {0}")]
    Parquet(String),
    /// A Parquet column with a compression that is not supported.
    #[error("a column compressed with {0} cannot be read")]
    Compression(&'static str),
    /// A Parquet column of a type that does not fit its role.
    #[error("a column of type {1} cannot be a {0}")]
    Type(Role, String),
}

/// A text from a file on one line, shortened if it is long.
pub fn excerpt(text: &str) -> String {
    let mut escaped = text.chars().flat_map(char::escape_debug);
    let start: String = escaped.by_ref().take(LONGEST_EXCERPT).collect();
    if escaped.next().is_some() { format!("{start}…") } else { start }
}

impl Cause {
    /// Advice that holds for every interface. Advice that names an option is up to the caller.
    pub fn help(&self) -> Option<String> {
        Some(match self {
            Cause::EmptyDirectory => {
                "files are taken from a directory by their endings: .csv, .tsv, also with .gz, .parquet, .pq, .arrow"
                    .into()
            }
            Cause::NotSorted { .. } => "in SQL, ORDER BY score; several files are read one after the other".into(),
            Cause::NoMatch => "* stands for any letters, ? for one letter, ** for any folders".into(),
            Cause::Memory(_) => {
                "let the database group the rows: SELECT score, count(*) FILTER (WHERE label = 0) AS n0, \
                 count(*) FILTER (WHERE label = 1) AS n1 … GROUP BY score; or let it sort them, and read sorted rows"
                    .into()
            }
            Cause::Empty | Cause::NoRows => {
                "a file has a header with the names of the columns, and a row for each score".into()
            }
            Cause::Utf16 | Cause::NotUtf8 => "save it as UTF-8, for example with iconv -t UTF-8".into(),
            Cause::Format(_) => "CSV (also compressed with gzip), Parquet and Arrow can be read".into(),
            Cause::NotBuilt => "write the data as CSV, which may be compressed with gzip".into(),
            Cause::Pipe => "give the name of a file, or - for standard input".into(),
            Cause::Missing(Role::Count) => {
                "counts must be 0 where a group has no row of a class: in SQL, coalesce(…, 0)".into()
            }
            Cause::NotANumber(_, text) if text.contains(',') => {
                "numbers are written with a decimal point and without thousands separators: 1234.5".into()
            }
            Cause::Compression(_) => "write the file with snappy, zstd, gzip, lz4 or no compression".into(),
            Cause::Type(Role::Label, _) => "labels are text, whole numbers, floating-point numbers or booleans".into(),
            Cause::Type(..) => "numbers are needed: integers, floating-point numbers or decimals".into(),
            Cause::UnknownLabel { value, labels, .. } => {
                format!("did you mean `{}`?", closest(value, labels.iter().map(String::as_str))?)
            }
            _ => return None,
        })
    }
}

/// An error in a file.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{}: {cause}", self.location())]
pub struct ReadError {
    /// The name of the file.
    pub file: String,
    /// The position in the file.
    pub position: FilePosition,
    /// The defect.
    pub cause: Cause,
}

impl ReadError {
    /// The name of the file and the position in it.
    pub fn location(&self) -> String {
        let file = if self.file == "-" { "standard input" } else { &self.file };
        format!("{file}{}", self.position)
    }
}
