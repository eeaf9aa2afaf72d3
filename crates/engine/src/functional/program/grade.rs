//! Decomposition of expressions into parts that are homogeneous in the differentials.

use super::compile::Compiler;
use super::{GIVEN, INPUTS, Instruction, Program};
use rocproof_arith::Rational;
use std::collections::BTreeMap;

/// Largest power of a sum of parts of different grades that is multiplied out.
const MOST_FACTORS: i32 = 16;

/// The degrees of a part in `dx`, in `dF0` and `dF1` together, and in `dc`.
pub type Grade = [i32; 3];

/// The grade of an integrand over the score.
pub const DX: Grade = [1, 0, 0];
/// The grade of an integrand over mass.
pub const DF: Grade = [0, 1, 0];
/// The grade of an integrand over the posterior.
pub const DC: Grade = [0, 0, 1];
/// The grade of an expression without differentials.
const NO_DIFFERENTIAL: Grade = [0; 3];

/// A decomposition: the parts of an expression by grade, each as the register that holds it.
type ByGrade = BTreeMap<Grade, usize>;

impl Program {
    /// Decomposes all outputs by grade. Returns a program with one output for each part, in order, and for each original output the grades of
    /// its parts. An output that divides by a sum of parts of different grades, or whose degrees overflow, has `None` and no parts.
    pub(crate) fn by_grade(&self) -> (Program, Vec<Option<Vec<Grade>>>) {
        let mut graded = Compiler::default();
        graded.constants.clone_from(&self.constants);
        // The decomposition of the result of each instruction so far.
        let mut done: Vec<Option<ByGrade>> = Vec::with_capacity(self.instructions.len());
        let mut posterior = [None; 3];
        for (i, instruction) in self.instructions.iter().enumerate() {
            let parts = self.decompose(instruction, &done, &mut graded);
            // `c`, `1-c` and `dc` have one part each: it computes them in the new program.
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
                // An output is the result of an instruction: an input is copied.
                let register = if *register < GIVEN { graded.emit(Instruction::Copy(*register)) } else { *register };
                outputs.push(register - GIVEN);
            }
            Some(parts.keys().copied().collect())
        });
        let grades = grades.collect();
        (graded.finish(outputs, posterior), grades)
    }

    /// Decomposes the result of an instruction, given those of the instructions before it, and emits the instructions of its parts. `None`
    /// if it cannot be decomposed.
    fn decompose(&self, instruction: &Instruction, done: &[Option<ByGrade>], graded: &mut Compiler) -> Option<ByGrade> {
        let get = |register: usize| match register.checked_sub(GIVEN) {
            None => Some(ByGrade::from([(grade_of_given(register), register)])),
            Some(result) => done[result].clone(),
        };
        match *instruction {
            // 0 has no parts.
            Instruction::Constant(k) if self.constants[k].is_zero() => Some(ByGrade::new()),
            Instruction::Constant(_) => Some(ByGrade::from([(NO_DIFFERENTIAL, graded.emit(*instruction))])),
            Instruction::Copy(a) => get(a),
            Instruction::Add(a, b) => Some(graded.sum(get(a)?, get(b)?, false)),
            Instruction::Sub(a, b) => Some(graded.sum(get(a)?, get(b)?, true)),
            Instruction::Mul(a, b) => graded.product(&get(a)?, &get(b)?),
            Instruction::Div(a, b) => graded.quotient(get(a)?, &get(b)?),
            Instruction::Power(a, n) => graded.power(&get(a)?, n),
            Instruction::Weight(a, b) => {
                // The density is not a polynomial, so its arguments must be free of differentials.
                let (c, complement) = (without_differentials(&get(a)?)?, without_differentials(&get(b)?)?);
                Some(ByGrade::from([(NO_DIFFERENTIAL, graded.emit(Instruction::Weight(c, complement)))]))
            }
        }
    }
}

