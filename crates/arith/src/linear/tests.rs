use super::*;
use crate::multivariate::Multinomial;
use crate::{Fraction, Polynomial, Rational, RationalFunction};
use dashu_base::Signed;
use proptest::prelude::*;

fn r(n: i64) -> Rational {
    Rational::from(n)
}

/// Columns from small dense rows.
fn columns(rows: &[Vec<i64>]) -> Vec<Column> {
    let width = rows.first().map_or(0, Vec::len);
    let entry =
        |j: usize| rows.iter().enumerate().filter(move |(_, row)| row[j] != 0).map(move |(i, row)| (i, r(row[j])));
    (0..width).map(|j| entry(j).collect()).collect()
}

/// The left side of the equations.
fn applied(columns: &[Column], solution: &Solution, height: usize) -> Vec<Rational> {
    let mut sum = vec![Rational::ZERO; height];
    for (j, factor) in solution {
        columns[*j].iter().for_each(|(i, v)| sum[*i] += factor * v);
    }
    sum
}

fn is_solution(columns: &[Column], target: &[Rational], free: &[bool], solution: &Solution) -> bool {
    applied(columns, solution, target.len()) == target
        && solution.iter().all(|(j, v)| free[*j] || v.is_positive())
        && solution.len() <= target.len()
}

fn matrix(entry: std::ops::RangeInclusive<i64>) -> impl Strategy<Value = Vec<Vec<i64>>> {
    (1usize..7, 1usize..9).prop_flat_map(move |(height, width)| {
        // Mostly zeros, so that much is degenerate.
        let entry = prop_oneof![2 => Just(0), 3 => entry.clone()];
        prop::collection::vec(prop::collection::vec(entry, width), height)
    })
}

/// The maximum without a guess.
fn exact_maximum(system: &System, objective: &[Rational]) -> Option<Rational> {
    let cost = |j: usize| -objective.get(j).cloned().unwrap_or(Rational::ZERO);
    let end = simplex::descend(system, simplex::feasible_basis(system).unwrap(), &cost, true).unwrap();
    let solution = system.solution(&end.basis).unwrap();
    end.for_ever.is_none().then(|| solution.iter().fold(r(0), |sum, (j, v)| sum - cost(*j) * v))
}

