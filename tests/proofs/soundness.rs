//! Nothing that is proved has a counterexample: statements made at random, proved by one part of the program and attacked by another, which
//! evaluates models and knows nothing of proofs.

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use rocproof::search::{Budget, SearchOutcome, refute};
use rocproof::statement::Statement;
use rocproof::theory::effort::Effort;
use rocproof::theory::{check, prove};
use std::time::Duration;

/// How many statements are made.
const STATEMENTS: u32 = 300;

/// Functionals of any scores.
const OF_RANKS: [&str; 17] = [
    "AUC",
    "AUCH",
    "Gini",
    "RL",
    "RL_conv",
    "L[ru]",
    "L[rd]",
    "L[o]",
    "Lz[rd]",
    "Lz[o]",
    "L[o; beta(2,2)]",
    "L[rd; beta(2,2)]",
    "H",
    "L[o; beta(1,2)]",
    "L[ru; beta(3,1)]",
    "MRL",
    "KS",
];
/// Functionals of probabilities.
const OF_PROBABILITIES: [&str; 10] =
    ["MAE", "BS", "CL", "L[su]", "L[sd]", "MBS", "MMAE", "s0", "s1", "L[sd; beta(2,1)]"];
/// Functionals of transformed models, at places, and typed ones.
const OTHERS: [&str; 14] = [
    "BS(Cal(m))",
    "BS(Even(m))",
    "RL(Conv(m))",
    "MAE(Cal(m))",
    "CL(Even(m))",
    "L[sd](Even(m))",
    "L[sf(1/2)]",
    "Acc(1/3)",
    "L[rf(1/4)]",
    "int(F0^2 dF1)",
    "int(F0*F1 dR)",
    "int(c^2 dR)",
    "int((1-F0)*F1 dF0)",
    "int(2*(c*pi0*(1-F0) + (1-c)*pi1*F1) dc)",
];
const NUMBERS: [&str; 8] = ["0", "1", "1/2", "1/3", "1/4", "pi0*pi1", "pi0", "pi1"];
const FACTORS: [&str; 8] = ["", "", "", "2*", "1/2*", "pi0*", "pi1*", "pi0*pi1*"];
const RELATIONS: [&str; 6] = ["==", "<=", "<=", ">=", ">=", "<"];
const CLASSES: [&str; 9] = ["", "", "", "convex ", "calibrated ", "even ", "random ", "perfect ", "calibrated even "];
const CONDITIONS: [&str; 6] = ["", "", "", " where pi0 == 1/2", " where pi0 <= 1/3", " where AUC >= 1/2"];

fn term() -> impl Strategy<Value = String> {
    let name = prop_oneof![
        3 => prop::sample::select(&OF_RANKS[..]),
        2 => prop::sample::select(&OF_PROBABILITIES[..]),
        2 => prop::sample::select(&OTHERS[..]),
        2 => prop::sample::select(&NUMBERS[..]),
    ];
    (prop::sample::select(&FACTORS[..]), name).prop_map(|(factor, name)| format!("{factor}{name}"))
}

fn side() -> impl Strategy<Value = String> {
    prop::collection::vec(term(), 1..3).prop_map(|terms| terms.join(" + "))
}

fn statement() -> impl Strategy<Value = String> {
    let select = |from: &'static [&'static str]| prop::sample::select(from);
    (select(&CLASSES), side(), select(&RELATIONS), side(), select(&CONDITIONS)).prop_map(
        |(class, left, relation, right, condition)| format!("for {class}m: {left} {relation} {right}{condition}"),
    )
}

#[test]
fn nothing_proved_has_a_counterexample() {
    let config = Config { cases: STATEMENTS, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let proved = std::cell::Cell::new(0u32);
    let outcome = runner.run(&statement(), |text| {
        let Ok(statement) = Statement::parse(&text) else { return Ok(()) };
        let (Ok(certificate), _) = prove::within(&statement, little()) else { return Ok(()) };
        prop_assert!(check::verify(&certificate.to_json()).is_ok(), "{text}");
        proved.set(proved.get() + 1);
        let budget = Budget { work: 400, ..Budget::default() };
        match refute(&statement, &budget) {
            SearchOutcome::NotFound(_) => Ok(()),
            SearchOutcome::Refuted(found) => {
                Err(TestCaseError::fail(format!("{text} is proved, and refuted by {found}")))
            }
        }
    });
    outcome.unwrap();
    assert!(proved.get() > STATEMENTS / 20, "only {} of them were proved", proved.get());
}

/// Lines of a battery, without comments.
fn lines(battery: &str) -> impl Iterator<Item = &str> {
    battery.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
}

#[test]
fn no_false_statement_is_proved() {
    // Quotients that are 0/0 on part of a curve count as 0 there; numbers that print alike are not the same.
    let quotients = [
        "int(dF1/c) == 1/pi1",
        "int(dF0/(1-c)) == 1/pi0",
        "int(F1*dF0/F1) == 1",
        "int((1-F0)*dF1/(1-F0)) >= 1",
        "int(x*dF0/x) == 1",
        "int(dF0*dF1/dF1) == 1",
        "for calibrated m: int(dF1/x) == 1/pi1",
        "L[ru; beta(1, 1.00000000000000000001)] == L[ru]",
        // A density of operating conditions in an integral is any density, also where the statement has another functional of it.
        "int(F0*w(R)*dR) == int(F0*dR) where L[rd; w] >= 0",
        "L[o; w] >= 0 implies int(w(c)*c*dc) == 1/2",
        "int(mean*dR) == 1/2 where L[rd; w] >= 0",
        "int(w(c)*dR) == 1",
        "L[ru] == int(Q(mean)*dR)",
        "pi0 == 0.7071067811865476 where pi0 == sqrt(1/2)",
        "F0(sqrt(1/2)) == F0(0.7071067811865476)",
        // Where there is no mass there is no posterior, also of calibrated scores.
        "for calibrated m: int(x dc) == 1/2",
        "for calibrated m: int(c dx) == 1/2",
        "for calibrated m: int((x-c)^2 dx) == 0",
        "for m: int(c dx)(Cal(m)) == 1/2",
        "for calibrated m: int(F0*x dc) == int(F0*x dx)",
        "for perfect random m: AUC == 1/2",
        "for calibrated m: CL/CL == 1",
    ];
    for text in lines(include_str!("../battery/false.txt")).chain(quotients) {
        let statement = Statement::parse(text).unwrap();
        let proof = prove::within(&statement, little()).0;
        assert!(proof.is_err(), "{text} is proved");
    }
    // What is divided by here never vanishes where something moves.
    for text in ["RL == int(pi0*dF0*pi1*dF1/dR)", "int(dF0*dF1/(dF0 + dF1)) == 2*MRL", "int(c dR) == pi1"] {
        let statement = Statement::parse(text).unwrap();
        assert!(prove::statement(&statement, &Effort::usual(Duration::from_secs(60))).is_ok(), "{text} is not proved");
    }
}

/// A little effort.
fn little() -> Effort {
    Effort::new(Effort::LITTLE / 4, Duration::from_secs(60))
}
