//! Definitions integrated along links by programs that run at the nodes of a Gauss rule.

use super::moments::{LinkBlock, WIDTH};
use super::polynomial::{INCREMENT, Moves, START};
use super::sum::CompensatedSum;
use rocproof_engine::calculus::rule::{Lane, NODES, RULE};
use rocproof_engine::functional::group::{Group, compile_integrands};
use rocproof_engine::functional::program::{Environment, Inputs, Program, Registers};
use rocproof_language::Expr;

/// The rule of a panel is exact up to this degree.
const PANEL_DEGREE: u32 = 31;

/// The value of inputs that definitions of scored data do not use.
static ZERO: Lane = [0.0; NODES];

/// Nodes in [0, 1] with weights that integrate polynomials of this degree exactly.
fn nodes(degree: u32) -> Vec<(f64, f64)> {
    match degree {
        0 | 1 => vec![(0.5, 1.0)],
        2 | 3 => {
            // The rule of Gauss with two nodes, moved from [-1, 1] to [0, 1].
            let distance = 0.5 / 3f64.sqrt();
            vec![(0.5 - distance, 0.5), (0.5 + distance, 0.5)]
        }
        _ => RULE.nodes.iter().copied().zip(RULE.kronrod).collect(),
    }
}

/// Definitions that are integrated with the same nodes.
pub(super) struct NodeJob<'a> {
    program: Program,
    environment: &'a Environment<'a>,
    /// For each output of the program, the index of its sum.
    sums: Vec<usize>,
    nodes: Vec<(f64, f64)>,
}

/// Definitions to be compiled into one program: those with the same environment and the same nodes.
struct PendingJob<'a> {
    environment: &'a Environment<'a>,
    degree: u32,
    /// Integrands, each with the index of its sum.
    integrands: Vec<(&'a Expr, usize)>,
}

/// Definitions to be compiled.
#[derive(Default)]
pub(super) struct NodeJobs<'a>(Vec<PendingJob<'a>>);

impl<'a> NodeJobs<'a> {
    /// Adds the `k`-th definition of a group. Returns false, and adds nothing, if no rule integrates it exactly.
    pub(super) fn add(
        &mut self,
        group: &'a Group,
        k: usize,
        environment: &'a Environment<'a>,
        moves: Moves,
        sum: usize,
    ) -> bool {
        let [a, b] = environment.cost.exponents();
        let is_whole = a.fract() == 0.0 && b.fract() == 0.0;
        // The degree of the cost density `c^(a-1) (1-c)^(b-1)`, if it is a polynomial.
        let density_degree = is_whole.then_some((a + b - 2.0) as u32);
        let restricted = group.on(moves.piece());
        let Some(degree) =
            restricted.program.degree(k, &moves.degrees(), 0, density_degree).filter(|d| *d <= PANEL_DEGREE)
        else {
            return false;
        };
        // Round the degree up to that of the rule with one node, with two, or of a panel.
        let degree = [1, 3, PANEL_DEGREE].into_iter().find(|limit| degree <= *limit).unwrap_or(PANEL_DEGREE);
        let integrand = (&restricted.integrands[k], sum);
        match self.0.iter_mut().find(|other| std::ptr::eq(other.environment, environment) && other.degree == degree) {
            Some(other) => other.integrands.push(integrand),
            None => self.0.push(PendingJob { environment, degree, integrands: vec![integrand] }),
        }
        true
    }

    /// Compiles the definitions that were added.
    pub(super) fn compile(self) -> Vec<NodeJob<'a>> {
        let job = |PendingJob { environment, degree, integrands }: PendingJob<'a>| {
            let (integrands, sums): (Vec<&Expr>, Vec<usize>) = integrands.into_iter().unzip();
            NodeJob { program: compile_integrands(integrands), environment, sums, nodes: nodes(degree) }
        };
        self.0.into_iter().map(job).collect()
    }
}

impl NodeJob<'_> {
    /// Adds the integrals over the links of a block to the sums. Each sum comes with the sum of the absolute values of its terms.
    ///
    /// The columns of the block are those of [`super::chain::Link::values`]. A lane holds one number for each of `NODES` links, and the
    /// program runs once for each node of the rule, on all links of a lane.
    pub(super) fn run(
        &self,
        block: &LinkBlock,
        totals: [f64; 2],
        registers: &mut Registers,
        sums: &mut [(CompensatedSum, f64)],
    ) {
        for start in (0..block.filled).step_by(NODES) {
            let filled = NODES.min(block.filled - start);
            let lane = |column: usize, scale: f64| -> Lane {
                let column: &[f64; WIDTH] = &block.columns[column];
                std::array::from_fn(|i| if i < filled { column[start + i] / scale } else { 0.0 })
            };
            // Scores stay as they are; weights become shares of their class.
            let scales = [1.0, totals[0], totals[1]];
            let start_point = START.map(|column| lane(column, scales[column / 2]));
            let d: [Lane; 3] = std::array::from_fn(|k| lane(INCREMENT[k], scales[k]));
            // `dFk / (dF0 + dF1)`, the share of a class in the increments.
            let share = |k: usize| -> Lane {
                std::array::from_fn(|i| if d[k][i] > 0.0 { d[k][i] / (d[1][i] + d[2][i]) } else { 0.0 })
            };
            let (q0, q1) = (share(1), share(2));
            for (node, weight) in &self.nodes {
                // A coordinate grows along the link, and its complement, in the next column, falls.
                let [x, x_complement, f0, f0_complement, f1, f1_complement]: [Lane; 6] =
                    std::array::from_fn(|column| {
                        let signed_node = if column.is_multiple_of(2) { *node } else { -*node };
                        std::array::from_fn(|i| start_point[column][i] + signed_node * d[column / 2][i])
                    });
                let inputs = Inputs {
                    x: [&x, &x_complement],
                    f: [&f0, &f0_complement, &f1, &f1_complement],
                    d: [&d[0], &d[1], &d[2]],
                    q: [&q0, &q1, &ZERO],
                    cost: [&ZERO, &ZERO],
                };
                self.program.run(&inputs, self.environment, registers);
                for (k, sum) in self.sums.iter().enumerate() {
                    let values = &self.program.output(k, registers)[..filled];
                    let (total, size) =
                        values.iter().fold((0.0, 0.0), |(total, size), value| (total + value, size + value.abs()));
                    let sum = &mut sums[*sum];
                    *sum = (sum.0.plus(weight * total), sum.1 + weight * size);
                }
            }
        }
    }
}
