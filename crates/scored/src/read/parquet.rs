//! Parquet: columns of one type each, read in batches.

use super::collector::{CellValue, Destination, RowCollector};
use super::error::{Cause, FilePosition, ReadError, Role};
use super::panics::catch;
use super::request::{ColumnIndices, ColumnRequest};
use half::f16;
use parquet::basic::{Compression, ConvertedType, LogicalType, Type};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{AsBytes, DataType};
use parquet::errors::ParquetError;
use parquet::file::reader::{ChunkReader, FileReader, RowGroupReader, SerializedFileReader};
use parquet::schema::types::ColumnDescriptor;

/// Rows in a batch.
const BATCH: usize = 8192;

/// The meaning of the values of a column.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ValueType {
    Truth,
    Whole,
    /// A whole number without a sign.
    Unsigned,
    Float,
    Half,
    /// A whole number over a power of ten.
    Decimal(i32),
    Text,
}

impl ValueType {
    /// The type of a column; `None` if it cannot be read.
    fn of(column: &ColumnDescriptor) -> Option<ValueType> {
        use ConvertedType as C;
        let logical = column.logical_type_ref();
        // Times are stored as whole numbers, but are not numbers.
        if !matches!(
            logical,
            None | Some(
                LogicalType::Integer(_)
                    | LogicalType::Decimal(_)
                    | LogicalType::Float16
                    | LogicalType::String
                    | LogicalType::Enum
            )
        ) || column.max_rep_level() > 0
        {
            return None;
        }
        Some(match (column.physical_type(), column.converted_type()) {
            (Type::BOOLEAN, _) => ValueType::Truth,
            (Type::FLOAT | Type::DOUBLE, _) => ValueType::Float,
            (Type::FIXED_LEN_BYTE_ARRAY, _) if logical == Some(&LogicalType::Float16) => ValueType::Half,
            (Type::INT32 | Type::INT64 | Type::BYTE_ARRAY | Type::FIXED_LEN_BYTE_ARRAY, C::DECIMAL) => {
                ValueType::Decimal(column.type_scale())
            }
            (Type::INT32 | Type::INT64, C::NONE | C::INT_8 | C::INT_16 | C::INT_32 | C::INT_64) => ValueType::Whole,
            (Type::INT32 | Type::INT64, C::UINT_8 | C::UINT_16 | C::UINT_32 | C::UINT_64) => ValueType::Unsigned,
            (Type::BYTE_ARRAY, C::NONE | C::UTF8 | C::ENUM) => ValueType::Text,
            _ => return None,
        })
    }

    /// Whether a column of this type can have a role: only labels and groups may be texts or truth values.
    fn fits(self, role: Role) -> bool {
        match self {
            ValueType::Truth | ValueType::Text => matches!(role, Role::Label | Role::Slice),
            _ => true,
        }
    }
}

/// The type of a column for messages.
fn type_name(column: &ColumnDescriptor) -> String {
    if column.max_rep_level() > 0 {
        return "list".into();
    }
    let physical = column.physical_type();
    match (column.logical_type_ref(), column.converted_type()) {
        (Some(LogicalType::String), _) | (None, ConvertedType::UTF8) => "text".into(),
        (Some(LogicalType::Timestamp(_)), _) => "timestamp".into(),
        (Some(LogicalType::Time(_)), _) => "time".into(),
        (Some(LogicalType::Date), _) => "date".into(),
        (Some(LogicalType::Unknown), _) => "null".into(),
        (Some(LogicalType::Uuid), _) => "UUID".into(),
        (_, ConvertedType::NONE) => physical.to_string(),
        (_, converted) => format!("{physical} ({converted})"),
    }
}

/// Reads Parquet and adds its rows to a destination; messages call it `file`.
pub(super) fn read<R: ChunkReader + 'static>(
    file: &str,
    input: R,
    request: &ColumnRequest,
    destination: &mut Destination,
) -> Result<(), ReadError> {
    // The page reader may panic if a file contradicts itself.
    catch(|| read_columns(file, input, request, destination))
        .unwrap_or_else(|| Err(ReadError::of_file(file, Cause::Parquet("its pages contradict its metadata".into()))))
}

