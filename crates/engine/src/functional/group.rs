//! Definitions that are integrated together, compiled.

use super::cost::Cost;
use super::definition::{METRICS, Method, Reading, metric_named};
use super::missing::Missing;
use super::program::{Environment, Grade, Inputs, Program, Registers};
use crate::calculus::panel::{Motion, Panel, posterior};
use rocproof_algebra::{Rational, invariant};
use rocproof_language::meaning::{self, NoMeaning, Piece, Pieces};
use rocproof_language::{Diagnostic, Expr, Kind, Op, Source, Span, parse};
use std::sync::{LazyLock, OnceLock};

/// How far the integral of `dc` over a panel may be from the difference of the posteriors at its ends.
const MISSED_POSTERIOR: f64 = 1e-11;

/// An excess beyond which it does not matter how large it is.
const ENOUGH: f64 = 1e6;

/// Expressions that are integrated together.
#[derive(Debug)]
pub struct Group {
    /// What they say.
    pub texts: Vec<String>,
    /// The expressions as they stand, before they are restricted to pieces.
    pub program: Program,
    /// What is known of each beforehand.
    pub origins: Vec<Origin>,
    /// Which go over the posterior.
    pub turns: Vec<bool>,
    /// Where `dc` is among the outputs, if the posterior is integrated over.
    pub posterior: Option<usize>,
    /// For each expected loss, at what the density of operating conditions is read: that and one minus it.
    pub conditions: Vec<Option<Program>>,
    /// The expressions, of which those that a user typed may have no meaning on some pieces.
    integrands: Vec<Expr>,
    /// Whether they have one, for each choice of pieces.
    meanings: [OnceLock<Vec<Option<NoMeaning>>>; 16],
    /// The expressions restricted to each kind of piece.
    restricted: [OnceLock<Restricted>; Piece::ALL.len()],
}

/// Expressions as they are on one kind of piece: what [`meaning::restrict`] leaves of them. Only this is evaluated.
#[derive(Debug)]
pub struct Restricted {
    /// One output for each expression, and `dc` if the posterior is integrated over. An expression without a meaning has no value.
    pub program: Program,
    /// The restricted expressions, one for each.
    pub integrands: Vec<Expr>,
    /// Which of the expressions are 0 there, whatever the curve.
    pub vanishes: Vec<bool>,
    parts: OnceLock<GradedParts>,
}

impl Restricted {
    /// Whether all expressions are 0 there.
    pub fn is_nothing(&self) -> bool {
        !self.vanishes.contains(&false)
    }

    /// The expressions taken apart by their differentials.
    pub fn parts(&self) -> &GradedParts {
        self.parts.get_or_init(|| {
            let (program, found) = self.program.by_grade();
            let mut parts = GradedParts { program, list: Vec::new(), whole: Vec::new() };
            for (k, found) in found.into_iter().take(self.vanishes.len()).enumerate() {
                match found {
                    Some(grades) => parts.list.extend(grades.into_iter().map(|grade| (k, grade))),
                    None => parts.whole.push(k),
                }
            }
            parts
        })
    }
}

/// Expressions taken apart by their degrees in the differentials.
#[derive(Debug)]
pub struct GradedParts {
    /// One output for each part.
    pub program: Program,
    /// For each part, which expression it belongs to, and its degrees.
    pub list: Vec<(usize, Grade)>,
    /// Which expressions cannot be taken apart.
    pub whole: Vec<usize>,
}

/// Where an expression comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The definition of a metric, which no error of `F0` and `F1` changes by much more than that error.
    Metric,
    /// The definition of an expected loss, of which the same holds.
    Loss,
    /// The definition of the mean score of a class, which scales with the scores.
    Mean(usize),
    /// A text that the user typed.
    Typed,
}

