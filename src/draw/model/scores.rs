//! The panels over scores: densities with the slope of the posterior, distribution functions with the posterior.

use super::axes::{axis_with_margin, curve_name, extent, union};
use super::curves::ModelCurves;
use super::portrait::Portrait;
use super::stems::{Stems, full_mass};
use crate::data::curves::{CurvePiece, Side};
use crate::draw::{Anchor, Ink, Panel, Stroke};

/// The colours of both classes and of the posterior.
const CLASS: [Ink; 2] = [Ink::Series(0), Ink::Series(1)];
const POSTERIOR: Ink = Ink::Series(6);
/// The dash pattern of class 1, so that both classes are visible where they coincide.
const DASH: &str = "7 4";
/// Atoms are labelled with their masses if there are at most `LABELLED`, at least `APART` from each other as a share of the axis.
const LABELLED: usize = 6;
const APART: f64 = 0.16;
/// A smaller mass of one class is not drawn at an atom of the other.
const UNSEEN: f64 = 1e-6;
/// A distribution function that ends this close to 1 does not jump there.
const ROUNDING: f64 = 1e-7;
/// The slope of the posterior is clipped at this multiple of the height of the densities.
const SLOPE_LIMIT: f64 = 2.5;
/// The distance of each class's stem from its atom, as a share of the axis.
const ASIDE: f64 = 0.004;

impl Portrait {
    /// The densities with the slope of the posterior, and atoms as stems. If there are only atoms, the axis is that of their masses.
    pub(super) fn densities(&self) -> Panel {
        let ModelCurves { densities, slope, atoms, .. } = &self.curves;
        let x = self.axis("threshold *T*");
        let window = x.range();
        let density_range = union(extent(&densities[0], window), extent(&densities[1], window));
        // A steep posterior must not flatten the densities.
        let (lowest_slope, highest_slope) = extent(slope, window);
        let highest = if density_range.1 > 0.0 { density_range.1 } else { highest_slope.max(-lowest_slope) };
        let limit = SLOPE_LIMIT * highest;
        let range = union(density_range, (lowest_slope.max(-limit), highest_slope.min(limit)));
        let has_only_atoms = range == (0.0, 0.0) && !atoms.is_empty();
        let full = full_mass(atoms.iter().flat_map(|atom| atom.mass));
        let y = if has_only_atoms { axis_with_margin("mass", (0.0, full)) } else { axis_with_margin("density", range) };
        let height = y.range();
        let scale = if has_only_atoms { 1.0 } else { height.1 / full };
        let title = if has_only_atoms { "Masses" } else { "Densities and c′(T)" };
        let mut panel = Panel::new(title, x, y);
        if !has_only_atoms {
            for class in [0, 1] {
                let stroke = class_stroke(class);
                let pieces = self.extended(&densities[class], [0.0, 0.0]);
                let name = curve_name(["f₀(T)", "f₁(T)"][class], &pieces, window, height);
                panel.curve(pieces.into_iter(), stroke, &name);
            }
            if !slope.is_empty() {
                let stroke = Stroke::of(POSTERIOR).width(1.4).dashed("2 2.5");
                panel.curve(slope.iter().copied(), stroke, &curve_name("c′(T)", slope, window, height));
            }
        }
        let remark = if has_only_atoms { String::new() } else { format!(" (full height: mass {full})") };
        self.draw_atoms(&mut panel, scale, &remark);
        panel
    }

    /// Draws the atoms of both classes as stems, class 0 on the left of its score and class 1 on the right. `scale` is the height of a mass of 1;
    /// `remark` follows the names in the legend.
    fn draw_atoms(&self, panel: &mut Panel, scale: f64, remark: &str) {
        let window = panel.x.range();
        let aside = ASIDE * (window.1 - window.0);
        let has_labels = self.has_room_for_labels(window);
        for (class, ink) in CLASS.into_iter().enumerate() {
            let (sign, anchor) = if class == 0 { (-1.0, Anchor::Left) } else { (1.0, Anchor::Right) };
            let abscissa = |score: f64| score.clamp(window.0 + 2.0 * aside, window.1 - 2.0 * aside) + sign * aside;
            let visible = self.curves.atoms.iter().filter(|atom| atom.mass[class] > UNSEEN);
            let masses: Vec<(f64, f64)> = visible.map(|atom| (abscissa(atom.x), atom.mass[class])).collect();
            let stems = Stems { masses: &masses, scale, ink, labels: has_labels.then_some(anchor) };
            stems.draw(panel, &format!("atoms of class {class}{remark}"));
        }
    }

    /// A distribution function with its limits 0 and 1, if atoms at the ends make it jump there.
    fn with_ends(&self, pieces: &[CurvePiece]) -> Vec<CurvePiece> {
        let (first, last) = self.ends();
        let jumps_at_first = pieces.first().is_none_or(|piece| piece.left() > 0.0);
        let jumps_at_last = pieces.last().is_none_or(|piece| piece.right() < 1.0 - ROUNDING);
        let before = jumps_at_first.then(|| CurvePiece::straight(first, first, 0.0, 0.0));
        let after = jumps_at_last.then(|| CurvePiece::straight(last, last, 1.0, 1.0));
        before.into_iter().chain(pieces.iter().copied()).chain(after).collect()
    }

    /// Whether there is room to label atoms with their masses.
    fn has_room_for_labels(&self, (low, high): (f64, f64)) -> bool {
        let atoms = &self.curves.atoms;
        atoms.len() <= LABELLED && atoms.windows(2).all(|pair| pair[1].x - pair[0].x >= APART * (high - low))
    }

    /// The distribution functions with the posterior.
    pub(super) fn distributions(&self) -> Panel {
        let ModelCurves { distributions, posterior, atoms, .. } = &self.curves;
        let mut panel = Panel::new(
            "Distribution functions and c(T)",
            self.axis("threshold *T*"),
            axis_with_margin("probability", (0.0, 1.0)),
        );
        let name = if atoms.is_empty() { "c(T)" } else { "c(T), at an atom a dot" };
        panel.curve(posterior.iter().copied(), Stroke::of(POSTERIOR).width(3.0).dashed(""), name);
        for class in [0, 1] {
            let stroke = class_stroke(class);
            let pieces = self.extended(&self.with_ends(&distributions[class]), [0.0, 1.0]);
            panel.jumping_curve(pieces.into_iter(), stroke, Side::Right, ["F₀(T)", "F₁(T)"][class]);
        }
        if !atoms.is_empty() {
            panel.points(atoms.iter().map(|atom| (atom.x, atom.posterior)), POSTERIOR, "");
        }
        panel.entries_first(2);
        panel
    }
}

/// The style of a class's curves.
fn class_stroke(class: usize) -> Stroke {
    Stroke::of(CLASS[class]).dashed(if class == 0 { "" } else { DASH })
}
