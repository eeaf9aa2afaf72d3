//! The integrand of a definition along a link, as a polynomial in the nine numbers of the link.

use rocproof_arith::rational::{self, Rational};
use rocproof_engine::functional::program::{Algebra, Environment, INPUTS, NUMBERS, Program};
use rocproof_language::meaning::Piece;
use std::collections::BTreeMap;

/// The number of variables: those of [`super::chain::Link::values`].
pub(super) const VARIABLES: usize = 9;
/// The variables of the start: `x`, `1-x`, and the weight before and after it of class 0 and of class 1.
pub(super) const START: [usize; 6] = [0, 1, 2, 3, 4, 5];
/// The variables of the increments: `dx`, and the weight of class 0 and of class 1.
pub(super) const INCREMENT: [usize; 3] = [6, 7, 8];
/// The index of the parameter `u` along the link, from 0 to 1.
const ALONG: usize = VARIABLES;
/// Polynomials with more terms than this are slower than quadrature.
const MOST_TERMS: usize = 60;

/// A polynomial in the variables: exponents with coefficients.
pub(super) type Monomials = Vec<([u8; VARIABLES], f64)>;

/// The exponents of the variables and of `u`.
type Powers = [u8; VARIABLES + 1];

/// A polynomial in the variables and `u`; `None` for an expression that is not one, or has too many terms.
#[derive(Clone, Debug)]
pub(super) struct LinkPolynomial(Option<BTreeMap<Powers, f64>>);

/// The increments that are not zero along a link: of the score, of class 0, of class 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Moves(pub(super) [bool; 3]);

impl Moves {
    /// The number of combinations, the empty one included.
    pub(super) const KINDS: usize = 8;

    /// The combination of a [`super::chain::Link::kind`].
    pub(super) fn of_kind(kind: usize) -> Moves {
        Moves([0, 1, 2].map(|bit| kind & (1 << bit) != 0))
    }

    /// Whether no increment differs from zero.
    pub(super) fn is_empty(self) -> bool {
        self.0 == [false; 3]
    }

    /// Whether score and weight move at once: a tie spread over scores.
    pub(super) fn is_spread(self) -> bool {
        self.0[0] && (self.0[1] || self.0[2])
    }

    /// The kind of piece whose meaning of an integrand applies.
    pub(super) fn piece(self) -> Piece {
        match self.0 {
            [true, false, false] => Piece::Gap,
            [false, ..] => Piece::Tie,
            _ => Piece::Arc,
        }
    }

    /// The degree in `u` of each input of a program.
    pub(super) fn degrees(self) -> [u32; INPUTS.len()] {
        let [x, f0, f1] = self.0.map(u32::from);
        [x, x, f0, f0, f1, f1, 0, 0, 0, 0, 0, 0, 0, 0]
    }
}

impl LinkPolynomial {
    /// The polynomial 0, which has no terms.
    fn zero() -> LinkPolynomial {
        LinkPolynomial(Some(BTreeMap::new()))
    }

    /// A constant polynomial.
    pub(super) fn number(value: f64) -> LinkPolynomial {
        LinkPolynomial(Some(if value == 0.0 { BTreeMap::new() } else { BTreeMap::from([([0; VARIABLES + 1], value)]) }))
    }

    /// An expression that is not a polynomial, or has too many terms.
    pub(super) fn unknown() -> LinkPolynomial {
        LinkPolynomial(None)
    }

    /// The monomial `coefficient · Π factors`, with variables given by index.
    pub(super) fn variable(factors: &[usize], coefficient: f64) -> LinkPolynomial {
        let mut powers = [0; VARIABLES + 1];
        factors.iter().for_each(|factor| powers[*factor] += 1);
        LinkPolynomial(Some(BTreeMap::from([(powers, coefficient)])))
    }

    /// Whether the polynomial is known, and has no terms.
    fn is_zero(&self) -> bool {
        self.0.as_ref().is_some_and(BTreeMap::is_empty)
    }

    /// The polynomial times a number.
    pub(super) fn scaled(&self, by: f64) -> LinkPolynomial {
        LinkPolynomial(self.0.as_ref().map(|terms| terms.iter().map(|(powers, c)| (*powers, c * by)).collect()))
    }

    /// The factor `f` of a polynomial `f·(v + w)`, up to rounding, for two variables; `None` for any other.
    pub(super) fn multiple_of_sum(&self, variables: [usize; 2]) -> Option<f64> {
        let terms = self.0.as_ref().filter(|terms| terms.len() == 2)?;
        let [a, b] = variables.map(|variable| {
            let mut powers = [0; VARIABLES + 1];
            powers[variable] = 1;
            terms.get(&powers).copied()
        });
        let (a, b) = (a?, b?);
        ((a - b).abs() <= 4.0 * f64::EPSILON * a.abs()).then_some(a)
    }

    /// The value of a constant polynomial.
    fn as_number(&self) -> Option<f64> {
        let terms = self.0.as_ref()?;
        match (terms.len(), terms.first_key_value()) {
            (0, _) => Some(0.0),
            (1, Some((powers, c))) if powers.iter().all(|p| *p == 0) => Some(*c),
            _ => None,
        }
    }

    /// `self + factor · other`, without terms that cancel.
    fn plus_scaled(&self, other: &LinkPolynomial, factor: f64) -> LinkPolynomial {
        let (Some(one), Some(two)) = (&self.0, &other.0) else { return LinkPolynomial::unknown() };
        let mut terms = one.clone();
        two.iter().for_each(|(powers, c)| *terms.entry(*powers).or_insert(0.0) += factor * c);
        terms.retain(|_, c| *c != 0.0);
        LinkPolynomial(Some(terms)).bounded()
    }

