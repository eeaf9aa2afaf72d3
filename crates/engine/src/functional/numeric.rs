//! Questions answered in floating point, by the curve route.

use super::along::{SENSITIVITY, along};
use super::cost::Cost;
use super::definition::Condition;
use super::definition::Prior;
use super::evaluate::hull;
use super::group::{MEANS, OPTIMAL, Origin};
use super::missing::Missing;
use super::plan::{AtPoint, Bundle, Given, Path, Plan, Reader, Site, ViewOf};
use super::program::Environment;
use super::readable::{Doubts, Readable};
use super::rough::{self, CurveErrors};
use super::value::Value;
use crate::calculus::Estimate;
use crate::calculus::panel::Point;
use crate::constant::Constant;
use crate::model::Curve;
use crate::transform;
use rocproof_language::meaning::Pieces;
use std::borrow::Cow;

/// A tail beyond the largest scores looked at that would still move a mean by this much: there may be no mean.
const NO_MEAN: f64 = 1e-6;
/// The largest error of an optimal loss that still tells something.
const MEANINGFUL: f64 = 1e-4;

/// The answers that a plan asks for.
pub(super) fn read_numeric(plan: &Plan, curve: Curve, proportions: (f64, f64)) -> Vec<Value> {
    let given = plan.given();
    let (curves, places) = plan.curves(curve, |curve, transform| transform::apply(curve, transform, proportions));
    let hulls: Vec<Option<Cow<Curve>>> =
        plan.sites.iter().zip(&places).map(|(site, k)| site.hull.then(|| hull(&curves[*k]).1)).collect();
    let reader =
        |s: usize| Numeric::new(&plan.sites[s], plan, &curves[places[s]], hulls[s].as_deref(), proportions, given);
    let readers: Vec<Numeric<Curve, Curve>> = (0..plan.sites.len()).map(reader).collect();
    plan.answers.iter().map(|answer| value(plan.read(answer, &readers[answer.site], given))).collect()
}

/// A curve and its hull, read in floating point.
pub(super) struct Numeric<'a, C, H> {
    site: &'a Site,
    curve: &'a C,
    hull: Option<&'a H>,
    proportions: (f64, f64),
    range: (f64, f64),
    costs: &'a [Cost],
    integrals: Vec<Vec<Estimate>>,
    largest: Vec<f64>,
}

impl<'a, C: Readable, H: Readable> Numeric<'a, C, H> {
    pub(super) fn new(
        site: &'a Site,
        plan: &Plan,
        curve: &'a C,
        hull: Option<&'a H>,
        proportions: (f64, f64),
        given: Given<'a>,
    ) -> Self {
        let scale = curve.range();
        // Where all scores are equal no threshold is drawn from their scale, and nothing is to be divided by its length.
        let range = if scale.0 < scale.1 { scale } else { (0.0, 1.0) };
        let (integrals, largest) = (Vec::with_capacity(site.bundles.len()), Vec::new());
        let mut reader = Numeric { site, curve, hull, proportions, range, costs: given.costs, integrals, largest };
        let views: Vec<Environment> = site.bundles.iter().map(|bundle| reader.view(bundle.view)).collect();
        let along = |path: Path| {
            let asked = site.bundles.iter().zip(&views).filter(move |(bundle, _)| bundle.path == path);
            asked.map(|(bundle, view)| (&bundle.group, view)).collect::<Vec<_>>()
        };
        let plain = reader.view(ViewOf { condition: Condition::Cost, cost: 0 });
        let extremes: Vec<_> = site.extremes.iter().map(|point| (&plan.points[*point].program, &plain)).collect();
        let (of_curve, largest) = curve.integrals(&along(Path::Curve), &extremes);
        let of_hull = hull.map_or(Vec::new(), |hull| hull.integrals(&along(Path::Hull), &[]).0);
        let (mut of_curve, mut of_hull) = (of_curve.into_iter(), of_hull.into_iter());
        for (bundle, view) in site.bundles.iter().zip(&views) {
            let found = match bundle.path {
                Path::Curve => of_curve.next(),
                Path::Hull => of_hull.next(),
                Path::Corners => Some(curve.with_corners(&bundle.group, view)),
                Path::Optimal => hull.and_then(|hull| optimal(hull, view)).map(|loss| vec![loss]),
            };
            // Where there is no hull its integrals have no values.
            reader.integrals.push(found.unwrap_or_default());
        }
        reader.largest = largest;
        reader
    }

    fn view(&self, of: ViewOf) -> Environment<'a> {
        let (pi0, pi1) = if of.condition == Condition::Cost { self.proportions } else { (0.5, 0.5) };
        Environment { pi0, pi1, cost: &self.costs[of.cost], range: self.range }
    }

    /// What the cut tails may add to a mean score, and what errors of the distribution functions do to it: it scales with the scores.
    fn of_mean(&self, class: usize, estimate: Estimate) -> Result<Estimate, Missing> {
        let Doubts { uncertainty, width, mean_tail, .. } = self.curve.doubts();
        if mean_tail[class] > NO_MEAN {
            return Err(Missing::Inapplicable("the tails are too heavy for a mean score".into()));
        }
        Ok(estimate.widened(SENSITIVITY * uncertainty * width + mean_tail[class]))
    }

    /// Of which pieces the curve is made that an integral follows; nothing if there is none.
    fn followed(&self, path: Path) -> Option<Pieces> {
        match path {
            Path::Curve | Path::Corners => Some(self.curve.pieces()),
            Path::Hull | Path::Optimal => self.hull.map(Readable::pieces),
        }
    }

    /// The value of an expression at a point.
    fn at(&self, point: &Point, of: &AtPoint, view: &Environment) -> Estimate {
        let value = of.program.value_at(point, view);
        let Doubts { uncertainty, score_noise, .. } = self.curve.doubts();
        let doubt = match of.origin {
            Origin::Typed => {
                // Where a score or a rate is reached is known up to a rounding: of the rate, which a rare class adds little to.
                let rounding = 4.0 * f64::EPSILON / view.pi0.min(view.pi1);
                let errors = CurveErrors { mass: SENSITIVITY * (uncertainty + rounding), score: score_noise };
                rough::at_point(&of.program, point, view, errors).map_or(f64::INFINITY, |rough| rough.error)
            }
            _ => SENSITIVITY * uncertainty,
        };
        Estimate { value, error: doubt + 8.0 * f64::EPSILON * value.abs() }
    }
}

