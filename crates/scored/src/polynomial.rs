//! What a definition says along a link, as a polynomial in where the link starts and how far it goes.

use rocproof_arith::rational::{self, Rational};
use rocproof_engine::functional::program::{Algebra, Environment, INPUTS, NUMBERS, Program};
use rocproof_language::meaning::Piece;
use std::collections::BTreeMap;

/// The numbers that a link is given by: its score and one minus it, the weight of class 0 before and after its start, the same of
/// class 1, and how far the score and the weights move.
pub(super) const VARIABLES: usize = 9;
/// Where it starts: `x`, `1-x`, then the weight before and after of class 0 and of class 1.
const START: [usize; 6] = [0, 1, 2, 3, 4, 5];
/// How far it goes: `dx`, and the weight of class 0 and class 1.
const WAY: [usize; 3] = [6, 7, 8];
/// How far along the link, from 0 to 1.
const ALONG: usize = VARIABLES;
/// More terms than this are not worth it.
const MOST_TERMS: usize = 60;

/// Powers of the variables with a coefficient each.
pub(super) type Monomials = Vec<([u8; VARIABLES], f64)>;

/// The powers of the variables, and of the way along.
type Powers = [u8; VARIABLES + 1];

/// A polynomial, or nothing where an expression is none.
#[derive(Clone, Debug)]
pub(super) struct LinkPolynomial(Option<BTreeMap<Powers, f64>>);

/// What moves along a link: the score, class 0, class 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Moves(pub(super) [bool; 3]);

impl Moves {
    /// How many ways to move there are, standing still among them.
    pub(super) const KINDS: usize = 8;

    /// The way to move with this number.
    pub(super) fn of_kind(kind: usize) -> Moves {
        Moves([0, 1, 2].map(|bit| kind & (1 << bit) != 0))
    }

    /// Whether nothing moves.
    pub(super) fn stand_still(self) -> bool {
        self.0 == [false; 3]
    }

    /// Whether a tie is spread over scores.
    pub(super) fn spread(self) -> bool {
        self.0[0] && (self.0[1] || self.0[2])
    }

    /// The kind of piece that moves so.
    pub(super) fn piece(self) -> Piece {
        match self.0 {
            [true, false, false] => Piece::Gap,
            [false, ..] => Piece::Tie,
            _ => Piece::Arc,
        }
    }

    /// The degrees of the inputs of a program in the way along.
    pub(super) fn degrees(self) -> [u32; INPUTS.len()] {
        let [x, f0, f1] = self.0.map(u32::from);
        [x, x, f0, f0, f1, f1, 0, 0, 0, 0, 0, 0, 0, 0]
    }
}

impl LinkPolynomial {
    fn zero() -> LinkPolynomial {
        LinkPolynomial(Some(BTreeMap::new()))
    }

    fn number(value: f64) -> LinkPolynomial {
        LinkPolynomial(Some(if value == 0.0 { BTreeMap::new() } else { BTreeMap::from([([0; VARIABLES + 1], value)]) }))
    }

    fn unknown() -> LinkPolynomial {
        LinkPolynomial(None)
    }

    fn variable(factors: &[usize], coefficient: f64) -> LinkPolynomial {
        let mut powers = [0; VARIABLES + 1];
        factors.iter().for_each(|factor| powers[*factor] += 1);
        LinkPolynomial(Some(BTreeMap::from([(powers, coefficient)])))
    }

    fn is_zero(&self) -> bool {
        self.0.as_ref().is_some_and(BTreeMap::is_empty)
    }

    fn scaled(&self, by: f64) -> LinkPolynomial {
        LinkPolynomial(self.0.as_ref().map(|terms| terms.iter().map(|(powers, c)| (*powers, c * by)).collect()))
    }

    /// The only term, if that is a number.
    fn as_number(&self) -> Option<f64> {
        let terms = self.0.as_ref()?;
        match (terms.len(), terms.first_key_value()) {
            (0, _) => Some(0.0),
            (1, Some((powers, c))) if powers.iter().all(|p| *p == 0) => Some(*c),
            _ => None,
        }
    }

