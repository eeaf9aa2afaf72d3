//! The illustration of the rate-driven method: the same scores with either class in the majority.

use super::axes::extent;
use super::curves::ModelCurves;
use super::numbers::format_value;
use super::stems::{Stems, full_mass};
use crate::data::curves::{CurvePiece, UnitQuadratic};
use crate::draw::{Axis, Figure, Ink, Palette, Panel, Stroke};
use crate::functional::definition::Reading;
use crate::functional::question::{Asked, CurvePoint, Question, Questions};
use crate::functional::{Condition, Method, Value};
use crate::lang::Diagnostic;
use crate::model::Model;

const FRAME: (f64, f64) = (350.0, 260.0);
/// The proportions of class 0, on the left and on the right.
const PROPORTIONS: [&str; 2] = ["1/4", "3/4"];
const TITLES: [&str; 2] = ["Class 1 is the majority", "Class 0 is the majority"];

/// Two panels with the same score densities. Costs are equal, so that the skew is the proportion of class 0: a quarter on the left, three quarters on
/// the right. Scores up to the rate-driven threshold for that skew are predicted to be of class 0; of an atom at the threshold, the share that the
/// rate requires. Errors are shaded. Their area, together with the masses of atoms, is the loss; the legend compares it with the rate-uniform loss.
///
/// ```
/// use rocproof::draw::{Palette, model::rate_driven};
/// let svg = rate_driven("beta(4, 6)", "beta(6, 4)", Palette::default())?.to_svg();
/// assert!(svg.contains("rate-driven") && svg.contains("rate-uniform"));
/// # Ok::<(), rocproof::lang::Diagnostic>(())
/// ```
pub fn rate_driven(f0: &str, f1: &str, palette: Palette) -> Result<Figure, Diagnostic> {
    let panels = PROPORTIONS.iter().zip(TITLES).map(|(pi0, title)| panel(f0, f1, pi0, title));
    let panels = panels.collect::<Result<Vec<Panel>, Diagnostic>>()?;
    let note =
        format!("f₀: {f0};  f₁: {f1}. Costs are equal, the skew z is π₀, and the shaded area is the loss at it.");
    Ok(Figure::new("Rate-driven thresholds").frame(FRAME.0, FRAME.1).palette(palette).note(&note).row(1.0, panels))
}

/// The rate-driven and the rate-uniform loss at the skew `z`: the definitions, with `z` for the mean condition.
fn losses(model: &Model) -> Result<Vec<Value>, Diagnostic> {
    let z = model.pi0();
    let at_skew = |reading: Reading| reading.text().unwrap_or_default().replace("mean", &z.to_string());
    let driven = Asked::At(at_skew(Method::RateFixed(0.0).reading()).into(), CurvePoint::Rate(z.clone()));
    let uniform = Asked::Integral(at_skew(Method::<f64>::RateUniform.reading()));
    let questions = [driven, uniform].map(|asked| Question::new(asked).over(Condition::Skew));
    Questions::new(&questions)?.best(model)
}

/// A curve multiplied by a weight.
fn weighted(pieces: &[CurvePiece], weight: f64) -> Vec<CurvePiece> {
    let scaled = |piece: &CurvePiece| {
        let UnitQuadratic { start, end, bend } = piece.polynomial;
        let polynomial = UnitQuadratic { start: weight * start, end: weight * end, bend: weight * bend };
        CurvePiece::of(piece.from, piece.to, polynomial)
    };
    pieces.iter().map(scaled).collect()
}

/// The panel of one class proportion: both densities times their proportions, the threshold at the skew `z = pi0`, and the errors shaded.
fn panel(f0: &str, f1: &str, pi0: &str, title: &str) -> Result<Panel, Diagnostic> {
    let model = Model::new(f0, f1, pi0)?;
    let losses = losses(&model)?;
    let (z, pi1) = model.proportions();
    // Rates over skews count the classes as balanced.
    let threshold = model.curve().at_rate(z, 0.5).x;
    let curves = ModelCurves::of(&model);
    let densities = [weighted(&curves.densities[0], z), weighted(&curves.densities[1], pi1)];
    let x = if curves.is_probabilistic { Axis::new("score", 0.0, 1.0) } else { Axis::holding("score", curves.scores) };
    let window = x.range();
    let top = densities.iter().map(|pieces| extent(pieces, window).1).fold(0.0, f64::max);
    let y = Axis::holding("density times proportion", (0.0, if top > 0.0 { top } else { 1.0 }));
    let height = y.range().1;
    let mut panel = Panel::new(&format!("{title}: z = π₀ = {pi0}"), x, y);
    panel.bars([[(window.0, threshold), (0.0, height)]], Ink::Faint, 0.16, "predicted to be of class 0");
    let missed = part(&densities[0], threshold, window.1);
    let false_alarms = part(&densities[1], window.0, threshold);
    panel.area(missed.into_iter(), Ink::Series(0), 0.35, "class 0 above the threshold");
    panel.area(false_alarms.into_iter(), Ink::Series(1), 0.35, "class 1 below it");
    draw_atoms(&mut panel, &curves, [z, pi1]);
    let names = ["π₀ f₀", "π₁ f₁"];
    for (class, pieces) in densities.into_iter().enumerate() {
        panel.curve(pieces.into_iter(), Stroke::of(Ink::Series(class)), names[class]);
    }
    let line = Stroke::of(Ink::Strong).width(1.2).dashed("5 3");
    let [driven, uniform] = [0, 1].map(|k| format_value(losses.get(k)));
    panel.line((threshold, 0.0), (threshold, height), line, &format!("rate-driven threshold, loss {driven}"));
    // A white line: the entry is text only.
    panel.entry(Stroke::of(Ink::Colour("#ffffff")), &format!("rate-uniform loss at the same skew {uniform}"));
    Ok(panel)
}

/// Draws the atoms of each class as stems, their masses multiplied by the class proportions.
fn draw_atoms(panel: &mut Panel, curves: &ModelCurves, proportions: [f64; 2]) {
    let weighted_atoms = |class: usize| {
        let masses = curves.atoms.iter().map(move |atom| (atom.x, proportions[class] * atom.mass[class]));
        masses.filter(|(_, mass)| *mass > 0.0).collect::<Vec<_>>()
    };
    let masses = [weighted_atoms(0), weighted_atoms(1)];
    let full = full_mass(masses.iter().flatten().map(|(_, mass)| *mass));
    let scale = panel.y.range().1 / full;
    for (class, masses) in masses.iter().enumerate() {
        let stems = Stems { masses, scale, ink: Ink::Series(class), labels: None };
        stems.draw(panel, &format!("atoms of class {class} (full height: mass {full})"));
    }
}

/// The part of a curve between two abscissae.
fn part(pieces: &[CurvePiece], from: f64, to: f64) -> Vec<CurvePiece> {
    let within = pieces.iter().filter(|piece| piece.to > from && piece.from < to);
    within.map(|piece| piece.part(piece.from.max(from), piece.to.min(to))).collect()
}
