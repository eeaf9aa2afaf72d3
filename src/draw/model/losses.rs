//! The panels of losses: the optimal loss by cost proportion, `Λ` and the refinement loss by threshold.

use super::axes::{axis_with_margin, coincide, curve_name, extent, interval_ticks, union};
use super::curves::ModelCurves;
use super::numbers::{format_estimate, format_value};
use super::portrait::Portrait;
use super::stems::{Stems, format_mass, full_mass};
use crate::data::curves::CurvePiece;
use crate::draw::{Axis, Ink, Panel, Stroke};
use crate::functional::{Condition, Method};

/// Colours close to those of the paper: brown, purple and green.
const LOSS: Ink = Ink::Series(4);
const LAMBDA: Ink = Ink::Series(3);
const REFINEMENT: Ink = Ink::Series(2);

/// `Λ` is clipped at this multiple of the height of the other curves.
const LAMBDA_LIMIT: f64 = 8.0;

/// The styles of the curves.
struct Strokes {
    loss: Stroke,
    lambda: Stroke,
    refinement: Stroke,
}

impl Strokes {
    /// Curves that coincide get different widths, and one of them gaps, so that all are visible.
    fn new(are_coincident: bool) -> Strokes {
        let [loss, lambda, refinement] = [LOSS, LAMBDA, REFINEMENT].map(|ink| Stroke::of(ink).width(1.8));
        if !are_coincident {
            return Strokes { loss, lambda, refinement };
        }
        Strokes {
            loss: loss.width(2.8).dashed(""),
            lambda: lambda.width(2.8).dashed("10 10"),
            refinement: refinement.width(6.0).dashed(""),
        }
    }
}

impl Portrait {
    /// The panel of all three curves, for scores that are probabilities.
    pub(super) fn three_curves(&self) -> Panel {
        let axis = self.axis("cost proportion *c* (loss), threshold *T* (others)");
        let x = match interval_ticks(&self.evaluation, true) {
            Some(places) => axis.with_places(places),
            None => axis,
        };
        self.over_thresholds("Loss, Λ and refinement loss", x, Some(&self.curves.loss))
    }

    /// The panel of `Λ` and refinement loss, for other scores.
    pub(super) fn two_curves(&self) -> Panel {
        self.over_thresholds("Λ and refinement loss", self.axis("threshold *T*"), None)
    }

    /// The panel of the optimal loss alone.
    pub(super) fn loss(&self) -> Panel {
        let range = extent(&self.curves.loss, (0.0, 1.0));
        let (x, y) = (Axis::new("cost proportion *c*", 0.0, 1.0), axis_with_margin("loss", range));
        let mut panel = Panel::new("Optimal loss", x, y);
        self.draw_loss(&mut panel, Strokes::new(false).loss);
        panel
    }

    /// The panel of `Λ` and refinement loss over thresholds, with the optimal loss if it is given. Curves are drawn from the widest to the one that
    /// must stay visible on top; the legend keeps the order of the paper.
    fn over_thresholds(&self, title: &str, x: Axis, loss: Option<&[CurvePiece]>) -> Panel {
        let ModelCurves { refinement, lambda, .. } = &self.curves;
        let window = x.range();
        let extent = |pieces: &[CurvePiece]| extent(pieces, window);
        let range_of_others = union(extent(refinement), loss.map_or((0.0, 0.0), extent));
        // Where the posterior is very steep, `Λ` must not flatten the other curves.
        let limit = if range_of_others.1 > 0.0 { LAMBDA_LIMIT * range_of_others.1 } else { f64::INFINITY };
        let (lowest, highest) = extent(lambda);
        let range = union(range_of_others, (lowest.max(-limit), highest.min(limit)));
        let y_label = if loss.is_some() { "loss, loss per unit of *T*" } else { "loss per unit of *T*" };
        let y = axis_with_margin(y_label, range);
        let height = y.range();
        let is_same = |a: &[CurvePiece], b: &[CurvePiece]| coincide(a, b, window);
        let coincides_with_loss = |loss: &[CurvePiece]| is_same(loss, refinement) || is_same(loss, lambda);
        let strokes = Strokes::new(is_same(refinement, lambda) || loss.is_some_and(coincides_with_loss));
        let mut panel = Panel::new(title, x, y);
        self.draw_refinement(&mut panel, strokes.refinement);
        if loss.is_some() {
            self.draw_loss(&mut panel, strokes.loss);
        }
        let pieces = self.extended(lambda, [0.0, 0.0]);
        let name = curve_name(&self.lambda_name(), lambda, window, height);
        panel.curve(pieces.into_iter(), strokes.lambda, &name);
        panel.entries_first(1 + usize::from(loss.is_some()));
        self.draw_jumps(&mut panel);
        panel
    }

