//! The sign of the curvature of a ROC curve with polynomial densities, by an exact polynomial.

use super::expression::{Expansions, horner};
use super::scores::ScoreSeries;
use crate::model::endpoint::Endpoint;
use crate::model::piecewise::{Piece, Piecewise};
use rocproof_arith::{Interval, Polynomial, Rational, Series};

/// `f0 f1' - f0' f1` on an interval, divided by its zeros at both ends. The quotient has the same sign inside, and is not 0 at the ends.
/// The ratio `f1/f0` grows where it is positive.
pub(super) struct Bend {
    ends: [Endpoint; 2],
    expansions: Expansions,
}

impl Bend {
    /// The bend of two densities on an interval; `None` if they are not both polynomials there.
    pub(super) fn between(classes: [&Piecewise; 2], ends: [&Endpoint; 2]) -> Option<Bend> {
        let [a, b] = [ends[0].constant.exact.as_ref()?, ends[1].constant.exact.as_ref()?];
        let covers = |piece: &&Piece| piece.lo <= *a && *b <= piece.hi;
        let [f0, f1] = classes.map(|class| class.pieces.iter().find(covers).map(|piece| &piece.density));
        let (f0, f1) = (f0?, f1?);
        let mut bend = &(f0 * &f1.derivative()) - &(&f0.derivative() * f1);
        let factors = [Polynomial::linear(&-a, &Rational::ONE), Polynomial::linear(b, &-Rational::ONE)];
        for (end, distance) in [a, b].into_iter().zip(&factors) {
            while !bend.is_zero() && bend.sign_at(end) == 0 {
                (bend, _) = bend.divided_by(distance);
            }
        }
        let ends = ends.map(Endpoint::clone);
        Some(Bend { expansions: Expansions::new(&bend, &ends), ends })
    }

    /// The bend along a series of scores.
    pub(super) fn along(&self, site: &ScoreSeries) -> Series {
        self.expansions.jet(site, &self.ends).value
    }

    /// All values of the bend between an end and a score.
    pub(super) fn beyond(&self, side: usize, score: Interval) -> Interval {
        let farthest = (score - self.ends[side].enclosure()).magnitude();
        let distance = Interval::new(0.0, farthest);
        self.expansions.in_distance(side).map_or(Interval::ALL, |coefficients| horner(coefficients, distance).0)
    }
}

/// Whether the curve has the same direction before and after a score: exactly, by the densities on both sides. Not so at an atom, or
/// where one side has no mass.
pub(super) fn goes_on(classes: [&Piecewise; 2], place: &Endpoint) -> bool {
    let Some(x) = &place.constant.exact else { return false };
    if classes.iter().any(|class| class.atoms.iter().any(|(position, _)| position == x)) {
        return false;
    }
    let limit = |class: &Piecewise, is_before: bool| {
        let touches =
            |piece: &&Piece| if is_before { piece.lo < *x && *x <= piece.hi } else { piece.lo <= *x && *x < piece.hi };
        class.pieces.iter().find(touches).map_or(Rational::ZERO, |piece| piece.density.at(x))
    };
    let [[before0, before1], [after0, after1]] =
        [true, false].map(|is_before| classes.map(|class| limit(class, is_before)));
    let has_mass = |d0: &Rational, d1: &Rational| !(d0.is_zero() && d1.is_zero());
    has_mass(&before0, &before1) && has_mass(&after0, &after1) && before0 * after1 == before1 * after0
}

#[cfg(test)]
mod tests {
    use super::super::scores::Coordinate;
    use super::*;
    use crate::model::Density;

    fn place((above, below): (i32, u8)) -> Endpoint {
        Endpoint::rational(Rational::from_parts(above.into(), below.into()))
    }

