//! Adjacent ties pooled: the segments of the hull of the ROC curve, with the scores they span.

use super::scored::Step;

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
/// use rocproof::data::{Scored, pools};
/// let data = Scored::from_rows(&[0.1, 0.2, 0.3, 0.4], &[false, true, false, true], None).unwrap();
/// let spans: Vec<_> = pools(data.steps()).iter().map(|pool| (pool.first, pool.last)).collect();
/// assert_eq!(spans, [(0.1, 0.1), (0.2, 0.3), (0.4, 0.4)]);
/// ```
pub fn pools(ties: impl Iterator<Item = Step>) -> Vec<Pool> {
    let mut pools: Vec<Pool> = Vec::new();
    for Step { x, mass } in ties {
        let mut pool = Pool { first: x, last: x, mass };
        while let Some(before) = pools.pop_if(|before| !has_lower_share(before.mass, pool.mass)) {
            let mass = [before.mass[0] + pool.mass[0], before.mass[1] + pool.mass[1]];
            pool = Pool { first: before.first, mass, ..pool };
        }
        pools.push(pool);
    }
    pools
}

/// Whether class 1 has a smaller share in one than in the other. Products are compared with what rounding took off them.
fn has_lower_share(one: [f64; 2], other: [f64; 2]) -> bool {
    let (a, b) = (one[1] * other[0], other[1] * one[0]);
    if a != b { a < b } else { one[1].mul_add(other[0], -a) < other[1].mul_add(one[0], -b) }
}
