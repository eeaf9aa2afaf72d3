//! Decomposition of expressions into parts that are homogeneous in the differentials.

use super::compile::Compiler;
use super::{GIVEN, INPUTS, Instruction, Program};
use rocproof_arith::Rational;
use std::collections::BTreeMap;

/// Largest power of a sum of parts of different grades that is multiplied out.
const MOST_FACTORS: i32 = 16;

/// The degrees of a part in `dx`, in `dF0` and `dF1` together, and in `dc`.
pub type Grade = [i32; 3];

/// The parts of an expression by grade, as registers.
type ByGrade = BTreeMap<Grade, usize>;

impl Program {
    /// Decomposes all outputs by grade. Returns a program with one output for each part, in order, and for each original output the grades of
    /// its parts. An output that divides by a sum of parts of different grades has `None`, and no parts.
    pub(crate) fn by_grade(&self) -> (Program, Vec<Option<Vec<Grade>>>) {
        let mut graded = Compiler::default();
        graded.constants.clone_from(&self.constants);
        let grade_zero: Grade = [0; 3];
        let of_input = |register: usize| match INPUTS.get(register) {
            Some(&"dx") => [1, 0, 0],
            Some(&"dF0" | &"dF1") => [0, 1, 0],
            Some(&"dq1") => [0, 0, 1],
            _ => grade_zero,
        };
        let mut done: Vec<Option<ByGrade>> = Vec::with_capacity(self.instructions.len());
        let mut posterior = [None; 3];
        for (i, instruction) in self.instructions.iter().enumerate() {
            let get = |register: usize| match register.checked_sub(GIVEN) {
                None => Some(ByGrade::from([(of_input(register), register)])),
                Some(step) => done[step].clone(),
            };
            let both = |a: usize, b: usize| get(a).zip(get(b));
            let parts = match *instruction {
                // 0 has no parts.
                Instruction::Constant(k) if self.constants[k].is_zero() => Some(ByGrade::new()),
                Instruction::Constant(_) => Some(ByGrade::from([(grade_zero, graded.emit(*instruction))])),
                Instruction::Copy(a) => get(a),
                Instruction::Add(a, b) => both(a, b).map(|(a, b)| graded.sum(a, b, false)),
                Instruction::Sub(a, b) => both(a, b).map(|(a, b)| graded.sum(a, b, true)),
                Instruction::Mul(a, b) => both(a, b).map(|(a, b)| graded.product(&a, &b)),
                Instruction::Div(a, b) => both(a, b).and_then(|(a, b)| graded.quotient(a, &b)),
                Instruction::Power(a, n) => get(a).and_then(|a| graded.power(&a, n)),
                Instruction::Weight(a, b) => {
                    both(a, b).and_then(|(a, b)| match (a.get(&grade_zero), b.get(&grade_zero)) {
                        (Some(c), Some(complement)) if a.len() == 1 && b.len() == 1 => {
                            Some(ByGrade::from([(grade_zero, graded.emit(Instruction::Weight(*c, *complement)))]))
                        }
                        _ => None,
                    })
                }
            };
            if let Some(index) = self.posterior_index(i) {
                let register = parts.as_ref().and_then(|parts| parts.values().next());
                posterior[index] = register.and_then(|register| register.checked_sub(GIVEN));
            }
            done.push(parts);
        }
        let mut outputs = Vec::new();
        let grades = self.outputs.iter().map(|k| {
            let parts = done[*k].as_ref()?;
            for register in parts.values() {
                let register = if *register < GIVEN { graded.emit(Instruction::Copy(*register)) } else { *register };
                outputs.push(register - GIVEN);
            }
            Some(parts.keys().copied().collect())
        });
        let grades = grades.collect();
        (graded.finish(outputs, posterior), grades)
    }
}

impl Compiler {
    /// The sum or the difference of two decompositions.
    fn sum(&mut self, mut a: ByGrade, b: ByGrade, minus: bool) -> ByGrade {
        for (grade, right) in b {
            let left = a.get(&grade).copied();
            let register = match (left, minus) {
                (Some(left), true) => self.emit(Instruction::Sub(left, right)),
                (Some(left), false) => self.emit(Instruction::Add(left, right)),
                (None, true) => {
                    let zero = self.constant(&Rational::ZERO);
                    self.emit(Instruction::Sub(zero, right))
                }
                (None, false) => right,
            };
            a.insert(grade, register);
        }
        a
    }

    /// The product of two decompositions.
    fn product(&mut self, a: &ByGrade, b: &ByGrade) -> ByGrade {
        let mut product = ByGrade::new();
        for (left, right) in a.iter().flat_map(|left| b.iter().map(move |right| (left, right))) {
            let grade = std::array::from_fn(|i| left.0[i].saturating_add(right.0[i]));
            let register = self.emit(Instruction::Mul(*left.1.min(right.1), *left.1.max(right.1)));
            product = self.sum(product, ByGrade::from([(grade, register)]), false);
        }
        product
    }

    /// The quotient; `None` if the divisor has several parts.
    fn quotient(&mut self, a: ByGrade, b: &ByGrade) -> Option<ByGrade> {
        let (divisor_grade, divisor) = b.iter().next().filter(|_| b.len() == 1)?;
        let part = |(grade, dividend): (Grade, usize)| {
            (
                std::array::from_fn(|i| grade[i].saturating_sub(divisor_grade[i])),
                self.emit(Instruction::Div(dividend, *divisor)),
            )
        };
        Some(a.into_iter().map(part).collect())
    }

    /// A power; `None` if several parts would have to be multiplied out too often.
    fn power(&mut self, a: &ByGrade, n: i32) -> Option<ByGrade> {
        match a.iter().next() {
            Some((grade, base)) if a.len() == 1 => {
                let grade = grade.map(|degree| degree.saturating_mul(n));
                Some(ByGrade::from([(grade, self.emit(Instruction::Power(*base, n)))]))
            }
            _ if (0..=MOST_FACTORS).contains(&n) => {
                let one = ByGrade::from([([0; 3], self.constant(&Rational::ONE))]);
                Some((0..n).fold(one, |power, _| self.product(&power, a)))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_decomposed_by_their_differentials() {
        let program = Program::new(&["F0 dF1 + x dx", "dF0*dF1/dR", "F0 - F1", "1/(1 + dx)"]).unwrap();
        let grades = program.by_grade().1;
        assert_eq!(grades[0].as_deref().unwrap(), [[0, 1, 0], [1, 0, 0]]);
        assert_eq!(grades[1].as_deref().unwrap(), [[0, 1, 0]]);
        assert_eq!(grades[2].as_deref().unwrap(), [[0, 0, 0]]);
        assert_eq!(grades[3], None);
    }
}
