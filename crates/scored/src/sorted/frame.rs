//! The coordinates of a curve along the links of sorted rows.
//!
//! While rows are read it is not known which label is which class, whether the curve runs with the rows or against them, nor the total
//! weights. So what is summed are monomials in numbers of the rows alone; a frame turns the integrand of a definition into such monomials.

use super::super::chain::Scale;
use super::super::polynomial::{LinkPolynomial, Moves};
use rocproof_arith::rational::Rational;
use rocproof_engine::functional::program::{Algebra, Environment, INPUTS, NUMBERS, Program};

/// The indices of the numbers of a link of rows, among the variables of polynomials.
pub(super) mod variable {
    /// The lower score of the link.
    pub(crate) const SCORE: usize = 0;
    /// One minus it.
    pub(crate) const COMPLEMENT: usize = 1;
    /// The weight of each label in the rows before.
    pub(crate) const BEFORE: [usize; 2] = [2, 4];
    /// One over the weight of a tie of both labels.
    pub(crate) const SHARE: usize = 3;
    /// The distance of the scores.
    pub(crate) const DISTANCE: usize = 6;
    /// The weight of each label.
    pub(crate) const MASS: [usize; 2] = [7, 8];
    /// The position along the link.
    pub(crate) const ALONG: usize = crate::polynomial::VARIABLES;
}

/// How a curve runs along sorted rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    /// The label of class 0 and of class 1, by index.
    pub labels: [usize; 2],
    /// Whether the curve runs against the order of the rows.
    pub backwards: bool,
    /// The scores on the curve.
    pub scale: Scale,
    /// The total weight of each class.
    pub totals: [f64; 2],
}

/// An expression along a link of rows. Unlike those of links with known totals, it may be divided by the weight of a tie.
#[derive(Clone, Debug)]
struct RowPolynomial(LinkPolynomial);

impl Algebra for RowPolynomial {
    fn constant(value: &Rational) -> RowPolynomial {
        RowPolynomial(LinkPolynomial::constant(value))
    }

    fn plus(&self, other: &RowPolynomial) -> RowPolynomial {
        RowPolynomial(self.0.plus(&other.0))
    }

    fn minus(&self, other: &RowPolynomial) -> RowPolynomial {
        RowPolynomial(self.0.minus(&other.0))
    }

    fn times(&self, other: &RowPolynomial) -> RowPolynomial {
        RowPolynomial(self.0.times(&other.0))
    }

    fn over(&self, other: &RowPolynomial) -> RowPolynomial {
        match other.0.multiple_of_sum(variable::MASS) {
            Some(factor) => RowPolynomial(self.0.times(&LinkPolynomial::variable(&[variable::SHARE], 1.0 / factor))),
            None => RowPolynomial(self.0.over(&other.0)),
        }
    }

    fn power(&self, exponent: i32) -> RowPolynomial {
        match u32::try_from(exponent) {
            Ok(_) => RowPolynomial(self.0.power(exponent)),
            Err(_) => {
                RowPolynomial(LinkPolynomial::number(1.0)).over(&RowPolynomial(self.0.power(exponent.saturating_neg())))
            }
        }
    }
}

impl Frame {
    /// The outputs of a program as polynomials along links that move in the given way: in score, and in the weight of each label.
    pub fn polynomials(&self, program: &Program, environment: &Environment, moves: Moves) -> Vec<LinkPolynomial> {
        let one = LinkPolynomial::number(1.0);
        let plain = |index: usize| LinkPolynomial::variable(&[index], 1.0);
        let [x, x_complement] = self.score(moves);
        let distance = if moves.0[0] { plain(variable::DISTANCE) } else { LinkPolynomial::number(0.0) };
        // Of each class: the distribution function, one minus it, and its increment.
        let [[f0, g0, d0], [f1, g1, d1]] = [0, 1].map(|class| {
            let (label, total) = (self.labels[class], self.totals[class]);
            let before = LinkPolynomial::variable(&[variable::BEFORE[label]], 1.0 / total);
            let (mass, along) = match moves.0[1 + label] {
                true => (
                    LinkPolynomial::variable(&[variable::MASS[label]], 1.0 / total),
                    LinkPolynomial::variable(&[variable::MASS[label], variable::ALONG], 1.0 / total),
                ),
                false => (LinkPolynomial::number(0.0), LinkPolynomial::number(0.0)),
            };
            let (f, g) = match self.backwards {
                false => {
                    let f = before.plus(&along);
                    (f.clone(), one.minus(&f))
                }
                true => {
                    let g = before.plus(&mass).minus(&along);
                    (one.minus(&g), g)
                }
            };
            [f, g, mass]
        });
        // The direction of a tie, up to a factor that does not change the posterior.
        let [q0, q1] = match (moves.0[1 + self.labels[0]], moves.0[1 + self.labels[1]]) {
            (true, false) => [1.0, 0.0].map(LinkPolynomial::number),
            (false, true) => [0.0, 1.0].map(LinkPolynomial::number),
            _ => [d0.clone(), d1.clone()],
        };
        let no_cost = || LinkPolynomial::unknown();
        let inputs: [LinkPolynomial; INPUTS.len()] = [
            x,
            x_complement,
            f0,
            g0,
            f1,
            g1,
            distance,
            d0,
            d1,
            q0,
            q1,
            LinkPolynomial::number(0.0),
            no_cost(),
            no_cost(),
        ];
        let inputs = inputs.map(RowPolynomial);
        let numbers: [RowPolynomial; NUMBERS.len()] =
            environment.numbers().map(|number| RowPolynomial(LinkPolynomial::number(number)));
        let weight = |c: &RowPolynomial, complement: &RowPolynomial| {
            let density = environment.cost.whole_powers().map(|[p, q]| {
                let product = c.power(p).times(&complement.power(q));
                RowPolynomial(product.0.scaled(environment.cost.scale()))
            });
            Some(density.unwrap_or(RowPolynomial(LinkPolynomial::unknown())))
        };
        let outputs = program.values(&inputs, &numbers, None, weight);
        outputs.into_iter().map(|output| output.map_or(LinkPolynomial::unknown(), |output| output.0)).collect()
    }

    /// The score on the curve and one minus it.
    fn score(&self, moves: Moves) -> [LinkPolynomial; 2] {
        let plain = |index: usize| LinkPolynomial::variable(&[index], 1.0);
        let (distance, along) = match moves.0[0] {
            true => (plain(variable::DISTANCE), LinkPolynomial::variable(&[variable::DISTANCE, variable::ALONG], 1.0)),
            false => (LinkPolynomial::number(0.0), LinkPolynomial::number(0.0)),
        };
        let (low, complement) = (plain(variable::SCORE), plain(variable::COMPLEMENT));
        // Reversed, a link starts at its higher score.
        let (start, x) = match self.scale {
            Scale::Input => return [low.plus(&along), complement.minus(&along)],
            Scale::OneMinus => (low.plus(&distance), complement.minus(&distance).plus(&along)),
            Scale::Negated => {
                (low.plus(&distance).plus(&LinkPolynomial::number(1.0)), along.minus(&distance).minus(&low))
            }
        };
        [x, start.minus(&along)]
    }
}
