//! Groups: expressions that are integrated together along one curve, compiled and restricted to each kind of piece.

use super::cost::Cost;
use super::definition::{METRICS, Method, Reading, metric_named};
use super::missing::Missing;
use super::program::{Environment, Grade, Inputs, Program, Registers};
use crate::calculus::panel::{Motion, Panel, posterior};
use rocproof_algebra::{Rational, invariant};
use rocproof_language::meaning::{self, NoMeaning, Piece, Pieces};
use rocproof_language::{Diagnostic, Expr, Kind, Op, Source, Span, parse};
use std::sync::{LazyLock, OnceLock};

/// Tolerance for the difference between the integral of `dc` over a panel and the increment of the posterior.
const MISSED_POSTERIOR: f64 = 1e-11;

/// Above this excess, a panel is halved anyway, so the excess under balanced proportions is not computed.
const ENOUGH: f64 = 1e6;

/// Expressions that are integrated together.
#[derive(Debug)]
pub struct Group {
    /// Their texts.
    pub texts: Vec<String>,
    /// The expressions before restriction, and `dc` if one of them is integrated over the posterior.
    pub program: Program,
    /// Their origins: what is known in advance of how errors carry over.
    pub origins: Vec<Origin>,
    /// Which expressions are integrated over the posterior.
    pub turns: Vec<bool>,
    /// The index of the output that is `dc`, if one of them is integrated over the posterior.
    pub posterior: Option<usize>,
    /// For each expected loss, the argument of `w(…)` and one minus it.
    pub conditions: Vec<Option<Program>>,
    /// The expressions as syntax. Typed ones may have no meaning on some pieces.
    integrands: Vec<Expr>,
    /// For each of the 16 sets of pieces, why an expression has no meaning there; filled on demand.
    meanings: [OnceLock<Vec<Option<NoMeaning>>>; 16],
    /// The expressions restricted to each kind of piece; filled on demand.
    restricted: [OnceLock<Restricted>; Piece::ALL.len()],
}

/// Expressions restricted to one kind of piece by [`meaning::restrict`]. Only these are evaluated.
#[derive(Debug)]
pub struct Restricted {
    /// One output for each expression, and `dc` if one is integrated over the posterior. An expression without a meaning has the value 0/0.
    pub program: Program,
    /// The restricted expressions.
    pub integrands: Vec<Expr>,
    /// Which expressions are identically 0 on such pieces.
    pub vanishes: Vec<bool>,
    parts: OnceLock<GradedParts>,
}

impl Restricted {
    /// Whether all expressions are identically 0.
    pub fn is_nothing(&self) -> bool {
        !self.vanishes.contains(&false)
    }

    /// The expressions decomposed by their differentials.
    pub fn parts(&self) -> &GradedParts {
        self.parts.get_or_init(|| {
            let (program, grades_of_outputs) = self.program.by_grade();
            let mut parts = GradedParts { program, list: Vec::new(), undivided: Vec::new() };
            // The outputs of the expressions come first; that of `dc` is left out.
            for (expression, grades) in grades_of_outputs.into_iter().take(self.vanishes.len()).enumerate() {
                match grades {
                    Some(grades) => parts.list.extend(grades.into_iter().map(|grade| GradedPart { expression, grade })),
                    None => parts.undivided.push(expression),
                }
            }
            parts
        })
    }
}

/// Expressions decomposed into parts of one [`Grade`] each.
#[derive(Debug)]
pub struct GradedParts {
    /// One output for each part.
    pub program: Program,
    /// The parts, in the order of the outputs.
    pub list: Vec<GradedPart>,
    /// The indices of the expressions that cannot be decomposed.
    pub undivided: Vec<usize>,
}

/// A part of an expression that is homogeneous in the differentials.
#[derive(Clone, Copy, Debug)]
pub struct GradedPart {
    /// The index of the expression.
    pub expression: usize,
    /// The degrees of the part in the differentials.
    pub grade: Grade,
}

/// The origin of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The definition of a metric: an error of `F0` or `F1` changes it by at most [`SENSITIVITY`](super::along::SENSITIVITY) times as much.
    Metric,
    /// The definition of an expected loss, with the same bound.
    Loss,
    /// The definition of the mean score of a class: its errors scale with the scores.
    Mean(usize),
    /// An expression that the user typed.
    Typed,
}

impl Origin {
    /// The origin of an expression. A typed expression with the text of a definition counts as that definition.
    pub fn of(text: &str) -> Origin {
        let is = |reading: Reading| reading.text() == Some(text);
        if Method::ALL.iter().any(|method| is(method.reading())) {
            return Origin::Loss;
        }
        match METRICS.iter().find(|metric| is(metric.reading)).map(|metric| metric.mean_of) {
            Some(Some(class)) => Origin::Mean(class),
            Some(None) => Origin::Metric,
            None => Origin::Typed,
        }
    }
}

