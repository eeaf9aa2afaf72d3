//! The compiler from expressions to instructions. Common subexpressions are computed once. `1 - name` reads the complement that the curve
//! carries, if there is one, instead of subtracting.

use super::super::definition::{LOSS, VOCABULARY};
use super::{GIVEN, INPUTS, Instruction, NUMBERS, Program};
use rocproof_arith::Interval;
use rocproof_arith::rational::{self, Rational};
use rocproof_language::{Diagnostic, Expr, Kind, Op, Source, parse};
use std::collections::HashMap;
use std::sync::LazyLock;

/// The vocabulary, parsed: names, their complements, and `Q`.
static PARSED: LazyLock<HashMap<&'static str, (Source, Option<Expr>)>> = LazyLock::new(|| {
    let complement =
        VOCABULARY.iter().filter_map(|(name, _, complement)| Some((complement_name(name)?, (*complement)?)));
    let plain = VOCABULARY.iter().map(|(name, text, _)| (*name, *text));
    plain
        .chain(complement)
        .chain([("Q", LOSS)])
        .map(|(name, text)| {
            let source = Source::new("vocabulary", text);
            let expr = parse(&source).ok();
            (name, (source, expr))
        })
        .collect()
});

/// The name of `1 - name`, if there is one.
fn complement_name(name: &str) -> Option<&'static str> {
    match name {
        "x" => Some("1-x"),
        "F0" => Some("1-F0"),
        "F1" => Some("1-F1"),
        "R" => Some("1-R"),
        "c" => Some("1-c"),
        "cost" => Some("1-cost"),
        _ => None,
    }
}

/// Collects instructions and constants, each once.
#[derive(Default)]
pub(super) struct Compiler {
    pub(super) instructions: Vec<Instruction>,
    pub(super) constants: Vec<Rational>,
    known: HashMap<Instruction, usize>,
    /// The registers of `c` and `1 - c` inside `Q(…)`.
    cost: Option<[usize; 2]>,
}

impl Compiler {
    /// The program with these outputs; `posterior` as in [`Program`].
    pub(super) fn finish(self, outputs: Vec<usize>, posterior: [Option<usize>; 3]) -> Program {
        let rounded = self.constants.iter().map(rational::to_f64).collect();
        let enclosed = self.constants.iter().map(Interval::of).collect();
        Program { instructions: self.instructions, constants: self.constants, rounded, enclosed, outputs, posterior }
    }

    /// Adds an instruction, unless it is known, and gives the register of its result.
    pub(super) fn emit(&mut self, instruction: Instruction) -> usize {
        if let Some(register) = self.known.get(&instruction) {
            return *register;
        }
        let register = GIVEN + self.instructions.len();
        self.instructions.push(instruction);
        self.known.insert(instruction, register);
        register
    }

    /// The register of a constant.
    pub(super) fn constant(&mut self, value: &Rational) -> usize {
        let position = self.constants.iter().position(|c| c == value).unwrap_or_else(|| {
            self.constants.push(value.clone());
            self.constants.len() - 1
        });
        self.emit(Instruction::Constant(position))
    }

    /// Compiles an expression, and gives its register.
    pub(super) fn compile(&mut self, source: &Source, expr: &Expr) -> Result<usize, Diagnostic> {
        Ok(match &expr.kind {
            Kind::Number(value) => self.constant(value),
            Kind::Name(name) => match self.compile_name(name)? {
                Some(register) => register,
                None => return Err(source.error(expr.span, format!("unknown name `{name}`"), "not in the vocabulary")),
            },
            Kind::Negate(inner) => {
                let zero = self.constant(&Rational::ZERO);
                let inner = self.compile(source, inner)?;
                self.emit(Instruction::Sub(zero, inner))
            }
            Kind::Binary(Op::Sub, left, right) if left.kind == Kind::Number(1u8.into()) => {
                self.complement(source, right)?
            }
            Kind::Binary(Op::Pow, base, exponent) => {
                let whole = |of: &Expr| match &of.kind {
                    Kind::Number(n) if n.is_int() => i32::try_from(n.numerator()).ok(),
                    _ => None,
                };
                let power = match &exponent.kind {
                    Kind::Negate(inner) => whole(inner).map(|n| -n),
                    _ => whole(exponent),
                };
                let Some(power) = power else {
                    return Err(source.error(exponent.span, "a whole number is needed here", "not a whole number"));
                };
                let base = self.compile(source, base)?;
                self.emit(Instruction::Power(base, power))
            }
            Kind::Binary(op, left, right) => {
                let (l, r) = (self.compile(source, left)?, self.compile(source, right)?);
                self.emit(match op {
                    Op::Add => Instruction::Add(l.min(r), l.max(r)),
                    Op::Mul => Instruction::Mul(l.min(r), l.max(r)),
                    Op::Sub => Instruction::Sub(l, r),
                    _ => Instruction::Div(l, r),
                })
            }
            Kind::Call(name, span, arguments) => {
                let ([argument], "Q" | "w") = (arguments.as_slice(), name.as_str()) else {
                    return Err(source.error(*span, format!("unknown function `{name}`"), "only Q(c) and w(c)"));
                };
                let at = [self.compile(source, argument)?, self.complement(source, argument)?];
                if name == "w" {
                    return Ok(self.emit(Instruction::Weight(at[0], at[1])));
                }
                let outer = self.cost.replace(at);
                let loss = self.compile_definition("Q")?;
                self.cost = outer;
                loss.ok_or_else(|| source.error(*span, "`Q` has no definition", "undefined"))?
            }
            Kind::On(..)
            | Kind::OnPieces(..)
            | Kind::Pieces(_)
            | Kind::Atoms(_)
            | Kind::Bracket(..)
            | Kind::Apply(..) => {
                return Err(source.error(expr.span, "an expression is needed here", "a density"));
            }
        })
    }

    /// Compiles `1 - expr`, as a complement that the curve carries if there is one.
    fn complement(&mut self, source: &Source, expr: &Expr) -> Result<usize, Diagnostic> {
        if let Kind::Name(name) = &expr.kind
            && let Some(complement) = complement_name(name)
            && let Some(register) = self.compile_name(complement)?
        {
            return Ok(register);
        }
        let one = self.constant(&Rational::ONE);
        let of = self.compile(source, expr)?;
        Ok(self.emit(Instruction::Sub(one, of)))
    }

    /// The register of a name; `None` if it is not in the vocabulary.
    pub(super) fn compile_name(&mut self, name: &str) -> Result<Option<usize>, Diagnostic> {
        match (name, self.cost) {
            ("c", Some([c, _])) => return Ok(Some(c)),
            ("1-c", Some([_, complement])) => return Ok(Some(complement)),
            _ => {}
        }
        if let Some(register) = INPUTS.iter().chain(&NUMBERS).position(|input| *input == name) {
            return Ok(Some(register));
        }
        // The definition of a name does not see the `c` of a surrounding `Q`.
        let outer = self.cost.take();
        let register = self.compile_definition(name);
        self.cost = outer;
        register
    }

    /// Compiles the definition of a name of the vocabulary.
    fn compile_definition(&mut self, name: &str) -> Result<Option<usize>, Diagnostic> {
        match PARSED.get(name) {
            Some((source, Some(expr))) => self.compile(source, expr).map(Some),
            _ => Ok(None),
        }
    }
}
