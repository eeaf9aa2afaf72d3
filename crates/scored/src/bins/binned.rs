//! Bins in order, with the weight of both classes in each.

use crate::partition::Closed;
use crate::scored::{BadScore, ScoreDirection, Scored, Tie};
use crate::sum::CompensatedSum;

/// Rows whose scores are known by bins: the ends of the bin of each row, and the weight of each class.
#[derive(Clone, Copy, Debug)]
pub struct BinRows<'a> {
    /// The lower end of the bin of each row, as it is given.
    pub lo: &'a [f64],
    /// The upper end of the bin of each row.
    pub hi: &'a [f64],
    /// The weight of class 0 and of class 1 in each row.
    pub mass: &'a [[f64; 2]],
}

/// Why rows are not binned scores. Rows are counted from 1.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BadBins {
    /// There are not as many ends or weights as rows.
    #[error("there must be two ends and a weight of each class for each row")]
    Ragged,
    /// An end is not a finite number.
    #[error("row {0}: an end of the bin is {1}; ends of bins are finite numbers")]
    NotFinite(usize, f64),
    /// A bin ends before it starts.
    #[error("row {row}: the bin runs from {lo} to {hi}; its lower end comes first")]
    Backward {
        /// The row.
        row: usize,
        /// Its lower end.
        lo: f64,
        /// Its upper end.
        hi: f64,
    },
    /// Two bins overlap.
    #[error("rows {} and {}: the bins from {} to {} and from {} to {} overlap", rows[0], rows[1], ends[0][0], ends[0][1], ends[1][0], ends[1][1])]
    Overlap {
        /// The rows, the first one first.
        rows: [usize; 2],
        /// The ends of their bins.
        ends: [[f64; 2]; 2],
    },
    /// The weights are not those of scored data.
    #[error(transparent)]
    Weights(#[from] BadScore),
}

impl BadBins {
    /// Advice, if there is any.
    pub fn help(&self) -> Option<&'static str> {
        match self {
            BadBins::Overlap { .. } => Some(
                "bins may share ends, or be the same, and else they are apart: cut them at the same edges, or join those that overlap",
            ),
            _ => None,
        }
    }

    /// The same error for an interface that counts rows from 0.
    pub fn counted_from_0(self) -> BadBins {
        match self {
            BadBins::NotFinite(row, end) => BadBins::NotFinite(row - 1, end),
            BadBins::Backward { row, lo, hi } => BadBins::Backward { row: row - 1, lo, hi },
            BadBins::Overlap { rows, ends } => BadBins::Overlap { rows: rows.map(|row| row - 1), ends },
            BadBins::Weights(BadScore::Weight(row, weight)) => BadScore::Weight(row - 1, weight).into(),
            other => other,
        }
    }
}

/// A bin on the scale of sort keys, on which class 1 has high scores.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bin {
    /// The lower end and the upper end.
    pub ends: [f64; 2],
    /// Whether each end belongs to the bin.
    pub has_end: [bool; 2],
    /// The weight of class 0 and of class 1.
    pub mass: [f64; 2],
    /// Whether scores may tie with those of the bin before, at the end that they share.
    pub touches_before: bool,
}

impl Bin {
    /// Whether the bin is a known score.
    pub fn is_score(&self) -> bool {
        self.ends[0] == self.ends[1]
    }
}

/// Scores that are known by bins: disjoint but for shared ends, in the order of the curve.
///
/// ```
/// use rocproof_scored::{BinRows, Binned, Closed, ScoreDirection};
/// let rows = BinRows { lo: &[0.0, 0.5], hi: &[0.5, 1.0], mass: &[[3.0, 1.0], [1.0, 3.0]] };
/// assert!(Binned::new(ScoreDirection::TowardClass1, rows, Some(Closed::Left)).is_ok());
/// let rows = BinRows { hi: &[0.6, 1.0], ..rows };
/// let overlap = Binned::new(ScoreDirection::TowardClass1, rows, None).unwrap_err();
/// assert_eq!(overlap.to_string(), "rows 1 and 2: the bins from 0 to 0.6 and from 0.5 to 1 overlap");
/// ```
#[derive(Clone, Debug)]
pub struct Binned {
    direction: ScoreDirection,
    pub(super) bins: Vec<Bin>,
}

