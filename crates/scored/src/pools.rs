//! Pooling of adjacent violators: the segments of the ROC hull, with the scores that each spans.

use super::scored::Tie;
use super::segments::{Segment, compare_shares, pool};

/// A segment of the ROC hull: adjacent ties pooled into one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pool {
    /// The smallest score of the pool.
    pub first: f64,
    /// The largest score of the pool.
    pub last: f64,
    /// The weight of class 0 and of class 1.
    pub mass: [f64; 2],
}

/// Pools adjacent ties until the share of class 1 grows strictly from pool to pool. Ties must come in the order of their scores.
///
/// ```
/// use rocproof_scored::{Scored, pools};
/// let data = Scored::from_rows(&[0.1, 0.2, 0.3, 0.4], &[false, true, false, true], None).unwrap();
/// let spans: Vec<_> = pools(data.ties()).iter().map(|pool| (pool.first, pool.last)).collect();
/// assert_eq!(spans, [(0.1, 0.1), (0.2, 0.3), (0.4, 0.4)]);
/// ```
pub fn pools(ties: impl Iterator<Item = Tie>) -> Vec<Pool> {
    let mut hull = Vec::new();
    ties.for_each(|Tie { x, mass }| pool(&mut hull, Segment::at([x, 1.0 - x], mass)));
    let mut pools: Vec<Pool> = Vec::with_capacity(hull.len());
    for segment in hull {
        // Segments with equal shares of class 1 are collinear, and become one pool.
        match pools.last_mut().filter(|last| compare_shares(&last.mass, &segment.mass).is_eq()) {
            Some(last) => {
                let mass = [0, 1].map(|k| last.mass[k] + segment.mass[k]);
                *last = Pool { first: last.first, last: segment.to[0], mass };
            }
            None => pools.push(Pool { first: segment.from[0], last: segment.to[0], mass: segment.mass }),
        }
    }
    pools
}
