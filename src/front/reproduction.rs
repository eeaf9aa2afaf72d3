//! The paper, reproduced.

use super::Failure;
use crate::draw::Palette;
use crate::paper::Claim;
use crate::paper::audit::{Audit, AuditedClaim};
use crate::report::audit::{self as report, File};
use crate::report::figures::{NotDrawn, of_paper};
use crate::report::page::page;
use std::path::Path;
use std::time::Duration;

/// Every claim of the paper audited, and the files of the report.
pub struct Reproduction {
    /// The claims, audited.
    pub audit: Audit,
    /// What is in `claims.json`.
    pub json: String,
    /// The files of the report.
    pub files: Vec<File>,
}

impl Reproduction {
    /// Settles claims, each within a time, and draws all figures.
    pub fn of(
        claims: &[Claim],
        time: Duration,
        palette: Palette,
        done: impl Fn(&AuditedClaim) + Sync,
    ) -> Result<Reproduction, Failure> {
        let audit = Audit::of(claims, time, done);
        let (figures, drawn) = of_paper(palette).map_err(|why| match why {
            NotDrawn::Model(why) => Failure::Input(why),
            NotDrawn::Format(why) => Failure::new(why.to_string()),
        })?;
        let json = serde_json::to_string_pretty(&report::json(&audit)).map_err(|why| Failure::new(why.to_string()))?;
        let json = json + "\n";
        let mut files = report::files(&audit);
        files.extend(drawn);
        files.push(File::new("claims.json", json.as_str()));
        files.push(File::new("index.html", page(&audit, &figures)));
        Ok(Reproduction { audit, json, files })
    }
}

/// What stands in the way of the report.
pub fn not_written(why: &std::io::Error, place: &Path) -> Failure {
    let message = format!("cannot write the report to {}: {why}", place.display());
    Failure::with_help(message, "give another folder with --out; nothing was changed")
}
