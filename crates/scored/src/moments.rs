//! Definitions as sums of monomials over links.
//!
//! Along a straight link the integral of most definitions is a polynomial in the nine numbers of the link. Monomials are shared: each is
//! summed once for all definitions, for cost proportions and skews alike. A definition that is not a polynomial there, or has too many
//! terms, is run as a program at the nodes of a Gauss rule.

use super::chain::{Chain, Link};
use super::nodes::{NodeJob, NodeJobs};
use super::polynomial::{Moves, VARIABLES, link_polynomials};
use super::sum::CompensatedSum;
use rayon::prelude::*;
use rocproof_engine::calculus::Estimate;
use rocproof_engine::functional::group::Group;
use rocproof_engine::functional::program::{Environment, Program, Registers};

/// Links of one kind that are processed together.
pub(super) const WIDTH: usize = 64;
/// Partial sums of a column, so that the additions can be vectorised.
const SIDE_BY_SIDE: usize = 8;
/// Error bound of a sum of monomials, relative to the sum of absolute values. A monomial has at most sixteen factors, each rounded itself
/// (32 roundings); each partial sum of a block adds one rounding per term; four are to spare.
pub(super) const ROUNDING: f64 = (32 + WIDTH / SIDE_BY_SIDE + 4) as f64 * f64::EPSILON;

/// Additional absolute error bound of integrals at nodes: a difference such as `x - c` has the rounding error of its terms, however small it is.
const ROUNDING_AT_NODES: f64 = 32.0 * f64::EPSILON;

/// One variable or monomial for each link of a block.
pub(super) type BlockColumn = [f64; WIDTH];

/// Links of one kind, stored by variable.
#[derive(Clone)]
pub(super) struct LinkBlock {
    pub(super) filled: usize,
    pub(super) columns: [BlockColumn; VARIABLES],
}

impl LinkBlock {
    /// An empty block.
    pub(super) fn new() -> LinkBlock {
        LinkBlock { filled: 0, columns: [[0.0; WIDTH]; VARIABLES] }
    }

    /// Adds a link; the block must not be full.
    #[inline]
    pub(super) fn push(&mut self, values: &[f64; VARIABLES]) {
        for (column, value) in self.columns.iter_mut().zip(values) {
            column[self.filled] = *value;
        }
        self.filled += 1;
    }

    /// Fills the unused rest with zeros, which add nothing to any sum.
    pub(super) fn clear_rest(&mut self) {
        for column in &mut self.columns {
            column[self.filled..].fill(0.0);
        }
    }
}

/// Monomials to be computed, each as the product of an earlier one and a variable.
#[derive(Default)]
pub(super) struct Products {
    /// The exponents of each monomial; the first ones are the variables themselves.
    pub(super) powers: Vec<[u8; VARIABLES]>,
    /// For each monomial after the variables, the index of the earlier monomial and of the variable.
    factors: Vec<(usize, usize)>,
    /// The indices of the monomials that are summed.
    pub(super) summed: Vec<usize>,
}

impl Products {
    /// The variables alone, with no monomial to be summed.
    pub(super) fn new() -> Products {
        let only = |k: usize| std::array::from_fn(|i| u8::from(i == k));
        Products { powers: (0..VARIABLES).map(only).collect(), ..Products::default() }
    }

    /// The index of the monomial with these exponents, which is added if it is new.
    fn index(&mut self, powers: [u8; VARIABLES]) -> usize {
        if let Some(index) = self.powers.iter().position(|p| *p == powers) {
            return index;
        }
        // Divide by one variable, if possible such that the quotient is there already.
        let mut candidates = (0..VARIABLES).filter(|k| powers[*k] > 0).map(|k| {
            let mut quotient = powers;
            quotient[k] -= 1;
            (k, quotient)
        });
        let known = candidates.clone().find(|(_, quotient)| self.powers.contains(quotient));
        let Some((variable, quotient)) = known.or_else(|| candidates.next()) else { return 0 };
        let quotient = self.index(quotient);
        self.powers.push(powers);
        self.factors.push((quotient, variable));
        self.powers.len() - 1
    }

    /// The index of the sum of the monomial with these exponents, which is added if it is new.
    pub(super) fn sum_index(&mut self, powers: [u8; VARIABLES]) -> usize {
        let index = self.index(powers);
        self.summed.iter().position(|i| *i == index).unwrap_or_else(|| {
            self.summed.push(index);
            self.summed.len() - 1
        })
    }

    /// Computes all monomials after the variables for the links of a block.
    pub(super) fn compute(&self, block: &LinkBlock, products: &mut Vec<BlockColumn>) {
        products.resize(self.factors.len(), [0.0; WIDTH]);
        for (i, (monomial, variable)) in self.factors.iter().enumerate() {
            let (done, to_do) = products.split_at_mut(i);
            let monomial = if *monomial < VARIABLES { &block.columns[*monomial] } else { &done[*monomial - VARIABLES] };
            let variable = &block.columns[*variable];
            for ((out, a), b) in to_do[0].iter_mut().zip(monomial).zip(variable) {
                *out = a * b;
            }
        }
    }
}

