//! Expressions taken apart by their degrees in the differentials.

use super::compile::Compiler;
use super::{INPUTS, Instruction, NUMBERS, Program};
use rocproof_arith::Rational;
use std::collections::BTreeMap;

/// Up to this power a sum of terms of different degrees in the differentials is multiplied out.
const MOST_FACTORS: i32 = 16;

/// How an expression depends on the differentials: the degrees in `dx`, in `dF0` and `dF1`, and in `dc`.
pub type Grade = [i32; 3];

/// The parts of an expression by their degrees in the differentials: the registers that they are in.
type ByGrade = BTreeMap<Grade, usize>;

impl Program {
    /// The degrees of the terms of output `k` in the differentials; `None` if it divides by a sum of terms of different degrees.
    ///
    /// ```
    /// use rocproof_engine::functional::program::Program;
    /// let program = Program::new(&["F0 dF1 + x dx", "dF0*dF1/dR", "F0 - F1", "1/(1 + dx)"])?;
    /// assert_eq!(program.grades(0).unwrap(), [[0, 1, 0], [1, 0, 0]]);
    /// assert_eq!(program.grades(1).unwrap(), [[0, 1, 0]]);
    /// assert_eq!(program.grades(2).unwrap(), [[0, 0, 0]]);
    /// assert_eq!(program.grades(3), None);
    /// # Ok::<(), rocproof_language::Diagnostic>(())
    /// ```
    pub fn grades(&self, k: usize) -> Option<Vec<Grade>> {
        self.by_grade().1.swap_remove(k)
    }

    /// The same expressions taken apart: a program whose outputs, one for each degree in the differentials, add up to them; and for each
    /// expression the degrees of its outputs, which stand in this order. `None`, and no output, for what divides by a sum of terms of
    /// different degrees.
    pub(crate) fn by_grade(&self) -> (Program, Vec<Option<Vec<Grade>>>) {
        let given = INPUTS.len() + NUMBERS.len();
        let mut made = Compiler::default();
        made.constants.clone_from(&self.constants);
        let none: Grade = [0; 3];
        let of_input = |register: usize| match INPUTS.get(register) {
            Some(&"dx") => [1, 0, 0],
            Some(&"dF0" | &"dF1") => [0, 1, 0],
            Some(&"dq1") => [0, 0, 1],
            _ => none,
        };
        let mut done: Vec<Option<ByGrade>> = Vec::with_capacity(self.steps.len());
        let mut posterior = [None; 3];
        for (i, step) in self.steps.iter().enumerate() {
            let get = |register: usize| match register.checked_sub(given) {
                None => Some(ByGrade::from([(of_input(register), register)])),
                Some(step) => done[step].clone(),
            };
            let both = |a: usize, b: usize| get(a).zip(get(b));
            let found = match *step {
                // Nothing is of any degree.
                Instruction::Constant(k) if self.constants[k].is_zero() => Some(ByGrade::new()),
                Instruction::Constant(_) => Some(ByGrade::from([(none, made.step(*step))])),
                Instruction::Copy(a) => get(a),
                Instruction::Add(a, b) => both(a, b).map(|(a, b)| made.sum(a, b, false)),
                Instruction::Sub(a, b) => both(a, b).map(|(a, b)| made.sum(a, b, true)),
                Instruction::Mul(a, b) => both(a, b).map(|(a, b)| made.product(&a, &b)),
                Instruction::Div(a, b) => both(a, b).and_then(|(a, b)| made.quotient(a, &b)),
                Instruction::Power(a, n) => get(a).and_then(|a| made.power(&a, n)),
                Instruction::Weight(a, b) => both(a, b).and_then(|(a, b)| match (a.get(&none), b.get(&none)) {
                    (Some(c), Some(complement)) if a.len() == 1 && b.len() == 1 => {
                        Some(ByGrade::from([(none, made.step(Instruction::Weight(*c, *complement)))]))
                    }
                    _ => None,
                }),
            };
            if let Some(place) = self.place_in_posterior(i) {
                let register = found.as_ref().and_then(|parts| parts.values().next());
                posterior[place] = register.and_then(|register| register.checked_sub(given));
            }
            done.push(found);
        }
        let mut outputs = Vec::new();
        let grades = self.outputs.iter().map(|k| {
            let parts = done[*k].as_ref()?;
            for register in parts.values() {
                let register = if *register < given { made.step(Instruction::Copy(*register)) } else { *register };
                outputs.push(register - given);
            }
            Some(parts.keys().copied().collect())
        });
        let grades = grades.collect();
        (made.finished(outputs, posterior), grades)
    }
}

impl Compiler {
    /// The sum or the difference of what is taken apart.
    fn sum(&mut self, mut a: ByGrade, b: ByGrade, minus: bool) -> ByGrade {
        for (grade, right) in b {
            let left = a.get(&grade).copied();
            let register = match (left, minus) {
                (Some(left), true) => self.step(Instruction::Sub(left, right)),
                (Some(left), false) => self.step(Instruction::Add(left, right)),
                (None, true) => {
                    let zero = self.constant(&Rational::ZERO);
                    self.step(Instruction::Sub(zero, right))
                }
                (None, false) => right,
            };
            a.insert(grade, register);
        }
        a
    }

    fn product(&mut self, a: &ByGrade, b: &ByGrade) -> ByGrade {
        let mut product = ByGrade::new();
        for (left, right) in a.iter().flat_map(|left| b.iter().map(move |right| (left, right))) {
            let grade = std::array::from_fn(|i| left.0[i].saturating_add(right.0[i]));
            let register = self.step(Instruction::Mul(*left.1.min(right.1), *left.1.max(right.1)));
            product = self.sum(product, ByGrade::from([(grade, register)]), false);
        }
        product
    }

    /// The quotient, unless the divisor has several parts.
    fn quotient(&mut self, a: ByGrade, b: &ByGrade) -> Option<ByGrade> {
        let (below, divisor) = b.iter().next().filter(|_| b.len() == 1)?;
        let part = |(grade, of): (Grade, usize)| {
            (std::array::from_fn(|i| grade[i].saturating_sub(below[i])), self.step(Instruction::Div(of, *divisor)))
        };
        Some(a.into_iter().map(part).collect())
    }

    /// A power, unless that of several parts is too high to be multiplied out.
    fn power(&mut self, a: &ByGrade, n: i32) -> Option<ByGrade> {
        match a.iter().next() {
            Some((grade, base)) if a.len() == 1 => {
                let grade = grade.map(|degree| degree.saturating_mul(n));
                Some(ByGrade::from([(grade, self.step(Instruction::Power(*base, n)))]))
            }
            _ if (0..=MOST_FACTORS).contains(&n) => {
                let one = ByGrade::from([([0; 3], self.constant(&Rational::ONE))]);
                Some((0..n).fold(one, |power, _| self.product(&power, a)))
            }
            _ => None,
        }
    }
}
