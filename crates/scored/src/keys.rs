//! Scores as whole numbers that sort as they do, with room for the class.

use std::ops::Range;

/// Fewer rows than this are sorted in one go.
const WORTH_SPLITTING: usize = 1 << 20;

/// Rows of scored data, sorted: scores never fall, and of equal ones those of class 0 come first.
///
/// A finite score of known sign is told by 63 bits, and its class by one more: whole numbers sort faster than floats do, and nothing has to
/// be looked up beside them.
#[derive(Clone, Debug, Default)]
pub(super) struct Keys {
    keys: Vec<u64>,
    /// How many of the first scores are negative.
    negative: usize,
}

/// The key of a score, and whether it is negative.
pub(super) fn key(score: f64, class: usize) -> (u64, bool) {
    // No zero is below another.
    let score = score + 0.0;
    let bits = score.to_bits();
    let negative = score.is_sign_negative();
    // Of negative scores the largest bits are those of the lowest.
    let ordered = if negative { !bits } else { bits };
    (ordered << 1 | class as u64, negative)
}

/// Sorts by keys: the lower and the upper half side by side, by the sort of the standard library, which is faster on whole numbers than
/// the parallel one of rayon.
fn sort<T: Copy + Send>(rows: &mut [T], key: impl Fn(&T) -> u64 + Copy + Sync + Send) {
    if rows.len() < WORTH_SPLITTING {
        return rows.sort_unstable_by_key(key);
    }
    let middle = rows.len() / 2;
    let (lower, _, upper) = rows.select_nth_unstable_by_key(middle, key);
    rayon::join(|| sort(lower, key), || sort(upper, key));
}

impl Keys {
    /// Sorts rows.
    pub(super) fn sorted(mut negative: Vec<u64>, mut others: Vec<u64>) -> Keys {
        sort(&mut negative, |key| *key);
        sort(&mut others, |key| *key);
        if negative.is_empty() {
            return Keys { keys: others, negative: 0 };
        }
        let below = negative.len();
        negative.append(&mut others);
        Keys { keys: negative, negative: below }
    }

    /// Sorts rows with something that belongs to each.
    pub(super) fn sorted_with<T: Copy + Send>(
        mut negative: Vec<(u64, T)>,
        mut others: Vec<(u64, T)>,
    ) -> (Keys, Vec<T>) {
        sort(&mut negative, |row| row.0);
        sort(&mut others, |row| row.0);
        let below = negative.len();
        negative.append(&mut others);
        let (keys, belonging) = negative.into_iter().unzip();
        (Keys { keys, negative: below }, belonging)
    }

    /// How many rows there are.
    pub(super) fn len(&self) -> usize {
        self.keys.len()
    }

    /// The lowest and the highest score; zeros where there are no rows.
    pub(super) fn ends(&self) -> (f64, f64) {
        match self.keys.len() {
            0 => (0.0, 0.0),
            rows => (self.score(0), self.score(rows - 1)),
        }
    }

    /// The score of a row.
    #[inline]
    pub(super) fn score(&self, row: usize) -> f64 {
        let ordered = self.keys[row] >> 1;
        f64::from_bits(if row < self.negative { !ordered } else { ordered })
    }

    /// How many of these rows are of class 1.
    pub(super) fn of_class_1(&self, rows: Range<usize>) -> usize {
        self.keys[rows].iter().map(|key| (key & 1) as usize).sum()
    }

    /// The class of a row.
    #[inline]
    pub(super) fn class(&self, row: usize) -> usize {
        (self.keys[row] & 1) as usize
    }

    /// Whether a row and the next have one score.
    #[inline]
    pub(super) fn is_tied_with_next(&self, row: usize) -> bool {
        row + 1 < self.keys.len() && self.keys[row] >> 1 == self.keys[row + 1] >> 1 && row + 1 != self.negative
    }

    /// The rows of class 0 and of class 1 in the tie that starts at a row.
    #[inline]
    pub(super) fn tie(&self, row: usize) -> [Range<usize>; 2] {
        let end = if row < self.negative { self.negative } else { self.keys.len() };
        let rest = &self.keys[row..end];
        let first = rest[0] & !1;
        if rest.len() == 1 || rest[1] & !1 != first {
            // Most scores are alone. Which class they are of nobody can guess, and so no branch asks.
            let of_class_0 = 1 - (rest[0] & 1) as usize;
            return [row..row + of_class_0, row + of_class_0..row + 1];
        }
        let run = |from: usize, key: u64| from + rest[from..].iter().take_while(|k| **k == key).count();
        let ones = run(0, first);
        let after = run(ones, first | 1);
        [row..row + ones, row + ones..row + after]
    }

    /// The first row with the score of a row.
    pub(super) fn first_tied_with(&self, row: usize) -> usize {
        let first = self.keys[row] & !1;
        if row < self.negative {
            self.keys[..self.negative].partition_point(|key| *key < first)
        } else {
            self.negative + self.keys[self.negative..].partition_point(|key| *key < first)
        }
    }

    /// How many rows have a score of at most `score`.
    pub(super) fn up_to(&self, score: f64) -> usize {
        let (last, negative) = key(score, 1);
        if negative {
            self.keys[..self.negative].partition_point(|key| *key <= last)
        } else {
            self.negative + self.keys[self.negative..].partition_point(|key| *key <= last)
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
            scores.iter().rev().enumerate().map(|(i, s)| key(*s, i % 2)).partition(|(_, negative)| *negative);
        let of = |rows: Vec<(u64, bool)>| rows.into_iter().map(|(key, _)| key).collect();
        let keys = Keys::sorted(of(negative), of(others));
        let found: Vec<f64> = (0..keys.len()).map(|row| keys.score(row)).collect();
        assert_eq!(found, scores);
        let tied: Vec<usize> = (0..keys.len()).filter(|row| keys.is_tied_with_next(*row)).collect();
        assert_eq!(tied, [1, 5]);
        assert_eq!((keys.class(1), keys.class(2)), (0, 1));
        let first: Vec<usize> = (0..keys.len()).map(|row| keys.first_tied_with(row)).collect();
        assert_eq!(first, [0, 1, 1, 3, 4, 5, 5, 7, 8, 9, 10, 11]);
        for score in scores.into_iter().chain([f64::MAX, -f64::MAX, 0.2, -1.0]) {
            assert_eq!(keys.up_to(score), scores.iter().filter(|s| **s <= score).count(), "{score}");
        }
    }
}
