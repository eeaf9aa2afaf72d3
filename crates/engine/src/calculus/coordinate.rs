//! The coordinate of an arc, which resolves singular ends.
//!
//! A density that behaves like `(x-a)^(p-1)` near an end is not smooth there. The substitution `x-a = s·e^v` turns its mass into `e^(pv) dv`,
//! which is. So each arc has a coordinate `v` and a map from `v` to the score, its exact distances to both ends, and `dx/dv`.

use super::rule::{NODES, RULE, SITES, Sites};
use std::cell::OnceCell;

/// Scores at the sites of a panel, with their exact distances to the ends of the arc.
pub struct Places {
    /// The left end of the arc.
    pub a: f64,
    /// The right end of the arc.
    pub b: f64,
    /// The scores.
    pub x: Sites,
    /// `x - a`.
    pub left: Sites,
    /// `b - x`.
    pub right: Sites,
    /// `dx/dv`, times the width of the panel.
    pub dx: Sites,
    /// The logarithms of `left` and of `right`, computed when first needed.
    logs: [OnceCell<Sites>; 2],
}

impl Places {
    /// All sites at a single score, given its distances to the ends of the arc.
    pub fn at((a, b): (f64, f64), x: f64, left: f64, right: f64) -> Places {
        let logs = [OnceCell::new(), OnceCell::new()];
        Places { a, b, x: [x; SITES], left: [left; SITES], right: [right; SITES], dx: [1.0; SITES], logs }
    }

    /// The logarithms of the distances above `lo`; cached if the arc starts at `lo`.
    pub(crate) fn log_above(&self, lo: f64) -> Sites {
        if lo == self.a {
            return *self.logs[0].get_or_init(|| {
                std::array::from_fn(|i| log_of_distance(self.left[i], self.right[i], self.b - self.a))
            });
        }
        let span = self.b - lo;
        std::array::from_fn(|i| log_of_distance(self.above(lo, i), self.right[i], span))
    }

    /// The logarithms of the distances below `hi`; cached if the arc ends at `hi`.
    pub(crate) fn log_below(&self, hi: f64) -> Sites {
        if hi == self.b {
            return *self.logs[1].get_or_init(|| {
                std::array::from_fn(|i| log_of_distance(self.right[i], self.left[i], self.b - self.a))
            });
        }
        let span = hi - self.a;
        std::array::from_fn(|i| log_of_distance(self.below(hi, i), self.left[i], span))
    }

    /// The signed distance of site `i` from a point near the arc. It is computed from the distances to the ends, so it is accurate even if the
    /// arc is tiny compared with its scores.
    pub(crate) fn signed_distance(&self, point: f64, i: usize) -> f64 {
        if self.left[i] <= self.right[i] && self.left[i].is_finite() {
            (self.a - point) + self.left[i]
        } else if self.right[i].is_finite() {
            (self.b - point) - self.right[i]
        } else {
            self.x[i] - point
        }
    }

    /// The distance of site `i` above `lo`, exact if the arc starts there.
    pub fn above(&self, lo: f64, i: usize) -> f64 {
        if lo == self.a { self.left[i] } else { self.signed_distance(lo, i) }
    }

    /// The distance of site `i` below `hi`, exact if the arc ends there.
    pub fn below(&self, hi: f64, i: usize) -> f64 {
        if hi == self.b { self.right[i] } else { -self.signed_distance(hi, i) }
    }
}

/// `ln distance`, given `distance + complement = span`. If the complement is the smaller one, it is more accurate, and the logarithm is
/// computed from it.
fn log_of_distance(distance: f64, complement: f64, span: f64) -> f64 {
    if complement < distance && span.is_finite() { span.ln() + (-complement / span).ln_1p() } else { distance.ln() }
}

/// A score on an arc, with its exact distances to both ends.
#[derive(Clone, Copy, Debug)]
pub struct ArcScore {
    /// The score.
    pub x: f64,
    /// `x - a`, the distance to the left end.
    pub left: f64,
    /// `b - x`, the distance to the right end.
    pub right: f64,
    /// `dx/dv`, the derivative by the coordinate.
    pub dx: f64,
}

/// The map from the coordinate to scores on an arc from `a` to `b`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Coordinate {
    /// `x = a + v`: for the left half of the arc.
    FromLeft {
        /// Left end.
        a: f64,
        /// Right end.
        b: f64,
    },
    /// `x = b + v` for `v <= 0`: for the right half of the arc, so that distances to its end stay exact.
    FromRight {
        /// Left end.
        a: f64,
        /// Right end.
        b: f64,
    },
    /// `x = a + (b-a)e^v` for `v <= 0`: the left end is singular.
    Left {
        /// Left end.
        a: f64,
        /// Right end.
        b: f64,
    },
    /// `x = b - (b-a)e^-v` for `v >= 0`: the right end is singular.
    Right {
        /// Left end.
        a: f64,
        /// Right end.
        b: f64,
    },
}

