//! Definitions as sums of monomials over links.
//!
//! Along a straight link most definitions are polynomials in the nine numbers that it is given by. Their terms are shared: a
//! product is summed once for all definitions, and for cost proportions and skews alike. What is no polynomial, or has too many terms, is
//! run as a program at the nodes of a Gauss rule.

use super::chain::{Chain, Link};
use super::nodes::{NodeJob, NodeJobs};
use super::polynomial::{Moves, VARIABLES, link_polynomials};
use super::sum::CompensatedSum;
use rayon::prelude::*;
use rocproof_engine::calculus::Estimate;
use rocproof_engine::functional::group::Group;
use rocproof_engine::functional::program::{Environment, Program, Registers};

/// How many links of a kind are gathered before they are looked at.
pub(super) const WIDTH: usize = 64;
/// How many sums run side by side over a block.
const SIDE_BY_SIDE: usize = 8;
/// What rounding may do to a sum of products, relative to the sum of absolute values: each product has at most sixteen factors, which are
/// rounded themselves; the sum over a block adds as many roundings as each of the sums side by side has terms.
const ROUNDING: f64 = (32 + WIDTH / SIDE_BY_SIDE + 4) as f64 * f64::EPSILON;

/// What rounding may add besides to what is run at nodes: a difference such as `x - c` there is off by a rounding of its terms, however small it is.
const ROUNDING_AT_NODES: f64 = 32.0 * f64::EPSILON;

/// One number of each link of a block.
pub(super) type BlockColumn = [f64; WIDTH];

/// Stretches of one kind.
#[derive(Clone)]
pub(super) struct LinkBlock {
    pub(super) filled: usize,
    pub(super) columns: [BlockColumn; VARIABLES],
}

impl LinkBlock {
    fn new() -> LinkBlock {
        LinkBlock { filled: 0, columns: [[0.0; WIDTH]; VARIABLES] }
    }

    #[inline]
    fn push(&mut self, values: &[f64; VARIABLES]) {
        for (column, value) in self.columns.iter_mut().zip(values) {
            column[self.filled] = *value;
        }
        self.filled += 1;
    }

    /// Where nothing was gathered, nothing moves.
    fn clear_rest(&mut self) {
        for column in &mut self.columns {
            column[self.filled..].fill(0.0);
        }
    }
}

/// Products of columns, each from an earlier one and a column; those that are summed.
#[derive(Default)]
struct Products {
    /// The powers that each stands for; the first are the columns themselves.
    powers: Vec<[u8; VARIABLES]>,
    /// From which product and which column each comes, after the columns.
    factors: Vec<(usize, usize)>,
    /// Which of them are summed.
    summed: Vec<usize>,
}

impl Products {
    fn new() -> Products {
        let unit = |k: usize| std::array::from_fn(|i| u8::from(i == k));
        Products { powers: (0..VARIABLES).map(unit).collect(), ..Products::default() }
    }

    /// Where the product with these powers is.
    fn place(&mut self, powers: [u8; VARIABLES]) -> usize {
        if let Some(place) = self.powers.iter().position(|p| *p == powers) {
            return place;
        }
        // Without one factor it has probably been seen.
        let mut candidates = (0..VARIABLES).filter(|k| powers[*k] > 0).map(|k| {
            let mut rest = powers;
            rest[k] -= 1;
            (k, rest)
        });
        let known = candidates.clone().find(|(_, rest)| self.powers.contains(rest));
        let Some((column, rest)) = known.or_else(|| candidates.next()) else { return 0 };
        let from = self.place(rest);
        self.powers.push(powers);
        self.factors.push((from, column));
        self.powers.len() - 1
    }

    /// Which of the sums the product with these powers is.
    fn sum(&mut self, powers: [u8; VARIABLES]) -> usize {
        let place = self.place(powers);
        self.summed.iter().position(|p| *p == place).unwrap_or_else(|| {
            self.summed.push(place);
            self.summed.len() - 1
        })
    }