/// The grade of an input or a number.
fn grade_of_given(register: usize) -> Grade {
    match INPUTS.get(register) {
        Some(&"dx") => DX,
        Some(&"dF0" | &"dF1") => DF,
        Some(&"dq1") => DC,
        _ => NO_DIFFERENTIAL,
    }
}

/// The register of an expression whose only part has no differentials; `None` for other expressions.
fn without_differentials(parts: &ByGrade) -> Option<usize> {
    parts.get(&NO_DIFFERENTIAL).copied().filter(|_| parts.len() == 1)
}

/// Combines two grades degree by degree; `None` if one overflows.
fn combine(a: Grade, b: Grade, operation: fn(i32, i32) -> Option<i32>) -> Option<Grade> {
    Some([operation(a[0], b[0])?, operation(a[1], b[1])?, operation(a[2], b[2])?])
}

impl Compiler {
    /// The sum of two decompositions, or their difference if `minus` is set: parts of one grade are added, others are kept.
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

    /// The product of two decompositions, multiplied out; `None` if a degree overflows.
    fn product(&mut self, a: &ByGrade, b: &ByGrade) -> Option<ByGrade> {
        let mut product = ByGrade::new();
        for (left_grade, left) in a {
            for (right_grade, right) in b {
                let grade = combine(*left_grade, *right_grade, i32::checked_add)?;
                // The factors are ordered, so that equal products share one instruction.
                let register = self.emit(Instruction::Mul(*left.min(right), *left.max(right)));
                product = self.sum(product, ByGrade::from([(grade, register)]), false);
            }
        }
        Some(product)
    }

    /// The quotient of two decompositions; `None` if the divisor does not have exactly one part, or a degree overflows.
    fn quotient(&mut self, dividend: ByGrade, divisor: &ByGrade) -> Option<ByGrade> {
        let (divisor_grade, divisor) = divisor.iter().next().filter(|_| divisor.len() == 1)?;
        let part = |(grade, register): (Grade, usize)| {
            let grade = combine(grade, *divisor_grade, i32::checked_sub)?;
            Some((grade, self.emit(Instruction::Div(register, *divisor))))
        };
        dividend.into_iter().map(part).collect()
    }

    /// A power of a decomposition; `None` if it has several parts and the exponent is negative or above [`MOST_FACTORS`], or if a degree
    /// overflows.
    fn power(&mut self, a: &ByGrade, n: i32) -> Option<ByGrade> {
        match a.iter().next() {
            Some((grade, base)) if a.len() == 1 => {
                let grade = combine(*grade, [n; 3], i32::checked_mul)?;
                Some(ByGrade::from([(grade, self.emit(Instruction::Power(*base, n)))]))
            }
            _ if (0..=MOST_FACTORS).contains(&n) => {
                let one = ByGrade::from([(NO_DIFFERENTIAL, self.constant(&Rational::ONE))]);
                (0..n).try_fold(one, |power, _| self.product(&power, a))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `F0 dF1 + x dx` has two parts; `1/(1 + dx)` divides by a sum of two grades, so it has none.
    #[test]
    fn expressions_are_decomposed_by_their_differentials() {
        let program = Program::new(&["F0 dF1 + x dx", "dF0*dF1/dR", "F0 - F1", "1/(1 + dx)"]).unwrap();
        let grades = program.by_grade().1;
        assert_eq!(grades[0].as_deref().unwrap(), [[0, 1, 0], [1, 0, 0]]);
        assert_eq!(grades[1].as_deref().unwrap(), [[0, 1, 0]]);
        assert_eq!(grades[2].as_deref().unwrap(), [[0, 0, 0]]);
        assert_eq!(grades[3], None);
        // Degrees that do not fit are refused, not clamped.
        let program = Program::new(&["dx*((dF0/dx)^65536)^65536", "dx*((dF0/dx)^2)^3"]).unwrap();
        assert_eq!(program.by_grade().1, [None, Some(vec![[-5, 6, 0]])]);
    }
}
