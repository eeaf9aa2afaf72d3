//! Opens files and sees what they are, by how they start.

use super::error::Cause;
use flate2::read::MultiGzDecoder;
use std::fs::File;
use std::io::{Cursor, ErrorKind, Read};

/// How many bytes tell what a file is.
const START: usize = 64;

/// A file that can be read.
pub(super) enum OpenedFile {
    /// Text, decompressed if need be.
    Text(Box<dyn Read>),
    /// A Parquet file.
    #[cfg(feature = "parquet")]
    Parquet(File),
}

/// How other files start.
const OTHERS: [(&[u8], &str); 8] = [
    (b"PARE", "an encrypted Parquet file"),
    (b"PK\x03\x04", "a zip archive or a spreadsheet"),
    (b"\x28\xb5\x2f\xfd", "a file compressed with zstd"),
    (b"\xfd7zXZ", "a file compressed with xz"),
    (b"BZh", "a file compressed with bzip2"),
    (b"ARROW1", "an Arrow file"),
    (b"\xff\xfe", "UTF-16 text"),
    (b"\xfe\xff", "UTF-16 text"),
];

/// Opens a file, or standard input if it is called `-`.
pub(super) fn open(file: &str) -> Result<OpenedFile, Cause> {
    if file == "-" {
        // The lock must be gone when the rest is read.
        let start = first_bytes(&mut std::io::stdin().lock())?;
        return match start.starts_with(b"PAR1") {
            true => Err(Cause::Pipe),
            false => text(start, std::io::stdin()),
        };
    }
    let mut input = File::open(file).map_err(io)?;
    if input.metadata().map_err(io)?.is_dir() {
        return Err(Cause::Directory);
    }
    let start = first_bytes(&mut input)?;
    if start.starts_with(b"PAR1") {
        return parquet(input);
    }
    let path = file.to_ascii_lowercase();
    if !start.is_empty() && (path.ends_with(".parquet") || path.ends_with(".pq")) {
        return Err(Cause::Parquet("it does not start as a Parquet file does".into()));
    }
    text(start, input)
}

#[cfg(feature = "parquet")]
fn parquet(mut input: File) -> Result<OpenedFile, Cause> {
    use std::io::Seek;
    input.rewind().map_err(|_| Cause::Pipe)?;
    Ok(OpenedFile::Parquet(input))
}

#[cfg(not(feature = "parquet"))]
fn parquet(_: File) -> Result<OpenedFile, Cause> {
    Err(Cause::NotBuilt)
}

/// Whether a file is meant to have tabs between cells.
pub(super) fn has_tabs(file: &str) -> bool {
    let path = file.to_ascii_lowercase();
    let path = path.strip_suffix(".gz").unwrap_or(&path);
    path.ends_with(".tsv") || path.ends_with(".tab")
}

fn text(start: Vec<u8>, rest: impl Read + 'static) -> Result<OpenedFile, Cause> {
    let compressed = start.starts_with(b"\x1f\x8b");
    let input = Cursor::new(start.clone()).chain(rest);
    if compressed {
        let mut inside = MultiGzDecoder::new(input);
        let start = first_bytes(&mut inside)?;
        recognised(&start)?;
        return Ok(OpenedFile::Text(Box::new(Cursor::new(start).chain(inside))));
    }
    recognised(&start)?;
    Ok(OpenedFile::Text(Box::new(input)))
}

/// Refuses what is not text in UTF-8, as far as the start tells.
pub(super) fn recognised(start: &[u8]) -> Result<(), Cause> {
    match OTHERS.iter().find(|(magic, _)| start.starts_with(magic)) {
        Some((_, what)) => Err(Cause::Format(what)),
        None if start.contains(&0) => {
            // Latin letters in UTF-16 have a zero in every other byte.
            let zeros = |from: usize| start.iter().skip(from).step_by(2).filter(|byte| **byte == 0).count();
            let half = start.len() / 2;
            let wide = half > 0 && (zeros(0) == half || zeros(1) == half);
            Err(Cause::Format(if wide { "UTF-16 text" } else { "a binary file" }))
        }
        None => Ok(()),
    }
}

fn first_bytes(input: &mut impl Read) -> Result<Vec<u8>, Cause> {
    let mut start = Vec::with_capacity(START);
    input.take(START as u64).read_to_end(&mut start).map_err(io)?;
    Ok(start)
}

/// What the system says, in words.
fn io(error: std::io::Error) -> Cause {
    Cause::Io(match error.kind() {
        ErrorKind::NotFound => "there is no such file".into(),
        ErrorKind::PermissionDenied => "permission denied".into(),
        _ => error.to_string(),
    })
}
