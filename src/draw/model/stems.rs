//! Point masses as stems.

use super::numbers::format_estimate;
use crate::calculus::Estimate;
use crate::draw::{Anchor, Ink, Panel, Stroke};

/// The masses that a stem of full height can stand for.
const FULL: [f64; 10] = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0];
/// Closer to the frame than this share of its width, labels are placed on the inner side.
const EDGE: f64 = 0.13;
/// Stems lower than this share of the frame have no label.
const LEAST: f64 = 0.01;
/// Masses that are multiples of `1/ROUND` are written exactly.
const ROUND: f64 = 1e4;

/// The relative error of a computed mass.
const ROUNDING: f64 = 1e-12;

/// The smallest round mass that no stem exceeds.
pub(super) fn full_mass(masses: impl Iterator<Item = f64>) -> f64 {
    let largest = masses.fold(0.0, f64::max);
    FULL.into_iter().find(|full| largest <= *full).unwrap_or(1.0)
}

/// A mass with few digits.
pub(super) fn format_mass(mass: f64) -> String {
    let round = (mass * ROUND).round() / ROUND;
    if (round - mass).abs() < ROUNDING {
        return round.to_string();
    }
    format_estimate(Estimate { value: mass, error: ROUNDING * mass.abs() })
}

/// Point masses as stems.
pub(super) struct Stems<'a> {
    /// Scores and masses.
    pub masses: &'a [(f64, f64)],
    /// The height of a mass of 1.
    pub scale: f64,
    /// The colour.
    pub ink: Ink,
    /// The side of the labels, if stems are labelled.
    pub labels: Option<Anchor>,
}

impl Stems<'_> {
    /// Draws a line with a dot on top for each mass. `name` goes into the legend once.
    pub(super) fn draw(&self, panel: &mut Panel, name: &str) {
        let (low, high) = panel.x.range();
        let (scale, top) = (self.scale, panel.y.range().1);
        for (k, (x, mass)) in self.masses.iter().enumerate() {
            let stroke = Stroke::of(self.ink).width(2.0).dashed("");
            panel.line((*x, 0.0), (*x, mass * scale), stroke, if k == 0 { name } else { "" });
            if let Some(anchor) = self.labels.filter(|_| *mass >= LEAST * top / scale) {
                // Keep labels inside of the frame.
                let share = (x - low) / (high - low);
                let anchor = if share < EDGE { Anchor::Right } else { anchor };
                let anchor = if share > 1.0 - EDGE { Anchor::Left } else { anchor };
                panel.text((*x, mass * scale), &format_mass(*mass), anchor);
            }
        }
        panel.points(self.masses.iter().map(|(x, mass)| (*x, mass * scale)), self.ink, "");
    }
}
