//! Samples with replacement, as the number of times that each row is drawn.

use super::paired::Paired;
use super::scored::Scored;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Binomial, Distribution, Hypergeometric};

/// Rows in a block. Draws are made block by block, so that the counts in use stay in the cache.
const BLOCK: usize = 1 << 15;

/// The generator of a replicate: a stream of its own, so that results do not depend on the number of threads.
pub(super) fn generator(seed: u64, replicate: usize) -> ChaCha8Rng {
    let mut generator = ChaCha8Rng::seed_from_u64(seed);
    generator.set_stream(replicate as u64);
    generator
}

/// The generator of a replicate of smooth models, apart from all of [`generator`].
pub(super) fn smooth_generator(seed: u64, replicate: usize) -> ChaCha8Rng {
    generator(seed, replicate | 1 << 40)
}

/// The generator of a permutation of the classes of the `m`-th model, apart from all others.
pub(super) fn permutation_generator(seed: u64, replicate: usize, m: usize) -> ChaCha8Rng {
    generator(seed, replicate | (m + 1) << 40 | 1 << 39)
}

/// The generator of a sample for a band around a curve, apart from all others.
pub(super) fn band_generator(seed: u64, replicate: usize) -> ChaCha8Rng {
    generator(seed, replicate | 1 << 38)
}

/// Multinomial draws over cells that are visited in order.
///
/// Given the numbers in the cells before, the number in a cell is binomial.
pub(super) struct MultinomialDraws<'a> {
    /// The generator.
    pub(super) generator: &'a mut ChaCha8Rng,
    /// The number of remaining draws.
    pub(super) draws: u64,
    /// The weight of the remaining cells.
    pub(super) weight: f64,
}

impl MultinomialDraws<'_> {
    /// The number of draws in the next cell, which has this weight.
    pub(super) fn next(&mut self, weight: f64) -> u64 {
        let share = (weight / self.weight).clamp(0.0, 1.0);
        self.weight -= weight;
        let drawn = match Binomial::new(self.draws, share) {
            Ok(binomial) => binomial.sample(self.generator).min(self.draws),
            Err(_) => 0,
        };
        self.draws -= drawn;
        drawn
    }
}

/// A bootstrap sample of rows without weights: as many draws with replacement as there are rows. Writes how often each row is drawn.
pub(super) fn draw_rows(generator: &mut ChaCha8Rng, counts: &mut [u32]) {
    counts.fill(0);
    let mut remaining_rows = counts.len();
    let mut remaining_draws = remaining_rows as u64;
    for block in counts.chunks_mut(BLOCK) {
        let drawn = match block.len() == remaining_rows {
            true => remaining_draws,
            false => MultinomialDraws { generator, draws: remaining_draws, weight: remaining_rows as f64 }
                .next(block.len() as f64),
        };
        remaining_draws -= drawn;
        remaining_rows -= block.len();
        for _ in 0..drawn {
            block[generator.random_range(0..block.len())] += 1;
        }
    }
}

/// A bootstrap sample of grouped rows: a row of weight `w`, a whole number, stands for `w` equal rows. There are as many draws with replacement
/// as the weights add up to. Writes the new weight of each row, the number of draws that fell on its `w` rows.
pub(super) fn draw_counts(generator: &mut ChaCha8Rng, data: &Scored, counts: &mut [f64]) {
    let total: f64 = data.totals().iter().sum();
    let mut cells = MultinomialDraws { generator, draws: total as u64, weight: total };
    for (row, count) in counts.iter_mut().enumerate() {
        *count = cells.next(data.weight(row)) as f64;
    }
}

/// A bootstrap sample of rows without weights, with a number from 0 to 1 for each draw, by which models of the same rows draw its class.
pub(super) struct RowDraws {
    /// For each row the index of its first number, and their count at the end.
    firsts: Vec<usize>,
    numbers: Vec<f64>,
}

impl RowDraws {
    /// As many draws as there are rows.
    pub(super) fn new(generator: &mut ChaCha8Rng, rows: usize) -> RowDraws {
        let mut counts = vec![0; rows];
        draw_rows(generator, &mut counts);
        let mut firsts = Vec::with_capacity(rows + 1);
        firsts.push(0);
        let mut drawn = 0;
        for count in counts {
            drawn += count as usize;
            firsts.push(drawn);
        }
        RowDraws { firsts, numbers: (0..drawn).map(|_| generator.random()).collect() }
    }

    /// The numbers of the draws of a row.
    pub(super) fn of(&self, row: usize) -> &[f64] {
        &self.numbers[self.firsts[row]..self.firsts[row + 1]]
    }
}

/// Draws without replacement are simulated one by one if there are at most this many.
const FEW_DRAWS: u64 = 1000;

/// They are also simulated one by one if fewer than this many marked rows are expected.
const FEW_MARKED: f64 = 16.0;

