//! Offers that are integrals of products and of squares along a track.

use super::degrees::Degrees;
use super::{Offers, Product, bernstein};
use crate::theory::lower::Track;
use crate::theory::rules::factor::Factor;
use crate::theory::rules::{Differential, Fact, Rule};
use crate::theory::symbol::Symbol;
use std::collections::BTreeSet;

/// A factor of which an integrand has at most one.
struct ExtraFactor {
    /// The factor; empty for none.
    product: Product,
    /// Its degree in `F0` and `F1`.
    in_f: u32,
    /// Its degree in `c`.
    in_c: u32,
}

/// A polynomial whose square is integrated with respect to `dR`, with its degrees.
struct Root {
    text: &'static str,
    in_x: u32,
    in_c: u32,
    /// In `F0` and `F1`.
    in_f: u32,
    in_pi0: u32,
}

/// The differences whose squares are offered: of scores, posteriors and rates, from each other and from constants.
const ROOTS: [Root; 10] = [
    Root { text: "x - c", in_x: 1, in_c: 1, in_f: 0, in_pi0: 0 },
    Root { text: "x - beta1", in_x: 1, in_c: 0, in_f: 0, in_pi0: 1 },
    Root { text: "x - 1/2", in_x: 1, in_c: 0, in_f: 0, in_pi0: 0 },
    Root { text: "c - beta1", in_x: 0, in_c: 1, in_f: 0, in_pi0: 1 },
    Root { text: "c - 1/2", in_x: 0, in_c: 1, in_f: 0, in_pi0: 0 },
    Root { text: "x - R", in_x: 1, in_c: 0, in_f: 1, in_pi0: 1 },
    Root { text: "c - R", in_x: 0, in_c: 1, in_f: 1, in_pi0: 1 },
    Root { text: "R - beta1", in_x: 0, in_c: 0, in_f: 1, in_pi0: 1 },
    Root { text: "R - 1/2", in_x: 0, in_c: 0, in_f: 1, in_pi0: 1 },
    Root { text: "F0 - F1", in_x: 0, in_c: 0, in_f: 1, in_pi0: 0 },
];

