//! Opens files and recognises their format by their first bytes.

use super::error::Cause;
#[cfg(feature = "parquet")]
use bytes::Bytes;
use flate2::read::MultiGzDecoder;
use std::fs::File;
use std::io::{Cursor, ErrorKind, Read};

/// The number of bytes that are inspected.
const START: usize = 64;

/// An opened file of a format that can be read.
pub(super) enum OpenedFile {
    /// Text, decompressed if it was compressed with gzip.
    Text(Box<dyn Read>),
    /// A Parquet file.
    #[cfg(feature = "parquet")]
    Parquet(File),
    /// Parquet from standard input, all of it: its contents are listed at its end.
    #[cfg(feature = "parquet")]
    ParquetBytes(Bytes),
    /// An Arrow stream.
    #[cfg(feature = "parquet")]
    ArrowStream(Box<dyn Read>),
    /// An Arrow file.
    #[cfg(feature = "parquet")]
    ArrowFile(File),
    /// An Arrow file from standard input, all of it.
    #[cfg(feature = "parquet")]
    ArrowBytes(Bytes),
}

/// The first bytes of formats that cannot be read.
const OTHER_FORMATS: [(&[u8], &str); 5] = [
    (b"PARE", "an encrypted Parquet file"),
    (b"PK\x03\x04", "a zip archive or a spreadsheet"),
    (b"\x28\xb5\x2f\xfd", "a file compressed with zstd"),
    (b"\xfd7zXZ", "a file compressed with xz"),
    (b"BZh", "a file compressed with bzip2"),
];

/// The byte order marks of UTF-16.
const UTF16_MARKS: [&[u8]; 2] = [b"\xff\xfe", b"\xfe\xff"];

/// Opens a file; `-` is standard input.
pub(super) fn open(file: &str) -> Result<OpenedFile, Cause> {
    if file == "-" {
        // The lock is released before the rest is read.
        let start = first_bytes(&mut std::io::stdin().lock())?;
        return match BinaryFormat::of(&start) {
            Some(format) => open_binary_input(format, start),
            None => open_text(start, std::io::stdin()),
        };
    }
    let mut input = File::open(file).map_err(io_cause)?;
    let start = first_bytes(&mut input)?;
    if let Some(format) = BinaryFormat::of(&start) {
        return open_binary(format, input);
    }
    let path = file.to_ascii_lowercase();
    if !start.is_empty() && (path.ends_with(".parquet") || path.ends_with(".pq")) {
        return Err(Cause::Parquet("it does not start as a Parquet file does".into()));
    }
    open_text(start, input)
}

/// A format of columns.
#[derive(Clone, Copy)]
enum BinaryFormat {
    Parquet,
    ArrowFile,
    ArrowStream,
}

impl BinaryFormat {
    /// The format that starts with these bytes.
    fn of(start: &[u8]) -> Option<BinaryFormat> {
        match start {
            [b'P', b'A', b'R', b'1', ..] => Some(BinaryFormat::Parquet),
            [b'A', b'R', b'R', b'O', b'W', b'1', ..] => Some(BinaryFormat::ArrowFile),
            // A marker, and the length of the schema, which is less than 16 MB.
            [0xff, 0xff, 0xff, 0xff, _, _, _, 0, ..] => Some(BinaryFormat::ArrowStream),
            _ => None,
        }
    }
}

/// A file of columns, at its start again.
#[cfg(feature = "parquet")]
fn open_binary(format: BinaryFormat, mut input: File) -> Result<OpenedFile, Cause> {
    use std::io::Seek;
    input.rewind().map_err(|_| Cause::Pipe)?;
    Ok(match format {
        BinaryFormat::Parquet => OpenedFile::Parquet(input),
        BinaryFormat::ArrowFile => OpenedFile::ArrowFile(input),
        BinaryFormat::ArrowStream => OpenedFile::ArrowStream(Box::new(input)),
    })
}

