//! CSV: cells between commas, quoted with `"` where they hold a comma, a line break or a quotation mark.
//!
//! The first line names the columns. White space around cells does not count, blank lines neither; there are no comments.

use super::dataset::Dataset;
use super::error::{Cause, FilePosition, ReadError, Role};
use super::gather::{CellValue, RowCollector};
use super::lines::Lines;
use super::request::{ColumnIndices, Request};
use csv::{ByteRecord, ErrorKind, Position, ReaderBuilder};
use std::io::Read;

/// How much text is read at once.
const BUFFER: usize = 1 << 16;

/// Reads CSV; `file` is what messages call it.
pub(super) fn read(file: &str, input: impl Read, delimiter: u8, request: &Request) -> Result<Dataset, ReadError> {
    let fail = |place: FilePosition, cause: Cause| ReadError { file: file.to_owned(), place, cause };
    let whole = |cause: Cause| fail(FilePosition::default(), cause);
    let mut reader = ReaderBuilder::new().delimiter(delimiter).buffer_capacity(BUFFER).from_reader(Lines::new(input));
    let header = reader.byte_headers().map_err(|error| whole(cause_of(error)))?.clone();
    let names = header
        .iter()
        .map(|name| std::str::from_utf8(name).map(|name| name.trim().to_owned()))
        .collect::<Result<Vec<String>, _>>()
        .map_err(|_| fail(FilePosition { line: Some(1), ..FilePosition::default() }, Cause::NotUtf8))?;
    if reader.get_ref().last.is_none() {
        return Err(whole(Cause::Empty));
    }
    let columns = ColumnIndices::find(&names, request).map_err(whole)?;
    let asked = columns.all();
    let first_count = columns.scores.len();
    let mut collector = RowCollector::new(&columns, &names);
    let mut record = ByteRecord::new();
    let mut row = 0;
    // A quotation mark that is not closed takes in all that follows: where the last row is, if it has a line break at its end.
    let mut spilled = None;
    loop {
        row += 1;
        let more = reader.read_byte_record(&mut record).map_err(|error| {
            let line = line_of(error.position(), reader.get_ref());
            fail(FilePosition { row: Some(row), line, column: None }, cause_of(error))
        })?;
        if !more {
            break;
        }
        for (k, (index, role)) in asked.iter().enumerate() {
            let cell = record.get(*index).unwrap_or_default().trim_ascii();
            let kept = match role {
                Role::Score => number(*role, cell).and_then(|score| collector.score(k, score)),
                Role::Label => collector.label(CellValue::Text(cell)),
                Role::Weight => number(*role, cell).and_then(|weight| collector.weight(weight)),
                Role::Count => number(*role, cell).and_then(|count| collector.count(k - first_count, count)),
            };
            kept.map_err(|cause| {
                let line = line_of(record.position(), reader.get_ref());
                fail(FilePosition { row: Some(row), line, column: Some(names[*index].clone()) }, cause)
            })?;
        }
        collector.rows_done(1);
        let last = record.get(record.len().saturating_sub(1));
        spilled = last.is_some_and(|cell| cell.contains(&b'\n')).then(|| record.position().cloned());
    }
    if let (Some(position), true) = (spilled, reader.get_ref().last != Some(b'"')) {
        let line = line_of(position.as_ref(), reader.get_ref());
        return Err(fail(FilePosition { row: Some(row - 1), line, column: names.last().cloned() }, Cause::OpenQuote));
    }
    collector.finish(file, &names, &columns, request).map_err(whole)
}

/// The line in which a row starts.
fn line_of<R>(position: Option<&Position>, lines: &Lines<R>) -> Option<u64> {
    position.and_then(|position| lines.line(position.byte()))
}

fn number(role: Role, cell: &[u8]) -> Result<f64, Cause> {
    if cell.is_empty() {
        return Err(Cause::Missing(role));
    }
    let parsed = std::str::from_utf8(cell).ok().and_then(|text| text.parse().ok());
    parsed.ok_or_else(|| Cause::NotANumber(role, String::from_utf8_lossy(cell).into_owned()))
}

fn cause_of(error: csv::Error) -> Cause {
    match error.kind() {
        ErrorKind::UnequalLengths { expected_len, len, .. } => Cause::Ragged { expected: *expected_len, found: *len },
        ErrorKind::Io(error) => Cause::Io(error.to_string()),
        _ => Cause::Io(error.to_string()),
    }
}