impl Origin {
    /// Whether a text is a definition, and of what kind.
    pub fn of(text: &str) -> Origin {
        let is = |reading: Reading| reading.text() == Some(text);
        let mean = ["s0", "s1"].iter().position(|name| metric_named(name).is_some_and(|m| is(m.reading)));
        match mean {
            Some(class) => Origin::Mean(class),
            None if Method::ALL.iter().any(|method| is(method.reading())) => Origin::Loss,
            None if METRICS.iter().any(|metric| is(metric.reading)) => Origin::Metric,
            None => Origin::Typed,
        }
    }
}

impl Group {
    /// Expressions in the vocabulary of [`super::definition`].
    pub fn new(texts: Vec<String>) -> Result<Group, Diagnostic> {
        let sources: Vec<Source> = texts.iter().map(|text| Source::new("integral", text)).collect();
        let integrands = sources.iter().map(parse).collect::<Result<Vec<Expr>, _>>()?;
        let inner =
            || sources.iter().zip(&integrands).map(|(source, expr)| (source, meaning::split_restriction(expr).0));
        let program = Program::of_syntax(inner())?;
        let turns: Vec<bool> = (0..texts.len()).map(|k| program.reads(k, &["dq1"])).collect();
        let posterior = turns.contains(&true).then_some(texts.len());
        let turning = Source::new("definition", "dc");
        let turn = parse(&turning)?;
        let program = posterior.map_or(Ok(program), |_| Program::of_syntax(inner().chain([(&turning, &turn)])))?;
        let conditions = texts.iter().map(|text| condition(text)).collect();
        let origins = texts.iter().map(|text| Origin::of(text)).collect();
        let (meanings, restricted) = Default::default();
        Ok(Group { texts, program, origins, turns, posterior, conditions, integrands, meanings, restricted })
    }

    /// The expressions restricted to a kind of piece.
    pub fn on(&self, piece: Piece) -> &Restricted {
        self.restricted[piece as usize].get_or_init(|| {
            let number = |value: Rational| Expr { kind: Kind::Number(value), span: Span::default() };
            let nothing = || number(Rational::ZERO);
            let no_value = || {
                let kind = Kind::Binary(Op::Div, Box::new(nothing()), Box::new(nothing()));
                Expr { kind, span: Span::default() }
            };
            // A corner of a given curve has a score. Whether its integrals have a meaning is asked of `lacks`.
            let found = |integrand: &Expr| meaning::restrict(integrand, piece, false);
            let found: Vec<_> = self.integrands.iter().map(found).collect();
            let vanishes = found.iter().map(|found| matches!(found, Ok(None))).collect();
            let left =
                |found: Result<Option<Expr>, _>| found.map_or_else(|_| no_value(), |left| left.unwrap_or_else(nothing));
            let integrands: Vec<Expr> = found.into_iter().map(left).collect();
            let moves = !piece.still().contains(&"dc");
            let turn = if moves { Expr { kind: Kind::Name("dc".into()), span: Span::default() } } else { nothing() };
            let program = compiled_syntax(integrands.iter().chain(self.posterior.map(|_| &turn)));
            Restricted { program, integrands, vanishes, parts: OnceLock::new() }
        })
    }

    /// Whether an expression counts on one kind of piece only.
    pub fn is_masked(&self, k: usize) -> bool {
        meaning::split_restriction(&self.integrands[k]).1.is_some()
    }

    /// Why an expression has no meaning on a curve that is made of such pieces, if it has none.
    pub fn lacks(&self, k: usize, pieces: Pieces) -> Option<Missing> {
        let Pieces { ties, gaps, corners, pure } = pieces;
        let place = [ties, gaps, corners, pure].iter().fold(0, |place, is| 2 * place + usize::from(*is));
        let meanings = self.meanings[place].get_or_init(|| {
            let typed = |(integrand, origin): (&Expr, &Origin)| match origin {
                Origin::Typed => meaning::meaning(integrand, pieces).err(),
                _ => None,
            };
            self.integrands.iter().zip(&self.origins).map(typed).collect()
        });
        meanings[k].map(|lacks| Missing::Inapplicable(lacks.sentence().into()))
    }

