//! A small version of the simulation in `crates/scored/examples/coverage`: intervals without a caveat hold the truth about as often as they say.

#[path = "../../crates/scored/examples/coverage/simulation.rs"]
mod simulation;

use simulation::{Coverage, METHODS, Population, QUANTITIES, coverage};

/// The columns that are never without a caveat here, or hardly ever: calibrated scores have no miscalibration, and the interval of what is
/// near zero says so.
const WITH_CAVEAT: [&str; 1] = ["MCB"];

/// Checks that of the intervals without a caveat between `least` and all but one hold the truth, in percent; columns that have more with a
/// caveat than without do not count. The share of columns that are checked is at least `checked`.
fn check(population: &Population, rows: usize, samples: usize, least: f64, checked: usize) {
    let truth = population.truth(400_000);
    let [one, other, difference] = coverage(population, &truth, rows, samples);
    let values = one.iter().zip(&other).map(|(a, b)| [0, 1].map(|k| a.relied_on[k] + b.relied_on[k]));
    let names: Vec<String> =
        QUANTITIES.iter().map(|name| (*name).to_owned()).chain(METHODS.iter().map(|method| method.name())).collect();
    let columns = names.iter().zip(values).map(|(name, counts)| (format!("{name} of {rows}"), counts, 2 * samples));
    let differences = names.iter().zip(&difference);
    let of_difference = |(name, Coverage { relied_on, .. }): (&String, &Coverage)| {
        (format!("difference of {name} of {rows}"), *relied_on, samples)
    };
    let mut found = 0;
    for (name, [covered, of], drawn) in columns.chain(differences.map(of_difference)) {
        if 2 * of < drawn || WITH_CAVEAT.iter().any(|column| name.contains(column)) {
            continue;
        }
        found += 1;
        let share = 100.0 * covered as f64 / of as f64;
        assert!(share >= least, "{}, {name}: {covered} of {of} hold the truth", population.name);
    }
    assert!(found >= checked, "{}: only {found} columns have no caveat", population.name);
}

/// Balanced classes: all but some quantities near zero have no caveat.
#[test]
fn balanced_classes() {
    let population = Population { name: "balanced", beta: [[2.0, 3.0], [3.0, 2.0]], pi0: 0.5, steps: 0.0 };
    check(&population, 150, 60, 85.0, 28);
}

/// About twelve rows of the smaller class: means over it covered 87 %, those that weigh both classes alike less.
#[test]
fn few_rows_of_a_class() {
    let population = Population { name: "few", beta: [[2.0, 3.0], [3.0, 2.0]], pi0: 0.95, steps: 0.0 };
    check(&population, 240, 60, 85.0, 10);
}

/// Well-separated classes: few rows are lost, and the number of rows where models differ is small.
#[test]
fn few_errors() {
    let population = Population { name: "separated", beta: [[2.0, 8.0], [8.0, 2.0]], pi0: 0.5, steps: 0.0 };
    check(&population, 150, 60, 85.0, 14);
}