proptest! {
    #[test]
    fn what_has_a_solution_is_solved(
        rows in matrix(-3..=3), weights in prop::collection::vec((0i64..4, 1i64..4, any::<bool>()), 9),
    ) {
        let columns = columns(&rows);
        let free: Vec<bool> = weights.iter().map(|(.., free)| *free).take(columns.len()).collect();
        let known: Solution = weights.iter().take(columns.len()).enumerate().map(|(j, (n, d, free))| {
            (j, Rational::from(if *free { n - 2 } else { *n }) / r(*d))
        }).collect();
        let target = applied(&columns, &known, rows.len());
        let system = System::new(&columns, &target, &free);
        for solution in [system.feasible(), system.cheapest(&vec![r(1); columns.len()])] {
            prop_assert!(is_solution(&columns, &target, &free, &solution.unwrap()));
        }
    }

    #[test]
    fn what_a_combination_excludes_is_refused(rows in matrix(-3..=3), prices in prop::collection::vec(-3i64..=3, 7)) {
        // Columns are turned so that none is worth anything at the prices, but the target is.
        let mut columns = columns(&rows);
        let worth = |entries: &[(usize, Rational)]| entries.iter().fold(r(0), |sum, (i, v)| sum + v * r(prices[*i]));
        let mut free = Vec::new();
        for column in &mut columns {
            if worth(column).is_positive() {
                column.iter_mut().for_each(|(_, v)| *v = -v.clone());
            }
            free.push(worth(column).is_zero());
        }
        let target: Vec<Rational> = (0..rows.len()).map(|i| r(prices[i])).collect();
        prop_assume!(prices[..rows.len()].iter().any(|p| *p != 0));
        let system = System::new(&columns, &target, &free);
        prop_assert_eq!(system.feasible(), None);
        prop_assert_eq!(simplex::feasible_basis(&system), None);
        prop_assert_eq!(system.maximise(&[r(1)]), Optimum::Infeasible);
    }

    #[test]
    fn guesses_and_exact_steps_agree(
        rows in matrix(-2..=3), target in prop::collection::vec(-2i64..=4, 7), objective in prop::collection::vec(-2i64..=2, 9),
        marks in prop::collection::vec(prop::bool::weighted(0.2), 9),
    ) {
        let columns = columns(&rows);
        let [target, objective] = [&target[..rows.len()], &objective[..columns.len()]].map(|v| v.iter().map(|n| r(*n)).collect::<Vec<_>>());
        let free = &marks[..columns.len()];
        let system = System::new(&columns, &target, free);
        let feasible = simplex::feasible_basis(&system).is_some();
        prop_assert_eq!(system.feasible().is_some(), feasible);
        match system.maximise(&objective) {
            Optimum::At(value, solution) => {
                prop_assert_eq!(Some(value.clone()), exact_maximum(&system, &objective));
                prop_assert!(is_solution(&columns, &target, free, &solution));
                let reached = solution.iter().fold(r(0), |sum, (j, v)| sum + &objective[*j] * v);
                prop_assert_eq!(reached, value);
            }
            Optimum::Unbounded => prop_assert!(feasible && exact_maximum(&system, &objective).is_none()),
            Optimum::Infeasible => prop_assert!(!feasible),
        }
    }

    #[test]
    fn square_systems_are_solved(rows in prop::collection::vec(prop::collection::vec((-9i64..10, 1i64..5), 5), 5)) {
        let entry = |(n, d): (i64, i64)| r(n) / r(d);
        let sparse: Vec<Column> = rows.iter().map(|row| row[..4].iter().map(|e| entry(*e)).enumerate().collect()).take(4).collect();
        let target: Vec<Rational> = rows.iter().map(|row| entry(row[4])).take(4).collect();
        let dense: Vec<Vec<Rational>> = rows.iter().take(4).map(|row| row.iter().map(|e| entry(*e)).collect()).collect();
        let mut reduced = dense.clone();
        let pivots = row_echelon(&mut reduced);
        let expected = (pivots == [0, 1, 2, 3]).then(|| reduced.iter().map(|row| row[4].clone()).collect());
        prop_assert_eq!(solve(&sparse, &target), expected);
    }

    #[test]
    fn null_spaces_vanish_and_are_whole(rows in matrix(-2..=2)) {
        let rows: Vec<Vec<Rational>> = rows.iter().map(|row| row.iter().map(|n| r(*n)).collect()).collect();
        let space = nullspace(&rows);
        let rank = row_echelon(&mut rows.clone()).len();
        prop_assert_eq!(space.len() + rank, rows[0].len());
        prop_assert_eq!(row_echelon(&mut space.clone()).len(), space.len());
        for (row, vector) in rows.iter().flat_map(|row| space.iter().map(move |v| (row, v))) {
            prop_assert!(row.iter().zip(vector).fold(r(0), |sum, (a, b)| sum + a * b).is_zero());
        }
        prop_assert_eq!(space, nullspace::eliminated(&rows));
    }

    #[test]
    fn null_spaces_of_functions_are_those_of_elimination(rows in matrix(-2..=2), more in matrix(-2..=2)) {
        // Numbers and, where there are such, multiples of x or 1/(x + 1).
        let pole = RationalFunction::new(Polynomial::one(), Polynomial::whole(&[1, 1]));
        let entry = |i: usize, j: usize, n: i64| {
            let slope = more.get(i).and_then(|row| row.get(j)).copied().unwrap_or(0);
            let factor = if (i + j).is_multiple_of(2) { RationalFunction::x() } else { pole.clone() };
            &RationalFunction::constant(r(n)) + &factor.scaled(&r(slope))
        };
        let rows: Vec<Vec<RationalFunction>> = rows.iter().enumerate()
            .map(|(i, row)| row.iter().enumerate().map(|(j, n)| entry(i, j, *n)).collect()).collect();
        prop_assert_eq!(nullspace(&rows), nullspace::eliminated(&rows));
        let fractions: Vec<Vec<Fraction>> = rows.iter()
            .map(|row| row.iter().map(in_pi0).collect()).collect();
        let back = nullspace(&fractions).iter().map(|v| v.iter().map(of_pi0).collect()).collect::<Vec<Vec<_>>>();
        prop_assert_eq!(back, nullspace(&rows));
    }
}

