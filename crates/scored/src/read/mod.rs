//! Scored data from files: CSV, Parquet and Arrow, one file or several.
//!
//! | file | what it does |
//! | --- | --- |
//! | `paths` | the files that patterns and directories stand for |
//! | `request` | the requested columns, and where they are |
//! | `source` | opens files and recognises their format |
//! | `text`, `parquet`, `arrow` | cells, row by row or batch by batch |
//! | `lines` | line numbers for error messages |
//! | `label` | equality of labels, and the class of each |
//! | `collector` | collects rows as numbers; counts them if there are many ties |
//! | `memory` | columns that grow as long as there is memory |
//! | `slices` | the rows by the value of a column |
//! | `dataset` | the data of a file, and their evaluation |
//! | `paired` | the score columns of a file as models of the same rows |
//! | `panics` | panics that become errors |
//! | `error` | what is wrong, where, and what would be right |

#[cfg(feature = "parquet")]
mod arrow;
mod collector;
mod dataset;
mod error;
mod label;
mod lines;
mod memory;
mod paired;
mod panics;
#[cfg(feature = "parquet")]
mod parquet;
mod paths;
mod request;
mod slices;
mod source;
mod text;

pub(crate) use dataset::reverse_scores;
pub use dataset::{ClassColumns, Content, Dataset, on_input_scale};
pub use error::{Cause, FilePosition, LabelRole, ReadError, Role, excerpt};
pub use label::Classes;
pub use paired::NotPaired;
pub use panics::is_catching_panics;
pub use request::{BinColumns, ColumnRequest};
pub use slices::Slices;

use crate::{BadScore, SortedRows};
use collector::Destination;
use rocproof_engine::functional::Evaluation;
use source::OpenedFile;
use std::io::Read;

/// The data of one file or of several.
#[derive(Clone, Debug)]
pub struct Gathered {
    /// The rows of all files, in the order of the files.
    pub data: Dataset,
    /// The files.
    pub files: Vec<String>,
    /// The rows by the value of a column, if the request names one.
    pub slices: Option<Slices>,
}

/// Reads a CSV, Parquet or Arrow file, or the files of a pattern or of a directory; `-` is standard input.
pub fn read(path: &str, request: &ColumnRequest) -> Result<Dataset, ReadError> {
    Ok(read_all(&[path.to_owned()], request)?.data)
}

/// Reads files as one data set. A path is a file, a pattern such as `parts/*.parquet`, a directory of data files, or `-`, standard input.
/// The files have the same columns, in any order.
pub fn read_all(paths: &[String], request: &ColumnRequest) -> Result<Gathered, ReadError> {
    let files = paths::expand(paths)?;
    let mut destination = Destination::default();
    for file in &files {
        read_file(file, request, &mut destination)?;
    }
    let (data, slices) = finish(&paths::describe(&files), destination, request)?;
    Ok(Gathered { data, files, slices })
}

/// Sorted rows, evaluated while they were read.
#[derive(Clone, Debug)]
pub struct ReadSorted {
    /// The names, the number of rows and the totals. There is one group with all weights; its score means nothing.
    pub data: Dataset,
    /// The files.
    pub files: Vec<String>,
    /// All metrics and expected losses.
    pub evaluation: Result<Evaluation, BadScore>,
    /// The mean number of rows for each different score.
    pub rows_per_score: f64,
}

/// Reads rows that are sorted by their only score column, in ascending or descending order, and evaluates them in one pass; several files are read one
/// after the other. Memory does not grow with the number of rows.
pub fn read_sorted(paths: &[String], request: &ColumnRequest, rows: SortedRows) -> Result<ReadSorted, ReadError> {
    let files = paths::expand(paths)?;
    let mut destination = Destination { collector: None, sorted: Some(rows) };
    for file in &files {
        read_file(file, request, &mut destination)?;
    }
    let name = paths::describe(&files);
    let finished = destination.collector.ok_or(Cause::NoRows).and_then(|rows| rows.finish_sorted(&name, request));
    let (data, rows_per_score, evaluation) = finished.map_err(|cause| ReadError::of_file(&name, cause))?;
    Ok(ReadSorted { data, files, evaluation, rows_per_score })
}

/// Adds the rows of a file to a destination.
fn read_file(file: &str, request: &ColumnRequest, destination: &mut Destination) -> Result<(), ReadError> {
    match source::open(file).map_err(|cause| ReadError::of_file(file, cause))? {
        #[cfg(feature = "parquet")]
        OpenedFile::Parquet(input) => parquet::read(file, input, request, destination),
        #[cfg(feature = "parquet")]
        OpenedFile::ParquetBytes(input) => parquet::read(file, input, request, destination),
        #[cfg(feature = "parquet")]
        OpenedFile::ArrowStream(input) => arrow::read_stream(file, input, request, destination),
        #[cfg(feature = "parquet")]
        OpenedFile::ArrowFile(input) => arrow::read_file(file, input, request, destination),
        #[cfg(feature = "parquet")]
        OpenedFile::ArrowBytes(input) => arrow::read_file(file, std::io::Cursor::new(input), request, destination),
        OpenedFile::Text(input) => {
            let default = if source::has_tabs(file) { b'\t' } else { b',' };
            text::read(file, input, request.delimiter.unwrap_or(default), request, destination)
        }
    }
}

/// The data that were collected; messages call them `name`.
fn finish(
    name: &str,
    destination: Destination,
    request: &ColumnRequest,
) -> Result<(Dataset, Option<Slices>), ReadError> {
    let data = destination.collector.ok_or(Cause::NoRows).and_then(|collector| collector.finish(name, request));
    data.map_err(|cause| ReadError::of_file(name, cause))
}

/// Reads CSV from any reader; messages call it `name`.
///
/// ```
/// use rocproof_scored::read::{ColumnRequest, read_csv};
/// use rocproof_engine::{Cost, Thresholds};
/// let text = "p,y\n0.1,ham\n0.4,ham\n0.35,spam\n0.8,spam\n";
/// let said = |label: &str| Some(label.to_owned());
/// let request = ColumnRequest {
///     scores: vec!["p".into()], label: said("y"), positive: said("spam"), higher_means: said("spam"), ..ColumnRequest::default()
/// };
/// let data = read_csv("mail.csv", text.as_bytes(), &request)?;
/// assert_eq!((data.rows, data.totals()), (4, [2.0, 2.0]));
/// let evaluation = data.evaluate_column(0, &[], &Cost::uniform(), &Thresholds::default()).unwrap();
/// assert_eq!(evaluation.metric("AUC").unwrap().estimate().unwrap().value, 0.75);
/// # Ok::<(), rocproof_scored::read::ReadError>(())
/// ```
pub fn read_csv(name: &str, input: impl Read, request: &ColumnRequest) -> Result<Dataset, ReadError> {
    let mut destination = Destination::default();
    text::read(name, input, request.delimiter.unwrap_or(b','), request, &mut destination)?;
    Ok(finish(name, destination, request)?.0)
}
