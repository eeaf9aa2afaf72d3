//! All metrics and losses of a model at the certified level: the same definitions, read in series with proved errors.
//!
//! | file | what it does |
//! | --- | --- |
//! | `weight` | the density of operating conditions |
//! | `peak` | the density of operating conditions as a narrow peak |
//! | `algebra` | evaluation of programs in series, balls and intervals |
//! | `along` | integrals along the curve |
//! | `graded` | straight patches, cut towards an end where the density of conditions is singular |
//! | `around` | integrals over the posterior around corners |
//! | `slope` | how fast expressions change |
//! | `optimal` | the optimal loss along the hull, corners included |
//! | `read` | the answers to questions |
//! | `points` | values at thresholds and rates, largest values |

mod algebra;
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
use crate::model::piecewise::Piecewise;
use crate::model::{Model, Transform};
use crate::transform::certified as transform;
use crate::transform::certified_hull::{EnclosedHull, KnownContact, enclosed_hull};
use crate::transform::exact_hull::exact_hull;
use rocproof_arith::decimal::short;
use rocproof_arith::{Balls, Interval, Number, Rational, Series, libm};
use rocproof_language::Diagnostic;
use std::sync::LazyLock;
use weight::EnclosedCosts;

/// Default target for the width of an enclosure.
pub const WIDTH: f64 = 4e-13;

/// Binary digits to which exact numbers are bounded before they become intervals.
const BITS: usize = 80;

/// Densities of a higher degree are read as families, which is faster, and not as piecewise polynomials.
const LARGEST_DEGREE: usize = 24;

/// Factor by which densities are followed further into their tails to decide the shape of a hull than to compute values.
const FURTHER: f64 = 4.0;

/// Smallest class proportion that still lowers the mass cut off in the tails. Without it, the tails of a vanishing class would be followed
/// without end.
const RAREST: f64 = 1e-15;
/// A class whose proportion is below `1/RARE` is rare: small shares of the other class must then be accurate.
const RARE: f64 = 8.0;
/// Largest reach into the tails: `e^-650` is still a normal float.
const FARTHEST: f64 = 650.0;

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

/// Encloses the curve of a model.
///
/// `least_power` is the smallest power, at most 1, with which the mass of operating conditions vanishes towards 0 or 1. With a small power
/// the conditions near 0 and 1 have much mass, so the tails of the densities matter more.
pub fn enclosed_curve(model: &Model, least_power: f64) -> Result<EnclosedCurve, CertifiedRefusal> {
    match curve_within(model, least_power, Purpose::Values) {
        // Following the tails further may decide the hull. If it does not, the first refusal stands.
        Err(CertifiedRefusal::Hull(x)) => {
            curve_within(model, least_power, Purpose::Shape).map_err(|_| CertifiedRefusal::Hull(x))
        }
        outcome => outcome,
    }
}

/// The purpose of enclosing a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Purpose {
    /// Values: tails too light to change them are not followed.
    Values,
    /// The shape of its hull, which may be decided far out in the tails.
    Shape,
}

/// Encloses the curve of a model as far into its tails as the purpose needs, and applies the transforms of the model.
fn curve_within(model: &Model, least_power: f64, purpose: Purpose) -> Result<EnclosedCurve, CertifiedRefusal> {
    let proportions = model.enclosed_proportions();
    let mixtures = enclosed_densities(model)?;
    let piecewise = piecewise_densities(model, mixtures);
    // A single polynomial between two breakpoints is more accurate than a sum of densities.
    let polynomials = piecewise.map(|classes| classes.map(EnclosedMixture::of_pieces));
    let classes = polynomials.as_ref().map_or(mixtures, |[f0, f1]| [f0, f1]);
    let [tree0, tree1] = [0, 1].map(|class| model.density(class).tree.as_ref());
    let are_alike = tree0.zip(tree1).is_some_and(|(tree0, tree1)| tree0.is_written_like(tree1));
    let aim = aim(proportions, least_power, purpose);
    let curve = EnclosedCurve::new(classes, are_alike, aim, piecewise).map_err(CertifiedRefusal::Curve)?;
    let transforms = model.transforms();
    transforms.iter().enumerate().try_fold(curve, |curve, (k, transform)| {
        transform::apply(&curve, *transform, proportions).or_else(|undecided| {
            // Exact arithmetic may know the chords of a hull that enclosures leave undecided.
            exact_chords(model, &transforms[..k])
                .and_then(|chords| transform::apply_with_chords(&curve, *transform, proportions, &chords))
                .ok_or(CertifiedRefusal::Hull(undecided.0))
        })
    })
}

/// The densities of both classes, enclosed.
fn enclosed_densities(model: &Model) -> Result<[&EnclosedMixture; 2], CertifiedRefusal> {
    let enclosed = |class: usize| model.density(class).enclosed().map_err(|d| CertifiedRefusal::Density(Box::new(d)));
    Ok([enclosed(0)?, enclosed(1)?])
}

/// The densities of both classes as piecewise polynomials, if both are that and of low degree. `None` also if both are members of
/// families: the rate of change of their ratio then has an exact formula, which is better.
fn piecewise_densities<'a>(model: &'a Model, mixtures: [&EnclosedMixture; 2]) -> Option<[&'a Piecewise; 2]> {
    if mixtures.iter().all(|mixture| mixture.is_family()) {
        return None;
    }
    let classes = [model.density(0).piecewise().ok()?, model.density(1).piecewise().ok()?];
    classes.iter().all(|class| class.degree() <= LARGEST_DEGREE).then_some(classes)
}