impl Group {
    /// Parses and compiles expressions in the vocabulary of [`super::definition`]. If one of them is integrated over the posterior, `dc` is
    /// appended as one more output.
    pub fn new(texts: Vec<String>) -> Result<Group, Diagnostic> {
        let sources: Vec<Source> = texts.iter().map(|text| Source::new("integral", text)).collect();
        let integrands = sources.iter().map(parse).collect::<Result<Vec<Expr>, _>>()?;
        // The expressions without a restriction to one kind of piece.
        let unrestricted =
            || sources.iter().zip(&integrands).map(|(source, expr)| (source, meaning::split_restriction(expr).0));
        let program = Program::of_syntax(unrestricted())?;
        let turns: Vec<bool> = (0..texts.len()).map(|k| program.reads(k, &["dq1"])).collect();
        let posterior = turns.contains(&true).then_some(texts.len());
        let dc_source = Source::new("definition", "dc");
        let dc = parse(&dc_source)?;
        // Whether `dc` is needed is known only now: compile once more, with it.
        let program =
            posterior.map_or(Ok(program), |_| Program::of_syntax(unrestricted().chain([(&dc_source, &dc)])))?;
        let origins: Vec<Origin> = texts.iter().map(|text| Origin::of(text)).collect();
        let condition = |(origin, expr): (&Origin, &Expr)| match origin {
            Origin::Loss => compile_condition(expr),
            _ => None,
        };
        let conditions = origins.iter().zip(&integrands).map(condition).collect();
        let (meanings, restricted) = Default::default();
        Ok(Group { texts, program, origins, turns, posterior, conditions, integrands, meanings, restricted })
    }

    /// The expressions restricted to a kind of piece.
    pub fn on(&self, piece: Piece) -> &Restricted {
        let syntax = |kind: Kind| Expr { kind, span: Span::default() };
        let zero = || syntax(Kind::Number(Rational::ZERO));
        self.restricted[piece as usize].get_or_init(|| {
            let no_value = || syntax(Kind::Binary(Op::Div, Box::new(zero()), Box::new(zero())));
            // A corner of a given curve has a score. `lacks` tells whether the integrals there have a meaning.
            let restrict = |integrand: &Expr| meaning::restrict(integrand, piece, false);
            let restricted: Vec<_> = self.integrands.iter().map(restrict).collect();
            let vanishes = restricted.iter().map(|restricted| matches!(restricted, Ok(None))).collect();
            let to_syntax = |restricted: Result<Option<Expr>, _>| {
                restricted.map_or_else(|_| no_value(), |integrand| integrand.unwrap_or_else(zero))
            };
            let integrands: Vec<Expr> = restricted.into_iter().map(to_syntax).collect();
            let posterior_moves = !piece.still().contains(&"dc");
            let dc = if posterior_moves { syntax(Kind::Name("dc".into())) } else { zero() };
            let program = compile_integrands(integrands.iter().chain(self.posterior.map(|_| &dc)));
            Restricted { program, integrands, vanishes, parts: OnceLock::new() }
        })
    }

    /// Whether an expression is restricted to one kind of piece by its text.
    pub(crate) fn is_masked(&self, k: usize) -> bool {
        meaning::split_restriction(&self.integrands[k]).1.is_some()
    }

    /// The reason why an expression has no meaning on a curve of such pieces, if it has none.
    pub fn lacks(&self, k: usize, pieces: Pieces) -> Option<Missing> {
        let Pieces { ties, gaps, corners, pure } = pieces;
        // The index is the binary number of the four flags.
        let index = [ties, gaps, corners, pure].iter().fold(0, |index, has| 2 * index + usize::from(*has));
        let meanings = self.meanings[index].get_or_init(|| {
            // Built-in definitions have a meaning on all curves.
            let lacks_meaning = |(integrand, origin): (&Expr, &Origin)| match origin {
                Origin::Typed => meaning::meaning(integrand, pieces).err(),
                _ => None,
            };
            self.integrands.iter().zip(&self.origins).map(lacks_meaning).collect()
        });
        meanings[k].map(|why| Missing::Inapplicable(why.sentence().into()))
    }

    /// The group of the integrands of definitions; readings without an integrand are left out.
    fn of(readings: &[Option<Reading>]) -> Group {
        let texts = readings.iter().flatten().filter_map(|reading| reading.text()).map(str::to_owned).collect();
        match Group::new(texts) {
            Ok(group) => group,
            Err(error) => invariant!("a definition does not compile: {error}"),
        }
    }