/// Reads the requested columns. May panic on damaged files.
fn read_columns<R: ChunkReader + 'static>(
    file: &str,
    input: R,
    request: &ColumnRequest,
    destination: &mut Destination,
) -> Result<(), ReadError> {
    let fail = |position: FilePosition, cause: Cause| ReadError { file: file.to_owned(), position, cause };
    let fail_whole = |cause: Cause| fail(FilePosition::default(), cause);
    let broken = |error: ParquetError| fail_whole(parquet_cause(error));
    let reader = SerializedFileReader::new(input).map_err(broken)?;
    let schema = reader.metadata().file_metadata().schema_descr_ptr();
    let names: Vec<String> = schema.columns().iter().map(|column| column.path().string()).collect();
    let columns = ColumnIndices::find(&names, request).map_err(fail_whole)?;
    let requested = columns.all();
    let first_count = columns.scores.len();
    let fail_in_column = |index: usize, row: Option<usize>, cause: Cause| {
        fail(FilePosition { row: row.map(|row| row as u64 + 1), line: None, column: Some(names[index].clone()) }, cause)
    };
    let value_type = |(index, role): &(usize, Role)| {
        let column = schema.column(*index);
        let found = ValueType::of(&column).filter(|value_type| value_type.fits(*role));
        found.ok_or_else(|| fail_in_column(*index, None, Cause::Type(*role, type_name(&column))))
    };
    let value_types = requested.iter().map(value_type).collect::<Result<Vec<_>, _>>()?;
    let collector = RowCollector::for_file(destination, &columns, &names).map_err(fail_whole)?;
    let mut rows_before = 0;
    for group in 0..reader.num_row_groups() {
        let group = reader.get_row_group(group).map_err(broken)?;
        let column_reader = |(index, _): &(usize, Role)| {
            open_column(&*group, *index).map_err(|cause| fail_in_column(*index, None, cause))
        };
        let mut readers = requested.iter().map(column_reader).collect::<Result<Vec<_>, _>>()?;
        let rows_after = rows_before + usize::try_from(group.metadata().num_rows()).unwrap_or(0);
        while rows_before < rows_after {
            let batch = BATCH.min(rows_after - rows_before);
            for (k, (reader, value_type)) in readers.iter_mut().zip(&value_types).enumerate() {
                let (index, role) = requested[k];
                let max_level = schema.column(index).max_def_level();
                let visited = visit_cells(reader, *value_type, max_level, batch, |cell| match (role, cell) {
                    (Role::Slice, cell) => collector.push_slice(cell),
                    (_, None) => Err(Cause::Missing(role)),
                    (Role::Score | Role::BinEnd, Some(cell)) => collector.push_score(k, role, as_number(role, cell)?),
                    (Role::Label, Some(cell)) => collector.push_label(cell),
                    (Role::Weight, Some(cell)) => collector.push_weight(as_number(role, cell)?),
                    (Role::Count, Some(cell)) => collector.push_count(k - first_count, as_number(role, cell)?),
                });
                visited.map_err(|error| match error {
                    BatchError::At(row, cause) => fail_in_column(index, Some(rows_before + row), cause),
                    BatchError::Broken(cause) => fail_in_column(index, None, cause),
                })?;
            }
            let ended = collector.end_rows(batch);
            ended.map_err(|(row, cause)| fail_in_column(columns.scores[0], Some(rows_before + row), cause))?;
            rows_before += batch;
        }
    }
    Ok(())
}

/// Opens a column of a row group.
fn open_column(group: &dyn RowGroupReader, index: usize) -> Result<ColumnReader, Cause> {
    match group.metadata().column(index).compression() {
        Compression::BROTLI(_) => Err(Cause::Compression("brotli")),
        Compression::LZO => Err(Cause::Compression("LZO")),
        _ => group.get_column_reader(index).map_err(parquet_cause),
    }
}

/// A cell as a number.
pub(super) fn as_number(role: Role, cell: CellValue) -> Result<f64, Cause> {
    match cell {
        CellValue::Number(number) => Ok(number),
        CellValue::Whole(whole) => Ok(whole as f64),
        CellValue::Truth(truth) => Err(Cause::NotANumber(role, truth.to_string())),
        CellValue::Text(text) => Err(Cause::NotANumber(role, String::from_utf8_lossy(text).into_owned())),
    }
}

/// An error in a batch. Rows are counted from the start of the batch.
enum BatchError {
    /// A value is refused.
    At(usize, Cause),
    /// The column cannot be read.
    Broken(Cause),
}

/// Visits the next `batch` values of a column, `None` for those that are null: their definition level is below `max_level`.
fn visit_cells(
    reader: &mut ColumnReader,
    value_type: ValueType,
    max_level: i16,
    batch: usize,
    mut visit: impl FnMut(Option<CellValue>) -> Result<(), Cause>,
) -> Result<(), BatchError> {
    use ColumnReader as R;
    let visit = &mut visit;
    let whole = |value: i128| match value_type {
        ValueType::Decimal(scale) => CellValue::Number(decimal(value, scale)),
        _ => CellValue::Whole(value),
    };
    let unsigned = value_type == ValueType::Unsigned;
    let int32 = |v: &i32| whole(if unsigned { i128::from(*v as u32) } else { i128::from(*v) });
    let int64 = |v: &i64| whole(if unsigned { i128::from(*v as u64) } else { i128::from(*v) });
    match reader {
        R::BoolColumnReader(r) => visit_values(r, max_level, batch, |v| visit(v.map(|v| CellValue::Truth(*v)))),
        R::Int32ColumnReader(r) => visit_values(r, max_level, batch, |v| visit(v.map(int32))),
        R::Int64ColumnReader(r) => visit_values(r, max_level, batch, |v| visit(v.map(int64))),
        R::FloatColumnReader(r) => {
            visit_values(r, max_level, batch, |v| visit(v.map(|v| CellValue::Number(f64::from(*v)))))
        }
        R::DoubleColumnReader(r) => visit_values(r, max_level, batch, |v| visit(v.map(|v| CellValue::Number(*v)))),
        R::ByteArrayColumnReader(r) => {
            visit_values(r, max_level, batch, |v| visit(v.map(|v| bytes_value(value_type, v.as_bytes())).transpose()?))
        }
        R::FixedLenByteArrayColumnReader(r) => {
            visit_values(r, max_level, batch, |v| visit(v.map(|v| bytes_value(value_type, v.as_bytes())).transpose()?))
        }
        R::Int96ColumnReader(_) => Err(BatchError::Broken(Cause::Parquet("a column changes its type".into()))),
    }
}