impl Binned {
    /// Sorts bins and joins equal ones. `closed` says which end belongs to a bin; `None` if both may. With [`Closed::Left`] the last bin is
    /// closed on both sides, with [`Closed::Right`] the first.
    pub fn new(direction: ScoreDirection, rows: BinRows, closed: Option<Closed>) -> Result<Binned, BadBins> {
        let count = rows.lo.len();
        if rows.hi.len() != count || rows.mass.len() != count {
            return Err(BadBins::Ragged);
        }
        let mut order = Vec::with_capacity(count);
        for (row, (lo, hi)) in rows.lo.iter().zip(rows.hi).enumerate() {
            check_row(row, *lo, *hi, rows.mass[row])?;
            // Adding 0.0 turns -0.0 into 0.0.
            order.push((lo + 0.0, hi + 0.0, row));
        }
        order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2)));
        check_disjoint(&order)?;
        let (first, last) =
            (order.first().map_or(0.0, |bin| bin.0), order.iter().map(|bin| bin.1).fold(f64::MIN, f64::max));
        let mut bins: Vec<Bin> = Vec::new();
        for same in order.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            let (lo, hi, _) = same[0];
            let total = |class: usize| {
                same.iter().fold(CompensatedSum::default(), |sum, (.., row)| sum.plus(rows.mass[*row][class])).value()
            };
            let has_end = match closed {
                Some(Closed::Left) => [true, hi == last || lo == hi],
                Some(Closed::Right) => [lo == first || lo == hi, true],
                None => [true, true],
            };
            let mass = [total(0), total(1)];
            // Nobody can be in an empty bin, so its neighbours do not touch it.
            if mass != [0.0, 0.0] {
                bins.push(Bin { ends: [lo, hi], has_end, mass, touches_before: false });
            }
        }
        if direction == ScoreDirection::TowardClass0 {
            bins.reverse();
            for bin in &mut bins {
                let [lo, hi] = bin.ends;
                bin.ends = [direction.sort_key(hi) + 0.0, direction.sort_key(lo) + 0.0];
                bin.has_end.reverse();
            }
        }
        for k in 1..bins.len() {
            let before = bins[k - 1];
            bins[k].touches_before = before.ends[1] == bins[k].ends[0] && before.has_end[1] && bins[k].has_end[0];
        }
        Ok(Binned { direction, bins })
    }

    /// The bins in runs that touch.
    pub(super) fn runs(&self) -> impl Iterator<Item = &[Bin]> {
        self.bins.chunk_by(|_, next| next.touches_before)
    }

    /// Whether any bins touch.
    pub fn has_touching_bins(&self) -> bool {
        self.bins.iter().any(|bin| bin.touches_before)
    }

    /// Whether all scores are known.
    pub(super) fn has_scores_only(&self) -> bool {
        self.bins.iter().all(Bin::is_score)
    }

    /// Whether the bins lie in [0, 1], so that scores are probabilities wherever they are placed.
    pub(super) fn are_probabilities(&self) -> bool {
        let is_probability = |key: f64| (0.0..=1.0).contains(&self.direction.sort_key(key));
        self.bins.iter().all(|bin| bin.ends.into_iter().all(is_probability))
    }

    /// Whether all scores may lie in [0, 1].
    pub(super) fn may_be_probabilities(&self) -> bool {
        let reaches = |[a, b]: [f64; 2]| a.min(b) <= 1.0 && a.max(b) >= 0.0;
        self.bins.iter().all(|bin| reaches(bin.ends.map(|key| self.direction.sort_key(key))))
    }

    /// The score on the curve of a sort key, if scores are probabilities.
    pub(super) fn probability(&self, key: f64) -> f64 {
        if self.direction == ScoreDirection::TowardClass0 { 1.0 + key } else { key }
    }

    /// Scored data with one sort key for each class of each bin.
    pub(super) fn placed(&self, keys: impl Fn(usize, &Bin) -> [f64; 2]) -> Result<Scored, BadScore> {
        let groups: Vec<Tie> = self
            .bins
            .iter()
            .enumerate()
            .flat_map(|(k, bin)| {
                let keys = keys(k, bin);
                let [m0, m1] = bin.mass;
                [Tie { x: keys[0], mass: [m0, 0.0] }, Tie { x: keys[1], mass: [0.0, m1] }]
            })
            .map(|tie| Tie { x: self.direction.sort_key(tie.x) + 0.0, ..tie })
            .collect();
        Scored::directed_groups(self.direction, &groups)
    }
}

/// Refuses ends that are not finite or not in order, and weights that are negative or not finite.
fn check_row(row: usize, lo: f64, hi: f64, mass: [f64; 2]) -> Result<(), BadBins> {
    if let Some(end) = [lo, hi].into_iter().find(|end| !end.is_finite()) {
        return Err(BadBins::NotFinite(row + 1, end));
    }
    if lo > hi {
        return Err(BadBins::Backward { row: row + 1, lo, hi });
    }
    match mass.into_iter().find(|weight| !(weight.is_finite() && *weight >= 0.0)) {
        Some(weight) => Err(BadScore::Weight(row + 1, weight).into()),
        None => Ok(()),
    }
}

/// Refuses bins that overlap. They come in order, with their rows.
fn check_disjoint(order: &[(f64, f64, usize)]) -> Result<(), BadBins> {
    for pair in order.windows(2) {
        let [(lo, hi, row), (next_lo, next_hi, next_row)] = [pair[0], pair[1]];
        if (lo, hi) != (next_lo, next_hi) && hi > next_lo {
            let (first, second) = ((row, [lo, hi]), (next_row, [next_lo, next_hi]));
            let [first, second] = if row < next_row { [first, second] } else { [second, first] };
            return Err(BadBins::Overlap { rows: [first.0 + 1, second.0 + 1], ends: [first.1, second.1] });
        }
    }
    Ok(())
}