/// How closely the densities are followed: further into the tails for a rare class, for conditions with much mass near 0 or 1, and to
/// decide the shape of a hull.
///
/// Tails with the mass `m = e^-reach` are left out. They lie where a rate is within about `m` of 0 or 1. The operating conditions that close
/// to 0 or 1 have about the mass `m^least_power`. If a class is rare, the posterior changes by up to `1/rarest` times as much as the shares
/// of the classes. So the reach solves `m^least_power / rarest = e^-REACH`. The shape of a hull needs a multiple of it.
fn aim(proportions: [Interval; 2], least_power: f64, purpose: Purpose) -> Aim {
    let rarest = proportions[0].lo().min(proportions[1].lo()).max(RAREST);
    let further = if purpose == Purpose::Shape { FURTHER } else { 1.0 };
    let reach = (further * (REACH - libm::log(rarest)) / least_power).min(FARTHEST);
    Aim { reach, relative_at_ends: least_power < 1.0 || purpose == Purpose::Shape, rarity: (RARE * rarest).min(1.0) }
}

/// Whether both densities are piecewise polynomials of at most this degree.
fn is_low_degree(model: &Model, degree: usize) -> bool {
    [0, 1].iter().all(|class| model.density(*class).piecewise().is_ok_and(|f| f.degree() <= degree))
}

/// The chords of the hull by exact arithmetic, enclosed. They may decide a hull that enclosures leave open.
///
/// The hull is that of the model's densities after the transforms `after`. `None` unless the densities are piecewise polynomials, exact
/// arithmetic decides the hull, and no transform before it is `Conv` or `Cal`.
fn exact_chords(model: &Model, after: &[Transform]) -> Option<Vec<[KnownContact; 2]>> {
    // After `Conv` or `Cal`, the vertices of the hull are not joints of the curve's pieces.
    if !(is_low_degree(model, LARGEST_DEGREE) && after.iter().all(|t| *t == Transform::Even)) {
        return None;
    }
    let (curve, _) = exact_curve_after(model, after).ok()?;
    let (hull, non_hull_intervals) = exact_hull(&curve).ok()?;
    // Intervals and pieces are in order of the score, so the search for a chord goes on after the piece of the last one.
    let mut pieces = hull.massive().map(|(_, piece)| piece);
    let chord_over = |interval: &[Number; 2]| {
        let scores = [enclose_number(&interval[0])?, enclose_number(&interval[1])?];
        pieces.find_map(|piece| match piece {
            ExactPiece::Straight { from, to, tangent }
                if [enclose_number(&from.x), enclose_number(&to.x)] == scores.map(Some) =>
            {
                Some([enclose_contact(from, tangent[0])?, enclose_contact(to, tangent[1])?])
            }
            _ => None,
        })
    };
    non_hull_intervals.iter().map(chord_over).collect()
}

/// An enclosure of an exact number; `None` if its bounds could not be computed.
fn enclose_number(number: &Number) -> Option<Interval> {
    let [lo, hi] = number.bounds(BITS)?;
    Some(Interval::of(&lo).hull(Interval::of(&hi)))
}

/// An enclosure of an end of a chord; `None` if the bounds of a coordinate could not be computed.
fn enclose_contact(point: &ExactPoint, is_tangent: bool) -> Option<KnownContact> {
    Some(KnownContact { point: enclose_point(point)?, is_tangent })
}

/// An enclosure of an exact point; `None` if the bounds of a coordinate could not be computed.
fn enclose_point(point: &ExactPoint) -> Option<EnclosedPoint> {
    let x = enclose_number(&point.x)?;
    let below = [enclose_number(&point.f[0])?, enclose_number(&point.f[1])?];
    let complement = |f: &Number| enclose_number(&(&Number::from(Rational::ONE) - f));
    let above = [complement(&point.f[0])?, complement(&point.f[1])?];
    Some(EnclosedPoint { x: [x, Interval::ONE - x], below, above })
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

/// The shape of the hull of a model, from a first enclosure of it. If that is undecided, the densities are followed further into their
/// tails.
pub(in crate::functional) fn decide_shape(model: &Model, least_power: f64, hull: EnclosedHull) -> HullShape {
    let hull_with_tails = || curve_within(model, least_power, Purpose::Shape).ok().map(|curve| enclosed_hull(&curve));
    // The exact level decides the shape for polynomials of low degree, and faster.
    let is_open = hull.undecided.is_some() && !is_low_degree(model, FAST_DEGREE);
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

/// The refinement loss alone, aiming at the given width. It is integrated straight from the densities, without distribution functions.
///
/// ```
/// use rocproof_engine::Model;
/// use rocproof_engine::functional::certified::refinement_loss;
/// // 1/2 + π/20 - 4 ln(2)/5.
/// let loss = refinement_loss(&Model::new("2*(1-x)", "4*x^3", "1/2")?, 1e-12).unwrap();
/// assert!(loss.contains(0.10256188823153342) && loss.width() < 1e-12);
/// # Ok::<(), rocproof_language::Diagnostic>(())
/// ```
pub fn refinement_loss(model: &Model, width: f64) -> Result<Interval, CertifiedRefusal> {
    let proportions = model.enclosed_proportions();
    let integrand = Integrand {
        along: |d: [Series; 2]| refinement(proportions, d).unwrap_or(Series::UNKNOWN),
        around: |d: [Balls; 2]| refinement(proportions, d).unwrap_or(Balls::UNKNOWN),
        of_tie: |d: [Interval; 2]| refinement(proportions, d).unwrap_or(Interval::ALL),
        // The integrand is π0·dF0 times the posterior of class 1, which is at most 1.
        of_rest: |[d0, _]: [Interval; 2]| Interval::new(0.0, (proportions[0] * d0).hi().max(0.0)),
    };
    integrand.integral(enclosed_densities(model)?, width).map_err(CertifiedRefusal::Curve)
}

/// The integrand of refinement loss, from the differentials of both distribution functions; `None` if the definition needs more.
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
