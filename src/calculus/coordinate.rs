//! The coordinate of an arc.
//!
//! A density that behaves like `(x-a)^(p-1)` near an end is no polynomial there, but `(x-a) = s·e^v` turns its mass
//! into `e^(pv) dv`, which is. So each arc has a coordinate `v`, a way
//! from `v` to the score that keeps the distances to both ends exact, and `dx/dv`.

use super::rule::{Lane, NODES, RULE};

/// Scores at the nodes of a panel with their exact distances to the ends of the arc they lie on.
pub struct Places {
    /// The left end of the arc.
    pub a: f64,
    /// The right end of the arc.
    pub b: f64,
    /// The scores.
    pub x: Lane,
    /// `x - a`.
    pub left: Lane,
    /// `b - x`.
    pub right: Lane,
    /// `dx/dv`, times the width of the panel.
    pub dx: Lane,
}

impl Places {
    /// The distance of node `i` above `lo`, exact when the arc starts there.
    pub fn above(&self, lo: f64, i: usize) -> f64 {
        if lo == self.a { self.left[i] } else { self.x[i] - lo }
    }

    /// The distance of node `i` below `hi`, exact when the arc ends there.
    pub fn below(&self, hi: f64, i: usize) -> f64 {
        if hi == self.b { self.right[i] } else { hi - self.x[i] }
    }
}

/// How the coordinate maps to scores on an arc from `a` to `b`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Coordinate {
    /// `x = a + v`.
    Linear {
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

/// How far an exponential coordinate must go for a mass that ends like `(distance)^p`: to 1e-20 of it, or as far as `f64`
/// goes.
pub fn end_reach(p: f64) -> f64 {
    (46.0 / p.max(1e-3)).min(690.0)
}

impl Coordinate {
    /// The ends of the arc.
    pub fn ends(self) -> (f64, f64) {
        match self {
            Coordinate::Linear { a, b } | Coordinate::Left { a, b } | Coordinate::Right { a, b } => (a, b),
        }
    }

    /// The score at coordinate `v`, its distances to the left and right end, and `dx/dv`.
    pub fn place(self, v: f64) -> (f64, f64, f64, f64) {
        match self {
            Coordinate::Linear { a, b } => {
                let right = (b - a) - v;
                (if v < right { a + v } else { b - right }, v, right, 1.0)
            }
            Coordinate::Left { a, b } => {
                let (left, right) = ((b - a) * v.exp(), -(b - a) * v.exp_m1());
                (if left < right { a + left } else { b - right }, left, right, left)
            }
            Coordinate::Right { a, b } => {
                let (left, right) = (-(b - a) * (-v).exp_m1(), (b - a) * (-v).exp());
                (if left < right { a + left } else { b - right }, left, right, right)
            }
        }
    }

    /// The coordinate of a score on the arc.
    pub fn of(self, x: f64) -> f64 {
        match self {
            Coordinate::Linear { a, .. } => x - a,
            Coordinate::Left { a, b } => ((x - a) / (b - a)).ln().min(0.0),
            Coordinate::Right { a, b } => -((b - x) / (b - a)).ln().min(0.0),
        }
    }

    /// The nodes of the panel `[v0, v1]`.
    pub fn places(self, v0: f64, v1: f64) -> Places {
        let (a, b) = self.ends();
        let width = v1 - v0;
        let mut places = Places { a, b, x: [0.0; NODES], left: [0.0; NODES], right: [0.0; NODES], dx: [0.0; NODES] };
        for i in 0..NODES {
            let (x, left, right, dx) = self.place(v0 + width * RULE.nodes[i]);
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
        let (x, left, right, dx) = Coordinate::Left { a: 0.0, b: 1.0 }.place(-600.0);
        assert!(x == left && left > 0.0 && right == 1.0 && dx == left);
        let (x, _, right, _) = Coordinate::Right { a: 0.0, b: 1.0 }.place(600.0);
        assert!(x == 1.0 && right > 0.0 && right < 1e-260);
    }

    #[test]
    fn of_inverts_place() {
        let maps = [
            Coordinate::Linear { a: -1.0, b: 3.0 },
            Coordinate::Left { a: -1.0, b: 3.0 },
            Coordinate::Right { a: -1.0, b: 3.0 },
        ];
        for map in maps {
            for x in [1.0, 1.5, 2.75] {
                assert!((map.place(map.of(x)).0 - x).abs() < 1e-14, "{map:?} at {x}");
            }
        }
    }
}
