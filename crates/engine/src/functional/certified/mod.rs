//! All metrics and losses of a model at the certified level: the same definitions, read in series with proved errors.
//!
//! | file | what it does |
//! | --- | --- |
//! | `weight` | the density of operating conditions |
//! | `peak` | the same where it is a narrow peak |
//! | `along` | integrals along the curve |
//! | `graded` | straight stretches towards conditions that have a singular density |
//! | `around` | integrals over the posterior around corners |
//! | `slope` | how fast expressions change |
//! | `optimal` | the optimal loss along the hull, corners included |
//! | `read` | the answers to questions |
//! | `points` | values at thresholds and rates, largest values |

mod along;
mod around;
mod graded;
mod optimal;
mod peak;
mod points;
mod read;
mod slope;
mod weight;

pub(super) use read::{CertifiedReading, read_certified};

use super::cost::Cost;
use super::definition::{Reading, metric_named};
use super::exact::{FAST_DEGREE, exact_curve_after};
use super::group::compile_definitions;
use super::program::{Algebra, Program};
use crate::calculus::patch::EnclosedPoint;
use crate::model::certified::march::REACH;
use crate::model::certified::straight::Integrand;
use crate::model::certified::{Aim, EnclosedCurve, EnclosedMixture, Trouble};
use crate::model::exact_curve::{ExactPiece, ExactPoint};
use crate::model::{Model, Transform};
use crate::transform::certified as transform;
use crate::transform::certified_hull::{EnclosedHull, enclosed_hull};
use crate::transform::exact_hull::exact_hull;
use rocproof_arith::decimal::short;
use rocproof_arith::{Balls, Interval, Number, Rational, Series, libm};
use rocproof_language::Diagnostic;
use std::sync::LazyLock;
use weight::EnclosedCosts;

/// How narrow values should be unless told otherwise.
pub const WIDTH: f64 = 4e-13;

/// Binary digits of exact numbers.
const BITS: usize = 80;

/// Beyond this degree polynomials are not read as what they are: families are faster.
const LARGEST_DEGREE: usize = 24;

/// So many times further than for values densities are followed if the shape of a hull is not decided yet.
const FURTHER: f64 = 4.0;

/// A class that is rarer than this is not followed any more closely.
const RAREST: f64 = 1e-15;
/// So many times rarer than the other a class must be to ask for more.
const RARE: f64 = 8.0;

/// Why a model has no certified evaluation.
#[derive(Clone, Debug)]
pub enum CertifiedRefusal {
    /// Something about a density, with its place in the text.
    Density(Box<Diagnostic>),
    /// The curve could not be enclosed.
    Curve(Trouble),
    /// A transform rests on a hull that could not be verified near this score.
    Hull(f64),
}

impl std::fmt::Display for CertifiedRefusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            CertifiedRefusal::Density(diagnostic) => write!(f, "{}: {}", diagnostic.source.name, diagnostic.message),
            CertifiedRefusal::Curve(trouble) => write!(f, "no certified level here: {trouble}"),
            CertifiedRefusal::Hull(x) => {
                write!(
                    f,
                    "no certified level here: the hull that the transform needs could not be verified near x = {}",
                    short(*x, 6)
                )
            }
        }
    }
}

/// The curve of a model, enclosed; `least_power` is the smallest power with which the mass of operating conditions vanishes
/// towards 0 or 1, or 1.
pub fn enclosed_curve(model: &Model, least_power: f64) -> Result<EnclosedCurve, CertifiedRefusal> {
    match curve_within(model, least_power, Towards::Values) {
        // A hull that is not decided where hardly any mass is left may be if that is followed.
        Err(CertifiedRefusal::Hull(x)) => {
            curve_within(model, least_power, Towards::Shape).map_err(|_| CertifiedRefusal::Hull(x))
        }
        found => found,
    }
}

/// What a curve is enclosed for.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Towards {
    /// Values: mass that they do not feel is not followed.
    Values,
    /// The shape of its hull, which may be decided where hardly any mass is left.
    Shape,
}

