//! Inequalities: true ones are proved, and none of their near misses is.

use rayon::prelude::*;
use rocproof::statement::Statement;
use rocproof::theory::effort::Effort;
use rocproof::theory::prove;
use std::time::Duration;

/// The claims of a statement that are not proved, with the reason.
fn unproved(text: &str) -> Vec<String> {
    let statement = Statement::parse(text).unwrap();
    prove::statement(&statement, &Effort::usual(Duration::from_secs(60)))
        .err()
        .map(|why| format!("{text}: {why}"))
        .into_iter()
        .collect()
}

const TRUE: &[&str] = &[
    "Lz[ru] <= 3/4",
    "Lz[rd] >= 1/12",
    "BS >= RL",
    "AUCH >= 1/2",
    "AUC <= 1",
    "AUC >= 0",
    "L[o] <= pi0*pi1",
    "RL <= pi0*pi1",
    "L[o] <= 1/4",
    "MRL <= Lz[o]",
    "int(F0^2 dF1) <= AUC",
    "for convex m: AUC >= 1/2",
    "for convex m: Gini >= 0",
    "L[sd; beta(2,2)] >= L[o; beta(2,2)]",
    "L[su; beta(2,2)] >= L[o; beta(2,2)]",
    "L[rd; beta(2,2)] >= L[o; beta(2,2)]",
    "L[ru; beta(2,2)] >= L[o; beta(2,2)]",
    "L[rf(r); beta(2,2)] >= L[o; beta(2,2)]",
    "L[o; w] <= L[sd; w]",
    "L[o; w] <= L[ru; w]",
    "L[o; w] >= 0",
    "L[rd; w] >= 0",
    "H <= 1",
    "H >= 0",
    "CL >= 0",
    "CL <= BS",
    "CL <= 1",
    "Acc(t) <= 1",
    "Acc(t) >= 0",
    "L[sf(t)] >= L[o]",
    "L[rf(r)] >= L[o]",
    "Lz[sf(t)] >= Lz[o]",
    "1 - Acc(t) >= L[o]",
    "Gini <= 2*KS",
    "KS <= 1",
    "abs(Gini) <= 2*KS",
    "AUC >= 1/2 implies L[rd] <= 1/3",
    "L[rd] <= 1/3 where AUC >= 1/2",
    "L[rd] == 1/3 where AUC == 1/2",
    "L[ru] <= 1/2 where AUC >= 1/2",
    "BS <= 1",
    "MAE <= 1",
    "BS <= MAE <= 1",
    "for convex m: s1 >= s0",
    "L[o](m) <= L[rd](Even(m))",
    "L[o](m) <= BS(Even(m))",
    "L[o] <= BS(Cal(m))",
    "L[o] <= BS(Conv(m))",
    "L[o] <= L[su](Conv(m))",
    "L[o](Conv(m)) <= L[sd](Conv(m))",
    "L[o] <= min(pi0, pi1)",
    "L[o] <= 2*pi0*pi1",
    "pi0*pi1 <= 1/4",
    "L[o] >= 0",
    "RL >= 0",
    "RL <= BS(Even(m))",
    "for even m: MAE >= BS",
    "for calibrated m: MAE >= BS",
    "for calibrated m: BS <= pi0*pi1",
    "for calibrated m: MAE <= 2*pi0*pi1",
    "for convex m: L[rd] <= 1/3",
    "for convex m: L[o] <= L[rd] <= 1/3",
    "MAE^2 >= 0",
    "s0 <= h",
    "MAE <= 1 where pi0 <= 1/2",
    "L[o] <= pi0 where pi0 <= 1/2",
    "L[o] <= pi0",
    "int(F0*F1 dR) >= 0",
    "int(F1^2 dF0) <= 1 - AUC",
    "int(c^2 dR) >= pi1^2",
    "int(c^3 dR) >= pi1^3",
    "int(c^2 dR) <= pi1",
    "for convex m: int(F1 dF1) <= AUC",
    "for convex m: F0(t) >= F1(t)",
    "KS >= F0(t) - F1(t)",
    "F0(t) <= 1",
    "AUC^2 <= AUC",
    "RL(Conv(m)) >= RL",
    "AUC(Conv(m)) >= AUC",
    "L[rd](Conv(m)) <= L[rd]",
    "L[ru](Conv(m)) <= L[ru]",
    "Lz[rd](Conv(m)) <= Lz[rd]",
    "L[rd; beta(2,2)](Conv(m)) <= L[rd; beta(2,2)]",
    "BS >= BS(Cal(m))",
    "BS - CL <= L[o]",
    "CL >= BS - L[o]",
    "for perfect m: L[sd] >= 0",
    "for perfect m: MAE >= BS",
    "for random m: BS >= pi0*pi1",
    "for random m: L[sd] >= L[o]",
    "L[su] >= L[o]",
    "MAE^2 <= BS",
    "AUC^2 <= int(F0^2 dF1)",
    "for convex m: KS <= Gini",
    "for convex m: AUC >= 1/2 + KS/2",
    "AUCH >= 1/2 + (F0(t) - F1(t))/2",
    "MAcc(t) <= (1 + KS)/2",
    "2*MAcc(t) - 1 <= KS",
    "int(F0^3 dF1) <= int(F0^2 dF1)",
    "AUCH >= MAcc(t)",
    "s0^2 <= int(x^2 dF0)",
    "L[o] <= 1/4 where pi0 == 1/3",
    "Lz[o] <= 1/4",
    "MRL <= 1/4",
    "RL^2 <= RL",
    "AUC*(1 - AUC) <= 1/4",
    "L[o] < pi0",
];

