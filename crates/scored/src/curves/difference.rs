//! One curve minus another.

use super::piece::CurvePiece;
use rocproof_engine::functional::program::Algebra;

/// Subtracts pieces on the intersections of their intervals. Pieces of width 0 are dropped; a vertical part leaves a jump.
pub(super) fn difference<'a>(
    curve: impl Iterator<Item = CurvePiece> + 'a,
    subtracted: impl Iterator<Item = CurvePiece> + 'a,
) -> impl Iterator<Item = CurvePiece> + 'a {
    let has_width = |piece: &CurvePiece| piece.width() > 0.0;
    let mut curve = curve.filter(has_width).peekable();
    let mut subtracted = subtracted.filter(has_width).peekable();
    std::iter::from_fn(move || {
        loop {
            let (a, b) = (*curve.peek()?, *subtracted.peek()?);
            // Advance the curve whose piece ends first, or both.
            if a.to <= b.to {
                curve.next();
            }
            if b.to <= a.to {
                subtracted.next();
            }
            let (from, to) = (a.from.max(b.from), a.to.min(b.to));
            if from < to {
                let [a, b] = [a, b].map(|piece| piece.part(from, to));
                return Some(CurvePiece { polynomial: a.polynomial.minus(&b.polynomial), ..a });
            }
        }
    })
}
