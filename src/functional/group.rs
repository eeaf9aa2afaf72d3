//! Definitions that are integrated together, compiled.

use super::cost::Cost;
use super::definition::{Definition, METRICS, Method, Reading, Scores, metric_named};
use super::program::{Inputs, Program, Registers, View};
use crate::calculus::panel::{Motion, Panel, posterior};
use std::sync::LazyLock;

/// How far the integral of `dc` over a panel may be from the difference of the posteriors at its ends.
const MISSED_POSTERIOR: f64 = 1e-11;

/// An excess beyond which it does not matter how large it is.
const ENOUGH: f64 = 1e6;

/// Definitions that are integrated together.
pub(crate) struct Group {
    pub(crate) names: Vec<String>,
    /// What the definitions say.
    pub(crate) texts: Vec<&'static str>,
    pub(crate) program: Program,
    /// Where `dc` is among the outputs, if the posterior is integrated over.
    pub(super) posterior: Option<usize>,
    /// For each definition, at what the density of operating conditions is read: that and one minus it.
    pub(super) conditions: Vec<Option<Program>>,
}

impl Group {
    pub(super) fn new(metrics: &[&str], methods: &[Method]) -> Group {
        let metric = |name: &&str| metric_named(name).map(|m| (m.name.to_owned(), m.reading));
        let of_metrics = metrics.iter().filter_map(metric);
        let readings = of_metrics.chain(methods.iter().map(|m| (m.name(), m.reading())));
        let (names, texts): (Vec<String>, Vec<&'static str>) = readings
            .filter_map(|(name, reading)| match reading {
                Reading::Along(text) | Reading::AlongHull(text) => Some((name, text)),
                _ => None,
            })
            .unzip();
        let conditions = texts.iter().map(|text| condition(text)).collect();
        let posterior = texts.iter().any(|t| t.contains("dc")).then_some(names.len());
        let outputs: Vec<&str> = texts.iter().copied().chain(posterior.map(|_| "dc")).collect();
        Group { names, program: compiled(&outputs), texts, posterior, conditions }
    }

    /// How far the integrals just computed over a panel are from resolved: at most 1 if they are.
    fn excess(&self, registers: &Registers) -> f64 {
        (0..self.names.len()).map(|k| self.program.integral(k, registers).excess()).fold(0.0, f64::max)
    }

    /// How much of the posterior's way along an arc has slipped between the nodes, if the posterior is integrated over: where
    /// it starts and ends is known.
    pub(super) fn missed_posterior(&self, panel: &Panel, view: &View, registers: &Registers) -> Option<f64> {
        let k = self.posterior.filter(|_| panel.motion == Motion::Arc)?;
        let [from, to] = [panel.start_share, panel.end_share].map(|q| posterior(q, (view.pi0, view.pi1)));
        // Near 1 the complements know the way better.
        let way = if from[1] < from[0] { to[1] - from[1] } else { from[0] - to[0] };
        Some((self.program.integral(k, registers).value - way).abs())
    }

    pub(super) fn position(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|n| n == name)
    }
}

/// What stands in `w(…)`, and one minus it.
fn condition(text: &str) -> Option<Program> {
    let (_, rest) = text.split_once("w(")?;
    let (argument, _) = rest.split_once(')')?;
    Some(compiled(&[argument, &format!("1-{argument}")]))
}

/// Compiles texts of this crate; that they compile is tested.
pub(crate) fn compiled(texts: &[&str]) -> Program {
    Program::new(texts).unwrap_or_else(|_| Program::empty())
}

/// What is integrated along the curve itself, for cost proportions and for skews.
pub(super) struct Groups {
    pub(super) cost: Group,
    pub(super) skew: Group,
}

impl Groups {
    /// All integrals along the curve that apply: to probabilities, or to scores of any kind.
    fn new(to_probabilities: bool) -> Groups {
        let applies = |scores: Scores| to_probabilities || scores != Scores::Probabilities;
        let methods: Vec<Method> = Method::ALL
            .into_iter()
            .filter(|m| matches!(m.reading(), Reading::Along(_)) && applies(m.scores()))
            .collect();
        let along = || METRICS.iter().filter(|m| matches!(m.reading, Reading::Along(_)) && applies(m.scores));
        let is_balanced = |name: &str| METRICS.iter().any(|m| matches!(m.reading, Reading::Balanced(of) if of == name));
        let cost: Vec<&str> = along().map(|m| m.name).collect();
        let skew: Vec<&str> = cost.iter().copied().filter(|name| is_balanced(name)).collect();
        Groups { cost: Group::new(&cost, &methods), skew: Group::new(&skew, &methods) }
    }
}

pub(super) static OF_PROBABILITIES: LazyLock<Groups> = LazyLock::new(|| Groups::new(true));
pub(super) static OF_SCORES: LazyLock<Groups> = LazyLock::new(|| Groups::new(false));
pub(super) static HULL: LazyLock<Group> = LazyLock::new(|| {
    let of_hull = |m: &Definition| if let Reading::OfHull(name) = m.reading { Some(name) } else { None };
    Group::new(&METRICS.iter().filter_map(of_hull).collect::<Vec<_>>(), &[])
});
pub(super) static OPTIMAL: LazyLock<Group> = LazyLock::new(|| Group::new(&[], &[Method::Optimal]));
static RESOLUTION: LazyLock<Group> = LazyLock::new(|| Group::new(&["RL"], &[Method::Optimal]));
static UNWEIGHTED: LazyLock<Cost> = LazyLock::new(Cost::uniform);

/// How far a panel is from resolving refinement loss and optimal loss, for the given and for balanced class proportions: the
/// functionals that see most of the shape of the curve. At most 1 if it does.
pub(crate) fn excess(pi0: f64, pi1: f64) -> impl FnMut(&Panel) -> f64 {
    let mut registers = Registers::default();
    move |panel| {
        let mut of = |pi0: f64, pi1: f64| {
            let view = View { pi0, pi1, cost: &UNWEIGHTED, range: (0.0, 1.0) };
            RESOLUTION.program.run(&Inputs::of(panel), &view, &mut registers);
            let missed = RESOLUTION.missed_posterior(panel, &view, &registers).unwrap_or(0.0);
            RESOLUTION.excess(&registers).max(missed / MISSED_POSTERIOR)
        };
        let given = of(pi0, pi1);
        if pi0 == pi1 || given > ENOUGH { given } else { given.max(of(0.5, 0.5)) }
    }
}