/// The value that bytes stand for.
fn bytes_value(value_type: ValueType, bytes: &[u8]) -> Result<CellValue<'_>, Cause> {
    Ok(match (value_type, bytes) {
        (ValueType::Half, [low, high]) => CellValue::Number(f16::from_le_bytes([*low, *high]).to_f64()),
        (ValueType::Decimal(scale), _) => CellValue::Number(decimal(big_endian(bytes)?, scale)),
        _ => CellValue::Text(bytes),
    })
}

/// Reads a batch of values and visits them, nulls among them.
fn visit_values<T: DataType>(
    reader: &mut ColumnReaderImpl<T>,
    max_level: i16,
    batch: usize,
    mut visit: impl FnMut(Option<&T::T>) -> Result<(), Cause>,
) -> Result<(), BatchError> {
    let (mut levels, mut values) = (Vec::new(), Vec::with_capacity(batch));
    let mut read = 0;
    while read < batch {
        let more = reader.read_records(batch - read, Some(&mut levels), None, &mut values);
        let (records, ..) = more.map_err(|error| BatchError::Broken(parquet_cause(error)))?;
        if records == 0 {
            return Err(BatchError::Broken(Cause::Parquet("a column ends before its last row".into())));
        }
        read += records;
    }
    let mut values = values.iter();
    for row in 0..batch {
        // Columns that cannot be null have no levels.
        let is_null = levels.get(row).is_some_and(|level| *level < max_level);
        let value = if is_null { None } else { values.next() };
        visit(value).map_err(|cause| BatchError::At(row, cause))?;
    }
    Ok(())
}

/// The float nearest to `unscaled / 10^scale`.
pub(super) fn decimal(unscaled: i128, scale: i32) -> f64 {
    const EXACT: u128 = 1 << 53;
    // Numerator and denominator are exact floats, so the quotient is rounded once.
    if unscaled.unsigned_abs() <= EXACT && (0..=22).contains(&scale) {
        return unscaled as f64 / 10f64.powi(scale);
    }
    // Digits with an exponent always parse.
    format!("{unscaled}e{}", -i64::from(scale)).parse().unwrap_or(f64::NAN)
}

/// The whole number that bytes in two's complement stand for, the highest byte first.
fn big_endian(bytes: &[u8]) -> Result<i128, Cause> {
    let sign = if bytes.first().is_some_and(|byte| *byte >= 0x80) { 0xff } else { 0 };
    let mut all = [sign; 16];
    let (spare, used) = bytes.split_at(bytes.len().saturating_sub(16));
    all[16 - used.len()..].copy_from_slice(used);
    let value = i128::from_be_bytes(all);
    match spare.iter().all(|byte| *byte == sign) && (value < 0) == (sign != 0) {
        true => Ok(value),
        false => Err(Cause::Parquet("a decimal has more than 38 digits".into())),
    }
}

/// An error of the Parquet reader, without the prefixes of its messages.
fn parquet_cause(error: ParquetError) -> Cause {
    let text = error.to_string();
    let text = ["Parquet error: ", "EOF: ", "External: "]
        .iter()
        .fold(&text[..], |t, prefix| t.strip_prefix(prefix).unwrap_or(t));
    Cause::Parquet(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_the_nearest_floats() {
        assert_eq!(decimal(-125, 2), -1.25);
        assert_eq!(decimal(1, 22), 1e-22);
        // Too many digits for a quotient of two floats.
        assert_eq!(decimal(100_000_000_000_000_000_555, 21), 0.1);
        assert_eq!(decimal(9_007_199_254_740_993, 1), 900719925474099.3);
        assert_eq!(decimal(3, -2), 300.0);
    }

    #[test]
    fn whole_numbers_come_in_any_length() {
        assert_eq!(big_endian(&[]), Ok(0));
        assert_eq!(big_endian(&[0xff]), Ok(-1));
        assert_eq!(big_endian(&[0x01, 0x00]), Ok(256));
        let wide = |first: u8, rest: u8| [[first; 4].to_vec(), [rest; 16].to_vec()].concat();
        assert_eq!(big_endian(&wide(0xff, 0xff)), Ok(-1));
        assert_eq!(big_endian(&wide(0x00, 0x11)), Ok(0x1111_1111_1111_1111_1111_1111_1111_1111));
        assert!(big_endian(&wide(0x01, 0x11)).is_err());
        // The sign would change.
        assert!(big_endian(&wide(0x00, 0xff)).is_err());
    }
}
