//! The files that paths, patterns and directories stand for.

use super::error::{Cause, FilePosition, ReadError};
use std::path::Path;

/// The endings of the files that are read from a directory.
const ENDINGS: [&str; 9] = [".csv", ".csv.gz", ".tsv", ".tsv.gz", ".parquet", ".pq", ".arrow", ".arrows", ".feather"];

/// The files of all paths, in the order of the paths. A pattern stands for the files that match it, a directory for its data files; both
/// are sorted by name.
pub(super) fn expand(paths: &[String]) -> Result<Vec<String>, ReadError> {
    let mut files = Vec::new();
    for path in paths {
        let found = match path {
            path if path == "-" => Ok(vec![path.clone()]),
            path if Path::new(path).is_dir() => files_in(path),
            path if is_pattern(path) && !Path::new(path).exists() => matching(path),
            path => Ok(vec![path.clone()]),
        };
        files.extend(found.map_err(|cause| ReadError::of_file(path, cause))?);
    }
    match files.iter().enumerate().find(|(k, file)| files[..*k].contains(file)) {
        Some((_, twice)) => Err(ReadError::of_file(twice, Cause::FileTwice)),
        None => Ok(files),
    }
}

/// Whether a path has a character of patterns.
fn is_pattern(path: &str) -> bool {
    path.contains(['*', '?', '['])
}

/// The files that match a pattern.
fn matching(pattern: &str) -> Result<Vec<String>, Cause> {
    let found = glob::glob(pattern).map_err(|error| Cause::Pattern(error.msg.to_owned()))?;
    let files: Vec<String> =
        found.flatten().filter(|path| path.is_file()).map(|path| path.to_string_lossy().into_owned()).collect();
    if files.is_empty() { Err(Cause::NoMatch) } else { Ok(files) }
}

/// The data files of a directory. Names that start with a dot or an underscore belong to the program that wrote them.
fn files_in(directory: &str) -> Result<Vec<String>, Cause> {
    let entries = std::fs::read_dir(directory).map_err(|error| Cause::Io(error.to_string()))?;
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| Cause::Io(error.to_string()))?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
        let is_data = ENDINGS.iter().any(|ending| name.ends_with(ending)) && !name.starts_with(['.', '_']);
        if is_data && path.is_file() {
            files.push(path.to_string_lossy().into_owned());
        }
    }
    files.sort_unstable();
    if files.is_empty() { Err(Cause::EmptyDirectory) } else { Ok(files) }
}

/// Several files in words.
pub(super) fn describe(files: &[String]) -> String {
    match files {
        [] => String::new(),
        [only] => only.clone(),
        [first, second] => format!("{first} and {second}"),
        [first, others @ ..] => format!("{first} and {} more files", others.len()),
    }
}

impl ReadError {
    /// An error that concerns a whole file.
    pub(super) fn of_file(file: &str, cause: Cause) -> ReadError {
        ReadError { file: file.to_owned(), position: FilePosition::default(), cause }
    }
}
