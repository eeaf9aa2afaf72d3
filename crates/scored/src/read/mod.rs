//! Scored data from files: CSV and Parquet.
//!
//! | file | what it does |
//! | --- | --- |
//! | `request` | which columns are asked for, and where they are |
//! | `source` | opens files and sees what they are |
//! | `text`, `parquet` | cells, row by row or batch by batch |
//! | `lines` | in which line of the text something is |
//! | `label` | when two labels are the same, and which class each is |
//! | `gather` | what is kept: numbers, and of very many ties their counts |
//! | `dataset` | what was read, what was decided, and its evaluation |
//! | `paired` | its score columns as models of the same rows |
//! | `error` | what is wrong, where, and what would be right |

mod dataset;
mod error;
mod gather;
mod label;
mod lines;
mod paired;
#[cfg(feature = "parquet")]
mod parquet;
mod request;
mod source;
mod text;

pub use dataset::{ClassColumns, Content, Dataset, on_input_scale};
pub use error::{Cause, FilePosition, ReadError, Role};
pub use label::{ClassLabel, Classes};
pub use paired::NotPaired;
pub use request::Request;

use source::OpenedFile;
use std::io::Read;

/// Reads a CSV or Parquet file; `-` is CSV from standard input.
pub fn read(file: &str, request: &Request) -> Result<Dataset, ReadError> {
    let source = source::open(file).map_err(|cause| ReadError {
        file: file.to_owned(),
        place: FilePosition::default(),
        cause,
    })?;
    match source {
        #[cfg(feature = "parquet")]
        OpenedFile::Parquet(input) => parquet::read(file, input, request),
        OpenedFile::Text(input) => {
            let usual = if source::has_tabs(file) { b'\t' } else { b',' };
            text::read(file, input, request.delimiter.unwrap_or(usual), request)
        }
    }
}

/// Reads CSV from anywhere; `name` is what messages call it.
///
/// ```
/// use rocproof_scored::read::{Request, read_csv};
/// use rocproof_engine::{Cost, Thresholds};
/// let text = "p,y\n0.1,ham\n0.4,ham\n0.35,spam\n0.8,spam\n";
/// let said = |label: &str| Some(label.to_owned());
/// let request = Request {
///     scores: vec!["p".into()], label: said("y"), positive: said("spam"), higher_means: said("spam"), ..Request::default()
/// };
/// let data = read_csv("mail.csv", text.as_bytes(), &request)?;
/// assert_eq!((data.rows, data.totals()), (4, [2.0, 2.0]));
/// let evaluation = data.evaluate(0, &[], &Cost::uniform(), &Thresholds::default()).unwrap();
/// assert_eq!(evaluation.metric("AUC").unwrap().estimate().unwrap().value, 0.75);
/// # Ok::<(), rocproof_scored::read::ReadError>(())
/// ```
pub fn read_csv(name: &str, input: impl Read, request: &Request) -> Result<Dataset, ReadError> {
    text::read(name, input, request.delimiter.unwrap_or(b','), request)
}