    /// The number of expressions.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Whether there are no expressions.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// The largest excess of the integrals over a panel whose results are in `registers`; at most 1 if they are resolved.
    fn excess(&self, panel: &Panel, registers: &Registers) -> f64 {
        let program = &self.on(panel.piece()).program;
        (0..self.len()).map(|k| program.integral(k, registers).excess()).fold(0.0, f64::max)
    }

    /// By how much the integral of `dc` over an arc, computed at its nodes, misses the true increment of the posterior. `None` for other
    /// panels, or if nothing is integrated over the posterior.
    pub(crate) fn posterior_missed_between_nodes(
        &self,
        panel: &Panel,
        environment: &Environment,
        registers: &Registers,
    ) -> Option<f64> {
        let k = self.posterior.filter(|_| panel.motion == Motion::Arc)?;
        let [start, end] =
            [panel.start_share, panel.end_share].map(|q| posterior(q, (environment.pi0, environment.pi1)));
        // Near 1 the complements are more accurate.
        let increment = if start[1] < start[0] { end[1] - start[1] } else { start[0] - end[0] };
        Some((self.on(panel.piece()).program.integral(k, registers).value - increment).abs())
    }
}

/// Compiles the argument of `w(…)` in an integrand, and one minus it; `None` if there is no `w(…)`.
fn compile_condition(integrand: &Expr) -> Option<Program> {
    let argument = weight_argument(integrand)?;
    let one = Expr { kind: Kind::Number(Rational::ONE), span: Span::default() };
    let kind = Kind::Binary(Op::Sub, Box::new(one), Box::new(argument.clone()));
    Some(compile_integrands([argument, &Expr { kind, span: Span::default() }]))
}

/// The argument of the first `w(…)` in an integrand of a loss; the definitions of losses have one, in a product. `w(…)` under a negation or
/// inside a call is not looked for.
fn weight_argument(expr: &Expr) -> Option<&Expr> {
    match &expr.kind {
        Kind::Call(name, _, arguments) if name == "w" => arguments.first(),
        Kind::Binary(_, left, right) => weight_argument(left).or_else(|| weight_argument(right)),
        _ => None,
    }
}

/// Compiles texts of definitions.
pub fn compile_definitions(texts: &[&str]) -> Program {
    match Program::new(texts) {
        Ok(program) => program,
        Err(error) => invariant!("a definition does not compile: {error}"),
    }
}

/// Compiles integrands, or parts of them, that are known to compile.
pub fn compile_integrands<'a>(expressions: impl IntoIterator<Item = &'a Expr>) -> Program {
    let source = Source::new("integral", "");
    match Program::of_syntax(expressions.into_iter().map(|expr| (&source, expr))) {
        Ok(program) => program,
        Err(error) => invariant!("a part of an integrand does not compile: {error}"),
    }
}

/// The integrand of the optimal loss.
pub(crate) static OPTIMAL: LazyLock<Group> = LazyLock::new(|| Group::of(&[Some(Method::<f64>::Optimal.reading())]));
/// The integrands of the mean scores of both classes.
pub(crate) static MEANS: LazyLock<Group> = LazyLock::new(|| {
    Group::of(&[0, 1].map(|class| METRICS.iter().find(|m| m.mean_of == Some(class)).map(|m| m.reading)))
});
/// The integrands by which a sampled curve is judged: refinement loss and optimal loss.
static RESOLUTION: LazyLock<Group> =
    LazyLock::new(|| Group::of(&[metric_named("RL").map(|m| m.reading), Some(Method::<f64>::Optimal.reading())]));
/// Uniform costs.
static UNWEIGHTED: LazyLock<Cost> = LazyLock::new(Cost::uniform);

/// The criterion for sampling a curve: the excess of a panel for refinement loss and optimal loss, under the given and under balanced class
/// proportions; at most 1 if it is resolved. These functionals depend most on the shape of the curve.
pub(crate) fn sampling_excess(pi0: f64, pi1: f64) -> impl FnMut(&Panel) -> f64 {
    let mut registers = Registers::default();
    move |panel| {
        let mut excess_under = |pi0: f64, pi1: f64| {
            let environment = Environment { pi0, pi1, cost: &UNWEIGHTED, range: (0.0, 1.0) };
            RESOLUTION.on(panel.piece()).program.run(&Inputs::of(panel), &environment, &mut registers);
            let missed = RESOLUTION.posterior_missed_between_nodes(panel, &environment, &registers).unwrap_or(0.0);
            RESOLUTION.excess(panel, &registers).max(missed / MISSED_POSTERIOR)
        };
        let excess = excess_under(pi0, pi1);
        if pi0 == pi1 || excess > ENOUGH { excess } else { excess.max(excess_under(0.5, 0.5)) }
    }
}
