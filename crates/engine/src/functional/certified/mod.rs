//! All metrics and losses of a model at the certified level: the same definitions, read in series with proved errors.
//!
//! | file | what it does |
//! | --- | --- |
//! | `weight` | the density of operating conditions |
//! | `peak` | the density of operating conditions as a narrow peak |
//! | `along` | integrals along the curve |
//! | `graded` | straight patches, cut towards an end where the density of conditions is singular |
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

/// Densities of a higher degree are read as families, which is faster, and not as piecewise polynomials.
const LARGEST_DEGREE: usize = 24;

/// Factor by which densities are followed further into their tails to decide the shape of a hull than to compute values.
const FURTHER: f64 = 4.0;

/// Below this proportion, a rarer class is not followed more closely.
const RAREST: f64 = 1e-15;
/// A class whose proportion is below `1/RARE` asks for more accuracy.
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
        // The tails, followed further, may decide the hull.
        Err(CertifiedRefusal::Hull(x)) => {
            curve_within(model, least_power, Towards::Shape).map_err(|_| CertifiedRefusal::Hull(x))
        }
        outcome => outcome,
    }
}

/// The purpose of enclosing a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Towards {
    /// Values: tails too light to change them are not followed.
    Values,
    /// The shape of its hull, which may be decided far out in the tails.
    Shape,
}

/// The curve of a model, enclosed as far into its tails as the purpose needs.
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
        // For two densities of one family, the rate of change of their ratio has an exact formula.
        _ if classes.iter().all(|class| class.is_family()) => None,
        [f0, f1] => f0.piecewise().ok().zip(f1.piecewise().ok()).map(|(f0, f1)| [f0, f1]),
    };
    let exact = exact.filter(|classes| classes.iter().all(|class| class.degree() <= LARGEST_DEGREE));
    // A single polynomial between two breakpoints is more accurate than a sum of densities.
    let polynomials = exact.map(|classes| classes.map(EnclosedMixture::of_pieces));
    let classes = polynomials.as_ref().map_or(classes, |[f0, f1]| [f0, f1]);
    let curve = EnclosedCurve::new(classes, alike, aim, exact).map_err(CertifiedRefusal::Curve)?;
    model.transforms().iter().enumerate().try_fold(curve, |curve, (k, t)| {
        transform::apply(&curve, *t, proportions).or_else(|hull| {
            let chords = exact_chords(model, &model.transforms()[..k]);
            let transformed = chords.and_then(|chords| transform::apply_with_chords(&curve, *t, proportions, &chords));
            transformed.ok_or(CertifiedRefusal::Hull(hull.0))
        })
    })
}

/// Whether both densities are piecewise polynomials of at most this degree.
fn low_degree(model: &Model, degree: usize) -> bool {
    [0, 1].iter().all(|class| model.density(*class).piecewise().is_ok_and(|f| f.degree() <= degree))
}

/// The chords of the hull by exact arithmetic, enclosed; `None` unless the densities are piecewise polynomial. They may decide a hull that
/// enclosures leave open. Each end has a flag: whether the chord is tangent to an arc there.
fn exact_chords(model: &Model, after: &[Transform]) -> Option<Vec<[(EnclosedPoint, bool); 2]>> {
    // After `Conv` or `Cal`, the vertices of the hull are not joints of the curve's pieces.
    if !(low_degree(model, LARGEST_DEGREE) && after.iter().all(|t| *t == Transform::Even)) {
        return None;
    }
    let (curve, _) = exact_curve_after(model, after).ok()?;
    let (hull, non_hull) = exact_hull(&curve).ok()?;
    let enclose = |number: &Number| {
        let [lo, hi] = number.bounds(BITS)?;
        Some(Interval::of(&lo).hull(Interval::of(&hi)))
    };
    let enclose_point = |point: &ExactPoint| {
        let [x, f0, f1] = [enclose(&point.x)?, enclose(&point.f[0])?, enclose(&point.f[1])?];
        let above = |f: &Number| enclose(&(&Number::from(Rational::ONE) - f));
        Some(EnclosedPoint {
            x: [x, Interval::ONE - x],
            below: [f0, f1],
            above: [above(&point.f[0])?, above(&point.f[1])?],
        })
    };
    let mut pieces = hull.massive().map(|(_, piece)| piece);
    let chord = |interval: &[Number; 2]| {
        let ends = [enclose(&interval[0])?, enclose(&interval[1])?];
        pieces.find_map(|piece| match piece {
            ExactPiece::Straight { from, to, tangent } => {
                let has_these_ends = [enclose(&from.x), enclose(&to.x)] == ends.map(Some);
                has_these_ends.then(|| Some([(enclose_point(from)?, tangent[0]), (enclose_point(to)?, tangent[1])]))?
            }
            ExactPiece::Arc(_) => None,
        })
    };
    non_hull.iter().map(chord).collect()
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

/// The shape of the hull of a model. If it is undecided, the densities are followed further into their tails.
pub(in crate::functional) fn decide_shape(model: &Model, least_power: f64, hull: EnclosedHull) -> HullShape {
    let hull_with_tails = || curve_within(model, least_power, Towards::Shape).ok().map(|curve| enclosed_hull(&curve));
    // For polynomials of low degree the exact level decides the shape, and faster.
    let is_open = hull.undecided.is_some() && !low_degree(model, FAST_DEGREE);
    let decided = if is_open { hull_with_tails().filter(|hull| hull.undecided.is_none()) } else { None };
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

/// The integrand of refinement loss, from the differentials of both distribution functions.
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