#[test]
fn null_spaces_of_rational_functions() {
    let x = RationalFunction::x();
    let one = RationalFunction::constant(r(1));
    let (y, zero) = (&one - &x, &x - &x);
    let space = nullspace(&[vec![x.clone(), y.clone(), zero], vec![one.clone(), one, x.clone()]]);
    let [vector] = space.as_slice() else { panic!("one vector") };
    // λ = ((1-x)·x, -x², 2x - 1) up to a factor.
    let scale = RationalFunction::from(Polynomial::whole(&[-1, 2]));
    let scaled: Vec<String> = vector.iter().map(|v| (v * &scale).to_string()).collect();
    assert_eq!(scaled, ["-x^2 + x", "-x^2", "2*x - 1"]);
}

/// Beale's example, on which the rule of the steepest slope goes round in circles.
#[test]
fn beale_does_not_cycle() {
    let q = |n: i64, d: i64| r(n) / r(d);
    let rows: [[Rational; 7]; 3] = [
        [q(1, 4), r(-60), q(-1, 25), r(9), r(1), r(0), r(0)],
        [q(1, 2), r(-90), q(-1, 50), r(3), r(0), r(1), r(0)],
        [r(0), r(0), r(1), r(0), r(0), r(0), r(1)],
    ];
    let columns: Vec<Column> = (0..7)
        .map(|j| rows.iter().map(|row| row[j].clone()).enumerate().filter(|(_, v)| !v.is_zero()).collect())
        .collect();
    let target = [r(0), r(0), r(1)];
    let objective = [q(3, 4), r(-150), q(1, 50), r(-6)];
    let system = System::new(&columns, &target, &[]);
    let Optimum::At(value, _) = system.maximise(&objective) else { panic!("bounded") };
    assert_eq!(value, q(1, 20));
    assert_eq!(exact_maximum(&system, &objective), Some(q(1, 20)));
}

#[test]
fn equations_that_say_the_same_twice() {
    let twice = columns(&[vec![1, 1, -1], vec![2, 2, -2], vec![0, 0, 0]]);
    assert!(feasible(&twice, &[r(1), r(2), r(0)], &[false; 3]).is_some());
    assert_eq!(feasible(&twice, &[r(1), r(3), r(0)], &[true; 3]), None);
    assert_eq!(feasible(&twice, &[r(1), r(2), r(1)], &[true; 3]), None);
    assert_eq!(feasible(&[], &[r(0)], &[]), Some(vec![]));
    assert_eq!(feasible(&[], &[r(1)], &[]), None);
    assert_eq!(feasible(&[], &[], &[]), Some(vec![]));
    assert_eq!(maximise(&[vec![]], &[], &[false], &[r(1)]), Optimum::Unbounded);
    assert_eq!(maximise(&[vec![]], &[], &[false], &[r(-1)]), Optimum::At(r(0), vec![]));
    assert_eq!(maximise(&[vec![]], &[], &[true], &[r(-1)]), Optimum::Unbounded);
}

