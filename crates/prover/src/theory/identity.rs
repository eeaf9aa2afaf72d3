//! Identities: both sides are expressed by the same independent integrals.

use super::lower::{Base, Lowering, Unsupported};
use super::relation::LinearRelation;
use super::relations::relations;
use crate::statement::{Comparison, Statement};
use rocproof_arith::Fraction;

/// The difference of two sides, with all integrals expressed by independent ones.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The relations that were used.
    pub relations: Vec<LinearRelation>,
    /// Left minus right; zero if the sides are equal for every model.
    pub value: Fraction,
}

impl Difference {
    /// Lowers the sides of a comparison and applies all relations between its integrals.
    pub fn new(statement: &Statement, comparison: &Comparison, base: Base) -> Result<Difference, Unsupported> {
        let mut lowering = Lowering::new(statement, base)?;
        let (left, right) = (lowering.term(&comparison.left)?, lowering.term(&comparison.right)?);
        let relations = relations(&lowering).ok_or_else(|| Unsupported::new("an integrand has no normal form"))?;
        let mut value = left - right;
        let mut used = Vec::new();
        for relation in relations {
            if value.depends_on(relation.integral) {
                value = relation
                    .apply(&value)
                    .ok_or_else(|| Unsupported::new("it divides by something that is always zero"))?;
                used.push(relation);
            }
        }
        Ok(Difference { relations: used, value })
    }

    /// Whether the sides are equal for every model.
    pub fn vanishes(&self) -> bool {
        self.value.is_zero()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `proved` if every claim of a statement is proved over some base; else the difference of the sides of the last other claim over the
    /// given proportions, or the reason why it has none.
    fn judge(text: &str) -> String {
        let statement = Statement::parse(text).unwrap();
        let mut verdict = "proved".to_owned();
        for claim in &statement.claims {
            let outcomes = Base::ALL.map(|base| match Difference::new(&statement, claim, base) {
                Ok(difference) if difference.vanishes() => "proved".to_owned(),
                Ok(difference) => difference.value.to_string(),
                Err(why) => why.to_string(),
            });
            if !outcomes.iter().any(|outcome| outcome == "proved") {
                let [first, ..] = outcomes;
                verdict = first;
            }
        }
        verdict
    }

    #[test]
    fn identities_of_the_paper() {
        for text in [
            "L[sf(t)] == 1 - Acc(t)",
            "Lz[sf(t)] == 1 - MAcc(t)",
            "L[rf(r)] == 1 - Acc(Rinv(r))",
            "L[su] == MAE",
            "Lz[su] == MMAE",
            "L[su] == (pi0*(s0 - l) + pi1*(h - s1))/(h - l)",
            "L[sd] == BS",
            "Lz[sd] == MBS",
            "L[ru] == pi0*pi1*(1 - 2*AUC) + 1/2",
            "Lz[ru] == (1 - 2*AUC)/4 + 1/2",
            "L[rd] == pi0*pi1*(1 - 2*AUC) + 1/3",
            "Lz[rd] == (1 - 2*AUC)/4 + 1/3",
            "L[ru] == L[rd] + 1/6",
            "AUC == int((1-F1) dF0)",
            "BS == CL + RL",
            "L[o] == RL(Conv(m))",
            "L[o](Conv(m)) == L[o]",
            "Lz[o] == MRL(Conv(m))",
            "for convex m: L[o] == RL",
            "for convex m: L[o] == int(2*(c*pi0*(1-F0) + (1-c)*pi1*F1) dc)",
            "for even m: BS == L[sd] == L[rd] == pi0*pi1*(1 - 2*AUC) + 1/3",
            "for even m: MAE == L[su] == L[ru] == pi0*pi1*(1 - 2*AUC) + 1/2",
            "for even m: R(t) == t",
            "for calibrated m: CL == 0",
            "for calibrated m: pi0*s0 == pi1*(1 - s1)",
            "for calibrated m: L[sd] == L[o] == RL == L[su]/2 == MAE/2 == BS == pi0*s0 == pi1*(1-s1)",
            "BS(Cal(m)) == RL(Cal(m)) == RL(Conv(m))",
            "CL(Cal(m)) == 0",
            "for perfect m: L[ru] == 1/4 where pi0 == 1/2",
            "for perfect m: L[rd] == 1/12 where pi0 == 1/2",
            "for perfect m: L[ru] == 1/2 - pi0*pi1",
            "for perfect m: L[o] == 0",
            "for perfect m: AUC == 1",
            "for perfect m: int(c dc) == 1/2",
            "L[rd; w] == int(Q(R)*w(R) dR)",
            "L[ru; w] == int(Q(mean) dR)",
            "for random m: AUC == 1/2",
            "for random m: L[su] == L[ru] == 1/2 where pi0 == 1/2",
            "for random m: L[rd] == 1/3",
            "for random m: L[o] == pi0*pi1",
            "for random m: H == 0",
            "for perfect m: H == 1",
            "Lz[o] == L[o] where pi0 == pi1",
            "Gini == 2*AUC - 1",
            "L[rd]^2 == (pi0*pi1*(1 - 2*AUC) + 1/3)^2",
            "L[ru; beta(2,5)] == L[ru; beta(4,10)]",
            "for calibrated m: L[sd; w] == L[o; w]",
            "for even m: L[sd; w] == L[rd; w]",
            "L[rd](Even(m)) == BS(Even(m))",
            "int(F0 dR) == pi0/2 + pi1*AUC",
            "s1 - s0 == int((F0 - F1) dx)",
            "L[o] == BS(Cal(m))",
        ] {
            assert_eq!(judge(text), "proved", "{text}");
        }
    }

    #[test]
    fn false_identities_leave_a_difference() {
        for (text, difference) in [
            ("L[rd] == pi0*pi1*(1 - 2*AUC) + 1/4", "1/12"),
            ("L[o] == RL", "L[o] - RL"),
            ("BS == MAE/2", "BS - 1/2*MAE"),
            ("for random m: L[sd] == 1/2 where pi0 == 1/2", "L[sd] - 1/2"),
        ] {
            assert_eq!(judge(text), difference, "{text}");
        }
        assert!(judge("AUC == 1 where pi0 == 2").contains("between 0 and 1"));
    }
}
