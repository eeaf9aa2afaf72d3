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
    /// The rows by value, those of one value in the order of the file.
    rows: Vec<u32>,
    /// For each value, the place of its first row in `rows`; at the end, the number of rows.
    starts: Vec<usize>,
}

impl Slices {
    /// Sorts rows by value, given the index of the value of each: one pass to count, one to place.
    fn new(column: &str, values: Vec<Option<String>>, of_row: &[u32]) -> Result<Slices, Cause> {
        let count = u32::try_from(of_row.len()).map_err(|_| Cause::TooManyToSlice(of_row.len()))?;
        let mut starts = vec![0; values.len() + 1];
        of_row.iter().for_each(|value| starts[*value as usize + 1] += 1);
        for value in 1..starts.len() {
            starts[value] += starts[value - 1];
        }
        let mut next = starts.clone();
        let mut rows = Vec::new();
        rows.try_reserve_exact(of_row.len()).map_err(|_| Cause::Memory(of_row.len()))?;
        rows.resize(of_row.len(), 0);
        for (row, value) in (0..count).zip(of_row) {
            let place = &mut next[*value as usize];
            rows[*place] = row;
            *place += 1;
        }
        Ok(Slices { column: column.to_owned(), values, rows, starts })
    }

    /// The rows of the `k`-th value as data of their own, with the classes of the whole. Fails if a class has no row or no weight there.
    pub fn slice(&self, data: &Dataset, k: usize) -> Result<Dataset, Cause> {
        let rows = &self.rows[self.starts[k]..self.starts[k + 1]];
        let of_column = |column: &Vec<f64>| rows.iter().map(|row| column[*row as usize]).collect::<Vec<f64>>();
        let content = match &data.content {
            Content::Rows { is_class_1, weights } => Content::Rows {
                is_class_1: rows.iter().map(|row| is_class_1[*row as usize]).collect(),
                weights: weights.as_ref().map(of_column),
            },
            Content::Groups(counts) => Content::Groups(counts.each_ref().map(of_column)),
        };
        let slice = Dataset {
            file: data.file.clone(),
            rows: rows.len(),
            score_columns: data.score_columns.clone(),
            origin: data.origin.clone(),
            classes: data.classes.clone(),
            scores: data.scores.iter().map(of_column).collect(),
            content,
        };
        slice.checked()
    }

    /// The number of rows of a sample that is drawn from the rows of the `k`-th value: the rows, or for grouped data their total count.
    pub fn sampled_rows(&self, data: &Dataset, k: usize) -> f64 {
        match &data.content {
            Content::Rows { .. } => self.rows(k) as f64,
            Content::Groups(counts) => {
                let rows = &self.rows[self.starts[k]..self.starts[k + 1]];
                rows.iter().map(|row| counts[0][*row as usize] + counts[1][*row as usize]).sum()
            }
        }
    }

    /// The number of rows with the `k`-th value.
    pub fn rows(&self, k: usize) -> usize {
        self.starts[k + 1] - self.starts[k]
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

    /// Sorts the values, and the rows by value.
    pub fn finish(self, column: &str) -> Result<Slices, Cause> {
        let mut found: Vec<(Option<String>, u32)> =
            self.indices.into_iter().map(|(value, index)| (value.map(String::from), index)).collect();
        found.sort_by(|(a, _), (b, _)| compare(a.as_deref(), b.as_deref()));
        let mut new_index = vec![0; found.len()];
        for (sorted, (_, index)) in found.iter().enumerate() {
            new_index[*index as usize] = sorted as u32;
        }
        let mut of_row = self.of_row;
        of_row.iter_mut().for_each(|index| *index = new_index[*index as usize]);
        Slices::new(column, found.into_iter().map(|(value, _)| value).collect(), &of_row)
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
    use super::super::dataset::ClassColumns;
    use super::super::label::Classes;
    use super::*;
    use std::time::{Duration, Instant};

    #[test]
    fn values_are_sorted_as_numbers_then_as_texts() {
        let mut slices = SliceCollector::default();
        for text in ["b", "10", "", "9", "b", "a", "-1"] {
            slices.push(text.as_bytes()).unwrap();
        }
        slices.push_missing().unwrap();
        let slices = slices.finish("site").unwrap();
        let texts: Vec<Option<&str>> = slices.values.iter().map(Option::as_deref).collect();
        assert_eq!(texts, [Some("-1"), Some("9"), Some("10"), Some("a"), Some("b"), None]);
        // Sorted by value; those of one value are in the order of the file.
        assert_eq!(slices.rows, [6, 3, 1, 5, 0, 4, 2, 7]);
        assert_eq!((slices.rows(4), slices.rows(0)), (2, 1));
    }

    /// Each slice went through all rows: 40,000 values of 400,000 rows took minutes. They take hundredths of a second.
    #[test]
    fn many_values_are_sliced_in_one_pass() {
        let (rows, values) = (400_000, 40_000);
        let mut slices = SliceCollector::default();
        (0..rows).for_each(|row| slices.push((row % values).to_string().as_bytes()).unwrap());
        let slices = slices.finish("site").unwrap();
        let classes = Classes { names: ["1", "0"].map(str::to_owned), higher_means: 0, by_default: [true; 2] };
        let data = Dataset {
            file: "rows.csv".into(),
            rows,
            score_columns: vec!["score".into()],
            origin: ClassColumns::Labels { label: "label".into(), weight: None },
            classes,
            scores: vec![(0..rows).map(|row| row as f64).collect()],
            content: Content::Rows { is_class_1: (0..rows).map(|row| row >= rows / 2).collect(), weights: None },
        };
        let start = Instant::now();
        for k in 0..values {
            let slice = slices.slice(&data, k).unwrap();
            assert_eq!((slice.rows, slice.scores[0][1] - slice.scores[0][0]), (rows / values, values as f64));
        }
        assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    }
}
