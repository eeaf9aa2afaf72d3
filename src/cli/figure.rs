//! `rocproof figure`.

use super::input::ModelArguments;
use crate::draw::model::Portrait;
use crate::draw::{Palette, check, save};
use crate::front::Failure;
use clap::Args;
use std::path::{Path, PathBuf};

/// The arguments of `figure`.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    model: ModelArguments,
    /// Write the figure to this file: .svg, .png or .pdf
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    colours: Colours,
}

/// The colours of figures.
#[derive(Args)]
pub struct Colours {
    /// Colours for colour-blind readers
    #[arg(long)]
    colour_blind_safe: bool,
}

impl Colours {
    /// The palette.
    pub fn palette(&self) -> Palette {
        if self.colour_blind_safe { Palette::ColourBlindSafe } else { Palette::Plain }
    }
}

/// Draws a model and saves the figure.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let Arguments { model, output, colours } = arguments;
    check(output).map_err(|bad| Failure::new(format!("--output: {bad}")))?;
    check_folder(output)?;
    let figure = Portrait::of(&model.read()?)?.figure(colours.palette());
    save(&figure, output).map_err(|bad| Failure::new(bad.to_string()))
}

/// Refuses a file in a folder that does not exist.
fn check_folder(file: &Path) -> Result<(), Failure> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    match folder.filter(|folder| !folder.is_dir()) {
        Some(folder) => {
            let help = format!("make it first: mkdir -p '{}'", folder.display());
            Err(Failure::with_help(format!("cannot write {}: there is no such folder", file.display()), help))
        }
        None => Ok(()),
    }
}
