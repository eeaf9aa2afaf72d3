//! Definitions read along ties and gaps.
//!
//! Along a tie the distribution functions move and the score stands still; along a gap it is the other way round. What a definition
//! says is then a polynomial, and a Gauss rule with enough nodes integrates it exactly. A block of ties or gaps is evaluated at one
//! node at once.

use super::scored::{Scored, Sum};
use crate::calculus::Estimate;
use crate::calculus::panel::{Panel, Point};
use crate::calculus::rule::{Lane, NODES, RULE};
use crate::functional::along::along;
use crate::functional::group::{Group, compiled};
use crate::functional::program::{Inputs, Program, Registers, View};
use crate::model::Curve;

/// The degrees of `x, 1-x, F0, 1-F0, F1, 1-F1, dx, dF0, dF1, q0, q1, dq1, cost, 1-cost` along a tie and along a gap.
const ALONG_TIE: [u32; 14] = [0, 0, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0];
const ALONG_GAP: [u32; 14] = [1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
/// Up to this degree the rule of a panel is exact.
const PANEL_DEGREE: u32 = 31;
/// How many ties are made into panels at once where nothing is exact.
const CHUNK: usize = 512;
/// What rounding may do to a sum, relative to the sum of absolute values.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// Nodes in [0, 1] and their weights.
fn nodes(degree: u32) -> Vec<(f64, f64)> {
    match degree {
        0 | 1 => vec![(0.5, 1.0)],
        2 | 3 => {
            let off = 0.5 / 3f64.sqrt();
            vec![(0.5 - off, 0.5), (0.5 + off, 0.5)]
        }
        _ => RULE.nodes.iter().copied().zip(RULE.kronrod).collect(),
    }
}

/// Definitions that are integrated with the same nodes.
struct Job<'a> {
    program: Program,
    view: &'a View<'a>,
    /// Which of the sums each output belongs to.
    sums: Vec<usize>,
    nodes: Vec<(f64, f64)>,
}

/// Definitions to be compiled together: those with one view that need as many nodes.
struct Plan<'a> {
    view: &'a View<'a>,
    degree: u32,
    /// Texts, and which of the sums each belongs to.
    texts: Vec<(&'static str, usize)>,
}

#[derive(Default)]
struct Plans<'a>(Vec<Plan<'a>>);

impl<'a> Plans<'a> {
    fn add(&mut self, view: &'a View<'a>, degree: u32, text: &'static str, sum: usize) {
        // As many nodes as the degree needs: one, two, or those of a panel.
        let degree = [1, 3, PANEL_DEGREE].into_iter().find(|limit| degree <= *limit).unwrap_or(PANEL_DEGREE);
        match self.0.iter_mut().find(|plan| std::ptr::eq(plan.view, view) && plan.degree == degree) {
            Some(plan) => plan.texts.push((text, sum)),
            None => self.0.push(Plan { view, degree, texts: vec![(text, sum)] }),
        }
    }

    fn compiled(self) -> Vec<Job<'a>> {
        let job = |Plan { view, degree, texts }: Plan<'a>| {
            let (texts, sums): (Vec<&str>, Vec<usize>) = texts.into_iter().unzip();
            Job { program: compiled(&texts), view, sums, nodes: nodes(degree) }
        };
        self.0.into_iter().map(job).collect()
    }
}

/// The integrals of groups of definitions along the ties and gaps of scored data.
pub(super) fn integrals<const N: usize>(
    data: &Scored,
    range: (f64, f64),
    asked: [(&Group, &View); N],
) -> [Vec<Estimate>; N] {
    let mut starts = [0; N];
    let mut count = 0;
    for (start, (group, _)) in starts.iter_mut().zip(&asked) {
        *start = count;
        count += group.names.len();
    }
    let (mut of_ties, mut of_gaps) = (Plans::default(), Plans::default());
    let mut by_panels: Vec<usize> = Vec::new();
    for (start, (group, view)) in starts.iter().zip(&asked) {
        let [a, b] = view.cost.exponents();
        let whole = a.fract() == 0.0 && b.fract() == 0.0;
        let weight = whole.then_some((a + b - 2.0) as u32);
        for (k, text) in group.texts.iter().enumerate() {
            let moves_mass = group.program.reads(k, &["dF0", "dF1"]);
            let (plans, degrees) = if moves_mass { (&mut of_ties, &ALONG_TIE) } else { (&mut of_gaps, &ALONG_GAP) };
            match group.program.degree(k, degrees, weight).filter(|degree| *degree <= PANEL_DEGREE) {
                Some(degree) => plans.add(view, degree, text, start + k),
                None => by_panels.push(start + k),
            }
        }
    }
    let mut pass = Pass::new(data, count);
    pass.run(range, &of_ties.compiled(), &of_gaps.compiled());
    let roundings = asked.iter().flat_map(|(group, view)| std::iter::repeat_n(view.cost.rounding(), group.names.len()));
    let mut found = pass.estimates(roundings);
    if !by_panels.is_empty() {
        for ((group, view), start) in asked.iter().zip(&starts) {
            let wanted: Vec<usize> =
                by_panels.iter().filter_map(|k| k.checked_sub(*start)).filter(|k| *k < group.names.len()).collect();
            if !wanted.is_empty() {
                let by_panels = along_panels(data, range, group, view);
                wanted.into_iter().for_each(|k| found[start + k] = by_panels[k]);
            }
        }
    }
    let mut rest = found.into_iter();
    asked.map(|(group, _)| rest.by_ref().take(group.names.len()).collect())
}

/// What a program reads of a block of ties or gaps.
struct Block {
    filled: usize,
    from: [Lane; 6],
    way: [Lane; 6],
    d: [Lane; 3],
    share: [Lane; 2],
}

