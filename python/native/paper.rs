//! The paper.

use super::answer::{Answer, Printed};
use super::error::to_exception;
use super::figure::palette;
use super::work::{run_here, run_with_progress};
use pyo3::prelude::*;
use rocproof::front::{Failure, Reproduction, cannot_write_report, ceiling};
use rocproof::paper;
use rocproof::report::audit;
use rocproof::report::folder::Folder;
use std::path::PathBuf;
use std::time::Instant;

/// The names of the models of the paper's appendix.
#[pyfunction]
pub fn paper_models() -> Vec<&'static str> {
    paper::MODELS.iter().map(|(name, _)| *name).collect()
}

/// Audits every claim of the paper and writes the report. `progress` is called with the number of claims, and then with the name of each
/// claim that is finished.
#[pyfunction]
pub fn reproduce(
    py: Python<'_>,
    out: PathBuf,
    time: f64,
    colour_blind_safe: bool,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<Answer> {
    let start = Instant::now();
    let (time, claims) = run_here(py, || Ok((ceiling(time)?, paper::claims().map_err(Failure::new)?)))?;
    // A folder that cannot be written is refused before anything is computed.
    let folder = Folder::prepare(&out).map_err(|why| to_exception(py, &cannot_write_report(&why, &out)))?;
    if let Some(progress) = &progress {
        progress.call1((claims.len(),))?;
    }
    let found = run_with_progress(py, progress, move |progress| {
        Reproduction::of(&claims, time, palette(colour_blind_safe), |audited| progress.done(audited.claim.id.clone()))
    })?;
    // On this thread: after Ctrl-C nothing is written.
    folder
        .write(&found.files)
        .and_then(Folder::replace)
        .map_err(|why| to_exception(py, &cannot_write_report(&why, &out)))?;
    let text = audit::summary(&found.audit, &out, start.elapsed());
    Ok(Answer(Box::new(Printed { json: audit::json(&found.audit), text })))
}
