//! The figures of the report: the models of the introduction and of the appendix, and the rate-driven illustration.

use super::audit::File;
use super::page::Figure;
use crate::draw::model::{Portrait, rate_driven};
use crate::draw::{self, FORMATS, NotSaved, Palette, to_bytes};
use crate::functional::Refusal;
use crate::lang::Diagnostic;
use crate::model::{Model, file};
use crate::paper;
use rayon::prelude::*;
use std::path::Path;

/// The score densities of the rate-driven illustration. The paper does not print its own.
const RATE_DRIVEN: [&str; 2] = ["beta(4, 6)", "beta(6, 4)"];

/// A drawn figure with its texts.
struct DrawnFigure {
    label: &'static str,
    title: String,
    caption: String,
    figure: draw::Figure,
}

/// The reason why a figure cannot be drawn.
pub enum NotDrawn {
    /// The model is wrong.
    Model(Refusal),
    /// The format fails.
    Format(NotSaved),
}

impl From<Diagnostic> for NotDrawn {
    fn from(why: Diagnostic) -> NotDrawn {
        NotDrawn::Model(why.into())
    }
}

impl From<Refusal> for NotDrawn {
    fn from(why: Refusal) -> NotDrawn {
        NotDrawn::Model(why)
    }
}

/// Draws all figures of the paper: for the page, and as files.
pub(crate) fn draw_paper(palette: Palette) -> Result<(Vec<Figure>, Vec<File>), NotDrawn> {
    let drawn: Vec<DrawnFigure> = draw_all(palette)?;
    let saved = drawn.par_iter().map(|drawn| save_formats(drawn).map_err(NotDrawn::Format));
    let saved: Vec<(Figure, Vec<File>)> = saved.collect::<Result<_, _>>()?;
    let (figures, files): (Vec<Figure>, Vec<Vec<File>>) = saved.into_iter().unzip();
    Ok((figures, files.into_iter().flatten().collect()))
}

/// Draws the figures in the order of the paper.
fn draw_all(palette: Palette) -> Result<Vec<DrawnFigure>, NotDrawn> {
    let portrait = |label: &'static str, model: Model| -> Result<DrawnFigure, NotDrawn> {
        let caption = model.note.as_deref().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
        let figure = Portrait::of(&model)?.figure(palette);
        Ok(DrawnFigure { label, title: model.name(), caption, figure })
    };
    let models = |list: &[(&'static str, &'static str)]| -> Result<Vec<DrawnFigure>, NotDrawn> {
        list.iter().map(|(label, text)| portrait(label, file::parse(label, text)?)).collect()
    };
    let mut all = models(paper::INTRODUCTION)?;
    let [f0, f1] = RATE_DRIVEN;
    all.push(DrawnFigure {
        label: "RateDriven",
        title: "Rate-driven thresholds".to_owned(),
        caption: format!(
            "The rate-driven method with either class in the majority, for scores {f0} and {f1}; the paper does not say which \
             scores its own figure has."
        ),
        figure: rate_driven(f0, f1, palette)?,
    });
    all.extend(models(paper::MODELS)?);
    Ok(all)
}

/// A figure for the page, and as files.
fn save_formats(drawn: &DrawnFigure) -> Result<(Figure, Vec<File>), NotSaved> {
    let file = |format: &&str| {
        let path = format!("figures/{}.{format}", drawn.label);
        Ok(File::new(path.as_str(), to_bytes(&drawn.figure, Path::new(&path))?))
    };
    let files: Vec<File> = FORMATS.iter().map(file).collect::<Result<_, NotSaved>>()?;
    let figure = Figure {
        label: drawn.label.to_owned(),
        title: drawn.title.clone(),
        caption: drawn.caption.clone(),
        svg: drawn.figure.to_svg_within(&format!("{}-", drawn.label)),
        files: files.iter().map(|file| file.path.clone()).collect(),
    };
    Ok((figure, files))
}