    /// `2(1-x)` and `4x³` make `24x² - 16x³`, twice 0 at one end: never back, and the sign is seen there, too.
    #[test]
    fn zeros_at_ends_do_not_hide_the_sign() {
        let signs = |f0: &str, f1: &str| {
            let [f0, f1] = [f0, f1].map(|text| Density::parse(text).unwrap());
            let ends = [Rational::ZERO, Rational::ONE].map(Endpoint::rational);
            let ends = [&ends[0], &ends[1]];
            let bend = Bend::between([f0.piecewise().unwrap(), f1.piecewise().unwrap()], ends).unwrap();
            let (half, v) = (Interval::from(0.5), Series::linear(Interval::from(0.5), Interval::from(0.5)));
            let site = ScoreSeries::new(Coordinate::Linear { a: Interval::ZERO, w: Interval::ONE }, v, half, ends);
            let tiny = Interval::from(1e-9);
            (bend.along(&site).ends(), [bend.beyond(0, tiny), bend.beyond(1, Interval::ONE - tiny)])
        };
        let (ends, beyond) = signs("2*(1-x)", "4*x^3");
        assert!(ends.iter().chain(&beyond).all(|sign| sign.is_positive()), "{ends:?} {beyond:?}");
        let (ends, beyond) = signs("4*x^3", "2*(1-x)");
        assert!(ends.iter().chain(&beyond).all(|sign| sign.is_negative()), "{ends:?} {beyond:?}");
        // 6 (1-x) (1+x), once 0 at the far end.
        let (ends, beyond) = signs("3*(1-x)^2", "2*x");
        assert!(ends.iter().chain(&beyond).all(|sign| sign.is_positive()), "{ends:?} {beyond:?}");
        // A parabola against the uniform density: towards class 1 first, then back.
        let (ends, beyond) = signs("1", "6*x*(1-x)");
        assert!(ends[0].is_positive() && ends[1].is_negative() && beyond[0].is_positive() && beyond[1].is_negative());
        // A kink of a density is no corner of the curve, a jump is.
        let goes_on_at = |f1: &str| {
            let [f0, f1] = ["uniform(0, 1)", f1].map(|text| Density::parse(text).unwrap());
            goes_on([f0.piecewise().unwrap(), f1.piecewise().unwrap()], &place((1, 2)))
        };
        assert!(goes_on_at("triangular(0, 1/2, 1)") && !goes_on_at("{ 1/2 on [0, 1/2]; 3/2 on [1/2, 1] }"));
        assert!(!goes_on_at("1/2*triangular(0, 1/2, 1) + 1/2*atom(1/2)") && !goes_on_at("triangular(1/2, 1/2, 1)"));
        // Where there is no mass on one side the curve does not go on from anything.
        let [half, later] = [(1, 2u8), (3, 4)].map(place);
        let apart = Density::parse("1/2*uniform(0, 1/2) + 1/2*uniform(3/4, 1)").unwrap();
        assert!([half, later].iter().all(|place| !goes_on([apart.piecewise().unwrap(); 2], place)));
        // Where the directions are the same there is no bend at all.
        assert_eq!(signs("2*x", "2*x").1, [Interval::ZERO; 2]);
    }
    /// On the interval between two places, and up to any score.
    #[test]
    fn signs_are_those_of_the_whole_way() {
        let [f0, f1] = ["1", "{ 4*x on [0, 1/2]; 2*(1-x)+1/2 on [1/2, 1] }"].map(|text| Density::parse(text).unwrap());
        let [zero, half, one] = [(0, 1u8), (1, 2), (1, 1)].map(place);
        let classes = [f0.piecewise().unwrap(), f1.piecewise().unwrap()];
        let beyond = |ends: [&Endpoint; 2]| Bend::between(classes, ends).unwrap().beyond(0, Interval::from(0.5));
        assert!(beyond([&zero, &half]).is_positive() && beyond([&half, &one]).is_negative());
        // It turns in between.
        let parabola = Density::parse("6*x*(1-x)").unwrap();
        let bend = Bend::between([classes[0], parabola.piecewise().unwrap()], [&zero, &one]).unwrap();
        let all = bend.beyond(0, Interval::from(0.75));
        assert!(all.contains(6.0) && all.contains(-3.0), "{all:?}");
    }
}
