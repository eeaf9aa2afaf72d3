//! Definitions as programs: text to a list of operations on node values.
//!
//! | file | what it does |
//! | --- | --- |
//! | `compile` | text to operations |
//! | `grade` | expressions taken apart by their differentials |
//!
//! A program computes any number of expressions at the 21 nodes of a panel at once. Expressions share what they have in
//! common, and `1 - x`, `1 - F0`, `1 - R`, `1 - c` read the complements that the curve carries instead of subtracting.

mod compile;
mod grade;

pub use grade::Grade;

use super::cost::Cost;
use crate::calculus::panel::{Motion, Panel, Point};
use crate::calculus::rule::{Lane, NODES, RESOLVED, RULE, dot};
use compile::Compiler;
use rocproof_arith::{Interval, Rational};
use rocproof_language::{Diagnostic, Expr, Source, parse};

/// What a program reads: the node values of a panel and some numbers.
pub struct Inputs<'a> {
    /// The score and one minus it.
    pub x: [&'a Lane; 2],
    /// `F0`, `1 - F0`, `F1`, `1 - F1`.
    pub f: [&'a Lane; 4],
    /// `dx`, `dF0`, `dF1`.
    pub d: [&'a Lane; 3],
    /// The direction `q0`, `q1` and `dq1`.
    pub q: [&'a Lane; 3],
    /// An operating condition of its own and one minus it (for the literal route).
    pub cost: [&'a Lane; 2],
}

static ZERO: Lane = [0.0; NODES];

impl<'a> Inputs<'a> {
    /// The node values of a panel.
    pub fn of(panel: &'a Panel) -> Inputs<'a> {
        let (d0, d1) = if panel.has_mass() { (&panel.rate[0], &panel.rate[1]) } else { (&ZERO, &ZERO) };
        // Where there is no mass there is no direction.
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

/// Under which class proportion, costs and scale a program runs.
#[derive(Clone, Debug)]
pub struct Environment<'a> {
    /// The proportion of class 0.
    pub pi0: f64,
    /// The proportion of class 1, given separately since `1 - pi0` may round.
    pub pi1: f64,
    /// The weight of operating conditions.
    pub cost: &'a Cost,
    /// The scale of the scores.
    pub range: (f64, f64),
}

impl Environment<'_> {
    /// The numbers that programs read, in the order of [`NUMBERS`].
    pub fn numbers(&self) -> [f64; NUMBERS.len()] {
        [self.pi0, self.pi1, self.cost.mean(), self.range.0, self.range.1]
    }
}

/// The names of the inputs, in the order of the first registers.
pub const INPUTS: [&str; 14] =
    ["x", "1-x", "F0", "1-F0", "F1", "1-F1", "dx", "dF0", "dF1", "q0", "q1", "dq1", "cost", "1-cost"];
/// The names of the numbers, in the order of the registers after those.
pub const NUMBERS: [&str; 5] = ["pi0", "pi1", "mean", "l", "h"];

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Instruction {
    /// One of the constants.
    Constant(usize),
    /// What an output needs that is an input.
    Copy(usize),
    Add(usize, usize),
    Sub(usize, usize),
    Mul(usize, usize),
    /// 0/0 on a whole stretch has no value, except for a share of a mass that underflows.
    Div(usize, usize),
    Power(usize, i32),
    /// The density of operating conditions at a register, given with its complement.
    Weight(usize, usize),
}

/// Expressions compiled to steps.
#[derive(Debug)]
pub struct Program {
    steps: Vec<Instruction>,
    constants: Vec<Rational>,
    /// The same, rounded.
    rounded: Vec<f64>,
    /// The same, enclosed.
    enclosed: Vec<Interval>,
    outputs: Vec<usize>,
    /// The steps after which `c`, `1-c` and `dc` are known, if they are needed.
    posterior: [Option<usize>; 3],
}

/// What expressions can be evaluated in besides floating point: numbers or functions that can be added and multiplied.
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
    /// A constant that is known exactly and enclosed.
    fn literal(exact: &Rational, _enclosed: Interval) -> Self {
        Self::constant(exact)
    }
}

/// The registers of a program; kept between runs so that a run allocates nothing.
#[derive(Debug, Default)]
pub struct Registers {
    lanes: Vec<Lane>,
}

/// The integral of one expression over a panel.
#[derive(Clone, Copy, Debug)]
pub struct PanelIntegral {
    /// By the Kronrod rule.
    pub value: f64,
    /// What the Gauss rule makes of it, in difference.
    pub defect: f64,
    /// The integral of the absolute value.
    pub magnitude: f64,
}

impl PanelIntegral {
    /// Whether the two rules agree to what rounding allows.
    pub fn is_resolved(&self) -> bool {
        self.excess() <= 1.0
    }

    /// Whether the two rules agree to what rounding and this much noise allow.
    pub fn is_resolved_to(&self, noise: f64) -> bool {
        self.is_resolved() || self.defect <= 2.0 * noise
    }

    /// How many times as far apart the two rules are as rounding allows.
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

    /// Compiles one expression of a text; errors point at its place there.
    pub fn of(source: &Source, expr: &Expr) -> Result<Program, Diagnostic> {
        Program::of_syntax([(source, expr)])
    }

    /// Compiles expressions that are parsed already, each with the text that it stands in.
    pub fn of_syntax<'a>(expressions: impl IntoIterator<Item = (&'a Source, &'a Expr)>) -> Result<Program, Diagnostic> {
        let mut compiler = Compiler::default();
        let mut outputs = Vec::new();
        let given = INPUTS.len() + NUMBERS.len();
        for (source, expr) in expressions {
            let register = compiler.expr(source, expr)?;
            let register = if register < given { compiler.step(Instruction::Copy(register)) } else { register };
            outputs.push(register - given);
        }
        // What the posterior is compiled to, if anything reads it.
        let steps = compiler.steps.len();
        let mut posterior = [None; 3];
        for (place, name) in posterior.iter_mut().zip(["c", "1-c", "dc"]) {
            *place = compiler.name(name)?.and_then(|register| register.checked_sub(given)).filter(|step| *step < steps);
        }
        compiler.steps.truncate(steps);
        Ok(compiler.finished(outputs, posterior))
    }

    /// A program that computes nothing.
    pub fn empty() -> Program {
        let (constants, rounded, enclosed) = (Vec::new(), Vec::new(), Vec::new());
        Program { steps: Vec::new(), constants, rounded, enclosed, outputs: Vec::new(), posterior: [None; 3] }
    }

    /// Whether a step computes `c`, `1-c` or `dc`.
    fn place_in_posterior(&self, step: usize) -> Option<usize> {
        self.posterior.iter().position(|known| *known == Some(step))
    }

    /// How many expressions it computes.
    pub fn len(&self) -> usize {
        self.outputs.len()
    }

    /// Whether it computes nothing.
    pub fn is_empty(&self) -> bool {
        self.outputs.is_empty()
    }

    /// Runs on one set of inputs; the results are then in `registers`.
    pub fn run(&self, inputs: &Inputs, view: &Environment, registers: &mut Registers) {
        let numbers = view.numbers().map(|n| [n; NODES]);
        let given = inputs.lanes();
        registers.lanes.resize(self.steps.len(), ZERO);
        for (i, step) in self.steps.iter().enumerate() {
            let (done, rest) = registers.lanes.split_at_mut(i);
            let out = &mut rest[0];
            let get = |register: usize| -> &Lane {
                match register.checked_sub(INPUTS.len()) {
                    None => given[register],
                    Some(number) if number < NUMBERS.len() => &numbers[number],
                    Some(step) => &done[step - NUMBERS.len()],
                }
            };
            match *step {
                Instruction::Constant(k) => out.fill(self.rounded[k]),
                Instruction::Copy(a) => *out = *get(a),
                Instruction::Add(a, b) => each(out, get(a), get(b), |a, b| a + b),
                Instruction::Sub(a, b) => each(out, get(a), get(b), |a, b| a - b),
                Instruction::Mul(a, b) => each(out, get(a), get(b), |a, b| a * b),
                Instruction::Div(a, b) => {
                    // At single nodes 0/0 is 0: a density may vanish there, or underflow.
                    each(out, get(a), get(b), |a, b| if a == 0.0 { 0.0 } else { a / b });
                    let is_nothing = |lane: &Lane| lane.iter().all(|value| *value == 0.0);
                    let of_mass =
                        || inputs.d[1..].iter().all(|lane| is_nothing(lane)) && self.register_reads(b, &["dF0", "dF1"]);
                    if get(b)[0] == 0.0 && is_nothing(get(b)) && is_nothing(get(a)) && !of_mass() {
                        out.fill(f64::NAN);
                    }
                }
                Instruction::Power(a, 2) => each(out, get(a), get(a), |a, b| a * b),
                Instruction::Power(a, n) => each(out, get(a), get(a), |a, _| a.powi(n)),
                Instruction::Weight(..) if view.cost.is_uniform() => out.fill(1.0),
                Instruction::Weight(a, b) => each(out, get(a), get(b), |c, d| view.cost.density(c, d)),
            }
        }
    }

    /// The first output at a point.
    pub fn value_at(&self, point: &Point, view: &Environment) -> f64 {
        if self.is_empty() {
            return f64::NAN;
        }
        let mut registers = Registers::default();
        self.run(&Inputs::of(&Panel::straight(*point, *point)), view, &mut registers);
        self.output(0, &registers)[0]
    }

    /// The outputs in an algebra, given the inputs and the numbers of the vocabulary in their order and the weight of
    /// operating conditions; `None` for those that need a weight which the algebra does not have. Where the direction is not known,
    /// but the posterior, that is given: `c`, `1-c` and `dc`.
    pub fn values<A: Algebra>(
        &self,
        inputs: &[A; INPUTS.len()],
        numbers: &[A; NUMBERS.len()],
        posterior: Option<&[A; 3]>,
        weight: impl Fn(&A, &A) -> Option<A>,
    ) -> Vec<Option<A>> {
        let mut done: Vec<Option<A>> = Vec::with_capacity(self.steps.len());
        for (i, step) in self.steps.iter().enumerate() {
            let known = posterior.and_then(|known| Some(&known[self.place_in_posterior(i)?]));
            if let Some(known) = known {
                done.push(Some(known.clone()));
                continue;
            }
            let get = |register: usize| match register.checked_sub(INPUTS.len()) {
                None => Some(&inputs[register]),
                Some(number) if number < NUMBERS.len() => Some(&numbers[number]),
                Some(step) => done[step - NUMBERS.len()].as_ref(),
            };
            done.push(self.value_of(step, get, &weight));
        }
        self.outputs.iter().map(|k| done[*k].clone()).collect()
    }

    /// The first output in an algebra, given what the names that the program reads stand for; `None` if it reads another or a weight.
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
        let mut done: Vec<A> = Vec::with_capacity(self.steps.len());
        for step in &self.steps {
            let get = |register: usize| match register.checked_sub(INPUTS.len()) {
                None => given(INPUTS[register]),
                Some(number) if number < NUMBERS.len() => given(NUMBERS[number]),
                Some(step) => Some(&done[step - NUMBERS.len()]),
            };
            done.push(self.value_of(step, get, &|_, _| None)?);
        }
        Some(done.swap_remove(*self.outputs.first()?))
    }

    /// What a step makes of the registers.
    #[inline(always)]
    fn value_of<'a, A: Algebra + 'a>(
        &self,
        step: &Instruction,
        get: impl Fn(usize) -> Option<&'a A>,
        weight: &impl Fn(&A, &A) -> Option<A>,
    ) -> Option<A> {
        let both = |a: usize, b: usize| Some((get(a)?, get(b)?));
        match *step {
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

    /// Whether output `k` depends on one of the given inputs or numbers, or on the density `w` of operating conditions.
    pub fn reads(&self, k: usize, names: &[&str]) -> bool {
        self.register_reads(self.outputs[k] + INPUTS.len() + NUMBERS.len(), names)
    }

    /// The same of a register.
    fn register_reads(&self, register: usize, names: &[&str]) -> bool {
        let given = INPUTS.len() + NUMBERS.len();
        let mut pending = vec![register];
        while let Some(register) = pending.pop() {
            let Some(step) = register.checked_sub(given) else {
                if INPUTS.iter().chain(&NUMBERS).nth(register).is_some_and(|name| names.contains(name)) {
                    return true;
                }
                continue;
            };
            match self.steps[step] {
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

    /// The degree of output `k` in a variable, given those of the inputs and that of the posterior; `None` if it is no polynomial.
    /// `weight` is the degree of the density of operating conditions, if that is one.
    pub fn degree(&self, k: usize, inputs: &[u32; INPUTS.len()], posterior: u32, weight: Option<u32>) -> Option<u32> {
        let mut done: Vec<Option<u32>> = Vec::with_capacity(self.steps.len());
        for (i, step) in self.steps.iter().enumerate() {
            if let Some(place) = self.place_in_posterior(i) {
                // The differential counts as the rate at which the posterior moves, which is one and the same.
                done.push(Some(if place < 2 { posterior } else { 0 }));
                continue;
            }
            let get = |register: usize| match register.checked_sub(INPUTS.len()) {
                None => Some(inputs[register]),
                Some(number) if number < NUMBERS.len() => Some(0),
                Some(step) => done[step - NUMBERS.len()],
            };
            let degree = match *step {
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

    /// The highest power in output `k`, above or below a line.
    pub fn power(&self, k: usize) -> u32 {
        let mut done: Vec<u32> = Vec::with_capacity(self.steps.len());
        for step in &self.steps {
            let get = |register: usize| match register.checked_sub(INPUTS.len()) {
                None => 1,
                Some(number) if number < NUMBERS.len() => 0,
                Some(step) => done[step - NUMBERS.len()],
            };
            done.push(match *step {
                Instruction::Constant(_) => 0,
                Instruction::Copy(a) => get(a),
                Instruction::Add(a, b) | Instruction::Sub(a, b) | Instruction::Weight(a, b) => get(a).max(get(b)),
                Instruction::Mul(a, b) | Instruction::Div(a, b) => get(a).saturating_add(get(b)),
                // Numbers have powers, too.
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

fn each(out: &mut Lane, a: &Lane, b: &Lane, f: impl Fn(f64, f64) -> f64) {
    for i in 0..NODES {
        out[i] = f(a[i], b[i]);
    }
}
