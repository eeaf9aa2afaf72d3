//! Coverage of sampling intervals, by simulation: how often a 95 % interval holds the truth.
//!
//!     cargo run --release --package rocproof-scored --example coverage -- 160 > docs/coverage.md
//!
//! The argument is the number of samples for each row of the tables.

mod simulation;

use simulation::{COLUMNS, CONDITION, Coverage, METHODS, Population, QUANTITIES, coverage};

/// The rows from which the truth is computed.
const TRUTH_ROWS: usize = 4_000_000;

/// The number of samples if none is given.
const SAMPLES: usize = 160;

/// The numbers of rows of class 1 of 300 that the second table expects.
const SMALLER_CLASS: [f64; 7] = [3.0, 5.0, 8.0, 12.0, 16.0, 25.0, 40.0];

/// Where fewer than this share of the samples have no caveat, those that have none are a selection.
const ENOUGH: f64 = 0.25;

/// The populations of the first table, with the numbers of rows of their samples.
const POPULATIONS: [(Population, &[usize]); 6] = [
    (Population { name: "balanced", beta: [[2.0, 3.0], [3.0, 2.0]], pi0: 0.5, steps: 0.0 }, &[200, 1000]),
    (Population { name: "π0 = 0.9", beta: [[2.0, 3.0], [3.0, 2.0]], pi0: 0.9, steps: 0.0 }, &[200, 1000]),
    (Population { name: "well separated", beta: [[2.0, 8.0], [8.0, 2.0]], pi0: 0.5, steps: 0.0 }, &[200, 1000]),
    (Population { name: "nearly random", beta: [[2.0, 2.2], [2.2, 2.0]], pi0: 0.5, steps: 0.0 }, &[200, 1000]),
    (Population { name: "ties in tenths", beta: [[2.0, 3.0], [3.0, 2.0]], pi0: 0.5, steps: 10.0 }, &[200, 1000]),
    (Population { name: "small", beta: [[2.0, 3.0], [3.0, 2.0]], pi0: 0.5, steps: 0.0 }, &[60]),
];

/// The coverage that an interval without a caveat should have.
const AIM: [f64; 2] = [92.0, 98.0];

/// A share in percent.
fn percent([part, of]: [usize; 2]) -> f64 {
    100.0 * part as f64 / of as f64
}

/// The sum of the counts of several coverages.
fn sum(of: &[Coverage]) -> Coverage {
    of.iter().fold(Coverage::default(), |sum, coverage| {
        let add = |a: [usize; 2], b: [usize; 2]| [a[0] + b[0], a[1] + b[1]];
        Coverage {
            relied_on: add(sum.relied_on, coverage.relied_on),
            with_caveat: add(sum.with_caveat, coverage.with_caveat),
        }
    })
}

/// The cell of a coverage: without a caveat, and the share with one and its coverage.
fn cell(coverage: &Coverage) -> String {
    let Coverage { relied_on, with_caveat } = *coverage;
    let share = percent([with_caveat[1], with_caveat[1] + relied_on[1]]);
    match (relied_on[1], with_caveat[1]) {
        (_, 0) => format!("{:.1}", percent(relied_on)),
        (0, _) => format!("({:.1})", percent(with_caveat)),
        _ if is_selection(coverage) => format!("– ({:.1} of {share:.0} %)", percent(with_caveat)),
        _ => format!("{:.1} ({:.1} of {share:.0} %)", percent(relied_on), percent(with_caveat)),
    }
}

/// Whether few samples have no caveat.
fn is_selection(Coverage { relied_on, with_caveat }: &Coverage) -> bool {
    (relied_on[1] as f64) < ENOUGH * (relied_on[1] + with_caveat[1]) as f64
}

/// The headings of the columns.
fn headings() -> Vec<String> {
    let out_of_sample = METHODS.iter().map(|method| format!("{} out of sample, {CONDITION}", method.name()));
    QUANTITIES.iter().map(|name| (*name).to_owned()).chain(out_of_sample).collect()
}

/// Prints a row of a table.
fn print_row(cells: impl IntoIterator<Item = String>) {
    println!("| {} |", cells.into_iter().collect::<Vec<_>>().join(" | "));
}

/// Prints the header of a table.
fn print_header(first: [&str; 2]) {
    print_row(first.map(str::to_owned).into_iter().chain(headings()));
    print_row(std::iter::repeat_n("---".to_owned(), COLUMNS + 2));
}