/// Wrong guesses prove nothing: each line is one that would, but for one condition.
#[test]
fn what_is_not_proved_is_not_believed() {
    // a - b = 1 with b at the price 1 worth -1.
    let one = columns(&[vec![-1, 0]]);
    let system = |free: bool| System::new(&one, &[r(1)], &[free]);
    assert!(system(false).excluded_by(&[r(1)]) && !system(true).excluded_by(&[r(1)]));
    assert!(!system(false).excluded_by(&[r(-1)]) && !system(false).excluded_by(&[r(0)]));
    // The unit column, a negative value and a singular matrix are no solutions.
    assert_eq!(system(false).solution(&[2]), None);
    assert_eq!(system(false).solution(&[0]), None);
    assert_eq!(system(false).solution(&[1]), None);
    assert_eq!(system(true).solution(&[0]), Some(vec![(0, r(-1))]));
    // a + b - c = 1: at the costs 1, 2 and 0 the basis a is the least, b is not, and along a with c costs only rise.
    let three = columns(&[vec![1, 1, -1]]);
    let optimum = |free: [bool; 3], basis: usize, for_ever: Option<usize>, costs: [i64; 3]| {
        System::new(&three, &[r(1)], &free).optimum(&[basis], for_ever, &costs.map(r))
    };
    let all = [false; 3];
    assert_eq!(optimum(all, 0, None, [1, 2, 0]), Some(Optimum::At(r(-1), vec![(0, r(1))])));
    assert_eq!(optimum(all, 1, None, [1, 2, 0]), None);
    assert_eq!(optimum([false, true, false], 0, None, [1, 2, 0]), None);
    assert_eq!(optimum(all, 0, Some(2), [1, 2, 0]), None);
    assert_eq!(optimum(all, 0, Some(2), [-1, 2, 0]), Some(Optimum::Unbounded));
    assert_eq!(optimum(all, 0, Some(1), [1, -2, 0]), None);
    assert_eq!(optimum(all, 0, Some(2), [-1, 0, 1]), None);
    assert_eq!(optimum([true, false, false], 0, Some(1), [1, -2, 0]), Some(Optimum::Unbounded));
    assert_eq!(optimum([true, false, false], 0, Some(1), [1, 2, 0]), None);
    assert_eq!(optimum([true, true, false], 0, Some(1), [1, 2, 0]), Some(Optimum::Unbounded));
    assert_eq!(optimum([true, true, false], 0, Some(1), [1, 1, 0]), None);
}

/// Whole numbers beyond floating point.
#[test]
fn numbers_that_floats_confuse() {
    let large = Rational::from(10).pow(20);
    let columns = [vec![(0, large.clone()), (1, r(1))], vec![(0, &large + r(1)), (1, r(1))]];
    let target = [&large * r(2) + r(1), r(2)];
    assert_eq!(feasible(&columns, &target, &[]), Some(vec![(0, r(1)), (1, r(1))]));
    assert_eq!(feasible(&columns, &[&large * r(2) + r(3), r(2)], &[]), None);
}

/// A hair's breadth on either side of what is possible.
#[test]
fn differences_that_floats_do_not_see() {
    let hair = r(1) / r(1 << 50);
    let polynomials = products(&["x", "y"], 4);
    let columns = as_columns(&polynomials);
    let height = columns.iter().flatten().map(|(i, _)| i + 1).max().unwrap();
    // x·(1-y)³ + (1-x)²·y touches zero at the corners; the first column is the constant 1.
    let [x, y] = ["x", "y"].map(Multinomial::variable);
    let place = |p: &Multinomial| polynomials.iter().position(|q| q == p).unwrap();
    let parts = [&x * (Multinomial::one() - &y).power(3), (Multinomial::one() - &x).power(2) * &y];
    let exact = applied(&columns, &parts.iter().map(|p| (place(p), r(1))).collect(), height);
    let moved = |by: &Rational| {
        let mut target = exact.clone();
        target[columns[0][0].0] += by;
        target
    };
    assert_eq!(feasible(&columns, &moved(&-&hair), &[]), None);
    assert_eq!(cheapest(&columns, &moved(&-&hair), &[], &[r(1)]), None);
    let above = feasible(&columns, &moved(&hair), &[]).unwrap();
    assert!(is_solution(&columns, &moved(&hair), &vec![false; columns.len()], &above));
    // The largest of nearly equal weights.
    let alike = vec![vec![(0, r(1))]; 3];
    let weights = [r(1), r(1) + &hair, &r(1) - &hair];
    assert_eq!(maximise(&alike, &[r(1)], &[], &weights), Optimum::At(weights[1].clone(), vec![(1, r(1))]));
    assert_eq!(maximise(&alike, &[r(0)], &[true, true], &weights), Optimum::Unbounded);
}

