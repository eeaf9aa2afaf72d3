//! The reproduction of the paper.

use super::Failure;
use crate::draw::Palette;
use crate::paper::Claim;
use crate::paper::audit::{Audit, AuditedClaim};
use crate::report::audit::{self as report, File};
use crate::report::figures::{NotDrawn, draw_paper};
use crate::report::page::page;
use std::path::Path;
use std::time::Duration;

/// The audit of the paper, and the files of the report.
pub struct Reproduction {
    /// The audit.
    pub audit: Audit,
    /// The content of `claims.json`.
    pub json: String,
    /// The files of the report.
    pub files: Vec<File>,
}

impl Reproduction {
    /// Audits claims, each within a ceiling of time, and draws all figures. `done` is called with each claim when it is finished.
    pub fn of(
        claims: &[Claim],
        time: Duration,
        palette: Palette,
        done: impl Fn(&AuditedClaim) + Sync,
    ) -> Result<Reproduction, Failure> {
        let audit = Audit::of(claims, time, done);
        let (figures, drawn) = draw_paper(palette).map_err(|why| match why {
            NotDrawn::Model(why) => why.into(),
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

/// The failure of a report that cannot be written.
pub fn cannot_write_report(why: &std::io::Error, place: &Path) -> Failure {
    let message = format!("cannot write the report to {}: {why}", place.display());
    Failure::worded_with_help(
        |_| message.clone(),
        |i| format!("give another folder with {}; nothing was changed", i.option("out")),
    )
}