/// Minus the logarithm of the smallest distance in an exponential coordinate. Smaller ones underflow: `e^-708` is about the smallest normal
/// `f64`.
pub(crate) const LARGEST_REACH: f64 = 690.0;

/// The extent of an exponential coordinate for a mass that vanishes like `distance^p`, from the distance `longest` down to 1e-20 of the mass,
/// or to the smallest `f64`.
pub(crate) fn end_reach(p: f64, longest: f64) -> f64 {
    /// `-ln 1e-20`, rounded: the mass at coordinate `-v` is `e^(-pv)` of the whole.
    const LOG_OF_MASS: f64 = 46.0;
    let most = (LARGEST_REACH + longest.ln()).clamp(0.0, LARGEST_REACH);
    (LOG_OF_MASS / p.max(1e-3)).min(most)
}

impl Coordinate {
    /// The ends of the arc.
    pub fn ends(self) -> (f64, f64) {
        match self {
            Coordinate::FromLeft { a, b }
            | Coordinate::FromRight { a, b }
            | Coordinate::Left { a, b }
            | Coordinate::Right { a, b } => (a, b),
        }
    }

    /// The score at coordinate `v`.
    pub fn place(self, v: f64) -> ArcScore {
        // From the nearer end, where less is lost to rounding.
        let from_nearer_end = |a: f64, b: f64, left: f64, right: f64| if left < right { a + left } else { b - right };
        match self {
            Coordinate::FromLeft { a, b } => ArcScore { x: a + v, left: v, right: (b - a) - v, dx: 1.0 },
            Coordinate::FromRight { a, b } => ArcScore { x: b + v, left: (b - a) + v, right: -v, dx: 1.0 },
            Coordinate::Left { a, b } => {
                let (left, right) = ((b - a) * v.exp(), -(b - a) * v.exp_m1());
                ArcScore { x: from_nearer_end(a, b, left, right), left, right, dx: left }
            }
            Coordinate::Right { a, b } => {
                let (left, right) = (-(b - a) * (-v).exp_m1(), (b - a) * (-v).exp());
                ArcScore { x: from_nearer_end(a, b, left, right), left, right, dx: right }
            }
        }
    }

    /// The coordinate of a score on the arc.
    pub fn of(self, x: f64) -> f64 {
        match self {
            Coordinate::FromLeft { a, .. } | Coordinate::Left { a, .. } => self.of_distance(x - a),
            Coordinate::FromRight { b, .. } | Coordinate::Right { b, .. } => self.of_distance(b - x),
        }
    }

    /// The coordinate at a distance from the end that the coordinate starts from.
    pub fn of_distance(self, distance: f64) -> f64 {
        match self {
            Coordinate::FromLeft { .. } => distance,
            Coordinate::FromRight { .. } => -distance,
            Coordinate::Left { a, b } => (distance / (b - a)).ln().min(0.0),
            Coordinate::Right { a, b } => -(distance / (b - a)).ln().min(0.0),
        }
    }

    /// The scores at the sites of the panel `[v0, v1]`.
    pub fn places(self, v0: f64, v1: f64) -> Places {
        let (a, b) = self.ends();
        let width = v1 - v0;
        let mut places = Places::at((a, b), 0.0, 0.0, 0.0);
        for i in 0..SITES {
            // The nodes come first, then the start, then the end.
            let v = match i {
                _ if i < NODES => v0 + width * RULE.nodes[i],
                NODES => v0,
                _ => v1,
            };
            let ArcScore { x, left, right, dx } = self.place(v);
            places.x[i] = x;
            places.left[i] = left;
            places.right[i] = right;
            places.dx[i] = dx * width;
        }
        places
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_stay_exact_at_singular_ends() {
        let ArcScore { x, left, right, dx } = Coordinate::Left { a: 0.0, b: 1.0 }.place(-600.0);
        assert!(x == left && left > 0.0 && right == 1.0 && dx == left);
        // e^-600 is about 3e-261: `x` rounds to 1, the distance does not round to 0.
        let ArcScore { x, right, .. } = Coordinate::Right { a: 0.0, b: 1.0 }.place(600.0);
        assert!(x == 1.0 && right > 0.0 && right < 1e-260);
    }

    #[test]
    fn of_inverts_place() {
        let maps = [
            Coordinate::FromLeft { a: -1.0, b: 3.0 },
            Coordinate::FromRight { a: -1.0, b: 3.0 },
            Coordinate::Left { a: -1.0, b: 3.0 },
            Coordinate::Right { a: -1.0, b: 3.0 },
        ];
        for map in maps {
            for x in [1.0, 1.5, 2.75] {
                assert!((map.place(map.of(x)).x - x).abs() < 1e-14, "{map:?} at {x}");
            }
        }
    }
}