/// The number of marked rows among `drawn` rows that are drawn without replacement from `rows`, of which `marked` are marked.
///
/// The library's sampler takes time in proportion to `rows` where few marked rows are expected.
pub(super) fn draw_hypergeometric(generator: &mut ChaCha8Rng, rows: u64, marked: u64, drawn: u64) -> u64 {
    // The rows that are not drawn, or not marked, if they are fewer; marks and draws are exchangeable.
    if drawn > rows - drawn {
        return marked - draw_hypergeometric(generator, rows, marked, rows - drawn);
    }
    if marked > rows - marked {
        return drawn - draw_hypergeometric(generator, rows, rows - marked, drawn);
    }
    if marked < drawn {
        return draw_hypergeometric(generator, rows, drawn, marked);
    }
    let expected = drawn as f64 * (marked as f64 / rows as f64);
    if drawn > FEW_DRAWS
        && expected >= FEW_MARKED
        && let Ok(sampler) = Hypergeometric::new(rows, marked, drawn)
    {
        return sampler.sample(generator).min(drawn);
    }
    let mut found = 0;
    for before in 0..drawn {
        if generator.random_range(0..rows - before) < marked - found {
            found += 1;
        }
    }
    found
}

/// The rows of each class, for samples that have as many of each as the data.
pub(super) struct Strata {
    /// The rows of class 0 and of class 1, in the order in which samples count them.
    rows: [Vec<u32>; 2],
}

impl Strata {
    /// The rows of each class in the common order of the models.
    pub(super) fn new(data: &Paired) -> Strata {
        let mut rows = [Vec::new(), Vec::new()];
        if let Some(model) = data.models().first() {
            let place = |row: usize| data.orders.as_ref().map_or(row as u32, |orders| orders[0][row]);
            (0..model.rows()).for_each(|row| rows[model.class(row)].push(place(row)));
        }
        Strata { rows }
    }

    /// Draws from the rows of each class as many as there are. Writes how often each row is drawn.
    pub(super) fn draw_rows(&self, generator: &mut ChaCha8Rng, counts: &mut [u32]) {
        counts.fill(0);
        for rows in &self.rows {
            for _ in 0..rows.len() {
                counts[rows[generator.random_range(0..rows.len())] as usize] += 1;
            }
        }
    }

    /// As [`draw_counts`], of each class as many as there are.
    pub(super) fn draw_counts(&self, generator: &mut ChaCha8Rng, data: &Scored, counts: &mut [f64]) {
        for (rows, total) in self.rows.iter().zip(data.totals()) {
            let mut cells = MultinomialDraws { generator, draws: total as u64, weight: total };
            for row in rows {
                counts[*row as usize] = cells.next(data.weight(*row as usize)) as f64;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Mean and variance of the hypergeometric distribution: few draws, many draws, most rows drawn, most rows marked.
    #[test]
    fn draws_without_replacement() {
        let cases: [(u64, u64, u64); 9] = [
            (10, 3, 4),
            (10, 8, 4),
            (10, 3, 9),
            (1, 1, 1),
            (7, 0, 3),
            (5000, 1200, 1),
            (100_000, 40_000, 30_000),
            (100_000, 99_000, 98_000),
            (1_000_000_000, 2000, 3000),
        ];
        let samples = 4000;
        for (rows, marked, drawn) in cases {
            let mut generator = generator(5, 0);
            let found: Vec<f64> =
                (0..samples).map(|_| draw_hypergeometric(&mut generator, rows, marked, drawn) as f64).collect();
            let most = marked.min(drawn) as f64;
            let least = (marked + drawn).saturating_sub(rows) as f64;
            assert!(found.iter().all(|x| (least..=most).contains(x)), "{rows} {marked} {drawn}");
            let share = marked as f64 / rows as f64;
            let mean = drawn as f64 * share;
            let others = (rows - drawn) as f64 / (rows - 1).max(1) as f64;
            let variance = mean * (1.0 - share) * others;
            let found_mean = found.iter().sum::<f64>() / f64::from(samples);
            let found_variance = found.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / f64::from(samples);
            assert!(
                (found_mean - mean).abs() <= 4.0 * (variance / f64::from(samples)).sqrt(),
                "{rows} {marked} {drawn}"
            );
            assert!((found_variance - variance).abs() <= 0.12 * variance + 0.02, "{found_variance} {variance}");
        }
    }

    /// The counts add up to the number of rows, and have the mean and the variance of a multinomial, over several blocks.
    #[test]
    fn counts_are_multinomial() {
        let rows = 2 * BLOCK + 17;
        let mut counts = vec![0; rows];
        let (mut first_block, mut squares) = (0.0, 0.0);
        let replicates = 200;
        for replicate in 0..replicates {
            draw_rows(&mut generator(1, replicate), &mut counts);
            assert_eq!(counts.iter().map(|c| u64::from(*c)).sum::<u64>(), rows as u64);
            first_block += counts[..BLOCK].iter().map(|c| f64::from(*c)).sum::<f64>() / f64::from(replicates as u32);
            let squared = counts.iter().map(|c| (f64::from(*c) - 1.0).powi(2)).sum::<f64>();
            squares += squared / (rows * replicates) as f64;
        }
        // The first block holds about half of the rows. Its count has the standard deviation sqrt(n/4), and the mean of 200 has sqrt(n/800).
        assert!((first_block - BLOCK as f64).abs() < 4.0 * (rows as f64 / 4.0 / 200.0).sqrt(), "{first_block}");
        assert!((squares - 1.0).abs() < 0.005, "{squares}");
    }

    #[test]
    fn replicates_do_not_depend_on_each_other() {
        let draw = |replicate: usize| {
            let mut counts = vec![0; 100];
            draw_rows(&mut generator(9, replicate), &mut counts);
            counts
        };
        assert_eq!(draw(3), draw(3));
        assert_ne!(draw(3), draw(4));
    }
}
