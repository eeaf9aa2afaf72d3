//! Every rule is evaluated on random piecewise-linear curves, in exact arithmetic: it must not be negative.

use super::factor::Factor;
use super::*;
use crate::lower::Base;
use rocproof_algebra::Rational;

/// A vertex of a curve: `x`, `F0`, `F1`.
type Vertex = [Rational; 3];

/// A vertex of a path in all coordinates: `x`, `F0`, `F1`, `c`.
type Point = [Rational; 4];

/// A linear congruential generator with Knuth's constants. Its argument is the state.
struct Random(u64);

impl Random {
    /// A pseudo-random number below `n`.
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

fn ratio(numerator: u64, denominator: u64) -> Rational {
    Rational::from(numerator) / Rational::from(denominator)
}

/// The vertices of a random curve from `(0, 0, 0)` to `(1, 1, 1)`, of up to four segments.
///
/// A step holds the growths of `x`, `F0` and `F1` on a segment, as integers; they are divided by their totals. Of a convex curve the
/// segments are sorted by posterior.
fn curve(random: &mut Random, [beta0, beta1]: &[Rational; 2], convex: bool) -> Vec<Vertex> {
    let mut steps: Vec<[u64; 3]> = (0..1 + random.below(4)).map(|_| [3, 4, 4].map(|n| random.below(n))).collect();
    // Every coordinate moves somewhere.
    for k in 0..3 {
        if steps.iter().all(|step| step[k] == 0) {
            steps[0][k] = 1;
        }
    }
    let totals = [0, 1, 2].map(|k| steps.iter().map(|step| step[k]).sum::<u64>());
    if convex {
        // Segments without mass have no posterior and may stand anywhere: here first.
        let posterior = |[_, n0, n1]: &[u64; 3]| {
            let [m0, m1] = [beta0 * ratio(*n0, totals[1]), beta1 * ratio(*n1, totals[2])];
            if n0 + n1 == 0 { Rational::ZERO } else { &m1 / (&m0 + &m1) }
        };
        steps.sort_by_key(posterior);
    }
    let mut vertex = [Rational::ZERO, Rational::ZERO, Rational::ZERO];
    let mut vertices = vec![vertex.clone()];
    for step in steps {
        for k in 0..3 {
            vertex[k] += ratio(step[k], totals[k]);
        }
        vertices.push(vertex.clone());
    }
    vertices
}

/// The vertices of the hull, by Andrew's monotone chain. With `y = beta1 F1`, the hull is the greatest convex function of `R` that is not
/// above the curve.
fn hull(vertices: &[Vertex], [beta0, beta1]: &[Rational; 2]) -> Vec<Vertex> {
    let rate_and_y = |v: &Vertex| [beta0 * &v[1] + beta1 * &v[2], beta1 * &v[2]];
    // In a gap only the score moves, and `(R, y)` stands still. Keep the first and the last vertex with each `(R, y)`.
    let mut groups: Vec<[&Vertex; 2]> = Vec::new();
    for vertex in vertices {
        match groups.last_mut() {
            Some([first, last]) if rate_and_y(first) == rate_and_y(vertex) => *last = vertex,
            _ => groups.push([vertex, vertex]),
        }
    }
    let mut chain: Vec<[&Vertex; 2]> = Vec::new();
    for group in groups {
        while let [.., a, b] = &chain[..] {
            let [a, b, p] = [a[0], b[0], group[0]].map(rate_and_y);
            // Positive if the chain turns to the left at b.
            let turn = (&b[0] - &a[0]) * (&p[1] - &a[1]) - (&b[1] - &a[1]) * (&p[0] - &a[0]);
            if turn > Rational::ZERO {
                break;
            }
            chain.pop();
        }
        chain.push(group);
    }
    chain.into_iter().flatten().cloned().collect()
}

/// The path of a curve in all coordinates, from `c = 0` to `c = 1`. Between segments with different posteriors it has a corner, where only
/// `c` moves.
fn path(vertices: &[Vertex], [beta0, beta1]: &[Rational; 2]) -> Vec<Point> {
    let mut c = Rational::ZERO;
    let with_posterior = |[x, f0, f1]: &Vertex, c: &Rational| [x, f0, f1, c].map(Clone::clone);
    let mut points = vec![with_posterior(&vertices[0], &c)];
    for pair in vertices.windows(2) {
        let [m0, m1] = [beta0 * (&pair[1][1] - &pair[0][1]), beta1 * (&pair[1][2] - &pair[0][2])];
        let mass = &m0 + &m1;
        if !mass.is_zero() {
            c = m1 / mass;
            points.push(with_posterior(&pair[0], &c));
        }
        points.push(with_posterior(&pair[1], &c));
    }
    points.push(with_posterior(&vertices[vertices.len() - 1], &Rational::ONE));
    points
}

/// The integral of a form along a path. A segment is parametrised by `0 <= u <= 1`, and the form becomes a polynomial in `u`.
fn integral(form: &OneForm, points: &[Point], [beta0, beta1]: &[Rational; 2]) -> Rational {
    let u = Fraction::variable("u");
    let mut sum = Rational::ZERO;
    for pair in points.windows(2) {
        let [start, end] = [&pair[0], &pair[1]];
        let growth: Vec<Rational> = (0..4).map(|k| &end[k] - &start[k]).collect();
        let growth_of_rate = beta0 * &growth[1] + beta1 * &growth[2];
        let integrand = form.dx.scaled(&growth[0]) + form.dr.scaled(&growth_of_rate) + form.dc.scaled(&growth[3]);
        let in_u = (0..4).fold(integrand, |f, k| {
            let coordinate = Fraction::constant(start[k].clone()) + u.scaled(&growth[k]);
            f.substitute(&Symbol::COORDINATES[k], &coordinate).unwrap()
        });
        sum += in_u.antiderivative("u").unwrap().value(|_| Some(Rational::ONE)).unwrap();
    }
    sum
}

/// The least value of a rule, used for a statement, on twelve random curves; at most 1.
fn least(text: &str, rule: &Rule, base: Base) -> Rational {
    let statement = Statement::parse(text).unwrap();
    let mut lowering = Lowering::new(&statement, base).unwrap();
    let known = rule.non_negative(&mut lowering, &statement).unwrap_or_else(|why| panic!("{rule:?}: {why}"));
    let beta = lowering.base.clone().map(|beta| beta.as_rational().unwrap());
    let mut random = Random(7);
    let mut least = Rational::ONE;
    for _ in 0..12 {
        let own = curve(&mut random, &beta, lowering.is_convex(Track::Own));
        let (own_path, hull_path) = (path(&own, &beta), path(&hull(&own, &beta), &beta));
        let distances = own.iter().map(|[_, f0, f1]| if f0 > f1 { f0 - f1 } else { f1 - f0 });
        let ks = distances.max().unwrap();
        let mut value = known.sum.value.value(|name| (name == "KS").then(|| ks.clone())).unwrap();
        for ((track, _), form) in &known.sum.forms {
            let [dx, dr, dc] = form
                .parts()
                .map(|part| part.substitute(Symbol::Distance(Track::Own), &Fraction::constant(ks.clone())).unwrap());
            let path = if *track == Track::Hull { &hull_path } else { &own_path };
            value += integral(&OneForm { dx, dr, dc }, path, &beta);
        }
        least = least.min(value);
    }
    least
}

#[test]
fn integrals_of_factors_are_not_negative() {
    use Factor::*;
    let everywhere =
        [ScoreAboveLowest, ScoreBelowHighest, F0, NotF0, F1, NotF1, Rate, NotRate, Posterior, NotPosterior];
    let everywhere = everywhere.into_iter().chain([DistanceAbove, DistanceBelow]);
    let convex = [Above, TangentAtZero, TangentAtOne];
    let differentials = [Differential::Score, Differential::F0, Differential::F1, Differential::Rate];
    let check = |text, track, factor: &Factor, differential| {
        for base in Base::ALL {
            let fact = Fact::Along { track, stretch: None, differential };
            let rule = Rule { factors: vec![(factor.clone(), 1)], ..Rule::of(fact) };
            assert!(least(text, &rule, base) >= Rational::ZERO, "{rule:?}");
        }
    };
    for factor in everywhere {
        for differential in differentials {
            check("BS >= 0 where pi0 == 1/3", Track::Own, &factor, differential);
        }
        check("BS >= 0 where pi0 == 1/3", Track::Hull, &factor, Differential::Posterior);
    }
    for factor in &convex {
        for differential in differentials.into_iter().chain([Differential::Posterior]) {
            check("BS >= 0 where pi0 == 1/3", Track::Hull, factor, differential);
            check("for convex m: BS >= 0 where pi0 == 1/4", Track::Own, factor, differential);
        }
    }
}

#[test]
fn hull_comparisons_are_not_negative() {
    for base in Base::ALL {
        for (i, j) in [(0, 0), (1, 0), (0, 1), (2, 1)] {
            let rule = Rule::of(Fact::Hull(HullComparison::Pooled { i, j }));
            assert!(least("AUC >= 0 where pi0 == 2/5", &rule, base) >= Rational::ZERO, "{rule:?}");
            for powers in [[1, 0], [0, 1], [1, 2]] {
                for comparison in [
                    HullComparison::Errors { rate: [i, j], powers },
                    HullComparison::Successes { rate: [i, j], powers },
                ] {
                    let rule = Rule::of(Fact::Hull(comparison));
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
    let positive = Signs { not_negative: true, positive: true };
    let not_negative = Signs { not_negative: true, positive: false };
    let negative_somewhere = Signs { not_negative: false, positive: false };
    assert_eq!(signs("pi0*pi1"), Some(positive));
    assert_eq!(signs("(pi0 - 1/2)^2"), Some(not_negative));
    assert_eq!(signs("pi0 - 1/2"), Some(negative_somewhere));
    assert_eq!(signs("-1"), Some(negative_somewhere));
    assert_eq!(signs("0"), Some(not_negative));
    assert_eq!(signs("pi0 - x"), None);
}