/// The sum of a column by partial sums.
pub(super) fn total(column: &BlockColumn) -> f64 {
    let mut sums = [0.0; SIDE_BY_SIDE];
    for part in column.chunks_exact(SIDE_BY_SIDE) {
        for (sum, value) in sums.iter_mut().zip(part) {
            *sum += value;
        }
    }
    let [a, b, c, d, e, f, g, h] = sums;
    ((a + b) + (c + d)) + ((e + f) + (g + h))
}

/// A linear combination: indices of sums or monomials, with coefficients.
type SumTerms = Vec<(usize, f64)>;

/// The computations for links of one kind.
struct KindPlan<'a> {
    products: Products,
    /// Each integral as a combination of sums.
    terms: Vec<SumTerms>,
    /// Each value whose maximum is wanted, at the end of a link, as a combination of monomials.
    extremes: Vec<SumTerms>,
    /// Integrals at nodes: those that are not polynomials with few terms.
    jobs: Vec<NodeJob<'a>>,
}

impl KindPlan<'_> {
    /// The plan of a kind that does not occur: no sums.
    fn empty(count: usize) -> Self {
        KindPlan {
            products: Products::new(),
            terms: vec![SumTerms::new(); count],
            extremes: Vec::new(),
            jobs: Vec::new(),
        }
    }
}

/// The integrals and maxima to compute along a chain.
pub(super) struct MomentPlan<'a> {
    kinds: Vec<KindPlan<'a>>,
    /// The number of integrals.
    count: usize,
    /// The number of maxima.
    extremes: usize,
    /// For each integral, whether it is computed at nodes on some links.
    at_nodes: Vec<bool>,
    /// The integrals left to panels: not polynomials, and not integrated exactly by the nodes.
    pub(super) by_panels: Vec<usize>,
    totals: [f64; 2],
    /// Whether variables may be negative, so that sums of absolute values have to be computed apart.
    signed: bool,
}

