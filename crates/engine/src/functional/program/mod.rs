//! Programs: expressions of the definitions, compiled to instructions on node values.
//!
//! | file | what it does |
//! | --- | --- |
//! | `compile` | the compiler |
//! | `grade` | decomposition of expressions by their differentials |
//!
//! A program computes any number of expressions at the 21 nodes of a panel at once, or in any [`Algebra`]. Common subexpressions are
//! computed once. `1 - x`, `1 - F0`, `1 - R` and `1 - c` read the complements that the curve carries instead of subtracting.

mod compile;
mod grade;

pub use grade::{DC, DF, DX, Grade};

use super::cost::Cost;
use crate::calculus::panel::{Motion, Panel, Point};
use crate::calculus::rule::{Lane, NODES, RESOLVED, RULE, dot};
use compile::Compiler;
use rocproof_arith::{Interval, Rational};
use rocproof_language::{Diagnostic, Expr, Source, parse};

/// The inputs of a program: node values of a panel.
pub struct Inputs<'a> {
    /// The score and one minus it.
    pub x: [&'a Lane; 2],
    /// `F0`, `1 - F0`, `F1`, `1 - F1`.
    pub f: [&'a Lane; 4],
    /// `dx`, `dF0`, `dF1`.
    pub d: [&'a Lane; 3],
    /// The direction `q0`, `q1` and `dq1`.
    pub q: [&'a Lane; 3],
    /// An operating condition and one minus it, for the literal route.
    pub cost: [&'a Lane; 2],
}

static ZERO: Lane = [0.0; NODES];

impl<'a> Inputs<'a> {
    /// The node values of a panel.
    pub fn of(panel: &'a Panel) -> Inputs<'a> {
        let (d0, d1) = if panel.has_mass() { (&panel.rate[0], &panel.rate[1]) } else { (&ZERO, &ZERO) };
        // A gap has no direction.
        let [q0, q1] = if panel.motion == Motion::Gap { [&ZERO, &ZERO] } else { panel.share.each_ref() };
        Inputs {
            x: [&panel.x, &panel.x_complement],
            f: [&panel.below[0], &panel.above[0], &panel.below[1], &panel.above[1]],
            d: [&panel.dx, d0, d1],
            q: [q0, q1, &panel.turn],
            cost: [&ZERO, &ZERO],
        }
    }

    /// All lanes, in the order of [`INPUTS`].
    fn lanes(&self) -> [&'a Lane; INPUTS.len()] {
        let ([x, x_complement], [f0, g0, f1, g1]) = (self.x, self.f);
        let ([dx, d0, d1], [q0, q1, dq1], [cost, cost_complement]) = (self.d, self.q, self.cost);
        [x, x_complement, f0, g0, f1, g1, dx, d0, d1, q0, q1, dq1, cost, cost_complement]
    }
}

/// The values of the names that a program reads besides its inputs: class proportions, costs and scale.
#[derive(Clone, Debug)]
pub struct Environment<'a> {
    /// The proportion of class 0.
    pub pi0: f64,
    /// The proportion of class 1, given separately since `1 - pi0` may round.
    pub pi1: f64,
    /// The density of operating conditions.
    pub cost: &'a Cost,
    /// The scale `[l, h]` of the scores.
    pub range: (f64, f64),
}

impl Environment<'_> {
    /// The numbers that programs read, in the order of [`NUMBERS`].
    pub fn numbers(&self) -> [f64; NUMBERS.len()] {
        [self.pi0, self.pi1, self.cost.mean(), self.range.0, self.range.1]
    }
}

/// The names of the inputs; their registers come first.
pub const INPUTS: [&str; 14] =
    ["x", "1-x", "F0", "1-F0", "F1", "1-F1", "dx", "dF0", "dF1", "q0", "q1", "dq1", "cost", "1-cost"];
/// The names of the numbers; their registers follow those of the inputs.
pub const NUMBERS: [&str; 5] = ["pi0", "pi1", "mean", "l", "h"];
/// The number of registers of inputs and numbers, which come before those of the results.
const GIVEN: usize = INPUTS.len() + NUMBERS.len();

/// A register by what it holds.
enum Register {
    Input(usize),
    Number(usize),
    /// The result of the instruction with this index.
    Result(usize),
}

impl Register {
    /// The register with this index: the inputs come first, then the numbers, then the results.
    #[inline(always)]
    fn new(index: usize) -> Register {
        match index.checked_sub(INPUTS.len()) {
            None => Register::Input(index),
            Some(number) if number < NUMBERS.len() => Register::Number(number),
            Some(result) => Register::Result(result - NUMBERS.len()),
        }
    }
}

/// An operation on registers; its result is a new register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Instruction {
    /// The constant with this index.
    Constant(usize),
    /// The value of another register: an output that is an input itself.
    Copy(usize),
    Add(usize, usize),
    Sub(usize, usize),
    Mul(usize, usize),
    /// The quotient. 0/0 at all nodes has no value, except for a share of a mass that underflows.
    Div(usize, usize),
    Power(usize, i32),
    /// The density of operating conditions at a register, given with the register of its complement.
    Weight(usize, usize),
}

/// Compiled expressions. The registers are the inputs, the numbers, and the results of the instructions, in this order.
#[derive(Debug)]
pub struct Program {
    instructions: Vec<Instruction>,
    constants: Vec<Rational>,
    /// The constants, rounded.
    rounded: Vec<f64>,
    /// The constants, enclosed.
    enclosed: Vec<Interval>,
    /// The instructions whose results are the outputs, by index.
    outputs: Vec<usize>,
    /// The instructions that compute `c`, `1-c` and `dc`, if they occur.
    posterior: [Option<usize>; 3],
}

/// Types that a program can be evaluated in besides floating point.
pub trait Algebra: Clone {
    /// A rational constant.
    fn constant(value: &Rational) -> Self;
    /// The sum.
    fn plus(&self, other: &Self) -> Self;
    /// The difference.
    fn minus(&self, other: &Self) -> Self;
    /// The product.
    fn times(&self, other: &Self) -> Self;
    /// The quotient.
    fn over(&self, other: &Self) -> Self;
    /// A whole power.
    fn power(&self, exponent: i32) -> Self;
    /// A constant, given exactly and enclosed.
    fn literal(exact: &Rational, _enclosed: Interval) -> Self {
        Self::constant(exact)
    }
}

/// The results of the instructions; reused between runs so that a run allocates nothing.
#[derive(Debug, Default)]
pub struct Registers {
    lanes: Vec<Lane>,
}

/// The integral of one expression over a panel.
#[derive(Clone, Copy, Debug)]
pub struct PanelIntegral {
    /// The integral by the Kronrod rule.
    pub value: f64,
    /// The absolute difference between the Kronrod and the Gauss rule.
    pub defect: f64,
    /// The integral of the absolute value.
    pub magnitude: f64,
}

impl PanelIntegral {
    /// Whether the two rules agree up to rounding.
    pub(crate) fn is_resolved(&self) -> bool {
        self.excess() <= 1.0
    }

    /// Whether the two rules agree up to rounding, or up to twice the given error of the integrand.
    pub(crate) fn is_resolved_to(&self, noise: f64) -> bool {
        self.is_resolved() || self.defect <= 2.0 * noise
    }

    /// The difference of the two rules, relative to the difference that rounding may cause.
    pub fn excess(&self) -> f64 {
        self.defect / (RESOLVED + 16.0 * f64::EPSILON * self.magnitude)
    }
}

impl Program {
    /// Compiles expressions in the vocabulary of [`super::definition`].
    ///
    /// ```
    /// use rocproof_engine::functional::program::Program;
    /// assert!(Program::new(&["F0^2 dF1"]).is_ok());
    /// assert!(Program::new(&["F2 dF1"]).is_err());
    /// ```
    pub fn new(texts: &[&str]) -> Result<Program, Diagnostic> {
        let parsed = texts.iter().map(|text| {
            let source = Source::new("definition", *text);
            parse(&source).map(|expr| (source, expr))
        });
        let parsed = parsed.collect::<Result<Vec<_>, _>>()?;
        Program::of_syntax(parsed.iter().map(|(source, expr)| (source, expr)))
    }

    /// Compiles one expression of a source; errors point into the source.
    pub fn of(source: &Source, expr: &Expr) -> Result<Program, Diagnostic> {
        Program::of_syntax([(source, expr)])
    }

    /// Compiles parsed expressions, each with its source.
    pub(crate) fn of_syntax<'a>(
        expressions: impl IntoIterator<Item = (&'a Source, &'a Expr)>,
    ) -> Result<Program, Diagnostic> {
        let mut compiler = Compiler::default();
        let mut outputs = Vec::new();
        for (source, expr) in expressions {
            let register = compiler.compile(source, expr)?;
            // An output is the result of an instruction: an input or a number is copied.
            let register = if register < GIVEN { compiler.emit(Instruction::Copy(register)) } else { register };
            outputs.push(register - GIVEN);
        }
        // Look up the instructions of the posterior, without adding any.
        let count = compiler.instructions.len();
        let mut posterior = [None; 3];
        for (instruction, name) in posterior.iter_mut().zip(["c", "1-c", "dc"]) {
            let index = compiler.compile_name(name)?.and_then(|register| register.checked_sub(GIVEN));
            *instruction = index.filter(|index| *index < count);
        }
        compiler.instructions.truncate(count);
        Ok(compiler.finish(outputs, posterior))
    }

    /// The program without outputs.
    pub fn empty() -> Program {
        let (constants, rounded, enclosed) = (Vec::new(), Vec::new(), Vec::new());
        Program { instructions: Vec::new(), constants, rounded, enclosed, outputs: Vec::new(), posterior: [None; 3] }
    }

    /// The index among `c`, `1-c` and `dc` of the one that an instruction computes, if it computes one of them.
    fn posterior_index(&self, instruction: usize) -> Option<usize> {
        self.posterior.iter().position(|index| *index == Some(instruction))
    }

    /// The number of outputs.
    pub fn len(&self) -> usize {
        self.outputs.len()
    }

    /// Whether there are no outputs.
    pub fn is_empty(&self) -> bool {
        self.outputs.is_empty()
    }

    /// Runs the program at all nodes; the results are then in `registers`.
    pub fn run(&self, inputs: &Inputs, environment: &Environment, registers: &mut Registers) {
        let numbers = environment.numbers().map(|n| [n; NODES]);
        let input_lanes = inputs.lanes();
        registers.lanes.resize(self.instructions.len(), ZERO);
        for (i, instruction) in self.instructions.iter().enumerate() {
            let (done, remaining) = registers.lanes.split_at_mut(i);
            let out = &mut remaining[0];
            let get = |register: usize| -> &Lane {
                match Register::new(register) {
                    Register::Input(input) => input_lanes[input],
                    Register::Number(number) => &numbers[number],
                    Register::Result(result) => &done[result],
                }
            };
            match *instruction {
                Instruction::Constant(k) => out.fill(self.rounded[k]),
                Instruction::Copy(a) => *out = *get(a),
                Instruction::Add(a, b) => at_each_node(out, get(a), get(b), |a, b| a + b),
                Instruction::Sub(a, b) => at_each_node(out, get(a), get(b), |a, b| a - b),
                Instruction::Mul(a, b) => at_each_node(out, get(a), get(b), |a, b| a * b),
                Instruction::Div(a, b) => {
                    // At single nodes 0/0 is 0: a density may vanish or underflow there.
                    at_each_node(out, get(a), get(b), |a, b| if a == 0.0 { 0.0 } else { a / b });
                    // 0/0 at all nodes has no value, unless the divisor is a mass that underflows.
                    let is_zero = |lane: &Lane| lane.iter().all(|value| *value == 0.0);
                    let is_underflow =
                        || inputs.d[1..].iter().all(|lane| is_zero(lane)) && self.register_reads(b, &["dF0", "dF1"]);
                    if get(b)[0] == 0.0 && is_zero(get(b)) && is_zero(get(a)) && !is_underflow() {
                        out.fill(f64::NAN);
                    }
                }
                Instruction::Power(a, 2) => at_each_node(out, get(a), get(a), |a, b| a * b),
                Instruction::Power(a, n) => at_each_node(out, get(a), get(a), |a, _| a.powi(n)),
                Instruction::Weight(..) if environment.cost.is_uniform() => out.fill(1.0),
                Instruction::Weight(a, b) => {
                    at_each_node(out, get(a), get(b), |c, complement| environment.cost.density(c, complement));
                }
            }
        }
    }

    /// The first output at a point, in floating point; NaN if there are no outputs.
    pub(crate) fn value_at(&self, point: &Point, environment: &Environment) -> f64 {
        if self.is_empty() {
            return f64::NAN;
        }
        let mut registers = Registers::default();
        self.run(&Inputs::of(&Panel::straight(*point, *point)), environment, &mut registers);
        self.output(0, &registers)[0]
    }

    /// The outputs in an algebra, given the inputs, the numbers, and the density of operating conditions. An output is `None` if it needs the
    /// density and `weight` has none. `posterior` replaces `c`, `1-c` and `dc` where the direction is unknown.
    pub fn values<A: Algebra>(
        &self,
        inputs: &[A; INPUTS.len()],
        numbers: &[A; NUMBERS.len()],
        posterior: Option<&[A; 3]>,
        weight: impl Fn(&A, &A) -> Option<A>,
    ) -> Vec<Option<A>> {
        let mut done: Vec<Option<A>> = Vec::with_capacity(self.instructions.len());
        for (i, instruction) in self.instructions.iter().enumerate() {
            let replacement = posterior.and_then(|posterior| Some(&posterior[self.posterior_index(i)?]));
            if let Some(replacement) = replacement {
                done.push(Some(replacement.clone()));
                continue;
            }
            let get = |register: usize| match Register::new(register) {
                Register::Input(input) => Some(&inputs[input]),
                Register::Number(number) => Some(&numbers[number]),
                Register::Result(result) => done[result].as_ref(),
            };
            done.push(self.value_of(instruction, get, &weight));
        }
        self.outputs.iter().map(|k| done[*k].clone()).collect()
    }

    /// The first output in an algebra, given the values of inputs and numbers by name; `None` if one is missing, or the density is needed.
    ///
    /// ```
    /// use rocproof_arith::Interval;
    /// use rocproof_engine::functional::program::Program;
    /// let program = Program::new(&["2*dF0 + pi1"])?;
    /// let two = Interval::from(2.0);
    /// assert_eq!(program.value(|_| Some(&two)), Some(Interval::from(6.0)));
    /// assert_eq!(program.value::<Interval>(|_| None), None);
    /// # Ok::<(), rocproof_language::Diagnostic>(())
    /// ```
    pub fn value<'a, A: Algebra + 'a>(&self, given: impl Fn(&str) -> Option<&'a A>) -> Option<A> {
        let mut done: Vec<A> = Vec::with_capacity(self.instructions.len());
        for instruction in &self.instructions {
            let get = |register: usize| match Register::new(register) {
                Register::Input(input) => given(INPUTS[input]),
                Register::Number(number) => given(NUMBERS[number]),
                Register::Result(result) => Some(&done[result]),
            };
            done.push(self.value_of(instruction, get, &|_, _| None)?);
        }
        Some(done.swap_remove(*self.outputs.first()?))
    }

    /// The result of an instruction, given the values of registers and the density of operating conditions; `None` if one is missing.
    #[inline(always)]
    fn value_of<'a, A: Algebra + 'a>(
        &self,
        instruction: &Instruction,
        get: impl Fn(usize) -> Option<&'a A>,
        weight: &impl Fn(&A, &A) -> Option<A>,
    ) -> Option<A> {
        let both = |a: usize, b: usize| Some((get(a)?, get(b)?));
        match *instruction {
            Instruction::Constant(k) => Some(A::literal(&self.constants[k], self.enclosed[k])),
            Instruction::Copy(a) => get(a).cloned(),
            Instruction::Add(a, b) => both(a, b).map(|(a, b)| a.plus(b)),
            Instruction::Sub(a, b) => both(a, b).map(|(a, b)| a.minus(b)),
            Instruction::Mul(a, b) => both(a, b).map(|(a, b)| a.times(b)),
            Instruction::Div(a, b) => both(a, b).map(|(a, b)| a.over(b)),
            Instruction::Power(a, n) => get(a).map(|a| a.power(n)),
            Instruction::Weight(a, b) => both(a, b).and_then(|(a, b)| weight(a, b)),
        }
    }

    /// Whether output `k` depends on one of the given inputs or numbers, or on the density of operating conditions, named `w`.
    pub fn reads(&self, k: usize, names: &[&str]) -> bool {
        self.register_reads(self.outputs[k] + GIVEN, names)
    }

    /// Whether a register depends on one of the given names, found by a search through the instructions.
    fn register_reads(&self, register: usize, names: &[&str]) -> bool {
        let mut pending = vec![register];
        while let Some(register) = pending.pop() {
            let result = match Register::new(register) {
                Register::Input(input) if names.contains(&INPUTS[input]) => return true,
                Register::Number(number) if names.contains(&NUMBERS[number]) => return true,
                Register::Input(_) | Register::Number(_) => continue,
                Register::Result(result) => result,
            };
            match self.instructions[result] {
                Instruction::Constant(_) => {}
                Instruction::Copy(a) | Instruction::Power(a, _) => pending.push(a),
                Instruction::Weight(..) if names.contains(&"w") => return true,
                Instruction::Add(a, b)
                | Instruction::Sub(a, b)
                | Instruction::Mul(a, b)
                | Instruction::Div(a, b)
                | Instruction::Weight(a, b) => {
                    pending.extend([a, b]);
                }
            }
        }
        false
    }

    /// The degree of output `k` as a polynomial in some variable; `None` if it is not known to be one. Given are the degrees of the inputs and
    /// of the posterior in that variable, and that of the density of operating conditions in its argument, if it is a polynomial.
    pub fn degree(&self, k: usize, inputs: &[u32; INPUTS.len()], posterior: u32, weight: Option<u32>) -> Option<u32> {
        let mut done: Vec<Option<u32>> = Vec::with_capacity(self.instructions.len());
        for (i, instruction) in self.instructions.iter().enumerate() {
            if let Some(index) = self.posterior_index(i) {
                // `c` and `1-c` come first. `dc` is constant where the posterior is linear.
                done.push(Some(if index < 2 { posterior } else { 0 }));
                continue;
            }
            let get = |register: usize| match Register::new(register) {
                Register::Input(input) => Some(inputs[input]),
                Register::Number(_) => Some(0),
                Register::Result(result) => done[result],
            };
            let degree = match *instruction {
                Instruction::Constant(_) => Some(0),
                Instruction::Copy(a) => get(a),
                Instruction::Add(a, b) | Instruction::Sub(a, b) => get(a).zip(get(b)).map(|(a, b)| a.max(b)),
                Instruction::Mul(a, b) => get(a).zip(get(b)).and_then(|(a, b)| a.checked_add(b)),
                Instruction::Div(a, b) => get(a).filter(|_| get(b) == Some(0)),
                Instruction::Power(a, n) => {
                    get(a).and_then(|a| if a == 0 { Some(0) } else { a.checked_mul(u32::try_from(n).ok()?) })
                }
                Instruction::Weight(a, b) => match get(a).zip(get(b)) {
                    Some((0, 0)) => Some(0),
                    Some((a, b)) => weight.and_then(|degree| degree.checked_mul(a.max(b))),
                    None => None,
                },
            };
            done.push(degree);
        }
        done[self.outputs[k]]
    }

    /// A bound on the powers of inputs and of numbers in output `k`, in numerators and denominators.
    pub fn power(&self, k: usize) -> u32 {
        let mut done: Vec<u32> = Vec::with_capacity(self.instructions.len());
        for instruction in &self.instructions {
            let get = |register: usize| match Register::new(register) {
                Register::Input(_) => 1,
                Register::Number(_) => 0,
                Register::Result(result) => done[result],
            };
            done.push(match *instruction {
                Instruction::Constant(_) => 0,
                Instruction::Copy(a) => get(a),
                Instruction::Add(a, b) | Instruction::Sub(a, b) | Instruction::Weight(a, b) => get(a).max(get(b)),
                Instruction::Mul(a, b) | Instruction::Div(a, b) => get(a).saturating_add(get(b)),
                // A power of a number counts as well: hence the maximum.
                Instruction::Power(a, n) => get(a).saturating_mul(n.unsigned_abs()).max(n.unsigned_abs()),
            });
        }
        done[self.outputs[k]]
    }

    /// The node values of output `k` after a run.
    pub fn output<'a>(&self, k: usize, registers: &'a Registers) -> &'a Lane {
        &registers.lanes[self.outputs[k]]
    }

    /// The integral of output `k` over the panel it was run on.
    pub fn integral(&self, k: usize, registers: &Registers) -> PanelIntegral {
        let lane = self.output(k, registers);
        PanelIntegral {
            value: dot(&RULE.kronrod, lane),
            defect: dot(&RULE.defect, lane).abs(),
            magnitude: dot(&RULE.kronrod, &lane.map(f64::abs)),
        }
    }
}

/// Fills a lane with a function of two others, node by node.
fn at_each_node(out: &mut Lane, a: &Lane, b: &Lane, f: impl Fn(f64, f64) -> f64) {
    for i in 0..NODES {
        out[i] = f(a[i], b[i]);
    }
}