#[test]
fn entries_of_the_same_row_add_up() {
    let columns = [vec![(0, r(3)), (0, r(-1))], vec![(0, r(1)), (0, r(-1))]];
    assert_eq!(feasible(&columns, &[r(1)], &[]), Some(vec![(0, r(1) / r(2))]));
}

/// The first primes that are tried divide this determinant.
#[test]
fn singular_modulo_a_prime_is_not_singular() {
    let large = r(2_147_483_647) * r(2_147_483_629) * r(2_147_483_587);
    assert_eq!(solve(&[vec![(0, large.clone())]], &[r(1)]), Some(vec![r(1) / large]));
    assert_eq!(solve(&[vec![]], &[r(1)]), None);
    let first = vec![r(2_147_483_647)];
    assert!(nullspace(&[first]).is_empty() && nullspace(&[vec![r(0)]]) == [[r(1)]]);
}

#[test]
fn the_cheap_columns_are_taken() {
    let columns = columns(&[vec![1, 0, 1], vec![0, 1, 1]]);
    let solution = |costs: [i64; 3]| cheapest(&columns, &[r(1), r(1)], &[false; 3], &costs.map(r)).unwrap();
    assert_eq!(solution([1, 1, 1]), [(2, r(1))]);
    assert_eq!(solution([1, 1, 3]), [(0, r(1)), (1, r(1))]);
}

/// All products of `x`, `1-x`, `y`, … up to a degree, as columns of their coefficients: what is a sum of them with positive weights
/// is positive on the cube.
fn products(names: &[&str], degree: u32) -> Vec<Multinomial> {
    let mut found = vec![Multinomial::one()];
    let factors =
        names.iter().flat_map(|n| [Multinomial::variable(*n), Multinomial::one() - Multinomial::variable(*n)]);
    for factor in factors {
        let known = found.clone();
        for p in known {
            let mut next = p;
            while next.degree() < degree {
                next = next * &factor;
                found.push(next.clone());
            }
        }
    }
    found
}

fn as_columns(polynomials: &[Multinomial]) -> Vec<Column> {
    let mut places = std::collections::BTreeMap::new();
    let column = |p: &Multinomial| {
        let entries = p.monomials().map(|(monomial, c)| {
            let next = places.len();
            (*places.entry(monomial.clone()).or_insert(next), c.clone())
        });
        entries.collect()
    };
    polynomials.iter().map(column).collect()
}

#[test]
fn how_large_a_constant_stays_below_a_polynomial() {
    // x² + y² - xy + 1/3 over the square is at least 1/3: k = 1/3 at the degree where products show it.
    let [x, y] = ["x", "y"].map(Multinomial::variable);
    let third = r(1) / r(3);
    let d = &x * &x + &y * &y - &x * &y + Multinomial::constant(third.clone());
    let mut polynomials = products(&["x", "y"], 4);
    polynomials.push(Multinomial::one());
    polynomials.push(d);
    let mut columns = as_columns(&polynomials);
    let target = columns.pop().unwrap();
    let height = columns.iter().flatten().map(|(i, _)| i + 1).max().unwrap();
    let mut dense = vec![r(0); height];
    target.into_iter().for_each(|(i, v)| dense[i] = v);
    let mut free = vec![false; columns.len()];
    *free.last_mut().unwrap() = true;
    let mut objective = vec![r(0); columns.len()];
    *objective.last_mut().unwrap() = r(1);
    let Optimum::At(value, solution) = maximise(&columns, &dense, &free, &objective) else { panic!("bounded") };
    assert!(value <= third && value > r(0), "{value}");
    assert_eq!(applied(&columns, &solution, height), dense);
}

/// A rational function as a fraction in `pi0`.
fn in_pi0(f: &RationalFunction) -> Fraction {
    let [above, below] = [f.numerator(), f.denominator()].map(|p| Multinomial::from_univariate(p, "pi0"));
    Fraction::new(above, &below).unwrap()
}

/// A fraction in `pi0` as a rational function.
fn of_pi0(f: &Fraction) -> RationalFunction {
    RationalFunction::new(f.numerator().to_univariate("pi0").unwrap(), f.denominator().to_univariate("pi0").unwrap())
}