    /// The integrands of definitions.
    fn of(readings: &[Option<Reading>]) -> Group {
        let texts = readings.iter().flatten().filter_map(|reading| reading.text()).map(str::to_owned).collect();
        match Group::new(texts) {
            Ok(group) => group,
            Err(error) => invariant!("a definition does not compile: {error}"),
        }
    }

    /// How many expressions there are.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// How far the integrals just computed over a panel are from resolved: at most 1 if they are.
    fn excess(&self, panel: &Panel, registers: &Registers) -> f64 {
        let program = &self.on(panel.piece()).program;
        (0..self.len()).map(|k| program.integral(k, registers).excess()).fold(0.0, f64::max)
    }

    /// How much of the posterior's way along an arc has slipped between the nodes, if the posterior is integrated over: where
    /// it starts and ends is known.
    pub fn missed_posterior(&self, panel: &Panel, view: &Environment, registers: &Registers) -> Option<f64> {
        let k = self.posterior.filter(|_| panel.motion == Motion::Arc)?;
        let [from, to] = [panel.start_share, panel.end_share].map(|q| posterior(q, (view.pi0, view.pi1)));
        // Near 1 the complements know the way better.
        let way = if from[1] < from[0] { to[1] - from[1] } else { from[0] - to[0] };
        Some((self.on(panel.piece()).program.integral(k, registers).value - way).abs())
    }
}

/// What stands in the `w(…)` of an expected loss, and one minus it.
fn condition(text: &str) -> Option<Program> {
    Method::ALL.iter().find(|method| method.reading().text() == Some(text))?;
    let (_, rest) = text.split_once("w(")?;
    let (argument, _) = rest.split_once(')')?;
    Some(compiled(&[argument, &format!("1-{argument}")]))
}

/// Compiles definitions.
pub fn compiled(texts: &[&str]) -> Program {
    match Program::new(texts) {
        Ok(program) => program,
        Err(error) => invariant!("a definition does not compile: {error}"),
    }
}

/// Compiles parts of integrands that were compiled before.
pub fn compiled_syntax<'a>(expressions: impl IntoIterator<Item = &'a Expr>) -> Program {
    let source = Source::new("integral", "");
    match Program::of_syntax(expressions.into_iter().map(|expr| (&source, expr))) {
        Ok(program) => program,
        Err(error) => invariant!("a part of an integrand does not compile: {error}"),
    }
}

/// The optimal loss.
pub static OPTIMAL: LazyLock<Group> = LazyLock::new(|| Group::of(&[Some(Method::<f64>::Optimal.reading())]));
/// The mean scores of both classes.
pub static MEANS: LazyLock<Group> =
    LazyLock::new(|| Group::of(&["s0", "s1"].map(|name| metric_named(name).map(|m| m.reading))));
static RESOLUTION: LazyLock<Group> =
    LazyLock::new(|| Group::of(&[metric_named("RL").map(|m| m.reading), Some(Method::<f64>::Optimal.reading())]));
static UNWEIGHTED: LazyLock<Cost> = LazyLock::new(Cost::uniform);

/// How far a panel is from resolving refinement loss and optimal loss, for the given and for balanced class proportions: the
/// functionals that see most of the shape of the curve. At most 1 if it does.
pub fn excess(pi0: f64, pi1: f64) -> impl FnMut(&Panel) -> f64 {
    let mut registers = Registers::default();
    move |panel| {
        let mut of = |pi0: f64, pi1: f64| {
            let view = Environment { pi0, pi1, cost: &UNWEIGHTED, range: (0.0, 1.0) };
            RESOLUTION.on(panel.piece()).program.run(&Inputs::of(panel), &view, &mut registers);
            let missed = RESOLUTION.missed_posterior(panel, &view, &registers).unwrap_or(0.0);
            RESOLUTION.excess(panel, &registers).max(missed / MISSED_POSTERIOR)
        };
        let given = of(pi0, pi1);
        if pi0 == pi1 || given > ENOUGH { given } else { given.max(of(0.5, 0.5)) }
    }
}
