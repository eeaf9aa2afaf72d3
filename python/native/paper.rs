//! The paper.

use super::answer::{Answer, Known};
use super::error::raised;
use super::figure::palette;
use super::work::{at_once, told};
use pyo3::prelude::*;
use rocproof::front::{Failure, Reproduction, not_written, seconds};
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

/// Settles every claim of the paper and writes the report. `progress` is called with how many claims there are, and then with the name of each
/// that is settled.
#[pyfunction]
pub fn reproduce(
    py: Python<'_>,
    out: PathBuf,
    time: f64,
    colour_blind_safe: bool,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<Answer> {
    let start = Instant::now();
    let (time, claims) = at_once(py, || Ok((seconds(time)?, paper::claims().map_err(Failure::new)?)))?;
    // What cannot be written is told before anything is computed.
    let folder = Folder::prepare(&out).map_err(|why| raised(py, &not_written(&why, &out)))?;
    if let Some(progress) = &progress {
        progress.call1((claims.len(),))?;
    }
    let found = told(py, progress, move |told| {
        Reproduction::of(&claims, time, palette(colour_blind_safe), |settled| told.done(settled.claim.id.clone()))
    })?;
    // Here and not on the thread, so that nothing is written once it was stopped.
    folder.write(&found.files).and_then(Folder::replace).map_err(|why| raised(py, &not_written(&why, &out)))?;
    let text = audit::summary(&found.audit, &out, start.elapsed());
    Ok(Answer(Box::new(Known { json: audit::json(&found.audit), text })))
}
