//! The sign of the curvature of a ROC curve with polynomial densities, by an exact polynomial.

use super::expansions::Expansions;
use super::growth::horner;
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
    /// The bend of two densities on an interval; `None` if they are not both polynomials there, or an end is irrational.
    pub(super) fn between(classes: [&Piecewise; 2], ends: [&Endpoint; 2]) -> Option<Bend> {
        let [a, b] = [ends[0].constant.exact.as_ref()?, ends[1].constant.exact.as_ref()?];
        let covers = |piece: &&Piece| piece.lo <= *a && *b <= piece.hi;
        let [f0, f1] = classes.map(|class| class.pieces.iter().find(covers).map(|piece| &piece.density));
        let (f0, f1) = (f0?, f1?);
        let mut bend = &(f0 * &f1.derivative()) - &(&f0.derivative() * f1);
        // Division by x - a and by b - x, which are positive inside, keeps the sign.
        let distances = [Polynomial::linear(&-a, &Rational::ONE), Polynomial::linear(b, &-Rational::ONE)];
        for (end, distance) in [a, b].into_iter().zip(&distances) {
            while !bend.is_zero() && bend.sign_at(end) == 0 {
                (bend, _) = bend.divided_by(distance);
            }
        }
        let ends = ends.map(Endpoint::clone);
        Some(Bend { expansions: Expansions::new(&bend, &ends), ends })
    }

    /// The bend along a series of scores.
    pub(super) fn along(&self, scores: &ScoreSeries) -> Series {
        self.expansions.jet(scores, &self.ends).value
    }

    /// All values of the bend between the left (0) or right (1) end and a score.
    pub(super) fn beyond(&self, side: usize, score: Interval) -> Interval {
        let farthest = (score - self.ends[side].enclosure()).magnitude();
        let distance = Interval::new(0.0, farthest);
        self.expansions.in_distance(side).map_or(Interval::ALL, |coefficients| horner(coefficients, distance).0)
    }
}

/// Whether the curve has the same direction before and after a score, decided exactly by the limits of the densities from both sides:
/// `f0(x-)·f1(x+) = f1(x-)·f0(x+)`. False at an atom, and where one side has no mass.
pub(super) fn is_smooth_at(classes: [&Piecewise; 2], place: &Endpoint) -> bool {
    let Some(x) = &place.constant.exact else { return false };
    if classes.iter().any(|class| class.atoms.iter().any(|(position, _)| position == x)) {
        return false;
    }
    let limit = |class: &Piecewise, is_before: bool| {
        let touches =
            |piece: &&Piece| if is_before { piece.lo < *x && *x <= piece.hi } else { piece.lo <= *x && *x < piece.hi };
        class.pieces.iter().find(touches).map_or(Rational::ZERO, |piece| piece.density.at(x))
    };
    let [before0, before1] = classes.map(|class| limit(class, true));
    let [after0, after1] = classes.map(|class| limit(class, false));
    let has_mass = |f0: &Rational, f1: &Rational| !(f0.is_zero() && f1.is_zero());
    has_mass(&before0, &before1) && has_mass(&after0, &after1) && before0 * after1 == before1 * after0
}

#[cfg(test)]
mod tests {
    use super::super::scores::Coordinate;
    use super::*;
    use crate::model::Density;

    /// The endpoint `numerator/denominator`.
    fn fraction(numerator: i32, denominator: u8) -> Endpoint {
        Endpoint::rational(Rational::from_parts(numerator.into(), denominator.into()))
    }

    /// The bend of two densities on [0, 1]: at 0 and 1, and all values within a tiny distance of 0 and of 1.
    struct BendAtEnds {
        values: [Interval; 2],
        ranges: [Interval; 2],
    }

