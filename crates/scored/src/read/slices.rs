//! The rows by the value of a column, for an evaluation of each value.

use super::dataset::{Content, Dataset};
use super::error::Cause;
use super::memory::append;
use std::cmp::Ordering;
use std::collections::HashMap;

/// The value of a column in each row.
#[derive(Clone, Debug)]
pub struct Slices {
    /// The name of the column.
    pub column: String,
    /// The different values, sorted: numbers by size, then texts. `None` is a cell that is empty or null.
    pub values: Vec<Option<String>>,
    /// The index of the value of each row.
    of_row: Vec<u32>,
}

impl Slices {
    /// The rows of the `k`-th value as data of their own, with the classes of the whole. Fails if a class has no row or no weight there.
    pub fn slice(&self, data: &Dataset, k: usize) -> Result<Dataset, Cause> {
        let rows = || self.of_row.iter().enumerate().filter(move |(_, of)| **of as usize == k).map(|(row, _)| row);
        let of_column = |column: &Vec<f64>| rows().map(|row| column[row]).collect::<Vec<f64>>();
        let content = match &data.content {
            Content::Rows { is_class_1, weights } => Content::Rows {
                is_class_1: rows().map(|row| is_class_1[row]).collect(),
                weights: weights.as_ref().map(of_column),
            },
            Content::Groups(counts) => Content::Groups(counts.each_ref().map(of_column)),
        };
        let slice = Dataset {
            file: data.file.clone(),
            rows: rows().count(),
            score_columns: data.score_columns.clone(),
            origin: data.origin.clone(),
            classes: data.classes.clone(),
            scores: data.scores.iter().map(of_column).collect(),
            content,
        };
        slice.checked()
    }

    /// The number of rows with the `k`-th value.
    pub fn rows(&self, k: usize) -> usize {
        self.of_row.iter().filter(|of| **of as usize == k).count()
    }
}

/// Collects the values of a column.
#[derive(Default)]
pub(super) struct SliceCollector {
    indices: HashMap<Option<Box<str>>, u32>,
    of_row: Vec<u32>,
    /// The last value, which is often the next one as well.
    last: Option<(Box<[u8]>, u32)>,
}

impl SliceCollector {
    /// Adds the value of a row.
    pub fn push(&mut self, text: &[u8]) -> Result<(), Cause> {
        let index = match &self.last {
            Some((last, index)) if **last == *text => *index,
            _ => {
                let value = std::str::from_utf8(text).map_err(|_| Cause::NotUtf8)?.trim();
                let index = self.index((!value.is_empty()).then_some(value));
                self.last = Some((text.into(), index));
                index
            }
        };
        append(&mut self.of_row, index)
    }

    /// Adds a row without a value.
    pub fn push_missing(&mut self) -> Result<(), Cause> {
        let index = self.index(None);
        append(&mut self.of_row, index)
    }

    /// The index of a value, in the order of appearance.
    fn index(&mut self, value: Option<&str>) -> u32 {
        let next = self.indices.len() as u32;
        *self.indices.entry(value.map(Into::into)).or_insert(next)
    }

    /// Sorts the values.
    pub fn finish(self, column: &str) -> Slices {
        let mut found: Vec<(Option<String>, u32)> =
            self.indices.into_iter().map(|(value, index)| (value.map(String::from), index)).collect();
        found.sort_by(|(a, _), (b, _)| compare(a.as_deref(), b.as_deref()));
        let mut new_index = vec![0; found.len()];
        for (sorted, (_, index)) in found.iter().enumerate() {
            new_index[*index as usize] = sorted as u32;
        }
        let mut of_row = self.of_row;
        of_row.iter_mut().for_each(|index| *index = new_index[*index as usize]);
        Slices { column: column.to_owned(), values: found.into_iter().map(|(value, _)| value).collect(), of_row }
    }
}

/// The order of values: numbers by size, then texts, then missing ones.
fn compare(a: Option<&str>, b: Option<&str>) -> Ordering {
    let rank = |value: Option<&str>| match value.map(|text| text.parse::<f64>()) {
        Some(Ok(number)) if !number.is_nan() => (0, number),
        Some(_) => (1, 0.0),
        None => (2, 0.0),
    };
    let ((kind_a, number_a), (kind_b, number_b)) = (rank(a), rank(b));
    kind_a.cmp(&kind_b).then(number_a.total_cmp(&number_b)).then_with(|| a.cmp(&b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_sorted_as_numbers_then_as_texts() {
        let mut slices = SliceCollector::default();
        for text in ["b", "10", "", "9", "b", "a", "-1"] {
            slices.push(text.as_bytes()).unwrap();
        }
        slices.push_missing().unwrap();
        let slices = slices.finish("site");
        let texts: Vec<Option<&str>> = slices.values.iter().map(Option::as_deref).collect();
        assert_eq!(texts, [Some("-1"), Some("9"), Some("10"), Some("a"), Some("b"), None]);
        assert_eq!(slices.of_row, [4, 2, 5, 1, 4, 3, 0, 5]);
        assert_eq!((slices.rows(4), slices.rows(0)), (2, 1));
    }
}
