//! Opens files and recognises their format by their first bytes.

use super::error::Cause;
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
}

/// The first bytes of formats that cannot be read.
const OTHER_FORMATS: [(&[u8], &str); 6] = [
    (b"PARE", "an encrypted Parquet file"),
    (b"PK\x03\x04", "a zip archive or a spreadsheet"),
    (b"\x28\xb5\x2f\xfd", "a file compressed with zstd"),
    (b"\xfd7zXZ", "a file compressed with xz"),
    (b"BZh", "a file compressed with bzip2"),
    (b"ARROW1", "an Arrow file"),
];

/// The byte order marks of UTF-16.
const UTF16_MARKS: [&[u8]; 2] = [b"\xff\xfe", b"\xfe\xff"];

/// Opens a file; `-` is standard input.
pub(super) fn open(file: &str) -> Result<OpenedFile, Cause> {
    if file == "-" {
        // The lock is released before the rest is read.
        let start = first_bytes(&mut std::io::stdin().lock())?;
        return match start.starts_with(b"PAR1") {
            true => Err(Cause::Pipe),
            false => open_text(start, std::io::stdin()),
        };
    }
    let mut input = File::open(file).map_err(io_cause)?;
    if input.metadata().map_err(io_cause)?.is_dir() {
        return Err(Cause::Directory);
    }
    let start = first_bytes(&mut input)?;
    if start.starts_with(b"PAR1") {
        return open_parquet(input);
    }
    let path = file.to_ascii_lowercase();
    if !start.is_empty() && (path.ends_with(".parquet") || path.ends_with(".pq")) {
        return Err(Cause::Parquet("it does not start as a Parquet file does".into()));
    }
    open_text(start, input)
}

/// A Parquet file, at its start again.
#[cfg(feature = "parquet")]
fn open_parquet(mut input: File) -> Result<OpenedFile, Cause> {
    use std::io::Seek;
    input.rewind().map_err(|_| Cause::Pipe)?;
    Ok(OpenedFile::Parquet(input))
}

/// Refuses Parquet files, which this build cannot read.
#[cfg(not(feature = "parquet"))]
fn open_parquet(_: File) -> Result<OpenedFile, Cause> {
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
