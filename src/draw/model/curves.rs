//! The curves in the figure of a model.

use crate::calculus::Estimate;
use crate::calculus::panel::{Motion, Panel, Point, posterior};
use crate::data::curves::{CurvePiece, UnitQuadratic};
use crate::functional::Cost;
use crate::functional::profile::{Abscissa, Parabola, Profile, optimal_loss_at_corners, parts_of_optimal_loss};
use crate::functional::program::Environment;
use crate::model::{Curve, Model};
use crate::transform::{convexify, non_hull_intervals};

/// The share of each class that the axis may omit at an infinite end.
const LEFT_OUT: f64 = 1e-3;

/// Point masses below this are not drawn: they are rounding at an end where a density is singular.
const SPECK: f64 = 1e-7;
/// Atoms whose computed scores are closer than this are merged.
const SAME: f64 = 1e-12;

/// A point mass, as a figure shows it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Atom {
    /// Its score.
    pub x: f64,
    /// Its mass in each class.
    pub mass: [f64; 2],
    /// The posterior there.
    pub posterior: f64,
    /// Its contribution to the refinement loss.
    pub refinement: f64,
}

/// The curves of a model as pieces from left to right, over scores unless said otherwise. The posterior has no piece where there is no mass.
#[derive(Clone, Debug)]
pub struct ModelCurves {
    /// The densities `f0` and `f1`, without atoms.
    pub densities: [Vec<CurvePiece>; 2],
    /// The distribution functions `F0` and `F1`.
    pub distributions: [Vec<CurvePiece>; 2],
    /// The posterior `c(T)`.
    pub posterior: Vec<CurvePiece>,
    /// Its derivative `c'(T)`.
    pub slope: Vec<CurvePiece>,
    /// The ROC curve: `F0` by `F1`.
    pub roc: Vec<CurvePiece>,
    /// Its hull.
    pub hull: Vec<CurvePiece>,
    /// The parts of the ROC curve that lie below the hull.
    pub below_hull: Vec<Vec<CurvePiece>>,
    /// The smallest loss, by the cost proportion.
    pub loss: Vec<CurvePiece>,
    /// `Q(T; c(T)) c'(T)` along the curve, not its hull: the bijective part of `Λ` if the model is convex.
    pub lambda: Vec<CurvePiece>,
    /// The integrand of the refinement loss, without atoms.
    pub refinement: Vec<CurvePiece>,
    /// The atoms.
    pub atoms: Vec<Atom>,
    /// The range of scores that is shown: all but the far tails.
    pub scores: (f64, f64),
    /// Whether all scores lie in [0, 1].
    pub is_probabilistic: bool,
    /// The integral of `Q(T; c(T)) c'(T)`, and the contribution of jumps of the posterior.
    pub lambda_parts: [Estimate; 2],
    /// The scores where the posterior jumps, each with its contribution.
    pub lambda_jumps: Vec<(f64, f64)>,
}

/// Parabolas as pieces of a curve.
fn pieces(parabolas: Vec<Parabola>) -> Vec<CurvePiece> {
    let piece = |parabola: Parabola| {
        let Parabola { x: [from, to], y: [start, end], bend } = parabola;
        CurvePiece::of(from, to, UnitQuadratic { start, end, bend })
    };
    parabolas.into_iter().map(piece).collect()
}

impl ModelCurves {
    /// Computes the curves of a model. Its class proportions must not be beyond floating point.
    ///
    /// ```
    /// use rocproof::Model;
    /// use rocproof::draw::model::ModelCurves;
    /// let curves = ModelCurves::of(&Model::new("2*(1-x)", "2*x", "1/2")?);
    /// let area: f64 = curves.refinement.iter().filter_map(|piece| piece.area()).sum();
    /// assert!((area - 1.0 / 6.0).abs() < 1e-6);
    /// # Ok::<(), rocproof::lang::Diagnostic>(())
    /// ```
    pub fn of(model: &Model) -> ModelCurves {
        let curve = model.curve();
        let (pi0, pi1) = model.proportions();
        let cost = Cost::uniform();
        let environment = Environment { pi0, pi1, cost: &cost, range: curve.range };
        let spans_scores = |panel: &&Panel| panel.start.x < panel.end.x;
        let over_scores = |profile: &Profile| {
            let panels = curve.panels.iter().filter(spans_scores);
            pieces(profile.along(panels, &environment))
        };
        let over_scores_with_mass = |profile: &Profile| {
            let panels = curve.panels.iter().filter(spans_scores).filter(|panel| panel.has_mass());
            pieces(profile.along(panels, &environment))
        };
        // `F0` over `F1`. Both stand still on panels without mass.
        let roc_of = |panels: &[Panel]| {
            let massive = panels.iter().filter(|panel| panel.has_mass());
            pieces(Profile::value("F0", Abscissa::FalsePositives).along(massive, &environment))
        };
        let refinement = Profile::of_metric("RL", Abscissa::Score);
        let non_hull = non_hull_intervals(&curve);
        let hull = convexify(&curve, &non_hull);
        let turning = turning_panels(&hull, (pi0, pi1));
        let atom = |panel: &Panel| Atom {
            x: panel.start.x,
            mass: panel.start.increments(&panel.end),
            posterior: posterior(panel.start_share, (pi0, pi1))[1],
            refinement: refinement.as_ref().map_or(0.0, |profile| profile.mass(panel, &environment)),
        };
        ModelCurves {
            densities: ["dF0", "dF1"].map(|form| over_scores(&Profile::rate(form, Abscissa::Score))),
            distributions: ["F0", "F1"].map(|text| over_scores(&Profile::value(text, Abscissa::Score))),
            posterior: over_scores_with_mass(&Profile::value("c", Abscissa::Score)),
            slope: over_scores_with_mass(&Profile::rate("dc", Abscissa::Score)),
            roc: roc_of(&curve.panels),
            hull: roc_of(&hull.panels),
            below_hull: non_hull.iter().map(|interval| roc_of(&interval.panels(&curve))).collect(),
            loss: pieces(Profile::of_optimal_loss(Abscissa::Posterior).along(turning.iter(), &environment)),
            lambda: over_scores(&Profile::of_optimal_loss(Abscissa::Score)),
            refinement: refinement.as_ref().map_or(Vec::new(), over_scores),
            atoms: atom_panels(&curve).map(atom).fold(Vec::new(), add_atom),
            scores: shown_scores(&curve),
            is_probabilistic: curve.is_probabilistic(),
            lambda_parts: parts_of_optimal_loss(&curve, &environment),
            lambda_jumps: merge_jumps(optimal_loss_at_corners(&curve, &environment)),
        }
    }
}