fn curve_within(model: &Model, least_power: f64, towards: Towards) -> Result<EnclosedCurve, CertifiedRefusal> {
    let parts = |class: usize| model.density(class).enclosed().map_err(|d| CertifiedRefusal::Density(Box::new(d)));
    let proportions = model.enclosed_proportions();
    let rarest = proportions[0].lo().min(proportions[1].lo()).max(RAREST);
    let further = if towards == Towards::Shape { FURTHER } else { 1.0 };
    let reach = (further * (REACH - libm::log(rarest)) / least_power).min(650.0);
    let [f0, f1] = [0, 1].map(|class| model.density(class).tree.as_ref());
    let alike = f0.zip(f1).is_some_and(|(f0, f1)| f0.is_written_like(f1));
    let aim = Aim { reach, graded: least_power < 1.0 || towards == Towards::Shape, rarity: (RARE * rarest).min(1.0) };
    let classes = [parts(0)?, parts(1)?];
    let exact = match [0, 1].map(|class| model.density(class)) {
        // Two densities of one family say exactly how their ratio changes.
        _ if classes.iter().all(|class| class.is_family()) => None,
        [f0, f1] => f0.piecewise().ok().zip(f1.piecewise().ok()).map(|(f0, f1)| [f0, f1]),
    };
    let exact = exact.filter(|classes| classes.iter().all(|class| class.degree() <= LARGEST_DEGREE));
    // One polynomial between any two places is known better than a sum of densities.
    let polynomials = exact.map(|classes| classes.map(EnclosedMixture::of_pieces));
    let classes = polynomials.as_ref().map_or(classes, |[f0, f1]| [f0, f1]);
    let curve = EnclosedCurve::new(classes, alike, aim, exact).map_err(CertifiedRefusal::Curve)?;
    model.transforms().iter().enumerate().try_fold(curve, |curve, (k, t)| {
        transform::apply(&curve, *t, proportions).or_else(|hull| {
            let chords = exact_chords(model, &model.transforms()[..k]);
            let found = chords.and_then(|chords| transform::apply_with_chords(&curve, *t, proportions, &chords));
            found.ok_or(CertifiedRefusal::Hull(hull.0))
        })
    })
}

/// Whether both densities are piecewise polynomials of no higher degree.
fn low_degree(model: &Model, degree: usize) -> bool {
    [0, 1].iter().all(|class| model.density(*class).piecewise().is_ok_and(|f| f.degree() <= degree))
}

/// The chords of the hull by exact arithmetic, enclosed, where the densities are piecewise polynomial: there a hull is decided that
/// enclosures leave open. Each end with whether the chord touches an arc there.
fn exact_chords(model: &Model, after: &[Transform]) -> Option<Vec<[(EnclosedPoint, bool); 2]>> {
    // Of a hull the vertices are no joints of stretches.
    if !(low_degree(model, LARGEST_DEGREE) && after.iter().all(|t| *t == Transform::Even)) {
        return None;
    }
    let (curve, _) = exact_curve_after(model, after).ok()?;
    let (hull, gaps) = exact_hull(&curve).ok()?;
    let enclosed = |number: &Number| {
        let [lo, hi] = number.bounds(BITS)?;
        Some(Interval::of(&lo).hull(Interval::of(&hi)))
    };
    let spot = |point: &ExactPoint| {
        let [x, f0, f1] = [enclosed(&point.x)?, enclosed(&point.f[0])?, enclosed(&point.f[1])?];
        let above = |f: &Number| enclosed(&(&Number::from(Rational::ONE) - f));
        Some(EnclosedPoint {
            x: [x, Interval::ONE - x],
            below: [f0, f1],
            above: [above(&point.f[0])?, above(&point.f[1])?],
        })
    };
    let mut pieces = hull.massive().map(|(_, piece)| piece);
    let chord = |gap: &[Number; 2]| {
        let ends = [enclosed(&gap[0])?, enclosed(&gap[1])?];
        pieces.find_map(|piece| match piece {
            ExactPiece::Straight { from, to, tangent } => {
                let is_it = [enclosed(&from.x), enclosed(&to.x)] == ends.map(Some);
                is_it.then(|| Some([(spot(from)?, tangent[0]), (spot(to)?, tangent[1])]))?
            }
            ExactPiece::Arc(_) => None,
        })
    };
    gaps.iter().map(chord).collect()
}