    fn compute(&self, block: &LinkBlock, products: &mut Vec<BlockColumn>) {
        products.resize(self.factors.len(), [0.0; WIDTH]);
        for (i, (from, column)) in self.factors.iter().enumerate() {
            let (done, rest) = products.split_at_mut(i);
            let from = if *from < VARIABLES { &block.columns[*from] } else { &done[*from - VARIABLES] };
            let by = &block.columns[*column];
            for ((out, a), b) in rest[0].iter_mut().zip(from).zip(by) {
                *out = a * b;
            }
        }
    }
}

/// The sum of a column, side by side.
fn total(column: &BlockColumn) -> f64 {
    let mut sums = [0.0; SIDE_BY_SIDE];
    for part in column.chunks_exact(SIDE_BY_SIDE) {
        for (sum, value) in sums.iter_mut().zip(part) {
            *sum += value;
        }
    }
    let [a, b, c, d, e, f, g, h] = sums;
    ((a + b) + (c + d)) + ((e + f) + (g + h))
}

/// A term of a definition: which sum, times what.
type SumTerms = Vec<(usize, f64)>;

/// What is computed of links of one kind.
struct KindPlan<'a> {
    products: Products,
    /// The terms of each integral.
    terms: Vec<SumTerms>,
    /// The terms of each value whose largest is looked for, at the end of a link.
    extremes: Vec<SumTerms>,
    /// What is no polynomial with few terms.
    jobs: Vec<NodeJob<'a>>,
}

impl KindPlan<'_> {
    /// A kind that does not occur.
    fn nothing(count: usize) -> Self {
        KindPlan {
            products: Products::new(),
            terms: vec![SumTerms::new(); count],
            extremes: Vec::new(),
            jobs: Vec::new(),
        }
    }
}

/// What is computed of a chain.
pub(super) struct MomentPlan<'a> {
    kinds: Vec<KindPlan<'a>>,
    /// How many integrals there are.
    count: usize,
    /// How many values are looked at for their largest.
    extremes: usize,
    /// Which integrals are run at nodes for some links.
    at_nodes: Vec<bool>,
    /// Which integrals go by panels: neither polynomials nor exact at any number of nodes.
    pub(super) by_panels: Vec<usize>,
    totals: [f64; 2],
    signed: bool,
}

impl<'a> MomentPlan<'a> {
    /// Plans the integrals of groups of definitions under their views, and the largest of further values.
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
            if moves.stand_still() || moves.spread() && !chain.spreads() {
                kinds.push(KindPlan::nothing(count));
                continue;
            }
            let mut products = Products::new();
            let mut terms = vec![SumTerms::new(); count];
            let mut jobs = NodeJobs::default();
            let mut position = 0;
            for (group, view) in asked {
                let of_group = link_polynomials(&group.on(moves.piece()).program, view, totals, moves);
                for (k, form) in of_group.iter().take(group.len()).enumerate() {
                    match form.integral() {
                        Some(of) => terms[position] = of.into_iter().map(|(p, c)| (products.sum(p), c)).collect(),
                        None if jobs.add(group, k, view, moves, position) => at_nodes[position] = true,
                        None => by_panels.push(position),
                    }
                    position += 1;
                }
            }
            let mut at_end = |(program, view): &(&Program, &Environment)| {
                let value = link_polynomials(program, view, totals, moves).first().and_then(|form| form.at_end());
                value.unwrap_or_default().into_iter().map(|(p, c)| (products.place(p), c)).collect()
            };
            let extremes = extremes.iter().map(&mut at_end).collect();
            kinds.push(KindPlan { products, terms, extremes, jobs: jobs.compiled() });
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

