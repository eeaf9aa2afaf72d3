//! Scored data from files: CSV and Parquet.
//!
//! | file | what it does |
//! | --- | --- |
//! | `request` | the requested columns, and where they are |
//! | `source` | opens files and recognises their format |
//! | `text`, `parquet` | cells, row by row or batch by batch |
//! | `lines` | line numbers for error messages |
//! | `label` | equality of labels, and the class of each |
//! | `collector` | collects rows as numbers; counts them if there are many ties |
//! | `dataset` | the data of a file, and their evaluation |
//! | `paired` | the score columns of a file as models of the same rows |
//! | `panics` | panics that become errors |
//! | `error` | what is wrong, where, and what would be right |

mod collector;
mod dataset;
mod error;
mod label;
mod lines;
mod paired;
mod panics;
#[cfg(feature = "parquet")]
mod parquet;
mod request;
mod source;
mod text;

pub use dataset::{ClassColumns, Content, Dataset, on_input_scale};
pub use error::{Cause, FilePosition, LabelRole, ReadError, Role, excerpt};
pub use label::Classes;
pub use paired::NotPaired;
pub use panics::is_catching_panics;
pub use request::ColumnRequest;

use source::OpenedFile;
use std::io::Read;

/// Reads a CSV or Parquet file; `-` is CSV from standard input.
pub fn read(file: &str, request: &ColumnRequest) -> Result<Dataset, ReadError> {
    let failed = |cause| ReadError { file: file.to_owned(), position: FilePosition::default(), cause };
    let source = source::open(file).map_err(failed)?;
    match source {
        #[cfg(feature = "parquet")]
        OpenedFile::Parquet(input) => parquet::read(file, input, request),
        OpenedFile::Text(input) => {
            let default = if source::has_tabs(file) { b'\t' } else { b',' };
            text::read(file, input, request.delimiter.unwrap_or(default), request)
        }
    }
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
    text::read(name, input, request.delimiter.unwrap_or(b','), request)
}
