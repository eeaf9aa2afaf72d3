//! Adjacent ties pooled: the segments of the hull of the ROC curve, with the scores they span.

use super::scored::Tie;
use super::segments::{Segment, compare_shares, pool};

/// A segment of the hull of the ROC curve: ties that are pooled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pool {
    /// The smallest score in it.
    pub first: f64,
    /// The largest.
    pub last: f64,
    /// The weight of class 0 and of class 1.
    pub mass: [f64; 2],
}

/// Pools adjacent ties, given in the order of their scores, until the share of class 1 grows from pool to pool.
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
        match pools.last_mut().filter(|last| compare_shares(&last.mass, &segment.mass).is_eq()) {
            // In line with the one before.
            Some(last) => {
                let mass = [0, 1].map(|k| last.mass[k] + segment.mass[k]);
                *last = Pool { first: last.first, last: segment.to[0], mass };
            }
            None => pools.push(Pool { first: segment.from[0], last: segment.to[0], mass: segment.mass }),
        }
    }
    pools
}
