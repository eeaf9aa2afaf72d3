//! Every rule is tried on curves made at random, in exact arithmetic.

use super::factor::Factor;
use super::*;
use crate::lower::Base;
use rocproof_algebra::Rational;

/// A place of the path: `x`, `F0`, `F1`, `c`.
type Point = [Rational; 4];

struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

fn ratio(above: u64, below: u64) -> Rational {
    Rational::from(above) / Rational::from(below)
}

/// Some curve: the places `(x, F0, F1)` at which it turns.
fn curve(random: &mut Random, [beta0, beta1]: &[Rational; 2], convex: bool) -> Vec<[Rational; 3]> {
    let mut steps: Vec<[u64; 3]> = (0..1 + random.below(4)).map(|_| [3, 4, 4].map(|n| random.below(n))).collect();
    for k in 0..3 {
        if steps.iter().all(|step| step[k] == 0) {
            steps[0][k] = 1;
        }
    }
    let totals = [0, 1, 2].map(|k| steps.iter().map(|step| step[k]).sum::<u64>());
    if convex {
        // By posterior; what has no mass may stand anywhere.
        let share = |[_, n0, n1]: &[u64; 3]| {
            let [m0, m1] = [beta0 * ratio(*n0, totals[1]), beta1 * ratio(*n1, totals[2])];
            if n0 + n1 == 0 { Rational::ZERO } else { &m1 / (&m0 + &m1) }
        };
        steps.sort_by_key(share);
    }
    let mut place = [Rational::ZERO, Rational::ZERO, Rational::ZERO];
    let mut places = vec![place.clone()];
    for step in steps {
        for k in 0..3 {
            place[k] += ratio(step[k], totals[k]);
        }
        places.push(place.clone());
    }
    places
}

/// The hull: the greatest convex function of `R` below.
fn hull(places: &[[Rational; 3]], [beta0, beta1]: &[Rational; 2]) -> Vec<[Rational; 3]> {
    let point = |p: &[Rational; 3]| [beta0 * &p[1] + beta1 * &p[2], beta1 * &p[2]];
    // In a gap only the score moves, and the curve stays at one point. Keep its first and last place.
    let mut stays: Vec<[&[Rational; 3]; 2]> = Vec::new();
    for place in places {
        match stays.last_mut() {
            Some([first, last]) if point(first) == point(place) => *last = place,
            _ => stays.push([place, place]),
        }
    }
    let mut kept: Vec<[&[Rational; 3]; 2]> = Vec::new();
    for stay in stays {
        while let [.., a, b] = &kept[..] {
            let [a, b, p] = [a[0], b[0], stay[0]].map(point);
            let turn = (&b[0] - &a[0]) * (&p[1] - &a[1]) - (&b[1] - &a[1]) * (&p[0] - &a[0]);
            if turn > Rational::ZERO {
                break;
            }
            kept.pop();
        }
        kept.push(stay);
    }
    kept.into_iter().flatten().cloned().collect()
}

/// The path in all coordinates, corners included.
fn path(places: &[[Rational; 3]], [beta0, beta1]: &[Rational; 2]) -> Vec<Point> {
    let mut c = Rational::ZERO;
    let at = |[x, f0, f1]: &[Rational; 3], c: &Rational| [x, f0, f1, c].map(Clone::clone);
    let mut points = vec![at(&places[0], &c)];
    for pair in places.windows(2) {
        let [m0, m1] = [beta0 * (&pair[1][1] - &pair[0][1]), beta1 * (&pair[1][2] - &pair[0][2])];
        let mass = &m0 + &m1;
        if !mass.is_zero() {
            c = m1 / mass;
            points.push(at(&pair[0], &c));
        }
        points.push(at(&pair[1], &c));
    }
    points.push(at(&places[places.len() - 1], &Rational::ONE));
    points
}

/// The integral of a form along a path.
fn integral(form: &OneForm, points: &[Point], [beta0, beta1]: &[Rational; 2]) -> Rational {
    let u = Fraction::variable("u");
    let mut sum = Rational::ZERO;
    for pair in points.windows(2) {
        let slope: Vec<Rational> = (0..4).map(|k| &pair[1][k] - &pair[0][k]).collect();
        let rate = beta0 * &slope[1] + beta1 * &slope[2];
        let moved = form.dx.scaled(&slope[0]) + form.dr.scaled(&rate) + form.dc.scaled(&slope[3]);
        let on = (0..4).fold(moved, |f, k| {
            f.substitute(&Symbol::COORDINATES[k], &(Fraction::constant(pair[0][k].clone()) + u.scaled(&slope[k])))
                .unwrap()
        });
        sum += on.antiderivative("u").unwrap().value(|_| Some(Rational::ONE)).unwrap();
    }
    sum
}