/// Columns from standard input. Formats that list their contents at the end are read as a whole.
#[cfg(feature = "parquet")]
fn open_binary_input(format: BinaryFormat, start: Vec<u8>) -> Result<OpenedFile, Cause> {
    let input = Cursor::new(start).chain(std::io::stdin());
    Ok(match format {
        BinaryFormat::Parquet => OpenedFile::ParquetBytes(read_whole(input)?),
        BinaryFormat::ArrowFile => OpenedFile::ArrowBytes(read_whole(input)?),
        BinaryFormat::ArrowStream => OpenedFile::ArrowStream(Box::new(input)),
    })
}

/// All bytes of an input, unless there is no memory for them.
#[cfg(feature = "parquet")]
fn read_whole(mut input: impl Read) -> Result<Bytes, Cause> {
    let mut bytes = Vec::new();
    match input.read_to_end(&mut bytes) {
        Ok(_) => Ok(bytes.into()),
        Err(error) if error.kind() == ErrorKind::OutOfMemory => Err(Cause::Memory(0)),
        Err(error) => Err(io_cause(error)),
    }
}

/// Refuses files of columns, which this build cannot read.
#[cfg(not(feature = "parquet"))]
fn open_binary(_: BinaryFormat, _: File) -> Result<OpenedFile, Cause> {
    Err(Cause::NotBuilt)
}

/// Refuses columns, which this build cannot read.
#[cfg(not(feature = "parquet"))]
fn open_binary_input(_: BinaryFormat, _: Vec<u8>) -> Result<OpenedFile, Cause> {
    Err(Cause::NotBuilt)
}

/// Whether the name of a file says that its cells are separated by tabs.
pub(super) fn has_tabs(file: &str) -> bool {
    let path = file.to_ascii_lowercase();
    let path = path.strip_suffix(".gz").unwrap_or(&path);
    path.ends_with(".tsv") || path.ends_with(".tab")
}

/// Text from its first bytes and the rest, decompressed if need be.
fn open_text(start: Vec<u8>, remainder: impl Read + 'static) -> Result<OpenedFile, Cause> {
    let is_compressed = start.starts_with(b"\x1f\x8b");
    let input = Cursor::new(start.clone()).chain(remainder);
    if is_compressed {
        let mut decompressed = MultiGzDecoder::new(input);
        let start = first_bytes(&mut decompressed)?;
        check_text(&start)?;
        return Ok(OpenedFile::Text(Box::new(Cursor::new(start).chain(decompressed))));
    }
    check_text(&start)?;
    Ok(OpenedFile::Text(Box::new(input)))
}

/// Refuses files whose first bytes show that they are not UTF-8 text.
fn check_text(start: &[u8]) -> Result<(), Cause> {
    if let Some((_, format)) = OTHER_FORMATS.iter().find(|(magic, _)| start.starts_with(magic)) {
        return Err(Cause::Format(format));
    }
    if UTF16_MARKS.iter().any(|mark| start.starts_with(mark)) {
        return Err(Cause::Utf16);
    }
    if start.contains(&0) {
        // Latin letters in UTF-16 have a zero in every other byte.
        let zeros = |offset: usize| start.iter().skip(offset).step_by(2).filter(|byte| **byte == 0).count();
        let half = start.len() / 2;
        let is_utf16 = half > 0 && (zeros(0) == half || zeros(1) == half);
        return Err(if is_utf16 { Cause::Utf16 } else { Cause::Format("a binary file") });
    }
    Ok(())
}

/// Up to `START` bytes, which suffice to recognise a format.
fn first_bytes(input: &mut impl Read) -> Result<Vec<u8>, Cause> {
    let mut start = Vec::with_capacity(START);
    input.take(START as u64).read_to_end(&mut start).map_err(io_cause)?;
    Ok(start)
}

/// An error of the operating system in words.
fn io_cause(error: std::io::Error) -> Cause {
    Cause::Io(match error.kind() {
        ErrorKind::NotFound => "there is no such file".into(),
        ErrorKind::PermissionDenied => "permission denied".into(),
        _ => error.to_string(),
    })
}