    impl BendAtEnds {
        fn new(f0: &str, f1: &str) -> BendAtEnds {
            let [f0, f1] = [f0, f1].map(|text| Density::parse(text).unwrap());
            let unit = Endpoint::unit();
            let ends = [&unit[0], &unit[1]];
            let bend = Bend::between([f0.piecewise().unwrap(), f1.piecewise().unwrap()], ends).unwrap();
            let (half, v) = (Interval::from(0.5), Series::linear(Interval::from(0.5), Interval::from(0.5)));
            let scores = ScoreSeries::new(Coordinate::Linear { a: Interval::ZERO, w: Interval::ONE }, v, half, ends);
            let tiny = Interval::from(1e-9);
            let ranges = [bend.beyond(0, tiny), bend.beyond(1, Interval::ONE - tiny)];
            BendAtEnds { values: bend.along(&scores).ends(), ranges }
        }

        fn all(&self) -> impl Iterator<Item = &Interval> {
            self.values.iter().chain(&self.ranges)
        }
    }

    #[test]
    fn zeros_at_ends_do_not_hide_the_sign() {
        // 2(1-x) and 4x³ make 24x² - 16x³, with a double zero at 0.
        assert!(BendAtEnds::new("2*(1-x)", "4*x^3").all().all(|bend| bend.is_positive()));
        assert!(BendAtEnds::new("4*x^3", "2*(1-x)").all().all(|bend| bend.is_negative()));
        // 6(1-x)(1+x), with a zero at 1.
        assert!(BendAtEnds::new("3*(1-x)^2", "2*x").all().all(|bend| bend.is_positive()));
        // A parabola against the uniform density: the ratio grows first, then falls.
        let BendAtEnds { values, ranges } = BendAtEnds::new("1", "6*x*(1-x)");
        assert!([values, ranges].iter().all(|[left, right]| left.is_positive() && right.is_negative()));
        // A constant ratio has no bend.
        assert_eq!(BendAtEnds::new("2*x", "2*x").ranges, [Interval::ZERO; 2]);
    }

    #[test]
    fn the_direction_changes_at_jumps_atoms_and_gaps_but_not_at_kinks() {
        let is_smooth_at_half = |f1: &str| {
            let [f0, f1] = ["uniform(0, 1)", f1].map(|text| Density::parse(text).unwrap());
            is_smooth_at([f0.piecewise().unwrap(), f1.piecewise().unwrap()], &fraction(1, 2))
        };
        assert!(is_smooth_at_half("triangular(0, 1/2, 1)"));
        assert!(!is_smooth_at_half("{ 1/2 on [0, 1/2]; 3/2 on [1/2, 1] }"));
        assert!(!is_smooth_at_half("triangular(1/2, 1/2, 1)"));
        assert!(!is_smooth_at_half("1/2*triangular(0, 1/2, 1) + 1/2*atom(1/2)"));
        // There is no mass between 1/2 and 3/4.
        let apart = Density::parse("1/2*uniform(0, 1/2) + 1/2*uniform(3/4, 1)").unwrap();
        let classes = [apart.piecewise().unwrap(); 2];
        assert!(!is_smooth_at(classes, &fraction(1, 2)) && !is_smooth_at(classes, &fraction(3, 4)));
    }

    #[test]
    fn bounds_up_to_a_score_are_those_of_the_given_interval() {
        let [f0, f1] = ["1", "{ 4*x on [0, 1/2]; 2*(1-x)+1/2 on [1/2, 1] }"].map(|text| Density::parse(text).unwrap());
        let [zero, half, one] = [fraction(0, 1), fraction(1, 2), fraction(1, 1)];
        let classes = [f0.piecewise().unwrap(), f1.piecewise().unwrap()];
        let bend_before_half =
            |ends: [&Endpoint; 2]| Bend::between(classes, ends).unwrap().beyond(0, Interval::from(0.5));
        assert!(bend_before_half([&zero, &half]).is_positive() && bend_before_half([&half, &one]).is_negative());
        // The bend of 1 and 6x(1-x) is 6 - 12x: from 6 at 0 to -3 at 3/4.
        let parabola = Density::parse("6*x*(1-x)").unwrap();
        let bend = Bend::between([classes[0], parabola.piecewise().unwrap()], [&zero, &one]).unwrap();
        let range = bend.beyond(0, Interval::from(0.75));
        assert!(range.contains(6.0) && range.contains(-3.0), "{range:?}");
    }
}
