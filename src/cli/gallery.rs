//! `rocproof gallery`.

use super::figure::Colours;
use crate::draw::model::Portrait;
use crate::draw::save;
use crate::front::{Failure, Interface, read_model};
use crate::output::file::write_whole;
use crate::report::gallery::{Entry, page};
use clap::Args;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

/// The arguments of `gallery`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// A folder of model files (.toml)
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// Write the figures and index.html to this folder, which is created if necessary
    #[arg(long, value_name = "DIR", default_value = "gallery")]
    out: PathBuf,
    #[command(flatten)]
    colours: Colours,
}

/// Draws every model of a folder. A model that cannot be drawn is reported, and the others are still drawn.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let files = model_files(&arguments.folder)?;
    let out = arguments.out.as_path();
    std::fs::create_dir_all(out).map_err(|bad| cannot_write(out, bad))?;
    let palette = arguments.colours.palette();
    let (mut entries, mut failed) = (Vec::new(), Vec::new());
    for file in &files {
        match read_entry(file) {
            Ok(entry) => {
                let path = out.join(format!("{}.svg", entry.key));
                save(&entry.portrait.figure(palette), &path).map_err(|bad| Failure::new(bad.to_string()))?;
                entries.push(entry);
            }
            Err(failure) => {
                let color = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
                let _ = write!(std::io::stderr(), "{}", failure.render(Interface::CommandLine, color));
                failed.push(file.display().to_string());
            }
        }
    }
    if !entries.is_empty() {
        let title = arguments.folder.file_name().map_or("Models".into(), |name| name.to_string_lossy());
        let (index, text) = (out.join("index.html"), page(&title, &entries, palette));
        write_whole(&index, |out| out.write_all(text.as_bytes())).map_err(|bad| cannot_write(&index, bad))?;
    }
    match failed.as_slice() {
        [] => Ok(()),
        failed => {
            Err(Failure::new(format!("{} of {} models not drawn: {}", failed.len(), files.len(), failed.join(", "))))
        }
    }
}

/// The failure to write a file.
fn cannot_write(path: &Path, why: std::io::Error) -> Failure {
    Failure::new(format!("cannot write {}: {why}", path.display()))
}

/// Reads and evaluates a model.
fn read_entry(file: &Path) -> Result<Entry, Failure> {
    let model = read_model(&file.display().to_string())?;
    let portrait = Portrait::of(&model)?;
    let key = file.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    Ok(Entry { key, model, portrait })
}

/// The model files of a folder, sorted by name. It fails if there are none.
fn model_files(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let cannot_read = |bad: std::io::Error| Failure::new(format!("cannot read the folder {}: {bad}", folder.display()));
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(cannot_read)? {
        let path = entry.map_err(cannot_read)?.path();
        if path.is_file() && path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml")) {
            files.push(path);
        }
    }
    files.sort();
    if files.is_empty() {
        return Err(Failure::with_help(
            format!("there is no model file in {}", folder.display()),
            "a model file is a .toml file with pi0, f0 and f1",
        ));
    }
    Ok(files)
}