impl Offers<'_> {
    /// Offers integrals of products of factors, and of squares, along each stretch of a track, up to the degrees of the goal. With an
    /// `extra_degree` these degrees are raised by one.
    pub(super) fn offer_integrals(&mut self, track: Track, pi0_degree: u32, extra_degree: u32) {
        let degrees = self.degrees(track);
        let degrees = if extra_degree > 0 { degrees.raised() } else { degrees };
        let integrands = self.integrands(track, &degrees);
        let weights = self.weights(track);
        let multipliers = self.multipliers(pi0_degree, self.degree_in_numbers());
        // A rule without a stretch speaks of all of them.
        let stretches = match self.lowering.stretches(track).len() {
            0 | 1 => vec![None],
            count => (0..count).map(Some).collect(),
        };
        for stretch in stretches {
            for (differential, product) in &integrands {
                for weight in &weights {
                    let fact = Fact::Along { track, stretch, differential: *differential };
                    let rule = Rule { fact, factors: [product.clone(), weight.clone()].concat(), square: None };
                    self.offer(rule, &multipliers);
                }
            }
            self.offer_squares(track, stretch, &degrees, pi0_degree);
        }
    }

    /// The products of factors to integrate, each with its differential. Scores are left out if the goal has none; `c` falls somewhere
    /// unless the curve is convex.
    fn integrands(&self, track: Track, degrees: &Degrees) -> Vec<(Differential, Product)> {
        let is_convex = self.lowering.is_convex(track);
        let mut differentials = vec![Differential::F0, Differential::F1];
        if degrees.has_scores {
            differentials.push(Differential::Score);
        }
        if is_convex {
            differentials.push(Differential::Posterior);
        }
        let mut integrands = Vec::new();
        for differential in differentials {
            for extra in self.extra_factors(is_convex) {
                for product in coordinate_products(degrees, differential, &extra) {
                    integrands.push((differential, [extra.product.clone(), product].concat()));
                }
            }
        }
        integrands
    }

    /// The densities `w(…)` of operating conditions in the goal's integrands along a track, as factors; also the empty product.
    fn weights(&self, track: Track) -> Vec<Product> {
        let forms = self.goal.forms.iter().filter(|((known, _), _)| *known == track).map(|(_, form)| form);
        let variables = forms.flat_map(|form| form.parts()).flat_map(|coefficient| coefficient.variables());
        let arguments: BTreeSet<String> = variables
            .filter_map(|variable| match Symbol::of(variable) {
                Symbol::Weight(argument) => Some(argument),
                _ => None,
            })
            .collect();
        let densities = arguments.into_iter().map(|argument| vec![(Factor::Density(argument), 1)]);
        std::iter::once(Product::new()).chain(densities).collect()
    }

    /// The extra factors of integrands, with none as the first choice.
    fn extra_factors(&self, is_convex: bool) -> Vec<ExtraFactor> {
        let extra = |factor: Factor, in_f: u32, in_c: u32| ExtraFactor { product: vec![(factor, 1)], in_f, in_c };
        let mut extras = vec![ExtraFactor { product: Product::new(), in_f: 0, in_c: 0 }];
        if is_convex {
            extras.push(extra(Factor::Above, 1, 0));
            extras.push(extra(Factor::TangentAtZero, 1, 1));
            extras.push(extra(Factor::TangentAtOne, 1, 1));
        }
        if self.depends_on(&Symbol::Distance(Track::Own)) {
            extras.push(extra(Factor::DistanceAbove, 1, 0));
            extras.push(extra(Factor::DistanceBelow, 1, 0));
        }
        if self.depends_on(&Symbol::Border) {
            extras.push(extra(Factor::BeforeBorder, 0, 0));
            extras.push(extra(Factor::AfterBorder, 0, 0));
        }
        extras
    }

    /// Offers integrals of squares of [`ROOTS`] with respect to `dR`, times products of the coordinates of the root, as far as the degrees
    /// allow.
    fn offer_squares(&mut self, track: Track, stretch: Option<usize>, degrees: &Degrees, pi0_degree: u32) {
        // The coefficient of `dR` has one more power of `c` than that of `dF1`.
        let (x, c, f) = (degrees.x_in_class, degrees.c_in_class + 1, degrees.f0.max(degrees.f1));
        for Root { text, in_x, in_c, in_f, in_pi0 } in ROOTS {
            if x < 2 * in_x || c < 2 * in_c || f < 2 * in_f {
                continue;
            }
            let multipliers = self.multipliers(pi0_degree.saturating_sub(2 * in_pi0), self.degree_in_numbers());
            // The square uses up two degrees of each of its coordinates; others do not occur.
            let remaining = |in_root: u32, degree: u32| if in_root > 0 { degree - 2 } else { 0 };
            let remaining = Degrees {
                x_in_class: remaining(in_x, x),
                f0: remaining(in_f, f),
                f1: remaining(in_f, f),
                c_in_class: remaining(in_c, c),
                ..Degrees::default()
            };
            let no_extra = ExtraFactor { product: Product::new(), in_f: 0, in_c: 0 };
            for factors in coordinate_products(&remaining, Differential::Rate, &no_extra) {
                let fact = Fact::Along { track, stretch, differential: Differential::Rate };
                self.offer(Rule { fact, factors, square: Some(text.into()) }, &multipliers);
            }
        }
    }
}

/// The products of coordinates that are integrated with respect to a differential, together with an extra factor: a tensor product of Bernstein
/// bases in `x`, `F0`, `F1` and `c`. The extra factor lowers their degrees by its own.
fn coordinate_products(degrees: &Degrees, differential: Differential, extra: &ExtraFactor) -> Vec<Product> {
    let [x, c] = degrees.in_x_and_c(differential);
    tensor_product(&[
        bernstein(x, &Factor::ScoreAboveLowest, &Factor::ScoreBelowHighest),
        bernstein(degrees.f0.saturating_sub(extra.in_f), &Factor::F0, &Factor::NotF0),
        bernstein(degrees.f1.saturating_sub(extra.in_f), &Factor::F1, &Factor::NotF1),
        bernstein(c.saturating_sub(extra.in_c), &Factor::Posterior, &Factor::NotPosterior),
    ])
}

/// All products of one element from each basis.
fn tensor_product(bases: &[Vec<Product>]) -> Vec<Product> {
    bases.iter().fold(vec![Product::new()], |products, basis| {
        let times_basis = |left: &Product| basis.iter().map(|right| [left.clone(), right.clone()].concat()).collect();
        products.iter().flat_map::<Vec<Product>, _>(times_basis).collect()
    })
}
