//! Random models as text in the language, so that a failing one can be pasted back into `rocproof eval`.
#![allow(dead_code)]

pub mod readings;

use proptest::prelude::*;
use rocproof::calculus::Estimate;
use rocproof::{Condition, Evaluation, Method, Model};

/// A model as text.
#[derive(Clone, Debug)]
pub struct Text {
    pub f0: String,
    pub f1: String,
    pub pi0: String,
}

impl Text {
    pub fn model(&self) -> Model {
        Model::new(&self.f0, &self.f1, &self.pi0).unwrap_or_else(|e| panic!("{self:?}: {}", e.render(false)))
    }
}

fn log_uniform(lo: f64, hi: f64) -> impl Strategy<Value = f64> {
    (lo.ln()..hi.ln()).prop_map(|v| (v.exp() * 1000.0).round() / 1000.0)
}

fn beta() -> impl Strategy<Value = String> {
    let parameter = || prop_oneof![log_uniform(0.3, 200.0), (1..12i32).prop_map(f64::from), Just(0.5), Just(1.0)];
    (parameter(), parameter()).prop_map(|(a, b)| format!("beta({a}, {b})"))
}

/// Two different twelfths, the smaller first.
fn twelfths() -> impl Strategy<Value = (u32, u32)> {
    (0..12u32, 1..=12u32).prop_map(|(a, length)| (a, (a + length).min(12)))
}

fn simple() -> impl Strategy<Value = String> {
    prop_oneof![
        twelfths().prop_map(|(a, b)| format!("uniform({a}/12, {b}/12)")),
        (twelfths(), 0..=4u32)
            .prop_map(|((a, b), m)| format!("triangular({a}/12, {a}/12 + {m}/4*({b}-{a})/12, {b}/12)")),
        (0..20u32, 1..30u32).prop_map(|(m, s)| format!("truncate(normal({m}/20, {s}/30), 0, 1)")),
        (1..7u32).prop_map(|k| format!("normalize(1 + sin({k}*pi*x)/2)")),
        Just("x^(-1/2)/2".to_owned()),
        Just("(1-x)^(-1/3)*2/3".to_owned()),
    ]
}

/// Linear pieces with jumps and gaps.
fn pieces() -> impl Strategy<Value = String> {
    prop::collection::vec((0..4u32, 0..4u32, any::<bool>()), 2..7).prop_filter_map("no mass", |heights| {
        let n = heights.len();
        let pieces: Vec<String> = heights
            .iter()
            .enumerate()
            .filter(|(_, (a, b, gap))| !gap && a + b > 0)
            .map(|(i, (a, b, _))| format!("{a} + ({b} - {a})*({n}*x - {i}) on [{i}/{n}, {}/{n}]", i + 1))
            .collect();
        (!pieces.is_empty()).then(|| format!("normalize({{ {} }})", pieces.join("; ")))
    })
}

fn atoms() -> impl Strategy<Value = String> {
    prop::collection::btree_map(0..=20u32, 1..6u32, 1..5).prop_map(|atoms| {
        let atoms: Vec<String> = atoms.iter().map(|(x, m)| format!("{x}/20: {m}")).collect();
        format!("normalize({{ {} }})", atoms.join("; "))
    })
}

fn mixture() -> impl Strategy<Value = String> {
    let part = || prop_oneof![beta(), simple(), pieces(), atoms()];
    (part(), part(), 1..10u32).prop_map(|(f, g, w)| format!("{w}/10*{f} + {}/10*{g}", 10 - w))
}

/// A density on [0, 1].
pub fn density() -> impl Strategy<Value = String> {
    prop_oneof![4 => beta(), 2 => simple(), 2 => pieces(), 1 => atoms(), 2 => mixture()]
}

fn pi0() -> impl Strategy<Value = String> {
    prop_oneof![Just("1/2".to_owned()), (1..1000u32).prop_map(|k| format!("{k}/1000")), Just("1/1000".to_owned())]
}

/// A model with probabilistic scores.
pub fn probabilistic() -> impl Strategy<Value = Text> {
    (density(), density(), pi0()).prop_map(|(f0, f1, pi0)| Text { f0, f1, pi0 })
}

/// A model of few constant or linear pieces and atoms, with jumps and gaps: one that exact arithmetic follows.
pub fn piecewise() -> impl Strategy<Value = Text> {
    let density = || prop_oneof![2 => pieces(), 1 => atoms(), 1 => (pieces(), atoms()).prop_map(|(f, g)| format!("1/3*{f} + 2/3*{g}"))];
    (density(), density(), pi0()).prop_map(|(f0, f1, pi0)| Text { f0, f1, pi0 })
}

/// A model with scores on the whole line.
pub fn unbounded() -> impl Strategy<Value = Text> {
    let scaled = (0..2u32, -20..20i32, 5..25u32).prop_map(|(family, m, s)| {
        let family = ["normal", "logistic"][family as usize];
        format!("{family}({m}/10, {s}/5)")
    });
    let both = (scaled.clone(), scaled, pi0());
    both.prop_map(|(f0, f1, pi0)| Text { f0, f1, pi0 })
}

/// A cost distribution.
pub fn cost() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("uniform".to_owned()),
        Just("beta(2, 2)".to_owned()),
        (log_uniform(0.3, 20.0), log_uniform(0.3, 20.0)).prop_map(|(a, b)| format!("beta({a}, {b})")),
    ]
}

pub fn metric(evaluation: &Evaluation, name: &str) -> Estimate {
    evaluation.metric(name).and_then(|v| v.estimate()).unwrap_or_else(|| panic!("no {name}"))
}

pub fn loss(evaluation: &Evaluation, condition: Condition, method: Method) -> Estimate {
    evaluation.loss(condition, method).and_then(|v| v.estimate()).unwrap_or_else(|| panic!("no {method:?}"))
}

/// `a + b·m` of an estimate.
pub fn affine(a: f64, b: f64, m: Estimate) -> Estimate {
    Estimate { value: a + b * m.value, error: (b * m.error).abs() + 2.0 * f64::EPSILON }
}

pub fn sum(a: Estimate, b: Estimate) -> Estimate {
    Estimate { value: a.value + b.value, error: a.error + b.error + f64::EPSILON }
}

/// Both sides of an identity, each from its own definition, agree within their errors; and the errors are small enough for
/// that to mean something.
#[macro_export]
macro_rules! assert_same {
    ($left:expr, $right:expr) => {{
        let (left, right) = ($left, $right);
        let same = left.agrees_with(right) && left.error + right.error < 1e-11;
        proptest::prop_assert!(same, "{}: {left:?}\n{}: {right:?}", stringify!($left), stringify!($right));
    }};
}

/// A generator of numbers in (0, 1) with 53 bits: xorshift.
pub fn numbers(mut state: u64) -> impl FnMut() -> f64 {
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        ((state >> 11) as f64 + 0.5) / (1u64 << 53) as f64
    }
}
