//! The four panels of the paper's appendix.

use super::axes::interval_ticks;
use super::curves::ModelCurves;
use super::numbers::format_value;
use crate::data::curves::CurvePiece;
use crate::draw::{Axis, Figure, Ink, Palette, Panel, Stroke};
use crate::functional::Evaluation;
use crate::functional::{Refusal, Request, evaluate};
use crate::model::Model;

const FRAME: (f64, f64) = (350.0, 290.0);
const THIN: f64 = 0.9;
/// The colours of the area below the hull, and of the hull.
const BELOW: Ink = Ink::Series(6);
const HULL: Ink = Ink::Colour("#c3c9d2");
/// The longest text of a density that is shown in full.
const LONGEST: usize = 160;

/// A model with its curves and numbers, ready to be drawn.
#[derive(Clone, Debug)]
pub struct Portrait {
    title: String,
    /// The densities, before any transform.
    densities: [String; 2],
    is_transformed: bool,
    /// The curves.
    pub curves: ModelCurves,
    /// The numbers, each at the strongest level of evidence.
    pub evaluation: Evaluation,
}

impl Portrait {
    /// Evaluates a model and computes its curves. It fails if a density is not one, or if a class is too rare for floating point.
    pub fn of(model: &Model) -> Result<Portrait, Refusal> {
        if let Some(diagnostic) = model.beyond_floating_point() {
            return Err(diagnostic.into());
        }
        let evaluation = evaluate(model, &Request::default())?;
        let title = format!("{}, π₀ = {}", model.name(), model.pi0());
        let densities = [0, 1].map(|class| model.density(class).text().to_owned());
        let is_transformed = !model.transforms().is_empty();
        Ok(Portrait { title, densities, is_transformed, curves: ModelCurves::of(model), evaluation })
    }

    /// The figure: densities with `c'`, distribution functions with `c`, the ROC curve with its hull, and three curves of loss: the optimal loss by
    /// cost proportion, and by threshold `Λ` and the integrand of the refinement loss. If scores are not probabilities, the optimal loss has a panel
    /// of its own.
    pub fn figure(&self, palette: Palette) -> Figure {
        let figure = Figure::new(&self.title).frame(FRAME.0, FRAME.1).palette(palette).note(&self.note());
        let figure = figure.row(1.0, [self.densities(), self.distributions()]);
        if self.curves.is_probabilistic {
            return figure.row(1.0, [self.roc(), self.three_curves()]);
        }
        figure.row(1.0, [self.roc(), self.loss()]).row(1.0, [self.two_curves()])
    }

    /// The note below the panels: densities, and how to read the curves.
    fn note(&self) -> String {
        let cut = |text: &str| {
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            if text.chars().count() <= LONGEST { text } else { text.chars().take(LONGEST).chain(['…']).collect() }
        };
        let [f0, f1] = self.densities.each_ref().map(|text| cut(text));
        let before = if self.is_transformed { "Before it was transformed, " } else { "" };
        let mut note = format!("{before}f₀: {f0};  f₁: {f1}.");
        if self.evaluation.convex == Some(false) {
            note += " The model is not convex: the loss is that along the hull, Λ goes along the curve as it is.";
        }
        let (low, high) = self.axis("").range();
        let ends = [self.curves.densities[0].first(), self.curves.densities[0].last()];
        if ends[0].is_some_and(|piece| piece.from < low) || ends[1].is_some_and(|piece| piece.to > high) {
            note += " Scores go on beyond the axes; areas are those of all.";
        }
        note
    }

    /// The axis of scores.
    pub(super) fn axis(&self, label: &str) -> Axis {
        if !self.curves.is_probabilistic {
            return Axis::holding(label, self.curves.scores);
        }
        let axis = Axis::new(label, 0.0, 1.0);
        match interval_ticks(&self.evaluation, false) {
            Some(places) => axis.with_places(places),
            None => axis,
        }
    }

    /// A curve extended to both ends of the axis, at constant heights beyond the scores.
    pub(super) fn extended(&self, pieces: &[CurvePiece], heights: [f64; 2]) -> Vec<CurvePiece> {
        let (low, high) = self.axis("").range();
        let (first, last) = self.ends();
        let constant = |from: f64, to: f64, y: f64| (from < to).then(|| CurvePiece::straight(from, to, y, y));
        let before = constant(low, first, heights[0]);
        let after = constant(last, high, heights[1]);
        before.into_iter().chain(pieces.iter().copied()).chain(after).collect()
    }

    /// The first and the last score.
    pub(super) fn ends(&self) -> (f64, f64) {
        let [pieces, _] = &self.curves.distributions;
        let atoms = || self.curves.atoms.iter().map(|atom| atom.x);
        let first = pieces.iter().map(|piece| piece.from).chain(atoms()).fold(f64::INFINITY, f64::min);
        let last = pieces.iter().map(|piece| piece.to).chain(atoms()).fold(f64::NEG_INFINITY, f64::max);
        (first, last)
    }

    /// The ROC curve over its hull, with the areas between them shaded.
    fn roc(&self) -> Panel {
        let metric = |name: &str| format_value(self.evaluation.metric(name));
        let axis = |label: &str| Axis::new(label, 0.0, 1.0);
        let mut panel = Panel::new("ROC curve", axis("false positive rate *F*₁"), axis("true positive rate *F*₀"));
        for (k, below) in self.curves.below_hull.iter().enumerate() {
            panel.segment(below.iter().copied(), BELOW, 0.3, if k == 0 { "below the hull" } else { "" });
        }
        panel.line((0.0, 0.0), (1.0, 1.0), Stroke::of(Ink::Faint).width(THIN).dashed("3 3"), "chance");
        let hull = self.curves.hull.iter().copied();
        panel.curve(hull, Stroke::of(HULL).width(4.5), &format!("hull, area {}", metric("AUCH")));
        let roc = self.curves.roc.iter().copied();
        panel.curve(roc, Stroke::of(Ink::Strong).width(1.4), &format!("ROC curve, area {}", metric("AUC")));
        panel.entries_first(2);
        panel
    }
}