    /// Carries it out: the integrals, each with what rounding may have done to it, and the largest absolute values.
    pub(super) fn run(&self, chain: &impl Chain, roundings: &[f64]) -> (Vec<Estimate>, Vec<f64>) {
        let parts: Vec<ChunkPass> = (0..chain.chunks())
            .into_par_iter()
            .map(|chunk| {
                let mut pass = ChunkPass::new(self);
                chain.visit(chunk, |link| pass.take(link));
                pass.finish();
                pass
            })
            .collect();
        let mut values = vec![(CompensatedSum::default(), 0.0); self.count];
        for (kind, of_kind) in self.kinds.iter().enumerate() {
            let sums: Vec<(CompensatedSum, f64)> = (0..of_kind.products.summed.len())
                .map(|k| {
                    parts.iter().fold((CompensatedSum::default(), 0.0), |(sum, size), part| {
                        let (s, m) = part.sums[kind][k];
                        (sum.plus(s.value()), size + m)
                    })
                })
                .collect();
            for (value, terms) in values.iter_mut().zip(&of_kind.terms) {
                for (k, c) in terms {
                    *value = (value.0.plus(c * sums[*k].0.value()), value.1 + c.abs() * sums[*k].1);
                }
            }
        }
        for part in &parts {
            for (value, (sum, size)) in values.iter_mut().zip(&part.by_nodes) {
                *value = (value.0.plus(sum.value()), value.1 + size);
            }
        }
        let estimates =
            values.into_iter().zip(roundings).zip(&self.at_nodes).map(|(((sum, size), rounding), at_nodes)| Estimate {
                value: sum.value(),
                error: (ROUNDING + rounding) * size + if *at_nodes { ROUNDING_AT_NODES } else { 0.0 },
            });
        let largest = |k: usize| parts.iter().map(|part| part.largest[k]).fold(0.0, f64::max);
        (estimates.collect(), (0..self.extremes).map(largest).collect())
    }
}

/// What is gathered of one chunk.
struct ChunkPass<'a> {
    plan: &'a MomentPlan<'a>,
    blocks: Vec<LinkBlock>,
    products: Vec<BlockColumn>,
    /// For each kind its sums and the sums of absolute values.
    sums: Vec<Vec<(CompensatedSum, f64)>>,
    by_nodes: Vec<(CompensatedSum, f64)>,
    largest: Vec<f64>,
    registers: Registers,
}

impl<'a> ChunkPass<'a> {
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

    #[inline]
    fn take(&mut self, link: &Link) {
        let block = &mut self.blocks[link.kind];
        block.push(&link.values);
        if block.filled == WIDTH {
            self.empty(link.kind);
        }
    }

    fn finish(&mut self) {
        for kind in 0..Moves::KINDS {
            if self.blocks[kind].filled > 0 {
                self.blocks[kind].clear_rest();
                self.empty(kind);
            }
        }
    }

    /// Adds up a block.
    fn empty(&mut self, kind: usize) {
        let (block, of_kind) = (&mut self.blocks[kind], &self.plan.kinds[kind]);
        of_kind.products.compute(block, &mut self.products);
        let column = |place: usize| match place.checked_sub(VARIABLES) {
            None => &block.columns[place],
            Some(product) => &self.products[product],
        };
        for (sum, place) in self.sums[kind].iter_mut().zip(&of_kind.products.summed) {
            let added = total(column(*place));
            sum.0 = sum.0.plus(added);
            sum.1 += if self.plan.signed { total(&column(*place).map(f64::abs)) } else { added };
        }
        for (largest, terms) in self.largest.iter_mut().zip(&of_kind.extremes) {
            let mut values = [0.0; WIDTH];
            for (place, c) in terms {
                values.iter_mut().zip(column(*place)).for_each(|(value, product)| *value += c * product);
            }
            *largest = values[..block.filled].iter().fold(*largest, |largest, value| largest.max(value.abs()));
        }
        for job in &of_kind.jobs {
            job.run(block, self.plan.totals, &mut self.registers, &mut self.by_nodes);
        }
        block.filled = 0;
    }
}
