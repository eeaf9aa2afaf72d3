//! CSV: cells separated by a delimiter, quoted with `"` if they hold a delimiter, a line break or a quotation mark.
//!
//! The first line names the columns. White space around cells and blank lines are ignored; there are no comments.

use super::collector::{CellValue, Destination, RowCollector};
use super::error::{Cause, FilePosition, ReadError, Role};
use super::lines::Lines;
use super::request::{ColumnIndices, ColumnRequest};
use csv::{ByteRecord, ErrorKind, Position, ReaderBuilder};
use std::io::Read;

/// Bytes of the read buffer.
const BUFFER: usize = 1 << 16;

/// Reads CSV and adds its rows to a destination; messages call it `file`.
pub(super) fn read(
    file: &str,
    input: impl Read,
    delimiter: u8,
    request: &ColumnRequest,
    destination: &mut Destination,
) -> Result<(), ReadError> {
    let fail = |position: FilePosition, cause: Cause| ReadError { file: file.to_owned(), position, cause };
    let fail_whole = |cause: Cause| fail(FilePosition::default(), cause);
    let mut reader = ReaderBuilder::new().delimiter(delimiter).buffer_capacity(BUFFER).from_reader(Lines::new(input));
    let header = reader.byte_headers().map_err(|error| fail_whole(csv_cause(error)))?.clone();
    let names = header
        .iter()
        .map(|name| std::str::from_utf8(name).map(|name| name.trim().to_owned()))
        .collect::<Result<Vec<String>, _>>()
        .map_err(|_| fail(FilePosition { line: Some(1), ..FilePosition::default() }, Cause::NotUtf8))?;
    if reader.get_ref().last_byte.is_none() {
        return Err(fail_whole(Cause::Empty));
    }
    let columns = ColumnIndices::find(&names, request).map_err(fail_whole)?;
    let requested = columns.all();
    let first_count = columns.scores.len();
    let collector = RowCollector::for_file(destination, &columns, &names).map_err(fail_whole)?;
    let mut record = ByteRecord::new();
    let mut row = 0;
    // An unclosed quotation mark swallows the rest of the file, line breaks included. The position of the last row, if its last cell
    // holds a line break.
    let mut multiline_end = None;
    loop {
        row += 1;
        let more = reader.read_byte_record(&mut record).map_err(|error| {
            let line = line_of(error.position(), reader.get_ref());
            fail(FilePosition { row: Some(row), line, column: None }, csv_cause(error))
        })?;
        if !more {
            break;
        }
        for (k, (index, role)) in requested.iter().enumerate() {
            let cell = record.get(*index).unwrap_or_default().trim_ascii();
            let pushed = match role {
                Role::Score | Role::BinEnd => {
                    parse_number(*role, cell).and_then(|score| collector.push_score(k, *role, score))
                }
                Role::Label => collector.push_label(CellValue::Text(cell)),
                Role::Weight => parse_number(*role, cell).and_then(|weight| collector.push_weight(weight)),
                Role::Count => parse_number(*role, cell).and_then(|count| collector.push_count(k - first_count, count)),
                Role::Slice => collector.push_slice(Some(CellValue::Text(cell))),
            };
            pushed.map_err(|cause| {
                let line = line_of(record.position(), reader.get_ref());
                fail(FilePosition { row: Some(row), line, column: Some(names[*index].clone()) }, cause)
            })?;
        }
        collector.end_rows(1).map_err(|(_, cause)| {
            let line = line_of(record.position(), reader.get_ref());
            fail(FilePosition { row: Some(row), line, column: Some(names[columns.scores[0]].clone()) }, cause)
        })?;
        let last = record.get(record.len().saturating_sub(1));
        multiline_end = last.is_some_and(|cell| cell.contains(&b'\n')).then(|| record.position().cloned());
    }
    if let (Some(position), true) = (multiline_end, reader.get_ref().last_byte != Some(b'"')) {
        let line = line_of(position.as_ref(), reader.get_ref());
        return Err(fail(FilePosition { row: Some(row - 1), line, column: names.last().cloned() }, Cause::OpenQuote));
    }
    Ok(())
}

/// The line in which a row starts.
fn line_of<R>(position: Option<&Position>, lines: &Lines<R>) -> Option<u64> {
    position.and_then(|position| lines.line(position.byte()))
}

/// A cell as a number.
fn parse_number(role: Role, cell: &[u8]) -> Result<f64, Cause> {
    if cell.is_empty() {
        return Err(Cause::Missing(role));
    }
    let parsed = std::str::from_utf8(cell).ok().and_then(|text| text.parse().ok());
    parsed.ok_or_else(|| Cause::NotANumber(role, String::from_utf8_lossy(cell).into_owned()))
}

/// An error of the CSV reader in our words.
fn csv_cause(error: csv::Error) -> Cause {
    match error.kind() {
        ErrorKind::UnequalLengths { expected_len, len, .. } => Cause::Ragged { expected: *expected_len, found: *len },
        ErrorKind::Io(error) => Cause::Io(error.to_string()),
        _ => Cause::Io(error.to_string()),
    }
}