impl<'a> MomentPlan<'a> {
    /// Plans the integrals of groups of definitions, and the maxima of further values, each under its environment.
    pub(super) fn new(
        chain: &impl Chain,
        asked: &[(&'a Group, &'a Environment<'a>)],
        extremes: &[(&'a Program, &'a Environment<'a>)],
    ) -> MomentPlan<'a> {
        let totals = chain.totals();
        let count: usize = asked.iter().map(|(group, _)| group.len()).sum();
        let mut by_panels: Vec<usize> = Vec::new();
        let mut at_nodes = vec![false; count];
        let mut kinds = Vec::with_capacity(Moves::KINDS);
        for kind in 0..Moves::KINDS {
            let moves = Moves::of_kind(kind);
            if moves.is_empty() || moves.is_spread() && !chain.spreads() {
                kinds.push(KindPlan::empty(count));
                continue;
            }
            let mut products = Products::new();
            let mut terms = vec![SumTerms::new(); count];
            let mut jobs = NodeJobs::default();
            let mut position = 0;
            for (group, environment) in asked {
                let of_group = link_polynomials(&group.on(moves.piece()).program, environment, totals, moves);
                for (k, form) in of_group.iter().take(group.len()).enumerate() {
                    match form.integral() {
                        Some(of) => terms[position] = of.into_iter().map(|(p, c)| (products.sum_index(p), c)).collect(),
                        None if jobs.add(group, k, environment, moves, position) => at_nodes[position] = true,
                        None => by_panels.push(position),
                    }
                    position += 1;
                }
            }
            let mut at_end = |(program, environment): &(&Program, &Environment)| {
                let value =
                    link_polynomials(program, environment, totals, moves).first().and_then(|form| form.at_end());
                value.unwrap_or_default().into_iter().map(|(p, c)| (products.index(p), c)).collect()
            };
            let extremes = extremes.iter().map(&mut at_end).collect();
            kinds.push(KindPlan { products, terms, extremes, jobs: jobs.compile() });
        }
        by_panels.sort_unstable();
        by_panels.dedup();
        let (low, high) = chain.range();
        MomentPlan {
            kinds,
            count,
            extremes: extremes.len(),
            at_nodes,
            by_panels,
            totals,
            signed: low < 0.0 || high > 1.0,
        }
    }

    /// Computes the integrals with error bounds, and the largest absolute values. `roundings` are further relative errors of the integrals.
    pub(super) fn run(&self, chain: &impl Chain, roundings: &[f64]) -> (Vec<Estimate>, Vec<f64>) {
        let visit_chunk = |chunk: usize| {
            let mut pass = ChunkPass::new(self);
            chain.visit(chunk, |link| pass.push(link));
            pass.finish();
            pass
        };
        let passes: Vec<ChunkPass> = (0..chain.chunks()).into_par_iter().map(visit_chunk).collect();
        let values = self.combine(&passes);
        let estimates =
            values.into_iter().zip(roundings).zip(&self.at_nodes).map(|(((sum, size), rounding), at_nodes)| Estimate {
                value: sum.value(),
                error: (ROUNDING + rounding) * size + if *at_nodes { ROUNDING_AT_NODES } else { 0.0 },
            });
        let largest = |k: usize| passes.iter().map(|pass| pass.largest[k]).fold(0.0, f64::max);
        (estimates.collect(), (0..self.extremes).map(largest).collect())
    }

    /// Each integral from the sums of all chunks, with the sum of the absolute values of its terms.
    fn combine(&self, passes: &[ChunkPass]) -> Vec<(CompensatedSum, f64)> {
        let mut values = vec![(CompensatedSum::default(), 0.0); self.count];
        for (kind, kind_plan) in self.kinds.iter().enumerate() {
            let total = |k: usize| {
                passes.iter().fold((CompensatedSum::default(), 0.0), |(sum, size), pass| {
                    let (s, m) = pass.sums[kind][k];
                    (sum.plus(s.value()), size + m)
                })
            };
            let totals: Vec<(CompensatedSum, f64)> = (0..kind_plan.products.summed.len()).map(total).collect();
            for (value, terms) in values.iter_mut().zip(&kind_plan.terms) {
                for (k, c) in terms {
                    *value = (value.0.plus(c * totals[*k].0.value()), value.1 + c.abs() * totals[*k].1);
                }
            }
        }
        for pass in passes {
            for (value, (sum, size)) in values.iter_mut().zip(&pass.by_nodes) {
                *value = (value.0.plus(sum.value()), value.1 + size);
            }
        }
        values
    }
}

/// The sums over one chunk.
struct ChunkPass<'a> {
    plan: &'a MomentPlan<'a>,
    blocks: Vec<LinkBlock>,
    products: Vec<BlockColumn>,
    /// For each kind, the sum of each monomial and the sum of its absolute values.
    sums: Vec<Vec<(CompensatedSum, f64)>>,
    by_nodes: Vec<(CompensatedSum, f64)>,
    largest: Vec<f64>,
    registers: Registers,
}

impl<'a> ChunkPass<'a> {
    /// All sums at zero.
    fn new(plan: &'a MomentPlan<'a>) -> ChunkPass<'a> {
        ChunkPass {
            plan,
            blocks: vec![LinkBlock::new(); Moves::KINDS],
            products: Vec::new(),
            sums: plan
                .kinds
                .iter()
                .map(|kind| vec![(CompensatedSum::default(), 0.0); kind.products.summed.len()])
                .collect(),
            by_nodes: vec![(CompensatedSum::default(), 0.0); plan.count],
            largest: vec![0.0; plan.extremes],
            registers: Registers::default(),
        }
    }

    /// Adds a link to the block of its kind, and processes the block when it is full.
    #[inline]
    fn push(&mut self, link: &Link) {
        let block = &mut self.blocks[link.kind];
        block.push(&link.values);
        if block.filled == WIDTH {
            self.flush(link.kind);
        }
    }

    /// Flushes the blocks that are not full.
    fn finish(&mut self) {
        for kind in 0..Moves::KINDS {
            if self.blocks[kind].filled > 0 {
                self.blocks[kind].clear_rest();
                self.flush(kind);
            }
        }
    }

    /// Adds the links of a block to the sums, and empties it.
    fn flush(&mut self, kind: usize) {
        let (block, kind_plan) = (&mut self.blocks[kind], &self.plan.kinds[kind]);
        kind_plan.products.compute(block, &mut self.products);
        let column = |index: usize| match index.checked_sub(VARIABLES) {
            None => &block.columns[index],
            Some(product) => &self.products[product],
        };
        for (sum, index) in self.sums[kind].iter_mut().zip(&kind_plan.products.summed) {
            let added = total(column(*index));
            sum.0 = sum.0.plus(added);
            sum.1 += if self.plan.signed { total(&column(*index).map(f64::abs)) } else { added };
        }
        for (largest, terms) in self.largest.iter_mut().zip(&kind_plan.extremes) {
            let mut values = [0.0; WIDTH];
            for (index, c) in terms {
                values.iter_mut().zip(column(*index)).for_each(|(value, product)| *value += c * product);
            }
            *largest = values[..block.filled].iter().fold(*largest, |largest, value| largest.max(value.abs()));
        }
        for job in &kind_plan.jobs {
            job.run(block, self.plan.totals, &mut self.registers, &mut self.by_nodes);
        }
        block.filled = 0;
    }
}