impl<C: Readable, H: Readable> Reader for Numeric<'_, C, H> {
    type Number = Estimate;

    fn scale(&self) -> (f64, f64) {
        self.curve.range()
    }

    fn integral(&self, bundle: usize, k: usize) -> Result<Estimate, Missing> {
        let estimate = self.integrals[bundle].get(k).copied();
        let Bundle { group, path, .. } = &self.site.bundles[bundle];
        if let Some(why) = self.followed(*path).and_then(|pieces| group.lacks(k, pieces)) {
            return Err(why);
        }
        let estimate = estimate.filter(|e| e.value.is_finite() && e.error.is_finite()).ok_or(Missing::NotComputed)?;
        match self.site.bundles[bundle].group.origins[k] {
            Origin::Mean(class) => self.of_mean(class, estimate),
            _ => Ok(estimate),
        }
    }

    fn affine(&self, a: f64, b: f64, of: Estimate) -> Estimate {
        Estimate { value: a + b * of.value, error: b.abs() * of.error + f64::EPSILON }
    }

    fn largest(&self, k: usize) -> Result<Estimate, Missing> {
        let value = self.largest.get(k).copied().ok_or(Missing::NotComputed)?;
        Ok(Estimate { value, error: SENSITIVITY * self.curve.doubts().uncertainty + 4.0 * f64::EPSILON })
    }

    fn at_score(&self, of: &AtPoint, at: &Constant, view: ViewOf) -> Result<Estimate, Missing> {
        let (t, view) = (at.value, self.view(view));
        // Beyond all scores the threshold is still what it is.
        let point = |at: f64| Point { x: t, x_complement: 1.0 - t, ..self.curve.at_score(at) };
        let estimate = self.at(&point(t), of, &view);
        // Where scores were computed, an atom may stand on the wrong side of the threshold by a rounding.
        let noise = self.curve.doubts().score_noise;
        if noise == 0.0 {
            return Ok(estimate);
        }
        let around = [t - noise, t + noise].map(|at| of.program.value_at(&point(at), &view));
        Ok(estimate.widened(around.iter().map(|v| (v - estimate.value).abs()).fold(0.0, f64::max)))
    }

    fn at_rate(&self, of: &AtPoint, at: &Constant, view: ViewOf) -> Result<Estimate, Missing> {
        let view = self.view(view);
        // Where a rate is reached is known up to a rounding of the rate.
        Ok(self.at(&self.curve.at_rate(at.value, view.pi0), of, &view).widened(8.0 * f64::EPSILON))
    }

    fn share_of_chance(&self, prior: Prior, view: ViewOf) -> Result<Estimate, Missing> {
        let plain = self.view(view);
        let [a, b] = prior.parameters([plain.pi0, plain.pi1]);
        let cost = Cost::beta(a, b);
        let view = Environment { cost: &cost, ..plain };
        let loss = self.hull.and_then(|hull| optimal(hull, &view)).ok_or(Missing::NotComputed)?;
        let most = optimal(&Curve::diagonal(), &view).ok_or(Missing::NotComputed)?;
        let share = loss.value / most.value;
        Ok(Estimate { value: 1.0 - share, error: (loss.error + share.abs() * most.error) / most.value + f64::EPSILON })
    }
}

/// The mean score of a class.
pub(crate) fn mean_score(curve: &Curve, class: usize) -> f64 {
    let cost = Cost::uniform();
    let view = Environment { pi0: 0.5, pi1: 0.5, cost: &cost, range: curve.range };
    along(curve, &[], &MEANS, &view).get(class).map_or(f64::NAN, |mean| mean.value)
}

/// The optimal loss: along a hull, corners included.
fn optimal(hull: &impl Readable, view: &Environment) -> Option<Estimate> {
    let estimate = hull.with_corners(&OPTIMAL, view).first().copied()?;
    // Predicting one class always costs no less. What lies beyond was not resolved, nor what has so large a defect that the
    // defect means little: then all that is known is that the loss lies between nothing and that.
    let mean = view.cost.mean();
    let most = (2.0 * mean * view.pi0).min(2.0 * (1.0 - mean) * view.pi1);
    let beyond = (estimate.value - most).max(-estimate.value);
    let resolved = beyond <= estimate.error && estimate.error <= MEANINGFUL;
    Some(if resolved {
        estimate
    } else {
        Estimate { error: estimate.error.max(estimate.value.abs() + most), ..estimate }
    })
}

/// A value at the numeric level; what is NaN or infinite is missing.
pub(super) fn value(found: Result<Estimate, Missing>) -> Value {
    match found {
        Ok(estimate) if estimate.value.is_finite() && estimate.error.is_finite() => Value::Numeric(estimate),
        Ok(_) => Missing::NotComputed.into(),
        Err(why) => why.into(),
    }
}