    /// Gives up polynomials with far too many terms. Before the integration over `u` there may be a few times `MOST_TERMS`.
    fn bounded(self) -> LinkPolynomial {
        LinkPolynomial(self.0.filter(|terms| terms.len() <= 4 * MOST_TERMS))
    }

    /// The integral over `u` from 0 to 1; `None` if it is not a polynomial with at most `MOST_TERMS` terms.
    pub(super) fn integral(&self) -> Option<Monomials> {
        self.substitute(|power| 1.0 / (f64::from(power) + 1.0))
    }

    /// The value at `u = 1`; `None` as for [`LinkPolynomial::integral`].
    pub(super) fn at_end(&self) -> Option<Monomials> {
        self.substitute(|_| 1.0)
    }

    /// Replaces each power of `u` by a number.
    fn substitute(&self, number: impl Fn(u8) -> f64) -> Option<Monomials> {
        let mut terms: BTreeMap<[u8; VARIABLES], f64> = BTreeMap::new();
        for (powers, c) in self.0.as_ref()? {
            let powers_without_u = std::array::from_fn(|k| powers[k]);
            *terms.entry(powers_without_u).or_insert(0.0) += c * number(powers[ALONG]);
        }
        terms.retain(|_, c| *c != 0.0);
        (terms.len() <= MOST_TERMS).then(|| terms.into_iter().collect())
    }
}

impl Algebra for LinkPolynomial {
    fn constant(value: &Rational) -> LinkPolynomial {
        LinkPolynomial::number(rational::to_f64(value))
    }

    fn plus(&self, other: &LinkPolynomial) -> LinkPolynomial {
        self.plus_scaled(other, 1.0)
    }

    fn minus(&self, other: &LinkPolynomial) -> LinkPolynomial {
        self.plus_scaled(other, -1.0)
    }

    /// Zero times anything is zero, also times an expression that is not a polynomial: an integrand counts only where there is mass.
    fn times(&self, other: &LinkPolynomial) -> LinkPolynomial {
        if self.is_zero() || other.is_zero() {
            return LinkPolynomial::zero();
        }
        let (Some(one), Some(two)) = (&self.0, &other.0) else { return LinkPolynomial::unknown() };
        let mut terms = BTreeMap::new();
        for (p, a) in one {
            for (q, b) in two {
                *terms.entry(std::array::from_fn(|k| p[k] + q[k])).or_insert(0.0) += a * b;
            }
        }
        LinkPolynomial(Some(terms)).bounded()
    }

    fn over(&self, other: &LinkPolynomial) -> LinkPolynomial {
        match other.as_number() {
            _ if self.is_zero() => LinkPolynomial::zero(),
            Some(divisor) if divisor != 0.0 => self.scaled(1.0 / divisor),
            _ => LinkPolynomial::unknown(),
        }
    }

    fn power(&self, exponent: i32) -> LinkPolynomial {
        match (u32::try_from(exponent), self.as_number()) {
            (_, Some(number)) => LinkPolynomial::number(number.powi(exponent)),
            (Ok(exponent), None) => (0..exponent).fold(LinkPolynomial::number(1.0), |power, _| power.times(self)),
            (Err(_), None) => LinkPolynomial::unknown(),
        }
    }
}

/// The outputs of a program as polynomials along links that move in the given way, for the given total weights of the classes.
pub(super) fn link_polynomials(
    program: &Program,
    environment: &Environment,
    totals: [f64; 2],
    moves: Moves,
) -> Vec<LinkPolynomial> {
    let scales = [1.0, 1.0 / totals[0], 1.0 / totals[1]];
    // The increment of the k-th coordinate (x, F0, F1), times the given further factors.
    let increment = |k: usize, factors: &[usize]| match moves.0[k] {
        true => LinkPolynomial::variable(&[&[INCREMENT[k]], factors].concat(), scales[k]),
        false => LinkPolynomial::zero(),
    };
    // The coordinate `start + u·increment`, and its complement.
    let coordinate = |k: usize| {
        let [start, complement] = [START[2 * k], START[2 * k + 1]].map(|v| LinkPolynomial::variable(&[v], scales[k]));
        let along = increment(k, &[ALONG]);
        [start.plus(&along), complement.minus(&along)]
    };
    let [[x, x_complement], [f0, g0], [f1, g1]] = [0, 1, 2].map(coordinate);
    let [dx, d0, d1] = [0, 1, 2].map(|k| increment(k, &[]));
    // The direction of a tie of both classes is a quotient.
    let [q0, q1] = match (moves.0[1], moves.0[2]) {
        (true, false) => [1.0, 0.0].map(LinkPolynomial::number),
        (false, true) => [0.0, 1.0].map(LinkPolynomial::number),
        _ => [LinkPolynomial::unknown(), LinkPolynomial::unknown()],
    };
    let (cost, cost_complement) = (LinkPolynomial::unknown(), LinkPolynomial::unknown());
    let inputs: [LinkPolynomial; INPUTS.len()] =
        [x, x_complement, f0, g0, f1, g1, dx, d0, d1, q0, q1, LinkPolynomial::zero(), cost, cost_complement];
    let numbers: [LinkPolynomial; NUMBERS.len()] = environment.numbers().map(LinkPolynomial::number);
    let weight = |c: &LinkPolynomial, complement: &LinkPolynomial| {
        let powers = environment.cost.whole_powers();
        Some(powers.map_or(LinkPolynomial::unknown(), |[p, q]| {
            c.power(p).times(&complement.power(q)).scaled(environment.cost.scale())
        }))
    };
    let outputs = program.values(&inputs, &numbers, None, weight);
    outputs.into_iter().map(|output| output.unwrap_or(LinkPolynomial::unknown())).collect()
}