/// The least value that a rule has on curves made at random.
fn least(text: &str, rule: &Rule, base: Base) -> Rational {
    let statement = Statement::parse(text).unwrap();
    let mut lowering = Lowering::new(&statement, base).unwrap();
    let known = rule.non_negative(&mut lowering, &statement).unwrap_or_else(|why| panic!("{rule:?}: {why}"));
    let beta = lowering.base.clone().map(|beta| beta.as_rational().unwrap());
    let mut random = Random(7);
    let mut least = Rational::ONE;
    for _ in 0..12 {
        let places = curve(&mut random, &beta, lowering.is_convex(Track::Own));
        let tracks = [places.clone(), hull(&places, &beta)].map(|places| path(&places, &beta));
        let distances = places.iter().map(|[_, f0, f1]| if f0 > f1 { f0 - f1 } else { f1 - f0 });
        let ks = distances.max().unwrap();
        let mut value = known.sum.value.value(|name| (name == "KS").then(|| ks.clone())).unwrap();
        for ((track, _), form) in &known.sum.forms {
            let [dx, dr, dc] = form
                .parts()
                .map(|part| part.substitute(Symbol::Distance(Track::Own), &Fraction::constant(ks.clone())).unwrap());
            let form = OneForm { dx, dr, dc };
            value += integral(&form, &tracks[usize::from(*track == Track::Hull)], &beta);
        }
        least = least.min(value);
    }
    least
}

#[test]
fn integrals_of_what_is_not_negative_are_not_negative() {
    use Factor::*;
    let everywhere =
        [ScoreAboveLowest, ScoreBelowHighest, F0, NotF0, F1, NotF1, Rate, NotRate, Posterior, NotPosterior];
    let everywhere = everywhere.into_iter().chain([DistanceAbove, DistanceBelow]);
    let convex = [Above, TangentAtZero, TangentAtOne];
    let differentials = [Differential::Score, Differential::F0, Differential::F1, Differential::Rate];
    let tried = |text, track, factor: &Factor, differential| {
        for base in Base::ALL {
            let fact = Fact::Along { track, stretch: None, differential };
            let rule = Rule { factors: vec![(factor.clone(), 1)], ..Rule::of(fact) };
            assert!(least(text, &rule, base) >= Rational::ZERO, "{rule:?}");
        }
    };
    for factor in everywhere {
        for differential in differentials {
            tried("BS >= 0 where pi0 == 1/3", Track::Own, &factor, differential);
        }
        tried("BS >= 0 where pi0 == 1/3", Track::Hull, &factor, Differential::Posterior);
    }
    for factor in &convex {
        for differential in differentials.into_iter().chain([Differential::Posterior]) {
            tried("BS >= 0 where pi0 == 1/3", Track::Hull, factor, differential);
            tried("for convex m: BS >= 0 where pi0 == 1/4", Track::Own, factor, differential);
        }
    }
}

#[test]
fn hulls_compare_as_said() {
    for base in Base::ALL {
        for (i, j) in [(0, 0), (1, 0), (0, 1), (2, 1)] {
            let rule = Rule::of(Fact::Hull(HullComparison::Pooled { i, j }));
            assert!(least("AUC >= 0 where pi0 == 2/5", &rule, base) >= Rational::ZERO, "{rule:?}");
            for powers in [[1, 0], [0, 1], [1, 2]] {
                for hulled in [
                    HullComparison::Errors { rate: [i, j], powers },
                    HullComparison::Successes { rate: [i, j], powers },
                ] {
                    let rule = Rule::of(Fact::Hull(hulled));
                    assert!(least("AUC >= 0 where pi0 == 2/5", &rule, base) >= Rational::ZERO, "{rule:?}");
                }
            }
        }
    }
}

#[test]
fn convex_curves_lie_above_their_triangles() {
    let rule = Rule::of(Fact::Triangle { place: None });
    for base in Base::ALL {
        assert!(least("for convex m: KS <= Gini where pi0 == 2/5", &rule, base) >= Rational::ZERO);
    }
}

#[test]
fn no_loss_is_below_the_optimal_one() {
    for loss in
        ["L[rd]", "L[ru]", "L[sd]", "L[su]", "L[rd; beta(2, 3)]", "L[sd](Conv(m))", "L[su](Even(m))", "L[rd](Cal(m))"]
    {
        let rule = Rule::of(Fact::Optimality { loss: loss.into() });
        assert!(least("BS >= 0 where pi0 == 2/5", &rule, Base::Given) >= Rational::ZERO, "{loss}");
        let rule = Rule::of(Fact::Optimality { loss: loss.replace('L', "Lz") });
        assert!(least("BS >= 0 where pi0 == 1/2", &rule, Base::Balanced) >= Rational::ZERO, "{loss}");
    }
}

#[test]
fn signs_of_polynomials_between_0_and_1() {
    let signs = |text: &str| {
        let statement = Statement::parse("AUC >= 0").unwrap();
        let mut lowering = Lowering::new(&statement, Base::Given).unwrap();
        let context = &mut Context { lowering: &mut lowering, statement: &statement };
        factor::signs(polynomial(context, text).unwrap().as_polynomial().unwrap())
    };
    assert_eq!(signs("pi0*pi1"), Some([true, true]));
    assert_eq!(signs("(pi0 - 1/2)^2"), Some([true, false]));
    assert_eq!(signs("pi0 - 1/2"), Some([false, false]));
    assert_eq!(signs("-1"), Some([false, false]));
    assert_eq!(signs("0"), Some([true, false]));
    assert_eq!(signs("pi0 - x"), None);
}
