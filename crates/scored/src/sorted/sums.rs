//! The monomials that definitions need, summed over links of rows.

use super::super::moments::{BlockColumn, LinkBlock, Products, WIDTH, total};
use super::super::polynomial::{Moves, VARIABLES};
use super::super::sum::CompensatedSum;

/// Sums of monomials for each kind of link.
pub(super) struct MonomialSums {
    kinds: Vec<KindSums>,
    products: Vec<BlockColumn>,
}

/// The sums over links of one kind.
struct KindSums {
    plan: Products,
    block: LinkBlock,
    /// The sum of each monomial, and the sum of its absolute values.
    sums: Vec<(CompensatedSum, f64)>,
}

impl MonomialSums {
    /// No monomials.
    pub fn new() -> MonomialSums {
        let kind = |_| KindSums { plan: Products::new(), block: LinkBlock::new(), sums: Vec::new() };
        MonomialSums { kinds: (0..Moves::KINDS).map(kind).collect(), products: Vec::new() }
    }

    /// Asks for the sum of a monomial over links of a kind. All are asked for before the first link.
    pub fn ask(&mut self, kind: usize, powers: [u8; VARIABLES]) {
        let kind = &mut self.kinds[kind];
        kind.plan.sum_index(powers);
        kind.sums.resize(kind.plan.summed.len(), (CompensatedSum::default(), 0.0));
    }

    /// Adds a link.
    #[inline]
    pub fn push(&mut self, kind: usize, values: &[f64; VARIABLES]) {
        let sums = &mut self.kinds[kind];
        sums.block.push(values);
        if sums.block.filled == WIDTH {
            sums.flush(&mut self.products);
        }
    }

    /// Adds the links that are left.
    pub fn finish(&mut self) {
        for sums in &mut self.kinds {
            if sums.block.filled > 0 {
                sums.block.clear_rest();
                sums.flush(&mut self.products);
            }
        }
    }

    /// The sum of a monomial over links of a kind, and the sum of its absolute values; `None` if it was not asked for.
    pub fn get(&self, kind: usize, powers: &[u8; VARIABLES]) -> Option<(f64, f64)> {
        let sums = &self.kinds[kind];
        let index = sums.plan.summed.iter().position(|index| sums.plan.powers[*index] == *powers)?;
        let (sum, size) = sums.sums[index];
        Some((sum.value(), size))
    }
}

impl KindSums {
    /// Adds the links of the block to the sums, and empties it.
    fn flush(&mut self, products: &mut Vec<BlockColumn>) {
        self.plan.compute(&self.block, products);
        for (sum, index) in self.sums.iter_mut().zip(&self.plan.summed) {
            let column = match index.checked_sub(VARIABLES) {
                None => &self.block.columns[*index],
                Some(product) => &products[product],
            };
            sum.0 = sum.0.plus(total(column));
            sum.1 += total(&column.map(f64::abs));
        }
        self.block.filled = 0;
    }
}