/// The rows of both tables: the coverage of both models' values, and of their difference.
fn rows_of(population: &Population, truth: &simulation::Truth, rows: usize, samples: usize) -> [Vec<Coverage>; 2] {
    let [one, other, difference] = coverage(population, truth, rows, samples);
    [one.iter().zip(&other).map(|(a, b)| sum(&[*a, *b])).collect(), difference.to_vec()]
}

fn main() {
    let samples: usize = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(SAMPLES);
    let error = |intervals: usize| (95.0f64 * 5.0 / intervals as f64).sqrt();
    println!("# Coverage of sampling intervals\n");
    println!(
        "How often an interval of 95 % holds the truth, in percent of {samples} samples; a value is that of two models, so that there are \
         {} intervals. A coverage of 95 % is measured with a standard error of {:.1} (values) or {:.1} (differences).\n",
        2 * samples,
        error(2 * samples),
        error(samples),
    );
    println!(
        "```sh\ncargo run --release --package rocproof-scored --example coverage -- {samples} > docs/coverage.md\n```\n"
    );
    println!(
        "Scores of class 0 and class 1 are beta variables: (2, 3) and (3, 2), well separated (2, 8) and (8, 2), nearly random (2, 2.2) and \
         (2.2, 2). The second model adds normal noise to the logits. The truth is that of {TRUTH_ROWS} rows. Of losses out of sample at \
         {CONDITION} it is, for rate-based methods, the loss of the quantile of the distribution; for the optimal method the loss on new rows \
         of the threshold that the sample chooses. Intervals are those of `rocproof score`, with 200 bootstrap samples.\n"
    );
    println!(
        "`95.2` is the coverage of intervals without a caveat. In parentheses is the coverage of intervals with a caveat, and how many have \
         one. If fewer than a quarter have none, these are a selection of unusual samples, and their coverage is left out.\n"
    );
    let mut outside = Vec::new();
    let (mut judged, mut within) = (0, 0);
    print_header(["rows", ""]);
    for (population, rows) in &POPULATIONS {
        let truth = population.truth(TRUTH_ROWS);
        for rows in *rows {
            let found = rows_of(population, &truth, *rows, samples);
            for (what, coverage) in ["value", "difference"].iter().zip(&found) {
                let name = format!("{}, n = {rows}", population.name);
                print_row([name.clone(), (*what).to_owned()].into_iter().chain(coverage.iter().map(cell)));
                for (column, coverage) in headings().iter().zip(coverage) {
                    let share = percent(coverage.relied_on);
                    if coverage.relied_on[1] == 0 || is_selection(coverage) {
                        continue;
                    }
                    judged += 1;
                    if (AIM[0]..=AIM[1]).contains(&share) {
                        within += 1;
                    } else {
                        outside.push(format!("{column}, {what}, {name}: {share:.1}"));
                    }
                }
            }
        }
    }
    println!(
        "\nOf {judged} cells without a caveat, or with one in at most three quarters of the samples, {within} lie between {} and {} %. The \
         others:\n",
        AIM[0], AIM[1]
    );
    outside.iter().for_each(|line| println!("* {line}"));
    println!("\n## Few rows of a class\n");
    println!(
        "The population with betas (2, 3) and (3, 2), 300 rows, of which so many are expected to be of class 1. Here coverage is that of all \
         intervals, whether they have a caveat or not: it says from how many rows on none is needed.\n"
    );
    print_header(["rows of class 1", ""]);
    for expected in SMALLER_CLASS {
        let beta = [[2.0, 3.0], [3.0, 2.0]];
        let population = Population { name: "few", beta, pi0: 1.0 - expected / 300.0, steps: 0.0 };
        let truth = population.truth(TRUTH_ROWS);
        let found = rows_of(&population, &truth, 300, samples);
        for (what, coverage) in ["value", "difference"].iter().zip(&found) {
            let all = |Coverage { relied_on, with_caveat }: &Coverage| {
                format!("{:.1}", percent([relied_on[0] + with_caveat[0], relied_on[1] + with_caveat[1]]))
            };
            print_row([format!("{expected}"), (*what).to_owned()].into_iter().chain(coverage.iter().map(all)));
        }
    }
}
