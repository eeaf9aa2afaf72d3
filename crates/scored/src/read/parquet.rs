//! Parquet: columns of one type each, read in batches.

use super::dataset::Dataset;
use super::error::{Cause, FilePosition, ReadError, Role};
use super::gather::{CellValue, RowCollector};
use super::request::{ColumnIndices, Request};
use half::f16;
use parquet::basic::{Compression, ConvertedType, LogicalType, Type};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{AsBytes, DataType};
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::schema::types::ColumnDescriptor;
use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How many rows are read at once.
const BATCH: usize = 8192;

/// What the values of a column mean.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ValueType {
    Truth,
    Whole,
    /// Without a sign.
    Unsigned,
    Float,
    Half,
    /// A whole number over a power of ten.
    Decimal(i32),
    Text,
}

impl ValueType {
    fn of(column: &ColumnDescriptor) -> Option<ValueType> {
        use ConvertedType as C;
        let logical = column.logical_type_ref();
        // Times are whole numbers to the file, not to anyone else.
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

    fn serves(self, role: Role) -> bool {
        match self {
            ValueType::Truth | ValueType::Text => role == Role::Label,
            _ => true,
        }
    }
}

/// The type of a column in words.
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

/// Reads Parquet; `file` is what messages call it.
pub(super) fn read(file: &str, input: File, request: &Request) -> Result<Dataset, ReadError> {
    // Where a file contradicts itself the reader of its pages may panic.
    catch_unwind(AssertUnwindSafe(|| read_columns(file, input, request))).unwrap_or_else(|_| {
        let cause = Cause::Parquet("its pages are not what it says they are".into());
        Err(ReadError { file: file.to_owned(), place: FilePosition::default(), cause })
    })
}

fn read_columns(file: &str, input: File, request: &Request) -> Result<Dataset, ReadError> {
    let fail = |place: FilePosition, cause: Cause| ReadError { file: file.to_owned(), place, cause };
    let whole = |cause: Cause| fail(FilePosition::default(), cause);
    let broken = |error: ParquetError| whole(cause_of(error));
    let reader = SerializedFileReader::new(input).map_err(broken)?;
    let schema = reader.metadata().file_metadata().schema_descr_ptr();
    let names: Vec<String> = schema.columns().iter().map(|column| column.path().string()).collect();
    let columns = ColumnIndices::find(&names, request).map_err(whole)?;
    let asked = columns.all();
    let first_count = columns.scores.len();
    let in_column = |index: usize, row: Option<usize>, cause: Cause| {
        fail(FilePosition { row: row.map(|row| row as u64 + 1), line: None, column: Some(names[index].clone()) }, cause)
    };
    let mut kinds = Vec::with_capacity(asked.len());
    for (index, role) in &asked {
        let column = schema.column(*index);
        match ValueType::of(&column).filter(|kind| kind.serves(*role)) {
            Some(kind) => kinds.push(kind),
            None => return Err(in_column(*index, None, Cause::Type(*role, type_name(&column)))),
        }
    }
    let mut collector = RowCollector::new(&columns, &names);
    let mut rows_before = 0;
    for group in 0..reader.num_row_groups() {
        let group = reader.get_row_group(group).map_err(broken)?;
        let rows = usize::try_from(group.metadata().num_rows()).unwrap_or(0);
        let mut readers = Vec::with_capacity(asked.len());
        for (index, _) in &asked {
            let codec = match group.metadata().column(*index).compression() {
                Compression::BROTLI(_) => Some("brotli"),
                Compression::LZO => Some("LZO"),
                _ => None,
            };
            if let Some(codec) = codec {
                return Err(in_column(*index, None, Cause::Compression(codec)));
            }
            readers.push(group.get_column_reader(*index).map_err(|e| in_column(*index, None, cause_of(e)))?);
        }
        let mut done = 0;
        while done < rows {
            let batch = BATCH.min(rows - done);
            for (k, (reader, kind)) in readers.iter_mut().zip(&kinds).enumerate() {
                let (index, role) = asked[k];
                let levels = schema.column(index).max_def_level();
                let kept = cells(reader, *kind, levels, batch, |cell| match role {
                    Role::Score => collector.score(k, as_number(role, cell)?),
                    Role::Label => collector.label(cell),
                    Role::Weight => collector.weight(as_number(role, cell)?),
                    Role::Count => collector.count(k - first_count, as_number(role, cell)?),
                });
                kept.map_err(|stop| match stop {
                    BatchError::At(row, cause) => in_column(index, Some(rows_before + done + row), cause),
                    BatchError::Null(row) => in_column(index, Some(rows_before + done + row), Cause::Missing(role)),
                    BatchError::Broken(cause) => in_column(index, None, cause),
                })?;
            }
            collector.rows_done(batch);
            done += batch;
        }
        rows_before += rows;
    }
    collector.finish(file, &names, &columns, request).map_err(whole)
}

fn as_number(role: Role, cell: CellValue) -> Result<f64, Cause> {
    match cell {
        CellValue::Number(number) => Ok(number),
        CellValue::Whole(whole) => Ok(whole as f64),
        CellValue::Truth(truth) => Err(Cause::NotANumber(role, truth.to_string())),
        CellValue::Text(text) => Err(Cause::NotANumber(role, String::from_utf8_lossy(text).into_owned())),
    }
}

/// Why a batch was not read to its end.
enum BatchError {
    At(usize, Cause),
    Null(usize),
    Broken(Cause),
}

/// Visits the next cells of a column.
fn cells(
    reader: &mut ColumnReader,
    kind: ValueType,
    levels: i16,
    batch: usize,
    mut visit: impl FnMut(CellValue) -> Result<(), Cause>,
) -> Result<(), BatchError> {
    use ColumnReader as R;
    let visit = &mut visit;
    let whole = |value: i128| match kind {
        ValueType::Decimal(scale) => CellValue::Number(decimal(value, scale)),
        _ => CellValue::Whole(value),
    };
    let unsigned = kind == ValueType::Unsigned;
    let int32 = |v: &i32| whole(if unsigned { i128::from(*v as u32) } else { i128::from(*v) });
    let int64 = |v: &i64| whole(if unsigned { i128::from(*v as u64) } else { i128::from(*v) });
    match reader {
        R::BoolColumnReader(r) => each(r, levels, batch, |v| visit(CellValue::Truth(*v))),
        R::Int32ColumnReader(r) => each(r, levels, batch, |v| visit(int32(v))),
        R::Int64ColumnReader(r) => each(r, levels, batch, |v| visit(int64(v))),
        R::FloatColumnReader(r) => each(r, levels, batch, |v| visit(CellValue::Number(f64::from(*v)))),
        R::DoubleColumnReader(r) => each(r, levels, batch, |v| visit(CellValue::Number(*v))),
        R::ByteArrayColumnReader(r) => each(r, levels, batch, |v| bytes(kind, v.as_bytes(), visit)),
        R::FixedLenByteArrayColumnReader(r) => each(r, levels, batch, |v| bytes(kind, v.as_bytes(), visit)),
        R::Int96ColumnReader(_) => Err(BatchError::Broken(Cause::Parquet("a column changes its type".into()))),
    }
}

fn bytes(kind: ValueType, bytes: &[u8], visit: &mut impl FnMut(CellValue) -> Result<(), Cause>) -> Result<(), Cause> {
    match (kind, bytes) {
        (ValueType::Half, [low, high]) => visit(CellValue::Number(f16::from_le_bytes([*low, *high]).to_f64())),
        (ValueType::Decimal(scale), _) => visit(CellValue::Number(decimal(big_endian(bytes)?, scale))),
        _ => visit(CellValue::Text(bytes)),
    }
}

fn each<T: DataType>(
    reader: &mut ColumnReaderImpl<T>,
    max_level: i16,
    batch: usize,
    mut visit: impl FnMut(&T::T) -> Result<(), Cause>,
) -> Result<(), BatchError> {
    let (mut levels, mut values) = (Vec::new(), Vec::with_capacity(batch));
    let mut read = 0;
    while read < batch {
        let more = reader.read_records(batch - read, Some(&mut levels), None, &mut values);
        let (records, ..) = more.map_err(|error| BatchError::Broken(cause_of(error)))?;
        if records == 0 {
            return Err(BatchError::Broken(Cause::Parquet("a column ends before its last row".into())));
        }
        read += records;
    }
    let null = levels.iter().position(|level| *level < max_level);
    for (row, value) in values.iter().enumerate().take(null.unwrap_or(batch)) {
        visit(value).map_err(|cause| BatchError::At(row, cause))?;
    }
    null.map_or(Ok(()), |row| Err(BatchError::Null(row)))
}

/// The nearest float to `unscaled / 10^scale`.
fn decimal(unscaled: i128, scale: i32) -> f64 {
    const EXACT: u128 = 1 << 53;
    // Both are floats, and their quotient is rounded once.
    if unscaled.unsigned_abs() <= EXACT && (0..=22).contains(&scale) {
        return unscaled as f64 / 10f64.powi(scale);
    }
    // Digits and an exponent are a number always.
    format!("{unscaled}e{}", -i64::from(scale)).parse().unwrap_or(f64::NAN)
}

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

fn cause_of(error: ParquetError) -> Cause {
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
