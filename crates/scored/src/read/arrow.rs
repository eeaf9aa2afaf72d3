//! Arrow: record batches of a stream or a file (IPC).

use super::collector::{CellValue, Destination, RowCollector};
use super::error::{Cause, FilePosition, ReadError, Role};
use super::panics::catch;
use super::parquet::{as_number, decimal};
use super::request::{ColumnIndices, ColumnRequest};
use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Decimal128Type, Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type,
    Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, RecordBatch};
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_schema::{ArrowError, DataType, Schema};
use std::io::{BufReader, Read, Seek};

/// Reads an Arrow stream and adds its rows to a destination; messages call it `file`.
pub(super) fn read_stream(
    file: &str,
    input: impl Read,
    request: &ColumnRequest,
    destination: &mut Destination,
) -> Result<(), ReadError> {
    guarded(file, || {
        let batches = StreamReader::try_new(BufReader::new(input), None).map_err(|error| broken(file, error))?;
        read_batches(file, &batches.schema(), batches, request, destination)
    })
}

/// Reads an Arrow file and adds its rows to a destination; messages call it `file`.
pub(super) fn read_file(
    file: &str,
    input: impl Read + Seek,
    request: &ColumnRequest,
    destination: &mut Destination,
) -> Result<(), ReadError> {
    guarded(file, || {
        let batches = FileReader::try_new(BufReader::new(input), None).map_err(|error| broken(file, error))?;
        read_batches(file, &batches.schema(), batches, request, destination)
    })
}

/// The result of `work`. The reader may panic if data contradict themselves.
fn guarded(file: &str, work: impl FnOnce() -> Result<(), ReadError>) -> Result<(), ReadError> {
    let damaged = || ReadError::of_file(file, Cause::Arrow("its batches contradict its metadata".into()));
    catch(work).unwrap_or_else(|| Err(damaged()))
}

/// An error of the Arrow reader in our words.
fn broken(file: &str, error: ArrowError) -> ReadError {
    ReadError::of_file(file, Cause::Arrow(error.to_string()))
}

/// Adds the rows of record batches.
fn read_batches(
    file: &str,
    schema: &Schema,
    batches: impl Iterator<Item = Result<RecordBatch, ArrowError>>,
    request: &ColumnRequest,
    destination: &mut Destination,
) -> Result<(), ReadError> {
    let names: Vec<String> = schema.fields().iter().map(|field| field.name().clone()).collect();
    let columns = ColumnIndices::find(&names, request).map_err(|cause| ReadError::of_file(file, cause))?;
    let requested = columns.all();
    let first_count = columns.scores.len();
    let collector =
        RowCollector::for_file(destination, &columns, &names).map_err(|cause| ReadError::of_file(file, cause))?;
    let fail = |index: usize, row: Option<usize>, cause: Cause| ReadError {
        file: file.to_owned(),
        position: FilePosition { row: row.map(|row| row as u64 + 1), line: None, column: Some(names[index].clone()) },
        cause,
    };
    for (index, role) in &requested {
        let found = schema.field(*index).data_type();
        if !fits(found, *role) {
            return Err(fail(*index, None, Cause::Type(*role, found.to_string())));
        }
    }
    let mut rows_before = 0;
    for batch in batches {
        let batch = batch.map_err(|error| broken(file, error))?;
        for (k, (index, role)) in requested.iter().enumerate() {
            let visited = visit_cells(batch.column(*index).as_ref(), &mut |cell| match (role, cell) {
                (Role::Slice, cell) => collector.push_slice(cell),
                (_, None) => Err(Cause::Missing(*role)),
                (Role::Score | Role::BinEnd, Some(cell)) => collector.push_score(k, *role, as_number(*role, cell)?),
                (Role::Label, Some(cell)) => collector.push_label(cell),
                (Role::Weight, Some(cell)) => collector.push_weight(as_number(*role, cell)?),
                (Role::Count, Some(cell)) => collector.push_count(k - first_count, as_number(*role, cell)?),
            });
            visited.map_err(|(row, cause)| fail(*index, Some(rows_before + row), cause))?;
        }
        let ended = collector.end_rows(batch.num_rows());
        ended.map_err(|(row, cause)| fail(columns.scores[0], Some(rows_before + row), cause))?;
        rows_before += batch.num_rows();
    }
    Ok(())
}

/// Whether a column of this type can have a role: only labels and groups may be texts or truth values.
fn fits(found: &DataType, role: Role) -> bool {
    use DataType as D;
    match found {
        D::Boolean | D::Utf8 | D::LargeUtf8 | D::Utf8View => matches!(role, Role::Label | Role::Slice),
        D::Dictionary(_, values) => fits(values, role),
        D::Float16 | D::Float32 | D::Float64 | D::Decimal128(..) => true,
        other => other.is_integer(),
    }
}

