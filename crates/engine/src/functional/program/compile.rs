//! The compiler from expressions to instructions. Common subexpressions are computed once. `1 - name` reads the complement that the curve
//! carries, if there is one, instead of subtracting.

use super::super::definition::{LOSS, VOCABULARY};
use super::{GIVEN, INPUTS, Instruction, NUMBERS, Program};
use rocproof_arith::Interval;
use rocproof_arith::rational::{self, Rational};
use rocproof_language::{Diagnostic, Expr, Kind, Op, Source, Span, parse};
use std::collections::HashMap;
use std::sync::LazyLock;

/// The vocabulary, parsed: the definitions of names, of their complements, and of `Q`. `None` if a text does not parse.
static PARSED: LazyLock<HashMap<&'static str, (Source, Option<Expr>)>> = LazyLock::new(|| {
    let names = VOCABULARY.iter().map(|(name, text, _)| (*name, *text));
    let complements =
        VOCABULARY.iter().filter_map(|(name, _, complement)| Some((complement_name(name)?, (*complement)?)));
    let parsed = |(name, text): (&'static str, &'static str)| {
        let source = Source::new("vocabulary", text);
        let expr = parse(&source).ok();
        (name, (source, expr))
    };
    names.chain(complements).chain([("Q", LOSS)]).map(parsed).collect()
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

/// The value of an exponent that is a whole number, perhaps with a sign.
fn as_whole(exponent: &Expr) -> Option<i32> {
    match &exponent.kind {
        Kind::Number(n) if n.is_int() => i32::try_from(n.numerator()).ok(),
        Kind::Negate(inner) => match &inner.kind {
            Kind::Number(n) if n.is_int() => i32::try_from(n.numerator()).ok().map(|n| -n),
            _ => None,
        },
        _ => None,
    }
}

/// Collects instructions and constants, each once.
#[derive(Default)]
pub(super) struct Compiler {
    pub(super) instructions: Vec<Instruction>,
    pub(super) constants: Vec<Rational>,
    /// The register of each instruction so far.
    known: HashMap<Instruction, usize>,
    /// Inside `Q(…)`, the registers of its argument and its complement, which the names `c` and `1-c` stand for there.
    argument: Option<[usize; 2]>,
}

impl Compiler {
    /// The program with these outputs; `posterior` as in [`Program`].
    pub(super) fn finish(self, outputs: Vec<usize>, posterior: [Option<usize>; 3]) -> Program {
        let rounded = self.constants.iter().map(rational::to_f64).collect();
        let enclosed = self.constants.iter().map(Interval::of).collect();
        Program { instructions: self.instructions, constants: self.constants, rounded, enclosed, outputs, posterior }
    }

    /// Adds an instruction, unless there is an equal one, and returns the register of its result.
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

    /// Compiles an expression, and returns its register.
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
                let Some(power) = as_whole(exponent) else {
                    return Err(source.error(exponent.span, "a whole number is needed here", "not a whole number"));
                };
                let base = self.compile(source, base)?;
                self.emit(Instruction::Power(base, power))
            }
            Kind::Binary(op, left, right) => {
                let (l, r) = (self.compile(source, left)?, self.compile(source, right)?);
                // The operands of `+` and `*` are ordered, so that equal results share one instruction.
                self.emit(match op {
                    Op::Add => Instruction::Add(l.min(r), l.max(r)),
                    Op::Mul => Instruction::Mul(l.min(r), l.max(r)),
                    Op::Sub => Instruction::Sub(l, r),
                    _ => Instruction::Div(l, r),
                })
            }
            Kind::Call(name, span, arguments) => self.compile_call(source, name, *span, arguments)?,
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

    /// Compiles a call of `Q(c)`, the loss under the condition `c`, or of `w(c)`, the density of operating conditions.
    fn compile_call(
        &mut self,
        source: &Source,
        name: &str,
        span: Span,
        arguments: &[Expr],
    ) -> Result<usize, Diagnostic> {
        let ([argument], "Q" | "w") = (arguments, name) else {
            return Err(source.error(span, format!("unknown function `{name}`"), "only Q(c) and w(c)"));
        };
        let (c, complement) = (self.compile(source, argument)?, self.complement(source, argument)?);
        if name == "w" {
            return Ok(self.emit(Instruction::Weight(c, complement)));
        }
        let outer = self.argument.replace([c, complement]);
        let loss = self.compile_definition("Q")?;
        self.argument = outer;
        loss.ok_or_else(|| source.error(span, "`Q` has no definition", "undefined"))
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
        let register = self.compile(source, expr)?;
        Ok(self.emit(Instruction::Sub(one, register)))
    }

    /// The register of a name; `None` if it is not in the vocabulary.
    pub(super) fn compile_name(&mut self, name: &str) -> Result<Option<usize>, Diagnostic> {
        match (name, self.argument) {
            ("c", Some([argument, _])) => return Ok(Some(argument)),
            ("1-c", Some([_, complement])) => return Ok(Some(complement)),
            _ => {}
        }
        if let Some(register) = INPUTS.iter().chain(&NUMBERS).position(|input| *input == name) {
            return Ok(Some(register));
        }
        // The definition of a name does not see the `c` of a surrounding `Q`.
        let outer = self.argument.take();
        let register = self.compile_definition(name);
        self.argument = outer;
        register
    }

    /// Compiles the definition of a name of the vocabulary; `None` if it has none.
    fn compile_definition(&mut self, name: &str) -> Result<Option<usize>, Diagnostic> {
        match PARSED.get(name) {
            Some((source, Some(expr))) => self.compile(source, expr).map(Some),
            _ => Ok(None),
        }
    }
}