    fn joined(&self, other: &LinkPolynomial, sign: f64) -> LinkPolynomial {
        let (Some(one), Some(two)) = (&self.0, &other.0) else { return LinkPolynomial::unknown() };
        let mut terms = one.clone();
        two.iter().for_each(|(powers, c)| *terms.entry(*powers).or_insert(0.0) += sign * c);
        terms.retain(|_, c| *c != 0.0);
        LinkPolynomial(Some(terms)).bounded()
    }

    fn bounded(self) -> LinkPolynomial {
        // Products of what is still to be integrated have a few times as many terms.
        LinkPolynomial(self.0.filter(|terms| terms.len() <= 4 * MOST_TERMS))
    }

    /// The integral along the link, as terms in the variables; nothing if that is no polynomial with few terms.
    pub(super) fn integral(&self) -> Option<Monomials> {
        self.without_the_way(|power| 1.0 / (f64::from(power) + 1.0))
    }

    /// The value at the end of the link, likewise.
    pub(super) fn at_end(&self) -> Option<Monomials> {
        self.without_the_way(|_| 1.0)
    }

    /// The terms, with a power of the way along replaced by a number.
    fn without_the_way(&self, number: impl Fn(u8) -> f64) -> Option<Monomials> {
        let mut terms: BTreeMap<[u8; VARIABLES], f64> = BTreeMap::new();
        for (powers, c) in self.0.as_ref()? {
            let rest = std::array::from_fn(|k| powers[k]);
            *terms.entry(rest).or_insert(0.0) += c * number(powers[ALONG]);
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
        self.joined(other, 1.0)
    }

    fn minus(&self, other: &LinkPolynomial) -> LinkPolynomial {
        self.joined(other, -1.0)
    }

    /// Where there is no mass, it does not matter what it would be multiplied by.
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

/// The link_polynomials that the outputs of a program take along links that move in the given way, if the classes weigh so much.
pub(super) fn link_polynomials(
    program: &Program,
    view: &Environment,
    totals: [f64; 2],
    moves: Moves,
) -> Vec<LinkPolynomial> {
    let [by_x, by_0, by_1] = moves.0;
    // `start + u way`, and its complement `rest - u way`.
    let both = |start: usize, way: usize, moves: bool, scale: f64| {
        let along = if moves { LinkPolynomial::variable(&[way, ALONG], scale) } else { LinkPolynomial::zero() };
        [
            LinkPolynomial::variable(&[start], scale).plus(&along),
            LinkPolynomial::variable(&[start + 1], scale).minus(&along),
        ]
    };
    let [x, x_complement] = both(START[0], WAY[0], by_x, 1.0);
    let [f0, g0] = both(START[2], WAY[1], by_0, 1.0 / totals[0]);
    let [f1, g1] = both(START[4], WAY[2], by_1, 1.0 / totals[1]);
    let moved = |way: usize, moves: bool, scale: f64| {
        if moves { LinkPolynomial::variable(&[way], scale) } else { LinkPolynomial::zero() }
    };
    let d = [moved(WAY[0], by_x, 1.0), moved(WAY[1], by_0, 1.0 / totals[0]), moved(WAY[2], by_1, 1.0 / totals[1])];
    let [q0, q1] = match (by_0, by_1) {
        (true, false) => [1.0, 0.0].map(LinkPolynomial::number),
        (false, true) => [0.0, 1.0].map(LinkPolynomial::number),
        _ => [LinkPolynomial::unknown(), LinkPolynomial::unknown()],
    };
    let [dx, d0, d1] = d;
    let (cost, cost_complement) = (LinkPolynomial::unknown(), LinkPolynomial::unknown());
    let inputs: [LinkPolynomial; INPUTS.len()] =
        [x, x_complement, f0, g0, f1, g1, dx, d0, d1, q0, q1, LinkPolynomial::zero(), cost, cost_complement];
    let numbers: [LinkPolynomial; NUMBERS.len()] = view.numbers().map(LinkPolynomial::number);
    let weight = |c: &LinkPolynomial, complement: &LinkPolynomial| {
        let powers = view.cost.whole_powers();
        Some(powers.map_or(LinkPolynomial::unknown(), |[p, q]| {
            c.power(p).times(&complement.power(q)).scaled(view.cost.scale())
        }))
    };
    program
        .values(&inputs, &numbers, None, weight)
        .into_iter()
        .map(|form| form.unwrap_or(LinkPolynomial::unknown()))
        .collect()
}
