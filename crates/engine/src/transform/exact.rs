//! The score transforms and the paper's classification of intervals, at the exact level.

use super::IntervalKind;
use super::exact_hull::exact_hull;
use crate::model::Transform;
use crate::model::exact_curve::{ExactArc, ExactCorner, ExactCurve, ExactPiece, ExactPoint, Undecided, posterior};
use rocproof_arith::{Number, Rational, RationalFunction};

/// Applies a transform to a curve, for given class proportions.
pub fn apply(curve: &ExactCurve, transform: Transform, proportions: &[Rational; 2]) -> Result<ExactCurve, Undecided> {
    match transform {
        Transform::Conv => conv(curve),
        Transform::Cal => cal(curve, proportions),
        Transform::Even => Ok(even(curve, proportions)),
    }
}

/// `Conv(m)`: the upper hull.
pub fn conv(curve: &ExactCurve) -> Result<ExactCurve, Undecided> {
    exact_hull(curve).map(|(hull, _)| hull)
}

/// `Even(m)`: the score becomes the predicted positive rate.
pub fn even(curve: &ExactCurve, proportions: &[Rational; 2]) -> ExactCurve {
    let label = |point: &ExactPoint| ExactPoint { x: point.rate(proportions), ..point.clone() };
    let pieces = curve.massive().map(|(_, piece)| match piece {
        ExactPiece::Arc(arc) => {
            ExactPiece::Arc(ExactArc { x: RationalFunction::from(arc.rate(proportions)), ..arc.clone() })
        }
        ExactPiece::Straight { from, to, tangent } => {
            ExactPiece::Straight { from: label(from), to: label(to), tangent: *tangent }
        }
    });
    ExactCurve { pieces: pieces.collect(), range: [Rational::ZERO, Rational::ONE] }
}

/// `Cal(m)`: along the hull the score becomes the posterior. A straight piece becomes an atom, a corner a gap.
pub fn cal(curve: &ExactCurve, proportions: &[Rational; 2]) -> Result<ExactCurve, Undecided> {
    let hull = conv(curve)?;
    let label = |point: ExactPoint, x: &Number| ExactPoint { x: x.clone(), ..point };
    let mut corners = hull.corners(proportions)?.into_iter().peekable();
    let mut pieces = Vec::with_capacity(hull.pieces.len());
    let gap = |at: ExactPoint, [from, to]: &[Number; 2]| ExactPiece::straight(label(at.clone(), from), label(at, to));
    for (index, piece) in hull.massive() {
        if let Some(corner) = corners.next_if(|corner| corner.before == index) {
            pieces.push(gap(corner.at, &corner.posterior));
        }
        pieces.push(match piece {
            ExactPiece::Arc(arc) if !arc.is_straight() => {
                // c = π1 g1/(π0 g0 + π1 g1) for the direction (g0, g1).
                let [g0, g1] = [0, 1].map(|k| arc.direction[k].scaled(&proportions[k]));
                let c = RationalFunction::new(g1.clone(), &g0 + &g1);
                ExactPiece::Arc(ExactArc { x: c, ..arc.clone() })
            }
            straight => {
                let c = posterior(&straight.directions()[0], proportions);
                let (from, to) = (label(straight.start(), &c), label(straight.end(), &c));
                ExactPiece::Straight { from, to, tangent: straight.tangent() }
            }
        });
    }
    pieces.extend(corners.map(|corner| gap(corner.at, &corner.posterior)));
    Ok(ExactCurve { pieces, range: [Rational::ZERO, Rational::ONE] })
}

/// An interval of thresholds with its interval of posteriors.
#[derive(Clone, Debug)]
pub struct ExactInterval {
    /// How the posterior behaves.
    pub kind: IntervalKind,
    /// The thresholds.
    pub tau: [Number; 2],
    /// The posteriors.
    pub sigma: [Number; 2],
}

impl ExactInterval {
    /// Whether the next interval continues this one: both are of one kind, and of one posterior if they are constant.
    fn joins(&self, next: &ExactInterval) -> bool {
        self.kind == next.kind && (next.kind != IntervalKind::Constant || self.has_posterior_of(next))
    }

    /// Whether this interval ends with the posterior that the next one starts with.
    fn has_posterior_of(&self, next: &ExactInterval) -> bool {
        self.sigma[1].is_same(&next.sigma[0]) || (&self.sigma[1] - &next.sigma[0]).is_zero()
    }
}

/// The bijective, constant and singular intervals of a curve that is its own hull.
pub fn intervals_of_hull(hull: &ExactCurve, proportions: &[Rational; 2]) -> Result<Vec<ExactInterval>, Undecided> {
    let mut intervals: Vec<ExactInterval> = Vec::new();
    let singular = |corner: ExactCorner| {
        let tau = [corner.at.x.clone(), corner.at.x];
        ExactInterval { kind: IntervalKind::Singular, tau, sigma: corner.posterior }
    };
    let mut corners = hull.corners(proportions)?.into_iter().peekable();
    for (index, piece) in hull.pieces.iter().enumerate() {
        if let Some(corner) = corners.next_if(|corner| corner.before == index) {
            append(&mut intervals, singular(corner));
        }
        let tau = [piece.start().x, piece.end().x];
        let (kind, sigma) = match piece {
            ExactPiece::Arc(arc) if !arc.is_straight() => {
                (IntervalKind::Bijective, piece.directions().map(|d| posterior(&d, proportions)))
            }
            straight if straight.has_mass() => {
                let c = posterior(&straight.directions()[0], proportions);
                (IntervalKind::Constant, [c.clone(), c])
            }
            // A gap: the posterior stays.
            _ => {
                let c = intervals.last().map_or(Number::ZERO, |last| last.sigma[1].clone());
                (IntervalKind::Singular, [c.clone(), c])
            }
        };
        append(&mut intervals, ExactInterval { kind, tau, sigma });
    }
    for corner in corners {
        append(&mut intervals, singular(corner));
    }
    Ok(intervals)
}

/// Appends an interval, merged with the last one if they are of one kind. A gap between two constant intervals of one posterior is merged
/// as well: the ROC curve is straight across it.
fn append(intervals: &mut Vec<ExactInterval>, next: ExactInterval) {
    if let Some(last) = intervals.last_mut()
        && last.joins(&next)
    {
        (last.tau[1], last.sigma[1]) = (next.tau[1].clone(), next.sigma[1].clone());
        return;
    }
    if let [.., before, gap] = intervals.as_mut_slice()
        && next.kind == IntervalKind::Constant
        && gap.kind == IntervalKind::Singular
        && before.joins(&next)
    {
        before.tau[1] = next.tau[1].clone();
        intervals.pop();
        return;
    }
    intervals.push(next);
}