/// True with one thing changed: a direction, a constant, a weight, a hypothesis, or strict where the sides may be equal.
const FALSE: &[&str] = &[
    "L[rd] > 1/12",
    "L[ru] < L[rd]",
    "L[rd] <= L[o]",
    "L[sd] >= L[su]",
    "BS >= MAE",
    "MAE > BS",
    "L[sd] > L[o]",
    "L[sd] <= L[rd]",
    "L[rd] <= L[sd]",
    "L[rd] >= 1/11",
    "L[ru] >= 1/3",
    "L[ru] <= 2/3",
    "RL >= L[o]",
    "BS <= RL",
    "BS > RL",
    "AUCH <= AUC",
    "AUCH > AUC",
    "AUCH > 1/2",
    "AUC >= 1/2",
    "AUC < 1",
    "L[o] <= pi0*pi1 - 1/100",
    "L[o] >= pi0*pi1",
    "RL <= pi0*pi1/2",
    "L[o] <= 1/5",
    "Lz[rd] >= L[o]",
    "int(F0^2 dF1) >= AUC",
    "int(F0^2 dF1) <= AUC/2",
    "Gini >= 0",
    "for convex m: AUC > 1/2",
    "for convex m: AUC >= 2/3",
    "L[sd; beta(2,2)] >= L[o]",
    "L[o; w] >= L[sd; w]",
    "L[o; w] > 0",
    "H < 1",
    "H >= 1/10",
    "CL > 0",
    "CL <= BS/2",
    "Acc(t) < 1",
    "Acc(t) >= 1/2",
    "L[sf(t)] >= L[o] + 1/1000",
    "Gini >= KS",
    "KS <= Gini",
    "KS < 1",
    "AUC >= 1/2 implies L[rd] <= 1/4",
    "AUC <= 1/2 implies L[rd] <= 1/3",
    "L[rd] == 1/3 where AUC == 1/3",
    "s1 >= s0",
    "BS < 1",
    "L[o](m) <= CL",
    "L[su] <= 1/2",
    "for even m: L[rd] >= 1/3",
    "for calibrated m: BS < pi0*pi1",
    "for calibrated m: BS <= pi0*pi1/2",
    "for calibrated m: MAE <= pi0*pi1",
    "for convex m: F0(t) > F1(t)",
    "F0(t) >= F1(t)",
    "int(c^3 dR) <= pi1^2",
    "L[rd](Conv(m)) >= L[rd]",
    "BS(Conv(m)) <= BS",
    "CL(Conv(m)) <= CL",
    "L[sd] >= 1/4",
    "L[su] >= L[rd]",
    "pi0*pi1 < 1/4",
    "MAE <= BS + 1/5",
    "AUC^2 >= AUC",
    "MAE^2 >= BS",
    "AUC^2 >= int(F0^2 dF1)",
    "AUC >= 1/2 + KS/2",
    "AUC >= 1/2 + (F0(t) - F1(t))/2",
    "MAcc(t) <= KS",
    "AUC*(1 - AUC) <= 1/5",
    "AUC*(1 - AUC) < 1/4",
    "2*AUC - 1 <= KS^2",
    "Gini <= KS",
    "AUC <= 1/2 + KS/2",
];

/// Runs work on threads of its own: searches in other tests of this program have ceilings on time, and wait for the global pool.
fn in_own_pool<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    rayon::ThreadPoolBuilder::new().build().unwrap().install(work)
}

#[test]
fn true_inequalities_are_proved() {
    let missed: Vec<String> = in_own_pool(|| TRUE.par_iter().flat_map(|text| unproved(text)).collect());
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
fn near_misses_are_not_proved() {
    let proved: Vec<&&str> = in_own_pool(|| FALSE.par_iter().filter(|text| unproved(text).is_empty()).collect());
    assert!(proved.is_empty(), "{proved:#?}");
}

#[test]
fn what_is_not_understood_is_not_proved() {
    for (text, why) in [
        ("CL/BS <= 1", "divides by a functional"),
        ("max(AUC, KS) >= 1/2", "`max` is not understood"),
        ("sqrt(BS) >= MAE", "`sqrt` is not understood"),
        ("for m, n: AUC(m) + AUC(n) >= 0", "two models"),
        ("AUC <= pi", "irrational"),
    ] {
        let all = unproved(text).join("\n");
        assert!(all.contains(why), "{all}");
    }
}
