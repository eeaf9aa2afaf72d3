//! How often each row is drawn in a sample of as many rows, with replacement.

use super::scored::Scored;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Binomial, Distribution};

/// Rows that are drawn from at once, so that their counts stay close at hand.
const BLOCK: usize = 1 << 15;

/// The generator of a replicate: its own stream, whoever computes it.
pub(super) fn generator(seed: u64, replicate: usize) -> ChaCha8Rng {
    let mut generator = ChaCha8Rng::seed_from_u64(seed);
    generator.set_stream(replicate as u64);
    generator
}

/// How many of `draws` fall into each of a sequence of shares of what is left.
///
/// The number in one cell is binomial, given what the cells before it left: together they are multinomial.
struct MultinomialDraws<'a> {
    generator: &'a mut ChaCha8Rng,
    draws: u64,
    left: f64,
}

impl MultinomialDraws<'_> {
    fn next(&mut self, weight: f64) -> u64 {
        let share = (weight / self.left).clamp(0.0, 1.0);
        self.left -= weight;
        let drawn = match Binomial::new(self.draws, share) {
            Ok(binomial) => binomial.sample(self.generator).min(self.draws),
            Err(_) => 0,
        };
        self.draws -= drawn;
        drawn
    }
}

/// Draws as many rows as there are, all alike.
pub(super) fn draw_rows(generator: &mut ChaCha8Rng, counts: &mut [u32]) {
    counts.fill(0);
    let rows = counts.len();
    let mut draws = rows as u64;
    let mut left = rows;
    for block in counts.chunks_mut(BLOCK) {
        let drawn = match block.len() == left {
            true => draws,
            false => MultinomialDraws { generator, draws, left: left as f64 }.next(block.len() as f64),
        };
        draws -= drawn;
        left -= block.len();
        for _ in 0..drawn {
            block[generator.random_range(0..block.len())] += 1;
        }
    }
}

/// Draws as many rows as the weights count, each row of a cell alike.
pub(super) fn draw_counts(generator: &mut ChaCha8Rng, data: &Scored, counts: &mut [f64]) {
    let total: f64 = data.totals().iter().sum();
    let mut shares = MultinomialDraws { generator, draws: total as u64, left: total };
    for (row, count) in counts.iter_mut().enumerate() {
        *count = shares.next(data.weight(row)) as f64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As many as there are, in any number of blocks; each with the mean and the variance of a multinomial.
    #[test]
    fn counts_are_multinomial() {
        let rows = 2 * BLOCK + 17;
        let mut counts = vec![0; rows];
        let (mut of_first, mut squares) = (0.0, 0.0);
        let replicates = 200;
        for replicate in 0..replicates {
            draw_rows(&mut generator(1, replicate), &mut counts);
            assert_eq!(counts.iter().map(|c| u64::from(*c)).sum::<u64>(), rows as u64);
            of_first += counts[..BLOCK].iter().map(|c| f64::from(*c)).sum::<f64>() / f64::from(replicates as u32);
            let squared = counts.iter().map(|c| (f64::from(*c) - 1.0).powi(2)).sum::<f64>();
            squares += squared / (rows * replicates) as f64;
        }
        // A block of about half of the rows: the standard deviation of its count is sqrt(n/4), of the mean 200^(1/2) times less.
        assert!((of_first - BLOCK as f64).abs() < 4.0 * (rows as f64 / 4.0 / 200.0).sqrt(), "{of_first}");
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