    /// Draws the optimal loss, with its area in the legend.
    fn draw_loss(&self, panel: &mut Panel, stroke: Stroke) {
        let loss = format_value(self.evaluation.loss(Condition::Cost, Method::Optimal));
        panel.curve(self.curves.loss.iter().copied(), stroke, &format!("loss min Q(t; c), area {loss}"));
    }

    /// Draws the integrand of the refinement loss, and the contributions of atoms as stems.
    fn draw_refinement(&self, panel: &mut Panel, stroke: Stroke) {
        let ModelCurves { refinement, atoms, .. } = &self.curves;
        let whole = format_value(self.evaluation.metric("RL"));
        let masses: Vec<(f64, f64)> =
            atoms.iter().filter(|atom| atom.refinement > 0.0).map(|atom| (atom.x, atom.refinement)).collect();
        let atom_mass = format_mass(masses.iter().map(|(_, mass)| mass).sum());
        let name = if masses.is_empty() {
            format!("refinement loss, area {whole}")
        } else {
            format!("refinement loss {whole}, {atom_mass} of it at atoms")
        };
        panel.curve(self.extended(refinement, [0.0, 0.0]).into_iter(), stroke, &name);
        let full = full_mass(masses.iter().map(|(_, mass)| *mass));
        let name = format!("the same at atoms (full height: {full})");
        Stems { masses: &masses, scale: panel.y.range().1 / full, ink: REFINEMENT, labels: None }.draw(panel, &name);
    }

    /// The contributions of jumps of the posterior to `Λ`, as stems. They are drawn only if all are positive and visible.
    fn draw_jumps(&self, panel: &mut Panel) {
        if !self.are_jumps_drawn() {
            return;
        }
        let masses = &self.curves.lambda_jumps;
        let full = full_mass(masses.iter().map(|(_, mass)| *mass));
        let name = format!("singular part of Λ, at jumps of c (full height: {full})");
        Stems { masses, scale: panel.y.range().1 / full, ink: LAMBDA, labels: None }.draw(panel, &name);
    }

    /// Whether there are jumps, all positive and within the axis.
    fn are_jumps_drawn(&self) -> bool {
        let (low, high) = self.axis("").range();
        let is_seen = |(x, mass): &(f64, f64)| (low..=high).contains(x) && *mass > 0.0;
        !self.curves.lambda_jumps.is_empty() && self.curves.lambda_jumps.iter().all(is_seen)
    }

    /// The legend of `Λ`: its parts and their integrals.
    fn lambda_name(&self) -> String {
        let [drawn, jumps] = self.curves.lambda_parts.map(format_estimate);
        let stems = if self.are_jumps_drawn() { "" } else { " (not drawn)" };
        match (jumps.as_str(), self.evaluation.convex) {
            ("0", _) => format!("Λ = Q(T; c(T)) c′(T), area {drawn}"),
            (_, Some(false)) => format!("Λ: {drawn} along the curve, {jumps} at jumps of c{stems}"),
            _ => format!("Λ: {drawn} bijective + {jumps} singular{stems}"),
        }
    }
}
