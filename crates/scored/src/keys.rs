//! Scores and classes packed into integers that sort in the order of the scores.

use std::ops::Range;

/// Fewer rows than this are sorted on one core.
const WORTH_SPLITTING: usize = 1 << 20;

/// Rows of scored data, sorted by score; among equal scores class 0 comes first.
///
/// A finite score of known sign needs 63 bits, and its class one more. So a row is one `u64`, which sorts faster than a float, and no
/// second array has to be read.
#[derive(Clone, Debug, Default)]
pub(super) struct Keys {
    /// Packed rows: first those with negative scores, then the others.
    keys: Vec<u64>,
    /// The number of rows with a negative score.
    negative: usize,
}

/// Packs a score and a class into a sortable integer; the second result is whether the score is negative.
///
/// Negative scores are sorted apart from the others, since the sign bit has no room in the key.
pub(super) fn pack(score: f64, class: usize) -> (u64, bool) {
    // Adding 0.0 turns -0.0 into 0.0: the two are equal scores.
    let score = score + 0.0;
    let bits = score.to_bits();
    let negative = score.is_sign_negative();
    // The bits of negative floats grow as the floats fall.
    let ordered = if negative { !bits } else { bits };
    (ordered << 1 | class as u64, negative)
}

/// Sorts rows by key. Long slices are split at the median, and both halves are sorted in parallel by the standard library, which is
/// faster on integers than the parallel sort of rayon.
fn sort<T: Copy + Send>(rows: &mut [T], key: impl Fn(&T) -> u64 + Copy + Sync + Send) {
    if rows.len() < WORTH_SPLITTING {
        return rows.sort_unstable_by_key(key);
    }
    let middle = rows.len() / 2;
    let (lower, _, upper) = rows.select_nth_unstable_by_key(middle, key);
    rayon::join(|| sort(lower, key), || sort(upper, key));
}

impl Keys {
    /// Sorts packed rows, given apart for negative and other scores.
    pub(super) fn sorted(mut negative: Vec<u64>, mut others: Vec<u64>) -> Keys {
        sort(&mut negative, |key| *key);
        sort(&mut others, |key| *key);
        if negative.is_empty() {
            return Keys { keys: others, negative: 0 };
        }
        let negative_count = negative.len();
        negative.append(&mut others);
        Keys { keys: negative, negative: negative_count }
    }

    /// Sorts packed rows that each carry a value, and returns the values in the order of the sorted rows.
    pub(super) fn sorted_with<T: Copy + Send>(
        mut negative: Vec<(u64, T)>,
        mut others: Vec<(u64, T)>,
    ) -> (Keys, Vec<T>) {
        sort(&mut negative, |row| row.0);
        sort(&mut others, |row| row.0);
        let negative_count = negative.len();
        negative.append(&mut others);
        let (keys, values) = negative.into_iter().unzip();
        (Keys { keys, negative: negative_count }, values)
    }

    /// The number of rows.
    pub(super) fn len(&self) -> usize {
        self.keys.len()
    }

    /// The lowest and the highest score; zeros if there are no rows.
    pub(super) fn ends(&self) -> (f64, f64) {
        match self.keys.len() {
            0 => (0.0, 0.0),
            rows => (self.score(0), self.score(rows - 1)),
        }
    }

    /// The score of a row, as it was packed.
    #[inline]
    pub(super) fn score(&self, row: usize) -> f64 {
        let ordered = self.keys[row] >> 1;
        f64::from_bits(if row < self.negative { !ordered } else { ordered })
    }

    /// The number of rows of class 1 in a range.
    pub(super) fn count_class_1(&self, rows: Range<usize>) -> usize {
        self.keys[rows].iter().map(|key| (key & 1) as usize).sum()
    }

    /// The class of a row.
    #[inline]
    pub(super) fn class(&self, row: usize) -> usize {
        (self.keys[row] & 1) as usize
    }

    /// Whether a row and the next one have equal scores.
    #[inline]
    pub(super) fn is_tied_with_next(&self, row: usize) -> bool {
        row + 1 < self.keys.len() && self.keys[row] >> 1 == self.keys[row + 1] >> 1 && row + 1 != self.negative
    }

    /// The rows of class 0 and of class 1 in the tie that starts at a row.
    #[inline]
    pub(super) fn tie(&self, row: usize) -> [Range<usize>; 2] {
        // Ties do not reach from the negative scores into the others.
        let end = if row < self.negative { self.negative } else { self.keys.len() };
        let keys = &self.keys[row..end];
        let class_0_key = keys[0] & !1;
        if keys.len() == 1 || keys[1] & !1 != class_0_key {
            // Most scores are unique. Their class is computed without a branch, which would be mispredicted half of the time.
            let class_0_count = 1 - (keys[0] & 1) as usize;
            return [row..row + class_0_count, row + class_0_count..row + 1];
        }
        let end_of_run = |start: usize, key: u64| start + keys[start..].iter().take_while(|k| **k == key).count();
        let class_0_end = end_of_run(0, class_0_key);
        let class_1_end = end_of_run(class_0_end, class_0_key | 1);
        [row..row + class_0_end, row + class_0_end..row + class_1_end]
    }

    /// The first row with the same score as a row.
    pub(super) fn first_tied_with(&self, row: usize) -> usize {
        let class_0_key = self.keys[row] & !1;
        if row < self.negative {
            self.keys[..self.negative].partition_point(|key| *key < class_0_key)
        } else {
            self.negative + self.keys[self.negative..].partition_point(|key| *key < class_0_key)
        }
    }

    /// The number of rows with a score of at most `score`.
    pub(super) fn count_up_to(&self, score: f64) -> usize {
        let (class_1_key, is_negative) = pack(score, 1);
        if is_negative {
            self.keys[..self.negative].partition_point(|key| *key <= class_1_key)
        } else {
            self.negative + self.keys[self.negative..].partition_point(|key| *key <= class_1_key)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_sort_as_scores_do() {
        let scores = [-1e300, -2.5, -2.5, -f64::MIN_POSITIVE, -5e-324, -0.0, 0.0, 5e-324, 0.1, 0.3, 0.1 + 0.2, 1e300];
        let (negative, others): (Vec<_>, Vec<_>) =
            scores.iter().rev().enumerate().map(|(i, s)| pack(*s, i % 2)).partition(|(_, negative)| *negative);
        let keys_of = |rows: Vec<(u64, bool)>| rows.into_iter().map(|(key, _)| key).collect();
        let keys = Keys::sorted(keys_of(negative), keys_of(others));
        let sorted_scores: Vec<f64> = (0..keys.len()).map(|row| keys.score(row)).collect();
        assert_eq!(sorted_scores, scores);
        let tied: Vec<usize> = (0..keys.len()).filter(|row| keys.is_tied_with_next(*row)).collect();
        assert_eq!(tied, [1, 5]);
        assert_eq!((keys.class(1), keys.class(2)), (0, 1));
        let first: Vec<usize> = (0..keys.len()).map(|row| keys.first_tied_with(row)).collect();
        assert_eq!(first, [0, 1, 1, 3, 4, 5, 5, 7, 8, 9, 10, 11]);
        for score in scores.into_iter().chain([f64::MAX, -f64::MAX, 0.2, -1.0]) {
            assert_eq!(keys.count_up_to(score), scores.iter().filter(|s| **s <= score).count(), "{score}");
        }
    }
}
