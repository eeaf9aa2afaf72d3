//! Model files: TOML with two densities, a class proportion and, optionally, a name and a note.

use super::Model;
use rocproof_language::{Diagnostic, Source, Span};
use serde::Deserialize;
use std::path::Path;

/// The keys of a model file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    name: Option<String>,
    pi0: toml::Value,
    f0: String,
    f1: String,
    note: Option<String>,
}

/// Reads a model from TOML text. `origin` is the file's path: messages name it, and it names a model that has no name.
///
/// ```
/// let text = "name = 'mine'\npi0 = '1/3'\nf0 = 'beta(2, 5)'\nf1 = 'beta(5, 2)'\n";
/// let model = rocproof_engine::model::file::parse("mine.toml", text)?;
/// assert_eq!(model.name(), "mine");
/// # Ok::<(), rocproof_language::Diagnostic>(())
/// ```
pub fn parse(origin: &str, text: &str) -> Result<Model, Diagnostic> {
    let whole = Source::new(origin, text);
    let file: File = toml::from_str(text).map_err(|error| {
        let span = error.span().map_or(whole.whole(), |s| Span { start: s.start, end: s.end });
        whole
            .error(span, format!("this is not a model file: {}", error.message()), "here")
            .help("a model file has the keys pi0, f0, f1 and, if you like, name and note; densities are strings")
    })?;
    // A proportion may be a string, such as '1/3', or a TOML number, whose text is read as an exact decimal.
    let pi0 = match &file.pi0 {
        toml::Value::String(text) => text.clone(),
        number => number.to_string(),
    };
    let source_of = |key: &str, text: String| Source::new(format!("{origin}, {key}"), text);
    let model = Model::from_sources(source_of("f0", file.f0), source_of("f1", file.f1), source_of("pi0", pi0))?;
    // A model without a name is called after its file.
    let stem = Path::new(origin).file_stem().map_or_else(|| origin.to_owned(), |s| s.to_string_lossy().into_owned());
    let mut model = model.named(file.name.unwrap_or(stem));
    model.note = file.note.map(|note| note.trim().to_owned());
    Ok(model)
}
