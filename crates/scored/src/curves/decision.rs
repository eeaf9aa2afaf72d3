//! Net benefit and net interventions avoided by threshold probability.

use super::piece::{CurvePiece, Divisor, UnitQuadratic};

/// The instances that are treated for threshold probabilities above the previous ones, up to one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Treatment {
    /// The largest threshold probability.
    pub up_to: f64,
    /// The share of each class that is treated: `F0` and `F1`.
    pub treated: [f64; 2],
    /// The share of each class that is not.
    pub untreated: [f64; 2],
}

impl Treatment {
    /// Everybody is treated, whatever the threshold probability.
    pub(super) const ALL: Treatment = Treatment { up_to: 1.0, treated: [1.0; 2], untreated: [0.0; 2] };
    /// Nobody is treated.
    pub(super) const NONE: Treatment = Treatment { up_to: 1.0, treated: [0.0; 2], untreated: [1.0; 2] };
}

/// Net benefit: `{(1-p) π0 F0 - p π1 F1} / (1-p)`.
pub(super) fn net_benefit(
    treatments: impl Iterator<Item = Treatment>,
    [pi0, pi1]: [f64; 2],
) -> impl Iterator<Item = CurvePiece> {
    let numerator = move |p: f64, at: &Treatment| (1.0 - p) * pi0 * at.treated[0] - p * pi1 * at.treated[1];
    pieces(treatments, Divisor::Complement, numerator)
}

/// Net interventions avoided: `{p π1 (1-F1) - (1-p) π0 (1-F0)} / p`.
pub(super) fn interventions_avoided(
    treatments: impl Iterator<Item = Treatment>,
    [pi0, pi1]: [f64; 2],
) -> impl Iterator<Item = CurvePiece> {
    let numerator = move |p: f64, at: &Treatment| p * pi1 * at.untreated[1] - (1.0 - p) * pi0 * at.untreated[0];
    pieces(treatments, Divisor::Abscissa, numerator)
}

/// Pieces between threshold probabilities, with a numerator that is linear in `p`. A probability of 0 is a single point of net benefit.
fn pieces(
    treatments: impl Iterator<Item = Treatment>,
    divisor: Divisor,
    numerator: impl Fn(f64, &Treatment) -> f64,
) -> impl Iterator<Item = CurvePiece> {
    let mut from = 0.0;
    treatments.filter_map(move |at| {
        let is_point = at.up_to == 0.0 && divisor == Divisor::Complement;
        let piece = (from < at.up_to || is_point).then(|| CurvePiece {
            from,
            to: at.up_to,
            polynomial: UnitQuadratic::straight(numerator(from, &at), numerator(at.up_to, &at)),
            divisor,
        });
        from = at.up_to;
        piece
    })
}