/// The visible jumps; those at one score are merged.
fn merge_jumps(corners: Vec<(f64, Estimate)>) -> Vec<(f64, f64)> {
    let mut jumps: Vec<(f64, f64)> = Vec::new();
    for (x, Estimate { value, .. }) in corners {
        match jumps.last_mut().filter(|last| (x - last.0).abs() <= SAME) {
            Some(last) => last.1 += value,
            None => jumps.push((x, value)),
        }
    }
    jumps.retain(|(_, value)| value.abs() > SPECK);
    jumps
}

/// The panels that are atoms: they have mass at one score. If scores are computed, as posteriors are, an arc can be an atom too: the posterior is
/// constant along it up to the noise of the scores. An arc near a singular end of a density, too short for floating point, is not an atom.
fn atom_panels(curve: &Curve) -> impl Iterator<Item = &Panel> {
    let is_computed = curve.score_noise > 0.0;
    let is_at_one_score = move |panel: &&Panel| {
        panel.end.x - panel.start.x <= curve.score_noise && (panel.motion == Motion::Straight || is_computed)
    };
    curve.massive().filter(is_at_one_score).filter(|panel| panel.rate.iter().any(|lane| lane[0] > SPECK))
}

/// Appends an atom, or merges it with the last one if they have the same score.
fn add_atom(mut atoms: Vec<Atom>, next: Atom) -> Vec<Atom> {
    match atoms.last_mut().filter(|last| (next.x - last.x).abs() <= SAME) {
        Some(last) => {
            last.mass = [0, 1].map(|class| last.mass[class] + next.mass[class]);
            last.refinement += next.refinement;
        }
        None => atoms.push(next),
    }
    atoms
}

/// The arcs and corners of a hull: the panels along which the posterior moves.
fn turning_panels(hull: &Curve, proportions: (f64, f64)) -> Vec<Panel> {
    let mut corners = hull.corners(proportions).into_iter().peekable();
    let mut turning = Vec::new();
    for (index, panel) in hull.panels.iter().enumerate() {
        // A corner comes before the panel whose index it carries.
        if let Some((_, corner)) = corners.next_if(|(before, _)| *before == index) {
            turning.push(corner.part(0.0, 1.0, proportions));
        }
        if panel.motion == Motion::Arc {
            turning.push(panel.clone());
        }
    }
    turning.extend(corners.map(|(_, corner)| corner.part(0.0, 1.0, proportions)));
    turning
}

/// The range of scores that is shown: the scale of probabilities, or the support. An infinite end is replaced by the score where the tail of
/// some class exceeds `LEFT_OUT`.
fn shown_scores(curve: &Curve) -> (f64, f64) {
    let (low, high) = if curve.is_probabilistic() { curve.range } else { curve.support };
    let exceeds = |tails: &[f64; 2]| tails.iter().any(|tail| *tail > LEFT_OUT);
    // Points of a panel, dense enough to place the end of an axis.
    let points = |panel: &Panel| -> Vec<Point> { (0..=64).map(|k| panel.at(f64::from(k) / 64.0)).collect() };
    let lowest_shown = || {
        let first_panel = curve.panels.iter().find(|panel| exceeds(&panel.end.below))?;
        points(first_panel).iter().find(|point| exceeds(&point.below)).map(|point| point.x)
    };
    let highest_shown = || {
        let last_panel = curve.panels.iter().rev().find(|panel| exceeds(&panel.start.above))?;
        points(last_panel).iter().rev().find(|point| exceeds(&point.above)).map(|point| point.x)
    };
    let low = if low.is_finite() { low } else { lowest_shown().unwrap_or(curve.start().x) };
    let high = if high.is_finite() { high } else { highest_shown().unwrap_or(curve.end().x) };
    (low, high)
}