/// Visits the cells of a column, `None` for nulls; an error comes with its row.
fn visit_cells(
    column: &dyn Array,
    visit: &mut dyn FnMut(Option<CellValue>) -> Result<(), Cause>,
) -> Result<(), (usize, Cause)> {
    use DataType as D;
    let whole = |value: i128| CellValue::Whole(value);
    match column.data_type() {
        D::Float64 => visit_numbers::<Float64Type>(column, CellValue::Number, visit),
        D::Float32 => visit_numbers::<Float32Type>(column, |v| CellValue::Number(f64::from(v)), visit),
        D::Float16 => visit_numbers::<Float16Type>(column, |v| CellValue::Number(v.to_f64()), visit),
        D::Int8 => visit_numbers::<Int8Type>(column, |v| whole(v.into()), visit),
        D::Int16 => visit_numbers::<Int16Type>(column, |v| whole(v.into()), visit),
        D::Int32 => visit_numbers::<Int32Type>(column, |v| whole(v.into()), visit),
        D::Int64 => visit_numbers::<Int64Type>(column, |v| whole(v.into()), visit),
        D::UInt8 => visit_numbers::<UInt8Type>(column, |v| whole(v.into()), visit),
        D::UInt16 => visit_numbers::<UInt16Type>(column, |v| whole(v.into()), visit),
        D::UInt32 => visit_numbers::<UInt32Type>(column, |v| whole(v.into()), visit),
        D::UInt64 => visit_numbers::<UInt64Type>(column, |v| whole(v.into()), visit),
        D::Decimal128(_, scale) => {
            let scale = i32::from(*scale);
            visit_numbers::<Decimal128Type>(column, |v| CellValue::Number(decimal(v, scale)), visit)
        }
        D::Boolean => visit_all(column.as_boolean().iter().map(|v| v.map(CellValue::Truth)), visit),
        D::Utf8 => visit_all(column.as_string::<i32>().iter().map(text), visit),
        D::LargeUtf8 => visit_all(column.as_string::<i64>().iter().map(text), visit),
        D::Utf8View => visit_all(column.as_string_view().iter().map(text), visit),
        D::Dictionary(..) => visit_dictionary(column, visit),
        other => Err((0, Cause::Arrow(format!("a column changes its type to {other}")))),
    }
}

/// A text as a cell.
fn text(text: Option<&str>) -> Option<CellValue<'_>> {
    text.map(|text| CellValue::Text(text.as_bytes()))
}

/// Visits the cells of a column of numbers.
fn visit_numbers<T: ArrowPrimitiveType>(
    column: &dyn Array,
    cell: impl Fn(T::Native) -> CellValue<'static>,
    visit: &mut dyn FnMut(Option<CellValue>) -> Result<(), Cause>,
) -> Result<(), (usize, Cause)> {
    visit_all(column.as_primitive::<T>().iter().map(|value| value.map(&cell)), visit)
}

/// Visits cells; an error comes with its row.
fn visit_all<'a>(
    cells: impl Iterator<Item = Option<CellValue<'a>>>,
    visit: &mut dyn FnMut(Option<CellValue>) -> Result<(), Cause>,
) -> Result<(), (usize, Cause)> {
    for (row, cell) in cells.enumerate() {
        visit(cell).map_err(|cause| (row, cause))?;
    }
    Ok(())
}

/// Visits the cells of a column that refers to a list of values.
fn visit_dictionary(
    column: &dyn Array,
    visit: &mut dyn FnMut(Option<CellValue>) -> Result<(), Cause>,
) -> Result<(), (usize, Cause)> {
    let dictionary = column.as_any_dictionary();
    // The values, as far as they can be named; nulls among them stay nulls.
    let mut values: Vec<Option<OwnedCell>> = Vec::with_capacity(dictionary.values().len());
    visit_cells(dictionary.values().as_ref(), &mut |cell| {
        values.push(cell.map(OwnedCell::new));
        Ok(())
    })?;
    let keys = dictionary.normalized_keys();
    let cells = keys.iter().enumerate().map(|(row, key)| match column.is_null(row) {
        true => None,
        false => values.get(*key).and_then(|value| value.as_ref().map(OwnedCell::cell)),
    });
    visit_all(cells, visit)
}

/// A cell that owns its text.
enum OwnedCell {
    Text(Box<[u8]>),
    Truth(bool),
    Whole(i128),
    Number(f64),
}

impl OwnedCell {
    /// The same cell, with a text of its own.
    fn new(cell: CellValue) -> OwnedCell {
        match cell {
            CellValue::Text(text) => OwnedCell::Text(text.into()),
            CellValue::Truth(truth) => OwnedCell::Truth(truth),
            CellValue::Whole(whole) => OwnedCell::Whole(whole),
            CellValue::Number(number) => OwnedCell::Number(number),
        }
    }

    /// The cell.
    fn cell(&self) -> CellValue<'_> {
        match self {
            OwnedCell::Text(text) => CellValue::Text(text),
            OwnedCell::Truth(truth) => CellValue::Truth(*truth),
            OwnedCell::Whole(whole) => CellValue::Whole(*whole),
            OwnedCell::Number(number) => CellValue::Number(*number),
        }
    }
}
