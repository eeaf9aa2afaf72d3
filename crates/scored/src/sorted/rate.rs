//! Points of the curve of sorted rows, kept so that the one at a given rate can be found when all rows were read.

/// The largest number of points that are kept.
const MOST: usize = 1 << 18;

/// The weight of each label before some of the ties. All ties are kept while they are few, then every second, every fourth, and so on.
pub(super) struct RatePoints {
    kept: Vec<[f64; 2]>,
    /// The number of ties from one kept point to the next.
    stride: u64,
    ties: u64,
}

impl RatePoints {
    /// No ties.
    pub fn new() -> RatePoints {
        RatePoints { kept: Vec::new(), stride: 1, ties: 0 }
    }

    /// Adds the start of a tie.
    #[inline]
    pub fn push(&mut self, before: [f64; 2]) {
        if self.ties.is_multiple_of(self.stride) {
            if self.kept.len() == MOST {
                let mut index = 0;
                self.kept.retain(|_| {
                    index += 1;
                    index % 2 == 1
                });
                self.stride *= 2;
            }
            if self.ties.is_multiple_of(self.stride) {
                self.kept.push(before);
            }
        }
        self.ties += 1;
    }

    /// Whether every tie was kept.
    fn are_all(&self) -> bool {
        self.stride == 1
    }

    /// The distribution functions where a rate is reached, for functions of the weights before, and how far the rate may be off. `shares`
    /// gives both distribution functions of a point, `rate` grows or falls along the rows.
    pub fn find(
        &self,
        totals: [f64; 2],
        shares: impl Fn([f64; 2]) -> [f64; 2],
        rate: impl Fn([f64; 2]) -> f64,
        wanted: f64,
    ) -> ([f64; 2], f64) {
        let points: Vec<[f64; 2]> = self.kept.iter().copied().chain([totals]).map(shares).collect();
        let grows = points.first().zip(points.last()).is_none_or(|(first, last)| rate(*first) <= rate(*last));
        let is_before = |point: &[f64; 2]| if grows { rate(*point) < wanted } else { rate(*point) > wanted };
        let after = points.partition_point(is_before).clamp(1, points.len() - 1);
        let (low, high) = (points[after - 1], points[after]);
        let width = rate(high) - rate(low);
        let along = if width == 0.0 { 0.0 } else { ((wanted - rate(low)) / width).clamp(0.0, 1.0) };
        let point = [0, 1].map(|k| low[k] + along * (high[k] - low[k]));
        (point, if self.are_all() { 0.0 } else { width.abs() })
    }
}
