use super::lifting::solve;
use super::*;
use crate::Rational;
use crate::multivariate::Multinomial;
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

/// Solves a square system by Gauss-Jordan elimination, given its rows with the right-hand side as the last entry.
fn eliminate(mut rows: Vec<Vec<Rational>>) -> Option<Vec<Rational>> {
    for k in 0..rows.len() {
        let pivot = (k..rows.len()).find(|i| !rows[*i][k].is_zero())?;
        rows.swap(k, pivot);
        let scale = rows[k][k].clone();
        rows[k].iter_mut().for_each(|entry| *entry /= &scale);
        let source = rows[k].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(i, _)| *i != k) {
            let factor = row[k].clone();
            row.iter_mut().zip(&source).for_each(|(entry, other)| *entry -= &factor * other);
        }
    }
    rows.iter().map(|row| row.last().cloned()).collect()
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
        prop_assert!(is_solution(&columns, &target, &free, &system.feasible().unwrap()));
        if let Some(cheap) = system.solve_cheaply(&vec![r(1); columns.len()], &mut u64::MAX.clone()) {
            prop_assert!(is_solution(&columns, &target, &free, &cheap));
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
        prop_assert_eq!(system.solve_cheaply(&[r(1)], &mut u64::MAX.clone()), None);
    }

    #[test]
    fn guesses_and_exact_steps_agree(
        rows in matrix(-2..=3), target in prop::collection::vec(-2i64..=4, 7),
        marks in prop::collection::vec(prop::bool::weighted(0.2), 9),
    ) {
        let columns = columns(&rows);
        let target: Vec<Rational> = target[..rows.len()].iter().map(|n| r(*n)).collect();
        let free = &marks[..columns.len()];
        let system = System::new(&columns, &target, free);
        let exact = simplex::feasible_basis(&system).and_then(|basis| system.solution(&basis));
        prop_assert_eq!(system.feasible().is_some(), exact.is_some());
        for solution in system.feasible().into_iter().chain(exact) {
            prop_assert!(is_solution(&columns, &target, free, &solution));
        }
    }

    #[test]
    fn square_systems_are_solved(rows in prop::collection::vec(prop::collection::vec((-9i64..10, 1i64..5), 5), 5)) {
        let entry = |(n, d): (i64, i64)| r(n) / r(d);
        let sparse: Vec<Column> = rows.iter().map(|row| row[..4].iter().map(|e| entry(*e)).enumerate().collect()).take(4).collect();
        let target: Vec<Rational> = rows.iter().map(|row| entry(row[4])).take(4).collect();
        let dense: Vec<Vec<Rational>> = rows.iter().take(4).map(|row| row.iter().map(|e| entry(*e)).collect()).collect();
        prop_assert_eq!(solve(&sparse, &target), eliminate(dense));
    }

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
    let costs = [q(-3, 4), r(150), q(-1, 50), r(6)];
    let system = System::new(&columns, &[r(0), r(0), r(1)], &[]);
    let cheapest = system.solve_cheaply(&costs, &mut u64::MAX.clone()).unwrap();
    let least = cheapest.iter().fold(r(0), |sum, (j, v)| sum + costs.get(*j).cloned().unwrap_or(r(0)) * v);
    assert_eq!(least, q(-1, 20));
}

#[test]
fn the_cheap_columns_are_taken() {
    let columns = columns(&[vec![1, 0, 1], vec![0, 1, 1]]);
    let system = System::new(&columns, &[r(1), r(1)], &[false; 3]);
    let solution = |costs: [i64; 3]| system.solve_cheaply(&costs.map(r), &mut u64::MAX.clone()).unwrap();
    assert_eq!(solution([1, 1, 1]), [(2, r(1))]);
    assert_eq!(solution([1, 1, 3]), [(0, r(1)), (1, r(1))]);
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
}

/// Wrong guesses prove nothing: each line is one that would, but for one condition.
#[test]
fn what_is_not_proved_is_not_believed() {
    // a - b = 1 with b at the price 1 worth -1.
    let one = columns(&[vec![-1, 0]]);
    let system = |free: bool| System::new(&one, &[r(1)], &[free]);
    assert!(system(false).is_excluded_by(&[r(1)]) && !system(true).is_excluded_by(&[r(1)]));
    assert!(!system(false).is_excluded_by(&[r(-1)]) && !system(false).is_excluded_by(&[r(0)]));
    // The unit column, a negative value and a singular matrix are no solutions.
    assert_eq!(system(false).solution(&[2]), None);
    assert_eq!(system(false).solution(&[0]), None);
    assert_eq!(system(false).solution(&[1]), None);
    assert_eq!(system(true).solution(&[0]), Some(vec![(0, r(-1))]));
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
    let system = System::new(&columns, &moved(&-&hair), &[]);
    assert_eq!(system.solve_cheaply(&[r(1)], &mut u64::MAX.clone()), None);
    let above = feasible(&columns, &moved(&hair), &[]).unwrap();
    assert!(is_solution(&columns, &moved(&hair), &vec![false; columns.len()], &above));
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