/// The shape of a hull, as far as it is proved.
#[derive(Clone, Debug)]
pub struct HullShape {
    /// Whether the ROC curve is convex, if that could be decided.
    pub convex: Option<bool>,
    /// The non-hull intervals, their ends enclosed.
    pub gaps: Vec<[Interval; 2]>,
    /// A score near which the hull could not be verified.
    pub undecided: Option<f64>,
}

/// The shape of the hull of a model. Where it is undecided the densities are followed further into their tails.
pub(in crate::functional) fn decide_shape(model: &Model, least_power: f64, hull: EnclosedHull) -> HullShape {
    let further = || curve_within(model, least_power, Towards::Shape).ok().map(|curve| enclosed_hull(&curve));
    // Of polynomials the exact level decides what is open, and faster.
    let is_open = hull.undecided.is_some() && !low_degree(model, FAST_DEGREE);
    let decided = if is_open { further().filter(|hull| hull.undecided.is_none()) } else { None };
    let EnclosedHull { convex, gaps, undecided, .. } = decided.unwrap_or(hull);
    HullShape { convex, gaps, undecided }
}

/// The shape of the hull of a model, as the certified level finds it for losses under a distribution of operating conditions.
pub fn hull_shape(model: &Model, cost: &Cost) -> Result<HullShape, CertifiedRefusal> {
    let least_power = EnclosedCosts::new(cost.parameters()).map_or(1.0, |weight| weight.least_power().min(1.0));
    let curve = enclosed_curve(model, least_power)?;
    Ok(decide_shape(model, least_power, enclosed_hull(&curve)))
}

/// The refinement loss alone, straight from the densities: no distribution function is needed for it.
///
/// ```
/// use rocproof_engine::Model;
/// use rocproof_engine::functional::certified::refinement_loss;
/// // 1/2 + π/20 - 4 ln(2)/5.
/// let found = refinement_loss(&Model::new("2*(1-x)", "4*x^3", "1/2")?, 1e-12).unwrap();
/// assert!(found.contains(0.10256188823153342) && found.width() < 1e-12);
/// # Ok::<(), rocproof_language::Diagnostic>(())
/// ```
pub fn refinement_loss(model: &Model, width: f64) -> Result<Interval, CertifiedRefusal> {
    let parts = |class: usize| model.density(class).enclosed().map_err(|d| CertifiedRefusal::Density(Box::new(d)));
    let proportions = model.enclosed_proportions();
    let integrand = Integrand {
        along: |d: [Series; 2]| refinement(proportions, d).unwrap_or(Series::UNKNOWN),
        around: |d: [Balls; 2]| refinement(proportions, d).unwrap_or(Balls::UNKNOWN),
        of_tie: |d: [Interval; 2]| refinement(proportions, d).unwrap_or(Interval::ALL),
        // The share of the other class is at most 1.
        of_rest: |[d0, _]: [Interval; 2]| Interval::new(0.0, (proportions[0] * d0).hi().max(0.0)),
    };
    integrand.integral([parts(0)?, parts(1)?], width).map_err(CertifiedRefusal::Curve)
}

/// What the definition of refinement loss makes of the differentials of both distribution functions.
fn refinement<A: Algebra + From<Interval>>(proportions: [Interval; 2], [d0, d1]: [A; 2]) -> Option<A> {
    let [pi0, pi1] = proportions.map(A::from);
    REFINEMENT.value(|name| match name {
        "pi0" => Some(&pi0),
        "pi1" => Some(&pi1),
        "dF0" => Some(&d0),
        "dF1" => Some(&d1),
        _ => None,
    })
}

/// The definition of refinement loss, compiled.
static REFINEMENT: LazyLock<Program> = LazyLock::new(|| match metric_named("RL").map(|m| m.reading) {
    Some(Reading::Along(text)) => compile_definitions(&[text]),
    _ => Program::empty(),
});
