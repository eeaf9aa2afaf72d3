//! The rows of a model one by one, and their division into folds.

use super::NotHeldOut;
use crate::paired::{Paired, Units};
use crate::resample::generator;
use rand::RngExt;

/// More rows than this are not held out: a threshold that is chosen on so many loses as much on new ones.
pub const MOST_HELD_OUT_ROWS: f64 = 2e6;

/// Rows are gathered in at most this many batches, whose losses are independent.
const MOST_BATCHES: usize = 1 << 15;

/// The rows of a model in the order of the curve. Rows that are counted by weights are single rows here.
pub(super) struct ModelUnits {
    /// The key of each tie: its score, or the negative if higher scores mean class 0.
    pub(super) keys: Vec<f64>,
    /// The score of each tie on the curve.
    pub(super) scores: Vec<f64>,
    /// The tie of each row.
    pub(super) tie: Vec<u32>,
    /// The class of each row.
    pub(super) class: Vec<u8>,
    /// The weight of each row; `None` if all are 1.
    weight: Option<Vec<f64>>,
    /// The number of each row, common to all models; `None` if it is the place in the order of the curve.
    number: Option<Vec<u32>>,
}

impl ModelUnits {
    /// The rows of the `m`-th model.
    pub(super) fn new(data: &Paired, m: usize) -> Result<ModelUnits, NotHeldOut> {
        let model = &data.models()[m];
        let rows = match data.units {
            Units::Rows => model.rows() as f64,
            Units::Counts => model.totals().iter().sum(),
        };
        if rows > MOST_HELD_OUT_ROWS {
            return Err(NotHeldOut::TooMany(rows));
        }
        let sign = if model.is_reversed() { -1.0 } else { 1.0 };
        let mut units = ModelUnits {
            keys: model.ties_on_input_scale().map(|tie| sign * tie.x).collect(),
            scores: model.ties().map(|tie| tie.x).collect(),
            tie: Vec::with_capacity(rows as usize),
            class: Vec::with_capacity(rows as usize),
            weight: (data.units == Units::Rows && model.weights().is_some()).then(Vec::new),
            number: data.orders.as_ref().map(|_| Vec::new()),
        };
        for (tie, (rows, _)) in model.tied_rows().enumerate() {
            for (class, row) in rows.into_iter().enumerate().flat_map(|(class, rows)| rows.map(move |row| (class, row)))
            {
                let weight = model.weight(row);
                let copies = match data.units {
                    Units::Rows => 1,
                    Units::Counts if weight.fract() != 0.0 => return Err(NotHeldOut::Count(weight)),
                    Units::Counts => weight as usize,
                };
                units.tie.extend(std::iter::repeat_n(tie as u32, copies));
                units.class.extend(std::iter::repeat_n(class as u8, copies));
                if let Some(weights) = &mut units.weight {
                    weights.push(weight);
                }
                if let (Some(numbers), Some(orders)) = (&mut units.number, &data.orders) {
                    numbers.push(orders[m][row]);
                }
            }
        }
        Ok(units)
    }

    /// The number of rows.
    pub(super) fn len(&self) -> usize {
        self.tie.len()
    }

    /// The weight of a row.
    pub(super) fn weight(&self, unit: usize) -> f64 {
        self.weight.as_ref().map_or(1.0, |weights| weights[unit])
    }

    /// The number of rows of each class that have weight.
    pub(super) fn counts(&self) -> [usize; 2] {
        let mut counts = [0; 2];
        (0..self.len()).filter(|unit| self.weight(*unit) > 0.0).for_each(|u| counts[usize::from(self.class[u])] += 1);
        counts
    }

    /// The batch of a row: the row itself, or one of many drawn by a hash of its number.
    pub(super) fn batch(&self, unit: usize) -> usize {
        let number = self.number.as_ref().map_or(unit as u64, |numbers| u64::from(numbers[unit]));
        if self.len() <= MOST_BATCHES { number as usize } else { (mix(number) % MOST_BATCHES as u64) as usize }
    }

    /// The number of batches.
    pub(super) fn batches(&self) -> usize {
        self.len().min(MOST_BATCHES)
    }

    /// The fold of each row: in each class the folds are dealt out evenly, in random order.
    pub(super) fn folds(&self, folds: usize, seed: u64, repeat: usize) -> Vec<u8> {
        let mut generator = generator(seed, repeat);
        let mut dealt = [0, 1].map(|class| {
            let count = self.class.iter().filter(|of| **of == class).count();
            let mut dealt: Vec<u8> = (0..count).map(|k| (k % folds) as u8).collect();
            for k in (1..count).rev() {
                dealt.swap(k, generator.random_range(0..=k));
            }
            dealt.into_iter()
        });
        self.class.iter().map(|class| dealt[usize::from(*class)].next().unwrap_or(0)).collect()
    }
}

/// A hash of a number (the finaliser of SplitMix64).
fn mix(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
