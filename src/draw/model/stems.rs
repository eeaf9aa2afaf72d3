//! Point masses as stems.

use super::numbers::estimated;
use crate::calculus::Estimate;
use crate::draw::{Anchor, Ink, Panel, Stroke};

/// Stems of full height stand for one of these masses.
const FULL: [f64; 10] = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0];
/// So close to the frame, as a share of its width, there is no room for a number.
const EDGE: f64 = 0.13;
/// Lower stems, as a share of the height of the frame, have no number.
const LEAST: f64 = 0.01;
/// Masses that are so many parts of one are written as they are.
const ROUND: f64 = 1e4;

/// A sum of a few numbers that were computed with no more than rounding.
pub(super) fn rounded(value: f64) -> Estimate {
    Estimate { value, error: 1e-12 * value.abs() }
}

/// The round mass that the highest stem comes closest to from below.
pub(super) fn full_mass(masses: impl Iterator<Item = f64>) -> f64 {
    let largest = masses.fold(0.0, f64::max);
    FULL.into_iter().find(|full| largest <= *full).unwrap_or(1.0)
}

/// A mass in few digits.
pub(super) fn written(mass: f64) -> String {
    let round = (mass * ROUND).round() / ROUND;
    if (round - mass).abs() < 1e-12 { round.to_string() } else { estimated(rounded(mass)) }
}

/// Masses at scores.
pub(super) struct Stems<'a> {
    /// Where, and how much.
    pub masses: &'a [(f64, f64)],
    /// How high a mass of one is.
    pub scale: f64,
    /// The colour.
    pub ink: Ink,
    /// On which side the masses are written, if there is room for them.
    pub labels: Option<Anchor>,
}

impl Stems<'_> {
    /// Draws stems with heads.
    pub(super) fn draw(&self, panel: &mut Panel, name: &str) {
        let (low, high) = panel.x.range();
        let (scale, top) = (self.scale, panel.y.range().1);
        for (k, (x, mass)) in self.masses.iter().enumerate() {
            let stroke = Stroke::of(self.ink).width(2.0).dashed("");
            panel.line((*x, 0.0), (*x, mass * scale), stroke, if k == 0 { name } else { "" });
            if let Some(anchor) = self.labels.filter(|_| *mass >= LEAST * top / scale) {
                // Not across the frame.
                let share = (x - low) / (high - low);
                let anchor = if share < EDGE { Anchor::Right } else { anchor };
                let anchor = if share > 1.0 - EDGE { Anchor::Left } else { anchor };
                panel.text((*x, mass * scale), &written(*mass), anchor);
            }
        }
        panel.points(self.masses.iter().map(|(x, mass)| (*x, mass * scale)), self.ink, "");
    }
}