static ZERO: Lane = [0.0; NODES];

impl Block {
    fn new() -> Block {
        Block { filled: 0, from: [ZERO; 6], way: [ZERO; 6], d: [ZERO; 3], share: [ZERO; 2] }
    }

    fn push(&mut self, start: &Point, end: &Point, d: [f64; 3]) {
        let i = self.filled;
        let values = |p: &Point| [p.x, p.x_complement, p.below[0], p.above[0], p.below[1], p.above[1]];
        let (from, to) = (values(start), values(end));
        for k in 0..6 {
            self.from[k][i] = from[k];
            self.way[k][i] = to[k] - from[k];
        }
        self.d.iter_mut().zip(d).for_each(|(lane, d)| lane[i] = d);
        let mass = d[1] + d[2];
        for k in 0..2 {
            self.share[k][i] = if mass > 0.0 { d[k + 1] / mass } else { 0.0 };
        }
        self.filled += 1;
    }
}

struct Pass<'a> {
    data: &'a Scored,
    sums: Vec<Sum>,
    magnitudes: Vec<f64>,
    registers: Registers,
}

impl Pass<'_> {
    fn new(data: &Scored, count: usize) -> Pass<'_> {
        Pass { data, sums: vec![Sum::default(); count], magnitudes: vec![0.0; count], registers: Registers::default() }
    }

    fn run(&mut self, range: (f64, f64), of_ties: &[Job], of_gaps: &[Job]) {
        let (mut ties, mut gaps) = (Block::new(), Block::new());
        walk(self.data, range, |start, end, d| {
            let (block, jobs) = if d[0] > 0.0 { (&mut gaps, of_gaps) } else { (&mut ties, of_ties) };
            block.push(start, end, d);
            if block.filled == NODES {
                self.add(block, jobs);
            }
        });
        self.add(&mut ties, of_ties);
        self.add(&mut gaps, of_gaps);
    }

    fn add(&mut self, block: &mut Block, jobs: &[Job]) {
        let filled = std::mem::take(&mut block.filled);
        for job in jobs {
            for (node, weight) in &job.nodes {
                let at: [Lane; 6] =
                    std::array::from_fn(|k| std::array::from_fn(|i| block.from[k][i] + node * block.way[k][i]));
                let inputs = Inputs {
                    x: [&at[0], &at[1]],
                    f: [&at[2], &at[3], &at[4], &at[5]],
                    d: [&block.d[0], &block.d[1], &block.d[2]],
                    q: [&block.share[0], &block.share[1], &ZERO],
                    cost: [&ZERO, &ZERO],
                };
                job.program.run(&inputs, job.view, &mut self.registers);
                for (k, sum) in job.sums.iter().enumerate() {
                    let values = &job.program.output(k, &self.registers)[..filled];
                    let (total, magnitude) = values.iter().fold((0.0, 0.0), |(t, m), v| (t + v, m + v.abs()));
                    self.sums[*sum] = self.sums[*sum].plus(weight * total);
                    self.magnitudes[*sum] += weight * magnitude;
                }
            }
        }
    }

    /// The sums with what rounding may have done to them, given what it does to the density of operating conditions.
    fn estimates(&self, roundings: impl Iterator<Item = f64>) -> Vec<Estimate> {
        let sums = self.sums.iter().zip(&self.magnitudes).zip(roundings);
        sums.map(|((sum, magnitude), rounding)| Estimate {
            value: sum.value(),
            error: (ROUNDING + rounding) * magnitude,
        })
        .collect()
    }
}

/// Goes along the curve: the start and the end of each tie and each gap, with `dx`, `dF0`, `dF1`.
pub(super) fn walk(data: &Scored, (low, high): (f64, f64), mut visit: impl FnMut(&Point, &Point, [f64; 3])) {
    let totals = data.totals();
    let mut reached = [Sum::default(); 2];
    let mut at = data.point(low, [0.0; 2]);
    for step in data.steps() {
        if step.x > at.x {
            let next = Point { x: step.x, x_complement: 1.0 - step.x, ..at };
            visit(&at, &next, [step.x - at.x, 0.0, 0.0]);
        }
        reached = [0, 1].map(|k| reached[k].plus(step.mass[k]));
        let start = Point { x: step.x, x_complement: 1.0 - step.x, ..at };
        at = data.point(step.x, reached.map(Sum::value));
        visit(&start, &at, [0.0, step.mass[0] / totals[0], step.mass[1] / totals[1]]);
    }
    if high > at.x {
        let next = Point { x: high, x_complement: 1.0 - high, ..at };
        visit(&at, &next, [high - at.x, 0.0, 0.0]);
    }
}

/// The same by the panels of a curve, where a definition is no polynomial.
pub(super) fn along_panels(data: &Scored, range: (f64, f64), group: &Group, view: &View) -> Vec<Estimate> {
    let mut chunk = Curve { panels: Vec::with_capacity(CHUNK), range, ..Curve::diagonal() };
    let mut sums = vec![(Sum::default(), 0.0); group.names.len()];
    let mut flush = |chunk: &mut Curve| {
        for (sum, estimate) in sums.iter_mut().zip(along(chunk, &[], group, view)) {
            *sum = (sum.0.plus(estimate.value), sum.1 + estimate.error);
        }
        chunk.panels.clear();
    };
    walk(data, range, |start, end, _| {
        chunk.panels.push(Panel::straight(*start, *end));
        if chunk.panels.len() == CHUNK {
            flush(&mut chunk);
        }
    });
    flush(&mut chunk);
    sums.into_iter().map(|(sum, error)| Estimate { value: sum.value(), error }).collect()
}
